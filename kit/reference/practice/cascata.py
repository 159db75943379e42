"""Cascata: practice solved from the question alone. Suits never matter: positions equal by rank are alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kit.reference import cascata
from kit.reference.cascata import at, is_free, is_joker, is_meld, meld_score, there, value
from kit.reference.plain import deepcopy
from kit.reference.practice.solution import Solution, spelled

Json = Any


def solve(question: Json) -> Solution:
    """The solution of a question of this game."""
    kinds = {"a": free_cards, "b": what_turns_up, "c": score, "d": thefts, "e": best_meld, "f": last_turns}
    return kinds[question["kind"]](question)


def named(row: int, i: int) -> Json:
    return {"row": row, "position": i}


def place_name(option: Json) -> tuple[int, int] | None:
    return (option["row"], option["position"]) if {"row", "position"} <= option.keys() else None


def free_cards(question: Json) -> Solution:
    """(a) The free cards (CA-6)."""
    pyramid = question["position"]["pyramid"]

    def forbidden(option: Json) -> set[str]:
        row, i = option["row"], option["position"]
        return set() if at(pyramid, row, i) is not None and is_free(pyramid, row, i) else {"CA-6", "CA-R1"}

    return Solution(
        [named(row, i) for row, i in there(pyramid) if is_free(pyramid, row, i)],
        options=[named(row, i) for row, i in there(pyramid)],
        name=place_name,
        granted=frozenset({"CA-6", "CA-R1"}),
        forbidden=forbidden,
    )


def what_turns_up(question: Json) -> Solution:
    """(b) The face-down cards that turn up while cards are taken (CA-18, CA-R7). ValueError for a take that is none."""
    here = question["position"]
    pyramid = deepcopy(here["pyramid"])
    down = [(row, i) for row, i in there(pyramid) if not at(pyramid, row, i)["up"]]
    turned = set()
    for row, i in here["takes"]:
        if at(pyramid, row, i) is None or not at(pyramid, row, i)["up"] or not is_free(pyramid, row, i):
            raise ValueError(f"CA-6: {row} {i} cannot be taken")
        pyramid[row - 1][i - 1] = None
        cascata.turn_up(pyramid)
        turned |= {place for place in down if at(pyramid, *place) is not None and at(pyramid, *place)["up"]}

    def forbidden(option: Json) -> set[str]:
        place = option["row"], option["position"]
        return set() if place in turned else {"CA-18", "CA-R7", "CA-6", "CA-R1"}

    return Solution(
        [named(*place) for place in sorted(turned)],
        options=[named(*place) for place in down],
        name=place_name,
        granted=frozenset({"CA-18", "CA-R7"}),
        forbidden=forbidden,
    )


def score(question: Json) -> Solution:
    """(c) The table's score (CA-14, CA-15, CA-17)."""
    here = question["position"]
    result = cascata.result({"phase": "over", "melds": here["melds"], "hands": here["hands"]})
    assert result is not None
    highest = [seat for seat, total in enumerate(result["scores"]) if total == max(result["scores"])]
    naturals = {seat: sum(not is_joker(card) for card in here["hands"][seat]) for seat in highest}
    without_jokers = [seat for seat in highest if naturals[seat] == min(naturals.values())]
    readings = set()
    if len(result["winners"]) > 1 or without_jokers != result["winners"]:
        readings.add("CA-R6")
    if any(len(meld["cards"]) == 4 and meld["times"] > 1 for own in here["melds"] for meld in own):
        readings.add("CA-R8")
    return Solution([result], one=True, readings=frozenset(readings))


# (d) What can be stolen.


