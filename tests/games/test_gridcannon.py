"""Gridcannon against its rules, the source's examples, the conformance traces, and itself."""

from __future__ import annotations

import copy
import gzip
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import catalogue
from kit.games import gridcannon as game
from kit.games import record
from kit.games.core import BadPosition, Event, IllegalMove
from kit.games.gridcannon import (
    ACES,
    CELLS,
    DECK,
    EMPTY,
    JOKERS,
    OPTIONS,
    PLACES,
    PLOYS,
    VALUE,
    Armour,
    Concede,
    Extract,
    Keep,
    Move,
    Options,
    Place,
    PlaceRoyal,
    Position,
    Reassign,
    Replace,
    Royal,
    Spot,
    Turn,
)

VECTORS = Path(__file__).parent / "vectors" / "gridcannon.jsonl.gz"

# The rules that an event can cite. The others say what lies on the table before the first move, which numbers hold, or
# in which order the rest is looked at: the tests below name them where they hold.
TOLD = {f"GC-{n}" for n in range(4, 23)} | {f"GC-R{n}" for n in range(2, 13)} - {"GC-R10"}

# The source's own example, with the Kings and Queens that it speaks of.
TABLE = """
      --   --   --
Kh    9h   7h   3s      --
--    4c   Td   6s      Qs
--    2d   5h   9c/8c   --
      --   --   --
"""

EVERY_MOVE: list[Move] = [
    Turn(),
    Keep(),
    Concede(),
    *map(PlaceRoyal, PLACES),
    *map(Armour, PLACES),
    *(Place(*cell) for cell in CELLS),
    *(Replace(*cell) for cell in CELLS),
    *(Extract(ploy, *cell) for ploy in PLOYS for cell in CELLS),
    *(Reassign(ploy, *source, *cell) for ploy in PLOYS for source in CELLS for cell in CELLS),
]


def at(*lines: str, table: str = TABLE) -> Position:
    return game.position_from_text("\n".join((table, *lines)))


def after(position: Position, *moves: str) -> tuple[Position, tuple[Event, ...]]:
    """The position after these moves, and the events of the last one."""
    events: tuple[Event, ...] = ()
    for text in moves:
        position, events = position.play(game.move_from_text(text))
        game.check(position)
    return position, events


def kinds(position: Position, *moves: str) -> list[tuple[str, str]]:
    return [(event.rule, event.kind) for event in after(position, *moves)[1]]


def facts(position: Position, move: str, kind: str) -> dict[str, Any]:
    """What the one event of that kind says."""
    (found,) = [event for event in after(position, move)[1] if event.kind == kind]
    return dict(found.facts)


def refused(position: Position, move: str) -> str:
    with pytest.raises(IllegalMove) as error:
        position.play(game.move_from_text(move))
    assert game.move_from_text(move) not in position.legal()
    assert error.value.detail
    return error.value.rule


def legal(position: Position, kind: type[Any]) -> set[str]:
    return {str(move) for move in position.legal() if isinstance(move, kind)}


def top(position: Position, row: int, column: int) -> str:
    return game.shown(position.stacks[CELLS.index((row, column))])


def royal(position: Position, place: str) -> Royal:
    found = position.royals[PLACES.index(place)]
    assert found
    return found


# Conformance


def test_selected_traces_agree_and_show_every_rule_that_an_event_can_name() -> None:
    seen = set()
    with gzip.open(VECTORS) as stream:
        for _, line in record.lines(stream):
            for events in record.replay(record.parse(line), catalogue.game).events:
                seen |= {event.rule for event in events}
    assert seen == TOLD
    assert seen <= {rule.id for rule in game.RULES}


def test_rules_and_readings() -> None:
    status = {rule.id: rule.status for rule in game.RULES}
    assert len(status) == len(game.RULES) == 22 + 12
    assert {rule for rule, said in status.items() if said == "open"} == {
        f"GC-R{n}" for n in (3, 4, 7, 8, 9, 11, 12)
    }  # fmt: skip
    assert {rule for rule, said in status.items() if said == "settled"} == {"GC-R1", "GC-R2"}


@pytest.mark.rules("GC-1", "GC-2", "GC-3")
def test_facts() -> None:
    said = game.facts()
    assert (said["deck_size"], said["number_cards"], said["royals"], said["ploys"]) == (54, 36, 12, 6)
    assert [said[f"health_{rank}"] for rank in "jqk"] == [11, 12, 13]
    assert [said[f"beyond_reach_{rank}"] for rank in "jqk"] == [20, 20, 19]
    assert said["number_cards"] + said["royals"] + said["ploys"] == said["deck_size"]
    assert (said["grid_cards"], said["grid_cards_empty_centre"], said["places"], said["best_score"]) == (9, 8, 12, 6)


@pytest.mark.rules("GC-R1")
def test_gcr1_two_number_cards_can_beat_what_counts_as_beyond_reach() -> None:
    """So nobody may print that it is impossible."""
    best = {rank: sum(sorted((game.counts(f"{rank}h", card) for card in VALUE), reverse=True)[:2]) for rank in "JQK"}
    assert best == {"J": 20, "Q": 20, "K": 19} == game.BEYOND_REACH


# The deal


def dealt(first: str, **options: bool) -> Position:
    """A deal of these cards and then all others in the order of DECK."""
    cards = first.split()
    position = game.deal([*cards, *(card for card in DECK if card not in cards)], **options)
    game.check(position)
    return position


NINE = "2h 3h 4h 5h 6h 7h 8h 9h Th"


@pytest.mark.rules("GC-2")
def test_gc2_number_cards_in_reading_order_the_others_aside() -> None:
    position = dealt("Kh 2h 3h Ad 4h 5h X2 6h 7h Jc 8h 9h Th Qs 2s")
    assert position.stacks == tuple((card,) for card in NINE.split())
    assert position.waiting == ("Kh", "Jc")
    assert position.ploys == ("Ad", "X2")
    assert position.draw[:2] == ("Qs", "2s")
    assert (position.phase, position.turned, position.used) == ("setup", None, ())
    assert position.legal() == (PlaceRoyal("B3"), PlaceRoyal("R3"))  # no ploy before play: GC-R11


@pytest.mark.rules("GC-22")
def test_gc22_the_centre_stays_empty() -> None:
    position = dealt("Kh " + NINE, empty_centre=True)
    assert [game.shown(stack) for stack in position.stacks] == ["2h", "3h", "4h", "5h", EMPTY, "6h", "7h", "8h", "9h"]
    assert position.draw[0] == "Th"


@pytest.mark.rules("GC-R8")
def test_gcr8_with_nobody_set_aside_the_first_royal_waits_at_once() -> None:
    position = dealt(NINE + " 2s Ah X1 Jd 3s")
    assert (position.phase, position.waiting) == ("royal", ("Jd",))
    assert position.draw[0] == "3s"
    assert position.draw[-3:] == ("2s", "Ah", "X1")  # GC-R4: neither turned round nor made ploys
    assert position.ploys == ()


@pytest.mark.rules("GC-18", "GC-R3")
def test_gcr3_replacing_comes_before_gc18() -> None:
    position = dealt(NINE + " 2s Jd", replace_one=True)
    assert position.phase == "replace"
    assert position.legal()[-1] == Keep()
    assert legal(position, Replace) == {f"replace {row} {column}" for row, column in CELLS}
    assert kinds(position, "keep") == [
        ("GC-R3", "keep"), ("GC-R11", "play_begins"), ("GC-18", "no_living_royal"), ("GC-R4", "under_pile")
    ]  # fmt: skip
    assert after(position, "keep")[0].waiting == ("Jd",)


@pytest.mark.parametrize("deck", [DECK[:-1], (*DECK[:-1], "As"), (*DECK, "As"), (*DECK[:-1], "X3")])
@pytest.mark.rules("GC-1")
def test_deal_refuses_another_deck(deck: tuple[str, ...]) -> None:
    with pytest.raises(BadPosition, match="not the 54 cards"):
        game.deal(deck)


@pytest.mark.rules("GC-1")
def test_deal_is_for_one() -> None:
    with pytest.raises(BadPosition, match="2 players"):
        game.deal(DECK, 2)


# The table


@pytest.mark.rules("GC-3")
def test_gc3_a_corner_touches_two_places() -> None:
    touched = {CELLS[cell]: [PLACES[place] for place in beside] for cell, beside in enumerate(game.BESIDE)}
    assert touched == {
        (1, 1): ["T1", "L1"], (1, 2): ["T2"], (1, 3): ["T3", "R1"],
        (2, 1): ["L2"], (2, 2): [], (2, 3): ["R2"],
        (3, 1): ["B1", "L3"], (3, 2): ["B2"], (3, 3): ["B3", "R3"],
    }  # fmt: skip


@pytest.mark.rules("GC-12")
def test_gc12_what_each_cell_fires_along() -> None:
    fired = {
        CELLS[cell]: {PLACES[place]: [CELLS[one] for one in between] for place, between in lines}
        for cell, lines in enumerate(game.LINES)
    }
    assert fired == {
        (1, 1): {"B1": [(3, 1), (2, 1)], "R1": [(1, 3), (1, 2)]},
        (1, 2): {"B2": [(3, 2), (2, 2)]},
        (1, 3): {"B3": [(3, 3), (2, 3)], "L1": [(1, 1), (1, 2)]},
        (2, 1): {"R2": [(2, 3), (2, 2)]},
        (2, 2): {},
        (2, 3): {"L2": [(2, 1), (2, 2)]},
        (3, 1): {"T1": [(1, 1), (2, 1)], "R3": [(3, 3), (3, 2)]},
        (3, 2): {"T2": [(1, 2), (2, 2)]},
        (3, 3): {"T3": [(1, 3), (2, 3)], "L3": [(3, 1), (3, 2)]},
    }


# Setup


@pytest.mark.rules("GC-4")
def test_gc4_in_the_order_turned() -> None:
    position = at("waiting: Jc Qh", "phase: setup", table=TABLE.replace("9c/8c", "8c").replace("Kh", "--"))
    assert legal(position, PlaceRoyal) == {"royal B3", "royal R3"}  # the 8c, the highest club
    assert kinds(position, "royal R3") == [("GC-4", "set_aside"), ("GC-6", "royal"), ("GC-7", "royal_choice")]
    position, _ = after(position, "royal R3")
    assert (position.phase, position.waiting) == ("setup", ("Qh",))
    assert legal(position, PlaceRoyal) == {"royal T1", "royal L1"}
    assert kinds(position, "royal T1")[-1] == ("GC-R11", "play_begins")
    assert after(position, "royal T1")[0].phase == "turn"


