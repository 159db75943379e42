"""What a random move costs, full `legal()` and events included, in steps of a bare loop taken in the same run.

    python -m bench.engines [GAME …]

Machines are noisy and differ, so there are no seconds here: a step is one turn of `while i < n: i += 1`. Every stretch
of play is repeated and its quickest pass counts. Beside the engines stand the naive reference (which plays by the rules
alone, in interchange JSON) and, where they are installed, games of OpenSpiel (`pyspiel`: in C++ played through Python,
and written in Python) and of RLCard. None of them tells events.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from time import process_time
from typing import Any, NamedTuple

from kit import catalogue

LEAST = 100  # moves a stretch: whole games until there are as many
MOST = 500  # moves a game; only CascadeBeta's random games may be longer
OPEN_SPIEL = "crazy_eights", "hearts", "gin_rummy"
OPEN_SPIEL_PYTHON = "python_block_dominoes", "python_tic_tac_toe"
RLCARD = "uno", "gin-rummy"
YARDSTICK = "OpenSpiel crazy_eights (C++)"


class Stretch(NamedTuple):
    """Players' moves, and events told."""

    moves: int
    events: int = 0


class Measured(NamedTuple):
    """Steps of the bare loop a move, shuffle, deal and end of the game included, and events a move."""

    name: str
    steps: float
    events: float


def bare_loop(steps: int = 4000) -> float:
    """Seconds of processor time a step."""
    began, i = process_time(), 0
    while i < steps:
        i += 1
    return (process_time() - began) / steps


def play(name: str, seed: int) -> Stretch:
    """Random games by the engine."""
    game: Any = import_module(f"kit.games.{name}")
    random = Random(seed)
    deck, players = list(game.DECK), game.PLAYERS[seed % len(game.PLAYERS)]
    moves = told = 0
    while moves < LEAST:
        deck.sort(key=lambda _: random.random())  # random.shuffle would cost more than the deal
        position = game.deal(deck, players)
        most = moves + MOST
        while moves < most and (legal := position.legal()):
            position, events = position.play(legal[int(random.random() * len(legal))])
            moves, told = moves + 1, told + len(events)
    return Stretch(moves, told)


def play_reference(name: str, seed: int) -> Stretch:
    """The same by the naive reference, LEAST moves; in CascadeBeta it looks back 50 positions for repetition."""
    game, rules, random = catalogue.game(name), import_module(f"kit.reference.{name}"), Random(seed)
    deck, players = list(game.DECK), game.PLAYERS[seed % len(game.PLAYERS)]
    moves = 0
    while moves < LEAST:
        random.shuffle(deck)
        positions = [rules.deal(deck, players)]
        while moves < LEAST and (legal := rules.legal(positions[-1])):
            move, earlier = legal[int(random.random() * len(legal))], positions[-51:-1]
            more = (earlier,) if name == "cascadebeta" else ()
            positions.append(rules.play(positions[-1], move, *more))
            moves += 1
    return Stretch(moves)


def play_open_spiel(name: str, seed: int) -> Stretch:
    """Games of OpenSpiel. Chance, which deals its cards, is played but not counted as a move."""
    game, random = import_module("pyspiel").load_game(name), Random(seed)
    moves = 0
    while moves < LEAST:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves += not state.is_chance_node()
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
    return Stretch(moves)


def play_rlcard(name: str, seed: int) -> Stretch:
    """Games of RLCard by its environment, whose states carry the legal moves."""
    environment, random = import_module("rlcard").make(name, {"seed": seed}), Random(seed)
    moves = 0
    while moves < LEAST:
        state, _ = environment.reset()
        while not environment.is_over():
            legal = list(state["legal_actions"])
            state, _ = environment.step(legal[int(random.random() * len(legal))])
            moves += 1
    return Stretch(moves)


Playing = Callable[[str, int], Stretch]  # a game, a seed


def timed(playing: Playing, name: str, seed: int) -> tuple[float, Stretch]:
    """Seconds of processor time of the whole stretch, and the stretch."""
    began = process_time()
    stretch = playing(name, seed)
    return process_time() - began, stretch


def measure(label: str, name: str, playing: Playing, stretches: int = 20, passes: int = 30) -> Measured:
    """Of every stretch the quickest pass counts, and of the bare loop the quickest step."""
    step, total, moves, events = 1.0, 0.0, 0, 0
    for seed in range(stretches):
        rounds = []
        for _ in range(passes):
            step = min(step, bare_loop())
            rounds.append(timed(playing, name, seed))
        total += min(seconds for seconds, _ in rounds)
        moves += rounds[0][1].moves
        events += rounds[0][1].events
    return Measured(label, total / moves / step, events / moves)


def there(module: str) -> bool:
    try:
        import_module(module)
    except ImportError:
        return False
    return True


def measured(names: Sequence[str]) -> list[Measured]:
    """Engines, references and whatever else is installed."""
    found = [measure(name, name, play) for name in names]
    found += [measure(f"{name}, naive reference", name, play_reference, 3, 3) for name in names]
    if there("pyspiel"):
        found += [measure(f"OpenSpiel {name} (C++)", name, play_open_spiel) for name in OPEN_SPIEL]
    if there("open_spiel.python.games"):
        found += [measure(f"OpenSpiel {name}", name, play_open_spiel, 5, 10) for name in OPEN_SPIEL_PYTHON]
    if there("rlcard"):
        found += [measure(f"RLCard {name}", name, play_rlcard, 5, 10) for name in RLCARD]
    return found


def table(found: Sequence[Measured]) -> str:
    """A Markdown table; the last column says how often a game moves while OpenSpiel's crazy_eights moves once."""
    steps = {row.name: row.steps for row in found}
    lines = ["| | steps a move | events a move | moves for one of crazy_eights |", "|---|---:|---:|---:|"]
    for row in found:
        events = f"{row.events:.1f}" if row.events else "–"
        times = f"{steps[YARDSTICK] / row.steps:.2g}" if YARDSTICK in steps else "–"
        lines.append(f"| {row.name} | {row.steps:,.0f} | {events} | {times} |")
    return "\n".join(lines)


def main(names: Sequence[str]) -> None:
    print(table(measured(names or catalogue.GAMES)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
