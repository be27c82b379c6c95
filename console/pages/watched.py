"""Sources of watches, their visits and yield; people pin and drop sources."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.queries.sites import MAX_COUNTED, SOURCE_SORTS, SOURCE_STATES, source_counts, sources
from crawler.watching.operator_orders import DROP_ORDER, WATCH_ORDER, pin_order
from pipelines.stores.base import MutableRow, Row
from pipelines.stores.watch_tables import WATCH_SOURCES

_MAX_MINUTES = 1e6


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store = ctx.app.store
    state, sort = ctx.params.get("state", "watched"), ctx.params.get("sort", "yield")
    counts = source_counts(store)
    if counts[state] >= MAX_COUNTED:  # too many to sort by what has no index
        sort = "yield"
    found = sources(store, state, sort, cursor_of(ctx.params, 3))
    return {"counts": counts, "sort": sort, "sorts": counts[state] < MAX_COUNTED, **found.shown()}


def _pin(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    if form["minutes"] > _MAX_MINUTES:
        raise ActionRefusedError("watched.too_long", 400)
    return _order(ctx, form, pin_order(form["minutes"] * 60), minutes=form["minutes"])


def _order(ctx: RequestContext, form: Mapping[str, Any], order: str, **facts: Any) -> ActionOutcome:
    row = _source(ctx, form["crawl"], form["key"])
    _ask(ctx, row["crawl"], row["key"], order)
    return ActionOutcome(
        row["url"], {"crawl": row["crawl"], "key": row["key"], "interval": row["interval"] or 0.0} | facts
    )


def _source(ctx: RequestContext, crawl: str, key: str) -> MutableRow:
    row = ctx.app.store.get(WATCH_SOURCES, crawl, key)
    if row is None:
        raise ActionRefusedError("watched.unknown", 404)
    return row


def _ask(ctx: RequestContext, crawl: str, key: str, order: str) -> None:
    """As `scrapy watch` does: a running watch carries it out within a minute, another when it is started."""
    ctx.app.store.upsert(WATCH_SOURCES, [{"crawl": crawl, "key": key, "asked": order}]).result()


def _ask_again(ctx: RequestContext, row: Row, order: str) -> None:
    source = _source(ctx, row["facts"]["crawl"], row["facts"]["key"])
    _ask(ctx, source["crawl"], source["key"], order)


_SOURCE = (Param("crawl", required=True, says="name of the watch"), Param("key", required=True, says="of the source"))
PAGE = ConsolePage(
    name="watched",
    path="/sites/watched",
    view=_view,
    params=(
        Param("state", "choice", SOURCE_STATES),
        Param(
            "sort", "choice", tuple(SOURCE_SORTS), says="of fewer than a thousand sources; else the highest yield first"
        ),
        AFTER,
    ),
    actions=(
        Action(
            "pin",
            _pin,
            fields=(
                *_SOURCE,
                Param(
                    "minutes", "number", required=True, says="minimum interval in minutes; 0: decided by the scheduler"
                ),
            ),
            undo=lambda ctx, row: _ask_again(ctx, row, pin_order(row["facts"]["interval"])),
        ),
        Action("drop", partial(_order, order=DROP_ORDER), fields=_SOURCE, undo=partial(_ask_again, order=WATCH_ORDER)),
        Action("watch", partial(_order, order=WATCH_ORDER), fields=_SOURCE, undo=partial(_ask_again, order=DROP_ORDER)),
    ),
)
