"""When the threads of a list were last answered: the latest time in each line, by which a spider tells which have changed."""

from datetime import timedelta
from typing import TYPE_CHECKING

from extractors.records.times import Times

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_WIDE = 0.4
"""The share of lines that must have a kind of time."""
_MOST_KINDS = 3
_AHEAD = timedelta(days=1)
"""A time further ahead of the fetch is no activity; within a day it may be another zone's."""

Activity = tuple[str, str]
"""(ISO 8601, as it is written)."""


class LastTimes:
    """The last activity of each record of a list, where its lines tell one beside their titles."""

    def __init__(self, reader: "Reader", times: Times) -> None:
        self._reader, self._times, self._clocks = reader, times, reader.signals.clocks
        least = _WIDE * len(reader.group.members)
        wide = [inside for inside in times.all_kinds.values() if len(inside) >= least] if reader.is_list else []
        self._kinds = sorted(wide, key=len, reverse=True)[:_MOST_KINDS]
        self._titles = {reader.columns.chunk_start[head] for head in reader.heads.values()}

    def of(self, number: int) -> Activity:
        """A record's last activity, two empty texts where none is told."""
        now = self._reader.page.fetched_at
        limit = (now + _AHEAD).isoformat()
        told = [self._written(inside[number]) for inside in self._kinds if number in inside]
        read = [(self._clocks.parsed(text, now), text) for text in told if text]
        return max((each for each in read if each[0] and each[0] <= limit), default=("", ""))

    def _written(self, chunk: int) -> str:
        return "" if chunk in self._titles else self._times.written(chunk)
