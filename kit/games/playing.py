"""Playing at random: a whole game from a code, the same one on every machine for ever. Nothing here opens a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any, NamedTuple

from kit.games.core import (
    Game,
    Json,
    State,
    Stream,
    check_players,
    excerpt,
    refuse,
)
from kit.games.record import record

MOST = 500  # moves a record, so that a trace of any game stays far below record.LINE_LIMIT
GIVING_UP = "concede"  # chosen once in so many moves, else every random game with it would be short
GIVING_UP_IN = 200


class Played(NamedTuple):
    """A game as it went: the positions (the start included) and the move made in each but the last."""

    positions: tuple[State, ...]
    moves: tuple[Any, ...]


def options(engine: Game) -> dict[str, Any]:
    """What a table may agree on in this game, each with what it is where nothing is said: the arguments of its deal."""
    _deck, _players, *agreed = signature(engine.deal).parameters.values()
    return {parameter.name: parameter.default for parameter in agreed}


def option(engine: Game, name: str, value: str) -> Any:
    """The value of an option as text: `size` `5`, `hidden_rows` `3,4`, `lock` `joker`; a switch has none.

    Raises BadPosition where the text is no such value, KeyError for an unknown name. Whether the game has that size,
    row or lock is for its deal to say.
    """
    usual = options(engine)[name]
    if isinstance(usual, bool):
        return True if not value else refuse(f"{name} is on when it is named; {excerpt(value)} is more than that")
    if not value:
        refuse(f"{name} needs a value")
    if isinstance(usual, int | tuple):
        words = value.split(",")
        if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
            refuse(f"{name} is {'a number' if isinstance(usual, int) else 'numbers'}, not {excerpt(value)}")
        numbers = tuple(map(int, words))
        if isinstance(usual, tuple):
            return numbers
        return numbers[0] if len(numbers) == 1 else refuse(f"{name} is one number, not {len(numbers)}")
    return value


def dealt(engine: Game, stream: Stream, players: int, agreed: Mapping[str, Any]) -> State:
    """A shuffled deck, dealt. A game whose options change how it is shuffled has a `deck` of its own."""
    check_players(players, engine.PLAYERS)
    shuffled = getattr(engine, "deck", None)
    deck = shuffled(stream, players, **agreed) if shuffled else stream.shuffled(engine.DECK)
    return engine.deal(deck, players, **agreed)


def choose(stream: Stream, legal: Sequence[Any]) -> Any:
    """A legal move, each as likely; only giving up is rare."""
    move = stream.choice(legal)
    while str(move) == GIVING_UP and len(legal) > 1 and stream.below(GIVING_UP_IN):
        move = stream.choice(legal)
    return move


def play(engine: Game, seed: str, players: int, agreed: Mapping[str, Any], most: int = MOST) -> Played:
    """A random game of at most so many moves. Raises BadPosition where the table cannot be dealt so."""
    stream = Stream(seed)
    position = dealt(engine, stream, players, agreed)
    positions = [position]
    moves: list[Any] = []
    while len(moves) < most and (legal := position.legal()):
        moves.append(choose(stream, legal))
        position, _ = position.play(moves[-1])
        positions.append(position)
    return Played(tuple(positions), tuple(moves))


def written(engine: Game, played: Played, check: bool = False) -> dict[str, Json]:
    """The record of a game; with `check` the conformance trace that another engine can be held against."""
    data = record(engine, played.positions[0], played.moves)
    if check:
        entries: list[dict[str, Json]] = [
            {"legal": list(map(str, position.legal())), "position": engine.position_to_json(position)}
            for position in played.positions
        ]
        entries[-1]["result"] = played.positions[-1].result()
        data["check"] = entries
    return data
