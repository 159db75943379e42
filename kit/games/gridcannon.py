"""Gridcannon, by the rules GC-1 to GC-22 and the readings GC-R1 to GC-R12.

A card is its rank and suit (`Th`), a joker `X1` or `X2`. Rows and columns in moves and events count from 1; within a
position the nine stacks follow in reading order, the twelve places for royals in the order of PLACES.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

from kit.games.core import (
    RANKS,
    SUITS,
    Event,
    IllegalMove,
    Json,
    Rule,
    array,
    check_deck,
    check_players,
    event,
    excerpt,
    fields,
    filled_lines,
    made,
    members,
    no_repeats,
    playing_card,
    playing_cards,
    refuse,
    replaced,
    truth,
)

ID = "gridcannon"
RULES = (
    *(Rule(f"GC-{n}") for n in range(1, 23)),
    Rule("GC-R1", "settled"),
    Rule("GC-R2", "settled"),
    Rule("GC-R3", "open"),
    Rule("GC-R4", "open"),
    Rule("GC-R5", "follows"),
    Rule("GC-R6", "follows"),
    Rule("GC-R7", "open"),
    Rule("GC-R8", "open"),
    Rule("GC-R9", "open"),
    Rule("GC-R10", "follows"),
    Rule("GC-R11", "open"),
    Rule("GC-R12", "open"),
)

SETS = ("royals", "ploys", "used")  # of `royals` the armour
PLAYERS = (1,)  # GC-1
JOKERS = ("X1", "X2")  # GC-1
DECK = (*(rank + suit for suit in SUITS for rank in RANKS), *JOKERS)  # GC-1
ACES = tuple(f"A{suit}" for suit in SUITS)
PLOYS = (*ACES, *JOKERS)  # GC-1
ROYALS = tuple(rank + suit for suit in SUITS for rank in "JQK")  # GC-1
VALUE = {card: RANKS.index(card[0]) + 1 for card in DECK if card[0] in "23456789T"}  # GC-1: the number cards
HEALTH = {"J": 11, "Q": 12, "K": 13}  # GC-11, GC-R1
BEYOND_REACH = {"J": 20, "Q": 20, "K": 19}  # GC-17
WHO_COUNTS = {"J": "any", "Q": "colour", "K": "suit"}  # GC-11: cards of any kind, her colour, his suit
BEST_SCORE = len(PLOYS)  # GC-21

# What a table may agree on, by name, as arguments of `deal`; they combine freely.
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "empty-centre": {"empty_centre": True},
    "replace-one": {"replace_one": True},
}

T = TypeVar("T")
Card = str
Cards = tuple[Card, ...]
Phase = Literal["setup", "replace", "royal", "turn", "put", "won", "lost"]
PHASES: tuple[Phase, ...] = ("setup", "replace", "royal", "turn", "put", "won", "lost")
Happened = tuple[Event, ...]

EMPTY = "--"  # in events and in the author's form: no card lies there
_RED = "hd"


def facts() -> dict[str, int]:
    """The numbers that rule texts and sheets quote."""
    return {
        "deck_size": len(DECK),
        "jokers": len(JOKERS),
        "aces": len(ACES),
        "players_min": PLAYERS[0],
        "players_max": PLAYERS[-1],
        "royals": len(ROYALS),
        "ploys": len(PLOYS),
        "number_cards": len(VALUE),
        "number_min": min(VALUE.values()),
        "number_max": max(VALUE.values()),
        "grid_side": SIDE,
        "grid_cards": len(CELLS),
        "grid_cards_empty_centre": len(CELLS) - 1,
        "places": len(PLACES),
        **{f"health_{rank.lower()}": health for rank, health in HEALTH.items()},
        **{f"beyond_reach_{rank.lower()}": health for rank, health in BEYOND_REACH.items()},
        "best_score": BEST_SCORE,
    }


# Moves -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn the next card of the draw pile over (GC-8)."""

    def __str__(self) -> str:
        return "turn"


@dataclass(frozen=True, slots=True)
class PlaceRoyal:
    """Put the first waiting royal at this place (GC-6)."""

    place: str

    def __str__(self) -> str:
        return f"royal {self.place}"


