"""The whole kit in few files: one PDF for each way of printing, a sheet that says how, and the same packed as a zip.

    <lang>/<paper>/<game>/bundle-poker/0-read-first.pdf
    <lang>/<paper>/<game>/bundle-poker/1-single-sided.pdf, 2-long-edge.pdf, 3-short-edge.pdf   those that are needed
    <lang>/<paper>/<game>/bundle-poker/<game>-<lang>-<paper>.zip          players/…            linked in index.html
    <lang>/<paper>/host/<game>/bundle-poker/<game>-<lang>-<paper>-host.zip  players/…, host/…  linked in host.html only

They are made of the finished files, so they come second: what they depend on is the bytes of those.
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any, NamedTuple

from kit.faults import BUG, Fault
from kit.files import SAFE_NAME
from kit.paper.expect import Duplex, Expect
from kit.paper.joining import Part
from kit.publish import decks, editions, output, render
from kit.publish.sheet import Context, Draft, Folders, Order, Sheet

WAYS: Mapping[str, Duplex] = {"1-single-sided": "simplex", "2-long-edge": "long-edge", "3-short-edge": "short-edge"}
SAID = {"simplex": "one_sided", "long-edge": "long_edge", "short-edge": "short_edge"}  # words page.<…>
READ_FIRST = "0-read-first"
ORDER = (
    "ruler", "backs", "cards", "cards_fold", "mat", "plan", "score", "summary", "reference", "practice",
    "booklet", "booklet_imposed",
)  # fmt: skip
ON_STOCK = ("cards", "cards_fold")
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first second that a zip can name
MODE = (stat.S_IFREG | 0o644) << 16
Read = Callable[[str], bytes]  # a finished file by its path below the output folder
Entries = Mapping[str, Mapping[str, Any]]


class Printed(NamedTuple):
    """One finished sheet as it comes to lie in a joined file: its pages there, from `first` to `last`."""

    sheet: Sheet
    first: int
    last: int
    way: str

    @property
    def sheets(self) -> int:
        """Sheets of paper."""
        pages = self.last - self.first + 1
        return pages if WAYS[self.way] == "simplex" else (pages + 1) // 2

    @property
    def stock(self) -> str:
        return "card_stock" if self.sheet.kind in ON_STOCK else "plain_paper"


class Zip(NamedTuple):
    """A zip to come: where, its manifest entry without hashes, and its members with the files they hold."""

    path: str
    entry: dict[str, Any]
    members: tuple[tuple[str, str], ...]


def kits(drafts: Iterable[Draft]) -> dict[tuple[str, str, str], list[Sheet]]:
    """The sheets of an order by game, language and paper; the deck is with each game that it serves."""
    found: dict[tuple[str, str, str], list[Sheet]] = {}
    sheets = [sheet for draft in drafts for sheet in draft.sheets]
    ordered = {sheet.game for sheet in sheets}
    for sheet in sheets:
        for game in sheet.games or (sheet.game,):
            if game in ordered:
                found.setdefault((game, sheet.lang, sheet.paper), []).append(sheet)
    return found


def folder(order: Order, sheets: Sequence[Sheet]) -> str:
    """`bundle-` and what the name of the card sheets says of size and look, and the edition where it does not."""
    name = next((sheet.name for sheet in sheets if sheet.kind in ON_STOCK), "cards").replace("cards", "bundle", 1)
    edition = "" if order.edition in editions.PLAIN or order.edition in name else f"-{order.edition}"
    return name + edition


def printed(sheets: Sequence[Sheet], files: Entries) -> list[Printed]:
    """The players' sheets in the order in which they are printed, with their pages in the joined files.

    The page that finds a printer's back offset is for those who print backs.
    """
    screen = {"booklet"} if any(sheet.kind == "booklet_imposed" for sheet in sheets) else set()  # what is folded
    for_players = [sheet for sheet in sheets if sheet.audience == "players" and sheet.kind not in screen]
    found: list[Printed] = []
    for way, duplex in WAYS.items():
        here = [sheet for sheet in for_players if files[f"{sheet.path}.pdf"]["duplex"] == duplex]
        if {sheet.kind for sheet in here} == {"backs"}:
            continue
        page = 1
        for sheet in sorted(here, key=lambda sheet: ORDER.index(sheet.kind)):
            pages = files[f"{sheet.path}.pdf"]["pages"]
            found.append(Printed(sheet, page, page + pages - 1, way))
            page += pages
    return found


def drafts(context: Context, sheets: Sequence[Sheet], files: Entries, read: Read) -> list[Draft]:
    """The joined files of one kit and the sheet to read first."""
    parts = printed(sheets, files)
    word, title = context.locale.text, context.locale.text("game.title", game=True)
    made = []
    for way, duplex in WAYS.items():
        if not (here := [part for part in parts if part.way == way]):
            continue
        sheet = _sheet(context, f"bundle_{duplex.replace('-', '_')}", f"{folder(context.order, sheets)}/{way}")
        given = tuple(_part(part.sheet, files, read, title) for part in here)
        call = partial(render.joined, parts=given, lang=sheet.lang, title=sheet.title, duplex=duplex)
        made.append(Draft((sheet,), call))
    cover = _sheet(context, "bundle_cover", f"{folder(context.order, sheets)}/{READ_FIRST}")
    return [_read_first(context, cover, parts, word), *made]


def _sheet(context: Context, kind: str, name: str) -> Sheet:
    from kit.publish import kinds

    return replace(kinds.sheet(context, kind, name), name=name, card=None)  # its folder says which edition


def _part(sheet: Sheet, files: Entries, read: Read, title: str) -> Part:
    """A finished sheet to be joined. Raises Fault for one that players may not see."""
    path = f"{sheet.path}.pdf"
    entry = files[path]
    if entry["audience"] != "players":
        raise Fault(f"{path} is for the host alone", "Keep it out of what players get", code=BUG)
    name = sheet.title.removeprefix(f"{title} – ")
    return Part(name, entry["sha256"], Expect.from_json(entry["expect"]), read(path))


def _read_first(context: Context, cover: Sheet, parts: Sequence[Printed], word: Callable[..., str]) -> Draft:
    """What to print how, how much paper that takes, and what to do with it in which order."""
    from kit.publish import kinds

    title = word("game.title", game=True)
    ways = [
        {
            "file": f"{way}.pdf",
            "way": word(f"page.{SAID[duplex]}"),
            "parts": [_row(context, part, title) for part in parts if part.way == way],
        }
        for way, duplex in WAYS.items()
        if any(part.way == way for part in parts)
    ]
    totals = {
        stock: sum(part.sheets for part in parts if part.stock == stock) for stock in ("card_stock", "plain_paper")
    }
    values: dict[str, Any] = {
        "heading": cover.title,
        "ways": ways,
        "totals": [
            word("bundle.total", stock=word(f"ruler.{stock}"), sheets=word("count.sheets", n=n))
            for stock, n in totals.items()
            if n
        ],
        "steps": list(_steps(context, parts)),
        "practice": any(part.sheet.kind == "practice" for part in parts),
    }
    length = 0 if context.order.edition == editions.LARGE_PRINT else 1
    return kinds.flowing(context, cover, "bundle.html", ("sheet", "bundle"), length=length, **values)


def _row(context: Context, part: Printed, title: str) -> dict[str, str]:
    locale = context.locale
    name = part.sheet.title.removeprefix(f"{title} – ")
    return {
        "pages": _pages(context, part),
        "name": f"{locale.own('kind.practice')}: {name}" if part.sheet.kind == "practice" else name,
        "sheets": locale.number(part.sheets),
        "stock": locale.text(f"ruler.{part.stock}"),
    }


def _pages(context: Context, part: Printed) -> str:
    first, last = context.locale.number(part.first), context.locale.number(part.last)
    return first if first == last else context.locale.text("booklet.range", low=first, high=last)


STEPS = (
    ("ruler", ("ruler",)),
    ("backs", ("backs",)),
    ("stock", ON_STOCK),
    ("cards_fold", ("cards_fold",)),
    ("cards", ON_STOCK),
    ("mat", ("mat",)),
    ("booklet", ("booklet_imposed",)),
    ("rest", ("score", "summary", "reference", "practice", "plan", "booklet")),
)
"""What is done with the printed sheets, in order: the word `bundle.step_<name>` and the kinds it is about."""


def _steps(context: Context, parts: Sequence[Printed]) -> Iterator[str]:
    """The steps for what this kit has. A mat on a single sheet is not glued."""
    for step, kinds in STEPS:
        found = [part for part in parts if part.sheet.kind in kinds]
        if not found or (step == "mat" and all(part.sheets == 1 for part in found)):
            continue
        facts: dict[str, Any] = {"file": f"{found[0].way}.pdf", "pages": _pages(context, found[0])}
        yield context.locale.text(f"bundle.step_{step}", **facts)


# Zips -----------------------------------------------------------------------------------------------------------


def zips(context: Context, sheets: Sequence[Sheet], joined: Iterable[Sheet], files: Entries) -> list[Zip]:
    """The players' zip, and for a kit with keys the host's, which holds both."""
    game, lang, paper = context.kit.id, context.locale.code, context.paper
    stem = f"{game}-{lang.lower()}-{paper}"
    title = f"{context.locale.text('game.title', game=True)} – {context.locale.text('kind.zip')}"
    players = [(f"players/{sheet.name.rpartition('/')[2]}.pdf", sheet) for sheet in joined]
    players += [(f"players/single-files/{sheet.name}.pdf", sheet) for sheet in sheets if sheet.audience == "players"]
    host = [(f"host/{sheet.name}.pdf", sheet) for sheet in sheets if sheet.audience == "host"]
    made = [_zip(Sheet("zip", f"{folder(context.order, sheets)}/{stem}", game, lang, paper, title), players)]
    if host:
        named = Sheet("zip", f"{folder(context.order, sheets)}/{stem}-host", game, lang, paper, title, audience="host")
        made.append(_zip(named, [*players, *host]))
    return made


def _zip(sheet: Sheet, members: Sequence[tuple[str, Sheet]]) -> Zip:
    """Raises Fault for a member that the zip's readers may not see."""
    if sheet.audience == "players" and (keys := [name for name, member in members if member.audience != "players"]):
        raise Fault(f"{', '.join(keys)} is for the host alone", "Keep it out of what players get", code=BUG)
    entry = {
        "kind": sheet.kind,
        "game": sheet.game,
        "lang": sheet.lang,
        "paper": sheet.paper,
        "card": None,
        "code": None,
        "title": sheet.title,
        "audience": sheet.audience,
        "duplex": None,
        "pages": None,
    }
    return Zip(f"{sheet.path}.zip", entry, tuple(sorted((name, f"{member.path}.pdf") for name, member in members)))


