"""A channel of messages as a form; secrets stay in the environment, the form names their variables."""

from collections.abc import Mapping
from typing import Any, get_args

from analysis.alerts import (
    CHANNEL_KINDS,
    AlertRuleError,
    checked_channel,
    forget_channel,
    keep_channel,
    missing_secrets,
    rule_set_of,
)
from console.access.people import Role
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.request_context import RequestContext
from console.queries import nodes
from console.queries.alerts import read_rules
from crawler.config.yaml_file import DeclarationError
from pipelines.stores.base import Row

PREFIX = "CHANNEL_"
"""Of variables that a form may name: whoever writes the environment decides which secrets channels made here can send somewhere."""
_KINDS = tuple(CHANNEL_KINDS)
_OF_FILE = ("kind", "template", "ca_file")
"""Fields that only the file changes."""
_NUMBERS = ("port", "priority")
_FIELDS = tuple(
    dict.fromkeys(name for kind in CHANNEL_KINDS.values() for name in kind.model_fields if name not in _OF_FILE)
)
_HEAD = "timezone: {zone}\nlanguage: {language}\nchannels:\n"


def _view(ctx: RequestContext) -> Mapping[str, Any] | None:
    name = ctx.params.get("channel", "")
    if not name:
        return _shown(ctx.params.get("kind", _KINDS[0]), {}, "")
    values = _stored(ctx, name)
    return None if values is None else _shown(values["kind"], values, name)


def _shown(kind: str, values: Mapping[str, Any], name: str) -> dict[str, Any]:
    fields = [
        {"name": each, "value": _text(values.get(each, "" if field.is_required() else field.default)),
         "is_variable": each.endswith("_from"), "is_required": field.is_required(),
         "choices": list(get_args(field.annotation)) if each == "security" else []}
        for each, field in CHANNEL_KINDS[kind].model_fields.items()
        if each not in _OF_FILE
    ]  # fmt: skip
    return {"name": name, "kind": kind, "kinds": list(_KINDS), "fields": fields, "prefix": PREFIX}


def _text(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _stored(ctx: RequestContext, name: str) -> dict[str, Any] | None:
    """The values of a channel of the file; None if there is none."""
    try:
        channel = rule_set_of(ctx.app.settings).channels.get(name)
    except DeclarationError as error:
        raise ActionRefusedError("alert_channel.wrong", error=str(error)) from None
    return channel.model_dump(exclude_defaults=True) if channel else None


def _filled(form: Mapping[str, Any], before: Mapping[str, Any] | None) -> dict[str, Any]:
    """The channel of the form as plain values, with what only the file changes; refused with the first mistake."""
    kind = form["kind"]
    kept = {name: before[name] for name in _OF_FILE if before and before["kind"] == kind and name in before}
    values = {**kept, "kind": kind}
    for name in CHANNEL_KINDS[kind].model_fields:
        if name in _FIELDS and (text := form.get(name, "").strip()):
            values[name] = _value(name, text)
    try:
        checked_channel(values)
    except AlertRuleError as error:
        raise ActionRefusedError("alert_channel.wrong", 400, error=str(error)) from None
    others = [value for name, value in values.items() if name.endswith("_from") and not value.startswith(PREFIX)]
    if others:
        raise ActionRefusedError("alert_channel.no_prefix", 400, name=others[0], prefix=PREFIX)
    return values


def _value(name: str, text: str) -> Any:
    if name == "to":
        return text.replace(",", " ").split()
    if name not in _NUMBERS:
        return text
    if not text.isdecimal() or len(text) > 6:
        raise ActionRefusedError("alert_rule.no_number", 400, name=name)
    return int(text)


def _save(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    name, before = form["name"], _stored(ctx, form["name"])
    if form.get("is_new") and before is not None:
        raise ActionRefusedError("alert_channel.exists", name=name)
    values = _filled(form, before)
    _keep(ctx, name, values)
    missing = missing_secrets(checked_channel(values))
    return ActionOutcome(name, {"before": before, "after": _stored(ctx, name), "missing": missing}, back="/alerts")


def _keep(ctx: RequestContext, name: str, values: Mapping[str, Any]) -> None:
    try:
        keep_channel(ctx.app.settings, name, values, _HEAD.format(zone=ctx.zone, language=ctx.words.language))
    except (AlertRuleError, DeclarationError) as error:
        raise ActionRefusedError("alert_channel.wrong", error=str(error)) from None


def _remove(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    name = form["channel"]
    before = _stored(ctx, name)
    if before is None:
        raise ActionRefusedError("alert_rule.no_channel", 404, name=name)
    if user := _user_of(ctx, name):
        raise ActionRefusedError("alert_channel.used", name=name, user=user)
    _forget(ctx, name)
    return ActionOutcome(name, {"before": before, "after": None}, back="/alerts")


def _forget(ctx: RequestContext, name: str) -> None:
    try:
        forget_channel(ctx.app.settings, name)
    except DeclarationError as error:
        raise ActionRefusedError("alert_channel.wrong", error=str(error)) from None


def _user_of(ctx: RequestContext, name: str) -> str:
    """A rule or a planned report that sends to it."""
    plan, _ = nodes.plan_of(ctx.app.settings)
    rules = [(each.name, each.rule.channels) for each in read_rules(ctx.app.store, ctx.app.settings)[1]]
    reports = [(each, report.send) for each, report in plan.reports.items()] if plan else []
    return next((user for user, channels in [*rules, *reports] if name in channels), "")


def _undo(ctx: RequestContext, row: Row) -> None:
    """As it was, unless somebody has changed the channel since."""
    name, facts = row["subject"], row["facts"]
    if _stored(ctx, name) != facts["after"]:
        raise ActionRefusedError("alert_channel.faster", name=name)
    if facts["before"] is None:
        _forget(ctx, name)
    else:
        _keep(ctx, name, facts["before"])


PAGE = ConsolePage(
    name="alert_channel",
    path="/alerts/channel",
    view=_view,
    role=Role.ADMIN,
    params=(Param("channel", says="to be changed"), Param("kind", "choice", _KINDS, says="of a new channel")),
    actions=(
        Action(
            "save",
            _save,
            Role.ADMIN,
            (
                Param("name", required=True, says="of the channel: letters, digits, - and _, at most 40"),
                Param("kind", "choice", _KINDS, required=True),
                *(Param(name, says=f"name of a variable that begins with {PREFIX}" if name.endswith("_from") else "") for name in _FIELDS),
                Param("is_new", "flag", says="refuse if there is a channel of this name"),
            ),
            _undo,
        ),
        Action("remove", _remove, Role.ADMIN, (Param("channel", required=True),), _undo),
    ),
)  # fmt: skip
