"""What all rooms' tests share: golden files, and how hypothesis searches."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, settings

# No deadline: a busy machine is no fault. On a CI machine the same examples each time; elsewhere new ones.
settings.register_profile("kit", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.register_profile("long", deadline=None, max_examples=5000)  # --hypothesis-profile long: an hour or more
settings.register_profile(  # `make mutants`: that an example fails is all it asks, so none is made smaller
    "mutants", deadline=None, derandomize=True, database=None, max_examples=30, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile("kit")

# A shell makes what it runs in the background deaf to interrupts, and children inherit that; what tests stop must hear.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write golden files anew instead of comparing with them")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, bytes], None]:
    """Compare bytes with those on file, or put them there when `--renew` says so."""

    def compare(path: Path, made: bytes) -> None:
        if request.config.getoption("--renew"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(made)
        assert path.is_file(), f"there is no golden file {path.name} yet: look at what is made, then run with --renew"
        expected = path.read_bytes()
        try:
            assert made.decode("utf-8") == expected.decode("utf-8"), f"{path.name} differs"  # shown line by line
        except UnicodeDecodeError:
            assert made == expected, f"{path.name} differs"

    return compare
