"""`kit build --bundle`: joined is what was proven, the first page tells the truth, and no key reaches a player."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from kit.faults import Fault, Faults
from kit.paper import joining
from kit.paper.expect import Expect
from kit.paper.proof import prove
from kit.publish import bundles
from kit.publish.sheet import Sheet
from tests.publish.conftest import kit

WAYS = {"1-single-sided": "/Simplex", "2-long-edge": "/DuplexFlipLongEdge", "3-short-edge": "/DuplexFlipShortEdge"}
BUNDLES = {  # what is printed with backs, and what is not
    "sv/a4/rowoverflow": ["1-single-sided", "2-long-edge", "3-short-edge"],
    "en/letter/cascata": ["1-single-sided", "3-short-edge"],
}
Files = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def made(kits: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The finished kits with both bundles added: their parts stand, and need only be joined."""
    out = shutil.copytree(kits, tmp_path_factory.mktemp("bundles"), dirs_exist_ok=True)
    for folder in BUNDLES:
        lang, paper, game = folder.split("/")
        done = kit("build", game, "--lang", lang, "--paper", paper, "--bundle", "--out", out)
        assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def files(made: Path) -> Files:
    """What the manifest says of the files of both bundles, of their parts and of what belongs to the host."""
    found: Files = json.loads((made / "manifest.json").read_text("utf-8"))["files"]
    bundled = [folder.rpartition("/") for folder in BUNDLES]
    return {
        path: entry
        for path, entry in found.items()
        if any(
            path.startswith(f"{place}/") and game in entry.get("games", [entry["game"]]) for place, _, game in bundled
        )
    }


def text_of(pdf: Path) -> str:
    return subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True, check=True).stdout


def bundle(made: Path, folder: str) -> Path:
    return made / folder / "bundle-poker"


