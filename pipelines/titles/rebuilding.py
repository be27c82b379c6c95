"""All titles of a store are compared again, in the order in which their pages were collected."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from scrapy.settings import BaseSettings

from pipelines.lease import Lease
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.decided import apply_all
from pipelines.titles.decider import LARGEST_GROUP
from pipelines.titles.opening import begin_generation, new_comparer, new_decider, snapshot_path
from pipelines.titles.requests import UNDECIDED, TitleRequest, request_of_stored
from pipelines.titles.snapshot import write_snapshot
from pipelines.waiting import waiting_rows

_COLUMNS = (
    "key", "title", "url", "host", "source", "author", "published", "published_at", "keywords", "fetched_at", "body",
)  # fmt: skip
_QUEUED_AT_ONCE = 1_000


def compare_all(settings: BaseSettings, store: Store, pages: Store, lease: Lease, report: Callable[[int], None]) -> int:
    """Decide about every page with a title; returns how many there are. What people have decided holds.

    Where it is stopped, the rest is undecided, and decided by the next crawl or analysis. LeaseLostError if another process decides.

    Args:
        pages: the same store, opened once more: while its pages are read, it does not show what is written.
        lease: of titles, which this process has. report: called with how many are done.
    """
    generation, count = begin_generation(lease), 0
    _forget_verdicts(store)
    decider = new_decider(settings, store, new_comparer(settings), 0, lease.renew)
    requests = _requests(pages)
    while group := list(islice(requests, LARGEST_GROUP)):
        decider.decide(group)
        count += len(group)
        report(count)
    while decider.decide_stored():  # rows whose pages are not stored
        pass
    apply_all(store)
    write_snapshot(snapshot_path(settings), decider.comparer, decider.place, generation)
    return count


def _requests(store: Store) -> Iterator[TitleRequest]:
    pages = store.select(PAGES, (), [Order("first_seen")], columns=_COLUMNS)
    return (request_of_stored(page) for page in pages if (page["title"] or "").strip())


def _forget_verdicts(store: Store) -> None:
    """The analysis looks again at pages that were reposts: some are none after this."""
    reposts = store.select(PROPAGATION, [Condition("verdict", "=", "repost")], columns=["page"])
    while pages := [row["page"] for row in islice(reposts, _QUEUED_AT_ONCE)]:
        _queue(store, pages)
    store.change(PROPAGATION, [], {"verdict": UNDECIDED, "story": None, "original": None, "place": None}).result()


def _queue(store: Store, pages: Iterable[str]) -> None:
    store.write(waiting_rows(pages)).result()
