"""Card sheets: as many as fit, true to 0.05 mm, cut with both ends of every cut in sight, backs behind fronts."""

import os
import subprocess
import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.faults import USAGE, Fault
from kit.paper import cards, sheets
from kit.paper.drawing import Drawing
from kit.paper.sizes import CARDS, DEAD_MARGIN, PAPERS, Size
from tests.paper.drawn import ACCENT, EVERY, Seen, folded, fronts, raster, words

NINE = {("poker", 9), ("poker63", 9), ("bridge", 9), ("mini", 18)}


@pytest.mark.parametrize("paper", PAPERS)
def test_how_many_cards_a_sheet_takes(paper: str) -> None:
    assert {(card, sheets.grid(PAPERS[paper], size).per_sheet) for card, size in CARDS.items()} == NINE
    folds = {card: sheets.fold_grid(PAPERS[paper], size).per_sheet for card, size in CARDS.items()}
    assert folds == {"poker": 4, "poker63": 4, "bridge": 4, "mini": 8}
    poker = sheets.grid(PAPERS[paper], CARDS["poker"])
    assert (poker.sheets(24), poker.sheets(54), poker.sheets(9), poker.sheets(10)) == (3, 6, 1, 2)
    assert poker.block == pytest.approx((190.5, 266.7))
    assert sheets.grid(PAPERS[paper], CARDS["mini"]).block == pytest.approx((190.5, 266.7))


@pytest.mark.parametrize(("paper", "card"), EVERY)
def test_cards_stand_where_they_should_when_others_measure(paper: str, card: str) -> None:
    made = fronts(paper, card, back=cards.back(CARDS[card], ACCENT), back_offset=(0.5, -1.0))
    seen = Seen(made.pdf)
    assert (float(seen.pages[0].width), float(seen.pages[0].height)) == pytest.approx(
        (PAPERS[paper].width * 72 / 25.4, PAPERS[paper].height * 72 / 25.4), abs=0.01
    )
    for box in made.expect.boxes:
        if box.what != "back":  # a frame with round corners is measured in the tests of cards and by the proof
            assert seen.has(box), box
    kinds = [box.what for box in made.expect.boxes]
    sheet_count = sheets.grid(PAPERS[paper], CARDS[card]).sheets(24)
    assert kinds.count("block") == sheet_count and kinds.count("ruler") == 2 * sheet_count
    assert kinds.count("card") == kinds.count("back") == sheet_count * dict(NINE)[card]


@pytest.mark.parametrize(("paper", "card"), EVERY)
@pytest.mark.parametrize("make", [fronts, folded])
def test_every_card_is_there_once_and_shows_its_number(make: object, paper: str, card: str) -> None:
    made = make(paper, card)  # type: ignore[operator]
    seen = Seen(made.pdf)
    labelled = [box for box in made.expect.boxes if box.what == "card" and box.label]
    assert [box.label for box in labelled] == [str(n) for n in range(1, 25)]
    for box in labelled:
        assert seen.text(box.page, box) == box.label * 5


@pytest.mark.parametrize(("paper", "card"), EVERY)
@pytest.mark.parametrize("kind", ["fronts", "backs", "moved", "fold"])
def test_nothing_is_printed_in_the_dead_margin(kind: str, paper: str, card: str) -> None:
    if kind == "fold":
        made = folded(paper, card)
    else:
        offset = (1.0, -1.0) if kind == "moved" else (0.0, 0.0)
        back = None if kind == "fronts" else cards.back(CARDS[card], ACCENT)
        made = fronts(paper, card, 9, back=back, back_offset=offset)
    for page in range(1, (made.expect.pages or 0) + 1):
        picture = raster(made.pdf, page, 127)  # 5 pixels a mm
        inset = round(DEAD_MARGIN * 5) - 1
        picture.paste(255, (inset, inset, picture.width - inset, picture.height - inset))
        assert min(picture.tobytes()) > 250, page


def _ends_in_sight(lines: list[sheets.Segment], piece: tuple[float, float, float, float], at: float, upright: bool,
                   edges: tuple[bool, bool], block: tuple[float, float]) -> None:  # fmt: skip
    """Both ends of the cut at `at` through `piece` bear a mark that lies on the piece.

    Where the piece ends in a cut the mark must reach it; where it ends in the paper's edge, which printers leave bare,
    the mark must stand outside the cards.
    """
    left, top, right, bottom = piece
    low, high = (top, bottom) if upright else (left, right)
    marks = []
    for x1, y1, x2, y2 in lines:
        across = (x1, x2) if upright else (y1, y2)
        along = (y1, y2) if upright else (x1, x2)
        if max(abs(a - at) for a in across) < 1e-9:
            marks.append((max(along[0], low), min(along[1], high)))
    marks = [(a, b) for a, b in marks if b - a > 1.0]  # a shorter one could be overlooked
    for end, paper_edge, sign in ((low, edges[0], 1), (high, edges[1], -1)):
        inner = block[0] if sign == 1 else block[1]
        if paper_edge:
            assert any(sign * a <= sign * inner - 1.0 for a in (m[0] if sign == 1 else m[1] for m in marks)), (
                piece,
                at,
            )
        else:
            assert any(abs((m[0] if sign == 1 else m[1]) - end) < 1e-9 for m in marks), (piece, at)


