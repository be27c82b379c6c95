"""A rule of alerts as a form: made, copied, changed, tried on the last 30 days, removed."""

from collections.abc import Mapping
from typing import Any, get_origin

from analysis.alerts import (
    KINDS,
    AlertRuleError,
    DeliveryError,
    NamedRule,
    RuleSet,
    checked_rule,
    forget_rule,
    keep_rule,
    rule_set_of,
    send_test,
    set_state,
)
from console.access.people import Role
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.request_context import RequestContext
from console.queries import alerts as query
from console.queries.topic_overview import is_known, topic_files
from crawler.config.yaml_file import DeclarationError
from pipelines.stores.alert_tables import ALERT_RULES
from pipelines.stores.base import Row

_DAYS = 30
_MAX_NAME_CHARS = 80
_KINDS = tuple(KINDS)
_GRADES = ("notice", "warning", "critical")
_COMMON = ("grade", "channels", "quiet_hours", "urgent", "updates", "ending")
_HOURS = {"quiet_from": "from", "quiet_until": "until"}
_FIELDS = tuple(
    dict.fromkeys(name for rule in KINDS.values() for name in rule.model_fields if name not in (*_COMMON, "kind"))
)


def _view(ctx: RequestContext) -> Mapping[str, Any] | None:
    name = ctx.params.get("rule") or ctx.params.get("copy", "")
    if not name:
        kind = ctx.params.get("kind", "term")
        return _shown(ctx, "", {"kind": kind, **_defaults(kind)}, "")
    _, rules, _ = query.read_rules(ctx.app.store, ctx.app.settings)
    found = next((each for each in rules if each.name == name), None)
    if found is None:
        return None
    is_own = "rule" in ctx.params
    return _shown(ctx, name if is_own else "", found.rule.model_dump(by_alias=True), found.origin if is_own else "")


def _defaults(kind: str) -> dict[str, Any]:
    return {
        name: "" if field.is_required() else field.default
        for name, field in KINDS[kind].model_fields.items()
        if name != "kind"
    }


def _shown(ctx: RequestContext, name: str, values: Mapping[str, Any], origin: str, **more: Any) -> dict[str, Any]:
    rule_set, _, _ = query.read_rules(ctx.app.store, ctx.app.settings)
    kind = values["kind"]
    fields = [
        {"name": each, "is_flag": isinstance(values[each], bool), "value": _text(values[each])}
        for each in KINDS[kind].model_fields
        if each in _FIELDS
    ]
    return {
        "name": name, "kind": kind, "kinds": list(_KINDS), "fields": fields, "origin": origin, "grade": values["grade"],
        "flags": {each: values[each] for each in ("urgent", "updates", "ending")}, "chosen": list(values["channels"]),
        "quiet": {"from": "", "until": ""} | (values["quiet_hours"] or {}), "zone": rule_set.timezone,
        "channels": list(rule_set.channels), "topics": sorted(topic_files(ctx.app.settings)[0]), "preview": None,
    } | more  # fmt: skip


def _text(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, bool) else str(value)


def _filled(ctx: RequestContext, form: Mapping[str, Any]) -> dict[str, Any]:
    """The rule of the form as plain values; refused with the first mistake."""
    kind, values = form["kind"], {"kind": form["kind"]}
    for name, field in KINDS[kind].model_fields.items():
        if name in _FIELDS:
            values |= _value(name, field.annotation, form.get(name, ""), field.is_required())
    values |= {"grade": form.get("grade", "warning"), "channels": form.get("channels", "").split()}
    values |= {name: bool(form.get(name)) for name in ("urgent", "updates", "ending")}
    hours = {key: form[name] for name, key in _HOURS.items() if form.get(name)}
    values |= {"quiet_hours": hours or None}
    try:
        checked_rule(values)
    except AlertRuleError as error:
        raise ActionRefusedError("alert_rule.wrong", 400, error=str(error)) from None
    if not is_known(ctx.app.store, ctx.app.settings, values.get("topic", "")):
        raise ActionRefusedError("reports.no_topic", 400, topic=values["topic"][:60])
    known = _rule_set(ctx).channels
    if unknown := [each for each in values["channels"] if each not in known]:
        raise ActionRefusedError("alert_rule.no_channel", 400, name=unknown[0])
    return values


