"""CascadeBeta, by the rules CB-1 to CB-13 and the readings CB-R1 to CB-R8.

Seats count from 0, rows and columns from 1; a card is rank and suit (`Th`). A grid is a tuple of 16 or 25 cards, row
by row, with EMPTY where no card lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, permutations
from typing import Literal, NamedTuple

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
    integer,
    made,
    members,
    no_repeats,
    playing_card,
    playing_cards,
    refuse,
    replaced,
)

ID = "cascadebeta"
RULES = (
    *(Rule(f"CB-{n}") for n in range(1, 14)),
    Rule("CB-R1", "follows"),
    Rule("CB-R2", "open"),
    Rule("CB-R3", "follows"),
    Rule("CB-R4", "follows"),
    Rule("CB-R5", "open"),
    Rule("CB-R6", "open"),
    Rule("CB-R7", "follows"),
    Rule("CB-R8", "follows"),
)

PLAYERS = (2, 3)  # CB-2
SIZES = (4, 5)  # CB-2
SETS: tuple[str, ...] = ()  # every list of the interchange object has an order
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)  # CB-1
VALUES = {rank: value for value, rank in enumerate(RANKS, 1)}  # CB-1: ace low
TIMES = 3  # CB-13
EMPTY = ".."

Phase = Literal["arrange", "take", "put", "over"]
PHASES: tuple[Phase, ...] = ("arrange", "take", "put", "over")
Source = Literal["draw", "discard"]
Cards = tuple[str, ...]
Turn = str


def sizes(players: int) -> tuple[int, ...]:
    """The grids that so many players may choose between (CB-2)."""
    return SIZES if players == 2 else SIZES[:1]


def draw_size(players: int, size: int) -> int:
    """How many cards the draw pile begins with (CB-4, CB-R1)."""
    return len(DECK) - players * size


def facts() -> dict[str, int]:
    """The numbers that rule texts and sheets quote."""
    return {
        "deck_size": len(DECK),
        "ace": VALUES["A"],
        "jack": VALUES["J"],
        "queen": VALUES["Q"],
        "king": VALUES["K"],
        "players_min": PLAYERS[0],
        "players_max": PLAYERS[-1],
        "size_small": SIZES[0],
        "size_large": SIZES[-1],
        "repetitions": TIMES,
        **{f"cells_{size}": size * size for size in SIZES},
        **{f"draw_{players}_{size}": draw_size(players, size) for players in PLAYERS for size in sizes(players)},
    }


@dataclass(frozen=True, slots=True)
class Arrange:
    """The own diagonal, top left first (CB-3)."""

    cards: Cards

    def __str__(self) -> str:
        return "arrange " + " ".join(self.cards)


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the top of the draw pile (CB-6)."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Take:
    """Take that card of the discard pile (CB-6)."""

    card: str

    def __str__(self) -> str:
        return f"take {self.card}"


@dataclass(frozen=True, slots=True)
class Place:
    """Lay the card taken into that cell of the own grid (CB-7)."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"place {self.row} {self.column}"


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw the card taken (CB-7)."""

    def __str__(self) -> str:
        return "discard"


Move = Arrange | Draw | Take | Place | Discard
DRAW, DISCARD = Draw(), Discard()
TAKE = {card: Take(card) for card in DECK}


class Taken(NamedTuple):
    """The card taken and not yet put, and the pile it comes from."""

    card: str
    source: Source


class Cell(NamedTuple):
    """A cell of a grid and the card that lies in it."""

    row: int
    column: int
    card: str


# ── one grid ──


_SIDE = {size * size: size for size in SIZES}


def side(grid: Cards) -> int:
    """How many rows, and columns, a grid has."""
    return _SIDE[len(grid)]


def ranks(cards: Sequence[str]) -> str:
    """The ranks alone, as one string: suits never matter (CB-1)."""
    return "".join(cards)[::2]


def lines(grid: Cards) -> tuple[tuple[Cell, ...], ...]:
    """The cards of every row, then of every column, in their order, empty cells skipped (CB-8)."""
    size = side(grid)
    cells = [Cell(place // size + 1, place % size + 1, card) for place, card in enumerate(grid)]
    rows = [cells[first : first + size] for first in range(0, len(cells), size)]
    columns = [cells[first::size] for first in range(size)]
    return tuple(tuple(cell for cell in line if cell.card != EMPTY) for line in rows + columns)


def decreases(grid: Cards) -> tuple[tuple[Cell, Cell], ...]:
    """Every pair of neighbours in a row or column, empty cells skipped, of which the second is lower (CB-8)."""
    return tuple(
        (one, other)
        for line in lines(grid)
        for one, other in pairwise(line)
        if VALUES[one.card[0]] > VALUES[other.card[0]]
    )


def broken_order(grid: Cards, row: int, column: int, card: str) -> tuple[Cell, ...]:
    """The neighbours that forbid the card in that cell (CB-8), none where it fits. What it covers is gone (CB-R3)."""
    here, place = Cell(row, column, card), (row - 1) * side(grid) + column - 1
    pairs = decreases((*grid[:place], card, *grid[place + 1 :]))
    return tuple(other if one == here else one for one, other in pairs if here in (one, other))


# Where cards may go is a set of pairs (value of a card, cell of the grid), held as a number: bit value * CELLS + cell,
# the cells counted row by row from 0. So a whole row or column is looked up at once, whatever the card.
# It says nothing but CB-8, which reads plainly in `decreases` and `broken_order` above; tests hold the two together.
CELLS = SIZES[-1] ** 2


@cache
def span(low: int, high: int) -> int:
    """The pairs of cell 0 with the values from low to high."""
    return sum(1 << value * CELLS for value in range(low, high + 1))


@lru_cache(1 << 16)
def fits(line: str, step: int) -> int:
    """The pairs of a row or column that CB-8 allows, what is covered gone (CB-R3).

    `line` is the ranks as they lie (25,053 lines are in order); its places are the cells 0, `step`, 2 * `step`, ...
    """
    lows, highs = [VALUES.get(rank, 1) for rank in line], [VALUES.get(rank, 13) for rank in line]
    pairs = 0
    for place in range(len(line)):
        pairs |= span(max([1, *lows[:place]]), min([13, *highs[place + 1 :]])) << place * step
    return pairs


@cache
def other_lines(size: int, place: int) -> tuple[int, int]:
    """All pairs outside the row, and all outside the column, of a cell."""
    row, column = place // size, place % size
    cells = [(cell, span(VALUES["A"], VALUES["K"]) << cell) for cell in range(size * size)]
    return (
        sum(pairs for cell, pairs in cells if cell // size != row),
        sum(pairs for cell, pairs in cells if cell % size != column),
    )


class Grid(Cards):
    """A grid that knows its ranks, and the pairs that its rows and its columns allow (CB-8). It never changes."""

    size: int
    ranks: str
    by_rows: int
    by_columns: int

    def __new__(cls, cards: Iterable[str]) -> Grid:
        grid = super().__new__(cls, cards)
        size, seen = side(grid), ranks(grid)
        grid.size, grid.ranks, grid.by_rows, grid.by_columns = size, seen, 0, 0
        for n in range(size):
            grid.by_rows |= fits(seen[n * size : (n + 1) * size], 1) << n * size
            grid.by_columns |= fits(seen[n::size], size) << n
        return grid

    def laid(self, place: int, card: str) -> Grid:
        """The grid once the card lies in that cell, over whatever lay there: one row and one column have changed."""
        size, column = self.size, place % self.size
        first = place - column
        grid = tuple.__new__(Grid, (*self[:place], card, *self[place + 1 :]))
        seen = self.ranks[:place] + card[0] + self.ranks[place + 1 :]
        other_rows, other_columns = other_lines(size, place)
        grid.size, grid.ranks = size, seen
        grid.by_rows = self.by_rows & other_rows | fits(seen[first : first + size], 1) << first
        grid.by_columns = self.by_columns & other_columns | fits(seen[column::size], size) << column
        return grid

    def fitting(self, card: str) -> int:
        """The cells where CB-8 lets a card lie: bit n is cell n."""
        return (self.by_rows & self.by_columns) >> VALUES[card[0]] * CELLS & (1 << CELLS) - 1


def open_cells(cards: Cards, card: str, source: Source) -> int:
    """Where in a grid in order a card from that pile may go (CB-8, CB-9): bit n is cell n, row by row from 0."""
    grid = cards if isinstance(cards, Grid) else Grid(cards)
    cells = grid.fitting(card)
    if source == "discard":
        cell = grid.ranks.find(card[0])
        while cell >= 0:
            cells &= ~(1 << cell)
            cell = grid.ranks.find(card[0], cell + 1)
    return cells


@lru_cache(1 << 15)
def puts(size: int, cells: int) -> tuple[Move, ...]:
    """What may be done with a card taken (CB-7): place it in one of these cells (bit n is cell n), or throw it."""
    return *(Place(n // size + 1, n % size + 1) for n in range(size * size) if cells >> n & 1), DISCARD


def places(grid: Cards, card: str, source: Source) -> tuple[Place, ...]:
    """Where in a grid in order a card from that pile may go (CB-8, CB-9), as moves."""
    return tuple(move for move in puts(side(grid), open_cells(grid, card, source)) if isinstance(move, Place))


@cache
def corners(size: int, place: int) -> tuple[int, ...]:
    """The cells diagonally next to a cell, one to four, all counted row by row from 0."""
    row, column = divmod(place, size)
    around = ((row + down, column + right) for down in (-1, 1) for right in (-1, 1))
    return tuple(r * size + c for r, c in around if r in range(size) and c in range(size))


def diagonal_equals(grid: Cards, row: int, column: int, card: str) -> tuple[Cell, ...]:
    """The cards diagonally next to a cell that have the rank of `card` (CB-10, CB-R4)."""
    size, rank = side(grid), card[0]
    equals = [place for place in corners(size, (row - 1) * size + column - 1) if grid[place][0] == rank]
    return tuple([Cell(place // size + 1, place % size + 1, grid[place]) for place in equals]) if equals else ()


def diagonal(grid: Cards) -> Cards:
    """The cells of the diagonal, top left first."""
    return grid[:: side(grid) + 1]


def empty_cells(grid: Cards) -> int:
    """How many cells hold no card."""
    return grid.count(EMPTY)


# ── the table ──


class View(NamedTuple):
    """What one seat may see: of the draw pile its height alone, of other hands and of a card that another seat has
    drawn nothing but that they are there (EMPTY stands for a card unseen)."""

    seat: int
    size: int
    to_move: int
    phase: Phase
    grids: tuple[Grid, ...]
    draw: int
    discard: Cards
    taken: Taken | None
    hands: tuple[Cards, ...]


class Position(NamedTuple):
    """The referee's view. `starts` holds what CB-13 compares, for each start of a turn that could still come again."""

    size: int
    to_move: int
    phase: Phase
    grids: tuple[Grid, ...]
    draw: Cards
    discard: Cards
    taken: Taken | None
    hands: tuple[Cards, ...]
    starts: tuple[Turn, ...] = ()

    @property
    def players(self) -> int:
        return len(self.grids)

    def legal(self) -> Sequence[Move]:
        if self.phase == "arrange":
            return tuple(map(Arrange, permutations(self.hands[self.to_move])))  # CB-3
        if self.phase == "take":
            return *((DRAW,) if self.draw else ()), *map(TAKE.__getitem__, self.discard)  # CB-6
        if self.taken is not None:
            return puts(self.size, open_cells(self.grids[self.to_move], *self.taken))  # CB-7
        return ()

    def play(self, move: Move) -> tuple[Position, tuple[Event, ...]]:
        if isinstance(move, Place):
            return self._place(move.row, move.column)
        if isinstance(move, Take):
            return self._take(move.card)
        if isinstance(move, Draw):
            return self._draw()
        return self._discard() if isinstance(move, Discard) else self._arrange(move.cards)

    def _not_now(self) -> IllegalMove:
        """The refusal of a move that belongs to another phase, by the rule that says what is due."""
        if self.phase == "arrange":
            return IllegalMove("CB-3", f"seat {self.to_move} has its diagonal to lay")
        if self.phase == "take":
            return IllegalMove("CB-6", f"seat {self.to_move} has to take a card")
        if self.taken is not None:
            return IllegalMove("CB-7", f"seat {self.to_move} has to throw or place {self.taken.card}")
        return IllegalMove("CB-12" if self._filled() else "CB-13", "the game is over")

    def _arrange(self, cards: Cards) -> tuple[Position, tuple[Event, ...]]:
        """CB-3, in seat order; seat 0 then has the first turn (CB-R6)."""
        size, seat = self.size, self.to_move
        if self.phase == "over":
            raise self._not_now()
        if self.phase != "arrange":
            raise IllegalMove("CB-3", "every diagonal is laid")
        if sorted(cards) != sorted(self.hands[seat]):
            raise IllegalMove("CB-3", f"seat {seat} has {' '.join(self.hands[seat])} to lay, each once")
        grid = [EMPTY] * size * size
        grid[:: size + 1] = cards
        grids = replaced(self.grids, seat, Grid(grid))
        hands = replaced(self.hands, seat, ())
        events = [event("CB-3", "arrange", {"seat": seat, "cards": cards})]
        if seat + 1 < self.players:
            return Position(size, seat + 1, "arrange", grids, self.draw, self.discard, None, hands), tuple(events)
        events.append(event("CB-R6", "first_turn", {"seat": 0}))
        return self._start_turn(0, hands, grids, self.discard, (), events)

    def _draw(self) -> tuple[Position, tuple[Event, ...]]:
        if self.phase != "take":
            raise self._not_now()
        if not self.draw:
            raise IllegalMove("CB-11", "the draw pile is out")
        card, left = self.draw[0], self.draw[1:]
        events = [event("CB-6", "draw", {"seat": self.to_move, "card": card, "left": len(left)})]
        if not left:
            events.append(event("CB-11", "draw_pile_out", {}))
        taken = Taken(card, "draw")
        return self._put_next(left, self.discard, taken), tuple(events)

    def _take(self, card: str) -> tuple[Position, tuple[Event, ...]]:
        if self.phase != "take":
            raise self._not_now()
        pile = self.discard
        if card not in pile:
            raise IllegalMove("CB-6", f"{card} is not in the discard pile")
        at = pile.index(card)
        told = event("CB-6", "take", {"seat": self.to_move, "card": card})
        return self._put_next(self.draw, pile[:at] + pile[at + 1 :], Taken(card, "discard")), (told,)

    def _put_next(self, draw: Cards, discard: Cards, taken: Taken) -> Position:
        size, to_move, _, grids, _, _, _, hands, starts = self
        return made(Position, (size, to_move, "put", grids, draw, discard, taken, hands, starts))

    def _discard(self) -> tuple[Position, tuple[Event, ...]]:
        """CB-7; straight back to where it came from by CB-R2."""
        if self.taken is None:
            raise self._not_now()
        card, source = self.taken
        rule, kind = ("CB-7", "throw") if source == "draw" else ("CB-R2", "throw_back")
        events = [event(rule, kind, {"seat": self.to_move, "card": card})]
        earlier = () if source == "draw" else self.starts  # as in _place
        seat = (self.to_move + 1) % len(self.grids)
        return self._start_turn(seat, self.hands, self.grids, (*self.discard, card), earlier, events)

    def _place(self, row: int, column: int) -> tuple[Position, tuple[Event, ...]]:
        size, seat, _, grids, draw, discard, taken, hands, earlier = self
        if taken is None:
            raise self._not_now()
        grid, (card, source) = grids[seat], taken
        if not (1 <= row <= size and 1 <= column <= size):
            raise IllegalMove("CB-7", f"there is no cell {row} {column} in a grid of {size} rows and columns")
        place = (row - 1) * size + column - 1
        covered = grid[place]
        rank = card[0]
        if source == "discard" and covered[0] == rank:
            raise IllegalMove("CB-9", f"{card} comes from the discard pile and cannot cover {covered}")
        if not grid.fitting(card) >> place & 1:
            against = ", ".join(f"{c} in {r} {k}" for r, k, c in broken_order(grid, row, column, card))
            raise IllegalMove("CB-8", f"{card} in {row} {column} would break the order with {against}")
        grid = grid.laid(place, card)
        grids = replaced(grids, seat, grid)
        facts = {"seat": seat, "card": card, "row": row, "column": column}
        if covered == EMPTY:
            events = [event("CB-7", "place", facts)]
        else:
            facts["covered"] = covered
            events = [event("CB-9", "cover_equal", facts) if covered[0] == rank else event("CB-7", "cover", facts)]
            discard += (covered,)
        if covered == EMPTY or source == "draw":
            earlier = ()  # no earlier position can come again: neither draw pile nor free cells ever grow
        equals = diagonal_equals(grid, row, column, card)
        if EMPTY not in grid:
            after = Position(size, seat, "over", grids, draw, discard, None, hands)
            if equals:
                events.append(event("CB-R4", "win_before_another_turn", {"seat": seat, "equals": equals}))
            events.append(event("CB-12", "filled", {"seat": seat, "result": after.result()}))
            return after, tuple(events)
        if equals:
            events.append(event("CB-10", "another_turn", {**facts, "equals": equals}))
        else:
            seat = (seat + 1) % len(grids)
        return self._start_turn(seat, hands, grids, discard, earlier, events)

    def _start_turn(
        self,
        seat: int,
        hands: tuple[Cards, ...],
        grids: tuple[Grid, ...],
        discard: Cards,
        earlier: tuple[Turn, ...],
        events: list[Event],
    ) -> tuple[Position, tuple[Event, ...]]:
        """CB-13: count the start of a turn."""
        start = turn(seat, grids, discard)
        times = earlier.count(start) + 1 if earlier else 1
        phase: Phase = "over" if times == TIMES else "take"
        after = made(Position, (self.size, seat, phase, grids, self.draw, discard, None, hands, (*earlier, start)))
        if times > 1:
            events.append(event("CB-13", "repeated", {"seat": seat, "times": times}))
        if times == TIMES:
            events.append(event("CB-13", "repetition", {"result": after.result()}))
        return after, tuple(events)

    def _filled(self) -> bool:
        """CB-12."""
        return EMPTY not in self.grids[self.to_move]

    def result(self) -> dict[str, Json] | None:
        """CB-12, CB-13: a filled grid wins, else the fewest empty cells; equals draw."""
        if self.phase != "over":
            return None
        empty = list(map(empty_cells, self.grids))
        winners = [seat for seat, cells in enumerate(empty) if cells == min(empty)]
        return {"winners": winners, "by": "filled" if self._filled() else "repetition", "empty": empty}

    def view(self, seat: int) -> View:
        """CB-5: grids and discard pile are open, the draw pile and what others hold are not."""
        taken, hands = self.taken, self.hands
        if taken and taken.source == "draw" and seat != self.to_move:
            taken = Taken(EMPTY, "draw")
        hands = tuple(hand if s == seat else (EMPTY,) * len(hand) for s, hand in enumerate(hands))
        return View(seat, self.size, self.to_move, self.phase, self.grids, len(self.draw), self.discard, taken, hands)

    def afresh(self) -> Position:
        """The same position with its count of repetitions begun anew, which is what JSON carries."""
        start = (turn(self.to_move, self.grids, self.discard),) if self.phase == "take" else ()
        return self._replace(starts=start)


