"""Mats with true card places, laid over as many sheets as they need, at 100 % and never smaller.

A mat is parted only between places. Sheets meet edge to edge: the joint is a cut line on the sheet that lies on top,
and, where the paper leaves 5 mm, a tab to glue on the one below. Half arrows on both sides of a joint show how the
sheets belong together; every sheet shows which of them it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Literal

from kit.faults import USAGE, Fault
from kit.paper import fonts, symbols
from kit.paper.canvas import Canvas
from kit.paper.drawing import INK, PT, WHITE, Drawing, tint
from kit.paper.expect import Box, Expect, Made
from kit.paper.ruler import INCH, STRIP, ruler_strip, strip_boxes
from kit.paper.sizes import DEAD_MARGIN, Size

LINE = 0.4  # of places, mm
TAB = 5.0  # to glue on
_BAND = STRIP.height + 0.2  # what words and ruler need above and below the mat
_BESIDE = 3.4  # what words beside a joint need
_INSET = 2.0  # of a ruler that lies within the mat
_COLOUR = "#555555"


@dataclass(frozen=True)
class Place:
    """A rectangle of the mat in mm: `place` is exactly a card's size, a `strip` is a marked area, a `note` has no edge.

    The label stands in the upper left corner of a place and lengthwise in a strip; `drawing` fills the rectangle.
    """

    x: float
    y: float
    width: float
    height: float
    label: str = ""
    what: Literal["place", "strip", "note"] = "place"
    drawing: Drawing | None = None


@dataclass(frozen=True)
class Mat:
    """Places on a surface of that width and height; nothing else is drawn, so nothing else can be cut through."""

    width: float
    height: float
    places: tuple[Place, ...]
    accent: str = INK


@dataclass(frozen=True)
class MatWords:
    """The words of a mat, in the reader's language; `sheets` holds one text a sheet."""

    title: str
    print_at: str
    sheets: tuple[str, ...]
    cut: str = ""  # beside a joint: cut here
    glue: str = ""  # on a tab: glue here
    plan: str = ""  # heading of the assembly picture; without it there is no such page
    inch: str = INCH  # the unit of the inch rulers


@dataclass(frozen=True)
class Tiling:
    """How a mat is parted: the x and y where parts begin and end, and the paper as it lies.

    Words stand above and below the mat, or with `sides`, where it takes all the height, at its right.
    """

    paper: Size
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    sides: bool = False

    @property
    def reserve(self) -> tuple[float, float, float, float]:
        """What is kept free of the mat at the left, above, at the right and below."""
        return _reserve(self.sides)

    @property
    def count(self) -> int:
        """How many sheets it takes."""
        return (len(self.xs) - 1) * (len(self.ys) - 1)

    def cells(self) -> list[tuple[int, int]]:
        """Column and row of each sheet, in reading order."""
        return [(column, row) for row in range(len(self.ys) - 1) for column in range(len(self.xs) - 1)]


def _reserve(sides: bool) -> tuple[float, float, float, float]:
    band = DEAD_MARGIN + _BAND
    return (band, DEAD_MARGIN, band, DEAD_MARGIN) if sides else (band, band, DEAD_MARGIN, band)


def tiling(mat: Mat, paper: Size) -> Tiling:
    """The fewest sheets, upright or across, that hold the mat parted between its places. Raises Fault when none do."""
    found = []
    for sides, (across, sheet) in product((False, True), enumerate((paper, paper.turned))):
        left, above, right, below = _reserve(sides)
        xs = _parts(mat.width, sheet.width - left - right, [(p.x, p.x + p.width) for p in mat.places])
        ys = _parts(mat.height, sheet.height - above - below, [(p.y, p.y + p.height) for p in mat.places])
        if xs and ys and not (sides and xs[1] < STRIP.width + 2 * _INSET):
            one = Tiling(sheet, xs, ys, sides)
            found.append((one.count, sides, across, one))
    if not found:
        raise Fault(
            f"a mat of {mat.width:.0f} x {mat.height:.0f} mm cannot be parted between its places on this paper",
            "Choose smaller cards or other paper", code=USAGE,
        )  # fmt: skip
    return min(found, key=lambda one: one[:3])[3]


