"""What is cut out or laid on, found in the drawing: boxes by their drawn edges, their labels, the cards on a sheet.

An edge stands where a line or the side of an area runs along it, or where marks on its line reach to both its ends, as
cutting marks do. White areas count too where no ink shows: the ground of a card is white.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from kit.faults import Fault
from kit.paper.expect import Box
from kit.paper.layout import Rect
from kit.paper.reading import Content, Edge, Text
from kit.paper.sizes import TOLERANCE

UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "tum": 25.4, '"': 25.4, "″": 25.4}
FULL = 0.5  # share of an edge that must be drawn for it to be an edge and not a mark
NEAR = 6.0  # mm around a ruler in which its length may be written
JOINED = 0.45  # em between two runs that still belong to one phrase: a blank is about 0.25
AWAY = 4.0  # mm: how far off an edge is looked for, to say where it is
GROUNDS = frozenset({"card", "back", "block"})  # what may be bounded by a white area alone
_MEASURE = r"(\d+(?:[.,]\d+)?)"
_LENGTH = re.compile(_MEASURE + r"(mm|cm|in|tum|\"|″)?", re.I)
_AREA = re.compile(_MEASURE + r"[x×]" + _MEASURE + r"(mm|cm|in|tum|\"|″)", re.I)


def plain(text: str) -> str:
    """Text without its blanks: how a run was cut into pieces is no matter."""
    return "".join(text.split())


def area(box: Box) -> Rect:
    return Rect(box.x, box.y, box.x + box.width, box.y + box.height)


def middle(rect: Rect) -> tuple[float, float]:
    return (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2


def texts_in(rect: Rect, content: Content) -> list[Text]:
    """The seen texts whose middle lies within, in the order of painting."""
    return [text for text in content.texts if text.visible and _holds(rect, *middle(text.rect))]


def _holds(rect: Rect, x: float, y: float) -> bool:
    return rect.left <= x <= rect.right and rect.top <= y <= rect.bottom


def phrases(texts: Sequence[Text]) -> list[str]:
    """What is written, with runs joined that follow each other closely: WeasyPrint shows SVG text letter by letter."""
    found: list[str] = []
    before: Text | None = None
    for text in texts:
        em = text.size * 25.4 / 72
        if before is not None and _gap(before.rect, text.rect) <= JOINED * em:
            found[-1] += text.text
        else:
            found.append(text.text)
        before = text
    return found


def _gap(one: Rect, other: Rect) -> float:
    across = max(one.left, other.left) - min(one.right, other.right)
    down = max(one.top, other.top) - min(one.bottom, other.bottom)
    return max(across, down, 0.0)


def find(box: Box, content: Content) -> tuple[Rect | None, list[Fault]]:
    """Where the box stands, to the hundredth of a mm, and what is wrong with that."""
    right, bottom = box.x + box.width, box.y + box.height
    sides: list[tuple[str, Sequence[Edge], float, float, float]] = [
        ("left", content.upright, box.x, box.y, bottom),
        ("right", content.upright, right, box.y, bottom),
        ("top", content.level, box.y, box.x, right),
        ("bottom", content.level, bottom, box.x, right),
    ]
    white = box.what in GROUNDS
    found: dict[str, float] = {}
    faults = []
    for side, edges, at, start, end in sides:
        place = _stands(edges, at, start, end, TOLERANCE + 0.005, white)
        if place is None:
            other = _stands(edges, at, start, end, AWAY, white)
            seen = "is not drawn" if other is None else f"is at {other:.2f} mm, not"
            faults.append(
                Fault(
                    f"page {box.page}: the {side} edge of the {box.what} {box.label} {seen} at {at:.2f} mm",
                    "Build it again at 100 %",
                )
            )
        else:
            found[side] = place
    if faults:
        return None, faults
    return Rect(found["left"], found["top"], found["right"], found["bottom"]), []


def _stands(lines: Sequence[Edge], at: float, start: float, end: float, reach: float, white: bool) -> float | None:
    """Where the edge that should stand at `at` from `start` to `end` is drawn, or None."""
    by_place: dict[float, list[Edge]] = {}
    for edge in lines[bisect_left(lines, (at - reach,)) : bisect_left(lines, (at + reach,))]:
        by_place.setdefault(round(edge.at, 2), []).append(edge)
    for inked in (True, False) if white else (True,):
        for place in sorted(by_place, key=lambda place: abs(place - at)):
            near = (by_place.get(round(other, 2), ()) for other in (place - 0.01, place, place + 0.01))
            edges = [edge for some in near for edge in some if edge.ink or not inked]
            marked = any(edge.start <= start + TOLERANCE for edge in edges) and any(
                edge.end >= end - TOLERANCE for edge in edges
            )
            if edges and (marked or _covered(edges, start, end) >= FULL * (end - start)):
                return min(edges, key=lambda edge: abs(edge.at - at)).at
    return None


def _covered(edges: Iterable[Edge], start: float, end: float) -> float:
    """The length of start…end that the edges cover."""
    total, reached = 0.0, start
    for edge in sorted(edges, key=lambda edge: edge.start):
        left, right = max(edge.start, reached), min(edge.end, end)
        if right > left:
            total += right - left
            reached = right
    return total


def label(box: Box, content: Content) -> Iterator[Fault]:
    """A box's label can be read within it; a ruler's length and a block's sides are written by it, and are true."""
    rect = area(box)
    if box.label and plain(box.label) not in plain("".join(text.text for text in texts_in(rect, content))):
        yield Fault(f"page {box.page}: the {box.what} does not show its label “{box.label}”", "Build it again")
    if box.what == "ruler":
        long = max(box.width, box.height)
        said = list(_lengths(texts_in(rect.inset(-NEAR), content)))
        if not any(abs(length - long) <= TOLERANCE for length in said):
            what = ", ".join(f"{length:g}" for length in said) or "none"
            yield Fault(
                f"page {box.page}: no length of {long:g} mm is written by its ruler (but {what})", "Build it again"
            )
    if box.what == "block":
        page = Rect(0, 0, content.width, content.height)
        areas = list(_areas("\n".join(map(plain, phrases(texts_in(page, content))))))
        if not any(
            abs(width - box.width) <= TOLERANCE and abs(height - box.height) <= TOLERANCE for width, height in areas
        ):
            said_areas = ", ".join(f"{width:g} x {height:g}" for width, height in areas) or "nothing of it"
            yield Fault(
                f"page {box.page}: the block is {box.width:g} x {box.height:g} mm, but the sheet says {said_areas}",
                "Build it again",
            )


