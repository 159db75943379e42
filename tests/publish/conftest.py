"""The finished kits, built once for all tests of this room, and a project of one's own to spoil."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def kit(*arguments: object, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command as a person would, with this checkout's code."""
    return subprocess.run(
        [sys.executable, "-m", "kit", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )


def shared_by_processes(factory: pytest.TempPathFactory) -> Path:
    """A folder of this run that all its test processes see; never one of an earlier run."""
    own = factory.getbasetemp()
    return own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own


@pytest.fixture(scope="session")
def kits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a plain `kit build`. Every test process asks for it; the folder's lock lets one build."""
    out = shared_by_processes(tmp_path_factory) / "kits"
    done = kit("build", "--out", out, "--wait", 600)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def manifest(kits: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((kits / "manifest.json").read_text("utf-8"))
    return data


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of content/ and templates/ in a folder of its own, where kit can be run."""
    for name in ("content", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path
