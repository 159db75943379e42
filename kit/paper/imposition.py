"""Folding: a booklet's pages two by two on each side of a sheet (saddle stitch), or a card's four on one side."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from kit.faults import BUG, Fault
from kit.paper.expect import Expect, Made
from kit.paper.sizes import DEAD_MARGIN, TOLERANCE, Size

POINTS = 72 / 25.4
FOLD_MARK = 4.0  # mm long
STAPLES = (0.25, 0.75)  # of the spine's length


def order(count: int) -> list[tuple[int, int]]:
    """The (left, right) pages of each side of paper, front and back in turn, from the outermost sheet inwards.

    `count` is a multiple of 4: the last page lies left of the first, and so on inwards.
    """
    sides = []
    for sheet in range(count // 4):
        first, last = 2 * sheet + 1, count - 2 * sheet
        sides += [(last, first), (first + 1, last - 1)]
    return sides


def padded(count: int) -> list[int | None]:
    """The booklet's pages from 1, with None for each notes page that fills it up; they stand before the back cover."""
    lacking = -count % 4
    return [*range(1, count), *[None] * lacking, count] if count > 1 else [1, *[None] * lacking]


def saddle(
    made: Made,
    paper: Size,
    *,
    title: str,
    notes: Made | None = None,
    creep: float = 0.0,
    marks: bool = True,
    margin: float = DEAD_MARGIN,
) -> Made:
    """Impose a booklet of half pages on `paper`, lying, for duplex on the short edge, at exactly its size.

    `notes` is one page that fills the booklet up to a multiple of 4 (empty pages without it); `creep` how many mm each
    inner sheet's pages move towards the fold; `marks` puts a tick at each end of the fold and at the staples, outside
    of the dead `margin`. The copy has the language of the original, and no tags or links: ship both. Raises Fault.
    """
    import pikepdf

    sheet = paper.turned
    half = Size(made.expect.width, made.expect.height)
    if 2 * half.width > sheet.width + TOLERANCE or half.height > sheet.height + TOLERANCE:
        raise Fault(
            f"two pages of {half.width:g} x {half.height:g} mm do not fit on {sheet.width:g} x {sheet.height:g} mm",
            "Take the paper's half size for the booklet",
            code=BUG,
        )
    with pikepdf.open(BytesIO(made.pdf)) as booklet, pikepdf.new() as imposed:
        filler = pikepdf.open(BytesIO(notes.pdf)) if notes is not None else None
        pages = [
            booklet.pages[page - 1] if page is not None else filler.pages[0] if filler is not None else None
            for page in padded(len(booklet.pages))
        ]
        sides = order(len(pages))
        for number, side in enumerate(sides):
            target = imposed.add_blank_page(page_size=(sheet.width * POINTS, sheet.height * POINTS))
            shift = creep * (number // 2)
            for page, left in zip(side, (sheet.width / 2 - half.width + shift, sheet.width / 2 - shift), strict=True):
                source = pages[page - 1]
                if source is not None:
                    form = imposed.copy_foreign(source.as_form_xobject())
                    _place(target, source, form, f"/Page{page}", left, (sheet.height - half.height) / 2, half)
            if marks and number == 0:
                target.contents_add(_marks(sheet, margin))
        imposed.Root.Lang = pikepdf.String(made.expect.lang)
        imposed.Root.ViewerPreferences = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"),
            Duplex=pikepdf.Name("/DuplexFlipShortEdge"),
            PickTrayByPDFSize=True,
            DisplayDocTitle=True,
        )
        imposed.docinfo["/Title"] = title
        imposed.docinfo["/Producer"] = "kit"
        imposed.remove_unreferenced_resources()
        out = BytesIO()
        imposed.save(
            out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate, compress_streams=True
        )
        if filler is not None:
            filler.close()
    expect = Expect(
        width=sheet.width,
        height=sheet.height,
        lang=made.expect.lang,
        title=title,
        duplex="short-edge",
        pages=len(sides),
    )
    return Made(out.getvalue(), expect)


