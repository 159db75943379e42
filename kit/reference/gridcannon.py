"""Gridcannon, as the rules read. A position is the interchange object; rows and columns count from 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kit.reference.plain import deepcopy

Position = dict[str, Any]

NUMBERS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
HEALTH = {"J": 11, "Q": 12, "K": 13}
COLOUR = {"s": "black", "c": "black", "h": "red", "d": "red"}
DECK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"] + ["X1", "X2"]
CELLS = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
CENTRE = (2, 2)

# GC-3: the grid card beside which each place lies.
BESIDE = {
    **{f"T{column}": (1, column) for column in (1, 2, 3)},
    **{f"B{column}": (3, column) for column in (1, 2, 3)},
    **{f"L{row}": (row, 1) for row in (1, 2, 3)},
    **{f"R{row}": (row, 3) for row in (1, 2, 3)},
}


def is_number(card: str) -> bool:
    """GC-1: 2 to 10."""
    return card[0] in NUMBERS


def is_royal(card: str) -> bool:
    """GC-1: jack, queen, king."""
    return card[0] in HEALTH


def is_ploy(card: str) -> bool:
    """GC-1: aces and jokers."""
    return card[0] in "AX"


def is_joker(card: str) -> bool:
    return card[0] == "X"


def suit(card: str) -> str:
    return card[1]


def colour(card: str) -> str:
    return COLOUR[card[1]]


def stack(position: Position, cell: tuple[int, int]) -> list[str]:
    """The cards of a grid place, bottom first."""
    cards: list[str] = position["grid"][cell[0] - 1][cell[1] - 1]
    return cards


def top(position: Position, cell: tuple[int, int]) -> str | None:
    cards = stack(position, cell)
    return cards[-1] if cards else None


def living(position: Position) -> dict[str, Any]:
    """The places of living royals, with the royals."""
    return {place: royal for place, royal in position["royals"].items() if not royal["dead"]}


# The start.


def deal(deck: Sequence[str], players: int = 1, empty_centre: bool = False, replace_one: bool = False) -> Position:
    """GC-2, GC-4, GC-22: up to the first choice. ValueError for no such deal."""
    if players != 1:
        raise ValueError("GC-1: one player")
    if sorted(deck) != sorted(DECK):
        raise ValueError("GC-1: the deck is 54 cards")
    position: Position = {
        "game": "gridcannon",
        "grid": [[[], [], []], [[], [], []], [[], [], []]],
        "royals": {},
        "draw": list(deck),
        "turned": None,
        "waiting": [],
        "ploys": [],
        "used": [],
        "options": {"empty_centre": empty_centre, "replace_one": replace_one},
        "phase": "setup",
    }
    for cell in CELLS:
        if cell != CENTRE or not empty_centre:
            fill(position, cell)
    if not position["waiting"]:
        after_setup(position)
    return position


def fill(position: Position, cell: tuple[int, int]) -> None:
    """GC-2, GC-5: cards are turned until a number card fills the place; royals wait, aces and jokers are ploys."""
    while not stack(position, cell):
        card = position["draw"].pop(0)
        if is_royal(card):
            position["waiting"].append(card)
        elif is_ploy(card):
            position["ploys"].append(card)
        else:
            stack(position, cell).append(card)


def after_setup(position: Position) -> None:
    """GC-R3: GC-5 comes after GC-4 and before GC-18."""
    if position["options"]["replace_one"]:
        position["phase"] = "replace"
    else:
        carry_on(position)


# Moves.


def legal(position: Position) -> list[str]:
    """Every legal move of the phase."""
    phase = position["phase"]
    if phase == "setup":
        return royal_moves(position)
    if phase == "replace":
        return [f"replace {row} {column}" for row, column in CELLS if stack(position, (row, column))] + ["keep"]
    if phase == "royal":
        return royal_moves(position) + ploy_moves(position)
    if phase == "turn":
        return ["turn"] * bool(position["draw"]) + ploy_moves(position) + ["concede"]
    if phase == "put":
        return place_moves(position) + armour_moves(position) + ploy_moves(position) + ["concede"]
    return []


def play(position: Position, move: str) -> Position:
    """The position after a move; ValueError when the move is not legal."""
    if move not in legal(position):
        raise ValueError(f"not legal: {move}")
    after = deepcopy(position)
    word, *rest = move.split(" ")
    if word == "turn":
        turn(after)
    elif word == "royal":
        place_royal(after, rest[0])
    elif word == "place":
        put_on(after, take_turned(after), (int(rest[0]), int(rest[1])))
    elif word == "armour":
        living(after)[rest[0]]["armour"].append(take_turned(after))
    elif word == "extract":
        extract(after, rest[0], (int(rest[1]), int(rest[2])))
    elif word == "reassign":
        reassign(after, rest[0], (int(rest[1]), int(rest[2])), (int(rest[3]), int(rest[4])))
    elif word == "replace":
        replace(after, (int(rest[0]), int(rest[1])))
    elif word == "concede":
        after["phase"] = "lost"
        return after
    if position["phase"] != "setup":
        carry_on(after)
    elif not after["waiting"]:
        after_setup(after)
    return after


def carry_on(position: Position) -> None:
    """GC-R10: what happens by itself after every move, in its order, and what is to be done next."""
    if is_won(position):
        position["phase"] = "won"
    elif any(is_beyond_reach(royal) for royal in living(position).values()):
        position["phase"] = "lost"
    else:
        seek_royal(position)
        if position["waiting"]:
            position["phase"] = "royal"
        elif position["turned"] is not None:
            position["phase"] = "put"
        elif is_out_of_cards(position):
            position["phase"] = "lost"
        else:
            position["phase"] = "turn"


def result(position: Position) -> Position | None:
    """GC-21, GC-R12: the ploys left at a win; or by what the game was lost; None before the end."""
    if position["phase"] == "won":
        return {"won": True, "score": len(position["ploys"])}
    if position["phase"] != "lost":
        return None
    if any(is_beyond_reach(royal) for royal in living(position).values()):
        return {"won": False, "by": "armour"}
    if is_out_of_cards(position):
        return {"won": False, "by": "out of cards"}
    return {"won": False, "by": "concede"}


def is_won(position: Position) -> bool:
    """GC-19: all twelve places hold a dead royal."""
    return all(place in position["royals"] and position["royals"][place]["dead"] for place in BESIDE)


def is_out_of_cards(position: Position) -> bool:
    """GC-20, GC-R9: no card in hand, none to turn, and no ploy to use."""
    return position["turned"] is None and not position["draw"] and not ploy_moves(position)


def seek_royal(position: Position) -> None:
    """GC-18, GC-R4, GC-R8: with no royal waiting or living and some yet to come, cards are turned until one comes."""
    if position["waiting"] or living(position) or len(position["royals"]) == 12:
        return
    passed = []
    while not is_royal(position["draw"][0]):
        passed.append(position["draw"].pop(0))
    position["waiting"].append(position["draw"].pop(0))
    position["draw"] += passed


def turn(position: Position) -> None:
    """GC-8: a royal waits for its place, an ace or joker is a ploy, a number card is to be put."""
    card = position["draw"].pop(0)
    if is_royal(card):
        position["waiting"].append(card)
    elif is_ploy(card):
        position["ploys"].append(card)
    else:
        position["turned"] = card


def take_turned(position: Position) -> str:
    card: str = position["turned"]
    position["turned"] = None
    return card


def replace(position: Position, cell: tuple[int, int]) -> None:
    """GC-5, GC-R3: the card goes under the draw pile and its place is filled."""
    position["draw"].append(stack(position, cell).pop())
    fill(position, cell)


# Royals.


def likeness(royal: str, card: str | None) -> tuple[int, int]:
    """GC-6, GC-R2: smaller is more similar: own suit, own colour, the rest, empty; among equals the higher card."""
    if card is None:
        return (4, 0)
    if suit(card) == suit(royal):
        return (1, -NUMBERS[card[0]])
    if colour(card) == colour(royal):
        return (2, -NUMBERS[card[0]])
    return (3, -NUMBERS[card[0]])


def royal_moves(position: Position) -> list[str]:
    """GC-6, GC-7: the free places beside the most similar grid cards that have any."""
    royal = position["waiting"][0]
    free = [place for place in BESIDE if place not in position["royals"]]
    best = min(likeness(royal, top(position, BESIDE[place])) for place in free)
    return [f"royal {place}" for place in free if likeness(royal, top(position, BESIDE[place])) == best]


def place_royal(position: Position, place: str) -> None:
    position["royals"][place] = {"card": position["waiting"].pop(0), "armour": [], "dead": False}


def health(royal: Position) -> int:
    """GC-11, GC-16: jack 11, queen 12, king 13, and the armour."""
    return HEALTH[royal["card"][0]] + sum(NUMBERS[card[0]] for card in royal["armour"])


def is_beyond_reach(royal: Position) -> bool:
    """GC-17."""
    return health(royal) >= (19 if royal["card"][0] == "K" else 20)


# Number cards.


def fits(position: Position, card: str, cell: tuple[int, int]) -> bool:
    """GC-9, GC-14, GC-22: on a top of the same or lower value, or an empty place."""
    covered = top(position, cell)
    return covered is None or NUMBERS[covered[0]] <= NUMBERS[card[0]]


def place_moves(position: Position) -> list[str]:
    """GC-9."""
    return [f"place {row} {column}" for row, column in CELLS if fits(position, position["turned"], (row, column))]


def armour_moves(position: Position) -> list[str]:
    """GC-16, GC-R7: only when the card fits nowhere; the lowest royal of its suit, else of its colour, else of all."""
    card = position["turned"]
    if place_moves(position):
        return []
    royals = living(position)
    same_suit = {place: royal for place, royal in royals.items() if suit(royal["card"]) == suit(card)}
    same_colour = {place: royal for place, royal in royals.items() if colour(royal["card"]) == colour(card)}
    similar = same_suit or same_colour or royals
    lowest = min(HEALTH[royal["card"][0]] for royal in similar.values())
    return [f"armour {place}" for place, royal in similar.items() if HEALTH[royal["card"][0]] == lowest]


def put_on(position: Position, card: str, cell: tuple[int, int]) -> None:
    """GC-9, GC-10: the card lies on the stack, and what it triggers attacks."""
    stack(position, cell).append(card)
    for place in BESIDE:
        if place in living(position) and cell == far_end(place):
            attack(position, place)


def line(place: str) -> list[tuple[int, int]]:
    """GC-10, GC-12: the three grid places in front of a royal's place, nearest first."""
    number = int(place[1])
    if place[0] == "T":
        return [(1, number), (2, number), (3, number)]
    if place[0] == "B":
        return [(3, number), (2, number), (1, number)]
    if place[0] == "L":
        return [(number, 1), (number, 2), (number, 3)]
    return [(number, 3), (number, 2), (number, 1)]


