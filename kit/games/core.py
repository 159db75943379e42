"""What every engine shares: rules as data, events, refusals, cards, the shuffle, and the shape of a game's module.

A game's module reads like its rules. It defines the names of `Game` below, and its `Position` those of `State`.
Positions are immutable; `play` always checks and never half-plays.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, NoReturn, Protocol, Self, TypeVar

Json = Any
T = TypeVar("T")


class Rule(NamedTuple):
    """A numbered rule or reading. `status` is `rule`, or for a reading `settled`, `follows` or `open`."""

    id: str
    status: Literal["rule", "settled", "follows", "open"] = "rule"


class Event(NamedTuple):
    """What happened, and the id of the rule that made it so. `facts` are data, never words."""

    rule: str
    kind: str
    facts: Mapping[str, Any]


made = tuple.__new__  # a named tuple from its class and all its fields, at half the cost of calling the class


def event(rule: str, kind: str, facts: Mapping[str, Any]) -> Event:
    """Event(rule, kind, facts) at half the cost: see `made`."""
    return made(Event, (rule, kind, facts))


class IllegalMove(ValueError):
    """A move that the rules forbid: `rule` is the id of the one that forbids it, `detail` the fact in plain words."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(rule, detail)
        self.rule, self.detail = rule, detail

    def __str__(self) -> str:
        return f"{self.rule}: {self.detail}"


class BadPosition(ValueError):
    """A position, move or record that is not one; the message names the fault."""


class State(Protocol):
    """A position, as the referee sees it."""

    def legal(self) -> Sequence[Any]:
        """Every legal move, in a fixed order; empty when the game is over."""

    def play(self, move: Any) -> tuple[Self, tuple[Event, ...]]:
        """The position after `move` and what happened. Raises IllegalMove and changes nothing."""

    def result(self) -> dict[str, Json] | None:
        """The result in interchange form, or None while the game goes on."""

    def view(self, seat: int) -> Any:
        """What that seat (from 0) may see."""


class Game(Protocol):
    """What a game's module offers."""

    ID: str
    RULES: tuple[Rule, ...]
    PLAYERS: tuple[int, ...]
    DECK: Sequence[Any]
    SETS: tuple[str, ...]  # the fields of the interchange object whose innermost lists compare as sets

    def facts(self) -> dict[str, int]:
        """The numbers that rule texts and sheets quote, by name."""

    def deal(self, deck: Sequence[Any], players: int, **options: Any) -> State:
        """The first position from a whole shuffled deck, top card first; `options` are what the table agreed on."""

    def move_from_text(self, text: str) -> Any:
        """The move that `str(move)` writes. Raises BadPosition."""

    def position_from_json(self, data: Json) -> State:
        """The position of an interchange object. Raises BadPosition when it could not be."""

    def position_to_json(self, position: Any) -> dict[str, Json]:
        """The interchange object of a position."""

    def canonical(self, position: Any) -> Any:
        """The same position with everything that compares as a set in one order."""

    def check(self, position: Any) -> None:
        """Raises BadPosition naming what no game could reach; what `play` gives is never refused."""

    def position_from_text(self, text: str) -> State:
        """The position that an author typed. Raises BadPosition."""

    def position_to_text(self, position: Any) -> str:
        """The position as an author would type it."""


class Stream:
    """Random numbers that are the same on every machine and for ever: SHA-256 of the code and a counter."""

    def __init__(self, code: str) -> None:
        self._key, self._counter, self._left = code.encode(), 0, b""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely (32 bits at a time, the uneven top rejected); n up to 2**32."""
        if not 0 < n <= 1 << 32:
            raise ValueError(f"below({n})")
        while True:
            if not self._left:
                self._left = hashlib.sha256(self._key + b"/" + str(self._counter).encode()).digest()
                self._counter += 1
            word, self._left = int.from_bytes(self._left[:4], "big"), self._left[4:]
            if word < (1 << 32) // n * n:
                return word % n

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order (Fisher-Yates, from the end)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            pick = self.below(last + 1)
            deck[last], deck[pick] = deck[pick], deck[last]
        return deck


def refuse(fault: str) -> NoReturn:
    """Refuse a position, naming the fault."""
    raise BadPosition(fault)


def excerpt(value: Json) -> str:
    """The beginning of what is wrong, as JSON has it or a text in quotation marks; nobody wants to read 4 MiB again."""
    return repr(value[:60]) if isinstance(value, str) else json.dumps(value)[:60]


def replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The same items but for one."""
    return items[:index] + (item,) + items[index + 1 :]


