"""Stories with their copies, and undecided pairs of titles."""

from collections.abc import Mapping
from typing import Any

from console.frame.paging import Cursor, Part, in_order, part
from pipelines.originals import known_delay
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.people_tables import TITLE_DECISIONS
from pipelines.stores.tables import PROPAGATION

ORDER = [Order("fetched_at", True), Order("page", True)]
MAX_WAITING = 100
_SHOWN_ROWS = 30
_MAX_MEMBERS = 12
_COLUMNS = (
    "page",
    "story",
    "matched",
    "title",
    "url",
    "site",
    "published",
    "cosine",
    "rule",
    "delay_hours",
    "reposts",
    "fetched_at",
    "verdict",
)


def suspected(store: Store, after: Cursor = ()) -> Part:
    """Similar pairs with a rule's objection, newest first, without decided ones."""
    rows = in_order(store, PROPAGATION, [Condition("verdict", "=", "suspected")], ORDER, after, _COLUMNS)
    found = part(rows, ORDER, lambda row: store.get(TITLE_DECISIONS, row["page"]) is None, _SHOWN_ROWS, 500)
    for row in found.rows:
        row["other"] = _brief(store.get(PROPAGATION, row["matched"])) if row["matched"] else None
    return found


def stories(store: Store, after: Cursor = ()) -> Part:
    """Stories of several pages, the newest original first, each with its copies by time (twelve at most)."""
    rows = in_order(store, PROPAGATION, [Condition("verdict", "=", "original")], ORDER, after, _COLUMNS)
    found = part(rows, ORDER, lambda row: bool(row["reposts"]), _SHOWN_ROWS, 500)
    for row in found.rows:
        members = store.select(
            PROPAGATION, [Condition("story", "=", row["story"])], [Order("published")], _MAX_MEMBERS + 1, _COLUMNS
        )
        row["copies"] = [
            each | {"delay_hours": known_delay(each["delay_hours"])} for each in members if each["page"] != row["page"]
        ]
    return found


def waiting(store: Store) -> int:
    """How many pairs wait for a decision, at most 100 are counted."""
    return store.count(PROPAGATION, [Condition("verdict", "=", "suspected")], MAX_WAITING)


def title(store: Store, page: str) -> MutableRow | None:
    return store.get(PROPAGATION, page)


def _brief(row: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return {name: row[name] for name in ("page", "story", "title", "url", "site", "published")} if row else None
