"""The long-lived processes that lay out, prove and photograph sheets; imported whole by each of them.

A process is limited in memory and in time a draft. One that dies takes its draft's name into the fault.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import resource
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

from kit.faults import BUG, CONTENT, SURROUNDINGS, Fault, Faults
from kit.practice.pool import child
from kit.publish.sheet import Draft

MEMORY = 3 * 1024**3  # bytes of address space a process
SECONDS = 120  # a document of a draft
THUMBNAIL = 360  # pixels wide


class Part(NamedTuple):
    """One finished file and its manifest entry."""

    path: str
    data: bytes
    entry: dict[str, Any]


class TookTooLong(BaseException):
    """Raised in a worker by its alarm; not an Exception, so that no library swallows it."""


def run(drafts: Sequence[Draft], margin: float, jobs: int, progress: Any) -> Iterator[tuple[Draft, list[Part]]]:
    """Make the drafts on `jobs` processes and yield them as they are done. Raises Faults after all were tried."""
    if not drafts:
        return
    faults: list[Fault] = []
    done = 0
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["kit.publish.warm"])
    pool = ProcessPoolExecutor(min(jobs, len(drafts)), mp_context=context, initializer=_limit)
    try:
        # A process that is half started when we end would complain on our terminal: signals wait until it is whole.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            pending: dict[Future[list[Part]], Draft] = {pool.submit(make, draft, margin): draft for draft in drafts}
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        progress(0, len(drafts), "")
        while pending:
            ready, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in ready:
                draft = pending.pop(future)
                done += 1
                progress(done, len(drafts), draft.sheets[0].path)
                try:
                    yield draft, future.result()
                except Fault as fault:
                    faults.append(fault)
                except Faults as several:
                    faults += several.faults
                except BrokenProcessPool:
                    names = ", ".join(sorted(d.sheets[0].path for d in [draft, *pending.values()]))
                    raise Fault(
                        f"a process that laid out one of {names[:400]} was ended from outside, or ran out of memory",
                        "Build them one at a time with --only and --jobs 1",
                        code=BUG,
                    ) from None
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    if faults:
        raise Faults(faults)


def _limit() -> None:
    os.environ.pop("SOURCE_DATE_EPOCH", None)  # reportlab would read it
    child()
    if hasattr(resource, "RLIMIT_AS") and os.uname().sysname == "Linux":
        least = min([MEMORY, *(n for n in resource.getrlimit(resource.RLIMIT_AS) if n != resource.RLIM_INFINITY)])
        resource.setrlimit(resource.RLIMIT_AS, (least, least))


def make(draft: Draft, margin: float) -> list[Part]:
    """Render, prove and photograph one draft. Raises Fault(s) that name the sheet."""
    name = draft.sheets[0].path

    def too_long(*_: object) -> None:
        raise TookTooLong

    # Processor time, so that a busy machine is no fault; and a bound on the clock for what only waits.
    signal.signal(signal.SIGPROF, too_long)
    signal.signal(signal.SIGALRM, too_long)
    seconds = SECONDS * draft.documents
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 20 * seconds)
    try:
        return _make(draft, margin)
    except Fault as fault:
        raise _named(fault, name) from None
    except Faults as several:
        raise Faults([_named(fault, name) for fault in several.faults]) from None
    except TookTooLong:
        raise Fault(
            f"it was not laid out within {seconds} seconds", "Make it shorter or simpler", path=name, code=CONTENT
        ) from None
    except MemoryError:
        raise Fault(
            f"it needs more than {MEMORY // 1024**3} GiB to lay out", "Make it simpler", path=name, code=CONTENT
        ) from None
    except OSError as error:  # what is read was read before: this is the folder for temporary files
        raise Fault(
            f"the layout needs a temporary file: {(error.strerror or str(error)).lower()}",
            "Make room, or set TMPDIR to a folder that has some",
            path=name,
            code=SURROUNDINGS,
        ) from error
    except Exception as error:
        logging.getLogger(__name__).debug("while making %s", name, exc_info=True)
        raise Fault(
            f"the layout broke: {type(error).__name__}: {str(error)[:200]}",
            "Report it with --debug",
            path=name,
            code=BUG,
        ) from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _named(fault: Fault, name: str) -> Fault:
    if fault.path is None:
        fault.path = f"{name}.pdf"
    return fault


def _make(draft: Draft, margin: float) -> list[Part]:
    from kit.paper.proof import prove, thumbnail

    made = draft.render()
    if len(made) != len(draft.sheets):
        raise TypeError(f"{len(made)} documents for {len(draft.sheets)} sheets")
    parts = []
    for sheet, document in zip(draft.sheets, made, strict=True):
        report = prove(document.pdf, document.expect, margin)
        entry: dict[str, Any] = {
            "kind": sheet.kind,
            "game": sheet.game,
            "lang": sheet.lang,
            "paper": sheet.paper,
            "card": sheet.card,
            "code": sheet.code,
            "title": sheet.title,
            "audience": sheet.audience,
            "duplex": document.expect.duplex,
            "pages": report.pages,
        }
        if sheet.games:
            entry["games"] = list(sheet.games)
        expected = {**entry, "expect": document.expect.to_json(), "proof": report.summary()}
        parts.append(Part(f"{sheet.path}.pdf", document.pdf, expected))
        picture = {**entry, "kind": "thumbnail", "of": f"{sheet.path}.pdf"}
        parts.append(Part(f"{sheet.path}.png", thumbnail(document.pdf, 1, THUMBNAIL), picture))
    if draft.html is not None:
        first = draft.sheets[0]
        entry = {**parts[0].entry, "kind": "preview", "of": f"{first.path}.pdf"}
        entry = {key: value for key, value in entry.items() if key not in ("expect", "proof")}
        parts.append(Part(f"{first.path}.html", draft.html.encode(), entry))
    return parts
