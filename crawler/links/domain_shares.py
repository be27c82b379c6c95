"""The share of a registered domain in a crawl: an owner with a thousand hosts gets no more turns than one with a few."""

from crawler.links.scope import registered_domain
from extractors.links.urls import host_of
from pipelines.items import PageItem

FREE_HOSTS = 20
"""Hosts of one registered domain that take turns like those of others."""
_PAGES_FOR_A_HOST = 2
"""Pages on the topic that a domain has given for each further one."""
_CROWDED_FACTOR = 0.1
"""Keeps the order within a host, and lets other hosts go first."""


class DomainShares:
    """Lowers the priority of requests to hosts beyond the first of their registered domain.

    The hosts of start pages do not count. In a crawl with a topic a domain earns further hosts by pages on the topic; in one
    without, its pages are worth what others are.
    """

    def __init__(self) -> None:
        self._chosen: set[str] = set()
        self._ranks: dict[str, int] = {}
        self._hosts: dict[str, int] = {}
        self._good: dict[str, int] = {}

    def choose(self, url: str) -> None:
        """Note a start page: the operator has chosen its host."""
        self._chosen.add(host_of(url))

    def learn(self, item: PageItem) -> None:
        """Note a page that was read."""
        if item.relevance is not None and item.relevant:
            domain = registered_domain(host_of(item.url))
            self._good[domain] = self._good.get(domain, 0) + 1

    def share(self, url: str, priority: int) -> int:
        """The priority of a request for this address, lowered if its domain has too many hosts before it."""
        host = host_of(url)
        if host in self._chosen or priority <= 0:
            return priority
        domain = registered_domain(host)
        rank = self._ranks.get(host)
        if rank is None:
            rank = self._ranks[host] = self._hosts.get(domain, 0)
            self._hosts[domain] = rank + 1
        free = FREE_HOSTS + self._good.get(domain, 0) // _PAGES_FOR_A_HOST
        return priority if rank < free else round(priority * _CROWDED_FACTOR)
