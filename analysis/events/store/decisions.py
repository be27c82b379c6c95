"""Decisions of people about events, kept when events are recomputed.

A decision names an event by one of its pages, so that it still applies if the event's first page changes.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, cast, get_args

from pipelines.stores.analysis_tables import EVENT_DECISIONS
from pipelines.stores.base import Condition, Order, Store, StoreError

Action = Literal["merge", "split", "rename", "drop"]
_TEXTS = ("key", "event", "other", "value", "topic", "since")


@dataclass(frozen=True, slots=True)
class EventDecision:
    """A row of `event_decisions`."""

    key: str
    action: Action
    event: str
    other: str
    value: str
    topic: str = ""
    since: str = ""
    nearness: float | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """Resolved decisions: split pages with their new event, merged events with their target,
    names and dropped events."""

    splits: Mapping[str, str]
    merges: Mapping[str, str]
    names: Mapping[str, str]
    dropped: frozenset[str]

    def event(self, page: str, placed: str) -> str:
        """The event of a page after decisions, given its computed event."""
        return _root(self.merges, self.splits.get(page, placed))


def decide(store: Store, action: str, event: str, other: str = "", value: str = "", by: str = "") -> str:
    """Write a decision, and return its key; the next run of the analysis applies it.

    merge: `event` becomes part of `other`. split: the page `other` leaves `event`, for the event of the page `value` if it was split
    off too, else for one of its own. rename: `event` is called `value`. drop: `event` is not of the topic.

    Raises StoreError for an unknown action or missing arguments.
    """
    if action not in get_args(Action):
        raise StoreError(f"{action!r} is not a decision; choose one of {', '.join(get_args(Action))}")
    if not event or (action in ("merge", "split") and not other) or (action == "rename" and not value):
        raise StoreError(
            f"{action} needs {'a new name' if action == 'rename' else 'an event, and another event or page'}"
        )
    now = datetime.now(UTC)
    key = f"{now:%Y%m%dT%H%M%S%f}-{uuid.uuid4().hex[:8]}"
    row = {
        "key": key,
        "action": action,
        "event": event,
        "other": other,
        "value": value,
        "by": by,
        "at": now.isoformat(timespec="microseconds"),
        "undone_at": "",
    }
    store.upsert(EVENT_DECISIONS, [row]).result()
    return key


def undo(store: Store, key: str) -> None:
    """Undo a decision; raises StoreError for an unknown key."""
    if store.get(EVENT_DECISIONS, key) is None:
        raise StoreError(f"there is no decision {key!r}")
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    store.change(EVENT_DECISIONS, [Condition("key", "=", key)], {"undone_at": now}).result()


def decisions(store: Store) -> list[EventDecision]:
    """Active decisions, oldest first."""
    rows = store.select(EVENT_DECISIONS, order=[Order("key")])
    return [
        EventDecision(
            action=cast(Action, row["action"]), nearness=row["nearness"], **{each: row[each] or "" for each in _TEXTS}
        )
        for row in rows
        if not row["undone_at"]
    ]


def decided(made: Sequence[EventDecision], placed: Callable[[str], str]) -> Decided:
    """Decisions applied in their order; `placed` gives the event in which a page was placed, or the page if there is none."""
    splits: dict[str, str] = {}
    merges: dict[str, str] = {}
    names: dict[str, str] = {}
    dropped: set[str] = set()

    def event_of(page: str) -> str:
        return _root(merges, splits[page] if page in splits else placed(page))

    for each in made:
        if each.action == "split":
            splits[each.other] = splits.get(each.value, each.other)
        elif each.action == "merge":
            one, other = event_of(each.event), event_of(each.other)
            if one != other:
                merges[one] = other
        elif each.action == "rename":
            names[each.event] = each.value
        else:
            dropped.add(each.event)
    final_names = {event_of(page): name for page, name in names.items()}
    return Decided(splits, merges, final_names, frozenset(event_of(page) for page in dropped))


def _root(merges: Mapping[str, str], event: str) -> str:
    while event in merges:
        event = merges[event]
    return event
