"""Flowing documents: what comes out, that nothing comes in, and each fault of a layout, made on purpose."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from kit.faults import Fault, Faults
from kit.paper import flow, fonts, proof
from kit.paper.expect import Box
from kit.paper.ruler import strip_svg
from kit.paper.sizes import PAPERS, Size

A5 = PAPERS["a4"].half
BASE = f"""html {{ font-family: "{fonts.TEXT}", "{fonts.SYMBOLS}"; font-size: 10pt }}
body {{ margin: 0 }} h1, h2 {{ break-after: avoid }} @page {{ margin: 15mm }}"""
RED = io.BytesIO()
Image.new("RGB", (20, 10), "red").save(RED, "PNG")


def made(body: str, css: str = "", **more: Any) -> flow.Flowed:
    given = {"size": A5, "lang": "en", "title": "A test"} | more
    return flow.render(f"<!doctype html><body>{body}</body>", BASE + css, **given)


def refused(body: str, css: str = "", **more: Any) -> str:
    """What a refused document is told."""
    with pytest.raises((Fault, Faults)) as caught:
        made(body, css, **more)
    return str(caught.value)


def opened(document: flow.Flowed) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(document.pdf))


class TestDocument:
    def test_it_has_pages_of_the_size_and_tells_how_full_they_are(self) -> None:
        document = made("<h1>Rules</h1><p>One.</p><h2 style='break-before: page'>Two</h2><p>" + "More words. " * 200)
        assert document.expect.pages == 2 == len(document.fill)
        assert document.fill[0] < 0.2 < 0.5 < document.fill[1]
        with opened(document) as pdf:
            assert [float(side) / 72 * 25.4 for side in pdf.pages[0].mediabox] == pytest.approx([0, 0, *A5], abs=0.01)
            assert (str(pdf.Root.Lang), str(pdf.docinfo["/Title"])) == ("en", "A test")
            assert pdf.Root.MarkInfo.Marked
            assert [str(item.title) for item in pdf.open_outline().root] == ["Rules"]

    @pytest.mark.parametrize(
        ("duplex", "name"),
        [("simplex", "/Simplex"), ("long-edge", "/DuplexFlipLongEdge"), ("short-edge", "/DuplexFlipShortEdge")],
    )
    def test_the_viewer_is_asked_for_no_scaling_and_for_the_right_duplex(self, duplex: Any, name: str) -> None:
        with opened(made("<p>Text", duplex=duplex)) as pdf:
            wishes = pdf.Root.ViewerPreferences
            assert (str(wishes.PrintScaling), str(wishes.Duplex)) == ("/None", name)
            assert wishes.DisplayDocTitle and wishes.PickTrayByPDFSize

    def test_table_headers_have_a_scope_and_links_are_printed(self) -> None:
        table = "<table><thead><tr><th>a<th>b<tbody><tr><th>c<td>d</table><p><a href='https://example.org/'>a link</a>"
        with opened(made(table)) as pdf:
            headers = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/S") == "/TH"]
            assert sorted(str(header.A.Scope) for header in headers) == ["/Column", "/Column", "/Row"]
            assert pdf.pages[0].Annots[0].F == 4

    def test_untagged_when_asked(self) -> None:
        with opened(made("<p>Text", tagged=False)) as pdf:
            assert "/StructTreeRoot" not in pdf.Root
            assert pdf.Root.ViewerPreferences.PrintScaling == "/None"

    def test_pictures_are_named_bytes(self) -> None:
        with opened(made("<img src='red.png' alt='red'>", files={"red.png": RED.getvalue()})) as pdf:
            assert any(str(image.get("/Subtype")) == "/Image" for image in pdf.pages[0].Resources.XObject.values())

    def test_elements_can_claim_an_exact_size(self) -> None:
        claim = json.dumps([{"what": "place"}])
        css = "#place { position: absolute; left: 10mm; top: 5mm; width: 30mm; height: 20mm; border: 0.2mm solid }"
        box = made(f"<p>Text<div id=place data-expect='{claim}'></div>", css).expect.boxes[0]
        assert box == Box(1, *(pytest.approx(side, abs=0.01) for side in (25, 20, 30.4, 20.4)), "place")

    def test_the_same_bytes_whatever_surrounds_the_process(self, tmp_path: Path) -> None:
        script = (
            "import hashlib; from kit.paper import flow; from kit.paper.sizes import Size; "
            'print(hashlib.sha256(flow.render(\'<h1 id=a>Å ♠ ①</h1><p>En svensk text. <a href="#a">x</a><table>'
            "<tr><th>a<td>b</table>', 'html { font-family: Kit Text; hyphens: auto }', size=Size(148, 210), lang='sv',"
            "title='Prov').pdf).hexdigest())"
        )
        root = Path(flow.__file__).parents[2]
        sums = set()
        for number, more in enumerate(
            (
                {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
                {
                    "PYTHONHASHSEED": "2",
                    "TZ": "Asia/Tokyo",
                    "LC_ALL": "sv_SE.UTF-8",
                    "FONTCONFIG_FILE": "/etc/fonts/fonts.conf",
                },
            )
        ):
            here = tmp_path / str(number)
            here.mkdir()
            env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "HOME": str(here), **more}
            done = subprocess.run([sys.executable, "-c", script], cwd=here, env=env, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            sums.add(done.stdout)
            assert not list(here.rglob("*")), "it leaves nothing behind"
        assert len(sums) == 1

    def test_documents_before_it_change_nothing(self) -> None:
        first = made("<p>Text with <b>bold</b>").pdf
        made("<p style='font-size: 20pt'><i>Other</i> ♥")
        assert made("<p>Text with <b>bold</b>").pdf == first

    def test_a_fault_leaves_the_next_document_alone(self) -> None:
        refused("<p style='width: 3mmm'>x")
        assert made("<p>x").expect.pages == 1


# Every way in which a document can name something outside itself; URL is replaced.
OUTSIDE = {
    "img": "<img src='URL' alt=x>",
    "srcset": "<img src='URL' srcset='URL 2x' alt=x>",
    "picture": "<picture><source srcset='URL'><img src='URL' alt=x></picture>",
    "object": "<object data='URL' type='image/png'>x</object>",
    "embed": "<embed src='URL' type='image/png'>",
    "stylesheet": "<link rel=stylesheet href='URL'>",
    "attachment": "<link rel=attachment href='URL'>",
    "attached link": "<a rel=attachment href='URL'>x</a>",
    "import": "<style>@import url(URL)</style>",
    "import with a string": "<style>@import 'URL'</style>",
    "background": "<style>p { background: url(URL) }</style><p>x",
    "style attribute": "<p style='background-image: url(URL)'>x",
    "list-style": "<ul style='list-style-image: url(URL)'><li>x</ul>",
    "content": "<style>p::before { content: url(URL) }</style><p>x",
    "border-image": "<p style='border: 3px solid; border-image: url(URL) 3'>x",
    "mask": "<p style='border: 3px solid; mask-border: url(URL) 3'>x",
    "font-face": "<style>@font-face { font-family: Kit Text; src: url(URL) } p { font-family: Kit Text }</style><p>x",
    "page background": "<style>@page { background: url(URL) }</style><p>x",
    "margin box": "<style>@page { @top-left { content: url(URL) } }</style><p>x",
    "svg image": "<svg width=20 height=20 xmlns:xlink='http://www.w3.org/1999/xlink'><title>x</title>"
    "<image href='URL' width=9 height=9 /></svg>",
    "svg xlink": "<svg width=20 height=20 xmlns:xlink='http://www.w3.org/1999/xlink'><title>x</title>"
    "<image xlink:href='URL' width=9 height=9 /></svg>",
    "svg use": "<svg width=20 height=20><title>x</title><use href='URL#a' /></svg>",
    "svg style": "<svg width=20 height=20><title>x</title><style>@import url(URL);</style></svg>",
    "base": "<base href='URL'><img src='a.png' alt=x>",
    "color profile": "<style>@color-profile --x { src: url(URL) } p { color: color(--x 0 0 0) }</style><p>x",
}


@pytest.fixture
def listener() -> Iterator[tuple[str, list[Any]]]:
    """The address of a server on this machine, and those who called."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.05)
    callers: list[Any] = []
    done = threading.Event()

    def listen() -> None:
        while not done.is_set():
            try:
                connection, address = server.accept()
            except TimeoutError:
                continue
            callers.append(address)
            connection.close()

    thread = threading.Thread(target=listen)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/x.png", callers
    done.set()
    thread.join()
    server.close()


