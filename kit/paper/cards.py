"""Faces and backs of cards, and the small cards of diagrams, as drawings.

Letters and words come in already translated. Every measure of a face follows from the card's width and height, and
nothing that matters lies within 3 mm of the cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from kit.paper import fonts, symbols
from kit.paper.drawing import INK, WHITE, Drawing, cap, tint
from kit.paper.fonts import CAP_HEIGHT, SYMBOL_DROP, SYMBOL_SIDE
from kit.paper.sizes import CARDS, Size

SAFE = 3.0  # mm from the cut that hold nothing of weight: home cutting drifts
BACK_BORDER = 5.5  # mm of white around a back: home duplex drifts up to 3.2
RED, BLUE, GREEN, YELLOW = "#c0182b", "#1b5ab5", "#17753a", "#b97f00"
SUIT_CHARACTERS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
SUIT_COLOURS: dict[str, dict[str, str]] = {
    "two": {"s": INK, "h": RED, "d": RED, "c": INK},
    "four": {"s": INK, "h": RED, "d": BLUE, "c": GREEN},
    "german": {"s": GREEN, "h": RED, "d": YELLOW, "c": INK},
}


@dataclass(frozen=True)
class Face:
    """One side of a card, the text that must be readable on it, and the frame in its middle, for backs.

    The frame is what a proof measures of a back, whose edges have no ink.
    """

    drawing: Drawing
    label: str = ""
    frame: Size | None = None


@dataclass(frozen=True)
class Style:
    """How a deck looks: colours of the suits, size of the indices, and whether ink is saved."""

    suits: Literal["two", "four", "german"] = "two"
    indices: Literal["normal", "large"] = "normal"
    saver: bool = False

    def colour(self, suit: str) -> str:
        return INK if self.saver else SUIT_COLOURS[self.suits][suit]


PLAIN = Style()


def _unit(size: Size) -> float:
    """How much smaller than a poker card a card is; marks shrink with it."""
    return min(size.width / CARDS["poker"].width, size.height / CARDS["poker"].height)


def reads_upside_down(number: int) -> bool:
    """Whether a number turned by half a circle reads as another one, for the sake of a 6 or a 9 in it."""
    digits = set(str(number))
    return digits <= set("01689") and bool(digits & set("69"))


def number_card(number: int, highest: int, size: Size, accent: str = INK, style: Style = PLAIN) -> Face:
    """A card of a numbered deck: huge in the middle, small in the corners, a bar that grows with the number.

    The bar stands at the left edge, and turned by half a circle at the right one, so that a fan shows it however the
    card is held; a light track shows where `highest` would reach. Numbers that can be read upside down are underlined.
    """
    unit, text = _unit(size), str(number)
    card = Drawing(size.width, size.height)
    edge, thick = SAFE + 0.2, (0.9 if style.saver else 1.8) * unit
    tall, middle = (11.5, 24) if style.indices == "large" else (6.2, 20 if style.saver else 31)
    colour = INK if style.saver else accent
    low, high = edge + (tall + 5.3) * unit, size.height - edge - (tall + 5.3) * unit
    reach = (high - low) * number / highest

    def half() -> Drawing:
        side = Drawing(size.width, size.height)
        corner = cap(tall * unit)
        if not style.saver:
            side.rect(edge, low, thick, high - low, fill=tint(accent, 0.13))
        side.rect(edge, high - reach, thick, reach, fill=colour)
        for x in (edge + 0.9 * unit, size.width - edge - 0.9 * unit):
            wide = fonts.width(text, corner, "bold")
            left = x if x < size.width / 2 else x - wide
            _number(side, text, left + wide / 2, edge + (1 + tall) * unit, corner, reads_upside_down(number))
        return side

    top = half()
    card.place(top, 0, 0)
    huge = min(cap(middle * unit), (size.width - 2 * (edge + thick + 5 * unit)) / fonts.width("24", 1, "bold"))
    _number(card, text, size.width / 2, (size.height + CAP_HEIGHT * huge) / 2, huge, reads_upside_down(number))
    card.place(top, 0, 0, turn=180)
    return Face(card, text)


def _number(drawing: Drawing, text: str, x: float, y: float, size: float, underlined: bool) -> None:
    """A number around x with its baseline at y."""
    wide = drawing.text(x, y, text, size, face="bold", align="centre")
    if underlined:
        drawing.rect(x - wide * 0.42, y + size * 0.075, wide * 0.84, size * 0.06, fill=INK)


def back(size: Size, accent: str = INK, saver: bool = False) -> Face:
    """A quiet lattice in a white border, or to save ink its frame alone: the same upside down and in the mirror."""
    card, frame = Drawing(size.width, size.height), 1.5
    room = Size(size.width - 2 * (BACK_BORDER + frame), size.height - 2 * (BACK_BORDER + frame))
    across, down = _lattice(room)
    cell = min(room.width / across, room.height / down)
    wide, high = across * cell, down * cell
    x, y = (size.width - wide) / 2, (size.height - high) / 2
    accent = INK if saver else accent
    card.rect(x - frame, y - frame, wide + 2 * frame, high + 2 * frame, stroke=accent, line=0.5, radius=1.2)
    if not saver:
        card.diagonals(x, y, wide, high, cell, stroke=tint(accent, 0.62), line=0.3, both=True)
    middle = cell * 2
    card.path(
        symbols.polygon(
            (size.width / 2 + dx * middle, size.height / 2 + dy * middle)
            for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
        ),
        fill=WHITE, stroke=accent, line=0.5,
    )  # fmt: skip
    card.symbol(symbols.DIAMOND, size.width / 2, size.height / 2, middle * 0.95, fill=accent)
    return Face(card, frame=Size(wide + 2 * frame, high + 2 * frame))


def _lattice(room: Size) -> tuple[int, int]:
    """Cells across and down of about 4.4 mm that fill the room best; an even sum, so that corners meet corners."""

    def waste(cells: tuple[int, int]) -> float:
        cell = min(room.width / cells[0], room.height / cells[1])
        return room.width * room.height - cells[0] * cells[1] * cell * cell

    likely = round(room.width / 4.4)
    choices = [(a, d) for a in range(likely - 2, likely + 3) for d in range(a, 3 * a) if (a + d) % 2 == 0]
    return min(choices, key=waste)


_COLUMNS = {
    2: ((), (0.0, 1.0)),
    3: ((), (0.0, 0.5, 1.0)),
    4: ((0.0, 1.0), ()),
    5: ((0.0, 1.0), (0.5,)),
    6: ((0.0, 0.5, 1.0), ()),
    7: ((0.0, 0.5, 1.0), (0.25,)),
    8: ((0.0, 0.5, 1.0), (0.25, 0.75)),
    9: ((0.0, 1 / 3, 2 / 3, 1.0), (0.5,)),
    10: ((0.0, 1 / 3, 2 / 3, 1.0), (1 / 6, 5 / 6)),
}  # how far down the pips of the outer columns and of the middle one stand


def playing_card(rank: str, suit: str, letter: str, size: Size, style: Style = PLAIN) -> Face:
    """A suited card: `rank` of A 2 … 9 T J Q K, `suit` of s h d c, `letter` the index in the reader's language."""
    card, colour = Drawing(size.width, size.height), style.colour(suit)
    top = _indices(letter, suit, size, style, colour)
    card.place(top, 0, 0)
    if rank in symbols.EMBLEMS:
        _court(card, symbols.EMBLEMS[rank], letter, colour, style)
    elif rank == "A" or style.saver or style.indices == "large":
        share = 0.2 if style.saver else 0.42 if rank == "A" else 0.3
        card.symbol(symbols.SUITS[suit], size.width / 2, size.height / 2, share * size.width, fill=colour)
    else:
        _pips(card, 10 if rank == "T" else int(rank), symbols.SUITS[suit], colour)
    card.place(top, 0, 0, turn=180)
    return Face(card, letter + SUIT_CHARACTERS[suit])


