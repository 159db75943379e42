"""rules.md: every message, slot and fault at its true line; what the dialect leaves out is refused, the rest kept."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.faults import Fault, Faults
from kit.language import markdown, parser
from kit.language.locale import Locale
from kit.language.markdown import Rules, Slot

Told = Callable[..., list[str]]

HEAD = "## Goal {: #goal }\n\n"
HOME = "\n\nA rule.\n{: #G-1 }\n"

TEXT = """\
## Goal {: #goal }

A *first* paragraph
over two lines with {deck} cards.
{: #G-1 }

A repeated paragraph.

- one
- two
  goes on
    - inner {rule:G-1}
    - inner two

        inner paragraph

- three **bold {hand}**

1. first
2. second
   goes on

### Table {: #table }

| Head | Other {deck} |
|:-----|------:|
| a    | b     |
| c {hand} | d |

no | pipes
---|---
left | right

A repeated paragraph.

!!! note
    Noted text
    goes on

    Second of note

!!! tip "With title"
    Tip

!!! warning ""
    Untitled

Term
:   Definition
    goes on

    Second of definition

Other term
: Short

{figure:setup}

Last [link](#goal) and ![a picture of
two lines](a.png).
"""

LINES = [
    (1, "Goal"),
    (3, "A *first* paragraph over two lines with {deck} cards."),
    (7, "A repeated paragraph."),
    (9, "one"),
    (10, "two goes on"),
    (12, "inner {rule:G-1}"),
    (13, "inner two"),
    (15, "inner paragraph"),
    (17, "three **bold {hand}**"),
    (19, "first"),
    (20, "second goes on"),
    (23, "Table"),
    (25, "Head"),
    (25, "Other {deck}"),
    (27, "a"),
    (27, "b"),
    (28, "c {hand}"),
    (28, "d"),
    (30, "no"),
    (30, "pipes"),
    (32, "left"),
    (32, "right"),
    (34, "A repeated paragraph."),
    (36, "Note"),
    (37, "Noted text goes on"),
    (40, "Second of note"),
    (42, "With title"),
    (43, "Tip"),
    (46, "Untitled"),
    (48, "Term"),
    (49, "Definition goes on"),
    (52, "Second of definition"),
    (54, "Other term"),
    (55, "Short"),
    (59, "Last [link](#goal) and ![a picture of two lines](a.png)."),
]


def made(
    tree: Any, resolve: Callable[[Slot], str] = lambda slot: f"<b>{slot}</b>", known: tuple[str, ...] = ("G-1",)
) -> Rules:
    return markdown.rules(tree.content, "g", Locale.load(tree.content, "en", "g"), known, resolve)


def body(rules: Rules) -> str:
    return "".join(section.html for section in rules.sections)


@pytest.fixture
def said(tree: Any, told: Told) -> Callable[[str], list[str]]:
    """What is wrong with a text, without the file's name."""

    def call(text: str) -> list[str]:
        tree.write("g/rules.md", text)
        return [fault.removeprefix("g/rules.md:") for fault in told(made, tree)]

    return call


# Lines


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_message_has_its_line(tree: Any, ending: str) -> None:
    tree.write("g/rules.md", TEXT.replace("\n", ending))
    assert [(message.line, message.text) for message in markdown.messages(tree.content, "g")] == LINES


def test_every_slot_has_its_line_and_knows_whether_it_stands_alone(tree: Any) -> None:
    tree.write("g/rules.md", TEXT).write("g/assets/a.png", b"x")
    seen: list[Slot] = []
    made(tree, lambda slot: (seen.append(slot), "x")[1])
    assert seen == [
        Slot("fact", "deck", 4),
        Slot("rule", "G-1", 12),
        Slot("fact", "hand", 17),
        Slot("fact", "deck", 25),
        Slot("fact", "hand", 28),
        Slot("figure", "setup", 57, True),
    ]


def test_a_line_moves_with_what_stands_above_it(tree: Any) -> None:
    tree.write("g/rules.md", "\n" * 40 + TEXT.replace("\n\n", "\n\n\n"))
    text = tree.read("g/rules.md").split("\n")
    for message in markdown.messages(tree.content, "g"):
        first = re.escape(message.text.split(" ")[0])
        assert re.search(first, text[message.line - 1], re.IGNORECASE), message


_PIECES = st.sampled_from(
    [
        "- W",
        "    - W",
        "1. W",
        "W",
        "W W",
        "| W | W |\n|---|---|\n| W | W |",
        "W\n: W",
        "!!! note\n    W",
        "## W {: #ID }",
    ]
)


@given(st.lists(_PIECES, min_size=1, max_size=14), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=60)
def test_lines_are_true_in_any_arrangement(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], ending: str
) -> None:
    """Each W becomes a word that names its own line; whatever the parser makes of it, the word says where it stood."""
    text = "\n\n".join(["## W {: #start }", *pieces]).split("\n")
    lines = [line.replace("W", f"w{number}w").replace("ID", f"id{number}") for number, line in enumerate(text, 1)]
    content = tmp_path_factory.mktemp("lines")
    (content / "g").mkdir()
    (content / "g/rules.md").write_text(ending.join(lines), newline="")
    try:
        messages = markdown.messages(content, "g")
    except Faults as errors:
        assert all("w" not in fault.what or re.search(r"four spaces|below", fault.what) for fault in errors.faults)
        return
    found = [(message.line, int(number)) for message in messages for number in re.findall(r"w(\d+)w", message.text)[:1]]
    assert found and all(line == number for line, number in found)
    words = re.findall(r"w\d+w", " ".join(message.text for message in messages))
    assert words == re.findall(r"w\d+w", "\n".join(lines)), "nothing dropped, nothing moved"


