"""Events: the list, and one event with reports, curve and decisions."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from analysis.events.store import JOB
from analysis.events.store.output import state
from console.frame.paging import Cursor, Part, in_order, part
from console.queries.articles import midnight
from console.queries.event_membership import with_published
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, EVENT_DECISIONS, EVENTS, MEMBERS
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store

SORTS = {"last": "last_at", "first": "first_at", "sites": "site_count", "growth": "pages_24h"}
"""The orders of rows; "growth" is that of events with a report in the last day."""
COLUMNS = (
    *(
        "event",
        "name",
        "state",
        "topic",
        "first_at",
        "first_published",
        "last_at",
        "last_published",
        "begin",
        "end",
        "place",
        "people",
        "pages",
    ),
    *("site_count", "comments", "reposts", "pages_24h", "first_site", "story"),
)
MEMBER_COLUMNS = ("page", "event", "at", "site", "title", "url", "likeness", "comments", "repost")
MEMBER_ORDER = [Order("at"), Order("page")]
_TIMES = ("last_at", "first_at")
MIN_PAGES = 2
"""An event of one page is shown only if it is asked for."""
_MAX_ROWS = 3_000
_MEMBERS_SHOWN = 20
_MAX_OTHERS = 12
_MAX_DECISIONS = 2_000


def event_order(params: Mapping[str, Any]) -> list[Order]:
    return [Order(SORTS[params.get("sort", "last")], True), Order("event", True)]


def events(store: Store, params: Mapping[str, Any], zone: ZoneInfo, now: datetime, after: Cursor = ()) -> Part:
    """The next events of the list, each with its state now."""
    found = part(_rows(store, params, zone, now, after), event_order(params), _keeps(params, zone, now), most=_MAX_ROWS)
    for row in found.rows:
        row["state"] = state(row, now)
    return found


def all_events(store: Store, params: Mapping[str, Any], zone: ZoneInfo, now: datetime) -> Iterator[MutableRow]:
    """Every event that passes the filters, for an export."""
    keep = _keeps(params, zone, now)
    return (row | {"state": state(row, now)} for row in _rows(store, params, zone, now) if keep(row))


def _rows(
    store: Store, params: Mapping[str, Any], zone: ZoneInfo, now: datetime, after: Cursor = ()
) -> Iterator[MutableRow]:
    """Sort order and indexed conditions of the filters."""
    order = event_order(params)
    where = []
    if "topic" in params and params.get("sort", "last") in ("last", "growth"):
        where.append(Condition("topic", "=", params["topic"]))
    if order[0].column in _TIMES:
        where += _span(params, zone, order[0].column)
    if params.get("sort") == "growth":
        where.append(
            Condition("last_at", ">=", (now.astimezone(UTC) - timedelta(days=1)).isoformat(timespec="seconds"))
        )
    return in_order(store, EVENTS, where, order, after, COLUMNS)


def _span(params: Mapping[str, Any], zone: ZoneInfo, column: str) -> list[Condition]:
    found = [Condition(column, ">=", midnight(params["from"], zone))] if "from" in params else []
    return found + ([Condition(column, "<", midnight(params["to"], zone, 1))] if "to" in params else [])


def _keeps(params: Mapping[str, Any], zone: ZoneInfo, now: datetime) -> Callable[[MutableRow], bool]:
    words = params.get("q", "").casefold().split()
    least, place = params.get("pages", MIN_PAGES), params.get("place", "")
    wanted = params.get("state", "")
    begin = midnight(params["from"], zone) if "from" in params else ""
    end = midnight(params["to"], zone, 1) if "to" in params else "~"
    of_time = SORTS[params.get("sort", "last")] if SORTS[params.get("sort", "last")] in _TIMES else "last_at"

    def keep(row: MutableRow) -> bool:
        is_now = state(row, now)
        if (is_now != wanted) if wanted else is_now == "dropped":
            return False
        if params.get("topic", row["topic"]) != row["topic"]:
            return False
        if not begin <= (row[of_time] or "") < end:
            return False
        name = (row["name"] or "").casefold()
        return (row["pages"] or 0) >= least and place in (row["place"] or "") and all(word in name for word in words)

    return keep


def event(store: Store, key: str) -> MutableRow | None:
    """The event with this key, or the one that has the page with this key: merged events are still found."""
    row = store.get(EVENTS, key)
    if row is None and (member := store.get(MEMBERS, key)) is not None:
        row = store.get(EVENTS, member["event"])
    return row


def reports(store: Store, key: str, after: Cursor = ()) -> Part:
    """Pages of an event in the order of time."""
    rows = in_order(store, MEMBERS, [Condition("event", "=", key)], MEMBER_ORDER, after, MEMBER_COLUMNS)
    found = part(rows, MEMBER_ORDER, size=_MEMBERS_SHOWN)
    with_published(store, found.rows)
    return found


def others(store: Store, row: Row) -> list[MutableRow]:
    """Other events of its story, the latest first, at most twelve."""
    where = [Condition("story", "=", row["story"]), Condition("state", "!=", "dropped")]
    columns = ("event", "name", "first_at", "first_published", "pages")
    found = store.select(EVENTS, where, [Order("first_at", True)], _MAX_OTHERS + 1, columns)
    return [each for each in found if each["event"] != row["event"]][:_MAX_OTHERS]


def new_sites(row: Row) -> int:
    """How many sites reported first within the day before the last report."""
    try:
        begin = (datetime.fromisoformat(row["last_at"] or "") - timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return 0
    return sum(1 for each in row["sites"] or () if each["at"] > begin)


def decisions_on(store: Store, key: str) -> list[MutableRow]:
    """The decisions of people about an event, the latest first; `is_applied` if the analysis has carried it out."""
    job = store.get(ANALYSIS_JOBS, JOB)
    applied = set(((job or {}).get("state") or {}).get("decided") or ())
    rows = store.select(EVENT_DECISIONS, order=[Order("key", True)], limit=_MAX_DECISIONS)
    found = [row for row in rows if key in (row["event"], row["other"])]
    for row in found:
        row["is_applied"] = (row["key"] in applied) != bool(row["undone_at"])
    return found