def key(made: Zip, files: Entries) -> str:
    """What the zip's bytes depend on, as a hash."""
    held = [(name, files[path]["sha256"]) for name, path in made.members]
    return output.digest(repr((held, EPOCH, MODE)).encode())


def pack(members: Sequence[tuple[str, bytes]]) -> bytes:
    """A zip of these members: sorted, dated 1980, mode 644, not compressed again: always the same bytes.

    Raises Fault for a name that could leave its folder, or be another's on some machine; reads back what it has made.
    """
    names = [name for name, _ in members]
    for name in names:
        parts = name.removesuffix(".pdf").split("/")
        if not name.endswith(".pdf") or not all(SAFE_NAME.fullmatch(part) for part in parts):
            raise Fault(f"{name[:80]!r} is no name for a file in a zip", "Use a-z, 0-9 and -", code=BUG)
    if len(set(names)) < len(names):
        raise Fault("two files of a zip have one name", "Rename one", code=BUG)
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(members):
            info = zipfile.ZipInfo(name, EPOCH)
            info.create_system, info.external_attr = 3, MODE  # as a Unix machine would, whatever this one is
            archive.writestr(info, data)
    with zipfile.ZipFile(made) as archive:
        if archive.testzip() is not None or archive.namelist() != sorted(names):
            raise Fault("the zip does not read back as it was written", "Build it again", code=BUG)
    return made.getvalue()


# For the build --------------------------------------------------------------------------------------------------


def contexts(folders: Folders, order: Order, drafts: Sequence[Draft]) -> Iterator[tuple[Context, list[Sheet]]]:
    """Each kit of an order in each language and paper, with its sheets."""
    from kit.language.locale import Locale
    from kit.publish import kits as reading

    settings = reading.settings(folders.root)
    order = reading.whole(order, settings)
    for (game, lang, paper), sheets in kits(drafts).items():
        kit = editions.kit(reading.load(folders.content, game), order.edition)
        locale = decks.with_ace(Locale.load(folders.content, lang, game, draft=order.draft), order.ace)
        yield Context(folders.content, folders.templates, settings, kit, locale, paper, order), sheets
