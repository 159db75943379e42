"""The bundled fonts: Atkinson Hyperlegible for text, and Kit Symbols, built from `symbols`, for what it lacks.

Nothing else is ever used: a character that neither has is a fault, and a font file that is not byte for byte the
bundled one is not opened. `python -m kit.paper.fonts` builds KitSymbols.ttf and SHA256SUMS anew.
"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Literal, NamedTuple

from kit.faults import SURROUNDINGS, Fault
from kit.paper import symbols

Face = Literal["regular", "bold", "italic", "bold-italic", "symbols"]

FOLDER = Path(__file__).parent / "fonts"
FILES: dict[Face, str] = {
    "regular": "AtkinsonHyperlegible-Regular.ttf",
    "bold": "AtkinsonHyperlegible-Bold.ttf",
    "italic": "AtkinsonHyperlegible-Italic.ttf",
    "bold-italic": "AtkinsonHyperlegible-BoldItalic.ttf",
    "symbols": "KitSymbols.ttf",
}
TEXT, SYMBOLS = "Kit Text", "Kit Symbols"  # family names of our own: no font of the machine answers to them
SYMBOL_SIDE, SYMBOL_DROP = 0.76, 0.046  # of Kit Symbols: side of a shape's square, and how far below the baseline
CAP_HEIGHT, X_HEIGHT, ASCENT, DESCENT = 0.668, 0.496, 0.95, 0.29  # of Atkinson Hyperlegible, in em


class Run(NamedTuple):
    """A stretch of text set in one face."""

    face: Face
    text: str


class Metrics(NamedTuple):
    """What measuring needs of a face: advance widths in em by character, and the widest digit's."""

    advance: dict[str, float]
    digit: float


def paths() -> dict[Face, Path]:
    """The font files by face. Raises Fault (SURROUNDINGS) when one is missing or is not the bundled one."""
    return {face: FOLDER / name for face, name in FILES.items() if data(face)}


@cache
def data(face: Face) -> bytes:
    """The bytes of a font file, checked against SHA256SUMS. Raises Fault (SURROUNDINGS)."""
    cure = "Install kit again"
    path = FOLDER / FILES[face]
    try:
        sums = dict(line.split()[::-1] for line in (FOLDER / "SHA256SUMS").read_text("utf-8").splitlines())
        found = path.read_bytes()
    except OSError as error:
        raise Fault("a bundled font cannot be read", cure, path=path.name, code=SURROUNDINGS) from error
    if hashlib.sha256(found).hexdigest() != sums.get(path.name):
        raise Fault("this font is not the one that kit came with", cure, path=path.name, code=SURROUNDINGS)
    return found


@cache
def metrics(face: Face) -> Metrics:
    """Advance widths of a face."""
    from io import BytesIO

    from fontTools.ttLib import TTFont

    font = TTFont(BytesIO(data(face)), lazy=True)
    em, widths = font["head"].unitsPerEm, font["hmtx"]
    advance = {chr(code): widths[name][0] / em for code, name in font.getBestCmap().items()}
    return Metrics(advance, max((advance[digit] for digit in "0123456789" if digit in advance), default=0.0))


def missing(text: str, face: Face = "regular") -> set[str]:
    """The characters of `text` that neither `face` nor Kit Symbols can draw, and the invisible ones: they lie."""
    known = (metrics(face).advance, metrics("symbols").advance)
    return {c for c in set(text) if not any(c in own for own in known) or unicodedata.category(c) in ("Cc", "Cf", "Mn")}


@lru_cache(4096)
def runs(text: str, face: Face = "regular") -> tuple[Run, ...]:
    """The text in stretches of `face` and of Kit Symbols. Raises Fault naming each character that neither has."""
    if lacking := missing(text, face):
        names = ", ".join(f"U+{ord(c):04X} {unicodedata.name(c, 'without a name')}" for c in sorted(lacking))
        raise Fault(f"no bundled font has {names} (in {text[:40]!r})", "Write it with other characters")
    own = metrics(face).advance
    return tuple(Run(key, "".join(part)) for key, part in groupby(text, lambda c: face if c in own else "symbols"))


def width(text: str, size: float, face: Face = "regular", tabular: bool = False) -> float:
    """How wide `text` is set at `size`, in the unit of `size`; `tabular` gives every digit the widest one's room."""
    total = 0.0
    for run in runs(text, face):
        known = metrics(run.face)
        total += sum(known.digit if tabular and c.isdecimal() and c.isascii() else known.advance[c] for c in run.text)
    return total * size


