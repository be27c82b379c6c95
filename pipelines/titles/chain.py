"""The segments of a log of titles: each goes on where the one before ends, and one may take the place of several."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kept = Literal["kept", "covered", "astray"]
"""What became of a segment: it is in the chain; the chain had all of it; it begins where no segment does."""
SMALL_BYTES = (16_000, 1_000_000)
"""Segments below each of these sizes are merged when there are `MERGED` of them in a row at the end of the chain."""
MERGED = 64


@dataclass(frozen=True, slots=True)
class Span:
    """From behind one place of the log ("": its beginning) to another; `size` in bytes of its segment."""

    begin: str
    end: str
    size: int


@dataclass(frozen=True, slots=True)
class Segment:
    """What the entries of a span have added to a replica, see `pipelines.titles.additions`."""

    begin: str
    end: str
    data: bytes

    @property
    def span(self) -> Span:
        return Span(self.begin, self.end, len(self.data))


def with_spans(
    chain: Sequence[Span], new: Sequence[Span], order: Callable[[str], Any]
) -> tuple[Kept, list[Span], list[Span]]:
    """The chain in which the new spans, at least one, each from the end of the other, have the place of those that they cover;
    and the spans that go.

    Every place of the log has one state, so that it does not matter who has written a segment. order: sorts places.
    """
    bounds = ["", *(span.end for span in chain)]
    begin, end = new[0].begin, new[-1].end
    if order(end) <= order(bounds[-1]) and (end not in bounds or begin not in bounds):
        return "covered", list(chain), []
    if begin not in bounds:
        return "astray", list(chain), []
    first = bounds.index(begin)
    last = bounds.index(end) if end in bounds else len(chain)
    if end in bounds and last - first <= len(new):
        return "covered", list(chain), []
    return "kept", [*chain[:first], *new, *chain[last:]], list(chain[first:last])


def to_merge(chain: Sequence[Span]) -> list[Span]:
    """The spans at the end of the chain that one is to replace; none if they are few."""
    for limit in SMALL_BYTES:
        run = 0
        while run < len(chain) and chain[-1 - run].size < limit:
            run += 1
        if run >= MERGED:
            return list(chain[-run:])
    return []
