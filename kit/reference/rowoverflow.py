"""Ascending row overflow, as the rules read. Cards are the numbers 1 to 24, a position is the interchange object."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from kit.reference.plain import deepcopy

Position = dict[str, Any]


def deal(deck: Sequence[int], players: int) -> Position:
    """RO-1, RO-2: five cards to each seat in blocks, four starter rows, the rest aside. ValueError for no such deal."""
    if players not in (3, 4):
        raise ValueError("RO-2: three or four players")
    if sorted(deck) != list(range(1, 25)):
        raise ValueError("RO-1: the deck is the numbers 1 to 24")
    cards = list(deck)
    hands = [[cards.pop(0) for _ in range(5)] for _ in range(players)]
    rows = [[cards.pop(0)] for _ in range(4)]
    return {
        "game": "rowoverflow",
        "players": players,
        "rows": rows,
        "hands": hands,
        "collected": [[] for _ in range(players)],
        "aside": cards,
        "pending": [],
    }


def legal(position: Position) -> list[str]:
    """RO-3: any card of every hand; or RO-8: any of the four rows, while that choice is owed."""
    if position["pending"]:
        return [f"take {row + 1}" for row in range(4)]
    if over(position):
        return []
    return ["reveal " + " ".join(map(str, cards)) for cards in product(*position["hands"])]


def play(position: Position, move: str) -> Position:
    """The position after a move; ValueError when the move is not legal."""
    if move not in legal(position):
        raise ValueError(f"not legal: {move}")
    after = deepcopy(position)
    word, *numbers = move.split(" ")
    if word == "take":
        take(after, int(numbers[0]) - 1)
    else:
        reveal(after, [int(number) for number in numbers])
    resolve(after)
    return after


def result(position: Position) -> Position | None:
    """RO-13: one point a collected card, fewest wins, equals tie; None before the end."""
    if not over(position):
        return None
    return standing([len(cards) for cards in position["collected"]])


def two_deals(first: Position, second: Position) -> Position:
    """RO-14: the result of two deals together; seats stay the same people."""
    return standing([a + b for a, b in zip(first["penalties"], second["penalties"], strict=True)])


def standing(penalties: list[int]) -> Position:
    """RO-13: who has fewest penalties."""
    winners = [seat for seat, points in enumerate(penalties) if points == min(penalties)]
    return {"penalties": penalties, "winners": winners}


def over(position: Position) -> bool:
    """RO-12: the deal ends when every hand is empty, and what was revealed is placed."""
    return not any(position["hands"]) and not position["pending"]


def reveal(position: Position, cards: list[int]) -> None:
    """RO-4, RO-5: all chosen cards leave the hands together and wait in increasing number."""
    for hand, card in zip(position["hands"], cards, strict=True):
        hand.remove(card)
    position["pending"] = sorted([card, seat] for seat, card in enumerate(cards))


def resolve(position: Position) -> None:
    """RO-5, RO-7: card after card, each looking at the rows anew, until none is left or a choice is owed."""
    while position["pending"]:
        card, seat = position["pending"][0]
        row = row_for(position["rows"], card)
        if row is None:
            return
        position["pending"].pop(0)
        if overflows(position["rows"][row]):
            collect(position, row, card, seat)
        else:
            position["rows"][row].append(card)


def row_for(rows: list[list[int]], card: int) -> int | None:
    """RO-6, RO-10: the row whose last card is the greatest number strictly below; None when there is none (RO-8)."""
    best = None
    for row in range(4):
        end = rows[row][-1]
        if end < card and (best is None or end > rows[best][-1]):
            best = row
    return best


def overflows(row: list[int]) -> bool:
    """RO-9: a row holds at most four cards."""
    return len(row) == 4


def take(position: Position, row: int) -> None:
    """RO-8: the player of the smallest card collects the row of their choice."""
    card, seat = position["pending"].pop(0)
    collect(position, row, card, seat)


def collect(position: Position, row: int, card: int, seat: int) -> None:
    """RO-8, RO-9, RO-11: the row goes to the seat's penalties for good, the card starts it anew."""
    position["collected"][seat] += position["rows"][row]
    position["rows"][row] = [card]


def canonical(position: Position) -> Position:
    """RO-R2: hands, collected cards and those aside compare as sets."""
    same = deepcopy(position)
    same["hands"] = [sorted(hand) for hand in same["hands"]]
    same["collected"] = [sorted(cards) for cards in same["collected"]]
    same["aside"] = sorted(same["aside"])
    return same
