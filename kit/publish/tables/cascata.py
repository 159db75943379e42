"""The table of Cascata: a pyramid taken down from its apex, a reserve, hands, and melds in front of their owners."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from markupsafe import escape

from kit.faults import Fault, nearest
from kit.games import cascata as game
from kit.games.core import Event, Stream
from kit.language.locale import Locale
from kit.paper import cards as faces
from kit.paper import fonts, symbols
from kit.paper import pyramid as guides
from kit.paper.cards import DIAGRAM_RATIO, PLAIN, SUIT_CHARACTERS, Face, Style, diagram_back, diagram_card
from kit.paper.drawing import INK, WHITE, Drawing, cap
from kit.paper.expect import Made
from kit.paper.pyramid import Pyramid
from kit.paper.sizes import Size
from kit.practice.core import LEVELS, Line, Options, Problem, Prompt, Question
from kit.publish import decks, story
from kit.publish.pages import safe
from kit.publish.sheet import Backs
from kit.publish.tables import Table

DECK = game.DECK
BACKS: Backs = "none"  # an ordinary deck may be used as well
MARKS = "①②③④⑤⑥⑦⑧"
MARKED = ("take", "draw", "swap", "meld", "extend", "steal")  # the events that a mark in a picture belongs to
QUIET = ("last_card", "safe", "joker_matches")  # … and those that only add a remark to the sentence before
COVER_EXAMPLE = "free"
SUMMARY_EXAMPLE = "theft"
PER_PAGE = {"a": 4, "b": 4, "c": 3, "d": 3, "e": 3, "f": 3}  # problems on a page, by kind
PRINTED = ("a", "c")

COLUMN, WIDE = 51.5, 106.0  # mm: a picture with another one beside it, and one that has the line to itself
STEP = 0.8  # of a card's height: how far a row lies below the one above it, in pictures
GAP = 0.06  # of a card's width, between neighbours in the pyramid
HELD, SLIM = 5.9, 5.3  # mm, the width of a card in a hand or a meld, in a column and in a wide picture
LARGEST = 8.6  # mm, the width of a card in a small part of the pyramid
BOX = 4.0  # mm, the side of a box to tick on a card
GREY = "#444444"
PACE = 1.04  # from one card of a hand to the next, in widths
ABOVE, BELOW = 2.8, 3.0  # mm for a line of words over cards, and under them
TITLE_GROWS = 1.3  # by how much a title over wide lines may outgrow its picture in large print
Place = tuple[int, int]


# The deck ----------------------------------------------------------------------------------------------------------


def letter(locale: Locale, rank: str) -> str:
    """The index of a rank of the interchange, in the reader's language."""
    return locale.number(10) if rank == "T" else locale.rank(rank)


def cards(locale: Locale, size: Size, accent: str, style: Style = PLAIN) -> dict[str, Face]:
    """The deck's faces (CA-1) by the name that `--single` takes: As 2s … Kc X1 X2."""
    return decks.faces(locale, size, style)


def named(locale: Locale, card: str) -> str:
    """A card as a sentence names it: 8♠, joker."""
    if card in game.JOKERS:
        return item(locale, "joker")
    if card == game.MARKER:
        return item(locale, "marker")
    return letter(locale, card[0]) + SUIT_CHARACTERS[card[1]]


def listed(locale: Locale, cards: Iterable[str]) -> str:
    """Cards as a sentence lists them: 8♠, 8♦ and joker. Two jokers look alike, so together they are "both jokers"."""
    told = list(cards)
    both = set(game.JOKERS) <= set(told)
    names = [named(locale, card) for card in told if not (both and card in game.JOKERS)]
    return locale.join([*names, item(locale, "both_jokers")] if both else names)


def card_in_text(locale: Locale, card: str) -> str:
    """A card as a paragraph names it. Raises Fault for one that the deck has not."""
    if card not in (*game.DECK, game.MARKER):
        raise Fault(f"there is no card {card}", nearest(card, game.DECK))
    return f"<b>{escape(named(locale, card))}</b>"


# Sentences ---------------------------------------------------------------------------------------------------------


def item(locale: Locale, key: str, **facts: Any) -> str:
    return locale.text(f"item.{key}", game=True, **facts)


def player(locale: Locale, seat: int) -> str:
    return locale.text(f"seat.name_{seat + 1}")


def said(locale: Locale, name: str, value: Any) -> Mapping[str, str]:
    """What a reader is told of one fact of an event, by slot."""
    if name in ("seat", "victim"):
        return {"player" if name == "seat" else name: player(locale, value)}
    if name in ("card", "joker"):
        return {name: named(locale, value)}
    if name == "covers":
        return {name: locale.join([item(locale, "place", row=row, position=place) for row, place in value])}
    if name in ("turn", "action"):
        words = turn_in_words(locale, value)
        return {name: words if name == "turn" else first_up(words)}
    if name == "reading":
        return {name: story.paragraph(value)}
    if name in ("cards", "added", "jokers", "above"):
        return {name: listed(locale, value) or item(locale, "no_cards")}
    if name == "rank":
        return {name: letter(locale, value)}
    if name in ("winners", "seats"):
        return {name: locale.join([player(locale, seat) for seat in value])}
    if name == "scores":
        told = [
            item(locale, "score_of", points=locale.number(points), player=player(locale, seat))
            for seat, points in enumerate(value)
        ]
        return {name: locale.join(told)}
    return {}


def plural(facts: Mapping[str, Any]) -> int | None:
    """The number that a sentence about these facts agrees with."""
    for name in ("winners", "jokers", "places", "above", "covers"):
        if name in facts:
            return len(facts[name])
    points: int | None = facts.get("points")
    return points


# Pictures ----------------------------------------------------------------------------------------------------------


