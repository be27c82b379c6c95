"""New events that several sites report within some hours."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from analysis.alerts.alert_rules import EventRule
from analysis.alerts.occurrences import Look, Occurrence, Standing, over
from analysis.events.store import JOB
from analysis.events.store.spread_thresholds import MAX_SITES, are_kept, met
from crawler.config import with_values
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Condition, Order, Row, Store, Table
from pipelines.stores.instant_columns import utc_text

_GROWING_HOURS = 24
_FACTS = ("event", "topic", "place", "pages", "site_count", "first_site", "comments")
_COLUMNS = (*_FACTS, "name", "first_at", "last_at", "first_page")
_MAX_MEASURED = 1_000
_BATCH_KEYS = 200
"""Keys that one query asks for; some servers are slow with more keys."""


def event_look(store: Store, rule: EventRule, since: datetime, until: datetime) -> Look:
    """Events that met the rule in the span, each once, with the hours in which they first met it; and the most sites that report one
    event in the rule's hours before `until`."""
    found = described(store, event_times(store, rule, since, until), until)
    return Look(list(found), Standing.of(_most_sites(store, rule, until), rule.sites))


def _most_sites(store: Store, rule: EventRule, until: datetime) -> int:
    begin, end = utc_text(until - timedelta(hours=rule.hours)), utc_text(until)
    where = [Condition("last_at", ">=", begin), Condition("first_at", "<=", end), Condition("state", "=", "open")]
    where += [Condition("topic", "=", rule.topic)] if rule.topic else []
    most = 0
    for row in store.select(
        EVENTS, where, [Order("site_count", descending=True)], _MAX_MEASURED, ("site_count", "sites")
    ):
        if row["site_count"] <= most:
            break
        most = max(most, sum(begin <= (each["at"] or "") <= end for each in row["sites"] or ()))
    return most


def event_times(store: Store, rule: EventRule, since: datetime, until: datetime) -> list[tuple[str, datetime]]:
    """The events of `event_occurrences` with the times at which they met the rule, oldest first."""
    if 2 <= rule.sites <= MAX_SITES and are_kept(store, JOB):
        found = met(store, rule.topic, rule.sites, rule.hours * 3_600, utc_text(since), utc_text(until))
        return [(event, datetime.fromisoformat(at)) for event, at in found]
    return sorted(_read_times(store, rule, since, until), key=lambda each: each[1])


def _read_times(store: Store, rule: EventRule, since: datetime, until: datetime) -> Iterator[tuple[str, datetime]]:
    where = [
        Condition("last_at", ">=", utc_text(since)),
        Condition("first_at", "<=", utc_text(until)),
        Condition("site_count", ">=", rule.sites),
        Condition("state", "=", "open"),
    ]
    where += [Condition("topic", "=", rule.topic)] if rule.topic else []
    for row in store.select(EVENTS, where, columns=("event", "sites")):
        if (at := _met(rule, row)) is not None and since <= at <= until:
            yield row["event"], at


def described(store: Store, times: Sequence[tuple[str, datetime]], until: datetime) -> Iterator[Occurrence]:
    """Events with the times at which they met a rule, as occurrences."""
    noticed = dict(times)
    rows = list(_rows(store, EVENTS, "event", list(noticed), _COLUMNS))
    first_pages = [row["first_page"] or row["event"] for row in rows]
    links = {row["page"]: row["url"] or "" for row in _rows(store, MEMBERS, "page", first_pages, ("page", "url"))}
    for row, first_page in zip(rows, first_pages, strict=True):
        yield _occurrence(row, noticed[row["event"]], until, links.get(first_page, ""))


def _met(rule: EventRule, row: Row) -> datetime | None:
    """When the rule was first met."""
    times = sorted(entry["at"] for entry in row["sites"] or () if entry["at"])
    width = timedelta(hours=rule.hours)
    for first, last in zip(times, times[rule.sites - 1 :], strict=False):
        if (noticed := datetime.fromisoformat(last)) - datetime.fromisoformat(first) <= width:
            return noticed
    return None


def _rows(store: Store, table: Table, column: str, keys: Sequence[str], columns: Sequence[str]) -> Iterator[Row]:
    for start in range(0, len(keys), _BATCH_KEYS):
        where = [Condition(column, "in", list(keys[start : start + _BATCH_KEYS]))]
        yield from store.select(table, where, columns=columns)


def _occurrence(row: Row, noticed: datetime, now: datetime, link: str) -> Occurrence:
    begin, last = (datetime.fromisoformat(row[name]) for name in ("first_at", "last_at"))
    where = f" ({row['place']})" if row["place"] else ""
    count = with_values("{site_count} {site_count|site|sites} and {pages} {pages|page reports|pages report} it", row)
    text = f"{count}{where}; first {row['first_site']}"
    facts = {name: row[name] for name in _FACTS}
    end = over(last, now, _GROWING_HOURS)
    return Occurrence(row["event"], begin, noticed, end, float(row["site_count"]), row["name"] or "", text, link, facts)


def same_event(store: Store, one: str, other: str) -> bool:
    """Whether two keys of events mean the same event now: late pages and decisions change keys."""
    return one == other or (store.get(MEMBERS, one) or {}).get("event") == other