@dataclass(frozen=True, slots=True)
class Place:
    """Put the number card in hand on this stack (GC-9)."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"place {self.row} {self.column}"


@dataclass(frozen=True, slots=True)
class Extract:
    """Use an Ace: the whole stack goes under the draw pile (GC-14)."""

    ploy: Card
    row: int
    column: int

    def __str__(self) -> str:
        return f"extract {self.ploy} {self.row} {self.column}"


@dataclass(frozen=True, slots=True)
class Reassign:
    """Use a joker: the top card of a stack moves to another one (GC-15)."""

    ploy: Card
    from_row: int
    from_column: int
    row: int
    column: int

    def __str__(self) -> str:
        return f"reassign {self.ploy} {self.from_row} {self.from_column} {self.row} {self.column}"


@dataclass(frozen=True, slots=True)
class Armour:
    """Lay the number card in hand on the royal at this place (GC-16)."""

    place: str

    def __str__(self) -> str:
        return f"armour {self.place}"


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace this grid card before play (GC-5)."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"replace {self.row} {self.column}"


@dataclass(frozen=True, slots=True)
class Keep:
    """Replace no grid card (GC-R3)."""

    def __str__(self) -> str:
        return "keep"


@dataclass(frozen=True, slots=True)
class Concede:
    """Give the game up (GC-R9)."""

    def __str__(self) -> str:
        return "concede"


Move = Turn | PlaceRoyal | Place | Extract | Reassign | Armour | Replace | Keep | Concede


# The table ---------------------------------------------------------------------------------------------------------
#
#            T1 T2 T3
#        L1   0  1  2  R1
#        L2   3  4  5  R2        the cells, and the places around them
#        L3   6  7  8  R3
#            B1 B2 B3

SIDE = 3  # GC-2
CELLS = tuple((row, column) for row in range(1, SIDE + 1) for column in range(1, SIDE + 1))
CENTRE = len(CELLS) // 2
PLACES = tuple(side + str(number) for side in "TBLR" for number in range(1, SIDE + 1))  # GC-3
_CELL = {cell: index for index, cell in enumerate(CELLS)}
_PLACE = {place: index for index, place in enumerate(PLACES)}


def in_front(place: str) -> tuple[int, int, int]:
    """The three cells of the row or column that a place stands at, the nearest first."""
    number = int(place[1])
    one, two, three = (_CELL[(number, n) if place[0] in "LR" else (n, number)] for n in range(1, SIDE + 1))
    return (one, two, three) if place[0] in "LT" else (three, two, one)


class Line(NamedTuple):
    """What a card on a cell fires along: the place at the other end and the two cells between (GC-10)."""

    place: int
    between: tuple[int, int]


_IN_FRONT = tuple(map(in_front, PLACES))
BESIDE = tuple(  # GC-3: the places that each cell touches: a corner two, the centre none
    tuple(place for place, (nearest, _, _) in enumerate(_IN_FRONT) if nearest == cell) for cell in range(len(CELLS))
)
LINES = tuple(  # GC-12: the lines that each cell fires along: a corner two, the middle of a side one, the centre none
    tuple(Line(place, (one, two)) for place, (one, two, last) in enumerate(_IN_FRONT) if last == cell)
    for cell in range(len(CELLS))
)

_TURN, _KEEP, _CONCEDE = Turn(), Keep(), Concede()
_TURNING, _CONCEDING = (_TURN,), (_CONCEDE,)
_PLACE_ON = tuple(Place(*cell) for cell in CELLS)
_ROYAL_AT = tuple(map(PlaceRoyal, PLACES))
_ARMOUR_AT = {place: Armour(place) for place in PLACES}


class Royal(NamedTuple):
    """A royal at its place. Face down when dead; its armour stays (GC-R4)."""

    card: Card
    armour: Cards = ()
    dead: bool = False

    @property
    def health(self) -> int:
        """GC-11, GC-16."""
        health = HEALTH[self.card[0]]
        for card in self.armour:
            health += VALUE[card]
        return health

    @property
    def beyond_reach(self) -> bool:
        """GC-17."""
        return self.health >= BEYOND_REACH[self.card[0]]


_FRESH = {card: Royal(card) for card in ROYALS}

Stacks = tuple[Cards, ...]  # one a cell, bottom card first; () is an empty place
Royals = tuple[Royal | None, ...]  # one a place


def same_colour(one: Card, other: Card) -> bool:
    return (one[1] in _RED) == (other[1] in _RED)


def top_value(stack: Cards) -> int:
    """The value of the top card, 0 where the place is empty (GC-9, GC-14)."""
    return VALUE[stack[-1]] if stack else 0


def shown(stack: Cards) -> str:
    """The top card, EMPTY where there is none."""
    return stack[-1] if stack else EMPTY


# Where a royal goes ------------------------------------------------------------------------------------------------

Step = Literal["suit", "colour", "any", "empty"]


@cache
def step(royal: Card, top: str) -> Step:
    """How a top card is similar to a royal (GC-6): of its suit, else of its colour, else a card; or EMPTY (GC-R2)."""
    if top == EMPTY:
        return "empty"
    return "suit" if top[1] == royal[1] else "colour" if same_colour(royal, top) else "any"


# For each royal how similar each top card is, by its step and then its value: the greater, the more (GC-6, GC-R2).
_STEP = 20  # more than any value or health, so that the step decides before them
_STEPS: tuple[Step, ...] = ("empty", "any", "colour", "suit")
SIMILARITY = {
    royal: {top: _STEP * _STEPS.index(step(royal, top)) + VALUE.get(top, 0) for top in (*VALUE, EMPTY)}
    for royal in ROYALS
}


class Spot(NamedTuple):
    """A grid card beside which a royal may go: its cell, itself (or EMPTY), how it is similar, the free places."""

    cell: int
    top: str
    step: Step
    places: tuple[str, ...]


def spots(stacks: Stacks, royals: Royals, royal: Card) -> tuple[Spot, ...]:
    """Where a royal may go: beside the most similar card that has a free place, or one of several as similar."""
    free, _ = _spots(stacks, royals, royal)
    found = []
    for cell in dict.fromkeys(_IN_FRONT[place][0] for place in free):
        top = shown(stacks[cell])
        places = tuple(PLACES[place] for place in BESIDE[cell] if place in free)
        found.append(Spot(cell, top, step(royal, top), places))
    return tuple(found)


@lru_cache(1)  # what may be played is most often asked for before it is played
def _spots(stacks: Stacks, royals: Royals, royal: Card) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The free places beside the most similar cards that have one, and the cells passed over (GC-6, GC-R2)."""
    similarity = SIMILARITY[royal]
    most = -1
    places: list[int] = []
    crowded: list[tuple[int, int]] = []
    for cell, stack in enumerate(stacks):
        similar = similarity[stack[-1] if stack else EMPTY]
        if similar >= most:
            full = True
            for place in BESIDE[cell]:
                if royals[place] is None:
                    full = False
                    if similar > most:
                        most, places = similar, [place]
                    else:
                        places.append(place)
            if full and stack:
                crowded.append((-similar, cell))
    return tuple(places), tuple([cell for less, cell in sorted(crowded) if -less > most])


def passed_over(stacks: Stacks, royals: Royals, royal: Card) -> tuple[int, ...]:
    """The cells of more similar cards beside which no place is free, the most similar first (GC-R2)."""
    return _spots(stacks, royals, royal)[1]


# Where a number card goes, and what it does there ------------------------------------------------------------------


# What fits where depends only on the values on top. `Room` is an int that holds, for each value from 0 to 10, the cells
# whose top is not higher, one bit a cell: all that a card of that value fits on (GC-9), empty places always (GC-14).

Room = int
_ALL = (1 << len(CELLS)) - 1
_ROOM = tuple(
    tuple(sum(1 << len(CELLS) * value + cell for value in range(top, 11)) for top in range(11))
    for cell in range(len(CELLS))
)


def room_on(stacks: Stacks) -> Room:
    """What follows from the top cards."""
    return sum([on[VALUE[stack[-1]] if stack else 0] for on, stack in zip(_ROOM, stacks, strict=True)])


def _changed(room: Room, cell: int, before: Cards, after: Cards) -> Room:
    """The room once the stack on a cell is another."""
    return room - _ROOM[cell][top_value(before)] + _ROOM[cell][top_value(after)]


def fits(room: Room, value: int) -> int:
    """The cells, as bits, on which a card of that value may go; of value 0: the empty ones."""
    return room >> len(CELLS) * value & _ALL


def fitting(stacks: Stacks, card: Card) -> tuple[int, ...]:
    """The cells on which a number card may go: of the same or a lower value (GC-9), or empty (GC-14, GC-22)."""
    return _cells(fits(room_on(stacks), VALUE[card]))


@cache
def _cells(bits: int) -> tuple[int, ...]:
    return tuple(cell for cell in range(len(CELLS)) if bits >> cell & 1)


@cache
def _placings(bits: int) -> tuple[Place, ...]:
    return tuple(_PLACE_ON[cell] for cell in _cells(bits))


def counts(royal: Card, top: str) -> int:
    """What a top card is worth in an attack on that royal (GC-11); EMPTY is worth nothing (GC-14)."""
    who, alike = WHO_COUNTS[royal[0]], step(royal, top)
    return VALUE[top] if alike != "empty" and (who == "any" or alike in ("suit", who)) else 0


COUNTS = {royal: {top: counts(royal, top) for top in (*VALUE, EMPTY)} for royal in ROYALS}


class Attack(NamedTuple):
    """Two top cards against a living royal (GC-10): the cards (or EMPTY), their cells, what each counts."""

    place: str
    royal: Royal
    cells: tuple[int, int]
    attackers: tuple[str, str]
    counts: tuple[int, int]

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def kills(self) -> bool:
        """GC-11."""
        return sum(self.counts) >= self.royal.health


