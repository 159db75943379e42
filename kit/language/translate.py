"""What translators work with: templates from the source, PO files kept in step with it, and what is still to do.

Layout for Poedit and Weblate: `content/locale/<domain>.pot` and `content/locale/<lang>/LC_MESSAGES/<domain>.po`; the
domains are `kit` and one a game. Files are written without wrapping (Weblate: "No line wrapping") and without dates,
so that only real changes show as changes. The only importer of polib and Babel.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kit.faults import SURROUNDINGS, USAGE, Fault, Faults, nearest
from kit.files import SAFE_NAME, folder, present, read_bytes, read_text, shown
from kit.language import po
from kit.language.locale import CODE, SOURCE, disagreements_of, domain_messages, glossary, languages, po_name
from kit.language.message import Message, closest
from kit.language.words import KIT

if TYPE_CHECKING:
    import polib

HEADER = {"MIME-Version": "1.0", "Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit"}
ENGLISH_PLURALS = "nplurals=2; plural=(n != 1);"

LANGUAGE_TOML = """\
# How {name} is written. Please check every line; the first values are only a start.
code = "{code}"
name = "{name}"
dir = "{dir}"
hyphenation = true
decimal = "{decimal}"
quotes = ["“", "”"]
and = "{and_}"
or = "{or_}"
dictionaries = []  # names of hunspell dictionaries, for example ["sv_SE"]
"""
GLOSSARY_TOML = """\
# The one allowed word for each term of the games. An example:
# [[term]]
# source = "row"
# sources = ["rows"]
# use = "rad"
# forms = []          # inflections that do not contain the word itself
# never = ["linje"]   # words that must not stand for it
"""


def domains(content: Path) -> list[str]:
    """`kit` and every game that has a game.toml."""
    games = [
        name for name in folder(content, "") if SAFE_NAME.fullmatch(name) and (content / name / "game.toml").is_file()
    ]
    return [KIT, *(name for name in games if name != KIT)]


# Templates ------------------------------------------------------------------------------------------------------


def extract(content: Path) -> list[str]:
    """Write the template of every domain; says what it wrote. A template that is fresh is left alone."""
    texts = {domain: template(content, domain) for domain in domains(content)}
    return [_write(content, f"locale/{domain}.pot", text) for domain, text in texts.items()]


def check(content: Path) -> list[str]:
    """Whether the committed templates are fresh. Raises Faults for those that are not."""
    faults, said = [], []
    for domain in domains(content):
        name = f"locale/{domain}.pot"
        if not present(content, name) or read_text(content, name, po.LIMIT) != template(content, domain):
            faults.append(Fault("this template is not fresh", "Run kit translate extract", path=shown(content, name)))
        said.append(f"{shown(content, name)}: fresh")
    if faults:
        raise Faults(faults)
    return said


def template(content: Path, domain: str) -> str:
    """The text of a domain's template."""
    file = _file({"Project-Id-Version": domain, "Language": "", **HEADER, "Plural-Forms": ENGLISH_PLURALS})
    file.extend(_entries(content, domain_messages(content, domain)))
    return _text(file)


def _entries(content: Path, messages: Iterable[Message]) -> list[polib.POEntry]:
    """One entry a message; the same text in several places of the rules is one message with several places."""
    from polib import POEntry

    entries: dict[tuple[str | None, str], polib.POEntry] = {}
    base = Path(os.path.abspath(content)).name
    for message in messages:
        place = f"{base}/{message.file}", str(message.line)
        if message.key in entries:
            entry = entries[message.key]
            entry.occurrences.append(place)
            if message.note not in entry.comment.split("\n"):
                entry.comment += f"\n{message.note}"
            continue
        entry = POEntry(msgid=message.text, msgctxt=message.context, occurrences=[place], comment=message.note)
        if message.plural is not None:
            entry.msgid_plural, entry.msgstr_plural = message.plural, {0: "", 1: ""}
        entries[message.key] = entry
    return list(entries.values())


# Merging --------------------------------------------------------------------------------------------------------


def update(content: Path, lang: str) -> list[str]:
    """Bring the PO files of a language up to the source; says what it wrote.

    A changed text keeps its translation, marked fuzzy and with the old text as `#| msgid`; what the source no longer
    has is kept as obsolete. A new language gets its folder, with a language.toml to check. Raises Fault(s), and then
    has written nothing.
    """
    if lang == SOURCE:
        raise Fault("English is the source and has no translation", "Edit the source itself", code=USAGE)
    if not CODE.fullmatch(lang):
        raise Fault(
            f"{lang[:40]!r} is no language code",
            f"Use one like sv or pt-BR. {nearest(lang, languages(content))}",
            code=USAGE,
        )
    texts = {}
    for domain in domains(content):
        entries = _entries(content, domain_messages(content, domain))
        name = po_name(lang, domain)
        if entries or present(content, name):
            texts[name] = _merged(content, name, lang, domain, entries)
    files = {f"locale/{lang}/{name}": text for name, text in _beginnings(lang).items()}
    texts |= {name: text for name, text in files.items() if not present(content, name)}
    return [_write(content, name, text) for name, text in texts.items()]


