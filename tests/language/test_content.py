"""Laws of the real content: templates are fresh, every language is whole, and no word is misspelt."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit.language import translate
from kit.language.locale import Locale, languages
from kit.language.spelling import misspelt

CONTENT = Path(__file__).resolve().parents[2] / "content"
DOMAINS = translate.domains(CONTENT)


def test_there_is_english_and_swedish() -> None:
    assert languages(CONTENT)[0] == "en" and "sv" in languages(CONTENT)


def test_the_templates_are_fresh() -> None:
    assert len(translate.check(CONTENT)) == len(DOMAINS)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("code", languages(CONTENT))
def test_a_language_is_whole(code: str, domain: str) -> None:
    Locale.load(CONTENT, code, None if domain == "kit" else domain)


@pytest.mark.parametrize("code", languages(CONTENT))
def test_nothing_is_misspelt(code: str) -> None:
    assert [str(fault) for fault in misspelt(CONTENT, code, DOMAINS)] == []
