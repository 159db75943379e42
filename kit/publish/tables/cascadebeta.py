"""The table of CascadeBeta: a grid of 4 × 4 or 5 × 5 cells for each player, a draw pile, and an open discard pile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from markupsafe import escape

from kit.faults import Fault
from kit.games import cascadebeta as game
from kit.games.core import RANKS, Event
from kit.language.locale import Locale
from kit.paper.cards import (
    DIAGRAM_RATIO,
    PLAIN,
    SUIT_CHARACTERS,
    Face,
    Style,
    diagram_back,
    diagram_card,
    diagram_place,
)
from kit.paper.drawing import HAIR, INK, Drawing, cap, tint
from kit.paper.expect import Made
from kit.paper.mats import Mat, Place, tiling
from kit.paper.sizes import Size
from kit.practice.core import LEVELS, Problem, Question
from kit.publish import decks, story
from kit.publish.pages import safe
from kit.publish.sheet import Backs
from kit.publish.tables import Table

DECK = game.DECK
BACKS: Backs = "none"  # only the draw pile lies face down
MARKS = "①②③④⑤⑥⑦⑧"
MARKED = ("place", "cover", "cover_equal")
QUIET = ("draw_pile_out", "throw_back", "repeated")
COVER_EXAMPLE = "win"
SUMMARY_EXAMPLE = "chain"
PER_PAGE = {"a": 8, "b": 8, "c": 8, "d": 4}  # problems on a page, by kind
PRINTED = ("a", "b")
CARD = {4: 10.2, 5: 7.0}  # mm, the width of a card in a diagram, by the rows of its grid
ASKED = {4: 7.2, 5: 5.9}  # … in a practice problem of which eight fill a page
ASKED_CHAIN = {4: 7.4, 5: 5.9}  # … and in one of which four do
SMALL = 7.4  # … and in the piles below a grid
LABEL = 3.4  # mm at the left and above for the numbers of rows and columns
STEP = 1.055  # from card to card, in card widths
GAPS = (2.5, 2.0, 1.5, 1.0)  # mm between the places of a mat: the widest that costs no sheet
FOOT = 8.5  # mm at the foot of a mat's place that its ruler may need
GAMES = 18  # lines of the game log
Cell = tuple[int, int]  # row and column, from 1


# ── words ──


def letter(locale: Locale, rank: str) -> str:
    """A rank as the corner of its card has it."""
    return "10" if rank == "T" else locale.rank(rank)


def name(locale: Locale, card: str) -> str:
    """A card in a sentence: 7♥."""
    return letter(locale, card[0]) + SUIT_CHARACTERS[card[1]]


def player(locale: Locale, seat: int) -> str:
    return locale.text(f"seat.name_{seat + 1}")


def own(locale: Locale, key: str, n: int | None = None, **facts: Any) -> str:
    return locale.text(key, game=True, n=n, **facts)


def said(locale: Locale, key: str, value: Any) -> Mapping[str, str]:
    """What a reader is told of one fact of an event, by slot."""
    if key == "seat":
        return {"player": player(locale, value)}
    if key in ("card", "covered", "next"):
        return {key: name(locale, value)}
    if key == "cards":
        return {key: locale.join([name(locale, card) for card in value])}
    if key in ("equals", "against", "lower", "higher"):
        return {key: locale.join([name(locale, cell.card) for cell in value])}
    if key == "times":
        return {key: own(locale, f"item.times_{value}")}
    if key == "result":
        empties = [
            own(locale, "item.empty_of", n=cells, player=player(locale, seat))
            for seat, cells in enumerate(value["empty"])
        ]
        return {
            "empties": locale.join(empties),
            "winners": locale.join([player(locale, seat) for seat in value["winners"]]),
        }
    return {}


def plural(facts: Mapping[str, Any]) -> int | None:
    """The number that a sentence about these facts agrees with."""
    if "equals" in facts:
        return len(facts["equals"])
    if "empty" in facts:
        return int(facts["empty"])
    return len(facts["result"]["winners"]) if "result" in facts else None


def rows_in_words(locale: Locale, grid: game.Cards) -> str:
    """A grid for those who hear a picture, row by row."""
    size = game.side(grid)
    rows = [grid[n : n + size] for n in range(0, len(grid), size)]
    free = own(locale, "item.no_card")
    return locale.join(
        [
            own(
                locale,
                "item.row_cards",
                row=n,
                cards=", ".join(free if c == game.EMPTY else name(locale, c) for c in row),
            )
            for n, row in enumerate(rows, 1)
        ]
    )


def card_in_text(locale: Locale, card: str) -> str:
    """A card (`7h`) or a rank (`7`) as a sentence names it. Raises Fault for one that the deck has not."""
    if card in game.DECK:
        return f"<b>{letter(locale, card[0])}</b>{SUIT_CHARACTERS[card[1]]}"
    if card not in RANKS or len(card) != 1:
        raise Fault(f"there is no card {card}", f"Write a rank ({' '.join(RANKS)}), or rank and suit as in 7h")
    return f"<b>{letter(locale, card)}</b>"


# ── cards ──


def cards(locale: Locale, size: Size, accent: str, style: Style = PLAIN) -> dict[str, Face]:
    """The deck's faces by the name that `--single` takes: As to Kc (CB-1)."""
    return decks.faces(locale, size, style, DECK)


