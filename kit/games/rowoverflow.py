"""Ascending row overflow, by the rules RO-1 to RO-15 and the readings RO-R1 and RO-R2.

Seats count from 0, rows in moves and events from 1; a card is its number.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple, overload

from kit.games.core import (
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
    integer,
    made,
    no_repeats,
    refuse,
)

ID = "rowoverflow"
RULES = (*(Rule(f"RO-{n}") for n in range(1, 16)), Rule("RO-R1", "follows"), Rule("RO-R2", "follows"))

SETS = ("hands", "collected", "aside")  # RO-R2
PLAYERS = (3, 4)  # RO-2
DECK = tuple(range(1, 25))  # RO-1
HAND = REVEALS = 5  # RO-2, RO-12
ROWS = 4  # RO-2
ROW_LIMIT = 4  # RO-9
POINTS_PER_CARD = 1  # RO-1

Row = tuple[int, ...]
Cards = tuple[int, ...]


def aside_size(players: int) -> int:
    """How many cards lie aside unseen (RO-2)."""
    return len(DECK) - players * HAND - ROWS


def facts() -> dict[str, int]:
    """The numbers that rule texts and sheets quote."""
    return {
        "deck_size": len(DECK),
        "lowest_card": DECK[0],
        "highest_card": DECK[-1],
        "players_min": PLAYERS[0],
        "players_max": PLAYERS[-1],
        "hand": HAND,
        "reveals": REVEALS,
        "rows": ROWS,
        "row_limit": ROW_LIMIT,
        "row_limit_next": ROW_LIMIT + 1,
        "points_per_card": POINTS_PER_CARD,
        **{f"aside_{players}": aside_size(players) for players in PLAYERS},
        **{f"dealt_{players}": players * HAND for players in PLAYERS},
    }


class Reveal(NamedTuple):
    """Every seat's chosen card, seat 0 first (RO-3, RO-4)."""

    cards: Cards

    def __str__(self) -> str:
        return "reveal " + " ".join(map(str, self.cards))


class Take(NamedTuple):
    """The row, from 1, that a player without a lower end collects (RO-8)."""

    row: int

    def __str__(self) -> str:
        return f"take {self.row}"


Move = Reveal | Take


@cache
def choices(*sizes: int) -> tuple[tuple[int, ...], ...]:
    """Every way to choose one index below each of these sizes."""
    return tuple(product(*map(range, sizes)))


class Reveals(Sequence[Reveal]):
    """Every way to choose one card from each hand, worked out when asked for: there are up to 625."""

    __slots__ = ("_choices", "hands")

    def __init__(self, hands: tuple[Cards, ...]) -> None:
        self.hands, self._choices = hands, choices(*map(len, hands))

    def __len__(self) -> int:
        return len(self._choices)

    def __iter__(self) -> Iterator[Reveal]:
        return map(Reveal, product(*self.hands))

    @overload
    def __getitem__(self, index: int) -> Reveal: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Reveal]: ...
    def __getitem__(self, index: int | slice) -> Reveal | Sequence[Reveal]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return Reveal(tuple(map(tuple.__getitem__, self.hands, self._choices[index])))

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Reveal)
            and len(move.cards) == len(self.hands)
            and all(card in hand for card, hand in zip(move.cards, self.hands, strict=True))
        )


class View(NamedTuple):
    """What one seat may see: its own hand, the rows, what each seat has collected, and how many cards others hold."""

    seat: int
    rows: tuple[Row, ...]
    hand: Cards
    hand_sizes: tuple[int, ...]
    collected: tuple[Cards, ...]
    pending: tuple[tuple[int, int], ...]


def lower_end(rows: Sequence[Row], card: int) -> int | None:
    """The index of the row with the greatest end strictly below the card (RO-6), None when no row does (RO-8)."""
    ends = [row[-1] for row in rows]
    below = [end for end in ends if end < card]
    return ends.index(max(below)) if below else None


_TAKES = tuple(map(Take, range(1, ROWS + 1)))


