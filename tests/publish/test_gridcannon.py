"""Gridcannon in print: its examples, words, tables, mats and sheets agree with the engine."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pdfplumber
import pytest

from kit.games import gridcannon as game
from kit.games.core import Event
from kit.language.locale import Locale
from kit.paper import mats
from kit.paper.sizes import CARDS, PAPERS
from kit.practice import make, order
from kit.practice.core import Line, Options, Problem
from kit.publish import examples, kits, story
from kit.publish.kits import Kit
from kit.publish.tables import gridcannon as table
from tests.publish.conftest import ROOT

CONTENT = ROOT / "content"
LANGUAGES = ("en", "sv")
EXAMPLES = (
    "armour",
    "beyond-reach",
    "corner",
    "extraction",
    "king",
    "none-alive",
    "placing",
    "queen",
    "reassignment",
    "won",
)
ACCENT = "#A23B1E"
KINDS = set(re.findall(r'event\(\s*"GC-R?\d+", "(\w+)"', Path(game.__file__).read_text("utf-8")))
MM = 72 / 25.4


@pytest.fixture(scope="module")
def loaded() -> Kit:
    return kits.load(CONTENT, "gridcannon")


@pytest.fixture(scope="module", params=LANGUAGES)
def locale(request: pytest.FixtureRequest) -> Locale:
    return Locale.load(CONTENT, request.param, "gridcannon")


def events_of(loaded: Kit, name: str) -> tuple[Event, ...]:
    return tuple(event for happened in examples.load(CONTENT, loaded, name).events for event in happened)


def traces() -> Iterator[tuple[Event, ...]]:
    """The events of the recorded games."""
    with gzip.open(ROOT / "tests/games/vectors/gridcannon.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            position = game.position_from_json(record["start"])
            events: list[Event] = []
            for move in record["moves"]:
                position, happened = position.play(game.move_from_text(move))
                events += happened
            yield tuple(events)


def test_the_examples_are_those_of_the_booklet(loaded: Kit) -> None:
    assert examples.names(CONTENT, "gridcannon") == EXAMPLES
    text = (CONTENT / "gridcannon/rules.md").read_text("utf-8")
    assert sorted(re.findall(r"\{example:([\w-]+)\}", text)) == sorted(EXAMPLES)
    shown = {event.rule for name in EXAMPLES for event in events_of(loaded, name)}
    assert {f"GC-{n}" for n in (4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21)} <= shown


def test_the_examples_of_the_source_end_as_it_says(loaded: Kit) -> None:
    """The 5 of clubs fires 9 + 7 at the King; the Queen counts 6, and 16 with a black ten; a King with a 3 has 16."""
    totals = {
        name: [event.facts["total"] for event in events_of(loaded, name) if event.kind == "attack"]
        for name in ("king", "queen")
    }
    assert totals == {"king": [16], "queen": [6, 16]}
    healths = [event.facts["health"] for event in events_of(loaded, "armour") if event.kind == "armour"]
    assert healths == [16]
    (first,) = examples.load(CONTENT, loaded, "king").positions[:1]
    assert {str(move) for move in first.legal()} >= {"place 1 3", "place 2 1", "place 3 1", "place 3 2"}


def test_every_kind_of_event_has_a_sentence(locale: Locale) -> None:
    words = {key.removeprefix("event.") for key in locale.sources["gridcannon"] if key.startswith("event.")}
    assert words == KINDS
    assert {*table.MARKED, *table.QUIET} <= KINDS


def test_whole_games_can_be_told(locale: Locale) -> None:
    told: set[str] = set()
    for events in traces():
        for line in story.tell(locale, table, events):  # type: ignore[arg-type]
            assert line.text.strip() and not re.search(r"[{}]|--|\.\.", line.text + line.quiet), line
        told |= {event.kind for event in events}
    assert told == KINDS


def test_no_sentence_calls_twenty_impossible(locale: Locale) -> None:
    """GC-R1."""
    for message in locale.texts.values():
        assert not re.search(
            r"impossible|omöjlig|unbeatable|obesegrad|oslagbar", " ".join(message or ()), re.IGNORECASE
        )


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_picture_has_the_marks_of_the_story(loaded: Kit, locale: Locale, name: str) -> None:
    shown, events = examples.load(CONTENT, loaded, name), events_of(loaded, name)
    marks = [line.mark for line in story.tell(locale, loaded.table, events) if line.mark]
    assert marks and marks == sorted(marks)
    picture = loaded.table.after(locale, shown.positions[-1], events, ACCENT)
    for mark in marks:
        assert f">{mark}<" in picture
    for event in events:
        if event.kind in ("kill", "holds"):
            where = loaded.table.said(locale, "place", event.facts["place"])["place"]
            assert where in picture.replace("&#x27;", "'")
    assert loaded.table.before(locale, shown.positions[0], events, ACCENT).startswith("<svg")
    assert loaded.table.caption(locale, events)


def test_two_pictures_stand_side_by_side_on_half_letter(loaded: Kit, locale: Locale) -> None:
    shown = examples.load(CONTENT, loaded, "won")
    last = game.position_from_json(game.position_to_json(shown.positions[-1]))  # type: ignore[arg-type]
    drawn = table.table(locale, last, ACCENT)
    assert 2 * drawn.width <= 139.7 - 14 - 12 - 7.5


def test_the_royal_table_is_the_engines(locale: Locale) -> None:
    rows = table.royal_rows(locale)
    assert [int(row[1]) for row in rows] == [11, 12, 13]
    assert [int(row[3]) for row in rows] == [20, 20, 19]
    assert [row[0].rpartition("(")[2] for row in rows] == [f"{locale.rank(rank)})" for rank in "JQK"]
    html = table.royals(locale, ACCENT)
    assert all(f">{cell}</td>" in html for row in rows for cell in row)


def test_cards_are_named_as_on_their_corners(locale: Locale) -> None:
    assert table.named(locale, "Th") == "10♥"
    assert table.named(locale, "Jc") == {"en": "J♣", "sv": "Kn♣"}[locale.code]
    assert table.named(locale, "X2") == "joker ★★"
    deck = table.cards(locale, CARDS["poker"], ACCENT)
    assert tuple(deck) == game.DECK
    assert len({face.label for face in deck.values()}) == len(game.DECK)


def test_the_set_up_is_a_deal_of_the_engine(locale: Locale) -> None:
    position = game.deal([*table.FIRST, *(card for card in game.DECK if card not in table.FIRST)])
    assert (position.waiting, position.ploys, position.phase) == (("Kd", "Jc"), ("Ac",), "setup")
    assert set(table.FIGURES) == {"setup", "lines"}
    assert table.setup(locale, ACCENT).startswith("<svg")


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("card", "sheets", "across"), [("mini", 2, True), ("poker", 4, False), ("bridge", 4, False)])
def test_the_mat_has_a_place_for_every_card_on_as_few_sheets_as_stated(
    locale: Locale, paper: str, card: str, sheets: int, across: bool
) -> None:
    (mat,) = table.mats(locale, CARDS[card], PAPERS[paper], ACCENT).values()
    tiles = mats.tiling(mat, PAPERS[paper])
    assert tiles.count == sheets
    assert (tiles.paper.width > tiles.paper.height) == across
    places = [place for place in mat.places if place.what == "place"]
    assert len(places) == len(game.CELLS) + len(game.PLACES) + len(game.PLOYS) + 1  # and the draw pile
    assert {(place.width, place.height) for place in places} == {tuple(CARDS[card])}
    rows = sorted({place.y for place in mat.places})
    assert len(rows) == 6 and tiles.ys[1] == pytest.approx((rows[2] + CARDS[card].height + rows[3]) / 2)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheets_are_as_long_as_they_should_be(kits: Path, lang: str, paper: str) -> None:
    folder = kits / lang / paper / "gridcannon"
    pages = {}
    for name in ("booklet", "booklet-imposed", "summary", "score", "mat-poker"):
        with pdfplumber.open(folder / f"{name}.pdf") as pdf:
            pages[name] = len(pdf.pages)
    assert 16 <= pages.pop("booklet") <= 24
    assert pages == {"booklet-imposed": 12, "summary": 1, "score": 1, "mat-poker": 4}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_log_has_room_to_write(kits: Path, paper: str) -> None:
    with pdfplumber.open(kits / "sv" / paper / "gridcannon" / "score.pdf") as pdf:
        (page,) = pdf.pages
        (found,) = page.find_tables()
        rows = [row.bbox for row in found.rows]
        columns = sorted({cell[0] for row in found.rows for cell in row.cells if cell})
    heights = [(bottom - top) / MM for _, top, _, bottom in rows]
    assert len(rows) == table.GAMES_LOGGED + 3
    assert min(heights) >= 8
    assert min(b - a for a, b in pairwise(columns)) / MM >= 14


# Practice


def problem(kind: str, level: int, wanted: str) -> Problem:
    """A problem of this kind in whose argument such a reason is."""
    for seed in range(1, 30):
        for found in make(order("gridcannon", kind, level=level, count=8 if kind != "d" else 3, seed=seed)):
            if f'"{wanted}"' in json.dumps(found.to_json()["argument"]):
                return found
    raise AssertionError(f"no problem of {kind} has the reason {wanted}")


def test_armour_is_told_as_the_number_on_the_sheet(locale: Locale) -> None:
    facts = {"royal": "Qd", "place": "T1", "base": 12, "armour": ("2d", "4d"), "health": 18}
    said = story.sentence(locale, table, "reason.armoured", facts)  # type: ignore[arg-type]
    assert re.findall(r"\d+", said) == ["6", "18", "12"]
    royals = tuple(game.Royal("Qd", ("2d", "4d"), False) if place == "T1" else None for place in game.PLACES)
    stacks: game.Stacks = ((),) * len(game.CELLS)
    position = game.Position(stacks, game.room_on(stacks), royals, (), None, (), (), (), game.Options(), "turn")
    label = table.alt(locale, position)
    assert {"en": "armour of 6", "sv": "6 i rustning"}[locale.code] in label
    assert ">+6<" in table.table(locale, position, ACCENT).svg(label)


def test_the_key_says_when_armour_loses_the_game(locale: Locale) -> None:
    found = problem("e", 5, "beyond_reach")
    assert isinstance(found.argument, Options)
    (note,) = [note for o in found.argument.options for note in o.notes if note.key == "beyond_reach"][:1]
    assert note.rule == "GC-17"
    said = story.sentence(locale, table, "reason.beyond_reach", note.facts)  # type: ignore[arg-type]
    assert table.named(locale, note.facts["royal"]) in said and str(note.facts["limit"]) in said


def test_a_near_miss_names_each_card_that_is_laid(locale: Locale) -> None:
    found = problem("d", 1, "attack_short")
    assert isinstance(found.argument, Line)
    for miss in found.argument.near:
        said = table.line(locale, miss.option["moves"], found)
        cards = found.question.position["cards"][: said.count("→")]
        assert cards and all(f"{table.named(locale, card)} →" in said for card in cards)


def test_a_box_is_nearer_to_its_card_than_to_any_other() -> None:
    layout = table.Layout(table.ASKED["c"], below=1.3 * table.TICK)
    (_, first), (_, second) = layout.cell(0), layout.cell(3)
    edge = 0.06 * layout.width  # what a stack's second edge reaches up
    assert second - edge - (first + layout.height + table.OWN + table.TICK) > 1.5 * table.OWN


@pytest.mark.parametrize("kind", "abcdef")
def test_rows_and_columns_are_numbered(locale: Locale, kind: str) -> None:
    (asked,) = make(order("gridcannon", kind, level=1, count=1))
    drawn = str(table.question(locale, asked.question, ACCENT)["table"])
    small = re.findall(rf'fill="{table.GREY}"[^>]*>(\d)<', drawn)
    assert small == ["1", "2", "3"] * 2
