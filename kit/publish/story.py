"""Events told in a reader's language: one sentence of the game's words.toml an event, with the § it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.games.core import Event
from kit.language.locale import Locale


def paragraph(rule: str) -> str:
    """The booklet's paragraph of a rule id: RO-9 is §9, the reading RO-R1 is §R1."""
    return f"§{rule.partition('-')[2]}"


def sentence(locale: Locale, key: str, facts: Mapping[str, Any]) -> str:
    """One sentence of the game's words, its slots filled from facts as a reader says them.

    Seats become players' letters ({player}), lists are joined as the language does ({cards}); `n` chooses a plural.
    """
    said = {name: _said(locale, name, value) for name, value in facts.items()}
    if "seat" in facts:
        said["player"] = player(facts["seat"])
    count = facts.get("n", len(facts["cards"]) if isinstance(facts.get("cards"), tuple) else None)
    if count is not None:
        said["n"] = locale.number(count)
    return locale.text(key, game=True, n=count, **said)


def event(locale: Locale, happened: Event) -> str:
    return sentence(locale, f"event.{happened.kind}", happened.facts)


def player(seat: int) -> str:
    """How a seat is called on paper: A, B, C …"""
    return "ABCDEFGH"[seat]


def _said(locale: Locale, name: str, value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return locale.join([_said(locale, name, item) for item in value])
    if isinstance(value, (int, float)):
        return locale.number(value)
    return str(value)