def turn(seat: int, grids: tuple[Grid, ...], discard: Cards) -> Turn:
    """What CB-13 compares at the start of a turn: ranks, and the discard pile whatever its order (CB-R5)."""
    return "/".join([str(seat), "".join(sorted(ranks(discard))), *[grid.ranks for grid in grids]])


def deal(deck: Sequence[str], players: int, size: int = SIZES[0]) -> Position:
    """CB-3, CB-4: a hand as long as the grid has rows for each seat, then the draw pile."""
    check_players(players, PLAYERS)
    if size not in sizes(players):
        refuse(f"{size} rows, but {players} players have a grid of {' or '.join(map(str, sizes(players)))}")
    check_deck(deck, DECK)
    hands = tuple(tuple(deck[seat * size : (seat + 1) * size]) for seat in range(players))
    grids = (Grid((EMPTY,) * size * size),) * players
    return Position(size, 0, "arrange", grids, tuple(deck[players * size :]), (), None, hands)


def move_from_text(text: str) -> Move:
    """`arrange 7h 2s Kd 9c`, `draw`, `take 5d`, `place 2 3` or `discard`."""
    kind, *words = text.split(" ")
    if kind == "arrange" and len(words) in SIZES and all(word in TAKE for word in words):
        return Arrange(tuple(words))
    if kind == "take" and len(words) == 1 and words[0] in TAKE:
        return TAKE[words[0]]
    if kind == "place" and len(words) == 2 and all(word in ("1", "2", "3", "4", "5") for word in words):
        return Place(int(words[0]), int(words[1]))
    if text == "draw":
        return DRAW
    if text == "discard":
        return DISCARD
    refuse(f"{excerpt(text)} is not a move")