def wrap(text: str, measure: float, size: float, face: Face = "regular") -> list[str]:
    """The text in lines at most `measure` wide, broken at blanks. Raises Fault when a word is wider."""
    lines: list[str] = []
    for word in text.split(" "):
        if width(word, size, face) > measure + 1e-6:
            raise Fault(f"{word[:60]!r} is too long for its place ({measure:.1f} mm)", "Shorten it")
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, size, face) <= measure + 1e-6:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def font_face_css(prefix: str = "fonts/") -> str:
    """The @font-face rules of both families, for files that are served under `prefix`."""
    styles = (
        ("regular", TEXT, "400", "normal"),
        ("bold", TEXT, "700", "normal"),
        ("italic", TEXT, "400", "italic"),
        ("bold-italic", TEXT, "700", "italic"),
        ("symbols", SYMBOLS, "400", "normal"),
        ("symbols", SYMBOLS, "700", "normal"),  # so that bold text does not make the symbols bolder
    )
    return "".join(
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};'
        f'src:url("{prefix}{FILES[face]}") format("truetype")}}\n'  # type: ignore[index]
        for face, family, weight, style in styles
    )


def build_symbols() -> bytes:
    """KitSymbols.ttf from the outlines of `symbols`; the digits of ① to ⑳ are Atkinson Hyperlegible's (OFL)."""
    from io import BytesIO

    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import TTFont

    text = TTFont(BytesIO(data("bold")))
    outlines, names = text.getGlyphSet(), text.getBestCmap()
    glyphs, advance, cmap = {".notdef": TTGlyphPen(None).glyph()}, {".notdef": 500}, {}

    def add(character: str, glyph: object, wide: int) -> None:
        name = f"uni{ord(character):04X}"
        glyphs[name], advance[name], cmap[ord(character)] = glyph, wide, name

    def draw(pen: TTGlyphPen, shape: symbols.Shape, left: float, bottom: float, side: float) -> None:
        quadratic = Cu2QuPen(pen, max_err=0.6)
        for command, numbers in symbols.moved(shape, left, bottom + side, side, -side):
            at = [(numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2)]
            {"M": quadratic.moveTo, "L": quadratic.lineTo, "C": quadratic.curveTo}.get(
                command, lambda *_: quadratic.closePath()
            )(*at)

    for character, shape in symbols.GLYPHS.items():
        pen = TTGlyphPen(None)
        draw(pen, shape, 50, -1000 * SYMBOL_DROP, 1000 * SYMBOL_SIDE)
        add(character, pen.glyph(), 860)
    for number in range(1, 21):
        pen = TTGlyphPen(None)
        draw(pen, symbols.RING, 40, -106, 880)
        scale = 0.68 if number < 10 else 0.56
        wide = sum(outlines[names[ord(digit)]].width for digit in str(number)) * scale
        x = 480 - wide / 2
        for digit in str(number):
            glyph = outlines[names[ord(digit)]]
            glyph.draw(TransformPen(pen, (scale, 0, 0, scale, x, 334 - 334 * scale)))
            x += glyph.width * scale
        add(chr(0x245F + number), pen.glyph(), 960)
    hyphen = outlines[names[ord("-")]]
    pen = TTGlyphPen(None)
    hyphen.draw(TransformPen(pen, (1, 0, 0, 1, 0, 0)))
    add("\u2011", pen.glyph(), hyphen.width)
    blank = round(metrics("regular").advance[" "] * 1000)  # Pango sets the blank after a symbol in the symbol's font
    wide_digit = round(metrics("regular").digit * 1000)
    for space, room in ((" ", blank), ("\u00a0", blank), ("\u2009", 200), ("\u202f", 160), ("\u2007", wide_digit)):
        add(space, TTGlyphPen(None).glyph(), room)

    order = [".notdef", *sorted(name for name in glyphs if name != ".notdef")]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(cmap)
    builder.setupGlyf({name: glyphs[name] for name in order})
    bearing = builder.font["glyf"]
    builder.setupHorizontalMetrics({n: (advance[n], getattr(bearing[n], "xMin", 0)) for n in order})
    builder.setupHorizontalHeader(ascent=950, descent=-290)
    builder.setupOS2(
        sTypoAscender=950, sTypoDescender=-290, usWinAscent=950, usWinDescent=290, fsType=0, sCapHeight=668
    )
    builder.setupNameTable(
        {
            "familyName": SYMBOLS, "styleName": "Regular", "psName": "KitSymbols", "version": "Version 1.0",
            "uniqueFontIdentifier": "Kit Symbols 1.0", "fullName": "Kit Symbols Regular",
            "licenseDescription": "SIL Open Font License, Version 1.1",
            "copyright": "The kit project; digits and hyphen: Copyright 2020 Braille Institute of America, Inc.",
        }
    )  # fmt: skip
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 3849984000  # the same bytes on every day
    builder.font.recalcTimestamp = False
    made = BytesIO()
    builder.save(made)
    return made.getvalue()


def main() -> None:
    """Write KitSymbols.ttf and the sums of all five fonts."""
    (FOLDER / FILES["symbols"]).write_bytes(build_symbols())
    lines = [f"{hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()}  {name}\n" for name in sorted(FILES.values())]
    (FOLDER / "SHA256SUMS").write_text("".join(lines), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
