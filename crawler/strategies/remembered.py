"""Links that wait, as they were seen when they were found: what is learned of once their pages have been read."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 20_000


@dataclass(frozen=True, slots=True)
class SeenLinks:
    """L links of a page.

    Attributes:
        parts: shape (L, P), what is known of each.
        link, gram: the M grams of their texts: the number of the link, falling never, and the gram.
    """

    parts: NDArray[np.float64]
    link: NDArray[np.int64]
    gram: NDArray[np.int64]

    def each(self) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64]]]:
        """Parts and grams of one link after the other."""
        stops = np.searchsorted(self.link, np.arange(1, len(self.parts) + 1)).tolist()
        start = 0
        for parts, stop in zip(self.parts, stops, strict=True):
            yield parts.copy(), self.gram[start:stop].copy()
            start = stop


class RememberedLinks:
    """By URL, as last seen on a page; those longest waiting are forgotten when there are too many."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._links: OrderedDict[str, tuple[NDArray[Any], NDArray[Any]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._links)

    def add(self, urls: Sequence[str], seen: SeenLinks, *, listed: bool = False) -> None:
        """Those of a page; what a sitemap or feed lists says so little of a link that it takes no other's place."""
        for url, known in zip(urls, seen.each(), strict=True):
            if not listed or url not in self._links:
                self._links[url] = known
        while len(self._links) > self._most:
            self._links.popitem(last=False)

    def take(self, url: str) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """Parts and grams of the link that led there; None where it is not known any more."""
        return self._links.pop(url, None)
