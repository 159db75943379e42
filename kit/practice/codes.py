"""The code that names a sheet: `0210-80J0-1K4W`.

Twelve symbols of Crockford's alphabet (no I, L, O, U), the last a check symbol. In it: game, kind, level, generator
version, number of problems, sheet and seed; not paper or language, which are options. It is no secret. A QR code holds
exactly the printed text (dashes and symbols are in QR's alphanumeric set).

The check is a sum over GF(32) in which each place has a factor of its own that is neither 0 nor another place's. So one
wrong symbol, and any two swapped ones wherever they stand, always change it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kit.faults import USAGE, Fault
from kit.practice.core import COURSE, EVERY, LEVELS, MIXED, Order

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FOLD = str.maketrans("OIL", "011")  # what people write and read instead

# Position = number in codes. Only ever append.
GAMES = ("rowoverflow", "cascadebeta", "cascata", "gridcannon")
KINDS = "abcdef"
EVERY_KIND = 15  # the number of EVERY: the greatest, for KINDS may grow


class Field(NamedTuple):
    """A number in the code: its bits, and its least value."""

    bits: int
    least: int

    @property
    def greatest(self) -> int:
        return self.least + (1 << self.bits) - 1


FIELDS = {
    "game": Field(4, 0),
    "kind": Field(4, 0),
    "level": Field(3, 0),
    "version": Field(7, 1),
    "count": Field(8, 1),
    "sheet": Field(7, 1),
    "seed": Field(22, 0),
}
LENGTH = sum(field.bits for field in FIELDS.values()) // 5 + 1  # symbols of five bits, and the check symbol
GROUP = 4


def _times(a: int, b: int) -> int:
    """The product in GF(32), modulo x^5 + x^2 + 1."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 32:
            a ^= 0b100101
        b >>= 1
    return product


def _check(symbols: Sequence[int]) -> int:
    """The check symbol of the others. Its own factor is 1; theirs are 2, 3, 4, …: all different."""
    total = 0
    for factor, symbol in enumerate(symbols, 2):
        total ^= _times(factor, symbol)
    return total


def encode(order: Order) -> str:
    """The code of an order, in groups of four. Raises Fault for what no code can hold."""
    if order.game not in GAMES:
        raise Fault(f"there are no codes for the game {order.game}", f"There is: {', '.join(GAMES)}", code=USAGE)
    if order.kind != EVERY and (len(order.kind) != 1 or order.kind not in KINDS):
        raise Fault(f"{order.kind} is not a kind of problem", f"Kinds are {', '.join(KINDS)}", code=USAGE)
    if order.level not in (MIXED, *LEVELS, COURSE):
        raise Fault(f"there is no level {order.level}", f"Levels are {LEVELS[0]} to {LEVELS[-1]}", code=USAGE)
    kind = EVERY_KIND if order.kind == EVERY else KINDS.index(order.kind)
    values = {"game": GAMES.index(order.game), "kind": kind, "level": order.level}
    number = 0
    for name, field in FIELDS.items():
        value = values[name] if name in values else getattr(order, name)
        if not field.least <= value <= field.greatest:
            raise Fault(f"{name} {value} is out of range", f"Choose {field.least} to {field.greatest}", code=USAGE)
        number = number << field.bits | value - field.least
    symbols = [number >> 5 * place & 31 for place in reversed(range(LENGTH - 1))]
    text = "".join(ALPHABET[symbol] for symbol in [*symbols, _check(symbols)])
    return "-".join(text[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def decode(text: str) -> Order:
    """The order of a code as a person types it: any case, any dashes and spaces, O for 0, I or L for 1.

    Raises Fault for what is not a code, is mistyped, or comes from a kit that knows more than this one.
    """
    again = "Type it again, as it is printed on the sheet"
    typed = re.sub(r"[\s\-\u2010-\u2015]+", "", text[:200]).upper().translate(FOLD)
    for sign in typed:
        if sign not in ALPHABET:
            raise Fault(f"{sign!r} is in no sheet's code", again, code=USAGE)
    if len(typed) != LENGTH:
        raise Fault(f"a sheet's code has {LENGTH} symbols, this has {len(typed)}", again, code=USAGE)
    *symbols, check = map(ALPHABET.index, typed)
    if _check(symbols) != check:
        raise Fault(f"the code {text.strip()[:40]} is mistyped: its check symbol disagrees", again, code=USAGE)
    number = 0
    for symbol in symbols:
        number = number << 5 | symbol
    values = {}
    for name, field in reversed(FIELDS.items()):
        values[name] = (number & (1 << field.bits) - 1) + field.least
        number >>= field.bits
    game, kind, level = values.pop("game"), values.pop("kind"), values.pop("level")
    if game >= len(GAMES) or kind not in (*range(len(KINDS)), EVERY_KIND) or level not in (MIXED, *LEVELS, COURSE):
        raise Fault(f"this kit does not know the sheet of the code {text.strip()[:40]}", "Use a newer kit", code=USAGE)
    return Order(GAMES[game], EVERY if kind == EVERY_KIND else KINDS[kind], level, **values)


def problem_code(order: Order, number: int) -> str:
    """The name of one problem of a sheet: CODE-n."""
    return f"{encode(order)}-{number}"
