"""Texts before and after a correction."""

from collections.abc import Iterable, Iterator
from typing import Any

from pipelines.stores.base import Column, Condition, Order, Store, Table
from pipelines.stores.tables import PAGES
from pipelines.stores.watch_tables import VERSIONS

AFTER = ("title_after", "body_after")
CORRECTIONS = Table(VERSIONS.name, (*VERSIONS.columns, *map(Column, AFTER)), key=VERSIONS.key)
"""Versions, each with its replacement: the next version of the page, or its present text."""
_KEY = ("page", "fetched_at")


def with_texts_after(store: Store, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Rows of `versions` with the columns `AFTER`, "" where the page is not in the store."""
    for row in rows:
        after = _after(store, row["page"], row["fetched_at"])
        yield row | {name: (after or {}).get(name.removesuffix("_after"), "") for name in AFTER}


def stored_columns(names: Iterable[str]) -> list[str]:
    """The stored columns that these columns need."""
    return list(dict.fromkeys([*_KEY, *(name for name in names if name not in AFTER)]))


def _after(store: Store, page: str, fetched_at: str) -> dict[str, Any] | None:
    later = [Condition("page", "=", page), Condition("fetched_at", ">", fetched_at)]
    following = next(store.select(VERSIONS, later, [Order("fetched_at")], 1, ("title", "body")), None)
    return following or store.get(PAGES, page)
