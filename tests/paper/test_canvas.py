"""What every drawn PDF promises the viewer, and that the proof agrees with all of them."""

from io import BytesIO

import pikepdf
import pypdfium2
import pytest

from kit.paper import cards, fonts, sheets
from kit.paper.canvas import Canvas
from kit.paper.drawing import Drawing
from kit.paper.expect import Made
from kit.paper.proof import prove
from kit.paper.sizes import CARDS, PAPERS, Size
from tests.paper.drawn import ACCENT, everything, words

ALL = everything()


@pytest.mark.parametrize("name", ALL)
def test_the_proof_accepts_every_drawn_sheet(name: str) -> None:
    assert {row.state for row in prove(ALL[name].pdf, ALL[name].expect).rows} == {"ok"}


@pytest.mark.parametrize(("paper", "card"), [("a4", "poker"), ("letter", "mini")])
@pytest.mark.parametrize("indices", ["normal", "large"])
def test_the_proof_finds_each_card_of_a_deck_once(paper: str, card: str, indices: str) -> None:
    size = CARDS[card]
    letters = {rank: {"J": "Kn", "Q": "D", "T": "10"}.get(rank, rank) for rank in "A23456789TJQK"}
    faces = cards.deck(letters, "Joker", size, cards.Style("four", indices))  # type: ignore[arg-type]
    at = sheets.grid(PAPERS[paper], size)
    made = sheets.card_sheets(faces, PAPERS[paper], size, words(at.sheets(54), at), lang="sv")
    assert made.expect.pages == at.sheets(54) == {"poker": 6, "mini": 3}[card]
    report = prove(made.pdf, made.expect)
    assert {row.state for row in report.rows} == {"ok"}
    assert ("each card once", "54 cards") in {(row.check, row.measured) for row in report.rows}


@pytest.mark.parametrize("name", ["cards-a4-poker", "fold-letter-mini", "mat-a4-poker", "ruler-letter", "offset-a4"])
def test_the_viewer_is_asked_for_true_size_and_the_right_duplex(name: str) -> None:
    made = ALL[name]
    with pikepdf.open(BytesIO(made.pdf)) as pdf:
        asked = pdf.Root.ViewerPreferences
        assert asked.PrintScaling == pikepdf.Name("/None")
        wanted = {"simplex": "/Simplex", "long-edge": "/DuplexFlipLongEdge"}[made.expect.duplex]
        assert asked.Duplex == pikepdf.Name(wanted)
        assert asked.PickTrayByPDFSize is True and asked.DisplayDocTitle is True
        assert str(pdf.Root.Lang) == "sv" and str(pdf.docinfo.Title) == made.expect.title
        assert len(pdf.pages) == made.expect.pages
    document = pypdfium2.PdfDocument(made.pdf)
    assert not pypdfium2.raw.FPDF_VIEWERREF_GetPrintScaling(document)
    document.close()


@pytest.mark.parametrize("name", ["cards-letter-mini", "ruler-a4"])
def test_only_bundled_fonts_and_all_embedded(name: str) -> None:
    allowed = {path.removesuffix(".ttf") for path in fonts.FILES.values()}
    with pikepdf.open(BytesIO(ALL[name].pdf)) as pdf:
        found = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Font"]
        assert found
        for font in found:
            assert str(font.BaseFont).split("+")[1] in allowed
            assert "/FontFile2" in font.FontDescriptor and "/ToUnicode" in font


def test_swedish_and_suits_are_found_by_a_search() -> None:
    drawing = Drawing(90, 20)
    drawing.text(2, 10, "Åtta överspelade räkor ♠ ①", 5)
    canvas = Canvas(Size(90, 20), lang="sv", title="sök")
    canvas.paint(drawing, 0, 0)
    document = pypdfium2.PdfDocument(canvas.finish())
    page = document[0].get_textpage()
    for word in ("Åtta", "överspelade räkor", "♠", "①"):
        assert page.search(word).get_next() is not None, word
    document.close()


def test_a_back_is_stored_once_however_often_it_is_printed() -> None:
    def size(times: int) -> int:
        back = cards.back(CARDS["poker"], ACCENT).drawing
        canvas = Canvas(PAPERS["a4"], lang="en", title="t")
        for n in range(times):
            canvas.paint(back, 10 + n, 10, reuse=True)
        return len(canvas.finish())

    assert size(40) - size(1) < 1200


def test_a_shop_file_says_where_it_is_cut() -> None:
    canvas = Canvas(Size(69.5, 94.9), lang="en", title="shop")
    canvas.trim(3, 3, 63.5, 88.9, 3)
    with pikepdf.open(BytesIO(canvas.finish())) as pdf:
        page = pdf.pages[0]
        trim, bleed = ([float(n) * 25.4 / 72 for n in box] for box in (page.TrimBox, page.BleedBox))
        assert trim == pytest.approx([3, 3, 66.5, 91.9], abs=0.01)
        assert bleed == pytest.approx([0, 0, 69.5, 94.9], abs=0.01)


def test_pages_are_numbered_and_titles_may_be_swedish() -> None:
    canvas = Canvas(PAPERS["a4"], lang="sv", title="Radöverskott – korten")
    assert (canvas.pages, canvas.page(), canvas.page()) == (1, 2, 3)
    made: bytes = canvas.finish()
    with pikepdf.open(BytesIO(made)) as pdf:
        assert str(pdf.docinfo.Title) == "Radöverskott – korten" and len(pdf.pages) == 3


def test_what_is_claimed_survives_the_manifest() -> None:
    from kit.paper.expect import Expect

    made: Made = ALL["cards-a4-mini"]
    assert Expect.from_json(made.expect.to_json()) == made.expect
