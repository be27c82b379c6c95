"""Features of candidate groups: one table of F features by G groups."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.html.tags import tag_set
from extractors.records.groups import RecordGroup
from extractors.records.groups.stats import (
    MEMBER_SUMS,
    OWN_SUMS,
    PARTS,
    SUMS,
    GroupStats,
    OwnStats,
    group_stats,
    member_sums,
    outermost_members,
    own_stats,
)
from extractors.records.signals import PageSignals, page_signals, quote_elements
from extractors.records.signals.class_names import word_bit
from extractors.records.signals.schema_org import schema_posts
from extractors.records.signals.template_words import ACT, ASIDE, BODY, QUOTE, RECORD
from extractors.text.multi_search import starts_with_match

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
"""Words searched for in the names of a group's last element, of its parent, or of both."""
_FIRST_WEIGHTS = {
    "members": 1.5, "has time": 1.9, "share of text": 1.2, "share of free text": 1.9, "share of times": 0.6,
    "distinct": 1.0, "log text": 0.2, "short": -1.5, "named": 1.4, "silent": -1.1, "aside": -1.0,
}  # fmt: skip
"""Weights of the features that select the groups for which all features are computed."""
_MAX_ACT_CHARS = 16
_OF_KIND = np.stack(list(_KINDS.values())).astype(np.float64)
_IN_OWN = np.array([word_bit(words) * own for words, own, _ in _LABELS.values()])
_IN_PARENT = np.array([word_bit(words) * parent for words, _, parent in _LABELS.values()])
_COMPARED = ("share of text", "share of free text", "share of times", "members", "log text")
FEATURES = (
    "members", "two", "nested", "depth", "groups", "has time", "one time", "two times", "times", "share of times",
    "times on page", "share of text", "share of free text", "log text", "mean log text", "spread", "short", "linked",
    "distinct", "text on page", "one parent", "of its siblings", "begins", "ends", "silent",
    *(f"is {name}" for name in _KINDS), "in larger group", "time around", "in quotes", *_LABELS,
    *(f"{number} {part}" for part in PARTS for number in ("has", "one")), "has id", "climbs", "one parent above",
    "time in outer", "share of outer", "outer covers", "times beside", "author in outer", "profile in outer",
    "long link in outer", "act inside", "act in outer", "one act in outer", "share of acts", "acts on page",
    "fields on page", "schema posts", "as many as schema posts", "one schema item", "two schema items",
    "schema items held", "one schema text", "schema texts held", *(f"{name} / best" for name in _COMPARED),
)  # fmt: skip
"""In the order of the forests."""


def _rows(names: Sequence[str], among: Sequence[str] = FEATURES) -> NDArray[np.intp]:
    return np.array([among.index(name) for name in names], dtype=np.intp)


_MEANS = [name for name in FEATURES if name in SUMS]
_OF_MEANS, _MEAN = _rows([*_MEANS, "one parent"]), _rows([*_MEANS, "of one parent"], SUMS)
_MEMBER_MEANS = [name for name in FEATURES if name in MEMBER_SUMS]
_OF_MEMBER_MEANS, _MEMBER_MEAN = _rows(_MEMBER_MEANS), _rows(_MEMBER_MEANS, MEMBER_SUMS)
_OF_SHARES = _rows(("share of text", "share of free text", "share of times"))
_SHARED = _rows(("text of outermost", "free text of outermost", "times of outermost"), OWN_SUMS)
_OF_SIZES = _rows(("members", "two", "nested", "depth", "log text", "spread"))
_OF_PLACES = _rows(("of its siblings", "begins", "ends"))
_OF_KINDS, _OF_LABELS = _rows([f"is {name}" for name in _KINDS]), _rows(list(_LABELS))
_OF_OUTER = _rows(("outer covers", "times beside", "share of acts"))
_OF_PAGE = _rows(("groups", "times on page", "text on page", "acts on page", "fields on page"))
_OF_SCHEMA = _rows([name for name in FEATURES if "schema" in name])
_OF_COMPARED, _OF_BESIDE_BEST = _rows(_COMPARED), _rows([f"{name} / best" for name in _COMPARED])
_OUTERMOST, _OWN_TEXT, _OWN_SQUARED, _TIMES_OF_SIBLINGS, _TEXT_OF_OUTER = _rows(
    ("outermost", "own text", "own text squared", "times of siblings", "text of outer"), SUMS
).tolist()
_ACTS_OF_OUTERMOST = MEMBER_SUMS.index("acts of outermost")
_FIRST_MEANS = [name for name in _FIRST_WEIGHTS if name in OWN_SUMS]
_OF_FIRST_MEANS, _FIRST_MEAN = _rows(_FIRST_MEANS, list(_FIRST_WEIGHTS)), _rows(_FIRST_MEANS, OWN_SUMS)
_OF_FIRST_SHARES = _rows(("share of text", "share of free text", "share of times"), list(_FIRST_WEIGHTS))
_OF_FIRST_SIZES = _rows(("members", "log text"), list(_FIRST_WEIGHTS))
_FIRST_LABELS = [name for name in _LABELS if name in _FIRST_WEIGHTS]
_OF_FIRST_LABELS, _FIRST_LABEL = _rows(_FIRST_LABELS, list(_FIRST_WEIGHTS)), _rows(_FIRST_LABELS, list(_LABELS))
_WEIGHTS = np.array(list(_FIRST_WEIGHTS.values()))[:, None]


