"""A person's own settings: language, time zone, topics, and lists as feeds or messages."""

import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from analysis.alerts import AlertRuleError, NamedRule, RuleSet, keep_rule, set_state
from console.access.passwords import is_password
from console.access.people import Role
from console.config import is_zone
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.params import ParamError, read_params
from console.frame.request_context import RequestContext
from console.frame.word_catalogue import LANGUAGES
from console.pages.alerts import PAGE as ALERTS
from console.pages.articles import PAGE as ARTICLES
from console.pages.events import PAGE as EVENTS
from console.queries.alerts import read_rules, shown_rules
from console.queries.finding import whole_query
from console.queries.topic_overview import topic_files
from pipelines.stores.alert_tables import ALERT_RULES

LISTS = {page.name: page for page in (ARTICLES, EVENTS, ALERTS)}
_MAX_FEEDS = 50
_ASKED = ("q", "host", "kind", "topic", "language")
"""Filters of articles that a query can say."""


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    person, settings = ctx.person, ctx.app.settings
    rule_set, subscribed = _subscribed(ctx)
    feeds = [
        {name: row[name] for name in ("key", "label", "created_at", "ends_at")}
        | {"list": row["feed"].get("page"), "params": row["feed"].get("params") or {}}
        for row in ctx.app.sessions.tokens(person.name)
        if row["feed"]
    ]
    return {
        "feeds": feeds,
        "subscriptions": shown_rules(ctx.app.store, rule_set, subscribed),
        "channels": list(rule_set.channels),
        "language": person.language,
        "zone": person.zone,
        "topics": sorted({*topic_files(settings)[0], *person.topics}),
        "own": list(person.topics),
        "has_account": ctx.app.people.get(person.name) is not None,
    }


def _subscribed(ctx: RequestContext) -> tuple[RuleSet, list[NamedRule]]:
    """The declared channels, and the person's subscriptions."""
    rule_set, rules, _ = read_rules(ctx.app.store, ctx.app.settings)
    by = {row["name"]: row["by"] for row in ctx.app.store.select(ALERT_RULES, columns=["name", "by"])}
    mine = [each for each in rules if each.rule.kind == "subscription" and by.get(each.name) == ctx.person.name]
    return rule_set, mine


def _filters(ctx: RequestContext, form: Mapping[str, Any]) -> dict[str, str]:
    """The filters that the form gives, as they stand in an address, without the place in the list."""
    given = dict(parse_qsl(form.get("query", ""))[:50])
    try:
        params = read_params(LISTS[form["list"]].params, given)
    except ParamError as error:
        raise ActionRefusedError("mine.wrong", 400, error=str(error)) from None
    return {name: given[name].strip() for name in params if name not in ("after", "key", "preview")}


