"""The table of ascending row overflow: four rows of at most four cards, hands, and what is collected."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from markupsafe import Markup, escape

from kit.faults import Fault
from kit.games import rowoverflow as game
from kit.games.core import Event
from kit.language.locale import Locale
from kit.paper.cards import (
    DIAGRAM_RATIO,
    PLAIN,
    Face,
    Style,
    diagram_back,
    diagram_card,
    diagram_place,
    number_card,
)
from kit.paper.drawing import Drawing, cap
from kit.paper.expect import Made
from kit.paper.mats import Mat, row_mat
from kit.paper.sizes import Size
from kit.practice.core import LEVELS, Problem, Question
from kit.publish import story
from kit.publish.pages import safe
from kit.publish.sheet import Backs
from kit.publish.tables import Table

DECK: tuple[str, ...] = ()
BACKS: Backs = "mirrored"  # hands are secret
MARKS = "①②③④"
MARKED = ("append", "overflow", "no_lower_end")  # the events that a mark in the picture belongs to
QUIET = ("ends",)  # … and those that only add a remark to the sentence before
COVER_EXAMPLE = "walkthrough"
SUMMARY_EXAMPLE = "overflow"
PER_PAGE = {"a": 8, "b": 4, "c": 4, "d": 4}  # problems on a page, by kind
PRINTED = ("a", "b")
CARD = 9.2  # mm, the width of a card in a diagram of the booklet
SMALL = 7.4  # … and in a practice problem
TICK = 4.2  # mm, the side of a box below a card of a hand
Rows = Sequence[Sequence[int]]


def cards(locale: Locale, size: Size, accent: str, style: Style = PLAIN) -> dict[str, Face]:
    """The deck's faces by the name that `--single` takes: 1 to 24 (RO-1)."""
    return {str(number): number_card(number, game.DECK[-1], size, accent, style) for number in game.DECK}


def player(locale: Locale, seat: int) -> str:
    return locale.text(f"seat.name_{seat + 1}")


def said(locale: Locale, name: str, value: Any) -> Mapping[str, str]:
    """What a reader is told of one fact of an event or reason, by slot."""
    if name == "seat":
        return {"player": player(locale, value)}
    if name == "order":
        return {
            "order": locale.join(
                [item(locale, "card_of", card=card, player=player(locale, seat)) for card, seat in value]
            )
        }
    if name == "penalties":
        points = [locale.text("count.points", n=n) for n in value]
        said = [item(locale, "score_of", points=p, player=player(locale, seat)) for seat, p in enumerate(points)]
        return {"penalties": locale.join(said)}
    if name == "winners":
        return {"winners": locale.join([player(locale, seat) for seat in value])}
    return {}


def plural(facts: Mapping[str, Any]) -> int | None:
    """The number that a sentence about these facts agrees with."""
    if "winners" in facts:
        return len(facts["winners"])
    points: int | None = facts.get("points")
    return points


def item(locale: Locale, key: str, **facts: Any) -> str:
    return locale.text(f"item.{key}", game=True, **facts)


def alt(locale: Locale, rows: Rows) -> str:
    """The rows in words, for those who hear a picture."""
    told = [
        item(locale, "row_cards", row=n, cards=locale.join(list(map(locale.number, row))))
        for n, row in enumerate(rows, 1)
    ]
    return locale.text("booklet.position_alt", rows=locale.join(told))


def table(
    rows: Rows,
    accent: str,
    *,
    width: float = CARD,
    marks: Mapping[int, str] | None = None,
    boxes: bool = False,
    room: float = 0,
) -> Drawing:
    """Four rows of four places. `marks`: the cards just placed, with their marks; `boxes`: one to tick behind each row.

    `room` is height left free below, for a strip.
    """
    marks = marks or {}
    step_x, step_y = width * 1.1, width * DIAGRAM_RATIO + width * 0.1
    label = width * 0.45
    drawing = Drawing(
        label + game.ROW_LIMIT * step_x + (width if boxes else 0), game.ROWS * step_y - width * 0.1 + room
    )
    for number, row in enumerate(rows):
        y = number * step_y
        middle = y + width * DIAGRAM_RATIO / 2
        size = cap(width * 0.22)
        drawing.text(0, middle + width * 0.11, str(number + 1), size, fill="#444444")
        for place in range(game.ROW_LIMIT):
            x = label + place * step_x
            if place < len(row):
                card = row[place]
                picture = diagram_card(
                    str(card), width=width, accent=accent, played=card in marks, mark=marks.get(card, "")
                )
            else:
                picture = diagram_place(width=width)
            drawing.place(picture, x, y)
        if boxes:
            side = 5.0
            drawing.rect(
                drawing.width - side - 0.2, middle - side / 2, side, side, stroke="#111111", line=0.35, radius=0.5
            )
    return drawing


