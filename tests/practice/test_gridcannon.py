"""Every problem solved again by brute force from its question, written from the rules and not from the generator."""

import json
from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.games import gridcannon as game
from kit.games.core import Stream
from kit.games.record import replay
from kit.practice import gridcannon as maker
from kit.practice import kinds, make, order
from kit.practice.core import Line, Options, Working

STATUS = {rule.id: rule.status for rule in game.RULES}


# The rules once more, in the plainest words of Python. A grid is rows of stacks, bottom first; cells are (row, column)
# from 1; a royal is {"card", "armour", "dead"}; "--" is an empty place.

CELLS = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
PLACES = [side + str(number) for side in "TBLR" for number in (1, 2, 3)]


def number(card):
    return 0 if card == "--" else 10 if card[0] == "T" else int(card[0])


def red(card):
    return card[1] in "hd"


def top(grid, cell):
    stack = grid[cell[0] - 1][cell[1] - 1]
    return stack[-1] if stack else "--"


def facing(place):
    """GC-3: the cells of the row or column that a place stands at, from the nearest to the farthest."""
    side, n = place[0], int(place[1])
    cells = [(n, 1), (n, 2), (n, 3)] if side in "LR" else [(1, n), (2, n), (3, n)]
    return cells if side in "LT" else cells[::-1]


def nearness(royal, card):
    """GC-6, GC-R2: the greater, the more similar."""
    if card == "--":
        return (0, 0)
    kin = 3 if card[1] == royal[1] else 2 if red(card) == red(royal) else 1
    return (kin, number(card))


def royal_places(grid, royals, royal):
    """GC-6, GC-7, GC-R2."""
    free = [place for place in PLACES if place not in royals]
    best = max(nearness(royal, top(grid, facing(place)[0])) for place in free)
    return [place for place in free if nearness(royal, top(grid, facing(place)[0])) == best]


def passed(grid, royals, royal):
    """GC-R2: the cards more similar than the one that decides."""
    (place, *_) = royal_places(grid, royals, royal)
    best = nearness(royal, top(grid, facing(place)[0]))
    return [top(grid, cell) for cell in CELLS if nearness(royal, top(grid, cell)) > best]


def fits(grid, card):
    """GC-9, GC-14."""
    return [cell for cell in CELLS if number(top(grid, cell)) <= number(card)]


def worth(royal, card):
    """GC-11, GC-14."""
    if card == "--" or (royal[0] == "Q" and red(card) != red(royal)) or (royal[0] == "K" and card[1] != royal[1]):
        return 0
    return number(card)


def health(royal):
    """GC-11, GC-16."""
    return {"J": 11, "Q": 12, "K": 13}[royal["card"][0]] + sum(map(number, royal["armour"]))


def shots(grid, royals, cell):
    """GC-10, GC-12: of each living royal at the other end of a line of that cell: its place, the two attackers from the
    one nearest to the cell, what they are worth, the sum, the health, and whether it dies."""
    found = []
    for place in sorted(royals):
        near, middle, far = facing(place)
        if far == cell and not royals[place]["dead"]:
            cards = [top(grid, middle), top(grid, near)]
            counts = [worth(royals[place]["card"], card) for card in cards]
            found.append(
                {"place": place, "cards": cards, "counts": counts, "total": sum(counts)}
                | {"health": health(royals[place]), "dead": sum(counts) >= health(royals[place])}
            )
    return found


def armour_nearness(royal, card):
    """GC-16: the less, the more similar."""
    kin = 0 if royal[1] == card[1] else 1 if red(royal) == red(card) else 2
    return (kin, "JQK".index(royal[0]))


def takers(royals, card):
    """GC-16, GC-R7."""
    living = [place for place in PLACES if place in royals and not royals[place]["dead"]]
    least = min(armour_nearness(royals[place]["card"], card) for place in living)
    return [place for place in living if armour_nearness(royals[place]["card"], card) == least]


def put(grid, cell, card):
    """The grid with one more card."""
    return [[[*s, card] if (r, c) == cell else s for c, s in enumerate(row, 1)] for r, row in enumerate(grid, 1)]


def without(grid, cell, cards=1):
    """The grid with so many cards less on a stack."""
    return [
        [s[: len(s) - cards] if (r, c) == cell else s for c, s in enumerate(row, 1)] for r, row in enumerate(grid, 1)
    ]


