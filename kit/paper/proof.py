"""The proof: every finished PDF is read back, measured, and refused when it is not what it claims to be.

`prove` refuses by raising Faults, one line each: what, on which page, what to do. `measure` looks at a file and says
what it found and which checks a PDF alone does not allow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Literal, NamedTuple

from kit.faults import Fault, Faults
from kit.paper import edges, fonts
from kit.paper.edges import middle, plain
from kit.paper.expect import Box, Expect
from kit.paper.layout import Rect, meet, short
from kit.paper.legible import Areas, covering, distance, faint, margin_ink
from kit.paper.reading import Content, inherited, pages
from kit.paper.sizes import DEAD_MARGIN, TOLERANCE

State = Literal["ok", "refused", "skipped"]

OUR_FONTS = frozenset(name.removesuffix(".ttf") for name in fonts.FILES.values())
OUR_FAMILIES = (fonts.TEXT.replace(" ", "-"), fonts.SYMBOLS.replace(" ", "-"))  # as WeasyPrint names them, with a style
STANDARD = ("Helvetica", "Courier", "Times", "Symbol", "ZapfDingbats", "Arial")
DUPLEX = {"simplex": "/Simplex", "long-edge": "/DuplexFlipLongEdge", "short-edge": "/DuplexFlipShortEdge"}
SMALLEST = 5.0  # pt; the layout asks for more, but it cannot see into pictures


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
    def passed(self) -> bool:
        return not self.faults

    def summary(self) -> dict[str, Any]:
        """For the manifest: how many checks held, and which were not made."""
        return {
            "ok": self.passed,
            "checks": sum(row.state == "ok" for row in self.rows),
            "skipped": [row.check for row in self.rows if row.state == "skipped"],
        }

    def table(self) -> str:
        """The rows as aligned text, and below them what is refused."""
        head = Row("check", "measured", "wanted", "state")  # type: ignore[arg-type]
        rows = [head, *self.rows]
        wide = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = ["  ".join(cell.ljust(wide[place]) for place, cell in enumerate(row)).rstrip() for row in rows]
        return "\n".join(lines + [str(fault) for fault in self.faults])


def prove(
    pdf: bytes, expect: Expect, margin: float = DEAD_MARGIN, *, deck: Mapping[str, int] | None = None, copies: int = 1
) -> Report:
    """Hold a finished PDF against what its maker says about it. Raises Faults when it is refused.

    `margin`: what the printer leaves unprinted at each edge, in mm. `deck`: how often each label must be found on the
    boxes that are cards (by default as `expect` says); `copies`: how often one and the same card may be there.
    """
    report = _measured(pdf, expect, margin, deck, copies)
    if report.faults:
        raise Faults(report.faults)
    return report


def measure(pdf: bytes, expect: Expect | None = None, margin: float = DEAD_MARGIN, *, name: object = None) -> Report:
    """Measure a file, without expectations as far as a PDF alone allows; what is refused is in the report's `faults`.

    Raises Fault for `name` when it is no PDF that can be read.
    """
    try:
        report = _measured(pdf, expect, margin, None, 1)
    except Fault as fault:
        fault.path = name
        raise
    for each in report.faults:
        each.path = name
    return report


def thumbnail(pdf: bytes, page: int, width_px: int) -> bytes:
    """One page (from 1) as a PNG picture of that width."""
    import pypdfium2
    from PIL import Image

    document = pypdfium2.PdfDocument(pdf)
    try:
        sheet = document[page - 1]
        picture = sheet.render(scale=width_px / sheet.get_width()).to_pil().convert("RGB")
        made = BytesIO()
        picture.quantize(64, Image.Quantize.FASTOCTREE).save(made, "PNG", optimize=False)
        return made.getvalue()
    finally:
        document.close()


# ---------------------------------------------------------------------------------------------------- the checks


class _Proof:
    """The checks of one file, each noting a row, and a fault for each thing that is wrong."""

    def __init__(
        self, pdf: Any, data: bytes, expect: Expect | None, margin: float, deck: Mapping[str, int] | None, copies: int
    ) -> None:
        self.pdf, self.data, self.expect, self.margin, self.copies = pdf, data, expect, margin, copies
        self.deck = deck if deck is not None else dict(expect.deck) if expect and expect.deck else None
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
        self.same("encryption", "encrypted" if self.pdf.is_encrypted else "none", "none", "the file")
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
            width, height = expect.size(number) if expect else (content.width, content.height)
            if abs(content.width - width) > TOLERANCE or abs(content.height - height) > TOLERANCE:
                what = f"page {number} is {content.width:.2f} x {content.height:.2f} mm, not {width:g} x {height:g}"
                faults.append(Fault(what, "Build it again"))
            media, crop = ([float(side) for side in box] for box in (page.mediabox, page.cropbox))
            if any(abs(one - other) * 25.4 / 72 > TOLERANCE for one, other in zip(media, crop, strict=True)):
                faults.append(
                    Fault(f"page {number} is cropped: viewers will scale it", "Make CropBox and MediaBox equal")
                )
        sizes = dict.fromkeys(expect.sizes or ((expect.width, expect.height),)) if expect else ()
        wanted = ", ".join(f"{width:g} x {height:g} mm" for width, height in sizes) or "any"
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
                        f"page {number}: “{character}”{code} has no glyph, in “{short(_shown(where))}”",
                        "Write it with other characters",
                    )
                )
        self.row("glyphs", f"{count} characters", "each has one", faults)

    def texts(self) -> None:
        """Text that is in the file, but that nobody can read on paper."""
        cut, covered, pale, small = [], [], [], []
        for number, content in enumerate(self.contents, 1):
            paper = Rect(0, 0, content.width, content.height)
            areas = Areas(content.fills)
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
                near = areas.near(text.rect)
                over = covering(text, near)
                if over is not None:
                    covered.append(Fault(f"{name} is covered by what is painted later", "Move one of them"))
                elif not text.visible or faint(text, near):
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
        for number, (x, y) in margin_ink(self.data, self.margin):
            content = self.contents[number - 1]
            near = min(content.texts, key=lambda text: distance(text.rect, x, y), default=None)
            named = f", at “{short(near.text)}”" if near is not None and distance(near.rect, x, y) < 1 else ""
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
        faults: dict[str, list[Fault]] = {box.what: [] for box in expect.boxes}
        worst = dict.fromkeys(faults, 0.0)
        for number in sorted({box.page for box in expect.boxes}):
            group = [box for box in expect.boxes if box.page == number]
            if number > len(self.contents):
                faults[group[0].what].append(Fault(f"page {number} is missing", "Build it again"))
                continue
            content = self.contents[number - 1]
            for box in group:
                place, wrong = edges.find(box, content)
                faults[box.what] += [*wrong, *edges.label(box, content)]
                if place is not None:
                    self.places[box] = place
                    off = max(abs(one - other) for one, other in zip(place, edges.area(box), strict=True))
                    worst[box.what] = max(worst[box.what], off)
        for what in sorted(faults):
            count = sum(box.what == what for box in expect.boxes)
            self.row(f"{what}: {count}", f"off by {worst[what]:.3f} mm", f"at most {TOLERANCE} mm", faults[what])

    def registration(self, expect: Expect) -> None:
        """Each card that is labelled has a back behind it, and each back a card, when the sheet is turned over."""
        if not expect.registration:
            return
        faults: list[Fault] = []
        worst = 0.0
        for front, back in expect.registration:
            cards = [box for box in expect.boxes if box.page == front and box.what == "card"]
            backs = [box for box in expect.boxes if box.page == back and box.what == "back"]
            behind = {box: self._behind(box, expect) for box in cards}
            centres = {box: self._centre(box, faults) for box in backs}
            for box in [box for box in cards if box.label] or cards:
                off = min((_off(behind[box], centre) for centre in centres.values()), default=expect.width)
                worst = max(worst, off)
                if off > 2 * TOLERANCE:
                    what = f"page {back}: no back lies behind the card {box.label} of page {front}"
                    faults.append(Fault(f"{what}; the nearest is off by {off:.2f} mm", "Mirror the backs"))
            for box, centre in centres.items():
                off = min((_off(place, centre) for place in behind.values()), default=expect.width)
                if off > 2 * TOLERANCE:
                    what = f"page {back}: no card of page {front} lies before the back at {box.x:.2f}, {box.y:.2f} mm"
                    faults.append(Fault(what, "Mirror the backs"))
        self.row("backs behind cards", f"off by {worst:.3f} mm", f"at most {2 * TOLERANCE:g} mm", faults)

    def _behind(self, box: Box, expect: Expect) -> tuple[float, float]:
        """Where on the back of the sheet the middle of a card's back belongs."""
        x, y = middle(self.places.get(box, edges.area(box)))
        x_off, y_off = expect.registration_offset
        width, height = expect.size(box.page)
        if (expect.duplex == "long-edge") == (height >= width):  # turned over like the page of a book
            return width - x + x_off, y + y_off
        return x + x_off, height - y + y_off

    def _centre(self, box: Box, faults: list[Fault]) -> tuple[float, float]:
        """The middle of a back as it is drawn: of its ground, in which its ink must lie evenly."""
        place = self.places.get(box, edges.area(box))
        centre = middle(place)
        ink = edges.ink_middle(place, self.contents[box.page - 1]) if box.page <= len(self.contents) else None
        if ink is None:
            faults.append(Fault(f"page {box.page}: the back at {box.x:.2f}, {box.y:.2f} mm is empty", "Build it again"))
        elif _off(ink, centre) > 2 * TOLERANCE:
            what = f"page {box.page}: the pattern of the back at {box.x:.2f}, {box.y:.2f} mm is off its middle"
            faults.append(Fault(f"{what} by {_off(ink, centre):.2f} mm", "Centre it"))
        return centre

    def cards(self, expect: Expect) -> None:
        """Each card is there as often as it should be, by label and by look, and shows no other card's label."""
        cards = [box for box in expect.boxes if box.what == "card" and box.label and box.page <= len(self.contents)]
        if not cards:
            return
        faults = []
        found = Counter(box.label for box in cards)
        if self.deck is not None:
            wanted = Counter(dict(self.deck))
            faults += [
                Fault(f"the card {label} is there {found[label]} times, not {wanted[label]}", "Build it again")
                for label in sorted(found | wanted)
                if found[label] != wanted[label]
            ]
        labels = {plain(label) for label in found}
        seen: dict[edges.Drawn, list[Box]] = {}
        for number in sorted({box.page for box in cards}):
            content = self.contents[number - 1]
            for box, drawn in edges.looks([box for box in cards if box.page == number], content).items():
                seen.setdefault(drawn, []).append(box)
                words = {*map(plain, edges.phrases(edges.texts_in(edges.area(box), content)))}
                if others := sorted((words & labels) - {plain(box.label)}):
                    what = f"page {number}: the card {box.label} also shows {', '.join(others)}"
                    faults.append(Fault(what, "Build it again"))
        for same in seen.values():
            if len(same) > self.copies:
                where = ", ".join(f"page {box.page}" for box in same)
                faults.append(Fault(f"the card {same[0].label} is there {len(same)} times ({where})", "Build it again"))
        self.row("each card once", f"{len(cards)} cards", f"{sum((self.deck or found).values())} cards", faults)

    def wanted_texts(self, expect: Expect) -> None:
        faults = []
        for number, wanted in expect.texts:
            there = (
                plain("".join(text.text for text in self.contents[number - 1].texts))
                if number <= len(self.contents)
                else ""
            )
            if plain(wanted) not in there:
                faults.append(Fault(f"page {number}: “{short(wanted)}” is not there", "Build it again"))
        if expect.texts:
            self.row("texts", len(expect.texts) - len(faults), len(expect.texts), faults)