def picture_of(
    card: str, locale: Locale, width: float, accent: str, *, played: bool = False, acting: bool = False
) -> Drawing:
    """A card face up in a picture; a joker shows its star."""
    if card in game.JOKERS:
        return diagram_card("★", width=width, accent=accent, played=played, acting=acting)
    return diagram_card(letter(locale, card[0]), card[1], width=width, accent=accent, played=played, acting=acting)


def ticked_card(card: str, locale: Locale, width: float, accent: str) -> Drawing:
    """A card of a pyramid with boxes: its suit stands at the left, so that a box or a badge at the right is free."""
    if card in game.JOKERS:
        return picture_of(card, locale, width, accent)
    drawing, colour = diagram_card("", width=width, accent=accent), PLAIN.colour(card[1])
    size = cap(0.38 * width)
    drawing.text(width / 2, 0.52 * drawing.height, letter(locale, card[0]), size, face="bold", fill=colour,
                 align="centre", width=width * 0.84, least=size * 0.6)  # fmt: skip
    drawing.symbol(symbols.SUITS[card[1]], 0.29 * width, 0.76 * drawing.height, 0.34 * width, fill=colour)
    return drawing


def badge(drawing: Drawing, x: float, y: float, mark: str, accent: str, r: float = 1.5) -> None:
    """The number of a sentence, white on the accent colour, around a point."""
    digit = str(MARKS.index(mark) + 1)
    x, y = min(max(x, r), drawing.width - r), min(max(y, r), drawing.height - r)
    drawing.circle(x, y, r, fill=accent, stroke=WHITE, line=0.25)
    drawing.text(x, y + 0.57 * r, digit, cap(1.14 * r), face="bold", fill=WHITE, align="centre")


def pyramid(
    locale: Locale,
    position: game.Position,
    accent: str,
    width: float,
    *,
    acting: Collection[Place] = (),
    played: Collection[Place] = (),
    marks: Mapping[Place, str] | None = None,
    gone: Mapping[Place, str] | None = None,
    last: int = 0,
    numbers: bool = True,
    boxes: Collection[Place] = (),
) -> Drawing | None:
    """What is left of the pyramid, at most `width` wide, from the first row that has a card; None without one.

    `gone` are places whose card was just taken: a dashed outline, with a mark. `last` is the last row shown, 0 for the
    base; dots say that rows follow. `boxes`: cards with a box to tick.
    """
    marks, gone = marks or {}, gone or {}
    found = game.rows(position.pyramid)
    shown = [row for row, cells in enumerate(found, 1) if any(cells) or any(place[0] == row for place in gone)]
    if not shown:
        return None
    first, count, label = shown[0], last or len(found), 3.2 if numbers else 0.0
    wide = (
        min((width - label) / (count + (count - 1) * GAP), LARGEST)
        if width <= COLUMN
        else (width - label) / (count + (count - 1) * GAP)
    )
    pitch, high = wide * (1 + GAP), wide * DIAGRAM_RATIO
    more = 2.6 if count < len(found) else 0.0
    drawing = Drawing(label + count * pitch - wide * GAP, high + (count - first) * high * STEP + 0.6 + more)

    def corner(row: int, place: int) -> tuple[float, float]:
        return label + (count - row) * pitch / 2 + (place - 1) * pitch, (row - first) * high * STEP

    for place in gone:  # below all cards: the one that was freed is seen whole
        x, y = corner(*place)
        drawing.rect(x + 0.15, y + 0.15, wide - 0.3, high - 0.3, radius=0.06 * wide, stroke="#777777", line=0.25,
                     dash=(0.9, 0.7))  # fmt: skip
    for row in range(count, first - 1, -1):
        if numbers and (any(found[row - 1]) or any(place[0] == row for place in gone)):
            drawing.text(0, corner(row, 1)[1] + high * 0.62 + 0.9, str(row), cap(1.8), fill=GREY)
        for number, card in enumerate(found[row - 1], 1):
            x, y = corner(row, number)
            if card is not None and _up(position, row, number):
                played_, acting_ = (row, number) in played, (row, number) in acting
                if boxes:
                    drawing.place(ticked_card(card, locale, wide, accent), x, y)
                else:
                    drawing.place(picture_of(card, locale, wide, accent, played=played_, acting=acting_), x, y)
            elif card is not None:
                drawing.place(diagram_back(width=wide, accent=accent), x, y)
    for at in boxes:
        x, y = corner(*at)
        drawing.rect(x + wide - BOX - 0.5, y + high - BOX - 0.5, BOX, BOX, radius=0.4, fill=WHITE, stroke=INK,
                     line=0.3)  # fmt: skip
    for at, mark in {**marks, **gone}.items():
        x, y = corner(*at)
        if mark and at[0] >= first and boxes:  # as large as the boxes, and opposite them
            side = BOX / 2 + 0.5
            badge(drawing, x + (side if at in boxes else wide - side), y + high - side, mark, accent, BOX / 2)
        elif mark and at[0] >= first:
            badge(drawing, x + 0.5, y + high - 0.6, mark, accent)
    if more:
        for n in (-1, 0, 1):
            drawing.circle(label + (drawing.width - label) / 2 + n * 2.2, drawing.height - 1.0, 0.45, fill=GREY)
    return drawing


def _up(position: game.Position, row: int, place: int) -> bool:
    return game.is_up(position.left, position.options.hidden_rows, game.PLACES.index((row, place)))


class Shown:
    """What a picture brings out: cards that act (dots), cards just laid (thick frames), marks, places just emptied."""

    def __init__(self) -> None:
        self.acting: set[str] = set()
        self.played: set[str] = set()
        self.free: set[Place] = set()
        self.laid: set[Place] = set()
        self.marks: dict[Place, str] = {}
        self.gone: dict[Place, str] = {}
        self.melds: dict[str, str] = {}  # the first card of a meld: its mark
        self.reserve = ""
        self.last = 0  # the last row of the pyramid that matters


