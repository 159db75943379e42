"""The output folder: one builder at a time, a set of files put in place at once, the manifest of what is there.

A build leaves either the old file or the new one at every path, and writes the manifest last. Only the standard
library: a build with nothing to do answers from here.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Any

from kit.faults import SURROUNDINGS, USAGE, Fault

MANIFEST = "manifest.json"
LOCK = ".kit-lock"
SEEN = ".kit-seen"
STAGING = ".kit-staging-"


def prepare(out: Path, sources: Iterable[Path]) -> None:
    """Make the folder, no part of `sources`, and see that it can be written. Raises Fault before work is spent."""
    target = Path(os.path.realpath(out))
    for folder in sources:
        source = Path(os.path.realpath(folder))
        if target == source or source in target.parents or target in source.parents:
            raise Fault(
                f"the output folder {out} and the folder {folder}, which is read, lie within each other",
                "Choose another folder with --out",
                code=USAGE,
            )
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / f"{STAGING}probe-{os.getpid()}"
        probe.mkdir()
        probe.rmdir()
    except OSError as error:
        raise _disk(error, out) from None


@contextlib.contextmanager
def locked(out: Path, wait: float = 60) -> Iterator[None]:
    """Hold the folder alone, waiting up to `wait` seconds for another build. Raises Fault (3) when it takes longer.

    The lock is the operating system's, so a killed build leaves none behind; the file's text only says whose it is.
    """
    path = out / LOCK
    try:  # a link or a pipe of that name is not followed: it may lead to a file that is not ours
        handle = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644), "r+b")
    except OSError as error:
        raise _disk(error, path) from None
    with handle:
        deadline = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    owner = handle.read(200).decode("utf-8", "replace").strip() or "unknown"
                    raise Fault(
                        f"another build holds {out} ({owner})", "Wait for it to end, or stop it", code=SURROUNDINGS
                    ) from None
                time.sleep(0.1)
        try:
            handle.truncate(0)
            handle.write(f"process {os.getpid()} since {time.strftime('%H:%M:%S')}\n".encode())
            handle.flush()
        except OSError as error:
            raise _disk(error, path) from None
        for stale in out.glob(f"{STAGING}*"):
            shutil.rmtree(stale, ignore_errors=True)
        yield


def manifest(out: Path) -> dict[str, Any]:
    """What the last build said of the folder; an empty one when there is none that can be read.

    What is not of its form, or names a place outside the folder, is left out: it is made again.
    """
    try:
        data = json.loads(_regular(out / MANIFEST))
        json.dumps(data, ensure_ascii=False).encode()  # half a character in it could not be written again
        files = {path: entry for path, entry in data["files"].items() if _inside(path) and _entry(entry)}
        orders = {
            order: value
            for order, value in data.get("orders", {}).items()
            if isinstance(value.get("state"), str) and all(isinstance(path, str) for path in value["files"])
        }
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return {"files": {}}
    return {**data, "files": files, "orders": orders}


def _inside(path: str) -> bool:
    return not path.startswith("/") and not {"", ".", ".."} & set(path.split("/"))


_FIELDS: dict[str, type | tuple[type, ...]] = {  # what the index asks of an entry
    "game": str, "lang": str, "paper": str, "title": str, "duplex": (str, NoneType), "pages": (int, NoneType),
    "card": (str, NoneType), "code": (str, NoneType),
}  # fmt: skip


def _entry(entry: Any) -> bool:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(k), str) for k in ("kind", "audience", "sha256")):
        return False
    games = entry.get("games", [])
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        return False
    return entry["kind"] == "index" or all(isinstance(entry.get(k, ...), kind) for k, kind in _FIELDS.items())


def _regular(path: Path) -> bytes:
    """The bytes of a regular file: neither a pipe nor a device nor what lies behind a link. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("not a regular file")
        return file.read()


def intact(out: Path, path: str, entry: Mapping[str, Any]) -> bool:
    """Whether the file still is what the manifest says."""
    try:
        return bool(digest(_regular(out / path)) == entry["sha256"])
    except (OSError, KeyError, ValueError):
        return False


