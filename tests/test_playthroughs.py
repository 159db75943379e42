"""Every game is told in playthroughs on file, and between them they show every rule that an event can cite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kit.catalogue import GAMES, game
from kit.publish import coverage
from tests import playthrough

GOLDEN = Path(__file__).parent / "golden" / "playthroughs"
FILES = sorted(GOLDEN.glob("*.txt"))


def engine_of(path: Path) -> str:
    return path.stem.rpartition("-")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_engine_tells_it_as_it_is_on_file(path: Path, golden: Callable[[Path, bytes], None]) -> None:
    text = playthrough.told(game(engine_of(path)), playthrough.read(path.read_text("utf-8")))
    assert len(text.splitlines()) <= 150
    golden(path, text.encode())


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_three(name: str) -> None:
    assert sum(engine_of(path) == name for path in FILES) >= 3


@pytest.mark.parametrize("name", GAMES)
def test_together_they_show_what_the_traces_show(name: str) -> None:
    engine, shown = game(name), set()
    for path in FILES:
        if engine_of(path) == name:
            play = playthrough.read(path.read_text("utf-8"))
            position = engine.position_from_text(play.start)
            for text in play.moves:
                position, events = position.play(engine.move_from_text(text))
                shown |= {event.rule for event in events}
    told, _ = coverage.replayed(engine, GOLDEN.parents[1] / "games" / "vectors" / f"{name}.jsonl.gz")
    assert shown >= {rule for rule, _ in told}


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_players_is_at_a_table(name: str) -> None:
    engine = game(name)
    starts = [playthrough.read(path.read_text("utf-8")).start for path in FILES if engine_of(path) == name]
    tables = [engine.position_to_json(engine.position_from_text(start)) for start in starts]
    assert {table.get("players", 1) for table in tables} == set(engine.PLAYERS)


def test_every_file_is_of_a_game() -> None:
    assert {engine_of(path) for path in FILES} == set(GAMES)


def test_many_legal_moves_of_a_kind_are_counted() -> None:
    moves = ["draw", *(f"take {n}" for n in range(1, 6)), "place 1 2", "place 1 3", "pass"]
    assert playthrough.legal(moves) == "draw | take ×5 | place 1 2, 1 3 | pass"
    assert playthrough.legal([]) == "none"
    assert playthrough.said({"seat": 0, "places": ((1, 2), (3, 4)), "more": {"a": None}}) == (
        "seat=0 places=[[1 2] [3 4]] more=a=None"
    )
