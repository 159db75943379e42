"""Reading what others wrote: only regular files below a root, only honest UTF-8, only sizes and depths that are sane.

Everything that kit reads as content goes through here, so nothing later has to ask again what it holds.
Imports nothing heavy; pydantic is loaded only when a TOML file has faults or a model to meet.
"""

from __future__ import annotations

import math
import os
import re
import stat
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from kit.faults import SURROUNDINGS, Fault, Faults, nearest

if TYPE_CHECKING:
    from pydantic import BaseModel

    Model = TypeVar("Model", bound=BaseModel)

LIMIT = 1 << 20  # bytes of a file, unless its reader says otherwise
TOML_LIMIT = 1 << 18  # bytes of a TOML file
TOML_DEPTH = 16  # brackets within brackets, and parts of a dotted key
TOML_WORD = 100  # characters of a number or a bare key
MARKS = 4  # combining marks on one letter

SAFE_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
TomlPath = tuple[str | int, ...]


def shown(root: Path, name: str = "") -> str:
    """How messages name a file: seen from the folder the user stands in, else from the root's own folder."""
    path = Path(os.path.abspath(root / name))
    here = Path.cwd()
    if path.is_relative_to(here):
        return path.relative_to(here).as_posix()
    return (Path(os.path.abspath(root)).name / Path(name)).as_posix()


# Bytes ----------------------------------------------------------------------------------------------------------


def read_bytes(root: Path, name: str, limit: int = LIMIT) -> bytes:
    """The bytes of a regular file that lies below `root` once links are resolved, and is at most `limit` long.

    The checks are made on the opened handle, so neither a pipe nor a device can hang us and nothing can be swapped
    in between. Raises Fault.
    """
    where = shown(root, name)
    try:
        base = root.resolve(strict=True)
        real = (root / name).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise _unreadable(error, where) from None
    if not real.is_relative_to(base):
        raise Fault("this file lies outside its folder", f"Put a copy of it inside {shown(root)}", path=where)
    try:
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    except (OSError, ValueError) as error:
        raise _unreadable(error, where) from None
    try:
        kind = os.fstat(handle)
        if not stat.S_ISREG(kind.st_mode):
            raise Fault("this is not a regular file", "Put a plain file there", path=where)
        data = b""
        while len(data) <= limit and (piece := os.read(handle, limit + 1 - len(data))):
            data += piece
    except OSError as error:
        raise _unreadable(error, where) from None
    finally:
        os.close(handle)
    if len(data) > limit:
        raise Fault(f"this file is larger than {limit:,} bytes", "Split it or make it smaller", path=where)
    return data


def _unreadable(error: Exception, where: str) -> Fault:
    if isinstance(error, FileNotFoundError):
        return Fault("there is no such file", "Add it, or correct the name", path=where)
    if isinstance(error, PermissionError):
        return Fault("this file may not be read", "Change its rights", path=where, code=SURROUNDINGS)
    if isinstance(error, IsADirectoryError | NotADirectoryError):
        return Fault("this is not a regular file", "Put a plain file there", path=where)
    if isinstance(error, OSError) and error.strerror and "symbolic" not in error.strerror:
        return Fault(f"this file cannot be read: {error.strerror.lower()}", "Correct its name or its disk", path=where)
    return Fault("this name leads to no file", "Correct the name or the link", path=where)


# Text -----------------------------------------------------------------------------------------------------------


def read_text(root: Path, name: str, limit: int = LIMIT) -> str:
    """The text of a UTF-8 file: in NFC, no byte-order mark, line feeds only. Raises Fault(s) with line."""
    where = shown(root, name)
    data = read_bytes(root, name, limit)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(
            f"byte {error.start + 1} (0x{data[error.start]:02X}) is not UTF-8",
            "Save the file as UTF-8",
            path=where,
            line=data.count(b"\n", 0, error.start) + 1,
        ) from None
    text = unicodedata.normalize("NFC", text.removeprefix("\ufeff").replace("\r\n", "\n"))
    faults = [
        Fault(what, "Take it out", path=where, line=number)
        for number, line in enumerate(text.split("\n"), 1)
        for what in _odd_characters(line)
    ]
    if faults:
        raise Faults(faults[:50])
    return text


