"""Every problem solved again by brute force from its question, written from the rules and not from the generator."""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest

from kit.games import cascata as game
from kit.games.core import Stream
from kit.games.record import replay
from kit.practice import cascata as maker
from kit.practice import make, order
from kit.practice.core import LEVELS, Line, Options, Working

STATUS = {rule.id: rule.status for rule in game.RULES}
RANKS = "A23456789TJQK"


# The rules once more, in the plainest words of Python. A pyramid is {(row, position): card}; a meld is (cards, times).


def value(card):
    """CA-14."""
    return 0 if card[0] == "X" else RANKS.index(card[0]) + 1


def points(cards, times=1):
    """CA-14, CA-19."""
    total = sum(map(value, cards))
    return {2: total, 3: 2 * total, 4: 100}[len(cards)] * times


def above(pyramid, place):
    """CA-R1: the places directly above that still hold a card."""
    row, at = place
    return [other for other in ((row - 1, at - 1), (row - 1, at)) if other in pyramid]


def ever_above(place):
    row, at = place
    return [(r, p) for r, p in ((row - 1, at - 1), (row - 1, at)) if 1 <= p <= r]


def free(pyramid):
    """CA-6."""
    return [place for place in pyramid if not above(pyramid, place)]


def rank_of(cards):
    """The one rank of the natural cards; None when there is none or more than one (CA-13)."""
    found = {card[0] for card in cards} - {"X"}
    return found.pop() if len(found) == 1 else None


def subsets(hand):
    for size in range(1, 5):
        yield from combinations(sorted(hand), size)


def meld_actions(hand, melds, seat):
    """CA-9 to CA-13: every meld action, as (kind, owner, number, cards)."""
    yield ("pass", seat, 0, ())
    for cards in subsets(hand):
        if len(cards) > 1 and rank_of(cards):
            yield ("meld", seat, 0, cards)
        for owner, own in enumerate(melds):
            for number, (old, _) in enumerate(own, 1):
                whole = len(old) + len(cards)
                if rank_of([*old, *cards]) and (whole <= 4 if owner == seat else len(old) < whole == 4):
                    yield ("extend" if owner == seat else "steal", owner, number, cards)


def acted(action, hands, melds, seat, times):
    """Hands and melds after a meld action of the seat."""
    kind, owner, number, cards = action
    hands, melds = [list(hand) for hand in hands], [list(own) for own in melds]
    for card in cards:
        hands[seat].remove(card)
    if kind == "meld":
        melds[seat].append((tuple(cards), times))
    elif kind != "pass":
        old, _ = melds[owner][number - 1]
        meld = ((*old, *cards), times)
        if kind == "extend":
            melds[seat][number - 1] = meld
        else:
            del melds[owner][number - 1]
            melds[seat].append(meld)
    return hands, melds


def totals(hands, melds):
    """CA-17."""
    return [sum(points(*meld) for meld in own) - sum(map(value, hand)) for hand, own in zip(hands, melds, strict=True)]


def ranks(cards):
    return "".join(sorted(card[0] for card in cards))


def alike(action):
    """Actions that differ only in cards of equal rank of one hand."""
    return (*action[:3], ranks(action[3]))


def spelled(text, seat):
    """The action that a move of the interchange names."""
    word, *rest = text.split()
    if word == "meld":
        return ("meld", seat, 0, tuple(sorted(rest)))
    if word == "extend":
        return ("extend", seat, int(rest[0]), tuple(sorted(rest[1:])))
    if word == "steal":
        return ("steal", int(rest[0]), int(rest[1]), tuple(sorted(rest[2:])))
    assert word == "pass"
    return ("pass", seat, 0, ())


def heap(cells):
    """A pyramid as the question spells it; a card that lies face down has no name."""
    found = {}
    for row, line in enumerate(cells, 1):
        assert len(line) == row
        for at, cell in enumerate(line, 1):
            if cell is not None:
                assert set(cell) == {"card", "up"}
                assert (cell["card"] is not None) == cell["up"]
                found[row, at] = cell["card"]
    assert len(cells) in (6, 7)
    return found


def laid(melds):
    return [[(tuple(meld["cards"]), meld["times"]) for meld in own] for own in melds]


# (f) Every line to the end, cards of equal value once.


def drafts(pyramid, hand):
    """CA-6, CA-8, the reserve being shut: what is drafted from where, and the joker that is laid there."""
    for place in free(pyramid):
        yield ("take", place, None)
    jokers = sorted(card for card in hand if card[0] == "X")
    for place in pyramid:
        for joker in jokers:
            yield ("swap", place, joker)


