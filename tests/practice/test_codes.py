"""Sheet codes: what they hold, what they forgive, and what they always catch."""

from itertools import combinations

import pytest
import segno
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from kit.faults import USAGE, Fault
from kit.practice import codes
from kit.practice.codes import ALPHABET, FIELDS, LENGTH, decode, encode, problem_code
from kit.practice.core import COURSE, EVERY, LEVELS, MIXED, Order


def _within(name: str) -> st.SearchStrategy[int]:
    return st.integers(FIELDS[name].least, FIELDS[name].greatest)


orders = st.builds(
    Order,
    game=st.sampled_from(codes.GAMES),
    kind=st.sampled_from([*codes.KINDS, EVERY]),
    level=st.sampled_from([MIXED, *LEVELS, COURSE]),
    count=_within("count"),
    seed=_within("seed"),
    version=_within("version"),
    sheet=_within("sheet"),
)
ORDER = Order("rowoverflow", "b", 3, 8, 123_456, 1, 2)
PLAIN = encode(ORDER).replace("-", "")


@given(orders)
def test_a_code_holds_its_order(order):
    assert decode(encode(order)) == order


def test_a_code_is_the_same_for_ever():
    assert encode(ORDER) == "05G0-3G43-RJ0J"


@given(orders)
def test_a_code_is_forgiving_about_how_it_is_typed(order):
    code = encode(order)
    for typed in (
        code.lower(),
        code.replace("-", ""),
        f"  {code.replace('-', ' – ')}\n",
        code.replace("0", "O").replace("1", "I"),
        code.replace("0", "o").replace("1", "l"),
    ):
        assert decode(typed) == order


def test_the_alphabet_has_no_look_alikes():
    assert len(set(ALPHABET)) == 32
    assert not set("ILOU") & set(ALPHABET)


def _syndrome(word: list[int]) -> int:
    """0 for a good word, and only for one."""
    return codes._check(word[:-1]) ^ word[-1]


words = st.lists(st.integers(0, 31), min_size=LENGTH, max_size=LENGTH)


@given(words, words)
def test_the_check_is_linear(one, two):
    """So whether an error is seen depends on the error alone, and the next test tries every error there is."""
    assert _syndrome([a ^ b for a, b in zip(one, two, strict=True)]) == _syndrome(one) ^ _syndrome(two)


def test_every_wrong_symbol_and_every_swap_is_caught():
    """Exhaustive: every place and every change; every two places and every difference of the symbols there."""
    for change in range(1, 32):
        for place in range(LENGTH):
            assert _syndrome([change * (at == place) for at in range(LENGTH)])
        for pair in combinations(range(LENGTH), 2):
            assert _syndrome([change * (at in pair) for at in range(LENGTH)])


def test_every_slip_in_one_code_is_caught_as_typed():
    for place in range(LENGTH):
        for symbol in set(ALPHABET) - {PLAIN[place]}:
            with pytest.raises(Fault, match="mistyped"):
                decode(PLAIN[:place] + symbol + PLAIN[place + 1 :])
    for i, j in combinations(range(LENGTH), 2):
        swapped = list(PLAIN)
        swapped[i], swapped[j] = PLAIN[j], PLAIN[i]
        if PLAIN[i] != PLAIN[j]:
            with pytest.raises(Fault, match="mistyped"):
                decode("".join(swapped))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "12 symbols, this has 0"),
        (PLAIN[:-1], "12 symbols, this has 11"),
        (PLAIN + "0", "12 symbols, this has 13"),
        (PLAIN[:-1] + "U", "'U' is in no"),
        (PLAIN[:-1] + "é", "'É' is in no"),
        (PLAIN[:-1] + "\ud800", "is in no"),
        ("9" * 10_000_000, "12 symbols"),
        ("٣" * 12, "is in no"),
    ],
)
def test_what_is_no_code_is_refused_with_a_cure(text, what):
    with pytest.raises(Fault, match=what) as refused:
        decode(text)
    assert refused.value.cure
    assert refused.value.code == USAGE


def test_a_code_of_a_newer_kit_is_not_taken_for_another_sheet():
    symbols = [ALPHABET.index(sign) for sign in PLAIN[:-1]]
    symbols[0] |= 0b11110  # game 15
    text = "".join(ALPHABET[symbol] for symbol in [*symbols, codes._check(symbols)])
    with pytest.raises(Fault, match="does not know"):
        decode(text)


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"kind": "z"},
        {"kind": ""},
        {"kind": "ab"},
        {"level": 6},
        {"level": -1},
        {"count": 0},
        {"count": 10**9},
        {"seed": -1},
        {"seed": 1 << 22},
        {"version": 0},
        {"sheet": 0},
        {"sheet": 129},
    ],
)
def test_what_no_code_can_hold_is_refused_with_a_cure(change):
    order = {"game": "rowoverflow", "kind": "a", "level": 0, "count": 8, "seed": 1, "version": 1} | change
    with pytest.raises(Fault) as refused:
        encode(Order(**order))
    assert refused.value.cure
    assert refused.value.code == USAGE


def test_the_printed_code_is_what_a_qr_code_holds_in_its_dense_form(tmp_path):
    qr = segno.make(encode(ORDER), error="m", boost_error=False, micro=False)
    assert (qr.mode, qr.version) == ("alphanumeric", 1)
    qr.save(str(tmp_path / "code.png"), scale=8)
    with Image.open(tmp_path / "code.png") as picture:
        assert decode(zxingcpp.read_barcodes(picture)[0].text) == ORDER


def test_a_problem_is_named_after_its_sheet():
    assert problem_code(ORDER, 3) == f"{encode(ORDER)}-3"
