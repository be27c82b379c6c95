"""Hot lists: what is on them now, what has risen, is new or gone, and an item's rank over time and lists."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from console.frame.page import ConsolePage, Export, Param
from console.frame.request_context import RequestContext
from console.pages.hot_changes import curves, list_now, stories
from pipelines.rankings import OBSERVATIONS, observations, read_lists
from pipelines.stores.base import Column, Condition, MutableRow
from pipelines.stores.instant_columns import utc_text

_HOURS = ("1", "6", "24", "168")
_SORTS = ("rank", "risen", "new")
_SHOWN_ROWS = 10
_MIN_READ_HOURS, _CURVE_HOURS = 25, 168


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    hours, source, item = int(ctx.params.get("hours") or 6), ctx.params.get("source", ""), ctx.params.get("item", "")
    read = timedelta(hours=max(hours + 1, _CURVE_HOURS if item else _MIN_READ_HOURS))
    every = read_lists(ctx.app.store, ctx.now - read, ctx.now)
    found = [list_now(series, hours) for series in every if source in ("", series.source)]
    grouped = stories(found)
    for each in found:
        each["rows"] = _chosen(each["rows"], ctx.params)
        each["n"] = len(each["rows"])
        each["rows"] = each["rows"] if source else each["rows"][:_SHOWN_ROWS]
        each["gone"] = each["gone"] if source else each["gone"][: _SHOWN_ROWS // 2]
    return {
        "sources": sorted({series.source for series in every}),
        "hours": hours,
        "lists": found,
        "stories": grouped,
        "curve": curves(every, item) if item else None,
    }


def _chosen(rows: list[MutableRow], params: Mapping[str, Any]) -> list[MutableRow]:
    """The rows with the wanted words, in the wanted order."""
    words = str(params.get("q") or "").lower().split()
    kept = [row for row in rows if all(word in row["title"].lower() for word in words)]
    if params.get("sort") == "new":
        return [row for row in kept if row["before"] is None]
    if params.get("sort") == "risen":
        return sorted((row for row in kept if (row["risen"] or 0) > 0), key=lambda row: -row["risen"])
    return kept


def _rows(ctx: RequestContext) -> Iterator[MutableRow]:
    hours, source = int(ctx.params.get("hours") or 6), ctx.params.get("source", "")
    where = [Condition("at", ">=", utc_text(ctx.now - timedelta(hours=hours)))]
    return observations(ctx.app.store, [*where, *([Condition("source", "=", source)] if source else [])])


COLUMNS: list[Column] = list(OBSERVATIONS.columns)
PAGE = ConsolePage(
    name="hot",
    is_costly=True,
    path="/hot",
    view=_view,
    group="look",
    params=(
        Param("source", says="only this list; without it the first items of every list"),
        Param("hours", "choice", _HOURS, says="compared with this number of hours before; six if it is not given"),
        Param("q", says="only titles with these words"),
        Param(
            "sort",
            "choice",
            _SORTS,
            says="rank; risen: those that have risen most; new: only those that were not there",
        ),
        Param("item", says="the key of an item: its rank over a week, on every list"),
    ),
    export=Export(COLUMNS, _rows),
)
