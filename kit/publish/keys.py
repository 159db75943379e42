"""The host's key: every answer, why it is right, and in one line why each other is not, by the booklet's §."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from kit.practice.core import Key, Line, Option, Options, Problem, Reason, Trace
from kit.publish import story
from kit.publish.sheet import Context


def values(context: Context, heading: str, name: str, key: Key) -> dict[str, Any]:
    """What the key's template prints; `name` is that of the sheet: its code and number."""
    table, title = context.kit.table, context.locale.text("key.title")
    return {
        "heading": heading.replace(title, title.replace(" ", "\u00a0")),
        "code": name,
        "problems": [
            {
                "number": problem.question.number,
                "answer": table.answer(context.locale, problem),
                "table": table.trace_table(context.locale, problem),
                "steps": _steps(context, problem),
            }
            for problem in key.problems
        ],
    }


def _steps(context: Context, problem: Problem) -> list[dict[str, Any]]:
    argument = problem.argument
    if isinstance(argument, Options):
        return _options(context, problem.question.kind, argument)
    if isinstance(argument, Trace):
        return _trace(context, argument)
    if isinstance(argument, Line):
        return _line(context, problem, argument)
    traced = [step.reason for step in argument.trace.steps] if argument.trace else []
    sums = [
        _step(context, "", [*(term for term in one.terms if term not in traced), one.total], ())
        for one in argument.sums
    ]
    return [*(_trace(context, argument.trace) if argument.trace else ()), *sums]


def _options(context: Context, kind: str, argument: Options) -> list[dict[str, Any]]:
    """The right options one by one, then all the wrong ones in one line."""
    right = [option for option in argument.options if option.right]
    wrong = [option for option in argument.options if not option.right]
    steps = [_step(context, "", [option.reason, *option.notes], ()) for option in right]
    steps[-1]["refuted"] = _refuted(context, kind, wrong)
    return steps


def _refuted(context: Context, kind: str, wrong: list[Option]) -> Markup:
    """Why each wrong option is wrong, as the game's words have it.

    Before what does not name its option stands `practice.<kind>_option`; a reason that many options share is told once
    for all of them, last, by `practice.all_<reason>`.
    """
    locale, told, shared = context.locale, list[Markup](), dict[str, Markup]()
    for option in wrong:
        if _has(context, every := f"practice.all_{option.reason.key}"):
            text = locale.text(every, game=True)
            shared[every] = story.cited(f"{text} ({story.paragraph(option.reason.rule)})")
            continue
        if _has(context, named := f"practice.{kind}_option"):
            label = story.sentence(locale, context.kit.table, named, option.option)
            told.append(Markup("<strong>{}</strong>").format(label))
        told += [story.cited(_said(context, reason)) for reason in (option.reason, *option.notes)]
    return Markup(" ").join([*told, *shared.values()])


def _has(context: Context, key: str) -> bool:
    """Whether the game's words have this one."""
    return key in context.locale.sources[context.kit.id]


def _trace(context: Context, argument: Trace) -> list[dict[str, Any]]:
    steps = [_step(context, "", [argument.order], ())]
    for number, step in enumerate(argument.steps, 1):
        label = context.kit.table.step_label(context.locale, number, step.facts)
        steps.append(_step(context, label, [step.reason, *step.notes], step.refuted))
    return steps


def _line(context: Context, problem: Problem, argument: Line) -> list[dict[str, Any]]:
    """The line step by step, each near miss under its moves, and how much was searched."""
    table, steps = context.kit.table, _trace(context, argument.trace)
    for miss in argument.near:
        label = table.line(context.locale, miss.option["moves"], problem)
        steps.append(_step(context, label, [miss.reason, *miss.notes], ()))
    return [*steps, _step(context, "", [argument.searched], ())]


def _step(context: Context, label: str, reasons: list[Reason], refuted: tuple[Reason, ...]) -> dict[str, Any]:
    return {
        "label": label,
        "why": story.cited(" ".join(_said(context, reason) for reason in reasons)),
        "refuted": story.cited(" ".join(_said(context, reason) for reason in refuted)),
    }


def _said(context: Context, reason: Reason) -> str:
    text = story.sentence(context.locale, context.kit.table, f"reason.{reason.key}", reason.facts)
    return f"{text} ({story.paragraph(reason.rule)})"
