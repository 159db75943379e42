"""CascadeBeta against its rules, the source's examples, the conformance traces, and itself."""

from __future__ import annotations

import copy
import gzip
import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import catalogue
from kit.games import cascadebeta as game
from kit.games import record
from kit.games.cascadebeta import (
    DISCARD,
    DRAW,
    EMPTY,
    Arrange,
    Cell,
    Discard,
    Draw,
    Place,
    Position,
    Take,
    Taken,
)
from kit.games.core import BadPosition, IllegalMove

VECTORS = Path(__file__).parent / "vectors" / "cascadebeta.jsonl.gz"

TABLE = """
seat 0:
  3h .. 3s 9h
  .. 5h .. ..
  .. .. 7h ..
  .. .. .. Kh
seat 1:
  Ah .. .. ..
  .. 2h .. ..
  .. .. 4h ..
  .. .. .. 6h
"""

ALMOST = """
seat 0:
  Ah 2h 3h 4h
  2s 3s 4s 5s
  3d 4d 5d ..
  4c 5c 6c 8c
seat 1:
  As .. .. ..
  .. 2d .. ..
  .. .. 2c ..
  .. .. .. Ad
"""

WIDE = """
seat 0:
  3h .. .. .. 3s
  .. 5h .. .. ..
  .. .. 7h .. ..
  .. .. .. 9h ..
  .. .. .. .. Kh
seat 1:
  Kd .. .. .. ..
  .. 7d .. .. ..
  .. .. 4d .. ..
  .. .. .. 2d ..
  .. .. .. .. Ad
"""

SEVENS = """
seat 0:
  Ah 2h 7h 8h
  3h 7s 9h Th
  7d 8s Jh Qh
  9s Js .. Kh
seat 1:
  As .. .. ..
  .. 2d .. ..
  .. .. 2c ..
  .. .. .. Ad
"""

THREE = """
seat 0:
  Ah 2h 3h 4h
  2s 3s 4s 5s
  3d 4d 5d ..
  4c 5c 6c 8c
seat 1:
  As 6s 6h 7h
  7s 7d 8s 9s
  8h 8d 9h 9d
  Ts Th .. Td
seat 2:
  Ac .. .. ..
  .. 2d .. ..
  .. .. 2c ..
  .. .. .. Ad
"""

LEAST = """
seat 0:
  As .. Ah Ad Ac
  2s 2h 2d 2c 3s
  3h 3d 3c 4s 4h
  4d 4c 5s 5h 5d
  5c 6s 6h 6d 6c
seat 1:
  8s 8h 8d 8c 9s
  9h 9d 9c Ts Th
  Td Tc Js Jh Jd
  Jc Qs Qh Qd Qc
  Ks Kh Kd .. Kc
discard: 7s 7h 7d 7c
"""


def at(*lines: str, table: str = TABLE) -> Position:
    return game.position_from_text(table + "\n".join(lines))


def text_grid(*rows: str) -> tuple[str, ...]:
    return tuple(card for row in rows for card in row.split())


def kinds(position: Position, *moves: str) -> tuple[Position, list[tuple[str, str]]]:
    """The position after these moves, and the events of the last one."""
    events: tuple[Any, ...] = ()
    for text in moves:
        position, events = position.play(game.move_from_text(text))
    return position, [(event.rule, event.kind) for event in events]


