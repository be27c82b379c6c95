"""The spread of an event: its first reports with their sources, and its curve."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from console.queries.event_membership import with_published
from console.queries.events import MEMBER_COLUMNS, MEMBER_ORDER
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, MutableRow, Store
from pipelines.stores.tables import PROPAGATION

DRAWN_REPORTS = 8
"""Reports drawn in the chart; the table lists more."""
_LISTED_REPORTS = 40
_MAX_TIMES = 20_000
_MAX_HOURS = 72
_MAX_DAYS = 120
_SCALES = (60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 172_800, 604_800, 1_209_600, 2_592_000, 7_776_000)
"""Seconds between two grid lines of the chart."""
_MAX_LINES = 5


def spread(store: Store, key: str) -> dict[str, Any]:
    """The first reports by time, each with its kind (first, copy, suspected, own) and the page that it copies.

    `step` is the number of seconds between two lines of the picture, `span` what the picture covers.
    """
    rows = store.select(MEMBERS, [Condition("event", "=", key)], MEMBER_ORDER, _LISTED_REPORTS, MEMBER_COLUMNS)
    found = [_report(store, row, number == 0) for number, row in enumerate(rows)]
    with_published(store, found)
    begin = found[0]["at"] if found else ""
    for each in found:
        each["seconds"] = _seconds(begin, each["at"])
    longest = max((each["seconds"] for each in found[:DRAWN_REPORTS]), default=0.0)
    step = next((step for step in _SCALES if longest <= step * _MAX_LINES), _SCALES[-1])
    lines = min(_MAX_LINES, max(1, -int(-longest // step)))
    return {"reports": found, "drawn": DRAWN_REPORTS, "step": step, "span": max(longest, step * lines)}


def _report(store: Store, member: MutableRow, is_first: bool) -> MutableRow:
    verdict_row: Mapping[str, Any] = store.get(PROPAGATION, member["page"]) or {}
    verdict = verdict_row.get("verdict")
    kind = "first" if is_first else {"repost": "copy", "suspected": "suspected"}.get(str(verdict), "own")
    is_copy = kind in ("copy", "suspected")
    return {
        **{name: member[name] for name in ("page", "at", "site", "title")},
        "kind": kind,
        "source": (verdict_row.get("matched") or verdict_row.get("story") or "") if is_copy else "",
        "cosine": verdict_row.get("cosine") if is_copy else None,
        "rule": (verdict_row.get("rule") or "") if is_copy else "",
    }


def _seconds(begin: str, at: str) -> float:
    try:
        return max(0.0, (datetime.fromisoformat(at) - datetime.fromisoformat(begin)).total_seconds())
    except ValueError:
        return 0.0


def curve(store: Store, key: str, zone: ZoneInfo) -> dict[str, Any]:
    """Pages by hour, day or week of the reader; `is_cut` if there are more than were counted."""
    rows = store.select(MEMBERS, [Condition("event", "=", key)], MEMBER_ORDER, _MAX_TIMES, ("at",))
    times = [datetime.fromisoformat(row["at"]).astimezone(zone) for row in rows if row["at"]]
    if not times:
        return {"unit": "day", "bars": [], "is_cut": False}
    hours = (times[-1] - times[0]) / timedelta(hours=1)
    unit = "hour" if hours <= _MAX_HOURS else "day" if hours <= _MAX_DAYS * 24 else "week"
    counts: dict[datetime, int] = dict.fromkeys(_places(_floor(times[0], unit), _floor(times[-1], unit), unit), 0)
    for time in times:
        place = _floor(time, unit)
        counts[place] = counts.get(place, 0) + 1
    bars = [{"at": at.isoformat(timespec="minutes"), "count": count} for at, count in sorted(counts.items())]
    return {"unit": unit, "bars": bars, "is_cut": len(times) == _MAX_TIMES}


def _floor(time: datetime, unit: str) -> datetime:
    if unit == "hour":
        return time.replace(minute=0, second=0, microsecond=0)
    day = time.replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday()) if unit == "week" else day


def _places(first: datetime, last: datetime, unit: str) -> Iterator[datetime]:
    step = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7)}[unit]
    while first <= last:
        yield first
        first += step
