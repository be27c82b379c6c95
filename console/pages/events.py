"""Events: the list of them, and one of them with its facts, its curve, its digest, and what people decide about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from analysis.happenings.decisions import decide, undo
from analysis.happenings.digest import digest
from analysis.happenings.output import state
from console.frame.page import Action, Export, Outcome, Page, Param, RefusedError
from console.frame.paging import unpack_cursor
from console.frame.visit import Visit
from console.queries import events as query
from console.queries.halves import MOST_LEAVING, halves
from console.queries.moods import mood
from console.queries.spread import curve, spread
from pipelines.stores.analysis_tables import EVENTS, MEMBERS
from pipelines.stores.base import MutableRow, Row

STATES = ("growing", "quiet", "dropped")


def _list(visit: Visit) -> Mapping[str, Any]:
    after = unpack_cursor(visit.params["after"], 2) if "after" in visit.params else ()
    found = query.events(visit.desk.store, visit.params, visit.zone, visit.now, after)
    return {"rows": found.rows, "after": found.after, "looked": found.looked, "is_cut": found.is_cut}


def _rows(visit: Visit) -> Iterator[MutableRow]:
    return query.all_events(visit.desk.store, visit.params, visit.zone, visit.now)


def _view(visit: Visit) -> Mapping[str, Any] | None:
    store = visit.desk.store
    row = query.event(store, visit.place["key"])
    if row is None:
        return None
    key = row["event"]
    after = unpack_cursor(visit.params["after"], 2) if "after" in visit.params else ()
    listed = query.reports(store, key, after)
    known = {name: row[name] for name in query.COLUMNS} | {"state": state(row, visit.now)}
    return {
        "event": known | {"new_sites": query.new_sites(row), "first_page": row["first_page"]},
        "facts": [_fact(visit, each) for each in row["elements"] or ()],
        "digest": [asdict(each) for each in digest(store, key)],
        "spread": spread(store, key),
        "curve": curve(store, key, visit.zone),
        "mood": mood(store, key),
        "reports": {"rows": listed.rows, "after": listed.after, "looked": listed.looked, "is_cut": False},
        "others": query.others(store, row),
        "decisions": query.decisions_on(store, key),
    }


def _fact(visit: Visit, element: Mapping[str, Any]) -> dict[str, Any]:
    """An element with the site of its page; times as a day with how exact it is."""
    member = visit.desk.store.get(MEMBERS, element["page"])
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


def _rename(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    row = _known(visit, visit.place["key"])
    return _decided(visit, row, "rename", value=form["name"].replace("\n", " "), name=form["name"])


def _merge(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    row = _known(visit, visit.place["key"])
    other = _known(visit, form["other"].partition("?")[0].rstrip("/").rpartition("/")[2])
    if other["event"] == row["event"]:
        raise RefusedError("event.merge.same")
    return _decided(visit, row, "merge", other=other["event"], name=other["name"])


def _split(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    row = _known(visit, visit.place["key"])
    pages = _leaving(form)
    _check_split(visit, row, pages)
    keys = [
        decide(visit.desk.store, "split", row["event"], page, pages[0] if number else "", visit.person.name)
        for number, page in enumerate(pages)
    ]
    return Outcome(row["name"] or "", {"event": row["event"], "decisions": keys, "n": len(pages)})


def _leaving(given: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(given["pages"].split()))[:MOST_LEAVING]


def _check_split(visit: Visit, row: Row, pages: Sequence[str]) -> None:
    members = [visit.desk.store.get(MEMBERS, page) for page in pages]
    if not all(member is not None and member["event"] == row["event"] for member in members):
        raise RefusedError("event.split.gone")
    if len(pages) >= (row["pages"] or 0):
        raise RefusedError("event.split.all")


def _halves(visit: Visit) -> Mapping[str, Any] | None:
    """Both halves as they would be, before anything is decided."""
    row = query.event(visit.desk.store, visit.place["key"])
    if row is None:
        return None
    pages = _leaving({"pages": "", **visit.params})
    if not pages:
        raise RefusedError("event.split.nothing", 400)
    _check_split(visit, row, pages)
    return {"event": {name: row[name] for name in query.COLUMNS}} | halves(visit.desk.store, row, pages)


def _drop(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    return _decided(visit, _known(visit, visit.place["key"]), "drop")


def _known(visit: Visit, key: str) -> MutableRow:
    row = query.event(visit.desk.store, key)
    if row is None:
        raise RefusedError("event.unknown", 404)
    return row


def _decided(visit: Visit, row: Row, action: str, other: str = "", value: str = "", **more: Any) -> Outcome:
    key = decide(visit.desk.store, action, row["event"], other, value, visit.person.name)
    return Outcome(row["name"] or "", {"event": row["event"], "decisions": [key], **more})


def _take_back(visit: Visit, row: Row) -> None:
    for key in row["facts"]["decisions"]:
        undo(visit.desk.store, key)


def _undo_one(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    """Takes back a decision of the list, also one that was made on the command line."""
    row = _known(visit, visit.place["key"])
    standing = {each["key"] for each in query.decisions_on(visit.desk.store, row["event"]) if not each["undone_at"]}
    if form["decision"] not in standing:
        raise RefusedError("event.undone_before")
    undo(visit.desk.store, form["decision"])
    return Outcome(row["name"] or "", {"event": row["event"]})


PAGE = Page(
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
        Param("pages", "count", says=f"least number of pages, {query.LEAST_PAGES} if it is not given"),
        Param("from", "date", says="first day of the last report; sorted by the first report, of that"),
        Param("to", "date", says="last day of it"),
        Param(
            "sort",
            "choice",
            tuple(query.SORTS),
            says="by the last report (default) or the first, by sites; growth: pages of the last 24 hours",
        ),
        Param("after", says="from the answer before"),
    ),
    export=Export([EVENTS.column(name) for name in query.COLUMNS], _rows),
)
EVENT = Page(
    name="event",
    path="/events/{key}",
    view=_view,
    params=(Param("after", says="from the answer before: further reports"),),
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
        Action("drop", _drop, undo=_take_back),
        Action(
            "undo", _undo_one, fields=(Param("decision", required=True, says="the key of a decision about the event"),)
        ),
    ),
)
HALVES = Page(
    name="halves",
    path="/events/{key}/halves",
    view=_halves,
    params=(Param("pages", "words", says="keys of pages that would leave it together"),),
)
