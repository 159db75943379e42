"""Random play: options as people type them, and records as other engines read them."""

from __future__ import annotations

from typing import Any

import pytest

from kit import catalogue
from kit.games import cascadebeta, cascata, gridcannon, playing, record, rowoverflow
from kit.games.core import BadPosition


@pytest.mark.parametrize(
    ("engine", "name", "text", "value"),
    [
        (cascadebeta, "size", "5", 5),
        (cascadebeta, "size", "99", 99),  # whether there is such a grid is for the deal to say
        (cascata, "hidden_rows", "3,14", (3, 14)),
        (cascata, "hidden_rows", "4", (4,)),
        (cascata, "multiplier", "", True),
        (cascata, "lock", "joker", "joker"),
        (gridcannon, "replace_one", "", True),
    ],
)
def test_an_option_as_it_is_typed(engine: Any, name: str, text: str, value: object) -> None:
    found = playing.option(engine, name, text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("engine", "name", "text", "fault"),
    [
        (cascata, "multiplier", "yes", "multiplier is on when it is named; 'yes' is more than that"),
        (cascata, "lock", "", "lock needs a value"),
        (cascadebeta, "size", "", "size needs a value"),
        (cascadebeta, "size", "five", "size is a number, not 'five'"),
        (cascadebeta, "size", "٤", "size is a number, not '٤'"),
        (cascadebeta, "size", "100", "size is a number, not '100'"),
        (cascadebeta, "size", "4,5", "size is one number, not 2"),
        (cascata, "hidden_rows", "3,x", "hidden_rows is numbers, not '3,x'"),
    ],
)
def test_an_option_that_is_none(engine: Any, name: str, text: str, fault: str) -> None:
    with pytest.raises(BadPosition) as error:
        playing.option(engine, name, text)
    assert str(error.value) == fault


def test_an_option_that_the_game_has_not() -> None:
    with pytest.raises(KeyError):
        playing.option(rowoverflow, "size", "4")


@pytest.mark.parametrize("name", catalogue.GAMES)
def test_a_game_as_it_is_written_is_played_again(name: str) -> None:
    engine = catalogue.game(name)
    played = playing.play(engine, "WRITTEN", engine.PLAYERS[0], {}, most=60)
    bare = playing.written(engine, played)
    assert bare == {
        "game": name,
        "start": engine.position_to_json(played.positions[0]),
        "moves": [str(move) for move in played.moves],
    }
    trace = playing.written(engine, played, check=True)
    assert {key: trace[key] for key in bare} == bare
    assert set(trace) - set(bare) == {"check"}
    assert len(trace["check"]) == len(played.moves) + 1
    for position, entry in zip(played.positions, trace["check"], strict=True):
        assert entry["position"] == engine.position_to_json(position)
        assert entry["legal"] == [str(move) for move in position.legal()]
    assert [set(entry) for entry in trace["check"][:-1]] == [{"legal", "position"}] * len(played.moves)
    assert trace["check"][-1]["result"] == played.positions[-1].result()
    for data in (bare, trace):
        assert record.replay(data, catalogue.game).positions == played.positions


def test_a_game_of_so_many_moves_and_no_more() -> None:
    assert len(playing.play(cascadebeta, "LONG", 2, {}, most=7).moves) == 7
    whole = playing.play(rowoverflow, "LONG", 3, {})
    assert len(whole.positions) == len(whole.moves) + 1 and whole.positions[-1].result()


def test_players_that_the_game_is_not_for() -> None:
    with pytest.raises(BadPosition, match=r"^5 players, not 2 or 3 or 4$"):
        playing.play(cascata, "MANY", 5, {})


def test_giving_up_is_rare() -> None:
    ends = [playing.play(gridcannon, f"RARE/{n}", 1, {}).positions[-1].result() for n in range(30)]
    assert sum(end == {"won": False, "by": "concede"} for end in ends if end) < 15