def drafted(draft, pyramid, hand):
    kind, place, joker = draft
    pyramid, hand = dict(pyramid), [card for card in hand if card != joker]
    hand.append(pyramid.pop(place))
    if kind == "swap":
        pyramid[place] = joker
    return pyramid, hand


class Brute:
    """Minimax over whole turns. Positions are compared without suits."""

    def __init__(self):
        self.known = {}

    def turns(self, pyramid, hands, melds, seat):
        """Each turn up to alike cards: (draft, action) as alike sees them, and its margin and number of lines."""
        found = {}
        for draft in drafts(pyramid, hands[seat]):
            rest, hand = drafted(draft, pyramid, hands[seat])
            held = [hand if s == seat else hands[s] for s in (0, 1)]
            for action in meld_actions(hand, melds, seat):
                key = draft[:2], alike(action)
                if key not in found:
                    found[key] = self.after(rest, *acted(action, held, melds, seat, 1), seat)
        return found

    def after(self, pyramid, hands, melds, seat):
        if not pyramid:
            scores = totals(hands, melds)
            return scores[seat] - scores[1 - seat], 1
        margin, lines = self.best(pyramid, hands, melds, 1 - seat)
        return -margin, lines

    def best(self, pyramid, hands, melds, seat):
        shape = (
            seat,
            tuple(sorted((place, card[0]) for place, card in pyramid.items())),
            *map(ranks, hands),
            *(tuple(sorted((ranks(cards), times) for cards, times in own)) for own in melds),
        )
        if shape not in self.known:
            found = self.turns(pyramid, hands, melds, seat).values()
            self.known[shape] = max(margin for margin, _ in found), sum(lines for _, lines in found)
        return self.known[shape]


def spelled_turn(moves, seat):
    word, *rest = moves[0].split()
    place = tuple(map(int, rest[-2:]))
    return (word, place), alike(spelled(moves[1], seat))


# A reason is true when what it says can be seen in the position.


def check_points(reason):
    facts, cards = reason.facts, reason.facts["cards"]
    kind, _, multiplied = reason.key.partition("_")
    times = facts["times"] if multiplied else 1
    assert (times > 1) == bool(multiplied)
    assert kind == {2: "pair", 3: "triple", 4: "four"}[len(cards)]
    assert facts["points"] == points(cards, times)
    assert facts.get("sum", sum(map(value, cards))) == sum(map(value, cards))
    assert facts.get("factor", 2) == 2
    assert facts.get("base", 100) == 100


POINTS = ("pair", "triple", "four", "pair_times", "triple_times", "four_times")


def every_reason(argument):
    match argument:
        case Options():
            for option in argument.options:
                yield from (option.reason, *option.notes)
        case Working():
            for one in argument.sums:
                yield from (*one.terms, one.total)
        case Line():
            yield argument.trace.order
            for step in argument.trace.steps:
                yield from (step.reason, *step.notes, *step.refuted)
            for miss in argument.near:
                yield from (miss.reason, *miss.notes)
            yield argument.searched


def check_free(problem, asked):
    assert set(asked) == {"pyramid"}
    pyramid = heap(asked["pyramid"])
    assert all(pyramid.values()) and len(pyramid) > 1
    right = set(free(pyramid))
    assert sorted((answer["row"], answer["position"]) for answer in problem.answers) == sorted(right)
    assert [(option.option["row"], option.option["position"]) for option in problem.argument.options] == sorted(pyramid)
    for option in problem.argument.options:
        place, facts, key = tuple(option.option.values()), option.reason.facts, option.reason.key
        over = above(pyramid, place)
        assert option.right == (place in right) == (not over)
        assert (facts["row"], facts["position"], facts["card"]) == (*place, pyramid[place])
        assert facts.get("above", ()) == tuple(pyramid[other] for other in over)
        ever = len(ever_above(place))
        expected = {(2, 0): "free", (1, 0): "free_end", (2, 1): "half_covered"}.get((ever, len(over)), "covered")
        assert key == expected


