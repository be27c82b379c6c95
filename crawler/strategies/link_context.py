"""Evidence that a link inherits from the pages that have it."""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

_MAX_LINKS = 200_000
_MIN_RISE = 0.02
"""Minimum gain in inherited relevance for a link to be rescored."""
_FRAME_PRIOR_PAGES = 2.0
"""Pages of prior, as one or two pages of a site do not show its frame."""
_NEW = 0, 0.0, -1.0
"""Pages that have a link, the sum of their relevance, and the most that the link has inherited."""


class Inherited(NamedTuple):
    """Evidence that a link inherits: its place on the page, the relevance, and whether it is new."""

    place: int
    relevance: float
    is_new: bool


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

    def add(self, host: str, urls: Sequence[str], relevance: float) -> list[Inherited]:
        """Count the links of a page; those that are new or gain by it."""
        found, gained, others = self._found, [], self._pages[host]
        self._pages[host] += 1
        for place, url in enumerate(urls):
            before, total, best = found.pop(url, _NEW)
            count, total = before + 1, total + relevance
            value = total / count * (1 - (before if before < others else others) / (others + _FRAME_PRIOR_PAGES))
            if value > best + (_MIN_RISE if before else 0.0):
                gained.append(Inherited(place, value, not before))
                best = value
            found[url] = count, total, best
        while len(found) > self._max_links:
            found.popitem(last=False)
        return gained
