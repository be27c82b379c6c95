"""What belongs to one person: language, zone, own topics, and feeds of lists."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from console.access.people import Role
from console.config import is_zone
from console.frame.page import Action, ActionOutcome, ActionRefusedError, ConsolePage, Param
from console.frame.params import ParamError, read_params
from console.frame.request_context import RequestContext
from console.frame.word_catalogue import LANGUAGES
from console.pages.alerts import PAGE as ALERTS
from console.pages.articles import PAGE as ARTICLES
from console.pages.events import PAGE as EVENTS
from console.queries.topic_overview import topic_files

LISTS = {page.name: page for page in (ARTICLES, EVENTS, ALERTS)}
_MAX_FEEDS = 50


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    person = ctx.person
    feeds = [
        {name: row[name] for name in ("key", "label", "created_at", "ends_at")}
        | {"list": row["feed"].get("page"), "params": row["feed"].get("params") or {}}
        for row in ctx.app.sessions.tokens(person.name)
        if row["feed"]
    ]
    return {
        "feeds": feeds,
        "language": person.language,
        "zone": person.zone,
        "topics": sorted({*topic_files(ctx.app.settings)[0], *person.topics}),
        "own": list(person.topics),
        "has_account": ctx.app.people.get(person.name) is not None,
    }


def _feed(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    page = LISTS[form["list"]]
    given = dict(parse_qsl(form.get("query", ""))[:50])
    try:
        params = read_params(page.params, given)
    except ParamError as error:
        raise ActionRefusedError("mine.wrong", 400, error=str(error)) from None
    kept = {name: given[name].strip() for name in params if name not in ("after", "key", "preview")}
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
            (
                Param("list", "choice", tuple(LISTS), required=True),
                Param("query", says="filters of the list, as in its address"),
                Param("label", says="its name"),
            ),
        ),
        Action("end_feed", _end_feed, Role.VIEWER, (_KEY,)),
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
