"""CascadeBeta in print: its examples, words, tables, mats and sheets agree with the engine."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pdfplumber
import pytest

from kit.games import cascadebeta as game
from kit.games.core import Event, IllegalMove, Stream
from kit.language.locale import Locale
from kit.paper import mats
from kit.paper.sizes import CARDS, PAPERS
from kit.publish import examples, kits, story
from kit.publish.kits import Kit
from kit.publish.tables import cascadebeta as table
from tests.publish.conftest import ROOT

CONTENT = ROOT / "content"
LANGUAGES = ("en", "sv")
EXAMPLES = ("chain", "cover-from-discard", "cover-from-draw", "gap", "repetition", "win")
ACCENT = "#6B2D5C"
KINDS = set(re.findall(r'event\("[\w-]+", "(\w+)"', Path(game.__file__).read_text("utf-8"))) | {
    "throw", "throw_back", "cover", "cover_equal"
}  # fmt: skip


@pytest.fixture(scope="module")
def loaded() -> Kit:
    return kits.load(CONTENT, "cascadebeta")


@pytest.fixture(scope="module", params=LANGUAGES)
def locale(request: pytest.FixtureRequest) -> Locale:
    return Locale.load(CONTENT, request.param, "cascadebeta")


def random_game(code: str, players: int, size: int, turns: int) -> tuple[list[game.Position], list[Event]]:
    """A game by chance that likes to place: positions and all events."""
    stream = Stream(code)
    position = game.deal(stream.shuffled(game.DECK), players, size)
    positions, events = [position], []
    while position.phase != "over" and len(positions) < turns:
        moves = list(position.legal())
        places = [move for move in moves if isinstance(move, game.Place)]
        position, happened = position.play(stream.choice(places or moves))
        positions.append(position)
        events += happened
    return positions, events


def test_the_examples_are_those_of_the_booklet(loaded: Kit) -> None:
    assert examples.names(CONTENT, "cascadebeta") == EXAMPLES
    text = (CONTENT / "cascadebeta/rules.md").read_text("utf-8")
    assert sorted(re.findall(r"\{example:([\w-]+)\}", text)) == sorted(EXAMPLES)
    for name in EXAMPLES:
        assert examples.load(CONTENT, loaded, name).events


def test_every_kind_of_event_has_a_sentence(locale: Locale) -> None:
    words = {key.removeprefix("event.") for key in locale.sources["cascadebeta"] if key.startswith("event.")}
    assert words == KINDS


@pytest.mark.parametrize(("players", "size"), [(2, 4), (3, 4), (2, 5)])
def test_whole_games_can_be_told(locale: Locale, players: int, size: int) -> None:
    told: set[str] = set()
    for n in range(6):
        _, events = random_game(f"told-{n}", players, size, 400)
        for line in story.tell(locale, table, tuple(events)):  # type: ignore[arg-type]
            assert line.text.strip() and not re.search(r"[{}]|\.\.", line.text + line.quiet)
        told |= {event.kind for event in events}
    assert {"arrange", "first_turn", "draw", "take", "place", "cover", "another_turn"} <= told


def test_the_story_of_each_example_marks_what_the_picture_marks(loaded: Kit, locale: Locale) -> None:
    for name in EXAMPLES:
        shown = examples.load(CONTENT, loaded, name)
        events = tuple(event for happened in shown.events for event in happened)
        lines = story.tell(locale, loaded.table, events)
        picture = loaded.table.after(locale, shown.positions[-1], events, ACCENT)
        for line in lines:
            assert not line.mark or f">{line.mark}<" in picture, (name, line)
        assert sum(bool(line.mark) for line in lines) == len(table.marks(events))
        assert loaded.table.before(locale, shown.positions[0], events, ACCENT).startswith("<svg")
        assert loaded.table.caption(locale, events)


def test_a_7_covers_a_7_from_the_draw_pile_alone(loaded: Kit) -> None:
    allowed = examples.load(CONTENT, loaded, "cover-from-draw")
    assert [event.kind for event in allowed.events[1]] == ["cover_equal", "another_turn"]
    refused = examples.load(CONTENT, loaded, "cover-from-discard")
    assert allowed.positions[0].grids == refused.positions[0].grids  # type: ignore[attr-defined]
    taken = refused.positions[1]
    for cell in ((2, 3), (3, 2)):
        with pytest.raises(IllegalMove) as fault:
            taken.play(game.Place(*cell))
        assert fault.value.rule == "CB-9"
    events = tuple(event for happened in refused.events for event in happened)
    assert table.closed(refused.positions[0].grids[0], events) == ("7h", [(2, 3), (3, 2)])  # type: ignore[attr-defined]


def test_only_an_equal_fits_the_gap(loaded: Kit) -> None:
    grid = examples.load(CONTENT, loaded, "gap").positions[0].grids[0]  # type: ignore[attr-defined]
    fitting = {card[0] for card in game.DECK if game.open_cells(grid, card, "discard") >> 1 & 1}
    assert fitting == {"3"}


def test_the_chain_has_three_other_turns_and_the_repetition_ends_at_the_third(loaded: Kit) -> None:
    chain = [event for happened in examples.load(CONTENT, loaded, "chain").events for event in happened]
    assert [event.kind for event in chain].count("another_turn") == 3
    repetition = examples.load(CONTENT, loaded, "repetition")
    events = [event for happened in repetition.events for event in happened]
    assert [event.facts["times"] for event in events if event.kind == "repeated"][-1] == game.TIMES
    # As the text says, no card that is left fits a free cell.
    last = repetition.positions[-1]
    for grid in last.grids:  # type: ignore[attr-defined]
        free = [place for place, card in enumerate(grid) if card == game.EMPTY]
        for card in last.discard:  # type: ignore[attr-defined]
            assert not any(game.open_cells(grid, card, "discard") >> place & 1 for place in free)


def test_the_table_of_set_ups_has_the_engines_numbers(locale: Locale) -> None:
    html = table.setups(locale, ACCENT)
    rows = re.findall(r"<tr><td>(\d)</td><td>(\d) × \d</td><td>(\d)</td><td>(\d+)</td></tr>", html)
    wanted = {(p, s, s, game.draw_size(p, s)) for p in game.PLAYERS for s in game.sizes(p)}
    assert {tuple(map(int, row)) for row in rows} == wanted and len(rows) == len(wanted)


def test_the_set_up_picture_shows_a_position_that_can_be(locale: Locale) -> None:
    position = game.position_from_text(table.SETUP)
    assert len(position.draw) == game.draw_size(2, 4)
    assert all(game.empty_cells(grid) == 12 for grid in position.grids)
    assert f": {len(position.draw)}<" in table.setup(locale, ACCENT)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("card", "small", "large"), [("mini", 1, 2), ("poker", 2, 4)])
def test_the_mats_take_the_sheets_that_were_promised(paper: str, card: str, small: int, large: int) -> None:
    locale = Locale.load(CONTENT, "sv", "cascadebeta")
    made = table.mats(locale, CARDS[card], PAPERS[paper], ACCENT)
    for size, count in ((4, small), (5, large)):
        mat = made[f"{size}x{size}"]
        assert mats.tiling(mat, PAPERS[paper]).count == count
        assert len(mat.places) == size**2
        assert {(place.width, place.height) for place in mat.places} == {tuple(CARDS[card])}
        assert sum(bool(place.label) for place in mat.places) == size  # the diagonal


def test_the_deck_is_52_cards_in_the_letters_of_the_language(locale: Locale) -> None:
    faces = table.cards(locale, CARDS["poker"], ACCENT)
    assert tuple(faces) == game.DECK
    labels = [face.label for face in faces.values()]
    assert len(set(labels)) == 52
    assert labels[10] == ("Kn♠" if locale.code == "sv" else "J♠")


# The tips that the booklet calls certain


def grids_of_chance() -> list[game.Cards]:
    return [
        grid
        for n in range(30)
        for size in game.SIZES
        for position in random_game(f"tips-{n}", 2, size, 60)[0][2::7]
        for grid in position.grids
    ]


def fits(grid: game.Cards, row: int, column: int) -> set[int]:
    """The values of the cards that may go in a cell, counted from 0."""
    place = row * game.side(grid) + column
    return {game.VALUES[card[0]] for card in game.DECK if game.open_cells(grid, card, "draw") >> place & 1}


def test_what_the_tips_say_of_the_diagonal() -> None:
    falls = equals = 0
    for grid in grids_of_chance():
        values = [game.VALUES[card[0]] for card in game.diagonal(grid)]
        for first, low in enumerate(values):
            for later in range(first + 1, len(values)):
                cells = (fits(grid, first, later), fits(grid, later, first))
                assert all(low <= value <= values[later] for cell in cells for value in cell)
                if low > values[later]:
                    falls += 1
                    assert cells == (set(), set())
                if low == values[later]:
                    equals += 1
                    assert cells[0] <= {low} and cells[1] <= {low}
    assert falls > 50 and equals > 10


def test_an_ace_and_a_king_in_the_corners_forbid_nothing() -> None:
    for size in game.SIZES:
        grid = ["As", *[game.EMPTY] * (size**2 - 2), "Ks"]
        cells = [(row, column) for row in range(size) for column in range(size)][1:-1]
        assert all(fits(tuple(grid), *cell) == set(range(1, 14)) for cell in cells)


def test_a_rank_already_held_can_always_be_laid_and_cells_stay_filled() -> None:
    for grid in grids_of_chance():
        for place, card in enumerate(grid):
            if card != game.EMPTY:
                other = next(c for c in game.DECK if c[0] == card[0] and c != card)
                assert game.open_cells(grid, other, "draw") >> place & 1
    for n in range(10):
        for before, after in pairwise(random_game(f"filled-{n}", 3, 4, 300)[0]):
            assert all(
                game.empty_cells(new) <= game.empty_cells(old) or old == new
                for old, new in zip(before.grids, after.grids, strict=True)
            )


# What was built


def test_the_files_have_the_pages_they_should(manifest: dict[str, Any]) -> None:
    for lang in LANGUAGES:
        for paper in PAPERS:
            folder = f"{lang}/{paper}/cascadebeta"
            pages = {
                path.removeprefix(f"{folder}/").removesuffix(".pdf"): entry["pages"]
                for path, entry in manifest["files"].items()
                if path.startswith(folder) and path.endswith(".pdf")
            }
            assert pages.pop("booklet") <= 16 and pages.pop("booklet-imposed") == 8
            wanted = {"summary": 1, "score": 1, "mat-4x4-poker": 2, "mat-5x5-poker": 4}
            assert {name: pages[name] for name in wanted} == wanted


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
def test_the_game_log_has_room_to_write(kits: Path, lang: str, paper: str) -> None:
    with pdfplumber.open(kits / f"{lang}/{paper}/cascadebeta/score.pdf") as pdf:
        (page,) = pdf.pages
        cells = [cell for found in page.find_tables() for row in found.rows for cell in row.cells if cell]
        wide = [cell for cell in cells if cell[2] - cell[0] > 14 * 72 / 25.4 and cell[3] - cell[1] > 8 * 72 / 25.4]
    assert len(wide) >= table.GAMES * 6
