"""A language as a reader meets it: its texts, numbers, lists, ranks and quotes.

A language exists because its folder content/locale/<code>/ does. English is the source and has no PO files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from kit.faults import BUG, USAGE, Fault, Faults, nearest
from kit.files import folder, present, read_toml, shown
from kit.language import check, markdown, po
from kit.language.message import SLOT, Message, closest
from kit.language.words import KIT, words

SOURCE = "en"
CODE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?")


class LanguageFile(BaseModel):
    """content/locale/<code>/language.toml."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, populate_by_name=True)

    code: Annotated[str, Field(pattern=rf"^{CODE.pattern}$")]
    name: Annotated[str, Field(min_length=1, max_length=40)]  # in the language itself
    dir: Literal["ltr", "rtl"] = "ltr"
    hyphenation: bool = True
    decimal: Literal[".", ",", "٫"] = "."
    group: Literal["", "\u00a0", "\u202f", ".", ",", "\u2019"] = ""  # between thousands, from 10 000 on
    quotes: Annotated[list[str], Field(min_length=2, max_length=2)]
    and_: Annotated[str, Field(alias="and", min_length=1, max_length=20)]
    or_: Annotated[str, Field(alias="or", min_length=1, max_length=20)]
    dictionaries: Annotated[list[Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+$")]], Field(max_length=4)] = []


class Found(NamedTuple):
    """A text in the language of the reader; `where` and `line`: its place in a PO file, None for English itself."""

    text: str
    where: str | None = None
    line: int | None = None


def languages(content: Path) -> tuple[str, ...]:
    """The codes of the languages that have a folder, English first. Raises Fault for a folder that names none."""
    codes = [name for name in folder(content, "locale") if (content / "locale" / name).is_dir()]
    for code in codes:
        if not CODE.fullmatch(code):
            raise Fault(
                f"{code[:40]!r} is no language code", "Use one like sv or pt-BR", path=shown(content, f"locale/{code}")
            )
    if SOURCE not in codes:
        raise Fault(
            "there is no folder for English, the source", "Put it back", path=shown(content, f"locale/{SOURCE}")
        )
    return tuple(sorted(codes, key=lambda code: (code != SOURCE, code)))


def language(content: Path, code: str) -> LanguageFile:
    """The language.toml of a language. Raises Fault(s)."""
    known = languages(content)
    if code not in known:
        raise Fault(f"unknown language {code[:40]!r}", nearest(code, known), code=USAGE)
    name = f"locale/{code}/language.toml"
    found = read_toml(content, name, LanguageFile)
    if found.code != code:
        raise Fault(
            f"code is {found.code!r}, and the folder is {code!r}", "Make them one", path=shown(content, name), line=1
        )
    return found


def glossary(content: Path, code: str) -> check.Glossary:
    """The glossary of a language; empty when it has none. Raises Fault(s)."""
    name = f"locale/{code}/glossary.toml"
    return read_toml(content, name, check.Glossary) if present(content, name) else check.Glossary()


def domain_messages(content: Path, domain: str) -> list[Message]:
    """All messages of a domain: `kit`, or a game's words and rules. Raises Fault(s)."""
    if domain == KIT:
        return words(content, domain)
    folder(content, domain)  # refuses names that clash
    return words(content, domain) + markdown.messages(content, domain)


def po_name(code: str, domain: str) -> str:
    return f"locale/{code}/LC_MESSAGES/{domain}.po"


@dataclass(frozen=True, eq=False)
class Locale:
    """A language with the texts of all sheets and of one game. `draft`: what is not translated stands as ⟦English⟧."""

    content: Path
    game: str | None
    draft: bool
    facts: LanguageFile
    sources: dict[str, dict[str, Message]]  # domain: key: word
    texts: dict[tuple[str, str | None, str], tuple[str, ...] | None]  # (domain, context, msgid): forms; None = missing
    places: dict[tuple[str, str | None, str], tuple[str, int]]
    plural: dict[str, po.Plural] = field(default_factory=dict)
    ace: str = ""  # the letter of the ace, if not the language's own

    @classmethod
    def load(cls, content: Path, code: str, game: str | None = None, draft: bool = False) -> Locale:
        """Read and check a language, for one game or for what all share. Raises Faults, all at once.

        The messages are extracted afresh: a translation of a text that is no longer the source's is stale, whatever
        the template says.
        """
        locale = cls(content, game, draft, language(content, code), {}, {}, {})
        terms = glossary(content, code)
        faults: list[Fault] = []
        for domain in [KIT, *([game] if game else [])]:
            try:
                messages = domain_messages(content, domain)
                locale.sources[domain] = {
                    message.context: message for message in messages if message.context is not None
                }
                faults += (
                    locale._source(domain, messages, terms)
                    if code == SOURCE
                    else locale._translated(domain, messages, terms)
                )
            except Faults as errors:
                faults += errors.faults
            except Fault as error:
                faults.append(error)
        if faults:
            raise Faults(faults[:200])
        return locale

    def _source(self, domain: str, messages: Sequence[Message], terms: check.Glossary) -> Iterator[Fault]:
        """English: the texts are their own; the glossary keeps words out of them."""
        self.plural[domain] = po.ENGLISH
        for message in messages:
            forms = (message.text,) if message.plural is None else (message.text, message.plural)
            self.texts[domain, message.context, message.text] = forms
            for what, cure in (found for term in terms.term for form in forms for found in check.forbidden(form, term)):
                yield Fault(what, cure, path=shown(self.content, message.file), line=message.line)

    def _translated(self, domain: str, messages: Sequence[Message], terms: check.Glossary) -> Iterator[Fault]:
        """Another language: every message has its own whole, agreeing translation; a draft marks those without."""
        self.plural[domain] = po.ENGLISH
        if not messages:
            return
        name = po_name(self.code, domain)
        if self.draft and not present(self.content, name):
            self.texts.update({(domain, message.context, message.text): None for message in messages})
            return
        file = po.read(self.content, name, self.code)
        self.plural[domain] = file.plural
        for message, entry, wrong in disagreements_of(self.content, self.code, messages, file, terms):
            key = domain, message.context, message.text
            self.texts[key] = None if wrong or entry is None else entry.forms
            if entry is not None:
                self.places[key] = file.where, entry.at
            if not self.draft:
                yield from (Fault(what, cure, path=file.where, line=line) for line, what, cure in wrong)

    @property
    def code(self) -> str:
        return self.facts.code

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def dir(self) -> str:
        return self.facts.dir

    @property
    def hyphenation(self) -> bool:
        return self.facts.hyphenation

    def text(self, key: str, game: bool = False, n: int | None = None, **facts: object) -> str:
        """A word as plain text with its slots filled; of the game's words when `game`. `n` chooses the plural form, and
        fills `{n}` when it is not among `facts`. Raises Fault when there is no such word or a slot is not filled."""
        if game and self.game is None:
            raise Fault(f"the game's word {key} is asked for, and no game is loaded", "Name the game", code=BUG)
        domain = self.game if game and self.game else KIT
        source = self.sources.get(domain, {}).get(key)
        file = f"{domain}/words.toml" if domain != KIT else "words.toml"
        if source is None:
            raise Fault(
                f"there is no word {key!r}", nearest(key, self.sources.get(domain, {})), path=shown(self.content, file)
            )
        if (source.plural is None) != (n is None) and source.plural is not None:
            raise Fault(
                f"the word {key} has a plural and is asked for without a count",
                "Give n",
                path=shown(self.content, source.file),
                line=source.line,
                code=BUG,
            )
        forms = self.texts[domain, key, source.text]
        if forms is None:
            text = f"⟦{source.text if source.plural is None or n == 1 else source.plural}⟧"
        else:
            text = forms[self.plural[domain](abs(n)) if n is not None and source.plural is not None else 0]
        if n is not None:
            facts.setdefault("n", self.number(n))

        def fill(slot: re.Match[str]) -> str:
            name = slot[0][1:-1]
            if name not in facts:
                raise Fault(
                    f"the word {key} has a slot {slot[0]} that nothing fills",
                    nearest(name, facts),
                    path=shown(self.content, source.file),
                    line=source.line,
                )
            return str(facts[name])

        return re.sub(r"\\([{}])", r"\1", SLOT.sub(fill, text))

    def own(self, key: str, n: int | None = None, **facts: object) -> str:
        """The game's own word where it has one of that key, else the one that all kits share."""
        return self.text(key, key in self.sources.get(self.game or "", {}), n, **facts)

    def translation(self, context: str | None, text: str) -> Found | None:
        """A message of the game; None in a draft that lacks it. KeyError when the source has no such message."""
        key = (self.game or KIT, context, text)
        forms = self.texts[key]
        return None if forms is None else Found(forms[0], *self.places.get(key, (None, None)))

    def number(self, value: float) -> str:
        """A number as the language writes it: 3.5 → 3,5; a true minus; thousands parted from 10 000 on."""
        whole, _, part = f"{abs(value):.10f}".rstrip("0").rstrip(".").partition(".")
        if len(whole) > 4:
            whole = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", self.facts.group, whole)
        sign = "−" if value < 0 and (whole.strip("0") or part) else ""
        return f"{sign}{whole}{self.facts.decimal}{part}" if part else f"{sign}{whole}"

    def join(self, items: Sequence[object], word: Literal["and", "or"] = "and") -> str:
        """A list in a sentence: a, b and c."""
        texts = list(map(str, items))
        last = self.facts.and_ if word == "and" else self.facts.or_
        return f"{', '.join(texts[:-1])} {last} {texts[-1]}" if len(texts) > 1 else "".join(texts)

    def rank(self, letter: str) -> str:
        """The index of a rank on its card: J → Kn in Swedish. Digits stay what they are."""
        if letter == "A" and self.ace:
            return self.ace
        return letter if letter.isdigit() else self.text(f"rank.{letter}")

    def quote(self, text: str) -> str:
        """The text in the quotation marks of the language."""
        return f"{self.facts.quotes[0]}{text}{self.facts.quotes[1]}"


Wrong = list[tuple[int, str, str]]  # line in the PO file, what, cure


def disagreements_of(
    content: Path, code: str, messages: Sequence[Message], file: po.Po, terms: check.Glossary
) -> Iterator[tuple[Message, po.Entry | None, Wrong]]:
    """Each message with its entry in the PO file and all that is wrong there."""
    wanted = {message.key for message in messages}
    unused = {key: entry for key, entry in file.entries.items() if key not in wanted}
    for message in messages:
        entry = file.entries.get(message.key)
        place = f"{shown(content, message.file)}:{message.line}"
        wrong = [*_wrong(message, entry, unused, terms, place, f"kit translate update {code}")]
        if entry is not None and not wrong and not code.startswith("en-") and check.untranslated(message, entry):
            wrong.append((entry.at, f"the translation of {place} is the English itself", "Translate it"))
        yield message, entry, wrong


def _wrong(
    message: Message,
    entry: po.Entry | None,
    unused: dict[tuple[str | None, str], po.Entry],
    terms: check.Glossary,
    source: str,
    command: str,
) -> Iterator[tuple[int, str, str]]:
    """What is wrong with the translation of the message that stands at `source`."""
    if entry is None:
        old = _stale(message, unused)
        if old is None:
            yield 1, f"no translation of {source} ({message.text[:50]})", f"Run {command} and translate it"
        else:
            yield old.line, f"{source} has changed since this was translated", f"Run {command} and translate it again"
    elif entry.fuzzy:
        yield entry.line, f"this translation of {source} is marked fuzzy", "Make it right and take the mark off"
    elif not all(form.strip() for form in entry.forms):
        yield entry.at, f"the translation of {source} is empty", "Translate it"
    elif message.plural != entry.plural:
        yield entry.line, f"{source} has changed its plural since this was translated", f"Run {command}"
    else:
        yield from ((entry.at, what, cure) for what, cure in dict.fromkeys(check.disagreements(message, entry, terms)))


def _stale(message: Message, unused: dict[tuple[str | None, str], po.Entry]) -> po.Entry | None:
    """The translation that this message had before its text changed, if one can be recognised."""
    if message.context is not None:
        return next((entry for entry in unused.values() if entry.context == message.context), None)
    texts = {entry.id: entry for entry in unused.values() if entry.context is None}
    close = closest(message.text, texts)
    return None if close is None else texts[close]
