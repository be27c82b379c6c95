"""Decisions and audit rows, newest first."""

from collections.abc import Mapping
from typing import Any

from console.frame.paging import Cursor, Part, in_order, part
from pipelines.stores.base import Condition, MutableRow, Order, Store, Table

_ORDER = [Order("key", True)]
_MAX_READ = 2_000


def acts(store: Store, table: Table, params: Mapping[str, Any], after: Cursor = ()) -> Part:
    """Rows of `decisions` or `audit`, of one person, or about something whose name has this text."""
    where = [Condition("by", "=", params["by"])] if "by" in params else []
    text = params.get("q", "").casefold()

    def keep(row: MutableRow) -> bool:
        return not text or text in f"{row['action']} {row['subject'] or ''}".casefold()

    return part(in_order(store, table, where, _ORDER, after), _ORDER, keep, most=_MAX_READ)
