"""Banks: any number of problems of a kind as JSON Lines, one problem a line, each with its place in the bank.

A line depends on the bank's order and on the lines before it, and on nothing else: workers find the first candidate of
each place, and one writer, place by place, passes over what has been there. So a bank is the same however many workers
make it, a longer one begins with a shorter one, and one that was stopped goes on from what is in the file.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import stat
from array import array
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import IO, Any, NamedTuple

import kit
from kit.faults import BUG, SURROUNDINGS, USAGE, Fault, Faults
from kit.games import record
from kit.games.core import BadPosition
from kit.practice import check_level, check_version, codes, enough, form, kind, proof
from kit.practice.core import MIXED, TRIES, Kind, Order, Problem, as_object, candidates, renumbered
from kit.practice.pool import AGAIN, Pool

Progress = Callable[[int, int], None]  # lines done, of how many
Workers = Callable[[], AbstractContextManager[Pool]]  # opens them when there is work
SECONDS = 0.5  # that a worker's task should take
MOST = 256  # places of a task
BUNDLE = 64  # lines that are proven in one task
DISPUTED = 10  # problems left out at one place before the engines have to be looked at
TOLD = 100  # faults of a bank before the rest is left untold


def order(game: str, letter: str, *, level: int = MIXED, seed: int = 1) -> Order:
    """A bank of today's generator. Raises Fault for one that cannot be."""
    maker = kind(game, letter)
    check_level(level, {letter: maker})
    seeds = codes.FIELDS["seed"]
    if not seeds.least <= seed <= seeds.greatest:
        raise Fault(f"seed {seed} is out of range", f"Choose {seeds.least} to {seeds.greatest}", code=USAGE)
    return Order(game, letter, level, 0, seed, maker.version)


