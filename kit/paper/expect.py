"""What the maker of a PDF says about it, and what the proof then measures in the finished file.

All lengths are mm from the top left corner of the page; pages count from 1. Plain data, kept in the manifest as JSON,
so that `kit proof FILE` can hold the file against it later.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Duplex = Literal["simplex", "long-edge", "short-edge"]


@dataclass(frozen=True)
class Box:
    """A rectangle that must stand on that page, edge for edge. `what`: card, back, place, ruler, block, bank-card …"""

    page: int
    x: float
    y: float
    width: float
    height: float
    what: str
    label: str = ""  # text that must be readable within the box, '' for none


@dataclass(frozen=True)
class Expect:
    """What must be true of a finished PDF."""

    width: float
    height: float
    lang: str
    title: str
    duplex: Duplex
    tagged: bool = False
    pages: int | None = None
    boxes: tuple[Box, ...] = ()
    registration: tuple[tuple[int, int], ...] = ()  # (front page, back page): the backs' boxes mirror the fronts'
    registration_offset: tuple[float, float] = (0.0, 0.0)  # back_offset_x/y that the backs were moved by
    texts: tuple[tuple[int, str], ...] = ()  # (page, text) that must be in the text layer
    deck: tuple[tuple[str, int], ...] = ()  # how often each label must stand on the boxes that are cards
    sizes: tuple[tuple[float, float], ...] = ()  # width and height page by page where they differ; then of all pages

    def size(self, page: int) -> tuple[float, float]:
        """Width and height of a page (from 1)."""
        return self.sizes[page - 1] if page <= len(self.sizes) else (self.width, self.height)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Expect:
        data = dict(data)
        data["boxes"] = tuple(Box(**box) for box in data.get("boxes", ()))
        for name in ("registration", "registration_offset", "texts", "deck", "sizes"):
            data[name] = tuple(tuple(v) if isinstance(v, list) else v for v in data.get(name, ()))
        return cls(**data)


@dataclass(frozen=True)
class Made:
    """A PDF as its maker hands it on: the bytes, and what they claim to be."""

    pdf: bytes
    expect: Expect