def position_to_json(position: Position) -> dict[str, Json]:
    size, taken = position.size, position.taken
    return {
        "game": ID,
        "size": size,
        "players": position.players,
        "to_move": position.to_move,
        "phase": position.phase,
        "grids": [
            [[None if card == EMPTY else card for card in grid[n : n + size]] for n in range(0, size * size, size)]
            for grid in position.grids
        ],
        "draw": list(position.draw),
        "discard": list(position.discard),
        "taken": taken and {"card": taken.card, "from": taken.source},
        "hands": [list(hand) for hand in position.hands],
    }


def position_from_json(data: Json) -> Position:
    """Its count of repetitions starts afresh (CB-R5)."""
    size, players, to_move, phase, grids, draw, discard, taken, hands = fields(
        data, ID, "size", "players", "to_move", "phase", "grids", "draw", "discard", "taken", "hands"
    )
    size = integer(size, "size", SIZES[0], SIZES[-1])
    players = integer(players, "players", PLAYERS[0], PLAYERS[-1])
    if phase not in PHASES:
        refuse(f'"phase" holds {excerpt(phase)}, not {", ".join(PHASES)}')
    position = Position(
        size,
        integer(to_move, "to_move", 0, players - 1),
        phase,
        tuple(_grid_from_json(grid, size) for grid in array(grids, "grids", players)),
        playing_cards(draw, "draw"),
        playing_cards(discard, "discard"),
        None if taken is None else _taken_from_json(taken),
        tuple(playing_cards(hand, "hands") for hand in array(hands, "hands", players)),
    ).afresh()
    check(position)
    return position


