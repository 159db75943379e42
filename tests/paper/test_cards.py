"""Faces and backs: readable, safe from the cut, told apart in grey, the same upside down."""

from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageOps

from kit.paper import cards, symbols
from kit.paper.drawing import WHITE, Drawing, luminance, tint
from kit.paper.sizes import CARDS, Size
from tests.paper.drawn import ACCENT, MM, Seen, drawn, raster

LETTERS = dict(zip("A23456789TJQK", ["A", *(str(n) for n in range(2, 11)), "Kn", "D", "K"], strict=True))
STYLES = [
    cards.Style(suits, indices, saver)  # type: ignore[arg-type]
    for suits in ("two", "four", "german")
    for indices in ("normal", "large")
    for saver in (False, True)
]


def test_numbers_that_read_upside_down_are_the_sixes_and_nines() -> None:
    assert [n for n in range(1, 100) if cards.reads_upside_down(n)] == [
        6, 9, 16, 19, 60, 61, 66, 68, 69, 86, 89, 90, 91, 96, 98, 99
    ]  # fmt: skip


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("number", [1, 6, 12, 19, 24])
def test_a_number_card_shows_its_number_five_times_within_the_safe_zone(card: str, number: int) -> None:
    face = cards.number_card(number, 24, CARDS[card], ACCENT)
    seen = Seen(drawn(face.drawing))
    assert face.label == str(number)
    assert seen.text(1) == str(number) * 5
    assert _blank_edge(face.drawing, cards.SAFE)


@pytest.mark.parametrize("number", [1, 2, 12, 23, 24])
def test_the_bar_grows_with_the_number(number: int) -> None:
    rects = Seen(drawn(cards.number_card(number, 24, CARDS["poker"], ACCENT).drawing)).rects(1)
    bars = sorted({round(height, 2) for x, _, width, height in rects if abs(width - 1.8) < 0.01})
    assert bars[0] == pytest.approx(bars[-1] * number / 24, abs=0.02)


@pytest.mark.parametrize("number", [5, 6, 9, 16, 17, 19])
def test_what_reads_upside_down_is_underlined_five_times(number: int) -> None:
    rects = Seen(drawn(cards.number_card(number, 24, CARDS["poker"], ACCENT).drawing)).rects(1)
    assert len(rects) - 4 == (5 if cards.reads_upside_down(number) else 0)


@pytest.mark.parametrize("card", CARDS)
def test_a_back_is_the_same_upside_down_and_mirrored_inside_a_white_border(card: str) -> None:
    face = cards.back(CARDS[card], ACCENT)
    picture = raster(drawn(face.drawing), 1, 150)
    for turned in (ImageOps.flip(ImageOps.mirror(picture)), ImageOps.mirror(picture)):
        off = ImageChops.difference(picture, turned).histogram()
        # The rim of a stroke may fall on other pixels, no more.
        assert sum(off[130:]) < 0.02 * picture.width * picture.height
    assert _blank_edge(face.drawing, 5.0)
    assert face.frame is not None
    wide, high = CARDS[card]
    at = ((wide - face.frame.width) / 2, (high - face.frame.height) / 2, *face.frame)
    assert any(rect == pytest.approx(at, abs=0.05) for rect in _outlines(drawn(face.drawing)))


@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("card", CARDS)
def test_a_whole_deck_fits_its_cards_in_every_style(card: str, style: cards.Style) -> None:
    faces = cards.deck(LETTERS, "Joker", CARDS[card], style, ACCENT)
    assert len(faces) == 54
    assert len({face.label for face in faces[:52]}) == 52
    faces.append(cards.marker("Markörkort", CARDS[card], style, ACCENT))
    for face in faces[::7] + faces[-6:]:
        assert _blank_edge(face.drawing, cards.SAFE), face.label


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("indices", ["normal", "large"])
@pytest.mark.parametrize("letter", ["Kn", "10", "W"])
def test_a_wide_index_keeps_clear_of_pips_and_of_the_other_index(card: str, indices: str, letter: str) -> None:
    size, style = CARDS[card], cards.Style(indices=indices)  # type: ignore[arg-type]
    corner = cards._indices(letter, "h", size, style, "#111111")
    whole = cards.playing_card("T" if letter == "10" else "J", "h", letter, size, style).drawing
    rest = Drawing(*size, [item for item in whole.items if getattr(item, "drawing", None) is None])
    index, others = (raster(drawn(d), 1, 150) for d in (corner, rest))
    turned = ImageOps.flip(ImageOps.mirror(index))
    for other in (others, turned):
        both = ImageChops.add(ImageChops.invert(index), ImageChops.invert(other), scale=2)
        assert max(level for level, n in enumerate(both.histogram()) if n) <= 128, "they overlap"


