"""Users: accounts, their roles, and the tokens of programs."""

from collections.abc import Mapping
from typing import Any

from console.access.people import Role
from console.access.sessions import SCOPES
from console.frame.page import Action, Outcome, Page, Param, RefusedError
from console.frame.visit import Visit
from pipelines.stores.base import Row

ROLES = tuple(str(role) for role in Role)


def _view(visit: Visit) -> Mapping[str, Any]:
    tokens = [{name: value for name, value in row.items() if name != "state"} for row in visit.desk.sessions.tokens()]
    return {"users": list(visit.desk.people.all()), "tokens": tokens}


def _add(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    _checked(lambda: visit.desk.people.add(form["name"], Role.named(form["role"]), form["password"]))
    return Outcome(form["name"], {"role": form["role"]})


def _role(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    row = _account(visit, form["name"])
    if row["role"] == str(Role.ADMIN) != form["role"]:
        _keep_an_admin(visit)
    visit.desk.people.set_role(form["name"], Role.named(form["role"]))
    return Outcome(form["name"], {"role": form["role"], "before": row["role"]})


def _undo_role(visit: Visit, row: Row) -> None:
    visit.desk.people.set_role(row["subject"], Role.named(row["facts"]["before"]))


def _disable(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    if _account(visit, form["name"])["role"] == str(Role.ADMIN):
        _keep_an_admin(visit)
    visit.desk.people.set_active(form["name"], False)
    visit.desk.sessions.end_all(form["name"])
    return Outcome(form["name"])


def _enable(visit: Visit, row: Row) -> None:
    visit.desk.people.set_active(row["subject"], True)


def _token(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    _account(visit, form["name"])
    scopes = SCOPES if form["scope"] == "decide" else SCOPES[:1]
    secret = visit.desk.sessions.add_token(form["name"], form.get("label", ""), scopes)
    return Outcome(form["name"], {"scope": form["scope"]}, secret=secret)


def _end_token(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    visit.desk.sessions.end_token(form["key"])
    return Outcome(form["key"][:8])


def _account(visit: Visit, name: str) -> Row:
    row = visit.desk.people.get(name)
    if row is None:
        raise RefusedError("users.unknown", 404, name=name)
    return row


def _keep_an_admin(visit: Visit) -> None:
    if visit.desk.people.admins() < 2:
        raise RefusedError("users.last_admin")


def _checked(change: Any) -> None:
    try:
        change()
    except ValueError as error:
        raise RefusedError("users.invalid", 400, error=str(error)) from error


_NAME = Param("name", required=True)
_ROLE = Param("role", "choice", ROLES, required=True)
PAGE = Page(
    name="users",
    path="/users",
    view=_view,
    role=Role.ADMIN,
    group="manage",
    actions=(
        Action("add", _add, Role.ADMIN, (_NAME, _ROLE, Param("password", required=True))),
        Action("role", _role, Role.ADMIN, (_NAME, _ROLE), _undo_role),
        Action("disable", _disable, Role.ADMIN, (_NAME,), _enable),
        Action("token", _token, Role.ADMIN, (_NAME, Param("label"), Param("scope", "choice", SCOPES, required=True))),
        Action("end_token", _end_token, Role.ADMIN, (Param("key", required=True),)),
    ),
)
