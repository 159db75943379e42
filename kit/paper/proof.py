"""The proof: every finished PDF is read back, measured, and refused when it is not what it claims to be.

`prove` refuses by raising Faults, one line each: what, on which page, what to do. `measure` looks at a file and says
what it found and which checks a PDF alone does not allow.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, NamedTuple

from kit.faults import SURROUNDINGS, Fault, Faults
from kit.paper import fonts
from kit.paper.expect import Box, Expect
from kit.paper.layout import Rect, meet, short
from kit.paper.reading import Content, Edge, Fill, Text, pages
from kit.paper.sizes import DEAD_MARGIN, TOLERANCE

State = Literal["ok", "refused", "skipped"]

OUR_FONTS = frozenset(name.removesuffix(".ttf") for name in fonts.FILES.values())
OUR_FAMILIES = (fonts.TEXT.replace(" ", "-"), fonts.SYMBOLS.replace(" ", "-"))  # as WeasyPrint names them, with a style
STANDARD = ("Helvetica", "Courier", "Times", "Symbol", "ZapfDingbats", "Arial")
DUPLEX = {"simplex": "/Simplex", "long-edge": "/DuplexFlipLongEdge", "short-edge": "/DuplexFlipShortEdge"}
SMALLEST = 5.0  # pt; the layout asks for more, but it cannot see into pictures
UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "inch": 25.4, "inches": 25.4, "tum": 25.4, '"': 25.4, "″": 25.4}
RESOLUTION = 0.1  # mm a pixel, for looking into the margin
FULL = 0.5  # share of an edge that must be drawn for it to be an edge and not a mark
NEAR = 8.0  # mm around a block in which its label may stand
COVERED = 2  # of the 15 places at which a text is looked at


class Row(NamedTuple):
    """One check of the report."""

    check: str
    measured: str
    wanted: str
    state: State


@dataclass
class Report:
    """What was measured."""

    pages: int = 0
    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.faults

    def summary(self) -> dict[str, Any]:
        """For the manifest: how many checks held, and which were not made."""
        return {
            "ok": self.ok,
            "checks": sum(row.state == "ok" for row in self.rows),
            "skipped": [row.check for row in self.rows if row.state == "skipped"],
        }

    def table(self) -> str:
        """The rows as aligned text."""
        head = Row("check", "measured", "wanted", "state")  # type: ignore[arg-type]
        rows = [head, *self.rows]
        wide = [max(len(row[column]) for row in rows) for column in range(4)]
        return "\n".join("  ".join(cell.ljust(wide[place]) for place, cell in enumerate(row)).rstrip() for row in rows)


def prove(pdf: bytes, expect: Expect, margin: float = DEAD_MARGIN, *, deck: Mapping[str, int] | None = None) -> Report:
    """Hold a finished PDF against what its maker says about it. Raises Faults when it is refused.

    `margin`: what the printer leaves unprinted at each edge, in mm. `deck`: how often each label must be found on the
    boxes that are cards; without it, each label once.
    """
    report = _measured(pdf, expect, margin, deck)
    if report.faults:
        raise Faults(report.faults)
    return report


def measure(path: Path | str, expect: Expect | None = None, margin: float = DEAD_MARGIN) -> Report:
    """Measure a file; what is refused is in the report's `faults`. Raises Fault when it cannot be read as a PDF."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise Fault(f"it cannot be read ({error.strerror})", "Name a PDF file", path=path, code=SURROUNDINGS) from error
    try:
        report = _measured(data, expect, margin, None)
    except Fault as fault:
        fault.path = path
        raise
    for each in report.faults:
        each.path = path
    return report


