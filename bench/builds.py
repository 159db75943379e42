"""What building costs beside the work that cannot be avoided, as ratios taken in one run.

    python -m bench.builds [LANGUAGE [PAPER]]

- `kit --help` and a build with nothing to do, against a start of the bare interpreter;
- a build of everything, against laying out the same pages bare, in one process and unproved;
- a build after one sentence has changed, against laying out what that sentence is on.

What counts is how long a person waits: wall time, the pairs taken in turn, the quickest of each. The output goes to a
folder that is thrown away.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from kit.publish import build as builder
from kit.publish.sheet import Draft, Folders, Order

ROOT = Path(__file__).resolve().parent.parent
STARTS = 7
SENTENCE = "fewest penalty points has won"  # of content/rowoverflow/rules.md


class Ratio(NamedTuple):
    """How many times as long as the unavoidable something takes."""

    name: str
    against: str
    times: float


def seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def quickest(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The quickest of so many rounds of each, taken in turn."""
    return [min(column) for column in zip(*([seconds(work) for work in works] for _ in range(rounds)), strict=True)]


def python(folder: Path, *words: str) -> Callable[[], object]:
    """A call of the interpreter in a folder; ends with what it says when it fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run() -> None:
        ran = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
        if ran.returncode:
            raise SystemExit(f"{' '.join(words)}: {ran.stderr[-2000:]}")

    return run


def workshop() -> Path:
    """A folder with the content and templates of this one, so that a sentence can be changed."""
    folder = Path(tempfile.mkdtemp(prefix="kit-bench-"))
    for name in ("content", "templates"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "kit.toml", folder)
    return folder


def drafts(folder: Path, order: Order) -> list[Draft]:
    return builder.plan(Folders(folder, folder / "content", folder / "templates", folder / "output"), order)


def bare(renders: Iterable[Draft]) -> Callable[[], object]:
    """Laying out, one after the other, in this process, which has everything imported."""
    return lambda: [draft.render() for draft in renders]


def change_a_sentence(folder: Path) -> None:
    rules = folder / "content" / "rowoverflow" / "rules.md"
    text = rules.read_text("utf-8")
    assert SENTENCE in text, "choose another sentence of rules.md"
    rules.write_text(text.replace(SENTENCE, SENTENCE.replace("has won", "wins")), "utf-8")


def measured(order: Order) -> Iterator[Ratio]:
    """In an order in which every build leaves the folder as the next one needs it."""
    from kit.paper import flow

    folder = workshop()
    chosen = [f"--lang={lang}" for lang in order.langs] + [f"--paper={paper}" for paper in order.papers]
    try:
        build = python(folder, "-m", "kit", "build", *chosen)
        before = drafts(folder, order)
        flow.warm()
        yield Ratio(f"a build of {len(before)} drafts", "laying them out bare", seconds(build) / seconds(bare(before)))
        start, help_, idle = quickest([python(folder, "-c", ""), python(folder, "-m", "kit", "--help"), build], STARTS)
        yield Ratio("`kit --help`", "a start of Python", help_ / start)
        yield Ratio("a build with nothing to do", "a start of Python", idle / start)
        english = replace(order, langs=("en",))  # the others are stale until they are translated again
        build = python(folder, "-m", "kit", "build", "--lang=en", *chosen[len(order.langs) :])
        build()
        old = {draft.key for draft in drafts(folder, english)}
        change_a_sentence(folder)
        due = [draft for draft in drafts(folder, english) if draft.key not in old]
        times = seconds(build) / seconds(bare(due))
        yield Ratio(f"a build after one sentence changed ({len(due)} drafts due)", "laying those out bare", times)
    finally:
        shutil.rmtree(folder)


def main(langs: Sequence[str] = (), papers: Sequence[str] = ()) -> None:
    print("| | against | times as long |\n|---|---|---:|")
    for row in measured(Order(langs=tuple(langs), papers=tuple(papers))):
        print(f"| {row.name} | {row.against} | {row.times:.2f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:2], sys.argv[2:3])