def pictures(pdf: Path) -> list[tuple[tuple[float, float], bytes]]:
    """Size in points and look of every page."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [(page.get_size(), page.render(scale=0.6).to_pil().tobytes()) for page in document]


def parts_of(files: Files, folder: str, way: str) -> list[str]:
    """The single files that are printed in that way, the booklet for the screen apart."""
    duplex = {"1-single-sided": "simplex", "2-long-edge": "long-edge", "3-short-edge": "short-edge"}[way]
    return [
        path
        for path, entry in files.items()
        if path.startswith((f"{folder}/", f"{folder.rpartition('/')[0]}/deck/"))
        and path.count("/") == 3 and path.endswith(".pdf")
        and (entry["duplex"], entry["audience"]) == (duplex, "players") and entry["kind"] != "booklet"
    ]  # fmt: skip


@pytest.mark.parametrize("folder", BUNDLES)
def test_there_is_a_file_for_each_way_of_printing_that_is_used(made: Path, folder: str) -> None:
    assert sorted(path.stem for path in bundle(made, folder).glob("*.pdf")) == ["0-read-first", *BUNDLES[folder]]


@pytest.mark.parametrize("folder", BUNDLES)
def test_joined_pages_are_the_proven_pages(made: Path, files: Files, folder: str) -> None:
    """Every page of every part once, part by part, at its own size and with the same look."""
    for way in BUNDLES[folder]:
        joined = pictures(bundle(made, folder) / f"{way}.pdf")
        for path in parts_of(files, folder, way):
            part = pictures(made / path)
            at = next(n for n in range(len(joined)) if joined[n : n + len(part)] == part)
            del joined[at : at + len(part)]
        assert joined == []


@pytest.mark.parametrize("folder", BUNDLES)
def test_joined_files_ask_to_be_printed_as_they_must(made: Path, folder: str) -> None:
    for way in BUNDLES[folder]:
        with pikepdf.open(bundle(made, folder) / f"{way}.pdf") as pdf:
            wishes = pdf.Root.ViewerPreferences
            assert (wishes.PrintScaling, wishes.Duplex) == ("/None", WAYS[way])
            assert str(pdf.Root.Lang) == folder[:2] and " – " in str(pdf.docinfo["/Title"])
            for page in pdf.pages:
                assert [float(n) for n in page.mediabox] == [float(n) for n in page.cropbox]
                assert "/Annots" not in page.obj
        checked = subprocess.run(["qpdf", "--check", bundle(made, folder) / f"{way}.pdf"], capture_output=True)
        assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("folder", BUNDLES)
def test_the_first_page_tells_the_truth(made: Path, files: Files, folder: str) -> None:
    """Its page numbers run through each file without a gap, and its sheets are those that the files take."""
    told = text_of(bundle(made, folder) / "0-read-first.pdf")
    assert re.findall(r"^(\S+)\.pdf$", told, re.MULTILINE) == BUNDLES[folder]
    tables = re.split(r"^Paper in all|^Papper sammanlagt", told, flags=re.MULTILINE)[0]
    sheets = {"card": 0, "plain": 0}
    for way in BUNDLES[folder]:
        block = re.split(r"^\S+\.pdf$", tables.partition(f"{way}.pdf\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
        rows = re.findall(r"^ *(\d+)(?:–(\d+))? {2,}(\S.*?) {2,}(\d+) +(\S.*)$", block, re.MULTILINE)
        with pikepdf.open(bundle(made, folder) / f"{way}.pdf") as pdf:
            count = len(pdf.pages)
        pages = [(int(first), int(last or first)) for first, last, *_ in rows]
        assert [n for first, last in pages for n in range(first, last + 1)] == list(range(1, count + 1))
        assert sum(int(row[3]) for row in rows) == (count if way == "1-single-sided" else count // 2)
        for row in rows:
            sheets["card" if row[4].strip() in ("kartong", "card stock") else "plain"] += int(row[3])
        assert len(rows) == len(parts_of(files, folder, way))
    total = next(line for line in told.splitlines() if re.match(r"Paper in all|Papper sammanlagt", line))
    assert list(map(int, re.findall(r"\d+", total))) == [sheets["card"], sheets["plain"]]
    cards = next(path for path in parts_of(files, folder, BUNDLES[folder][-2]) if "cards-" in path)
    assert sheets["card"] == files[cards]["pages"] // (1 if files[cards]["duplex"] == "simplex" else 2)


def test_nothing_that_players_get_holds_a_key(made: Path, files: Files) -> None:
    """Neither a file of the host nor a line of one that is in no player's own sheet."""
    players = [path for path, entry in files.items() if entry["audience"] == "players" and path.endswith(".pdf")]
    keys = [path for path, entry in files.items() if entry["audience"] == "host" and path.endswith(".pdf")]
    assert keys and all("/host/" in path for path in keys)
    own = "\n".join(text_of(made / path) for path in players if "bundle" not in path)

    def lines(text: str) -> set[str]:
        return {line for line in (" ".join(line.split()) for line in text.splitlines()) if len(line) > 25}

    secret = lines("\n".join(text_of(made / path) for path in keys)) - lines(own)
    assert len(secret) > 40
    banner = "FACIT"
    for path in players:
        if "bundle" in path:
            told = text_of(made / path)
            assert banner not in told and not secret & lines(told)


@pytest.mark.parametrize("folder", BUNDLES)
def test_the_zips(made: Path, files: Files, folder: str) -> None:
    lang, paper, game = folder.split("/")
    stem = f"{game}-{lang}-{paper}"
    mine = bundle(made, folder) / f"{stem}.zip"
    host = made / lang / paper / "host" / game / "bundle-poker" / f"{stem}-host.zip"
    for path in (mine, host):
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
            names = [info.filename for info in infos]
            assert names == sorted(names) and len(set(map(str.casefold, names))) == len(names)
            assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
            assert {info.external_attr >> 16 for info in infos} == {0o100644}
            assert all(re.fullmatch(r"(players|host)(/[a-z0-9-]+)+\.pdf", name) for name in names)
            for name in names:
                audience, _, rest = name.partition("/")
                base = made / lang / paper / ("host" if audience == "host" else "") / game
                if "single-files/cards-" in rest and not base.joinpath(rest.rpartition("/")[2]).exists():
                    base = base.with_name("deck")  # the playing cards that games share lie apart
                inner = rest.removeprefix("single-files/")
                place = base / inner if rest != inner or audience == "host" else base / "bundle-poker" / rest
                assert archive.read(name) == place.read_bytes(), (name, place)
                assert files[place.relative_to(made).as_posix()]["audience"] == audience
            heads = {name.partition("/")[0] for name in names}
            assert heads == ({"players"} if path == mine else {"players", "host"})
            assert {"players/0-read-first.pdf", "players/single-files/booklet.pdf"} <= set(names)


