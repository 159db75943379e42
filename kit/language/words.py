"""The words of sheets and games: words.toml (for all), and a game's own words.toml, game.toml and example titles.

Tables nest and their keys join with dots: `[page] print_at_100 = "…"` is the word `page.print_at_100`. A table of
exactly `one` and `other` is a word with a plural. A word is plain text with slots; it holds no markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kit.faults import Fault, Faults
from kit.files import SAFE_NAME, Toml, TomlPath, folder, present, shown, toml
from kit.language.message import Message, loose_brace, slots

KIT = "kit"  # the domain of the words that all games share
KEY = re.compile(r"[A-Za-z0-9_-]+")
MARKUP = re.compile(r"<[A-Za-z/!?]|&(?:#\w+|\w+);|\*\*|\]\(|`")


def words(content: Path, domain: str) -> list[Message]:
    """The words of a domain, in the order of their files. Raises Faults.

    A game's titles and needs are words too: `game.title`, `game.subtitle`, `game.needs.0`, `example.<name>.title`.
    """
    if domain == KIT:
        return _file(content, "words.toml") if present(content, "words.toml") else []
    found = _titles(content, domain)
    name = f"{domain}/words.toml"
    if present(content, name):
        taken = {message.context for message in found}
        own = _file(content, name)
        where = shown(content, name)
        twice = [message for message in own if message.context in taken]
        if twice:
            what = "the key {} is that of a title"
            raise Faults(Fault(what.format(m.context), "Choose another", path=where, line=m.line) for m in twice)
        found += own
    return found


def _file(content: Path, name: str) -> list[Message]:
    file = toml(content, name)
    found: list[Message] = []
    faults: list[Fault] = []
    for path, value in _flat(file.data, ()):
        bad = next((part for part in path if not KEY.fullmatch(str(part))), None)
        if bad is not None:
            faults.append(file.fault(path, f"{bad!r} is no key of a word", "Use letters, digits, - and _"))
            continue
        texts = list(value.values()) if isinstance(value, dict) else [value]
        if not all(isinstance(text, str) for text in texts):
            faults.append(file.fault(path, f"{'.'.join(map(str, path))} is no text", "Put it in quotes"))
            continue
        faults += (fault for text in texts for fault in _plain(file, path, text))
        key = ".".join(map(str, path))
        plural = value["other"] if isinstance(value, dict) else None
        if plural is not None and set(slots(texts[0])) - set(slots(plural)):
            faults.append(file.fault(path, f"the two forms of {key} have other slots", "Use the same slots in both"))
        found.append(Message(_one(value), key, name, file.line(path), key, plural))
    if faults:
        raise Faults(faults)
    return found


def _one(value: Any) -> str:
    return str(value["one"] if isinstance(value, dict) else value)


def _flat(table: dict[str, Any], path: TomlPath) -> Iterator[tuple[TomlPath, Any]]:
    for name, value in table.items():
        if isinstance(value, dict) and set(value) != {"one", "other"}:
            yield from _flat(value, (*path, name))
        else:
            yield (*path, name), value


def _titles(content: Path, game: str) -> list[Message]:
    """What is translated of game.toml and of the examples; whether the rest of them is right is not our question."""
    found: list[Message] = []
    faults: list[Fault] = []

    def add(file: Toml, name: str, path: TomlPath, key: str, text: Any) -> None:
        if isinstance(text, str):
            faults.extend(_plain(file, path, text))
            found.append(Message(text, key, name, file.line(path), key))
        else:
            faults.append(file.fault(path, f"{path[0]} is no text", "Put it in quotes"))

    file = toml(content, f"{game}/game.toml")
    for field in ("title", "subtitle"):
        if field in file.data:
            add(file, f"{game}/game.toml", (field,), f"game.{field}", file.data[field])
    needs = file.data.get("needs", [])
    for i, text in enumerate(needs if isinstance(needs, list) else [needs]):
        add(file, f"{game}/game.toml", ("needs", i), f"game.needs.{i}", text)
    for name in folder(content, f"{game}/examples"):
        if not SAFE_NAME.fullmatch(name.removesuffix(".toml")) or not name.endswith(".toml"):
            where = shown(content, f"{game}/examples/{name}")
            faults.append(Fault("this is not the name of an example", "Use a-z, 0-9, - and .toml", path=where))
        else:
            file = toml(content, f"{game}/examples/{name}")
            if "title" in file.data:
                key = f"example.{name.removesuffix('.toml')}.title"
                add(file, f"{game}/examples/{name}", ("title",), key, file.data["title"])
    if faults:
        raise Faults(faults)
    return found


def _plain(file: Toml, path: TomlPath, text: str) -> Iterator[Fault]:
    """What a word may not hold."""
    if not text.strip():
        yield file.fault(path, "this word is empty", "Write it, or take it out")
    if loose_brace(text) is not None:
        yield file.fault(path, "a brace is no slot", "Write a slot as {name}, a brace as \\\\{")
    if found := MARKUP.search(text):
        yield file.fault(path, f"a word is plain text, and {found[0]} is markup", "Take the markup out")
