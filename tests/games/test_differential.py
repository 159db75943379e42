"""The engine against the reference, two authors of one game: random deals, random play, positions bent out of shape."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from kit.catalogue import GAMES, game
from kit.reference.record import after, read
from kit.reference.record import engine as reference
from tests.games import walks

Json = Any
SEEDS = st.integers(0, 2**64 - 1)
EXAMPLES = max(1, settings().max_examples // 10)  # an example is a whole game
MOST_MOVES = 15  # of a bent position that are played on both sides


def agree(name: str, state: Any, position: Json) -> None:
    """The same position, the same legal moves (each spelled one way, none twice), the same result."""
    engine, rules = game(name), reference(name)
    assert rules.canonical(engine.position_to_json(state)) == rules.canonical(position)
    legal = [str(move) for move in state.legal()]
    assert sorted(legal) == sorted(rules.legal(position))
    assert json.loads(json.dumps(state.result())) == rules.result(position)


def refused_by_both(name: str, state: Any, position: Json, text: str) -> None:
    with pytest.raises(ValueError):
        state.play(game(name).move_from_text(text))
    with pytest.raises(ValueError):
        reference(name).play(position, text)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=EXAMPLES)
@given(seed=SEEDS)
def test_random_games_are_the_same_games(name: str, seed: int) -> None:
    rng = Random(seed)
    deck, players, options = walks.deal(name, rng)
    engine = game(name)
    state: Any = engine.deal(deck, players, **options)
    start = reference(name).deal(deck, players, **options)
    seen: list[str] = []
    moves: list[str] = []
    for positions, move in walks.walk(name, start, rng, most=150):
        agree(name, state, positions[-1])
        legal = reference(name).legal(positions[-1])
        seen = [*seen[-50:], *rng.sample(legal, min(5, len(legal)))]
        for other in rng.sample(seen, min(3, len(seen))):
            if other not in legal:
                refused_by_both(name, state, positions[-1], other)
        if move is not None:
            moves.append(move)
            state, _ = state.play(engine.move_from_text(move))
    note(json.dumps({"game": name, "start": start, "moves": moves}))


@cache
def on_file(name: str) -> list[Json]:
    """Positions of the traces: there the rare rules come up."""
    path = Path(__file__).parent / "vectors" / f"{name}.jsonl.gz"
    return [entry["position"] for _, record in read(path) for entry in record["check"]]


def bent(name: str, seed: int) -> list[Json]:
    """Positions of one random game and some of the traces, each bent in several ways."""
    rng = Random(seed)
    deck, players, options = walks.deal(name, rng)
    *_, (positions, _) = walks.walk(name, reference(name).deal(deck, players, **options), rng, most=60)
    chosen = [*rng.sample(positions, min(4, len(positions))), positions[-1], *rng.sample(on_file(name), 5)]
    return [walks.mutated(position, rng) for position in chosen for _ in range(6)]


def possible(name: str, position: Json) -> Any:
    """The engine's position, or None when the engine says that there can be no such position."""
    try:
        return game(name).position_from_json(position)
    except ValueError:
        return None


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=EXAMPLES)
@given(seed=SEEDS)
def test_bent_positions_go_on_the_same_way(name: str, seed: int) -> None:
    rng = Random(seed)
    for position in bent(name, seed):
        state = possible(name, position)
        if state is None:
            continue
        note(json.dumps(position))
        agree(name, state, position)
        legal = list(state.legal())
        for move in rng.sample(legal, min(MOST_MOVES, len(legal))):
            note(str(move))
            following, _ = state.play(move)
            agree(name, following, after([position], str(move)))


@pytest.mark.parametrize("name", GAMES)
def test_many_bent_positions_are_possible_and_many_are_not(name: str) -> None:
    """Else the test above would hold nothing against anything."""
    states = [possible(name, position) for seed in range(5) for position in bent(name, seed)]
    accepted = sum(state is not None for state in states)
    assert len(states) / 10 < accepted < len(states) * 9 / 10
