"""The fonts of a finished PDF: what their codes mean, how wide they are, and what ink they leave, if any."""

from __future__ import annotations

import re
import struct
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from io import BytesIO
from typing import Any, NamedTuple

from kit.faults import Fault

_BF = re.compile(rb"beginbf(char|range)(.*?)endbf", re.S)
_HEX = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")


class Look(NamedTuple):
    """A glyph's ink in em above the line; `lacking`: the character that has no glyph here."""

    ink: bool
    low: float
    high: float
    lacking: str


class Font:
    """A font of the PDF: its name, how its codes are wide, what they mean, and what they look like."""

    def __init__(self, data: Any) -> None:
        self.name = str(data.get("/BaseFont", "/?"))[1:].split("+")[-1]
        self.kind = str(data.get("/Subtype", ""))
        self.wide = self.kind == "/Type0"
        inner = data.DescendantFonts[0] if self.wide else data
        descriptor = inner.get("/FontDescriptor", {})
        program = descriptor.get("/FontFile2") if "/FontFile2" in descriptor else None
        self.embedded = self.kind == "/Type3" or any(
            key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3")
        )
        self.identity = not self.wide or str(data.get("/Encoding")) == "/Identity-H"
        default = float(inner.get("/DW", 1000)) if self.wide else float(descriptor.get("/MissingWidth", 0))
        self.widths: dict[int, float] = defaultdict(lambda: default)
        self.looks = _Looks(self)
        if self.wide:
            self._cid_widths(inner.get("/W", []))
        else:
            first = int(inner.get("/FirstChar", 0))
            self.widths |= {first + place: float(width) for place, width in enumerate(inner.get("/Widths", []))}
        self.unicode: dict[int, str] = defaultdict(lambda: "\ufffd")
        if "/ToUnicode" in data:
            self.unicode |= _to_unicode(data.ToUnicode.read_bytes())
        elif not self.wide:  # a standard font in its usual encoding
            self.unicode |= {code: bytes([code]).decode("cp1252", "replace") for code in range(32, 256)}
        self.glyphs = _Glyphs(program.read_bytes(), self.wide) if program is not None else None

    def _cid_widths(self, table: Any) -> None:
        items = list(table)
        place = 0
        while place < len(items):
            first, second = int(items[place]), items[place + 1]
            if isinstance(second, (int, float)) or not hasattr(second, "__len__"):
                self.widths.update(dict.fromkeys(range(first, int(second) + 1), float(items[place + 2])))
                place += 3
            else:
                self.widths.update({first + step: float(width) for step, width in enumerate(second)})
                place += 2

    def look(self, code: int) -> Look:
        """How high and deep the code's ink is, and whether its character lacks a glyph."""
        meant = self.unicode[code]
        blank = bool(meant) and all(c.isspace() or unicodedata.category(c) == "Cf" for c in meant)
        unclear = "\ufffd" in meant or "\0" in meant  # \0 is what reportlab says of a character that it does not have
        name = f"character code {code}" if unclear else meant
        if self.glyphs is None:  # some other kind of font: what can be said without its outlines
            return Look(not blank, -0.22, 0.74, name if unclear else "")
        box = self.glyphs.bounds(code)
        none = self.glyphs.number(code) == 0
        lacking = none or unclear or (box is None and not blank and meant != "")  # "" belongs to the glyph before it
        return Look(box is not None, box[1] if box else 0.0, box[3] if box else 0.0, name if lacking else "")

    def codes(self, shown: bytes) -> Sequence[int]:
        """The character codes of a string."""
        if not self.wide:
            return shown
        return struct.unpack(f">{len(shown) // 2}H", shown[: len(shown) // 2 * 2])


class _Looks(dict[int, Look]):
    """The looks of a font's codes, worked out when they are first asked for."""

    def __init__(self, font: Font) -> None:
        super().__init__()
        self.font = font

    def __missing__(self, code: int) -> Look:
        look = self[code] = self.font.look(code)
        return look


class _Glyphs:
    """The outlines of an embedded TrueType program: which codes have one, and how large it is."""

    def __init__(self, program: bytes, wide: bool) -> None:
        from fontTools.ttLib import TTFont, TTLibError

        try:
            font = TTFont(BytesIO(program), lazy=True)
            reader: Any = font.reader
            head, place = reader["head"], reader["loca"]
            self.em: int = struct.unpack(">H", head[18:20])[0]
            long = struct.unpack(">h", head[50:52])[0]
            count = struct.unpack(">H", reader["maxp"][4:6])[0]
            whole = struct.unpack(f">{len(place) // (4 if long else 2)}{'I' if long else 'H'}", place)
            self.places = [at if long else at * 2 for at in whole[: count + 1]]
            self.data: bytes = reader["glyf"] if self.places[-1] else b""
            self.map: dict[int, int] | None = None if wide else _code_map(font)
        except (TTLibError, KeyError, struct.error, IndexError) as error:
            raise Fault(f"an embedded font cannot be read ({error})", "Build it again") from error
        self.known: dict[int, tuple[float, float, float, float] | None] = {}

    def number(self, code: int) -> int:
        """The glyph that a code shows; 0 is the one for "no such character"."""
        return code if self.map is None else self.map.get(code, 0)

    def bounds(self, code: int) -> tuple[float, float, float, float] | None:
        """left, bottom, right, top in em; None for a glyph without an outline."""
        if code not in self.known:
            number = self.number(code)
            start, end = self.places[number : number + 2] if number + 1 < len(self.places) else (0, 0)
            box = struct.unpack(">4h", self.data[start + 2 : start + 10]) if end > start else None
            left, bottom, right, top = (side / self.em for side in box or (0, 0, 0, 0))
            self.known[code] = None if box is None else (left, bottom, right, top)
        return self.known[code]


def _code_map(font: Any) -> dict[int, int]:
    """Code -> glyph number of a simple TrueType font, by its own cmap (symbol codes lie at 0xF000)."""
    found: dict[int, int] = {}
    for table in font["cmap"].tables:
        for code, name in table.cmap.items():
            found.setdefault(code & 0xFF if 0xF000 <= code <= 0xF0FF else code, font.getGlyphID(name))
    return found


def _to_unicode(data: bytes) -> dict[int, str]:
    found: dict[int, str] = {}

    def text(digits: bytes) -> str:
        return bytes.fromhex(digits.decode()).decode("utf-16-be", "replace")

    for kind, body in _BF.findall(data):
        parts = [(hexed, opens, closes) for hexed, opens, closes in _HEX.findall(body)]
        if kind == b"char":
            values = [hexed for hexed, _, _ in parts]
            found.update({int(code, 16): text(meant) for code, meant in zip(values[::2], values[1::2], strict=False)})
            continue
        place = 0
        while place + 2 < len(parts):
            low, high = int(parts[place][0], 16), int(parts[place + 1][0], 16)
            if parts[place + 2][1]:
                place += 3
                for code in range(low, high + 1):
                    found[code] = text(parts[place][0])
                    place += 1
                place += 1
            else:
                meant = text(parts[place + 2][0])
                for step, code in enumerate(range(low, min(high, low + 65535) + 1)):
                    found[code] = meant[:-1] + chr(ord(meant[-1]) + step) if meant else ""
                place += 3
    return found