def check_players(players: int, allowed: Sequence[int]) -> None:
    """Refuse a number of players that the game is not for."""
    if players not in allowed:
        refuse(f"{players} players, not {' or '.join(map(str, allowed))}")


def check_deck(deck: Sequence[Any], whole: Sequence[Any]) -> None:
    """Refuse a deck that is not the whole one, in whatever order."""
    if len(deck) != len(whole) or set(deck) != set(whole):
        refuse(f"the deck is not the {len(whole)} cards, one each")


def filled_lines(text: str) -> list[str]:
    """The lines that an author typed, without blank ones and without blanks at either end."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def fields(data: Json, game: str, *names: str) -> list[Json]:
    """The values of exactly these keys of an interchange object that names `game`, in this order."""
    if not isinstance(data, dict):
        refuse("a position is a JSON object")
    if data.get("game") != game:
        refuse(f'"game" is not "{game}"')
    for key in data:
        if key != "game" and key not in names:
            refuse(f"unknown key {excerpt(key)}")
    return [data[name] if name in data else refuse(f'"{name}" is missing') for name in names]


def members(data: Json, name: str, *names: str) -> list[Json]:
    """The values of exactly these keys of an object within a position, in this order."""
    if not isinstance(data, dict):
        refuse(f'"{name}" holds {excerpt(data)}, which is not a JSON object')
    for key in data:
        if key not in names:
            refuse(f'unknown key {excerpt(key)} in "{name}"')
    return [data[key] if key in data else refuse(f'"{key}" is missing in "{name}"') for key in names]


def truth(value: Json, name: str) -> bool:
    """True or false; neither a number nor a string will do."""
    if type(value) is not bool:
        refuse(f'"{name}" holds {excerpt(value)}, which is not true or false')
    return value


def integer(value: Json, name: str, low: int, high: int) -> int:
    """A whole number within bounds; neither a string nor a truth value will do."""
    if type(value) is not int:
        refuse(f'"{name}" holds {excerpt(value)}, which is not a whole number')
    if not low <= value <= high:
        refuse(f'"{name}" holds {excerpt(value)}, which is not from {low} to {high}')
    return value


def array(value: Json, name: str, length: int | None = None) -> list[Json]:
    """A JSON list, of this length when one is given."""
    if not isinstance(value, list):
        refuse(f'"{name}" is not a list')
    if length is not None and len(value) != length:
        refuse(f'"{name}" has {len(value)} entries, not {length}')
    return value


RANKS = "A23456789TJQK"
SUITS = "shdc"


def playing_card(value: Json, name: str, also: Sequence[str] = ()) -> str:
    """A card as the interchange writes it: rank and suit, or one of `also` (jokers, a marker)."""
    if not isinstance(value, str):
        refuse(f'"{name}" holds {excerpt(value)}, which is not a card')
    if value in also or (len(value) == 2 and value[0] in RANKS and value[1] in SUITS):
        return value
    refuse(f'"{name}" holds {excerpt(value)}, which is not a card')


def playing_cards(value: Json, name: str, also: Sequence[str] = ()) -> tuple[str, ...]:
    """A list of playing cards."""
    return tuple(playing_card(card, name, also) for card in array(value, name))


def no_repeats(cards: Iterable[Any]) -> None:
    """Refuse a card that lies in two places."""
    seen = set()
    for card in cards:
        if card in seen:
            refuse(f"card {card} lies in two places")
        seen.add(card)