def attacks(stacks: Stacks, royals: Royals, cell: int) -> list[Attack]:
    """What a card just put on that cell fires (GC-10, GC-12)."""
    fired = []
    for place, between in LINES[cell]:
        royal = royals[place]
        if royal is not None and not royal.dead:
            one, two = stacks[between[0]], stacks[between[1]]
            attackers = one[-1] if one else EMPTY, two[-1] if two else EMPTY
            worth = COUNTS[royal.card]
            counts = worth[attackers[0]], worth[attackers[1]]
            fired.append(Attack(PLACES[place], royal, between, attackers, counts))
    return fired


# For each number card how near each royal is to taking it as armour: by step, then by rank; the least does (GC-16).
_ARMOUR_STEPS: tuple[Step, ...] = ("suit", "colour", "any")
_NEARNESS = {
    card: {royal: _STEP * _ARMOUR_STEPS.index(step(royal, card)) + HEALTH[royal[0]] for royal in ROYALS}
    for card in VALUE
}


def armour_targets(royals: Royals, card: Card) -> tuple[str, ...]:
    """The places of the living royals that take a card as armour (GC-16); several are level (GC-R7)."""
    nearness = _NEARNESS[card]
    least = _STEP * len(_ARMOUR_STEPS)
    places: list[str] = []
    for place, royal in zip(PLACES, royals, strict=True):
        if royal is not None and not royal.dead:
            near = nearness[royal.card]
            if near < least:
                least, places = near, [place]
            elif near == least:
                places.append(place)
    return tuple(places)


# Ploys -------------------------------------------------------------------------------------------------------------


@cache
def _extractions(ace: Card, stacks: int) -> tuple[Extract, ...]:
    """Every use of this Ace; `stacks` are the cells that hold one, as bits (GC-14)."""
    return tuple(Extract(ace, *CELLS[cell]) for cell in _cells(stacks))


@cache
def _reassignments(joker: Card, source: int, targets: int) -> tuple[Reassign, ...]:
    """Every use of this joker on the top card of the source; `targets` are cells, as bits (GC-15, GC-R6)."""
    return tuple(Reassign(joker, *CELLS[source], *CELLS[cell]) for cell in _cells(targets) if cell != source)


def _ploy_moves(stacks: Stacks, room: Room, ploys: Cards) -> tuple[Move, ...]:
    """Every use of these ploys (GC-14, GC-15)."""
    moves: list[Move] = []
    for ploy in ploys:
        if ploy in JOKERS:
            for source, stack in enumerate(stacks):
                if stack:
                    moves += _reassignments(ploy, source, fits(room, VALUE[stack[-1]]))
        else:
            moves += _extractions(ploy, _ALL & ~fits(room, 0))
    return tuple(moves)


# Positions ---------------------------------------------------------------------------------------------------------


class Options(NamedTuple):
    """What the table agreed on: GC-22, GC-5."""

    empty_centre: bool = False
    replace_one: bool = False


class View(NamedTuple):
    """What the player may see: of the draw pile its height alone."""

    seat: int
    stacks: Stacks
    royals: Royals
    draw: int
    turned: Card | None
    waiting: Cards
    ploys: Cards
    used: Cards
    options: Options
    phase: Phase