_PLAIN = re.compile(r"[\t\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2660-\u2667]*")
_INVISIBLE = {
    0x034F,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    0x2800,
    0x3164,
    0xFFA0,
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
}
_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_JOINERS = "\u200c\u200d"


def odd_characters(text: str) -> list[str]:
    """What lies in a text that may hold line feeds: one sentence for each character that a reader would not see."""
    return [what for line in text.split("\n") for what in _odd_characters(line)]


def _odd_characters(line: str) -> Iterator[str]:
    """Controls, invisible and private characters, direction overrides, and letters under a heap of marks."""
    if _PLAIN.fullmatch(line):
        return
    marks = 0
    for i, character in enumerate(line):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        name = f"U+{ord(character):04X}"
        if character == "\r":
            yield "a carriage return without a line feed (an old Mac line ending)"
        elif kind == "Cc" and character != "\t":
            yield f"control character {name}"
        elif character in _JOINERS and _between_letters(line, i):
            continue  # Persian and the Indian scripts are written with them
        elif kind == "Cf" or ord(character) in _INVISIBLE:
            turns = unicodedata.bidirectional(character) in _TURNS
            yield f"{'direction override' if turns else 'invisible character'} {name}"
        elif kind in ("Zl", "Zp"):
            yield f"line separator {name}"
        elif kind in ("Co", "Cs", "Cn"):
            yield f"character {name}, which has no agreed shape"
        elif marks == MARKS + 1:
            yield f"more than {MARKS} marks on one letter"


def _between_letters(line: str, i: int) -> bool:
    return 0 < i < len(line) - 1 and all(unicodedata.category(line[j]) in ("Lo", "Mn", "Mc") for j in (i - 1, i + 1))


# Names ----------------------------------------------------------------------------------------------------------


def safe_name(name: str, what: str = "name", *, path: object = None, line: int | None = None) -> str:
    """`name` itself when it may become a file name, an id or an address. Raises Fault."""
    if not SAFE_NAME.fullmatch(name) or len(name) > 64:
        raise Fault(
            f"{name[:64]!r} is not a {what}",
            "Use a-z, 0-9 and -, beginning with a letter or digit",
            path=path,
            line=line,
        )
    return name


def present(root: Path, name: str) -> bool:
    """Whether there is anything of that name, a link to nowhere too: reading it then says what is wrong."""
    return os.path.lexists(root / name)


def folder(root: Path, name: str) -> list[str]:
    """The names in a folder below root, sorted; none when there is no such folder.

    Raises Fault for two names that are the same file on another machine (composed or not, capital or not), and for a
    folder that links out of root.
    """
    path = root / name
    if not path.is_dir():
        return []
    if not path.resolve().is_relative_to(root.resolve()):
        raise Fault(
            "this folder lies outside its root", f"Put a copy of it inside {shown(root)}", path=shown(root, name)
        )
    found = sorted(entry.name for entry in path.iterdir() if not entry.name.startswith("."))
    no_clashes(found, shown(root, name))
    return found


def no_clashes(names: Iterable[str], where: str) -> None:
    """Raise Fault(s) for two names that differ only in composition (NFC) or capitals."""
    seen: dict[str, str] = {}
    faults = []
    for name in names:
        key = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        if key in seen:
            both = f"{seen[key]!a} and {name!a}"
            faults.append(Fault(f"{both} are one name on some machines", "Rename one of the two", path=where))
        seen.setdefault(key, name)
    if faults:
        raise Faults(faults)


# TOML -----------------------------------------------------------------------------------------------------------


