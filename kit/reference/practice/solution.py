"""What the second solver finds about a question."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

Json = Any


def spelled(value: Json) -> str:
    """One spelling for equal JSON."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _agrees(option: Json, answer: Json) -> bool:
    return all(answer.get(key, part) == part for key, part in option.items())


def _none(_: Json) -> set[str]:
    return set()


@dataclass(frozen=True)
class Solution:
    """The right answers to a question, spelled as docs/practice.md says, and why other options are wrong.

    `one`: the kind promises one answer, where answers with equal `same` count as one; `every`: a problem gives all of
    `answers`, not only one of each that count as one.

    `options` are those that an argument of options must list, told apart by `name` (None for what is no option of this
    kind); it may list others that `name` knows. `says`: does an option say this answer? `granted` are the rules that
    can make an option right. `forbidden` gives the rules that make it wrong: none for a right one, several where it
    breaks several. `refuted` does the same for a line of moves.

    `readings` are the open readings without which the answers would be others.
    """

    answers: Sequence[Json]
    one: bool = False
    every: bool = True
    same: Callable[[Json], Hashable] = spelled
    options: Sequence[Json] | None = None
    name: Callable[[Json], Hashable] = spelled
    says: Callable[[Json, Json], bool] = _agrees
    granted: frozenset[str] = frozenset()
    forbidden: Callable[[Json], set[str]] = _none
    refuted: Callable[[Sequence[str]], set[str]] | None = None
    readings: frozenset[str] = frozenset()
