"""Practice for ascending row overflow: (a) one card's row, (b) a whole reveal, (c) the penalties, (d) the safe card.

Positions come from deals played by the engine, and every placing in an argument is an event of the engine. Kind (a) may
be a card that no row ends below: then each of the four rows is right. In (b) to (d) such a card goes to a stated row.

How level is measured: each kind adds up the features that make it harder (`PLACE_WEIGHTS`, …) and cuts the sum into
levels (`PLACE_LEVELS`, …); no weight is negative, so more of a feature never lowers the level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from kit.games.core import Event, Stream
from kit.games.rowoverflow import (
    DECK,
    ID,
    PLAYERS,
    POINTS_PER_CARD,
    REVEALS,
    ROW_LIMIT,
    ROWS,
    Cards,
    Move,
    Position,
    Reveal,
    Row,
    Take,
    deal,
    lower_end,
    position_to_json,
)
from kit.practice.core import (
    FIRST,
    Facts,
    Kind,
    Option,
    Options,
    Problem,
    Prompt,
    Question,
    Reason,
    Slots,
    Step,
    Sum,
    Trace,
    Working,
    given,
    level_of,
    slots,
    weigh,
)

# Every reason that a key can give, one sentence a key. `length` is the row's before the card arrives, `old_…` that
# before the reveal; `cards` and `points` are what is collected.
REASONS: dict[str, Slots] = {
    # why a step or option is as it is
    "order": slots("RO-5", "cards"),
    "append": slots("RO-6", "card row end length"),
    "overflow": slots("RO-9", "card row end length cards points"),
    "free_choice": slots("RO-8", "card row end length points lowest_end"),
    "stated_row": slots("RO-8", "card row end length cards points lowest_end"),
    # what else to notice: what an earlier card of the same reveal has changed
    "moved": slots("RO-7", "card row end old_row old_end"),
    "had_none": slots("RO-7", "card row end"),
    "new_end": slots("RO-7", "card row end old_end"),
    "filled": slots("RO-7", "card row length old_length"),
    "emptied": slots("RO-7", "card row length old_length"),
    # why another row is wrong
    "end_not_below": slots("RO-6", "card row end"),
    "lower_but_not_greatest": slots("RO-6", "card row end better_row better_end"),
    "no_dodging": slots("RO-10", "card row end length full_row full_end"),
    "other_row_stated": slots("RO-8", "card row stated_row"),
    # the working of a number
    "total": slots("RO-13", "seat before gained total"),
}

# Every sentence of a question.
PROMPTS: dict[str, Slots] = {
    "place": slots("", "card"),
    "trace": slots("", ""),
    "penalties": slots("", ""),
    "safe_card": slots("", ""),
    "stated_row": slots("", "row"),
}


def reason(key: str, **facts: object) -> Reason:
    """A reason of REASONS, with exactly its facts."""
    return given(REASONS, key, **facts)


class Placing(NamedTuple):
    """A card about to be placed: the rows as they lie then, and the engine's event when it is."""

    rows: tuple[Row, ...]
    event: Event
    ends: Cards  # afterwards

    @property
    def card(self) -> int:
        return int(self.event.facts["card"])

    @property
    def seat(self) -> int:
        return int(self.event.facts["seat"])

    @property
    def row(self) -> int:
        """The index of the row that it goes to."""
        return int(self.event.facts["row"]) - 1

    @property
    def points(self) -> int:
        return int(self.event.facts.get("points", 0))


class Scene(NamedTuple):
    """One reveal of a deal: the position before it, what is played, and every placing. `take`: a choice of RO-8."""

    before: Position
    cards: Cards
    take: int | None
    placings: tuple[Placing, ...]


