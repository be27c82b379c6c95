"""Articles: search and filters that live in the address, an export of exactly what is shown."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from console.frame.page import Export, Page, Param
from console.frame.paging import unpack_cursor
from console.frame.visit import Visit
from console.queries.articles import SORTS, all_articles, articles, hour
from extractors.article.kinds import Kind
from pipelines.stores.base import MutableRow
from pipelines.stores.tables import PAGES

KINDS: tuple[str, ...] = get_args(Kind)
_EXPORTED = (
    *("title", "url", "host", "kind", "author", "published", "published_at", "topic", "relevance"),
    *("relevance_reason", "summary", "body", "fetched_at"),
)


def _view(visit: Visit) -> Mapping[str, Any]:
    after = unpack_cursor(visit.params["after"], 2) if "after" in visit.params else ()
    if "at" in visit.params:
        hour(visit.params["at"], visit.zone)  # also where no event is asked for, the page shows it
    found = articles(visit.desk.store, visit.params, visit.zone, after)
    return {"rows": found.rows, "after": found.after, "looked": found.looked, "is_cut": found.is_cut}


def _rows(visit: Visit) -> Iterator[MutableRow]:
    return all_articles(visit.desk.store, visit.params, visit.zone)


PAGE = Page(
    name="articles",
    path="/articles",
    view=_view,
    group="look",
    params=(
        Param("q", says="words that must all be in the title"),
        Param("host", says="only pages of this host"),
        Param("kind", "choice", KINDS),
        Param("topic", says="only pages of this topic"),
        Param("event", says="only pages of the event with this key, by the time of their reports"),
        Param("at", says="with event: an hour such as 2026-11-22T08"),
        Param("relevance", "number", says="least relevance, 0 to 1"),
        Param("from", "date", says="first day of the time that is sorted by"),
        Param("to", "date", says="last day of it"),
        Param("copies", "flag", says="pages too that repeat another page"),
        Param("sort", "choice", tuple(SORTS), says="new: when collected; published: when published"),
        Param("after", says="from the answer before"),
    ),
    export=Export([PAGES.column(name) for name in _EXPORTED], _rows),
)
