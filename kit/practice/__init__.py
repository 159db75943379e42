"""Practice: questions about positions whose answers can be checked.

`make` turns an order into problems, the same ones on every machine and for ever: an order names the version of the
generator that it needs. A game's kinds are in the module of its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import cast

from kit.faults import USAGE, Fault, nearest
from kit.practice import codes, proof
from kit.practice.core import (
    COURSE,
    EVERY,
    MIXED,
    Key,
    Kind,
    Order,
    Problem,
    Question,
    Sheet,
    candidates,
    offered,
    plan,
    renumbered,
)

__all__ = [
    "COURSE",
    "EVERY",
    "MIXED",
    "Key",
    "Kind",
    "Order",
    "Problem",
    "Question",
    "Sheet",
    "check",
    "check_level",
    "codes",
    "kind",
    "kinds",
    "make",
    "offered",
    "order",
    "sheet_and_key",
    "sheets",
    "sheets_and_keys",
    "taken",
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
        raise Fault(f"{game} has no practice of kind {letter[:40]}", f"There is: {', '.join(known)}", code=USAGE)
    return known[letter]


def taken(game: str, letter: str) -> Mapping[str, Kind]:
    """The kinds that an order for `letter` takes: one, or every kind of the game. Raises Fault for an unknown one."""
    return kinds(game) if letter == EVERY else {letter: kind(game, letter)}


def order(game: str, letter: str, *, level: int = MIXED, count: int = 8, seed: int = 1, sheet: int = 1) -> Order:
    """An order to the generators of today. Raises Fault for one that cannot be met."""
    wanted = Order(game, letter, level, count, seed, 1, sheet)
    wanted = replace(wanted, version=version(taken(game, letter)))
    check(wanted)
    return wanted


def version(takes: Mapping[str, Kind]) -> int:
    """The version of a sheet of these kinds: it rises with each of them."""
    return sum(kind.version for kind in takes.values())


def check(order: Order) -> None:
    """Refuse an order that this kit cannot meet, saying what is possible or what has changed since."""
    takes = taken(order.game, order.kind)
    check_version(order, takes)
    if order.level != COURSE:
        check_level(order.level, takes)
    codes.encode(order)
    check_enough(order, takes)


def check_version(order: Order, takes: Mapping[str, Kind]) -> None:
    """Refuse what another generator made. Of a sheet of several kinds only how often they changed is known."""
    now = version(takes)
    made = f"this was made by generator {order.version}"
    if order.version > now:
        raise Fault(f"{made}, this kit has {now}", "Use a newer kit", code=USAGE)
    if order.version < now:
        many = len(takes) > 1
        changes = [
            f"{kind.id}: {kind.changes[version]}" if many else kind.changes[version]
            for kind in takes.values()
            for version in range(2 if many else order.version + 1, kind.version + 1)
        ]
        since = f"{made}; since then{' some of this' if many else ''}: {'; '.join(changes)}"
        raise Fault(since, "Use the kit that made it, or order a new sheet", code=USAGE)


def check_level(level: int, takes: Mapping[str, Kind]) -> None:
    """Refuse a level that none of the kinds has."""
    levels = offered(takes)
    if level not in (MIXED, *levels):
        which = f"kind {next(iter(takes))}" if len(takes) == 1 else "this game"
        raise Fault(f"{which} has no level {level}", f"There is: {', '.join(map(str, levels))}", code=USAGE)


def check_enough(order: Order, takes: Mapping[str, Kind]) -> None:
    """Refuse an order, with all its sheets up to this one, that takes more problems than there are known to be."""
    period = len(offered(takes)) if order.level == COURSE else 1
    slots = [slot for sheet in range(period) for slot in plan(order, takes, sheet + 1)]
    rounds = -(-order.sheet // period)
    for (letter, level), count in Counter((slot.kind, slot.level) for slot in slots).items():
        enough(takes[letter], level, count * rounds)


def enough(kind: Kind, level: int, count: int) -> None:
    """Refuse to look for more different problems of a level than there are known to be."""
    there = kind.available.get(level)
    if there is not None and count > there:
        raise Fault(
            f"there are about {there:,} different problems of kind {kind.id}, level {level}; this takes {count:,}",
            "Ask for fewer problems or sheets, or for another level",
            code=USAGE,
        )


def sheets(order: Order, report: proof.Report = proof.refuse) -> Iterator[list[Problem]]:
    """The problems of the sheets 1, 2, … up to `order.sheet`, on each numbered from 1; no two alike.

    Each is proven twice: one about which `kit.reference` finds otherwise is dropped and told to `report`, which by
    default refuses. Raises Fault for an order that cannot be met.
    """
    check(order)
    takes, seen = taken(order.game, order.kind), set[str]()
    for sheet in range(1, order.sheet + 1):
        problems = []
        for place, (letter, level, theme) in enumerate(plan(order, takes, sheet)):
            index = (sheet - 1) * order.count + place
            found = candidates(order, takes[letter], index, level, theme)
            fresh = (problem for problem in found if problem.fingerprint not in seen)
            problem = next(problem for problem in fresh if proof.is_proven(problem, report))
            seen.add(problem.fingerprint)
            problems.append(renumbered(problem, place + 1))
        yield problems


def make(order: Order, report: proof.Report = proof.refuse) -> list[Problem]:
    """The problems of one sheet. Those of the sheets before it are made too: it shares none with them."""
    *_, problems = sheets(order, report)
    return problems


def sheet_and_key(order: Order, report: proof.Report = proof.refuse) -> tuple[Sheet, Key]:
    """What the player's sheet and the host's key are made of: two values, and only the second holds an answer."""
    return _apart(order, make(order, report))


def sheets_and_keys(order: Order, report: proof.Report = proof.refuse) -> list[tuple[Sheet, Key]]:
    """The same of the sheets 1, 2, … up to `order.sheet`."""
    return [_apart(replace(order, sheet=number), made) for number, made in enumerate(sheets(order, report), 1)]


def _apart(order: Order, problems: list[Problem]) -> tuple[Sheet, Key]:
    code = codes.encode(order)
    return Sheet(code, tuple(problem.question for problem in problems)), Key(code, tuple(problems))
