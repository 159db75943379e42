"""Ascending row overflow: practice solved from the question alone."""

from __future__ import annotations

from typing import Any

from kit.reference.plain import deepcopy
from kit.reference.practice.solution import Solution
from kit.reference.rowoverflow import deal, overflows, row_for

Json = Any
Rows = list[list[int]]

RULE = {"append": "RO-6", "overflow": "RO-9", "no_lower_end": "RO-8"}


def solve(question: Json) -> Solution:
    """The solution of a question of this game."""
    return {"a": place, "b": trace, "c": penalties, "d": safe_card}[question["kind"]](question)


def place(question: Json) -> Solution:
    """(a) The row for one card: RO-6 names it, or RO-8 leaves all four."""
    rows, card = question["position"]["rows"], question["position"]["card"]
    target = row_for(rows, card)
    answers: list[Json]
    if target is None:
        answers = [{"row": n, "outcome": "no_lower_end", "points": len(row)} for n, row in enumerate(rows, start=1)]
    elif overflows(rows[target]):
        answers = [{"row": target + 1, "outcome": "overflow", "points": 4}]
    else:
        answers = [{"row": target + 1, "outcome": "append", "points": 0}]
    return Solution(
        answers,
        options=[{"row": n} for n in range(1, 5)],
        name=lambda option: option.get("row"),
        granted=frozenset(RULE[answer["outcome"]] for answer in answers),
        forbidden=lambda option: wrong_row(rows, card, option["row"]),
    )


def wrong_row(rows: Rows, card: int, row: int, stated: int | None = None) -> set[str]:
    """The rules against putting the card to a row (from 1); `stated` is the row that RO-8's chooser takes, if said."""
    target = row_for(rows, card)
    if target is None:
        return {"RO-8"} if stated is not None and row != stated else set()
    if row == target + 1:
        return set()
    dodges = overflows(rows[target]) and not overflows(rows[row - 1])
    return {"RO-6", "RO-10"} if dodges else {"RO-6"}


def stated_row(question: Json) -> int | None:
    """The row that whoever owes the choice of RO-8 takes."""
    rows = [prompt["facts"]["row"] for prompt in question["prompts"] if prompt["key"] == "stated_row"]
    return rows[0] if rows else None


def follow(rows: Rows, cards: list[tuple[int, int]], stated: int | None) -> list[tuple[Rows, Json]]:
    """RO-5, RO-7: each (card, seat) in increasing number: the rows before it, and what happens.

    ValueError where RO-8 leaves a choice and no row is stated.
    """
    told = []
    for card, seat in sorted(cards):
        before, rows = rows, deepcopy(rows)
        target = row_for(rows, card)
        if target is not None:
            outcome = "overflow" if overflows(rows[target]) else "append"
        elif stated is not None:
            target, outcome = stated - 1, "no_lower_end"
        else:
            raise ValueError(f"RO-8: the row that the {card} takes is not stated")
        points = 0 if outcome == "append" else len(rows[target])
        rows[target] = [*rows[target], card] if outcome == "append" else [card]
        step = {"card": card, "seat": seat, "row": target + 1, "outcome": outcome, "points": points}
        told.append((before, {**step, "ends": [row[-1] for row in rows]}))
    return told


def revealed(question: Json) -> list[tuple[int, int]]:
    return [(card, seat) for seat, card in enumerate(question["position"]["cards"])]


def gained(steps: list[Json], seats: int) -> list[int]:
    """RO-13: a point a collected card."""
    return [sum(step["points"] for step in steps if step["seat"] == seat) for seat in range(seats)]


def trace(question: Json) -> Solution:
    """(b) A whole reveal."""
    cards = revealed(question)
    steps = [step for _, step in follow(question["position"]["rows"], cards, stated_row(question))]
    return Solution([{"steps": steps, "points": gained(steps, len(cards))}], one=True)


def penalties(question: Json) -> Solution:
    """(c) The points after a reveal."""
    cards, before = revealed(question), question["position"]["points"]
    steps = [step for _, step in follow(question["position"]["rows"], cards, stated_row(question))]
    more = gained(steps, len(cards))
    return Solution([{"points": [old + new for old, new in zip(before, more, strict=True)]}], one=True)


def own_step(question: Json, card: int) -> Json:
    """What becomes of the own card when it is played against those of the others."""
    position = question["position"]
    cards = [(card, position["seat"]), *((other, seat) for seat, other in position["others"])]
    return next(step for _, step in follow(position["rows"], cards, stated_row(question)) if step["card"] == card)


def safe_card(question: Json) -> Solution:
    """(d) The card of the hand that collects nothing."""
    hand = question["position"]["hand"]

    def forbidden(option: Json) -> set[str]:
        step = own_step(question, option["card"])
        return {RULE[step["outcome"]]} if step["points"] else set()

    return Solution(
        [{"card": card} for card in hand if own_step(question, card)["points"] == 0],
        one=True,
        options=[{"card": card} for card in hand],
        name=lambda option: option.get("card"),
        granted=frozenset({"RO-6"}),
        forbidden=forbidden,
    )


