"""Preview of a split: the pages that would leave the event, and those that would stay."""

from collections.abc import Sequence
from typing import Any

from console.queries.event_membership import with_published
from console.queries.events import MEMBER_COLUMNS, MEMBER_ORDER
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, MutableRow, Order, Row, Store
from pipelines.stores.tables import PROPAGATION

MAX_LEAVING_PAGES = 30
_SHOWN_PAGES = 20


def split_preview(store: Store, event: Row, pages: Sequence[str]) -> dict[str, Any]:
    """`leaving` and `staying`, each with its number of pages and sites, its first and last report, and its first twenty pages by time.

    `torn` are copies that a split would part from the page that they copy: at most twenty.
    """
    gone = [member for page in pages if (member := store.get(MEMBERS, page)) is not None]
    gone.sort(key=lambda each: (each["at"] or "", each["page"]))
    stay = _staying(store, event["event"], set(pages))
    sites = {each["site"] for each in event["sites"] or ()}
    left = sites - {site for site in {each["site"] for each in gone} if not _stays(store, event["event"], site, pages)}
    last = _staying(store, event["event"], set(pages), is_last=True)
    return {
        "leaving": _half(store, gone, len(gone), len({each["site"] for each in gone}), gone[-1]),
        "staying": _half(store, stay, event["pages"] - len(gone), len(left), last[0] if last else None),
        "torn": _torn(store, gone, stay),
    }


def _half(store: Store, rows: Sequence[Row], pages: int, sites: int, last: Row | None) -> dict[str, Any]:
    shown = [{name: row[name] for name in MEMBER_COLUMNS} for row in rows[:_SHOWN_PAGES]]
    ends: list[MutableRow] = [dict(row) for row in (*rows[:1], last) if row is not None]
    with_published(store, [*shown, *ends])
    times = {
        f"{name}_{column}": row[source]
        for name, row in zip(("first", "last"), ends, strict=False)
        for column, source in (("at", "at"), ("published", "published"))
    }
    return {"pages": pages, "sites": sites, "rows": shown, **times}


def _staying(store: Store, event: str, gone: set[str], is_last: bool = False) -> list[MutableRow]:
    """The first twenty that stay, or the last one."""
    order = [Order(by.column, True) for by in MEMBER_ORDER] if is_last else MEMBER_ORDER
    limit = len(gone) + (1 if is_last else _SHOWN_PAGES)
    rows = store.select(MEMBERS, [Condition("event", "=", event)], order, limit, MEMBER_COLUMNS)
    return [row for row in rows if row["page"] not in gone][: 1 if is_last else _SHOWN_PAGES]


def _stays(store: Store, event: str, site: str, gone: Sequence[str]) -> bool:
    """Whether a site has a page that stays."""
    where = [Condition("event", "=", event), Condition("site", "=", site)]
    return any(row["page"] not in gone for row in store.select(MEMBERS, where, limit=len(gone) + 1, columns=("page",)))


def _torn(store: Store, gone: Sequence[Row], stay: Sequence[Row]) -> list[dict[str, Any]]:
    sides = {row["page"]: side for side, rows in enumerate((gone, stay)) for row in rows}
    found = []
    for page, side in sides.items():
        row = store.get(PROPAGATION, page)
        source = (row["matched"] or row["story"]) if row and row["verdict"] == "repost" else None
        if row and source in sides and sides[source] != side:
            found.append({"page": page, "title": row["title"], "source": source})
    return found[:_SHOWN_PAGES]
