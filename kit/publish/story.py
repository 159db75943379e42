"""Events and reasons told in a reader's language: a sentence of the game's words.toml each, with its §."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from kit.games.core import Event
from kit.language.locale import Locale
from kit.publish.tables import Table


class Line(NamedTuple):
    """A sentence of a story: its text, the rule it rests on, the mark that ties it to the picture, a quiet remark."""

    text: str
    rule: str = ""
    paragraph: str = ""
    mark: str = ""
    quiet: str = ""


def paragraph(rule: str) -> str:
    """The booklet's paragraph of a rule id: RO-9 is §9, the reading RO-R1 is §R1."""
    return f"§{rule.partition('-')[2]}"


def sentence(locale: Locale, table: Table, key: str, facts: Mapping[str, Any]) -> str:
    """A sentence of the game's words with its slots filled from facts, as the game's table says them."""
    said: dict[str, str] = {}
    for name, value in facts.items():
        said[name] = plain(locale, value)
        said |= table.said(locale, name, value)
    return locale.text(key, game=True, n=table.plural(facts), **said)


def plain(locale: Locale, value: Any) -> str:
    """A fact that needs no knowledge of the game: a number, a list, a name."""
    if isinstance(value, (tuple, list)):
        return locale.join([plain(locale, item) for item in value])
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return locale.number(value)
    return str(value)


def tell(locale: Locale, table: Table, events: tuple[Event, ...]) -> list[Line]:
    """The story of these events: what the table's `QUIET` kinds say is added to the sentence before them."""
    lines: list[Line] = []
    marks = iter(table.MARKS)
    for event in events:
        text = sentence(locale, table, f"event.{event.kind}", event.facts)
        if event.kind in table.QUIET and lines:
            lines[-1] = lines[-1]._replace(quiet=f"{lines[-1].quiet} {text}".strip())
            continue
        mark = next(marks, "") if event.kind in table.MARKED else ""
        lines.append(Line(text, event.rule, paragraph(event.rule), mark))
    return lines


def cited(text: str) -> Markup:
    """Plain text as HTML, every § in bold so that an eye finds it.

    The space before it goes with it: where it alone begins a line, WeasyPrint else breaks the line before anywhere.
    """
    return Markup(re.sub(r" ?§R?\d+", r'<b class="cite">\g<0></b>', str(escape(text))))
