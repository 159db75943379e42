"""PO files: nothing is dropped, and everything that is wrong has its line."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.faults import Fault, Faults
from kit.language import po

Told = Callable[..., list[str]]

HEADER = """\
msgid ""
msgstr ""
"Language: sv\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""  # the first message begins in line 7
NAME = "locale/sv/LC_MESSAGES/g.po"


@pytest.fixture
def said(tree: Any, told: Told) -> Callable[[str | bytes], list[str]]:
    def call(text: str | bytes) -> list[str]:
        tree.write(NAME, text)
        return [fault.removeprefix(NAME + ":") for fault in told(po.read, tree.content, NAME, "sv")]

    return call


def test_a_whole_file_is_read(tree: Any) -> None:
    tree.write(
        NAME,
        "# A comment\n" + HEADER + '#. note\n#: content/g/rules.md:3\n#, fuzzy, python-brace-format\n#| msgid "Olde"\n'
        'msgctxt "key"\nmsgid ""\n"two "\n"pieces \\"quoted\\" \\\\ \\n"\nmsgstr "tv\\tå"\n\n'
        'msgid "one"\nmsgid_plural "{n} many"\nmsgstr[0] "en"\nmsgstr[1] "{n} många"\n\n'
        '#~ msgctxt "old"\n#~ msgid "gone"\n#~ msgstr "borta"\n#~| msgid "x"\n',
    )
    file = po.read(tree.content, NAME, "sv")
    assert list(file.entries.values()) == [
        po.Entry("key", 'two pieces "quoted" \\ \n', None, ("tv\tå",), 13, 16, True, False),
        po.Entry(None, "one", "{n} many", ("en", "{n} många"), 18, 20, False, False),
    ]
    assert file.obsolete == (po.Entry("old", "gone", None, ("borta",), 24, 25, False, True),)
    assert (file.plural.forms, file.plural(1), file.plural(2)) == (2, 0, 1)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('msgid "a"\nmsgstr "b\n', '8: this line is not PO: msgstr "b. Close its quotes, or correct it.'),
        ('msgid "a\nmsgstr "b"\n', '7: this line is not PO: msgid "a.'),
        ('msgid "a"\nmsgstr "b"c"\n', "8: this line is not PO:"),
        ('msgid "a"\nmsgstr "b\\q"\n', "8: this line is not PO:"),
        ('msgid "a"\nmsgstr "b\\x02"\n', "8: this line is not PO:"),
        ('msgid "a"\nmsgstr b\n', "8: this line is not PO: msgstr b."),
        ('msgid "a"\nnonsense\nmsgstr "b"\n', "8: this line is not PO: nonsense."),
        ('"loose"\n', '7: this line is not PO: "loose".'),
        (
            '<<<<<<< ours\nmsgid "a"\n=======\nmsgid "a"\n>>>>>>> theirs\nmsgstr "b"\n',
            "7: a merge left its marks here.",
        ),
        (
            'msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n',
            "10: this message stands here and in line 7. Keep one of the two.",
        ),
        ('msgid "a"\nmsgid "b"\nmsgstr "c"\n', "8: msgid stands twice."),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', "9: msgstr stands twice."),
        ('msgid "a"\n\nmsgid "b"\nmsgstr "c"\n', "7: this message has no msgid or no msgstr."),
        ('msgid "a"\n', "7: this message has no msgid or no msgstr."),
        ('msgid "a"\n#~ msgstr "b"\n', "8: half of this message is marked obsolete. Mark all of it, or none."),
        ('msgstr "a"\n', "7: this message has no msgid or no msgstr."),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr "c"\n', "7: msgstr and msgid_plural do not fit together."),
        ('msgid "a"\nmsgstr[0] "c"\n', "7: msgstr and msgid_plural do not fit together."),
        (
            'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[2] "c"\n',
            "7: msgstr and msgid_plural do not fit together.",
        ),
        (
            'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\n',
            "9: 1 plural forms where sv has 2. Give msgstr[0] to msgstr[1].",
        ),
        (
            'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] "c"\nmsgstr[2] "c"\n',
            "9: 3 plural forms where sv has 2.",
        ),
    ],
)
def test_what_libraries_drop_is_refused_with_its_line(said: Callable[[str], list[str]], text: str, fault: str) -> None:
    found = said(HEADER + text)
    assert found and found[0].startswith(fault), found


def test_all_faults_are_told_at_once(said: Callable[[str], list[str]]) -> None:
    found = said(HEADER + 'msgid "a\nmsgstr ""\n\n=======\n\nmsgid "b"\nmsgstr "\n')
    assert [fault.split(":")[0] for fault in found] == ["7", "10", "13"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (HEADER, 'msgid "a"\nmsgstr "b"\n', "1: the header is missing."),
        (HEADER, "", "1: the header is missing."),
        ('msgid ""\nmsgstr ""', '#, fuzzy\nmsgid ""\nmsgstr ""', "2: the header is marked fuzzy."),
        ("UTF-8", "ISO-8859-1", "2: the header's Content-Type is not text/plain; charset=UTF-8."),
        ("UTF-8", "CHARSET", "2: the header's Content-Type is not"),
        ("Language: sv", "Language: da", "2: the header says Language: da. Write Language: sv."),
        ("Language: sv", "X: sv", "2: the header says Language: nothing."),
    ],
)
def test_a_header_that_does_not_hold(said: Callable[[str], list[str]], old: str, new: str, fault: str) -> None:
    found = said(HEADER.replace(old, new))
    assert found and found[0].startswith(fault), found


