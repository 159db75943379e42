"""A message: the unit that translators work on, and what can be counted in it and must agree with its source."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from heapq import nsmallest
from typing import NamedTuple

ALIKE = 0.6  # how like an old text a new one must be to have come from it
NEAR = 50  # texts that are compared

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
    return Counter(map(_plain_number, _COUNTED.findall(plain)))


def _plain_number(found: str) -> str:
    """A number in our digits and without leading zeros; a suit as it is."""
    digits = "".join(str(unicodedata.digit(each, each)) for each in found)
    return digits.lstrip("0") or "0"


def closest(text: str, texts: Iterable[str]) -> str | None:
    """The most alike of other texts, if any is alike. Only those of nearly its length are compared: it takes long."""
    near = nsmallest(NEAR, texts, key=lambda other: abs(len(other) - len(text)))
    found = get_close_matches(text, near, n=1, cutoff=ALIKE)
    return found[0] if found else None


def loose_brace(text: str) -> int | None:
    """Where a brace stands that is neither part of a slot nor escaped (`\\{name}`, `\\{name\\}`); None: nowhere."""
    rest = re.sub(r"\\\{[^{}\\]*\}", lambda found: " " * len(found[0]), text)
    rest = SLOT.sub(lambda found: " " * len(found[0]), rest)
    found = re.search(r"(?<!\\)[{}]", rest)
    return found.start() if found else None


def listed(counts: Counter[str]) -> str:
    """A multiset for a message to people."""
    return ", ".join(sorted(counts.elements())) or "none"
