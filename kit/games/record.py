"""Records and conformance traces: play them again and say where they part from the engine.

A record is `{"game": id, "start": position, "moves": [move, …]}`; with `"check"` it is a conformance trace, in the form
of docs/interchange.md. Nothing here opens a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from kit.games.core import (
    BadPosition,
    Event,
    Game,
    IllegalMove,
    Json,
    State,
    excerpt,
    refuse,
)

LINE_LIMIT = 4 * 1024 * 1024  # bytes a line, its end included
DEPTH_LIMIT = 32  # the interchange form nests far less deeply
STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)  # one that never ends too: no second try, no hang


class Replay(NamedTuple):
    """How one record went: the positions it passed through (the start included) and the events of each move."""

    positions: tuple[State, ...]
    events: tuple[tuple[Event, ...], ...]


class Stream(Protocol):
    """A file of bytes, plain or unpacked on the way."""

    def readline(self, size: int, /) -> bytes: ...


def lines(stream: Stream) -> Iterator[tuple[int, bytes]]:
    """Numbered lines of a stream, blank ones left out, one in memory at a time.

    One over LINE_LIMIT is cut off and the last: `parse` refuses it.
    """
    number = 0
    while line := stream.readline(LINE_LIMIT + 1):
        number += 1
        if len(line) > LINE_LIMIT:
            yield number, line
            return
        if line.strip():
            yield number, line


def parse(line: bytes) -> Json:
    """The JSON of one line, depth bounded, no key twice. Raises BadPosition."""

    def once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        keys = dict(pairs)
        if len(keys) != len(pairs):
            refuse(f"a key stands twice among {', '.join(str(key)[:40] for key, _ in pairs)}")
        return keys

    def constant(name: str) -> Json:
        refuse(f"{name} is not a number of JSON")

    if len(line) > LINE_LIMIT:
        refuse(f"it is longer than {LINE_LIMIT // 1024**2} MiB")
    try:
        text = line.decode("utf-8-sig")
        depth = deepest = 0
        for mark in re.findall(r"[\[\]{}]", STRING.sub("", text)):
            depth += (mark in "[{") - (mark in "]}")
            deepest = max(depth, deepest)
        if deepest > DEPTH_LIMIT:
            refuse(f"nested {deepest} deep, more than {DEPTH_LIMIT}")
        return json.loads(text, object_pairs_hook=once, parse_constant=constant)
    except UnicodeDecodeError as error:
        raise BadPosition(f"not UTF-8 at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise BadPosition(f"not JSON: {error.msg} at column {error.colno}") from None
    except ValueError as error:  # a number of thousands of digits
        raise error if isinstance(error, BadPosition) else BadPosition("a number is too long") from None


def replay(record: Json, game: Callable[[str], Game]) -> Replay:
    """Play a record and hold every `check` against the engine.

    `game` gives the engine of an id and raises KeyError. Raises BadPosition naming the first fault or difference.
    """
    if not isinstance(record, dict):
        refuse("a record is a JSON object")
    for key in record:
        if key not in ("game", "start", "moves", "check"):
            refuse(f"unknown key {excerpt(key)}")
    for key in ("game", "start", "moves"):
        if key not in record:
            refuse(f'"{key}" is missing')
    try:
        engine = game(str(record["game"]))
    except KeyError:
        raise BadPosition(f"unknown game {excerpt(record['game'])}") from None
    position = engine.position_from_json(record["start"])
    moves = record["moves"]
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        refuse('"moves" is not a list of moves')
    checks = record.get("check")
    if checks is not None and (not isinstance(checks, list) or len(checks) != len(moves) + 1):
        refuse(f'"check" has not {len(moves) + 1} entries, one a position')
    positions, events = [position], []
    for step, text in enumerate([*moves, None]):
        if checks is not None:
            _compare(step, position, checks[step], engine, last=text is None)
        if text is not None:
            try:
                position, happened = position.play(engine.move_from_text(text))
            except IllegalMove as error:
                raise BadPosition(f"move {step + 1} ({text[:60]}) is illegal: {error}") from None
            except BadPosition as error:
                raise BadPosition(f"move {step + 1}: {error}") from None
            positions.append(position)
            events.append(happened)
    return Replay(tuple(positions), tuple(events))


def _compare(step: int, position: State, entry: Json, engine: Game, last: bool) -> None:
    """Hold one entry of a trace against the position before move number step + 1."""
    here = f"before move {step + 1}" if not last else "at the end"
    names = {"legal", "position", "result"} if last else {"legal", "position"}
    if not isinstance(entry, dict) or set(entry) != names:
        refuse(f"{here}: the check does not hold exactly {', '.join(sorted(names))}")
    try:
        theirs = engine.position_from_json(entry["position"])
    except BadPosition as error:
        raise BadPosition(f"{here}: {error}") from None
    if theirs != position and (difference := _first_difference(theirs, position, engine)):
        refuse(f"{here}: {difference}")
    legal = entry["legal"]
    if not isinstance(legal, list) or not all(isinstance(move, str) for move in legal):
        refuse(f'{here}: "legal" is not a list of moves')
    ours = set(map(str, position.legal()))
    if extra := sorted(set(legal) - ours):
        refuse(f"{here}: {excerpt(extra[0])} is legal in the file, not by the engine")
    if missing := sorted(ours - set(legal)):
        refuse(f"{here}: {missing[0]!r} is legal by the engine, not in the file")
    if len(legal) != len(set(legal)):
        refuse(f"{here}: a legal move stands twice")
    result = entry.get("result")
    if _exactly(result) != _exactly(position.result()):
        refuse(f"{here}: the result is {_short(result)} in the file, {_short(position.result())} by the engine")


def _first_difference(theirs: State, position: State, engine: Game) -> str:
    """The first field in which two positions differ, '' when only the order of a set or a memory of the past does."""
    one = engine.position_to_json(engine.canonical(theirs))
    two = engine.position_to_json(engine.canonical(position))
    for key, value in two.items():
        if one[key] != value:
            return f"{key!r} is {_short(one[key])} in the file, {_short(value)} by the engine"
    return ""


def _exactly(value: Json) -> str:
    """A value as text, so that neither 1.0 nor true is 1."""
    return json.dumps(value, sort_keys=True)


def _short(value: Json) -> str:
    text = _exactly(value)
    return text if len(text) < 120 else text[:117] + "…"


def record(engine: Game, start: State, moves: Sequence[Any]) -> dict[str, Json]:
    """The record of a game from `start`."""
    return {"game": engine.ID, "start": engine.position_to_json(start), "moves": list(map(str, moves))}
