"""How each game's table looks on paper: its cards, positions, mats and score sheet. One module a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from kit.games.core import Event
from kit.language.locale import Locale
from kit.paper.cards import PLAIN, Face, Style
from kit.paper.expect import Made
from kit.paper.sizes import Size
from kit.paper.surfaces import Surface
from kit.practice.core import Problem, Question
from kit.publish.sheet import Backs


class Table(Protocol):
    """What `kit.publish.tables.<game>` offers. `accent` is the game's colour; drawings come as inline SVG."""

    DECK: Sequence[str]  # the playing cards that it takes of the shared deck; none for a game with its own cards
    BACKS: Backs  # of its cards where the order does not say
    MARKS: str  # the characters that tie a story's sentences to the picture, in order
    MARKED: Sequence[str]  # the kinds of event that bear a mark
    QUIET: Sequence[str]  # … and those that only add a remark to the sentence before
    COVER_EXAMPLE: str  # whose last position stands on the cover
    SUMMARY_EXAMPLE: str  # … and the one on the summary
    PER_PAGE: Mapping[str, int]  # practice problems on a page, by kind
    PRINTED: Sequence[str]  # the kinds of practice that a build prints without being asked
    FIGURES: Mapping[str, Callable[[Locale, str], str]]  # {figure:name} of the rules text
    TABLES: Mapping[str, Callable[[Locale, str], str]]  # {table:name}, HTML

    def cards(self, locale: Locale, size: Size, accent: str, style: Style = PLAIN) -> dict[str, Face]:
        """The deck's faces in order, by the name that `--single` takes."""

    def card_in_text(self, locale: Locale, card: str) -> str:
        """`{card:…}` of the rules text as HTML. Raises Fault for a card that the deck has not."""

    def before(self, locale: Locale, position: Any, events: Sequence[Event], accent: str) -> str:
        """An example's first position, with what the events will use."""

    def after(self, locale: Locale, position: Any, events: Sequence[Event], accent: str) -> str:
        """An example's last position, the marks of MARKED events on it."""

    def caption(self, locale: Locale, events: Sequence[Event]) -> str:
        """What the marks of an example's pictures mean."""

    def cover(self, locale: Locale, position: Any, events: Sequence[Event], accent: str, width: float) -> str:
        """A position drawn `width` mm wide."""

    def said(self, locale: Locale, name: str, value: Any) -> Mapping[str, str]:
        """One fact of an event or reason as slots of a sentence; empty when plain words will do."""

    def plural(self, facts: Mapping[str, Any]) -> int | None:
        """The number that a sentence about these facts agrees with."""

    def mats(self, locale: Locale, card: Size, paper: Size, accent: str) -> Mapping[str, Surface]:
        """The mats with true card places, by name: the game's words `mat.<name>` and the file `mat-<name>-<card>`."""

    def plans(self, locale: Locale, card: Size, paper: Size, accent: str) -> Mapping[str, partial[Made]]:
        """Pages that show how the table is laid, by the name of their file; each call lacks only its `title`."""

    def score(self, locale: Locale) -> dict[str, Any]:
        """What the score sheet's template prints; `wide`: a log of many columns, which lies in large print."""

    def question(self, locale: Locale, asked: Question, accent: str) -> dict[str, Any]:
        """What the template practice_<game>.html draws of a problem."""

    def answer(self, locale: Locale, problem: Problem) -> str:
        """A problem's right answers as the key prints them."""

    def trace_table(self, locale: Locale, problem: Problem) -> dict[str, Any] | None:
        """The filled table of a traced problem: `heads`, `ends_head`, `ends` and `rows`; None where there is none."""

    def line(self, locale: Locale, moves: Sequence[str], problem: Problem) -> str:
        """A line of play in words, short; of a near miss in the key of a kind that asks for a line."""

    def step_label(self, locale: Locale, number: int, facts: Mapping[str, Any]) -> str:
        """The head of one step of a trace in the key."""
