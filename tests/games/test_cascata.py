"""Cascata against its rules, the source's examples, the conformance traces, and itself."""

from __future__ import annotations

import copy
import gzip
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import catalogue
from kit.games import cascata as game
from kit.games import record
from kit.games.cascata import (
    DECK,
    FACE_DOWN,
    JOKERS,
    MARKER,
    OPTIONS,
    PLACES,
    PLAYERS,
    Draw,
    Extend,
    Meld,
    NewMeld,
    Options,
    Pass,
    Position,
    Steal,
    Swap,
    Take,
)
from kit.games.core import BadPosition, Event, IllegalMove, Stream

VECTORS = Path(__file__).parent / "vectors" / "cascata.jsonl.gz"

# The rules that an event can cite. The others say what lies on the table before the first move, what may not be done,
# or what follows from the rest: the tests below name them where they hold.
TOLD = {f"CA-{n}" for n in (6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)} | {
    f"CA-R{n}" for n in (1, 2, 4, 5, 6, 8, 9)
}

START = """
pyramid:
                 Ks
              4h    9c
           X2    5c    8c
        2s    3s    4s    5s
     6s    7s    8h    9s    Ts
  Js    Qs    2h    3h    5h    6h
seat 0: 8s 8d X1 Kd
seat 1: Ah As 2c 2d
"""

# Two cards taken: it is seat 0's meld action, and both seats have melds.
MELDING = """
pyramid:
                 --
              --    9c
           X2    5c    8c
        2s    3s    4s    5s
     6s    7s    8h    9s    Ts
  Js    Qs    2h    3h    5h    6h
seat 0: Ks Kd Kc X1 4h; melds 7h 7d
seat 1: ; melds Ah As Ac, 2c 2d, 9h 9d 9s X2
reserve: ...
turn: seat 0, meld
""".replace("X2    5c    8c", "Td    5c    8c").replace("9s    Ts", "Th    Ts")

# The last card is about to be taken, the reserve is empty, and each seat holds half of what is left.
LAST = """
pyramid:
                 --
              --    --
           --    --    --
        --    --    --    --
     --    --    --    --    --
  --    --    --    --    5h    --
seat 0: 5c 5d 5s As 2s X1 Js Jh; melds 8s 8h
seat 1: 8d ...; melds Ks Kh Kd Kc
reserve: 2h 2d
"""

ONE_UP = {"card": "Ks", "up": True}


def position(text: str) -> Position:
    return game.position_from_text(text)


def play(start: Position | str, *moves: str) -> tuple[Position, tuple[Event, ...]]:
    """The position after the moves, and what happened in the last of them."""
    here = position(start) if isinstance(start, str) else start
    happened: tuple[Event, ...] = ()
    for move in moves:
        here, happened = here.play(game.move_from_text(move))
        game.check(here)
    return here, happened


def legal(here: Position | str) -> set[str]:
    moves = (position(here) if isinstance(here, str) else here).legal()
    assert len(set(moves)) == len(moves)
    return set(map(str, moves))


def kinds(happened: tuple[Event, ...]) -> list[tuple[str, str]]:
    return [(event.rule, event.kind) for event in happened]


def told(happened: tuple[Event, ...], kind: str) -> dict[str, Any]:
    """The facts of the one event of that kind."""
    (event,) = [event for event in happened if event.kind == kind]
    return dict(event.facts)


def refusal(here: Position | str, move: str | game.Move) -> tuple[str, str]:
    here = position(here) if isinstance(here, str) else here
    with pytest.raises(IllegalMove) as caught:
        here.play(game.move_from_text(move) if isinstance(move, str) else move)
    return caught.value.rule, caught.value.detail


# The conformance traces


def test_traces_agree_and_cite_every_rule_that_can_be_cited() -> None:
    cited = set()
    with gzip.open(VECTORS) as stream:
        for _, line in record.lines(stream):
            for happened in record.replay(record.parse(line), catalogue.game).events:
                cited |= {event.rule for event in happened}
    assert cited == TOLD
    assert cited <= {rule.id for rule in game.RULES}


def test_rules_are_all_there_with_their_status() -> None:
    status = {rule.id: rule.status for rule in game.RULES}
    assert [rule for rule in status if status[rule] == "rule"] == [f"CA-{n}" for n in range(1, 21)]
    assert {rule for rule in status if status[rule] == "open"} == {f"CA-R{n}" for n in (2, 6, 7, 8, 9, 11)}
    assert {rule for rule in status if status[rule] == "follows"} == {f"CA-R{n}" for n in (3, 4, 5, 10)}
    assert [rule for rule in status if status[rule] == "settled"] == ["CA-R1"]


# The source's examples


@pytest.mark.parametrize(("players", "rows", "pyramid", "reserve"), [(2, 6, 21, 25), (3, 7, 28, 14), (4, 7, 28, 10)])
@pytest.mark.rules("CA-1", "CA-2", "CA-3", "CA-4", "CA-R11")
def test_deal(players: int, rows: int, pyramid: int, reserve: int) -> None:
    """CA-1, CA-2, CA-3, CA-4, CA-R11: hands in blocks, the pyramid from the apex, the reserve; seat 0 starts."""
    start = game.deal(DECK, players)
    assert start.hands == tuple(DECK[4 * seat : 4 * seat + 4] for seat in range(players))
    assert start.pyramid == DECK[4 * players : 4 * players + pyramid]
    assert start.reserve == DECK[4 * players + pyramid :]
    assert len(start.reserve) == reserve
    assert [len(row) for row in game.rows(start.pyramid)] == list(range(1, rows + 1))
    assert (start.to_move, start.phase, start.locked) == (0, "draft", False)
    facts = game.facts()
    assert (facts[f"rows_{players}"], facts[f"pyramid_{players}"]) == (rows, pyramid)
    assert (facts[f"reserve_{players}"], facts[f"dealt_{players}"]) == (reserve, 4 * players)
    assert facts[f"reserve_with_marker_{players}"] == reserve + 1


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("8s 8h", 16),
        ("8s 8h 8d", 48),
        ("2s 2h 2d 2c", 100),
        ("Ks Kh Kd Kc", 100),
        ("8s X1", 8),
        ("8s 8h X1", 32),
        ("8s X1 X2", 16),
        ("8s 8h X1 X2", 100),
        ("As Ad", 2),
        ("Ts Td", 20),
        ("Js Jd", 22),
        ("Qs Qd", 24),
        ("Ks Kd Kh", 78),
    ],
)
@pytest.mark.rules("CA-14")
def test_score_of_a_meld(cards: str, points: int) -> None:
    """CA-14."""
    assert game.base(tuple(cards.split())) == points
    assert Meld(cards[0], tuple(cards.split()), 3).points == 3 * points


# Drafting


@pytest.mark.rules("CA-5", "CA-6", "CA-7", "CA-8", "CA-R1")
def test_only_the_apex_is_free_at_the_start() -> None:
    """CA-5, CA-6, CA-R1, CA-7, CA-8: and a joker trades for any of the 21 cards."""
    swaps = {f"swap X1 {row} {column}" for row in range(1, 7) for column in range(1, row + 1)}
    assert legal(START) == {"take 1 1", "draw"} | swaps
    assert kinds(play(START, "take 1 1")[1]) == [("CA-6", "take"), ("CA-R1", "freed")]


@pytest.mark.rules("CA-R1")
def test_what_lies_above() -> None:
    """CA-R1: (r, i) lies under (r-1, i-1) and (r-1, i)."""
    assert [PLACES[place] for place in game.freed(0b111110, 0)] == [(2, 1), (2, 2)]
    assert [PLACES[place] for place in game.freed(0b111000, 2)] == [(3, 2), (3, 3)]
    assert [PLACES[place] for place in game.freed(0b111100, 1)] == [(3, 1)]
    here, happened = play(START, "take 1 1", "pass", "take 2 1")
    assert told(happened, "freed") == {"cards": ("X2",), "places": ((3, 1),)}
    here, happened = play(here, "pass", "take 2 2")
    assert told(happened, "freed") == {"cards": ("5c", "8c"), "places": ((3, 2), (3, 3))}
    here, happened = play(here, "pass", "take 3 2")
    assert kinds(happened) == [("CA-6", "take")]  # 2s and 4s are still under X2 and 8c
    assert {move for move in legal(play(here, "pass")[0]) if "take" in move} == {"take 3 1", "take 3 3"}


@pytest.mark.rules("CA-6")
def test_take_puts_the_card_at_the_end_of_the_hand() -> None:
    here, happened = play(START, "take 1 1")
    assert here.hands[0] == ("8s", "8d", "X1", "Kd", "Ks")
    assert told(happened, "take") == {"seat": 0, "card": "Ks", "row": 1, "position": 1}
    assert (here.phase, here.to_move) == ("meld", 0)


@pytest.mark.rules("CA-7")
def test_draw_takes_the_top_of_the_reserve() -> None:
    """CA-7."""
    start = position(START)
    here, happened = play(start, "draw")
    assert here.hands[0][-1] == start.reserve[0]
    assert here.reserve == start.reserve[1:]
    assert told(happened, "draw") == {"seat": 0, "card": start.reserve[0], "reserve": 24}


