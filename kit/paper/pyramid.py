"""Pyramids of cards that overlap: each row lies half under the row nearer the apex.

Guides at true size are laid over as few sheets as hold them. Every place is whole on one sheet, and the sheets overlap
as the cards do: one nearer the apex lies on the ones below it, and of two side by side the right one lies on the left
one, cut along its places. Where a stepped joint (all steps to the right) would cost another sheet, the steps alternate;
then a cut may take a corner that the row above hides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from kit.faults import USAGE, Fault
from kit.paper import fonts, symbols
from kit.paper.canvas import Canvas
from kit.paper.cards import Face
from kit.paper.drawing import INK, PT, WHITE, Drawing, tint
from kit.paper.expect import Box, Expect, Made
from kit.paper.fonts import CAP_HEIGHT
from kit.paper.mats import LINE, MatWords
from kit.paper.ruler import INCH, STRIP, ruler_strip, strip_boxes
from kit.paper.sizes import DEAD_MARGIN, Size

GAPS = (2.0, 1.0, 0.5, 0.0)  # mm between neighbours, the widest first that takes no more sheets
_BAND = STRIP.height + 0.2  # what words and a ruler need at an edge
_BESIDE = 3.4  # what the words beside a cut need
_COLOUR = "#555555"


class Spot(NamedTuple):
    """A place of the pyramid: its row from the apex and its position from the left, from 1; its corner in mm."""

    row: int
    position: int
    x: float
    y: float


@dataclass(frozen=True)
class Pyramid:
    """A pyramid of `len(labels)` rows at a card's true size; `labels` names the rows from the apex."""

    card: Size
    labels: tuple[str, ...]
    accent: str = INK

    def spots(self, gap: float, first: int = 1, last: int = 0) -> Iterator[Spot]:
        """The places of the rows `first` to `last` (0: the base) from the apex on; x begins at the base's left end."""
        count, pitch = len(self.labels), self.card.width + gap
        for row in range(first, (last or count) + 1):
            left = (count - row) * pitch / 2
            for position in range(1, row + 1):
                yield Spot(row, position, left + (position - 1) * pitch, (row - 1) * self.card.height / 2)


@dataclass(frozen=True)
class Tile:
    """One sheet: its places, its paper as it lies, and whether another lies left of it, above it and below it."""

    paper: Size
    spots: tuple[Spot, ...]
    left: bool
    above: bool
    below: bool


class Parting(NamedTuple):
    """How a pyramid is parted, and how far apart neighbours lie."""

    tiles: tuple[Tile, ...]
    gap: float


@lru_cache(16)
def part(pyramid: Pyramid, paper: Size) -> Parting:
    """The fewest sheets, then steps that all go one way, then few stepped joints, then the widest gap.

    Raises Fault when the paper is too small.
    """
    best: tuple[tuple[int, int, int, float], Parting] | None = None
    for gap in GAPS:
        for groups in _groups(len(pyramid.labels)):
            parts = [_group(pyramid, gap, first, last, paper) for first, last in groups]
            whole = [one for one in parts if one is not None]
            if len(whole) < len(parts):
                continue
            tiles = tuple(tile for one in whole for tile in one[1])
            cost = (len(tiles), sum(one[0] for one in whole), sum(tile.left for tile in tiles), -gap)
            if best is None or cost < best[0]:
                best = cost, Parting(tiles, gap)
    if best is None:
        raise Fault(
            f"a pyramid of {len(pyramid.labels)} rows cannot be parted between its places on this paper",
            "Choose smaller cards or other paper", code=USAGE,
        )  # fmt: skip
    return best[1]


