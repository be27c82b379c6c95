"""Articles: search and filters kept in the URL, and an export of the shown rows."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, get_args

from analysis.search import Found, page_counts, verified, zero_reasons
from console.access.people import Role
from console.frame.page import AFTER, ConsolePage, Export, ListEntry, ListFeed, Param
from console.frame.paging import cursor_of
from console.frame.request_context import RequestContext
from console.queries.articles import SORTS, all_articles, articles, hour
from console.queries.finding import (
    CURSOR_LENGTH,
    all_found,
    fitting_pages,
    found_articles,
    has_page_filter,
    searched,
    whole_query,
)
from console.queries.topic_overview import topic_files
from extractors.article.kinds import Kind
from pipelines.stores.analysis_tables import ANALYSIS_QUEUE
from pipelines.stores.base import MutableRow
from pipelines.stores.tables import PAGES

KINDS: tuple[str, ...] = get_args(Kind)
_EXPORTED = (
    *(
        "title",
        "url",
        "host",
        "kind",
        "author",
        "published",
        "published_at",
        "published_precision",
        "published_by",
        "topic",
        "relevance",
    ),
    *("relevance_reason", "summary", "body", "fetched_at"),
)
_MAX_SHOWN_CHARS = 1_000
_MAX_COUNTED, _MAX_FITTED = 50_000, 5_000
"""Texts whose pages are counted, and those whose pages are read for filters that the index does not know."""


def _view(ctx: RequestContext) -> Mapping[str, Any]:
    if "at" in ctx.params:
        hour(ctx.params["at"], ctx.zone)  # also where no event is asked for, the page shows it
    store, found = ctx.app.store, _found(ctx)
    if found is None:
        part = articles(store, ctx.params, ctx.zone, cursor_of(ctx.params, 2))
    else:
        part = found_articles(store, found, ctx.params, cursor_of(ctx.params, CURSOR_LENGTH))
    return part.shown() | {
        "rows": [_shortened(ctx.app.names.page(row)) for row in part.rows],
        "hits": None if found is None else _hits(ctx, found),
        "topics": sorted(topic_files(ctx.app.settings)[0]),
        "zero": None if found is None or part.rows or part.after else _zero(ctx),
    }


def _hits(ctx: RequestContext, found: Found) -> Mapping[str, Any]:
    """How many texts and posts were found, on how many pages (None of too many), and how many pages wait for the index. `is_whole`:
    kind and relevance of the pages are not among the conditions, as there are too many."""
    store = ctx.app.store
    checked = verified(store, found, ctx.params["q"])
    waiting = {"exact": checked.exact, "waiting": store.count(ANALYSIS_QUEUE)}
    if has_page_filter(ctx.params):
        if len(checked) > _MAX_FITTED:
            return {"count": len(checked), "pages": None, "is_whole": True, **waiting}
        fitting = fitting_pages(store, checked, ctx.params)
        return {"count": sum(fitting.values()), "pages": len(fitting), "is_whole": False, **waiting}
    pages = len(page_counts(store, checked)) if len(checked) <= _MAX_COUNTED else None
    return {"count": len(checked), "pages": pages, "is_whole": False, **waiting}


def _zero(ctx: RequestContext) -> Mapping[str, Any]:
    """Why the search finds nothing."""
    return asdict(
        zero_reasons(ctx.app.store, ctx.app.search, whole_query(ctx.params, ctx.zone), ctx.now.astimezone(ctx.zone))
    )


def _shortened(row: MutableRow) -> MutableRow:
    """A row of the list: a page may claim a title of any length."""
    return row | {name: row[name] and row[name][:_MAX_SHOWN_CHARS] for name in ("title", "author")}


def _found(ctx: RequestContext) -> Found | None:
    """Search hits; None without a query or an index."""
    if "q" not in ctx.params or "event" in ctx.params:
        return None
    return searched(ctx.app.search, ctx.params, ctx.zone, ctx.now)


def _rows(ctx: RequestContext) -> Iterator[MutableRow]:
    found = _found(ctx)
    store, params = ctx.app.store, ctx.params
    rows = all_articles(store, params, ctx.zone) if found is None else all_found(store, found, params)
    return rows if ctx.person.may(Role.ANALYST) else map(ctx.app.names.page, rows)


PAGE = ConsolePage(
    name="articles",
    is_costly=True,
    path="/articles",
    view=_view,
    group="look",
    params=(
        Param(
            "q",
            says='all words must match in title, text or posts; OR, NOT, "phrases", title: and author: as for scrapy search',
        ),
        Param("host", says="only pages of this site; with - in front: not these"),
        Param("kind", "choice", (*KINDS, *(f"-{kind}" for kind in KINDS)), says="with - in front: not this kind"),
        Param("topic", says="only pages of this topic; with - in front: not of it"),
        Param("language", says="zh, en, …; with - in front: not in it"),
        Param("event", says="only pages of the event with this key, by the time of their reports"),
        Param("at", says="with event: an hour such as 2026-11-22T08"),
        Param("relevance", "number", says="least relevance, 0 to 1"),
        Param("from", "date", says="first day of the time that is sorted by"),
        Param("to", "date", says="last day of it"),
        Param("copies", "flag", says="include copies of other pages"),
        Param(
            "sort",
            "choice",
            tuple(SORTS),
            says="new: when collected; published: when published; best (of a search): the best first",
        ),
        AFTER,
    ),
    feed=ListFeed(
        lambda row: ListEntry(
            f"/articles/{row['key']}",
            row["title"] or row["url"] or "",
            row["published_at"] or row["fetched_at"] or "",
            "".join(piece for piece, _ in row.get("passage") or ()),
            row["url"] or "",
            row["host"] or "",
        ),
        {"sort": "new"},
    ),
    export=Export([PAGES.column(name) for name in _EXPORTED], _rows),
)
