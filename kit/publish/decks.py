"""The deck of playing cards that several games share: printed once, into the folder `deck`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

from kit.faults import USAGE, Fault, Faults
from kit.language.locale import Locale
from kit.paper import cards
from kit.paper.cards import Face, Style
from kit.paper.sizes import Size
from kit.publish import kits
from kit.publish.sheet import Shared

SUITS: tuple[str, ...] = get_args(get_type_hints(Style)["suits"])
INDICES: tuple[str, ...] = get_args(get_type_hints(Style)["indices"])
RANKS = "A23456789TJQK"
JOKERS = ("X1", "X2")
NAMES = (*(rank + suit for suit in "shdc" for rank in RANKS), *JOKERS)  # in the order of printing
JOKER, BACK = cards.RED, cards.BLUE  # the deck is no game's, and has none's colour


def letter(locale: Locale, rank: str) -> str:
    """The index of a rank in the reader's language."""
    return "10" if rank == "T" else locale.rank(rank)


def faces(locale: Locale, size: Size, style: Style, names: Iterable[str] = NAMES) -> dict[str, Face]:
    """The faces of these cards by name: `As`, `Th`, `X1`."""
    return {name: face(locale, name, size, style) for name in names}


def face(locale: Locale, name: str, size: Size, style: Style) -> Face:
    if name in JOKERS:
        return cards.joker(locale.text("rank.joker"), int(name[1]), size, style, JOKER)
    return cards.playing_card(name[0], name[1], letter(locale, name[0]), size, style)


def shared(content: Path, games: Sequence[str]) -> Shared:
    """The cards that these games need together, and all games of the folder that can be played with them."""
    decks: dict[str, frozenset[str]] = {}
    for name in kits.names(content):
        with contextlib.suppress(Fault, Faults):  # told when that kit is made
            decks[name] = frozenset(kits.load(content, name).table.DECK)
    needed = frozenset().union(*(decks[name] for name in games if name in decks))
    served = tuple(name for name, deck in decks.items() if deck and deck <= needed)
    return Shared(tuple(name for name in NAMES if name in needed), served)


def with_ace(locale: Locale, letter: str) -> Locale:
    """The language with that letter for the ace. Raises Fault when it is none, or another card's."""
    if not letter:
        return locale
    others = {locale.rank(rank) for rank in "JQK"} | set("23456789")
    if not (len(letter) == 1 and letter.isalnum()) or letter in others:
        raise Fault(
            f"{letter[:20]!r} cannot be the ace's letter in {locale.name}",
            f"Take one letter that no other card has ({', '.join(sorted(others))})",
            code=USAGE,
        )
    return replace(locale, ace=letter)