def _value(name: str, kind: Any, text: str, is_required: bool) -> dict[str, Any]:
    """The typed value of a field, nothing where the default holds."""
    if kind is bool:
        return {name: bool(text)}
    if get_origin(kind) is list:
        return {name: text.split()}
    if not text and not is_required:
        return {}
    try:
        return {name: kind(text) if kind in (int, float) else text}
    except ValueError:
        raise ActionRefusedError("alert_rule.no_number", 400, name=name) from None


def _rule_set(ctx: RequestContext) -> RuleSet:
    try:
        return rule_set_of(ctx.app.settings)
    except DeclarationError:
        return RuleSet()


def _save(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    name, values, store = form["name"][:_MAX_NAME_CHARS], _filled(ctx, form), ctx.app.store
    before = store.get(ALERT_RULES, name)
    if form.get("is_new") and any(each.name == name for each in query.read_rules(store, ctx.app.settings)[1]):
        raise ActionRefusedError("alert_rule.exists", name=name)
    keep_rule(store, name, values, ctx.person.name)
    facts = {"before": before, "after": store.get(ALERT_RULES, name), "kind": values["kind"]}
    return ActionOutcome(name, facts, back="/alerts")


def _try(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    values = _filled(ctx, form)
    name = form["name"][:_MAX_NAME_CHARS]
    entry = NamedRule(name, checked_rule(values))
    found = query.previewed(ctx.app.store, entry, ctx.now, _DAYS, ctx.words.language)
    own = "" if form.get("is_new") else "store"
    return ActionOutcome(name, shown=_shown(ctx, name, entry.rule.model_dump(by_alias=True), own, preview=found))


def _remove(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    before = ctx.app.store.get(ALERT_RULES, form["rule"])
    if before is None or not before["rule"] or before["state"] == "removed":
        raise ActionRefusedError("alert_rule.in_file", name=form["rule"])
    set_state(ctx.app.store, form["rule"], "removed", ctx.person.name)
    facts = {"before": before, "after": ctx.app.store.get(ALERT_RULES, form["rule"])}
    return ActionOutcome(form["rule"], facts, back="/alerts")


def _undo(ctx: RequestContext, row: Row) -> None:
    """As it was, unless somebody has changed the rule since."""
    name, before, store = row["subject"], row["facts"]["before"], ctx.app.store
    if store.get(ALERT_RULES, name) != row["facts"]["after"]:
        raise ActionRefusedError("alerts.rule.faster", name=name)
    forget_rule(store, name)
    if before:
        store.upsert(ALERT_RULES, [before]).result()


def _test(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    channel = _rule_set(ctx).channels.get(form["channel"])
    if channel is None:
        raise ActionRefusedError("alert_rule.no_channel", 404, name=form["channel"])
    link = f"{ctx.app.config.address}alerts" if ctx.app.config.origin else ""
    title, text = ctx.words("alert_rule.test.title"), ctx.words("alert_rule.test.text")
    try:
        send_test(channel, title, text, link, allow_private=ctx.app.settings.getbool("ALLOW_PRIVATE_ADDRESSES"))
    except DeliveryError as error:
        raise ActionRefusedError("alert_rule.not_sent", 502, name=form["channel"], error=str(error)) from None
    return ActionOutcome(form["channel"], back="/alerts")


_RULE_FIELDS = (
    Param("name", required=True, says="of the rule, at most 80 characters"),
    Param("kind", "choice", _KINDS, required=True),
    *(Param(name) for name in _FIELDS),
    Param("grade", "choice", _GRADES),
    Param("channels", "words", says="names of channels with spaces between; none: those of the grade"),
    *(Param(name, "flag") for name in ("urgent", "updates", "ending")),
    *(Param(name, says="of quiet hours, such as 22:00") for name in _HOURS),
    Param("is_new", "flag", says="refuse if there is a rule of this name"),
)
PAGE = ConsolePage(
    name="alert_rule",
    path="/alerts/rule",
    view=_view,
    params=(
        Param("rule", says="to be changed"),
        Param("copy", says="rule whose values a new one begins with"),
        Param("kind", "choice", _KINDS, says="of a new rule"),
    ),
    actions=(
        Action("save", _save, fields=_RULE_FIELDS, undo=_undo),
        Action("try", _try, fields=_RULE_FIELDS, is_view=True),
        Action("remove", _remove, fields=(Param("rule", required=True),), undo=_undo),
        Action("test", _test, Role.ADMIN, (Param("channel", required=True, says="that gets a test message"),)),
    ),
)
