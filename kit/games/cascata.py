"""Cascata, by the rules CA-1 to CA-20 and the readings CA-R1 to CA-R11.

Seats count from 0; rows (from the apex), positions in a row (from the left) and melds in moves and events from 1.
A card is its rank and suit (`8s`), a joker `X1` or `X2`, the marker card `M`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypeVar

from kit.games.core import (
    RANKS,
    SUITS,
    Event,
    IllegalMove,
    Json,
    Rule,
    Stream,
    array,
    check_deck,
    check_players,
    event,
    excerpt,
    fields,
    filled_lines,
    integer,
    made,
    members,
    no_repeats,
    playing_card,
    playing_cards,
    refuse,
    replaced,
    truth,
)

ID = "cascata"
RULES = (
    *(Rule(f"CA-{n}") for n in range(1, 21)),
    Rule("CA-R1", "settled"),
    Rule("CA-R2", "open"),
    Rule("CA-R3", "follows"),
    Rule("CA-R4", "follows"),
    Rule("CA-R5", "follows"),
    Rule("CA-R6", "open"),
    Rule("CA-R7", "open"),
    Rule("CA-R8", "open"),
    Rule("CA-R9", "open"),
    Rule("CA-R10", "follows"),
    Rule("CA-R11", "open"),
)

SETS = ("hands", "melds")
PLAYERS = (2, 3, 4)  # CA-1
JOKERS = ("X1", "X2")  # CA-1
MARKER = "M"  # CA-R9
DECK = (*(rank + suit for rank in RANKS for suit in SUITS), *JOKERS)  # CA-1, in the order in which a move writes cards
HAND = 4  # CA-2
ROWS = {2: 6, 3: 7, 4: 7}  # CA-3: by players
MELD_MIN, MELD_MAX = 2, 4  # CA-10, CA-13
FACTOR = {2: 1, 3: 2}  # CA-14: of a pair and a triple
FOUR = 100  # CA-14
KIND = {2: "pair", 3: "triple"}
VALUE = {rank: value for value, rank in enumerate(RANKS, 1)} | {JOKERS[0][0]: 0}  # CA-14: of a card's first sign
USUAL_HIDDEN_ROW = 4  # CA-R7
LOCKS = {"joker": JOKERS[0], "marker": MARKER}  # CA-R9: the card that locks the reserve

# What a table may agree on, by name, as arguments of `deal`; they combine freely (CA-R10).
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "hidden-row": {"hidden_rows": (USUAL_HIDDEN_ROW,)},
    "multiplier": {"multiplier": True},
    "joker-lock": {"lock": "joker"},
    "marker-lock": {"lock": "marker"},
}

T = TypeVar("T")
Card = str
Cards = tuple[Card, ...]
Phase = Literal["draft", "meld", "over"]
Happened = tuple[Event, ...]

_JOKER = JOKERS[0][0]
_VALUE_OF = {card: VALUE[card[0]] for card in DECK}.__getitem__
_ORDER = {card: n for n, card in enumerate(DECK)}

# A set of cards is an int with one bit a card, in the order of DECK: the four cards of a rank are neighbours.
_BIT = {card: 1 << n for n, card in enumerate(DECK)}
_JOKER_BITS = sum(_BIT[joker] for joker in JOKERS)
_RANK_BITS = {rank: sum(_BIT[rank + suit] for suit in SUITS) for rank in RANKS}
_RANKS_DOWN = tuple(_RANK_BITS[rank] for rank in reversed(RANKS))
_MATCHING = {rank: bits | _JOKER_BITS for rank, bits in _RANK_BITS.items()}  # CA-R2


def pyramid_size(players: int) -> int:
    """How many cards the pyramid is dealt (CA-3)."""
    return ROWS[players] * (ROWS[players] + 1) // 2


def reserve_size(players: int) -> int:
    """How many cards the reserve is dealt, a marker not counted (CA-4)."""
    return len(DECK) - players * HAND - pyramid_size(players)


def facts() -> dict[str, int]:
    """The numbers that rule texts and sheets quote."""
    return {
        "deck_size": len(DECK),
        "suited_cards": len(RANKS) * len(SUITS),
        "jokers": len(JOKERS),
        "players_min": PLAYERS[0],
        "players_max": PLAYERS[-1],
        "hand": HAND,
        "meld_min": MELD_MIN,
        "meld_max": MELD_MAX,
        "steal_min": MELD_MIN,
        "steal_max": MELD_MAX - 1,
        "factor_pair": FACTOR[2],
        "factor_triple": FACTOR[3],
        "four": FOUR,
        "pair_k": base(("Ks", "Kh")),
        "triple_k": base(("Ks", "Kh", "Kd")),
        "hidden_row": USUAL_HIDDEN_ROW,
        **{f"value_{rank.lower()}": VALUE[rank] for rank in "AJQK"},
        "value_joker": VALUE[_JOKER],
        **{f"rows_{players}": ROWS[players] for players in PLAYERS},
        **{f"pyramid_{players}": pyramid_size(players) for players in PLAYERS},
        **{f"reserve_{players}": reserve_size(players) for players in PLAYERS},
        **{f"reserve_with_marker_{players}": reserve_size(players) + 1 for players in PLAYERS},
        **{f"dealt_{players}": players * HAND for players in PLAYERS},
    }


# Moves -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Take:
    """Take the free card at this place of the pyramid (CA-6)."""

    row: int
    position: int

    def __str__(self) -> str:
        return f"take {self.row} {self.position}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the reserve (CA-7)."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Swap:
    """Trade a joker for the face-up card at this place (CA-8)."""

    joker: Card
    row: int
    position: int

    def __str__(self) -> str:
        return f"swap {self.joker} {self.row} {self.position}"


def _sort_cards(move: NewMeld | Extend | Steal) -> None:
    """Each action has one spelling, whatever the order of the hand."""
    object.__setattr__(move, "cards", in_order(move.cards))


@dataclass(frozen=True, slots=True)
class NewMeld:
    """Lay a new meld (CA-10)."""

    cards: Cards

    def __post_init__(self) -> None:
        _sort_cards(self)

    def __str__(self) -> str:
        return f"meld {' '.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Extend:
    """Add cards to an own meld, by its number (CA-11)."""

    meld: int
    cards: Cards

    def __post_init__(self) -> None:
        _sort_cards(self)

    def __str__(self) -> str:
        return f"extend {self.meld} {' '.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Steal:
    """Complete a meld of that seat, by its number there, and take it over (CA-12)."""

    seat: int
    meld: int
    cards: Cards

    def __post_init__(self) -> None:
        _sort_cards(self)

    def __str__(self) -> str:
        return f"steal {self.seat} {self.meld} {' '.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class Pass:
    """No meld action this turn (CA-9)."""

    def __str__(self) -> str:
        return "pass"


Move = Take | Draw | Swap | NewMeld | Extend | Steal | Pass


def in_order(cards: Iterable[Card]) -> Cards:
    """Cards by rank, then suit, then the jokers."""
    return tuple(sorted(cards, key=lambda card: _ORDER.get(card, len(_ORDER))))


# The pyramid -------------------------------------------------------------------------------------------------------
#
# Places are numbered row by row from the apex: place 0 is (1, 1), places 1 and 2 are (2, 1) and (2, 2). What is free
# depends only on which places still hold a card. That set is an int with one bit a place, called `left`; no more than
# 429 of them (6 rows) and 1430 (7 rows) can come up, so what follows from one is worked out once.

PLACES = tuple((row, position) for row in range(1, max(ROWS.values()) + 1) for position in range(1, row + 1))
_PLACE = {place: index for index, place in enumerate(PLACES)}
_NOWHERE = len(PLACES)
_ABOVE = tuple(  # CA-R1: the places directly above each place, those that exist
    tuple(_PLACE[above] for above in ((row - 1, position - 1), (row - 1, position)) if above in _PLACE)
    for row, position in PLACES
)
_BELOW = tuple(tuple(p for p, above in enumerate(_ABOVE) if place in above) for place in range(len(PLACES)))
_COVER = (*(sum(1 << place for place in above) for above in _ABOVE), 0)  # nothing above _NOWHERE
_TAKES = tuple(Take(row, position) for row, position in PLACES)
_SWAPS = {joker: tuple(Swap(joker, row, position) for row, position in PLACES) for joker in JOKERS}
_DRAW, _PASS = Draw(), Pass()


def is_free(left: int, place: int) -> bool:
    """Whether there is a card at the place and none directly above it (CA-6)."""
    return bool(left >> place & 1 and not left & _COVER[place])


def is_up(left: int, hidden_rows: Sequence[int], place: int) -> bool:
    """Whether there is a card at the place and it lies face up (CA-18, CA-R7)."""
    return bool(left >> place & 1 and (PLACES[place][0] not in hidden_rows or not left & _COVER[place]))


@cache
def free_cards(left: int) -> tuple[Take, ...]:
    """The taking of each free card (CA-6)."""
    return tuple(_TAKES[place] for place in range(left.bit_length()) if is_free(left, place))


@lru_cache(1 << 13)
def swaps(left: int, hidden_rows: tuple[int, ...], joker: Card) -> tuple[Swap, ...]:
    """The trading of this joker for each face-up card, free or not (CA-8)."""
    return tuple(_SWAPS[joker][place] for place in range(left.bit_length()) if is_up(left, hidden_rows, place))


@cache
def freed(left: int, place: int) -> tuple[int, ...]:
    """The places that became free when the card at `place` went, and `left` was left (CA-R1)."""
    return tuple(below for below in _BELOW[place] if is_free(left, below))


@cache
def at(places: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The places as (row, position)."""
    return tuple(PLACES[place] for place in places)