def test_players_are_led_to_their_zip_and_the_host_to_both(made: Path) -> None:
    index, host = ((made / name).read_text("utf-8") for name in ("index.html", "host.html"))
    links = {name: set(re.findall(r'href="([^"]+\.zip)"', text)) for name, text in (("index", index), ("host", host))}
    assert links["index"] == {
        f"{folder}/bundle-poker/{'-'.join(folder.split('/')[n] for n in (2, 0, 1))}.zip" for folder in BUNDLES
    }
    assert links["host"] == {
        "sv/a4/host/rowoverflow/bundle-poker/rowoverflow-sv-a4-host.zip",
        "en/letter/host/cascata/bundle-poker/cascata-en-letter-host.zip",
    }
    assert "host/" not in index and all((made / link).is_file() for link in links["index"] | links["host"])


def test_the_proof_measures_the_joined_file_part_by_part(made: Path, files: Files) -> None:
    """What holds of the parts holds where they now are; one box, one page's size or one part elsewhere is refused."""
    path = "sv/a4/rowoverflow/bundle-poker/1-single-sided.pdf"
    data, expect = (made / path).read_bytes(), Expect.from_json(files[path]["expect"])
    assert len(set(expect.sizes)) == 2  # the mat lies
    assert prove(data, expect).passed
    parts = [Expect.from_json(files[part]["expect"]) for part in parts_of(files, "sv/a4/rowoverflow", "1-single-sided")]
    assert len(expect.boxes) == sum(len(part.boxes) for part in parts) > 30
    moved = replace(expect.boxes[-1], x=expect.boxes[-1].x + 1)
    with pytest.raises(Faults):
        prove(data, replace(expect, boxes=(*expect.boxes[:-1], moved)))
    with pytest.raises(Faults, match="not"):
        prove(data, replace(expect, sizes=(expect.sizes[-1], *expect.sizes[1:-1], (100.0, 100.0))))
    with pytest.raises(Faults):
        prove(data, replace(expect, boxes=tuple(replace(box, page=box.page + 1) for box in expect.boxes)))


# A kit of one's own is small: on it, what a bundle does when it is made again.


@pytest.fixture
def soup(tmp_path: Path) -> Path:
    assert kit("new", "soup", "--in", "mine", cwd=tmp_path).returncode == 0
    return tmp_path


ORDER = ("build", "--content", "mine", "--paper", "a4", "--bundle", "--jobs")


def bytes_of(out: Path) -> dict[str, bytes]:
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in sorted(out.rglob("*.*")) if p.name[0] != "."}


def test_the_same_bytes_on_each_build(soup: Path) -> None:
    settings = [("1", {"PYTHONHASHSEED": "3", "TZ": "UTC"}), ("2", {"PYTHONHASHSEED": "8", "TZ": "Asia/Tokyo"})]
    found = []
    for jobs, env in settings:
        mask = os.umask(0o077 if jobs == "2" else 0o022)
        try:
            done = kit(*ORDER, jobs, "--out", f"out{jobs}", cwd=soup, env=env)
        finally:
            os.umask(mask)
        assert done.returncode == 0, done.stderr
        found.append(bytes_of(soup / f"out{jobs}"))
    assert [name for name in found[0] if found[0][name] != found[1].get(name)] == []
    assert any(name.endswith(".zip") for name in found[0]) and found[0].keys() == found[1].keys()


