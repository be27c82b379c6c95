"""Full-text search: pages whose text, or whose posts, have the words; a page, and by wish an event, has one row."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from analysis.search import Hit, QueryError, Ranked, hits
from console.frame.paging import Cursor, Part, pack_cursor
from console.frame.params import ParamError
from console.frame.searching import SharedSearch
from console.queries.articles import COLUMNS, midnight
from console.queries.belonging import counts_of, events_of
from pipelines.stores.analysis_tables import MEMBERS, SEARCH_DOCUMENTS
from pipelines.stores.base import Condition, MutableRow, Order, Store
from pipelines.stores.tables import PAGES

_PAGE_ROWS = 50
_MOST_LOOKED = 400
_MOST_POSTS = 1_000
_MOST_MEMBERS = 40


@dataclass(slots=True)
class _Found:
    """Hits in their order; `ranks` is the place of each document, by its number."""

    store: Store
    ranked: Ranked
    ranks: dict[int, int]
    events: dict[str, list[int]] = field(default_factory=dict)

    def rank(self, number: int) -> int | None:
        return self.ranks.get(number)


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


def found_articles(
    store: Store, ranked: Ranked, params: Mapping[str, Any], keep: Callable[[MutableRow], bool], after: Cursor = ()
) -> Part:
    """The next rows: a page with its best passage, how many of its posts have the words, and its event."""
    rows: list[MutableRow] = []
    start = last = _start(ranked, after)
    for last, row in _rows(store, ranked, params, keep, start):
        rows += [row] if row is not None else []
        if len(rows) == _PAGE_ROWS or last - start + 1 >= _MOST_LOOKED:
            break
    _complete(store, rows)
    looked = last - start + 1 if len(ranked) > start else 0
    more = looked > 0 and last + 1 < len(ranked)
    end = pack_cursor([last, int(ranked.columns.numbers[ranked.places[last]])]) if more else ""
    return Part(rows, end, looked, more and len(rows) < _PAGE_ROWS)


def _complete(store: Store, rows: list[MutableRow]) -> None:
    pages = [row["key"] for row in rows]
    events, counts = events_of(store, pages), counts_of(store, pages)
    for row in rows:
        row["event"], row["comments"] = events.get(row["key"]), counts.get(row["key"], 0)


def all_found(
    store: Store, ranked: Ranked, params: Mapping[str, Any], keep: Callable[[MutableRow], bool]
) -> Iterator[MutableRow]:
    """Every row, for an export."""
    return (row for _, row in _rows(store, ranked, params, keep, 0, whole=True) if row is not None)


def _start(ranked: Ranked, after: Cursor) -> int:
    """Behind the document that was shown last, or where it was if it is gone."""
    if not after:
        return 0
    behind = np.flatnonzero(ranked.columns.numbers[ranked.places] == int(after[1]))
    return int(behind[0]) + 1 if len(behind) else max(0, int(after[0]))


def _rows(
    store: Store,
    ranked: Ranked,
    params: Mapping[str, Any],
    keep: Callable[[MutableRow], bool],
    start: int,
    whole: bool = False,
) -> Iterator[tuple[int, MutableRow | None]]:
    """Each place of the order with its row; None where an earlier hit stands for its page or event, or a filter objects."""
    numbers = ranked.columns.numbers[ranked.places].tolist()
    found = _Found(store, ranked, {number: place for place, number in enumerate(numbers)})
    for place in range(start, len(numbers)):
        one = replace(ranked, places=ranked.places[place : place + 1], scores=ranked.scores[place : place + 1])
        hit = next(hits(store, one, params["q"]), None)
        yield place, None if hit is None else _row(found, hit, place, keep, params, whole)


def _row(
    found: _Found, hit: Hit, place: int, keep: Callable[[MutableRow], bool], params: Mapping[str, Any], whole: bool
) -> MutableRow | None:
    own = [each for each in _documents(found.store, hit.page) if found.rank(each["number"]) is not None]
    if any(found.ranks[each["number"]] < place for each in own):
        return None
    page = found.store.get(PAGES, hit.page)
    member = found.store.get(MEMBERS, hit.page)
    if (
        page is None
        or not keep(page)
        or (member and not params.get("copies") and _is_behind(found, member["event"], place))
    ):
        return None
    shown = page if whole else {name: page[name] for name in COLUMNS}
    return shown | {
        "passage": _pieces(hit),
        "record": hit.record,
        "posts": sum(1 for each in own if each["record"]),
        "copies": (page["story"] or {}).get("reposts") or 0,
    }


def _documents(store: Store, page: str) -> list[MutableRow]:
    return list(
        store.select(SEARCH_DOCUMENTS, [Condition("page", "=", page)], limit=_MOST_POSTS, columns=("record", "number"))
    )


def _is_behind(found: _Found, event: str, place: int) -> bool:
    """Whether an earlier hit is of another page of the event."""
    if event not in found.events:
        rows = found.store.select(MEMBERS, [Condition("event", "=", event)], [Order("at")], _MOST_MEMBERS, ("page",))
        found.events[event] = [each["number"] for row in rows for each in _documents(found.store, row["page"])]
    return any(found.ranks.get(number, place) < place for number in found.events[event])


def _pieces(hit: Hit) -> list[tuple[str, bool]]:
    """The passage in pieces, each with whether it is a word of the query."""
    pieces, last = list[tuple[str, bool]](), 0
    for start, end in hit.marks:
        pieces += [(hit.passage[last:start], False), (hit.passage[start:end], True)]
        last = end
    return [piece for piece in (*pieces, (hit.passage[last:], False)) if piece[0]]
