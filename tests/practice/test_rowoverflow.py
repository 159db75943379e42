"""Every problem solved again by brute force from its question, written from the rules and not from the generator."""

import json
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.games import rowoverflow as game
from kit.games.core import Stream
from kit.games.record import replay
from kit.practice import make, order
from kit.practice import rowoverflow as maker
from kit.practice.core import LEVELS, Options, Trace, Working

STATUS = {rule.id: rule.status for rule in game.RULES}


# The rules once more, in the plainest words of Python. Rows are lists, numbered from 1 where they are named.


def right_rows(rows, card):
    """RO-6, RO-8: the numbers of the rows where the card may go, and whether its player chooses."""
    right = []
    for number, row in enumerate(rows, 1):
        ends_below = row[-1] < card
        a_better_one = any(row[-1] < other[-1] < card for other in rows)
        if ends_below and not a_better_one:
            right.append(number)
    return (right, False) if right else ([1, 2, 3, 4], True)


def put(rows, card, number):
    """RO-6, RO-8, RO-9: what is collected when the card goes to that row; the rows change."""
    row = rows[number - 1]
    if row[-1] < card and len(row) < 4:
        row.append(card)
        return []
    rows[number - 1] = [card]
    return row


def resolve(rows, cards_by_seat, stated):
    """RO-5, RO-7: every card in turn: card, seat, row, collected cards, the rows before it came, the rows after."""
    rows = [list(row) for row in rows]
    told = []
    for card, seat in sorted((card, seat) for seat, card in cards_by_seat.items()):
        numbers, free = right_rows(rows, card)
        if free:
            assert stated is not None, "a choice that nobody states"
            numbers = [stated]
        assert len(numbers) == 1
        before = [list(row) for row in rows]
        told.append((card, seat, numbers[0], put(rows, card, numbers[0]), before, [list(row) for row in rows]))
    return told


# A reason is true when what it says can be seen in the rows: `now` before the card arrives, `start` before the reveal.


def reason_is_true(reason, now, start, stated):
    facts = reason.facts
    card, number = facts["card"], facts["row"]
    row = now[number - 1]
    assert facts.get("end", row[-1]) == row[-1]
    assert facts.get("length", len(row)) == len(row)
    assert facts.get("cards", tuple(row)) == tuple(row)
    assert facts.get("points", len(row)) == len(row)
    assert facts.get("lowest_end", min(r[-1] for r in now)) == min(r[-1] for r in now)
    right, free = right_rows(now, card)
    below = row[-1] < card
    better = next((r for r in now if r is not row and row[-1] < r[-1] < card), None)
    greatest = max((r[-1] for r in now if r[-1] < card), default=0)
    match reason.key:
        case "append":
            return right == [number] and not free and len(row) < 4
        case "overflow":
            return right == [number] and not free and len(row) == 4
        case "free_choice":
            return free and stated is None
        case "stated_row":
            return free and stated == number
        case "other_row_stated":
            return free and stated == facts["stated_row"] != number
        case "end_not_below":
            return not free and not below
        case "lower_but_not_greatest":
            named = now[facts["better_row"] - 1]
            return below and better is not None and named[-1] == facts["better_end"] == greatest
        case "no_dodging":
            full = now[facts["full_row"] - 1]
            return below and len(row) < 4 == len(full) and full[-1] == facts["full_end"] == greatest > row[-1]
        case "moved":
            was, was_free = right_rows(start, card)
            old = start[facts["old_row"] - 1]
            return not was_free and was == [facts["old_row"]] != right == [number] and old[-1] == facts["old_end"]
        case "had_none":
            return right_rows(start, card)[1] and not free and right == [number]
        case "filled":
            return right == [number] and len(start[number - 1]) == facts["old_length"] < len(row) == 4
        case "emptied":
            return right == [number] and len(start[number - 1]) == facts["old_length"] == 4 > len(row)
        case "new_end":
            return right == [number] and start[number - 1][-1] == facts["old_end"] != row[-1]
    raise AssertionError(f"nobody knows how to check {reason.key}")


def every_reason(argument):
    match argument:
        case Options():
            for option in argument.options:
                yield from (option.reason, *option.notes, *(every_reason(option.trace) if option.trace else ()))
        case Trace():
            yield argument.order
            for step in argument.steps:
                yield from (step.reason, *step.notes, *step.refuted)
        case Working():
            yield from every_reason(argument.trace)
            for one in argument.sums:
                yield from (*one.terms, one.total)


