"""Titles: stories with their copies, and suspected pairs to confirm or separate."""

from collections.abc import Mapping
from typing import Any

from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.queries import titles as query
from pipelines.stores.base import MutableRow, Row
from pipelines.titles.decided import Verdict, decide, forget

_MAX_STORY = 500


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    after = cursor_of(ctx.params, 2)
    find = query.stories if ctx.params.get("show") == "stories" else query.suspected
    found = find(ctx.app.store, after)
    return {"waiting": query.waiting(ctx.app.store), **found.shown()}


def _same(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Confirm that both pages are one story."""
    row = _known(ctx, form["page"])
    other = query.title(ctx.app.store, row["matched"] or "")
    if row["verdict"] != "suspected" or other is None:
        raise ActionRefusedError("titles.decided_before", title=row["title"])
    return _decide(ctx, row, other["story"], "same")


def _different(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Decide that the page is not a copy, neither of its story nor of the title it was compared with."""
    row = _known(ctx, form["page"])
    if row["verdict"] != "suspected" and row["story"] == row["page"]:
        raise ActionRefusedError("titles.decided_before", title=row["title"])
    other = query.title(ctx.app.store, row["matched"] or "")
    story = row["story"] if row["story"] != row["page"] else (other or row)["story"]
    return _decide(ctx, row, story, "different")


def _known(ctx: RequestContext, page: str) -> MutableRow:
    row = query.title(ctx.app.store, page)
    if row is None:
        raise ActionRefusedError("titles.unknown", 404)
    return row


def _decide(ctx: RequestContext, row: MutableRow, story: str, verdict: Verdict) -> ActionOutcome:
    at = ctx.now.isoformat(timespec="seconds")
    before = decide(ctx.app.store, row["page"], story, verdict, ctx.person.name, at)
    kept = [{name: each[name] for name in _KEPT} for each in before[:_MAX_STORY]]
    return ActionOutcome(row["title"] or row["url"], {"page": row["page"], "story": story, "before": kept})


_KEPT = ("page", "story", "original", "verdict", "matched", "reposts", "delay_hours")


def _undo(ctx: RequestContext, row: Row) -> None:
    forget(ctx.app.store, row["facts"]["page"], row["facts"]["before"])


_PAGE = (Param("page", required=True, says="the key of the page"),)
PAGE = ConsolePage(
    name="titles",
    path="/titles",
    view=_view,
    group="collect",
    params=(
        Param("show", "choice", ("suspected", "stories"), says="pairs to decide (default), or stories with copies"),
        AFTER,
    ),
    actions=(
        Action("same", _same, fields=_PAGE, undo=_undo),
        Action("different", _different, fields=_PAGE, undo=_undo),
    ),
    waits=lambda app_context: query.waiting(app_context.store),
)
