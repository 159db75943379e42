"""The rules of a game: from the dialect of rules.md to messages for translators, and to sections of trusted HTML.

    lines ──► scan (what the dialect leaves out) ──► protect (line marks, slots) ──► blocks ──► allow-list, attribute
    lists, messages ──► translate ──► inline marks ──► allow-list ──► HTML ──► slots resolved

The parsing itself is Python-Markdown's (`parser`, `inline`); this module stands around it.
"""

from __future__ import annotations

import html
import re
import time
import xml.etree.ElementTree as etree
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kit.faults import BUG, Fault, Faults, nearest
from kit.files import folder, present, read_bytes, read_text, shown
from kit.language.inline import ANCHOR, BLOCK_LENGTH, RULE, UNKNOWN, Inline, plain, shape
from kit.language.message import SLOT, Message
from kit.language.parser import (
    COLUMNS,
    LINE_BASE,
    LINE_MARK,
    LIST,
    SECONDS,
    SLOT_BASE,
    SLOT_MARK,
    STUMBLES,
    Element,
    Slot,
    first_line,
    last_line,
    parser,
    protect,
)

if TYPE_CHECKING:
    from kit.language.locale import Locale

__all__ = ["Rules", "Section", "Slot", "messages", "plain", "rules", "shape"]

LINES, LINE_LENGTH, INDENT = 20_000, 2_000, 24  # what a rules text can need, and more
ASSET_LIMIT = 16 << 20  # bytes of a picture

BLOCKS = {
    "h2": "heading", "h3": "heading", "p": "paragraph", "li": "list item", "td": "table cell",
    "th": "table heading", "dt": "term", "dd": "definition",
    "ul": "", "ol": "", "table": "", "thead": "", "tbody": "", "tr": "", "dl": "", "div": "",
}  # fmt: skip
"""The block elements there may be; those with a name hold text, which is one message."""
CLASSES = ("keep", "wide", "small")
ADMONITIONS = ("note", "tip", "warning", "example")

_ATTRIBUTES = re.compile(r"(?:^|\s)\{:([^{}]*)\}\s*$")


class Section(NamedTuple):
    """From one heading to the next. `title`, and `html` without it, are trusted HTML; `rules` are at home here."""

    id: str
    level: int
    title: str
    html: str
    rules: tuple[str, ...]


class Rules(NamedTuple):
    """The rules of a game in one language. `homes`: rule id to section id; `images`: names below the game's assets."""

    title: str
    sections: tuple[Section, ...]
    homes: dict[str, str]
    images: tuple[str, ...] = ()
    places: Mapping[str, tuple[str, int]] = {}  # file and line where an image is first named


def messages(content: Path, game: str) -> list[Message]:
    """What translators translate of content/<game>/rules.md, in order. Raises Fault(s)."""
    name = f"{game}/rules.md"
    if not present(content, name):
        return []
    document = _parse(content, name)
    found = [
        Message(block.message, None, name, block.line, block.note, markup=True)
        for block in document.blocks
        if block.letters
    ]
    for block in document.blocks:
        document.check(Inline(block.text, block.line), document.where)
        if block.letters and not document.faults:
            try:  # in one line, as a translator meets it, a mark at a line's end may find no partner
                shape(block.message)
            except Faults as several:
                for fault in several.faults:
                    document.fault(block.line, fault.what, fault.cure)
    document.raise_faults()
    return found


def declared(content: Path, game: str) -> dict[str, int]:
    """The rule ids that rules.md itself gives, in its order, with their lines. Raises Fault(s); also for two ids that
    would bear the same § number."""
    document = _parse(content, f"{game}/rules.md")
    found = {name: line for name, (line, _) in document.ids.items() if RULE.fullmatch(name)}
    numbers: dict[str, str] = {}
    for name, line in found.items():
        number = RULE.sub(r"\1", name)
        other = numbers.setdefault(number, name)
        if other != name:
            document.fault(line, f"{name} and {other} would both be §{number}", "Renumber one of them")
    document.raise_faults()
    return found


