"""The table of Gridcannon: nine stacks, twelve places for royals around them, ploys."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, cast

from markupsafe import Markup, escape

from kit.faults import Fault
from kit.games import gridcannon as game
from kit.games.core import Event
from kit.language.locale import Locale
from kit.paper import mats as paper_mats
from kit.paper import symbols
from kit.paper.cards import (
    DIAGRAM_RATIO,
    PLAIN,
    SUIT_CHARACTERS,
    Face,
    Style,
    diagram_back,
    diagram_card,
    diagram_place,
)
from kit.paper.drawing import INK, PT, WHITE, Drawing, cap, tint
from kit.paper.expect import Made
from kit.paper.mats import Mat, Place
from kit.paper.sizes import Size
from kit.practice.core import LEVELS, Problem, Question
from kit.publish import decks, story
from kit.publish.pages import safe
from kit.publish.sheet import Backs
from kit.publish.tables import Table

DECK = game.DECK
BACKS: Backs = "none"  # nobody hides a hand, and the draw pile is the deck itself
MARKS = "①②③④⑤⑥⑦⑧⑨"
PLACING = ("royal", "royal_beside_empty")
LAYING = ("place", "first_in_centre", "place_on_empty", "reassign", "reassign_to_empty", "replace_fill")
ARMOURED = ("armour",)
HITTING = ("kill", "holds")
EMPTYING = ("extract",)
MARKED = (*PLACING, *LAYING, *ARMOURED, *HITTING, *EMPTYING)  # the events that a mark in the picture belongs to
QUIET = (  # … and those that only add a remark to the sentence before
    "royal_choice",
    "play_begins",
    "oldest_first",
    "left_showing",
    "left_empty",
    "empty_adds_nothing",
    "armour_choice",
    "ploys_kept",
)
COVER_EXAMPLE = "won"
SUMMARY_EXAMPLE = "king"
PER_PAGE = {"a": 4, "b": 8, "c": 4, "d": 4, "e": 4, "f": 4}  # practice problems on a page, by kind
PRINTED = ("a", "f")
CARD = 8.2  # mm, the width of a card in a diagram of the booklet: two tables stand side by side on half Letter
HAND = 6.4  # … of those in the strip below a table
ASKED = {"a": 10.0, "b": 7.0, "c": 7.6, "d": 7.0, "e": 7.6, "f": 7.0}  # … in a practice problem, by kind
TICK = 4.0  # mm, the side of a box to tick
OWN = 0.5  # mm between a box and the card it belongs to: nearer than any other
LABEL = 2.8  # mm left of the table and above it for the numbers of rows and columns
DIAGONAL = (0, 4, 8)  # a cell of each row and column
GREY = "#333333"
STAR = "★"
Ticks = Literal["", "places", "grid", "royals"]


# Cards in words ----------------------------------------------------------------------------------------------------


def index(locale: Locale, rank: str) -> str:
    """The letter or number in a card's corner."""
    return "10" if rank == "T" else locale.rank(rank)


def named(locale: Locale, card: str) -> str:
    """A card as a sentence names it: 10♦, K♥, joker ★."""
    if card == game.EMPTY:
        return item(locale, "empty")
    if card in game.JOKERS:
        return item(locale, "joker", stars=STAR * int(card[1]))
    return index(locale, card[0]) + SUIT_CHARACTERS[card[1]]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def item(locale: Locale, key: str, **facts: Any) -> str:
    return locale.text(f"item.{key}", game=True, **facts)


def at(locale: Locale, place: str) -> str:
    """Where a royal stands, in words."""
    return locale.text(f"place.{place[0]}", game=True, n=int(place[1]))


def card_in_text(locale: Locale, card: str) -> str:
    """A card as a sentence names it. Raises Fault for one that the deck has not."""
    if card not in game.DECK:
        raise Fault(f"there is no card {card}", "Cards are A 2 … 9 T J Q K and s h d c, or X1 and X2")
    return f"<b>{escape(named(locale, card))}</b>"


def said(locale: Locale, name: str, value: Any) -> Mapping[str, str]:
    """What a reader is told of one fact of an event, by slot."""
    if name in ("card", "on", "royal", "ploy", "better", "holder"):
        return {name: named(locale, value)}
    if name == "armour" and not isinstance(value, int):
        return {"worn": locale.number(worth(value))}
    if name == "attackers":
        told = locale.join([named(locale, card) for card in value])
        return {name: told, "attackers_start": _capital(told)}
    if name in ("cards", "ploys", "royals") and not isinstance(value, int):
        return {name: locale.join([named(locale, card) for card in value])}
    if name == "place":
        return {name: at(locale, value), "place_start": _capital(at(locale, value))}
    if name == "places":
        return {name: locale.join([at(locale, place) for place in value], "or")}
    if name == "step":
        keys = ("step_royal", "step_edge", "step_armour", *(["kin"] if value in ("suit", "colour") else []))
        return {key: item(locale, f"{key}_{value}") for key in keys}
    if name == "reading":
        return {name: story.paragraph(value)}
    if name == "who":
        return {"who_counts": item(locale, f"who_{value}")}
    if name == "counts":
        return {"sum": " + ".join(map(locale.number, value))}
    return {}


