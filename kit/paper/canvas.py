"""A PDF of pages at exact coordinates: the one file that knows reportlab.

Everything is in mm from the top left corner. The bytes depend on what was drawn and on nothing else; the viewer is
asked not to scale, to take the paper by the page's size, and for simplex or the right duplex edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import Any

from kit.paper import fonts
from kit.paper.drawing import INK, WHITE, Drawing, Group, Item, Line, Paint, Path, Rect, Text, ink_saving, matrix
from kit.paper.expect import Duplex
from kit.paper.fonts import Face
from kit.paper.sizes import Size

POINTS = 72 / 25.4  # points in a mm
_DUPLEX = {"simplex": "Simplex", "long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge"}
_NAMES: dict[Face, str] = {face: file.removesuffix(".ttf") for face, file in fonts.FILES.items()}


@cache
def _register() -> None:
    """Make the bundled fonts known to reportlab, from checked bytes, and fix the setting that our bytes hang on."""
    from reportlab import rl_config
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    rl_config.useA85 = 0  # streams as bytes: a fifth smaller; a settings file in someone's home changes nothing
    for face, name in _NAMES.items():
        pdfmetrics.registerFont(TTFont(name, BytesIO(fonts.data(face))))


_saving: ContextVar[bool] = ContextVar("_saving", default=False)


@contextmanager
def ink_saved(saving: bool = True) -> Iterator[None]:
    """Whatever is painted within is black: tinted areas are left white, tinted shapes become outlines."""
    token = _saving.set(saving)
    try:
        yield
    finally:
        _saving.reset(token)


def _saved(item: Item) -> Item:
    """How a thing that is painted looks when ink is saved."""
    if isinstance(item, Group):
        return item
    if isinstance(item, Text):
        return replace(item, fill=ink_saving(item.fill) if item.fill == WHITE else INK)
    paint = item.paint
    light = paint.fill is not None and ink_saving(paint.fill) == WHITE
    outlined = light and paint.fill != WHITE and not paint.stroke and isinstance(item, Path)
    stroke, fill = (INK, WHITE) if outlined else (paint.stroke, paint.fill and ink_saving(paint.fill))
    return replace(item, paint=replace(paint, fill=fill, stroke=INK if stroke and stroke != WHITE else stroke))


class Canvas:
    """The pages of one PDF. `size` is the first page's; `page()` ends a page and begins the next."""

    def __init__(self, size: Size, *, lang: str, title: str, duplex: Duplex = "simplex") -> None:
        from reportlab.pdfgen import canvas

        _register()
        self._out, self.size = BytesIO(), size
        sheet: Any = canvas.Canvas
        self._sheet = sheet(
            self._out,
            pagesize=(size.width * POINTS, size.height * POINTS),
            invariant=1,
            pageCompression=1,
            pdfVersion=(1, 7),
            initialFontName=_NAMES["regular"],  # else the PDF names Helvetica, unembedded, even when it is never used
            initialFontSize=10,
            lang=lang,
        )
        self._sheet.setTitle(title)
        self._sheet.setAuthor("")
        self._sheet.setSubject("")
        self._sheet.setCreator("kit")
        self._sheet.setProducer("kit")
        self._sheet._doc.Catalog.ViewerPreferences = _preferences(duplex)
        self.pages = 0
        self._forms: dict[int, tuple[str, Drawing]] = {}
        self._begin()

    def _begin(self) -> None:
        self.pages += 1
        # From here on one unit is one mm, and y runs down.
        self._sheet.transform(POINTS, 0, 0, -POINTS, 0, self.size.height * POINTS)

    def page(self) -> int:
        """End this page and begin the next; gives the new page's number."""
        self._sheet.showPage()
        self._begin()
        return self.pages

    def trim(self, x: float, y: float, width: float, height: float, bleed: float) -> None:
        """State where this page is cut, and how far colour runs over the cut: for files that go to a print shop."""
        for state, over in ((self._sheet.setTrimBox, 0.0), (self._sheet.setBleedBox, bleed)):
            low, high = self.size.height - y - height - over, self.size.height - y + over
            state(tuple(n * POINTS for n in (x - over, low, x + width + over, high)))

    def paint(self, drawing: Drawing, x: float, y: float, *, turn: int = 0, reuse: bool = False) -> None:
        """Paint a drawing with its upper left corner at x, y; with `reuse` it is stored in the file only once."""
        if not reuse:
            drawing.paint(self, x, y, turn=turn)
            return
        name = self._form(drawing)
        self._sheet.saveState()
        self._sheet.transform(*matrix(Group(drawing, x, y, turn % 360, 1.0)))
        self._sheet.doForm(name)
        self._sheet.restoreState()

    def _form(self, drawing: Drawing) -> str:
        if id(drawing) not in self._forms:
            name = f"form{len(self._forms) + 1}"
            self._sheet.beginForm(name, 0, 0, drawing.width, drawing.height)
            drawing.paint(self, 0, 0)
            self._sheet.endForm()
            self._forms[id(drawing)] = (name, drawing)  # held, so that no other drawing gets its id
        return self._forms[id(drawing)][0]

    def group(self, item: Group) -> None:
        """Paint what is in the group, in its order."""
        self._sheet.saveState()
        self._sheet.transform(*matrix(item))
        for part in item.drawing.items:
            self._paint(part)
        self._sheet.restoreState()

    def _paint(self, item: Item) -> None:
        if _saving.get():
            item = _saved(item)
        if isinstance(item, Group):
            self.group(item)
        elif isinstance(item, Text):
            self._text(item)
        elif isinstance(item, Line):
            self._ink(item.paint)
            self._sheet.line(item.x1, item.y1, item.x2, item.y2)
        elif isinstance(item, Rect):
            self._rect(item)
        else:
            self._path(item)

    def _rect(self, item: Rect) -> None:
        fill, stroke = self._ink(item.paint)
        if item.radius:
            self._sheet.roundRect(item.x, item.y, item.width, item.height, item.radius, stroke=stroke, fill=fill)
        else:
            self._sheet.rect(item.x, item.y, item.width, item.height, stroke=stroke, fill=fill)

    def _path(self, item: Path) -> None:
        fill, stroke = self._ink(item.paint)
        path = self._sheet.beginPath()
        steps = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
        for name, numbers in item.shape:
            steps[name](*numbers)
        self._sheet.drawPath(path, stroke=stroke, fill=fill, fillMode=1)

    def _text(self, item: Text) -> None:
        text = self._sheet.beginText()
        text.setTextTransform(1, 0, 0, -1, item.x, item.y)  # y runs down here, and letters must not
        text.setFont(_NAMES[item.face], item.size)
        text.setFillColor(_colour(item.fill))
        text.textOut(item.text)
        self._sheet.drawText(text)

    def _ink(self, paint: Paint) -> tuple[int, int]:
        """Set the colours; gives reportlab's two flags, fill and stroke."""
        if paint.fill:
            self._sheet.setFillColor(_colour(paint.fill))
        if paint.stroke:
            self._sheet.setStrokeColor(_colour(paint.stroke))
            self._sheet.setLineWidth(paint.line)
            self._sheet.setDash(list(paint.dash))
        return int(bool(paint.fill)), int(bool(paint.stroke))

    def finish(self) -> bytes:
        """The PDF."""
        self._sheet.showPage()
        self._sheet.save()
        return self._out.getvalue()


def _preferences(duplex: Duplex) -> Any:
    """What the viewer is asked for; reportlab's own setter does not know PickTrayByPDFSize."""
    from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName

    return PDFDictionary(
        {
            "PrintScaling": PDFName("None"),
            "Duplex": PDFName(_DUPLEX[duplex]),
            "PickTrayByPDFSize": "true",
            "DisplayDocTitle": "true",
        }
    )


@cache
def _colour(colour: str) -> Any:
    """A colour of reportlab, made from numbers: its own parser evaluates strings."""
    from reportlab.lib.colors import Color

    return Color(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))
