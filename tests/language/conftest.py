"""A small game's content to break on purpose, and how to name what broke."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kit.faults import Fault, Faults

LANGUAGE = """code = "{code}"
name = "{name}"
decimal = "{decimal}"
quotes = ["”", "”"]
and = "{last}"
or = "{other}"
dictionaries = ["{dictionary}"]
"""


class Tree:
    """A content folder under construction. Writing returns the tree, so a test reads as a list of what there is."""

    def __init__(self, root: Path) -> None:
        self.content = root / "content"
        self.write("words.toml", '[page]\nscale = "Print at 100 %"\ncards = {one = "a card", other = "{n} cards"}\n')
        self.write("g/game.toml", 'title = "Rows"\nneeds = ["{deck} cards"]\n')
        self.write("g/rules.md", "## Goal {: #goal }\n\nJoin a row of {deck}.\n{: #G-1 }\n")
        self.language("en", "English", ".", "and", "or", "en_GB")

    def write(self, name: str, text: str | bytes) -> Tree:
        path = self.content / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self

    def language(self, code: str, name: str, decimal: str, last: str, other: str, dictionary: str) -> Tree:
        text = LANGUAGE.format(code=code, name=name, decimal=decimal, last=last, other=other, dictionary=dictionary)
        return self.write(f"locale/{code}/language.toml", text)

    def swedish(self) -> Tree:
        return self.language("sv", "svenska", ",", "och", "eller", "sv_SE")

    def read(self, name: str) -> str:
        return (self.content / name).read_text("utf-8")

    def edit(self, name: str, old: str, new: str) -> Tree:
        text = self.read(name)
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in\n{text}"
        return self.write(name, text.replace(old, new))

    def translate(self, code: str, translation: Callable[[str], str]) -> Tree:
        """Fill every empty msgstr of the language by a function of its msgid."""
        import polib

        for path in sorted((self.content / f"locale/{code}/LC_MESSAGES").glob("*.po")):
            file = polib.pofile(str(path), wrapwidth=0)
            for entry in file:
                if entry.msgid_plural:
                    texts = [entry.msgid, *[entry.msgid_plural] * (len(entry.msgstr_plural) - 1)]
                    entry.msgstr_plural = {i: translation(text) for i, text in enumerate(texts)}
                else:
                    entry.msgstr = translation(entry.msgid)
            file.save()
        return self


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


@pytest.fixture(scope="session")
def new_tree(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Tree]:
    """Trees for hypothesis, which needs a fresh one for each example."""
    return lambda: Tree(tmp_path_factory.mktemp("tree"))


@pytest.fixture
def told() -> Callable[..., list[str]]:
    """What a call says is wrong, as `name:line: what. cure.` without the way to content/."""

    def call(function: Callable[..., object], *args: object, **options: object) -> list[str]:
        try:
            function(*args, **options)
        except Faults as errors:
            found = errors.faults
        except Fault as error:
            found = [error]
        else:
            return []
        return [str(fault).replace("error: ", "").removeprefix("content/") for fault in found]

    return call
