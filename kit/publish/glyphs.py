"""Whether the bundled fonts have every character of a language's texts, told where the text stands.

The proof of the finished page would find it too, but it knows neither the file nor the line.
"""

from __future__ import annotations

import unicodedata

from kit.faults import Fault, Faults
from kit.files import shown, toml
from kit.language.locale import Locale, domain_messages
from kit.language.words import KIT
from kit.paper import fonts


def check(locale: Locale) -> None:
    """Raise Faults for every character, in a text of this language, that no bundled font can draw."""
    bad = {text: lacking for text, forms in locale.texts.items() if (lacking := fonts.missing("".join(forms or ())))}
    faults = [_fault(lacking, *place(locale, text)) for text, lacking in bad.items()]
    facts = locale.facts
    own = {"and": facts.and_, "or": facts.or_, "decimal": facts.decimal, "group": facts.group}
    for key, mark in {**own, "quotes": "".join(facts.quotes)}.items():
        if lacking := fonts.missing(mark):
            file = toml(locale.content, f"locale/{facts.code}/language.toml")
            faults.append(_fault(lacking, file.where, file.line((key,))))
    if faults:
        raise Faults(faults[:100])


def place(locale: Locale, key: tuple[str, str | None, str]) -> tuple[str, int]:
    """The file and line of a translation, or of the source where English is its own."""
    if key in locale.places:
        return locale.places[key]
    domain, context, text = key
    found = next(m for m in domain_messages(locale.content, domain or KIT) if m.key == (context, text))
    return shown(locale.content, found.file), found.line


def _fault(lacking: set[str], path: str, line: int) -> Fault:
    names = ", ".join(f"U+{ord(c):04X} {unicodedata.name(c, 'without a name')}" for c in sorted(lacking))
    return Fault(f"no bundled font has {names}", "Write it with other characters", path=path, line=line)
