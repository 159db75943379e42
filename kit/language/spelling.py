"""Spelling: every word of a language's texts is in a dictionary that language.toml names, or in words.txt beside it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kit.faults import SURROUNDINGS, Fault
from kit.files import present, read_text, shown
from kit.language import po
from kit.language.check import letters
from kit.language.locale import SOURCE, domain_messages, language, po_name

SECONDS = 120
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class Text(NamedTuple):
    """The words of a message in one language, and where they stand."""

    words: tuple[str, ...]
    where: str
    line: int


def misspelt(content: Path, code: str, domains: list[str]) -> list[Fault]:
    """A fault for each word that is in no dictionary, at its line; the faults are returned, not raised.

    Raises Fault: of SURROUNDINGS when hunspell or a dictionary is missing, of CONTENT when language.toml names none.
    """
    known = _own_words(content, code)
    texts = [text for domain in domains for text in _texts(content, code, domain)]
    words = {word for text in texts for word in text.words if word not in known and _lower_first(word) not in known}
    unknown = _hunspell(content, code, sorted(words))
    return [
        Fault(
            f"{word!r} is in no dictionary of {code}",
            f"Correct it, or add it to locale/{code}/words.txt",
            path=text.where,
            line=text.line,
        )
        for text in texts
        for word in dict.fromkeys(text.words)
        if word in unknown
    ]


def _texts(content: Path, code: str, domain: str) -> Iterator[Text]:
    """The texts of a domain in a language: the source itself, or what is translated and not fuzzy."""
    messages = domain_messages(content, domain)
    name = po_name(code, domain)
    if code != SOURCE and not present(content, name):
        return
    file = None if code == SOURCE else po.read(content, name, code)
    for message in messages:
        forms: tuple[str, ...] = (message.text, message.plural or "")
        where, line = shown(content, message.file), message.line
        if file is not None:
            entry = file.entries.get(message.key)
            if entry is None or entry.fuzzy:
                continue
            forms, where, line = entry.forms, file.where, entry.at
        yield Text(tuple(WORD.findall(" ".join(letters(form, message.markup) for form in forms))), where, line)


def _own_words(content: Path, code: str) -> set[str]:
    """words.txt: one word a line, # begins a comment. A word in small letters may also begin a sentence."""
    name = f"locale/{code}/words.txt"
    lines = read_text(content, name).split("\n") if present(content, name) else []
    return {word for line in lines if (word := line.partition("#")[0].strip())}


def _lower_first(word: str) -> str:
    return word[:1].lower() + word[1:]


def _hunspell(content: Path, code: str, words: list[str]) -> set[str]:
    """Those of the words that hunspell does not know."""
    dictionaries = language(content, code).dictionaries
    where = shown(content, f"locale/{code}/language.toml")
    if not dictionaries:
        raise Fault("no dictionary is named", 'Write dictionaries = ["sv_SE"] or the like', path=where, line=1)
    command = ["hunspell", "-l", "-i", "utf-8", "-d", ",".join(dictionaries)]
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "HOME": os.devnull}
    try:
        made = subprocess.run(
            command, input="\n".join(words).encode(), capture_output=True, timeout=SECONDS, env=environment, check=False
        )
    except FileNotFoundError:
        raise Fault("hunspell is not installed", "Install hunspell and its dictionaries", code=SURROUNDINGS) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Fault(f"hunspell failed: {error}", "Try again", code=SURROUNDINGS) from None
    said = made.stderr.decode(errors="replace").strip()
    if made.returncode or "Can't open" in said:
        raise Fault(
            f"hunspell cannot use {', '.join(dictionaries)}",
            "Install the dictionary, or correct its name",
            path=where,
            line=1,
            code=SURROUNDINGS,
        )
    return set(made.stdout.decode().split())
