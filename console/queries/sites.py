"""Proposed hosts, sources of watches, and how sites treat the crawler."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from console.frame.paging import Cursor, Part, in_order, part
from console.queries._source_profile import source_profile
from crawler.bans.health import read_health, standing_bans
from crawler.checks.site_health import identities
from crawler.config.sites import SiteSettings, read_sites
from crawler.config.yaml_file import DeclarationError
from pipelines.stores.base import Condition, MutableRow, Order, Store, each_value
from pipelines.stores.tables import PAGES, SITES
from pipelines.stores.watch_tables import WATCH_SOURCES

__all__ = [
    "SOURCE_SORTS",
    "SOURCE_STATES",
    "STATES",
    "access",
    "counted",
    "counts",
    "crawls",
    "site_order",
    "sites",
    "source_counts",
    "source_profile",
    "sources",
]
STATES = ("proposed", "let_in", "rejected")
SOURCE_STATES = ("watched", "new", "unreadable", "dead", "dropped")
BY_KEY = [Order("crawl"), Order("host")]
BY_RELEVANT = [Order(name, True) for name in ("relevant", "crawl", "host")]
SOURCE_SORTS = {
    "yield": "items_first_seen_here", "rate": "per_day", "visits": "visits", "relevance": "relevance", "visited": "visited_at",
    "news": "last_new_at",
}  # fmt: skip
"""The orders of sources; only "yield" has an index."""
_ROWS_SHOWN = 25
_SAMPLES = 3
_SOURCE_COLUMNS = (
    *("crawl", "key", "url", "site", "host", "kind", "state", "visited_at", "last_new_at", "per_day", "visits"),
    *("items_first_seen_here", "failures", "relevance", "interval", "asked"),
)
MAX_COUNTED = 1_000
_MAX_FILES = 300


def site_order(state: str) -> list[Order]:
    """Proposed hosts have counts, the best come first; others may have none."""
    return BY_RELEVANT if state == "proposed" else BY_KEY


def sites(store: Store, state: str, after: Cursor = ()) -> Part:
    """The next sites with this state, with `samples`: the titles of pages that were collected last."""
    order = site_order(state)
    counted = [Condition("relevant", ">=", 0)] if state == "proposed" and not after else []
    rows = in_order(store, SITES, [Condition("state", "=", state), *counted], order, after)
    found = part(rows, order, size=_ROWS_SHOWN)
    for row in found.rows:
        row["samples"] = _samples(store, row["host"])
    return found


def _samples(store: Store, host: str) -> list[MutableRow]:
    columns = ("key", "title", "url", "relevance", "language")
    newest = [Order("fetched_at", True)]
    return list(store.select(PAGES, [Condition("host", "=", host)], newest, limit=_SAMPLES, columns=columns))


def counts(store: Store) -> Mapping[str, int]:
    """Sites by state, each counted up to 1,000."""
    return {state: counted(store, state) for state in STATES}


def counted(store: Store, state: str, most: int = MAX_COUNTED) -> int:
    return store.count(SITES, [Condition("state", "=", state)], most)


def crawls(store: Store) -> list[str]:
    """Names of crawls that have proposed sites."""
    return list(islice(each_value(store, SITES, "crawl"), _MAX_FILES))


def sources(store: Store, state: str, sort: str = "yield", after: Cursor = ()) -> Part:
    """The next sources of watches with this state, the highest or latest first."""
    where = [Condition("state", "=", state)]
    order = [Order(name, True) for name in (SOURCE_SORTS[sort], "crawl", "key")]
    counted_ones = [] if after or sort != "yield" else [Condition("items_first_seen_here", ">=", 0)]
    rows = in_order(store, WATCH_SOURCES, [*where, *counted_ones], order, after, _SOURCE_COLUMNS)
    return part(rows, order, size=_ROWS_SHOWN)


def source_counts(store: Store) -> Mapping[str, int]:
    """Sources by state, each counted up to 1,000."""
    return {state: store.count(WATCH_SOURCES, [Condition("state", "=", state)], MAX_COUNTED) for state in SOURCE_STATES}


def access(settings: BaseSettings) -> dict[str, Any]:
    """Latest status from crawls on this machine (refusals, log-ins, proxies), and the site files."""
    health = list(read_health(Path(settings["DATA_DIR"])))
    hosts = [
        {"crawl": crawl.crawl, "at": crawl.at, "host": host}
        | {name: getattr(site, name) for name in ("answers", "bans", "challenges", "logins", "failed_logins")}
        for crawl in health
        for host, site in sorted(crawl.sites.items())
    ]
    proxies = [
        {"crawl": crawl.crawl, "name": name, "alive": pool.alive, "all": pool.all}
        for crawl in health
        for name, pool in sorted(crawl.proxies.items())
    ]
    files, fault = _files(settings)
    return {
        "bans": [
            {"host": host, "identity": identity, "proxy": bool(proxy), "until": until}
            for host, identity, proxy, until in islice(standing_bans(settings), _MAX_FILES)
        ],
        "hosts": hosts[:_MAX_FILES],
        "proxies": proxies[:_MAX_FILES],
        "identities": [
            {"state": each.state, "subject": each.subject, "message": each.message, "advice": each.advice}
            for each in identities(settings)
        ],
        "files": files[:_MAX_FILES],
        "fault": fault,
    }


def _files(settings: BaseSettings) -> tuple[list[dict[str, Any]], str]:
    try:
        known = read_sites(settings)
    except DeclarationError as error:
        return [], str(error)
    named = sorted(known.named.items())
    return [_file("", known.default), *(_file(host, site) for host, site in named)], ""


def _file(host: str, site: SiteSettings) -> dict[str, Any]:
    """Status without proxy addresses, which may contain passwords."""
    return {
        "host": host,
        "delay": site.delay,
        "concurrency": site.concurrency,
        "hours": list(site.hours),
        "zone": site.zone,
        "robots": site.robots.policy,
        "robots_reason": site.robots.reason,
        "render": site.render,
        "proxies": bool(site.proxies),
        "identities": list(site.identities),
        "logs_in": site.login is not None,
    }
