"""`kit new` and `--content`: a kit without an engine, made by following the README alone, in English and Swedish."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pytest

from tests.publish.conftest import ROOT, kit

README = (ROOT / "README.md").read_text("utf-8")
SWEDISH = Path(__file__).with_name("stone-soup.sv.po")  # what a translator would fill in


def steps() -> Iterator[tuple[str, str]]:
    """The blocks of the README's walk-through: language and text."""
    chapter = README.partition("\n## Your own game\n")[2].partition("\n## ")[0]
    for found in re.finditer(r"^( *)```(\w*)\n(.*?)^\1```$", chapter, re.MULTILINE | re.DOTALL):
        yield found[2], re.sub(f"^{found[1]}", "", found[3], flags=re.MULTILINE)


def followed(project: Path) -> list[subprocess.CompletedProcess[str]]:
    """Do what the walk-through says, in a folder named as a checkout would be; translate when its PO file is there."""
    done = []
    for language, text in steps():
        if language == "toml":
            edit(project, text)
            continue
        for line in text.splitlines():
            command, *arguments = line.partition("  #")[0].split()
            assert command == ".venv/bin/kit"
            done.append(kit(*arguments, *(("--jobs", 2) if arguments[0] == "build" else ()), cwd=project))
            if arguments[:2] == ["translate", "update"]:
                translate(project.parent / "mygames/locale/sv/LC_MESSAGES/stone-soup.po")
    return done


def edit(project: Path, block: str) -> None:
    """Put the lines of a TOML block in place of those with the same key, in the file that its first line names."""
    head, *lines = block.splitlines()
    path = project / head.removeprefix("# ")
    text = path.read_text("utf-8")
    for line in lines:
        key = line.partition("=")[0].strip()
        text, count = re.subn(rf"^{key} *=.*$", line, text, flags=re.MULTILINE)
        assert count == 1
    path.write_text(text, "utf-8")


def translate(path: Path) -> None:
    known = {(entry.msgctxt, entry.msgid): entry.msgstr for entry in polib.pofile(str(SWEDISH))}
    file = polib.pofile(str(path), wrapwidth=0)
    for entry in file:
        entry.msgstr = known[entry.msgctxt, entry.msgid]
    file.save()


def text_of(pdf: Path) -> str:
    return subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[subprocess.CompletedProcess[str]]]:
    project = tmp_path_factory.mktemp("walk") / "kit"
    project.mkdir()
    return project.parent, followed(project)


