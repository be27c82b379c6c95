"""Alerts and their acknowledgement; alert rules and their previews."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from analysis.alerts import NamedRule, set_state
from analysis.alerts.state import acknowledge, forget_acknowledgement, unseen
from console.access.people import Role
from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, ListEntry, ListFeed, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.queries import alerts as query
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.base import Condition, Row

_DEFAULT_DAYS = 30
_MAX_DAYS = 366
_MAX_BATCH_ALERTS = 500


def _view(ctx: RequestContext) -> Mapping[str, Any] | None:
    store, params = ctx.app.store, ctx.params
    after = cursor_of(params, 1)
    rule_set, rules, faults = query.read_rules(store, ctx.app.settings)
    one = query.alert(store, params["key"], ctx.words.language) if "key" in params else None
    if "key" in params and one is None:
        return None
    chosen = next((entry for entry in rules if entry.name == params.get("preview")), None)
    if "preview" in params and chosen is None:
        return None
    found = query.alerts(store, params, after, ctx.words.language)
    days = max(1, min(params.get("days") or _DEFAULT_DAYS, _MAX_DAYS))
    return {
        "unseen": unseen(store),
        "one": one,
        **found.shown(),
        "rules": query.shown_rules(store, rule_set, rules),
        "faults": faults,
        "channels": query.channels_of(rule_set),
        "hours": query.hours_of(rule_set),
        "zone": rule_set.timezone,
        "preview": query.previewed(store, chosen, ctx.now, days, ctx.words.language) if chosen else None,
    }


def _seen(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    store, key = ctx.app.store, form["key"]
    row = store.get(ALERTS, key)
    if row is None:
        raise ActionRefusedError("alerts.unknown", 404)
    if row["acknowledged_at"]:
        raise ActionRefusedError("alerts.faster", by=row["acknowledged_by"] or "—")
    acknowledge(store, key, ctx.person.name, ctx.now)
    return ActionOutcome(row["title"] or key, {"keys": [key], "n": 1})


def _all_seen(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """All alerts up to the newest one that was shown."""
    store = ctx.app.store
    where = [Condition("acknowledged_at", "=", ""), Condition("key", "<=", form["until"])]
    where += [Condition("rule", "=", form["rule"])] if form.get("rule") else []
    keys = [row["key"] for row in store.select(ALERTS, where, limit=_MAX_BATCH_ALERTS, columns=["key"])]
    if not keys:
        raise ActionRefusedError("alerts.nothing")
    for key in keys:
        acknowledge(store, key, ctx.person.name, ctx.now)
    return ActionOutcome(form.get("rule", ""), {"keys": keys, "n": len(keys)})


def _unsee(ctx: RequestContext, row: Row) -> None:
    for key in row["facts"]["keys"]:
        forget_acknowledgement(ctx.app.store, key)


def _known(ctx: RequestContext, name: str) -> NamedRule:
    found = next((each for each in query.read_rules(ctx.app.store, ctx.app.settings)[1] if each.name == name), None)
    if found is None:
        raise ActionRefusedError("alerts.rule.unknown", 404, name=name)
    return found


def _change(ctx: RequestContext, form: Mapping[str, Any], *, before: str, after: str) -> ActionOutcome:
    name = form["rule"]
    if _known(ctx, name).state != before:
        raise ActionRefusedError("alerts.rule.faster", name=name)
    set_state(ctx.app.store, name, after, ctx.person.name)
    return ActionOutcome(name, {"before": before, "after": after})


def _undo_change(ctx: RequestContext, row: Row) -> None:
    name, facts = row["subject"], row["facts"]
    if _known(ctx, name).state != facts["after"]:
        raise ActionRefusedError("alerts.rule.faster", name=name)
    set_state(ctx.app.store, name, facts["before"], ctx.person.name)


_RULE = (Param("rule", required=True, says="the name of the rule"),)
PAGE = ConsolePage(
    name="alerts",
    path="/alerts",
    view=_view,
    group="look",
    params=(
        Param("show", "choice", ("unseen", "all"), says="unacknowledged alerts (default), or all"),
        Param("rule", says="only of this rule"),
        Param("state", "choice", ("open", "over")),
        Param("key", says="one alert with its messages"),
        Param("preview", says="the rule whose past is previewed"),
        Param("days", "count", says="of the preview (30)"),
        AFTER,
    ),
    actions=(
        Action("seen", _seen, fields=(Param("key", required=True, says="the key of the alert"),), undo=_unsee),
        Action(
            "all_seen",
            _all_seen,
            fields=(Param("until", required=True, says="the newest key that was shown"), Param("rule")),
            undo=_unsee,
        ),
        Action("pause", partial(_change, before="active", after="paused"), Role.ANALYST, _RULE, _undo_change),
        Action("resume", partial(_change, before="paused", after="active"), Role.ANALYST, _RULE, _undo_change),
    ),
    feed=ListFeed(
        lambda row: ListEntry(
            f"/alerts?key={row['key']}", row["title"] or row["rule"], row["begin"] or "", row["text"] or ""
        ),
        {"show": "all"},
    ),
    waits=lambda app_context: unseen(app_context.store),
)
