"""Practice: questions about positions whose answers can be checked.

`make` turns an order into problems, the same ones on every machine and for ever: an order names the version of the
generator that it needs. A game's kinds are in the module of its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import cast

from kit.faults import USAGE, Fault, nearest
from kit.practice import codes, proof
from kit.practice.core import MIXED, Key, Kind, Order, Problem, Question, Sheet, candidates, plan, renumbered

__all__ = [
    "MIXED",
    "Key",
    "Kind",
    "Order",
    "Problem",
    "Question",
    "Sheet",
    "check",
    "codes",
    "kind",
    "kinds",
    "make",
    "order",
    "sheet_and_key",
]


def kinds(game: str) -> Mapping[str, Kind]:
    """A game's kinds of problem by letter, imported when asked for. Raises Fault when there are none."""
    if game not in codes.GAMES:
        raise Fault(f"there is no practice for {game}", nearest(game, codes.GAMES), code=USAGE)
    return cast("Mapping[str, Kind]", import_module(f"kit.practice.{game}").KINDS)


def kind(game: str, letter: str) -> Kind:
    """One kind. Raises Fault when the game has none of that letter."""
    known = kinds(game)
    if letter not in known:
        raise Fault(f"{game} has no practice of kind {letter}", f"There is: {', '.join(known)}", code=USAGE)
    return known[letter]


def order(game: str, letter: str, *, level: int = MIXED, count: int = 8, seed: int = 1, sheet: int = 1) -> Order:
    """An order to the generator of today. Raises Fault for one that cannot be met."""
    wanted = Order(game, letter, level, count, seed, kind(game, letter).version, sheet)
    check(wanted)
    return wanted


def check(order: Order) -> None:
    """Refuse an order that this kit cannot meet, saying what is possible or what has changed since."""
    wanted = kind(order.game, order.kind)
    if order.version > wanted.version:
        raise Fault(
            f"this sheet was made by generator {order.version}, this kit has {wanted.version}",
            "Use a newer kit",
            code=USAGE,
        )
    if order.version < wanted.version:
        changed = "; ".join(wanted.changes[version] for version in range(order.version + 1, wanted.version + 1))
        raise Fault(
            f"this sheet was made by generator {order.version}; since then: {changed}",
            "Use the kit that made it, or order a new sheet",
            code=USAGE,
        )
    if order.level not in (MIXED, *wanted.themes):
        levels = ", ".join(map(str, sorted(wanted.themes)))
        raise Fault(f"kind {order.kind} has no level {order.level}", f"There is: {levels}", code=USAGE)
    codes.encode(order)


def make(order: Order, report: proof.Report = proof.refuse) -> list[Problem]:
    """The problems of a sheet, numbered from 1; no two alike, nor alike to one of an earlier sheet of the order.

    Each is proven twice: one about which `kit.reference` finds otherwise is dropped and told to `report`, which by
    default refuses. Raises Fault for an order that cannot be met.
    """
    check(order)
    maker = kind(order.game, order.kind)
    seen: set[str] = set()
    problems: list[Problem] = []
    for sheet in range(1, order.sheet + 1):
        problems = []
        for place, (level, theme) in enumerate(plan(order, maker, sheet)):
            index = (sheet - 1) * order.count + place
            found = candidates(order, maker, index, level, theme)
            fresh = (problem for problem in found if problem.fingerprint not in seen)
            problem = next(problem for problem in fresh if proof.is_proven(problem, report))
            seen.add(problem.fingerprint)
            problems.append(renumbered(problem, place + 1))
    return problems


def sheet_and_key(order: Order) -> tuple[Sheet, Key]:
    """What the player's sheet and the host's key are made of: two values, and only the second holds an answer."""
    code, problems = codes.encode(order), make(order)
    return Sheet(code, tuple(problem.question for problem in problems)), Key(code, tuple(problems))