def thefts(question: Json) -> Solution:
    """(d) Every legal theft (CA-12)."""
    here = question["position"]
    position = meld_phase(here["seat"], {here["seat"]: here["hand"]}, here["melds"])
    answers = [theft(move) for move in cascata.thefts(position)]
    opponents = [seat for seat in range(len(here["melds"])) if seat != here["seat"]]
    return Solution(
        answers,
        same=lambda answer: str((answer["seat"], answer["meld"], sorted(answer["cards"]))),
        options=[{"seat": seat, "meld": n} for seat in opponents for n in range(1, len(here["melds"][seat]) + 1)],
        name=lambda option: (option["seat"], option["meld"]) if {"seat", "meld"} <= option.keys() else None,
        granted=frozenset({"CA-12", "CA-R2"}),
        forbidden=lambda option: no_theft(here["seat"], here["hand"], here["melds"], option),
        readings=frozenset({"CA-R2"} if any(is_joker(card) for answer in answers for card in answer["cards"]) else ()),
    )


def meld_phase(seat: int, hands: dict[int, list[str]], melds: list[Json]) -> Json:
    """A position in which the seat is to meld, of the parts that a question shows."""
    players = len(melds)
    held = [hands.get(other, []) for other in range(players)]
    return {"game": "cascata", "players": players, "to_move": seat, "phase": "meld", "hands": held, "melds": melds}


def theft(move: str) -> Json:
    _, seat, meld, *cards = move.split(" ")
    return {"seat": int(seat), "meld": int(meld), "cards": cards}


def no_theft(seat: int, hand: list[str], melds: list[Json], option: Json) -> set[str]:
    """The rules against a theft; where no cards are named, against stealing that meld at all."""
    meld = melds[option["seat"]][option["meld"] - 1]["cards"]
    if option["seat"] == seat:
        return {"CA-11", "CA-12"} | ({"CA-13"} if len(meld) == 4 else set())  # an own meld is extended
    if len(meld) == 4:
        return {"CA-12", "CA-13"}
    if "cards" in option:
        return no_cards_for(meld, hand, option["cards"])
    fit = [card for card in hand if is_meld([*meld, card])]
    return set() if len(meld) + len(fit) >= 4 else {"CA-12"}


def no_cards_for(meld: list[str], hand: list[str], cards: list[str]) -> set[str]:
    """The rules against stealing with these cards: they complete the meld to exactly four (CA-12, CA-13)."""
    if len({*cards}) != len(cards) or any(card not in hand for card in cards):
        return {"CA-12"}
    together = [*meld, *cards]
    if len(together) == 4 and is_meld(together):
        return set()
    return {"CA-12", "CA-13"} if len(together) > 4 else {"CA-12"}


# Meld actions, and what they are worth.


def actions(position: Json, jokers_match: bool = True) -> list[str]:
    """Every meld action; without `jokers_match` CA-R2 is read otherwise: no joker is melded."""
    moves = cascata.new_melds(position) + cascata.extensions(position) + cascata.thefts(position) + ["pass"]
    return [move for move in moves if jokers_match or not any(map(is_joker, move.split(" ")))]


def by_rank(move: str) -> str:
    """The move up to the suits of its cards and which joker is which: cards of one hand and rank are alike."""
    return " ".join(word[0] if word in cascata.DECK else word for word in move.split(" "))


def copied(position: Json) -> Json:
    """A copy whose pyramid, hands and melds may change."""
    return {
        **position,
        "pyramid": [[card and dict(card) for card in row] for row in position.get("pyramid", [])],
        "hands": [list(hand) for hand in position["hands"]],
        "melds": [[{**meld, "cards": list(meld["cards"])} for meld in own] for own in position["melds"]],
    }


def lay(position: Json, move: str, times: int) -> None:
    """Carry out a meld action that is known to be legal; the meld is reckoned at `times` (CA-R8)."""
    word, *rest = move.split(" ")
    if word == "pass":
        return
    mine = position["melds"][position["to_move"]]
    meld: Json
    if word == "meld":
        meld, cards = {"cards": []}, rest
        mine.append(meld)
    elif word == "extend":
        meld, cards = mine[int(rest[0]) - 1], rest[1:]
    else:
        meld, cards = position["melds"][int(rest[0])].pop(int(rest[1]) - 1), rest[2:]
        mine.append(meld)
    for card in cards:
        position["hands"][position["to_move"]].remove(card)
    meld["cards"] += cards
    meld["times"] = times


