"""Names of people who wrote are forgotten: of rows from before a moment, or of one person; what they wrote stays.

Names and addresses of profiles become "", batch by batch in the order of the key, while crawls go on. A run that was stopped is completed
by the next one: what is forgotten already no longer matches.
"""

import getpass
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pipelines.stores.base import Condition, Order, Store, StoreError, Table
from pipelines.stores.filters import before
from pipelines.stores.people_tables import AUDIT
from pipelines.stores.tables import PAGES, PROPAGATION, RECORDS, SOURCES
from pipelines.waiting import waiting_rows

_BATCH_KEYS = 500
_NAMES = {
    "records": (RECORDS, ("author", "author_url")),
    "pages": (PAGES, ("author",)),
    "propagation": (PROPAGATION, ("author",)),
}
"""The tables with names of people, and the columns that have them."""
FORGETTABLE = tuple(_NAMES)
Report = Callable[[Counter[str]], None]
"""Called after each batch with how many rows of each table were changed so far."""


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """What is to be forgotten.

    Attributes:
        tables: names of tables.
        author: a name, or the address of a profile; "" is everybody.
        moment: rows that were fetched before it, ISO 8601 in UTC; "" is all rows.
        sources: whether the bytes of pages go too on which a name was forgotten: the name is in them.
    """

    tables: tuple[str, ...]
    author: str
    moment: str
    sources: bool


def wish_of(tables: Sequence[str], author: str, age: str, now: datetime, *, sources: bool = True) -> ForgetRequest:
    """StoreError for a table without names, a text that is no time, or if neither an author nor an age is given."""
    for name in tables:
        if name not in _NAMES:
            raise StoreError(f"{name!r} has no names of people; choose from {', '.join(FORGETTABLE)}")
    if not (author or age):
        raise StoreError("say whom or what is to be forgotten: --author NAME or --before TIME")
    moment = str(before("fetched_at", age, now).value) if age else ""
    return ForgetRequest(tuple(tables) or (FORGETTABLE if author else ("records",)), author, moment, sources)


def forget(store: Store, wish: ForgetRequest, report: Report = lambda _: None, *, dry: bool = False) -> Counter[str]:
    """Carry it out, or only count if `dry`; returns how many rows of each table. What was done is a row of the audit."""
    counts = Counter[str]()
    try:
        for name in wish.tables:
            table, columns = _NAMES[name]
            for column in columns:
                for keys in _batches(store, table, _matching(wish, column)):
                    _forget_batch(store, wish, table, column, keys, counts, dry)
                    report(counts)
    finally:
        if counts and not dry:
            _note(store, wish, counts)
    return counts


def _matching(wish: ForgetRequest, column: str) -> list[Condition]:
    who = Condition(column, "=", wish.author) if wish.author else Condition(column, ">", "")
    return [who, *_old(wish)]


def _old(wish: ForgetRequest) -> list[Condition]:
    return [Condition("fetched_at", "<", wish.moment)] if wish.moment else []


def _batches(store: Store, table: Table, where: Sequence[Condition]) -> Iterator[list[str]]:
    """Values of the first column of the key, each once, in order."""
    key = table.key[0]
    last: list[Condition] = []
    while rows := list(store.select(table, [*where, *last], [Order(key)], _BATCH_KEYS, [key])):
        keys = list(dict.fromkeys(row[key] for row in rows))
        yield keys
        last = [Condition(key, ">", keys[-1])]


def _forget_batch(
    store: Store, wish: ForgetRequest, table: Table, column: str, keys: list[str], counts: Counter[str], dry: bool
) -> None:
    where = [Condition(table.key[0], "in", keys), *_matching(wish, column)]
    counts[table.name] += store.count(table, where)
    sources = [Condition("key", "in", keys), *_old(wish)] if wish.sources and table is not PROPAGATION else []
    if sources and (found := store.count(SOURCES, sources)):
        counts[SOURCES.name] += found
    if dry:
        return
    # sources first: rows that still have the name lead here again after a kill
    if sources:
        store.remove(SOURCES, sources).result()
    if table is not PROPAGATION:
        store.write(waiting_rows(keys)).result()
    store.change(table, where, dict.fromkeys(_NAMES[table.name][1], "")).result()
    if table is not PROPAGATION:
        store.write(waiting_rows(keys)).result()  # the analysis may have looked in between


def _note(store: Store, wish: ForgetRequest, counts: Counter[str]) -> None:
    """The audit says how much was forgotten, and not whose name it was."""
    now = datetime.now(UTC)
    row = {
        "key": f"{now:%Y%m%dT%H%M%S%f}-{secrets.token_hex(3)}",
        "at": now.isoformat(timespec="seconds"),
        "by": f"command line: {getpass.getuser()}",
        "action": "forgot_names",
        "subject": "one author" if wish.author else "everybody",
        "facts": {"before": wish.moment, **counts},
    }
    store.upsert(AUDIT, [row]).result()
