"""Pages of months that are over move from the store into Parquet files, and back.

What is removed has been read from the finished file and compared with the store; rows that have changed meanwhile stay and come
before those in the file. A kill loses nothing: files that are not whole do not count, and the next run goes on from what is written.
"""

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from extractors.links.urls import url_key
from pipelines.pruning import Aim, batches, known, without_page
from pipelines.sealing.files import FileWriter, read_rows, remove_file
from pipelines.sealing.parts import OWNERS, SEALED, WRITING, WRITTEN, chunks, file_of, owned_by, parts, parts_of
from pipelines.sealing.reading import sealed_rows
from pipelines.stores.base import Condition, MutableRow, Row, Store, Table
from pipelines.stores.sealed_tables import SEALED_PAGES, SEALED_PARTS
from pipelines.stores.tables import LINKS, PAGES, RECORDS, SOURCES, TABLES, URLS, VERSIONS

_PART_PAGES = 5_000
"""Pages of a part: what a run that was killed does again at most."""
_GROUP_PAGES, _GROUP_ROWS = 200, 2_000
"""Pages and rows that are in memory at once, and read together later."""
_SEALED = tuple(TABLES[name] for name in OWNERS)
Report = Callable[[Counter[str]], None]
"""Called now and then with how many rows of each table have moved so far."""


def sealable(store: Store, before: str) -> Counter[str]:
    """How many pages of each month would be sealed."""
    counts = Counter[str]()
    for month, keys in _portions(store, before):
        counts[month] += sum(len(known(store, PAGES, "key", some)) for some in chunks(keys))
    return counts


def seal(store: Store, folder: Path, before: str, report: Report = lambda _: None) -> Counter[str]:
    """Move pages that were collected before a moment, with their sources, links, records and versions; only one process may do it.

    Args:
        before: ISO 8601; the first day of a month. Pages with newer records stay.

    Returns:
        How many rows of each table have left the store.

    Raises:
        StoreError: a file cannot be read; OSError: it cannot be written.
    """
    counts = Counter[str]()
    _go_on(store, folder, counts, report)
    for month, keys in _portions(store, before):
        part = f"{month}/{uuid.uuid4().hex[:12]}"
        begun = {"part": part, "month": month, "state": WRITING, "before": before, "pages": len(keys), "rows": {}}
        store.upsert(SEALED_PARTS, [begun | {"sealed_at": datetime.now(UTC).isoformat(timespec="seconds")}]).result()
        rows = {table.name: _write(store, folder, part, table, keys, lambda: report(counts)) for table in _SEALED}
        store.upsert(SEALED_PARTS, [{"part": part, "state": WRITTEN, "rows": rows}]).result()
        _finish(store, folder, begun | {"rows": rows}, counts, report)
    return counts


def unseal(store: Store, folder: Path, month: str, report: Report = lambda _: None) -> Counter[str]:
    """Move a month back into the store, and remove its files."""
    counts = Counter[str]()
    _go_on(store, folder, counts, report)
    counts.clear()
    for row in parts(store, month):
        for table in reversed(_SEALED):
            rows = sealed_rows(store, folder, row["part"], table) if row["rows"].get(table.name) else iter(())
            while group := list(islice(rows, _GROUP_ROWS)):
                store.upsert(table, group).result()
                counts[table.name] += len(group)
                report(counts)
            if row["rows"].get(table.name):
                _keep_first(store, folder, row["part"], table)
        _forget(store, folder, row)
    return counts


def _keep_first(store: Store, folder: Path, part: str, table: Table) -> None:
    """Rows that a crawl has written anew since get back when they were first seen."""
    first = [column.name for column in table.columns if column.first]
    if not first:
        return
    for rows in read_rows(file_of(folder, part, table), table, columns=[*table.key, *first]):
        pages = list({row[OWNERS[table.name]] for row in rows})
        here = parts_of(store, pages)
        stored = {
            _key(table, row): row for row in store.select(table, [owned_by(table, pages)], columns=[*table.key, *first])
        }
        for row in (row for row in rows if here.get(row[OWNERS[table.name]]) == part):
            older = {name: row[name] for name in first if row[name] and row[name] != stored[_key(table, row)][name]}
            if older:
                store.change(table, [Condition(name, "=", row[name]) for name in table.key], older).result()


def _go_on(store: Store, folder: Path, counts: Counter[str], report: Report) -> None:
    """Complete what an earlier run was killed at."""
    for row in parts(store):
        if row["state"] == WRITING:
            _forget(store, folder, row)
        elif row["state"] == WRITTEN:
            _finish(store, folder, row, counts, report)


def _forget(store: Store, folder: Path, row: Row) -> None:
    pages = _owners(folder, row) if row["state"] != WRITING else []
    for keys in chunks(pages):
        here = [Condition("page", "in", keys), Condition("part", "=", row["part"])]
        store.remove(SEALED_PAGES, here).result()
    store.remove(SEALED_PARTS, [Condition("part", "=", row["part"])]).result()
    for table in _SEALED:
        remove_file(file_of(folder, row["part"], table))


def _portions(store: Store, before: str) -> Iterator[tuple[str, list[str]]]:
    """Months, each with keys of pages that are to go into one part."""
    moment = Condition("fetched_at", "<", before)
    yield from _grouped(_old_pages(store, batches(store, Aim(PAGES, (moment,), before, True)), before))
    others = (moment, Condition("state", "!=", "fetched"))
    yield from _grouped(_old_others(store, batches(store, Aim(URLS, others, before, False))))


