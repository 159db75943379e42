"""Every problem solved again by brute force from its question, written from the rules and not from the generator."""

import json
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.games import cascadebeta as game
from kit.games.core import Stream
from kit.games.record import replay
from kit.practice import cascadebeta as maker
from kit.practice import kinds, make, order
from kit.practice.core import LEVELS, Line, Options

STATUS = {rule.id: rule.status for rule in game.RULES}


# The rules once more, in the plainest words of Python. A grid is a list of rows, None where no card lies; rows and
# columns are numbered from 1 where they are named.


def value(card):
    """CB-1."""
    return "A23456789TJQK".index(card[0]) + 1


def row_of(grid, row):
    return [(row, column + 1, card) for column, card in enumerate(grid[row - 1]) if card]


def column_of(grid, column):
    return [(row + 1, column, cards[column - 1]) for row, cards in enumerate(grid) if cards[column - 1]]


def every_line(grid):
    """Every row, then every column, empty cells skipped."""
    numbers = range(1, len(grid) + 1)
    return {("row", n): row_of(grid, n) for n in numbers} | {("column", n): column_of(grid, n) for n in numbers}


def falls(line):
    """CB-8: the neighbours of a line of which the second is lower."""
    return [(one, other) for one, other in pairwise(line) if value(one[2]) > value(other[2])]


def in_order(grid):
    return not any(falls(line) for line in every_line(grid).values())


def laid(grid, row, column, card):
    """The grid with the card in that cell, whatever lay there."""
    rows = [list(cards) for cards in grid]
    rows[row - 1][column - 1] = card
    return rows


def may_go(grid, row, column, card, source):
    """CB-8, CB-9."""
    under = grid[row - 1][column - 1]
    if source == "discard" and under and under[0] == card[0]:
        return False
    return in_order(laid(grid, row, column, card))


def equal_corners(grid, row, column, card):
    """CB-10: the cards of the same rank diagonally next to a cell."""
    found = []
    for r in (row - 1, row + 1):
        for c in (column - 1, column + 1):
            if 1 <= r <= len(grid) and 1 <= c <= len(grid):
                other = grid[r - 1][c - 1]
                if other and other[0] == card[0]:
                    found.append((r, c, other))
    return found


def cells(grid):
    return [(row, column) for row in range(1, len(grid) + 1) for column in range(1, len(grid) + 1)]


def empty(grid):
    return sum(not grid[row - 1][column - 1] for row, column in cells(grid))


def every_try(grid, pile, takes):
    """Every line from here: its placements (rank, row, column), how it ends, how many cells are empty then."""
    for rank in {card[0] for card in pile}:
        card = next(card for card in pile if card[0] == rank)
        left = [other for other in pile if other != card]
        for row, column in cells(grid):
            if not may_go(grid, row, column, card, "discard"):
                continue
            after, under = laid(grid, row, column, card), grid[row - 1][column - 1]
            step = (rank, row, column)
            if empty(after) == 0:
                yield [step], "filled", 0
            elif not equal_corners(after, row, column, card):
                yield [step], "turn_ends", empty(after)
            elif empty(after) > takes - 1:
                yield [step], "takes_out", empty(after)
            else:
                for line, end, free in every_try(after, [*left, *([under] if under else [])], takes - 1):
                    yield [step, *line], end, free


# A reason is true when what it says can be seen in the grid, before the card is laid.


def nearest(grid, row, column):
    """The nearest cards before a cell in its row and column, and after it."""
    in_row = [cell for cell in row_of(grid, row) if cell[1] != column]
    in_column = [cell for cell in column_of(grid, column) if cell[0] != row]
    before = [[c for c in in_row if c[1] < column][-1:], [c for c in in_column if c[0] < row][-1:]]
    after = [[c for c in in_row if c[1] > column][:1], [c for c in in_column if c[0] > row][:1]]
    return [cell for found in before for cell in found], [cell for found in after for cell in found]


def lies_between(key, facts, grid):
    before, after = nearest(grid, facts["row"], facts["column"])
    assert list(facts.get("lower", ())) == before
    assert list(facts.get("higher", ())) == after
    ending = {(True, True): "", (True, False): "_last", (False, True): "_first", (False, False): "_alone"}
    assert key.removeprefix("fits").removeprefix("in_order") == ending[bool(before), bool(after)]
    return may_go(grid, facts["row"], facts["column"], facts["card"], "draw")


