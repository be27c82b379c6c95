"""Who wrote each record: the kind of short element that names people most surely."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from extractors.dates import find_time
from extractors.records.hints import AUTHOR, OTHER_PERSON, is_no_name
from extractors.records.kinds import SAMPLE, Inside, Kinds
from extractors.records.people import LONGEST_NAME, MOST_WORDS

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_LEAST = 0.7
"""Share of records times what speaks for a kind of element; less names nobody."""
_KINDS = 3
_SHARE = 0.15
"""Of records that must have a kind of element."""
_EARLY = 3
"""Chunks of a record before a name that comes early."""
_WEIGHED = 8
"""Elements of a kind by which what it says of itself is weighed."""
_BY = re.compile(
    r"^(?:(?:posted |started |written |asked |answered )?by|作者|楼主|发布者|发表者|von|verfasst von|par|de|por)(?:[:：]\s*|\s+)",
    re.I,
)
_SAYS = re.compile(
    r"\s+(?:says?|said|dijo|dice|schrieb|sagt|a écrit|wrote|writes|reviewed|commented|说)(?:\s+on)?\s*[:：]?$", re.I
)


class Authors:
    """The element that names the author of each record."""

    def __init__(self, reader: "Reader", kinds: Kinds, outside: NDArray[np.bool_]) -> None:
        self.reader, self.kinds, self.columns, self._outside = reader, kinds, reader.columns, outside
        self._people = reader.signals.people
        self.places = self._best()

    def name(self, number: int) -> tuple[str, int]:
        """(name, the element that says it), ("", −1) where nobody is named."""
        place = self.places.get(number, -1)
        if place >= 0:
            return _cleaned(self._people.sayings[self._people.said[place]]), place
        named = self._people.told(int(self.reader.group.members[number]))
        return (named if len(named) <= LONGEST_NAME else ""), -1

    def beside(self, text: str) -> str:
        """The name in a short text that tells a time as well: "Jane Doe, 4 May 2020", "by jane · yesterday"."""
        time = find_time(text)
        left = text.partition(time)[0] if time else ""
        name = _cleaned(" ".join(left.split()))
        plain = not is_no_name(name.lower()) and len(name.split()) < MOST_WORDS
        return (
            name
            if 1 < len(name) <= LONGEST_NAME and plain and (_BY.match(left.strip()) or left.rstrip()[-1:] in ",·|，-")
            else ""
        )

    def _best(self) -> Inside:
        """The elements of the kind that names people most surely; where it has none those of the next two kinds."""
        places, records, kinds = self._first_of_kinds()
        starts = np.flatnonzero(np.diff(kinds, prepend=-1))
        sizes = np.diff(np.append(starts, len(kinds)))
        worth = self._worth(places, records, starts, sizes) if len(kinds) else np.zeros(0)
        best: Inside = {}
        for kind in np.lexsort((places[starts], -worth))[:_KINDS].tolist():
            if worth[kind] > _LEAST:
                inside = slice(starts[kind], starts[kind] + sizes[kind])
                best = dict(zip(records[inside].tolist(), places[inside].tolist(), strict=True)) | best
        return best

    def _first_of_kinds(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]:
        """Short elements beside the records' texts, the first of each kind in each record: places, records, and kinds.

        Kind after kind, and of each in document order; kinds that few records have are left out.
        """
        columns, reader = self.columns, self.reader
        start = columns.chunk_start.clip(0, max(0, len(self._outside) - 1))
        usable = self._outside & ~reader.signals.time
        places = np.flatnonzero(self._people.short & usable[start])
        records, kinds = reader.around[start[places]], reader.signals.alike.kinds[places]
        order = np.lexsort((places, records, kinds))
        kinds, records, places = kinds[order], records[order], places[order]
        first = (np.diff(kinds, prepend=-1) != 0) | (np.diff(records, prepend=-1) != 0)
        kinds, records, places = kinds[first], records[first], places[first]
        sizes = np.diff(np.append(np.flatnonzero(np.diff(kinds, prepend=-1)), len(kinds)))
        wide = np.repeat(sizes >= _SHARE * len(reader.group.members), sizes)
        order = np.lexsort((places[wide], kinds[wide]))
        return places[wide][order], records[wide][order], kinds[wide][order]

    def _worth(
        self, places: NDArray[np.intp], records: NDArray[np.intp], starts: NDArray[np.intp], sizes: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """What each kind says of itself (microdata, class names, links to people), times the share of records with it."""
        sampled, weighed = np.minimum(sizes, SAMPLE), np.minimum(sizes, _WEIGHED)
        rank = _mean(self._signs(places), starts, weighed)
        other = _mean(self._others(places), starts, weighed)
        said = self._people.said[places]
        distinct = _distinct(said, starts, sampled)
        plain = _mean(self._people.plain[said], starts, sampled)
        chunks = self.columns.chunk_start
        early = _mean(chunks[places] - chunks[self.reader.group.members[records]] <= _EARLY, starts, sampled)
        share = sizes / len(self.reader.group.members)
        worth = (1 - 0.6 * other) * share * (rank + np.minimum(1.0, 1.5 * distinct / sampled) + 0.4 * early) * plain
        worth[(distinct == 1) & (sampled > 2) & (rank < 2)] = 0.0
        return np.asarray(worth)

    def _signs(self, places: NDArray[np.intp]) -> NDArray[np.float64]:
        """float64[places]: what speaks for an author."""
        around, chunks = self.reader.around, self.columns.chunk_start[places]
        led = self._people.led[chunks] & (around[chunks] == around[chunks - 1])
        return np.asarray(self._people.signs[places] + 1.2 * led + self.kinds.headed(AUTHOR, places))

    def _others(self, places: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[places]: who is named there is called somebody else than the author."""
        return np.asarray(self._people.other[places] | self.kinds.headed(OTHER_PERSON, places))


def _mean(values: NDArray[Any], starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[np.float64]:
    """The mean of the first `sizes` values from each start on."""
    running = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    return np.asarray((running[starts + sizes] - running[starts]) / sizes)


def _distinct(values: NDArray[np.intp], starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """How many different values are among the first `sizes` from each start on."""
    listed = values.tolist()
    ranges = zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
    return np.array([len(set(listed[start:end])) for start, end in ranges])


@lru_cache(maxsize=2_000)
def _cleaned(text: str) -> str:
    return _SAYS.sub("", _BY.sub("", text)).strip(" :：,，·|»-")
