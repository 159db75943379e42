"""What `kit build` leaves in output/: everything, and nothing of the host's where players look."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from kit.paper.sizes import PAPERS, TOLERANCE
from kit.publish import output
from tests.publish.conftest import kit

MM = 72 / 25.4
KINDS = {
    "booklet", "booklet_imposed", "summary", "reference", "score", "cards", "mat", "practice", "key", "ruler", "backs"
}  # fmt: skip


def pdfs(manifest: dict[str, Any], **wanted: object) -> dict[str, dict[str, Any]]:
    found = {
        path: entry
        for path, entry in manifest["files"].items()
        if path.endswith(".pdf") and all(entry[key] == value for key, value in wanted.items())
    }
    assert found, wanted
    return found


def test_every_kind_is_there_in_every_language_and_on_every_paper(manifest: dict[str, Any]) -> None:
    for lang in ("en", "sv"):
        for paper in PAPERS:
            made = pdfs(manifest, lang=lang, paper=paper, game="rowoverflow")
            assert {entry["kind"] for entry in made.values()} == KINDS


def test_the_manifest_tells_the_truth(kits: Path, manifest: dict[str, Any]) -> None:
    for path, entry in manifest["files"].items():
        assert output.digest((kits / path).read_bytes()) == entry["sha256"], path
    there = {p.relative_to(kits).as_posix() for p in kits.rglob("*") if p.is_file()}
    assert there - {"manifest.json", ".kit-lock", ".kit-seen"} == set(manifest["files"])


def test_pages_have_the_size_that_was_asked_for(kits: Path, manifest: dict[str, Any]) -> None:
    for path, entry in pdfs(manifest).items():
        paper = PAPERS[entry["paper"]]
        sizes = {paper, paper.turned} if entry["kind"] != "booklet" else {paper.half}
        with pikepdf.open(kits / path) as pdf:
            assert len(pdf.pages) == entry["pages"]
            for page in pdf.pages:
                box = [float(n) / MM for n in page.mediabox]
                assert any(
                    abs(box[2] - size.width) < TOLERANCE and abs(box[3] - size.height) < TOLERANCE for size in sizes
                ), (path, box)


def test_other_tools_find_nothing_to_complain_about(kits: Path, manifest: dict[str, Any]) -> None:
    for path, entry in pdfs(manifest).items():
        checked = subprocess.run(["qpdf", "--check", kits / path], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        fonts = subprocess.run(["pdffonts", kits / path], capture_output=True, text=True, check=True).stdout
        for line in fonts.splitlines()[2:]:
            assert re.search(r"(Atkinson|KitSymbols|Kit-)", line), (path, line)
            embedded = line[fonts.splitlines()[0].index("emb") :].split()[0]
            assert embedded == "yes", (path, line)
        with pikepdf.open(kits / path) as pdf:
            assert str(pdf.Root.Lang) == entry["lang"]
            assert str(pdf.Root.ViewerPreferences.PrintScaling) == "/None"


@pytest.mark.parametrize("paper", PAPERS)
def test_swedish_letters_can_be_searched(kits: Path, paper: str) -> None:
    text = subprocess.run(
        ["pdftotext", kits / f"sv/{paper}/rowoverflow/booklet.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    assert all(letter in text for letter in "åäöÅÄÖ"[:3])
    assert "Stigande rader" in text


def test_the_players_pages_lead_to_no_key(kits: Path, manifest: dict[str, Any]) -> None:
    index = (kits / "index.html").read_text("utf-8")
    keys = pdfs(manifest, audience="host")
    assert "host" not in index
    for path in keys:
        assert Path(path).name not in index
    host = (kits / "host.html").read_text("utf-8")
    assert all(path in host for path in keys)
    for link in re.findall(r'(?:href|src)="([^"#]+)"', index + host):
        assert (kits / link).is_file(), link


def text_of(pdf: Path) -> str:
    said = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
    return " ".join(said.split())


def test_no_players_file_holds_a_reason_of_the_key(kits: Path, manifest: dict[str, Any]) -> None:
    for path, entry in pdfs(manifest, kind="key").items():
        said = text_of(kits / path)
        reasons = {reason.strip() for reason in re.findall(r"([^.()§]{20,})\.? ?\(§\d+", said)}
        assert reasons
        sheet = path.replace("/host/", "/").replace("-key.pdf", "")
        players = text_of(kits / f"{sheet}.pdf") + (kits / f"{sheet}.html").read_text("utf-8")
        for reason in reasons:
            assert reason not in players
        assert entry["code"] in players  # so that the host finds the key that belongs to it


def test_a_second_build_has_nothing_to_do(kits: Path, manifest: dict[str, Any]) -> None:
    times = {path: (kits / path).stat().st_mtime_ns for path in manifest["files"]}
    again = kit("build", "--out", kits)
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith("Nothing to do")
    assert {path: (kits / path).stat().st_mtime_ns for path in manifest["files"]} == times


def test_proof_passes_every_file_that_was_made(kits: Path, manifest: dict[str, Any]) -> None:
    done = kit("proof", *(kits / path for path in pdfs(manifest, lang="sv", paper="a4")))
    assert done.returncode == 0, done.stdout + done.stderr
