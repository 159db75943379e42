"""Orders of practice: what a person asks for, as sheets with codes; and sheets made again from their codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from kit import practice
from kit.faults import USAGE, Fault
from kit.practice import codes
from kit.publish import editions, kits
from kit.publish.kinds import PROBLEMS
from kit.publish.sheet import Audience, Order, Series


@dataclass(frozen=True)
class Wish:
    """What `kit practice` is asked for. No `kinds`: all there are. 0 for `count`, `pages`, `students`: not said."""

    game: str
    kinds: tuple[str, ...] = ()
    level: int = practice.MIXED
    count: int = 0
    pages: int = 0
    students: int = 0
    seed: int = 1
    mixed: bool = False
    course: bool = False


def series(content: Path, wish: Wish) -> tuple[Series, ...]:
    """The sheets of a wish, a file for each kind. Raises Fault for one that cannot be met, with what can."""
    practice.kinds(wish.game)
    _no_contradiction(wish)
    level = practice.COURSE if wish.course else wish.level
    found = []
    for letter in [practice.EVERY] if wish.mixed else wish.kinds or practice.kinds(wish.game):
        takes = practice.taken(wish.game, letter)
        practice.check_level(wish.level, takes)
        count = _pages(content, wish, letter) if wish.pages else wish.count or PROBLEMS
        order = practice.order(wish.game, letter, level=level, count=count, seed=wish.seed)
        sheets = max(wish.students, 1) * (len(practice.offered(takes)) if wish.course else 1)
        most = codes.FIELDS["sheet"].greatest
        if sheets > most:
            cure = f"Ask for at most {most * wish.students // sheets} students, and for the others with another --seed"
            raise Fault(f"that takes {sheets:,} sheets, and one seed has codes for {most}", cure, code=USAGE)
        order = replace(order, sheet=sheets)
        practice.check(order)
        found.append(Series(order, 1))
    return tuple(found)


def _no_contradiction(wish: Wish) -> None:
    for both, cure in (
        (wish.mixed and wish.kinds, "--mixed takes every kind: leave out --kind"),
        (wish.course and wish.level, "--course takes every level: leave out --level"),
        (wish.pages and wish.count, "Say how many problems or how many pages"),
        (wish.pages and wish.mixed, "Of a mixed sheet say --count: its kinds take different room"),
    ):
        if both:
            raise Fault("these options contradict each other", cure, code=USAGE)


def _pages(content: Path, wish: Wish, letter: str) -> int:
    """How many problems fill so many pages. Raises Fault for more pages than a code can name problems for."""
    practice.kind(wish.game, letter)
    a_page = kits.load(content, wish.game).table.PER_PAGE[letter]
    most = codes.FIELDS["count"].greatest // a_page
    if wish.pages > most:
        raise Fault(f"{wish.pages} pages are out of range", f"Choose 1 to {most}", code=USAGE)
    return wish.pages * a_page


def again(texts: Iterable[str]) -> tuple[Series, ...]:
    """The sheets of codes as they are typed. Raises Fault for what is no code, or was made by another generator."""
    orders = dict.fromkeys(codes.decode(text) for text in texts)
    for order in orders:
        practice.check(order)
    return tuple(Series(order, order.sheet) for order in orders)


def order(
    found: tuple[Series, ...], langs: tuple[str, ...], papers: tuple[str, ...], audience: Audience | str = ""
) -> Order:
    """The order to the build: these sheets, with their keys or one of both."""
    return Order(
        games=tuple(dict.fromkeys(series.order.game for series in found)),
        langs=langs,
        papers=papers,
        only=("practice",),
        edition=editions.STANDARD,
        practice=found,
        audience=audience,  # type: ignore[arg-type]
    )


def codes_of(order: Order) -> list[str]:
    """The code of every sheet."""
    return [
        codes.encode(replace(series.order, sheet=number))
        for series in order.practice
        for number in range(series.first, series.order.sheet + 1)
    ]