def strip(drawing: Drawing, label: str, entries: Sequence[Drawing], names: Sequence[str] = ()) -> None:
    """Cards in a line at the foot of a drawing, under a small label, each with a name below where names are given."""
    if not entries:
        return
    height = entries[0].height + (3 if names else 0)
    y = drawing.height - height
    drawing.text(0, y - 1.2, label, cap(1.8), fill="#333333", width=drawing.width)
    x = 0.0
    step = min(drawing.width / max(len(entries), 1), entries[0].width * (2 if names else 1.15))
    for number, picture in enumerate(entries):
        drawing.place(picture, x, y)
        if names:
            drawing.text(
                x, drawing.height - 0.3, names[number], cap(1.6), fill="#333333", width=step - 0.5, least=cap(1.2)
            )
        x += step


def before(locale: Locale, position: game.Position, events: Sequence[Event], accent: str) -> str:
    """The rows before, and below them the cards that are turned over."""
    drawing = table(position.rows, accent, room=18)
    revealed = next(event.facts["cards"] for event in events if event.kind == "reveal")
    pictures = [diagram_card(str(card), width=7.4, accent=accent) for card in revealed]
    strip(
        drawing,
        locale.text("practice.revealed", game=True),
        pictures,
        [player(locale, s) for s in range(len(revealed))],
    )
    return drawing.svg(alt(locale, position.rows))


def after(locale: Locale, position: game.Position, events: Sequence[Event], accent: str) -> str:
    """The rows after, the placed cards marked in order, and below them what was collected."""
    drawing = table(position.rows, accent, marks=marks(events), room=18)
    collected = [
        card for event in events for card in event.facts.get("cards", ()) if event.kind in ("overflow", "no_lower_end")
    ]
    placed = marks(events)
    pictures = [
        diagram_card(str(card), width=7.4, accent=accent, acting=True, mark=placed.get(card, "")) for card in collected
    ]
    strip(drawing, locale.text("figure.collected", game=True), pictures)
    return drawing.svg(alt(locale, position.rows))


def marks(events: Sequence[Event]) -> dict[int, str]:
    """The mark of each card placed by these events: ① the first."""
    placed = [event.facts["card"] for event in events if "row" in event.facts and "card" in event.facts]
    return dict(zip(placed, MARKS, strict=False))


def caption(locale: Locale, events: Sequence[Event]) -> str:
    """What the marks of an example's pictures mean."""
    keys = ["played", *(["collected_mark"] if any(event.facts.get("points") for event in events) else [])]
    return " ".join(locale.text(f"figure.{key}", game=True) for key in keys)


def cover(locale: Locale, position: game.Position, events: Sequence[Event], accent: str, width: float) -> str:
    """A position drawn as wide as the cover's text."""
    unit = width / (game.ROW_LIMIT * 1.1 + 0.45)
    return table(position.rows, accent, width=unit, marks=dict.fromkeys(marks(events), "")).svg(
        alt(locale, position.rows)
    )


