"""The editions of a kit: the standard one, large print, and one that saves ink; which sheets each has.

Sheets that flow are dressed here, in HTML and style; what is painted saves its ink in `kit.paper.canvas`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, TypeAlias, cast

from kit.faults import USAGE, Fault
from kit.paper.cards import Style
from kit.paper.drawing import INK, PT, WHITE, ink_saving
from kit.paper.sizes import Size
from kit.publish.kits import Kit
from kit.publish.sheet import Order

STANDARD, LARGE_PRINT, INK_SAVER = EDITIONS = ("standard", "large-print", "ink-saver")
PLAIN = ("", STANDARD)
SAME = ("ruler", "backs")  # kinds of file that are the same in every edition
LARGE_KINDS = ("booklet", "summary", "score", "cards", "ruler")  # what is made in large print
Suits: TypeAlias = Literal["two", "four", "german"]
LEAST = 18.0  # pt, the smallest type of large print
EDGE = 0.06  # of its width that a picture is given at either side where its text outgrows it
LIFT = 1.4  # how much larger than its picture the text of one may grow before the picture is rather turned


def has(edition: str, kind: str) -> bool:
    """Whether a kind of sheet is made in that edition."""
    return edition != LARGE_PRINT or kind in LARGE_KINDS


def check(order: Order, kinds: Iterable[str]) -> None:
    """Raises Fault when the order asks for a kind of sheet that its edition has not."""
    for kind in order.only:
        if kind in kinds and not has(order.edition, kind):
            raise Fault(
                f"{kind} is not made in large print",
                f"Ask for {', '.join(LARGE_KINDS)}, or leave out --edition",
                code=USAGE,
            )


def kit(found: Kit, edition: str) -> Kit:
    """The kit as that edition draws it: saving ink, its colour is black."""
    if edition != INK_SAVER:
        return found
    return replace(found, facts=found.facts.model_copy(update={"accent": INK}))


def style(order: Order, *, shared: bool) -> Style:
    """How the cards of an order look. Only playing cards have suits, and without colour they are all alike."""
    saver = order.edition == INK_SAVER
    large = order.edition == LARGE_PRINT or order.indices == "large"
    plain = Style(indices="large" if large else "normal", saver=saver)
    return replace(plain, suits=cast("Suits", order.suits)) if shared and not saver else plain


def style_names(style: Style, *, shared: bool) -> list[str]:
    """What a style differs in from the plain one: parts of a file's name, and of the words edition.…"""
    parts = (
        (style.suits, shared and style.suits != "two"),
        (style.indices, style.indices != "normal"),
        (INK_SAVER, style.saver),
    )
    return [name for name, differs in parts if differs]


# ── sheets that flow ──

_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_SHAPE = re.compile(r"<(rect|path|line|text)\b[^>]*>")
_PICTURE = re.compile(r"<svg\b[^>]*>.*?</svg>", re.DOTALL)
_SIZE = re.compile(r'width="([\d.]+)mm" height="([\d.]+)mm"( viewBox="[^"]*")')
_TURN = re.compile(r'<g transform="matrix\(([^)]*)\)">|</g>|font-size="([\d.]+)"')


def dressed(edition: str, html: str, css: str, room: Size) -> tuple[str, str]:
    """A sheet's HTML and style in that edition; `room` is what a page has for a picture."""
    if edition == INK_SAVER:
        return _SHAPE.sub(_saved_shape, html), _saved_css(css)
    if edition == LARGE_PRINT:
        return _PICTURE.sub(lambda found: _enlarged(found[0], room), html), css
    return html, css


def _saved_shape(found: re.Match[str]) -> str:
    """An element of a picture in black: a tinted area is left white, a tinted shape becomes an outline."""
    text, kind = found[0], found[1]
    fill = re.search(r'fill="(#[0-9a-fA-F]{6})"', text)
    tinted = fill is not None and fill[1].lower() != WHITE and ink_saving(fill[1]) == WHITE
    if tinted and kind == "path" and "stroke=" not in text:
        text = text.replace(fill[0] if fill else "", f'fill="{WHITE}" stroke="{INK}" stroke-width="0.2"')
    elif tinted and kind != "text":
        text = text.replace(fill[0] if fill else "", f'fill="{WHITE}"')
    return _COLOUR.sub(lambda colour: WHITE if colour[0].lower() == WHITE else INK, text)


def _saved_css(css: str) -> str:
    """A style in black: light grounds are left white, all else that has a colour is black."""

    def colour(found: re.Match[str]) -> str:
        value = found[0]
        return WHITE if value.lower() in (WHITE, "#fff") else INK

    def ground(found: re.Match[str]) -> str:
        value = found[2]
        full = "#" + "".join(2 * c for c in value[1:]) if len(value) == 4 else value
        return found[1] + ink_saving(full)

    return _COLOUR.sub(colour, re.sub(rf"(background:\s*)({_COLOUR.pattern})", ground, css))


def _enlarged(svg: str, room: Size) -> str:
    """A picture so large that its smallest text has LEAST; turned where only that way it fits, else as large as may be.

    Text that is then still smaller is set at LEAST where it stands.
    """
    size = _SIZE.search(svg)
    if size is None:
        return svg
    width, height = float(size[1]), float(size[2])
    smallest = min((at * scale for at, scale in _sizes(svg)), default=LEAST * PT)
    wanted = max(LEAST * PT / smallest * 1.0005, 1.0)
    x = y = 0.0
    if min(room.width / width, room.height / height) < wanted:  # text will outgrow the picture: leave it an edge
        x, y = EDGE * width, EDGE / 2 * height
    wide, high = width + 2 * x, height + 2 * y
    upright, lying = (min(room.width / a, room.height / b) for a, b in ((wide, high), (high, wide)))
    turned = upright * LIFT < wanted and lying > upright * 1.1
    factor = min(wanted, lying if turned else upright)
    head, _, body = _lifted(svg, LEAST * PT / factor).partition("</title>")
    if turned:
        wide, high, x, y = high, wide, y, x
        body = f'<g transform="matrix(0 -1 1 0 0 {width:g})">{body.removesuffix("</svg>")}</g></svg>'
    shown = f'width="{wide * factor:.3f}mm" height="{high * factor:.3f}mm" viewBox="{-x:g} {-y:g} {wide:g} {high:g}"'
    return f"{head.replace(size[0], shown, 1)}</title>{body}"


def _sizes(svg: str) -> Iterable[tuple[float, float]]:
    """The size of every text of a picture, and how much its groups scale it."""
    scales = [1.0]
    for found in _TURN.finditer(svg):
        if found[1] is not None:
            a, b, *_ = map(float, found[1].split())
            scales.append(scales[-1] * max(abs(a), abs(b)))
        elif found[2] is None:
            scales.pop()
        else:
            yield float(found[2]), scales[-1]


def _lifted(svg: str, least: float) -> str:
    """The picture with every text at `least` mm or more."""
    sizes = iter(list(_sizes(svg)))

    def lift(found: re.Match[str]) -> str:
        size, scale = next(sizes)
        return f'font-size="{max(size, least / scale * 1.0005):.4f}"' if size * scale < least else found[0]

    return re.sub(r'font-size="[\d.]+"', lift, svg)