def scene(
    locale: Locale, position: game.Position, seats: Sequence[int], shown: Shown, accent: str, width: float
) -> Drawing:
    """A table: the pyramid with the reserve beside it, and below it each seat's hand and melds."""
    heap = pyramid(
        locale, position, accent, COLUMN, acting=shown.free, played=shown.laid, marks=shown.marks, gone=shown.gone,
        last=shown.last,
    )  # fmt: skip
    if heap and width == WIDE:  # one card is left: it stands beside the first seat's cards
        blocks = [
            seat_block(locale, position, seat, shown, accent, width - 16 * (not n)) for n, seat in enumerate(seats)
        ]
        drawing = Drawing(width, sum(block.height for block in blocks))
        drawing.place(_last_card(locale, position, shown, accent), width - 12.5, 0)
        top = 0.0
    else:
        blocks = [seat_block(locale, position, seat, shown, accent, width) for seat in seats]
        top = heap.height + 1.6 if heap else 0.0
        drawing = Drawing(width, top + sum(block.height for block in blocks))
        if heap:
            drawing.place(heap, (width - heap.width) / 2, 0)
            reserve(drawing, locale, position, shown, accent)
    y = top
    for block in blocks:
        drawing.place(block, 0, y)
        y += block.height
    return drawing


def _last_card(locale: Locale, position: game.Position, shown: Shown, accent: str) -> Drawing:
    """The only card that is left of the pyramid, with its row."""
    place = next(n for n, card in enumerate(position.pyramid) if card is not None)
    at, width = game.PLACES[place], 8.2
    drawing = Drawing(12.5, width * DIAGRAM_RATIO + 1)
    drawing.text(0, width * 0.8, str(at[0]), cap(1.8), fill=GREY)
    drawing.place(picture_of(position.pyramid[place] or "", locale, width, accent), 3.6, 0)
    if at in shown.marks:
        badge(drawing, 4.2, width * DIAGRAM_RATIO - 0.6, shown.marks[at], accent)
    return drawing


def reserve(drawing: Drawing, locale: Locale, position: game.Position, shown: Shown, accent: str) -> None:
    """The reserve in the free corner at the right of the apex, with the number of its cards; crossed when locked."""
    wide, top = 5.6, 2.6
    x = drawing.width - wide - 0.9
    drawing.text(drawing.width, 1.8, locale.text("figure.reserve", game=True), cap(1.5), fill=GREY, align="right",
                 width=14, least=cap(1.2))  # fmt: skip
    for shift in (0.8, 0.4, 0.0):
        drawing.place(diagram_back(width=wide, accent=accent), x + shift, top + 0.8 - shift)
    middle = top + 0.8 + wide * DIAGRAM_RATIO / 2
    drawing.rect(x + 0.9, middle - 1.7, wide - 1.8, 3.4, radius=0.6, fill=WHITE, stroke=INK, line=0.2)
    text = "✗" if position.locked else str(len(position.reserve))
    drawing.text(
        x + wide / 2, middle + 0.9, text, cap(1.8), face="bold", align="centre", width=wide - 2.2, least=cap(1.2)
    )
    if shown.reserve:
        badge(drawing, x + 0.2, top + wide * DIAGRAM_RATIO + 0.4, shown.reserve, accent)


class Lying(NamedTuple):
    """Cards of a seat that lie together: where, a title above the first of a kind, and what is written below."""

    x: float
    cards: Sequence[str]
    title: str
    below: str


def seat_block(locale: Locale, position: game.Position, seat: int, shown: Shown, accent: str, width: float) -> Drawing:
    """A seat's hand and melds, with what each meld scores; at the end also what the hand costs, and the total."""
    over = position.phase == "over"
    lines = _lines(locale, position, seat, width)
    held = _held(width)
    heights = [_line_height(line, held) for line in lines]
    drawing = Drawing(width, sum(heights))
    if over:
        total = locale.text("figure.total", game=True, points=locale.number(_total(position, seat)))
        drawing.text(width, 1.9, total, cap(1.9), face="bold", fill=accent, align="right")
    y = 0.0
    for line, height in zip(lines, heights, strict=True):
        _line(drawing, locale, line, y, shown, accent, held)
        y += height
    return drawing


def _line(
    drawing: Drawing, locale: Locale, line: Sequence[Lying], y: float, shown: Shown, accent: str, held: float
) -> None:
    """Groups of cards side by side, their titles above them."""
    top = y + ABOVE * any(one.title for one in line)
    for n, one in enumerate(line):
        if one.title:
            rest = [other.x for other in line[n + 1 :] if other.title]
            room = (rest[0] - 1.0 if rest else drawing.width) - one.x
            drawing.text(one.x, y + 1.9, one.title, cap(1.7), face="bold", width=room, least=cap(1.25))
        _group(drawing, locale, one, top, shown, accent, held)


def _line_height(line: Sequence[Lying], held: float) -> float:
    return held * DIAGRAM_RATIO + 1.4 + ABOVE * any(one.title for one in line) + BELOW * any(one.below for one in line)


def _held(width: float) -> float:
    return HELD if width <= COLUMN else SLIM


def _lines(locale: Locale, position: game.Position, seat: int, width: float) -> list[list[Lying]]:
    """The seat's hand and melds from left to right, in as many lines as they need."""
    number, name, hand = locale.number, player(locale, seat), position.hands[seat]
    cost = (f"−{number(game.values(hand))}" if game.values(hand) else number(0)) if position.phase == "over" else ""
    groups = [(hand, locale.text("figure.hand", game=True, player=name), cost)]
    for n, meld in enumerate(position.melds[seat]):
        points = number(meld.points)
        if position.options.multiplier:
            points = f"{number(game.base(meld.cards))} × {number(meld.times)} = {points}"
        groups.append((meld.cards, "" if n else locale.text("figure.melds", game=True, player=name), points))
    return _flowing(groups, width, _held(width))


