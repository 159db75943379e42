"""Ascending row overflow against its rules, the source's examples, the conformance traces, and itself."""

from __future__ import annotations

import copy
import gzip
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import catalogue
from kit.games import record
from kit.games import rowoverflow as game
from kit.games.core import BadPosition, IllegalMove
from kit.games.rowoverflow import Position, Reveal, Take

VECTORS = Path(__file__).parent / "vectors" / "rowoverflow.jsonl.gz"

SOURCE = """
row 1: 3
row 2: 8
row 3: 14
row 4: 20
seat 0: 7 9 10 11 12
seat 1: 15 2 13 16 17
seat 2: 18 23 19 21 22
"""

OVERFLOW = """
row 1: 3
row 2: 8 9
row 3: 10 12 13 14
row 4: 20
seat 0: 7 6
seat 1: 15 2; collected 1 4
seat 2: 18 23; collected 5 11 16
"""

FULL_ROWS = """
row 1: 2 3 4 5
row 2: 8 9 10 11
row 3: 14 15 16 17
row 4: 20 21 22 23
seat 0: 1 24
seat 1: 6 7
seat 2: 12 13
seat 3: 18 19
"""


def at(text: str) -> Position:
    return game.position_from_text(text)


def events_of(position: Position, move: str) -> list[tuple[str, str]]:
    return [(event.rule, event.kind) for event in position.play(game.move_from_text(move))[1]]


def refused(position: Position, move: game.Move) -> str:
    with pytest.raises(IllegalMove) as error:
        position.play(move)
    assert move not in position.legal()
    return error.value.rule


# ── conformance ──


def test_selected_traces_agree_and_show_every_rule_that_an_event_can_name() -> None:
    seen = set()
    with gzip.open(VECTORS) as stream:
        for _, line in record.lines(stream):
            for events in record.replay(record.parse(line), catalogue.game).events:
                seen |= {event.rule for event in events}
    assert seen == {"RO-4", "RO-5", "RO-6", "RO-7", "RO-8", "RO-9", "RO-12", "RO-13"}
    assert seen <= {rule.id for rule in game.RULES}


# ── the deal ──


@pytest.mark.parametrize(("players", "aside"), [(3, 5), (4, 0)])
@pytest.mark.rules("RO-2")
def test_ro2_hands_then_starters_then_what_lies_aside(players: int, aside: int) -> None:
    deck = game.DECK[::-1]
    position = game.deal(deck, players)
    assert position.hands == tuple(deck[n * 5 : n * 5 + 5] for n in range(players))
    assert position.rows == tuple((card,) for card in deck[players * 5 : players * 5 + 4])
    assert position.aside == deck[players * 5 + 4 :]
    assert len(position.aside) == game.aside_size(players) == game.facts()[f"aside_{players}"] == aside
    assert position.collected == ((),) * players
    game.check(position)


