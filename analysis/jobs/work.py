"""Reads queued pages and passes them to each step; a page leaves the queue when all steps have stored their results.

After a kill some pages are processed again; steps are idempotent.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from analysis.jobs.stored_page import StoredPage, read_pages
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows

_BATCH_PAGES = 200
_BATCH_ROWS = 1_000


class Step(Protocol):
    """One kind of analysis. A page may be passed several times, changed or not; its results are replaced.

    All but `process` do nothing unless a step has something to do there.
    """

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Process these pages; results are durable on return."""

    def tidy(self) -> None:
        """Called when no page waits, for infrequent work."""
        return

    def clear(self) -> None:
        """Delete all results, to be computed again."""
        return

    def close(self) -> None:
        """Release resources; called at the end and when the lease is lost."""
        return


def work_once(
    store: Store, steps: Sequence[Step], batch: int = _BATCH_PAGES, renew: Callable[[], None] = lambda: None
) -> int:
    """Process the oldest queued pages; returns their number, 0 if none waits. Requires the lease."""
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
    """Queue every stored page; returns their number."""
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
