"""`kit build`: collect everything, check everything, make what changed, and put it in place as one set."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kit.faults import SURROUNDINGS, USAGE, Fault, Faults, nearest
from kit.publish import output

if TYPE_CHECKING:
    from kit.publish.kits import Kit
    from kit.publish.sheet import Draft, Folders, Order, Sheet

PACKAGE = Path(__file__).resolve().parent.parent
LIBRARIES = (
    "Babel",
    "fonttools",
    "Jinja2",
    "Markdown",
    "pikepdf",
    "pydantic",
    "pypdfium2",
    "reportlab",
    "segno",
    "weasyprint",
)
LAST_SECOND = 253402300799  # of the year 9999
Progress = Callable[[int, int, str], None]  # done, of how many, what


class Outcome(NamedTuple):
    """The files that the order names, and those of them that were made now, by their paths."""

    files: tuple[str, ...]
    made: tuple[str, ...]


def build(folders: Folders, order: Order, jobs: int = 0, progress: Progress | None = None, wait: float = 60) -> Outcome:
    """Make every file of the order that is not there as it should be.

    Raises Fault(s); then nothing of the output has changed. `jobs` 0 is one process a core.
    """
    _no_odd_clock()
    if order.bundle and (order.only or order.single):
        option = "--only" if order.only else "--single"
        raise Fault(f"--bundle takes the whole kit, and {option} a part of it", "Leave one of them out", code=USAGE)
    if order.single and order.only and "cards" not in order.only:
        raise Fault("--single prints cards again, and --only leaves the cards out", "Add cards to --only", code=USAGE)
    output.prepare(folders.out, (folders.content, folders.templates, PACKAGE))
    with output.locked(folders.out, wait):
        seen = output.Seen(folders.out)
        state = fingerprint(folders, order, seen)
        if files := seen.whole(folders.out, repr(order), state):
            return Outcome(files, ())
        old = output.manifest(folders.out)
        wanted = old.get("orders", {}).get(repr(order), {})
        if wanted.get("state") == state and all(
            path in old["files"] and output.intact(folders.out, path, old["files"][path]) for path in wanted["files"]
        ):
            outcome = Outcome(tuple(wanted["files"]), ())
        else:
            outcome = _make(folders, order, old, state, jobs or os.cpu_count() or 1, progress or (lambda *_: None))
            old = output.manifest(folders.out)
        hashes = {path: old["files"][path]["sha256"] for path in old["orders"][repr(order)]["files"]}
        seen.save(folders.out, repr(order), state, hashes)
        return outcome


def _no_odd_clock() -> None:
    """Refuse a SOURCE_DATE_EPOCH that is none; nothing that is made depends on a good one."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said is not None and not (re.fullmatch(r"[0-9]{1,12}", said) and int(said) <= LAST_SECOND):
        raise Fault(
            f"SOURCE_DATE_EPOCH is {said[:40]!r}, which is no time",
            "Give whole seconds since 1970, or unset it",
            code=USAGE,
        )


def fingerprint(folders: Folders, order: Order, seen: output.Seen) -> str:
    """Everything that a build's files can depend on, as one hash: sources, code, templates, fonts, library versions."""
    parts = [repr(order), json.dumps(versions(), sort_keys=True)]
    for folder in (folders.content, folders.templates, PACKAGE):
        for path in _files(folder):
            parts.append(f"{path.relative_to(folder).as_posix()!a} {_digest(path, seen)}")
    if (settings := folders.root / "kit.toml").is_file():
        parts.append(_digest(settings, seen))
    return output.digest("\n".join(parts).encode())