def reason_is_true(reason, grid, source):
    """Whether a reason about a card and a cell of this grid is true."""
    facts, key = reason.facts, reason.key
    card, row, column = (facts.get(name) for name in ("card", "row", "column"))
    if key.startswith(("fits", "in_order")):
        return lies_between(key, facts, grid)
    match key:
        case "another_turn" | "goes_on":
            equals = equal_corners(grid, row, column, card)
            more = empty(laid(grid, row, column, card)) > 0
            return equals and sorted(facts["equals"]) == equals and more and may_go(grid, row, column, card, source)
        case "fills":
            return may_go(grid, row, column, card, source) and empty(laid(grid, row, column, card)) == 0
        case "breaks":
            lines = (row_of, row), (column_of, column)
            pairs = [pair for of, n in lines for pair in falls(of(laid(grid, row, column, card), n))]
            assert all((row, column, card) in pair for pair in pairs)
            against = [cell for pair in pairs for cell in pair if cell != (row, column, card)]
            return against and sorted(facts["against"]) == sorted(against)
        case "equal_below":
            return (
                source == "discard" and grid[row - 1][column - 1] == facts["covered"] and facts["covered"][0] == card[0]
            )
        case "no_equal":
            return not equal_corners(grid, row, column, card)
    raise AssertionError(f"nobody knows how to check {key}")


def covering_is_true(reason, grid, row, column, card, source):
    """What is told of the card below."""
    under = grid[row - 1][column - 1]
    assert reason.facts == {"card": card, "covered": under}
    assert (reason.key == "covers_equal") == (under[0] == card[0])
    return reason.key == "covers" or (reason.key == "covers_equal" and source == "draw")


def every_reason(argument):
    match argument:
        case Options():
            for option in argument.options:
                assert option.trace is None
                yield from (option.reason, *option.notes)
        case Line():
            yield argument.trace.order
            for step in argument.trace.steps:
                yield from (step.reason, *step.notes, *step.refuted)
            for miss in argument.near:
                yield from (miss.reason, *miss.notes)
            yield argument.searched


# The kinds


def check_cells(problem, grid, right):
    """(a), (b): every cell is an option; the right ones are the answers, and each reason is true."""
    position = problem.question.position
    card, source = position["card"], position["source"]
    assert right
    assert all(card not in row for row in grid)
    assert list(problem.answers) == [{"row": row, "column": column} for row, column in right]
    assert [option.option for option in problem.argument.options] == [{"row": r, "column": c} for r, c in cells(grid)]
    for option in problem.argument.options:
        row, column = option.option["row"], option.option["column"]
        assert option.right == ((row, column) in right)
        covering = [note for note in option.notes if note.key.startswith("covers")]
        assert len(covering) == bool(option.right and grid[row - 1][column - 1])
        for reason in (option.reason, *option.notes):
            if reason in covering:
                assert covering_is_true(reason, grid, row, column, card, source)
            else:
                assert (reason.facts["card"], reason.facts["row"], reason.facts["column"]) == (card, row, column)
                assert reason_is_true(reason, grid, source), reason
        yield option


def check_place(problem, grid):
    position = problem.question.position
    card, source = position["card"], position["source"]
    right = [cell for cell in cells(grid) if may_go(grid, *cell, card, source)]
    for option in check_cells(problem, grid, right):
        assert option.reason.key.startswith("fits") if option.right else option.reason.rule in ("CB-8", "CB-9")
    assert problem.question.prompts[0].key == f"place_{source}"
    assert problem.question.prompts[0].facts == {"card": card}


def check_turn(problem, grid):
    position = problem.question.position
    card, source = position["card"], position["source"]
    assert empty(grid) > 1, "the last cell would win, and there is no other turn"
    right = [
        cell for cell in cells(grid) if may_go(grid, *cell, card, source) and equal_corners(grid, *cell, card)
    ]  # fmt: skip
    for option in check_cells(problem, grid, right):
        assert option.right == (option.reason.key == "another_turn")
        assert any(note.key.startswith("in_order") for note in option.notes) == option.right
    assert problem.question.prompts[0].key == f"turn_{source}"
    assert problem.question.prompts[0].facts == {"card": card}