def _flowing(groups: Sequence[tuple[Sequence[str], str, str]], width: float, held: float) -> list[list[Lying]]:
    """Groups of cards (cards, title, what is below) from left to right, in as many lines as they need."""
    step = held * PACE
    lines: list[list[Lying]] = [[]]
    x = 0.0
    for cards_, title, below in groups:
        spread = TITLE_GROWS if width > COLUMN else 1.0
        long = max(len(cards_) * step, spread * fonts.width(title, cap(1.7), "bold") if title else 0.0, 6.0)
        if lines[-1] and x + len(cards_) * step - 0.3 > width:
            lines.append([])
            x = 0.0
        lines[-1].append(Lying(x, cards_, title, below))
        x += long + (3.0 if width <= COLUMN else 1.8)
    return lines


def _group(drawing: Drawing, locale: Locale, one: Lying, y: float, shown: Shown, accent: str, held: float) -> None:
    high, step = held * DIAGRAM_RATIO, held * PACE
    for place, card in enumerate(one.cards):
        up = picture_of(card, locale, held, accent, played=card in shown.played, acting=card in shown.acting)
        drawing.place(up, one.x + place * step, y)
    if not one.cards:
        drawing.text(one.x, y + held * 0.8, item(locale, "no_cards"), cap(1.6), fill=GREY)
    if one.below:
        half = 0.5 * fonts.width(one.below, cap(1.6))
        middle = max(half, min(one.x + max(len(one.cards), 1) * step / 2, drawing.width - half))
        drawing.text(middle, y + high + 2.4, one.below, cap(1.6), align="centre")
    mark = next((shown.melds[card] for card in one.cards if card in shown.melds), "")
    if mark:
        badge(drawing, one.x + 0.6, y + high - 0.4, mark, accent)


def _total(position: game.Position, seat: int) -> int:
    result = position.result()
    assert result is not None
    return int(result["scores"][seat])


def alt(locale: Locale, position: game.Position, seats: Sequence[int]) -> str:
    """A table in words, for those who hear a picture."""
    told = []
    for row, cells in enumerate(game.rows(position.pyramid), 1):
        held = [
            named(locale, card) if _up(position, row, place) else item(locale, "face_down")
            for place, card in enumerate(cells, 1)
            if card is not None
        ]
        if held:
            told.append(item(locale, "row_cards", row=row, cards=locale.join(held)))
    for seat in seats:
        name = player(locale, seat)
        hand = listed(locale, position.hands[seat]) or item(locale, "no_cards")
        told.append(item(locale, "hand_cards", player=name, cards=hand))
        for meld in position.melds[seat]:
            told.append(item(locale, "meld_cards", player=name, cards=listed(locale, meld.cards)))
    return locale.text("figure.alt", game=True, table="; ".join(told))


def marked(events: Sequence[Event]) -> list[tuple[str, Event]]:
    """The events that bear a mark, each with it."""
    return list(zip(MARKS, [event for event in events if event.kind in MARKED], strict=False))


def concerned(position: game.Position, events: Sequence[Event]) -> list[int]:
    """The seats whose cards a picture shows."""
    found = {event.facts[name] for event in events for name in ("seat", "victim") if name in event.facts}
    return sorted(found) or list(range(position.players))


def _width(position: game.Position) -> float:
    """A nearly empty pyramid goes with long rows of melds: that picture has the line to itself."""
    return WIDE if position.left.bit_count() <= 1 else COLUMN


def _last(position: game.Position, events: Sequence[Event]) -> int:
    """The last row that a picture needs: the one below what happens, when at least two more follow."""
    rows = [event.facts["row"] for event in events if "row" in event.facts]
    rows += [row for event in events for row, _ in event.facts.get("places", ())]
    count = game.ROWS[position.players]
    last = max(rows, default=count) + 1
    return last if last < count else 0


def before(locale: Locale, position: game.Position, events: Sequence[Event], accent: str) -> str:
    """The table before; cards about to be drafted bear their marks, cards about to be laid a dot."""
    shown = Shown()
    shown.last = _last(position, events)
    held = {card for hand in position.hands for card in hand}
    for mark, event in marked(events):
        place = (event.facts.get("row"), event.facts.get("position"))
        if event.kind in ("take", "swap"):
            shown.marks[place] = mark  # type: ignore[index]
        if event.kind == "swap":
            shown.acting.add(event.facts["joker"])
        if event.kind == "draw":
            shown.reserve = mark
        shown.acting |= held & set(event.facts.get("added") or event.facts.get("cards") or ())
    seats = concerned(position, events)
    return scene(locale, position, seats, shown, accent, _width(position)).svg(alt(locale, position, seats))


def _after(position: game.Position, events: Sequence[Event]) -> Shown:
    shown = Shown()
    shown.last = _last(position, events)
    for mark, event in marked(events):
        facts = event.facts
        if event.kind == "take":
            shown.gone[facts["row"], facts["position"]] = mark
            shown.played.add(facts["card"])
        if event.kind == "draw":
            shown.reserve = mark
            shown.played.add(facts["card"])
        if event.kind == "swap":
            shown.marks[facts["row"], facts["position"]] = mark
            shown.laid.add((facts["row"], facts["position"]))
            shown.played.add(facts["card"])
        if event.kind in ("meld", "extend", "steal"):
            shown.played |= set(facts.get("added") or facts["cards"])
            shown.melds[facts["cards"][0]] = mark
    for event in events:
        if event.kind == "freed":
            shown.free |= {place for place in event.facts["places"] if place not in shown.gone}
    return shown


def after(locale: Locale, position: game.Position, events: Sequence[Event], accent: str) -> str:
    """The table after: thick frames for what was laid, dots for what became free, outlines for what was taken."""
    shown, seats = _after(position, events), concerned(position, events)
    width = WIDE if position.phase == "over" else _width(position)
    if position.phase == "over":
        shown.gone = {}
    return scene(locale, position, seats, shown, accent, width).svg(alt(locale, position, seats))


