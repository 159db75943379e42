"""The ruler page and the back offset page, worded."""

from __future__ import annotations

from functools import partial

from kit.language.locale import Locale
from kit.paper import mats, ruler, sheets, sizes
from kit.publish import render
from kit.publish.sheet import Context, Draft, Sheet

GOOD = (99.5, 100.5)  # mm: what the 100 mm bar may measure
FITTED = 96.0  # mm: what it measures when "fit to page" is on, on most printers
STOCK, PLAIN = (200, 300), (80, 100)  # g/m²
CORNER = 3  # mm


def ruler_draft(context: Context, made: Sheet) -> Draft:
    """The page to print first."""
    word = context.locale.text
    words = ruler.RulerWords(
        title=made.title,
        print_at=word("page.print_at_100"),
        bars=word("ruler.intro"),
        bank_card=word("ruler.bank_card"),
        sections=(
            (word("ruler.meaning"), tuple(_readings(context.locale))),
            (word("ruler.sheets"), tuple(_sheets(context))),
            (word("ruler.weights"), _weights(context.locale)),
            (word("ruler.cutting"), _cutting(context.locale)),
        ),
    )
    return Draft((made,), partial(render.one, ruler.ruler_page, paper=sizes.PAPERS[context.paper], words=words, lang=made.lang))


def _readings(locale: Locale) -> list[str]:
    """What each reading of the 100 mm bar means, and its cure."""
    word, number = locale.text, locale.number
    a4, letter = sizes.PAPERS["a4"], sizes.PAPERS["letter"]
    on_a4, on_letter = round(100 * a4.width / letter.width, 1), round(100 * letter.height / a4.height, 1)
    percent = number(round(100 * 100 / FITTED))
    told = [
        (word("ruler.mm_range", low=number(GOOD[0]), high=number(GOOD[1])), "good", {}),
        (word("ruler.mm_exactly", length=number(FITTED)), "fit", {"percent": percent, "length": number(FITTED)}),
        (word("ruler.mm_exactly", length=number(on_a4)), "letter_on_a4", {}),
        (word("ruler.mm_exactly", length=number(on_letter)), "a4_on_letter", {}),
        (word("ruler.mm_over", length=number(GOOD[1])), "large", {}),
    ]
    lines = [f"{reading}: {word(f'ruler.{key}')} {word(f'ruler.{key}_cure', **facts)}" for reading, key, facts in told]
    return [*lines, f"{word('ruler.uneven')} {word('ruler.uneven_cure')}"]


def _sheets(context: Context) -> list[str]:
    """How much paper the parts take that are laid out exactly."""
    locale, kit = context.locale, context.kit
    card, paper = sizes.CARDS[context.order.card], sizes.PAPERS[context.paper]
    deck = kit.table.cards(locale, card, kit.facts.accent)
    counts = [
        (f"{locale.text('kind.cards')} ({locale.text(f'paper.{context.order.card}')})", sheets.grid(paper, card).sheets(len(deck)), "card_stock"),
        (locale.text("kind.mat"), mats.tiling(kit.table.mat_of(locale, card, kit.facts.accent), paper).count, "plain_paper"),
        (locale.text("kind.score"), 1, "plain_paper"),
        (locale.text("kind.summary"), 1, "plain_paper"),
    ]
    return [f"{what}: {locale.text('count.sheets', n=count)}, {locale.text(f'ruler.{stock}')}" for what, count, stock in counts]


def _weights(locale: Locale) -> tuple[str, ...]:
    low, high = map(locale.number, STOCK)
    plain_low, plain_high = map(locale.number, PLAIN)
    return (locale.text("ruler.weight_cards", low=low, high=high), locale.text("ruler.weight_other", low=plain_low, high=plain_high))


def _cutting(locale: Locale) -> tuple[str, ...]:
    return tuple(locale.text(f"ruler.cutting_{n}", radius=locale.number(CORNER)) for n in range(1, 5))


def offset_draft(context: Context, made: Sheet) -> Draft:
    """The page pair that finds the back offset of a printer."""
    word, number = context.locale.text, context.locale.number
    printer = context.settings.printer
    offset = (printer.back_offset_x, printer.back_offset_y)
    words = ruler.OffsetWords(
        title=made.title,
        front=(word("backs.intro"), *(f"{n}. {word(f'backs.step_{n}')}" for n in range(1, 6)), word("backs.unsure")),
        back=word("page.back"),
        top=word("page.top"),
        across=tuple(f"x {number(step)}" for step in ruler.offset_steps(offset[0])),
        down=tuple(f"y {number(step)}" for step in ruler.offset_steps(offset[1])),
    )
    call = partial(
        render.one, ruler.offset_pages, paper=sizes.PAPERS[context.paper], words=words, lang=made.lang, back_offset=offset
    )
    return Draft((made,), call)
