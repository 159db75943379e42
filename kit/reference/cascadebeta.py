"""CascadeBeta, as the rules read. A position is the interchange object.

Repetition (CB-13) depends on what went before: `play` takes `history`, the earlier positions of the record in any
phase, first first, the position played from not among them. Without it the count starts at the position played from.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from kit.reference.plain import deepcopy

Position = dict[str, Any]
Grid = list[list[Any]]

RANKS = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 11, "Q": 12, "K": 13}
DECK = [rank + suit for rank in RANKS for suit in "shdc"]


def rank(card: str) -> int:
    """CB-1: ace low, jack 11, queen 12, king 13; suits never matter."""
    return RANKS[card[0]]


def deal(deck: Sequence[str], players: int, size: int = 4) -> Position:
    """CB-2 to CB-4: as many cards to each seat as the grid has rows, the rest to draw. ValueError for no such deal."""
    if (players, size) not in [(2, 4), (2, 5), (3, 4)]:
        raise ValueError("CB-2: two players on 4x4 or 5x5, three on 4x4")
    if sorted(deck) != sorted(DECK):
        raise ValueError("CB-1: the deck is 52 cards")
    cards = list(deck)
    hands = [[cards.pop(0) for _ in range(size)] for _ in range(players)]
    return {
        "game": "cascadebeta",
        "size": size,
        "players": players,
        "to_move": 0,
        "phase": "arrange",
        "grids": [[[None] * size for _ in range(size)] for _ in range(players)],
        "draw": cards,
        "discard": [],
        "taken": None,
        "hands": hands,
    }


def legal(position: Position) -> list[str]:
    """Every legal move of the phase."""
    seat = position["to_move"]
    if position["phase"] == "arrange":
        return ["arrange " + " ".join(order) for order in permutations(position["hands"][seat])]
    if position["phase"] == "take":
        return ["draw"] * bool(position["draw"]) + [f"take {card}" for card in position["discard"]]
    if position["phase"] == "put":
        cells = [(row, column) for row in range(position["size"]) for column in range(position["size"])]
        places = [f"place {row + 1} {column + 1}" for row, column in cells if may_place(position, row, column)]
        return places + ["discard"]
    return []


def play(position: Position, move: str, history: Sequence[Position] = ()) -> Position:
    """The position after a move, `history` being the record's earlier positions; ValueError when it is not legal."""
    if move not in legal(position):
        raise ValueError(f"not legal: {move}")
    after = deepcopy(position)
    word, *rest = move.split(" ")
    if word == "arrange":
        arrange(after, rest)
    elif word == "draw":
        after["taken"] = {"card": after["draw"].pop(0), "from": "draw"}
        after["phase"] = "put"
    elif word == "take":
        after["discard"].remove(rest[0])
        after["taken"] = {"card": rest[0], "from": "discard"}
        after["phase"] = "put"
    elif word == "discard":
        after["discard"].append(after["taken"]["card"])
        after["taken"] = None
        start_turn(after, next_seat(after), [*history, position])
    else:
        place(after, int(rest[0]) - 1, int(rest[1]) - 1, [*history, position])
    return after


def result(position: Position) -> Position | None:
    """CB-12, CB-13: who won, and by what; None before the end."""
    if position["phase"] != "over":
        return None
    empty = [empty_cells(grid) for grid in position["grids"]]
    winners = [seat for seat, cells in enumerate(empty) if cells == min(empty)]
    return {"winners": winners, "by": "filled" if 0 in empty else "repetition", "empty": empty}


def next_seat(position: Position) -> int:
    return int((position["to_move"] + 1) % position["players"])


def arrange(position: Position, cards: list[str]) -> None:
    """CB-3, CB-R6: the hand on the diagonal, top left first; when all have laid theirs seat 0 begins."""
    seat = position["to_move"]
    for i, card in enumerate(cards):
        position["grids"][seat][i][i] = card
    position["hands"][seat] = []
    if any(position["hands"]):
        position["to_move"] = next_seat(position)
    else:
        start_turn(position, 0, [])


def may_place(position: Position, row: int, column: int) -> bool:
    """CB-7 to CB-9: may the taken card go to this cell of the player's own grid?"""
    taken = position["taken"]
    grid = deepcopy(position["grids"][position["to_move"]])
    if is_equal_cover(taken, grid[row][column]):
        return False
    grid[row][column] = taken["card"]
    return in_order(grid)


def is_equal_cover(taken: Position, covered: str | None) -> bool:
    """CB-9: a card from the discard pile cannot cover its own rank."""
    return taken["from"] == "discard" and covered is not None and rank(covered) == rank(taken["card"])


def in_order(grid: Grid) -> bool:
    """CB-8, CB-R3: no row and no column decreases, empty cells skipped."""
    columns = [[row[column] for row in grid] for column in range(len(grid))]
    for line in grid + columns:
        ranks = [rank(card) for card in line if card is not None]
        if ranks != sorted(ranks):
            return False
    return True


def place(position: Position, row: int, column: int, history: list[Position]) -> None:
    """CB-7, then in this order CB-12 and CB-10 (CB-R4)."""
    seat = position["to_move"]
    grid = position["grids"][seat]
    if grid[row][column] is not None:
        position["discard"].append(grid[row][column])
    grid[row][column] = position["taken"]["card"]
    position["taken"] = None
    if empty_cells(grid) == 0:
        position["phase"] = "over"
    elif is_diagonal_match(grid, row, column):
        start_turn(position, seat, history)
    else:
        start_turn(position, next_seat(position), history)


def empty_cells(grid: Grid) -> int:
    return sum(card is None for row in grid for card in row)


def is_diagonal_match(grid: Grid, row: int, column: int) -> bool:
    """CB-10, CB-R4: has a card diagonally next to it the same rank?"""
    for r, line in enumerate(grid):
        for c, card in enumerate(line):
            is_diagonal = abs(r - row) == 1 and abs(c - column) == 1
            if is_diagonal and card is not None and rank(card) == rank(grid[row][column]):
                return True
    return False


def start_turn(position: Position, seat: int, history: list[Position]) -> None:
    """CB-6 begins a turn, unless CB-13 ends the game: the same position for the third time."""
    position["to_move"] = seat
    position["phase"] = "take"
    before = [earlier for earlier in history if earlier["phase"] == "take"]
    if sum(is_repeated(position, earlier) for earlier in before) >= 2:
        position["phase"] = "over"


def is_repeated(position: Position, earlier: Position) -> bool:
    """CB-13, CB-R5: the same ranks in every grid and, in any order, in the discard pile, the same seat's turn."""

    def what_counts(p: Position) -> Any:
        grids = [[[card and rank(card) for card in row] for row in grid] for grid in p["grids"]]
        return grids, sorted(rank(card) for card in p["discard"]), p["to_move"]

    return bool(what_counts(position) == what_counts(earlier))


def canonical(position: Position) -> Position:
    """Nothing compares as a set here."""
    return deepcopy(position)
