"""Saddle stitch: which page lies where, and that nothing is scaled, told from the finished PDF."""

from __future__ import annotations

import io

import pikepdf
import pytest

from kit.faults import Fault
from kit.paper import flow, fonts, proof, reading
from kit.paper.expect import Made
from kit.paper.imposition import order, padded, saddle
from kit.paper.reading import Content
from kit.paper.sizes import PAPERS, Size

CSS = f"""html {{ font-family: {fonts.TEXT} }} body {{ margin: 0 }} p {{ break-after: page; margin: 0 }}
@page {{ margin: 15mm }}"""


def booklet(count: int, paper: str = "a4", lang: str = "sv") -> Made:
    box = "<div style='border: 0.2mm solid; width: 50mm; height: 40mm'>"
    body = "".join(f"<p>Page{number}</p>" for number in range(1, count)) + f"<div>Page{count}{box}box</div></div>"
    return flow.render(body, CSS, size=PAPERS[paper].half, lang=lang, title="Häfte")


def notes(paper: str = "a4") -> Made:
    return flow.render("<div>Notes</div>", CSS, size=PAPERS[paper].half, lang="sv", title="Anteckningar")


def read(made: Made) -> list[Content]:
    with pikepdf.open(io.BytesIO(made.pdf)) as pdf:
        return list(reading.pages(pdf))


def words(content: Content) -> list[str]:
    return [text.text for text in sorted(content.texts, key=lambda text: text.rect.left)]


@pytest.mark.parametrize("sheets", range(1, 12))
def test_folding_the_sheets_gives_the_pages_in_order(sheets: int) -> None:
    sides = order(4 * sheets)
    right = [side[1] for side in sides[::2]] + [side[1] for side in reversed(sides[1::2])]
    front_to_back = [page for front, back in zip(sides[::2], sides[1::2], strict=True) for page in (front[1], back[0])]
    back_to_front = [page for front, back in zip(sides[::2], sides[1::2], strict=True) for page in (front[0], back[1])]
    assert front_to_back + back_to_front[::-1] == list(range(1, 4 * sheets + 1))
    assert len(set(right)) == 2 * sheets


@pytest.mark.parametrize(
    ("count", "pages"),
    [
        (1, [1, None, None, None]),
        (2, [1, None, None, 2]),
        (4, [1, 2, 3, 4]),
        (5, [1, 2, 3, 4, None, None, None, 5]),
        (7, [1, 2, 3, 4, 5, 6, None, 7]),
    ],
)
def test_notes_fill_up_before_the_back_cover(count: int, pages: list[int | None]) -> None:
    assert padded(count) == pages


def test_the_finished_sheets() -> None:
    made = saddle(booklet(6), PAPERS["a4"], title="Häfte för duplex", notes=notes())
    assert [words(content) for content in read(made)] == [
        ["Page6", "box", "Page1"], ["Page2", "Notes"], ["Notes", "Page3"], ["Page4", "Page5"],
    ]  # fmt: skip
    report = proof.prove(made.pdf, made.expect)
    assert (report.pages, made.expect.duplex, made.expect.lang) == (4, "short-edge", "sv")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_nothing_is_scaled_and_the_fold_is_the_middle(paper: str) -> None:
    single = booklet(4, paper)
    (alone,) = (content for content in read(single) if any(text.text == "box" for text in content.texts))
    sheet = read(saddle(single, PAPERS[paper], title="x"))[0]
    half, full = PAPERS[paper].half, PAPERS[paper].turned
    assert (sheet.width, sheet.height) == pytest.approx(full, abs=0.001)
    for one, placed in zip(alone.fills, sheet.fills, strict=True):
        assert placed.rect.width == pytest.approx(one.rect.width, abs=0.001)
        assert placed.rect.height == pytest.approx(one.rect.height, abs=0.001)
        assert placed.rect.left - one.rect.left == pytest.approx(full.width / 2 - half.width, abs=0.001)
        assert placed.rect.top - one.rect.top == pytest.approx((full.height - half.height) / 2, abs=0.001)
    first = next(text for text in sheet.texts if text.text == "Page1")
    assert first.rect.left == pytest.approx(full.width / 2 + 15, abs=0.2)


def test_two_a5_are_a_millimetre_narrower_than_the_sheet() -> None:
    narrow = flow.render("<div>Page1</div>", CSS, size=Size(148, 210), lang="sv", title="x")
    text = read(saddle(narrow, PAPERS["a4"], title="x"))[0].texts[0]
    assert text.rect.left == pytest.approx(148.5 + 15, abs=0.2)


def test_creep_moves_inner_sheets_towards_the_fold() -> None:
    plain, crept = (read(saddle(booklet(8), PAPERS["a4"], title="x", creep=creep)) for creep in (0, 0.3))
    for number, by in enumerate((0, 0, 0.3, 0.3)):
        for one, other in zip(plain[number].texts, crept[number].texts, strict=True):
            moved = by if one.rect.left < 148.5 else -by
            assert other.rect.left - one.rect.left == pytest.approx(moved, abs=0.001)


def test_marks_stand_on_the_fold_outside_the_dead_margin() -> None:
    made = saddle(booklet(4), PAPERS["a4"], title="x", margin=7)
    proof.prove(made.pdf, made.expect, 6.95)
    ticks = [edge for edge in read(made)[0].upright if edge.at == pytest.approx(148.5, abs=0.001)]
    assert sorted(round(edge.start) for edge in ticks) == [7, 199]
    unmarked = read(saddle(booklet(4), PAPERS["a4"], title="x", marks=False))[0]
    assert not [edge for edge in unmarked.upright if edge.at == pytest.approx(148.5, abs=0.01)]


def test_the_same_bytes_each_time() -> None:
    single, blank = booklet(5), notes()
    assert saddle(single, PAPERS["a4"], title="x", notes=blank) == saddle(single, PAPERS["a4"], title="x", notes=blank)


def test_pages_that_do_not_fit_are_not_shrunk() -> None:
    with pytest.raises(Fault, match="do not fit"):
        saddle(booklet(4, "letter"), PAPERS["a4"], title="x")
