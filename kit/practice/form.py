"""The form of a line of a bank: the data classes of `core` say it, as a check in plain Python and as a JSON Schema.

docs/bank.schema.json is `schema()`, for programs that know nothing of kit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from kit.practice.core import Problem

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NO_MORE = 5  # faults of one line that are told


@dataclass(frozen=True, slots=True)
class Bank:
    """Where in which bank a line stands: `number` of its question counts the lines.

    The bank's order is its game, kind, `level` (0: all in turn), `seed` and the generator's `version`. The problem is
    the place's candidate of that number, from 1: the ones before it would have been repeats.
    """

    level: int
    seed: int
    version: int
    candidate: int


@dataclass(frozen=True, slots=True)
class Entry(Problem):
    """A problem, and its place."""

    bank: Bank


def faults(value: Any) -> list[str]:
    """What is wrong with the form of a line: the first few, each with its place in the line."""
    found = _odd(value, Entry, "")
    return [what for what, _ in zip(found, range(NO_MORE), strict=False)]


def _odd(value: Any, kind: Any, where: str) -> Iterator[str]:
    said = where.lstrip(".") or "the line"
    if kind is int:
        if type(value) is not int:
            yield f"{said} is no whole number"
    elif kind is str or kind is bool:
        if type(value) is not kind:
            yield f"{said} is {'no text' if kind is str else 'neither true nor false'}"
    elif kind is Any:
        return
    elif is_dataclass(kind):
        yield from _odd_object(value, kind, where, said)
    elif get_origin(kind) in (Union, UnionType):
        yield from _odd_choice(value, get_args(kind), where, said)
    elif get_origin(kind) is tuple:
        if not isinstance(value, list):
            yield f"{said} is no list"
            return
        for number, inner in enumerate(value):
            yield from _odd(inner, get_args(kind)[0], f"{where}[{number}]")
    else:  # a mapping
        if not isinstance(value, dict):
            yield f"{said} is no object"
            return
        for name, inner in value.items():
            yield from _odd(inner, get_args(kind)[1], f"{where}.{name[:40]}")


def _odd_object(value: Any, kind: Any, where: str, said: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{said} is no object"
        return
    hints = _hints(kind)
    for name in hints:
        if name not in value:
            yield f"{said} has no {name}"
    for name, inner in value.items():
        if name not in hints:
            yield f"{said} has {name[:40]!r}, which nothing reads"
        else:
            yield from _odd(inner, hints[name], f"{where}.{name}")


def _odd_choice(value: Any, kinds: tuple[Any, ...], where: str, said: str) -> Iterator[str]:
    """Of several classes the one with the same names is meant; none of them has the names of another."""
    if value is None and type(None) in kinds:
        return
    for kind in kinds:
        if is_dataclass(kind) and isinstance(value, dict) and _hints(kind).keys() == value.keys():
            yield from _odd(value, kind, where)
            return
    yield f"{said} has none of the forms that it may have"


def _hints(kind: Any) -> Mapping[str, Any]:
    """The fields of a data class, each with its type."""
    if kind not in _KNOWN:
        found = get_type_hints(kind)
        _KNOWN[kind] = {field.name: found[field.name] for field in fields(kind)}
    return _KNOWN[kind]


_KNOWN: dict[Any, Mapping[str, Any]] = {}  # to find them costs more than to check a line


def schema() -> dict[str, Any]:
    """The same as a JSON Schema (2020-12)."""
    definitions: dict[str, Any] = {}
    reference = _schema(Entry, definitions)
    return {
        "$schema": DIALECT,
        "title": "A line of a bank of problems",
        "description": "See docs/practice.md for what stands in question.position and in answers, by kind.",
        **reference,
        "$defs": dict(sorted(definitions.items())),
    }


def _schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if kind is Any:
        return {}
    if kind in (int, str, bool):
        return {"type": {int: "integer", str: "string", bool: "boolean"}[kind]}
    if kind is type(None):
        return {"type": "null"}
    if is_dataclass(kind):
        name = kind.__name__  # type: ignore[union-attr]
        if name not in definitions:
            definitions[name] = {}  # met again within itself
            hints = _hints(kind)
            definitions[name] = {
                "type": "object",
                "description": " ".join((kind.__doc__ or "").split()),
                "properties": {field: _schema(inner, definitions) for field, inner in hints.items()},
                "required": list(hints),
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}
    if get_origin(kind) in (Union, UnionType):
        return {"anyOf": [_schema(inner, definitions) for inner in get_args(kind)]}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _schema(get_args(kind)[0], definitions)}
    return {"type": "object", "additionalProperties": _schema(get_args(kind)[1], definitions)}