def _parts(length: float, room: float, spans: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """Where to part `length` into the fewest parts of at most `room`, no span cut through, as even as can be."""
    free = sorted({end + gap / 2 for end, gap in _gaps(spans)})
    for joints in range(len(free) + 1):
        best: tuple[float, tuple[float, ...]] | None = None
        for chosen in combinations(free, joints):
            edges = (0.0, *chosen, length)
            longest = max(b - a for a, b in pairwise(edges))
            if longest <= room + 1e-6 and (best is None or longest < best[0] - 1e-6):
                best = (longest, edges)
        if best:
            return best[1]
    return ()


def _gaps(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The gaps that no span reaches into, as (start, width); places that touch leave one of width 0."""
    gaps, reached = [], None
    for start, end in sorted(spans):
        if reached is not None and start >= reached - 1e-6:
            gaps.append((reached, max(0.0, start - reached)))
        reached = end if reached is None else max(reached, end)
    return gaps


def mat_sheets(mat: Mat, paper: Size, words: MatWords, *, lang: str) -> Made:
    """The mat on its sheets, row by row. Raises Fault when it cannot be parted, or a word does not fit."""
    tiles = tiling(mat, paper)
    if len(words.sheets) != tiles.count:
        raise Fault(f"the mat takes {tiles.count} sheets, and {len(words.sheets)} are worded", code=4)
    canvas = Canvas(tiles.paper, lang=lang, title=words.title)
    boxes: list[Box] = []
    texts: list[tuple[int, str]] = []
    started = bool(words.plan)
    if words.plan:
        canvas.paint(_plan_page(mat, tiles, words.plan), 0, 0)
    for number, (column, row) in enumerate(tiles.cells()):
        page = canvas.page() if started else canvas.pages
        started = True
        tile = _Tile(mat, tiles, column, row)
        sheet = Drawing(*tiles.paper)
        across, down = _margins(sheet, tile, words, number)
        boxes += _places(sheet, page, tile)
        _joints(sheet, tile, words)  # like the rulers they may have to lie on a place
        sheet.place(ruler_strip(inch=words.inch), *across)
        sheet.place(ruler_strip(inch=words.inch), *down, turn=270)
        boxes += [*strip_boxes(page, *across), *strip_boxes(page, *down, 270)]
        canvas.paint(sheet, 0, 0)
        texts += [(page, words.sheets[number]), (page, words.print_at)]
    expect = Expect(
        tiles.paper.width, tiles.paper.height, lang, words.title, "simplex", pages=canvas.pages, boxes=tuple(boxes),
        texts=tuple(texts),
    )  # fmt: skip
    return Made(canvas.finish(), expect)


class _Tile:
    """One sheet of a tiling: its part of the mat and where that lies on the paper."""

    def __init__(self, mat: Mat, tiles: Tiling, column: int, row: int) -> None:
        self.mat, self.tiles, self.column, self.row = mat, tiles, column, row
        self.x0, self.x1 = tiles.xs[column], tiles.xs[column + 1]
        self.y0, self.y1 = tiles.ys[row], tiles.ys[row + 1]
        self.width, self.height = self.x1 - self.x0, self.y1 - self.y0
        # In the middle of the paper, unless that leaves no room for words and rulers or for a tab.
        paper, (before, above, after, below) = tiles.paper, tiles.reserve
        self.left = max((paper.width - self.width) / 2, before)
        self.top = max((paper.height - self.height) / 2, above)
        for_tab = paper.width - after - TAB - self.width, paper.height - below - TAB - 0.5 - self.height
        if self.joins["right"] and for_tab[0] >= before:
            self.left = min(self.left, for_tab[0])
        if self.joins["bottom"] and for_tab[1] >= above:
            self.top = min(self.top, for_tab[1])

    @property
    def joins(self) -> dict[str, bool]:
        """Which of its sides are joints."""
        columns, rows = len(self.tiles.xs) - 1, len(self.tiles.ys) - 1
        return {
            "left": self.column > 0, "right": self.column < columns - 1,
            "top": self.row > 0, "bottom": self.row < rows - 1,
        }  # fmt: skip

    def on_paper(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x - self.x0, self.top + y - self.y0

    def places(self) -> list[Place]:
        """The places that lie in it, and they do so whole."""
        return [
            place
            for place in self.mat.places
            if self.x0 - 1e-6 <= place.x and place.x + place.width <= self.x1 + 1e-6
            and self.y0 - 1e-6 <= place.y and place.y + place.height <= self.y1 + 1e-6
        ]  # fmt: skip

    def free(self, side: str) -> float:
        """The room outside that side of the mat that nothing else needs."""
        paper, (before, above, after, below) = self.tiles.paper, self.tiles.reserve
        return {
            "left": self.left - before,
            "top": self.top - above,
            "right": paper.width - after - self.left - self.width,
            "bottom": paper.height - below - 0.5 - self.top - self.height,
        }[side]

    def tab(self, side: str) -> bool:
        """Whether a tab fits outside that joint (they are only at the right and below: the next sheet covers them)."""
        return side in ("right", "bottom") and self.joins[side] and self.free(side) >= TAB - 1e-6

    def worded(self, side: str) -> bool:
        """Whether there is room for words beside that joint."""
        return self.joins[side] and self.free(side) >= _BESIDE

    def head(self, words: MatWords, number: int) -> str:
        """What the sheet says of itself; also how to join it, where there is no room for that beside the joint."""
        crowded = any(self.joins[side] and not self.tab(side) and not self.worded(side) for side in self.joins)
        return f"{words.sheets[number]} · ✂ {words.cut}" if crowded and words.cut else words.sheets[number]


def _places(sheet: Drawing, page: int, tile: _Tile) -> list[Box]:
    boxes = []
    for place in tile.places():
        x, y = tile.on_paper(place.x, place.y)
        if place.drawing is not None:
            sheet.place(place.drawing, x, y)
        if place.what == "place":
            sheet.rect(x, y, place.width, place.height, stroke=_COLOUR, line=LINE)
            if place.label:
                size = min(12 * PT, place.width / 4)
                sheet.text(x + 3, y + 3 + size * 0.7, place.label, size, face="bold", fill=_COLOUR,
                           width=place.width - 6, least=7 * PT)  # fmt: skip
        elif place.what == "strip":
            _strip(sheet, x, y, place, tile.mat.accent)
        elif place.label:
            sheet.paragraph(x, y, place.label, 10 * PT, place.width)
        if place.what != "note":
            boxes.append(Box(page, x, y, place.width, place.height, place.what, place.label))
    return boxes


def _strip(sheet: Drawing, x: float, y: float, place: Place, accent: str) -> None:
    """A narrow strip, tinted so that nobody takes it for a place, its label lengthwise."""
    sheet.rect(x, y, place.width, place.height, fill=tint(accent, 0.13), stroke=accent, line=LINE)
    upright = place.height > place.width
    long, short = max(place.width, place.height), min(place.width, place.height)
    label = Drawing(long, short)
    size = min(10 * PT, short * 0.62)
    label.text(long / 2, short / 2 + size * 0.25, place.label, size, face="bold", align="centre", width=long - 4,
               least=6 * PT)  # fmt: skip
    sheet.place(label, x, y, turn=90 if upright else 0)


def _joints(sheet: Drawing, tile: _Tile, words: MatWords) -> None:
    """Cut lines, tabs and half arrows at the sides where another sheet joins."""
    left, top, right, bottom = tile.left, tile.top, tile.left + tile.width, tile.top + tile.height
    edges = {
        "left": (left, top, left, bottom), "right": (right, top, right, bottom),
        "top": (left, top, right, top), "bottom": (left, bottom, right, bottom),
    }  # fmt: skip
    for side, (x1, y1, x2, y2) in edges.items():
        if not tile.joins[side]:
            continue
        if tile.tab(side):
            _tab(sheet, side, x1, y1, x2, y2, words.glue)
        elif tile.worded(side):
            _cut(sheet, side, x1, y1, x2, y2, words.cut)
        sheet.line(x1, y1, x2, y2, stroke=_COLOUR, line=0.2, dash=(2.0, 1.0))
        for part in (0.2, 0.5, 0.8):
            x, y = x1 + part * (x2 - x1), y1 + part * (y2 - y1)
            inward = {"left": (1, 0), "right": (-1, 0), "top": (0, 1), "bottom": (0, -1)}[side]
            _half_arrow(sheet, x, y, *inward)


def _half_arrow(sheet: Drawing, x: float, y: float, dx: int, dy: int) -> None:
    """A triangle with its base on the joint: with its mirror image on the other sheet it makes a lozenge."""
    half = 1.6
    base = ((x - dy * half, y - dx * half), (x + dy * half, y + dx * half))
    sheet.path(symbols.polygon([*base, (x + dx * 2.4, y + dy * 2.4)]), fill=_COLOUR)


def _tab(sheet: Drawing, side: str, x1: float, y1: float, x2: float, y2: float, word: str) -> None:
    inset, size = 3.0, 7 * PT
    if side == "right":
        sheet.diagonals(x1, y1 + inset, TAB, y2 - y1 - 2 * inset, 2.5, stroke=tint(_COLOUR, 0.4), line=0.15)
        sheet.rect(x1, y1 + inset, TAB, y2 - y1 - 2 * inset, stroke=_COLOUR, line=0.15)
    else:
        sheet.diagonals(x1 + inset, y1, x2 - x1 - 2 * inset, TAB, 2.5, stroke=tint(_COLOUR, 0.4), line=0.15)
        sheet.rect(x1 + inset, y1, x2 - x1 - 2 * inset, TAB, stroke=_COLOUR, line=0.15)
    if word:
        label = Drawing(fonts.width(word, size) + 2, 3.6)
        label.rect(0, 0, label.width, label.height, fill=WHITE)
        label.text(1, 2.6, word, size)
        if side == "right":
            sheet.place(label, x1 + 0.7, (y1 + y2 - label.width) / 2, turn=90)
        else:
            sheet.place(label, (x1 + x2 - label.width) / 2, y1 + 0.7)


def _cut(sheet: Drawing, side: str, x1: float, y1: float, x2: float, y2: float, word: str) -> None:
    """Scissors and a word just outside the joint, on what is cut away."""
    size = 7 * PT
    text = f"✂ {word}".strip()
    label = Drawing(fonts.width(text, size), 2.4)
    label.text(0, 2.0, text, size)
    if side == "left":
        sheet.place(label, x1 - 3.2, y1 + 4, turn=90)
    elif side == "right":
        sheet.place(label, x1 + 0.8, y1 + 4, turn=90)
    else:
        sheet.place(label, x1 + 4, y1 - 3.2 if side == "top" else y1 + 0.8)


Corner = tuple[float, float]


def _margins(sheet: Drawing, tile: _Tile, words: MatWords, number: int) -> tuple[Corner, Corner]:
    """Which sheet it is, how the sheets lie together, the 100 % line; gives where rulers go, across and down."""
    beside = STRIP.height + (_BESIDE if tile.worded("left") else 0.2)
    down = (tile.left - beside - min(2.0, tile.left - DEAD_MARGIN - beside), tile.top)
    across = (_side_band if tile.tiles.sides else _level_bands)(sheet, tile, words, number)
    return across, down


_EDGE, _SMALL = 10.0, 7.5 * PT  # where words begin, and their size


def _level_bands(sheet: Drawing, tile: _Tile, words: MatWords, number: int) -> tuple[float, float]:
    """Words above and below the mat; gives the place of the level ruler."""
    paper = tile.tiles.paper
    free = tile.top - DEAD_MARGIN - (_BESIDE if tile.worded("top") else 0.2)
    right = paper.width - _EDGE
    if tile.tiles.count > 1:
        icon = assembly(tile.mat, tile.tiles, min(12.0, free - 0.2), number)
        sheet.place(icon, right - icon.width, DEAD_MARGIN + 0.2)
        right -= icon.width + 4
    sheet.text(_EDGE, DEAD_MARGIN + min(free, 7) / 2 + 0.9, tile.head(words, number), _SMALL,
               width=right - _EDGE, least=5.5 * PT)  # fmt: skip
    foot = paper.height - DEAD_MARGIN - STRIP.height
    left = max(_EDGE, tile.left) if tile.left + 170 < paper.width else _EDGE
    sheet.text(left + STRIP.width + 6, foot + STRIP.height / 2 + 0.9, words.print_at, _SMALL, face="bold",
               width=paper.width - left - STRIP.width - 6 - _EDGE, least=5.5 * PT)  # fmt: skip
    return left, foot


def _side_band(sheet: Drawing, tile: _Tile, words: MatWords, number: int) -> tuple[float, float]:
    """Words downwards at the right of the mat; the level ruler must lie within it, at the foot of its first places."""
    paper = tile.tiles.paper
    band = Drawing(paper.height - 2 * _EDGE, STRIP.height)
    right = band.width
    if tile.tiles.count > 1:
        icon = assembly(tile.mat, tile.tiles, (STRIP.height - 0.4) * tile.mat.height / tile.mat.width, number)
        band.place(icon, right - icon.height, 0.2, turn=270)  # upright again when the band is turned
        right -= icon.height + 4
    half = (right - 6) / 2
    band.text(0, STRIP.height / 2 + 0.9, tile.head(words, number), _SMALL, width=half, least=5.5 * PT)
    band.text(half + 6, STRIP.height / 2 + 0.9, words.print_at, _SMALL, face="bold", width=half, least=5.5 * PT)
    sheet.place(band, paper.width - DEAD_MARGIN - STRIP.height, _EDGE, turn=90)
    first = min(tile.places(), key=lambda place: (place.y, place.x))
    return tile.left + _INSET, tile.on_paper(first.x, first.y + first.height)[1] - _INSET - STRIP.height


def assembly(mat: Mat, tiles: Tiling, height: float, here: int | None = None, ground: str | None = WHITE) -> Drawing:
    """How the sheets lie together, in that height: numbered, the sheet `here` (from 0) filled."""
    scale = height / mat.height
    picture = Drawing(mat.width * scale, height)
    for number, (column, row) in enumerate(tiles.cells()):
        x, y = tiles.xs[column] * scale, tiles.ys[row] * scale
        wide = (tiles.xs[column + 1] - tiles.xs[column]) * scale
        high = (tiles.ys[row + 1] - tiles.ys[row]) * scale
        filled = number == here
        picture.rect(x, y, wide, high, fill=_COLOUR if filled else ground, stroke=_COLOUR, line=0.2 if ground else 0.6)
        size = min(high * 0.7, wide * 0.8, 24.0)
        if size >= 5.5 * PT:  # below that the place alone must tell
            picture.text(x + wide / 2, y + high / 2 + size * 0.335, str(number + 1), size, face="bold",
                         align="centre", fill=WHITE if filled else INK)  # fmt: skip
    return picture


def _plan_page(mat: Mat, tiles: Tiling, heading: str) -> Drawing:
    """The assembly picture on a page of its own, the places drawn in."""
    page, margin = Drawing(*tiles.paper), 15.0
    y = page.paragraph(margin, margin, heading, 16 * PT, tiles.paper.width - 2 * margin, face="bold") + 8
    scale = min((tiles.paper.width - 2 * margin) / mat.width, (tiles.paper.height - margin - y) / mat.height)
    outline = Drawing(mat.width * scale, mat.height * scale)
    for place in mat.places:
        if place.what != "note":
            outline.rect(place.x * scale, place.y * scale, place.width * scale, place.height * scale,
                         stroke="#999999", line=0.15)  # fmt: skip
    page.place(outline, margin, y)
    picture = assembly(mat, tiles, mat.height * scale, ground=None)
    page.place(picture, margin, y)
    return page


def row_mat(card: Size, paper: Size, rows: Sequence[str], places: int, strip: str, accent: str = INK) -> Mat:
    """Rows of places, with a narrow marked strip at each row's end: as roomy as the fewest sheets allow.

    `rows` are the rows' labels, `strip` the word on the strips.
    """
    choices = []
    for gap, narrow in ((2.5, 10.0), (2.0, 9.0), (1.5, 8.0), (1.0, 6.6)):
        mat = _row_mat(card, rows, places, strip, accent, gap, narrow)
        try:
            choices.append((tiling(mat, paper).count, -gap, mat))
        except Fault as fault:
            refused = fault
    if not choices:
        raise refused
    return min(choices, key=lambda choice: choice[:2])[2]


def _row_mat(card: Size, rows: Sequence[str], places: int, strip: str, accent: str, gap: float, narrow: float) -> Mat:
    step_x, step_y = card.width + gap, card.height + gap
    found: list[Place] = []
    for row, label in enumerate(rows):
        found += [Place(column * step_x, row * step_y, *card, label if column == 0 else "") for column in range(places)]
        found.append(Place(places * step_x, row * step_y, narrow, card.height, strip, "strip"))
    return Mat(places * step_x + narrow, len(rows) * step_y - gap, tuple(found), accent)
