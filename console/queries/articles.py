"""Pages with content, newest first, filtered while reading."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from console.frame.paging import Cursor, Part, in_order, part
from console.frame.params import ParamError
from console.queries.event_membership import counts_of, events_of, with_keys
from console.queries.representative_hits import Judge
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store
from pipelines.stores.tables import PAGES

SORTS = {"new": "fetched_at", "published": "counted_at", "best": "fetched_at"}
"""The orders of rows; "best" is for searches, elsewhere it is "new"."""
COLUMNS = (
    "key",
    "url",
    "host",
    "kind",
    "title",
    "author",
    "published",
    "language",
    "topic",
    "relevance",
    "fetched_at",
    "published_at",
    "published_precision",
    "published_by",
    "counted_at",
)
_MAX_ROWS = 3_000
_GROUP = 60
_FIELD = re.compile(r'\b(?:title|author|host|topic|kind):|"')


def article_order(params: Mapping[str, Any]) -> list[Order]:
    return [Order(SORTS[params.get("sort", "new")], True), Order("key", True)]


def conditions(params: Mapping[str, Any], zone: ZoneInfo) -> list[Condition]:
    """The conditions that an index serves: the host, and the span of time."""
    column = SORTS[params.get("sort", "new")]
    host = params.get("host", "-")
    found = [] if host.startswith("-") else [Condition("host", "=", host)]
    if "from" in params:
        found.append(Condition(column, ">=", midnight(params["from"], zone)))
    if "to" in params:
        found.append(Condition(column, "<", midnight(params["to"], zone, 1)))
    return found


def midnight(day: str, zone: ZoneInfo, later: int = 0) -> str:
    """The instant at which this day begins for the reader, or a later one, as stores write it."""
    try:
        begin = datetime.combine(date.fromisoformat(day) + timedelta(days=later), datetime.min.time(), zone)
        return begin.astimezone(ZoneInfo("UTC")).isoformat(timespec="seconds")
    except OverflowError:
        return day


def fits(params: Mapping[str, Any]) -> Callable[[Row], bool]:
    """Filters on a single row; a value behind "-" is excluded."""
    words = _FIELD.sub("", params.get("q", "")).casefold().split()
    least = params.get("relevance", 0.0)
    wanted = [(name, params[name]) for name in ("kind", "topic", "language") if name in params]
    host = params.get("host", "").lower()

    def fit(row: Row) -> bool:
        if any(_differs(row[name] or "", value) for name, value in wanted):
            return False
        if host and _is_of(row["host"] or "", host.removeprefix("-")) == host.startswith("-"):
            return False
        title = (row["title"] or "").casefold()
        return (row["relevance"] or 0.0) >= least and all(word in title for word in words)

    return fit


def _is_of(host: str, domain: str) -> bool:
    return f".{host}".endswith(f".{domain}")


def _differs(value: str, wanted: str) -> bool:
    return value == wanted[1:] if wanted.startswith("-") else value != wanted


def event_of(store: Store, page: str) -> MutableRow | None:
    """The event of a page, if it has several pages."""
    return events_of(store, [page]).get(page)


EVENT_ORDER = [Order("at", True), Order("page", True)]


def event_conditions(params: Mapping[str, Any], zone: ZoneInfo) -> list[Condition]:
    """The time condition on an event's members: all, some days, or one hour."""
    found = [Condition("event", "=", params["event"])]
    if "from" in params:
        found.append(Condition("at", ">=", midnight(params["from"], zone)))
    if "to" in params:
        found.append(Condition("at", "<", midnight(params["to"], zone, 1)))
    if "at" in params:
        begin, end = hour(params["at"], zone)
        found += [Condition("at", ">=", begin), Condition("at", "<", end)]
    return found


def hour(text: str, zone: ZoneInfo) -> tuple[str, str]:
    """The instants between which an hour such as 2026-11-22T08 of the reader lies; ParamError for anything else."""
    try:
        begin = datetime.strptime(text, "%Y-%m-%dT%H").replace(tzinfo=zone).astimezone(UTC)
        return begin.isoformat(timespec="seconds"), (begin + timedelta(hours=1)).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        raise ParamError(f"at is an hour such as 2026-11-22T08, not {text[:60]!r}") from None


def event_articles(
    store: Store, params: Mapping[str, Any], zone: ZoneInfo, after: Cursor = (), columns: Sequence[str] = ()
) -> Iterator[MutableRow]:
    """Pages of an event, the latest first, each with the place that its member has in the order."""
    members = in_order(store, MEMBERS, event_conditions(params, zone), EVENT_ORDER, after, ("at", "page"))
    while group := list(islice(members, _GROUP)):
        rows = {
            row["key"]: row for row in with_keys(store, PAGES, "key", (each["page"] for each in group), (), columns)
        }
        yield from (rows[each["page"]] | each for each in group if each["page"] in rows)


def articles(store: Store, params: Mapping[str, Any], zone: ZoneInfo, after: Cursor = ()) -> Part:
    """The next page of the list, each row with its `event`, how many `copies` it has, and how many `comments`."""
    order = EVENT_ORDER if "event" in params else article_order(params)
    found = part(_judged(store, params, zone, after, COLUMNS), order, _is_kept, most=_MAX_ROWS)
    counts = counts_of(store, [row["key"] for row in found.rows])
    found.rows[:] = [
        {name: row[name] for name in (*COLUMNS, "event")}
        | {"copies": (row["story"] or {}).get("reposts") or 0, "comments": counts.get(row["key"], 0)}
        for row in found.rows
    ]
    return found


def all_articles(store: Store, params: Mapping[str, Any], zone: ZoneInfo) -> Iterator[MutableRow]:
    """Every row that passes the filters, for an export."""
    return filter(_is_kept, _judged(store, params, zone, (), [column.name for column in PAGES.columns]))


def _judged(
    store: Store, params: Mapping[str, Any], zone: ZoneInfo, after: Cursor, columns: Sequence[str]
) -> Iterator[MutableRow]:
    """Rows in their order, each with whether it `is_kept`; of an event that is asked for, all pages."""
    if "event" in params:
        rows = event_articles(store, params, zone, after, columns)
        return Judge(store, fits(params), (), has_copies=True).judged(rows)
    where = conditions(params, zone)
    rows = in_order(store, PAGES, where, article_order(params), after, columns)
    return Judge(store, fits(params), where, bool(params.get("copies"))).judged(rows)


def _is_kept(row: Row) -> bool:
    return bool(row["is_kept"])
