"""The last 24 hours: what is reported on how many sites, against the 24 hours before; how the collection fares; alerts not yet seen."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from analysis.alerts.state import unseen
from analysis.alerts.wording import Language, worded
from analysis.counts import read_series
from analysis.search import count_pages
from console.frame.paging import Cursor
from console.queries.event_membership import with_keys
from console.queries.runs import count_running, troubled
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE, EVENTS, MEMBERS
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import PAGES, RUNS

SORTS = ("sites", "growth", "pages", "comments", "first")
STATES = ("new", "going", "fading")
HOURS = 48
_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MAX_EVENTS = 2_000
_MAX_SINGLE = 200
_ROWS_SHOWN = 25
_MAX_SMALL_EVENT_PAGES = 100
_MAX_MEMBERS = 600
MAX_COUNTED = 1_000
_EXAMPLE = "tax"
"""The topic that comes with topicrawl."""
_ALERTS_SHOWN = 3
_COLUMNS = (
    "event",
    "name",
    "topic",
    "first_at",
    "first_published",
    "last_at",
    "place",
    "first_site",
    "sites",
    "pages",
    "comments",
    "site_count",
)


def happenings(store: Store, until: datetime, topic: str = "") -> tuple[list[MutableRow], bool, int]:
    """Events with a report in the 24 hours before `until`, each with its sites until then, its growth and its state; whether there
    were too many to read; and the least number of sites. Those of one site are left out unless there is no other."""
    since = utc_text(until - _DAY)
    where = [
        Condition("last_at", ">=", since),
        Condition("first_at", "<", utc_text(until)),
        Condition("state", "!=", "dropped"),
    ]
    where += [Condition("topic", "=", topic)] if topic else []
    newest = [Order("last_at", True)]
    rows = list(store.select(EVENTS, [*where, Condition("site_count", ">=", 2)], newest, _MAX_EVENTS, _COLUMNS))
    is_cut, least = len(rows) == _MAX_EVENTS, 2
    if not rows:
        rows, least = list(store.select(EVENTS, where, newest, _MAX_SINGLE, _COLUMNS)), 1
        is_cut = len(rows) == _MAX_SINGLE
    return [_judged(row, until) for row in rows], is_cut, least


def _judged(row: MutableRow, until: datetime) -> MutableRow:
    """With `sites` (how many until then), `joined` in the last day, and `growth`: how many more joined than in the day before."""
    end, since, before = (utc_text(until - days * _DAY) for days in range(3))
    times = [str(each.get("at", "")) for each in row["sites"] or () if isinstance(each, dict)]
    joined = sum(since <= at < end for at in times)
    row["sites"] = sum(at < end for at in times) or row["site_count"] or 0
    row["joined"] = joined
    row["growth"] = joined - sum(before <= at < since for at in times)
    is_new = (row["first_at"] or "") >= since
    row["state"] = "new" if is_new else "fading" if row["growth"] < 0 else "going"
    return row


def shown(
    rows: Iterable[MutableRow], sort: str, state: str | None, after: Cursor = ()
) -> tuple[list[MutableRow], Cursor]:
    """The next ones in this state, the largest first; what fades is behind the others. And the place of the last if there are more."""
    kept = [(_place(row, sort), row) for row in rows if state in (None, row["state"])]
    left = sorted((pair for pair in kept if not after or pair[0] > after), key=lambda pair: pair[0])
    found = left[:_ROWS_SHOWN]
    return [row for _, row in found], found[-1][0] if len(left) > len(found) else ()


def _place(row: Mapping[str, Any], sort: str) -> tuple[int, float, str]:
    if sort == "first":
        return 0, -_instant(row["first_at"]), row["event"]
    fades = int(sort == "sites" and row["state"] == "fading")
    return fades, -float(row[sort] or 0), row["event"]


def _instant(text: str | None) -> float:
    try:
        return datetime.fromisoformat(text or "").timestamp()
    except ValueError:
        return 0.0


def hours(store: Store, events: Sequence[Row], until: datetime) -> dict[str, list[int]]:
    """By event, how many reports there were in each of the last 48 hours."""
    begin = until - HOURS * _HOUR
    small = [event["event"] for event in events if (event["pages"] or 0) <= _MAX_SMALL_EVENT_PAGES]
    found = {event: [0] * HOURS for event in small}
    where = [Condition("at", ">=", utc_text(begin)), Condition("at", "<", utc_text(until))]
    for row in with_keys(store, MEMBERS, "event", small, where, ("event", "at")):
        _count(found[row["event"]], row, begin)
    return found | {
        event["event"]: _of_large(store, event["event"], begin) for event in events if event["event"] not in found
    }


def _of_large(store: Store, event: str, begin: datetime) -> list[int]:
    where = [Condition("at", ">=", utc_text(begin)), Condition("at", "<", utc_text(begin + HOURS * _HOUR))]
    rows = list(store.select(MEMBERS, [Condition("event", "=", event), *where], limit=_MAX_MEMBERS, columns=["at"]))
    if len(rows) == _MAX_MEMBERS:
        return [_between(store, event, begin + hour * _HOUR) for hour in range(HOURS)]
    counts = [0] * HOURS
    for row in rows:
        _count(counts, row, begin)
    return counts


def _count(counts: list[int], row: Row, begin: datetime) -> None:
    place = int((_instant(row["at"]) - begin.timestamp()) // 3_600)
    counts[min(max(place, 0), HOURS - 1)] += 1


def _between(store: Store, event: str, begin: datetime) -> int:
    span = [Condition("at", ">=", utc_text(begin)), Condition("at", "<", utc_text(begin + _HOUR))]
    return store.count(MEMBERS, [Condition("event", "=", event), *span])


def collection(store: Store, now: datetime, until: datetime) -> dict[str, Any]:
    """Health of the collection: runs, the analysis backlog, and pages and posts of the day before `until`."""
    oldest = next(store.select(ANALYSIS_QUEUE, (), [Order("queued_at")], 1, ["queued_at"]), None)
    return {
        "pages": count_pages(store, until - _DAY, until),
        "posts": _posts(store, until),
        "failed": troubled(store, now, MAX_COUNTED),
        "running": count_running(store, now),
        "waiting": store.count(ANALYSIS_QUEUE, limit=MAX_COUNTED),
        "oldest": oldest["queued_at"] if oldest else "",
        "is_late": oldest is not None and str(oldest["queued_at"]) < utc_text(now - _HOUR),
    }


def _posts(store: Store, until: datetime) -> int:
    """Of the whole hours in the last day."""
    begin = until - _DAY
    part = int(begin.timestamp()) % 3_600 > 0
    return int(read_series(store, begin, until, measure="posts").counts[part:].sum())


def alerts(store: Store, language: Language) -> tuple[int, list[MutableRow]]:
    """The number of unseen alerts (at most 100) and the newest three in the user's language."""
    columns = ("key", "rule", "kind", "topic", "subject", "title", "text", "link", "first_at", "state", "facts")
    new = [Condition("acknowledged_at", "=", "")]
    rows = list(store.select(ALERTS, new, [Order("key", True)], _ALERTS_SHOWN, columns))
    for row in rows:
        row["title"], row["text"] = worded(row, language)
        del row["facts"]
    return unseen(store), rows


