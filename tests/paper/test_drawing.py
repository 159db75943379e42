"""The display list: it fits or raises, and its two outlets show the same."""

import xml.etree.ElementTree as ET

import pytest
from PIL import ImageChops

from kit.faults import Fault
from kit.paper import cards, fonts, symbols
from kit.paper.drawing import INK, WHITE, Drawing, cap, ink_saving, luminance, tint
from kit.paper.sizes import CARDS, Size
from tests.paper.drawn import ACCENT, MM, Seen, drawn, raster


@pytest.mark.parametrize(
    "draw",
    [
        lambda d: d.rect(1, 1, 20, 3),
        lambda d: d.rect(-0.1, 1, 2, 3),
        lambda d: d.line(0, 0, 10, 10.2),
        lambda d: d.circle(5, 5, 5.1),
        lambda d: d.symbol(symbols.STAR, 9, 5, 4),
        lambda d: d.text(2, 5, "överskott", 3),
        lambda d: d.text(0, 1, "H", 3),
        lambda d: d.text(5, 5, "överskott", 3, align="right"),
        lambda d: d.place(Drawing(4, 11), 0, 0),
        lambda d: d.place(Drawing(11, 4), 0, 0, scale=1),
    ],
)
def test_what_reaches_out_of_a_drawing_raises(draw: object) -> None:
    with pytest.raises(Fault, match="reaches"):
        draw(Drawing(10, 10))  # type: ignore[operator]


def test_text_shrinks_to_its_room_down_to_the_least_size_and_no_further() -> None:
    drawing = Drawing(100, 10)
    natural = fonts.width("Kn", 10, "bold")
    assert drawing.text(0, 9, "Kn", 10, face="bold", width=natural * 0.8, least=7) == pytest.approx(natural * 0.8)
    with pytest.raises(Fault, match="mm wide"):
        drawing.text(0, 9, "Kn", 10, face="bold", width=natural * 0.6, least=7)
    with pytest.raises(Fault, match="mm wide"):
        drawing.text(0, 9, "Kn", 10, face="bold", width=natural * 0.99)


def test_a_composed_and_a_decomposed_letter_are_set_alike() -> None:
    one, other = Drawing(20, 10), Drawing(20, 10)
    one.text(0, 8, "r\u00e5", 5)
    other.text(0, 8, "ra\u030a", 5)
    assert one == other


def test_tabular_digits_stand_in_columns() -> None:
    drawing = Drawing(50, 30)
    for row, number in enumerate(("111", "888")):
        drawing.text(40, 10 + 10 * row, number, 6, align="right", tabular=True)
    middles = [item.x + fonts.width(item.text, item.size) / 2 for item in drawing.items]  # type: ignore[union-attr]
    assert middles[:3] == pytest.approx(middles[3:])


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_drawing_lies_where_it_was_put(turn: int) -> None:
    inner, outer = Drawing(20, 10), Drawing(60, 60)
    inner.rect(0, 0, 6, 3, fill=INK)  # its upper left corner
    outer.place(inner, 7, 11, turn=turn)
    wanted = {0: (7, 11, 6, 3), 90: (14, 11, 3, 6), 180: (21, 18, 6, 3), 270: (7, 25, 3, 6)}[turn]
    assert Seen(drawn(outer)).rects(1)[0] == pytest.approx(wanted, abs=0.01)


def test_svg_and_pdf_show_the_same(tmp_path: object) -> None:
    from kit.paper.flow import render

    size = CARDS["poker"]
    face = cards.playing_card("J", "c", "Kn", size).drawing
    picture = Drawing(90, 110)
    picture.place(face, 5, 5)
    picture.place(cards.diagram_card("16", accent=ACCENT, played=True, mark="①"), 72, 5)
    picture.place(cards.diagram_back(accent=ACCENT), 72, 25, turn=180)
    picture.place(cards.diagram_place(impossible=True), 72, 45)
    picture.text(5, 104, "Överfull rad → ta alla ♠ kort", 5, face="bold-italic")
    html = f'<html lang="sv"><head><title>prov</title></head><body><div>{picture.svg("prov")}</div></body></html>'
    css = "@page{margin:0} body{margin:0} div{margin:0;line-height:0} svg{display:block}"
    flowed = render(html, css, size=Size(90, 110), lang="sv", title="prov", margin=0.0, tagged=False)
    one, other = raster(flowed.pdf, 1, 80), raster(drawn(picture), 1, 80)
    assert one.size == other.size
    differing = sum(n for level, n in enumerate(ImageChops.difference(one, other).histogram()) if level > 100)
    assert differing < 0.004 * one.size[0] * one.size[1]


def test_svg_is_one_well_formed_picture_with_its_alternative() -> None:
    drawing = Drawing(30, 20)
    drawing.text(2, 10, "<7 & 9>", 4)
    root = ET.fromstring(drawing.svg('rad <1> "full" & klar'))
    assert root.get("width") == "30mm" and root.get("viewBox") == "0 0 30 20"
    assert root.get("role") == "img" and root.get("aria-label") == 'rad <1> "full" & klar'
    assert "".join(t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text")) == "<7 & 9>"


@pytest.mark.parametrize("size", [(11, 15.4), (52.5, 77.9), (30, 7)])
def test_diagonals_stay_in_their_rectangle_and_look_the_same_upside_down(size: tuple[float, float]) -> None:
    drawing = Drawing(80, 90)
    drawing.diagonals(2, 3, *size, 2.1, stroke=INK, both=True)
    ends = {(round(i.x1, 6), round(i.y1, 6), round(i.x2, 6), round(i.y2, 6)) for i in drawing.items}  # type: ignore[union-attr]
    assert len(ends) > 4
    for x1, y1, x2, y2 in ends:
        assert all(2 - 1e-6 <= x <= 2 + size[0] + 1e-6 for x in (x1, x2))
        assert all(3 - 1e-6 <= y <= 3 + size[1] + 1e-6 for y in (y1, y2))
        turned = tuple(round(n, 6) for n in (4 + size[0] - x2, 6 + size[1] - y2, 4 + size[0] - x1, 6 + size[1] - y1))
        assert any(max(abs(a - b) for a, b in zip(turned, other, strict=True)) < 1e-4 for other in ends)


def test_the_ink_saving_variant_has_black_and_white_only() -> None:
    face = cards.number_card(16, 24, CARDS["mini"], ACCENT).drawing.recoloured(ink_saving)
    svg = face.svg("16")
    assert {c for c in (INK, WHITE, ACCENT, tint(ACCENT, 0.13)) if c in svg} == {INK, WHITE}


def test_a_tint_is_lighter_and_capitals_are_as_high_as_asked() -> None:
    assert luminance(tint(ACCENT, 0.1)) > 0.9 > luminance(ACCENT)
    drawing = Drawing(20, 20)
    drawing.text(2, 15, "H", cap(10), face="bold")
    grey = raster(drawn(drawing), 1, 254)  # 10 pixels a mm
    box = grey.point(lambda level: 255 * (level < 128)).getbbox()
    assert (box[3] - box[1]) / 10 == pytest.approx(10, abs=0.2)
    assert box[3] / 10 == pytest.approx(15, abs=0.15)
    assert pytest.approx(0.35278, abs=1e-5) == MM