class Position(NamedTuple):
    """The referee's view. `pending` holds (card, seat), smallest card first, while a player owes the choice of RO-8."""

    rows: tuple[Row, ...]
    hands: tuple[Cards, ...]
    collected: tuple[Cards, ...]
    aside: Cards
    pending: tuple[tuple[int, int], ...] = ()

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def over(self) -> bool:
        """RO-12."""
        return not self.hands[0] and not self.pending

    def legal(self) -> Sequence[Move]:
        if self.pending:
            return _TAKES
        return () if self.over else Reveals(self.hands)

    def play(self, move: Move) -> tuple[Position, tuple[Event, ...]]:
        return self._reveal(move.cards) if isinstance(move, Reveal) else self._take(move.row)

    def _reveal(self, cards: Cards) -> tuple[Position, tuple[Event, ...]]:
        hands = self.hands
        if self.pending:
            raise IllegalMove("RO-4", "cards are revealed already and a row is still to be chosen")
        if not hands[0]:
            raise IllegalMove("RO-12", "the deal is over")
        if len(cards) != len(hands):
            raise IllegalMove("RO-3", f"{len(cards)} cards for {self.players} players")
        kept: list[Cards] = []
        for card, hand in zip(cards, hands, strict=True):
            if card not in hand:
                raise IllegalMove("RO-3", f"card {card} is not in the hand of seat {len(kept)}")
            at = hand.index(card)
            kept.append(hand[:at] + hand[at + 1 :])
        order = tuple(sorted(zip(cards, range(len(cards)))))  # noqa: B905 (half of the time of `strict`)
        events = [event("RO-4", "reveal", {"cards": cards}), event("RO-5", "order", {"order": order})]
        return self._resolve(tuple(kept), order, events)

    def _take(self, row: int) -> tuple[Position, tuple[Event, ...]]:
        if self.over:
            raise IllegalMove("RO-12", "the deal is over")
        if not self.pending:
            raise IllegalMove("RO-10", "a row is chosen only for a card that no row ends below")
        if not 1 <= row <= ROWS:
            raise IllegalMove("RO-8", f"there is no row {row}")
        return self._resolve(self.hands, self.pending, [], take=row - 1)

    def _resolve(
        self, hands: tuple[Cards, ...], order: tuple[tuple[int, int], ...], events: list[Event], take: int | None = None
    ) -> tuple[Position, tuple[Event, ...]]:
        """Place every card of `order`, smallest first (RO-5). `take` is the row chosen for the first of them (RO-8); if
        one is to be chosen first, all wait. No other card can lack a lower end (RO-R1)."""
        rows, collected = list(self.rows), list(self.collected)
        ends = [row[-1] for row in rows]
        # RO-6 as in `lower_end`, at less cost: the ends in order stay so, as a card takes the place of the end below it
        rising = sorted(ends)
        for card, seat in order:
            lower = bisect(rising, card) - 1
            if lower < 0:
                if take is None:
                    events.append(event("RO-8", "choice_owed", {"card": card, "seat": seat}))
                    return Position(self.rows, hands, self.collected, self.aside, order), tuple(events)
                rising.remove(ends[take])
                rising.insert(0, card)
                target, rule, kind = take, "RO-8", "no_lower_end"
            else:
                target = ends.index(rising[lower])
                rising[lower] = card
                rule, kind = ("RO-9", "overflow") if len(rows[target]) == ROW_LIMIT else ("RO-6", "append")
            row, number = rows[target], target + 1
            facts: dict[str, Any] = {"card": card, "seat": seat, "row": number, "end": row[-1], "length": len(row)}
            if kind == "append":
                rows[target] = row + (card,)
            else:
                facts["cards"], facts["points"] = row, POINTS_PER_CARD * len(row)
                collected[seat] += row
                rows[target] = (card,)
            ends[target] = card
            events.append(event(rule, kind, facts))
            events.append(event("RO-7", "ends", {"row": number, "ends": tuple(ends)}))
        after = made(Position, (tuple(rows), hands, tuple(collected), self.aside, ()))
        if not hands[0]:
            events.append(event("RO-12", "deal_over", {}))
            events.append(event("RO-13", "score", after._score()))
        return after, tuple(events)

    def _score(self) -> dict[str, Json]:
        """RO-13: one point a collected card, fewest wins, equal scores tie."""
        return score([POINTS_PER_CARD * len(cards) for cards in self.collected])

    def result(self) -> dict[str, Json] | None:
        return self._score() if self.over else None

    def view(self, seat: int) -> View:
        """RO-2, RO-3: hands and the cards aside are hidden; what was revealed or collected was open."""
        return View(seat, self.rows, self.hands[seat], tuple(map(len, self.hands)), self.collected, self.pending)