# What is kept


def test_sections_ids_homes_and_titles(tree: Any) -> None:
    tree.write("g/rules.md", TEXT + "\n## End *now* {deck} & then {: #end }\n\n- ruled {: #G-R2 }\n").write(
        "g/assets/a.png", b"x"
    )
    rules = made(tree, known=("G-1", "G-R2"))
    assert rules.title == "Rows"
    assert [(section.id, section.level, section.rules) for section in rules.sections] == [
        ("goal", 2, ("G-1",)),
        ("table", 3, ()),
        ("end", 2, ("G-R2",)),
    ]
    assert rules.sections[2].title == "End <em>now</em> <b>{deck}</b> &amp; then"
    assert rules.homes == {"G-1": "goal", "G-R2": "end"}
    assert rules.images == ("a.png",)
    assert rules.sections[2].html == '<ul><li id="G-R2" class="rule" data-number="§R2">ruled</li></ul>\n'


def test_the_html_holds_everything_once(tree: Any) -> None:
    tree.write("g/rules.md", TEXT).write("g/assets/a.png", b"x")
    text = body(made(tree))
    assert (
        '<p id="G-1" class="rule" data-number="§1">A <em>first</em> paragraph\n'
        "over two lines with <b>{deck}</b> cards.</p>" in text
    )
    assert '<th class="right">Other <b>{deck}</b></th>' in text and '<td class="left">a</td>' in text
    assert (
        "<li>two\n  goes on<ul>" in text.replace("<li><p>two", "<li>two").replace("on</p>", "on") or "goes on" in text
    )
    assert '<div class="admonition note"><p class="admonition-title">Note</p>' in text
    assert '<div class="admonition warning"><p>Untitled</p></div>' in text
    assert "<div><b>{figure:setup}</b></div>" in text
    assert '<a href="#goal">link</a>' in text and '<img src="a.png" alt="a picture of two lines">' in text
    assert not re.search("[\U000f0000-\U0010ffff\x02\x03]", text)


