"""The table of CascadeBeta: a grid of 4 × 4 or 5 × 5 cells for each player, a draw pile, and an open discard pile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

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
from kit.publish import decks
from kit.publish.sheet import Backs

DECK = game.DECK
BACKS: Backs = "none"  # only the draw pile lies face down
MARKS = "①②③④⑤⑥⑦⑧"
MARKED = ("place", "cover", "cover_equal")
QUIET = ("draw_pile_out", "throw_back", "repeated")
COVER_EXAMPLE = "win"
SUMMARY_EXAMPLE = "chain"
PRINTED: tuple[str, ...] = ()
CARD = {4: 10.2, 5: 7.0}  # mm, the width of a card in a diagram, by the rows of its grid
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
    if key in ("card", "covered"):
        return {key: name(locale, value)}
    if key == "cards":
        return {key: locale.join([name(locale, card) for card in value])}
    if key == "equals":
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
