"""Rulers: the strip on every sheet, the ruler page of a kit, and the page pair that finds a printer's back offset."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from kit.faults import Fault
from kit.paper.canvas import Canvas
from kit.paper.drawing import INK, PT, WHITE, Drawing, tint
from kit.paper.expect import Box, Expect, Made
from kit.paper.fonts import CAP_HEIGHT
from kit.paper.sizes import BANK_CARD, Size

STRIP = Size(101.6, 4.5)  # a ruler strip: 100 mm above, 4 in below
INCH = "in"  # the unit of the lower bars, where no word for it is given
_BAR = 0.7  # height of each of a strip's two bars
_MM_BAR, _INCH_BAR = STRIP.height / 2 - _BAR, STRIP.height / 2  # where they begin, from the strip's top


def ruler_strip(*, ink: str = INK, inch: str = INCH) -> Drawing:
    """A ruler of 100 mm (upper bar) and 4 in (lower bar), 4.5 mm high, for the edge of a sheet; `inch` is the unit.

    Turn it by 90 degrees for the other direction. `strip_boxes` says what a proof can measure on it.
    """
    strip = Drawing(*STRIP)
    small, clear = 5.2 * PT, 0.3
    strip.rect(0, _MM_BAR, 100, _BAR, stroke=ink, line=0.1)
    strip.rect(0, _INCH_BAR, 101.6, _BAR, stroke=ink, line=0.1)
    for n in range(0, 10, 2):
        strip.rect(10 * n, _MM_BAR, 10, _BAR, fill=ink)
    for n in range(1, 8, 2):
        strip.rect(12.7 * n, _INCH_BAR, 12.7, _BAR, fill=ink)
    strip.text(0, _MM_BAR - clear, "0", small)
    strip.text(50, _MM_BAR - clear, "50", small, align="centre")
    strip.text(100, _MM_BAR - clear, "100 mm", small, align="right")
    below = _INCH_BAR + _BAR + clear + CAP_HEIGHT * small
    strip.text(0, below, "0", small)
    for n in range(1, 4):
        strip.text(25.4 * n, below, str(n), small, align="centre")
    strip.text(101.6, below, f"4 {inch}", small, align="right")
    return strip


def strip_boxes(page: int, x: float, y: float, turn: int = 0) -> tuple[Box, Box]:
    """The two bars of a strip that was painted at x, y and turned clockwise by 0, 90 or 270 degrees."""
    spans = ((0.0, _MM_BAR, 100.0), (0.0, _INCH_BAR, 101.6))

    def box(u: float, v: float, length: float) -> Box:
        if turn == 90:
            return Box(page, x + STRIP.height - v - _BAR, y + u, _BAR, length, "ruler")
        if turn == 270:
            return Box(page, x + v, y + STRIP.width - u - length, _BAR, length, "ruler")
        return Box(page, x + u, y + v, length, _BAR, "ruler")

    first, second = (box(*span) for span in spans)
    return first, second


def strip_svg(alt: str, inch: str = INCH) -> str:
    """The strip for a sheet that flows; it claims its two bars, so that the proof measures them wherever it lands."""
    claims = [
        {"what": box.what, "x": box.x, "y": box.y, "width": box.width, "height": box.height}
        for box in strip_boxes(1, 0, 0)
    ]
    return ruler_strip(inch=inch).svg(alt).replace("<svg ", f"<svg data-expect='{json.dumps(claims)}' ", 1)


@dataclass(frozen=True)
class RulerWords:
    """The words of the ruler page, in the reader's language."""

    title: str  # of the PDF, and the page's heading
    print_at: str  # print at 100 %
    bars: str  # lay a ruler on the bars
    bank_card: str  # lay a bank card on the outline
    beside: tuple[str, tuple[str, ...]]  # heading and short lines below the bank card: sheets needed
    sections: tuple[tuple[str, tuple[str, ...]], ...]  # heading and paragraphs: readings, weight, order
    inch: str = INCH  # the unit of the inch bars


_MARGIN, _GUTTER = 14.0, 8.0  # of the ruler page