def places_left(pyramid: Sequence[Card | None]) -> int:
    """The set of places that hold a card."""
    return sum(1 << place for place, card in enumerate(pyramid) if card is not None)


@cache
def rows_left(left: int) -> int:
    """How many rows of the pyramid are not yet empty (CA-19)."""
    return len({PLACES[place][0] for place in range(left.bit_length()) if left >> place & 1})


# Melds -------------------------------------------------------------------------------------------------------------


class Meld(NamedTuple):
    """A meld on the table. `rank` is that of its natural cards, `times` what it was multiplied by when it got its
    present cards (CA-R8)."""

    rank: str
    cards: Cards
    times: int = 1

    @property
    def points(self) -> int:
        """CA-14, CA-19."""
        return base(self.cards) * self.times


def values(cards: Iterable[Card]) -> int:
    """The sum of the cards' values, jokers 0 (CA-14)."""
    return sum(map(_VALUE_OF, cards))


def base(cards: Cards) -> int:
    """What a meld of these cards scores before any multiplier (CA-14)."""
    return FOUR if len(cards) == MELD_MAX else values(cards) * FACTOR[len(cards)]


def bits(cards: Iterable[Card]) -> int:
    """The set of these cards; the marker, which no hand may hold, is none of them."""
    return sum(_BIT.get(card, 0) for card in set(cards))


def cards_of(held: int) -> Cards:
    """The cards of a set, in the order of DECK."""
    return tuple(card for card in DECK if held & _BIT[card])


def ranks_to_meld(held: int) -> list[int]:
    """Of each rank that the hand can make a new meld of, its natural cards as a set, kings first (CA-10, CA-13)."""
    least = 1 if held & _JOKER_BITS else MELD_MIN
    return [own for rank in _RANKS_DOWN if (own := held & rank).bit_count() >= least]


@cache
def new_melds(held: int) -> tuple[NewMeld, ...]:
    """Every new meld from natural cards of one rank and jokers (CA-10, CA-13, CA-R2)."""
    return tuple(NewMeld(cards) for cards in _chosen(held, MELD_MIN, MELD_MAX) if cards[0] not in JOKERS)


@lru_cache(1 << 13)
def extensions(meld: int, matching: int, room: int) -> tuple[Extend, ...]:
    """Every way to add some of the matching cards to own meld number `meld` with that much room (CA-11, CA-13)."""
    return tuple(Extend(meld, cards) for cards in _chosen(matching, 1, room))


