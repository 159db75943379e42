"""Templates to HTML: Jinja in its sandbox, strict about what is not defined, and the style that goes with a page."""

from __future__ import annotations

import base64
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import (
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
    UndefinedError,
    select_autoescape,
)
from jinja2.exceptions import SecurityError
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from kit.faults import BUG, CONTENT, Fault
from kit.paper import fonts
from kit.paper.ruler import strip_svg
from kit.paper.sizes import PAPERS, Size
from kit.publish.sheet import Context, Sheet


@lru_cache(maxsize=4)
def _environment(templates: Path) -> SandboxedEnvironment:
    environment = SandboxedEnvironment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        autoescape=select_autoescape(default=True, default_for_string=True),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["at_least"] = at_least
    return environment


def at_least(items: Any, count: int) -> Any:
    """A template's list, refused when shorter: an empty loop prints nothing and says nothing."""
    found = list(items)
    if len(found) < count:
        raise UndefinedError(f"a list of {len(found)} where at least {count} must be")
    return found


def fill(templates: Path, template: str, /, **values: Any) -> str:
    """The HTML of one template. Raises Fault with the template's line."""
    try:
        return _environment(templates).get_template(template).render(**values)
    except TemplateSyntaxError as error:
        raise Fault(
            f"the template does not parse: {error.message}", path=f"templates/{error.name}", line=error.lineno
        ) from None
    except (TemplateError, SecurityError) as error:
        raise Fault(
            f"the template cannot be filled: {error.message or error}",
            "Give it the value or correct the name",
            path=f"templates/{template}",
            line=_line(error, templates),
            code=CONTENT,
        ) from None
    except RecursionError:
        raise Fault(
            "the template includes or extends itself", "Break the circle", path=f"templates/{template}"
        ) from None
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise Fault(
            f"the template cannot be filled: {error}",
            path=f"templates/{template}",
            line=_line(error, templates),
            code=BUG,
        ) from error


def _line(error: BaseException, templates: Path) -> int | None:
    """The line of the innermost template frame of a traceback."""
    line, trace = None, error.__traceback__
    while trace:
        if Path(trace.tb_frame.f_code.co_filename).is_relative_to(templates):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"


def document(
    context: Context, made: Sheet, page: str, styles: tuple[str, ...], *, size: Size | None = None, **values: Any
) -> tuple[str, str, str]:
    """The template `page` filled twice, and its style: the HTML to lay out, and the preview for a browser.

    The preview holds its style and fonts, and says on the screen how to print it.
    """
    locale = context.locale
    common = {
        "lang": locale.code,
        "dir": locale.dir,
        "title": made.title,
        "name": locale.text("game.title", game=True),
        "word": locale.text,
        "own": locale.own,
        "paper": context.paper,
        "index": False,
        "ruler": safe(strip_svg(locale.text("page.ruler"))),
        **values,
    }
    css = "\n".join([f":root {{ --accent: {context.kit.facts.accent} }}", style(context.templates, "base", *styles)])
    html = fill(context.templates, page, policy="", style="", **common)
    width, height = size or PAPERS[context.paper]
    screen = "\n".join([_fonts(), css, f"@page {{ size: {width}mm {height}mm }}"])
    preview = fill(context.templates, page, policy=POLICY, style=safe(screen), **common)
    return html, preview, css


def style(templates: Path, *names: str) -> str:
    """The text of stylesheets of templates/, in this order."""
    return "\n".join((templates / f"{name}.css").read_text("utf-8") for name in names)


@cache
def _fonts() -> str:
    """The bundled fonts as @font-face rules that hold the files themselves."""
    css = fonts.font_face_css("")
    for face, name in fonts.FILES.items():
        data = base64.b64encode(fonts.data(face)).decode()
        css = css.replace(f'url("{name}")', f"url(data:font/ttf;base64,{data})")
    return css


def safe(html: str) -> Markup:
    """Markup that this project made itself (drawings, rendered rules), so that a template does not escape it."""
    return Markup(html)
