"""The second solver of practice: examples solved by thought, problems of the generators, and problems made wrong."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kit.faults import BUG, Fault
from kit.practice import make, order, proof
from kit.reference.practice import __main__ as command
from kit.reference.practice import begins, cascata, faults, solve, solver
from kit.reference.record import engine, positions_of, read

Json = Any
VECTORS = Path(__file__).parent.parent / "games" / "vectors"


def ask(game: str, kind: str, position: Json, *prompts: Json) -> Json:
    return {"game": game, "kind": kind, "level": 1, "number": 1, "position": position, "prompts": list(prompts)}


def problem(question: Json, origin: Json) -> Json:
    """A whole problem as the solver would make it, with the least argument that can be checked."""
    solution = solve(question)
    argument: Json = {"sums": [], "trace": None}
    if solution.options is not None:
        argument = {"options": []}
        for option in solution.options:
            rules = solution.forbidden(option)
            reason = {"key": "k", "rule": min(rules or solution.granted), "facts": {}}
            argument["options"].append({"option": option, "right": not rules, "reason": reason})
    return {
        "question": question,
        "answers": list(solution.answers),
        "argument": argument,
        "readings": sorted(solution.readings),
        "origin": origin,
    }


# Ascending row overflow.

STATED = {"key": "stated_row", "facts": {"row": 2}}


def test_the_reveal_of_the_source() -> None:
    """RO-5 to RO-7: the 18 goes behind the 15 that came before it."""
    [answer] = solve(ask("rowoverflow", "b", {"rows": [[3], [8], [14], [20]], "cards": [18, 7, 15]})).answers
    assert [(step["card"], step["row"], step["outcome"]) for step in answer["steps"]] == [
        (7, 1, "append"),
        (15, 3, "append"),
        (18, 3, "append"),
    ]
    assert answer["points"] == [0, 0, 0]
    assert answer["steps"][-1]["ends"] == [7, 8, 18, 20]


def test_the_overflow_of_the_source() -> None:
    """RO-9: with 14 and 15 as third and fourth the 18 collects the four."""
    rows = [[3], [8], [5, 9, 14], [20]]
    question = ask("rowoverflow", "c", {"rows": rows, "cards": [18, 7, 15], "points": [1, 2, 3]})
    assert solve(question).answers == [{"points": [5, 2, 3]}]


def test_a_card_below_all_ends() -> None:
    """RO-8."""
    rows = [[3], [8, 9], [14], [20]]
    assert [answer["points"] for answer in solve(ask("rowoverflow", "a", {"rows": rows, "card": 2})).answers] == [
        1,
        2,
        1,
        1,
    ]
    stated = ask("rowoverflow", "c", {"rows": rows, "cards": [18, 2, 15], "points": [0, 0, 0]}, STATED)
    assert solve(stated).answers == [{"points": [0, 2, 0]}]
    with pytest.raises(ValueError, match="RO-8"):
        solve({**stated, "prompts": []})


def test_a_row_is_wrong_by_every_rule_it_breaks() -> None:
    """RO-6, RO-10."""
    question = ask("rowoverflow", "a", {"rows": [[1], [2, 4, 6, 8], [3, 5], [20]], "card": 9})
    solution = solve(question)
    assert solution.answers == [{"row": 2, "outcome": "overflow", "points": 4}]
    assert [solution.forbidden({"row": row}) for row in (1, 2, 3)] == [{"RO-6", "RO-10"}, set(), {"RO-6", "RO-10"}]


def test_the_card_that_collects_nothing() -> None:
    """The 16 arrives after the 15 has filled the row; the 21 finds room behind the 20."""
    here = {"rows": [[3], [8], [9, 10, 14], [20]], "seat": 0, "hand": [16, 21, 2], "others": [[1, 15], [2, 24]]}
    solution = solve(ask("rowoverflow", "d", here, STATED))
    assert solution.answers == [{"card": 21}]
    assert [solution.forbidden({"card": card}) for card in (16, 2)] == [{"RO-9"}, {"RO-8"}]


@pytest.mark.parametrize("letter", "abcd")
@pytest.mark.parametrize("level", [1, 3, 5])
def test_problems_of_the_generator_agree(letter: str, level: int) -> None:
    assert make(order("rowoverflow", letter, level=level, count=15, seed=11), report=pytest.fail)


# CascadeBeta.


def grid(*rows: str) -> Json:
    return [[None if cell == ".." else cell for cell in row.split()] for row in rows]


def cells(solution: Any) -> set[tuple[int, int]]:
    return {(answer["row"], answer["column"]) for answer in solution.answers}


def test_a_card_from_the_discard_pile_covers_no_equal() -> None:
    """CB-8, CB-9: in the row 3 _ 3 9 a 3 fits the gap; it covers a 3 when it comes from the draw pile."""
    lies = grid("3h .. 3s 9c", ".. .. .. ..", ".. .. .. ..", ".. .. .. ..")
    drawn = cells(solve(ask("cascadebeta", "a", {"grid": lies, "card": "3d", "source": "draw"})))
    taken = solve(ask("cascadebeta", "a", {"grid": lies, "card": "3d", "source": "discard"}))
    assert drawn == {(1, column) for column in (1, 2, 3, 4)} | {(r, c) for r in (2, 3, 4) for c in (1, 2, 3)}
    assert cells(taken) == drawn - {(1, 1), (1, 3)}
    assert taken.forbidden({"row": 1, "column": 1}) == {"CB-9"}
    assert taken.forbidden({"row": 2, "column": 4}) == {"CB-8"}


def test_the_cells_that_give_another_turn() -> None:
    """CB-10, CB-R4: the filled grid is a win, not another turn."""
    lies = grid("3h .. .. ..", ".. 5s .. ..", ".. .. 8d ..", ".. .. .. Kc")
    question = ask("cascadebeta", "b", {"grid": lies, "card": "5d", "source": "draw"})
    assert cells(solve(question)) == {(1, 1), (1, 3), (3, 1), (3, 3)}
    assert solve(question).forbidden({"row": 1, "column": 2}) == {"CB-10"}
    assert solve(question).forbidden({"row": 4, "column": 4}) == {"CB-8", "CB-10"} - {"CB-8"}
    last = grid("As 2s 3s 4s", "2h 3h 4h 5h", "3d 4d 7d 7h", "4c 5c 7s ..")
    full = solve(ask("cascadebeta", "b", {"grid": last, "card": "7c", "source": "draw"}))
    assert full.forbidden({"row": 4, "column": 4}) == {"CB-12", "CB-R4"}
    assert (4, 4) not in cells(full)


def test_where_the_order_is_broken() -> None:
    """CB-8, empty cells skipped."""
    lies = grid("2s .. Ah ..", ".. 5s .. ..", ".. .. 8d ..", ".. 4c .. Kc")
    solution = solve(ask("cascadebeta", "c", {"grid": lies}))
    assert solution.answers == [{"cells": [[1, 1], [1, 3]]}, {"cells": [[2, 2], [4, 2]]}]
    assert [solution.forbidden(line) for line in ({"row": 1}, {"column": 1}, {"column": 2})] == [set(), {"CB-8"}, set()]


CHAIN = {
    "grid": grid(".. 2s 3s 4s", "2h 2c 4h 5h", "3d 4d 5d 6d", "4c 5c 6c .."),
    "discard": ["Ks", "2d"],
    "takes": 2,
}


def test_the_chain_that_fills_the_grid() -> None:
    """CB-10, CB-12: the 2 first, beside the 2 in the second row; the king ends the turn when he comes first."""
    solution = solve(ask("cascadebeta", "d", CHAIN))
    assert solution.answers == [{"moves": ["take 2d", "place 1 1", "take Ks", "place 4 4"]}]
    assert solution.refuted is not None
    assert solution.refuted(["take Ks", "place 4 4", "take 2d", "place 1 1"]) == {"CB-10"}
    assert solution.refuted(["take 2d", "place 4 4"]) == {"CB-8"}
    assert solution.refuted(["take 3h", "place 1 1"]) == {"CB-6"}
    two = solve(ask("cascadebeta", "d", {**CHAIN, "discard": ["Ks", "2d", "Qs", "Kh"]}))
    assert len(two.answers) == 2, "the two kings are one line, the queen is another"
    assert solve(ask("cascadebeta", "d", {**CHAIN, "takes": 1})).answers == []


def test_a_covered_card_may_be_taken_in_the_same_turn() -> None:
    """CB-4, CB-7: the 5 covers the 6 above the last cell, beside another 5, and the 6 fits that cell."""
    lies = grid("2h 2s 3s 4s", "2d 2c 4h 5h", "3d 4d 5d 6d", "4c 4s 5c ..")
    chain = solve(ask("cascadebeta", "d", {"grid": lies, "discard": ["5s"], "takes": 2}))
    assert chain.answers == [{"moves": ["take 5s", "place 3 4", "take 6d", "place 4 4"]}]


# Cascata.


def pyramid(*rows: str) -> Json:
    """`--` is gone, `??` face down."""

    def lies(text: str) -> Json:
        return None if text == "--" else {"card": None if text == "??" else text, "up": text != "??"}

    return [[lies(text) for text in row.split()] for row in rows]


def test_free_cards() -> None:
    """CA-6, CA-R1."""
    start = pyramid("As", "2s 3s", "4s 5s 6s")
    assert solve(ask("cascata", "a", {"pyramid": start})).answers == [{"row": 1, "position": 1}]
    later = solve(ask("cascata", "a", {"pyramid": pyramid("--", "-- 3s", "4s 5s 6s")}))
    assert later.answers == [{"row": 2, "position": 2}, {"row": 3, "position": 1}]
    assert later.forbidden({"row": 3, "position": 3}) == {"CA-6", "CA-R1"}


def test_what_turns_up() -> None:
    """CA-18, CA-R7: the middle card needs both above it gone."""
    here = {"pyramid": pyramid("As", "2s 3s", "?? ?? ??"), "hidden_rows": [3], "takes": [[1, 1], [2, 1]]}
    solution = solve(ask("cascata", "b", here))
    assert solution.answers == [{"row": 3, "position": 1}]
    assert "CA-18" in solution.forbidden({"row": 3, "position": 2})
    both = solve(ask("cascata", "b", {**here, "takes": [[1, 1], [2, 1], [3, 1], [2, 2]]}))
    assert [answer["position"] for answer in both.answers] == [1, 2, 3]
    with pytest.raises(ValueError, match="CA-6"):
        solve(ask("cascata", "b", {**here, "takes": [[2, 1]]}))


def meld(cards: str, times: int = 1) -> Json:
    return {"cards": cards.split(), "times": times}


def test_the_scores_of_the_source() -> None:
    """CA-14, CA-15, CA-17: 16, 48, 100; a tie goes to fewer cards in hand."""
    melds = [[meld("8s 8h")], [meld("8d 8c X1"), meld("5s 5h 5d")], [meld("As Ah Ad Ac")]]
    here = {"melds": melds, "hands": [["Kh"], [], ["2s", "X2"]], "multiplier": False}
    assert solve(ask("cascata", "c", here)).answers == [
        {"melds": [16, 62, 100], "penalties": [13, 0, 2], "scores": [3, 62, 98], "winners": [2]}
    ]
    level = {"melds": [[meld("8s 8h")], [meld("9s 9h")]], "hands": [["X1"], ["2s"]], "multiplier": False}
    assert solve(ask("cascata", "c", level)).answers[0]["winners"] == [0, 1]
    assert solve(ask("cascata", "c", level)).readings == {"CA-R6"}
    times = {"melds": [[meld("8s 8h 8d 8c", 3)], [meld("9s 9h", 6)]], "hands": [[], []], "multiplier": True}
    assert solve(ask("cascata", "c", times)).answers[0]["melds"] == [300, 108]
    assert solve(ask("cascata", "c", times)).readings == {"CA-R8"}


def test_what_can_be_stolen() -> None:
    """CA-12, CA-13, CA-R2: exactly four in the end, a meld of four is safe."""
    melds = [[meld("8s 8h"), meld("9s 9h 9d")], [], [meld("2s 2h 2d 2c"), meld("3s 3h")]]
    here = {"seat": 1, "hand": ["8d", "8c", "X1", "3d"], "melds": melds}
    solution = solve(ask("cascata", "d", here))
    assert {(a["seat"], a["meld"], " ".join(a["cards"])) for a in solution.answers} == {
        (0, 1, "8d 8c"),
        (0, 1, "8d X1"),
        (0, 1, "8c X1"),
        (0, 2, "X1"),
        (2, 2, "3d X1"),
    }
    assert solution.forbidden({"seat": 2, "meld": 1}) == {"CA-12", "CA-13"}
    assert solution.forbidden({"seat": 0, "meld": 1, "cards": ["8d", "8c", "X1"]}) == {"CA-12", "CA-13"}
    assert solution.forbidden({"seat": 0, "meld": 1, "cards": ["8d"]}) == {"CA-12"}
    assert solution.readings == {"CA-R2"}
    none = solve(ask("cascata", "d", {**here, "hand": ["8d", "3d"]}))
    assert (none.answers, none.forbidden({"seat": 2, "meld": 2})) == ([], {"CA-12"})


def test_the_best_meld_action() -> None:
    """CA-17: stealing gains 132, the own pair only 32; two 8s of one hand are alike."""
    here = {"seat": 0, "hands": [["8d", "8c", "Kh"], []], "melds": [[], [meld("8s 8h")]], "times": 1}
    solution = solve(ask("cascata", "e", here))
    assert solution.answers == [{"move": "steal 1 1 8d 8c", "gain": 132}]  # from -29 - 16 to 87 - 0
    assert solution.forbidden({"move": "pass"}) == {"CA-14", "CA-15", "CA-17"}
    assert solution.forbidden({"move": "meld Kh 8c"}) == {"CA-10"}
    own = {"seat": 0, "hands": [["8s", "8h"], []], "melds": [[meld("8d 8c X1")], []], "times": 1}
    alike = solve(ask("cascata", "e", own))
    assert [answer["move"] for answer in alike.answers] == ["extend 1 8s", "extend 1 8h"]
    assert len({alike.same(answer) for answer in alike.answers}) == 1


def last(**changes: Any) -> Json:
    """Seat 0 holds two 8s; an 8 and a king are left, and seat 1 holds a king."""
    return {
        "game": "cascata",
        "players": 2,
        "to_move": 0,
        "phase": "draft",
        "pyramid": pyramid("--", "8d Kh"),
        "reserve": [],
        "hands": [["8s", "8h"], ["Ks"]],
        "melds": [[], []],
        "options": {"hidden_rows": [], "multiplier": False, "lock": None},
        "locked": False,
        "drawn_marker": False,
        **changes,
    }


def test_the_last_turns() -> None:
    """48 - 26 = 22 for the three 8s; but the king taken away: 16 - 13 against -13 - 8, which is 24."""
    solution = solve(ask("cascata", "f", {"position": last()}))
    assert solution.answers == [{"moves": ["take 2 2", "meld 8s 8h"], "margin": 24}]
    assert solution.refuted is not None
    assert "CA-17" in solution.refuted(["take 2 1", "meld 8s 8h 8d"])
    assert solution.refuted(["take 2 2", "meld 8s 8h"]) == set()
    with pytest.raises(ValueError, match="reserve"):
        solve(ask("cascata", "f", {"position": last(reserve=["2s"])}))


def outcome(position: Json) -> tuple[int, int]:
    """Both margins when both play best, by the reference's own moves and nothing saved."""
    result = cascata.cascata.result(position)
    if result is not None:
        first, second = result["scores"]
        return first - second, second - first
    moves = cascata.cascata.legal(position)
    return max(
        (outcome(cascata.cascata.play(position, move)) for move in moves), key=lambda two: two[position["to_move"]]
    )


