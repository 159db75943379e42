"""The completeness law: what every registered game has, and the list of what is not yet made, which only shrinks."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kit.catalogue import GAMES, game
from kit.language import markdown
from kit.language.locale import Locale, languages
from kit.publish import coverage, kits
from tests import playthrough
from tests.template.kit.games import highcard

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"
TEMPLATE = ROOT / "tests" / "template"
LANGUAGES = languages(CONTENT)

# What a game is made of: the files of each part, below the root, of which at least so many are there.
PARTS: dict[str, tuple[str, int]] = {
    "engine": ("kit/games/{game}.py", 1),
    "tests": ("tests/games/test_{game}.py", 1),
    "traces": ("tests/games/vectors/{game}.jsonl.gz", 1),
    "perft": ("tests/golden/perft/{game}.perft", 1),
    "playthroughs": ("tests/golden/playthroughs/{game}-*.txt", 3),
    "reference": ("kit/reference/{game}.py", 1),
    "kit": ("content/{game}/game.toml", 1),
    "rules": ("content/{game}/rules.md", 1),
    **{f"rules in {lang}": (f"content/locale/{lang}/LC_MESSAGES/{{game}}.po", 1) for lang in LANGUAGES if lang != "en"},
    "examples": ("content/{game}/examples/*.toml", 3),
    "table": ("kit/publish/tables/{game}.py", 1),
    "practice": ("kit/practice/{game}.py", 1),
    "problems": ("tests/practice/golden/{game}-*.json", 3),
}

# Parts not yet made. Whoever makes one takes it out: a part that is there may not be listed.
NOT_YET: dict[str, set[str]] = {}
# What whoever copies the template has yet to make.
TO_BE_MADE = {*PARTS} - {"engine", "tests", "kit", "rules"}


def made(root: Path, name: str) -> set[str]:
    return {part for part, (files, least) in PARTS.items() if len(list(root.glob(files.format(game=name)))) >= least}


def test_the_catalogue_names_every_engine_and_no_other() -> None:
    shared = {"__init__", "core", "record", "playing"}
    assert {path.stem for path in (ROOT / "kit" / "games").glob("*.py")} - shared == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_every_part_but_those_not_yet_made(name: str) -> None:
    lacks, listed = {*PARTS} - made(ROOT, name), NOT_YET.get(name, set())
    assert not lacks - listed, f"{name} lacks {', '.join(sorted(lacks - listed))}"
    there = listed - lacks
    assert not there, f"{', '.join(sorted(there))} of {name} is there: take it out of NOT_YET"


def test_the_list_is_of_games_and_parts() -> None:
    assert set(NOT_YET) <= set(GAMES)
    assert all(parts <= set(PARTS) for parts in NOT_YET.values())


@pytest.mark.parametrize("name", kits.names(CONTENT))
def test_a_kit_has_an_engine_and_rules_in_every_language(name: str) -> None:
    kit = kits.load(CONTENT, name)
    for lang in LANGUAGES:
        _rules_of(CONTENT, lang, name, tuple(rule.id for rule in kit.engine.RULES))


def _rules_of(content: Path, lang: str, name: str, known: tuple[str, ...]) -> markdown.Rules:
    """The rules as readers get them; every id has its one home, and no message lacks its translation, else Faults."""
    found = markdown.rules(content, name, Locale.load(content, lang, name), known, lambda slot: slot.kind)
    assert set(found.homes) == set(known)
    return found


def test_a_game_without_its_parts_is_seen(tmp_path: Path) -> None:
    assert made(tmp_path, "chess") == set()
    (tmp_path / "kit" / "games").mkdir(parents=True)
    (tmp_path / "kit" / "games" / "chess.py").touch()
    assert made(tmp_path, "chess") == {"engine"}


# The template: what a newcomer copies. The laws of engines (tests/games/test_laws.py) look at it too.


def test_the_template_says_what_is_yet_to_be_made() -> None:
    assert {*PARTS} - made(TEMPLATE, "highcard") == TO_BE_MADE


def test_the_template_s_rules_have_their_homes_in_its_page(tmp_path: Path) -> None:
    shutil.copytree(CONTENT, tmp_path / "content")
    shutil.copytree(TEMPLATE / "content", tmp_path / "content", dirs_exist_ok=True)
    found = _rules_of(tmp_path / "content", "en", "highcard", tuple(rule.id for rule in highcard.RULES))
    assert found.title == "High card"


def test_the_template_s_rules_are_exercised() -> None:
    marked = {rule for rule, _ in coverage.marks(TEMPLATE / "tests" / "games" / "test_highcard.py")}
    assert marked == {rule.id for rule in highcard.RULES}


def test_the_template_is_told(golden: Callable[[Path, bytes], None]) -> None:
    path = TEMPLATE / "tests" / "golden" / "playthroughs" / "highcard-1.txt"
    golden(path, playthrough.told(highcard, playthrough.read(path.read_text("utf-8"))).encode())


def test_the_template_is_not_published() -> None:
    assert highcard.ID not in GAMES
    with pytest.raises(KeyError):
        game(highcard.ID)
