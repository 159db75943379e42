"""What a person could see of a page: covered or faint text, and ink where a printer has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kit.paper.layout import Rect
from kit.paper.reading import Fill, Text

BAND = 8.0  # mm
RESOLUTION = 0.1  # mm a pixel, for looking into the margin
COVERED = 2  # of the 15 places at which a text is looked at
CONTRAST = 1.4  # of text against what lies behind it: less is as good as nothing


class Areas:
    """The opaque areas of a page, in bands, so that those near a text are found without looking at all."""

    def __init__(self, fills: Sequence[Fill]) -> None:
        self.bands: dict[int, list[Fill]] = {}
        for fill in fills:
            if fill.opaque and min(fill.rect.width, fill.rect.height) > 0.2:
                for band in range(int(fill.rect.top // BAND), int(fill.rect.bottom // BAND) + 1):
                    self.bands.setdefault(band, []).append(fill)

    def near(self, rect: Rect) -> list[Fill]:
        """Those that share a point with the rectangle, in the order of painting."""
        found = {
            fill.order: fill
            for band in range(int(rect.top // BAND), int(rect.bottom // BAND) + 1)
            for fill in self.bands.get(band, ())
            if fill.rect.left < rect.right and fill.rect.right > rect.left
            if fill.rect.top < rect.bottom and fill.rect.bottom > rect.top
        }
        return [found[order] for order in sorted(found)]


def covering(text: Text, opaque: Sequence[Fill]) -> Fill | None:
    """The later area that hides a readable part of the text."""
    left, top, right, bottom = text.rect
    for fill in reversed(opaque):
        if fill.order < text.order:
            return None
        area = fill.rect
        hidden = 0
        for across in (0.08, 0.29, 0.5, 0.71, 0.92):
            for down in (0.2, 0.5, 0.8):
                x, y = left + across * (right - left), top + down * (bottom - top)
                hidden += area.left <= x <= area.right and area.top <= y <= area.bottom and fill.holds(x, y)
        if hidden >= COVERED:
            return fill
    return None


def faint(text: Text, opaque: Sequence[Fill]) -> bool:
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
    return (other + 0.05) / (one + 0.05) < CONTRAST


def _luminance(colour: tuple[float, float, float]) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def margin_ink(data: bytes, margin: float) -> Iterator[tuple[int, tuple[float, float]]]:
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


def distance(rect: Rect, x: float, y: float) -> float:
    return max(rect.left - x, x - rect.right, rect.top - y, y - rect.bottom, 0.0)
