"""`kit play` and `kit replay`, as they are typed."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from kit.catalogue import GAMES
from kit.faults import SURROUNDINGS, USAGE, Fault
from kit.games.core import Stream
from kit.games.playing import GIVING_UP, choose
from kit.games.record import LINE_LIMIT
from kit.publish import records
from kit.reference.record import difference

TABLES = [
    ("rowoverflow", 3, ()),
    ("rowoverflow", 4, ()),
    ("cascadebeta", 2, ("size=5",)),
    ("cascadebeta", 3, ()),
    ("cascata", 2, ("hidden_rows=3,4", "multiplier")),
    ("cascata", 3, ("lock=joker",)),
    ("cascata", 4, ("hidden-rows=4", "multiplier", "lock=marker")),
    ("gridcannon", 1, ()),
    ("gridcannon", 1, ("empty-centre", "replace-one")),
]


def kit(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "kit", *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_a_random_record_is_played_again_by_both_engines(
    game: str, players: int, options: tuple[str, ...], tmp_path: Path
) -> None:
    line = records.play(game, players, options, "one", check=True)
    trace = json.loads(line)
    assert len(line.encode()) < LINE_LIMIT / 4
    assert difference(trace) is None
    records.write(tmp_path / "a", line)
    assert records.replay(tmp_path / "a") == (1, len(trace["check"]))
    bare = json.loads(records.play(game, players, options, "one"))
    assert bare == {key: value for key, value in trace.items() if key != "check"}
    assert records.play(game, players, options, "one") != records.play(game, players, options, "two")


def test_every_game_is_among_the_tables() -> None:
    assert {game for game, _, _ in TABLES} == set(GAMES)


def test_options_reach_the_deal() -> None:
    start = json.loads(records.play("cascata", 2, ["hidden-rows=2,5", "lock=marker"], "x"))["start"]
    assert start["options"] == {"hidden_rows": [2, 5], "multiplier": False, "lock": "marker"}
    assert "M" in start["reserve"]
    assert json.loads(records.play("cascadebeta", None, ["size=5"], "x"))["start"]["players"] == 2


def test_the_same_code_is_the_same_game_on_every_machine() -> None:
    assert json.loads(records.play("rowoverflow", 3, [], "kit"))["moves"][:2] == ["reveal 5 20 17", "reveal 18 23 1"]


def test_giving_up_is_rare_but_not_impossible() -> None:
    stream = Stream("x")
    chosen = [choose(stream, ["turn", GIVING_UP]) for _ in range(2000)]
    assert 0 < chosen.count(GIVING_UP) < 60
    assert choose(stream, [GIVING_UP]) == GIVING_UP


@pytest.mark.parametrize(
    ("game", "players", "options", "said"),
    [
        ("cascat", None, [], "unknown game 'cascat'. Did you mean cascata?"),
        ("cascadebeta", None, ["sice=5"], "unknown option 'sice'. Did you mean size?"),
        ("cascata", None, ["lok=joker"], "unknown option 'lok'. Did you mean lock?"),
        ("rowoverflow", None, ["size=5"], "unknown option 'size'. rowoverflow has no options."),
        ("cascadebeta", None, ["size"], "size needs a value. Write size=N."),
        ("cascadebeta", None, ["size=4,5"], "size is one number, not 2. Write size=N."),
        ("cascadebeta", None, ["size=²"], "size is a number, not '²'. Write size=N."),
        ("cascata", None, ["hidden_rows=four"], "hidden_rows is numbers, not 'four'. Write hidden_rows=N,N."),
        ("cascata", None, ["multiplier=2"], "multiplier is on when it is named; '2' is more than that."),
        ("cascata", None, ["lock=joker", "lock=marker"], "the option lock is given twice. Give it once."),
        ("cascata", None, ["lock=door"], "\"lock\" holds 'door', not null, joker or marker."),
        ("cascata", None, ["hidden_rows=7"], '"hidden_rows" holds 7, which is not from 1 to 6.'),
        ("cascadebeta", 3, ["size=5"], "5 rows, but 3 players have a grid of 4."),
        ("cascadebeta", 4, [], "4 players, not 2 or 3."),
        ("gridcannon", 2, [], "2 players, not 1."),
    ],
)
def test_what_cannot_be_dealt_is_said_with_its_cure(
    game: str, players: int | None, options: list[str], said: str
) -> None:
    with pytest.raises(Fault) as fault:
        records.play(game, players, options, "x")
    assert said in str(fault.value)
    assert fault.value.code == USAGE


def test_a_seed_is_text() -> None:
    with pytest.raises(Fault, match="the seed is not UTF-8"):
        records.play("rowoverflow", None, [], "\udcff")


def test_a_record_is_put_in_place_whole_or_not_at_all(tmp_path: Path) -> None:
    records.write(tmp_path / "a", "new\n")
    assert (tmp_path / "a").read_text("utf-8") == "new\n"
    with pytest.raises(Fault) as fault:
        records.write(tmp_path / "none" / "a", "")
    assert fault.value.code == SURROUNDINGS
    (tmp_path / "folder").mkdir()
    with pytest.raises(Fault):
        records.write(tmp_path / "folder", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "folder"]


def test_as_typed(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    shown = kit("play", "rowoverflow", "--players", "4", "--seed", "1", "--record", "-", "--check")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert kit("play", "rowoverflow", "--players", "4", "--code", "1", "--record", str(file), "--check").returncode == 0
    assert file.read_text("utf-8") == shown.stdout
    again = kit("replay", str(file))
    assert (again.returncode, again.stdout.split(": ", 1)[1][:9]) == (0, "1 records")
    wrong = kit("play", "cascadebeta", "--option", "sice=5", "--seed", "1", "--record", "-")
    assert (wrong.returncode, wrong.stderr) == (2, "error: unknown option 'sice'. Did you mean size?\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "there is no record in it"),
        (b"{}\n", "a.jsonl:1: error:"),
        (gzip.compress(b"{}\n", mtime=0)[:12], "the gzip file is cut off or damaged"),
        (b"\x1f\x8bx", "the gzip file is cut off or damaged"),
    ],
)
def test_replay_says_file_and_line(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    with pytest.raises(Fault) as fault:
        records.replay(tmp_path / "a.jsonl")
    assert said in str(fault.value)
