"""The table of Cascata: a pyramid taken down from its apex, a reserve, hands, and melds in front of their owners."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import escape

from kit.faults import Fault, nearest
from kit.games import cascata as game
from kit.games.core import Event, Stream
from kit.language.locale import Locale
from kit.paper import cards as faces
from kit.paper import fonts
from kit.paper import pyramid as guides
from kit.paper.cards import DIAGRAM_RATIO, PLAIN, SUIT_CHARACTERS, Face, Style, diagram_back, diagram_card
from kit.paper.drawing import INK, WHITE, Drawing, cap
from kit.paper.expect import Made
from kit.paper.pyramid import Pyramid
from kit.paper.sizes import Size
from kit.publish import decks, story
from kit.publish.sheet import Backs

DECK = game.DECK
BACKS: Backs = "none"  # an ordinary deck may be used as well
MARKS = "①②③④⑤⑥⑦⑧"
MARKED = ("take", "draw", "swap", "meld", "extend", "steal")  # the events that a mark in a picture belongs to
QUIET = ("last_card", "safe", "joker_matches")  # … and those that only add a remark to the sentence before
COVER_EXAMPLE = "free"
SUMMARY_EXAMPLE = "theft"
PER_PAGE: dict[str, int] = {}
PRINTED: tuple[str, ...] = ()

COLUMN, WIDE = 51.5, 106.0  # mm: a picture with another one beside it, and one that has the line to itself
STEP = 0.8  # of a card's height: how far a row lies below the one above it, in pictures
GAP = 0.06  # of a card's width, between neighbours in the pyramid
HELD, SLIM = 5.9, 5.3  # mm, the width of a card in a hand or a meld, in a column and in a wide picture
LARGEST = 8.6  # mm, the width of a card in a small part of the pyramid
GREY = "#444444"
PACE = 1.04  # from one card of a hand to the next, in widths
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
    if name in ("cards", "added", "jokers"):
        return {name: locale.join([named(locale, card) for card in value]) if value else item(locale, "no_cards")}
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
    for name in ("winners", "jokers", "places"):
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


def badge(drawing: Drawing, x: float, y: float, mark: str, accent: str) -> None:
    """The number of a sentence, white on the accent colour, around a point."""
    digit, r = str(MARKS.index(mark) + 1), 1.5
    x, y = min(max(x, r), drawing.width - r), min(max(y, r), drawing.height - r)
    drawing.circle(x, y, r, fill=accent, stroke=WHITE, line=0.25)
    drawing.text(x, y + 0.85, digit, cap(1.7), face="bold", fill=WHITE, align="centre")


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
) -> Drawing | None:
    """What is left of the pyramid, at most `width` wide, from the first row that has a card; None without one.

    `gone` are places whose card was just taken: a dashed outline, with a mark. `last` is the last row shown, 0 for the
    base; dots say that rows follow.
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
                drawing.place(picture_of(card, locale, wide, accent, played=played_, acting=acting_), x, y)
            elif card is not None:
                drawing.place(diagram_back(width=wide, accent=accent), x, y)
    for at, mark in {**marks, **gone}.items():
        x, y = corner(*at)
        if mark and at[0] >= first:
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
    high, above, below = held * DIAGRAM_RATIO, 2.8, 3.0
    heights = [
        high + 1.4 + above * any(one.title for one in line) + below * any(one.below for one in line) for line in lines
    ]
    drawing = Drawing(width, sum(heights))
    if over:
        total = locale.text("figure.total", game=True, points=locale.number(_total(position, seat)))
        drawing.text(width, 1.9, total, cap(1.9), face="bold", fill=accent, align="right")
    y = 0.0
    for line, height in zip(lines, heights, strict=True):
        top = y + above * any(one.title for one in line)
        for n, one in enumerate(line):
            if one.title:
                rest = [other.x for other in line[n + 1 :] if other.title]
                room = (rest[0] - 1.0 if rest else width) - one.x
                drawing.text(one.x, y + 1.9, one.title, cap(1.7), face="bold", width=room, least=cap(1.25))
            _group(drawing, locale, one, top, shown, accent, held)
        y += height
    return drawing


def _held(width: float) -> float:
    return HELD if width <= COLUMN else SLIM


def _lines(locale: Locale, position: game.Position, seat: int, width: float) -> list[list[Lying]]:
    """The seat's hand and melds from left to right, in as many lines as they need."""
    number, name, hand = locale.number, player(locale, seat), position.hands[seat]
    cost = (f"−{number(game.values(hand))}" if game.values(hand) else number(0)) if position.phase == "over" else ""
    step = _held(width) * PACE
    groups = [(hand, locale.text("figure.hand", game=True, player=name), cost)]
    for n, meld in enumerate(position.melds[seat]):
        points = number(meld.points)
        if position.options.multiplier:
            points = f"{number(game.base(meld.cards))} × {number(meld.times)} = {points}"
        groups.append((meld.cards, "" if n else locale.text("figure.melds", game=True, player=name), points))
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
        hand = locale.join([named(locale, card) for card in position.hands[seat]]) or item(locale, "no_cards")
        told.append(item(locale, "hand_cards", player=name, cards=hand))
        for meld in position.melds[seat]:
            told.append(
                item(locale, "meld_cards", player=name, cards=locale.join([named(locale, c) for c in meld.cards]))
            )
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
        rows.append([_word(locale, key), how, locale.join([named(locale, card) for card in held]), worked])
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
