"""Practice for Gridcannon: (a) where a royal may go, (b) where a card may go, (c) the placement that kills, (d) a line
that kills, (e) who takes the armour, (f) is the attack enough.

Positions come from whole games played by the engine, and the engine says what is legal, what fires and who dies. In (d)
a card that fits nowhere ends the line: the sheet says so, and so no reading of armour matters there. In (e) GC-R7 may
decide; the sheet always prints it, and a problem whose answer hangs on it names it. Nothing else here is open.

How level is measured: each kind adds up the features that make it harder (`ROYAL_WEIGHTS`, …) and cuts the sum into
levels (`ROYAL_LEVELS`, …); no weight is negative, so more of a feature never lowers the level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import NamedTuple, TypeVar

from kit.games.core import Event, Stream
from kit.games.gridcannon import (
    ACES,
    BESIDE,
    BEYOND_REACH,
    CELLS,
    CENTRE,
    COUNTS,
    DECK,
    EMPTY,
    HEALTH,
    ID,
    JOKERS,
    PLACES,
    SIDE,
    VALUE,
    WHO_COUNTS,
    Armour,
    Attack,
    Cards,
    Concede,
    Extract,
    Move,
    Place,
    PlaceRoyal,
    Position,
    Reassign,
    Royal,
    Royals,
    Spot,
    Stacks,
    Turn,
    armour_targets,
    attacks,
    deal,
    fitting,
    in_front,
    passed_over,
    position_to_json,
    shown,
    spots,
    step,
    top_value,
)
from kit.practice.core import (
    FIRST,
    Facts,
    Kind,
    Line,
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

_ATTACK = "royal place attackers counts total health who"

# Every reason that a key can give, one sentence a key. `attackers` are nearest to the placed card first, `counts` what
# each is worth; `better` is the more similar card or royal.
REASONS: dict[str, Slots] = {
    # (a) where a royal may go; `…_next` where more similar cards are passed over, and so GC-R2 gives the order
    "beside": slots("GC-6", "royal place card step"),
    "beside_next": slots("GC-R2", "royal place card"),
    "passed_over": slots("GC-R2", "royal cards"),
    "choice": slots("GC-7", "places"),
    "taken": slots("GC-6", "place holder"),
    "taken_by_dead": slots("GC-7", "place"),
    "less_alike": slots("GC-6", "royal place card better step"),
    "less_alike_next": slots("GC-R2", "royal place card better step"),
    "lower": slots("GC-6", "royal place card better"),
    "lower_next": slots("GC-R2", "royal place card better"),
    "empty_is_last": slots("GC-R2", "royal place better"),
    # (b) where a card may go
    "on_lower": slots("GC-9", "card row column on"),
    "on_equal": slots("GC-9", "card row column on"),
    "on_empty": slots("GC-14", "card row column"),
    "too_high": slots("GC-9", "card row column on"),
    # (c), (d), (f) what a placement fires
    "kill": slots("GC-11", f"row column {_ATTACK}"),
    "short": slots("GC-11", f"row column {_ATTACK}"),
    "attack_kills": slots("GC-11", _ATTACK),
    "attack_short": slots("GC-11", _ATTACK),
    "armoured": slots("GC-16", "royal place base armour health"),
    "no_target": slots("GC-10", "row column"),
    "centre": slots("GC-12", "row column"),
    "would_kill": slots("GC-9", "card row column on royals"),
    # (d) the steps of a line
    "in_turn": slots("GC-8", "cards"),
    "lay": slots("GC-9", "card row column on"),
    "lay_on_empty": slots("GC-14", "card row column"),
    "extract": slots("GC-14", "ploy row column cards"),
    "reassign": slots("GC-15", "ploy card row column on"),
    "reassign_to_empty": slots("GC-R6", "ploy card row column"),
    "will_attack": slots("GC-10", "card royal"),
    "brings_up": slots("GC-R6", "card royal"),
    "makes_room": slots("GC-14", "card row column"),
    "makes_lower": slots("GC-R6", "card row column"),
    "spare": slots("GC-9", "card"),
    "before_turn": slots("GC-13", "ploy card"),
    "no_trigger": slots("GC-9", "card row column on royal"),
    "searched": slots("GC-9", "lines"),
    "searched_ploys": slots("GC-13", "lines"),
    # (e) who takes the armour
    "takes": slots("GC-16", "royal place card step"),
    "equals": slots("GC-R7", "royals"),
    "beyond_reach": slots("GC-17", "royal place health limit"),
    "dead": slots("GC-16", "place"),
    "royal_less_alike": slots("GC-16", "royal place card better step"),
    "royal_higher": slots("GC-16", "royal place better"),
    "armour_not_counted": slots("GC-R7", "royal place better"),
    # (f) the working of an attack
    "fires": slots("GC-10", "card royal place attackers"),
    "counts": slots("GC-11", "card royal who value"),
    "counts_not": slots("GC-11", "card royal who"),
    "counts_empty": slots("GC-14", "royal"),
    "sum_kills": slots("GC-11", "royal counts total health"),
    "sum_short": slots("GC-11", "royal counts total health"),
}

# Every sentence of a question. `reading` is the id of an open reading, which the sheet prints.
PROMPTS: dict[str, Slots] = {
    "royal": slots("", "royal"),
    "card": slots("", "card"),
    "kill": slots("", "card"),
    "line": slots("", "royal place cards"),
    "ploys": slots("", "ploys"),
    "stuck": slots("", ""),
    "armour": slots("", "card"),
    "lowest": slots("", "reading"),
    "attack": slots("", "card row column"),
}

_NEAR_STEPS = ("suit", "colour", "any")  # how similar, the nearest first (GC-6, GC-16)

Features = dict[str, int]
Case = TypeVar("Case")


def reason(key: str, **facts: object) -> Reason:
    """A reason of REASONS, with exactly its facts."""
    return given(REASONS, key, **facts)


def _at(cell: int) -> dict[str, int]:
    row, column = CELLS[cell]
    return {"row": row, "column": column}


# Play


class Game(NamedTuple):
    """A game as it was played: the first position, the moves, and the position before each of them."""

    moves: tuple[Move, ...]
    positions: tuple[Position, ...]

    def origin(self, moves: int) -> Facts:
        """The record of so many moves of the game."""
        return {"game": ID, "start": position_to_json(self.positions[0]), "moves": [str(m) for m in self.moves[:moves]]}


PLOY_OFTEN = 5  # of so many times that ploys could be used, they are once
MOVES = 70  # a game is left after so many: with Aces it could go on for long


def play_game(stream: Stream, rash: bool = False) -> Game:
    """A game of a player who often sees what kills, often lays cards close, and uses ploys now and then.

    One who is `rash` uses each ploy at once, kills where he can, else raises the lowest stack, so that soon few royals
    live and nothing fits anywhere.
    """
    position = deal(stream.shuffled(DECK))
    moves: list[Move] = []
    positions = []
    while position.phase not in ("won", "lost") and len(moves) < MOVES:
        move = _choice(stream, position, rash)
        positions.append(position)
        moves.append(move)
        position, _ = position.play(move)
    return Game(tuple(moves), tuple(positions))


def _choice(stream: Stream, position: Position, rash: bool) -> Move:
    """The next move of such a player; what is not asked for is not looked up, for most time goes here."""
    stacks, royals, draw, ploys, phase = position.stacks, position.royals, position.draw, position.ploys, position.phase
    if ploys and phase != "setup" and (rash or not draw or not stream.below(PLOY_OFTEN)):
        uses = [move for move in position.legal() if type(move) in (Extract, Reassign)]
        if uses:
            return stream.choice(uses)
    if phase == "turn":
        return Turn() if draw else Concede()
    if phase != "put" or position.turned is None:
        return stream.choice([PlaceRoyal(place) for spot in spots(stacks, royals, position.waiting[0])
                              for place in spot.places])  # fmt: skip
    fit = fitting(stacks, position.turned)
    if not fit:
        return Armour(stream.choice(armour_targets(royals, position.turned)))
    how = stream.below(3)
    chosen: Sequence[int] = ()
    if rash or how == 0:
        chosen = [cell for cell in fit if any(a.kills for a in attacks(stacks, royals, cell))]
    if not chosen and (rash or how == 1):
        chosen = _with_top(stacks, fit, min if rash else max)
    return Place(*CELLS[stream.choice(chosen or fit)])


def _with_top(stacks: Stacks, cells: Sequence[int], extreme: Callable[[Iterable[int]], int]) -> list[int]:
    """Of these cells the ones with the lowest or highest top."""
    value = extreme([top_value(stacks[cell]) for cell in cells])
    return [cell for cell in cells if top_value(stacks[cell]) == value]


def _cell(move: Move) -> int:
    assert isinstance(move, (Place, Extract, Reassign))
    return CELLS.index((move.row, move.column))


# What is the same problem


def _mirrored(cell: tuple[int, int], down: bool, across: bool, over: bool) -> int:
    """The index of a cell after mirroring the grid up and down, left and right, and over its diagonal."""
    row, column = SIDE + 1 - cell[0] if down else cell[0], SIDE + 1 - cell[1] if across else cell[1]
    return CELLS.index((column, row) if over else (row, column))


# For each of the eight symmetries of the grid the cell, and then the place, that comes to lie on each.
_SYMMETRIES = tuple(tuple(_mirrored(cell, *how) for cell in CELLS) for how in product((False, True), repeat=3))
_MOVED_PLACES = tuple(
    tuple(
        next(n for n, place in enumerate(PLACES) if in_front(place) == tuple(symmetry[cell] for cell in in_front(to)))
        for to in PLACES
    )
    for symmetry in _SYMMETRIES
)
# Suits renamed so that those of a colour stay of one colour.
_RENAMED = tuple(
    str.maketrans("shdc", names)
    for black, red in (("sc", "hd"), ("cs", "hd"), ("sc", "dh"), ("cs", "dh"))
    for names in (black[0] + red + black[1], red[0] + black + red[1])
)


def _least(cells: Sequence[str], places: Sequence[str], more: str) -> str:
    """The least of all texts that turning and mirroring the grid and renaming suits make of these."""
    texts = [
        f"{','.join([cells[cell] for cell in symmetry])} / {','.join([places[place] for place in moved])} {more}"
        for symmetry, moved in zip(_SYMMETRIES, _MOVED_PLACES, strict=True)
    ]
    return min([text.translate(names) for text in texts for names in _RENAMED])


def _tops(stacks: Stacks) -> list[str]:
    return [shown(stack) for stack in stacks]


def _living(royals: Royals) -> list[str]:
    """What attacks can tell of each place: a living royal and its health."""
    return [f"{royal.card}{royal.health}" if royal and not royal.dead else "" for royal in royals]


# The kinds


def _problem(
    kind: str, level: int, position: Facts, prompts: Iterable[Prompt], answers: Iterable[Facts],
    argument: Options | Working | Line, features: Features, fingerprint: str, origin: Facts,
    readings: tuple[str, ...] = (),
) -> Problem:  # fmt: skip
    question = Question(ID, kind, level, 1, position, tuple(prompts))
    return Problem(question, tuple(answers), argument, readings, features, f"{kind} {fingerprint}", origin)


def _drawn(position: Position, *names: str) -> dict[str, object]:
    """These parts of a position, in interchange form."""
    whole = position_to_json(position)
    return {name: whole[name] for name in names}


def _search(
    stream: Stream, cases: Callable[[Position], Iterable[Case]], measure: Callable[[Position, Case], Features | None],
    fits: Callable[[Features], bool], rash: bool = False,
) -> tuple[Game, int, Case, Features] | None:  # fmt: skip
    """A game, and in it at random a position (by number) and a case of it whose features fit; None when it has none."""
    game = play_game(stream, rash)
    found = [(number, case) for number, position in enumerate(game.positions) for case in cases(position)]
    for number, case in stream.shuffled(found):
        features = measure(game.positions[number], case)
        if features is not None and fits(features):
            return game, number, case, features
    return None


def _cards_turned(position: Position) -> Cards:
    """The number card in hand, to be laid next; none at other times."""
    return (position.turned,) if position.phase == "put" and position.turned else ()


def _fits(
    theme_of: Callable[[Features], str], weights: Mapping[str, int], least: tuple[int, ...], level: int, theme: str
) -> Callable[[Features], bool]:
    return lambda features: theme_of(features) == theme and level_of(weigh(features, weights), least) == level


# (a) Where a royal may go


def _royals_waiting(position: Position) -> Cards:
    """The royal to be placed next."""
    return position.waiting[:1] if position.phase in ("setup", "royal") else ()


def royal_features(position: Position, royal: str) -> Features | None:
    """What makes the places of a royal hard to see; None where all free places are right.

    `rivals`: wrong cards beside free places that are as similar but for their value; `lures`: such cards that are less
    similar but higher; `step`: 0 where its suit decides, 1 its colour, 2 neither; `passed`: more similar cards that are
    passed over (GC-R2); `choice`: right places beyond the first (GC-7).
    """
    stacks, royals = position.stacks, position.royals
    right = spots(stacks, royals, royal)
    best = right[0]
    wrong = [
        shown(stacks[cell])
        for cell, beside in enumerate(BESIDE)
        if cell not in [spot.cell for spot in right] and any(royals[place] is None for place in beside)
    ]
    if not wrong:
        return None
    return {
        "rivals": sum(step(royal, top) == best.step for top in wrong),
        "lures": sum(step(royal, top) != best.step and VALUE.get(top, 0) > VALUE.get(best.top, 0) for top in wrong),
        "step": _NEAR_STEPS.index(best.step),
        "passed": len(passed_over(stacks, royals, royal)),
        "choice": sum(len(spot.places) for spot in right) - 1,
    }


ROYAL_WEIGHTS = {"rivals": 1, "lures": 1, "step": 1, "passed": 1, "choice": 1}
ROYAL_LEVELS = (1, 2, 3, 4, 6)


def royal_theme(features: Features) -> str:
    """What placing a royal is about."""
    return "other" if features["step"] else "passed" if features["passed"] else "suit"


def find_royal(stream: Stream, level: int, theme: str) -> Problem | None:
    """(a) All places where a royal may go."""
    found = _search(
        stream, _royals_waiting, royal_features,
        _fits(royal_theme, ROYAL_WEIGHTS, ROYAL_LEVELS, level, theme),
    )  # fmt: skip
    return royal_problem(*found, level) if found else None


def royal_problem(game: Game, number: int, royal: str, features: Features, level: int) -> Problem:
    """The problem of the royal that waits in position `number` of the game."""
    position = game.positions[number]
    stacks, royals = position.stacks, position.royals
    right = spots(stacks, royals, royal)
    options = [_royal_option(position, royal, place, right) for place in PLACES]
    return _problem(
        "a", level, {**_drawn(position, "grid", "royals"), "royal": royal}, [Prompt("royal", {"royal": royal})],
        [option.option for option in options if option.right], Options(tuple(options)), features,
        _least(_tops(stacks), ["" if there is None else "#" for there in royals], f"< {royal[1]}"), game.origin(number),
    )  # fmt: skip


def _royal_option(position: Position, royal: str, place: str, right: Sequence[Spot]) -> Option:
    """A place, and why the royal may or may not go there."""
    stacks, royals = position.stacks, position.royals
    over, option, best = passed_over(stacks, royals, royal), {"place": place}, right[0]
    top = shown(stacks[in_front(place)[0]])
    places = [name for name in PLACES if any(name in spot.places for spot in right)]
    suffix = "_next" if over else ""
    if place in places:
        facts = {"royal": royal, "place": place, "card": top}
        why = reason("beside_next", **facts) if over else reason("beside", **facts, step=best.step)
        notes = []
        if place == places[-1]:  # told once, with the last right place
            if over:
                notes.append(reason("passed_over", royal=royal, cards=tuple(stacks[cell][-1] for cell in over)))
            if len(places) > 1:
                notes.append(reason("choice", places=tuple(places)))
        return Option(option, True, why, tuple(notes))
    there = royals[PLACES.index(place)]
    if there is not None:
        wrong = reason("taken_by_dead", place=place) if there.dead else reason("taken", place=place, holder=there.card)
    elif top == EMPTY:
        wrong = reason("empty_is_last", royal=royal, place=place, better=best.top)
    elif step(royal, top) == best.step:
        wrong = reason(f"lower{suffix}", royal=royal, place=place, card=top, better=best.top)
    else:
        wrong = reason(f"less_alike{suffix}", royal=royal, place=place, card=top, better=best.top, step=best.step)
    return Option(option, False, wrong)


# (b) Where a number card may go


def card_features(position: Position, card: str) -> Features | None:
    """What makes the stacks for a card hard to see; None where all are right or none is.

    `equal`: tops of the same value; `above`: tops one or two higher; `suited`: higher tops of its suit, which does not
    matter; `empty`: empty places.
    """
    stacks = position.stacks
    if not 0 < len(fitting(stacks, card)) < len(CELLS):
        return None
    value, tops = VALUE[card], [stack[-1] for stack in stacks if stack]
    return {
        "equal": sum(VALUE[top] == value for top in tops),
        "above": sum(0 < VALUE[top] - value <= 2 for top in tops),
        "suited": sum(VALUE[top] > value and top[1] == card[1] for top in tops),
        "empty": len(CELLS) - len(tops),
    }


CARD_WEIGHTS = {"equal": 1, "above": 1, "suited": 1, "empty": 2}
CARD_LEVELS = (1, 3, 5, 6, 8)


def card_theme(features: Features) -> str:
    """What laying a card is about."""
    if features["empty"]:
        return "empty"
    return "equal" if features["equal"] else "plain"


def find_card(stream: Stream, level: int, theme: str) -> Problem | None:
    """(b) All stacks where a number card may go."""
    found = _search(
        stream, _cards_turned, card_features,
        _fits(card_theme, CARD_WEIGHTS, CARD_LEVELS, level, theme),
    )  # fmt: skip
    return card_problem(*found, level) if found else None


def card_problem(game: Game, number: int, card: str, features: Features, level: int) -> Problem:
    """The problem of the card turned in position `number`. All nine stacks are alike here, and so are all suits."""
    position = game.positions[number]
    stacks = position.stacks
    options = tuple(_card_option(card, cell, shown(stack)) for cell, stack in enumerate(stacks))
    values = " ".join(map(str, sorted(map(top_value, stacks))))
    return _problem(
        "b", level, {**_drawn(position, "grid"), "card": card}, [Prompt("card", {"card": card})],
        [option.option for option in options if option.right], Options(options), features,
        f"{values} < {VALUE[card]}", game.origin(number),
    )  # fmt: skip


def _card_option(card: str, cell: int, top: str) -> Option:
    if top == EMPTY:
        return Option(_at(cell), True, reason("on_empty", card=card, **_at(cell)))
    key = "too_high" if VALUE[top] > VALUE[card] else "on_equal" if VALUE[top] == VALUE[card] else "on_lower"
    return Option(_at(cell), key != "too_high", reason(key, card=card, **_at(cell), on=top))


# (c) The placement that kills


def kill_features(position: Position, card: str) -> Features | None:
    """What makes the one placement that kills hard to find; None where several kill, none does, or only one is legal.

    `fires`: attacks of wrong placements; `masks`: of those, attacks whose cards would be enough if all counted;
    `armoured`: of those, attacks that would be enough without armour; `illegal`: cells that the card does not fit
    on but from where somebody would die; `second`: 1 where the right placement fires at two; `rank`, for the theme
    alone: 0 where it kills a Jack, 1 a Queen, 2 a King.
    """
    stacks, royals = position.stacks, position.royals
    legal = fitting(stacks, card)
    deadly = {target.trigger for target in targets(position) if target.enough(stacks)}
    kills = [cell for cell in legal if cell in deadly]
    if len(kills) != 1 or len(legal) < 2:
        return None
    fired = {cell: attacks(stacks, royals, cell) for cell in legal}
    wrong = [attack for cell in legal if cell not in kills for attack in fired[cell]]
    return {
        "fires": len(wrong),
        "masks": sum(sum(map(_face, attack.attackers)) >= attack.royal.health for attack in wrong),
        "armoured": sum(attack.total >= HEALTH[attack.royal.card[0]] for attack in wrong),
        "illegal": len(deadly.difference(legal)),
        "second": int(len(fired[kills[0]]) > 1),
        "rank": "JQK".index(next(a for a in fired[kills[0]] if a.kills).royal.card[0]),
    }


def _face(top: str) -> int:
    return VALUE.get(top, 0)


KILL_WEIGHTS = {"fires": 1, "masks": 1, "armoured": 2, "illegal": 1, "second": 1, "rank": 0}
KILL_LEVELS = (0, 2, 3, 5, 7)


def kill_theme(features: Features) -> str:
    """Whether any cards count against whom the placement kills (a Jack), or only some (GC-11)."""
    return "some" if features["rank"] else "any"


def find_kill(stream: Stream, level: int, theme: str) -> Problem | None:
    """(c) The one placement that kills, and whom."""
    found = _search(
        stream, _cards_turned, kill_features,
        _fits(kill_theme, KILL_WEIGHTS, KILL_LEVELS, level, theme),
    )  # fmt: skip
    return kill_problem(*found, level) if found else None


def kill_problem(game: Game, number: int, card: str, features: Features, level: int) -> Problem:
    """The problem of the card turned in position `number`."""
    position = game.positions[number]
    stacks, royals = position.stacks, position.royals
    legal, options, answers = fitting(stacks, card), [], []
    for cell, stack in enumerate(stacks):
        fired = sorted(attacks(stacks, royals, cell), key=lambda attack: attack.place)
        killed = [attack for attack in fired if attack.kills]
        if cell in legal:
            told = sorted(fired, key=lambda attack: not attack.kills)
            options.append(Option(_at(cell), bool(killed), _fired(cell, told), _fired_notes(told)))
            if killed:
                answers.append({**_at(cell), "kills": [attack.place for attack in killed]})
        elif killed:
            names = tuple(attack.royal.card for attack in killed)
            wrong = reason("would_kill", card=card, **_at(cell), on=stack[-1], royals=names)
            options.append(Option(_at(cell), False, wrong))
    return _problem(
        "c", level, {**_drawn(position, "grid", "royals"), "card": card}, [Prompt("kill", {"card": card})], answers,
        Options(tuple(options)), features, _least(_tops(stacks), _living(royals), f"< {VALUE[card]}"),
        game.origin(number),
    )  # fmt: skip


def _attack(attack: Attack) -> dict[str, object]:
    """An attack as reasons tell it, the card nearest to the placed one first."""
    royal = attack.royal
    return {
        "royal": royal.card,
        "place": attack.place,
        "attackers": attack.attackers[::-1],
        "counts": attack.counts[::-1],
        "total": attack.total,
        "health": royal.health,
        "who": WHO_COUNTS[royal.card[0]],
    }


def _fired(cell: int, told: Sequence[Attack]) -> Reason:
    """What a legal placement comes to: its first attack, or why there is none."""
    if told:
        return reason("kill" if told[0].kills else "short", **_at(cell), **_attack(told[0]))
    return reason("centre" if cell == CENTRE else "no_target", **_at(cell))


def _fired_notes(told: Sequence[Attack]) -> tuple[Reason, ...]:
    """The health of whom wears armour, and the second attack."""
    notes: list[Reason] = []
    for number, attack in enumerate(told):
        if number:
            notes.append(reason("attack_kills" if attack.kills else "attack_short", **_attack(attack)))
        if attack.royal.armour:
            notes.append(_armoured(attack.place, attack.royal))
    return tuple(notes)


def _armoured(place: str, royal: Royal) -> Reason:
    return reason(
        "armoured",
        royal=royal.card, place=place, base=HEALTH[royal.card[0]], armour=royal.armour, health=royal.health,
    )  # fmt: skip


# (d) A line that kills

Lines = list[tuple[Move, ...]]


class Target(NamedTuple):
    """A royal to be killed: its place, itself, the two cells that attack it (nearest first) and the one that fires."""

    place: str
    royal: Royal
    between: tuple[int, int]
    trigger: int

    def enough(self, stacks: Sequence[Cards]) -> bool:
        """Whether a card laid on the trigger would kill."""
        worth, (one, two) = COUNTS[self.royal.card], self.between
        return worth[shown(stacks[one])] + worth[shown(stacks[two])] >= self.royal.health


def targets(position: Position) -> Iterator[Target]:
    """The living royals."""
    for place, royal in zip(PLACES, position.royals, strict=True):
        if royal and not royal.dead:
            one, two, trigger = in_front(place)
            yield Target(place, royal, (one, two), trigger)


def lines(stacks: Stacks, cards: Cards, ploys: Cards, target: Target, most: int) -> Lines:
    """The lines that kill, at most so many: a sieve without events that ends early; the engine then plays them all.

    Whoever else dies on the way changes nothing for this one. Of Aces, and of jokers, the first is used first.
    """
    found: Lines = []
    if _hopeless(stacks, cards, ploys, target):
        return found

    def go(stacks: Stacks, cards: Cards, ploys: Cards, before: tuple[Move, ...]) -> None:
        if cards:
            value, rest = VALUE[cards[0]], cards[1:]
            if top_value(stacks[target.trigger]) <= value and target.enough(stacks):
                found.append((*before, Place(*CELLS[target.trigger])))
            if rest or ploys:
                for cell, stack in enumerate(stacks):
                    if top_value(stack) <= value and (cell != target.trigger or not target.enough(stacks)):
                        after = stacks[:cell] + ((*stack, cards[0]),) + stacks[cell + 1 :]
                        go(after, rest, ploys, (*before, Place(*CELLS[cell])))
                        if len(found) >= most:
                            return
        for ploy in _first_of_each(ploys):
            left = tuple(other for other in ploys if other != ploy)
            for move, after in _ploy_moves(stacks, ploy):
                if isinstance(move, Reassign) and _cell(move) == target.trigger and target.enough(after):
                    found.append((*before, move))
                elif cards or left:
                    go(after, cards, left, (*before, move))
                if len(found) >= most:
                    return

    go(stacks, cards, ploys, ())
    return found


def _hopeless(stacks: Stacks, cards: Cards, ploys: Cards, target: Target) -> bool:
    """Whether no two cards that could come to attack are enough: the last card only fires, unless a joker moves it."""
    if set(ploys) & set(JOKERS):
        known = [*cards, *(card for stack in stacks for card in stack)]
    else:
        known = [*cards[:-1], *(shown(stacks[cell]) for cell in target.between)]
    worth = sorted(COUNTS[target.royal.card][card] for card in known)
    return sum(worth[-2:]) < target.royal.health


def _first_of_each(ploys: Cards) -> list[str]:
    """One Ace and one joker, for they are alike."""
    return [next(group) for _, group in groupby(sorted(ploys, key=DECK.index), key=lambda ploy: ploy in JOKERS)]


def _ploy_moves(stacks: Stacks, ploy: str) -> Iterator[tuple[Move, Stacks]]:
    """Every use of a ploy and the stacks after it (GC-14, GC-15)."""
    for source, stack in enumerate(stacks):
        if not stack:
            continue
        if ploy in ACES:
            yield Extract(ploy, *CELLS[source]), (*stacks[:source], (), *stacks[source + 1 :])
            continue
        without = (*stacks[:source], stack[:-1], *stacks[source + 1 :])
        for cell, other in enumerate(stacks):
            if cell != source and top_value(other) <= VALUE[stack[-1]]:
                after = (*without[:cell], (*other, stack[-1]), *without[cell + 1 :])
                yield Reassign(ploy, *CELLS[source], *CELLS[cell]), after


class Played(NamedTuple):
    """One move of a line, played: the position before it, with the card in hand, and what happened."""

    before: Position
    move: Move
    events: tuple[Event, ...]


class Searched(NamedTuple):
    """All that the engine found: the lines that kill the target, how many lines there are, and those that miss.

    A line ends with the death of the target, with a card that fits nowhere, or when all cards are laid. `shots` are
    lines that end with an attack on the target that is not enough; `stuck` those whose last card does not fit on the
    trigger though the attack would be enough.
    """

    target: Target
    kills: list[tuple[Played, ...]]
    lines: int
    shots: list[tuple[Played, ...]]
    stuck: list[tuple[Played, ...]]


def search(position: Position, cards: int, target: Target) -> Searched:
    """Every line from a position in which the next cards are to be turned (GC-8), played by the engine."""
    found = Searched(target, [], 0, [], [])
    count = 0

    def go(position: Position, left: int, line: tuple[Played, ...]) -> None:
        nonlocal count
        if left and position.phase == "turn":
            position, _ = position.play(Turn())
        alike = _first_of_each(position.ploys)
        legal = position.legal()
        if not left or not isinstance(legal[0], Place):
            count += 1  # nothing more is laid: the line may end here
        low = top_value(position.stacks[target.trigger])
        if left == 1 and position.turned and VALUE[position.turned] < low and target.enough(position.stacks):
            found.stuck.append((*line, Played(position, Place(*CELLS[target.trigger]), ())))
        for move in legal:
            if isinstance(move, Place) or (isinstance(move, (Extract, Reassign)) and move.ploy in alike):
                after, events = position.play(move)
                played = (*line, Played(position, move, events))
                hit = [e for e in events if e.kind in ("kill", "holds") and e.facts["place"] == target.place]
                if hit and hit[0].kind == "kill":
                    found.kills.append(played)
                    count += 1
                    continue
                if hit:
                    found.shots.append(played)
                go(after, left - isinstance(move, Place), played)

    go(position, cards, ())
    return found._replace(lines=count)


NEXT = (2, 3)  # cards that are known
PLOYS_KNOWN = {2: 1, 3: 0}  # most ploys at hand, by known cards: more would take too long to search
LEAST_LINES = 9  # fewer can be counted off
NEAR = 3  # near misses that a key tells


def line_features(position: Position, found: Searched, cards: int) -> Features:
    """What makes the one line hard to find.

    `cards`: known cards beyond two; `ploys`: ploys at hand, each a choice at every step; `used`: those that the line
    uses; `builds`: cards laid or moved into the attack; `shots`: other lines whose attack is not enough, three at most;
    `wide`: stacks that the first card fits on, beyond three.
    """
    (line,), target = found.kills, found.target
    first = position.draw[0]
    return {
        "cards": cards - NEXT[0],
        "ploys": len(position.ploys),
        "used": sum(not isinstance(played.move, Place) for played in line),
        "builds": sum(_builds(played, _final(line, target)) for played in line[:-1]),
        "shots": min(len(_best_shots(found)), NEAR),
        "wide": max(0, len(fitting(position.stacks, first)) - 3),
    }


def _builds(played: Played, final: Facts) -> bool:
    """Whether this move lays a card that is one of the attackers in the end."""
    return not isinstance(played.move, Extract) and _laid(played) in final["attackers"]


def _laid(played: Played) -> str:
    """The card that a move lays."""
    move, before = played.move, played.before
    if isinstance(move, Reassign):
        return before.stacks[_source(move)][-1]
    assert isinstance(move, Place) and before.turned is not None
    return before.turned


def _final(line: Sequence[Played], target: Target) -> Facts:
    """The attack on the target that a line ends with."""
    return next(e.facts for e in line[-1].events if e.kind in ("kill", "holds") and e.facts["place"] == target.place)


def _line_cases(position: Position) -> Iterator[tuple[int, Target]]:
    """So many next cards, all numbers, and whom they might kill; the draw pile holds more (GC-R9)."""
    if position.phase == "turn":
        for cards in NEXT:
            known = position.draw[:cards]
            if len(position.draw) > cards and len(position.ploys) <= PLOYS_KNOWN[cards] and set(known) <= VALUE.keys():
                for target in targets(position):
                    yield cards, target


def _sieved(position: Position, case: tuple[int, Target]) -> bool:
    """Whether exactly one line kills, and it needs all the cards."""
    cards, target = case
    found = lines(position.stacks, position.draw[:cards], position.ploys, target, 2)
    return len(found) == 1 and sum(isinstance(move, Place) for move in found[0]) == cards


def _line_features(position: Position, case: tuple[int, Target]) -> Features | None:
    """The features of a line where there is exactly one, and others nearly make it."""
    if not _sieved(position, case):
        return None
    found = search(position, *case)
    assert len(found.kills) == 1, "the sieve and the engine disagree"
    trivial = found.lines < LEAST_LINES or not (found.shots or found.stuck)
    return None if trivial else line_features(position, found, case[0])


LINE_WEIGHTS = {"cards": 2, "ploys": 2, "used": 1, "builds": 1, "shots": 1, "wide": 1}
LINE_LEVELS = (1, 3, 5, 7, 9)


def line_theme(features: Features) -> str:
    """What a line is about."""
    return "ploys" if features["ploys"] else "cards"


def find_line(stream: Stream, level: int, theme: str) -> Problem | None:
    """(d) The one line that kills the named royal with the next cards."""

    def cases(position: Position) -> Iterable[tuple[int, Target]]:
        return _line_cases(position) if bool(position.ploys) == (theme == "ploys") else ()

    found = _search(stream, cases, _line_features, _fits(line_theme, LINE_WEIGHTS, LINE_LEVELS, level, theme))
    return line_problem(*found, level) if found else None


def line_problem(game: Game, number: int, case: tuple[int, Target], features: Features, level: int) -> Problem:
    """The problem of killing a royal from position `number` on."""
    position, (cards, target) = game.positions[number], case
    found, known = search(position, cards, target), position.draw[:cards]
    (line,) = found.kills
    steps = tuple(_line_step(played, line, target) for played in line)
    key = "searched_ploys" if position.ploys else "searched"
    argument = Line(Trace(reason("in_turn", cards=known), steps), _near(found), reason(key, lines=found.lines))
    shown_cells = [*map(",".join, position.stacks)] if set(position.ploys) & set(JOKERS) else _tops(position.stacks)
    aim = [f"{target.royal.card}{target.royal.health}" if place == target.place else "" for place in PLACES]
    kinds = "".join(sorted(ploy[0] for ploy in position.ploys))
    prompts = [Prompt("line", {"royal": target.royal.card, "place": target.place, "cards": known})]
    if position.ploys:
        prompts.append(Prompt("ploys", {"ploys": position.ploys}))
    return _problem(
        "d", level,
        {**_drawn(position, "grid", "royals", "ploys"), "cards": known, "target": target.place},
        [*prompts, Prompt("stuck", {})], [{"moves": [str(played.move) for played in line]}], argument, features,
        _least(shown_cells, aim, f"< {','.join(known)} {kinds}"), game.origin(number),
    )  # fmt: skip


def _line_step(played: Played, line: Sequence[Played], target: Target) -> Step:
    """A move of the line: what is done, and what it does for the end."""
    move, before = played.move, played.before
    cell = _cell(move)
    stack, final = before.stacks[cell], _final(line, target)
    where = _at(cell)
    later = line[line.index(played) + 1 :]
    notes: list[Reason] = []
    if isinstance(move, Extract):
        why = reason("extract", ploy=move.ploy, **where, cards=stack)
        filled = next(other for other in later if not isinstance(other.move, Extract) and _cell(other.move) == cell)
        notes += [reason("makes_room", card=_laid(filled), **where), *_before_turn(move, later)]
        return Step({"move": str(move), "card": move.ploy}, why, tuple(notes), ())
    card = _laid(played)
    if isinstance(move, Reassign):
        facts = {"ploy": move.ploy, "card": card, **where}
        why = reason("reassign", **facts, on=stack[-1]) if stack else reason("reassign_to_empty", **facts)
    elif stack:
        why = reason("lay", card=card, **where, on=stack[-1])
    else:
        why = reason("lay_on_empty", card=card, **where)
    if not later:
        notes += _uncovers(played, final)
        notes.append(reason("attack_kills", **_attack(_attack_on(target, played))))
        if target.royal.armour:
            notes.append(_armoured(target.place, target.royal))
    else:
        notes += _purpose(played, later, final)
    if isinstance(move, Reassign):
        notes += _before_turn(move, later)
    for attack in _attacks_after(played):
        if attack.kills and attack.place != target.place:
            notes.append(reason("attack_kills", **_attack(attack)))
    return Step({"move": str(move), "card": card}, why, tuple(notes), ())


def _before_turn(move: Extract | Reassign, later: Sequence[Played]) -> list[Reason]:
    """That a ploy may be used before the next card is turned up as well: the line has it in hand by then (GC-13)."""
    laid = [_laid(other) for other in later if isinstance(other.move, Place)]
    return [reason("before_turn", ploy=move.ploy, card=laid[0])] if laid else []


def _attacks_after(played: Played) -> list[Attack]:
    """What a move fires."""
    after, _ = played.before.play(played.move)
    return attacks(after.stacks, played.before.royals, _cell(played.move))


def _attack_on(target: Target, played: Played) -> Attack:
    """The attack on the target that a move fires."""
    return next(attack for attack in _attacks_after(played) if attack.place == target.place)


def _purpose(played: Played, later: Sequence[Played], final: Facts) -> list[Reason]:
    """What laying a card does for the end, by what it becomes or uncovers."""
    move, card, royal = played.move, _laid(played), final["royal"]
    notes = [reason("will_attack", card=card, royal=royal)] if card in final["attackers"] else []
    if not isinstance(move, Reassign):
        return notes or [reason("spare", card=card)]
    source = _source(move)
    filled = [_laid(other) for other in later if _cell(other.move) == source]
    if filled:
        notes.append(reason("makes_lower", card=filled[0], **_at(source)))
    return notes + _uncovers(played, final)


def _uncovers(played: Played, final: Facts) -> list[Reason]:
    """The attacker that a joker uncovers where it takes its card."""
    if isinstance(played.move, Reassign):
        under = shown(played.before.stacks[_source(played.move)][:-1])
        if under in final["attackers"]:
            return [reason("brings_up", card=under, royal=final["royal"])]
    return []


def _source(move: Reassign) -> int:
    return CELLS.index((move.from_row, move.from_column))


def _best_shots(found: Searched) -> list[tuple[Played, ...]]:
    """Attacks on the target that are not enough: of each pair of attackers the first, the greatest total first."""
    of_pair: dict[tuple[str, ...], tuple[Played, ...]] = {}
    for line in found.shots:
        of_pair.setdefault(_final(line, found.target)["attackers"], line)
    return sorted(of_pair.values(), key=lambda line: -int(_final(line, found.target)["total"]))


def _near(found: Searched) -> tuple[Option, ...]:
    """The near misses: one whose last card does not fit, and the attacks that come nearest."""
    options = []
    for line in found.stuck[:1]:
        before, move, _ = line[-1]
        cell = _cell(move)
        royal, on = found.target.royal.card, before.stacks[cell][-1]
        why = reason("no_trigger", card=before.turned, **_at(cell), on=on, royal=royal)
        options.append(_miss(line, why))
    for line in _best_shots(found)[: NEAR - len(options)]:
        options.append(_miss(line, reason("attack_short", **_attack(_attack_on(found.target, line[-1])))))
    return tuple(options)


def _miss(line: Sequence[Played], why: Reason) -> Option:
    return Option({"moves": [str(played.move) for played in line]}, False, why)


# (e) Who takes the armour


def _cards_that_fit_nowhere(position: Position) -> Cards:
    """The card in hand where it has to become armour: it fits nowhere, and there is no ploy."""
    return tuple(card for card in _cards_turned(position) if not position.ploys and not fitting(position.stacks, card))


def armour_features(position: Position, card: str) -> Features | None:
    """What makes the royal that takes a card hard to see; None where only one lives.

    `living`: living royals beyond two; `dead`: dead royals that would take it if they lived; `step`: 0 where its suit
    decides, 1 its colour, 2 neither; `lower`: less similar royals of lower rank; `armoured`: armoured royals that are
    as similar; `equals`: right royals beyond the first.
    """
    living = [royal for royal in position.royals if royal and not royal.dead]
    if len(living) < 2:
        return None
    takers = [position.royals[PLACES.index(place)] for place in armour_targets(position.royals, card)]
    taker = takers[0]
    assert taker is not None
    best = step(taker.card, card)
    revived = tuple(royal and royal._replace(dead=False) for royal in position.royals)
    would = armour_targets(revived, card)
    return {
        "living": len(living) - 2,
        "dead": sum(royal is not None and royal.dead and place in would
                    for place, royal in zip(PLACES, position.royals, strict=True)),
        "step": _NEAR_STEPS.index(best),
        "lower": sum(step(r.card, card) != best and HEALTH[r.card[0]] < HEALTH[taker.card[0]] for r in living),
        "armoured": sum(step(r.card, card) == best and bool(r.armour) for r in living),
        "equals": len(takers) - 1,
    }  # fmt: skip


ARMOUR_WEIGHTS = {"living": 1, "dead": 2, "step": 1, "lower": 1, "armoured": 1, "equals": 1}
ARMOUR_LEVELS = (1, 3, 4, 5, 7)


def armour_theme(features: Features) -> str:
    """What finding the taker is about."""
    return "other" if features["step"] else "suit"


def find_armour(stream: Stream, level: int, theme: str) -> Problem | None:
    """(e) Who takes a card that fits nowhere as armour."""
    found = _search(
        stream, _cards_that_fit_nowhere, armour_features,
        _fits(armour_theme, ARMOUR_WEIGHTS, ARMOUR_LEVELS, level, theme), rash=True,
    )  # fmt: skip
    return armour_problem(*found, level) if found else None


def armour_problem(game: Game, number: int, card: str, features: Features, level: int) -> Problem:
    """The problem of the card that fits nowhere in position `number`.

    Neither the places nor the card's value decide, nor what armour is worn: they are not in the fingerprint.
    """
    position = game.positions[number]
    right = armour_targets(position.royals, card)
    options = tuple(
        _armour_option(position.royals, card, place, right)
        for place, royal in zip(PLACES, position.royals, strict=True)
        if royal
    )
    told = sorted(royal.card + "-" * royal.dead for royal in position.royals if royal)
    texts = [" ".join([card[1], *told]).translate(names).split() for names in _RENAMED]
    fingerprint = min(" ".join([suit, *sorted(royals)]) for suit, *royals in texts)
    return _problem(
        "e", level, {**_drawn(position, "royals", "grid"), "card": card},
        [Prompt("armour", {"card": card}), Prompt("lowest", {"reading": "GC-R7"})],
        [{"place": place} for place in right],
        Options(options), features, fingerprint, game.origin(number),
        ("GC-R7",) if _depends(position.royals, card, right) else (),
    )  # fmt: skip


def _depends(royals: Royals, card: str, right: Sequence[str]) -> bool:
    """Whether the answer would be another if armour counted for who is lowest, or if equals left no choice (GC-R7)."""
    best = step(_standing(royals, right[0]).card, card)
    alike = [
        (royal.health, place)
        for place, royal in zip(PLACES, royals, strict=True)
        if royal and not royal.dead and step(royal.card, card) == best
    ]
    least = min(alike)[0]
    return len(right) > 1 or [place for health, place in alike if health == least] != list(right)


def _standing(royals: Royals, place: str) -> Royal:
    royal = royals[PLACES.index(place)]
    assert royal is not None
    return royal


def _armour_option(royals: Royals, card: str, place: str, right: Sequence[str]) -> Option:
    """A royal, and why it takes the card or not."""
    royal, option, taker = _standing(royals, place), {"place": place}, _standing(royals, right[0])
    if place in right:
        why = reason("takes", royal=royal.card, place=place, card=card, step=step(royal.card, card))
        names = tuple(_standing(royals, other).card for other in right)
        notes = _too_much(place, royal._replace(armour=(*royal.armour, card)))
        if len(right) > 1 and place == right[-1]:
            notes.append(reason("equals", royals=names))
        return Option(option, True, why, tuple(notes))
    if royal.dead:
        return Option(option, False, reason("dead", place=place))
    facts = {"royal": royal.card, "place": place, "better": taker.card}
    best = step(taker.card, card)
    if step(royal.card, card) != best:
        return Option(option, False, reason("royal_less_alike", **facts, card=card, step=best))
    key = "armour_not_counted" if royal.health <= taker.health else "royal_higher"
    return Option(option, False, reason(key, **facts))


def _too_much(place: str, royal: Royal) -> list[Reason]:
    """That the game is lost, where this royal with its new armour is beyond reach (GC-17)."""
    if not royal.beyond_reach:
        return []
    limit = BEYOND_REACH[royal.card[0]]
    return [reason("beyond_reach", royal=royal.card, place=place, health=royal.health, limit=limit)]


# (f) Is the attack enough


def _firing_cells(position: Position) -> Iterator[int]:
    """Where the card in hand may be laid and fires at somebody."""
    for card in _cards_turned(position):
        for cell in fitting(position.stacks, card):
            if attacks(position.stacks, position.royals, cell):
                yield cell


def attack_features(position: Position, cell: int) -> Features:
    """What makes the outcome of what a cell fires hard to add up.

    `second`: attacks beyond the first; `ignored`: attackers that do not count; `armour`: cards of armour on those
    attacked; `close`: attacks that miss or reach the health by at most two; `masks`: attacks that are not enough though
    all the cards together would be; `dead`: for the theme alone, whether somebody dies.
    """
    fired = attacks(position.stacks, position.royals, cell)
    return {
        "second": len(fired) - 1,
        "ignored": sum(not count for attack in fired for count in attack.counts),
        "armour": sum(len(attack.royal.armour) for attack in fired),
        "close": sum(abs(attack.total - attack.royal.health) <= 2 for attack in fired),
        "masks": sum(not a.kills and sum(map(_face, a.attackers)) >= a.royal.health for a in fired),
        "dead": int(any(attack.kills for attack in fired)),
    }


ATTACK_WEIGHTS = {"second": 2, "ignored": 1, "armour": 1, "close": 1, "masks": 1, "dead": 0}
ATTACK_LEVELS = (0, 1, 2, 3, 4)


def attack_theme(features: Features) -> str:
    """What adding up an attack comes to."""
    return "kill" if features["dead"] else "stand"


def find_attack(stream: Stream, level: int, theme: str) -> Problem | None:
    """(f) Whether what a placement fires is enough."""
    found = _search(
        stream, _firing_cells, attack_features, _fits(attack_theme, ATTACK_WEIGHTS, ATTACK_LEVELS, level, theme)
    )  # fmt: skip
    return attack_problem(*found, level) if found else None


def attack_problem(game: Game, number: int, cell: int, features: Features, level: int) -> Problem:
    """The problem of laying the card in hand on that cell in position `number`."""
    position = game.positions[number]
    card, stacks, royals = position.turned, position.stacks, position.royals
    assert card is not None
    fired = sorted(attacks(stacks, royals, cell), key=lambda attack: attack.place)
    answer = {
        "attacks": [
            {
                "place": attack.place,
                "cards": attack.attackers[::-1],
                "counts": attack.counts[::-1],
                "total": attack.total,
                "health": attack.royal.health,
                "dead": attack.kills,
            }
            for attack in fired
        ]
    }
    tops = [top + "!" * (number == cell) for number, top in enumerate(_tops(stacks))]
    facts = {"card": card, **_at(cell)}
    return _problem(
        "f", level, {**_drawn(position, "grid", "royals"), **facts}, [Prompt("attack", facts)], [answer],
        Working(None, tuple(_sum(card, attack) for attack in fired)), features,
        _least(tops, _living(royals), f"< {VALUE[card]}"), game.origin(number),
    )  # fmt: skip


def _sum(card: str, attack: Attack) -> Sum:
    """What an attack adds up to: who attacks, what each is worth, what the royal can stand, and what comes of it."""
    royal, told = attack.royal, _attack(attack)
    facts = {"royal": royal.card, "who": told["who"]}
    terms = [reason("fires", card=card, royal=royal.card, place=attack.place, attackers=told["attackers"])]
    for top, count in zip(attack.attackers[::-1], attack.counts[::-1], strict=True):
        if top == EMPTY:
            terms.append(reason("counts_empty", royal=royal.card))
        elif count:
            terms.append(reason("counts", card=top, **facts, value=count))
        else:
            terms.append(reason("counts_not", card=top, **facts))
    if royal.armour:
        terms.append(_armoured(attack.place, royal))
    total = {name: told[name] for name in ("royal", "counts", "total", "health")}
    return Sum(tuple(terms), reason("sum_kills" if attack.kills else "sum_short", **total))


AVAILABLE = {  # told by the repeats among 800 draws a level; the other kinds had none, or one
    "b": {1: 4_200, 2: 12_000, 3: 9_400, 4: 8_800, 5: 3_500},
    "e": {1: 4_200, 2: 3_000, 3: 5_700, 4: 11_800, 5: 8_200},
}


def _kind(letter: str, find: Callable[[Stream, int, str], Problem | None], *themes: tuple[str, ...]) -> Kind:
    """A kind with the themes of its levels 1, 2, …"""
    return Kind(letter, 1, FIRST, dict(enumerate(themes, 1)), find, AVAILABLE.get(letter, {}))


KINDS = {
    "a": _kind("a", find_royal, ("suit", "passed"), *[("suit", "passed", "other")] * 4),
    "b": _kind(
        "b", find_card,
        ("plain", "equal"), ("plain", "equal", "empty"), ("plain", "equal", "empty"), ("plain", "equal", "empty"),
        ("equal", "empty"),
    ),
    "c": _kind("c", find_kill, *[("any", "some")] * 5),
    "d": _kind("d", find_line, *[("cards",)] * 3, *[("cards", "ploys")] * 2),
    "e": _kind("e", find_armour, ("suit",), *[("suit", "other")] * 4),
    "f": _kind("f", find_attack, *[("kill", "stand")] * 5),
}  # fmt: skip