def worth(position: Json, seat: int) -> int:
    """The own total by CA-17, as if the game ended now, minus the highest of the others."""
    totals = [
        sum(meld_score(meld) for meld in own) - sum(value(card) for card in hand)
        for own, hand in zip(position["melds"], position["hands"], strict=True)
    ]
    mine = totals.pop(seat)
    return int(mine - max(totals))


def best_meld(question: Json) -> Solution:
    """(e) The meld action that gains most."""
    here = question["position"]
    seat = here["seat"]
    position = meld_phase(seat, dict(enumerate(here["hands"])), here["melds"])

    def gains(jokers_match: bool = True) -> dict[str, int]:
        found = {}
        for move in actions(position, jokers_match):
            after = copied(position)
            lay(after, move, here["times"])
            found[move] = worth(after, seat) - worth(position, seat)
        return found

    gained = gains()
    best = [move for move in gained if gained[move] == max(gained.values())]
    plain = gains(jokers_match=False)
    varies = here["times"] > 1 or any(meld["times"] > 1 for own in here["melds"] for meld in own)

    def forbidden(option: Json) -> set[str]:
        if option["move"] in best:
            return set()
        if option["move"] not in gained:
            return no_action(position, option["move"])
        return {"CA-14", "CA-15", "CA-17"} | ({"CA-19", "CA-R8"} if varies else set())

    return Solution(
        [{"move": move, "gain": gained[move]} for move in best],
        one=True,
        same=lambda answer: by_rank(answer["move"]),
        options=[{"move": move} for move in gained],
        name=lambda option: by_rank(option["move"]) if "move" in option else None,
        says=lambda option, answer: by_rank(option["move"]) == by_rank(answer["move"]),
        granted=frozenset({"CA-14", "CA-15", "CA-17"} | ({"CA-19", "CA-R8"} if varies else set())),
        forbidden=forbidden,
        readings=frozenset({"CA-R2"} if best != [move for move in plain if plain[move] == max(plain.values())] else ()),
    )


def no_action(position: Json, move: str) -> set[str]:
    """The rules against a meld action that is not legal."""
    word, *rest = move.split(" ")
    seat, hand = position["to_move"], position["hands"][position["to_move"]]
    if word == "steal":
        return no_theft(seat, hand, position["melds"], theft(move))
    if word == "extend":
        cards = [*position["melds"][seat][int(rest[0]) - 1]["cards"], *rest[1:]]
        return {"CA-11", "CA-13"} if len(cards) > 4 else {"CA-11"}
    naturals = [card for card in rest if not is_joker(card)]
    return {"CA-10", "CA-13"} if not naturals or len(rest) > 4 else {"CA-10"}


# (f) The last turns.


def last_turns(question: Json) -> Solution:
    """(f) The best turn when both players play best and nothing is hidden."""
    position = question["position"]["position"]
    if position["reserve"] and not position["locked"]:
        raise ValueError("the reserve is open: what it brings is not known")
    turns = margins(position)
    best = [turn for turn in turns if turns[turn] == max(turns.values())]
    plain = margins(position, jokers_match=False) if has_joker(position) else turns
    return Solution(
        [{"moves": list(turn), "margin": turns[turn]} for turn in best],
        one=True,
        same=lambda answer: " / ".join(map(by_rank, answer["moves"])),
        refuted=lambda moves: why_not(turns, moves),
        readings=frozenset({"CA-R2"} if best != [t for t in plain if plain[t] == max(plain.values())] else ()),
    )


def has_joker(position: Json) -> bool:
    """Can a joker still be melded?"""
    lying = [at(position["pyramid"], *place)["card"] for place in there(position["pyramid"])]
    return any(is_joker(card) for part in (*position["hands"], lying) for card in part)


def margins(position: Json, jokers_match: bool = True) -> dict[tuple[str, ...], int]:
    """Every turn of the seat to draft, with its margin at the end when both play best."""
    return margins_of(spelled(position), jokers_match)


