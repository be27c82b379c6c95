"""The URL table by host and state, and waiting and dead requests of the queues."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import islice
from typing import Any

from scrapy.settings import BaseSettings

from console.frame.paging import Cursor, Part, in_order, pack_cursor, part
from console.queries.event_membership import with_keys
from crawler.frontier.opening import known_crawls, open_for_operator
from pipelines.stores.base import Condition, MutableRow, Order, Store, each_value
from pipelines.stores.people_tables import EXCLUSIONS
from pipelines.stores.tables import URLS

STATES = (
    "fetched",
    "unchanged",
    "part",
    "other",
    "irrelevant",
    "redirected",
    "unreadable",
    "failed",
    "refused",
    "dead",
)
MAX_COUNTED = 1_000
_HOSTS_SHOWN = 25
_MAX_READ = 3_000
_BATCH_ROWS = 2_000
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
    states, is_whole = _first_states(store, after)
    others = () if is_whole else each_value(store, URLS, "host", after=next(reversed(states), after))
    for host in islice(others, max(0, _HOSTS_SHOWN + 1 - len(states))):
        states[host] = dict(_states(store, host)) if len(states) < _HOSTS_SHOWN else {}
    shown = list(states)[:_HOSTS_SHOWN]
    excluded = {row["host"]: row["by"] for row in with_keys(store, EXCLUSIONS, "host", shown)}
    rows = [{"host": host, "states": states[host], "excluded_by": excluded.get(host, "")} for host in shown]
    return rows, pack_cursor([shown[-1]]) if len(states) > len(shown) else ""


def _first_states(store: Store, after: str) -> tuple[dict[str, dict[str, int]], bool]:
    """The next hosts, as far as 2,000 URLs reach, with their states; and whether there are no more."""
    found: dict[str, Counter[str]] = {}
    order = [Order("host"), Order("state")]
    rows = store.select(URLS, [Condition("host", ">", after)], order, _BATCH_ROWS, ("host", "state"))
    for row in rows:
        found.setdefault(row["host"], Counter())[row["state"]] += 1
    is_whole = sum(map(Counter.total, found.values())) < _BATCH_ROWS
    if not is_whole:
        found.popitem()  # its other URLs were not read
    bounded = {
        host: {state: min(n, MAX_COUNTED) for state, n in states.items() if state} for host, states in found.items()
    }
    return bounded, is_whole


def _states(store: Store, host: str) -> Iterator[tuple[str, int]]:
    of_host = Condition("host", "=", host)
    for state in each_value(store, URLS, "state", [of_host]):
        yield state, store.count(URLS, [of_host, Condition("state", "=", state)], MAX_COUNTED)


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
    """The queued requests of this host in each crawl."""
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
