"""Rulers: the strip on every sheet, the ruler page of a kit, and the page pair that finds a printer's back offset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kit.faults import Fault
from kit.paper.canvas import Canvas
from kit.paper.drawing import INK, PT, Drawing, tint
from kit.paper.expect import Box, Expect, Made
from kit.paper.sizes import BANK_CARD, Size

STRIP = Size(101.6, 4.5)  # a ruler strip: 100 mm above, 4 in below
_BAR = 0.8  # height of each of a strip's two bars
_MM_BAR, _INCH_BAR = 2.25 - _BAR, 2.25  # where they begin, from the strip's top


def ruler_strip(*, ink: str = INK) -> Drawing:
    """A ruler of 100 mm (upper bar) and 4 in (lower bar), 4.5 mm high, for the edge of a sheet.

    Turn it by 90 degrees for the other direction. `strip_boxes` says what a proof can measure on it.
    """
    strip = Drawing(*STRIP)
    small = 4.4 * PT
    strip.rect(0, _MM_BAR, 100, _BAR, stroke=ink, line=0.1)
    strip.rect(0, _INCH_BAR, 101.6, _BAR, stroke=ink, line=0.1)
    for n in range(0, 10, 2):
        strip.rect(10 * n, _MM_BAR, 10, _BAR, fill=ink)
    for n in range(0, 8, 2):
        strip.rect(12.7 * n, _INCH_BAR, 12.7, _BAR, fill=ink)
    for n in range(0, 101, 10):
        text = "100 mm" if n == 100 else str(n)
        align = "left" if n == 0 else "right" if n == 100 else "centre"
        strip.text(n, _MM_BAR - 0.3, text, small, align=align)  # type: ignore[arg-type]
    for n in range(5):
        text = "4 in" if n == 4 else str(n)
        align = "left" if n == 0 else "right" if n == 4 else "centre"
        strip.text(25.4 * n, _INCH_BAR + _BAR + 1.25, text, small, align=align)  # type: ignore[arg-type]
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
