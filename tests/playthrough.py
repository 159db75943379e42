"""Playthroughs: a stretch of a game as people read it, and as the engine tells it anew.

A file holds a title, the position it starts from as an author types it, and its moves (lines that begin with `>`). All
the rest is told by the engine, and is written anew by `pytest --renew tests/test_playthroughs.py`: so a new playthrough
is a file with a title, a start and moves, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any, NamedTuple

from kit.games.core import Game

LINES, WIDTH = 150, 118
SHOWN = 4  # legal moves of one kind that are written out; more are counted


class Playthrough(NamedTuple):
    title: str
    start: str
    moves: tuple[str, ...]


def read(text: str) -> Playthrough:
    title, _, rest = text.partition("\n")
    lines = rest.splitlines()
    begun = lines.index("start") + 1
    start = []
    for line in lines[begun:]:
        if not line.startswith("    "):
            break
        start.append(line[4:])
    return Playthrough(title, "\n".join(start), tuple(line[2:] for line in lines if line.startswith("> ")))


def told(engine: Game, play: Playthrough) -> str:
    """The whole file: the position as often as its length allows, at the end in any case."""
    for every in range(1, len(play.moves) + 2):
        lines = list(_lines(engine, play, every))
        if len(lines) <= LINES:
            return "\n".join(lines) + "\n"
    raise ValueError(f"{play.title}: {len(lines)} lines, more than {LINES}")


def _lines(engine: Game, play: Playthrough, every: int) -> Iterator[str]:
    position = engine.position_from_text(play.start)
    yield play.title
    yield from ("", "start", *_indented(engine.position_to_text(position)))
    for number, text in enumerate(play.moves, 1):
        yield ""
        yield from _wrapped("legal: ", legal(list(map(str, position.legal()))))
        yield f"> {text}"
        position, events = position.play(engine.move_from_text(text))
        for event in events:
            yield from _wrapped(f"  {event.rule} {event.kind}: ", said(event.facts))
        if number % every == 0 or number == len(play.moves):
            yield from ("", f"after move {number}", *_indented(engine.position_to_text(position)))
    yield from ("", *_wrapped("result: ", said(position.result() or {}) or "none yet"))


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


def _wrapped(label: str, text: str) -> list[str]:
    return wrap(label + text, WIDTH, subsequent_indent=" " * 6, break_on_hyphens=False) or [label.strip()]


def legal(moves: Sequence[str]) -> str:
    """The legal moves by kind, in their order; of many only how many."""
    kinds = []
    for kind, group in groupby(moves, key=lambda move: move.split(" ")[0]):
        same = [move.partition(" ")[2] for move in group]
        kinds.append(kind if same == [""] else f"{kind} {', '.join(same) if len(same) <= SHOWN else f'×{len(same)}'}")
    return " | ".join(kinds) or "none"


def said(value: Any) -> str:
    """Facts as short text: `seat=0 cards=[Ks Kd]`."""
    if isinstance(value, Mapping):
        return " ".join(f"{key}={said(inner)}" for key, inner in value.items())
    if isinstance(value, tuple | list):
        return f"[{' '.join(map(said, value))}]"
    return str(value)