def _index_size(size: Size, style: Style) -> tuple[float, float]:
    """Cap height of an index and the most room its letters may take."""
    unit = _unit(size)
    return (13 * unit, 0.38 * size.width) if style.indices == "large" else (7.5 * max(unit, 0.8), 11.5 * unit)


def _indices(letter: str, suit: str, size: Size, style: Style, colour: str) -> Drawing:
    """The index at the top left: letter, suit below it, on one axis."""
    half, unit = Drawing(size.width, size.height), _unit(size)
    height, room = _index_size(size, style)
    edge = SAFE + 1.2 * unit
    wide = min(fonts.width(letter, cap(height), "bold"), room)
    axis = edge + max(wide, height * 0.8) / 2
    half.text(
        axis, edge + height, letter, cap(height), face="bold", fill=colour, align="centre",
        width=room, least=cap(height) * 0.6,
    )  # fmt: skip
    # The suit is set as text, so that it can be searched for and read back from the file.
    type_size = height * 0.86 / SYMBOL_SIDE
    baseline = edge + height + 1.3 * unit + (SYMBOL_SIDE - SYMBOL_DROP) * type_size
    half.text(axis, baseline, SUIT_CHARACTERS[suit], type_size, fill=colour, align="centre")
    return half


def _pips(card: Drawing, count: int, shape: symbols.Shape, colour: str) -> None:
    outer, middle = _COLUMNS[count]
    top, reach, side = 0.19 * card.height, 0.62 * card.height, 0.165 * card.width
    places = [(column, v) for v in outer for column in (0.35, 0.65)] + [(0.5, v) for v in middle]
    for column, v in sorted(places, key=lambda place: (place[1], place[0])):
        turn = 180 if v > 0.5 else 0
        card.symbol(shape, column * card.width, top + v * reach, side, fill=colour, turn=turn)