class Deal(NamedTuple):
    """A deal as it was played, reveal by reveal, to position `last`."""

    start: Position
    scenes: tuple[Scene, ...]
    last: Position

    def before(self, number: int) -> Position:
        """The position after so many reveals."""
        return self.scenes[number].before if number < len(self.scenes) else self.last

    def origin(self, scenes: int) -> Facts:
        """The record of so many scenes of the deal."""
        moves: list[Move] = []
        for scene in self.scenes[:scenes]:
            moves += [Reveal(scene.cards), *([] if scene.take is None else [Take(scene.take)])]
        return {"game": ID, "start": position_to_json(self.start), "moves": list(map(str, moves))}


def placed(before: Position, cards: Cards, take: int) -> tuple[Position, Scene]:
    """Play a reveal; whoever owes the choice of RO-8 takes row `take`."""
    position, events = before.play(Reveal(cards))
    owed = bool(position.pending)
    if owed:
        position, more = position.play(Take(take))
        events += more
    rows, placings = list(before.rows), []
    for event, after in pairwise(events):
        if after.kind != "ends":
            continue
        placings.append(Placing(tuple(rows), event, after.facts["ends"]))
        row, card = event.facts["row"] - 1, event.facts["card"]
        rows[row] = (*rows[row], card) if event.kind == "append" else (card,)
    return position, Scene(before, cards, take if owed else None, tuple(placings))


def play_deal(stream: Stream, reveals: int = REVEALS) -> Deal:
    """The first reveals of a deal, every choice of it at random."""
    start = position = deal(stream.shuffled(DECK), stream.choice(PLAYERS))
    scenes = []
    for _ in range(reveals):
        cards = tuple(stream.choice(hand) for hand in position.hands)
        position, scene = placed(position, cards, 1 + stream.below(ROWS))
        scenes.append(scene)
    return Deal(start, tuple(scenes), position)


# Reasons


def why(placing: Placing) -> Reason:
    """Why this card goes to this row in a traced reveal."""
    facts = {name: value for name, value in placing.event.facts.items() if name != "seat"}  # steps name it
    if placing.event.kind == "no_lower_end":
        return reason("stated_row", **facts, lowest_end=min(row[-1] for row in placing.rows))
    return reason(placing.event.kind, **facts)


def _free_choice(rows: Sequence[Row], card: int, number: int) -> Reason:
    """Why this row is one of the four that a card without a lower end may take, and what that costs."""
    row, lowest = rows[number - 1], min(row[-1] for row in rows)
    points = POINTS_PER_CARD * len(row)
    return reason("free_choice", card=card, row=number, end=row[-1], length=len(row), points=points, lowest_end=lowest)


def refuted(placing: Placing) -> tuple[Reason, ...]:
    """Why each other row is wrong. Of a card that no row ends below, the others are wrong because one is stated."""
    return tuple(_refutation(placing, index) for index in range(ROWS) if index != placing.row)


def _refutation(placing: Placing, index: int) -> Reason:
    card, row, right = placing.card, placing.rows[index], placing.rows[placing.row]
    if placing.event.kind == "no_lower_end":
        return reason("other_row_stated", card=card, row=index + 1, stated_row=placing.row + 1)
    if row[-1] > card:
        return reason("end_not_below", card=card, row=index + 1, end=row[-1])
    if len(right) == ROW_LIMIT and len(row) < ROW_LIMIT:
        return reason(
            "no_dodging",
            card=card, row=index + 1, end=row[-1], length=len(row), full_row=placing.row + 1, full_end=right[-1],
        )  # fmt: skip
    return reason(
        "lower_but_not_greatest",
        card=card, row=index + 1, end=row[-1], better_row=placing.row + 1, better_end=right[-1],
    )  # fmt: skip


