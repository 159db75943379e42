"""The rules of a game: from the dialect of rules.md to messages for translators, and to sections of trusted HTML.

The only importer of `markdown`. Python-Markdown parses blocks and inline marks; this module stands around it:

    lines ──► scan (what the dialect leaves out) ──► protect (line marks, slots) ──► blocks ──► allow-list, attribute
    lists, messages ──► translate ──► inline marks ──► allow-list ──► HTML ──► slots resolved

Python-Markdown forgets lines and reads braces as it likes. So before it sees the text, the first word of every line
gets a *line mark* (one private character that says the line's number), and every slot becomes one private character;
`kit.files` refuses such characters in files, so they are ours alone. They travel through the parser as letters do.
"""

from __future__ import annotations

import html
import re
import time
import xml.etree.ElementTree as etree
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kit.faults import BUG, Fault, Faults, nearest
from kit.files import read_bytes, read_text, shown
from kit.language.message import SLOT, Message

if TYPE_CHECKING:
    from kit.language.locale import Locale

Element = etree.Element

LINES, LINE_LENGTH, BLOCK_LENGTH, INDENT, COLUMNS = 20_000, 2_000, 4_000, 24, 20  # what a rules text can need, and more
MARKS_IN_BLOCK = 100  # of one kind; Python-Markdown's time grows with their square
SECONDS = 10.0  # for one document
ASSET_LIMIT = 16 << 20  # bytes of a picture

BLOCKS = {
    "h2": "heading", "h3": "heading", "p": "paragraph", "li": "list item", "td": "table cell", "th": "table heading",
    "dt": "term", "dd": "definition", "ul": "", "ol": "", "table": "", "thead": "", "tbody": "", "tr": "", "dl": "", "div": "",
}  # fmt: skip
"""The block elements there may be; those with a name hold text, which is one message."""
INLINE = {"em": (), "strong": (), "a": ("href",), "img": ("src", "alt")}
CLASSES = ("keep", "wide", "small")
ADMONITIONS = ("note", "tip", "warning", "example")
UNKNOWN = {
    "pre": "a code block (four spaces before the text)", "code": "code", "br": "a forced line break",
    "h1": "a heading of level 1", "h4": "a heading of level 4", "h5": "a heading of level 5", "h6": "a heading of level 6",
    "hr": "a horizontal rule", "blockquote": "a quotation",
}  # fmt: skip

ANCHOR = re.compile(r"[a-z][a-z0-9-]*")
RULE = re.compile(r"[A-Z]+-(R?\d+)")
PICTURE = re.compile(r"[a-z0-9][a-z0-9_-]*\.(?:png|jpg|jpeg|svg)")
WEB = re.compile(r"https://[A-Za-z0-9.-]+(?::\d{1,5})?(?:[/?#][!#-;=?-~]*)?|mailto:[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+")

_LINE, _SLOT = 0xF0000, 0x100000  # the two private planes
_LINE_MARK, _SLOT_MARK = re.compile("[\U000f0000-\U000ffffd]"), re.compile("[\U00100000-\U0010fffd]")
_LIST = r"(?:[-*+]|\d{1,9}\.)"
_PREFIX = re.compile(rf"\s*(?:{_LIST}[ ]+|\#{{1,6}}[ ]*|:[ ]{{1,3}}|\|[ ]*|!!![ ]?[\w -]*[\w][ ]+\"|\{{:)*")
_ATTRIBUTES = re.compile(r"(?:^|\s)\{:([^{}]*)\}\s*$")
_LEFT_OVER = re.compile(r"[*`\[\]{}]|(?<!\w)_|_(?!\w)|<[A-Za-z/!?]|&(?:#\w+|\w+);")


class Slot(NamedTuple):
    """A place in the text that the engine or the build fills. `{deck_size}` is of kind `fact`; `block`: it stands alone."""

    kind: str
    argument: str
    line: int
    block: bool = False

    def __str__(self) -> str:
        return f"{{{self.argument}}}" if self.kind == "fact" else f"{{{self.kind}:{self.argument}}}"


class Section(NamedTuple):
    """From one heading to the next. `title` and `html` (without the heading) are trusted HTML; `rules` have their home here."""

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


def messages(content: Path, game: str) -> list[Message]:
    """What translators translate of content/<game>/rules.md, in order. Raises Fault(s)."""
    name = f"{game}/rules.md"
    if not (content / name).exists():
        return []
    document = _parse(content, name)
    found = [
        Message(block.message, None, name, block.line, block.note, markup=True)
        for block in document.blocks
        if block.letters
    ]
    for block in document.blocks:
        document.check(_Inline(block.text, block.line), document.where)
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
    return Rules(locale.text("game.title", game=True), sections, homes, images)