def _every_piece(xs: list[float], ys: list[float], paper: Size, lines: list[sheets.Segment],
                 top_edges: tuple[float, float] | None = None) -> None:  # fmt: skip
    """Every strip and rest that full straight cuts in any order can leave shows both ends of every cut to come."""
    low_y, high_y = top_edges or (0.0, paper.height)
    across = [(0.0, True), *((x, False) for x in xs), (paper.width, True)]
    down = [(low_y, True), *((y, False) for y in ys), (high_y, top_edges is None)]
    pieces = 0
    for (left, l_edge), (right, r_edge) in product(across, across):
        for (top, t_edge), (bottom, b_edge) in product(down, down):
            if left >= right or top >= bottom:
                continue
            pieces += 1
            piece = (left, top, right, bottom)
            for x in xs:
                if left < x < right:
                    _ends_in_sight(lines, piece, x, True, (t_edge, b_edge), (ys[0], ys[-1]))
            for y in ys:
                if top < y < bottom:
                    _ends_in_sight(lines, piece, y, False, (l_edge, r_edge), (xs[0], xs[-1]))
    assert pieces > 10


@pytest.mark.parametrize(("paper", "card"), EVERY)
@pytest.mark.parametrize("style", ["crosses", "lines"])
def test_each_strip_still_shows_both_ends_of_every_cut_to_come(paper: str, card: str, style: sheets.Guides) -> None:
    at = sheets.grid(PAPERS[paper], CARDS[card])
    _every_piece(*at.cuts, at.paper, sheets.guides(at, style))


@pytest.mark.parametrize(("paper", "card"), EVERY)
def test_the_same_holds_for_a_folded_sheet(paper: str, card: str) -> None:
    """Once folded, the sheet is half as high, and its lower edge is the fold, up to which the marks reach."""
    at = sheets.fold_grid(PAPERS[paper], CARDS[card])
    fold = at.paper.height / 2
    _every_piece(*at.cuts, at.paper, sheets.guides(at, fold=fold), (0.0, fold))


def test_marks_in_the_margins_alone_would_not_do() -> None:
    """The simulation refuses what it should refuse."""
    at = sheets.grid(PAPERS["a4"], CARDS["poker"])
    xs, ys = at.cuts
    margins = [s for s in sheets.guides(at) if s[0] < xs[0] or s[2] > xs[-1] or s[1] < ys[0] or s[3] > ys[-1]]
    with pytest.raises(AssertionError):
        _every_piece(xs, ys, at.paper, margins)


@given(st.floats(20, 100), st.floats(20, 140), st.sampled_from(list(PAPERS)))
def test_any_card_size_keeps_clear_of_the_edge_and_uses_the_sheet(wide: float, high: float, paper: str) -> None:
    at = sheets.grid(PAPERS[paper], Size(wide, high))
    assert at.x >= sheets.CLEAR - 1e-6 and at.y >= sheets.CLEAR - 1e-6
    assert at.x * 2 + at.block.width == pytest.approx(at.paper.width)
    lines = sheets.guides(at)
    assert all(n >= DEAD_MARGIN - 1e-9 for line in lines for n in line)
    assert at.per_sheet >= int((at.paper.width - 12.7) / wide) * int((at.paper.height - 12.7) / high)


@pytest.mark.parametrize(("paper", "card"), EVERY)
def test_backs_lie_behind_their_cards(paper: str, card: str) -> None:
    """Turned over the long edge, each back's middle falls on its card's middle, moved by the offset."""
    made = fronts(paper, card, back=cards.back(CARDS[card]), back_offset=(0.5, -1.0))
    boxes = made.expect.boxes
    assert made.expect.duplex == "long-edge"
    for front, back in made.expect.registration:
        middles = sorted(
            (round(PAPERS[paper].width - b.x - b.width / 2 + 0.5, 6), round(b.y + b.height / 2 - 1.0, 6))
            for b in boxes if b.page == front and b.what == "card"
        )  # fmt: skip
        assert middles == sorted(
            (round(b.x + b.width / 2, 6), round(b.y + b.height / 2, 6))
            for b in boxes
            if b.page == back and b.what == "back"
        )


