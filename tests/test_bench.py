"""The benches still run: what they measure is for `make bench`, on a quiet machine."""

from __future__ import annotations

import pytest

from bench import builds, engines, problems
from kit import practice
from kit.catalogue import GAMES
from kit.practice import codes


@pytest.mark.parametrize("name", GAMES)
def test_engine_and_reference_are_played(name: str) -> None:
    one, other = engines.play(name, 1), engines.play_reference(name, 1)
    assert one.moves >= engines.LEAST == other.moves
    assert one.events >= one.moves


def test_the_table_compares_with_the_yardstick() -> None:
    found = [engines.Measured("cascata", 400, 1.6), engines.Measured(engines.YARDSTICK, 100, 0)]
    assert engines.table(found).splitlines()[2:] == [
        "| cascata | 400 | 1.6 | 0.25 |",
        f"| {engines.YARDSTICK} | 100 | – | 1 |",
    ]
    assert engines.table(found[:1]).endswith("| – |")


def test_what_a_bench_says_is_a_ratio() -> None:
    measured = engines.measure("rowoverflow", "rowoverflow", engines.play, stretches=1, passes=2)
    assert measured.steps > 1 and measured.events > 1


def test_the_sentence_to_be_changed_is_still_there() -> None:
    assert builds.SENTENCE in (builds.ROOT / "content" / "rowoverflow" / "rules.md").read_text("utf-8")


@pytest.mark.parametrize("game", codes.GAMES)
def test_problems_are_found_and_proven(game: str) -> None:
    measured = problems.cost(game, next(iter(practice.kinds(game))), seconds=0.01)
    assert measured.problems and measured.found > 0 and measured.proven > 0