@pytest.mark.rules("GC-5")
def test_gc5_the_card_goes_under_the_pile_and_the_next_number_card_fills() -> None:
    lines = ("options: replace one", "phase: replace", "draw: Jd Ah X1 Jc Tc 2s")
    position = at(*lines, table=TABLE.replace("9c/8c", "8c"))
    assert [kind for _, kind in kinds(position, "replace 1 3")] == [
        "replace", "replace_royal", "replace_ploy", "replace_ploy", "replace_royal", "replace_fill", "play_begins"
    ]  # fmt: skip
    position, events = after(position, "replace 1 3")
    assert (events[0].rule, events[1].rule, events[2].rule) == ("GC-5", "GC-R3", "GC-5")
    assert top(position, 1, 3) == "Tc"
    assert (position.phase, position.waiting, position.ploys) == ("royal", ("Jd", "Jc"), ("Ah", "X1"))
    assert (position.draw[0], position.draw[-1]) == ("2s", "3s")
    assert refused(position, "replace 1 1") == "GC-5"  # once
    # GC-R3: the filling card counts for their similarity, and it has not fired at the King at L1
    assert not royal(position, "L1").dead
    position, _ = after(position, "royal L3")  # 2d, the only diamond on the edge
    assert position.waiting == ("Jc",)
    assert legal(position, PlaceRoyal) == {"royal T3", "royal R1"}
    assert legal(position, Extract)  # GC-R11: play has begun


@pytest.mark.rules("GC-5")
def test_gc5_the_replaced_card_may_come_back_by_itself() -> None:
    lines = ["options: replace one", "phase: replace", "draw: Jd"]
    position = at(*lines, table=TABLE.replace("9c/8c", "8c"))
    only = position._replace(draw=("Jd", "Ah"))
    moved, _ = only.play(Replace(2, 2))
    assert (top(moved, 2, 2), moved.draw, moved.waiting, moved.ploys) == ("Td", (), ("Jd",), ("Ah",))


@pytest.mark.rules("GC-R3")
def test_gcr3_an_empty_centre_cannot_be_replaced() -> None:
    table = TABLE.replace("9c/8c", "8c").replace("Td", "--")
    position = at("options: replace one, empty centre", "phase: replace", table=table)
    assert len(position.legal()) == 8 + 1
    assert refused(position, "replace 2 2") == "GC-R3"


def test_what_belongs_before_play_is_refused_in_play() -> None:
    assert refused(at(), "replace 1 1") == refused(at(), "keep") == "GC-5"
    waiting = at("waiting: Jc", "phase: setup", table=TABLE.replace("9c/8c", "8c"))
    assert refused(waiting, "keep") == refused(waiting, "replace 1 1") == "GC-R3"


def test_what_belongs_to_play_is_refused_before_it() -> None:
    table = TABLE.replace("9c/8c", "8c")
    setup = at("waiting: Jc", "ploys: Ah X1", "phase: setup", table=table)
    replace = at("options: replace one", "ploys: Ah X1", "phase: replace", table=table)
    for move in ("turn", "place 1 1", "armour L1"):
        assert refused(setup, move) == "GC-4"
        assert refused(replace, move) == "GC-5"
    for move in ("extract Ah 1 1", "reassign X1 1 1 2 2"):
        assert refused(setup, move) == refused(replace, move) == "GC-R11"
    assert refused(replace, "royal T1") == "GC-5"
    assert refused(setup, "concede") == refused(replace, "concede") == "GC-R9"


# Royals


def places(position: Position) -> set[str]:
    return {move.split()[1] for move in legal(position, PlaceRoyal)}


@pytest.mark.parametrize(
    ("card", "where", "step"),
    [
        ("Jh", {"T1"}, "suit"),  # the 9h, whose other place the King holds
        ("Js", {"R2"}, "suit"),  # the source's: the 6s, the highest spade on the edge
        ("Jd", {"B1", "L3"}, "suit"),  # the 2d: the Td lies in the centre and touches no place
        ("Jc", {"B3", "R3"}, "suit"),  # the 9c on the 8c: only top cards count
    ],
)
@pytest.mark.rules("GC-6")
def test_gc6_the_highest_of_its_suit(card: str, where: set[str], step: str) -> None:
    position = at(f"waiting: {card}", table=TABLE.replace("Qs", "--"))
    assert places(position) == where
    for spot in game.spots(position.stacks, position.royals, card):
        assert spot.step == step
        assert set(spot.places) <= where
    other = next(place for place in PLACES if place not in where and place != "L1")
    rule = "GC-R2" if card == "Jd" else "GC-6"  # the centre is more similar, so the 2d is the next most similar
    assert refused(position, f"royal {other}") == rule


@pytest.mark.rules("GC-6")
def test_gc6_the_source_s_king_of_hearts() -> None:
    position = at("waiting: Kh", table=TABLE.replace("Kh", "--"))
    assert places(position) == {"T1", "L1"}
    assert game.spots(position.stacks, position.royals, "Kh") == (Spot(0, "9h", "suit", ("T1", "L1")),)
    assert kinds(position, "royal L1") == [("GC-6", "royal"), ("GC-7", "royal_choice")]
    told = facts(position, "royal L1", "royal")
    assert told == {"royal": "Kh", "place": "L1", "card": "9h", "step": "suit", "row": 1, "column": 1}
    assert facts(position, "royal L1", "royal_choice")["places"] == ("T1", "L1")


NO_HEARTS = """
    --  --  --
--  9s  7d  3s  --
--  4c  Td  6s  --
--  2d  9c  8c  --
    --  Qs  --
"""


@pytest.mark.rules("GC-6")
def test_gc6_then_the_highest_of_its_colour_then_of_all() -> None:
    position = at("waiting: Jh", table=NO_HEARTS)
    assert places(position) == {"T2"}  # the 7d: the highest red card that touches a place
    (spot,) = game.spots(position.stacks, position.royals, "Jh")
    assert (spot.top, spot.step) == ("7d", "colour")
    assert game.passed_over(position.stacks, position.royals, "Jh") == (game.CENTRE,)
    assert facts(position, "royal T2", "passed_over") == {"royal": "Jh", "cards": ("Td",)}
    position = at("waiting: Jh", table=NO_HEARTS.replace("7d", "7s").replace("2d", "2s").replace("Td", "Tc"))
    assert places(position) == {"T1", "L1"}  # GC-7: 9s and 9c are level, but the place below the 9c is taken
    position = at("waiting: Jh Kd", "options: replace one", table=NO_HEARTS.replace("7d", "7s").replace("2d", "2s")
                  .replace("Td", "Tc").replace("Qs", "--"))  # fmt: skip
    assert places(position) == {"T1", "L1", "B2"}
    spots = game.spots(position.stacks, position.royals, "Jh")
    assert [(spot.top, spot.step, spot.places) for spot in spots] == [
        ("9s", "any", ("T1", "L1")), ("9c", "any", ("B2",))
    ]  # fmt: skip


@pytest.mark.rules("GC-R2")
def test_gcr2_own_suit_before_a_higher_card_of_the_colour() -> None:
    position = at("waiting: Jd", table=NO_HEARTS.replace("7d", "2h").replace("2d", "5d"))
    assert places(position) == {"B1", "L3"}


@pytest.mark.rules("GC-R2")
def test_gcr2_a_card_whose_places_are_taken_is_passed_over() -> None:
    table = TABLE.replace("--   --   --\nKh", "Jh   --   --\nKh")
    position = at("waiting: Qh", table=table)
    assert places(position) == {"T2"}  # the 7h, for both places of the 9h are taken
    assert kinds(position, "royal T2") == [("GC-R2", "passed_over"), ("GC-6", "royal")]
    assert facts(position, "royal T2", "passed_over")["cards"] == ("9h",)
    assert refused(position, "royal B2") == "GC-R2"
    assert refused(position, "royal T1") == "GC-6"  # taken by a living royal
    dead = at("waiting: Qh", table=table.replace("Jh", "(Jh)"))
    assert places(dead) == {"T2"}  # GC-7: the place of a dead royal stays taken
    assert refused(dead, "royal T1") == "GC-7"


@pytest.mark.rules("GC-R2")
def test_gcr2_empty_places_come_last_and_are_level() -> None:
    table = """
    Kh   Kd   Ks
Js  9h   --   --   --
--  --   7s   6s   Qs
Jc  5c   2d   3d   --
    --   Jd   Qd
"""
    position = at("waiting: Qh", "used: As Ah X1", table=table)
    assert places(position) == {"R3"}
    table = table.replace("3d   --", "3d   Kc").replace("    --   Jd", "Jh Jd")
    full = at("waiting: Qh", "used: As Ah X1", table=table)
    assert places(full) == {"R1", "L2"}
    assert kinds(full, "royal L2") == [
        ("GC-R2", "passed_over"), ("GC-R2", "royal_beside_empty"), ("GC-7", "royal_choice")
    ]  # fmt: skip
    assert facts(full, "royal L2", "passed_over")["cards"] == ("9h", "3d", "2d", "7s", "6s", "5c")
    assert [spot.step for spot in game.spots(full.stacks, full.royals, "Qh")] == ["empty", "empty"]
    assert refused(position, "royal L2") == "GC-R2"


@pytest.mark.rules("GC-3")
def test_gc3_a_place_that_does_not_exist() -> None:
    with pytest.raises(IllegalMove, match="GC-3: there is no place T4"):
        at("waiting: Jh").play(PlaceRoyal("T4"))
    with pytest.raises(IllegalMove, match="GC-3"):
        at("turned: 5c").play(Armour("X1"))


# Turning


@pytest.mark.rules("GC-8")
def test_gc8_a_number_card_a_royal_a_ploy() -> None:
    position = at("draw: 5c 2s")
    assert kinds(position, "turn") == [("GC-8", "turn_number")]
    assert facts(position, "turn", "turn_number") == {"card": "5c", "left": len(position.draw) - 1}
    put, _ = after(position, "turn")
    assert (put.phase, put.turned, put.draw[0]) == ("put", "5c", "2s")
    waits, events = after(at("draw: Jd 2s"), "turn")
    assert (waits.phase, waits.waiting, events[0].kind) == ("royal", ("Jd",), "turn_royal")
    ploy, events = after(at("ploys: Ah", "draw: X2 2s"), "turn")
    assert (ploy.phase, ploy.ploys, events[0].kind) == ("turn", ("Ah", "X2"), "turn_ploy")


@pytest.mark.rules("GC-8")
def test_gc8_refusals() -> None:
    turn, put, waits = at(), at("turned: 5c"), at("waiting: Jd")
    assert refused(turn, "place 1 3") == refused(turn, "royal T1") == refused(turn, "armour L1") == "GC-8"
    assert refused(put, "turn") == refused(put, "royal T1") == "GC-9"
    assert refused(waits, "turn") == refused(waits, "place 1 3") == refused(waits, "armour L1") == "GC-8"
    assert refused(waits, "concede") == "GC-R9"


