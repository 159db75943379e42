"""Does a translation agree with its source in everything that can be counted, and with its language's glossary?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from kit.faults import Faults
from kit.language import markdown
from kit.language.message import SLOT, Message, listed, loose_brace, numbers, slots
from kit.language.words import MARKUP

if TYPE_CHECKING:
    from kit.language.po import Entry

_WORDS = re.compile(r"[^\W\d_]{2,}")
Word = Annotated[str, Field(min_length=1, max_length=60)]


class Term(BaseModel):
    """A word of the glossary.

    `source` is the English term and `sources` its other forms; `use` is the one allowed term, `forms` its inflections
    as far as they do not contain it ("rader" contains "rad"); `never` are the words that stood for it by mistake.
    Where the source has the term, the translation must have `use` or a form, also inside a compound; `required = false`
    leaves that to the translator and only keeps `never` out.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    source: Word
    use: Word
    sources: list[Word] = []
    forms: list[Word] = []
    never: list[Word] = []
    required: bool = True
    note: str = ""


class Glossary(BaseModel):
    """content/locale/<lang>/glossary.toml: `[[term]]` tables."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    term: list[Term] = []


def disagreements(message: Message, entry: Entry, glossary: Glossary) -> Iterator[tuple[str, str]]:
    """What is wrong with a translation, as pairs of what and cure."""
    sources = [message.text] if message.plural is None else [message.text, message.plural]
    for form in entry.forms:
        yield from _form(sources, form, message.markup)
        yield from _terms(sources, form, message.markup, glossary)


def untranslated(message: Message, entry: Entry) -> bool:
    """Whether one of the forms is the English itself: five words at least, three of them no names."""
    copied = (form for form in entry.forms if form in (message.text, message.plural))
    words = [_WORDS.findall(letters(form, message.markup)) for form in copied]
    return any(len(each) >= 5 and sum(map(str.islower, each)) >= 3 for each in words)


def _form(sources: list[str], form: str, markup: bool) -> Iterator[tuple[str, str]]:
    if loose_brace(form) is not None:
        yield "a brace is no slot", "Copy the slots from the source"
    if slots(form) not in map(slots, sources):
        yield (
            f"the slots are {listed(slots(form))}, in the source {listed(slots(sources[-1]))}",
            "Copy the slots from the source",
        )
    if numbers(form) not in map(numbers, sources):
        yield (
            f"the numbers and suits are {listed(numbers(form))}, in the source {listed(numbers(sources[-1]))}",
            "Correct them",
        )
    if form.count("\n") != sources[0].count("\n"):
        yield "the line breaks differ from the source", "Take them out"
    if not markup:
        if found := MARKUP.search(form):
            yield f"a word is plain text, and {found[0]} is markup", "Take the markup out"
        return
    try:
        here, there = markdown.shape(form), markdown.shape(sources[0])
    except Faults as errors:
        yield from ((fault.what, fault.cure) for fault in errors.faults)
        return
    if here != there:
        yield (
            f"the inline marks are {_marks(here)}, in the source {_marks(there)}",
            "Mark the same things as the source",
        )


def _marks(shape: Counter[str]) -> str:
    return ", ".join(sorted(shape.elements())) or "none"


def _terms(sources: list[str], form: str, markup: bool, glossary: Glossary) -> Iterator[tuple[str, str]]:
    text = letters(form, markup)
    source = " ".join(letters(text, markup) for text in sources)
    for term in glossary.term:
        yield from forbidden(text, term)
        asked = term.required and any(_has_word(source, word) for word in (term.source, *term.sources))
        if asked and not any(word.lower() in text.lower() for word in (term.use, *term.forms)):
            yield f"the source says {term.source!r}, and {term.use!r} is not here", "Use the glossary's term"


def forbidden(text: str, term: Term) -> Iterator[tuple[str, str]]:
    """The words that the glossary keeps out."""
    for word in term.never:
        if _has_word(text, word):
            yield f"{word!r} is not the glossary's term for {term.source!r}", f"Use {term.use!r}"


def letters(text: str, markup: bool) -> str:
    """The words of a message, without slots and marks."""
    return markdown.plain(text) if markup else SLOT.sub(" ", text)


def _has_word(text: str, word: str) -> bool:
    if word.casefold() not in text.casefold():
        return False  # nearly always, and quick
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None