@pytest.mark.parametrize("card", ["poker", "mini"])
@pytest.mark.parametrize("fold", [False, True])
def test_what_is_up_on_a_front_is_up_on_its_back(card: str, fold: bool) -> None:
    """A front and a back with a mark at the top: the marks meet when the sheet is turned over or folded."""
    size = CARDS[card]
    drawing = Drawing(*size)
    drawing.rect(size.width / 2 - 2, 4, 4, 4, fill="#111111")
    face = cards.Face(drawing)
    at = sheets.fold_grid(PAPERS["a4"], size) if fold else sheets.grid(PAPERS["a4"], size)
    make = sheets.fold_sheets if fold else sheets.card_sheets
    made = make([face] * at.per_sheet, PAPERS["a4"], size, words(1), lang="sv", back=face)
    seen = Seen(made.pdf)
    marks = [
        {
            (round(x + w / 2, 2), round(y + h / 2, 2))
            for x, y, w, h in seen.rects(page)
            if abs(w - 4) + abs(h - 4) < 0.01
        }
        for page in range(1, len(seen.pages) + 1)
    ]
    if fold:
        middle = at.paper.height / 2
        front = {(x, y) for x, y in marks[0] if y < middle}
        behind = {(x, round(2 * middle - y, 2)) for x, y in marks[0] if y > middle}
    else:
        front, behind = marks[0], {(round(at.paper.width - x, 2), y) for x, y in marks[1]}
    assert len(front) == at.per_sheet
    assert all(any(abs(x - u) + abs(y - v) < 0.05 for u, v in behind) for x, y in front)


def test_places_left_over_are_spare_cards_or_nothing() -> None:
    back = cards.back(CARDS["poker"])
    spare = fronts("a4", "poker", 10, back=back).expect.boxes
    bare = fronts("a4", "poker", 10, back=back, spares=False).expect.boxes
    count = lambda boxes, what, page: sum(b.what == what and b.page == page for b in boxes)  # noqa: E731
    assert [count(spare, "card", 3), count(spare, "back", 4)] == [9, 9]
    assert [count(bare, "card", 3), count(bare, "back", 4)] == [1, 1]


def test_a_single_card_can_be_printed_again() -> None:
    size = CARDS["mini"]
    made = sheets.card_sheets([cards.number_card(13, 24, size)], PAPERS["letter"], size, words(1), lang="en")
    assert [box.label for box in made.expect.boxes if box.label] == ["13"]
    assert made.expect.pages == 1 and made.expect.duplex == "simplex"


def test_the_words_stand_in_reading_order_and_can_be_searched() -> None:
    made = fronts("letter", "poker", back=cards.back(CARDS["poker"]))
    seen = Seen(made.pdf)
    text = seen.text(1)
    order = [text.index(said) for said in ("kort, ark 1 av 3", "upp", "alla kort", "Skriv ut i 100 %, aldrig")]
    assert order == sorted(order)
    assert text.index("Skriv") < text.index("11111") < text.index("99999")
    assert "baksidor till ark 1" in seen.text(2) and "upp" in seen.text(2)


def test_faults_are_told() -> None:
    size, paper = CARDS["poker"], PAPERS["a4"]
    faces = [cards.number_card(n, 24, size) for n in range(1, 11)]
    back = cards.back(size)
    with pytest.raises(Fault, match="no card") as none:
        sheets.card_sheets([], paper, size, words(0), lang="en")
    with pytest.raises(Fault, match="off the paper") as moved:
        sheets.card_sheets(faces, paper, size, words(2), lang="en", back=back, back_offset=(0, 16))
    with pytest.raises(Fault, match="does not fit") as large:
        sheets.grid(paper, Size(205, 290))
    assert {fault.value.code for fault in (none, moved, large)} == {USAGE}
    with pytest.raises(Fault, match="2 sheets, and 3"):
        sheets.card_sheets(faces, paper, size, words(3), lang="en")
    with pytest.raises(Fault, match="size"):
        sheets.card_sheets([cards.number_card(1, 24, CARDS["mini"])], paper, size, words(1), lang="en")
    long = words(2)
    long = sheets.SheetWords(long.title, "mycket " * 40, long.top, long.block, long.fronts, long.backs)
    with pytest.raises(Fault, match="mm wide"):
        sheets.card_sheets(faces, paper, size, long, lang="en")


def test_the_same_bytes_in_another_process_with_another_hash_seed_and_home(tmp_path: object) -> None:
    code = (
        "from tests.paper.drawn import everything\nimport hashlib\n"
        "print(hashlib.sha256(b''.join(m.pdf for m in everything().values())).hexdigest())"
    )
    (tmp_path / ".reportlab_settings").write_text("useA85 = 1\npageCompression = 0\n")  # type: ignore[operator]
    seen = set()
    for seed, home, zone in (("1", str(tmp_path), "Asia/Tokyo"), ("2", os.environ.get("HOME", "/"), "UTC")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "HOME": home, "TZ": zone, "LC_ALL": "C"}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        seen.add(done.stdout)
    assert len(seen) == 1