def far_end(place: str) -> tuple[int, int]:
    """GC-10: where a card must be put to fire at a place: two grid places lie between."""
    return line(place)[2]


def attack(position: Position, place: str) -> None:
    """GC-10, GC-11: the two top cards between attack; their total against the health."""
    royal = position["royals"][place]
    total = sum(strength(royal["card"], top(position, cell)) for cell in line(place)[:2])
    if total >= health(royal):
        royal["dead"] = True


def strength(royal: str, card: str | None) -> int:
    """GC-11, GC-14, GC-R5: jack any cards, queen her colour, king his suit; an empty place nothing."""
    if card is None:
        return 0
    if royal[0] == "K" and suit(card) != suit(royal):
        return 0
    if royal[0] == "Q" and colour(card) != colour(royal):
        return 0
    return NUMBERS[card[0]]


# Ploys.


def ploy_moves(position: Position) -> list[str]:
    """GC-13: every use of every ploy left."""
    moves = []
    for ploy in position["ploys"]:
        for row, column in CELLS:
            card = top(position, (row, column))
            if card is None:
                continue
            if not is_joker(ploy):
                moves.append(f"extract {ploy} {row} {column}")
                continue
            for to_row, to_column in CELLS:
                if (row, column) != (to_row, to_column) and fits(position, card, (to_row, to_column)):
                    moves.append(f"reassign {ploy} {row} {column} {to_row} {to_column}")
    return moves


def use(position: Position, ploy: str) -> None:
    """GC-13: each once, then face down."""
    position["ploys"].remove(ploy)
    position["used"].append(ploy)


def extract(position: Position, ploy: str, cell: tuple[int, int]) -> None:
    """GC-14, GC-R4: the whole stack goes under the draw pile, its oldest card first."""
    use(position, ploy)
    position["draw"] += stack(position, cell)
    stack(position, cell).clear()


def reassign(position: Position, ploy: str, cell: tuple[int, int], to: tuple[int, int]) -> None:
    """GC-15, GC-R6: the top card moves to another stack, and may fire there."""
    use(position, ploy)
    put_on(position, stack(position, cell).pop(), to)


def canonical(position: Position) -> Position:
    """Ploys, used ploys and armour compare as sets."""
    same = deepcopy(position)
    same["ploys"] = sorted(same["ploys"])
    same["used"] = sorted(same["used"])
    for royal in same["royals"].values():
        royal["armour"] = sorted(royal["armour"])
    return same