def worth(armour: Iterable[str]) -> int:
    """What cards of armour add to the health of their royal (GC-16)."""
    return sum(game.VALUE[card] for card in armour)


def plural(facts: Mapping[str, Any]) -> int | None:
    """The number that a sentence about these facts agrees with."""
    for name in ("score", "turned", "lines"):
        if name in facts:
            number: int = facts[name]
            return number
    return len(facts["cards"]) if "cards" in facts else None


def alt(locale: Locale, position: game.Position) -> str:
    """The table in words, for those who hear a picture."""
    told = []
    for row in range(game.SIDE):
        tops = [game.shown(stack) for stack in position.stacks[row * game.SIDE : (row + 1) * game.SIDE]]
        told.append(item(locale, "row_cards", row=row + 1, cards=locale.join([named(locale, top) for top in tops])))
    royals = [
        item(
            locale,
            "dead_at" if royal.dead else "armoured_at" if royal.armour else "royal_at",
            royal=named(locale, royal.card),
            place=at(locale, place),
            worn=locale.number(worth(royal.armour)),
        )
        for place, royal in zip(game.PLACES, position.royals, strict=True)
        if royal
    ]
    if royals:
        told.append(item(locale, "royals_alt", royals=locale.join(royals)))
    return locale.text("booklet.position_alt", rows="; ".join(told))


# The deck ----------------------------------------------------------------------------------------------------------


def cards(locale: Locale, size: Size, accent: str, style: Style = PLAIN) -> dict[str, Face]:
    """The deck's faces by the name that `--single` takes: `9h`, `Th`, `X1` (GC-1)."""
    return decks.faces(locale, size, style, DECK)


def picture(locale: Locale, card: str, accent: str, width: float, **how: Any) -> Drawing:
    """A card as diagrams show it."""
    if card in game.JOKERS:
        return diagram_card(STAR * int(card[1]), width=width, accent=accent, **how)
    return diagram_card(index(locale, card[0]), card[1], width=width, accent=accent, **how)


# The table in a diagram --------------------------------------------------------------------------------------------


class Layout:
    """Where the places of a diagram lie: five by five cards without the corners, a wider gap around the grid.

    `below` is room kept under each place of the grid, `above` that over it; `ring` is another gap.
    """

    def __init__(self, width: float, below: float = 0, above: float = 0, ring: float = 0) -> None:
        self.width, self.height, self.below, self.above = width, width * DIAGRAM_RATIO, below, above
        self.gap, self.ring = 0.1 * width, ring or 0.3 * width
        self.across = 5 * width + 2 * self.gap + 2 * self.ring
        self.down = 5 * self.height + 2 * self.gap + 2 * self.ring + game.SIDE * (above + below)

    def cell(self, cell: int) -> tuple[float, float]:
        """The upper left corner of a grid place."""
        row, column = game.CELLS[cell]
        return (
            self.width + self.ring + (column - 1) * (self.width + self.gap),
            self.height + self.ring + (row - 1) * (self.height + self.gap + self.above + self.below) + self.above,
        )

    def place(self, place: str) -> tuple[float, float]:
        """The upper left corner of a place for a royal."""
        x, y = self.cell(game.in_front(place)[0])
        dx, dy = self.outward(place)
        more = self.above if dy < 0 else self.below
        return x + dx * (self.width + self.ring), y + dy * (self.height + self.ring + more)

    @staticmethod
    def outward(place: str) -> tuple[int, int]:
        return {"T": (0, -1), "B": (0, 1), "L": (-1, 0), "R": (1, 0)}[place[0]]

    def arrow(self, drawing: Drawing, place: str, accent: str, x: float, y: float) -> None:
        """A head in the gap before a royal, pointing at it."""
        left, top = self.place(place)
        dx, dy = self.outward(place)
        middle_x = x + left + self.width / 2 - dx * (self.width + self.ring) / 2
        middle_y = y + top + self.height / 2 - dy * (self.height + self.ring) / 2
        long, half = self.ring * 0.42, self.width * 0.17
        tip = (middle_x + dx * long, middle_y + dy * long)
        base = (middle_x - dx * long, middle_y - dy * long)
        drawing.path(
            symbols.polygon(
                [tip, (base[0] - dy * half, base[1] + dx * half), (base[0] + dy * half, base[1] - dx * half)]
            ),
            fill=accent,
        )