def score(penalties: Sequence[int]) -> dict[str, Json]:
    """Penalties a seat, and the seats with the fewest (RO-13)."""
    fewest = min(penalties)
    return {"penalties": list(penalties), "winners": [s for s, p in enumerate(penalties) if p == fewest]}


def two_deals(first: Sequence[int], second: Sequence[int]) -> dict[str, Json]:
    """The result of two deals from each deal's penalties; seats stay the same people (RO-14)."""
    return score([a + b for a, b in zip(first, second, strict=True)])


def dealer(deal: int, first: int, players: int) -> int:
    """The seat that deals deal number `deal` (from 0) when seat `first` dealt the first (RO-14)."""
    return (first + deal) % players


def deal(deck: Sequence[int], players: int) -> Position:
    """RO-2: hands first, then the four starters, then what lies aside."""
    check_players(players, PLAYERS)
    check_deck(deck, DECK)
    hands = tuple(tuple(deck[seat * HAND : (seat + 1) * HAND]) for seat in range(players))
    rest = tuple(deck[players * HAND :])
    return Position(tuple((card,) for card in rest[:ROWS]), hands, ((),) * players, rest[ROWS:])


def move_from_text(text: str) -> Move:
    """`reveal 7 15 18` or `take 2`."""
    kind, *numbers = text.split(" ")
    if not all(n.isascii() and n.isdigit() and not n.startswith("0") and len(n) < 3 for n in numbers):
        refuse(f"{excerpt(text)} is not a move")
    values = tuple(map(int, numbers))
    if kind == "reveal" and values:
        return Reveal(values)
    if kind == "take" and len(values) == 1:
        return Take(values[0])
    refuse(f"{excerpt(text)} is not a move")


def position_to_json(position: Position) -> dict[str, Json]:
    return {
        "game": ID,
        "players": position.players,
        "rows": [list(row) for row in position.rows],
        "hands": [list(hand) for hand in position.hands],
        "collected": [list(cards) for cards in position.collected],
        "aside": list(position.aside),
        "pending": [list(entry) for entry in position.pending],
    }


def position_from_json(data: Json) -> Position:
    players, rows, hands, collected, aside, pending = fields(
        data, ID, "players", "rows", "hands", "collected", "aside", "pending"
    )
    players = integer(players, "players", PLAYERS[0], PLAYERS[-1])

    def cards(value: Json, name: str) -> Cards:
        return tuple(integer(card, name, DECK[0], DECK[-1]) for card in array(value, name))

    position = Position(
        tuple(cards(row, "rows") for row in array(rows, "rows", ROWS)),
        tuple(cards(hand, "hands") for hand in array(hands, "hands", players)),
        tuple(cards(pile, "collected") for pile in array(collected, "collected", players)),
        cards(aside, "aside"),
        tuple(
            (integer(card, "pending", DECK[0], DECK[-1]), integer(seat, "pending", 0, players - 1))
            for card, seat in (array(entry, "pending", 2) for entry in array(pending, "pending"))
        ),
    )
    check(position)
    return position


