"""Decks of every style, the folder that games share, large print, ink saved, the reference card: as measured."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pytest

from kit.language.locale import Locale
from kit.paper.cards import Style
from kit.paper.sizes import CARDS, PAPERS
from kit.publish import decks, editions, kits
from tests.publish.conftest import ROOT, kit

CONTENT = ROOT / "content"
GAMES = ("cascadebeta", "cascata", "gridcannon", "rowoverflow")
SHARING = ("cascadebeta", "cascata", "gridcannon")
MM = 72 / 25.4
BLACK, WHITE = 0x11 / 255, 1.0


def build(out: Path, *order: object) -> dict[str, Any]:
    """What the manifest says of each PDF after that order."""
    done = kit("build", "--out", out, *order)
    assert done.returncode == 0, done.stderr
    files = json.loads((out / "manifest.json").read_text("utf-8"))["files"]
    return {path: entry for path, entry in files.items() if path.endswith(".pdf")}


LARGE = (("sv", "a4", ("cascata",)), ("en", "letter", ("rowoverflow",)))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Large print of a game with the shared deck, and of one with cards of its own on the other paper."""
    out = tmp_path_factory.mktemp("large")
    for lang, paper, games in LARGE:
        build(out, *games, "--edition", "large-print", "--lang", lang, "--paper", paper)
    return out


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ink-saving edition of a game with cards of its own and of one with the shared deck, in Swedish on A4."""
    out = tmp_path_factory.mktemp("saved")
    build(out, "cascata", "rowoverflow", "--edition", "ink-saver", "--lang", "sv", "--paper", "a4")
    return out


def pages(path: Path) -> Iterator[Any]:
    """The pages, to be read whenever: a page reads on from its file, which is therefore held in memory."""
    return iter(pdfplumber.open(BytesIO(path.read_bytes())).pages)


def type_sizes(page: Any) -> dict[str, float]:
    """The size in pt of every letter as it is printed: of its font, times how it is scaled, whichever way it stands."""
    sizes: dict[str, float] = {}
    for char in page.chars:
        a, b, *_ = char["matrix"]
        # pdfplumber's size is the height of the box; of turned text that is its width, so the matrix is asked too
        size = max(char["size"], 0.0) if char["upright"] else char["width"]
        sizes[f"{char['text']} {size:.2f} {abs(a) + abs(b):.3f}"] = size
    return sizes


# ── decks ──


def test_games_share_one_deck(kits: Path, manifest: dict[str, Any]) -> None:
    """It is made once, the index shows it under each game, and no game has a copy."""
    files = manifest["files"].items()
    cards = {path: entry for path, entry in files if entry["kind"] == "cards" and path.endswith(".pdf")}
    for lang in ("en", "sv"):
        for paper in PAPERS:
            here = {path for path in cards if path.startswith(f"{lang}/{paper}/")}
            assert here == {f"{lang}/{paper}/{name}/cards-poker.pdf" for name in ("deck", "rowoverflow")}
            shared = cards[f"{lang}/{paper}/deck/cards-poker.pdf"]
            assert tuple(shared["games"]) == SHARING
            assert shared["pages"] == 6
            assert sum(count for _, count in shared["expect"]["deck"]) == 54
    page = (kits / "index.html").read_text("utf-8")
    for lang in ("en", "sv"):
        for paper in PAPERS:
            assert page.count(f'<h3><a href="{lang}/{paper}/deck/cards-poker.pdf"') == len(SHARING)


@pytest.mark.parametrize(
    ("game", "name", "count"),
    [("cascata", "cards-poker", 54), ("gridcannon", "cards-poker", 54), ("cascadebeta", "cards-poker-52", 52)],
)
def test_a_game_alone_gives_the_cards_it_needs(tmp_path: Path, game: str, name: str, count: int) -> None:
    files = build(tmp_path, game, "--lang", "en", "--paper", "a4", "--only", "cards")
    assert list(files) == [f"en/a4/deck/{name}.pdf"]
    entry = files[f"en/a4/deck/{name}.pdf"]
    assert sum(number for _, number in entry["expect"]["deck"]) == count
    assert game in entry["games"] and ("cascata" in entry["games"]) == (count == 54)
    assert f'href="en/a4/deck/{name}.pdf"' in (tmp_path / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--suits", "four"), "cards-poker-four"),
        (("--suits", "german", "--indices", "large"), "cards-poker-german-large"),
        (("--edition", "large-print"), "cards-poker-large"),
        (("--edition", "ink-saver", "--suits", "four"), "cards-poker-ink-saver"),
        (("--ace", "E", "--backs", "mirrored"), "cards-poker-ace-e-backs"),
        (("--card", "bridge", "--backs", "fold"), "cards-bridge-fold"),
        (("--card", "mini", "--indices", "large"), "cards-mini-large"),
    ],
)
def test_a_file_name_tells_the_style(tmp_path: Path, options: tuple[str, ...], name: str) -> None:
    files = build(tmp_path, "cascata", "--lang", "sv", "--paper", "letter", "--only", "cards", *options)
    assert list(files) == [f"sv/letter/deck/{name}.pdf"]
    letters = {char["text"] for page in pages(tmp_path / f"sv/letter/deck/{name}.pdf") for char in page.chars}
    assert {"♠", "♥", "♦", "♣"} <= letters


def colours(path: Path) -> set[tuple[float, ...]]:
    """Every colour that is set for inking: of fills, strokes and text, in pages and in what they are made of."""
    found: set[tuple[float, ...]] = set()
    with pikepdf.open(path) as pdf:
        forms = [item for item in pdf.objects if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"]
        for stream in [*pdf.pages, *forms]:
            for operands, _ in pikepdf.parse_content_stream(stream, "g G rg RG k K sc SC scn SCN"):
                if all(isinstance(part, int | Decimal | float) for part in operands):
                    found.add(tuple(round(float(part), 3) for part in operands))
    return found


def test_four_colours_are_four(tmp_path: Path) -> None:
    plain = ("cascadebeta", "--lang", "en", "--paper", "a4", "--only", "cards", "--single", "2s,2h,2d,2c")
    build(tmp_path, *plain)
    build(tmp_path, *plain, "--suits", "four")
    found = {}
    for name in ("cards-poker-52-single", "cards-poker-52-four-single"):
        chars = [char for page in pages(tmp_path / f"en/a4/deck/{name}.pdf") for char in page.chars]
        found[name] = {char["non_stroking_color"] for char in chars if char["text"] in "♠♥♦♣"}
    assert [len(colours) for colours in found.values()] == [2, 4]


def test_large_indices_are_thirteen_millimetres_high() -> None:
    """Half as high again as the plain ones, in poker size; the lookbook's 7.5 and 13 mm."""
    locale = Locale.load(CONTENT, "sv")
    heights = {}
    for indices in ("normal", "large"):
        face = decks.face(locale, "7s", CARDS["poker"], Style(indices=indices))  # type: ignore[arg-type]
        svg = face.drawing.svg("")
        heights[indices] = max(
            float(size) for size, text in re.findall(r'font-size="([\d.]+)"[^>]*>([^<]+)</text>', svg) if text == "7"
        )
    assert heights["large"] / heights["normal"] == pytest.approx(13 / 7.5, rel=0.01)