def _court(card: Drawing, emblem: symbols.Shape, letter: str, colour: str, style: Style) -> None:
    """A large letter under its emblem, on a light panel."""
    unit = _unit(Size(card.width, card.height))
    x, large = card.width / 2, style.indices == "large"
    wide, high = (0.46 * card.width, 0.62 * card.height) if not large else (0.4 * card.width, 0.4 * card.height)
    if not style.saver and not large:
        card.rect(
            x - wide / 2, (card.height - high) / 2, wide, high, radius=2 * unit, fill=tint(colour, 0.07),
            stroke=tint(colour, 0.45), line=0.25,
        )  # fmt: skip
    letter_high, emblem_side = (17 * unit, 21 * unit) if not (large or style.saver) else (12 * unit, 15 * unit)
    total = emblem_side * 0.82 + 3 * unit + letter_high
    y = (card.height - total) / 2
    card.symbol(emblem, x, y + emblem_side * 0.4, emblem_side, fill=colour)
    card.text(
        x, y + total, letter, cap(letter_high), face="bold", fill=colour, align="centre",
        width=wide - 4 * unit, least=cap(letter_high) * 0.5,
    )  # fmt: skip


def joker(word: str, number: int, size: Size, style: Style = PLAIN, accent: str = INK) -> Face:
    """A joker: a star, the word, and as many small stars as its number; the first is in `accent`, the second black."""
    colour = INK if style.saver or number > 1 else accent
    card = _worded(word, symbols.STAR, size, style, colour)
    stars = "★" * number
    side = 0.075 * size.width / SYMBOL_SIDE
    card.text(size.width / 2, 0.74 * size.height + side * 0.33, stars, side, fill=colour, align="centre")
    return Face(card, word + stars)


def deck(
    letters: Mapping[str, str], joker_word: str, size: Size, style: Style = PLAIN, accent: str = INK, jokers: int = 2
) -> list[Face]:
    """The 52 cards, suit by suit from ace to king, and the jokers. `letters`: the index of each rank A 2 … T J Q K."""
    suited = [playing_card(rank, suit, letters[rank], size, style) for suit in "shdc" for rank in "A23456789TJQK"]
    return suited + [joker(joker_word, n, size, style, accent) for n in range(1, jokers + 1)]


def marker(word: str, size: Size, style: Style = PLAIN, accent: str = INK) -> Face:
    """The marker card: a ring and the word; it is no playing card, and its hatched band says so from afar."""
    colour = INK if style.saver else accent
    card = _worded(word, symbols.RING, size, style, colour)
    band = 0.06 * size.height
    for y in (0.26 * size.height, 0.74 * size.height - band):
        card.diagonals(0.2 * size.width, y, 0.6 * size.width, band, 2.2, stroke=colour, line=0.35)
    return Face(card, word)


