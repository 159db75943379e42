"""`kit new`: a kit without an engine, complete and ready to build, for its author to write over."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from kit import catalogue
from kit.faults import USAGE, Fault
from kit.files import SAFE_NAME, present, read_bytes, read_text, shown
from kit.language.locale import CODE, SOURCE
from kit.publish.kits import RESERVED

FILES = ("game.toml", "rules.md", "words.toml")  # of templates/new/
SHARED = ("words.toml", f"locale/{SOURCE}/language.toml")  # what a content folder of its own needs beside its kits
OF_A_LANGUAGE = ("locale/{lang}/language.toml", "locale/{lang}/LC_MESSAGES/kit.po")


def new(name: str, content: Path, templates: Path, shared: Path) -> list[str]:
    """Begin the kit `name` in the folder `content`, which is made if it is not there; says what was written.

    `shared` is the content that came with kit: a folder of one's own gets its words and English from there, so that
    nothing outside it is read when it is built. Raises Fault for a name that cannot be, and for one that is taken.
    """
    if not SAFE_NAME.fullmatch(name) or len(name) > 40 or name in RESERVED:
        raise Fault(f"{name[:60]!r} is not a game's name", "Use other letters: a-z, 0-9 and -", code=USAGE)
    if name in catalogue.GAMES:
        raise Fault(f"{name} is the name of an engine", "Choose another name", code=USAGE)
    if os.path.lexists(content) and not content.is_dir():
        raise Fault("this is not a folder", "Name another with --in", path=content, code=USAGE)
    if os.path.lexists(content / name):
        raise Fault("there is something of that name", "Choose another", path=shown(content, name), code=USAGE)
    letters = "".join(letter for letter in name if letter.isalpha()) or "rule"
    texts = {"@TITLE@": name.replace("-", " ").capitalize(), "@PREFIX@": letters[:2].upper()}
    content.mkdir(parents=True, exist_ok=True)
    said = _copied(shared, content, SHARED)
    fresh = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=content))
    try:
        for file in FILES:
            text = read_text(templates, f"new/{file}")
            for mark, value in texts.items():
                text = text.replace(mark, value)
            (fresh / file).write_text(text, "utf-8", newline="\n")
        fresh.chmod(0o755)
        fresh.rename(content / name)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return said + [f"{shown(content, f'{name}/{file}')}: written" for file in FILES]


def bring_language(content: Path, shared: Path, lang: str) -> list[str]:
    """Give a folder of one's own what kit itself has of a language: how it is written, and the words that all kits
    share. A language that kit has not begins empty. Says what was written."""
    known = CODE.fullmatch(lang) and present(shared, f"locale/{lang}/language.toml")
    return _copied(shared, content, [name.format(lang=lang) for name in OF_A_LANGUAGE]) if known else []


def _copied(source: Path, target: Path, names: tuple[str, ...] | list[str]) -> list[str]:
    """Copy the files that the target has not."""
    said: list[str] = []
    if source.resolve() == target.resolve():
        return said
    for name in names:
        if not present(target, name) and present(source, name):
            data = read_bytes(source, name)
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(data)
            said.append(f"{shown(target, name)}: written")
    return said
