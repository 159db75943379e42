"""What a sheet is: what was ordered, what its bytes depend on, and the call that makes them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from kit import practice as problems
    from kit.language.locale import Locale
    from kit.paper.expect import Made
    from kit.publish.kits import Kit, Settings

Audience = Literal["players", "host"]
Backs = Literal["mirrored", "fold", "none"]
DECK = "deck"  # stands for the game of cards that several games share


class Folders(NamedTuple):
    """Where a build reads and writes; `root` holds kit.toml."""

    root: Path
    content: Path
    templates: Path
    out: Path


@dataclass(frozen=True)
class Series:
    """Practice sheets that come in one file: those numbered from `first` to the order's own."""

    order: problems.Order
    first: int

    @property
    def count(self) -> int:
        return self.order.sheet - self.first + 1


@dataclass(frozen=True)
class Order:
    """What a person asked for. Empty: as kit.toml says, or all there is. `single`: cards to print again.

    `suits`, `indices` and `ace` (the letter of the ace, if not the language's) are of playing cards.
    `bundle`: the kit in few files as well. `practice`: these sheets instead of those that a kit has; `audience`: of
    those only the sheets, or only the keys.
    """

    games: tuple[str, ...] = ()
    langs: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    card: str = ""
    backs: Backs | Literal[""] = ""
    only: tuple[str, ...] = ()
    single: tuple[str, ...] = ()
    draft: bool = False
    suits: str = ""
    indices: str = ""
    ace: str = ""
    edition: str = ""
    bundle: bool = False
    practice: tuple[Series, ...] = ()
    audience: Audience | Literal[""] = ""


@dataclass(frozen=True)
class Shared:
    """The playing cards that the games of an order share: which of them are printed, and whom they serve."""

    cards: tuple[str, ...] = ()
    games: tuple[str, ...] = ()


@dataclass(frozen=True)
class Context:
    """Everything a maker of sheets may look at: one game in one language on one paper."""

    content: Path
    templates: Path
    settings: Settings
    kit: Kit
    locale: Locale
    paper: str
    order: Order
    shared: Shared = Shared()


@dataclass(frozen=True)
class Sheet:
    """One file to come: `name` is its stem, `kind` one of the registry's, `title` what a reader calls it.

    `games`: whom it serves, where that is not `game` alone.
    """

    kind: str
    name: str
    game: str
    lang: str
    paper: str
    title: str
    audience: Audience = "players"
    card: str | None = None
    code: str | None = None
    games: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """Where it lies below the output folder, without its ending."""
        host = "host/" if self.audience == "host" else ""
        return f"{self.lang}/{self.paper}/{host}{self.game}/{self.name}"


@dataclass(frozen=True)
class Draft:
    """Sheets that are made together (a booklet and its imposed copy), not made yet.

    `render` is a picklable call that returns one Made a sheet, in order. `html`: the preview of the first, if it flows.
    `documents`: how many are laid out for it; it is given time for each.
    """

    sheets: tuple[Sheet, ...]
    render: partial[tuple[Made, ...]]
    html: str | None = None
    documents: int = 1
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", fingerprint(self.render, self.html))


def fingerprint(call: partial[Any], *more: object) -> str:
    """What the bytes depend on, as a hash: the call and all its arguments, by their repr (plain frozen values)."""
    given = [_named(value) for value in (call.func, *call.args)]
    given += [(name, _named(value)) for name, value in sorted(call.keywords.items())]
    text = repr((given, more))
    if " at 0x" in text:
        raise TypeError(f"an argument of {_named(call.func)} has no stable repr")
    return hashlib.sha256(text.encode()).hexdigest()


def _named(value: Any) -> Any:
    return f"{value.__module__}.{value.__qualname__}" if isinstance(value, FunctionType) else value


Maker = Callable[[Context], list[Draft]]
