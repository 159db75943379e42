"""Perft files: positions and how many ways there are to play on from each. `tests/golden/perft/<game>.perft`.

    # why this position is here, with the rule or reading
    position {"game": …}          the interchange JSON, on one line
    after draw; place 1 2         optional: moves played first, where what went before counts (CascadeBeta's repetition)
    1 12                          depth, and number of move sequences of that length
    2 96

Lines before the first empty line are the head. Entries are parted by empty lines.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

Json = Any
FOLDER = Path(__file__).parent / "golden" / "perft"


class Entry(NamedTuple):
    line: int  # of the position in its file
    why: tuple[str, ...]
    position: Json
    moves: tuple[str, ...]
    counts: dict[int, int]


def load(game: str) -> tuple[str, list[Entry]]:
    """The head of a game's file, and its entries. ValueError when something in it is not of the form."""
    head, *blocks = (FOLDER / f"{game}.perft").read_text("utf-8").rstrip("\n").split("\n\n")
    line = head.count("\n") + 3
    entries = []
    for block in blocks:
        entries.append(_entry(block.split("\n"), line))
        line += block.count("\n") + 2
    return head, entries


def _entry(lines: list[str], first: int) -> Entry:
    why: list[str] = []
    position: Json = None
    moves: tuple[str, ...] = ()
    counts: dict[int, int] = {}
    at = first
    for number, line in enumerate(lines, start=first):
        word, _, rest = line.partition(" ")
        if word == "#":
            why.append(rest)
        elif word == "position" and position is None:
            position, at = json.loads(rest), number
        elif word == "after" and not moves:
            moves = tuple(rest.split("; "))
        elif word.isdecimal() and int(word) not in counts:
            counts[int(word)] = int(rest)
        else:
            raise ValueError(f"line {number}: {line[:40]!r} is none of #, position, after, or a depth and a count")
    if not why or position is None or not counts:
        raise ValueError(f"line {first}: an entry has a reason, a position and counts")
    return Entry(at, tuple(why), position, moves, counts)


def text(head: str, entries: list[Entry]) -> str:
    """The file again."""
    blocks = [head]
    for entry in entries:
        lines = [f"# {why}" for why in entry.why]
        lines.append("position " + json.dumps(entry.position, separators=(",", ":"), sort_keys=True))
        if entry.moves:
            lines.append("after " + "; ".join(entry.moves))
        lines += [f"{depth} {count}" for depth, count in sorted(entry.counts.items())]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"