def refused(position: Position, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        position.play(game.move_from_text(move))
    assert game.move_from_text(move) not in position.legal()
    return error.value.rule


def places(position: Position) -> set[tuple[int, int]]:
    return {(move.row, move.column) for move in position.legal() if isinstance(move, Place)}


# ── conformance ──


def test_selected_traces_agree_and_show_every_rule_that_an_event_can_name() -> None:
    seen = set()
    with gzip.open(VECTORS) as stream:
        for _, line in record.lines(stream):
            for events in record.replay(record.parse(line), catalogue.game).events:
                seen |= {event.rule for event in events}
    assert seen == {
        "CB-3", "CB-6", "CB-7", "CB-9", "CB-10", "CB-11", "CB-12", "CB-13", "CB-R2", "CB-R4", "CB-R6"
    }  # fmt: skip
    assert seen <= {rule.id for rule in game.RULES}


# ── the deal ──


@pytest.mark.parametrize(("players", "size", "left"), [(2, 4, 44), (3, 4, 40), (2, 5, 42)])
@pytest.mark.rules("CB-2", "CB-3", "CB-4", "CB-R1", "CB-R8")
def test_deal_gives_hands_in_blocks_then_the_draw_pile(players: int, size: int, left: int) -> None:
    position = game.deal(game.DECK, players, size)
    assert position.hands == tuple(game.DECK[n * size : (n + 1) * size] for n in range(players))
    assert position.draw == game.DECK[players * size :]
    assert len(position.draw) == game.draw_size(players, size) == left == game.facts()[f"draw_{players}_{size}"]
    game.check(position)


@pytest.mark.parametrize(
    ("deck", "players", "size", "fault"),
    [
        (game.DECK, 4, 4, "4 players"),
        (game.DECK, 1, 4, "1 players"),
        (game.DECK, 2, 6, "6 rows"),
        (game.DECK, 3, 5, "5 rows"),
        (game.DECK[:-1], 2, 4, "52 cards"),
        ((*game.DECK[:-1], "As"), 2, 4, "52 cards"),
        ((*game.DECK, "As"), 2, 4, "52 cards"),
    ],
)
@pytest.mark.rules("CB-1", "CB-2", "CB-R8")
def test_deal_refuses(deck: tuple[str, ...], players: int, size: int, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        game.deal(deck, players, size)


@pytest.mark.rules("CB-1", "CB-2")
def test_facts() -> None:
    assert game.facts() == {
        "deck_size": 52, "ace": 1, "jack": 11, "queen": 12, "king": 13, "players_min": 2, "players_max": 3,
        "size_small": 4, "size_large": 5, "repetitions": 3, "cells_4": 16, "cells_5": 25,
        "draw_2_4": 44, "draw_3_4": 40, "draw_2_5": 42,
    }  # fmt: skip


@pytest.mark.parametrize(("players", "size"), [(2, 4), (3, 4), (2, 5)])
@pytest.mark.rules("CB-3", "CB-R6")
def test_cb3_every_order_of_the_diagonal_is_legal(players: int, size: int) -> None:
    position = game.deal(game.DECK, players, size)
    for seat in range(players):
        assert position.to_move == seat
        assert set(position.legal()) == set(map(Arrange, permutations(game.DECK[seat * size : (seat + 1) * size])))
        order = position.legal()[-1]
        assert isinstance(order, Arrange)
        position, events = position.play(order)
        assert game.diagonal(position.grids[seat]) == order.cards == events[0].facts["cards"]
        assert game.empty_cells(position.grids[seat]) == size * size - size
    assert [(event.rule, event.kind) for event in events] == [("CB-3", "arrange"), ("CB-R6", "first_turn")]
    assert (position.phase, position.to_move, position.legal()) == ("take", 0, (DRAW,))


@pytest.mark.rules("CB-3")
def test_cb3_refusals() -> None:
    position = game.deal(game.DECK, 2)
    assert refused(position, "arrange As 2s 3s 5s") == "CB-3"
    assert refused(position, "arrange As 2s 3s 3s") == "CB-3"
    assert refused(position, "arrange As 2s 3s 4s 5s") == "CB-3"
    for move in "draw", "take As", "place 1 1", "discard":
        assert refused(position, move) == "CB-3"
    assert refused(at(), "arrange 3h 5h 7h Kh") == "CB-3"
    assert refused(at("taken: 2s from draw"), "arrange 3h 5h 7h Kh") == "CB-3"


@pytest.mark.rules("CB-3", "CB-8")
def test_cb3_a_diagonal_may_decrease() -> None:
    """Its cells share no row and no column, so nothing is out of order."""
    position, seen = kinds(game.deal(game.DECK, 2), "arrange 4s 3s 2s As")
    assert seen == [("CB-3", "arrange")]
    game.check(position)


# ── taking ──


@pytest.mark.rules("CB-6")
def test_cb6_the_top_of_the_draw_pile_or_any_discard() -> None:
    position = at("discard: 5d 2c 9s", "draw: Tc 8c")
    assert position.legal() == (DRAW, Take("5d"), Take("2c"), Take("9s"))
    after, events = position.play(DRAW)
    assert after.taken == Taken("Tc", "draw")
    assert after.draw == position.draw[1:]
    assert events == (("CB-6", "draw", {"seat": 0, "card": "Tc", "left": len(position.draw) - 1}),)
    after, events = position.play(Take("2c"))
    assert after.taken == Taken("2c", "discard")
    assert (after.discard, after.draw) == (("5d", "9s"), position.draw)
    assert events == (("CB-6", "take", {"seat": 0, "card": "2c"}),)
    assert refused(position, "take Tc") == "CB-6"
    assert refused(position, "place 1 2") == refused(position, "discard") == "CB-6"


@pytest.mark.rules("CB-R7")
def test_cbr7_a_card_to_take_is_always_there() -> None:
    """Even when every seat lacks a single cell: that many cards lie in the two piles."""
    tables = [(players, size) for players in game.PLAYERS for size in game.sizes(players)]
    left = {table: len(game.DECK) - table[0] * (table[1] ** 2 - 1) for table in tables}
    assert left == {(2, 4): 22, (2, 5): 4, (3, 4): 7}
    position = at(table=LEAST)
    assert position.legal() == (Take("7s"), Take("7h"), Take("7d"), Take("7c"))
    assert refused(position, "draw") == "CB-11"
    taken, _ = position.play(Take("7h"))
    assert taken.legal() == (Place(5, 5), DISCARD)
    after, _ = taken.play(Place(5, 5))
    assert after.discard == ("7s", "7d", "7c", "6c")


@pytest.mark.rules("CB-6", "CB-7")
def test_cb6_a_card_taken_leaves_its_place_and_what_it_covers_is_the_last() -> None:
    position, _ = kinds(at("discard: 4d 2c 9s"), "take 4d", "place 2 2")
    assert position.discard == ("2c", "9s", "5h")
    assert refused(position, "take 4d") == "CB-6"  # it lies in a grid
    assert refused(position, "take 5c") == "CB-6"  # it lies in the draw pile
    assert refused(at(), "take 5d") == "CB-6"  # nothing has been thrown yet


@pytest.mark.rules("CB-11")
def test_cb11_when_the_draw_pile_is_out_cards_come_from_the_discard_pile() -> None:
    laid = at()
    last = laid.draw[-1]
    position = laid._replace(draw=(last,), discard=laid.draw[:-1])
    game.check(position)
    position, seen = kinds(position, "draw")
    assert seen == [("CB-6", "draw"), ("CB-11", "draw_pile_out")]
    position, _ = kinds(position, "discard")
    assert DRAW not in position.legal()
    assert len(position.legal()) == len(position.discard)
    assert refused(position, "draw") == "CB-11"


# ── putting ──


@pytest.mark.rules("CB-7")
def test_cb7_throw_place_or_cover() -> None:
    position = at("taken: 4c from draw", "discard: 5d")
    assert DISCARD in position.legal()
    after, events = position.play(DISCARD)
    assert (after.discard, after.taken, after.to_move) == (("5d", "4c"), None, 1)
    assert events == (("CB-7", "throw", {"seat": 0, "card": "4c"}),)
    after, events = position.play(Place(2, 1))
    assert after.grids[0][4] == "4c"
    assert (after.discard, after.to_move) == (("5d",), 1)
    assert events == (("CB-7", "place", {"seat": 0, "card": "4c", "row": 2, "column": 1}),)
    after, events = position.play(Place(2, 2))
    assert after.grids[0][5] == "4c"
    assert (after.discard, after.to_move) == (("5d", "5h"), 1)
    assert events == (("CB-7", "cover", {"seat": 0, "card": "4c", "row": 2, "column": 2, "covered": "5h"}),)
    assert after.grids[1] == position.grids[1]
    for move in "place 0 1", "place 1 0", "place 5 1", "place 1 5":
        if "0" in move:
            with pytest.raises(BadPosition):
                game.move_from_text(move)
            with pytest.raises(IllegalMove, match="CB-7"):
                position.play(Place(*map(int, move.split()[1:])))
        else:
            assert refused(position, move) == "CB-7"
    assert refused(position, "draw") == refused(position, "take 5d") == "CB-7"


@pytest.mark.rules("CB-8")
def test_cb8_a_three_fits_the_gap_before_an_equal_three() -> None:
    """The source's own example: equal ranks may be neighbours."""
    position = at("taken: 3c from draw")
    assert places(position) == {(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (3, 1), (3, 3), (4, 1)}


@pytest.mark.rules("CB-8")
def test_cb8_refusal_names_the_neighbours() -> None:
    position = at("taken: 4c from draw")
    assert refused(position, "place 1 2") == "CB-8"
    with pytest.raises(IllegalMove, match=r"4c in 1 2 would break the order with 3s in 1 3$"):
        position.play(Place(1, 2))
    with pytest.raises(IllegalMove, match=r"4c in 3 2 would break the order with 5h in 2 2$"):
        position.play(Place(3, 2))
    assert game.broken_order(position.grids[0], 3, 2, "8c") == (Cell(3, 3, "7h"),)
    assert game.broken_order(position.grids[0], 3, 2, "4c") == (Cell(2, 2, "5h"),)
    assert game.broken_order(position.grids[0], 2, 3, "2c") == (Cell(2, 2, "5h"), Cell(1, 3, "3s"))
    assert game.broken_order(position.grids[0], 2, 3, "6c") == ()


@pytest.mark.rules("CB-8", "CB-9")
def test_cb8_across_empty_cells_to_the_far_end_of_the_line() -> None:
    drawn, taken = at("taken: 3c from draw", table=WIDE), at("taken: 3c from discard", table=WIDE)
    top, left, threes = {(1, n) for n in range(1, 6)}, {(n, 1) for n in range(1, 6)}, {(1, 1), (1, 5)}
    assert places(drawn) == top | left | {(2, 2), (3, 3), (4, 4), (5, 5)}
    assert places(taken) == places(drawn) - threes
    for row, column in threes:
        assert refused(taken, f"place {row} {column}") == "CB-9"
    position = at("taken: 4c from draw", table=WIDE)
    for column in 2, 3, 4:
        with pytest.raises(IllegalMove, match=rf"CB-8: 4c in 1 {column} would break the order with 3s in 1 5$"):
            position.play(Place(1, column))
    with pytest.raises(IllegalMove, match=r"CB-8: 2c in 2 3 would break the order with 5h in 2 2, 3s in 1 3$"):
        at("taken: 2c from draw").play(Place(2, 3))


@pytest.mark.rules("CB-R3")
def test_cbr3_the_covered_card_no_longer_counts() -> None:
    assert (2, 2) in places(at("taken: Kc from draw"))
    assert (4, 4) in places(at("taken: 9c from draw"))
    assert (4, 4) not in places(at("taken: 8c from draw"))  # the 9 above it does


@pytest.mark.rules("CB-9")
def test_cb9_a_seven_from_the_discard_pile_cannot_cover_a_seven() -> None:
    """The source's own example."""
    taken = at("taken: 7c from discard")
    assert refused(taken, "place 3 3") == "CB-9"
    drawn = at("taken: 7c from draw")
    assert places(drawn) - places(taken) == {(3, 3)}
    assert places(taken) < places(drawn)
    after, seen = kinds(drawn, "place 3 3")
    assert seen == [("CB-9", "cover_equal")]
    assert after.discard[-1] == "7h"


@pytest.mark.rules("CB-R2")
def test_cbr2_a_card_may_be_thrown_straight_back() -> None:
    after, seen = kinds(at("taken: 7c from discard", "discard: As"), "discard")
    assert seen == [("CB-R2", "throw_back")]
    assert after.discard == ("As", "7c")


@pytest.mark.rules("CB-8", "CB-9")
def test_cb9_every_equal_is_barred_and_the_cells_around_them_are_not() -> None:
    """Three 7s on the other diagonal: the fourth may cover what lies beside them, and them only from the draw pile."""
    taken, drawn = at("taken: 7c from discard", table=SEVENS), at("taken: 7c from draw", table=SEVENS)
    assert places(taken) == {(1, 2), (1, 4), (2, 1), (2, 3), (3, 2), (4, 1)}
    assert places(drawn) == places(taken) | {(1, 3), (2, 2), (3, 1)}
    for row, column in (1, 3), (2, 2), (3, 1):
        assert refused(taken, f"place {row} {column}") == "CB-9"
    assert refused(taken, "place 1 1") == refused(taken, "place 4 3") == "CB-8"


# ── another turn, and the win ──


@pytest.mark.rules("CB-10")
def test_cb10_another_turn_beside_an_equal_diagonally() -> None:
    position = at("taken: 5c from draw")
    after, events = position.play(Place(2, 1))
    assert (after.to_move, len(events)) == (1, 1)
    after, events = position.play(Place(3, 1))
    assert (after.to_move, after.phase) == (0, "take")
    assert events[1] == (
        "CB-10",
        "another_turn",
        {"seat": 0, "card": "5c", "row": 3, "column": 1, "equals": (Cell(2, 2, "5h"),)},
    )
    assert (DRAW in after.legal()) and not places(after)


@pytest.mark.rules("CB-R4")
def test_cbr4_up_to_four_neighbours_and_not_beyond_the_edge() -> None:
    grid = text_grid("7h .. 7s 8h", ".. 7d .. ..", "7c .. 8s ..", ".. .. .. 9h")
    assert game.diagonal_equals(grid, 2, 2, "7d") == (Cell(1, 1, "7h"), Cell(1, 3, "7s"), Cell(3, 1, "7c"))
    assert game.diagonal_equals(grid, 1, 1, "7h") == (Cell(2, 2, "7d"),)
    assert game.diagonal_equals(grid, 2, 4, "7d") == (Cell(1, 3, "7s"),)  # not 3 1, which follows 2 4 in the tuple
    assert game.diagonal_equals(grid, 2, 1, "7d") == ()
    assert game.diagonal_equals(grid, 4, 4, "8d") == (Cell(3, 3, "8s"),)
    full = ("7h",) * 25
    assert [len(game.diagonal_equals(full, row, column, "7c")) for row in (1, 3, 5) for column in (1, 3, 5)] == [
        1, 2, 1, 2, 4, 2, 1, 2, 1
    ]  # fmt: skip


@pytest.mark.rules("CB-R4")
def test_cbr4_a_card_cannot_match_what_it_covers() -> None:
    after, seen = kinds(at("taken: 5c from draw"), "place 2 2")
    assert seen == [("CB-9", "cover_equal")]
    assert after.to_move == 1


@pytest.mark.rules("CB-9", "CB-10")
def test_cb10_covering_an_equal_gives_another_turn_by_the_equals_next_to_it() -> None:
    after, events = at("taken: 7c from draw", table=SEVENS).play(Place(2, 2))
    assert [(event.rule, event.kind) for event in events] == [("CB-9", "cover_equal"), ("CB-10", "another_turn")]
    assert events[1].facts["equals"] == (Cell(1, 3, "7h"), Cell(3, 1, "7d"))
    assert (after.to_move, after.phase, after.discard) == (0, "take", ("7s",))


@pytest.mark.rules("CB-10", "CB-R4")
def test_cbr4_the_card_placed_is_matched_not_the_card_covered() -> None:
    """A 7 covers the 8 between three 7s: another turn. An 8 covers the 7 between the same: none."""
    table = TABLE.replace("3h .. 3s 9h", "7s .. 7c 8c").replace(".. 5h .. ..", ".. 8s .. ..")
    table = table.replace(".. .. 7h ..", "7d .. 9s ..")
    after, events = at("taken: 7h from discard", table=table).play(Place(2, 2))
    assert [(event.rule, event.kind) for event in events] == [("CB-7", "cover"), ("CB-10", "another_turn")]
    assert events[1].facts["equals"] == (Cell(1, 1, "7s"), Cell(1, 3, "7c"), Cell(3, 1, "7d"))
    assert after.to_move == 0
    after, seen = kinds(at("taken: 8d from discard", table=table.replace("8s", "7h")), "place 2 2")
    assert seen == [("CB-7", "cover")]
    assert (after.to_move, after.discard) == (1, ("7h",))


@pytest.mark.rules("CB-10")
def test_cb10_an_equal_in_another_grid_gives_no_turn() -> None:
    """A 5 lies in 2 2, diagonally next to 1 1, but it is the other seat's."""
    after, seen = kinds(at("to move: 1", "taken: 5c from draw"), "place 1 1")
    assert seen == [("CB-7", "cover")]
    assert after.to_move == 0


@pytest.mark.parametrize(("seat", "following"), [(0, 1), (1, 2), (2, 0)])
@pytest.mark.rules("CB-2", "CB-7", "CB-10")
def test_turns_go_round_three_seats(seat: int, following: int) -> None:
    position = at(f"to move: {seat}", "discard: 5h", table=THREE)
    after, _ = kinds(position, "draw", "discard")
    assert (after.to_move, after.phase) == (following, "take")
    again, seen = kinds(at(f"to move: {seat}", "taken: Kd from draw", table=THREE), "place 4 4")
    assert seen[0] == ("CB-7", "cover")
    assert again.to_move == following


@pytest.mark.rules("CB-12")
def test_cb12_the_filled_grid_wins_at_once() -> None:
    after, events = at("taken: 7h from discard", table=ALMOST).play(Place(3, 4))
    assert (after.phase, after.to_move, after.legal()) == ("over", 0, ())
    assert after.result() == {"winners": [0], "by": "filled", "empty": [0, 12]}
    assert [(event.rule, event.kind) for event in events] == [("CB-7", "place"), ("CB-12", "filled")]
    assert events[1].facts == {"seat": 0, "result": after.result()}
    for move in "draw", "take 5d", "place 1 1", "discard", "arrange 3h 5h 7h Kh":
        assert refused(after, move) == "CB-12"


@pytest.mark.rules("CB-11", "CB-12")
def test_cb12_three_players_and_the_last_card_of_the_draw_pile() -> None:
    """Seat 1 fills its grid: at once, so seat 2 has no more turn, and seat 0 with one cell to go has lost."""
    start = at("to move: 1", "draw: Tc", table=THREE)
    position = start._replace(draw=("Tc",), discard=start.draw[1:])
    game.check(position)
    position, seen = kinds(position, "draw")
    assert seen == [("CB-6", "draw"), ("CB-11", "draw_pile_out")]
    after, seen = kinds(position, "place 4 3")
    assert seen == [("CB-7", "place"), ("CB-12", "filled")]
    assert (after.phase, after.to_move) == ("over", 1)
    assert after.result() == {"winners": [1], "by": "filled", "empty": [1, 0, 12]}


@pytest.mark.rules("CB-R4")
def test_cbr4_the_win_comes_before_another_turn() -> None:
    position = at("taken: 6h from draw", table=ALMOST)
    after, events = position.play(Place(3, 4))
    assert [event.rule for event in events] == ["CB-7", "CB-R4", "CB-12"]
    assert events[1].facts["equals"] == (Cell(4, 3, "6c"),)
    assert after.phase == "over"


# ── repetition ──

IDLE = ["take 5d", "discard"]


@pytest.mark.rules("CB-13")
def test_cb13_the_third_time_ends_the_game() -> None:
    start = at("discard: 5d 9c")
    position, seen = kinds(start, *IDLE * 2)
    assert (position.to_move, seen[-1]) == (0, ("CB-13", "repeated"))
    position, _ = kinds(position, *IDLE)
    assert position.phase == "take"
    position, seen = kinds(position, *IDLE)
    assert seen == [("CB-R2", "throw_back"), ("CB-13", "repeated"), ("CB-13", "repetition")]
    assert (position.phase, position.to_move, position.legal()) == ("over", 0, ())
    assert position.result() == {"winners": [0], "by": "repetition", "empty": [10, 12]}
    for move in "draw", "take 5d", "place 1 1", "discard", "arrange 3h 5h 7h Kh":
        assert refused(position, move) == "CB-13"


@pytest.mark.rules("CB-13")
def test_cb13_fewest_empty_cells_wins_and_equals_draw() -> None:
    def ended(*empty: int) -> list[int]:
        cells = (game.Grid((EMPTY,) * n + ("As",) * (16 - n)) for n in empty)
        result = Position(4, 0, "over", tuple(cells), (), (), None, ((),) * len(empty)).result()
        assert result and result["by"] == "repetition"
        assert result["empty"] == list(empty)
        return list(result["winners"])

    assert ended(5, 3) == [1]
    assert ended(3, 5) == [0]
    assert ended(4, 4) == [0, 1]
    assert ended(4, 5, 4) == [0, 2]
    assert ended(7, 7, 7) == [0, 1, 2]


@pytest.mark.rules("CB-13")
def test_cb13_of_three_players_two_draw_and_one_loses() -> None:
    position, seen = kinds(at("to move: 1", "discard: 5h", table=THREE), *["take 5h", "discard"] * 3)
    assert (position.to_move, seen[-1]) == (1, ("CB-13", "repeated"))
    position, seen = kinds(position, *["take 5h", "discard"] * 2)
    assert position.phase == "take"  # twice for seat 0 and seat 2: whose turn it is counts
    position, seen = kinds(position, "take 5h", "discard")
    assert seen[-1] == ("CB-13", "repetition")
    assert (position.phase, position.to_move) == ("over", 1)
    assert position.result() == {"winners": [0, 1], "by": "repetition", "empty": [1, 1, 12]}


@pytest.mark.rules("CB-13")
def test_cb13_the_fewest_empty_cells_win_whosever_turn_it_is() -> None:
    """Seat 1 would be at turn, and has 12 empty cells to the 1 of seat 0."""
    position, _ = kinds(at("to move: 1", "discard: 5h", table=ALMOST), *["take 5h", "discard"] * 4)
    assert (position.phase, position.to_move) == ("over", 1)
    assert position.result() == {"winners": [0], "by": "repetition", "empty": [1, 12]}


@pytest.mark.rules("CB-13", "CB-R5")
def test_cb13_a_covering_to_and_fro_with_other_suits_is_the_same_position() -> None:
    """Seat 0 covers its 5 with a 6 and this with another 5, the pile lies otherwise: the ranks are as they were."""
    start = at("discard: 5d 6c")
    position, seen = kinds(start, "take 6c", "place 2 2", "take 5d", "discard", "take 5d", "place 2 2", "take 6c")
    assert seen == [("CB-6", "take")]
    position, seen = kinds(position, "discard")
    assert seen == [("CB-R2", "throw_back"), ("CB-13", "repeated")]
    assert position.grids[0][5] == "5d"
    assert position.discard == ("5h", "6c")
    position, _ = kinds(position, "take 6c", "place 2 2", "take 5h", "discard", "take 5h", "place 2 2", "take 6c")
    position, seen = kinds(position, "discard")
    assert seen[-1] == ("CB-13", "repetition")
    assert position.result() == {"winners": [0], "by": "repetition", "empty": [10, 12]}


@pytest.mark.rules("CB-10", "CB-13", "CB-R5")
def test_cb13_another_turn_that_would_start_ends_the_game() -> None:
    """Read in `put`: the start of another turn is the first that counts, and the first that comes a third time."""
    table = TABLE.replace(".. .. 7h ..", ".. .. 6c ..").replace("6h", "7h")
    cycle = ["place 3 3", "take 6c", "place 3 3", "take 5d", "discard", "take 5d"]
    position, _ = kinds(at("taken: 5d from discard", table=table), *cycle * 2)
    assert position.phase == "put"
    position, events = position.play(Place(3, 3))
    assert [(event.rule, event.kind) for event in events] == [
        ("CB-7", "cover"), ("CB-10", "another_turn"), ("CB-13", "repeated"), ("CB-13", "repetition")
    ]  # fmt: skip
    assert events[2].facts == {"seat": 0, "times": 3}
    assert events[3].facts == {"result": position.result()}
    assert (position.phase, position.to_move) == ("over", 0)
    assert refused(position, "draw") == "CB-13"


@pytest.mark.rules("CB-13")
def test_cb13_a_card_drawn_and_thrown_makes_another_position_that_begins_at_one() -> None:
    position, _ = kinds(at("discard: 5d"), *IDLE * 3, "draw", "discard", *IDLE * 3)
    assert position.phase == "take"
    position, seen = kinds(position, *IDLE)
    assert seen[-1] == ("CB-13", "repetition")


@pytest.mark.rules("CB-R5")
def test_cbr5_ranks_and_a_multiset_are_compared() -> None:
    """The pile changes its order, or two fives change places between grid and pile: still the same."""
    start = at("discard: 5d 9c", "to move: 0")
    position, _ = kinds(start, "take 9c", "discard")  # the pile is in another order
    position, seen = kinds(position, "take 5d", "discard")
    assert seen[-1] == ("CB-13", "repeated")
    one = game.turn(0, (start.grids[0].laid(5, "5d"), start.grids[1]), ("9c", "5h"))
    assert one == game.turn(0, start.grids, start.discard)
    assert one != game.turn(1, start.grids, start.discard)
    assert one != game.turn(0, start.grids, ("9c",))
    assert one != game.turn(0, start.grids[::-1], start.discard)


@pytest.mark.rules("CB-R5")
def test_cbr5_a_start_of_another_turn_counts_too() -> None:
    """Seat 0 covers a 6 with a 5 beside a 5 (another turn) and the 5 with the 6 again, until the game is over."""
    table = TABLE.replace(".. .. 7h ..", ".. .. 6c ..").replace("6h", "7h")
    position = at("discard: 5d", table=table)
    position, seen = kinds(position, "take 5d", "place 3 3")
    assert seen == [("CB-7", "cover"), ("CB-10", "another_turn")]
    position, _ = kinds(position, "take 6c", "place 3 3", "take 5d", "discard")
    assert position.to_move == 0
    position, seen = kinds(position, "take 5d", "place 3 3")
    assert seen[-1] == ("CB-13", "repeated")


@pytest.mark.parametrize("source", ["discard", "draw"])
@pytest.mark.rules("CB-R5")
def test_cbr5_a_record_that_starts_in_put_counts_from_the_next_start(source: str) -> None:
    position = at(f"taken: 5d from {source}")
    position, _ = kinds(position, "discard", *IDLE * 3)
    assert position.to_move == 0
    assert position.phase == "take"  # the turn that was under way did not count
    position, seen = kinds(position, *IDLE)
    assert seen[-1] == ("CB-13", "repetition")
    assert position.to_move == 1


@pytest.mark.rules("CB-R5")
def test_cbr5_json_begins_the_count_afresh() -> None:
    position, _ = kinds(at("discard: 5d"), *IDLE * 3)
    again = game.position_from_json(game.position_to_json(position))
    assert again == position.afresh() != position
    assert kinds(position, *IDLE)[0].phase == "over"
    assert kinds(again, *IDLE)[0].phase == "take"


@pytest.mark.rules("CB-13")
def test_cb13_a_drawn_card_or_a_filled_cell_parts_what_comes_after_from_what_came_before() -> None:
    position, _ = kinds(at("discard: 5d"), *IDLE * 3)
    assert len(position.starts) == 4
    assert len(kinds(position, "draw", "discard")[0].starts) == 1
    assert len(kinds(position, "take 5d", "place 3 4")[0].starts) == 1


# ── what a seat may see ──


@pytest.mark.rules("CB-5")
def test_cb5_view_hides_the_draw_pile_and_what_others_hold() -> None:
    position = at("taken: 7c from draw", "discard: 5d")
    own, other = position.view(0), position.view(1)
    assert own.taken == Taken("7c", "draw")
    assert other.taken == Taken(EMPTY, "draw")
    assert own.draw == other.draw == len(position.draw)
    assert (own.grids, own.discard) == (other.grids, other.discard) == (position.grids, position.discard)
    assert at("taken: 7c from discard").view(1).taken == Taken("7c", "discard")
    dealt = game.deal(game.DECK, 3)
    assert dealt.view(1).hands == ((EMPTY,) * 4, dealt.hands[1], (EMPTY,) * 4)
    hidden = {*dealt.hands[0], *dealt.hands[2], *dealt.draw}
    assert not any(card in repr(dealt.view(1)) for card in hidden)


@pytest.mark.rules("CB-5", "CB-6")
def test_cb5_three_seats_see_a_drawn_card_only_when_it_is_thrown_or_placed() -> None:
    position = at("to move: 1", "discard: 5h", "draw: Kd Ks", table=THREE)
    drawn, _ = kinds(position, "draw")
    assert [drawn.view(seat).taken for seat in range(3)] == [
        Taken(EMPTY, "draw"), Taken("Kd", "draw"), Taken(EMPTY, "draw")
    ]  # fmt: skip
    assert [drawn.view(seat).draw for seat in range(3)] == [len(position.draw) - 1] * 3
    hidden = {"Kd", *drawn.draw}
    for seat in 0, 2:
        assert not any(card in repr(drawn.view(seat)) for card in hidden)
    thrown, _ = kinds(drawn, "discard")
    placed, _ = kinds(drawn, "place 4 4")
    for seat in range(3):
        assert thrown.view(seat).discard == ("5h", "Kd")
        assert placed.view(seat).grids[1][15] == "Kd"
        assert not any(card in repr(thrown.view(seat)) for card in thrown.draw)


@pytest.mark.rules("CB-3", "CB-5")
def test_cb5_a_diagonal_is_seen_once_it_is_laid_and_the_other_hands_are_not() -> None:
    laid, _ = kinds(game.deal(game.DECK, 3), "arrange As 2s 3s 4s")
    for seat in range(3):
        view = laid.view(seat)
        assert view.grids == laid.grids
        assert view.hands == ((), *(laid.hands[s] if s == seat else (EMPTY,) * 4 for s in (1, 2)))


# ── notation ──


@pytest.mark.parametrize(
    "move", [Arrange(("7h", "2s", "Kd", "9c")), Draw(), Take("5d"), Place(2, 3), Discard(), Arrange(("As",) * 5)]
)
def test_moves_as_text(move: game.Move) -> None:
    assert game.move_from_text(str(move)) == move


@pytest.mark.parametrize(
    "text",
    [
        "", " draw", "draw ", "Draw", "draw 1", "take", "take 5", "take 5x", "take 10h", "take 5d 6d", "take  5d",
        "take ..", "place", "place 2", "place 2 3 4", "place 02 3", "place 2,3", "place ² 3", "place -1 3", "place 6 1",
        "discard 5d", "arrange", "arrange As 2s 3s", "arrange As 2s 3s 4s 5s 6s", "arrange As 2s 3s ..", "hop",
        "take 5d\n",
    ],
)  # fmt: skip
def test_other_text_is_no_move(text: str) -> None:
    with pytest.raises(BadPosition, match="is not a move"):
        game.move_from_text(text)


def test_author_form_fills_in_what_is_left_out() -> None:
    position = at("draw: Kc 2c")
    assert (position.size, position.players, position.to_move, position.phase) == (4, 2, 0, "take")
    assert position.draw[:2] == ("Kc", "2c")
    assert list(position.draw[2:]) == [card for card in game.DECK if card in set(position.draw) - {"Kc", "2c"}]
    filled = game.position_from_text(ALMOST.replace("..", "6d", 1))
    assert (filled.phase, filled.to_move) == ("over", 0)
    ended = at("over: repetition", "to move: 1", "discard: 5d")
    assert (ended.phase, ended.to_move) == ("over", 1)
    laying = game.position_from_text("seat 0: lays As 2s 3s 4s\nseat 1: lays Ah 2h 3h 4h")
    assert (laying.phase, laying.to_move) == ("arrange", 0)
    laying, _ = kinds(laying, "arrange 4s 3s 2s As")
    assert laying == game.position_from_text(game.position_to_text(laying))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no seat is named"),
        ("seat 1:", "expected 'seat 0:'"),
        ("7h .. .. ..", "expected 'seat 0:'"),
        (TABLE + "discard: 5d\ndiscard: 6d", "once each"),
        (TABLE + "hand: 5d", "expected 'seat 2:'"),
        (TABLE + "discard: 5d\n.. .. .. ..", "expected 'seat 2:'"),
        (TABLE + "over: filled", "not repetition"),
        (TABLE + "to move: 3", "is not a seat"),
        (TABLE + "to move: 2", "not from 0 to 1"),
        (TABLE + "taken: 7c", "comes from ''"),
        (TABLE + "taken: 7c from hand", "comes from 'hand'"),
        (TABLE + "taken: 3h from draw", "3h lies in two places"),
        (TABLE + "discard: 3x", "'3x', which is not a card"),
        (TABLE.replace("3h ..", "3h"), "has 3 entries, not 4|has 4 entries, not 3"),
        (TABLE.replace("3h ..", "3h __"), "'__', which is not a card"),
        ("seat 0: lays As 2s 3s 4s\n.. .. .. ..\nseat 1: lays Ah 2h 3h 4h", "a grid and cards to lay"),
        ("seat 0:\nseat 1:", '"size" holds 0'),
        ("seat 0: lays As 2s 3s 4s\nseat 1:", '"grids" has 0 entries, not 4'),
        ("seat 0: lays As 2s 3s 4s\nseat 1: lays Ah 2h 3h", "seat 1 holds 3 cards while seat 0 lays, not 4"),
        ("seat 0: lays As 2s 3s 4s\nseat 1: lays Ah 2h 3h 4h\nto move: 1", "seat 0 holds 4 cards while seat 1 lays"),
        ("seat 0: lays As 2s 3s 4s\nseat 1: lays Ah 2h 3h 4h\ntaken: 5s from draw", "taken exactly when"),
        ("seat 0: lays As 2s 3s 4s\nseat 1: lays Ah 2h 3h 4h\nover: repetition", "but every diagonal is laid"),
        (TABLE + "taken: 7c from draw\nover: repetition", "taken exactly when"),
        (ALMOST.replace("..", "6d", 1) + "over: repetition", "a filled grid ends the game by itself"),
        (TABLE.replace("Kh", "Kh ..", 1), '"grids" has 5 entries, not 4'),
        (TABLE.replace("  .. .. .. 6h\n", ""), '"grids" has 3 entries, not 4'),
        (TABLE + "draw: 7c 7c", "7c lies in two places"),
        (TABLE + "discard: X1", "'X1', which is not a card"),
    ],
)
def test_author_form_refuses(text: str, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        game.position_from_text(text)


# ── positions that cannot be ──

GOOD = game.position_to_json(at("taken: 7c from draw", "discard: 5d"))
DEALT = game.position_to_json(game.deal(game.DECK, 2))


def broken(data: dict[str, Any], *path: Any, value: Any) -> dict[str, Any]:
    """A copy with one thing changed."""
    data = copy.deepcopy(data)
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return data


def from_draw(data: dict[str, Any], card: str, *path: Any) -> dict[str, Any]:
    """A copy with a card of the draw pile put elsewhere."""
    return broken(broken(data, "draw", value=[c for c in data["draw"] if c != card]), *path, value=card)


def from_hand(data: dict[str, Any], seat: int) -> dict[str, Any]:
    """A copy in which a seat has laid its hand on the diagonal, in that order."""
    data = copy.deepcopy(data)
    for n, card in enumerate(data["hands"][seat]):
        data["grids"][seat][n][n] = card
    data["hands"][seat] = []
    return data


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ([], "a JSON object"),
        (broken(GOOD, "game", value="cascata"), '"game" is not "cascadebeta"'),
        (broken(GOOD, "colour", value=1), "unknown key 'colour'"),
        ({key: value for key, value in GOOD.items() if key != "hands"}, '"hands" is missing'),
        (broken(GOOD, "size", value="4"), '"size" holds \'4\', which is not a whole number'),
        (broken(GOOD, "size", value=4.0), "not a whole number"),
        (broken(GOOD, "size", value=6), "not from 4 to 5"),
        (broken(GOOD, "size", value=3), "not from 4 to 5"),
        (broken(GOOD, "size", value=5), '"grids" has 4 entries, not 5'),
        (broken(GOOD, "players", value=True), '"players" holds .*not a whole number'),
        (broken(GOOD, "players", value=1), "not from 2 to 3"),
        (broken(GOOD, "players", value=4), "not from 2 to 3"),
        (broken(GOOD, "players", value=3), '"grids" has 2 entries, not 3'),
        (broken(GOOD, "to_move", value=2), "not from 0 to 1"),
        (broken(GOOD, "to_move", value=-1), "not from 0 to 1"),
        (broken(GOOD, "phase", value="deal"), '"phase" holds \'deal\''),
        (broken(GOOD, "phase", value=[]), '"phase" holds'),
        (broken(GOOD, "phase", value="take"), "taken exactly when"),
        (broken(GOOD, "phase", value="over"), "taken exactly when"),
        (broken(GOOD, "phase", value="arrange"), "taken exactly when"),
        (broken(GOOD, "taken", value=None), "51 cards, not 52"),
        (broken(broken(GOOD, "taken", value=None), "draw", value=["7c", *GOOD["draw"]]), "taken exactly when"),
        (broken(broken(GOOD, "taken", "card", value="5d"), "draw", value=["7c", *GOOD["draw"]]), "5d lies in two"),
        (broken(GOOD, "taken", "card", value=".."), "not a card"),
        (broken(GOOD, "taken", "card", value="X1"), "not a card"),
        (broken(GOOD, "to_move", value=True), "not a whole number"),
        (broken(GOOD, "to_move", value="0"), "not a whole number"),
        (broken(GOOD, "draw", value=[*GOOD["draw"], *GOOD["draw"][:5]]), "lies in two places"),
        (broken(GOOD, "grids", 0, 1, value=[None] * 3), "3 entries, not 4"),
        (broken(GOOD, "taken", value="7c"), "\"taken\" holds .7c., which is not a JSON object"),
        (broken(GOOD, "taken", "why", value=1), "unknown key .why. in \"taken\""),
        (broken(GOOD, "taken", "from", value="hand"), "comes from 'hand'"),
        (broken(GOOD, "taken", "from", value=None), "comes from"),
        (broken(GOOD, "taken", "card", value=7), "not a card"),
        (broken(GOOD, "grids", value={}), '"grids" is not a list'),
        (broken(GOOD, "grids", 0, value=None), '"grids" is not a list'),
        (broken(GOOD, "grids", 0, 0, value="3h"), '"grids" is not a list'),
        (broken(GOOD, "grids", 0, 0, value=[None] * 5), "5 entries, not 4"),
        (broken(GOOD, "grids", 0, 0, 1, value=".."), "not a card"),
        (broken(GOOD, "grids", 0, 0, 1, value="10h"), "not a card"),
        (broken(GOOD, "grids", 0, 0, 1, value="3h"), "3h lies in two places"),
        (broken(GOOD, "grids", 0, 0, 1, value="5d"), "5d lies in two places"),
        (broken(GOOD, "draw", value=GOOD["draw"][1:]), "51 cards"),
        (broken(GOOD, "draw", 0, value="7c"), "7c lies in two places"),
        (broken(GOOD, "draw", 0, value="X1"), "not a card"),
        (broken(GOOD, "draw", 0, value=["As"]), "not a card"),
        (broken(GOOD, "discard", value="5d"), '"discard" is not a list'),
        (broken(GOOD, "hands", value=[[]]), '"hands" has 1 entries, not 2'),
        (broken(broken(GOOD, "hands", 1, value=GOOD["draw"][:1]), "draw", value=GOOD["draw"][1:]), "seat 1 holds"),
        (from_draw(GOOD, "4c", "grids", 0, 1, 2),
         "grid of seat 0 is out of order: 5h in 2 2 before 4c in 2 3"),
        (from_draw(GOOD, "Kc", "grids", 1, 1, 0),
         "grid of seat 1 is out of order: Kc in 2 1 before 2h in 2 2"),
        (broken(broken(GOOD, "grids", 0, 1, 1, value=None), "discard", value=["5d", "5h"]), "diagonal of seat 0"),
        (broken(broken(GOOD, "grids", 1, 3, 3, value=None), "discard", value=["5d", "6h"]), "diagonal of seat 1"),
        (broken(DEALT, "to_move", value=1), "seat 0 holds 4 cards while seat 1 lays, not 0"),
        (broken(DEALT, "phase", value="take"), "seat 0 holds cards, but every diagonal is laid"),
        (broken(from_draw(DEALT, "Kc", "discard"), "discard", value=["Kc"]), "have left the draw"),
        (from_draw(DEALT, "Kc", "grids", 1, 0, 0),
         "grid of seat 1 is not empty"),
        (broken(broken(DEALT, "hands", 1, value=DEALT["hands"][1][1:]), "draw", value=[*DEALT["draw"], "5s"]),
         "seat 1 holds 3 cards while seat 0 lays, not 4"),
        (broken(DEALT, "to_move", value=2), "not from 0 to 1"),
        (from_hand(DEALT, 1), "seat 1 holds 0 cards while seat 0 lays, not 4"),
        (from_hand(DEALT, 0), "seat 0 holds 0 cards while seat 0 lays, not 4"),
        (broken(from_hand(from_hand(DEALT, 0), 1), "to_move", value=1), "seat 1 holds 0 cards while seat 1 lays"),
        (broken(DEALT, "taken", value={"card": "As", "from": "draw"}), "As lies in two places"),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused_by_name(data: Any, fault: str) -> None:
    game.position_from_json(GOOD)
    game.position_from_json(DEALT)
    with pytest.raises(BadPosition, match=fault):
        game.position_from_json(data)


def test_a_laid_diagonal_is_only_the_diagonal() -> None:
    laid = game.position_to_json(game.deal(game.DECK, 2).play(Arrange(game.DECK[:4]))[0])
    moved = copy.deepcopy(laid)
    moved["grids"][0][0][:2] = [None, "As"]
    for data in moved, from_draw(laid, "2c", "grids", 0, 0, 1):
        with pytest.raises(BadPosition, match="seat 0 is not its diagonal alone"):
            game.position_from_json(data)


@pytest.mark.rules("CB-12")
def test_a_filled_grid_is_a_finished_game_of_its_owner() -> None:
    filled = game.position_to_json(game.position_from_text(ALMOST.replace("..", "6d", 1)))
    with pytest.raises(BadPosition, match="filled, but the game goes on"):
        game.position_from_json(broken(filled, "phase", value="take"))
    with pytest.raises(BadPosition, match="filled, but seat 1 is named as the winner"):
        game.position_from_json(broken(filled, "to_move", value=1))
    put = broken(broken(filled, "draw", value=filled["draw"][1:]), "phase", value="put")
    with pytest.raises(BadPosition, match="filled, but the game goes on"):
        game.position_from_json(broken(put, "taken", value={"card": filled["draw"][0], "from": "draw"}))
    two = THREE.replace("3d 4d 5d ..", "3d 4d 5d 6d").replace("Ts Th .. Td", "Ts Th Tc Td")
    with pytest.raises(BadPosition, match="the grid of seat 1 is filled, but seat 0 is named as the winner"):
        at(table=two)


@pytest.mark.rules("CB-2")
def test_three_players_use_the_small_grid() -> None:
    position = game.deal(game.DECK, 2, 5)
    grids, hands = (*position.grids, position.grids[0]), (*position.hands, position.draw[:5])
    data = game.position_to_json(position._replace(grids=grids, hands=hands, draw=position.draw[5:]))
    with pytest.raises(BadPosition, match="3 players do not use a grid of 5 rows"):
        game.position_from_json(data)


# ── laws of random play ──

TABLES = st.sampled_from([(2, 4), (3, 4), (2, 5)])


def naive_places(position: Position) -> set[tuple[int, int]]:
    """Where the card taken may go, tried cell by cell from the wording of CB-7 to CB-9."""
    assert position.taken
    size, grid, (card, source) = position.size, position.grids[position.to_move], position.taken
    found = set()
    for n in range(size * size):
        after = [*grid[:n], card, *grid[n + 1 :]]
        rows = [after[r * size : r * size + size] for r in range(size)]
        ordered = all(
            (ranks := ["A23456789TJQK".index(c[0]) for c in line if c != EMPTY]) == sorted(ranks)
            for line in [*rows, *map(list, zip(*rows, strict=True))]
        )
        if ordered and not (source == "discard" and grid[n][0] == card[0]):
            found.add((n // size + 1, n % size + 1))
    return found


@settings(max_examples=settings().max_examples // 3, deadline=None)
@given(TABLES, st.permutations(game.DECK), st.randoms(use_true_random=False))
@pytest.mark.rules("CB-8")
def test_random_play_keeps_every_invariant(table: tuple[int, int], deck: list[str], random: Any) -> None:
    position = game.deal(deck, *table)
    history: list[tuple[Any, ...]] = []
    for _ in range(150):
        game.check(position)
        data = game.position_to_json(position)
        assert game.position_from_json(json.loads(json.dumps(data))) == position.afresh()
        assert game.position_from_text(game.position_to_text(position)) == position.afresh()
        assert game.canonical(position) == position
        legal = position.legal()
        assert len(set(map(str, legal))) == len(legal)
        assert (not legal) == (position.phase == "over") == (position.result() is not None)
        if position.phase in ("take", "over") and EMPTY in position.grids[position.to_move]:
            history.append(
                (position.to_move, [[c[0] for c in grid] for grid in position.grids],
                 sorted(c[0] for c in position.discard))
            )  # fmt: skip
            assert (history.count(history[-1]) == 3) == (position.phase == "over")
        if position.phase == "put":
            assert places(position) == naive_places(position)
            bare = tuple(position.grids[position.to_move])
            assert position.taken
            assert {(m.row, m.column) for m in game.places(bare, *position.taken)} == places(position)
        if not legal:
            break
        # steer: places more often than not, and to and fro with the discard pile
        forward = [move for move in legal if isinstance(move, Place)]
        move = random.choice(forward if forward and random.random() < 0.5 else legal)
        assert game.move_from_text(str(move)) == move
        before, kept = position, repr(position)
        position, events = position.play(move)
        assert events and all(event.rule in {rule.id for rule in game.RULES} for event in events)
        assert repr(before) == kept
        for grid in position.grids:
            assert vars(grid) == vars(game.Grid(grid))


@settings(max_examples=settings().max_examples // 3, deadline=None)
@given(TABLES, st.permutations(game.DECK), st.randoms(use_true_random=False), st.data())
def test_play_refuses_exactly_what_legal_leaves_out(
    table: tuple[int, int], deck: list[str], random: Any, data: st.DataObject
) -> None:
    position = game.deal(deck, *table)
    for _ in range(random.randrange(120)):
        if not (legal := position.legal()):
            break
        position, _ = position.play(random.choice(legal))
    moves: list[game.Move] = [DRAW, DISCARD, *map(Take, game.DECK)]
    moves += [Place(row, column) for row in range(7) for column in range(7)]
    moves += map(Arrange, [*position.hands, tuple(deck[:4])])
    allowed = set(position.legal())
    for move in moves:
        if move in allowed:
            position.play(move)
        else:
            with pytest.raises(IllegalMove) as error:
                position.play(move)
            assert error.value.rule in {rule.id for rule in game.RULES}
