"""Cascata, as the rules read. A position is the interchange object."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from kit.reference.plain import deepcopy

Position = dict[str, Any]
Pyramid = list[list[Any]]

RANKS = "A23456789TJQK"
SUITS = "shdc"
JOKERS = ["X1", "X2"]
DECK = [rank + suit for rank in RANKS for suit in SUITS] + JOKERS  # in the order in which moves name cards
MARKER = "M"


def is_joker(card: str) -> bool:
    return card in JOKERS


def value(card: str) -> int:
    """CA-14: ace 1, jack 11, queen 12, king 13, a joker 0."""
    return 0 if is_joker(card) else RANKS.index(card[0]) + 1


def deal(
    deck: Sequence[str],
    players: int,
    hidden_rows: Sequence[int] = (),
    multiplier: bool = False,
    lock: str | None = None,
) -> Position:
    """CA-1 to CA-4 with the options CA-18 to CA-20. ValueError for no such deal."""
    if players not in (2, 3, 4):
        raise ValueError("CA-1: two to four players")
    if lock not in (None, "joker", "marker"):
        raise ValueError("CA-20: the lock is a joker or a marker")
    if sorted(deck) != sorted(DECK + [MARKER] * (lock == "marker")):
        raise ValueError("CA-1: the deck is 52 cards and two jokers, and the marker where it locks")
    cards = list(deck)
    hands = [[cards.pop(0) for _ in range(4)] for _ in range(players)]
    rows = pyramid_rows(players)
    pyramid = [[{"card": cards.pop(0), "up": row not in hidden_rows} for _ in range(row)] for row in range(1, rows + 1)]
    if (lock == "joker" and "X1" not in cards) or (lock == "marker" and MARKER not in cards):
        raise ValueError("CA-R9: what locks is shuffled into the reserve")
    if list(hidden_rows) != sorted(set(hidden_rows)) or any(row not in range(1, rows + 1) for row in hidden_rows):
        raise ValueError("CA-18: hidden rows are rows of the pyramid, ascending")
    turn_up(pyramid)
    return {
        "game": "cascata",
        "players": players,
        "to_move": 0,
        "phase": "draft",
        "pyramid": pyramid,
        "reserve": cards,
        "hands": hands,
        "melds": [[] for _ in range(players)],
        "options": {"hidden_rows": list(hidden_rows), "multiplier": multiplier, "lock": lock},
        "locked": False,
        "drawn_marker": False,
    }


def pyramid_rows(players: int) -> int:
    """CA-3."""
    return 6 if players == 2 else 7


def legal(position: Position) -> list[str]:
    """CA-5: one card is drafted; CA-9: then at most one meld action."""
    if position["phase"] == "draft":
        return takes(position) + draws(position) + swaps(position)
    if position["phase"] == "meld":
        return new_melds(position) + extensions(position) + thefts(position) + ["pass"]
    return []


def play(position: Position, move: str) -> Position:
    """The position after a move; ValueError when the move is not legal."""
    if move not in legal(position):
        raise ValueError(f"not legal: {move}")
    after = deepcopy(position)
    word, *rest = move.split(" ")
    if word == "take":
        take(after, int(rest[0]), int(rest[1]))
    elif word == "draw":
        draw(after)
    elif word == "swap":
        swap(after, rest[0], int(rest[1]), int(rest[2]))
    elif word == "meld":
        meld(after, rest)
    elif word == "extend":
        extend(after, int(rest[0]) - 1, rest[1:])
    elif word == "steal":
        steal(after, int(rest[0]), int(rest[1]) - 1, rest[2:])
    if word not in ("take", "draw", "swap"):
        end_turn(after)
    return after


def result(position: Position) -> Position | None:
    """CA-15, CA-17, CA-R6: melds minus hand; level players compare how many cards they hold; None before the end."""
    if position["phase"] != "over":
        return None
    melds = [sum(meld_score(meld) for meld in own) for own in position["melds"]]
    penalties = [sum(value(card) for card in hand) for hand in position["hands"]]
    scores = [gained - lost for gained, lost in zip(melds, penalties, strict=True)]
    highest = [seat for seat, score in enumerate(scores) if score == max(scores)]
    fewest = min(len(position["hands"][seat]) for seat in highest)
    winners = [seat for seat in highest if len(position["hands"][seat]) == fewest]
    return {"scores": scores, "melds": melds, "penalties": penalties, "winners": winners}


def meld_score(meld: Position) -> int:
    """CA-14, CA-19: pair x1, triple x2, four 100, all times the multiplier the meld keeps."""
    total = sum(value(card) for card in meld["cards"])
    return int({2: total, 3: total * 2, 4: 100}[len(meld["cards"])] * meld["times"])


# The pyramid: rows and positions count from 1, a card that is gone is None.


def at(pyramid: Pyramid, row: int, i: int) -> Any:
    """What lies at row, position; None when the card is gone or there is no such place."""
    if 1 <= row <= len(pyramid) and 1 <= i <= row:
        return pyramid[row - 1][i - 1]
    return None


def is_free(pyramid: Pyramid, row: int, i: int) -> bool:
    """CA-6, CA-R1: nothing lies directly above it, towards the apex."""
    return at(pyramid, row - 1, i - 1) is None and at(pyramid, row - 1, i) is None


def is_empty(pyramid: Pyramid) -> bool:
    return all(card is None for row in pyramid for card in row)


def there(pyramid: Pyramid) -> list[tuple[int, int]]:
    """Row and position of every card that is still there."""
    places = [(row, i) for row in range(1, len(pyramid) + 1) for i in range(1, row + 1)]
    return [(row, i) for row, i in places if at(pyramid, row, i) is not None]


def turn_up(pyramid: Pyramid) -> None:
    """CA-18, CA-R7: a face-down card that is free turns face up."""
    for row, i in there(pyramid):
        if is_free(pyramid, row, i):
            at(pyramid, row, i)["up"] = True


# The draft.


def takes(position: Position) -> list[str]:
    """CA-6: the free face-up cards."""
    pyramid = position["pyramid"]
    return [f"take {row} {i}" for row, i in there(pyramid) if is_free(pyramid, row, i) and at(pyramid, row, i)["up"]]


def draws(position: Position) -> list[str]:
    """CA-7, CA-R5: unless the reserve is empty or locked (CA-20)."""
    return ["draw"] if position["reserve"] and not position["locked"] else []


def swaps(position: Position) -> list[str]:
    """CA-8, CA-R4: a joker of the hand for any face-up card, free or not, a joker too."""
    pyramid = position["pyramid"]
    jokers = [card for card in position["hands"][position["to_move"]] if is_joker(card)]
    return [f"swap {joker} {row} {i}" for joker in jokers for row, i in there(pyramid) if at(pyramid, row, i)["up"]]


def into_hand(position: Position, card: str) -> None:
    """CA-5: the drafted card goes to the end of the hand, and the meld action follows."""
    position["hands"][position["to_move"]].append(card)
    position["phase"] = "meld"
    position["drawn_marker"] = False


def take(position: Position, row: int, i: int) -> None:
    """CA-6."""
    card = at(position["pyramid"], row, i)["card"]
    position["pyramid"][row - 1][i - 1] = None
    turn_up(position["pyramid"])
    into_hand(position, card)


def draw(position: Position) -> None:
    """CA-7, CA-20, CA-R9: the lock card locks; the marker is laid aside and its drawer still drafts."""
    card = position["reserve"].pop(0)
    lock = position["options"]["lock"]
    if (lock == "joker" and card == "X1") or (lock == "marker" and card == MARKER):
        position["locked"] = True
    if card == MARKER:
        position["drawn_marker"] = True
    else:
        into_hand(position, card)


def swap(position: Position, joker: str, row: int, i: int) -> None:
    """CA-8: the joker lies face up in the place of the card."""
    card = at(position["pyramid"], row, i)["card"]
    position["pyramid"][row - 1][i - 1] = {"card": joker, "up": True}
    position["hands"][position["to_move"]].remove(joker)
    into_hand(position, card)


# The meld action.


def is_meld(cards: Sequence[str]) -> bool:
    """CA-10, CA-13, CA-R2: two to four cards of one rank, at least one of them natural, jokers matching any rank."""
    naturals = [card for card in cards if not is_joker(card)]
    return 2 <= len(cards) <= 4 and len({card[0] for card in naturals}) == 1


def choices(position: Position) -> list[list[str]]:
    """Every one to four cards of the mover's hand without two ranks (CA-13), each written in the order of the deck."""
    hand = [card for card in DECK if card in position["hands"][position["to_move"]]]
    alike = [[card for card in hand if card[0] == rank or is_joker(card)] for rank in RANKS]
    chosen = [cards for group in alike for count in (1, 2, 3, 4) for cards in combinations(group, count)]
    return [list(cards) for cards in dict.fromkeys(chosen)]