def play_out(grid, royals, ploys, cards, target):
    """Every line: the moves of those that kill, how many end, and the end of each line by its moves."""
    kills, ends, counted = [], {}, 0

    def killed(now, cell):
        return any(shot["dead"] for shot in shots(now, royals, cell) if shot["place"] == target)

    def go(now, ploys, cards, line):
        nonlocal counted
        ends[line] = now
        spots = fits(now, cards[0]) if cards else []
        moves = [(f"place {r} {c}", (r, c), put(now, (r, c), cards[0]), ploys, cards[1:]) for r, c in spots]
        for ploy in {p[0]: p for p in sorted(ploys, key=game.DECK.index, reverse=True)}.values():
            left = [p for p in ploys if p != ploy]
            for a, b in CELLS:
                stack = now[a - 1][b - 1]
                if stack and ploy[0] == "A":
                    moves.append((f"extract {ploy} {a} {b}", None, without(now, (a, b), len(stack)), left, cards))
                elif stack:
                    for r, c in fits(now, stack[-1]):
                        if (r, c) != (a, b):
                            after = put(without(now, (a, b)), (r, c), stack[-1])
                            moves.append((f"reassign {ploy} {a} {b} {r} {c}", (r, c), after, left, cards))
        counted += not spots
        for told, cell, after, left, rest in moves:
            if cell and killed(after, cell):
                kills.append([*line, told])
                counted += 1
            else:
                go(after, left, rest, (*line, told))

    go(grid, list(ploys), list(cards), ())
    return kills, counted, ends


# A reason is true when what it says can be seen on the table.


def shot_is_told(facts, grid, royals, cells):
    """Whether a card laid on one of the cells fires as the facts say."""
    for cell in cells:
        for shot in shots(grid, royals, cell):
            royal = royals[shot["place"]]
            if shot["place"] == facts["place"]:
                return (
                    facts["royal"] == royal["card"]
                    and list(facts["attackers"]) == shot["cards"]
                    and list(facts["counts"]) == shot["counts"]
                    and (facts["total"], facts["health"]) == (shot["total"], shot["health"])
                    and facts["who"] == {"J": "any", "Q": "colour", "K": "suit"}[royal["card"][0]]
                )
    return False


def royal_reason_is_true(reason, grid, royals, royal):
    facts, key = reason.facts, reason.key
    right = royal_places(grid, royals, royal)
    decides = top(grid, facing(right[0])[0])
    if key == "choice":
        return list(facts["places"]) == right and len(right) > 1
    if key == "passed_over":
        return sorted(facts["cards"]) == sorted(passed(grid, royals, royal)) and facts["royal"] == royal
    place = facts["place"]
    there, beside = royals.get(place), top(grid, facing(place)[0])
    assert facts.get("royal", royal) == royal
    assert facts.get("card", beside) == beside
    if "better" in facts:
        assert any(top(grid, facing(other)[0]) == facts["better"] for other in right)
        assert nearness(royal, beside) < nearness(royal, facts["better"])
        assert there is None
    kin = {"suit": 3, "colour": 2, "any": 1}.get(facts.get("step"))
    over = passed(grid, royals, royal)
    assert key.endswith("_next") == bool(over) or key in ("taken", "taken_by_dead", "empty_is_last")
    match key:
        case "taken":
            return there and not there["dead"] and there["card"] == facts["holder"]
        case "taken_by_dead":
            return there and there["dead"]
        case "beside":
            return place in right and nearness(royal, beside)[0] == kin and not over
        case "beside_next":
            return place in right and over
        case "empty_is_last":
            return beside == "--"
        case "less_alike" | "less_alike_next":
            return nearness(royal, beside)[0] < nearness(royal, decides)[0] == kin and kin > 1
        case "lower" | "lower_next":
            return nearness(royal, beside)[0] == nearness(royal, decides)[0] and number(beside) < number(decides)
    raise AssertionError(f"nobody knows how to check {key}")


def card_reason_is_true(reason, grid, card):
    facts = reason.facts
    on = top(grid, (facts["row"], facts["column"]))
    assert facts["card"] == card
    assert facts.get("on", on) == on
    how = {"on_lower": 0 < number(on) < number(card), "on_equal": number(on) == number(card)}
    return (how | {"on_empty": on == "--", "too_high": number(on) > number(card)})[reason.key]


def armoured_is_true(facts, royals):
    royal = royals[facts["place"]]
    assert royal["card"] == facts["royal"]
    assert facts["base"] == {"J": 11, "Q": 12, "K": 13}[royal["card"][0]]
    return sorted(facts["armour"]) == sorted(royal["armour"]) != [] and facts["health"] == health(royal)


# The kinds


def check_royal(problem):
    position = problem.question.position
    grid, royals, royal = position["grid"], position["royals"], position["royal"]
    right = royal_places(grid, royals, royal)
    assert [answer["place"] for answer in problem.answers] == right
    assert [option.option["place"] for option in problem.argument.options] == PLACES
    assert 0 < len(right) < len(set(PLACES) - set(royals))
    told = []
    for option in problem.argument.options:
        assert option.right == (option.option["place"] in right) == option.reason.key.startswith("beside")
        assert option.reason.facts["place"] == option.option["place"]
        for reason in (option.reason, *option.notes):
            assert royal_reason_is_true(reason, grid, royals, royal), reason
        told += [note.key for note in option.notes]
    assert sorted(told) == ["choice"] * (len(right) > 1) + ["passed_over"] * bool(passed(grid, royals, royal))