def test_bytes_that_are_not_utf8_and_controls(said: Callable[[str | bytes], list[str]]) -> None:
    data = (HEADER + 'msgid "a"\nmsgstr "å"\n').encode("latin-1")
    assert said(data)[0].startswith("8: byte") and "is not UTF-8" in said(data)[0]
    assert said(HEADER + 'msgid "a"\nmsgstr "b\u202e"\n')[0].startswith("8: direction override U+202E")


def test_a_mark_at_the_start_and_crlf_are_no_matter(tree: Any) -> None:
    tree.write(NAME, b"\xef\xbb\xbf" + (HEADER + 'msgid "a"\nmsgstr "b"\n').replace("\n", "\r\n").encode())
    assert po.read(tree.content, NAME, "sv").entries[None, "a"].forms == ("b",)


# Plural rules

POLISH = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
FRENCH = "nplurals=3; plural=(n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;"
ARABIC = "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);"


def test_plural_rules_of_other_languages() -> None:
    plural = po.plural_rule(POLISH, "x", 1)
    assert plural.forms == 3 and [plural(n) for n in (0, 1, 2, 5, 12, 22, 112, 122)] == [2, 0, 1, 2, 2, 1, 2, 1]
    plural = po.plural_rule(ARABIC, "x", 1)
    assert plural.forms == 6 and [plural(n) for n in (0, 1, 2, 3, 11, 100)] == [0, 1, 2, 3, 4, 5]
    assert [po.plural_rule(FRENCH, "x", 1)(n) for n in (0, 1, 2, 1000)] == [0, 0, 2, 2]
    assert po.plural_rule("nplurals=1; plural=0", "x", 1)(7) == 0


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "nplurals=2",
        "nplurals=2; plural=;",
        "nplurals=0; plural=0;",
        "nplurals=99; plural=0;",
        "nplurals=2; plural=n;",
        "nplurals=2; plural=n/0;",
        "nplurals=2; plural=n%(n-5);",
        "nplurals=2; plural=-1;",
        "nplurals=2; plural=n**n;",
        "nplurals=2; plural=__import__('os');",
        "nplurals=2; plural=n.real;",
        "nplurals=2; plural=[n];",
        "nplurals=2; plural=" + "(" * 500 + "n" + ")" * 500 + ";",
        "nplurals=2; plural=" + "n==1?0:" * 400 + "1;",
        "nplurals=2; plural=9999999999*n;",
        "nplurals=INTEGER; plural=EXPRESSION;",
        "nplurals=2; plural=lambda: 0;",
        "nplurals=2; plural=" + "n*" * 600 + "n;",
    ],
)
def test_plural_rules_that_do_not_hold_are_refused_at_once(rule: str) -> None:
    start = time.monotonic()
    with pytest.raises(Fault) as caught:
        po.plural_rule(rule, "x.po", 4)
    assert caught.value.line == 4 and time.monotonic() - start < 2


# Against gettext's own


@pytest.mark.parametrize(
    "text", ['msgid "a\\"b\\\\c\\n"\nmsgstr "x\\n"\n', 'msgctxt "c"\nmsgid "a"\n"b"\nmsgstr "x"\n"y"\n']
)
def test_what_we_read_gettext_reads_alike(tree: Any, text: str) -> None:
    tree.write(NAME, HEADER + text)
    import gettext

    target = tree.content / "g.mo"
    subprocess.run(["msgfmt", "-c", "-o", str(target), str(tree.content / NAME)], check=True)
    with target.open("rb") as handle:
        theirs = gettext.GNUTranslations(handle)
    for entry in po.read(tree.content, NAME, "sv").entries.values():
        said = theirs.gettext(entry.id) if entry.context is None else theirs.pgettext(entry.context, entry.id)
        assert said == entry.forms[0]


_LINES = st.sampled_from(
    [
        'msgid "a"',
        'msgid "b"',
        'msgstr "x"',
        'msgstr ""',
        'msgctxt "c"',
        'msgid_plural "p"',
        'msgstr[0] "x"',
        'msgstr[1] "y"',
        '"more"',
        "",
        "# c",
        "#, fuzzy",
        '#~ msgid "o"',
        '#~ msgstr "o"',
        "=======",
        'msgid "',
        "\\",
        '#| msgid "z"',
    ]
)


@given(st.lists(_LINES, max_size=14))
def test_any_lines_are_read_whole_or_refused(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    content = tmp_path_factory.getbasetemp() / "po"
    content.mkdir(exist_ok=True)
    (content / "x.po").write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    with contextlib.suppress(Fault, Faults):
        file = po.read(content, "x.po", "sv")
        live = sum(line.startswith("msgid ") for line in lines)
        assert len(file.entries) == live and len(file.obsolete) == sum(line.startswith("#~ msgid") for line in lines)