class Seen:
    """What was hashed before, so that a build with nothing to do need not read every file again.

    A file whose size, times and inode still are what they were has its old hash; anything else is read. Kept beside the
    manifest, not in it: times are no part of what a build makes. `done` remembers the orders that were found whole.
    """

    def __init__(self, out: Path) -> None:
        self.path = out / SEEN
        try:
            data = json.loads(_regular(self.path))
            self.hashes: dict[str, list[Any]] = dict(data["hashes"])
            self.done: dict[str, dict[str, Any]] = dict(data["done"])
        except (OSError, ValueError, RecursionError, TypeError, KeyError):
            self.hashes, self.done = {}, {}

    def digest(self, path: str) -> str:
        """The hash of a regular file. Raises OSError for anything else."""
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("not a regular file")
        mark = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
        known = self.hashes.get(path)
        if isinstance(known, list) and known[:-1] == mark and isinstance(known[-1], str):
            return known[-1]
        made = digest(_regular(Path(path)))
        self.hashes[path] = [*mark, made]
        return made

    def whole(self, out: Path, order: str, state: str) -> tuple[str, ...]:
        """The files that order has, if it was found whole in this state and all still are; else none."""
        known = self.done.get(order)
        try:
            root = f"{out}/"
            if known and known["state"] == state and self.digest(root + MANIFEST) == known["manifest"]:
                files = dict(known["files"])
                return tuple(files) if all(self.digest(root + path) == h for path, h in files.items()) else ()
        except (OSError, KeyError, TypeError, ValueError, AttributeError):
            pass
        return ()

    def save(self, out: Path, order: str, state: str, files: Mapping[str, str]) -> None:
        """Remember; where that is not possible, the next build only takes longer."""
        for path in files:
            with contextlib.suppress(OSError):
                self.digest(f"{out}/{path}")
        self.done = {name: value for name, value in self.done.items() if value.get("state") == state}
        with contextlib.suppress(OSError):
            self.done[order] = {"state": state, "files": dict(files), "manifest": self.digest(f"{out}/{MANIFEST}")}
        temporary = self.path.with_name(f"{SEEN}-{os.getpid()}")
        with contextlib.suppress(OSError):
            temporary.write_text(json.dumps({"hashes": self.hashes, "done": self.done}), encoding="utf-8")
            os.replace(temporary, self.path)


def check_places(out: Path, paths: Iterable[str]) -> None:
    """See that each file can come to lie at its place below the folder. Raises Fault (3) for one that cannot."""
    root = os.path.realpath(out)
    for path in paths:
        target = out / path
        if target.is_dir():
            raise _disk(IsADirectoryError(21, "a folder lies where this file must go"), target)
        for folder in reversed(target.relative_to(out).parents[:-1]):
            if not os.path.lexists(out / folder):
                break
            if not (out / folder).is_dir():
                raise _disk(NotADirectoryError(20, "a file lies where a folder must go"), out / folder)
            if Path(os.path.realpath(out / folder)) != Path(root, folder):
                raise _disk(OSError(40, "this folder leads to another place"), out / folder)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Staging:
    """Files written beside the output folder's own, to be put in place together by `publish`."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.paths: list[str] = []
        try:
            self.folder = Path(tempfile.mkdtemp(prefix=STAGING, dir=out))
        except OSError as error:
            raise _disk(error, out) from None

    def write(self, path: str, data: bytes) -> None:
        """Stage one file; `path` is relative to the output folder. Raises Fault (3) when the disk will not have it."""
        target = self.folder / str(len(self.paths))
        try:
            with open(target, "wb") as handle:
                handle.write(data)
                handle.flush()
                os.fsync(handle.fileno())
            os.chmod(target, 0o644)
        except OSError as error:
            raise _disk(error, self.out / path) from None
        self.paths.append(path)

    def read(self, path: str) -> bytes:
        """A file as it will be: the one staged, else the one that lies there. Raises Fault (3)."""
        staged = path in self.paths
        place = self.folder / str(self.paths.index(path)) if staged else self.out / path
        try:
            return _regular(place)
        except OSError as error:
            raise _disk(error, self.out / path) from None

    def publish(self, entries: Mapping[str, Any], remove: tuple[str, ...] = ()) -> None:
        """Put every staged file in its place, then drop `remove`, and write the manifest last."""
        text = json.dumps(entries, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"
        self.write(MANIFEST, text)
        check_places(self.out, self.paths)
        try:
            for path in self.paths:
                (self.out / path).parent.mkdir(parents=True, exist_ok=True)
            for number, path in enumerate(self.paths):
                os.replace(self.folder / str(number), self.out / path)
            for path in remove:
                (self.out / path).unlink(missing_ok=True)
        except OSError as error:
            raise _disk(error, Path(error.filename or self.out)) from None

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _disk(error: OSError, path: Path) -> Fault:
    said = (error.strerror or "it cannot be written").lower()
    return Fault(
        f"{path} cannot be written: {said}", "Make room or choose another folder with --out", code=SURROUNDINGS
    )