def _grid_from_json(value: Json, size: int) -> Grid:
    rows = [array(row, "grids", size) for row in array(value, "grids", size)]
    return Grid(EMPTY if card is None else playing_card(card, "grids") for row in rows for card in row)


def _taken_from_json(value: Json) -> Taken:
    card, source = members(value, "taken", "card", "from")
    if source not in ("draw", "discard"):
        refuse(f'"taken" comes from {excerpt(source)}, not draw or discard')
    return Taken(playing_card(card, "taken"), source)


def canonical(position: Position) -> Position:
    """Nothing in this game's interchange form compares as a set."""
    return position


def check(position: Position) -> None:
    """Refuse a position that no game could reach: the invariants of the rules file."""
    size, to_move, phase, grids, draw, discard, taken, hands, _ = position
    if size not in sizes(position.players):
        refuse(f"{position.players} players do not use a grid of {size} rows")
    laid = [card for grid in grids for card in grid if card != EMPTY]
    cards = [*laid, *draw, *discard, *([taken.card] if taken else []), *(card for hand in hands for card in hand)]
    no_repeats(cards)
    if len(cards) != len(DECK):
        refuse(f"{len(cards)} cards, not {len(DECK)}")
    for seat, grid in enumerate(grids):
        for one, other in decreases(grid):
            refuse(
                f"the grid of seat {seat} is out of order: {one.card} in {one.row} {one.column} "
                f"before {other.card} in {other.row} {other.column}"
            )
    if (taken is not None) != (phase == "put"):
        refuse('a card is taken exactly when "phase" is put')
    if phase == "arrange":
        _check_arrange(position)
        return
    for seat, (grid, hand) in enumerate(zip(grids, hands, strict=True)):
        if hand:
            refuse(f"seat {seat} holds cards, but every diagonal is laid")
        if EMPTY in diagonal(grid):
            refuse(f"a cell of the diagonal of seat {seat} is empty")
        if EMPTY not in grid and phase != "over":
            refuse(f"the grid of seat {seat} is filled, but the game goes on")
        if EMPTY not in grid and seat != to_move:
            refuse(f"the grid of seat {seat} is filled, but seat {to_move} is named as the winner")