def check_trace(trace, rows, cards_by_seat, stated):
    told = resolve(rows, cards_by_seat, stated)
    assert trace.order.facts["cards"] == tuple(sorted(cards_by_seat.values()))
    assert len(trace.steps) == len(told)
    for step, (card, seat, number, collected, before, after) in zip(trace.steps, told, strict=True):
        outcome = "append" if not collected else "no_lower_end" if right_rows(before, card)[1] else "overflow"
        assert step.facts == {
            "card": card,
            "seat": seat,
            "row": number,
            "outcome": outcome,
            "points": len(collected),
            "ends": tuple(row[-1] for row in after),
        }
        assert step.reason.facts["row"] == number
        assert sorted(reason.facts["row"] for reason in step.refuted) == [n for n in (1, 2, 3, 4) if n != number]
        for reason in (step.reason, *step.notes, *step.refuted):
            assert reason.facts["card"] == card
            assert reason_is_true(reason, before, rows, stated), reason
        if before[number - 1] != rows[number - 1] and not right_rows(before, card)[1]:
            assert step.notes, "an earlier card changed the row, and nothing says so"
    return told


def stated_row(question):
    rows = [prompt.facts["row"] for prompt in question.prompts if prompt.key == "stated_row"]
    assert len(rows) <= 1
    return rows[0] if rows else None


def check_place(problem, rows, stated):
    card = problem.question.position["card"]
    numbers, free = right_rows(rows, card)
    assert stated is None
    right = []
    for number in numbers:
        collected = put([list(row) for row in rows], card, number)
        outcome = "no_lower_end" if free else "overflow" if collected else "append"
        right.append({"row": number, "outcome": outcome, "points": len(collected)})
    assert list(problem.answers) == right
    assert [option.option for option in problem.argument.options] == [{"row": n} for n in (1, 2, 3, 4)]
    for option in problem.argument.options:
        assert option.right == (option.option["row"] in numbers)
        assert option.reason.facts["row"] == option.option["row"]
        assert option.reason.facts["card"] == card
        assert option.right == (option.reason.key in ("append", "overflow", "free_choice"))
        assert reason_is_true(option.reason, rows, rows, None), option


def check_whole_reveal(problem, rows, stated):
    by_seat = dict(enumerate(problem.question.position["cards"]))
    told = check_trace(problem.argument, rows, by_seat, stated)
    assert (stated is not None) == any(right_rows(before, card)[1] for card, _, _, _, before, _ in told)
    points = [next(len(got) for _, s, _, got, _, _ in told if s == seat) for seat in by_seat]
    assert problem.answers == ({"steps": [step.facts for step in problem.argument.steps], "points": points},)


def check_penalties(problem, rows, stated):
    position = problem.question.position
    told = check_trace(problem.argument.trace, rows, dict(enumerate(position["cards"])), stated)
    assert (stated is not None) == any(right_rows(before, card)[1] for card, _, _, _, before, _ in told)
    gained = {seat: got for _, seat, _, got, _, _ in told}
    assert any(gained.values())
    totals = [before + len(gained[seat]) for seat, before in enumerate(position["points"])]
    assert problem.answers == ({"points": totals},)
    for seat, one in enumerate(problem.argument.sums):
        before, got = position["points"][seat], len(gained[seat])
        assert one.total.facts == {"seat": seat, "before": before, "gained": got, "total": before + got}
        assert sum(term.facts["points"] for term in one.terms) == got
        assert all(term.facts["card"] == position["cards"][seat] for term in one.terms)
    assert len(problem.argument.sums) == len(totals)


def check_safe_card(problem, rows, stated):
    position = problem.question.position
    seat, others = position["seat"], dict(position["others"])
    assert len(position["hand"]) >= 3
    safe, owed = [], False
    assert [option.option["card"] for option in problem.argument.options] == list(position["hand"])
    for option in problem.argument.options:
        card = option.option["card"]
        told = check_trace(option.trace, rows, others | {seat: card}, stated)
        owed |= any(right_rows(before, c)[1] for c, _, _, _, before, _ in told)
        _, _, number, collected, before, _ = next(entry for entry in told if entry[0] == card)
        if not collected:
            safe.append(card)
        assert option.right == (not collected) == (option.reason.key == "append")
        for reason in (option.reason, *option.notes):
            assert (reason.facts["card"], reason.facts["row"]) == (card, number)
            assert reason_is_true(reason, before, rows, stated), reason
    assert len(safe) == 1
    assert problem.answers == ({"card": safe[0]},)
    assert owed == (stated is not None)


