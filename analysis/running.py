"""Runs the analysis steps of a store, in one process at a time, as pages change."""

import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping
from threading import Event

from analysis import counts, search
from analysis.events import store as event_store
from analysis.jobs import Step, queue_all_pages, work_once
from pipelines.lease import Lease, LeaseLostError
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Store, StoreAwayError

logger = logging.getLogger(__name__)
JOB = "analysis"
STEPS: dict[str, Callable[[Store, Lease], Step]] = {
    search.JOB: search.search_step,
    event_store.JOB: event_store.EventStep,
    counts.JOB: counts.CountStep,
}
"""Step factories by job name. A step is created when its lease is acquired and keeps its state in the lease."""
Steps = Mapping[str, Callable[[Store, Lease], Step]]
_NONE: Steps = {}
_PAUSE_SECONDS = 1.0
_LEASE_RETRY_SECONDS = 5.0
Report = Callable[[int, int], None]
"""Called with the numbers of processed and waiting pages."""


class BusyError(Exception):
    """Another process analyses this store."""


def _ignore(done: int, waiting: int) -> None:
    pass


@contextlib.contextmanager
def working(store: Store, more: Steps = _NONE) -> Iterator[tuple[list[Step], Callable[[], None]]]:
    """The steps with their leases; raises BusyError if another process holds them.

    Args:
        more: steps behind the others that make nothing of single pages, so that no page is queued for them; or, by the name of
            one of the others, what is used in its place.
    """
    makers = {**STEPS, **more}
    leases = [Lease(store, name) for name in (JOB, *makers)]
    gained: list[Lease] = []
    steps: list[Step] = []
    try:
        for lease in leases:
            if not lease.gain():
                raise BusyError("another process is analysing this database; it will process the waiting pages too")
            gained.append(lease)
        _begin(store, leases[0])
        for make, lease in zip(makers.values(), leases[1:], strict=True):
            steps.append(make(store, lease))
        yield steps, _renewing(leases)
    finally:
        for step in steps:
            step.close()
        for lease in gained:
            lease.release()


def _renewing(leases: list[Lease]) -> Callable[[], None]:
    def renew() -> None:
        for lease in leases:
            lease.renew()

    return renew


def _begin(store: Store, lease: Lease) -> None:
    """Queue all pages if the store was not yet analysed by every step."""
    if lease.state().get("begun") != sorted(STEPS):
        queue_all_pages(store)
        lease.save({"begun": sorted(STEPS)})


def run(store: Store, report: Report = _ignore, more: Steps = _NONE) -> int:
    """Process every queued page; returns their number. Raises BusyError if another process is analysing."""
    done = 0
    with working(store, more) as (steps, renew):
        while True:
            count = work_once(store, steps, renew=renew)
            done += count
            report(done, store.count(ANALYSIS_QUEUE))
            if not count:
                return done


def follow(store: Store, ended: Event, report: Report = _ignore, more: Steps = _NONE) -> None:
    """Process pages as they arrive, until `ended`; stand by while another process holds the lease or the store is unavailable."""
    done = 0
    while not ended.is_set():
        try:
            with working(store, more) as (steps, renew):
                while not ended.is_set():
                    renew()
                    count = work_once(store, steps, renew=renew)
                    done += count
                    if count:
                        report(done, store.count(ANALYSIS_QUEUE))
                    else:
                        ended.wait(_PAUSE_SECONDS)
        except StoreAwayError as error:
            logger.warning("%s The analysis goes on when it is available.", error)
            ended.wait(_LEASE_RETRY_SECONDS)
        except (BusyError, LeaseLostError):  # lost: this process was suspended or slow for longer than the lease time
            ended.wait(_LEASE_RETRY_SECONDS)


def rebuild(store: Store, report: Report = _ignore, more: Steps = _NONE) -> int:
    """Delete all results and recompute them for every stored page; decisions of people are kept."""
    with working(store, more) as (steps, renew):
        for step in steps:
            renew()
            step.clear()
        queue_all_pages(store)
    return run(store, report, more)
