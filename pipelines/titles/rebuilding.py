"""Compares all titles of a store again, in the order in which their pages were collected."""

from collections.abc import Callable, Iterator
from itertools import islice

from scrapy.settings import BaseSettings

from pipelines.lease import Lease
from pipelines.stores.base import Condition, Order, Store
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.decided import apply_all
from pipelines.titles.decider import MAX_GROUP_TITLES
from pipelines.titles.opening import begin_generation, new_comparer, new_decider, snapshot_path
from pipelines.titles.snapshot_file import write_snapshot
from pipelines.titles.title_requests import UNDECIDED, TitleRequest, request_of_stored
from pipelines.waiting import waiting_rows

_COLUMNS = (
    "key", "title", "url", "host", "source", "author", "published", "published_at", "keywords", "fetched_at", "first_seen", "body",
)  # fmt: skip
_QUEUE_BATCH_PAGES = 1_000


def compare_all(settings: BaseSettings, store: Store, pages: Store, lease: Lease, report: Callable[[int], None]) -> int:
    """Decide every page with a title; returns their number. People's decisions override.

    If it is stopped, the next crawl or analysis decides the remaining pages. LeaseLostError if another process decides.

    Args:
        pages: the same store, opened a second time: while its pages are read, it does not show new writes.
        lease: of titles, held by this process. report: called with the number of decided pages.
    """
    generation, count = begin_generation(lease), 0
    _forget_verdicts(store)
    decider = new_decider(settings, store, new_comparer(settings), 0, lease.renew)
    requests = _requests(pages)
    while group := list(islice(requests, MAX_GROUP_TITLES)):
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
    """Queue pages that were reposts for the analysis: some will cease to be reposts."""
    reposts = store.select(PROPAGATION, [Condition("verdict", "=", "repost")], columns=["page"])
    while pages := [row["page"] for row in islice(reposts, _QUEUE_BATCH_PAGES)]:
        store.write(waiting_rows(pages)).result()
    store.change(PROPAGATION, [], {"verdict": UNDECIDED, "story": None, "original": None, "place": None}).result()
