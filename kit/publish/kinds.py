"""The kinds of sheet: one function each. A new kind is a function here and a template.

A function returns drafts of one game in one language on one paper; nothing is laid out yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from markupsafe import Markup

from kit import practice as problems
from kit.faults import USAGE, Fault, nearest
from kit.paper import cards as faces
from kit.paper import mats, sheets, sizes, surfaces
from kit.paper.drawing import Drawing
from kit.publish import booklets, decks, editions, keys, pages, render, rulers
from kit.publish.sheet import DECK, Context, Draft, Maker, Series, Sheet

PAPERS = tuple(sizes.PAPERS)
CARDS = tuple(sizes.CARDS)
PROBLEMS = 8  # on a practice sheet


def sheet(context: Context, kind: str, name: str, **more: Any) -> Sheet:
    """A file of this context; its title is the kind's name and the game's. Both say which edition, unless standard."""
    word, edition = context.locale.text, context.order.edition
    title = more.pop("title", None) or f"{word('game.title', game=True)} – {context.locale.own(f'kind.{kind}')}"
    if edition not in editions.PLAIN and kind not in editions.SAME:
        title, name = f"{title} ({word(f'edition.{edition}')})", f"{name}-{edition}"
    return Sheet(kind, name, context.kit.id, context.locale.code, context.paper, title, **more)


def flowing(
    context: Context, made: Sheet, page: str, styles: tuple[str, ...], *, length: int = 0, lying: bool = False,
    **values: Any,
) -> Draft:  # fmt: skip
    """A one-document draft: a template filled, to be laid out on `length` pages (0: any), with its preview."""
    size = sizes.PAPERS[context.paper].turned if lying else sizes.PAPERS[context.paper]
    html, preview, css = pages.document(context, made, page, styles, size=size if lying else None, **values)
    call = partial(
        render.flowing, html=html, css=css, size=size, lang=made.lang, title=made.title,
        pages=length, margin=context.settings.printer.dead_margin,
    )  # fmt: skip
    return Draft((made,), call, preview)


def booklet(context: Context) -> list[Draft]:
    """The rules to read, half a sheet a page, and the same imposed to be folded; in large print a page a sheet."""
    if context.order.edition == editions.LARGE_PRINT:
        return [booklets.large_draft(context, sheet(context, "booklet", "booklet"))]
    return [
        booklets.draft(
            context, sheet(context, "booklet", "booklet"), sheet(context, "booklet_imposed", "booklet-imposed")
        )
    ]


def summary(context: Context) -> list[Draft]:
    """The rules on one page; in large print on as many as they take, without the example."""
    made = sheet(context, "summary", "summary")
    values, length = booklets.summary_page(context), 1
    if context.order.edition == editions.LARGE_PRINT:  # it may not say “on one page”
        word, length = context.locale.text, 0
        values["heading"] = f"{word('game.title', game=True)} – {word('kind.summary')}"
    return [flowing(context, made, "summary.html", ("sheet", "summary"), length=length, **values)]


def reference(context: Context) -> list[Draft]:
    """The rules on a card of four small pages: one side of a sheet, folded twice."""
    made, paper = sheet(context, "reference", "reference"), sizes.PAPERS[context.paper]
    values = booklets.reference_pages(context)
    html, preview, css = pages.document(context, made, "reference.html", ("reference",), size=paper.quarter, **values)
    call = partial(
        render.reference, html=html, css=css, size=paper.quarter, lang=made.lang, title=made.title, paper=paper,
        margin=context.settings.printer.dead_margin,
    )  # fmt: skip
    return [Draft((made,), call, preview)]


def score(context: Context) -> list[Draft]:
    """A sheet to write scores on."""
    if context.kit.engine is None and context.kit.facts.score is None:
        return []
    made = sheet(context, "score", "score")
    template = f"score_{context.kit.id if context.kit.engine else 'rules_only'}.html"
    values = context.kit.table.score(context.locale)
    large, wide = context.order.edition == editions.LARGE_PRINT, values.pop("wide", False)
    length, lying = (0, wide) if large else (1, False)
    return [flowing(context, made, template, ("sheet", "score"), length=length, lying=lying, **values)]


def cards(context: Context) -> list[Draft]:
    """The cards, with mirrored backs, fold-over or without backs; those that games share in a folder of their own."""
    kit, order, locale, word = context.kit, context.order, context.locale, context.locale.text
    size, paper = sizes.CARDS[order.card], sizes.PAPERS[context.paper]
    style = editions.style(order, shared=bool(kit.table.DECK))
    if kit.table.DECK:
        title, titled = word("deck.title"), f"{word('deck.title')} – {word('kind.cards')}"
        deck = decks.faces(locale, size, style, context.shared.cards)
    else:
        title, titled = word("game.title", game=True), ""
        deck = kit.table.cards(locale, size, kit.facts.accent, style)
    back = faces.back(size, decks.BACK if kit.table.DECK else kit.facts.accent, style.saver)
    if not deck and not order.single:  # a kit without cards
        return []
    for name in order.single:
        if name not in deck:
            raise Fault(f"{kit.id} has no card {name[:40]!r}", nearest(name, deck), code=USAGE)
    asked = list(dict.fromkeys(order.single)) or list(deck)
    chosen = [deck[name] for name in asked]
    names = [face.label for face in chosen]
    backs = order.backs or kit.table.BACKS
    fold = backs == "fold"
    grid = sheets.fold_grid(paper, size) if fold else sheets.grid(paper, size)
    count, per = grid.sheets(len(chosen)), grid.per_sheet

    how = [word("page.long_edge" if backs == "mirrored" else "page.one_sided")]
    if fold:
        how.append(word("fold.fold_note"))

    def said(key: str, number: int) -> str:
        first, last = names[number * per], names[min((number + 1) * per, len(names)) - 1]
        facts: dict[str, Any] = {
            "title": title,
            "card": word(f"paper.{order.card}"),
            "sheet": number + 1,
            "sheets": count,
        }
        named = word(f"cards.{key}_sheet", **facts, first=first, last=last)
        return named if key == "back" else " · ".join([named, *how])

    side = "again" if order.single else "fold" if fold else "front"
    options = editions.style_names(style, shared=bool(kit.table.DECK))
    parts = ["cards", order.card, *options]
    if kit.table.DECK and len(deck) < len(decks.NAMES):
        parts.insert(2, str(len(deck)))
    if kit.table.DECK and order.ace:
        parts.append(f"ace-{order.ace.lower()}")
    if backs != kit.table.BACKS:
        parts.append({"mirrored": "backs", "fold": "fold", "none": "no-backs"}[backs])
    if order.single:
        parts.append("single")
    kind = "cards_fold" if fold else "cards"
    if not titled:
        titled = f"{title} – {locale.own(f'kind.{kind}')}"
    elif fold:
        titled = f"{title} – {word('kind.cards_fold')}"
    if options:
        titled += f" ({', '.join(word(f'edition.{option}') for option in options)})"
    made = Sheet(
        kind, "-".join(parts), DECK if kit.table.DECK else kit.id, locale.code, context.paper, titled, card=order.card,
        games=context.shared.games if kit.table.DECK else (),
    )  # fmt: skip
    words = sheets.SheetWords(
        title=made.title,
        print_at=word("page.print_at_100"),
        top=word("page.top"),
        block=word(
            "page.block",
            width=locale.number(round(grid.block.width, 2)),
            height=locale.number(round(grid.block.height, 2)),
        ),
        fronts=tuple(said(side, n) for n in range(count)),
        backs=tuple(said("back", n) for n in range(count)),
        fold=word("page.fold_here"),
        inch=word("page.inch_unit"),
    )
    printer = context.settings.printer
    given: dict[str, Any] = {"faces": tuple(chosen), "paper": paper, "card": size, "words": words, "lang": locale.code}
    given["saver"] = style.saver  # black only
    if fold:
        return [Draft((made,), partial(render.one, sheets.fold_sheets, back=back, **given))]
    offset = (printer.back_offset_x, printer.back_offset_y) if backs == "mirrored" else (0.0, 0.0)
    shown = back if backs == "mirrored" else None
    given |= {"back": shown, "back_offset": offset, "spares": not order.single}
    return [Draft((made,), partial(render.one, sheets.card_sheets, **given))]


def mat(context: Context) -> list[Draft]:
    """The mats with true card places."""
    kit, locale, card, paper = context.kit, context.locale, context.order.card, sizes.PAPERS[context.paper]
    laid = kit.table.mats(locale, sizes.CARDS[card], paper, kit.facts.accent)
    return [_mat(context, name, surface, paper) for name, surface in laid.items()]


def _mat(context: Context, name: str, surface: surfaces.Surface, paper: sizes.Size) -> Draft:
    word, card = context.locale.text, context.order.card
    said = word(f"mat.{name or 'title'}", game=True)
    title = f"{word('game.title', game=True)} – {said}"
    made = sheet(context, "mat", "-".join(filter(None, ("mat", name.replace("_", "-"), card))), card=card, title=title)
    count = surfaces.count(surface, paper)
    facts: dict[str, Any] = {"title": said, "card": word(f"paper.{card}"), "sheets": count}
    words = mats.MatWords(
        title=made.title,
        print_at=word("page.print_at_100"),
        sheets=tuple(f"{word('mat.sheet', sheet=n + 1, **facts)} · {word('page.one_sided')}" for n in range(count)),
        cut=word("page.cut_here"),
        glue=word("page.glue_here"),
        inch=word("page.inch_unit"),
    )
    given: dict[str, Any] = {"surface": surface, "paper": paper, "words": words, "lang": made.lang}
    given["saver"] = context.order.edition == editions.INK_SAVER
    return Draft((made,), partial(render.one, surfaces.sheets, **given))


def plan(context: Context) -> list[Draft]:
    """Pages that show how the table is laid, for a game that has them."""
    kit, card = context.kit, context.order.card
    calls = kit.table.plans(context.locale, sizes.CARDS[card], sizes.PAPERS[context.paper], kit.facts.accent)
    drafts = []
    for name, call in calls.items():
        made = sheet(context, "plan", f"{name}-{card}", card=card)
        drafts.append(Draft((made,), _plan(context, call, made)))
    return drafts


def _plan(context: Context, call: partial[Any], made: Sheet) -> partial[Any]:
    saver = context.order.edition == editions.INK_SAVER
    return partial(render.one, call.func, saver=saver, **call.keywords, title=made.title)


def practice(context: Context) -> list[Draft]:
    """Practice sheets, and apart from them the host's keys; none for a game whose practice is not made."""
    if context.order.practice:
        asked = [series for series in context.order.practice if series.order.game == context.kit.id]
        return [draft for series in asked for draft in practice_sheets(context, series)]
    drafts: list[Draft] = []
    for letter in context.kit.table.PRINTED:
        order = problems.order(context.kit.id, letter, count=PROBLEMS, seed=1)
        drafts += practice_sheets(context, Series(order, order.sheet), f"practice-{letter}")
    return drafts