def _merged(content: Path, name: str, lang: str, domain: str, entries: Sequence[polib.POEntry]) -> str:
    """A PO file with the entries of a fresh template and the translations of the file that was there."""
    import polib

    file = _file(
        {
            "Project-Id-Version": domain,
            "Language": lang.replace("-", "_"),
            **HEADER,
            "Plural-Forms": _plural_forms(lang),
        }
    )
    old: dict[tuple[str | None, str], polib.POEntry] = {}
    if present(content, name):
        po.read(content, name, lang)  # refuses what polib would drop in silence
        there = polib.pofile(read_text(content, name, po.LIMIT), wrapwidth=0)
        file.metadata.update(there.metadata)
        file.header = there.header
        for entry in sorted(there, key=lambda entry: bool(entry.obsolete), reverse=True):
            old[entry.msgctxt, entry.msgid] = entry
    plural = po.plural_rule(file.metadata["Plural-Forms"], shown(content, name), 1)
    left = dict(old)
    for entry in entries:
        left.pop((entry.msgctxt, entry.msgid), None)
    for entry in entries:
        _inherit(entry, old.get((entry.msgctxt, entry.msgid)), left, plural.forms)
    file.extend(entries)
    for entry in left.values():
        if any([entry.msgstr, *entry.msgstr_plural.values()]):
            entry.obsolete, entry.occurrences, entry.comment = True, [], ""
            file.append(entry)
    return _text(file)


def _inherit(entry: Any, same: Any, left: dict[tuple[str | None, str], Any], plurals: int) -> None:
    """Give a fresh entry the translation it had, or that of the text it came from, marked fuzzy."""
    source = same or _ancestor(entry, left)
    if entry.msgid_plural:
        entry.msgstr_plural = dict.fromkeys(range(plurals), "")
    if source is None:
        return
    entry.tcomment = source.tcomment
    entry.flags = [flag for flag in source.flags if flag == "fuzzy"]
    changed = same is None or (source.msgid_plural or "") != (entry.msgid_plural or "")
    old = list(source.msgstr_plural.values()) or [source.msgstr]
    if entry.msgid_plural:
        entry.msgstr_plural = {i: old[min(i, len(old) - 1)] for i in range(plurals)}
    else:
        entry.msgstr = old[-1]
    if changed and any(old):
        entry.previous_msgid = source.previous_msgid if source.fuzzy and source.previous_msgid else source.msgid
        entry.previous_msgctxt = source.msgctxt if source.msgctxt != entry.msgctxt else None
        entry.previous_msgid_plural = source.msgid_plural or None
        entry.flags = ["fuzzy"]
    elif entry.fuzzy:
        entry.previous_msgid, entry.previous_msgctxt = source.previous_msgid, source.previous_msgctxt
        entry.previous_msgid_plural = source.previous_msgid_plural


def _ancestor(entry: Any, left: dict[tuple[str | None, str], Any]) -> Any:
    """The old entry that this one seems to have come from: that of the same word, or one of much the same text."""
    candidates = {key: old for key, old in left.items() if any([old.msgstr, *old.msgstr_plural.values()])}
    found = next((key for key in candidates if entry.msgctxt is not None and key[0] == entry.msgctxt), None)
    if found is None and entry.msgctxt is None:
        texts = {text: (context, text) for context, text in candidates if context is None}
        close = closest(entry.msgid, texts)
        found = None if close is None else texts[close]
    return left.pop(found) if found is not None else None


def _plural_forms(lang: str) -> str:
    """The header's rule for plurals, as gettext writes it; English's for a language that Babel does not know."""
    from babel import UnknownLocaleError
    from babel.messages.plurals import get_plural

    try:
        return str(get_plural(lang.replace("-", "_")).plural_forms)
    except UnknownLocaleError:
        return ENGLISH_PLURALS


