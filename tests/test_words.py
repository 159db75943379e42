"""No word lies about unused: what stands in a words.toml is asked for somewhere in the code or the templates."""

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from kit.practice import codes

ROOT = Path(__file__).resolve().parent.parent
KEY = re.compile(r"[a-z_]+(\.[\w-]+)+")
BEGUN = re.compile(r"[a-z_]+\.")


def asked_for() -> Iterator[str]:
    """A pattern for every string of the code, and every word of a template, that could be the key of a word."""
    for path in (ROOT / "kit").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Constant(value=str(text)) if KEY.fullmatch(text):
                    yield re.escape(text)
                case ast.JoinedStr(values=[ast.Constant(value=str(text)), *rest]) if BEGUN.match(text):
                    more = (re.escape(part.value) if isinstance(part, ast.Constant) else ".+" for part in rest)
                    yield re.escape(text) + "".join(more)
    for path in (ROOT / "templates").glob("*.html"):
        for text, joined in re.findall(r'\b(?:word|own)\("([^"]+)"( ~)?', path.read_text("utf-8")):
            yield re.escape(text) + (".+" if joined else "")


def keys(words: dict[str, Any], before: str = "") -> Iterator[str]:
    for name, value in words.items():
        if isinstance(value, dict) and "other" not in value:
            yield from keys(value, f"{before}{name}.")
        else:
            yield before + name


@pytest.mark.parametrize("file", sorted((ROOT / "content").rglob("words.toml")), ids=lambda path: path.parent.name)
def test_every_word_is_asked_for(file: Path) -> None:
    asked = re.compile("|".join(set(asked_for())))
    unused = [key for key in keys(tomllib.loads(file.read_text("utf-8"))) if not asked.fullmatch(key)]
    assert not unused, f"nobody asks for {', '.join(unused)}"


@pytest.mark.parametrize("game", codes.GAMES)
def test_practice_has_a_sentence_for_each_reason_and_prompt_and_no_other(game: str) -> None:
    """That the slots are facts, and that every language has the sentence, is checked when they are read."""
    maker = import_module(f"kit.practice.{game}")
    words = tomllib.loads((ROOT / "content" / game / "words.toml").read_text("utf-8"))
    assert set(words["reason"]) == set(maker.REASONS)
    assert set(words["prompt"]) == set(maker.PROMPTS)
