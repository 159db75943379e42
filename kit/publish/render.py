"""The calls that a draft holds: top-level functions with plain arguments, run in a worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kit.faults import Fault
from kit.paper import canvas, flow, imposition
from kit.paper.expect import Made
from kit.paper.sizes import Size

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

    Raises Fault for a page that is less than a third full.
    """
    reading = flow.render(html, css, size=size, lang=lang, title=title, files=files, margin=margin)
    for number, share in enumerate(reading.fill[2:-1], 3):
        if share < LEAST_FILL:
            raise Fault(
                f"page {number} of “{title}” is only {share:.0%} full", "Shorten or lengthen the text before it"
            )
    blank = flow.render(notes, css, size=size, lang=lang, title=title, margin=margin)
    imposed = imposition.saddle(reading, paper, title=imposed_title, notes=blank, margin=margin)
    return reading, imposed