def check_order(problem, grid):
    lines = every_line(grid)
    pairs = [pair for line in lines.values() for pair in falls(line)]
    assert pairs
    assert list(problem.answers) == [{"cells": [list(one[:2]), list(other[:2])]} for one, other in pairs]
    assert [option.option for option in problem.argument.options] == [{line: number} for line, number in lines]
    for option, ((line, number), cards) in zip(problem.argument.options, lines.items(), strict=True):
        falling, facts, (key, rule) = falls(cards), option.reason.facts, (option.reason.key, option.reason.rule)
        assert option.right == bool(falling)
        assert rule == "CB-8"
        assert option.notes == ()
        if falling:
            [(one, other)] = falling  # one card is changed, so a line falls once at most
            at, across = (1, "column") if line == "row" else (0, "row")
            assert key == f"{line}_falls"
            assert facts == {
                line: number, across: one[at], "card": one[2], f"next_{across}": other[at], "next": other[2],
            }  # fmt: skip
        elif len(cards) > 1:
            assert (key, facts) == (f"{line}_holds", {line: number, "cards": tuple(card for _, _, card in cards)})
        else:
            assert (key, facts) == (f"{line}_of_one", {line: number, "card": cards[0][2]})


def placements(moves):
    """The placements of a line as (rank, row, column)."""
    assert all(move.startswith(("take ", "place ")[n % 2]) for n, move in enumerate(moves))
    placed = [tuple(map(int, move.split()[1:])) for move in moves[1::2]]
    return [(move.split()[1][0], *cell) for move, cell in zip(moves[::2], placed, strict=True)]


def check_chain(problem, grid):
    position, argument = problem.question.position, problem.argument
    pile, takes = list(position["discard"]), position["takes"]
    assert problem.question.prompts[0].facts == {"takes": takes}
    found = list(every_try(grid, pile, takes))
    filled = [line for line, end, _ in found if end == "filled"]
    assert len(filled) == 1, "exactly one line fills the grid"
    [answer] = problem.answers
    assert placements(answer["moves"]) == filled[0]
    assert len(answer["moves"]) <= 2 * takes
    assert argument.searched.facts == {"searched": len(found), "takes": takes}
    check_chain_trace(argument.trace, grid, pile, answer["moves"])
    assert 1 <= len(argument.near) <= 3
    fewest = min(free for _, end, free in found if end != "filled")
    assert min(miss.reason.facts["empty"] for miss in argument.near) == fewest
    for miss in argument.near:
        check_miss(miss, found, takes)


def check_chain_trace(trace, grid, pile, moves):
    """Each step is told truly, in the grid as it is then; every card comes from the pile."""
    assert trace.order.facts == {"cards": tuple(move.split()[1] for move in moves[::2])}
    assert len(trace.steps) == len(moves) // 2
    covered = []
    for step, take, place in zip(trace.steps, moves[::2], moves[1::2], strict=True):
        card, row, column = take.split()[1], *map(int, place.split()[1:])
        assert step.facts == {"card": card, "row": row, "column": column}
        assert card in pile
        pile.remove(card)
        assert reason_is_true(step.reason, grid, "discard"), step.reason
        assert step.reason.key == ("fills" if step is trace.steps[-1] else "goes_on")
        between, *notes = step.notes
        assert between.key.startswith("in_order")
        assert reason_is_true(between, grid, "discard")
        under = grid[row - 1][column - 1]
        keys = ["covers"] * bool(under) + ["covered_before"] * (card in covered)
        assert [note.key for note in notes] == keys
        for note in notes:
            if note.key == "covers":
                assert covering_is_true(note, grid, row, column, card, "discard")
            else:
                assert note.facts == {"card": card}
        if under:
            covered.append(under)
            pile.append(under)
        grid = laid(grid, row, column, card)


