"""How many pages have a word, and when: the one rule by which screens, exports and reports count words.

A page counts if its title, its text or one of its posts has the word as search reads it, at the time by which search and lists sort the
page or the post, and once in each span of time, copies included. So a number is that of the rows of the list with the same query.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from analysis.search.found import Finder, Found, NoIndexError
from analysis.search.hits import verified
from analysis.search.search_documents import page_number
from pipelines.stores.base import Condition, Store
from pipelines.stores.instant_columns import utc_text
from pipelines.stores.tables import PAGES

_MAX_READ = 2_000
"""Texts that are read to check a word that search only suspects; with more, the count is an estimate."""
_BATCH_PAGES = 500


@dataclass(frozen=True, eq=False, slots=True)
class PageCounts:
    """`pages` and `seconds` (int64[N]): numbers of pages, and when since 1970 they or posts of them have the word. `exact`: whether each
    surely has it."""

    pages: NDArray[np.int64]
    seconds: NDArray[np.int64]
    exact: bool

    def __len__(self) -> int:
        """Pages of any time."""
        return len(np.unique(self.pages))

    def between(self, begin: datetime, end: datetime) -> int:
        """Pages from one instant up to another."""
        inside = (self.seconds >= begin.timestamp()) & (self.seconds < end.timestamp())
        return len(np.unique(self.pages[inside]))

    def by_bucket(self, edges: Sequence[datetime]) -> list[int]:
        """Pages between neighbouring instants."""
        return [self.between(begin, end) for begin, end in pairwise(edges)]


def word_query(word: str) -> str:
    """The query of a word or phrase, as a list is asked for it."""
    return f'"{word.replace(chr(34), "").strip()}"'


def pages_having(
    store: Store, finder: Finder, word: str, since: datetime, until: datetime, topic: str = "", *, most: int = _MAX_READ
) -> PageCounts:
    """The pages that have a word from `since` up to `until` (aware); QueryError for a word without letters, NoIndexError. At most `most`
    texts are read."""
    query = " ".join([word_query(word), f'since:"{utc_text(since)}"', f'until:"{utc_text(until)}"', *_of_topic(topic)])
    return page_counts(store, verified(store, finder.search(query, datetime.now(UTC), "new"), query, most))


def page_counts(store: Store, found: Found) -> PageCounts:
    """The stored pages of what was found."""
    pages, seconds = found.page_moments() or _moments(store, found)
    return PageCounts(pages[pages > 0], seconds[pages > 0], found.exact)


def _moments(store: Store, found: Found) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """As `Found.page_moments`."""
    matches = list(found)
    stored = _stored(store, dict.fromkeys(match.page for match in matches))
    numbers = [page_number(match.page) if match.page in stored else 0 for match in matches]
    return np.array(numbers, np.int64), np.array([match.seconds for match in matches], np.int64)


def count_pages(store: Store, since: datetime, until: datetime, topic: str = "") -> int:
    """All pages of a time, of a topic or of everything."""
    span = [Condition("counted_at", ">=", utc_text(since)), Condition("counted_at", "<", utc_text(until))]
    return store.count(PAGES, [Condition("topic", "=", topic), *span] if topic else span)


def _of_topic(topic: str) -> list[str]:
    return [f'topic:"{topic.replace(chr(34), "")}"'] if topic else []


def _stored(store: Store, pages: Iterable[str]) -> set[str]:
    left, found = iter(pages), set[str]()
    while group := list(islice(left, _BATCH_PAGES)):
        found.update(row["key"] for row in store.select(PAGES, [Condition("key", "in", group)], columns=("key",)))
    return found


def has_index(finder: Finder) -> bool:
    """Whether words can be counted."""
    try:
        finder.search("kind:none")
    except NoIndexError:
        return False
    return True
