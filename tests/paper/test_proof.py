"""The proof: each refusal is provoked by a real PDF that has the fault, beside one that has not."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pikepdf
import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from kit.faults import Fault, Faults
from kit.paper import flow, fonts, proof
from kit.paper.expect import Box, Expect
from kit.paper.sizes import PAPERS, Size

A4 = PAPERS["a4"]
MM = 72 / 25.4
TEXT = "AtkinsonHyperlegible-Regular"
SIMPLE = Expect(*A4, "en", "A test", "simplex")
Draw = Callable[[Canvas], object]


def drawn(*pages: Draw, size: Size = A4, duplex: str = "Simplex", font: str = TEXT) -> bytes:
    """A PDF with everything that a proof asks for, and these drawings in mm from the bottom left."""
    pdfmetrics.registerFont(TTFont(TEXT, io.BytesIO(fonts.data("regular"))))
    out = io.BytesIO()
    canvas = Canvas(
        out, (size.width * MM, size.height * MM), invariant=1, initialFontName=TEXT, lang="en", pageCompression=0
    )
    canvas.setTitle("A test")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("Duplex", duplex)
    for draw in pages:
        canvas.scale(MM, MM)
        canvas.setFont(font, 4)
        canvas.setLineWidth(0.1)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def edited(pdf: bytes, edit: Callable[[pikepdf.Pdf], object], **how: Any) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        edit(opened)
        opened.save(out, **how)
    return out.getvalue()


def refused(pdf: bytes, expect: Expect = SIMPLE, margin: float = 5.0, **more: Any) -> str:
    with pytest.raises((Fault, Faults)) as caught:
        proof.prove(pdf, expect, margin, **more)
    return str(caught.value)


def text(canvas: Canvas) -> None:
    canvas.drawString(30, 200, "Some text, with å ä ö")


def box(canvas: Canvas) -> None:
    canvas.rect(30, 297 - 50 - 88.9, 63.5, 88.9)


PLAIN = drawn(text)
PLACE = Box(1, 30, 50, 63.5, 88.9, "place")
BOXED = replace(SIMPLE, boxes=(PLACE,))


def test_what_is_right_passes_and_is_told() -> None:
    report = proof.prove(PLAIN, replace(SIMPLE, pages=1, texts=((1, "with å ä ö"),)))
    assert report.pages == 1 and report.passed and report.summary()["skipped"] == []
    assert {row.state for row in report.rows} == {"ok"}
    assert "210.00 x 297.00 mm" in report.table()


class TestFile:
    def test_a_page_of_another_size(self) -> None:
        assert "page 1 is 210.00 x 297.00 mm, not 215.9 x 279.4" in refused(
            PLAIN, replace(SIMPLE, width=215.9, height=279.4)
        )

    def test_a_page_that_is_off_by_a_tenth(self) -> None:
        wide = edited(PLAIN, lambda pdf: pdf.pages[0].mediabox.__setitem__(2, 210.1 * MM))
        assert "page 1 is 210.10" in refused(wide)

    def test_a_cropped_page(self) -> None:
        def crop(pdf: pikepdf.Pdf) -> None:
            pdf.pages[0].obj.CropBox = pikepdf.Array([10, 10, 500, 700])

        assert "cropped" in refused(edited(PLAIN, crop))

    def test_a_wrong_number_of_pages(self) -> None:
        assert "the number of pages is “1”, not “2”" in refused(PLAIN, replace(SIMPLE, pages=2))

    def test_a_wrong_language(self) -> None:
        assert "its language is “en”, not “sv”" in refused(PLAIN, replace(SIMPLE, lang="sv"))
        assert "its language is not set" in refused(edited(PLAIN, lambda pdf: pdf.Root.__delitem__("/Lang")))

    def test_a_wrong_title(self) -> None:
        assert "its title is “A test”, not “Cards”" in refused(PLAIN, replace(SIMPLE, title="Cards"))

    def test_missing_tags(self) -> None:
        assert "it has no tags" in refused(PLAIN, replace(SIMPLE, tagged=True))

    @pytest.mark.parametrize("value", [None, "/AppDefault", "/None_"])
    def test_scaling_is_not_asked_away(self, value: str | None) -> None:
        def spoil(pdf: pikepdf.Pdf) -> None:
            if value is None:
                del pdf.Root.ViewerPreferences
            else:
                pdf.Root.ViewerPreferences.PrintScaling = pikepdf.Name(value)

        assert "the scaling that the viewer is asked for" in refused(edited(PLAIN, spoil))

    def test_the_wrong_duplex(self) -> None:
        assert "“/DuplexFlipShortEdge”, not “/Simplex”" in refused(drawn(text, duplex="DuplexFlipShortEdge"))

    def test_an_encrypted_file(self) -> None:
        locked = edited(PLAIN, lambda _: None, encryption=pikepdf.Encryption(owner="x", user=""))
        assert "encrypted" in refused(locked)
        assert "encrypted" in refused(edited(PLAIN, lambda _: None, encryption=pikepdf.Encryption(owner="x", user="y")))

    @pytest.mark.parametrize("data", [b"", b"no pdf", PLAIN[: len(PLAIN) // 3]])
    def test_no_pdf(self, data: bytes) -> None:
        assert refused(data)

    def test_a_drawing_that_cannot_be_read_to_its_end(self) -> None:
        def spoil(pdf: pikepdf.Pdf) -> None:
            pdf.pages[0].contents_add(b"q ((( Tj")

        assert "the drawing cannot be read" in refused(edited(PLAIN, spoil))


def _open_action(pdf: pikepdf.Pdf) -> None:
    pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")


def _attachment(pdf: pikepdf.Pdf) -> None:
    pdf.attachments["a.txt"] = b"secret"


def _script(pdf: pikepdf.Pdf) -> None:
    pdf.Root.Names = pikepdf.Dictionary(JavaScript=pikepdf.Dictionary(Names=pikepdf.Array()))


def _page_action(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].obj.AA = pikepdf.Dictionary()


def _form(pdf: pikepdf.Pdf) -> None:
    pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array())


def _note(**what: Any) -> Callable[[pikepdf.Pdf], None]:
    def add(pdf: pikepdf.Pdf) -> None:
        note = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Rect=pikepdf.Array([0, 0, 9, 9]), **what)
        pdf.pages[0].obj.Annots = pikepdf.Array([pdf.make_indirect(note)])

    return add


def _link(**action: Any) -> Callable[[pikepdf.Pdf], None]:
    return _note(Subtype=pikepdf.Name.Link, A=pikepdf.Dictionary(**action))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (_open_action, "an action on opening"),
        (_attachment, "an embedded file"),
        (_script, "a script"),
        (_page_action, "page 1: it has an action"),
        (_form, "a form"),
        (_note(Subtype=pikepdf.Name.FreeText), "an annotation of the kind /FreeText"),
        (_link(S=pikepdf.Name.Launch), "a link does /Launch"),
        (_link(S=pikepdf.Name.URI, URI="http://example.org"), "a link leads to http://example.org"),
        (_link(S=pikepdf.Name.URI, URI="javascript:1"), "a link leads to javascript:1"),
    ],
)
def test_anything_that_acts_is_refused(edit: Callable[[pikepdf.Pdf], None], said: str) -> None:
    assert said in refused(edited(PLAIN, edit))


def test_https_links_are_allowed() -> None:
    proof.prove(edited(PLAIN, _link(S=pikepdf.Name.URI, URI="https://example.org")), SIMPLE)


class TestText:
    def test_a_standard_font(self) -> None:
        assert "Helvetica (one of the standard 14) is not embedded" in refused(drawn(text, font="Helvetica"))

    def test_a_font_that_is_listed_but_never_used(self) -> None:
        def add(pdf: pikepdf.Pdf) -> None:
            times = pikepdf.Dictionary(
                Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name("/Times-Roman")
            )
            pdf.pages[0].Resources.Font["/F9"] = pdf.make_indirect(times)

        assert "Times-Roman (one of the standard 14) is not embedded" in refused(edited(PLAIN, add))

    def test_an_embedded_font_that_is_not_ours(self) -> None:
        def rename(pdf: pikepdf.Pdf) -> None:
            for item in pdf.objects:
                if isinstance(item, pikepdf.Dictionary) and "/BaseFont" in item:
                    item.BaseFont = pikepdf.Name("/ABCDEF+DejaVuSans")

        assert "the font DejaVuSans is not one of ours" in refused(edited(PLAIN, rename))

    def test_a_character_without_a_glyph(self) -> None:
        said = refused(drawn(lambda canvas: canvas.drawString(30, 200, "A 中 here")))
        assert "“character code 0” has no glyph, in “A � here”" in said

    def test_a_glyph_that_is_missing_in_a_flowing_document(self) -> None:
        engine = flow._engine()
        page = engine.weasyprint.HTML(string="<style>p { font-family: Kit Text }</style><p>A 中 here")
        assert "“中” (U+4E2D) has no glyph" in refused(page.write_pdf(font_config=engine.fonts))

    def test_text_cut_by_a_clip_path(self) -> None:
        def cut(canvas: Canvas) -> None:
            path = canvas.beginPath()
            path.rect(30, 190, 12, 30)
            canvas.clipPath(path, stroke=0)
            text(canvas)

        assert "page 1: “Some text, with å ä ö” is clipped" in refused(drawn(cut))

    def test_text_cut_by_the_box_of_a_form(self) -> None:
        def cut(canvas: Canvas) -> None:
            canvas.beginForm("cut", 30, 200.5, 80, 203)
            canvas.setFont(TEXT, 4)
            text(canvas)
            canvas.endForm()
            canvas.doForm("cut")

        assert "is clipped" in refused(drawn(cut))

    def test_a_clip_that_only_touches_the_space_around_it(self) -> None:
        def around(canvas: Canvas) -> None:
            path = canvas.beginPath()
            path.rect(29.9, 198.8, 60, 4.2)
            canvas.clipPath(path, stroke=0)
            text(canvas)

        proof.prove(drawn(around), SIMPLE)

    def test_text_that_runs_off_the_page(self) -> None:
        assert "is clipped" in refused(
            drawn(lambda canvas: canvas.drawString(190, 200, "Some text, with å ä ö")), margin=0
        )

    @pytest.mark.parametrize("white", [True, False])
    def test_text_covered_by_a_later_area(self, white: bool) -> None:
        def cover(canvas: Canvas) -> None:
            text(canvas)
            canvas.setFillGray(1 if white else 0.8)
            canvas.rect(40, 190, 80, 30, stroke=0, fill=1)

        assert "page 1: “Some text, with å ä ö” is covered by what is painted later" in refused(drawn(cover))

    def test_text_covered_by_a_turned_area_in_a_form(self) -> None:
        def cover(canvas: Canvas) -> None:
            text(canvas)
            canvas.beginForm("lid", -50, -50, 50, 50)
            canvas.setFillGray(0.9)
            canvas.circle(0, 0, 12, stroke=0, fill=1)
            canvas.endForm()
            canvas.translate(50, 200)
            canvas.rotate(30)
            canvas.doForm("lid")

        assert "is covered" in refused(drawn(cover))

    def test_text_covered_by_a_later_box_of_a_flowing_document(self) -> None:
        body = "<p>Under it<div></div>"
        css = "div { position: absolute; top: 0; left: 0; width: 50mm; height: 9mm; background: white }"
        css += f"html {{ font-family: {fonts.TEXT} }} body {{ margin: 0 }}"
        made = flow.render(body, css, size=A4, lang="en", title="A test")
        assert "page 1: “Under it” is covered" in refused(made.pdf, made.expect)

    def test_what_lies_under_or_beside_or_shines_through_covers_nothing(self) -> None:
        def beside(canvas: Canvas) -> None:
            canvas.setFillGray(0.9)
            canvas.rect(20, 190, 80, 30, stroke=0, fill=1)
            canvas.setFillGray(0)
            text(canvas)
            canvas.rect(30, 150, 80, 30, stroke=0, fill=1)
            canvas.setFillAlpha(0.3)
            canvas.rect(20, 190, 80, 30, stroke=0, fill=1)

        proof.prove(drawn(beside), SIMPLE)

    def test_white_text_on_white_paper(self) -> None:
        def white(canvas: Canvas) -> None:
            canvas.setFillGray(1)
            text(canvas)

        assert "cannot be seen against what is behind it" in refused(drawn(white))

    def test_white_text_on_a_dark_area(self) -> None:
        def dark(canvas: Canvas) -> None:
            canvas.rect(20, 190, 80, 30, stroke=0, fill=1)
            canvas.setFillGray(1)
            text(canvas)

        proof.prove(drawn(dark), SIMPLE)

    @pytest.mark.parametrize("how", ["mode", "alpha"])
    def test_text_that_leaves_no_ink(self, how: str) -> None:
        def hide(canvas: Canvas) -> None:
            if how == "alpha":
                canvas.setFillAlpha(0.02)
            canvas.drawString(30, 200, "unseen", mode=3 if how == "mode" else None)

        assert "“unseen” cannot be seen" in refused(drawn(hide))

    def test_tiny_text(self) -> None:
        def tiny(canvas: Canvas) -> None:
            canvas.scale(0.3, 0.3)
            canvas.drawString(100, 600, "fine print")

        assert "“fine print” is set in 3.4 pt" in refused(drawn(tiny))

    def test_a_wanted_text_that_is_not_there(self) -> None:
        assert "page 1: “print at 100 %” is not there" in refused(
            PLAIN, replace(SIMPLE, texts=((1, "print at 100 %"),))
        )


class TestMargin:
    @pytest.mark.parametrize(
        "draw",
        [
            lambda canvas: canvas.line(2, 100, 20, 100),
            lambda canvas: canvas.line(206, 100, 206, 110),
            lambda canvas: canvas.rect(100, 1, 1, 1, stroke=0, fill=1),
            lambda canvas: canvas.drawString(100, 293, "x"),
            lambda canvas: (canvas.setStrokeGray(0.9), canvas.line(100, 4, 110, 4)),
        ],
        ids=["left", "right", "bottom", "top", "light grey"],
    )
    def test_ink_in_the_dead_margin(self, draw: Draw) -> None:
        assert "something is drawn within 5 mm of the edge" in refused(drawn(draw))

    def test_the_place_is_told(self) -> None:
        assert "1.9 mm from the left and 196." in refused(drawn(lambda canvas: canvas.rect(2, 100, 9, 0.3, fill=1)))

    def test_the_margin_is_a_parameter(self) -> None:
        near = drawn(lambda canvas: canvas.line(5.1, 100, 20, 100))
        proof.prove(near, SIMPLE)
        assert "within 8 mm" in refused(near, margin=8)

    def test_white_and_clipped_drawing_is_no_ink(self) -> None:
        def unseen(canvas: Canvas) -> None:
            canvas.setFillGray(1)
            canvas.rect(0, 0, 210, 297, stroke=0, fill=1)
            path = canvas.beginPath()
            path.rect(6, 6, 198, 285)
            canvas.clipPath(path, stroke=0)
            canvas.line(0, 100, 210, 100)

        proof.prove(drawn(unseen), SIMPLE)

    def test_a_turned_page(self) -> None:
        def turn(pdf: pikepdf.Pdf) -> None:
            pdf.pages[0].obj.Rotate = 90

        lying = replace(SIMPLE, width=297, height=210)
        proof.prove(edited(PLAIN, turn), lying)
        assert "drawn within 5 mm" in refused(edited(drawn(lambda canvas: canvas.line(2, 100, 20, 100)), turn), lying)


class TestBoxes:
    def test_found(self) -> None:
        proof.prove(drawn(box), BOXED)

    @pytest.mark.parametrize("scale", [0.97, 0.998, 1.002])
    def test_scaled(self, scale: float) -> None:
        def shrink(canvas: Canvas) -> None:
            canvas.scale(scale, scale)
            box(canvas)

        assert "edge of the place" in refused(drawn(shrink), BOXED)

    @pytest.mark.parametrize("by", [0.06, -0.06])
    def test_moved(self, by: float) -> None:
        def move(canvas: Canvas) -> None:
            canvas.translate(by, 0)
            box(canvas)

        said = refused(drawn(move), BOXED)
        assert f"the left edge of the place is at {30 + by:.2f} mm, not at 30.00 mm" in said

    def test_not_drawn(self) -> None:
        assert "the left edge of the place is not drawn at 30.00 mm" in refused(PLAIN, BOXED)

    def test_drawn_white(self) -> None:
        def white(canvas: Canvas) -> None:
            canvas.setStrokeGray(1)
            box(canvas)

        assert "is not drawn" in refused(drawn(white), BOXED)

    def test_three_sides_are_no_box(self) -> None:
        def three(canvas: Canvas) -> None:
            canvas.lines([(30, 158.1, 30, 247), (93.5, 158.1, 93.5, 247), (30, 247, 93.5, 247)])

        assert "the bottom edge of the place is not drawn" in refused(drawn(three), BOXED)

    def test_in_a_form_on_a_turned_page(self) -> None:
        def within(canvas: Canvas) -> None:
            canvas.beginForm("b", 0, 0, 210, 297)
            canvas.rect(0, 0, 63.5, 88.9)
            canvas.endForm()
            canvas.translate(30, 60)
            canvas.doForm("b")

        def turn(pdf: pikepdf.Pdf) -> None:
            pdf.pages[0].obj.Rotate = 90

        there = Box(1, 60, 30, 88.9, 63.5, "place")
        expect = replace(SIMPLE, width=297, height=210, boxes=(there,))
        proof.prove(edited(drawn(within), turn), expect)
        assert "is at 60.00" in refused(edited(drawn(within), turn), replace(expect, boxes=(replace(there, x=61),)))

    def test_marks_at_both_ends_of_a_line_make_an_edge(self) -> None:
        def marks(canvas: Canvas, both: bool = True) -> None:
            for x in (30, 93.5):
                canvas.line(x, 250, x, 254)
                canvas.line(x, 151, x, 155)
            for y in (247, 158.1):
                canvas.line(23, y, 27, y)
                if both:
                    canvas.line(97, y, 101, y)

        proof.prove(drawn(marks), BOXED)
        assert "top edge" in refused(drawn(lambda canvas: marks(canvas, both=False)), BOXED)

    def test_a_rounded_outline(self) -> None:
        bank = replace(SIMPLE, boxes=(Box(1, 30, 50, 85.6, 53.98, "bank-card"),))
        proof.prove(drawn(lambda canvas: canvas.roundRect(30, 297 - 50 - 53.98, 85.6, 53.98, 3.18)), bank)

    def test_a_label_that_is_not_in_its_box(self) -> None:
        labelled = replace(SIMPLE, boxes=(replace(PLACE, label="7"),))
        proof.prove(drawn(lambda canvas: (box(canvas), canvas.drawString(50, 200, "7"))), labelled)
        assert "does not show its label “7”" in refused(
            drawn(lambda c: (box(c), c.drawString(120, 200, "7"))), labelled
        )

    def test_a_label_in_invisible_text_does_not_count(self) -> None:
        labelled = replace(SIMPLE, boxes=(replace(PLACE, label="7"),))
        said = refused(drawn(lambda c: (box(c), c.drawString(50, 200, "7", mode=3))), labelled)
        assert "does not show its label" in said


class TestRulers:
    @staticmethod
    def bar(length: float, said: str, unit: str = "") -> bytes:
        def draw(canvas: Canvas) -> None:
            canvas.rect(30, 200, length, 2)
            canvas.drawString(30 + length - 12, 203, said)
            if unit:
                canvas.drawString(30 + length + 1, 203, unit)

        return drawn(draw)

    @staticmethod
    def ruler(length: float) -> Expect:
        return replace(SIMPLE, boxes=(Box(1, 30, 95, length, 2, "ruler"),))

    @pytest.mark.parametrize(
        ("length", "said", "unit"),
        [(100, "100 mm", ""), (101.6, "4 in", ""), (101.6, "4 tum", ""), (101.6, "4", "in"), (100, "10,0 cm", "")],
    )
    def test_true(self, length: float, said: str, unit: str) -> None:
        proof.prove(self.bar(length, said, unit), self.ruler(length))

    @pytest.mark.parametrize(("length", "said"), [(97, "100 mm"), (100, "101 mm"), (100, "4 in"), (100, "ruler")])
    def test_untrue(self, length: float, said: str) -> None:
        assert f"no length of {length} mm is written by its ruler" in refused(
            self.bar(length, said), self.ruler(length)
        )

    def test_drawn_too_short(self) -> None:
        assert "the right edge of the ruler" in refused(self.bar(99.9, "100 mm"), self.ruler(100))

    def test_a_block_that_says_another_size(self) -> None:
        def block(said: str) -> bytes:
            return drawn(lambda canvas: (box(canvas), canvas.drawString(30, 250, said)))

        expect = replace(SIMPLE, boxes=(replace(PLACE, what="block"),))
        proof.prove(block("63,5 × 88,9 mm"), expect)
        assert "but the sheet says 63 x 88" in refused(block("63 × 88 mm"), expect)
        assert "the sheet says nothing of it" in refused(block("a block"), expect)


class TestCards:
    """Two cards a page; a back page mirrors them."""

    CELLS = ((25.0, 50.0), (95.0, 50.0))
    SIZE = (63.5, 88.9)

    def fronts(self, labels: tuple[str, ...]) -> Draw:
        def draw(canvas: Canvas) -> None:
            for (x, y), label in zip(self.CELLS, labels, strict=True):
                canvas.rect(x, 297 - y - 88.9, *self.SIZE)
                canvas.drawString(x + 10, 297 - y - 30, label)

        return draw

    def backs(self, by: float = 0.0, mirrored: bool = True, pattern: float = 0.0, count: int = 2) -> Draw:
        def draw(canvas: Canvas) -> None:
            for x, y in self.CELLS[:count]:
                left = (210 - x - 63.5 if mirrored else x) + by
                canvas.setFillGray(1)
                canvas.rect(left, 297 - y - 88.9, *self.SIZE, stroke=0, fill=1)
                canvas.setFillGray(0.5)
                canvas.rect(left + 6 + pattern, 297 - y - 82.9, 51.5, 76.9, stroke=0, fill=1)

        return draw

    def expect(
        self, labels: tuple[str, ...] = ("1", "2"), by: float = 0.0, mirrored: bool = True, count: int = 2
    ) -> Expect:
        boxes = [Box(1, x, y, *self.SIZE, "card", label) for (x, y), label in zip(self.CELLS, labels, strict=True)]
        backs = [Box(2, (210 - x - 63.5 if mirrored else x) + by, y, *self.SIZE, "back") for x, y in self.CELLS[:count]]
        return replace(
            SIMPLE, duplex="long-edge", boxes=(*boxes, *backs), registration=((1, 2),), registration_offset=(by, 0.0)
        )

    def made(self, *pages: Draw) -> bytes:
        return drawn(*pages, duplex="DuplexFlipLongEdge")

    def test_right(self) -> None:
        proof.prove(self.made(self.fronts(("1", "2")), self.backs()), self.expect(), deck={"1": 1, "2": 1})

    def test_moved_by_the_offset_of_the_printer(self) -> None:
        moved = self.made(self.fronts(("1", "2")), self.backs(by=1.5))
        proof.prove(moved, self.expect(by=1.5))
        assert "no back lies behind the card 1" in refused(
            moved, replace(self.expect(by=1.5), registration_offset=(0.0, 0.0))
        )

    def test_backs_that_are_not_mirrored(self) -> None:
        said = refused(self.made(self.fronts(("1", "2")), self.backs(mirrored=False)), self.expect(mirrored=False))
        assert "no back lies behind the card 1 of page 1" in said

    def test_a_back_whose_pattern_is_off(self) -> None:
        said = refused(self.made(self.fronts(("1", "2")), self.backs(pattern=0.5)), self.expect())
        assert "the pattern of the back" in said and "off its middle by 0.50 mm" in said

    def test_a_back_that_is_missing(self) -> None:
        said = refused(self.made(self.fronts(("1", "2")), self.backs(count=1)), self.expect(count=1))
        assert "no back lies behind the card 2" in said

    def test_an_empty_back(self) -> None:
        def white(canvas: Canvas) -> None:
            canvas.setFillGray(1)
            for x, y in self.CELLS:
                canvas.rect(210 - x - 63.5, 297 - y - 88.9, *self.SIZE, stroke=0, fill=1)

        assert "is empty" in refused(self.made(self.fronts(("1", "2")), white), self.expect())

    def test_a_card_twice(self) -> None:
        same = ("1", "1")
        said = refused(self.made(self.fronts(same), self.backs()), self.expect(same))
        assert "the card 1 is there 2 times (page 1, page 1)" in said
        proof.prove(self.made(self.fronts(same), self.backs()), self.expect(same), copies=2, deck={"1": 2})

    def test_a_card_of_the_deck_that_is_missing(self) -> None:
        pdf = self.made(self.fronts(("1", "2")), self.backs())
        assert "the card 3 is there 0 times, not 1" in refused(pdf, self.expect(), deck={"1": 1, "2": 1, "3": 1})

    def test_a_card_that_shows_anothers_label(self) -> None:
        def mixed(canvas: Canvas) -> None:
            self.fronts(("1", "2"))(canvas)
            canvas.drawString(40, 180, "2")

        said = refused(self.made(mixed, self.backs()), self.expect())
        assert "the card 1 also shows 2" in said

    def test_short_edge_on_a_lying_page_mirrors_alike(self) -> None:
        lying = Size(297, 210)

        def front(canvas: Canvas) -> None:
            canvas.rect(20, 210 - 40 - 63.5, 88.9, 63.5)
            canvas.drawString(40, 150, "1")

        def back(canvas: Canvas) -> None:
            canvas.rect(297 - 20 - 88.9, 210 - 40 - 63.5, 88.9, 63.5)
            canvas.drawString(297 - 20 - 44.45 - 1, 210 - 40 - 31.75 - 1.3, "0")

        boxes = (Box(1, 20, 40, 88.9, 63.5, "card", "1"), Box(2, 297 - 20 - 88.9, 40, 88.9, 63.5, "back"))
        expect = Expect(*lying, "en", "A test", "short-edge", boxes=boxes, registration=((1, 2),))
        said = refused(drawn(front, back, size=lying, duplex="DuplexFlipShortEdge"), expect)
        assert "no back lies behind" not in said and "the pattern of the back" in said  # a 0 is not centred so well


class TestReport:
    def test_a_file_alone_says_which_checks_it_skips(self) -> None:
        report = proof.measure(PLAIN, name="cards.pdf")
        assert report.passed
        assert report.summary()["skipped"] == ["boxes and rulers", "registration", "each card once", "texts"]
        assert "skipped" in report.table()

    def test_a_file_that_is_refused_is_measured_all_the_same(self) -> None:
        report = proof.measure(drawn(text, font="Helvetica"), SIMPLE, name="cards.pdf")
        assert not report.passed
        assert report.table().count("refused") == 1
        assert "cards.pdf: error: the font Helvetica" in report.table()

    def test_no_pdf_at_all(self) -> None:
        with pytest.raises(Fault, match=r"^cards.pdf: error: "):
            proof.measure(b"", name="cards.pdf")

    def test_all_faults_at_once(self) -> None:
        pdf = drawn(
            lambda canvas: (canvas.line(2, 100, 20, 100), canvas.drawString(30, 200, "中")),
            duplex="DuplexFlipShortEdge",
        )
        assert len(refused(pdf).splitlines()) == 3

    def test_a_thumbnail_is_a_small_png_and_always_the_same(self) -> None:
        picture = proof.thumbnail(PLAIN, 1, 360)
        assert picture.startswith(b"\x89PNG") and picture == proof.thumbnail(PLAIN, 1, 360)
        from PIL import Image

        assert Image.open(io.BytesIO(picture)).size == (360, 510)
