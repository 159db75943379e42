"""Records on disk: `kit replay`."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from kit import catalogue
from kit.faults import USAGE, Fault
from kit.games import record
from kit.games.core import BadPosition


def replay(path: Path) -> tuple[int, int]:
    """Play every record of a file again, plain or gzip: how many records and positions agreed. Raises Fault."""
    if not path.exists():
        raise Fault(f"there is no file {str(path)!r}", "Check the name", code=USAGE)
    if not path.is_file():
        raise Fault("not a file", "Name a file of records, one JSON object a line", path=path)
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
