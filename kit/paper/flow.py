"""HTML that flows over pages -> a PDF that is judged before it is handed on. The only file that knows WeasyPrint.

Nothing comes from outside: pictures are named bytes, fonts are the bundled ones and no others exist, and whatever the
renderer has to say is a fault, since it says so where it then goes on without the thing.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from kit.faults import BUG, SURROUNDINGS, Fault, Faults
from kit.paper import fonts
from kit.paper.expect import Box, Duplex, Expect, Made
from kit.paper.layout import Piece, Rect, judge, meet, page_fill, short
from kit.paper.sizes import DEAD_MARGIN, Size

BASE = "https://kit.invalid/"  # where the named bytes live; .invalid is reserved and never resolves
PAGES = 200  # a document
HTML_LIMIT = 4 * 1024**2  # characters
MM = 25.4 / 96  # a CSS pixel
POINTS = 0.75  # a CSS pixel
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
DEEP = frozenset("gjpqyçQ,;()[]{}§|/_¶†‡@µ")  # characters that reach below the line
OURS = frozenset({fonts.TEXT, fonts.SYMBOLS})
HOLDERS = frozenset({"InlineBlockBox", "TableCellBox", "TableCaptionBox"})  # besides all blocks: what text must stay in
UNPRINTED = frozenset({"head", "script", "style", "template", "title"})
SCREEN_ONLY = "screen-only"  # the class (or the attribute `hidden`) of what may be missing from paper
SVG = "{http://www.w3.org/2000/svg}"
_DUPLEX = {"simplex": "/Simplex", "long-edge": "/DuplexFlipLongEdge", "short-edge": "/DuplexFlipShortEdge"}


@dataclass(frozen=True)
class Flowed(Made):
    """A flowing document. `fill`: the share of its height that each page uses; `anchors`: id -> page, from 1."""

    fill: tuple[float, ...] = ()
    anchors: Mapping[str, int] | None = None


class _TooLong(BaseException):
    """More pages than PAGES; not an Exception, so that the renderer does not swallow it."""


def render(
    html: str,
    css: str = "",
    *,
    size: Size,
    lang: str,
    title: str,
    duplex: Duplex = "simplex",
    tagged: bool = True,
    files: Mapping[str, bytes] | None = None,
    margin: float = DEAD_MARGIN,
    smallest: float = 6.0,
    source: object = None,
) -> Flowed:
    """Lay `html` out on pages of `size` and judge the layout.

    `css` is the stylesheet (its @page may set margins; the size is `size`'s), `files` the bytes of the pictures that
    are named, `margin` the printer's dead margin in mm, `smallest` the least size of text in pt, `source` what to name
    in a fault. An element that must stand at an exact size says so in mm from its content box, or without x … height
    for its border box: data-expect='[{"what": "ruler", "label": "100 mm", "x": 0, "y": 0, "width": 100, "height": 4}]'.
    Each becomes an Expect.box. Raises Fault or Faults: whatever the renderer logs, or the judge of the layout finds.
    """
    if len(html) > HTML_LIMIT:
        raise Fault(
            f"“{title}” has {len(html):,} characters of HTML, more than {HTML_LIMIT:,}", "Split it", path=source
        )
    engine = _engine()
    fetcher = engine.fetcher(dict(files or {}))
    try:
        with _log_is_fault(source, title):
            sheets, counters = _stylesheets(f"{css}\n@page {{ size: {size.width}mm {size.height}mm }}")
            page = engine.weasyprint.HTML(string=html, base_url=BASE, url_fetcher=fetcher, encoding="utf-8")
            _name(page.etree_element, lang, title, source)
            document = page.render(
                font_config=engine.fonts, counter_style=counters.copy(), stylesheets=[sheets], **_options(tagged)
            )
            document.metadata.title = title
            document.metadata.generator = "kit"
        flowed = _judged(document, page.etree_element, size, margin, smallest, source)
        with _log_is_fault(source, title):
            pdf: bytes = document.write_pdf(finisher=lambda _, made: _finish(made, lang, duplex), **_options(tagged))
    except engine.fatal as error:
        raise Fault(str(error), "Only files that the kit itself hands over can be used", path=source) from None
    except _TooLong:
        raise Fault(f"“{title}” needs more than {PAGES} pages", "Split it", path=source) from None
    except RecursionError:
        raise Fault(f"“{title}” is nested too deeply to be laid out", "Nest it less", path=source) from None
    except MemoryError:
        raise Fault(
            f"“{title}” needs more memory to be laid out than there is", "Make it simpler", path=source
        ) from None
    except (Fault, Faults):
        raise
    except (
        Exception
    ) as error:  # the renderer breaks in many ways on odd input: name the document, never show a traceback
        reason = f"{type(error).__name__}: {str(error)[:200]}"
        raise Fault(
            f"“{title}” cannot be laid out ({reason})", "Look for an odd size, span or nesting", path=source
        ) from error
    pages, fill, boxes, anchors = flowed
    expect = Expect(
        width=size.width,
        height=size.height,
        lang=lang,
        title=title,
        duplex=duplex,
        tagged=tagged,
        pages=pages,
        boxes=boxes,
    )
    return Flowed(pdf, expect, fill=fill, anchors=anchors)


def warm() -> None:
    """Load the renderer and the fonts, so that processes forked from this one need not. Raises Fault."""
    _engine()


def _options(tagged: bool) -> dict[str, Any]:
    return {"pdf_variant": "pdf/ua-1", "pdf_tags": True} if tagged else {}


# ---------------------------------------------------------------------------------------------------- the renderer


@dataclass(frozen=True)
class _Engine:
    weasyprint: Any
    fonts: Any
    fetcher: Any
    fatal: type[BaseException]
    counter_style: Any


@cache
def _engine() -> _Engine:
    """WeasyPrint with the bundled fonts and none besides; one a process.

    Fontconfig reads its configuration when the library is loaded and when a FontConfiguration is made, so the private
    file need not outlive this call. Raises Fault(SURROUNDINGS) where a library or the fonts are missing.
    """
    fonts.paths()  # checked byte for byte; with no fonts at all, Pango would crash in layout
    before = os.environ.get("FONTCONFIG_FILE")
    with tempfile.TemporaryDirectory(prefix="kit-fonts-") as folder, warnings.catch_warnings():
        private = Path(folder, "fonts.conf")
        private.write_text(
            '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n'
            f"<fontconfig><cachedir>{escape(folder)}</cachedir><dir>{escape(str(fonts.FOLDER))}</dir>"
            '<match target="scan"><test name="family"><string>Atkinson Hyperlegible</string></test>'
            f'<edit name="family" mode="prepend"><string>{fonts.TEXT}</string></edit></match></fontconfig>\n',
            encoding="utf-8",
        )
        os.environ["FONTCONFIG_FILE"] = str(private)
        warnings.simplefilter("error", DeprecationWarning)  # “HarfBuzz-Subset will be required”: it is by us
        try:
            import weasyprint
            from weasyprint.css.counters import CounterStyle
            from weasyprint.text.fonts import FontConfiguration
            from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

            configuration = FontConfiguration()
        except (OSError, ImportError, DeprecationWarning) as error:
            raise Fault(
                f"WeasyPrint or a library it needs is missing ({str(error).splitlines()[0][:200]})",
                "Run kit doctor",
                code=SURROUNDINGS,
            ) from error
        finally:
            if before is None:
                del os.environ["FONTCONFIG_FILE"]
            else:
                os.environ["FONTCONFIG_FILE"] = before

    class Outside(FatalURLFetchingError):  # type: ignore[misc]
        """A document named something that it was not given."""

    class Files(URLFetcher):  # type: ignore[misc]
        """Hands out named bytes; never opens a socket or a file."""

        def __init__(self, files: Mapping[str, bytes]) -> None:
            super().__init__(allowed_protocols=())
            self.files = files

        def fetch(self, url: str, headers: object = None) -> Any:
            name = url.removeprefix(BASE)
            if not url.startswith(BASE) or name not in self.files:
                raise Outside(f"{short(name if url.startswith(BASE) else url)} is outside the document")
            return URLFetcherResponse(url, self.files[name], {"Content-Type": _media_type(name)})

    return _Engine(weasyprint, configuration, Files, Outside, CounterStyle)


def _media_type(name: str) -> str:
    kinds = {"svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "css": "text/css"}
    return kinds.get(name.rsplit(".", 1)[-1].lower(), "application/octet-stream")


@lru_cache(maxsize=32)
def _stylesheets(css: str) -> tuple[Any, Any]:
    """The parsed stylesheet and its counter styles; a build uses few and uses them often. It cannot name any file."""
    engine = _engine()
    counters = engine.counter_style()
    sheet = engine.weasyprint.CSS(
        string=css, base_url=BASE, url_fetcher=engine.fetcher({}), font_config=engine.fonts, counter_style=counters
    )
    return sheet, counters


class _Listener(logging.Handler):
    """Keeps what the renderer says, and stops it after PAGES pages."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            self.lines.append(record.getMessage())
        elif isinstance(record.args, tuple) and "Creating layout - Page" in record.msg and record.args > (PAGES,):
            raise _TooLong


@contextmanager
def _log_is_fault(source: object, title: str) -> Iterator[None]:
    """Any line that the renderer logs within is a fault: it is about something that it left out or replaced."""
    listener = _Listener()
    loggers = [logging.getLogger(name) for name in ("weasyprint", "weasyprint.progress", "fontTools")]
    kept = [(logger, logger.level, logger.propagate) for logger in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)  # Pillow's, about pictures that unpack into too many pixels
        warnings.simplefilter("error", UserWarning)
        try:
            for logger in loggers:
                logger.propagate = False
                logger.setLevel(logging.INFO if logger.name == "weasyprint.progress" else logging.WARNING)
                if logger.name != "weasyprint.progress":
                    logger.addHandler(listener)
            logging.getLogger("weasyprint.progress").addHandler(listener)
            yield
        finally:
            for logger, level, propagate in kept:
                logger.removeHandler(listener)
                logger.setLevel(level)
                logger.propagate = propagate
    if listener.lines:
        raise Faults(
            Fault(
                f"“{title}”: the renderer says: {short(line, 300)}", "Nothing may be left out or replaced", path=source
            )
            for line in dict.fromkeys(listener.lines)
        )


def _name(root: Any, lang: str, title: str, source: object) -> None:
    """Give the document its language (it rules hyphenation and speech); one that says another is a fault."""
    if root.get("lang", lang) != lang:
        raise Fault(
            f"“{title}” says it is in {root.get('lang')}, not {lang}", "Mend the template", path=source, code=BUG
        )
    root.set("lang", lang)


# ---------------------------------------------------------------------------------------------------- the layout


def _judged(
    document: Any, root: Any, size: Size, margin: float, smallest: float, source: object
) -> tuple[int, tuple[float, ...], tuple[Box, ...], dict[str, int]]:
    """Read the laid-out boxes and judge them. Returns pages, fill, boxes that the document claims, anchors."""
    faults: list[Fault] = []
    fill: list[float] = []
    claims: list[Box] = []
    letters: Counter[int] = Counter()
    anchors = {name: number for number, page in reversed(list(enumerate(document.pages, 1))) for name in page.anchors}
    paper = Rect(0, 0, size.width, size.height)
    for number, page in enumerate(document.pages, 1):
        if abs(page.width * MM - size.width) > 0.01 or abs(page.height * MM - size.height) > 0.01:
            faults.append(_bug(f"page {number} has another size than {size.width:g} x {size.height:g} mm", source))
            continue
        box = page._page_box
        pieces = list(_pieces(box, letters))
        content = _rect(box.content_box_x(), box.content_box_y(), box.width, box.height)
        faults += [
            _foreign(piece, number, source)
            for piece in pieces
            if piece.kind == "text" and not OURS.issuperset(piece.family)
        ]
        said = judge(pieces, content, paper, margin, smallest, last=number == len(document.pages))
        faults += [Fault(f"page {number}: {what}", cure, path=source) for what, cure in said]
        fill.append(page_fill(pieces, content))
        claims += _claims(box, number)
        faults += _links(page, anchors, number, source)
    faults += _lost(root, letters, source)
    if faults:
        raise Faults(faults)
    return len(document.pages), tuple(fill), tuple(claims), anchors


def _foreign(piece: Piece, number: int, source: object) -> Fault:
    """Text that asks for a font that is not bundled; it would silently be set in one that is."""
    wanted = ", ".join(name for name in piece.family if name not in OURS)
    return Fault(f"page {number}: “{short(piece.what)}” asks for the font {wanted}", f"Use {fonts.TEXT}", path=source)


def _bug(what: str, source: object) -> Fault:
    return Fault(what, "Mend the template", path=source, code=BUG)


def _rect(x: float, y: float, width: float, height: float, matrix: Any = None) -> Rect:
    """A rectangle in CSS pixels -> mm on the page; turned ones give their bounding box."""
    corners = [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
    if matrix is not None:
        corners = [matrix.transform_point(*corner) for corner in corners]
    across, down = [corner[0] * MM for corner in corners], [corner[1] * MM for corner in corners]
    return Rect(min(across), min(down), max(across), max(down))


def _pieces(
    box: Any,
    letters: Counter[int],
    matrix: Any = None,
    clip: Rect | None = None,
    holder: Rect | None = None,
    flow: bool = True,
    heading: bool = False,
) -> Iterator[Piece]:
    """Everything visible on a page, in tree order, with what bounds it. Counts the letters laid out by element."""
    box = getattr(box, "_box", box)  # left in the place of a box that is positioned absolutely
    style, kind = box.style, type(box).__name__
    if box.transformation_matrix:
        matrix = box.transformation_matrix @ matrix if matrix else box.transformation_matrix
    flow = flow and kind not in ("MarginBox", "FootnoteAreaBox") and not box.is_absolutely_positioned()
    heading = heading or box.element_tag in HEADINGS
    text = getattr(box, "text", None)
    if text is not None and not hasattr(box, "replacement"):
        letters[id(box.element)] += sum(map(str.isalnum, text))
        if style["visibility"] == "visible" and text.strip():
            scale = abs(matrix.determinant) ** 0.5 if matrix else 1.0
            em = style["font_size"]
            depth = 0.74 + (
                0.22 if DEEP.intersection(text) else 0.02
            )  # of an em, from the top of a capital to the lowest ink
            rect = _rect(box.position_x, box.position_y + box.baseline - 0.74 * em, box.width, depth * em, matrix)
            yield Piece(
                "text", text, rect, flow, clip, holder, heading, em * scale * POINTS, tuple(style["font_family"])
            )
        return
    visible = style["visibility"] == "visible"
    if kind not in ("PageBox", "LineBox", "MarginBox") and hasattr(box, "border_top_width") and hasattr(box, "width"):
        border = _rect(box.border_box_x(), box.border_box_y(), box.border_width(), box.border_height(), matrix)
        replaced = hasattr(box, "replacement")
        drawn = (
            replaced
            or (box.background is not None and _painted(box))
            or box.border_top_width + box.border_bottom_width > 0
        )
        cut = style["max_lines"] != "none" or style["block_ellipsis"] != "none" or style["continue"] != "auto"
        if visible and (drawn or kind == "TableBox"):
            name = f"<{str(box.element_tag).replace(SVG, '')}>"
            yield Piece("image" if replaced else "box", _words(box) or name, border, flow, clip, None, heading)
        if cut:
            yield Piece("cut", _words(box), border, flow, clip, None, heading)
        if box.children and not replaced and (kind in HOLDERS or not kind.startswith(("Inline", "Text", "Table"))):
            holder = border
        if style["overflow"] != "visible" and not box.is_for_root_element:
            inner = _rect(box.padding_box_x(), box.padding_box_y(), box.padding_width(), box.padding_height(), matrix)
            clip = meet(clip, inner)
    for child in box.children:
        yield from _pieces(child, letters, matrix, clip, holder, flow, heading)


def _painted(box: Any) -> bool:
    background = box.background
    return bool(background.layers) and (background.color.alpha > 0 or any(layer.image for layer in background.layers))


def _words(box: Any) -> str:
    return short("".join(getattr(part, "text", None) or "" for part in _every(box)))


def _every(box: Any) -> Iterator[Any]:
    box = getattr(box, "_box", box)
    yield box
    for child in box.children:
        yield from _every(child)


def _claims(page: Any, number: int) -> Iterator[Box]:
    """The boxes that elements on this page say they have at an exact size (data-expect)."""
    seen: set[int] = set()
    for box in _every(page):
        data = None if box.element is None or id(box.element) in seen else box.element.get("data-expect")
        if data and hasattr(box, "border_top_width"):
            seen.add(id(box.element))
            border = _rect(box.border_box_x(), box.border_box_y(), box.border_width(), box.border_height())
            x, y = box.content_box_x() * MM, box.content_box_y() * MM
            for claim in json.loads(data):
                if "width" in claim:
                    yield Box(number, **{**claim, "x": x + claim.get("x", 0), "y": y + claim.get("y", 0)})
                else:
                    yield Box(number, border.left, border.top, border.width, border.height, **claim)


def _links(page: Any, anchors: Mapping[str, int], number: int, source: object) -> Iterator[Fault]:
    """Links lead out by https or mailto alone, and a page number in a table of contents is the target's."""
    for kind, target, _, box in page.links:
        if kind == "attachment" or (kind == "external" and not _may_leave(target)):
            yield Fault(f"page {number}: a link to {short(target)}", "Use https:, mailto: or #id", path=source)
        if kind == "internal" and _in_contents(box.element):
            text = "".join(getattr(part, "text", None) or "" for part in _every(box)).rstrip()
            printed = text[len(text.rstrip("0123456789")) :]
            if printed and int(printed) != anchors.get(target):
                yield Fault(
                    f"page {number}: the contents say {short(text)}, but it is on page {anchors.get(target)}",
                    "Mend the template's page numbers",
                    path=source,
                )


def _may_leave(target: str) -> bool:
    return target.startswith(("https://", "mailto:")) and not target.startswith(BASE)


def _in_contents(element: Any) -> bool:
    """Whether a link is a line of the contents: templates give it the class, since elements know no parents."""
    return element is not None and "contents-entry" in (element.get("class") or "").split()


def _lost(root: Any, letters: Counter[int], source: object) -> Iterator[Fault]:
    """An element whose letters were not all laid out. What only the screen shows says so by class or `hidden`."""
    stack = [root]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or element.tag in UNPRINTED or element.tag.startswith(SVG):
            continue
        if element.get("hidden") is not None or SCREEN_ONLY in (element.get("class") or "").split():
            continue
        children = list(element)
        text = (element.text or "") + "".join(child.tail or "" for child in children)
        lost = sum(map(str.isalnum, text)) - letters[id(element)]
        if lost > 0:
            yield Fault(
                f"{lost} letters of <{element.tag}> “{short(text)}” are not on paper",
                f"Mend the layout, or mark the element as {SCREEN_ONLY}",
                path=source,
            )
        stack += reversed(children)


# ---------------------------------------------------------------------------------------------------- the finisher


def _finish(pdf: Any, lang: str, duplex: Duplex) -> None:
    """What print dialogs and screen readers need and WeasyPrint leaves out."""
    from weasyprint.pdf import pydyf

    wishes = pdf.catalog.setdefault("ViewerPreferences", pydyf.Dictionary())
    wishes.update(
        {"PrintScaling": "/None", "Duplex": _DUPLEX[duplex], "PickTrayByPDFSize": "true", "DisplayDocTitle": "true"}
    )
    pdf.catalog["Lang"] = pydyf.String(lang)
    by_reference: dict[bytes, Any] = {item.reference: item for item in pdf.objects if hasattr(item, "setdefault")}
    for item in by_reference.values():
        if item.get("Subtype") == "/Link":
            item["F"] = 4  # printed with the page
        elif item.get("S") == "/TH":
            column = any(up.get("S") == "/THead" for up in _above(item, by_reference))
            item.setdefault("A", pydyf.Dictionary({"O": "/Table"}))["Scope"] = "/Column" if column else "/Row"


def _above(item: Any, by_reference: Mapping[bytes, Any]) -> Iterator[Any]:
    while (up := by_reference.get(item.get("P"))) is not None:
        yield up
        item = up