def entries(out: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((out / "manifest.json").read_text("utf-8"))["files"]
    return found


def test_the_walk_through_works_as_written(walked: tuple[Path, list[subprocess.CompletedProcess[str]]]) -> None:
    here, done = walked
    assert [step.returncode for step in done] == [0] * 5, [step.stderr for step in done]
    for lang in ("en", "sv"):
        for paper in ("a4", "letter"):
            folder = here / "mygames-output" / lang / paper / "stone-soup"
            names = {path.stem for path in folder.glob("*.pdf")}
            rules = {"booklet", "booklet-imposed", "summary", "reference"}
            assert names == rules | {"score", "cards-poker", "ruler", "back-offset"}
            bundle = {path.name for path in (folder / "bundle-poker").glob("*.pdf")}
            assert bundle == {"0-read-first.pdf", "1-single-sided.pdf", "2-long-edge.pdf", "3-short-edge.pdf"}
    assert not list((here / "mygames-output").glob("*/*/host"))


def test_the_kit_says_what_its_facts_say(walked: tuple[Path, list[subprocess.CompletedProcess[str]]]) -> None:
    """30 cards after the edit, in the text of both languages, on the cards, and in the sheets that they take."""
    out = walked[0] / "mygames-output"
    assert "30 numbered cards" in text_of(out / "en/a4/stone-soup/booklet.pdf")
    assert "Kortleken har 30 kort" in text_of(out / "sv/a4/stone-soup/booklet.pdf")
    cards = entries(out)["sv/a4/stone-soup/cards-poker.pdf"]
    assert cards["pages"] == 2 * 4 and cards["duplex"] == "long-edge"
    assert {int(label) for label, count in cards["expect"]["deck"] if count == 1} == set(range(1, 31))
    booklet = text_of(out / "sv/a4/stone-soup/booklet.pdf")
    assert all(f"§{n}" in booklet for n in range(1, 9))
    assert not re.search(r"[{}⟦⟧]|Deal |Summary", booklet)
    score = text_of(out / "sv/a4/stone-soup/score.pdf")
    assert [f"Giv {n}" in score for n in range(1, 8)] == [True] * 6 + [False] and "Summa" in score


def test_nothing_outside_the_folder_is_read(walked: tuple[Path, list[subprocess.CompletedProcess[str]]]) -> None:
    """Of kit's own folder only code, fonts and templates: neither its content nor its kit.toml."""
    code = (
        "import sys; seen = set(); sys.addaudithook(lambda e, a: seen.add(str(a[0])) if e == 'open' else None)\n"
        "from kit.cli import main\n"
        "try: main()\n"
        "finally: print(*sorted(seen), sep='\\n')"
    )
    order = ["build", "--content", "mygames", "--out", "other", "--paper", "a4", "--only", "score", "--jobs", "1"]
    command = [sys.executable, "-c", code, *order]
    done = subprocess.run(command, cwd=walked[0], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    opened = [Path(line) for line in done.stdout.splitlines() if line.startswith("/")]
    assert any(path.name == "stone-soup.po" for path in opened)
    of_kit = [path.relative_to(ROOT) for path in opened if path.is_relative_to(ROOT)]
    assert {path.parts[0] for path in of_kit} - {".venv"} == {"kit", "templates"}


@pytest.fixture
def soup(tmp_path: Path) -> Path:
    """A new kit in a folder of its own."""
    assert kit("new", "soup", "--in", tmp_path / "mine", cwd=tmp_path).returncode == 0
    return tmp_path / "mine/soup"


def built(soup: Path, *options: object) -> subprocess.CompletedProcess[str]:
    return kit("build", "--content", "mine", "--jobs", 1, *options, cwd=soup.parent.parent)


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(("deck", "cards"), [("standard-54", 54), ("standard-52", 52)])
def test_a_standard_deck(soup: Path, deck: str, cards: int) -> None:
    replaced(soup / "game.toml", "{ numbered = 24 }", f'"{deck}"')
    rules = soup / "rules.md"
    text = rules.read_text("utf-8").replace("{card:1}", "{card:Qh}").replace("{card:9}", "{card:Tc}")
    rules.write_text(text.replace("{card:17}", "{card:As}"), "utf-8")
    done = built(soup, "--paper", "letter", "--only", "cards,booklet,ruler", "--backs", "none")
    assert done.returncode == 0, done.stderr
    out = soup.parent.parent / "mine-output"
    assert entries(out)["en/letter/soup/cards-poker-no-backs.pdf"]["pages"] == 6
    booklet = text_of(out / "en/letter/soup/booklet.pdf")
    assert "Q♥" in booklet and "10♣" in booklet and f"The deck has {cards} cards" in booklet


def test_a_kit_without_cards_and_score_sheet(soup: Path) -> None:
    text = (soup / "game.toml").read_text("utf-8")
    text = re.sub(r"^(deck|backs) =.*\n", "", text.partition("\n[score]")[0], flags=re.MULTILINE)
    (soup / "game.toml").write_text(text.replace("{deck_size} numbered cards", "three dice"), "utf-8")
    for name in ("rules.md", "words.toml"):
        told = re.sub(r"\{card:(\d+)\}", r"\1", (soup / name).read_text("utf-8")).replace("{deck_size}", "24")
        (soup / name).write_text(told, "utf-8")
    done = built(soup, "--paper", "a4", "--bundle")
    assert done.returncode == 0, done.stderr
    files = [path for path in entries(soup.parent.parent / "mine-output") if path.endswith(".pdf")]
    assert set(files) == {
        f"en/a4/soup/{name}.pdf"
        for name in (
            "booklet", "booklet-imposed", "bundle/0-read-first", "bundle/1-single-sided", "bundle/3-short-edge",
            "ruler", "reference", "summary",
        )
    }  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("game.toml", "{ numbered = 24 }", '"standard54"', "8: error: deck: there is no deck 'standard54'. Did"),
        ("game.toml", "{ numbered = 24 }", "{ numbered = 0 }", "game.toml:8: error: deck: a numbered deck is written"),
        ("game.toml", "players = [2, 4]", "playres = [2, 4]", "toml:6: error: there is no key playres. Did you"),
        ("game.toml", "players = [2, 4]", "", "game.toml:1: error: players is missing, and no engine knows it"),
        ("game.toml", "players = [2, 4]", "players = [4, 2]", "game.toml:6: error: players: the fewest come first"),
        ("game.toml", "hand = 5", "Hand-5 = 5", "error: facts: 'Hand-5' cannot be a slot"),
        ("game.toml", "hand = 5", "deck_size = 5", "error: facts: deck_size is given by deck and players"),
        ("game.toml", "columns = 4", "colums = 4", "error: there is no key score.colums. Did you mean columns"),
        ("game.toml", 'accent = "#7A3E00"', 'engine = "cascadbeta"\naccent = "#7A3E00"', "Did you mean cascadebeta"),
        ("game.toml", 'accent = "#7A3E00"', 'engine = "cascata"\naccent = "#7A3E00"', "says what stands under deck"),
        ("rules.md", "{card:17}", "{card:77}", "rules.md:29: error: there is no card 77"),
        ("rules.md", "{rule:SO-2}", "{rule:SO-9}", "error: there is no rule SO-9. Did you mean SO-"),
        ("rules.md", "{: #SO-8 }", "{: #SP-2 }", "error: SP-2 and SO-2 would both be §2"),
        ("rules.md", "{: #SO-8 }", "{: #SO-2 }", "the id SO-2 stands here and in line"),
        ("rules.md", "Deal {hand} cards", "Deal {hnad} cards", "slot {hnad} does not exist. Did you mean hand"),
        ("words.toml", 'row = "Deal {number}"', 'rwo = "Deal {number}"', "there is no word 'score.row'. Did you mean"),
        ("words.toml", "lots in {deals}", "lots in {daels}", "toml:6: error: the word summary.goal"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_where_it_stands(soup: Path, file: str, old: str, new: str, told: str) -> None:
    replaced(soup / file, old, new)
    done = built(soup, "--paper", "a4")
    assert done.returncode == 1, done.stdout
    assert told in done.stderr, done.stderr
    assert "mine/soup/" in done.stderr and "Traceback" not in done.stderr
    assert not (soup.parent.parent / "mine-output/index.html").exists()


def test_an_example_needs_an_engine(soup: Path) -> None:
    (soup / "examples").mkdir()
    shutil.copy(ROOT / "content/rowoverflow/examples/overflow.toml", soup / "examples/overflow.toml")
    done = built(soup, "--paper", "a4")
    assert done.returncode == 1 and "overflow.toml: error: an example is played by an engine" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("new", "../evil", "--in", "mine"), "is not a game's name"),
        (("new", "Soup", "--in", "mine"), "is not a game's name"),
        (("new", "host", "--in", "mine"), "is not a game's name"),
        (("new", "cascata", "--in", "mine"), "is the name of an engine"),
        (("new", "soup", "--in", "mine"), "there is something of that name"),
        (("new", "soup"), "there is no folder content here"),
        (("new", "soup", "--in", "mine/words.toml"), "this is not a folder"),
        (("build", "--content", "nowhere"), "there is no folder 'nowhere'"),
        (("build", "--content", "mine", "--out", "mine/output"), "lie within each other"),
        (("build", "--content", "mine", "--lang", "sv"), "unknown language"),
    ],
)
def test_wrong_usage_is_told_and_writes_nothing(soup: Path, arguments: tuple[str, ...], told: str) -> None:
    before = {path: path.read_bytes() for path in soup.parent.rglob("*") if path.is_file()}
    done = kit(*arguments, cwd=soup.parent.parent)
    assert done.returncode == 2 and told in done.stderr, done.stderr
    assert {path: path.read_bytes() for path in soup.parent.rglob("*") if path.is_file()} == before