def test_characters_that_are_escaped_stand_as_themselves(tree: Any) -> None:
    tree.write("g/rules.md", HEAD + "A \\{deck} \\*star\\* \\[x] \\_ \\` 3 < 4 & a snake_case {deck}." + HOME)
    text = body(made(tree))
    assert "<p>A {deck} *star* [x] _ ` 3 &lt; 4 &amp; a snake_case <b>{deck}</b>.</p>" in text
    assert markdown.messages(tree.content, "g")[1].text.startswith("A \\{deck} \\*star\\*")


def test_braces_next_to_marks_are_slots_and_not_attributes(tree: Any) -> None:
    """attr_list would read `*x*{deck}` and a heading's last `{deck}` as attributes."""
    tree.write(
        "g/rules.md",
        "## Of {deck} {: #goal }\n\n*x*{deck} and **{deck}**\n\n| a | b {deck} |\n|--|--|\n| c | d |" + HOME,
    )
    rules = made(tree)
    assert rules.sections[0].title == "Of <b>{deck}</b>"
    assert "<p><em>x</em><b>{deck}</b> and <strong><b>{deck}</b></strong></p>" in body(rules)
    assert "<th>b <b>{deck}</b></th>" in body(rules)


def test_no_break_spaces_are_kept(tree: Any) -> None:
    tree.write("g/rules.md", HEAD + "100\u00a0% of  it" + HOME)
    assert markdown.messages(tree.content, "g")[1].text == "100\u00a0% of it"


def test_numbers_and_slots_alone_are_no_messages(tree: Any) -> None:
    tree.write("g/rules.md", HEAD + "| A | B |\n|---|---|\n| 7 | {deck} |\n| – | |" + HOME)
    assert [message.text for message in markdown.messages(tree.content, "g")] == ["Goal", "A", "B", "A rule."]


def test_classes_from_the_list_and_ids_are_the_only_attributes(tree: Any) -> None:
    tree.write(
        "g/rules.md",
        HEAD
        + "Kept.\n{: #here .keep }\n\nSee [it](#here), [web](https://example.org/a?b=c#d) or [m](mailto:a@b.se)."
        + HOME,
    )
    assert '<p id="here" class="keep">Kept.</p>' in body(made(tree))