def shape(text: str) -> Counter[str]:
    """The inline marks of a message, with their addresses: what a translation must keep. Raises Faults without a place."""
    inline = _Inline(_protect(text, 1, []), 1)
    if inline.faults:
        raise Faults(inline.faults)
    return Counter(
        " ".join([node.tag, *(f"{name}={value}" for name, value in sorted(node.items()) if name != "alt")])
        for node in inline.root.iter()
        if node is not inline.root
    )


def plain(text: str) -> str:
    """The letters of a message without its marks and slots, for spelling and glossary."""
    inline = _Inline(_protect(text, 1, []), 1)
    words = [text or "" for text in inline.root.itertext()] + [node.get("alt", "") for node in inline.root.iter("img")]
    return _SLOT_MARK.sub("_", _LINE_MARK.sub("", " ".join(words) if len(words) > 1 and words[-1] else "".join(words)))


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
        elif indent % 4 and re.match(rf"{_LIST} ", bare):
            what, cure = "a list item indented by neither 0 nor 4 nor 8 spaces", "Indent a list in a list by 4 spaces"
        if what:
            yield Fault(what, cure, path=where, line=number)


def _protect(line: str, number: int, slots: list[Slot]) -> str:
    """A line with its mark before the first word, and its slots as one character each."""

    def keep(found: re.Match[str]) -> str:
        kind, argument = (found[1], found[2]) if found[2] else ("fact", found[1])
        slots.append(Slot(kind, argument, number))
        return chr(_SLOT + len(slots) - 1)

    line = SLOT.sub(keep, line)
    if not line.strip() or re.fullmatch(r"[\s|:-]+", line):
        return line  # nothing to mark in an empty line or between a table's head and body
    if found := re.fullmatch(r"( *!!! ?)([\w-]+) *", line):
        line = f'{found[1]}{found[2]} "{found[2].capitalize()}"'  # the parser's own title, but where translators see it
    start = _PREFIX.match(line)
    at = start.end() if start else 0
    return f"{line[:at]}{chr(_LINE + number)}{line[at:]}"


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
        self._check_sections()

    def _visit(self, element: Element) -> None:
        line = self._first_line(element)
        if element.tag not in BLOCKS:
            self.fault(
                line, f"{UNKNOWN.get(element.tag, element.tag)} is not used here", "Use the marks of CONTRIBUTING.md"
            )
            return
        self._check_element(element, line)
        if BLOCKS[element.tag]:
            self._text(element)
        for child in element:
            self._visit(child)
            if (child.tail or "").strip():
                self._line = _last_line(child.tail or "", self._line)
                self.fault(self._line, "text right below a list", "Put an empty line before it")

    def _first_line(self, element: Element) -> int:
        """The line where an element begins; cells and the like that carry no mark stand where the last thing stood."""
        found = _LINE_MARK.search("".join(element.itertext()))
        return ord(found[0]) - _LINE if found else self._line

    def _check_element(self, element: Element, line: int) -> None:
        if element.tag == "div":
            kind = element.get("class", "").removeprefix("admonition ")
            if kind not in ADMONITIONS:
                self.fault(line, f"there is no note of kind {kind[:40]!r}", nearest(kind, ADMONITIONS))
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
        line = self._line = _first_line(text, self._line)
        if found := _ATTRIBUTES.search(text):
            text = text[: found.start()]
            self._attributes(element, found[1], _last_line(found[1], _last_line(text, line)))
        elif element.tag in ("h2", "h3"):
            self.fault(line, "this heading has no id", "Give it one: ## Heading {: #id }")
        self._line = _last_line(element.text or "", line)
        bare = _LINE_MARK.sub("", text).strip()
        if not bare and not len(element) and element.tag not in ("td", "th"):
            self.fault(line, f"this {BLOCKS[element.tag]} is empty", "Write it; an id stands right below its paragraph")
        if len(bare) > BLOCK_LENGTH:
            self.fault(line, f"a {BLOCKS[element.tag]} of more than {BLOCK_LENGTH:,} characters", "Split it")
            text = ""
        self._stuck(text)
        message = re.sub(r"[ \n]+", " ", _LINE_MARK.sub("", text)).strip(" ")
        message = _SLOT_MARK.sub(lambda mark: str(self.slots[ord(mark[0]) - _SLOT]), message)
        note = BLOCKS[element.tag]
        if element.get("class") == "admonition-title":
            note = "title of a note"
        if element.get("id"):
            note += f" {element.get('id')}"
        self.blocks.append(_Block(element, line, text.strip(" \n"), message, note))

    def _stuck(self, text: str) -> None:
        """A list, table or note right below other text is text to the parser; a hard break would get lost."""
        mark = _LINE_MARK.pattern
        for pattern, what, cure in (
            (rf"\n *{_LIST} +({mark})", "a list right below other text", "Put an empty line before the list"),
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
                self.fault(_last_line(text[: found.end() + (found[1] == "!!!")], self._line), what, cure)

    def _attributes(self, element: Element, attributes: str, line: int) -> None:
        """`{: #id .class }`: nothing else, and each id once."""
        for word in _LINE_MARK.sub("", attributes).split():
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

    def check(self, inline: _Inline, where: object, line: int | None = None) -> None:
        """Take the faults, links and pictures of a text; `line` when all of it stands in one line of another file."""
        if time.monotonic() > self._end:
            raise Fault(f"reading takes more than {SECONDS:.0f} seconds", "Make the text simpler", path=self.where)
        for fault in inline.faults:
            self.faults.append(Fault(fault.what, fault.cure, path=where, line=line or fault.line))
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
        inline = _Inline(text, block.line)
        self.check(inline, where, line)
        block.element.text = inline.root.text
        block.element[:0] = list(inline.root)
        if block.element.tag == "p" and not len(inline.root) and _SLOT_MARK.fullmatch(inline.root.text or ""):
            index = ord((inline.root.text or "")[0]) - _SLOT
            self.slots[index] = self.slots[index]._replace(block=True)
            block.element.tag = "div"  # a figure may not stand in a paragraph

    def _translated(self, text: str, block: _Block) -> str:
        """A translation with each slot as the character of its fellow in the source."""
        here: dict[str, list[str]] = {}
        for mark in _SLOT_MARK.findall(block.text):
            here.setdefault(str(self.slots[ord(mark) - _SLOT]), []).append(mark)

        def keep(found: re.Match[str]) -> str:
            marks = here.get(found[0])
            return marks.pop(0) if marks else found[0]

        return chr(_LINE + block.line) + SLOT.sub(keep, text)

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
        """Pictures are files below the game's assets, once links are resolved. What is in them is the room paper's to judge."""
        assets = content / game / "assets"
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
            slot = self.slots[ord(mark[0]) - _SLOT]
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
            return _SLOT_MARK.sub(fill, etree.tostring(element, encoding="unicode", method="html"))

        found: list[Section] = []
        for element in self.root:
            if element.tag in ("h2", "h3"):
                inner = html.escape(element.text or "", quote=False)
                inner += "".join(etree.tostring(child, encoding="unicode", method="html") for child in element)
                found.append(Section(element.get("id", ""), int(element.tag[1]), _SLOT_MARK.sub(fill, inner), "", ()))
            elif found:
                homes = tuple(node.get("id", "") for node in element.iter() if node.get("id") in known)
                last = found[-1]
                found[-1] = last._replace(html=last.html + written(element) + "\n", rules=last.rules + homes)
        return tuple(found)


def _parse(content: Path, name: str) -> _Document:
    """Read a rules text as far as its blocks and messages. Raises Fault(s)."""
    where = shown(content, name)
    lines = [line.expandtabs(4).rstrip("\n") for line in read_text(content, name).split("\n")]
    if faults := list(_scan(lines, where)):
        raise Faults(faults[:100])
    slots: list[Slot] = []
    protected = [_protect(line if line.strip() else "", number, slots) for number, line in enumerate(lines, 1)]
    numbers = {
        number: int(found[1]) for number, line in enumerate(lines, 1) if (found := re.match(r" *(\d{1,9})\. ", line))
    }
    parser = _parser()
    clock, table = parser.parser.blockprocessors["clock"], parser.parser.blockprocessors["table"]
    clock.end, clock.where = time.monotonic() + SECONDS, where
    table.faults.clear()
    parser.parser.state.clear()  # a text that failed may have left something there
    try:
        root = parser.parser.parseDocument(protected).getroot()
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
    if document.faults:
        document.raise_faults()
    return document


def _first_line(text: str, otherwise: int) -> int:
    found = _LINE_MARK.search(text)
    return ord(found[0]) - _LINE if found else otherwise


def _last_line(text: str, otherwise: int) -> int:
    found = _LINE_MARK.findall(text)
    return ord(found[-1]) - _LINE if found else otherwise


# Inline ---------------------------------------------------------------------------------------------------------


class _Inline:
    """A protected text with its inline marks as elements below `root`, freed of line marks; faults, links and pictures."""

    def __init__(self, text: str, line: int) -> None:
        self.faults: list[Fault] = []
        self.links: list[tuple[str, int]] = []
        self.pictures: list[tuple[str, int]] = []
        self._line = line
        self.root = Element("p")
        if self._too_much(text):
            return
        holder = Element("div")
        self.root = etree.SubElement(holder, "p")
        self.root.text = text
        parser = _parser()
        try:
            parser.treeprocessors["inline"].run(holder)
            self._visit(self.root)
            parser.treeprocessors["unescape"].run(holder)
            self._check(self.root)
        except RecursionError:
            self._fault("this text is nested too deeply", "Make it simpler")
        except (IndexError, TypeError, KeyError, AttributeError, ValueError) as error:  # seen in fuzzing other versions
            self.faults.append(
                Fault(
                    f"the Markdown parser failed here ({type(error).__name__})", "Make it simpler", line=line, code=BUG
                )
            )

    def _fault(self, what: str, cure: str) -> None:
        self.faults.append(Fault(what, cure, line=self._line))

    def _too_much(self, text: str) -> bool:
        if len(text) > BLOCK_LENGTH + 500:
            self._fault(f"more than {BLOCK_LENGTH:,} characters in one piece", "Split it")
        elif any(text.count(mark) > MARKS_IN_BLOCK for mark in "*_`[]()!<\\"):
            self._fault(f"more than {MARKS_IN_BLOCK} marks of one kind in one piece", "Make it simpler")
        elif found := re.search(r"[*_]{4,}|`{3,}|\[{3,}", text):
            self._line = _last_line(text[: found.start()], self._line)
            self._fault(f"{found[0][:6]} is no mark", "Write \\ before a character that is meant as such")
        return bool(self.faults)

    def _visit(self, node: Element) -> None:
        """In reading order: count lines off, and refuse what no mark came of."""
        node.set("line", str(self._line)) if node is not self.root else None
        node.text = self._free(node.text)
        for child in node:
            self._visit(child)
            child.tail = self._free(child.tail)

    def _free(self, text: str | None) -> str:
        """A text without line marks; what is left of Markdown in it is a fault at its line."""
        text = text or ""
        for part in re.split(f"({_LINE_MARK.pattern})", text):
            if _LINE_MARK.fullmatch(part):
                self._line = ord(part) - _LINE
            elif found := _LEFT_OVER.search(part):
                what = {"<": "HTML is not used here", "&": "an entity is not used here", "[": "no link came of this bracket",
                        "]": "no link came of this bracket", "{": "a brace is no slot", "}": "a brace is no slot"}  # fmt: skip
                cure = {"<": "Write it in Markdown", "&": "Type the character itself", "[": "Write [text](address), or \\ before it",
                        "{": "Write {name}, or \\ before it"}  # fmt: skip
                mark = found[0][0]
                self._fault(
                    f"{what.get(mark, 'this mark has no partner')}: {part[found.start() :][:20].strip()}",
                    cure.get(mark, "Close it, or write \\ before it"),
                )
        return _LINE_MARK.sub("", text)

    def _check(self, root: Element) -> None:
        """The allow-list: elements, attributes, addresses."""
        for node in root.iter():
            if node is root:
                continue
            self._line = int(node.attrib.pop("line"))
            if node.tag not in INLINE:
                self._fault(f"{UNKNOWN.get(node.tag, node.tag)} is not used here", "Use the marks of CONTRIBUTING.md")
                continue
            for name, value in list(node.items()):
                value = _LINE_MARK.sub("", value or "")
                node.set(name, re.sub(r"\s+", " ", value))
                if name not in INLINE[node.tag]:
                    self._fault(f"{name} is not used here", "Take it out")
                elif _SLOT_MARK.search(value):
                    self._fault("a slot stands in an address or a picture's description", "Put it into the text")
            if node.tag == "a":
                self._address(node.get("href", ""))
                if not "".join(node.itertext()).strip():
                    self._fault("a link without text", "Write [text](address)")
            if node.tag == "img":
                self._picture(node.get("src", ""), node.get("alt", ""))

    def _address(self, target: str) -> None:
        if target.startswith("#") and (ANCHOR.fullmatch(target[1:]) or RULE.fullmatch(target[1:])):
            self.links.append((target[1:], self._line))
        elif not WEB.fullmatch(target):
            self._fault(f"a link to {target[:60]!r}", "Link to https:, mailto: or the #id of a heading")

    def _picture(self, name: str, alt: str) -> None:
        if not PICTURE.fullmatch(name):
            self._fault(
                f"a picture named {name[:60]!r}", "Give the bare name of a png, jpg or svg in the game's assets folder"
            )
        elif not alt.strip():
            self._fault(f"picture {name} has no description", "Write ![what it shows](name)")
        else:
            self.pictures.append((name, self._line))


# The parser -----------------------------------------------------------------------------------------------------

_made: list[Any] = []


def _parser() -> Any:
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
                self.faults.append((_first_line(row, 1), cells, len(align)))
            super()._build_row(row, parent, align[: COLUMNS + 1])

    parser = Markdown(extensions=["tables", "admonition", "def_list", "sane_lists"])
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
        parser.inlinePatterns.deregister(pattern)
    parser.parser.blockprocessors.deregister("reference")
    parser.parser.blockprocessors.register(Clock(parser.parser), "clock", 1000)
    parser.parser.blockprocessors.register(EvenTable(parser.parser), "table", 75)
    return parser
