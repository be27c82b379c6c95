"""What all groups of a page look like, measured at once: one table of F measures by G groups.

Members of all groups stand in one array, group after group, so that every measure is one pass over it.
"""

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from extractors.records.candidates import Group, Signals, own_values
from extractors.records.hints import ASIDE, AUTHOR, BODY, PROFILE, RECORD
from extractors.tags import tag_set

_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5")
_KINDS = {
    "li": tag_set("li"),
    "row": tag_set("tr", "tbody", "table"),
    "article": tag_set("article", "section"),
    "definition": tag_set("dd", "dl", "blockquote"),
    "link": tag_set("a"),
}
_SHORT = 12
_LEVELS = 6

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
        for part in (self._sizes, self._times, self._texts, self._places, self._around, self._labels, self._parts):
            rows |= part()
        rows |= {f"{name} / best": rows[name] / max(1e-9, float(rows[name].max())) for name in _COMPARED}
        return np.array(list(rows.values()), dtype=np.float32), list(rows)

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

    def _own(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Each member's value without that of members inside it."""
        own = values.copy()
        for number in np.unique(self.group[~self._top]).tolist():
            where = slice(self.start[number], self.start[number] + self.size[number])
            own[where] = own_values(self.groups[number], self.columns, values[where])
        return own

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
            "distinct": self._distinct(text),
            "text on page": np.full(len(self.groups), math.log1p(float(columns.text_length[0]))),
        }

    def _distinct(self, text: NDArray[np.float64]) -> NDArray[np.float64]:
        columns = self.columns
        last = (columns.chunk_end[self.member] - 1).tolist()
        ends = np.array([hash(columns.texts[chunk][:40]) & 0xFFFFFFFF for chunk in last])
        keys = np.unique((self.group.astype(np.int64) << 33) ^ (ends * 31 + text.astype(np.int64)) % (1 << 33))
        return np.asarray(np.bincount(keys >> 33, minlength=len(self.groups))[: len(self.groups)] / self.size)

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

    def _labels(self) -> Table:
        own, above, aside, comment = [], [], [], []
        for group in self.groups:
            label, _, parent = group.label.partition("/")
            own.append(RECORD.search(label) is not None)
            above.append(RECORD.search(parent) is not None)
            aside.append(ASIDE.search(group.label) is not None)
            comment.append(BODY.search(label) is not None)
        rows = {"named": own, "parent named": above, "aside": aside, "named body": comment}
        return {name: np.array(values, dtype=np.float64) for name, values in rows.items()}

    def _parts(self) -> Table:
        """What stands in a member: names and links of people, pictures, headings, paragraphs, ids."""
        columns, signals = self.columns, self.signals
        marks = {
            "author": signals.named(AUTHOR),
            "profile": signals.leading(PROFILE),
            "body": signals.named(BODY),
            "picture": columns.tagged("img"),
            "heading": _HEADINGS[columns.tag],
            "paragraph": columns.tagged("p"),
            "time element": columns.tagged("time"),
            "link": columns.tagged("a"),
        }
        rows: Table = {}
        for name, mark in marks.items():
            inside = columns.subtree(mark.astype(np.int32))[self.member]
            rows[f"has {name}"] = self._mean(inside > 0)
            rows[f"one {name}"] = self._mean(inside == 1)
        return rows | {"has id": self._mean(signals.identified[self.member])}


_COMPARED = ("share of text", "share of free text", "share of times", "members", "log text")
