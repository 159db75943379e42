"""Every kind of bad input and of trouble around a build, made on purpose: its line, its exit code, nothing spoiled.

A fault says `file:line: error: what. What to do.`; what was made before stays as it is, byte for byte.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from kit.catalogue import GAMES
from kit.faults import CONTENT, SURROUNDINGS, USAGE, Fault, Faults
from kit.publish import build, output, pages
from kit.publish.sheet import Folders, Order
from tests.publish.conftest import ROOT, kit

Edit = Callable[[Path], object]

RULES = "content/rowoverflow/rules.md"
WORDS = "content/rowoverflow/words.toml"
GAME = "content/rowoverflow/game.toml"
EXAMPLE = "content/rowoverflow/examples/overflow.toml"
ASSETS = "content/rowoverflow/assets"
PO = "content/locale/sv/LC_MESSAGES/rowoverflow.po"
SETTINGS = "kit.toml"
PAGE = "templates/booklet.html"


def at(name: str, text: str) -> str:
    """`name:line` of the first line that holds `text`."""
    before, found, _ = (ROOT / name).read_text("utf-8").partition(text)
    assert found, f"{text!r} is not in {name}"
    return f"{name}:{before.count(chr(10)) + 1}"


# ------------------------------------------------------------------------------------------------ making the fault


def change(name: str, old: str | bytes, new: str | bytes) -> Edit:
    """Put `new` where `old` stands first in a file."""

    def edit(project: Path) -> None:
        path = project / name
        before, old_bytes, new_bytes = path.read_bytes(), _bytes(old), _bytes(new)
        assert old_bytes in before, f"{old!r} is not in {name}"
        path.write_bytes(before.replace(old_bytes, new_bytes, 1))

    return edit


def write(name: str, data: str | bytes) -> Edit:
    def edit(project: Path) -> None:
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(data))

    return edit


def link(name: str, target: str) -> Edit:
    """A symbolic link in place of whatever is there."""

    def edit(project: Path) -> None:
        take_away(name)(project)
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).symlink_to(target)

    return edit


def pipe(name: str) -> Edit:
    def edit(project: Path) -> None:
        take_away(name)(project)
        (project / name).parent.mkdir(exist_ok=True)
        os.mkfifo(project / name)

    return edit


def folder(name: str) -> Edit:
    def edit(project: Path) -> None:
        take_away(name)(project)
        (project / name).mkdir(parents=True)

    return edit


def take_away(name: str) -> Edit:
    def edit(project: Path) -> None:
        path = project / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    return edit


def in_turn(*edits: Edit) -> Edit:
    return lambda project: [edit(project) for edit in edits]


def twin(name: str) -> Edit:
    """The game once more, under another name."""
    return lambda project: shutil.copytree(project / "content/rowoverflow", project / "content" / name)


def first_words(text: str | bytes) -> Edit:
    """`text` at the beginning of line 3 of the rules."""
    return change(RULES, b"Your numbered", _bytes(text) + b" Your numbered")


def picture(name: str, data: str | bytes) -> list[Edit]:
    """A picture that line 3 of the rules shows."""
    return [first_words(f"![a row]({name})"), write(f"{ASSETS}/{name}", data)]


def svg(inner: str, before: str = "") -> list[Edit]:
    return picture("a.svg", f'{before}<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">{inner}</svg>')


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def png(side: int = 8) -> bytes:
    made = BytesIO()
    Image.new("1", (side, side)).save(made, "PNG")
    return made.getvalue()


def planned(project: Path, *edits: Edit, lang: str = "en", only: str = "booklet") -> tuple[list[str], int]:
    """What a build says before anything is laid out, and its exit code; no line when it has nothing to say."""
    for edit in edits:
        edit(project)
    here = Path.cwd()
    os.chdir(project)
    try:
        folders = Folders(project, project / "content", project / "templates", project / "output")
        build.plan(folders, Order(games=("rowoverflow",), langs=(lang,), papers=("a4",), only=(only,)))
    except (Fault, Faults) as error:
        return str(error).splitlines(), error.code
    finally:
        os.chdir(here)
        assert not (project / "output").exists()
    return [], 0


# ------------------------------------------------------------------------------------------------ what is read

CHARACTERS: dict[str, tuple[Edit, str, str]] = {
    "not UTF-8": (write(RULES, "## Goal {: #goal }\n\nMål\n".encode("latin-1")), f"{RULES}:3", "(0xE5) is not UTF-8"),
    "UTF-16": (write(RULES, "## Goal {: #goal }\n".encode("utf-16")), f"{RULES}:1", "is not UTF-8"),
    "a lone surrogate": (first_words(b"\xed\xa0\x80"), f"{RULES}:3", "is not UTF-8"),
    "NUL": (first_words("\0"), f"{RULES}:3", "U+0000"),
    "form feed": (first_words("\f"), f"{RULES}:3", "U+000C"),
    "NEL": (first_words("\x85"), f"{RULES}:3", "U+0085"),
    "old Mac lines": (change(RULES, " {: #goal }\n\n", " {: #goal }\r\r"), f"{RULES}:1", "carriage return"),
    "turned direction": (first_words("\u202e"), f"{RULES}:3", "U+202E"),
    "an invisible letter": (first_words("\u200b"), f"{RULES}:3", "U+200B"),
    "not UTF-8 in TOML": (change(WORDS, b'"Row mat"', b'"R\xf6w"'), at(WORDS, '"Row mat"'), "(0xF6) is not UTF-8"),
    "not UTF-8 in kit.toml": (write(SETTINGS, b"# \xe5\n"), f"{SETTINGS}:1", "(0xE5) is not UTF-8"),
    "not UTF-8 in a template": (write(PAGE, b"\n\xff"), f"{PAGE}:2", "(0xFF) is not UTF-8"),
    "not UTF-8 in a style": (write("templates/booklet.css", b"\xff"), "templates/booklet.css:1", "is not UTF-8"),
}

GLYPHS: dict[str, tuple[Edit, str, str]] = {
    "rules": (first_words("漢"), f"{RULES}:3", "U+6F22 CJK"),
    "combining": (first_words("x\u0338"), f"{RULES}:3", "U+0338 COMBINING LONG SOLIDUS"),
    "beyond the first plane": (first_words("🂡"), f"{RULES}:3", "U+1F0A1 PLAYING CARD ACE OF SPADES"),
    "a word": (change(WORDS, 'winner = "Winner"', 'winner = "Winner ☃"'), at(WORDS, "winner = "), "U+2603 SNOWMAN"),
    "a word of all games": (
        change("content/words.toml", "Cut here", "Cut ☃"),
        at("content/words.toml", "Cut here"),
        "U+2603",
    ),
    "a title": (change(GAME, "row overflow", "☃ overflow"), at(GAME, "title ="), "U+2603"),
    "an example's title": (change(EXAMPLE, "One place", "One ☃"), at(EXAMPLE, "title"), "U+2603"),
    "the word for and": (
        change("content/locale/en/language.toml", 'and = "and"', 'and = "☃"'),
        r"content/locale/en/language.toml:\d",
        "U+2603",
    ),
}

DEEP_AND_LARGE: dict[str, tuple[Edit, str, str]] = {
    "a mebibyte": (write(RULES, b"#" * (1 << 20) + b"#"), RULES, "larger than 1,048,576 bytes"),
    "a long line": (first_words("x" * 2100), f"{RULES}:3", "a line of more than 2,000 characters"),
    "stars": (first_words("*" * 900 + "x" + "*" * 900), f"{RULES}:3", "100 marks of one kind"),
    "brackets": (first_words("[" * 1500), f"{RULES}:3", "100 marks of one kind"),
    "a wide table": (
        change(RULES, "Your numbered", "|a" * 99 + "|\n" + "|-" * 99 + "|\n\nYour numbered"),
        f"{RULES}:3",
        "columns",
    ),
    "TOML brackets": (
        change(EXAMPLE, "pending = []", "pending = " + "[" * 2000),
        at(EXAMPLE, "pending"),
        "16 levels deep",
    ),
    "a TOML key": (change(EXAMPLE, "pending", "a" + ".a" * 20000), at(EXAMPLE, "pending"), "16 levels deep"),
    "a TOML number": (
        change(EXAMPLE, "pending = []", "pending = " + "9" * 100_000),
        at(EXAMPLE, "pending"),
        "100,000 char",
    ),
    "a large TOML file": (write(WORDS, b"#" * (1 << 18) + b"#"), WORDS, "larger than 262,144 bytes"),
}

TOML: dict[str, tuple[Edit, str, str]] = {
    "does not parse": (change(GAME, "title =", "title"), at(GAME, "title ="), "this is not TOML"),
    "an open quote": (change(WORDS, '"Winner"', '"Winner'), at(WORDS, "winner = "), "this is not TOML"),
    "a key twice": (
        change(WORDS, 'winner = "Winner"', 'winner = "Winner"\nwinner = "a"'),
        rf"{WORDS}:\d+",
        "this is not TOML",
    ),
    "an unknown key": (
        change(GAME, "minutes", 'colour = "red"\nminutes'),
        at(GAME, "minutes"),
        "there is no key colour",
    ),
    "a colour in words": (change(GAME, "#0B6E6E", "teal"), at(GAME, "accent"), "accent"),
    "a colour that is style": (change(GAME, "#0B6E6E", "#0B6E6E;}*{"), at(GAME, "accent"), "accent"),
    "an unknown engine": (
        change(GAME, '"rowoverflow"', '"rowoverflo"'),
        at(GAME, "engine ="),
        "Did you mean rowoverflow",
    ),
    "an engine by path": (change(GAME, '"rowoverflow"', '"../x"'), at(GAME, "engine ="), "unknown engine"),
    "most before least": (change(GAME, "[15, 25]", "[25, 15]"), at(GAME, "minutes"), "the least comes first"),
    "markup in a word": (change(WORDS, '"Winner"', '"<b>full</b>"'), at(WORDS, "winner = "), "markup"),
    "code in a word": (change(WORDS, '"Winner"', '"{{ 7*7 }}{% raw %}"'), at(WORDS, "winner = "), "a brace is no slot"),
    "a format in a word": (change(WORDS, '"Winner"', '"{0.__class__}"'), at(WORDS, "winner = "), "a brace is no slot"),
    "a missing word": (change(WORDS, "ends = ", "endz = "), WORDS, "there is no word 'event.ends'"),
    "an unknown slot in a word": (change(WORDS, "in {ends}", "in {endz}"), at(WORDS, "ends = "), "Did you mean ends"),
    "an unknown slot in the needs": (
        change(GAME, "{deck_size}", "{deck_sise}"),
        at(GAME, "{deck_size}"),
        "mean deck_size",
    ),
}

NUMBERS = {
    "nan": "nan is not a number",
    "inf": "inf is not a number",
    "0": "this is less than 3",
    "-5": "this is less than 3",
    "1e9": "this is more than 15",
    '"5"': "a number without quotes",
    '"5,5"': "a number without quotes",
    '"5mm"': "a number without quotes",
    "true": "a number without quotes",
    "[5]": "a number without quotes",
    "5 mm": "this is not TOML",
}

KIT_TOML: dict[str, tuple[Edit, str, str]] = {
    **{
        f"margin {value}": (write(SETTINGS, f"[printer]\n\ndead_margin = {value}\n"), f"{SETTINGS}:3", said)
        for value, said in NUMBERS.items()
    },
    "an unknown key": (write(SETTINGS, "[printer]\nback_ofset_x = 1\n"), f"{SETTINGS}:2", "Did you mean back_offset_x"),
    "an unknown table": (write(SETTINGS, "\n[printr]\n"), f"{SETTINGS}:2", "Did you mean printer"),
    "an unknown card": (write(SETTINGS, '[default]\ncard = "pokr"\n'), f"{SETTINGS}:2", "Did you mean poker"),
    "an unknown paper": (write(SETTINGS, '[default]\npapers = ["A4"]\n'), f"{SETTINGS}:2", "Did you mean a4"),
    "an unknown language": (
        write(SETTINGS, '[default]\nlanguages = [\n "en",\n "se"]\n'),
        f"{SETTINGS}:4",
        "unknown languages 'se'",
    ),
    "a pipe": (pipe(SETTINGS), SETTINGS, "not a regular file"),
    "a folder": (folder(SETTINGS), SETTINGS, "not a regular file"),
    "a link out": (link(SETTINGS, "/etc/passwd"), SETTINGS, "outside"),
    "a link to nowhere": (link(SETTINGS, "nowhere"), SETTINGS, "there is no such file"),
}

RULES_TEXT: dict[str, tuple[Edit, str, str]] = {
    "an unknown slot": (first_words("{deck_sise}"), f"{RULES}:3", "Did you mean deck_size"),
    "an unknown kind of slot": (first_words("{n:players}"), f"{RULES}:3", "slot {n:players} does not exist"),
    "an unknown example": (
        change(RULES, "{figure:setup}", "{example:overflw}"),
        at(RULES, "{figure:setup}"),
        "mean overflow",
    ),
    "an example in a sentence": (first_words("{example:overflow}"), f"{RULES}:3", "alone in its paragraph"),
    "an unknown figure": (
        change(RULES, "{figure:setup}", "{figure:setpu}"),
        at(RULES, "{figure:setup}"),
        "Did you mean setup",
    ),
    "a card the deck has not": (first_words("{card:99}"), f"{RULES}:3", "there is no card 99"),
    "an unknown rule cited": (first_words("{rule:RO-99}"), f"{RULES}:3", "there is no rule RO-99"),
    "a rule twice": (
        change(RULES, "{: #RO-2 }", "{: #RO-1 }"),
        at(RULES, "{: #RO-2 }"),
        "the id RO-1 stands here and in line ",
    ),
    "an unknown rule": (
        change(RULES, "\n\n## What you need", "\n{: #RO-77 }\n\n## What you need"),
        rf"{RULES}:\d+",
        "no rule RO-77",
    ),
    "a rule without a home": (change(RULES, "{: #RO-2 }\n", ""), at(RULES, "{: #RO-1 }"), "rule RO-2 has no paragraph"),
    "a row too long": (change(RULES, "| {dealt_3} |", "| {dealt_3} | 7 |"), at(RULES, "| {dealt_3} |"), "5 cells"),
    "a row too short": (change(RULES, "| {dealt_3} |", "|"), at(RULES, "| {dealt_3} |"), "3 cells"),
    "a link to nothing": (first_words("[x](#nowhere)"), f"{RULES}:3", "there is no #nowhere"),
    "a link without address": (first_words("[x][y]"), f"{RULES}:3", "bracket"),
    "HTML": (first_words("<iframe src=x>"), f"{RULES}:3", "HTML is not used here"),
    "a handler": (change(RULES, "{: #goal }", "{: #goal onclick=x }"), f"{RULES}:1", "is no id"),
    "no text": (write(RULES, ""), f"{RULES}:1", "begin without a heading"),
    "no file": (take_away(RULES), RULES, "there is no such file"),
}

EXAMPLES: dict[str, tuple[Edit, str, str]] = {
    "it no longer shows its rule": (
        in_turn(  # row 3 has room now, and so nothing overflows; the end is right
            change(EXAMPLE, "row 3: 11 12 14\nrow 4: 20", "row 3: 12 14\nrow 4: 20 23"),
            change(EXAMPLE, "[18], [20]]", "[12, 14, 15, 18], [20, 23]]"),
            change(EXAMPLE, "[11, 12, 14, 15]", "[]"),
        ),
        at(EXAMPLE, "shows"),
        "does not show RO-9",
    ),
    "an unknown rule": (change(EXAMPLE, '"RO-9"', '"RO-99"'), at(EXAMPLE, "shows"), "unknown rule 'RO-99'"),
    "an illegal move": (change(EXAMPLE, "7 15 18", "7 15 20"), at(EXAMPLE, "moves"), "card 20 is not in the hand"),
    "no move": (change(EXAMPLE, "reveal 7", "revael 7"), at(EXAMPLE, "moves"), "is not a move"),
    "an endless move": (change(EXAMPLE, "7 15 18", "7 15 " + "9" * 5000), at(EXAMPLE, "moves"), "is not a move"),
    "an impossible position": (change(EXAMPLE, "row 1: 3", "row 1: 5"), at(EXAMPLE, "position"), "impossible position"),
    "no numbers": (change(EXAMPLE, "row 1: 3", "row 1: ²"), at(EXAMPLE, "position"), "'²' is not a list of cards"),
    "another end": (change(EXAMPLE, "[[3, 7]", "[[3, 8]"), at(EXAMPLE, "rows ="), "ends with rows = [[3, 7]"),
    "an unknown field": (change(EXAMPLE, "pending", "pendng"), at(EXAMPLE, "pending"), "Did you mean pending"),
    "a field that is a pattern": (change(EXAMPLE, "pending", '"("'), at(EXAMPLE, "pending"), "unknown field '('"),
    "a name with a blank": (
        write("content/rowoverflow/examples/a b.toml", 'title = "x"'),
        "content/rowoverflow/examples/a b.toml",
        "not the name of an example",
    ),
}

PICTURES: dict[str, tuple[list[Edit], str, str]] = {
    "cut off": (picture("a.png", png()[:-20]), f"{RULES}:3", "damaged"),
    "empty": (picture("a.png", b""), f"{RULES}:3", "not a PNG"),
    "misnamed": (picture("a.jpg", png()), f"{RULES}:3", "not a JPEG"),
    "too many pixels": (picture("a.png", png(4500)), f"{RULES}:3", "4500 x 4500 pixels"),
    "missing": ([first_words("![a row](a.png)")], f"{RULES}:3", "there is no such file"),
    "SVG with entities": (svg("&a;", "<!DOCTYPE svg [<!ENTITY a 'b'>]>"), f"{RULES}:3", "DOCTYPE"),
    "SVG in another encoding": (svg("", '<?xml version="1.0" encoding="utf-7"?>'), f"{RULES}:3", "not UTF-8"),
    "SVG in no encoding": (svg("", '<?xml version="1.0" encoding="nosuch"?>'), f"{RULES}:3", "not UTF-8"),
    "SVG that does not parse": (svg("<g>"), f"{RULES}:3", "does not parse"),
    "SVG with a missing glyph": (svg("<text>漢</text>"), f"{RULES}:3", "U+6F22"),
    "deep SVG": (svg("<g>" * 5000 + "</g>" * 5000), f"{RULES}:3", "too deep"),
}

OUTSIDE: dict[str, tuple[Edit, str, str]] = {
    "a path upwards": (first_words("![a](../../../kit.toml)"), f"{RULES}:3", "a picture named"),
    "a path": (first_words("![a](/etc/passwd)"), f"{RULES}:3", "a picture named"),
    "a file address": (first_words("![a](file:///etc/passwd)"), f"{RULES}:3", "a picture named"),
    "data": (first_words("![a](data:image/png;base64,AA)"), f"{RULES}:3", "a picture named"),
    "a script": (first_words("[a](javascript:alert)"), f"{RULES}:3", "a link to 'javascript:"),
    "a link to a file": (first_words("[a](file:///etc/passwd)"), f"{RULES}:3", "a link to 'file:"),
    "a picture that links out": (
        in_turn(first_words("![a](a.png)"), link(f"{ASSETS}/a.png", "/etc/passwd")),
        f"{RULES}:3",
        "outside",
    ),
    "a picture that is a device": (
        in_turn(first_words("![a](a.png)"), link(f"{ASSETS}/a.png", "/dev/zero")),
        f"{RULES}:3",
        "outside",
    ),
    "a picture that is a pipe": (
        in_turn(first_words("![a](a.png)"), pipe(f"{ASSETS}/a.png")),
        f"{RULES}:3",
        "not a regular file",
    ),
    "assets that link out": (
        in_turn(first_words("![a](a.png)"), link(ASSETS, "/tmp")),
        ASSETS,
        "outside",
    ),
    "rules that link out": (link(RULES, "/etc/passwd"), RULES, "outside"),
    "rules that are a pipe": (pipe(RULES), RULES, "not a regular file"),
    "rules that are a device": (link(RULES, "/dev/zero"), RULES, "outside"),
    "rules that are a folder": (folder(RULES), RULES, "not a regular file"),
    "a link in a circle": (link(RULES, "rules.md"), RULES, "leads to no file"),
    "a game's file is a folder": (folder(GAME), GAME, "not a regular file"),
    "a template by path": (write(PAGE, '\n{% include "/etc/passwd" %}'), f"{PAGE}:2", "there is no template"),
    "a template upwards": (write(PAGE, '\n{% include "../kit.toml" %}'), f"{PAGE}:2", "there is no template"),
    "a template that links out": (link(PAGE, "/etc/passwd"), PAGE, "outside"),
}

NAMES: dict[str, tuple[Edit, str, str]] = {
    "a game in capitals": (twin("ROWOVERFLOW"), "content", "one name on some machines"),
    "a game with a blank": (twin("row overflow"), "content/row overflow", "is not a game's name"),
    "a game named å": (twin("å"), "content/å", "is not a game's name"),
    "a game named as the locales' twin": (twin("host"), "content/host", "is not a game's name"),
    "a game named by bytes": (twin(os.fsdecode(b"g\xff")), "content/g.*", "is not a game's name"),
    "no game": (
        in_turn(*(take_away(f"content/{game}") for game in GAMES)),
        "content",
        "there is no game",
    ),
    "pictures in capitals": (
        in_turn(*picture("a.png", png()), write(f"{ASSETS}/A.png", png())),
        ASSETS,
        "one name on some machines",
    ),
    "no language": (folder("content/locale/deutsch"), "content/locale/deutsch", "is no language code"),
    "no English": (take_away("content/locale/en"), "content/locale/en", "no folder for English"),
}

TEMPLATES: dict[str, tuple[Edit, str, str]] = {
    "syntax": (write(PAGE, "\n\n{% if %}"), f"{PAGE}:3", "does not parse"),
    "an undefined name": (write(PAGE, "\n{{ nosuch }}"), f"{PAGE}:2", "'nosuch' is undefined"),
    "… in a part": (
        in_turn(write(PAGE, '{% include "part.html" %}'), write("templates/part.html", "\n\n{{ no }}")),
        "templates/part.html:3",
        "'no' is undefined",
    ),
    "it includes itself": (write(PAGE, '\n{% include "booklet.html" %}'), f"{PAGE}:2", "itself"),
    "it extends itself": (write(PAGE, '{% extends "booklet.html" %}'), rf"{PAGE}:\d", "itself"),
    "a macro calls itself": (write(PAGE, "{% macro m() %}\n{{ m() }}{% endmacro %}{{ m() }}"), rf"{PAGE}:\d", "itself"),
    "it looks at a class": (write(PAGE, '\n{{ "".__class__.__mro__ }}'), f"{PAGE}:2", "unsafe"),
    "it looks at globals": (write(PAGE, "\n{{ word.__globals__ }}"), f"{PAGE}:2", "unsafe"),
    "it formats a class": (write(PAGE, '\n{{ "{0.__class__}".format(1) }}'), f"{PAGE}:2", "unsafe"),
    "a product of text": (write(PAGE, '\n{{ "x" * 9999999999 }}'), f"{PAGE}:2", "* is for products"),
    "a power": (write(PAGE, "\n{{ 9 ** 9 ** 9 }}"), f"{PAGE}:2", "** is for products"),
    "a long range": (write(PAGE, "\n{% for i in range(9999999) %}{% endfor %}"), f"{PAGE}:2", "Range too big"),
    "a division": (write(PAGE, "\n{{ 1 / 0 }}"), f"{PAGE}:2", "division by zero"),
    "no template": (take_away(PAGE), PAGE, "there is no template"),
    "no style": (take_away("templates/booklet.css"), "templates/booklet.css", "there is no such file"),
}

TITLE = 'msgstr "Stigande rader"'
TRANSLATIONS: dict[str, tuple[Edit, str, str]] = {
    "no file": (take_away(PO), PO, "there is no such file"),
    "an empty file": (write(PO, ""), f"{PO}:1", "the header is missing"),
    "an open quote": (change(PO, TITLE, TITLE[:-1]), at(PO, "Stigande rader"), "this line is not PO"),
    "a merge": (change(PO, TITLE, f"<<<<<<< HEAD\n{TITLE}"), at(PO, "Stigande rader"), "a merge left its marks"),
    "a message twice": (
        change(PO, "#. game.title", f'msgctxt "game.title"\nmsgid "Ascending row overflow"\n{TITLE}\n\n#. game.title'),
        rf"{PO}:1\d",
        "stands here and in line",
    ),
    "fuzzy": (change(PO, 'msgctxt "game.title"', '#, fuzzy\nmsgctxt "game.title"'), rf"{PO}:1\d", "marked fuzzy"),
    "empty": (change(PO, TITLE, 'msgstr ""'), at(PO, "Stigande rader"), "is empty"),
    "stale": (change(RULES, "Your numbered", "Your red numbered"), rf"{PO}:\d+", rf"{RULES}:3 has changed since"),
    "a new text": (
        change(RULES, "## What you need", "Nobody has ever written this sentence before.\n\n## What you need"),
        rf"{PO}:1",
        rf"no translation of {RULES}:5",
    ),
    "other slots": (change(PO, "för {players_min}", "för {players_mn}"), at(PO, "för {players_min}"), "the slots are"),
    "another number": (
        change(PO, "ett poängprotokoll och en", "9 poängprotokoll och en"),
        at(PO, "ett poängprotokoll"),
        "numbers",
    ),
    "another charset": (change(PO, "UTF-8", "ISO-8859-1"), f"{PO}:3", "charset=UTF-8"),
    "not UTF-8": (
        change(PO, "ett poäng".encode(), "ett poäng".encode("latin-1")),
        at(PO, "ett poängprotokoll"),
        "is not UTF-8",
    ),
    "another language": (change(PO, "Language: sv", "Language: de"), f"{PO}:3", "Language: de"),
    "a plural rule that is code": (change(PO, "(n != 1)", "(exit(1))"), f"{PO}:3", "plural rule"),
    "a missing glyph": (change(PO, "och en penna", "och en penna ☃"), at(PO, "ett poängprotokoll"), "U+2603 SNOWMAN"),
    "a picture from the net": (
        change(PO, "och en penna", "och ![en penna](http://127.0.0.1/a.png)"),
        at(PO, "ett poängprotokoll"),
        "markup",
    ),
    "a pipe": (pipe(PO), PO, "not a regular file"),
    "a link out": (link(PO, "/etc/passwd"), PO, "outside"),
}


def cases(*tables: dict[str, tuple[Any, str, str]]) -> pytest.MarkDecorator:
    rows = [pytest.param(*row, id=name) for table in tables for name, row in table.items()]
    return pytest.mark.parametrize(("edit", "where", "what"), rows)


def told_once(lines: list[str], code: int, where: str, what: str) -> None:
    assert code == CONTENT, lines
    assert len(lines) == 1, lines
    assert re.match(rf"{where}: error: ", lines[0]), lines
    assert what in lines[0] or re.search(what, lines[0]), lines
    assert lines[0].endswith((".", "?")), lines


@cases(CHARACTERS, GLYPHS, DEEP_AND_LARGE, TOML, KIT_TOML, RULES_TEXT, EXAMPLES, OUTSIDE, NAMES, TEMPLATES)
def test_a_fault_is_told_in_one_line_at_its_place(project: Path, edit: Edit, where: str, what: str) -> None:
    told_once(*planned(project, edit), where, what)


@cases(PICTURES)
def test_a_picture_is_judged_where_it_is_shown(project: Path, edit: list[Edit], where: str, what: str) -> None:
    told_once(*planned(project, *edit), where, what)


@cases(TRANSLATIONS)
def test_a_translation_is_held_against_its_source(project: Path, edit: Edit, where: str, what: str) -> None:
    told_once(*planned(project, edit, lang="sv"), where, what)


def test_all_faults_of_a_run_are_told_at_once_and_each_once(project: Path) -> None:
    """Two sheets share the example and both languages the game.toml."""
    for edit in (change(EXAMPLE, '"RO-9"', '"RO-99"'), change(PO, TITLE, 'msgstr ""'), first_words("{deck_sise}")):
        edit(project)
    done = kit("build", "--paper", "a4", "--only", "booklet,summary", cwd=project)
    assert done.returncode == CONTENT
    starts = sorted(line.partition(": error: ")[0] for line in done.stderr.splitlines())
    assert starts == sorted(
        [at(EXAMPLE, "shows"), at(PO, "Stigande rader"), f"{RULES}:3", at(PO, 'msgid "Your numbered')]
    ), done.stderr


def test_what_others_leave_lying_about_is_no_fault(project: Path) -> None:
    """Editors' locks and backups, a byte-order mark, Windows' line ends, a name that is no text."""
    lines, code = planned(
        project,
        link("content/rowoverflow/examples/.#overflow.toml", "somebody@somewhere"),
        write("content/rowoverflow/examples/._overflow.toml", b"\0\1"),
        write("content/rowoverflow/.rules.md.swp", b"\xff\0"),
        write(os.fsdecode(b"content/rowoverflow/notes\xff"), b"x"),
        change(RULES, b"## Goal", b"\xef\xbb\xbf## Goal"),
        lambda p: (p / WORDS).write_bytes((p / WORDS).read_bytes().replace(b"\n", b"\r\n")),
    )
    assert (lines, code) == ([], 0)
    folders = Folders(project, project / "content", project / "templates", project / "output")
    assert build.fingerprint(folders, Order(), output.Seen(folders.out))


def test_a_template_that_never_ends_is_stopped(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SECONDS", 0.2)
    loop = "\n{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
    told_once(*planned(project, write(PAGE, loop)), f"{PAGE}:2", "not filled within")


# ------------------------------------------------------------------------------------------------ the network


@pytest.fixture(scope="module")
def listener() -> Iterator[tuple[str, list[Any]]]:
    """An address on this machine, and who connected to it."""
    server = socket.create_server(("127.0.0.1", 0))
    callers: list[Any] = []

    def listen() -> None:
        while True:
            try:
                callers.append(server.accept()[1])
            except OSError:
                return

    threading.Thread(target=listen, daemon=True).start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/a", callers
    server.close()


IN_RULES = (
    "![a](URL)", '<img src="URL">', '<link rel="stylesheet" href="URL">', "<style>@import 'URL';</style>",
    '<p style="background:url(URL)">', '<object data="URL">', '<embed src="URL">', '<iframe src="URL">',
    '<base href="URL">', '<video src="URL">', '<svg><image href="URL"/></svg>', "{: style=background:url(URL) }",
    "<URL>", "[a](URL)", "[a][b]\n\n[b]: URL\n\n",
)  # fmt: skip
IN_SVG = (
    '<image href="URL"/>',
    '<image xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="URL"/>', '<use href="URL#a"/>',
    '<rect fill="url(URL)"/>', "<rect filter=\"url('URL')\"/>", '<rect style="fill:url(URL)"/>', '<a href="URL"/>',
    '<rect mask="uRL(URL)"/>', "<style>@import 'URL';</style>", "<style>@font-face{src:url(URL)}</style>",
    '<foreignObject><img src="URL"/></foreignObject>', '<feImage href="URL"/>', '<script href="URL"/>',
)  # fmt: skip
BEFORE_SVG = (
    '<?xml-stylesheet href="URL"?>',
    '<!DOCTYPE svg SYSTEM "URL">',
    '<!DOCTYPE svg [<!ENTITY a SYSTEM "URL">]>',
)


def test_nothing_is_fetched_whatever_content_names(project: Path, listener: tuple[str, list[Any]]) -> None:
    address, callers = listener
    rules = (project / RULES).read_bytes()
    for vector in IN_RULES:
        (project / RULES).write_bytes(rules)
        lines, code = planned(project, first_words(vector.replace("URL", address)))
        assert code == CONTENT and lines[0].startswith(f"{RULES}:"), (vector, lines)
    for inner, before in [*((inner, "") for inner in IN_SVG), *(("", before) for before in BEFORE_SVG)]:
        (project / RULES).write_bytes(rules)
        lines, code = planned(project, *svg(inner.replace("URL", address), before.replace("URL", address)))
        assert code == CONTENT and lines[0].startswith(f"{RULES}:3: "), (inner, before, lines)
    (project / RULES).write_bytes(rules)
    words = (project / WORDS).read_bytes()
    for vector in ("![a](URL)", "<img src='URL'>", "<style>@import 'URL'</style>"):
        (project / WORDS).write_bytes(words)
        lines, code = planned(project, change(WORDS, '"Winner"', f'"{vector.replace("URL", address)}"'))
        assert code == CONTENT and lines[0].startswith(at(WORDS, "winner = ") + ": "), (vector, lines)
    (project / WORDS).write_bytes(words)
    po = (project / PO).read_bytes()
    for vector in ("![a](URL)", "<img src='URL'>", "[a](URL)"):
        (project / PO).write_bytes(po)
        edit = change(PO, 'msgstr "Typsnittet', f'msgstr "{vector.replace("URL", address)} Typsnittet')
        lines, code = planned(project, edit, lang="sv")
        assert code == CONTENT and lines[0].startswith(f"{PO}:"), (vector, lines)
    assert callers == []


def test_a_template_cannot_fetch_either(built: Path, listener: tuple[str, list[Any]]) -> None:
    address, callers = listener
    style = built / "templates/score.css"
    before, old = style.read_text("utf-8"), everything(built / "output")
    style.write_text(f"{before}\nbody {{ background: url({address}) }}\n", "utf-8")
    try:
        done = kit("build", *SCORE, cwd=built)
    finally:
        style.write_text(before, "utf-8")
    assert done.returncode == CONTENT
    assert "is outside the document" in done.stderr and "Traceback" not in done.stderr
    assert everything(built / "output") == old
    assert callers == []


# ------------------------------------------------------------------------------------------------ the command

SCORE = ("--only", "score", "--lang", "en", "--paper", "a4", "--jobs", "1")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a finished score sheet; who spoils it puts it right again."""
    project = tmp_path_factory.mktemp("built")
    for name in ("content", "templates"):
        shutil.copytree(ROOT / name, project / name)
    done = kit("build", *SCORE, cwd=project)
    assert done.returncode == 0, done.stderr
    return project