def _worded(word: str, shape: symbols.Shape, size: Size, style: Style, colour: str) -> Drawing:
    """A card with a shape for its index, the same shape large, and a word below it."""
    card, unit = Drawing(size.width, size.height), _unit(size)
    height = _index_size(size, style)[0]
    half = Drawing(size.width, size.height)
    half.symbol(shape, SAFE + 1.2 * unit + height / 2, SAFE + 1.2 * unit + height / 2, height, fill=colour)
    card.place(half, 0, 0)
    card.symbol(shape, size.width / 2, 0.44 * size.height, 0.34 * size.width, fill=colour)
    card.text(
        size.width / 2, 0.66 * size.height, word, cap(6.5 * unit), face="bold", fill=colour, align="centre",
        width=size.width - 2 * SAFE - 4 * unit, least=cap(3.2 * unit),
    )  # fmt: skip
    card.place(half, 0, 0, turn=180)
    return card


# Cards in diagrams

DIAGRAM_RATIO = 1.4  # height of a diagram's card over its width


def diagram_card(
    letter: str, suit: str = "", *, width: float = 11.0, accent: str = INK, style: Style = PLAIN, played: bool = False,
    acting: bool = False, mark: str = "",
) -> Drawing:  # fmt: skip
    """A card as diagrams show it: `letter` large and, with `suit`, the suit below.

    `played`: a thick outline in the accent colour; `acting`: a dot; `mark`: a character such as ① in the corner.
    """
    card, line = _blank(width, 0.9 if played else 0.25, accent if played else INK)
    colour = style.colour(suit) if suit else INK
    height = card.height
    if suit:
        size = cap(0.38 * width)
        card.text(width / 2, 0.52 * height, letter, size, face="bold", fill=colour, align="centre",
                  width=width * 0.84, least=size * 0.6)  # fmt: skip
        card.symbol(symbols.SUITS[suit], width / 2, 0.745 * height, 0.38 * width, fill=colour)
    else:
        size = cap(0.44 * width)
        card.text(width / 2, (height + 0.44 * width) / 2, letter, size, face="bold", align="centre",
                  width=width * 0.84, least=size * 0.5)  # fmt: skip
    if acting:
        card.circle(width - line - 0.13 * width, line + 0.13 * width, 0.085 * width, fill=accent)
    if mark:
        card.text(line + 0.03 * width, line + 0.25 * width, mark, cap(0.21 * width), fill=INK)
    return card


def diagram_back(*, width: float = 11.0, accent: str = INK) -> Drawing:
    """A card lying face down: a plain lattice."""
    card, _ = _blank(width, 0.25, INK)
    inset = 0.11 * width
    inner = width - 2 * inset
    step = inner / 4
    high = step * 6
    card.diagonals(inset, (card.height - high) / 2, inner, high, step, stroke=accent, line=0.25, both=True)
    return card


def diagram_place(*, width: float = 11.0, impossible: bool = False, label: str = "") -> Drawing:
    """A place without a card: a dashed outline, hatched where no card may go."""
    place = Drawing(width, width * DIAGRAM_RATIO)
    place.rect(0.15, 0.15, width - 0.3, place.height - 0.3, radius=0.06 * width, stroke="#777777", line=0.25,
               dash=() if impossible else (0.9, 0.7))  # fmt: skip
    if impossible:
        inset = 0.1 * width
        place.diagonals(inset, inset, width - 2 * inset, place.height - 2 * inset, 1.5, stroke="#777777", line=0.3)
    if label:
        size = cap(0.22 * width)
        wide = fonts.width(label, size)
        if impossible:
            place.rect(width / 2 - wide / 2 - 0.6, place.height / 2 - 0.2 * width, wide + 1.2, 0.4 * width, fill=WHITE)
        place.text(width / 2, (place.height + 0.22 * width) / 2, label, size, align="centre", width=width * 0.86,
                   least=size * 0.6)  # fmt: skip
    return place


def _blank(width: float, line: float, colour: str) -> tuple[Drawing, float]:
    """A diagram's card with nothing on it, and how far its outline reaches in."""
    card = Drawing(width, width * DIAGRAM_RATIO)
    card.rect(line / 2, line / 2, width - line, card.height - line, radius=0.06 * width, fill=WHITE, stroke=colour,
              line=line)  # fmt: skip
    return card, line
