"""Where problems are made: processes on this machine, or a dask cluster. The only file that knows dask.

Both are `concurrent.futures` executors, and results are taken in the order in which they were asked for: what is made
never depends on where.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from kit.faults import SURROUNDINGS, USAGE, Fault

ASK = TypeVar("ASK")
ANSWER = TypeVar("ANSWER")
AHEAD = 3  # tasks a worker that are asked for before their turn
PATIENCE = 10  # seconds that a scheduler has to answer
AGAIN = "Give the same command again: it goes on where it stopped"


class Pool(NamedTuple):
    """Workers, and how many there are."""

    executor: Executor
    workers: int

    def in_order(self, work: Callable[[ASK], ANSWER], asks: Iterable[ASK]) -> Iterator[tuple[ASK, Future[ANSWER]]]:
        """Ask for `work` on each, some ahead, and yield the futures, done, in the order of `asks`."""
        pending: deque[tuple[ASK, Future[ANSWER]]] = deque()
        for ask in asks:
            pending.append((ask, self.executor.submit(work, ask)))
            if len(pending) > AHEAD * self.workers:
                yield _done(pending.popleft())
        while pending:
            yield _done(pending.popleft())


def _done(asked: tuple[ASK, Future[ANSWER]]) -> tuple[ASK, Future[ANSWER]]:
    """The same when its answer, or what went wrong, is there. Raises Fault when its worker was lost."""
    try:
        fault = asked[1].exception()
    except CancelledError:
        raise Fault("the cluster was lost", AGAIN, code=SURROUNDINGS) from None
    if isinstance(fault, BrokenProcessPool):
        raise Fault("a worker was ended from outside, or ran out of memory", AGAIN, code=SURROUNDINGS) from None
    if fault is not None and type(fault).__name__ == "KilledWorker":  # dask gave the task to several, and lost each
        raise Fault("several workers were lost at the same task", AGAIN, code=SURROUNDINGS) from None
    return asked


@contextmanager
def opened(workers: int = 0, scheduler: str = "") -> Iterator[Pool]:
    """So many processes (0: one a core), or the cluster of the dask scheduler at that address. Raises Fault."""
    if scheduler:
        with _cluster(scheduler) as pool:
            yield pool
        return
    count = workers or os.cpu_count() or 1
    executor = ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("forkserver"), initializer=child)
    try:
        # A process that is half started when we end would complain on our terminal: signals wait until it is whole.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            executor.submit(os.getpid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield Pool(executor, count)
    except BaseException:
        for process in list((executor._processes or {}).values()):
            process.kill()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def child() -> None:
    """Make this worker process one that leaves signals from the terminal to its parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Leave when the parent is gone, even killed: an orphan would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[Pool]:
    try:
        from distributed import Client
    except ImportError:
        raise Fault(
            "a cluster needs the library distributed", "Install kit with its extra [cluster]", code=SURROUNDINGS
        ) from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except ValueError:
        raise Fault(f"{address[:80]} is no address of a scheduler", "Write tcp://HOST:PORT", code=USAGE) from None
    except OSError:
        raise Fault(f"no scheduler answers at {address[:80]}", "Start one, or correct it", code=SURROUNDINGS) from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise Fault(f"the scheduler at {address} has no workers", "Start some", code=SURROUNDINGS)
        yield Pool(client.get_executor(pure=False), threads)
    finally:
        client.close()