def _subscribe(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """A rule of the kind `subscription` of this person."""
    filters, name = _filters(ctx, form), form["label"]
    unsaid = [each for each in filters if each not in (*_ASKED, "sort")] if form["list"] == ARTICLES.name else ["list"]
    if unsaid:
        raise ActionRefusedError("mine.no_query", 400, name=unsaid[0])
    (rule_set, mine), taken = _subscribed(ctx), read_rules(ctx.app.store, ctx.app.settings)[1]
    if len(mine) >= _MAX_FEEDS or any(each.name == name for each in taken):
        raise ActionRefusedError(
            "mine.many" if len(mine) >= _MAX_FEEDS else "alert_rule.exists", name=name, n=_MAX_FEEDS
        )
    if form["channel"] not in rule_set.channels:
        raise ActionRefusedError("alert_rule.no_channel", 400, name=form["channel"])
    term = whole_query(filters, ctx.zone, ("host", "kind", "topic", "language"))
    values = {"kind": "subscription", "term": term, "channels": [form["channel"]],
              "every": form.get("every", "day"), "at": form.get("at", "08:00"), "zone": str(ctx.zone), "updates": False}  # fmt: skip
    try:
        keep_rule(ctx.app.store, name, values, ctx.person.name)
    except AlertRuleError as error:
        raise ActionRefusedError("alert_rule.wrong", 400, error=str(error)) from None
    return ActionOutcome(name, {"term": term})


def _feed(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    page, kept = LISTS[form["list"]], _filters(ctx, form)
    sessions, name = ctx.app.sessions, ctx.person.name
    if sum(1 for row in sessions.tokens(name) if row["feed"]) >= _MAX_FEEDS:
        raise ActionRefusedError("mine.many", n=_MAX_FEEDS)
    label = form.get("label") or ctx.words(f"{page.name}.nav")
    feed = {"page": page.name, "params": kept, "zone": str(ctx.zone), "language": ctx.words.tag}
    secret = sessions.add_feed(name, label, feed)
    address = f"{ctx.app.config.address}feeds/{secret}"
    return ActionOutcome(label, {"list": page.name}, secret=f"{address}.atom {address}.json")


def _end_feed(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Only one's own."""
    row = next(
        (row for row in ctx.app.sessions.tokens(ctx.person.name) if row["key"] == form["key"] and row["feed"]), None
    )
    if row is None:
        raise ActionRefusedError("mine.unknown", 404)
    ctx.app.sessions.end_token(row["key"])
    return ActionOutcome(row["label"] or row["key"][:8])


def _prefer(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    name, zone = ctx.person.name, form.get("zone", "")
    if ctx.app.people.get(name) is None:
        raise ActionRefusedError("mine.no_account")
    if zone and not is_zone(zone):
        raise ActionRefusedError("mine.no_zone", 400, zone=zone[:60])
    language = form.get("language", "")
    ctx.app.people.set_preferences(
        name, language, zone, form.get("topics", "").split("\n") if form.get("topics") else []
    )
    return ActionOutcome(name, back=f"/mine?lang={language}" if language else "/mine")


def _password(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Only with the old one, which may be tried as often as at a log-in; ends every session and token."""
    name, people, throttle = ctx.person.name, ctx.app.people, ctx.app.throttle
    account = people.get(name)
    if account is None or ctx.person.is_program:
        raise ActionRefusedError("mine.no_account", 403)
    if (wait := throttle.admit(name, ctx.address)) > 0:
        raise ActionRefusedError("frame.login.wait", 429, minutes=math.ceil(wait / 60))
    if not is_password(form["old"], str(account["password"])):
        raise ActionRefusedError("mine.password.wrong", 403)
    throttle.succeeded(name, ctx.address)
    try:
        people.set_password(name, form["new"])
    except ValueError as error:
        raise ActionRefusedError("users.invalid", 400, error=str(error)) from None
    ctx.app.sessions.end_all(name)
    return ActionOutcome(name)


_LIST = (
    Param("list", "choice", tuple(LISTS), required=True),
    Param("query", says="filters of the list, as in its address"),
    Param("label", says="its name"),
)
_KEY = Param("key", required=True)
PAGE = ConsolePage(
    name="mine",
    path="/mine",
    view=_view,
    group="manage",
    params=(
        Param("list", "choice", tuple(LISTS), says="the list of which a feed is to be made"),
        Param("query", says="its filters, as in its address"),
    ),
    actions=(
        Action(
            "feed",
            _feed,
            Role.VIEWER,
            _LIST,
        ),
        Action(
            "subscribe",
            _subscribe,
            fields=(
                *_LIST[:2],
                Param("label", required=True, says="its name"),
                Param("channel", required=True, says="that gets the messages"),
                Param("every", "choice", ("now", "hour", "day"), says="at once, hourly or daily (default)"),
                Param("at", says="of daily ones: 08:00"),
            ),
            undo=lambda ctx, row: set_state(ctx.app.store, row["subject"], "removed", ctx.person.name),
        ),
        Action("end_feed", _end_feed, Role.VIEWER, (_KEY,)),
        Action("password", _password, Role.VIEWER, (Param("old", required=True), Param("new", required=True))),
        Action(
            "prefer",
            _prefer,
            Role.VIEWER,
            (
                Param("language", "choice", LANGUAGES),
                Param("zone", says="a time zone such as Asia/Shanghai"),
                Param("topics", "lines", says="own topics, one a line, which lists show first"),
            ),
        ),
    ),
)