def check(order: Order, count: int) -> None:
    """Refuse a length that cannot be, at once where it is known how many different problems there are."""
    if count < 1:
        raise Fault(f"count {count} is no bank", "Choose 1 or more", code=USAGE)
    maker = kind(order.game, order.kind)
    levels = _levels(order, maker)
    for at, level in enumerate(levels):
        enough(maker, level, (count - at + len(levels) - 1) // len(levels))


def _levels(order: Order, maker: Kind) -> list[int]:
    return sorted(maker.themes) if order.level == MIXED else [order.level]


# Lines


class Made(NamedTuple):
    """A line, and the mark of its problem's fingerprint."""

    mark: int
    line: bytes


def mark(fingerprint: str) -> int:
    """Eight bytes for a fingerprint, never 0. Of 10⁶ problems two share them once in 40 million banks."""
    return int.from_bytes(hashlib.blake2b(fingerprint.encode("utf-8", "surrogatepass"), digest_size=8).digest()) or 1


def at(order: Order, place: int, report: proof.Report | None) -> Iterator[Made]:
    """The candidates for a place (from 0), best taken in turn: the levels in turn, and of each its themes in turn.

    One about which the second engine finds otherwise is left out and told to `report`; None proves nothing. Raises
    Fault when there is no further one, or DISPUTED of one place are left out.
    """
    maker = kind(order.game, order.kind)
    levels = _levels(order, maker)
    level, themes = levels[place % len(levels)], maker.themes[levels[place % len(levels)]]
    theme = themes[place // len(levels) % len(themes)]
    disputed: list[str] = []
    for number, problem in enumerate(candidates(order, maker, place, level, theme), 1):
        if report is None or proof.is_proven(problem, disputed.append):
            yield Made(mark(problem.fingerprint), written(order, renumbered(problem, place + 1), number))
        elif len(disputed) < DISPUTED:
            report(disputed[-1])
        else:
            raise Fault(f"the two engines disagree about {disputed[-1]}", "Please report it", code=BUG)


def written(order: Order, problem: Problem, candidate: int) -> bytes:
    """A problem as a line of its bank."""
    place = {"level": order.level, "seed": order.seed, "version": order.version, "candidate": candidate}
    entry = {**as_object(problem), "bank": place}
    text = json.dumps(entry, default=as_object, ensure_ascii=False, separators=(",", ":"), check_circular=False)
    return text.encode() + b"\n"


class Task(NamedTuple):
    """What a worker is asked for: the first candidates of so many places. `kit` is the version that asks."""

    order: Order
    first: int
    places: int
    kit: str


class Done(NamedTuple):
    """What it answers, what the two engines disagree about, and the seconds that it took."""

    made: list[Made]
    defects: list[str]
    seconds: float


def work(task: Task) -> Done:
    """Make the first candidate of each place. Raises Fault when one has none, or another kit asks."""
    if task.kit != kit.__version__:
        raise Fault(
            f"a worker has kit {kit.__version__}, and kit {task.kit} asks it",
            "Bring both to one version",
            code=SURROUNDINGS,
        )
    began = monotonic()
    defects: list[str] = []
    made = [next(at(task.order, place, defects.append)) for place in range(task.first, task.first + task.places)]
    return Done(made, defects, monotonic() - began)


class Seen:
    """Which marks have been there: an open table of eight bytes each, at most half full; 16 MiB for 10⁶."""

    def __init__(self) -> None:
        self.table, self.count = array("Q", bytes(8 * 1024)), 0

    def __contains__(self, mark: int) -> bool:
        return self.table[self._place(mark)] == mark

    def _place(self, mark: int) -> int:
        """Where a mark is, or would be put."""
        table, last = self.table, len(self.table) - 1
        place = mark & last
        while table[place] not in (0, mark):
            place = (place + 1) & last
        return place

    def add(self, mark: int) -> bool:
        """Remember a mark; False when it was there."""
        place = self._place(mark)
        if self.table[place]:
            return False
        self.table[place] = mark
        self.count += 1
        if 2 * self.count > len(self.table):
            self._grow()
        return True

    def _grow(self) -> None:
        old, self.count = self.table, 0
        self.table = array("Q", bytes(2 * 8 * len(old)))
        for mark in old:
            if mark:
                self.add(mark)


def lines(order: Order, first: int, end: int, seen: Seen, pool: Pool, report: proof.Report) -> Iterator[bytes]:
    """The lines of the places from `first` up to `end`, in order. Raises Fault where the kind has no more problems."""
    size = 1

    def tasks() -> Iterator[Task]:
        place = first
        while place < end:
            places = min(size, end - place)
            yield Task(order, place, places, kit.__version__)
            place += places

    for task, future in pool.in_order(work, tasks()):
        try:
            made, defects, seconds = future.result()
        except Fault as fault:
            if fault.code == SURROUNDINGS:
                raise
            made, defects, seconds = (
                [],
                [],
                SECONDS,
            )  # one of the places has nothing new: which one, the search below says
        if seconds < SECONDS / 2 and task.places == size:
            size = min(2 * size, MOST)
        elif seconds > 2 * SECONDS and task.places == size:
            size = max(size // 2, 1)
        for defect in defects:
            report(defect)
        for number in range(task.places):
            found = made[number] if made else None
            if found is None or not seen.add(found.mark):
                found = next(other for other in at(order, task.first + number, report) if seen.add(other.mark))
            yield found.line


# Files


def fill(
    path: Path, order: Order, count: int, pool: Workers, progress: Progress, report: proof.Report = proof.refuse
) -> int:
    """Bring a bank's file to `count` lines: how many it has then. Raises Fault; what was written stays.

    A problem about which the two engines disagree is left out and told to `report`, which by default refuses. A line
    that a killed writer has left half is cut off. A file that holds something else is left as it is.
    """
    check(order, count)
    with _held(path) as file:
        seen = Seen()
        there = _taken_up(path, file, order, seen, report, lambda done: progress(done, count))
        if there >= count:
            return there
        flushed = monotonic()
        try:
            with pool() as opened:
                for line in lines(order, there, count, seen, opened, report):
                    file.write(line)
                    there += 1
                    if monotonic() - flushed > 1:
                        file.flush()
                        flushed = monotonic()
                    progress(there, count)
        except Fault as fault:
            fault.what += f"; {path} has {there:,} lines"
            raise
        finally:
            file.flush()
            os.fsync(file.fileno())
        return there


@contextmanager
def _held(path: Path) -> Iterator[IO[bytes]]:
    """The bank's file, new if need be, for us alone. Raises Fault."""
    if str(path) == "-":  # nobody who types it wants a file of that name
        raise Fault("a bank is read again when it is gone on with, so - is no place for it", "Name a file", code=USAGE)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o644)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise Fault("this is not a regular file", "Choose another with --out", path=path, code=USAGE)
        with os.fdopen(handle, "r+b") as file:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file
    except BlockingIOError:
        raise Fault("another kit writes it", "Wait for that to end, or stop it", path=path, code=SURROUNDINGS) from None
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        said = (error.strerror or "no such place").lower()
        raise Fault(
            f"it cannot be written: {said}", "Name a file in a folder that is there", path=path, code=USAGE
        ) from None
    except OSError as error:
        said = (error.strerror or "no room, or no right").lower()
        cure = f"Make room, or choose another file with --out. {AGAIN}"
        raise Fault(f"it cannot be written: {said}", cure, path=path, code=SURROUNDINGS) from None


def _taken_up(
    path: Path, file: IO[bytes], order: Order, seen: Seen, report: proof.Report, progress: Callable[[int], None]
) -> int:
    """Read what a bank's file holds, remember its marks, and leave the file at the end of its last whole line."""
    number = end = 0
    while line := file.readline(record.LINE_LIMIT + 1):
        if not line.endswith(b"\n"):
            due = next(made.line for made in at(order, number, report) if made.mark not in seen)
            if not due.startswith(line):
                raise Fault("this is not the bank's next line", "Choose another file", path=path, line=number + 1)
            break
        number, end = number + 1, end + len(line)
        try:
            placed = read_place(_quickly(line))
        except BadPosition as error:
            raise Fault(f"no line of a bank: {error}", "Choose another file", path=path, line=number) from None
        if placed.order != order:
            what = f"this line is of {_named(placed.order)}, and you ask for {_named(order)}"
            raise Fault(what, "Choose another file with --out", path=path, line=number)
        if placed.number != number or not seen.add(mark(placed.fingerprint)):
            raise Fault("a line is missing, doubled or has moved", "Run kit bank verify on it", path=path, line=number)
        progress(number)
    file.seek(end)
    file.truncate()
    return number


def _quickly(line: bytes) -> Any:
    """The JSON of a line; `verify` reads it with more care. Raises BadPosition."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return record.parse(line)  # says what is wrong


class Place(NamedTuple):
    """What a line says of itself: its bank, its number there (from 1), and which candidate of the place it is."""

    order: Order
    number: int
    candidate: int
    fingerprint: str


def read_place(entry: Any) -> Place:
    """Where a line's problem belongs. Raises BadPosition."""
    try:
        question, bank, fingerprint = entry["question"], entry["bank"], entry["fingerprint"]
        order = Order(question["game"], question["kind"], bank["level"], 0, bank["seed"], bank["version"])
        place = Place(order, question["number"], bank["candidate"], fingerprint)
    except (KeyError, TypeError, IndexError):
        raise BadPosition("it does not say its bank and its place there") from None
    if not isinstance(fingerprint, str):
        raise BadPosition("its fingerprint is no text")
    return place


def _named(order: Order) -> str:
    words = (f"{order.game} {order.kind}", f"level {order.level}", f"seed {order.seed}", f"generator {order.version}")
    return ", ".join(words)[:200]


# Proving


class Checked(NamedTuple):
    """What came of one line: where it belongs if it says so, and what is wrong with it."""

    number: int
    place: Place | None
    faults: list[str]


def verify(path: Path, pool: Workers, progress: Progress) -> tuple[int, bool]:
    """Prove every line of a bank: its form, its place, that the generator makes it, and that it is solved again so.

    How many there are, and whether they were made again (which only the generator's own version can). Raises Faults,
    each with its line.
    """
    if not path.exists():
        raise Fault(f"there is no file {str(path)!r}", "Check the name", code=USAGE)
    if not path.is_file():
        raise Fault("not a file", "Name a bank", path=path, code=USAGE)
    faults: list[Fault] = []
    seen, first, last, count = Seen(), None, 0, 0
    with open(path, "rb") as file, pool() as opened:
        for _, future in opened.in_order(examine, _bundles(file)):
            for checked in future.result():
                count += 1
                wrong = list(checked.faults)
                if place := checked.place:
                    first = first or place.order
                    if place.order != first:
                        wrong.append(f"this line is of {_named(place.order)}, the first of {_named(first)}")
                    if place.number != last + 1:
                        wrong.append(f"problem {place.number} comes after problem {last}")
                    if not seen.add(mark(place.fingerprint)):
                        wrong.append("the problem has been there before")
                    last = place.number
                faults += [Fault(what, path=path, line=checked.number) for what in wrong]
                if len(faults) > TOLD:
                    raise Faults([*faults[:TOLD], Fault("there are more faults", "Mend these first", path=path)])
            progress(count, round(count * os.fstat(file.fileno()).st_size / file.tell()))
    if not count:
        raise Fault("there is no problem in it", "Name a bank", path=path)
    if faults:
        raise Faults(faults)
    return count, first is not None and first.version == kind(first.game, first.kind).version


def _bundles(file: IO[bytes]) -> Iterator[list[tuple[int, bytes]]]:
    """The numbered lines of a file, as many at a time as are worth a task."""
    bundle: list[tuple[int, bytes]] = []
    size = 0
    for number, line in record.lines(file):
        bundle.append((number, line))
        size += len(line)
        if len(bundle) == BUNDLE or size > record.LINE_LIMIT:
            yield bundle
            bundle, size = [], 0
    if bundle:
        yield bundle


def examine(bundle: list[tuple[int, bytes]]) -> list[Checked]:
    """What a worker finds in some lines."""
    return [_examined(number, line) for number, line in bundle]


def _examined(number: int, line: bytes) -> Checked:
    try:
        entry = record.parse(line)
    except BadPosition as error:
        return Checked(number, None, [str(error)])
    if odd := form.faults(entry):
        return Checked(number, None, odd)
    place = read_place(entry)
    torn = [] if line.endswith(b"\n") else ["the line has no end"]
    return Checked(number, place, [*torn, *_made_again(place, entry, line), *_solved_again(entry)])


def _made_again(place: Place, entry: dict[str, Any], line: bytes) -> Iterator[str]:
    """How a line differs from the one that belongs at its place."""
    order = place.order
    try:
        maker = kind(order.game, order.kind)
        check_level(order.level, {order.kind: maker})
        if order.version < maker.version:
            return
        check_version(order, {order.kind: maker})
        if place.number < 1 or not 1 <= place.candidate <= TRIES:
            yield "there is no such place"
            return
        made = next(islice(at(order, place.number - 1, None), place.candidate - 1, None)).line
    except Fault as fault:
        yield fault.what
        return
    if made.rstrip() != line.rstrip():
        due = record.parse(made)
        wrong = [name for name, value in due.items() if json.dumps(value) != json.dumps(entry[name])]
        named = " and ".join(wrong) or "the spelling"
        yield f"{named} {'are' if len(wrong) > 1 else 'is'} not what the generator makes here"


def _solved_again(entry: dict[str, Any]) -> list[str]:
    """What the second engine has against a problem."""
    try:
        return proof.faults_in({name: value for name, value in entry.items() if name != "bank"})
    except Exception:  # of a position that nobody could have made
        return ["it cannot be solved again: its question is no problem of the game"]
