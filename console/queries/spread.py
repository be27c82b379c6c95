"""The spread of an event: its reports on lines of their sites, who copied whom, and its curve."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from console.queries.event_membership import with_keys, with_published
from console.queries.events import MEMBER_ORDER
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store
from pipelines.stores.tables import PROPAGATION

_DRAWN_REPORTS = 600
"""Reports drawn in one picture, the first of its span; a shorter span shows the others."""
_LISTED_REPORTS = 40
_LANES = 14
"""Sites with a line of their own: those that others copy, then the first ones."""
PLACES = 1_000
"""Places of a line, from the beginning of the span to its end."""
_MAX_TIMES = 20_000
_MAX_HOURS = 72
_MAX_DAYS = 120
_SCALES = (
    1,
    5,
    15,
    60,
    300,
    900,
    1_800,
    3_600,
    7_200,
    14_400,
    28_800,
    86_400,
    172_800,
    604_800,
    1_209_600,
    2_592_000,
    7_776_000,
)
"""Seconds between two grid lines of the picture."""
_MAX_LINES = 5
_KINDS = {"repost": "copy", "suspected": "suspected"}


def spread(store: Store, key: str, since: float = 0, until: float | None = None) -> dict[str, Any]:
    """Reports on lines of their sites by time, who copied whom, and the first ones with their kind and source.

    Reports have a kind: first, copy, suspected or own. `since` and `until` are seconds after the first report, as are `from`, `to`,
    `longest` and `step`, the distance of two grid lines. At most 600 are drawn; `is_cut` says that there are more.
    """
    where = [Condition("event", "=", key)]
    begin, longest = _ends(store, where)
    until = longest if until is None or until > longest else until
    since = min(since, until)
    found = _reports(store, where, begin, since, until)
    is_cut = len(found) > _DRAWN_REPORTS
    del found[_DRAWN_REPORTS:]
    if is_cut:
        until = max(found[-1]["seconds"], since)
    step = next((step for step in _SCALES if until - since <= step * _MAX_LINES), _SCALES[-1])
    span = max(until - since, float(step))
    listed = found[:_LISTED_REPORTS]
    with_published(store, listed)
    return {
        "begin": begin, "from": since, "to": since + span, "longest": longest, "step": step, "is_cut": is_cut, "count": len(found),
        "reports": listed, **_picture(found, since, span),
    }  # fmt: skip


def _ends(store: Store, where: Sequence[Condition]) -> tuple[str, float]:
    """When the first report came, and the seconds until the last one."""
    first, last = (
        next(iter(store.select(MEMBERS, where, [Order(by.column, is_last) for by in MEMBER_ORDER], 1, ("at",))), None)
        for is_last in (False, True)
    )
    return (first["at"] or "", _seconds(first["at"], last["at"])) if first and last else ("", 0.0)


def _reports(store: Store, where: Sequence[Condition], begin: str, since: float, until: float) -> list[MutableRow]:
    edges = (
        [] if not begin else [Condition("at", ">=", _later(begin, since)), Condition("at", "<=", _later(begin, until))]
    )
    rows = list(
        store.select(MEMBERS, [*where, *edges], MEMBER_ORDER, _DRAWN_REPORTS + 1, ("page", "at", "site", "title"))
    )
    columns = ("page", "verdict", "matched", "story", "cosine", "rule")
    are_copies = [Condition("verdict", "in", list(_KINDS))]
    verdicts = {
        row["page"]: row
        for row in with_keys(store, PROPAGATION, "page", (row["page"] for row in rows), are_copies, columns)
    }
    found = [
        _report(row, verdicts.get(row["page"]) or {}, number == 0 and not since) for number, row in enumerate(rows)
    ]
    for each in found:
        each["seconds"] = _seconds(begin, each["at"])
    return found


def _report(member: MutableRow, verdict: Mapping[str, Any], is_first: bool) -> MutableRow:
    kind = "first" if is_first else _KINDS.get(str(verdict.get("verdict")), "own")
    is_copy = kind in ("copy", "suspected")
    return {
        **{name: member[name] for name in ("page", "at", "site", "title")},
        "kind": kind,
        "source": (verdict.get("matched") or verdict.get("story") or "") if is_copy else "",
        "cosine": verdict.get("cosine") if is_copy else None,
        "rule": (verdict.get("rule") or "") if is_copy else "",
    }


def _picture(reports: Sequence[Row], since: float, span: float) -> dict[str, Any]:
    """Lines, points (one for reports at one place) and links; `unlinked` copies are of pages that are not in the picture."""
    lanes = _lanes(reports)
    number = {lane["site"]: place for place, lane in enumerate(lanes)}
    at = {
        row["page"]: (round((row["seconds"] - since) / span * PLACES), number.get(row["site"] or "", len(lanes)))
        for row in reports
    }
    points = {(*at[row["page"]], row["kind"]): row for row in reversed(reports)}
    copies = [row for row in reports if row["source"] and row["source"] != row["page"]]
    links = dict.fromkeys((*at[row["source"]], *at[row["page"]], row["kind"]) for row in copies if row["source"] in at)
    others = {row["site"] for row in reports} - number.keys()
    return {
        "lanes": lanes,
        "rest": {"sites": len(others), "count": sum(1 for row in reports if row["site"] in others)},
        "points": [
            {"x": x, "lane": lane, "kind": kind} | {name: row[name] for name in ("page", "at", "site")}
            for (x, lane, kind), row in reversed(points.items())
        ],
        "links": [{"from": link[:2], "to": link[2:4], "kind": link[4]} for link in links if link[:2] != link[2:4]],
        "unlinked": sum(1 for row in copies if row["source"] not in at),
    }


def _lanes(reports: Sequence[Row]) -> list[dict[str, Any]]:
    """Sites in the order of their first reports."""
    site_of = {row["page"]: row["site"] or "" for row in reports}
    counts = Counter(site_of.values())
    copied = Counter(site_of[row["source"]] for row in reports if row["source"] in site_of)
    sites = list(counts)
    chosen = set(sorted(sites, key=lambda site: -copied[site])[:_LANES])
    return [{"site": site, "count": counts[site], "copied": copied[site]} for site in sites if site in chosen]


def _later(begin: str, seconds: float) -> str:
    """A stored instant; the beginning itself where it is none, or time ends."""
    try:
        return (datetime.fromisoformat(begin) + timedelta(seconds=seconds)).isoformat()
    except (ValueError, OverflowError):
        return begin


def _seconds(begin: str, at: str) -> float:
    try:
        return max(0.0, (datetime.fromisoformat(at) - datetime.fromisoformat(begin)).total_seconds())
    except (TypeError, ValueError):
        return 0.0


def curve(store: Store, key: str, zone: ZoneInfo) -> dict[str, Any]:
    """Pages by hour, day or week of the reader; `is_cut` if there are more than were counted."""
    rows = store.select(MEMBERS, [Condition("event", "=", key)], MEMBER_ORDER, _MAX_TIMES, ("at",))
    counted = Counter(_five_minutes(row["at"]) for row in rows if row["at"])
    times = {datetime.fromisoformat(at).astimezone(zone): count for at, count in counted.items()}
    if not times:
        return {"unit": "day", "bars": [], "is_cut": False}
    first, last = min(times), max(times)
    hours = (last - first) / timedelta(hours=1)
    unit = "hour" if hours <= _MAX_HOURS else "day" if hours <= _MAX_DAYS * 24 else "week"
    counts: dict[datetime, int] = dict.fromkeys(_places(_floor(first, unit), _floor(last, unit), unit), 0)
    for time, count in times.items():
        place = _floor(time, unit)
        counts[place] = counts.get(place, 0) + count
    bars = [{"at": at.isoformat(timespec="minutes"), "count": count} for at, count in sorted(counts.items())]
    return {"unit": unit, "bars": bars, "is_cut": counted.total() == _MAX_TIMES}


def _five_minutes(at: str) -> str:
    """The beginning of the five minutes of an instant in UTC: no zone parts them."""
    return f"{at[:15]}{'0' if at[15] < '5' else '5'}:00+00:00" if len(at) == 25 and at.endswith("+00:00") else at


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
