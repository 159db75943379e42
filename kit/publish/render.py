"""The calls that a draft holds: top-level functions with plain arguments, run in a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
LARGE_SETTINGS = (  # of one in large print, which only grows
    "",
    "html { line-height: 1.42 }",
    "html { line-height: 1.5 } .rules h2 { margin-top: 12mm }",
    "html { line-height: 1.38 } p, ul, ol, dl, table, figure { margin-bottom: 5mm }",
    "html { font-size: 18.5pt; line-height: 1.38 }",
    "html { font-size: 19pt }",
    "html { font-size: 19pt; line-height: 1.42 }",
    "html { font-size: 20pt }",
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

    Raises Fault for a page less than a third full that no setting fills.
    """
    reading, share, page = _fullest(SETTINGS, html, css, size=size, lang=lang, title=title, files=files, margin=margin)
    if share < LEAST_FILL:
        raise Fault(f"page {page} of “{title}” is only {share:.0%} full", "Shorten or lengthen the text before it")
    blank = flow.render(notes, css, size=size, lang=lang, title=title, margin=margin)
    imposed = imposition.saddle(reading, paper, title=imposed_title, notes=blank, margin=margin)
    return reading, imposed


def large(html: str, css: str, **given: Any) -> tuple[Made, ...]:
    """The booklet in large print, its pages as full as a setting makes them."""
    return (_fullest(LARGE_SETTINGS, html, css, **given)[0],)


def _fullest(settings: Sequence[str], html: str, css: str, **given: Any) -> tuple[Made, float, int]:
    """A booklet, how full its emptiest page is, and its number; cover, contents and the last page do not count.

    Where what is kept whole leaves a page less than a third full, the text is set a little otherwise and laid out anew.
    """
    tried = []
    for setting in settings:
        made = flow.render(html, css + setting, **given)
        share, page = min((share, page) for page, share in enumerate(made.fill[2:-1], 3))
        if share >= LEAST_FILL:
            return made, share, page
        tried.append((made, share, page))
    return max(tried, key=lambda found: found[1])


def joined(parts: tuple[joining.Part, ...], lang: str, title: str, duplex: Duplex) -> tuple[Made, ...]:
    """Finished documents as one to print."""
    return (joining.join(parts, lang=lang, title=title, duplex=duplex),)
