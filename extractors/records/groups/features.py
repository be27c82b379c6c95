"""Features of candidate groups: one table of F features by G groups."""

import math

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.html.tags import tag_set
from extractors.records.groups import Group
from extractors.records.groups.stats import PARTS, GroupStats, OwnStats, Table, group_stats, own_stats
from extractors.records.signals import PageSignals, page_signals, quote_elements
from extractors.records.signals.names import word_bit
from extractors.records.signals.schema import schema_posts
from extractors.records.signals.vocabulary import ACT, ASIDE, BODY, QUOTE, RECORD
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
"""Words sought in the names of a group's last element, of its parent, or of both."""
_FIRST_WEIGHTS = {
    "members": 1.5, "has time": 1.9, "share of text": 1.2, "share of free text": 1.9, "share of times": 0.6,
    "distinct": 1.0, "log text": 0.2, "short": -1.5, "named": 1.4, "silent": -1.1, "aside": -1.0,
}  # fmt: skip
"""Of the features by which the groups are chosen whose features are all computed."""
_MAX_ACT_CHARS = 16
_OUTER_SHARES = ("climbs", "one parent above", "time in outer")
_OUTER_COUNTS = ("author in outer", "profile in outer", "long link in outer")
_OF_PARTS = (*(f"{number} {part}" for part in PARTS for number in ("has", "one")), "has id")
_IS_KIND = tuple(f"is {name}" for name in _KINDS)
_OF_KIND = np.stack(list(_KINDS.values())).astype(np.float64)
_IN_OWN = np.array([word_bit(words) * own for words, own, _ in _LABELS.values()])
_IN_PARENT = np.array([word_bit(words) * parent for words, _, parent in _LABELS.values()])
_SCHEMA = (
    "schema posts",
    "as many as schema posts",
    "one schema item",
    "two schema items",
    "schema items held",
    "one schema text",
    "schema texts held",
)
_COMPARED = ("share of text", "share of free text", "share of times", "members", "log text")
_BESIDE_BEST = [f"{name} / best" for name in _COMPARED]

Features = dict[str, NDArray[np.float32]]
"""float32[G] by the name of the feature."""


def likely_groups(page: Document, groups: list[Group], most: int) -> tuple[list[Group], Features]:
    """The groups of a page that look most like records, best first, and their features."""
    own = own_stats(page, [group.members for group in groups])
    if len(groups) > most:
        rows = _first_features(own, page.once(page_signals))
        score = np.sum([weight * rows[name] for name, weight in _FIRST_WEIGHTS.items()], axis=0)
        numbers = np.argsort(-score, kind="stable")[:most]
        groups, own = [groups[number] for number in numbers.tolist()], own.take(numbers)
    return groups, group_features(page, group_stats(page, own))


def group_features(page: Document, stats: GroupStats) -> Features:
    """All features of some groups, in the order in which the forests know them."""
    signals = page.once(page_signals)
    rows = _sizes(signals, stats) | _times(signals, stats) | _texts(signals, stats) | _places(signals, stats)
    rows |= _around(page, stats) | _labels(signals, stats.own) | {name: stats.means[name] for name in _OF_PARTS}
    rows |= _outer(signals, stats) | _acts(signals, stats) | _schema(page, stats)
    compared = np.stack([rows[name] for name in _COMPARED])
    rows |= zip(_BESIDE_BEST, compared / np.maximum(1e-9, compared.max(axis=1, keepdims=True)), strict=True)
    table = np.concatenate(list(rows.values()), dtype=np.float32).reshape(len(rows), -1)
    return dict(zip(rows, table, strict=True))


def _first_features(own: OwnStats, signals: PageSignals) -> Table:
    means = own.means()
    sizes = {"members": np.log(own.size), "log text": np.log1p(means["own text"])}
    return means | sizes | _shares(signals, own) | _labels(signals, own)


def _shares(signals: PageSignals, own: OwnStats) -> Table:
    """How much of the page's text and times each group has."""
    (times, text, free), whole = own.sums[5:8], signals.weights[:, 0].tolist()
    return {
        "share of text": text / max(1, whole[0]),
        "share of free text": free / max(1, whole[1]),
        "share of times": times / max(1, whole[2]),
    }


def _mean(values: NDArray[np.generic], own: OwnStats) -> NDArray[np.float64]:
    return np.asarray(np.add.reduceat(np.asarray(values, dtype=np.float64), own.start) / own.size)


def _sizes(signals: PageSignals, stats: GroupStats) -> Table:
    own = stats.own
    return {
        "members": np.log(own.size),
        "two": (own.size == 2).astype(np.float64),
        "nested": 1 - stats.means["outermost"],
        "depth": signals.columns.depth[own.member[own.start]] / 20,
        "groups": np.full(len(own.size), math.log(len(own.size))),
    }


def _times(signals: PageSignals, stats: GroupStats) -> Table:
    whole = max(1.0, float(signals.times[0]))
    return {name: stats.means[name] for name in ("has time", "one time", "two times", "times")} | {
        "share of times": _shares(signals, stats.own)["share of times"],
        "times on page": np.full(len(stats.own.size), math.log1p(whole)),
    }


