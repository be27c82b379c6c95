"""Spread thresholds: when an event was reported by n sites within a time span, so that rules need not read event members.

Of n sites, the shortest time in which n of them came one after the other shrinks while sites come: each time at which it shrinks is a
row, with the width until then. A rule of n sites within h hours was met first at the one row that is not wider than h and was wider.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pipelines.stores.analysis_tables import ANALYSIS_JOBS, EVENT_REACHES, EVENTS
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store, Table

MAX_SITES = 20
"""Largest number of sites stored; few events reach it."""
NEVER = 2**40
"""A width in seconds above any that rules query."""
_WIDEST = 15 * 86_400
"""The longest span of a rule is two weeks."""
_BATCH_ROWS = 500


def spread_thresholds(event: Row) -> Iterator[MutableRow]:
    """The rows of an event, from its row; none of a dropped one."""
    if event["state"] != "open":
        return
    times = sorted(entry["at"] for entry in event["sites"] or () if entry["at"])
    seconds = [datetime.fromisoformat(time).timestamp() for time in times]
    for sites in range(2, min(MAX_SITES, len(times)) + 1):
        for at, width, before in _shrinking(times, seconds, sites):
            yield {
                "event": event["event"], "sites": sites, "at": at, "topic": event["topic"] or "", "width": width, "before": before
            }  # fmt: skip


def _shrinking(times: Sequence[str], seconds: Sequence[float], sites: int) -> Iterator[tuple[str, int, int]]:
    """Each time at which the shortest width of `sites` sites shrinks, with the new and the previous width in seconds."""
    before = NEVER
    for place in range(sites - 1, len(times)):
        width = -int(-(seconds[place] - seconds[place - sites + 1]) // 1)
        if width < min(before, _WIDEST):
            yield times[place], width, before
            before = width


def writes_of(event: Row) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """The rows of `spread_thresholds` for `Store.write`."""
    return ((EVENT_REACHES, row) for row in spread_thresholds(event))


def fill(store: Store, renew: Callable[[], None]) -> None:
    """Create the rows of all events; `renew` is called at intervals."""
    pending: list[tuple[Table, Mapping[str, Any]]] = []
    where = [Condition("site_count", ">=", 2)]
    for event in store.select(EVENTS, where, columns=("event", "topic", "state", "sites")):
        pending += writes_of(event)
        if len(pending) >= _BATCH_ROWS:
            store.write(pending).result()
            renew()
            pending = []
    store.write(pending).result()


def are_kept(store: Store, job: str) -> bool:
    """Whether all events have their rows: the job of events says so."""
    row = store.get(ANALYSIS_JOBS, job)
    return bool(((row or {}).get("state") or {}).get("reaches"))


def met(store: Store, topic: str, sites: int, seconds: int, since: str, until: str) -> Iterable[tuple[str, str]]:
    """Events of a topic ("": any) first reported by `sites` sites (at most `MAX_SITES`) within `seconds` seconds in the time span,
    with that time, oldest first."""
    where = [Condition("sites", "=", sites), *([Condition("topic", "=", topic)] if topic else [])]
    where += [Condition("at", ">=", since), Condition("at", "<=", until)]
    where += [Condition("width", "<=", seconds), Condition("before", ">", seconds)]
    for row in store.select(EVENT_REACHES, where, [Order("at")], columns=("event", "at")):
        yield row["event"], row["at"]