def rules(
    content: Path, game: str, locale: Locale, known_rules: Collection[str], resolve: Callable[[Slot], str]
) -> Rules:
    """The rules in the language of `locale`, each of `known_rules` (in order) with exactly one home.

    `resolve` gives the trusted HTML of a slot, or raises Fault; its fault is told at the slot's line. A rule's home
    has the class `rule` and its number (`§9`) as `data-number`. Raises Faults, all at once.
    """
    document = _parse(content, f"{game}/rules.md")
    for block in document.blocks:
        document.write(block, locale)
    document.check_homes(known_rules)
    document.check_links()
    images = document.check_pictures(content, game)
    sections = document.sections(resolve, known_rules)
    document.raise_faults()
    homes = {rule: section.id for section in sections for rule in section.rules}
    places = {name: (str(where), line) for name, where, line in reversed(document.pictures)}
    return Rules(locale.text("game.title", game=True), sections, homes, images, places)


# Before the parser ----------------------------------------------------------------------------------------------


def _scan(lines: Sequence[str], where: str) -> Iterator[Fault]:
    """What the dialect leaves out and a line alone shows, and what would cost too much."""
    if len(lines) > LINES:
        yield Fault(f"more than {LINES:,} lines", "Split the text", path=where, line=LINES)
    for number, line in enumerate(lines[:LINES], 1):
        bare = line.strip(" ")
        indent = len(line) - len(line.lstrip(" "))
        what, cure = "", ""
        if len(line) > LINE_LENGTH:
            what, cure = f"a line of more than {LINE_LENGTH:,} characters", "Break the line"
        elif indent > INDENT:
            what, cure = f"text indented by more than {INDENT} spaces", "Nest less deeply"
        elif bare.startswith(">"):
            what, cure = "a quotation is not used here", "Write a note: !!! note"
        elif bare.startswith(("```", "~~~")):
            what, cure = "code is not used here", "Write it as text"
        elif re.fullmatch(r"(?:[-+*_=] *)+", bare) or re.fullmatch(r"\d+\.", bare):
            what, cure = "a rule, an underlined heading or an empty list item", "Use ## for headings, or write the item"
        elif re.match(rf"{LIST} +{LIST} ", bare):
            what, cure = "a list item that begins with a list item", "Write the outer item first"
        elif indent % 4 and re.match(rf"{LIST} ", bare):
            what, cure = "a list item indented by neither 0 nor 4 nor 8 spaces", "Indent a list in a list by 4 spaces"
        elif indent % 4 and number > 1 and not lines[number - 2].strip():
            what, cure = (
                "text indented by neither 0 nor 4 nor 8 spaces",
                "Indent text in a list item or a note by 4 spaces",
            )
        if what:
            yield Fault(what, cure, path=where, line=number)


# Blocks ---------------------------------------------------------------------------------------------------------


@dataclass
class _Block:
    """An element that holds text, as protected source and as message."""

    element: Element
    line: int
    text: str
    message: str
    note: str

    @property
    def letters(self) -> bool:
        """Whether there is anything to translate."""
        return any(character.isalpha() for character in SLOT.sub("", self.message))


