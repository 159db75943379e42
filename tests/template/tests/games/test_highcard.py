"""High card against its rules."""

import pytest

from kit.games.core import BadPosition, IllegalMove
from tests.template.kit.games import highcard as game


@pytest.mark.rules("HC-1", "HC-2")
def test_deal() -> None:
    position = game.deal(game.DECK, 3)
    assert position.hands == ((1, 2, 3), (4, 5, 6), (7, 8, 9))
    assert position.aside == (10, 11, 12)
    with pytest.raises(BadPosition, match="12 cards for 4 players"):
        game.deal(game.DECK, 4)


@pytest.mark.rules("HC-3")
def test_only_a_card_of_the_hand_is_laid() -> None:
    position = game.position_from_text("table: 4\nseat 0: 7 12\nseat 1: 1 2 3")
    after, events = position.play(game.Lay(2))
    assert (after.table, after.hands[1]) == ((4, 2), (1, 3))
    assert events == (("HC-3", "lay", {"seat": 1, "card": 2}),)
    with pytest.raises(IllegalMove, match="HC-3: 7 is not in the hand of seat 1"):
        position.play(game.Lay(7))


@pytest.mark.rules("HC-4")
def test_the_highest_card_wins() -> None:
    position = game.position_from_text("table: 4 9 1 2 12\nseat 0:\nseat 1: 3")
    after, events = position.play(game.Lay(3))
    assert after.result() == {"winners": [0]}
    assert events[-1] == ("HC-4", "won", {"winners": [0]})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no table"),
        ("seat 0: 1", "expected 'table"),
        ("table: 99", "'99' is no card"),
        ("table: 1\nseat 0: 2 3", "1 hands, not 2 or 3"),
        ("table: 1\nseat 0: 2 3\nseat 1: 4 5", "seat 1 has 2 cards and has laid 0"),
        ("table: 1\nseat 0: 1 3\nseat 1: 4 5 6", "card 1 lies in two places"),
    ],
)
def test_positions_that_cannot_be(text: str, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        game.position_from_text(text)