class Shown:
    """What the events of an example did, as a picture shows it."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.marks: dict[int | str, str] = {}  # of a cell or a place
        self.placed: set[int | str] = set()  # in a thick frame
        self.attackers: set[int] = set()
        self.targets: set[str] = set()
        self.sources: set[int] = set()  # what a joker's card came from
        self.turned: list[str] = []
        self.under: list[str] = []  # what went under the pile
        self.used: list[str] = []
        marks = iter(MARKS)
        for event in events:
            facts = event.facts
            spot: int | str | None = None
            if event.kind in LAYING or event.kind in EMPTYING:
                spot = game.CELLS.index((facts["row"], facts["column"]))
            elif event.kind in (*PLACING, *ARMOURED, *HITTING):
                spot = facts["place"]
            if event.kind in MARKED and spot is not None:
                self.marks[spot] = self.marks.get(spot, "") + next(marks, "")
            if event.kind in (*LAYING, *PLACING) and spot is not None:
                self.placed.add(spot)
            if event.kind == "attack":
                self.attackers |= {game.CELLS.index(cell) for cell in facts["cells"]}
                self.targets.add(facts["place"])
            if event.kind in ("reassign", "reassign_to_empty"):
                self.sources.add(game.CELLS.index((facts["from_row"], facts["from_column"])))
            if event.kind == "turn_number":
                self.turned.append(facts["card"])
            if event.kind in ("extract", "under_pile"):
                self.under += facts["cards"]
            if event.kind == "ploy":
                self.used.append(facts["ploy"])


NOTHING = Shown(())


def table(
    locale: Locale, position: game.Position, accent: str, *, width: float = CARD, shown: Shown = NOTHING,
    room: float = 0, free: bool = True, ticks: Ticks = "", under: bool = False,
    numbers: bool = False,
) -> Drawing:  # fmt: skip
    """The grid and the royals around it.

    `free`: free places are drawn; `room` is height left free below; `ticks`: where boxes to tick are, in the free
    places for royals, under the places of the grid or before the royals; `under`: the card below a top one shows what
    it is; `numbers`: rows and columns are numbered.
    """
    layout = Layout(
        width,
        below=1.3 * TICK if ticks == "grid" else 0,
        above=0.44 * width if under else 0,
        ring=1.4 * TICK if ticks == "royals" else 0,
    )
    edge = 0.16 * width
    drawing = Drawing(layout.across + 2 * edge, layout.down + 2 * edge + room)
    for cell, stack in enumerate(position.stacks):
        x, y = layout.cell(cell)
        _stack(drawing, locale, stack, edge + x, edge + y, width, accent, shown, cell)
        if under and len(stack) > 1:
            _under(drawing, named(locale, stack[-2]), edge + x, edge + y, layout)
        if ticks == "grid":
            _tick(drawing, edge + x + layout.width / 2, edge + y + layout.height + OWN + TICK / 2)
    for place, royal in zip(game.PLACES, position.royals, strict=True):
        x, y = layout.place(place)
        if royal is None:
            if free:
                drawing.place(diagram_place(width=width), edge + x, edge + y)
            if ticks == "places":
                _tick(drawing, edge + x + layout.width / 2, edge + y + layout.height / 2)
        elif royal.dead:
            drawing.place(diagram_back(width=width, accent=accent), edge + x, edge + y)
        else:
            drawing.place(picture(locale, royal.card, accent, width, played=place in shown.placed), edge + x, edge + y)
            if royal.armour:
                _armour(drawing, royal, edge + x, edge + y, layout, accent)
        if royal is not None and ticks == "royals":
            dx, dy = layout.outward(place)
            middle_x = edge + x + layout.width / 2 - dx * (layout.width / 2 + OWN + TICK / 2)
            middle_y = edge + y + layout.height / 2 - dy * (layout.height / 2 + OWN + TICK / 2)
            _tick(drawing, middle_x, middle_y)
    for place in shown.targets:
        layout.arrow(drawing, place, accent, edge, edge)
    for spot, marks in shown.marks.items():
        x, y = layout.cell(spot) if isinstance(spot, int) else layout.place(spot)
        _mark(drawing, marks, x, y, width)
    if numbers:
        corners = [layout.cell(cell) for cell in DIAGONAL]
        return _numbered(drawing, [edge + x + layout.width / 2 for x, _ in corners],
                         [edge + y + layout.height / 2 for _, y in corners])  # fmt: skip
    return drawing


def _numbered(drawing: Drawing, columns: Sequence[float], rows: Sequence[float]) -> Drawing:
    """The same with small numbers above its columns and left of its rows, whose middles are given."""
    wider, size = Drawing(drawing.width + LABEL, drawing.height + LABEL), cap(1.7)
    wider.place(drawing, LABEL, LABEL)
    for number, middle in enumerate(columns, 1):
        wider.text(LABEL + middle, 2.1, str(number), size, fill=GREY, align="centre")
    for number, middle in enumerate(rows, 1):
        wider.text(0.9, LABEL + middle + 0.85, str(number), size, fill=GREY, align="centre")
    return wider


def _under(drawing: Drawing, name: str, x: float, y: float, layout: Layout) -> None:
    """The upper edge of the card below the top one, with its name."""
    high, width = layout.above, layout.width
    drawing.rect(x + 0.12, y - high + 0.12, width - 0.24, high, fill=WHITE, stroke=INK, line=0.25)
    drawing.text(x + width / 2, y - 0.22 * high, name, cap(0.26 * width), face="bold", align="centre", width=width - 1,
                 least=cap(0.18 * width))  # fmt: skip


def _tick(drawing: Drawing, x: float, y: float) -> None:
    """A box to tick, around a point."""
    drawing.rect(x - TICK / 2, y - TICK / 2, TICK, TICK, fill=WHITE, stroke=INK, line=0.35, radius=0.5)


def _stack(
    drawing: Drawing, locale: Locale, stack: Sequence[str], x: float, y: float, width: float, accent: str,
    shown: Shown, cell: int,
) -> None:  # fmt: skip
    """A stack: its top card, and the edge of one below when there is one."""
    if not stack:
        drawing.place(diagram_place(width=width), x, y)
        return
    off = 0.06 * width
    if len(stack) > 1:
        drawing.rect(x + off + 0.12, y - off + 0.12, width - 0.24, width * DIAGRAM_RATIO - 0.24, radius=0.06 * width,
                     fill=WHITE, stroke=INK, line=0.25)  # fmt: skip
    card = picture(locale, stack[-1], accent, width, played=cell in shown.placed, acting=cell in shown.attackers)
    drawing.place(card, x, y)
    if cell in shown.sources:
        drawing.rect(x + 0.3, y + 0.3, width - 0.6, width * DIAGRAM_RATIO - 0.6, radius=0.06 * width, stroke=accent,
                     line=0.6, dash=(0.6, 0.9))  # fmt: skip


def _armour(drawing: Drawing, royal: game.Royal, x: float, y: float, layout: Layout, accent: str) -> None:
    """What a royal's armour adds, at its head."""
    text, digit = f"+{worth(royal.armour)}", max(0.18 * layout.width, 1.6)
    wide, high = 0.56 * layout.width, digit + 0.1 * layout.width
    left, top = x + layout.width - wide + 0.1 * layout.width, y - 0.02 * layout.width
    drawing.rect(left, top, wide, high, radius=0.1 * layout.width, fill=accent)
    drawing.text(left + wide / 2, top + high - 0.05 * layout.width, text, cap(digit), face="bold",
                 fill=WHITE, align="centre", width=wide - 0.4, least=cap(0.8 * digit))  # fmt: skip


