"""Templates to HTML: Jinja in its sandbox, strict about what is not defined, and the style that goes with a page."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError, UndefinedError, select_autoescape
from jinja2.sandbox import SandboxedEnvironment, SecurityError
from markupsafe import Markup

from kit.faults import BUG, CONTENT, Fault


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


def fill(templates: Path, name: str, **values: Any) -> str:
    """The HTML of one template. Raises Fault with the template's line."""
    try:
        return _environment(templates).get_template(name).render(**values)
    except TemplateSyntaxError as error:
        raise Fault(
            f"the template does not parse: {error.message}", path=f"templates/{error.name}", line=error.lineno
        ) from None
    except (TemplateError, SecurityError) as error:
        raise Fault(
            f"the template cannot be filled: {error.message or error}",
            "Give it the value or correct the name",
            path=f"templates/{name}",
            line=_line(error, templates),
            code=CONTENT,
        ) from None
    except RecursionError:
        raise Fault("the template includes or extends itself", "Break the circle", path=f"templates/{name}") from None
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise Fault(
            f"the template cannot be filled: {error}", path=f"templates/{name}", line=_line(error, templates), code=BUG
        ) from error


def _line(error: BaseException, templates: Path) -> int | None:
    """The line of the innermost template frame of a traceback."""
    line, trace = None, error.__traceback__
    while trace:
        if Path(trace.tb_frame.f_code.co_filename).is_relative_to(templates):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def style(templates: Path, *names: str) -> str:
    """The text of stylesheets of templates/, in this order."""
    return "\n".join((templates / f"{name}.css").read_text("utf-8") for name in names)


def safe(html: str) -> Markup:
    """Markup that this project made itself (drawings, rendered rules), so that a template does not escape it."""
    return Markup(html)
