"""Every rule of every engine is exercised, by what can be looked at: `kit check --rules` and docs/rules-coverage.md."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kit.catalogue import GAMES, game
from kit.faults import Fault
from kit.publish import coverage

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_exercised(name: str) -> None:
    silent = [row.rule for row in coverage.table(ROOT, CONTENT, name) if not row.exercised]
    assert not silent, f"no test is marked with {silent}, and no event or refusal in the traces cites them"


@pytest.mark.parametrize("name", GAMES)
def test_what_is_counted_cites_rules_that_there_are(name: str) -> None:
    tests = ROOT / "tests"
    known = {rule.id for rule in game(name).RULES}
    told, refused = coverage.replayed(game(name), tests / "games" / "vectors" / f"{name}.jsonl.gz")
    marked = set(coverage.marks(tests / "games" / f"test_{name}.py"))
    for found in (told, refused, marked, set(coverage.practised_by(tests, name))):
        assert {rule for rule, _ in found} <= known
    assert told and refused and marked


def test_the_page_in_the_docs_is_fresh(golden: Callable[[Path, bytes], None]) -> None:
    golden(ROOT / "docs" / "rules-coverage.md", coverage.markdown(ROOT, CONTENT).encode())


def test_a_marker_counts_only_where_it_stands_on_a_test(tmp_path: Path) -> None:
    source = tmp_path / "test_x.py"
    source.write_text(
        '@pytest.mark.rules("X-1", "X-2")\n@pytest.mark.parametrize("n", [1])\ndef test_one(n): ...\n\n'
        '@pytest.mark.rules("X-3")\ndef helper(): ...\n\n"X-4"\ndef test_x5(): ...\n'
    )
    assert list(coverage.marks(source)) == [("X-1", "test_one"), ("X-2", "test_one")]
    assert list(coverage.marks(tmp_path / "test_y.py")) == []


def test_a_rule_that_nothing_exercises_is_seen() -> None:
    bare = coverage.Row("X-1", "rule", (), (), (), ("example",), ("a",))
    assert not bare.exercised
    assert bare._replace(tests=("test",)).exercised
    assert "not exercised: X-1. Not yet in a worked example: 0." in coverage._game("x", [bare])


def test_elsewhere_it_says_where_to_go(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="there is no tests/ here"):
        coverage.markdown(tmp_path, CONTENT)


def test_as_typed() -> None:
    ran = subprocess.run([sys.executable, "-m", "kit", "check"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (2, "error: say what to check: --rules\n")