class Toml(NamedTuple):
    """A TOML file: its data, the name to show, and the line of every key and list entry by its path."""

    data: dict[str, Any]
    where: str
    lines: dict[TomlPath, int]

    def line(self, path: TomlPath) -> int:
        """The line of that key, or of the nearest thing around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def fault(self, path: TomlPath, what: str, cure: str) -> Fault:
        """A fault at that key."""
        return Fault(what, cure, path=self.where, line=self.line(path))


def toml(root: Path, name: str) -> Toml:
    """Parse a TOML file, refusing what would overwhelm the parser. Raises Fault(s) with line."""
    where = shown(root, name)
    text = read_text(root, name, TOML_LIMIT)
    _no_monsters(text, where)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, _, at = str(error).partition(" (at ")
        found = re.match(r"line (\d+)", at)
        line = int(found[1]) if found else _unclosed(text)
        raise Fault(
            f"this is not TOML: {what[:1].lower()}{what[1:200]}", "Correct this line", path=where, line=line
        ) from None
    except (ValueError, RecursionError) as error:
        raise Fault(f"this is not TOML: {str(error)[:200]}", "Correct the file", path=where, line=1) from None
    file = Toml(data, where, _lines(text))
    faults = [file.fault(path, what, "Correct it") for path, what in _odd_values(data, ())]
    if faults:
        raise Faults(faults[:50])
    return file


def read_toml(root: Path, name: str, model: type[Model]) -> Model:
    """A TOML file as a model: strict, no unknown key. Raises Faults with every mistake at once, each at its line."""
    from pydantic import ValidationError

    file = toml(root, name)
    try:
        return model.model_validate(file.data, strict=True, extra="forbid")
    except ValidationError as error:
        faults = [_mistake(file, model, mistake) for mistake in error.errors(include_url=False)]
        raise Faults(sorted(faults, key=lambda fault: fault.line or 0)) from None


_TOKEN = re.compile(
    r'(?P<comment>\#[^\n]*)|(?P<string>"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\')'
    r"|(?P<space>[ \t]+)|(?P<newline>\n)|(?P<mark>[\[\]{},=.])|(?P<word>[^\s\[\]{},=.\#\"']+)|(?P<other>.)",
    re.DOTALL,
)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Kind, text and line of each token that carries meaning."""
    line = 1
    for found in _TOKEN.finditer(text):
        kind = str(found.lastgroup)
        if kind not in ("comment", "space"):
            yield kind, found[0], line
        line += found[0].count("\n")


def _unclosed(text: str) -> int:
    """Where the quotes begin that are never closed, else the last line."""
    lines = (line for kind, _, line in _tokens(text) if kind == "other")
    return next(lines, text.rstrip("\n").count("\n") + 1)


def _no_monsters(text: str, where: str) -> None:
    """Refuse depth and length that tomllib answers with minutes or a RecursionError."""
    depth = dots = 0
    for kind, token, line in _tokens(text):
        depth += (token in "[{") - (token in "]}") if kind == "mark" else 0
        dots = dots + 1 if token == "." else 0 if kind in ("newline", "mark") else dots
        if depth > TOML_DEPTH or dots >= TOML_DEPTH:
            raise Fault(f"more than {TOML_DEPTH} levels deep", "Flatten it", path=where, line=line)
        if kind == "word" and len(token) > TOML_WORD:
            raise Fault(f"a number or key of {len(token):,} characters", "Shorten it", path=where, line=line)


def _lines(text: str) -> dict[TomlPath, int]:
    """The line of each key and list entry of a text that tomllib has accepted."""
    lines: dict[TomlPath, int] = {}
    tokens = list(_tokens(text))
    tables: dict[TomlPath, int] = {}
    at = 0

    def skip_newlines() -> None:
        nonlocal at
        while at < len(tokens) and tokens[at][0] == "newline":
            at += 1

    def key() -> tuple[TomlPath, int]:
        """A dotted key and its line."""
        nonlocal at
        parts: list[str] = []
        line = tokens[at][2]
        while at < len(tokens) and tokens[at][1] not in ("=", "]"):
            kind, token, _ = tokens[at]
            if kind == "string":
                parts.append(next(iter(tomllib.loads(f"{token} = 0"))))
            elif kind == "word":
                parts.append(token)
            at += 1
        return tuple(parts), line

    def pair(base: TomlPath) -> None:
        nonlocal at
        path, line = key()
        for length in range(1, len(path) + 1):
            lines.setdefault(base + path[:length], line)
        at += 1  # the equals sign
        value(base + path)

    def value(path: TomlPath) -> None:
        nonlocal at
        _, token, line = tokens[at]
        lines.setdefault(path, line)
        at += 1
        if token == "[":
            index = 0
            while True:
                skip_newlines()
                if tokens[at][1] == "]":
                    break
                value((*path, index))
                index += 1
                skip_newlines()
                at += tokens[at][1] == ","
            at += 1
        elif token == "{":
            while tokens[at][1] != "}":
                skip_newlines()
                pair(path)
                skip_newlines()
                at += tokens[at][1] == ","
            at += 1
        else:
            while at < len(tokens) and (tokens[at][0] == "word" or tokens[at][1] == "."):  # 3.5, 1979-05-27 07:32
                at += 1

    base: TomlPath = ()
    skip_newlines()
    while at < len(tokens):
        if tokens[at][1] == "[":
            many = tokens[at + 1][1] == "["
            at += 1 + many
            path, line = key()
            at += 1 + many
            base = ()
            for part in path[:-1]:
                base = (*base, part)
                base += (tables[base] - 1,) if base in tables else ()
            base = (*base, path[-1])
            lines.setdefault(base, line)
            if many:
                tables[base] = tables.get(base, 0) + 1
                base = (*base, tables[base] - 1)
            lines.setdefault(base, line)
        else:
            pair(base)
        skip_newlines()
    return lines


