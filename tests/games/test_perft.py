"""The engine counts as many ways to play on as the perft files say.

`pytest tests/games/test_perft.py --renew` counts anew what the files name, by the engine and by the reference, and
writes a file only when both agree on all of it.
"""

from __future__ import annotations

from typing import Any

import pytest

from kit.catalogue import GAMES, game
from kit.reference import perft as by_reference
from kit.reference.record import positions_of
from tests import perft

Json = Any


def start(entry: perft.Entry) -> Any:
    """The engine's position of an entry, its moves played."""
    engine = game(entry.position["game"])
    state: Any = engine.position_from_json(entry.position)
    for move in entry.moves:
        state, _ = state.play(engine.move_from_text(move))
    return state


def count(state: Any, depth: int) -> int:
    if depth == 1:
        return len(state.legal())
    return sum(count(state.play(move)[0], depth - 1) for move in state.legal())


def divide(state: Any, depth: int) -> dict[str, int]:
    """The count of every first move."""
    return {str(move): 1 if depth == 1 else count(state.play(move)[0], depth - 1) for move in state.legal()}


def miss(entry: perft.Entry, depth: int) -> str:
    """What to look at when a count is not the one on file: the counts by first move, of both."""
    *earlier, position = positions_of(entry.position, list(entry.moves))
    theirs = by_reference.divide(position["game"], position, depth, earlier)
    ours = divide(start(entry), depth)
    rows = [f"line {entry.line}, depth {depth}: {'; '.join(entry.why)}"]
    for move in sorted({*ours, *theirs}):
        mark = " " if ours.get(move) == theirs.get(move) else "!"
        rows.append(f"{mark} {move}: engine {ours.get(move)}, reference {theirs.get(move)}")
    return "\n".join(rows)


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_counts_what_is_on_file(name: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--renew"):
        renew(name)
    _, entries = perft.load(name)
    assert len(entries) >= 25
    for entry in entries:
        assert entry.position["game"] == name
        state = start(entry)
        for depth, expected in entry.counts.items():
            assert count(state, depth) == expected, miss(entry, depth)


@pytest.mark.parametrize("name", GAMES)
def test_a_file_is_written_as_it_is_read(name: str) -> None:
    assert perft.text(*perft.load(name)) == (perft.FOLDER / f"{name}.perft").read_text("utf-8")


def renew(name: str) -> None:
    """Count anew, both ways; AssertionError where they differ."""
    head, entries = perft.load(name)
    renewed = []
    for entry in entries:
        *earlier, position = positions_of(entry.position, list(entry.moves))
        counts = {depth: count(start(entry), depth) for depth in entry.counts}
        for depth, ours in counts.items():
            assert ours == by_reference.count(name, position, depth, earlier), miss(entry, depth)
        renewed.append(entry._replace(counts=counts))
    (perft.FOLDER / f"{name}.perft").write_text(perft.text(head, renewed), "utf-8")


def test_a_miss_names_the_first_move() -> None:
    _, entries = perft.load("rowoverflow")
    entry = next(entry for entry in entries if 2 in entry.counts)
    shown = miss(entry, 2)
    assert shown.startswith(f"line {entry.line}, depth 2: ")
    assert shown.count("engine") == entry.counts[1]
    assert "!" not in shown


@pytest.mark.parametrize(
    "block",
    ["# why\nposition {}", "position {}\n1 1", "# why\n1 1", "# why\nposition {}\n1 1\n1 2", "# why\nposition {}\nx 1"],
)
def test_what_is_no_entry_is_refused(block: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.perft").write_text(f"# head\n\n{block}\n", "utf-8")
    monkeypatch.setattr(perft, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"^line [3-6]: "):
        perft.load("x")