@dataclass(frozen=True, slots=True, eq=False)
class GroupFeatures(Mapping[str, NDArray[np.float32]]):
    """The features of G groups by name, each float32[G]; table: float32[F, G], in the order of the forests."""

    table: NDArray[np.float32]

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        """One feature of all groups."""
        return np.asarray(self.table[_ROW[name]])

    def __iter__(self) -> Iterator[str]:
        """The names in order."""
        return iter(FEATURES)

    def __len__(self) -> int:
        """The number of features."""
        return len(FEATURES)


_ROW = {name: row for row, name in enumerate(FEATURES)}


def likely_groups(page: Document, groups: list[RecordGroup], most: int) -> tuple[list[RecordGroup], GroupFeatures]:
    """The groups of a page that most resemble records, best first, and their features."""
    own = own_stats(page, [group.members for group in groups])
    if len(groups) > most:
        numbers = np.argsort(-_first_scores(own, page.once(page_signals)), kind="stable")[:most]
        groups, own = [groups[number] for number in numbers.tolist()], own.take(numbers)
    return groups, group_features(page, group_stats(page, own))


def group_features(page: Document, stats: GroupStats) -> GroupFeatures:
    """All features of some groups."""
    signals, own, acts = page.once(page_signals), stats.own, _act_counts(page.once(page_signals))
    quoted = page.columns.within(page.once(quote_elements))
    tree = own.member, own.start, page.columns.end, stats.outer
    log_text = np.log1p(np.maximum(own.text, 0))
    sums = member_sums(*tree, signals.weights, acts, quoted, stats.larger_around, log_text)
    table, means = np.empty((len(FEATURES), len(own.size))), stats.sums / own.size
    table[_OF_MEANS], table[_OF_MEMBER_MEANS] = means[_MEAN], sums[_MEMBER_MEAN] / own.size
    table[_OF_SHARES], table[_OF_SIZES] = _shares(signals, own), _sizes(signals, own, means)
    table[_OF_PLACES], table[_OF_LABELS] = _places(signals, own), _labels(signals, own)
    table[_OF_KINDS] = _OF_KIND[:, page.columns.tag[own.member[own.start]]]
    table[_OF_OUTER] = _outer(signals, stats, sums[_ACTS_OF_OUTERMOST] / max(1, int(acts[0])))
    table[_OF_PAGE] = _of_page(signals, len(own.size), int(acts[0]))
    table[_OF_SCHEMA] = _schema(page, stats)
    compared = table[_OF_COMPARED]
    table[_OF_BESIDE_BEST] = compared / np.maximum(1e-9, compared.max(axis=1, keepdims=True))
    return GroupFeatures(table.astype(np.float32))


def _first_scores(own: OwnStats, signals: PageSignals) -> NDArray[np.float64]:
    """float64[G]: how much each group resembles records, by the counts made for all groups."""
    table = np.empty((len(_FIRST_WEIGHTS), len(own.size)))
    table[_OF_FIRST_MEANS], table[_OF_FIRST_SHARES] = own.sums[_FIRST_MEAN] / own.size, _shares(signals, own)
    table[_OF_FIRST_SIZES] = np.log(own.size), np.log1p(own.sums[_OWN_TEXT] / own.size)
    table[_OF_FIRST_LABELS] = _labels(signals, own)[_FIRST_LABEL]
    return np.asarray((table * _WEIGHTS).sum(axis=0))