def _mark(drawing: Drawing, marks: str, x: float, y: float, width: float) -> None:
    """The marks of a story's sentences, one after another across the upper left corner of a card.

    x and y are the corner's, in a drawing with an edge just as wide as marks reach out.
    """
    side = 0.34 * width
    for number, mark in enumerate(marks):
        left = x + number * side * 0.96
        drawing.circle(left + side / 2, y + side / 2, side / 2, fill=WHITE)
        drawing.text(left, y + side * 0.865, mark, side, fill=INK)


def strip(drawing: Drawing, parts: Sequence[tuple[str, Sequence[Drawing]]]) -> None:
    """Cards in a line at the foot of a drawing, each group under its label."""
    shown = [(label, pictures) for label, pictures in parts if pictures]
    if not shown:
        return
    height = shown[0][1][0].height
    y, gap = drawing.height - height, 0.1 * HAND
    wide = drawing.width / len(shown)
    for number, (label, pictures) in enumerate(shown):
        x = number * wide
        drawing.text(x, y - 1.1, label, cap(1.7), fill=GREY, width=wide - 1, least=cap(1.2))
        step = min(pictures[0].width + gap, (wide - 2 - pictures[0].width) / max(len(pictures) - 1, 1))
        for place, one in enumerate(pictures):
            drawing.place(one, x + place * step, y)


ROOM = HAND * DIAGRAM_RATIO + 5  # what a strip takes


def label(locale: Locale, key: str) -> str:
    return locale.text(f"figure.{key}", game=True)


def before(locale: Locale, position: game.Position, events: Sequence[Event], accent: str) -> str:
    """The table before, and below it what is turned up or to be placed, and the ploys."""
    small = partial(picture, locale, accent=accent, width=HAND)
    turned = [*([position.turned] if position.turned else []), *Shown(events).turned]
    drawing = table(locale, position, accent, room=ROOM)
    strip(
        drawing,
        [
            (label(locale, "to_place"), [small(card) for card in position.waiting]),
            (label(locale, "turned"), [small(card) for card in turned]),
            (label(locale, "ploys"), [small(card) for card in position.ploys]),
        ],
    )
    return drawing.svg(alt(locale, position))


def after(locale: Locale, position: game.Position, events: Sequence[Event], accent: str) -> str:
    """The table after, what was laid and what it hit marked, and below it the ploys and what went under the pile."""
    small = partial(picture, locale, accent=accent, width=HAND)
    shown = Shown(events)
    drawing = table(locale, position, accent, shown=shown, room=ROOM)
    used = [diagram_back(width=HAND, accent=accent) for _ in shown.used]
    strip(
        drawing,
        [
            (label(locale, "ploys"), [*(small(card) for card in position.ploys), *used]),
            (label(locale, "under_pile"), [small(card) for card in shown.under]),
        ],
    )
    return drawing.svg(alt(locale, position))