# Placing and firing


@pytest.mark.rules("GC-9")
def test_gc9_the_source_s_five_of_clubs() -> None:
    position = at("turned: 5c")
    assert legal(position, Place) == {"place 1 3", "place 2 1", "place 3 1", "place 3 2"}  # 3s, 4c, 2d, 5h
    assert game.fitting(position.stacks, "5c") == (2, 3, 6, 7)
    assert refused(position, "place 1 1") == refused(position, "place 2 3") == "GC-9"
    assert facts(position, "place 3 2", "place") == {"card": "5c", "row": 3, "column": 2, "on": "5h"}
    assert after(position, "place 3 2")[0].stacks[7] == ("5h", "5c")


@pytest.mark.rules("GC-10")
def test_gc10_the_source_s_king_dies() -> None:
    position = at("turned: 5c")
    (attack,) = game.attacks(position.stacks, position.royals, 2)
    assert (attack.place, attack.attackers, attack.counts, attack.total) == ("L1", ("9h", "7h"), (9, 7), 16)
    assert attack.kills
    assert kinds(position, "place 1 3") == [("GC-9", "place"), ("GC-10", "attack"), ("GC-11", "kill")]
    told = facts(position, "place 1 3", "attack")
    assert (told["royal"], told["place"], told["card"], told["row"], told["column"]) == ("Kh", "L1", "5c", 1, 3)
    assert told["cells"] == ((1, 1), (1, 2))
    told = facts(position, "place 1 3", "kill")
    assert (told["total"], told["health"], told["who"], told["base"], told["armour"]) == (16, 13, "suit", 13, ())
    position, _ = after(position, "place 1 3")
    assert royal(position, "L1") == Royal("Kh", (), True)
    assert (position.phase, position.turned) == ("turn", None)


@pytest.mark.rules("GC-11")
def test_gc11_the_source_s_queen_holds_and_then_dies() -> None:
    position = at("turned: 5c", "draw: Tc")
    told = facts(position, "place 2 1", "holds")
    assert (told["attackers"], told["counts"], told["total"], told["short"]) == (("6s", "Td"), (6, 0), 6, 6)
    assert not royal(after(position, "place 2 1")[0], "R2").dead
    position, _ = after(position, "place 2 1", "turn", "place 2 2")
    assert kinds(at("turned: Tc"), "place 2 2") == [("GC-9", "place")]  # GC-12: the centre never fires
    position, _ = after(position._replace(turned="5d", draw=tuple(c for c in position.draw if c != "5d"), phase="put"),
                        "place 2 1")  # fmt: skip
    assert royal(position, "R2").dead


@pytest.mark.rules("GC-11")
def test_gc11_a_total_equal_to_the_health_kills_and_one_less_does_not() -> None:
    def kills(there: str, one: str, two: str) -> bool:
        stacks = tuple((card,) if card != EMPTY else () for card in [one, two, "2s", *["3c"] * 6])
        royals = tuple(Royal(there) if place == "L1" else None for place in PLACES)
        return game.attacks(stacks, royals, 2)[0].kills

    assert kills("Jh", "9s", "2d") and not kills("Jh", "8s", "2d")
    assert kills("Qh", "9d", "3h") and not kills("Qh", "9d", "2h") and not kills("Qh", "Td", "9s")
    assert kills("Kh", "9h", "4h") and not kills("Kh", "9h", "3h") and not kills("Kh", "9h", "9d")
    assert not kills("Jh", EMPTY, "Td")


@pytest.mark.rules("GC-11")
def test_gc11_armour_counts_for_the_health() -> None:
    position = at("turned: 5c", table=TABLE.replace("Kh", "Kh+3c"))
    assert royal(position, "L1").health == 16  # the source's
    assert facts(position, "place 1 3", "kill")["health"] == 16
    position = at("turned: 5c", table=TABLE.replace("Kh", "Kh+4d"))
    assert facts(position, "place 1 3", "holds")["short"] == 1


@pytest.mark.rules("GC-10")
def test_gc10_a_dead_royal_is_not_fired_at_again() -> None:
    assert kinds(at("turned: 5c", table=TABLE.replace("Kh", "(Kh)")), "place 1 3") == [("GC-9", "place")]


@pytest.mark.rules("GC-12")
def test_gc12_a_corner_fires_both_ways_at_once() -> None:
    table = TABLE.replace("--   --   --\n\n", "").rstrip().rsplit("\n", 1)[0] + "\n--   --   Jd\n"
    position = at("turned: 5c", table=table)
    assert kinds(position, "place 1 3") == [
        ("GC-9", "place"), ("GC-12", "both_lines"), ("GC-10", "attack"), ("GC-11", "kill"),
        ("GC-10", "attack"), ("GC-11", "kill"),
    ]  # fmt: skip
    position, _ = after(position, "place 1 3")
    assert royal(position, "B3").dead and royal(position, "L1").dead  # 9c + 6s are 15, of any cards


@pytest.mark.rules("GC-2")
def test_gc2_a_cell_that_does_not_exist() -> None:
    with pytest.raises(IllegalMove, match="GC-2: the grid has no place 0 4"):
        at("turned: 5c").play(Place(0, 4))


# Empty places

HOLED = TABLE.replace("7h", "--")


@pytest.mark.rules("GC-14")
def test_gc14_an_empty_place_takes_every_number_card_and_adds_nothing() -> None:
    position = at("turned: 2c", "used: As", table=HOLED)
    assert legal(position, Place) == {"place 1 2", "place 3 1"}
    assert kinds(position, "place 1 2") == [("GC-14", "place_on_empty")]
    position = at("turned: 5c", "used: As", table=HOLED)
    assert kinds(position, "place 1 3") == [
        ("GC-9", "place"), ("GC-10", "attack"), ("GC-R5", "empty_adds_nothing"), ("GC-11", "holds")
    ]  # fmt: skip
    told = facts(position, "place 1 3", "holds")
    assert (told["attackers"], told["counts"]) == (("9h", EMPTY), (9, 0))


@pytest.mark.rules("GC-22")
def test_gc22_the_first_card_in_the_centre() -> None:
    table = TABLE.replace("Td", "--")
    position = at("options: empty centre", "turned: 2c", table=table)
    assert "place 2 2" in legal(position, Place)
    assert kinds(position, "place 2 2") == [("GC-22", "first_in_centre")]
    # once a ploy is used the centre may have been emptied by it
    assert kinds(at("options: empty centre", "turned: 2c", "used: As", table=table), "place 2 2") == [
        ("GC-14", "place_on_empty")
    ]
    assert kinds(
        at("options: empty centre", "turned: 2c", "used: As", table=table.replace("3s", "--")), "place 2 2"
    ) == [("GC-22", "first_in_centre")]
    assert kinds(at("options: empty centre", "turned: 2c", "used: As", table=table.replace("3s", "--")), "place 1 3")[
        0
    ] == ("GC-14", "place_on_empty")


# Ploys


@pytest.mark.rules("GC-13")
def test_gc13_between_turning_and_placing() -> None:
    for lines in ((), ("turned: 5c",), ("waiting: Jd",)):
        position = at("ploys: Ah X1", *lines)
        assert len(legal(position, Extract)) == 9
        moved, events = after(position, "extract Ah 3 3")
        assert (moved.phase, moved.turned, moved.waiting) == (position.phase, position.turned, position.waiting)
        assert (moved.ploys, moved.used) == (("X1",), ("Ah",))
        assert events[0] == Event("GC-13", "ploy", {"ploy": "Ah", "left": 1})


@pytest.mark.rules("GC-14")
def test_gc14_a_whole_stack_goes_under_the_pile_oldest_first() -> None:
    position = at("ploys: Ah", "draw: 5c")
    moved, events = after(position, "extract Ah 3 3")
    assert moved.draw == (*position.draw, "8c", "9c")
    assert moved.stacks[8] == ()
    assert [(event.rule, event.kind) for event in events] == [
        ("GC-13", "ploy"), ("GC-14", "extract"), ("GC-R4", "oldest_first")
    ]  # fmt: skip
    assert facts(position, "extract Ah 3 3", "extract")["cards"] == ("8c", "9c")
    assert kinds(position, "extract Ah 1 1") == [("GC-13", "ploy"), ("GC-14", "extract")]


@pytest.mark.rules("GC-13", "GC-14")
def test_gc13_gc14_refusals() -> None:
    position = at("ploys: Ah X1", "used: As X2", table=HOLED)
    assert refused(position, "extract As 1 1") == "GC-13"  # used
    assert refused(position, "extract Ac 1 1") == "GC-13"  # still in the draw pile
    assert refused(position, "extract X1 1 1") == "GC-14"
    assert refused(position, "extract Ah 1 2") == "GC-14"  # empty
    assert refused(position, "reassign X2 1 1 2 2") == "GC-13"
    assert refused(position, "reassign Ah 1 1 2 2") == "GC-15"
    assert refused(position, "reassign X1 1 2 2 2") == "GC-15"  # from an empty place
    assert refused(position, "reassign X1 3 1 1 1") == "GC-15"  # 2d cannot go on 9h
    assert refused(position, "reassign X1 1 1 1 1") == "GC-R6"


@pytest.mark.rules("GC-15")
def test_gc15_a_reassigned_card_may_fire() -> None:
    position = at("ploys: X1")
    assert kinds(position, "reassign X1 3 3 1 3") == [
        ("GC-13", "ploy"), ("GC-15", "reassign"), ("GC-R6", "left_showing"), ("GC-10", "attack"), ("GC-11", "kill")
    ]  # fmt: skip
    told = facts(position, "reassign X1 3 3 1 3", "reassign")
    assert (told["card"], told["on"], told["from_row"], told["row"]) == ("9c", "3s", 3, 1)
    assert facts(position, "reassign X1 3 3 1 3", "left_showing") == {"row": 3, "column": 3, "card": "8c"}
    moved, _ = after(position, "reassign X1 3 3 1 3")
    assert (moved.stacks[2], moved.stacks[8], moved.phase) == (("3s", "9c"), ("8c",), "turn")
    assert royal(moved, "L1").dead


@pytest.mark.rules("GC-15")
def test_gc15_what_the_moved_card_leaves_in_the_line_counts() -> None:
    position = at("ploys: X1", "turned: Tc")
    told = facts(position, "reassign X1 1 2 1 3", "holds")  # the 7h itself leaves the line
    assert (told["attackers"], told["total"]) == (("9h", EMPTY), 9)


