"""`kit practice`, `kit sheet`, `kit key`: what was ordered, apart from its key, and the same again from its code."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pdfplumber
import pytest

from kit import practice
from kit.faults import USAGE, Fault
from kit.paper import sizes
from kit.practice import codes
from kit.practice.core import COURSE, EVERY, Key
from kit.publish import build as builder
from kit.publish import kinds, orders
from kit.publish.sheet import Folders, Order, Series
from tests.publish.conftest import ROOT, kit

CONTENT = ROOT / "content"
WISH = orders.Wish("rowoverflow", ("a",), count=2)


def folders(out: Path) -> Folders:
    return Folders(ROOT, CONTENT, ROOT / "templates", out)


def ordered(out: Path, wish: orders.Wish, lang: str = "en", audience: str = "", paper: str = "a4") -> builder.Outcome:
    order = orders.order(orders.series(CONTENT, wish), (lang,), (paper,), audience)
    return builder.build(folders(out), order, jobs=1)


def files(out: Path) -> dict[str, bytes]:
    """What can be read below the folder."""
    found = {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    return {path: data for path, data in found.items() if not path.startswith(".")}


def texts(path: Path) -> list[str]:
    with pdfplumber.open(path) as pdf:
        return [page.extract_text() for page in pdf.pages]


@pytest.fixture(scope="module")
def class_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three different sheets of two problems each, with their key."""
    out = tmp_path_factory.mktemp("class")
    ordered(out, replace(WISH, students=3))
    return out


CODES = [codes.encode(practice.order("rowoverflow", "a", count=2, sheet=number)) for number in (1, 2, 3)]
SET = f"rowoverflow/practice-{CODES[0]}-3-sheets"


def test_a_class_gets_one_file_to_print_each_sheet_on_a_new_page_and_one_key(class_set: Path) -> None:
    pdfs = [path for path in files(class_set) if path.endswith(".pdf")]
    assert pdfs == [f"en/a4/host/{SET}-key.pdf", f"en/a4/{SET}.pdf"]
    pages = texts(class_set / f"en/a4/{SET}.pdf")
    assert len(pages) == 3
    for number, (page, code) in enumerate(zip(pages, CODES, strict=True), 1):
        assert f"{code} · Sheet {number} · Page 1 of 1" in page
    keys = texts(class_set / f"en/a4/host/{SET}-key.pdf")
    assert len(keys) == 3
    for page, code in zip(keys, CODES, strict=True):
        assert f"Answers to the sheet {code}" in page and "HOST KEY" in page


def test_the_players_page_of_an_order_leads_to_no_key(class_set: Path) -> None:
    players, host = ((class_set / name).read_text("utf-8") for name in ("index.html", "host.html"))
    assert f"{SET}.pdf" in players and "host" not in players and "-key" not in players
    assert f"{SET}-key.pdf" in host
    entries = json.loads((class_set / "manifest.json").read_text("utf-8"))["files"]
    assert all(entry["audience"] == ("host" if "host" in path else "players") for path, entry in entries.items())


def test_a_code_brings_the_same_sheet_and_key_again_byte_for_byte(tmp_path: Path, class_set: Path) -> None:
    one, again = tmp_path / "one", tmp_path / "again"
    ordered(one, WISH, "sv")
    for audience in ("players", "host"):
        builder.build(
            folders(again), orders.order(orders.again([CODES[0].lower()]), ("sv",), ("a4",), audience), jobs=1
        )
    first, second = files(one), files(again)
    assert first.keys() == second.keys()
    assert all(first[path] == second[path] for path in first if path != "manifest.json")
    assert f"sv/a4/rowoverflow/practice-{CODES[0]}.pdf" in first
    third = orders.order(orders.again([CODES[2]]), ("en",), ("a4",), "players")
    builder.build(folders(again), third, jobs=1)
    (alone,) = texts(again / f"en/a4/rowoverflow/practice-{CODES[2]}.pdf")
    assert alone == texts(class_set / f"en/a4/{SET}.pdf")[2]


