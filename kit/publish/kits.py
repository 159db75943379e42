"""A kit as its folder says: `content/<game>/game.toml`, the engine it names; and kit.toml, what this printer needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator

from kit import catalogue
from kit.faults import CONTENT, USAGE, Fault, Faults, nearest
from kit.files import SAFE_NAME, folder, present, read_toml, shown, toml

if TYPE_CHECKING:
    from kit.games.core import Game
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
Millimetres = Annotated[float, Field(ge=-10, le=10, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class GameFacts(_Strict):
    """content/<game>/game.toml. `minutes` is the least and the most; `accent` the one colour of the game (#rrggbb)."""

    title: Annotated[str, Field(min_length=1, max_length=60)]
    subtitle: Annotated[str, Field(min_length=1, max_length=200)]
    needs: Annotated[list[str], Field(min_length=1, max_length=12)]
    minutes: Annotated[list[Annotated[int, Field(ge=1, le=600)]], Field(min_length=2, max_length=2)]
    accent: Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")]
    engine: str | None = None

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
    """One game as it is published: its id, the facts of its folder, its engine and the drawings of its table."""

    id: str
    facts: GameFacts
    engine: Game
    table: Table


def settings(root: Path) -> Settings:
    """kit.toml of the folder that holds content/; what it leaves out has its default."""
    model: Settings = read_toml(root, "kit.toml", Settings) if present(root, "kit.toml") else Settings()
    return model


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
    engine = facts.engine or name
    if engine not in catalogue.GAMES:
        raise Fault(
            f"unknown engine {engine!r}",
            nearest(engine, catalogue.GAMES),
            path=shown(content, f"{name}/game.toml"),
            line=toml(content, f"{name}/game.toml").line(("engine",)),
            code=CONTENT,
        )
    return Kit(name, facts, catalogue.game(engine), table(engine))


def table(engine: str) -> Table:
    """How that engine's cards, positions and mats are drawn: `kit.publish.tables.<engine>`."""
    return cast("Table", import_module(f"kit.publish.tables.{engine}"))
