"""Walking through records, and the first place where one disagrees with the rules."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

Json = Any
GAMES = ("cascadebeta", "cascata", "gridcannon", "rowoverflow")


def engine(game: str) -> Any:
    """The reference module of a game; ValueError when there is none."""
    if game not in GAMES:
        raise ValueError(f"no such game: {game!r}")
    return import_module(f"kit.reference.{game}")


def after(positions: list[Json], move: str) -> Json:
    """The position after a move from the last of a record's positions; ValueError when the move is not legal."""
    *earlier, position = positions
    game = position["game"]
    if game == "cascadebeta":
        return engine(game).play(position, move, earlier)
    return engine(game).play(position, move)


def positions_of(start: Json, moves: list[str]) -> list[Json]:
    """Every position of a record, the start included; ValueError when a move is not legal."""
    positions = [start]
    for move in moves:
        positions.append(after(positions, move))
    return positions


def difference(record: Json) -> str | None:
    """The first disagreement of a record (with or without `check`) with the reference, or None."""
    rules = engine(record["game"])
    checks = record.get("check")
    if checks is not None and len(checks) != len(record["moves"]) + 1:
        return f"{len(record['moves'])} moves have {len(checks)} checks"
    positions = [record["start"]]
    for number in range(len(record["moves"]) + 1):
        last = number == len(record["moves"])
        if checks is not None:
            found = position_difference(rules, positions[-1], checks[number], last)
            if found is not None:
                return f"before move {number + 1}: {found}"
        if not last:
            try:
                positions.append(after(positions, record["moves"][number]))
            except ValueError as error:
                return f"move {number + 1}: {error}"
    return None


def position_difference(rules: Any, position: Json, check: Json, last: bool) -> str | None:
    """How one entry of `check` differs from the position that the reference has reached."""
    mine, theirs = rules.canonical(position), rules.canonical(check["position"])
    for key in sorted({*mine, *theirs}):
        if mine.get(key) != theirs.get(key):
            return f"{key} is {shown(mine.get(key))} here, {shown(theirs.get(key))} in the record"
    legal = rules.legal(position)
    here, there = sorted(set(legal) - set(check["legal"])), sorted(set(check["legal"]) - set(legal))
    if here or there:
        return f"legal here only: {here}, in the record only: {there}"
    result = rules.result(position)
    said = check.get("result") if last else None
    if result != said:
        return f"the result is {shown(result)} here, {shown(said)} in the record"
    return None


def shown(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def read(path: Path) -> Iterator[tuple[int, Json]]:
    """Line number and record of every line of a JSON Lines file, plain or gzip. OSError or ValueError if it is none."""
    with path.open("rb") as raw:
        zipped = raw.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rt", encoding="utf-8") if zipped else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, json.loads(line)