class Position(NamedTuple):
    """The referee's view.

    `waiting` are royals still to be placed, first first; `turned` is the number card in hand. `room` follows from the
    stacks.
    """

    stacks: Stacks
    room: Room
    royals: Royals
    draw: Cards
    turned: Card | None
    waiting: Cards
    ploys: Cards
    used: Cards
    options: Options
    phase: Phase

    def legal(self) -> Sequence[Move]:
        stacks, room, royals, draw, turned, waiting, ploys, _, _, phase = self
        moves: tuple[Move, ...]
        if phase == "turn":
            moves = _TURNING if draw else ()  # GC-8, GC-20
        elif phase == "put":
            assert turned is not None
            if fit := fits(room, VALUE[turned]):
                moves = _placings(fit)  # GC-9
            else:
                moves = tuple([_ARMOUR_AT[place] for place in armour_targets(royals, turned)])  # GC-16, GC-R7
        elif phase in ("setup", "royal"):
            moves = tuple([_ROYAL_AT[place] for place in _spots(stacks, royals, waiting[0])[0]])  # GC-6
        elif phase == "replace":
            moves = (*(Replace(*CELLS[cell]) for cell, stack in enumerate(stacks) if stack), _KEEP)  # GC-5, GC-R3
        else:
            return ()
        if ploys and phase not in ("setup", "replace"):
            moves += _ploy_moves(stacks, room, ploys)  # GC-13, GC-R11
        if phase in ("turn", "put"):
            moves += _CONCEDING  # GC-R9
        return moves

    def play(self, move: Move) -> tuple[Position, Happened]:
        return _ACTIONS[type(move)](self, move)

    def _not_now(self) -> IllegalMove:
        """The refusal of a move that belongs to another phase, by the rule that says what is due."""
        if self.phase == "setup":
            return IllegalMove("GC-4", f"the royal {self.waiting[0]} that was set aside has to be placed")
        if self.phase == "replace":
            return IllegalMove("GC-5", "a grid card may be replaced, or all are kept")
        if self.phase == "royal" and self.turned:
            return IllegalMove("GC-R8", f"the royal {self.waiting[0]} has to be placed before {self.turned}")
        if self.phase == "royal":
            return IllegalMove("GC-8", f"the royal {self.waiting[0]} has to be placed")
        if self.phase == "turn" and not self.draw:
            return IllegalMove("GC-20", "the draw pile is empty and only the ploys are left")
        if self.phase == "turn":
            return IllegalMove("GC-8", "the next card has to be turned")
        if self.phase == "put" and self.turned and not fits(self.room, VALUE[self.turned]):
            return IllegalMove("GC-16", f"{self.turned}, which fits on no stack, has to be laid on a royal")
        if self.phase == "put":
            return IllegalMove("GC-9", f"{self.turned} has to be put on a stack")
        return IllegalMove(self._ended_by(), "the game is over")

    # Before play

    def _replace_card(self, move: Replace) -> tuple[Position, Happened]:
        """GC-5, GC-R3."""
        cell = self._cell(move.row, move.column)
        self._replacing()
        if not self.stacks[cell]:
            raise IllegalMove("GC-R3", "an empty centre cannot be replaced")
        (old,) = self.stacks[cell]
        where = {"row": move.row, "column": move.column}
        events = [event("GC-5", "replace", {"card": old, **where})]
        draw, waiting, ploys = (*self.draw, old), self.waiting, self.ploys
        while (card := draw[0]) not in VALUE:
            draw = draw[1:]
            if card in PLOYS:
                ploys += (card,)
                events.append(event("GC-5", "replace_ploy", {"ploy": card}))
            else:
                waiting += (card,)
                events.append(event("GC-R3", "replace_royal", {"royal": card}))
        events.append(event("GC-5", "replace_fill", {"card": card, **where}))
        stacks = replaced(self.stacks, cell, (card,))
        after = self._replace(stacks=stacks, room=room_on(stacks), draw=draw[1:], waiting=waiting, ploys=ploys)
        return after._settled(events)

    def _keep(self, move: Keep) -> tuple[Position, Happened]:
        """GC-R3."""
        self._replacing()
        return self._settled([event("GC-R3", "keep", {})])

    def _replacing(self) -> None:
        """Refuse what belongs to `replace` at any other time."""
        if self.phase == "setup":
            raise IllegalMove("GC-R3", "the royals set aside are placed first")
        if self.phase in ("won", "lost"):
            raise self._not_now()
        if self.phase != "replace":
            raise IllegalMove("GC-5", "a grid card is replaced only once and before play, where it was agreed on")

    # A turn

    def _turn(self, move: Turn) -> tuple[Position, Happened]:
        """GC-8."""
        stacks, room, royals, draw, _, waiting, ploys, used, options, phase = self
        if phase != "turn":
            raise self._not_now()
        if not draw:
            raise IllegalMove("GC-20", "the draw pile is empty")
        card, draw = draw[0], draw[1:]
        if card in VALUE:
            told = event("GC-8", "turn_number", {"card": card, "left": len(draw)})
            after = _position(stacks, room, royals, draw, card, waiting, ploys, used, options, "put")
        elif card in PLOYS:
            told = event("GC-8", "turn_ploy", {"ploy": card, "left": len(draw)})
            after = _position(stacks, room, royals, draw, None, waiting, (*ploys, card), used, options, "turn")
        else:
            told = event("GC-8", "turn_royal", {"royal": card, "left": len(draw)})
            after = _position(stacks, room, royals, draw, None, (card,), ploys, used, options, "royal")
        if draw:
            return after, (told,)
        if card in PLOYS:
            return after, (told, event("GC-20", "ploys_left", {"ploys": after.ploys}))
        return after, (told, event("GC-R9", "last_card", {"card": card}))

    def _place_royal(self, move: PlaceRoyal) -> tuple[Position, Happened]:
        """GC-4, GC-6, GC-7, GC-R2."""
        stacks, room, royals, draw, turned, waiting, ploys, used, options, phase = self
        place = self._at(move.place)
        if phase not in ("setup", "royal"):
            raise self._not_now()
        card, waiting = waiting[0], waiting[1:]
        places, over = _spots(stacks, royals, card)
        cell = _IN_FRONT[place][0]
        top = shown(stacks[cell])
        if place not in places:
            raise self._not_similar(place, top, places, over)
        events = [event("GC-4", "set_aside", {"royal": card, "left": len(waiting)})] if phase == "setup" else []
        if over:
            cards = tuple([stacks[cell][-1] for cell in over])
            events.append(event("GC-R2", "passed_over", {"royal": card, "cards": cards}))
        row, column = CELLS[cell]
        if top == EMPTY:
            told = {"royal": card, "place": move.place, "row": row, "column": column}
            events.append(event("GC-R2", "royal_beside_empty", told))
        else:
            similar = step(card, top)
            told = {"royal": card, "place": move.place, "row": row, "column": column, "card": top, "step": similar}
            events.append(event("GC-6", "royal", told))
        if len(places) > 1:
            choice = tuple([PLACES[place] for place in places])
            events.append(event("GC-7", "royal_choice", {"royal": card, "place": move.place, "places": choice}))
        royals = royals[:place] + (_FRESH[card],) + royals[place + 1 :]
        going_on = waiting if phase == "setup" else draw
        if going_on:  # of GC-R10 nothing has come about: a royal lives, none wears more
            due: Phase = phase if waiting else "put" if turned else "turn"
            return _position(stacks, room, royals, draw, turned, waiting, ploys, used, options, due), tuple(events)
        return _position(stacks, room, royals, draw, turned, waiting, ploys, used, options, phase)._settled(events)

    def _not_similar(self, place: int, top: str, places: tuple[int, ...], over: tuple[int, ...]) -> IllegalMove:
        """Why the first waiting royal may not go to a place."""
        card, there = self.waiting[0], self.royals[place]
        if there is not None:
            rule, state = ("GC-7", "the dead") if there.dead else ("GC-6", "the")
            return IllegalMove(rule, f"{PLACES[place]} is taken by {state} {there.card}")
        best = shown(self.stacks[_IN_FRONT[places[0]][0]])
        return IllegalMove(
            "GC-R2" if over or top == EMPTY else "GC-6", f"{card} is more similar to {best} than to {top}"
        )

    def _place(self, move: Place) -> tuple[Position, Happened]:
        """GC-9."""
        stacks, room, royals, draw, card, waiting, ploys, used, options, phase = self
        row, column = move.row, move.column
        cell = self._cell(row, column)
        if phase != "put" or card is None:
            raise self._not_now()
        stack, value = stacks[cell], VALUE[card]
        low = VALUE[stack[-1]] if stack else 0
        if low > value:
            raise IllegalMove("GC-9", f"{card} cannot go on {stack[-1]}, which is higher")
        if stack:
            events = [event("GC-9", "place", {"card": card, "row": row, "column": column, "on": stack[-1]})]
        elif self._never_filled(cell):
            events = [event("GC-22", "first_in_centre", {"card": card, "row": row, "column": column})]
        else:
            events = [event("GC-14", "place_on_empty", {"card": card, "row": row, "column": column})]
        stacks = stacks[:cell] + (stack + (card,),) + stacks[cell + 1 :]
        room += _ROOM[cell][value] - _ROOM[cell][low]
        held = _fire(stacks, royals, cell, events)
        if draw and held is royals:  # nobody was killed: nothing of GC-R10 has come about
            after = _position(stacks, room, royals, draw, None, waiting, ploys, used, options, "turn")
            return after, tuple(events)
        return _position(stacks, room, held, draw, None, waiting, ploys, used, options, phase)._settled(events)

    def _never_filled(self, cell: int) -> bool:
        """Whether the centre is surely still empty from the deal: the ploys used are too few to have emptied it."""
        return cell == CENTRE and self.options.empty_centre and self.stacks.count(()) > len(self.used)

    def _armour(self, move: Armour) -> tuple[Position, Happened]:
        """GC-16, GC-R7."""
        place, card = self._at(move.place), self.turned
        if self.phase != "put":
            raise self._not_now()
        assert card is not None
        if bits := fits(self.room, VALUE[card]):
            cell = _cells(bits)[0]
            raise IllegalMove("GC-R7", f"{card} fits on {shown(self.stacks[cell])} in {_at(cell)}")
        places = armour_targets(self.royals, card)
        royal = self.royals[place]
        if royal is None or royal.dead:
            raise IllegalMove("GC-16", f"no living royal stands at {move.place}")
        if move.place not in places:
            raise IllegalMove("GC-16", f"the royal at {' or '.join(places)} is more similar to {card}")
        royal = Royal(royal.card, (*royal.armour, card))
        told: dict[str, Any] = {"card": card, "royal": royal.card, "place": move.place, "step": step(royal.card, card)}
        told |= {"value": VALUE[card], "base": HEALTH[royal.card[0]], "health": royal.health}
        events = [event("GC-16", "armour", told)]
        if len(places) > 1:
            events.append(event("GC-R7", "armour_choice", {"card": card, "place": move.place, "places": places}))
        if self.ploys:
            events.append(event("GC-R7", "ploys_kept", {"ploys": self.ploys}))
        stacks, room, royals, draw, _, waiting, ploys, used, options, phase = self
        royals = replaced(royals, place, royal)
        return _position(stacks, room, royals, draw, None, waiting, ploys, used, options, phase)._settled(events)

    # Ploys

    def _extract(self, move: Extract) -> tuple[Position, Happened]:
        """GC-14, GC-R4."""
        stacks, room, royals, draw, turned, waiting, _, _, options, phase = self
        cell = self._cell(move.row, move.column)
        ploys, used, told = self._used(move.ploy, ACES, "GC-14", "an Ace")
        stack = stacks[cell]
        if not stack:
            raise IllegalMove("GC-14", f"no stack lies in {move.row} {move.column}")
        draw += stack
        facts = {"ploy": move.ploy, "cards": stack, "row": move.row, "column": move.column, "left": len(draw)}
        events = [told, event("GC-14", "extract", facts)]
        if len(stack) > 1:
            events.append(event("GC-R4", "oldest_first", {"card": stack[0], "cards": stack}))
        stacks, room = replaced(stacks, cell, ()), _changed(room, cell, stack, ())
        after = _position(stacks, room, royals, draw, turned, waiting, ploys, used, options, phase)
        return after, tuple(events)  # nothing of GC-R10 can have come about: the draw pile has grown

    def _reassign(self, move: Reassign) -> tuple[Position, Happened]:
        """GC-15, GC-R6."""
        stacks, room, royals, draw, turned, waiting, _, _, options, phase = self
        source, cell = self._cell(move.from_row, move.from_column), self._cell(move.row, move.column)
        ploys, used, told = self._used(move.ploy, JOKERS, "GC-15", "a joker")
        if source == cell:
            raise IllegalMove("GC-R6", "the card cannot go back onto its own stack")
        if not stacks[source]:
            raise IllegalMove("GC-15", f"no card lies in {move.from_row} {move.from_column}")
        card, on, behind = stacks[source][-1], shown(stacks[cell]), stacks[source][:-1]
        if top_value(stacks[cell]) > VALUE[card]:
            raise IllegalMove("GC-15", f"{card} cannot go on {on}, which is higher")
        facts: dict[str, Any] = {
            "ploy": move.ploy, "card": card, "from_row": move.from_row, "from_column": move.from_column,
            "row": move.row, "column": move.column,
        }  # fmt: skip
        events = [told]
        if on == EMPTY:
            events.append(event("GC-R6", "reassign_to_empty", facts))
        else:
            events.append(event("GC-15", "reassign", {**facts, "on": on}))
        left = {"row": move.from_row, "column": move.from_column}
        if behind:
            events.append(event("GC-R6", "left_showing", {**left, "card": behind[-1]}))
        else:
            events.append(event("GC-R6", "left_empty", left))
        moved = (*stacks[cell], card)
        room = _changed(_changed(room, source, stacks[source], behind), cell, stacks[cell], moved)
        stacks = replaced(replaced(stacks, source, behind), cell, moved)
        held = _fire(stacks, royals, cell, events)
        after = _position(stacks, room, held, draw, turned, waiting, ploys, used, options, phase)
        if draw and held is royals:  # nobody was killed: nothing of GC-R10 has come about
            return after, tuple(events)
        return after._settled(events)

    def _used(self, ploy: Card, kind: Cards, rule: str, named: str) -> tuple[Cards, Cards, Event]:
        """GC-13: the ploys left and used once this one is, and the event of it."""
        if self.phase in ("setup", "replace"):
            raise IllegalMove("GC-R11", "play has not begun")
        if self.phase in ("won", "lost"):
            raise self._not_now()
        if ploy not in kind:
            raise IllegalMove(rule, f"{ploy} is not {named}")
        if ploy not in self.ploys:
            raise IllegalMove("GC-13", f"{ploy} is used already" if ploy in self.used else f"{ploy} is not at hand")
        ploys = tuple([other for other in self.ploys if other != ploy])
        return ploys, (*self.used, ploy), event("GC-13", "ploy", {"ploy": ploy, "left": len(ploys)})

    def _concede(self, move: Concede) -> tuple[Position, Happened]:
        """GC-R9."""
        if self.phase in ("won", "lost"):
            raise self._not_now()
        if self.phase not in ("turn", "put"):
            raise IllegalMove("GC-R9", "only when a card is to be turned or put")
        *same, _ = self
        return made(Position, (*same, "lost")), (event("GC-R9", "concede", {}),)

    # What follows from a move

    def _settled(self, events: list[Event]) -> tuple[Position, Happened]:
        """What follows from a move, in the order of GC-R10. `self` is after the move and has the phase before it."""
        stacks, room, royals, draw, turned, waiting, ploys, used, options, before = self
        living = [royal for royal in royals if royal is not None and not royal.dead]
        phase: Phase
        if not living and None not in royals:
            phase = "won"
            events += self._won()
        elif lost := [royal for royal in living if royal.armour and royal.beyond_reach]:
            phase = "lost"
            events += [self._beyond_reach(royal) for royal in lost]
        elif before == "setup" and waiting:
            phase = "setup"
        elif before == "setup" and options.replace_one:
            phase = "replace"
        else:
            if before in ("setup", "replace"):
                events.append(event("GC-R11", "play_begins", {}))
            if waiting:
                phase = "royal"
            elif not living:
                phase = "royal"
                draw, waiting = self._next_royal(events)
            elif turned:
                phase = "put"
            elif draw:
                phase = "turn"
            elif ploys:
                phase = "turn"
                events.append(event("GC-20", "ploys_left", {"ploys": ploys}))
            else:
                phase = "lost"
                events.append(event("GC-20", "out_of_cards", {}))
        return _position(stacks, room, royals, draw, turned, waiting, ploys, used, options, phase), tuple(events)

    def _next_royal(self, events: list[Event]) -> tuple[Cards, Cards]:
        """GC-18, GC-R8: the draw pile after it, and the royal that waits."""
        draw = self.draw
        found = next(index for index, card in enumerate(draw) if card in ROYALS)
        royal, others = draw[found], draw[:found]
        if self.turned:
            events.append(event("GC-R8", "card_in_hand", {"card": self.turned}))
        events.append(event("GC-18", "no_living_royal", {"royal": royal, "cards": others, "turned": len(others) + 1}))
        if others:
            events.append(event("GC-R4", "under_pile", {"card": others[0], "cards": others}))
        return draw[found + 1 :] + others, (royal,)

    def _won(self) -> list[Event]:
        """GC-19, GC-21, GC-R12."""
        events = [event("GC-19", "won", {"royals": len(self.royals)})]
        events.append(event("GC-21", "score", {"score": len(self.ploys), "ploys": self.ploys, "best": BEST_SCORE}))
        if unseen := tuple([card for card in self.draw if card in PLOYS]):
            events.append(event("GC-R12", "ploys_in_pile", {"ploys": unseen}))
        return events

    def _beyond_reach(self, royal: Royal) -> Event:
        """GC-17."""
        place, limit = PLACES[self.royals.index(royal)], BEYOND_REACH[royal.card[0]]
        facts = {"royal": royal.card, "place": place, "health": royal.health, "limit": limit}
        return event("GC-17", "beyond_reach", facts)

    # The end

    def result(self) -> dict[str, Json] | None:
        if self.phase == "won":
            return {"won": True, "score": len(self.ploys)}
        return {"won": False, "by": _LOST_BY[self._ended_by()]} if self.phase == "lost" else None

    def _ended_by(self) -> str:
        """The rule by which a finished game ended."""
        if self.phase == "won":
            return "GC-19"
        if any(royal and not royal.dead and royal.beyond_reach for royal in self.royals):
            return "GC-17"
        out = self.turned is None and not self.draw and not _ploy_moves(self.stacks, self.room, self.ploys)
        return "GC-20" if out else "GC-R9"

    def view(self, seat: int) -> View:
        """GC-2: the draw pile lies face down. Dead royals and used ploys do too, but the player has seen them."""
        return View(seat, self.stacks, self.royals, len(self.draw), *self[4:])

    # Names of cells and places

    def _cell(self, row: int, column: int) -> int:
        cell = _CELL.get((row, column))
        if cell is None:
            raise IllegalMove("GC-2", f"the grid has no place {row} {column}")
        return cell

    def _at(self, place: str) -> int:
        at = _PLACE.get(place)
        if at is None:
            raise IllegalMove("GC-3", f"there is no place {place} around the grid")
        return at


