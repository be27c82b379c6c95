"""What all groups of a page look like, measured at once: one table of F measures by G groups.

Sums over the members of each group are made once (`extractors.records.sums`); this is what they mean.
"""

import math

import numpy as np
from numpy.typing import NDArray

from extractors.html.tags import tag_set
from extractors.records.candidates import Group
from extractors.records.hints import ASIDE, BODY, QUOTE, RECORD
from extractors.records.signals import Signals, word_bit
from extractors.records.sums import PARTS, Sums, Table

_KINDS = {
    "li": tag_set("li"),
    "row": tag_set("tr", "tbody", "table"),
    "article": tag_set("article", "section"),
    "definition": tag_set("dd", "dl", "blockquote"),
    "link": tag_set("a"),
}
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


class Measures:
    """The table of some groups of a page."""

    def __init__(self, groups: list[Group], signals: Signals, sums: Sums | None = None) -> None:
        self.groups, self.signals, self.columns = groups, signals, signals.columns
        self.sums = sums or Sums([group.members for group in groups], signals)
        self.size, self.start, self.member = self.sums.size, self.sums.start, self.sums.member

    def take(self, numbers: NDArray[np.intp]) -> "Measures":
        """Those of some of the groups, by number."""
        return Measures([self.groups[number] for number in numbers.tolist()], self.signals, self.sums.take(numbers))

    def table(self) -> tuple[NDArray[np.float32], list[str]]:
        """float32[F, G] and the F names."""
        rows: Table = {}
        parts = (self._sizes, self._times, self._texts, self._places, self._around, self._labels, self._parts)
        for part in (*parts, self._territory, self._acts, self._structured):
            rows |= part()
        rows |= {f"{name} / best": rows[name] / max(1e-9, float(rows[name].max())) for name in _COMPARED}
        table = np.concatenate(list(rows.values()), dtype=np.float32).reshape(len(rows), -1)
        return table, list(rows)

    def likely(self, most: int) -> NDArray[np.intp]:
        """The numbers of the groups that look most like records, best first."""
        if len(self.groups) <= most:
            return np.arange(len(self.groups))
        rows = self._first_look() | self._labels()
        looks = np.sum([weight * rows[name] for name, weight in _LIKELY.items()], axis=0)
        return np.asarray(np.argsort(-looks, kind="stable")[:most])

    def _first_look(self) -> Table:
        """The measures by which groups look like records, those of labels left out."""
        means = self.sums.mean_looks
        return means | {"members": np.log(self.size), "log text": np.log1p(means["own text"])} | self._shares()

    def _shares(self) -> Table:
        """What each group has of all that the page has."""
        sums, (text, free, times) = self.sums.looks, self.signals.weights[:, 0].tolist()
        return {
            "share of text": sums["text of outermost"] / max(1, text),
            "share of free text": sums["free text of outermost"] / max(1, free),
            "share of times": sums["times of outermost"] / max(1, times),
        }

    def _mean(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        return np.asarray(np.add.reduceat(np.asarray(values, dtype=np.float64), self.start) / self.size)

    def _sizes(self) -> Table:
        return {
            "members": np.log(self.size),
            "two": (self.size == 2).astype(np.float64),
            "nested": 1 - self.sums.means["outermost"],
            "depth": self.columns.depth[self.member[self.start]] / 20,
            "groups": np.full(len(self.groups), math.log(len(self.groups))),
        }

    def _times(self) -> Table:
        means = self.sums.means
        told = {name: means[name] for name in ("has time", "one time", "two times", "times")}
        whole = max(1.0, float(self.signals.times[0]))
        return told | {
            "share of times": self._shares()["share of times"],
            "times on page": np.full(len(self.groups), math.log1p(whole)),
        }

    def _texts(self) -> Table:
        means, own, shares = self.sums.means, self.sums.own, self._shares()
        text, free, _ = self.signals.weights[:, self.member]
        mean = means["own text"]
        spread = np.sqrt(np.maximum(0.0, means["own text squared"] - mean**2))
        return {
            "share of text": shares["share of text"],
            "share of free text": shares["share of free text"],
            "log text": np.log1p(mean),
            "mean log text": self._mean(np.log1p(own.clip(0))),
            "spread": spread / (mean + 1),
            "short": means["short"],
            "linked": self._mean(1 - free / np.maximum(text, 1)),
            "distinct": means["distinct"],
            "text on page": np.full(len(self.groups), math.log1p(float(self.columns.text_length[0]))),
        }

    def _places(self) -> Table:
        columns, means = self.columns, self.sums.means
        first = self.member[self.start]
        chunks = max(1, len(columns.texts))
        last = self.start + self.size - 1
        tags = columns.tag[first]
        return {
            "one parent": means["of one parent"],
            "of its siblings": self.size / np.maximum(self.signals.children[columns.parent[first].clip(0)], 1),
            "begins": columns.chunk_start[first] / chunks,
            "ends": columns.chunk_end[self.member[last]] / chunks,
            "silent": means["silent"],
        } | dict(zip(_IS_KIND, _OF_KIND[:, tags], strict=True))

    def _around(self) -> Table:
        """Whether the members lie in elements of a group that is as large: then they may be but parts of its records; or in
        quotes."""
        quoted = self.columns.within(self.signals.quotes)[self.member]
        return {
            "in alike": self._mean(self.sums.around),
            "time around": self.sums.means["time around"],
            "in quotes": self._mean(quoted),
        }

    def _labels(self) -> Table:
        own = self.member[self.start + self.size - 1]
        ours, theirs = self.signals.words_of(own), self.signals.words_of(self.columns.parent[own].clip(0))
        asked = (ours[:, None] & _IN_OWN | theirs[:, None] & _IN_PARENT) > 0
        return dict(zip(_LABELS, asked.T.astype(np.float64), strict=True))

    def _parts(self) -> Table:
        """What stands in a member: names and links of people, pictures, headings, paragraphs, ids."""
        return {name: self.sums.means[name] for name in _OF_PARTS}

    def _territory(self) -> Table:
        """What stands in the largest element around each member that holds no other, and beside these elements."""
        sums, tops, text = self.sums.insides, self.sums.tops, self.columns.text_length
        parents = self.columns.parent[tops[self.start]].clip(0)
        around = self.signals.times[parents] - sums["times of siblings"]
        shares, counted = (
            {name: self.sums.means[name] for name in names} for names in (_OF_TERRITORIES, _IN_TERRITORIES)
        )
        beside = {
            "of its territory": self._mean(text[self.member] / np.maximum(text[tops], 1)),
            "territories cover": sums["text of territories"] / max(1.0, float(text[0])),
            "times beside": (around / self.size).clip(0, 3),
        }
        return shares | beside | counted

    def _acts(self) -> Table:
        """What readers are asked to do: to answer each member, or to write on the page at all."""
        acts, groups = self.signals.acts, len(self.groups)
        inside, around = acts[self.member], acts[self.sums.tops]
        return {
            "act inside": self._mean(inside > 0),
            "act in territory": self._mean(around > 0),
            "one act in territory": self._mean(around == 1),
            "share of acts": np.add.reduceat(inside * self.sums.outermost, self.start) / max(1, int(acts[0])),
            "acts on page": np.full(groups, math.log1p(int(acts[0]))),
            "fields on page": np.full(groups, math.log1p(np.count_nonzero(self.columns.tagged("textarea")))),
        }

    def _structured(self) -> Table:
        """How the members fit to what the page's structured data tells of."""
        columns, told = self.columns, self.signals.structured
        if not told.count:
            return dict.fromkeys(_STRUCTURED, np.zeros(len(self.groups)))
        begun = np.zeros(len(columns.texts), dtype=np.int32)
        begun[list(told.chunks)] = 1
        items, top = told.items, self.sums.outermost
        inside = columns.subtree(items.astype(np.int32))[self.sums.tops]
        texts = columns.subtree_chunks(begun)[self.member]
        count = np.full(len(self.groups), float(told.count))
        found = (
            np.log1p(count),
            np.minimum(count, self.size) / np.maximum(count, self.size),
            self._mean((inside == 1) | ((inside == 0) & columns.within(items)[self.member])),
            self._mean(inside > 1),
            np.add.reduceat(inside, self.start) / np.maximum(1, items.sum()),
            self._mean(texts == 1),
            np.add.reduceat(texts * top, self.start) / max(1, len(told.chunks)),
        )
        return dict(zip(_STRUCTURED, found, strict=True))


_OF_TERRITORIES = ("climbs", "one parent above", "time in territory")
_IN_TERRITORIES = ("author in territory", "profile in territory", "long link in territory")
_OF_PARTS = (*(f"{number} {part}" for part in PARTS for number in ("has", "one")), "has id")
_IS_KIND = tuple(f"is {name}" for name in _KINDS)
_OF_KIND = np.stack(list(_KINDS.values())).astype(np.float64)
_IN_OWN = np.array([word_bit(words) * own for words, own, _ in _LABELS.values()])
_IN_PARENT = np.array([word_bit(words) * parent for words, _, parent in _LABELS.values()])
_STRUCTURED = (
    "items told", "as many as told", "one item", "two items", "items held", "one text told", "texts held",
)  # fmt: skip
_COMPARED = ("share of text", "share of free text", "share of times", "members", "log text")
