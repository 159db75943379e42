"""What lies on the table to put cards on, of either sort: how many sheets it takes, and the sheets."""

from __future__ import annotations

from typing import TypeAlias

from kit.paper import mats, pyramid
from kit.paper.expect import Made
from kit.paper.mats import Mat, MatWords
from kit.paper.pyramid import Pyramid
from kit.paper.sizes import Size

Surface: TypeAlias = Mat | Pyramid


def count(surface: Surface, paper: Size) -> int:
    """How many sheets it takes at true size. Raises Fault when it cannot be parted."""
    return pyramid.count(surface, paper) if isinstance(surface, Pyramid) else mats.tiling(surface, paper).count


def sheets(surface: Surface, paper: Size, words: MatWords, *, lang: str) -> Made:
    """The sheets, at 100 % and parted between places. Raises Fault."""
    if isinstance(surface, Pyramid):
        return pyramid.guide_sheets(surface, paper, words, lang=lang)
    return mats.mat_sheets(surface, paper, words, lang=lang)