def _odd_values(value: Any, path: TomlPath) -> Iterator[tuple[TomlPath, str]]:
    """What an escape smuggled into a string, and the numbers that are none."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from ((path, what) for what in odd_characters(name))
            yield from _odd_values(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _odd_values(inner, (*path, index))
    elif isinstance(value, str):
        yield from ((path, what) for what in odd_characters(value))
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, f"{value} is not a number"


_EXPECTED = {
    "string_type": "text in quotes is expected here",
    "int_type": "a whole number is expected here",
    "int_from_float": "a whole number is expected here",
    "float_type": "a number without quotes is expected here",
    "bool_type": "true or false is expected here",
    "list_type": "a list in [ ] is expected here",
    "tuple_type": "a list in [ ] is expected here",
    "dict_type": "a table is expected here",
    "model_type": "a table is expected here",
    "greater_than": "this is not more than {gt:.12g}",
    "greater_than_equal": "this is less than {ge:.12g}",
    "less_than": "this is not less than {lt:.12g}",
    "less_than_equal": "this is more than {le:.12g}",
    "finite_number": "this is not a number",
    "string_too_short": "this text is shorter than {min_length} characters",
    "string_too_long": "this text is longer than {max_length} characters",
    "string_pattern_mismatch": "this text does not have the form {pattern}",
    "too_short": "there are fewer than {min_length} entries",
    "too_long": "there are more than {max_length} entries",
    "literal_error": "this is none of {expected}",
}


def _mistake(file: Toml, model: type[BaseModel], mistake: Mapping[str, Any]) -> Fault:
    """A mistake that pydantic found, in our words and at its line."""
    path: TomlPath = mistake["loc"]
    name = ".".join(map(str, path)) or "the file"
    known = _keys_at(model, path[:-1])
    if mistake["type"] == "missing":
        return file.fault(path, f"{name} is missing", "Add it")
    if mistake["type"] == "extra_forbidden":
        return file.fault(
            path, f"there is no key {name[:100]}", nearest(str(path[-1]), known) if known else "Take it out"
        )
    if mistake["type"] == "value_error":
        what = str(mistake["ctx"]["error"])
    else:
        what = _EXPECTED.get(mistake["type"], "{plain}").format(
            **{"plain": mistake["msg"][:1].lower() + mistake["msg"][1:], **mistake.get("ctx", {})}
        )
    return file.fault(path, f"{name[:100]}: {what}", "Correct it")


def _keys_at(model: type[BaseModel], path: TomlPath) -> list[str]:
    """The keys that a table at this path may have; an index or a free key stays within the models it chooses from."""
    models = [model]
    for part in path:
        fields = [_fields(each)[str(part)] for each in models if str(part) in _fields(each)]
        models = [kind for field in fields for kind in _kinds(field)] or ([] if fields else models)
    return [name for each in models for name in _fields(each)]


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    """The keys of a table and the annotations of their values."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _kinds(annotation: Any) -> Iterator[Any]:
    """The models inside an annotation such as `dict[str, Word] | None`."""
    from typing import get_args

    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _kinds(inner)