def _check_arrange(position: Position) -> None:
    """Diagonals are laid in seat order, and nothing else has happened yet (CB-3, CB-R6)."""
    size, to_move, _, grids, draw, discard, _, hands, _ = position
    for seat, (grid, hand) in enumerate(zip(grids, hands, strict=True)):
        laid = size if seat < to_move else 0
        if len(hand) != size - laid:
            refuse(f"seat {seat} holds {len(hand)} cards while seat {to_move} lays, not {size - laid}")
        if len(grid) - empty_cells(grid) != laid or (laid and EMPTY in diagonal(grid)):
            refuse(f"the grid of seat {seat} is not {'its diagonal alone' if laid else 'empty'}")
    if discard or len(draw) != draw_size(position.players, size):
        refuse("cards have left the draw pile before every diagonal is laid")


# The author's form. `seat 0:` is followed by its grid, or by the hand it has yet to lay. `to move` may be left out
# where it is seat 0, the one that lays next, or the winner; `draw` names the top of the draw pile, below which lie
# all cards named nowhere, in the order of DECK.
#
#     seat 0:
#       7h .. .. ..
#       .. 8s 9s ..
#       .. .. Kd ..
#       .. .. .. Kc
#     seat 1: lays 7c 2s 3d 9c
#     to move: 1
#     taken: 5h from discard
#     discard: 5d As
#     draw: Ks
#     over: repetition


