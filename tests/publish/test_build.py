"""`kit build`: what changed is made again and nothing else; same input, same bytes; a fault changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polib
import pytest

from tests.publish.conftest import ROOT, kit

FEW = ("rowoverflow", "--lang", "sv", "--paper", "a4", "--only", "cards,summary,score")


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which those few files stand."""
    folder = tmp_path_factory.mktemp("few")
    for name in ("content", "templates"):
        shutil.copytree(ROOT / name, folder / name)
    done = kit("build", *FEW, "--jobs", "1", cwd=folder, env={"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def built(few: Path, tmp_path: Path) -> Path:
    """A copy of that project, to spoil."""
    return shutil.copytree(few, tmp_path / "built")


def bytes_of(out: Path) -> dict[str, bytes]:
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in sorted(out.rglob("*.*")) if p.name[0] != "."}


def test_the_same_input_gives_the_same_bytes(few: Path, tmp_path: Path) -> None:
    """Whatever the process, hash seed, locale, time zone, clock, folder and number of jobs."""
    other = tmp_path / "å another folder"
    for name in ("content", "templates"):
        shutil.copytree(ROOT / name, other / name)
    env = {"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONUTF8": "0", "HOME": "/nowhere"}
    done = kit("build", *FEW, "--jobs", "2", cwd=other, env=env)
    assert done.returncode == 0, done.stderr
    one, two = bytes_of(few / "output"), bytes_of(other / "output")
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []


def test_one_changed_sentence_makes_only_what_holds_it(project: Path) -> None:
    order = ("rowoverflow", "--lang", "sv", "--paper", "a4", "--only", "booklet,cards,summary,score")
    first = kit("build", *order, cwd=project)
    assert first.returncode == 0, first.stderr
    before = bytes_of(project / "output")
    po = project / "content/locale/sv/LC_MESSAGES/rowoverflow.po"
    (entry,) = (entry for entry in polib.pofile(po) if entry.msgid.startswith("Choose one card from your hand"))
    text = po.read_text("utf-8")
    assert text.count(entry.msgstr) == 1
    po.write_text(text.replace(entry.msgstr, f"{entry.msgstr} Ta god tid på dig."), "utf-8")
    again = kit("build", *order, cwd=project)
    assert again.returncode == 0, again.stderr
    after = bytes_of(project / "output")
    changed = {name for name in after if after[name] != before[name]}
    # the imposed copy's first side holds the cover and the back cover: its thumbnail stands
    assert {name for name in changed if name.endswith((".pdf", ".html"))} == {
        "sv/a4/rowoverflow/booklet.pdf",
        "sv/a4/rowoverflow/booklet.html",
        "sv/a4/rowoverflow/booklet-imposed.pdf",
    }
    assert "[1/1]" in again.stderr


def test_a_file_that_was_spoiled_or_lost_is_made_again(built: Path) -> None:
    out = built / "output/sv/a4/rowoverflow"
    good = (out / "score.pdf").read_bytes()
    (out / "score.pdf").write_bytes(good[:-9])
    (out / "cards-poker.pdf").unlink()
    again = kit("build", *FEW, cwd=built)
    assert again.returncode == 0, again.stderr
    assert (out / "score.pdf").read_bytes() == good
    assert (out / "cards-poker.pdf").exists()
    assert "[2/2]" in again.stderr


@pytest.mark.parametrize(
    "options", [("--card", "mini"), ("--card", "poker63"), ("--backs", "fold"), ("--backs", "none")]
)
def test_the_other_cards(project: Path, options: tuple[str, ...]) -> None:
    done = kit("build", "rowoverflow", "--only", "cards,mat", *options, cwd=project)
    assert done.returncode == 0, done.stderr
    files = json.loads((project / "output/manifest.json").read_text("utf-8"))["files"]
    cards = [entry for entry in files.values() if entry["kind"] in ("cards", "cards_fold")]
    per_side = {("--card", "mini"): 18, ("--backs", "fold"): 4}.get(options[:2], 9)
    sides = 2 if options[0] == "--card" else 1
    assert {entry["pages"] for entry in cards} == {-(-24 // per_side) * sides}


def test_single_cards_are_printed_again(project: Path) -> None:
    done = kit(
        "build", "rowoverflow", "--only", "cards", "--single", "7,15", "--lang", "en", "--paper", "a4", cwd=project
    )
    assert done.returncode == 0, done.stderr
    pdf = project / "output/en/a4/rowoverflow/cards-poker-single.pdf"
    text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout.split()
    assert {"7", "15"} <= set(text) and not {"8", "16"} & set(text)


def started(project: Path, *order: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "kit", "build", *order],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_a_stopped_build_leaves_the_old_files(built: Path, stop: signal.Signals, code: int) -> None:
    before = bytes_of(built / "output")
    css = built / "templates/base.css"
    css.write_text(css.read_text("utf-8").replace("9.5pt/1.42", "9.4pt/1.42"), "utf-8")
    build = started(built, *FEW)
    wait_for(lambda: list((built / "output").glob(".kit-staging-*/*")))
    build.send_signal(stop)
    said = build.communicate(timeout=120)[1]
    assert build.returncode == code
    assert "Traceback" not in said
    assert bytes_of(built / "output") == before
    again = kit("build", *FEW, cwd=built)
    assert again.returncode == 0, again.stderr
    assert not list((built / "output").glob(".kit-staging-*"))
    assert bytes_of(built / "output") != before


def test_two_builds_in_one_folder_wait_for_each_other(project: Path) -> None:
    first, second = started(project, *FEW), started(project, *FEW)
    assert {first.wait(300), second.wait(300)} == {0}
    first.communicate()
    second.communicate()
    assert kit("build", *FEW, cwd=project).stdout.startswith("Nothing to do")


def test_a_build_that_waits_too_long_names_the_other(project: Path) -> None:
    build = started(project, *FEW)
    wait_for(lambda: (project / "output/.kit-lock").exists() and (project / "output/.kit-lock").read_text())
    late = kit("build", *FEW, "--wait", "0", cwd=project)
    assert late.returncode == 3
    assert str(build.pid) in late.stderr
    build.communicate(timeout=300)
