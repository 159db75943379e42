"""Banks: the same whoever makes them, whole after any kill, and seen through when they are damaged."""

from __future__ import annotations

import copy
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import practice
from kit.faults import BUG, CONTENT, SURROUNDINGS, USAGE, Fault, Faults
from kit.practice import bank, codes, form, kinds, make, pool
from kit.practice.core import TRIES

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "docs" / "bank.schema.json"
ORDER = bank.order("rowoverflow", "a")
COUNT = 40


@contextmanager
def here():
    """A worker in this process, so that a test can put its own kind in place."""
    with ThreadPoolExecutor(1) as executor:
        yield pool.Pool(executor, 1)


def quiet(done, total):
    pass


def fill(path, count=COUNT, order=ORDER, workers=here, progress=quiet):
    return bank.fill(path, order, count, workers, progress)


def verify(path, workers=here):
    return bank.verify(path, workers, quiet)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a bank."""
    path = tmp_path_factory.mktemp("bank") / "bank.jsonl"
    assert fill(path) == COUNT
    return path.read_bytes()


@pytest.fixture
def path(tmp_path, whole):
    """That bank, to be damaged."""
    file = tmp_path / "bank.jsonl"
    file.write_bytes(whole)
    return file


def entries(whole):
    return [json.loads(line) for line in whole.splitlines()]


# What is made


def test_a_bank_is_the_same_however_many_make_it(tmp_path, whole):
    for workers in (1, 2):
        file = tmp_path / f"{workers}.jsonl"
        assert fill(file, workers=partial(pool.opened, workers)) == COUNT
        assert file.read_bytes() == whole
    assert verify(file, partial(pool.opened, 2)) == (COUNT, True)


def test_a_longer_bank_begins_with_the_shorter_one(tmp_path, whole):
    file = tmp_path / "bank.jsonl"
    assert fill(file, 7) == 7
    assert whole.startswith(file.read_bytes())
    assert fill(file) == COUNT
    assert file.read_bytes() == whole
    assert fill(file, 7) == COUNT  # what is there is not thrown away


def test_levels_and_themes_come_in_turn_and_nothing_twice(whole):
    found = entries(whole)
    assert [entry["question"]["number"] for entry in found] == list(range(1, COUNT + 1))
    assert [entry["question"]["level"] for entry in found] == [1, 2, 3, 4, 5] * (COUNT // 5)
    assert len({entry["fingerprint"] for entry in found}) == COUNT
    assert all(entry["bank"] == {"level": 0, "seed": 1, "version": 1, "candidate": 1} for entry in found)


@pytest.mark.parametrize(("game", "letter"), [(game, letter) for game in codes.GAMES for letter in kinds(game)])
def test_a_bank_of_every_kind_is_proven(tmp_path, game, letter):
    file = tmp_path / "bank.jsonl"
    assert fill(file, 3, bank.order(game, letter, level=min(kinds(game)[letter].themes))) == 3
    assert verify(file) == (3, True)


def _only(monkeypatch, problems):
    """Let kind (a) find nothing but these, in turn for ever."""
    found = iter(problems * TRIES)
    kind = replace(kinds("rowoverflow")["a"], find=lambda *_: next(found), themes={1: ("x",)})
    monkeypatch.setattr(bank, "kind", lambda *_: kind)
    return kind


def test_repeats_are_passed_over_and_a_kind_that_runs_dry_says_what_there_is(tmp_path, monkeypatch):
    problems = make(practice.order("rowoverflow", "a", level=1, count=3))
    _only(monkeypatch, [problems[0], problems[0], problems[1], problems[2]])
    order = replace(ORDER, level=1)
    file = tmp_path / "bank.jsonl"
    assert fill(file, 3, order) == 3
    assert len({entry["fingerprint"] for entry in entries(file.read_bytes())}) == 3
    monkeypatch.setattr("kit.practice.core.TRIES", 50)
    with pytest.raises(Fault, match=r"no further problem .*level 1.*; .*bank.jsonl has 3 lines") as refused:
        fill(file, 5, order)
    assert refused.value.code == CONTENT
    assert len(entries(file.read_bytes())) == 3


def test_a_problem_that_the_second_engine_doubts_is_left_out_and_told(tmp_path, monkeypatch, whole):
    doubted = entries(whole)[2]["fingerprint"]
    monkeypatch.setattr("kit.practice.proof.faults", lambda problem: ["no"] * (problem.fingerprint == doubted))
    told = []
    file = tmp_path / "bank.jsonl"
    assert bank.fill(file, ORDER, 4, here, quiet, told.append) == 4
    found = entries(file.read_bytes())
    assert doubted not in {entry["fingerprint"] for entry in found}
    assert found[2]["bank"]["candidate"] == 2
    assert len(told) == 1 and doubted in told[0]


def test_engines_that_disagree_about_everything_are_told_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("kit.practice.proof.faults", lambda problem: ["no"])
    with pytest.raises(Fault, match=r"the two engines disagree about rowoverflow kind a.*has 0 lines") as refused:
        bank.fill(tmp_path / "bank.jsonl", ORDER, 4, here, quiet, lambda defect: None)
    assert refused.value.code == BUG


@given(st.lists(st.integers(1, 2**64 - 1), max_size=3000))
def test_the_table_of_marks_is_a_set(marks):
    seen, known = bank.Seen(), set()
    for mark in [*marks, *marks[:5]]:
        assert (mark in seen) == (mark in known)
        assert seen.add(mark) == (mark not in known)
        known.add(mark)
    assert seen.count == len(known)


def test_a_mark_costs_at_most_32_bytes_however_many_there_are():
    seen = bank.Seen()
    for number in range(1, 20_000):
        seen.add(number * 0x9E3779B97F4A7C15 % 2**64)
    assert len(seen.table) * seen.table.itemsize <= 32 * seen.count


# What is refused at once


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"game": "chess"}, "no practice for chess"),
        ({"letter": "z"}, "no practice of kind z. There is: a"),
        ({"level": 6}, "no level 6. There is: 1"),
        ({"level": 7}, "no level 7"),
        ({"seed": -1}, "seed -1 is out of range. Choose 0"),
        ({"count": 0}, "count 0 is no bank. Choose 1"),
        ({"count": -3}, "count -3"),
        ({"count": 10**9}, r"about 70,000 different problems of kind a, level 1; this takes 200,000,000"),
    ],
)
def test_an_impossible_bank_is_answered_at_once(tmp_path, monkeypatch, how, what):
    known = {**kinds("rowoverflow"), "a": replace(kinds("rowoverflow")["a"], available={1: 70_000})}
    real = practice.kinds
    monkeypatch.setattr(practice, "kinds", lambda game: known if game == "rowoverflow" else real(game))
    count = how.pop("count", 1)
    with pytest.raises(Fault, match=what) as refused:
        fill(tmp_path / "bank.jsonl", count, bank.order(**{"game": "rowoverflow", "letter": "a"} | how))
    assert refused.value.code == USAGE and refused.value.cure
    assert not (tmp_path / "bank.jsonl").exists()


@pytest.mark.parametrize("text", [b"hello", b"hello\n", b"{}\n", b'{"question": ', b"\x00" * 9, b"\n"])
def test_a_file_that_is_no_bank_is_left_as_it_is(tmp_path, text):
    file = tmp_path / "diary.txt"
    file.write_bytes(text)
    with pytest.raises(Fault) as refused:
        fill(file)
    assert (refused.value.path, refused.value.line) == (file, 1) and refused.value.cure
    assert file.read_bytes() == text


@pytest.mark.parametrize("other", [{"seed": 2}, {"level": 1}, {"version": 2}, {"kind": "b"}])
def test_another_bank_is_not_gone_on_with(path, whole, other, monkeypatch):
    monkeypatch.setattr(bank, "check", lambda *_: None)
    with pytest.raises(Fault, match="this line is of rowoverflow a, level 0, seed 1, generator 1, and you ask for"):
        fill(path, order=replace(ORDER, **other))
    assert path.read_bytes() == whole


def test_places_where_no_file_can_be(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place, code in ((tmp_path / "pipe", USAGE), (tmp_path, USAGE), (tmp_path / "no" / "x", USAGE)):
        with pytest.raises(Fault) as refused:
            fill(place)
        assert refused.value.code == code


def test_standard_output_is_no_place_for_a_bank(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Fault, match="- is no place for it") as refused:
        fill(Path("-"))
    assert refused.value.code == USAGE and not list(tmp_path.iterdir())


def test_one_writer_a_bank(path):
    with open(path, "rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(Fault, match="another kit writes it") as refused:
            fill(path)
    assert refused.value.code == SURROUNDINGS


# What a kill leaves


@pytest.mark.parametrize("lost", [1, 2, 100, 1600, 5000])
def test_a_torn_line_is_cut_off_and_made_again(path, whole, lost):
    path.write_bytes(whole[:-lost])
    assert fill(path) == COUNT
    assert path.read_bytes() == whole


def test_a_torn_first_line_too(path, whole):
    path.write_bytes(whole[:50])
    assert fill(path, 2) == 2
    assert whole.startswith(path.read_bytes())


def test_a_line_that_is_missing_is_told(path, whole):
    lines = whole.splitlines(True)
    path.write_bytes(b"".join(lines[:3] + lines[4:]))
    with pytest.raises(Fault, match="missing, doubled or has moved") as refused:
        fill(path)
    assert refused.value.line == 4


def kit(*words):
    return [sys.executable, "-m", "kit", "bank", *map(str, words)]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_a_bank_that_is_stopped_goes_on_with_nothing_lost_or_doubled(tmp_path, whole, number, code):
    file = tmp_path / "bank.jsonl"
    command = kit("rowoverflow", "a", "--count", 100_000, "--out", file, "--workers", 1)
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as started:
        try:
            while not file.exists() or file.stat().st_size < 4000:
                assert started.poll() is None
                time.sleep(0.05)
            started.send_signal(number)
            _, said = started.communicate(timeout=60)
        finally:
            started.kill()
    assert started.returncode == code
    if number == signal.SIGINT:
        assert "the same command goes on" in said and "interrupted" in said and "Traceback" not in said
    there = file.read_bytes().count(b"\n")
    assert fill(file, there + 3) == there + 3
    made = file.read_bytes()
    assert made.startswith(whole) or whole.startswith(made)


def test_a_worker_that_is_killed_is_told_and_the_rest_is_there(tmp_path, whole):
    file = tmp_path / "bank.jsonl"
    killed = []

    def shoot(done, total):
        if done > 5 and not killed:
            killed.append(done)
            for process in opened[0].executor._processes.values():
                process.kill()

    opened = []

    @contextmanager
    def watched():
        with pool.opened(1) as workers:
            opened.append(workers)
            yield workers

    with pytest.raises(Fault, match=r"a worker was ended.*the same command") as refused:
        fill(file, 5000, workers=watched, progress=shoot)
    assert refused.value.code == SURROUNDINGS
    there = file.read_bytes().count(b"\n")
    assert there > 5
    assert fill(file, there + 1) == there + 1
    assert file.read_bytes().startswith(whole[: len(file.read_bytes())])


def test_workers_of_another_version_are_refused(monkeypatch):
    with pytest.raises(Fault, match="Bring both to one version"):
        bank.work(bank.Task(ORDER, 0, 1, "0.0.0"))


# What is proven


def damaged(whole, change, number=3):
    """The bank with one entry changed."""
    lines = whole.splitlines(True)
    entry = json.loads(lines[number - 1])
    change(entry)
    lines[number - 1] = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return b"".join(lines)


def _set(*path_and_value):
    *path, last, value = path_and_value

    def change(entry):
        for name in path:
            entry = entry[name]
        entry[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (_set("answers", []), "answers is not what the generator makes here"),
        (_set("answers", 0, "row", 9), "answers is not what"),
        (_set("features", "lower", 33), "features is not"),
        (_set("question", "position", "card", 99), "question is not"),
        (_set("argument", "options", 0, "reason", "rule", "RO-1"), "argument is not"),
        (_set("origin", {}), "origin is not"),
        (_set("fingerprint", "x"), "fingerprint is not"),
        (_set("bank", "candidate", 2), "\\b(is|are) not what the generator makes here"),
        (_set("bank", "candidate", 0), "no such place"),
        (_set("bank", "candidate", 10**18), "no such place"),
        (_set("bank", "seed", 2), "this line is of .*seed 2.*the first of"),
        (_set("bank", "version", 9), "this was made by generator 9, this kit has 1"),
        (_set("bank", "level", 9), "no level 9"),
        (_set("question", "game", "chess"), "no practice for chess"),
        (_set("question", "kind", "z"), "no practice of kind z"),
        (_set("question", "number", 4), "problem 4 comes after problem 2"),
        (_set("question", "number", True), "question.number is no whole number"),
        (_set("question", "number", 1.5), "question.number is no whole number"),
        (_set("question", None), "question is no object"),
        (_set("question", "position", []), "question.position is no object"),
        (_set("argument", {"options": []}), "argument is not"),
        (_set("argument", 7), "argument has none of the forms"),
        (_set("readings", "RO-R1"), "readings is no list"),
        (_set("extra", 1), "the line has 'extra', which nothing reads"),
        (lambda entry: entry.pop("answers"), "the line has no answers"),
    ],
)
def test_every_damage_to_a_line_is_told_with_its_number(path, whole, change, what):
    path.write_bytes(damaged(whole, change))
    with pytest.raises(Faults) as refused:
        verify(path)
    assert (refused.value.faults[0].path, refused.value.faults[0].line) == (path, 3)
    assert re.search(what, str(refused.value)), str(refused.value)
    assert refused.value.code == CONTENT


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"\x1f\x8b\x08\x00\xff\xfe", "not UTF-8"),
        (b"{", "not JSON"),
        (b"[]", "the line is no object"),
        (b"null", "the line is no object"),
        (b'{"bank": NaN}', "NaN is not a number"),
        (b'{"a": 1, "a": 2}', "a key stands twice"),
        (b"[" * 100_000, "nested 100000 deep"),
        (b"9" * 5000, "too long"),
        (b'"' + b"x" * (4 << 20) + b'"', "longer than 4 MiB"),
        (b'"\\ud800"', "the line is no object"),
    ],
)
def test_hostile_lines_are_refused_by_number(path, whole, line, what):
    lines = whole.splitlines(True)
    path.write_bytes(b"".join([*lines[:2], line, b"\n", *lines[2:]]))
    with pytest.raises(Faults) as refused:
        verify(path)
    assert refused.value.faults[0].line == 3
    assert what in str(refused.value)
    with pytest.raises(Fault, match="Choose another file") as refused:
        fill(path)
    assert refused.value.line == 3


def test_lines_that_are_lost_doubled_or_torn_are_told(path, whole):
    lines = whole.splitlines(True)
    for spoiled, number, what in (
        (lines[:2] + lines[3:], 3, "problem 4 comes after problem 2"),
        (lines[:3] + lines[2:], 4, "the problem has been there before"),
        ([lines[1], lines[0], *lines[2:]], 1, "problem 2 comes after problem 0"),
        ([whole[:-1]], COUNT, "the line has no end"),
    ):
        path.write_bytes(b"".join(spoiled))
        with pytest.raises(Faults) as refused:
            verify(path)
        assert any(fault.line == number and what in fault.what for fault in refused.value.faults), what


def test_what_is_no_bank_at_all(tmp_path):
    (tmp_path / "empty").write_bytes(b"\n\n")
    for name, what in (("empty", "no problem in it"), ("none", "no file"), (".", "not a file")):
        with pytest.raises(Fault, match=what):
            verify(tmp_path / name)


def test_a_bank_of_an_older_generator_is_solved_again_but_not_made_again(path, whole, monkeypatch):
    newer = replace(kinds("rowoverflow")["a"], version=2, changes={1: "first", 2: "other levels"})
    monkeypatch.setattr(bank, "kind", lambda *_: newer)
    assert verify(path) == (COUNT, False)
    path.write_bytes(damaged(whole, _set("answers", 0, "row", 9)))
    with pytest.raises(Faults, match="is no right answer"):
        verify(path)


def test_a_bank_that_is_all_wrong_is_not_told_line_by_line_for_ever(path):
    path.write_bytes(b"{}\n" * 5000)
    with pytest.raises(Faults, match="there are more faults") as refused:
        verify(path)
    assert len(refused.value.faults) == bank.TOLD + 1


# The schema


def test_the_published_schema_is_the_one_that_is_checked(golden):
    golden(SCHEMA, json.dumps(form.schema(), indent=1).encode() + b"\n")


def _paths(value, path=()):
    yield path
    if isinstance(value, dict | list):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(inner, (*path, name))


@pytest.mark.parametrize(("game", "letter"), [(game, letter) for game in codes.GAMES for letter in kinds(game)])
def test_another_reader_of_the_schema_agrees_about_lines_good_and_bad(game, letter):
    """`jsonschema` reads the published file; ours reads the data classes. Here and there a line is spoiled."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    other = jsonschema.Draft202012Validator(schema)
    level = min(kinds(game)[letter].themes)
    line = next(bank.at(bank.order(game, letter, level=level), 0, None)).line
    entry = json.loads(line)
    assert other.is_valid(entry) and form.faults(entry) == []
    paths = list(_paths(entry))[1:]
    refused = 0
    for path in paths[:: max(1, len(paths) // 7)]:
        for value in (None, 7, [], {"x": 1}):
            spoiled = copy.deepcopy(entry)
            _set(*path, value)(spoiled)
            assert other.is_valid(spoiled) == (not form.faults(spoiled)), (path, value)
            refused += not other.is_valid(spoiled)
    assert refused