@pytest.mark.rules("CA-8")
def test_swap_lays_the_joker_down() -> None:
    """CA-8: the joker leaves the hand first, and nothing becomes free."""
    here, happened = play(START, "swap X1 3 3")
    assert here.hands[0] == ("8s", "8d", "Kd", "8c")
    assert game.rows(here.pyramid)[2] == ("X2", "5c", "X1")
    assert here.left == position(START).left
    assert kinds(happened) == [("CA-8", "swap")]
    assert told(happened, "swap") == {"seat": 0, "joker": "X1", "card": "8c", "row": 3, "position": 3}


@pytest.mark.rules("CA-8")
def test_either_joker_of_a_hand_may_be_swapped() -> None:
    """CA-8."""
    both = START.replace("X2    5c", "7c    5c").replace("8s 8d X1", "8s X2 X1")
    for joker in JOKERS:
        assert len({move for move in legal(both) if move.startswith(f"swap {joker} ")}) == 21


@pytest.mark.rules("CA-R4")
def test_a_joker_in_the_pyramid_may_be_swapped_for() -> None:
    """CA-R4."""
    here, happened = play(START, "swap X1 3 1")
    assert here.hands[0] == ("8s", "8d", "Kd", "X2")
    assert kinds(happened) == [("CA-R4", "swap")]


@pytest.mark.rules("CA-R5")
def test_with_the_reserve_empty_a_card_is_still_free() -> None:
    """CA-R5."""
    here = position(LAST)
    for _ in range(2):
        assert "draw" in legal(here)
        here, _ = play(here, "draw", "pass")
    assert here.reserve == ()
    before, _ = play(LAST, "draw", "pass")
    assert kinds(play(before, "draw")[1]) == [("CA-7", "draw"), ("CA-R5", "reserve_empty")]
    assert {move for move in legal(here) if not move.startswith("swap")} == {"take 6 5"}
    assert refusal(here, "draw")[0] == "CA-7"


# Melding


@pytest.mark.rules("CA-9", "CA-10", "CA-13", "CA-R2", "CA-R10")
def test_new_melds() -> None:
    """CA-9, CA-10, CA-13, CA-R2, CA-R10."""
    assert {move for move in legal(MELDING) if move.startswith("meld")} == {
        "meld Ks Kd", "meld Ks Kc", "meld Kd Kc", "meld Ks Kd Kc",
        "meld Ks X1", "meld Kd X1", "meld Kc X1", "meld Ks Kd X1", "meld Ks Kc X1", "meld Kd Kc X1",
        "meld Ks Kd Kc X1", "meld 4h X1",
    }  # fmt: skip
    assert "pass" in legal(MELDING)
    here, happened = play(MELDING, "meld Ks Kd Kc")
    assert here.melds[0] == (Meld("7", ("7h", "7d")), Meld("K", ("Ks", "Kd", "Kc")))
    assert here.hands[0] == ("X1", "4h")
    assert (here.to_move, here.phase) == (1, "draft")
    assert kinds(happened) == [("CA-10", "meld"), ("CA-14", "triple")]
    assert told(happened, "meld") == {"seat": 0, "meld": 2, "rank": "K", "cards": ("Ks", "Kd", "Kc")}
    facts = told(happened, "triple")
    assert (facts["sum"], facts["factor"], facts["base"], facts["rank"], facts["meld"]) == (39, 2, 78, "K", 2)


@pytest.mark.rules("CA-13")
def test_a_meld_of_four_is_safe() -> None:
    """CA-13."""
    _, happened = play(MELDING, "meld Ks Kd Kc X1")
    assert kinds(happened) == [("CA-10", "meld"), ("CA-R2", "joker_matches"), ("CA-14", "four"), ("CA-13", "safe")]
    assert told(happened, "four")["base"] == 100
    assert told(happened, "joker_matches") == {"seat": 0, "jokers": ("X1",), "rank": "K"}


@pytest.mark.rules("CA-11", "CA-R2")
def test_extend() -> None:
    """CA-11, CA-R2: a joker alone extends."""
    assert {move for move in legal(MELDING) if move.startswith("extend")} == {"extend 1 X1"}
    here, happened = play(MELDING, "extend 1 X1")
    assert here.melds[0] == (Meld("7", ("7h", "7d", "X1")),)
    assert kinds(happened) == [("CA-11", "extend"), ("CA-R2", "joker_matches"), ("CA-14", "triple")]
    assert told(happened, "extend") == {
        "seat": 0, "meld": 1, "rank": "7", "added": ("X1",), "cards": ("7h", "7d", "X1")
    }  # fmt: skip


@pytest.mark.rules("CA-12", "CA-R3")
def test_steal_completes_exactly_four() -> None:
    """CA-12, CA-R3: so a stolen meld is safe, and nothing can be stolen back."""
    assert {move for move in legal(MELDING) if move.startswith("steal")} == {"steal 1 1 X1"}
    here, happened = play(MELDING, "steal 1 1 X1")
    assert here.melds[0] == (Meld("7", ("7h", "7d")), Meld("A", ("Ah", "As", "Ac", "X1")))
    assert [meld.rank for meld in here.melds[1]] == ["2", "9"]
    assert kinds(happened)[0] == ("CA-12", "steal")
    assert told(happened, "steal") == {
        "seat": 0, "meld": 2, "rank": "A", "added": ("X1",), "cards": ("Ah", "As", "Ac", "X1"),
        "victim": 1, "victim_meld": 1,
    }  # fmt: skip
    assert told(happened, "safe")["cards"] == ("Ah", "As", "Ac", "X1")


@pytest.mark.rules("CA-R2")
def test_two_jokers_alone_may_steal_or_extend() -> None:
    """CA-R2."""
    both = MELDING.replace("X2", "9c").replace("--    9c", "--    4c").replace("4h;", "X2;")
    assert {"steal 1 2 X1 X2", "extend 1 X1 X2"} <= legal(both)
    here, happened = play(both, "steal 1 2 X1 X2")
    assert here.melds[0][-1] == Meld("2", ("2c", "2d", "X1", "X2"))
    assert told(happened, "joker_matches")["jokers"] == JOKERS
    assert refusal(both, "meld X1 X2") == ("CA-13", "a meld has at least one natural card")


@pytest.mark.rules("CA-R11")
def test_two_melds_of_one_rank_may_coexist() -> None:
    """CA-R11."""
    here, _ = play(MELDING, "meld Ks Kd", "draw", "pass", "draw", "meld Kc X1")
    assert [meld.rank for meld in here.melds[0]] == ["7", "K", "K"]


# The end


@pytest.mark.rules("CA-15", "CA-16", "CA-17")
def test_the_taker_of_the_last_card_still_melds() -> None:
    """CA-16, CA-15, CA-17."""
    here, happened = play(LAST, "take 6 5")
    assert kinds(happened) == [("CA-6", "take"), ("CA-16", "last_card")]
    assert (here.phase, here.to_move, here.result()) == ("meld", 0, None)
    over, happened = play(here, "meld 5s 5h 5d 5c")
    assert (over.phase, over.to_move, over.legal()) == ("over", 0, ())
    assert kinds(happened)[-4:] == [
        ("CA-16", "game_over"), ("CA-15", "hand_penalty"), ("CA-15", "hand_penalty"), ("CA-17", "score")
    ]  # fmt: skip
    result = over.result()
    assert result is not None
    assert result["melds"] == [116, 100]
    assert result["penalties"][0] == 1 + 2 + 0 + 11 + 11
    assert result["scores"] == [116 - 25, 100 - result["penalties"][1]]
    assert result["winners"] == [0]
    assert happened[-1].facts == result
    assert happened[-3].facts == {"seat": 0, "cards": over.hands[0], "points": 25}


@pytest.mark.parametrize(
    ("hands", "scores", "winners", "tied"),
    [
        (("Ks X1", "Kh"), [-13, -13], [1], True),  # CA-17: a joker counts as a card (CA-R6)
        (("Ks", "Kh"), [-13, -13], [0, 1], True),  # CA-R6: still level, the win is shared
        (("Ks", "Qh As"), [-13, -13], [0], True),
        (("Ks", "Qh Ah"), [-13, -13], [0], True),
        (("As", "Kh"), [-1, -13], [0], False),
        (("As Ah Ad", "Kh"), [-3, -13], [0], False),
    ],
)
@pytest.mark.rules("CA-17", "CA-R6")
def test_ties(hands: tuple[str, ...], scores: list[int], winners: list[int], tied: bool) -> None:
    """CA-17, CA-R6."""
    held = tuple(tuple(hand.split()) for hand in hands)
    last = position(LAST).changed(pyramid=(None,) * 21, hands=held, melds=((), ()), phase="meld", reserve=())
    over, happened = last.play(Pass())
    assert over.result() == {
        "scores": scores, "melds": [0, 0], "penalties": [-score for score in scores], "winners": winners
    }  # fmt: skip
    assert (("CA-17", "tie_break") in kinds(happened)) == tied
    assert (("CA-R6", "shared_win") in kinds(happened)) == (len(winners) > 1)