def _lengths(texts: Sequence[Text]) -> Iterator[float]:
    """The lengths in mm that these texts can mean: numbers with their unit, or with any that stands alone there."""
    words = [plain(phrase) for phrase in phrases(texts)]
    units = {word.lower() for word in words if word.lower() in UNITS}
    for word in words:
        for number, unit in _LENGTH.findall(word):
            for each in [unit.lower()] if unit else sorted(units):
                yield float(number.replace(",", ".")) * UNITS[each]


def _areas(text: str) -> Iterator[tuple[float, float]]:
    for width, height, unit in _AREA.findall(text):
        factor = UNITS[unit.lower()]
        yield float(width.replace(",", ".")) * factor, float(height.replace(",", ".")) * factor


def ink_middle(rect: Rect, content: Content) -> tuple[float, float] | None:
    """The middle of all ink within a box, None where there is none: a symmetric back has it in its own middle."""
    ink = [fill.rect for fill in content.fills if fill.inked and _holds(rect, *middle(fill.rect))]
    ink += [Rect(edge.at, edge.start, edge.at, edge.end) for edge in content.upright if edge.ink]
    ink += [Rect(edge.start, edge.at, edge.end, edge.at) for edge in content.level if edge.ink]
    ink += [text.rect for text in content.texts]
    inner = rect.inset(1.0)  # what is drawn on the edge is not on the back
    within = [item for item in ink if item.within(inner, 0)]
    if not within:
        return None
    return middle(
        Rect(
            min(item.left for item in within),
            min(item.top for item in within),
            max(item.right for item in within),
            max(item.bottom for item in within),
        )
    )


Drawn = frozenset[tuple[object, ...]]


def looks(boxes: Sequence[Box], content: Content) -> dict[Box, Drawn]:
    """What is drawn within each box, told from its own corner: two boxes with the same look are the same card."""
    found: dict[Box, set[tuple[object, ...]]] = {box: set() for box in boxes}
    for box in boxes:
        rect = area(box)
        for text in texts_in(rect, content):
            found[box].add((text.text, *_from(rect, text.rect), text.colour))
        for fill in content.fills:
            if fill.rect.within(rect, 0.05) and fill.inked:
                found[box].add((len(fill.lines), *_from(rect, fill.rect), fill.colour, _shape(rect, fill.lines)))
    return {box: frozenset(items) for box, items in found.items()}


def _from(corner: Rect, rect: Rect) -> tuple[float, ...]:
    return tuple(
        round(side, 1)
        for side in (rect.left - corner.left, rect.top - corner.top, rect.right - corner.left, rect.bottom - corner.top)
    )


def _shape(corner: Rect, lines: Sequence[Sequence[tuple[float, float]]]) -> tuple[tuple[float, float], ...]:
    """Some points of an outline, so that a heart is no spade of the same size."""
    points = [point for line in lines for point in line]
    return tuple((round(x - corner.left, 1), round(y - corner.top, 1)) for x, y in points[:: max(1, len(points) // 8)])