_ACTIONS: dict[type[Move], Callable[[Position, Any], tuple[Position, Happened]]] = {
    Turn: Position._turn,
    PlaceRoyal: Position._place_royal,
    Place: Position._place,
    Extract: Position._extract,
    Reassign: Position._reassign,
    Armour: Position._armour,
    Replace: Position._replace_card,
    Keep: Position._keep,
    Concede: Position._concede,
}

_LOST_BY = {"GC-17": "armour", "GC-20": "out of cards", "GC-R9": "concede"}


def _fire(stacks: Stacks, royals: Royals, cell: int, events: list[Event]) -> Royals:
    """Carry out what a card just put on that cell fires: the royals after it, the same object where nobody dies."""
    fired = attacks(stacks, royals, cell)
    if not fired:
        return royals
    row, column = CELLS[cell]
    if len(fired) > 1:
        both = tuple([attack.royal.card for attack in fired])
        events.append(event("GC-12", "both_lines", {"row": row, "column": column, "royals": both}))
    for place, royal, between, attackers, worth in fired:
        card, total, health = royal.card, sum(worth), royal.health
        told: dict[str, Any] = {"royal": card, "place": place, "attackers": attackers, "counts": worth, "total": total}
        where = {"row": row, "column": column, "cells": (CELLS[between[0]], CELLS[between[1]])}
        events.append(event("GC-10", "attack", {**told, "card": stacks[cell][-1], **where}))
        if EMPTY in attackers:
            events.append(event("GC-R5", "empty_adds_nothing", {"royal": card, "place": place}))
        rank = card[0]
        told |= {"who": WHO_COUNTS[rank], "health": health, "base": HEALTH[rank], "armour": royal.armour}
        if total >= health:
            events.append(event("GC-11", "kill", told))
            royals = replaced(royals, _PLACE[place], royal._replace(dead=True))
        else:
            told["short"] = health - total
            events.append(event("GC-11", "holds", told))
    return royals


