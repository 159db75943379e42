"""What a finished PDF draws, read from its bytes: texts, fills and straight edges in mm, in the order of painting.

An interpreter of the drawing operators, for measuring and not for show: it follows the coordinate systems, clip paths,
form XObjects, colours and transparency, and gives each text its real glyphs. Lengths are mm from the top left corner of
the page as it is seen (turned as /Rotate says).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from kit.faults import Fault
from kit.paper.glyphs import Font
from kit.paper.layout import Rect, meet

MM = 25.4 / 72
NESTED = 12  # forms within forms; deeper is a loop
THIN = 0.6  # mm: a filled rectangle no wider than this is a line, and stands where its middle is
Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Colour = tuple[float, float, float] | None  # None: a pattern
BLACK = (0.0, 0.0, 0.0)

_STRING = rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)"
_TOKEN = re.compile(
    rb"(?:[\s\x00]|%[^\r\n]*)*(?:"
    rb"([-+]?(?:\d+\.?\d*|\.\d+))"  # 1 number
    rb"|(\[(?:[^\[\]()<>]|<[0-9A-Fa-f\s]*>|" + _STRING + rb")*\])"  # 2 array without arrays
    rb"|(/[^\s/<>\[\](){}%]*)"  # 3 name
    rb"|([A-Za-z'\"][A-Za-z0-9*]*)"  # 4 operator
    rb"|(<[0-9A-Fa-f\s]*>)"  # 5 string in hex
    rb"|(" + _STRING + rb")"  # 6 string
    rb"|(<<|>>|\[|\]))",
    re.S,
)
_SHOWN = re.compile(rb"<([0-9A-Fa-f\s]*)>|(" + _STRING + rb")|([-+]?(?:\d+\.?\d*|\.\d+))", re.S)
_HEXED = re.compile(rb"<[0-9A-Fa-f\s]*>")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.S)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\r\n": b"", b"\n": b"", b"\r": b""}
_INLINE = re.compile(rb"(?<!\S)BI\s.*?\sID\s.*?\sEI(?!\S)", re.S)
_MARKED = re.compile(rb"^(?:/\w+\n(?:<</MCID \d+>>\n)?B[DM]C|EMC)$\n?", re.M)  # tags, as WeasyPrint writes them
_WHITE = re.compile(rb"[\s\x00]*(?:%[^\r\n]*[\s\x00]*)*")


class Edge(NamedTuple):
    """A straight line along an axis: at `at`, from `start` to `end`."""

    at: float
    start: float
    end: float
    ink: bool = True  # False: white on paper, the side of a white area


@dataclass(slots=True)
class Fill:
    """An area of paint. `opaque`: nothing shows through; `lines`: its outline, flattened."""

    order: int
    rect: Rect
    lines: list[list[Point]]
    colour: Colour
    opaque: bool
    even_odd: bool = False

    @property
    def inked(self) -> bool:
        """Whether it is seen on white paper."""
        return _inked(self.colour)

    def holds(self, x: float, y: float) -> bool:
        """Whether the point is painted."""
        winding = crossings = 0
        for line in self.lines:
            x0, y0 = line[-1]
            for x1, y1 in line:
                if (y0 <= y) != (y1 <= y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
                    crossings += 1
                    winding += 1 if y1 > y0 else -1
                x0, y0 = x1, y1
        return bool(crossings % 2 if self.even_odd else winding)


@dataclass(slots=True)
class Text:
    """A run of text as shown by one operator. `rect` holds the ink; `visible` is False for text that leaves none."""

    order: int
    text: str
    rect: Rect
    size: float  # pt on paper
    font: Font
    colour: Colour
    clip: Rect
    visible: bool
    missing: tuple[str, ...] = ()  # what stands there without a glyph


@dataclass
class Content:
    """What one page draws."""

    width: float
    height: float
    texts: list[Text] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)
    fonts: dict[str, Font] = field(default_factory=dict)
    outlines: list[tuple[list[Point], Rect, bool]] = field(default_factory=list)  # with their clip, and whether inked

    @cached_property
    def upright(self) -> list[Edge]:
        """The upright edges, sorted; worked out only for those who ask, since most pages have nothing to cut out."""
        return sorted(
            Edge((x0 + x1) / 2, start, end, ink)
            for line, clip, ink in self.outlines
            for (x0, y0), (x1, y1) in pairwise(line)
            if abs(x0 - x1) < 0.01
            and (end := min(max(y0, y1), clip.bottom)) - (start := max(min(y0, y1), clip.top)) > 0.05
            and clip.left - 0.01 <= x0 <= clip.right + 0.01
        )

    @cached_property
    def level(self) -> list[Edge]:
        """The level edges, sorted."""
        return sorted(
            Edge((y0 + y1) / 2, start, end, ink)
            for line, clip, ink in self.outlines
            for (x0, y0), (x1, y1) in pairwise(line)
            if abs(y0 - y1) < 0.01
            and (end := min(max(x0, x1), clip.right)) - (start := max(min(x0, x1), clip.left)) > 0.05
            and clip.top - 0.01 <= y0 <= clip.bottom + 0.01
        )


def times(one: Matrix, two: Matrix) -> Matrix:
    """First `one`, then `two`."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