def test_the_command_tells_files_and_codes_and_has_nothing_to_do_the_second_time(class_set: Path) -> None:
    words = ("practice", "rowoverflow", "--kind", "a", "--count", 2, "--students", 3, "--lang", "en", "--paper", "a4")
    done = kit(*words, "--out", class_set)
    assert done.returncode == 0, done.stderr
    told = [f"{class_set}/en/a4/{SET}.pdf (up to date)", f"{class_set}/en/a4/host/{SET}-key.pdf (up to date)"]
    assert done.stdout.splitlines() == [*told, *CODES]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["sheet", "05G0-3G43-RJ0K"], "is mistyped"),
        (["sheet", "05G0-3G43-RJ"], "12 symbols, this has 10"),
        (["key", codes.encode(replace(practice.order("rowoverflow", "a"), version=3))], "generator 3, this kit has 1"),
        (["key"], "Missing argument"),
        (["practice", "rowoverflo"], "Did you mean rowoverflow?"),
        (["practice", "rowoverflow", "--count", "0"], "--count 0 is none at all. Choose 1 or more"),
        (["practice", "rowoverflow", "--students", "-1"], "--students -1 is none"),
        (["practice", "rowoverflow", "--level", "0"], "--level 0 is none at all"),
        (["practice", "rowoverflow", "--kind", "Z"], "no practice of kind z"),
        (["bank", "rowoverflow", "a", "--count", "3", "--out", "x.jsonl", "--level", "0"], "--level 0 is none at all"),
        (
            ["bank", "rowoverflow", "A", "--count", "3", "--out", "nodir/x"],
            "nodir/x: error: it cannot be written: no such file",
        ),
        (["practice", "rowoverflow", "--lang", "xx"], "unknown language 'xx'"),
        (["practice", "rowoverflow", "--paper", "a3"], "unknown paper 'a3'"),
        (["bank", "rowoverflow", "a", "--count", "0", "--out", "x"], "count 0 is no bank"),
        (["bank", "rowoverflow", "a", "--count", "5", "--out", ""], "--out names no file"),
        (["bank", "verify", "nowhere.jsonl"], "there is no file"),
        (["bank", "rowoverflow"], "Missing argument"),
    ],
)
def test_what_cannot_be_is_answered_in_a_line(tmp_path: Path, words: list[str], what: str) -> None:
    out = () if words[0] == "bank" else ("--out", tmp_path / "out")
    done = kit(*words, *out)
    assert done.returncode == USAGE
    assert what in done.stderr and done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"kinds": ("z",)}, "no practice of kind z. There is: a"),
        ({"level": 6}, "no level 6. There is: 1"),
        ({"level": -1}, "no level -1"),
        ({"level": 7}, "no level 7"),
        ({"count": 257}, "count 257 is out of range. Choose 1 to 256"),
        ({"count": 0, "pages": 33}, "33 pages of kind a are out of range. Choose 1 to 32: a page takes 8 of them"),
        ({"count": 0, "pages": -1}, "-1 pages of kind a are out of range"),
        ({"seed": -1}, "seed -1 is out of range"),
        ({"students": 129}, "129 sheets, and one seed has codes for 128. Ask for at most 128 students"),
        ({"students": 10**9}, "1,000,000,000 sheets.*at most 128"),
        ({"students": 40, "course": True}, "200 sheets.*at most 25 students"),
        ({"students": 100}, "about 150 different problems of kind a, level 1; this takes 200"),
        ({"mixed": True}, "--mixed takes every kind"),
        ({"course": True, "level": 2}, "--course takes every level"),
        ({"pages": 1}, "how many problems or how many pages"),
        ({"pages": 1, "count": 0, "mixed": True, "kinds": ()}, "Of a mixed sheet say --count"),
    ],
)
def test_an_impossible_order_is_answered_at_once_with_what_is_possible(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], what: str
) -> None:
    known = practice.kinds("rowoverflow")
    few = {**known, "a": replace(known["a"], available={1: 150})}
    monkeypatch.setattr(practice, "kinds", lambda game: few)
    monkeypatch.setattr(practice, "candidates", lambda *_: pytest.fail("a problem was looked for"))
    wish = replace(WISH, **{"level": 1 if "course" not in change and "students" in change else 0} | change)
    with pytest.raises(Fault) as refused:
        orders.series(CONTENT, wish)
    assert re.search(what, str(refused.value)), str(refused.value)
    assert refused.value.code == USAGE and refused.value.cure


def test_pages_are_filled(tmp_path: Path) -> None:
    (series,) = orders.series(CONTENT, replace(WISH, count=0, pages=2))
    assert series.order.count == 16


def test_without_a_kind_there_is_a_file_for_each() -> None:
    found = orders.series(CONTENT, orders.Wish("rowoverflow"))
    assert [series.order.kind for series in found] == list(practice.kinds("rowoverflow"))


