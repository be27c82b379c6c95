"""What all groups of a page look like, measured at once: one table of F measures by G groups.

Members of all groups stand in one array, group after group, so that every measure is one pass over it.
"""

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.records.candidates import Group
from extractors.records.hints import ASIDE, BODY, QUOTE, RECORD, TITLE
from extractors.records.nesting import containing
from extractors.records.signals import Signals
from extractors.tags import tag_set

_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5")
_KINDS = {
    "li": tag_set("li"),
    "row": tag_set("tr", "tbody", "table"),
    "article": tag_set("article", "section"),
    "definition": tag_set("dd", "dl", "blockquote"),
    "link": tag_set("a"),
}
_CODE = tag_set("pre", "code")
_SHORT = 12
_TITLE_LENGTH = 8
_LEVELS = 6
_LABELS = {
    "named": (RECORD, True, False),
    "parent named": (RECORD, False, True),
    "aside": (ASIDE, True, True),
    "named body": (BODY, True, False),
    "named quote": (QUOTE, True, True),
}
"""Words looked for in the names of a group's last element, or of its parent, or in both."""
_LIKELY = {
    "members": 1.5, "has time": 1.9, "share of text": 1.2, "share of free text": 1.9, "share of times": 0.6,
    "distinct": 1.0, "log text": 0.2, "short": -1.5, "named": 1.4, "silent": -1.1, "aside": -1.0,
}  # fmt: skip
"""Which groups are worth measuring in full."""

Table = dict[str, NDArray[np.float64]]


