"""Decisions with their undo, and the audit log of other actions."""

from collections.abc import Callable, Mapping
from typing import Any

from console.access.people import Role
from console.frame.page import AFTER, ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.queries.audit import acts
from pipelines.stores.base import Row, Table
from pipelines.stores.people_tables import AUDIT, DECISIONS

_HIDDEN = ("before", "after")
"""Facts needed only by the undo."""
_PARAMS = (
    Param("by", says="only of this person"),
    Param("q", says="a part of what was done, or of what it was about"),
    AFTER,
)


def _view_of(table: Table) -> Callable[[RequestContext], Mapping[str, Any]]:
    def view(ctx: RequestContext) -> Mapping[str, Any]:
        after = cursor_of(ctx.params, 1)
        found = acts(ctx.app.store, table, ctx.params, after)
        for row in found.rows:
            row["sentence"] = _sentence(ctx, row)
            row["facts"] = {name: value for name, value in (row["facts"] or {}).items() if name not in _HIDDEN}
        return found.shown()

    return view


def _sentence(ctx: RequestContext, row: Row) -> str:
    """The sentence shown after the decision; "" if there is none."""
    page, _, action = str(row["action"]).partition(".")
    return ctx.words.stored(f"{page}.done.{action}", "", {**(row["facts"] or {}), "subject": row["subject"] or ""})


PAGE = ConsolePage("decisions", "/decisions", _view_of(DECISIONS), _PARAMS, Role.VIEWER, "manage")
AUDIT_PAGE = ConsolePage("audit", "/audit", _view_of(AUDIT), _PARAMS, Role.ADMIN, "manage")
