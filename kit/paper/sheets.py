"""Sheets of cards to cut out: fronts, mirrored backs, and the fold-over sheet for printers without duplex.

Cards lie edge to edge, as many as paper and card allow. Where a straight cut runs right across the sheet, both ends
of every later cut must still be seen on both strips. Marks in the margins alone do not do that: the first cut takes
one end of all cuts across it away. So each crossing of two cut lines bears a cross whose four arms run along the
lines: a strip is bounded by cut lines or by the paper's edge; where a later cut meets a cut line it meets it in a
crossing, and the arm on this side of it stays on the strip; where it runs out to the paper's edge, the outermost
crossing's arm, which reaches on into the margin, stays with it. The crosses lie on the cards' corners, 2.5 mm along
their edges, so no line is left along a card that was cut a little off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from kit.faults import USAGE, Fault
from kit.paper import fonts
from kit.paper.canvas import Canvas
from kit.paper.cards import Face
from kit.paper.drawing import PT, WHITE, Drawing
from kit.paper.expect import Box, Duplex, Expect, Made
from kit.paper.ruler import INCH, STRIP, ruler_strip, strip_boxes
from kit.paper.sizes import DEAD_MARGIN, Size

CLEAR = 6.35  # mm that cards keep from the paper's edge
FOLD_CLEAR = 12.5  # the same on a fold-over sheet: a hand folds a little off
FOLD_GAP = 6.0  # between fronts and backs, the fold in its middle: both are cut clear of it
ARM, OUT = 2.5, 3.0  # length of a cross's arms on the cards, and out into the margin
GUIDE, GUIDE_LINE = "#444444", 0.15
Guides = Literal["crosses", "lines"]
Segment = tuple[float, float, float, float]


@dataclass(frozen=True)
class Grid:
    """Where the cards of one sheet lie: cells from the top left, row by row; `turn` is how a card lies in its cell."""

    paper: Size
    card: Size
    columns: int
    rows: int
    turn: int
    x: float
    y: float

    @property
    def cell(self) -> Size:
        return self.card.turned if self.turn else self.card

    @property
    def block(self) -> Size:
        """Width and height of all cards together: what the sheet's label names."""
        return Size(self.columns * self.cell.width, self.rows * self.cell.height)

    @property
    def per_sheet(self) -> int:
        return self.columns * self.rows

    def sheets(self, cards: int) -> int:
        """How many sheets that many cards take."""
        return -(-cards // self.per_sheet)

    def cells(self) -> list[tuple[float, float]]:
        return [
            (self.x + column * self.cell.width, self.y + row * self.cell.height)
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    @property
    def cuts(self) -> tuple[list[float], list[float]]:
        """The x of the upright cut lines and the y of the level ones."""
        return (
            [self.x + n * self.cell.width for n in range(self.columns + 1)],
            [self.y + n * self.cell.height for n in range(self.rows + 1)],
        )


def grid(paper: Size, card: Size, clear: float = CLEAR) -> Grid:
    """The most cards on a sheet, standing or lying, at least `clear` from its edges. Raises Fault when none fits."""
    choices = []
    for turn, cell in ((0, card), (90, card.turned)):
        columns, rows = (_times(room - 2 * clear, side) for room, side in zip(paper, cell, strict=True))
        choices.append((columns * rows, -turn, columns, rows, turn, cell))
    count, _, columns, rows, turn, cell = max(choices)
    if not count:
        raise _too_large(card)
    x, y = (paper.width - columns * cell.width) / 2, (paper.height - rows * cell.height) / 2
    return Grid(paper, card, columns, rows, turn, x, y)


def fold_grid(paper: Size, card: Size) -> Grid:
    """The fronts of a fold-over sheet: they lie above the fold, which is the middle of the grid's own `paper`."""
    choices = []
    for upright, sheet in ((0, paper.turned), (1, paper)):
        for turn, cell in ((0, card), (90, card.turned)):
            columns = _times(sheet.width - 2 * FOLD_CLEAR, cell.width)
            rows = _times((sheet.height - FOLD_GAP) / 2 - FOLD_CLEAR, cell.height)
            choices.append((columns * rows, -upright, -turn, columns, rows, sheet, cell, turn))
    count, _, _, columns, rows, sheet, cell, turn = max(choices, key=lambda choice: choice[:3])
    if not count:
        raise _too_large(card)
    x, y = (sheet.width - columns * cell.width) / 2, (sheet.height - FOLD_GAP) / 2 - rows * cell.height
    return Grid(sheet, card, columns, rows, turn, x, y)


def _times(room: float, side: float) -> int:
    return max(0, int(room / side + 1e-6))


def _too_large(card: Size) -> Fault:
    return Fault(f"a {card.width:g} x {card.height:g} mm card does not fit on this paper", "Choose another", code=USAGE)


def guides(at: Grid, style: Guides = "crosses", fold: float | None = None) -> list[Segment]:
    """The lines that show where to cut, as x1, y1, x2, y2; with `fold` the lower arms run on to the fold at that y."""
    xs, ys = at.cuts
    left, right = _outer(xs, at.paper.width)
    top, bottom = _outer(ys, at.paper.height)
    if fold is not None:
        bottom = fold
    level = [(x1, y, x2, y) for y in ys for x1, x2 in _arms(xs, left, right, style)]
    upright = [(x, y1, x, y2) for x in xs for y1, y2 in _arms(ys, top, bottom, style)]
    return level + upright


def _outer(lines: Sequence[float], paper: float) -> tuple[float, float]:
    """How far out the marks of these lines reach: OUT, but never into the dead margin."""
    return max(DEAD_MARGIN, lines[0] - OUT), min(paper - DEAD_MARGIN, lines[-1] + OUT)


def _arms(lines: Sequence[float], low: float, high: float, style: Guides) -> list[tuple[float, float]]:
    """The two arms at each crossing with these lines; or with "lines" all of the line."""
    if style == "lines":
        return [(low, lines[0]), *pairwise(lines), (lines[-1], high)]
    before = [(low if line == lines[0] else line - ARM, line) for line in lines]
    after = [(line, high if line == lines[-1] else line + ARM) for line in lines]
    return [arm for pair in zip(before, after, strict=True) for arm in pair]


@dataclass(frozen=True)
class SheetWords:
    """The words of a card sheet, in the reader's language; `fronts` and `backs` hold one text a sheet."""

    title: str  # of the PDF
    print_at: str  # print at 100 %
    top: str  # marks the edge of the paper that is up, front and back
    block: str  # width and height of all cards together
    fronts: tuple[str, ...]
    backs: tuple[str, ...] = ()
    fold: str = ""  # fold here; only for fold-over sheets
    inch: str = INCH  # the unit of the inch ruler


def card_sheets(
    faces: Sequence[Face], paper: Size, card: Size, words: SheetWords, *, lang: str, back: Face | None = None,
    back_offset: tuple[float, float] = (0.0, 0.0), spares: bool = True, style: Guides = "crosses",
) -> Made:  # fmt: skip
    """Sheets with these faces in order, for single-sided printing, or with `back` for duplex on the long edge.

    Back pages are mirrored, and moved by `back_offset` mm (right and down as one looks at the back). Places left on
    the last sheet stay blank, to write a lost card on; with `spares` they have backs too. Raises Fault when a
    word does not fit, the number of words is not the number of sheets, or a moved back would reach the dead margin.
    """
    at = grid(paper, card)
    sheets = _dealt(faces, at, words.fronts)
    duplex: Duplex = "long-edge" if back else "simplex"
    canvas = Canvas(paper, lang=lang, title=words.title, duplex=duplex)
    boxes: list[Box] = []
    pairs: list[tuple[int, int]] = []
    texts: list[tuple[int, str]] = []
    for number, sheet in enumerate(sheets):
        front = canvas.pages if number == 0 else canvas.page()
        boxes += _margins(canvas, at, words.fronts[number], words)
        boxes += _block(canvas, at)
        count = at.per_sheet if spares else len(sheet)
        boxes += _fronts(canvas, at, sheet, count)
        _guide(canvas, guides(at, style))
        texts += [(front, words.fronts[number]), (front, words.print_at), (front, words.block)]
        if back is None:
            continue
        page = canvas.page()
        _margins(canvas, at, words.backs[number], words, ruler=False)
        texts.append((page, words.backs[number]))
        boxes += _mirrored(canvas, at, back, count, back_offset)
        pairs.append((front, page))
    return Made(
        canvas.finish(),
        Expect(
            paper.width, paper.height, lang, words.title, duplex, pages=canvas.pages, boxes=tuple(boxes),
            registration=tuple(pairs), registration_offset=back_offset if back else (0.0, 0.0), texts=tuple(texts),
            deck=_audit(faces),
        ),
    )  # fmt: skip


def fold_sheets(
    faces: Sequence[Face], paper: Size, card: Size, words: SheetWords, *, lang: str, back: Face,
    style: Guides = "crosses",
) -> Made:  # fmt: skip
    """Fronts above a fold and their backs below it, upside down, on one side of the paper: fold, glue, then cut.

    Exact on every printer, since front and back come from one pass. Cut from the front, the side with the crosses.
    """
    at = fold_grid(paper, card)
    sheets = _dealt(faces, at, words.fronts)
    canvas = Canvas(at.paper, lang=lang, title=words.title)
    fold = at.paper.height / 2
    boxes: list[Box] = []
    texts: list[tuple[int, str]] = []
    for number, sheet in enumerate(sheets):
        page = canvas.pages if number == 0 else canvas.page()
        boxes += _margins(canvas, at, words.fronts[number], words, level=True)
        boxes += _block(canvas, at)
        boxes += _fronts(canvas, at, sheet, at.per_sheet)
        _guide(canvas, guides(at, style, fold))
        boxes += _folded_backs(canvas, at, back, fold)
        _fold_line(canvas, at, fold, words.fold)
        texts += [(page, said) for said in (words.fronts[number], words.print_at, words.block, words.fold)]
    return Made(
        canvas.finish(),
        Expect(
            at.paper.width, at.paper.height, lang, words.title, "simplex", pages=canvas.pages, boxes=tuple(boxes),
            texts=tuple(texts), deck=_audit(faces),
        ),
    )  # fmt: skip


def _audit(faces: Sequence[Face]) -> tuple[tuple[str, int], ...]:
    """How often each labelled card must be found in the finished file."""
    return tuple(sorted(Counter(face.label for face in faces if face.label).items()))


def _dealt(faces: Sequence[Face], at: Grid, words: Sequence[str]) -> list[Sequence[Face]]:
    """The faces by sheet."""
    if not faces:
        raise Fault("there is no card to print", "Name at least one card", code=USAGE)
    if len(words) != at.sheets(len(faces)):
        raise Fault(f"{len(faces)} cards take {at.sheets(len(faces))} sheets, and {len(words)} are worded", code=4)
    return [faces[n : n + at.per_sheet] for n in range(0, len(faces), at.per_sheet)]


def _block(canvas: Canvas, at: Grid) -> list[Box]:
    """The ground of all cards: white, so that it leaves nothing on paper, but it can be measured in the file."""
    ground = Drawing(*at.paper)
    ground.rect(at.x, at.y, *at.block, fill=WHITE)
    canvas.paint(ground, 0, 0)
    return [Box(canvas.pages, at.x, at.y, *at.block, "block")]


def _card(canvas: Canvas, at: Grid, face: Face | None, x: float, y: float, turn: int, reuse: bool = False) -> None:
    """A white ground of exactly the card's size, and the face on it."""
    ground = Drawing(*at.cell)
    ground.rect(0, 0, *at.cell, fill=WHITE)
    canvas.paint(ground, x, y)
    if face is not None:
        if (face.drawing.width, face.drawing.height) != tuple(at.card):
            raise Fault("a face has not the size of its card", code=4)
        canvas.paint(face.drawing, x, y, turn=turn, reuse=reuse)


def _fronts(canvas: Canvas, at: Grid, sheet: Sequence[Face], count: int) -> list[Box]:
    """The cards of a sheet in their places, and blanks to `count`."""
    boxes = []
    for place, (x, y) in enumerate(at.cells()[:count]):
        face = sheet[place] if place < len(sheet) else None
        _card(canvas, at, face, x, y, at.turn)
        boxes.append(Box(canvas.pages, x, y, *at.cell, "card", face.label if face else ""))
    return boxes


def _mirrored(canvas: Canvas, at: Grid, back: Face, count: int, offset: tuple[float, float]) -> list[Box]:
    """The backs of a sheet's first `count` places, where they lie when the sheet is turned over its long edge."""
    boxes = []
    for x, y in at.cells()[:count]:
        left, top = at.paper.width - x - at.cell.width + offset[0], y + offset[1]
        _within(at.paper, left, top, at.cell)
        _card(canvas, at, back, left, top, -at.turn % 360, reuse=True)
        boxes.append(_back_box(canvas.pages, at, back, left, top))
    return boxes


def _back_box(page: int, at: Grid, back: Face, x: float, y: float) -> Box:
    """What can be measured of a back in the cell at x, y: its frame, or all of it where it has none."""
    frame = back.frame or at.card
    wide, high = frame.turned if at.turn else frame
    return Box(page, x + (at.cell.width - wide) / 2, y + (at.cell.height - high) / 2, wide, high, "back")


def _within(paper: Size, x: float, y: float, cell: Size) -> None:
    room = min(x, y, paper.width - x - cell.width, paper.height - y - cell.height)
    if room < 0:
        raise Fault("back_offset moves a back off the paper", "Make it smaller", code=USAGE)


def _folded_backs(canvas: Canvas, at: Grid, back: Face, fold: float) -> list[Box]:
    """The backs of all places in the mirror of the fold; what is up on a front is down on its back."""
    boxes = []
    for x, y in at.cells():
        top = 2 * fold - y - at.cell.height
        _card(canvas, at, back, x, top, (180 - at.turn) % 360, reuse=True)
        boxes.append(_back_box(canvas.pages, at, back, x, top))
    return boxes


def _fold_line(canvas: Canvas, at: Grid, fold: float, word: str) -> None:
    """The dashed fold with its word beside it, outside the cards."""
    lines = Drawing(*at.paper)
    lines.line(DEAD_MARGIN, fold, at.paper.width - DEAD_MARGIN, fold, stroke=GUIDE, line=0.25, dash=(2.4, 1.2))
    canvas.paint(lines, 0, 0)
    size = 7 * PT
    label = Drawing(fonts.width(word, size) + 1.5, FOLD_GAP / 2)
    label.rect(0, 0, label.width, label.height, fill=WHITE)
    label.text(0.75, label.height - 0.75, word, size)
    canvas.paint(label, at.x + (at.cell.width - label.width) / 2, fold - label.height)


def _guide(canvas: Canvas, lines: Sequence[Segment]) -> None:
    drawing = Drawing(*canvas.size)
    for x1, y1, x2, y2 in lines:
        drawing.line(x1, y1, x2, y2, stroke=GUIDE, line=GUIDE_LINE)
    canvas.paint(drawing, 0, 0)


@dataclass(frozen=True)
class _Bands:
    """The two bands for words and ruler, on the pair of sides with more room: head above or left, foot opposite."""

    head: tuple[float, float]
    foot: tuple[float, float]
    turn: int
    size: Size


def _bands(at: Grid, level: bool) -> _Bands:
    """Where the bands lie: clear of the dead margin and of the guides. Raises Fault when no side has 4.5 mm.

    `level`: above and below only, since a fold runs out to the sides.
    """
    free_x, free_y = (start - DEAD_MARGIN - OUT for start in (at.x, at.y))
    if level:
        free_x = 0.0
    depth = min(max(free_x, free_y), 7.0)
    if depth < STRIP.height:
        raise Fault("no side of the sheet has 4.5 mm for the ruler", "Choose another card or paper", code=USAGE)
    inset = DEAD_MARGIN + (max(free_x, free_y) - depth) * 0.6
    if free_x > free_y:
        length = at.paper.height - 2 * 10
        return _Bands((inset, 10), (at.paper.width - inset - depth, 10), 90, Size(length, depth))
    length = at.paper.width - 2 * 10
    return _Bands((10, inset), (10, at.paper.height - inset - depth), 0, Size(length, depth))


def _margins(
    canvas: Canvas, at: Grid, said: str, words: SheetWords, *, ruler: bool = True, level: bool = False
) -> list[Box]:
    """The bands of a page: which sheet it is and which way is up; on a front also its measures and a ruler."""
    bands = _bands(at, level)
    size, base = 7.5 * PT, bands.size.height / 2 + 0.9
    head = Drawing(*bands.size)
    # Read upwards on the left side, so what is up on the page is to the right of the text.
    arrow = "↑" if bands.turn == 0 else "→"
    mark = f"{arrow} {words.top}" if bands.turn == 0 else f"{words.top} {arrow}"
    wide = fonts.width(mark, size, "bold")
    room = bands.size.width - wide - 6
    if bands.turn == 0:
        head.text(0, base, mark, size, face="bold")
        head.text(wide + 6, base, said, size, width=room * 0.66, least=5.5 * PT)
    else:
        head.text(0, base, said, size, width=room * 0.66, least=5.5 * PT)
        head.text(bands.size.width, base, mark, size, face="bold", align="right")
    if ruler:
        right = bands.size.width if bands.turn == 0 else bands.size.width - wide - 6
        head.text(right, base, words.block, size, align="right", width=room * 0.32, least=5.5 * PT)
    canvas.paint(head, *bands.head, turn=270 if bands.turn else 0)
    if not ruler:
        return []
    foot, top = Drawing(*bands.size), (bands.size.height - STRIP.height) / 2
    foot.place(ruler_strip(inch=words.inch), 0, top)
    foot.text(STRIP.width + 6, base, words.print_at, size, face="bold",
              width=bands.size.width - STRIP.width - 6, least=5.5 * PT)  # fmt: skip
    canvas.paint(foot, *bands.foot, turn=bands.turn)
    x, y = bands.foot
    if bands.turn:
        return list(strip_boxes(canvas.pages, x + bands.size.height - top - STRIP.height, y, 90))
    return list(strip_boxes(canvas.pages, x, y + top))