@dataclass(slots=True)
class _State:
    ctm: Matrix
    clip: Rect
    fill: Colour = BLACK
    stroke: Colour = BLACK
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0
    plain: bool = True  # no mask and no blending
    line: float = 1.0
    font: Font | None = None
    size: float = 0.0
    spacing: float = 0.0
    word: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def again(self) -> _State:
        """A copy; spelled out, since there is one for each q."""
        return _State(
            self.ctm, self.clip, self.fill, self.stroke, self.fill_alpha, self.stroke_alpha, self.plain, self.line,
            self.font, self.size, self.spacing, self.word, self.stretch, self.leading, self.rise, self.mode,
        )  # fmt: skip


class Reader:
    """Reads the pages of one open PDF; fonts and forms are read once."""

    def __init__(self) -> None:
        self.fonts: dict[Any, Font] = {}
        self.tokens: dict[Any, list[Token]] = {}

    def page(self, page: Any) -> Content:
        """What a pikepdf page draws. Raises Fault when its content cannot be read to the end."""
        import pikepdf

        box = [float(side) for side in page.cropbox]
        left, bottom, right, top = min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3])
        unit = MM * float(page.obj.get("/UserUnit", 1))
        width, height = (right - left) * unit, (top - bottom) * unit
        turn = int(page.obj.get("/Rotate", inherited(page.obj, "/Rotate", 0))) % 360
        ctm: Matrix = {
            0: (unit, 0.0, 0.0, -unit, -left * unit, top * unit),
            90: (0.0, unit, unit, 0.0, -bottom * unit, -left * unit),
            180: (-unit, 0.0, 0.0, unit, right * unit, -bottom * unit),
            270: (0.0, -unit, -unit, 0.0, top * unit, right * unit),
        }[turn]
        if turn in (90, 270):
            width, height = height, width
        content = Content(width, height)
        data = page.obj.get("/Contents")
        parts = [] if data is None else list(data) if isinstance(data, pikepdf.Array) else [data]
        stream = b"\n".join(part.read_bytes() for part in parts)
        state = _State(ctm, Rect(0, 0, width, height))
        _Run(self, content).run(_tokens(stream), inherited(page.obj, "/Resources", {}), state, 0)
        return content

    def font(self, data: Any) -> Font:
        key = data.objgen if data.objgen != (0, 0) else id(data)
        if key not in self.fonts:
            self.fonts[key] = Font(data)
        return self.fonts[key]

    def form(self, data: Any) -> list[Token]:
        key = data.objgen if data.objgen != (0, 0) else id(data)
        if key not in self.tokens:
            self.tokens[key] = _tokens(data.read_bytes())
        return self.tokens[key]


def inherited(page: Any, key: str, default: Any) -> Any:
    """An attribute that a page may have from the page tree above it."""
    for _ in range(50):
        if key in page:
            return page[key]
        if "/Parent" not in page:
            break
        page = page["/Parent"]
    return default


Token = tuple[bytes, list[Any]]


