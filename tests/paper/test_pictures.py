"""Pictures are judged before they are laid out."""

from __future__ import annotations

import time
import zlib
from io import BytesIO

import pytest
from PIL import Image

from kit.faults import Fault
from kit.paper import pictures

GOOD = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0L9 9" stroke="#111"/></svg>'


def png(width: int = 8, height: int = 8) -> bytes:
    made = BytesIO()
    Image.new("RGB", (width, height), "white").save(made, "PNG")
    return made.getvalue()


def huge(side: int) -> bytes:
    """A PNG of side x side white pixels without ever unpacking it here."""
    pack = zlib.compressobj(9)
    row = b"\0" + b"\xff" * (-(-side // 8))
    body = b"".join(pack.compress(row) for _ in range(side)) + pack.flush()

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = side.to_bytes(4, "big") * 2 + b"\x01\x00\x00\x00\x00"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def test_good_pictures_pass() -> None:
    pictures.check("a.png", png())
    pictures.check("a.svg", GOOD)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.gif", b"GIF89a", "no picture"),
        ("a.png", b"", "not a PNG"),
        ("a.jpg", png(), "not a JPEG"),
        ("a.png", png()[:60], "damaged"),
        ("a.png", huge(9000), "pixels"),
        ("a.svg", b"<!DOCTYPE svg [<!ENTITY a 'b'>]>" + GOOD, "DOCTYPE"),
        ("a.svg", GOOD.replace(b"<path", b"<script/><path"), "script"),
        ("a.svg", GOOD.replace(b"<path", b'<image href="x.png"/><path'), "image"),
        ("a.svg", GOOD.replace(b"<path", b'<path onclick="x()"'), "onclick"),
        ("a.svg", GOOD.replace(b"<path", b'<path fill="url(http://example.org/a)"'), "fill"),
        ("a.svg", GOOD.replace(b"<path", b'<path style="fill: red"'), "style"),
        ("a.svg", GOOD[:-8], "parse"),
        ("a.svg", b"<html/>", "not an SVG"),
        ("a.svg", GOOD[:-6] + b"<g>" * 200 + b"</g>" * 200 + b"</svg>", "deep"),
    ],
)
def test_others_are_refused_at_once(name: str, data: bytes, said: str) -> None:
    begun = time.process_time()
    with pytest.raises(Fault, match=said):
        pictures.check(name, data)
    assert time.process_time() - begun < 2
