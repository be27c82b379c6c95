"""Who wrote each record: the kind of short element that names people most surely."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native
from extractors.records.hints import AUTHOR, OTHER_PERSON, is_no_name
from extractors.records.kinds import SAMPLE, Inside, Kinds
from extractors.records.people import LONGEST_NAME, MOST_WORDS
from extractors.text.dates import find_time

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


_Kinds = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]


class Authors:
    """The element that names the author of each record."""

    def __init__(self, reader: "Reader", kinds: Kinds, outside: NDArray[np.bool_]) -> None:
        self.reader, self.kinds, self.columns, self._outside = reader, kinds, reader.columns, outside
        self._people = reader.signals.people
        self.places = self._best()
        said = self._people.said[list(self.places.values())].tolist() if self.places else []
        self._named = {
            number: _cleaned(self._people.sayings[text]) for number, text in zip(self.places, said, strict=True)
        }

    def name(self, number: int) -> tuple[str, int]:
        """(name, the element that says it), ("", −1) where nobody is named."""
        place = self.places.get(number, -1)
        if place >= 0:
            return self._named[number], place
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
        kinds = places, records, starts = self._first_of_kinds()
        if not len(starts):
            return {}
        worth, ends = self._worth(kinds), np.append(starts[1:], len(places))
        best: Inside = {}
        for kind in np.lexsort((places[starts], -worth))[:_KINDS].tolist():
            if worth[kind] > _LEAST:
                inside = slice(starts[kind], ends[kind])
                best = dict(zip(records[inside].tolist(), places[inside].tolist(), strict=True)) | best
        return best

    def _first_of_kinds(self) -> "_Kinds":
        """Short elements beside the records' texts, the first of each kind in each record; by machine code where it was
        built."""
        reader, usable = self.reader, self._outside & ~self.reader.signals.time
        if compiled := native():
            around = reader.around, self.columns.chunk_start, len(reader.group.members)
            found: _Kinds = compiled.first_of_kinds(*self._people.kinds, usable.view(np.uint8), *around, _SHARE)
            return found
        return self.first_by_numpy(usable)

    def first_by_numpy(self, usable: NDArray[np.bool_]) -> "_Kinds":
        """Of short elements whose first chunk is usable: places, records, and where kinds begin.

        Kind after kind, and of each in document order; kinds that few records have are left out.
        """
        start, (places, starts) = self.columns.chunk_start, self._people.kinds
        kinds = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(places)))
        fit = usable[start[places]]
        places, kinds = places[fit], kinds[fit]
        records = self.reader.around[start[places]]
        order = np.lexsort((places, records, kinds))
        kinds, records, places = kinds[order], records[order], places[order]
        first = (np.diff(kinds, prepend=-1) != 0) | (np.diff(records, prepend=-1) != 0)
        kinds, records, places = kinds[first], records[first], places[first]
        sizes = np.diff(np.append(np.flatnonzero(np.diff(kinds, prepend=-1)), len(kinds)))
        wide = np.repeat(sizes >= _SHARE * len(self.reader.group.members), sizes)
        order = np.lexsort((places[wide], kinds[wide]))
        kinds = kinds[wide][order]
        return places[wide][order], records[wide][order], np.flatnonzero(np.diff(kinds, prepend=-1))

    def _worth(self, kinds: "_Kinds") -> NDArray[np.float64]:
        """What each kind says of itself (microdata, class names, links to people), times the share of records with it; by
        machine code where it was built."""
        compiled = native()
        if not compiled:
            return self.worth_by_numpy(kinds)
        reader, people, columns = self.reader, self._people, self.columns
        masks = people.other.view(np.uint8), people.said, people.plain.view(np.uint8), people.led.view(np.uint8)
        headed = (self.kinds.headed_cells(words).view(np.uint8) for words in (AUTHOR, OTHER_PERSON))
        around = reader.group.members, people.signs, *masks, reader.around, columns.chunk_start, self.kinds.cell
        return np.asarray(compiled.author_worths(*kinds, *around, *headed, SAMPLE, _WEIGHED, _EARLY))

    def worth_by_numpy(self, kinds: "_Kinds") -> NDArray[np.float64]:
        """See `_worth`."""
        places, records, starts = kinds
        sizes = np.diff(np.append(starts, len(places)))
        sampled, weighed = np.minimum(sizes, SAMPLE), np.minimum(sizes, _WEIGHED)
        rank = _sum(self._signs(places), starts, weighed) / (10 * weighed)
        other = _sum(self._others(places), starts, weighed) / weighed
        said = self._people.said[places]
        distinct = _distinct(said, starts, sampled)
        plain = _sum(self._people.plain[said], starts, sampled) / sampled
        chunks = self.columns.chunk_start
        soon = chunks[places] - chunks[self.reader.group.members[records]] <= _EARLY
        early = _sum(soon, starts, sampled) / sampled
        share = sizes / len(self.reader.group.members)
        worth = (1 - 0.6 * other) * share * (rank + np.minimum(1.0, 1.5 * distinct / sampled) + 0.4 * early) * plain
        worth[(distinct == 1) & (sampled > 2) & (rank < 2)] = 0.0
        return np.asarray(worth)

    def _signs(self, places: NDArray[np.intp]) -> NDArray[np.int64]:
        """int64[places]: what speaks for an author, in tenths."""
        around, chunks = self.reader.around, self.columns.chunk_start[places]
        led = self._people.led[chunks] & (around[chunks] == around[chunks - 1])
        return np.asarray(self._people.signs[places] + 12 * led + 10 * self.kinds.headed(AUTHOR, places))

    def _others(self, places: NDArray[np.intp]) -> NDArray[np.bool_]:
        """bool[places]: who is named there is called somebody else than the author."""
        return np.asarray(self._people.other[places] | self.kinds.headed(OTHER_PERSON, places))


def _sum(values: NDArray[Any], starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[np.int64]:
    """The first `sizes` values from each start on, added up."""
    running = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    return np.asarray(running[starts + sizes] - running[starts])


def _distinct(values: NDArray[np.intp], starts: NDArray[np.intp], sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """How many different values are among the first `sizes` from each start on."""
    listed = values.tolist()
    ranges = zip(starts.tolist(), (starts + sizes).tolist(), strict=True)
    return np.array([len(set(listed[start:end])) for start, end in ranges])


@lru_cache(maxsize=2_000)
def _cleaned(text: str) -> str:
    return _SAYS.sub("", _BY.sub("", text)).strip(" :：,，·|»-")
