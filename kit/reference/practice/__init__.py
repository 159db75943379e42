"""The second proof of practice: problems solved again by brute force, from the question alone.

It is written from the rules and from docs/practice.md, apart from the generators and the first engine, and uses nothing
but the reference's rules. Each game is a module with

`solve(question)` -> its `Solution`; ValueError for a question that contradicts the rules.
`is_deal(position)` -> does a record begin here?
`shown(question, positions, moves)` -> does the record hold what the question shows?
`cards_of(question)` -> every card that the question shows; no card lies twice.

and, where a game's arguments say more than those of other games, `argument_faults(question, problem)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from kit.reference.practice.solution import Solution, spelled
from kit.reference.record import GAMES, positions_of

__all__ = ["Solution", "faults", "solve"]

Json = Any

# Of each game the letters of its rules, how many there are, and how many readings.
RULES = {
    "cascadebeta": ("CB", 13, 8),
    "cascata": ("CA", 20, 11),
    "gridcannon": ("GC", 22, 12),
    "rowoverflow": ("RO", 15, 2),
}
SHAPELESS = (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError)


def solver(game: str) -> Any:
    """The module that solves a game's questions; ValueError when there is none."""
    if game not in GAMES:
        raise ValueError(f"no such game: {game!r}")
    return import_module(f"kit.reference.practice.{game}")


def solve(question: Json) -> Solution:
    """The answers to a question. ValueError for one that contradicts the rules."""
    solution: Solution = solver(question["game"]).solve(question)
    return solution


def faults(problem: Json) -> list[str]:
    """Every way in which a problem (its JSON) disagrees with what is found here; none when it is right."""
    try:
        solution = solve(problem["question"])
    except SHAPELESS as error:
        return [f"the question cannot be solved: {error!r}"]
    found: list[str] = []
    for check in (
        card_faults, answer_faults, option_faults, line_faults, sum_faults, rule_faults, argument_faults, origin_faults
    ):  # fmt: skip
        try:
            found += check(problem, solution)
        except SHAPELESS as error:
            found.append(f"{check.__name__.replace('_', ' ')}: no such shape is known: {error!r}")
    return found


def card_faults(problem: Json, solution: Solution) -> Iterator[str]:
    """No card lies twice."""
    cards = solver(problem["question"]["game"]).cards_of(problem["question"])
    for card in sorted({card for card in cards if cards.count(card) > 1}, key=str):
        yield f"{card} lies twice"


def answer_faults(problem: Json, solution: Solution) -> Iterator[str]:
    """The answers are those found here, all of them, and one where one is promised."""
    said, found = problem["answers"], solution.answers
    alike = {solution.same(answer) for answer in found}
    if solution.one and len(alike) != 1:
        yield f"there are {len(alike)} answers, not one"
    name = spelled if solution.one and solution.every else solution.same
    right = {name(answer): answer for answer in found}
    names = [name(answer) for answer in said]
    for answer, each in zip(said, names, strict=True):
        misplayed = not solution.every and solution.refuted and solution.refuted(answer["moves"])
        if each not in right or misplayed or answer.keys() != right[each].keys():
            yield f"{spelled(answer)} is no right answer"
    for each in right:
        if each not in names:
            yield f"{spelled(right[each])} is a right answer too"
    if len({spelled(answer) for answer in said}) < len(said):
        yield "an answer is given twice"


def option_faults(problem: Json, solution: Solution) -> Iterator[str]:
    """Every option there is, the right ones and no others marked so, the wrong ones by a rule that they break."""
    options = problem["argument"].get("options")
    if options is None:
        return
    told = [spelled(option["option"]) for option in options]
    for option in sorted({option for option in told if told.count(option) > 1}):
        yield f"option {option} is listed twice"
    names = [solution.name(option["option"]) for option in options]
    for option in solution.options or ():
        if solution.name(option) not in names:
            yield f"option {spelled(option)} is not listed"
    for option, each, spelling in zip(options, names, told, strict=True):
        if each is None:
            yield f"{spelling} is no option"
            continue
        rules = solution.forbidden(option["option"])
        if option["right"] == bool(rules):
            yield f"option {spelling} is marked wrongly: against it are {sorted(rules)}"
            continue
        deciding = solution.granted if option["right"] else rules
        if option["reason"]["rule"] not in deciding:
            yield f"option {spelling} is as it is by {', '.join(sorted(deciding))}, not by {option['reason']['rule']}"
    right = [option["option"] for option in options if option["right"]]
    for answer in problem["answers"]:
        if not any(solution.says(option, answer) for option in right):
            yield f"the answer {spelled(answer)} is not among the right options"


