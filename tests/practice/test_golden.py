"""Codes are for ever: the problems of each kind are compared with those written down for its version.

After a change that is meant, give the kind the next version, say in its `changes` what changed, and run

    python tests/practice/test_golden.py

which refuses to write other problems down for the same version.
"""

import hashlib
import json
from pathlib import Path

import pytest

from kit.practice import codes, kinds, make, order
from kit.practice.core import MIXED

FOLDER = Path(__file__).parent / "golden"
EVERY_KIND = [(game, letter) for game in codes.GAMES for letter in kinds(game)]


def now(game, letter):
    """The kind's version, one mixed sheet in full, and a digest of a sheet a level."""
    kind = kinds(game)[letter]

    def problems(**how):
        return [problem.to_json() for problem in make(order(game, letter, **how))]

    def digest(level):
        text = json.dumps(problems(level=level, count=3, seed=2, sheet=2), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    return {
        "version": kind.version,
        "digests": {str(level): digest(level) for level in (MIXED, *kind.themes)},
        "code": codes.encode(order(game, letter, count=5)),
        "problems": problems(count=5),
    }


def path(game, letter):
    return FOLDER / f"{game}-{letter}.json"


@pytest.mark.parametrize(("game", "letter"), EVERY_KIND)
def test_problems_are_those_of_their_version(game, letter):
    golden, here = json.loads(path(game, letter).read_text("utf-8")), now(game, letter)
    assert golden["version"] == here["version"], "renew the golden file: see the top of this test"
    for one, two in zip(golden["problems"], here["problems"], strict=True):
        assert one == two, "other problems under the same version: raise it and say what changed"
    assert golden == here


def test_every_golden_file_has_its_kind():
    assert {file.name for file in FOLDER.iterdir()} == {path(*kind).name for kind in EVERY_KIND}


def renew():
    for kind in EVERY_KIND:
        here = now(*kind)
        if path(*kind).exists():
            golden = json.loads(path(*kind).read_text("utf-8"))
            if golden["version"] == here["version"] and golden != here:
                raise SystemExit(f"{kind}: other problems under version {here['version']}: raise it first")
        FOLDER.mkdir(exist_ok=True)
        path(*kind).write_text(json.dumps(here, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    renew()