def notes(start: Sequence[Row], placing: Placing) -> tuple[Reason, ...]:
    """What earlier cards of the reveal changed for this one (RO-7): its row, or that row's length or end."""
    if placing.event.kind == "no_lower_end":
        return ()
    card, row, now = placing.card, placing.row, placing.rows[placing.row]
    old = lower_end(start, card)
    if old is None:
        return (reason("had_none", card=card, row=row + 1, end=now[-1]),)
    if old != row:
        return (reason("moved", card=card, row=row + 1, end=now[-1], old_row=old + 1, old_end=start[old][-1]),)
    lengths = {"card": card, "row": row + 1, "length": len(now), "old_length": len(start[row])}
    if len(start[row]) < len(now) == ROW_LIMIT:
        return (reason("filled", **lengths),)
    if len(now) < len(start[row]) == ROW_LIMIT:
        return (reason("emptied", **lengths),)
    if now != start[row]:
        return (reason("new_end", card=card, row=row + 1, end=now[-1], old_end=start[row][-1]),)
    return ()


def trace(scene: Scene) -> Trace:
    """A reveal, step by step."""
    steps = tuple(
        Step(
            {"card": p.card, "seat": p.seat, "row": p.row + 1}
            | {"outcome": p.event.kind, "points": p.points, "ends": p.ends},
            why(p),
            notes(scene.before.rows, p),
            refuted(p),
        )
        for p in scene.placings
    )
    return Trace(reason("order", cards=tuple(sorted(scene.cards))), steps)


# Features and levels

Features = dict[str, int]


def place_features(rows: Sequence[Row], card: int) -> Features:
    """What makes one card's row hard to see.

    `lower`: wrong rows that end below the card; `nearer`: 1 where an end above is nearer than the right one (or, where
    no end is below, at most two above); `lures`: wrong lower rows shorter than the right one; `overflow`, `free`: 1
    where the card collects by RO-9, where RO-8 leaves the choice.
    """
    target = lower_end(rows, card)
    above = [row[-1] - card for row in rows if row[-1] > card]
    if target is None:
        return {"lower": 0, "nearer": int(min(above) <= 2), "lures": 0, "overflow": 0, "free": 1}
    right = rows[target]
    others = [row for row in rows if row[-1] < right[-1]]
    return {
        "lower": len(others),
        "nearer": int(min(above, default=len(DECK)) < card - right[-1]),
        "lures": sum(len(row) < len(right) for row in others),
        "overflow": int(len(right) == ROW_LIMIT),
        "free": 0,
    }


def reveal_features(scene: Scene) -> Features:
    """What makes a reveal hard to follow: that of its placings, added up, and what they change for each other.

    `cards`: cards beyond the third; `changed`: placings for which an earlier card of the reveal changed the row, its
    length or its end; `collects`: placings that collect; `stated`: 1 where a row is stated for RO-8.
    """
    single = [place_features(p.rows, p.card) for p in scene.placings]
    return {
        "cards": len(scene.cards) - PLAYERS[0],
        "changed": sum(bool(notes(scene.before.rows, p)) for p in scene.placings),
        "collects": sum(p.points > 0 for p in scene.placings),
        "nearer": sum(f["nearer"] for f in single),
        "lures": sum(f["lures"] for f in single),
        "stated": int(scene.take is not None),
    }


def hand_features(before: Position, cards: Cards, seat: int, take: int) -> Features | None:
    """What makes the safe card of a hand hard to find while the others play theirs of `cards`; None unless one is safe.

    `hand`: cards in hand beyond three; `others`: other players beyond two; `traps`: wrong cards that would collect
    nothing if nobody else played; `hidden`: 1 where the safe card would collect if nobody else played; `stated`: 1
    where for some card somebody owes the choice of RO-8 and takes row `take`.

    A sieve without events, for most hands fall through it: `safe_card_problem` then plays every card with the engine.
    """
    rows, hand = before.rows, before.hands[seat]
    others = [card for other, card in enumerate(cards) if other != seat]
    safe = _safe(rows, hand, others, take, most=1)
    if not safe:
        return None
    alone = _safe(rows, hand, [], take, most=len(hand)) or set()
    return {
        "hand": len(hand) - HAND_LEAST,
        "others": len(others) - (PLAYERS[0] - 1),
        "traps": len(alone - safe),
        "hidden": len(safe - alone),
        "stated": int(min(*hand, *others) < min(row[-1] for row in rows)),
    }


