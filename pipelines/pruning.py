"""Retention: rows older than a moment go, and with a page all that belongs to it, batch by batch while crawls go on.

What depends on a page goes before the page itself, so that a run that was stopped or killed is completed by the next one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from extractors.links.urls import url_key
from pipelines.propagation import order_story
from pipelines.removed_rows import RemovedRows, months
from pipelines.stores.analysis_tables import COUNTED_PAGES, MEMBERS, READINGS, SEARCH_DOCUMENTS
from pipelines.stores.base import Condition, MutableRow, Order, Store, StoreError, Table
from pipelines.stores.filters import before, time_column
from pipelines.stores.tables import LINKS, PAGES, PROPAGATION, RECORDS, SOURCES, TABLES, URLS, VERSIONS
from pipelines.waiting import waiting_rows

_BATCH_ROWS = 500
_TIMES = {
    "pages": "fetched_at",
    "records": "fetched_at",
    "sources": "fetched_at",
    "versions": "replaced_at",
    "urls": "fetched_at",
    "runs": "started",
    "queries": "asked_at",
    "results": "found_at",
}
"""The tables that can be pruned, and the time that their age is about."""
PRUNABLE = tuple(_TIMES)
_OWNED = ((SOURCES, "key"), (RECORDS, "page"), (VERSIONS, "page"), (PROPAGATION, "page"))
_ANALYSED = (SEARCH_DOCUMENTS, READINGS, MEMBERS, COUNTED_PAGES)
Report = Callable[[Counter[str]], None]
"""Called after each batch with how many rows of each table have gone so far."""


@dataclass(frozen=True, slots=True)
class PruneTarget:
    """What is to go.

    Attributes:
        where: the rows of the table; the first condition is about their age.
        guard: rows of a page that were collected from this moment on stay, since a crawl has just written them.
        is_whole: nothing but the age decides.
    """

    table: Table
    where: tuple[Condition, ...]
    guard: str
    is_whole: bool


def aim_of(name: str, age: str, by: str, where: Iterable[Condition], now: datetime) -> PruneTarget:
    """Rows of this table from before a date, a time or an age such as 90d; StoreError if there is no such table or time."""
    if name not in _TIMES:
        raise StoreError(f"{name!r} cannot be pruned; choose from {', '.join(PRUNABLE)}")
    table, others = TABLES[name], tuple(where)
    column = time_column(table, by or _TIMES[name])
    moment = before(column, age, now)
    guard = moment.value if column == "fetched_at" else before(column, "0m", now).value
    return PruneTarget(table, (moment, *others), guard, not others)


def prune(
    store: Store,
    aim: PruneTarget,
    report: Report = lambda _: None,
    *,
    dry: bool = False,
    archive: RemovedRows | None = None,
) -> Counter[str]:
    """Remove what the aim says, or only count it if `dry`; returns how many rows of each table.

    archive: gets the rows, which are removed only when they are durable there.
    """
    run = _PruneRun(store, aim, Counter(), dry)
    for step, batch in _work(store, aim):
        if archive is None or dry:
            _STEPS[step](run, batch)
        else:
            _remove_exported(run, archive, step, batch)
        report(run.counts)
    return run.counts


def _work(store: Store, aim: PruneTarget) -> Iterator[tuple[str, list[MutableRow]]]:
    """Batches of rows, and the step that removes each."""
    name = aim.table.name if aim.table.name in _STEPS else "rows"
    yield from ((name, batch) for batch in batches(store, aim))
    if aim.table is PAGES and aim.is_whole and aim.where[0].column == "fetched_at":
        for state in _states_without_content(store):
            addresses = PruneTarget(URLS, (*aim.where, Condition("state", "=", state)), aim.guard, False)
            yield from (("without_content", batch) for batch in batches(store, addresses))


def _remove_exported(run: "_PruneRun", archive: RemovedRows, step: str, batch: Sequence[MutableRow]) -> None:
    """Each month of the batch: a dry run of the step exports the rows, then the step removes them."""
    for month, rows in months(batch, run.aim.where[0].column):
        archive.begin(month)
        _STEPS[step](_PruneRun(run.store, run.aim, Counter(), True, archive), rows)
        where = [(each.column, each.operator, each.value) for each in run.aim.where]
        archive.commit(
            {"step": step, "table": run.aim.table.name, "where": where, "guard": run.aim.guard, "rows": rows}
        )
        _STEPS[step](run, rows)
        archive.done()


def complete(store: Store, archive: RemovedRows) -> None:
    """Remove what a killed run had exported and not removed yet."""
    if batch := archive.unfinished():
        where = tuple(Condition(column, operator, value) for column, operator, value in batch["where"])
        aim = PruneTarget(TABLES[batch["table"]], where, batch["guard"], False)
        _STEPS[batch["step"]](_PruneRun(store, aim, Counter(), False), batch["rows"])
        archive.done()


def _states_without_content(store: Store) -> Iterator[str]:
    """Of addresses, one after the other, so that an index finds each one's rows: most addresses are in the state left out."""
    last = ""
    while found := list(store.select(URLS, [Condition("state", ">", last)], [Order("state")], 1, ["state"])):
        last = found[0]["state"]
        if last != "fetched":
            yield last


