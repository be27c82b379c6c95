"""Events: the list, and one event with facts, curve, digest and decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from analysis.events.store import limit_of
from analysis.events.store.decisions import decide, undo
from analysis.events.store.digest import digest
from analysis.events.store.output import state
from console.frame.page import (
    AFTER,
    Action,
    ActionOutcome,
    ActionRefusedError,
    ConsolePage,
    Export,
    ListEntry,
    ListFeed,
    Param,
)
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.queries import events as query
from console.queries.comment_moods import mood
from console.queries.event_membership import with_published
from console.queries.split_preview import MAX_LEAVING_PAGES, split_preview
from console.queries.spread import curve, spread
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import MutableRow, Row

STATES = ("growing", "quiet", "dropped")


def _list(ctx: RequestContext) -> Mapping[str, Any]:
    after = cursor_of(ctx.params, 2)
    found = query.events(ctx.app.store, ctx.params, ctx.zone, ctx.now, after)
    return found.shown()


def _view(ctx: RequestContext) -> Mapping[str, Any] | None:
    store = ctx.app.store
    row = query.event(store, ctx.place["key"])
    if row is None:
        return None
    key = row["event"]
    after = cursor_of(ctx.params, 2)
    listed = query.reports(store, key, after)
    sentences = [asdict(each) for each in digest(store, key)]
    with_published(store, sentences)
    share, corrections = limit_of(store, row["topic"] or "")
    known = {name: row[name] for name in query.COLUMNS} | {"state": state(row, ctx.now)}
    return {
        "event": known | {"new_sites": query.new_sites(row), "first_page": row["first_page"]},
        "facts": [_fact(ctx, each) for each in row["elements"] or ()],
        "digest": sentences,
        "spread": spread(store, key, ctx.params.get("since", 0), ctx.params.get("until")),
        "curve": curve(store, key, ctx.zone),
        "mood": mood(store, key),
        "reports": listed.shown(),
        "others": query.others(store, row),
        "decisions": query.decisions_on(store, key),
        "limit": {"share": share, "corrections": corrections},
    }


def _fact(ctx: RequestContext, element: Mapping[str, Any]) -> dict[str, Any]:
    """An element with the site of its page; times as a day with how exact it is."""
    member = ctx.app.store.get(MEMBERS, element["page"])
    day, precision = _day(element.get("begin", ""), element.get("end", ""))
    return {"parents": [], **element, "site": (member or {}).get("site") or "", "day": day, "precision": precision}


def _day(begin: str, end: str) -> tuple[str, str]:
    try:
        first, last = datetime.fromisoformat(begin), datetime.fromisoformat(end)
    except ValueError:
        return "", ""
    span = last - first
    if span <= timedelta(hours=1):
        return f"{first:%Y-%m-%d %H:%M}", "time"
    return f"{first:%Y-%m-%d}", "day" if span <= timedelta(days=1) else "span"


# -- decisions ---------------------------------------------------------------------------------------------------------


def _rename(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    row = _known(ctx, ctx.place["key"])
    return _decided(ctx, row, "rename", value=form["name"].replace("\n", " "), name=form["name"])


def _merge(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    row = _known(ctx, ctx.place["key"])
    other = _known(ctx, form["other"].partition("?")[0].rstrip("/").rpartition("/")[2])
    if other["event"] == row["event"]:
        raise ActionRefusedError("event.merge.same")
    return _decided(ctx, row, "merge", other=other["event"], name=other["name"])


def _split(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    row = _known(ctx, ctx.place["key"])
    pages = _leaving(form)
    _check_split(ctx, row, pages)
    keys = [
        decide(ctx.app.store, "split", row["event"], page, pages[0] if number else "", ctx.person.name)
        for number, page in enumerate(pages)
    ]
    return ActionOutcome(row["name"] or "", {"event": row["event"], "decisions": keys, "n": len(pages)})


def _leaving(given: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(given["pages"].split()))[:MAX_LEAVING_PAGES]


def _check_split(ctx: RequestContext, row: Row, pages: Sequence[str]) -> None:
    members = [ctx.app.store.get(MEMBERS, page) for page in pages]
    if not all(member is not None and member["event"] == row["event"] for member in members):
        raise ActionRefusedError("event.split.gone")
    if len(pages) >= (row["pages"] or 0):
        raise ActionRefusedError("event.split.all")


def _split_preview_data(ctx: RequestContext) -> Mapping[str, Any] | None:
    """Preview of both events that a split would make."""
    row = query.event(ctx.app.store, ctx.place["key"])
    if row is None:
        return None
    pages = _leaving({"pages": "", **ctx.params})
    if not pages:
        raise ActionRefusedError("event.split.nothing", 400)
    _check_split(ctx, row, pages)
    return {"event": {name: row[name] for name in query.COLUMNS}} | split_preview(ctx.app.store, row, pages)


def _known(ctx: RequestContext, key: str) -> MutableRow:
    row = query.event(ctx.app.store, key)
    if row is None:
        raise ActionRefusedError("event.unknown", 404)
    return row


def _decided(
    ctx: RequestContext, row: Row, action: str, other: str = "", value: str = "", **more: Any
) -> ActionOutcome:
    key = decide(ctx.app.store, action, row["event"], other, value, ctx.person.name)
    return ActionOutcome(row["name"] or "", {"event": row["event"], "decisions": [key], **more})


def _take_back(ctx: RequestContext, row: Row) -> None:
    for key in row["facts"]["decisions"]:
        undo(ctx.app.store, key)


def _undo_one(ctx: RequestContext, form: Mapping[str, Any]) -> ActionOutcome:
    """Undo a listed decision, including one made on the command line."""
    row = _known(ctx, ctx.place["key"])
    standing = {each["key"] for each in query.decisions_on(ctx.app.store, row["event"]) if not each["undone_at"]}
    if form["decision"] not in standing:
        raise ActionRefusedError("event.undone_before")
    undo(ctx.app.store, form["decision"])
    return ActionOutcome(row["name"] or "", {"event": row["event"]})


PAGE = ConsolePage(
    name="events",
    path="/events",
    view=_list,
    group="look",
    params=(
        Param("q", says="words that must all be in the name"),
        Param("topic", says="only events of this topic"),
        Param("place", says="a part of the name of the place"),
        Param(
            "state",
            "choice",
            STATES,
            says="growing: a report within the last day; dropped ones are shown only if asked for",
        ),
        Param("pages", "count", says=f"least number of pages, {query.MIN_PAGES} if it is not given"),
        Param("from", "date", says="first day of the last report; sorted by the first report, of that"),
        Param("to", "date", says="last day of it"),
        Param(
            "sort",
            "choice",
            tuple(query.SORTS),
            says="by the last report (default) or the first, by sites; growth: pages of the last 24 hours",
        ),
        AFTER,
    ),
    feed=ListFeed(
        lambda row: ListEntry(
            f"/events/{row['event']}",
            row["name"] or row["event"],
            row["first_at"] or "",
            source=row["first_site"] or "",
        ),
        {"sort": "first"},
    ),
    export=Export(
        [EVENTS.column(name) for name in query.COLUMNS],
        lambda ctx: query.all_events(ctx.app.store, ctx.params, ctx.zone, ctx.now),
    ),
)
EVENT = ConsolePage(
    name="event",
    is_costly=True,
    path="/events/{key}",
    view=_view,
    params=(
        Param("since", "count", says="seconds after the first report at which the picture of the spread begins"),
        Param("until", "count", says="seconds after the first report at which it ends"),
        Param("after", says="from the answer before: further reports"),
    ),
    actions=(
        Action("rename", _rename, fields=(Param("name", required=True, says="the new name"),), undo=_take_back),
        Action(
            "merge",
            _merge,
            fields=(Param("other", required=True, says="key or address of the event that it joins"),),
            undo=_take_back,
        ),
        Action(
            "split",
            _split,
            fields=(Param("pages", required=True, says="keys of pages that leave it together, with spaces between"),),
            undo=_take_back,
        ),
        Action("drop", lambda ctx, form: _decided(ctx, _known(ctx, ctx.place["key"]), "drop"), undo=_take_back),
        Action(
            "undo", _undo_one, fields=(Param("decision", required=True, says="the key of a decision about the event"),)
        ),
    ),
)
SPLIT_PREVIEW = ConsolePage(
    name="split_preview",
    path="/events/{key}/halves",
    view=_split_preview_data,
    params=(Param("pages", "words", says="keys of pages that would leave it together"),),
)
