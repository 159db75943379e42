"""A message: the unit that translators work on, and what can be counted in it and must agree with its source."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

SLOT = re.compile(r"(?<!\\)\{([a-z_][a-z0-9_]*)(?::([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*))?\}")
"""`{deck_size}`, `{rule:RO-9}`, `{example:walkthrough}`; a literal brace is written `\\{`."""

_COUNTED = re.compile(r"\d+|[♠♥♦♣♤♡♢♧]")


class Message(NamedTuple):
    """A text of the English source.

    `context` is the key of a word, None in rules; `file` and `line` say where it stands, `file` below content/;
    `note` tells translators what it is; `markup` says that it is Markdown, otherwise it is plain text.
    """

    text: str
    context: str | None
    file: str
    line: int
    note: str
    plural: str | None = None
    markup: bool = False

    @property
    def key(self) -> tuple[str | None, str]:
        """What a PO file looks it up by."""
        return self.context, self.text


def slots(text: str) -> Counter[str]:
    """The slots of a text, as often as they stand in it."""
    return Counter(found[0] for found in SLOT.finditer(text))


def numbers(text: str) -> Counter[str]:
    """The numbers and suits that are typed in a text, outside its slots and link addresses."""
    plain = re.sub(r"\]\([^)]*\)", "]", SLOT.sub(" ", text))
    return Counter(str(int(found)) if found.isdigit() else found for found in _COUNTED.findall(plain))


def loose_brace(text: str) -> int | None:
    """Where a brace stands that is neither part of a slot nor escaped (`\\{name}`, `\\{name\\}`); None: nowhere."""
    rest = re.sub(r"\\\{[^{}\\]*\}", lambda found: " " * len(found[0]), text)
    rest = SLOT.sub(lambda found: " " * len(found[0]), rest)
    found = re.search(r"(?<!\\)[{}]", rest)
    return found.start() if found else None


def listed(counts: Counter[str]) -> str:
    """A multiset for a message to people."""
    return ", ".join(sorted(counts.elements())) or "none"
