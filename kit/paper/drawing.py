"""A drawing as a display list in mm: made once, painted on a PDF page or written as inline SVG.

Origin top left, y down, sizes of type in mm too (`PT` converts points). A drawing has a size, and all of it lies
within: whatever reaches over the edge, and text that is too long for its place, raises instead of being clipped.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Literal, Protocol, TypeAlias

from kit.faults import Fault
from kit.paper import fonts, symbols
from kit.paper.fonts import CAP_HEIGHT, Face
from kit.paper.symbols import Shape

PT = 25.4 / 72  # a typographer's point in mm
INK, WHITE = "#111111", "#ffffff"
HAIR = 0.2  # hairline, mm
Align = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class Paint:
    """How a shape is inked: colours as #rrggbb or None, line width and dashes in mm."""

    fill: str | None = None
    stroke: str | None = None
    line: float = HAIR
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, its corners rounded by `radius`."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    paint: Paint


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    paint: Paint


@dataclass(frozen=True, slots=True)
class Path:
    """A shape in mm."""

    shape: Shape
    paint: Paint


@dataclass(frozen=True, slots=True)
class Text:
    """A stretch of text in one face, its left end at x, its baseline at y."""

    x: float
    y: float
    text: str
    face: Face
    size: float
    fill: str


@dataclass(frozen=True, slots=True)
class Group:
    """Another drawing, turned clockwise by 0, 90, 180 or 270 degrees, its upper left corner then at x, y."""

    drawing: Drawing
    x: float
    y: float
    turn: int
    scale: float


Item: TypeAlias = Rect | Line | Path | Text | Group


class Surface(Protocol):
    """What a drawing paints on: `kit.paper.canvas.Canvas`."""

    def group(self, item: Group) -> None: ...