def first_steps(store: Store, topics: Collection[str]) -> dict[str, bool]:
    """Which of the first four steps are done: a topic of one's own, a site, a crawl, pages that can be searched."""
    pages = next(store.select(PAGES, limit=1, columns=["key"]), None) is not None
    run = next(store.select(RUNS, limit=1, columns=["key"]), None) is not None
    return {"topic": bool(set(topics) - {_EXAMPLE}), "site": run or pages, "crawl": run or pages, "search": False}


def has_events(store: Store) -> bool:
    return next(store.select(EVENTS, limit=1, columns=["event"]), None) is not None


def came(store: Store, now: datetime) -> list[MutableRow]:
    """The pages that were collected last, of the last day."""
    columns = ("key", "title", "url", "host", "kind", "topic", "fetched_at")
    since = [Condition("fetched_at", ">=", utc_text(now - _DAY))]
    return list(store.select(PAGES, since, [Order("fetched_at", True)], _ROWS_SHOWN, columns))


def news(store: Store, now: datetime) -> dict[str, Any]:
    """Values whose change makes the page stale: the newest report, alerts, failed runs."""
    newest = next(store.select(EVENTS, (), [Order("last_at", True)], 1, ["event", "last_at", "pages"]), None)
    return {"newest": newest or {}, "unseen": unseen(store), "failed": troubled(store, now, MAX_COUNTED)}
