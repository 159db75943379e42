"""`python -m kit.reference.practice FILE…`: solve problems again, say every fault of each. Exit 1 if there is one."""

from __future__ import annotations

import sys
from pathlib import Path

from kit.reference.practice import faults
from kit.reference.record import read


def main(names: list[str]) -> int:
    if not names:
        print("usage: python -m kit.reference.practice FILE…  (problems as JSON Lines, plain or gzip)", file=sys.stderr)
        return 2
    return max([prove(Path(name)) for name in names])


def prove(path: Path) -> int:
    """Prove one file and print what was found; 0 when nothing was."""
    problems, found, line = 0, 0, 0
    try:
        for line, problem in read(path):
            problems += 1
            for fault in faults(problem):
                found += 1
                print(f"{path}:{line}: {fault}")
    except (OSError, EOFError, RecursionError) as error:
        print(f"{path}: cannot be read: {error}")
        return 1
    except ValueError as error:
        print(f"{path}: no problem after line {line}: {error!r}")
        return 1
    print(f"{path}: {problems} problems, {found} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
