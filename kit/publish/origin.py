"""Where the words stand that do not fit: the page knows only the text, and a person mends it in its file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path

from kit.faults import Fault
from kit.language.locale import Locale
from kit.publish import glyphs, kits

ROOM = re.compile(r"mm wide and has|too long for its place|runs off|overflows its box|is clipped|over each other")
_QUOTED = re.compile(r"“([^”]+)”|(?<!\w)'([^']+)'|\"([^\"]+)\"")
_SLOT_OR_MARK = re.compile(r"\{[^{}]*\}|[*\\]")


def told(faults: Iterable[Fault], locale: Locale) -> list[Fault]:
    """The faults; one of words that have no room at the line of those words, which then names the sheet."""
    return [_at_home(fault, locale) if ROOM.search(fault.what) else fault for fault in faults]


def told_of_sheets(faults: Iterable[Fault], content: Path, draft: bool) -> list[Fault]:
    """The same for faults that name a PDF file: its folders say language and game."""
    loaded: dict[tuple[str, str | None], Locale] = {}
    found = []
    for fault in faults:
        folders = str(fault.path).split("/")
        if ROOM.search(fault.what) and len(folders) > 3:
            lang, game = folders[0], folders[-2]
            key = lang, game if game in kits.names(content) else None  # shared cards belong to no game
            if key not in loaded:
                loaded[key] = Locale.load(content, *key, draft=draft)
            fault = _at_home(fault, loaded[key])
        found.append(fault)
    return found


def _at_home(fault: Fault, locale: Locale) -> Fault:
    quoted = _QUOTED.search(fault.what)
    home = place(locale, next(filter(None, quoted.groups()))) if quoted else None
    if home is None:
        return fault
    sheet = "" if fault.path is None else f" ({fault.path})" if fault.line is None else f" ({fault.path}:{fault.line})"
    return Fault(fault.what + sheet, fault.cure, path=home[0], line=home[1], code=fault.code)


def place(locale: Locale, text: str) -> tuple[str, int] | None:
    """File and line of the message that a printed text, or a piece of it, came from; None when none is like it."""
    text = text.rstrip("…")
    best, home = max(3, len(text) // 2) - 1, None
    for key, forms in sorted(locale.texts.items(), key=lambda item: len("".join(item[1] or ()))):
        for form in forms or ():
            for piece in _SLOT_OR_MARK.split(form):
                shared = SequenceMatcher(None, text, piece, autojunk=False).find_longest_match().size
                if shared > best:
                    best, home = shared, key
    return None if home is None else glyphs.place(locale, home)
