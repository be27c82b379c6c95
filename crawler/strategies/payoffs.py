"""What requests of a crawl have brought, against what was expected of them."""

from collections import OrderedDict
from collections.abc import Hashable
from enum import StrEnum

_GROUP_PRIOR, _CRAWL_PRIOR = 2.0, 5.0
"""Expected relevant pages that weigh as much as the trust in a new group, and in a new crawl."""
_KIND_PRIOR = 3.0
"""Pages that weigh as much as the first price of a kind."""
_MAX_GROUPS = 50_000


class PricedKind(StrEnum):
    """Pages that are priced by what such pages have brought."""

    START = "start"
    INDEX = "index"
    """Of tags, categories or archives."""


_FIRST_PRICE = {PricedKind.START: 0.6, PricedKind.INDEX: 0.4}


class Payoffs:
    """A crawl's experience with groups of pages, such as those of a host, and with kinds of pages.

    A group with Σ x brought where Σ e was expected is trusted by

        min(1, (Σ x + k) / (r Σ e + k)),   r = min(1, (Σ_all x + m) / (Σ_all e + m))

    where r is the same ratio for the whole crawl: a judge that misses half of a topic's pages does so everywhere.
    """

    def __init__(self) -> None:
        self._groups: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._brought, self._expected = _CRAWL_PRIOR, _CRAWL_PRIOR
        self._kinds = {kind: (_KIND_PRIOR * price, _KIND_PRIOR) for kind, price in _FIRST_PRICE.items()}

    def add(self, group: Hashable, expected: float, brought: float) -> None:
        """Count a page; the group least recently read is forgotten when there are too many."""
        total, hoped = self._groups.pop(group, (0.0, 0.0))
        self._groups[group] = total + brought, hoped + expected
        self._brought, self._expected = self._brought + brought, self._expected + expected
        if len(self._groups) > _MAX_GROUPS:
            self._groups.popitem(last=False)

    def trust(self, group: Hashable) -> float:
        """The factor, 0 … 1, for what is expected of the group's pages."""
        brought, expected = self._groups.get(group, (0.0, 0.0))
        usual = min(1.0, self._brought / self._expected)
        return min(1.0, (brought + _GROUP_PRIOR) / (usual * expected + _GROUP_PRIOR))

    def add_kind(self, kind: PricedKind, brought: float) -> None:
        """Count a page of this kind."""
        total, count = self._kinds[kind]
        self._kinds[kind] = total + brought, count + 1

    def price(self, kind: PricedKind) -> float:
        """What a page of this kind is expected to bring, 0 … 1."""
        total, count = self._kinds[kind]
        return total / count
