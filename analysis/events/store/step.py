"""The analysis step that maintains `readings`, `members` and `events`."""

from collections.abc import Sequence
from functools import cache, partial

from analysis.events import Settings
from analysis.events.store.applying import DecisionApplier
from analysis.events.store.change import EventWriter, MemberChange, change_of_pages, placed_columns
from analysis.events.store.placing import Placer, Position
from analysis.events.store.spread_thresholds import fill
from analysis.events.store.surviving import EventState
from analysis.events.store.time_share import TimeShare
from analysis.jobs import StoredPage
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import EVENT_REACHES, EVENTS, MEMBERS, READINGS
from pipelines.stores.base import Store

JOB = "events"
_MAX_REPAIR_SHARE = 0.1
"""Maximum share of time spent on deciding again after late pages."""


class EventStep:
    """Reads pages, assigns them to events, and updates the rows of changed events.

    Before any write, the job row records the events that may change and the first page whose decision may be stale; after a kill
    these are computed again.
    """

    def __init__(self, store: Store, lease: Lease, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        self._store, self._state = store, EventState.load(lease, settings)
        self._decisions = DecisionApplier(store, self._state)
        self._writer = EventWriter(store, self._state, self._decisions)
        self._placer = cache(partial(Placer, store, settings))  # restored from the store for the first page to place
        self._repairs = TimeShare(_MAX_REPAIR_SHARE)
        self._has_moved = True
        self._writer.sum_up(self._state.changing, again=True)
        if not self._state.has_reaches:  # made by a version that did not keep them
            fill(store, lease.renew)
            self._state.save()

    def process(self, pages: Sequence[StoredPage]) -> None:
        """Place new and changed pages, and count their comments."""
        if self._decisions.are_stale():
            self._apply_decisions()
        self._writer.commit(change_of_pages(self._store, self._placer, pages, self._state.late))
        self._has_moved = True

    def tidy(self) -> None:
        """Apply new decisions of people; repair after late pages within the time share."""
        if self._has_moved:
            self._apply_decisions()
        if self._state.late is not None and self._repairs.is_free():
            with self._repairs.spent():
                self._repair(self._state.late)

    def clear(self) -> None:
        self._state.late = None
        self._decisions.clear()
        self._state.save()
        for table in (EVENTS, EVENT_REACHES, MEMBERS, READINGS):
            self._store.remove(table, []).result()
        self._placer.cache_clear()

    def close(self) -> None:
        """Nothing is open."""

    def _repair(self, late: Position) -> None:
        """Decide again on all pages from this position."""
        change = MemberChange(late)
        for row, placing, vector in self._placer().repair(late, self._state.lease.renew):
            change.members.append({"page": row["page"], **placed_columns(placing, vector)})
        old = (self._store.get(MEMBERS, row["page"]) for row in change.members)
        change.old = [row for row in old if row]
        self._writer.commit(change)
        self._apply_decisions()
        self._state.late = None
        self._state.save()

    def _apply_decisions(self) -> None:
        """Recompute the events of all members affected by decisions."""
        affected, changed = self._decisions.apply()
        if affected:
            self._writer.commit(MemberChange(self._state.late, members=list(changed), old=affected))
        self._has_moved = False