@lru_cache(1 << 13)
def thefts(seat: int, meld: int, matching: int, room: int) -> tuple[Steal, ...]:
    """Every way to complete that seat's meld number `meld` with that many matching cards (CA-12)."""
    return tuple(Steal(seat, meld, cards) for cards in _chosen(matching, room, room))


def _chosen(held: int, least: int, most: int) -> list[Cards]:
    return [chosen for size in range(least, most + 1) for chosen in combinations(cards_of(held), size)]


# Positions ---------------------------------------------------------------------------------------------------------


class Options(NamedTuple):
    """What the table agreed on: CA-18, CA-19, CA-20."""

    hidden_rows: tuple[int, ...] = ()
    multiplier: bool = False
    lock: str | None = None


FACE_DOWN = "??"


class View(NamedTuple):
    """What one seat may see. In `pyramid` a place is None where the card is gone, FACE_DOWN where it lies so."""

    seat: int
    pyramid: tuple[tuple[Card | None, ...], ...]
    reserve_size: int
    hand: Cards
    hand_sizes: tuple[int, ...]
    melds: tuple[tuple[Meld, ...], ...]
    options: Options
    to_move: int
    phase: Phase
    locked: bool
    drawn_marker: bool


class Position(NamedTuple):
    """The referee's view.

    `pyramid` holds each place's card, None where it is gone, and `left` is the set of places that hold one; `held` are
    the hands again, as sets of cards. `locked` is CA-20; `drawn_marker` is true while the player who drew the marker
    still owes the draft (CA-R9).
    """

    pyramid: tuple[Card | None, ...]
    left: int
    reserve: Cards
    hands: tuple[Cards, ...]
    held: tuple[int, ...]
    melds: tuple[tuple[Meld, ...], ...]
    options: Options = Options()
    to_move: int = 0
    phase: Phase = "draft"
    locked: bool = False
    drawn_marker: bool = False

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def times(self) -> int:
        """What a meld laid now is multiplied by (CA-19, CA-R8)."""
        return max(1, rows_left(self.left)) if self.options.multiplier else 1

    def legal(self) -> Sequence[Move]:
        if self.phase == "meld":
            return self._legal_melds()
        return self._legal_drafts() if self.phase == "draft" else ()

    def _legal_drafts(self) -> tuple[Move, ...]:
        """CA-5."""
        moves: tuple[Move, ...] = free_cards(self.left)
        if self.reserve and not self.locked:
            moves += (_DRAW,)
        if jokers := self.held[self.to_move] & _JOKER_BITS:
            for joker in JOKERS:
                if jokers & _BIT[joker]:
                    moves += swaps(self.left, self.options.hidden_rows, joker)
        return moves

    def _legal_melds(self) -> list[Move]:
        """CA-9."""
        seat = self.to_move
        held = self.held[seat]
        jokers = held & _JOKER_BITS
        moves: list[Move] = []
        for naturals in ranks_to_meld(held):
            moves += new_melds(naturals | jokers)
        for owner, melds in enumerate(self.melds):
            for number, (rank, cards, _) in enumerate(melds, 1):
                if matching := held & _MATCHING[rank]:
                    room = MELD_MAX - len(cards)
                    if owner == seat:
                        moves += extensions(number, matching, room)
                    elif 0 < room <= matching.bit_count():
                        moves += thefts(owner, number, matching, room)
        moves.append(_PASS)
        return moves

    def play(self, move: Move) -> tuple[Position, Happened]:
        phase, action = _ACTIONS[type(move)]
        if self.phase != phase:
            raise self._untimely(phase)
        return action(self, move)

    def _untimely(self, phase: Phase) -> IllegalMove:
        if self.phase == "over":
            return IllegalMove("CA-16", "the game is over")
        if phase == "draft":
            return IllegalMove("CA-5", "a card is drafted already this turn")
        return IllegalMove("CA-9", "a card is to be drafted first")

    # Drafting

    def _take(self, move: Take) -> tuple[Position, Happened]:
        """CA-6."""
        pyramid, left, reserve, hands, held, melds, options, seat, _, locked, _ = self
        row, position = move.row, move.position
        place = _PLACE.get((row, position), _NOWHERE)
        if not is_free(left, place):
            raise self._not_free(place, row, position)
        card = pyramid[place]
        assert card is not None
        left &= ~(1 << place)
        events = [event("CA-6", "take", {"seat": seat, "card": card, "row": row, "position": position})]
        if bared := freed(left, place):
            events.append(event("CA-R1", "freed", self._shown(bared)))
            if options.hidden_rows and (turned := tuple(p for p in bared if PLACES[p][0] in options.hidden_rows)):
                events.append(event("CA-18", "turned_up", self._shown(turned)))
        if not left:
            events.append(event("CA-16", "last_card", {"seat": seat, "card": card}))
        pyramid, hands = replaced(pyramid, place, None), replaced(hands, seat, hands[seat] + (card,))
        held = replaced(held, seat, held[seat] | _BIT[card])
        return _position(pyramid, left, reserve, hands, held, melds, options, seat, "meld", locked), tuple(events)

    def _shown(self, places: tuple[int, ...]) -> dict[str, Any]:
        return {"cards": tuple(map(self.pyramid.__getitem__, places)), "places": at(places)}

    def _not_free(self, place: int, row: int, position: int) -> IllegalMove:
        """Why the card at the place cannot be taken."""
        if refusal := self._not_up(place, row, position, "CA-6"):
            return refusal
        above = " and ".join(card for place in _ABOVE[place] if (card := self.pyramid[place]))
        return IllegalMove("CA-6", f"{self.pyramid[place]} at {row} {position} is not free: {above} above it")

    def _not_up(self, place: int, row: int, position: int, rule: str) -> IllegalMove | None:
        """Why there is no face-up card at the place, None when there is one."""
        if place >= len(self.pyramid):
            return IllegalMove("CA-3", f"the pyramid has no place {row} {position}")
        if self.pyramid[place] is None:
            return IllegalMove(rule, f"the card at {row} {position} is gone")
        if not is_up(self.left, self.options.hidden_rows, place):
            return IllegalMove("CA-R7", f"the card at {row} {position} lies face down")
        return None

    def _draw(self, move: Draw) -> tuple[Position, Happened]:
        """CA-7, CA-20, CA-R9."""
        seat, options = self.to_move, self.options
        if self.drawn_marker:
            raise IllegalMove("CA-R9", "after the marker a pyramid card is drafted")
        if self.locked:
            raise IllegalMove("CA-20", "the reserve is locked")
        if not self.reserve:
            raise IllegalMove("CA-7", "the reserve is empty")
        card, reserve, hands = self.reserve[0], self.reserve[1:], self.hands
        locks = options.lock is not None and card == LOCKS[options.lock]
        events = [event("CA-7", "draw", {"seat": seat, "card": card, "reserve": len(reserve)})]
        if locks:
            events.append(event("CA-20", "locked", {"seat": seat, "card": card, "reserve": len(reserve)}))
        elif not reserve:
            events.append(event("CA-R5", "reserve_empty", {"seat": seat}))
        if card == MARKER:
            events.append(event("CA-R9", "marker_aside", {"seat": seat, "card": card}))
            return self._replace(reserve=reserve, locked=True, drawn_marker=True), tuple(events)
        hands = replaced(hands, seat, hands[seat] + (card,))
        held = replaced(self.held, seat, self.held[seat] | _BIT[card])
        after = _position(self.pyramid, self.left, reserve, hands, held, self.melds, options, seat, "meld", locks)
        return after, tuple(events)

    def _swap(self, move: Swap) -> tuple[Position, Happened]:
        """CA-8, CA-R4."""
        pyramid, left, reserve, hands, held, melds, options, seat, _, locked, _ = self
        joker, row, position = move.joker, move.row, move.position
        if joker not in JOKERS:
            raise IllegalMove("CA-8", f"{joker} is not a joker")
        rest, kept = self._without((joker,), "CA-8")
        place = _PLACE.get((row, position), _NOWHERE)
        if refusal := self._not_up(place, row, position, "CA-8"):
            raise refusal
        card = pyramid[place]
        assert card is not None
        rule = "CA-R4" if card in JOKERS else "CA-8"
        facts = {"seat": seat, "joker": joker, "card": card, "row": row, "position": position}
        pyramid, hands = replaced(pyramid, place, joker), replaced(hands, seat, rest + (card,))
        held = replaced(held, seat, kept | _BIT[card])
        after = _position(pyramid, left, reserve, hands, held, melds, options, seat, "meld", locked)
        return after, (event(rule, "swap", facts),)

    # Melding

    def _pass(self, move: Pass) -> tuple[Position, Happened]:
        """CA-9."""
        return self._turn_over(None, self.melds, [event("CA-9", "pass", {"seat": self.to_move})])

    def _new_meld(self, move: NewMeld) -> tuple[Position, Happened]:
        """CA-10."""
        seat, cards = self.to_move, move.cards
        rest = self._without(cards, "CA-10")
        if not MELD_MIN <= len(cards) <= MELD_MAX:
            raise IllegalMove("CA-10", f"a new meld has {MELD_MIN} to {MELD_MAX} cards, not {len(cards)}")
        if cards[0] in JOKERS:
            raise IllegalMove("CA-13", "a meld has at least one natural card")
        rank = cards[0][0]
        _must_match(cards, rank, "CA-10")
        meld, melds = Meld(rank, cards, self.times), self.melds
        number = len(melds[seat]) + 1
        events = [event("CA-10", "meld", {"seat": seat, "meld": number, "rank": rank, "cards": cards})]
        events += self._reckoned(meld, number, cards)
        return self._turn_over(rest, replaced(melds, seat, melds[seat] + (meld,)), events)

    def _extend(self, move: Extend) -> tuple[Position, Happened]:
        """CA-11."""
        seat, number, added = self.to_move, move.meld, move.cards
        before = self._meld(seat, number, "CA-11")
        rest = self._without(added, "CA-11")
        if not added:
            raise IllegalMove("CA-11", "no card is added")
        _must_match(added, before.rank, "CA-11")
        cards = before.cards + added
        if len(cards) > MELD_MAX:
            raise IllegalMove("CA-13", f"a meld has at most {MELD_MAX} cards, not {len(cards)}")
        meld = Meld(before.rank, cards, self.times)
        facts = {"seat": seat, "meld": number, "rank": meld.rank, "added": added, "cards": cards}
        events = [event("CA-11", "extend", facts), *self._reckoned(meld, number, added, before)]
        melds = replaced(self.melds, seat, replaced(self.melds[seat], number - 1, meld))
        return self._turn_over(rest, melds, events)

    def _steal(self, move: Steal) -> tuple[Position, Happened]:
        """CA-12."""
        seat, victim, number, added = self.to_move, move.seat, move.meld, move.cards
        if victim == seat or not 0 <= victim < self.players:
            raise IllegalMove("CA-12", f"seat {victim} is no opponent of seat {seat}")
        before = self._meld(victim, number, "CA-12")
        if len(before.cards) == MELD_MAX:
            raise IllegalMove("CA-13", f"a meld of {MELD_MAX} is safe")
        rest = self._without(added, "CA-12")
        _must_match(added, before.rank, "CA-12")
        cards = before.cards + added
        if len(cards) != MELD_MAX:
            raise IllegalMove("CA-12", f"the meld would have {len(cards)} cards, not exactly {MELD_MAX}")
        meld = Meld(before.rank, cards, self.times)
        new = len(self.melds[seat]) + 1
        facts = {"seat": seat, "meld": new, "rank": meld.rank, "added": added, "cards": cards}
        events = [
            event("CA-12", "steal", {**facts, "victim": victim, "victim_meld": number}),
            *self._reckoned(meld, new, added, before),
        ]
        robbed = self.melds[victim][: number - 1] + self.melds[victim][number:]
        melds = replaced(replaced(self.melds, victim, robbed), seat, (*self.melds[seat], meld))
        return self._turn_over(rest, melds, events)

    def _meld(self, owner: int, number: int, rule: str) -> Meld:
        if not 1 <= number <= len(self.melds[owner]):
            raise IllegalMove(rule, f"seat {owner} has no meld {number}")
        return self.melds[owner][number - 1]

    def _reckoned(self, meld: Meld, number: int, added: Cards, before: Meld | None = None) -> list[Event]:
        """What follows from the cards that a meld of the player to move has got."""
        seat, rank, cards = self.to_move, meld.rank, meld.cards
        facts: dict[str, Any] = {"seat": seat, "meld": number, "rank": rank, "cards": cards}
        events = []
        if added[-1] in JOKERS:
            jokers = tuple(card for card in added if card in JOKERS)
            events.append(event("CA-R2", "joker_matches", {"seat": seat, "jokers": jokers, "rank": rank}))
        if len(cards) == MELD_MAX:
            events.append(event("CA-14", "four", {**facts, "base": FOUR}))
            events.append(event("CA-13", "safe", facts))
        else:
            total, factor = values(cards), FACTOR[len(cards)]
            worth = {**facts, "sum": total, "factor": factor, "base": total * factor}
            events.append(event("CA-14", KIND[len(cards)], worth))
        if self.options.multiplier:
            facts = {**facts, "base": base(cards), "times": meld.times, "points": meld.points}
            events.append(event("CA-19", "multiplied", facts))
            if before:
                events.append(event("CA-R8", "reckoned_anew", {**facts, "before": before.points}))
        return events

    def _turn_over(
        self, rest: tuple[Cards, int] | None, melds: tuple[tuple[Meld, ...], ...], events: list[Event]
    ) -> tuple[Position, Happened]:
        """The next player's draft, or the end (CA-16). `rest` is what is left of the hand, None when it is whole."""
        pyramid, left, reserve, hands, held, _, options, seat, _, locked, _ = self
        if rest:
            hands, held = replaced(hands, seat, rest[0]), replaced(held, seat, rest[1])
        if left:
            seat = (seat + 1) % len(hands)
            return _position(pyramid, left, reserve, hands, held, melds, options, seat, "draft", locked), tuple(events)
        after = _position(pyramid, left, reserve, hands, held, melds, options, seat, "over", locked)
        return after, (*events, *after._ending())

    # The end

    def _ending(self) -> list[Event]:
        result = self._reckon()
        scores, penalties, winners = result["scores"], result["penalties"], tuple(result["winners"])
        events = [event("CA-16", "game_over", {"seat": self.to_move})]
        for seat, hand in enumerate(self.hands):
            events.append(event("CA-15", "hand_penalty", {"seat": seat, "cards": hand, "points": penalties[seat]}))
        events.append(event("CA-17", "score", result))
        level = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        if len(level) > 1:
            sizes = tuple(len(self.hands[seat]) for seat in level)
            events.append(event("CA-17", "tie_break", {"seats": level, "hand_sizes": sizes, "winners": winners}))
        if len(winners) > 1:
            events.append(event("CA-R6", "shared_win", {"winners": winners}))
        return events

    def result(self) -> dict[str, Json] | None:
        return self._reckon() if self.phase == "over" else None

    def _reckon(self) -> dict[str, Json]:
        """CA-14, CA-15, CA-17, CA-R6."""
        melds = [sum(meld.points for meld in own) for own in self.melds]
        penalties = [values(hand) for hand in self.hands]
        scores = [points - penalty for points, penalty in zip(melds, penalties, strict=True)]
        order = [(-score, len(hand)) for score, hand in zip(scores, self.hands, strict=True)]
        winners = [seat for seat, place in enumerate(order) if place == min(order)]
        return {"scores": scores, "melds": melds, "penalties": penalties, "winners": winners}

    def view(self, seat: int) -> View:
        """CA-2, CA-4, CA-18: other hands, the reserve and what lies face down are hidden."""
        shown = [
            card if card is None or is_up(self.left, self.options.hidden_rows, place) else FACE_DOWN
            for place, card in enumerate(self.pyramid)
        ]
        return View(
            seat,
            rows(shown),
            len(self.reserve),
            self.hands[seat],
            tuple(map(len, self.hands)),
            self.melds,
            self.options,
            self.to_move,
            self.phase,
            self.locked,
            self.drawn_marker,
        )

    def _without(self, cards: Cards, rule: str) -> tuple[Cards, int]:
        """The hand of the player to move without these cards, in its order and as a set."""
        hand, held = self.hands[self.to_move], self.held[self.to_move]
        for card in cards:
            bit = _BIT.get(card, 0)
            if not held & bit:
                raise IllegalMove(rule, f"{card} is not in the hand of seat {self.to_move}")
            held ^= bit
        return tuple([card for card in hand if card not in cards]), held

    def changed(self, **fields: Any) -> Position:
        """The same position with other fields; `left` and `held` follow from them. Unchecked: see `check`."""
        other = self._replace(**fields)
        return other._replace(left=places_left(other.pyramid), held=tuple(map(bits, other.hands)))


