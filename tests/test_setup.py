"""The set-up's laws: what is locked, what make offers, and that a half-made .venv is never taken for whole."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from kit import doctor

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUN, DEV = ROOT / "requirements.lock", ROOT / "requirements-dev.lock"
GROUPS = PROJECT["dependency-groups"]


def plain(requirement: str) -> str:
    """The name in a requirement, as indexes compare it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def entries(lock: Path) -> dict[str, str]:
    """Each requirement of a lock: its line with all that belongs to it, up to the next one."""
    blocks = re.split(r"^(?=[\w])", lock.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {plain(block): block for block in blocks}


def asked_for(lock: Path, part: str = "") -> set[str]:
    """The requirements of which the lock says that pyproject.toml itself asks for them."""
    source = f"tabletop-kit (pyproject.toml{part})"
    return {name for name, block in entries(lock).items() if source in block}


@pytest.mark.parametrize("lock", [RUN, DEV], ids=lambda lock: lock.name)
def test_every_locked_requirement_is_one_version_with_hashes(lock: Path) -> None:
    assert len(entries(lock)) > 20
    for name, block in entries(lock).items():
        assert re.match(r"[\w.-]+==[\w.!+-]+( ; .*)? \\\n", block), name
        assert re.search(r"^    --hash=sha256:[0-9a-f]{64}( \\)?$", block, re.MULTILINE), name


@pytest.mark.parametrize("lock", [RUN, DEV], ids=lambda lock: lock.name)
def test_a_lock_names_no_address_and_no_folder(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert not re.findall(r"\w+:/|@ |^-|--(?!hash=)\w+|(?<![\w-])/\w+", text, re.MULTILINE)
    assert not re.findall(r"\b[\w-]+\.(?:org|com|io|net|dev|local)\b", text)


def test_the_lock_is_of_what_pyproject_asks_for() -> None:
    assert asked_for(RUN) == {plain(requirement) for requirement in PROJECT["project"]["dependencies"]}
    assert asked_for(RUN, ":build") == set(map(plain, GROUPS["build"]))
    assert asked_for(DEV) == asked_for(RUN)
    assert asked_for(DEV, ":dev") == set(map(plain, GROUPS["dev"]))


def test_kit_is_built_with_what_is_locked() -> None:
    assert PROJECT["build-system"]["requires"] == GROUPS["build"]


def test_tests_run_on_the_very_versions_that_print() -> None:
    def versions(lock: Path) -> set[tuple[str, str, bool]]:
        return set(doctor.locked(lock.read_text("utf-8")))

    assert versions(RUN) <= versions(DEV)


@pytest.mark.parametrize("target", ["kits", "test", "lint", "types", "locks", "clean", "bench", "mutants"])
def test_make_has(target: str) -> None:
    ran = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


def test_ci_runs_what_people_run() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text("utf-8")


def test_bootstrap_is_plain_sh() -> None:
    subprocess.run(["sh", "-n", "bootstrap.sh"], cwd=ROOT, check=True)


def test_bootstrap_says_how_it_is_called() -> None:
    ran = subprocess.run(["sh", "bootstrap.sh", "everything"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == "usage: sh bootstrap.sh run|dev [MODULE ARGUMENT...]\n"


PIP = """#!/bin/sh
# Stands for .venv/bin/python in a folder where nothing may be installed: writes down what it was asked for.
case "$*" in
    *"-m pip"*)
        echo "$*" >> "$LOG"
        while [ -e wait ]; do sleep 0.02; done
        [ ! -e fail ] || exit 1 ;;
esac
"""


class House:
    """A folder (with a space in its name) that bootstrap.sh sets up by a Python that only says that it did."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder.parent / "pip.log"
        self.bin = folder.parent / "bin"
        folder.mkdir()
        self.bin.mkdir()
        for name in ("bootstrap.sh", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
            shutil.copy(ROOT / name, folder)
        inner = self.bin / "inner"
        inner.write_text(PIP, "utf-8")
        inner.chmod(0o755)
        # The outer python3: `-m venv .venv` makes a .venv whose python is the one above; the lock is a real one.
        outer = self.bin / "python3"
        outer.write_text(
            f"""#!/bin/sh
case "$*" in
    "-m venv .venv") mkdir -p .venv/bin; cp "{inner}" .venv/bin/python; echo "$*" >> "$LOG" ;;
    *fcntl*) exec "{sys.executable}" "$@" ;;
esac
""",
            "utf-8",
        )
        outer.chmod(0o755)

    def start(self, level: str) -> subprocess.Popen[bytes]:
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(self.folder.parent), "LOG": str(self.log)}
        return subprocess.Popen(
            ["sh", str(self.folder / "bootstrap.sh"), level],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def asked(self) -> list[str]:
        """What was asked of venv and pip since the last `set_up`: "venv", the lock's name, or "kit"."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return ["venv" if "-m venv" in line else "kit" if "--editable" in line else line.split()[-1] for line in lines]

    def set_up(self, level: str) -> tuple[int, list[str]]:
        """Exit code of bootstrap.sh, and what it asked for."""
        self.log.write_text("", "utf-8")
        return self.start(level).wait(timeout=60), self.asked()

    def wait_for_pip(self) -> None:
        deadline = time.monotonic() + 60
        while "requirements.lock" not in self.asked():
            assert time.monotonic() < deadline
            time.sleep(0.02)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "a house")


def test_the_second_time_nothing_is_done(house: House) -> None:
    assert house.set_up("run") == (0, ["venv", "requirements.lock", "kit"])
    assert house.set_up("run") == (0, [])


def test_tests_are_added_to_what_printing_needs_and_hold_it(house: House) -> None:
    house.set_up("run")
    assert house.set_up("dev") == (0, ["requirements-dev.lock"])
    assert house.set_up("run") == (0, [])
    assert house.set_up("dev") == (0, [])


def test_another_lock_makes_all_anew(house: House) -> None:
    house.set_up("run")
    with (house.folder / "requirements.lock").open("a") as lock:
        lock.write("# another\n")
    assert house.set_up("run") == (0, ["venv", "requirements.lock", "kit"])


def test_another_pyproject_installs_only_kit(house: House) -> None:
    house.set_up("run")
    with (house.folder / "pyproject.toml").open("a") as project:
        project.write("# another\n")
    assert house.set_up("run") == (0, ["kit"])


def test_a_moved_folder_is_set_up_anew(house: House) -> None:
    house.set_up("run")
    house.folder = house.folder.rename(house.folder.with_name("elsewhere"))
    assert house.set_up("run") == (0, ["venv", "requirements.lock", "kit"])


def test_what_was_left_half_made_is_made_anew(house: House) -> None:
    (house.folder / "fail").touch()
    assert house.set_up("run") == (3, ["venv", "requirements.lock"])
    (house.folder / ".venv" / "half").touch()
    (house.folder / "fail").unlink()
    assert house.set_up("run") == (0, ["venv", "requirements.lock", "kit"])
    assert not (house.folder / ".venv" / "half").exists()


def test_what_broke_off_while_adding_is_made_anew(house: House) -> None:
    house.set_up("run")
    (house.folder / "fail").touch()
    assert house.set_up("dev") == (3, ["requirements-dev.lock"])
    (house.folder / "fail").unlink()
    assert house.set_up("run") == (0, ["venv", "requirements.lock", "kit"])


def test_two_at_once_do_the_work_once(house: House) -> None:
    (house.folder / "wait").touch()
    first, second = house.start("run"), house.start("run")
    house.wait_for_pip()
    time.sleep(0.3)  # time enough for the second to do harm, if it could
    (house.folder / "wait").unlink()
    assert (first.wait(timeout=60), second.wait(timeout=60)) == (0, 0)
    assert house.asked() == ["venv", "requirements.lock", "kit"]


def test_a_killed_set_up_is_made_anew(house: House) -> None:
    (house.folder / "wait").touch()
    killed = house.start("run")
    house.wait_for_pip()
    killed.kill()
    killed.wait()
    (house.folder / "wait").unlink()
    assert house.set_up("run") == (0, ["venv", "requirements.lock", "kit"])


def test_doctor_looks_for_the_names_that_weasyprint_looks_for() -> None:
    spec = doctor.metadata.distribution("weasyprint").locate_file("weasyprint/text/ffi.py")
    source = Path(str(spec)).read_text("utf-8")
    for names in doctor.LIBRARIES.values():
        assert re.search(r",\s*".join(re.escape(f"'{name}'") for name in names), source), names


def test_doctor_finds_this_machine_fit(tmp_path: Path) -> None:
    bad = [finding for finding in doctor.examine(tmp_path / "output") if not finding.ok]
    assert not bad
    assert not (tmp_path / "output").exists(), "looking must not make anything"


def test_doctor_names_a_library_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor.LIBRARIES, "pango", ("libpango-of-no-system.so.0",))
    assert doctor.absent_libraries() == ["pango"]
    found = next(finding for finding in doctor.examine() if finding.name == "pango")
    assert (found.ok, found.found, found.cure) == (False, "not found", doctor.SET_UP)


