"""Which engines exist: one line a game."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from kit.games.core import Game

GAMES = (
    "cascadebeta",
    "cascata",
    "gridcannon",
    "rowoverflow",
)


def game(name: str) -> Game:
    """The engine of a game by its id, imported when asked for. KeyError when there is none."""
    if name not in GAMES:
        raise KeyError(name)
    return cast("Game", import_module(f"kit.games.{name}"))
