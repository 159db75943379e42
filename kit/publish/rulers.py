"""The ruler page and the back offset page, worded."""

from __future__ import annotations

from functools import partial
from typing import Any

from kit.language.locale import Locale
from kit.paper import ruler, sheets, sizes, surfaces
from kit.publish import render
from kit.publish.sheet import Context, Draft, Sheet

GOOD = (99.5, 100.5)  # mm: what the 100 mm bar may measure
FITTED = (96, 97)  # mm: what it measures when "fit to page" is on, on most printers
STOCK, PLAIN = (200, 300), (80, 100)  # g/m²
CORNER = 3  # mm


def ruler_draft(context: Context, made: Sheet) -> Draft:
    """The page to print first."""
    word = context.locale.text
    words = ruler.RulerWords(
        title=made.title,
        print_at=f"{word('page.print_at_100')} · {word('page.one_sided')}",
        bars=word("ruler.bars", mm=100, inch=4),
        bank_card=word("ruler.bank_card", **_size(context.locale, sizes.BANK_CARD)),
        inch=word("page.inch_unit"),
        beside=(word("ruler.sheets_title"), tuple(_sheets(context))),
        sections=(
            (word("ruler.read_title"), tuple(_readings(context.locale)[:2])),
            *(("", (reading,)) for reading in _readings(context.locale)[2:]),
            (word("ruler.paper_title"), _papers(context.locale)),
            (
                word("ruler.cut_title"),
                tuple(word(f"ruler.cut_{n}") for n in (1, 2, 3)) + (word("ruler.cut_4", radius=CORNER),),
            ),
        ),
    )
    call = partial(render.one, ruler.ruler_page, paper=sizes.PAPERS[context.paper], words=words, lang=made.lang)
    return Draft((made,), call)


def _size(locale: Locale, size: sizes.Size) -> dict[str, Any]:
    return {"width": locale.number(size.width), "height": locale.number(size.height)}


def _readings(locale: Locale) -> list[str]:
    """What each reading of the 100 mm bar means, and its cure."""
    number = locale.number
    a4, letter = sizes.PAPERS["a4"], sizes.PAPERS["letter"]
    fit = {"low": FITTED[0], "high": FITTED[1], "percent": round(100 * 100 / FITTED[0]), "length": FITTED[0]}
    told: list[tuple[str, dict[str, Any]]] = [
        ("good", {"low": GOOD[0], "high": GOOD[1]}),
        ("fit", fit),
        ("letter_on_a4", {"length": round(100 * a4.width / letter.width, 1)}),
        ("a4_on_letter", {"length": round(100 * letter.height / a4.height, 1)}),
        ("large", {"length": GOOD[1]}),
        ("other", {}),
        ("uneven", {}),
        ("inch", {"inch": 4, "mm": 4 * 25.4}),
    ]
    return [
        locale.text(f"ruler.read_{key}", False, None, **{name: number(n) for name, n in facts.items()})
        for key, facts in told
    ]


def _sheets(context: Context) -> list[str]:
    """How much paper the parts take that are laid out exactly."""
    locale, kit = context.locale, context.kit
    card, paper = sizes.CARDS[context.order.card], sizes.PAPERS[context.paper]
    deck = kit.table.cards(locale, card, kit.facts.accent)
    cards = f"{locale.text('kind.cards')} ({locale.text(f'paper.{context.order.card}')})"
    laid = kit.table.mats(locale, card, paper, kit.facts.accent)
    mats = sorted({surfaces.count(surface, paper) for surface in laid.values()})
    counts = [
        (cards, [sheets.grid(paper, card).sheets(len(deck))], "card_stock"),
        (locale.own("kind.mat"), mats, "plain_paper"),
        (locale.text("kind.score"), [1], "plain_paper"),
        (locale.text("kind.summary"), [1], "plain_paper"),
        (locale.text("kind.backs"), [1], "plain_paper"),
    ]
    return [
        locale.text(
            "ruler.sheets_line",
            what=what,
            sheets=locale.join([*map(locale.number, some[:-1]), locale.text("count.sheets", n=some[-1])], "or"),
            paper=locale.text(f"ruler.{stock}"),
        )
        for what, some, stock in counts
        if some
    ]


def _papers(locale: Locale) -> tuple[str, ...]:
    """Which paper is right, by weight."""
    stocks = (("cards", STOCK), ("other", PLAIN))
    return tuple(
        locale.text(f"ruler.paper_{what}", low=locale.number(low), high=locale.number(high))
        for what, (low, high) in stocks
    )


def offset_draft(context: Context, made: Sheet) -> Draft:
    """The page pair that finds the back offset of a printer."""
    word, number = context.locale.text, context.locale.number
    printer = context.settings.printer
    offset = (printer.back_offset_x, printer.back_offset_y)
    words = ruler.OffsetWords(
        title=made.title,
        front=(word("backs.intro"), *(word(f"backs.step_{n}") for n in range(1, 5)), word("backs.unsure")),
        back=word("backs.back"),
        top=word("page.top"),
        across=tuple(word("backs.across", offset=number(step)) for step in ruler.offset_steps(offset[0])),
        down=tuple(word("backs.down", offset=number(step)) for step in ruler.offset_steps(offset[1])),
        inch=word("page.inch_unit"),
    )
    call = partial(
        render.one,
        ruler.offset_pages,
        paper=sizes.PAPERS[context.paper],
        words=words,
        lang=made.lang,
        back_offset=offset,
    )
    return Draft((made,), call)