class TestOutside:
    @pytest.mark.parametrize("vector", OUTSIDE)
    def test_nothing_is_fetched(self, vector: str, listener: tuple[str, list[Any]]) -> None:
        address, callers = listener
        try:
            document = made(OUTSIDE[vector].replace("URL", address))
        except (Fault, Faults):
            pass
        else:  # what the renderer does not know at all is left alone, and leaves no trace
            with opened(document) as pdf:
                assert b"127.0.0.1" not in b"".join(o.unparse(resolved=True) for o in pdf.objects)
            assert vector in ("svg use", "svg style", "mask", "color profile", "srcset", "picture"), "it is a fault"
        assert callers == []

    @pytest.mark.parametrize("vector", OUTSIDE)
    def test_no_file_is_read(self, vector: str, tmp_path: Path) -> None:
        (tmp_path / "secret.png").write_bytes(RED.getvalue())
        try:
            document = made(OUTSIDE[vector].replace("URL", (tmp_path / "secret.png").as_uri()))
        except (Fault, Faults):
            return
        assert not any(
            isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Image" for o in opened(document).objects
        )

    @pytest.mark.parametrize(
        "name", ["../secret.png", "/etc/passwd", "other.png", "red.png?x", "data:image/png;base64,AAAA"]
    )
    def test_a_name_that_was_not_handed_over(self, name: str) -> None:
        assert "is outside the document" in refused(f"<img src='{name}' alt=x>", files={"red.png": RED.getvalue()})

    @pytest.mark.parametrize(
        "target", ["javascript:alert(1)", "file:///etc/passwd", "http://example.org/", "other.html"]
    )
    def test_links_lead_out_by_https_or_mailto_alone(self, target: str) -> None:
        assert "a link to" in refused(f"<a href='{target}'>x</a>")


