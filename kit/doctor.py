"""What this machine has and lacks for printing: looked at, not guessed.

`kit doctor` tells it to people; `python -m kit.doctor libraries tools` names what is absent, one thing a line, for
bootstrap.sh, which asks before anything is installed: so nothing but the standard library is imported at the top.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

PYTHON = (3, 11)
PANGO = (1, 44)
FREE_BYTES = 200_000_000  # the widest build of all sheets, with its temporary files, and some air
RENDER_SECONDS = 120
SET_UP = "Run make kits in kit's folder: it sets up what is missing"

FONTS = Path(__file__).parent / "paper" / "fonts"
LOCK = Path(__file__).parent.parent / "requirements.lock"

# The names under which WeasyPrint looks for each library (weasyprint/text/ffi.py), in its order.
LIBRARIES = {
    "gobject": (
        "libgobject-2.0-0", "gobject-2.0-0", "gobject-2.0",
        "libgobject-2.0.so.0", "libgobject-2.0.0.dylib", "libgobject-2.0-0.dll",
    ),
    "pango": (
        "libpango-1.0-0", "pango-1.0-0", "pango-1.0",
        "libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll",
    ),
    "harfbuzz": (
        "libharfbuzz-0", "harfbuzz", "harfbuzz-0.0",
        "libharfbuzz.so.0", "libharfbuzz.0.dylib", "libharfbuzz-0.dll",
    ),
    # WeasyPrint only warns when this one is missing; then it takes twice the time and makes other bytes.
    "harfbuzz-subset": (
        "libharfbuzz-subset-0", "harfbuzz-subset", "harfbuzz-subset-0.0",
        "libharfbuzz-subset.so.0", "libharfbuzz-subset.0.dylib", "libharfbuzz-subset-0.dll",
    ),
    "fontconfig": (
        "libfontconfig-1", "fontconfig-1", "fontconfig",
        "libfontconfig.so.1", "libfontconfig.1.dylib", "libfontconfig-1.dll",
    ),
    "pangoft2": (
        "libpangoft2-1.0-0", "pangoft2-1.0-0", "pangoft2-1.0",
        "libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib", "libpangoft2-1.0-0.dll",
    ),
}  # fmt: skip

# What only the tests use: any of the programs will do.
TOOLS = {
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "poppler": ("pdftotext",),
    "qpdf": ("qpdf",),
    "gettext": ("msgfmt",),
    "hunspell": ("hunspell",),
}
DICTIONARIES = {"hunspell-sv": "sv_SE", "hunspell-en": "en_GB"}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: what was found, whether that is good, and else the cure.

    `needed` is False for what only the tests use: kit prints without it.
    """

    name: str
    ok: bool
    found: str
    cure: str = ""
    needed: bool = True


def examine(output: Path = Path("output")) -> list[Finding]:
    """Everything that printing into `output` stands on, in the order in which a fault would be met."""
    return [
        _python(),
        *map(_library, LIBRARIES),
        _fonts(FONTS),
        _versions(LOCK),
        _render(),
        _output(output),
        *map(_tool, (*TOOLS, *DICTIONARIES)),
    ]


def healthy(findings: list[Finding]) -> bool:
    """Can kit print here? (Tools that only the tests use do not count.)"""
    return all(finding.ok for finding in findings if finding.needed)


def absent_libraries() -> list[str]:
    return [name for name in LIBRARIES if _load(name) is None]


def absent_tools() -> list[str]:
    return [name for name in (*TOOLS, *DICTIONARIES) if not _tool_at(name)]


def _python() -> Finding:
    wanted = ".".join(map(str, PYTHON))
    return Finding("Python", sys.version_info >= PYTHON, platform.python_version(), f"Install Python {wanted} or newer")


def _load(name: str) -> ctypes.CDLL | None:
    """The library, as WeasyPrint would find it."""
    for candidate in LIBRARIES[name]:
        try:
            return ctypes.CDLL(candidate)
        except OSError:
            continue
    return None


def _library(name: str) -> Finding:
    library = _load(name)
    if library is None:
        return Finding(name, False, "not found", SET_UP)
    version = _version(name, library)
    if name == "pango" and tuple(map(int, version.split(".")[:2])) < PANGO:
        return Finding(name, False, version, f"Install Pango {'.'.join(map(str, PANGO))} or newer")
    return Finding(name, True, version or "found")


def _version(name: str, library: ctypes.CDLL) -> str:
    """The version that a library tells of itself; empty when it tells none."""
    tell = {"pango": "pango_version_string", "harfbuzz": "hb_version_string"}.get(name)
    if tell is None:
        return ""
    function = getattr(library, tell)
    function.restype = ctypes.c_char_p
    return str(function().decode())