def everything(out: Path) -> dict[str, bytes]:
    """The files of a folder, what kit keeps for itself included, but for the lock and what it has seen."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name not in (".kit-lock", ".kit-seen")
    }


def fails(project: Path, code: int, *arguments: object, env: dict[str, str] | None = None) -> str:
    """What a command says that must fail with that code, in one line, and change nothing below the project."""
    before = everything(project)
    done = kit(*arguments, cwd=project, env=env)
    said = [line for line in done.stderr.splitlines() if not line.startswith("[")]
    assert done.returncode == code, done.stderr
    assert len(said) == 1 and "error: " in said[0] and said[0].endswith((".", ")", "?")), done.stderr
    assert everything(project) == before
    return said[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("buidl",), "Did you mean 'build'"),
        (("translate", "extrakt"), "Did you mean 'extract'"),
        (("build", "--papr", "a4"), "'--paper'"),
        (("build", "rowoverfow"), "Did you mean rowoverflow"),
        (("build", "../content"), "unknown game"),
        (("build", "--lang", "sw"), "Did you mean sv"),
        (("build", "--paper", "a5"), "Did you mean a4"),
        (("build", "--card", "pokr"), "Did you mean poker"),
        (("build", "--only", "scores"), "Did you mean score"),
        (("build", "--backs", "flod"), "'fold'"),
        (("build", "--lang", ""), "a name is missing"),
        (("build", "--only", "score,,mat"), "a name is missing"),
        (("build", "--jobs", "-1"), "'--jobs'"),
        (("build", "--wait", "nan"), "not a number"),
        (("build", "--out", ""), "names no folder"),
        (("build", "rowoverflow", *SCORE, "--single", "99", "--only", "cards"), "Did you mean 9"),
        (("build", "--out", "content"), "within each other"),
        (("build", "--out", "content/rowoverflow/out"), "within each other"),
        (("build", "--out", "."), "within each other"),
        (("build", "--out", "templates/x"), "within each other"),
        (("build", "--only", "ruler", "--single", "7"), "--single prints cards again, and --only leaves the cards out"),
        (("proof", "nosuch.pdf"), "there is no file"),
        (("bank", "verify", "content"), "not a file"),
        (("bank", "verify", "nosuch"), "there is no file"),
        (("proof", "content"), "not a file"),
        (("replay", "content"), "not a file"),
        (("replay", "nosuch"), "there is no file"),
        (("translate", "update", "en"), "English is the source"),
        (("translate", "update", "../x"), "is no language code"),
        (("translate", "status", "xx"), "unknown language"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_wrong_usage_ends_with_2_and_names_what_is_near(built: Path, arguments: tuple[str, ...], said: str) -> None:
    assert said in fails(built, USAGE, *arguments)


@pytest.mark.parametrize("said", ["abc", "", "-5", "1e9", "99999999999999", " 5", "٣"])
def test_a_clock_that_is_none_is_wrong_usage(built: Path, said: str) -> None:
    assert "SOURCE_DATE_EPOCH" in fails(built, USAGE, "build", *SCORE, env={"SOURCE_DATE_EPOCH": said})


def test_a_folder_without_content_or_templates(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    assert "none named content" in fails(tmp_path, USAGE, "build")
    assert not (tmp_path / "output").exists()


def test_a_fault_of_content_leaves_the_old_output(built: Path) -> None:
    for name, text in ((EXAMPLE, "moves"), (WORDS, "[event]")):
        before = (built / name).read_bytes()
        change(name, text, f"~{text}")(built)
        try:
            assert fails(built, CONTENT, "build", *SCORE).startswith(f"{name}:")
        finally:
            (built / name).write_bytes(before)


def test_steering_characters_do_not_reach_the_terminal(built: Path) -> None:
    assert "\x1b" not in fails(built, USAGE, "build", "\x1b[31mred")
    (built / "bad\x1b[31m.jsonl").write_text('{"a\x1b[31m": 1, "a\x1b[31m": 2}\n')
    try:
        assert "\x1b" not in fails(built, CONTENT, "replay", "bad\x1b[31m.jsonl")
    finally:
        (built / "bad\x1b[31m.jsonl").unlink()


# ------------------------------------------------------------------------------------------------ the surroundings


@pytest.mark.parametrize(
    "out",
    ["a-file", "a-file/below", "/proc/kit", "to-nowhere", "in-a-circle/below", "x" * 300],
    ids=lambda out: out[:20],
)
def test_an_output_folder_that_cannot_be_is_named_before_any_layout(built: Path, out: str) -> None:
    (built / "a-file").write_text("mine")
    link("to-nowhere", "nowhere")(built)
    link("in-a-circle", "in-a-circle")(built)
    try:
        said = fails(built, SURROUNDINGS, "build", *SCORE, "--out", out)
        assert out[:20] in said
    finally:
        for name in ("a-file", "to-nowhere", "in-a-circle"):
            (built / name).unlink()


def copied(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (folder("output/index.html"), "index.html"),
        (folder("output/en/a4/rowoverflow/score.pdf"), "score.pdf"),
        (in_turn(take_away("output/en/a4"), write("output/en/a4", "a file")), "output/en/a4"),
        (in_turn(take_away("output/en"), folder("away"), link("output/en", "../away")), "output/en"),
        (in_turn(take_away("output/en"), link("output/en", "../content")), "output/en"),
        (link("output/.kit-lock", "../content/words.toml"), ".kit-lock"),
        (folder("output/.kit-lock"), ".kit-lock"),
    ],
)
def test_what_lies_in_the_way_in_the_output_folder(built: Path, tmp_path: Path, spoil: Edit, name: str) -> None:
    project = copied(built, tmp_path)
    spoil(project)
    assert name in fails(project, SURROUNDINGS, "build", *SCORE)


def test_a_symlinked_output_folder_is_used_and_one_into_content_is_refused(built: Path, tmp_path: Path) -> None:
    project = copied(built, tmp_path)
    shutil.move(project / "output", project / "elsewhere")
    link("output", "elsewhere")(project)
    assert kit("build", *SCORE, cwd=project).stdout.startswith("Nothing to do")
    (project / "content/made").mkdir()
    link("output", "content/made")(project)
    assert "within each other" in fails(project, USAGE, "build", *SCORE)


@pytest.mark.parametrize(
    "manifest",
    ["", "[]", "{}", '{"files": []}', '{"files": {"a.pdf": 5}, "orders": 5}', "\udcff", "[" * 100_000]
    + [
        json.dumps({"files": {name: {"kind": "score", "audience": "players", "sha256": "0"}}, "orders": {"a": 5}})
        for name in ("../../x.pdf", "/etc/passwd", "en/x.pdf", "")
    ],
)
def test_a_manifest_that_was_spoiled_is_written_again(built: Path, tmp_path: Path, manifest: str) -> None:
    """Read as if there were none, in the form that the next build gets it in."""
    from kit.publish import output

    (tmp_path / "manifest.json").write_bytes(os.fsencode(manifest))
    assert output.manifest(tmp_path)["files"] == {}


ENTRY = {
    "kind": "score", "audience": "players", "sha256": "0", "game": "rowoverflow", "lang": "en", "paper": "a4",
    "title": "x", "duplex": "simplex", "pages": 1, "card": None, "code": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [("title", 5), ("title", None), ("duplex", []), ("pages", "2"), ("card", {}), ("games", [[]]), ("lang", "\ud800")],
)
def test_an_entry_that_was_spoiled_is_left_out_of_the_manifest(tmp_path: Path, field: str, value: object) -> None:
    from kit.publish import output

    def there(entry: dict[str, object]) -> bool:
        (tmp_path / "manifest.json").write_text(json.dumps({"files": {"en/a4/x.pdf": entry}, "orders": {}}))
        return bool(output.manifest(tmp_path)["files"])

    assert there(ENTRY) and there({**ENTRY, "duplex": None, "pages": None})  # the second as for a zip
    assert not there({**ENTRY, field: value})


def test_the_index_leaves_out_what_it_has_no_words_for(built: Path) -> None:
    from kit.publish import index

    folders = Folders(built, built / "content", built / "templates", built / "output")
    strange = {"duplex": "both", "card": "tarot"}
    files = {f"en/a4/rowoverflow/{field}.pdf": {**ENTRY, field: value} for field, value in strange.items()}
    (_, players), _ = index.pages(folders, {"en/a4/rowoverflow/score.pdf": ENTRY, **files}, Order())
    assert b"score.pdf" in players and b"duplex.pdf" not in players and b"card.pdf" not in players


def test_a_spoiled_manifest_costs_one_build(built: Path, tmp_path: Path) -> None:
    project = copied(built, tmp_path)
    good = everything(project / "output")
    (project / "output/manifest.json").write_text('{"files": {"../x.pdf": {"sha256": 5}}, "orders": []}')
    assert kit("build", *SCORE, cwd=project).returncode == 0
    assert everything(project / "output") == good


def limited(project: Path, *arguments: str, size: int) -> subprocess.CompletedProcess[str]:
    """Run a build that may not write any file larger than `size` bytes: how a full disk looks to a writer."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(size), "build", *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