@pytest.mark.rules("CA-17", "CA-R6")
def test_only_the_level_players_compare_hands() -> None:
    """CA-R6."""
    hands = (("Ks",), ("Qh", "Ah"), ("2s", "2h", "2d", "2c", "3s", "3h", "X1"))
    three = game.deal(DECK, 3).changed(pyramid=(None,) * 28, hands=hands, phase="meld", reserve=())
    over, happened = three.play(Pass())
    assert told(happened, "tie_break") == {"seats": (0, 1), "hand_sizes": (1, 2), "winners": (0,)}
    assert over.view(2).hand_sizes == (1, 2, 7)


# Options


HIDDEN = START.replace("pyramid:", "options: hidden rows 1 3\npyramid:").replace("X2    5c    8c", "(X2)  (5c)  (8c)")


@pytest.mark.rules("CA-18", "CA-R7")
def test_hidden_rows_turn_up_when_uncovered() -> None:
    """CA-18, CA-R7: a hidden apex is free, so it lies face up."""
    start = position(HIDDEN)
    assert start.view(0).pyramid[2] == (FACE_DOWN,) * 3
    assert start.view(0).pyramid[0] == ("Ks",)
    assert not [move for move in legal(start) if " 3 " in move]
    here, happened = play(start, "take 1 1", "pass", "take 2 1")
    assert kinds(happened) == [("CA-6", "take"), ("CA-R1", "freed"), ("CA-18", "turned_up")]
    assert told(happened, "turned_up") == {"cards": ("X2",), "places": ((3, 1),)}
    assert here.view(0).pyramid[2] == ("X2", FACE_DOWN, FACE_DOWN)
    assert refusal(here._replace(phase="draft", to_move=0), "swap X1 3 2") == (
        "CA-R7", "the card at 3 2 lies face down"
    )  # fmt: skip
    assert refusal(here._replace(phase="draft"), "take 3 3")[0] == "CA-R7"
    swapped, _ = play(here, "pass", "swap X1 3 1")
    assert swapped.view(1).pyramid[2] == ("X1", FACE_DOWN, FACE_DOWN)


TIMES = MELDING.replace("pyramid:", "options: multiplier\npyramid:").replace("7h 7d", "7h 7d x6").replace(
    "Ac,", "Ac x6,").replace("2d,", "2d x5,")  # fmt: skip


@pytest.mark.rules("CA-19", "CA-R8")
def test_multiplier_counts_the_rows_left() -> None:
    """CA-19, CA-R8: after the draft, and a meld that gets cards is reckoned anew."""
    here, happened = play(TIMES, "meld Ks Kd")
    assert here.melds[0][1] == Meld("K", ("Ks", "Kd"), 5)
    assert kinds(happened) == [("CA-10", "meld"), ("CA-14", "pair"), ("CA-19", "multiplied")]
    facts = told(happened, "multiplied")
    assert (facts["base"], facts["times"], facts["points"]) == (26, 5, 130)
    here, happened = play(TIMES, "extend 1 X1")
    assert here.melds[0][0] == Meld("7", ("7h", "7d", "X1"), 5)
    facts = told(happened, "reckoned_anew")
    assert (facts["before"], facts["points"]) == (84, 140)
    here, happened = play(TIMES, "steal 1 1 X1")
    assert here.melds[0][1].times == 5
    facts = told(happened, "reckoned_anew")
    assert (facts["before"], facts["base"], facts["points"]) == (2 * 3 * 6, 100, 500)
    assert "base" not in told(happened, "safe")


@pytest.mark.rules("CA-R8")
def test_multiplier_never_below_one() -> None:
    """CA-R8: K K at x6 is 156; made K K K at x1 it is 78."""
    last = position(LAST)
    kings = last.changed(
        options=Options(multiplier=True),
        melds=((Meld("K", ("Ks", "Kh"), 6),), ()),
        hands=(("5c", "Kd"), last.hands[1]),
    )
    over, happened = kings.play(Take(6, 5))[0].play(Extend(1, ("Kd",)))
    facts = told(happened, "reckoned_anew")
    assert (facts["before"], facts["times"], facts["points"]) == (156, 1, 78)
    assert over.melds[0][0].points == 78
    counted = position(LAST.replace("pyramid:", "options: multiplier\npyramid:"))
    assert [meld.times for own in counted.melds for meld in own] == [
        1,
        1,
    ]  # where a text does not say, rows are counted


@pytest.mark.rules("CA-20", "CA-R9")
def test_a_joker_locks_the_reserve() -> None:
    """CA-20, CA-R9: only X1, only when drawn, and it goes to the hand."""
    start = START.replace("pyramid:", "options: joker lock\npyramid:").replace("X1 Kd", "Kd Kh")
    locked = position(start + "reserve: X1 ...")
    here, happened = play(locked, "draw")
    assert kinds(happened) == [("CA-7", "draw"), ("CA-20", "locked")]
    assert here.hands[0][-1] == "X1"
    assert (here.locked, here.phase) == (True, "meld")
    here, _ = play(here, "pass")
    assert "draw" not in legal(here)
    assert refusal(here, "draw") == ("CA-20", "the reserve is locked")
    other, _ = play(start + "reserve: 2d ...".replace("2d", "Qd"), "draw")
    assert not other.locked
    assert not play(START.replace("X1 Kd", "Kd Kh") + "reserve: X1 ...", "draw")[0].locked


@pytest.mark.rules("CA-20", "CA-R9")
def test_the_marker_locks_the_reserve_and_a_pyramid_card_is_drafted() -> None:
    """CA-20, CA-R9: the marker is laid aside."""
    start = position(START.replace("pyramid:", "options: marker lock\npyramid:") + "reserve: M ...")
    assert len(start.reserve) == 26
    here, happened = play(start, "draw")
    assert kinds(happened) == [("CA-7", "draw"), ("CA-20", "locked"), ("CA-R9", "marker_aside")]
    assert (here.phase, here.to_move, here.drawn_marker, here.hands) == ("draft", 0, True, start.hands)
    assert {move.split()[0] for move in legal(here)} == {"take", "swap"}
    assert refusal(here, "draw")[0] == "CA-R9"
    assert refusal(here, "pass")[0] == "CA-9"
    for move in ("take 1 1", "swap X1 1 1"):
        after, _ = play(here, move)
        assert (after.drawn_marker, after.locked, after.phase) == (False, True, "meld")
    assert refusal(play(here, "take 1 1", "pass")[0], "draw")[0] == "CA-20"


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("lock", [None, "joker", "marker"])
@pytest.mark.rules("CA-20", "CA-R9")
def test_shuffled_decks_hold_the_lock_card_in_the_reserve(players: int, lock: str | None) -> None:
    """CA-20, CA-R9."""
    deck = game.deck(Stream("a"), players, lock=lock, multiplier=True)
    start = game.deal(deck, players, lock=lock)
    assert len(start.reserve) == game.reserve_size(players) + (lock == "marker")
    if lock:
        assert game.LOCKS[lock] in start.reserve
        places = {game.deck(Stream(f"b{n}"), players, lock=lock).index(game.LOCKS[lock]) for n in range(300)}
        assert len(places) == len(start.reserve)  # shuffled in, anywhere
    assert deck == game.deck(Stream("a"), players, lock=lock)


@pytest.mark.rules("CA-R7", "CA-R10")
def test_options_by_name() -> None:
    """CA-R10: they combine freely; CA-R7: the usual hidden row is row 4."""
    assert OPTIONS["hidden-row"] == {"hidden_rows": (4,)}
    start = game.deal(DECK, 3, **{**OPTIONS["hidden-row"], **OPTIONS["multiplier"]})
    assert start.options == Options((4,), True, None)


