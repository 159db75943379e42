"""What holds for every engine, the template's too: its face, random play to the end, and what it refuses."""

from __future__ import annotations

import copy
import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.catalogue import GAMES, game
from kit.games import playing, record
from kit.games.core import BadPosition, Game, IllegalMove, Stream
from tests.template.kit.games import highcard

Json = Any
ENGINES: dict[str, Any] = {**{name: game(name) for name in GAMES}, "highcard": highcard}
FACTS, EVENTS = (Path(__file__).parents[1] / "golden" / name for name in ("facts", "events"))
VECTORS = Path(__file__).parent / "vectors"
POSITIONS = 700  # of random play, looked at a game

# Tables of every game: players, and what is agreed on (all that is not said is left to chance).
CHOICES: dict[str, dict[str, list[Any]]] = {
    "cascadebeta": {"size": [4, 5]},
    "cascata": {
        "hidden_rows": [(), (4,), (1, 2, 3, 4, 5, 6)],
        "multiplier": [False, True],
        "lock": [None, "joker", "marker"],
    },
    "gridcannon": {"empty_centre": [False, True], "replace_one": [False, True]},
}


def games(engine: Any) -> Iterator[playing.Played]:
    """Random games without end, at every table of the game in turn."""
    name, number = engine.ID, 0
    while True:
        stream = Stream(f"{name}/{number}")
        agreed = {option: stream.choice(values) for option, values in CHOICES.get(name, {}).items()}
        players = engine.PLAYERS[number % len(engine.PLAYERS)]
        if agreed.get("size") == 5:
            players = 2
        yield playing.play(engine, f"{name}/{number}", players, agreed)
        number += 1


