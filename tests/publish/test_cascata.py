"""Cascata in print: its examples, words, tables, pictures, guides and score sheet."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from kit import practice
from kit.games import cascata as game
from kit.language.locale import Locale, languages
from kit.paper import pyramid, sizes, surfaces
from kit.paper.proof import prove
from kit.practice import cascata as maker
from kit.publish import build, examples, kinds, kits, story
from kit.publish.sheet import Context, Folders, Order, Series
from kit.publish.tables import Table
from kit.publish.tables import cascata as table

ROOT = Path(__file__).resolve().parents[2]
CONTENT = ROOT / "content"
FLOWING = ("booklet", "booklet-imposed", "summary", "score")
KIT = kits.load(CONTENT, game.ID)
LANGS = languages(CONTENT)
PAPERS = tuple(sizes.PAPERS)
EXAMPLES = examples.names(CONTENT, game.ID)
ACCENT = KIT.facts.accent


def locale(lang: str) -> Locale:
    return Locale.load(CONTENT, lang, game.ID)


def sheets(lang: str, paper: str, kind: str, card: str = "poker") -> list[Any]:
    """What is made of that kind, proven."""
    folders = Folders(ROOT, CONTENT, ROOT / "templates", ROOT / "output")
    made = []
    for draft in build.plan(folders, Order((game.ID,), (lang,), (paper,), card=card, only=(kind,))):
        for sheet, document in zip(draft.sheets, draft.render(), strict=True):
            report = prove(document.pdf, document.expect, 5.0)
            made.append((sheet, document, report))
    return made


def test_the_examples_show_what_is_asked() -> None:
    shown = {
        rule
        for name in EXAMPLES
        for happened in examples.load(CONTENT, KIT, name).events
        for _, rule in _rules(happened)
    }
    assert len(EXAMPLES) >= 5
    assert {"CA-8", "CA-12", "CA-R1", "CA-16", "CA-17", "CA-18", "CA-19", "CA-20", "CA-R8", "CA-R9"} <= shown


def _rules(happened: Any) -> list[tuple[str, str]]:
    return [(event.kind, event.rule) for event in happened]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_told_and_drawn(lang: str, name: str) -> None:
    words, shown = locale(lang), examples.load(CONTENT, KIT, name)
    events = tuple(event for happened in shown.events for event in happened)
    lines = story.tell(words, table, events)  # type: ignore[arg-type]
    assert sum(bool(line.mark) for line in lines) == sum(event.kind in table.MARKED for event in events)
    for picture in (
        table.before(words, shown.positions[0], events, ACCENT),
        table.after(words, shown.positions[-1], events, ACCENT),
    ):
        width = re.search(r'<svg[^>]* width="([\d.]+)mm"', picture)
        assert width and float(width[1]) <= table.WIDE  # the text of half a Letter page


@pytest.mark.parametrize("lang", LANGS)
def test_every_kind_of_event_has_a_sentence(lang: str) -> None:
    kinds = set(re.findall(r'event\(\s*"?[\w-]*"?,\s*"(\w+)"', Path(game.__file__).read_text("utf-8")))
    kinds |= {"swap", "pair", "triple"}  # whose rule or kind is a variable
    words = locale(lang)
    assert len(kinds) > 15
    for kind in kinds:
        assert f"event.{kind}" in words.sources[game.ID]


@pytest.mark.parametrize("lang", LANGS)
def test_the_tables_are_the_engines(lang: str) -> None:
    cells = re.findall(r"<td[^>]*>([^<]*)", table.deal_table(locale(lang), ACCENT))
    assert cells == [
        str(n)
        for players in game.PLAYERS
        for n in (players, game.ROWS[players], game.pyramid_size(players), game.reserve_size(players))
    ]
    cells = re.findall(r"<td[^>]*>([^<]*)", table.score_table(locale(lang), ACCENT))
    assert [cell.split()[-1] for cell in cells[3::4]] == ["16", "48", "100"]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("card", "rows", "count"), [("poker", 6, 3), ("poker", 7, 4), ("mini", 6, 2), ("mini", 7, 2)])
def test_the_guides_take_as_few_sheets_as_stated(paper: str, card: str, rows: int, count: int) -> None:
    guide = table.mats(locale("en"), sizes.CARDS[card], sizes.PAPERS[paper], ACCENT)[f"rows_{rows}"]
    assert surfaces.count(guide, sizes.PAPERS[paper]) == count


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("card", tuple(sizes.CARDS))
@pytest.mark.parametrize("rows", [6, 7])
def test_every_place_is_whole_on_one_sheet(paper: str, card: str, rows: int) -> None:
    guide = pyramid.Pyramid(sizes.CARDS[card], ("",) * rows)
    parted = pyramid.part(guide, sizes.PAPERS[paper])
    places = [spot[:2] for tile in parted.tiles for spot in tile.spots]
    assert sorted(places) == [place for place in game.PLACES if place[0] <= rows]
    by_place = {spot[:2]: spot for spot in guide.spots(parted.gap)}
    for row, position in places:
        if row > 1:  # half under the row above, and half a place beside it
            over = by_place.get((row - 1, position)) or by_place[row - 1, position - 1]
            own = by_place[row, position]
            assert own.y - over.y == pytest.approx(guide.card.height / 2)
            assert abs(own.x - over.x) == pytest.approx((guide.card.width + parted.gap) / 2)


@pytest.mark.parametrize("card", ["poker", "mini"])
@pytest.mark.parametrize("paper", PAPERS)
def test_guides_and_plan_are_true_to_size(paper: str, card: str) -> None:
    made = sheets("sv", paper, "mat", card) + sheets("sv", paper, "plan", card)
    assert [sheet.name for sheet, _, _ in made] == [f"mat-rows-6-{card}", f"mat-rows-7-{card}", f"plan-{card}"]
    marker = [box for box in made[-1][1].expect.boxes if box.what == "card"]
    assert [(box.width, box.height) for box in marker] == [tuple(sizes.CARDS[card])]
    places = [box for box in made[1][1].expect.boxes if box.what == "place"]
    assert len(places) == game.pyramid_size(3)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("lang", LANGS)
def test_sheets_that_flow(manifest: dict[str, Any], lang: str, paper: str) -> None:
    pages = {name: manifest["files"][f"{lang}/{paper}/cascata/{name}.pdf"]["pages"] for name in FLOWING}
    assert pages["booklet"] <= 20 and pages["booklet-imposed"] == -(-pages["booklet"] // 4) * 2
    assert pages["summary"] == pages["score"] == 1


@pytest.mark.parametrize("paper", PAPERS)
def test_the_deck(paper: str) -> None:
    ((sheet, document, report),) = sheets("sv", paper, "cards")
    assert (sheet.name, report.pages, document.expect.duplex) == ("cards-poker", 6, "simplex")
    boxes = [box for box in document.expect.boxes if box.what == "card"]
    assert len(boxes) == len(game.DECK) and "Kn♠" in {box.label for box in boxes}


def test_a_score_cell_can_be_written_in() -> None:
    css = (ROOT / "templates/score.css").read_text("utf-8")
    height = re.search(r"\.score\.melds td \{ height: ([\d.]+)mm", css)
    assert height and float(height[1]) >= 8
    assert table.score(locale("en"))["lines"] == 10


def context(lang: str, paper: str) -> Context:
    settings = kits.settings(ROOT)
    return Context(CONTENT, ROOT / "templates", settings, KIT, locale(lang), paper, kits.whole(Order(), settings))


WHERE = [*zip("abcdef", [*LANGS] * 3, [*PAPERS, *reversed(PAPERS)] * 2, strict=False)]


@pytest.mark.parametrize(("letter", "lang", "paper"), WHERE)
def test_every_kind_of_practice_is_printed(letter: str, lang: str, paper: str) -> None:
    """The hardest problems, which have the most cards; as many as a page holds, and one more."""
    count = table.PER_PAGE[letter] + 1
    order = practice.order(game.ID, letter, level=5, count=count)
    players, host = kinds.practice_sheets(context(lang, paper), Series(order, 1))
    assert [sheet.audience for draft in (players, host) for sheet in draft.sheets] == ["players", "host"]
    (document,) = players.render()
    assert prove(document.pdf, document.expect, 5.0).pages == 2


@pytest.mark.parametrize("lang", LANGS)
def test_every_reason_and_prompt_of_practice_can_be_said(lang: str) -> None:
    """Whatever a problem may hold, its words are there and their slots are facts."""
    place, cards, spoken = (3, 1), ("8s", "X1"), locale(lang)
    values = {
        **dict.fromkeys(("seat", "victim"), 1),
        **dict.fromkeys(("card", "joker"), "X1"),
        **dict.fromkeys(("cards", "added", "above"), cards),
        **dict.fromkeys(("winners", "seats", "scores", "hand_sizes"), (0, 1)),
        "covers": (place, place),
        "rank": "K",
        "action": {"moves": ["steal 1 2 8d X1"], "met": [["8s", "8h"]]},
        "turn": {"moves": ["swap X1 3 2", "extend 1 8c"], "met": [["Kd"], ["8s", "8h"]]},
        "reading": "CA-R2",
    }
    for room, known in (("reason", maker.REASONS), ("prompt", maker.PROMPTS)):
        for key, slots in known.items():
            facts = {name: values.get(name, 2) for name in slots.facts}
            text = story.sentence(spoken, cast("Table", table), f"{room}.{key}", facts)
            assert text and "{" not in text, key


def test_moves_are_told_by_their_cards() -> None:
    """The numbers of melds change with a theft, and the places of a pyramid's last cards cannot be counted."""
    words = locale("en")
    told = {"moves": ["take 6 3", "steal 1 2 8d X1"], "met": [["2c"], ["8s", "8h"]]}
    assert table.turn_in_words(words, told) == "take the 2♣, then steal 8♠ and 8♥ from Bo with 8♦ and joker"
    told = {"moves": ["swap X1 6 3", "extend 4 9s"], "met": [["X2"], ["9d", "X1"]]}
    assert table.turn_in_words(words, told) == "swap a joker for the other joker, then add 9♠ to 9♦ and joker"
    (problem,) = practice.make(practice.order(game.ID, "f", level=1, count=1))
    alike = replace(problem, answers=tuple(problem.answers) * 2)
    assert table.answer(words, alike) == table.answer(words, problem)