def caption(locale: Locale, events: Sequence[Event]) -> str:
    """What the marks of an example's pictures mean."""
    shown = Shown(events)
    kinds = {event.kind for event in events}
    keys = [
        *(["played"] if shown.placed else []),
        *(["attackers"] if shown.targets else []),
        *(["dead"] if "kill" in kinds else []),
        *(["armour"] if "armour" in kinds else []),
        *(["mark_moved"] if shown.sources else []),
    ]
    return " ".join(label(locale, key) for key in keys)


def cover(locale: Locale, position: game.Position, events: Sequence[Event], accent: str, width: float) -> str:
    """A position drawn as wide as asked."""
    unit = width / (Layout(1).across + 0.32)
    return table(locale, position, accent, width=unit, free=False).svg(alt(locale, position))


# Figures and tables ------------------------------------------------------------------------------------------------

FIRST = ("9h", "7h", "Kd", "6s", "4d", "Td", "3s", "Ac", "2d", "5h", "Jc", "8h")  # what the set-up's picture turns up


def setup(locale: Locale, accent: str) -> str:
    """The table when the grid is full (GC-2 to GC-4)."""
    position = game.deal([*FIRST, *(card for card in game.DECK if card not in FIRST)])
    left = 57.0
    grid = table(locale, position, accent)
    drawing = Drawing(104, grid.height)
    drawing.place(grid, 0, 0)
    pile = [diagram_back(width=10, accent=accent)] * 3
    groups: list[tuple[str, list[Drawing], float]] = [("draw_pile", pile, 0.7)]
    for key, found in (("to_place", position.waiting), ("ploys", position.ploys)):
        groups.append((key, [picture(locale, card, accent, 10) for card in found], 11.0))
    for number, (key, pictures, step) in enumerate(groups):
        y = number * drawing.height / len(groups)
        drawing.text(left, y + 2.4, label(locale, key), cap(2.0), fill=GREY, width=46, least=cap(1.4))
        for n, one in enumerate(pictures):
            drawing.place(one, left + n * step, y + 4.0)
    svg = drawing.svg(alt(locale, position))
    words = locale.text("figure.setup", game=True, places=locale.number(len(game.PLACES)))
    return f'{svg}<p class="caption">{escape(words)}</p>'


def lines(locale: Locale, accent: str) -> str:
    """What a card in a corner, at a side and in the centre fires (GC-10, GC-12)."""
    width, gap = 4.6, 8.0
    layout, edge = Layout(width), 0.2
    high = layout.down + 2 * edge
    drawing = Drawing(3 * layout.across + 2 * gap + 2 * edge, high + 5)
    for number, (key, cell) in enumerate((("corner", 2), ("side", 3), ("centre", game.CENTRE))):
        left = number * (layout.across + gap) + edge
        fired = game.LINES[cell]
        between = {other for line in fired for other in line.between}
        for other in range(len(game.CELLS)):
            x, y = layout.cell(other)
            thick = other == cell
            half = 0.45 if thick else 0.125
            drawing.rect(left + x + half, edge + y + half, width - 2 * half, layout.height - 2 * half, fill=WHITE,
                         radius=0.06 * width, stroke=accent if thick else INK, line=2 * half)  # fmt: skip
            if other in between:
                drawing.circle(left + x + width / 2, edge + y + layout.height / 2, 0.16 * width, fill=accent)
        targets = {game.PLACES[line.place] for line in fired}
        for place in game.PLACES:
            x, y = layout.place(place)
            target = place in targets
            drawing.rect(left + x + 0.15, edge + y + 0.15, width - 0.3, layout.height - 0.3, radius=0.06 * width,
                         stroke=INK if target else "#777777", line=0.25, fill=tint(accent, 0.13) if target else None,
                         dash=() if target else (0.9, 0.7))  # fmt: skip
            if target:
                drawing.symbol(symbols.CROWN, left + x + width / 2, edge + y + layout.height / 2, width * 0.7,
                               fill=accent)  # fmt: skip
                layout.arrow(drawing, place, accent, left, edge)
        drawing.text(left, high + 3.6, label(locale, f"lines_{key}"), cap(1.9), fill=GREY, width=layout.across,
                     least=cap(1.3))  # fmt: skip
    told = [label(locale, f"lines_{key}") for key in ("corner", "side", "centre")]
    svg = drawing.svg(". ".join(told))
    return f'{svg}<p class="caption">{escape(label(locale, "lines"))}</p>'


def royal_rows(locale: Locale) -> list[tuple[str, str, str, str]]:
    """Of each royal its name with the letter on the card, its health, who hits it, and when it is beyond reach."""
    return [
        (
            f"{locale.text(f'royal.{rank}', game=True)} ({locale.rank(rank)})",
            locale.number(game.HEALTH[rank]),
            locale.text(f"royal.{game.WHO_COUNTS[rank]}", game=True),
            locale.number(game.BEYOND_REACH[rank]),
        )
        for rank in game.HEALTH
    ]