# What is refused


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("text\n\n> quoted", "5: a quotation is not used here. Write a note: !!! note."),
        ("text\n\n---", "5: a rule, an underlined heading or an empty list item."),
        ("text\n\n* * *", "5: a rule, an underlined heading or an empty list item."),
        ("Heading\n=======", "4: a rule, an underlined heading or an empty list item."),
        ("- \n", "3: a rule, an underlined heading or an empty list item."),
        ("```\ncode\n```", "3: code is not used here."),
        ("text\n\n    code", "5: a code block (four spaces before the text) is not used here."),
        ("some\n`code`", "4: code is not used here."),
        ("some  \ntext", "3: a forced line break is not used here."),
        ("# Title {: #x }", "3: a heading of level 1 is not used here."),
        ("text\n#### Deep {: #x }", "4: a heading of level 4 is not used here."),
        (
            "- one\n  - two",
            "4: a list item indented by neither 0 nor 4 nor 8 spaces. Indent a list in a list by 4 spaces.",
        ),
        ("text\n- item", "4: a list right below other text. Put an empty line before the list."),
        ("text\n1. item", "4: a list right below other text."),
        ("text\n| a | b |\n|---|---|\n| c | d |", "4: a row that belongs to no table."),
        ("1. one\n3. three", "4: item 3 would be printed as 2. Number items in order."),
        ("| a | b |\n|---|---|\n| c | d | e |", "5: this row has 3 cells and its table 2 columns."),
        ("| a | b |\n|---|---|\n| c |", "5: this row has 1 cells and its table 2 columns."),
        (
            "|" + " a |" * 21 + "\n|" + "---|" * 21 + "\n|" + " a |" * 21,
            "3: this row has 21 cells and its table 21 columns.",
        ),
        ("| a | b |\n|---|---|\n| c | d |\n{: #tab }", "6: this row has 1 cells and its table 2 columns."),
        ("!!! danger\n    text", "3: there is no note of kind 'danger'. There is: example, note, tip, warning."),
        ('!!! note "open\n    text', "3: a note that is none."),
        ("a <b>bold</b>", "3: HTML is not used here: <b>bold</b>. Write it in Markdown."),
        ("one\ntwo <script>alert(1)</script>", "4: HTML is not used here: <script>alert(1)</sc."),
        ("<iframe src=x></iframe>", "3: HTML is not used here"),
        ("<!-- hidden -->", "3: HTML is not used here"),
        ("<https://example.org>", "3: HTML is not used here"),
        ("a&nbsp;b", "3: an entity is not used here: &nbsp;b. Type the character itself."),
        ("a &#x202e; b", "3: an entity is not used here"),
        (
            "[x](javascript:alert(1))",
            "3: a link to 'javascript:alert(1)'. Link to https:, mailto: or the #id of a heading.",
        ),
        ("one\n[x](file:///etc/passwd)", "4: a link to 'file:///etc/passwd'."),
        ("[x](data:text/html,x)", "3: a link to 'data:text/html,x'."),
        ("[x](http://example.org)", "3: a link to 'http://example.org'."),
        ("[x](//example.org)", "3: a link to '//example.org'."),
        ("[x](JaVaScRiPt:x)", "3: a link to 'JaVaScRiPt:x'."),
        ("[x](https://)", "3: a link to 'https://'."),
        ("[x](../y)", "3: a link to '../y'."),
        ("[x](java\\script:x)", "3: a link to"),
        ("[x]( )", "3: "),
        ("[](#goal)", "3: a link without text."),
        ('[x](#goal "title")', "3: title is not used here."),
        ("[x](#gaol)", "3: there is no #gaol. Did you mean goal?"),
        ("one\ntwo [x][undefined]", "4: no link came of this bracket: [x][undefined]."),
        ("[x]\n\n[x]: https://example.org", "3: no link came of this bracket: [x]."),
        ("**open", "3: this mark has no partner: **open. Close it, or write \\ before it."),
        ("a * b", "3: this mark has no partner: * b."),
        ("*(\n*#id", "3: this mark has no partner: *( *#id."),
        ("one\n_open", "4: this mark has no partner: _open."),
        ("x {: onclick=alert(1) }", "3: 'onclick=alert(1)' is no id."),
        ("x\n{: style=x }", "4: 'style=x' is no id."),
        ("x\n{: .big }", "4: there is no class 'big'. There is: keep, small, wide."),
        ("x\n{: #a #b }", "4: '#b' is no id."),
        ("x\n{: #goal }", "4: the id goal stands here and in line 1. Give each id once."),
        ("x\n\n{: #alone }", "5: this paragraph is empty. Write it; an id stands right below its paragraph."),
        ("x {: #a } y", "3: a brace is no slot: {: #a } y."),
        ("x\n{deck size}", "4: a brace is no slot: {deck size}."),
        ("x {Deck}", "3: a brace is no slot: {Deck}."),
        ("{deck", "3: a brace is no slot: {deck."),
        ("[{deck}](#{deck})", "3: a slot stands in an address or a picture's description."),
        ("![{deck}](a.png)", "3: a slot stands in an address or a picture's description."),
        ("![a](../../secret.png)", "3: a picture named '../../secret.png'."),
        ("![a](https://example.org/a.png)", "3: a picture named 'https://example.org/a.png'."),
        ("![a](file:a.png)", "3: a picture named 'file:a.png'."),
        ("![a](sub/a.png)", "3: a picture named 'sub/a.png'."),
        ("![a](a.gif)", "3: a picture named 'a.gif'."),
        ("![](a.png)", "3: picture a.png has no description."),
        ("one\n![a](missing.png)", "4: picture missing.png: there is no such file."),
        ("[see {rule:G-1}](#goal)", "3: {rule:G-1} is a link and stands in a link. Take it out of the link."),
        ("1. a\n\n   goes on", "5: text indented by neither 0 nor 4 nor 8 spaces. Indent text in a list item"),
        ("!!! note\ntext", "3: this note is empty. Indent its text by 4 spaces."),
        ("- x\n\n    ## Inner {: #inner }", "5: a heading inside something else. Begin it at the margin."),
        ("### No id", "3: this heading has no id. Give it one: ## Heading {: #id }."),
        ("| a | b |\n|---|---|\n| c | d {: #G-1 } |", "5: rule G-1 is at home in a table cell."),
        ("x\n{: #G-2 }", "4: there is no rule G-2. Did you mean G-1?"),
        ("one\nsee {rule:G-11}", "4: there is no rule G-11. Did you mean G-1?"),
        ("- " * 8 + "deep", "3: a list item that begins with a list item."),
        (" " * 28 + "deep", "3: text indented by more than 24 spaces."),
        ("x" * 2001, "3: a line of more than 2,000 characters."),
        ("x " * 900 + ("\n" + "x " * 900) * 3, "3: a paragraph of more than 4,000 characters."),
        ("*" * 3000 + "text" + "*" * 3000, "3: a line of more than 2,000 characters."),
        ("*" * 900 + "text" + "*" * 900, "3: "),
        ("[" * 1900, "3: "),
        ("<![" * 600, "3: more than 100 marks of one kind in one piece."),
    ],
)
def test_what_the_dialect_leaves_out_is_refused_with_its_line(
    said: Callable[[str], list[str]], text: str, fault: str
) -> None:
    found = said(HEAD + text + HOME)
    assert any(line.startswith(fault) for line in found), found


