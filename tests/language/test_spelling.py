"""Spelling: each word that no dictionary knows, at its line; hunspell itself is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.faults import SURROUNDINGS, Fault
from kit.language import translate
from kit.language.spelling import misspelt

G = "locale/sv/LC_MESSAGES/g.po"


@pytest.fixture
def game(tree: Any) -> Any:
    tree.swedish().write("g/rules.md", "## Goal {: #goal }\n\nA *rowe* of {decke}\nand [it](#goal).\n{: #G-1 }\n")
    translate.update(tree.content, "sv")
    known = {
        "Rows": "Rader",
        "{deck} cards": "{deck} kort",
        "Goal": "Mål",
        "Print at 100 %": "Skriv ut",
        "a card": "ett kort",
        "{n} cards": "{n} kort",
        "A *rowe* of {decke} and [it](#goal).": "En *radd* av grupppoäng {decke} och [den](#goal).",
    }
    return tree.translate("sv", known.__getitem__)


def said(tree: Any, code: str) -> list[str]:
    return [str(fault) for fault in misspelt(tree.content, code, ["kit", "g"])]


def test_slips_are_told_in_the_source(game: Any) -> None:
    assert said(game, "en") == [
        "content/g/rules.md:3: error: 'rowe' is in no dictionary of en. Correct it, or add it to locale/en/words.txt."
    ]


def test_slips_are_told_in_a_translation_at_its_po_line(game: Any) -> None:
    text = game.read(G)
    line = text[: text.index("En *radd*")].count("\n") + 1
    assert said(game, "sv") == [
        f"content/{G}:{line}: error: {word!r} is in no dictionary of sv. Correct it, or add it to locale/sv/words.txt."
        for word in ("radd", "grupppoäng")
    ]


def test_own_words_are_known_also_with_a_capital(game: Any) -> None:
    game.write("locale/en/words.txt", "# names\nrowe  # a kind of row\n")
    assert said(game, "en") == []
    game.edit("g/rules.md", "A *rowe*", "*Rowe*")
    assert said(game, "en") == []


def test_what_is_missing_is_a_fault_of_the_surroundings(
    game: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game.edit("locale/sv/language.toml", "sv_SE", "xx_YY")
    with pytest.raises(Fault, match="hunspell cannot use xx_YY") as caught:
        said(game, "sv")
    assert caught.value.code == SURROUNDINGS
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Fault, match="hunspell is not installed") as caught:
        said(game, "en")
    assert caught.value.code == SURROUNDINGS


def test_a_language_without_a_dictionary_says_so(game: Any) -> None:
    game.edit("locale/sv/language.toml", '["sv_SE"]', "[]")
    with pytest.raises(Fault, match="no dictionary is named") as caught:
        said(game, "sv")
    assert caught.value.code == 1