def setup(locale: Locale, accent: str) -> str:
    """The table just dealt for three players (RO-2): hands face down, four starters, what lies aside."""
    players = game.PLAYERS[0]
    width, step = 8.0, 8.8
    drawing = Drawing(104, 62)
    rows = [[3], [8], [14], [20]]
    for number, (card,) in enumerate(rows):
        y = number * 12.2
        drawing.text(
            0,
            y + 6.6,
            locale.text("figure.row", game=True, row=number + 1),
            cap(1.9),
            fill="#333333",
            width=14,
            least=cap(1.4),
        )
        drawing.place(diagram_card(str(card), width=width, accent=accent), 15, y)
        for place in range(1, game.ROW_LIMIT):
            drawing.place(diagram_place(width=width), 15 + place * step, y)
    x = 54.0
    for seat in range(players):
        y = seat * 15.0
        for n in range(game.HAND):
            drawing.place(diagram_back(width=width, accent=accent), x + n * 4.4, y)
        drawing.text(x + 27, y + 5, player(locale, seat), cap(2.1), face="bold", width=22.5, least=cap(1.5))
        drawing.text(
            x + 27,
            y + 9,
            locale.text("figure.setup_hand", game=True, n=game.HAND),
            cap(1.8),
            fill="#333333",
            width=22.5,
            least=cap(1.4),
        )
    y = 48.0
    for n in range(game.aside_size(players)):
        drawing.place(diagram_back(width=width, accent=accent), x + n * 1.2, y)
    drawing.text(
        x + 27,
        y + 6.5,
        locale.text("figure.setup_aside", game=True, n=game.aside_size(players)),
        cap(1.8),
        fill="#333333",
        width=22.5,
        least=cap(1.4),
    )
    told = [item(locale, "row_cards", row=n, cards=str(row[0])) for n, row in enumerate(rows, 1)]
    picture = drawing.svg(locale.text("booklet.setup_alt", players=players, rows=locale.join(told)))
    return f'{picture}<p class="caption">{escape(locale.text("figure.setup", game=True, players=players))}</p>'


FIGURES: dict[str, Callable[[Locale, str], str]] = {"setup": setup}
TABLES: dict[str, Callable[[Locale, str], str]] = {}


def card_in_text(locale: Locale, card: str) -> str:
    """A card as a sentence names it. Raises Fault for one that the deck has not."""
    if card not in map(str, game.DECK):
        raise Fault(f"there is no card {card}", f"The cards are {game.DECK[0]} to {game.DECK[-1]}")
    return f"<b>{card}</b>"


def mats(locale: Locale, card: Size, paper: Size, accent: str) -> dict[str, Mat]:
    """Four rows of four places, and behind each the strip that says what a fifth card would do (RO-9)."""
    rows = [f"{locale.text('mat.row', game=True, row=row + 1)} →" for row in range(game.ROWS)]
    return {"": row_mat(card, paper, rows, game.ROW_LIMIT, locale.text("mat.overflow", game=True), accent)}


def plans(locale: Locale, card: Size, paper: Size, accent: str) -> dict[str, partial[Made]]:
    """None: the row mat shows it all."""
    return {}


EXAMPLE_SCORE = (0, 0, game.ROW_LIMIT)  # what the players of SUMMARY_EXAMPLE write down after its reveal


def score(locale: Locale) -> dict[str, Any]:
    """What the score sheet's template prints: the reveals of each deal, and who deals (RO-12 to RO-14)."""
    seats = range(game.PLAYERS[-1])
    deals = [
        {
            "title": locale.text(f"score.deal_{number + 1}", game=True),
            "dealers": [game.dealer(number, 0, len(seats)) == seat for seat in seats],
            "reveals": [locale.text("score.reveal", game=True, number=n) for n in range(1, game.REVEALS + 1)],
            "total": locale.text("score.sum_deal", game=True),
        }
        for number in range(2)
    ]
    return {
        "heading": locale.text("score.title", game=True),
        "intro": locale.text("score.intro", game=True, **game.facts()),
        "seats": list(seats),
        "deals": deals,
        "example": [*EXAMPLE_SCORE, *[""] * (len(seats) - len(EXAMPLE_SCORE))],
        "sum_both": locale.text("score.sum_both", game=True),
        "winner": locale.text("score.winner", game=True),
        "dealer_note": locale.text("score.dealer_note", game=True),
    }


