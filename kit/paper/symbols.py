"""Outlines drawn once and used in three outlets: display lists, inline SVG, and the font Kit Symbols.

A shape lies in a unit square, origin top left, y down. Contours that run the other way round cut holes (non-zero rule).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import TypeAlias

Command: TypeAlias = tuple[str, tuple[float, ...]]  # ('M', x y) ('L', x y) ('C', x1 y1 x2 y2 x y) ('Z',)
Shape: TypeAlias = tuple[Command, ...]
_KAPPA = 0.5522847498  # a quarter circle as a cubic


def parse(text: str) -> Shape:
    """The shape of a path written with absolute M, L, C and Z, separated by blanks."""
    shape: list[Command] = []
    words = text.split()
    arity = {"M": 2, "L": 2, "C": 6, "Z": 0}
    at = 0
    while at < len(words):
        n = arity[words[at]]
        shape.append((words[at], tuple(float(word) for word in words[at + 1 : at + 1 + n])))
        at += 1 + n
    return tuple(shape)


def circle(x: float, y: float, r: float, hole: bool = False) -> Shape:
    """A circle; as a hole it runs the other way round."""
    k, s = r * _KAPPA, -1 if hole else 1
    return (
        ("M", (x + r, y)),
        ("C", (x + r, y + s * k, x + k, y + s * r, x, y + s * r)),
        ("C", (x - k, y + s * r, x - r, y + s * k, x - r, y)),
        ("C", (x - r, y - s * k, x - k, y - s * r, x, y - s * r)),
        ("C", (x + k, y - s * r, x + r, y - s * k, x + r, y)),
        ("Z", ()),
    )


def polygon(points: Iterable[tuple[float, float]], hole: bool = False) -> Shape:
    """A closed polygon through these points."""
    corners = list(points)
    if hole:
        corners.reverse()
    return (("M", corners[0]), *(("L", corner) for corner in corners[1:]), ("Z", ()))


def box(x: float, y: float, width: float, height: float, hole: bool = False) -> Shape:
    """A rectangle."""
    return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], hole)


def moved(shape: Shape, x: float, y: float, width: float, height: float | None = None, turn: int = 0) -> Shape:
    """The shape laid over the rectangle at x, y (turned clockwise by `turn` degrees, a multiple of 90, before)."""
    height = width if height is None else height

    def point(u: float, v: float) -> tuple[float, float]:
        for _ in range(turn // 90 % 4):
            u, v = 1 - v, u
        return x + u * width, y + v * height

    return tuple(
        (name, tuple(c for i in range(0, len(numbers), 2) for c in point(numbers[i], numbers[i + 1])))
        for name, numbers in shape
    )


def _star(points: int = 5, outer: float = 0.5, inner: float = 0.2) -> Shape:
    radii = (outer, inner)
    return polygon(
        (0.5 + radii[i % 2] * sin(i * pi / points), 0.525 - radii[i % 2] * cos(i * pi / points))
        for i in range(2 * points)
    )


def _stroke(points: Sequence[tuple[float, float]], half: float) -> Shape:
    """A line of two or three points drawn as thick quadrangles with round joints."""
    shape: list[Command] = []
    for (x1, y1), (x2, y2) in pairwise(points):
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        dx, dy = (x2 - x1) / length * half, (y2 - y1) / length * half
        shape += polygon([(x1 + dy, y1 - dx), (x2 + dy, y2 - dx), (x2 - dy, y2 + dx), (x1 - dy, y1 + dx)])
    for x, y in points:
        shape += circle(x, y, half)
    return tuple(shape)


HEART = parse(
    "M 0.5 0.97 C 0.43 0.83 0.03 0.62 0.03 0.32 C 0.03 0.14 0.16 0.05 0.28 0.05 C 0.39 0.05 0.47 0.12 0.5 0.23"
    " C 0.53 0.12 0.61 0.05 0.72 0.05 C 0.84 0.05 0.97 0.14 0.97 0.32 C 0.97 0.62 0.57 0.83 0.5 0.97 Z"
)
SPADE = parse(
    "M 0.5 0.02 C 0.56 0.18 0.95 0.37 0.95 0.62 C 0.95 0.76 0.85 0.83 0.75 0.83 C 0.65 0.83 0.57 0.77 0.535 0.69"
    " C 0.54 0.83 0.59 0.92 0.67 0.975 L 0.33 0.975 C 0.41 0.92 0.46 0.83 0.465 0.69"
    " C 0.43 0.77 0.35 0.83 0.25 0.83 C 0.15 0.83 0.05 0.76 0.05 0.62 C 0.05 0.37 0.44 0.18 0.5 0.02 Z"
)
DIAMOND = parse(
    "M 0.5 0.02 C 0.59 0.19 0.72 0.36 0.86 0.5 C 0.72 0.64 0.59 0.81 0.5 0.98"
    " C 0.41 0.81 0.28 0.64 0.14 0.5 C 0.28 0.36 0.41 0.19 0.5 0.02 Z"
)
CLUB = (
    *circle(0.5, 0.22, 0.2),
    *circle(0.22, 0.59, 0.2),
    *circle(0.78, 0.59, 0.2),
    *parse("M 0.44 0.36 L 0.56 0.36 L 0.68 0.52 L 0.68 0.64 L 0.32 0.64 L 0.32 0.52 Z"),
    *parse("M 0.45 0.5 L 0.55 0.5 C 0.545 0.76 0.59 0.91 0.67 0.975 L 0.33 0.975 C 0.41 0.91 0.455 0.76 0.45 0.5 Z"),
)
SUITS = {"s": SPADE, "h": HEART, "d": DIAMOND, "c": CLUB}
STAR = _star()

CROWN = (
    *polygon([(0.14, 0.68), (0.05, 0.3), (0.28, 0.5), (0.5, 0.16), (0.72, 0.5), (0.95, 0.3), (0.86, 0.68)]),
    *circle(0.05, 0.27, 0.045),
    *circle(0.5, 0.13, 0.055),
    *circle(0.95, 0.27, 0.045),
    *box(0.14, 0.73, 0.72, 0.1),
)
TIARA = (
    *parse(
        "M 0.04 0.72 C 0.24 0.86 0.76 0.86 0.96 0.72 L 0.96 0.62 C 0.84 0.68 0.72 0.6 0.68 0.46"
        " C 0.64 0.62 0.56 0.64 0.5 0.36 C 0.44 0.64 0.36 0.62 0.32 0.46 C 0.28 0.6 0.16 0.68 0.04 0.62 Z"
    ),
    *moved(DIAMOND, 0.41, 0.1, 0.18, 0.24),
    *circle(0.32, 0.38, 0.042),
    *circle(0.68, 0.38, 0.042),
    *circle(0.06, 0.55, 0.035),
    *circle(0.94, 0.55, 0.035),
)
FEATHER = (
    *parse(
        "M 0.24 0.72 C 0.2 0.4 0.48 0.1 0.92 0.06 C 0.93 0.2 0.9 0.3 0.84 0.4 L 0.74 0.42 L 0.79 0.48"
        " C 0.72 0.58 0.64 0.65 0.55 0.7 L 0.46 0.68 L 0.49 0.73 C 0.42 0.76 0.35 0.77 0.29 0.765"
        " C 0.44 0.6 0.58 0.44 0.74 0.26 C 0.56 0.4 0.4 0.56 0.24 0.72 Z"
    ),
    *parse("M 0.262 0.7 L 0.3 0.738 L 0.1 0.945 C 0.07 0.96 0.045 0.935 0.06 0.905 Z"),
)
EMBLEMS = {"K": CROWN, "Q": TIARA, "J": FEATHER}

_ARROW = parse("M 0.02 0.44 L 0.66 0.44 L 0.66 0.24 L 0.98 0.5 L 0.66 0.76 L 0.66 0.56 L 0.02 0.56 Z")
_DOUBLE = parse(
    "M 0.02 0.5 L 0.3 0.24 L 0.3 0.44 L 0.7 0.44 L 0.7 0.24 L 0.98 0.5 L 0.7 0.76 L 0.7 0.56 L 0.3 0.56 L 0.3 0.76 Z"
)
_TRIANGLE = polygon([(0.12, 0.1), (0.94, 0.5), (0.12, 0.9)])
_SQUARE = (*box(0.06, 0.06, 0.88, 0.88), *box(0.14, 0.14, 0.72, 0.72, hole=True))
_TICK = _stroke([(0.22, 0.52), (0.42, 0.72), (0.8, 0.28)], 0.055)
_SCISSORS = (
    *circle(0.17, 0.26, 0.15), *circle(0.17, 0.26, 0.085, hole=True),
    *circle(0.17, 0.74, 0.15), *circle(0.17, 0.74, 0.085, hole=True),
    *parse("M 0.27 0.37 L 0.33 0.28 L 0.99 0.66 C 0.92 0.73 0.82 0.73 0.75 0.69 Z"),
    *parse("M 0.27 0.63 L 0.33 0.72 L 0.99 0.34 C 0.92 0.27 0.82 0.27 0.75 0.31 Z"),
)  # fmt: skip


def _rotated(shape: Shape, turn: int) -> Shape:
    return moved(shape, 0, 0, 1, 1, turn)


GLYPHS: dict[str, Shape] = {
    "♠": SPADE, "♥": HEART, "♦": DIAMOND, "♣": CLUB,
    "→": _ARROW, "↓": _rotated(_ARROW, 90), "←": _rotated(_ARROW, 180), "↑": _rotated(_ARROW, 270),
    "↔": _DOUBLE, "↕": _rotated(_DOUBLE, 90),
    "▶": _TRIANGLE, "▼": _rotated(_TRIANGLE, 90), "◀": _rotated(_TRIANGLE, 180), "▲": _rotated(_TRIANGLE, 270),
    "☐": _SQUARE, "☑": (*_SQUARE, *_TICK), "✓": _TICK,
    "✗": (*_stroke([(0.24, 0.24), (0.76, 0.76)], 0.055), *_stroke([(0.24, 0.76), (0.76, 0.24)], 0.055)),
    "★": STAR,
    "●": circle(0.5, 0.5, 0.4), "○": (*circle(0.5, 0.5, 0.4), *circle(0.5, 0.5, 0.32, hole=True)),
    "■": box(0.1, 0.1, 0.8, 0.8), "□": (*box(0.1, 0.1, 0.8, 0.8), *box(0.18, 0.18, 0.64, 0.64, hole=True)),
    "✂": _SCISSORS,
}  # fmt: skip
"""Characters that the text fonts lack, as shapes; the font Kit Symbols adds circled numbers and fixed spaces."""

RING = (*circle(0.5, 0.5, 0.5), *circle(0.5, 0.5, 0.44, hole=True))  # around the circled numbers ① to ⑳
