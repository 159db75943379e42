"""Templates, merging and status: what translators get, and that only real changes show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.faults import SURROUNDINGS, USAGE, Fault, Faults
from kit.language import markdown, po, translate
from kit.language.locale import Locale
from kit.language.message import SLOT

Told = Callable[..., list[str]]
G = "locale/sv/LC_MESSAGES/g.po"
POT = "locale/g.pot"

RULES = """\
## Goal {: #goal }

Join a row of {deck}.
{: #G-1 }

The same text.

- The same text.
- A list with *marks* and a [link](#goal).
"""


@pytest.fixture
def game(tree: Any) -> Any:
    return tree.swedish().write("g/rules.md", RULES).write("g/examples/one.toml", 'title = "First"\n')


def files(tree: Any) -> dict[str, bytes]:
    return {
        str(path.relative_to(tree.content)): path.read_bytes()
        for path in sorted(tree.content.rglob("*"))
        if path.is_file()
    }


# Templates


def test_the_template_of_a_game(game: Any) -> None:
    assert translate.extract(game.content) == ["content/locale/kit.pot: written", "content/locale/g.pot: written"]
    assert (
        game.read(POT).partition("\n\n")[2]
        == """\
#. game.title
#: content/g/game.toml:1
msgctxt "game.title"
msgid "Rows"
msgstr ""

#. game.needs.0
#: content/g/game.toml:2
msgctxt "game.needs.0"
msgid "{deck} cards"
msgstr ""

#. example.one.title
#: content/g/examples/one.toml:1
msgctxt "example.one.title"
msgid "First"
msgstr ""

#. heading goal
#: content/g/rules.md:1
msgid "Goal"
msgstr ""

#. paragraph G-1
#: content/g/rules.md:3
msgid "Join a row of {deck}."
msgstr ""

#. paragraph
#. list item
#: content/g/rules.md:6 content/g/rules.md:8
msgid "The same text."
msgstr ""

#. list item
#: content/g/rules.md:9
msgid "A list with *marks* and a [link](#goal)."
msgstr ""
"""
    )


def test_templates_are_the_same_bytes_everywhere(game: Any, tmp_path: Path) -> None:
    translate.extract(game.content)
    first = files(game)
    code = (
        f"from pathlib import Path; from kit.language import translate; translate.extract(Path({str(game.content)!r}))"
    )
    for number, zone in enumerate(("UTC", "Asia/Tokyo")):
        for path in game.content.glob("locale/*.pot"):
            path.unlink()
        environment = {
            **os.environ,
            "PYTHONHASHSEED": str(number),
            "TZ": zone,
            "LC_ALL": "C",
            "PYTHONPATH": os.getcwd(),
        }
        subprocess.run([sys.executable, "-X", "utf8=0", "-c", code], check=True, cwd=tmp_path, env=environment)
        assert files(game) == first
    assert b"Date" not in first[POT] and b"Generator" not in first[POT]


def test_a_second_extraction_writes_nothing(game: Any) -> None:
    translate.extract(game.content)
    before = (game.content / POT).stat()
    assert translate.extract(game.content)[1] == "content/locale/g.pot: unchanged"
    assert (game.content / POT).stat() == before


def test_a_template_that_is_not_fresh_is_told(game: Any, told: Told) -> None:
    assert told(translate.check, game.content) == [
        "locale/kit.pot: this template is not fresh. Run kit translate extract.",
        "locale/g.pot: this template is not fresh. Run kit translate extract.",
    ]
    translate.extract(game.content)
    assert translate.check(game.content) == ["content/locale/kit.pot: fresh", "content/locale/g.pot: fresh"]
    game.edit("g/rules.md", "Join a row", "\nJoin a row")  # lines are part of it
    assert told(translate.check, game.content) == [
        "locale/g.pot: this template is not fresh. Run kit translate extract."
    ]


def test_nothing_is_written_when_any_source_is_wrong(game: Any) -> None:
    game.edit("g/rules.md", "*marks*", "*marks")
    before = files(game)
    for act in (lambda: translate.extract(game.content), lambda: translate.update(game.content, "sv")):
        with pytest.raises(Faults):
            act()
    assert files(game) == before


# Merging


def test_a_new_language_gets_its_folder(game: Any) -> None:
    said = translate.update(game.content, "pl")
    assert said == [
        "content/locale/pl/LC_MESSAGES/kit.po: written",
        "content/locale/pl/LC_MESSAGES/g.po: written",
        "content/locale/pl/language.toml: written",
        "content/locale/pl/glossary.toml: written",
        "content/locale/pl/words.txt: written",
    ]
    locale = Locale.load(game.content, "pl", "g", draft=True)
    assert (locale.name, locale.number(1.5), locale.join("ab")) == ("polski", "1,5", "a i b")
    text = game.read("locale/pl/LC_MESSAGES/kit.po")
    assert 'msgstr[2] ""' in text and "nplurals=3" in text and '"Language: pl\\n"' in text


def test_a_language_that_nobody_counted_begins_with_two_forms(game: Any) -> None:
    translate.update(game.content, "qz")
    assert "nplurals=2; plural=(n != 1);" in game.read("locale/qz/LC_MESSAGES/g.po")


def test_updating_twice_changes_nothing(game: Any) -> None:
    translate.update(game.content, "sv")
    game.translate("sv", str.upper)
    translate.update(game.content, "sv")
    before = files(game)
    assert all(line.endswith(": unchanged") for line in translate.update(game.content, "sv"))
    assert files(game) == before


def test_a_changed_text_keeps_its_translation_as_fuzzy_with_the_old_text(game: Any) -> None:
    translate.update(game.content, "sv")
    game.translate("sv", lambda text: f"sv {text}")
    before = game.read(G)
    game.edit("g/rules.md", "Join a row of {deck}.", "Join any row of {deck}.")
    translate.update(game.content, "sv")
    assert game.read(G) == before.replace(
        'msgid "Join a row of {deck}."\n',
        '#, fuzzy\n#| msgid "Join a row of {deck}."\nmsgid "Join any row of {deck}."\n',
    ), "and nothing else changed"
    game.edit("g/rules.md", "any row", "any good row")
    translate.update(game.content, "sv")
    assert '#| msgid "Join a row of {deck}."\nmsgid "Join any good row' in game.read(G), "what it was translated from"


def test_a_changed_word_keeps_its_translation_by_its_key(game: Any) -> None:
    name = "locale/sv/LC_MESSAGES/kit.po"
    translate.update(game.content, "sv")
    game.translate("sv", lambda text: f"sv {text}")
    game.edit("words.toml", "Print at 100 %", "No fit to page, please")
    translate.update(game.content, "sv")
    entry = next(entry for entry in polib.pofile(str(game.content / name)) if entry.msgctxt == "page.scale")
    assert (entry.msgid, entry.msgstr, entry.previous_msgid, entry.fuzzy) == (
        "No fit to page, please",
        "sv Print at 100 %",
        "Print at 100 %",
        True,
    )


def test_what_goes_becomes_obsolete_and_comes_back(game: Any) -> None:
    translate.update(game.content, "sv")
    game.translate("sv", lambda text: f"sv {text}")
    translate.update(game.content, "sv")
    before = game.read(G)
    game.edit("g/rules.md", "- A list with *marks* and a [link](#goal).\n", "")
    translate.update(game.content, "sv")
    assert '#~ msgid "A list with *marks* and a [link](#goal)."\n#~ msgstr "sv A list' in game.read(G)
    ((_, report),) = translate.status(game.content, ["sv"])
    assert report.counts["g"].obsolete == 1 and report.complete
    game.write("g/rules.md", RULES)
    translate.update(game.content, "sv")
    assert game.read(G) == before


def test_what_was_never_translated_just_goes(game: Any) -> None:
    translate.update(game.content, "sv")
    game.edit("g/rules.md", "- A list with *marks* and a [link](#goal).\n", "")
    translate.update(game.content, "sv")
    assert "A list with" not in game.read(G)


def test_a_word_that_gains_or_loses_a_plural_is_fuzzy(game: Any) -> None:
    name = "locale/sv/LC_MESSAGES/kit.po"
    translate.update(game.content, "sv")
    game.translate("sv", lambda text: f"sv {text}")
    game.edit(
        "words.toml", 'scale = "Print at 100 %"', 'scale = {one = "Print at 100 %", other = "Print {n} at 100 %"}'
    )
    translate.update(game.content, "sv")
    assert "#, fuzzy\n#| msgctxt" not in game.read(name)
    file = po.read(game.content, name, "sv")
    entry = file.entries["page.scale", "Print at 100 %"]
    assert entry.fuzzy and entry.forms == ("sv Print at 100 %", "sv Print at 100 %")
    game.edit(
        "words.toml", 'scale = {one = "Print at 100 %", other = "Print {n} at 100 %"}', 'scale = "Print at 100 %"'
    )
    translate.update(game.content, "sv")
    entry = po.read(game.content, name, "sv").entries["page.scale", "Print at 100 %"]
    assert entry.fuzzy and entry.plural is None


def test_comments_and_header_fields_of_others_are_kept(game: Any) -> None:
    translate.update(game.content, "sv")
    game.edit(G, 'msgctxt "game.title"', 'msgctxt "game.title"').edit(G, "#. game.title", "# Ask Anna\n#. game.title")
    game.edit(G, '"Language: sv\\n"', '"Language: sv\\n"\n"Last-Translator: Anna\\n"')
    game.edit(G, 'msgid "Rows"\nmsgstr ""', 'msgid "Rows"\nmsgstr "Rader"')
    translate.update(game.content, "sv")
    text = game.read(G)
    assert "# Ask Anna\n" in text and '"Last-Translator: Anna\\n"' in text and 'msgstr "Rader"' in text


def test_a_broken_po_file_is_not_touched(game: Any, told: Told) -> None:
    translate.update(game.content, "sv")
    game.edit(G, 'msgid "Rows"\nmsgstr ""', 'msgid "Rows"\nmsgstr "Rader')
    before = files(game)
    assert "is not PO" in told(translate.update, game.content, "sv")[0]
    assert files(game) == before


@pytest.mark.parametrize("lang", ["en", "../x", "SV", "sv_SE", "", "svenska"])
def test_languages_that_cannot_be_updated(game: Any, lang: str) -> None:
    with pytest.raises(Fault) as caught:
        translate.update(game.content, lang)
    assert caught.value.code == USAGE


def test_a_folder_that_cannot_be_written_is_told(game: Any) -> None:
    game.write("locale/sv/LC_MESSAGES", "a file where a folder must go")
    with pytest.raises(Fault) as caught:
        translate.update(game.content, "sv")
    assert caught.value.code in (1, SURROUNDINGS) and not list(game.content.rglob("*.tmp"))


# gettext takes them


def test_gettext_accepts_templates_and_translations(game: Any) -> None:
    translate.extract(game.content)
    for lang in ("sv", "pl"):
        translate.update(game.content, lang)
        game.translate(lang, lambda text: text)
        translate.update(game.content, lang)
    paths = sorted(game.content.rglob("*.po*"))
    assert len(paths) == 6
    for path in paths:
        made = subprocess.run(
            ["msgfmt", "-c", "-o", os.devnull, str(path)], capture_output=True, text=True, check=False
        )
        assert made.returncode == 0 and "error" not in made.stderr, made.stderr


def test_what_gettext_merges_we_read_alike(game: Any) -> None:
    """A translator's tool may bring the file up to date by itself: msgmerge's result has the same entries as ours."""
    translate.update(game.content, "sv")
    game.translate("sv", lambda text: f"sv {text}")
    game.edit("g/rules.md", "Join a row of {deck}.", "Join any row of {deck}.")
    translate.extract(game.content)
    theirs = game.content / "theirs.po"
    command = ["msgmerge", "-q", "--previous", "-o", str(theirs), str(game.content / G), str(game.content / POT)]
    subprocess.run(command, check=True)
    translate.update(game.content, "sv")

    def told(name: str) -> set[tuple[Any, ...]]:
        return {entry[:4] + entry[6:] for entry in po.read(game.content, name, "sv").entries.values()}

    assert told("theirs.po") == told(G)


# Status


def test_status_counts_and_names_what_is_to_do(game: Any) -> None:
    translate.update(game.content, "sv")
    game.translate("sv", lambda text: text.replace("A list with", "En lista med"))
    ((_, report),) = translate.status(game.content)
    assert report.complete and report.share == 1.0 and report.counts["g"].total == 7
    game.edit(G, 'msgstr "Goal"', 'msgstr ""').edit(G, 'msgctxt "game.title"', '#, fuzzy\nmsgctxt "game.title"')
    game.edit(G, 'msgstr "Join a row of {deck}."', 'msgstr "Join a row."')
    ((lang, report),) = translate.status(game.content, ["sv"])
    count = report.counts["g"]
    assert (lang, count.translated, count.fuzzy, count.missing, count.wrong, count.obsolete) == ("sv", 4, 1, 1, 1, 0)
    assert not report.complete and 0 < report.share < 1
    assert str(report).splitlines()[0] == (
        "kit 2 of 2 translated, 0 fuzzy, 0 missing, 0 wrong, 0 obsolete; "
        "g 4 of 7 translated, 1 fuzzy, 1 missing, 1 wrong, 0 obsolete"
    )
    lines = {what: int(re.search(rf"{G}:(\d+):.*{what}", str(report))[1]) for what in ("fuzzy", "empty", "slots")}  # type: ignore[index]
    text = game.read(G).split("\n")
    assert text[lines["fuzzy"] - 1] == 'msgid "Rows"' and text[lines["empty"] - 1] == 'msgstr ""'
    assert text[lines["slots"] - 1] == 'msgstr "Join a row."'
    assert all(re.fullmatch(r"\S+:\d+: .+\. .+\.", place) for place in report.places)  # where, what, and what to do
    assert report.summary == str(report).splitlines()[0]


def test_every_language_that_unicode_knows_can_be_begun(game: Any) -> None:
    """French, Spanish and their kin count millions apart: their rule is long, and no fault."""
    from babel import localedata

    codes = [code.replace("_", "-") for code in localedata.locale_identifiers()]
    for code in filter(translate.CODE.fullmatch, codes):
        po.plural_rule(translate._plural_forms(code), code, 1)
    translate.update(game.content, "pt-BR")
    assert "nplurals=3" in game.read("locale/pt-BR/LC_MESSAGES/g.po")


def test_english_that_was_copied_is_no_translation(game: Any) -> None:
    for code in ("sv", "en-GB"):
        translate.update(game.content, code)
        game.translate(code, lambda text: text)
    (_, british), (_, report) = translate.status(game.content, ["en-GB", "sv"])
    assert british.complete and report.counts["g"].wrong == 1  # a title, or a few names, may be the same
    (place,) = report.places
    assert place.endswith("rules.md:9 is the English itself. Translate it.")


def test_status_of_english_and_of_an_unknown_language(game: Any) -> None:
    ((_, report),) = translate.status(game.content, ["en"])
    assert report.complete and report.counts["g"].translated == 7
    with pytest.raises(Fault, match="unknown language 'sw'"):
        translate.status(game.content, ["sw"])


# The whole way round

_SAFE = re.compile(rf"({SLOT.pattern}|\]\([^)]*\)|\\.)")


def swapped(text: str) -> str:
    """Every letter in the other case, slots and addresses as they are."""
    return "".join(part if _SAFE.fullmatch(part) else part.swapcase() for part in _parts(text))


def _parts(text: str) -> list[str]:
    at, found = 0, []
    for match in _SAFE.finditer(text):
        found += [text[at : match.start()], match[0]]
        at = match.end()
    return [*found, text[at:]]


PIECES = [
    "A paragraph with *em*, **strong** and [a link](#goal).",
    "- an item\n- another {deck}\n\n    inside it",
    "1. first\n2. second",
    "| head | other |\n|---|---|\n| cell | {hand} cell |",
    "!!! note\n    noted\n\n    twice",
    '!!! tip "titled"\n    tip',
    "term\n:   defined",
    "### Heading {: #ID }",
    "![a picture](a.png)",
    "A \\{brace} and \\*star\\*.",
    "{figure:setup}",
    "Text\nover lines.\n{: #ID }",
]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=10, unique=True))
@settings(max_examples=25)
def test_a_translation_carries_the_whole_text(new_tree: Callable[[], Any], pieces: list[str]) -> None:
    """Translate each message to itself in the other case: then no letter of the page is left in its own."""
    tree = new_tree().swedish().write("g/assets/a.png", b"x")
    text = "\n\n".join(["## Goal {: #goal }", *pieces]) + "\n\nA rule.\n{: #G-1 }\n"
    for number in range(text.count("#ID")):
        text = text.replace("#ID", f"#id{number}", 1)
    tree.write("g/rules.md", text)
    translate.update(tree.content, "sv")
    tree.translate("sv", swapped)
    pages = []
    for code in ("en", "sv"):
        locale = Locale.load(tree.content, code, "g")
        rules = markdown.rules(tree.content, "g", locale, ["G-1"], lambda slot: f"<7 {len(slot.kind)}>")
        pages.append("".join(f"{section.title}\n{section.html}" for section in rules.sections))
    english, swedish = (list(re.split("(<[^>]*>)", page)) for page in pages)
    for ours, theirs in zip(english, swedish, strict=True):
        if ours.startswith("<img"):
            assert 'alt="a picture"' in ours and 'alt="A PICTURE"' in theirs
        else:
            wanted = ours if ours.startswith("<") else ours.swapcase()
            assert " ".join(theirs.split()) == " ".join(wanted.split())