@lru_cache(maxsize=2)  # a problem asks for its answers, and then for those of its argument
def margins_of(text: str, jokers_match: bool) -> dict[tuple[str, ...], int]:
    position, known = json.loads(text), dict[str, int]()
    return {
        (draft, action): end_of_turn(drafted, action, jokers_match, known)
        for draft, drafted in drafts(position)
        for action in actions(drafted, jokers_match)
    }


def drafts(position: Json) -> list[tuple[str, Json]]:
    """Every draft, and the position in which its seat is to meld. Nothing can be drawn."""
    found = []
    for move in cascata.takes(position) + cascata.swaps(position):
        after, (word, *rest) = copied(position), move.split(" ")
        if word == "take":
            cascata.take(after, int(rest[0]), int(rest[1]))
        else:
            cascata.swap(after, rest[0], int(rest[1]), int(rest[2]))
        found.append((move, after))
    return found


def end_of_turn(drafted: Json, action: str, jokers_match: bool, known: dict[str, int]) -> int:
    """The margin at the end for the seat that melds so; the game goes on while the pyramid has cards (CA-16)."""
    after = copied(drafted)
    lay(after, action, cascata.times(after))
    if cascata.is_empty(after["pyramid"]):
        return worth(after, after["to_move"])
    after["to_move"] = 1 - after["to_move"]
    return -best_margin(after, jokers_match, known)


def best_margin(position: Json, jokers_match: bool, known: dict[str, int]) -> int:
    """The margin that the seat to draft gets when both play best; `known` are those of positions equal by rank.

    No play goes on for ever: only a swap leaves the pyramid as full, and only one seat can keep swapping (CA-R4).
    """
    key = ranks(position)
    if key not in known:
        known[key] = max(
            end_of_turn(drafted, action, jokers_match, known)
            for drafted in {by_rank(draft): drafted for draft, drafted in drafts(position)}.values()
            for action in {by_rank(action): action for action in actions(drafted, jokers_match)}.values()
        )
    return known[key]


def ranks(position: Json) -> str:
    """All that decides how it goes on, without suits."""
    pyramid = [[card and (card["card"][0], card["up"]) for card in row] for row in position["pyramid"]]
    hands = [sorted(card[0] for card in hand) for hand in position["hands"]]
    melds = [sorted((sorted(card[0] for card in m["cards"]), m["times"]) for m in own) for own in position["melds"]]
    return str((position["to_move"], pyramid, hands, melds))


def why_not(turns: dict[tuple[str, ...], int], moves: Sequence[str]) -> set[str]:
    """The rules for which a turn is not the best: none for the best, else what its end is reckoned by."""
    turn = tuple(moves[:2])
    fitting = [margin for other, margin in turns.items() if other[: len(turn)] == turn]
    if not fitting:
        return {"CA-5", "CA-6", "CA-8", "CA-9", "CA-10", "CA-11", "CA-12", "CA-13"}
    return set() if max(fitting) == max(turns.values()) else {"CA-14", "CA-15", "CA-16", "CA-17", "CA-19", "CA-R8"}


# The argument: sums, gains, margins and the line told.


def argument_faults(question: Json, problem: Json) -> list[str]:
    """What does not add up in the argument."""
    argument, here, kind = problem["argument"], question["position"], question["kind"]
    if kind == "c":
        return sum_faults(argument, problem["answers"][0])
    if kind == "e":
        return gain_faults(argument, here)
    if kind == "f":
        return margin_faults(argument, here["position"], problem["answers"][0])
    return []


def sum_faults(argument: Json, answer: Json) -> list[str]:
    """(c) A seat's terms add up to its melds and its penalty, and these to its score."""
    found = []
    for one in argument["sums"]:
        if "seat" not in one["total"]["facts"]:
            continue
        seat, terms = one["total"]["facts"]["seat"], [term["facts"] for term in one["terms"]]
        points, penalty = (sum(facts.get(name, 0) for facts in terms) for name in ("points", "penalty"))
        said = one["total"]["facts"]
        if [points, penalty, points - penalty] != [answer[name][seat] for name in ("melds", "penalties", "scores")]:
            found.append(f"the terms of seat {seat} come to {points} and {penalty}")
        if [said["melds"], said["penalty"], said["total"]] != [points, penalty, points - penalty]:
            found.append(f"the sum of seat {seat} is {said}")
    return found


