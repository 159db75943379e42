"""Gridcannon: practice solved from the question alone. Rows and columns count from 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kit.reference import gridcannon
from kit.reference.gridcannon import BESIDE, CELLS, CENTRE, far_end, fits, health, is_joker, line, living, top
from kit.reference.plain import deepcopy
from kit.reference.practice.solution import Solution

Json = Any
Cell = tuple[int, int]

EMPTY = "--"


def solve(question: Json) -> Solution:
    """The solution of a question of this game."""
    kinds = {"a": royal, "b": number_card, "c": killing, "d": kill_line, "e": armour, "f": attack}
    return kinds[question["kind"]](question)


def table(here: Json, **parts: Any) -> Json:
    """A position of the parts that a question shows, which the reference's rules can be asked about."""
    empty: Json = {"royals": {}, "ploys": [], "used": [], "turned": None, "waiting": [], "draw": []}
    return deepcopy({**empty, "grid": here["grid"], "royals": here.get("royals", {}), **parts})


def named(cell: Cell) -> Json:
    return {"row": cell[0], "column": cell[1]}


def cell_name(option: Json) -> Cell | None:
    return (option["row"], option["column"]) if {"row", "column"} <= option.keys() else None


def place_name(option: Json) -> str | None:
    return option["place"] if option.get("place") in BESIDE else None


def royal(question: Json) -> Solution:
    """(a) Where a royal may go (GC-6, GC-7)."""
    here = question["position"]
    position = table(here, waiting=[here["royal"]])
    right = [move.removeprefix("royal ") for move in gridcannon.royal_moves(position)]

    def forbidden(option: Json) -> set[str]:
        if option["place"] in right:
            return set()
        return {"GC-6", "GC-7"} if option["place"] in here["royals"] else {"GC-6", "GC-R2"}

    return Solution(
        [{"place": place} for place in right],
        options=[{"place": place} for place in BESIDE if place not in here["royals"]],
        name=place_name,
        granted=frozenset({"GC-6", "GC-7", "GC-R2"}),
        forbidden=forbidden,
    )


def number_card(question: Json) -> Solution:
    """(b) Where a number card may go (GC-9)."""
    here = question["position"]
    position = table(here)
    return Solution(
        [named(cell) for cell in CELLS if fits(position, here["card"], cell)],
        options=[named(cell) for cell in CELLS],
        name=cell_name,
        granted=frozenset({"GC-9", "GC-14", "GC-22"}),
        forbidden=lambda option: set() if fits(position, here["card"], cell_name(option) or CENTRE) else {"GC-9"},
    )


# Attacks.


def counted(position: Json, place: str) -> Json:
    """GC-10, GC-11: what an attack on the royal at a place comes to."""
    target = position["royals"][place]
    cards = [top(position, cell) for cell in line(place)[:2]]
    counts = [gridcannon.strength(target["card"], card) for card in cards]
    return {
        "place": place,
        "cards": [card or EMPTY for card in reversed(cards)],  # nearest to the placed card first
        "counts": counts[::-1],
        "total": sum(counts),
        "health": health(target),
        "dead": sum(counts) >= health(target),
    }


def attacks(position: Json, cell: Cell) -> list[Json]:
    """GC-10, GC-12: every attack that a card put here makes."""
    return [counted(position, place) for place in sorted(living(position)) if far_end(place) == cell]


def killing(question: Json) -> Solution:
    """(c) The placement that kills."""
    here = question["position"]
    position = table(here)

    def kills(cell: Cell) -> list[str]:
        if not fits(position, here["card"], cell):
            return []
        return [attack["place"] for attack in attacks(position, cell) if attack["dead"]]

    def forbidden(option: Json) -> set[str]:
        cell = option["row"], option["column"]
        return set() if kills(cell) else no_kill(position, here["card"], cell)

    return Solution(
        [{**named(cell), "kills": kills(cell)} for cell in CELLS if kills(cell)],
        one=True,
        options=[named(cell) for cell in CELLS if fits(position, here["card"], cell)],
        name=cell_name,
        granted=frozenset({"GC-10", "GC-11", "GC-12"}),
        forbidden=forbidden,
    )