def _tokens(data: bytes) -> list[Token]:
    """The operators of a content stream with their operands: numbers as float, the rest as bytes. Raises Fault."""
    if b"BI" in data:
        data = _INLINE.sub(b" /\x01inline Do ", data)
    data = _MARKED.sub(b"", data)
    found: list[Token] = []
    pending: list[Any] = []
    for line in data.splitlines():  # most lines are one operator with plain operands, and quickly read as that
        words = line.split()
        if not words:
            continue
        operator = words[-1]
        if not pending:
            try:
                if operator in _NUMERIC:
                    found.append((operator, [*map(float, words[:-1])]))
                    continue
                if operator == b"d":  # dashes: no matter here, if that is all the line says
                    _ = [*map(float, line[:-1].translate(_BRACKETS).split())]
                    continue
                if operator in _NAMED and words[0].startswith(b"/") and b"(" not in line:
                    found.append((operator, [words[0], *map(float, words[1:-1])]))
                    continue
            except ValueError:
                pass
            if line.startswith(b"[<") and line.endswith(b"] TJ") and line.count(b"[") == 1 and b"(" not in line:
                found.append((b"TJ", [line[:-3]]))
                continue
        if _scan(line, found, pending) != len(line):
            break
    else:
        return found
    found, pending = [], []  # something spans lines
    end = _scan(data, found, pending)
    if end != len(data):
        raise Fault(f"the drawing cannot be read from byte {end} on", "Build it again")
    return found


def _scan(data: bytes, found: list[Token], operands: list[Any]) -> int:
    """Read tokens into `found`, keep operands without an operator in `operands`; returns how far it came."""
    end = 0
    for match in _TOKEN.finditer(data):
        if match.start() != end:
            break
        end = match.end()
        kind = match.lastindex
        if kind == 1:
            operands.append(float(match[1]))
        elif kind == 4:
            found.append((match[4], operands[:]))
            operands.clear()
        else:
            operands.append(match[kind or 0])
    return len(data) if _WHITE.fullmatch(data, end) else end


