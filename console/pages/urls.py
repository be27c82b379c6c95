"""URLs by state and host; requeue dead requests, exclude a host."""

from collections.abc import Mapping
from typing import Any

from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Export, Param
from console.frame.paging import cursor_of, unpack_cursor
from console.frame.request_context import RequestContext
from console.queries import urls as query
from crawler.checks.address import facts_of, is_known
from crawler.frontier.base import FrontierError
from pipelines.stores.base import Row
from pipelines.stores.tables import URLS


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store, params = ctx.app.store, ctx.params
    if not params.keys() & {"host", "state", "q"}:
        after = unpack_cursor(params["after"], 1)[0] if "after" in params else ""
        rows, after = query.hosts(store, str(after))
        return {
            "hosts": rows,
            "totals": query.totals(store),
            "rows": None,
            "after": after,
            "looked": 0,
            "is_cut": False,
        }
    found = query.urls(store, params, cursor_of(params, len(query.url_order(params))))
    host = params.get("host", "")
    return {
        "hosts": None,
        "queues": query.queues(ctx.app.settings, host) if host else [],
        "excluded_by": query.excluded_by(store, host) if host else "",
        **found.shown(),
    }


def _requeue(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    try:
        count = query.requeue(ctx.app.settings, form["host"])
    except FrontierError as error:
        raise ActionRefusedError("urls.in_use", error=str(error)) from error
    return ActionOutcome(form["host"], {"n": count})


def _exclude(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    store, host = ctx.app.store, form["host"].lower()
    if by := query.excluded_by(store, host):
        raise ActionRefusedError("urls.excluded_before", host=host, by=by)
    query.exclude(store, host, ctx.person.name, ctx.now.isoformat(timespec="seconds"))
    return ActionOutcome(host)


def _include(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    store, host = ctx.app.store, form["host"].lower()
    by = query.excluded_by(store, host)
    if not by:
        raise ActionRefusedError("urls.included_before", host=host)
    query.include(store, host)
    return ActionOutcome(host, {"by": by})


def _undo_include(ctx: RequestContext, row: Row) -> None:
    query.exclude(ctx.app.store, row["subject"], row["facts"]["by"], ctx.now.isoformat(timespec="seconds"))


def _why(ctx: RequestContext) -> Mapping[str, Any]:
    """The output of `scrapy why` for an address, stored or not."""
    url = ctx.params.get("url", "")
    try:
        facts = facts_of(ctx.app.settings, url, ctx.app.store) if url else {}
    except (ValueError, FrontierError) as error:  # a page may claim any address
        return {"url": url, "facts": {}, "is_known": False, "fault": str(error)}
    return {"url": url, "facts": facts, "is_known": is_known(facts), "fault": ""}


_HOST = (Param("host", required=True),)
WHY = ConsolePage(
    name="why",
    is_costly=True,
    path="/urls/why",
    view=_why,
    params=(Param("url", says="an address, whether a page of it is stored or not"),),
)
PAGE = ConsolePage(
    name="urls",
    path="/urls",
    view=_view,
    group="collect",
    params=(
        Param("host", says="only URLs of this host"),
        Param("state", "choice", query.STATES),
        Param("q", says="a part of the address or of the reason"),
        AFTER,
    ),
    actions=(
        Action("requeue", _requeue, fields=_HOST),
        Action("exclude", _exclude, fields=_HOST, undo=lambda ctx, row: query.include(ctx.app.store, row["subject"])),
        Action("include", _include, fields=_HOST, undo=_undo_include),
    ),
    export=Export([URLS.column(name) for name in query.COLUMNS], lambda ctx: query.all_urls(ctx.app.store, ctx.params)),
)
