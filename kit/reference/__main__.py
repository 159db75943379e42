"""`python -m kit.reference FILE…`: replay records, say the first disagreement of each file. Exit 1 if there is one."""

from __future__ import annotations

import sys
from pathlib import Path

from kit.reference.record import difference, read


def main(names: list[str]) -> int:
    if not names:
        print("usage: python -m kit.reference FILE…  (records as JSON Lines, plain or gzip)", file=sys.stderr)
        return 2
    return max(replay(Path(name)) for name in names)


def replay(path: Path) -> int:
    """Replay one file and print what was found; 0 when all of it agrees."""
    count, line = 0, 0
    try:
        for line, record in read(path):
            found = difference(record)
            if found is not None:
                print(f"{path}:{line}: {found}")
                return 1
            count += 1
    except (OSError, EOFError, RecursionError) as error:
        print(f"{path}: cannot be read: {error}")
        return 1
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"{path}: no record after line {line}: {error!r}")
        return 1
    print(f"{path}: {count} records agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