@pytest.mark.rules("GC-R6")
def test_gcr6_onto_an_empty_place_and_from_a_single_card() -> None:
    position = at("ploys: X1", "used: As", table=HOLED)
    assert kinds(position, "reassign X1 3 1 1 2") == [
        ("GC-13", "ploy"), ("GC-R6", "reassign_to_empty"), ("GC-R6", "left_empty")
    ]  # fmt: skip
    assert legal(position, Reassign) == {
        str(Reassign("X1", *source, *cell))
        for source in CELLS for cell in CELLS
        if source != cell and (source != (1, 2))
        and game.top_value(position.stacks[CELLS.index(cell)]) <= game.top_value(position.stacks[CELLS.index(source)])
    }  # fmt: skip


# Armour

HIGH = """
      --   --   --
Kh    9h   7h   Ts      --
--    9d   Td   6s      Qs
--    8d   5h   9c/8c   --
      --   --   Jd
"""


@pytest.mark.parametrize(
    ("card", "where", "step"),
    [
        ("3h", {"L1"}, "suit"), ("3d", {"B3"}, "suit"), ("4s", {"R2"}, "suit"),
        ("4c", {"R2"}, "colour"),
    ],
)  # fmt: skip
@pytest.mark.rules("GC-16")
def test_gc16_the_lowest_living_royal_of_its_suit_else_of_its_colour(card: str, where: set[str], step: str) -> None:
    position = at(f"turned: {card}", table=HIGH)
    assert {move.split()[1] for move in legal(position, Armour)} == where
    assert not legal(position, Place)
    (place,) = where
    told = facts(position, f"armour {place}", "armour")
    assert (told["step"], told["value"]) == (step, VALUE[card])
    assert told["health"] == told["base"] + told["value"]
    moved, _ = after(position, f"armour {place}")
    assert (royal(moved, place).armour, moved.turned, moved.phase) == ((card,), None, "turn")
    assert refused(position, f"armour {'T1'}") == "GC-16"  # nobody there
    for other in {"L1", "R2", "B3"} - where:
        assert refused(position, f"armour {other}") == "GC-16"


@pytest.mark.rules("GC-16", "GC-R7")
def test_gc16_else_the_lowest_and_gcr7_by_rank_armour_not_counted() -> None:
    table = HIGH.replace("Qs", "Qh").replace("Jd", "Jd+4d")
    position = at("turned: 3c", table=table)
    assert game.armour_targets(position.royals, "3c") == ("B3",)  # the Jack, of health 15
    level = at("turned: 3c", table=table.replace("Kh ", "Jh "))
    assert legal(level, Armour) == {"armour B3", "armour L1"}
    assert kinds(level, "armour L1") == [("GC-16", "armour"), ("GC-R7", "armour_choice")]
    assert refused(position, "turn") == refused(position, "royal T1") == "GC-16"  # armour is what is due, no stack
    dead = at("turned: 3d", table=HIGH.replace("Jd", "(Jd)"))
    assert legal(dead, Armour) == {"armour L1"}
    assert refused(dead, "armour B3") == "GC-16"
    assert game.armour_targets((None,) * 12, "3c") == ()


@pytest.mark.rules("GC-R7")
def test_gcr7_never_when_it_fits_but_also_with_ploys_in_hand() -> None:
    assert refused(at("turned: 5c"), "armour R2") == "GC-R7"
    position = at("turned: 3h", "ploys: Ah", table=HIGH)
    assert legal(position, Armour) and legal(position, Extract)
    assert kinds(position, "armour L1") == [("GC-16", "armour"), ("GC-R7", "ploys_kept")]


@pytest.mark.parametrize(
    ("worn", "card", "lost"),
    [("Kh+2h", "4h", True), ("Kh+2h", "3h", False), ("Jh+5c", "4h", True), ("Jh+5c", "3h", False),
     ("Qh+4c", "4h", True), ("Qh+4c", "3h", False)],
)  # fmt: skip
@pytest.mark.rules("GC-17")
def test_gc17_beyond_reach(worn: str, card: str, lost: bool) -> None:
    position = at(f"turned: {card}", table=HIGH.replace("Kh", worn))
    moved, events = after(position, "armour L1")
    assert moved.phase == ("lost" if lost else "turn")
    assert moved.result() == ({"won": False, "by": "armour"} if lost else None)
    assert ("GC-17" in {event.rule for event in events}) == lost
    if lost:
        assert moved.legal() == ()
        assert refused(moved, "turn") == refused(moved, "concede") == refused(moved, "extract Ah 1 1") == "GC-17"
        told = events[-1].facts
        assert told["health"] == told["limit"] == game.BEYOND_REACH[worn[0]]


# No living royal

LAST_ONE = TABLE.replace("Qs", "(Qs)")


@pytest.mark.rules("GC-18")
def test_gc18_cards_are_turned_until_there_is_a_royal() -> None:
    position = at("turned: 5c", "draw: 3d Ad X1 Jd 2s", table=LAST_ONE)
    assert kinds(position, "place 1 3") == [
        ("GC-9", "place"), ("GC-10", "attack"), ("GC-11", "kill"), ("GC-18", "no_living_royal"), ("GC-R4", "under_pile")
    ]  # fmt: skip
    moved, events = after(position, "place 1 3")
    assert (moved.phase, moved.waiting, moved.ploys) == ("royal", ("Jd",), ())
    assert (moved.draw[0], moved.draw[-3:]) == ("2s", ("3d", "Ad", "X1"))
    assert events[3].facts == {"royal": "Jd", "cards": ("3d", "Ad", "X1"), "turned": 4}
    at_once = at("turned: 5c", "draw: Jd 2s", table=LAST_ONE)
    assert kinds(at_once, "place 1 3")[-1] == ("GC-18", "no_living_royal")


@pytest.mark.rules("GC-R8")
def test_gc15_a_kill_with_a_card_in_hand_leaves_it_in_hand_while_a_royal_lives() -> None:
    moved, events = after(at("turned: 2c", "ploys: X1"), "reassign X1 3 3 1 3")
    assert events[-1].kind == "kill"
    assert (moved.phase, moved.turned) == ("put", "2c")


def test_gcr8_before_the_card_in_hand_is_placed() -> None:
    position = at("turned: 2c", "ploys: X1 Ah", "draw: 3d Jd", table=LAST_ONE)
    assert ("GC-R8", "card_in_hand") in kinds(position, "reassign X1 3 3 1 3")
    moved, _ = after(position, "reassign X1 3 3 1 3")
    assert (moved.phase, moved.turned, moved.waiting) == ("royal", "2c", ("Jd",))
    assert legal(moved, Extract)
    assert refused(moved, "turn") == refused(moved, "place 3 1") == "GC-R8"
    moved, _ = after(moved, "extract Ah 2 2", "royal L3")
    assert (moved.phase, moved.turned, moved.waiting) == ("put", "2c", ())


# The end

TWELVE = """
      (Jh)   (Jd)   (Js)
Kh    9h     7h     3s     (Jc)
(Ks)  4c     Td     6s     (Qs)
(Kd)  2d     5h     8c     (Qh)
      (Kc)   (Qd)   (Qc)
"""


@pytest.mark.rules("GC-19", "GC-21")
def test_gc19_gc21_the_win_and_its_score() -> None:
    position = at("turned: 5c", "ploys: Ah X1", "used: As", table=TWELVE)
    assert kinds(position, "place 1 3")[-3:] == [("GC-19", "won"), ("GC-21", "score"), ("GC-R12", "ploys_in_pile")]
    moved, events = after(position, "place 1 3")
    assert moved.result() == {"won": True, "score": 2}
    assert moved.legal() == ()
    assert dict(events[-2].facts) == {"score": 2, "ploys": ("Ah", "X1"), "best": 6}
    assert events[-1].facts["ploys"] == ("Ad", "Ac", "X2")
    for move in ("turn", "place 1 1", "royal T1", "armour L1", "keep", "replace 1 1", "concede", "extract Ah 1 1"):
        assert refused(moved, move) == "GC-19"


def all_number_cards_on_the_grid(*but: str) -> str:
    """TWELVE with every number card but these under the top card of its value."""
    table = TWELVE
    for value in range(2, 11):
        (top,) = [word for word in TWELVE.split() if VALUE.get(word) == value]
        under = [card for card in DECK if VALUE.get(card) == value and card not in (top, *but)]
        table = table.replace(f" {top} ", f" {'/'.join([top, *under])} ")
    return table


ALL_USED = "used: " + " ".join(PLOYS)
NONE_LEFT = at("turned: 5c", ALL_USED, table=all_number_cards_on_the_grid("5c"))


def but_one(ploy: str) -> str:
    return ALL_USED.replace(f" {ploy}", "")


@pytest.mark.rules("GC-R10")
def test_gcr10_the_win_comes_before_out_of_cards() -> None:
    assert NONE_LEFT.draw == ()
    moved, _ = after(NONE_LEFT, "place 1 3")
    assert moved.result() == {"won": True, "score": 0}


@pytest.mark.rules("GC-20")
def test_gc20_with_neither_cards_nor_ploys_left_the_game_is_lost() -> None:
    moved, events = after(NONE_LEFT, "place 3 2")  # the King lives on
    assert moved.result() == {"won": False, "by": "out of cards"}
    assert (events[-1].rule, events[-1].kind) == ("GC-20", "out_of_cards")
    text = game.position_to_text(moved)
    assert "phase" not in text  # what the author sees says it
    assert game.position_from_text(text) == moved
    for move in ("turn", "place 1 3", "concede", "keep"):
        assert refused(moved, move) == "GC-20"


@pytest.mark.rules("GC-20")
def test_gc20_the_ploys_left_may_still_be_used() -> None:
    position = at("turned: 5c", "ploys: Ah", but_one("Ah"), table=all_number_cards_on_the_grid("5c"))
    moved, events = after(position, "place 3 2")
    assert (moved.phase, events[-1].rule, events[-1].kind) == ("turn", "GC-20", "ploys_left")
    assert refused(moved, "turn") == "GC-20"
    assert set(map(str, moved.legal())) == {"concede"} | {f"extract Ah {row} {column}" for row, column in CELLS}
    saved, _ = after(moved, "extract Ah 3 3")
    assert (saved.phase, saved.draw) == ("turn", ("8d", "8h", "8s", "8c"))
    assert Turn() in saved.legal()


@pytest.mark.rules("GC-20")
def test_gc20_a_last_joker_that_kills_nobody_does_not_help() -> None:
    position = at("ploys: X1", but_one("X1"), table=all_number_cards_on_the_grid())
    moved, events = after(position, "reassign X1 3 2 2 1")
    assert moved.result() == {"won": False, "by": "out of cards"}
    assert events[-1].kind == "out_of_cards"
    moved, _ = after(position, "reassign X1 3 2 1 3")  # but one that kills the last royal does
    assert moved.result() == {"won": True, "score": 0}


