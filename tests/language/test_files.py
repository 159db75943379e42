"""Reading: what is not a plain, honest, small file below its root is refused with its line."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from kit.faults import SURROUNDINGS, Fault, Faults
from kit.files import LIMIT, folder, no_clashes, read_bytes, read_text, read_toml, safe_name, toml


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "content").mkdir()
    return tmp_path / "content"


def put(root: Path, data: bytes | str, name: str = "a.txt") -> Path:
    path = root / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def test_a_plain_file_is_read(root: Path) -> None:
    put(root, "å\n")
    assert read_bytes(root, "a.txt") == "å\n".encode()
    assert read_text(root, "a.txt") == "å\n"


@pytest.mark.parametrize("name", ["../outside.txt", "link.txt", "folder/inside.txt", "/etc/hostname"])
def test_nothing_outside_the_root_is_read(root: Path, name: str) -> None:
    put(root.parent, "secret", "outside.txt")
    (root.parent / "other").mkdir()
    put(root.parent / "other", "secret", "inside.txt")
    (root / "link.txt").symlink_to(root.parent / "outside.txt")
    (root / "folder").symlink_to(root.parent / "other")
    with pytest.raises(Fault, match="lies outside its folder"):
        read_bytes(root, name)


def test_a_link_inside_the_root_is_followed(root: Path) -> None:
    put(root, "here")
    (root / "b.txt").symlink_to("a.txt")
    assert read_bytes(root, "b.txt") == b"here"


def test_pipes_devices_folders_and_loops_are_refused_at_once(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "loop").symlink_to("loop")
    (root / "sub").mkdir()
    start = time.monotonic()
    for name in ("pipe", "loop", "sub", "missing", "nul\0byte", "x" * 300):
        with pytest.raises(Fault):
            read_bytes(root, name)
    with pytest.raises(Fault, match="not a regular file"):
        read_bytes(Path("/dev"), "zero")
    assert time.monotonic() - start < 2


def test_what_is_missing_is_said_with_its_cure(root: Path) -> None:
    with pytest.raises(Fault) as caught:
        read_bytes(root, "nothing.txt")
    assert str(caught.value) == "content/nothing.txt: error: there is no such file. Add it, or correct the name."


def test_a_file_without_rights_is_a_fault_of_the_surroundings() -> None:
    """Root may read everything, and so becomes nobody for as long as it takes to ask."""
    with tempfile.TemporaryDirectory() as folder:
        root, user = Path(folder), os.geteuid()
        root.chmod(0o755)
        put(root, "x").chmod(0)
        try:
            os.seteuid(user or 65534)
            with pytest.raises(Fault) as caught:
                read_bytes(root, "a.txt")
        finally:
            os.seteuid(user)
    assert caught.value.code == SURROUNDINGS


def test_size_is_capped_at_exactly_the_limit(root: Path) -> None:
    put(root, b"x" * LIMIT)
    assert len(read_bytes(root, "a.txt")) == LIMIT
    put(root, b"x" * (LIMIT + 1))
    with pytest.raises(Fault, match="larger than 1,048,576 bytes"):
        read_bytes(root, "a.txt")


def test_text_comes_without_mark_with_line_feeds_and_composed(root: Path) -> None:
    put(root, b"\xef\xbb\xbfone\r\ntwo a\xcc\x8a\n")
    assert read_text(root, "a.txt") == "one\ntwo å\n"


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b"one\ntwo \xe5\n", 2, "byte 9 (0xE5) is not UTF-8"),
        (b"\xed\xa0\x80", 1, "byte 1 (0xED) is not UTF-8"),  # a lone surrogate
        ("one\rtwo\n", 1, "a carriage return without a line feed (an old Mac line ending)"),
        ("one\ntwo\f\n", 2, "control character U+000C"),
        ("one\n\ntwo\x85\n", 3, "control character U+0085"),
        ("\0", 1, "control character U+0000"),
        ("a\u2028b", 1, "line separator U+2028"),
        ("a\n\u202eb", 2, "direction override U+202E"),
        ("a\n\u2066b", 2, "direction override U+2066"),
        ("a\u200bb", 1, "invisible character U+200B"),
        ("a\u00adb", 1, "invisible character U+00AD"),
        ("a\u200db", 1, "invisible character U+200D"),
        ("one\n\ufeff", 2, "invisible character U+FEFF"),
        ("♥\ufe0f", 1, "invisible character U+FE0F"),
        ("\u3164", 1, "invisible character U+3164"),
        ("a\ue000", 1, "character U+E000, which has no agreed shape"),
        ("a\U000f0001", 1, "character U+F0001, which has no agreed shape"),
        ("a\U00100001", 1, "character U+100001, which has no agreed shape"),
        ("a" + "\u0338" * 9, 1, "more than 4 marks on one letter"),
    ],
)
def test_characters_that_lie_are_refused_with_their_line(root: Path, data: bytes | str, line: int, what: str) -> None:
    put(root, data)
    with pytest.raises((Fault, Faults)) as caught:
        read_text(root, "a.txt")
    first = caught.value.faults[0] if isinstance(caught.value, Faults) else caught.value
    assert (first.line, first.what, first.code) == (line, what, 1)


@pytest.mark.parametrize("text", ["å ä ö – “quoted” ♠♥♦♣ → 1\u00a0000 ½", "نمی\u200cخواهم", "ไม่", "Việt Nam"])
def test_honest_text_of_many_scripts_passes(root: Path, text: str) -> None:
    put(root, text)
    assert read_text(root, "a.txt") == text


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_faults(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    root = tmp_path_factory.mktemp("any")
    put(root, data)
    with contextlib.suppress(Fault, Faults):
        read_text(root, "a.txt")


# Names


@pytest.mark.parametrize("names", [["å.md", "a\u030a.md"], ["Goal.md", "goal.md"], ["STRASSE", "straße"]])
def test_two_names_that_are_one_elsewhere_are_both_named(names: list[str]) -> None:
    with pytest.raises(Faults) as caught:
        no_clashes(names, "content/g")
    said = str(caught.value)
    assert all(ascii(name) in said for name in names) and said.startswith("content/g: error:")


def test_a_folder_is_listed_in_order_and_refused_when_it_clashes_or_links_out(root: Path) -> None:
    for name in ("b", "a", ".hidden"):
        put(root, "", name)
    assert folder(root, "") == ["a", "b"]
    assert folder(root, "none") == []
    put(root, "", "A")
    with pytest.raises(Faults, match="'A' and 'a'"):
        folder(root, "")
    (root / "out").symlink_to(root.parent)
    with pytest.raises(Fault, match="outside its root"):
        folder(root, "out")


@pytest.mark.parametrize("name", ["", "A", "a b", "../a", "a/b", "-a", ".a", "å", "a\n", "a" * 65])
def test_a_name_that_could_hurt_is_refused(name: str) -> None:
    with pytest.raises(Fault):
        safe_name(name)


def test_a_safe_name_is_itself() -> None:
    assert safe_name("no-lower-end-2") == "no-lower-end-2"


# TOML


class Size(BaseModel):
    width: Annotated[float, Field(gt=0, le=300)]


class Card(BaseModel):
    title: Annotated[str, Field(min_length=1, max_length=5)]
    count: int = 1
    kind: Literal["poker", "mini"] = "poker"
    size: Size | None = None
    sizes: dict[str, Size] = {}
    tags: list[str] = []


def card(root: Path, text: str) -> list[str]:
    put(root, text, "card.toml")
    try:
        read_toml(root, "card.toml", Card)
    except Faults as errors:
        return [str(fault).removeprefix("content/card.toml:").replace(" error:", "") for fault in errors.faults]
    except Fault as error:
        return [str(error).removeprefix("content/card.toml:").replace(" error:", "")]
    return []


def test_a_good_file_becomes_its_model(root: Path) -> None:
    put(root, 'title = "Ace"\n[size]\nwidth = 63.5\n', "card.toml")
    assert read_toml(root, "card.toml", Card) == Card(title="Ace", size=Size(width=63.5))


def test_all_mistakes_are_told_at_once_each_at_its_line(root: Path) -> None:
    text = 'titel = "Ace"\ncount = "3"\nkind = "jumbo"\n\n[size]\nwidth = -5\nwidht = 3\n[sizes.a]\n[[x]]\n'
    assert card(root, text) == [
        "1: title is missing. Add it.",
        "1: there is no key titel. Did you mean title?",
        "2: count: a whole number is expected here. Correct it.",
        "3: kind: this is none of 'poker' or 'mini'. Correct it.",
        "6: size.width: this is not more than 0. Correct it.",
        "7: there is no key size.widht. Did you mean width?",
        "8: sizes.a.width is missing. Add it.",
        "9: there is no key x. There is: count, kind, size, sizes, tags, title.",
    ]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("nan", "nan is not a number"),
        ("inf", "inf is not a number"),
        ("-inf", "-inf is not a number"),
        ("0", "size.width: this is not more than 0"),
        ("300.1", "size.width: this is more than 300"),
        ('"63,5"', "size.width: a number without quotes is expected here"),
        ("true", "size.width: a number without quotes is expected here"),
    ],
)
def test_sizes_that_are_none(root: Path, value: str, what: str) -> None:
    assert card(root, f'title = "A"\n\n[size]\n\nwidth = {value}\n') == [f"5: {what}. {'Correct it'}."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('title = "A"\ncount = \n', "2: this is not TOML: invalid value."),
        ('title = "A\n', "1: this is not TOML:"),
        ('title = "A"\ntitle = "B"\n', "2: this is not TOML: cannot overwrite a value."),
        ('title = """A\n\n', "1: this is not TOML: unterminated string."),
        ('a = 1\ntitle = """A\nb\n\n', "2: this is not TOML: unterminated string."),
        ("\n[a\n", "2: this is not TOML:"),
        ("a = " + "[" * 2000 + "\n", "1: more than 16 levels deep. Flatten it."),
        ("\n\na = " + "{x=" * 2000 + "\n", "3: more than 16 levels deep."),
        ("\n" + ".".join("a" * 20_000) + " = 1\n", "2: more than 16 levels deep."),
        ("[" + ".".join("a" * 20_000) + "]\n", "1: more than 16 levels deep."),
        ("title = 'A'\ncount = " + "9" * 100_000 + "\n", "2: a number or key of 100,000 characters. Shorten it."),
        ('title = "A\\u202e"\n', "1: direction override U+202E. Correct it."),
        ('title = "A"\ntags = [\n"x",\n"\\u0000",\n]\n', "4: control character U+0000. Correct it."),
        ("title = 'A' # \f\n", "1: control character U+000C. Take it out."),
    ],
)
def test_toml_that_does_not_hold_is_refused_with_its_line(root: Path, text: str, said: str) -> None:
    start = time.monotonic()
    found = card(root, text)
    assert len(found) == 1 and found[0].startswith(said)
    assert time.monotonic() - start < 3


