"""The yield of a crawl's requests, against the expected one."""

from collections import OrderedDict
from collections.abc import Hashable

_PRIOR = 2.0
"""Expected relevant pages that weigh as much as the trust in a new group."""
_INDEX_PRICE, _INDEX_PRIOR = 0.4, 3.0
"""First price of an index, and the pages that weigh as much."""
_MAX_GROUPS = 50_000


class Payoffs:
    """A crawl's experience with groups of pages, and with indexes of tags, categories or archives.

    A group of pages with Σ x brought where Σ e was expected is trusted by

        min(1, (Σ x + k) / (Σ e + k))
    """

    def __init__(self) -> None:
        self._groups: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._by_indexes, self._indexes = _INDEX_PRIOR * _INDEX_PRICE, _INDEX_PRIOR

    def add(self, group: Hashable, expected: float, brought: float) -> None:
        """Count a page of a group; the group least recently read is forgotten when there are too many."""
        total, hoped = self._groups.pop(group, (0.0, 0.0))
        self._groups[group] = total + brought, hoped + expected
        if len(self._groups) > _MAX_GROUPS:
            self._groups.popitem(last=False)

    def trust(self, group: Hashable) -> float:
        """The factor, 0 … 1, for what is expected of the group's pages."""
        brought, expected = self._groups.get(group, (0.0, 0.0))
        return min(1.0, (brought + _PRIOR) / (expected + _PRIOR))

    def add_index(self, brought: float) -> None:
        """Count an index."""
        self._by_indexes, self._indexes = self._by_indexes + brought, self._indexes + 1

    def index_price(self) -> float:
        """The expected yield of an index, 0 … 1."""
        return self._by_indexes / self._indexes