@pytest.mark.rules("GC-R9")
def test_gcr9_the_last_card_turned_is_still_placed() -> None:
    position = at("draw: 5c", ALL_USED, table=all_number_cards_on_the_grid("5c"))
    assert kinds(position, "turn") == [("GC-8", "turn_number"), ("GC-R9", "last_card")]
    moved, _ = after(position, "turn")
    assert moved.phase == "put"
    conceded, _ = after(moved, "concede")
    assert conceded.result() == {"won": False, "by": "concede"}  # not out of cards: one is in hand
    position = at("draw: Jh", ALL_USED, table=all_number_cards_on_the_grid().replace("(Jh)", "--"))
    assert kinds(position, "turn") == [("GC-8", "turn_royal"), ("GC-R9", "last_card")]
    moved, events = after(position, "turn", "royal T1")
    assert (moved.phase, events[-1].kind) == ("lost", "out_of_cards")
    position = at("draw: Ah", but_one("Ah"), table=all_number_cards_on_the_grid())
    assert kinds(position, "turn") == [("GC-8", "turn_ploy"), ("GC-20", "ploys_left")]
    assert after(position, "turn")[0].phase == "turn"


@pytest.mark.rules("GC-R9")
def test_gcr9_conceding() -> None:
    for lines in ((), ("turned: 5c",)):
        position = at(*lines)
        assert position.legal()[-1] == Concede()
        assert kinds(position, "concede") == [("GC-R9", "concede")]
        moved, _ = after(position, "concede")
        assert moved.result() == {"won": False, "by": "concede"}
        assert moved.turned == position.turned
        assert refused(moved, "turn") == "GC-R9"


@pytest.mark.rules("GC-2")
def test_gc2_the_view_hides_the_order_of_the_draw_pile() -> None:
    position = at("draw: 5c 2s", "ploys: Ah")
    other = position._replace(draw=tuple(reversed(position.draw)))
    assert position.view(0) == other.view(0)
    view = position.view(0)
    assert view.draw == len(position.draw)
    assert (view.stacks, view.royals, view.ploys, view.phase) == (
        position.stacks, position.royals, position.ploys, "turn"
    )  # fmt: skip


# The trickiest points of the readings


@pytest.mark.rules("GC-10", "GC-12")
def test_gc12_of_a_corner_s_two_royals_one_may_die_and_one_may_hold() -> None:
    corner = TABLE.rstrip().rsplit("\n", 1)[0] + "\n      --   --   Kd\n"
    position = at("turned: 5c", table=corner)  # at B3 no diamond fires, at L1 two hearts do
    assert kinds(position, "place 1 3") == [
        ("GC-9", "place"), ("GC-12", "both_lines"), ("GC-10", "attack"), ("GC-11", "holds"),
        ("GC-10", "attack"), ("GC-11", "kill"),
    ]  # fmt: skip
    moved, _ = after(position, "place 1 3")
    assert not royal(moved, "B3").dead and royal(moved, "L1").dead
    dead = at("turned: 5c", table=corner.replace("Kd", "(Kd)"))  # a dead royal is no line
    assert kinds(dead, "place 1 3") == [("GC-9", "place"), ("GC-10", "attack"), ("GC-11", "kill")]


@pytest.mark.rules("GC-12", "GC-19", "GC-R10")
def test_gc19_the_last_two_royals_die_at_once() -> None:
    position = at("turned: 5c", "ploys: Ah", table=TWELVE.replace("(Qc)", "Qc"))
    assert kinds(position, "place 1 3") == [
        ("GC-9", "place"), ("GC-12", "both_lines"), ("GC-10", "attack"), ("GC-11", "kill"),
        ("GC-10", "attack"), ("GC-11", "kill"), ("GC-19", "won"), ("GC-21", "score"), ("GC-R12", "ploys_in_pile"),
    ]  # fmt: skip
    assert after(position, "place 1 3")[0].result() == {"won": True, "score": 1}


@pytest.mark.rules("GC-15", "GC-19", "GC-R10")
def test_gc19_a_joker_wins_with_a_card_in_hand() -> None:
    position = at("turned: 5c", "ploys: X1", table=TWELVE)
    moved, _ = after(position, "reassign X1 3 3 1 3")
    assert (moved.phase, moved.turned, moved.result()) == ("won", "5c", {"won": True, "score": 0})
    assert moved.legal() == ()
    assert refused(moved, "place 1 3") == "GC-19"
    assert game.position_from_json(game.position_to_json(moved)) == moved


@pytest.mark.rules("GC-15", "GC-R6")
def test_gcr6_what_shows_behind_the_moved_card_attacks() -> None:
    position = at("ploys: X1", table=TABLE.replace("7h", "7h/6h"))
    told = facts(position, "reassign X1 1 2 1 3", "kill")
    assert (told["attackers"], told["total"]) == (("9h", "6h"), 15)
    position = at("ploys: X1", table=TABLE.replace("7h", "7h/6c"))
    told = facts(position, "reassign X1 1 2 1 3", "holds")
    assert (told["attackers"], told["counts"], told["short"]) == (("9h", "6c"), (9, 0), 4)


@pytest.mark.rules("GC-10", "GC-15")
def test_gc10_a_card_that_joins_the_line_or_leaves_it_does_not_fire_along_it() -> None:
    _, events = after(at("ploys: X1"), "reassign X1 1 3 3 1")  # away from the place that fires at the King
    assert [event.kind for event in events] == ["ploy", "reassign", "left_empty"]
    position = at("ploys: X1", table=TABLE.replace("7h", "7s"))
    moved, events = after(position, "reassign X1 3 3 1 2")  # the 9c lies before the King now, not at the other end
    assert [event.kind for event in events] == ["ploy", "reassign", "left_showing"]
    assert not royal(moved, "L1").dead


@pytest.mark.rules("GC-18", "GC-R8", "GC-R10")
def test_gcr8_the_last_living_royal_dies_while_another_waits() -> None:
    position = at("waiting: Jd", "ploys: X1", table=LAST_ONE)
    moved, events = after(position, "reassign X1 3 3 1 3")
    assert events[-1].kind == "kill"  # nothing is turned up: a royal waits
    assert (moved.phase, moved.waiting, moved.draw) == ("royal", ("Jd",), position.draw)
    assert after(moved, "royal L3")[0].phase == "turn"


@pytest.mark.rules("GC-R3", "GC-R8", "GC-R11")
def test_gcr8_the_last_living_royal_dies_while_several_wait() -> None:
    table = TABLE.replace("9c/8c", "8c").replace("Qs", "--")
    position = at("options: replace one", "waiting: Jc Jd", "ploys: X1", table=table)
    moved, events = after(position, "reassign X1 3 3 1 3")  # a single card: its place is empty now
    assert [event.kind for event in events][-3:] == ["left_empty", "attack", "kill"]
    assert (moved.phase, moved.waiting) == ("royal", ("Jc", "Jd"))
    moved, _ = after(moved, "royal T3", "royal L3")
    assert (moved.phase, moved.waiting) == ("turn", ())


@pytest.mark.rules("GC-6", "GC-13", "GC-R2")
def test_gc13_a_ploy_changes_where_the_waiting_royal_goes() -> None:
    position = at("waiting: Kh", "ploys: Ah X1", table=TABLE.replace("Kh", "--"))
    assert places(position) == {"T1", "L1"}
    assert places(after(position, "extract Ah 1 1")[0]) == {"T2"}  # the 9h is gone, the 7h is the highest heart
    assert places(after(position, "reassign X1 1 1 1 3")[0]) == {"T3", "R1"}  # the 9h has moved
    assert places(after(position, "reassign X1 1 1 1 2", "extract Ah 3 2")[0]) == {"T2"}
    hearts_gone = at("waiting: Kh", "ploys: X1", "used: As", table=TABLE.replace("Kh", "--").replace("9h", "--"))
    assert places(hearts_gone) == {"T2"}
    assert refused(hearts_gone, "royal L1") == "GC-R2"  # beside an empty place


@pytest.mark.rules("GC-7", "GC-R2")
def test_gc7_every_place_beside_equally_similar_cards() -> None:
    table = """
        --   --   --
    --  9s   7s   9c   --
    --  4c   Ts   6s   --
    --  2c   9h   3c   --
        Qd   Jd   --
    """
    position = at("waiting: Kd", "used: As", table=table.replace("9h", "8c"))  # black all: 9s and 9c are level
    assert places(position) == {"T1", "L1", "T3", "R1"}
    assert set(facts(position, "royal R1", "royal_choice")["places"]) == {"T1", "L1", "T3", "R1"}
    assert facts(position, "royal R1", "royal")["step"] == "any"
    assert facts(position, "royal R1", "passed_over")["cards"] == ("Ts",)
    red = at("waiting: Kd", table=table)  # the 9h is red, but its only place is taken
    assert places(red) == {"T1", "L1", "T3", "R1"}
    assert facts(red, "royal L1", "passed_over")["cards"] == ("9h", "Ts")


@pytest.mark.rules("GC-14", "GC-R5")
def test_gcr5_two_empty_places_in_a_line() -> None:
    position = at("turned: 5c", "used: As Ad", table=HOLED.replace("9h", "--"))
    assert kinds(position, "place 1 3")[1:] == [
        ("GC-10", "attack"), ("GC-R5", "empty_adds_nothing"), ("GC-11", "holds")
    ]  # fmt: skip
    told = facts(position, "place 1 3", "holds")
    assert (told["attackers"], told["total"], told["short"]) == ((EMPTY, EMPTY), 0, 13)


@pytest.mark.rules("GC-14", "GC-22", "GC-R5", "GC-R6")
def test_gc22_what_ploys_do_with_an_empty_centre() -> None:
    position = at("options: empty centre", "ploys: Ah X1", table=TABLE.replace("Td", "--"))
    assert refused(position, "extract Ah 2 2") == "GC-14"
    assert refused(position, "reassign X1 2 2 1 1") == "GC-15"
    assert kinds(position, "reassign X1 3 1 2 2")[1:] == [("GC-R6", "reassign_to_empty"), ("GC-R6", "left_empty")]
    across = at("options: empty centre", "turned: 5c", table=TABLE.replace("Td", "--"))
    assert kinds(across, "place 2 1")[1:] == [
        ("GC-10", "attack"), ("GC-R5", "empty_adds_nothing"), ("GC-11", "holds")
    ]  # fmt: skip


