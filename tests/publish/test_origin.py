"""Words that have no room are told where a person can shorten them: at their line, not at the sheet's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kit.faults import Fault
from kit.language.locale import Locale
from kit.publish import origin
from tests.publish.conftest import ROOT

PO = "locale/sv/LC_MESSAGES/rowoverflow.po"


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "content", tmp_path / "content"))


def line(content: Path, text: str) -> int:
    lines = (content / PO).read_text("utf-8").split("\n")
    return next(number for number, each in enumerate(lines, 1) if each.startswith("msgstr") and text in each)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("'Vänd upp alla kort samtidigt; inga byten. §4' is 87.2 mm wide and has 45.9 mm", "Vänd upp alla kort"),
        ("page 3: “över förblir osedda tills given” runs off the text area", "förblir osedda"),
        ("page 1: “Kortleken består av 24 kort, numrerad…” overflows its box", "Kortleken består av {deck_size}"),
    ],
)
def test_words_without_room_are_told_at_their_line(content: Path, said: str, words: str) -> None:
    fault = Fault(said, "Shorten it", path="sv/a4/rowoverflow/booklet.pdf")
    for told in (
        origin.told([fault], Locale.load(content, "sv", "rowoverflow")),
        origin.told_of_sheets([fault], content, False),
    ):
        assert str(told[0]).endswith(f"{PO}:{line(content, words)}: error: {said} ({fault.path}). Shorten it.")


def test_english_words_are_told_at_their_source(content: Path) -> None:
    fault = Fault("'Cut here' is 9.0 mm wide and has 5.0 mm", "Shorten it", path="en/a4/deck/cards.pdf")
    (told,) = origin.told_of_sheets([fault], content, False)
    assert str(told.path).endswith("content/words.toml") and told.line


@pytest.mark.parametrize("said", ["“Utse en givare” is set in 3.0 pt", "'xyzzy' is 9 mm wide and has 5 mm", "it broke"])
def test_what_is_no_want_of_room_or_no_text_of_ours_stays_as_it_is(content: Path, said: str) -> None:
    fault = Fault(said, "Mend it", path="sv/a4/rowoverflow/booklet.pdf")
    assert origin.told_of_sheets([fault], content, False) == [fault]
