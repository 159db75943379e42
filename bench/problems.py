"""What problems cost: each kind a second and core, a bank of them, and two processes against one.

    python -m bench.problems [GAME …]          kinds, for a few seconds each
    python -m bench.problems bank [COUNT]      the bank of rowoverflow (a)

A problem is *found* by its generator and *proven* by the second engine; a bank does both. Processor time of this
process, so a busy machine changes it less than the clock, which only the last table is taken by.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from kit import practice
from kit.faults import Fault
from kit.practice import bank, codes, pool, proof
from kit.practice.core import Order, Problem, candidates

SECONDS = 5.0  # a kind
COUNT = 100_000  # of the bank
MILLION = 1_000_000
PAIR = 4_000  # problems by which one process is compared with two


class Cost(NamedTuple):
    """Milliseconds a problem, of `problems` that were found and proven."""

    kind: str
    problems: int
    found: float
    proven: float


def places(order: Order) -> Iterator[Problem]:
    """The first candidate of each place of a bank."""
    maker = practice.kind(order.game, order.kind)
    levels = sorted(maker.themes)
    for place in range(MILLION):
        level = levels[place % len(levels)]
        themes = maker.themes[level]
        yield next(candidates(order, maker, place, level, themes[place // len(levels) % len(themes)]))


def cost(game: str, letter: str, seconds: float = SECONDS) -> Cost:
    """Find and prove problems, all levels in turn, for so long."""
    found = proven = 0.0
    made = places(bank.order(game, letter))
    problems = 0
    while found + proven < seconds:
        began = process_time()
        problem = next(made)
        between = process_time()
        assert not proof.faults(problem), problem.fingerprint
        found, proven, problems = found + between - began, proven + process_time() - between, problems + 1
    return Cost(f"{game} {letter}", problems, 1000 * found / problems, 1000 * proven / problems)


def kinds(games: Sequence[str]) -> None:
    print("| kind | measured | found, ms | proven, ms | problems a second and core | of that only found |")
    print("|---|---:|---:|---:|---:|---:|")
    for game in games or codes.GAMES:
        for letter in practice.kinds(game):
            it = cost(game, letter)
            print(
                f"| {it.kind} | {it.problems:,} | {it.found:.2f} | {it.proven:.2f} "
                f"| {1000 / (it.found + it.proven):,.1f} | {1000 / it.found:,.0f} |",
                flush=True,
            )


def filled(path: Path, count: int, workers: int) -> float:
    """Seconds to bring a bank to so many lines."""
    began = perf_counter()
    bank.fill(path, bank.order("rowoverflow", "a"), count, partial(pool.opened, workers), lambda *_: None)
    return perf_counter() - began


def peak() -> float:
    """The most memory that this process, the writer, has held, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def grown(count: int = COUNT) -> None:
    """A bank of rowoverflow (a), all processors; and what a million of them would take."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bank.jsonl")
        took = filled(path, count, 0)
        held, size = peak(), path.stat().st_size
        with open(path, "rb") as file:
            repeats = sum(b'"candidate":1}' not in line[-80:] for line in file)
        began = perf_counter()
        filled(path, count, 0)
        again = perf_counter() - began
        marks = bank.Seen()
        before = peak()
        for number in range(1, MILLION + 1):
            marks.add(number * 0x9E3779B97F4A7C15 % 2**64)
        print(f"{count:,} problems: {took:,.0f} s, {count / took:,.0f} a second on {os.cpu_count()} cores, ")
        print(f"{size / count:,.0f} bytes a line, {repeats} places where the first candidate was a repeat, ")
        print(f"{held:,.0f} MiB held by the writer; taken up again in {again:,.1f} s.")
        print(
            f"A million at this rate: {took * MILLION / count / 3600:.1f} h, {size * MILLION / count / 2**30:.1f} GiB, "
        )
        print(f"{held + max(0.0, peak() - before):,.0f} MiB (a million marks were put into the table).")


def pair(count: int = PAIR) -> None:
    """One process and two, in turn, the quicker of two rounds each."""
    with tempfile.TemporaryDirectory() as folder:
        times: dict[int, list[float]] = {1: [], 2: []}
        for turn in range(2):
            for workers, took in times.items():
                took.append(filled(Path(folder, f"{turn}-{workers}.jsonl"), count, workers))
        one, two = min(times[1]), min(times[2])
        print(f"{count:,} problems by one process {one:.1f} s, by two {two:.1f} s: {one / two:.2f} times as fast.")


def main(words: Sequence[str]) -> None:
    if words[:1] == ["bank"]:
        grown(int(words[1]) if words[1:] else COUNT)
        pair()
    else:
        kinds(words)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Fault as fault:
        raise SystemExit(str(fault)) from None