class TestLog:
    """Whatever the renderer says is a fault."""

    @pytest.mark.parametrize(
        ("body", "css", "said"),
        [
            ("<p>x", "p { colour: red }", "`colour: red `"),
            ("<p>x", "p { width: 3mmm }", "3mmm"),
            ("<p>x", "@page { size: A44 }", "A44"),
            ("<p>x", "p::wrong { color: red }", "unsupported selector, 'p::wrong '"),
            ("<p>x", "}", "unsupported selector"),
            ("<a href='#nowhere'>x</a>", "", "nowhere"),
            ("<p id=a>x<p id=a>y", "", "twice"),
            ("<img src=a.png alt=x>", "", "Failed to load image"),
            ("<img src=red.png>", "", "no required alt description"),
            ("<p>Is 中 there?", "", "U+4E2D"),
        ],
    )
    def test_it_is_told(self, body: str, css: str, said: str) -> None:
        assert said in refused(body, css, files={"a.png": b"no picture", "red.png": RED.getvalue()})

    def test_a_missing_glyph_is_never_borrowed_from_the_machine(self) -> None:
        assert "DejaVu Sans" in refused("<p style='font-family: Kit Text, DejaVu Sans'>Ж")
        assert "U+0416" in refused("<p>Ж")

    def test_an_unknown_font_is_named(self) -> None:
        assert "asks for the font Georgia" in refused("<p style='font-family: Georgia'>x")

    def test_another_language_is_a_fault(self) -> None:
        with pytest.raises(Fault, match="says it is in sv, not en"):
            flow.render("<html lang=sv><p>x", BASE, size=A5, lang="en", title="x")


