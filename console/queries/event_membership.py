"""Batched lookups for many pages, as round trips cost more than rows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store, Table
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS

_BATCH_PAGES = 200
_MAX_COUNTED = 1_000
_MAX_READ_ROWS = 5_000
_SMALL_EVENT_PAGES = 40
_EVENT = ("event", "name", "pages", "site_count")


def with_keys(
    store: Store,
    table: Table,
    column: str,
    keys: Iterable[str],
    where: Sequence[Condition] = (),
    columns: Sequence[str] = (),
) -> Iterator[MutableRow]:
    """Rows whose column has one of these values, unordered."""
    left = iter(dict.fromkeys(keys))
    while group := list(islice(left, _BATCH_PAGES)):
        yield from store.select(table, [Condition(column, "in", group), *where], columns=columns)


def stories_of(store: Store, pages: Iterable[str]) -> dict[str, MutableRow]:
    """By page, as far as titles were compared: `verdict`, and `reposts`, how many copies it has."""
    columns = ("page", "verdict", "reposts")
    return {row["page"]: row for row in with_keys(store, PROPAGATION, "page", pages, columns=columns)}


def events_of(store: Store, pages: Iterable[str]) -> dict[str, MutableRow]:
    """By page, its event if that has several pages."""
    members = {row["page"]: row["event"] for row in with_keys(store, MEMBERS, "page", pages, columns=("page", "event"))}
    events = {row["event"]: row for row in with_keys(store, EVENTS, "event", members.values(), columns=_EVENT)}
    found = ((page, events.get(event)) for page, event in members.items())
    return {page: row for page, row in found if row is not None and (row["pages"] or 0) > 1}


def with_published(store: Store, rows: Sequence[MutableRow]) -> None:
    """Give rows with a `page` the time of publication as far as it is known, beside the instant by which they are sorted."""
    pages = (row["page"] for row in rows)
    known = {row["key"]: row for row in with_keys(store, PAGES, "key", pages, columns=("key", "published"))}
    for row in rows:
        row["published"] = (known.get(row["page"]) or {}).get("published") or ""


def counts_of(store: Store, pages: Sequence[str]) -> Mapping[str, int]:
    """How many records each page has, at most 1,000."""
    where, last = [Condition("page", "in", list(pages))], ""
    found: Counter[str] = Counter()
    for row in store.select(RECORDS, where, [Order("page")], _MAX_READ_ROWS, ("page",)):
        last = row["page"]
        found[last] += 1
    if found.total() == _MAX_READ_ROWS:  # the last page read and later ones are incomplete
        found.update({page: counted(store, page) - found[page] for page in pages if page >= last})
    return {page: min(count, _MAX_COUNTED) for page, count in found.items()}


def counted(store: Store, page: str) -> int:
    """How many records a page has, at most 1,000."""
    return store.count(RECORDS, [Condition("page", "=", page)], _MAX_COUNTED)


def latest_members(store: Store, events: Iterable[Row]) -> dict[str, list[str]]:
    """The pages of each event, latest first, at most 40."""
    small, found = list[str](), dict[str, list[str]]()
    for event in events:
        if event["pages"] <= _SMALL_EVENT_PAGES:
            small.append(event["event"])
        else:
            found[event["event"]] = [row["page"] for row in _latest(store, event["event"])]
    members = with_keys(store, MEMBERS, "event", small, columns=("event", "at", "page"))
    for row in sorted(members, key=lambda row: (row["at"] or "", row["page"]), reverse=True):
        found.setdefault(row["event"], []).append(row["page"])
    return {event: pages[:_SMALL_EVENT_PAGES] for event, pages in found.items()}


def _latest(store: Store, event: str) -> Iterator[MutableRow]:
    latest = [Order("at", True), Order("page", True)]
    return store.select(MEMBERS, [Condition("event", "=", event)], latest, _SMALL_EVENT_PAGES, ("page",))