def test_a_second_home_a_missing_home_and_text_before_the_first_heading(said: Callable[[str], list[str]]) -> None:
    assert said(HEAD + "x\n{: #G-1 }" + HOME) == ["7: the id G-1 stands here and in line 4. Give each id once."]
    assert said(HEAD + "x\n") == ["1: rule G-1 has no paragraph. Write it and give it its id: {: #G-1 }."]
    assert said("x\n\n" + HEAD + HOME)[0] == "1: the rules begin without a heading. Begin with ##."
    assert said("") == ["1: the rules begin without a heading. Begin with ##."]


def test_a_missing_home_is_told_where_the_rule_before_it_stands(tree: Any, told: Told) -> None:
    tree.write("g/rules.md", HEAD + "x\n{: #G-1 }\n")
    found = told(made, tree, known=("G-1", "G-2"))
    assert found == ["g/rules.md:4: rule G-2 has no paragraph. Write it and give it its id: {: #G-2 }."]


def test_all_faults_are_told_at_once(said: Callable[[str], list[str]]) -> None:
    found = said(HEAD + "[x](http://a)\n\n<b>\n\n{deck size}" + HOME)
    assert [line.split(":")[0] for line in found] == ["3", "5", "7"]


def test_a_slot_that_does_not_resolve_is_told_at_its_line(tree: Any, told: Told) -> None:
    def resolve(slot: Slot) -> str:
        raise Fault(f"slot {slot} does not exist", "Did you mean deck")

    tree.write("g/rules.md", HEAD + "one\ntwo {deck_sise}" + HOME)
    assert told(made, tree, resolve) == ["g/rules.md:4: slot {deck_sise} does not exist. Did you mean deck?"]


def test_a_picture_that_links_out_is_refused(tree: Any, told: Told) -> None:
    tree.write("g/rules.md", HEAD + "![a](a.png)" + HOME).write("../secret.png", b"x").write("g/assets/b.png", b"x")
    (tree.content / "g/assets/a.png").symlink_to(tree.content.parent / "secret.png")
    assert told(made, tree) == [
        "g/rules.md:3: picture a.png: this file lies outside its folder. Put a copy of it inside content."
    ]
    tree.write("secret.png", b"x")
    (tree.content / "g/assets/a.png").unlink()
    (tree.content / "g/assets/a.png").symlink_to(tree.content / "secret.png")
    assert told(made, tree)[0].startswith("g/rules.md:3: picture a.png: this file lies outside its folder.")