def no_kill(position: Json, card: str, cell: Cell) -> set[str]:
    """The rules for which a placement kills nobody."""
    rules = set() if fits(position, card, cell) else {"GC-9"}
    if cell == CENTRE:
        return rules | {"GC-12", "GC-10"}
    across = [place for place in BESIDE if far_end(place) == cell]
    if any(place not in living(position) for place in across):
        rules |= {"GC-10"}
    if 2 in cell and not attacks(position, cell):
        rules |= {"GC-12"}
    for attack in attacks(position, cell):
        rules |= {"GC-11"}
        if EMPTY in attack["cards"]:
            rules |= {"GC-14", "GC-R5"}
        if position["royals"][attack["place"]]["armour"]:
            rules |= {"GC-16"}
    return rules


def attack(question: Json) -> Solution:
    """(f) Is this attack enough? ValueError for a card that may not be put there."""
    here = question["position"]
    cell = here["row"], here["column"]
    position = table(here)
    if not fits(position, here["card"], cell):
        raise ValueError("GC-9: the card cannot be put there")
    return Solution([{"attacks": attacks(position, cell)}], one=True)


# (d) Kill the named royal with the next cards.


def kill_line(question: Json) -> Solution:
    """(d) Every line that kills the target with the next cards and the ploys (GC-9 to GC-15)."""
    here = question["position"]
    start = (table(here, ploys=here["ploys"]), here["cards"])
    return Solution(
        [{"moves": moves} for moves in lines(*start, here["target"], {})],
        one=True,
        every=False,
        same=lambda answer: " / ".join(map(without_ploy, answer["moves"])),
        refuted=lambda moves: why_not(*start, here["target"], moves),
    )


def without_ploy(move: str) -> str:
    """A move without which ploy is used: two jokers, or two Aces, are alike."""
    word, *rest = move.split(" ")
    return " ".join([word, *(part for part in rest if part.isdigit())])


def lines(position: Json, cards: list[str], target: str, known: dict[str, list[list[str]]]) -> list[list[str]]:
    """Every line that kills the target; of equal ploys the first is used. `known` are the lines of positions met."""
    key = str((position["grid"], sorted(living(position)), position["ploys"], len(cards)))
    if key not in known:
        known[key] = []
        for move in moves_of(position, cards):
            after, left = played(position, cards, move)
            if after["royals"][target]["dead"]:
                known[key].append([move])
            elif can_still_kill(after, left):
                known[key] += [[move, *rest] for rest in lines(after, left, target, known)]
    return known[key]


def can_still_kill(position: Json, cards: list[str]) -> bool:
    """Only a card that is put somewhere fires: a placement or a joker must be left."""
    return bool(cards) or any(is_joker(ploy) for ploy in position["ploys"])


def moves_of(position: Json, cards: list[str]) -> list[str]:
    """The next card's placements, if one is left, and every use of the first joker and of the first Ace."""
    places = [f"place {row} {column}" for row, column in CELLS if cards and fits(position, cards[0], (row, column))]
    jokers = [ploy for ploy in position["ploys"] if is_joker(ploy)][:1]
    aces = [ploy for ploy in position["ploys"] if not is_joker(ploy)][:1]
    return places + gridcannon.ploy_moves({**position, "ploys": aces + jokers})


def played(position: Json, cards: list[str], move: str) -> tuple[Json, list[str]]:
    """The table and the cards to come after a move that is known to be legal.

    While the target lives no royal is sought (GC-18); what an Ace lays under the draw pile does not come back in time.
    """
    after = {
        **position,
        "grid": [[list(stack) for stack in row] for row in position["grid"]],
        "royals": {place: dict(royal) for place, royal in position["royals"].items()},
        "ploys": list(position["ploys"]),
        "used": list(position["used"]),
        "draw": [],
    }
    word, *rest = move.split(" ")
    if word == "place":
        gridcannon.put_on(after, cards[0], (int(rest[0]), int(rest[1])))
        return after, cards[1:]
    numbers = [int(number) for number in rest[1:]]
    if word == "extract":
        gridcannon.extract(after, rest[0], (numbers[0], numbers[1]))
    else:
        gridcannon.reassign(after, rest[0], (numbers[0], numbers[1]), (numbers[2], numbers[3]))
    return after, cards