def check_turned(problem, asked):
    assert set(asked) == {"pyramid", "hidden_rows", "takes"}
    pyramid, hidden = heap(asked["pyramid"]), asked["hidden_rows"]
    down = {place for place in pyramid if place[0] in hidden and above(pyramid, place)}
    assert down == {place for place, card in pyramid.items() if card is None}
    assert len(down) > 1
    turned = {}
    for number, place in enumerate(map(tuple, asked["takes"]), 1):
        assert place in free(pyramid)
        del pyramid[place]
        turned |= {p: number for p in down if p in free(pyramid) and p not in turned}
    assert turned
    assert sorted((answer["row"], answer["position"]) for answer in problem.answers) == sorted(turned)
    assert [(option.option["row"], option.option["position"]) for option in problem.argument.options] == sorted(down)
    for option in problem.argument.options:
        place, facts = tuple(option.option.values()), option.reason.facts
        assert (facts["row"], facts["position"]) == place
        assert option.right == (place in turned) == (option.reason.key == "turns_up")
        if option.right:
            assert facts["take"] == turned[place]
        else:
            assert list(facts["covers"]) == above(pyramid, place) != []


def check_score(problem, asked):
    assert set(asked) == {"melds", "hands", "multiplier"}
    melds, hands = laid(asked["melds"]), asked["hands"]
    gained = [sum(points(*meld) for meld in own) for own in melds]
    lost = [sum(map(value, hand)) for hand in hands]
    scores = totals(hands, melds)
    top = [seat for seat, score in enumerate(scores) if score == max(scores)]
    fewest = min(len(hands[seat]) for seat in top)
    winners = [seat for seat in top if len(hands[seat]) == fewest]
    assert problem.answers == ({"melds": gained, "penalties": lost, "scores": scores, "winners": winners},)
    *sums, last = problem.argument.sums
    assert problem.argument.trace is None
    assert len(sums) == len(hands)
    for seat, one in enumerate(sums):
        *terms, hand = one.terms
        assert [term.facts["cards"] for term in terms] == [cards for cards, _ in melds[seat]]
        assert [term.facts.get("times", 1) for term in terms] == [times for _, times in melds[seat]]
        if hand.key == "no_hand":
            assert not hands[seat]
        else:
            assert hand.key == "hand"
            assert (sorted(hand.facts["cards"]), hand.facts["penalty"]) == (sorted(hands[seat]), lost[seat])
        facts = {"seat": seat, "melds": gained[seat], "penalty": lost[seat], "total": scores[seat]}
        assert (one.total.key, one.total.facts) == ("total", facts)
    if len(top) == 1:
        assert (last.terms, last.total.key) == ((), "wins")
        assert last.total.facts == {"winners": tuple(winners), "total": max(scores)}
    else:
        sizes = tuple(len(hands[seat]) for seat in top)
        assert last.terms[0].facts == {"seats": tuple(top), "hand_sizes": sizes, "total": max(scores)}
        assert last.total.key == ("shared" if len(winners) > 1 else "fewest")
        assert last.total.facts == {"winners": tuple(winners)}
    assert ("CA-R6" in problem.readings) == (len(top) > 1)
    assert ("CA-R8" in problem.readings) == asked["multiplier"]


def check_steals(problem, asked):
    assert set(asked) == {"seat", "hand", "melds"}
    seat, hand, melds = asked["seat"], asked["hand"], laid(asked["melds"])
    right = {action[1:] for action in meld_actions(hand, melds, seat) if action[0] == "steal"}
    assert right
    given = [(answer["seat"], answer["meld"], tuple(sorted(answer["cards"]))) for answer in problem.answers]
    assert sorted(given) == sorted(right)
    seen = set()
    for option in problem.argument.options:
        owner, number, cards = option.option["seat"], option.option["meld"], option.option["cards"]
        old = melds[owner][number - 1][0]
        facts, key, whole = option.reason.facts, option.reason.key, len(old) + len(cards)
        seen.add((owner, number))
        assert option.right == ((owner, number, tuple(sorted(cards))) in right) == (key == "completes")
        assert facts["cards"] == old
        assert (facts["meld"], facts.get("victim", owner)) == (number, owner)
        assert facts.get("size", whole) == whole
        if "added" in facts:
            assert sorted(facts["added"]) == sorted(cards)
        assert bool(option.notes) == (option.right and any(card[0] == "X" for card in cards))
        if not option.right:  # all that matches, and what is wrong with it
            assert sorted(cards) == sorted(card for card in hand if rank_of([*old, card]))
            expected = "too_few" if whole < 4 else "too_many"
            if owner == seat:
                expected = "own_four" if len(old) == 4 else "own_meld"
            elif len(old) == 4:
                expected = "safe"
            elif not cards:
                expected = "no_match"
            assert key == expected
            assert whole != 4 or key in ("safe", "own_meld")
    others = {(owner, n) for owner, own in enumerate(melds) if owner != seat for n in range(1, len(own) + 1)}
    assert len(others) > 1
    assert others <= seen
    assert ("CA-R2" in problem.readings) == any(card[0] == "X" for _, _, cards in right for card in cards)


