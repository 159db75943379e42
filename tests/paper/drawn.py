"""What the tests of drawn sheets share: words, small makers, and eyes that are not kit's own."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pdfplumber

from kit.paper import cards, mats, ruler, sheets
from kit.paper.expect import Box, Made
from kit.paper.sizes import CARDS, PAPERS, Size

MM = 25.4 / 72
ACCENT = "#0b6e6e"
EVERY = [(paper, card) for paper in PAPERS for card in CARDS]


def words(count: int, at: sheets.Grid | None = None) -> sheets.SheetWords:
    wide, high = (f"{n:g}".replace(".", ",") for n in (at.block if at else (1, 1)))
    return sheets.SheetWords(
        "Radöverskott: korten", "Skriv ut i 100 %, aldrig ”anpassa till sidan”.", "upp",
        f"alla kort: {wide} × {high} mm",
        tuple(f"kort, ark {n + 1} av {count}" for n in range(count)),
        tuple(f"baksidor till ark {n + 1}" for n in range(count)), "vik här",
    )  # fmt: skip


def fronts(paper: str, card: str, count: int = 24, **options: Any) -> Made:
    size = CARDS[card]
    faces = [cards.number_card(n, 24, size, ACCENT) for n in range(1, count + 1)]
    at = sheets.grid(PAPERS[paper], size)
    return sheets.card_sheets(faces, PAPERS[paper], size, words(at.sheets(count), at), lang="sv", **options)


def folded(paper: str, card: str) -> Made:
    size = CARDS[card]
    faces = [cards.number_card(n, 24, size, ACCENT) for n in range(1, 25)]
    at = sheets.fold_grid(PAPERS[paper], size)
    back = cards.back(size, ACCENT)
    return sheets.fold_sheets(faces, PAPERS[paper], size, words(at.sheets(24), at), lang="sv", back=back)


def row_mat(paper: str, card: str, plan: str = "") -> Made:
    mat = mats.row_mat(CARDS[card], PAPERS[paper], [f"Rad {n}" for n in range(1, 5)], 4, "full: ta alla fyra", ACCENT)
    count = mats.tiling(mat, PAPERS[paper]).count
    said = mats.MatWords(
        "Radmatta", "Skriv ut i 100 %", tuple(f"ark {n + 1}" for n in range(count)), "klipp här", "klistra här", plan
    )
    return mats.mat_sheets(mat, PAPERS[paper], said, lang="sv")


def ruler_page(paper: str, paragraphs: int = 2) -> Made:
    said = ruler.RulerWords(
        "Linjalsidan", "Skriv ut i 100 %", "Lägg en linjal på staplarna.", "Lägg ett bankkort på ramen.",
        ("Så många ark behövs", ("Kort: 3 ark, kartong", "Spelmatta: 2 ark")),
        tuple((f"Avsnitt {n}", ("Åtta ord som står här för att fylla raden.",) * paragraphs) for n in range(4)),
    )  # fmt: skip
    return ruler.ruler_page(PAPERS[paper], said, lang="sv")


def offset_pages(paper: str, back_offset: tuple[float, float] = (0.0, 0.0)) -> Made:
    across, down = (
        tuple(f"{axis} {v:+.1f}" for v in ruler.offset_steps(o)) for axis, o in zip("xy", back_offset, strict=True)
    )
    said = ruler.OffsetWords("Hitta förskjutningen", ("Håll arket mot ljuset.",), "Baksidan", "upp", across, down)
    return ruler.offset_pages(PAPERS[paper], said, lang="sv", back_offset=back_offset)


def everything() -> dict[str, Made]:
    """One of each kind of sheet on each paper and card."""
    made = {}
    for paper, card in EVERY:
        made[f"cards-{paper}-{card}"] = fronts(paper, card, back=cards.back(CARDS[card], ACCENT), back_offset=(0.5, -1))
        made[f"fold-{paper}-{card}"] = folded(paper, card)
        made[f"mat-{paper}-{card}"] = row_mat(paper, card)
    for paper in PAPERS:
        made[f"ruler-{paper}"] = ruler_page(paper)
        made[f"offset-{paper}"] = offset_pages(paper, (0.5, -1.0))
    return made


class Seen:
    """A PDF as pdfplumber sees it, in mm."""

    def __init__(self, pdf: bytes) -> None:
        self.pdf = pdfplumber.open(BytesIO(pdf))
        self.pages = self.pdf.pages

    def rects(self, page: int) -> list[tuple[float, float, float, float]]:
        """x, y, width and height of every rectangle."""
        return [
            (r["x0"] * MM, r["top"] * MM, (r["x1"] - r["x0"]) * MM, (r["bottom"] - r["top"]) * MM)
            for r in self.pages[page - 1].rects
        ]

    def has(self, box: Box, off: float = 0.05) -> bool:
        wanted = (box.x, box.y, box.width, box.height)
        return any(max(abs(a - b) for a, b in zip(rect, wanted, strict=True)) <= off for rect in self.rects(box.page))

    def text(self, page: int, box: Box | None = None) -> str:
        def inside(x: float, y: float) -> bool:
            return box is None or (box.x < x < box.x + box.width and box.y < y < box.y + box.height)

        middles = (
            (c, (c["x0"] + c["x1"]) / 2 * MM, (c["top"] + c["bottom"]) / 2 * MM) for c in self.pages[page - 1].chars
        )
        return "".join(c["text"] for c, x, y in middles if inside(x, y))


def raster(pdf: bytes, page: int, dpi: int = 100) -> Any:
    """The page as a PIL image in grey."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        return document[page - 1].render(scale=dpi / 72).to_pil().convert("L")
    finally:
        document.close()


def drawn(drawing: Any, size: Size | None = None) -> bytes:
    """A PDF of one page that holds just this drawing."""
    from kit.paper.canvas import Canvas

    canvas = Canvas(size or Size(drawing.width, drawing.height), lang="sv", title="prov")
    canvas.paint(drawing, 0, 0)
    return canvas.finish()
