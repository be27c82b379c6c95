"""Full-text search: pages whose text, or whose posts, have the words; a page, and by wish an event, has one row."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from analysis.search import Hit, QueryError, Ranked, numbered_hits
from console.frame.paging import BAD_CURSOR, Cursor, Part, pack_cursor
from console.frame.params import ParamError
from console.frame.searching import SharedSearch
from console.queries.articles import COLUMNS, fits, midnight
from console.queries.belonging import counts_of, events_of, latest_members, stories_of, with_keys
from console.queries.judging import is_copy
from pipelines.stores.analysis_tables import SEARCH_DOCUMENTS
from pipelines.stores.base import MutableRow, Row, Store
from pipelines.stores.tables import PAGES

_PAGE_ROWS = 50
_MOST_LOOKED = 400
_AT_ONCE = 50
_MOST_POSTS = 20_000
_DOCUMENT = ("page", "record", "number")


@dataclass(frozen=True, slots=True)
class _Ranks:
    """Where documents are among the hits: an array by number, since there may be a million. One that is no hit is behind the last."""

    count: int
    _places: NDArray[np.uint32]

    def __contains__(self, number: int) -> bool:
        return self[number] < self.count

    def __getitem__(self, number: int) -> int:
        return int(self._places[number]) if 0 <= number < len(self._places) else self.count


def _ranks(ranked: Ranked) -> _Ranks:
    numbers = ranked.columns.numbers[ranked.places]
    places = np.full(int(numbers.max(initial=0)) + 1, len(numbers), dtype=np.uint32)
    places[numbers] = np.arange(len(numbers), dtype=np.uint32)
    return _Ranks(len(numbers), places)


@dataclass(frozen=True, slots=True)
class _Found:
    """Hits in their order. `first` is the place of each event, as far as it was asked for; `fit` are the filters that the index does not
    know."""

    store: Store
    ranked: Ranked
    params: Mapping[str, Any]
    ranks: _Ranks
    fit: Callable[[Row], bool]
    first: dict[str, int] = field(default_factory=dict)


def searched(
    search: SharedSearch, store: Store, params: Mapping[str, Any], zone: ZoneInfo, now: datetime
) -> Ranked | None:
    """Documents that meet the query, the host, the topic and the days, in the wished order; None if there is no index."""
    fields = [f'{name}:"{params[name].replace(chr(34), "")}"' for name in ("host", "topic") if name in params]
    try:
        found = search.search(store, " ".join([f"({params['q']})" if fields else params["q"], *fields]), now)
    except QueryError as error:
        raise ParamError(f"q: {error}") from None
    return found and _ordered(_within(found, params, zone), params.get("sort", "best"))


def _within(found: Ranked, params: Mapping[str, Any], zone: ZoneInfo) -> Ranked:
    if not params.keys() & {"from", "to"}:
        return found
    seconds = found.columns.seconds[found.places]
    keep = np.ones(len(seconds), dtype=bool)
    if "from" in params:
        keep &= seconds >= datetime.fromisoformat(midnight(params["from"], zone)).timestamp()
    if "to" in params:
        keep &= (seconds >= 0) & (seconds < datetime.fromisoformat(midnight(params["to"], zone, 1)).timestamp())
    return replace(found, places=found.places[keep], scores=found.scores[keep])


def _ordered(found: Ranked, sort: str) -> Ranked:
    if sort == "best":
        return found
    column = found.columns.seconds if sort == "published" else found.columns.numbers
    order = np.argsort(-column[found.places].astype(np.int64), kind="stable")
    return replace(found, places=found.places[order], scores=found.scores[order])


def found_articles(store: Store, ranked: Ranked, params: Mapping[str, Any], after: Cursor = ()) -> Part:
    """The next rows: a page with its best passage, how many of its posts have the words, and its event."""
    rows: list[MutableRow] = []
    found = _found(store, ranked, params)
    start = last = _start(found.ranks, after)
    for last, row in _rows(found, start, COLUMNS):
        rows += [row] if row is not None else []
        if len(rows) == _PAGE_ROWS or last - start + 1 >= _MOST_LOOKED:
            break
    counts = counts_of(store, [row["key"] for row in rows])
    for row in rows:
        row["comments"] = counts.get(row["key"], 0)
    looked = last - start + 1 if len(ranked) > start else 0
    more = looked > 0 and last + 1 < len(ranked)
    end = pack_cursor([last, int(ranked.columns.numbers[ranked.places[last]])]) if more else ""
    return Part(rows, end, looked, more and len(rows) < _PAGE_ROWS)


def all_found(store: Store, ranked: Ranked, params: Mapping[str, Any]) -> Iterator[MutableRow]:
    """Every row, for an export."""
    rows = _rows(_found(store, ranked, params), 0, [column.name for column in PAGES.columns])
    return (row for _, row in rows if row is not None)


def _found(store: Store, ranked: Ranked, params: Mapping[str, Any]) -> _Found:
    fit = fits({name: value for name, value in params.items() if name != "q"})
    return _Found(store, ranked, params, _ranks(ranked), fit)


def _start(ranks: _Ranks, after: Cursor) -> int:
    """Behind the document that was shown last, or where it was if it is gone."""
    if not after:
        return 0
    try:
        place, last = map(int, after)
    except (ValueError, OverflowError):
        raise ParamError(BAD_CURSOR) from None
    return ranks[last] + 1 if last in ranks else max(0, place)


def _rows(found: _Found, start: int, columns: Sequence[str]) -> Iterator[tuple[int, MutableRow | None]]:
    """Each place of the order with its row; None where an earlier hit stands for its page or event, or a filter objects."""
    for begin in range(start, found.ranks.count, _AT_ONCE):
        places = slice(begin, min(begin + _AT_ONCE, found.ranks.count))
        rows = _group(found, places, columns)
        yield from ((place, rows.get(place)) for place in range(places.start, places.stop))


def _group(found: _Found, places: slice, columns: Sequence[str]) -> dict[int, MutableRow]:
    """The rows of these places; what they need is read for all at once."""
    ranked = replace(found.ranked, places=found.ranked.places[places], scores=found.ranked.scores[places])
    shown = {found.ranks[number]: hit for number, hit in numbered_hits(found.store, ranked, found.params["q"])}
    keys = list(dict.fromkeys(hit.page for hit in shown.values()))
    pages = {row["key"]: row for row in with_keys(found.store, PAGES, "key", keys, columns=columns)}
    stories, events = stories_of(found.store, keys), events_of(found.store, keys)
    documents = _documents(found.store, keys)
    if not found.params.get("copies"):
        _note_first(found, {row["event"]: row for row in events.values()})
    rows = {}
    for place, hit in shown.items():
        own = [each for each in documents.get(hit.page, ()) if each["number"] in found.ranks]
        row, event, story = pages.get(hit.page), events.get(hit.page), stories.get(hit.page)
        if (
            row is None
            or not found.fit(row)
            or min((found.ranks[each["number"]] for each in own), default=place) < place
        ):
            continue
        if not found.params.get("copies") and (is_copy(story) or (event and found.first[event["event"]] < place)):
            continue
        posts = sum(1 for each in own if each["record"])
        copies = (story or {}).get("reposts") or 0
        more = {"passage": _pieces(hit), "record": hit.record, "posts": posts, "copies": copies, "event": event}
        rows[place] = row | more
    return rows


def _note_first(found: _Found, events: Mapping[str, Row]) -> None:
    """At which place the first hit of each event is, that of any of its pages."""
    new = {key: event for key, event in events.items() if key not in found.first}
    members = latest_members(found.store, new.values())
    documents = _documents(found.store, [page for pages in members.values() for page in pages])
    for event in new:
        numbers = (each["number"] for page in members.get(event, ()) for each in documents.get(page, ()))
        found.first[event] = min((found.ranks[number] for number in numbers), default=found.ranks.count)


def _documents(store: Store, pages: Iterable[str]) -> dict[str, list[MutableRow]]:
    """What the index has of each page: the page itself and its posts, each with its number."""
    found: dict[str, list[MutableRow]] = {}
    for row in islice(with_keys(store, SEARCH_DOCUMENTS, "page", pages, columns=_DOCUMENT), _MOST_POSTS):
        found.setdefault(row["page"], []).append(row)
    return found


def _pieces(hit: Hit) -> list[tuple[str, bool]]:
    """The passage in pieces, each with whether it is a word of the query."""
    pieces, last = list[tuple[str, bool]](), 0
    for start, end in hit.marks:
        pieces += [(hit.passage[last:start], False), (hit.passage[start:end], True)]
        last = end
    return [piece for piece in (*pieces, (hit.passage[last:], False)) if piece[0]]
