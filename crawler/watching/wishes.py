"""What people ask of a running watch, through the store: look there at least every n minutes, look there no more."""

from collections.abc import Callable, Mapping
from typing import Any

from crawler.watching.watch import Watch
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import WATCH_SOURCES


def pin_wish(seconds: float) -> str:
    """The text of the wish for a visit at least every so many seconds."""
    return f"pin {seconds:g}"


DROP_WISH = "drop"
WATCH_WISH = "watch"
"""Look there again, after a drop."""


class Wishes:
    """Carries out what `scrapy watch pin` and `drop` have written.

    Args:
        crawl: name of the watch.
        owns: whether the site of an address is this node's.
    """

    def __init__(self, crawl: str, watch: Watch, owns: Callable[[str], bool]) -> None:
        self._crawl, self._watch, self._owns = crawl, watch, owns

    def read(self, store: Store, now: float) -> int:
        """Returns how many wishes there were."""
        where = [Condition("crawl", "=", self._crawl), Condition("asked", "!=", "")]
        rows = [
            row
            for row in store.select(WATCH_SOURCES, where, columns=("crawl", "key", "url", "kind", "asked"))
            if row["asked"] and self._owns(row["url"])
        ]
        for row in rows:
            self._carry_out(row, now)
            store.upsert(WATCH_SOURCES, [{"crawl": self._crawl, "key": row["key"], "asked": ""}])
        return len(rows)

    def _carry_out(self, row: Mapping[str, Any], now: float) -> None:
        url, (verb, _, value) = row["url"], row["asked"].partition(" ")
        sources = self._watch.sources
        site = sources.site_of(url)
        source = sources.find(url) or sources.restore(site, url, row["kind"] or "list", 1, 0.0, now)
        if verb == "pin":
            sources.pin(source, float(value))
        elif verb == DROP_WISH:
            sources.drop(source)
        elif verb == WATCH_WISH:
            sources.take_up(source)