@pytest.mark.parametrize("rank", "A27TJQK")
@pytest.mark.parametrize("suit", "shdc")
def test_index_and_suit_are_text_at_both_corners(rank: str, suit: str) -> None:
    face = cards.playing_card(rank, suit, LETTERS[rank], CARDS["poker"])
    text = Seen(drawn(face.drawing)).text(1)
    assert text.startswith(face.label) and text.endswith(face.label)
    assert face.label == LETTERS[rank] + "♠♥♦♣"["shdc".index(suit)]


@pytest.mark.parametrize("rank", "23456789T")
def test_a_number_card_has_as_many_pips_as_it_says(rank: str) -> None:
    face = cards.playing_card(rank, "d", rank, CARDS["poker"])
    pips = [item for item in face.drawing.items if hasattr(item, "shape")]
    assert len(pips) == (10 if rank == "T" else int(rank))


@pytest.mark.parametrize("width", [11.0, 63.5])
def test_suits_are_told_apart_in_grey_by_shape_alone(width: float) -> None:
    """Each pair of suits, all in black, differs in a fifth of their ink at least."""
    pictures = {}
    for suit in "shdc":
        drawing = Drawing(width, width)
        drawing.symbol(symbols.SUITS[suit], width / 2, width / 2, width)
        pictures[suit] = raster(drawn(drawing), 1, 72 if width > 20 else 150)
    for one, other in combinations("shdc", 2):
        pair = pictures[one], pictures[other]
        differing = sum(ImageChops.difference(*pair).histogram()[128:])
        ink = min(sum(picture.histogram()[:128]) for picture in pair)
        assert differing > 0.2 * ink, (one, other)


@pytest.mark.parametrize("scheme", cards.SUIT_COLOURS)
def test_suit_colours_print_dark_enough(scheme: str) -> None:
    assert all(luminance(colour) < 0.55 for colour in cards.SUIT_COLOURS[scheme].values())


def test_the_ink_saver_deck_is_black_and_spends_less_ink() -> None:
    size = CARDS["poker"]
    plain, saver = (
        sum(
            255 - level
            for face in cards.deck(LETTERS, "Joker", size, cards.Style(saver=saving))[::5]
            for level in raster(drawn(face.drawing), 1, 40).tobytes()
        )
        for saving in (False, True)
    )
    assert saver < 0.75 * plain
    svg = cards.playing_card("Q", "h", "D", size, cards.Style(saver=True)).drawing.svg("D")
    assert cards.RED not in svg


def test_diagram_cards_are_told_apart_by_more_than_colour() -> None:
    plain = {"accent": ACCENT, "width": 11.0}
    kinds = [
        cards.diagram_card("16", **plain),  # type: ignore[arg-type]
        cards.diagram_card("16", played=True, **plain),  # type: ignore[arg-type]
        cards.diagram_card("16", acting=True, **plain),  # type: ignore[arg-type]
        cards.diagram_back(accent=ACCENT),
        cards.diagram_place(),
        cards.diagram_place(impossible=True),
    ]
    assert {(k.width, round(k.height, 6)) for k in kinds} == {(11.0, 15.4)}
    grey = [raster(drawn(kind), 1, 110) for kind in kinds]
    for one, other in combinations(grey, 2):
        assert sum(ImageChops.difference(one, other).histogram()[60:]) > 12


@pytest.mark.parametrize("letter", ["Kn", "10", "24", "A"])
def test_a_diagram_card_is_readable_at_11_mm(letter: str) -> None:
    """Its letters are at least 3 mm high."""
    card = cards.diagram_card(letter, "s" if letter in ("Kn", "10", "A") else "")
    sizes = [item.size * 0.668 for item in card.items if getattr(item, "text", "") == letter]  # type: ignore[union-attr]
    assert len(sizes) == 1 and sizes[0] > 3.0


def _blank_edge(drawing: Drawing, border: float) -> bool:
    """Whether nothing is printed within that border."""
    picture = raster(drawn(drawing), 1, 127)  # 5 pixels a mm
    inset = int(border * 5) - 1
    middle = Image.new("L", (picture.width - 2 * inset, picture.height - 2 * inset), 255)
    picture.paste(middle, (inset, inset))
    return min(picture.tobytes()) > 250


def _outlines(pdf: bytes) -> list[tuple[float, float, float, float]]:
    """The boxes of all curves and rectangles."""
    seen = Seen(pdf)
    page = seen.pages[0]
    return [
        (o["x0"] * MM, o["top"] * MM, (o["x1"] - o["x0"]) * MM, (o["bottom"] - o["top"]) * MM)
        for o in [*page.curves, *page.rects]
    ]


def test_white_is_white() -> None:
    assert tint(ACCENT, 0) == WHITE and CARDS["poker"] == Size(63.5, 88.9)
