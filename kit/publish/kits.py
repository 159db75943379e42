"""A kit as its folder says: `content/<game>/game.toml`, the engine it names; and kit.toml, what this printer needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator

from kit import catalogue
from kit.faults import USAGE, Fault, Faults, nearest
from kit.files import SAFE_NAME, folder, present, read_toml, shown, toml
from kit.language import markdown

if TYPE_CHECKING:
    from kit.games.core import Game
    from kit.publish.sheet import Order
    from kit.publish.tables import Table

RESERVED = (
    "kit",
    "locale",
    "host",
    "deck",
    "con",
    "prn",
    "aux",
    "nul",
)  # a domain, folders beside those of games, and what Windows keeps
OWN_FACTS = ("deck_size", "players_min", "players_max")  # slots that every kit without an engine has
SLOT_NAME = re.compile(r"[a-z][a-z0-9_]*")
ENGINES_OWN = ("players", "facts", "deck", "backs", "score")  # keys of game.toml that an engine answers for
Millimetres = Annotated[float, Field(ge=-10, le=10, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


DECKS = {"standard-52": 52, "standard-54": 54}  # suited cards, without and with two jokers
HIGHEST = 99  # number on a card


class ScoreFacts(_Strict):
    """[score] of a game.toml without an engine: a column for each player, and a row for each round."""

    columns: Annotated[int, Field(ge=1, le=8)] = 4
    rows: Annotated[int, Field(ge=1, le=16)] = 10


class GameFacts(_Strict):
    """content/<game>/game.toml. `minutes` is the least and the most; `accent` the one colour of the game (#rrggbb).

    What follows `engine` is for kits without one, which say themselves what an engine would: `players`, the least and
    the most; `facts`, numbers for slots; `deck`, one of DECKS or {numbered = 24}; `backs`; `score`.
    """

    title: Annotated[str, Field(min_length=1, max_length=60)]
    subtitle: Annotated[str, Field(min_length=1, max_length=200)]
    needs: Annotated[list[str], Field(min_length=1, max_length=12)]
    minutes: Annotated[list[Annotated[int, Field(ge=1, le=600)]], Field(min_length=2, max_length=2)]
    accent: Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")]
    engine: str | None = None
    players: Annotated[list[Annotated[int, Field(ge=1, le=20)]], Field(min_length=2, max_length=2)] | None = None
    facts: Annotated[dict[str, Annotated[int, Field(ge=0, le=1_000_000)]], Field(max_length=100)] = {}
    deck: str | dict[str, int] | None = None
    backs: Literal["mirrored", "fold", "none"] | None = None
    score: ScoreFacts | None = None

    @field_validator("deck", mode="before")
    @classmethod
    def _known_deck(cls, deck: Any) -> Any:
        if isinstance(deck, dict):
            if set(deck) != {"numbered"} or type(deck["numbered"]) is not int or not 2 <= deck["numbered"] <= HIGHEST:
                raise ValueError(f"a numbered deck is written {{ numbered = 24 }}, with 2 to {HIGHEST} cards")
        elif deck not in DECKS:
            raise ValueError(f"there is no deck {str(deck)[:40]!r}. {nearest(str(deck), DECKS)}")
        return deck

    @field_validator("facts")
    @classmethod
    def _slots(cls, facts: dict[str, int]) -> dict[str, int]:
        for name in facts:
            if not SLOT_NAME.fullmatch(name):
                raise ValueError(f"{name[:40]!r} cannot be a slot; use a-z, 0-9 and _")
            if name in OWN_FACTS:
                raise ValueError(f"{name} is given by deck and players")
        return facts

    @field_validator("players")
    @classmethod
    def _fewest_first(cls, players: list[int] | None) -> list[int] | None:
        if players and players != sorted(players):
            raise ValueError("the fewest come first")
        return players

    @field_validator("minutes")
    @classmethod
    def _least_first(cls, minutes: list[int]) -> list[int]:
        if minutes != sorted(minutes):
            raise ValueError("the least comes first")
        return minutes


class Printer(_Strict):
    """[printer] of kit.toml, mm: what it leaves unprinted, and how far its backs land right and down of the fronts."""

    dead_margin: Annotated[float, Field(ge=3, le=15, allow_inf_nan=False)] = 5.0
    back_offset_x: Millimetres = 0.0
    back_offset_y: Millimetres = 0.0


class Defaults(_Strict):
    """[default] of kit.toml: what `kit build` makes when not told otherwise. None: every language or paper there is."""

    languages: list[str] | None = None
    papers: list[str] | None = None
    card: str = "poker"
    suits: str = "two"
    indices: str = "normal"
    ace: str = ""
    edition: str = "standard"


class Settings(_Strict):
    """kit.toml."""

    printer: Printer = Printer()
    default: Defaults = Defaults()


@dataclass(frozen=True)
class Kit:
    """One game as it is published: its id, the facts of its folder, its engine if any, and the drawings of its table.

    `rules`: the ids of its rules; `players`: how many may play; `values`: the slots of its texts.
    """

    id: str
    facts: GameFacts
    engine: Game | None
    table: Table
    rules: tuple[str, ...]
    players: tuple[int, ...]
    values: Mapping[str, float]


def settings(root: Path) -> Settings:
    """kit.toml of the folder that holds content/; what it leaves out has its default."""
    model: Settings = read_toml(root, "kit.toml", Settings) if present(root, "kit.toml") else Settings()
    return model


def whole(order: Order, settings: Settings) -> Order:
    """The order with kit.toml's choice where it makes none."""
    options = ("card", "suits", "indices", "ace", "edition")
    return replace(order, **{name: getattr(order, name) or getattr(settings.default, name) for name in options})


def wanted(root: Path, key: str, known: Iterable[str]) -> None:
    """See that [default] of kit.toml names only what there is. Raises Faults with its line."""
    if not present(root, "kit.toml"):
        return
    file = toml(root, "kit.toml")
    value = file.data.get("default", {}).get(key, [])
    names = [value] if isinstance(value, str) else value
    known = tuple(known)
    faults = [
        file.fault(
            ("default", key, *([n] if names is value else [])), f"unknown {key} {name[:60]!r}", nearest(name, known)
        )
        for n, name in enumerate(names)
        if name not in known
    ]
    if faults:
        raise Faults(faults)


def names(content: Path) -> tuple[str, ...]:
    """The kits there are: a kit exists because its game.toml does."""
    found = [name for name in folder(content, "") if present(content, f"{name}/game.toml")]
    if bad := [name for name in found if not SAFE_NAME.fullmatch(name) or len(name) > 40 or name in RESERVED]:
        raise Faults(
            Fault(f"{name[:60]!r} is not a game's name", "Use other letters: a-z, 0-9 and -", path=shown(content, name))
            for name in bad
        )
    if not found:
        raise Fault("there is no game in it", "Add a folder with a game.toml", path=shown(content))
    return tuple(found)


def load(content: Path, name: str) -> Kit:
    """Read one kit. Raises Fault for an unknown game, and Faults for a game.toml that does not hold."""
    if name not in names(content):
        raise Fault(f"unknown game {name[:60]!r}", nearest(name, names(content)), code=USAGE)
    facts: GameFacts = read_toml(content, f"{name}/game.toml", GameFacts)
    engine = facts.engine or (name if name in catalogue.GAMES else None)
    if engine is None:
        return _rules_only(content, name, facts)
    file = toml(content, f"{name}/game.toml")
    if engine not in catalogue.GAMES:
        raise file.fault(("engine",), f"unknown engine {engine[:60]!r}", nearest(engine, catalogue.GAMES))
    if extra := [key for key in ENGINES_OWN if key in file.data]:
        what = f"the engine {engine} says what stands under {{}} itself"
        raise Faults(file.fault((key,), what.format(key), "Take it out") for key in extra)
    game = catalogue.game(engine)
    rules = tuple(rule.id for rule in game.RULES)
    return Kit(name, facts, game, table(engine), rules, tuple(game.PLAYERS), game.facts())


def _rules_only(content: Path, name: str, facts: GameFacts) -> Kit:
    """A kit without an engine: its rules.md declares the rules, its game.toml the numbers. Raises Fault(s)."""
    from kit.publish.tables.rules_only import RulesOnly

    file = toml(content, f"{name}/game.toml")
    if facts.players is None:
        raise file.fault(("players",), "players is missing, and no engine knows it", "Add it: players = [2, 4]")
    if facts.backs is not None and facts.deck is None:
        raise file.fault(("backs",), "there are backs and no deck", "Add the deck or take backs out")
    low, high = facts.players
    values: dict[str, float] = {**facts.facts, "players_min": low, "players_max": high}
    table = RulesOnly(facts, values)
    if facts.deck is not None:
        values["deck_size"] = table.size
    return Kit(name, facts, None, table, tuple(markdown.declared(content, name)), tuple(range(low, high + 1)), values)


def table(engine: str) -> Table:
    """How that engine's cards, positions and mats are drawn: `kit.publish.tables.<engine>`."""
    return cast("Table", import_module(f"kit.publish.tables.{engine}"))
