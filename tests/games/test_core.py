"""What all engines share: the shuffle that is the same for ever, refusals that travel, faults that stay short."""

from __future__ import annotations

import hashlib
import pickle
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.games import core
from kit.games.core import BadPosition, IllegalMove, Stream


def words(code: str) -> list[int]:
    """The first 32-bit words of a code, as `Stream` says they are made."""
    digests = (hashlib.sha256(f"{code}/{n}".encode()).digest() for n in count())
    return [int.from_bytes(digest[at : at + 4], "big") for digest in islice(digests, 40) for at in range(0, 32, 4)]


@given(st.text(max_size=20), st.integers(1, 200))
def test_a_stream_is_sha_256_of_its_code_and_a_counter(code: str, n: int) -> None:
    stream = Stream(code)
    most = 2**32 // n * n
    wanted = [word % n for word in words(code) if word < most]
    assert [stream.below(n) for _ in wanted] == wanted


def test_a_word_of_the_uneven_top_is_thrown_away() -> None:
    n = 3 * 2**30  # one word in four is too high: taken, it would make the lowest numbers likelier
    stream = Stream("KIT")
    wanted = [word for word in words("KIT") if word < n]
    assert len(wanted) < len(words("KIT"))
    assert [stream.below(n) for _ in wanted] == wanted


def test_bounds_of_a_random_number() -> None:
    assert Stream("A").below(1) == 0
    assert Stream("A").below(2**32) == words("A")[0]
    for n in (0, -1, 2**32 + 1):
        with pytest.raises(ValueError, match=rf"^below\({n}\)$"):
            Stream("A").below(n)


def test_a_shuffle_is_fisher_yates_from_the_end() -> None:
    deck, numbers = list("ABCDEFG"), Stream("7")
    for last in range(6, 0, -1):
        pick = numbers.below(last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    assert Stream("7").shuffled("ABCDEFG") == deck
    assert Stream("7").choice("ABCDEFG") == "ABCDEFG"[Stream("7").below(7)]


def test_a_refusal_reads_and_goes_to_another_process_whole() -> None:
    refusal = IllegalMove("CB-8", "5h would break the order")
    assert str(refusal) == "CB-8: 5h would break the order"
    again = pickle.loads(pickle.dumps(refusal))
    assert (type(again), again.rule, again.detail) == (IllegalMove, refusal.rule, refusal.detail)


def test_a_fault_repeats_sixty_characters_of_what_is_wrong() -> None:
    long = "x" * 60
    assert core.excerpt(long) == core.excerpt(f"{long}y") == f"'{long}'"
    with pytest.raises(BadPosition, match=f"^\"rows\" holds '{long}', which is not a card$"):
        core.playing_card(f"{long}y", "rows")
    with pytest.raises(BadPosition, match=f'^"size" holds {10**59}, which is not from 1 to 4$'):
        core.integer(10**70, "size", 1, 4)