def test_a_course_rises_a_sheet_a_level_and_repeats_nothing() -> None:
    (series,) = orders.series(CONTENT, replace(WISH, course=True, students=2))
    assert (series.order.level, series.count) == (COURSE, 10)
    sheets = list(practice.sheets(series.order))
    assert [{problem.question.level for problem in sheet} for sheet in sheets] == [{1}, {2}, {3}, {4}, {5}] * 2
    assert len({problem.fingerprint for sheet in sheets for problem in sheet}) == 20
    fourth = replace(series.order, sheet=4)
    assert practice.make(codes.decode(codes.encode(fourth))) == sheets[3]


def test_a_mixed_sheet_takes_the_kinds_in_turn_and_has_a_code(tmp_path: Path) -> None:
    (series,) = orders.series(CONTENT, orders.Wish("rowoverflow", mixed=True, count=6))
    assert series.order.kind == EVERY
    code = codes.encode(series.order)
    assert codes.decode(code) == series.order
    problems = practice.make(series.order)
    assert [problem.question.kind for problem in problems] == ["a", "a", "b", "b", "c", "d"]
    assert [problem.question.number for problem in problems] == [1, 2, 3, 4, 5, 6]


def test_a_mixed_code_of_an_older_kit_tells_what_has_changed_since(monkeypatch: pytest.MonkeyPatch) -> None:
    (series,) = orders.series(CONTENT, orders.Wish("rowoverflow", mixed=True))
    known = practice.kinds("rowoverflow")
    newer = {**known, "b": replace(known["b"], version=2, changes={1: "first", 2: "longer reveals"})}
    monkeypatch.setattr(practice, "kinds", lambda game: newer)
    with pytest.raises(Fault, match="since then some of this: b: longer reveals"):
        orders.again([codes.encode(series.order)])


# No part of the key reaches a player


def swapped(series: Series) -> list[tuple[practice.Sheet, Key]]:
    """The sheets as they are, each with a key that says other things."""
    others = {kind: practice.make(practice.order("rowoverflow", kind, seed=99, count=8)) for kind in "ab"}
    found = REAL(series)
    return [
        (sheet, Key(key.code, tuple(
            replace(others[problem.question.kind][n % 8], question=problem.question)
            for n, problem in enumerate(key.problems)
        )))
        for sheet, key in found
    ]  # fmt: skip


REAL = kinds.made


def _players(found: dict[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in found.items() if "host" not in path and path != "manifest.json"}


def test_other_answers_change_no_byte_that_players_get(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PDF (its text, its data, its name), preview, thumbnail and index; and the host's key does change."""
    wishes = (WISH, replace(WISH, kinds=("b",), students=2))
    order = orders.order(tuple(series for wish in wishes for series in orders.series(CONTENT, wish)), ("en",), ("a4",))
    for name, made in (("one", REAL), ("two", swapped)):
        monkeypatch.setattr(kinds, "made", made)
        builder.build(folders(tmp_path / name), order, jobs=1)
    one, two = files(tmp_path / "one"), files(tmp_path / "two")
    assert one.keys() == two.keys()
    assert len(_players(one)) >= 5
    assert _players(one) == _players(two)
    keys = [path for path in one if path.endswith("-key.pdf")]
    assert len(keys) == 2
    assert all(one[path] != two[path] for path in keys)


def test_other_answers_change_nothing_in_the_zip_for_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "KINDS", {"practice": kinds.practice})
    monkeypatch.setattr("kit.publish.tables.rowoverflow.PRINTED", ("a",))
    order = Order(games=("rowoverflow",), langs=("en",), papers=("a4",), bundle=True)
    for name, made in (("one", REAL), ("two", swapped)):
        monkeypatch.setattr(kinds, "made", made)
        builder.build(folders(tmp_path / name), order, jobs=1)
    one, two = files(tmp_path / "one"), files(tmp_path / "two")
    assert any(path.endswith(".zip") for path in _players(one))
    assert _players(one) == _players(two)
    zips = [path for path in one if path.endswith("-host.zip")]
    assert zips and all(one[path] != two[path] for path in zips)


@pytest.mark.parametrize("paper", sizes.PAPERS)
def test_the_foot_is_as_wide_as_the_page(tmp_path: Path, paper: str) -> None:
    ordered(tmp_path, WISH, paper=paper, audience="players")
    (made,) = (tmp_path / f"en/{paper}").rglob("*.pdf")
    with pdfplumber.open(made) as pdf:
        page = pdf.pages[0]
        last = max(word["x1"] for word in page.extract_words() if word["top"] > page.height - 85)
    assert last * 25.4 / 72 == pytest.approx(sizes.PAPERS[paper].width - 12, abs=0.3)  # 12: the margin of sheet.css
