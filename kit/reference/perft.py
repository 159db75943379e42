"""How many ways are there to play on? The number that two engines agree on only when their rules agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kit.reference.record import after, engine

Json = Any


def count(game: str, position: Json, depth: int, earlier: Sequence[Json] = ()) -> int:
    """How many sequences of `depth` moves there are; a game that is over earlier has none of that length.

    `earlier` are the positions of the record before this one, where they matter (CascadeBeta's repetition).
    """
    if depth == 0:
        return 1
    if depth == 1:  # the last move need not be played: what it leads to is not asked
        return len(engine(game).legal(position))
    return sum(divide(game, position, depth, earlier).values())


def divide(game: str, position: Json, depth: int, earlier: Sequence[Json] = ()) -> dict[str, int]:
    """The count of every first move: where two counts differ, this says which move to look at."""
    positions = [*earlier, position]
    return {move: count(game, after(positions, move), depth - 1, positions) for move in engine(game).legal(position)}