def check_best(problem, asked):
    assert set(asked) == {"seat", "hands", "melds", "times"}
    seat, hands, melds, times = asked["seat"], asked["hands"], laid(asked["melds"]), asked["times"]

    def worth(action):
        scores = totals(*acted(action, hands, melds, seat, times))
        return scores[seat], max(score for other, score in enumerate(scores) if other != seat)

    actions = list(meld_actions(hands[seat], melds, seat))
    stands = worth(("pass", seat, 0, ()))
    gains = {action: worth(action)[0] - worth(action)[1] - stands[0] + stands[1] for action in actions}
    best = max(gains.values())
    right = [action for action in actions if gains[action] == best]
    assert len({alike(action) for action in right}) == 1
    assert len({alike(action) for action in actions}) > 2
    assert sorted(spelled(answer["move"], seat) for answer in problem.answers) == sorted(right)
    assert {answer["gain"] for answer in problem.answers} == {best}
    options = problem.argument.options
    assert sorted(alike(spelled(option.option["move"], seat)) for option in options) == sorted(set(map(alike, actions)))
    second = max(gain for action, gain in gains.items() if action not in right)
    for option in options:
        action, facts = spelled(option.option["move"], seat), option.reason.facts
        assert option.right == (action in right) == (option.reason.key == "best")
        assert option.option["gain"] == gains[action] == facts.get("gain", 0)
        assert (facts["own"], facts["other"]) == worth(action)
        if action[0] != "pass":
            told = facts["action"]
            assert told["moves"] == [option.option["move"]]
            assert list(map(sorted, told["met"])) == met(told["moves"], {}, melds, seat)
        if option.right:
            assert facts["margin"] == best - second > 0
        check_made(option.notes, action, hands, melds, seat, times)
    joker = any(card[0] == "X" for card in hands[seat])
    assert ("CA-R2" in problem.readings) == joker


def check_made(notes, action, hands, melds, seat, times):
    """What is said of the meld that an action makes."""
    if action[0] == "pass":
        assert not notes
        return
    _, after = acted(action, hands, melds, seat, times)
    made = after[seat][action[2] - 1 if action[0] == "extend" else -1]
    *joker, scored = notes
    assert (sorted(scored.facts["cards"]), scored.facts.get("times", 1)) == (sorted(made[0]), made[1])
    assert bool(joker) == any(card[0] == "X" for card in action[3])
    assert all(note.facts == {"rank": rank_of(made[0])} for note in joker)


def check_line(problem, asked):
    assert set(asked) == {"position"}
    position = asked["position"]
    assert (position["players"], position["phase"], position["drawn_marker"]) == (2, "draft", False)
    assert position["locked"] or not position["reserve"]
    assert not position["options"]["multiplier"] and not position["options"]["hidden_rows"]
    pyramid, hands, melds = heap(position["pyramid"]), position["hands"], laid(position["melds"])
    seat, brute = position["to_move"], Brute()
    turns = brute.turns(pyramid, hands, melds, seat)
    margins = {turn: margin for turn, (margin, _) in turns.items()}
    best = max(margins.values())
    assert len(turns) > 1
    assert list(margins.values()).count(best) == 1
    right = []
    for draft in drafts(pyramid, hands[seat]):
        _, hand = drafted(draft, pyramid, hands[seat])
        right += [
            (draft, action) for action in meld_actions(hand, melds, seat) if margins[draft[:2], alike(action)] == best
        ]
    given = [answer["moves"] for answer in problem.answers]
    assert len(given) == len(right) == len(set(map(tuple, given)))
    assert {spelled_turn(moves, seat) for moves in given} == {(d[:2], alike(a)) for d, a in right}
    assert {answer["margin"] for answer in problem.answers} == {best}
    line, ordered = problem.argument, sorted(margins.values(), reverse=True)
    assert line.trace.order.facts == {"seat": seat}
    assert [miss.option["margin"] for miss in line.near] == ordered[1 : 1 + len(line.near)]
    for miss in line.near:
        margin = margins[spelled_turn(miss.option["moves"], seat)]
        assert not miss.right
        assert miss.option["margin"] == margin < best
        told = miss.reason.facts["action"]
        assert told["moves"] == miss.option["moves"]
        assert list(map(sorted, told["met"])) == met(told["moves"], pyramid, melds, seat)
        assert miss.reason.facts == {"seat": seat, "action": told, "margin": margin, "less": best - margin}
        check_reply(brute, miss, pyramid, hands, melds, seat)
    searched = line.searched.facts
    assert searched["lines"] == sum(lines for _, lines in turns.values())
    assert searched["turns"] == len(turns)
    assert searched["positions"] > 0
    check_best_line(brute, line.trace.steps, pyramid, hands, melds, seat, best)
    loose = [*pyramid.values(), *hands[0], *hands[1]]
    assert ("CA-R2" in problem.readings) == any(card[0] == "X" for card in loose)