@dataclass
class _Document:
    where: str
    root: Element
    slots: list[Slot]
    numbers: dict[int, int]
    faults: list[Fault] = field(default_factory=list)
    blocks: list[_Block] = field(default_factory=list)
    ids: dict[str, tuple[int, Element]] = field(default_factory=dict)
    links: list[tuple[str, object, int]] = field(default_factory=list)
    pictures: list[tuple[str, object, int]] = field(default_factory=list)
    _line: int = 1
    _end: float = field(default_factory=lambda: time.monotonic() + SECONDS)

    def fault(self, line: int, what: str, cure: str) -> None:
        self.faults.append(Fault(what, cure, path=self.where, line=line))

    def raise_faults(self) -> None:
        if self.faults:
            raise Faults(sorted(self.faults, key=lambda fault: (str(fault.path), fault.line or 0))[:100])

    def collect(self) -> None:
        """Walk the blocks in reading order: allow-list, attribute lists, messages."""
        for element in self.root:
            self._visit(element)
        for element in self.root.iterfind("*//*"):
            if element.tag in ("h2", "h3"):
                self.fault(self._first_line(element), "a heading inside something else", "Begin it at the margin")
        self._check_sections()

    def _visit(self, element: Element) -> None:
        line = self._first_line(element)
        if element.tag not in BLOCKS:
            self.fault(
                line, f"{UNKNOWN.get(element.tag, element.tag)} is not used here", "docs/writing.md lists what is"
            )
            return
        self._check_element(element, line)
        if BLOCKS[element.tag]:
            self._text(element)
        for child in element:
            self._visit(child)
            if (child.tail or "").strip():
                self._line = last_line(child.tail or "", self._line)
                self.fault(self._line, "text right below a list", "Put an empty line before it")

    def _first_line(self, element: Element) -> int:
        """The line where an element begins; cells and the like that carry no mark stand where the last thing stood."""
        found = LINE_MARK.search("".join(element.itertext()))
        return ord(found[0]) - LINE_BASE if found else self._line

    def _check_element(self, element: Element, line: int) -> None:
        if element.tag == "div":
            kind = element.get("class", "").removeprefix("admonition ")
            if kind not in ADMONITIONS:
                self.fault(line, f"there is no note of kind {kind[:40]!r}", nearest(kind, ADMONITIONS))
            if all(child.get("class") == "admonition-title" for child in element):
                self.fault(line, "this note is empty", "Indent its text by 4 spaces")
        if align := element.attrib.pop("align", ""):
            element.set("class", align)
        if element.tag == "ol":
            start = int(element.get("start", "1"))
            for place, item in enumerate(element):
                typed = self.numbers.get(self._first_line(item))
                if typed is not None and typed not in (start, start + place):
                    self.fault(
                        self._first_line(item),
                        f"item {typed} would be printed as {start + place}",
                        "Number items in order",
                    )

    def _text(self, element: Element) -> None:
        """Make the block of an element's own text, and take its attribute list off."""
        text = element.text or ""
        line = self._line = first_line(text, self._line)
        if found := _ATTRIBUTES.search(text):
            text = text[: found.start()]
            self._attributes(element, found[1], last_line(found[1], last_line(text, line)))
        elif element.tag in ("h2", "h3"):
            self.fault(line, "this heading has no id", "Give it one: ## Heading {: #id }")
        self._line = last_line(element.text or "", line)
        bare = LINE_MARK.sub("", text).strip()
        if not bare and not len(element) and element.tag not in ("td", "th"):
            self.fault(line, f"this {BLOCKS[element.tag]} is empty", "Write it; an id stands right below its paragraph")
        if len(bare) > BLOCK_LENGTH:
            self.fault(line, f"a {BLOCKS[element.tag]} of more than {BLOCK_LENGTH:,} characters", "Split it")
            text = ""
        self._stuck(text)
        message = re.sub(r"[ \n]+", " ", LINE_MARK.sub("", text)).strip(" ")
        message = SLOT_MARK.sub(lambda mark: str(self.slots[ord(mark[0]) - SLOT_BASE]), message)
        note = BLOCKS[element.tag]
        if element.get("class") == "admonition-title":
            note = "title of a note"
        if element.get("id"):
            note += f" {element.get('id')}"
        self.blocks.append(_Block(element, line, text.strip(" \n"), message, note))

    def _stuck(self, text: str) -> None:
        """A list, table or note right below other text is text to the parser; a hard break would get lost."""
        mark = LINE_MARK.pattern
        for pattern, what, cure in (
            (rf"\n *{LIST} +({mark})", "a list right below other text", "Put an empty line before the list"),
            (
                rf"(?:^|\n) *\| *({mark})",
                "a row that belongs to no table",
                "A table has a head, a line |---|, and an empty line before it",
            ),
            (
                r"(?:^|\n)[ " + mark[1:-1] + r"]*(!!!)",
                "a note that is none",
                'Write !!! note "Title" and indent its text by 4 spaces',
            ),
            (r"(  |\\)\n", "a forced line break is not used here", "Take the spaces at the line's end out"),
        ):
            for found in re.finditer(pattern, text):
                end = text.find("\n", found.start(1))  # the line's mark stands somewhere in the line
                self.fault(last_line(text[: end if end >= 0 else len(text)], self._line), what, cure)

    def _attributes(self, element: Element, attributes: str, line: int) -> None:
        """`{: #id .class }`: nothing else, and each id once."""
        for word in LINE_MARK.sub("", attributes).split():
            name = word[1:]
            if word[0] == "." and name in CLASSES:
                element.set("class", " ".join(filter(None, (element.get("class"), name))))
            elif word[0] == ".":
                self.fault(line, f"there is no class {name[:40]!r}", nearest(name, CLASSES))
            elif word[0] != "#" or not (ANCHOR.fullmatch(name) or RULE.fullmatch(name)) or element.get("id"):
                self.fault(line, f"{word[:60]!r} is no id", "Write one id {: #like-this } or a rule {: #RO-9 }")
            elif name in self.ids:
                self.fault(line, f"the id {name} stands here and in line {self.ids[name][0]}", "Give each id once")
            else:
                element.set("id", name)
                self.ids[name] = line, element
                if RULE.fullmatch(name) and element.tag not in ("p", "li"):
                    self.fault(
                        line, f"rule {name} is at home in a {BLOCKS[element.tag]}", "A rule is a paragraph or list item"
                    )

    def _check_sections(self) -> None:
        first = next(iter(self.root), None)
        if first is None or first.tag not in ("h2", "h3"):
            self.fault(
                1 if first is None else self._first_line(first), "the rules begin without a heading", "Begin with ##"
            )

    # Inline text

    def check(self, inline: Inline, where: object, line: int | None = None) -> None:
        """Take the faults, links and pictures of a text; `line` when all of it stands in one line of another file."""
        if time.monotonic() > self._end:
            raise Fault(f"reading takes more than {SECONDS:.0f} seconds", "Make the text simpler", path=self.where)
        for fault in inline.faults:
            self.faults.append(Fault(fault.what, fault.cure, path=where, line=line or fault.line, code=fault.code))
        self.links += [(target, where, line or at) for target, at in inline.links]
        self.pictures += [(name, where, line or at) for name, at in inline.pictures]

    def write(self, block: _Block, locale: Locale) -> None:
        """Put the text of a block into its element, in the language of `locale`."""
        text = block.text
        where: str | None = self.where
        line: int | None = None
        if block.letters:
            found = locale.translation(None, block.message)
            if found is None:
                text = f"⟦{text}⟧"
            elif found.line:
                text, where, line = self._translated(found.text, block), found.where, found.line
        inline = Inline(text, block.line)
        self.check(inline, where, line)
        for link in inline.root.iter("a"):
            for mark in SLOT_MARK.findall("".join(link.itertext())):
                slot = self.slots[ord(mark) - SLOT_BASE]
                if slot.kind == "rule":
                    self.fault(slot.line, f"{slot} is a link and stands in a link", "Take it out of the link")
        block.element.text = inline.root.text
        block.element[:0] = list(inline.root)
        if block.element.tag == "p" and not len(inline.root) and SLOT_MARK.fullmatch(inline.root.text or ""):
            index = ord((inline.root.text or "")[0]) - SLOT_BASE
            self.slots[index] = self.slots[index]._replace(block=True)
            block.element.tag = "div"  # a figure may not stand in a paragraph

    def _translated(self, text: str, block: _Block) -> str:
        """A translation with each slot as the character of its fellow in the source."""
        here: dict[str, list[str]] = {}
        for mark in SLOT_MARK.findall(block.text):
            here.setdefault(str(self.slots[ord(mark) - SLOT_BASE]), []).append(mark)

        def keep(found: re.Match[str]) -> str:
            marks = here.get(found[0])
            return marks.pop(0) if marks else found[0]

        return chr(LINE_BASE + block.line) + SLOT.sub(keep, text)

    # Laws of the whole

    def check_homes(self, known_rules: Collection[str]) -> None:
        """Each rule of the engine has exactly one home (twice is refused with the ids), and no other rule has one."""
        known = list(known_rules)
        for name, (line, element) in self.ids.items():
            if name in known:
                element.set("class", " ".join(filter(None, (element.get("class"), "rule"))))
                element.set("data-number", "§" + RULE.sub(r"\1", name))
            elif RULE.fullmatch(name):
                self.fault(line, f"there is no rule {name}", nearest(name, known))
        line = 1
        for name in known:
            line = self.ids[name][0] if name in self.ids else line
            if name not in self.ids:
                self.fault(line, f"rule {name} has no paragraph", f"Write it and give it its id: {{: #{name} }}")
        for slot in self.slots:
            if slot.kind == "rule" and slot.argument not in known:
                self.fault(slot.line, f"there is no rule {slot.argument}", nearest(slot.argument, known))

    def check_links(self) -> None:
        for target, where, line in self.links:
            if target not in self.ids:
                self.faults.append(
                    Fault(f"there is no #{target[:60]}", nearest(target, self.ids), path=where, line=line)
                )

    def check_pictures(self, content: Path, game: str) -> tuple[str, ...]:
        """Pictures are files below the game's assets, once links are resolved; what is in them is judged on paper."""
        assets = content / game / "assets"
        if self.pictures:
            folder(content, f"{game}/assets")  # refuses names that clash
        for name, where, line in self.pictures:
            try:
                read_bytes(content, f"{game}/assets/{name}", ASSET_LIMIT)
                read_bytes(assets, name, ASSET_LIMIT)
            except Fault as error:
                self.faults.append(Fault(f"picture {name}: {error.what}", error.cure, path=where, line=line))
        return tuple(dict.fromkeys(name for name, _, _ in self.pictures))

    def sections(self, resolve: Callable[[Slot], str], known: Collection[str]) -> tuple[Section, ...]:
        """The finished sections. A slot that does not resolve is a fault at its line."""

        def fill(mark: re.Match[str]) -> str:
            slot = self.slots[ord(mark[0]) - SLOT_BASE]
            try:
                return resolve(slot)
            except Faults as errors:
                found = errors.faults
            except Fault as error:
                found = [error]
            for fault in found:
                if fault.path is None:
                    fault.path, fault.line = self.where, slot.line
            self.faults.extend(found)
            return ""

        def written(element: Element) -> str:
            return SLOT_MARK.sub(fill, etree.tostring(element, encoding="unicode", method="html"))

        found: list[Section] = []
        for element in self.root:
            if element.tag in ("h2", "h3"):
                inner = html.escape(element.text or "", quote=False)
                inner += "".join(etree.tostring(child, encoding="unicode", method="html") for child in element)
                found.append(Section(element.get("id", ""), int(element.tag[1]), SLOT_MARK.sub(fill, inner), "", ()))
            elif found:
                homes = tuple(node.get("id", "") for node in element.iter() if node.get("id") in known)
                last = found[-1]
                found[-1] = last._replace(html=last.html + written(element) + "\n", rules=last.rules + homes)
        return tuple(found)


