"""The judge of a laid-out page: what a person would miss or could not read, told from rectangles in mm.

The text layer of a PDF holds clipped and covered text all the same, so this is judged from the boxes, before drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

SLACK = 0.15  # mm that a rectangle may reach over its bound: rounding, side bearings
OVERPRINT = 0.2  # share of the smaller text that another may cover


class Rect(NamedTuple):
    """mm from the top left corner of the page."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def within(self, other: Rect, slack: float = SLACK) -> bool:
        return (
            self.left >= other.left - slack
            and self.top >= other.top - slack
            and self.right <= other.right + slack
            and self.bottom <= other.bottom + slack
        )

    def inset(self, by: float) -> Rect:
        return Rect(self.left + by, self.top + by, self.right - by, self.bottom - by)


def meet(one: Rect | None, other: Rect) -> Rect:
    """What both rectangles share; upside down where they share nothing."""
    if one is None:
        return other
    return Rect(
        max(one.left, other.left), max(one.top, other.top), min(one.right, other.right), min(one.bottom, other.bottom)
    )


@dataclass(frozen=True, slots=True)
class Piece:
    """Something visible. `text` is a line's run of text, `cut` a box that drops lines; `what` its words.

    `flow`: in the flow of the page (not in its margins, not positioned); `clip`: what an ancestor cuts to; `holder`:
    the block that the text stands in; `size` in pt.
    """

    kind: Literal["text", "box", "image", "cut"]
    what: str
    rect: Rect
    flow: bool
    clip: Rect | None
    holder: Rect | None
    heading: bool
    size: float = 0.0
    family: tuple[str, ...] = ()


def short(text: str, length: int = 60) -> str:
    """A text cut to `length` for a message, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= length else f"{text[: length - 1]}…"


def judge(
    pieces: Sequence[Piece], content: Rect, paper: Rect, margin: float, smallest: float, last: bool
) -> Iterator[tuple[str, str]]:
    """Yield (what is wrong, what to do) for one page. `last`: nothing follows it."""
    printable = paper.inset(margin)
    for piece in pieces:
        said = _wrong(piece, content, printable, margin, smallest)
        if said:
            yield said
    yield from _overprinted([piece for piece in pieces if piece.kind == "text"])
    widow = _widow(pieces)
    if widow and not last:
        yield f"the heading “{short(widow.what)}” is the last line", "Keep it with what follows (break-after: avoid)"


def _wrong(piece: Piece, content: Rect, printable: Rect, margin: float, smallest: float) -> tuple[str, str] | None:
    """The first fault of one piece."""
    name = f"“{short(piece.what)}”"
    if piece.kind == "cut":
        return f"{name} is set to drop lines", "Show the whole text"
    if piece.clip is not None and not piece.rect.within(piece.clip):
        return f"{name} is clipped", "Give its box more room, or the text less"
    if piece.kind != "text":
        if not piece.flow or piece.rect.within(content):
            return None
        noun = "picture" if piece.kind == "image" else "table or box"
        return f"the {noun} {name} runs off the text area", "Make it smaller"
    if piece.flow and not piece.rect.within(content):
        return f"{name} runs off the text area", "Shorten it, or let it break"
    if not piece.rect.within(printable, slack=0.05):
        return f"{name} is within {margin:g} mm of the paper's edge", "Move it in"
    if piece.size < smallest - 0.01:
        return f"{name} is set in {piece.size:.1f} pt, smaller than {smallest:g} pt", "Set it larger"
    if piece.holder is not None and not piece.rect.within(piece.holder, slack=0.5):
        return f"{name} overflows its box", "Shorten it, or give its box more room"
    return None


def _overprinted(texts: Sequence[Piece]) -> Iterator[tuple[str, str]]:
    """Text printed over other text."""
    rows = sorted(texts, key=lambda piece: piece.rect.top)
    for place, one in enumerate(rows):
        for other in rows[place + 1 :]:
            if other.rect.top >= one.rect.bottom:
                break
            shared = meet(one.rect, other.rect)
            if shared.width <= 0 or shared.height <= 0:
                continue
            smaller = min(one.rect.width * one.rect.height, other.rect.width * other.rect.height)
            if shared.width * shared.height > OVERPRINT * smaller:
                yield f"“{short(one.what)}” and “{short(other.what)}” are printed over each other", "Move one of them"


def _widow(pieces: Sequence[Piece]) -> Piece | None:
    """The heading that ends a page's flow, when something else stands above it."""
    flow = [piece for piece in pieces if piece.flow and piece.kind in ("text", "image")]
    if flow and flow[-1].heading and not all(piece.heading for piece in flow):
        return flow[-1]
    return None


def page_fill(pieces: Sequence[Piece], content: Rect) -> float:
    """The share of the text area's height down to the lowest thing in the flow."""
    lowest = max((piece.rect.bottom for piece in pieces if piece.flow and piece.kind != "cut"), default=content.top)
    return round(min(1.0, max(0.0, (lowest - content.top) / content.height)), 3)