def _beginnings(lang: str) -> dict[str, str]:
    """The files that a new language begins with, as far as Unicode's data know it."""
    from babel import Locale, UnknownLocaleError

    facts = {"code": lang, "name": lang, "dir": "ltr", "decimal": ".", "and_": "and", "or_": "or"}
    try:
        known = Locale.parse(lang, sep="-")
        words = {
            kind: str(known.list_patterns[kind]["2"]).replace("{0}", "").replace("{1}", "").strip()
            for kind in ("standard", "or")
        }
        facts |= {
            "name": known.get_language_name() or lang,
            "dir": known.text_direction,
            "and_": words["standard"],
            "or_": words["or"],
        }
        facts["decimal"] = known.number_symbols.get("latn", {}).get("decimal", ".")
    except (UnknownLocaleError, KeyError, ValueError):
        pass  # the template asks to check every line
    return {"language.toml": LANGUAGE_TOML.format(**facts), "glossary.toml": GLOSSARY_TOML, "words.txt": ""}


# Status ---------------------------------------------------------------------------------------------------------


@dataclass
class Count:
    """The messages of a domain by state; `wrong` are those that disagree with their source or the glossary."""

    translated: int = 0
    fuzzy: int = 0
    missing: int = 0
    wrong: int = 0
    obsolete: int = 0

    @property
    def total(self) -> int:
        return self.translated + self.fuzzy + self.missing + self.wrong


@dataclass
class Report:
    """How far a language is: counts by domain, and `file:line: what. cure.` for everything that is to be done."""

    counts: dict[str, Count] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return not self.places

    @property
    def share(self) -> float:
        """The translated part of all messages, 0 to 1."""
        total = sum(count.total for count in self.counts.values())
        return sum(count.translated for count in self.counts.values()) / total if total else 1.0

    @property
    def summary(self) -> str:
        """The counts alone, in one line."""
        return "; ".join(
            f"{domain} {count.translated} of {count.total} translated, {count.fuzzy} fuzzy, {count.missing} missing, "
            f"{count.wrong} wrong, {count.obsolete} obsolete"
            for domain, count in self.counts.items()
        )

    def __str__(self) -> str:
        return self.summary + "".join(f"\n  {place}" for place in self.places)


def status(content: Path, langs: Iterable[str] = ()) -> list[tuple[str, Report]]:
    """How far each language is; of all when none is named. Raises Fault(s) for a PO file that cannot be read."""
    known = languages(content)
    chosen = list(langs) or [code for code in known if code != SOURCE]
    for code in chosen:
        if code not in known:
            raise Fault(f"unknown language {code[:40]!r}", nearest(code, known), code=USAGE)
    messages = {domain: domain_messages(content, domain) for domain in domains(content)}
    return [(code, _report(content, code, messages)) for code in chosen]


def _report(content: Path, code: str, messages: dict[str, list[Message]]) -> Report:
    report = Report()
    for domain, wanted in messages.items():
        count = report.counts[domain] = Count()
        unique = {message.key: message for message in wanted}
        name = po_name(code, domain)
        if code == SOURCE:
            count.translated = len(unique)
            continue
        if not present(content, name):
            count.missing = len(unique)
            if unique:
                report.places.append(f"{shown(content, name)}: there is no such file. Run kit translate update {code}.")
            continue
        file = po.read(content, name, code)
        count.obsolete = len(file.obsolete)
        for _, entry, wrong in disagreements_of(content, code, list(unique.values()), file, glossary(content, code)):
            state = "translated" if not wrong else "wrong"
            if entry is None or not all(form.strip() for form in entry.forms):
                state = "missing"
            elif entry.fuzzy:
                state = "fuzzy"
            setattr(count, state, getattr(count, state) + 1)
            report.places += [f"{file.where}:{line}: {what}. {cure}." for line, what, cure in wrong]
    return report


# Files ----------------------------------------------------------------------------------------------------------


def _file(metadata: dict[str, str]) -> polib.POFile:
    from polib import POFile

    file = POFile(wrapwidth=0)
    file.metadata = metadata
    return file


def _text(file: polib.POFile) -> str:
    return str(file).rstrip("\n") + "\n"


def _write(content: Path, name: str, text: str) -> str:
    """Write a file whole or not at all, and only when it changes."""
    path = content / name
    where = shown(content, name)
    there = Path(os.path.realpath(content))
    if not Path(os.path.realpath(path)).is_relative_to(there):
        raise Fault("this file lies outside content", f"Put a plain file or folder inside {shown(content)}", path=where)
    if present(content, name) and read_bytes(content, name, po.LIMIT) == text.encode():
        return f"{where}: unchanged"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            with open(fresh, "wb") as handle:
                handle.write(text.encode())
                handle.flush()
                os.fsync(handle.fileno())
            os.replace(fresh, path)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise Fault(
            f"this file cannot be written: {error.strerror}",
            "Mend the disk or its rights",
            path=where,
            code=SURROUNDINGS,
        ) from None
    return f"{where}: written"
