"""Sites: accepted hosts, watched sources, and how sites treat the crawler."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.queries.sites import STATES, access, counted, counts, crawls, site_order, sites, source_profile
from extractors.links.urls import canonical_url, host_of
from pipelines.stores.base import Condition, Row
from pipelines.stores.tables import LET_IN, SITES

_MAX_WAITING = 100


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store, state = ctx.app.store, ctx.params.get("state", "proposed")
    after = cursor_of(ctx.params, len(site_order(state)))
    found = sites(store, state, after)
    return {"counts": counts(store), "crawls": crawls(store), **found.shown()}


def _decide(ctx: RequestContext, form: Mapping[str, Any], state: str) -> ActionOutcome:
    """Set the state of a host if it still has the state that was shown."""
    store, crawl, host, was = ctx.app.store, form["crawl"], form["host"], form["was"]
    if store.get(SITES, crawl, host) is None:
        raise ActionRefusedError("sites.unknown", 404, host=host)
    _change(ctx, crawl, host, was, state)
    return ActionOutcome(host, {"crawl": crawl, "was": was, "to": state})


def _change(ctx: RequestContext, crawl: str, host: str, was: str, state: str) -> None:
    """From one state to another in one step; RefusedError if it was changed concurrently."""
    store = ctx.app.store
    now = store.get(SITES, crawl, host)
    if now is None or now["state"] != was:
        raise ActionRefusedError(
            "sites.faster", host=host, state=ctx.words.maybe(f"sites.state.{(now or {}).get('state')}", "—")
        )
    here = [Condition("crawl", "=", crawl), Condition("host", "=", host), Condition("state", "=", was)]
    store.change(SITES, here, {"state": state}).result()


def _undo(ctx: RequestContext, row: Row) -> None:
    facts = row["facts"]
    _change(ctx, facts["crawl"], row["subject"], facts["to"], facts["was"])


def _add(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Add a site that no crawl has proposed."""
    store, crawl = ctx.app.store, form["crawl"]
    url = canonical_url(form["home"])
    host = host_of(url)
    if not url.startswith(("http://", "https://")) or not host:
        raise ActionRefusedError("sites.no_address", 400)
    if (known := store.get(SITES, crawl, host)) is not None:
        raise ActionRefusedError("sites.faster", host=host, state=ctx.words.maybe(f"sites.state.{known['state']}", "—"))
    row = {"crawl": crawl, "host": host, "home": url, "state": LET_IN, "reason": f"added by {ctx.person.name}"}
    store.upsert(SITES, [row]).result()
    return ActionOutcome(host, {"crawl": crawl})


def _undo_add(ctx: RequestContext, row: Row) -> None:
    store, crawl, host = ctx.app.store, row["facts"]["crawl"], row["subject"]
    now = store.get(SITES, crawl, host)
    if now is None or now["state"] != LET_IN:
        raise ActionRefusedError(
            "sites.faster", host=host, state=ctx.words.maybe(f"sites.state.{(now or {}).get('state')}", "—")
        )
    store.remove(SITES, [Condition("crawl", "=", crawl), Condition("host", "=", host)]).result()


_DECISION = (
    Param("crawl", required=True, says="the crawl that has proposed it"),
    Param("host", required=True),
    Param("was", "choice", STATES, required=True, says="the state in which you saw it"),
)
PAGE = ConsolePage(
    name="sites",
    path="/sites",
    view=_view,
    group="collect",
    params=(Param("state", "choice", STATES), AFTER),
    actions=(
        Action("let_in", partial(_decide, state=LET_IN), fields=_DECISION, undo=_undo),
        Action("reject", partial(_decide, state="rejected"), fields=_DECISION, undo=_undo),
        Action("add", _add, fields=(Param("crawl", required=True), Param("home", required=True)), undo=_undo_add),
    ),
    waits=lambda app_context: counted(app_context.store, "proposed", _MAX_WAITING),
)
SOURCE = ConsolePage(
    name="source",
    path="/sites/source",
    view=lambda ctx: source_profile(ctx.app.store, ctx.params.get("host", ""), ctx.zone, ctx.now),
    params=(Param("host", says="whose pages, delays, copies and gaps are shown"),),
)
ACCESS = ConsolePage(name="access", path="/sites/access", view=lambda ctx: access(ctx.app.settings))