def canonical(position: Position) -> Position:
    """RO-R2: the order within a hand, a collected pile and the cards aside means nothing."""
    rows, hands, collected, aside, pending = position
    hands, collected = (tuple(tuple(sorted(cards)) for cards in piles) for piles in (hands, collected))
    return Position(rows, hands, collected, tuple(sorted(aside)), pending)


def check(position: Position) -> None:
    """Refuse a position that no deal could reach: the invariants of the rules file."""
    rows, hands, collected, aside, pending = position
    places = [*rows, *hands, *collected, aside, [card for card, _ in pending]]
    no_repeats(card for cards in places for card in cards)
    if sum(map(len, places)) != len(DECK):
        refuse(f"{sum(map(len, places))} cards, not {len(DECK)}")
    for number, row in enumerate(rows, 1):
        if not 1 <= len(row) <= ROW_LIMIT:
            refuse(f"row {number} holds {len(row)} cards, not 1 to {ROW_LIMIT}")
        if list(row) != sorted(row):
            refuse(f"row {number} does not increase")
    if len({len(hand) for hand in hands}) != 1:
        refuse("the hands are not equally long")
    if len(hands[0]) > HAND:
        refuse(f"a hand holds {len(hands[0])} cards, more than {HAND}")
    if len(aside) != aside_size(position.players):
        refuse(f"{len(aside)} cards lie aside, not {aside_size(position.players)}")
    if pending:
        if sorted(seat for _, seat in pending) != list(range(position.players)):
            refuse("pending does not hold one card of every seat")
        if list(pending) != sorted(pending):
            refuse("pending is not in increasing order")
        if lower_end(rows, pending[0][0]) is not None:
            refuse(f"the first pending card {pending[0][0]} has a lower end, so no choice is owed")


# The author's form, one line a row and a seat; what is not named lies aside:
#
#     row 1: 3
#     row 2: 8 11
#     row 3: 14
#     row 4: 20
#     seat 0: 7 9 10 12; collected 1 2
#     seat 1: 2 13 16 17
#     seat 2: 18 19 21 22
#     pending: 5 of seat 0, 15 of seat 1, 23 of seat 2


def position_to_text(position: Position) -> str:
    def listed(cards: Cards) -> str:
        return " ".join(map(str, cards))

    lines = [f"row {n}: {listed(row)}" for n, row in enumerate(position.rows, 1)]
    for seat, (hand, pile) in enumerate(zip(position.hands, position.collected, strict=True)):
        line = f"seat {seat}: {listed(hand)}".rstrip()
        lines.append(f"{line}; collected {listed(pile)}" if pile else line)
    if position.pending:
        lines.append("pending: " + ", ".join(f"{card} of seat {seat}" for card, seat in position.pending))
    return "\n".join(lines)


def position_from_text(text: str) -> Position:
    rows: list[list[int]] = []
    hands: list[list[int]] = []
    collected: list[list[int]] = []
    pending: list[list[int]] = []

    def numbers(words: str) -> list[int]:
        if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words.split()):
            refuse(f"{excerpt(words.strip())} is not a list of cards")
        return [int(word) for word in words.split()]

    for line in filled_lines(text):
        label, colon, said = line.partition(":")
        if label == f"row {len(rows) + 1}" and colon:
            rows.append(numbers(said))
        elif label == f"seat {len(hands)}" and colon:
            hand, _, pile = said.partition("; collected")
            hands.append(numbers(hand))
            collected.append(numbers(pile))
        elif label == "pending" and colon and not pending:
            pending = [numbers(entry.replace("of seat", "")) for entry in said.split(",")]
        else:
            refuse(f"{excerpt(line)}: expected 'row {len(rows) + 1}: …', 'seat {len(hands)}: …' or 'pending: …'")
    named = {card for cards in [*rows, *hands, *collected, *(entry[:1] for entry in pending)] for card in cards}
    return position_from_json(
        {
            "game": ID,
            "players": len(hands),
            "rows": rows,
            "hands": hands,
            "collected": collected,
            "aside": [card for card in DECK if card not in named],
            "pending": pending,
        }
    )