def test_the_last_turns_against_every_line() -> None:
    """With a joker to swap, and melds to extend and steal."""
    position = last(hands=[["8s", "X1"], ["Ks", "9d"]], melds=[[meld("9s 9h")], [meld("Kd Kc X2")]])
    plays = {
        (draft, action): outcome(cascata.cascata.play(drafted, action))[0]
        for draft in cascata.cascata.legal(position)
        for drafted in [cascata.cascata.play(position, draft)]
        for action in cascata.cascata.legal(drafted)
    }
    assert {tuple(a["moves"]) for a in solve(ask("cascata", "f", {"position": position})).answers} == {
        turn for turn, margin in plays.items() if margin == max(plays.values())
    }


# Gridcannon.

SOURCE = [[["9h"], ["7h"], ["3s"]], [["4c"], ["Td"], ["6s"]], [["2d"], ["5h"], ["8c"]]]


def living(**royals: str) -> Json:
    """`Qs+2c` wears a 2; `(Kh)` is dead."""
    made = {}
    for place, text in royals.items():
        card, *worn = text.strip("()").split("+")
        made[place] = {"card": card, "armour": worn, "dead": text.startswith("(")}
    return made


ROYALS = living(L1="Kh", R2="Qs")


def test_where_the_royals_of_the_source_go() -> None:
    """GC-6, GC-7, GC-R2."""

    def places(**here: Any) -> list[str]:
        return [answer["place"] for answer in solve(ask("gridcannon", "a", {"grid": SOURCE, **here})).answers]

    assert sorted(places(royals={}, royal="Kh")) == ["L1", "T1"]
    assert places(royals={}, royal="Qs") == ["R2"]
    assert sorted(places(royals=living(R2="(Ks)"), royal="Qs")) == ["R1", "T3"]
    solution = solve(ask("gridcannon", "a", {"grid": SOURCE, "royals": living(R2="(Ks)"), "royal": "Qs"}))
    assert solution.forbidden({"place": "R2"}) == {"GC-6", "GC-7"}
    assert solution.forbidden({"place": "L1"}) == {"GC-6", "GC-R2"}


