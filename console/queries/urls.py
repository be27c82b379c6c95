"""The URL table by host and state, and what waits or died in the queues."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

from scrapy.settings import BaseSettings

from console.frame.paging import Cursor, Part, in_order, pack_cursor, part
from crawler.frontier.opening import known_crawls, open_for_operator
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.people_tables import EXCLUSIONS
from pipelines.stores.tables import URLS

STATES = ("fetched", "unchanged", "part", "other", "irrelevant", "redirected", "failed", "refused", "dead")
MAX_COUNTED = 1_000
_HOSTS_SHOWN = 25
_MAX_READ = 3_000
COLUMNS = (
    "key",
    "url",
    "host",
    "state",
    "status",
    "reason",
    "found_by",
    "referrer",
    "depth",
    "failures",
    "relevance",
    "first_seen",
    "fetched_at",
)


def hosts(store: Store, after: str = "") -> tuple[list[dict[str, Any]], str]:
    """Hosts by name, each with the number of its URLs by state (at most 1,000 are counted); and where the next ones begin."""
    found: list[dict[str, Any]] = []
    for host in _names(store, after):
        if len(found) == _HOSTS_SHOWN:
            return found, pack_cursor([found[-1]["host"]])
        found.append({"host": host, "states": dict(_states(store, host)), "excluded_by": excluded_by(store, host)})
    return found, ""


def _names(store: Store, after: str) -> Iterator[str]:
    """Each host once: the index leads from one to the next."""
    last = after
    while row := next(store.select(URLS, [Condition("host", ">", last)], [Order("host")], 1, ["host"]), None):
        last = row["host"]
        yield last


def _states(store: Store, host: str) -> Iterator[tuple[str, int]]:
    of_host = Condition("host", "=", host)
    last = ""
    while row := next(
        store.select(URLS, [of_host, Condition("state", ">", last)], [Order("state")], 1, ["state"]), None
    ):
        last = row["state"]
        yield last, store.count(URLS, [of_host, Condition("state", "=", last)], MAX_COUNTED)


def totals(store: Store) -> dict[str, int]:
    """How many URLs there are in each state, at most 1,000 of each are counted."""
    return {state: store.count(URLS, [Condition("state", "=", state)], MAX_COUNTED) for state in STATES}


def url_order(params: Mapping[str, Any]) -> list[Order]:
    """As the index has them: those of a host by state."""
    return [Order("state"), Order("key")] if "host" in params and "state" not in params else [Order("key")]


def urls(store: Store, params: Mapping[str, Any], after: Cursor = ()) -> Part:
    """URLs of a host, a state, or both, with a part of their reason or address."""
    where = [Condition(name, "=", params[name]) for name in ("host", "state") if name in params]
    text = params.get("q", "").casefold()

    def keep(row: MutableRow) -> bool:
        return not text or text in f"{row['url']} {row['reason'] or ''}".casefold()

    order = url_order(params)
    return part(in_order(store, URLS, where, order, after, COLUMNS), order, keep, most=_MAX_READ)


def all_urls(store: Store, params: Mapping[str, Any]) -> Iterator[MutableRow]:
    where = [Condition(name, "=", params[name]) for name in ("host", "state") if name in params]
    text = params.get("q", "").casefold()
    rows = in_order(store, URLS, where, url_order(params), (), COLUMNS)
    return (row for row in rows if text in f"{row['url']} {row['reason'] or ''}".casefold())


def queues(settings: BaseSettings, host: str) -> list[dict[str, Any]]:
    """What the queue of each crawl has of this host."""
    found = []
    for crawl in known_crawls(settings):
        with closing(open_for_operator(settings, crawl, to_change=False)) as frontier:
            account = next((each for each in frontier.hosts() if each.host == host), None)
        if account is not None:
            found.append({"crawl": crawl, "queued": account.queued, "leased": account.leased, "dead": account.dead})
    return found


def requeue(settings: BaseSettings, host: str) -> int:
    """Queue the dead requests of this host again, in every crawl; FrontierError if a running crawl keeps its queue to itself."""
    count = 0
    for crawl in known_crawls(settings):
        with closing(open_for_operator(settings, crawl, to_change=True)) as frontier:
            count += frontier.requeue(host)
    return count


def excluded_by(store: Store, host: str) -> str:
    row = store.get(EXCLUSIONS, host)
    return str(row["by"]) if row else ""


def exclude(store: Store, host: str, by: str, at: str) -> None:
    store.upsert(EXCLUSIONS, [{"host": host, "by": by, "at": at}]).result()


def include(store: Store, host: str) -> None:
    store.remove(EXCLUSIONS, [Condition("host", "=", host)]).result()
