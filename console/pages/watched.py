"""What watches visit, how often, and what came of it; people pin and drop sources."""

from collections.abc import Mapping
from typing import Any

from console.frame.page import Action, Outcome, Page, Param, RefusedError
from console.frame.paging import unpack_cursor
from console.frame.visit import Visit
from console.queries.sites import SOURCE_STATES, source_counts, sources
from crawler.watching.operator_orders import DROP_ORDER, WATCH_ORDER, pin_order
from pipelines.stores.base import MutableRow, Row
from pipelines.stores.tables import WATCH_SOURCES

_MAX_MINUTES = 1e6


def _view(visit: Visit) -> Mapping[str, Any]:
    store = visit.desk.store
    after = unpack_cursor(visit.params["after"], 3) if "after" in visit.params else ()
    found = sources(store, visit.params.get("state", "watched"), after)
    return {
        "counts": source_counts(store),
        "rows": found.rows,
        "after": found.after,
        "looked": found.looked,
        "is_cut": found.is_cut,
    }


def _pin(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    if form["minutes"] > _MAX_MINUTES:
        raise RefusedError("watched.too_long", 400)
    return _order(visit, form, pin_order(form["minutes"] * 60), minutes=form["minutes"])


def _drop(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    return _order(visit, form, DROP_ORDER)


def _watch(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    return _order(visit, form, WATCH_ORDER)


def _order(visit: Visit, form: Mapping[str, Any], order: str, **facts: Any) -> Outcome:
    row = _source(visit, form["crawl"], form["key"])
    _ask(visit, row["crawl"], row["key"], order)
    return Outcome(row["url"], {"crawl": row["crawl"], "key": row["key"], "interval": row["interval"] or 0.0} | facts)


def _source(visit: Visit, crawl: str, key: str) -> MutableRow:
    row = visit.desk.store.get(WATCH_SOURCES, crawl, key)
    if row is None:
        raise RefusedError("watched.unknown", 404)
    return row


def _ask(visit: Visit, crawl: str, key: str, order: str) -> None:
    """As `scrapy watch` does: a running watch carries it out within a minute, another when it is started."""
    visit.desk.store.upsert(WATCH_SOURCES, [{"crawl": crawl, "key": key, "asked": order}]).result()


def _undo_pin(visit: Visit, row: Row) -> None:
    _ask_again(visit, row, pin_order(row["facts"]["interval"]))


def _undo_drop(visit: Visit, row: Row) -> None:
    _ask_again(visit, row, WATCH_ORDER)


def _undo_watch(visit: Visit, row: Row) -> None:
    _ask_again(visit, row, DROP_ORDER)


def _ask_again(visit: Visit, row: Row, order: str) -> None:
    source = _source(visit, row["facts"]["crawl"], row["facts"]["key"])
    _ask(visit, source["crawl"], source["key"], order)


_SOURCE = (Param("crawl", required=True, says="name of the watch"), Param("key", required=True, says="of the source"))
PAGE = Page(
    name="watched",
    path="/sites/watched",
    view=_view,
    params=(Param("state", "choice", SOURCE_STATES), Param("after", says="from the answer before")),
    actions=(
        Action(
            "pin",
            _pin,
            fields=(*_SOURCE, Param("minutes", "number", required=True, says="0: as often as it deserves")),
            undo=_undo_pin,
        ),
        Action("drop", _drop, fields=_SOURCE, undo=_undo_drop),
        Action("watch", _watch, fields=_SOURCE, undo=_undo_watch),
    ),
)