def check_miss(miss, found, takes):
    """A near miss is one of the lines that fail, and fails as is told."""
    moves = miss.option["moves"]
    [(_, end, free)] = [one for one in found if one[0] == placements(moves)]
    assert not miss.right
    assert miss.reason.key == end
    if end == "takes_out":
        assert miss.reason.facts == {"empty": free, "left": takes - len(moves) // 2, "takes": takes}
        assert miss.reason.rule == "CB-12"
        assert free > miss.reason.facts["left"]
    else:
        rank, row, column = placements(moves)[-1]
        assert miss.reason.facts["card"][0] == rank
        assert miss.reason.facts == {"card": moves[-2].split()[1], "row": row, "column": column, "empty": free}


CHECKS = {"a": check_place, "b": check_turn, "c": check_order, "d": check_chain}


def check(problem):
    """The whole of a problem: answers, uniqueness, every reason, and that play could have led to it."""
    question = problem.question
    grid = [list(row) for row in question.position["grid"]]
    assert in_order(grid) == (question.kind != "c")
    CHECKS[question.kind](problem, grid)
    for reason in every_reason(problem.argument):
        assert maker.REASONS[reason.key] == (reason.facts.keys(), reason.rule)
    assert len(question.prompts) == 1
    assert maker.PROMPTS[question.prompts[0].key].facts == question.prompts[0].facts.keys()
    assert problem.readings == ()
    check_origin(problem)


@cache
def replayed(start, moves):
    """The replay of a record (as text: many problems come from one game)."""
    record = {"game": "cascadebeta", "start": json.loads(start), "moves": json.loads(moves)}
    return replay(record, lambda _: game).positions[-1]


def check_origin(problem):
    """The position is where the record of legal play ends, and nothing in it hangs on an open reading."""
    asked, moves = problem.question.position, problem.origin["moves"]
    at = replayed(json.dumps(problem.origin["start"]), json.dumps(moves))
    thrown_back = [(one, other) for one, other in pairwise(moves) if one.startswith("take") and other == "discard"]
    assert not thrown_back, "CB-R2"
    spelled = [tuple(None if card == ".." else card for card in grid) for grid in at.grids]
    cards = tuple(card for row in asked["grid"] for card in row)
    if problem.question.kind == "c":
        changed = [sum(one != other for one, other in zip(grid, cards, strict=True)) for grid in spelled]
        assert 1 in changed
        assert len([card for card in cards if card]) == len({card for card in cards if card})
        return
    assert spelled[at.to_move] == cards
    if problem.question.kind == "d":
        assert (at.phase, at.discard, len(at.starts)) == ("take", asked["discard"], 1)
    else:
        assert at.taken == (asked["card"], asked["source"])


# Many problems


def every_problem(played, stream):
    """Everything in a game that (a) and (b) can ask, whatever its level, and some of what (c) can."""
    for holding in maker.holdings(played):
        _, grid, card, source = holding
        if features := maker.place_features(grid, card, source):
            yield maker.place_problem(played, holding, features, 1)
        if features := maker.turn_features(grid, card, source):
            yield maker.turn_problem(played, holding, features, 1)
    for number, position in played.turns():
        grid, card = stream.choice(position.grids), stream.choice(game.DECK)
        at = stream.choice([n for n, other in enumerate(grid) if other != game.EMPTY])
        cell = game.Cell(at // grid.size + 1, at % grid.size + 1, card)
        features = maker.order_features(grid, cell)
        if features and card not in grid:
            yield maker.order_problem(played, number, (*grid[:at], card, *grid[at + 1 :]), features, 1)


@pytest.fixture(scope="module")
def problems():
    """Hundreds of problems out of some games, by kind."""
    found = defaultdict(list)
    for seed in range(16):
        stream = Stream(f"game {seed}")
        for problem in every_problem(maker.play_game(stream), stream):
            found[problem.question.kind].append(problem)
    for theme in ("free", "covers"):
        for seed in range(16):
            stream = Stream(f"chain {seed}")
            found["d"] += filter(None, (maker.find_chain(stream, level, theme) for level in LEVELS))
    return found


def test_every_problem_is_solved_again_by_brute_force(problems):
    assert {kind: len(found) for kind, found in problems.items() if len(found) > 40}.keys() == set("abcd")
    assert sum(map(len, problems.values())) > 800
    for found in problems.values():
        for problem in found:
            check(problem)


MEASURED = {
    "a": (maker.PLACE_WEIGHTS, maker.PLACE_LEVELS, maker.place_theme),
    "b": (maker.TURN_WEIGHTS, maker.TURN_LEVELS, maker.turn_theme),
    "c": (maker.ORDER_WEIGHTS, maker.ORDER_LEVELS, maker.order_theme),
    "d": (maker.CHAIN_WEIGHTS, maker.CHAIN_LEVELS, maker.chain_theme),
}


@pytest.mark.parametrize("letter", "abcd")
def test_what_is_ordered_is_solved_again_too_at_its_level_and_theme(letter):
    weights, least, theme = MEASURED[letter]
    offered = kinds("cascadebeta")[letter].themes
    for level in offered:
        for problem in make(order("cascadebeta", letter, level=level, count=4, seed=level)):
            check(problem)
            assert problem.question.level == level
            score = maker.weigh(problem.features, weights)
            assert [n for n, bound in enumerate(least, 1) if score >= bound][-1] == level
            assert theme(problem.features) in offered[level]


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
            replace(first, origin=found[-1].origin),
        ):
            if damaged != first:
                with pytest.raises((AssertionError, IndexError, KeyError, StopIteration, ValueError)):
                    check(damaged)


def test_every_reason_and_prompt_is_used_and_cites_a_rule_of_the_game(problems):
    everything = [problem for found in problems.values() for problem in found]
    used = {reason.key for problem in everything for reason in every_reason(problem.argument)}
    assert used == set(maker.REASONS)
    assert {prompt.key for problem in everything for prompt in problem.question.prompts} == set(maker.PROMPTS)
    assert all(STATUS[slots.rule] == "rule" for slots in maker.REASONS.values())


def test_every_key_to_a_fact_of_a_question_is_known_to_hold_no_answer(problems):
    """An allow-list: a new fact in a question has to be thought about here."""
    shown = {
        "a": ({"grid", "card", "source"}, {"card"}),
        "b": ({"grid", "card", "source"}, {"card"}),
        "c": ({"grid"}, set()),
        "d": ({"grid", "discard", "takes"}, {"takes"}),
    }
    for letter, (names, facts) in shown.items():
        for problem in problems[letter]:
            assert set(problem.question.position) == names
            assert all(set(prompt.facts) == facts for prompt in problem.question.prompts)


def test_the_order_of_the_discard_pile_does_not_tell_the_chain(problems):
    """The card that is taken first lies now here, now there."""
    first = Counter()
    for problem in problems["d"]:
        pile = problem.question.position["discard"]
        if len(pile) > 2:
            first[pile.index(problem.answers[0]["moves"][0].split()[1])] += 1
    assert len(first) > 3
    assert max(first.values()) < sum(first.values()) / 2


@pytest.mark.parametrize("letter", "abcd")
def test_a_mixed_sheet_of_eight_shows_what_the_kind_is_about(letter):
    for seed in range(3):
        sheet = make(order("cascadebeta", letter, count=8, seed=seed))
        themes = Counter(MEASURED[letter][2](problem.features) for problem in sheet)
        assert len(themes) == len(
            {theme for themes in kinds("cascadebeta")[letter].themes.values() for theme in themes}
        )
        assert max(themes.values()) <= 6
        if letter == "a":
            keys = {reason.key for problem in sheet for reason in every_reason(problem.argument)}
            assert {"covers_equal", "equal_below", "breaks"} <= keys


# Levels


@pytest.mark.parametrize("letter", "abcd")
def test_no_feature_makes_a_problem_easier_and_the_bounds_of_levels_rise(letter, problems):
    weights, least, _ = MEASURED[letter]
    assert all(weight > 0 for weight in weights.values())
    assert len(least) == len(LEVELS)
    assert list(least) == sorted(set(least))
    assert all(problem.features.keys() == weights.keys() for problem in problems[letter])


def measured(problem):
    """The features of a problem of kind (a) to (c), as they are described, counted cell by cell."""
    position = problem.question.position
    grid = [list(row) for row in position["grid"]]
    large = int(len(grid) == 5)
    if problem.question.kind == "c":
        pairs = [pair for line in every_line(grid).values() for pair in falls(line)]
        return {
            "large": large,
            "cards": (len(cells(grid)) - empty(grid) - len(grid)) // 3,
            "near": sum(value(one[2]) - value(other[2]) <= 2 for one, other in pairs),
            "across": sum(other[0] - one[0] + other[1] - one[1] > 1 for one, other in pairs),
            "more": len(pairs) - 1,
        }
    card, source = position["card"], position["source"]
    right = [(answer["row"], answer["column"]) for answer in problem.answers]
    covers = sum(grid[row - 1][column - 1] is not None for row, column in right)
    equals = [(r, c) for r, c in cells(grid) if grid[r - 1][c - 1] and grid[r - 1][c - 1][0] == card[0]]
    if problem.question.kind == "a":
        ways = [
            bool(falls(row_of(after, row))) != bool(falls(column_of(after, column)))
            for row, column in cells(grid)
            for after in [laid(grid, row, column, card)]
        ]
        piles = {"draw": "opened", "discard": "closed"}
        counts = {pile: len(equals) if piles[source] == pile else 0 for pile in piles.values()}
        cards = (len(cells(grid)) - empty(grid) - len(grid)) // 2
        return {"large": large, "cards": cards, "one_way": min(sum(ways), 6), "covers": covers, **counts}
    allowed = [cell for cell in cells(grid) if may_go(grid, *cell, card, source)]
    diagonally = [cell for cell in cells(grid) if equal_corners(grid, *cell, card)]
    beside = [(r, c) for r, c in cells(grid) if any(abs(r - row) + abs(c - column) == 1 for row, column in equals)]
    return {
        "large": large,
        "closed": sum(cell not in allowed for cell in diagonally),
        "beside": sum(cell in allowed and cell not in diagonally for cell in beside),
        "covers": covers,
        "more": len(right) - 1,
    }


def test_features_are_what_they_are_said_to_be(problems):
    for letter in "abc":
        for problem in problems[letter][::3]:
            assert problem.features == measured(problem)
    for problem in problems["d"]:
        position, [answer] = problem.question.position, problem.answers
        grid, pile = [list(row) for row in position["grid"]], position["discard"]
        line, found = placements(answer["moves"]), list(every_try(grid, pile, position["takes"]))
        firsts = {one[0] for one, end, _ in found if len(one) > 1 or end == "takes_out"} - {line[0]}
        spare = {card[0] for card in pile} - {rank for rank, _, _ in line}
        assert problem.features == {
            "takes": position["takes"] - 2,
            "covers": len(line) - empty(grid),
            "lures": min(len(firsts), 6),
            "spare": len(spare) // 2,
        }


def test_the_last_cell_and_a_grid_in_order_are_no_question():
    """The last cell wins, and there is no other turn (CB-R4)."""
    grid = game.Grid(["2s", "3h", "4h", "5h", "3c", "6h", "7h", "8h", "4c", "7c", "9c", "9h", "5c", "8c", "9d", ".."])
    assert maker.turn_features(grid, "9s", "draw") is None
    assert maker.order_features(grid, game.Cell(1, 1, "2h")) is None


# Repeats


def transposed(grid):
    return game.Grid(grid[row * grid.size + column] for column in range(grid.size) for row in range(grid.size))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.permutations("shdc"))