@pytest.mark.rules("GC-13", "GC-14", "GC-R7")
def test_gcr7_an_extraction_makes_room_and_then_armour_is_not_allowed() -> None:
    position = at("turned: 3h", "ploys: Ah", table=HIGH)
    moved, _ = after(position, "extract Ah 1 2")
    assert legal(moved, Place) == {"place 1 2"}
    assert refused(moved, "armour L1") == "GC-R7"


@pytest.mark.rules("GC-5", "GC-18", "GC-R3", "GC-R10", "GC-R11")
def test_gcr3_a_royal_found_while_replacing_saves_the_search() -> None:
    found = dealt(NINE + " Jd 2s", replace_one=True)
    assert kinds(found, "replace 1 1") == [
        ("GC-5", "replace"), ("GC-R3", "replace_royal"), ("GC-5", "replace_fill"), ("GC-R11", "play_begins")
    ]  # fmt: skip
    moved, _ = after(found, "replace 1 1")
    assert (moved.phase, moved.waiting, top(moved, 1, 1), moved.draw[-1]) == ("royal", ("Jd",), "2s", "2h")
    none = dealt(NINE + " 2s Jd", replace_one=True)
    assert kinds(none, "replace 1 1")[-2:] == [("GC-R11", "play_begins"), ("GC-18", "no_living_royal")]
    moved, _ = after(none, "replace 1 1")
    assert (moved.phase, moved.waiting, top(moved, 1, 1)) == ("royal", ("Jd",), "2s")
    both = dealt(NINE, empty_centre=True, replace_one=True)
    assert legal(both, Replace) == {f"replace {row} {column}" for row, column in CELLS if (row, column) != (2, 2)}


@pytest.mark.rules("GC-R4")
def test_gcr4_armour_never_comes_back() -> None:
    position = at("turned: 5c", table=TABLE.replace("Kh", "Kh+3c"))
    moved, _ = after(position, "place 1 3")
    assert royal(moved, "L1") == Royal("Kh", ("3c",), True)
    assert "3c" not in moved.draw


# Every number card but the one turned lies on the grid, high ones on top: it fits nowhere, and nothing is left to turn.
NOWHERE = """
      (Jh)         (Jd)         (Js)
Kh    Ts/8h/7s/6s  Th/8d/7h/6h  Td/8c/7d/6d  (Jc)
(Ks)  Tc/7c/6c     9s/5s/4s/3s  9h/5h/4h/3h  (Qs)
(Kd)  9d/5d/4d/3d  9c/5c/4c/3c  8s/2s/2d/2c  (Qh)
      (Kc)         (Qd)         (Qc)
"""


@pytest.mark.rules("GC-16", "GC-17", "GC-20", "GC-R10")
def test_gcr10_armour_beyond_reach_comes_before_out_of_cards() -> None:
    worn = NOWHERE.replace("/4h", "").replace("Kh ", "Kh+4h ")
    moved, events = after(at("turned: 2h", ALL_USED, table=worn), "armour L1")
    assert (events[-1].rule, moved.result()) == ("GC-17", {"won": False, "by": "armour"})
    moved, events = after(at("turned: 2h", ALL_USED, table=NOWHERE), "armour L1")
    assert (events[-1].rule, moved.result()) == ("GC-20", {"won": False, "by": "out of cards"})
    moved, events = after(at("turned: 2h", "ploys: Ah", but_one("Ah"), table=NOWHERE), "armour L1")
    assert [(event.rule, event.kind) for event in events] == [
        ("GC-16", "armour"), ("GC-R7", "ploys_kept"), ("GC-20", "ploys_left")
    ]  # fmt: skip
    assert (moved.phase, moved.result()) == ("turn", None)


@pytest.mark.rules("GC-18", "GC-20", "GC-R9")
def test_gc18_the_royal_found_may_be_the_last_card() -> None:
    table = all_number_cards_on_the_grid("5c").replace("(Jd)", "--")
    position = at("turned: 5c", ALL_USED, table=table)
    assert position.draw == ("Jd",)
    moved, _ = after(position, "place 1 3")
    assert (moved.phase, moved.waiting, moved.draw) == ("royal", ("Jd",), ())
    assert kinds(moved, "royal T2") == [("GC-R2", "passed_over"), ("GC-6", "royal"), ("GC-20", "out_of_cards")]
    assert facts(moved, "royal T2", "passed_over")["cards"] == ("Td", "2d", "9h")
    assert after(moved, "royal T2")[0].result() == {"won": False, "by": "out of cards"}


@pytest.mark.rules("GC-R8", "GC-R10")
def test_gcr8_the_last_card_of_all_is_still_in_hand_once_the_royal_stands() -> None:
    table = all_number_cards_on_the_grid("5c").replace("(Jd)", "--").replace("Kh ", "(Kh)")
    waits = at("turned: 5c", "waiting: Jd", ALL_USED, table=table)
    assert waits.draw == ()
    moved, _ = after(waits, "royal T2")
    assert (moved.phase, moved.turned, moved.waiting) == ("put", "5c", ())


@pytest.mark.rules("GC-13", "GC-20", "GC-R9", "GC-R10")
def test_gcr9_a_ploy_used_with_the_last_card_in_hand() -> None:
    position = at("turned: 5c", "ploys: X1", but_one("X1"), table=all_number_cards_on_the_grid("5c"))
    moved, _ = after(position, "reassign X1 3 2 2 1")  # the last ploy, and the draw pile is empty
    assert (moved.phase, moved.result()) == ("put", None)
    assert after(moved, "place 3 2")[0].result() == {"won": False, "by": "out of cards"}
    table = all_number_cards_on_the_grid().replace("(Jd)", "--")
    waits = at("waiting: Jd", "ploys: X1", but_one("X1"), table=table)
    moved, _ = after(waits, "reassign X1 3 2 2 1")
    assert (moved.phase, moved.waiting, moved.result()) == ("royal", ("Jd",), None)
    assert after(moved, "royal T2")[0].result() == {"won": False, "by": "out of cards"}


@pytest.mark.rules("GC-20", "GC-R9")
def test_gc20_only_ploys_are_left() -> None:
    position = at("ploys: Ah", but_one("Ah"), table=all_number_cards_on_the_grid())
    assert (position.phase, position.draw) == ("turn", ())
    for move in ("turn", "place 1 1", "royal T1", "armour L1"):
        assert refused(position, move) == "GC-20"
    assert after(position, "concede")[0].result() == {"won": False, "by": "concede"}  # a ploy could still be used


@pytest.mark.rules("GC-14", "GC-20", "GC-R4")
def test_gcr4_an_extracted_stack_is_drawn_again_oldest_first() -> None:
    position = at("ploys: Ah", but_one("Ah"), table=all_number_cards_on_the_grid())
    moved, events = after(position, "extract Ah 3 3", "turn")
    assert (moved.turned, moved.draw) == ("8d", ("8h", "8s", "8c"))
    assert [event.kind for event in events] == ["turn_number"]
    assert "place 3 3" in legal(moved, Place)


# Moves as text


@pytest.mark.parametrize("move", EVERY_MOVE[:60] + EVERY_MOVE[-3:], ids=str)
def test_moves_as_text(move: Move) -> None:
    assert game.move_from_text(str(move)) == move


def test_moves_of_different_kinds_are_never_equal() -> None:
    assert Place(1, 1) != Replace(1, 1)
    assert len(set(EVERY_MOVE)) == len(EVERY_MOVE) == len(set(map(str, EVERY_MOVE)))


@pytest.mark.parametrize(
    "text",
    ["", "turn 1", " turn", "Turn", "royal", "royal L4", "royal l1", "royal L1 L2", "place 1", "place 0 1", "place 1 4",
     "place 01 1", "place 1 ²", "place 1 1 1", "place  1 1", "extract 1 1", "extract Kh 1 1", "extract Ah 1",
     "reassign X1 1 1 1", "reassign X3 1 1 1 1", "armour", "armour 1 1", "replace 1", "keep 1 1", "resign"],
)  # fmt: skip
def test_what_is_not_a_move(text: str) -> None:
    with pytest.raises(BadPosition, match="is not a move"):
        game.move_from_text(text)


# The author's form


def test_a_position_looks_like_the_table() -> None:
    text = """\
     --      (Jd+4d)  --
Kh   9h      7h       3s     --
--   4c/2c   Td       6s     Qs+5s
--   2d      --       9c/8c  --
     --      --       --
options: empty centre, replace one
turned: 5c
ploys: Ah X1
used: As
draw: 5h 2s"""
    written = game.position_to_text(game.position_from_text(text))
    assert [line.split() for line in written.splitlines()][:9] == [line.split() for line in text.splitlines()][:9]
    assert written.splitlines()[-1].startswith("draw: 5h 2s 4s")
    assert game.position_from_text(written) == game.position_from_text(text)