# Which phase a move belongs to, and what plays it.
_ACTIONS: dict[type[Move], tuple[Phase, Callable[[Position, Any], tuple[Position, Happened]]]] = {
    Take: ("draft", Position._take),
    Draw: ("draft", Position._draw),
    Swap: ("draft", Position._swap),
    NewMeld: ("meld", Position._new_meld),
    Extend: ("meld", Position._extend),
    Steal: ("meld", Position._steal),
    Pass: ("meld", Position._pass),
}


def _position(
    pyramid: tuple[Card | None, ...],
    left: int,
    reserve: Cards,
    hands: tuple[Cards, ...],
    held: tuple[int, ...],
    melds: tuple[tuple[Meld, ...], ...],
    options: Options,
    to_move: int,
    phase: Phase,
    locked: bool,
) -> Position:
    """Position(...) at half the cost, with no marker just drawn."""
    fields = (pyramid, left, reserve, hands, held, melds, options, to_move, phase, locked, False)
    return made(Position, fields)


def _must_match(cards: Cards, rank: str, rule: str) -> None:
    """CA-R2: a joker matches any rank."""
    for card in cards:
        if card[0] != rank and card not in JOKERS:
            raise IllegalMove(rule, f"{card} does not match rank {rank}")


def natural_rank(cards: Iterable[Card]) -> str | None:
    """The rank of the first natural card, None when all are jokers."""
    return next((card[0] for card in cards if card not in JOKERS), None)