def _old_pages(store: Store, found: Iterable[list[MutableRow]], before: str) -> Iterator[tuple[str, str]]:
    """Month and key of pages without newer records, and of the addresses that were asked for instead, which have the links."""
    for batch in found:
        keys = [row["key"] for row in batch]
        newer = known(store, RECORDS, "page", keys, Condition("fetched_at", ">=", before))
        asked = {row["key"]: url_key(row["canonical"] or row["url"] or "") for row in batch}
        pages = known(store, PAGES, "key", sorted(asked.values()))
        for row in (row for row in batch if row["key"] not in newer):
            yield row["fetched_at"][:7], row["key"]
            if asked[row["key"]] not in pages:
                yield row["fetched_at"][:7], asked[row["key"]]


def _old_others(store: Store, found: Iterable[list[MutableRow]]) -> Iterator[tuple[str, str]]:
    """Month and key of what has a source or links and no page in the store: parts of pages above all."""
    for batch in found:
        keys = without_page(store, batch)
        having = known(store, SOURCES, "key", keys) | known(store, LINKS, "page", keys)
        yield from ((row["fetched_at"][:7], row["key"]) for row in batch if row["key"] in having)


def _grouped(found: Iterable[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """One month and at most the pages of a part at once."""
    waiting = dict[str, list[str]]()
    for month, key in found:
        keys = waiting.setdefault(month, [])
        keys.append(key)
        if len(keys) >= _PART_PAGES:
            yield month, sorted(set(waiting.pop(month)))
    for month, keys in sorted(waiting.items()):
        yield month, sorted(set(keys))


def _write(store: Store, folder: Path, part: str, table: Table, pages: Sequence[str], step: Callable[[], None]) -> int:
    """Write the rows of these pages; returns how many. No file is made for none."""
    writer: FileWriter | None = None
    for keys in chunks(pages, _GROUP_PAGES):
        rows = _rows(store, folder, table, keys)
        if rows and writer is None:
            writer = FileWriter(file_of(folder, part, table), table)
        for start in range(0, len(rows), _GROUP_ROWS):
            assert writer is not None
            writer.write(rows[start : start + _GROUP_ROWS])
        step()
    if writer is None:
        return 0
    writer.close()
    return writer.rows


def _rows(store: Store, folder: Path, table: Table, pages: Sequence[str]) -> list[MutableRow]:
    """Rows of these pages in the order of their keys: those in the store, and of earlier parts those that are not."""
    rows = {_key(table, row): row for row in store.select(table, [owned_by(table, pages)])}
    earlier = parts_of(store, pages)
    for part in set(earlier.values()):
        mine = [page for page in pages if earlier.get(page) == part]
        has_rows = ((store.get(SEALED_PARTS, part) or {}).get("rows") or {}).get(table.name)
        read = read_rows(file_of(folder, part, table), table, [owned_by(table, mine)]) if has_rows else iter(())
        for row in (row for group in read for row in group):
            newer = rows.setdefault(_key(table, row), row)
            newer.update(
                {column.name: row[column.name] for column in table.columns if column.first and row[column.name]}
            )
    return [rows[key] for key in sorted(rows)]


def _finish(store: Store, folder: Path, row: Row, counts: Counter[str], report: Report) -> None:
    """Let the files count, and remove from the store what they have."""
    pages = _owners(folder, row)
    for keys in chunks(pages):
        store.upsert(SEALED_PAGES, [{"page": key, "part": row["part"]} for key in keys]).result()
    for table in _SEALED:
        if row["rows"].get(table.name):
            file = file_of(folder, row["part"], table)
            for keys in chunks(pages, _GROUP_PAGES):
                counts[table.name] += _remove_same(store, file, table, keys, row["before"])
                report(counts)
    store.upsert(SEALED_PARTS, [{"part": row["part"], "state": SEALED}]).result()


def _owners(folder: Path, row: Row) -> list[str]:
    """The pages that a part has rows of, in the order of their keys."""
    found = set[str]()
    for table in _SEALED:
        if row["rows"].get(table.name):
            owner = OWNERS[table.name]
            for group in read_rows(file_of(folder, row["part"], table), table, columns=[owner]):
                found.update(each[owner] for each in group)
    return sorted(found)


def _remove_same(store: Store, file: Path, table: Table, pages: Sequence[str], before: str) -> int:
    """Remove the rows of pages of which the store has nothing that the file has not; returns how many."""
    written = {_key(table, row): row for group in read_rows(file, table, [owned_by(table, pages)]) for row in group}
    compared = [column.name for column in table.columns if not column.first]
    stored, changed = Counter[str](), set[str]()
    for row in store.select(table, [owned_by(table, pages)]):
        same, page = written.get(_key(table, row)), row[OWNERS[table.name]]
        stored[page] += 1
        if same is None or any(same[name] != row[name] for name in compared):
            changed.add(page)
    if table is LINKS:  # they have no time of their own
        changed |= known(store, URLS, "key", pages, Condition("fetched_at", ">=", before))
    going = sorted(stored.keys() - changed)
    # a crawl may write at this moment
    still_old = [] if table in (LINKS, VERSIONS) else [Condition("fetched_at", "<", before)]
    if going:
        store.remove(table, [owned_by(table, going), *still_old]).result()
    return sum(stored[page] for page in going)


def _key(table: Table, row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in table.key)