def check_card(problem):
    grid, card = problem.question.position["grid"], problem.question.position["card"]
    right = fits(grid, card)
    assert [(answer["row"], answer["column"]) for answer in problem.answers] == right
    assert 0 < len(right) < 9
    assert [(option.option["row"], option.option["column"]) for option in problem.argument.options] == CELLS
    for option in problem.argument.options:
        cell = option.option["row"], option.option["column"]
        assert cell == (option.reason.facts["row"], option.reason.facts["column"])
        assert option.right == (cell in right) == (option.reason.key != "too_high")
        assert card_reason_is_true(option.reason, grid, card), option


def check_kill(problem):
    position = problem.question.position
    grid, royals, card = position["grid"], position["royals"], position["card"]
    legal = fits(grid, card)
    dead = {cell: [s["place"] for s in shots(grid, royals, cell) if s["dead"]] for cell in CELLS}
    kills = [cell for cell in legal if dead[cell]]
    assert len(kills) == 1 < len(legal)
    assert problem.answers == ({"row": kills[0][0], "column": kills[0][1], "kills": dead[kills[0]]},)
    options = {(o.option["row"], o.option["column"]): o for o in problem.argument.options}
    assert list(options) == [cell for cell in CELLS if cell in legal or dead[cell]]
    for cell, option in options.items():
        facts, key, fired = option.reason.facts, option.reason.key, shots(grid, royals, cell)
        assert (facts["row"], facts["column"]) == cell
        assert option.right == (cell in kills) == (key == "kill")
        if cell not in legal:
            assert key == "would_kill"
            assert (facts["card"], facts["on"]) == (card, top(grid, cell))
            assert number(facts["on"]) > number(card)
            assert list(facts["royals"]) == [royals[place]["card"] for place in dead[cell]]
            continue
        if not fired:
            assert key == ("centre" if cell == (2, 2) else "no_target")
            assert not option.notes
            continue
        told = [reason for reason in (option.reason, *option.notes) if reason.key != "armoured"]
        assert sorted(reason.facts["place"] for reason in told) == [shot["place"] for shot in fired]
        for reason in told:
            assert shot_is_told(reason.facts, grid, royals, [cell])
            enough = reason.facts["total"] >= reason.facts["health"]
            assert reason.key in (("kill", "attack_kills") if enough else ("short", "attack_short"))
        worn = [reason for reason in option.notes if reason.key == "armoured"]
        assert all(armoured_is_true(reason.facts, royals) for reason in worn)
        assert {r.facts["place"] for r in worn} == {s["place"] for s in fired if royals[s["place"]]["armour"]}


def check_line(problem):
    position = problem.question.position
    grid, royals, target = position["grid"], position["royals"], position["target"]
    kills, counted, ends = play_out(grid, royals, position["ploys"], position["cards"], target)
    assert len(kills) == 1
    assert problem.answers == ({"moves": kills[0]},)
    assert sum(move.startswith("place") for move in kills[0]) == len(position["cards"]) in (2, 3)
    assert problem.argument.searched.facts == {"lines": counted}
    assert problem.argument.searched.key == ("searched_ploys" if position["ploys"] else "searched")
    assert counted >= 9
    assert not royals[target]["dead"]
    trace = problem.argument.trace
    assert trace.order.facts == {"cards": tuple(position["cards"])}
    assert [step.facts["move"] for step in trace.steps] == kills[0]
    check_steps(problem, kills[0], ends)
    assert 1 <= len(problem.argument.near) <= 3
    for miss in problem.argument.near:
        check_miss(miss, position, ends)


def cell_of(move):
    return tuple(map(int, move.split()[-2:]))


def source_of(move):
    return tuple(map(int, move.split()[2:4]))


def laid(move, before, cards):
    """The card that a move lays; `cards` are those still to come."""
    return top(before, source_of(move)) if move.startswith("reassign") else next(cards)