def rows(pyramid: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """A pyramid's places row by row."""
    starts = [_PLACE[row, 1] for row, position in PLACES[: len(pyramid)] if position == 1]
    return tuple(tuple(pyramid[start : start + row]) for row, start in enumerate(starts, 1))


# The deal ----------------------------------------------------------------------------------------------------------


def deck(stream: Stream, players: int, lock: str | None = None, **_: Any) -> list[Card]:
    """A shuffled deck in dealing order: hands, pyramid, reserve; the lock card is shuffled into the reserve (CA-20)."""
    locking = LOCKS.get(lock or "")  # whether there is such a lock is for `deal` to say
    cards = stream.shuffled(card for card in DECK if card != locking)
    if locking is None:
        return cards
    open_cards = players * HAND + pyramid_size(players)
    return cards[:open_cards] + stream.shuffled([*cards[open_cards:], locking])


def deal(
    deck: Sequence[Card],
    players: int,
    hidden_rows: Sequence[int] = (),
    multiplier: bool = False,
    lock: str | None = None,
) -> Position:
    """CA-2, CA-3, CA-4: hands first, then the pyramid, then the reserve. Raises BadPosition.

    `hidden_rows` are numbers from the apex, ascending; `lock` is None, `joker` or `marker`.
    """
    check_players(players, PLAYERS)
    check_deck(deck, (*DECK, MARKER) if lock == "marker" else DECK)
    hands = tuple(tuple(deck[seat * HAND : (seat + 1) * HAND]) for seat in range(players))
    size, rest = pyramid_size(players), tuple(deck[players * HAND :])
    options = _options((list(hidden_rows), multiplier, lock), ROWS[players])
    held = tuple(bits(hand) for hand in hands)
    position = Position(rest[:size], (1 << size) - 1, rest[size:], hands, held, ((),) * players, options)
    check(position)
    return position


# Interchange -------------------------------------------------------------------------------------------------------


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 3):
        refuse(f"{excerpt(word)} is not a number of one or two digits")
    return int(word)