def test_doctor_tells_bootstrap_what_is_absent_one_thing_a_line() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "kit.doctor", "tools", "libraries", "tools"],
        cwd=ROOT, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.splitlines() == 2 * [*doctor.TOOLS, *doctor.DICTIONARIES]


@pytest.mark.parametrize("manager", ["apt-get", "dnf", "pacman", "brew"])
def test_bootstrap_has_a_package_for_each_library(manager: str) -> None:
    names = " ".join(["python", "venv", "libraries", *doctor.LIBRARIES])
    function = re.search(r"^package\(\) \{.*?^\}", (ROOT / "bootstrap.sh").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert function
    script = f"{function[0]}\nmanager={manager} python=\nfor thing in {names}; do package $thing; done"
    ran = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    packages = ran.stdout.splitlines()
    assert len(packages) == len(names.split())
    assert not set(" ".join(packages).split()) & {"venv", "libraries", "pangoft2", "harfbuzz-subset", "gobject"}


@pytest.fixture
def fonts(tmp_path: Path) -> Path:
    (tmp_path / "A.ttf").write_bytes(b"a font")
    (tmp_path / "SHA256SUMS").write_text(f"{hashlib.sha256(b'a font').hexdigest()}  A.ttf\n", "utf-8")
    return tmp_path


def test_doctor_takes_fonts_as_released(fonts: Path) -> None:
    assert doctor._fonts(fonts).ok


def test_doctor_refuses_a_changed_font(fonts: Path) -> None:
    (fonts / "A.ttf").write_bytes(b"a fond")
    assert doctor._fonts(fonts).found == "A.ttf: changed or missing"


def test_doctor_refuses_a_missing_font(fonts: Path) -> None:
    (fonts / "A.ttf").unlink()
    assert doctor._fonts(fonts).found == "A.ttf: changed or missing"


def test_doctor_refuses_a_font_that_is_not_listed(fonts: Path) -> None:
    (fonts / "B.ttf").write_bytes(b"another")
    assert doctor._fonts(fonts).found == "B.ttf: not listed"


def test_doctor_refuses_fonts_without_sums(fonts: Path) -> None:
    (fonts / "SHA256SUMS").unlink()
    assert not doctor._fonts(fonts).ok


def test_doctor_names_a_library_that_is_not_as_locked(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lines = "click==0.1 \\", "no-such-thing-of-kit==1", "no-such-on-this-system==1 ; sys_platform == 'x'"
    lock.write_text("\n".join(lines), "utf-8")
    found = doctor._versions(lock)
    assert not found.ok
    click = doctor.metadata.version("click")
    assert found.found == f"click {click} (locked: 0.1); no-such-thing-of-kit missing (locked: 1)"


def test_doctor_says_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = doctor._output(tmp_path / "file")
    assert not found.ok
    assert "--out" in found.cure
