"""Templates to HTML: Jinja in its sandbox, strict about what is not defined, and the style that goes with a page."""

from __future__ import annotations

import base64
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import (
    BaseLoader,
    Environment,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    UndefinedError,
    select_autoescape,
)
from jinja2.exceptions import SecurityError
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from kit.faults import Fault
from kit.files import present, read_text
from kit.paper import fonts
from kit.paper.ruler import strip_svg
from kit.paper.sizes import PAPERS, Size
from kit.publish import editions
from kit.publish.sheet import Context, Sheet

SECONDS = 20  # for one template; they take hundredths


@lru_cache(maxsize=4)
def _environment(templates: Path) -> SandboxedEnvironment:
    environment = _Sandbox(
        loader=_Loader(templates),
        undefined=StrictUndefined,
        autoescape=select_autoescape(default=True, default_for_string=True),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["at_least"] = at_least
    return environment


class _Sandbox(SandboxedEnvironment):
    """Jinja's sandbox, which bounds `range`, and bounds the two operators that make much of little as well."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "**" or not all(isinstance(each, (int, float)) and abs(each) < 1e12 for each in (left, right)):
            raise SecurityError(f"{operator} is for products of numbers only")
        return left * right


@contextmanager
def _in_time() -> Iterator[None]:
    """Raise SecurityError in a template that is not filled in SECONDS; where no alarm can be set, it has its time."""

    def ring(*_: object) -> None:
        raise SecurityError(f"it is not filled within {SECONDS} seconds")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def at_least(items: Any, count: int) -> Any:
    """A template's list, refused when shorter: an empty loop prints nothing and says nothing."""
    found = list(items)
    if len(found) < count:
        raise UndefinedError(f"a list of {len(found)} where at least {count} must be")
    return found


def fill(templates: Path, template: str, /, **values: Any) -> str:
    """The HTML of one template. Raises Fault with the template's line."""
    try:
        with _in_time():
            return _environment(templates).get_template(template).render(**values)
    except TemplateSyntaxError as error:
        raise Fault(
            f"the template does not parse: {error.message}", path=f"templates/{error.name}", line=error.lineno
        ) from None
    except TemplateNotFound as error:
        path, line = _place(error, templates, template)
        raise Fault(
            f"there is no template {str(error.name)[:60]!r}", "Correct the name", path=path, line=line
        ) from None
    except (TemplateError, SecurityError) as error:
        path, line = _place(error, templates, template)
        raise Fault(
            f"the template cannot be filled: {str(error.message or error).rstrip('.')}",
            "Give it the value or correct the name",
            path=path,
            line=line,
        ) from None
    except RecursionError as error:
        path, line = _place(error, templates, template)
        raise Fault(
            "the template includes, extends or calls itself", "Break the circle", path=path, line=line
        ) from None
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        path, line = _place(error, templates, template)
        raise Fault(
            f"the template cannot be filled: {str(error).rstrip('.')}", "Correct this line", path=path, line=line
        ) from error


def _place(error: BaseException, templates: Path, template: str) -> tuple[str, int | None]:
    """The template and line of the innermost template frame of a traceback; `template` when there is none."""
    path, line, trace = f"templates/{template}", None, error.__traceback__
    while trace:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.is_relative_to(templates):
            path, line = f"templates/{file.relative_to(templates).as_posix()}", trace.tb_lineno
        trace = trace.tb_next
    return path, line


class _Loader(BaseLoader):
    """Templates below one folder: regular UTF-8 files, as all that is read. Raises Fault."""

    def __init__(self, templates: Path) -> None:
        self.templates = templates

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:
        if ".." in template or template.startswith("/") or not present(self.templates, template):
            raise TemplateNotFound(template)
        return read_text(self.templates, template), str(self.templates / template), None


LARGE_PAGE = Size(2 * 14, 62)  # mm: what margins and a caption take of a page of large print
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
        "large": context.order.edition == editions.LARGE_PRINT,
        "index": False,
        "ruler": ""
        if context.order.edition == editions.LARGE_PRINT
        else safe(strip_svg(locale.text("page.ruler"), locale.text("page.inch_unit"))),
        **values,
    }
    css = "\n".join([f":root {{ --accent: {context.kit.facts.accent} }}", style(context.templates, "base", *styles)])
    width, height = size or PAPERS[context.paper]
    edition = context.order.edition
    css += f"\n{style(context.templates, edition)}" if edition not in editions.PLAIN else ""
    room = Size(width - LARGE_PAGE.width, height - LARGE_PAGE.height)
    html, css = editions.dressed(edition, fill(context.templates, page, policy="", style="", **common), css, room)
    # A browser has no running foot: there it stands below the last lines and needs the room that it has on paper.
    foot = "; margin-bottom: 8mm" if size is None else ""
    screen = "\n".join([_fonts(), css, f"@page {{ size: {width}mm {height}mm{foot} }}"])
    preview = fill(context.templates, page, policy=POLICY, style=safe(screen), **common)
    preview, _ = editions.dressed(edition, preview, "", room)
    return html, preview, css


def style(templates: Path, *names: str) -> str:
    """The text of stylesheets of templates/, in this order."""
    return "\n".join(read_text(templates, f"{name}.css") for name in names)


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