def gain_faults(argument: Json, here: Json) -> list[str]:
    """(e) Every option gains what is said."""
    found, seat = [], here["seat"]
    position = meld_phase(seat, dict(enumerate(here["hands"])), here["melds"])
    for option in (option["option"] for option in argument.get("options", ())):
        after = copied(position)
        lay(after, option["move"], here["times"])
        gain = worth(after, seat) - worth(position, seat)
        if option.get("gain", gain) != gain:
            found.append(f"{option['move']} gains {gain}")
    return found


def margin_faults(argument: Json, position: Json, answer: Json) -> list[str]:
    """(f) The line told is legal to the end and comes to the margin; near misses come to theirs."""
    found, turns, seat = [], margins(position), position["to_move"]
    for option in (miss["option"] for miss in argument["near"]):
        margin = turns.get(tuple(option["moves"]))
        if margin is not None and option.get("margin", margin) != margin:
            found.append(f"{', '.join(option['moves'])} comes to {margin}")
    for move in (move for step in argument["trace"]["steps"] for move in step["facts"]["moves"]):
        position = cascata.play(position, move)
    if position["phase"] != "over" or worth(position, seat) != answer["margin"]:
        found.append("the line told does not come to the margin")
    return found


# The origin.


def is_deal(position: Json) -> bool:
    """Does a record begin here (CA-2 to CA-4)?"""
    pyramid = [card["card"] for row in position["pyramid"] for card in row if card is not None]
    deck = [*(card for hand in position["hands"] for card in hand), *pyramid, *position["reserve"]]
    return bool(cascata.deal(deck, position["players"], **position["options"]) == position)


def shown(question: Json, positions: list[Json], moves: list[str]) -> bool:
    """Does one of the record's positions hold what the question shows?"""
    return any(agrees(question["position"], position) for position in positions)


def agrees(here: Json, position: Json) -> bool:
    """Are the parts that a question shows those of this position?"""
    if "position" in here:
        return bool(cascata.canonical(here["position"]) == cascata.canonical(position))
    if "pyramid" in here:
        rows = position["options"]["hidden_rows"]
        return bool(seen(here["pyramid"]) == seen(position["pyramid"]) and here.get("hidden_rows", rows) == rows)
    real: Json = cascata.canonical(position)
    melds = [[{**meld, "cards": sorted(meld["cards"])} for meld in own] for own in here["melds"]]
    if melds != real["melds"]:
        return False
    if "hands" in here and [sorted(hand) for hand in here["hands"]] != real["hands"]:
        return False
    if "multiplier" in here and here["multiplier"] != position["options"]["multiplier"]:
        return False
    if "seat" in here and (position["phase"], position["to_move"]) != ("meld", here["seat"]):
        return False
    if "hand" in here and sorted(here["hand"]) != real["hands"][here["seat"]]:
        return False
    return bool(here.get("times", cascata.times(position)) == cascata.times(position))


def seen(pyramid: Json) -> Json:
    """The pyramid as it shows: a card that is face down is not known."""
    return [[card and {**card, "card": card["card"] if card["up"] else None} for card in row] for row in pyramid]


def cards_of(question: Json) -> list[Any]:
    """Every card that the question shows."""
    here = question["position"].get("position", question["position"])
    cards: list[Any] = [card for hand in here.get("hands", []) for card in hand]
    cards += here.get("hand", []) + here.get("reserve", [])
    cards += [card for own in here.get("melds", []) for meld in own for card in meld["cards"]]
    lying = [card["card"] for row in here.get("pyramid", []) for card in row if card is not None]
    return cards + [card for card in lying if card is not None]
