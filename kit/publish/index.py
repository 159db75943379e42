"""output/index.html: what there is and how to print it, for players; output/host.html: the keys, for the host alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.language.locale import Locale, languages
from kit.paper.sizes import CARDS, PAPERS
from kit.publish import kits
from kit.publish.pages import POLICY, fill, safe, style
from kit.publish.sheet import Folders, Order

SCREEN = POLICY.replace("img-src data:", "img-src 'self' data:").replace("font-src data:", "font-src 'self'")


def pages(folders: Folders, files: Mapping[str, Any], order: Order) -> list[tuple[str, bytes]]:
    """Both pages, made from the manifest's entries. The players' page is given no host's entry."""
    known = {path: entry for path, entry in files.items() if not path.endswith(".pdf") or _known(entry)}
    players = {path: entry for path, entry in known.items() if entry.get("audience") == "players"}
    host = {path: entry for path, entry in known.items() if entry.get("audience") == "host" or entry.get("code")}
    return [
        ("index.html", _page(folders, "index.html", players, order)),
        ("host.html", _page(folders, "host.html", host, order)),
    ]


def _known(entry: Mapping[str, Any]) -> bool:
    """Whether this kit has words for a PDF; the manifest may be an older kit's, or a newer one's, or spoiled."""
    return entry.get("duplex") in _DUPLEX and entry.get("card") in (None, *CARDS)


def _page(folders: Folders, template: str, files: Mapping[str, Any], order: Order) -> bytes:
    present = {entry["lang"] for entry in files.values() if entry.get("lang")}
    parts = []
    for lang in languages(folders.content):
        if lang in present:
            locale = Locale.load(folders.content, lang, draft=order.draft)
            parts.append(
                {
                    "code": lang,
                    "name": locale.name,
                    "dir": locale.dir,
                    "word": locale.text,
                    "games": _games(folders, files, lang),
                }
            )
    html = fill(
        folders.templates,
        template,
        lang=parts[0]["code"] if parts else "en",
        dir=parts[0]["dir"] if parts else "ltr",
        word=parts[0]["word"] if parts else Locale.load(folders.content, "en").text,
        title="kit",
        policy=SCREEN,
        index=True,
        style=safe(style(folders.templates, "index")),
        languages=parts,
    )
    return html.encode()


def _games(folders: Folders, files: Mapping[str, Any], lang: str) -> list[dict[str, Any]]:
    """The games of a language, each with its papers, each with its PDF files."""
    games = []
    mine = [entry for entry in files.values() if entry.get("lang") == lang]
    known = kits.names(folders.content)
    shown = [game for game in known if any(entry.get("game") == game for entry in mine)]  # … with files of its own
    for game in shown or [game for game in known if any(game in _served(entry) for entry in mine)]:
        papers: list[dict[str, Any]] = []
        locale = Locale.load(folders.content, lang, game, draft=True)
        for paper in PAPERS:
            found = [
                _file(path, entry, files, locale)
                for path, entry in sorted(files.items())
                if path.endswith(".pdf") and game in _served(entry) and (entry["lang"], entry["paper"]) == (lang, paper)
            ]
            if found:
                found.sort(key=lambda file: (_RANK.get(file["kind"], 99), file["path"]))
                zips = [
                    path
                    for path, entry in sorted(files.items())
                    if path.endswith(".zip") and (entry["game"], entry["lang"], entry["paper"]) == (game, lang, paper)
                ]
                papers.append({"name": paper, "files": found, "zips": zips})
        if papers:
            games.append({"id": game, "title": locale.text("game.title", game=True), "papers": papers})
    return games


def _served(entry: Mapping[str, Any]) -> list[str]:
    """The games whose players print this file."""
    games: list[str] = entry.get("games") or [entry.get("game")]
    return games


# In the order in which a person prints.
_RANK = {
    kind: n
    for n, kind in enumerate(
        (
            "bundle_cover",
            "bundle_simplex",
            "bundle_long_edge",
            "bundle_short_edge",
            "ruler",
            "backs",
            "cards",
            "cards_fold",
            "mat",
            "plan",
            "score",
            "summary",
            "reference",
            "booklet",
            "booklet_imposed",
            "practice",
            "key",
        )
    )
}


_DUPLEX = {"simplex": "one_sided", "long-edge": "long_edge", "short-edge": "short_edge"}


def _file(path: str, entry: Mapping[str, Any], files: Mapping[str, Any], locale: Locale) -> dict[str, Any]:
    stem, title = path.removesuffix(".pdf"), entry["title"]
    game = f"{locale.text('game.title', game=True)} – "
    return {
        "path": path,
        "kind": entry["kind"],
        "title": title,
        "name": title if entry["kind"] == "practice" else title.removeprefix(game),
        "use": locale.own(f"kind_use.{entry['kind']}"),
        "card": entry["card"],
        "code": entry["code"],
        "pages": entry["pages"],
        "audience": entry["audience"],
        "duplex": _DUPLEX[entry["duplex"]],
        "thumbnail": f"{stem}.png" if f"{stem}.png" in files else "",
        "html": f"{stem}.html" if f"{stem}.html" in files else "",
    }