from kit.cli import main
main()
"""


def test_a_full_disk_leaves_the_old_output(built: Path, tmp_path: Path) -> None:
    project = copied(built, tmp_path)
    change("templates/score.css", "{", "{ /* other */")(project)
    before = everything(project / "output")
    done = limited(project, *SCORE, size=9000)
    assert done.returncode == SURROUNDINGS, done.stderr
    assert "cannot be written: file too large" in done.stderr and "Traceback" not in done.stderr
    assert everything(project / "output") == before
    again = kit("build", *SCORE, cwd=project)
    assert again.returncode == 0, again.stderr
    assert {path.name for path in (project / "output").iterdir() if path.name[0] == "."} == {".kit-lock", ".kit-seen"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_disk_that_is_really_full(built: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        (disk / "mine").write_text("mine")
        done = kit("build", *SCORE, "--out", disk / "out", cwd=built)
        assert done.returncode == SURROUNDINGS, done.stderr
        assert "no space left on device. Make room" in done.stderr and "Traceback" not in done.stderr
        assert {path.name for path in disk.rglob("*")} == {"mine", "out", ".kit-lock"}
    finally:
        subprocess.run(["umount", disk], check=True)


# ------------------------------------------------------------------------------------------------ who listens


def shell(command: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which $KIT is the command."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "KIT": f"{sys.executable} -m kit", **env},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("$KIT list | head -0; exit ${PIPESTATUS[0]}", 141),
        ("$KIT --help | head -0; exit ${PIPESTATUS[0]}", 141),
        ("$KIT list > /dev/full", 3),
        ("$KIT build --lang xx 2> /dev/full", 2),
        ("$KIT list >&-", 0),
        ("$KIT build --lang xx 2>&-", 2),
        ("$KIT list <&- >&- 2>&-", 0),
    ],
)
def test_nobody_listens(built: Path, command: str, code: int) -> None:
    done = shell(command, built)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "xx_XX.nonsense", "LANG": ""},
    ],
    ids=["ascii", "latin-1", "nonsense"],
)
def test_any_locale_will_do(built: Path, locale: dict[str, str]) -> None:
    assert kit("build", *SCORE, cwd=built, env=locale).stdout.startswith("Nothing to do")
    before = (built / GAME).read_bytes()
    change(GAME, "row overflow", "row ☃ överflow")(built)
    try:
        done = shell("$KIT build --only score --lang en --paper a4 --draft 2>&1 >/dev/null | cat -v", built, **locale)
    finally:
        (built / GAME).write_bytes(before)
    assert done.stdout.startswith(f"{at(GAME, 'title =')}: error: no bundled font has U+2603"), done.stdout


# ------------------------------------------------------------------------------------------------ other commands


def record(**changes: Any) -> bytes:
    """A line of a record of the overflow example's kind, with some of it changed."""
    with gzip.open(ROOT / "tests/games/vectors/rowoverflow.jsonl.gz") as file:
        data = json.loads(file.readline())
    return json.dumps({**data, **changes}).encode()


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b"", None, "there is no record in it"),
        (gzip.compress(record(), mtime=0)[:-30], None, "cut off or damaged"),
        (b"\x1f\x8b", None, "cut off or damaged"),
        (record() + b"\n" + b" " * (5 << 20), 2, "longer than 4 MiB"),
        (record() + b"\n\n" + b"[" * 10_000, 3, "nested 10000 deep"),
        (b'{"a":' * 10_000, 1, "nested 10000 deep"),
        (b"\xff", 1, "not UTF-8"),
        (b'{"game": 1e999999}', 1, "missing"),
        (b"9" * 9999, 1, "a number is too long"),
        (b"NaN", 1, "NaN"),
        (record() + b"\n" + record(game="rowoverflo"), 2, "unknown game"),
        (record(moves=["reveal 1 1 1"], check=None), 1, "move 1 (reveal 1 1 1) is illegal"),
        (record(check=[]), 1, '"check" has not'),
        (record(start=None), 1, ""),
    ],
)
def test_replay_names_the_line(tmp_path: Path, data: bytes, line: int | None, said: str) -> None:
    (tmp_path / "a.jsonl").write_bytes(data)
    told = fails(tmp_path, CONTENT, "replay", "a.jsonl")
    assert told.startswith(f"a.jsonl:{line}: error: " if line else "a.jsonl: error: "), told
    assert said in told


