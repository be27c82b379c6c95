"""The matches of a query, best first, whichever engine holds the index."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from pipelines.stores.base import StoreError

MAX_AMONG = 20_000
"""Documents of the pages that `among` is asked for."""
_DAY = 86_400
_MAX_HOSTS = 60_000
_ITERATED = 500
FoundOrder = Literal["best", "published", "new"]
"""The best first, those published last first, those indexed last first."""


class NoIndexError(StoreError):
    """There is no index yet; the message says how to make one."""


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """A document that matches: keys of its page and its record ("": the page itself), seconds since 1970 (-1: unknown)."""

    page: str
    record: str
    host: str
    seconds: int
    score: float


class Found(ABC):
    """Documents that match a query, in their order; for one thread.

    Attributes:
        exact: whether each surely has every word and phrase.
    """

    exact: bool

    @abstractmethod
    def __len__(self) -> int:
        """How many match."""

    @abstractmethod
    def part(self, start: int, count: int) -> Sequence[SearchMatch]:
        """Those from this place, counted from 0."""

    @abstractmethod
    def among(self, pages: Collection[str]) -> Sequence[SearchMatch]:
        """The documents of these pages that match, in the same order."""

    @abstractmethod
    def per_day(self, zone: tzinfo) -> dict[str, int]:
        """How many match of each day of the time zone, in order; those without a time under ""."""

    @abstractmethod
    def per_host(self) -> dict[str, int]:
        """How many match of each host, most first."""

    def page_moments(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """int64[N] numbers of the pages of all documents (0: lists do not show it) and int64[N] their seconds; None where the engine has
        no faster way than to go through them."""
        return None

    def __iter__(self) -> Iterator[SearchMatch]:
        for start in range(0, len(self), _ITERATED):
            yield from self.part(start, _ITERATED)


class EngineFound(Found):
    """The matches of an engine: its own entries, read in blocks of `block` on demand."""

    block: int

    def __init__(self, *, exact: bool) -> None:
        self.exact = exact
        self._block: tuple[int, Sequence[Any]] = (-1, ())

    @abstractmethod
    def _read(self, start: int) -> Sequence[Any]:
        """A block of entries from this place."""

    @abstractmethod
    def _matches(self, entries: Sequence[Any]) -> Sequence[SearchMatch]: ...

    @abstractmethod
    def _buckets(self, question: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """The buckets of one aggregation."""

    def part(self, start: int, count: int) -> Sequence[SearchMatch]:
        found, end = list[SearchMatch](), min(start + count, len(self))
        while start < end:
            number, place = divmod(start, self.block)
            if self._block[0] != number:
                self._block = (number, self._read(number * self.block))
            entries = self._block[1][place : place + end - start]
            found += self._matches(entries)
            start += len(entries) or end
        return found

    def per_day(self, zone: tzinfo) -> dict[str, int]:
        ahead = _ahead(zone)
        if ahead is None:
            return _days(self, zone)
        days = {"field": "seconds", "interval": _DAY, "offset": -ahead % _DAY, "min_doc_count": 1}
        found = self._buckets({"histogram": days})
        return {_day(int(each["key"]) + ahead): int(each["doc_count"]) for each in found}

    def per_host(self) -> dict[str, int]:
        found = self._buckets({"terms": {"field": "host", "size": _MAX_HOSTS}})
        return _most_first({str(each["key"]): int(each["doc_count"]) for each in found})


class Checked(Found):
    """Matches whose texts were read."""

    exact = True

    def __init__(self, matches: Sequence[SearchMatch]) -> None:
        self._matches = matches

    def __len__(self) -> int:
        return len(self._matches)

    def part(self, start: int, count: int) -> Sequence[SearchMatch]:
        return self._matches[start : start + count]

    def among(self, pages: Collection[str]) -> Sequence[SearchMatch]:
        return [each for each in self._matches if each.page in pages]

    def per_day(self, zone: tzinfo) -> dict[str, int]:
        return _days(self._matches, zone)

    def per_host(self) -> dict[str, int]:
        return _most_first(Counter(each.host for each in self._matches))


class Finder(Protocol):
    """An index that answers queries."""

    def search(self, text: str, now: datetime | None = None, order: FoundOrder = "best") -> Found:
        """Documents that match; a day of the query is one in the time zone of `now`, UTC without it.

        QueryError if the query cannot be understood, NoIndexError, StoreError if the index is unusable.
        """


def _days(matches: Iterable[SearchMatch], zone: tzinfo) -> dict[str, int]:
    moments = (datetime.fromtimestamp(each.seconds, zone) if each.seconds >= 0 else None for each in matches)
    return dict(sorted(Counter(at.date().isoformat() if at else "" for at in moments).items()))


def _ahead(zone: tzinfo) -> int | None:
    """Seconds by which the zone is ahead of UTC; None if that depends on the season or has changed since 2000."""
    found = {zone.utcoffset(datetime(year, month, 1)) for year in range(2000, 2038) for month in (1, 7)}
    only = found.pop() if len(found) == 1 else None
    return None if only is None else int(only.total_seconds())


def _day(local: int) -> str:
    """The date of seconds since 1970 in local time; "" for its first day, as documents without a time have -1."""
    return datetime.fromtimestamp(local, UTC).date().isoformat() if local >= _DAY else ""


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