def question(locale: Locale, asked: Question, accent: str) -> dict[str, Any]:
    """What a practice problem's template draws: the rows, the cards in question, and the columns of its answer."""
    rows = asked.position["rows"]
    drawn: dict[str, Any] = {
        "number": asked.number,
        "level": asked.level,
        "levels": LEVELS[-1],
        "prompts": [
            story.sentence(locale, cast("Table", sys.modules[__name__]), f"prompt.{p.key}", p.facts)
            for p in asked.prompts
        ],
        "rows": safe(table(rows, accent, width=SMALL, boxes=asked.kind == "a").svg(alt(locale, rows))),
    }
    if asked.kind == "a":
        card = asked.position["card"]
        drawn["card"] = safe(
            diagram_card(str(card), width=14, accent=accent, played=True).svg(locale.text("card.number", number=card))
        )
    elif asked.kind == "d":
        drawn["cards"] = _revealed(locale, asked.position["others"], accent)
        drawn["others"] = locale.text("practice.others_reveal", game=True)
        drawn["hand"] = _hand(locale, asked.position["hand"], accent)
        drawn["your_hand"] = locale.text("practice.your_hand", game=True)
    else:
        drawn["cards"] = _revealed(locale, list(enumerate(asked.position["cards"])), accent)
        heads = ("card", "row", "collects") if asked.kind == "b" else ("player", "points_before", "points")
        drawn["heads"] = [locale.text(f"practice.{head}", game=True) for head in heads]
        drawn["ends_head"] = locale.text("practice.ends", game=True)
        drawn["steps"] = len(asked.position["cards"])
        drawn["ends"] = [str(n) for n in range(1, game.ROWS + 1)]
        drawn["before"] = [
            [player(locale, seat), locale.number(points)]
            for seat, points in enumerate(asked.position.get("points", ()))
        ]
    return drawn


def _revealed(locale: Locale, shown: Sequence[tuple[int, int]], accent: str) -> Markup:
    """Cards, each over the name of the player (seat, card) who reveals it."""
    step = 10.4
    drawing = Drawing(step * len(shown), 16)
    for n, (seat, card) in enumerate(shown):
        drawing.place(diagram_card(str(card), width=8, accent=accent), n * step, 0)
        drawing.text(n * step, 15, player(locale, seat), cap(1.9), width=step - 0.6, least=cap(1.3))
    told = [item(locale, "card_of", card=card, player=player(locale, seat)) for seat, card in shown]
    return safe(drawing.svg(locale.join(told)))


def _hand(locale: Locale, hand: Sequence[int], accent: str) -> Markup:
    """The cards of a hand, each with a box to mark."""
    step, width = 13.0, 10.0
    drawing = Drawing(step * len(hand), 20)
    for n, card in enumerate(hand):
        drawing.place(diagram_card(str(card), width=width, accent=accent, played=True), n * step, 0)
        drawing.rect(n * step + (width - TICK) / 2, 15.4, TICK, TICK, stroke="#111111", line=0.25, radius=0.6)
    return safe(drawing.svg(locale.join([locale.text("card.number", number=card) for card in hand])))


def answer(locale: Locale, problem: Problem) -> str:
    """A problem's right answers as the key prints them."""
    kind, answers = problem.question.kind, problem.answers
    if kind == "a":
        rows = locale.join([item(locale, "row", row=fact["row"]) for fact in answers], "or")
        return rows[0].upper() + rows[1:]
    if kind == "b":
        return ", ".join(_goes(locale, step["card"], step["row"]) for step in answers[0]["steps"])
    if kind == "c":
        return said(locale, "penalties", answers[0]["points"])["penalties"]
    return locale.join([locale.number(fact["card"]) for fact in answers], "or")


def _goes(locale: Locale, card: int, row: int) -> str:
    return f"{locale.number(card)} → {locale.text('figure.row', game=True, row=row)}"


def trace_table(locale: Locale, problem: Problem) -> dict[str, Any] | None:
    """A traced reveal as the sheet's table, filled in; None for a kind without one."""
    if problem.question.kind != "b":
        return None
    heads = [locale.text(f"practice.{head}", game=True) for head in ("card", "row", "collects")]
    rows = [
        [
            locale.number(step["card"]),
            locale.number(step["row"]),
            locale.number(step["points"]) if step["points"] else "–",
        ]
        + [locale.number(end) for end in step["ends"]]
        for step in problem.answers[0]["steps"]
    ]
    ends = locale.text("practice.ends", game=True)
    return {"heads": heads, "ends_head": ends, "ends": [str(n) for n in range(1, game.ROWS + 1)], "rows": rows}


def step_label(locale: Locale, number: int, facts: Mapping[str, Any]) -> str:
    """The head of one step of a trace: which card of whom goes where."""
    return f"{number}. {_goes(locale, facts['card'], facts['row'])} ({player(locale, facts['seat'])})"
