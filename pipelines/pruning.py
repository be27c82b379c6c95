"""Retention: removes rows older than a moment, and with a page all rows that belong to it, batch by batch while crawls run.

Rows that depend on a page are removed before the page, so that the next run completes a run that was stopped or killed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from extractors.links.urls import url_key
from pipelines.propagation import order_story
from pipelines.removed_rows import RemovedRows, months
from pipelines.stores.analysis_tables import ANALYSIS_JOBS
from pipelines.stores.base import Condition, MutableRow, Order, Store, StoreError, Table
from pipelines.stores.filters import before, has_time, time_column
from pipelines.stores.tables import LINKS, PAGES, PROPAGATION, RECORDS, SOURCES, TABLES, URLS
from pipelines.stores.watch_tables import VERSIONS
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
    "rankings": "last_at",
    "list_states": "read_at",
}
"""The tables that can be pruned, and the column of their age."""
PRUNABLE = tuple(_TIMES)
_OWNED = ((SOURCES, "key"), (RECORDS, "page"), (VERSIONS, "page"), (PROPAGATION, "page"))
_ANALYSIS = "analysis"
"""The job of the analysis."""
Report = Callable[[Counter[str]], None]
"""Called after each batch with the number of rows removed so far, by table."""


@dataclass(frozen=True, slots=True)
class PruneTarget:
    """Which rows to remove.

    Attributes:
        where: the rows of the table; the first condition is about their age.
        guard: rows of a page collected at or after this moment stay, since a crawl has just written them.
        is_whole: age is the only condition.
    """

    table: Table
    where: tuple[Condition, ...]
    guard: str
    is_whole: bool


def prune_target_of(name: str, age: str, by: str, where: Iterable[Condition], now: datetime) -> PruneTarget:
    """Rows of this table older than a date, a time or an age such as 90d; StoreError if there is no such table or time."""
    if name not in _TIMES:
        raise StoreError(f"{name!r} cannot be pruned; choose one of {', '.join(PRUNABLE)}")
    table, others = TABLES[name], tuple(where)
    column = time_column(table, by or _TIMES[name])
    moment = before(column, age, now)
    guard = moment.value if column == "fetched_at" else before(column, "0m", now).value
    return PruneTarget(table, (moment, has_time(column), *others), guard, not others)


def prune(
    store: Store,
    target: PruneTarget,
    report: Report = lambda _: None,
    *,
    dry: bool = False,
    archive: RemovedRows | None = None,
) -> Counter[str]:
    """Remove the target's rows, or only count them if `dry`; returns the number of rows by table.

    archive: receives the rows; they are removed only when they are durable there.
    """
    run = _PruneRun(store, target, Counter(), dry)
    for step, batch in _work(store, target):
        if archive is None or dry:
            _STEPS[step](run, batch)
        else:
            _remove_exported(run, archive, step, batch)
        report(run.counts)
    return run.counts


def _work(store: Store, target: PruneTarget) -> Iterator[tuple[str, list[MutableRow]]]:
    """Batches of rows, and the step that removes each."""
    name = target.table.name if target.table.name in _STEPS else "rows"
    yield from ((name, batch) for batch in batches(store, target))
    if target.table is PAGES and target.is_whole and target.where[0].column == "fetched_at":
        for state in _states_without_content(store):
            addresses = PruneTarget(URLS, (*target.where, Condition("state", "=", state)), target.guard, False)
            yield from (("without_content", batch) for batch in batches(store, addresses))


def _remove_exported(run: "_PruneRun", archive: RemovedRows, step: str, batch: Sequence[MutableRow]) -> None:
    """For each month of the batch, export the rows by a dry run of the step, then remove them by the step."""
    for month, rows in months(batch, run.target.where[0].column):
        archive.begin(month)
        _STEPS[step](_PruneRun(run.store, run.target, Counter(), True, archive), rows)
        where = [(each.column, each.operator, each.value) for each in run.target.where]
        archive.commit(
            {"step": step, "table": run.target.table.name, "where": where, "guard": run.target.guard, "rows": rows}
        )
        _STEPS[step](run, rows)
        archive.done()


def complete(store: Store, archive: RemovedRows) -> None:
    """Remove the rows that a killed run exported but did not remove."""
    if batch := archive.unfinished():
        where = tuple(Condition(column, operator, value) for column, operator, value in batch["where"])
        target = PruneTarget(TABLES[batch["table"]], where, batch["guard"], False)
        _STEPS[batch["step"]](_PruneRun(store, target, Counter(), False), batch["rows"])
        archive.done()


def _states_without_content(store: Store) -> Iterator[str]:
    """States of addresses whose rows an index can find; the state of most addresses is left out."""
    last = ""
    while found := list(store.select(URLS, [Condition("state", ">", last)], [Order("state")], 1, ["state"])):
        last = found[0]["state"]
        if last != "fetched":
            yield last


@dataclass(frozen=True, slots=True)
class _PruneRun:
    """One run, with its counts so far. A dry run changes nothing; with an archive it exports the rows that it would remove."""

    store: Store
    target: PruneTarget
    counts: Counter[str]
    dry: bool
    archive: RemovedRows | None = None

    def remove(self, *parts: tuple[Table, Sequence[Condition]]) -> None:
        """Remove and count; the removal is durable on return."""
        found = [(table, where, self.store.count(table, where)) for table, where in parts]
        self.counts.update({table.name: count for table, _, count in found if count})
        for table, where, count in found:
            if self.archive and count:
                self.archive.write(table, self.store.select(table, where))
        if not self.dry:
            for done in [self.store.remove(table, where) for table, where, count in found if count]:
                done.result()

    def known(self, table: Table, column: str, keys: Sequence[str], *where: Condition) -> set[str]:
        """The subset of `keys` that occurs in this column."""
        return known(self.store, table, column, keys, *where)


def known(store: Store, table: Table, column: str, keys: Sequence[str], *where: Condition) -> set[str]:
    """The subset of `keys` that occurs in this column, in rows that meet the conditions."""
    return {row[column] for row in store.select(table, [_one_of(column, keys), *where], columns=[column])}


def _one_of(column: str, keys: Iterable[str]) -> Condition:
    return Condition(column, "in", list(keys))


def _pages(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    """Pages with what belongs to them; a thread with newer records stays whole."""
    store, guard = run.store, Condition("fetched_at", "<", run.target.guard)
    newer = run.known(RECORDS, "page", [row["key"] for row in batch], Condition("fetched_at", ">=", run.target.guard))
    rows = [row for row in batch if row["key"] not in newer]
    keys = [row["key"] for row in rows]
    asked = list({*keys, *(url_key(row["canonical"] or row["url"] or "") for row in rows)})
    if not run.dry:
        _relink(store, keys)
        _let_analysis_forget(run, keys)
    run.remove(*((table, [_one_of(column, keys), guard]) for table, column in _OWNED))
    _links(run, asked)
    if not run.dry:
        # so that the next visit gets the whole page, not a 304
        store.change(URLS, [_one_of("key", asked), guard], {"etag": "", "last_modified": ""}).result()
    run.remove((PAGES, [_one_of("key", keys), *run.target.where]))
    if not run.dry:
        _refetch_lost_pages(run, asked)
        _let_analysis_forget(run, keys)


def _links(run: _PruneRun, keys: Sequence[str]) -> None:
    """Links have no time; that of the visit counts. It is read just before, since a crawl may write at the same time."""
    newer = run.known(URLS, "key", keys, Condition("fetched_at", ">=", run.target.guard))
    run.remove((LINKS, [_one_of("page", [key for key in keys if key not in newer])]))


def _refetch_lost_pages(run: _PruneRun, keys: Sequence[str]) -> None:
    """FerretDB finds the rows of a removal first and removes them a moment later, with a page that a crawl wrote in between.
    The next visit then gets that page whole."""
    newer = run.known(
        URLS, "key", keys, Condition("fetched_at", ">=", run.target.guard), Condition("state", "=", "fetched")
    )
    lost = newer - run.known(PAGES, "key", sorted(newer)) if newer else newer
    if lost:
        run.store.change(URLS, [_one_of("key", sorted(lost))], {"etag": "", "last_modified": ""}).result()


def _relink(store: Store, keys: Sequence[str]) -> None:
    """Recompute original, delays and counts of each story that loses pages."""
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
    """Queue the pages where an analysis has run: it finds them removed, and removes its results. Called before and after a
    removal, since the analysis may read, or a kill may come, in between."""
    if keys and run.store.get(ANALYSIS_JOBS, _ANALYSIS) is not None:
        run.store.write(waiting_rows(sorted(keys))).result()


def _records(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    pages = sorted({row["page"] for row in batch})
    run.remove((RECORDS, [_one_of("page", pages), *run.target.where]))
    if not run.dry:
        _let_analysis_forget(run, pages)


def _urls(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    keys = [row["key"] for row in batch]
    old = sorted(run.known(URLS, "key", keys, *run.target.where))  # a crawl may have visited some in the meantime
    run.remove((LINKS, [_one_of("page", old)]))
    run.remove((URLS, [_one_of("key", old), *run.target.where]))


def _rows(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    first = run.target.table.key[0]
    run.remove((run.target.table, [_one_of(first, sorted({row[first] for row in batch})), *run.target.where]))


def _without_content(run: _PruneRun, batch: Sequence[MutableRow]) -> None:
    keys = without_page(run.store, batch)
    run.remove((SOURCES, [_one_of("key", keys), Condition("fetched_at", "<", run.target.guard)]))
    _links(run, keys)


def without_page(store: Store, batch: Sequence[MutableRow]) -> list[str]:
    """Keys of rows of the URL table: parts of pages that were removed, and addresses never stored as pages."""
    firsts = {row["key"]: url_key(row["reason"] or "") for row in batch if row["state"] == "part"}
    left = known(store, PAGES, "key", sorted(set(firsts.values()))) if firsts else set()
    keys = [row["key"] for row in batch if firsts.get(row["key"]) not in left]
    stored = known(store, PAGES, "key", keys)
    return [key for key in keys if key not in stored]


_STEPS = {"pages": _pages, "records": _records, "urls": _urls, "rows": _rows, "without_content": _without_content}
"""The functions that remove a batch, by name."""
_COLUMNS = {"pages": ("key", "url", "canonical"), "urls": ("key", "reason", "state", "fetched_at")}


def batches(store: Store, target: PruneTarget) -> Iterator[list[MutableRow]]:
    """Every row once, also while rows are removed: by time where it has an index, else by key."""
    table, time = target.table, target.where[0].column
    columns = _COLUMNS.get(table.name, (table.key[0],))
    by_time = table.key == (table.key[0],) and any(index[0] == time for index in table.indexes)
    return (
        _by_time(store, target, (*table.key, *columns, time)) if by_time else _by_key(store, target, (*columns, time))
    )


def _by_key(store: Store, target: PruneTarget, columns: Sequence[str]) -> Iterator[list[MutableRow]]:
    """In the order of the key's first column. Rows that share the value of a batch's last row may be left out: a removal by that
    column removes them too."""
    key = target.table.key[0]
    last: list[Condition] = []
    while rows := list(
        store.select(target.table, [*target.where, *last], [Order(key)], _BATCH_ROWS, list(dict.fromkeys(columns)))
    ):
        yield rows
        last = [Condition(key, ">", rows[-1][key])]


def _by_time(store: Store, target: PruneTarget, columns: Sequence[str]) -> Iterator[list[MutableRow]]:
    time, limit = target.where[0].column, _BATCH_ROWS
    last: list[Condition] = []
    done = set[tuple[object, ...]]()
    while True:
        rows = list(
            store.select(target.table, [*target.where, *last], [Order(time)], limit, list(dict.fromkeys(columns)))
        )
        fresh = [row for row in rows if _key(target.table, row) not in done]
        if fresh:
            yield fresh
            last = [Condition(time, ">=", rows[-1][time])]
            done = {_key(target.table, row) for row in rows if row[time] == rows[-1][time]}
        elif len(rows) < limit:
            return
        else:
            limit *= 2  # more rows than the limit share one moment


def _key(table: Table, row: MutableRow) -> tuple[object, ...]:
    return tuple(row[name] for name in table.key)