CHECKS = {"a": check_place, "b": check_whole_reveal, "c": check_penalties, "d": check_safe_card}


def check(problem):
    """The whole of a problem: answers, uniqueness, every reason, and that play could have led to it."""
    question = problem.question
    rows = [list(row) for row in question.position["rows"]]
    CHECKS[question.kind](problem, rows, stated_row(question))
    for reason in every_reason(problem.argument):
        assert maker.REASONS[reason.key] == (reason.facts.keys(), reason.rule)
    for prompt in question.prompts:
        assert maker.PROMPTS[prompt.key].facts == prompt.facts.keys()
    assert problem.readings == ()
    check_origin(problem)


@cache
def replayed(record):
    """The replay of a record (as text: many problems come from one deal)."""
    return replay(json.loads(record), lambda _: game)


def check_origin(problem):
    """The position comes up in the record of legal play that the problem names."""
    played = replayed(json.dumps(problem.origin))
    position, kind = problem.question.position, problem.question.kind
    if kind == "a":
        last = max(n for n, move in enumerate(problem.origin["moves"]) if move.startswith("reveal"))
        before = played.positions[last]
        cards = list(map(int, problem.origin["moves"][last].split()[1:]))
        takes = [int(move.split()[1]) for move in problem.origin["moves"][last + 1 :]]
        told = resolve(before.rows, dict(enumerate(cards)), *(takes or [None]))
        assert (position["card"], [list(row) for row in position["rows"]]) in [(t[0], t[4]) for t in told]
    elif kind == "d":
        at = played.positions[-1]
        assert (at.rows, sorted(at.hands[position["seat"]])) == (position["rows"], list(position["hand"]))
        assert all(card in at.hands[seat] for seat, card in position["others"])
        assert len(position["others"]) == at.players - 1
    else:
        last = max(n for n, move in enumerate(problem.origin["moves"]) if move.startswith("reveal"))
        before = played.positions[last]
        assert before.rows == position["rows"]
        assert problem.origin["moves"][last] == "reveal " + " ".join(map(str, position["cards"]))
        if kind == "c":
            assert position["points"] == [len(pile) for pile in before.collected]


def every_problem(deal):
    """Everything in a deal that can be asked, whatever its level."""
    for number, scene in enumerate(deal.scenes, 1):
        for placing in scene.placings:
            yield maker.place_problem(deal, number, placing, maker.place_features(placing.rows, placing.card), 1)
        features = maker.reveal_features(scene)
        yield maker.trace_problem(deal, number, features, 1)
        if features["collects"]:
            yield maker.penalties_problem(deal, number, features, 1)


def some_safe_cards(deal, stream):
    for number, scene in enumerate(deal.scenes[:3]):
        for seat in range(scene.before.players):
            take = 1 + stream.below(4)
            features = maker.hand_features(scene.before, scene.cards, seat, take)
            if features:
                yield maker.safe_card_problem(deal, number, scene.cards, seat, take, features, 1)


@pytest.fixture(scope="module")
def problems():
    """Thousands of problems out of 130 deals, by kind."""
    found = defaultdict(list)
    for seed in range(130):
        stream = Stream(f"deal {seed}")
        deal = maker.play_deal(stream)
        for problem in (*every_problem(deal), *some_safe_cards(deal, stream)):
            found[problem.question.kind].append(problem)
    return found


def test_every_problem_is_solved_again_by_brute_force(problems):
    assert {kind: len(found) for kind, found in problems.items() if len(found) > 50}.keys() == set("abcd")
    assert sum(map(len, problems.values())) > 3000
    for found in problems.values():
        for problem in found:
            check(problem)