def test_a_large_toml_file_is_refused(root: Path) -> None:
    assert card(root, "#" * (1 << 19)) == [" this file is larger than 262,144 bytes. Split it or make it smaller."]


def test_every_key_and_entry_has_its_line(root: Path) -> None:
    text = """\
a = 1 # one
"b c" = [
  1, [2,
  3],
]

[t.u]
x = {p = 1, q = {r = 2}}
s = '''
= [ {
'''
d.e = 1979-05-27 07:32:00
f = 3.5
[[m]]
k = "]"
[[m]]
k = 2
[m.n]
o = ''
"""
    put(root, text, "x.toml")
    file = toml(root, "x.toml")
    expected: dict[tuple[Any, ...], int] = {
        ("a",): 1,
        ("b c",): 2,
        ("b c", 0): 3,
        ("b c", 1): 3,
        ("b c", 1, 1): 4,
        ("t", "u"): 7,
        ("t", "u", "x", "q", "r"): 8,
        ("t", "u", "s"): 9,
        ("t", "u", "d", "e"): 12,
        ("t", "u", "f"): 13,
        ("m", 0, "k"): 15,
        ("m", 1, "k"): 17,
        ("m", 1, "n", "o"): 19,
    }
    assert {path: file.lines.get(path) for path in expected} == expected
    assert file.line(("t", "u", "nothing", "here")) == 7
    assert file.line(("nowhere",)) == 1