def new_melds(position: Position) -> list[str]:
    """CA-10."""
    return ["meld " + " ".join(cards) for cards in choices(position) if is_meld(cards)]


def extensions(position: Position) -> list[str]:
    """CA-11."""
    chosen = choices(position)
    return [
        f"extend {number} " + " ".join(cards)
        for number, meld in enumerate(position["melds"][position["to_move"]], start=1)
        for cards in chosen
        if is_meld(meld["cards"] + cards)
    ]


def thefts(position: Position) -> list[str]:
    """CA-12, CA-13: an opponent's meld of two or three cards, completed to exactly four."""
    chosen = choices(position)
    return [
        f"steal {seat} {number} " + " ".join(cards)
        for seat in range(position["players"])
        if seat != position["to_move"]
        for number, meld in enumerate(position["melds"][seat], start=1)
        if len(meld["cards"]) in (2, 3)
        for cards in chosen
        if is_meld(meld["cards"] + cards) and len(meld["cards"] + cards) == 4
    ]


def times(position: Position) -> int:
    """CA-19, CA-R8: the count of pyramid rows not yet empty, never below 1; 1 without the variant."""
    if not position["options"]["multiplier"]:
        return 1
    return max(1, sum(any(card is not None for card in row) for row in position["pyramid"]))