def _files(folder: Path) -> Iterable[Path]:
    """Regular files below a folder, in order; what only Python or a person's tools left there aside."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.startswith("."))
        for name in sorted(names):
            path = Path(here, name)
            if not name.startswith(".") and path.suffix not in (".pyc", ".mo") and path.is_file():
                yield path


def _digest(path: Path, seen: output.Seen) -> str:
    try:
        return seen.digest(str(path))
    except OSError:
        return output.digest(_bytes(path))


def _bytes(path: Path) -> bytes:
    try:
        with open(path, "rb") as handle:
            return handle.read(16 * 1024 * 1024)  # what is larger is refused where it is read
    except OSError as error:
        raise Fault(
            f"it cannot be read: {error.strerror}", "Give yourself the right to", path=path, code=SURROUNDINGS
        ) from None


def versions() -> dict[str, str]:
    """The libraries that shape the bytes, as they are installed.

    Read from the names of their dist-info folders: importing importlib.metadata would cost more than the rest of a
    build with nothing to do.
    """
    import kit

    found = {"kit": kit.__version__}
    for folder in map(Path, sys.path):
        for name in sorted(os.listdir(folder)) if os.access(folder, os.R_OK) and folder.is_dir() else ():
            library, _, version = name.removesuffix(".dist-info").partition("-")
            if name.endswith(".dist-info") and _plain(library) in map(_plain, LIBRARIES):
                found.setdefault(_plain(library), version)
    return found


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def plan(folders: Folders, order: Order) -> list[Draft]:
    """Every draft of an order, in a fixed order. All faults of reading, checking and filling are raised together."""
    from kit.language import locale as language
    from kit.publish import decks, editions, glyphs, kinds, kits, origin
    from kit.publish.sheet import Context

    settings = kits.settings(folders.root)
    for key, known in (
        ("languages", language.languages(folders.content)), ("papers", kinds.PAPERS), ("card", kinds.CARDS),
        ("suits", decks.SUITS), ("indices", decks.INDICES), ("edition", editions.EDITIONS),
    ):  # fmt: skip
        kits.wanted(folders.root, key, known)
    order = kits.whole(order, settings)
    games = _chosen("game", order.games, kits.names(folders.content))
    langs = _chosen("language", order.langs or settings.default.languages, language.languages(folders.content))
    papers = _chosen("paper", order.papers or settings.default.papers, kinds.PAPERS)
    _chosen("kind of sheet", order.only, kinds.KINDS)
    _chosen("card size", [order.card], kinds.CARDS)
    _chosen("suits", [order.suits], decks.SUITS)
    _chosen("indices", [order.indices], decks.INDICES)
    _chosen("edition", [order.edition], editions.EDITIONS)
    editions.check(order, kinds.KINDS)
    shared = decks.shared(folders.content, games)
    drafts: dict[str, Draft] = {}  # by the first file: what several games share is made once
    faults: list[Fault] = []
    lost: list[Fault] = []  # single cards that another game may have
    for game in games:
        for lang in langs:
            try:
                kit = editions.kit(kits.load(folders.content, game), order.edition)
                if _not_begun(folders, kit, lang, order):
                    continue
                locale = language.Locale.load(folders.content, lang, game, draft=order.draft)
                locale = decks.with_ace(locale, order.ace)
                glyphs.check(locale)
            except (Fault, Faults) as error:
                faults += error.faults if isinstance(error, Faults) else [error]
                continue
            for paper in papers:
                context = Context(folders.content, folders.templates, settings, kit, locale, paper, order, shared)
                for kind, make in kinds.KINDS.items():
                    if (order.only and kind not in order.only) or not editions.has(order.edition, kind):
                        continue
                    try:
                        _add(drafts, make(context))
                    except (Fault, Faults) as error:
                        found = origin.told(error.faults if isinstance(error, Faults) else [error], locale)
                        (lost if kind == "cards" and order.single and not order.games else faults).extend(found)
    if not any(sheet.card for draft in drafts.values() for sheet in draft.sheets if sheet.kind.startswith("cards")):
        faults += lost
    if faults:
        raise Faults(faults)
    _no_clash(sheet for draft in drafts.values() for sheet in draft.sheets)
    return list(drafts.values())


def _add(drafts: dict[str, Draft], made: Iterable[Draft]) -> None:
    """Add drafts, but one that is there already, for another game, only once."""
    for draft in made:
        path = draft.sheets[0].path
        if path not in drafts or drafts[path].key != draft.key:
            drafts[path if path not in drafts else f"{path} {len(drafts)}"] = draft


def _not_begun(folders: Folders, kit: Kit, lang: str, order: Order) -> bool:
    """Whether a kit without an engine has no translation into a language that nobody asked for by name."""
    from kit.files import present
    from kit.language.locale import SOURCE, po_name

    if kit.engine is not None or lang == SOURCE or lang in order.langs or order.draft:
        return False
    return not present(folders.content, po_name(lang, kit.id))


def _chosen(what: str, asked: Iterable[str] | None, known: Iterable[str]) -> tuple[str, ...]:
    known = tuple(known)
    for name in asked or ():
        if name not in known:
            raise Fault(f"unknown {what} {name[:60]!r}", nearest(name, known), code=USAGE)
    return tuple(name for name in known if not asked or name in asked)


def _no_clash(sheets: Iterable[Sheet]) -> None:
    seen: dict[str, str] = {}
    for sheet in sheets:
        other = seen.setdefault(sheet.path.casefold(), sheet.title)
        if other is not sheet.title:
            raise Fault(f"{sheet.title!r} and {other!r} would both be written to {sheet.path}", "Rename one")


def _make(folders: Folders, order: Order, old: dict[str, Any], state: str, jobs: int, progress: Progress) -> Outcome:
    from kit.publish import index, origin, worker

    drafts = plan(folders, order)
    key = output.digest(json.dumps([versions(), _engine_of_the_bytes()]).encode())
    files: dict[str, Any] = dict(old["files"])
    made: list[str] = []
    output.check_places(folders.out, ["index.html", "host.html", output.MANIFEST])
    margin = _margin(folders)
    staging = output.Staging(folders.out)

    def stands(path: str, source: str) -> bool:
        """Whether the file is there as it was made, of the same source."""
        return path in files and files[path].get("input") == source and output.intact(folders.out, path, files[path])

    def put(path: str, data: bytes, entry: dict[str, Any], source: str) -> None:
        staging.write(path, data)
        files[path] = {**entry, "input": source, "sha256": output.digest(data)}
        made.append(path)

    def make(drafts: list[Draft]) -> list[str]:
        """Make those of the drafts that do not stand; the paths of all."""
        sources = {id(draft): f"{key[:16]}-{draft.key}" for draft in drafts}
        due = [draft for draft in drafts if not all(stands(path, sources[id(draft)]) for path in _paths(draft))]
        output.check_places(folders.out, [path for draft in due for path in _paths(draft)])
        try:
            for draft, finished in worker.run(due, margin, jobs, progress):
                for path, data, entry in finished:
                    put(path, data, entry, sources[id(draft)])
        except Faults as error:
            raise Faults(origin.told_of_sheets(error.faults, folders.content, order.draft)) from None
        return [path for draft in drafts for path in _paths(draft)]

    try:
        named = make(drafts)
        if order.bundle:
            from kit.publish import bundles

            joined = [
                (context, sheets, bundles.drafts(context, sheets, files, staging.read))
                for context, sheets in bundles.contexts(folders, order, drafts)
            ]
            more = [draft for _, _, drafts in joined for draft in drafts]
            _no_clash(sheet for draft in [*drafts, *more] for sheet in draft.sheets)
            named += make(more)
            for context, sheets, parts in joined:
                whole = [sheet for draft in parts for sheet in draft.sheets]
                for packed in bundles.zips(context, sheets, whole, files):
                    source = bundles.key(packed, files)
                    named.append(packed.path)
                    if not stands(packed.path, source):
                        data = bundles.pack([(name, staging.read(path)) for name, path in packed.members])
                        put(packed.path, data, packed.entry, source)
        for path, data in index.pages(folders, files, order):
            entry = {
                "kind": "index",
                "audience": "host" if "host" in path else "players",
                "sha256": output.digest(data),
            }
            named.append(path)
            if files.get(path) != entry or not output.intact(folders.out, path, entry):
                staging.write(path, data)
                files[path] = entry
                made.append(path)
        orders = {name: value for name, value in old.get("orders", {}).items() if value.get("state") == state}
        orders[repr(order)] = {"state": state, "files": named}
        gone = tuple(path for path in old["files"] if path not in files)
        staging.publish({"files": files, "orders": orders, "versions": versions()}, gone)
    finally:
        staging.close()
    return Outcome(tuple(named), tuple(made))


def _paths(draft: Draft) -> list[str]:
    """The files of a draft, thumbnails and preview included."""
    paths = [f"{sheet.path}.pdf" for sheet in draft.sheets]
    paths += [f"{sheet.path}.png" for sheet in draft.sheets]
    return [*paths, f"{draft.sheets[0].path}.html"] if draft.html is not None else paths


def _engine_of_the_bytes() -> list[str]:
    """The code that turns a draft into bytes: the paper room with its fonts, and what runs in the workers."""
    paths = [*_files(PACKAGE / "paper"), PACKAGE / "publish/render.py", PACKAGE / "publish/worker.py"]
    return [f"{path.relative_to(PACKAGE).as_posix()} {output.digest(_bytes(path))}" for path in paths]


def _margin(folders: Folders) -> float:
    from kit.publish import kits

    return kits.settings(folders.root).printer.dead_margin
