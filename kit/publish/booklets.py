"""The rule booklet and the summary: rules text with slots filled by the engine, worked examples, pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from kit.faults import Fault, Faults, nearest
from kit.files import read_bytes
from kit.files import shown as place
from kit.language import markdown
from kit.language.markdown import Slot
from kit.paper import pictures
from kit.paper.sizes import PAPERS
from kit.publish import examples, pages, render, story
from kit.publish.sheet import Context, Draft, Sheet

PARTS = ("ruler", "cards", "mat", "score", "summary", "booklet_imposed")  # what the inside of the cover lists
PICTURE_LIMIT = 8 * 1024**2  # bytes


def large_draft(context: Context, made: Sheet) -> Draft:
    """The booklet in large print: on whole pages, to be read as it is."""
    size = PAPERS[context.paper]
    values = booklet(context, size.width)
    files = pictures_of(context, values.pop("images"), values.pop("places"))
    html, preview, css = pages.document(context, made, "booklet.html", ("booklet",), size=size, **values)
    for name, data in files.items():
        preview = preview.replace(f'src="{name}"', f'src="{pictures.data_uri(name, data)}"')
    call = partial(
        render.large, html=html, css=css, size=size, lang=made.lang, title=made.title, files=files,
        margin=context.settings.printer.dead_margin,
    )  # fmt: skip
    return Draft((made,), call, preview)


def draft(context: Context, reading: Sheet, imposed: Sheet) -> Draft:
    """The booklet in reading order and its imposed copy."""
    half, paper = PAPERS[context.paper].half, PAPERS[context.paper]
    values = booklet(context, half.width)
    files = pictures_of(context, values.pop("images"), values.pop("places"))
    html, preview, css = pages.document(context, reading, "booklet.html", ("booklet",), size=half, **values)
    for name, data in files.items():
        preview = preview.replace(f'src="{name}"', f'src="{pictures.data_uri(name, data)}"')
    notes, _, _ = pages.document(context, imposed, "notes.html", ("booklet",), size=half)
    call = partial(
        render.booklet, html=html, notes=notes, css=css, size=half, paper=paper, lang=reading.lang, title=reading.title,
        imposed_title=imposed.title, files=files, margin=context.settings.printer.dead_margin,
    )  # fmt: skip
    return Draft((reading, imposed), call, preview)


def booklet(context: Context, width: float) -> dict[str, Any]:
    """What the booklet's template prints; `width` of its page in mm."""
    kit, locale = context.kit, context.locale
    rules = markdown.rules(context.content, kit.id, locale, kit.rules, partial(resolve, context))
    word, facts = locale.text, common_facts(context)
    low, high = kit.players[0], kit.players[-1]
    known = load_examples(context)
    cover = known[kit.table.COVER_EXAMPLE] if kit.engine is not None else None
    position, events = (cover.positions[-1], cover.events[-1]) if cover else (None, ())
    return {
        "images": rules.images,
        "parts": [part for part in PARTS if part not in _lacks(context)],
        "places": rules.places,
        "subtitle": word("game.subtitle", game=True, **facts),
        "needs": [word(f"game.needs.{n}", game=True, **facts) for n in range(len(kit.facts.needs))],
        "players": locale.number(low)
        if low == high
        else word("booklet.range", low=locale.number(low), high=locale.number(high)),
        "minutes": word(
            "booklet.range", low=locale.number(kit.facts.minutes[0]), high=locale.number(kit.facts.minutes[1])
        ),
        "cover": pages.safe(kit.table.cover(locale, position, events, kit.facts.accent, 0.5 * width)),
        "sections": [
            section._replace(html=pages.safe(section.html), title=pages.safe(section.title))
            for section in rules.sections
        ],
        "summary": summary_blocks(context),
    }


def _lacks(context: Context) -> set[str]:
    """The kinds of sheet that this kit has not, of those that a kit can be without."""
    kit = context.kit
    if kit.engine is not None:
        return set()
    lacks = {"cards": kit.facts.deck is None, "mat": True, "score": kit.facts.score is None}
    return {kind for kind, lacking in lacks.items() if lacking}


def pictures_of(context: Context, names: tuple[str, ...], places: Mapping[str, tuple[str, int]]) -> dict[str, bytes]:
    """The pictures that the rules name, by name. Raises Faults for those that cannot be printed, where they stand."""
    found, faults = {}, []
    for name in names:
        path = f"{context.kit.id}/assets/{name}"
        found[name] = read_bytes(context.content, path, PICTURE_LIMIT)
        try:
            pictures.check(name, found[name])
        except Fault as fault:
            fault.path, fault.line = places[name]
            faults.append(fault)
    if faults:
        raise Faults(faults)
    return found


def load_examples(context: Context) -> dict[str, examples.Example]:
    """Every example of the kit by name, played and checked."""
    return {
        name: examples.load(context.content, context.kit, name)
        for name in examples.names(context.content, context.kit.id)
    }


def common_facts(context: Context) -> dict[str, Any]:
    """The slots that every text of the game may use: the engine's facts, and `{rule:…}`."""
    facts: dict[str, Any] = {name: context.locale.number(value) for name, value in context.kit.values.items()}
    return facts | {f"rule:{rule}": story.paragraph(rule) for rule in context.kit.rules}


