"""Reading a PO file without losing anything: every line must be one that the format knows.

polib and Babel each drop or glue messages on an unclosed quote, a merge marker or a doubled message without a word;
so this reader is our own, small and strict, and knows the line of everything. Writing is polib's (`translate`).
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kit.faults import Fault, Faults
from kit.files import read_text, shown

LIMIT = 4 << 20  # bytes
PLURALS = 6  # forms; Arabic has them
COUNTS = range(0, 1001)  # the numbers that plural rules are tried with


class Entry(NamedTuple):
    """A message of a PO file. `line` is that of its msgid, `at` that of its first msgstr."""

    context: str | None
    id: str
    plural: str | None
    forms: tuple[str, ...]
    line: int
    at: int
    fuzzy: bool
    obsolete: bool

    @property
    def key(self) -> tuple[str | None, str]:
        return self.context, self.id


class Plural(NamedTuple):
    """How many forms a language has, and which one a count takes, by a rule in gettext's notation."""

    forms: int
    rule: str

    def __call__(self, n: int) -> int:
        """The form of a count, from 0."""
        return _compiled(self.rule)(n)


@lru_cache(maxsize=64)
def _compiled(rule: str) -> Callable[[int], int]:
    return gettext.c2py(rule)


ENGLISH = Plural(2, "n != 1")


class Po(NamedTuple):
    """A PO file: its name for messages, its entries by key (obsolete ones apart), and its rule for plurals."""

    where: str
    entries: dict[tuple[str | None, str], Entry]
    obsolete: tuple[Entry, ...]
    plural: Plural


_KEYWORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d{1,2})\])?[ \t]+(".*)')
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\nt])*)"[ \t]*')
_ESCAPED = {'\\"': '"', "\\\\": "\\", "\\n": "\n", "\\t": "\t"}
_ORDER = {"msgctxt": 0, "msgid": 1, "msgid_plural": 2, "msgstr": 3}


@dataclass
class _Open:
    """An entry that is being read: its strings by keyword, and their lines."""

    texts: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    fuzzy: bool = False
    obsolete: bool = False
    broken: bool = False  # a line of it was refused already
    last: str = ""

    def entry(self) -> Entry:
        forms = tuple(text for name, text in self.texts.items() if name.startswith("msgstr"))
        at = next(line for name, line in self.lines.items() if name.startswith("msgstr"))
        texts = self.texts
        line = self.lines["msgid"]
        return Entry(
            texts.get("msgctxt"), texts["msgid"], texts.get("msgid_plural"), forms, line, at, self.fuzzy, self.obsolete
        )


def read(content: Path, name: str, language: str) -> Po:
    """Read a PO file of that language (content/`name`). Raises Faults, each with its line."""
    where = shown(content, name)
    found, faults = _entries(read_text(content, name, LIMIT), where)
    if faults:
        raise Faults(faults[:50])
    if not found or found[0].id or found[0].context is not None:
        raise Fault(
            "the header is missing",
            'Begin with msgid "" and its fields; kit translate update writes it',
            path=where,
            line=1,
        )
    plural = _header(found[0], language, where)
    entries: dict[tuple[str | None, str], Entry] = {}
    for entry in found[1:]:
        if entry.obsolete:
            continue
        if entry.key in entries:
            first = entries[entry.key].line
            faults.append(
                _at(where, entry.line, f"this message stands here and in line {first}", "Keep one of the two")
            )
        entries.setdefault(entry.key, entry)
        if entry.plural is not None and len(entry.forms) != plural.forms:
            what = f"{len(entry.forms)} plural forms where {language} has {plural.forms}"
            faults.append(_at(where, entry.at, what, f"Give msgstr[0] to msgstr[{plural.forms - 1}]"))
    if faults:
        raise Faults(faults[:50])
    return Po(where, entries, tuple(entry for entry in found if entry.obsolete), plural)


def _at(where: str, line: int, what: str, cure: str) -> Fault:
    return Fault(what, cure, path=where, line=line)