def test_what_an_author_leaves_out() -> None:
    """Nothing turned, used or waiting, no option; the draw pile is all the rest, in the order of DECK."""
    position = at()
    assert (position.phase, position.turned, position.waiting, position.ploys, position.used) == (
        "turn", None, (), (), ()
    )  # fmt: skip
    assert position.options == Options()
    assert position.draw == tuple(card for card in DECK if card not in TABLE.replace("/", " ").split())
    assert at("turned: 5c").phase == "put"
    assert at("waiting: Jc").phase == "royal"
    assert at(table=TWELVE.replace("Kh ", "(Kh)")).phase == "won"
    assert at(table=HIGH.replace("Kh", "Kh+2h+4h")).phase == "lost"
    assert game.position_to_text(at()).count("\n") == 4
    assert game.position_to_text(after(at(), "concede")[0]).splitlines()[-1] == "phase: lost"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the table has 0 rows, not 5"),
        (TABLE.strip().rsplit("\n", 1)[0], "the table has 4 rows, not 5"),
        (TABLE + "-- -- --", "expected once each 'options: …'"),
        (TABLE.replace("--   --   --\nKh", "--   --\nKh"), "row 1 of the table with 3 places"),
        (TABLE.replace("Kh    9h", "Kh"), "row 2 of the table with 5 places"),
        (TABLE + "turned: 5c\nturned: 5d", "'turned: 5d': expected once each"),
        (TABLE + "hand: 5c", "'hand: 5c': expected"),
        (TABLE + "turned: 5c 5d", "\"turned\" holds '5c 5d', which is not a card"),
        (TABLE + "turned: Jd", '"turned" holds Jd, which is not a number card'),
        (TABLE + "options: empty center", "'empty center': expected 'empty centre' or 'replace one'"),
        (TABLE + "phase: start", "not setup, replace"),
        (TABLE.replace("Kh", "5c"), '"royals" holds 5c, which is not a royal'),
        (TABLE.replace("Kh", "Kh+Jd"), '"armour" holds Jd, which is not a number card'),
        (TABLE.replace("Kh", "(Kh"), "'\\(Kh', which is not a card"),
        (TABLE.replace("9h", "Jh"), '"grid" holds Jh, which is not a number card'),
        (TABLE.replace("9c/8c", "8c/9c"), "the stack in 3 3 goes down"),
        (TABLE.replace("9h", "9h/"), "'', which is not a card"),
        (TABLE.replace("7h", "9h"), "card 9h lies in two places"),
        (TABLE + "ploys: 5c", '"ploys" holds 5c, which is not an Ace or joker'),
    ],
)
def test_author_form_refuses(text: str, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        game.position_from_text(text)


# Refusals


def broken(position: Position, *path: Any, value: Any, also: dict[str, Any] | None = None) -> dict[str, Any]:
    """The interchange object of a position with one thing changed, and whole fields beside it where `also` says so.

    A callable value is given what stands there.
    """
    data = copy.deepcopy(game.position_to_json(position))
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    return data | (also or {})


def without(position: Position, *cards: str) -> list[str]:
    return [card for card in position.draw if card not in cards]


HERE = at("ploys: Ah")
UNPLAYED = TABLE.replace("9c/8c", "8c")
SETUP = at("waiting: Jc", "phase: setup", table=UNPLAYED)
REPLACE = at("options: replace one", "phase: replace", table=UNPLAYED)
CENTRE_OUT = at("options: empty centre", table=TABLE.replace("Td", "--"))
SEVERAL = at("options: replace one", "waiting: Jc Jd", table=UNPLAYED)
WON = at(table=TWELVE.replace("Kh ", "(Kh)"))
HAND_WAITS = at("turned: 2c", "used: X1", "waiting: Jd", table=LAST_ONE.replace("Kh", "(Kh)"))


def test_the_positions_to_be_broken_are_whole() -> None:
    for position in (HERE, SETUP, REPLACE, CENTRE_OUT, SEVERAL, WON, HAND_WAITS):
        assert game.position_from_json(game.position_to_json(position)) == position


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (None, "a position is a JSON object"),
        ([], "a position is a JSON object"),
        ({"game": "cascata"}, '"game" is not "gridcannon"'),
        ({k: v for k, v in game.position_to_json(HERE).items() if k != "used"}, '"used" is missing'),
        (game.position_to_json(HERE) | {"score": 3}, "unknown key 'score'"),
        (broken(HERE, "grid", value=lambda rows: rows[:2]), '"grid" has 2 entries, not 3'),
        (broken(HERE, "grid", 0, value=lambda row: [*row, []]), '"grid" has 4 entries, not 3'),
        (broken(HERE, "grid", 0, 0, value="9h"), '"grid" is not a list'),
        (broken(HERE, "grid", 0, 0, value=[9]), "9, which is not a card"),
        (broken(HERE, "grid", 0, 0, value=["10h"]), "'10h', which is not a card"),
        (broken(HERE, "grid", 0, 0, value=["X1"]), '"grid" holds X1, which is not a number card'),
        (broken(HERE, "royals", value=[]), '"royals" is not a JSON object'),
        (broken(HERE, "royals", value=lambda royals: royals | {"T4": royals["L1"]}), "unknown place 'T4'"),
        (broken(HERE, "royals", "L1", value=None), "which is not a JSON object"),
        (broken(HERE, "royals", "L1", value={"card": "Kh", "armour": []}), '"dead" is missing in "royals"'),
        (broken(HERE, "royals", "L1", value=lambda one: one | {"health": 13}), "unknown key 'health' in \"royals\""),
        (broken(HERE, "royals", "L1", "dead", value="false"), "'false', which is not true or false"),
        (broken(HERE, "royals", "L1", "dead", value=0), "0, which is not true or false"),
        (broken(HERE, "royals", "L1", "card", value="5c", also={"draw": [*without(HERE, "5c"), "Kh"]}),
         '"royals" holds 5c, which is not a royal'),
        (broken(HERE, "royals", "L1", "armour", value=["As"], also={"draw": without(HERE, "As")}),
         '"armour" holds As, which is not a number card'),
        (broken(HERE, "draw", value="5c"), '"draw" is not a list'),
        (broken(HERE, "draw", value=lambda draw: draw[1:]), "is missing"),
        (broken(HERE, "draw", value=lambda draw: [*draw, "X1"]), "card X1 lies in two places"),
        (broken(HERE, "draw", value=lambda draw: [*draw, "M"]), "'M', which is not a card"),
        (broken(HERE, "turned", value=5), "5, which is not a card"),
        (broken(HERE, "turned", value="", also={"phase": "put"}), "'', which is not a card"),
        (broken(HERE, "turned", value="Jd", also={"phase": "put", "draw": without(HERE, "Jd")}),
         '"turned" holds Jd, which is not a number card'),
        (broken(HERE, "turned", value="5c", also={"draw": without(HERE, "5c")}), "the phase is turn with 5c turned"),
        (broken(HERE, "phase", value="put"), "the phase is put with no card turned"),
        (broken(SETUP, "turned", value="5c", also={"draw": without(SETUP, "5c")}), "the phase is setup with 5c turned"),
        (broken(HERE, "phase", value="over"), "'over', not setup, replace, royal, turn, put, won, lost"),
        (broken(HERE, "phase", value=None), "null, not setup"),
        (broken(HERE, "phase", value=["turn"]), "not setup"),
        (broken(HERE, "waiting", value=["5c"], also={"phase": "royal", "draw": without(HERE, "5c")}),
         '"waiting" holds 5c, which is not a royal'),
        (broken(HERE, "waiting", value=["Jd"], also={"draw": without(HERE, "Jd")}), "turn with 1 royals waiting"),
        (broken(HERE, "waiting", value=["Jd"], also={"phase": "lost", "draw": without(HERE, "Jd")}),
         "the phase is lost with 1 royals waiting"),
        (broken(HERE, "phase", value="royal"), "the phase is royal with 0 royals waiting"),
        (broken(HERE, "ploys", value=["Ah", "5c"], also={"draw": without(HERE, "5c")}),
         '"ploys" holds 5c, which is not an Ace or joker'),
        (broken(HERE, "used", value=["Jd"], also={"draw": without(HERE, "Jd")}),
         '"used" holds Jd, which is not an Ace or joker'),
        (broken(HERE, "used", value=["Ah"]), "card Ah lies in two places"),
        (broken(HERE, "options", value={"empty_centre": False}), '"replace_one" is missing in "options"'),
        (broken(HERE, "options", "armour", value=True), "unknown key 'armour' in \"options\""),
        (broken(HERE, "options", "empty_centre", value=1), "1, which is not true or false"),
        # stacks
        (broken(HERE, "grid", 2, 2, value=["9c", "8c"]), "the stack in 3 3 goes down"),
        (broken(HERE, "grid", 0, 0, value=[], also={"draw": [*HERE.draw, "9h"]}), "1 stacks are gone, more than the 0"),
        (broken(CENTRE_OUT, "options", "empty_centre", value=False), "1 stacks are gone, more than the 0"),
        (broken(CENTRE_OUT, "grid", 0, 0, value=[], also={"draw": [*CENTRE_OUT.draw, "9h"]}),
         "1 stacks are gone, more than the 0"),
        # living and dead
        (broken(HERE, "royals", value=lambda royals: {at: one | {"dead": True} for at, one in royals.items()}),
         "the phase is turn with no living royal"),
        (broken(HERE, "royals", value={}, also={"phase": "lost", "draw": [*HERE.draw, "Kh", "Qs"]}),
         "the phase is lost with no living royal"),
        (broken(HERE, "phase", value="won"), "the phase is won with 0 dead royals"),
        (broken(WON, "phase", value="lost"), "the phase is lost with 12 dead royals"),
        (broken(WON, "royals", "T1", "dead", value=False), "the phase is won with 11 dead royals"),
        (broken(WON, "turned", value="5c", also={"draw": without(WON, "5c")}), "with 5c in hand and no joker used"),
        (broken(HERE, "royals", "L1", "armour", value=["6h"], also={"draw": without(HERE, "6h")}),
         "the Kh at L1 is beyond reach with health 19, but the game is not lost"),
        (broken(HERE, "royals", "L1", value={"card": "Kh", "armour": ["6h"], "dead": True},
         also={"draw": without(HERE, "6h")}), "the dead Kh at L1 has health 19: it was beyond reach"),
        (broken(HERE, "royals", "L1", "armour", value=["6h"], also={"turned": "5c", "phase": "lost",
         "draw": without(HERE, "6h", "5c")}), "the Kh at L1 is beyond reach, but 5c has been turned since"),
        (broken(HERE, "royals", value={"L1": {"card": "Kh", "armour": ["6h"], "dead": False},
         "R2": {"card": "Qs", "armour": ["8h"], "dead": False}}, also={"phase": "lost",
         "draw": without(HERE, "6h", "8h")}), "two royals are beyond reach"),
        (broken(HERE, "royals", value=lambda royals: {at: one | {"dead": True} for at, one in royals.items()},
         also={"phase": "put", "turned": "5c", "draw": without(HERE, "5c")}), "the phase is put with no living royal"),
        (broken(WON, "waiting", value=["Kh"], also={"royals": {at: one for at, one in game.position_to_json(WON)[
         "royals"].items() if at != "L1"}}), "the phase is won with 11 dead royals"),
        (broken(WON, "royals", "L1", value=lambda one: one | {"armour": ["6h"]}, also={"draw": without(WON, "6h")}),
         "the dead Kh at L1 has health 19: it was beyond reach"),
        (broken(WON, "royals", value=lambda royals: {at: one for at, one in royals.items() if at != "T1"},
         also={"draw": [*WON.draw, "Jh"]}), "the phase is won with 11 dead royals"),
        (broken(WON, "royals", value=lambda royals: {at: one for at, one in royals.items() if at != "T1"}),
         "card Jh is missing"),
        (broken(HERE, "royals", "T1", value={"card": "Kh", "armour": [], "dead": False}),
         "card Kh lies in two places"),
        (broken(HERE, "waiting", value=["Kh"], also={"phase": "royal"}), "card Kh lies in two places"),
        (broken(HERE, "royals", "L1", "armour", value=["9h"]), "card 9h lies in two places"),
        # before play
        (broken(SETUP, "used", value=["As"], also={"draw": without(SETUP, "As")}), "or a ploy is used"),
        (broken(SETUP, "royals", "L1", "dead", value=True), "but a royal is dead or armoured"),
        (broken(SETUP, "royals", "L1", "armour", value=["2c"], also={"draw": without(SETUP, "2c")}),
         "but a royal is dead or armoured"),
        (broken(SETUP, "grid", 2, 2, value=["8c", "9c"], also={"draw": without(SETUP, "9c")}),
         "2 cards lie in 3 3, not 1"),
        (broken(SETUP, "options", "empty_centre", value=True), "1 cards lie in 2 2, not 0"),
        (broken(SETUP, "waiting", value=[], also={"draw": [*SETUP.draw, "Jc"]}), "setup with 0 royals waiting"),
        (broken(SETUP, "phase", value="replace"), "the phase is replace with 1 royals waiting"),
        (broken(SETUP, "grid", 2, 2, value=[], also={"draw": [*SETUP.draw, "8c"]}), "1 stacks are gone"),
        (broken(REPLACE, "waiting", value=["Jc"], also={"draw": without(REPLACE, "Jc")}), "replace with 1 royals"),
        (broken(REPLACE, "used", value=["As"], also={"draw": without(REPLACE, "As")}), "or a ploy is used"),
        (broken(REPLACE, "royals", "R2", "dead", value=True), "but a royal is dead or armoured"),
        (broken(REPLACE, "turned", value="5c", also={"draw": without(REPLACE, "5c")}), "replace with 5c turned"),
        (broken(REPLACE, "grid", 0, 1, value=["6h", "7h"], also={"draw": without(REPLACE, "6h")}),
         "2 cards lie in 1 2, not 1"),
        (broken(at(table=UNPLAYED), "phase", value="replace"), "the phase is replace, which was not agreed on"),
        # royals waiting
        (broken(HERE, "waiting", value=["Jc", "Jd"], also={"phase": "royal", "draw": without(HERE, "Jc", "Jd")}),
         "several royals wait, but no grid card could be replaced"),
        (broken(SEVERAL, "royals", "L1", "armour", value=["2c"], also={"draw": without(SEVERAL, "2c")}),
         "several royals wait, but cards have been turned"),
        (broken(SEVERAL, "grid", 2, 2, value=["8c", "9c"], also={"draw": without(SEVERAL, "9c")}),
         "several royals wait with 10 cards on the grid, more than the 9 dealt"),
        (broken(SEVERAL, "options", "empty_centre", value=True), "with 9 cards on the grid, more than the 8 dealt"),
        (broken(HAND_WAITS, "used", value=["As"], also={"draw": [*without(HAND_WAITS, "As"), "X1"]}),
         "not because a joker killed"),
        (broken(HAND_WAITS, "royals", "L1", "dead", value=False), "not because a joker killed"),
        (broken(HAND_WAITS, "royals", value={}, also={"draw": [*HAND_WAITS.draw, "Kh", "Qs"]}),
         "not because a joker killed"),
        (broken(HAND_WAITS, "waiting", value=["Jd", "Jc"], also={"draw": without(HAND_WAITS, "Jc"),
         "options": {"empty_centre": False, "replace_one": True}}), "not because a joker killed"),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused_by_name(data: Any, fault: str) -> None:
    with pytest.raises(BadPosition, match=fault):
        game.position_from_json(data)


def test_a_turn_with_nothing_left_is_lost() -> None:
    lost, _ = after(NONE_LEFT, "place 3 2")
    with pytest.raises(BadPosition, match="neither cards nor ploys left"):
        game.check(lost._replace(phase="turn"))


def test_canonical_order() -> None:
    position = at("ploys: X1 Ah", "used: X2 As", table=TABLE.replace("Kh", "Kh+3h+2c"))
    canonical = game.canonical(position)
    assert (canonical.ploys, canonical.used) == (("Ah", "X1"), ("As", "X2"))
    assert royal(canonical, "L1").armour == ("3h", "2c")  # the order of DECK: suits, then ranks
    assert canonical._replace(ploys=position.ploys, used=position.used) == position
    assert canonical == game.canonical(at("ploys: Ah X1", "used: As X2", table=TABLE.replace("Kh", "Kh+2c+3h")))


def test_a_room_that_is_not_that_of_the_stacks() -> None:
    with pytest.raises(BadPosition, match="the room"):
        game.check(HERE._replace(room=0))


# Random play


def played(seed: int, options: dict[str, bool]) -> list[tuple[Position, Move, Position, tuple[Event, ...]]]:
    """A random game that is seldom given up and keeps its ploys for a while, so that it sees the late rules too."""
    rng = random.Random(seed)
    cards = list(DECK)
    rng.shuffle(cards)
    position, steps = game.deal(cards, **options), []
    game.check(position)
    keep = rng.random()
    while moves := position.legal():
        calm = [move for move in moves if not isinstance(move, Concede | Extract | Reassign)]
        move = rng.choice(calm if calm and rng.random() < keep else moves)
        if isinstance(move, Concede) and len(moves) > 1 and rng.random() < 0.9:
            move = moves[0]
        moved, events = position.play(move)
        steps.append((position, move, moved, events))
        position = moved
    assert len(steps) < 2000
    return steps


GAMES = (
    st.integers(0, 1 << 32),
    st.fixed_dictionaries({"empty_centre": st.booleans(), "replace_one": st.booleans()}),
)


@settings(max_examples=settings().max_examples // 2)
@given(*GAMES)
def test_random_play_keeps_every_invariant(seed: int, options: dict[str, bool]) -> None:
    for before, move, position, events in played(seed, options):
        game.check(position)
        assert (position.result() is None) == bool(position.legal())
        assert position.options == before.options
        assert events
        assert {event.rule for event in events} <= TOLD
        for one, other in zip(before.royals, position.royals, strict=True):
            if one is not None:  # a royal keeps its place, and a dead one stays so
                assert other is not None and other.card == one.card
                assert set(one.armour) <= set(other.armour)
                assert other.dead or not one.dead
        killed = [event.facts for event in events if event.kind == "kill"]
        died = [one.card for one, other in zip(before.royals, position.royals, strict=True)
                if one and other and other.dead and not one.dead]  # fmt: skip
        assert [said["royal"] for said in killed] == died
        assert all(sum(said["counts"]) == said["total"] >= said["health"] for said in killed)
        assert set(before.used) <= set(position.used)
        assert game.move_from_text(str(move)) == move
    final = position
    assert final.result() is not None


@settings(max_examples=settings().max_examples // 4)
@given(*GAMES)
def test_positions_round_trip(seed: int, options: dict[str, bool]) -> None:
    for _, _, position, _ in played(seed, options):
        data = game.position_to_json(position)
        assert game.position_from_json(data) == position
        assert game.position_from_text(game.position_to_text(position)) == position
        assert game.canonical(game.canonical(position)) == game.canonical(position)
        shuffled = position._replace(ploys=position.ploys[::-1], used=position.used[::-1])
        assert game.canonical(shuffled) == game.canonical(position)


@settings(max_examples=settings().max_examples // 6)
@given(*GAMES)
def test_play_refuses_exactly_what_legal_leaves_out(seed: int, options: dict[str, bool]) -> None:
    known = {rule.id for rule in game.RULES}
    for position, _, _, _ in played(seed, options)[::7]:
        moves = position.legal()
        assert len(set(moves)) == len(moves)
        assert set(moves) <= set(EVERY_MOVE)
        for move in EVERY_MOVE:
            if move in moves:
                game.check(position.play(move)[0])
            else:
                with pytest.raises(IllegalMove) as error:
                    position.play(move)
                assert error.value.rule in known


@settings(max_examples=settings().max_examples // 4)
@given(*GAMES)
def test_legal_is_what_the_rules_say_read_one_by_one(seed: int, options: dict[str, bool]) -> None:
    """The quick ways of `legal` against the rules said in plain words."""
    for position, _, _, _ in played(seed, options):
        tops = [VALUE[stack[-1]] if stack else 0 for stack in position.stacks]
        if position.phase == "put":
            assert position.turned
            value = VALUE[position.turned]
            assert legal(position, Place) == {f"place {r} {c}" for (r, c), low in zip(CELLS, tops, strict=True)
                                              if low <= value}  # fmt: skip
            assert bool(legal(position, Armour)) == all(low > value for low in tops)
        playing = position.phase in ("turn", "put", "royal")
        assert len(legal(position, Extract)) == (
            sum(map(bool, tops)) * len(set(position.ploys) & set(ACES)) if playing else 0
        )
        assert len(legal(position, Reassign)) == (
            sum(low <= high for i, high in enumerate(tops) if high for j, low in enumerate(tops) if i != j)
            * len(set(position.ploys) & set(JOKERS)) if playing else 0
        )  # fmt: skip
        assert (Concede() in position.legal()) == (position.phase in ("turn", "put"))
        if position.waiting:
            spots = game.spots(position.stacks, position.royals, position.waiting[0])
            assert places(position) == {place for spot in spots for place in spot.places}


def test_options_name_arguments_of_the_deal() -> None:
    for arguments in OPTIONS.values():
        assert all(getattr(game.deal(DECK, **arguments).options, name) for name in arguments)


def test_a_record_is_a_trace_of_itself() -> None:
    steps = played(7, {"empty_centre": True, "replace_one": True})
    made = record.record(game, steps[0][0], [move for _, move, _, _ in steps])  # type: ignore[arg-type]
    assert record.replay(made, catalogue.game).positions[-1] == steps[-1][2]


@pytest.mark.rules("GC-3", "GC-10")
def test_what_lies_in_front_of_each_place() -> None:
    """As the table is drawn: the nearest card first."""
    #        T1 T2 T3
    #    L1   0  1  2  R1
    #    L2   3  4  5  R2
    #    L3   6  7  8  R3
    #        B1 B2 B3
    assert {place: game.in_front(place) for place in game.PLACES} == {
        "T1": (0, 3, 6), "T2": (1, 4, 7), "T3": (2, 5, 8), "B1": (6, 3, 0), "B2": (7, 4, 1), "B3": (8, 5, 2),
        "L1": (0, 1, 2), "L2": (3, 4, 5), "L3": (6, 7, 8), "R1": (2, 1, 0), "R2": (5, 4, 3), "R3": (8, 7, 6),
    }  # fmt: skip


@pytest.mark.rules("GC-6", "GC-11")
def test_who_counts_against_whom() -> None:
    """A jack is hit by all cards, a queen by her colour, a king by his suit; none by an empty place."""
    red = "hd"
    for royal in game.ROYALS:
        assert game.counts(royal, game.EMPTY) == game.COUNTS[royal][game.EMPTY] == 0
        for card, value in game.VALUE.items():
            alike = (card[1] in red) == (royal[1] in red)
            assert game.same_colour(royal, card) == alike
            worth = {"J": value, "Q": value * alike, "K": value * (card[1] == royal[1])}[royal[0]]
            assert game.counts(royal, card) == game.COUNTS[royal][card] == worth
