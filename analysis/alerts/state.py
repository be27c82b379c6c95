"""One alert per occurrence: opened once, updated, notified again when its size has doubled, closed at the end."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from analysis.alerts.events import same_event
from analysis.alerts.occurrences import Occurrence
from analysis.alerts.rule_set import NamedRule
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.instant_columns import utc_text

LOOK_BACK = timedelta(days=1)
"""Occurrences that ended earlier are not news; what continues is, when its rule is new."""
_JOINED = timedelta(hours=6)
"""An occurrence that resumes within this time is the same one."""
_KEPT = timedelta(days=60)
_MAX_LOOK_BACK = timedelta(days=14)
_MIN_NOTIFICATION_GAP = timedelta(hours=1)
_NOTIFY_GROWTH_FACTOR = 2.0
_OF_PEOPLE = ("acknowledged_at", "acknowledged_by")
_MAX_NOTIFIED_PER_HOUR = 20
"""Alerts of one rule per hour that send messages; further alerts are only stored."""


class AlertStore:
    """Writes the alerts of rules; only one process may use it at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def since(self, entry: NamedRule, now: datetime) -> datetime:
        """The start of the relevant time: the last day, or the beginning of the oldest open alert."""
        begun = [datetime.fromisoformat(row["begin"]) for row in self._known(entry.name, now) if row["state"] == "open"]
        return max(now - _MAX_LOOK_BACK, min([now - LOOK_BACK, *(begin - _MIN_NOTIFICATION_GAP for begin in begun)]))

    def keep(self, entry: NamedRule, found: Iterable[Occurrence], now: datetime) -> list[str]:
        """Update a rule's alerts from its occurrences; returns the keys of alerts with news."""
        known = self._known(entry.name, now)
        notified = sum(1 for row in known if row["first_at"] >= utc_text(now - _MIN_NOTIFICATION_GAP) and row["number"])
        changed: list[MutableRow] = []
        going, opened = set[str](), set[str]()
        for each in found:
            row = self._same(entry, known, each)
            if row is None and each.end is not None and each.noticed < now - LOOK_BACK:
                continue
            if row is None:
                row = _opened(entry, each, now, is_notified=notified < _MAX_NOTIFIED_PER_HOUR)
                notified += row["number"]
                known.append(row)
                opened.add(row["key"])
            else:
                _update(entry, row, each, now)
            changed.append(row)
            going.add(row["key"])
        for row in known:
            if row["state"] == "open" and row["key"] not in going:
                _close(entry, row, now)
                changed.append(row)
        rows = {row["key"]: row for row in changed}
        for row in rows.values():  # columns that users may change concurrently are written only once
            values = row if row["key"] in opened else {name: row[name] for name in row if name not in _OF_PEOPLE}
            self._store.upsert(ALERTS, [values])
        self._store.write([]).result()
        return [row["key"] for row in rows.values() if not row["spread"]]

    def _known(self, rule: str, now: datetime) -> list[MutableRow]:
        where = [Condition("rule", "=", rule), Condition("key", ">=", f"{now - _KEPT:%Y%m%dT%H%M%S}")]
        return list(self._store.select(ALERTS, where, [Order("key")]))

    def _same(self, entry: NamedRule, known: list[MutableRow], found: Occurrence) -> MutableRow | None:
        """The alert of this occurrence."""
        for row in reversed(known):
            if entry.rule.kind == "event":
                if same_event(self._store, row["subject"], found.subject):
                    return row
            elif row["subject"] == found.subject and found.begin <= _until(row) + _JOINED:
                return row
        return None


def _until(row: MutableRow) -> datetime:
    return datetime.fromisoformat(row["end"]) if row["end"] else datetime.max.replace(tzinfo=UTC) - _JOINED


def _opened(entry: NamedRule, found: Occurrence, now: datetime, *, is_notified: bool) -> MutableRow:
    digest = hashlib.sha256("\n".join((entry.name, found.subject, utc_text(found.begin))).encode()).hexdigest()[:10]
    row: MutableRow = {
        "key": f"{now:%Y%m%dT%H%M%S}-{digest}", "rule": entry.name, "kind": entry.rule.kind, "grade": entry.rule.grade,
        "topic": getattr(entry.rule, "topic", ""), "subject": found.subject, "begin": utc_text(found.begin),
        "first_at": utc_text(now), "acknowledged_at": "", "acknowledged_by": "", "number": 0, "spread": 1, "notified_size": 0.0,
        "notified_at": "", "sentence": "",
    }  # fmt: skip
    row |= _present(found, now)
    if entry.rule.kind == "subscription":  # who has subscribed reads the message; nobody else is asked to
        row["acknowledged_at"] = utc_text(now)
    if is_notified:
        _tell(row, "new", now)
    return row


def _present(found: Occurrence, now: datetime) -> dict[str, Any]:
    return {
        "title": found.title[:300], "text": found.text[:2_000], "link": found.link[:2_000], "facts": found.facts,
        "size": found.size, "last_at": utc_text(now), "end": utc_text(found.end) if found.end else "",
        "state": "over" if found.end else "open",
    }  # fmt: skip


def _update(entry: NamedRule, row: MutableRow, found: Occurrence, now: datetime) -> None:
    was_open = row["state"] == "open"
    present = _present(found, now)
    if all(row[name] == value for name, value in present.items() if name != "last_at"):
        return
    row |= present
    if row["acknowledged_at"] or not row["number"]:
        return
    waited = now - datetime.fromisoformat(row["notified_at"]) >= _MIN_NOTIFICATION_GAP
    if was_open and found.end is not None and entry.rule.ending:
        _tell(row, "over", now)
    elif entry.rule.updates and waited and found.size >= _NOTIFY_GROWTH_FACTOR * (row["notified_size"] or 0.0):
        _tell(row, "more", now)


def _close(entry: NamedRule, row: MutableRow, now: datetime) -> None:
    row |= {"state": "over", "end": utc_text(now), "last_at": utc_text(now)}
    if entry.rule.ending and row["number"] and not row["acknowledged_at"]:
        _tell(row, "over", now)


def _tell(row: MutableRow, sentence: str, now: datetime) -> None:
    row |= {
        "number": row["number"] + 1,
        "spread": 0,
        "sentence": sentence,
        "notified_size": row["size"],
        "notified_at": utc_text(now),
    }


def acknowledge(store: Store, key: str, by: str, now: datetime) -> bool:
    """Acknowledge an alert, which stops its messages; False if there is no such alert."""
    if store.get(ALERTS, key) is None:
        return False
    store.change(
        ALERTS, [Condition("key", "=", key)], {"acknowledged_at": utc_text(now), "acknowledged_by": by}
    ).result()
    return True


def forget_acknowledgement(store: Store, key: str) -> None:
    """Take the acknowledgement back."""
    store.change(ALERTS, [Condition("key", "=", key)], {"acknowledged_at": "", "acknowledged_by": ""}).result()


def unseen(store: Store, limit: int = 100) -> int:
    """The number of unacknowledged alerts, counted up to `limit`."""
    return store.count(ALERTS, [Condition("acknowledged_at", "=", "")], limit)