# The argument: every step of every trace, and every sum.


def argument_faults(question: Json, problem: Json) -> list[str]:
    """What is wrong in the traces and sums of the argument."""
    argument, found = problem["argument"], []
    position, stated = question["position"], stated_row(question)
    if question["kind"] == "b":
        found += trace_faults(argument, follow(position["rows"], revealed(question), stated), stated)
    elif question["kind"] == "c":
        told = follow(position["rows"], revealed(question), stated)
        found += trace_faults(argument["trace"], told, stated)
        for seat, one in enumerate(argument["sums"]):
            facts, points = one["total"]["facts"], [term["facts"]["points"] for term in one["terms"]]
            here = {"seat": seat, "before": position["points"][seat], "gained": sum(points)}
            here["total"] = here["before"] + here["gained"]
            if facts != here or sorted(points) != sorted(
                step["points"] for _, step in told if step["seat"] == seat and step["points"]
            ):
                found.append(f"the sum of seat {seat} is {facts} with terms {points}")
    elif question["kind"] == "d":
        for option in argument["options"]:
            cards = [(option["option"]["card"], position["seat"]), *((card, seat) for seat, card in position["others"])]
            found += trace_faults(option["trace"], follow(position["rows"], cards, stated), stated)
    return found


def trace_faults(said: Json, told: list[tuple[Rows, Json]], stated: int | None) -> list[str]:
    """How a trace differs from what happens."""
    if [step["facts"] for step in said["steps"]] != [step for _, step in told]:
        return ["the steps of the trace are others"]
    found = []
    for step, (rows, here) in zip(said["steps"], told, strict=True):
        if step["reason"]["rule"] != RULE[here["outcome"]]:
            found.append(f"the {here['card']} goes to row {here['row']} by {RULE[here['outcome']]}, not as said")
        others = sorted(reason["facts"]["row"] for reason in step["refuted"])
        if others != [row for row in range(1, 5) if row != here["row"]]:
            found.append(f"for the {here['card']} the rows {others} are refuted")
            continue
        for reason in step["refuted"]:
            rules = wrong_row(rows, here["card"], reason["facts"]["row"], stated)
            if reason["rule"] not in rules:
                found.append(f"row {reason['facts']['row']} is wrong for the {here['card']} by {rules}, not as said")
    return found


# The origin.


def is_deal(position: Json) -> bool:
    """Does a record begin here: five cards a hand, four starters (RO-2)?"""
    hands, rows = position["hands"], position["rows"]
    deck = [card for part in (*hands, *rows, position["aside"]) for card in part]
    return bool(deal(deck, position["players"]) == position)


def shown(question: Json, positions: list[Json], moves: list[str]) -> bool:
    """Is what the question shows in one of the record's positions, or in kind (a) in the middle of a reveal?"""
    here = question["position"]
    if question["kind"] == "a":
        return any(
            step["card"] == here["card"] and rows == here["rows"]
            for number in range(len(moves))
            for rows, step in reveal_of(positions[number], moves[number : number + 2])
        )
    return any(position["rows"] == here["rows"] and agrees(here, position) for position in positions)


def reveal_of(before: Json, moves: list[str]) -> list[tuple[Rows, Json]]:
    """The placings of a reveal: its move, and the next that may be the choice it owes; none for another move."""
    word, *numbers = moves[0].split(" ")
    if word != "reveal":
        return []
    taken = [int(move.split(" ")[1]) for move in moves[1:] if move.startswith("take")]
    try:
        return follow(before["rows"], [(int(n), seat) for seat, n in enumerate(numbers)], taken[0] if taken else None)
    except ValueError:  # cut off before the choice
        return []


def agrees(here: Json, position: Json) -> bool:
    """Do the cards and points of a question belong to a position between reveals?"""
    hands, collected = position["hands"], position["collected"]
    if position["pending"]:
        return False
    if "hand" in here:
        others = [seat for seat, _ in here["others"]]
        return (
            sorted(here["hand"]) == sorted(hands[here["seat"]])
            and sorted([*others, here["seat"]]) == list(range(position["players"]))
            and all(card in hands[seat] for seat, card in here["others"])
        )
    return (
        len(here["cards"]) == position["players"]
        and all(card in hand for card, hand in zip(here["cards"], hands, strict=True))
        and here.get("points", [len(cards) for cards in collected]) == [len(cards) for cards in collected]
    )


def cards_of(question: Json) -> list[Any]:
    """Every card that the question shows."""
    here = question["position"]
    cards: list[Any] = [card for row in here["rows"] for card in row] + here.get("cards", []) + here.get("hand", [])
    return cards + [here[key] for key in ("card",) if key in here] + [card for _, card in here.get("others", [])]
