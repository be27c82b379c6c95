"""Alerts: what rules have noticed, acknowledged by people; the rules, and what they would have noticed."""

from collections.abc import Mapping
from typing import Any

from analysis.alerts.rule_set import NamedRule, set_state
from analysis.alerts.state import acknowledge, forget_acknowledgement, unseen
from console.access.people import Role
from console.frame.page import Action, Outcome, Page, Param, RefusedError
from console.frame.paging import unpack_cursor
from console.frame.visit import Visit
from console.queries import alerts as query
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.base import Condition, Row

_DAYS = 30
_MOST_DAYS = 366
_MOST_AT_ONCE = 500


def _view(visit: Visit) -> Mapping[str, Any] | None:
    store, params = visit.desk.store, visit.params
    after = unpack_cursor(params["after"], 1) if "after" in params else ()
    rules, faults = query.read_rules(store, visit.desk.settings)
    one = query.alert(store, params["key"], visit.words.language) if "key" in params else None
    if "key" in params and one is None:
        return None
    chosen = next((entry for entry in rules if entry.name == params.get("preview")), None)
    if "preview" in params and chosen is None:
        return None
    found = query.alerts(store, params, after, visit.words.language)
    days = max(1, min(params.get("days") or _DAYS, _MOST_DAYS))
    return {
        "unseen": unseen(store),
        "one": one,
        "rows": found.rows,
        "after": found.after,
        "looked": found.looked,
        "is_cut": found.is_cut,
        "rules": query.shown_rules(store, rules),
        "faults": faults,
        "preview": query.previewed(store, chosen, visit.now, days) if chosen else None,
    }


def _seen(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    store, key = visit.desk.store, form["key"]
    row = store.get(ALERTS, key)
    if row is None:
        raise RefusedError("alerts.unknown", 404)
    if row["acknowledged_at"]:
        raise RefusedError("alerts.faster", by=row["acknowledged_by"] or "—")
    acknowledge(store, key, visit.person.name, visit.now)
    return Outcome(row["title"] or key, {"keys": [key], "n": 1})


def _all_seen(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    """Every alert up to the newest one that the reader saw."""
    store = visit.desk.store
    where = [Condition("acknowledged_at", "=", ""), Condition("key", "<=", form["until"])]
    where += [Condition("rule", "=", form["rule"])] if form.get("rule") else []
    keys = [row["key"] for row in store.select(ALERTS, where, limit=_MOST_AT_ONCE, columns=["key"])]
    if not keys:
        raise RefusedError("alerts.nothing")
    for key in keys:
        acknowledge(store, key, visit.person.name, visit.now)
    return Outcome(form.get("rule", ""), {"keys": keys, "n": len(keys)})


def _unsee(visit: Visit, row: Row) -> None:
    for key in row["facts"]["keys"]:
        forget_acknowledgement(visit.desk.store, key)


def _known(visit: Visit, name: str) -> NamedRule:
    found = next(
        (each for each in query.read_rules(visit.desk.store, visit.desk.settings)[0] if each.name == name), None
    )
    if found is None:
        raise RefusedError("alerts.rule.unknown", 404, name=name)
    return found


def _pause(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    return _change(visit, form["rule"], "active", "paused")


def _resume(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    return _change(visit, form["rule"], "paused", "active")


def _change(visit: Visit, name: str, before: str, after: str) -> Outcome:
    if _known(visit, name).state != before:
        raise RefusedError("alerts.rule.faster", name=name)
    set_state(visit.desk.store, name, after, visit.person.name)
    return Outcome(name, {"before": before, "after": after})


def _undo_change(visit: Visit, row: Row) -> None:
    name, facts = row["subject"], row["facts"]
    if _known(visit, name).state != facts["after"]:
        raise RefusedError("alerts.rule.faster", name=name)
    set_state(visit.desk.store, name, facts["before"], visit.person.name)


_RULE = (Param("rule", required=True, says="the name of the rule"),)
PAGE = Page(
    name="alerts",
    path="/alerts",
    view=_view,
    group="look",
    params=(
        Param("show", "choice", ("unseen", "all"), says="what nobody has acknowledged (default), or all"),
        Param("rule", says="only of this rule"),
        Param("state", "choice", ("open", "over")),
        Param("key", says="one alert with its messages"),
        Param("preview", says="the rule whose past is previewed"),
        Param("days", "count", says="of the preview (30)"),
        Param("after", says="from the answer before"),
    ),
    actions=(
        Action("seen", _seen, fields=(Param("key", required=True, says="the key of the alert"),), undo=_unsee),
        Action(
            "all_seen",
            _all_seen,
            fields=(Param("until", required=True, says="the newest key that was shown"), Param("rule")),
            undo=_unsee,
        ),
        Action("pause", _pause, Role.ANALYST, _RULE, _undo_change),
        Action("resume", _resume, Role.ANALYST, _RULE, _undo_change),
    ),
    waits=lambda desk: unseen(desk.store),
)