def moved(pdf: pikepdf.Pdf) -> None:
    """Everything on the first page, 0.2 mm to the right."""
    page = pdf.pages[0]
    page.contents_add(b"q 1 0 0 1 0.567 0 cm", prepend=True)
    page.contents_add(b"Q")


def without_fonts(pdf: pikepdf.Pdf) -> None:
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Dictionary) and "/FontFile2" in thing:
            del thing["/FontFile2"]


@pytest.fixture(scope="module")
def deck(built: Path) -> Path:
    """The output folder with a finished deck of cards."""
    done = kit("build", "--only", "cards", "--lang", "en", "--paper", "a4", "--out", "deck", "--jobs", "1", cwd=built)
    assert done.returncode == 0, done.stderr
    return built / "deck"


@pytest.mark.parametrize(
    ("tamper", "said"),
    [(moved, "the card 1 is at 9.95 mm, not at 9.75 mm"), (without_fonts, "is not embedded")],
    ids=["moved by 0.2 mm", "a font taken out"],
)
def test_proof_refuses_a_file_that_was_tampered_with(
    deck: Path, tmp_path: Path, tamper: Callable[[pikepdf.Pdf], None], said: str
) -> None:
    shutil.copy(deck / "manifest.json", tmp_path)
    name = "en/a4/rowoverflow/cards-poker.pdf"
    (tmp_path / name).parent.mkdir(parents=True)
    with pikepdf.open(deck / name) as pdf:
        tamper(pdf)
        pdf.save(tmp_path / name)
    done = kit("proof", name, cwd=tmp_path)
    assert done.returncode == CONTENT, done.stderr
    assert "refused" in done.stdout and said in done.stdout, done.stdout
    assert f"{name}: error: " in done.stdout and "Traceback" not in done.stderr


