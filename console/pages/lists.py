"""Lists of any shape: how each was read, what has changed its shape; an address is tried, and its recipe saved."""

import re
from collections.abc import Mapping
from typing import Any

from console.access.people import Role
from console.frame.page import AFTER, Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.queries import list_states as query
from extractors.links.urls import canonical_url

_MAX_WAITING, _MAX_TITLES = 100, 5
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    store, counts = ctx.app.store, query.counts(ctx.app.store)
    state = ctx.params.get("state") or next((each for each in query.STATES if counts[each]), "read")
    found = query.lists(store, state, cursor_of(ctx.params, 1))
    key = ctx.params.get("key", "")
    answers = query.answers(store, key) if key else None
    return {"counts": counts, "state": state, "answers": answers, "tried": None, **found.shown()}


def _asked(form: Mapping[str, Any]) -> tuple[str, list[str]]:
    url = form["url"].strip()
    if not url.startswith(("http://", "https://")) or not canonical_url(url):
        raise ActionRefusedError("lists.no_address", 400)
    return url, [line.strip() for line in (form.get("like") or "").splitlines() if line.strip()][:_MAX_TITLES]


def _try(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    url, like = _asked(form)
    found = query.tried(ctx.app.settings, url, like)
    return ActionOutcome(url, shown={**_view(ctx), "tried": {**found, "url": url, "like": "\n".join(like)}})


def _save(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    url, like = _asked(form)
    if not _NAME.fullmatch(form["name"]):
        raise ActionRefusedError("lists.no_name", 400)
    found = query.tried(ctx.app.settings, url, like, form["name"])
    if not found["is_saved"]:
        raise ActionRefusedError("lists.not_saved", 409, fault=found["fault"] or "—")
    return ActionOutcome(form["name"], {"url": url, "n": found["count"]})


_FIELDS = (Param("url", required=True), Param("like", "lines", says="titles on the list, one a line"))
PAGE = ConsolePage(
    name="lists",
    path="/sites/lists",
    view=_view,
    params=(Param("state", "choice", query.STATES), Param("key", says="of a list whose answers are shown"), AFTER),
    actions=(
        Action("try", _try, fields=_FIELDS, is_view=True),
        Action("save", _save, Role.ADMIN, (*_FIELDS, Param("name", required=True, says="of the recipe's file"))),
    ),
    is_costly=True,
)
