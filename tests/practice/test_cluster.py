"""A bank on a dask cluster: the same bytes as from processes, and a worker that is lost costs nothing but time."""

from __future__ import annotations

import os
import signal
from functools import partial

import pytest
from distributed import Client, LocalCluster

from kit.faults import SURROUNDINGS, USAGE, Fault
from kit.practice import bank, pool

pytestmark = pytest.mark.filterwarnings("default")  # of dask and what it stands on
ORDER = bank.order("rowoverflow", "a")


def quiet(done, total):
    pass


@pytest.fixture(scope="module")
def cluster():
    """Two workers in processes of their own, on this machine alone."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1", silence_logs=50
    ) as made:
        yield made


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("bank") / "bank.jsonl"
    bank.fill(path, ORDER, 400, partial(pool.opened, 1), quiet)
    return path.read_bytes()


def test_a_cluster_makes_and_proves_the_same_bank(cluster, tmp_path, whole):
    path, workers = tmp_path / "bank.jsonl", partial(pool.opened, 0, cluster.scheduler_address)
    assert bank.fill(path, ORDER, 60, workers, quiet) == 60
    assert whole.startswith(path.read_bytes())
    assert bank.verify(path, workers, quiet) == (60, True)


def test_the_loss_of_a_worker_loses_and_doubles_nothing(cluster, tmp_path, whole):
    path, killed = tmp_path / "bank.jsonl", []

    def shoot(done, total):
        if done == 20:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    assert bank.fill(path, ORDER, 400, partial(pool.opened, 0, cluster.scheduler_address), shoot) == 400
    assert killed
    assert path.read_bytes() == whole


def test_a_fault_of_a_worker_comes_home(cluster):
    with pool.opened(0, cluster.scheduler_address) as workers:
        future = workers.executor.submit(bank.work, bank.Task(ORDER, 0, 1, "0.0.0"))
        with pytest.raises(Fault, match="Bring both to one version") as refused:
            future.result()
    assert refused.value.code == SURROUNDINGS


@pytest.mark.parametrize(
    ("address", "code", "what"),
    [
        ("tcp://127.0.0.1:9", SURROUNDINGS, "no scheduler answers at tcp://127.0.0.1:9"),
        ("gopher://x", USAGE, "no address of a scheduler"),
    ],
)
def test_a_scheduler_that_is_not_there(monkeypatch, address, code, what):
    monkeypatch.setattr(pool, "PATIENCE", 1)
    with pytest.raises(Fault, match=what) as refused, pool.opened(0, address):
        pass
    assert refused.value.code == code


def test_a_scheduler_without_workers(cluster, monkeypatch):
    monkeypatch.setattr(Client, "nthreads", lambda self: {})
    with pytest.raises(Fault, match="has no workers"), pool.opened(0, cluster.scheduler_address):
        pass