def small_card(locale: Locale, card: str, width: float, accent: str, **more: Any) -> Drawing:
    return diagram_card(letter(locale, card[0]), card[1], width=width, accent=accent, **more)


# ── diagrams ──


def grid_size(size: int, width: float, labels: bool = True) -> Size:
    """Width and height of a grid drawn with cards of that width."""
    label = LABEL if labels else 0.0
    span = (size - 1) * STEP * width
    return Size(label + span + width, label + span + (size - 1) * 0.345 * width + DIAGRAM_RATIO * width)


def draw_grid(
    locale: Locale,
    drawing: Drawing,
    grid: game.Cards,
    accent: str,
    *,
    x: float = 0,
    y: float = 0,
    width: float,
    marks: Mapping[Cell, str] | None = None,
    acting: Iterable[Cell] = (),
    hatched: Iterable[Cell] = (),
    labels: bool = True,
) -> None:
    """A grid with its upper left corner at x, y. `marks`: the cards just placed; `hatched`: cells that are closed."""
    marks, acting, hatched, size = marks or {}, set(acting), set(hatched), game.side(grid)
    label, type_size = (LABEL, cap(1.7)) if labels else (0.0, 0.0)
    step_x, step_y = width * STEP, width * (STEP + 0.345)
    for n in range(size if labels else 0):
        drawing.text(x, y + label + n * step_y + 0.7 * width + 0.85, str(n + 1), type_size, fill="#444444")
        drawing.text(x + label + n * step_x + width / 2, y + 2.0, str(n + 1), type_size, fill="#444444", align="centre")
    for place, card in enumerate(grid):
        cell = (place // size + 1, place % size + 1)
        left, top = x + label + (cell[1] - 1) * step_x, y + label + (cell[0] - 1) * step_y
        if card == game.EMPTY:
            drawing.place(diagram_place(width=width), left, top)
            continue
        picture = small_card(
            locale, card, width, accent, played=cell in marks, acting=cell in acting, mark=marks.get(cell, "")
        )
        if cell in hatched:
            picture.diagonals(0.3, 0.3, width - 0.6, picture.height - 0.6, 1.7, stroke="#777777", line=0.2)
        drawing.place(picture, left, top)


def draw_piles(
    locale: Locale,
    drawing: Drawing,
    y: float,
    width: float,
    accent: str,
    draw: int,
    discard: Sequence[str],
    *,
    x: float = 0,
    acting: Iterable[str] = (),
) -> None:
    """Under small labels, the draw pile with its height and the cards of the discard pile, oldest first."""
    acting, first = set(acting), 19.0
    label: dict[str, Any] = {"fill": "#333333", "least": cap(1.3)}
    drawing.text(x, y + 1.8, own(locale, "figure.draw_cards", n=draw), cap(1.7), width=first - 1.5, **label)
    drawing.place(diagram_back(width=SMALL, accent=accent) if draw else diagram_place(width=SMALL), x, y + 3)
    start, room = x + first, width - first
    drawing.text(start, y + 1.8, own(locale, "figure.discard_pile"), cap(1.7), width=room, **label)
    step = min(SMALL * 1.08, (room - SMALL) / max(len(discard) - 1, 1))
    for n, card in enumerate(discard):
        drawing.place(small_card(locale, card, SMALL, accent, acting=card in acting), start + n * step, y + 3)
    if not discard:
        drawing.place(diagram_place(width=SMALL), start, y + 3)


PILES = 3 + SMALL * DIAGRAM_RATIO  # height of what draw_piles draws


def marks(events: Sequence[Event]) -> dict[Cell, str]:
    """The mark of each cell in which these events place a card: ① the first."""
    placed = [(event.facts["row"], event.facts["column"]) for event in events if event.kind in MARKED]
    return dict(zip(placed, MARKS, strict=False))


def actor(events: Sequence[Event]) -> int:
    """The seat whose grid an example is about."""
    seat: int = next(event.facts["seat"] for event in events if "seat" in event.facts)
    return seat


def goes_round(events: Sequence[Event]) -> bool:
    """Whether an example is about the whole table and no card placed."""
    return any(event.kind == "repetition" for event in events)


def closed(grid: game.Cards, events: Sequence[Event]) -> tuple[str, list[Cell]]:
    """The card taken from the discard pile and the cells that CB-9 alone closes to it, in an example of one turn."""
    taken = [event for event in events if event.kind in ("draw", "take")]
    if len(taken) > 1 or taken[0].kind == "draw":
        return "", []
    card = taken[0].facts["card"]
    size = game.side(grid)
    cells = game.open_cells(grid, card, "draw") & ~game.open_cells(grid, card, "discard")
    return card, [(n // size + 1, n % size + 1) for n in range(size * size) if cells >> n & 1]


def _one_grid(
    locale: Locale, position: game.Position, seat: int, accent: str, note: str = "", discard: Iterable[str] = (),
    **more: Any,
) -> str:  # fmt: skip
    """One player's grid above the piles, and a line of text between them if there is one to be said."""
    grid = position.grids[seat]
    width = CARD[position.size]
    wide, high = grid_size(position.size, width)
    foot = high + (6.5 if note else 3.0)
    drawing = Drawing(wide, foot + PILES)
    draw_grid(locale, drawing, grid, accent, width=width, **more)
    if note:
        drawing.text(0, high + 3.1, note, cap(1.7), fill="#333333", width=wide, least=cap(1.3))
    draw_piles(locale, drawing, foot, wide, accent, len(position.draw), position.discard, acting=discard)
    return drawing.svg(own(locale, "figure.grid_alt", rows=rows_in_words(locale, grid)))


def before(locale: Locale, position: game.Position, events: Sequence[Event], accent: str) -> str:
    """The grid and the piles before; where both players matter, the whole table."""
    if goes_round(events):
        return _table(locale, position, accent)
    seat = actor(events)
    card, cells = closed(position.grids[seat], events)
    note = own(locale, "figure.closed", card=name(locale, card)) if cells else ""
    return _one_grid(locale, position, seat, accent, note, hatched=cells)


def after(locale: Locale, position: game.Position, events: Sequence[Event], accent: str) -> str:
    """The grid and the piles after; where positions repeat, how many cells each player has empty."""
    if goes_round(events):
        return _empties(locale, position, accent)
    equals = {
        (cell.row, cell.column)
        for event in events
        if event.kind in ("another_turn", "win_before_another_turn")
        for cell in event.facts["equals"]
    }
    covered = [event.facts["covered"] for event in events if "covered" in event.facts]
    return _one_grid(
        locale, position, actor(events), accent, marks=marks(events), acting=equals, discard=covered
    )  # fmt: skip


def _table(locale: Locale, position: game.Position, accent: str) -> str:
    """Two players' grids side by side, the piles below."""
    width, gap = CARD[position.size], 10.0
    wide, high = grid_size(position.size, width, labels=False)
    drawing = Drawing(2 * wide + gap, 4 + high + 3 + PILES)
    for seat, grid in enumerate(position.grids):
        x = seat * (wide + gap)
        drawing.text(x, 2.4, player(locale, seat), cap(2.1), face="bold")
        draw_grid(locale, drawing, grid, accent, x=x, y=4, width=width, labels=False)
    draw_piles(locale, drawing, 4 + high + 3, drawing.width, accent, len(position.draw), position.discard)
    told = [
        own(locale, "item.grid_of", player=player(locale, seat), rows=rows_in_words(locale, grid))
        for seat, grid in enumerate(position.grids)
    ]
    return drawing.svg(" ".join(f"{one}." for one in told))


def _empties(locale: Locale, position: game.Position, accent: str) -> str:
    """Each grid as small squares, filled or empty, and their number; the fewest in a thick frame (CB-13)."""
    result = position.result() or {"winners": [], "empty": list(map(game.empty_cells, position.grids))}
    side, step, wide = 1.7, 2.1, 48.0
    size = position.size
    drawing = Drawing(wide * position.players, size * step + 1.6)
    told = []
    for seat, grid in enumerate(position.grids):
        x, best = seat * wide, seat in result["winners"]
        span = size * step - (step - side) + 1.4
        drawing.rect(x + 0.5, 0.5, span, span, stroke=accent if best else "#777777", line=0.9 if best else HAIR)
        for place, card in enumerate(grid):
            left, top = x + 1.2 + place % size * step, 1.2 + place // size * step
            drawing.rect(
                left, top, side, side, fill=None if card == game.EMPTY else tint(accent, 0.45), stroke=INK, line=0.15
            )
        text = own(locale, "figure.empty", n=result["empty"][seat])
        drawing.text(x + span + 3, 6.0, player(locale, seat), cap(2.1), face="bold", width=wide - span - 4)
        drawing.text(x + span + 3, 10.5, text, cap(1.9), width=wide - span - 4, least=cap(1.4))
        told.append(f"{player(locale, seat)}: {text}")
    return drawing.svg(locale.join(told))


def caption(locale: Locale, events: Sequence[Event]) -> str:
    """What the marks of an example's pictures mean."""
    if goes_round(events):
        return own(locale, "figure.counted")
    kinds = {event.kind for event in events}
    keys = ["played"]
    keys += ["equal_mark"] if "another_turn" in kinds else []
    keys += ["covered_mark"] if kinds & {"cover", "cover_equal"} else []
    return " ".join(own(locale, f"figure.{key}") for key in keys)


def cover(locale: Locale, position: game.Position, events: Sequence[Event], accent: str, width: float) -> str:
    """A grid drawn as wide as the cover's picture."""
    grid = position.grids[actor(events)]
    unit = width / ((position.size - 1) * STEP + 1)
    drawing = Drawing(width, grid_size(position.size, unit, labels=False).height)
    draw_grid(locale, drawing, grid, accent, width=unit, labels=False, marks=dict.fromkeys(marks(events), ""))
    return drawing.svg(own(locale, "figure.grid_alt", rows=rows_in_words(locale, grid)))


SETUP = """
seat 0:
  2s .. .. ..
  .. 6h .. ..
  .. .. 9c ..
  .. .. .. Kd
seat 1:
  Ah .. .. ..
  .. 5c .. ..
  .. .. 8d ..
  .. .. .. Js
"""


def setup(locale: Locale, accent: str) -> str:
    """The table ready for two players: both diagonals laid, the draw pile, room for the discard pile (CB-3, CB-4)."""
    position = game.position_from_text(SETUP)
    width = 7.6
    wide, high = grid_size(position.size, width, labels=False)
    drawing = Drawing(104, high + 4.5)
    for seat, grid in enumerate(position.grids):
        x = seat * (wide + 5)
        drawing.text(x, 2.4, player(locale, seat), cap(2.1), face="bold")
        draw_grid(locale, drawing, grid, accent, x=x, y=4.2, width=width, labels=False)
    x, tall = 2 * (wide + 5) + 2, width * DIAGRAM_RATIO
    room = drawing.width - x
    label: dict[str, Any] = {"fill": "#333333", "width": room, "least": cap(1.3)}
    drawing.text(x, 11, own(locale, "figure.draw_cards", n=len(position.draw)), cap(1.9), **label)
    drawing.place(diagram_back(width=width, accent=accent), x, 12.5)
    drawing.text(x, 20 + tall, own(locale, "figure.discard_pile"), cap(1.9), **label)
    drawing.place(diagram_place(width=width), x, 21.5 + tall)
    grids = [
        own(locale, "item.grid_of", player=player(locale, seat), rows=rows_in_words(locale, grid))
        for seat, grid in enumerate(position.grids)
    ]
    facts = {"players": position.players, "size": position.size, "n": len(position.draw)}
    picture = drawing.svg(own(locale, "figure.setup_alt", players=position.players, grids="; ".join(grids)))
    return f'{picture}<p class="caption">{escape(own(locale, "figure.setup", **facts))}</p>'


FIGURES: dict[str, Callable[[Locale, str], str]] = {"setup": setup}


def setups(locale: Locale, accent: str) -> str:
    """Every number of players and grid there may be, and what is dealt and left (CB-2 to CB-4, CB-R1)."""
    heads = [own(locale, f"table.{key}") for key in ("players", "grid", "dealt", "draw")]
    lines = [
        (players, own(locale, "table.cells", size=size), size, game.draw_size(players, size))
        for size in game.SIZES
        for players in game.PLAYERS
        if size in game.sizes(players)
    ]
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines)
    return f'<div class="figure"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


TABLES: dict[str, Callable[[Locale, str], str]] = {"setup": setups}


# ── sheets ──


def mats(locale: Locale, card: Size, paper: Size, accent: str) -> dict[str, Mat]:
    """A grid mat of each size (CB-2)."""
    return {f"{size}x{size}": _mat(size, card, paper, own(locale, "mat.diagonal"), accent) for size in game.SIZES}


def plans(locale: Locale, card: Size, paper: Size, accent: str) -> dict[str, partial[Made]]:
    """None: a grid mat shows it all."""
    return {}


def _mat(size: int, card: Size, paper: Size, word: str, accent: str) -> Mat:
    """The cells as far apart as the fewest sheets allow; those of the diagonal say so, arrows tell the order."""
    choices = []
    for gap in GAPS:
        step = Size(card.width + gap, card.height + gap)
        places = tuple(
            Place(
                column * step.width, row * step.height, *card, word if row == column else "",
                drawing=_cell(row, column, size, card, accent),
            )
            for row in range(size)
            for column in range(size)
        )  # fmt: skip
        one = Mat(size * step.width - gap, size * step.height - gap, places, accent)
        choices.append((tiling(one, paper).count, -gap, one))
    return min(choices, key=lambda choice: choice[:2])[2]


def _cell(row: int, column: int, size: int, card: Size, accent: str) -> Drawing | None:
    """What lies under a cell's card: a light ground on the diagonal, and the arrows of the order (CB-3, CB-8)."""
    drawing, side, colour = Drawing(*card), 0.13 * card.width, tint(accent, 0.55)
    if row == column:
        inset = 0.1 * card.width
        drawing.rect(
            inset, inset + 0.04 * card.height, card.width - 2 * inset, card.height - 2 * inset - 0.04 * card.height,
            fill=tint(accent, 0.07), radius=1.5,
        )  # fmt: skip
    if column < size - 1:
        drawing.text(
            card.width - 1.2 * side, (card.height + side) / 2, "→", cap(side * 0.8), fill=colour, align="centre"
        )
    if row < size - 1:
        drawing.text(card.width / 2, card.height - FOOT, "↓", cap(side * 0.8), fill=colour, align="centre")
    return drawing if drawing.items else None


def score(locale: Locale) -> dict[str, Any]:
    """What the game log's template prints: a line for each game (CB-12, CB-13)."""
    keys = ("game", "grid", "ended", "filled", "repeated", "empty", "winner", "won")
    return {
        "wide": True,  # in large print the sheet lies
        "heading": own(locale, "score.title"),
        "intro": own(locale, "score.intro"),
        "heads": {key: own(locale, f"score.{key}") for key in keys},
        "seats": list(range(game.PLAYERS[-1])),
        "sizes": [own(locale, "table.cells", size=size) for size in game.SIZES],
        "games": list(range(1, GAMES + 1)),
        "example": {"size": 0, "filled": True, "empty": [0, 3, ""], "winner": player(locale, 0)},
    }


# ── practice ──


def question(locale: Locale, asked: Question, accent: str) -> dict[str, Any]:
    """What a practice problem's template draws: the grid, the cards in question, and boxes for the answer."""
    grid = tuple(card or game.EMPTY for row in asked.position["grid"] for card in row)
    size = game.side(grid)
    width = (ASKED_CHAIN if asked.kind == "d" else ASKED)[size]
    picture = Drawing(*grid_size(size, width))
    draw_grid(locale, picture, grid, accent, width=width)
    drawn: dict[str, Any] = {
        "number": asked.number,
        "level": asked.level,
        "levels": LEVELS[-1],
        "prompts": [
            story.sentence(locale, cast("Table", sys.modules[__name__]), f"prompt.{p.key}", p.facts)
            for p in asked.prompts
        ],
        "grid": safe(picture.svg(own(locale, "figure.grid_alt", rows=rows_in_words(locale, grid)))),
    }
    if asked.kind == "d":
        discard = asked.position["discard"]
        told = locale.join([name(locale, card) for card in discard])
        drawn["pile_head"] = own(locale, "figure.discard_pile")
        drawn["pile"] = safe(_spread(locale, discard, accent).svg(told))
        drawn["heads"] = [own(locale, f"practice.{head}") for head in ("card", "row", "column")]
        drawn["takes"] = asked.position["takes"]
        return drawn
    if asked.kind == "c":
        drawn["ticks"] = safe(_line_boxes(locale, size).svg(own(locale, "practice.boxes")))
        return drawn
    card = asked.position["card"]
    drawn["card"] = safe(small_card(locale, card, 12, accent, played=True).svg(name(locale, card)))
    drawn["ticks"] = safe(_cell_boxes(size).svg(own(locale, "practice.boxes")))
    return drawn


BOX = 4.4  # mm, the side of a box to tick
PILE_ROW = 9  # cards of a discard pile beside each other


def _spread(locale: Locale, cards: Sequence[str], accent: str) -> Drawing:
    """The cards of a discard pile, oldest first, in as many rows as they need."""
    step, down = SMALL * 1.08, SMALL * DIAGRAM_RATIO + 1
    lines = -(-len(cards) // PILE_ROW)
    drawing = Drawing(min(len(cards), PILE_ROW) * step, lines * down)
    for n, card in enumerate(cards):
        drawing.place(small_card(locale, card, SMALL, accent), n % PILE_ROW * step, n // PILE_ROW * down)
    return drawing


def _cell_boxes(size: int) -> Drawing:
    """A box for each cell of a grid, numbered as the grid is."""
    step, number = BOX + 0.7, cap(1.7)
    drawing = Drawing(LABEL + size * step, LABEL + size * step)
    for n in range(size):
        drawing.text(0, LABEL + n * step + BOX / 2 + 0.85, str(n + 1), number, fill="#444444")
        drawing.text(LABEL + n * step + BOX / 2, 2.0, str(n + 1), number, fill="#444444", align="centre")
        for m in range(size):
            drawing.rect(LABEL + m * step + 0.2, LABEL + n * step + 0.2, BOX - 0.4, BOX - 0.4, stroke=INK, line=0.25)
    return drawing


def _line_boxes(locale: Locale, size: int) -> Drawing:
    """A box for each row, and below one for each column."""
    step, number, down = BOX + 3.6, cap(1.9), 11.0
    drawing = Drawing(size * step, 2 * down)
    for line, word in enumerate(("rows", "columns")):
        top = line * down + 4
        drawing.text(0, top - 1.5, own(locale, f"practice.{word}"), cap(1.7), fill="#333333")
        for n in range(size):
            drawing.text(n * step, top + BOX / 2 + 0.95, str(n + 1), number)
            drawing.rect(n * step + 2.2, top + 0.2, BOX - 0.4, BOX - 0.4, stroke=INK, line=0.25)
    return drawing


def answer(locale: Locale, problem: Problem) -> str:
    """A problem's right answers as the key prints them."""
    kind, answers = problem.question.kind, problem.answers
    if kind == "d":
        return _goes(locale, answers[0]["moves"])
    if kind == "c":
        grid = problem.question.position["grid"]
        told = "; ".join(_falls(locale, grid, *fact["cells"]) for fact in answers)
    else:
        rows: dict[int, list[int]] = {}
        for fact in answers:
            rows.setdefault(fact["row"], []).append(fact["column"])
        told = "; ".join(
            own(locale, "item.in_row", n=len(columns), row=row, columns=locale.join(columns))
            for row, columns in rows.items()
        )
    return told[0].upper() + told[1:]


def _falls(locale: Locale, grid: Sequence[Sequence[str]], one: Cell, other: Cell) -> str:
    """A row or column that falls, and the two cards."""
    line, number = ("row", one[0]) if one[0] == other[0] else ("column", one[1])
    pair = [name(locale, grid[row - 1][column - 1]) for row, column in (one, other)]
    return own(locale, f"item.{line}_falls", number=number, card=pair[0], next=pair[1])


def trace_table(locale: Locale, problem: Problem) -> None:
    """None: no sheet of this game asks for a table."""
    return


def line(locale: Locale, moves: Sequence[str], problem: Problem) -> str:
    """A near miss: which card goes where, in turn."""
    return own(locale, "practice.near_miss", line=_goes(locale, moves))


def _goes(locale: Locale, moves: Sequence[str]) -> str:
    """Takes and placements in turn: 7♥ → row 2, column 3."""
    told = []
    for take, place in zip(moves[::2], moves[1::2], strict=True):
        _, row, column = place.split()
        told.append(own(locale, "item.goes", card=name(locale, take.split()[1]), row=row, column=column))
    return "; ".join(told)


def step_label(locale: Locale, number: int, facts: Mapping[str, Any]) -> str:
    """The head of one step of a line: which card goes where."""
    goes = own(locale, "item.goes", card=name(locale, facts["card"]), row=facts["row"], column=facts["column"])
    return f"{number}. {goes}."


_: Table = cast("Table", sys.modules[__name__])