def turned(moves, pyramid, hands, melds, seat):
    """The position after a turn as it is spelled; every card of it must be there."""
    word, *rest = moves[0].split()
    draft = (word, tuple(map(int, rest[-2:])), rest[0] if word == "swap" else None)
    assert draft in list(drafts(pyramid, hands[seat]))
    pyramid, hand = drafted(draft, pyramid, hands[seat])
    action = spelled(moves[1], seat)
    assert action in list(meld_actions(hand, melds, seat))
    held = [hand if s == seat else hands[s] for s in (0, 1)]
    return pyramid, *acted(action, held, melds, seat, 1), held, action


def met(moves, pyramid, melds, seat):
    """The cards that the moves of a turn meet: one drafted, or those of the meld that is added to or stolen."""
    found = []
    for word, *rest in map(str.split, moves):
        if word in ("take", "swap"):
            found.append([pyramid[tuple(map(int, rest[-2:]))]])
        elif word in ("extend", "steal"):
            owner, number = (seat, rest[0]) if word == "extend" else map(int, rest[:2])
            found.append(sorted(melds[owner][int(number) - 1][0]))
        else:
            found.append([])
    return found


def check_reply(brute, miss, pyramid, hands, melds, seat):
    pyramid, hands, melds, _, _ = turned(miss.option["moves"], pyramid, hands, melds, seat)
    assert bool(miss.notes) == bool(pyramid)
    for note in miss.notes:
        margins = {turn: margin for turn, (margin, _) in brute.turns(pyramid, hands, melds, 1 - seat).items()}
        assert note.facts["seat"] == 1 - seat
        told = note.facts["turn"]
        assert list(map(sorted, told["met"])) == met(told["moves"], pyramid, melds, 1 - seat)
        assert margins[spelled_turn(told["moves"], 1 - seat)] == max(margins.values()) == -miss.option["margin"]


def check_best_line(brute, steps, pyramid, hands, melds, seat, margin):
    first = seat
    for number, step in enumerate(steps):
        found = {turn: m for turn, (m, _) in brute.turns(pyramid, hands, melds, seat).items()}
        moves = step.facts["moves"]
        assert step.facts["seat"] == seat
        assert list(map(sorted, step.facts["met"])) == met(moves, pyramid, melds, seat)
        assert found[spelled_turn(moves, seat)] == max(found.values()) == (margin if seat == first else -margin)
        worse = [m for m in found.values() if m < max(found.values())]
        assert bool(step.refuted) == (number > 0 and bool(worse))
        for reason in step.refuted:
            assert reason.facts["seat"] == seat
            told = reason.facts["turn"]
            assert list(map(sorted, told["met"])) == met(told["moves"], pyramid, melds, seat)
            assert reason.facts["margin"] == max(worse) == found[spelled_turn(told["moves"], seat)]
        place, facts = spelled_turn(moves, seat)[0][1], step.reason.facts
        assert (facts["seat"], facts["row"], facts["position"]) == (seat, *place)
        assert facts.get("card", pyramid[place]) == pyramid[place]
        swap = "swaps_joker" if pyramid[place][0] == "X" else "swaps"
        assert step.reason.key == ("takes" if moves[0].startswith("take") else swap)
        before = melds
        pyramid, hands, melds, held, action = turned(moves, pyramid, hands, melds, seat)
        done, *said, end = step.notes
        assert done.key == {"meld": "lays", "extend": "adds", "steal": "steals", "pass": "lays_nothing"}[action[0]]
        assert sorted(done.facts.get("cards", done.facts.get("added", ()))) == sorted(action[3])
        assert done.facts.get("victim", action[1]) == action[1]
        check_made(said, action, held, before, seat, 1)
        scores = totals(hands, melds)
        assert (end.key, end.facts["scores"]) == ("stands_at" if pyramid else "ends", scores)
        assert step.facts["difference"] == scores[first] - scores[1 - first]
        seat = 1 - seat
    assert not pyramid
    scores = totals(hands, melds)
    assert scores[first] - scores[1 - first] == margin


