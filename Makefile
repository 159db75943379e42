# The names that people type. Setting up is bootstrap.sh's work: every line below may run on a bare machine.
RUN = @sh bootstrap.sh run
DEV = @sh bootstrap.sh dev
WORKERS = 2

.PHONY: kits test lint types pytest locks bench mutants clean

kits:
	$(RUN) kit build

test: lint types pytest

lint:
	$(DEV) ruff check .

types:
	$(DEV) mypy

pytest:
	$(DEV) pytest -n $(WORKERS) --dist loadfile

# Newer versions of what pyproject.toml names, with hashes and without addresses. Look at the diff before you commit it.
LOCK = uv --no-config --quiet pip compile --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command "make locks" pyproject.toml --group build
locks:
	$(DEV) $(LOCK) --output-file requirements.lock
	$(DEV) $(LOCK) --group dev --constraints requirements.lock --output-file requirements-dev.lock

bench:
	$(DEV) bench

# Which changes to the engines would no test notice? Slow; by hand.
mutants:
	$(DEV) mutmut run

clean:
	rm -rf .venv .venv.lock mutants dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find kit tests bench -name __pycache__ -type d -prune -exec rm -rf {} +