def test_proof_measures_the_rest_when_one_file_is_none(built: Path) -> None:
    done = kit("proof", GAME, "output/en/a4/rowoverflow/score.pdf", cwd=built)
    assert done.returncode == CONTENT
    assert done.stderr.startswith(f"{GAME}: error: it cannot be read as a PDF") and len(done.stderr.splitlines()) == 1
    assert "0x" not in done.stderr  # where it lay in memory
    assert "print scaling" in done.stdout


def test_translate_says_what_is_stale_and_writes_nothing_then(project: Path) -> None:
    change(WORDS, '"Winner"', '"full up"')(project)
    assert fails(project, CONTENT, "translate", "extract", "--check").startswith(
        "content/locale/rowoverflow.pot: error:"
    )
    done = kit("translate", "status", cwd=project)
    assert done.returncode == CONTENT
    assert re.search(rf"{PO}:\d+: {at(WORDS, 'winner = ')} has changed", done.stdout), done.stdout
    change(PO, TITLE, TITLE[:-1])(project)
    for command in (("update", "sv"), ("status",)):
        assert fails(project, CONTENT, "translate", *command).startswith(
            f"{at(PO, 'Stigande rader')}: error: this line is not PO"
        )
    assert fails(project, CONTENT, "list").startswith(f"{at(PO, 'Stigande rader')}: error: ")


def test_translate_writes_nothing_outside_content(project: Path) -> None:
    outside = project / "outside"
    outside.mkdir()
    link("content/locale/de", str(outside))(project)
    assert "outside" in fails(project, CONTENT, "translate", "update", "de")
    take_away("content/locale/de")(project)
    pipe("content/locale/kit.pot")(project)
    assert "not a regular file" in fails(project, CONTENT, "translate", "extract")


def test_an_address_space_below_ours_is_not_raised(built: Path, tmp_path: Path) -> None:
    """A person's own limit stays in force and is no fault of a worker's start."""
    from kit.publish import worker

    code = (
        "import resource; from kit.publish import worker; "
        f"resource.setrlimit(resource.RLIMIT_AS, ({worker.MEMORY // 2},) * 2); worker._limit(); "
        "print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == str(worker.MEMORY // 2), done.stderr
    assert resource.getrlimit(resource.RLIMIT_AS)[0] in (
        resource.RLIM_INFINITY,
        resource.getrlimit(resource.RLIMIT_AS)[1],
    )
