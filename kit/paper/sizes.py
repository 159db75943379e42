"""Sizes in mm, as data: a new paper or card size is one line here."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """Width and height in mm."""

    width: float
    height: float

    @property
    def turned(self) -> Size:
        return Size(self.height, self.width)

    @property
    def half(self) -> Size:
        """The page of a booklet folded from this paper: A5 from A4, half Letter from Letter."""
        return Size(self.height / 2, self.width)

    @property
    def quarter(self) -> Size:
        """The page of a card folded twice from this paper: A6 from A4."""
        return Size(self.width / 2, self.height / 2)


PAPERS = {
    "a4": Size(210, 297),
    "letter": Size(215.9, 279.4),
}
PAPER_NAMES = {"a4": "A4", "letter": "US Letter"}

CARDS = {
    "poker": Size(63.5, 88.9),
    "poker63": Size(63, 88),  # hobby sheets and tight sleeves
    "bridge": Size(57.15, 88.9),
    "mini": Size(44.45, 63.5),
}

BANK_CARD = Size(85.60, 53.98)  # ISO/IEC 7810 ID-1
DEAD_MARGIN = 5.0  # what a home printer may leave unprinted at each edge (kit.toml: dead_margin)
TOLERANCE = 0.05  # how far a measured edge may lie from where it belongs