def _position(
    stacks: Stacks,
    room: Room,
    royals: Royals,
    draw: Cards,
    turned: Card | None,
    waiting: Cards,
    ploys: Cards,
    used: Cards,
    options: Options,
    phase: Phase,
) -> Position:
    """Position(...) at half the cost."""
    return made(Position, (stacks, room, royals, draw, turned, waiting, ploys, used, options, phase))


# The deal ----------------------------------------------------------------------------------------------------------


def deal(deck: Sequence[Card], players: int = 1, empty_centre: bool = False, replace_one: bool = False) -> Position:
    """GC-2 up to the first choice: a royal set aside (GC-4), else GC-5, else GC-18. Raises BadPosition."""
    check_players(players, PLAYERS)
    check_deck(deck, DECK)
    grid: list[Card] = []
    royals: list[Card] = []
    ploys: list[Card] = []
    cards = iter(deck)
    wanted = len(CELLS) - empty_centre
    for card in cards:
        (grid if card in VALUE else ploys if card in PLOYS else royals).append(card)
        if len(grid) == wanted:
            break
    stacks: Stacks = tuple([(card,) for card in grid])
    if empty_centre:  # GC-22
        stacks = (*stacks[:CENTRE], (), *stacks[CENTRE:])
    options, nobody, draw = Options(empty_centre, replace_one), (None,) * len(PLACES), tuple(cards)
    dealt = Position(stacks, room_on(stacks), nobody, draw, None, tuple(royals), tuple(ploys), (), options, "setup")
    return dealt._settled([])[0]


# Interchange -------------------------------------------------------------------------------------------------------


def move_from_text(text: str) -> Move:
    """`turn`, `royal L1`, `place 1 3`, `extract Ah 2 2`, `reassign X1 1 1 3 3`, `armour L1`, `replace 2 2`, `keep`,
    `concede`."""

    def cells(words: Sequence[str]) -> list[int]:
        if not all(word in ("1", "2", "3") for word in words):
            refuse(f"{excerpt(text)} is not a move: rows and columns are 1 to {SIDE}")
        return [int(word) for word in words]

    match text.split(" "):
        case ["turn"]:
            return _TURN
        case ["royal", place] if place in _PLACE:
            return PlaceRoyal(place)
        case ["place", row, column]:
            return Place(*cells((row, column)))
        case ["extract", ploy, row, column] if ploy in PLOYS:
            return Extract(ploy, *cells((row, column)))
        case ["reassign", ploy, from_row, from_column, row, column] if ploy in PLOYS:
            return Reassign(ploy, *cells((from_row, from_column, row, column)))
        case ["armour", place] if place in _PLACE:
            return Armour(place)
        case ["replace", row, column]:
            return Replace(*cells((row, column)))
        case ["keep"]:
            return _KEEP
        case ["concede"]:
            return _CONCEDE
    refuse(f"{excerpt(text)} is not a move")


