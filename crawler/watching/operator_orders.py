"""Operators' orders to a running watch, through the store: visit a source at least every n minutes, or drop it."""

from collections.abc import Mapping
from typing import Any

from crawler.watching.watch import Watch
from pipelines.stores.base import Condition, Store
from pipelines.stores.watch_tables import WATCH_SOURCES

DROP_ORDER = "drop"
WATCH_ORDER = "watch"
"""Resume visits after a drop."""


def pin_order(seconds: float) -> str:
    """The order to visit a source at least every `seconds` seconds."""
    return f"pin {seconds:g}"


def carry_out_orders(store: Store, crawl: str, watch: Watch, now: float) -> None:
    """Execute the orders of `scrapy watch pin`, `drop` and the console for this watch, and mark them as done."""
    where = [Condition("crawl", "=", crawl), Condition("asked", "!=", "")]
    for row in list(store.select(WATCH_SOURCES, where, columns=("crawl", "key", "url", "kind", "asked"))):
        if row["asked"]:
            _carry_out(watch, row, now)
            store.upsert(WATCH_SOURCES, [{"crawl": crawl, "key": row["key"], "asked": ""}])


def _carry_out(watch: Watch, row: Mapping[str, Any], now: float) -> None:
    url, (verb, _, value) = row["url"], row["asked"].partition(" ")
    sources = watch.sources
    source = sources.find(url) or sources.restore(sources.site_of(url), url, row["kind"] or "list", 1, 0.0, now)
    if verb == "pin":
        sources.pin(source, float(value))
    elif verb == DROP_ORDER:
        sources.drop(source)
    elif verb == WATCH_ORDER:
        sources.take_up(source)