@pytest.mark.parametrize("letter", "cdef")
def test_hands_and_melds_fit_on_their_page(letter: str) -> None:
    """As high as so many problems on a page of Letter allow, and told with the numbers that they bear."""
    highest = {"c": 50.0, "d": 54.0, "e": 47.0, "f": 36.0}[letter]
    for problem in practice.make(practice.order(game.ID, letter, level=5, count=4, seed=3)):
        cards = str(table.question(locale("sv"), problem.question, ACCENT)["cards"])
        height = re.search(r'<svg[^>]* height="([\d.]+)mm"', cards)
        assert height and float(height[1]) <= highest
        numbered = letter != "c" and any(problem.question.position.get("melds", ["f"]))
        assert ("grupp 1 framför" in cards) == numbered


@pytest.mark.parametrize("letter", "ab")
def test_a_box_to_tick_is_large_enough(letter: str) -> None:
    (problem,) = practice.make(practice.order(game.ID, letter, level=5, count=1))
    picture = str(table.question(locale("en"), problem.question, ACCENT)["pyramid"])
    assert table.BOX >= 4 and f'width="{table.BOX:g}"' in picture


def test_a_cell_of_practice_can_be_written_in() -> None:
    css = (ROOT / "templates/practice.css").read_text("utf-8")
    height = re.search(r"\.cells td \{ height: ([\d.]+)mm", css)
    assert height and float(height[1]) >= 8