def position_to_json(position: Position) -> dict[str, Json]:
    stacks, _, royals, draw, turned, waiting, ploys, used, options, phase = position
    return {
        "game": ID,
        "grid": [[list(stack) for stack in row] for row in _rows(stacks)],
        "royals": {
            place: {"card": royal.card, "armour": list(royal.armour), "dead": royal.dead}
            for place, royal in zip(PLACES, royals, strict=True)
            if royal
        },
        "draw": list(draw),
        "turned": turned,
        "waiting": list(waiting),
        "ploys": list(ploys),
        "used": list(used),
        "options": options._asdict(),
        "phase": phase,
    }


def _rows(stacks: Sequence[T]) -> list[Sequence[T]]:
    return [stacks[start : start + SIDE] for start in range(0, len(stacks), SIDE)]


def position_from_json(data: Json) -> Position:
    grid, royals, draw, turned, waiting, ploys, used, options, phase = fields(
        data, ID, "grid", "royals", "draw", "turned", "waiting", "ploys", "used", "options", "phase"
    )
    if phase not in PHASES:
        refuse(f'"phase" holds {excerpt(phase)}, not {", ".join(PHASES)}')
    if not isinstance(royals, dict):
        refuse('"royals" is not a JSON object')
    for place in royals:
        if place not in _PLACE:
            refuse(f'unknown place {excerpt(place)} in "royals"')
    stacks = tuple(_cards(stack, "grid") for row in array(grid, "grid", SIDE) for stack in array(row, "grid", SIDE))
    _check_kinds("grid", (card for stack in stacks for card in stack), VALUE, "a number card")
    position = Position(
        stacks,
        room_on(stacks),
        tuple(_royal(royals[place]) if place in royals else None for place in PLACES),
        _cards(draw, "draw"),
        None if turned is None else playing_card(turned, "turned", JOKERS),
        _cards(waiting, "waiting"),
        _cards(ploys, "ploys"),
        _cards(used, "used"),
        Options(*(truth(value, "options") for value in members(options, "options", *Options._fields))),
        phase,
    )
    check(position)
    return position


def _cards(value: Json, name: str) -> Cards:
    return playing_cards(value, name, JOKERS)


def _royal(value: Json) -> Royal:
    card, armour, dead = members(value, "royals", "card", "armour", "dead")
    return Royal(playing_card(card, "royals", JOKERS), _cards(armour, "armour"), truth(dead, "dead"))


def canonical(position: Position) -> Position:
    """The order of ploys, of used ones and of a royal's armour means nothing."""
    return position._replace(
        royals=tuple(royal and royal._replace(armour=_in_order(royal.armour)) for royal in position.royals),
        ploys=_in_order(position.ploys),
        used=_in_order(position.used),
    )


def _in_order(cards: Cards) -> Cards:
    return tuple(sorted(cards, key=DECK.index))


def check(position: Position) -> None:
    """Refuse a position that no game could reach: the invariants of the rules file, and what they imply."""
    stacks, room, royals, draw, turned, waiting, ploys, used, options, phase = position
    standing = [(place, royal) for place, royal in zip(PLACES, royals, strict=True) if royal]
    armour = [card for _, royal in standing for card in royal.armour]
    grid = [card for stack in stacks for card in stack]
    in_hand = [turned] if turned else []
    _check_kinds("grid", grid, VALUE, "a number card")
    _check_kinds("royals", [royal.card for _, royal in standing], ROYALS, "a royal")
    _check_kinds("armour", armour, VALUE, "a number card")
    _check_kinds("turned", in_hand, VALUE, "a number card")
    _check_kinds("waiting", waiting, ROYALS, "a royal")
    _check_kinds("ploys", ploys, PLOYS, "an Ace or joker")
    _check_kinds("used", used, PLOYS, "an Ace or joker")
    cards = [*grid, *armour, *(royal.card for _, royal in standing), *draw, *in_hand, *waiting, *ploys, *used]
    no_repeats(cards)
    for card in DECK:  # with the kinds above: twelve royals on the table, in the draw pile and waiting
        if card not in cards:
            refuse(f"card {card} is missing")
    if room != room_on(stacks):
        refuse("the room is not that of the top cards")
    for cell, stack in enumerate(stacks):
        if [VALUE[card] for card in stack] != sorted(VALUE[card] for card in stack):
            refuse(f"the stack in {_at(cell)} goes down")
    emptied = [cell for cell, stack in enumerate(stacks) if not stack and not (cell == CENTRE and options.empty_centre)]
    if len(emptied) > len(used):
        refuse(f"{len(emptied)} stacks are gone, more than the {len(used)} ploys used")
    living = [royal for _, royal in standing if not royal.dead]
    dead = len(standing) - len(living)
    beyond = [(place, royal) for place, royal in standing if royal.beyond_reach]
    for place, royal in beyond:
        if royal.dead:
            refuse(f"the dead {royal.card} at {place} has health {royal.health}: it was beyond reach")
        if phase != "lost":
            refuse(f"the {royal.card} at {place} is beyond reach with health {royal.health}, but the game is not lost")
        if turned:
            refuse(f"the {royal.card} at {place} is beyond reach, but {turned} has been turned since")
    if len(beyond) > 1:
        refuse("two royals are beyond reach")
    if (phase == "won") != (dead == len(PLACES)):
        refuse(f"the phase is {phase} with {dead} dead royals")
    if phase in ("turn", "put", "lost") and not living:
        refuse(f"the phase is {phase} with no living royal")
    if bool(waiting) != (phase in ("setup", "royal")):
        refuse(f"the phase is {phase} with {len(waiting)} royals waiting")
    if (turned and phase not in ("put", "royal", "won", "lost")) or (phase == "put" and not turned):
        refuse(f"the phase is {phase} with {turned or 'no card'} turned")
    if phase == "turn" and not draw and not ploys:
        refuse("the phase is turn with neither cards nor ploys left")
    if phase in ("setup", "replace"):
        _check_unplayed(position, bool(dead or armour))
    if phase == "royal" and turned:
        _check_card_in_hand(position, len(living), dead)
    if phase == "won" and turned and not set(used) & set(JOKERS):
        refuse(f"the last royal cannot have been killed with {turned} in hand and no joker used")
    if phase == "royal" and len(waiting) > 1:
        if not options.replace_one:
            refuse("several royals wait, but no grid card could be replaced")
        if armour or turned:
            refuse("several royals wait, but cards have been turned since play began")
        most = len(CELLS) - options.empty_centre
        if len(grid) > most:
            refuse(f"several royals wait with {len(grid)} cards on the grid, more than the {most} dealt")


def _check_kinds(name: str, cards: Iterable[Card], allowed: Iterable[Card], kind: str) -> None:
    known = set(allowed)
    for card in cards:
        if card not in known:
            refuse(f'"{name}" holds {card}, which is not {kind}')


