"""Full-text search over pages and posts; one row per page or, optionally, per event."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from analysis.search import Finder, Found, FoundOrder, Hit, NoIndexError, QueryError, SearchMatch, hits
from console.frame.paging import BAD_CURSOR, Cursor, Part, pack_cursor
from console.frame.params import ParamError
from console.queries.articles import COLUMNS, fits, midnight
from console.queries.event_membership import counts_of, events_of, latest_members, stories_of, with_keys
from console.queries.representative_hits import is_copy
from pipelines.stores.base import MutableRow, Row, Store
from pipelines.stores.tables import PAGES

CURSOR_LENGTH = 3
"""The place of a document, and the keys of its page and its record."""
_PAGE_ROWS = 35
_MAX_SCANNED_HITS = 400
_BATCH_HITS = 50
_FITTED = ("key", "host", "kind", "topic", "language", "title", "relevance")
_MOVED = 200
"""Places by which new documents may have moved the last one that was shown."""


@dataclass(frozen=True, slots=True)
class _Search:
    """Hits in their order. `first` is the page of the best hit of each event, as far as it was asked for; `fit` are the filters that
    the index does not know."""

    store: Store
    found: Found
    params: Mapping[str, Any]
    fit: Callable[[Row], bool]
    first: dict[str, str] = field(default_factory=dict)


def searched(finder: Finder, params: Mapping[str, Any], zone: ZoneInfo, now: datetime) -> Found | None:
    """Documents that meet the query, the host, the topic and the days, in the wished order; None if there is no index."""
    order: FoundOrder = params.get("sort", "best")
    try:
        return finder.search(whole_query(params, zone), now.astimezone(zone), order)
    except QueryError as error:
        raise ParamError(f"q: {error}") from None
    except NoIndexError:
        return None


def whole_query(params: Mapping[str, Any], zone: ZoneInfo, names: Sequence[str] = ("host", "topic", "language")) -> str:
    """The query with these filters and the days as fields. The kind of a page is not among them: its posts have kinds of their own."""
    fields = [_field(name, params[name]) for name in names if name in params]
    fields += [f'since:"{midnight(params["from"], zone)}"'] if "from" in params else []
    fields += [f'until:"{midnight(params["to"], zone, 1)}"'] if "to" in params else []
    words = params.get("q", "")
    return " ".join([f"({words})" if fields and words else words, *fields]).strip()


def _field(name: str, value: str) -> str:
    """A condition, or what it excludes."""
    wanted = value.removeprefix("-").replace('"', "")
    return f'{"-" if value.startswith("-") else ""}{name}:"{wanted}"'


def found_articles(store: Store, found: Found, params: Mapping[str, Any], after: Cursor = ()) -> Part:
    """The next rows: a page with its best passage, how many of its posts have the words, and its event."""
    rows: list[MutableRow] = []
    search = _search(store, found, params)
    start = _start(found, after)
    seen: list[SearchMatch] = []
    for match, row in _rows(search, start, COLUMNS):
        seen.append(match)
        rows += [row] if row is not None else []
        if len(rows) == _PAGE_ROWS or len(seen) == _MAX_SCANNED_HITS:
            break
    counts = counts_of(store, [row["key"] for row in rows])
    for row in rows:
        row["comments"] = counts.get(row["key"], 0)
    more = bool(seen) and start + len(seen) < len(found)
    end = pack_cursor([start + len(seen) - 1, seen[-1].page, seen[-1].record]) if more else ""
    return Part(rows, end, len(seen), more and len(rows) < _PAGE_ROWS)


def all_found(store: Store, found: Found, params: Mapping[str, Any]) -> Iterator[MutableRow]:
    """All rows, for an export."""
    rows = _rows(_search(store, found, params), 0, [column.name for column in PAGES.columns])
    return (row for _, row in rows if row is not None)


def has_page_filter(params: Mapping[str, Any]) -> bool:
    """Whether a filter is on that the index does not know of posts: the kind or the relevance of their page."""
    return "kind" in params or bool(params.get("relevance"))


def fitting_pages(store: Store, found: Found, params: Mapping[str, Any]) -> Counter[str]:
    """The texts that were found by page, of pages that pass every filter."""
    counts, fit = Counter(match.page for match in found), _fit(params)
    passing = {row["key"] for row in with_keys(store, PAGES, "key", counts, columns=_FITTED) if fit(row)}
    return Counter({page: count for page, count in counts.items() if page in passing})


def _search(store: Store, found: Found, params: Mapping[str, Any]) -> _Search:
    return _Search(store, found, params, _fit(params))


def _fit(params: Mapping[str, Any]) -> Callable[[Row], bool]:
    """The filters beside the words."""
    return fits({name: value for name, value in params.items() if name != "q"})


def _start(found: Found, after: Cursor) -> int:
    """Behind the document that was shown last, or where it was if it is gone."""
    if not after:
        return 0
    place, page, record = after
    if not isinstance(place, int) or not isinstance(page, str) or place < 0:
        raise ParamError(BAD_CURSOR)
    near = max(0, min(place, len(found)) - _MOVED)
    for at, match in enumerate(found.part(near, 2 * _MOVED), near):
        if (match.page, match.record) == (page, record):
            return at + 1
    return place


def _rows(search: _Search, start: int, columns: Sequence[str]) -> Iterator[tuple[SearchMatch, MutableRow | None]]:
    """Each document of the order with its row; None where an earlier hit stands for its page or event, or a filter objects."""
    for begin in range(start, len(search.found), _BATCH_HITS):
        matches = search.found.part(begin, _BATCH_HITS)
        rows = _group(search, matches, columns)
        yield from ((match, rows.get((match.page, match.record))) for match in matches)


def _group(
    search: _Search, matches: Sequence[SearchMatch], columns: Sequence[str]
) -> dict[tuple[str, str], MutableRow]:
    """The rows of these documents; what they need is read for all at once."""
    store, copies = search.store, search.params.get("copies")
    shown = list(hits(store, matches, search.params["q"], exact=search.found.exact))
    keys = list(dict.fromkeys(hit.page for hit in shown))
    pages = {row["key"]: row for row in with_keys(store, PAGES, "key", keys, columns=columns)}
    stories, events = stories_of(store, keys), events_of(store, keys)
    records: dict[str, list[str]] = {}
    for match in search.found.among(keys):
        records.setdefault(match.page, []).append(match.record)
    if not copies:
        _note_first(search, {row["event"]: row for row in events.values()})
    rows = {}
    for hit in shown:
        own = records.get(hit.page, [hit.record])
        row, event, story = pages.get(hit.page), events.get(hit.page), stories.get(hit.page)
        if row is None or not search.fit(row) or own[0] != hit.record:
            continue
        stands = search.first.get(event["event"]) if event else None
        if not copies and (stands != hit.page if stands else is_copy(story)):
            continue
        more = {"passage": _pieces(hit), "record": hit.record, "posts": sum(map(bool, own)),
                "copies": (story or {}).get("reposts") or 0, "event": event}  # fmt: skip
        rows[hit.page, hit.record] = row | more
    return rows


def _note_first(search: _Search, events: Mapping[str, Row]) -> None:
    """Which page of each event has its best hit; a copy only if all its hits are copies."""
    new = {key: event for key, event in events.items() if key not in search.first}
    event_of = {page: event for event, pages in latest_members(search.store, new.values()).items() for page in pages}
    matches = search.found.among(event_of) if event_of else ()
    copies = {
        page for page, story in stories_of(search.store, (each.page for each in matches)).items() if is_copy(story)
    }
    for match in sorted(matches, key=lambda each: each.page in copies):
        search.first.setdefault(event_of[match.page], match.page)


def _pieces(hit: Hit) -> list[tuple[str, bool]]:
    """The passage in pieces, each with whether it is a word of the query."""
    pieces, last = list[tuple[str, bool]](), 0
    for start, end in hit.marks:
        pieces += [(hit.passage[last:start], False), (hit.passage[start:end], True)]
        last = end
    return [piece for piece in (*pieces, (hit.passage[last:], False)) if piece[0]]