def resolve(context: Context, slot: Slot) -> str:
    """The HTML of a slot of the rules text. Raises Fault; the caller adds its line."""
    kit, locale = context.kit, context.locale
    if slot.kind == "fact":
        facts = kit.values
        if slot.argument not in facts:
            raise Fault(f"slot {slot} does not exist", nearest(slot.argument, facts))
        return locale.number(facts[slot.argument])
    if slot.kind == "rule":
        return f'<a class="cite" href="#{slot.argument}">{story.paragraph(slot.argument)}</a>'
    if slot.kind == "card":
        return str(kit.table.card_in_text(locale, slot.argument))
    if not slot.block or slot.kind not in ("example", "figure", "table"):
        raise Fault(
            f"slot {slot} does not exist", "Use a fact, {rule:…}, {card:…}, or {example:…} alone in its paragraph"
        )
    if slot.kind == "example":
        if slot.argument not in (known := examples.names(context.content, kit.id)):
            raise Fault(f"there is no example {slot.argument}", nearest(slot.argument, known))
        return example(context, examples.load(context.content, kit, slot.argument))
    drawn = kit.table.FIGURES if slot.kind == "figure" else kit.table.TABLES
    if slot.argument not in drawn:
        raise Fault(f"there is no {slot.kind} {slot.argument}", nearest(slot.argument, drawn))
    html: str = drawn[slot.argument](locale, kit.facts.accent)
    return f'<div class="figure">{html}</div>' if slot.kind == "figure" else html


def example(context: Context, shown: examples.Example) -> str:
    """A worked example: the picture before and after, and the story told from the engine's events."""
    kit, locale = context.kit, context.locale
    events = tuple(event for happened in shown.events for event in happened)
    return pages.fill(
        context.templates,
        "example.html",
        word=locale.text,
        title=locale.text(f"example.{shown.name}.title", game=True),
        before=pages.safe(kit.table.before(locale, shown.positions[0], events, kit.facts.accent)),
        after=pages.safe(kit.table.after(locale, shown.positions[-1], events, kit.facts.accent)),
        caption=kit.table.caption(locale, events),
        story=story.tell(locale, kit.table, events),
    )


def summary_blocks(context: Context) -> list[dict[str, Any]]:
    """The summary's blocks: the words `summary.<block>_title` and `summary.<block>` or `summary.<block>_1` …"""
    locale, facts = context.locale, common_facts(context)
    keys = [key.removeprefix("summary.") for key in locale.sources[context.kit.id] if key.startswith("summary.")]
    blocks = []
    for block in (key.removesuffix("_title") for key in keys if key.endswith("_title") and key != "example_title"):
        lines = [key for key in keys if key == block or re.fullmatch(rf"{block}_\d+", key)]
        blocks.append(
            {
                "title": locale.text(f"summary.{block}_title", game=True),
                "lines": [story.cited(locale.text(f"summary.{key}", game=True, **facts)) for key in lines],
            }
        )
    if len(blocks) < 2:
        raise Fault(
            f"the summary has {len(blocks)} blocks and needs 2 at least",
            "Write words like summary.goal_title and summary.goal, or summary.goal_1, summary.goal_2 …",
            path=place(context.content, f"{context.kit.id}/words.toml"),
        )
    return blocks


def summary_page(context: Context) -> dict[str, Any]:
    """What the summary's template prints."""
    kit, locale = context.kit, context.locale
    heading, blocks = locale.text("summary.title", game=True), summary_blocks(context)
    if kit.engine is None:
        return {"heading": heading, "summary": blocks, "example_title": "", "pictures": [""], "story": []}
    shown = load_examples(context)[kit.table.SUMMARY_EXAMPLE]
    events = tuple(event for happened in shown.events for event in happened)
    return {
        "heading": heading,
        "summary": blocks,
        "example_title": locale.text("summary.example_title", game=True),
        "pictures": [
            pages.safe(kit.table.before(locale, shown.positions[0], events, kit.facts.accent)),
            pages.safe(kit.table.after(locale, shown.positions[-1], events, kit.facts.accent)),
        ],
        "story": story.tell(locale, kit.table, events),
    }


def reference_pages(context: Context) -> dict[str, Any]:
    """What the reference card's template prints: the summary on two pages, its example on the last."""
    kit, locale, word = context.kit, context.locale, context.locale.text
    blocks = summary_blocks(context)
    lengths = [sum(map(len, block["lines"])) + 60 * (len(block["lines"]) + 1) for block in blocks]
    first = min(range(1, len(blocks)), key=lambda n: abs(sum(lengths[:n]) - sum(lengths[n:])))
    page = summary_page(context)
    shown = load_examples(context)[kit.table.COVER_EXAMPLE] if kit.engine is not None else None
    position, events = (shown.positions[-1], shown.events[-1]) if shown else (None, ())
    width = PAPERS[context.paper].quarter.width - 16
    cover = kit.table.cover(locale, position, events, kit.facts.accent, 0.62 * width)
    return {
        "heading": word("summary.title", game=True),
        "subtitle": word("game.subtitle", game=True, **common_facts(context)),
        "cover": pages.safe(cover),
        "halves": [blocks[:first], blocks[first:]],
        "example_title": page["example_title"],
        "picture": page["pictures"][-1],
        "story": page["story"],
    }
