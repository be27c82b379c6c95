"""The analysis step that maintains `readings`, `members` and `events`."""

from collections.abc import Iterable, Sequence
from itertools import islice

from analysis.events import Settings
from analysis.events.store.applying import DecisionApplier
from analysis.events.store.change import EventWriter, MemberChange, change_of_pages, placed_columns
from analysis.events.store.decisions import decisions
from analysis.events.store.moved_limits import Moved, MovedLimits, look_at_corrections, moved_by
from analysis.events.store.placing import Placer
from analysis.events.store.repairing import Redecided, Repair
from analysis.events.store.spread_thresholds import fill
from analysis.events.store.surviving import EventState
from analysis.events.store.time_share import TimeShare
from analysis.jobs import StoredPage
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import EVENT_REACHES, EVENTS, MEMBERS, READINGS
from pipelines.stores.base import Row, Store, Table

JOB = "events"
_MAX_REPAIR_SHARE = 0.1
"""Maximum share of time spent on deciding again after late pages."""
_BATCH_ROWS = 500


class EventStep:
    """Reads pages, assigns them to events, and updates the rows of changed events.

    Before any write, the job row records the events that may change and the positions from which decisions may be stale; after a
    kill these are computed again.
    """

    def __init__(self, store: Store, lease: Lease, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._store, self._state = store, EventState.load(lease, self._settings)
        self._decisions = DecisionApplier(store, self._state)
        self._writer = EventWriter(store, self._state, self._decisions)
        self._placer = Placer(store, self._settings, MovedLimits(self._state.moved))
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
        """Apply new decisions of people and learn from them; repair after late pages within the time share."""
        if self._has_moved or self._decisions.are_stale():
            self._apply_decisions()
            self._learn()
        if self._state.late and self._repairs.is_free():
            with self._repairs.spent():
                while self._state.late:
                    self._repair()

    def clear(self) -> None:
        self._state.late = []
        self._decisions.clear()
        self._move(moved_by(decisions(self._store)))
        self._state.save()
        for table in (EVENTS, EVENT_REACHES, MEMBERS, READINGS):
            self._store.remove(table, []).result()
        self._placer.forget()

    def close(self) -> None:
        """Nothing is open."""

    def _repair(self) -> None:
        """Decide again from the first doubt on, as far as it may reach."""
        repair = Repair(self._store, self._settings, self._state.late, self._placer.moved)
        changes = repair.run(self._state.lease.renew)
        while batch := list(islice(changes, _BATCH_ROWS)):
            self._store_decisions(batch)
        self._apply_decisions()
        self._state.late = repair.left
        self._state.save()
        if repair.is_at_end:
            self._placer.go_on(repair.clusters, repair.position)
        elif not self._placer.is_old(repair.position):
            self._placer.forget()

    def _store_decisions(self, changed: Iterable[Redecided]) -> None:
        """Store them; what may follow from them is doubted first, so that a kill does not hide it."""
        change, old, weights = MemberChange([*self._state.late]), list[Row](), list[tuple[Table, Row]]()
        for each in changed:
            if each.spreads:
                change.doubt(each.row)
            row = {"page": each.row["page"], **placed_columns(each.placing, each.vector)}
            if each.moves:
                old.append({"event": each.row["event"]})
                change.members.append(row)
            else:
                weights.append((MEMBERS, row))
        self._store.write(weights).result()
        change.old = old
        if old:
            self._writer.commit(change)

    def _learn(self) -> None:
        """Move the limits of topics by what people have corrected, and decide again from where they differ."""
        look_at_corrections(self._store, self._settings)
        before, after = self._state.moved, moved_by(decisions(self._store))
        if changed := {*before} ^ {*after}:
            self._state.late.append((min(since for _, since, _ in changed), ""))
            self._move(after)
            self._state.save()

    def _move(self, moved: list[Moved]) -> None:
        self._state.moved, self._placer.moved = moved, MovedLimits(moved)

    def _apply_decisions(self) -> None:
        """Recompute the events of all members affected by decisions."""
        affected, changed = self._decisions.apply()
        if affected:
            self._writer.commit(MemberChange([*self._state.late], members=list(changed), old=affected))
        self._has_moved = False
