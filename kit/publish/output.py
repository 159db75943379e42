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
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kit.faults import SURROUNDINGS, USAGE, Fault

MANIFEST = "manifest.json"
LOCK = ".kit-lock"
STAGING = ".kit-staging-"


def prepare(out: Path, content: Path) -> None:
    """Make the folder and see that it can be written, before anything is laid out. Raises Fault."""
    target, source = out.resolve(), content.resolve()
    if target == source or source in target.parents or target in source.parents:
        raise Fault(
            f"the output folder {out} and the content folder {content} lie within each other",
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
    try:
        handle = path.open("a+", encoding="utf-8")
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
                    handle.seek(0)
                    owner = handle.read(200).strip() or "unknown"
                    raise Fault(
                        f"another build holds {out} ({owner})", "Wait for it to end, or stop it", code=SURROUNDINGS
                    ) from None
                time.sleep(0.1)
        try:
            handle.truncate(0)
            handle.write(f"process {os.getpid()} since {time.strftime('%H:%M:%S')}\n")
            handle.flush()
        except OSError as error:
            raise _disk(error, path) from None
        for stale in out.glob(f"{STAGING}*"):
            shutil.rmtree(stale, ignore_errors=True)
        yield


def manifest(out: Path) -> dict[str, Any]:
    """What the last build said of the folder; an empty one when there is none that can be read."""
    try:
        data = json.loads((out / MANIFEST).read_bytes())
        return data if isinstance(data, dict) and isinstance(data.get("files"), dict) else {"files": {}}
    except (OSError, ValueError, RecursionError):
        return {"files": {}}


def intact(out: Path, path: str, entry: Mapping[str, Any]) -> bool:
    """Whether the file still is what the manifest says."""
    try:
        return bool(digest((out / path).read_bytes()) == entry["sha256"])
    except (OSError, KeyError):
        return False


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Staging:
    """Files written beside the output folder's own, to be put in place together by `publish`."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out / f"{STAGING}{os.getpid()}"
        self.paths: list[str] = []
        self.folder.mkdir(exist_ok=True)

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

    def publish(self, entries: Mapping[str, Any], remove: tuple[str, ...] = ()) -> None:
        """Put every staged file in its place, then drop `remove`, and write the manifest last."""
        text = json.dumps(entries, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"
        self.write(MANIFEST, text)
        try:
            for path in self.paths:
                target = self.out / path
                target.parent.mkdir(parents=True, exist_ok=True)
                if target.is_dir():
                    raise IsADirectoryError(21, "a folder lies where this file must go", str(target))
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
