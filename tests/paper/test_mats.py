"""Mats: real card places, parted between them, never scaled down."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kit.faults import Fault
from kit.paper import mats
from kit.paper.proof import prove
from kit.paper.sizes import CARDS, DEAD_MARGIN, PAPERS, Size
from tests.paper.drawn import EVERY, Seen, raster, row_mat


@pytest.mark.parametrize(("paper", "card"), EVERY)
def test_the_row_mat_has_sixteen_true_places_on_as_few_sheets_as_asked(paper: str, card: str) -> None:
    made = row_mat(paper, card)
    assert made.expect.pages == (1 if card == "mini" else 2)
    places = [box for box in made.expect.boxes if box.what == "place"]
    strips = [box for box in made.expect.boxes if box.what == "strip"]
    assert len(places) == 16 and len(strips) == 4
    assert {(b.width, b.height) for b in places} == {tuple(CARDS[card])}
    assert all(strip.width < CARDS[card].width / 4 for strip in strips)
    assert [box.label for box in places if box.label] == ["Rad 1", "Rad 2", "Rad 3", "Rad 4"]
    seen = Seen(made.pdf)
    for box in made.expect.boxes:
        assert seen.has(box), box
        if box.label:
            assert box.label in seen.text(box.page, box)


@pytest.mark.parametrize(("paper", "card"), EVERY)
def test_there_is_a_ruler_in_both_directions_on_every_sheet(paper: str, card: str) -> None:
    made = row_mat(paper, card)
    for page in range(1, (made.expect.pages or 0) + 1):
        rulers = [box for box in made.expect.boxes if box.what == "ruler" and box.page == page]
        lengths = sorted((round(box.width, 1), round(box.height, 1)) for box in rulers)
        assert lengths == [(0.7, 100.0), (0.7, 101.6), (100.0, 0.7), (101.6, 0.7)]


@pytest.mark.parametrize(("paper", "card"), EVERY)
def test_the_dead_margin_stays_bare(paper: str, card: str) -> None:
    made = row_mat(paper, card, plan="Så läggs arken")
    for page in range(1, (made.expect.pages or 0) + 1):
        picture = raster(made.pdf, page, 127)
        inset = round(DEAD_MARGIN * 5) - 1
        picture.paste(255, (inset, inset, picture.width - inset, picture.height - inset))
        assert min(picture.tobytes()) > 250, page


def test_the_sheets_meet_in_one_line_and_their_half_arrows_in_lozenges() -> None:
    made = row_mat("a4", "poker")
    boxes = made.expect.boxes
    lower = [b for b in boxes if b.page == 1 and b.what == "place"]
    upper = [b for b in boxes if b.page == 2 and b.what == "place"]
    assert {round(b.x, 6) for b in lower} == {round(b.x, 6) for b in upper}
    seen = Seen(made.pdf)
    arrows = [sorted(round((c["x0"] + c["x1"]) / 2, 1) for c in page.curves if c["fill"]) for page in seen.pages]
    assert len(arrows[0]) == 3 and arrows[0] == arrows[1]
    assert "klistra här" in seen.text(1) and "klipp här" in seen.text(2)


def test_an_assembly_picture_numbers_the_sheets_and_can_have_a_page() -> None:
    made = row_mat("letter", "poker", plan="Så läggs arken")
    seen = Seen(made.pdf)
    assert len(seen.pages) == 3
    assert seen.text(1) == "Så läggs arken12"
    assert all(seen.text(page).startswith("12") for page in (2, 3))


def _grid(card: Size, columns: int, rows: int, gap: float) -> mats.Mat:
    places = tuple(
        mats.Place(c * (card.width + gap), r * (card.height + gap), *card) for r in range(rows) for c in range(columns)
    )
    return mats.Mat(columns * (card.width + gap) - gap, rows * (card.height + gap) - gap, places)


@given(
    st.sampled_from(list(CARDS)), st.integers(1, 7), st.integers(1, 7), st.floats(0, 12), st.sampled_from(list(PAPERS))
)
def test_parts_hold_whole_places_and_fit_the_paper(card: str, columns: int, rows: int, gap: float, paper: str) -> None:
    mat = _grid(CARDS[card], columns, rows, gap)
    tiles = mats.tiling(mat, PAPERS[paper])
    for cuts, spans in (
        (tiles.xs, [(p.x, p.x + p.width) for p in mat.places]),
        (tiles.ys, [(p.y, p.y + p.height) for p in mat.places]),
    ):
        assert all(a < b for a, b in pairwise(cuts))
        assert not any(start + 1e-6 < cut < end - 1e-6 for cut in cuts for start, end in spans)
    assert max(b - a for a, b in pairwise(tiles.xs)) <= tiles.paper.width - 2 * DEAD_MARGIN
    assert max(b - a for a, b in pairwise(tiles.ys)) <= tiles.paper.height - 2 * DEAD_MARGIN


@given(st.integers(1, 5), st.integers(1, 5), st.sampled_from(list(PAPERS)))
def test_no_other_way_to_lay_whole_cards_takes_fewer_sheets(columns: int, rows: int, paper: str) -> None:
    """Counted by hand: how many columns and rows of poker cards one sheet holds, upright or across."""
    gap, card = 2.0, CARDS["poker"]
    assume(columns * rows > 1)
    fewest = 10_000
    for sheet in (PAPERS[paper], PAPERS[paper].turned):
        wide = int((sheet.width - 10 - 4.7 + gap) / (card.width + gap))
        high = int((sheet.height - 10 - 9.4 + gap) / (card.height + gap))
        fewest = min(fewest, -(-columns // wide) * -(-rows // high))
    # A joint lies in the middle of a gap, so a part is a little larger than its places.
    assert fewest <= mats.tiling(_grid(card, columns, rows, gap), PAPERS[paper]).count <= 2 * fewest


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("card", "side", "sheets"), [("poker", 5, 4), ("poker", 4, 2), ("mini", 5, 2), ("mini", 4, 1)])
def test_square_grids_take_as_few_sheets_as_they_can_and_pass_the_proof(
    paper: str, card: str, side: int, sheets: int
) -> None:
    mat = _grid(CARDS[card], side, side, 1.0)
    assert mats.tiling(mat, PAPERS[paper]).count == sheets
    words = mats.MatWords(
        "t", "100 %", tuple(f"ark {n + 1}" for n in range(sheets)), "klipp här", "klistra här", "Plan"
    )
    made = mats.mat_sheets(mat, PAPERS[paper], words, lang="sv")
    assert sum(box.what == "place" for box in made.expect.boxes) == side * side
    assert {row.state for row in prove(made.pdf, made.expect).rows} == {"ok"}
    if sheets > 1:  # each joint says what to do: on a tab, beside the line, or in the sheet's own words
        said = [Seen(made.pdf).text(page) for page in range(2, sheets + 2)]
        assert all("klistra" in text or "klipp" in text for text in said)


def test_a_mat_that_cannot_be_parted_is_refused_and_never_made_smaller() -> None:
    whole = mats.Mat(400, 100, (mats.Place(0, 0, 400, 100),))
    with pytest.raises(Fault, match="cannot be parted"):
        mats.tiling(whole, PAPERS["a4"])
    # Places in brickwork leave no line between them.
    brick = mats.Mat(
        400, 130, tuple(mats.Place(x + 40 * (y > 0), y, 63.5, 60) for y in (0, 64) for x in (0, 66, 132, 198, 264))
    )
    with pytest.raises(Fault, match="cannot be parted"):
        mats.tiling(brick, PAPERS["letter"])


def test_a_word_that_does_not_fit_is_refused() -> None:
    mat = mats.row_mat(CARDS["mini"], PAPERS["a4"], ["Rad 1"], 4, "mycket lång text " * 8)
    with pytest.raises(Fault, match="mm wide"):
        mats.mat_sheets(mat, PAPERS["a4"], mats.MatWords("t", "100 %", ("ark 1",)), lang="sv")