def test_the_letters_are_the_languages() -> None:
    locale = Locale.load(CONTENT, "sv")
    assert [decks.letter(locale, rank) for rank in "ATJQK"] == ["A", "10", "Kn", "D", "K"]
    assert [decks.letter(decks.with_ace(locale, "E"), rank) for rank in "AK"] == ["E", "K"]


@pytest.mark.parametrize(
    ("option", "value", "nearest"),
    [
        ("suits", "fuor", "four"),
        ("indices", "larg", "large"),
        ("edition", "large", "large-print"),
        ("ace", "D", "letter"),
    ],
)
def test_an_unknown_choice_is_a_usage_fault(tmp_path: Path, option: str, value: str, nearest: str) -> None:
    done = kit("build", "--out", tmp_path / "out", "--lang", "sv", f"--{option}", value)
    assert done.returncode == 2
    assert nearest in done.stderr and "Traceback" not in done.stderr


def test_kit_toml_sets_the_plain_choice(project: Path) -> None:
    (project / "kit.toml").write_text('[default]\nsuits = "four"\nindices = "large"\n', "utf-8")
    done = kit("build", "cascata", "--lang", "sv", "--paper", "a4", "--only", "cards", cwd=project)
    assert done.returncode == 0, done.stderr
    assert (project / "output/sv/a4/deck/cards-poker-four-large.pdf").exists()
    (project / "kit.toml").write_text('[default]\nedition = "inksaver"\n', "utf-8")
    done = kit("build", "--only", "cards", cwd=project)
    assert done.returncode == 1 and "kit.toml:2" in done.stderr and "ink-saver" in done.stderr


