"""Users: accounts, their roles, and the tokens of programs."""

from collections.abc import Callable, Mapping
from typing import Any

from console.access.people import LastAdminError, Role
from console.access.sessions import SCOPES
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.request_context import RequestContext
from pipelines.stores.base import Row

ROLES = tuple(str(role) for role in Role)


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    tokens = [{name: value for name, value in row.items() if name != "state"} for row in ctx.app.sessions.tokens()]
    return {"users": list(ctx.app.people.all()), "tokens": tokens}


def _add(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    if form["role"] != str(Role.ADMIN) and not ctx.app.people.any():
        raise ActionRefusedError("users.first_admin", 400)
    _checked(lambda: ctx.app.people.add(form["name"], Role.named(form["role"]), form["password"]))
    return ActionOutcome(form["name"], {"role": form["role"]})


def _role(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    row = _account(ctx, form["name"])
    _keeping_an_admin(lambda: ctx.app.people.set_role(form["name"], Role.named(form["role"])))
    return ActionOutcome(form["name"], {"role": form["role"], "before": row["role"]})


def _undo_role(ctx: RequestContext, row: Row) -> None:
    _keeping_an_admin(lambda: ctx.app.people.set_role(row["subject"], Role.named(row["facts"]["before"])))


def _disable(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    _account(ctx, form["name"])
    _keeping_an_admin(lambda: ctx.app.people.set_active(form["name"], False))
    ctx.app.sessions.end_all(form["name"])
    return ActionOutcome(form["name"])


def _enable(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    name = form["name"]
    _checked(lambda: ctx.app.people.set_active(name, True))
    return ActionOutcome(name)


def _password(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Also ends every session and token of the account."""
    _account(ctx, form["name"])
    _checked(lambda: ctx.app.people.set_password(form["name"], form["password"]))
    ctx.app.sessions.end_all(form["name"])
    return ActionOutcome(form["name"])


def _token(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    _account(ctx, form["name"])
    scopes = SCOPES if form["scope"] == "decide" else SCOPES[:1]
    secret = ctx.app.sessions.add_token(form["name"], form.get("label", ""), scopes)
    return ActionOutcome(form["name"], {"scope": form["scope"]}, secret=secret)


def _end_token(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    ctx.app.sessions.end_token(form["key"])
    return ActionOutcome(form["key"][:8])


def _account(ctx: RequestContext, name: str) -> Row:
    row = ctx.app.people.get(name)
    if row is None:
        raise ActionRefusedError("users.unknown", 404, name=name)
    return row


def _keeping_an_admin(change: Callable[[], None]) -> None:
    try:
        change()
    except LastAdminError as error:
        raise ActionRefusedError("users.last_admin") from error


def _checked(change: Any) -> None:
    try:
        change()
    except ValueError as error:
        raise ActionRefusedError("users.invalid", 400, error=str(error)) from error


_NAME = Param("name", required=True)
_ROLE = Param("role", "choice", ROLES, required=True)
PAGE = ConsolePage(
    name="users",
    path="/users",
    view=_view,
    role=Role.ADMIN,
    group="manage",
    actions=(
        Action("add", _add, Role.ADMIN, (_NAME, _ROLE, Param("password", required=True))),
        Action("role", _role, Role.ADMIN, (_NAME, _ROLE), _undo_role),
        Action(
            "disable", _disable, Role.ADMIN, (_NAME,), lambda ctx, row: ctx.app.people.set_active(row["subject"], True)
        ),
        Action("enable", _enable, Role.ADMIN, (_NAME,)),
        Action("password", _password, Role.ADMIN, (_NAME, Param("password", required=True, says="the new one"))),
        Action("token", _token, Role.ADMIN, (_NAME, Param("label"), Param("scope", "choice", SCOPES, required=True))),
        Action("end_token", _end_token, Role.ADMIN, (Param("key", required=True),)),
    ),
)
