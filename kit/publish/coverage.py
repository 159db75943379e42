"""`kit check --rules`: for every rule id of every engine, what exercises, tells, refuses, shows and practises it.

Nothing here is claimed by hand but the marker on a test, `@pytest.mark.rules("CB-9")`, which says what that test is
about. Events and refusals are what replaying the traces in tests/games/vectors brings up; worked examples are played by
the engine; practice is what the reasons of the problems on file cite.
"""

from __future__ import annotations

import ast
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kit import catalogue
from kit.faults import USAGE, Fault
from kit.files import read_toml
from kit.games import record
from kit.games.core import Game, IllegalMove
from kit.publish import examples, kits

NOT_YET = "not yet"
OTHER_MOVES = 1, -1, 5, -5  # which moves of a record, counted from its own, a position is also asked


class Row(NamedTuple):
    """What is known of one rule: names of tests and examples, kinds of events, of moves refused, of problems."""

    rule: str
    status: str
    tests: tuple[str, ...]
    events: tuple[str, ...]
    refusals: tuple[str, ...]
    examples: tuple[str, ...]
    practice: tuple[str, ...]

    @property
    def exercised(self) -> bool:
        return bool(self.tests or self.events or self.refusals)


def table(root: Path, content: Path, name: str) -> list[Row]:
    """The rows of one game; `root` is the folder that holds tests/. Raises Fault where there is none."""
    tests = root / "tests"
    if not tests.is_dir():
        raise Fault("there is no tests/ here", "Run it in the folder that kit is developed in", code=USAGE)
    engine = catalogue.game(name)
    marked = _gathered(marks(tests / "games" / f"test_{name}.py"))
    told, refused = map(_gathered, replayed(engine, tests / "games" / "vectors" / f"{name}.jsonl.gz"))
    shown, practised = _gathered(shown_by(content, name)), _gathered(practised_by(tests, name))
    return [
        Row(rule.id, rule.status, *(found.get(rule.id, ()) for found in (marked, told, refused, shown, practised)))
        for rule in engine.RULES
    ]


Pairs = Iterator[tuple[str, str]]  # a rule id, and what has to do with it


def _gathered(pairs: Iterator[tuple[str, str]] | set[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found = defaultdict(set)
    for rule, what in pairs:
        found[rule].add(what)
    return {rule: tuple(sorted(whats)) for rule, whats in found.items()}


def marks(path: Path) -> Pairs:
    """Every id that a `rules` marker names, with the test that it stands on. None where there is no such file."""
    if not path.is_file():
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rules":
                    for argument in decorator.args:
                        yield ast.literal_eval(argument), node.name


def replayed(engine: Game, path: Path) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The ids of events with their kinds, and those of refusals with the kinds of move, that traces bring up.

    A position is also asked some moves of its record that are made elsewhere in it, so that it has to refuse.
    """
    told: set[tuple[str, str]] = set()
    refused: set[tuple[str, str]] = set()
    if not path.is_file():
        return told, refused
    with gzip.open(path) as stream:
        for _, line in record.lines(stream):
            data = record.parse(line)
            replay = record.replay({key: data[key] for key in ("game", "start", "moves")}, catalogue.game)
            told |= {(event.rule, event.kind) for happened in replay.events for event in happened}
            moves = data["moves"]
            for number, position in enumerate(replay.positions):
                for other in OTHER_MOVES:
                    if 0 <= number + other < len(moves):
                        text = moves[number + other]
                        try:
                            position.play(engine.move_from_text(text))
                        except IllegalMove as error:
                            refused.add((error.rule, text.split(" ")[0]))
    return told, refused


def shown_by(content: Path, name: str) -> Pairs:
    """What the worked examples of every kit of that engine show, as they claim and the engine confirms."""
    for kit in kits.names(content):
        loaded = kits.load(content, kit)
        if loaded.engine is not None and name == loaded.engine.ID:
            for example in examples.names(content, kit):
                examples.load(content, loaded, example)
                file: examples.ExampleFile = read_toml(content, f"{kit}/examples/{example}.toml", examples.ExampleFile)
                for rule in file.shows:
                    yield rule, example


def practised_by(tests: Path, name: str) -> Pairs:
    """What the reasons in the problems on file cite, with the letter of their kind."""
    for path in sorted((tests / "practice" / "golden").glob(f"{name}-*.json")):
        for rule in _cited(json.loads(path.read_text("utf-8"))):
            yield rule, path.stem.rpartition("-")[2]


def _cited(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("rule"), str):
            yield value["rule"]
        for inner in value.values():
            yield from _cited(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _cited(inner)


HEAD = """# Rule coverage

Written by `kit check --rules`; `pytest --renew tests/test_rules.py` puts it here. Do not edit it.

- **Tests**: how many are about the rule, by their marker `@pytest.mark.rules(…)`.
- **Told**, **refused**: events, and kinds of move refused, that cite it when the traces in `tests/games/vectors`
  are replayed.
- **Shown**: worked examples. **Practised**: kinds of problem whose reasons cite it, in the problems on file.

A rule that neither a test, nor an event, nor a refusal exercises fails the tests. What is not yet there is counted.
"""


def markdown(root: Path, content: Path) -> str:
    """docs/rules-coverage.md."""
    return HEAD + "".join(_game(name, table(root, content, name)) for name in catalogue.GAMES)


def _game(name: str, rows: Sequence[Row]) -> str:
    lines = [
        f"\n## {name}\n",
        "| Rule | Status | Tests | Told | Refused | Shown | Practised |",
        "|---|---|---:|---|---|---|---|",
    ]
    for row in rows:
        words = (_listed(row.events, "–"), _listed(row.refusals, "–"), _listed(row.examples), _listed(row.practice))
        lines.append(f"| {row.rule} | {row.status} | {len(row.tests) or '–'} | {' | '.join(words)} |")
    silent = [row.rule for row in rows if not row.exercised]
    lines += [
        "",
        f"{len(rows)} rules; not exercised: {_listed(silent, 'none')}. Not yet in a worked example: "
        f"{sum(not row.examples for row in rows)}. Not yet practised: {sum(not row.practice for row in rows)}.",
    ]
    return "\n".join(lines) + "\n"


def _listed(words: Sequence[str], none: str = NOT_YET) -> str:
    return ", ".join(words) or none
