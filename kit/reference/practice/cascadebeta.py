"""CascadeBeta: practice solved from the question alone. Rows and columns of answers count from 1."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from kit.reference.cascadebeta import deal, empty_cells, in_order, is_diagonal_match, is_equal_cover, rank
from kit.reference.plain import deepcopy
from kit.reference.practice.solution import Solution, spelled

Json = Any
Grid = list[list[Any]]
Line = list[tuple[int, int, int]]  # rank, row, column (from 0) of each placement


def solve(question: Json) -> Solution:
    """The solution of a question of this game."""
    return {"a": where, "b": another_turn, "c": broken_order, "d": finish}[question["kind"]](question)


def cells(grid: Grid) -> list[tuple[int, int]]:
    return [(row, column) for row in range(len(grid)) for column in range(len(grid))]


def named(row: int, column: int) -> Json:
    return {"row": row + 1, "column": column + 1}


def with_card(grid: Grid, card: str, row: int, column: int) -> Grid:
    """The grid after a placement (CB-R3)."""
    after = deepcopy(grid)
    after[row][column] = card
    return after


def broken(grid: Grid, card: str, source: str, row: int, column: int) -> set[str]:
    """The rules that a placement breaks: CB-8 and CB-9."""
    rules = set()
    if is_equal_cover({"card": card, "from": source}, grid[row][column]):
        rules.add("CB-9")
    if not in_order(with_card(grid, card, row, column)):
        rules.add("CB-8")
    return rules


def where(question: Json) -> Solution:
    """(a) All cells where a card may go."""
    here = question["position"]
    grid, card, source = here["grid"], here["card"], here["source"]
    return Solution(
        [named(*cell) for cell in cells(grid) if not broken(grid, card, source, *cell)],
        options=[named(*cell) for cell in cells(grid)],
        name=cell_name,
        granted=frozenset({"CB-7", "CB-8", "CB-9", "CB-R3"}),
        forbidden=lambda option: broken(grid, card, source, option["row"] - 1, option["column"] - 1),
    )


def cell_name(option: Json) -> tuple[int, int] | None:
    return (option["row"], option["column"]) if {"row", "column"} <= option.keys() else None


def another_turn(question: Json) -> Solution:
    """(b) The cells that give another turn."""
    here = question["position"]
    grid, card, source = here["grid"], here["card"], here["source"]

    def forbidden(option: Json) -> set[str]:
        row, column = option["row"] - 1, option["column"] - 1
        rules = broken(grid, card, source, row, column)
        after = with_card(grid, card, row, column)
        if not is_diagonal_match(after, row, column):
            rules.add("CB-10")
        if empty_cells(after) == 0 and not rules:
            rules |= {"CB-12", "CB-R4"}  # the win comes first
        return rules

    every = [named(*cell) for cell in cells(grid)]
    return Solution(
        [option for option in every if not forbidden(option)],
        options=every,
        name=cell_name,
        granted=frozenset({"CB-10", "CB-R4"}),
        forbidden=forbidden,
    )


def broken_order(question: Json) -> Solution:
    """(c) The neighbours in a row or column, empty cells skipped, that decrease."""
    grid = question["position"]["grid"]

    def decreases(pair: Json) -> bool:
        (row, column), (other_row, other_column) = pair["cells"]
        return rank(grid[row - 1][column - 1]) > rank(grid[other_row - 1][other_column - 1])

    answers = [pair for pair in neighbours(grid) if decreases(pair)]
    numbers = range(1, len(grid) + 1)
    return Solution(
        answers,
        options=[{"row": row} for row in numbers] + [{"column": column} for column in numbers],
        name=lambda option: spelled(option) if option.keys() in ({"row"}, {"column"}) else None,
        says=is_in_line,
        granted=frozenset({"CB-8"}),
        forbidden=lambda line: set() if any(is_in_line(line, answer) for answer in answers) else {"CB-8"},
    )


def is_in_line(line: Json, pair: Json) -> bool:
    """Do two cards lie in this row, or in this column?"""
    (row, column), (other_row, other_column) = pair["cells"]
    if "row" in line:
        return bool(row == other_row == line["row"])
    return bool(column == other_column == line["column"])


def neighbours(grid: Grid) -> list[Json]:
    """Two cards next to each other in a row or column with nothing but empty cells between, the first before."""
    size = len(grid)
    lines = [[(i, k) for k in range(size)] for i in range(size)] + [[(k, i) for k in range(size)] for i in range(size)]
    pairs = []
    for line in lines:
        filled = [(row, column) for row, column in line if grid[row][column] is not None]
        for first, second in pairwise(filled):
            pairs.append({"cells": [[first[0] + 1, first[1] + 1], [second[0] + 1, second[1] + 1]]})
    return pairs


# (d) Fill the grid this turn.


def finish(question: Json) -> Solution:
    """(d) Every chain of another turns from the discard pile that fills the grid."""
    here = question["position"]
    ranks = [[card and rank(card) for card in row] for row in here["grid"]]
    found = chains(ranks, sorted(rank(card) for card in here["discard"]), here["takes"])
    return Solution(
        [{"moves": spelled_line(here, line)} for line in found],
        one=True,
        every=False,
        same=lambda answer: str(placements(answer["moves"])),
        refuted=lambda moves: why_not(here, moves),
    )


def chains(grid: Grid, discard: list[int], takes: int) -> list[Line]:
    """Every chain that fills a grid of ranks in at most so many takes (CB-6 to CB-10, CB-12).

    A card fills one cell at most, so where more are empty than takes are left there is none.
    """
    if takes < empty_cells(grid):
        return []
    found: list[Line] = []
    for taken in sorted(set(discard)):
        for row, column in cells(grid):
            covered = grid[row][column]
            if covered == taken or not keeps_order(grid, taken, row, column):
                continue
            after = [list(line) for line in grid]
            after[row][column] = taken
            if empty_cells(after) == 0:
                found.append([(taken, row, column)])
            elif takes > 1 and has_equal_diagonal(after, row, column):
                pile = [*discard] if covered is None else [*discard, covered]
                pile.remove(taken)
                found += [[(taken, row, column), *rest] for rest in chains(after, sorted(pile), takes - 1)]
    return found


def keeps_order(grid: Grid, taken: int, row: int, column: int) -> bool:
    """CB-8 where the grid was in order before: only the card's own row and column can become wrong."""
    before = grid[row][:column] + [grid[r][column] for r in range(row)]
    behind = grid[row][column + 1 :] + [grid[r][column] for r in range(row + 1, len(grid))]
    return all(r is None or r <= taken for r in before) and all(r is None or r >= taken for r in behind)