def _groups(rows: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to part the rows into groups of neighbours, as first and last row."""
    for count in range(rows):
        for ends in combinations(range(1, rows), count):
            edges = (0, *ends, rows)
            yield [(one + 1, other) for one, other in pairwise(edges)]


def _group(pyramid: Pyramid, gap: float, first: int, last: int, paper: Size) -> tuple[int, list[Tile]] | None:
    """These rows on the fewest sheets side by side: 1 when the steps of a joint alternate, and the sheets."""
    above, below = first > 1, last < len(pyramid.labels)
    spots = list(pyramid.spots(gap, first, last))
    height = pyramid.card.height * (1 + (last - first) / 2)
    for joints in range(last):
        for alternate in (0, 1):
            for sheet in (paper, paper.turned):
                if height > sheet.height - 2 * (DEAD_MARGIN + _BAND) - _BESIDE * below:
                    continue
                for cuts in combinations(range(1, last), joints):
                    tiles = _tiles(pyramid, spots, last, cuts, alternate, sheet, above, below)
                    if tiles:
                        return alternate, tiles
    return None


def _tiles(
    pyramid: Pyramid, spots: Sequence[Spot], last: int, cuts: Sequence[int], alternate: int, sheet: Size,
    above: bool, below: bool,
) -> list[Tile]:  # fmt: skip
    """The sheets that these cuts make, none when one has no place or is too wide.

    A cut is how many cards of the last row lie left of the joint. A row up, a joint lies half a card to the left,
    or by turns to the left and to the right.
    """

    def before(cut: int, row: int) -> int:
        up = last - row
        return cut - (-(-up // 2) if alternate else up)

    found = []
    for number in range(len(cuts) + 1):
        own = tuple(
            spot
            for spot in spots
            if (number == 0 or spot.position > before(cuts[number - 1], spot.row))
            and (number == len(cuts) or spot.position <= before(cuts[number], spot.row))
        )
        room = sheet.width - 2 * DEAD_MARGIN - _BAND - _BESIDE * (number > 0) - LINE
        if not own or max(s.x for s in own) + pyramid.card.width - min(s.x for s in own) > room:
            return []
        found.append(Tile(sheet, own, number > 0, above, below))
    return found


def count(pyramid: Pyramid, paper: Size) -> int:
    """How many sheets it takes."""
    return len(part(pyramid, paper).tiles)


def guide_sheets(pyramid: Pyramid, paper: Size, words: MatWords, *, lang: str) -> Made:
    """The guide at true size on its sheets. Raises Fault when it cannot be parted, or a word does not fit."""
    tiles, gap = part(pyramid, paper)
    if len(words.sheets) != len(tiles):
        raise Fault(f"the guide takes {len(tiles)} sheets, and {len(words.sheets)} are worded", code=4)
    canvas = Canvas(paper, lang=lang, title=words.title)
    boxes: list[Box] = []
    texts: list[tuple[int, str]] = []
    for number, tile in enumerate(tiles):
        page = canvas.page() if number else canvas.pages
        sheet, drawn = _sheet(pyramid, tiles, number, gap, page, words)
        across = tile.paper != paper
        canvas.paint(sheet, 0, 0, turn=90 if across else 0)
        boxes += [_turned(box, tile.paper) for box in drawn] if across else drawn
        texts += [(page, words.sheets[number]), (page, words.print_at)]
    expect = Expect(
        paper.width, paper.height, lang, words.title, "simplex", pages=canvas.pages, boxes=tuple(boxes),
        texts=tuple(texts),
    )  # fmt: skip
    return Made(canvas.finish(), expect)


def _turned(box: Box, sheet: Size) -> Box:
    """A box of a sheet that lies across, on its upright page: turned clockwise."""
    return replace(box, x=sheet.height - box.y - box.height, y=box.x, width=box.height, height=box.width)


def _sheet(
    pyramid: Pyramid, tiles: Sequence[Tile], number: int, gap: float, page: int, words: MatWords
) -> tuple[Drawing, list[Box]]:  # fmt: skip
    """One sheet as it lies, and what must stand on it."""
    tile, card = tiles[number], pyramid.card
    paper, edge = tile.paper, 10.0
    sheet = Drawing(*paper)
    x0, y0 = min(spot.x for spot in tile.spots), min(spot.y for spot in tile.spots)
    x1 = max(spot.x for spot in tile.spots) + card.width
    y1 = max(spot.y for spot in tile.spots) + card.height
    left = max((paper.width - (x1 - x0)) / 2, DEAD_MARGIN + _BAND + _BESIDE * tile.left)
    lowest = paper.height - DEAD_MARGIN - _BAND - _BESIDE * tile.below - (y1 - y0)
    top = min(max((paper.height - (y1 - y0)) / 2, DEAD_MARGIN + _BAND), lowest)
    dx, dy = left - x0, top - y0
    boxes = []
    # From the base up, so that what a row hides is hidden here too.
    for spot in sorted(tile.spots, key=lambda spot: -spot.row):
        x, y = spot.x + dx, spot.y + dy
        label = pyramid.labels[spot.row - 1] if spot.x == min(s.x for s in tile.spots if s.row == spot.row) else ""
        sheet.rect(x, y, *card, fill=WHITE, stroke=_COLOUR, line=LINE)
        if label:
            size = min(11 * PT, card.width / 5)
            sheet.text(x + 3, y + card.height - 3, label, size, face="bold", fill=_COLOUR, width=card.width - 6,
                       least=6 * PT)  # fmt: skip
        boxes.append(Box(page, x, y, *card, "place", label))
    _cuts(sheet, pyramid, tiles, number, gap, (dx, dy), words.cut)
    foot = paper.height - DEAD_MARGIN - STRIP.height
    icon_wide = 0.0
    free = top - DEAD_MARGIN - 0.6
    if len(tiles) > 1:
        icon = picture(pyramid, tiles, gap, min(16.0, free), number)
        icon_wide = icon.width + 4
        sheet.place(icon, paper.width - edge - icon.width, DEAD_MARGIN + 0.3)
    size = 7.5 * PT
    sheet.text(edge, DEAD_MARGIN + min(free, 7.0) / 2 + 0.9, words.sheets[number], size,
               width=paper.width - 2 * edge - icon_wide, least=5.5 * PT)  # fmt: skip
    sheet.place(ruler_strip(inch=words.inch), edge, foot)
    sheet.text(edge + STRIP.width + 6, foot + STRIP.height / 2 + 0.9, words.print_at, size, face="bold",
               width=paper.width - STRIP.width - 6 - 2 * edge, least=5.5 * PT)  # fmt: skip
    down = (DEAD_MARGIN + 0.1, foot - STRIP.width - 4)
    sheet.place(ruler_strip(inch=words.inch), *down, turn=270)
    return sheet, [*boxes, *strip_boxes(page, edge, foot), *strip_boxes(page, *down, 270)]


def _cuts(
    sheet: Drawing, pyramid: Pyramid, tiles: Sequence[Tile], number: int, gap: float, move: tuple[float, float],
    word: str,
) -> None:  # fmt: skip
    """Half arrows at every joint; along those where this sheet lies on top, scissors and the word."""
    tile, card, (dx, dy) = tiles[number], pyramid.card, move
    half = card.height / 2
    rows = sorted({spot.row for spot in tile.spots})
    beside = [other for other in tiles if {s.row for s in other.spots} & set(rows)]
    me = beside.index(tile)

    def edges(of: Tile, row: int) -> tuple[float, float] | None:
        xs = [spot.x for spot in of.spots if spot.row == row]
        return (min(xs) - gap / 2, max(xs) + card.width + gap / 2) if xs else None

    for row in rows:
        ends = edges(tile, row)
        assert ends
        middle = (row - 1) * half + (1.5 if row > rows[0] else 1.0) * half + dy
        if me > 0 and edges(beside[me - 1], row):
            _half_arrow(sheet, ends[0] + dx, middle, 1, 0)
        if me < len(beside) - 1 and edges(beside[me + 1], row):
            _half_arrow(sheet, ends[1] + dx, middle, -1, 0)
    if tile.below:
        base = edges(tile, rows[-1])
        assert base
        y = (rows[-1] - 1) * half + card.height + dy
        for share in (0.25, 0.75):
            _half_arrow(sheet, base[0] + share * (base[1] - base[0]) + dx, y, 0, -1)
        _cut_word(sheet, (base[0] + base[1]) / 2 + dx, y + 0.8, word, upright=False)
    if tile.above:
        # Where the sheets above end: they lie on the upper half of this sheet's first row.
        y, first = rows[0] * half + dy, edges(tile, rows[0])
        assert first
        upper = [found for other in tiles if (found := edges(other, rows[0] - 1))]
        left, right = min(min(upper)), max(max(upper, key=max))
        for one, other in upper:
            for share in (0.25, 0.75):
                x = one + share * (other - one)
                if first[0] + 2 < x < first[1] - 2:
                    _half_arrow(sheet, x + dx, y, 0, 1)
        low, high = max(left, first[0] + gap / 2), min(right, first[1] - gap / 2)
        sheet.line(low + dx, y, high + dx, y, stroke=_COLOUR, line=0.2, dash=(2.0, 1.0))
        for end in {left, right} & {low, high}:
            sheet.line(end + dx, y - half, end + dx, y, stroke=_COLOUR, line=0.2, dash=(2.0, 1.0))
    if tile.left:
        starts = []
        for row in sorted({spot.row for other in beside for spot in other.spots}):
            here, there = edges(tile, row), edges(beside[me - 1], row)
            at = here[0] if here else there[1] if there else None
            if at is not None:
                starts.append((row, at + dx, bool(here)))
        _left_cut(sheet, starts, half, dy)
        number = next(n for n, (_, _, here) in enumerate(starts) if here)
        top = (starts[number][0] - (0 if number else 1)) * half + dy
        _cut_word(sheet, starts[number][1] - 3.2, top + 4, word, upright=True)


def _left_cut(sheet: Drawing, starts: Sequence[tuple[int, float, bool]], half: float, dy: float) -> None:
    """The cut along the places at the left, row by row; hatched are corners that the sheet at the left covers.

    `starts`: a row, where the joint is there, and whether this sheet has places of the row.
    """
    for number, (row, x, here) in enumerate(starts):
        bottom = (row + 1) * half + dy
        after = starts[number + 1][1:] if number + 1 < len(starts) else None
        if here or (after and after[1]):
            whole = here and not number
            sheet.line(x, bottom - (2 * half if whole else half), x, bottom, line=0.5, dash=(1.6, 1.0))
        if after and after[1]:
            sheet.line(min(x, after[0]), bottom, max(x, after[0]), bottom, line=0.5, dash=(1.6, 1.0))
            if after[0] < x:
                wide = x - after[0]
                sheet.diagonals(after[0], bottom - half, wide, half, 3.0, stroke=tint(_COLOUR, 0.5), line=0.15)


def _half_arrow(sheet: Drawing, x: float, y: float, dx: int, dy: int) -> None:
    """A triangle with its base on the joint: with its mirror image on the other sheet it makes a lozenge."""
    side = 1.6
    base = ((x - dy * side, y - dx * side), (x + dy * side, y + dx * side))
    sheet.path(symbols.polygon([*base, (x + dx * 2.4, y + dy * 2.4)]), fill=_COLOUR)


def _cut_word(sheet: Drawing, x: float, y: float, word: str, *, upright: bool) -> None:
    """Scissors and the word just outside a cut, on what is cut away; lengthwise its middle is at x."""
    size = 7 * PT
    text = f"✂ {word}".strip()
    label = Drawing(fonts.width(text, size), 2.4)
    label.text(0, 2.0, text, size)
    sheet.place(label, x if upright else x - label.width / 2, y, turn=270 if upright else 0)


def picture(
    pyramid: Pyramid, tiles: Sequence[Tile], gap: float, height: float, here: int | None = None
) -> Drawing:  # fmt: skip
    """The whole pyramid in that height, the places of the sheet `here` (from 0) filled, each sheet's number on it."""
    count, card = len(pyramid.labels), pyramid.card
    scale = height / (card.height * (count + 1) / 2)
    wide = (count * (card.width + gap) - gap) * scale
    small = Drawing(wide, height)
    for row in range(count, 0, -1):
        for number, tile in enumerate(tiles):
            for spot in tile.spots:
                if spot.row == row:
                    filled = number == here
                    small.rect(spot.x * scale, spot.y * scale, card.width * scale, card.height * scale,
                               fill="#888888" if filled else WHITE, stroke=_COLOUR, line=0.15)  # fmt: skip
    return small


@dataclass(frozen=True)
class PlanWords:
    """The words of a plan page. `guides` stand under the pyramids; `steps` are numbered; `marker` is about the card."""

    print_at: str
    heading: str
    guides: tuple[str, ...]
    steps: tuple[str, ...]
    marker_title: str
    marker: str
    cut: str
    inch: str = INCH  # the unit of the inch rulers


def plan_page(
    pyramids: Sequence[Pyramid], marker: Face, card: Size, paper: Size, words: PlanWords, *, lang: str, title: str
) -> Made:
    """All pyramids small on one page, how to lay them, and a marker card at true size to cut out."""
    canvas = Canvas(paper, lang=lang, title=title)
    page, edge = Drawing(*paper), 14.0
    wide = paper.width - 2 * edge
    accent = pyramids[0].accent
    page.text(edge, edge + 6, words.heading, 20 * PT, face="bold", fill=accent, width=wide, least=12 * PT)
    top, gap, between = edge + 14.0, 1.0, 12.0
    rows = [len(pyramid.labels) for pyramid in pyramids]
    small = (wide - between * (len(rows) - 1) - sum(rows) * gap) / sum(rows)
    high = small * card.height / card.width
    x, foot = edge, top + high * (max(rows) + 1) / 2
    for pyramid, said in zip(pyramids, words.guides, strict=True):
        count = len(pyramid.labels)
        drawn = Pyramid(Size(small, high), pyramid.labels, accent)
        start = foot - high * (count + 1) / 2
        for spot in sorted(drawn.spots(gap), key=lambda spot: -spot.row):
            page.rect(x + spot.x, start + spot.y, small, high, radius=0.06 * small, fill=WHITE, stroke=INK, line=0.3)
        for row in range(1, count + 1):
            left = x + (count - row) * (small + gap) / 2
            page.text(left + small / 2, start + (row + 1) * high / 2 - high * 0.14, str(row), high * 0.34, face="bold",
                      fill=accent, align="centre")  # fmt: skip
        page.paragraph(x, foot + 2, said, 10 * PT, count * (small + gap))
        x += count * (small + gap) + between
    y = foot + 20
    page.line(edge, y, paper.width - edge, y, stroke=accent, line=0.5)
    y += 6
    room = paper.width - 2 * edge - card.width - 12
    left, text = edge, y
    for number, step in enumerate(words.steps, 1):
        page.text(left, text + (1.4 + CAP_HEIGHT) / 2 * 10.5 * PT, f"{number}.", 10.5 * PT, face="bold", fill=accent)
        text = page.paragraph(left + 6, text, step, 10.5 * PT, room - 6) + 2
    x = paper.width - edge - card.width
    text = page.paragraph(x, y, words.marker_title, 10.5 * PT, card.width, face="bold")
    text = page.paragraph(x, text + 0.5, words.marker, 9 * PT, card.width) + 5
    page.rect(x, text, *card, stroke=INK, line=0.15)
    page.place(marker.drawing, x, text)
    page.text(x, text + card.height + 3.6, f"✂ {words.cut}", 7.5 * PT)
    strip = paper.height - DEAD_MARGIN - STRIP.height
    page.place(ruler_strip(inch=words.inch), edge, strip)
    page.text(edge + STRIP.width + 6, strip + STRIP.height / 2 + 0.9, words.print_at, 7.5 * PT, face="bold",
              width=paper.width - 2 * edge - STRIP.width - 6, least=5.5 * PT)  # fmt: skip
    canvas.paint(page, 0, 0)
    boxes = (Box(1, x, text, *card, "card", marker.label), *strip_boxes(1, edge, strip))
    texts = ((1, words.heading), (1, words.print_at))
    expect = Expect(paper.width, paper.height, lang, title, "simplex", pages=1, boxes=boxes, texts=texts)
    return Made(canvas.finish(), expect)