CHECKS = {
    "a": check_free,
    "b": check_turned,
    "c": check_score,
    "d": check_steals,
    "e": check_best,
    "f": check_line,
}
WEIGHED = {
    "a": (maker.FREE_WEIGHTS, maker.FREE_LEVELS),
    "b": (maker.TURN_WEIGHTS, maker.TURN_LEVELS),
    "c": (maker.SCORE_WEIGHTS, maker.SCORE_LEVELS),
    "d": (maker.STEAL_WEIGHTS, maker.STEAL_LEVELS),
    "e": (maker.MELD_WEIGHTS, maker.MELD_LEVELS),
    "f": (maker.LINE_WEIGHTS, maker.LINE_LEVELS),
}


def check(problem):
    """The whole of a problem: answers, uniqueness, every reason, its readings, and that play could have led to it."""
    question = problem.question
    CHECKS[question.kind](problem, question.position)
    cited = set()
    for reason in every_reason(problem.argument):
        assert maker.REASONS[reason.key] == (reason.facts.keys(), reason.rule)
        cited.add(reason.rule)
        if reason.key in POINTS:
            check_points(reason)
    for prompt in question.prompts:
        assert maker.PROMPTS[prompt.key].facts == prompt.facts.keys()
    printed = {prompt.facts["reading"] for prompt in question.prompts if "reading" in prompt.facts}
    assert set(problem.readings) <= printed, "a reading that the sheet does not print"
    assert {rule for rule in cited if STATUS[rule] == "open"} <= set(problem.readings)
    assert all(STATUS[reading] == "open" for reading in printed)
    check_origin(problem)


@cache
def replayed(record):
    return replay(json.loads(record), lambda _: game)


def check_origin(problem):
    """The record of legal play that the problem names leads to its position."""
    last = replayed(json.dumps(problem.origin)).positions[-1]
    told, asked = game.position_to_json(last), problem.question.position
    kind = problem.question.kind
    if kind in "ab":
        cells = [
            [cell and cell | {"card": cell["card"] if cell["up"] else None} for cell in r] for r in told["pyramid"]
        ]
        assert asked["pyramid"] == cells
        assert asked.get("hidden_rows", []) == told["options"]["hidden_rows"]
        return
    if kind == "f":
        assert asked["position"] == told
        return
    assert asked["melds"] == told["melds"]
    hands = asked["hands"] if kind != "d" else [asked["hand"]]
    there = told["hands"] if kind != "d" else [told["hands"][asked["seat"]]]
    assert list(map(sorted, hands)) == list(map(sorted, there))
    if kind == "c":
        assert (told["phase"], asked["multiplier"]) == ("over", told["options"]["multiplier"])
        assert replayed(json.dumps(problem.origin)).positions[-1].result() == problem.answers[0]
    else:
        assert (told["phase"], told["to_move"]) == ("meld", asked["seat"])
    if kind == "e":
        assert asked["times"] == last.times


EACH = {"a": 9, "b": 9, "c": 4, "d": 6, "e": 5, "f": 2}  # problems a level, for the time that a test may take


@pytest.fixture(scope="module")
def problems():
    """Problems of every kind and level, as they are ordered."""
    return {
        letter: [p for level in LEVELS for p in make(order("cascata", letter, level=level, count=count, seed=level))]
        for letter, count in EACH.items()
    }


@pytest.mark.parametrize("letter", EACH)
def test_every_problem_is_solved_again_by_brute_force_at_its_level(problems, letter):
    weights, least = WEIGHED[letter]
    for level, found in zip(LEVELS, zip(*[iter(problems[letter])] * EACH[letter], strict=True), strict=True):
        for problem in found:
            check(problem)
            assert problem.question.level == level
            score = maker.weigh(problem.features, weights)
            assert [n for n, bound in enumerate(least, 1) if score >= bound][-1] == level


def test_the_brute_force_sees_a_wrong_answer_or_argument(problems):
    """The checker checks: each kind of damage is seen."""
    for found in problems.values():
        first, other = found[0], next(problem for problem in found if problem.answers != found[0].answers)
        for damaged in (
            replace(first, answers=other.answers),
            replace(first, answers=()),
            replace(first, answers=first.answers * 2),
            replace(first, argument=other.argument),
            replace(first, question=other.question),
            replace(first, origin=other.origin),
        ):
            if damaged != first:
                with pytest.raises((AssertionError, KeyError, IndexError, ValueError)):
                    check(damaged)


RARE = {"no_hand", "swaps", "swaps_joker", "shared", "fewest", "tie", "four_times", "too_many", "joker_matches"}


