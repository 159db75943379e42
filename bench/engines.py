"""How many moves a second an engine plays at random, full `legal()` and events included.

    python -m bench.engines [GAME …]

Machines are noisy and differ: besides moves a second stands what a move costs in steps of the bare loop
`while i < n: i += 1`, taken in the same run. Every stretch of play is repeated and its quickest pass counts. Where
`pyspiel` (OpenSpiel) is installed, its C++ games played through Python are measured in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from random import Random
from statistics import mean
from time import perf_counter
from typing import Any

from kit import catalogue

STRETCHES, PASSES, MOVES = 20, 30, 100
OPEN_SPIEL = "crazy_eights", "hearts", "gin_rummy"


def bare_loop(steps: int = 4000) -> float:
    """Seconds a step."""
    began, i = perf_counter(), 0
    while i < steps:
        i += 1
    return (perf_counter() - began) / steps


def play(name: str, seed: int) -> tuple[float, float]:
    """Seconds and events a move in MOVES random moves of that seed, over as many deals as it takes."""
    game: Any = import_module(f"kit.games.{name}")
    random = Random(seed)
    deck, players = list(game.DECK), game.PLAYERS[seed % len(game.PLAYERS)]
    seconds, moves, told = 0.0, 0, 0
    while moves < MOVES:
        random.shuffle(deck)
        position = game.deal(deck, players)
        began = perf_counter()
        while moves < MOVES and (legal := position.legal()):
            position, events = position.play(legal[int(random.random() * len(legal))])
            moves, told = moves + 1, told + len(events)
        seconds += perf_counter() - began
    return seconds / moves, told / moves


def play_open_spiel(name: str, seed: int) -> tuple[float, float]:
    """The same for a game of OpenSpiel; chance is played, but neither timed nor counted."""
    game, random = import_module("pyspiel").load_game(name), Random(seed)
    seconds, moves = 0.0, 0
    while moves < MOVES:
        state = game.new_initial_state()
        while moves < MOVES and not state.is_terminal():
            chance, began = state.is_chance_node(), perf_counter()
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            if not chance:
                seconds, moves = seconds + perf_counter() - began, moves + 1
    return seconds / moves, 0.0


def measure(name: str, playing: Callable[[str, int], tuple[float, float]]) -> str:
    """One line about one game."""
    passes = [(bare_loop(), [playing(name, seed) for seed in range(STRETCHES)]) for _ in range(PASSES)]
    step = min(step for step, _ in passes)
    move = mean(map(min, zip(*([seconds for seconds, _ in stretches] for _, stretches in passes), strict=True)))
    events = mean(events for _, events in passes[0][1])
    return f"{name:20} {1 / move:12,.0f} moves/s {move / step:8.0f} loop steps a move {events:6.1f} events a move"


def main(names: list[str]) -> None:
    for name in names or catalogue.GAMES:
        print(measure(name, play), flush=True)
    try:
        import_module("pyspiel")
    except ImportError:
        return
    for name in OPEN_SPIEL:
        print(measure(name, play_open_spiel), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
