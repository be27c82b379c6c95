"""What pages say of a link by having it: many of a site's pages have the links of its frame, whatever they are about."""

from collections import Counter, OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_PRIOR = 2.0
"""Pages of prior: after one or two pages of a site nobody knows its frame."""
_MOST = 200_000


class Sightings:
    """How often each link has been seen, and the relevance of the pages that have it.

    A link on k of the n pages of a site that have been read inherits

        (Σ r / k) · (1 − (k − 1) / (n − 1 + m))

    of the relevance r of those pages: their mean, so that it counts too that pages of other things have it, and less of it
    the larger the share of the site's pages that have it.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._seen: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._pages: Counter[str] = Counter()

    def add(self, host: str, urls: Sequence[str], relevance: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """A page of a host has these links: what each inherits, and which are seen for the first time; two arrays of links."""
        self._pages[host] += 1
        count = np.empty(len(urls))
        total = np.empty(len(urls))
        for place, url in enumerate(urls):
            known, of_all = self._seen.pop(url, (0, 0.0))
            count[place], total[place] = self._seen[url] = known + 1, of_all + relevance
        while len(self._seen) > self._most:
            self._seen.popitem(last=False)
        others = np.minimum(count - 1, self._pages[host] - 1)
        return total / count * (1 - others / (self._pages[host] - 1 + _PRIOR)), count == 1
