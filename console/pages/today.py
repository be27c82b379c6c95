"""Today: events by number of sites, new events, alerts, and the health of the collection."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from analysis.alerts.state import acknowledge, forget_acknowledgement
from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of, pack_cursor
from console.frame.params import ParamError
from console.frame.request_context import RequestContext
from console.queries import today as query
from console.queries.topic_overview import topic_files
from pipelines.stores.alert_tables import ALERTS


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store, params = ctx.app.store, ctx.params
    until = _until(ctx)
    rows, is_cut, least = query.happenings(store, until, params.get("topic", ""))
    after = cursor_of(params, 3)
    shown, last = query.shown(rows, params.get("sort", "sites"), params.get("state"), after)
    hours = query.hours(store, shown, until)
    for row in shown:
        row["hours"] = hours[row["event"]]
    unseen, alerts = query.alerts(store, ctx.words.language)
    return {
        "since": (until - timedelta(days=1)).isoformat(timespec="seconds"),
        "until": until.isoformat(timespec="seconds"),
        "is_past": until < ctx.now,
        "day_before": ((until - timedelta(days=1)).astimezone(ctx.zone).date()).isoformat(),
        "counts": {state: sum(row["state"] == state for row in rows) for state in query.STATES},
        "least": least,
        "topics": sorted({row["topic"] for row in rows if row["topic"]}),
        "rows": shown,
        "after": pack_cursor(last) if last else "",
        "looked": len(rows),
        "is_cut": is_cut,
        "has_events": bool(rows) or query.has_events(store),
        "came": [] if rows or until < ctx.now or "topic" in params else query.came(store, ctx.now),
        "steps": query.first_steps(store, topic_files(ctx.app.settings)[0]),
        "collection": query.collection(store, ctx.now, until),
        "unseen": unseen,
        "alerts": alerts,
    }


def _until(ctx: RequestContext) -> datetime:
    """The end of the day that is asked for, in the reader's zone, or now."""
    if "to" not in ctx.params:
        return ctx.now
    try:
        end = datetime.combine(date.fromisoformat(ctx.params["to"]) + timedelta(days=1), time(), ctx.zone)
        if end.year < 1971:
            raise OverflowError
    except OverflowError:
        raise ParamError("to is a day such as 2026-11-22") from None
    return min(end, ctx.now)


def _seen(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    store = ctx.app.store
    row = store.get(ALERTS, form["alert"])
    if row is None:
        raise ActionRefusedError("today.no_alert", 404)
    if row["acknowledged_at"]:
        raise ActionRefusedError("today.seen_before", by=row["acknowledged_by"] or "—")
    acknowledge(store, form["alert"], ctx.person.name, ctx.now)
    return ActionOutcome(row["title"] or row["rule"] or "", {"alert": form["alert"]})


PAGE = ConsolePage(
    name="today",
    path="/today",
    view=_view,
    group="look",
    params=(
        Param("topic", says="only events of this topic"),
        Param(
            "state",
            "choice",
            query.STATES,
            says="new: first reported in these 24 hours; fading: fewer sites join than the day before",
        ),
        Param("sort", "choice", query.SORTS),
        Param("to", "date", says="the day whose last 24 hours are shown; without it, the 24 hours before now"),
        AFTER,
    ),
    actions=(
        Action(
            "seen",
            _seen,
            fields=(Param("alert", required=True, says="key of the alert"),),
            undo=lambda ctx, row: forget_acknowledgement(ctx.app.store, row["facts"]["alert"]),
        ),
    ),
)