@pytest.mark.parametrize("letter", "abcd")
def test_what_is_ordered_is_solved_again_too_at_its_level_and_theme(letter):
    weights, least = {
        "a": (maker.PLACE_WEIGHTS, maker.PLACE_LEVELS),
        "b": (maker.REVEAL_WEIGHTS, maker.REVEAL_LEVELS),
        "c": (maker.REVEAL_WEIGHTS, maker.PENALTIES_LEVELS),
        "d": (maker.HAND_WEIGHTS, maker.HAND_LEVELS),
    }[letter]
    for level in LEVELS:
        for problem in make(order("rowoverflow", letter, level=level, count=6, seed=level)):
            check(problem)
            assert problem.question.level == level
            score = maker.weigh(problem.features, weights)
            assert [n for n, bound in enumerate(least, 1) if score >= bound][-1] == level


def test_the_brute_force_sees_a_wrong_answer_or_argument(problems):
    """The checker checks: each kind of damage is seen."""
    for found in problems.values():
        first = found[0]
        other = next(problem for problem in found if problem.answers != first.answers)
        for damaged in (
            replace(first, answers=other.answers),
            replace(first, answers=()),
            replace(first, answers=first.answers * 2),
            replace(first, argument=other.argument),
            replace(first, question=other.question),
            replace(first, origin=other.origin),
        ):
            if damaged != first:
                with pytest.raises((AssertionError, IndexError, StopIteration, ValueError)):
                    check(damaged)


def test_every_reason_and_prompt_is_used_and_cites_a_rule_of_the_game(problems):
    everything = [problem for found in problems.values() for problem in found]
    used = {reason.key for problem in everything for reason in every_reason(problem.argument)}
    assert used == set(maker.REASONS)
    assert {prompt.key for problem in everything for prompt in problem.question.prompts} == set(maker.PROMPTS)
    assert all(STATUS[slots.rule] == "rule" for slots in maker.REASONS.values())


def test_no_reading_of_the_game_is_open_so_none_is_named():
    assert "open" not in STATUS.values()


def test_a_card_that_no_row_ends_below_may_take_each_of_the_four(problems):
    free = [problem for problem in problems["a"] if problem.features["free"]]
    assert free
    for problem in free:
        assert [answer["row"] for answer in problem.answers] == [1, 2, 3, 4]
        assert all(option.reason.rule == "RO-8" for option in problem.argument.options)


def test_the_source_walk_through_is_told_as_it_is():
    """Ends 3, 8, 14, 20; 7, 15, 18: the 18 goes behind the 15, and the argument says what has changed (RO-7)."""
    deck = [7, 1, 2, 4, 5, 15, 6, 9, 10, 11, 18, 12, 13, 16, 17, 3, 8, 14, 20, 19, 21, 22, 23, 24]
    _, scene = maker.placed(game.deal(deck, 3), (7, 15, 18), 1)
    steps = maker.trace(scene).steps
    assert [(step.facts["card"], step.facts["row"]) for step in steps] == [(7, 1), (15, 3), (18, 3)]
    assert [note.key for note in steps[2].notes] == ["new_end"]
    assert steps[2].notes[0].facts == {"card": 18, "row": 3, "end": 15, "old_end": 14}


def test_dodging_is_refuted_by_the_rule_against_it():
    rows = ((3,), (8, 9), (1, 10, 12, 14), (20,))
    deck_rest = [card for card in game.DECK if card not in {card for row in rows for card in row}]
    before = game.Position(rows, (tuple(deck_rest[0:4]), tuple(deck_rest[4:8]), tuple(deck_rest[8:12])), ((),) * 3, ())
    card = next(card for card in deck_rest if 14 < card < 20)
    placing = maker.Placing(rows, _only_event(before, card), ())
    assert maker.why(placing).key == "overflow"
    assert [(reason.rule, reason.facts["row"]) for reason in maker.refuted(placing)] == [
        ("RO-10", 1), ("RO-10", 2), ("RO-6", 4),
    ]  # fmt: skip


def _only_event(before, card):
    seat = next(seat for seat, hand in enumerate(before.hands) if card in hand)
    cards = [max(hand) for hand in before.hands]
    cards[seat] = card
    _, events = before.play(game.Reveal(tuple(cards)))
    return next(event for event in events if event.facts.get("card") == card)