def caption(locale: Locale, events: Sequence[Event]) -> str:
    """What dots, frames and outlines mean in an example's pictures."""
    kinds = {event.kind for event in events}
    keys = ["marks"]
    if kinds & {"meld", "extend", "steal", "swap"}:
        keys.append("frames")
    if "freed" in kinds:
        keys.append("dots_after")
    return " ".join(locale.text(f"figure.{key}", game=True) for key in keys)


def cover(locale: Locale, position: game.Position, events: Sequence[Event], accent: str, width: float) -> str:
    """A pyramid as wide as the cover's text allows, its free cards with a dot."""
    free = [(move.row, move.position) for move in game.free_cards(position.left)]
    drawing = pyramid(locale, position, accent, width * 1.4, acting=free, numbers=False)
    assert drawing is not None
    return drawing.svg(alt(locale, position, ()))


def setup(locale: Locale, accent: str) -> str:
    """The table just dealt for two players (CA-2, CA-3, CA-4)."""
    players = game.PLAYERS[0]
    position = game.deal(game.deck(Stream("cascata set-up"), players), players)
    heap = pyramid(locale, position, accent, 62.0)
    assert heap is not None
    drawing = Drawing(WIDE, heap.height)
    drawing.place(heap, 0, 0)
    x, width = 70.0, 7.4
    for seat in range(players):
        y = 2.0 + seat * 20.0
        label = locale.text("figure.setup_hand", game=True, player=player(locale, seat), cards=game.HAND)
        drawing.text(x, y + 2.2, label, cap(1.9), face="bold", width=WIDE - x, least=cap(1.4))
        for n in range(game.HAND):
            drawing.place(diagram_back(width=width, accent=accent), x + n * 6.4, y + 4)
    y = 42.0
    label = locale.text("figure.setup_reserve", game=True, cards=game.reserve_size(players))
    drawing.text(x, y + 2.2, label, cap(1.9), face="bold", width=WIDE - x, least=cap(1.4))
    for n in range(5):
        drawing.place(diagram_back(width=width, accent=accent), x + n * 0.5, y + 4)
    picture = drawing.svg(alt(locale, position, ()))
    return f'{picture}<p class="caption">{escape(locale.text("figure.setup", game=True, players=players))}</p>'


def above(locale: Locale, accent: str) -> str:
    """Which cards lie directly above which (CA-R1), on a pyramid that has been begun."""
    position = game.position_from_text(
        """
        pyramid:
          --
          -- 7h
          -- Qd 4s
          Jc 9h 3d Ah
          6s Th 2s Kd 9c
          2d 8s 5s Qc 7c 8d
        seat 0: 8h Kh 4d 7s Ks 6c
        seat 1: 5h Qs 2h 3c Jd
        """
    )
    free = [(move.row, move.position) for move in game.free_cards(position.left)]
    drawing = pyramid(locale, position, accent, 68.0, acting=free)
    assert drawing is not None
    told = locale.join([named(locale, position.pyramid[game.PLACES.index(place)] or "") for place in free])
    said_ = locale.text("figure.above", game=True, cards=told)
    return f'{drawing.svg(alt(locale, position, ()))}<p class="caption">{escape(said_)}</p>'


FIGURES: dict[str, Callable[[Locale, str], str]] = {"setup": setup, "above": above}


# Tables ------------------------------------------------------------------------------------------------------------


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: int = 0) -> str:
    """An HTML table; the last `numbers` columns are right-aligned (0: none)."""
    texts = len(heads) - numbers

    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{' class=number' if place >= texts else ''}>{escape(text)}</{tag}>"
            for place, text in enumerate(row)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', heads)}</tr></thead><tbody>{body}</tbody></table>"


def _word(locale: Locale, key: str, **facts: Any) -> str:
    return locale.text(f"table.{key}", game=True, **facts)


def deal_table(locale: Locale, accent: str) -> str:
    """Rows, pyramid and reserve by the number of players (CA-3, CA-4)."""
    heads = [_word(locale, key) for key in ("players", "rows", "pyramid", "reserve")]
    rows = [
        [
            locale.number(n)
            for n in (players, game.ROWS[players], game.pyramid_size(players), game.reserve_size(players))
        ]
        for players in game.PLAYERS
    ]
    return _table(heads, rows, 4)


def score_table(locale: Locale, accent: str) -> str:
    """What a meld scores, with the eights for an example (CA-14)."""
    number, rows = locale.number, []
    for size, key in ((2, "pair"), (3, "triple"), (4, "four")):
        held = tuple("8" + suit for suit in "shdc"[:size])
        factor = game.FACTOR.get(size)
        how = _word(locale, "times", factor=factor) if factor else _word(locale, "flat", points=number(game.FOUR))
        worked = number(game.base(held))
        if factor:
            worked = f"{number(game.values(held))} × {number(factor)} = {worked}"
        rows.append([_word(locale, key), how, listed(locale, held), worked])
    return _table([_word(locale, key) for key in ("meld", "points", "cards", "worked")], rows, 1)


TABLES: dict[str, Callable[[Locale, str], str]] = {"deal": deal_table, "scores": score_table}


# Sheets ------------------------------------------------------------------------------------------------------------


def _guide(locale: Locale, count: int, card: Size, accent: str) -> Pyramid:
    labels = tuple(locale.text("mat.row", game=True, row=row) for row in range(1, count + 1))
    return Pyramid(card, labels, accent)


def mats(locale: Locale, card: Size, paper: Size, accent: str) -> dict[str, Pyramid]:
    """A guide for each height of the pyramid, every place half under the row nearer the apex (CA-3)."""
    return {f"rows_{count}": _guide(locale, count, card, accent) for count in sorted(set(game.ROWS.values()))}