def _shares(signals: PageSignals, own: OwnStats) -> NDArray[np.float64]:
    """The share of the page's text, free text and times in each group."""
    return np.asarray(own.sums[_SHARED] / np.maximum(1, signals.weights[:, :1]))


def _mean(values: NDArray[np.generic], own: OwnStats) -> NDArray[np.float64]:
    return np.asarray(np.add.reduceat(np.asarray(values, dtype=np.float64), own.start) / own.size)


def _sizes(signals: PageSignals, own: OwnStats, means: NDArray[np.float64]) -> tuple[NDArray[np.generic], ...]:
    mean = means[_OWN_TEXT]
    spread = np.sqrt(np.maximum(0.0, means[_OWN_SQUARED] - mean**2)) / (mean + 1)
    depth = signals.columns.depth[own.member[own.start]] / 20
    return np.log(own.size), own.size == 2, 1 - means[_OUTERMOST], depth, np.log1p(mean), spread


def _of_page(signals: PageSignals, groups: int, acts: int) -> NDArray[np.float64]:
    """float64[5, 1]: features that are the same for all groups."""
    fields = np.count_nonzero(signals.columns.tagged("textarea"))
    counts = max(1, int(signals.times[0])), int(signals.columns.text_length[0]), acts, fields
    return np.array([[math.log(groups)], *([math.log1p(count)] for count in counts)])


def _places(signals: PageSignals, own: OwnStats) -> tuple[NDArray[np.generic], ...]:
    columns, first, last = signals.columns, own.member[own.start], own.member[own.start + own.size - 1]
    chunks = max(1, len(columns.texts))
    children = np.bincount(np.maximum(columns.parent[columns.readable], 0), minlength=len(columns))
    siblings = children[np.maximum(columns.parent[first], 0)]
    return own.size / np.maximum(siblings, 1), columns.chunk_start[first] / chunks, columns.chunk_end[last] / chunks


def _labels(signals: PageSignals, own: OwnStats) -> NDArray[np.bool_]:
    """bool[labels, G]."""
    last, words = own.member[own.start + own.size - 1], signals.names.words
    ours, theirs = words[last], words[np.maximum(signals.columns.parent[last], 0)]
    return np.asarray((ours & _IN_OWN[:, None] | theirs & _IN_PARENT[:, None]) > 0)


def _outer(
    signals: PageSignals, stats: GroupStats, acts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The share of the page in the members' outer elements, the times beside these, and their share of the acts."""
    parents = np.maximum(signals.columns.parent[stats.outer[stats.own.start]], 0)
    around = signals.times[parents] - stats.sums[_TIMES_OF_SIBLINGS]
    covers = stats.sums[_TEXT_OF_OUTER] / max(1.0, float(signals.columns.text_length[0]))
    return covers, np.minimum(np.maximum(around / stats.own.size, 0), 3), acts


def _act_counts(signals: PageSignals) -> NDArray[np.int64]:
    """int64[N]: the short texts inside each element that offer to answer, to quote, to like …"""
    found = starts_with_match(ACT, signals.texts.distinct, _MAX_ACT_CHARS)
    return signals.columns.subtree_chunks(found[signals.texts.number])


def _schema(page: Document, stats: GroupStats) -> NDArray[np.float64]:
    """The likeness of the members to the posts in the page's structured data."""
    columns, posts, own = page.columns, page.once(schema_posts), stats.own
    if not posts.count:
        return np.zeros((len(_OF_SCHEMA), 1))
    begun = np.zeros(len(columns.texts), dtype=np.int32)
    begun[list(posts.by_chunk)] = 1
    items, texts = posts.items, columns.subtree_chunks(begun)[own.member]
    inside = columns.subtree(items.astype(np.int32))[stats.outer]
    outermost = outermost_members(own.member, own.start, columns.end)
    count = np.full(len(own.size), float(posts.count))
    found = (
        np.log1p(count),
        np.minimum(count, own.size) / np.maximum(count, own.size),
        _mean((inside == 1) | ((inside == 0) & columns.within(items)[own.member]), own),
        _mean(inside > 1, own),
        np.add.reduceat(inside, own.start) / np.maximum(1, items.sum()),
        _mean(texts == 1, own),
        np.add.reduceat(texts * outermost, own.start) / max(1, len(posts.by_chunk)),
    )
    return np.stack(found)