def test_what_resolves_is_put_in_as_it_is_and_not_read_again(tree: Any) -> None:
    tree.write("g/rules.md", HEAD + "See {rule:G-1}.\n\n{example:one}" + HOME)
    text = body(made(tree, lambda slot: f'<i title="{slot.kind}">*{{deck}}* &amp;</i>'))
    assert '<p>See <i title="rule">*{deck}* &amp;</i>.</p>' in text
    assert '<div><i title="example">*{deck}* &amp;</i></div>' in text


# Cost


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "<![" * 5_000,
        "*" * 3_000 + "x" + "*" * 3_000,
        "x " * 500_000,
        "- x\n" * 40_000,
        "> " * 2_000,
        "a\n" * 300_000,
        "[x](" * 400,
        "![" * 900,
        "`" * 1_900,
        "\\" * 1_900,
        "*a _b " * 300,
        "    " * 400 + "x",
        "| a " * 400 + "\n" + "|---" * 400,
        ("[a](" + "b" * 15 + "*_") * 90,
        "\n\n".join(["*a* [b](#goal)"] * 20_000),
        "{deck}" * 300,
        "x\n: y\n" * 1_500,
    ],
)
def test_small_and_plain_large_inputs_end_in_time(tree: Any, text: str) -> None:
    tree.write("g/rules.md", HEAD + text + HOME)
    start = time.monotonic()
    try:
        made(tree)
    except (Fault, Faults) as error:
        assert "error:" in str(error)
    assert time.monotonic() - start < 3 * parser.SECONDS


def test_the_clock_stops_what_takes_too_long(tree: Any, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kit.language.markdown.SECONDS", -1.0)
    found = told(made, tree)
    assert found == ["g/rules.md: reading takes more than 10 seconds. Make the text simpler."]


BITS = [
    "*",
    "**",
    "_",
    "`",
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "{",
    "}",
    "{:",
    "{deck}",
    "{rule:G-1}",
    "#id",
    "## ",
    "### ",
    "- ",
    "1. ",
    "    ",
    "\n",
    "\n\n",
    "|",
    "|---|---|",
    "| a | b |",
    ": ",
    "!!! note",
    '!!! tip "T"',
    "<b>",
    "&amp;",
    "\\",
    "word",
    "å",
    "♥",
    "> ",
    "---",
    "===",
    "https://a.se",
    "#goal",
    "mailto:a@b.se",
    "a.png",
    " {: #x }",
    " {: .keep }",
    '"',
    "  \n",
    "\t",
    "^",
    "~~~",
    "<",
    "\u00a0",
]


@given(st.lists(st.sampled_from(BITS), min_size=1, max_size=25).map("".join))
@settings(max_examples=400)
def test_random_mixes_raise_nothing_but_faults_with_lines(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    content = tmp_path_factory.getbasetemp() / "fuzz"
    (content / "g").mkdir(parents=True, exist_ok=True)
    (content / "g/rules.md").write_text(HEAD + text + HOME, encoding="utf-8")
    start = time.monotonic()
    try:
        messages = markdown.messages(content, "g")
    except (Fault, Faults) as error:
        faults = error.faults if isinstance(error, Faults) else [error]
        last = (HEAD + text + HOME).count("\n") + 1
        assert all(fault.code == 1 and fault.line and 1 <= fault.line <= last for fault in faults), str(error)
    else:
        for message in messages:  # what is accepted can be read again by itself, as a translation is
            markdown.shape(message.text)
            assert html.escape(markdown.plain(message.text)) is not None
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n  \n", "\n   \n   \nEnd.\n", "\n\n\nEnd.\n"])
def test_a_table_may_end_the_text_or_stand_before_blank_lines(tree: Any, end: str) -> None:
    tree.write("g/rules.md", f"## Goal {{: #goal }}\n\n| a | b |\n|---|---|\n| x | y |{end}")
    texts = [message.text for message in markdown.messages(tree.content, "g")]
    assert texts[1:5] == ["a", "b", "x", "y"]