class _Run:
    """One reading of a stream of operators."""

    def __init__(self, reader: Reader, content: Content) -> None:
        self.reader, self.content = reader, content
        self.order = 0
        self.path: list[list[Point]] = []
        self.square = True  # the path is rectangles along the axes
        self.clipping = False
        self.tm: Matrix = (1, 0, 0, 1, 0, 0)
        self.tlm: Matrix = self.tm

    def run(self, tokens: Iterable[Token], resources: Any, state: _State, depth: int) -> None:
        stack: list[_State] = []
        at: Point = (0.0, 0.0)
        for operator, args in tokens:
            if operator in _IGNORED:
                continue
            if operator == b"q":
                stack.append(state.again())
            elif operator == b"Q":
                state = stack.pop() if stack else state
            elif operator == b"cm":
                state.ctm = times(tuple(args), state.ctm)
            elif operator == b"re":
                x, y, w, h = args
                self.path.append(
                    [self._at(state, *p) for p in ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y))]
                )
                at = (x, y)
            elif operator == b"m":
                at = (args[0], args[1])
                self.path.append([self._at(state, *at)])
            elif operator == b"l":
                at = (args[0], args[1])
                self._last().append(self._at(state, *at))
            elif operator in (b"c", b"v", b"y"):
                points = [(args[i], args[i + 1]) for i in range(0, len(args), 2)]
                first, second, end = (
                    points if operator == b"c" else (at, *points) if operator == b"v" else (*points, points[-1])
                )
                self._curve([self._at(state, *p) for p in (at, first, second, end)])
                at = end
            elif operator == b"h":
                self._close()
            elif operator in _PAINTED:
                self._paint(state, *_PAINTED[operator])
            elif operator in (b"W", b"W*"):
                self.clipping = True
            elif operator == b"Tj":
                self._show(state, [args[0]])
            elif operator == b"TJ":
                self._show(state, args)
            elif operator in _TEXT:
                self._text(operator, args, state, resources)
            elif operator == b"w":
                state.line = args[0]
            elif operator in _COLOURS:
                self._colour(operator, args, state)
            elif operator == b"gs":
                self._graphics(resources.ExtGState[args[0].decode("latin-1")], state)
            elif operator == b"Do":
                self._draw(args[0], resources, state, depth)
            elif operator == b"sh":
                self._area(state, None)

    # paths

    @staticmethod
    def _at(state: _State, x: float, y: float) -> Point:
        a, b, c, d, e, f = state.ctm
        return a * x + c * y + e, b * x + d * y + f

    def _last(self) -> list[Point]:
        if not self.path:
            self.path.append([])
        return self.path[-1]

    def _curve(self, points: list[Point]) -> None:
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
        line = self._last()
        for step in range(1, 7):
            t = step / 6
            u = 1 - t
            p, q, r, s = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
            line.append((p * x0 + q * x1 + r * x2 + s * x3, p * y0 + q * y1 + r * y2 + s * y3))

    def _close(self) -> None:
        if self.path and self.path[-1]:
            self.path[-1].append(self.path[-1][0])
            self.path.append([self.path[-1][0]])

    def _paint(self, state: _State, filled: bool, stroked: bool, closed: bool, even_odd: bool) -> None:
        if closed:
            self._close()
        lines = [line for line in self.path if len(line) > 1]
        if filled and lines and state.fill_alpha > 0:
            self._fill(state, lines, even_odd)
        if stroked and lines and state.stroke_alpha > 0:
            self._stroke(state, lines)
        if self.clipping:
            state.clip = meet(state.clip, _bounds(lines)) if lines else Rect(0, 0, -1, -1)
            self.clipping = False
        self.path = []

    def _fill(self, state: _State, lines: list[list[Point]], even_odd: bool) -> None:
        self.order += 1
        rect = meet(_bounds(lines), state.clip)
        if rect.width < 0 or rect.height < 0:
            return
        opaque = state.plain and state.fill_alpha > 0.95 and state.fill is not None
        self.content.fills.append(Fill(self.order, rect, lines, state.fill, opaque, even_odd))
        ink = _inked(state.fill)
        self.content.outlines += [([*line, line[0]], state.clip, ink) for line in lines]
        if ink and rect.width <= THIN < rect.height:
            x = (rect.left + rect.right) / 2
            self.content.outlines.append(([(x, rect.top), (x, rect.bottom)], state.clip, ink))
        elif ink and rect.height <= THIN < rect.width:
            y = (rect.top + rect.bottom) / 2
            self.content.outlines.append(([(rect.left, y), (rect.right, y)], state.clip, ink))

    def _stroke(self, state: _State, lines: list[list[Point]]) -> None:
        self.order += 1
        a, b, c, d, _, _ = state.ctm
        width = state.line * abs(a * d - b * c) ** 0.5
        if _inked(state.stroke):
            self.content.outlines += [(line, state.clip, True) for line in lines]
        opaque = state.plain and state.stroke_alpha > 0.95 and state.stroke is not None
        if width > THIN and opaque:  # a broad line can cover text as an area does
            for line in lines:
                for (x0, y0), (x1, y1) in pairwise(line):
                    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
                    if length > 0:
                        x, y = (y0 - y1) / length * width / 2, (x1 - x0) / length * width / 2
                        band = [(x0 + x, y0 + y), (x1 + x, y1 + y), (x1 - x, y1 - y), (x0 - x, y0 - y)]
                        rect = meet(_bounds([band]), state.clip)
                        self.content.fills.append(Fill(self.order, rect, [band], state.stroke, opaque))

    def _area(self, state: _State, colour: Colour) -> None:
        """Paint over all that the clip leaves."""
        self.order += 1
        left, top, right, bottom = state.clip
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        self.content.fills.append(
            Fill(self.order, state.clip, [corners], colour, state.plain and state.fill_alpha > 0.95)
        )

    # state

    def _colour(self, operator: bytes, args: list[Any], state: _State) -> None:
        numbers = [value for value in args if isinstance(value, float)]
        colour: Colour
        if operator in (b"cs", b"CS"):
            colour = BLACK
        elif len(numbers) == 1:
            colour = (numbers[0],) * 3
        elif len(numbers) == 3:
            colour = (numbers[0], numbers[1], numbers[2])
        elif len(numbers) == 4:
            c, m, y, k = numbers
            colour = ((1 - c) * (1 - k), (1 - m) * (1 - k), (1 - y) * (1 - k))
        else:
            colour = None
        if operator.islower():
            state.fill = colour
        else:
            state.stroke = colour

    @staticmethod
    def _graphics(wish: Any, state: _State) -> None:
        if "/ca" in wish:
            state.fill_alpha = float(wish["/ca"])
        if "/CA" in wish:
            state.stroke_alpha = float(wish["/CA"])
        if "/LW" in wish:
            state.line = float(wish["/LW"])
        if "/SMask" in wish:
            state.plain = str(wish["/SMask"]) == "/None"
        if "/BM" in wish and str(wish["/BM"]) not in ("/Normal", "/Compatible"):
            state.plain = False

    def _draw(self, name: bytes, resources: Any, state: _State, depth: int) -> None:
        """A picture covers its unit square; a form is read in its own coordinates and clip."""
        corners = [self._at(state, *corner) for corner in ((0, 0), (1, 0), (1, 1), (0, 1))]
        if name == b"/\x01inline":
            self._picture(state, corners, state.plain)
            return
        item = resources.XObject[name.decode("latin-1")]
        if str(item.get("/Subtype")) == "/Image":
            self._picture(state, corners, state.plain and "/SMask" not in item and "/Mask" not in item)
        elif depth < NESTED:
            inner = state.again()
            if "/Matrix" in item:
                a, b, c, d, e, f = (float(number) for number in item["/Matrix"])
                inner.ctm = times((a, b, c, d, e, f), inner.ctm)
            x0, y0, x1, y1 = (float(number) for number in item["/BBox"])
            inner.clip = meet(
                inner.clip, _bounds([[self._at(inner, *p) for p in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]])
            )
            kept, self.path = self.path, []
            texts = self.tm, self.tlm
            self.run(self.reader.form(item), item.get("/Resources", resources), inner, depth + 1)
            self.path, (self.tm, self.tlm) = kept, texts
        else:
            raise Fault("forms are nested in a circle", "Build it again")

    def _picture(self, state: _State, corners: list[Point], plain: bool) -> None:
        self.order += 1
        rect = meet(_bounds([corners]), state.clip)
        if rect.width > 0 and rect.height > 0:
            self.content.fills.append(Fill(self.order, rect, [corners], None, plain and state.fill_alpha > 0.95))

    # text

    def _text(self, operator: bytes, args: list[Any], state: _State, resources: Any) -> None:
        if operator == b"BT":
            self.tm = self.tlm = (1, 0, 0, 1, 0, 0)
        elif operator == b"Tm":
            self.tm = self.tlm = tuple(args)
        elif operator == b"Tf":
            font = resources.Font[args[0].decode("latin-1")]
            state.font, state.size = self.reader.font(font), args[1]
            self.content.fonts[args[0].decode("latin-1") + state.font.name] = state.font
        elif operator in (b"Td", b"TD"):
            if operator == b"TD":
                state.leading = -args[1]
            self._line(args[0], args[1])
        elif operator == b"T*":
            self._line(0, -state.leading)
        elif operator == b"'":
            self._line(0, -state.leading)
            self._show(state, args)
        elif operator == b'"':
            state.word, state.spacing = args[0], args[1]
            self._line(0, -state.leading)
            self._show(state, args[2:])
        else:
            name = {b"Tc": "spacing", b"Tw": "word", b"TL": "leading", b"Ts": "rise", b"Tr": "mode", b"Tz": "stretch"}[
                operator
            ]
            setattr(state, name, args[0] / 100 if operator == b"Tz" else args[0])

    def _line(self, x: float, y: float) -> None:
        self.tm = self.tlm = times((1, 0, 0, 1, x, y), self.tlm)

    def _show(self, state: _State, args: list[Any]) -> None:
        font, size = state.font, state.size
        if font is None or not args or not isinstance(args[0], bytes):
            return
        shown, moved = _strings(args[0])
        codes = font.codes(shown)
        advance = (sum(map(font.widths.__getitem__, codes)) - moved) / 1000 * size + len(codes) * state.spacing
        if state.word and not font.wide:
            advance += state.word * sum(code == 32 for code in codes)
        advance *= state.stretch
        if codes:
            self._shown(state, font, codes, advance)
        self.tm = times((1, 0, 0, 1, advance, 0), self.tm)

    def _shown(self, state: _State, font: Font, codes: Sequence[int], advance: float) -> None:
        self.order += 1
        size = state.size
        looks = [*map(font.looks.__getitem__, set(codes))]
        lacking = [look.lacking for look in looks if look.lacking]
        low = min([look.low for look in looks if look.ink], default=0.0)
        high = max([look.high for look in looks if look.ink], default=0.0)
        ink = high > low
        text = "".join(map(font.unicode.__getitem__, codes))
        matrix = times(self.tm, state.ctm)
        a, b, c, d, e, f = matrix
        x0, x1, y0, y1 = 0.0, advance, low * size + state.rise, high * size + state.rise
        corners = [(a * x + c * y + e, b * x + d * y + f) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        points = abs(size) * abs(a * d - b * c) ** 0.5 / MM
        shown = ink and state.mode not in (3, 7) and state.fill_alpha > 0.1
        if ink or lacking:
            self.content.texts.append(
                Text(
                    self.order,
                    text,
                    _bounds([corners]),
                    points,
                    font,
                    state.fill,
                    state.clip,
                    shown,
                    tuple(sorted(lacking)),
                )
            )


def _strings(shown: bytes) -> tuple[bytes, float]:
    """The bytes that an operand of Tj or TJ shows, and by how much its numbers move back, in thousandths."""
    if b"(" not in shown:
        shown = shown.replace(b">0<", b"")  # WeasyPrint writes one after each glyph
        moves = _HEXED.sub(b" ", shown.strip(b"[]")).split()
        return bytes.fromhex(b"".join(_HEXED.findall(shown)).translate(None, b"<>").decode()), sum(map(float, moves))
    parts, moved = [], 0.0
    for hexed, literal, number in _SHOWN.findall(shown):
        if number:
            moved += float(number)
        else:
            parts.append(_literal(literal) if literal else bytes.fromhex(hexed.decode()))
    return b"".join(parts), moved


def _literal(string: bytes) -> bytes:
    def plain(match: re.Match[bytes]) -> bytes:
        what = match[1]
        return bytes([int(what, 8) & 255]) if what[:1].isdigit() and what[:1] < b"8" else _ESCAPED.get(what, what)

    return _ESCAPE.sub(plain, string[1:-1]) if b"\\" in string else string[1:-1]


def _inked(colour: Colour) -> bool:
    """Whether a line of this colour is seen on white paper."""
    return colour is None or min(colour) < 0.97


def _bounds(lines: list[list[Point]]) -> Rect:
    xs = [point[0] for line in lines for point in line]
    ys = [point[1] for line in lines for point in line]
    return Rect(min(xs), min(ys), max(xs), max(ys))


def pages(pdf: Any) -> Iterator[Content]:
    """What each page of an open pikepdf.Pdf draws."""
    reader = Reader()
    for page in pdf.pages:
        yield reader.page(page)


_BRACKETS = bytes.maketrans(b"[]", b"  ")
_IGNORED = frozenset(b"BDC BMC EMC MP DP ET ri i d J j M BX EX d0 d1".split())
_NUMERIC = frozenset(
    b"q Q cm re m l c v y h f F f* S s B B* b b* n W W* rg RG g G k K w J j M Tr Tm Td TD BT ET".split()
)
_NAMED = frozenset(b"Tf gs Do cs CS".split())
_TEXT = frozenset(b"BT Tm Tf Td TD T* ' \" Tc Tw TL Ts Tr Tz".split())
_COLOURS = frozenset(b"rg RG g G k K sc SC scn SCN cs CS".split())
_PAINTED = {  # filled, stroked, closed first, even-odd
    b"f": (True, False, False, False), b"F": (True, False, False, False), b"f*": (True, False, False, True),
    b"S": (False, True, False, False), b"s": (False, True, True, False),
    b"B": (True, True, False, False), b"B*": (True, True, False, True),
    b"b": (True, True, True, False), b"b*": (True, True, True, True), b"n": (False, False, False, False),
}  # fmt: skip