def test_a_sheet_that_has_no_large_print_is_refused(tmp_path: Path) -> None:
    done = kit("build", "--out", tmp_path / "out", "--edition", "large-print", "--only", "mat")
    assert done.returncode == 2 and "large print" in done.stderr


# ── large print ──


@pytest.mark.parametrize("name", ["booklet", "summary", "score"])
@pytest.mark.parametrize(("lang", "paper", "game"), [(*where, game) for *where, games in LARGE for game in games])
def test_nothing_is_smaller_than_eighteen_points(large: Path, lang: str, paper: str, name: str, game: str) -> None:
    """Not even page numbers and what stands in pictures; and the pages are whole ones."""
    path = large / lang / paper / game / f"{name}-large-print.pdf"
    count = 0
    for page in pages(path):
        count += 1
        small = {what: size for what, size in type_sizes(page).items() if size < editions.LEAST - 0.02}
        assert not small, (page.page_number, small)
        assert sorted((page.width / MM, page.height / MM)) == pytest.approx(sorted(PAPERS[paper]), abs=0.05)
    if name == "summary":
        assert count <= 2


def test_large_print_lies_beside_the_standard_edition(large: Path) -> None:
    names = {path.name for path in (large / "sv/a4/cascata").glob("*.pdf")}
    assert names == {
        "booklet-large-print.pdf", "summary-large-print.pdf", "score-large-print.pdf", "ruler.pdf"
    }  # fmt: skip
    assert (large / "sv/a4/deck/cards-poker-large.pdf").exists()


# ── ink saver ──


def test_an_ink_saving_edition_is_black_and_has_no_tints(saved: Path) -> None:
    found = {}
    for path in sorted(saved.rglob("*.pdf")):
        if path.name in ("ruler.pdf", "back-offset.pdf"):
            continue
        assert "ink-saver" in path.name
        grey = {c for c in colours(path) if not all(p in (0.0, 0.067, 1.0) for p in c) or len(set(c)) > 1}
        if grey:
            found[path.relative_to(saved).as_posix()] = grey
    assert len(list(saved.rglob("*-ink-saver.pdf"))) >= 2 * 8
    assert not found


@pytest.mark.parametrize("game", ["deck", "rowoverflow"])
def test_ink_saving_cards_take_less_ink(saved: Path, kits: Path, game: str) -> None:
    """Measured on the paper: how dark the sheets are on the whole, backs too where there are some."""
    import pypdfium2

    def ink(path: Path) -> float:
        grey = [bytes(page.render(scale=1, grayscale=True).buffer) for page in pypdfium2.PdfDocument(path)]
        return sum(255 - value for data in grey for value in data)

    plain = ink(kits / "sv/a4" / game / "cards-poker.pdf")
    assert ink(saved / "sv/a4" / game / "cards-poker-ink-saver.pdf") < 0.75 * plain


# ── the reference card ──


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("lang", ["en", "sv"])
def test_the_reference_card_folds_into_four_pages(kits: Path, lang: str, paper: str, game: str) -> None:
    """The lower half stands upright and bears the front at the right; the upper half stands on its head."""
    (page,) = pages(kits / lang / paper / game / "reference.pdf")
    locale = Locale.load(CONTENT, lang, game)
    assert (page.width / MM, page.height / MM) == pytest.approx(PAPERS[paper], abs=0.01)
    for char in page.chars:
        a = char["matrix"][0]
        assert (a > 0) == ((char["top"] + char["bottom"]) / 2 > page.height / 2)
        assert char["size"] >= 6
    front = page.crop((page.width / 2, page.height / 2, page.width, page.height))
    assert locale.text("game.title", game=True).split()[0] in (front.extract_text() or "")
    tall = max(char["size"] for char in page.chars)
    assert all(char["x0"] > page.width / 2 for char in page.chars if char["size"] == tall)
    for char in page.chars:  # nothing on the folds
        assert not (char["x0"] < page.width / 2 - 3 * MM and char["x1"] > page.width / 2 + 3 * MM)
        assert not (char["top"] < page.height / 2 - 1 * MM and char["bottom"] > page.height / 2 + 1 * MM)


def test_the_list_shows_the_options() -> None:
    said = kit("list").stdout
    for word in (*decks.SUITS, *decks.INDICES, *editions.EDITIONS, "reference", "gridcannon   d Plan ahead"):
        assert word in said, word


def test_every_table_names_what_it_takes_of_the_deck() -> None:
    for name in GAMES:
        assert set(kits.load(CONTENT, name).table.DECK) <= set(decks.NAMES)
