"""Every refusal that an engine has words for, once each, by its first example: to be read, and not to change unseen.

Moves are tried at the wrong time and with other words, positions are damaged field by field and at random, and author's
texts line by line and word by word. Renewed with `pytest --renew tests/games/test_refusals.py`.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kit.catalogue import GAMES, game
from kit.games.core import BadPosition, IllegalMove
from tests.games.test_laws import sampled
from tests.games.walks import mutated

Json = Any
GOLDEN = Path(__file__).parents[1] / "golden" / "refusals"
WORDS = ("x", "0", "9", "123", "-1", "X1", "As", "8h", "M", "--", "...", "T1")
VALUES = (None, True, 1.5, -1, 99, "7", "X1", "8h", [], {}, [[]])
CARD = re.compile(r"\b([A2-9TJQK][shdc]|X[12]|M)\b")
KEEP = 6  # positions of those that offer the same kinds of move; one of them is damaged

Said = dict[str, str]  # what is alike in refusals of one kind → the first of them


def note(said: Said, text: str) -> None:
    """Keep a refusal unless one of its kind was kept: the same words with other cards, numbers or excerpts."""
    kind = re.sub(
        r"(CARD)( CARD)+",
        "CARD",
        CARD.sub("CARD", re.sub(r"'[^']*'|(holds|comes from) [^,]*|[TBLR][123]", "SAID", text)),
    )
    said.setdefault(re.sub(r"\d+", "N", kind), text)


def bent(moves: list[str]) -> Iterator[str]:
    """The moves, and of the first of each kind the same with a word changed, doubled or left out."""
    kinds: set[tuple[str, int]] = set()
    for move in moves:
        yield move
        words = move.split(" ")
        if (kind := (words[0], len(words))) not in kinds:
            kinds.add(kind)
            for at in range(len(words)):
                yield " ".join(words[:at] + words[at + 1 :])
                for word in (words[at] * 2, *WORDS):
                    yield " ".join([*words[:at], word, *words[at + 1 :]])


def damaged(value: Json, put: Callable[[Json], Json]) -> Iterator[Json]:
    """The whole with one part of it replaced, left out, doubled or added, part by part; of long lists the first two."""
    for other in VALUES:
        yield put(other)
    if isinstance(value, dict):
        yield put({**value, "why": 1})
        for key in value:
            yield put({k: v for k, v in value.items() if k != key})
            yield from damaged(value[key], lambda new, key=key: put({**value, key: new}))  # type: ignore[misc]
    elif isinstance(value, list) and value:
        yield put(value[:-1])
        yield put([*value, value[0]])
        yield put(value[::-1])
        for at in range(min(2, len(value))):
            yield from damaged(value[at], lambda new, at=at: put([*value[:at], new, *value[at + 1 :]]))  # type: ignore[misc]


def rewritten(text: str) -> Iterator[str]:
    """An author's text with one line left out, doubled or moved, or one word changed."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        yield "\n".join(lines[:at] + lines[at + 1 :])
        yield "\n".join([*lines[: at + 1], *lines[at:]])
        yield "\n".join([*lines[:at], *lines[at + 1 :], line])
        words = line.split(" ")
        for where, old in enumerate(words):
            for word in ("", f"{old}:", *WORDS):
                yield "\n".join([*lines[:at], " ".join([*words[:where], word, *words[where + 1 :]]), *lines[at + 1 :]])


def various(engine: Any) -> list[Any]:
    """Positions of random play: some of each that offer other kinds of move, the ends among them."""
    kinds: dict[tuple[str, ...], list[Any]] = {}
    for played, number in sampled(engine):
        position = played.positions[number]
        kind = tuple(sorted({str(move).split(" ")[0] for move in position.legal()}))
        kinds.setdefault(kind, []).append(position)
    return [position for same in kinds.values() for position in (same * KEEP)[:KEEP]]


def refusals(engine: Any) -> dict[str, Said]:
    """Of moves, of positions in JSON and of positions as authors write them."""
    moves: Said = {}
    positions: Said = {}
    texts: Said = {}
    some = various(engine)
    legal = [str(move) for position in some for move in position.legal()]
    tried = list(dict.fromkeys(bent([move for at, move in enumerate(dict.fromkeys(legal)) if at % 7 == 0 or at < 40])))
    for text in tried:
        try:
            move = engine.move_from_text(text)
        except BadPosition as error:
            note(moves, f"{error}")
            continue
        for position in some:
            try:
                position.play(move)
            except IllegalMove as error:
                note(moves, f"{error}")
    random = Random(engine.ID)
    for position in some[::KEEP]:
        data = engine.position_to_json(position)
        harm = [*damaged(data, lambda new: new), *(mutated(data, random) for _ in range(150))]
        for other in harm:
            try:
                engine.position_from_json(copy.deepcopy(other))
            except BadPosition as error:
                note(positions, f"{error}")
        for text in rewritten(engine.position_to_text(position)):
            try:
                engine.position_from_text(text)
            except BadPosition as error:
                note(texts, f"{error}")
    return {"Moves": moves, "Positions": positions, "Author's form": texts}


@pytest.mark.parametrize("name", GAMES)
def test_refusals_read_as_they_did(name: str, golden: Callable[[Path, bytes], None]) -> None:
    said = refusals(game(name))
    for part in said.values():
        assert all(text == text.strip() and "\n" not in text for text in part.values())
        assert not [kind for kind in part if "None" in kind]
    known = {kind for part in ("Moves", "Positions") for kind in said[part]}
    lines = [
        f"{title}\n" + "".join(f"  {text}\n" for text in sorted(v for k, v in part.items() if new(title, k, known)))
        for title, part in said.items()
    ]
    golden(GOLDEN / f"{name}.txt", "\n".join(lines).encode())


def new(title: str, kind: str, known: set[str]) -> bool:
    """Authors are told what is wrong with a position in the same words as programs: once is enough."""
    return title != "Author's form" or kind not in known


def test_what_is_changed_at_random_is_the_same_each_time() -> None:
    data = {"game": "rowoverflow", "rows": [[1, 2], [3]], "phase": "take", "players": 3}
    assert [json.dumps(mutated(data, Random("a"))) for _ in range(2)] == [json.dumps(mutated(data, Random("a")))] * 2
