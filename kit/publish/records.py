"""Records on disk: `kit replay` and `kit play`."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kit import catalogue
from kit.faults import SURROUNDINGS, USAGE, Fault, nearest
from kit.games import playing, record
from kit.games.core import BadPosition, Game


def replay(path: Path) -> tuple[int, int]:
    """Play every record of a file again, plain or gzip: how many records and positions agreed. Raises Fault."""
    if not path.exists():
        raise Fault(f"there is no file {str(path)!r}", "Check the name", code=USAGE)
    if not path.is_file():
        raise Fault("not a file", "Name a file of records, one JSON object a line", path=path, code=USAGE)
    count = positions = 0
    try:
        with open(path, "rb") as plain:
            packed = plain.peek(2)[:2] == b"\x1f\x8b"
            stream: record.Stream = gzip.GzipFile(fileobj=plain) if packed else plain
            for number, line in record.lines(stream):
                try:
                    positions += len(record.replay(record.parse(line), catalogue.game).positions)
                except BadPosition as error:
                    raise Fault(str(error), "Correct the record, or what wrote it", path=path, line=number) from None
                count += 1
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise Fault("the gzip file is cut off or damaged", "Get it again", path=path) from None
    if not count:
        raise Fault("there is no record in it", "Name a file of records, one JSON object a line", path=path)
    return count, positions


def play(name: str, players: int | None, options: Iterable[str], seed: str, check: bool = False) -> str:
    """One line: the record of a random game, with `check` the conformance trace of it.

    `players` None is as few as the game takes; options are `NAME` or `NAME=VALUE`. Raises Fault.
    """
    if name not in catalogue.GAMES:
        raise Fault(f"unknown game {name[:60]!r}", nearest(name, catalogue.GAMES), code=USAGE)
    engine = catalogue.game(name)
    try:
        played = playing.play(engine, seed, players or engine.PLAYERS[0], agreed(engine, options))
    except BadPosition as error:
        raise Fault(f"{name} cannot be dealt so: {error}", "Ask for another table", code=USAGE) from None
    except UnicodeEncodeError:
        raise Fault("the seed is not UTF-8", "Use plain letters and digits", code=USAGE) from None
    return json.dumps(playing.written(engine, played, check), ensure_ascii=False) + "\n"


def agreed(engine: Game, options: Iterable[str]) -> dict[str, Any]:
    """The arguments for the game's deal. Raises Fault for a name that it does not know, or that is said twice."""
    known, values = playing.options(engine), {}
    for option in options:
        said, _, value = option.partition("=")
        name = said.strip().replace("-", "_")
        if name not in known:
            cure = nearest(name, known) if known else f"{engine.ID} has no options"
            raise Fault(f"unknown option {said[:60]!r}", cure, code=USAGE)
        if name in values:
            raise Fault(f"the option {name} is given twice", "Give it once", code=USAGE)
        try:
            values[name] = playing.option(engine, name, value.strip())
        except BadPosition as error:
            raise Fault(str(error), f"Write {usage(name, known[name])}", code=USAGE) from None
    return values


def usage(name: str, usual: Any) -> str:
    """How an option is written, by what it is where nothing is said."""
    if isinstance(usual, bool):
        return name
    return f"{name}={'N' if isinstance(usual, int) else 'N,N' if isinstance(usual, tuple) else 'WORD'}"


def write(path: Path, text: str) -> None:
    """Put a file in place whole, or leave what was there. Raises Fault."""
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=".", delete=False) as new:
            try:
                new.write(text)
                new.flush()
                os.fsync(new.fileno())
                os.chmod(new.name, 0o644)
                os.replace(new.name, path)
            except BaseException:
                os.unlink(new.name)
                raise
    except OSError as error:
        said = (error.strerror or "it cannot be written").lower()
        raise Fault(f"cannot be written: {said}", "Choose another place", path=path, code=SURROUNDINGS) from None
