"""The state of a crawl a few seconds ago, which scrapes read without disturbing it."""

from dataclasses import dataclass, field
from typing import Any

from crawler.bans.health import Health
from crawler.frontier.base import Accounts, HostAccount

MAX_HOSTS = 50
"""Hosts that are told of by name, of each kind of number."""


@dataclass(slots=True)
class MetricsSnapshot:
    """What is served of a crawl.

    Attributes:
        stats: Scrapy's. accounts, hosts: of the frontier, None and empty where nobody has counted.
        lag: seconds, the age of the oldest item not yet durable. away: the database does not answer.
        stalled: nothing is stored though work waits.
        health: of sites and proxies. delays: by site, how many new pages a watch has fetched and after how many seconds in all.
    """

    stats: dict[str, Any] = field(default_factory=dict)
    accounts: Accounts | None = None
    hosts: list[HostAccount] = field(default_factory=list)
    lag: float = 0.0
    away: bool = False
    stalled: bool = False
    health: Health | None = None
    delays: dict[str, tuple[int, float]] = field(default_factory=dict)