def test_where_the_5c_of_the_source_goes_and_kills() -> None:
    """GC-9, GC-10, GC-11: only on the 3s does it kill, the King of hearts."""
    where = solve(ask("gridcannon", "b", {"grid": SOURCE, "card": "5c"}))
    assert cells(where) == {(2, 1), (1, 3), (3, 1), (3, 2)}
    assert where.forbidden({"row": 1, "column": 1}) == {"GC-9"}
    kills = solve(ask("gridcannon", "c", {"grid": SOURCE, "royals": ROYALS, "card": "5c"}))
    assert kills.answers == [{"row": 1, "column": 3, "kills": ["L1"]}]
    assert kills.forbidden({"row": 2, "column": 1}) == {"GC-11"}
    assert kills.forbidden({"row": 2, "column": 2}) == {"GC-9", "GC-10", "GC-12"}


def test_the_attack_of_the_source() -> None:
    """GC-11: of Td and 6s only the 6 counts for the Queen of spades; an empty place counts nothing (GC-R5)."""
    here = {"grid": SOURCE, "royals": ROYALS, "card": "5c", "row": 2, "column": 1}
    [answer] = solve(ask("gridcannon", "f", here)).answers
    attack = {"place": "R2", "cards": ["Td", "6s"], "counts": [0, 6], "total": 6, "health": 12, "dead": False}
    assert answer == {"attacks": [attack]}
    worn = solve(ask("gridcannon", "f", {**here, "royals": living(R2="Js+3c")})).answers[0]["attacks"][0]
    assert (worn["total"], worn["health"], worn["dead"]) == (16, 14, True)
    emptied = [SOURCE[0], [["4c"], [], ["6s"]], SOURCE[2]]
    assert solve(ask("gridcannon", "f", {**here, "grid": emptied})).answers[0]["attacks"][0]["cards"] == ["--", "6s"]
    with pytest.raises(ValueError, match="GC-9"):
        solve(ask("gridcannon", "f", {**here, "row": 1, "column": 1}))


