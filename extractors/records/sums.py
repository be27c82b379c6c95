"""What the members of groups add up to, in whole numbers: counted by machine code where it was built, else by numpy."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.tags import NAMES, tag_set
from extractors.kernels import native
from extractors.records.candidates import Members
from extractors.records.hints import BODY, TITLE
from extractors.records.nesting import containing
from extractors.records.signals import Signals

LOOKS = (
    "outermost", "has time", "one time", "two times", "times", "times of outermost", "text of outermost",
    "free text of outermost", "own text", "own text squared", "short", "silent", "distinct", "of one parent",
)  # fmt: skip
PARTS = (
    "author", "profile", "body", "picture", "heading", "paragraph", "time element", "link", "long link", "title", "code",
)  # fmt: skip
INSIDES = (
    *(f"has {part}" for part in PARTS), *(f"one {part}" for part in PARTS), "has id", "time around", "climbs",
    "one parent above", "time in territory", "text of territories", "times of siblings", "author in territory",
    "profile in territory", "long link in territory",
)  # fmt: skip
_OF_TERRITORY = np.array([PARTS.index(part) for part in ("author", "profile", "long link")])
_OF_TAGS = {
    "picture": tag_set("img"),
    "heading": tag_set("h1", "h2", "h3", "h4", "h5"),
    "paragraph": tag_set("p"),
    "time element": tag_set("time"),
    "link": tag_set("a"),
    "code": tag_set("pre", "code"),
}
_BY_TAG = np.zeros(len(NAMES) + 1, dtype=np.int64)
for _part, _table in _OF_TAGS.items():
    _BY_TAG |= _table.astype(np.int64) << PARTS.index(_part)
_SHORT = 12
_TITLE_LENGTH = 8
_MOST_TIMES = 6
_LEVELS = 6
"""Elements above a member that are looked at."""

Found = dict[str, NDArray[np.int64]]
Table = dict[str, NDArray[np.float64]]


class Sums:
    """The sums of G groups with A members together; members of a group are in document order.

    Attributes:
        size, start: int64[G], how many members each group has, and where they begin among all.
        member, group: int64[A], the elements, group after group, and the number of the group of each.
    """

    def __init__(self, groups: Sequence[Members], signals: Signals) -> None:
        self.signals, self.columns = signals, signals.columns
        self.size = np.array([len(members) for members in groups], dtype=np.int64)
        self.start = np.concatenate(([0], np.cumsum(self.size)[:-1]))
        self.member = np.concatenate(groups)

    def take(self, numbers: NDArray[np.intp]) -> "Sums":
        """Those of some of the groups, by number."""
        places = zip(self.start[numbers].tolist(), self.size[numbers].tolist(), strict=True)
        ranges = [slice(start, start + size) for start, size in places]
        taken = Sums([self.member[each] for each in ranges], self.signals)
        if "_looks" in self.__dict__:
            found, own = self._looks
            taken.__dict__["_looks"] = found[:, numbers], np.concatenate([own[each] for each in ranges])
        return taken

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """See the class."""
        return np.repeat(np.arange(len(self.size)), self.size)

    @cached_property
    def looks(self) -> Found:
        """int64[G] for each of `LOOKS`."""
        return dict(zip(LOOKS, self._looks[0], strict=True))

    @cached_property
    def means(self) -> Table:
        """float64[G]: the mean over a group's members for each of `LOOKS` and `INSIDES`."""
        return dict(zip(INSIDES, self._insides[0] / self.size, strict=True)) | self.mean_looks

    @cached_property
    def mean_looks(self) -> Table:
        """`means` for each of `LOOKS`."""
        return dict(zip(LOOKS, self._looks[0] / self.size, strict=True))

    @property
    def own(self) -> NDArray[np.int64]:
        """int64[A]: the text of each member without that of members inside it."""
        return self._looks[1]

    @cached_property
    def insides(self) -> Found:
        """int64[G] for each of `INSIDES`."""
        return dict(zip(INSIDES, self._insides[0], strict=True))

    @property
    def around(self) -> NDArray[np.float64]:
        """float64[A]: how much larger than the member's group the largest one is that has an element around it, 2 at most;
        0 where none is about as large."""
        return self._insides[1]

    @property
    def tops(self) -> NDArray[np.intp]:
        """intp[A]: the largest element around each member that holds no other member of its group, `_LEVELS` above at most."""
        return self._insides[2]

    @cached_property
    def _looks(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        columns, signals = self.columns, self.signals
        if compiled := native():
            given = self.member, self.start, columns.end, columns.parent, signals.weights
            found, own = compiled.group_looks(*given, signals.silent.view(np.uint8), signals.endings, _SHORT)
            return found, own
        return self.looks_by_numpy()

    @cached_property
    def _insides(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.intp]]:
        columns, signals = self.columns, self.signals
        if compiled := native():
            given = self.member, self.start, columns.end, columns.parent, signals.weights
            identified = signals.identified.view(np.uint8)
            found, around, tops = compiled.group_insides(*given, identified, self._parts, _OF_TERRITORY, _LEVELS)
            return found, around, tops
        return self.insides_by_numpy()

    @cached_property
    def _parts(self) -> NDArray[np.int64]:
        """int64[N]: a bit for each of `PARTS` that an element is."""
        columns, signals = self.columns, self.signals
        found = _BY_TAG[columns.tag]
        long_link = columns.tagged("a") & (columns.text_length >= _TITLE_LENGTH)
        for part, mask in (
            ("author", signals.authors),
            ("profile", signals.profiles),
            ("body", signals.named(BODY)),
            ("long link", long_link),
            ("title", signals.named(TITLE)),
        ):
            found |= mask.astype(np.int64) << PARTS.index(part)
        return np.asarray(found)

    def _sum(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """int64[…, G]: the values[…, A] of each group's members added up."""
        return np.asarray(np.add.reduceat(values, self.start, axis=-1, dtype=np.int64))

    def looks_by_numpy(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """int64[LOOKS, G] and int64[A]: see `looks` and `own`."""
        parent, top = self.columns.parent[self.member], self.outermost
        text, free, times = self.signals.weights[:, self.member]
        own, own_times = self._own(text), self._own(times)
        counted = (
            top, own_times > 0, own_times == 1, own_times == 2, own_times.clip(0, _MOST_TIMES), times * top, text * top, free * top,
            own, own * own, own < _SHORT, self.signals.silent[self.member],
        )  # fmt: skip
        found = np.empty((len(LOOKS), len(self.size)), dtype=np.int64)
        for row, values in enumerate(counted):
            found[row] = self._sum(values)
        found[-2] = self._distinct(text)
        found[-1] = self._sum(parent == parent[self.start][self.group])
        return found, own

    @cached_property
    def outermost(self) -> NDArray[np.bool_]:
        """bool[A]: not inside another member of the same group."""
        end = self.columns.end[self.member].astype(np.int64) + self.group * (len(self.columns) + 1)
        begin = self.member + self.group * (len(self.columns) + 1)
        reached = np.maximum.accumulate(np.concatenate(([0], end[:-1])))
        return np.asarray(reached <= begin)

    def _own(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Each member's value without that of members inside it."""
        inner, outer = self._nested
        own = values.copy()
        np.subtract.at(own, outer, values[inner])
        return own

    @cached_property
    def _nested(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """intp[members in others of their group] twice: these members, and the innermost one around each."""
        inner: list[int] = []
        outer: list[int] = []
        for number in np.unique(self.group[~self.outermost]).tolist():
            start, size = int(self.start[number]), int(self.size[number])
            around = containing(self.columns, self.member[start : start + size])
            inner += [start + place for place, holder in enumerate(around) if holder >= 0]
            outer += [start + holder for holder in around if holder >= 0]
        return np.array(inner, dtype=np.intp), np.array(outer, dtype=np.intp)

    def _distinct(self, text: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[G]: how many different members there are, by their last text and their length."""
        longest, texts = int(self.columns.text_length[0]) + 1, len(self.columns.texts) + 1
        keys = np.unique((self.group * texts + self.signals.endings[self.member]) * longest + text)
        return np.bincount(keys // (texts * longest), minlength=len(self.size))

    def insides_by_numpy(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.intp]]:
        """int64[INSIDES, G], float64[A] and intp[A]: see `insides`, `around` and `tops`."""
        columns, member = self.columns, self.member
        text, _, times = self.signals.weights
        around, gained = self._around()
        tops = self._tops()
        parent = columns.parent[tops].clip(0)
        one = parent == parent[self.start][self.group]
        running = np.zeros((len(PARTS), len(columns) + 1), dtype=np.int32)
        np.cumsum(self._parts >> np.arange(len(PARTS))[:, None] & 1, axis=1, dtype=np.int32, out=running[:, 1:])
        inside = running[:, columns.end[member]] - running[:, member]
        wider = running[_OF_TERRITORY, :][:, columns.end[tops]] > running[_OF_TERRITORY, :][:, tops]
        others = (
            self.signals.identified[member], gained, tops != member, one, times[tops] > 0, text[tops], times[tops] * one,
        )  # fmt: skip
        found = (
            self._sum(inside > 0),
            self._sum(inside == 1),
            *(self._sum(values)[None] for values in others),
            self._sum(wider),
        )
        return np.concatenate(found), around, tops

    def _around(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """float64[A]: see `around`; bool[A]: such an element has more times than the member."""
        columns, times, size = self.columns, self.signals.times, self.size[self.group]
        largest = np.zeros(len(columns), dtype=np.int64)
        np.maximum.at(largest, self.member, size)
        above, found, gained = self.member, np.zeros(len(self.member)), np.zeros(len(self.member), dtype=np.bool_)
        for _ in range(_LEVELS):
            above = columns.parent[above].clip(0)
            alike = largest[above] >= 0.8 * size
            found = np.maximum(found, np.minimum(2.0, largest[above] / size) * alike)
            gained |= alike & (times[above] > times[self.member])
        return found, gained

    def _tops(self) -> NDArray[np.intp]:
        """See `tops`."""
        columns, whole = self.columns, len(self.columns) + 1
        base = self.group * whole
        keys, tops, climbing = base + self.member, self.member.copy(), np.arange(len(self.member))
        for _ in range(_LEVELS):
            above = columns.parent[tops[climbing]]
            first = np.searchsorted(keys, base[climbing] + above)
            last = np.searchsorted(keys, base[climbing] + columns.end[above.clip(0)])
            free = (above > 0) & (last - first == 1)
            climbing = climbing[free]
            tops[climbing] = above[free]
        return tops