def _texts(signals: PageSignals, stats: GroupStats) -> Table:
    means, own, shares = stats.means, stats.own, _shares(signals, stats.own)
    text, free, _ = signals.weights[:, own.member]
    mean = means["own text"]
    spread = np.sqrt(np.maximum(0.0, means["own text squared"] - mean**2))
    return {
        "share of text": shares["share of text"],
        "share of free text": shares["share of free text"],
        "log text": np.log1p(mean),
        "mean log text": _mean(np.log1p(np.maximum(own.text, 0)), own),
        "spread": spread / (mean + 1),
        "short": means["short"],
        "linked": _mean(1 - free / np.maximum(text, 1), own),
        "distinct": means["distinct"],
        "text on page": np.full(len(own.size), math.log1p(float(signals.columns.text_length[0]))),
    }


def _places(signals: PageSignals, stats: GroupStats) -> Table:
    columns, means, own = signals.columns, stats.means, stats.own
    first, last = own.member[own.start], own.member[own.start + own.size - 1]
    chunks = max(1, len(columns.texts))
    children = np.bincount(np.maximum(columns.parent[columns.readable], 0), minlength=len(columns))
    return {
        "one parent": means["of one parent"],
        "of its siblings": own.size / np.maximum(children[np.maximum(columns.parent[first], 0)], 1),
        "begins": columns.chunk_start[first] / chunks,
        "ends": columns.chunk_end[last] / chunks,
        "silent": means["silent"],
    } | dict(zip(_IS_KIND, _OF_KIND[:, columns.tag[first]], strict=True))


def _around(page: Document, stats: GroupStats) -> Table:
    """Whether the members are in quotes, or in elements of a group that is as large: then they may be only parts of its
    records."""
    quoted = page.columns.within(page.once(quote_elements))[stats.own.member]
    return {
        "in larger group": _mean(stats.larger_around, stats.own),
        "time around": stats.means["time around"],
        "in quotes": _mean(quoted, stats.own),
    }


def _labels(signals: PageSignals, own: OwnStats) -> Table:
    last, words = own.member[own.start + own.size - 1], signals.names.words
    ours, theirs = words[last], words[np.maximum(signals.columns.parent[last], 0)]
    found = (ours[:, None] & _IN_OWN | theirs[:, None] & _IN_PARENT) > 0
    return dict(zip(_LABELS, found.T.astype(np.float64), strict=True))


def _outer(signals: PageSignals, stats: GroupStats) -> Table:
    """What is in the outer elements of the members, and beside these elements."""
    outer, text, own = stats.outer, signals.columns.text_length, stats.own
    parents = np.maximum(signals.columns.parent[outer[own.start]], 0)
    around = signals.times[parents] - stats.sums["times of siblings"]
    beside = {
        "share of outer": _mean(text[own.member] / np.maximum(text[outer], 1), own),
        "outer covers": stats.sums["text of outer"] / max(1.0, float(text[0])),
        "times beside": np.minimum(np.maximum(around / own.size, 0), 3),
    }
    shares, counts = ({name: stats.means[name] for name in names} for names in (_OUTER_SHARES, _OUTER_COUNTS))
    return shares | beside | counts


def _acts(signals: PageSignals, stats: GroupStats) -> Table:
    """What a reader may do: answer or quote each member, or write on the page at all."""
    acts, own = _act_counts(signals), stats.own
    inside, around = acts[own.member], acts[stats.outer]
    fields = np.count_nonzero(signals.columns.tagged("textarea"))
    return {
        "act inside": _mean(inside > 0, own),
        "act in outer": _mean(around > 0, own),
        "one act in outer": _mean(around == 1, own),
        "share of acts": np.add.reduceat(inside * stats.outermost, own.start) / max(1, int(acts[0])),
        "acts on page": np.full(len(own.size), math.log1p(int(acts[0]))),
        "fields on page": np.full(len(own.size), math.log1p(fields)),
    }


def _act_counts(signals: PageSignals) -> NDArray[np.int64]:
    """int64[N]: the short texts inside each element that offer to answer, to quote, to like …"""
    texts = signals.texts.distinct
    short = [number for number, text in enumerate(texts) if 0 < len(text) <= _MAX_ACT_CHARS]
    found = np.zeros(len(texts), dtype=np.int64)
    found[short] = starts_with_match(ACT, [texts[number] for number in short])
    return signals.columns.subtree_chunks(found[signals.texts.number])


def _schema(page: Document, stats: GroupStats) -> Table:
    """How the members fit the posts in the page's structured data."""
    columns, posts, own = page.columns, page.once(schema_posts), stats.own
    if not posts.count:
        return dict.fromkeys(_SCHEMA, np.zeros(len(own.size)))
    begun = np.zeros(len(columns.texts), dtype=np.int32)
    begun[list(posts.by_chunk)] = 1
    items, texts = posts.items, columns.subtree_chunks(begun)[own.member]
    inside = columns.subtree(items.astype(np.int32))[stats.outer]
    count = np.full(len(own.size), float(posts.count))
    found = (
        np.log1p(count),
        np.minimum(count, own.size) / np.maximum(count, own.size),
        _mean((inside == 1) | ((inside == 0) & columns.within(items)[own.member]), own),
        _mean(inside > 1, own),
        np.add.reduceat(inside, own.start) / np.maximum(1, items.sum()),
        _mean(texts == 1, own),
        np.add.reduceat(texts * stats.outermost, own.start) / max(1, len(posts.by_chunk)),
    )
    return dict(zip(_SCHEMA, found, strict=True))