def why_not(position: Json, cards: list[str], target: str, moves: Sequence[str]) -> set[str]:
    """The rules for which a line does not kill the target; none when it does."""
    rules: set[str] = set()
    for move in moves:
        if position["royals"][target]["dead"]:
            return {"GC-10"}  # it was dead before: what follows is no part of the line
        word, *rest = move.split(" ")
        if word == "place":
            cell = int(rest[0]), int(rest[1])
            if not cards or not fits(position, cards[0], cell):
                return {"GC-9"}
            rules |= no_kill(position, cards[0], cell)
        elif move not in gridcannon.ploy_moves(position):
            return {"GC-13", "GC-14", "GC-15", "GC-9"}
        else:
            rules |= {"GC-13", "GC-14" if word == "extract" else "GC-15"}
        position, cards = played(position, cards, move)
    if position["royals"][target]["dead"]:
        return set()
    if cards and not any(fits(position, cards[0], cell) for cell in CELLS):
        rules |= {"GC-9", "GC-16"}
    return rules | {"GC-10", "GC-11"}


def armour(question: Json) -> Solution:
    """(e) Which royal takes the armour (GC-16). ValueError where the card fits."""
    here = question["position"]
    position = table(here, turned=here["card"])
    if any(fits(position, here["card"], cell) for cell in CELLS):
        raise ValueError("GC-16: the card fits somewhere")
    right = [move.removeprefix("armour ") for move in gridcannon.armour_moves(position)]
    reading = {"GC-R7"} if set(by_health(position, here["card"])) != set(right) else set()

    def forbidden(option: Json) -> set[str]:
        if option["place"] in right:
            return set()
        return {"GC-16"} | reading

    return Solution(
        [{"place": place} for place in right],
        options=[{"place": place} for place in living(position)],
        granted=frozenset({"GC-7", "GC-16", "GC-R7"}),
        name=lambda option: place_name(option) if option.get("place") in here["royals"] else None,
        forbidden=forbidden,
        readings=frozenset(reading),
    )


def by_health(position: Json, card: str) -> list[str]:
    """Who would take the armour if "lowest" counted the armour already worn: GC-R7 read otherwise."""
    royals = living(position)
    same_suit = [p for p, r in royals.items() if gridcannon.suit(r["card"]) == gridcannon.suit(card)]
    same_colour = [p for p, r in royals.items() if gridcannon.colour(r["card"]) == gridcannon.colour(card)]
    similar = same_suit or same_colour or list(royals)
    return [place for place in similar if health(royals[place]) == min(health(royals[other]) for other in similar)]


# The origin.


def is_deal(position: Json) -> bool:
    """Does a record begin here (GC-2)? Which cards were turned between the others is not known any more.

    Where nobody was set aside a royal has been sought (GC-18): it then stands first in the deck tried, after the grid.
    """
    grid = [card for row in position["grid"] for stack in row for card in stack]
    waiting, ploys, draw = position["waiting"], position["ploys"], position["draw"]
    set_aside = position["phase"] == "setup"
    deck = [*(waiting if set_aside else []), *ploys, *grid, *([] if set_aside else waiting), *draw]
    return bool(gridcannon.deal(deck, **position["options"]) == position)


def shown(question: Json, positions: list[Json], moves: list[str]) -> bool:
    """Does one of the record's positions hold what the question shows?"""
    return any(agrees(question, position) for position in positions)


def agrees(question: Json, position: Json) -> bool:
    """Are the parts that a question shows those of this position? Of stacks the tops count, which are all one sees."""
    here = question["position"]
    if any(top(here, cell) != top(position, cell) for cell in CELLS):
        return False
    if "royals" in here and not same_royals(here["royals"], position["royals"]):
        return False
    if "ploys" in here and sorted(here["ploys"]) != sorted(position["ploys"]):
        return False
    to_come = [card for card in [position["turned"], *position["draw"]] if card is not None]
    if "cards" in here and to_come[: len(here["cards"])] != here["cards"]:
        return False
    return question["kind"] != "e" or not position["ploys"]


def same_royals(here: Json, there: Json) -> bool:
    return {place: {**royal, "armour": sorted(royal["armour"])} for place, royal in here.items()} == {
        place: {**royal, "armour": sorted(royal["armour"])} for place, royal in there.items()
    }


def cards_of(question: Json) -> list[Any]:
    """Every card that the question shows."""
    here = question["position"]
    cards = [card for row in here["grid"] for stack in row for card in stack]
    for royal in here.get("royals", {}).values():
        cards += [royal["card"], *royal["armour"]]
    cards += here.get("ploys", []) + here.get("cards", [])
    return cards + [here[key] for key in ("card", "royal") if key in here]