def ruler_page(paper: Size, words: RulerWords, *, lang: str) -> Made:
    """A page with 100 mm and 4 in bars both ways, a bank card's outline, and what to do about a wrong reading.

    Raises Fault when the words need more than the page.
    """
    page = Drawing(*paper)
    width = paper.width - 2 * _MARGIN
    y = page.paragraph(_MARGIN, _MARGIN - 2, words.title, 22 * PT, width, face="bold")
    y = page.paragraph(_MARGIN, y + 1, words.print_at, 12 * PT, width, face="bold") + 5
    boxes: list[Box] = []
    for turn, gap, length, unit, parts in _BARS:
        bar = _bar(length, words.inch if unit == "in" else unit, parts)
        x, top = (_MARGIN + _UPRIGHT, y + gap) if turn == 0 else (_MARGIN + gap, y + _LEVEL)
        page.place(bar, x - _END, top) if turn == 0 else page.place(bar, x, top - _END, turn=90)
        boxes.append(_bar_box(bar, x, top, length, turn))
    left, top = _MARGIN + _UPRIGHT, y + _LEVEL
    top = page.paragraph(left, top, words.bars, 10.5 * PT, paper.width - left - _MARGIN) + 6
    page.rect(left, top, *BANK_CARD, fill=WHITE)
    page.rect(left, top, *BANK_CARD, radius=3.18, stroke=INK, line=0.3)
    boxes.append(Box(1, left, top, *BANK_CARD, "bank-card"))
    page.paragraph(left + 8, top + 8, words.bank_card, 10.5 * PT, BANK_CARD.width - 16)
    _section(page, left, top + BANK_CARD.height + 5, words.beside, paper.width - left - _MARGIN, 9.5 * PT, 0.4)
    _sections(page, y + _LEVEL + 101.6 + 14, words.sections)
    canvas = Canvas(paper, lang=lang, title=words.title)
    canvas.paint(page, 0, 0)
    return Made(
        canvas.finish(),
        Expect(paper.width, paper.height, lang, words.title, "simplex", pages=1, boxes=tuple(boxes),
               texts=((1, words.print_at),)),
    )  # fmt: skip


# Direction, distance from the corner, length in mm, unit, parts.
_UPRIGHT, _LEVEL, _END = 30.0, 26.0, 2.0  # room for the upright bars, for the level ones, and before a bar's start
_BARS = ((0, 0.0, 100.0, "mm", 10), (0, 11.0, 101.6, "in", 4), (90, 0.0, 100.0, "mm", 10), (90, 11.0, 101.6, "in", 4))
_THICK = 3.0


def _bar(length: float, unit: str, parts: int) -> Drawing:
    """A measuring bar with ticks and numbers, and room at both ends for them."""
    bar = Drawing(length + 14, 8.5)
    step, size = length / parts, 8 * PT
    bar.rect(_END, 5, length, _THICK, stroke=INK, line=0.2)
    for n in range(0, parts, 2):
        bar.rect(_END + n * step, 5, step, _THICK, fill=INK)
    for n in range(parts + 1):
        x, value = _END + n * step, str(n * 10 if unit == "mm" else n)
        bar.line(x, 3.6, x, 5, line=0.2)
        wide = bar.text(x, 2.9, value, size, face="bold" if n == parts else "regular", align="centre")
    bar.text(_END + length + wide / 2 + 1, 2.9, unit, size, face="bold")
    return bar


def _bar_box(bar: Drawing, x: float, top: float, length: float, turn: int) -> Box:
    if turn == 0:
        return Box(1, x, top + 5, length, _THICK, "ruler")
    return Box(1, x + bar.height - 5 - _THICK, top, _THICK, length, "ruler")


_Section = tuple[str, tuple[str, ...]]


def _sections(page: Drawing, y: float, sections: Sequence[_Section]) -> None:
    """The sections from y down in two even columns, each kept whole, in the largest type that fits. Raises Fault."""
    column = (page.width - 2 * _MARGIN - _GUTTER) / 2
    for size in (11 * PT, 10.5 * PT, 10 * PT, 9.5 * PT, 9 * PT, 8.5 * PT):
        heights = [_section(Drawing(page.width, 10_000), 0, 0, section, column, size) for section in sections]
        first = min(range(len(sections) + 1), key=lambda n: max(sum(heights[:n]), sum(heights[n:])))
        lowest = y + max(sum(heights[:first]), sum(heights[first:]))
        if lowest <= page.height - _MARGIN + 4:
            break
    else:
        raise Fault(f"the ruler page is {lowest - page.height + _MARGIN:.0f} mm too long", "Shorten its words")
    for x, part in ((_MARGIN, sections[:first]), (_MARGIN + column + _GUTTER, sections[first:])):
        at = y
        for section in part:
            at = _section(page, x, at, section, column, size)