@dataclass
class Drawing:
    """A display list of that width and height in mm. Its methods draw; each raises Fault when it reaches outside."""

    width: float
    height: float
    items: list[Item] = field(default_factory=list)

    def rect(
        self, x: float, y: float, width: float, height: float, *, radius: float = 0.0, fill: str | None = None,
        stroke: str | None = None, line: float = HAIR, dash: tuple[float, ...] = (),
    ) -> None:  # fmt: skip
        """A rectangle; the edges are the middle of the stroke."""
        self._inside((x, x + width), (y, y + height), "a rectangle")
        self.items.append(Rect(x, y, width, height, radius, Paint(fill, stroke, line, dash)))

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, stroke: str = INK, line: float = HAIR,
        dash: tuple[float, ...] = (),
    ) -> None:  # fmt: skip
        """A straight line with butt ends."""
        self._inside((x1, x2), (y1, y2), "a line")
        self.items.append(Line(x1, y1, x2, y2, Paint(None, stroke, line, dash)))

    def path(self, shape: Shape, *, fill: str | None = None, stroke: str | None = None, line: float = HAIR) -> None:
        """A shape whose coordinates are mm (see `symbols.moved`)."""
        numbers = [n for _, command in shape for n in command]
        self._inside(numbers[0::2], numbers[1::2], "a shape")
        self.items.append(Path(shape, Paint(fill, stroke, line)))

    def symbol(self, shape: Shape, x: float, y: float, size: float, *, fill: str = INK, turn: int = 0) -> None:
        """A shape of `symbols` in the square of side `size` around the point x, y."""
        self.path(symbols.moved(shape, x - size / 2, y - size / 2, size, turn=turn), fill=fill)

    def circle(
        self, x: float, y: float, r: float, *, fill: str | None = None, stroke: str | None = None, line: float = HAIR
    ) -> None:
        """A circle around x, y."""
        self.path(symbols.circle(x, y, r), fill=fill, stroke=stroke, line=line)

    def text(
        self, x: float, y: float, text: str, size: float, *, face: Face = "regular", fill: str = INK,
        align: Align = "left", width: float | None = None, least: float | None = None, tabular: bool = False,
    ) -> float:  # fmt: skip
        """One line of text with its baseline at y; gives its width.

        Characters that `face` lacks are set in Kit Symbols. `width` is the room there is: text that needs more is set
        smaller down to size `least`, then refused. `tabular` centres every digit in the widest one's room.
        """
        text = unicodedata.normalize("NFC", text)
        wide = fonts.width(text, size, face, tabular)
        if width is not None and wide > width + 1e-6:
            if least is None or wide * least / size > width + 1e-6:
                raise Fault(f"{text[:60]!r} is {wide:.1f} mm wide and has {width:.1f} mm", "Shorten it")
            size, wide = size * width / wide, width
        left = x - {"left": 0.0, "centre": wide / 2, "right": wide}[align]
        self._inside((left, left + wide), (y - CAP_HEIGHT * size, y), f"the text {text[:60]!r}")
        self._set(left, y, text, size, face, fill, tabular)
        return wide

    def _set(self, x: float, y: float, text: str, size: float, face: Face, fill: str, tabular: bool) -> None:
        for run in fonts.runs(text, face):
            known = fonts.metrics(run.face)
            if not tabular:
                self.items.append(Text(x, y, run.text, run.face, size, fill))
                x += fonts.width(run.text, size, run.face)
                continue
            for character in run.text:
                own = known.advance[character] * size
                room = known.digit * size if character in "0123456789" else own
                self.items.append(Text(x + (room - own) / 2, y, character, run.face, size, fill))
                x += room

    def paragraph(
        self, x: float, y: float, text: str, size: float, width: float, *, leading: float = 1.4,
        face: Face = "regular", fill: str = INK, align: Align = "left",
    ) -> float:  # fmt: skip
        """Text broken into lines of `width`, the first line's top at y; gives the y below the last line.

        With `align`, x is the left, the middle or the right of the lines. `leading` is a multiple of `size`.
        """
        for line in fonts.wrap(unicodedata.normalize("NFC", text), width, size, face):
            self.text(x, y + (leading + CAP_HEIGHT) / 2 * size, line, size, face=face, fill=fill, align=align)
            y += leading * size
        return y

    def place(self, drawing: Drawing, x: float, y: float, *, turn: int = 0, scale: float = 1.0) -> None:
        """Another drawing, turned clockwise by a multiple of 90 degrees, its upper left corner then at x, y."""
        wide, high = (drawing.width, drawing.height) if turn % 180 == 0 else (drawing.height, drawing.width)
        self._inside((x, x + wide * scale), (y, y + high * scale), "a drawing")
        self.items.append(Group(drawing, x, y, turn % 360, scale))

    def diagonals(
        self, x: float, y: float, width: float, height: float, step: float, *, stroke: str, line: float = HAIR,
        both: bool = False,
    ) -> None:  # fmt: skip
        """Hatching at 45 degrees over a rectangle, cut to it exactly; `both` ways makes a lattice.

        Lines are laid out from the middle: the picture is the same upside down.
        """
        reach = (width + height) / 2
        count = int(reach / step)
        for n in range(-count, count + 1):
            offset = n * step
            # The line u + v = offset, with u and v counted from the middle, cut to |u| <= width/2, |v| <= height/2.
            low, high = max(-width / 2, offset - height / 2), min(width / 2, offset + height / 2)
            if high - low < 0.01:
                continue
            middle_x, middle_y = x + width / 2, y + height / 2
            self.line(
                middle_x + low, middle_y + offset - low, middle_x + high, middle_y + offset - high,
                stroke=stroke, line=line,
            )  # fmt: skip
            if both:
                self.line(
                    middle_x + low, middle_y - offset + low, middle_x + high, middle_y - offset + high,
                    stroke=stroke, line=line,
                )  # fmt: skip

    def recoloured(self, change: Callable[[str], str]) -> Drawing:
        """The same drawing with every colour put through `change`."""

        def ink(paint: Paint) -> Paint:
            return replace(
                paint,
                fill=paint.fill and change(paint.fill),
                stroke=paint.stroke and change(paint.stroke),
            )

        def again(item: Item) -> Item:
            if isinstance(item, Group):
                return replace(item, drawing=item.drawing.recoloured(change))
            if isinstance(item, Text):
                return replace(item, fill=change(item.fill))
            return replace(item, paint=ink(item.paint))

        return Drawing(self.width, self.height, [again(item) for item in self.items])

    def paint(self, surface: Surface, x: float, y: float, *, turn: int = 0, scale: float = 1.0) -> None:
        """Paint on a page with the upper left corner at x, y."""
        surface.group(Group(self, x, y, turn % 360, scale))

    def svg(self, alt: str) -> str:
        """Inline SVG sized in mm, with `alt` as its text alternative. Text is in the families of `fonts`."""
        wide, high = _n(self.width), _n(self.height)
        size = f'width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}"'
        label = escape(alt)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">'
            f"<title>{label}</title>{''.join(_svg(item) for item in self.items)}</svg>"
        )

    def _inside(self, xs: Iterable[float], ys: Iterable[float], what: str) -> None:
        xs, ys = list(xs), list(ys)
        over = max(-min(xs), max(xs) - self.width, -min(ys), max(ys) - self.height)
        if over > 0.001:
            raise Fault(
                f"{what} reaches {over:.2f} mm out of its {self.width:.1f} x {self.height:.1f} mm drawing",
                "Shorten the text or give it more room",
            )