@pytest.mark.parametrize(
    ("deck", "players", "options", "fault"),
    [
        (DECK, 5, {}, "5 players, not 2 or 3 or 4"),
        (DECK[1:], 2, {}, "the deck is not the 54 cards"),
        (("2s", *DECK[1:]), 2, {}, "the deck is not the 54 cards"),
        (DECK, 2, {"lock": "marker"}, "the deck is not the 55 cards"),
        ((MARKER, *DECK), 2, {"lock": "marker"}, "outside the reserve"),
        ((*DECK, MARKER), 2, {}, "the deck is not the 54 cards"),
        (("X1", *DECK[:52], "X2"), 2, {"lock": "joker"}, "not locked exactly when"),
        (DECK, 2, {"hidden_rows": (7,)}, "not from 1 to 6"),
        (DECK, 2, {"lock": "key"}, "not null, joker or marker"),
    ],
)
@pytest.mark.rules("CA-1")
def test_deals_that_cannot_be(deck: tuple[str, ...], players: int, options: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        game.deal(deck, players, **options)


# The trickiest points of the readings

ALL_DOWN = """
options: hidden rows 1 2 3 4 5 6
pyramid:
                 Ks
              (4h)  (9c)
           (X2)  (5c)  (8c)
        (2s)  (3s)  (4s)  (5s)
     (6s)  (7s)  (8h)  (9s)  (Ts)
  (Js)  (Qs)  (2h)  (3h)  (5h)  (6h)
seat 0: 8s 8d X1 Kd
seat 1: Ah As 2c 2d
"""

# Two cards are left; in front of the marker or the joker that locks lies what a test says.
TWO_LEFT = """
pyramid:
                 --
              --    --
           --    --    --
        --    --    --    --
     --    --    --    --    --
  --    --    --    --    5h    9h
seat 0: 5c 5d X1 As
seat 1: 8d ...
"""
MARKER_LAST = f"options: marker lock{TWO_LEFT}reserve: M"
JOKER_LAST = f"options: joker lock{TWO_LEFT.replace('X1', 'X2')}reserve: X1"

# Seats 1 and 2 both have Kings, seat 2 with a joker named first; the pyramid has one row left.
KINGS = """
options: multiplier
pyramid:
                    --
                 --    --
              --    --    --
           --    --    --    --
        --    --    --    --    --
     --    --    --    --    --    --
  --    --    --    --    --    2h    3h
seat 0: Kc X1 9s; melds 9h 9d x7
seat 1: ...; melds 8s 8h x7, Ks Kh x6
seat 2: 8c; melds X2 Kd x7
reserve: 5h
turn: seat 0, meld
"""

# Twelve ranks lie in fours, three in front of each seat, and the last pyramid card is an Ace.
FOURS = """
pyramid:
                    --
                 --    --
              --    --    --
           --    --    --    --
        --    --    --    --    --
     --    --    --    --    --    --
  --    --    --    --    --    --    As
seat 0: ; melds 2s 2h 2d 2c, 3s 3h 3d 3c, 4s 4h 4d 4c
seat 1: Ad X1; melds 5s 5h 5d 5c, 6s 6h 6d 6c, 7s 7h 7d 7c
seat 2: Ac; melds 8s 8h 8d 8c, 9s 9h 9d 9c, Ts Th Td Tc
seat 3: Ah X2; melds Js Jh Jd Jc, Qs Qh Qd Qc, Ks Kh Kd Kc
reserve:
"""


@pytest.mark.rules("CA-8", "CA-18", "CA-R7")
def test_with_every_row_hidden_only_the_apex_can_be_swapped_for() -> None:
    """CA-R7: a joker laid on a hidden row's free place lies face up, and what it covers stays down."""
    assert legal(ALL_DOWN) == {"take 1 1", "draw", "swap X1 1 1"}
    for move in ("swap X1 2 1", "swap X1 3 1", "take 6 6"):
        assert refusal(ALL_DOWN, move)[0] == "CA-R7"
    here, happened = play(ALL_DOWN, "swap X1 1 1")
    assert kinds(happened) == [("CA-8", "swap")]
    assert here.view(1).pyramid[:2] == (("X1",), (FACE_DOWN, FACE_DOWN))
    here, happened = play(here, "pass", "take 1 1")
    assert kinds(happened) == [("CA-6", "take"), ("CA-R1", "freed"), ("CA-18", "turned_up")]
    assert told(happened, "turned_up") == {"cards": ("4h", "9c"), "places": ((2, 1), (2, 2))}
    assert here.hands[1][-1] == "X1"
    assert here.view(0).pyramid[1:3] == (("4h", "9c"), (FACE_DOWN,) * 3)
    here, _ = play(here, "pass", "take 2 1", "pass")  # the X2 below the 4h turns up: 9c does not cover it
    assert legal(here) == {"take 2 2", "take 3 1", "draw", "swap X1 2 2", "swap X1 3 1"}
    assert kinds(play(here, "swap X1 3 1")[1]) == [("CA-R4", "swap")]


@pytest.mark.rules("CA-18", "CA-R7")
def test_a_card_with_one_of_its_covers_left_stays_down() -> None:
    """CA-18, CA-R1: 5c has 4h and 9c above it."""
    here, happened = play(HIDDEN, "take 1 1", "pass", "take 2 2")
    assert told(happened, "turned_up") == {"cards": ("8c",), "places": ((3, 3),)}
    assert here.view(0).pyramid[2] == (FACE_DOWN, FACE_DOWN, "8c")
    _, happened = play(here, "pass", "take 2 1")
    assert told(happened, "turned_up") == {"cards": ("X2", "5c"), "places": ((3, 1), (3, 2))}


@pytest.mark.rules("CA-6", "CA-8", "CA-R4")
def test_a_joker_laid_under_other_cards_is_not_free() -> None:
    """CA-8, CA-R4: it can be swapped for, not taken."""
    start = START.replace("X2    5c", "7c    5c").replace("Ah As", "X2 As")
    here, _ = play(start, "swap X1 3 2", "pass")
    assert refusal(here, "take 3 2") == ("CA-6", "X1 at 3 2 is not free: 4h and 9c above it")
    after, happened = play(here, "swap X2 3 2")
    assert kinds(happened) == [("CA-R4", "swap")]
    assert (after.hands[1], game.rows(after.pyramid)[2]) == (("As", "2c", "2d", "X1"), ("7c", "X2", "8c"))


@pytest.mark.rules("CA-16", "CA-R4")
def test_a_swap_for_the_last_card_does_not_end_the_game() -> None:
    """CA-R4, CA-16: and only one of the seats can go on swapping."""
    here, happened = play(LAST, "swap X1 6 5")
    assert kinds(happened) == [("CA-8", "swap")]
    here, _ = play(here, "meld 5s 5h 5d 5c")
    assert (here.phase, here.to_move, here.result()) == ("draft", 1, None)
    here, happened = play(here, "swap X2 6 5")
    assert kinds(happened) == [("CA-R4", "swap")]
    here, _ = play(here, "pass")
    assert legal(here) == {"take 6 5", "draw"}  # seat 0 has no joker left
    over, _ = play(here, "draw", "pass", "swap X1 6 5", "pass", "take 6 5", "pass")
    assert (over.phase, over.to_move) == ("over", 0)
    assert "X1" in over.hands[0] and "X2" in over.hands[1]


@pytest.mark.rules("CA-20", "CA-R5", "CA-R9")
def test_the_marker_as_the_last_card_of_the_reserve() -> None:
    """CA-R9, CA-R5: the reserve is empty and locked, and a pyramid card is still drafted."""
    here, happened = play(MARKER_LAST, "draw")
    assert kinds(happened) == [("CA-7", "draw"), ("CA-20", "locked"), ("CA-R9", "marker_aside")]
    assert told(happened, "locked") == {"seat": 0, "card": MARKER, "reserve": 0}
    assert legal(here) == {"take 6 5", "take 6 6", "swap X1 6 5", "swap X1 6 6"}
    assert refusal(here, "draw")[0] == "CA-R9"
    assert (here.view(1).drawn_marker, here.view(1).locked, here.view(1).reserve_size) == (True, True, 0)
    here, _ = play(here, "swap X1 6 5", "pass")
    assert not here.drawn_marker
    assert refusal(here, "draw")[0] == "CA-20"


@pytest.mark.rules("CA-16", "CA-R9")
def test_the_marker_before_the_last_pyramid_card() -> None:
    """CA-R9, CA-16: its drawer takes the last card in the same turn and still melds."""
    here, _ = play(MARKER_LAST.replace("5h    9h", "5h    --"), "draw")
    assert legal(here) == {"take 6 5", "swap X1 6 5"}
    here, happened = play(here, "take 6 5")
    assert kinds(happened) == [("CA-6", "take"), ("CA-16", "last_card")]
    assert (here.phase, here.to_move, here.drawn_marker) == ("meld", 0, False)
    over, _ = play(here, "meld 5h 5d 5c X1")
    assert (over.phase, over.to_move) == ("over", 0)
    assert over.result()["melds"] == [100, 0]  # type: ignore[index]


@pytest.mark.rules("CA-20", "CA-R9")
def test_the_joker_that_locks_as_the_last_card_of_the_reserve() -> None:
    """CA-R9: the other joker, drawn before it, does not lock."""
    _, happened = play(JOKER_LAST, "draw")
    assert kinds(happened) == [("CA-7", "draw"), ("CA-20", "locked")]
    other = JOKER_LAST.replace("X2", "6c").replace("reserve:", "reserve: X2")
    here, happened = play(other, "draw")
    assert kinds(happened) == [("CA-7", "draw")]
    assert not here.locked
    here, happened = play(here, "pass", "draw")
    assert kinds(happened) == [("CA-7", "draw"), ("CA-20", "locked")]
    assert here.hands[1][-1] == "X1"
    taken, happened = play(JOKER_LAST.replace("X2", "6c").replace("9h", "X2"), "take 6 6")  # nor does one that is taken
    assert kinds(happened) == [("CA-6", "take")]
    assert "draw" in legal(play(taken, "pass")[0])


@pytest.mark.rules("CA-20", "CA-R9")
def test_what_locked_the_reserve_locks_it_for_good() -> None:
    """CA-20, CA-R9: X1 goes back to the pyramid and is taken again, and nothing is locked or opened by that."""
    start = f"options: joker lock{TWO_LEFT}reserve, locked: 2c 3c"
    here, _ = play(start, "swap X1 6 5", "pass")
    assert here.locked
    here, happened = play(here, "take 6 5")
    assert kinds(happened) == [("CA-6", "take")]
    assert refusal(play(here, "pass")[0], "draw")[0] == "CA-20"


@pytest.mark.rules("CA-20", "CA-R9")
def test_a_joker_locks_only_where_that_was_agreed() -> None:
    """CA-R9: with the marker lock neither joker locks, drawn or taken."""
    start = f"options: marker lock{TWO_LEFT.replace('X1', '6c').replace('9h', 'X2')}reserve: X1 M"
    here, happened = play(start, "draw")
    assert kinds(happened) == [("CA-7", "draw")]
    here, happened = play(here, "pass", "take 6 6")
    assert kinds(happened) == [("CA-6", "take")]
    assert "draw" in legal(play(here, "pass")[0])


@pytest.mark.rules("CA-12", "CA-R2", "CA-R8")
def test_two_opponents_with_melds_of_one_rank() -> None:
    """CA-12, CA-R2, CA-R8: either can be robbed, a meld's jokers are no hindrance, and the others keep theirs."""
    assert {move for move in legal(KINGS) if move.startswith("steal")} == {"steal 1 2 Kc X1", "steal 2 1 Kc X1"}
    here, happened = play(KINGS, "steal 2 1 Kc X1")
    assert here.melds == (
        (Meld("9", ("9h", "9d"), 7), Meld("K", ("X2", "Kd", "Kc", "X1"), 1)),
        (Meld("8", ("8s", "8h"), 7), Meld("K", ("Ks", "Kh"), 6)),
        (),
    )
    assert told(happened, "reckoned_anew") == {
        "seat": 0, "meld": 2, "rank": "K", "cards": ("X2", "Kd", "Kc", "X1"), "before": 13 * 7,
        "base": 100, "times": 1, "points": 100,
    }  # fmt: skip
    assert kinds(happened) == [
        ("CA-12", "steal"), ("CA-R2", "joker_matches"), ("CA-14", "four"), ("CA-13", "safe"), ("CA-19", "multiplied"),
        ("CA-R8", "reckoned_anew"),
    ]  # fmt: skip
    here, happened = play(KINGS, "steal 1 2 Kc X1")
    assert [meld.rank for meld in here.melds[1]] == ["8"]
    assert (told(happened, "reckoned_anew")["before"], told(happened, "multiplied")["points"]) == (26 * 6, 100)


@pytest.mark.rules("CA-12", "CA-13", "CA-R3")
def test_what_was_stolen_is_safe_from_its_first_owner() -> None:
    """CA-R3, CA-13."""
    here, _ = play(MELDING, "steal 1 1 X1", "draw")
    assert refusal(here, f"steal 0 2 {here.hands[1][-1]}") == ("CA-13", "a meld of 4 is safe")
    five = MELDING.replace("4h;", "Ad;")
    assert refusal(five, "steal 1 1 Ad X1") == ("CA-12", "the meld would have 5 cards, not exactly 4")
    assert {"steal 1 1 Ad", "steal 1 1 X1"} <= legal(five)


@pytest.mark.rules("CA-11", "CA-13")
def test_an_own_four_takes_no_joker() -> None:
    """CA-13."""
    four = MELDING.replace("Ks Kd Kc X1 4h; melds 7h 7d", "X1 4h; melds Jh Jd Jc Js").replace(
        "  Js    Qs", "  Ks    Qs"
    )
    assert {move.split()[0] for move in legal(four)} == {"meld", "steal", "pass"}
    assert refusal(four, "extend 1 X1") == ("CA-13", "a meld has at most 4 cards, not 5")


@pytest.mark.rules("CA-10", "CA-R2", "CA-R11")
def test_a_rank_spread_over_three_melds() -> None:
    """CA-R2, CA-R11: four Kings and both jokers, as many as there are ways to choose 2 to 4 but the jokers alone."""
    all_six = MELDING.replace("9s X2", "9s").replace("X1 4h", "Kh X1 X2")
    assert len({move for move in legal(all_six) if move.startswith("meld")}) == 15 + 20 + 15 - 1
    turns = ("draw", "pass", "draw")
    here, _ = play(all_six, "meld Ks X1", *turns, "meld Kd X2", *turns, "meld Kh Kc", *turns)
    assert [meld.cards for meld in here.melds[0]] == [("7h", "7d"), ("Ks", "X1"), ("Kd", "X2"), ("Kh", "Kc")]
    before, _ = play(all_six, "meld Ks X1", *turns, "meld Kd X2", *turns)
    assert {move for move in legal(before) if "Kh" in move} == {
        "meld Kh Kc", "extend 2 Kh", "extend 2 Kh Kc", "extend 3 Kh", "extend 3 Kh Kc"
    }  # fmt: skip
    assert not [move for move in legal(here) if "K" in move]  # melds never join


@pytest.mark.parametrize(
    ("draft", "meld", "times", "points"),
    [
        ("draw", "meld 8s 8d", 6, 96),
        ("take 1 1", "meld 8s 8d", 5, 80),  # the apex's row is empty: counted after the draft
        ("swap X1 1 1", "meld Ks Kd", 6, 156),  # a joker lies there now
        ("swap X1 6 6", "meld 8s 8d", 6, 96),
    ],
)
@pytest.mark.rules("CA-19", "CA-R4", "CA-R8")
def test_rows_are_counted_after_the_draft(draft: str, meld: str, times: int, points: int) -> None:
    """CA-R8, CA-R4."""
    _, happened = play(START.replace("pyramid:", "options: multiplier\npyramid:"), draft, meld)
    facts = told(happened, "multiplied")
    assert (facts["times"], facts["points"]) == (times, points)


@pytest.mark.rules("CA-19", "CA-R8")
def test_fours_are_multiplied_too() -> None:
    """CA-R8."""
    aces = START.replace("8s 8d X1 Kd", "As Ad Ac X1").replace("Ah As", "Ah Kd")
    _, happened = play(aces.replace("pyramid:", "options: multiplier\npyramid:"), "draw", "meld As Ad Ac X1")
    assert told(happened, "multiplied")["points"] == 600


@pytest.mark.rules("CA-15", "CA-17", "CA-R6")
def test_four_seats_are_level_and_two_share_the_win() -> None:
    """CA-R6: all lose an Ace, a joker is worth nothing and yet counts as a card."""
    here, happened = play(FOURS, "take 7 7")
    assert kinds(happened) == [("CA-6", "take"), ("CA-16", "last_card")]
    assert legal(here) == {"pass"}
    over, happened = play(here, "pass")
    assert kinds(happened)[:2] == [("CA-9", "pass"), ("CA-16", "game_over")]
    assert over.result() == {"scores": [299] * 4, "melds": [300] * 4, "penalties": [1] * 4, "winners": [0, 2]}
    assert told(happened, "tie_break") == {"seats": (0, 1, 2, 3), "hand_sizes": (1, 2, 1, 2), "winners": (0, 2)}
    assert told(happened, "shared_win") == {"winners": (0, 2)}
    assert [event.facts["seat"] for event in happened if event.kind == "hand_penalty"] == [0, 1, 2, 3]


@pytest.mark.rules("CA-R11")
def test_the_turn_goes_round() -> None:
    """CA-R11: from the last seat to seat 0, which may hold no card when it drafts."""
    here = position(FOURS + "turn: seat 3")
    assert legal(here) == {"take 7 7", "swap X2 7 7"}
    over, _ = play(here, "take 7 7", "pass")  # and whoever takes the last card ends the game, wherever it sits
    assert (over.phase, over.to_move, over.hands[3]) == ("over", 3, ("Ah", "X2", "As"))
    here, _ = play(here, "swap X2 7 7", "pass")
    assert (here.to_move, here.hands[0]) == (0, ())
    assert legal(here) == {"take 7 7"}


# What the rules forbid


@pytest.mark.parametrize(
    ("start", "move", "rule", "detail"),
    [
        (MELDING, "take 2 2", "CA-5", "drafted already"),
        (MELDING, "draw", "CA-5", "drafted already"),
        (MELDING, "swap X1 2 2", "CA-5", "drafted already"),
        (START, "pass", "CA-9", "drafted first"),
        (START, "meld 8s 8d", "CA-9", "drafted first"),
        (START, "extend 1 8s", "CA-9", "drafted first"),
        (START, "steal 1 1 8s", "CA-9", "drafted first"),
        (START, "take 7 1", "CA-3", "no place 7 1"),
        (START, "take 3 4", "CA-3", "no place 3 4"),
        (START, "take 0 1", "CA-3", "no place 0 1"),
        (START, "take 2 1", "CA-6", "4h at 2 1 is not free: Ks above it"),
        (START, "take 3 2", "CA-6", "4h and 9c above it"),
        (START, "swap X1 6 7", "CA-3", "no place 6 7"),
        (START, "swap X2 1 1", "CA-8", "X2 is not in the hand"),
        (START, Swap("8s", 1, 1), "CA-8", "8s is not a joker"),
        (MELDING, "meld Ks", "CA-10", "2 to 4 cards, not 1"),
        (MELDING, NewMeld(()), "CA-10", "2 to 4 cards, not 0"),
        (MELDING, "meld 4h Ks Kd Kc X1", "CA-10", "2 to 4 cards, not 5"),
        (MELDING, "meld 4h Ks", "CA-10", "Ks does not match rank 4"),
        (MELDING, "meld Ks Kh", "CA-10", "Kh is not in the hand of seat 0"),
        (MELDING, NewMeld(("Ks", "Ks")), "CA-10", "Ks is not in the hand"),
        (MELDING, "extend 2 X1", "CA-11", "seat 0 has no meld 2"),
        (MELDING, "extend 0 X1", "CA-11", "seat 0 has no meld 0"),
        (MELDING, "extend 1 7s", "CA-11", "7s is not in the hand"),
        (MELDING, "extend 1 Ks", "CA-11", "Ks does not match rank 7"),
        (MELDING, Extend(1, ()), "CA-11", "no card is added"),
        (MELDING, "steal 0 1 X1", "CA-12", "seat 0 is no opponent"),
        (MELDING, "steal 2 1 X1", "CA-12", "seat 2 is no opponent"),
        (MELDING, "steal 1 4 X1", "CA-12", "seat 1 has no meld 4"),
        (MELDING, "steal 1 0 X1", "CA-12", "seat 1 has no meld 0"),
        (MELDING, "steal 1 2 X1", "CA-12", "would have 3 cards, not exactly 4"),
        (MELDING, "steal 1 1 4h", "CA-12", "4h does not match rank A"),
        (MELDING, "steal 1 1 Ad", "CA-12", "Ad is not in the hand"),
        (MELDING, Steal(1, 1, ()), "CA-12", "would have 3 cards"),
        (MELDING, "steal 1 3 X1", "CA-13", "a meld of 4 is safe"),
    ],
)
@pytest.mark.rules("CA-3", "CA-5", "CA-6", "CA-8", "CA-9", "CA-10", "CA-11", "CA-12", "CA-13")
def test_forbidden(start: str, move: str | game.Move, rule: str, detail: str) -> None:
    here = position(start)
    said = refusal(here, move)
    assert said[0] == rule
    assert detail in said[1]
    assert str(move) not in legal(here)


@pytest.mark.rules("CA-6", "CA-8")
def test_a_card_that_is_gone_can_be_neither_taken_nor_swapped() -> None:
    """CA-6, CA-8."""
    here, _ = play(MELDING, "pass")
    assert refusal(here, "take 1 1") == ("CA-6", "the card at 1 1 is gone")
    after, _ = play(here, "draw", "pass")
    assert refusal(after, "swap X1 1 1") == ("CA-8", "the card at 1 1 is gone")


@pytest.mark.rules("CA-13")
def test_a_meld_never_outgrows_four() -> None:
    """CA-13."""
    full = position(MELDING)
    kings = full.changed(melds=((Meld("K", ("Ks", "Kd", "Kh")),), full.melds[1]), hands=(("Kc", "X1"), ()))
    assert refusal(kings, "extend 1 Kc X1") == ("CA-13", "a meld has at most 4 cards, not 5")
    assert legal(kings) >= {"extend 1 Kc", "extend 1 X1"}


@pytest.mark.rules("CA-16")
def test_nothing_is_played_after_the_end() -> None:
    """CA-16."""
    over, _ = play(LAST, "take 6 5", "pass")
    for move in ("take 6 5", "draw", "swap X1 6 5", "pass", "meld 5d 5c", "extend 1 8d", "steal 1 1 X1"):
        assert refusal(over, move) == ("CA-16", "the game is over")


# Positions that cannot be


def broken(start: str, *path: Any, value: Any = None, also: dict[str, Any] | None = None) -> Any:
    """The JSON of a position with the entry at `path` replaced."""
    data = game.position_to_json(position(start))
    here = data
    for step in path[:-1]:
        here = here[step]
    if path:
        here[path[-1]] = value(here[path[-1]]) if callable(value) else value
    return {**data, **(also or {})}


MARKED = START.replace("pyramid:", "options: marker lock\npyramid:") + "reserve, locked: ..."


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ([], "a position is a JSON object"),
        (broken(START, "game", value="gridcannon"), '"game" is not "cascata"'),
        (broken(START, also={"extra": 1}), "unknown key 'extra'"),
        ({key: value for key, value in broken(START).items() if key != "locked"}, '"locked" is missing'),
        (broken(START, "players", value="2"), "'2', which is not a whole number"),
        (broken(START, "players", value=5), "5, which is not from 2 to 4"),
        (broken(START, "players", value=3), '"pyramid" has 6 entries, not 7'),
        (broken(START, "to_move", value="0"), "'0', which is not a whole number"),
        (broken(START, "to_move", value=True), "true, which is not a whole number"),
        (broken(START, "to_move", value=2), "2, which is not from 0 to 1"),
        (broken(START, "phase", value="end"), "not draft, meld or over"),
        (broken(START, "phase", value=["draft"]), "not draft, meld or over"),
        (broken(START, "pyramid", 0, value=[]), '"pyramid row 1" has 0 entries, not 1'),
        (broken(START, "pyramid", 0, 0, value="Ks"), "which is not a JSON object"),
        (broken(START, "pyramid", 0, 0, value={**ONE_UP, "seen": True}), "unknown key 'seen' in \"pyramid\""),
        (broken(START, "pyramid", 0, 0, value={"card": "Ks"}), '"up" is missing in "pyramid"'),
        (broken(START, "pyramid", 0, 0, value={"card": "Ks", "up": 1}), "1, which is not true or false"),
        (broken(START, "pyramid", 0, 0, value={"card": "Ks", "up": False}), "Ks at 1 1 is to lie face up, not down"),
        (broken(HIDDEN, "pyramid", 2, 0, "up", value=True), "X2 at 3 1 is to lie face down, not up"),
        (broken(START, "pyramid", 0, 0, value={"card": 13, "up": True}), "13, which is not a card"),
        (broken(START, "pyramid", 0, 0, value=None, also={"reserve": []}), "card .. is missing"),
        (broken(START, "pyramid", 1, 0, value=None, also={"hands": [["8s", "8d", "X1", "Kd", "4h"],
         ["Ah", "As", "2c", "2d"]]}), "the card at 2 1 is gone, but not what covers it"),
        (broken(START, "hands", 0, 0, value="10s"), "'10s', which is not a card"),
        (broken(START, "hands", 0, 0, value="8h"), "card 8h lies in two places"),
        (broken(START, "hands", 0, 2, value="X2"), "card X2 lies in two places"),
        (broken(START, "hands", 0, 0, value="M"), "the marker lies outside the reserve"),
        (broken(START, "hands", value=lambda hands: hands[:1]), '"hands" has 1 entries, not 2'),
        (broken(START, "reserve", value=lambda cards: cards[1:]), "is missing"),
        (broken(START, "reserve", value=lambda cards: [*cards, "M"]), "of a game without it"),
        (broken(START, "reserve", value="2c"), '"reserve" is not a list'),
        (broken(START, "hands", 0, value=lambda hand: hand[:3],
         also={"reserve": [*position(START).reserve, "Kd"]}), "holds 26 cards, more than the 25 dealt"),
        (broken(START, "melds", 0, value=[["Ks", "Kd"]]), "which is not a JSON object"),
        (broken(MELDING, "melds", 0, 0, "times", value="1"), "'1', which is not a whole number"),
        (broken(MELDING, "melds", 0, 0, "times", value=0), "0, which is not from 1 to 7"),
        (broken(MELDING, "melds", 0, 0, "times", value=2), "counts 2 times without the multiplier"),
        (broken(TIMES, "melds", 0, 0, "times", value=4), "counts 4 times, not 5 to 6"),
        (broken(TIMES, "melds", 0, 0, "times", value=7), "counts 7 times, not 5 to 6"),
        (broken(MELDING, "melds", 0, 0, value=lambda meld: {**meld, "rank": "7"}), "unknown key 'rank'"),
        (broken(MELDING, "melds", 0, 0, "cards", value=["7h"], also={"hands": [["Ks", "Kd", "Kc", "X1", "4h"],
         ["7d"]]}), "meld 7h has 1 cards, not 2 to 4"),
        (broken(MELDING, "melds", 0, 0, "cards", value=["7h", "7d", "Ks", "Kd", "X1"],
         also={"hands": [["Kc", "4h"], []]}), "has 5 cards, not 2 to 4"),
        (broken(MELDING, "melds", 0, 0, "cards", value=["7h", "Ks"], also={"hands": [["7d", "Kd", "Kc", "X1", "4h"],
         []]}), "meld 7h Ks has more than one rank"),
        (broken(MELDING, "melds", value=[[{"cards": ["7h", "7d"], "times": 1}, {"cards": ["X1", "X2"], "times": 1}],
         [{"cards": ["Ah", "As", "Ac"], "times": 1}, {"cards": ["2c", "2d"], "times": 1},
          {"cards": ["9h", "9d", "9s"], "times": 1}]], also={"hands": [["Ks", "Kd", "Kc", "4h"], []]}),
         "meld X1 X2 has no natural card"),
        (broken(START, "options", value={"hidden_rows": [], "multiplier": False}), '"lock" is missing in "options"'),
        (broken(START, "options", "open", value=True), "unknown key 'open' in \"options\""),
        (broken(START, "options", "multiplier", value="no"), "'no', which is not true or false"),
        (broken(START, "options", "lock", value="X1"), "not null, joker or marker"),
        (broken(START, "options", "lock", value=["joker"]), "not null, joker or marker"),
        (broken(START, "options", "hidden_rows", value=[4, 3]), '"hidden_rows" does not ascend'),
        (broken(START, "options", "hidden_rows", value=[3, 3]), '"hidden_rows" does not ascend'),
        (broken(START, "options", "hidden_rows", value=[7]), "7, which is not from 1 to 6"),
        (broken(START, "options", "hidden_rows", value=["3"]), "'3', which is not a whole number"),
        (broken(START, "locked", value=True), "not locked exactly when"),
        (broken(START, "options", "lock", value="joker"), "not locked exactly when"),
        (broken(START, "options", "lock", value="joker", also={"locked": True}), "but the reserve is full"),
        (broken(MARKED, "locked", value=False), "not locked exactly when"),
        (broken(START, "drawn_marker", value=True), "the marker cannot just have been drawn"),
        (broken(MARKED, "drawn_marker", value=True, also={"phase": "meld"}), "cannot just have been drawn"),
        (broken(START, "drawn_marker", value=0), "0, which is not true or false"),
        (broken(MARKED, "drawn_marker", value=True, also={"to_move": 2}), "2, which is not from 0 to 1"),
        (broken(JOKER_LAST, "drawn_marker", value=True), "cannot just have been drawn"),
        (broken(FOURS, "drawn_marker", value=True, also={"locked": True}), "not locked exactly when"),
        (broken(MARKER_LAST, "drawn_marker", value=True), "cannot just have been drawn"),
        (broken(MARKER_LAST, "reserve", value=[], also={"hands": [[*position(MARKER_LAST).hands[0], "M"],
         list(position(MARKER_LAST).hands[1])]}), "the marker lies outside the reserve"),
        (broken(MARKER_LAST, "pyramid", 5, 4, "card", value="M", also={"reserve": ["5h"], "locked": True}),
         "the marker lies outside the reserve"),
        (broken(MARKER_LAST, "reserve", value=["M", "M"]), "card M lies in two places"),
        (broken(MARKED, "hands", 0, value=[], also={"reserve": [*position(MARKED).reserve, "8s", "8d", "X1", "Kd"]}),
         "holds 29 cards, more than the 25 dealt"),
        (broken(JOKER_LAST, "reserve", value=[], also={"hands": [[*position(JOKER_LAST).hands[0], "X1"],
         list(position(JOKER_LAST).hands[1])]}), "not locked exactly when"),
        (broken(JOKER_LAST, "locked", value=True), "not locked exactly when"),
        (broken(KINGS, "melds", 0, 0, "times", value=8), "8, which is not from 1 to 7"),
        (broken(KINGS, "melds", 2, 0, "cards", value=["X2", "Kd", "8c"], also={"hands": [
         list(position(KINGS).hands[0]), list(position(KINGS).hands[1]), []]}), "has more than one rank"),
        (broken(ALL_DOWN, "pyramid", 1, 0, "up", value=True), "4h at 2 1 is to lie face down, not up"),
        (broken(ALL_DOWN, "options", "hidden_rows", value=[1, 2, 3, 4, 5]), "Js at 6 1 is to lie face up, not down"),
        (broken(ALL_DOWN, "options", "hidden_rows", value=[0]), "0, which is not from 1 to 6"),
        (broken(ALL_DOWN, "options", "hidden_rows", value=4), '"hidden_rows" is not a list'),
        (broken(FOURS, "pyramid", 5, 0, value={"card": "As", "up": True}, also={"reserve": []}),
         "card As lies in two places"),
        (broken(FOURS, "phase", value="over"), "the phase is over with 1 cards in the pyramid"),
        (broken(FOURS, "melds", 0, value=lambda own: own[:2]), "card 4s is missing"),
        (broken(START, "phase", value="over"), "the phase is over with 21 cards in the pyramid"),
        (broken(LAST, "pyramid", 5, 4, value=None, also={"hands": [[*position(LAST).hands[0], "5h"],
         list(position(LAST).hands[1])]}), "the phase is draft with 0 cards in the pyramid"),
    ],
)  # fmt: skip
def test_refused(data: Any, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        game.position_from_json(data)


def test_sets_that_are_not_those_of_the_pyramid_and_the_hands() -> None:
    for wrong in ({"left": 0b111110}, {"held": (0, 0)}):
        with pytest.raises(BadPosition, match="the sets of places left and cards held"):
            game.check(position(START)._replace(**wrong))


# Moves


@pytest.mark.parametrize(
    "text",
    ["take 1 1", "draw", "swap X2 3 2", "meld 8s 8h", "meld As Ad X1", "extend 1 8c", "steal 0 12 8d 8c", "pass"],
)
def test_moves_round_trip(text: str) -> None:
    assert str(game.move_from_text(text)) == text


def test_moves_of_different_kinds_are_never_equal() -> None:
    assert Draw() != Pass()
    assert len({Draw(), Pass(), Take(1, 1), Take(1, 1)}) == 3


def test_a_move_has_one_spelling() -> None:
    assert NewMeld(("X1", "8h", "8s")) == NewMeld(("8s", "8h", "X1"))
    with pytest.raises(BadPosition, match="'meld X1 8h 8s' is written 'meld 8s 8h X1'"):
        game.move_from_text("meld X1 8h 8s")


@pytest.mark.parametrize(
    "text",
    ["", "take", "take 1", "take 1 1 1", "take 01 1", "take 1 1 ", "take one 1", "take -1 1", "take 100 1", "take ² 1",
     "Draw", "draw 1", "swap M 1 1", "swap 1 1", "meld", "meld 1s", "meld M", "extend 1", "extend 8s", "steal 1 1",
     "steal 1 8s", "pass 1", "play 8s", "meld  8s 8h"],
)  # fmt: skip
def test_what_is_not_a_move(text: str) -> None:
    with pytest.raises(BadPosition):
        game.move_from_text(text)


# The author's form


def test_a_pyramid_looks_like_a_pyramid() -> None:
    text = game.position_to_text(position(HIDDEN))
    assert text.splitlines() == [
        "options: hidden rows 1 3",
        "pyramid:",
        "                 Ks",
        "              4h    9c",
        "          (X2)  (5c)  (8c)",
        "        2s    3s    4s    5s",
        "     6s    7s    8h    9s    Ts",
        "  Js    Qs    2h    3h    5h    6h",
        "seat 0: 8s 8d X1 Kd",
        "seat 1: Ah As 2c 2d",
        "reserve: Ad Ac 3d 3c 4d 4c 5d 6d 6c 7h 7d 7c 9h 9d Th Td Tc Jh Jd Jc Qh Qd Qc Kh Kc",
        "turn: seat 0, draft",
    ]


def test_what_an_author_leaves_out() -> None:
    """Options off, the rest is the reserve, seat 0 drafts; a meld counts the rows left."""
    here = position(START)
    assert here.options == Options()
    assert (here.to_move, here.phase, here.melds, len(here.reserve)) == (0, "draft", ((), ()), 25)
    assert position(TIMES.replace(" x6", "")).melds[0][0].times == 5
    assert position(LAST.replace("5h    --", "--    --").replace("Jh;", "Jh 5h;")).phase == "over"
    assert len(position(LAST).hands[1]) == 54 - 1 - 8 - 2 - 4 - 2
    marked = position(START.replace("pyramid:", "options: marker lock\npyramid:"))
    assert marked.reserve[-1] == MARKER
    assert not marked.locked
    assert position(MARKED).locked


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", '"players" holds 0'),
        (START + "seat 1: 3c", "'seat 1:' stands twice"),
        (MARKED.replace("pyramid:", "reserve: 3c 4c\npyramid:"), "'reserve, locked:' stands twice"),
        (START.replace("seat 0", "seat 2"), "'seat 2:' is out of turn"),
        (START + "board: 3c", "'board: 3c': expected"),
        ("Ks\n" + START, "'Ks': expected"),
        (START + "turn: meld\n3c", "'3c': expected"),
        (START + "turn: seat x", "'x' is not a number"),
        (START + "turn: later", "'later': expected 'seat 0'"),
        (START + "options: blue", "'blue': expected 'hidden rows 4'"),
        (START + "options: hidden rows", "'hidden rows': expected"),
        (START + "options: hidden rows four", "'four' is not a number"),
        (START + "options: hidden rows 3", "X2 at 3 1 is to lie face down, not up"),
        (HIDDEN.replace("options: hidden rows 1 3\n", ""), "X2 at 3 1 is to lie face up, not down"),
        (
            HIDDEN.replace("Ks", "--")
            .replace("8s 8d", "Ks 8s 8d")
            .replace("4h    9c", "--    9c")
            .replace("Ah As", "4h Ah As"),
            "X2 at 3 1 is to lie face up, not down",
        ),
        (HIDDEN.replace("rows 1 3", "row 1, hidden row 3"), "'hidden row 3': \"hidden_rows\" is named already"),
        (MARKED.replace("marker lock", "marker lock, joker lock"), "'joker lock': \"lock\" is named already"),
        (MELDING.replace("seat 0, meld", "seat 0, seat 1, meld"), "'seat 1': \"seat\" is named already"),
        (MELDING.replace("seat 0, meld", "draft, meld"), "'meld': \"phase\" is named already"),
        (START.replace("pyramid:", "pyramid: 6 rows"), '"pyramid" has 7 entries, not 6'),
        (START.replace("Kd", "...") + "reserve: ...", r"\.\.\. stands more than once"),
        (START + "reserve: 3c", "card .. is missing"),
        (START + "reserve, locked: ...", "not locked exactly when"),
        (START.replace("Ks", "Kx"), "'Kx', which is not a card"),
        (START.replace("4h    9c", "4h"), '"pyramid row 2" has 1 entries, not 2'),
        (START.replace("Kd\n", "Kd; melds\n"), "'Kd;', which is not a card"),
        (MELDING.replace("7h 7d", "7h 7d xx"), "'x' is not a number"),
        (MELDING.replace("7h 7d", "x3"), "has 0 cards, not 2 to 4"),
    ],
)
def test_text_refused(text: str, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        position(text)


# Random play


@st.composite
def deals(draw: st.DrawFn) -> Position:
    players = draw(st.sampled_from(PLAYERS))
    options = {
        "hidden_rows": tuple(sorted(draw(st.sets(st.integers(1, game.ROWS[players]), max_size=3)))),
        "multiplier": draw(st.booleans()),
        "lock": draw(st.sampled_from([None, "joker", "marker"])),
    }
    return game.deal(game.deck(Stream(str(draw(st.integers(0, 10**9)))), players, **options), players, **options)


def walk(start: Position, choices: st.DataObject, most: int = 400) -> list[tuple[Position, game.Move]]:
    """Random play, melds and swaps preferred now and then so that the rare rules come up."""
    here, passed = start, []
    stream = Stream(str(choices.draw(st.integers(0, 10**9), label="play")))
    while (moves := here.legal()) and len(passed) < most:
        eager = [move for move in moves if not isinstance(move, Pass | Draw)]
        move = stream.choice(eager if eager and stream.below(3) else moves)
        passed.append((here, move))
        here, _ = here.play(move)
    return [*passed, (here, Pass())]


@given(deals(), st.data())
@pytest.mark.rules("CA-R5")
def test_every_position_of_play_could_be(start: Position, data: st.DataObject) -> None:
    for here, _ in walk(start, data):
        game.check(here)
        assert game.position_from_json(game.position_to_json(here)) == here
        assert game.position_from_text(game.position_to_text(here)) == here
        assert (here.result() is None) == bool(here.legal())
        if here.phase == "draft":
            assert any(isinstance(move, Take) for move in here.legal())  # CA-R5


def every_move(here: Position) -> list[game.Move]:
    """Every move that could be typed with this pyramid, hand and table, sensible or not."""
    cards = here.hands[here.to_move]
    some = [chosen for size in range(1, 5) for chosen in combinations(cards, size) if len({c[0] for c in chosen}) < 4]
    owned = [(seat, number) for seat, own in enumerate(here.melds) for number in range(1, len(own) + 2)]
    return [
        Draw(),
        Pass(),
        *(Take(row, column) for row, column in PLACES),
        *(Swap(joker, row, column) for joker in JOKERS for row, column in PLACES),
        *map(NewMeld, some),
        *(Extend(number, chosen) for seat, number in owned if seat == here.to_move for chosen in some),
        *(Steal(seat, number, chosen) for seat, number in owned for chosen in some if len(chosen) < 3),
    ]


@given(deals(), st.data())
def test_legal_is_what_play_accepts(start: Position, data: st.DataObject) -> None:
    passed = walk(start, data)
    here, _ = passed[data.draw(st.integers(0, min(len(passed) - 1, 40)))]
    accepted = set()
    for move in every_move(here):
        try:
            here.play(move)
            accepted.add(move)
        except IllegalMove as error:
            assert error.rule in {rule.id for rule in game.RULES}
    assert accepted == set(here.legal())
    assert [str(game.move_from_text(str(move))) for move in here.legal()] == list(map(str, here.legal()))


@given(deals(), st.data())
def test_the_order_of_a_hand_or_meld_means_nothing(start: Position, data: st.DataObject) -> None:
    passed = walk(start, data)
    here, move = data.draw(st.sampled_from(passed[:-1]))
    turned = here.changed(
        hands=tuple(tuple(reversed(hand)) for hand in here.hands),
        melds=tuple(tuple(meld._replace(cards=meld.cards[::-1]) for meld in own) for own in here.melds),
    )
    assert game.canonical(turned) == game.canonical(here)
    assert list(map(str, turned.legal())) == list(map(str, here.legal()))
    assert game.canonical(turned.play(move)[0]) == game.canonical(here.play(move)[0])


@given(deals(), st.data())
@pytest.mark.rules("CA-2", "CA-4", "CA-R7")
def test_a_view_hides_what_its_seat_may_not_see(start: Position, data: st.DataObject) -> None:
    """CA-2, CA-4, CA-R7: other hands, the reserve and face-down cards may be anything without the seat noticing."""
    here, _ = data.draw(st.sampled_from(walk(start, data)))
    seat = data.draw(st.integers(0, here.players - 1))
    down = [place for place in range(len(here.pyramid)) if here.left >> place & 1
            and not game.is_up(here.left, here.options.hidden_rows, place)]  # fmt: skip
    others = [n for n in range(here.players) if n != seat]
    pool = [*here.reserve, *(card for n in others for card in here.hands[n]), *(here.pyramid[p] for p in down)]
    mixed = iter(Stream(str(data.draw(st.integers(0, 10**9)))).shuffled(pool))
    reserve = tuple(next(mixed) for _ in here.reserve)
    hands = tuple(hand if n == seat else tuple(next(mixed) for _ in hand) for n, hand in enumerate(here.hands))
    pyramid = tuple(next(mixed) if place in down else card for place, card in enumerate(here.pyramid))
    assert here.changed(reserve=reserve, hands=hands, pyramid=pyramid).view(seat) == here.view(seat)
    assert here.view(seat).hand == here.hands[seat]


def retell(data: dict[str, Any], happened: tuple[Event, ...]) -> None:
    """Do to a position's JSON what the events say, so that a teller who knows only them misses nothing."""
    for _, kind, facts in happened:
        hand = data["hands"][facts["seat"]] if "seat" in facts else []
        if kind == "take":
            data["pyramid"][facts["row"] - 1][facts["position"] - 1] = None
            hand.append(facts["card"])
        elif kind == "turned_up":
            for card, (row, column) in zip(facts["cards"], facts["places"], strict=True):
                assert data["pyramid"][row - 1][column - 1] == {"card": card, "up": False}
                data["pyramid"][row - 1][column - 1]["up"] = True
        elif kind == "draw":
            assert data["reserve"].pop(0) == facts["card"]
            assert len(data["reserve"]) == facts["reserve"]
            hand.append(facts["card"])
        elif kind == "locked":
            data["locked"] = True
        elif kind == "marker_aside":
            hand.remove(facts["card"])
        elif kind == "swap":
            hand.remove(facts["joker"])
            data["pyramid"][facts["row"] - 1][facts["position"] - 1]["card"] = facts["joker"]
            hand.append(facts["card"])
        elif kind in ("meld", "extend", "steal"):
            for card in facts["added"] if "added" in facts else facts["cards"]:
                hand.remove(card)
            if kind == "steal":
                del data["melds"][facts["victim"]][facts["victim_meld"] - 1]
            if kind == "extend":
                data["melds"][facts["seat"]][facts["meld"] - 1]["cards"] = list(facts["cards"])
            else:
                data["melds"][facts["seat"]].append({"cards": list(facts["cards"]), "times": 1})
                assert len(data["melds"][facts["seat"]]) == facts["meld"]
        elif kind == "multiplied":
            assert facts["points"] == facts["base"] * facts["times"]
            data["melds"][facts["seat"]][facts["meld"] - 1]["times"] = facts["times"]


@given(deals(), st.data())
def test_events_tell_all_that_changes(start: Position, data: st.DataObject) -> None:
    for here, move in walk(start, data)[:-1]:
        after, happened = here.play(move)
        said = copy.deepcopy(game.position_to_json(here))
        retell(said, happened)
        real = game.position_to_json(after)
        for key in ("to_move", "phase", "drawn_marker"):
            del said[key], real[key]
        assert said == real
        free = {(take.row, take.position) for take in game.free_cards(after.left)}
        freed = {place for event in happened if event.kind == "freed" for place in event.facts["places"]}
        assert freed == free - {(take.row, take.position) for take in game.free_cards(here.left)}
        assert {event.rule for event in happened} <= TOLD
