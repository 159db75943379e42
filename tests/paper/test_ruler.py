"""Rulers that are true, the ruler page, and the pages that find the back offset."""

import pytest

from kit.faults import Fault
from kit.paper import ruler
from kit.paper.drawing import Drawing
from kit.paper.sizes import BANK_CARD, PAPERS
from tests.paper.drawn import Seen, drawn, offset_pages, ruler_page


@pytest.mark.parametrize("turn", [0, 90, 270])
def test_a_strip_is_true_however_it_is_turned(turn: int) -> None:
    sheet = Drawing(120, 120)
    sheet.place(ruler.ruler_strip(), 7, 9, turn=turn)
    seen = Seen(drawn(sheet))
    boxes = ruler.strip_boxes(1, 7, 9, turn)
    assert sorted(max(box.width, box.height) for box in boxes) == [100, 101.6]
    assert all(seen.has(box, 0.01) for box in boxes)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_ruler_page_has_true_bars_both_ways_and_a_bank_card(paper: str) -> None:
    made = ruler_page(paper)
    seen = Seen(made.pdf)
    assert all(seen.has(box) for box in made.expect.boxes)
    bars = sorted((round(b.width, 1), round(b.height, 1)) for b in made.expect.boxes if b.what == "ruler")
    assert bars == [(3.0, 100.0), (3.0, 101.6), (100.0, 3.0), (101.6, 3.0)]
    card = next(box for box in made.expect.boxes if box.what == "bank-card")
    assert (card.width, card.height) == tuple(BANK_CARD) == (85.60, 53.98)
    assert "Lägg ett bankkort på ramen." in seen.text(1, card)
    assert "Avsnitt 3" in seen.text(1)


def test_the_ruler_page_sets_more_words_smaller_and_refuses_too_many() -> None:
    sizes = [max(c["size"] for c in Seen(ruler_page("a4", n).pdf).pages[0].chars if c["text"] == "Å") for n in (2, 7)]
    assert sizes[1] < sizes[0]
    with pytest.raises(Fault, match="too long"):
        ruler_page("letter", 30)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("base", [(0.0, 0.0), (1.5, -0.5)])
def test_the_square_that_fills_its_frame_names_the_offset(paper: str, base: tuple[float, float]) -> None:
    """A printer that is off by (-a, -b) brings exactly one square to the middle of its frame: that of (a, b)."""
    made = offset_pages(paper, base)
    seen = Seen(made.pdf)
    assert all(seen.has(box) for box in made.expect.boxes)
    middle = lambda b: (b.x + b.width / 2, b.y + b.height / 2)  # noqa: E731
    frames = [middle(b) for b in made.expect.boxes if b.what == "frame"]
    squares = [middle(b) for b in made.expect.boxes if b.what == "square"]
    assert len(frames) == len(squares) == 25 and made.expect.duplex == "long-edge"
    steps = [(x, y) for y in ruler.offset_steps(base[1]) for x in ruler.offset_steps(base[0])]
    for wanted in steps:
        fitting = [
            step
            for step, (fx, fy), (sx, sy) in zip(steps, frames, squares, strict=True)
            if abs(PAPERS[paper].width - (sx - wanted[0]) - fx) + abs(sy - wanted[1] - fy) < 0.01
        ]
        assert fitting == [wanted]


def test_offset_steps_are_half_a_millimetre() -> None:
    assert ruler.offset_steps() == (-1.0, -0.5, 0.0, 0.5, 1.0)
    assert ruler.offset_steps(2.0) == (1.0, 1.5, 2.0, 2.5, 3.0)