def test_fingerprints_forget_suits_and_what_is_row_or_column(seed, suits):
    rename = dict(zip("shdc", suits, strict=True))
    stream = Stream(f"twin {seed}")
    played = maker.play_game(stream)
    number, grid, card, source = stream.choice(list(maker.holdings(played)))
    other = transposed(game.Grid(c if c == game.EMPTY else c[0] + rename[c[1]] for c in grid))
    one, two = (
        maker.Holding(number, grid, card, source),
        maker.Holding(number, other, card[0] + rename[card[1]], source),
    )
    assert one.shape == two.shape


def same(problem):
    """What a problem asks, up to suits and transposing, written anew."""
    position = problem.question.position
    grid = [[card[0] if card else "." for card in row] for row in position["grid"]]
    turned = [list(column) for column in zip(*grid, strict=True)]
    source = position.get("source")
    if "card" in position and not any(position["card"][0] in row for row in grid):
        source = None  # CB-9 has nothing to say, so both piles ask the same
    pile = sorted(card[0] for card in position.get("discard", ()))
    return sorted([grid, turned]), position.get("card", "-")[0], source, pile, position.get("takes")


def test_different_problems_have_different_fingerprints(problems):
    """Two problems share a fingerprint exactly when they ask the same."""
    for found in problems.values():
        seen = {}
        for problem in found:
            assert seen.setdefault(problem.fingerprint, same(problem)) == same(problem)
        assert len(seen) == len({json.dumps(asked) for asked in seen.values()})


def test_the_drafts_of_chains_are_played_as_they_were_drawn_up(problems):
    """Seat 0 is to move, and could draw: it is the problem that says not to."""
    for problem in problems["d"]:
        at = replayed(json.dumps(problem.origin["start"]), json.dumps(problem.origin["moves"]))
        assert at.to_move == 0
        assert at.draw