def _check_unplayed(position: Position, fought: bool) -> None:
    """In `setup` and `replace` the grid is as dealt and nothing has been used."""
    options, phase = position.options, position.phase
    if phase == "replace" and not options.replace_one:
        refuse("the phase is replace, which was not agreed on")
    if fought or position.used:
        refuse(f"the phase is {phase}, but a royal is dead or armoured, or a ploy is used")
    for cell, stack in enumerate(position.stacks):
        dealt = 0 if cell == CENTRE and options.empty_centre else 1
        if len(stack) != dealt:
            refuse(f"the phase is {phase}, but {len(stack)} cards lie in {_at(cell)}, not {dealt}")


def _check_card_in_hand(position: Position, living: int, dead: int) -> None:
    """GC-18 with a card in hand: a joker killed the last living royal."""
    if len(position.waiting) > 1 or living or not dead or not set(position.used) & set(JOKERS):
        refuse(f"a royal waits with {position.turned} turned, but not because a joker killed the last living royal")


def _at(cell: int) -> str:
    return "{} {}".format(*CELLS[cell])


# The author's form: the table as it lies, five rows of five without the corners.
#
#               --      (Jd)    --
#       Kh      9h      7h      3s      --
#       --      4c      Td      6s      Qs+2c
#       --      2d      --      9c/8c   --
#               --      --      --
#     options: empty centre, replace one
#     turned: 5c
#     waiting: Jh
#     ploys: Ah X1
#     used: As
#     draw: 5d Kc
#     phase: turn
#
# `--` is an empty place, `9c/8c` a stack, its top card first, `Qs+2c` a royal and her armour, brackets are a royal face
# down. `draw` names the top of the draw pile, below which lie all cards named nowhere, in the order of DECK. The other
# lines stand where they say something; the phase where it is not plain from the rest (`_plain_phase`).

_LABELS = ("options", "turned", "waiting", "ploys", "used", "draw", "phase")
_WIDTHS = (SIDE, *(SIDE + 2,) * SIDE, SIDE)
_SAID_OPTIONS = {"empty centre": "empty_centre", "replace one": "replace_one"}


def position_to_text(position: Position) -> str:
    stacks, _, royals, draw, turned, waiting, ploys, used, options, phase = position
    at = dict(zip(PLACES, map(_royal_to_text, royals), strict=True))
    cells = _rows(["/".join(reversed(stack)) or EMPTY for stack in stacks])
    sides = range(1, SIDE + 1)
    table = [
        ["", *(at[f"T{n}"] for n in sides), ""],
        *([at[f"L{n}"], *cells[n - 1], at[f"R{n}"]] for n in sides),
        ["", *(at[f"B{n}"] for n in sides), ""],
    ]
    widths = [max(len(row[n]) for row in table) for n in range(SIDE + 2)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]
    said = {
        "options": ", ".join(name for name, field in _SAID_OPTIONS.items() if getattr(options, field)),
        "turned": turned or "",
        "waiting": " ".join(waiting),
        "ploys": " ".join(ploys),
        "used": " ".join(used),
        "draw": "" if list(draw) == [card for card in DECK if card in draw] else " ".join(draw),
        "phase": "" if phase == _plain_phase(royals, draw, turned, waiting, ploys) else phase,
    }
    return "\n".join([*lines, *(f"{label}: {words}" for label, words in said.items() if words)])


def _royal_to_text(royal: Royal | None) -> str:
    if royal is None:
        return EMPTY
    said = "+".join((royal.card, *royal.armour))
    return f"({said})" if royal.dead else said


def _plain_phase(royals: Royals, draw: Cards, turned: Card | None, waiting: Cards, ploys: Cards) -> Phase:
    """The phase that a position is in unless the author says otherwise."""
    living = [royal for royal in royals if royal and not royal.dead]
    if None not in royals and not living:
        return "won"
    if any(royal.beyond_reach for royal in living):
        return "lost"
    if waiting:
        return "royal"
    if turned:
        return "put"
    return "turn" if draw or ploys else "lost"


def position_from_text(text: str) -> Position:
    rows: list[list[str]] = []
    said: dict[str, str] = {}
    for line in filled_lines(text):
        label, colon, words = (part.strip() for part in line.partition(":"))
        if colon and label in _LABELS and label not in said:
            said[label] = words
        elif not colon and len(rows) < len(_WIDTHS) and len(line.split()) == _WIDTHS[len(rows)]:
            rows.append(line.split())
        else:
            row = f"row {len(rows) + 1} of the table with {_WIDTHS[len(rows)]} places, or " if len(rows) < 5 else ""
            labels = ", ".join(f"'{name}: …'" for name in _LABELS)
            refuse(f"{excerpt(line)}: expected {row}once each {labels}")
    if len(rows) != len(_WIDTHS):
        refuse(f"the table has {len(rows)} rows, not {len(_WIDTHS)}")
    middle = rows[1:-1]
    around = [*rows[0], *rows[-1], *(row[0] for row in middle), *(row[-1] for row in middle)]  # as PLACES has them
    grid = [[_stack_from_text(word) for word in row[1:-1]] for row in middle]
    royals = {place: _royal_from_text(word) for place, word in zip(PLACES, around, strict=True) if word != EMPTY}
    waiting, ploys, used, draw = (said.get(label, "").split() for label in ("waiting", "ploys", "used", "draw"))
    turned = said.get("turned") or None
    named = {turned, *waiting, *ploys, *used, *draw, *(card for row in grid for stack in row for card in stack)}
    named |= {card for royal in royals.values() for card in (royal["card"], *royal["armour"])}
    draw += [card for card in DECK if card not in named]
    options = dict.fromkeys(_SAID_OPTIONS.values(), False)
    for option in filter(None, map(str.strip, said.get("options", "").split(","))):
        if option not in _SAID_OPTIONS:
            refuse(f"{excerpt(option)}: expected {' or '.join(map(repr, _SAID_OPTIONS))}")
        options[_SAID_OPTIONS[option]] = True
    standing = tuple(_royal(royals[place]) if place in royals else None for place in PLACES)
    _check_kinds("royals", [royal.card for royal in standing if royal], ROYALS, "a royal")
    _check_kinds("armour", [card for royal in standing if royal for card in royal.armour], VALUE, "a number card")
    return position_from_json(
        {
            "game": ID,
            "grid": grid,
            "royals": royals,
            "draw": draw,
            "turned": turned,
            "waiting": waiting,
            "ploys": ploys,
            "used": used,
            "options": options,
            "phase": said.get("phase") or _plain_phase(standing, tuple(draw), turned, tuple(waiting), tuple(ploys)),
        }
    )


def _stack_from_text(word: str) -> list[str]:
    return [] if word == EMPTY else word.split("/")[::-1]


def _royal_from_text(word: str) -> dict[str, Json]:
    dead = word.startswith("(") and word.endswith(")")
    card, *armour = (word[1:-1] if dead else word).split("+")
    return {"card": card, "armour": armour, "dead": dead}