@pytest.mark.parametrize("letter", "abcd")
def test_a_mixed_sheet_of_eight_shows_what_the_kind_is_about(letter):
    """Not all plain appends: at least what the rules make of a full row, and (b to d) a stated row."""
    for seed in range(3):
        sheet = make(order("rowoverflow", letter, count=8, seed=seed))
        keys = Counter(key for problem in sheet for key in {reason.key for reason in every_reason(problem.argument)})
        assert keys["overflow"] >= 2
        assert keys["append"] >= 2
        if letter == "a":
            assert keys["free_choice"] >= 1
            assert keys["no_dodging"] >= 1
            assert sum(problem.features["nearer"] for problem in sheet) >= 1
        else:
            assert sum(stated_row(problem.question) is not None for problem in sheet) >= 2


# Levels


@pytest.mark.parametrize("weights", [maker.PLACE_WEIGHTS, maker.REVEAL_WEIGHTS, maker.HAND_WEIGHTS])
def test_no_feature_makes_a_problem_easier(weights):
    assert all(weight > 0 for weight in weights.values())


def test_the_bounds_of_levels_rise():
    for least in (maker.PLACE_LEVELS, maker.REVEAL_LEVELS, maker.PENALTIES_LEVELS, maker.HAND_LEVELS):
        assert len(least) == len(LEVELS)
        assert list(least) == sorted(set(least))


def test_what_is_trivial_is_below_every_level():
    """One row ends below, it has room, no end tempts: nobody learns from that."""
    features = maker.place_features(((3,), (20,), (22,), (24,)), 5)
    assert maker.level_of(maker.weigh(features, maker.PLACE_WEIGHTS), maker.PLACE_LEVELS) == 0


@pytest.mark.parametrize(
    ("rows", "card", "expected"),
    [
        (((3,), (8,), (14,), (20,)), 15, {"lower": 2, "nearer": 0, "lures": 0, "overflow": 0, "free": 0}),
        (((3,), (8,), (10, 14), (20,)), 18, {"lower": 2, "nearer": 1, "lures": 2, "overflow": 0, "free": 0}),
        (((3,), (8,), (10, 11, 12, 14), (20,)), 17, {"lower": 2, "nearer": 0, "lures": 2, "overflow": 1, "free": 0}),
        (((3,), (8,), (14,), (20,)), 1, {"lower": 0, "nearer": 1, "lures": 0, "overflow": 0, "free": 1}),
        (((6,), (8,), (14,), (20,)), 1, {"lower": 0, "nearer": 0, "lures": 0, "overflow": 0, "free": 1}),
    ],
)
def test_features_of_a_placing(rows, card, expected):
    assert maker.place_features(rows, card) == expected


# Repeats


@given(st.integers(0, 10**6), st.permutations([0, 1, 2, 3]), st.permutations([0, 1, 2]))
def test_fingerprints_forget_the_order_of_rows_and_the_names_of_players(seed, row_order, seat_order):
    """RO-R2: the same reveal with its rows and its seats in another order is the same problem."""
    stream = Stream(f"twin {seed}")
    start = game.deal(stream.shuffled(game.DECK), 3)
    twin = start._replace(
        rows=tuple(start.rows[row] for row in row_order), hands=tuple(start.hands[seat] for seat in seat_order)
    )
    cards = tuple(hand[0] for hand in start.hands)
    prints = []
    for before, played, take in (
        (start, cards, 1),
        (twin, tuple(cards[seat] for seat in seat_order), 1 + row_order.index(0)),
    ):
        after, scene = maker.placed(before, played, take)
        deal = maker.Deal(before, (scene,), after)
        problem = maker.trace_problem(deal, 1, maker.reveal_features(scene), 1)
        placing = scene.placings[-1]
        one = maker.place_problem(deal, 1, placing, maker.place_features(placing.rows, placing.card), 1)
        prints.append((problem.fingerprint, one.fingerprint))
    assert prints[0] == prints[1]


def test_different_problems_have_different_fingerprints(problems):
    """Where two problems share a fingerprint, they ask the same: same rows up to order and what lies under the ends."""
    for kind, found in problems.items():
        seen = {}
        for problem in found:
            position = problem.question.position
            rows = sorted((row[-1], len(row)) for row in position["rows"])
            cards = sorted(position.get("cards", position.get("hand", ())))
            others = sorted(card for _, card in position.get("others", ()))
            asked = (rows, position.get("card"), cards, others)
            assert seen.setdefault(problem.fingerprint, asked) == asked, kind
        assert len(seen) > len(found) * 0.9
