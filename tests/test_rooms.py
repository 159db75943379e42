"""The walls: which room may import which, and which single file of a room may import each heavy library."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

import pytest

KIT = Path(__file__).resolve().parent.parent / "kit"
# How faults are told and files are read: every room but the two of the engines may.
SHARED = {"kit", "kit.faults", "kit.files"}

ROOMS: dict[str, set[str]] = {
    "games": {"kit.games"},
    "practice": {"kit.practice", "kit.games", "kit.reference"} | SHARED,
    "language": {"kit.language"} | SHARED,
    "paper": {"kit.paper"} | SHARED,
    "reference": {"kit.reference"},
    "publish": {"kit.publish", "kit.games", "kit.practice", "kit.language", "kit.paper", "kit.catalogue"} | SHARED,
}
LIBRARIES: dict[str, set[str]] = {
    "games": set(),
    "practice": {"distributed"},  # the extra [cluster]
    "language": {"markdown", "babel", "polib", "pydantic"},
    "paper": {"reportlab", "weasyprint", "pikepdf", "pypdfium2", "pdfplumber", "fontTools", "PIL"},
    "reference": set(),
    "publish": {"jinja2", "markupsafe", "pydantic", "segno"},
}
ONE_FILE = {"weasyprint", "reportlab", "markdown", "jinja2", "segno", "polib", "babel", "distributed"}


def imports(path: Path) -> set[str]:
    """Every module that a file names in an import, wherever in the file, those for type checkers too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner if node.module == "kit" else {str(node.module)}
    return found


def files(room: str) -> list[Path]:
    return sorted((KIT / room).rglob("*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    assert files(room), "the room is not empty"
    for path in files(room):
        for name in imports(path):
            top = name.partition(".")[0]
            if top == "kit":
                allowed = ROOMS[room]
                within = (name.startswith(f"{room}.") for room in allowed - SHARED)
                assert name in allowed or any(within), f"{path}: {name}"
            elif top not in sys.stdlib_module_names:
                assert top in LIBRARIES[room], f"{path}: {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_heavy_library_has_one_importer_a_room(room: str) -> None:
    importers = defaultdict(set)
    for path in files(room):
        for name in imports(path):
            importers[name.partition(".")[0]].add(path.name)
    for library in ONE_FILE & set(importers):
        assert len(importers[library]) == 1, f"{library} is imported by {sorted(importers[library])}"


def test_practice_knows_its_second_proof_in_one_file() -> None:
    """A generator that could ask the reference would not be proven by it."""
    importers = {path.name for path in files("practice") if any("kit.reference" in name for name in imports(path))}
    assert importers == {"proof.py"}


def test_an_illegal_import_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "x.py"
    source.write_text("def f():\n    from kit import paper\n    import weasyprint.text\n")
    assert imports(source) == {"kit.paper", "weasyprint.text"}


def test_every_folder_of_kit_is_a_room_with_walls() -> None:
    folders = {path.name for path in KIT.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(ROOMS)