def test_a_language_is_built_when_it_has_a_po_file(soup: Path) -> None:
    """Another kit's translation does not oblige this one; asked for by name, it does."""
    where = soup.parent.parent
    assert kit("new", "stone-soup", "--in", "mine", cwd=where).returncode == 0
    assert kit("translate", "update", "sv", "--content", "mine", cwd=where).returncode == 0
    po = soup.parent / "locale/sv/LC_MESSAGES"
    translate(po / "stone-soup.po")
    (po / "soup.po").unlink()
    few = ("--paper", "a4", "--only", "score")
    done = built(soup, *few)
    assert done.returncode == 0, done.stderr
    made = {path for path in entries(where / "mine-output") if path.endswith(".pdf")}
    assert made == {"en/a4/soup/score.pdf", "en/a4/stone-soup/score.pdf", "sv/a4/stone-soup/score.pdf"}
    asked = built(soup, *few, "--lang", "sv")
    assert asked.returncode == 1 and "sv/LC_MESSAGES/soup.po" in asked.stderr


def test_the_new_kit_is_what_its_files_are(soup: Path) -> None:
    facts = tomllib.loads((soup / "game.toml").read_text("utf-8"))
    assert facts["title"] == "Soup" and "@" not in "".join(path.read_text("utf-8") for path in soup.iterdir())
    assert {path.name for path in soup.iterdir()} == {"game.toml", "rules.md", "words.toml"}