def card(made: Made, paper: Size, *, title: str, margin: float = DEAD_MARGIN) -> Made:
    """Impose four quarter pages on one side of `paper`, to be folded across with the print outwards, then like a book.

    The lower half bears the last and the first page, the upper one the second and the third, upside down, from the
    right. Ticks mark the folds at the edges, outside of the dead `margin`. No tags or links. Raises Fault.
    """
    import pikepdf

    quarter = paper.quarter
    made_size = Size(made.expect.width, made.expect.height)
    if made.expect.pages != 4 or max(abs(a - b) for a, b in zip(made_size, quarter, strict=True)) > TOLERANCE:
        raise Fault(f"“{title}” is not four pages of a quarter of the sheet", "Shorten its text", code=BUG)
    places = {4: (0.0, 1.0), 1: (1.0, 1.0), 3: (0.0, 0.0), 2: (1.0, 0.0)}  # page: quarters from the left and the top
    with pikepdf.open(BytesIO(made.pdf)) as pages, pikepdf.new() as imposed:
        target = imposed.add_blank_page(page_size=(paper.width * POINTS, paper.height * POINTS))
        for page, (across, down) in places.items():
            source = pages.pages[page - 1]
            form = imposed.copy_foreign(source.as_form_xobject())
            left, top = across * quarter.width, down * quarter.height
            _place(target, source, form, f"/Page{page}", left, top, quarter, turned=down == 0)
        target.contents_add(_fold_marks(paper, margin))
        imposed.Root.Lang = pikepdf.String(made.expect.lang)
        imposed.Root.ViewerPreferences = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"),
            Duplex=pikepdf.Name("/Simplex"),
            PickTrayByPDFSize=True,
            DisplayDocTitle=True,
        )
        imposed.docinfo["/Title"] = title
        imposed.docinfo["/Producer"] = "kit"
        imposed.remove_unreferenced_resources()
        out = BytesIO()
        imposed.save(
            out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate, compress_streams=True
        )
    expect = Expect(paper.width, paper.height, lang=made.expect.lang, title=title, duplex="simplex", pages=1)
    return Made(out.getvalue(), expect)


def _fold_marks(sheet: Size, margin: float) -> bytes:
    """Ticks at the ends of both folds."""
    lines = []
    for x1, y1, x2, y2 in (
        (sheet.width / 2, margin, sheet.width / 2, margin + FOLD_MARK),
        (sheet.width / 2, sheet.height - margin - FOLD_MARK, sheet.width / 2, sheet.height - margin),
        (margin, sheet.height / 2, margin + FOLD_MARK, sheet.height / 2),
        (sheet.width - margin - FOLD_MARK, sheet.height / 2, sheet.width - margin, sheet.height / 2),
    ):
        lines.append(f"{x1 * POINTS:.3f} {y1 * POINTS:.3f} m {x2 * POINTS:.3f} {y2 * POINTS:.3f} l")
    return f"q 0 G {0.1 * POINTS:.3f} w {' '.join(lines)} S Q\n".encode()


def _place(
    target: Any, source: Any, form: Any, name: str, left: float, top: float, half: Size, turned: bool = False
) -> None:
    """Lay a page on the sheet, in mm from the top left, by a matrix of its own: its scale is 1 to the last digit.

    `turned`: upside down in the same place.
    """
    import pikepdf

    left_edge, bottom_edge = (float(side) for side in list(source.trimbox)[:2])
    target.add_resource(form, pikepdf.Name.XObject, pikepdf.Name(name))  # a name of its own choice would be random
    x, y = left * POINTS - left_edge, float(target.mediabox[3]) - (top + half.height) * POINTS - bottom_edge
    if turned:
        x, y = x + 2 * left_edge + half.width * POINTS, y + 2 * bottom_edge + half.height * POINTS
    scale = -1 if turned else 1
    target.contents_add(f"q {scale} 0 0 {scale} {x:.5f} {y:.5f} cm {name} Do Q\n".encode())


def _marks(sheet: Size, margin: float) -> bytes:
    """Ticks on the fold line, at both ends and at the staples."""
    middle, long = sheet.width / 2, FOLD_MARK
    ticks = [(margin, margin + long), (sheet.height - margin - long, sheet.height - margin)]
    lines = [
        f"{middle * POINTS:.3f} {start * POINTS:.3f} m {middle * POINTS:.3f} {end * POINTS:.3f} l"
        for start, end in ticks
    ]
    for share in STAPLES:
        at = sheet.height * share
        lines.append(f"{(middle - 1) * POINTS:.3f} {at * POINTS:.3f} m {(middle + 1) * POINTS:.3f} {at * POINTS:.3f} l")
    return f"q 0 G {0.1 * POINTS:.3f} w {' '.join(lines)} S Q\n".encode()
