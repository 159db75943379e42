"""Orders, the plan of a sheet, and the promise that a player's sheet holds no answer."""

from collections import Counter
from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import practice
from kit.faults import USAGE, Fault
from kit.practice import check, codes, core, kinds, make, order, sheet_and_key
from kit.practice.core import MIXED, TRIES, Kind, Order, Problem, Question, candidates, level_of, plan

EVERY_KIND = [(game, letter) for game in codes.GAMES for letter in kinds(game)]
every_kind = pytest.mark.parametrize(("game", "letter"), EVERY_KIND)


@every_kind
def test_the_same_order_makes_the_same_problems(game, letter):
    wanted = order(game, letter, count=3, seed=7)
    assert make(wanted) == make(codes.decode(codes.encode(wanted)))
    assert make(wanted) != make(order(game, letter, count=3, seed=8))


@every_kind
def test_problems_are_numbered_and_levels_rise_on_a_mixed_sheet(game, letter):
    questions = [problem.question for problem in make(order(game, letter, count=5))]
    assert [question.number for question in questions] == [1, 2, 3, 4, 5]
    assert [question.level for question in questions] == [1, 2, 3, 4, 5]


@every_kind
def test_the_sheets_of_one_order_have_no_problem_in_common(game, letter):
    sheets = [make(order(game, letter, level=1, count=3, sheet=sheet)) for sheet in (1, 2, 3)]
    assert len({problem.fingerprint for sheet in sheets for problem in sheet}) == 9


def test_a_repeat_is_passed_over(monkeypatch):
    """The second place of the sheet would bring the first's problem again, and so takes its next candidate."""
    wanted = order("rowoverflow", "a", level=1, count=2)
    first = make(wanted)[0]
    real = candidates

    def again(order, kind, index, level, theme):
        if index == 1:
            yield first
        yield from real(order, kind, index, level, theme)

    monkeypatch.setattr(practice, "candidates", again)
    assert first.fingerprint != make(wanted)[1].fingerprint


def _kind(**changes):
    return replace(Kind("a", 1, {1: "the first"}, {1: ("x",), 4: ("x", "y")}, lambda *_: None), **changes)


ORDER = Order("rowoverflow", "a", MIXED, 8, 1, 1)


@given(st.integers(1, 60), st.integers(0, 5))
def test_a_plan_keeps_to_what_is_offered_and_spreads_its_themes(count, seed):
    kinds = {"a": _kind()}
    slots = plan(replace(ORDER, count=count, seed=seed), kinds, 1)
    assert len(slots) == count
    assert slots == sorted(slots, key=lambda slot: slot.level)
    assert all(slot.theme in _kind().themes[slot.level] for slot in slots)
    at_four = Counter(slot.theme for slot in plan(replace(ORDER, count=count, seed=seed, level=4), kinds, 1))
    assert max(at_four.values()) - min(at_four["x"], at_four["y"]) <= 1


def test_a_generator_that_finds_nothing_gives_up_with_its_seed():
    deals = []
    barren = _kind(find=lambda *_: deals.append(1))
    with pytest.raises(Fault, match=r"level 1 .*seed 1\)") as refused:
        next(candidates(ORDER, barren, 0, 1, "x"))
    assert len(deals) == TRIES
    assert refused.value.cure


def test_a_generator_that_repeats_itself_gives_up_too():
    one = make(order("rowoverflow", "a", count=1))[0]
    with pytest.raises(Fault, match="no further problem"):
        list(candidates(ORDER, _kind(find=lambda *_: one), 0, 1, "x"))


@given(st.lists(st.integers(-5, 50), min_size=1, max_size=5, unique=True), st.integers(-9, 60), st.integers(0, 9))
def test_more_score_is_never_a_lower_level(bounds, score, more):
    least = tuple(sorted(bounds))
    assert level_of(score, least) <= level_of(score + more, least) <= len(least)


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ({"game": "rowoverflo"}, "no practice for rowoverflo.*rowoverflow"),
        ({"kind": "e"}, "no practice of kind e. There is: a, b, c, d"),
        ({"level": 6}, "no level 6. There is: 1, 2, 3, 4, 5"),
        ({"count": 0}, "count 0.*1 to 256"),
        ({"count": 10**9}, "count 1000000000.*1 to 256"),
        ({"sheet": 10**9}, "sheet 1000000000.*1 to 128"),
        ({"seed": -1}, "seed -1"),
        ({"version": 2}, "newer kit"),
    ],
)
def test_an_impossible_order_is_answered_at_once_with_what_is_possible(bad, what):
    with pytest.raises(Fault, match=what) as refused:
        make(replace(ORDER, **bad))
    assert refused.value.code == USAGE


def test_an_order_to_an_older_generator_is_told_what_has_changed(monkeypatch):
    newer = _kind(version=3, changes={1: "first", 2: "other levels", 3: "no free rows"})
    monkeypatch.setattr(practice, "kinds", lambda game: {"a": newer})
    with pytest.raises(Fault, match="since then: other levels; no free rows"):
        check(ORDER)


@every_kind
def test_a_kind_tells_the_change_of_every_version(game, letter):
    kind = kinds(game)[letter]
    assert kind.id == letter
    assert sorted(kind.changes) == list(range(1, kind.version + 1))
    assert kind.version <= codes.FIELDS["version"].greatest
    assert set(kind.themes) <= set(core.LEVELS)
    assert all(kind.themes.values())


def _types_within(value):
    yield type(value)
    if is_dataclass(value):
        value = [getattr(value, field.name) for field in fields(value)]
    elif isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _types_within(part)


@every_kind
def test_a_players_sheet_is_made_of_questions_and_plain_data(game, letter):
    sheet, key = sheet_and_key(order(game, letter, count=5))
    assert sheet.code == key.code
    plain = {dict, list, tuple, int, str, bool, type(None)}
    assert set(_types_within(sheet)) <= {core.Sheet, Question, core.Prompt, *plain}
    assert not issubclass(Problem, Question)


@every_kind
def test_other_answers_leave_the_questions_as_they_are(game, letter):
    one, two, *_ = make(order(game, letter, count=2))
    swapped = replace(one, answers=two.answers, argument=two.argument, features=two.features)
    assert swapped != one
    assert swapped.question == one.question


def test_every_key_to_a_fact_of_a_question_is_known_to_hold_no_answer():
    """An allow-list: a new fact in a question has to be thought about here."""
    shown = {
        "a": {"rows", "card"},
        "b": {"rows", "cards"},
        "c": {"rows", "cards", "points"},
        "d": {"rows", "seat", "hand", "others"},
    }
    for letter, names in shown.items():
        for problem in make(order("rowoverflow", letter, count=8)):
            assert set(problem.question.position) == names
            for prompt in problem.question.prompts:
                assert set(prompt.facts) <= ({"card"} if letter == "a" else {"row"})