@dataclass(frozen=True, slots=True)
class _PruneRun:
    """One run; `counts` grows. A dry run changes nothing; with an archive it exports what it would remove."""

    store: Store
    aim: PruneTarget
    counts: Counter[str]
    dry: bool
    archive: RemovedRows | None = None

    def remove(self, *parts: tuple[Table, Sequence[Condition]]) -> None:
        """Remove and count; when this returns, it is durable."""
        found = [(table, where, self.store.count(table, where)) for table, where in parts]
        self.counts.update({table.name: count for table, _, count in found if count})
        for table, where, count in found:
            if self.archive and count:
                self.archive.write(table, self.store.select(table, where))
        if not self.dry:
            for done in [self.store.remove(table, where) for table, where, count in found if count]:
                done.result()

    def known(self, table: Table, column: str, keys: Sequence[str], *where: Condition) -> set[str]:
        """Those of the keys that this column has."""
        return known(self.store, table, column, keys, *where)


def known(store: Store, table: Table, column: str, keys: Sequence[str], *where: Condition) -> set[str]:
    """Those of the keys that this column has, in rows that meet the conditions."""
    return {row[column] for row in store.select(table, [_one_of(column, keys), *where], columns=[column])}


def _one_of(column: str, keys: Iterable[str]) -> Condition:
    return Condition(column, "in", list(keys))