def test_reasons_and_prompts_are_used_and_cite_rules_of_the_game(problems):
    everything = [problem for found in problems.values() for problem in found]
    used = {reason.key for problem in everything for reason in every_reason(problem.argument)}
    assert set(maker.REASONS) - used <= RARE
    assert {prompt.key for problem in everything for prompt in problem.question.prompts} == set(maker.PROMPTS)
    assert all(slots.rule in STATUS for slots in maker.REASONS.values())


@pytest.mark.parametrize("letter", EACH)
def test_a_question_holds_no_answer_and_names_no_hidden_card(problems, letter):
    """An allow-list: a new fact in a question has to be thought about here."""
    shown = {
        "a": {"pyramid"},
        "b": {"pyramid", "hidden_rows", "takes"},
        "c": {"melds", "hands", "multiplier"},
        "d": {"seat", "hand", "melds"},
        "e": {"seat", "hands", "melds", "times"},
        "f": {"position"},
    }[letter]
    for problem in problems[letter]:
        question = problem.question
        assert set(question.position) == shown
        for prompt in question.prompts:
            assert set(prompt.facts) <= {"reading", "seat", "times"}
        if letter == "b":
            last = replayed(json.dumps(problem.origin)).positions[-1]
            told = json.dumps(game.position_to_json(last)["pyramid"])
            assert '"up": false' in told
            hidden = [cell["card"] for row in json.loads(told) for cell in row if cell and not cell["up"]]
            assert not [
                card for card in hidden if f'"{card}"' in json.dumps([question.position, question.prompts[0].facts])
            ]


def test_what_a_locked_reserve_holds_follows_from_what_lies_on_the_table(problems):
    """All cards of (f) are known, and those of the reserve stand in the order of the deck: it tells nothing more."""
    for problem in problems["f"]:
        position = problem.question.position["position"]
        table = {cell["card"] for row in position["pyramid"] for cell in row if cell}
        table |= {card for hand in position["hands"] for card in hand}
        table |= {card for own in position["melds"] for meld in own for card in meld["cards"]}
        assert position["reserve"] == [card for card in game.DECK if card not in table]


# Levels


@pytest.mark.parametrize("letter", WEIGHED)
def test_no_feature_makes_a_problem_easier_and_bounds_rise(letter, problems):
    weights, least = WEIGHED[letter]
    assert all(weight > 0 for weight in weights.values())
    assert len(least) == len(LEVELS)
    assert list(least) == sorted(set(least))
    for problem in problems[letter]:
        assert problem.features.keys() == weights.keys()
        assert min(problem.features.values()) >= 0


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ([(1, 1)], {"free": 1, "half": 1}),
        ([(1, 1), (2, 1)], {"free": 1, "half": 2}),
        ([(1, 1), (2, 1), (2, 2)], {"free": 2, "half": 2}),
    ],
)
def test_features_of_free_cards(gone, expected):
    """With the apex gone two cards are free, and the middle one below them still has both; its neighbours one each."""
    left = sum(1 << n for n, place in enumerate(game.PLACES[:21]) if place not in gone)
    found = maker.free_features(left)
    pyramid = {place: "As" for place in game.PLACES[:21] if place not in gone}
    half = [p for p in pyramid if len(ever_above(p)) == 2 and len(above(pyramid, p)) == 1]
    assert found == {"free": len(free(pyramid)) - 1, "half": len(half)}
    assert found["free"] == expected["free"]


@pytest.mark.parametrize("letter", EACH)
def test_a_sheet_varies(problems, letter):
    """Problems of most levels are about more than one thing, and no two are the same."""
    kind = maker.KINDS[letter]
    assert sum(len(themes) > 1 for themes in kind.themes.values()) >= 4
    prints = Counter(problem.fingerprint for problem in problems[letter])
    assert max(prints.values()) == 1


# Repeats


def renamed(position, suits):
    """The same position with other suits."""

    def card(old):
        return old if old is None or old in game.JOKERS else old[0] + suits[old[1]]

    return position.changed(
        pyramid=tuple(map(card, position.pyramid)),
        reserve=tuple(map(card, position.reserve)),
        hands=tuple(tuple(map(card, hand)) for hand in position.hands),
        melds=tuple(tuple(m._replace(cards=tuple(map(card, m.cards))) for m in own) for own in position.melds),
    )


def mirrored(position):
    lines = [tuple(reversed(row)) for row in game.rows(position.pyramid)]
    return position.changed(pyramid=tuple(card for line in lines for card in line))