def practice_sheets(context: Context, series: Series, name: str = "") -> list[Draft]:
    """A file of sheets and a file of their keys; without a `name` they are named after their codes.

    The sheets' draft is made of questions alone.
    """
    found, word = made(series), context.locale.text
    title = f"{word('game.title', game=True)} – {_practice_title(context, series.order.kind)}"
    code = found[0][0].code
    if series.count > 1:
        name = name or f"practice-{code}-{series.count}-sheets"
        code = f"{code} – {found[-1][0].code}"
        whole = f"{title} ({word('count.sheets', n=series.count)})"
    else:
        name, whole = name or f"practice-{code}", title
    players = sheet(context, "practice", name, title=whole, code=code)
    host = sheet(
        context, "key", f"{name}-key", title=f"{whole} – {word('key.title')}", audience="host", code=code
    )  # fmt: skip
    drafts = []
    names = [f"{one.code} · {word('practice.sheet', number=n)}" for n, (one, _) in enumerate(found, series.first)]
    if context.order.audience != "host":
        asked = [_asked(context, series, name, one, title) for name, (one, _) in zip(names, found, strict=True)]
        drafts.append(_joined(context, players, "practice", asked))
    if context.order.audience != "players":
        heading = f"{title} – {word('key.title')}"
        answered = [keys.values(context, heading, name, key) for name, (_, key) in zip(names, found, strict=True)]
        drafts.append(_joined(context, host, "key", answered))
    return drafts


