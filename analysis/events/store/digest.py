"""An event in a few sentences quoted from different reports, in time order."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from analysis.summary import summarize
from pipelines.stores.analysis_tables import MEMBERS
from pipelines.stores.base import Condition, Order, Row, Store
from pipelines.stores.tables import PAGES

_LOOKED = 400
"""Members from which pages are chosen."""
_READ_PAGES = 10
"""Pages summarised."""
_MAX_SENTENCES = 5
_MAX_CHARS = 90
_BODY_CHARS = 3_000
_MAX_LIKENESS = 0.35
"""Maximum share of character pairs with an earlier sentence; above it a sentence is redundant."""
_SENTENCE_ENDS = re.compile(r"[。！？!?…](?=.)|\.\s")
_summarized = lru_cache(256)(summarize)
"""An event that people look at is looked at again."""
_COLUMNS = ("page", "at", "site", "title", "repost")


@dataclass(frozen=True, slots=True)
class SourcedSentence:
    """A sentence and its page."""

    text: str
    page: str
    site: str
    at: str


def digest(store: Store, event: str, most: int = _MAX_SENTENCES) -> list[SourcedSentence]:
    """At most `most` sentences of an event, by time."""
    rows = list(
        store.select(MEMBERS, [Condition("event", "=", event)], [Order("at"), Order("page")], _LOOKED, _COLUMNS)
    )
    own = [row for row in rows if not row["repost"]] or rows
    return list(_different(_sourced_sentences(store, _spaced(own)), most))


def _spaced(rows: Sequence[Row]) -> list[Row]:
    """The first page, and others at even distances."""
    if len(rows) <= _READ_PAGES:
        return list(rows)
    return [rows[place * (len(rows) - 1) // (_READ_PAGES - 1)] for place in range(_READ_PAGES)]


def _sourced_sentences(store: Store, rows: Iterable[Row]) -> Iterator[SourcedSentence]:
    for row in rows:
        page = next(store.select(PAGES, [Condition("key", "=", row["page"])], limit=1, columns=("title", "body")), None)
        if page is not None:
            text = _summarized(page["title"] or row["title"] or "", (page["body"] or "")[:_BODY_CHARS], _MAX_CHARS)
            yield SourcedSentence(_whole(text), row["page"], row["site"] or "", row["at"] or "")


def _different(found: Iterable[SourcedSentence], most: int) -> Iterator[SourcedSentence]:
    seen: list[set[str]] = []
    for each in found:
        pairs = {each.text[place : place + 2] for place in range(len(each.text) - 1)}
        if not pairs or any(len(pairs & other) > _MAX_LIKENESS * min(len(pairs), len(other)) for other in seen):
            continue
        seen.append(pairs)
        yield each
        if len(seen) == most:
            return


def _whole(text: str) -> str:
    """Without a last sentence that is cut, if another is before it."""
    if not text.endswith("…"):
        return text
    ends = [found.end() for found in _SENTENCE_ENDS.finditer(text)]
    return text[: ends[-1]].rstrip() if ends else text