class Measures:
    """The table of some groups of a page."""

    def __init__(self, groups: list[Group], signals: Signals) -> None:
        self.groups, self.signals, self.columns = groups, signals, signals.columns
        self.size = np.array([len(group.members) for group in groups])
        self.start = np.concatenate(([0], np.cumsum(self.size)[:-1]))
        self.member = np.concatenate([group.members for group in groups])
        self.group = np.repeat(np.arange(len(groups)), self.size)

    def table(self) -> tuple[NDArray[np.float32], list[str]]:
        """float32[F, G] and the F names."""
        rows: Table = {}
        parts = (self._sizes, self._times, self._texts, self._places, self._around, self._labels, self._parts)
        for part in (*parts, self._territory, self._structured):
            rows |= part()
        rows |= {f"{name} / best": rows[name] / max(1e-9, float(rows[name].max())) for name in _COMPARED}
        return np.array(list(rows.values()), dtype=np.float32), list(rows)

    def likely(self, most: int) -> NDArray[np.intp]:
        """The numbers of the groups that look most like records, best first."""
        if len(self.groups) <= most:
            return np.arange(len(self.groups))
        rows = self._first_look() | self._labels(_LIKELY.keys() & _LABELS)
        looks = np.sum([weight * rows[name] for name, weight in _LIKELY.items()], axis=0)
        return np.asarray(np.argsort(-looks, kind="stable")[:most])

    def _first_look(self) -> Table:
        """The measures by which groups look like records, those of labels left out."""
        columns, signals = self.columns, self.signals
        times, texts = signals.times[self.member], columns.text_length[self.member]
        own = self._own(texts)
        return {
            "members": np.log(self.size),
            "has time": self._mean(self._own(times) > 0),
            "share of text": self._sum(texts * self._top) / max(1.0, float(columns.text_length[0])),
            "share of free text": self._sum(signals.free[self.member] * self._top) / max(1.0, float(signals.free[0])),
            "share of times": self._sum(times * self._top) / max(1.0, float(signals.times[0])),
            "distinct": self._distinct(texts),
            "log text": np.log1p(self._mean(own)),
            "short": self._mean(own < _SHORT),
            "silent": self._mean(signals.silent[self.member]),
        }

    def _mean(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        return np.asarray(np.add.reduceat(np.asarray(values, dtype=np.float64), self.start) / self.size)

    def _sum(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        return np.asarray(np.add.reduceat(np.asarray(values, dtype=np.float64), self.start))

    @cached_property
    def _top(self) -> NDArray[np.bool_]:
        """bool[all members]: not inside another member of the same group."""
        end = self.columns.end[self.member].astype(np.int64) + self.group * (len(self.columns) + 1)
        begin = self.member + self.group * (len(self.columns) + 1)
        reached = np.maximum.accumulate(np.concatenate(([0], end[:-1])))
        return np.asarray(reached <= begin)

    def _own(self, values: NDArray[Any]) -> NDArray[Any]:
        """Each member's value without that of members inside it."""
        inner, outer = self._nested
        return values - np.bincount(outer, weights=values[inner], minlength=len(values)) if len(inner) else values

    @cached_property
    def _nested(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """intp[members in others of their group] twice: these members, and the innermost one around each."""
        inner: list[int] = []
        outer: list[int] = []
        for number in np.unique(self.group[~self._top]).tolist():
            start, size = int(self.start[number]), int(self.size[number])
            around = containing(self.columns, self.member[start : start + size])
            inner += [start + place for place, holder in enumerate(around) if holder >= 0]
            outer += [start + holder for holder in around if holder >= 0]
        return np.array(inner, dtype=np.intp), np.array(outer, dtype=np.intp)

    def _sizes(self) -> Table:
        return {
            "members": np.log(self.size),
            "two": (self.size == 2).astype(np.float64),
            "nested": 1 - self._mean(self._top),
            "depth": self.columns.depth[self.member[self.start]] / 20,
            "groups": np.full(len(self.groups), math.log(len(self.groups))),
        }

    def _times(self) -> Table:
        times = self.signals.times[self.member].astype(np.float64)
        own = self._own(times)
        whole = max(1.0, float(self.signals.times[0]))
        return {
            "has time": self._mean(own > 0),
            "one time": self._mean(own == 1),
            "two times": self._mean(own == 2),
            "times": self._mean(own.clip(0, 6)),
            "share of times": self._sum(times * self._top) / whole,
            "times on page": np.full(len(self.groups), math.log1p(whole)),
        }

    def _texts(self) -> Table:
        columns, signals = self.columns, self.signals
        text = columns.text_length[self.member].astype(np.float64)
        free = signals.free[self.member].astype(np.float64)
        own = self._own(text)
        mean = self._mean(own)
        spread = np.sqrt(np.maximum(0.0, self._mean(own**2) - mean**2))
        middle = self._mean(np.log1p(own.clip(0)))
        return {
            "share of text": self._sum(text * self._top) / max(1.0, float(columns.text_length[0])),
            "share of free text": self._sum(free * self._top) / max(1.0, float(signals.free[0])),
            "log text": np.log1p(mean),
            "mean log text": middle,
            "spread": spread / (mean + 1),
            "short": self._mean(own < _SHORT),
            "linked": self._mean(1 - free / np.maximum(text, 1)),
            "distinct": self._distinct(columns.text_length[self.member]),
            "text on page": np.full(len(self.groups), math.log1p(float(columns.text_length[0]))),
        }

    def _distinct(self, text: NDArray[np.int32]) -> NDArray[np.float64]:
        columns = self.columns
        ends = self.signals.alike.beginnings[columns.chunk_end[self.member] - 1]
        keys = np.unique((self.group * (len(columns.texts) + 1) + ends) * (int(columns.text_length[0]) + 1) + text)
        group = keys // ((len(columns.texts) + 1) * (int(columns.text_length[0]) + 1))
        return np.asarray(np.bincount(group, minlength=len(self.groups)) / self.size)

    def _places(self) -> Table:
        columns = self.columns
        parent = columns.parent[self.member]
        first = parent[self.start]
        children = np.bincount(columns.parent[columns.text_length > 0].clip(0), minlength=len(columns))
        chunks = max(1, len(columns.texts))
        last = self.start + self.size - 1
        return {
            "one parent": self._mean(parent == first[self.group]),
            "of its siblings": self.size / np.maximum(children[first.clip(0)], 1),
            "begins": columns.chunk_start[self.member[self.start]] / chunks,
            "ends": columns.chunk_end[self.member[last]] / chunks,
            "silent": self._mean(self.signals.silent[self.member]),
        } | {
            f"is {name}": kind[columns.tag[self.member[self.start]]].astype(np.float64) for name, kind in _KINDS.items()
        }

    def _around(self) -> Table:
        """Whether the members lie in elements of a group that is as large: then they may be but parts of its records."""
        columns = self.columns
        largest = np.zeros(len(columns))
        np.maximum.at(largest, self.member, self.size[self.group])
        times = self.signals.times
        above, found, gained = self.member, np.zeros(len(self.member)), np.zeros(len(self.member))
        for _ in range(_LEVELS):
            above = columns.parent[above].clip(0)
            alike = largest[above] >= 0.8 * self.size[self.group]
            found = np.maximum(found, np.minimum(2.0, largest[above] / self.size[self.group]) * alike)
            gained = np.maximum(gained, alike * (times[above] > times[self.member]))
        return {"in alike": self._mean(found), "time around": self._mean(gained)}

    def _labels(self, wanted: Iterable[str] = tuple(_LABELS)) -> Table:
        own = self.member[self.start + self.size - 1]
        parent = self.columns.parent[own].clip(0)
        rows: Table = {}
        for name in wanted:
            words, of_own, of_parent = _LABELS[name]
            found = self.signals.named(words)
            rows[name] = (of_own & found[own] | of_parent & found[parent]).astype(np.float64)
        return rows

    def _parts(self) -> Table:
        """What stands in a member: names and links of people, pictures, headings, paragraphs, ids."""
        columns, signals = self.columns, self.signals
        marks = {
            "author": self.signals.authors,
            "profile": self.signals.profiles,
            "body": signals.named(BODY),
            "picture": columns.tagged("img"),
            "heading": _HEADINGS[columns.tag],
            "paragraph": columns.tagged("p"),
            "time element": columns.tagged("time"),
            "link": columns.tagged("a"),
            "long link": self._long_links,
            "title": signals.named(TITLE),
            "code": _CODE[columns.tag],
        }
        inside = self._inside(list(marks.values()))
        has, one = self._shares(inside > 0), self._shares(inside == 1)
        rows: Table = {}
        for place, name in enumerate(marks):
            rows |= {f"has {name}": has[place], f"one {name}": one[place]}
        return rows | {"has id": self._mean(signals.identified[self.member])}

    def _inside(self, marks: list[NDArray[np.bool_]]) -> NDArray[np.int32]:
        """int32[marks, all members]: how many elements of each mark stand in each member."""
        running = np.zeros((len(marks), len(self.columns) + 1), dtype=np.int32)
        np.cumsum(np.stack(marks), axis=1, dtype=np.int32, out=running[:, 1:])
        return np.asarray(running[:, self.columns.end[self.member]] - running[:, self.member])

    def _shares(self, found: NDArray[np.bool_]) -> NDArray[np.float64]:
        """float64[F, G]: the share of each group's members for which each of F questions, bool[F, all members], holds."""
        return np.asarray(np.add.reduceat(found, self.start, axis=1, dtype=np.float64) / self.size)

    def _structured(self) -> Table:
        """How the members fit to what the page's structured data tells of."""
        columns, told = self.columns, self.signals.structured
        begun = np.zeros(len(columns.texts), dtype=np.int32)
        begun[list(told.chunks)] = 1
        items = told.items
        tops = self._tops
        inside = columns.subtree(items.astype(np.int32))[tops]
        texts = columns.subtree_chunks(begun)[self.member]
        count = np.full(len(self.groups), float(told.count))
        return {
            "items told": np.log1p(count),
            "as many as told": np.minimum(count, self.size) / np.maximum(count, self.size),
            "one item": self._mean((inside == 1) | ((inside == 0) & columns.within(items)[self.member])),
            "two items": self._mean(inside > 1),
            "items held": self._sum(inside) / np.maximum(1, items.sum()),
            "one text told": self._mean(texts == 1),
            "texts held": self._sum(texts * self._top) / max(1, len(told.chunks)),
        }

    @cached_property
    def _long_links(self) -> NDArray[np.bool_]:
        """bool[N]: a link that says enough to be a title."""
        return self.columns.tagged("a") & (self.columns.text_length >= _TITLE_LENGTH)

    @cached_property
    def _tops(self) -> NDArray[np.intp]:
        """intp[all members]: the largest element around each member that holds no other member of its group."""
        columns, whole = self.columns, len(self.columns) + 1
        base = self.group.astype(np.int64) * whole
        keys, tops, climbing = base + self.member, self.member.copy(), np.arange(len(self.member))
        for _ in range(_LEVELS):
            above = columns.parent[tops[climbing]]
            first = np.searchsorted(keys, base[climbing] + above)
            last = np.searchsorted(keys, base[climbing] + columns.end[above.clip(0)])
            free = (above > 0) & (last - first == 1)
            climbing = climbing[free]
            tops[climbing] = above[free]
        return tops

    def _territory(self) -> Table:
        """What stands in the largest element around each member that holds no other, and beside these elements."""
        columns, times = self.columns, self.signals.times
        tops = self._tops
        text = columns.text_length
        parent = columns.parent[tops].clip(0)
        one = parent == parent[self.start][self.group]
        around = times[parent[self.start]] - self._sum(times[tops] * one)
        counted = {"author": self.signals.authors, "profile": self.signals.profiles, "long link": self._long_links}
        return {
            "climbs": self._mean(tops != self.member),
            "one parent above": self._mean(one),
            "time in territory": self._mean(times[tops] > 0),
            "of its territory": self._mean(text[self.member] / np.maximum(text[tops], 1)),
            "territories cover": self._sum(text[tops]) / max(1.0, float(text[0])),
            "times beside": (around / self.size).clip(0, 3),
        } | {
            f"{name} in territory": self._mean(columns.subtree(mark.astype(np.int32))[tops] > 0)
            for name, mark in counted.items()
        }


_COMPARED = ("share of text", "share of free text", "share of times", "members", "log text")