def check_steps(problem, moves, ends):
    """What each step of the line says, before it is done, and what becomes of it in the end."""
    position, steps = problem.question.position, problem.argument.trace.steps
    royals, target = {place: dict(royal) for place, royal in position["royals"].items()}, position["target"]
    cards = iter(position["cards"])
    near, middle, _ = facing(target)
    grids = [ends[tuple(moves[:n])] for n in range(len(moves))]
    put_down = [None if m.startswith("extract") else laid(m, g, cards) for m, g in zip(moves, grids, strict=True)]
    last = put(grids[-1], cell_of(moves[-1]), put_down[-1])
    if moves[-1].startswith("reassign"):
        last = put(without(grids[-1], source_of(moves[-1])), cell_of(moves[-1]), put_down[-1])
    attackers = {top(last, middle), top(last, near)}
    for n, (step, move, grid, card) in enumerate(zip(steps, moves, grids, put_down, strict=True)):
        cell, why, notes = cell_of(move), step.reason, {note.key: note.facts for note in step.notes}
        on = top(grid, cell)
        assert (why.facts["row"], why.facts["column"]) == cell
        assert step.facts["card"] == (card or move.split()[1])
        assert why.facts.get("ploy", move.split()[1]) == move.split()[1]
        assert why.facts.get("on", on) == on
        after = ends.get(tuple(moves[: n + 1]), last)
        fills = {
            other: put_down[n + 1 :][k] for k, other in reversed([*enumerate(map(cell_of, moves[n + 1 :]))])
        }  # the next card on each cell
        left = [other for m, other in zip(moves[n + 1 :], put_down[n + 1 :], strict=True) if m.startswith("place")]
        early = not move.startswith("place") and left != []  # a ploy may come before the next card is turned up
        assert notes.pop("before_turn", None) == ({"ploy": move.split()[1], "card": left[0]} if early else None)
        if move.startswith("extract"):
            assert why.key == "extract"
            assert list(why.facts["cards"]) == grid[cell[0] - 1][cell[1] - 1]
            assert set(notes) == {"makes_room"}
            assert notes["makes_room"] == {"card": fills[cell], "row": cell[0], "column": cell[1]}
            continue
        assert why.facts["card"] == card
        stem = "reassign" if move.startswith("reassign") else "lay"
        ending = ("_to_empty" if stem == "reassign" else "_on_empty") if on == "--" else ""
        assert why.key == stem + ending
        fired = shots(after, royals, cell)
        dead = {shot["place"] for shot in fired if shot["dead"]}
        told = [note for note in step.notes if note.key == "attack_kills"]
        assert {note.facts["place"] for note in told} == dead
        assert all(shot_is_told(note.facts, after, royals, [cell]) for note in told)
        assert (target in dead) == (n == len(moves) - 1)
        for place in dead:
            royals[place]["dead"] = place != target
        uncovered = top(after, source_of(move)) if move.startswith("reassign") else "--"
        assert ("brings_up" in notes) == (uncovered in attackers)
        if "brings_up" in notes:
            assert notes["brings_up"] == {"card": uncovered, "royal": royals[target]["card"]}
        if n == len(moves) - 1:
            wanted = {"attack_kills", "armoured"} if royals[target]["armour"] else {"attack_kills"}
            assert set(notes) - {"brings_up"} == wanted
            assert "armoured" not in notes or armoured_is_true(notes["armoured"], royals)
            continue
        assert ("will_attack" in notes) == (card in attackers)
        assert ("spare" in notes) == (card not in attackers and not move.startswith("reassign"))
        assert set(notes) - {"attack_kills"}
        if "will_attack" in notes:
            assert notes["will_attack"] == {"card": card, "royal": royals[target]["card"]}
        if "makes_lower" in notes:
            row, column = source_of(move)
            assert notes["makes_lower"] == {"card": fills[row, column], "row": row, "column": column}
            assert number(top(grid, (row, column))) > number(fills[row, column])


def check_miss(miss, position, ends):
    """A near miss is a line that there is (or that ends on the trigger against GC-9), and its attack is not enough."""
    moves, royals, target, facts = miss.option["moves"], position["royals"], position["target"], miss.reason.facts
    trigger = facing(target)[2]
    before = ends[tuple(moves[:-1])]
    assert not miss.right
    assert facts["royal"] == royals[target]["card"]
    assert cell_of(moves[-1]) == trigger
    if miss.reason.key == "no_trigger":
        assert moves[-1].startswith("place")
        assert facts["on"] == top(before, trigger)
        assert (facts["row"], facts["column"]) == trigger
        done = sum(move.startswith("place") for move in moves[:-1])
        assert facts["card"] == position["cards"][done] == position["cards"][-1]
        assert number(facts["card"]) < number(facts["on"])
        assert any(s["dead"] for s in shots(before, royals, trigger) if s["place"] == target)
        return
    assert miss.reason.key == "attack_short"
    after = ends[tuple(moves)]
    assert facts["place"] == target
    assert shot_is_told(facts, after, royals, [trigger])
    assert facts["total"] < facts["health"]