def has_equal_diagonal(grid: Grid, row: int, column: int) -> bool:
    """CB-10."""
    beside = [(row - 1, column - 1), (row - 1, column + 1), (row + 1, column - 1), (row + 1, column + 1)]
    inside = [(r, c) for r, c in beside if 0 <= r < len(grid) and 0 <= c < len(grid)]
    return any(grid[r][c] == grid[row][column] for r, c in inside)


def spelled_line(here: Json, line: Line) -> list[str]:
    """A line of ranks as moves: of equal ranks the one that lies longest in the discard pile is taken."""
    grid, discard, moves = deepcopy(here["grid"]), list(here["discard"]), []
    for taken, row, column in line:
        card = next(card for card in discard if rank(card) == taken)
        discard.remove(card)
        if grid[row][column] is not None:
            discard.append(grid[row][column])
        grid[row][column] = card
        moves += [f"take {card}", f"place {row + 1} {column + 1}"]
    return moves


def placements(moves: Sequence[str]) -> list[tuple[int, str]]:
    """What tells two lines apart: ranks and cells in order."""
    return [(rank(take.split(" ")[1]), place) for take, place in zip(moves[::2], moves[1::2], strict=True)]


def why_not(here: Json, moves: Sequence[str]) -> set[str]:
    """The rules for which a line of moves does not fill the grid this turn; none when it does."""
    grid, discard = deepcopy(here["grid"]), list(here["discard"])
    for number, (take, place) in enumerate(zip(moves[::2], moves[1::2], strict=False), start=1):
        card = take.removeprefix("take ")
        row, column = (int(n) - 1 for n in place.split(" ")[1:])
        if card not in discard:
            return {"CB-6"}
        rules = broken(grid, card, "discard", row, column)
        if rules:
            return rules
        discard.remove(card)
        if grid[row][column] is not None:
            discard.append(grid[row][column])
        grid[row][column] = card
        if empty_cells(grid) == 0:
            return set() if number <= here["takes"] and 2 * number == len(moves) else {"CB-12", "CB-6"}
        if not is_diagonal_match(grid, row, column):
            return {"CB-10"}
    return {"CB-12", "CB-6"}  # not filled, and no take is left or used


# The origin.


def is_deal(position: Json) -> bool:
    """Does a record begin here: all hands dealt, nothing laid (CB-3, CB-4)?"""
    deck = [card for part in (*position["hands"], position["draw"]) for card in part]
    return bool(deal(deck, position["players"], position["size"]) == position)


def shown(question: Json, positions: list[Json], moves: list[str]) -> bool:
    """Is the grid, in (c) but for one card, a seat's grid in one of the record's positions?"""
    here = question["position"]
    for position in positions:
        for seat, grid in enumerate(position["grids"]):
            if question["kind"] == "c":
                if is_one_card_changed(here["grid"], grid):
                    return True
            elif grid == here["grid"]:
                if question["kind"] != "d":
                    return True
                is_turn = position["phase"] == "take" and position["to_move"] == seat
                if is_turn and sorted(position["discard"]) == sorted(here["discard"]):
                    return True
    return False


def is_one_card_changed(grid: Grid, real: Grid) -> bool:
    if len(grid) != len(real):
        return False
    pairs = [(grid[row][column], real[row][column]) for row, column in cells(grid)]
    return sum(a != b for a, b in pairs) == 1 and all((a is None) == (b is None) for a, b in pairs)


def cards_of(question: Json) -> list[Any]:
    """Every card that the question shows."""
    here = question["position"]
    cards: list[Any] = [card for row in here["grid"] for card in row if card is not None] + here.get("discard", [])
    return cards + [here[key] for key in ("card",) if key in here]
