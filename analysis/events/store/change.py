"""Changes of members: what pages, decisions and repairs lead to, and how it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.events import Placing
from analysis.events.store.applying import DecisionApplier
from analysis.events.store.doubts import Position
from analysis.events.store.placing import Placer
from analysis.events.store.readings import digest, is_report, read
from analysis.events.store.sums import write_sums
from analysis.events.store.surviving import EventState
from analysis.events.window import Vector
from analysis.jobs import StoredPage
from pipelines.stores.analysis_tables import MEMBERS, READINGS
from pipelines.stores.base import Condition, Row, Store

_BATCH_ROWS = 500


@dataclass(slots=True)
class MemberChange:
    """Rows to write.

    Attributes:
        late: positions from which decisions may be stale after the change.
        old: the affected members before the change. gone: those whose pages report no event.
    """

    late: list[Position]
    readings: list[Row] = field(default_factory=list)
    members: list[Row] = field(default_factory=list)
    gone: list[Row] = field(default_factory=list)
    old: Sequence[Row] = ()

    def doubt(self, row: Row | None) -> None:
        """Note that decisions from this member on may be stale."""
        if row is not None:
            self.late.append((str(row["at"]), str(row["page"])))


def change_of_pages(
    store: Store, placer: Placer, pages: Sequence[StoredPage], late: Sequence[Position]
) -> MemberChange:
    """Place new and changed pages in time order, and count their comments."""
    keys = [page.key for page in pages]
    known = {row["page"]: row for row in store.select(MEMBERS, [Condition("page", "in", keys)])}
    change = MemberChange([*late], old=list(known.values()))
    for page in sorted(pages, key=lambda page: (page.at, page.key)):
        old = known.get(page.key)
        if not is_report(page):
            change.gone += [old] if old else []
            change.doubt(old)
        elif old is not None and _is_read(store, page):
            change.members.append(old | _copied(page))
            if old["topic"] != page.text("topic"):
                change.doubt(old)
        else:
            change.doubt(old)
            _place(change, placer, page, is_known=old is not None)
    return change


def _place(change: MemberChange, placer: Placer, page: StoredPage, *, is_known: bool) -> None:
    row, reading = read(page)
    placing, vector, is_late = placer.add(page.at, page.key, page.text("topic"), reading)
    member = {"page": page.key, "at": page.at, **placed_columns(placing, vector), **_copied(page)}
    if is_late or is_known:
        change.doubt(member)
    change.readings.append(row)
    change.members.append(member)


def _is_read(store: Store, page: StoredPage) -> bool:
    """Whether the stored readings are current."""
    return store.count(READINGS, [Condition("page", "=", page.key), Condition("digest", "=", digest(page))]) > 0


def placed_columns(placing: Placing, vector: Vector) -> Mapping[str, Any]:
    """The member columns with the computed decision."""
    return {
        "placed_event": placing.event, "placed_story": placing.story, "likeness": round(placing.likeness, 4),
        "vector": vector.pack(),
    }  # fmt: skip


def _copied(page: StoredPage) -> dict[str, Any]:
    """The member columns copied from the page."""
    return {
        "title": page.text("title"), "url": page.text("url"), "topic": page.text("topic"), "site": page.text("host"),
        "comments": sum(1 for record in page.records if not record["is_first"]),
        "repost": int(page.is_repost),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class EventWriter:
    """Writes changes of members and the rows of their events."""

    store: Store
    state: EventState
    decisions: DecisionApplier

    def commit(self, change: MemberChange) -> None:
        """Write everything; safe against a kill at any moment."""
        placed = [dict(row) | self.decisions.final(row) for row in change.members]
        changing = sorted({str(row["event"]) for row in (*change.old, *change.gone, *placed) if row["event"]})
        self.state.late = change.late
        self.state.save(changing)
        for start in range(0, len(placed), _BATCH_ROWS):
            part = slice(start, start + _BATCH_ROWS)
            rows = [*((READINGS, row) for row in change.readings[part]), *((MEMBERS, row) for row in placed[part])]
            self.store.write(rows).result()
        for row in change.gone:
            for table in (MEMBERS, READINGS):
                self.store.remove(table, [Condition("page", "=", row["page"])]).result()
        self.sum_up(changing)

    def sum_up(self, events: Sequence[str], *, again: bool = False) -> None:
        """Rewrite the rows of these events."""
        write_sums(self.store, events, self.decisions.decided, again=again)