def _section(
    page: Drawing, x: float, y: float, section: _Section, width: float, size: float, apart: float = 1.4
) -> float:
    """One section with its upper left corner at x, y; gives the y below it."""
    heading, paragraphs = section
    if heading:  # without one, the section goes on with the one before, perhaps in the next column
        y = page.paragraph(x, y + 1.6, heading, size * 1.2, width, face="bold") + 0.6
    for text in paragraphs:
        y = page.paragraph(x, y, text, size, width) + apart
    return y + 1


@dataclass(frozen=True)
class OffsetWords:
    """The words of the page pair that finds `back_offset`; the labels name the values of `offset_steps`."""

    title: str
    front: tuple[str, ...]  # paragraphs: what to do
    back: str
    top: str
    across: tuple[str, ...]  # over the columns: x −1.0 …
    down: tuple[str, ...]  # beside the rows: y −1.0 …
    inch: str = INCH  # the unit of the inch rulers


STEP, STEPS = 0.5, (-2, -1, 0, 1, 2)


def offset_steps(base: float = 0.0) -> tuple[float, ...]:
    """The five offsets in mm that the pages try, around the one in use."""
    return tuple(base + STEP * n for n in STEPS)


def offset_pages(paper: Size, words: OffsetWords, *, lang: str, back_offset: tuple[float, float] = (0.0, 0.0)) -> Made:
    """A front with 25 open frames and a back with 25 solid squares, each moved a little otherwise.

    Printed on both sides and held to the light, the frame that its square fills evenly names the back offset: its
    column the x, its row the y. The squares are moved around `back_offset`, so a second try can start from the first.
    """
    canvas = Canvas(paper, lang=lang, title=words.title, duplex="long-edge")
    pitch, frame, square = 26.0, 10.0, 8.0
    front, back = Drawing(*paper), Drawing(*paper)
    for side in (front, back):
        side.text(paper.width / 2, 13, f"↑ {words.top}", 9 * PT, face="bold", align="centre")
    back.paragraph(_MARGIN, 20, words.back, 11 * PT, paper.width - 2 * _MARGIN)
    y = front.paragraph(_MARGIN, 20, words.title, 22 * PT, paper.width - 2 * _MARGIN, face="bold") + 2
    for text in words.front:
        y = front.paragraph(_MARGIN, y, text, 11 * PT, paper.width - 2 * _MARGIN) + 2
    left, top = (paper.width - 4 * pitch) / 2 + 6, y + 30
    if top + 4 * pitch + frame > paper.height - 20:
        raise Fault("the words leave no room for the squares", "Shorten them")
    boxes: list[Box] = []
    for column, across in enumerate(words.across):
        front.text(left + column * pitch, top - 9, across, 10 * PT, face="bold", align="centre", width=pitch - 2)
    for row, down in enumerate(words.down):
        front.text(left - 9, top + row * pitch + 1.2, down, 10 * PT, face="bold", align="right", width=left - 9 - 10)
    for row, shift_y in enumerate(offset_steps(back_offset[1])):
        for column, shift_x in enumerate(offset_steps(back_offset[0])):
            x, y = left + column * pitch, top + row * pitch
            front.rect(x - frame / 2, y - frame / 2, frame, frame, stroke=INK, line=0.3)
            boxes.append(Box(1, x - frame / 2, y - frame / 2, frame, frame, "frame"))
            at_x, at_y = paper.width - x + shift_x - square / 2, y + shift_y - square / 2
            back.rect(at_x, at_y, square, square, fill=tint(INK, 0.9))
            boxes.append(Box(2, at_x, at_y, square, square, "square"))
    canvas.paint(front, 0, 0)
    boxes += _strip_at_foot(canvas, paper, words.inch)
    canvas.page()
    canvas.paint(back, 0, 0)
    return Made(
        canvas.finish(),
        Expect(paper.width, paper.height, lang, words.title, "long-edge", pages=2, boxes=tuple(boxes)),
    )


def _strip_at_foot(canvas: Canvas, paper: Size, inch: str) -> list[Box]:
    """A ruler strip along the foot and one up the left side of the current page."""
    foot = (paper.width - 10 - STRIP.width, paper.height - 10 - STRIP.height)
    side = (10.0, paper.height - 10 - STRIP.width)
    canvas.paint(ruler_strip(inch=inch), *foot)
    canvas.paint(ruler_strip(inch=inch), *side, turn=270)
    return [*strip_boxes(canvas.pages, *foot), *strip_boxes(canvas.pages, *side, 270)]
