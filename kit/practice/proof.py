"""The second proof: every problem is solved again by `kit.reference`, which knows nothing of how it was made.

Questions and answers cross as JSON, in the forms of docs/practice.md. A disagreement is a defect of kit's, in one
engine or the other: the problem is dropped, and whoever asked for it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kit.faults import BUG, Fault
from kit.practice.core import Problem

Report = Callable[[str], None]


def faults(problem: Problem) -> list[str]:
    """Every way in which the reference finds otherwise; none when the problem is proven."""
    return faults_in(problem.to_json())


def faults_in(problem: Mapping[str, Any]) -> list[str]:
    """The same of a problem's JSON."""
    from kit.reference import practice  # here, because most commands of kit prove nothing

    return practice.faults(problem)


def is_proven(problem: Problem, report: Report) -> bool:
    """Does the reference agree? If not, `report` is told what is wrong with which problem."""
    found = faults(problem)
    if found:
        question = problem.question
        report(f"{question.game} kind {question.kind}, {problem.fingerprint!r}: {'; '.join(found)}")
    return not found


def refuse(defect: str) -> None:
    """The report of those who do not ask for another problem instead."""
    raise Fault(f"the two engines disagree about {defect}", "Please report it", code=BUG)
