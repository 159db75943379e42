"""How kit says that something is wrong: one line that a person can act on.

    content/rowoverflow/rules.md:12: error: slot {deck_sise} does not exist. Did you mean deck_size?

Every room but `games` and `reference` may raise these; the command line prints them and ends with `code`.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

CONTENT, USAGE, SURROUNDINGS, BUG = 1, 2, 3, 4


class Fault(Exception):
    """Something is wrong, and a person can mend it.

    `what` says what is wrong and `cure` what to do, each a sentence without its full stop; `path` and `line` (from 1)
    say where. `code` is the exit code: CONTENT (what is read, or a check, is wrong), USAGE (the command is),
    SURROUNDINGS (disk, rights, fonts, libraries), BUG (kit is).
    """

    def __init__(
        self, what: str, cure: str = "", *, path: object = None, line: int | None = None, code: int = CONTENT
    ) -> None:
        super().__init__(what, cure)
        self.what, self.cure, self.path, self.line, self.code = what, cure, path, line, code

    def __str__(self) -> str:
        where = "" if self.path is None else f"{self.path}: " if self.line is None else f"{self.path}:{self.line}: "
        end = "?" if self.cure.startswith("Did you mean") else "."
        said = f"{self.what}. {self.cure}{end}" if self.cure else f"{self.what}."
        return " ".join(f"{where}error: {said}".split())

    def __reduce__(self) -> tuple[object, ...]:
        """Survive the way back from a worker process, keyword arguments included."""
        return _again, (type(self), dict(self.__dict__))


class Faults(Exception):
    """Several faults of one run, to be told all at once. `code` is the gravest of theirs."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = list(faults)
        super().__init__(self.faults)
        self.code = max(fault.code for fault in self.faults)

    def __str__(self) -> str:
        return "\n".join(dict.fromkeys(map(str, self.faults)))

    def __reduce__(self) -> tuple[object, ...]:
        return Faults, (self.faults,)


def _again(kind: type[Fault], state: dict[str, object]) -> Fault:
    fault = kind.__new__(kind)
    fault.__dict__.update(state)
    return fault


def nearest(name: str, known: Iterable[str]) -> str:
    """The cure for an unknown name: the nearest known one, else the list of them."""
    names = sorted(known)
    small = {each.lower(): each for each in names}
    close = get_close_matches(name.lower(), small, n=1, cutoff=0.5)
    return (
        f"Did you mean {small[close[0]]}"
        if close
        else f"There is: {', '.join(names)}"
        if names
        else "There is none yet"
    )
