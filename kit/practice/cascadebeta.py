"""Practice for CascadeBeta: (a) where a card may go, (b) another turn, (c) the broken order, (d) a chain that wins.

The grids of (a) to (c) come from games in which every seat fills its grid as well as it can; (d) is built backwards
from a filled grid, and then played by the engine. No card goes straight back to the discard pile it came from, so no
position rests on the open reading CB-R2; and within so few takes none comes up for the third time (CB-13, CB-R5).

How level is measured: each kind adds up the features that make it harder (`PLACE_WEIGHTS`, …) and cuts the sum into
levels (`PLACE_LEVELS`, …); no weight is negative, so more of a feature never lowers the level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from kit.games.cascadebeta import (
    CELLS,
    DECK,
    DISCARD,
    DRAW,
    EMPTY,
    ID,
    PLAYERS,
    SIZES,
    TAKE,
    VALUES,
    Arrange,
    Cards,
    Cell,
    Grid,
    Move,
    Place,
    Position,
    Source,
    Take,
    corners,
    deal,
    decreases,
    diagonal,
    diagonal_equals,
    empty_cells,
    lines,
    open_cells,
    places,
    position_to_json,
    ranks,
    side,
    sizes,
)
from kit.games.core import Stream
from kit.practice.core import (
    FIRST,
    LEVELS,
    Argument,
    Facts,
    Kind,
    Line,
    Option,
    Options,
    Problem,
    Prompt,
    Question,
    Reason,
    Slots,
    Step,
    Trace,
    given,
    level_of,
    slots,
    weigh,
)

# Every reason that a key can give, one sentence a key. `lower` and `higher` are the nearest cards before and after the
# cell in its row and column, `against` those with which the card would break the order: each a row, a column, a card.
REASONS: dict[str, Slots] = {
    # why a card may go there
    "fits": slots("CB-8", "card row column lower higher"),
    "fits_last": slots("CB-8", "card row column lower"),
    "fits_first": slots("CB-8", "card row column higher"),
    "fits_alone": slots("CB-8", "card row column"),
    # … and beside another reason
    "in_order": slots("CB-8", "card row column lower higher"),
    "in_order_last": slots("CB-8", "card row column lower"),
    "in_order_first": slots("CB-8", "card row column higher"),
    "in_order_alone": slots("CB-8", "card row column"),
    # what it brings
    "another_turn": slots("CB-10", "card row column equals"),
    "goes_on": slots("CB-10", "card row column equals"),
    "fills": slots("CB-12", "card row column"),
    # what else to notice
    "covers": slots("CB-7", "card covered"),
    "covers_equal": slots("CB-9", "card covered"),
    "covered_before": slots("CB-7", "card"),
    # why it may not, or brings nothing
    "breaks": slots("CB-8", "card row column against"),
    "equal_below": slots("CB-9", "card row column covered"),
    "no_equal": slots("CB-10", "card row column"),
    # a row or column
    "row_falls": slots("CB-8", "row column card next_column next"),
    "column_falls": slots("CB-8", "column row card next_row next"),
    "row_holds": slots("CB-8", "row cards"),
    "column_holds": slots("CB-8", "column cards"),
    "row_of_one": slots("CB-8", "row card"),
    "column_of_one": slots("CB-8", "column card"),
    # a line of play
    "taken": slots("CB-6", "cards"),
    "turn_ends": slots("CB-10", "card row column empty"),
    "takes_out": slots("CB-12", "empty left takes"),  # the problem limits the takes, no rule does
    "searched": slots("CB-12", "searched takes"),
}

# Every sentence of a question.
PROMPTS: dict[str, Slots] = {
    "place_draw": slots("", "card"),
    "place_discard": slots("", "card"),
    "turn_draw": slots("", "card"),
    "turn_discard": slots("", "card"),
    "broken": slots("", ""),
    "finish": slots("", "takes"),
}


def reason(key: str, **facts: object) -> Reason:
    """A reason of REASONS, with exactly its facts."""
    return given(REASONS, key, **facts)


# Games


class Game(NamedTuple):
    """A game as it was played: `moves` lead from each position to the next."""

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]

    def origin(self, number: int, *more: Move) -> Facts:
        """The record that leads to position `number` (from 0), and on from there."""
        moves = [str(move) for move in (*self.moves[:number], *more)]
        return {"game": ID, "start": position_to_json(self.positions[0]), "moves": moves}

    def turns(self) -> Iterator[tuple[int, Position]]:
        """The positions in which a turn begins, with their numbers."""
        return ((n, position) for n, position in enumerate(self.positions) if position.phase == "take")


FEWEST_MOVES, MOST_MOVES = 20, 46  # the diagonals have company, and a grid of 4 x 4 is nearly full


def play_game(stream: Stream, large: bool = False) -> Game:
    """The first moves of a game of people who know what they want; `large`: on 5 x 5 cells for sure."""
    players = PLAYERS[0] if large else stream.choice((*PLAYERS, PLAYERS[0]))
    position = deal(stream.shuffled(DECK), players, SIZES[-1] if large else stream.choice(sizes(players)))
    positions, moves = [position], list[Move]()
    most = FEWEST_MOVES + stream.below(MOST_MOVES - FEWEST_MOVES + 1)
    while len(moves) < most and position.phase != "over":
        moves.append(sensible(stream, position))
        position, _ = position.play(moves[-1])
        positions.append(position)
    return Game(tuple(positions), tuple(moves))


def sensible(stream: Stream, position: Position) -> Move:
    """A move towards a filled grid: a diagonal that nearly rises, free cells before covered ones, chains before all."""
    grid = position.grids[position.to_move]
    if position.phase == "arrange":
        hand = by_value(position.hands[position.to_move])
        if not stream.below(3):
            n = stream.below(len(hand) - 1)
            hand[n : n + 2] = reversed(hand[n : n + 2])
        return Arrange(tuple(hand))
    if position.taken is None:
        if position.discard and not stream.below(3):
            card = stream.choice(position.discard)
            if open_cells(grid, card, "discard") & ~occupied(grid):
                return TAKE[card]
        return DRAW
    card, source = position.taken
    right = open_cells(grid, card, source)
    if free := right & ~occupied(grid):
        return _choose(stream, grid, free & _near(grid, card)[0] or free)
    return _choose(stream, grid, right) if right and not stream.below(3) else DISCARD


def _choose(stream: Stream, grid: Grid, cells: int) -> Place:
    """One of these cells."""
    return Place(*_at(grid.size, stream.choice([n for n in range(len(grid)) if cells >> n & 1])))


RISING = {card: n for n, card in enumerate(sorted(DECK, key=lambda card: VALUES[card[0]]))}


def by_value(cards: Iterable[str]) -> list[str]:
    """The cards from low to high, and of one rank in the order of the deck."""
    return sorted(cards, key=RISING.__getitem__)


def first_of_each_rank(cards: Iterable[str]) -> list[str]:
    """One card a rank, for suits never matter (CB-1): the first that lies there."""
    return list({card[0]: card for card in reversed(list(cards))}.values())[::-1]


# One grid. Sets of cells are numbers as in the engine: bit n is cell n, row by row from 0.

ALL = (1 << CELLS) - 1


def _index(grid: Cards, place: Place) -> int:
    return (place.row - 1) * side(grid) + place.column - 1


def _at(size: int, cell: int) -> tuple[int, int]:
    """Row and column, from 1, of a cell of a grid with so many rows."""
    return cell // size + 1, cell % size + 1


def occupied(grid: Cards) -> int:
    """The cells that hold a card."""
    return sum([1 << n for n, card in enumerate(grid) if card != EMPTY])


def of_rank(grid: Grid, card: str) -> list[int]:
    """The cells that hold a card of the same rank."""
    return [n for n, rank in enumerate(grid.ranks) if rank == card[0]]


@cache
def around(size: int, cell: int) -> tuple[int, int]:
    """The cells diagonally next to a cell, and those next to it in its row or column."""
    row, column = divmod(cell, size)
    beside = [n for n in range(size * size) if abs(n // size - row) + abs(n % size - column) == 1]
    return sum(1 << n for n in corners(size, cell)), sum(1 << n for n in beside)


def _near(grid: Grid, card: str) -> tuple[int, int]:
    """The cells that have an equal diagonally next to them, and those that have one next to them in a row or column."""
    diagonally = beside = 0
    for cell in of_rank(grid, card):
        corner, edge = around(grid.size, cell)
        diagonally |= corner
        beside |= edge
    return diagonally, beside


def cells_of(size: int) -> Iterator[tuple[int, int]]:
    """Every cell of a grid as row and column, row by row."""
    return ((row, column) for row in range(1, size + 1) for column in range(1, size + 1))


def drawn(grid: Cards) -> tuple[tuple[str | None, ...], ...]:
    """A grid as questions spell it: a row of cards each, None for an empty cell."""
    size = side(grid)
    cells = [None if card == EMPTY else card for card in grid]
    return tuple(tuple(cells[n : n + size]) for n in range(0, size * size, size))


def shape(grid: Cards) -> str:
    """A grid up to suits, and up to what transposing makes of it: rows and columns are alike (CB-8, CB-10)."""
    seen, size = ranks(grid), side(grid)
    return min(seen, "".join(seen[n::size] for n in range(size)))


# Reasons


@cache
def rays(size: int, cell: int) -> tuple[tuple[range, range], tuple[range, range]]:
    """The cells before a cell in its row and column, and those after it, the nearest first."""
    column = cell % size
    return (
        (range(cell - 1, cell - column - 1, -1), range(cell - size, -1, -size)),
        (range(cell + 1, cell - column + size), range(cell + size, size * size, size)),
    )


def neighbours(grid: Cards, row: int, column: int) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """The nearest cards before a cell in its row and column, and those after it, empty cells skipped (CB-8)."""
    size = side(grid)
    nearest = [
        [next((n for n in ray if grid[n] != EMPTY), None) for ray in both]
        for both in rays(size, (row - 1) * size + column - 1)
    ]
    before, after = (tuple(Cell(*_at(size, n), grid[n]) for n in both if n is not None) for both in nearest)
    return before, after


def _fits(key: str, grid: Cards, row: int, column: int, card: str) -> Reason:
    """Why the order lets the card lie there: what it lies between. `key` is the reason for cards on both sides."""
    lower, higher = neighbours(grid, row, column)
    here: dict[str, Any] = {"card": card, "row": row, "column": column}
    if lower and higher:
        return reason(key, **here, lower=lower, higher=higher)
    if lower or higher:
        return reason(f"{key}_last", **here, lower=lower) if lower else reason(f"{key}_first", **here, higher=higher)
    return reason(f"{key}_alone", **here)


def _covering(card: str, covered: str) -> tuple[Reason, ...]:
    """What to notice where the card covers another."""
    if covered == EMPTY:
        return ()
    return (reason("covers_equal" if covered[0] == card[0] else "covers", card=card, covered=covered),)


def _against(grid: Cards, row: int, column: int, card: str) -> tuple[Cell, ...]:
    """The neighbours with which a card in that cell would break the order (CB-8)."""
    value, (before, after) = VALUES[card[0]], neighbours(grid, row, column)
    lower = [cell for cell in after if VALUES[cell.card[0]] < value]
    return (*[cell for cell in before if VALUES[cell.card[0]] > value], *lower)


def _forbidden(grid: Cards, row: int, column: int, card: str, source: Source) -> Reason | None:
    """Why the card may not go there, None where it may (CB-8, CB-9)."""
    covered = grid[(row - 1) * side(grid) + column - 1]
    if source == "discard" and covered[0] == card[0]:
        return reason("equal_below", card=card, row=row, column=column, covered=covered)
    against = _against(grid, row, column, card)
    return reason("breaks", card=card, row=row, column=column, against=against) if against else None


def place_option(grid: Cards, row: int, column: int, card: str, source: Source) -> Option:
    """(a) A cell: the card may go there, or why not."""
    where = {"row": row, "column": column}
    if wrong := _forbidden(grid, row, column, card, source):
        return Option(where, False, wrong)
    covered = grid[(row - 1) * side(grid) + column - 1]
    return Option(where, True, _fits("fits", grid, row, column, card), _covering(card, covered))


def turn_option(grid: Cards, row: int, column: int, card: str, source: Source) -> Option:
    """(b) A cell: the card gives another turn there, or why not. Without an equal it is all one whether it may go."""
    where = {"row": row, "column": column}
    equals = diagonal_equals(grid, row, column, card)
    if not equals:
        return Option(where, False, reason("no_equal", card=card, row=row, column=column))
    if wrong := _forbidden(grid, row, column, card, source):
        return Option(where, False, wrong)
    right = reason("another_turn", card=card, row=row, column=column, equals=equals)
    covered = grid[(row - 1) * side(grid) + column - 1]
    return Option(where, True, right, (_fits("in_order", grid, row, column, card), *_covering(card, covered)))


def line_options(grid: Cards) -> Iterator[Option]:
    """(c) Every row, then every column: the two cards that fall, or that it is in order."""
    size, falling = side(grid), decreases(grid)
    for n, cells in enumerate(lines(grid)):
        line, number = ("row", n + 1) if n < size else ("column", n - size + 1)
        pair = next(((one, other) for one, other in falling if one in cells and other in cells), None)
        here: dict[str, Any] = {line: number}
        if pair:
            one, other = pair
            if line == "row":
                facts = here | {"column": one.column, "next_column": other.column}
            else:
                facts = here | {"row": one.row, "next_row": other.row}
            why = reason(f"{line}_falls", **facts, card=one.card, next=other.card)
        elif len(cells) > 1:
            why = reason(f"{line}_holds", **here, cards=tuple(cell.card for cell in cells))
        else:
            why = reason(f"{line}_of_one", **here, card=cells[0].card)
        yield Option(here, pair is not None, why)


# Features and levels

Features = dict[str, int]


def place_features(grid: Grid, card: str, source: Source) -> Features | None:
    """What makes the cells of one card hard to see; None where it may go nowhere.

    `large`: 1 on 5 x 5 cells; `cards`: half the cards beyond those of the diagonal; `one_way`: cells that the row
    allows and the column does not, or the other way round (at most six count); `covers`: right cells that hold a card;
    `closed`: equals that a card from the discard pile may not cover; `opened`: equals that one from the draw pile may.
    """
    right = open_cells(grid, card, source)
    if not right:
        return None
    rows, columns = (pairs >> VALUES[card[0]] * CELLS & ALL for pairs in (grid.by_rows, grid.by_columns))
    equals = grid.ranks.count(card[0])
    return {
        "large": int(grid.size == SIZES[-1]),
        "cards": (len(grid) - empty_cells(grid) - grid.size) // 2,
        "one_way": min((rows ^ columns).bit_count(), 6),
        "covers": (right & occupied(grid)).bit_count(),
        "closed": equals if source == "discard" else 0,
        "opened": equals if source == "draw" else 0,
    }


def turn_features(grid: Grid, card: str, source: Source) -> Features | None:
    """What makes the cells that give another turn hard to see; None where there is none, or where one cell is left.

    `large`: 1 on 5 x 5 cells; `closed`: cells with an equal diagonally next to them where the card may not go;
    `beside`: cells where it may go and an equal lies next to it, but not diagonally; `covers`: right cells that hold a
    card; `more`: right cells beyond the first.
    """
    diagonally, beside = _near(grid, card)
    allowed = open_cells(grid, card, source)
    right = allowed & diagonally
    if not right or empty_cells(grid) < 2:  # the last cell wins, and there is no other turn (CB-R4)
        return None
    return {
        "large": int(grid.size == SIZES[-1]),
        "closed": (diagonally & ~allowed).bit_count(),
        "beside": (allowed & beside & ~diagonally).bit_count(),
        "covers": (right & occupied(grid)).bit_count(),
        "more": right.bit_count() - 1,
    }


def order_features(grid: Cards, changed: Cell) -> Features | None:
    """What makes it hard to see where a grid is out of order once that card lies in it; None where it is not.

    `large`: 1 on 5 x 5 cells; `cards`: a third of the cards beyond those of the diagonal; `near`: pairs that fall by
    one rank or two; `across`: pairs with an empty cell between them; `more`: pairs beyond the first.
    """
    row, column, card = changed
    against = _against(grid, row, column, card)
    if not against:
        return None
    return {
        "large": int(side(grid) == SIZES[-1]),
        "cards": (len(grid) - empty_cells(grid) - side(grid)) // 3,
        "near": sum(abs(VALUES[cell.card[0]] - VALUES[card[0]]) <= 2 for cell in against),
        "across": sum(abs(cell.row - row) + abs(cell.column - column) > 1 for cell in against),
        "more": len(against) - 1,
    }


PLACE_WEIGHTS = {"large": 1, "cards": 1, "one_way": 1, "covers": 1, "closed": 2, "opened": 1}
PLACE_LEVELS = (1, 10, 12, 13, 15)
TURN_WEIGHTS = {"large": 1, "closed": 1, "beside": 1, "covers": 2, "more": 1}
TURN_LEVELS = (1, 5, 8, 10, 12)
ORDER_WEIGHTS = {"large": 2, "cards": 1, "near": 2, "across": 1, "more": 1}
ORDER_LEVELS = (1, 3, 4, 5, 7)
CHAIN_WEIGHTS = {"takes": 3, "covers": 3, "lures": 1, "spare": 1}
CHAIN_LEVELS = (1, 4, 6, 8, 10)


def place_theme(features: Features) -> str:
    """What the cells of one card are about."""
    if features["closed"]:
        return "closed"
    return "opened" if features["opened"] else "other"


def turn_theme(features: Features) -> str:
    """What another turn is about."""
    if features["more"]:
        return "many" if features["more"] > 1 else "two"
    return "covers" if features["covers"] else "free"


def order_theme(features: Features) -> str:
    """What a broken order is about."""
    if features["more"]:
        return "several"
    return "across" if features["across"] else "next"


def chain_theme(features: Features) -> str:
    """What a chain is about."""
    return "covers" if features["covers"] else "free"


# The kinds (a) to (c)


def _problem(
    kind: str, level: int, position: Facts, prompt: Prompt, answers: Iterable[Facts], argument: Argument,
    features: Features, fingerprint: str, origin: Facts,
) -> Problem:  # fmt: skip
    """A problem of this game. None depends on an open reading (see the top of this module), so none is named."""
    question = Question(ID, kind, level, 1, position, (prompt,))
    return Problem(question, tuple(answers), argument, (), features, f"{kind} {fingerprint}", origin)


class Holding(NamedTuple):
    """A seat has taken `card` in position `number` of a game."""

    number: int
    grid: Grid
    card: str
    source: Source

    @property
    def move(self) -> Move:
        return DRAW if self.source == "draw" else TAKE[self.card]

    @property
    def shape(self) -> str:
        """Up to suits and transposing; the pile matters only where an equal lies in the grid (CB-9)."""
        source = self.source if self.card[0] in self.grid.ranks else "any"
        return f"{shape(self.grid)} < {self.card[0]} {source}"

    @property
    def asked(self) -> Facts:
        return {"grid": drawn(self.grid), "card": self.card, "source": self.source}


def holdings(game: Game) -> Iterator[Holding]:
    """Every card that could be taken at the start of a turn of the game: the top one, and one a rank of the others."""
    for number, position in game.turns():
        grid = position.grids[position.to_move]
        if position.draw:
            yield Holding(number, grid, position.draw[0], "draw")
        for card in first_of_each_rank(position.discard):
            yield Holding(number, grid, card, "discard")


def find_place(stream: Stream, level: int, theme: str) -> Problem | None:
    """(a) All cells where a card may go."""
    game = play_game(stream)
    for holding in stream.shuffled(holdings(game)):
        features = place_features(holding.grid, holding.card, holding.source)
        if features is None or place_theme(features) != theme:
            continue
        if level_of(weigh(features, PLACE_WEIGHTS), PLACE_LEVELS) == level:
            return place_problem(game, holding, features, level)
    return None


def place_problem(game: Game, holding: Holding, features: Features, level: int) -> Problem:
    """The problem of one card and the grid of whoever took it."""
    number, grid, card, source = holding
    options = [place_option(grid, row, column, card, source) for row, column in cells_of(grid.size)]
    return _problem(
        "a", level, holding.asked, Prompt(f"place_{source}", {"card": card}),
        [option.option for option in options if option.right], Options(tuple(options)), features, holding.shape,
        game.origin(number, holding.move),
    )  # fmt: skip


def find_turn(stream: Stream, level: int, theme: str) -> Problem | None:
    """(b) All cells where a card gives another turn."""
    game = play_game(stream)
    for holding in stream.shuffled(holdings(game)):
        features = turn_features(holding.grid, holding.card, holding.source)
        if features is None or turn_theme(features) != theme:
            continue
        if level_of(weigh(features, TURN_WEIGHTS), TURN_LEVELS) == level:
            return turn_problem(game, holding, features, level)
    return None


def turn_problem(game: Game, holding: Holding, features: Features, level: int) -> Problem:
    """The problem of another turn with one card, in the grid of whoever took it."""
    number, grid, card, source = holding
    options = [turn_option(grid, row, column, card, source) for row, column in cells_of(grid.size)]
    return _problem(
        "b", level, holding.asked, Prompt(f"turn_{source}", {"card": card}),
        [option.option for option in options if option.right], Options(tuple(options)), features, holding.shape,
        game.origin(number, holding.move),
    )  # fmt: skip


GRIDS_TRIED, CHANGES_TRIED = 15, 12  # grids of a game, and cards changed in each


def find_order(stream: Stream, level: int, theme: str) -> Problem | None:
    """(c) The cards between which the order of a grid is broken."""
    game = play_game(stream, large=level == LEVELS[-1])  # few others are hard enough
    turns = list(game.turns())
    if level > LEVELS[2]:
        turns = turns[len(turns) // 2 :]  # the grids are fuller
    for _ in range(GRIDS_TRIED):
        number, position = stream.choice(turns)
        grid = stream.choice(position.grids)
        cells = [n for n, card in enumerate(grid) if card != EMPTY]
        for _ in range(CHANGES_TRIED):
            cell, card = stream.choice(cells), stream.choice(DECK)
            if card in grid or grid.fitting(card) >> cell & 1:
                continue
            features = order_features(grid, Cell(*_at(grid.size, cell), card))
            if features is None or order_theme(features) != theme:
                continue
            if level_of(weigh(features, ORDER_WEIGHTS), ORDER_LEVELS) == level:
                return order_problem(game, number, (*grid[:cell], card, *grid[cell + 1 :]), features, level)
    return None


def order_problem(game: Game, number: int, broken: Cards, features: Features, level: int) -> Problem:
    """The problem of a grid of position `number` in which one card has been changed."""
    pairs = [[[cell.row, cell.column] for cell in pair] for pair in decreases(broken)]
    return _problem(
        "c", level, {"grid": drawn(broken)}, Prompt("broken", {}), [{"cells": pair} for pair in pairs],
        Options(tuple(line_options(broken))), features, shape(broken), game.origin(number),
    )  # fmt: skip


# (d) A chain that fills the grid


class Tried(NamedTuple):
    """One line of takes and placements, up to where it fills the grid or can lead to nothing."""

    moves: tuple[Move, ...]
    outcome: str  # filled, turn_ends, takes_out
    empty: int  # cells left


def tried(position: Position, takes: int, moves: tuple[Move, ...] = ()) -> Iterator[Tried]:
    """Every line with cards from the discard pile, in at most so many takes, one suit a rank (CB-1).

    A line goes on while it gives another turn (CB-10) and as many takes are left as cells are empty; one that fills
    the grid is `filled` (CB-12). Nothing is thrown.
    """
    for card in first_of_each_rank(position.discard):
        holding, _ = position.play(TAKE[card])
        grid = holding.grids[holding.to_move]
        free = empty_cells(grid)
        for place in holding.legal():
            if not isinstance(place, Place):
                continue
            line = (*moves, TAKE[card], place)
            left = free - (grid[_index(grid, place)] == EMPTY)
            if not left:
                yield Tried(line, "filled", left)
            elif not diagonal_equals(grid, place.row, place.column, card):
                yield Tried(line, "turn_ends", left)
            elif left > takes - 1:
                yield Tried(line, "takes_out", left)
            else:
                after, _ = holding.play(place)
                yield from tried(after, takes - 1, line)


class Draft(NamedTuple):
    """A chain before it is played: the grid it begins with, what has to lie in the discard pile, how long it is."""

    grid: Cards
    discard: tuple[str, ...]
    takes: int

    def position(self) -> Position:
        """The draft alone, for the engine to try."""
        grid = Grid(self.grid)
        return Position(grid.size, 0, "take", (grid, grid), (), self.discard, None, ((), ()))


def grown(stream: Stream, size: int) -> tuple[list[str], list[str]]:
    """A filled grid in order with many equals, and the rest of the deck.

    The cards come from a few ranks. They are laid from low to high, each where two sides are closed, so equals come to
    lie side by side or diagonally next to each other.
    """
    few = stream.shuffled(VALUES)[: size + 2 + stream.below(5)]
    deck = stream.shuffled([card for card in DECK if card[0] in few])
    grid, lengths = [EMPTY] * size * size, [0] * size
    laid = deck[: size * size]
    for card in by_value(laid):
        row = stream.choice([n for n in range(size) if lengths[n] < size and (n == 0 or lengths[n - 1] > lengths[n])])
        grid[row * size + lengths[row]] = card
        lengths[row] += 1
    return grid, stream.shuffled([card for card in DECK if card not in laid])


def undone(
    stream: Stream, filled: Sequence[str], rest: Sequence[str], takes: int, covers: int, spare: int
) -> Draft | None:
    """A filled grid with its last placements taken back one by one; None where that does not come out.

    Each placement but the last had an equal diagonally, and hangs on the one before it: as that laid its only equal,
    or as that covered the very card that is laid now, which `covers` of them did. The last needs no equal, and has
    none. `spare` cards of the `rest` lie in the discard pile besides, none of which could be laid last.
    """
    full, grid = Grid(filled), list(filled)
    size = full.size
    covering = stream.shuffled(range(1, takes))[:covers]  # how many placements come after each
    cell, last = 0, -1
    used: list[str] = []  # the cards that the line takes from the discard pile as it lies, last first
    touched: set[int] = set()
    wanted = [n for n in range(size * size) if not _equals(grid, size, n)]
    for back in range(takes):
        below = used[-1] if back in covering else EMPTY
        # What is placed in an empty cell does not lie on the diagonal (CB-3).
        cells = [n for n in wanted if n not in touched and (n % (size + 1) or back in covering)]
        alone = 0 < back < takes - 1 and back + 1 not in covering  # the one before has to lay its only equal
        if alone:
            cells = [n for n in cells if len(_equals(grid, size, n)) == 1]
        elif back:
            cells = [n for n in cells if _equals(grid, size, n)]
        if back in covering:
            fitting = Grid(grid).fitting(below)
            cells = [n for n in cells if fitting >> n & 1 and grid[n][0] != below[0]]
            used.pop()
        if not cells:
            return None
        cell = stream.choice(cells)
        used.append(grid[cell])
        wanted = _equals(grid, size, cell) if alone else list(range(size * size))
        grid[cell] = below
        touched.add(cell)
        last = last if back else cell
    useless = [card for card in rest if not full.fitting(card) >> last & 1]
    return Draft(tuple(grid), tuple(stream.shuffled([*used, *useless[:spare]])), takes)


def _equals(grid: Sequence[str], size: int, cell: int) -> list[int]:
    """The cells diagonally next to a cell that hold a card of its rank."""
    return [n for n in corners(size, cell) if grid[n] != EMPTY and grid[n][0] == grid[cell][0]]


def played(stream: Stream, draft: Draft) -> Game | None:
    """A game of two that leads to the draft, seat 0 to move; None where seat 1 finds nothing to do.

    Seat 0 draws and places the cards of its grid. The discard pile is thrown as drawn: by seat 1, and by seat 0 once
    its grid is there; when it is there too, seat 1 fills cells of its own.
    """
    grid, thrown = draft.grid, list(draft.discard)
    size = side(grid)
    own = stream.shuffled([n for n, card in enumerate(grid) if card != EMPTY and n // size != n % size])
    rest = stream.shuffled([card for card in DECK if card not in grid and card not in thrown])
    hands, rest = (diagonal(grid), tuple(by_value(rest[:size]))), rest[size:]
    start = position = deal((*hands[0], *hands[1], *grid_cards(grid), *thrown, *rest), 2, size)
    moves: list[Move] = [Arrange(hand) for hand in hands]
    for move in moves:
        position, _ = position.play(move)
    order: list[str] = []  # of the draw pile: whoever is to move draws what is needed next
    while own or thrown or position.to_move:
        turn: Move = DISCARD
        if own and not position.to_move:
            cell = own.pop()
            card, turn = grid[cell], Place(*_at(size, cell))
        elif thrown:
            card = thrown.pop()
        else:
            found = next(_fillings(position.grids[1], rest), None)
            if found is None:
                return None
            card, turn = found
            rest.remove(card)
        order.append(card)
        position = position._replace(draw=(card, *[other for other in position.draw if other != card]))
        for move in (DRAW, turn):
            moves.append(move)
            position, _ = position.play(move)
    positions = [start._replace(draw=(*order, *position.draw))]
    for move in moves:
        positions.append(positions[-1].play(move)[0])
    return Game(tuple(positions), tuple(moves))


def grid_cards(grid: Cards) -> list[str]:
    """The cards beside the diagonal."""
    return [card for n, card in enumerate(grid) if card != EMPTY and n % (side(grid) + 1)]


def _fillings(grid: Grid, cards: Iterable[str]) -> Iterator[tuple[str, Place]]:
    """Every card that may go into a free cell, and that cell."""
    return (
        (card, place) for card in cards for place in places(grid, card, "draw") if grid[_index(grid, place)] == EMPTY
    )


def chain_features(position: Position, takes: int) -> Features | None:
    """What makes the chain hard to find; None unless exactly one line fills the grid.

    `takes`: takes beyond two; `covers`: cards that the line covers;
    `lures`: other first placements that give another turn (at most six count); `spare`: half the ranks in the discard
    pile that the line does not take.
    """
    found: list[Tried] = []
    moves: tuple[Move, ...] = ()
    for line in tried(position, takes):
        if line.outcome == "filled" and moves:
            return None
        moves = line.moves if line.outcome == "filled" else moves
        found.append(line)
    if not moves or len(found) < 4:  # a choice of two or three is no question
        return None
    first = {_placement(line.moves[:2]) for line in found if len(line.moves) > 2 or line.outcome == "takes_out"}
    taken = [move.card for move in moves if isinstance(move, Take)]
    lying = set(position.discard)
    covers = len(taken) - empty_cells(position.grids[position.to_move])
    return {
        "takes": takes - 2,
        "covers": covers,
        "lures": min(len(first - {_placement(moves[:2])}), 6),
        "spare": len({card[0] for card in lying} - {card[0] for card in taken}) // 2,
    }


def _placement(moves: Sequence[Move]) -> str:
    """A take and a placement up to suits."""
    take, place = map(str, moves)
    return f"{take[:-1]} {place}"


DRAFTS = 8  # chains taken back from one filled grid
TAKES = {1: (2,), 2: (2,), 3: (2, 3), 4: (2, 3), 5: (3, 3, 4)}  # that suit the chains of a level
SPARE = (1, 2, 3, 4, 5, 6)


def find_chain(stream: Stream, level: int, theme: str) -> Problem | None:
    """(d) The one chain that fills the grid this turn."""
    filled, rest = grown(stream, stream.choice((SIZES[0], SIZES[0], SIZES[-1])))
    for _ in range(DRAFTS):
        takes = stream.choice(TAKES[level])
        covers = 1 + stream.below(takes - 1) if theme == "covers" else 0
        draft = undone(stream, filled, rest, takes, covers, stream.choice(SPARE))
        features = draft and chain_features(draft.position(), takes)
        if draft is None or features is None or chain_theme(features) != theme:
            continue
        if level_of(weigh(features, CHAIN_WEIGHTS), CHAIN_LEVELS) == level and (game := played(stream, draft)):
            return chain_problem(game, takes, features, level)
    return None


NEAR_MISSES = 3


def chain_problem(game: Game, takes: int, features: Features, level: int) -> Problem:
    """The problem of the chain in the last position of a game."""
    before = game.positions[-1]
    found = list(tried(before, takes))
    right = next(line for line in found if line.outcome == "filled")
    grid = before.grids[before.to_move]
    near = [
        Option({"moves": list(map(str, line.moves))}, False, _missed(line, takes)) for line in near_misses(found, right)
    ]
    searched = reason("searched", searched=len(found), takes=takes)
    return _problem(
        "d", level, {"grid": drawn(grid), "discard": before.discard, "takes": takes},
        Prompt("finish", {"takes": takes}), [{"moves": list(map(str, right.moves))}],
        Line(chain_trace(before, right.moves), tuple(near), searched), features,
        f"{shape(grid)} < {ranks(by_value(before.discard))} {takes}", game.origin(len(game.moves)),
    )  # fmt: skip


def near_misses(found: Sequence[Tried], right: Tried) -> list[Tried]:
    """The lines that leave the fewest cells empty, longest first; of those that begin alike, one."""
    best: dict[str, Tried] = {}
    for line in sorted(found, key=lambda line: (line.empty, -len(line.moves))):
        if line is not right:
            best.setdefault(_placement(line.moves[:2]), line)
    return list(best.values())[:NEAR_MISSES]


def _missed(line: Tried, takes: int) -> Reason:
    """Why a line fails at its end."""
    take, place = line.moves[-2:]
    assert isinstance(take, Take)
    assert isinstance(place, Place)
    if line.outcome == "takes_out":
        return reason("takes_out", empty=line.empty, left=takes - len(line.moves) // 2, takes=takes)
    return reason("turn_ends", card=take.card, row=place.row, column=place.column, empty=line.empty)


def chain_trace(before: Position, moves: Sequence[Move]) -> Trace:
    """The line step by step, told from the engine's events."""
    position, steps, taken, covered = before, list[Step](), list[str](), list[str]()
    for move in moves:
        was = position
        position, events = position.play(move)
        if isinstance(move, Take):
            taken.append(move.card)
            continue
        assert isinstance(move, Place)
        grid, card = was.grids[was.to_move], taken[-1]
        here: dict[str, Any] = {"card": card, "row": move.row, "column": move.column}
        turn = next((event for event in events if event.kind == "another_turn"), None)
        why = reason("goes_on", **here, equals=turn.facts["equals"]) if turn else reason("fills", **here)
        under = grid[_index(grid, move)]
        notes = [_fits("in_order", grid, move.row, move.column, card), *_covering(card, under)]
        if card in covered:
            notes.append(reason("covered_before", card=card))
        covered.append(under)
        steps.append(Step(here, why, tuple(notes), ()))
    return Trace(reason("taken", cards=tuple(taken)), tuple(steps))


KINDS = {
    "a": Kind("a", 1, FIRST, dict.fromkeys(LEVELS, ("other", "opened", "closed")), find_place),
    "b": Kind(
        "b", 1, FIRST,
        {
            1: ("free", "covers"),
            2: ("covers", "two"),
            3: ("covers", "two"),
            4: ("two", "many"),
            5: ("many",),
        },
        find_turn,
    ),
    "c": Kind(
        "c", 1, FIRST,
        {
            1: ("next", "across"),
            2: ("next", "across", "several"),
            3: ("next", "across", "several"),
            4: ("next", "across", "several"),
            5: ("across", "several"),
        },
        find_order,
    ),
    "d": Kind(
        "d", 1, FIRST,
        {1: ("free", "covers"), 2: ("free", "covers"), 3: ("free", "covers"), 4: ("free", "covers"), 5: ("covers",)},
        find_chain,
    ),
}  # fmt: skip
