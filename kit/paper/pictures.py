"""Pictures that authors bring, judged before anything is laid out: what they are, how large, and that they are whole.

The renderers leave out a damaged picture without a word, unpack a small file into gigabytes, and open what an SVG
names.
"""

from __future__ import annotations

import base64
import re
import warnings
from io import BytesIO
from xml.etree import ElementTree

from kit.faults import Fault
from kit.paper import fonts

PIXELS = 20_000_000
FORMATS = {"png": "PNG", "jpg": "JPEG", "jpeg": "JPEG"}
MEDIA = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "svg": "image/svg+xml"}
_DRAWN = {
    *("svg", "g", "defs", "title", "desc", "clipPath", "linearGradient", "radialGradient", "stop"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"),
}
_SVG = "{http://www.w3.org/2000/svg}"
_NODES, _DEEP = 20_000, 60


def check(name: str, data: bytes) -> None:
    """Refuse a picture that is not what its name says, too large, damaged, or an SVG that does more than draw.

    Raises Fault without a place; the caller knows it.
    """
    suffix = name.rpartition(".")[2].lower()
    if suffix == "svg":
        _check_svg(name, data)
    elif suffix in FORMATS:
        _check_raster(name, data, FORMATS[suffix])
    else:
        raise Fault(f"{name} is no picture that can be printed", f"Use {', '.join(MEDIA)}")


def data_uri(name: str, data: bytes) -> str:
    """The picture as an address that holds it, for a page that must stand alone."""
    return f"data:{MEDIA[name.rpartition('.')[2].lower()]};base64,{base64.b64encode(data).decode()}"


def _check_raster(name: str, data: bytes, wanted: str) -> None:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the limit is ours, below
            with Image.open(BytesIO(data), formats=(wanted,)) as picture:
                width, height = picture.size
                if width * height > PIXELS:
                    raise Fault(f"{name} has {width} x {height} pixels", f"Use at most {PIXELS // 1_000_000} million")
                picture.verify()  # every part is there and its checksum holds
            with Image.open(BytesIO(data), formats=(wanted,)) as picture:
                picture.load()
            if wanted == "JPEG" and b"\xff\xd9" not in data[-64:]:
                raise ValueError("its end is missing")
    except UnidentifiedImageError:
        raise Fault(f"{name} is not a {wanted} picture", "Save it again in the format that its name says") from None
    except Image.DecompressionBombError:
        raise Fault(f"{name} has too many pixels", f"Use at most {PIXELS // 1_000_000} million") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise Fault(f"{name} is damaged ({str(error)[:80]})", "Save it again") from None


def _check_svg(name: str, data: bytes) -> None:
    if re.search(rb"<!(?:DOCTYPE|ENTITY)|<\?xml-stylesheet", data, re.IGNORECASE):
        raise Fault(f"{name} has a DOCTYPE or names a stylesheet", "Save it as plain SVG")
    said = re.match(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)", data.removeprefix(b"\xef\xbb\xbf"))
    if b"\0" in data[:200] or (said and said[1].lower() != b"utf-8"):  # other encodings could hide a DOCTYPE
        raise Fault(f"{name} is not UTF-8", "Save it as UTF-8")
    depth = count = 0
    try:
        for event, node in ElementTree.iterparse(BytesIO(data), events=("start", "end")):
            depth += 1 if event == "start" else -1
            if event == "end":
                if lacking := fonts.missing("".join(f"{node.text or ''}{node.tail or ''}".split())):
                    points = ", ".join(f"U+{ord(character):04X}" for character in sorted(lacking))
                    raise Fault(f"{name} holds text that no bundled font has ({points})", "Draw it as a path")
                continue
            count += 1
            if depth > _DEEP or count > _NODES:
                raise Fault(f"{name} is too deep or has too many parts", "Make it simpler")
            if count == 1 and node.tag != f"{_SVG}svg":
                raise Fault(f"{name} is not an SVG picture", "Save it as plain SVG")
            _check_node(name, node)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise Fault(f"{name} does not parse ({error})", "Save it again as plain SVG") from None


def _check_node(name: str, node: ElementTree.Element) -> None:
    tag = node.tag.removeprefix(_SVG)
    if tag not in _DRAWN:
        raise Fault(f"{name} holds <{tag[:40]}>, which does more than draw", "Save it as plain SVG paths and text")
    for attribute, value in node.attrib.items():
        plain = attribute.rpartition("}")[2].lower()
        outside = plain in ("href", "src") or re.search(r"url\s*\(\s*['\"]?\s*(?!#)", value, re.IGNORECASE)
        if plain.startswith("on") or plain == "style" or outside:
            raise Fault(f"{name} has {plain}={value[:40]!r}", "A picture may not name anything outside itself")