_VALUES = st.recursive(
    st.integers(-9, 9) | st.booleans() | st.text("ab\"'[]{}=.,#\n\\", max_size=6) | st.just(1.5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.\"'", min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


def _written(value: Any) -> str:
    import json

    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[\n" + "".join(f"{_written(inner)}, # [\n" for inner in value) + "]"
    return json.dumps(value)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in _paths(item, (*path, key)))]


@given(st.dictionaries(st.text("ab.\"'", min_size=1, max_size=3), _VALUES, max_size=4))
def test_the_line_map_knows_every_path_of_any_file(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, Any]
) -> None:
    import json

    root = tmp_path_factory.mktemp("map")
    text, lines = "", {}
    for key, value in data.items():
        text += "\n# a comment = [\n"
        lines[key] = text.count("\n") + 1
        text += f"{json.dumps(key)} = {_written(value)}\n"
    put(root, text, "x.toml")
    file = toml(root, "x.toml")
    assert file.data == data
    assert set(_paths(data)) - {()} == set(file.lines)
    assert {key: file.line((key,)) for key in data} == lines


@given(st.text("ab.\"'[]{}=,#\n\\ 1-", max_size=40))
def test_no_text_raises_anything_but_faults_as_toml(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = tmp_path_factory.mktemp("fuzz")
    put(root, text, "x.toml")
    with contextlib.suppress(Fault, Faults):
        toml(root, "x.toml")
