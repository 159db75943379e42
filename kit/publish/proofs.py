"""`kit proof FILE`: a finished PDF measured again, against what the manifest above it says of it, if any."""

from __future__ import annotations

from pathlib import Path

from kit.faults import USAGE, Fault
from kit.paper import proof
from kit.paper.expect import Expect
from kit.publish import output


def table(path: Path) -> tuple[bool, str]:
    """Whether the file passed, and what was measured, as a table. Raises Fault for what is no PDF."""
    if not path.exists():
        raise Fault(f"there is no file {str(path)!r}", "Check the name", code=USAGE)
    if not path.is_file():
        raise Fault("not a file", "Name a PDF file", path=path, code=USAGE)
    report = proof.measure(path.read_bytes(), _expected(path.resolve()), name=path)
    return report.passed, f"{path}\n{report.table()}"


def _expected(path: Path) -> Expect | None:
    """What the nearest manifest above promises of this file, None when it names another file or none."""
    for folder in path.parents:
        if (folder / output.MANIFEST).is_file():
            entry = output.manifest(folder)["files"].get(path.relative_to(folder).as_posix(), {})
            try:
                return Expect.from_json(entry["expect"]) if "expect" in entry else None
            except (TypeError, ValueError, KeyError, AttributeError):
                raise Fault(
                    "what it expects of its files is not of its form", "Build them again", path=folder / output.MANIFEST
                ) from None
    return None
