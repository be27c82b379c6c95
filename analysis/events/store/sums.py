"""Updates the rows of events in batches as their members change."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime

from analysis.events.store.decisions import Decided
from analysis.events.store.spread_thresholds import spread_thresholds
from analysis.events.store.summing import event_row, in_time
from pipelines.stores.analysis_tables import EVENT_REACHES, EVENTS, MEMBERS, READINGS
from pipelines.stores.base import Condition, MutableRow, Row, Store, Table
from pipelines.stores.tables import PAGES

_BATCH_KEYS = 50
_READ_MEMBERS = 50
"""Number of earliest members from which when, where and who are taken."""
_SUMMED = ("page", "event", "story", "at", "site", "title", "topic", "comments", "repost")


def write_sums(store: Store, events: Iterable[str], decided: Decided, *, again: bool = False) -> None:
    """Rewrite the rows of these events and delete those without members. `again`: a killed call may have been incomplete."""
    wanted = list(dict.fromkeys(events))
    groups = (wanted[start : start + _BATCH_KEYS] for start in range(0, len(wanted), _BATCH_KEYS))
    for written in [_write(store, group, decided, again) for group in groups]:
        written.result()


def _write(store: Store, events: Sequence[str], decided: Decided, again: bool) -> Future[None]:
    these = [Condition("event", "in", events)]
    old = {row["event"]: row for row in store.select(EVENTS, these)}
    members = defaultdict[str, list[Row]](list)
    for row in store.select(MEMBERS, these, columns=_SUMMED):
        members[row["event"]].append(row)
    readings, published = _readings_of(store, members.values()), _published(store, members.values())
    removed, writes = list[Future[None]](), list[tuple[Table, Row]]()
    for event in events:
        new = _row(event, members[event], readings, published, decided) if members[event] else None
        differs = new is None or _differs(old.get(event), new)
        if differs or again:
            rows = list(spread_thresholds(new)) if new else []
            if again or _lose(old.get(event), rows):
                removed.append(store.remove(EVENT_REACHES, [Condition("event", "=", event)]))
            writes += [(EVENT_REACHES, row) for row in rows]
        if new is None:
            removed.append(store.remove(EVENTS, [Condition("event", "=", event)]))
        elif differs:
            writes.append((EVENTS, new | {"changed_at": datetime.now(UTC).isoformat(timespec="seconds")}))
    for each in removed:
        each.result()
    return store.write(writes)


def _row(
    event: str, members: Sequence[Row], readings: Mapping[str, Row], published: Mapping[str, str], decided: Decided
) -> MutableRow:
    name = decided.names.get(event, "")
    return event_row(event, members, readings, published, name, dropped=event in decided.dropped)


def _published(store: Store, groups: Iterable[Sequence[Row]]) -> dict[str, str]:
    """By page the time of publication, as far as it is known, of the first and last members of each event."""
    ends = [in_time(rows)[place]["page"] for rows in groups if rows for place in (0, -1)]
    rows = store.select(PAGES, [Condition("key", "in", list(dict.fromkeys(ends)))], columns=("key", "published"))
    return {row["key"]: row["published"] or "" for row in rows}


def _lose(old: Row | None, rows: Sequence[Row]) -> bool:
    """Whether the event had rows of reaches that are not among these."""
    kept = {(row["sites"], row["at"]) for row in rows}
    return old is not None and any((row["sites"], row["at"]) not in kept for row in spread_thresholds(old))


def _readings_of(store: Store, members: Iterable[Sequence[Row]]) -> dict[str, Row]:
    """Those of the earliest members of each event."""
    pages = [row["page"] for rows in members for row in in_time(rows)[:_READ_MEMBERS]]
    found: dict[str, Row] = {}
    for start in range(0, len(pages), _BATCH_KEYS):
        part = [Condition("page", "in", pages[start : start + _BATCH_KEYS])]
        found |= {row["page"]: row for row in store.select(READINGS, part, columns=("page", "elements"))}
    return found


def _differs(old: Row | None, new: Row) -> bool:
    return old is None or any(old[name] != value for name, value in new.items())
