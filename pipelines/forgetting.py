"""Removes authors' names from rows before a moment, or one author's name from all rows; the texts stay.

Names and addresses of profiles become "", batch by batch in the order of the key, while crawls run. The next run completes
a run that was stopped: rows without names no longer match.
"""

import getpass
import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from zstandard import ZstdError

from pipelines.stores.base import Condition, Order, Store, StoreError, Table
from pipelines.stores.filters import before
from pipelines.stores.people_tables import AUDIT
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS, SOURCES
from pipelines.stores.watch_tables import LIST_STATES
from pipelines.waiting import waiting_rows
from pipelines.zstd import Zstd

_BATCH_KEYS = 500
_MAX_ANSWER_BYTES = 1_000_000
_ANSWERS = Zstd(3)
_NAMES = {
    "records": (RECORDS, ("author", "author_url")),
    "pages": (PAGES, ("author",)),
    "propagation": (PROPAGATION, ("author",)),
}
"""The tables with names of people, and the columns that hold them."""
FORGETTABLE = tuple(_NAMES)
Report = Callable[[Counter[str]], None]
"""Called after each batch with the number of rows changed so far, by table."""


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """Which names to remove.

    Attributes:
        tables: names of tables.
        author: a name, or the address of a profile; "" means all authors.
        moment: only rows fetched before it, ISO 8601 in UTC; "" means all rows.
        sources: whether to remove the stored bytes of these pages and of lists too, since they contain the name.
    """

    tables: tuple[str, ...]
    author: str
    moment: str
    sources: bool


def forget_request_of(
    tables: Sequence[str], author: str, age: str, now: datetime, *, sources: bool = True
) -> ForgetRequest:
    """StoreError for a table without names, an invalid time, or if neither an author nor an age is given."""
    for name in tables:
        if name not in _NAMES:
            raise StoreError(f"{name!r} has no names of people; choose one of {', '.join(FORGETTABLE)}")
    if not (author or age):
        raise StoreError("name whom or what to forget: --author NAME or --before TIME")
    moment = str(before("fetched_at", age, now).value) if age else ""
    return ForgetRequest(tuple(tables) or (FORGETTABLE if author else ("records",)), author, moment, sources)


def forget(store: Store, request: ForgetRequest, report: Report = lambda _: None, *, dry: bool = False) -> Counter[str]:
    """Remove the names, or only count if `dry`; returns the number of rows by table. The run is noted in the audit table."""
    counts = Counter[str]()
    try:
        for name in request.tables:
            table, columns = _NAMES[name]
            for column in columns:
                for keys in _batches(store, table, _matching(request, column)):
                    _forget_batch(store, request, table, column, keys, counts, dry)
                    report(counts)
        if request.sources:
            _forget_answers(store, request, counts, dry)
            report(counts)
    finally:
        if counts and not dry:
            _note(store, request, counts)
    return counts


def _matching(request: ForgetRequest, column: str) -> list[Condition]:
    who = Condition(column, "=", request.author) if request.author else Condition(column, ">", "")
    return [who, *_old(request)]


def _old(request: ForgetRequest) -> list[Condition]:
    return [Condition("fetched_at", "<", request.moment)] if request.moment else []


def _batches(store: Store, table: Table, where: Sequence[Condition]) -> Iterator[list[str]]:
    """Distinct values of the key's first column, in order."""
    key = table.key[0]
    last: list[Condition] = []
    while rows := list(store.select(table, [*where, *last], [Order(key)], _BATCH_KEYS, [key])):
        keys = list(dict.fromkeys(row[key] for row in rows))
        yield keys
        last = [Condition(key, ">", keys[-1])]


def _forget_batch(
    store: Store, request: ForgetRequest, table: Table, column: str, keys: list[str], counts: Counter[str], dry: bool
) -> None:
    where = [Condition(table.key[0], "in", keys), *_matching(request, column)]
    counts[table.name] += store.count(table, where)
    sources = [Condition("key", "in", keys), *_old(request)] if request.sources and table is not PROPAGATION else []
    if sources and (found := store.count(SOURCES, sources)):
        counts[SOURCES.name] += found
    if dry:
        return
    # sources first: after a kill, rows that still have the name are found again
    if sources:
        store.remove(SOURCES, sources).result()
    if table is not PROPAGATION:
        store.write(waiting_rows(keys)).result()
    store.change(table, where, dict.fromkeys(_NAMES[table.name][1], "")).result()
    if table is not PROPAGATION:
        store.write(waiting_rows(keys)).result()  # the analysis may have read them in between


def _forget_answers(store: Store, request: ForgetRequest, counts: Counter[str], dry: bool) -> None:
    """Remove the kept answers of lists that are old enough, or that have the name."""
    old = [Condition("read_at", "<", request.moment)] if request.moment else []
    rows = store.select(LIST_STATES, old, columns=("key", "good", "bad"))
    keys = [row["key"] for row in rows if any(_may_name(row[kind], request.author) for kind in ("good", "bad"))]
    if keys:
        counts[LIST_STATES.name] += len(keys)
        if not dry:
            where = [Condition("key", "in", keys), *old]
            store.change(LIST_STATES, where, {"good": None, "bad": None}).result()


def _may_name(frame: bytes | None, author: str) -> bool:
    """Whether a kept answer has this name, as text or as JSON writes it; one that cannot be read may have it."""
    if not frame or not author:
        return bool(frame)
    try:
        answer = _ANSWERS.decompress(frame, _MAX_ANSWER_BYTES)
    except ZstdError:
        return True
    return any(
        name in answer for name in (author.encode(), author.encode("gb18030"), json.dumps(author)[1:-1].encode())
    )


def _note(store: Store, request: ForgetRequest, counts: Counter[str]) -> None:
    """Note in the audit how many rows were changed, without the name."""
    now = datetime.now(UTC)
    row = {
        "key": f"{now:%Y%m%dT%H%M%S%f}-{secrets.token_hex(3)}",
        "at": now.isoformat(timespec="seconds"),
        "by": f"command line: {getpass.getuser()}",
        "action": "forgot_names",
        "subject": "one author" if request.author else "all authors",
        "facts": {"before": request.moment, **counts},
    }
    store.upsert(AUDIT, [row]).result()
