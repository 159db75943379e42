"""Worked examples: a position and moves that the engine plays, and the proof that they show what they claim."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from kit.faults import Fault, Faults, nearest
from kit.files import folder, read_toml, toml
from kit.files import shown as place
from kit.games.core import BadPosition, Event, IllegalMove, State
from kit.publish.kits import Kit


class ExampleFile(BaseModel):
    """content/<game>/examples/<name>.toml. `expect`: fields of the last position's interchange object, or `result`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    title: Annotated[str, Field(min_length=1, max_length=120)]
    position: Annotated[str, Field(min_length=1, max_length=4000)]
    moves: Annotated[list[str], Field(min_length=1, max_length=60)]
    shows: Annotated[list[str], Field(min_length=1, max_length=30)]
    expect: Annotated[dict[str, Any], Field(min_length=1)]


@dataclass(frozen=True)
class Example:
    """What the engine made of an example: positions[k] before moves[k], events[k] what that move did."""

    name: str
    title: str
    positions: tuple[State, ...]
    moves: tuple[Any, ...]
    events: tuple[tuple[Event, ...], ...]


def names(content: Path, game: str) -> tuple[str, ...]:
    return tuple(name.removesuffix(".toml") for name in folder(content, f"{game}/examples") if name.endswith(".toml"))


def load(content: Path, kit: Kit, name: str) -> Example:
    """Play one example. Raises Fault(s) with file and line when it is illegal or does not show what it claims."""
    relative = f"{kit.id}/examples/{name}.toml"
    shown = place(content, relative)
    if kit.engine is None:
        raise Fault("an example is played by an engine, and this kit has none", "Take it out", path=shown)
    data: ExampleFile = read_toml(content, relative, ExampleFile)
    file = toml(content, relative)

    def line(*key: str | int) -> int:
        return file.line(key)

    try:
        position = kit.engine.position_from_text(data.position)
    except BadPosition as error:
        raise Fault(
            f"impossible position: {error}", "Correct the position", path=shown, line=line("position")
        ) from None
    positions, moves, events = [position], [], []
    for number, text in enumerate(data.moves, 1):
        try:
            move = kit.engine.move_from_text(text)
            position, happened = position.play(move)
        except (IllegalMove, BadPosition) as error:
            raise Fault(
                f"move {number} ({text[:60]}) is not legal here: {error}",
                "Correct the move or the position",
                path=shown,
                line=line("moves", number - 1),
            ) from None
        positions.append(position)
        moves.append(move)
        events.append(happened)
    faults = []
    known = kit.rules
    seen = {event.rule for happened in events for event in happened}
    for nth, rule in enumerate(data.shows):
        if rule not in known:
            faults.append(
                Fault(f"unknown rule {rule[:60]!r} in shows", nearest(rule, known), path=shown, line=line("shows", nth))
            )
        elif rule not in seen:
            faults.append(
                Fault(
                    f"the example does not show {rule}: nothing that happens in it rests on that rule",
                    f"It shows {', '.join(sorted(seen))}; correct the position, the moves or shows",
                    path=shown,
                    line=line("shows", nth),
                )
            )
    after = {**kit.engine.position_to_json(kit.engine.canonical(position)), "result": position.result()}
    for key, wanted in data.expect.items():
        if key not in after:
            faults.append(
                Fault(
                    f"unknown field {key[:60]!r} in expect", nearest(key, after), path=shown, line=line("expect", key)
                )
            )
        elif not _same(after[key], wanted, kit.engine.SETS, key):
            faults.append(
                Fault(
                    f"the example ends with {key} = {after[key]}, not {wanted}",
                    "Correct the position, the moves or what is expected",
                    path=shown,
                    line=line("expect", key),
                )
            )
    if faults:
        raise Faults(faults)
    return Example(name, data.title, tuple(positions), tuple(moves), tuple(events))


def _same(ours: Any, wanted: Any, sets: Collection[str], key: str) -> bool:
    """Equal, or equal as sets where the game's `SETS` says that this field's innermost lists have no order."""
    if key not in sets:
        return bool(ours == wanted)

    def unordered(value: Any) -> Any:
        if isinstance(value, list):
            inner = [unordered(item) for item in value]
            return inner if any(isinstance(item, list) for item in inner) else sorted(inner, key=str)
        if isinstance(value, dict):
            return {key: unordered(item) for key, item in value.items()}
        return value

    return bool(unordered(ours) == unordered(wanted))
