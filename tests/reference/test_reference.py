"""The reference against the traces, the examples of the source, and moves that no rule allows."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kit.reference import __main__ as command
from kit.reference import cascadebeta, cascata, gridcannon, rowoverflow
from kit.reference.record import GAMES, after, difference, engine, positions_of, read

Json = Any
VECTORS = Path(__file__).parent.parent / "games" / "vectors"


def traces(game: str) -> list[Json]:
    return [record for _, record in read(VECTORS / f"{game}.jsonl.gz")]


# Traces.


@pytest.mark.parametrize("game", GAMES)
def test_traces_agree(game: str) -> None:
    records = traces(game)
    assert records
    for record in records:
        assert difference(record) is None


def _damages(record: Json) -> Iterable[Json]:
    """The record with something wrong in it, in every way a record can be."""
    for damage in range(6):
        broken = copy.deepcopy(record)
        middle = broken["check"][len(broken["check"]) // 2]
        if damage == 0:
            middle["legal"].pop()
        elif damage == 1:
            middle["legal"].append("nonsense")
        elif damage == 2:
            middle["position"]["phase" if "phase" in middle["position"] else "players"] = "?"
        elif damage == 3:
            broken["check"].pop()
        elif damage == 4:
            broken["check"][-1]["result"] = {"winners": [9]}
        else:
            broken["moves"][-1] = "nonsense"
        yield broken


@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_trace_is_found_out(game: str) -> None:
    record = next(record for record in traces(game) if len(record["moves"]) > 1)
    assert difference(record) is None
    for broken in _damages(record):
        assert difference(broken) is not None


def test_the_command_says_the_first_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = traces("rowoverflow")[0]
    bad = copy.deepcopy(good)
    bad["check"][1]["legal"].append("take 9")
    plain, zipped = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    plain.write_text(json.dumps(good) + "\n" + json.dumps(bad) + "\n", encoding="utf-8")
    zipped.write_bytes(gzip.compress(json.dumps(good).encode()))
    assert command.main([str(zipped)]) == 0
    assert capsys.readouterr().out == f"{zipped}: 1 records agree\n"
    assert command.main([str(zipped), str(plain)]) == 1
    assert f"{plain}:2: before move 2: legal here only: [], in the record only: ['take 9']\n" in capsys.readouterr().out
    plain.write_text('{"game": "chess", "start": {}, "moves": []}\n', encoding="utf-8")
    assert command.main([str(plain)]) == 1
    assert command.main([str(tmp_path / "none")]) == 1
    assert command.main([]) == 2


@pytest.mark.parametrize("game", GAMES)
def test_positions_are_left_as_they_were(game: str) -> None:
    for record in traces(game)[:3]:
        position = record["start"]
        before = copy.deepcopy(position)
        for move in engine(game).legal(position)[:20]:
            after([position], move)
            assert position == before


@pytest.mark.parametrize("game", GAMES)
def test_moves_of_other_games_and_other_spellings_are_refused(game: str) -> None:
    record = traces(game)[0]
    position = record["start"]
    legal = engine(game).legal(position)
    for move in [
        "",
        "pass 1",
        " " + legal[0],
        legal[0] + " ",
        legal[0].upper(),
        "reveal 1",
        "take 0",
        "place 0 0",
        "royal X9",
    ]:
        with pytest.raises(ValueError, match="not legal"):
            after([position], move)


@pytest.mark.parametrize("game", GAMES)
def test_decks_and_tables_that_are_none_are_refused(game: str) -> None:
    deck = list(range(1, 25)) if game == "rowoverflow" else list(engine(game).DECK)
    players = {"rowoverflow": 3, "cascadebeta": 2, "cascata": 2, "gridcannon": 1}[game]
    engine(game).deal(deck, players)
    for wrong, seats in [(deck[1:], players), (deck[1:] + deck[1:2], players), (deck, 5)]:
        with pytest.raises(ValueError):
            engine(game).deal(wrong, seats)


# Ascending row overflow.


def row_position(rows: list[list[int]], cards: list[int]) -> Json:
    """Three players in the last reveal, one card each."""
    used = {card for row in rows for card in row} | set(cards)
    rest = [card for card in range(1, 25) if card not in used]
    return {
        "game": "rowoverflow",
        "players": 3,
        "rows": rows,
        "hands": [[card] for card in cards],
        "collected": [rest[5:], [], []],
        "aside": rest[:5],
        "pending": [],
    }


def test_the_reveal_of_the_source() -> None:
    """RO-6, RO-7: the 18 goes behind the 15 that has just gone behind the 14."""
    last = rowoverflow.play(row_position([[3], [8], [14], [20]], [7, 15, 18]), "reveal 7 15 18")
    assert last["rows"] == [[3, 7], [8], [14, 15, 18], [20]]


def test_the_overflow_of_the_source() -> None:
    """RO-9: with four cards there before it, the 18 is a new row of one."""
    last = rowoverflow.play(row_position([[3], [8], [12, 13, 14], [20]], [7, 18, 15]), "reveal 7 18 15")
    assert last["rows"] == [[3, 7], [8], [18], [20]]
    assert last["collected"][1] == [12, 13, 14, 15]
    result = rowoverflow.result(last)
    assert result is not None
    assert result["penalties"][1:] == [4, 0]
    assert result["winners"] == [2]


def test_the_choice_is_owed_before_anything_is_placed() -> None:
    """RO-8: the first pending card is the smallest; nothing is placed before the choice."""
    position = row_position([[3], [8], [14], [20]], [9, 2, 18])
    pending = rowoverflow.play(position, "reveal 9 2 18")
    assert pending["pending"] == [[2, 1], [9, 0], [18, 2]]
    assert pending["rows"] == position["rows"]
    assert rowoverflow.legal(pending) == ["take 1", "take 2", "take 3", "take 4"]
    assert rowoverflow.result(pending) is None
    last = rowoverflow.play(pending, "take 2")
    assert last["rows"] == [[3, 9], [2], [14, 18], [20]]
    assert last["collected"][1] == [8]


def test_two_deals_are_added() -> None:
    """RO-14."""
    first = {"penalties": [4, 0, 3], "winners": [1]}
    second = {"penalties": [0, 4, 3], "winners": [0]}
    assert rowoverflow.two_deals(first, second) == {"penalties": [4, 4, 6], "winners": [0, 1]}


# CascadeBeta.


def cells(position: Json) -> set[str]:
    return {move.removeprefix("place ") for move in cascadebeta.legal(position) if move.startswith("place")}


def grid_position(grid: str, card: str, source: str) -> Json:
    """Seat 0 holds a card of its grid of 4x4, given in words of two letters and dots."""
    rows = [[None if word == "." else word for word in line.split()] for line in grid.strip().splitlines()]
    other = [[None] * 4 for _ in range(4)]
    rest = [c for c in cascadebeta.DECK if c != card and c not in grid]
    for i in range(4):
        other[i][i] = rest.pop()  # type: ignore[call-overload]
    return {
        "game": "cascadebeta",
        "size": 4,
        "players": 2,
        "to_move": 0,
        "phase": "put",
        "grids": [rows, other],
        "draw": rest[:20],
        "discard": rest[20:],
        "taken": {"card": card, "from": source},
        "hands": [[], []],
    }


GRID = """
3s . 3h 9h
. 7c .  .
. .  8h .
. .  .  9c
"""


def test_an_equal_cover_depends_on_where_the_card_is_from() -> None:
    """CB-9, the source: a 7 may cover a 7 from the draw pile, never from the discard pile."""
    assert "2 2" in cells(grid_position(GRID, "7d", "draw"))
    assert "2 2" not in cells(grid_position(GRID, "7d", "discard"))


def test_equal_ranks_may_be_neighbours() -> None:
    """CB-8, the source: in a row 3 _ 3 9 a 3 fits the gap."""
    assert "1 2" in cells(grid_position(GRID, "3d", "discard"))
    assert "1 2" not in cells(grid_position(GRID, "4d", "discard"))
    assert "1 2" not in cells(grid_position(GRID, "2d", "draw"))


def test_a_diagonal_neighbour_gives_another_turn_after_the_win() -> None:
    """CB-10, CB-12, CB-R4."""
    position = grid_position(GRID, "7d", "draw")
    position["grids"][0][0][2] = None
    position["draw"].append("3h")
    assert cascadebeta.play(position, "place 1 3")["to_move"] == 0
    assert cascadebeta.play(position, "place 2 2")["to_move"] == 1
    full = "As Ah 2s 2h\n3s 3h 4s 4h\n5s 5h 6s 6h\n7s 7h 7c ."
    last = cascadebeta.play(grid_position(full, "7d", "draw"), "place 4 4")
    assert (last["phase"], last["to_move"]) == ("over", 0)
    assert cascadebeta.result(last) == {"winners": [0], "by": "filled", "empty": [0, 12]}


def test_the_third_time_ends_the_game() -> None:
    """CB-13, CB-R5: what is thrown straight back comes up again; the start counts when it is a start of a turn."""
    position = grid_position(GRID, "7d", "draw")
    position["phase"], position["taken"] = "take", None
    position["discard"] = [*position["discard"], "7d"]
    round_ = ["take 7d", "discard", "take 7d", "discard"]
    positions = positions_of(position, round_ * 2)
    assert [p["phase"] for p in positions[-2:]] == ["put", "over"]
    assert positions[-1]["to_move"] == 0
    assert cascadebeta.result(positions[-1]) == {"winners": [0], "by": "repetition", "empty": [10, 12]}
    inside = positions_of(positions[1], (round_ * 3)[1:9])  # the same from the first put: one start of a turn fewer
    assert inside[-1]["phase"] == "put"
    assert cascadebeta.play(positions[-2], "discard")["phase"] == "take"  # without its history a position counts afresh


# Cascata.


def test_scores_of_the_source() -> None:
    """CA-14."""
    assert cascata.meld_score({"cards": ["8s", "8h"], "times": 1}) == 16
    assert cascata.meld_score({"cards": ["8s", "8h", "8d"], "times": 1}) == 48
    assert cascata.meld_score({"cards": ["As", "Ah", "Ad", "X1"], "times": 1}) == 100
    assert cascata.meld_score({"cards": ["Ks", "Kh"], "times": 6}) == 156  # CA-R8
    assert cascata.meld_score({"cards": ["Ks", "Kh", "Kd"], "times": 1}) == 78
    assert cascata.meld_score({"cards": ["Ks", "X1", "X2"], "times": 1}) == 26


@pytest.mark.parametrize(("players", "rows", "cards", "reserve"), [(2, 6, 21, 25), (3, 7, 28, 14), (4, 7, 28, 10)])
def test_sizes_of_the_source(players: int, rows: int, cards: int, reserve: int) -> None:
    """CA-3, CA-4, CA-R1, CA-R9."""
    position = cascata.deal(cascata.DECK, players)
    assert len(position["pyramid"]) == rows
    assert sum(map(len, position["pyramid"])) == cards
    assert len(position["reserve"]) == reserve
    assert cascata.legal(position) == ["take 1 1", "draw"]
    assert len(cascata.deal([*cascata.DECK, "M"], players, lock="marker")["reserve"]) == reserve + 1


def test_what_is_freed_turns_up_within_the_move() -> None:
    """CA-18, CA-R7: both rows hidden, the apex and each freed card up."""
    position = cascata.deal(cascata.DECK, 2, hidden_rows=[1, 2, 3])
    assert [[card["up"] for card in row] for row in position["pyramid"][:3]] == [[True], [False] * 2, [False] * 3]
    position = positions_of(position, ["take 1 1", "pass", "take 2 1", "pass"])[-1]
    assert position["pyramid"][:3] == [
        [None],
        [None, {"card": position["pyramid"][1][1]["card"], "up": True}],
        [
            {"card": position["pyramid"][2][0]["card"], "up": True},
            {"card": position["pyramid"][2][1]["card"], "up": False},
            {"card": position["pyramid"][2][2]["card"], "up": False},
        ],
    ]


def test_the_marker_locks_and_its_drawer_still_drafts() -> None:
    """CA-20, CA-R9."""
    deck = cascata.DECK[:29] + ["M"] + cascata.DECK[29:]
    position = cascata.play(cascata.deal(deck, 2, lock="marker"), "draw")
    assert (position["phase"], position["locked"], position["drawn_marker"]) == ("draft", True, True)
    assert cascata.legal(position) == ["take 1 1"]
    assert cascata.play(position, "take 1 1")["drawn_marker"] is False


# Gridcannon.


def cannon(**changes: Any) -> Json:
    """The table of the source: top row 9h 7h 3s with the King of hearts at L1, the Queen of spades beside the 6s."""
    position: Json = {
        "game": "gridcannon",
        "grid": [[["9h"], ["7h"], ["3s"]], [["4c"], ["Td"], ["6s"]], [["2d"], ["5h"], ["8c"]]],
        "royals": {
            "L1": {"card": "Kh", "armour": [], "dead": False},
            "R2": {"card": "Qs", "armour": [], "dead": False},
        },
        "draw": [],
        "turned": "5c",
        "waiting": [],
        "ploys": [],
        "used": [],
        "options": {"empty_centre": False, "replace_one": False},
        "phase": "put",
    }
    used = {"9h", "7h", "3s", "4c", "Td", "6s", "2d", "5h", "8c", "Kh", "Qs", "5c"}
    position["draw"] = [card for card in gridcannon.DECK if card not in used]
    return {**position, **changes}


def test_where_the_5c_of_the_source_goes() -> None:
    """GC-9, GC-10, GC-11."""
    places = {move for move in gridcannon.legal(cannon()) if move.startswith("place")}
    assert places == {"place 2 1", "place 1 3", "place 3 1", "place 3 2"}
    last = gridcannon.play(cannon(), "place 1 3")
    assert last["royals"]["L1"]["dead"] is True
    assert last["phase"] == "turn"


def test_the_queen_of_the_source_counts_her_colour() -> None:
    """GC-10, GC-11: Td + 6s are only 6; with a black ten on the Td they are 16."""
    last = gridcannon.play(cannon(), "place 2 1")
    assert last["royals"]["R2"]["dead"] is False
    grid = cannon()["grid"]
    grid[1][1] = ["Td", "Ts"]
    draw = [card for card in cannon()["draw"] if card != "Ts"]
    assert gridcannon.play(cannon(grid=grid, draw=draw), "place 2 1")["royals"]["R2"]["dead"] is True


def test_the_royals_of_the_source_stand_where_they_may() -> None:
    """GC-6, GC-7, GC-R2: the King of hearts by the 9h, a corner; the Queen of spades by the 6s."""
    bare = cannon(royals={}, turned=None, phase="royal", waiting=["Kh"])
    assert set(gridcannon.legal(bare)) == {"royal L1", "royal T1"}
    assert gridcannon.legal({**bare, "waiting": ["Qs"]}) == ["royal R2"]
    taken = {**bare, "waiting": ["Qs"], "royals": {"R2": {"card": "Ks", "armour": [], "dead": True}}}
    assert set(gridcannon.legal(taken)) == {"royal R1", "royal T3"}  # the 3s is the next spade


def test_health_and_armour() -> None:
    """GC-11, GC-16, GC-17: the source's King with a 3 has 16."""
    assert gridcannon.health({"card": "Kh", "armour": ["3c"], "dead": False}) == 16
    for card, armour, lost in [("Kh", "6c", True), ("Kh", "5c", False), ("Jh", "9c", True), ("Qh", "8c", True)]:
        assert gridcannon.is_beyond_reach({"card": card, "armour": [armour], "dead": False}) is lost
    assert gridcannon.is_beyond_reach({"card": "Jh", "armour": ["8c"], "dead": False}) is False


def test_a_card_that_fits_nowhere_is_worn_by_the_lowest_of_its_kind() -> None:
    """GC-16, GC-R7."""
    grid = [[["9h"], ["7h"], ["3s"]], [["4c"], ["Td"], ["6s"]], [["3d"], ["5h"], ["8c"]]]
    position = cannon(grid=grid, turned="2c", ploys=["Ah"])
    assert [move for move in gridcannon.legal(position) if move.startswith("armour")] == ["armour R2"]
    royals = {
        **position["royals"],
        "T1": {"card": "Jd", "armour": ["2d"], "dead": False},
        "T2": {"card": "Jh", "armour": [], "dead": False},
        "R2": {"card": "Qs", "armour": [], "dead": True},
    }
    others = [move for move in gridcannon.legal({**position, "royals": royals}) if move.startswith("armour")]
    assert set(others) == {"armour T1", "armour T2"}