def sampled(engine: Any, most: int = POSITIONS) -> Iterator[tuple[playing.Played, int]]:
    """Games, and in each the number of every position; some of the positions where a game is long."""
    seen = 0
    for played in games(engine):
        step = max(1, len(played.positions) // 80)
        for number in range(0, len(played.positions), step):
            yield played, number
            seen += 1
        if seen >= most:
            return


def offered(protocol: type) -> set[str]:
    return {name for name in vars(protocol) | protocol.__annotations__ if not name.startswith("_")}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Any:
    return ENGINES[request.param]


def test_it_offers_what_a_game_offers(engine: Any) -> None:
    assert not {name for name in offered(Game) if not hasattr(engine, name)}
    assert engine.__name__.rpartition(".")[2] == engine.ID
    assert all(type(value) is int for value in engine.facts().values())
    assert all(re.fullmatch(r"\w+", name) for name in engine.facts())
    assert len(set(engine.DECK)) == len(engine.DECK)


def test_every_option_of_its_deal_is_dealt_here(engine: Any) -> None:
    assert set(playing.options(engine)) == set(CHOICES.get(engine.ID, {}))


def test_its_rules_have_ids_and_statuses(engine: Any) -> None:
    ids = [rule.id for rule in engine.RULES]
    assert len(set(ids)) == len(ids)
    assert len({rule.partition("-")[0] for rule in ids}) == 1
    for rule, status in engine.RULES:
        reading = re.fullmatch(r"[A-Z]{2}-(R?)[1-9]\d*", rule)
        assert reading
        assert status in (("settled", "follows", "open") if reading[1] else ("rule",))


def test_random_play_keeps_every_invariant(engine: Any) -> None:
    """Every position could be, is read again as it was written both ways, and goes on exactly while it is not over."""
    ids = {rule.id for rule in engine.RULES}
    ended = 0
    for played, number in sampled(engine):
        position = played.positions[number]
        engine.check(position)
        data = json.loads(json.dumps(engine.position_to_json(position)))
        assert engine.position_to_json(engine.position_from_json(data)) == data
        same = engine.canonical(position)
        assert engine.canonical(same) == same
        again = engine.canonical(engine.position_from_text(engine.position_to_text(position)))
        assert engine.position_to_json(again) == engine.position_to_json(same)
        assert (position.result() is None) == bool(len(position.legal()))
        ended += position.result() is not None
        for seat in range(len(getattr(position, "hands", ((),)))):
            position.view(seat)
        if number < len(played.moves):
            move = played.moves[number]
            assert move in position.legal()
            assert engine.move_from_text(str(move)) == move
            before, seen = hash(position), repr(position)
            after, events = position.play(move)
            assert (hash(position), repr(position)) == (before, seen)
            assert after == played.positions[number + 1]
            assert events
            assert {event.rule for event in events} <= ids
            assert all(re.fullmatch(r"[a-z_]+", event.kind) for event in events)
            json.dumps([event.facts for event in events])
    assert ended


HIDDEN = {  # what a view has of the same name, but not the same
    "cascadebeta": {"draw", "taken", "hands"},
    "cascata": {"pyramid"},
    "gridcannon": {"draw"},
}


def test_a_view_says_whose_it_is_and_tells_all_that_is_open_as_it_is(engine: Any) -> None:
    for played, number in sampled(engine, 100):
        position = played.positions[number]
        for seat in range(len(getattr(position, "hands", ((),)))):
            view = position.view(seat)._asdict()
            assert view.get("seat", seat) == seat
            for name in set(view) & set(position._fields) - HIDDEN.get(engine.ID, set()):
                assert view[name] == getattr(position, name), name


def test_the_numbers_that_texts_quote(engine: Any, golden: Callable[[Path, bytes], None]) -> None:
    """Each stands in the rules of its game: read them against those before they are renewed."""
    lines = [f"{name}: {value}\n" for name, value in sorted(engine.facts().items())]
    golden(FACTS / f"{engine.ID}.txt", "".join(lines).encode())


def test_events_of_a_kind_tell_the_same_facts(engine: Any, golden: Callable[[Path, bytes], None]) -> None:
    """Which events there are, by which rule, and the names of their facts: keys and examples are written from them."""
    found: set[str] = set()
    plays = [played for played, number in sampled(engine, 2000) if number == 0]
    for positions, moves in [*plays, *from_traces(engine)]:
        for position, move in zip(positions, moves, strict=False):
            found |= {f"{e.rule} {e.kind}: {' '.join(e.facts)}\n" for e in position.play(move)[1]}
    golden(EVENTS / f"{engine.ID}.txt", "".join(sorted(found)).encode())


def from_traces(engine: Any) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    """Games that were chosen for their rare rules."""
    path = VECTORS / f"{engine.ID}.jsonl.gz"
    if path.exists():
        with gzip.open(path) as stream:
            for _, line in record.lines(stream):
                data = record.parse(line)
                played = record.replay({key: data[key] for key in ("game", "start", "moves")}, game)
                yield played.positions, list(map(engine.move_from_text, data["moves"]))


def unordered(value: Json) -> Json:
    """The same with every innermost list in one order."""
    if isinstance(value, dict):
        return {key: unordered(inner) for key, inner in value.items()}
    if isinstance(value, list):
        flat = not any(isinstance(inner, list | dict) for inner in value)
        return sorted(value, key=str) if flat else list(map(unordered, value))
    return value


def test_the_canonical_position_is_the_same_but_for_the_order_of_sets(engine: Any) -> None:
    for played, number in sampled(engine, 100):
        position = played.positions[number]
        data, same = engine.position_to_json(position), engine.position_to_json(engine.canonical(position))
        assert set(engine.SETS) <= set(data)
        for key in data:
            assert unordered(same[key]) == unordered(data[key]) if key in engine.SETS else same[key] == data[key], key


def test_what_is_not_legal_is_refused_by_a_rule(engine: Any) -> None:
    ids = {rule.id for rule in engine.RULES}
    refused = 0
    for played, number in sampled(engine, 200):
        position = played.positions[number]
        legal = set(map(str, position.legal()))
        for move in {*played.moves[:: max(1, len(played.moves) // 8)], *played.moves[max(0, number - 3) : number]}:
            if str(move) in legal:
                continue
            with pytest.raises(IllegalMove) as error:
                position.play(move)
            assert error.value.rule in ids
            assert error.value.detail
            refused += 1
    assert refused


def leaves(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Json]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path, value


def with_value(data: Json, path: tuple[Any, ...], value: Json) -> Json:
    data = copy.deepcopy(data)
    here = data
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = value
    return data


def test_what_is_no_position_is_refused_by_the_name_of_the_fault(engine: Any) -> None:
    """Keys too many or too few, and for every number, word and truth value one of another kind in its place."""
    played = next(games(engine))
    for position in (played.positions[0], played.positions[len(played.positions) // 2], played.positions[-1]):
        data = engine.position_to_json(position)
        wrong: list[Json] = [None, [], "x", 1, {}, {**data, "comment": ""}, {**data, "game": "chess"}]
        wrong += [{key: value for key, value in data.items() if key != missing} for missing in data]
        wrong += [{**data, key: value} for key in data for value in ({}, [[[[]]]], "x", -1, 1.5) if data[key] != value]
        for path, value in leaves(data):
            if value is not None:
                others = ("x", 0, None) if isinstance(value, bool) else (str(value), 99, 1.5, True, {}, [])
                wrong += [with_value(data, path, other) for other in others if other != value or other is not value]
        for broken in wrong:
            if broken == data and repr(broken) == repr(data):
                continue
            with pytest.raises(BadPosition) as error:
                engine.position_from_json(broken)
            assert str(error.value)