def test_who_takes_the_armour() -> None:
    """GC-16, GC-R7: the lowest by rank, whatever it wears; a dead royal never."""
    lies = [SOURCE[0], SOURCE[1], [["3d"], ["5h"], ["8c"]]]
    here = {"grid": lies, "royals": living(L1="Kh", R2="Qs", T1="Js", B1="(Jc)"), "card": "2s"}
    solution = solve(ask("gridcannon", "e", here))
    assert (solution.answers, solution.readings) == ([{"place": "T1"}], set())
    assert solution.forbidden({"place": "B1"}) == {"GC-16"}
    worn = solve(ask("gridcannon", "e", {**here, "royals": living(R2="Qs", T1="Js+4s")}))
    assert (worn.answers, worn.readings) == ([{"place": "T1"}], {"GC-R7"})
    with pytest.raises(ValueError, match="GC-16"):
        solve(ask("gridcannon", "e", {**here, "card": "4s"}))


def test_the_line_that_kills() -> None:
    """One card, one line; and an Ace that opens the corner for a card too low for it."""
    here = {"grid": SOURCE, "royals": ROYALS, "ploys": [], "cards": ["5c"], "target": "L1"}
    solution = solve(ask("gridcannon", "d", here))
    assert solution.answers == [{"moves": ["place 1 3"]}]
    assert solution.refuted is not None
    assert solution.refuted(["place 1 3"]) == set()
    assert solution.refuted(["place 1 1"]) == {"GC-9"}
    assert "GC-11" in solution.refuted(["place 2 1"])
    ace = solve(ask("gridcannon", "d", {**here, "cards": ["2s"], "ploys": ["Ah", "Ad"]}))
    assert {"moves": ["extract Ah 1 3", "place 1 3"]} in ace.answers
    assert ace.same({"moves": ["extract Ad 1 3", "place 1 3"]}) == ace.same({"moves": ["extract Ah 1 3", "place 1 3"]})
    joker = solve(ask("gridcannon", "d", {**here, "cards": [], "ploys": ["X2"]}))
    assert {tuple(answer["moves"]) for answer in joker.answers} == {
        (f"reassign X2 {row} {column} 1 3",) for row, column in [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
    }


# Whole problems: those that are right, from records, and every way to make them wrong.


@cache
def record(game: str) -> tuple[Json, list[Json]]:
    """The beginning of a record that begins with a deal, and its positions."""
    for _, each in read(VECTORS / f"{game}.jsonl.gz"):
        origin = {"game": game, "start": each["start"], "moves": each["moves"][:40]}
        if len(origin["moves"]) == 40 and begins(solver(game), origin["start"]):
            return origin, positions_of(origin["start"], origin["moves"])
    raise AssertionError


@cache
def from_records() -> list[Json]:
    """A right problem of each kind with options of the three games, from a position of a recorded game."""
    origin, positions = record("cascadebeta")
    lies = positions[-1]["grids"][0]
    on_it = {card for row in lies for card in row}
    card = next(card for card in engine("cascadebeta").DECK if card not in on_it)
    made = [problem(ask("cascadebeta", kind, {"grid": lies, "card": card, "source": "draw"}), origin) for kind in "ab"]
    origin, positions = record("cascata")
    here = next(p for p in reversed(positions) if p["phase"] == "meld" and any(p["melds"]))
    seat, times = here["to_move"], cascata.cascata.times(here)
    made.append(problem(ask("cascata", "a", {"pyramid": cascata.seen(here["pyramid"])}), origin))
    table = {"melds": here["melds"], "hands": here["hands"], "multiplier": here["options"]["multiplier"]}
    made.append(problem(ask("cascata", "c", table), origin))
    asked = {"seat": seat, "hand": here["hands"][seat], "melds": here["melds"]}
    made.append(problem(ask("cascata", "d", asked), origin))
    asked = {"seat": seat, "hands": here["hands"], "melds": here["melds"], "times": times}
    made.append(problem(ask("cascata", "e", asked), origin))
    origin, positions = record("gridcannon")
    here = next(p for p in reversed(positions) if p["phase"] == "put")
    made.append(problem(ask("gridcannon", "b", {"grid": here["grid"], "card": here["turned"]}), origin))
    return made


def test_right_problems_have_no_faults() -> None:
    for each in from_records():
        found = [fault for fault in faults(each) if not fault.startswith("there are")]  # (e) may have several best
        assert found == [], each["question"]


def bend_answer(bent: Json) -> None:
    bent["answers"] = bent["answers"][1:] or [{}]


def bend_answers_doubled(bent: Json) -> None:
    bent["answers"] *= 2


def bend_mark(bent: Json) -> None:
    bent["argument"]["options"][0]["right"] ^= True


def bend_rule(bent: Json) -> None:
    next(option for option in bent["argument"]["options"] if not option["right"])["reason"]["rule"] = bent["other"]


def bend_unknown_rule(bent: Json) -> None:
    bent["argument"]["options"][0]["reason"]["rule"] = "XX-99"


def bend_missing(bent: Json) -> None:
    bent["argument"]["options"].pop()


def bend_doubled(bent: Json) -> None:
    bent["argument"]["options"].append(bent["argument"]["options"][0])


def bend_strange(bent: Json) -> None:
    bent["argument"]["options"].append({**bent["argument"]["options"][0], "option": {"square": 5}})


def bend_origin_illegal(bent: Json) -> None:
    bent["origin"]["moves"].append("nonsense")


def bend_origin_elsewhere(bent: Json) -> None:
    bent["origin"]["moves"] = []


def bend_origin_of_another_game(bent: Json) -> None:
    bent["origin"]["game"] = "chess"


def bend_origin_begun_late(bent: Json) -> None:
    positions = positions_of(bent["origin"]["start"], bent["origin"]["moves"])
    bent["origin"] = {**bent["origin"], "start": positions[-1], "moves": []}


def bend_shape(bent: Json) -> None:
    del bent["argument"]


EVERY_BEND = [value for name, value in sorted(globals().items()) if name.startswith("bend_")]
OTHER_RULE = {"rowoverflow": "RO-13", "cascadebeta": "CB-2", "cascata": "CA-2", "gridcannon": "GC-21"}


def bent(right: Json, bend: Callable[[Json], None]) -> Json:
    wrong = copy.deepcopy(right) | {"other": OTHER_RULE[right["question"]["game"]]}
    bend(wrong)
    return wrong


@cache
def known_faults(text: str) -> list[str]:
    return faults(json.loads(text))


@cache
def generated(letter: str, count: int) -> list[Json]:
    return [each.to_json() for each in make(order("rowoverflow", letter, level=4, count=count))]


@pytest.mark.parametrize("bend", EVERY_BEND, ids=lambda bend: bend.__name__[5:])
def test_what_is_made_wrong_is_noticed(bend: Callable[[Json], None]) -> None:
    for right in [*generated("a", 2), *from_records()]:
        if "options" in right["argument"] and right["answers"]:
            assert len(faults(bent(right, bend))) > len(known_faults(json.dumps(right))), right["question"]


@pytest.mark.parametrize(
    ("letter", "path", "value"),
    [
        ("b", ["answers", 0, "points", 0], 9),
        ("b", ["answers", 0, "steps", 1, "row"], 0),
        ("b", ["argument", "steps", 0, "facts", "points"], 3),
        ("b", ["argument", "steps", 0, "reason", "rule"], "RO-10"),
        ("b", ["argument", "steps", 0, "refuted", 0, "rule"], "RO-9"),
        ("b", ["argument", "steps", 0, "refuted"], []),
        ("c", ["answers", 0, "points", 0], 9),
        ("c", ["argument", "sums", 1, "total", "facts", "total"], 17),
        ("c", ["argument", "sums", 1, "total", "facts", "before"], 17),
        ("c", ["argument", "sums", 1, "terms"], [{"rule": "RO-9", "facts": {"points": 1}}]),
        ("c", ["question", "position", "points", 0], 9),
        ("d", ["answers", 0, "card"], 25),
        ("d", ["argument", "options", 0, "trace", "steps", 0, "facts", "row"], 7),
        ("d", ["question", "position", "hand", 0], 24),
        ("d", ["question", "position", "rows", 0], [23, 24]),
    ],
)
def test_a_wrong_number_is_noticed(letter: str, path: list[Any], value: Any) -> None:
    for each in generated(letter, 4):
        assert faults(changed(each, path, value))


def test_a_line_is_held_against_its_answer() -> None:
    """A near miss that is an answer, one that fails by another rule, a line told that is no answer."""

    def option(*moves: str, rule: str) -> Json:
        return {"option": {"moves": list(moves)}, "right": False, "reason": {"key": "k", "rule": rule, "facts": {}}}

    wrong_first = option("take Ks", "place 4 4", rule="CB-10")
    step = {"facts": {"moves": ["take 2d", "place 1 1"]}}
    argument = {"trace": {"steps": [step]}, "near": [wrong_first], "searched": {"rule": "CB-12"}}
    origin, _ = record("cascadebeta")
    right = problem(ask("cascadebeta", "d", CHAIN), origin) | {"argument": argument}
    away = ["the origin does not lead to what the question shows"]
    assert faults(right) == away
    an_answer = option("take 2d", "place 1 1", "take Ks", "place 4 4", rule="CB-10")
    other_rule = option("take Ks", "place 4 4", rule="CB-9")
    told = {"steps": [{"facts": {"moves": ["take Ks", "place 4 4"]}}]}
    for bent in ({"near": [an_answer]}, {"near": [other_rule]}, {"trace": told}):
        assert len(faults({**right, "argument": {**argument, **bent}})) == len(away) + 1
    for moves in (["take 2d", "place 1 1"], ["take 2h", "place 1 1", "take Ks", "place 4 4"]):
        assert len(faults({**right, "answers": [{"moves": moves}]})) > len(away)


def test_what_does_not_add_up_is_noticed() -> None:
    """The sums of a table, the gain of an action, the margin of a turn, what counts in an attack."""
    origin, _ = record("cascata")
    table = {"melds": [[meld("8s 8h")], []], "hands": [["Kh"], ["2s"]], "multiplier": False}
    right = problem(ask("cascata", "c", table), origin)
    terms = [{"rule": "CA-14", "facts": {"points": 16}}, {"rule": "CA-15", "facts": {"penalty": 13}}]
    total = {"rule": "CA-17", "facts": {"seat": 0, "melds": 16, "penalty": 13, "total": 3}}
    right["argument"]["sums"] = [{"terms": terms, "total": total}]
    action = {"seat": 0, "hands": [["8d", "8c", "Kh"], []], "melds": [[], [meld("8s 8h")]], "times": 1}
    best = problem(ask("cascata", "e", action), origin)
    for option in best["argument"]["options"]:
        option["option"] |= {"gain": 132} if option["right"] else {}
    turns = problem(ask("cascata", "f", {"position": last()}), origin)
    told = [{"facts": {"moves": ["take 2 2", "meld 8s 8h"]}}, {"facts": {"moves": ["take 2 1", "pass"]}}]
    miss = {"moves": ["take 2 1", "meld 8s 8h 8d"], "margin": 22}
    near = [{"option": miss, "right": False, "reason": {"rule": "CA-17", "facts": {}}}]
    turns["argument"] = {"trace": {"steps": told}, "near": near, "searched": {"rule": "CA-16"}}
    lines = {"grid": SOURCE, "royals": ROYALS, "card": "5c", "row": 2, "column": 1}
    fired = problem(ask("gridcannon", "f", lines), record("gridcannon")[0])
    fired["argument"]["sums"] = [{"terms": [], "total": {"rule": "GC-11", "facts": {"counts": [0, 6], "total": 6}}}]
    places: list[tuple[Json, list[Any], Any]] = [
        (right, ["sums", 0, "terms", 0, "facts", "points"], 17),
        (right, ["sums", 0, "total", "facts", "total"], 2),
        (best, ["options", 0, "option", "gain"], 131),
        (best, ["options", 1, "option", "gain"], 131),
        (turns, ["near", 0, "option", "margin"], 21),
        (turns, ["trace", "steps", 1, "facts", "moves"], ["take 2 1"]),
        (turns, ["trace", "steps", 1, "facts", "moves"], ["take 2 2", "pass"]),
        (fired, ["sums", 0, "total", "facts", "counts"], [0, 7]),
    ]
    for whole, path, value in places:
        assert faults(whole) == ["the origin does not lead to what the question shows"]
        assert len(faults({**whole, "argument": changed(whole["argument"], path, value)})) > 1, path


def changed(whole: Json, path: list[Any], value: Any) -> Json:
    """A copy in which something else stands at a place."""
    wrong = copy.deepcopy(whole)
    *steps, final = path
    part = wrong
    for step in steps:
        part = part[step]
    part[final] = value
    return wrong


def test_a_reading_that_decides_is_named() -> None:
    origin, _ = record("cascata")
    here = {"melds": [[meld("8s 8h")], [meld("9s 9h")]], "hands": [["X1"], ["2s"]], "multiplier": False}
    right = problem(ask("cascata", "c", here), origin)
    assert right["readings"] == ["CA-R6"]
    assert "the answers depend on CA-R6, which is not named" in faults({**right, "readings": []})
    assert "there is no reading CA-R99" in faults({**right, "readings": ["CA-R6", "CA-R99"]})


def test_a_question_that_cannot_be_is_told() -> None:
    origin, _ = record("gridcannon")
    right = problem(ask("gridcannon", "b", {"grid": SOURCE, "card": "5c"}), origin)
    twice = {**right, "question": ask("gridcannon", "b", {"grid": SOURCE, "card": "4c"})}
    assert "4c lies twice" in faults(twice)
    fits = {"grid": SOURCE, "royals": ROYALS, "card": "Tc"}
    assert faults({**right, "question": ask("gridcannon", "e", fits)})[0].startswith("the question cannot be solved")
    assert faults({**right, "question": ask("chess", "a", {})})[0].startswith("the question cannot be solved")


# The command, and the one place where the engines meet.


def test_the_command_says_each_fault_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = [each.to_json() for each in make(order("rowoverflow", "a", count=2))]
    wrong = {**right[0], "answers": []}
    plain, zipped = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    zipped.write_bytes(gzip.compress("\n".join(map(json.dumps, right)).encode()))
    plain.write_text(f"{json.dumps(right[0])}\n{json.dumps(wrong)}\n", "utf-8")
    assert command.main([str(zipped)]) == 0
    assert capsys.readouterr().out == f"{zipped}: 2 problems, 0 faults\n"
    assert command.main([str(plain), str(zipped)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(f"{plain}:2: ") and out[0].endswith(" is a right answer too")
    assert out[-1] == f"{zipped}: 2 problems, 0 faults"
    plain.write_text("{", "utf-8")
    assert command.main([str(plain)]) == 1
    assert command.main([str(tmp_path / "none")]) == 1
    assert command.main([]) == 2


def test_a_problem_in_dispute_is_dropped_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = order("rowoverflow", "a", count=3)
    undisputed = make(wanted)
    real = proof.faults
    disputed = undisputed[1].fingerprint
    monkeypatch.setattr(proof, "faults", lambda each: ["it is so"] if each.fingerprint == disputed else real(each))
    told: list[str] = []
    assert disputed not in {each.fingerprint for each in make(wanted, told.append)}
    assert told == [f"rowoverflow kind a, {disputed!r}: it is so"]
    with pytest.raises(Fault, match="disagree") as refused:
        make(wanted)
    assert refused.value.code == BUG