def _pages(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    """Pages with what belongs to them; a thread with newer records stays whole."""
    store, guard = run.store, Condition("fetched_at", "<", run.aim.guard)
    newer = run.known(RECORDS, "page", [row["key"] for row in batch], Condition("fetched_at", ">=", run.aim.guard))
    rows = [row for row in batch if row["key"] not in newer]
    keys = [row["key"] for row in rows]
    asked = list({*keys, *(url_key(row["canonical"] or row["url"] or "") for row in rows)})
    if not run.dry:
        _relink(store, keys)
        _let_analysis_forget(run, keys)
    run.remove(*((table, [_one_of(column, keys), guard]) for table, column in _OWNED))
    _links(run, asked)
    if not run.dry:
        # the next visit must get the whole page, not the answer that it is unchanged
        store.change(URLS, [_one_of("key", asked), guard], {"etag": "", "last_modified": ""}).result()
    run.remove((PAGES, [_one_of("key", keys), *run.aim.where]))
    if not run.dry:
        _visit_lost_ones(run, asked)
        _let_analysis_forget(run, keys)


def _links(run: _PruneRun, keys: Sequence[str]) -> None:
    """Links have no time of their own; that of the visit counts. Looked at just before, since a crawl may write meanwhile."""
    newer = run.known(URLS, "key", keys, Condition("fetched_at", ">=", run.aim.guard))
    run.remove((LINKS, [_one_of("page", [key for key in keys if key not in newer])]))


def _visit_lost_ones(run: _PruneRun, keys: Sequence[str]) -> None:
    """FerretDB looks for the rows that a removal means and removes them a moment later: a page that a crawl wrote in between
    is gone too. Its next visit gets it whole."""
    newer = run.known(
        URLS, "key", keys, Condition("fetched_at", ">=", run.aim.guard), Condition("state", "=", "fetched")
    )
    lost = newer - run.known(PAGES, "key", sorted(newer)) if newer else newer
    if lost:
        run.store.change(URLS, [_one_of("key", sorted(lost))], {"etag": "", "last_modified": ""}).result()


def _relink(store: Store, keys: Sequence[str]) -> None:
    """The rest of each story that loses pages gets its original, delays and counts again."""
    found = store.select(PROPAGATION, [_one_of("page", keys)], columns=["story"])
    stories, going = {row["story"] for row in found}, set(keys)
    members: dict[str, list[MutableRow]] = {}
    for row in store.select(PROPAGATION, [_one_of("story", sorted(filter(None, stories)))]):
        if row["page"] not in going:
            members.setdefault(row["story"], []).append(row)
    rows = [row for story in members.values() for row in order_story(story)]
    if rows:
        store.upsert(PROPAGATION, rows).result()


def _let_analysis_forget(run: _PruneRun, keys: Sequence[str]) -> None:
    """Pages that the analysis knows are queued: it finds them gone, and removes what it made of them. Called before and after
    a removal: it may look in between, and a kill may come in between."""
    known = set[str]().union(*(run.known(table, "page", keys) for table in _ANALYSED))
    if known:
        run.store.write(waiting_rows(sorted(known))).result()


def _records(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    pages = sorted({row["page"] for row in batch})
    run.remove((RECORDS, [_one_of("page", pages), *run.aim.where]))
    if not run.dry:
        _let_analysis_forget(run, pages)


def _urls(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    keys = [row["key"] for row in batch]
    old = sorted(run.known(URLS, "key", keys, *run.aim.where))  # a crawl may have visited them since
    run.remove((LINKS, [_one_of("page", old)]))
    run.remove((URLS, [_one_of("key", old), *run.aim.where]))


def _rows(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    first = run.aim.table.key[0]
    run.remove((run.aim.table, [_one_of(first, sorted({row[first] for row in batch})), *run.aim.where]))


def _without_content(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    keys = without_page(run.store, batch)
    run.remove((SOURCES, [_one_of("key", keys), Condition("fetched_at", "<", run.aim.guard)]))
    _links(run, keys)


def without_page(store: Store, batch: Sequence[MutableRow]) -> list[str]:
    """Of rows of the URL table: parts of pages that have gone, and what was never stored as a page."""
    firsts = {row["key"]: url_key(row["reason"] or "") for row in batch if row["state"] == "part"}
    left = known(store, PAGES, "key", sorted(set(firsts.values()))) if firsts else set()
    keys = [row["key"] for row in batch if firsts.get(row["key"]) not in left]
    stored = known(store, PAGES, "key", keys)
    return [key for key in keys if key not in stored]


_STEPS = {"pages": _pages, "records": _records, "urls": _urls, "rows": _rows, "without_content": _without_content}
"""What removes a batch, by name."""
_COLUMNS = {"pages": ("key", "url", "canonical"), "urls": ("key", "reason", "state", "fetched_at")}


def batches(store: Store, aim: PruneTarget) -> Iterator[list[MutableRow]]:
    """All rows once, whether they go meanwhile or not: by time where that has an index, else by key."""
    table, time = aim.table, aim.where[0].column
    columns = _COLUMNS.get(table.name, (table.key[0],))
    by_time = table.key == (table.key[0],) and any(index[0] == time for index in table.indexes)
    return _by_time(store, aim, (*table.key, *columns, time)) if by_time else _by_key(store, aim, (*columns, time))


def _by_key(store: Store, aim: PruneTarget, columns: Sequence[str]) -> Iterator[list[MutableRow]]:
    """In the order of the first column of the key; rows with the value of a batch's last row may be left out, since whoever
    removes by that column removes them too."""
    key = aim.table.key[0]
    last: list[Condition] = []
    while rows := list(
        store.select(aim.table, [*aim.where, *last], [Order(key)], _BATCH_ROWS, list(dict.fromkeys(columns)))
    ):
        yield rows
        last = [Condition(key, ">", rows[-1][key])]


def _by_time(store: Store, aim: PruneTarget, columns: Sequence[str]) -> Iterator[list[MutableRow]]:
    time, limit = aim.where[0].column, _BATCH_ROWS
    last: list[Condition] = []
    done = set[tuple[object, ...]]()
    while True:
        rows = list(store.select(aim.table, [*aim.where, *last], [Order(time)], limit, list(dict.fromkeys(columns))))
        fresh = [row for row in rows if _key(aim.table, row) not in done]
        if fresh:
            yield fresh
            last = [Condition(time, ">=", rows[-1][time])]
            done = {_key(aim.table, row) for row in rows if row[time] == rows[-1][time]}
        elif len(rows) < limit:
            return
        else:
            limit *= 2  # that many rows of one moment are left where they are


def _key(table: Table, row: MutableRow) -> tuple[object, ...]:
    return tuple(row[name] for name in table.key)