@lru_cache(maxsize=16)
def made(series: Series) -> list[tuple[problems.Sheet, problems.Key]]:
    """The sheets of a series and their keys; the same ones for every language and paper."""
    if series.count == 1:
        return [problems.sheet_and_key(series.order)]
    return problems.sheets_and_keys(series.order)[series.first - 1 :]


def _practice_title(context: Context, kind: str) -> str:
    if kind == problems.EVERY:
        return context.locale.text("practice.mixed_title")
    return context.locale.text(f"practice.{kind}_title", game=True)


def _asked(context: Context, series: Series, name: str, asked: problems.Sheet, title: str) -> dict[str, Any]:
    """What a sheet's template prints. Of one kind so many problems fill a page; of several, they flow kind by kind."""
    word, kit, kind = context.locale.text, context.kit, series.order.kind
    parts: dict[str, list[dict[str, Any]]] = {}
    for question in asked.questions:
        parts.setdefault(question.kind, []).append(kit.table.question(context.locale, question, kit.facts.accent))
    values: dict[str, Any] = {
        "practice_kind": kind,
        "problem_template": f"practice_{kit.id}.html",
        "heading": title,
        "code": name,
        "qr": qr(asked.code),
    }
    if kind == problems.EVERY:
        told = [
            {"kind": letter, "title": _practice_title(context, letter),
             "about": word(f"practice.{letter}_about", game=True), "problems": drawn}
            for letter, drawn in parts.items()
        ]  # fmt: skip
        return {**values, "about": word("practice.mixed_about"), "parts": told, "length": 0}
    drawn, per_page = parts[kind], kit.table.PER_PAGE[kind]
    pages = [drawn[n : n + per_page] for n in range(0, len(drawn), per_page)]
    return {**values, "about": word(f"practice.{kind}_about", game=True), "pages": pages, "length": len(pages)}


