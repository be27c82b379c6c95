"""What requests of a crawl have brought, against what was expected of them."""

from collections import OrderedDict
from collections.abc import Hashable

_GROUP_PRIOR, _CRAWL_PRIOR = 2.0, 5.0
"""Expected relevant pages that weigh as much as the trust in a new group, and in a new crawl."""
_INDEX_PRICE, _INDEX_PRIOR = 0.4, 3.0
"""First price of an index, and the pages that weigh as much."""
_MAX_FRUITLESS = 5
"""Pages of a host without one of the topic from which on further ones lose worth."""
_MAX_GROUPS = 50_000


class Payoffs:
    """A crawl's experience with hosts, with their lists and other pages, and with indexes of tags, categories or archives.

    A group of pages with Σ x brought where Σ e was expected is trusted by

        min(1, (Σ x + k) / (r Σ e + k)),   r = min(1, (Σ_all x + m) / (Σ_all e + m))

    where r is the same ratio for the whole crawl: a judge that misses half of a topic's pages does so everywhere. A host
    with n > 5 pages and none of the topic is trusted by 5 / n of that.
    """

    def __init__(self) -> None:
        self._groups: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._brought, self._expected = _CRAWL_PRIOR, _CRAWL_PRIOR
        self._by_indexes, self._indexes = _INDEX_PRIOR * _INDEX_PRICE, _INDEX_PRIOR
        self._trusts: dict[tuple[str, Hashable], float] = {}

    def add(self, host: str, kind: Hashable, expected: float, brought: float, *, found: bool) -> None:
        """Count a page of a kind of a host; found: it is of the topic."""
        self._add((host, kind), expected, brought)
        self._add(host, 1.0, found)
        self._brought, self._expected = self._brought + brought, self._expected + expected
        self._trusts.clear()

    def _add(self, group: Hashable, expected: float, brought: float) -> None:
        """The group least recently read is forgotten when there are too many."""
        total, hoped = self._groups.pop(group, (0.0, 0.0))
        self._groups[group] = total + brought, hoped + expected
        if len(self._groups) > _MAX_GROUPS:
            self._groups.popitem(last=False)

    def trust(self, host: str, kind: Hashable) -> float:
        """The factor, 0 … 1, for what is expected of the host's pages of a kind; computed once for all links of a page."""
        group = host, kind
        if group not in self._trusts:
            self._trusts[group] = self._trust(host, kind)
        return self._trusts[group]

    def _trust(self, host: str, kind: Hashable) -> float:
        brought, expected = self._groups.get((host, kind), (0.0, 0.0))
        found, pages = self._groups.get(host, (0.0, 0.0))
        usual = min(1.0, self._brought / self._expected)
        trust = min(1.0, (brought + _GROUP_PRIOR) / (usual * expected + _GROUP_PRIOR))
        return trust if found else trust * _MAX_FRUITLESS / max(pages, _MAX_FRUITLESS)

    def add_index(self, brought: float) -> None:
        """Count an index."""
        self._by_indexes, self._indexes = self._by_indexes + brought, self._indexes + 1

    def index_price(self) -> float:
        """What an index is expected to bring, 0 … 1."""
        return self._by_indexes / self._indexes