def check_armour(problem):
    position = problem.question.position
    grid, royals, card = position["grid"], position["royals"], position["card"]
    assert fits(grid, card) == []
    right = takers(royals, card)
    assert [answer["place"] for answer in problem.answers] == right
    assert sum(not royal["dead"] for royal in royals.values()) > 1
    assert [option.option["place"] for option in problem.argument.options] == [p for p in PLACES if p in royals]
    taker = royals[right[0]]["card"]
    for option in problem.argument.options:
        place, facts, key = option.option["place"], option.reason.facts, option.reason.key
        royal = royals[place]
        assert facts["place"] == place
        assert facts.get("royal", royal["card"]) == royal["card"]
        assert facts.get("card", card) == card
        assert option.right == (place in right) == (key == "takes")
        assert (key == "dead") == royal["dead"]
        kin = ("suit", "colour", "any").index(facts["step"]) if "step" in facts else None
        mine, best = armour_nearness(royal["card"], card), armour_nearness(taker, card)
        if key == "takes":
            assert mine == best and mine[0] == kin
        elif key == "royal_less_alike":
            assert mine[0] > best[0] == kin < 2 and facts["better"] == taker
        elif key != "dead":
            assert mine[0] == best[0] and mine[1] > best[1] and facts["better"] == taker
            assert (key == "armour_not_counted") == (health(royal) <= health(royals[right[0]]))
        worn = health(royal) + number(card)
        limit = {"J": 20, "Q": 20, "K": 19}[royal["card"][0]]
        wanted = []
        if option.right and worn >= limit:
            wanted.append({"royal": royal["card"], "place": place, "health": worn, "limit": limit})
        if len(right) > 1 and place == right[-1]:
            wanted.append({"royals": tuple(royals[other]["card"] for other in right)})
        assert [note.facts for note in option.notes] == wanted
        assert all((note.key == "equals") == ("royals" in note.facts) for note in option.notes)
    alike = [
        p for p, r in royals.items() if not r["dead"] and armour_nearness(r["card"], card)[0] == best_kin(royals, card)
    ]
    by_health = {p for p in alike if health(royals[p]) == min(health(royals[q]) for q in alike)}
    assert problem.readings == (("GC-R7",) if len(right) > 1 or by_health != set(right) else ())
    assert [p.facts for p in problem.question.prompts if p.key == "lowest"] == [{"reading": "GC-R7"}]


def best_kin(royals, card):
    return min(armour_nearness(r["card"], card)[0] for r in royals.values() if not r["dead"])


def check_attack(problem):
    position = problem.question.position
    grid, royals, card = position["grid"], position["royals"], position["card"]
    cell = position["row"], position["column"]
    assert cell in fits(grid, card)
    fired = shots(grid, royals, cell)
    assert fired
    assert plain(problem.answers) == [{"attacks": fired}]
    assert problem.argument.trace is None
    for one, shot in zip(problem.argument.sums, fired, strict=True):
        royal = royals[shot["place"]]
        first, two, three, *worn = one.terms
        assert first.key == "fires"
        facts = {"card": card, "royal": royal["card"], "place": shot["place"], "attackers": tuple(shot["cards"])}
        assert first.facts == facts
        for term, attacker, count in zip((two, three), shot["cards"], shot["counts"], strict=True):
            assert term.facts["royal"] == royal["card"]
            assert term.key == ("counts_empty" if attacker == "--" else "counts" if count else "counts_not")
            assert term.facts.get("card", attacker) == attacker
            assert term.facts.get("value", count) == count
            assert term.facts.get("who", "") in ("", {"J": "any", "Q": "colour", "K": "suit"}[royal["card"][0]])
        assert [term.key for term in worn] == ["armoured"] * bool(royal["armour"])
        assert all(armoured_is_true(term.facts, royals) for term in worn)
        assert one.total.key == ("sum_kills" if shot["dead"] else "sum_short")
        total = {"royal": royal["card"], "counts": tuple(shot["counts"])}
        assert one.total.facts == total | {"total": shot["total"], "health": shot["health"]}


CHECKS = {"a": check_royal, "b": check_card, "c": check_kill, "d": check_line, "e": check_armour, "f": check_attack}
SHOWN = {
    "a": {"grid", "royals", "royal"},
    "b": {"grid", "card"},
    "c": {"grid", "royals", "card"},
    "d": {"grid", "royals", "ploys", "cards", "target"},
    "e": {"grid", "royals", "card"},
    "f": {"grid", "royals", "card", "row", "column"},
}


def plain(value):
    return json.loads(json.dumps(value))


def every_reason(argument):
    match argument:
        case Options():
            for option in argument.options:
                yield from (option.reason, *option.notes)
        case Working():
            for one in argument.sums:
                yield from (*one.terms, one.total)
        case Line():
            yield from (argument.trace.order, argument.searched)
            for step in argument.trace.steps:
                yield from (step.reason, *step.notes, *step.refuted)
            for miss in argument.near:
                yield from (miss.reason, *miss.notes)


