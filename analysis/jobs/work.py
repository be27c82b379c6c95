"""Pages that wait are read and given to each step; a page leaves the queue when all steps have stored what they made of it.

A kill at any moment only means that some pages are given to steps again: each step makes of a page what it made before.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from analysis.jobs.pages import StoredPage, read_pages
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows

_BATCH_PAGES = 200
_BATCH_ROWS = 1_000


class Step(Protocol):
    """One kind of analysis. A page may come several times, changed or not; what was made of it before is replaced."""

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Make what is to be made of these pages; when this returns, it is durable."""

    def tidy(self) -> None:
        """Called when no page waits, for what is better done rarely."""

    def clear(self) -> None:
        """Forget everything, so that it is made again."""

    def close(self) -> None:
        """Give up what is held open; called at the end, and when the lease is lost."""


def work_once(
    store: Store, steps: Sequence[Step], batch: int = _BATCH_PAGES, renew: Callable[[], None] = lambda: None
) -> int:
    """Do the pages that have waited longest; returns how many, 0 if none waits. Only who holds the lease may call it."""
    waiting = list(store.select(ANALYSIS_QUEUE, order=[Order("queued_at")], limit=batch))
    pages = read_pages(store, [row["page"] for row in waiting])
    for step in steps:
        renew()
        if pages:
            step.process(pages)
        else:
            step.tidy()
    done = [
        store.remove(ANALYSIS_QUEUE, [Condition("page", "=", row["page"]), Condition("token", "=", row["token"])])
        for row in waiting
    ]
    for removed in done:
        removed.result()
    return len(waiting)


def queue_all_pages(store: Store) -> int:
    """Let every stored page wait for the analysis; returns how many."""
    count, keys = 0, list[str]()
    for row in store.select(PAGES, columns=["key"]):
        keys.append(row["key"])
        if len(keys) == _BATCH_ROWS:
            count += _queue(store, keys)
            keys.clear()
    return count + _queue(store, keys)


def _queue(store: Store, keys: Sequence[str]) -> int:
    store.write(waiting_rows(keys)).result()
    return len(keys)
