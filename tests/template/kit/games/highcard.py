"""High card, by the rules HC-1 to HC-4. Seats count from 0; a card is its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kit.games.core import Event, IllegalMove, Json, Rule, array, fields, integer, no_repeats, refuse

ID = "highcard"
RULES = tuple(Rule(f"HC-{n}") for n in range(1, 5))
SETS = ("hands", "aside")
PLAYERS = (2, 3)  # HC-2
DECK = tuple(range(1, 13))  # HC-1
HAND = 3  # HC-2


def facts() -> dict[str, int]:
    return {"deck_size": len(DECK), "players_min": PLAYERS[0], "players_max": PLAYERS[-1], "hand": HAND}


class Lay(NamedTuple):
    """Lay this card of your hand on the table (HC-3)."""

    card: int

    def __str__(self) -> str:
        return f"lay {self.card}"


class View(NamedTuple):
    """What one seat may see: not the other hands, nor what lies aside."""

    hand: tuple[int, ...]
    table: tuple[int, ...]


class Position(NamedTuple):
    """The referee's view. `table` holds the cards laid, first first: seat 0 laid the first, the next seat the next."""

    hands: tuple[tuple[int, ...], ...]
    table: tuple[int, ...]
    aside: tuple[int, ...]

    def legal(self) -> list[Lay]:
        return [Lay(card) for card in self.hands[self.seat]]

    @property
    def seat(self) -> int:
        return len(self.table) % len(self.hands)

    def play(self, move: Lay) -> tuple[Position, tuple[Event, ...]]:
        seat = self.seat
        if move.card not in self.hands[seat]:
            raise IllegalMove("HC-3", f"{move.card} is not in the hand of seat {seat}")
        hand = tuple(card for card in self.hands[seat] if card != move.card)
        after = Position((*self.hands[:seat], hand, *self.hands[seat + 1 :]), (*self.table, move.card), self.aside)
        events = [Event("HC-3", "lay", {"seat": seat, "card": move.card})]
        if result := after.result():
            events.append(Event("HC-4", "won", result))
        return after, tuple(events)

    def result(self) -> dict[str, Json] | None:
        """HC-4."""
        return None if any(self.hands) else {"winners": [self.table.index(max(self.table)) % len(self.hands)]}

    def view(self, seat: int) -> View:
        return View(self.hands[seat], self.table)


def deal(deck: Sequence[int], players: int) -> Position:
    """HC-2."""
    if players not in PLAYERS or sorted(deck) != list(DECK):
        refuse(f"{len(deck)} cards for {players} players")
    hands = tuple(tuple(deck[seat * HAND : (seat + 1) * HAND]) for seat in range(players))
    return Position(hands, (), tuple(deck[players * HAND :]))


def move_from_text(text: str) -> Lay:
    kind, _, card = text.partition(" ")
    if kind != "lay" or card not in map(str, DECK):
        refuse(f"{text[:60]!r} is not a move")
    return Lay(int(card))


def position_to_json(position: Position) -> dict[str, Json]:
    hands, table, aside = position
    return {"game": ID, "hands": [list(hand) for hand in hands], "table": list(table), "aside": list(aside)}


def position_from_json(data: Json) -> Position:
    hands, table, aside = fields(data, ID, "hands", "table", "aside")

    def cards(value: Json, name: str) -> tuple[int, ...]:
        return tuple(integer(card, name, DECK[0], DECK[-1]) for card in array(value, name))

    position = Position(
        tuple(cards(hand, "hands") for hand in array(hands, "hands")), cards(table, "table"), cards(aside, "aside")
    )
    check(position)
    return position


def canonical(position: Position) -> Position:
    hands, table, aside = position
    return Position(tuple(tuple(sorted(hand)) for hand in hands), table, tuple(sorted(aside)))


def check(position: Position) -> None:
    """Refuse a position that no game could reach."""
    hands, table, aside = position
    if len(hands) not in PLAYERS:
        refuse(f"{len(hands)} hands, not 2 or 3")
    cards = [*table, *aside, *(card for hand in hands for card in hand)]
    no_repeats(cards)
    if len(cards) != len(DECK):
        refuse(f"{len(cards)} cards, not {len(DECK)}")
    for seat, hand in enumerate(hands):
        laid = len(table[seat :: len(hands)])
        if len(hand) + laid != HAND:
            refuse(f"seat {seat} has {len(hand)} cards and has laid {laid}, together not {HAND}")


# The author's form, a line a seat; what is named nowhere lies aside:
#
#     table: 4 9
#     seat 0: 7 12
#     seat 1: 1 2


def position_to_text(position: Position) -> str:
    lines = [f"table: {' '.join(map(str, position.table))}"]
    lines += [f"seat {seat}: {' '.join(map(str, hand))}" for seat, hand in enumerate(position.hands)]
    return "\n".join(line.rstrip() for line in lines)


def position_from_text(text: str) -> Position:
    rows: list[list[int]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        label, colon, said = line.partition(":")
        if not colon or label != (f"seat {len(rows) - 1}" if rows else "table"):
            refuse(f"{line[:60]!r}: expected 'table: …', then 'seat 0: …' and so on")
        rows.append(
            [int(word) if word in map(str, DECK) else refuse(f"{word[:9]!r} is no card") for word in said.split()]
        )
    if not rows:
        refuse("there is no table")
    named = {card for row in rows for card in row}
    aside = [card for card in DECK if card not in named]
    return position_from_json({"game": ID, "hands": rows[1:], "table": rows[0], "aside": aside})
