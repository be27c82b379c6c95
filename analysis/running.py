"""All analysis of a store: its steps, in one process at a time, as pages change."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from threading import Event

from analysis import counts, happenings, search
from analysis.jobs import Step, queue_all_pages, work_once
from pipelines.lease import Lease, LeaseLostError
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import Store

JOB = "analysis"
STEPS: dict[str, Callable[[Store, Lease], Step]] = {
    search.JOB: search.search_step,
    happenings.JOB: happenings.EventStep,
    counts.JOB: counts.CountStep,
}
"""Each step by the name of its job. It is made when its lease is gained, and remembers what it needs in the lease's state."""
Steps = Mapping[str, Callable[[Store, Lease], Step]]
_NONE: Steps = {}
_PAUSE_SECONDS = 1.0
_LEASE_RETRY_SECONDS = 5.0
Report = Callable[[int, int], None]
"""Called with how many pages were done, and how many wait."""


class BusyError(Exception):
    """Another process does the analysis of this store."""


def _ignore(done: int, waiting: int) -> None:
    pass


@contextlib.contextmanager
def working(store: Store, more: Steps = _NONE) -> Iterator[tuple[list[Step], Callable[[], None]]]:
    """The steps, and what keeps their leases; BusyError if another process has them.

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
                raise BusyError("another process analyses this database now; it takes the pages that wait too")
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
    """A store that was never analysed, or not by every step, may have pages that nobody has queued."""
    if lease.state().get("begun") != sorted(STEPS):
        queue_all_pages(store)
        lease.save({"begun": sorted(STEPS)})


def run(store: Store, report: Report = _ignore, more: Steps = _NONE) -> int:
    """Do every page that waits; returns how many. BusyError if another process does it."""
    done = 0
    with working(store, more) as (steps, renew):
        while True:
            count = work_once(store, steps, renew=renew)
            done += count
            report(done, store.count(ANALYSIS_QUEUE))
            if not count:
                return done


def follow(store: Store, ended: Event, report: Report = _ignore, more: Steps = _NONE) -> None:
    """Do pages as they come, until `ended`; while another process does it, wait for its end or its death."""
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
        except (BusyError, LeaseLostError):  # lost: this process was stopped or slow for longer than its leases last
            ended.wait(_LEASE_RETRY_SECONDS)


def rebuild(store: Store, report: Report = _ignore, more: Steps = _NONE) -> int:
    """Forget what was computed, and compute it again for every stored page; people's decisions stay."""
    with working(store, more) as (steps, renew):
        for step in steps:
            renew()
            step.clear()
        queue_all_pages(store)
    return run(store, report, more)