def check(problem):
    """The whole of a problem: answers, uniqueness, every reason, and that play could have led to it."""
    question = problem.question
    assert set(question.position) == SHOWN[question.kind]
    CHECKS[question.kind](problem)
    for reason in every_reason(problem.argument):
        assert maker.REASONS[reason.key] == (reason.facts.keys(), reason.rule)
        if STATUS[reason.rule] == "open":
            assert reason.rule in problem.readings, reason
    for prompt in question.prompts:
        assert maker.PROMPTS[prompt.key].facts == prompt.facts.keys()
    assert question.kind == "e" or problem.readings == ()
    check_origin(problem)


@cache
def replayed(record):
    return replay(json.loads(record), lambda _: game).positions[-1]


def check_origin(problem):
    """The position comes up in the record of legal play that the problem names, and holds no more of it than it may."""
    at, shown, kind = replayed(json.dumps(problem.origin)), problem.question.position, problem.question.kind
    whole = game.position_to_json(at)
    for name in ("grid", "royals", "ploys"):
        assert shown.get(name, whole[name]) == whole[name]
    if kind == "a":
        assert shown["royal"] == at.waiting[0]
    elif kind == "d":
        known = shown["cards"]
        assert at.phase == "turn"
        assert list(known) == list(at.draw[: len(known)])
        assert set(known) <= game.VALUE.keys()
        assert len(at.draw) > len(known)
    else:
        assert (at.phase, at.turned) == ("put", shown["card"])
        assert kind != "e" or at.ploys == ()
    known = set(shown.get("cards", ()))
    assert not set(every_text(shown)) & (set(at.draw) - known), "a card of the draw pile shows"
    told = [text for prompt in problem.question.prompts for text in every_text(prompt.facts)]
    assert not set(told) & (set(at.draw) - known)


def every_text(value):
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        return [text for part in value for text in every_text(part)]
    return [value]


def at(text):
    return game.position_from_text(text)


CASES = {
    "a": (maker._royals_waiting, maker.royal_features, maker.royal_problem),
    "b": (maker._cards_turned, maker.card_features, maker.card_problem),
    "c": (maker._cards_turned, maker.kill_features, maker.kill_problem),
    "d": (maker._line_cases, maker._line_features, maker.line_problem),
    "e": (maker._cards_that_fit_nowhere, maker.armour_features, maker.armour_problem),
    "f": (maker._firing_cells, maker.attack_features, maker.attack_problem),
}


def every_problem(played, letter):
    """Everything of a kind in a game that can be asked, whatever its level."""
    cases, measure, problem = CASES[letter]
    for number, position in enumerate(played.positions):
        for case in cases(position):
            features = measure(position, case)
            if features is not None:
                yield problem(played, number, case, features, 1)


RARE_LINES = (("line 49", 4), ("line 101", 4), ("line 126", 4), ("line 169", 4))  # a joker; a card that does not fit
EQUALS = """
            --      --      --
    Jc      9h      7h      8s      --
    --      9c      Td      6s      Js
    --      9d      8h      8c      --
            --      --      --
    turned: 3h
"""
JOKER_TO_EMPTY = """
            --      --      --
    Kh      9h      6s/6h   8d      --
    --      Ts      Td      Tc      Js
    --      9c      --      9s      --
            --      --      --
    ploys: X1
    used: Ah
    draw: 7c 9d
    phase: turn
"""


@pytest.fixture(scope="module")
def problems():
    """Many problems of whole games, some rare ones, by kind."""
    found = defaultdict(list)
    for seed in range(20):
        usual, rash = maker.play_game(Stream(f"game {seed}")), maker.play_game(Stream(f"rash {seed}"), rash=True)
        for letter in "abcf":
            found[letter] += list(every_problem(usual, letter))[:25]
        found["e"] += every_problem(rash, "e")
        if seed < 10:
            found["d"] += every_problem(usual, "d")
    found["d"] += [maker.find_line(Stream(name), level, "ploys") for name, level in RARE_LINES]
    for letter, table in (("e", EQUALS), ("d", JOKER_TO_EMPTY)):
        found[letter] += every_problem(maker.Game((), (at(table),)), letter)
    return found


def test_every_problem_is_solved_again_by_brute_force(problems):
    assert {kind: len(found) for kind, found in problems.items() if len(found) > 20}.keys() == set("abcdef")
    assert sum(map(len, problems.values())) > 1000
    for found in problems.values():
        for problem in found:
            check(problem)