def move_from_text(text: str) -> Move:
    """`take 1 1`, `draw`, `swap X1 3 2`, `meld 8s 8h`, `extend 1 8c`, `steal 1 2 8d 8c` or `pass`."""
    move: Move
    match text.split(" "):
        case ["take", row, position]:
            move = Take(_number(row), _number(position))
        case ["draw"]:
            move = _DRAW
        case ["swap", joker, row, position]:
            move = Swap(playing_card(joker, "swap", JOKERS), _number(row), _number(position))
        case ["meld", first, *more]:
            move = NewMeld(_cards([first, *more], "meld", JOKERS))
        case ["extend", meld, first, *more]:
            move = Extend(_number(meld), _cards([first, *more], "extend", JOKERS))
        case ["steal", seat, meld, first, *more]:
            move = Steal(_number(seat), _number(meld), _cards([first, *more], "steal", JOKERS))
        case ["pass"]:
            move = _PASS
        case _:
            refuse(f"{excerpt(text)} is not a move")
    if str(move) != text:
        refuse(f"{excerpt(text)} is written {excerpt(str(move))}")
    return move


def position_to_json(position: Position) -> dict[str, Json]:
    hidden_rows, multiplier, lock = position.options
    cells = [
        None if card is None else {"card": card, "up": is_up(position.left, hidden_rows, place)}
        for place, card in enumerate(position.pyramid)
    ]
    return {
        "game": ID,
        "players": position.players,
        "to_move": position.to_move,
        "phase": position.phase,
        "pyramid": [list(row) for row in rows(cells)],
        "reserve": list(position.reserve),
        "hands": [list(hand) for hand in position.hands],
        "melds": [[{"cards": list(meld.cards), "times": meld.times} for meld in own] for own in position.melds],
        "options": {"hidden_rows": list(hidden_rows), "multiplier": multiplier, "lock": lock},
        "locked": position.locked,
        "drawn_marker": position.drawn_marker,
    }


def position_from_json(data: Json) -> Position:
    players, to_move, phase, pyramid, reserve, hands, melds, options, locked, drawn_marker = fields(
        data,
        ID,
        "players",
        "to_move",
        "phase",
        "pyramid",
        "reserve",
        "hands",
        "melds",
        "options",
        "locked",
        "drawn_marker",
    )
    players = integer(players, "players", PLAYERS[0], PLAYERS[-1])
    if phase not in ("draft", "meld", "over"):
        refuse(f'"phase" holds {excerpt(phase)}, not draft, meld or over')
    cells = [
        cell
        for row, given in enumerate(array(pyramid, "pyramid", ROWS[players]), 1)
        for cell in array(given, f"pyramid row {row}", row)
    ]
    faces = [None if cell is None else _face(cell) for cell in cells]
    cards = tuple(face and face[0] for face in faces)
    hands = tuple(_cards(hand, "hands") for hand in array(hands, "hands", players))
    position = Position(
        cards,
        places_left(cards),
        _cards(reserve, "reserve"),
        hands,
        tuple(bits(hand) for hand in hands),
        tuple(tuple(map(_meld, array(own, "melds"))) for own in array(melds, "melds", players)),
        _options(members(options, "options", "hidden_rows", "multiplier", "lock"), ROWS[players]),
        integer(to_move, "to_move", 0, players - 1),
        phase,
        truth(locked, "locked"),
        truth(drawn_marker, "drawn_marker"),
    )
    check(position)
    for place, face in enumerate(faces):
        if face and face[1] != is_up(position.left, position.options.hidden_rows, place):
            lies, said = ("down", "up") if face[1] else ("up", "down")
            refuse(f"{face[0]} at {_at(place)} is to lie face {lies}, not {said}")
    return position