def thumbnail(pdf: bytes, page: int, width_px: int) -> bytes:
    """One page (from 1) as a PNG picture of that width."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        sheet = document[page - 1]
        picture = sheet.render(scale=width_px / sheet.get_width()).to_pil().convert("RGB")
        made = BytesIO()
        picture.quantize(64).save(made, "PNG", optimize=False)
        return made.getvalue()
    finally:
        document.close()


# ---------------------------------------------------------------------------------------------------- the checks


class _Proof:
    """The checks of one file, each noting a row, and a fault for each thing that is wrong."""

    def __init__(
        self, pdf: Any, data: bytes, expect: Expect | None, margin: float, deck: Mapping[str, int] | None
    ) -> None:
        self.pdf, self.data, self.expect, self.margin, self.deck = pdf, data, expect, margin, deck
        self.report = Report(pages=len(pdf.pages))
        self.contents: list[Content] = []
        self.places: dict[Box, Rect] = {}  # where the boxes were found

    def row(self, check: str, measured: object, wanted: object, faults: Iterable[Fault] = ()) -> None:
        found = list(faults)
        self.report.faults += found
        self.report.rows.append(Row(check, str(measured), str(wanted), "refused" if found else "ok"))

    def skip(self, check: str, why: str) -> None:
        self.report.rows.append(Row(check, why, "", "skipped"))

    def run(self) -> Report:
        self.structure()
        try:
            self.contents = list(pages(self.pdf))
        except Fault as fault:
            self.row("drawing", "unreadable", "readable", [fault])
            return self.report
        self.sizes()
        self.fonts()
        self.glyphs()
        self.texts()
        self.ink()
        if self.expect is None:
            for check in ("boxes and rulers", "registration", "each card once", "texts"):
                self.skip(check, "needs the maker's expectations")
        else:
            self.boxes(self.expect)
            self.registration(self.expect)
            self.cards(self.expect)
            self.wanted_texts(self.expect)
        return self.report

    # the file

    def structure(self) -> None:
        root, expect = self.pdf.Root, self.expect
        wishes = root.get("/ViewerPreferences", {})
        active = list(_active(self.pdf))
        nothing = "none but https, mailto"
        self.row(
            "actions and links", short("; ".join(active)) or nothing, nothing, [Fault(a, "Remove it") for a in active]
        )
        self.same("language", str(root.get("/Lang", "")), expect.lang if expect else None, "its language")
        self.same("title", str(self.pdf.docinfo.get("/Title", "")), expect.title if expect else None, "its title")
        self._tags(root)
        self.same(
            "print scaling", str(wishes.get("/PrintScaling", "")), "/None", "the scaling that the viewer is asked for"
        )
        duplex = str(wishes.get("/Duplex", ""))
        known = duplex if duplex in DUPLEX.values() else "/Simplex"
        self.same(
            "duplex", duplex, DUPLEX[expect.duplex] if expect else known, "the duplex that the viewer is asked for"
        )
        if expect is not None and expect.pages is not None:
            self.same("pages", str(len(self.pdf.pages)), str(expect.pages), "the number of pages")

    def same(self, check: str, measured: str, wanted: str | None, what: str) -> None:
        """A row for a value that must be `wanted`, or be there at all when that is None."""
        good = measured == wanted if wanted is not None else bool(measured.strip())
        goal = wanted if wanted is not None else "any"
        said = f"“{short(measured)}”" if measured.strip() else "not set"
        faults = [] if good else [Fault(f"{what} is {said}, not “{short(goal)}”", "Build it again")]
        self.row(check, short(measured) or "none", short(goal), faults)

    def _tags(self, root: Any) -> None:
        tagged = "/StructTreeRoot" in root and bool(root.get("/MarkInfo", {}).get("/Marked", False))
        shown = bool(root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False))
        if self.expect is None or not self.expect.tagged:
            self.row("tags", "yes" if tagged else "no", "any")
            return
        faults = [] if tagged else [Fault("it has no tags", "Make it as a tagged PDF")]
        faults += [] if shown else [Fault("viewers are not asked to show the title", "Set DisplayDocTitle")]
        self.row("tags", "yes" if tagged else "no", "yes", faults)

    def sizes(self) -> None:
        expect = self.expect
        seen = Counter(f"{content.width:.2f} x {content.height:.2f} mm" for content in self.contents)
        faults = []
        for number, (page, content) in enumerate(zip(self.pdf.pages, self.contents, strict=True), 1):
            if expect and (
                abs(content.width - expect.width) > TOLERANCE or abs(content.height - expect.height) > TOLERANCE
            ):
                faults.append(
                    Fault(
                        f"page {number} is {content.width:.2f} x {content.height:.2f} mm, "
                        f"not {expect.width:g} x {expect.height:g}",
                        "Build it again",
                    )
                )
            media, crop = ([float(side) for side in box] for box in (page.mediabox, page.cropbox))
            if any(abs(one - other) * 25.4 / 72 > TOLERANCE for one, other in zip(media, crop, strict=True)):
                faults.append(
                    Fault(f"page {number} is cropped: viewers will scale it", "Make CropBox and MediaBox equal")
                )
        wanted = f"{expect.width:g} x {expect.height:g} mm" if expect else "any"
        self.row("page size", ", ".join(seen), wanted, faults)

    # fonts and text

    def fonts(self) -> None:
        faults, names = [], set()
        for name, embedded, kind in sorted(set(_all_fonts(self.pdf))):
            names.add(name)
            if not embedded:
                standard = " (one of the standard 14)" if name.startswith(STANDARD) else ""
                faults.append(Fault(f"the font {name}{standard} is not embedded", "Use the bundled fonts"))
            elif (
                self.expect is not None and not (name in OUR_FONTS or name.startswith(OUR_FAMILIES))
            ) or kind == "/Type3":
                faults.append(Fault(f"the font {name} is not one of ours", "Use the bundled fonts"))
        self.row("fonts", short(", ".join(sorted(names)), 70) or "none", "embedded", faults)

    def glyphs(self) -> None:
        faults = []
        count = 0
        for number, content in enumerate(self.contents, 1):
            lacking: dict[str, str] = {}
            for text in content.texts:
                count += len(text.text)
                for character in text.missing:
                    lacking.setdefault(character, text.text)
            for character, where in lacking.items():
                code = f" (U+{ord(character):04X})" if len(character) == 1 else ""
                faults.append(
                    Fault(
                        f"page {number}: “{character}”{code} has no glyph, in “{short(where)}”",
                        "Write it with other characters",
                    )
                )
        self.row("glyphs", f"{count} characters", "each has one", faults)

    def texts(self) -> None:
        """Text that is in the file, but that nobody can read on paper."""
        cut, covered, pale, small = [], [], [], []
        for number, content in enumerate(self.contents, 1):
            paper = Rect(0, 0, content.width, content.height)
            opaque = [fill for fill in content.fills if fill.opaque and min(fill.rect.width, fill.rect.height) > 0.2]
            for text in content.texts:
                name = f"page {number}: “{short(text.text)}”"
                if not text.text.strip():
                    continue
                if not text.rect.within(meet(paper, text.clip), slack=0.2):
                    cut.append(Fault(f"{name} is clipped", "Give it more room"))
                if text.size < SMALLEST - 0.01:
                    small.append(
                        Fault(f"{name} is set in {text.size:.1f} pt, smaller than {SMALLEST:g} pt", "Set it larger")
                    )
                over = _over(text, opaque)
                if over is not None:
                    covered.append(Fault(f"{name} is covered by what is painted later", "Move one of them"))
                elif not text.visible or _faint(text, opaque):
                    pale.append(Fault(f"{name} cannot be seen against what is behind it", "Give it another colour"))
        count = sum(len(content.texts) for content in self.contents)
        self.row("text clipped", len(cut), f"0 of {count}", cut)
        self.row("text covered", len(covered), f"0 of {count}", covered)
        self.row("text unseen", len(pale), f"0 of {count}", pale)
        sizes = [text.size for content in self.contents for text in content.texts if text.text.strip()]
        self.row("smallest text", f"{min(sizes, default=0):.1f} pt", f"at least {SMALLEST:g} pt", small)

    def ink(self) -> None:
        """Whatever a printer would lay down in its dead margin: looked for in the picture of the page."""
        faults = []
        for number, (x, y) in _margin_ink(self.data, self.margin):
            content = self.contents[number - 1]
            near = min(content.texts, key=lambda text: _distance(text.rect, x, y), default=None)
            named = f", at “{short(near.text)}”" if near is not None and _distance(near.rect, x, y) < 1 else ""
            faults.append(
                Fault(
                    f"page {number}: something is drawn within {self.margin:g} mm of the edge, "
                    f"{x:.1f} mm from the left and {y:.1f} mm from the top{named}",
                    "Move it in",
                )
            )
        self.row("dead margin", "ink" if faults else "clear", f"{self.margin:g} mm clear", faults)

    # what is cut out or laid on

    def boxes(self, expect: Expect) -> None:
        kinds: dict[str, list[float]] = {}
        faults: dict[str, list[Fault]] = {}
        for number, group in _by_page(expect.boxes).items():
            if number > len(self.contents):
                faults.setdefault("boxes", []).append(Fault(f"page {number} is missing", "Build it again"))
                kinds.setdefault("boxes", [])
                continue
            lines = _Lines(self.contents[number - 1])
            for box in group:
                kinds.setdefault(box.what, [])
                place, wrong = _find(box, lines)
                faults.setdefault(box.what, []).extend(wrong)
                if place is not None:
                    self.places[box] = place
                    kinds[box.what] += [abs(place.left - box.x), abs(place.top - box.y),
                                        abs(place.width - box.width), abs(place.height - box.height)]  # fmt: skip
                faults[box.what] += _label(box, self.contents[number - 1])
        for kind, errors in sorted(kinds.items()):
            count = sum(box.what == kind for box in expect.boxes)
            self.row(
                f"{kind}: {count}",
                f"off by {max(errors, default=0):.3f} mm",
                f"at most {TOLERANCE} mm",
                faults.get(kind, []),
            )
        if not kinds:
            self.row("boxes", "none", "none")

    def registration(self, expect: Expect) -> None:
        faults: list[Fault] = []
        worst = 0.0
        x_off, y_off = expect.registration_offset
        across = (expect.duplex == "long-edge") == (
            expect.height >= expect.width
        )  # turned over like the page of a book
        for front, back in expect.registration:
            fronts = [box for box in expect.boxes if box.page == front and box.what == "card"]
            backs = [
                self.places[box]
                for box in expect.boxes
                if box.page == back and box.what == "back" and box in self.places
            ]
            if expect.duplex == "simplex" or not fronts or len(fronts) != len(backs):
                faults.append(
                    Fault(
                        f"page {back}: {len(backs)} backs for the {len(fronts)} cards of page {front}",
                        "Give each card its back",
                    )
                )
                continue
            for box in fronts:
                place = self.places.get(box)
                if place is None:
                    continue
                x, y = (place.left + place.right) / 2, (place.top + place.bottom) / 2
                x, y = (expect.width - x + x_off, y + y_off) if across else (x + x_off, expect.height - y + y_off)
                off = min(max(abs((b.left + b.right) / 2 - x), abs((b.top + b.bottom) / 2 - y)) for b in backs)
                worst = max(worst, off)
                if off > 2 * TOLERANCE:
                    faults.append(
                        Fault(
                            f"page {back}: no back lies behind the card {box.label or ''} of page {front}; "
                            f"the nearest is off by {off:.2f} mm",
                            "Mirror the backs",
                        )
                    )
        if expect.registration:
            self.row("backs behind cards", f"off by {worst:.3f} mm", f"at most {2 * TOLERANCE} mm", faults)

    def cards(self, expect: Expect) -> None:
        """Each card of the deck is printed as often as it should be, and shows its own label and no other card's."""
        cards = [box for box in expect.boxes if box.what == "card" and box.label]
        if not cards:
            return
        found = Counter(box.label for box in cards)
        wanted = Counter(dict(self.deck)) if self.deck is not None else Counter(dict.fromkeys(found, 1))
        faults = [
            Fault(f"the card {label} is there {found[label]} times, not {wanted[label]}", "Build it again")
            for label in sorted(found | wanted)
            if found[label] != wanted[label]
        ]
        labels = {_plain(label) for label in found}
        for box in cards:
            if box.page <= len(self.contents):
                words = {_plain(text.text) for text in _texts_in(box, self.contents[box.page - 1])}
                others = sorted((words & labels) - {_plain(box.label)})
                if others:
                    faults.append(
                        Fault(f"page {box.page}: the card {box.label} also shows {', '.join(others)}", "Build it again")
                    )
        self.row("each card once", f"{len(cards)} cards", f"{sum(wanted.values())}", faults)

    def wanted_texts(self, expect: Expect) -> None:
        faults = []
        for number, wanted in expect.texts:
            there = (
                _plain("".join(text.text for text in self.contents[number - 1].texts))
                if number <= len(self.contents)
                else ""
            )
            if _plain(wanted) not in there:
                faults.append(Fault(f"page {number}: “{short(wanted)}” is not there", "Build it again"))
        if expect.texts:
            self.row("texts", len(expect.texts) - len(faults), len(expect.texts), faults)


