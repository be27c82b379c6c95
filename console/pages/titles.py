"""Titles: stories with their copies, and suspected pairs that people confirm or part."""

from collections.abc import Mapping
from typing import Any

from console.frame.page import Action, Outcome, Page, Param, RefusedError
from console.frame.paging import unpack_cursor
from console.frame.visit import Visit
from console.queries import titles as query
from pipelines.stores.base import MutableRow, Row
from pipelines.titles.decided import Verdict, decide, forget

_MAX_STORY = 500


def _view(visit: Visit) -> Mapping[str, Any]:
    after = unpack_cursor(visit.params["after"], 2) if "after" in visit.params else ()
    find = query.stories if visit.params.get("show") == "stories" else query.suspected
    found = find(visit.desk.store, after)
    return {
        "rows": found.rows,
        "waiting": query.waiting(visit.desk.store),
        "after": found.after,
        "looked": found.looked,
        "is_cut": found.is_cut,
    }


def _same(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    """The two are one story."""
    row = _known(visit, form["page"])
    other = query.title(visit.desk.store, row["matched"] or "")
    if row["verdict"] != "suspected" or other is None:
        raise RefusedError("titles.decided_before", title=row["title"])
    return _decide(visit, row, other["story"], "same")


def _different(visit: Visit, form: Mapping[str, Any]) -> Outcome:
    """The page is no copy: not of the story that it is in, nor of the title that it was compared with."""
    row = _known(visit, form["page"])
    if row["verdict"] != "suspected" and row["story"] == row["page"]:
        raise RefusedError("titles.decided_before", title=row["title"])
    other = query.title(visit.desk.store, row["matched"] or "")
    story = row["story"] if row["story"] != row["page"] else (other or row)["story"]
    return _decide(visit, row, story, "different")


def _known(visit: Visit, page: str) -> MutableRow:
    row = query.title(visit.desk.store, page)
    if row is None:
        raise RefusedError("titles.unknown", 404)
    return row


def _decide(visit: Visit, row: MutableRow, story: str, verdict: Verdict) -> Outcome:
    at = visit.now.isoformat(timespec="seconds")
    before = decide(visit.desk.store, row["page"], story, verdict, visit.person.name, at)
    kept = [{name: each[name] for name in _KEPT} for each in before[:_MAX_STORY]]
    return Outcome(row["title"] or row["url"], {"page": row["page"], "story": story, "before": kept})


_KEPT = ("page", "story", "original", "verdict", "matched", "reposts", "delay_hours")


def _undo(visit: Visit, row: Row) -> None:
    forget(visit.desk.store, row["facts"]["page"], row["facts"]["before"])


_PAGE = (Param("page", required=True, says="the key of the page"),)
PAGE = Page(
    name="titles",
    path="/titles",
    view=_view,
    group="collect",
    params=(
        Param("show", "choice", ("suspected", "stories"), says="pairs to decide (default), or stories with copies"),
        Param("after", says="from the answer before"),
    ),
    actions=(
        Action("same", _same, fields=_PAGE, undo=_undo),
        Action("different", _different, fields=_PAGE, undo=_undo),
    ),
    waits=lambda desk: query.waiting(desk.store),
)
