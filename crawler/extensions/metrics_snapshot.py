"""A snapshot of a crawl, a few seconds old, which scrapes read without disturbing it."""

from dataclasses import dataclass, field
from typing import Any

from crawler.bans.health import Health
from crawler.frontier.base import Accounts, HostAccount

MAX_HOSTS = 50
"""Hosts listed by name in each metric."""


@dataclass(slots=True)
class MetricsSnapshot:
    """The served metrics of a crawl.

    Attributes:
        stats: Scrapy's. accounts, hosts: of the frontier, None and empty if not counted.
        lag: age in seconds of the oldest item not yet durable. away: the database does not answer.
        stalled: nothing is stored although work is queued.
        counts: what came of the pages, by name.
        health: of sites and proxies. delays: of a watch, by site the number of new pages and the sum of their delays in seconds.
    """

    stats: dict[str, Any] = field(default_factory=dict)
    accounts: Accounts | None = None
    hosts: list[HostAccount] = field(default_factory=list)
    lag: float = 0.0
    away: bool = False
    stalled: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    health: Health | None = None
    delays: dict[str, tuple[int, float]] = field(default_factory=dict)
