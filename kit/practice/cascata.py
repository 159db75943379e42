"""Practice for Cascata: (a) free cards, (b) what turns up, (c) the score, (d) thefts, (e) the best meld action, (f) the
last turns.

Positions come from deals played by the engine, steered to what makes melds worth a look. What a move does is always
played by the engine; (e) tries every meld action, (f) every line to the end of the game. Suits never matter in this
game: two moves are alike when they use cards of equal rank from one hand at one place, and a best move is the only one
but for moves alike to it.

How level is measured: each kind adds up the features that make it harder (`FREE_WEIGHTS`, …) and cuts the sum into
levels (`FREE_LEVELS`, …); no weight is negative, so more of a feature never lowers the level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from kit.games.cascata import (
    FACTOR,
    HAND,
    ID,
    JOKERS,
    LOCKS,
    MELD_MAX,
    PLACES,
    PLAYERS,
    ROWS,
    USUAL_HIDDEN_ROW,
    Card,
    Cards,
    Draw,
    Extend,
    Meld,
    Move,
    NewMeld,
    Pass,
    Position,
    Steal,
    Swap,
    Take,
    deal,
    deck,
    free_cards,
    freed,
    in_order,
    is_free,
    is_up,
    position_to_json,
    pyramid_size,
    rows,
    values,
)
from kit.games.core import Stream
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

# Every reason that a key can give, one sentence a key. Rows count from the apex, positions from the left, seats from 0.
REASONS: dict[str, Slots] = {
    # (a) why a card is free or not: `above` are the cards directly above it
    "free": slots("CA-6", "card row position"),
    "free_end": slots("CA-R1", "card row position"),
    "half_covered": slots("CA-6", "card row position above"),
    "covered": slots("CA-R1", "card row position above"),
    # (b) why a card turns up or not: `take` is the number of the take that frees it, `covers` the places still above it
    "turns_up": slots("CA-18", "row position take"),
    "stays_down": slots("CA-18", "row position covers"),
    # what a meld scores: its cards, the sum of their values, what that is multiplied by
    "pair": slots("CA-14", "cards points"),
    "triple": slots("CA-14", "cards sum factor points"),
    "four": slots("CA-14", "cards points"),
    "pair_times": slots("CA-19", "cards sum times points"),
    "triple_times": slots("CA-19", "cards sum factor times points"),
    "four_times": slots("CA-R8", "cards base times points"),
    # (c) the rest of a player's score, and who wins
    "hand": slots("CA-15", "cards penalty"),
    "no_hand": slots("CA-15", ""),
    "total": slots("CA-17", "seat melds penalty total"),
    "wins": slots("CA-17", "winners total"),
    "tie": slots("CA-17", "seats hand_sizes total"),
    "fewest": slots("CA-17", "winners"),
    "shared": slots("CA-R6", "winners"),
    # (d) what can be stolen: `added` to `cards`
    "completes": slots("CA-12", "victim meld cards added"),
    "joker_matches": slots("CA-R2", "rank"),
    "safe": slots("CA-13", "victim meld cards"),
    "no_match": slots("CA-12", "victim meld cards"),
    "too_few": slots("CA-12", "victim meld cards added size"),
    "too_many": slots("CA-13", "victim meld cards added size"),
    "own_meld": slots("CA-11", "meld cards"),
    "own_four": slots("CA-13", "meld cards"),
    # (e) what a meld action is worth: the own total and the highest other one after it; `action` is `told`
    "best": slots("CA-17", "action own other gain margin"),
    "gains": slots("CA-17", "action own other gain"),
    "stands": slots("CA-17", "own other"),
    # (f) a line of play; `turn` and `action` are `told`
    "aim": slots("CA-17", "seat"),
    "takes": slots("CA-6", "seat card row position"),
    "swaps": slots("CA-8", "seat joker card row position"),
    "swaps_joker": slots("CA-R4", "seat row position"),
    "lays": slots("CA-10", "cards"),
    "adds": slots("CA-11", "added"),
    "steals": slots("CA-12", "victim added"),
    "lays_nothing": slots("CA-9", ""),
    "stands_at": slots("CA-17", "scores"),
    "otherwise": slots("CA-17", "seat turn margin"),
    "ends": slots("CA-16", "scores"),
    "falls_short": slots("CA-17", "seat action margin less"),
    "reply": slots("CA-17", "seat turn"),
    "searched": slots("CA-16", "positions lines turns"),
}

# Every sentence of a question. A `reading` is the id of an open reading that the answer may depend on.
PROMPTS: dict[str, Slots] = {
    "free": slots("", ""),
    "turns_up": slots("", ""),
    "score": slots("", ""),
    "steal": slots("", "seat"),
    "best": slots("", "seat"),
    "times": slots("", "times"),
    "last_turns": slots("", "seat"),
    "locked": slots("", ""),
    "joker_reading": slots("", "reading"),
    "multiplier_reading": slots("", "reading"),
    "tie_reading": slots("", "reading"),
}

INDEX = {place: index for index, place in enumerate(PLACES)}

Features = dict[str, int]
Place = tuple[int, int]


def reason(key: str, **facts: object) -> Reason:
    """A reason of REASONS, with exactly its facts."""
    return given(REASONS, key, **facts)


# Deals -------------------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """A deal as it was played: `positions[n]` is the one before `moves[n]`, the last one that after all moves."""

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]

    def origin(self, moves: int) -> Facts:
        """The record of so many moves of the deal."""
        return {"game": ID, "start": position_to_json(self.positions[0]), "moves": list(map(str, self.moves[:moves]))}

    def at(self, phase: str) -> list[int]:
        """The numbers of the positions in that phase."""
        return [number for number, position in enumerate(self.positions) if position.phase == phase]


class Manner(NamedTuple):
    """How a deal is played: one draft in `draws` is from the reserve, `eager` of ten meld actions are used, a meld has
    at most `most` cards when it is laid, and jokers are kept in the hand or not."""

    draws: int = 4
    eager: int = 7
    most: int = MELD_MAX
    keep_jokers: bool = False


def play(
    stream: Stream, start: Position, manner: Manner, stop: Callable[[Position], bool] = lambda position: False
) -> Deal:
    """Play from `start` to the end, or to the first position that `stop` says."""
    positions, moves = [start], []
    while positions[-1].phase != "over" and not stop(positions[-1]):
        position = positions[-1]
        moves.append((_draft if position.phase == "draft" else _meld)(stream, position, manner))
        positions.append(position.play(moves[-1])[0])
    return Deal(tuple(positions), tuple(moves))


def _draft(stream: Stream, position: Position, manner: Manner) -> Move:
    """A draft that makes sense: of a card that matches something on the table or in the hand, where there is one."""
    may_draw = position.reserve and not position.locked and not position.drawn_marker
    if may_draw and not stream.below(manner.draws):
        return Draw()
    hand = position.hands[position.to_move]
    wanted = {card[0] for card in (*hand, *JOKERS)}
    drafts: Sequence[Move] = free_cards(position.left)
    jokers = [card for card in hand if card in JOKERS]
    if jokers and not manner.keep_jokers and not stream.below(3):
        drafts = [move for move in position.legal() if isinstance(move, Swap) and move.joker == jokers[0]]
    else:
        wanted |= {meld.rank for melds in position.melds for meld in melds if len(meld.cards) < MELD_MAX}
    fitting = [move for move in drafts if (card := _card_at(position, move)) and card[0] in wanted]
    return stream.choice(fitting or drafts)


def _card_at(position: Position, move: Any) -> Card | None:
    return position.pyramid[INDEX[move.row, move.position]]


def _meld(stream: Stream, position: Position, manner: Manner) -> Move:
    if stream.below(10) >= manner.eager:
        return Pass()
    actions = [move for move in position.legal() if _sensible(move, manner)]
    return stream.choice(actions) if actions else Pass()


def _sensible(move: Move, manner: Manner) -> bool:
    match move:
        case NewMeld(cards) if len(cards) > manner.most:
            return False
        case NewMeld(cards) | Extend(_, cards) | Steal(_, _, cards):
            return not (manner.keep_jokers and cards[-1] in JOKERS)
    return False


def _dealt(stream: Stream, players: int, **options: Any) -> Position:
    return deal(deck(stream, players, **options), players, **options)


# Cards, melds, moves -----------------------------------------------------------------------------------------------


def ranks(cards: Iterable[Card]) -> str:
    """The cards with their suits forgotten, sorted: what they are to the rules. A joker is X."""
    return "".join(sorted([card[0] for card in cards]))


def alike(move: Move) -> tuple[Any, ...]:
    """What a move is to the rules: equal for two that differ only in cards of equal rank from the same place."""
    match move:
        case NewMeld():
            return ("meld", ranks(move.cards))
        case Extend():
            return ("extend", move.meld, ranks(move.cards))
        case Steal():
            return ("steal", move.seat, move.meld, ranks(move.cards))
        case Swap():
            return ("swap", move.row, move.position)
    return (str(move),)


def told(position: Position, *moves: Move) -> Facts:
    """Moves of one turn, with the cards that each meets: the one it drafts, or those of the meld it adds to or steals.

    A sheet cannot show the numbers that melds have later on, so sentences name the cards.
    """
    return {"moves": list(map(str, moves)), "met": [_met(position, move) for move in moves]}


def _met(position: Position, move: Move) -> list[Card]:
    match move:
        case Take() | Swap():
            return [card for card in (_card_at(position, move),) if card]
        case Extend():
            return list(position.melds[position.to_move][move.meld - 1].cards)
        case Steal():
            return list(position.melds[move.seat][move.meld - 1].cards)
    return []


def distinct(moves: Iterable[Move]) -> list[Move]:
    """The first of each set of moves that are alike."""
    return list({alike(move): move for move in reversed(list(moves))}.values())[::-1]


@lru_cache(1 << 14)
def _laid(melds: tuple[Meld, ...]) -> int:
    return sum(meld.points for meld in melds)


@lru_cache(1 << 14)
def _kept(hand: Cards) -> int:
    return values(hand)


def totals(position: Position) -> list[int]:
    """What each seat would score if the game were over now (CA-17)."""
    return [_laid(own) - _kept(hand) for own, hand in zip(position.melds, position.hands, strict=True)]


def melds_to_json(melds: Sequence[Sequence[Meld]]) -> list[list[dict[str, Any]]]:
    """The melds, a seat, as the interchange spells them."""
    return [[{"cards": list(meld.cards), "times": meld.times} for meld in own] for own in melds]


SEAT_CARDS, SEAT_MELDS = 16, 5  # that a player has at most: more is no harder, only longer


def is_small(melds: Sequence[Meld], hand: Sequence[Card] = ()) -> bool:
    """Whether a player's cards are few enough for a problem."""
    return len(melds) <= SEAT_MELDS and sum(len(meld.cards) for meld in melds) + len(hand) <= SEAT_CARDS