def lay(position: Position, meld: Position, cards: list[str]) -> None:
    """The cards go from the hand to the end of the meld, which is reckoned anew (CA-R8)."""
    for card in cards:
        position["hands"][position["to_move"]].remove(card)
    meld["cards"] += cards
    meld["times"] = times(position)


def meld(position: Position, cards: list[str]) -> None:
    """CA-10."""
    new: Position = {"cards": [], "times": 1}
    lay(position, new, cards)
    position["melds"][position["to_move"]].append(new)


def extend(position: Position, number: int, cards: list[str]) -> None:
    """CA-11."""
    lay(position, position["melds"][position["to_move"]][number], cards)


def steal(position: Position, seat: int, number: int, cards: list[str]) -> None:
    """CA-12: the whole meld moves in front of the thief."""
    stolen = position["melds"][seat].pop(number)
    lay(position, stolen, cards)
    position["melds"][position["to_move"]].append(stolen)


def end_turn(position: Position) -> None:
    """CA-16: the game ends with the turn in which the last pyramid card was taken; else the next seat drafts."""
    if is_empty(position["pyramid"]):
        position["phase"] = "over"
    else:
        position["phase"] = "draft"
        position["to_move"] = (position["to_move"] + 1) % position["players"]


def canonical(position: Position) -> Position:
    """Hands and the cards of a meld compare as sets."""
    same = deepcopy(position)
    same["hands"] = [sorted(hand) for hand in same["hands"]]
    for own in same["melds"]:
        for meld in own:
            meld["cards"] = sorted(meld["cards"])
    return same