class TestLayout:
    """What a reader would miss, judged from the boxes."""

    def test_a_word_too_long_for_its_cell(self) -> None:
        said = refused("<div style='width: 20mm'>" + "Flaggstångsknoppsmålarlärling" * 2)
        assert "overflows its box" in said

    def test_text_below_a_box_of_fixed_height(self) -> None:
        assert "overflows its box" in refused("<div style='height: 8mm; border: 1px solid'>" + "words " * 60)

    def test_text_clipped_by_a_box_around_it(self) -> None:
        assert "is clipped" in refused("<div style='height: 8mm; overflow: hidden'><p>" + "words " * 60)

    def test_text_that_runs_off_the_text_area(self) -> None:
        assert "runs off the text area" in refused("<p style='white-space: nowrap'>" + "words " * 30)

    def test_a_table_with_too_many_columns(self) -> None:
        assert "runs off" in refused(
            "<table><tr>" + "<td style='border: 1px solid; padding: 2mm'>word" * 20 + "</table>"
        )

    def test_a_picture_too_wide(self) -> None:
        said = refused("<img src=red.png alt=x style='width: 140mm'>", files={"red.png": RED.getvalue()})
        assert "the picture “<img>” runs off the text area" in said

    def test_text_in_the_dead_margin(self) -> None:
        assert "within 5 mm of the paper's edge" in refused("<p style='position: absolute; left: -13mm'>x")

    def test_text_too_small(self) -> None:
        assert "is set in 5.0 pt" in refused("<p>x <span style='font-size: 5pt'>fine print</span>")

    def test_text_scaled_too_small(self) -> None:
        assert "is set in 5.0 pt" in refused("<div style='transform: scale(0.5)'>half</div>")

    def test_text_over_text(self) -> None:
        said = refused("<p>Below here<p style='margin-top: -8mm'>Above here")
        assert "are printed over each other" in said

    def test_lines_dropped_by_style(self) -> None:
        said = refused("<p style='line-clamp: 2'>" + "words " * 60)
        assert "is set to drop lines" in said or "are not on paper" in said

    def test_ellipsis(self) -> None:
        said = refused("<p style='white-space: nowrap; overflow: hidden; text-overflow: ellipsis'>" + "words " * 40)
        assert "is clipped" in said

    def test_what_is_not_shown_must_say_so(self) -> None:
        assert "are not on paper" in refused("<p>x<p style='display: none'>lost words")
        made("<p>x<p class=screen-only style='display: none'>print at 100 %")

    def test_a_heading_that_ends_a_page(self) -> None:
        filler = "<div style='height: 120mm; border: 1px solid'>x</div>"
        body = f"{filler}<h2 style='break-after: auto'>Lonely</h2><p style='break-before: page'>Text"
        assert "the heading “Lonely” is the last line" in refused(body)
        made(body.replace("<p style='break-before: page'>", "<p>"))

    def test_contents_with_the_wrong_page(self) -> None:
        body = (
            "<nav><a class=contents-entry href='#two'>Two</a></nav><h2 id=two style='break-before: page'>Two</h2><p>x"
        )
        right = ".contents-entry::after { content: ' ' target-counter(attr(href), page) }"
        assert made(body, right).anchors == {"two": 2}
        wrong = ".contents-entry::after { content: ' 7' }"
        assert "the contents say Two 7, but it is on page 2" in refused(body, wrong)

    def test_too_many_pages(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(flow, "PAGES", 3)
        assert "needs more than 3 pages" in refused("<p style='break-after: page'>x" * 5)

    def test_too_much_html(self) -> None:
        assert "characters of HTML" in refused("x" * (flow.HTML_LIMIT + 1))

    @pytest.mark.parametrize(
        "body", ["<div>" * 3000, "<p style='font-size: 1e8px'>x", "<p style='width: 1e9mm; border: 1px solid'>x"]
    )
    def test_what_breaks_the_renderer_is_one_line(self, body: str) -> None:
        said = refused(body, source="content/x/rules.md")
        assert said.startswith("content/x/rules.md: error: ") and "Traceback" not in said

    def test_the_page_size_is_given_and_not_styled(self) -> None:
        document = made("<p>x", "@page { size: 10cm 10cm }", size=Size(120, 180))
        assert document.expect.width == 120
        assert "has another size" in refused("<p>x<p style='page: wide'>y", "@page wide { size: 200mm 100mm }")


def test_a_ruler_that_flows_is_proven_where_it_lands() -> None:
    made_ = made(f"<p>x</p><div style='margin: 3mm 0 0 2mm'>{strip_svg('a ruler')}</div>")
    assert [(box.what, round(box.width, 1)) for box in made_.expect.boxes] == [("ruler", 100), ("ruler", 101.6)]
    proof.prove(made_.pdf, made_.expect)
    shrunk = made(f"<style>svg {{ width: 99mm }}</style>{strip_svg('a ruler')}")
    with pytest.raises(Faults, match="edge of the ruler"):
        proof.prove(shrunk.pdf, shrunk.expect)