def _safe(rows: Sequence[Row], hand: Cards, others: Sequence[int], take: int, most: int) -> set[int] | None:
    """The cards of a hand that would collect nothing; None as soon as there are more than `most`.

    Each card meets only what the smaller cards of the others have left (RO-5).
    """
    ends, lengths = [row[-1] for row in rows], [len(row) for row in rows]
    safe: set[int] = set()
    for card in sorted((*hand, *others)):
        below = [end for end in ends if end < card]
        row = ends.index(max(below)) if below else take - 1
        collects = not below or lengths[row] == ROW_LIMIT
        if card not in hand:
            ends[row], lengths[row] = card, 1 if collects else lengths[row] + 1
        elif not collects:
            safe.add(card)
            if len(safe) > most:
                return None
    return safe


PLACE_WEIGHTS = {"lower": 1, "nearer": 1, "lures": 1, "overflow": 1, "free": 2}
PLACE_LEVELS = (1, 2, 3, 4, 5)
REVEAL_WEIGHTS = {"cards": 1, "changed": 2, "collects": 2, "nearer": 1, "lures": 1, "stated": 1}
REVEAL_LEVELS = (2, 5, 7, 9, 11)
PENALTIES_LEVELS = (2, 7, 9, 11, 13)  # of the same score: whatever counts penalties collects, and so scores more
HAND_WEIGHTS = {"hand": 1, "others": 1, "traps": 2, "hidden": 2, "stated": 1}
HAND_LEVELS = (0, 2, 4, 5, 7)  # none is trivial: every other card collects
OTHERS_TRIED = 20  # ways for all to play, a deal, in which a safe card is looked for
HAND_LEAST = 3  # a choice of two cards is no question
AFTER = (0, 1, 1, 2, 2, 2)  # reveals before the choice: the rows are fuller after more, and one safe card is likelier


def place_theme(features: Features) -> str:
    """What one placing is about."""
    if features["free"]:
        return "free"
    if features["overflow"]:
        return "dodge" if features["lures"] else "overflow"
    return "near" if features["nearer"] else "append"


def reveal_theme(features: Features) -> str:
    """What a reveal is about."""
    if features["stated"]:
        return "stated"
    if features["collects"]:
        return "overflow"
    return "changed" if features["changed"] else "append"


def penalties_theme(features: Features) -> str:
    """What a count of penalties is about; '' where there is nothing to count."""
    if features["stated"]:
        return "stated"
    return ("", "overflow", "double")[min(features["collects"], 2)]


def hand_theme(features: Features) -> str:
    """What a choice from the hand is about."""
    if features["stated"]:
        return "stated"
    return "changed" if features["traps"] or features["hidden"] else "table"


# The kinds


def _problem(
    kind: str, level: int, position: Facts, prompts: Iterable[Prompt | None], answers: Iterable[Facts],
    argument: Options | Trace | Working, features: Features, fingerprint: str, origin: Facts,
) -> Problem:  # fmt: skip
    """A problem of this game. No reading of it is open, so none is named."""
    question = Question(ID, kind, level, 1, position, tuple(filter(None, prompts)))
    return Problem(question, tuple(answers), argument, (), features, f"{kind} {fingerprint}", origin)


def _shape(rows: Sequence[Row], stated: int | None = None) -> str:
    """Rows up to their order (RO-R2) and what lies under their ends; a stated row is marked."""
    told = sorted((row[-1], len(row), number == stated) for number, row in enumerate(rows, 1))
    return ",".join(f"{end}x{length}{'!' * marked}" for end, length, marked in told)


def _listed(cards: Iterable[int]) -> str:
    return " ".join(map(str, sorted(cards)))


def _stated(take: int | None) -> Prompt | None:
    return None if take is None else Prompt("stated_row", {"row": take})


