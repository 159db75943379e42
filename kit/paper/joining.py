"""Finished documents joined into one to print: every page as it was proven, at its size, in the order given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

from kit.faults import BUG, Fault
from kit.paper.expect import Box, Duplex, Expect, Made
from kit.paper.proof import DUPLEX


@dataclass(frozen=True)
class Part:
    """A finished document: `name` is its line in the outline, `sha256` stands for its bytes where it is printed."""

    name: str
    sha256: str
    expect: Expect
    pdf: bytes = field(repr=False)


def join(parts: Sequence[Part], *, lang: str, title: str, duplex: Duplex) -> Made:
    """One PDF of all pages of `parts`, which are all printed in the way `duplex` says, with an outline of the parts.

    What only a screen uses (links, tags) is left out. Raises Fault when the parts are of several ways or languages, or
    a part printed on both sides would begin on the back of another's last sheet.
    """
    import pikepdf

    if wrong := [part.name for part in parts if (part.expect.duplex, part.expect.lang) != (duplex, lang)]:
        raise Fault(f"{', '.join(wrong)} is not for {duplex} printing in {lang}", "Join it elsewhere", code=BUG)
    sources = [pikepdf.open(BytesIO(part.pdf)) for part in parts]
    try:
        counts = [len(source.pages) for source in sources]
        if duplex != "simplex" and (odd := [part.name for part, n in zip(parts, counts, strict=True) if n % 2]):
            raise Fault(f"{', '.join(odd)} does not end on the back of a sheet", "Give it an even page", code=BUG)
        with pikepdf.new() as joined:
            for source in sources:
                for page in source.pages:
                    for key in ("/Annots", "/StructParents", "/Tabs"):
                        if key in page.obj:
                            del page.obj[key]
                joined.pages.extend(source.pages)
            with joined.open_outline() as outline:
                starts = [sum(counts[:n]) for n in range(len(parts))]
                outline.root.extend(
                    pikepdf.OutlineItem(part.name, start) for part, start in zip(parts, starts, strict=True)
                )
            _dress(joined, lang, title, duplex)
            out = BytesIO()
            joined.save(
                out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate, compress_streams=True
            )
    finally:
        for source in sources:
            source.close()
    return Made(out.getvalue(), expected(parts, counts, title=title))


def _dress(pdf: Any, lang: str, title: str, duplex: Duplex) -> None:
    """What a viewer is asked for, as every finished file asks it."""
    import pikepdf

    pdf.Root.Lang = pikepdf.String(lang)
    pdf.Root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"),
        Duplex=pikepdf.Name(DUPLEX[duplex]),
        PickTrayByPDFSize=True,
        DisplayDocTitle=True,
    )
    pdf.docinfo["/Title"] = title
    pdf.docinfo["/Producer"] = "kit"


def expected(parts: Sequence[Part], counts: Sequence[int], *, title: str) -> Expect:
    """What must be true of the joined file: all that was promised of each part, at the pages where they now are.

    Raises Fault when two parts have their backs moved by different offsets.
    """
    offsets = {part.expect.registration_offset for part in parts if part.expect.registration} or {(0.0, 0.0)}
    if len(offsets) > 1:
        raise Fault("the backs of two parts are moved by different offsets", "Join them apart", code=BUG)
    boxes: list[Box] = []
    pairs: list[tuple[int, int]] = []
    texts: list[tuple[int, str]] = []
    sizes: list[tuple[float, float]] = []
    deck: Counter[str] = Counter()
    for part, shift, count in _shifted(parts, counts):
        boxes += [replace(box, page=box.page + shift) for box in part.expect.boxes]
        pairs += [(front + shift, back + shift) for front, back in part.expect.registration]
        texts += [(page + shift, text) for page, text in part.expect.texts]
        sizes += [part.expect.size(page) for page in range(1, count + 1)]
        deck.update(dict(part.expect.deck) or _labels(part.expect))
    first = parts[0].expect
    return Expect(
        *sizes[0], first.lang, title, first.duplex, pages=len(sizes), boxes=tuple(boxes), registration=tuple(pairs),
        registration_offset=offsets.pop(), texts=tuple(texts), deck=tuple(sorted(deck.items())), sizes=tuple(sizes),
    )  # fmt: skip


def _labels(expect: Expect) -> Counter[str]:
    """The cards of a part that counts them only by its boxes, such as the marker card on a guide."""
    return Counter(box.label for box in expect.boxes if box.what == "card" and box.label)


def _shifted(parts: Sequence[Part], counts: Sequence[int]) -> Iterator[tuple[Part, int, int]]:
    """Each part with the number of pages before it and its own."""
    shift = 0
    for part, count in zip(parts, counts, strict=True):
        yield part, shift, count
        shift += count