def _parse(content: Path, name: str) -> _Document:
    """Read a rules text as far as its blocks and messages. Raises Fault(s)."""
    where = shown(content, name)
    text = read_text(content, name).rstrip()  # a blank line at the end would be a row of the table before it
    lines = [line.expandtabs(4) if line.strip() else "" for line in text.split("\n")]
    if faults := list(_scan(lines, where)):
        raise Faults(faults[:100])
    slots: list[Slot] = []
    protected = [protect(line, number, slots) for number, line in enumerate(lines, 1)]
    numbers = {
        number: int(found[1]) for number, line in enumerate(lines, 1) if (found := re.match(r" *(\d{1,9})\. ", line))
    }
    made = parser()
    clock, table = made.parser.blockprocessors["clock"], made.parser.blockprocessors["table"]
    clock.end, clock.where = time.monotonic() + SECONDS, where
    table.faults.clear()
    made.parser.state.clear()  # a text that failed may have left something there
    try:
        root = made.parser.parseDocument(protected).getroot()
        document = _Document(where, root, slots, numbers)
        document.collect()
        for line, cells, columns in table.faults:
            document.fault(
                line,
                f"this row has {cells} cells and its table {columns} columns",
                f"Tables are even, up to {COLUMNS} wide",
            )
    except RecursionError:
        raise Fault("this text is nested too deeply", "Make it simpler", path=where, line=1) from None
    except STUMBLES as error:
        what = f"the Markdown parser failed on this file ({type(error).__name__})"
        raise Fault(what, "Make it simpler", path=where, line=1, code=BUG) from None
    if document.faults:
        document.raise_faults()
    return document
