"""The calls that a draft holds: top-level functions with plain arguments, run in a worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kit.faults import Fault
from kit.paper import canvas, flow, imposition, joining
from kit.paper.expect import Duplex, Made
from kit.paper.sizes import Size

SETTINGS = (  # of a booklet's text, in the order in which they are tried
    "",
    "html { line-height: 1.36 } p, ul, ol, dl, table, figure { margin-bottom: 2mm }",
    "html { line-height: 1.47 } .rules h2 { margin-top: 8mm }",
    "html { line-height: 1.32 } p, ul, ol, dl, table, figure { margin-bottom: 1.8mm } .rules h2 { margin-top: 4mm }",
)
LEAST_FILL = 1 / 3  # of its height, for every page but the cover, the contents and the last


def one(call: Callable[..., Made], saver: bool = False, **given: Any) -> tuple[Made, ...]:
    """One document of the paper room; with `saver` in black only, without tints."""
    with canvas.ink_saved(saver):
        return (call(**given),)


def flowing(pages: int = 0, **given: Any) -> tuple[Made, ...]:
    """One flowing document. Raises Fault when it does not take exactly `pages` pages (0: as many as it takes)."""
    made = flow.render(**given)
    if pages and made.expect.pages != pages:
        raise Fault(
            f"“{given['title']}” takes {made.expect.pages} pages, not {pages}",
            "Shorten its words, or give them more room",
        )
    return (made,)


def series(
    documents: tuple[tuple[str, str, int], ...], css: str, size: Size, lang: str, title: str, margin: float
) -> tuple[Made, ...]:
    """Documents (name, HTML, pages or 0) laid out each by itself and joined into one to print, each from a new page."""
    parts = []
    for name, html, pages in documents:
        (made,) = flowing(pages, html=html, css=css, size=size, lang=lang, title=title, margin=margin)
        parts.append(joining.Part(name, "", made.expect, made.pdf))
    return (joining.join(parts, lang=lang, title=title, duplex="simplex"),)


def reference(html: str, css: str, size: Size, lang: str, title: str, paper: Size, margin: float) -> tuple[Made, ...]:
    """The reference card: four small pages on one side of a sheet. Raises Fault when its text takes more."""
    made = flow.render(html, css, size=size, lang=lang, title=title, margin=margin)
    if made.expect.pages != 4:
        raise Fault(f"“{title}” takes {made.expect.pages} small pages, not 4", "Shorten the summary")
    return (imposition.card(made, paper, title=title, margin=margin),)


def booklet(
    html: str,
    notes: str,
    css: str,
    size: Size,
    paper: Size,
    lang: str,
    title: str,
    imposed_title: str,
    files: dict[str, bytes],
    margin: float,
) -> tuple[Made, ...]:
    """The booklet to read, and the same imposed two-up with pages for notes where the last sheet has room.

    Where an example that is kept whole leaves a page less than a third full, the text is set a little tighter or wider
    and laid out again. Raises Fault for a page that no setting fills.
    """
    for setting in SETTINGS:
        reading = flow.render(html, css + setting, size=size, lang=lang, title=title, files=files, margin=margin)
        shares = dict(enumerate(reading.fill[2:-1], 3))
        emptiest = min(shares, key=lambda page: shares[page])
        if shares[emptiest] >= LEAST_FILL:
            break
    else:
        raise Fault(
            f"page {emptiest} of “{title}” is only {shares[emptiest]:.0%} full",
            "Shorten or lengthen the text before it",
        )
    blank = flow.render(notes, css, size=size, lang=lang, title=title, margin=margin)
    imposed = imposition.saddle(reading, paper, title=imposed_title, notes=blank, margin=margin)
    return reading, imposed


def joined(parts: tuple[joining.Part, ...], lang: str, title: str, duplex: Duplex) -> tuple[Made, ...]:
    """Finished documents as one to print."""
    return (joining.join(parts, lang=lang, title=title, duplex=duplex),)