SUITS = [dict(zip("shdc", names, strict=True)) for names in ("shdc", "hsdc", "cdhs")]


@pytest.mark.parametrize(("suits", "mirror"), list(product(SUITS, (False, True))))
def test_fingerprints_forget_suits_and_which_side_of_the_pyramid_is_left(suits, mirror):
    stream = Stream("twins")
    played = maker.play(stream, maker._dealt(stream, 2), maker.Manner())
    number = played.at("draft")[6]
    position = played.positions[number]
    twin = renamed(mirrored(position) if mirror else position, suits)
    prints = [maker.free_problem(maker.Deal((p,), ()), 0, 1).fingerprint for p in (position, twin)]
    assert prints[0] == prints[1]
    assert maker._last_shape(position) == maker._last_shape(twin)


# What is too rare to wait for


def last_position(seat_0, seat_1):
    """Three cards of the pyramid are left, the deuce above the king and the three; the reserve is locked."""
    text = f"""
        options: marker lock
        pyramid:
                         --
                      --    --
                   --    --    --
                --    --    --    --
             --    2s    --    --    --
          --    Kd    3h    --    --    --
        seat 0: {seat_0}; melds As Ah Ad Ac, Qs Qh Qd Qc
        seat 1: {seat_1}; melds Js Jh Jd Jc, 6s 6h 6d 6c, 8s 8h 8d, 5s 5h
        reserve, locked: RESERVE
        turn: seat 0, draft
    """
    rest = [card for card in game.DECK if card not in re.split(r"[\s;,]+", text)]
    return game.position_from_text(text.replace("RESERVE", " ".join(rest)).replace("        ", "  "))


def test_a_swap_may_be_the_best_turn():
    """Kd is covered, and a joker fetches it: three natural kings are worth more than two and a joker."""
    played = maker.Deal((last_position("X1 Ks Kh 9s", "3s 4d 7h"),), ())
    search = maker.Search()
    turns = sorted(search.turns(played.positions[0]), key=lambda turn: -turn.margin)
    assert str(turns[0].draft).startswith("swap")
    problem = maker.line_problem(played, search, turns, maker.line_features(played.positions[0], turns), 1)
    check(problem)
    assert problem.argument.trace.steps[0].reason.key == "swaps"


def test_a_joker_may_be_swapped_for_a_joker():
    position = last_position("X1 Ks Kh 9s", "3s 4d X2")
    place = maker.INDEX[6, 2]
    position = position.changed(
        pyramid=tuple("X2" if n == place else card for n, card in enumerate(position.pyramid)),
        hands=(position.hands[0], ("3s", "4d", "Kd")),
    )
    said = maker._drafts(position, game.Swap("X1", 6, 2))
    assert (said.key, said.rule) == ("swaps_joker", "CA-R4")


@pytest.mark.parametrize(
    ("cards", "times", "key", "rule", "points"),
    [
        (("8s", "8h"), 1, "pair", "CA-14", 16),
        (("8s", "8h", "X1"), 1, "triple", "CA-14", 32),
        (("As", "Ah", "Ad", "X1"), 1, "four", "CA-14", 100),
        (("Ks", "Kh"), 6, "pair_times", "CA-19", 156),
        (("Ks", "Kh", "Kd"), 2, "triple_times", "CA-19", 156),
        (("8s", "8h", "8d", "8c"), 3, "four_times", "CA-R8", 300),
    ],
)
def test_what_is_said_of_a_meld(cards, times, key, rule, points):
    said = maker.points_of(game.Meld(cards[0][0], cards, times))
    assert (said.key, said.rule, said.facts["points"]) == (key, rule, points)
    check_points(said)


@pytest.mark.parametrize(
    ("hands", "keys", "winners"),
    [
        ((("5s",), ("5h",), ("4s", "As")), ["tie", "shared"], [0, 1]),
        ((("5s",), ("5h", "X1"), ("4s", "As")), ["tie", "fewest"], [0]),
        (((), ("5h",), ()), ["tie", "shared"], [0, 2]),
        (((), ("5h",), ("As",)), ["wins"], [0]),
    ],
)
def test_who_wins_is_told_by_what_decides_it(hands, keys, winners):
    """CA-17, CA-R6: only the players who tie compare their hands, and a joker counts there."""
    position = game.Position((None,) * 28, 0, (), hands, (0, 0, 0), ((), (), ()), phase="over")
    result = position.result()
    assert result["winners"] == winners
    told = maker._winners(position, result)
    assert [reason.key for reason in (*told.terms, told.total)] == keys
    assert told.total.facts["winners"] == tuple(winners)