def _entries(text: str, where: str) -> tuple[list[Entry], list[Fault]]:
    """Every entry, and every line that is none of the format's."""
    found: list[Entry] = []
    faults: list[Fault] = []
    now = _Open()

    def close(line: int) -> None:
        nonlocal now
        if now.texts and not now.broken:
            if "msgid" not in now.texts or not now.last.startswith("msgstr"):
                faults.append(_at(where, line, "this message has no msgid or no msgstr", "Complete it"))
            elif ("msgid_plural" in now.texts) == ("msgstr" in now.texts) or not _in_order(now.texts):
                faults.append(
                    _at(
                        where,
                        now.lines["msgid"],
                        "msgstr and msgid_plural do not fit together",
                        "Number the forms from msgstr[0]",
                    )
                )
            else:
                found.append(now.entry())
        now = _Open()

    lines = text.split("\n")
    for number, raw in enumerate(lines, 1):
        line = raw.strip(" \t")
        obsolete = line.startswith("#~")
        if obsolete:
            line = line[2:].lstrip(" \t")
            if line.startswith("|"):
                continue
        if not line:
            close(number - 1)
            continue
        if line.startswith("#"):
            if now.texts:
                close(number - 1)
            if line.startswith("#,"):
                now.fuzzy |= "fuzzy" in re.split(r"[,\s]+", line[2:])
            continue
        if re.match(r"<{7}|={7}|>{7}|\|{7}", line):
            faults.append(_at(where, number, "a merge left its marks here", "Keep one side and take the marks out"))
            now.broken = True
            continue
        keyword = _KEYWORD.fullmatch(line)
        quoted = _QUOTED.fullmatch(keyword[3] if keyword else line)
        if not quoted or (not keyword and not now.last):
            faults.append(_at(where, number, f"this line is not PO: {line[:40]}", "Close its quotes, or correct it"))
            now.broken = True
            continue
        piece = re.sub(r"\\.", lambda escape: _ESCAPED[escape[0]], quoted[1])
        if keyword and now.last and _ORDER[keyword[1]] < _ORDER[now.last.partition("[")[0]]:
            close(number - 1)  # a message may begin without an empty line before it
        if now.texts and now.obsolete != obsolete:
            faults.append(_at(where, number, "half of this message is marked obsolete", "Mark all of it, or none"))
            now.broken = True
        if not keyword:
            now.texts[now.last] += piece
            continue
        name = keyword[1] if keyword[2] is None else f"{keyword[1]}[{int(keyword[2])}]"
        if name in now.texts:
            faults.append(_at(where, number, f"{name} stands twice", "Keep one of the two"))
        now.texts[name], now.lines[name], now.last, now.obsolete = piece, number, name, obsolete
    close(len(lines))
    return found, faults


def _in_order(names: dict[str, str]) -> bool:
    forms = [name for name in names if name.startswith("msgstr[")]
    return forms == [f"msgstr[{i}]" for i in range(len(forms))]


def _header(header: Entry, language: str, where: str) -> Plural:
    """Check the header's fields; the rule for plurals that it gives."""
    fields = dict(line.partition(":")[::2] for line in header.forms[0].split("\n") if ":" in line)
    if header.fuzzy:
        raise _at(where, header.line, "the header is marked fuzzy", "Take the mark off")
    kind = fields.get("Content-Type", "").lower().replace(" ", "")
    if "charset=utf-8" not in kind:
        raise _at(
            where,
            header.at,
            "the header's Content-Type is not text/plain; charset=UTF-8",
            "Save the file as UTF-8 and say so",
        )
    said = fields.get("Language", "").strip()
    if said.replace("_", "-") != language:
        raise _at(
            where, header.at, f"the header says Language: {said[:40] or 'nothing'}", f"Write Language: {language}"
        )
    return plural_rule(fields.get("Plural-Forms", "").strip(), where, header.at)


def plural_rule(text: str, where: str, line: int) -> Plural:
    """`nplurals=2; plural=(n != 1);` as a rule. Raises Fault for one that does not hold for a count.

    gettext's own reader knows only n, numbers and C's operators, and caps length and nesting; we try every result.
    """
    found = re.fullmatch(r"nplurals\s*=\s*(\d{1,2})\s*;\s*plural\s*=\s*([^;]+);?\s*", text)
    cure = "Copy the line for your language from gettext's manual, for example nplurals=2; plural=(n != 1);"
    if not found or not 1 <= int(found[1]) <= PLURALS or re.search(r"\d{8}", text):
        raise _at(where, line, "the header's Plural-Forms is missing or not of its form", cure)
    try:
        plural = Plural(int(found[1]), found[2].strip())
        if any(not 0 <= plural(n) < plural.forms for n in COUNTS):
            raise _at(where, line, f"the header's plural rule names a form that nplurals={found[1]} has not", cure)
    except (ValueError, ArithmeticError, RecursionError, MemoryError, SyntaxError):
        raise _at(where, line, "the header's plural rule cannot be worked out", cure) from None
    return plural
