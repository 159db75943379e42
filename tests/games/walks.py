"""Random games and random damage, in interchange JSON: what the two engines are shown to see whether they agree."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from kit.reference.record import after, engine

Json = Any


def deal(game: str, rng: Random) -> tuple[list[Any], int, dict[str, Any]]:
    """A deck, a number of players and options: any that the game has."""
    if game == "rowoverflow":
        return _deck(list(range(1, 25)), rng), rng.choice([3, 4]), {}
    deck = list(engine(game).DECK)
    if game == "cascadebeta":
        players, size = rng.choice([(2, 4), (2, 5), (3, 4)])
        return _deck(deck, rng), players, {"size": size}
    if game == "gridcannon":
        return _deck(deck, rng), 1, {"empty_centre": rng.random() < 0.5, "replace_one": rng.random() < 0.5}
    players = rng.choice([2, 3, 4])
    hidden = [row for row in range(1, 7 if players == 2 else 8) if rng.random() < 0.3]
    lock = rng.choice([None, "joker", "marker"])
    return (
        _lock(_deck(deck, rng), players, lock, rng),
        players,
        {"hidden_rows": hidden, "multiplier": rng.random() < 0.5, "lock": lock},
    )


def _deck(deck: list[Any], rng: Random) -> list[Any]:
    """Well shuffled, or hardly: then equal ranks lie together and rare rules come up often."""
    if rng.random() < 0.6:
        rng.shuffle(deck)
        return deck
    cut = rng.randrange(len(deck))
    deck = deck[cut:] + deck[:cut]
    for _ in range(rng.choice([2, 8, 25])):
        i, k = rng.randrange(len(deck)), rng.randrange(len(deck))
        deck[i], deck[k] = deck[k], deck[i]
    return deck


def _lock(deck: list[str], players: int, lock: str | None, rng: Random) -> list[str]:
    """Cascata's deck with what locks put among the reserve."""
    if lock is None:
        return deck
    card = "X1" if lock == "joker" else "M"
    rest = [other for other in deck if other != card]
    first = 4 * players + (21 if players == 2 else 28)
    rest.insert(rng.randint(first, min(len(rest), first + rng.choice([2, 30]))), card)
    return rest


PROGRESS: dict[str, Callable[[Json], float]] = {
    "rowoverflow": lambda p: sum(map(len, p["collected"])) + 9 * bool(p["pending"]),
    "cascadebeta": lambda p: sum(card is not None for grid in p["grids"] for row in grid for card in row),
    "cascata": lambda p: (
        sum(len(m["cards"]) ** 2 for own in p["melds"] for m in own) - len(json.dumps(p["pyramid"])) / 50
    ),
    "gridcannon": lambda p: (
        9 * sum(royal["dead"] for royal in p["royals"].values())
        - len(p["draw"]) / 9
        - sum(len(royal["armour"]) for royal in p["royals"].values())
    ),
}


def walk(game: str, start: Json, rng: Random, most: int = 400) -> Iterator[tuple[list[Json], str | None]]:
    """Play at random by the reference: the positions so far, and the move chosen in the last one (None at the end).

    Each walk has its own taste in kinds of move and its own greed for what makes progress, so that games are lost,
    won, dragged out and thrown away.
    """
    rules = engine(game)
    taste: dict[str, float] = {}
    greed = rng.choice([0, 0, 0.5, 0.9])
    positions = [start]
    for _ in range(most):
        legal = rules.legal(positions[-1])
        if not legal:
            break
        if rng.random() < greed and len(legal) < 80:
            willing = [move for move in legal if move != "concede"]
            tried = [(PROGRESS[game](after(positions, move)), rng.random(), move) for move in willing]
            move = max(tried)[2]
        else:
            words = sorted({move.split(" ")[0] for move in legal})
            for word in words:
                taste.setdefault(word, 0.01 if word == "concede" else rng.choice([1, 4, 16]))
            word = rng.choices(words, [taste[word] for word in words])[0]
            move = rng.choice([move for move in legal if move.split(" ")[0] == word])
        yield positions, move
        positions.append(after(positions, move))
    yield positions, None


# Damage: a position changed in one place or a few; whether such a position can be is for the engine to say.


def mutated(position: Json, rng: Random) -> Json:
    """A copy with one to three random changes."""
    changed = json.loads(json.dumps(position))
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
        rng.choice([_swap, _swap, _move, _move, _scalar])(changed, rng)
    return changed


def _is_card(value: Json) -> bool:
    return isinstance(value, str) and len(value) == 2 and value[0] in "A23456789TJQKX" and value[1] in "shdc12"


def _leaves(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Json]]:
    """Every scalar with its path, in a fixed order."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))
    else:
        yield path, value


def _lists(value: Json) -> Iterator[list[Json]]:
    """Every list that holds or could hold single cards."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _lists(value[key])
    elif isinstance(value, list):
        if all(not isinstance(item, dict | list) for item in value):
            yield value
        for item in value:
            yield from _lists(item)


def _set(position: Json, path: tuple[Any, ...], value: Json) -> None:
    for step in path[:-1]:
        position = position[step]
    position[path[-1]] = value


def _cards(position: Json) -> list[tuple[tuple[Any, ...], Json]]:
    if position["game"] == "rowoverflow":
        return [(path, value) for path, value in _leaves(position) if isinstance(value, int) and path[0] != "players"]
    return [(path, value) for path, value in _leaves(position) if _is_card(value)]


def _swap(position: Json, rng: Random) -> None:
    """Two cards change places."""
    (here, one), (there, other) = rng.choices(_cards(position), k=2)
    _set(position, here, other)
    _set(position, there, one)


def _move(position: Json, rng: Random) -> None:
    """A card goes from one list to another, into an empty cell, or leaves one."""
    source = rng.choice([cards for cards in _lists(position) if any(card is not None for card in cards)])
    index = rng.choice([i for i, card in enumerate(source) if card is not None])
    target = rng.choice(list(_lists(position)))
    card = source[index]
    if None in source:
        source[index] = None
    else:
        del source[index]
    holes = [i for i, other in enumerate(target) if other is None]
    if holes:
        target[rng.choice(holes)] = card
    else:
        target.insert(rng.randint(0, len(target)), card)


def _scalar(position: Json, rng: Random) -> None:
    """A phase, a seat, a flag, a number or an option becomes another."""
    others: dict[str, list[Any]] = {
        "phase": [
            "arrange",
            "take",
            "put",
            "over",
            "draft",
            "meld",
            "setup",
            "replace",
            "royal",
            "turn",
            "won",
            "lost",
        ],
        "from": ["draw", "discard"],
        "lock": [None, "joker", "marker"],
        "times": [1, 2, 3, 4, 5, 6, 7],
        "to_move": [0, 1, 2, 3],
        "players": [2, 3, 4],
    }
    if position["game"] == "gridcannon" and position["royals"]:  # a royal stands elsewhere
        place = rng.choice(sorted(position["royals"]))
        other = rng.choice("TBLR") + rng.choice("123")
        position["royals"][other], royal = position["royals"][place], position["royals"].get(other)
        if royal is not None:
            position["royals"][place] = royal
        elif other != place:
            del position["royals"][place]
        if rng.random() < 0.5:
            return
    spots = [
        (path, others.get(path[-1], [True, False]))
        for path, value in _leaves(position)
        if path[-1] in others or isinstance(value, bool)
    ]
    if spots:
        path, values = rng.choice(spots)
        _set(position, path, rng.choice(values))