def _measured(data: bytes, expect: Expect | None, margin: float, deck: Mapping[str, int] | None, copies: int) -> Report:
    import pikepdf

    try:
        with pikepdf.open(BytesIO(data)) as pdf:
            return _Proof(pdf, data, expect, margin, deck, copies).run()
    except pikepdf.PasswordError:
        raise Fault("it is encrypted", "Build it again") from None
    except (pikepdf.PdfError, ValueError, KeyError, AttributeError, TypeError) as error:
        said = re.sub("stream <[^>]*>: ", "", str(error))  # where the bytes lay in memory
        raise Fault(f"it cannot be read as a PDF ({short(said, 80)})", "Build it again") from error


# ---------------------------------------------------------------------------------------------------- the file


def _shown(text: str) -> str:
    """A text for a message, with a sign for what cannot be shown."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _off(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _active(pdf: Any) -> Iterator[str]:
    """Whatever could do something when the file is opened, printed or clicked."""
    import pikepdf

    root = pdf.Root
    names = root.get("/Names", {})
    for key, what in (("/OpenAction", "an action on opening"), ("/AA", "an action"), ("/AcroForm", "a form")):
        if key in root and not isinstance(root[key], pikepdf.Array):
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
    """(name, embedded, kind) of every font that pages, their forms and patterns list, used or not."""
    seen: set[tuple[int, int]] = set()
    waiting = [inherited(page.obj, "/Resources", {}) for page in pdf.pages]
    while waiting:
        resources = waiting.pop()
        for key in ("/Font", "/XObject", "/Pattern"):
            for item in dict(resources.get(key, {})).values():
                if item.objgen != (0, 0):
                    if item.objgen in seen:
                        continue
                    seen.add(item.objgen)
                if key == "/Font":
                    yield _font(item)
                elif "/Resources" in item:
                    waiting.append(item["/Resources"])


def _font(item: Any) -> tuple[str, bool, str]:
    name = str(item.get("/BaseFont", item.get("/Name", "/?")))[1:].split("+")[-1]
    inner = item.DescendantFonts[0] if "/DescendantFonts" in item else item
    descriptor = inner.get("/FontDescriptor", {})
    kind = str(item.get("/Subtype", ""))
    return name, kind == "/Type3" or any(f"/FontFile{which}" in descriptor for which in ("", "2", "3")), kind