SCORES = {
    "a": (maker.ROYAL_WEIGHTS, maker.ROYAL_LEVELS),
    "b": (maker.CARD_WEIGHTS, maker.CARD_LEVELS),
    "c": (maker.KILL_WEIGHTS, maker.KILL_LEVELS),
    "d": (maker.LINE_WEIGHTS, maker.LINE_LEVELS),
    "e": (maker.ARMOUR_WEIGHTS, maker.ARMOUR_LEVELS),
    "f": (maker.ATTACK_WEIGHTS, maker.ATTACK_LEVELS),
}


@pytest.mark.parametrize("letter", "abcdef")
def test_what_is_ordered_is_solved_again_too_at_its_level_and_theme(letter):
    weights, least = SCORES[letter]
    for level in kinds("gridcannon")[letter].themes:
        for problem in make(order("gridcannon", letter, level=level, count=2 if letter == "d" else 6, seed=level)):
            check(problem)
            assert problem.question.level == level
            score = maker.weigh(problem.features, weights)
            assert [n for n, bound in enumerate(least, 1) if score >= bound][-1] == level


def test_the_brute_force_sees_a_wrong_answer_or_argument(problems):
    """The checker checks: each kind of damage is seen."""
    for found in problems.values():
        first = found[0]
        other = next(p for p in found if p.answers != first.answers and p.argument != first.argument)
        for damaged in (
            replace(first, answers=other.answers),
            replace(first, answers=()),
            replace(first, answers=first.answers * 2),
            replace(first, argument=other.argument),
            replace(first, question=other.question),
            replace(first, origin=other.origin),
            replace(first, readings=("GC-R4",)),
        ):
            if damaged != first:
                with pytest.raises((AssertionError, IndexError, KeyError, StopIteration, ValueError)):
                    check(damaged)


def test_every_reason_and_prompt_is_used_and_cites_a_rule_of_the_game(problems):
    everything = [problem for found in problems.values() for problem in found]
    used = {reason.key for problem in everything for reason in every_reason(problem.argument)}
    assert used == set(maker.REASONS)
    assert {prompt.key for problem in everything for prompt in problem.question.prompts} == set(maker.PROMPTS)
    assert all(slots.rule in STATUS for slots in maker.REASONS.values())


@pytest.mark.parametrize("letter", "abcdef")
def test_a_mixed_sheet_of_eight_shows_what_the_kind_is_about(letter):
    """No theme of the kind is missing, and the answers differ."""
    sheet = make(order("gridcannon", letter, count=8, seed=3))
    assert len({json.dumps(problem.answers) for problem in sheet}) >= 5
    assert len({problem.fingerprint for problem in sheet}) == 8
    if letter == "f":
        dead = [any(attack["dead"] for attack in problem.answers[0]["attacks"]) for problem in sheet]
        assert 2 <= sum(dead) <= 6
    if letter == "d":
        assert any(problem.question.position["ploys"] for problem in sheet)
    if letter == "c":
        ranks = {p.question.position["royals"][p.answers[0]["kills"][0]]["card"][0] for p in sheet}
        assert "J" in ranks
        assert ranks & {"Q", "K"}


# Levels


@pytest.mark.parametrize("letter", "abcdef")
def test_no_feature_makes_a_problem_easier_and_the_bounds_of_levels_rise(letter, problems):
    weights, least = SCORES[letter]
    assert all(weight >= 0 for weight in weights.values())
    assert sorted(set(least)) == list(least)
    assert set(kinds("gridcannon")[letter].themes) == set(range(1, len(least) + 1))
    for problem in problems[letter]:
        assert problem.features.keys() == weights.keys()
        assert all(value >= 0 for value in problem.features.values())


# Repeats


def turned(position, geometry, suits):
    """The position with its grid turned or mirrored and its suits renamed."""
    down, across, over = geometry

    def cell(at):
        row, column = 4 - at[0] if down else at[0], 4 - at[1] if across else at[1]
        return (column, row) if over else (row, column)

    def renamed(cards):
        return tuple(card if card in game.JOKERS else card[0] + suits[card[1]] for card in cards)

    moved = {tuple(map(cell, facing(place))): place for place in PLACES}
    to = {old: next(new for new in PLACES if moved[tuple(facing(new))] == old) for old in PLACES}
    stacks = {cell(at): renamed(stack) for at, stack in zip(game.CELLS, position.stacks, strict=True)}
    # `moved` tells which place the cells of a new place came from
    royals = {
        to[place]: royal and game.Royal(*renamed([royal.card]), renamed(royal.armour), royal.dead)
        for place, royal in zip(PLACES, position.royals, strict=True)
    }
    laid = tuple(stacks[at] for at in game.CELLS)
    return position._replace(
        stacks=laid, room=game.room_on(laid), royals=tuple(royals[place] for place in PLACES),
        draw=renamed(position.draw), turned=position.turned and renamed([position.turned])[0],
        waiting=renamed(position.waiting), ploys=renamed(position.ploys), used=renamed(position.used),
    ), cell, to, renamed  # fmt: skip


