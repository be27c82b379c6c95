"""What a link inherits from the pages that have it."""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MAX_LINKS = 200_000
_MIN_RISE = 0.02
"""Minimum gain in inherited relevance for a link to be rescored."""
_NEW = 0, 0.0, -1.0
_FRAME_PRIOR_PAGES = 2.0
"""Pages of prior, as one or two pages of a site do not show its frame."""


class LinkContext:
    """How often each link was found, and the mean relevance of the pages that have it.

    A site's frame (menus, footers) is on many of its pages, whatever their subject.

    A link on k of the n pages of a site that were read inherits

        (Σ r / k) · (1 − (k − 1) / (n − 1 + m))

    of the relevance r of those pages: their mean, lowered by the share of the site's pages that have the link.
    """

    def __init__(self, max_links: int = _MAX_LINKS) -> None:
        self._max_links = max_links
        self._found: OrderedDict[str, tuple[int, float, float]] = OrderedDict()
        self._pages: Counter[str] = Counter()

    def knows(self, host: str) -> bool:
        """Whether a page of the site was read."""
        return host in self._pages

    def add(self, host: str, urls: Sequence[str], relevance: float) -> "Inherited":
        """Count the L links of a page."""
        others = self._pages[host]
        self._pages[host] += 1
        rows = [self._inherits(url, relevance, others) for url in urls]
        while len(self._found) > self._max_links:
            self._found.popitem(last=False)
        values, first, better = zip(*rows, strict=True) if rows else ((), (), ())
        return Inherited(np.array(values, np.float64), np.array(first, np.bool_), np.array(better, np.bool_))

    def _inherits(self, url: str, relevance: float, others: int) -> tuple[float, bool, bool]:
        """The relevance that a link inherits, whether it is new, and whether that exceeds its earlier value."""
        before, total, best = self._found.pop(url, _NEW)
        count, total = before + 1, total + relevance
        value = total / count * (1 - (before if before < others else others) / (others + _FRAME_PRIOR_PAGES))
        better = value > best + (_MIN_RISE if before else 0.0)
        self._found[url] = count, total, value if better else best
        return value, not before, better


@dataclass(frozen=True, slots=True)
class Inherited:
    """For L links of a page: the inherited relevance, which are new, and which gained."""

    values: NDArray[np.float64]
    first: NDArray[np.bool_]
    better: NDArray[np.bool_]
