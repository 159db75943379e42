"""A language: its words, numbers and lists, and everything that may be wrong with a translation, at its PO line."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kit.faults import USAGE, Fault
from kit.language import markdown, translate
from kit.language.locale import Locale, languages
from kit.language.message import numbers
from kit.language.words import words

Told = Callable[..., list[str]]
G = "locale/sv/LC_MESSAGES/g.po"
KIT = "locale/sv/LC_MESSAGES/kit.po"

RULES = """\
## Goal {: #goal }

A *row* of {deck} cards, worth 2 ♥ each: see [more](#goal) and {deck}.
{: #G-1 }
"""


@pytest.fixture
def swedish(tree: Any) -> Any:
    """A small game, wholly translated."""
    tree.swedish().write("g/rules.md", RULES)
    tree.write(
        "g/words.toml",
        '[event]\nplaced = "{card} goes behind {end}"\ntaken = {one = "{n} card", other = "{n} cards"}\n',
    )
    translate.update(tree.content, "sv")
    known = {
        "Rows": "Rader",
        "{deck} cards": "{deck} kort",
        "Goal": "Mål",
        "Print at 100 %": "Skriv ut i 100 %",
        "a card": "ett kort",
        "{n} cards": "{n} kort",
        "{n} card": "{n} kort",
        "{card} goes behind {end}": "{card} hamnar efter {end}",
        RULES.split("\n")[2]: "En *rad* med {deck} kort, värda 2 ♥ var: se [mer](#goal) och {deck}.",
    }
    return tree.translate("sv", known.__getitem__)


def load(tree: Any, code: str = "sv", **options: Any) -> Locale:
    return Locale.load(tree.content, code, "g", **options)


def line_of(tree: Any, name: str, text: str) -> int:
    """The line of a file that holds a text."""
    return next(number for number, line in enumerate(tree.read(name).split("\n"), 1) if text in line)


# What a language can say


def test_languages_are_their_folders_english_first(swedish: Any) -> None:
    assert languages(swedish.content) == ("en", "sv")
    swedish.language("da", "dansk", ",", "og", "eller", "da_DK")
    assert languages(swedish.content) == ("en", "da", "sv")
    locale = load(swedish)
    assert (locale.code, locale.name, locale.dir, locale.hyphenation) == ("sv", "svenska", "ltr", True)


def test_words_in_both_languages(swedish: Any) -> None:
    english, locale = load(swedish, "en"), load(swedish)
    assert (english.text("page.scale"), locale.text("page.scale")) == ("Print at 100 %", "Skriv ut i 100 %")
    assert english.text("event.placed", game=True, card=7, end="3") == "7 goes behind 3"
    assert locale.text("event.placed", game=True, card=7, end="3") == "7 hamnar efter 3"
    assert [locale.text("page.cards", n=n) for n in (0, 1, 2)] == ["0 kort", "ett kort", "2 kort"]
    assert [english.text("event.taken", game=True, n=n) for n in (1, 3)] == ["1 card", "3 cards"]
    assert locale.text("game.title", game=True) == "Rader"
    assert locale.text("game.needs.0", game=True, deck=24) == "24 kort"


def test_a_game_may_be_left_out(swedish: Any) -> None:
    assert Locale.load(swedish.content, "sv").text("page.scale") == "Skriv ut i 100 %"


def test_numbers_lists_ranks_and_quotes(swedish: Any) -> None:
    swedish.edit("words.toml", "[page]", '[rank]\nJ = "J"\n[page]')
    translate.update(swedish.content, "sv")
    swedish.edit(KIT, 'msgid "J"\nmsgstr ""', 'msgid "J"\nmsgstr "Kn"')
    english = load(swedish, "en")
    assert [english.number(value) for value in (7, 3.5, 63.5, 10.0, 0.05, -0.5, 12345, 1e-12, -1e-12)] == [
        "7",
        "3.5",
        "63.5",
        "10",
        "0.05",
        "−0.5",
        "12345",
        "0",
        "0",
    ]
    locale = load(swedish)
    assert [locale.number(value) for value in (3.5, 190.5, 12)] == ["3,5", "190,5", "12"]
    assert [locale.join(items) for items in ([], ["a"], ["a", "b"], ["a", 2, "c"])] == [
        "",
        "a",
        "a och b",
        "a, 2 och c",
    ]
    assert locale.join(["a", "b"], "or") == "a eller b"
    assert (locale.rank("J"), locale.rank("10")) == ("Kn", "10")
    assert locale.quote("x") == "”x”"


def test_thousands_are_parted_where_the_language_says_so(tree: Any) -> None:
    tree.edit("locale/en/language.toml", 'decimal = "."', 'decimal = "."\ngroup = ","')
    english = load(tree, "en")
    assert [english.number(value) for value in (999, 1234, 12345, 1234567.25)] == [
        "999",
        "1234",
        "12,345",
        "1,234,567.25",
    ]


def test_rules_in_the_other_language_keep_ids_and_slots(swedish: Any) -> None:
    rules = markdown.rules(swedish.content, "g", load(swedish), ["G-1"], lambda slot: f"[{slot.argument}@{slot.line}]")
    assert rules.title == "Rader"
    assert rules.sections[0].title == "Mål" and rules.sections[0].id == "goal"
    assert rules.sections[0].html == (
        '<p id="G-1" class="rule" data-number="§1">En <em>rad</em> med [deck@3] kort, värda 2 ♥ var: '
        'se <a href="#goal">mer</a> och [deck@3].</p>\n'
    )


def test_a_language_with_three_forms(tree: Any) -> None:
    tree.language("pl", "polski", ",", "i", "lub", "pl_PL")
    translate.update(tree.content, "pl")
    tree.translate("pl", lambda text: text)
    name = "locale/pl/LC_MESSAGES/kit.po"
    tree.edit(
        name,
        'msgstr[0] "a card"\nmsgstr[1] "{n} cards"\nmsgstr[2] "{n} cards"',
        'msgstr[0] "{n} karta"\nmsgstr[1] "{n} karty"\nmsgstr[2] "{n} kart"',
    )
    locale = Locale.load(tree.content, "pl", "g")
    assert [locale.text("page.cards", n=n) for n in (1, 2, 5, 12, 22, 25)] == [
        "1 karta",
        "2 karty",
        "5 kart",
        "12 kart",
        "22 karty",
        "25 kart",
    ]


# What may be wrong


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('msgstr "Mål"', 'msgstr ""', "the translation of content/g/rules.md:1 is empty. Translate it."),
        ('msgstr "Mål"', 'msgstr "  "', "the translation of content/g/rules.md:1 is empty."),
        (
            "med {deck} kort, värda",
            "med kort, värda",
            "the slots are {deck}, in the source {deck}, {deck}. Copy the slots from the source.",
        ),
        (
            "med {deck} kort, värda",
            "med {deck} {deck} kort, värda",
            "the slots are {deck}, {deck}, {deck}, in the source {deck}, {deck}.",
        ),
        (
            "med {deck} kort, värda",
            "med {hand} kort, värda",
            "the slots are {deck}, {hand}, in the source {deck}, {deck}.",
        ),
        ("värda 2 ♥", "värda 3 ♥", "the numbers and suits are 3, ♥, in the source 2, ♥. Correct them."),
        ("värda 2 ♥", "värda 2 ♠", "the numbers and suits are 2, ♠, in the source 2, ♥."),
        ("värda 2 ♥", "värda ♥", "the numbers and suits are ♥, in the source 2, ♥."),
        (
            "*rad*",
            "rad",
            "the inline marks are a href=#goal, in the source a href=#goal, em. Mark the same things as the source.",
        ),
        ("*rad*", "**rad**", "the inline marks are a href=#goal, strong, in the source a href=#goal, em."),
        ("*rad*", "*rad", "this mark has no partner: *rad"),
        ("*rad*", "<em>rad</em>", "HTML is not used here: <em>rad</em>"),
        ("*rad*", "*rad* &nbsp;", "an entity is not used here: &nbsp;"),
        ("[mer](#goal)", "[mer](#mal)", "the inline marks are a href=#mal, em, in the source a href=#goal, em."),
        ("[mer](#goal)", "[mer](javascript:x)", "a link to 'javascript:x'."),
        ("[mer](#goal)", "mer", "the inline marks are em, in the source a href=#goal, em."),
        ("*rad*", "*rad* {: #G-2 }", "a brace is no slot. Copy the slots from the source."),
        ("En *rad*", "En\\n*rad*", "the line breaks differ from the source."),
        ("{card} hamnar efter {end}", "{card} hamnar efter", "the slots are {card}, in the source {card}, {end}."),
        ("{card} hamnar efter {end}", "{card} <b>hamnar</b> efter {end}", "a word is plain text, and <b is markup."),
        ("{card} hamnar efter {end}", "{card} **hamnar** efter {end}", "a word is plain text, and ** is markup."),
    ],
)
def test_what_disagrees_is_told_at_its_line_in_the_po_file(
    swedish: Any, told: Told, old: str, new: str, what: str
) -> None:
    text = swedish.read(G)
    number = text[: text.index(old)].count("\n") + 1
    swedish.edit(G, old, new)
    found = told(load, swedish)
    assert found and all(fault.startswith(f"{G}:{number}: ") for fault in found), found
    assert any(fault.startswith(f"{G}:{number}: {what}") for fault in found), found


def test_number_words_are_the_translators_own(swedish: Any, told: Told) -> None:
    swedish.edit(G, "var: se", "var, två och två: se")
    assert told(load, swedish) == []


def test_a_plural_form_with_other_slots(swedish: Any, told: Told) -> None:
    swedish.edit(KIT, 'msgstr[1] "{n} kort"', 'msgstr[1] "{x} kort"')
    assert told(load, swedish) == [
        f"{KIT}:{line_of(swedish, KIT, 'msgstr[0]')}: the slots are {{x}}, in the source {{n}}. "
        "Copy the slots from the source."
    ]


def test_fuzzy_is_told(swedish: Any, told: Told) -> None:
    swedish.edit(G, 'msgid "Goal"', '#, fuzzy\nmsgid "Goal"')
    line = line_of(swedish, G, 'msgid "Goal"')
    assert told(load, swedish) == [
        f"{G}:{line}: this translation of content/g/rules.md:1 is marked fuzzy. Make it right and take the mark off."
    ]


def test_a_changed_source_makes_its_translation_stale_even_with_an_old_template(swedish: Any, told: Told) -> None:
    translate.extract(swedish.content)
    line = line_of(swedish, G, 'msgid "A *row*')
    swedish.edit("g/rules.md", "worth 2 ♥ each", "worth 2 ♥ apiece")
    assert told(load, swedish) == [
        f"{G}:{line}: content/g/rules.md:3 has changed since this was translated. "
        "Run kit translate update sv and translate it again."
    ]


def test_a_changed_word_is_stale_by_its_key(swedish: Any, told: Told) -> None:
    line = line_of(swedish, KIT, 'msgid "Print at 100 %"')
    swedish.edit("words.toml", "Print at 100 %", "No fit to page")
    assert told(load, swedish)[0].startswith(
        f"{KIT}:{line}: content/words.toml:2 has changed since this was translated."
    )


def test_a_word_that_gains_a_plural_is_stale(swedish: Any, told: Told) -> None:
    swedish.edit(
        "words.toml", 'scale = "Print at 100 %"', 'scale = {one = "Print at 100 %", other = "Print all at 100 %"}'
    )
    assert "has changed its plural since this was translated" in told(load, swedish)[0]


def test_a_new_text_is_missing(swedish: Any, told: Told) -> None:
    swedish.edit(
        "g/rules.md", "## Goal {: #goal }\n", "## Goal {: #goal }\n\nSomething that stood nowhere before at all.\n"
    )
    assert told(load, swedish) == [
        f"{G}:1: no translation of content/g/rules.md:3 (Something that stood nowhere before at all.). "
        "Run kit translate update sv and translate it."
    ]


def test_a_missing_po_file_and_a_broken_one(swedish: Any, told: Told) -> None:
    (swedish.content / G).unlink()
    swedish.edit(KIT, 'msgstr "Skriv ut i 100 %"', 'msgstr "Skriv ut i 100 %')
    found = told(load, swedish)
    assert found[0].startswith(f"{KIT}:{line_of(swedish, KIT, 'Skriv ut')}: this line is not PO")
    assert found[1] == f"{G}: there is no such file. Add it, or correct the name."


def test_all_faults_of_all_files_are_told_at_once(swedish: Any, told: Told) -> None:
    swedish.edit(G, "värda 2", "värda 3").edit(G, 'msgstr "Mål"', 'msgstr ""').edit(KIT, "i 100 %", "i 97 %")
    assert len(told(load, swedish)) == 3


def test_unknown_and_broken_languages(swedish: Any, told: Told) -> None:
    with pytest.raises(Fault) as caught:
        load(swedish, "sw")
    assert (str(caught.value), caught.value.code) == ("error: unknown language 'sw'. Did you mean sv?", USAGE)
    swedish.edit("locale/sv/language.toml", 'code = "sv"', 'code = "da"')
    assert told(load, swedish) == ["locale/sv/language.toml:1: code is 'da', and the folder is 'sv'. Make them one."]
    swedish.write("locale/sv/language.toml", 'code = "sv"\nnmae = "x"\nquotes = ["a"]\nand = "och"\nor = "eller"\n')
    assert told(load, swedish) == [
        "locale/sv/language.toml:1: name is missing. Add it.",
        "locale/sv/language.toml:2: there is no key nmae. Did you mean name?",
        "locale/sv/language.toml:3: quotes: there are fewer than 2 entries. Correct it.",
    ]
    (swedish.content / "locale/x y").mkdir()
    assert told(languages, swedish.content) == ["locale/x y: 'x y' is no language code. Use one like sv or pt-BR."]


# Drafts


def test_a_draft_marks_what_is_not_translated_and_nothing_else(swedish: Any) -> None:
    swedish.edit(G, 'msgstr "Mål"', 'msgstr ""').edit(KIT, 'msgctxt "page.scale"', '#, fuzzy\nmsgctxt "page.scale"')
    swedish.edit(KIT, 'msgstr[1] "{n} kort"', 'msgstr[1] "{x} kort"')
    locale = load(swedish, draft=True)
    assert locale.text("page.scale") == "⟦Print at 100 %⟧"
    assert [locale.text("page.cards", n=n) for n in (1, 3)] == ["⟦a card⟧", "⟦3 cards⟧"]
    assert locale.text("game.title", game=True) == "Rader"
    rules = markdown.rules(swedish.content, "g", locale, ["G-1"], str)
    assert rules.sections[0].title == "⟦Goal⟧" and "En <em>rad</em>" in rules.sections[0].html


def test_a_draft_without_any_po_file(swedish: Any) -> None:
    for name in (G, KIT):
        (swedish.content / name).unlink()
    locale = load(swedish, draft=True)
    assert "<p" in markdown.rules(swedish.content, "g", locale, ["G-1"], str).sections[0].html
    assert locale.text("page.scale") == "⟦Print at 100 %⟧"


def test_a_draft_still_refuses_a_po_file_that_cannot_be_read(swedish: Any, told: Told) -> None:
    swedish.edit(G, 'msgstr "Mål"', 'msgstr "Mål')
    assert len(told(load, swedish, draft=True)) == 1


# Asking for words


def test_asking_for_a_word_that_is_not_there(swedish: Any, told: Told) -> None:
    locale = load(swedish)
    assert told(locale.text, "page.scael") == ["words.toml: there is no word 'page.scael'. Did you mean page.scale?"]
    assert told(locale.text, "event.placd", game=True)[0].startswith("g/words.toml: there is no word 'event.placd'.")
    assert told(locale.text, "event.placed", game=True, card=1, edn=2) == [
        "g/words.toml:2: the word event.placed has a slot {end} that nothing fills. Did you mean edn?"
    ]
    assert told(locale.text, "page.cards") == [
        "words.toml:3: the word page.cards has a plural and is asked for without a count. Give n."
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('a = "x {y"', "1: a brace is no slot. Write a slot as {name}, a brace as \\\\{."),
        ('\na = "<b>x</b>"', "2: a word is plain text, and <b is markup. Take the markup out."),
        ('a = "**x**"', "1: a word is plain text, and ** is markup."),
        ('a = ""', "1: this word is empty. Write it, or take it out."),
        ("[a]\nb = 3", "2: a.b is no text. Put it in quotes."),
        ("[a]\nb = ['x']", "2: a.b is no text."),
        ('"a b" = "x"', "1: 'a b' is no key of a word. Use letters, digits, - and _."),
        ('a = {one = "{x} card", other = "{n} cards"}', "1: the two forms of a have other slots."),
        ('a = {one = "x", other = 3}', "1: a is no text."),
        ('a = "x"\na = "y"', "2: this is not TOML"),
        ('a = "x\\u0007"', "1: control character U+0007."),
    ],
)
def test_words_that_do_not_hold(tree: Any, told: Told, text: str, fault: str) -> None:
    tree.write("words.toml", text + "\n")
    found = told(words, tree.content, "kit")
    assert len(found) == 1 and found[0].startswith(f"words.toml:{fault}"), found


def test_a_literal_brace_in_a_word(tree: Any) -> None:
    tree.write("words.toml", 'a = "\\\\{x} {y}"\n')
    assert load(tree, "en").text("a", y=1) == "{x} 1"


# Glossary

GLOSSARY = """
[[term]]
source = "row"
sources = ["rows"]
use = "rad"
forms = ["räcka"]
never = ["linje"]

[[term]]
source = "card"
sources = ["cards"]
use = "kort"
required = false
"""


def test_the_glossary_is_enforced_at_the_po_line(swedish: Any, told: Told) -> None:
    swedish.write("locale/sv/glossary.toml", GLOSSARY)
    assert told(load, swedish) == []
    line = line_of(swedish, G, "En *rad*")
    swedish.edit(G, "*rad*", "*linje*")
    assert told(load, swedish) == [
        f"{G}:{line}: 'linje' is not the glossary's term for 'row'. Use 'rad'.",
        f"{G}:{line}: the source says 'row', and 'rad' is not here. Use the glossary's term.",
    ]
    swedish.edit(G, "*linje*", "*kortrad*")
    assert told(load, swedish) == []
    swedish.edit(G, "*kortrad*", "*räcka*").edit(G, "kort, värda", "blad, värda")
    assert told(load, swedish) == []


def test_the_english_glossary_keeps_words_out_of_the_source(tree: Any, told: Told) -> None:
    tree.write("locale/en/glossary.toml", '[[term]]\nsource = "row"\nuse = "row"\nnever = ["line"]\n')
    tree.edit("g/rules.md", "a row", "a line")
    assert told(load, tree, "en") == ["g/rules.md:3: 'line' is not the glossary's term for 'row'. Use 'row'."]


def test_a_glossary_that_does_not_hold(swedish: Any, told: Told) -> None:
    swedish.write("locale/sv/glossary.toml", '[[term]]\nsource = "row"\nuse = "rad"\nneevr = []\n')
    assert told(load, swedish) == ["locale/sv/glossary.toml:4: there is no key term.0.neevr. Did you mean never?"]


def test_english_needs_no_po_files(tree: Any) -> None:
    assert load(tree, "en").text("game.title", game=True) == "Rows"
    assert not (tree.content / "locale/en/LC_MESSAGES").exists()


def test_nothing_is_read_through_a_link_out_of_content(swedish: Any, told: Told, tmp_path: Path) -> None:
    outside = tmp_path / "outside.po"
    (swedish.content / G).rename(outside)
    (swedish.content / G).symlink_to(outside)
    assert told(load, swedish) == [f"{G}: this file lies outside its folder. Put a copy of it inside content."]


# Names, links, workers


def test_a_locale_travels_to_a_worker(swedish: Any) -> None:
    import pickle

    locale = pickle.loads(pickle.dumps(load(swedish)))
    assert [locale.text("page.cards", n=n) for n in (1, 3)] == ["ett kort", "3 kort"]


@pytest.mark.parametrize("name", ["words.toml", "g/words.toml", "g/rules.md", "locale/sv/glossary.toml"])
def test_a_link_to_nowhere_is_told_and_not_taken_for_nothing(swedish: Any, told: Told, name: str) -> None:
    (swedish.content / name).unlink(missing_ok=True)
    (swedish.content / name).symlink_to("nowhere")
    assert told(load, swedish) == [f"{name}: there is no such file. Add it, or correct the name."]


def test_names_that_clash_or_are_no_names_are_told(swedish: Any, told: Told) -> None:
    swedish.write("g/Rules.md", "x")
    assert told(load, swedish) == ["g: 'Rules.md' and 'rules.md' are one name on some machines. Rename one of the two."]
    (swedish.content / "g/Rules.md").unlink()
    swedish.write("g/examples/Two words.toml", 'title = "x"\n')
    assert told(load, swedish) == [
        "g/examples/Two words.toml: this is not the name of an example. Use a-z, 0-9, - and .toml."
    ]


def test_a_word_may_not_take_the_key_of_a_title(swedish: Any, told: Told) -> None:
    swedish.edit("g/words.toml", "[event]", '[game]\ntitle = "x"\n[event]')
    assert told(load, swedish) == ["g/words.toml:2: the key game.title is that of a title. Choose another."]


def test_a_game_s_word_without_a_game(swedish: Any, told: Told) -> None:
    locale = Locale.load(swedish.content, "sv")
    assert "no game is loaded" in told(locale.text, "event.placed", game=True)[0]


def test_numbers_of_any_length_and_script_are_compared(swedish: Any, told: Told) -> None:
    assert numbers("007 ٣ " + "9" * 9000 + " ♥ {n:7} [x](https://a.se/5)") == {"7": 1, "3": 1, "9" * 9000: 1, "♥": 1}


def test_a_po_file_full_of_strangers_is_compared_in_time(swedish: Any, told: Told) -> None:
    strangers = "".join(f'\nmsgid "Stranger {i} {"x" * (i % 300)}"\nmsgstr "{i}"\n' for i in range(5_000))
    swedish.write(G, swedish.read(G) + strangers)
    swedish.edit("g/rules.md", "A *row*", "Some *row*")
    start = time.monotonic()
    assert len(told(load, swedish)) == 1 and time.monotonic() - start < 10
