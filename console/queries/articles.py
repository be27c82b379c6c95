"""Pages with content, the newest first, filtered while they are read."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from console.frame.paging import Cursor, Part, in_order, part
from console.frame.params import ParamError
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS

SORTS = {"new": "fetched_at", "published": "published_at", "best": "fetched_at"}
"""What rows are ordered by; "best" is for searches, elsewhere it is "new"."""
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
)
_MAX_ROWS = 3_000
_MAX_MEMBERS = 40
_FIELD = re.compile(r'\b(?:title|author|host|topic|kind):|"')
_MAX_COUNTED = 1_000


def article_order(params: Mapping[str, Any]) -> list[Order]:
    return [Order(SORTS[params.get("sort", "new")], True), Order("key", True)]


def conditions(params: Mapping[str, Any], zone: ZoneInfo) -> list[Condition]:
    """What an index can find: the host, and the span of time."""
    column = SORTS[params.get("sort", "new")]
    found = [Condition("host", "=", params["host"])] if "host" in params else []
    if "from" in params:
        found.append(Condition(column, ">=", midnight(params["from"], zone)))
    if "to" in params:
        found.append(Condition(column, "<", midnight(params["to"], zone, 1)))
    if column == "published_at" and "from" not in params:
        found.append(Condition(column, ">", ""))  # pages without a date have no place in this order
    return found


def midnight(day: str, zone: ZoneInfo, later: int = 0) -> str:
    """The instant at which this day begins for the reader, or a later one, as stores write it."""
    try:
        begin = datetime.combine(date.fromisoformat(day) + timedelta(days=later), datetime.min.time(), zone)
        return begin.astimezone(ZoneInfo("UTC")).isoformat(timespec="seconds")
    except OverflowError:
        return day


def keeps(params: Mapping[str, Any], store: Store) -> Callable[[MutableRow], bool]:
    """The filters that no index answers; copies are left out unless they are asked for."""
    words = _FIELD.sub("", params.get("q", "")).casefold().split()

    def keep(row: MutableRow) -> bool:
        if params.get("kind", row["kind"]) != row["kind"] or params.get("topic", row["topic"]) != row["topic"]:
            return False
        if (row["relevance"] or 0.0) < params.get("relevance", 0.0):
            return False
        title = (row["title"] or "").casefold()
        if not all(word in title for word in words):
            return False
        row["story"] = store.get(PROPAGATION, row["key"])
        return bool(params.get("copies")) or not is_copy(row["story"])

    return keep


def one_an_event(store: Store, params: Mapping[str, Any], zone: ZoneInfo) -> Callable[[MutableRow], bool]:
    """The same filters, and of the pages of an event only the latest that they let through, unless copies are asked for."""
    keep, where = keeps(params, store), conditions(params, zone)
    standing: dict[str, str] = {}

    def stands(event: str) -> str:
        members = store.select(MEMBERS, [Condition("event", "=", event)], [Order("at", True)], _MAX_MEMBERS, ("page",))
        for member in members:
            row = next(
                store.select(PAGES, [Condition("key", "=", member["page"]), *where], limit=1, columns=COLUMNS), None
            )
            if row is not None and keep(row):
                return str(member["page"])
        return ""

    def keep_one(row: MutableRow) -> bool:
        if not keep(row):
            return False
        event = None if params.get("copies") else event_of(store, row["key"])
        if event is None:
            return True
        key = event["event"]
        if key not in standing:
            standing[key] = stands(key)
        return standing[key] in ("", row["key"])

    return keep_one


def event_of(store: Store, page: str) -> dict[str, Any] | None:
    """The event of a page, if it has several pages."""
    member = next(store.select(MEMBERS, [Condition("page", "=", page)], limit=1, columns=("event",)), None)
    if member is None:
        return None
    where = [Condition("event", "=", member["event"])]
    row = next(store.select(EVENTS, where, limit=1, columns=("event", "name", "pages", "site_count")), None)
    return row if row and (row["pages"] or 0) > 1 else None


def is_copy(story: Mapping[str, Any] | None) -> bool:
    """Whether the page repeats another one that is in the store."""
    return story is not None and story["verdict"] == "repost"


EVENT_ORDER = [Order("at", True), Order("page", True)]


def event_conditions(params: Mapping[str, Any], zone: ZoneInfo) -> list[Condition]:
    """Which members of an event: all, those of some days, or of one hour."""
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


def event_articles(store: Store, params: Mapping[str, Any], zone: ZoneInfo, after: Cursor = ()) -> Iterator[MutableRow]:
    """Pages of an event, the latest first, each with the place that its member has in the order."""
    members = in_order(store, MEMBERS, event_conditions(params, zone), EVENT_ORDER, after, ("at", "page"))
    for member in members:
        row = store.get(PAGES, member["page"])
        if row is not None:
            yield row | {"at": member["at"], "page": member["page"]}


def articles(store: Store, params: Mapping[str, Any], zone: ZoneInfo, after: Cursor = ()) -> Part:
    """The next page of the list, each row with `story` (its row of `propagation`) and `comments`."""
    if "event" in params:
        rows = event_articles(store, params, zone, after)
        found = part(rows, EVENT_ORDER, keeps({**params, "copies": True}, store), most=_MAX_ROWS)
        found.rows[:] = [{name: row[name] for name in (*COLUMNS, "story")} for row in found.rows]
        return _completed(store, found)
    rows = in_order(store, PAGES, conditions(params, zone), article_order(params), after, COLUMNS)
    found = part(rows, article_order(params), one_an_event(store, params, zone), most=_MAX_ROWS)
    return _completed(store, found)


def _completed(store: Store, found: Part) -> Part:
    for row in found.rows:
        row["event"] = event_of(store, row["key"])
        row["copies"] = (row.pop("story") or {}).get("reposts") or 0
        row["comments"] = counted(store, row["key"])
    return found


def all_articles(store: Store, params: Mapping[str, Any], zone: ZoneInfo) -> Iterator[MutableRow]:
    """Every row that the filters let through, for an export."""
    if "event" in params:
        keep = keeps({**params, "copies": True}, store)
        return (row for row in event_articles(store, params, zone) if keep(row))
    keep = one_an_event(store, params, zone)
    columns = [column.name for column in PAGES.columns]
    rows = in_order(store, PAGES, conditions(params, zone), article_order(params), (), columns)
    return (row for row in rows if keep(row))


def counted(store: Store, page: str) -> int:
    """How many records a page has, at most 1,000."""
    return sum(1 for _ in store.select(RECORDS, [Condition("page", "=", page)], limit=_MAX_COUNTED, columns=["page"]))