def find_place(stream: Stream, level: int, theme: str) -> Problem | None:
    """(a) The row for one card, and what its player collects."""
    played = play_deal(stream)
    found = []
    for number, scene in enumerate(played.scenes, 1):
        for placing in scene.placings:
            features = place_features(placing.rows, placing.card)
            if place_theme(features) == theme and level_of(weigh(features, PLACE_WEIGHTS), PLACE_LEVELS) == level:
                found.append((number, placing, features))
    return place_problem(played, *stream.choice(found), level) if found else None


def place_problem(played: Deal, number: int, placing: Placing, features: Features, level: int) -> Problem:
    """The problem of one placing of reveal `number` (from 1)."""
    rows, card = placing.rows, placing.card
    if features["free"]:
        options = [Option({"row": n}, True, _free_choice(rows, card, n)) for n in range(1, ROWS + 1)]
    else:
        options = [Option({"row": placing.row + 1}, True, why(placing))]
        options += [Option({"row": wrong.facts["row"]}, False, wrong) for wrong in refuted(placing)]
        options.sort(key=lambda option: int(option.option["row"]))
    answers = [
        {**option.option, "outcome": placing.event.kind, "points": option.reason.facts.get("points", 0)}
        for option in options
        if option.right
    ]
    return _problem(
        "a", level, {"rows": rows, "card": card}, [Prompt("place", {"card": card})], answers,
        Options(tuple(options)), features, f"{_shape(rows)} < {card}", played.origin(number),
    )  # fmt: skip


def find_trace(stream: Stream, level: int, theme: str) -> Problem | None:
    """(b) A whole reveal: where each card ends, who collects what."""

    def fits(features: Features) -> bool:
        return reveal_theme(features) == theme and level_of(weigh(features, REVEAL_WEIGHTS), REVEAL_LEVELS) == level

    played = play_deal(stream)
    found = _fitting(played, fits)
    return trace_problem(played, *stream.choice(found), level) if found else None


def trace_problem(played: Deal, number: int, features: Features, level: int) -> Problem:
    """The problem of following reveal `number` (from 1)."""
    scene = played.scenes[number - 1]
    told = trace(scene)
    answer = {"steps": [step.facts for step in told.steps], "points": gained(scene)}
    return _problem(
        "b", level, {"rows": scene.before.rows, "cards": scene.cards}, [Prompt("trace", {}), _stated(scene.take)],
        [answer], told, features, _scene_shape(scene), played.origin(number),
    )  # fmt: skip


def find_penalties(stream: Stream, level: int, theme: str) -> Problem | None:
    """(c) Every player's penalty points after a reveal in which somebody collects."""

    def fits(features: Features) -> bool:
        score = weigh(features, REVEAL_WEIGHTS)
        return penalties_theme(features) == theme and level_of(score, PENALTIES_LEVELS) == level

    played = play_deal(stream)
    found = _fitting(played, fits)
    return penalties_problem(played, *stream.choice(found), level) if found else None


def penalties_problem(played: Deal, number: int, features: Features, level: int) -> Problem:
    """The problem of counting the points after reveal `number` (from 1)."""
    scene = played.scenes[number - 1]
    before = [POINTS_PER_CARD * len(cards) for cards in scene.before.collected]
    told, more = trace(scene), gained(scene)
    after = [old + new for old, new in zip(before, more, strict=True)]
    sums = tuple(
        Sum(
            tuple(step.reason for step in told.steps if step.facts["seat"] == seat and step.facts["points"]),
            reason("total", seat=seat, before=before[seat], gained=more[seat], total=after[seat]),
        )
        for seat in range(len(after))
    )
    return _problem(
        "c", level, {"rows": scene.before.rows, "cards": scene.cards, "points": before},
        [Prompt("penalties", {}), _stated(scene.take)], [{"points": after}],
        Working(told, sums), features, _scene_shape(scene), played.origin(number),
    )  # fmt: skip


def _fitting(played: Deal, fits: Callable[[Features], bool]) -> list[tuple[int, Features]]:
    """The reveals of a deal that fit, by number from 1, with their features."""
    measured = [(number, reveal_features(scene)) for number, scene in enumerate(played.scenes, 1)]
    return [(number, features) for number, features in measured if fits(features)]


