"""`kit list`: what can be made here."""

from __future__ import annotations

from typing import get_args

import kit.language.translate as translate
from kit import practice
from kit.language import locale
from kit.paper import sizes
from kit.practice import codes
from kit.publish import decks, editions, kinds, kits
from kit.publish.sheet import Backs, Folders


def text(folders: Folders) -> str:
    """Games, languages with their completeness, kinds of sheet and of practice, and sizes, a line each."""
    lines = ["Games"]
    for name in kits.names(folders.content):
        lines.append(f"  {name:<14} {kits.load(folders.content, name).facts.title}")
    lines.append("Languages")
    reports = dict(translate.status(folders.content))
    for code in locale.languages(folders.content):
        lines.append(f"  {code:<14} {reports[code].summary if code in reports else 'source'}")
    lines.append("Kinds of sheet")
    lines += [f"  {kind:<14} {(make.__doc__ or '').splitlines()[0]}" for kind, make in kinds.KINDS.items()]
    lines.append("Kinds of practice")
    for name in filter(codes.GAMES.__contains__, kits.names(folders.content)):
        words = locale.Locale.load(folders.content, locale.SOURCE, name)
        for letter in practice.kinds(name):
            lines.append(f"  {name:<12} {letter} {words.text(f'practice.{letter}_title', game=True)}")
    lines.append("Papers")
    lines += [f"  {name:<14} {size.width:g} x {size.height:g} mm" for name, size in sizes.PAPERS.items()]
    lines.append("Cards")
    lines += [f"  {name:<14} {size.width:g} x {size.height:g} mm" for name, size in sizes.CARDS.items()]
    lines.append("Options")
    for option, choices in (
        ("suits", decks.SUITS), ("indices", decks.INDICES), ("backs", get_args(Backs)), ("edition", editions.EDITIONS)
    ):  # fmt: skip
        lines.append(f"  {f'--{option}':<14} {', '.join(choices)}")
    lines.append(f"  {'--ace':<14} the ace's letter, e.g. E in Swedish")
    return "\n".join(lines)
