"""The table of a kit without an engine: the deck and the score sheet that its game.toml describes, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from markupsafe import escape

from kit.faults import BUG, Fault, nearest
from kit.games.core import Event
from kit.language.locale import Locale
from kit.paper import cards as faces
from kit.paper.cards import DIAGRAM_RATIO, PLAIN, SUIT_CHARACTERS, Face, Style, diagram_card
from kit.paper.drawing import Drawing
from kit.paper.expect import Made
from kit.paper.sizes import Size
from kit.paper.surfaces import Surface
from kit.practice.core import Problem, Question
from kit.publish import decks
from kit.publish.sheet import Backs

if TYPE_CHECKING:
    from kit.publish.kits import GameFacts

ON_THE_COVER = ("As", "Kh", "Tc", "7d", "2s")
GAP = 0.12  # between cards on the cover, of a card's width


class RulesOnly:
    """A Table of what game.toml says. `values`: the slots of the score sheet's words."""

    DECK: Sequence[str] = ()  # its cards lie with it
    MARKS = ""
    MARKED: Sequence[str] = ()
    QUIET: Sequence[str] = ()
    COVER_EXAMPLE = ""
    SUMMARY_EXAMPLE = ""
    PER_PAGE: Mapping[str, int] = {}
    PRINTED: Sequence[str] = ()
    FIGURES: Mapping[str, Callable[[Locale, str], str]] = {}
    TABLES: Mapping[str, Callable[[Locale, str], str]] = {}

    def __init__(self, facts: GameFacts, values: Mapping[str, float]) -> None:
        self.facts, self.values = facts, values
        self.BACKS: Backs = facts.backs or "mirrored"

    @property
    def names(self) -> tuple[str, ...]:
        """The cards of the deck by the names that the rules text and --single use."""
        deck = self.facts.deck
        if deck is None:
            return ()
        if isinstance(deck, dict):
            return tuple(map(str, range(1, deck["numbered"] + 1)))
        return decks.NAMES if deck == "standard-54" else tuple(name for name in decks.NAMES if name not in decks.JOKERS)

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def numbered(self) -> bool:
        return isinstance(self.facts.deck, dict)

    def cards(self, locale: Locale, size: Size, accent: str, style: Style = PLAIN) -> dict[str, Face]:
        """The deck's faces in order; none for a kit without cards."""
        if not self.names:
            return {}
        if self.numbered:
            return {name: faces.number_card(int(name), self.size, size, accent, style) for name in self.names}
        return decks.faces(locale, size, style, self.names)

    def card_in_text(self, locale: Locale, card: str) -> str:
        """`{card:…}` of the rules text. Raises Fault for a card that the deck has not."""
        if card not in self.names:
            raise Fault(f"there is no card {card}", nearest(card, self.names))
        if self.numbered:
            return f"<b>{escape(locale.number(int(card)))}</b>"
        said = (
            locale.text("rank.joker")
            if card in decks.JOKERS
            else decks.letter(locale, card[0]) + SUIT_CHARACTERS[card[1]]
        )
        return f"<b>{escape(said)}</b>"

    def cover(self, locale: Locale, position: Any, events: Sequence[Event], accent: str, width: float) -> str:
        """Five cards of the deck in a row; nothing for a kit without cards."""
        shown = [name for name in ON_THE_COVER if name in self.names] or list(self.names)
        if not shown:
            return ""
        if self.numbered:
            last = len(shown) - 1
            shown = [shown[round(n * last / 4)] for n in range(5)] if last >= 4 else shown
        unit = width / (5 + 4 * GAP)
        drawing = Drawing(width, unit * DIAGRAM_RATIO)
        for place, name in enumerate(shown):
            letter, suit = (name, "") if self.numbered else (decks.letter(locale, name[0]), name[1])
            drawing.place(diagram_card(letter, suit, width=unit, accent=accent), place * unit * (1 + GAP), 0)
        return drawing.svg(locale.join([_named(locale, name, self.numbered) for name in shown]))

    def score(self, locale: Locale) -> dict[str, Any]:
        """What the template score_rules_only.html prints: a column a player, a row a round, and the total."""
        score = self.facts.score
        assert score is not None  # without it there is no score sheet
        said: dict[str, Any] = {name: locale.number(value) for name, value in self.values.items()}
        return {
            "heading": locale.text("score.title", game=True, **said),
            "intro": locale.text("score.intro", game=True, **said),
            "columns": range(score.columns),
            "rows": [
                locale.text("score.row", game=True, **(said | {"number": locale.number(n)}))
                for n in range(1, score.rows + 1)
            ],
            "total": locale.text("score.total", game=True, **said),
        }

    def mats(self, locale: Locale, card: Size, paper: Size, accent: str) -> Mapping[str, Surface]:
        """None: only an engine knows the places of its cards."""
        return {}

    def plans(self, locale: Locale, card: Size, paper: Size, accent: str) -> Mapping[str, partial[Made]]:
        """None, as with the mats."""
        return {}

    # Whatever tells of a position needs an engine; a kit without one is asked for none of it.

    def before(self, locale: Locale, position: Any, events: Sequence[Event], accent: str) -> NoReturn:
        _no_engine()

    def after(self, locale: Locale, position: Any, events: Sequence[Event], accent: str) -> NoReturn:
        _no_engine()

    def caption(self, locale: Locale, events: Sequence[Event]) -> NoReturn:
        _no_engine()

    def said(self, locale: Locale, name: str, value: Any) -> NoReturn:
        _no_engine()

    def plural(self, facts: Mapping[str, Any]) -> NoReturn:
        _no_engine()

    def question(self, locale: Locale, asked: Question, accent: str) -> NoReturn:
        _no_engine()

    def answer(self, locale: Locale, problem: Problem) -> NoReturn:
        _no_engine()

    def trace_table(self, locale: Locale, problem: Problem) -> NoReturn:
        _no_engine()

    def line(self, locale: Locale, moves: Sequence[str], problem: Problem) -> NoReturn:
        _no_engine()

    def step_label(self, locale: Locale, number: int, facts: Mapping[str, Any]) -> NoReturn:
        _no_engine()


def _no_engine() -> NoReturn:
    raise Fault("a kit without an engine has no positions to draw or tell", "Report it with --debug", code=BUG)


def _named(locale: Locale, name: str, numbered: bool) -> str:
    """A card for those who hear a picture."""
    if numbered:
        return locale.text("card.number", number=name)
    return locale.text("card.named", rank=decks.letter(locale, name[0]), suit=locale.text(f"suit.{name[1]}"))