def points_of(meld: Meld) -> Reason:
    """What a meld scores (CA-14, CA-19)."""
    cards, times, points, size = meld.cards, meld.times, meld.points, len(meld.cards)
    multiplied = {"times": times} if times > 1 else {}
    suffix = "_times" if multiplied else ""
    if size == MELD_MAX:
        base = {"base": points // times} if multiplied else {}
        return reason("four" + suffix, cards=cards, points=points, **multiplied, **base)
    if size == min(FACTOR):
        added = {"sum": values(cards)} if multiplied else {}
        return reason("pair" + suffix, cards=cards, points=points, **multiplied, **added)
    return reason(
        "triple" + suffix, cards=cards, sum=values(cards), factor=FACTOR[size], points=points, **multiplied
    )  # fmt: skip


def _prompts(*prompts: Prompt | None) -> tuple[Prompt, ...]:
    return tuple(filter(None, prompts))


def _reading(key: str, rule: str, needed: bool = True) -> Prompt | None:
    return Prompt(f"{key}_reading", {"reading": rule}) if needed else None


def _problem(
    kind: str, level: int, position: Facts, prompts: tuple[Prompt, ...], answers: Iterable[Facts],
    argument: Options | Working | Line, features: Features, fingerprint: str, origin: Facts,
    readings: Iterable[str] = (),
) -> Problem:  # fmt: skip
    question = Question(ID, kind, level, 1, position, prompts)
    named = tuple(sorted(readings))
    return Problem(question, tuple(answers), argument, named, features, f"{kind} {fingerprint}", origin)


# (a) The free cards ------------------------------------------------------------------------------------------------

FREE_WEIGHTS = {"free": 1, "half": 1}
FREE_LEVELS = (1, 3, 4, 5, 6)
LEAST_CARDS = 8  # left in the pyramid


def _above(left: int, place: int) -> tuple[int, ...]:
    """The places directly above a place (CA-R1) that hold a card."""
    row, position = PLACES[place]
    found = ((row - 1, position - 1), (row - 1, position))
    return tuple(INDEX[at] for at in found if at in INDEX and left >> INDEX[at] & 1)


ABOVE = tuple(sum(1 << above for above in _above(-1, place)) for place in range(len(PLACES)))  # the sets of places


def cells(position: Position) -> list[list[dict[str, Any] | None]]:
    """The pyramid as the interchange spells it; a card that lies face down has no name."""
    shown: list[dict[str, Any] | None] = []
    for place, card in enumerate(position.pyramid):
        up = is_up(position.left, position.options.hidden_rows, place)
        shown.append(None if card is None else {"card": card if up else None, "up": up})
    return [list(row) for row in rows(shown)]


def half_covered(left: int, place: int) -> bool:
    """Whether one of the two cards that once lay above a card is gone and the other still there."""
    above = ABOVE[place]
    return above.bit_count() == 2 and (left & above).bit_count() == 1


def free_features(left: int) -> Features:
    """What makes free cards hard to see. `free`: those beyond the first; `half`: cards with one of two above gone."""
    there = [place for place in range(left.bit_length()) if left >> place & 1]
    return {
        "free": sum(is_free(left, place) for place in there) - 1,
        "half": sum(half_covered(left, place) for place in there),
    }


def find_free(stream: Stream, level: int, theme: str) -> Problem | None:
    """(a) All free cards of a pyramid: with six rows, with seven, or with a joker in the way."""
    players = {"six": 2, "seven": stream.choice(PLAYERS[1:])}.get(theme) or stream.choice(PLAYERS)
    played = play(stream, _dealt(stream, players), Manner())
    found = []
    for number in played.at("draft"):
        position = played.positions[number]
        score = weigh(free_features(position.left), FREE_WEIGHTS)
        joker = any(card in JOKERS for card in position.pyramid)
        if position.left.bit_count() < LEAST_CARDS:
            break
        if level_of(score, FREE_LEVELS) == level and (joker or theme != "joker"):
            found.append(number)
    return free_problem(played, stream.choice(found), level) if found else None


def free_problem(played: Deal, number: int, level: int) -> Problem:
    """The problem of the pyramid before move `number` (from 0)."""
    position = played.positions[number]
    left, pyramid, options = position.left, position.pyramid, []
    free = {(move.row, move.position) for move in position.legal() if isinstance(move, Take)}
    for place, card in enumerate(pyramid):
        if card is None:
            continue
        row, at = PLACES[place]
        facts = {"card": card, "row": row, "position": at}
        above = tuple(pyramid[other] for other in _above(left, place))
        if (row, at) in free:
            why = reason("free_end" if ABOVE[place].bit_count() == 1 else "free", **facts)
        else:
            why = reason("half_covered" if half_covered(left, place) else "covered", **facts, above=above)
        options.append(Option({"row": row, "position": at}, (row, at) in free, why))
    answers = [option.option for option in options if option.right]
    shape = _mirrored([[card[0] if card else "-" for card in row] for row in rows(pyramid)])
    return _problem(
        "a", level, {"pyramid": cells(position)}, _prompts(Prompt("free", {})), answers, Options(tuple(options)),
        free_features(left), shape, played.origin(number),
    )  # fmt: skip


def _mirrored(lines: Sequence[Sequence[str]]) -> str:
    """Rows of a pyramid, the same for its mirror image."""
    return min("/".join(map("".join, lines)), "/".join("".join(reversed(line)) for line in lines))


# (b) What turns face up --------------------------------------------------------------------------------------------

TURN_WEIGHTS = {"takes": 1, "turned": 1, "half": 1, "chain": 2}
TURN_LEVELS = (3, 5, 6, 8, 10)
TAKES = (1, 2, 2, 3, 3, 4, 5)  # how many cards are taken
WAYS = 20  # rows of takes tried, a deal


class Taking(NamedTuple):
    """Cards taken one after the other from what is `left` of a pyramid, as places; `turned`: what turns up, with the
    number of the take that frees it."""

    left: int
    places: tuple[int, ...]
    turned: Mapping[int, int]

    @property
    def remains(self) -> int:
        return self.left & ~sum(1 << place for place in self.places)


def take_some(stream: Stream, left: int, hidden_rows: Sequence[int], count: int) -> Taking | None:
    """So many free cards, taken at random, rather such as cover a hidden row; None when there are not so many."""
    now = left
    places: list[int] = []
    turned: dict[int, int] = {}
    for number in range(1, count + 1):
        free = [INDEX[move.row, move.position] for move in free_cards(now)]
        if not free:
            return None
        near = [place for place in free if {PLACES[place][0], PLACES[place][0] + 1} & {*hidden_rows}]
        place = stream.choice(near if near and stream.below(4) else free)
        now &= ~(1 << place)
        places.append(place)
        turned |= {bared: number for bared in freed(now, place) if PLACES[bared][0] in hidden_rows}
    return Taking(left, tuple(places), turned)


def face_down(left: int, hidden_rows: Sequence[int]) -> list[int]:
    """The places that hold a face-down card."""
    return [p for p in range(left.bit_length()) if left >> p & 1 and not is_up(left, tuple(hidden_rows), p)]


def turn_features(taking: Taking, hidden_rows: Sequence[int]) -> Features:
    """What makes it hard to see what turns up.

    `takes`: cards taken; `turned`: cards that turn up; `half`: face-down cards that in the end have one of two covers
    left; `chain`: cards taken that had turned up just before.
    """
    remains = taking.remains
    return {
        "takes": len(taking.places),
        "turned": len(taking.turned),
        "half": sum(half_covered(remains, place) for place in face_down(remains, hidden_rows)),
        "chain": len({*taking.places} & {*taking.turned}),
    }


def find_turned(stream: Stream, level: int, theme: str) -> Problem | None:
    """(b) What turns face up: with one hidden row, with two, or where a card that has turned up is taken in turn."""
    players = stream.choice(PLAYERS)
    hidden_rows = _some_rows(stream, ROWS[players], {"one": 1, "two": 2}.get(theme) or 1 + stream.below(2))
    played = play(stream, _dealt(stream, players, hidden_rows=hidden_rows), Manner(draws=8))
    scenes = [n for n in played.at("draft") if len(face_down(played.positions[n].left, hidden_rows)) > 1]
    for _ in range(WAYS if scenes else 0):
        number = stream.choice(scenes)
        taking = take_some(stream, played.positions[number].left, hidden_rows, stream.choice(TAKES))
        if taking is None or not taking.turned or not face_down(taking.remains, hidden_rows):
            continue
        features = turn_features(taking, hidden_rows)
        if level_of(weigh(features, TURN_WEIGHTS), TURN_LEVELS) == level and (theme == "chain") <= features["chain"]:
            return turned_problem(played, number, taking, features, level)
    return None


def _some_rows(stream: Stream, count: int, hidden: int) -> tuple[int, ...]:
    """So many hidden rows of a pyramid; one alone is as often as not the usual one (CA-R7)."""
    if hidden == 1 and stream.below(2):
        return (USUAL_HIDDEN_ROW,)
    return tuple(sorted(stream.shuffled(range(2, count + 1))[:hidden]))


def turned_problem(played: Deal, number: int, taking: Taking, features: Features, level: int) -> Problem:
    """The problem of taking these cards from the position before move `number`, played by the engine."""
    position = start = played.positions[number]
    hidden_rows = start.options.hidden_rows
    turned: dict[Place, int] = {}
    for count, place in enumerate(taking.places, 1):
        position, events = position.play(Take(*PLACES[place]))
        turned |= {at: count for event in events if event.kind == "turned_up" for at in event.facts["places"]}
        if position.phase == "meld":
            position, _ = position.play(Pass())
    assert turned == {PLACES[place]: count for place, count in taking.turned.items()}, "two ways to take disagree"
    options = []
    for place in face_down(start.left, hidden_rows):
        row, at = PLACES[place]
        if (row, at) in turned:
            why = reason("turns_up", row=row, position=at, take=turned[row, at])
        else:
            covers = tuple(PLACES[above] for above in _above(position.left, place))
            why = reason("stays_down", row=row, position=at, covers=covers)
        options.append(Option({"row": row, "position": at}, (row, at) in turned, why))
    takes = [list(PLACES[place]) for place in taking.places]
    numbers = {place: str(count) for count, place in enumerate(taking.places, 1)}
    marks = [
        ("-" if not start.left >> place & 1 else ".") + numbers.get(place, "") for place in range(len(start.pyramid))
    ]
    shape = f"{_mirrored(rows(marks))} {','.join(map(str, hidden_rows))}"
    return _problem(
        "b", level, {"pyramid": cells(start), "hidden_rows": list(hidden_rows), "takes": takes},
        _prompts(Prompt("turns_up", {})), [option.option for option in options if option.right],
        Options(tuple(options)), features, shape, played.origin(number),
    )  # fmt: skip


# (c) The score -----------------------------------------------------------------------------------------------------

SCORE_WEIGHTS = {"melds": 1, "jokers": 1, "multiplied": 1, "close": 2, "tie": 2}
SCORE_LEVELS = (3, 6, 8, 10, 12)
CLOSE = 10  # points between the best two
MULTIPLIED = 3
ENDINGS = 8  # ways, a deal, in which its last turns are played
LAST = 8  # moves of those turns
TIES, WITHIN = 300, 60  # where a tie is looked for, if the best two are within so many points
MELDING = {1: 2, 2: 3, 3: 4, 4: 6, 5: 7}  # of ten meld actions those that are used at least, by level


def score_features(position: Position) -> Features:
    """What makes a table hard to score.

    `melds`: all melds; `jokers`: melds with a joker; `multiplied`: melds that count more than once, up to MULTIPLIED;
    `close`: 1 where the best two are within CLOSE points; `tie`: 1 where they are level.
    """
    melds = [meld for own in position.melds for meld in own]
    best, next_best, *_ = sorted(totals(position), reverse=True)
    return {
        "melds": len(melds),
        "jokers": sum(any(card in JOKERS for card in meld.cards) for meld in melds),
        "multiplied": min(MULTIPLIED, sum(meld.times > 1 for meld in melds)),
        "close": int(best - next_best <= CLOSE),
        "tie": int(best == next_best),
    }


def score_theme(position: Position, features: Features) -> str:
    """What a count is about; '' where a player has no meld, or too many cards."""
    seats = zip(position.melds, position.hands, strict=True)
    if not all(melds and is_small(melds, hand) for melds, hand in seats):
        return ""
    if features["tie"]:
        return "tie"
    if features["multiplied"]:
        return "multiplier"
    return "joker" if features["jokers"] else "plain"


def find_score(stream: Stream, level: int, theme: str) -> Problem | None:
    """(c) Melds, hand and total of every player, and who wins."""
    multiplier = theme == "multiplier"
    start = _dealt(stream, stream.choice(PLAYERS[:-1] if multiplier else PLAYERS), multiplier=multiplier)
    manner = Manner(
        draws=12,
        eager=max(0, MELDING[level] - multiplier - 4 * (theme == "tie")) + stream.below(3),
        keep_jokers=theme == "plain",
    )
    played = play(stream, start, manner)
    for ending in _endings(stream, played, manner, theme == "tie"):
        features = score_features(ending.positions[-1])
        fits = level_of(weigh(features, SCORE_WEIGHTS), SCORE_LEVELS) == level
        if fits and score_theme(ending.positions[-1], features) == theme:
            return score_problem(ending, features, level)
    return None


def _endings(stream: Stream, played: Deal, manner: Manner, exhaustive: bool) -> Iterator[Deal]:
    """The deal, and others with the same beginning: some at random, or many of the ways to take the last cards."""
    yield played
    last_one = played.positions[-1]
    best, next_best, *_ = sorted(totals(last_one), reverse=True)
    if exhaustive and not (best - next_best <= WITHIN and all(map(is_small, last_one.melds, last_one.hands))):
        return
    fork = len(played.moves) - LAST
    opening = Deal(played.positions[: fork + 1], played.moves[:fork])
    if exhaustive:
        yield from islice(_every_ending(stream, opening), TIES)
        return
    for _ in range(ENDINGS):
        last = play(stream, opening.positions[-1], manner)
        yield Deal(opening.positions[:-1] + last.positions, opening.moves + last.moves)


def _every_ending(stream: Stream, played: Deal) -> Iterator[Deal]:
    """Every way to play on to the end that only takes from the pyramid, in random order."""
    position = played.positions[-1]
    if position.phase == "over":
        yield played
    for move in stream.shuffled(distinct(position.legal())):
        if not isinstance(move, Draw | Swap):
            after, _ = position.play(move)
            yield from _every_ending(stream, Deal((*played.positions, after), (*played.moves, move)))


def score_problem(played: Deal, features: Features, level: int) -> Problem:
    """The problem of scoring the table at the end of the deal."""
    position = played.positions[-1]
    result = position.result()
    assert result is not None
    sums = []
    for seat, (melds, hand) in enumerate(zip(position.melds, position.hands, strict=True)):
        terms = [points_of(meld) for meld in melds]
        terms.append(reason("hand", cards=in_order(hand), penalty=values(hand)) if hand else reason("no_hand"))
        points, penalty, total = (result[name][seat] for name in ("melds", "penalties", "scores"))
        sums.append(Sum(tuple(terms), reason("total", seat=seat, melds=points, penalty=penalty, total=total)))
    sums.append(_winners(position, result))
    answer = {name: result[name] for name in ("melds", "penalties", "scores", "winners")}
    multiplier, tie = position.options.multiplier, bool(features["tie"])
    seats = zip(position.melds, position.hands, strict=True)
    table = sorted(f"{_melds_shape(own)} {ranks(hand)}" for own, hand in seats)
    return _problem(
        "c", level,
        {
            "melds": melds_to_json(position.melds),
            "hands": [list(in_order(hand)) for hand in position.hands],
            "multiplier": multiplier,
        },
        _prompts(Prompt("score", {}), _reading("tie", "CA-R6"), _reading("multiplier", "CA-R8", multiplier)),
        [answer], Working(None, tuple(sums)), features, " | ".join(table), played.origin(len(played.moves)),
        ["CA-R6"] * tie + ["CA-R8"] * multiplier,
    )  # fmt: skip


def _winners(position: Position, result: Mapping[str, Any]) -> Sum:
    """Who wins, and by what (CA-17, CA-R6)."""
    scores, winners, total = result["scores"], tuple(result["winners"]), max(result["scores"])
    level = tuple(seat for seat, score in enumerate(scores) if score == total)
    if len(level) == 1:
        return Sum((), reason("wins", winners=winners, total=total))
    sizes = tuple(len(position.hands[seat]) for seat in level)
    tie = reason("tie", seats=level, hand_sizes=sizes, total=total)
    return Sum((tie,), reason("shared" if len(winners) > 1 else "fewest", winners=winners))


def _melds_shape(melds: Iterable[Meld]) -> str:
    """Melds up to suits and their order."""
    return " ".join(sorted(f"{ranks(meld.cards)}x{meld.times}" for meld in melds))


# (d) What can be stolen --------------------------------------------------------------------------------------------

STEAL_WEIGHTS = {"melds": 1, "near": 1, "answers": 1, "jokers": 2}
STEAL_LEVELS = (1, 3, 5, 7, 9)
STEALS = 5  # answers that a problem has at most


def matching(hand: Iterable[Card], rank: str) -> Cards:
    """The cards of a hand that match a rank, jokers among them (CA-R2)."""
    return in_order(card for card in hand if card[0] == rank or card in JOKERS)


def steal_features(position: Position, steals: Sequence[Steal]) -> Features:
    """What makes thefts hard to see.

    `melds`: opponents' melds beyond two; `near`: those that cannot be stolen though a card of the hand matches;
    `answers`: thefts beyond the first; `jokers`: jokers in the hand.
    """
    seat = position.to_move
    hand = position.hands[seat]
    others = [(other, n, m) for other, own in enumerate(position.melds) if other != seat for n, m in enumerate(own, 1)]
    stolen = {(move.seat, move.meld) for move in steals}
    jokers = sum(card in JOKERS for card in hand)
    return {
        "melds": max(0, len(others) - 2),
        "near": sum(bool(matching(hand, m.rank)) for other, n, m in others if (other, n) not in stolen),
        "answers": len(steals) - 1,
        "jokers": jokers,
    }


def steal_theme(position: Position, steals: Sequence[Steal], features: Features) -> str:
    """What thefts are about; '' where only one meld could be stolen, or a player has too many cards."""
    seat = position.to_move
    if not len(steals) <= STEALS or sum(map(len, position.melds)) - len(position.melds[seat]) < 2:
        return ""
    if not all(
        is_small(own, position.hands[seat] if other == seat else ()) for other, own in enumerate(position.melds)
    ):
        return ""
    return "joker" if features["jokers"] else "natural"


def find_steals(stream: Stream, level: int, theme: str) -> Problem | None:
    """(d) Every theft that the player to move can commit."""
    start = _dealt(stream, stream.choice(PLAYERS[:-1]))
    played = play(stream, start, Manner(draws=3, eager=4, most=3), lambda p: not any(map(is_small, p.melds, p.hands)))
    found = []
    for number in played.at("meld"):
        position = played.positions[number]
        steals = [move for move in position.legal() if isinstance(move, Steal)]
        if steals:
            features = steal_features(position, steals)
            fits = level_of(weigh(features, STEAL_WEIGHTS), STEAL_LEVELS) == level
            if fits and steal_theme(position, steals, features) == theme:
                found.append((number, features))
    return steal_problem(played, *stream.choice(found), level) if found else None


def steal_problem(played: Deal, number: int, features: Features, level: int) -> Problem:
    """The problem of the thefts in the position before move `number`."""
    position = played.positions[number]
    seat = position.to_move
    hand = in_order(position.hands[seat])
    steals = [move for move in position.legal() if isinstance(move, Steal)]
    options = [_theft(position, move) for move in steals]
    for owner, melds in enumerate(position.melds):
        for count, meld in enumerate(melds, 1):
            fit = matching(hand, meld.rank)
            why = _no_theft(owner == seat, owner, count, meld, fit)
            if why is not None:
                options.append(Option({"seat": owner, "meld": count, "cards": list(fit)}, False, why))
    joker = any(card in JOKERS for card in hand)
    used = any(card in JOKERS for move in steals for card in move.cards)
    shape = [_melds_shape(position.melds[seat]), ranks(hand)]
    shape += sorted(_melds_shape(own) for other, own in enumerate(position.melds) if other != seat)
    return _problem(
        "d", level, {"seat": seat, "hand": list(hand), "melds": melds_to_json(position.melds)},
        _prompts(Prompt("steal", {"seat": seat}), _reading("joker", "CA-R2", joker)),
        [option.option for option in options if option.right], Options(tuple(options)), features, " | ".join(shape),
        played.origin(number), ["CA-R2"] * used,
    )  # fmt: skip


def _theft(position: Position, move: Steal) -> Option:
    meld = position.melds[move.seat][move.meld - 1]
    why = reason("completes", victim=move.seat, meld=move.meld, cards=meld.cards, added=move.cards)
    joker = (reason("joker_matches", rank=meld.rank),) if any(card in JOKERS for card in move.cards) else ()
    return Option({"seat": move.seat, "meld": move.meld, "cards": list(move.cards)}, True, why, joker)


def _no_theft(own: bool, owner: int, number: int, meld: Meld, fit: Cards) -> Reason | None:
    """Why this meld cannot be stolen with all that matches it; None where that is itself a theft, or nobody asks."""
    facts = {"victim": owner, "meld": number, "cards": meld.cards}
    size = len(meld.cards) + len(fit)
    if own:
        key = "own_four" if len(meld.cards) == MELD_MAX else "own_meld"
        return reason(key, meld=number, cards=meld.cards) if fit else None
    if len(meld.cards) == MELD_MAX:
        return reason("safe", **facts)
    if not fit:
        return reason("no_match", **facts)
    if size < MELD_MAX:
        return reason("too_few", **facts, added=fit, size=size)
    return reason("too_many", **facts, added=fit, size=size) if size > MELD_MAX else None


# (e) The best meld action ------------------------------------------------------------------------------------------

MELD_WEIGHTS = {"actions": 1, "near": 1, "trap": 3, "jokers": 1, "times": 1}
MELD_LEVELS = (1, 2, 3, 5, 8)
ACTIONS = 14  # that a problem has at most


class Worth(NamedTuple):
    """A meld action: what the player and the best of the others would score after it, and what it gains."""

    move: Move
    after: Position
    own: int
    other: int
    gain: int


def worths(position: Position) -> list[Worth]:
    """Every meld action of the position, alike ones once, the best first (CA-17 as if the game ended after it)."""
    own0, other0 = _standing(position, position.to_move)
    found = []
    for move in distinct(position.legal()):
        after, _ = position.play(move)
        own, other = _standing(after, position.to_move)
        found.append(Worth(move, after, own, other, own - other - own0 + other0))
    return sorted(found, key=lambda worth: -worth.gain)


def _standing(position: Position, seat: int) -> tuple[int, int]:
    """The total of a seat and the highest one of the others."""
    scores = totals(position)
    return scores[seat], max(score for other, score in enumerate(scores) if other != seat)


def meld_features(position: Position, found: Sequence[Worth]) -> Features:
    """What makes the best meld action hard to find.

    `actions`: those beyond two, doing nothing among them; `near`: wrong ones that gain more than half as much; `trap`:
    1 where another action leads to a higher own total; `jokers`: jokers in the hand; `times`: 1 with the multiplier.
    """
    best = found[0]
    return {
        "actions": len(found) - 2,
        "near": sum(worth.gain * 2 > best.gain for worth in found[1:] if worth.gain > 0),
        "trap": int(max(worth.own for worth in found) > best.own),
        "jokers": sum(card in JOKERS for card in position.hands[position.to_move]),
        "times": int(position.options.multiplier),
    }


def meld_theme(position: Position, found: Sequence[Worth]) -> str:
    """What the choice is about: the kind of the best action, or the multiplier; '' where it is none."""
    if not 3 <= len(found) <= ACTIONS or found[0].gain == found[1].gain:
        return ""
    return "multiplier" if position.options.multiplier else str(found[0].move).split()[0]


def find_best_meld(stream: Stream, level: int, theme: str) -> Problem | None:
    """(e) The meld action that gains most."""
    start = _dealt(stream, stream.choice(PLAYERS[:2]), multiplier=theme == "multiplier")
    played = play(stream, start, Manner(draws=5, eager=5, most=3), lambda p: not all(map(is_small, p.melds, p.hands)))
    scenes = [number for number in played.at("meld") if number < len(played.moves)]
    for number in stream.shuffled(scenes):
        position = played.positions[number]
        found = worths(position)
        if meld_theme(position, found) == theme:
            features = meld_features(position, found)
            if level_of(weigh(features, MELD_WEIGHTS), MELD_LEVELS) == level:
                return best_meld_problem(played, number, found, features, level)
    return None


def best_meld_problem(
    played: Deal, number: int, found: Sequence[Worth], features: Features, level: int
) -> Problem:  # fmt: skip
    """The problem of the meld action in the position before move `number`."""
    position = played.positions[number]
    seat, best = position.to_move, found[0]
    options = []
    for worth in found:
        facts, action = {"own": worth.own, "other": worth.other}, told(position, worth.move)
        if worth is best:
            margin = best.gain - found[1].gain
            why = reason("best", action=action, **facts, gain=worth.gain, margin=margin)
        elif isinstance(worth.move, Pass):
            why = reason("stands", **facts)
        else:
            why = reason("gains", action=action, **facts, gain=worth.gain)
        option = {"move": str(worth.move), "gain": worth.gain}
        options.append(Option(option, worth is best, why, _outcome(worth.after, worth.move, seat)))
    same = [move for move in position.legal() if alike(move) == alike(best.move)]
    jokers = any(card in JOKERS for card in position.hands[seat])
    multiplier = position.options.multiplier
    shape = [f"{ranks(position.hands[seat])}x{position.times}", _melds_shape(position.melds[seat])]
    shape += sorted(
        f"{ranks(hand)}+{_melds_shape(own)}"
        for other, (hand, own) in enumerate(zip(position.hands, position.melds, strict=True))
        if other != seat
    )
    return _problem(
        "e", level,
        {
            "seat": seat,
            "hands": [list(in_order(hand)) for hand in position.hands],
            "melds": melds_to_json(position.melds),
            "times": position.times,
        },
        _prompts(
            Prompt("best", {"seat": seat}),
            Prompt("times", {"times": position.times}) if multiplier else None,
            _reading("joker", "CA-R2", jokers),
            _reading("multiplier", "CA-R8", multiplier),
        ),
        [{"move": str(move), "gain": best.gain} for move in same], Options(tuple(options)), features,
        " | ".join(shape), played.origin(number), ["CA-R2"] * jokers + ["CA-R8"] * multiplier,
    )  # fmt: skip


def _outcome(after: Position, move: Move, seat: int) -> tuple[Reason, ...]:
    """What the meld that a meld action has made scores, and that a joker may be used for it."""
    meld = made(after, move, seat)
    if meld is None or not isinstance(move, NewMeld | Extend | Steal):
        return ()
    joker = any(card in JOKERS for card in move.cards)
    return (*((reason("joker_matches", rank=meld.rank),) if joker else ()), points_of(meld))


def made(after: Position, move: Move, seat: int) -> Meld | None:
    """The meld that a meld action of the seat has made."""
    if isinstance(move, Pass):
        return None
    return after.melds[seat][move.meld - 1 if isinstance(move, Extend) else -1]


# (f) The last turns ------------------------------------------------------------------------------------------------

LINE_WEIGHTS = {"turns": 1, "cards": 2, "near": 1, "trap": 3, "jokers": 1}
LINE_LEVELS = (1, 3, 5, 6, 8)
LAST_CARDS = (2, 3)  # left in the pyramid
NEAR, NEAR_COUNTED = 20, 4  # points by which a wrong turn is near the best one, and how many of those count
HAND_CARDS = 9  # that a player holds at most
LOPSIDED = 120  # points between the players at most, before the last turns
TURNS = 40  # of the player to move, at most
MOST_POSITIONS = 200  # looked at in a search: one that needs more is dropped
JOKER_CARDS = 11  # in both hands at most, where a joker multiplies the lines
SHOWN = 3  # near misses in the key
EARLY = 5  # cards that lie on the lock at most
FORK, FORKS = 6, 8  # cards left in the pyramid where a deal's last turns begin, and ways to play them


class Turn(NamedTuple):
    """A draft and a meld action, the position after both, the difference of own score to the other's that the player
    gets when both play best from there, and how many lines of play begin so."""

    draft: Move
    meld: Move
    after: Position
    margin: int
    lines: int

    @property
    def moves(self) -> list[str]:
        return [str(self.draft), str(self.meld)]


class TooMany(Exception):
    """A search would need more than MOST_POSITIONS."""


class Search:
    """Every line of play from a position of two players to the end of the game, cards of equal value once.

    A position is remembered by what matters for the rest of the game; so what is remembered is the difference still to
    come, and the number of lines. A swap does not shrink the pyramid, but then a joker lies there, and the player
    without one must take. Raises TooMany.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[Any, ...], tuple[int, int]] = {}

    @property
    def positions(self) -> int:
        return len(self._seen)

    def turns(self, position: Position) -> Iterator[Turn]:
        """Every turn of the player to move, alike ones once, in the engine's order."""
        for draft in distinct(position.legal()):
            drafted, _ = position.play(draft)
            for meld in distinct(drafted.legal()):
                after, _ = drafted.play(meld)
                yield Turn(draft, meld, after, *self._ahead(after, position.to_move))

    def _ahead(self, after: Position, seat: int) -> tuple[int, int]:
        """The difference that a seat gets at the end from the position after its turn, and the lines to there."""
        if after.phase == "over":
            return difference(after, seat), 1
        now, key = difference(after, seat), _remembered(after)
        if key not in self._seen:
            if len(self._seen) >= MOST_POSITIONS:
                raise TooMany
            turns = list(self.turns(after))
            best = max(turn.margin for turn in turns)
            self._seen[key] = -best - now, sum(turn.lines for turn in turns)
        ahead, lines = self._seen[key]
        return now + ahead, lines


def difference(position: Position, seat: int) -> int:
    """The total of a seat less the other's, as if the game were over."""
    scores = totals(position)
    return scores[seat] - scores[1 - seat]


def _remembered(position: Position) -> tuple[Any, ...]:
    """What the rest of the game depends on: no suits, and no meld that is safe."""
    return (
        position.to_move,
        tuple(card and card[0] for card in position.pyramid),
        *map(ranks, position.hands),
        *map(_open, position.melds),
    )


@lru_cache(1 << 14)
def _open(melds: tuple[Meld, ...]) -> tuple[tuple[str, int, int], ...]:
    return tuple(sorted((meld.rank, len(meld.cards), meld.points) for meld in melds if len(meld.cards) < MELD_MAX))


def _seen_features(position: Position, turns: int) -> Features:
    """Those features of the last turns that need no search, the others 0."""
    loose = [*position.pyramid, *position.hands[0], *position.hands[1]]
    return {
        "turns": turns // 3,
        "cards": position.left.bit_count() - LAST_CARDS[0],
        "near": 0,
        "trap": 0,
        "jokers": sum(card in JOKERS for card in loose if card),
    }


def line_features(position: Position, turns: Sequence[Turn]) -> Features:
    """What makes the best turn hard to find; `turns` with the best first.

    `turns`: thirds of their number; `cards`: left in the pyramid beyond two; `near`: wrong turns at most NEAR points
    worse, up to NEAR_COUNTED; `trap`: 1 where no turn that leaves the player best off at once is best; `jokers`: jokers
    in hands and pyramid.
    """
    best, seat = turns[0], position.to_move
    highest = max(difference(turn.after, seat) for turn in turns)
    return _seen_features(position, len(turns)) | {
        "near": min(NEAR_COUNTED, sum(best.margin - turn.margin <= NEAR for turn in turns[1:])),
        "trap": int(difference(best.after, seat) < highest),
    }


def line_theme(features: Features, best: Turn) -> str:
    """What the last turns are about."""
    if features["jokers"]:
        return "joker"
    if isinstance(best.meld, Steal):
        return "theft"
    return "patience" if features["trap"] else "profit"


def locked_deal(stream: Stream, lock: str) -> Position:
    """A deal of two whose reserve will soon be locked; what then stays there is in the order of the deck, so that
    nothing is told of it that the cards on the table do not tell."""
    cards = deck(stream, PLAYERS[0], lock=lock)
    shown = PLAYERS[0] * HAND + pyramid_size(PLAYERS[0])
    early = 1 + stream.below(EARLY)
    reserve = [card for card in cards[shown:] if card != LOCKS[lock]]
    return deal([*cards[:shown], *reserve[:early], LOCKS[lock], *in_order(reserve[early:])], PLAYERS[0], lock=lock)


def find_line(stream: Stream, level: int, theme: str) -> Problem | None:
    """(f) The best turn when the pyramid is down to its last cards."""
    start = locked_deal(stream, stream.choice(sorted(LOCKS)))
    manner = Manner(draws=3, eager=4 + stream.below(4), most=3, keep_jokers=theme == "joker")
    opening = play(stream, start, manner, lambda p: p.phase == "draft" and p.left.bit_count() <= FORK and p.locked)
    if opening.positions[-1].phase == "over":
        return None
    for _ in range(FORKS):
        played = _last_turns(stream, opening, manner)
        position = played.positions[-1]
        if abs(difference(position, 0)) > LOPSIDED or not _may_be(position, level, theme):
            continue
        search = Search()
        try:
            turns = sorted(search.turns(position), key=lambda turn: -turn.margin)
        except TooMany:
            continue
        if turns[0].margin == turns[1].margin:
            continue
        features = line_features(position, turns)
        fits = level_of(weigh(features, LINE_WEIGHTS), LINE_LEVELS) == level
        if fits and line_theme(features, turns[0]) == theme:
            return line_problem(played, search, turns, features, level)
    return None


def _last_turns(stream: Stream, opening: Deal, manner: Manner) -> Deal:
    """The deal played on until its pyramid has two or three cards."""
    count = stream.choice(LAST_CARDS)
    more = play(stream, opening.positions[-1], manner, lambda p: p.phase == "draft" and p.left.bit_count() <= count)
    return Deal(opening.positions[:-1] + more.positions, opening.moves + more.moves)


def _may_be(position: Position, level: int, theme: str) -> bool:
    """Whether the position can be of that level and theme, so far as can be told without a search."""
    jokers = _seen_features(position, 0)["jokers"]
    drafts = distinct(position.legal())
    turns = [(draft, meld) for draft in drafts for meld in distinct(position.play(draft)[0].legal())]
    if not 2 <= len(turns) <= TURNS or max(map(len, position.hands)) > HAND_CARDS:
        return False
    if jokers != (theme == "joker") or jokers * sum(map(len, position.hands)) > JOKER_CARDS:
        return False
    if theme == "theft" and not any(isinstance(meld, Steal) for _, meld in turns):
        return False
    least = weigh(_seen_features(position, len(turns)), LINE_WEIGHTS)
    most = least + LINE_WEIGHTS["near"] * NEAR_COUNTED + LINE_WEIGHTS["trap"] * (theme != "profit")
    return level_of(least, LINE_LEVELS) <= level <= level_of(most, LINE_LEVELS)


def line_problem(played: Deal, search: Search, turns: Sequence[Turn], features: Features, level: int) -> Problem:
    """The problem of the last position of the deal; `turns` are all of it, the only best one first."""
    position = played.positions[-1]
    seat, best = position.to_move, turns[0]
    near = tuple(_near_miss(search, position, turn, best) for turn in turns[1 : 1 + SHOWN])
    searched = reason("searched", positions=search.positions, lines=sum(turn.lines for turn in turns), turns=len(turns))
    jokers = bool(features["jokers"])
    return _problem(
        "f", level, {"position": position_to_json(position)},
        _prompts(Prompt("last_turns", {"seat": seat}), Prompt("locked", {}), _reading("joker", "CA-R2", jokers)),
        _same_turns(position, best), Line(_best_line(search, position), near, searched), features,
        _last_shape(position), played.origin(len(played.moves)), ["CA-R2"] * jokers,
    )  # fmt: skip


def _same_turns(position: Position, best: Turn) -> list[Facts]:
    """Every turn alike to the best one."""
    found = []
    for draft in position.legal():
        if alike(draft) == alike(best.draft):
            drafted, _ = position.play(draft)
            found += [(draft, meld) for meld in drafted.legal() if alike(meld) == alike(best.meld)]
    return [{"moves": [str(draft), str(meld)], "margin": best.margin} for draft, meld in found]


def _best_line(search: Search, position: Position) -> Trace:
    """The line to the end when both play best."""
    steps: list[Step] = []
    first = position.to_move
    while position.phase != "over":
        turns = sorted(search.turns(position), key=lambda turn: -turn.margin)
        best, seat = turns[0], position.to_move
        worse = next((turn for turn in turns if turn.margin < best.margin), None)
        # The first turn's rivals stand below the line, as near misses.
        refuted = () if worse is None or not steps else (
            reason("otherwise", seat=seat, turn=told(position, worse.draft, worse.meld), margin=worse.margin),
        )  # fmt: skip
        turn = told(position, best.draft, best.meld)
        facts = {"seat": seat, **turn, "difference": difference(best.after, first)}
        steps.append(Step(facts, _drafts(position, best.draft), _then(best, position), refuted))
        position = best.after
    return Trace(reason("aim", seat=first), tuple(steps))


def _drafts(position: Position, draft: Move) -> Reason:
    card, facts = _card_at(position, draft), {"seat": position.to_move}
    if isinstance(draft, Take):
        return reason("takes", **facts, card=card, row=draft.row, position=draft.position)
    assert isinstance(draft, Swap)
    where = {"row": draft.row, "position": draft.position}
    if card in JOKERS:
        return reason("swaps_joker", **facts, **where)
    return reason("swaps", **facts, **where, joker=draft.joker, card=card)


def _then(turn: Turn, before: Position) -> tuple[Reason, ...]:
    """What the meld action of a turn does, what the meld then scores, and how the game stands or ends."""
    seat, move = before.to_move, turn.meld
    match move:
        case NewMeld(cards):
            said = reason("lays", cards=cards)
        case Extend(_, cards):
            said = reason("adds", added=cards)
        case Steal(victim, _, cards):
            said = reason("steals", victim=victim, added=cards)
        case _:
            said = reason("lays_nothing")
    end = reason("ends" if turn.after.phase == "over" else "stands_at", scores=totals(turn.after))
    return (said, *_outcome(turn.after, move, seat), end)


def _near_miss(search: Search, position: Position, turn: Turn, best: Turn) -> Option:
    """A turn that is not the best, what it gets, and the reply that makes it so."""
    facts = {"seat": position.to_move, "action": told(position, turn.draft, turn.meld)}
    less = reason("falls_short", **facts, margin=turn.margin, less=best.margin - turn.margin)
    notes: tuple[Reason, ...] = ()
    if turn.after.phase != "over":
        reply = max(search.turns(turn.after), key=lambda answer: answer.margin)
        notes = (reason("reply", seat=turn.after.to_move, turn=told(turn.after, reply.draft, reply.meld)),)
    return Option({"moves": turn.moves, "margin": turn.margin}, False, less, notes)


def _last_shape(position: Position) -> str:
    """A position up to suits, the seats' names and the pyramid's mirror image."""
    heap = _mirrored([[card[0] if card else "-" for card in row] for row in rows(position.pyramid)])
    order = (position.to_move, 1 - position.to_move)
    seats = [f"{ranks(position.hands[seat])}+{_melds_shape(position.melds[seat])}" for seat in order]
    return " | ".join([heap, *seats])


def _levels(*themes: str) -> dict[int, tuple[str, ...]]:
    """The themes of the levels 1, 2, …, parted by spaces."""
    return {level: tuple(names.split()) for level, names in enumerate(themes, 1)}


TURNED = {1: 790, 2: 940, 3: 960, 4: 1_200, 5: 1_800}  # different problems of (b), told by the repeats among 800 draws
KINDS = {
    "a": Kind("a", 1, FIRST, _levels(*["six seven joker"] * 5), find_free),
    "b": Kind("b", 1, FIRST, _levels("one two", "one two", *["one two chain"] * 3), find_turned, TURNED),
    "c": Kind(
        "c", 1, FIRST,
        _levels("plain joker", *["plain joker multiplier"] * 3, "joker multiplier tie"),
        find_score,
    ),
    "d": Kind("d", 1, FIRST, _levels("natural", *["natural joker"] * 4), find_steals),
    "e": Kind("e", 1, FIRST, _levels("meld extend steal", *["meld extend steal multiplier"] * 4), find_best_meld),
    "f": Kind(
        "f", 1, FIRST,
        _levels(
            "profit theft",
            "profit patience theft joker",
            "profit patience theft",
            "patience theft",
            "patience theft joker",
        ),
        find_line,
    ),
}  # fmt: skip