def test_only_what_changed_is_joined_again(soup: Path) -> None:
    assert kit(*ORDER, 1, cwd=soup).returncode == 0
    out = soup / "mine-output"
    before = bytes_of(out)
    assert kit(*ORDER, 1, cwd=soup).stdout.startswith("Nothing to do")
    joined = out / "en/a4/soup/bundle-poker/3-short-edge.pdf"
    joined.unlink()
    again = kit(*ORDER, 1, cwd=soup)
    assert again.returncode == 0 and "[1/1] en/a4/soup/bundle-poker/3-short-edge" in again.stderr, again.stderr
    assert bytes_of(out) == before
    words = soup / "mine/soup/words.toml"
    words.write_text(words.read_text("utf-8").replace('total = "Total"', 'total = "Sum"'), "utf-8")
    changed = kit(*ORDER, 1, cwd=soup)
    assert changed.returncode == 0, changed.stderr
    now = bytes_of(out)
    assert {name for name in now if now[name] != before[name] and name.endswith((".pdf", ".zip"))} == {
        "en/a4/soup/score.pdf", "en/a4/soup/bundle-poker/1-single-sided.pdf", "en/a4/soup/bundle-poker/soup-en-a4.zip",
    }  # fmt: skip


@pytest.mark.parametrize("options", [("--only", "cards"), ("--single", "7")])
def test_a_bundle_is_of_a_whole_kit(soup: Path, options: tuple[str, str]) -> None:
    done = kit(*ORDER, 1, *options, cwd=soup)
    assert done.returncode == 2 and f"and {options[0]} a part of it" in done.stderr
    assert not (soup / "mine-output").exists()


# What must never be: asked for on purpose.


@pytest.mark.parametrize(
    "names",
    [["../players/a.pdf"], ["/players/a.pdf"], ["players//a.pdf"], ["players/../a.pdf"], ["players/a.pdf"] * 2,
     ["players/å.pdf"], ["players/a.exe"], ["players/A.pdf"], ["players\\a.pdf"]],
)  # fmt: skip
def test_a_zip_takes_no_odd_name(names: list[str]) -> None:
    with pytest.raises(Fault, match="zip"):
        bundles.pack([(name, b"") for name in names])


def test_a_zip_does_not_depend_on_the_order_it_is_given() -> None:
    members = [("players/b.pdf", b"b"), ("host/a.pdf", b"a")]
    assert bundles.pack(members) == bundles.pack(members[::-1])


def test_a_host_s_file_is_refused_wherever_players_would_get_it() -> None:
    key = Sheet("key", "practice-a-key", "x", "en", "a4", "Key", audience="host")
    entry = {"audience": "host", "sha256": "", "expect": {}}
    with pytest.raises(Fault, match="for the host alone"):
        bundles._part(key, {f"{key.path}.pdf": entry}, lambda path: b"", "X")
    with pytest.raises(Fault, match="for the host alone"):
        bundles._zip(Sheet("zip", "x", "x", "en", "a4", "X"), [("players/key.pdf", key)])
    assert bundles.printed([key], {f"{key.path}.pdf": {"duplex": "simplex", "pages": 1}}) == []


def test_files_of_other_ways_are_not_joined(made: Path, files: Files) -> None:
    def part(path: str) -> joining.Part:
        return joining.Part(path, "", Expect.from_json(files[path]["expect"]), (made / path).read_bytes())

    ruler, imposed = (part(f"sv/a4/rowoverflow/{name}.pdf") for name in ("ruler", "booklet-imposed"))
    with pytest.raises(Fault, match="is not for simplex printing in sv"):
        joining.join([ruler, imposed], lang="sv", title="x", duplex="simplex")
    with pytest.raises(Fault, match="is not for simplex printing in en"):
        joining.join([ruler], lang="en", title="x", duplex="simplex")
    odd = replace(ruler, expect=replace(ruler.expect, duplex="long-edge"))
    with pytest.raises(Fault, match="does not end on the back of a sheet"):
        joining.join([odd], lang="sv", title="x", duplex="long-edge")