def _scene_shape(scene: Scene) -> str:
    """A reveal up to the order of rows and the names of players."""
    return f"{_shape(scene.before.rows, scene.take)} < {_listed(scene.cards)}"


def find_safe_card(stream: Stream, level: int, theme: str) -> Problem | None:
    """(d) The one card of a hand that collects nothing, given what the others play."""
    played = play_deal(stream, reveals=max(AFTER))
    take = 1 + stream.below(ROWS)
    for _ in range(OTHERS_TRIED):
        number = stream.choice(AFTER)
        before = played.before(number)
        cards = tuple(stream.choice(hand) for hand in before.hands)
        for seat in range(before.players):
            features = hand_features(before, cards, seat, take)
            if features is None or hand_theme(features) != theme:
                continue
            if level_of(weigh(features, HAND_WEIGHTS), HAND_LEVELS) == level:
                return safe_card_problem(played, number, cards, seat, take, features, level)
    return None


def safe_card_problem(
    played: Deal, number: int, cards: Cards, seat: int, take: int, features: Features, level: int
) -> Problem:
    """The problem of the hand of `seat` after `number` reveals, while the others play theirs of `cards`.

    Every card of the hand is played out; exactly one must be safe, as `hand_features` has found.
    """
    before, options = played.before(number), []
    for card in sorted(before.hands[seat]):
        _, scene = placed(before, (*cards[:seat], card, *cards[seat + 1 :]), take)
        placing = next(placing for placing in scene.placings if placing.seat == seat)
        options.append(
            Option({"card": card}, not placing.points, why(placing), notes(before.rows, placing), trace(scene))
        )
    answers = [option.option for option in options if option.right]
    assert len(answers) == 1, "the sieve and the engine disagree"
    stated = take if features["stated"] else None
    hand, others = sorted(before.hands[seat]), [(other, card) for other, card in enumerate(cards) if other != seat]
    return _problem(
        "d", level, {"rows": before.rows, "seat": seat, "hand": hand, "others": others},
        [Prompt("safe_card", {}), _stated(stated)], answers, Options(tuple(options)), features,
        f"{_shape(before.rows, stated)} < {_listed(hand)} / {_listed(card for _, card in others)}",
        played.origin(number),
    )  # fmt: skip


def gained(scene: Scene) -> list[int]:
    """The points that each seat collects in a reveal."""
    points = [0] * len(scene.cards)
    for placing in scene.placings:
        points[placing.seat] += placing.points
    return points


KINDS = {
    "a": Kind(
        "a", 1, FIRST,
        {
            1: ("append", "near", "overflow"),
            2: ("append", "near", "overflow", "free"),
            3: ("append", "near", "dodge", "free"),
            4: ("append", "near", "dodge"),
            5: ("append", "near", "dodge"),
        },
        find_place,
        {1: 780_000, 2: 1_100_000, 3: 1_500_000, 4: 760_000, 5: 590_000},  # told by repeats among 8,000 draws each
    ),
    "b": Kind(
        "b", 1, FIRST,
        {
            1: ("append", "changed", "stated"),
            2: ("changed", "overflow", "stated"),
            3: ("changed", "overflow", "stated"),
            4: ("changed", "overflow", "stated"),
            5: ("overflow", "stated"),
        },
        find_trace,
    ),
    "c": Kind(
        "c", 1, FIRST,
        {
            1: ("overflow", "stated"),
            2: ("overflow", "stated"),
            3: ("overflow", "double", "stated"),
            4: ("overflow", "double", "stated"),
            5: ("overflow", "double", "stated"),
        },
        find_penalties,
    ),
    "d": Kind(
        "d", 1, FIRST,
        {
            1: ("table", "stated"),
            2: ("changed", "stated"),
            3: ("changed", "stated"),
            4: ("changed", "stated"),
            5: ("changed", "stated"),
        },
        find_safe_card,
    ),
}  # fmt: skip