def _face(value: Json) -> tuple[Card, bool]:
    card, up = members(value, "pyramid", "card", "up")
    return playing_card(card, "pyramid", (*JOKERS, MARKER)), truth(up, "up")


def _cards(value: Json, name: str, also: Sequence[Card] = (*JOKERS, MARKER)) -> Cards:
    return playing_cards(value, name, also)


def _meld(value: Json) -> Meld:
    cards, times = members(value, "melds", "cards", "times")
    cards = _cards(cards, "cards")
    return Meld(natural_rank(cards) or _JOKER, cards, integer(times, "times", 1, max(ROWS.values())))


def _options(values: Sequence[Json], count: int) -> Options:
    """The options of a pyramid of that many rows."""
    hidden_rows, multiplier, lock = values
    hidden = [integer(row, "hidden_rows", 1, count) for row in array(hidden_rows, "hidden_rows")]
    if hidden != sorted(set(hidden)):
        refuse('"hidden_rows" does not ascend')
    if lock is not None and lock not in tuple(LOCKS):
        refuse(f'"lock" holds {excerpt(lock)}, not null, joker or marker')
    return Options(tuple(hidden), truth(multiplier, "multiplier"), lock)


def _at(place: int) -> str:
    return "{} {}".format(*PLACES[place])


def canonical(position: Position) -> Position:
    """The order within a hand and within the cards of a meld means nothing."""
    hands = tuple(map(in_order, position.hands))
    melds = tuple(tuple(meld._replace(cards=in_order(meld.cards)) for meld in own) for own in position.melds)
    return position._replace(hands=hands, melds=melds)


def check(position: Position) -> None:
    """Refuse a position that no game could reach: the invariants of the rules file."""
    pyramid, left, reserve, hands, held, melds, options, _, phase, locked, drawn_marker = position
    lies = [card for card in pyramid if card is not None]
    owned = [card for cards in (*hands, *(meld.cards for own in melds for meld in own)) for card in cards]
    no_repeats([*lies, *reserve, *owned])
    if MARKER in lies or MARKER in owned:
        refuse("the marker lies outside the reserve")
    if MARKER in reserve and options.lock != "marker":
        refuse("the marker lies in the reserve of a game without it")
    somewhere = {*lies, *reserve, *owned}
    for card in DECK:
        if card not in somewhere:
            refuse(f"card {card} is missing")
    if left != places_left(pyramid) or held != tuple(map(bits, hands)):
        refuse("the sets of places left and cards held are not those of the pyramid and the hands")
    for place, lying in enumerate(pyramid):
        if lying is None and left & _COVER[place]:
            refuse(f"the card at {_at(place)} is gone, but not what covers it")
    dealt, undrawn = reserve_size(position.players), sum(card != MARKER for card in reserve)
    if undrawn > dealt:
        refuse(f"the reserve holds {undrawn} cards, more than the {dealt} dealt")
    if locked != (options.lock is not None and LOCKS[options.lock] not in reserve):
        refuse("the reserve is not locked exactly when its lock card was drawn")
    if locked and options.lock == "joker" and undrawn == dealt:
        refuse("the joker that locks the reserve was drawn, but the reserve is full")
    for own in melds:
        for meld in own:
            _check_meld(meld, left, len(pyramid), options.multiplier)
    if (phase == "draft" and not left) or (phase == "over" and left):
        refuse(f"the phase is {phase} with {left.bit_count()} cards in the pyramid")
    if drawn_marker and not (phase == "draft" and options.lock == "marker" and locked):
        refuse("the marker cannot just have been drawn")


def _check_meld(meld: Meld, left: int, size: int, multiplier: bool) -> None:
    said = f"meld {' '.join(meld.cards)}".rstrip()
    if not MELD_MIN <= len(meld.cards) <= MELD_MAX:
        refuse(f"{said} has {len(meld.cards)} cards, not {MELD_MIN} to {MELD_MAX}")
    if natural_rank(meld.cards) is None:
        refuse(f"{said} has no natural card")
    if any(card[0] != meld.rank and card not in JOKERS for card in meld.cards):
        refuse(f"{said} has more than one rank")
    least, most = (max(1, rows_left(left)), rows_left((1 << size) - 1)) if multiplier else (1, 1)
    if not least <= meld.times <= most:
        refuse(
            f"{said} counts {meld.times} times, not {least} to {most}"
            if multiplier
            else f"{said} counts {meld.times} times without the multiplier"
        )


# The author's form: the pyramid as it lies on the table, a line a seat.
#
#     options: hidden rows 4, multiplier, marker lock
#     pyramid:
#                      --
#                   --    --
#                --    5d    8h
#              4d   (Tc)  (9h)  (2s)
#          3s    3h    3d    Qs    Qh
#       7s    7h    7d    6s    6h    6d
#     seat 0: 8s 8d X1; melds Js Jh x6, 9s 9d 9c x5
#     seat 1: 2h 2d 2c ...
#     reserve, locked: As Ah Ad
#     turn: seat 1, draft, marker drawn
#
# `--` is a card that is gone, brackets are a card face down. One `...` stands for all cards named nowhere, in the order
# of DECK; without a reserve line they are the reserve. Options are off, the reserve unlocked unless its lock card lies
# elsewhere, a meld counts the rows left, and it is seat 0's draft, unless the text says otherwise.

GONE, REST = "--", "..."


def position_to_text(position: Position) -> str:
    hidden_rows, multiplier, lock = position.options
    said = [
        *([f"hidden rows {' '.join(map(str, hidden_rows))}"] if hidden_rows else []),
        *(["multiplier"] if multiplier else []),
        *([f"{lock} lock"] if lock else []),
    ]
    lines = [f"options: {', '.join(said)}"] if said else []
    lines += ["pyramid:", *_drawn(position)]
    for seat, (hand, own) in enumerate(zip(position.hands, position.melds, strict=True)):
        line = f"seat {seat}: {' '.join(hand)}".rstrip()
        melds = ", ".join(" ".join(meld.cards) + (f" x{meld.times}" if multiplier else "") for meld in own)
        lines.append(f"{line}; melds {melds}" if melds else line)
    lines.append(f"reserve{', locked' * position.locked}: {' '.join(position.reserve)}".rstrip())
    marker = ", marker drawn" * position.drawn_marker
    lines.append(f"turn: seat {position.to_move}, {position.phase}{marker}")
    return "\n".join(lines)


