"""Instants beside the times that pages write, and their filling in rows of an earlier version.

Pages write times with and without zones, and bare dates; as texts they do not sort as they happened.
"""

import logging
import time
from collections.abc import Mapping
from typing import Any

from extractors.text.instants import instant_of
from pipelines.stores.base import Condition, MutableRow, Row, Store, StoreError, Table
from pipelines.stores.tables import PAGES, RECORDS

logger = logging.getLogger(__name__)
_DATED = ((PAGES, "published"), (RECORDS, "time"))
_BATCH_ROWS = 1_000
_SAY_SECONDS = 10.0


def instants(name: str, text: str | None, language: str) -> dict[str, str]:
    """The columns beside the time `name`: `…_at`, and `…_precision`; both "" where the text is no time."""
    found = instant_of(text or "", language)
    return {f"{name}_at": found.utc if found else "", f"{name}_precision": found.precision if found else ""}


def instant_column(table: Table, name: str) -> str:
    """The column of instants beside a time, if it has one; else the time's own. StoreError for an unknown column."""
    beside = f"{name}_at"
    return beside if beside in table.by_name else table.column(name).name


def fill_instants(store: Store) -> int:
    """Give every row that lacks them its instants, in batches that are durable; returns how many rows.

    It may be stopped at any time, and several may do it at once: what is left is filled the next time.
    """
    count, said = 0, time.monotonic()
    for table, name in _DATED:
        while rows := _without(store, table, name):
            store.upsert(table, [_filled(store, table, name, row) for row in rows]).result()
            count += len(rows)
            if time.monotonic() - said > _SAY_SECONDS:
                said = time.monotonic()
                logger.info("Upgrading the database: %s rows have got the instants of their times", f"{count:,}")
    return count


def try_fill_instants(store: Store) -> None:
    """As `fill_instants`, for one who only wants to read: a store that cannot be written stays as it is."""
    try:
        fill_instants(store)
    except StoreError as error:
        logger.warning("Times of earlier rows are not comparable yet: %s", error)


def _without(store: Store, table: Table, name: str) -> list[MutableRow]:
    columns = [*table.key, name, *(["language"] if "language" in table.by_name else [])]
    return list(store.select(table, [Condition(f"{name}_at", "=", None)], limit=_BATCH_ROWS, columns=columns))


def _filled(store: Store, table: Table, name: str, row: Mapping[str, Any]) -> Row:
    language = row["language"] if "language" in row else _language(store, row["page"])
    return {key: row[key] for key in table.key} | instants(name, row[name], language or "")


def _language(store: Store, page: str) -> str:
    found = next(store.select(PAGES, [Condition("key", "=", page)], limit=1, columns=["language"]), None)
    return str(found["language"] or "") if found else ""