def plans(locale: Locale, card: Size, paper: Size, accent: str) -> dict[str, partial[Made]]:
    """Both pyramids on one page, how to lay them, and the marker card (CA-R9) to cut out."""

    def word(key: str, **facts: Any) -> str:
        return locale.text(f"plan.{key}", game=True, **facts)

    facts = game.facts()
    heights = sorted(set(game.ROWS.values()))
    words = guides.PlanWords(
        print_at=f"{locale.text('page.print_at_100')} · {locale.text('page.one_sided')}",
        heading=word("heading"),
        guides=tuple(word(f"guide_{count}", cards=count * (count + 1) // 2, **facts) for count in heights),
        steps=tuple(word(f"step_{n}", **facts) for n in range(1, 7)),
        marker_title=word("marker_title"),
        marker=word("marker", **{"rule:CA-20": story.paragraph("CA-20")}),
        cut=locale.text("page.cut_along"),
        inch=locale.text("page.inch_unit"),
    )
    call = partial(
        guides.plan_page,
        pyramids=tuple(_guide(locale, count, card, accent) for count in heights),
        marker=faces.marker(locale.text("rank.marker"), card, accent=accent),
        card=card,
        paper=paper,
        words=words,
        lang=locale.code,
    )
    return {"plan": call}


LINES = 10  # melds a player can write down


def score(locale: Locale) -> dict[str, Any]:
    """What the score sheet's template prints (CA-14, CA-15, CA-17, CA-19)."""

    def word(key: str, **facts: Any) -> str:
        return locale.text(f"score.{key}", game=True, **facts)

    eights = ("8s", "8h", "8d")
    example = {"cards": len(eights), "base": game.base(eights), "times": 1, "points": game.base(eights)}
    return {
        "heading": word("title"),
        "intro": word("intro", **game.facts()),
        "example": word("example", rank=letter(locale, "8"), **example),
        "seats": list(range(game.PLAYERS[-1])),
        "lines": LINES,
        "heads": [word(key) for key in ("rank", "cards", "base", "times", "points")],
        "hand": word("hand"),
        "total": word("total"),
        "tie": word("tie"),
    }


# Practice ----------------------------------------------------------------------------------------------------------

HEAP, SMALL_HEAP = 85.0, 46.0  # mm, a pyramid to tick cards in, and the last cards of one
BESIDE, ALONE = 126.0, 180.0  # mm, the cards of all seats beside a table to write in, and over the whole page
LARGE, MANY, SMALL = 7.2, 6.6, 5.4  # mm, the width of a card there: of two seats, of more, and at least
HAND_TO_MELDS, MELD_TO_MELD = 5.0, 2.6  # mm between them
THEFTS = 5  # lines for thefts, as many as a problem can have
GROUP = tuple[Sequence[str], str]  # the cards of a meld, and what is written below


def question(locale: Locale, asked: Question, accent: str) -> dict[str, Any]:
    """What a practice problem's template draws: the cards in question, and what to write the answer in."""
    told = [
        (story.sentence(locale, cast("Table", sys.modules[__name__]), f"prompt.{prompt.key}", prompt.facts), prompt)
        for prompt in asked.prompts
    ]
    drawn: dict[str, Any] = {
        "number": asked.number,
        "level": asked.level,
        "levels": LEVELS[-1],
        "prompt": " ".join(text for text, prompt in told if not _is_remark(prompt)),
        "remarks": " ".join(text for text, prompt in told if _is_remark(prompt)),
    }
    return drawn | {"a": _heap, "b": _heap, "c": _table_to_score, "d": _thefts, "e": _action, "f": _turn}[asked.kind](
        locale, asked.position, accent
    )


def _is_remark(prompt: Prompt) -> bool:
    """Whether a prompt asks nothing: a reading, or that the reserve is locked."""
    return "reading" in prompt.facts or prompt.key == "locked"


def word(locale: Locale, key: str) -> str:
    return locale.text(f"practice.{key}", game=True)


def _shown_pyramid(cells: Sequence[Sequence[Any]], hidden_rows: Sequence[int] = ()) -> game.Position:
    """A position of which no more is known than its pyramid; what lies face down has no name."""
    faces_ = tuple(cell and (cell["card"] or game.FACE_DOWN) for row in cells for cell in row)
    players = next(players for players, count in game.ROWS.items() if count == len(cells))
    options = game.Options(tuple(hidden_rows))
    none: tuple[Any, ...] = ((),) * players
    return game.Position(faces_, game.places_left(faces_), (), none, (0,) * players, none, options)


def _heap(locale: Locale, asked: Mapping[str, Any], accent: str) -> dict[str, Any]:
    """(a), (b) A pyramid with boxes: on every card, or where some are taken, on those that lie face down."""
    position = _shown_pyramid(asked["pyramid"], asked.get("hidden_rows", ()))
    takes = [tuple(place) for place in asked.get("takes", ())]
    places = [place for place, card in zip(game.PLACES, position.pyramid, strict=False) if card is not None]
    boxes = [place for place in places if not takes or not _up(position, *place)]
    marks = dict(zip(takes, MARKS, strict=False))
    drawing = pyramid(locale, position, accent, HEAP, boxes=boxes, marks=marks)
    assert drawing is not None
    told = _pyramid_told(locale, position)
    if takes:
        order = locale.join([item(locale, "place", row=row, position=place) for row, place in takes])
        told = f"{told} {locale.text('figure.taken', game=True, places=order)}"
    return {"pyramid": safe(drawing.svg(told))}


def _pyramid_told(locale: Locale, position: game.Position) -> str:
    """A pyramid in words, each card with its place, for those who hear a picture."""
    told = []
    for row, cells in enumerate(game.rows(position.pyramid), 1):
        held = [
            item(
                locale, "placed", position=place,
                card=named(locale, card) if _up(position, row, place) else item(locale, "face_down"),
            )
            for place, card in enumerate(cells, 1)
            if card is not None
        ]  # fmt: skip
        if held:
            told.append(item(locale, "row_cards", row=row, cards=locale.join(held), n=len(held)))
    return locale.text("figure.alt", game=True, table="; ".join(told))


class Shelf(NamedTuple):
    """A line of the table: whose it is, a hand where it is known, and melds."""

    label: str
    hand: Sequence[str]
    melds: Sequence[GROUP]


def _melds_below(melds: Sequence[Mapping[str, Any]], locale: Locale, numbers: bool, times: bool) -> list[GROUP]:
    """A seat's melds as they are drawn: under each its number, and what it is multiplied by."""
    groups: list[GROUP] = []
    for number, meld in enumerate(melds, 1):
        key = "meld_number" * numbers + "_times" * (numbers and times) or "meld_times"
        below = item(locale, key, number=number, times=locale.number(meld["times"])) if numbers or times else ""
        groups.append((meld["cards"], below))
    return groups


def _melds_told(locale: Locale, name: str, melds: Sequence[Mapping[str, Any]], numbers: bool, times: bool) -> list[str]:
    """The same in words."""
    key = "meld_cards" + "_number" * numbers + "_times" * times
    return [
        item(
            locale, key, player=name, cards=listed(locale, meld["cards"]), number=number,
            times=locale.number(meld["times"]),
        )
        for number, meld in enumerate(melds, 1)
    ]  # fmt: skip


def _seats(
    locale: Locale,
    hands: Mapping[int, Sequence[str]],
    melds: Sequence[Sequence[Mapping[str, Any]]],
    accent: str,
    *,
    width: float = BESIDE,
    numbers: bool = True,
    times: bool = False,
) -> Any:
    """The hands that are known and the melds of every seat. Where all hands are known they stand in a column of their
    own, beside the melds; one hand alone stands above all melds."""
    shelves: list[Shelf] = []
    told: list[str] = []
    columns = len(hands) == len(melds)
    for seat, own in enumerate(melds):
        name, hand = player(locale, seat), hands.get(seat, ())
        if seat in hands:
            kept = listed(locale, hand) or item(locale, "no_cards")
            told.append(item(locale, "hand_cards", player=name, cards=kept))
            if not columns:
                shelves.insert(0, Shelf(locale.text("figure.hand", game=True, player=name), (), [(hand, "")]))
        label = name if columns else locale.text("figure.melds", game=True, player=name)
        shelves.append(Shelf(label, hand if columns else (), _melds_below(own, locale, numbers, times)))
        told += _melds_told(locale, name, own, numbers, times)
    drawing = _shelved(locale, shelves, accent, width, columns)
    return safe(drawing.svg(locale.text("figure.alt", game=True, table="; ".join(told))))


def _shelved(locale: Locale, shelves: Sequence[Shelf], accent: str, width: float, columns: bool) -> Drawing:
    """The lines of a table one below the other, their cards as large as fits; melds that need it take two lines."""
    named_wide = max(fonts.width(shelf.label, cap(1.8), "bold") for shelf in shelves) + 2.4
    most = max(len(shelf.hand) for shelf in shelves)

    def melds_at(held: float) -> float:
        return named_wide + (most * held * PACE + HAND_TO_MELDS if columns else 0.0)

    def length(groups: Sequence[GROUP], held: float) -> float:
        return sum(len(cards_) * held * PACE + MELD_TO_MELD for cards_, _ in groups) - MELD_TO_MELD

    held = LARGE if len(shelves) < 3 else MANY
    while held > SMALL and max(melds_at(held) + length(shelf.melds, held) for shelf in shelves) > width:
        held -= 0.2
    left, high, y = melds_at(held), held * DIAGRAM_RATIO, ABOVE * columns
    placed: list[tuple[float, float, Sequence[str], str]] = []
    labels: list[tuple[float, str]] = []
    for shelf in shelves:
        labels.append((y + 0.5 * high + 0.9, shelf.label))
        if columns:
            placed.append((named_wide, y, shelf.hand, ""))
        x = left
        for cards_, below in shelf.melds:
            if x > left and x + len(cards_) * held * PACE > width:
                x, y = left, y + high + 0.8 + BELOW * any(text for _, text in shelf.melds)
            placed.append((x, y, cards_, below))
            x += len(cards_) * held * PACE + MELD_TO_MELD
        y += high + 1.4 + BELOW * any(text for _, text in shelf.melds)
    drawing = Drawing(width, y)
    if columns:
        drawing.text(named_wide, 1.9, word(locale, "hand"), cap(1.7), face="bold")
        drawing.text(left, 1.9, word(locale, "melds"), cap(1.7), face="bold")
    for middle, label in labels:
        drawing.text(0, middle, label, cap(1.8), face="bold")
    for x, top, cards_, below in placed:
        _group(drawing, locale, Lying(x, cards_, "", below), top, Shown(), accent, held)
    return drawing


def _table_to_score(locale: Locale, asked: Mapping[str, Any], accent: str) -> dict[str, Any]:
    """(c) Everybody's cards, and a table for melds, hand and total."""
    hands = dict(enumerate(asked["hands"]))
    return {
        "cards": _seats(locale, hands, asked["melds"], accent, numbers=False, times=asked["multiplier"]),
        "heads": [word(locale, head) for head in ("player", "melds", "penalty", "total")],
        "rows": [player(locale, seat) for seat in hands],
        "lines": _lines_to_write(locale, ["winner"]),
    }


def _thefts(locale: Locale, asked: Mapping[str, Any], accent: str) -> dict[str, Any]:
    """(d) The hand and all melds, and a line for each theft."""
    return {
        "cards": _seats(locale, {asked["seat"]: asked["hand"]}, asked["melds"], accent),
        "heads": [word(locale, head) for head in ("player", "meld", "cards")],
        "rows": [""] * THEFTS,
        "lines": [],
    }


def _action(locale: Locale, asked: Mapping[str, Any], accent: str) -> dict[str, Any]:
    """(e) All hands and melds, and lines for the action and its gain."""
    hands, melds = dict(enumerate(asked["hands"])), asked["melds"]
    times = max([asked["times"], *(meld["times"] for own in melds for meld in own)]) > 1
    return {
        "cards": _seats(locale, hands, melds, accent, times=times, width=ALONE),
        "lines": _lines_to_write(locale, ["action", "gain"]),
    }


def _turn(locale: Locale, asked: Mapping[str, Any], accent: str) -> dict[str, Any]:
    """(f) The last cards of the pyramid, both hands and all melds, and lines for the turn."""
    whole = asked["position"]
    position = _shown_pyramid(whole["pyramid"])
    drawing = pyramid(locale, position, accent, SMALL_HEAP)
    assert drawing is not None
    return {
        "pyramid": safe(drawing.svg(_pyramid_told(locale, position))),
        "cards": _seats(locale, dict(enumerate(whole["hands"])), whole["melds"], accent, width=ALONE),
        "lines": _lines_to_write(locale, ["draft", "action"], ["difference"]),
    }


def _lines_to_write(locale: Locale, *lines: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Lines to write on: each part's word for the template to set it by, and what it says."""
    return [[(key, word(locale, key)) for key in line] for line in lines]


def first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


def move_in_words(locale: Locale, move: str, met: Sequence[str], added: str = "") -> str:
    """A move in the middle of a sentence: with the cards that it meets, and those that are laid or added to them."""
    made, held = game.move_from_text(move), listed(locale, met)
    match made:
        case game.Take():
            return item(locale, "take", card=held)
        case game.Swap():
            return item(locale, "swap_joker") if met[0] in game.JOKERS else item(locale, "swap", card=held)
        case game.NewMeld():
            return item(locale, "meld", cards=added or _laid(locale, move))
        case game.Extend():
            return item(locale, "extend", cards=held, added=added or _laid(locale, move))
        case game.Steal(seat):
            return item(
                locale, "steal", cards=held, added=added or _laid(locale, move), **said(locale, "victim", seat)
            )  # fmt: skip
    return item(locale, "pass")


def _laid(locale: Locale, move: str) -> str:
    """The cards that a meld action lays from the hand."""
    match game.move_from_text(move):
        case game.NewMeld(cards_) | game.Extend(_, cards_) | game.Steal(_, _, cards_):
            return listed(locale, cards_)
    return ""


def turn_in_words(locale: Locale, told: Mapping[str, Any], added: str = "") -> str:
    """A draft and a meld action, or one of them, in the middle of a sentence; `added`: see `move_in_words`."""
    *draft, action = [
        move_in_words(locale, move, met, added) for move, met in zip(told["moves"], told["met"], strict=True)
    ]
    return item(locale, "turn", draft=draft[0], action=action) if draft else action


def _choices(locale: Locale, moves: Sequence[str]) -> str:
    """The cards of meld actions that are alike: 5♥ or 5♣."""
    return locale.join(list(dict.fromkeys(_laid(locale, move) for move in moves)), "or")


def answer(locale: Locale, problem: Problem) -> str:
    """A problem's right answers as the key prints them."""
    kind, answers = problem.question.kind, problem.answers
    if kind in "ab":
        return first_up("; ".join(_by_row(locale, problem.question.position["pyramid"], answers)))
    if kind == "c":
        scores, winners = said(locale, "scores", answers[0]["scores"]), answers[0]["winners"]
        return item(locale, "wins", n=len(winners), **scores, **said(locale, "winners", winners))
    if kind == "d":
        return "; ".join(
            item(
                locale, "theft", meld=theft["meld"], **said(locale, "victim", theft["seat"]),
                **said(locale, "added", theft["cards"]),
            )
            for theft in answers
        )  # fmt: skip
    argument = problem.argument
    if kind == "e":
        assert isinstance(argument, Options)
        best = next(option for option in argument.options if option.right)
        words = turn_in_words(locale, best.reason.facts["action"], _choices(locale, [one["move"] for one in answers]))
        return first_up(item(locale, "gain", moves=words, gain=locale.number(answers[0]["gain"])))
    assert isinstance(argument, Line)
    first = argument.trace.steps[0].facts
    words = turn_in_words(locale, first, _choices(locale, [one["moves"][-1] for one in answers]))
    margin = locale.number(answers[0]["margin"])
    return first_up(item(locale, "margin", moves=words, margin=margin, **said(locale, "seat", first["seat"])))


def _by_row(locale: Locale, cells: Sequence[Sequence[Any]], places: Sequence[Mapping[str, Any]]) -> list[str]:
    """Cards of a pyramid, row by row; one that lies face down by its place."""
    rows: dict[int, list[int]] = {}
    for place in places:
        rows.setdefault(place["row"], []).append(place["position"])
    told = []
    for row, positions in rows.items():
        shown = [cells[row - 1][position - 1]["card"] for position in positions]
        if None in shown:
            numbers = locale.join([locale.number(position) for position in positions])
            told.append(item(locale, "row_places", row=row, cards=numbers, n=len(positions)))
        else:
            told.append(item(locale, "row_cards", row=row, cards=listed(locale, shown)))
    return told


def trace_table(locale: Locale, problem: Problem) -> dict[str, Any] | None:
    """None: the sums of a table to score say it all, and a line of play is no table."""
    return None


def line(locale: Locale, moves: Sequence[str], problem: Problem) -> str:
    """Nothing: the refutation itself begins with the turn, and with the cards that it meets."""
    return ""


def step_label(locale: Locale, number: int, facts: Mapping[str, Any]) -> str:
    """The head of one turn of the best line."""
    return f"{number}. {player(locale, facts['seat'])}: {turn_in_words(locale, facts)}."
