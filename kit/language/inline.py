"""What stands inside a paragraph: emphasis, links, pictures, and nothing else. In sources and in translations alike."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections import Counter
from functools import lru_cache

from kit.faults import BUG, Fault, Faults
from kit.language.parser import LINE_BASE, LINE_MARK, SLOT_MARK, STUMBLES, Element, last_line, parser, protect

BLOCK_LENGTH = 4_000  # characters of a paragraph or cell
MARKS_IN_BLOCK = 100  # of one kind; Python-Markdown's time grows with their square
INLINE = {"em": (), "strong": (), "a": ("href",), "img": ("src", "alt")}
UNKNOWN = {
    "pre": "a code block (four spaces before the text)", "code": "code", "br": "a forced line break",
    "h1": "a heading of level 1", "h4": "a heading of level 4", "h5": "a heading of level 5",
    "h6": "a heading of level 6", "hr": "a horizontal rule", "blockquote": "a quotation",
}  # fmt: skip

ANCHOR = re.compile(r"[a-z][a-z0-9-]*")
RULE = re.compile(r"[A-Z]+-(R?\d+)")
PICTURE = re.compile(r"[a-z0-9][a-z0-9_-]*\.(?:png|jpg|jpeg|svg)")
WEB = re.compile(r"https://[A-Za-z0-9.-]+(?::\d{1,5})?(?:[/?#][!#-;=?-~]*)?|mailto:[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+")
_LEFT_OVER = re.compile(r"[*`\[\]{}]|(?<!\w)_|_(?!\w)|<[A-Za-z/!?]|&(?:#\w+|\w+);")
_ESCAPED = re.compile("\x02(\\d+)\x03")  # how the parser keeps `\\*` and its like
_ESCAPED_PAIR = re.compile("(\x02(?:123|91)\x03[^{}\\[\\]]*)[}\\]]")  # `\\{name}` or `\\[x]`: the end needs no mark
_LEFT_OVER_WHAT = {
    "<": ("HTML is not used here", "Write it in Markdown"),
    "&": ("an entity is not used here", "Type the character itself"),
    "[": ("no link came of this bracket", "Write [text](address), or \\ before it"),
    "]": ("no link came of this bracket", "Write [text](address), or \\ before it"),
    "{": ("a brace is no slot", "Write {name}, or \\ before it"),
    "}": ("a brace is no slot", "Write {name}, or \\ before it"),
}


@lru_cache(maxsize=1024)
def _read(text: str) -> Inline:
    """A message by itself, read once for all that is asked about it."""
    return Inline(protect(text, 1, []), 1)


def shape(text: str) -> Counter[str]:
    """The inline marks of a message, with their addresses: what a translation keeps. Raises Faults without a place."""
    inline = _read(text)
    if inline.faults:
        raise Faults(inline.faults)
    return Counter(
        " ".join([node.tag, *(f"{name}={value}" for name, value in sorted(node.items()) if name != "alt")])
        for node in inline.root.iter()
        if node is not inline.root
    )


def plain(text: str) -> str:
    """The letters of a message without its marks and slots, for spelling and glossary."""
    inline = _read(text)
    pictures = [node.get("alt", "") for node in inline.root.iter("img")]
    return SLOT_MARK.sub(" ", " ".join(["".join(inline.root.itertext()), *pictures]))


class Inline:
    """A protected text: its inline marks as elements below `root`, free of line marks; its faults, links, pictures."""

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
        made = parser()
        try:
            made.treeprocessors["inline"].run(holder)
            self._visit(self.root)
            made.treeprocessors["unescape"].run(holder)
            self._check(self.root)
        except RecursionError:
            self._fault("this text is nested too deeply", "Make it simpler")
        except STUMBLES as error:
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
            self._line = last_line(text[: found.start()], self._line)
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
        for part in re.split(f"({LINE_MARK.pattern})", text):
            if LINE_MARK.fullmatch(part):
                self._line = ord(part) - LINE_BASE
            elif found := _LEFT_OVER.search(part := _ESCAPED_PAIR.sub(r"\1)", part)):
                what, cure = _LEFT_OVER_WHAT.get(
                    found[0][0], ("this mark has no partner", "Close it, or write \\ before it")
                )
                rest = _ESCAPED.sub(lambda code: chr(int(code[1])), part[found.start() :])
                self._fault(f"{what}: {rest[:20].strip()}", cure)
        return LINE_MARK.sub("", text)

    def _check(self, root: Element) -> None:
        """The allow-list: elements, attributes, addresses."""
        for node in root.iter():
            if node is root:
                continue
            self._line = int(node.attrib.pop("line"))
            if node.tag not in INLINE:
                self._fault(f"{UNKNOWN.get(node.tag, node.tag)} is not used here", "docs/writing.md lists what is")
                continue
            for name, value in list(node.items()):
                value = LINE_MARK.sub("", value or "")
                node.set(name, re.sub(r"\s+", " ", value))
                if name not in INLINE[node.tag]:
                    self._fault(f"{name} is not used here", "Take it out")
                elif SLOT_MARK.search(value):
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