def _drawn(position: Position) -> list[str]:
    """The pyramid's lines, each row half a place to the left of the one above it."""

    def cell(place: int, card: Card | None) -> str:
        if card is None:
            return GONE
        return card if is_up(position.left, position.options.hidden_rows, place) else f"({card})"

    cells = rows([cell(place, card) for place, card in enumerate(position.pyramid)])
    return [
        " " * 3 * (len(cells) - number) + "".join(word.center(6) for word in row).rstrip()
        for number, row in enumerate(cells, 1)
    ]


def position_from_text(text: str) -> Position:
    said = _labelled(text)
    options = _options_from_text(said.get("options", ""))
    locked = "reserve, locked" in said
    pyramid = [[_cell(word) for word in line.split()] for line in said.get("pyramid", "").split("\n") if line]
    hands: list[list[str]] = []
    melds: list[list[dict[str, Json]]] = []
    while (label := f"seat {len(hands)}") in said:
        hand, _, own = said[label].partition("; melds ")
        hands.append(hand.split())
        melds.append([_meld_from_text(meld.split()) for meld in own.split(",")] if own else [])
    in_rows = sum(any(row) for row in pyramid)
    for meld in (meld for own in melds for meld in own):
        meld.setdefault("times", max(1, in_rows) if options["multiplier"] else 1)
    reserve = said.get("reserve, locked" if locked else "reserve", "").split()
    named = [word for cards in (*hands, reserve) for word in cards]
    if REST not in named and not {"reserve", "reserve, locked"} & set(said):
        reserve = [REST]
    named += [cell["card"] for row in pyramid for cell in row if cell]
    named += [card for own in melds for meld in own for card in meld["cards"]]
    whole = (*DECK, MARKER) if options["lock"] == "marker" and not locked else DECK
    if named.count(REST) > 1:
        refuse(f"{REST} stands more than once")
    for cards in (*hands, reserve):
        if REST in cards:
            at = cards.index(REST)
            cards[at : at + 1] = [card for card in whole if card not in named]
    turn = _turn_from_text(said.get("turn", ""))
    return position_from_json(
        {
            "game": ID,
            "players": len(hands),
            "to_move": turn.get("seat", 0),
            "phase": turn.get("phase", "draft" if in_rows else "over"),
            "pyramid": pyramid,
            "reserve": reserve,
            "hands": hands,
            "melds": melds,
            "options": options,
            "locked": locked or (options["lock"] is not None and LOCKS[options["lock"]] not in reserve),
            "drawn_marker": turn.get("drawn_marker", False),
        }
    )


def _labelled(text: str) -> dict[str, str]:
    """What follows each label, further lines included."""
    seats = [f"seat {seat}" for seat in range(max(PLAYERS))]
    parts: dict[str, str] = {}
    label = ""
    for line in filled_lines(text):
        start, colon, said = line.partition(":")
        if not colon and label == "pyramid":
            parts[label] += f"\n{line}"
            continue
        label = start
        if not colon or label not in ("options", "pyramid", *seats, "reserve", "reserve, locked", "turn"):
            refuse(f"{excerpt(line)}: expected 'options: …', 'pyramid:', 'seat 0: …', 'reserve: …' or 'turn: …'")
        if label in parts or (label.startswith("reserve") and {"reserve", "reserve, locked"} & set(parts)):
            refuse(f"'{label}:' stands twice")
        if label in seats and seats.index(label) != sum(seat in parts for seat in seats):
            refuse(f"'{label}:' is out of turn: seats count from 0")
        parts[label] = said.strip()
    return parts


def _cell(word: str) -> Json:
    if word == GONE:
        return None
    inner = re.fullmatch(r"\((.*)\)", word)
    return {"card": inner[1] if inner else word, "up": not inner}


def _meld_from_text(words: list[str]) -> dict[str, Json]:
    """`9s 9d 9c` or `9s 9d 9c x5`."""
    if words and words[-1].startswith("x"):
        return {"cards": words[:-1], "times": _number(words[-1][1:])}
    return {"cards": words}


def _options_from_text(said: str) -> dict[str, Json]:
    """`hidden rows 4 5, multiplier, joker lock`."""
    options: dict[str, Json] = {}
    for option in filter(None, map(str.strip, said.split(","))):
        match option.split():
            case ["hidden", "row" | "rows", *numbers] if numbers:
                _say(options, "hidden_rows", [_number(number) for number in numbers], option)
            case ["multiplier"]:
                _say(options, "multiplier", True, option)
            case [("joker" | "marker") as lock, "lock"]:
                _say(options, "lock", lock, option)
            case _:
                refuse(f"{excerpt(option)}: expected 'hidden rows 4', 'multiplier', 'joker lock' or 'marker lock'")
    return {"hidden_rows": [], "multiplier": False, "lock": None} | options


def _turn_from_text(said: str) -> dict[str, Json]:
    """`seat 1, draft, marker drawn`."""
    turn: dict[str, Json] = {}
    for part in filter(None, map(str.strip, said.split(","))):
        match part.split():
            case ["seat", seat]:
                _say(turn, "seat", _number(seat), part)
            case [("draft" | "meld" | "over") as phase]:
                _say(turn, "phase", phase, part)
            case ["marker", "drawn"]:
                _say(turn, "drawn_marker", True, part)
            case _:
                refuse(f"{excerpt(part)}: expected 'seat 0', 'draft', 'meld', 'over' or 'marker drawn'")
    return turn


def _say(parts: dict[str, Json], name: str, value: Json, words: str) -> None:
    """Note what these words of a line say; a second word on the same thing would quietly undo the first."""
    if name in parts:
        refuse(f'{excerpt(words)}: "{name}" is named already')
    parts[name] = value