def royals(locale: Locale, accent: str) -> str:
    """The royal table (GC-11, GC-17)."""
    heads = [locale.text(f"royal.{key}", game=True) for key in ("title", "health", "counts", "lost")]
    right = (False, True, False, True)

    def cell(tag: str, text: str, number: bool, scope: str = "") -> str:
        style = ' style="text-align: right"' if number else ""
        return f"<{tag}{scope}{style}>{escape(text)}</{tag}>"

    head = "".join(cell("th", text, number, ' scope="col"') for text, number in zip(heads, right, strict=True))
    body = "".join(
        f"<tr>{''.join(cell('td', text, number) for text, number in zip(row, right, strict=True))}</tr>"
        for row in royal_rows(locale)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


FIGURES: dict[str, Callable[[Locale, str], str]] = {"setup": setup, "lines": lines}
TABLES: dict[str, Callable[[Locale, str], str]] = {"royals": royals}


# The mat -----------------------------------------------------------------------------------------------------------
#
#     draw pile   T1    T2    T3   royal table
#        L1      grid  grid  grid     R1          six rows of five card places: parted in the middle they lie on
#        L2      grid  grid  grid     R2          sheets of three rows each
#        L3      grid  grid  grid     R3
#       joker     B1    B2    B3    joker
#        Ace     Ace   notes  Ace    Ace

GAPS = (2.5, 2.0, 1.5, 1.0)  # mm between places


def mats(locale: Locale, card: Size, paper: Size, accent: str) -> dict[str, Mat]:
    """The grid, the places for royals, ploys and the draw pile: as roomy as the fewest sheets allow."""
    choices = [_mat(locale, card, accent, gap) for gap in GAPS]
    return {"": min(choices, key=lambda mat: paper_mats.tiling(mat, paper).count)}


def _mat(locale: Locale, card: Size, accent: str, gap: float) -> Mat:
    found: list[Place] = []

    def add(row: int, column: int, label: str = "", drawing: Drawing | None = None, *, note: bool = False) -> None:
        x, y = column * (card.width + gap), row * (card.height + gap)
        found.append(Place(x, y, *card, label, "note" if note else "place", drawing))

    def word(key: str) -> str:
        return locale.text(f"mat.{key}", game=True)

    ace, star = _emblem(card, None, accent), _emblem(card, symbols.STAR, accent)
    add(0, 0, word("draw_pile"))
    for row, column in game.CELLS:
        add(row, column)
    for place in game.PLACES:
        row, column = game.CELLS[game.in_front(place)[0]]
        dx, dy = Layout.outward(place)
        add(row + dy, column + dx, drawing=_emblem(card, symbols.CROWN, accent))
    add(0, 4, drawing=_royal_card(locale, card, accent), note=True)
    for column in (0, 4):
        add(4, column, word("joker"), star)
    for column in (0, 1, 3, 4):
        add(5, column, word("ace"), ace)
    add(5, 2, drawing=_ploy_card(locale, card, accent), note=True)
    found.sort(key=lambda place: (place.y, place.x))
    return Mat(5 * (card.width + gap) - gap, 6 * (card.height + gap) - gap, tuple(found), accent)


def _emblem(card: Size, shape: symbols.Shape | None, accent: str) -> Drawing:
    """What tells one kind of place from another, light enough that a card stands out."""
    drawing = Drawing(*card)
    if shape is None:  # an Ace: the letter differs from language to language, its suits do not
        side = 0.15 * card.width
        for n, suit in enumerate("shdc"):
            x = card.width / 2 + (n % 2 - 0.5) * 1.5 * side
            y = card.height / 2 + (n // 2 - 0.5) * 1.5 * side
            drawing.symbol(symbols.SUITS[suit], x, y, side, fill=tint(accent, 0.3))
        return drawing
    if shape is symbols.CROWN:
        drawing.rect(0.2, 0.2, card.width - 0.4, card.height - 0.4, fill=tint(accent, 0.07))
    drawing.symbol(shape, card.width / 2, card.height / 2, 0.4 * card.width, fill=tint(accent, 0.3))
    return drawing


def _royal_card(locale: Locale, card: Size, accent: str) -> Drawing:
    """The royal table in the room of a card (GC-11, GC-17)."""
    drawing = Drawing(*card)
    edge, unit = 2.0, card.width / 44.45
    title = locale.text("mat.royal_title", game=True)
    drawing.text(edge, edge + 3.4 * unit, title, cap(2.6 * unit), face="bold", fill=accent, width=card.width - 2 * edge)
    top = edge + 6 * unit
    step = (card.height - top - 1) / len(game.HEALTH)
    for number, rank in enumerate(game.HEALTH):
        y = top + number * step
        drawing.line(edge, y, card.width - edge, y, stroke=INK, line=0.2)
        base = y + step * 0.4
        drawing.symbol(symbols.EMBLEMS[rank], edge + 3.2 * unit, base - 2 * unit, 6 * unit, fill=accent)
        drawing.text(edge + 8 * unit, base, locale.rank(rank), cap(4.2 * unit), face="bold", width=12 * unit,
                     least=cap(2.5 * unit))  # fmt: skip
        drawing.text(card.width - edge, base, locale.number(game.HEALTH[rank]), cap(4.2 * unit), face="bold",
                     align="right")  # fmt: skip
        said = (
            locale.text(f"royal.{game.WHO_COUNTS[rank]}", game=True),
            locale.text("mat.lost", game=True, limit=locale.number(game.BEYOND_REACH[rank])),
        )
        for part, text in enumerate(said):
            drawing.text(edge, base + (4.2 + 4.0 * part) * unit, text, 8.5 * PT * unit, width=card.width - 2 * edge,
                         least=6.5 * PT)  # fmt: skip
    return drawing


def _ploy_card(locale: Locale, card: Size, accent: str) -> Drawing:
    """What ploys do (GC-14, GC-15)."""
    drawing = Drawing(*card)
    edge, unit = 4.0, card.width / 44.45
    drawing.text(edge, edge + 3.4 * unit, locale.text("mat.ploys_note", game=True), cap(2.6 * unit), face="bold",
                 fill=accent, width=card.width - 2 * edge)  # fmt: skip
    y = edge + 7 * unit
    for key in ("ploys_ace", "ploys_joker"):
        y = drawing.paragraph(edge, y, locale.text(f"mat.{key}", game=True), 8.5 * PT * unit, card.width - 2 * edge)
        y += 2 * unit
    return drawing


def plans(locale: Locale, card: Size, paper: Size, accent: str) -> dict[str, partial[Made]]:
    """None: the mat shows how the table is laid."""
    return {}


# The score log -----------------------------------------------------------------------------------------------------

GAMES_LOGGED = 18  # lines on a page
EXAMPLE_WIN = 3  # the score of the example `won`


def score(locale: Locale) -> dict[str, Any]:
    """What the score log's template prints (GC-21)."""
    return {
        "wide": True,  # in large print the sheet lies
        "heading": locale.text("score.title", game=True),
        "intro": locale.text("score.intro", game=True, **game.facts()),
        "heads": {
            key: locale.text(f"score.{key}", game=True)
            for key in ("number", "date", "won", "lost", "ploys", "alive", "notes")
        },
        "example": ["", "✗", "", locale.number(EXAMPLE_WIN), "", ""],
        "games": list(range(1, GAMES_LOGGED + 1)),
        "best": locale.text("score.best", game=True),
        "wins": locale.text("score.wins", game=True),
    }


# Practice ----------------------------------------------------------------------------------------------------------


def question(locale: Locale, asked: Question, accent: str) -> dict[str, Any]:
    """What a practice problem's template draws: the table, the cards in question, and the room for its answer."""
    kind, facts = asked.kind, asked.position
    position = _position(facts)
    drawn: dict[str, Any] = {
        "number": asked.number,
        "level": asked.level,
        "levels": LEVELS[-1],
        "prompts": [story.sentence(locale, TABLE, f"prompt.{p.key}", p.facts) for p in asked.prompts],
        "table": _table(locale, kind, position, accent),
        **dict.fromkeys(("card", "write"), ""),
        **dict.fromkeys(("groups", "heads"), ()),
    }
    if kind == "d":
        groups = [("next", facts["cards"]), ("ploys", facts["ploys"])]
        drawn["groups"] = [(label(locale, key), _cards(locale, cards, accent)) for key, cards in groups if cards]
        drawn["heads"] = [_word(locale, head) for head in ("move", "to")]
        drawn["rows"] = len(facts["cards"]) + len(facts["ploys"])
        return drawn
    card = facts["royal"] if kind == "a" else facts["card"]
    drawn["card"] = safe(picture(locale, card, accent, BIG, played=True).svg(named(locale, card)))
    if kind == "c":
        drawn["write"] = _word(locale, "killed")
    if kind == "f":
        drawn["heads"] = [_word(locale, head) for head in ("royal", "sum", "health", "dead")]
        drawn["rows"] = MOST_ATTACKS
    return drawn


def _word(locale: Locale, key: str) -> str:
    return locale.text(f"practice.{key}", game=True)


TICKS: Mapping[str, Ticks] = {"a": "places", "c": "grid", "e": "royals"}  # by kind
BIG = 11.0  # mm, the width of the card in question
MOST_ATTACKS = 2  # that one card fires (GC-12)


def _position(facts: Mapping[str, Any]) -> game.Position:
    """The table of a question, with nothing in the draw pile."""
    stacks = tuple(tuple(stack) for row in facts["grid"] for stack in row)
    standing = facts.get("royals", {})
    royals = tuple(
        game.Royal(standing[place]["card"], tuple(standing[place]["armour"]), standing[place]["dead"])
        if place in standing
        else None
        for place in game.PLACES
    )
    ploys = tuple(facts.get("ploys", ()))
    return game.Position(stacks, game.room_on(stacks), royals, (), None, (), ploys, (), game.Options(), "turn")


def _table(locale: Locale, kind: str, position: game.Position, accent: str) -> Markup:
    """The table as its kind asks about it."""
    width = ASKED[kind]
    if kind != "b":
        ticks = TICKS.get(kind, "")
        under = bool(set(position.ploys) & set(game.JOKERS))  # a joker may bring it up
        drawing = table(locale, position, accent, width=width, ticks=ticks, under=under, numbers=True)
        return safe(drawing.svg(alt(locale, position)))
    step_x, step_y = 1.06 * width + OWN + TICK + 2.2, (DIAGRAM_RATIO + 0.12) * width
    drawing = Drawing(game.SIDE * step_x, game.SIDE * step_y)
    for cell, stack in enumerate(position.stacks):
        x, y = cell % game.SIDE * step_x, cell // game.SIDE * step_y + 0.1 * width
        _stack(drawing, locale, stack, x, y, width, accent, NOTHING, cell)
        _tick(drawing, x + 1.06 * width + OWN + TICK / 2, y + width * DIAGRAM_RATIO / 2)
    columns = [column * step_x + width / 2 for column in range(game.SIDE)]
    rows = [row * step_y + 0.1 * width + width * DIAGRAM_RATIO / 2 for row in range(game.SIDE)]
    return safe(_numbered(drawing, columns, rows).svg(alt(locale, position)))


def _cards(locale: Locale, cards: Sequence[str], accent: str) -> Markup:
    """Cards in a line, in order."""
    width = ASKED["d"]
    drawing = Drawing(1.15 * width * len(cards), width * DIAGRAM_RATIO)
    for number, card in enumerate(cards):
        drawing.place(picture(locale, card, accent, width), 1.15 * width * number, 0)
    return safe(drawing.svg(locale.join([named(locale, card) for card in cards])))


def answer(locale: Locale, problem: Problem) -> str:
    """A problem's right answers as the key prints them."""
    kind, answers = problem.question.kind, problem.answers
    if kind == "a":
        return _capital(locale.join([at(locale, found["place"]) for found in answers], "or"))
    if kind == "b":
        return _capital("; ".join(_cell(locale, found["row"], found["column"]) for found in answers))
    if kind == "c":
        (found,) = answers
        royals = problem.question.position["royals"]
        killed = locale.join([named(locale, royals[place]["card"]) for place in found["kills"]])
        return _capital(item(locale, "kills_at", at=_cell(locale, found["row"], found["column"]), royals=killed))
    if kind == "d":
        return "; ".join(_moves(locale, answers[0]["moves"], problem.question.position["cards"]))
    royals = problem.question.position["royals"]
    if kind == "e":
        told = [
            item(
                locale,
                "royal_at",
                royal=named(locale, royals[found["place"]]["card"]),
                place=at(locale, found["place"]),
            )
            for found in answers
        ]
        return locale.join(told, "or")
    return "; ".join(
        item(
            locale,
            "dead" if attack["dead"] else "stands",
            royal=named(locale, royals[attack["place"]]["card"]),
            total=locale.number(attack["total"]),
            health=locale.number(attack["health"]),
        )
        for attack in answers[0]["attacks"]
    )


def _cell(locale: Locale, row: int, column: int) -> str:
    return item(locale, "cell", row=row, column=column)


def trace_table(locale: Locale, problem: Problem) -> dict[str, Any] | None:
    """None: no kind of this game is a table of steps."""
    return None


def line(locale: Locale, moves: Sequence[str], problem: Problem) -> str:
    """A near miss in words, short: where each card goes, what each ploy does."""
    return item(locale, "near_miss", moves="; ".join(_moves(locale, moves, problem.question.position["cards"])))


def _moves(locale: Locale, moves: Sequence[str], cards: Sequence[str]) -> list[str]:
    """Moves in words, with the cards that are laid, in turn."""
    left = iter(cards)
    return [_move(locale, move, next(left) if move.startswith("place") else "") for move in moves]


def _move(locale: Locale, text: str, card: str = "") -> str:
    """A move in words; `card` is the one that is laid."""
    move = game.move_from_text(text)
    if isinstance(move, game.Extract):
        return item(locale, "extract", ploy=named(locale, move.ploy), at=_cell(locale, move.row, move.column))
    if isinstance(move, game.Reassign):
        source = _cell(locale, move.from_row, move.from_column)
        to = _cell(locale, move.row, move.column)
        return item(locale, "reassign", ploy=named(locale, move.ploy), source=source, to=to)
    assert isinstance(move, game.Place)
    return f"{named(locale, card)} → {_cell(locale, move.row, move.column)}"


def step_label(locale: Locale, number: int, facts: Mapping[str, Any]) -> str:
    """The head of one step of a line: its move."""
    return f"{number}. {_capital(_move(locale, facts['move'], facts['card']))}."


TABLE: Table = cast("Table", sys.modules[__name__])