def _fonts(folder: Path) -> Finding:
    """Are the bundled fonts byte for byte those that the sheets were measured with?"""
    cure = f"Bring {folder.name}/ back as it was released (git checkout, or install kit again)"
    try:
        lines = (folder / "SHA256SUMS").read_text("utf-8").splitlines()
    except OSError:
        return Finding("fonts", False, "no SHA256SUMS", cure)
    sums = {name.strip(" *"): wanted for wanted, _, name in (line.partition(" ") for line in lines)}
    changed = [name for name, wanted in sums.items() if _sha256(folder / name) != wanted]
    strange = sorted({font.name for font in folder.iterdir() if font.suffix in {".ttf", ".otf"}} - set(sums))
    if changed or strange or not sums:
        said = [f"{name}: changed or missing" for name in changed] + [f"{name}: not listed" for name in strange]
        return Finding("fonts", False, "; ".join(said) or "none listed", cure)
    return Finding("fonts", True, f"{len(sums)} files as released")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _versions(lock: Path) -> Finding:
    """Are the libraries those that were locked? (Others may set other lines and break pages elsewhere.)"""
    if not lock.is_file():
        return Finding("libraries", True, "not compared: this kit was installed without its requirements.lock")
    other = []
    for name, wanted, conditional in locked(lock.read_text("utf-8")):
        found = _installed(name)
        if found != wanted and not (conditional and found is None):
            other.append(f"{name} {found or 'missing'} (locked: {wanted})")
    return Finding("libraries", not other, "; ".join(other) or "as locked", SET_UP)


def locked(text: str) -> Iterator[tuple[str, str, bool]]:
    """Name, version and "only on some systems" of each requirement in the text of a lock file."""
    for name, version, marker in re.findall(r"^([\w.-]+)==([^\s;\\]+)( *;)?", text, re.MULTILINE):
        yield name, version, bool(marker)


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


# Runs apart: a library that is broken may take its whole process down, and this one has more to say.
_PAGE = """
import pathlib, sys, weasyprint
from weasyprint.text.fonts import FontConfiguration
fonts = FontConfiguration()
font = pathlib.Path(sys.argv[1]).as_uri()
css = "@font-face {font-family: Doctor; src: url(%s)} @page {size: A5} body {font-family: Doctor}" % font
style = weasyprint.CSS(string=css, font_config=fonts)
page = weasyprint.HTML(string="<p>kit 6 9 å ä ö</p>").render(stylesheets=[style], font_config=fonts)
pdf = page.write_pdf()
sys.exit(0 if len(page.pages) == 1 and pdf.startswith(b"%PDF") else "no page came out")
"""


def _render() -> Finding:
    """Does one page come out, set in a bundled font?"""
    font = next(iter(sorted(FONTS.glob("*.ttf"))), None)
    if font is None:
        return Finding("page", False, "no font to set it in", SET_UP)
    try:
        ran = subprocess.run(
            [sys.executable, "-c", _PAGE, str(font)], capture_output=True, timeout=RENDER_SECONDS, check=False,
            encoding="utf-8", errors="replace", env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Finding("page", False, f"not set within {RENDER_SECONDS} s", "Try again when the machine is less busy")
    if ran.returncode:
        said = ran.stderr.strip().splitlines() or [f"ended with {ran.returncode}"]
        return Finding("page", False, said[-1], SET_UP)
    return Finding("page", True, "one page set")


def _output(folder: Path) -> Finding:
    """Can files be written where the sheets will lie, and is there room for them?"""
    there = folder.absolute()
    while not there.exists():
        there = there.parent
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"kit")
        free = shutil.disk_usage(there).free
    except OSError as error:
        cure = f"Give yourself the right to write in {there}, or name another folder with --out"
        return Finding("output", False, f"{there}: {error.strerror}", cure)
    return Finding("output", free >= FREE_BYTES, f"{there}: {free // 1_000_000} MB free", "Make room on this disk")


def _tool(name: str) -> Finding:
    at = _tool_at(name)
    return Finding(name, bool(at), at or "not found", "Run make test: it sets up what the tests use", needed=False)


def _tool_at(name: str) -> str:
    """Where a tool or dictionary of the tests is; empty when it is not there."""
    if name in DICTIONARIES:
        return next((path for path in _dictionaries() if Path(path).name == DICTIONARIES[name]), "")
    return next(filter(None, map(shutil.which, TOOLS[name])), "")


def _dictionaries() -> list[str]:
    if not shutil.which("hunspell"):
        return []
    told = subprocess.run(["hunspell", "-D"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return (told.stdout + told.stderr).decode("utf-8", "replace").split()


if __name__ == "__main__":
    for kind in sys.argv[1:]:
        for name in {"libraries": absent_libraries, "tools": absent_tools}[kind]():
            print(name)
