"""Engines: the queries of each term at each engine, and the yield of terms and engines."""

from collections.abc import Mapping
from typing import Any

from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of, pack_cursor
from console.frame.request_context import RequestContext
from console.queries import engines as query

_MAX_WAITING = 100


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store, params = ctx.app.store, ctx.params
    known = query.crawls(store)
    crawl = params.get("crawl") or query.newest(store, known)
    found, terms, looked = query.tally(store, crawl)
    after = cursor_of(params, 3)
    rows, last = query.shown_terms(terms, params, after)
    engines, fault = query.described(ctx.app.settings, found, store)
    return {
        "crawl": crawl,
        "crawls": known,
        "engines": engines,
        "fault": fault,
        "terms": len(terms),
        "rows": rows,
        "after": pack_cursor(last) if last else "",
        "looked": looked,
        "is_cut": looked == query.MAX_READ,
    }


def _queries(ctx: RequestContext) -> Mapping[str, Any]:
    store, params = ctx.app.store, ctx.params
    crawl = params.get("crawl") or query.newest(store, query.crawls(store))
    after = cursor_of(params, 3)
    found = query.queries(store, {**params, "crawl": crawl}, after)
    return {"crawl": crawl, **found.shown()}


def _again(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    count = query.ask_again(ctx.app.store, form["crawl"], form["engine"])
    if not count:
        raise ActionRefusedError("engines.nothing_unread", engine=form["engine"])
    return ActionOutcome(form["engine"], {"crawl": form["crawl"], "n": count})


PAGE = ConsolePage(
    name="engines",
    path="/engines",
    view=_view,
    group="collect",
    params=(
        Param("crawl", says="the meta-search; without it the one that ran last"),
        Param("q", says="a part of the term"),
        Param("state", "choice", query.STATES, says="only terms with a query page in this state"),
        Param("sort", "choice", query.SORTS),
        AFTER,
    ),
    actions=(
        Action(
            "again",
            _again,
            fields=(
                Param("crawl", required=True),
                Param("engine", required=True, says="repeat its queries with unreadable responses"),
            ),
        ),
    ),
    waits=lambda app_context: query.in_backoff(app_context.store, app_context.now().timestamp(), _MAX_WAITING),
)
QUERIES_PAGE = ConsolePage(
    name="queries",
    path="/engines/queries",
    view=_queries,
    params=(
        Param("crawl", says="the meta-search; without it the one that ran last"),
        Param("engine"),
        Param("words", says="the whole term"),
        Param("state", "choice", query.STATES),
        AFTER,
    ),
)
