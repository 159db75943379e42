"""What a checked practice problem is.

A `Question` is all that a player may see and holds no answer. A `Problem` holds its question, every right answer and
the argument. A problem is not a question (no inheritance), so what is built from questions cannot leak the key: the
type checker refuses it. Reasons are data (a key, the id of the rule, facts), never words, so that a key can be argued
in any language. Seats count from 0, rows and problems from 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from kit.faults import Fault
from kit.games.core import Stream

Facts = Mapping[str, Any]

MIXED = 0  # as an order's level: a sheet that rises through all levels of the kind
LEVELS = (1, 2, 3, 4, 5)
COURSE = 7  # as an order's level: sheets that rise in level, one for each that is offered
EVERY = "mixed"  # as an order's kind: all kinds of the game, taken in turn
FIRST = {1: "the first generator"}  # the changes of a kind that has not changed
TRIES = 20_000  # deals looked at for one problem before the generator gives up


@dataclass(frozen=True, slots=True)
class Order:
    """One sheet: `count` problems of a kind. The sheets 1, 2, … of one seed have no problem in common.

    `version` is that of the kind's generator: another generator would make other problems. A sheet of every kind has
    the sum of theirs. A `count` of 0 is a bank, which has no end; no code can name it.
    """

    game: str
    kind: str
    level: int
    count: int
    seed: int
    version: int
    sheet: int = 1


@dataclass(frozen=True, slots=True)
class Prompt:
    """A sentence of the question: its key among the game's words, and the facts for its slots."""

    key: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Question:
    """What the player sees: `position` holds what is drawn, `prompts` what is asked and stated."""

    game: str
    kind: str
    level: int
    number: int
    position: Facts
    prompts: tuple[Prompt, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is right or wrong: a key among the game's reasons, the rule that makes it so, and the facts."""

    key: str
    rule: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens in a trace: what (`facts`), why, what else to notice, and why every other way is wrong."""

    facts: Facts
    reason: Reason
    notes: tuple[Reason, ...]
    refuted: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """Argument of a whole sequence: the reason for its order, and its steps."""

    order: Reason
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One listed option: right, or refuted by its reason; `trace` tells what follows from it where that takes steps."""

    option: Facts
    right: bool
    reason: Reason
    notes: tuple[Reason, ...] = ()
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """Argument of a choice: every option there is."""

    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """The working of one number: `terms` are the reasons that add to it, `total` the reason that closes it."""

    terms: tuple[Reason, ...]
    total: Reason


@dataclass(frozen=True, slots=True)
class Working:
    """Argument of numbers: what happened where something did, and each number's sum."""

    trace: Trace | None
    sums: tuple[Sum, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Argument of a line of play: why its steps work, the near misses and why each fails, and what was searched.

    A near miss is an option `{"moves": [move, …]}` as the game's notation spells them.
    """

    trace: Trace
    near: tuple[Option, ...]
    searched: Reason


def as_object(value: Any) -> dict[str, Any]:
    """What json asks for, for a data class: its fields, one level deep."""
    return {field: getattr(value, field) for field in value.__slots__}


Argument = Options | Trace | Working | Line


@dataclass(frozen=True, slots=True)
class Problem:
    """A question with every right answer and why.

    `readings` are the open readings that the answer depends on; `features` what was measured to set the level;
    `fingerprint` is equal for two problems that are the same up to what the rules let you rename; `origin` is a record
    (interchange form) of legal play that leads to the position.
    """

    question: Question
    answers: tuple[Facts, ...]
    argument: Argument
    readings: tuple[str, ...]
    features: Mapping[str, int]
    fingerprint: str
    origin: Facts

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data: tuples as lists. The argument's shape is told by its keys."""
        data: dict[str, Any] = json.loads(json.dumps(self, default=as_object))
        return data


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a player's sheet is made of."""

    code: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """What the host's key to that sheet is made of."""

    code: str
    problems: tuple[Problem, ...]


class Slots(NamedTuple):
    """What a sentence about a reason or prompt may use: the names of the facts, and for a reason its rule."""

    facts: frozenset[str]
    rule: str = ""


def slots(rule: str, facts: str) -> Slots:
    """A table's line: the rule ('' for a prompt), and the names of the facts, parted by spaces."""
    return Slots(frozenset(facts.split()), rule)


def given(reasons: Mapping[str, Slots], key: str, **facts: object) -> Reason:
    """A reason of a game's table, with exactly its facts."""
    assert facts.keys() == reasons[key].facts, (key, facts)
    return Reason(key, reasons[key].rule, facts)


@dataclass(frozen=True)
class Kind:
    """A kind of problem of a game.

    `version` rises whenever the same order would make other problems; `changes` says for each version what changed.
    `themes` are, a level, what its problems can be about: a sheet takes them in turn. `find` plays one deal from the
    stream and returns a problem of that level and theme in it, or None; the problem's number is 1. `available` says
    about how many different problems a level has, where draws at random brought repeats to tell it by (draws² / (2 ×
    repeats)), so that an order for more is refused at once.
    """

    id: str
    version: int
    changes: Mapping[int, str]
    themes: Mapping[int, tuple[str, ...]]
    find: Callable[[Stream, int, str], Problem | None]
    available: Mapping[int, int] = field(default_factory=dict)


def renumbered(problem: Problem, number: int) -> Problem:
    """The same problem as number `number` of its sheet."""
    return replace(problem, question=replace(problem.question, number=number))


def weigh(features: Mapping[str, int], weights: Mapping[str, int]) -> int:
    """The score of a kind's features. No weight is negative, so more of a feature never lowers the level."""
    return sum(weight * features[name] for name, weight in weights.items())


def level_of(score: int, least: tuple[int, ...]) -> int:
    """The level of a score: `least` holds the least score of the levels 1, 2, …; 0 is below them all (trivial)."""
    return sum(score >= bound for bound in least)


class Slot(NamedTuple):
    """What one place of a sheet is filled with."""

    kind: str
    level: int
    theme: str


def plan(order: Order, kinds: Mapping[str, Kind], sheet: int) -> list[Slot]:
    """What stands on a sheet: levels rise where mixed, and the least used theme comes next.

    `kinds` are those that the order takes: they are taken in turn, and then the problems of one kind stand together.
    """
    stream = Stream(f"{_key(order)}/plan/{sheet}")
    favour = stream.shuffled(sorted({theme for kind in kinds.values() for of in kind.themes.values() for theme in of}))
    asked = offered(kinds)[(sheet - 1) % len(offered(kinds))] if order.level == COURSE else order.level
    takes = [kind for kind in kinds.values() if asked in (MIXED, *kind.themes)]
    used = {kind.id: dict.fromkeys(favour, 0) for kind in takes}
    slots = []
    for place in range(order.count):
        kind = takes[place % len(takes)]
        levels = sorted(kind.themes) if asked == MIXED else [asked]
        level = levels[place * len(levels) // order.count]
        theme = _least(kind.themes[level], used[kind.id])
        used[kind.id][theme] += 1
        slots.append(Slot(kind.id, level, theme))
    return sorted(slots, key=lambda slot: slot.kind)


def _least(themes: tuple[str, ...], used: dict[str, int]) -> str:
    """The theme used least; of several the first in `used`."""
    return min((theme for theme in used if theme in themes), key=lambda theme: used[theme])


def offered(kinds: Mapping[str, Kind]) -> list[int]:
    """The levels that one of the kinds has, rising."""
    return sorted({level for kind in kinds.values() for level in kind.themes})


def candidates(order: Order, kind: Kind, index: int, level: int, theme: str) -> Iterator[Problem]:
    """Problems for place `index` (from 0, over all sheets of the order), best taken in turn; the same for ever.

    Each place has a stream of its own, so places can be filled in any order and on any machine. Raises Fault after
    TRIES deals without one.
    """
    stream = Stream(f"{_key(order)}/{index}")
    misses = 0
    while misses < TRIES:
        problem = kind.find(stream, level, theme)
        if problem is None:
            misses += 1
        else:
            yield problem
            misses += 1  # a repeat that the caller drops is a miss too
    raise Fault(
        f"no further problem of {order.game} kind {order.kind}, level {level} in {TRIES} deals (seed {order.seed})",
        "Ask for fewer problems, or another level",
    )


def _key(order: Order) -> str:
    """What the problems depend on. The sheet's number is not in it: a sheet is a stretch of its order."""
    return f"{order.game}/{order.kind}/{order.level}/{order.count}/{order.seed}/v{order.version}"