@pytest.mark.parametrize(
    ("lang", "told", "turn"),
    [
        ("en", "4♠, 4♥ and both jokers", "take the 2♥, then steal 4♠ and 4♥ from Bo with both jokers"),
        ("sv", "4♠, 4♥ och båda jokrarna", "ta 2♥ och stjäl 4♠ och 4♥ från Bo med båda jokrarna"),
    ],
)
def test_two_jokers_are_told_as_both(lang: str, told: str, turn: str) -> None:
    words = locale(lang)
    assert table.listed(words, ["X1", "4s", "X2", "4h"]) == told
    moves = {"moves": ["take 6 2", "steal 1 1 X1 X2"], "met": [["2h"], ["4s", "4h"]]}
    assert table.turn_in_words(words, moves) == turn


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", ["row 5: both jokers", "row 6: 4♠ and joker"]), ("sv", ["rad 5: båda jokrarna", "rad 6: 4♠ och jokern"])],
)
def test_free_cards_are_told_row_by_row(lang: str, told: list[str]) -> None:
    cells: list[list[dict[str, str]]] = [[]] * 4 + [[{"card": "X1"}, {"card": "X2"}], [{"card": "4s"}, {"card": "X1"}]]
    places = [{"row": row, "position": place} for row in (5, 6) for place in (1, 2)]
    assert table._by_row(locale(lang), cells, places) == told