def line_faults(problem: Json, solution: Solution) -> Iterator[str]:
    """A line of play is an answer's, and its near misses are none, by a rule against them."""
    argument = problem["argument"]
    if "near" not in argument or solution.refuted is None:
        return
    moves = traced_moves(argument["trace"]["steps"])
    lines = [answer["moves"] for answer in problem["answers"]]
    if moves and not any(moves == line[: len(moves)] or line == moves[: len(line)] for line in lines):
        yield f"the line told is no answer: {', '.join(moves)}"
    for miss in argument["near"]:
        said, rules = miss["option"]["moves"], solution.refuted(miss["option"]["moves"])
        if miss["right"] or not rules:
            yield f"a near miss is an answer: {', '.join(said)}"
        elif miss["reason"]["rule"] not in rules:
            yield f"{', '.join(said)} fails by {', '.join(sorted(rules))}, not by {miss['reason']['rule']}"


def traced_moves(steps: list[Json]) -> list[str]:
    """The moves of a trace, where every step names its own."""
    moves: list[str] = []
    for step in steps:
        if "moves" in step["facts"]:
            moves += step["facts"]["moves"]
        elif "move" in step["facts"]:
            moves.append(step["facts"]["move"])
        else:
            return []
    return moves


def sum_faults(problem: Json, solution: Solution) -> Iterator[str]:
    """What a sum comes to is a number of the answer; where a reason lists what counts, that adds up to its total."""
    numbers = set(numbers_in(problem["answers"]))
    for one in problem["argument"].get("sums", ()):
        total = one["total"]["facts"].get("total")
        if total is not None and total not in numbers:
            yield f"a sum comes to {total}, which no answer says"
    for facts in facts_in(problem["argument"]):
        if {"counts", "total"} <= facts.keys() and sum(facts["counts"]) != facts["total"]:
            yield f"{facts['counts']} are said to be {facts['total']}"


def numbers_in(value: Json) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(part)


def rule_faults(problem: Json, solution: Solution) -> Iterator[str]:
    """Every rule cited is one of the game, and every open reading that the answers depend on is named."""
    letters, rules, readings = RULES[problem["question"]["game"]]
    open_to_reading = {f"{letters}-R{number}" for number in range(1, readings + 1)}
    known = open_to_reading | {f"{letters}-{number}" for number in range(1, rules + 1)}
    for rule in sorted(set(rules_in(problem["argument"])) - known):
        yield f"there is no rule {rule}"
    for reading in sorted(set(problem["readings"]) - open_to_reading):
        yield f"there is no reading {reading}"
    for reading in sorted(solution.readings - set(problem["readings"])):
        yield f"the answers depend on {reading}, which is not named"


def rules_in(value: Json) -> Iterator[str]:
    return (part["rule"] for part in parts_of(value) if "rule" in part)


def facts_in(value: Json) -> Iterator[Json]:
    return (part["facts"] for part in parts_of(value) if "facts" in part)


def parts_of(value: Json) -> Iterator[Json]:
    """Every object within, and itself."""
    if isinstance(value, dict):
        yield value
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from parts_of(part)


def argument_faults(problem: Json, solution: Solution) -> list[str]:
    """What only this game's arguments say."""
    check = getattr(solver(problem["question"]["game"]), "argument_faults", None)
    return check(problem["question"], problem) if check else []


def origin_faults(problem: Json, solution: Solution) -> Iterator[str]:
    """The origin is a record of legal play from a deal, and holds what the question shows."""
    question, origin = problem["question"], problem["origin"]
    game = solver(question["game"])
    if origin["game"] != question["game"]:
        yield f"the origin is a record of {origin['game']}"
        return
    if not begins(game, origin["start"]):
        yield "the origin does not begin with a deal"
    try:
        positions = positions_of(origin["start"], origin["moves"])
    except ValueError as error:
        yield f"the origin: {error}"
        return
    if not game.shown(question, positions, origin["moves"]):
        yield "the origin does not lead to what the question shows"


def begins(game: Any, start: Json) -> bool:
    """Is this the position after a deal? No deal at all is none."""
    try:
        return bool(game.is_deal(start))
    except ValueError:
        return False
