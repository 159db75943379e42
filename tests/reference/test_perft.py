"""The reference counts what is on file, near the root; all depths are counted by it when the files are renewed."""

from __future__ import annotations

import pytest

from kit.reference.perft import count, divide
from kit.reference.record import GAMES, positions_of
from tests import perft


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_counts_what_is_on_file(game: str) -> None:
    _, entries = perft.load(game)
    for entry in entries:
        *earlier, position = positions_of(entry.position, list(entry.moves))
        for depth, expected in entry.counts.items():
            if depth == 1 or (depth == 2 and entry.counts[1] <= 60):
                assert count(game, position, depth, earlier) == expected, (
                    f"line {entry.line}, depth {depth}: {divide(game, position, depth, earlier)}"
                )


def test_counts_add_up() -> None:
    _, entries = perft.load("rowoverflow")
    entry = next(entry for entry in entries if 1 < entry.counts[1] < 50 and len(entry.counts) > 1)
    shares = divide("rowoverflow", entry.position, 2)
    assert len(shares) == count("rowoverflow", entry.position, 1) == entry.counts[1]
    assert sum(shares.values()) == count("rowoverflow", entry.position, 2) == entry.counts[2]
    assert count("rowoverflow", entry.position, 0) == 1