@pytest.mark.parametrize(
    ("deck", "players", "fault"),
    [
        (game.DECK, 2, "2 players"),
        (game.DECK, 5, "5 players"),
        (game.DECK[1:], 3, "the 24 cards, one each"),
        ((*game.DECK[1:], 2), 3, "the 24 cards, one each"),
        ((*game.DECK, 25), 3, "the 24 cards, one each"),
        ((0, *game.DECK[1:]), 3, "the 24 cards, one each"),
    ],
)
@pytest.mark.rules("RO-1", "RO-2")
def test_deal_refuses(deck: tuple[int, ...], players: int, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        game.deal(deck, players)


@pytest.mark.rules("RO-1")
def test_facts() -> None:
    assert game.facts() == {
        "deck_size": 24, "lowest_card": 1, "highest_card": 24, "players_min": 3, "players_max": 4, "hand": 5,
        "reveals": 5, "rows": 4, "row_limit": 4, "row_limit_next": 5, "points_per_card": 1,
        "aside_3": 5, "aside_4": 0, "dealt_3": 15, "dealt_4": 20,
    }  # fmt: skip


# ── choose and reveal ──


@pytest.mark.rules("RO-3")
def test_ro3_one_card_of_each_hand() -> None:
    position = at(SOURCE)
    legal = position.legal()
    assert len(legal) == 125
    assert list(legal) == [Reveal(cards) for cards in product(*position.hands)]
    assert (legal[-1], legal[0]) == (Reveal((12, 17, 22)), Reveal((7, 15, 18)))
    assert legal[1:3] == [Reveal((7, 15, 23)), Reveal((7, 15, 19))]
    for index in 125, -126:
        with pytest.raises(IndexError):
            legal[index]
    assert Reveal((7, 15, 18)) in legal
    for move in Reveal((7, 7, 18)), Reveal((15, 7, 18)), Reveal((7, 15)), Reveal((7, 15, 18, 1)), Take(1), "reveal":
        assert move not in legal


@pytest.mark.rules("RO-3")
def test_ro3_refusals() -> None:
    position = at(SOURCE)
    for cards in (7, 15), (7, 15, 18, 1), (7, 7, 18), (15, 7, 18), (1, 15, 18), (7, 15, 25), ():
        assert refused(position, Reveal(cards)) == "RO-3"


@pytest.mark.rules("RO-4")
def test_ro4_nobody_chooses_again_after_a_reveal() -> None:
    owed, events = at(SOURCE).play(Reveal((9, 2, 18)))
    assert owed.pending == ((2, 1), (9, 0), (18, 2))
    assert [event.rule for event in events] == ["RO-4", "RO-5", "RO-8"]
    assert refused(owed, Reveal((10, 15, 23))) == "RO-4"


@pytest.mark.rules("RO-3", "RO-11")
def test_ro3_a_card_that_has_left_the_hand_or_was_never_in_it_is_not_chosen() -> None:
    after, _ = at(OVERFLOW).play(Reveal((7, 15, 18)))
    played, collected, in_a_row, aside, of_another = 15, 1, 20, 17, 6
    for card in played, collected, in_a_row, aside, of_another:
        assert refused(after, Reveal((6, card, 23))) == "RO-3"


@pytest.mark.rules("RO-4", "RO-8", "RO-12")
def test_ro4_the_last_reveal_is_not_over_while_its_choice_is_owed() -> None:
    """The hands are empty, yet a row is to be chosen: nothing may be revealed by RO-4, not by RO-12."""
    owed = at(
        "row 1: 3 4 5 6\nrow 2: 8\nrow 3: 14\nrow 4: 20\nseat 0:; collected 7 10\nseat 1:; collected 11\n"
        "seat 2:; collected 12 13 15 16 17 18\npending: 2 of seat 1, 9 of seat 2, 24 of seat 0"
    )
    assert owed.hands == ((), (), ())
    assert not owed.over and owed.result() is None
    assert list(owed.legal()) == [Take(1), Take(2), Take(3), Take(4)]
    assert refused(owed, Reveal((24, 2, 9))) == "RO-4"
    after, events = owed.play(Take(1))
    assert after.rows == ((2,), (8, 9), (14,), (20, 24))
    assert after.result() == {"penalties": [2, 5, 6], "winners": [0]}
    assert [event.rule for event in events] == ["RO-8", "RO-7", "RO-6", "RO-7", "RO-6", "RO-7", "RO-12", "RO-13"]


# ── resolve ──


@pytest.mark.rules("RO-6", "RO-7")
def test_ro6_the_sources_own_example() -> None:
    """7 behind the 3, 15 behind the 14, then the 18 behind the 15."""
    after, events = at(SOURCE).play(Reveal((7, 15, 18)))
    assert after.rows == ((3, 7), (8,), (14, 15, 18), (20,))
    assert after.hands == ((9, 10, 11, 12), (2, 13, 16, 17), (23, 19, 21, 22))
    assert after.collected == ((), (), ())
    assert not after.pending
    assert events[0] == ("RO-4", "reveal", {"cards": (7, 15, 18)})
    assert events[1] == ("RO-5", "order", {"order": ((7, 0), (15, 1), (18, 2))})
    placed = [event for event in events if event.rule == "RO-6"]
    assert [(event.facts["card"], event.facts["row"], event.facts["end"]) for event in placed] == [
        (7, 1, 3), (15, 3, 14), (18, 3, 15)
    ]  # fmt: skip
    assert [event.facts["ends"] for event in events if event.rule == "RO-7"] == [
        (7, 8, 14, 20), (7, 8, 15, 20), (7, 8, 18, 20)
    ]  # fmt: skip


@pytest.mark.rules("RO-9")
def test_ro9_the_sources_own_example() -> None:
    """Four cards in that row: they are collected, and the 18 is a row of one."""
    position = at(OVERFLOW)
    after, events = position.play(Reveal((7, 15, 18)))
    assert after.rows == ((3, 7), (8, 9), (15, 18), (20,))
    assert after.collected == ((), (1, 4, 10, 12, 13, 14), (5, 11, 16))
    assert ("RO-9", "overflow") in [(event.rule, event.kind) for event in events]
    assert next(event for event in events if event.rule == "RO-9").facts == {
        "card": 15, "seat": 1, "row": 3, "end": 14, "length": 4, "cards": (10, 12, 13, 14), "points": 4
    }  # fmt: skip


@pytest.mark.rules("RO-5")
def test_ro5_the_smallest_first_whatever_the_seating() -> None:
    position = at(SOURCE)
    mirrored = position._replace(hands=position.hands[::-1])
    assert position.play(Reveal((7, 15, 18)))[0].rows == mirrored.play(Reveal((18, 15, 7)))[0].rows


@pytest.mark.parametrize(
    ("rows", "card", "row"),
    [
        (((3,), (8,), (14,), (20,)), 7, 0),
        (((3,), (8,), (14,), (20,)), 9, 1),
        (((3,), (8,), (14,), (20,)), 24, 3),
        (((3,), (8,), (14,), (20,)), 4, 0),
        (((20,), (14,), (8,), (3,)), 13, 2),
        (((1, 20), (2, 14), (8,), (13,)), 12, 2),
        (((3,), (8,), (14,), (20,)), 2, None),
        (((3,), (8,), (14,), (20,)), 1, None),
    ],
)
@pytest.mark.rules("RO-6")
def test_ro6_lower_end(rows: Any, card: int, row: int | None) -> None:
    assert game.lower_end(rows, card) == row


@pytest.mark.parametrize("row", [1, 2, 3, 4])
@pytest.mark.rules("RO-8")
def test_ro8_any_row_is_collected_and_begun_anew(row: int) -> None:
    owed, _ = at(OVERFLOW).play(Reveal((6, 2, 18)))
    assert list(owed.legal()) == [Take(1), Take(2), Take(3), Take(4)]
    after, events = owed.play(Take(row))
    taken = owed.rows[row - 1]
    assert after.collected[1] == (1, 4, *taken)
    assert events[0][:2] == ("RO-8", "no_lower_end")
    assert events[0].facts == {
        "card": 2, "seat": 1, "row": row, "end": taken[-1], "length": len(taken), "cards": taken, "points": len(taken)
    }  # fmt: skip
    assert events[1].facts["ends"][row - 1] == 2
    assert not after.pending


@pytest.mark.rules("RO-8", "RO-10")
def test_ro8_and_ro10_refusals() -> None:
    owed, _ = at(OVERFLOW).play(Reveal((6, 2, 18)))
    for row in 0, 5, -1:
        assert refused(owed, Take(row)) == "RO-8"
    for row in range(1, 5):
        assert refused(at(OVERFLOW), Take(row)) == "RO-10"


@pytest.mark.rules("RO-R1")
def test_ror1_only_the_smallest_card_can_lack_a_lower_end() -> None:
    """5, 6 and 7 are all below every end; once the 5 has a row the others follow it."""
    position = at(
        "row 1: 21\nrow 2: 22\nrow 3: 23\nrow 4: 24\nseat 0: 5 8 9 10 11\nseat 1: 6 1 2 3 4\nseat 2: 7 12 13 14 15"
    )
    owed, _ = position.play(Reveal((5, 6, 7)))
    after, events = owed.play(Take(4))
    assert after.rows == ((21,), (22,), (23,), (5, 6, 7))
    assert [event.rule for event in events if event.rule != "RO-7"] == ["RO-8", "RO-6", "RO-6"]


@pytest.mark.rules("RO-R1", "RO-8", "RO-9")
def test_ror1_a_new_row_fills_up_within_its_reveal_and_overflows_in_the_next() -> None:
    """1 to 4 are below every end: four cards are a row. Then the 5 is never the fifth card."""
    position = at(
        "row 1: 21\nrow 2: 22\nrow 3: 23\nrow 4: 24\nseat 0: 4 8 9 13 17\nseat 1: 3 6 10 14 18\n"
        "seat 2: 2 7 11 15 19\nseat 3: 1 5 12 16 20"
    )
    owed, _ = position.play(Reveal((4, 3, 2, 1)))
    assert owed.pending == ((1, 3), (2, 2), (3, 1), (4, 0))
    after, events = owed.play(Take(3))
    assert after.rows == ((21,), (22,), (1, 2, 3, 4), (24,))
    assert after.collected == ((), (), (), (23,))
    assert [event.rule for event in events] == ["RO-8", "RO-7"] + ["RO-6", "RO-7"] * 3
    assert refused(after, Take(3)) == "RO-10"
    after, events = after.play(Reveal((8, 6, 7, 5)))
    assert after.rows == ((21,), (22,), (5, 6, 7, 8), (24,))
    assert after.collected == ((), (), (), (23, 1, 2, 3, 4))
    assert [event.rule for event in events] == ["RO-4", "RO-5", "RO-9", "RO-7"] + ["RO-6", "RO-7"] * 3


@pytest.mark.parametrize(
    ("row", "rows", "collected"),
    [
        (1, ((1, 9), (20,), (21,), (22, 23)), ((5, 6, 7, 8), (), ())),
        (2, ((9,), (1,), (21,), (22, 23)), ((20,), (5, 6, 7, 8), ())),
        (4, ((9,), (20,), (21, 23), (1,)), ((22,), (5, 6, 7, 8), ())),
    ],
)
@pytest.mark.rules("RO-R1", "RO-7", "RO-8", "RO-9")
def test_ror1_the_choice_is_free_and_decides_where_the_others_go(row: int, rows: Any, collected: Any) -> None:
    """A full row may be taken by RO-8, though others are shorter: the 9 then need not collect it."""
    position = at(
        "row 1: 5 6 7 8\nrow 2: 20\nrow 3: 21\nrow 4: 22\nseat 0: 1 10 11 12\nseat 1: 9 13 14 15\nseat 2: 23 2 3 16"
    )
    owed, _ = position.play(Reveal((1, 9, 23)))
    after, events = owed.play(Take(row))
    assert (after.rows, after.collected) == (rows, collected)
    assert [event.rule for event in events if event.rule != "RO-7"] == [
        "RO-8", "RO-6" if row == 1 else "RO-9", "RO-6"
    ]  # fmt: skip
    assert events[0].facts["points"] == len(collected[0])


@pytest.mark.rules("RO-9", "RO-10")
def test_ro10_the_nearest_row_is_full_and_others_with_room_are_no_way_out() -> None:
    position = at(
        "row 1: 10\nrow 2: 11 12 13 14\nrow 3: 1\nrow 4: 2\nseat 0: 15 3 4 5\nseat 1: 16 6 7 8\nseat 2: 24 17 18 19"
    )
    for row in range(1, 5):
        assert refused(position, Take(row)) == "RO-10"
    after, events = position.play(Reveal((15, 16, 24)))
    assert after.rows == ((10,), (15, 16, 24), (1,), (2,))
    assert after.collected == ((11, 12, 13, 14), (), ())
    assert [event.rule for event in events if event.rule != "RO-7"] == ["RO-4", "RO-5", "RO-9", "RO-6", "RO-6"]


@pytest.mark.rules("RO-9", "RO-12", "RO-13")
def test_ro9_four_overflows_in_one_reveal_and_four_equal_scores() -> None:
    position = at(
        "row 1: 1 2 3 4\nrow 2: 7 8 9 10\nrow 3: 13 14 15 16\nrow 4: 19 20 21 22\nseat 0: 23 6\nseat 1: 17 24\n"
        "seat 2: 11 18\nseat 3: 5 12"
    )
    after, events = position.play(Reveal((23, 17, 11, 5)))
    assert after.rows == ((5,), (11,), (17,), (23,))
    assert after.collected == ((19, 20, 21, 22), (13, 14, 15, 16), (7, 8, 9, 10), (1, 2, 3, 4))
    assert [(event.facts["seat"], event.facts["row"]) for event in events if event.rule == "RO-9"] == [
        (3, 1), (2, 2), (1, 3), (0, 4)
    ]  # fmt: skip
    after, events = after.play(Reveal((6, 24, 18, 12)))
    assert after.rows == ((5, 6), (11, 12), (17, 18), (23, 24))
    assert after.result() == {"penalties": [4, 4, 4, 4], "winners": [0, 1, 2, 3]}
    assert [event.rule for event in events[-2:]] == ["RO-12", "RO-13"]


@pytest.mark.parametrize(
    ("row", "rows", "penalties", "rules"),
    [
        (2, ((6, 12), (1,), (18,), (20, 21, 22, 23)), [4, 4, 0, 4], ["RO-8", "RO-9", "RO-6", "RO-9"]),
        (4, ((6,), (12,), (18,), (1,)), [4, 4, 4, 4], ["RO-8", "RO-9", "RO-9", "RO-9"]),
    ],
)
@pytest.mark.rules("RO-7", "RO-8", "RO-9")
def test_ro8_where_every_row_is_full_the_row_taken_decides_who_else_pays(
    row: int, rows: Any, penalties: list[int], rules: list[str]
) -> None:
    owed, _ = at(FULL_ROWS).play(Reveal((1, 6, 12, 18)))
    assert list(owed.legal()) == [Take(1), Take(2), Take(3), Take(4)]
    after, events = owed.play(Take(row))
    assert after.rows == rows
    assert list(map(len, after.collected)) == penalties
    assert [event.rule for event in events if event.rule != "RO-7"] == rules


@pytest.mark.parametrize("order", [(1, 0, 2, 3), (3, 2, 1, 0), (2, 3, 0, 1)])
@pytest.mark.rules("RO-R2")
def test_ror2_rows_lie_in_any_order_but_keep_their_number(order: tuple[int, ...]) -> None:
    """The same rows laid in another order: the same cards go behind the same cards, the same seats collect."""
    for text, reveal, take in (OVERFLOW, Reveal((7, 15, 18)), None), (FULL_ROWS, Reveal((1, 6, 12, 18)), 2):
        position = at(text)
        turned = position._replace(
            rows=tuple(position.rows[n] for n in order), hands=tuple(hand[::-1] for hand in position.hands)
        )
        assert set(turned.legal()) == set(position.legal())
        one, events = position.play(reveal)
        other, again = turned.play(reveal)
        if take:
            one, events = one.play(Take(take))
            other, again = other.play(Take(order.index(take - 1) + 1))
        assert other.rows == tuple(one.rows[n] for n in order)
        assert other.collected == one.collected
        where = [event.facts["row"] for event in events if event.rule in ("RO-6", "RO-8", "RO-9")]
        there = [event.facts["row"] for event in again if event.rule in ("RO-6", "RO-8", "RO-9")]
        assert [order[row - 1] + 1 for row in there] == where


@pytest.mark.rules("RO-11")
@settings(max_examples=settings().max_examples // 2)
@given(st.permutations(game.DECK), st.sampled_from(game.PLAYERS), st.randoms(use_true_random=False))
def test_ro11_what_is_collected_stays_collected(deck: list[int], players: int, random: Any) -> None:
    position = game.deal(deck, players)
    while legal := position.legal():
        after, _ = position.play(random.choice(legal))
        for seat in range(players):
            assert set(position.collected[seat]) <= set(after.collected[seat])
            assert set(after.hands[seat]) <= set(position.hands[seat])
        position = after


@pytest.mark.rules("RO-12", "RO-13")
def test_ro12_ro13_the_end_and_the_score() -> None:
    position = at(
        "row 1: 3\nrow 2: 8\nrow 3: 14\nrow 4: 20\nseat 0: 4; collected 1 2\nseat 1: 9; collected 5\n"
        "seat 2: 24; collected 6 7 10 11 12 13 15 16 17"
    )
    after, events = position.play(Reveal((4, 9, 24)))
    assert after.over and not after.legal()
    assert after.result() == {"penalties": [2, 1, 9], "winners": [1]}
    assert [(event.rule, event.kind) for event in events[-2:]] == [("RO-12", "deal_over"), ("RO-13", "score")]
    assert events[-1].facts == after.result()
    assert refused(after, Reveal((4, 9, 24))) == refused(after, Take(1)) == "RO-12"
    assert position.result() is None


@pytest.mark.rules("RO-12")
def test_ro12_the_deal_goes_on_while_a_choice_is_owed() -> None:
    position = at(
        "row 1: 3\nrow 2: 8\nrow 3: 14\nrow 4: 20\nseat 0: 1; collected 4 2\nseat 1: 9; collected 5\n"
        "seat 2: 24; collected 6 7 10 11 12 13 15 16 17"
    )
    owed, _ = position.play(Reveal((1, 9, 24)))
    assert not owed.over and owed.result() is None
    after, _ = owed.play(Take(3))
    assert after.over and after.result() == {"penalties": [3, 1, 9], "winners": [1]}


@pytest.mark.rules("RO-13")
def test_ro13_equal_scores_tie() -> None:
    assert game.score([3, 1, 1]) == {"penalties": [3, 1, 1], "winners": [1, 2]}
    assert game.score([0, 0, 0, 0]) == {"penalties": [0, 0, 0, 0], "winners": [0, 1, 2, 3]}


@pytest.mark.rules("RO-14")
def test_ro14_two_deals() -> None:
    assert game.two_deals([3, 1, 4], [0, 5, 4]) == {"penalties": [3, 6, 8], "winners": [0]}
    assert [game.dealer(deal, 1, 3) for deal in range(3)] == [1, 2, 0]
    with pytest.raises(ValueError):
        game.two_deals([1, 2, 3], [1, 2, 3, 4])


@pytest.mark.rules("RO-2", "RO-3", "RO-15")
def test_view_shows_the_own_hand_only() -> None:
    position = game.deal(game.DECK, 3)
    view = position.view(1)
    assert view.seat == 1
    assert view.hand == position.hands[1]
    assert view.hand_sizes == (5, 5, 5)
    assert (view.rows, view.collected, view.pending) == (position.rows, position.collected, ())
    hidden = {*position.hands[0], *position.hands[2], *position.aside}
    assert not hidden & {card for row in view.rows for card in row}
    owed, _ = at(SOURCE).play(Reveal((9, 2, 18)))
    assert owed.view(0).pending == owed.pending  # revealed: everyone sees it


@pytest.mark.rules("RO-2", "RO-3", "RO-15")
@given(st.permutations(game.DECK), st.sampled_from(game.PLAYERS), st.randoms(use_true_random=False))
def test_no_view_ever_holds_another_hand_or_what_lies_aside(deck: list[int], players: int, random: Any) -> None:
    def cards(value: Any) -> set[int]:
        return set().union(*map(cards, value)) if isinstance(value, tuple) else {value}

    position = game.deal(deck, players)
    while True:
        for seat in range(players):
            view = position.view(seat)
            hidden = {*position.aside, *(card for s, hand in enumerate(position.hands) if s != seat for card in hand)}
            told = view._asdict()
            assert (told.pop("seat"), told.pop("hand_sizes")) == (seat, tuple(map(len, position.hands)))
            pending = {card for card, _ in told.pop("pending")}
            shown = pending | cards(tuple(told.values()))
            assert shown == set(game.DECK) - hidden
        if not (legal := position.legal()):
            return
        position, _ = position.play(random.choice(legal))


# ── notation ──


def test_the_interchange_example_of_the_rules() -> None:
    data = {
        "game": "rowoverflow", "players": 3, "rows": [[3], [8], [14], [20]],
        "hands": [[7, 9, 10, 11, 12], [15, 2, 13, 16, 17], [18, 23, 19, 21, 22]],
        "collected": [[], [], []], "aside": [1, 4, 5, 6, 24], "pending": [],
    }  # fmt: skip
    position = game.position_from_json(data)
    assert position == at(SOURCE)
    owed, _ = position.play(Reveal((9, 2, 18)))
    assert game.position_to_json(owed) == {
        **data, "hands": [[7, 10, 11, 12], [15, 13, 16, 17], [23, 19, 21, 22]], "pending": [[2, 1], [9, 0], [18, 2]]
    }  # fmt: skip


@pytest.mark.parametrize("move", [Reveal((7, 15, 18)), Reveal((1, 2, 3, 24)), Take(2)])
def test_moves_as_text(move: game.Move) -> None:
    assert game.move_from_text(str(move)) == move


@pytest.mark.parametrize(
    "text",
    ["", "reveal", "reveal 07 15 18", "reveal 7  15", "reveal 7,15", "reveal ²", "reveal 100", "reveal -1",
    "reveal 1.0",
     "Reveal 1", " reveal 1", "reveal 1 ", "take", "take 1 2", "take x", "take 0", "hop", "take 1\n"],
)  # fmt: skip
def test_other_text_is_no_move(text: str) -> None:
    with pytest.raises(BadPosition, match="is not a move"):
        game.move_from_text(text)


def test_author_form_round_trips_while_a_choice_is_owed() -> None:
    owed, _ = at(OVERFLOW).play(Reveal((6, 2, 18)))
    text = game.position_to_text(owed)
    assert "pending: 2 of seat 1, 6 of seat 0, 18 of seat 2" in text
    assert game.canonical(at(text)) == game.canonical(owed)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", '"players" holds 0'),
        ("row 2: 3", "expected 'row 1: …'"),
        ("row 1 3", "expected 'row 1: …'"),
        (SOURCE + "hand: 3", "expected 'row 5: …', 'seat 3: …'"),
        (SOURCE + "row 5: 1", '"rows" has 5 entries, not 4'),
        (SOURCE.replace("row 4: 20", ""), '"rows" has 3 entries, not 4'),
        (SOURCE.replace("3\n", "x\n", 1), "'x' is not a list of cards"),
        (SOURCE.replace("3\n", "²\n", 1), "is not a list of cards"),
        (SOURCE.replace("3\n", "-3\n", 1), "is not a list of cards"),
        (SOURCE.replace("3\n", "25\n", 1), '"rows" holds 25'),
        (SOURCE.replace("3\n", "8\n", 1), "card 8 lies in two places"),
        (SOURCE + "pending: 5", '"pending" has 1 entries, not 2'),
        (SOURCE + "pending: 5 of seat 0\npending: 15 of seat 1", "'pending: 15 of seat 1': expected"),
        (SOURCE + "pending: five of seat 0", "is not a list of cards"),
        (SOURCE + "pending:", '"pending" has 0 entries, not 2'),
        (SOURCE + "pending: 5 of seat 3, 6 of seat 1, 24 of seat 2", "not from 0 to 2"),
        (SOURCE + "pending: 1 of seat 0, 5 of seat 1, 24 of seat 2", "2 cards lie aside, not 5"),
        (SOURCE.replace("20", "20 21 22 23 24"), "lies in two places"),
        (SOURCE.replace("12", "12; collected 1; collected 4"), "is not a list of cards"),
        (SOURCE.replace("10 11 12", "10 11"), "not equally long"),
    ],
)
def test_author_form_refuses(text: str, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        at(text)


# ── positions that cannot be ──

GOOD = game.position_to_json(at(OVERFLOW))
OWED = game.position_to_json(at(OVERFLOW).play(Reveal((6, 2, 18)))[0])
FOUR = game.position_to_json(game.deal(game.DECK, 4))
FIRSTS = [hand[0] for hand in FOUR["hands"]]


def broken(data: dict[str, Any], *path: Any, value: Any) -> dict[str, Any]:
    """A copy with one thing changed."""
    data = copy.deepcopy(data)
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return data


def swapped(data: dict[str, Any], one: int, other: int) -> dict[str, Any]:
    """A copy in which two cards have changed places."""
    exchange = {one: other, other: one}

    def turn(value: Any) -> Any:
        return [turn(v) for v in value] if isinstance(value, list) else exchange.get(value, value)

    places = "rows", "hands", "collected", "aside"
    return {key: turn(value) if key in places else value for key, value in data.items()}


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (None, "a JSON object"),
        (broken(GOOD, "game", value="cascata"), '"game" is not "rowoverflow"'),
        (broken(GOOD, "phase", value="take"), "unknown key 'phase'"),
        ({key: value for key, value in GOOD.items() if key != "aside"}, '"aside" is missing'),
        (broken(GOOD, "players", value="3"), '"players" holds \'3\', which is not a whole number'),
        (broken(GOOD, "players", value=3.0), "not a whole number"),
        (broken(GOOD, "players", value=2), "not from 3 to 4"),
        (broken(GOOD, "players", value=5), "not from 3 to 4"),
        (broken(GOOD, "players", value=4), '"hands" has 3 entries, not 4'),
        (broken(GOOD, "collected", value=[[], []]), '"collected" has 2 entries, not 3'),
        (broken(GOOD, "rows", value=GOOD["rows"][:3]), '"rows" has 3 entries, not 4'),
        (broken(GOOD, "rows", 0, value=3), '"rows" is not a list'),
        (broken(GOOD, "rows", 0, 0, value="3"), '"rows" holds \'3\', which is not a whole number'),
        (broken(GOOD, "rows", 0, 0, value=True), "not a whole number"),
        (broken(GOOD, "rows", 0, 0, value=0), '"rows" holds 0, which is not from 1 to 24'),
        (broken(GOOD, "rows", 0, 0, value=25), "not from 1 to 24"),
        (broken(GOOD, "hands", 0, 0, value=3), "card 3 lies in two places"),
        (broken(GOOD, "aside", value=GOOD["aside"][1:]), "23 cards, not 24"),
        (broken(broken(GOOD, "rows", 0, value=[]), "aside", value=[3, *GOOD["aside"]]), "row 1 holds 0 cards, not"),
        (broken(broken(GOOD, "rows", 2, value=[10, 12, 13, 14, 15]), "hands", 1, value=[2]), "row 3 holds 5 cards"),
        (broken(GOOD, "rows", 1, value=[9, 8]), "row 2 does not increase"),
        (broken(broken(GOOD, "hands", 0, value=[7]), "aside", value=[6, *GOOD["aside"]]), "not equally long"),
        (broken(broken(GOOD, "collected", 1, value=[1]), "aside", value=[4, *GOOD["aside"]]), "6 cards lie aside"),
        (broken(broken(GOOD, "collected", 1, value=[1, 4, GOOD["aside"][0]]), "aside", value=GOOD["aside"][1:]),
         "4 cards lie aside, not 5"),
        (broken(GOOD, "pending", value={}), '"pending" is not a list'),
        (broken(OWED, "pending", 0, value=[25, 1]), '"pending" holds 25, which is not from 1 to 24'),
        (broken(OWED, "pending", 0, value=[2]), '"pending" has 1 entries, not 2'),
        (broken(OWED, "pending", 0, 1, value=3), "not from 0 to 2"),
        (broken(OWED, "pending", 0, 0, value="2"), "not a whole number"),
        (broken(OWED, "pending", 0, 1, value=0), "does not hold one card of every seat"),
        (broken(OWED, "pending", value=[OWED["pending"][n] for n in (0, 2, 1)]), "not in increasing order"),
        (broken(broken(OWED, "pending", value=OWED["pending"][:2]), "collected", 0, value=[18]), "one card of every"),
        (swapped(broken(OWED, "pending", value=[[4, 1], [6, 0], [18, 2]]), 4, 2), "pending card 4 has a lower end"),
        (broken(OWED, "pending", 0, 1, value=True), "not a whole number"),
        (broken(OWED, "pending", 1, value=[6, 0, 0]), '"pending" has 3 entries, not 2'),
        (broken(OWED, "pending", 1, 0, value=7), "card 7 lies in two places"),
        (broken(GOOD, "rows", 0, 0, value=None), "not a whole number"),
        (broken(GOOD, "rows", 0, 0, value=[3]), "not a whole number"),
        (broken(GOOD, "hands", 0, 0, value=7.0), "not a whole number"),
        (broken(GOOD, "collected", 0, value=[20]), "card 20 lies in two places"),
        (broken(FOUR, "hands", 0, value=FOUR["hands"][0][1:]), "23 cards, not 24"),
        (broken(broken(FOUR, "hands", value=[hand[1:] for hand in FOUR["hands"]]), "aside", value=FIRSTS),
         "4 cards lie aside, not 0"),
        (broken(broken(FOUR, "hands", value=[hand[1:] for hand in FOUR["hands"]]), "pending",
                value=[[card, 0] for card in FIRSTS]), "does not hold one card of every seat"),
        (broken(broken(FOUR, "rows", value=[[21], [], [], []]), "pending", value=[[22, 0], [23, 1], [24, 2]]),
         "row 2 holds 0 cards"),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused_by_name(data: Any, fault: str) -> None:
    game.position_from_json(GOOD)
    game.position_from_json(OWED)
    with pytest.raises(BadPosition, match=fault):
        game.position_from_json(data)


def test_a_hand_never_holds_six() -> None:
    rows, hands = ((19,), (20,), (21,), (22,)), (tuple(range(1, 7)), tuple(range(7, 13)), tuple(range(13, 19)))
    with pytest.raises(BadPosition, match="a hand holds 6 cards, more than 5"):
        game.check(Position(rows, hands, ((),) * 3, (23, 24)))


# ── laws of random play ──


def naive(position: Position, cards: tuple[int, ...], take: int | None) -> tuple[Any, Any]:
    """Rows and collected cards after a reveal, from the wording of RO-5 to RO-9."""
    rows, collected = [list(row) for row in position.rows], [list(pile) for pile in position.collected]
    for card in sorted(cards):
        seat = cards.index(card)
        lower = [row for row in rows if row[-1] < card]
        if lower:
            target = next(row for row in lower if row[-1] == max(r[-1] for r in lower))
            if len(target) < 4:
                target.append(card)
                continue
        else:
            assert take is not None
            target = rows[take]
        collected[seat] += target
        target[:] = [card]
    return rows, collected


@settings(deadline=None)
@given(st.permutations(game.DECK), st.sampled_from(game.PLAYERS), st.randoms(use_true_random=False))
def test_random_play_keeps_every_invariant(deck: list[int], players: int, random: Any) -> None:
    position = game.deal(deck, players)
    before, shown = position, Reveal(())
    reveals = 0
    while legal := position.legal():
        game.check(position)
        data = game.position_to_json(position)
        assert game.position_from_json(json.loads(json.dumps(data))) == position
        assert game.canonical(game.position_from_text(game.position_to_text(position))) == game.canonical(position)
        assert position.result() is None
        move = random.choice(legal)
        assert move in legal and game.move_from_text(str(move)) == move
        kept, old = repr(position), position
        position, events = position.play(move)
        assert repr(old) == kept
        assert events and {event.rule for event in events} <= {rule.id for rule in game.RULES}
        if isinstance(move, Reveal):
            before, shown, reveals = old, move, reveals + 1
        if not position.pending:
            take = move.row - 1 if isinstance(move, Take) else None
            rows, collected = naive(before, shown.cards, take)
            assert [list(row) for row in position.rows] == rows
            assert [list(pile) for pile in position.collected] == collected
    game.check(position)
    assert position.over and reveals == 5
    assert position.result() == {
        "penalties": [len(pile) for pile in position.collected],
        "winners": [s for s, pile in enumerate(position.collected) if len(pile) == min(map(len, position.collected))],
    }


@given(st.permutations(game.DECK), st.sampled_from(game.PLAYERS), st.randoms(use_true_random=False))
@pytest.mark.rules("RO-R2")
def test_canonical_forgets_the_order_of_sets_only(deck: list[int], players: int, random: Any) -> None:
    position = game.deal(deck, players)
    data = game.position_to_json(position)
    for cards in [*data["hands"], data["aside"]]:
        random.shuffle(cards)
    assert game.canonical(game.position_from_json(data)) == game.canonical(position)
    data["rows"].reverse()
    assert game.canonical(game.position_from_json(data)) != game.canonical(position)
