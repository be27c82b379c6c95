"""New events that several sites report within some hours."""

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from analysis.alerts.occurrences import Occurrence, over, windows
from analysis.alerts.rules import EventRule
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Condition, Row, Store

_GROWING_HOURS = 24


def event_occurrences(store: Store, rule: EventRule, since: datetime, until: datetime) -> Iterator[Occurrence]:
    """Events that met the rule in the span, each once: with the first hours in which they did."""
    where = [
        Condition("last_at", ">=", _text(since)),
        Condition("site_count", ">=", rule.sites),
        Condition("state", "=", "open"),
    ]
    where += [Condition("topic", "=", rule.topic)] if rule.topic else []
    for row in store.select(EVENTS, where):
        found = _met(rule, row)
        if found is not None and since <= found <= until:
            yield _occurrence(store, rule, row, found, until)


def _met(rule: EventRule, row: Row) -> datetime | None:
    """When the rule was first met."""
    times = sorted(int(datetime.fromisoformat(entry["at"]).timestamp()) for entry in row["sites"] or () if entry["at"])
    first = next(windows(np.array(times, np.int64), rule.hours, rule.sites), None)
    return datetime.fromtimestamp(times[first[1]], UTC) if first else None


def _occurrence(store: Store, rule: EventRule, row: Row, noticed: datetime, now: datetime) -> Occurrence:
    begin, last = (datetime.fromisoformat(row[name]) for name in ("first_at", "last_at"))
    member = store.get(MEMBERS, row["first_page"] or row["event"]) or {}
    where = f" ({row['place']})" if row["place"] else ""
    text = f"{row['site_count']} sites and {row['pages']} pages report it{where}; first {row['first_site']}"
    facts = {name: row[name] for name in ("event", "topic", "place", "pages", "site_count", "first_site", "comments")}
    return Occurrence(
        row["event"], begin, noticed, over(last, now, _GROWING_HOURS), float(row["site_count"]), row["name"] or "", text,
        member.get("url") or "", facts,
    )  # fmt: skip


def same_event(store: Store, one: str, other: str) -> bool:
    """Whether two keys of events mean the same event now: late pages and decisions change keys."""
    return one == other or (store.get(MEMBERS, one) or {}).get("event") == other


def _text(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds")