def _measured(data: bytes, expect: Expect | None, margin: float, deck: Mapping[str, int] | None) -> Report:
    import pikepdf

    try:
        with pikepdf.open(BytesIO(data)) as pdf:
            return _Proof(pdf, data, expect, margin, deck).run()
    except pikepdf.PasswordError:
        raise Fault("it is encrypted", "Build it again") from None
    except (pikepdf.PdfError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise Fault(f"it cannot be read as a PDF ({short(str(error), 80)})", "Build it again") from error


# ---------------------------------------------------------------------------------------------------- the file


def _active(pdf: Any) -> Iterator[str]:
    """Whatever could do something when the file is opened, printed or clicked."""
    root = pdf.Root
    names = root.get("/Names", {})
    for key, what in (("/OpenAction", "an action on opening"), ("/AA", "an action"), ("/AcroForm", "a form")):
        if key in root and not (key == "/OpenAction" and hasattr(root[key], "append")):
            yield f"it has {what}"
    if "/JavaScript" in names:
        yield "it has a script"
    if "/EmbeddedFiles" in names or "/AF" in root:
        yield "it has an embedded file"
    for number, page in enumerate(pdf.pages, 1):
        if "/AA" in page.obj:
            yield f"page {number}: it has an action"
        for note in page.obj.get("/Annots", []):
            kind = str(note.get("/Subtype", ""))
            action = note.get("/A", {})
            target = str(action.get("/URI", ""))
            if kind != "/Link" or "/AA" in note:
                yield f"page {number}: it has an annotation of the kind {kind}"
            elif str(action.get("/S", "/GoTo")) not in ("/GoTo", "/URI"):
                yield f"page {number}: a link does {action.get('/S')}"
            elif "/URI" in action and not target.startswith(("https://", "mailto:")):
                yield f"page {number}: a link leads to {short(target)}"


def _all_fonts(pdf: Any) -> Iterator[tuple[str, bool, str]]:
    """(name, embedded, kind) of every font that the file lists, used or not."""
    for item in pdf.objects:
        if hasattr(item, "get") and _is(item, "/Type", "/Font") and str(item.get("/Subtype", "")) not in _DESCENDANTS:
            name = str(item.get("/BaseFont", item.get("/Name", "/?")))[1:].split("+")[-1]
            inner = item.DescendantFonts[0] if "/DescendantFonts" in item else item
            descriptor = inner.get("/FontDescriptor", {})
            kind = str(item.get("/Subtype", ""))
            yield (
                name,
                kind == "/Type3" or any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3")),
                kind,
            )


_DESCENDANTS = ("/CIDFontType0", "/CIDFontType2")


def _is(item: Any, key: str, value: str) -> bool:
    try:
        return str(item.get(key, "")) == value
    except (TypeError, ValueError, AttributeError):
        return False


# ---------------------------------------------------------------------------------------------------- text


def _over(text: Text, opaque: Sequence[Fill]) -> Fill | None:
    """The later area that hides a readable part of the text."""
    left, top, right, bottom = text.rect
    for fill in reversed(opaque):
        if fill.order < text.order:
            return None
        area = fill.rect
        if area.left >= right or area.right <= left or area.top >= bottom or area.bottom <= top:
            continue
        hidden = 0
        for across in (0.08, 0.29, 0.5, 0.71, 0.92):
            for down in (0.2, 0.5, 0.8):
                x, y = left + across * (right - left), top + down * (bottom - top)
                hidden += area.left <= x <= area.right and area.top <= y <= area.bottom and fill.holds(x, y)
        if hidden >= COVERED:
            return fill
    return None


def _faint(text: Text, opaque: Sequence[Fill]) -> bool:
    """Whether the text has nearly the colour of what lies behind it (white paper, if nothing does)."""
    if text.colour is None:
        return False
    x, y = (text.rect.left + text.rect.right) / 2, (text.rect.top + text.rect.bottom) / 2
    behind: tuple[float, float, float] | None = (1.0, 1.0, 1.0)
    for fill in opaque:
        if fill.order > text.order:
            break
        area = fill.rect
        if area.left <= x <= area.right and area.top <= y <= area.bottom and fill.holds(x, y):
            behind = fill.colour
    if behind is None:
        return False
    one, other = sorted((_luminance(text.colour), _luminance(behind)))
    return (other + 0.05) / (one + 0.05) < 1.4


def _luminance(colour: tuple[float, float, float]) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _plain(text: str) -> str:
    """Text without its blanks: how a run was cut into pieces is no matter."""
    return "".join(text.split())


def _texts_in(box: Box, content: Content, around: float = 0.0) -> list[Text]:
    """The seen texts whose middle lies in the box, in reading order."""
    area = Rect(box.x, box.y, box.x + box.width, box.y + box.height).inset(-around)
    inside = []
    for text in content.texts:
        x, y = (text.rect.left + text.rect.right) / 2, (text.rect.top + text.rect.bottom) / 2
        if text.visible and area.left <= x <= area.right and area.top <= y <= area.bottom:
            inside.append(text)
    return inside


# ---------------------------------------------------------------------------------------------------- margin


def _margin_ink(data: bytes, margin: float) -> Iterator[tuple[int, tuple[float, float]]]:
    """(page, (x, y)) of the first ink in each dead margin, by painting the four strips of each page finely."""
    import pypdfium2

    deep = int(margin / RESOLUTION - 0.5)  # pixels: what only touches the margin's inner edge is outside
    if deep <= 0:
        return
    point = 25.4 / 72
    document = pypdfium2.PdfDocument(data)
    try:
        for number in range(len(document)):
            page = document[number]
            width, height = page.get_width(), page.get_height()
            strip = deep * RESOLUTION / point
            scale = point / RESOLUTION
            strips = (  # crop from left, bottom, right, top; and where the strip begins
                ((0, 0, 0, height - strip), (0.0, 0.0)),
                ((0, height - strip, 0, 0), (0.0, (height - strip) * point)),
                ((0, 0, width - strip, 0), (0.0, 0.0)),
                ((width - strip, 0, 0, 0), ((width - strip) * point, 0.0)),
            )
            for crop, (left, top) in strips:
                picture = page.render(scale=scale, crop=crop, grayscale=True, may_draw_forms=False)
                spot = _dark(bytes(picture.buffer), picture.width, picture.stride)
                if spot is not None:
                    yield number + 1, (left + spot[0] * RESOLUTION, top + spot[1] * RESOLUTION)
                picture.close()
            page.close()
    finally:
        document.close()


def _dark(pixels: bytes, width: int, stride: int) -> tuple[int, int] | None:
    """The first pixel that is not white, as (column, row); padding at the end of a row is no pixel."""
    if pixels.count(b"\xff") == len(pixels):
        return None
    for row in range(len(pixels) // stride):
        line = pixels[row * stride : row * stride + width]
        rest = line.lstrip(b"\xff")
        if rest:
            return width - len(rest), row
    return None


def _distance(rect: Rect, x: float, y: float) -> float:
    return max(rect.left - x, x - rect.right, rect.top - y, y - rect.bottom, 0.0)


# ---------------------------------------------------------------------------------------------------- boxes


def _by_page(boxes: Iterable[Box]) -> dict[int, list[Box]]:
    found: dict[int, list[Box]] = {}
    for box in boxes:
        found.setdefault(box.page, []).append(box)
    return found


class _Lines:
    """The straight edges of a page, sorted for looking up."""

    def __init__(self, content: Content) -> None:
        self.upright, self.level = sorted(content.upright), sorted(content.level)

    @staticmethod
    def near(lines: Sequence[Edge], at: float, reach: float) -> Sequence[Edge]:
        return lines[bisect_left(lines, (at - reach,)) : bisect_left(lines, (at + reach,))]


def _stands(lines: Sequence[Edge], at: float, start: float, end: float, whole: bool, reach: float) -> float | None:
    """Where the edge that should stand at `at` is drawn, or None.

    `whole`: along it, or by a mark at either end of its line; else it is enough that something is drawn across its span
    (the end tick of a ruler).
    """
    by_place: dict[float, list[Edge]] = {}
    for edge in _Lines.near(lines, at, reach):
        by_place.setdefault(round(edge.at, 2), []).append(edge)
    for place in sorted(by_place, key=lambda place: abs(place - at)):
        edges = [edge for other in (place - 0.01, place, place + 0.01) for edge in by_place.get(round(other, 2), ())]
        covered = _covered(edges, start, end)
        marked = any(edge.end <= start + TOLERANCE for edge in edges) and any(
            edge.start >= end - TOLERANCE for edge in edges
        )
        if covered >= FULL * (end - start) or (whole and marked) or (not whole and covered > 0.3):
            return min(edges, key=lambda edge: abs(edge.at - at)).at
    return None


def _covered(edges: Iterable[Edge], start: float, end: float) -> float:
    """The length of start…end that the edges cover."""
    total, reached = 0.0, start
    for edge in sorted(edges, key=lambda edge: edge.start):
        left, right = max(edge.start, reached), min(edge.end, end)
        if right > left:
            total += right - left
            reached = right
    return total


def _find(box: Box, lines: _Lines) -> tuple[Rect | None, list[Fault]]:
    """Where the box stands, and what is wrong with that."""
    right, bottom = box.x + box.width, box.y + box.height
    sides: list[tuple[str, Sequence[Edge], float, float, float]] = [
        ("left", lines.upright, box.x, box.y, bottom),
        ("right", lines.upright, right, box.y, bottom),
        ("top", lines.level, box.y, box.x, right),
        ("bottom", lines.level, bottom, box.x, right),
    ]
    if box.what == "ruler":  # only its two ends are edges
        sides = sides[:2] if box.width >= box.height else sides[2:]
    found: dict[str, float] = {}
    faults = []
    name = f"{box.what} {box.label}".strip()
    for side, edges, at, start, end in sides:
        whole = box.what != "ruler"
        place = _stands(edges, at, start, end, whole, TOLERANCE + 0.005)
        if place is None:
            other = _stands(edges, at, start, end, whole, 4.0)
            seen = "is not drawn" if other is None else f"is at {other:.2f} mm"
            faults.append(
                Fault(
                    f"page {box.page}: the {side} edge of the {name} {seen}, not at {at:.2f} mm",
                    "Build it again at 100 %",
                )
            )
        else:
            found[side] = place
    if faults:
        return None, faults
    return Rect(
        found.get("left", box.x), found.get("top", box.y), found.get("right", right), found.get("bottom", bottom)
    ), []


_MEASURE = re.compile(r"(\d+(?:[.,]\d+)?)")
_UNIT = re.compile(r"(mm|cm|inches|inch|in|tum|\"|″)(?!\w)", re.I)


def _label(box: Box, content: Content) -> list[Fault]:
    """A box's label is readable in it (or by it, where it names a length), and what it says is true."""
    if not box.label:
        return []
    faults = []
    sized = box.what in ("ruler", "block")
    there = _plain("".join(text.text for text in _texts_in(box, content, NEAR if sized else 0.0)))
    if _plain(box.label) not in there:
        faults.append(Fault(f"page {box.page}: the {box.what} {box.label} does not show its label", "Build it again"))
    if sized:
        unit = _UNIT.search(box.label)
        factor = UNITS[unit[1].lower()] if unit else 1.0
        said = [float(number.replace(",", ".")) * factor for number in _MEASURE.findall(box.label)]
        true = [max(box.width, box.height)] if box.what == "ruler" else [box.width, box.height]
        if len(said) != len(true) or any(abs(one - other) > TOLERANCE for one, other in zip(said, true, strict=False)):
            sizes = " x ".join(f"{length:g}" for length in true)
            faults.append(
                Fault(f"page {box.page}: the {box.what} says “{box.label}”, but is {sizes} mm", "Build it again")
            )
    return faults