def position_to_text(position: Position) -> str:
    size, to_move, phase, grids, draw, discard, taken, hands, _ = position
    written = []
    for seat, (grid, hand) in enumerate(zip(grids, hands, strict=True)):
        if hand:
            written.append(f"seat {seat}: lays {' '.join(hand)}")
        else:
            written.append(f"seat {seat}:")
            written += [f"  {' '.join(grid[n : n + size])}" for n in range(0, size * size, size)]
    if phase == "over" and not _full(grids):
        written.append("over: repetition")
    written.append(f"to move: {to_move}")
    if taken:
        written.append(f"taken: {taken.card} from {taken.source}")
    if discard:
        written.append(f"discard: {' '.join(discard)}")
    if list(draw) != [card for card in DECK if card in draw]:
        written.append(f"draw: {' '.join(draw)}")
    return "\n".join(written)


def _full(grids: Sequence[Sequence[str]]) -> list[int]:
    """The seats whose grid is filled."""
    return [seat for seat, grid in enumerate(grids) if EMPTY not in grid]


def position_from_text(text: str) -> Position:
    rows: list[list[list[str]]] = []
    hands: list[list[str]] = []
    said: dict[str, str] = {}
    for line in filled_lines(text):
        label, colon, words = (part.strip() for part in line.partition(":"))
        if label == f"seat {len(rows)}" and colon and (not words or words.split()[0] == "lays"):
            rows.append([])
            hands.append(words.split()[1:])
        elif label in ("to move", "taken", "discard", "draw", "over") and colon and label not in said:
            said[label] = words
        elif not colon and rows and not said:
            rows[-1].append(line.split())
        else:
            refuse(
                f"{excerpt(line)}: expected 'seat {len(rows)}:' with its grid or 'lays …', and then once each, where "
                "they say something, 'to move: …', 'taken: …', 'discard: …', 'draw: …', 'over: repetition'"
            )
    if not rows:
        refuse("no seat is named")
    size = len(rows[0] or hands[0])
    for seat, (grid, hand) in enumerate(zip(rows, hands, strict=True)):
        if hand and grid:
            refuse(f"seat {seat} has a grid and cards to lay")
        if hand:
            grid += [[EMPTY] * size for _ in range(size)]
    full = _full([[card for row in grid for card in row] for grid in rows])
    laying = [seat for seat, hand in enumerate(hands) if hand]
    if said.get("over", "repetition") != "repetition":
        refuse(f"over: {excerpt(said['over'])}, not repetition; a filled grid ends the game by itself")
    if full and "over" in said:
        refuse("over: repetition, but a filled grid ends the game by itself")
    phase = "over" if full or "over" in said else "arrange" if laying else "put" if "taken" in said else "take"
    discard, draw = said.get("discard", "").split(), said.get("draw", "").split()
    taken = _taken_from_text(said["taken"]) if "taken" in said else None
    named = {card for grid in rows for row in grid for card in row}.union(*hands, discard, draw)
    named |= {taken["card"]} if taken else set()
    return position_from_json(
        {
            "game": ID,
            "size": size,
            "players": len(rows),
            "to_move": _seat_from_text(said["to move"]) if "to move" in said else [*laying, *full, 0][0],
            "phase": phase,
            "grids": [[[None if card == EMPTY else card for card in row] for row in grid] for grid in rows],
            "draw": [*draw, *(card for card in DECK if card not in named)],
            "discard": discard,
            "taken": taken,
            "hands": hands,
        }
    )


def _taken_from_text(words: str) -> dict[str, str]:
    card, _, source = words.partition(" from ")
    return {"card": card.strip(), "from": source.strip()}


def _seat_from_text(word: str) -> int:
    if word not in ("0", "1", "2"):
        refuse(f"to move: {excerpt(word)} is not a seat")
    return int(word)