def cap(height: float) -> float:
    """The size at which capitals are `height` high."""
    return height / CAP_HEIGHT


def ink_saving(colour: str) -> str:
    """For `recoloured`: black for what must be seen, white for tints."""
    return WHITE if luminance(colour) > 0.5 else INK


def luminance(colour: str) -> float:
    """How light a colour prints in greyscale, 0 black to 1 white."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def tint(colour: str, part: float) -> str:
    """The colour mixed into white: `part` 1 is the colour, 0 is white."""
    return "#" + "".join(f"{round(255 - (255 - int(colour[i : i + 2], 16)) * part):02x}" for i in (1, 3, 5))


def path_data(shape: Shape) -> str:
    """The `d` of an SVG path."""
    return "".join(name + " ".join(map(_n, numbers)) for name, numbers in shape)


def _n(number: float) -> str:
    """A number as SVG has it: micrometres, no idle zeros, no minus zero."""
    return f"{round(number, 3) + 0.0:.3f}".rstrip("0").rstrip(".")


def _ink(paint: Paint) -> str:
    said = f' fill="{paint.fill or "none"}"'
    if paint.stroke:
        said += f' stroke="{paint.stroke}" stroke-width="{_n(paint.line)}"'
        if paint.dash:
            said += f' stroke-dasharray="{" ".join(map(_n, paint.dash))}"'
    return said


def _svg(item: Item) -> str:
    if isinstance(item, Rect):
        corner = f' rx="{_n(item.radius)}" ry="{_n(item.radius)}"' if item.radius else ""
        at = f'x="{_n(item.x)}" y="{_n(item.y)}" width="{_n(item.width)}" height="{_n(item.height)}"'
        return f"<rect {at}{corner}{_ink(item.paint)}/>"
    if isinstance(item, Line):
        at = f'x1="{_n(item.x1)}" y1="{_n(item.y1)}" x2="{_n(item.x2)}" y2="{_n(item.y2)}"'
        return f"<line {at}{_ink(item.paint)}/>"
    if isinstance(item, Path):
        return f'<path d="{path_data(item.shape)}"{_ink(item.paint)}/>'
    if isinstance(item, Text):
        family = fonts.SYMBOLS if item.face == "symbols" else fonts.TEXT
        style = ' font-weight="700"' if item.face.startswith("bold") else ""
        style += ' font-style="italic"' if item.face.endswith("italic") else ""
        # A viewer drops blanks at either end of a text, and what follows would close up.
        shown = item.text.lstrip(" ")
        x = item.x + fonts.width(" " * (len(item.text) - len(shown)), item.size, item.face)
        return (
            f'<text x="{_n(x)}" y="{_n(item.y)}" font-family="{family}" font-size="{_n(item.size)}"'
            f'{style} fill="{item.fill}">{escape(shown.rstrip())}</text>'
        )
    inner = "".join(_svg(part) for part in item.drawing.items)
    return f'<g transform="{svg_transform(item)}">{inner}</g>'


def matrix(item: Group) -> tuple[float, float, float, float, float, float]:
    """The transformation of a group, y down: a point u, v of the drawing lies at a*u + c*v + e, b*u + d*v + f."""
    wide, high, s = item.drawing.width, item.drawing.height, item.scale
    return {
        0: (s, 0.0, 0.0, s, item.x, item.y),
        90: (0.0, s, -s, 0.0, item.x + high * s, item.y),
        180: (-s, 0.0, 0.0, -s, item.x + wide * s, item.y + high * s),
        270: (0.0, -s, s, 0.0, item.x, item.y + wide * s),
    }[item.turn]


def svg_transform(item: Group) -> str:
    """The transformation of a group as SVG writes it."""
    return f"matrix({' '.join(map(_n, matrix(item)))})"