def _joined(context: Context, made: Sheet, kind: str, filled: list[dict[str, Any]]) -> Draft:
    """One document, with its preview; or several joined into one file, by the names of the sheets in its outline."""
    page, styles = "practice_mixed.html" if "parts" in filled[0] else f"{kind}.html", ("sheet", kind)
    if len(filled) == 1:
        return flowing(context, made, page, styles, **filled[0])
    documents = []
    for values in filled:
        length = values.pop("length", 0)
        html, _, css = pages.document(context, made, page, styles, **values)
        documents.append((values["code"], html, length))
    call = partial(
        render.series, documents=tuple(documents), css=css, size=sizes.PAPERS[context.paper], lang=made.lang,
        title=made.title, margin=context.settings.printer.dead_margin,
    )  # fmt: skip
    return Draft((made,), call, documents=len(documents))


def qr(code: str) -> Markup:
    """The code as a QR code that holds the same text."""
    import segno

    matrix = [list(row) for row in segno.make(code, error="m", boost_error=False, micro=False).matrix]
    side, cell = len(matrix), 0.55
    drawing = Drawing(side * cell, side * cell)
    for y, row in enumerate(matrix):
        for x, dark in enumerate(row):
            if dark:
                drawing.rect(x * cell, y * cell, cell, cell, fill="#111111")
    return pages.safe(drawing.svg(code))


def ruler_page(context: Context) -> list[Draft]:
    """The page that proves the printer's scale, and for mirrored backs the one that finds how far off they land."""
    found = [rulers.ruler_draft(context, sheet(context, "ruler", "ruler"))]
    decked = context.kit.engine is not None or context.kit.facts.deck is not None
    if decked and (context.order.backs or context.kit.table.BACKS) == "mirrored":
        found.append(rulers.offset_draft(context, sheet(context, "backs", "back-offset")))
    return found


KINDS: Mapping[str, Maker] = {
    "booklet": booklet,
    "summary": summary,
    "reference": reference,
    "score": score,
    "cards": cards,
    "mat": mat,
    "plan": plan,
    "practice": practice,
    "ruler": ruler_page,
}
