"""Python-Markdown, made to remember lines and to leave braces alone.

The only importer of `markdown`. Python-Markdown forgets lines and reads braces as it likes. So before it sees the text,
the first word of every line gets a *line mark* (one private character that says the line's number), and every slot
becomes one private character; `kit.files` refuses such characters in files, so they are ours alone. They travel
through the parser as letters do.
"""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as etree
from collections.abc import Sequence
from typing import Any, NamedTuple

from kit.faults import Fault
from kit.language.message import SLOT

Element = etree.Element

COLUMNS = 20  # of a table
SECONDS = 10.0  # for one document
STUMBLES = (IndexError, TypeError, KeyError, AttributeError, ValueError)  # what fuzzing has drawn from such parsers

LINE_BASE, SLOT_BASE = 0xF0000, 0x100000  # the two private planes
LINE_MARK, SLOT_MARK = re.compile("[\U000f0000-\U000ffffd]"), re.compile("[\U00100000-\U0010fffd]")
LIST = r"(?:[-*+]|\d{1,9}\.)"
_PREFIX = re.compile(rf"\s*(?:{LIST}[ ]+|\#{{1,6}}[ ]*|:[ ]{{1,3}}|\|[ ]*|!!![ ]?[\w -]*[\w][ ]+\"|\{{:)*")


class Slot(NamedTuple):
    """A place that the engine or the build fills. `{deck_size}` is of kind `fact`; `block`: it stands alone."""

    kind: str
    argument: str
    line: int
    block: bool = False

    def __str__(self) -> str:
        return f"{{{self.argument}}}" if self.kind == "fact" else f"{{{self.kind}:{self.argument}}}"


def protect(line: str, number: int, slots: list[Slot]) -> str:
    """A line with its mark before the first word, and its slots as one character each."""

    def keep(found: re.Match[str]) -> str:
        kind, argument = (found[1], found[2]) if found[2] else ("fact", found[1])
        slots.append(Slot(kind, argument, number))
        return chr(SLOT_BASE + len(slots) - 1)

    line = SLOT.sub(keep, line)
    if not line.strip() or re.fullmatch(r"[\s|:-]+", line):
        return line  # nothing to mark in an empty line or between a table's head and body
    if re.fullmatch(r' *!!! ?[\w-]+ +"" *', line):
        return line  # a note without a title
    if found := re.fullmatch(r"( *!!! ?)([\w-]+) *", line):
        line = f'{found[1]}{found[2]} "{found[2].capitalize()}"'  # the parser's own title, but where translators see it
    start = _PREFIX.match(line)
    at = start.end() if start else 0
    return f"{line[:at]}{chr(LINE_BASE + number)}{line[at:]}"


def first_line(text: str, otherwise: int) -> int:
    found = LINE_MARK.search(text)
    return ord(found[0]) - LINE_BASE if found else otherwise


def last_line(text: str, otherwise: int) -> int:
    found = LINE_MARK.findall(text)
    return ord(found[-1]) - LINE_BASE if found else otherwise


# The parser -----------------------------------------------------------------------------------------------------

_made: list[Any] = []


def parser() -> Any:
    """Python-Markdown with our dialect: no HTML, no references, no automatic links; even tables; a clock. Made once."""
    if not _made:
        _made.append(_make())
    return _made[0].reset()


def _make() -> Any:
    from markdown import Markdown
    from markdown.blockprocessors import BlockProcessor
    from markdown.extensions import tables

    table_processor: Any = tables.TableProcessor  # its stubs leave out the methods that we extend

    class Clock(BlockProcessor):
        """Asked before every block, and never takes one: it only ends what takes too long."""

        end, where = 0.0, ""

        def test(self, parent: Element, block: str) -> bool:
            if time.monotonic() > self.end:
                raise Fault(f"reading takes more than {SECONDS:.0f} seconds", "Make the text simpler", path=self.where)
            return False

    class EvenTable(table_processor):  # type: ignore[misc]
        """Python-Markdown drops the cells that a row has too many; here they are counted."""

        def __init__(self, parser: Any) -> None:
            super().__init__(parser, {"use_align_attribute": True})
            self.faults: list[tuple[int, int, int]] = []

        def _build_row(self, row: str, parent: Element, align: Sequence[str | None]) -> None:
            cells = len(self._split_row(row))
            if cells != len(align) or cells > COLUMNS:
                self.faults.append((first_line(row, 1), cells, len(align)))
            super()._build_row(row, parent, align[: COLUMNS + 1])

    made = Markdown(extensions=["tables", "admonition", "def_list", "sane_lists"])
    for pattern in (
        "reference",
        "image_reference",
        "short_reference",
        "short_image_ref",
        "autolink",
        "automail",
        "html",
        "entity",
    ):
        made.inlinePatterns.deregister(pattern)
    made.parser.blockprocessors.deregister("reference")
    made.parser.blockprocessors.register(Clock(made.parser), "clock", 1000)
    made.parser.blockprocessors.register(EvenTable(made.parser), "table", 75)
    return made