RENAMINGS = [
    dict(zip("shdc", names, strict=True))
    for names in permutations("shdc")
    if {names[0], names[3]} in ({"s", "c"}, {"h", "d"})
]


@given(
    st.integers(0, 10**6), st.tuples(st.booleans(), st.booleans(), st.booleans()), st.sampled_from(RENAMINGS),
    st.sampled_from("abcef"),
)  # fmt: skip
def test_fingerprints_forget_how_the_grid_lies_and_what_suits_are_called(seed, geometry, suits, letter):
    """All eight symmetries of the grid, and all renamings that keep suits of a colour together."""
    played = maker.play_game(Stream(f"twin {seed % 40}"), rash=letter == "e")
    cases, measure, make_problem = CASES[letter]
    for number, position in list(enumerate(played.positions))[seed % 11 :: 11]:
        twin, cell, _, renamed = turned(position, geometry, suits)
        other = maker.Game((), (twin,))
        for case in list(cases(position))[:3]:
            same = game.CELLS.index(cell(game.CELLS[case])) if letter == "f" else renamed([case])[0]
            features = measure(position, case)
            assert features == measure(twin, same)
            if features is not None:
                one = make_problem(played, number, case, features, 1)
                assert one.fingerprint == make_problem(other, 0, same, features, 1).fingerprint


def test_the_fingerprint_of_a_line_forgets_them_too(problems):
    for problem in problems["d"][:20]:
        position = replayed(json.dumps(problem.origin))
        shown = problem.question.position
        for geometry, suits in zip(product((False, True), repeat=3), RENAMINGS, strict=True):
            twin, _, to, _ = turned(position, geometry, suits)
            target = next(t for t in maker.targets(twin) if t.place == to[shown["target"]])
            case = (len(shown["cards"]), target)
            same = maker.line_problem(maker.Game((), (twin,)), 0, case, problem.features, 1)
            assert same.fingerprint == problem.fingerprint
            assert maker._line_features(twin, case) == problem.features


def test_different_questions_have_different_fingerprints(problems):
    """Where two problems share a fingerprint, they have as many answers."""
    for found in problems.values():
        seen = {}
        for problem in found:
            answers = len(problem.answers)
            assert seen.setdefault(problem.fingerprint, answers) == answers
        assert len(seen) > len(found) * 0.5


# Cases of the rules


TABLE = """
            --      --      --
    Kh      9h      7h      3s      --
    --      4c      Td      6s      Qs
    --      2d      5h      8c      --
            --      --      --
    turned: 5c
"""


def test_the_source_s_king_dies_where_it_says():
    """Turned 5c on the 3s: 9h and 7h attack the King of hearts, 16 against 13."""
    position = at(TABLE)
    features = maker.kill_features(position, "5c")
    problem = maker.kill_problem(maker.Game((), (position,)), 0, "5c", features, 1)
    assert problem.answers == ({"row": 1, "column": 3, "kills": ["L1"]},)
    told = {(o.option["row"], o.option["column"]): o.reason for o in problem.argument.options}
    assert told[2, 1].key == "short"
    assert (told[2, 1].facts["counts"], told[2, 1].facts["total"]) == ((0, 6), 6)


def test_what_is_trivial_is_not_asked():
    position = at(TABLE.replace("turned: 5c", "turned: Tc"))
    assert maker.card_features(position, "Tc") is None  # fits everywhere
    assert maker.kill_features(at(TABLE.replace("Kh", "--")), "5c") is None  # nobody dies
    full = maker.Game((), (position,))
    assert full.positions[0].turned == "Tc"


def test_where_equals_or_worn_armour_decide_the_reading_is_named():
    table = """
                --      --      --
        Jc      9h      7h      8s      --
        --      9c      Td      6s      {}
        --      9d      8h      8c      --
                --      --      --
        turned: 3h
    """
    for royal, right, reading in (
        ("Js", {"L1", "R2"}, ("GC-R7",)),
        ("Qs", {"L1"}, ()),
        ("Js+2s", {"L1", "R2"}, ("GC-R7",)),
        ("Qs+2s", {"L1"}, ()),
    ):
        position = at(table.format(royal))
        features = maker.armour_features(position, "3h")
        problem = maker.armour_problem(maker.Game((), (position,)), 0, "3h", features, 1)
        assert {answer["place"] for answer in problem.answers} == right
        assert problem.readings == reading
    position = at(table.format("Qs").replace("Jc ", "Jc+2s"))
    problem = maker.armour_problem(maker.Game((), (position,)), 0, "3h", maker.armour_features(position, "3h"), 1)
    assert problem.readings == ("GC-R7",)
    assert problem.argument.options[-1].reason.key == "armour_not_counted"
