"""What is known of each block, as numbers: what it is, where it stands, what stands around it.

Everything is an array operation over all blocks of the page. The order of the columns is the order of the calls below;
the model's file holds their names, and refuses to work with others.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.decay import decay_chunks
from extractors.article.marks import GROUP_NAMES, LINE_NAMES, group_bits, line_kinds
from extractors.columns import Columns
from extractors.tags import tag_set

_SHORT = 160
_HOMES = {
    "p": ("p",),
    "div": ("div", "section", "body", "center"),
    "item": ("li",),
    "cell": ("td", "th", "tr", "table"),
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "h1": ("h1",),
    "code": ("pre", "xmp", "listing"),
    "quote": ("blockquote",),
    "definition": ("dt", "dd", "dl"),
    "caption": ("figcaption", "figure", "caption"),
    "button": ("button", "label", "legend", "summary"),
}
_AROUND = {
    "article": ("article",),
    "main": ("main",),
    "nav": ("nav", "menu"),
    "header": ("header",),
    "footer": ("footer",),
    "aside": ("aside",),
    "form": ("form", "fieldset"),
    "table": ("table",),
    "list": ("ul", "ol"),
    "figure": ("figure",),
    "folded": ("noscript", "dialog", "details"),
    "blockquote": ("blockquote",),
    "dl": ("dl",),
}
_WINDOWS = (2, 6, 15)
_SHARES = (0.55, 0.7, 0.85, 0.96)
_LEVELS = 8
_MOST = 256
"""Room for so many features."""


def _tag_bits() -> NDArray[np.int64]:
    """int64, by tag code: a bit for each of `_HOMES` and then of `_AROUND` to which the tag belongs."""
    return np.asarray(
        sum(
            tag_set(*tags).astype(np.int64) << place for place, tags in enumerate((*_HOMES.values(), *_AROUND.values()))
        )
    )


_TAG_BITS = _tag_bits()
_GROUPS_FROM = len(_HOMES) + len(_AROUND)


class FeatureTable:
    """Named rows of float32, one value per block, in the order in which they are added."""

    def __init__(self, blocks: int) -> None:
        self.names: list[str] = []
        self._values = np.empty((_MOST, blocks), dtype=np.float32)

    def add(self, name: str, values: NDArray[Any] | float) -> None:
        """One feature; a single number is every block's."""
        self._values[len(self.names)] = values
        self.names.append(name)

    def add_bits(self, names: Iterable[str], bits: NDArray[np.int64], first: int) -> None:
        """A feature for each name: whether the bit of its place, counted from `first`, is set."""
        for place, name in enumerate(names, first):
            self.add(name, bits >> place & 1)

    @property
    def rows(self) -> NDArray[np.float32]:
        """float32[F, B]."""
        return self._values[: len(self.names)]


class _Counts:
    """Counts per block that several groups of features need."""

    def __init__(self, blocks: Blocks) -> None:
        columns, sums = blocks.columns, blocks.sums
        visible = columns.counts("visible")
        self.length = sums(visible)
        self.linked = sums(visible * columns.linked)
        self.cjk = sums(columns.counts("cjk"))
        self.stops = sums(columns.counts("stop"))
        self.commas = sums(columns.counts("comma"))
        self.words = self.cjk + (self.length - self.cjk) / 4.5
        self.density = self.linked / np.maximum(self.length, 1)
        self.free = self.length - self.linked
        is_prose = (self.words >= 12) & (self.density < 0.4) & (self.stops + self.commas > 0)
        self.prose = np.where(is_prose, self.free, 0)


def block_features(blocks: Blocks) -> tuple[NDArray[np.float32], list[str]]:
    """float32[F, B] and the names of the F features; B must not be 0."""
    table, counts = FeatureTable(len(blocks)), _Counts(blocks)
    beginnings = [blocks.beginning(number) for number in range(len(blocks))]
    kinds = line_kinds(beginnings)
    _add_text(table, blocks, counts)
    _add_words(table, blocks, counts, beginnings, kinds)
    _add_place(table, blocks, counts)
    _add_markup(table, blocks)
    _add_containers(table, blocks, counts)
    _add_repetition(table, blocks, counts)
    _add_neighbours(table, counts)
    _add_page(table, blocks, counts, kinds)
    return table.rows, table.names


def _add_text(table: FeatureTable, blocks: Blocks, counts: _Counts) -> None:
    columns, length = blocks.columns, np.maximum(counts.length, 1)
    table.add("words", np.log1p(counts.words))
    table.add("link density", counts.density)
    table.add("cjk", counts.cjk / length)
    table.add("digits", blocks.sums(columns.counts("digit")) / length)
    table.add("punctuation", blocks.sums(columns.counts("punctuation")) / length)
    table.add("upper", blocks.sums(columns.counts("upper")) / length)
    table.add("stops", np.log1p(counts.stops))
    table.add("stop rate", counts.stops / length)
    table.add("commas", np.log1p(counts.commas))
    table.add("chunks", np.log1p(blocks.stop - blocks.start))
    last = blocks.chunks[blocks.stop - 1]
    table.add("ends with stop", _ends_with_stop(columns, last))


def _ends_with_stop(columns: Columns, last: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    return np.array(
        [columns.texts[chunk].rstrip()[-1:] in '。！？.!?…”"」；;:：' for chunk in last.tolist()], dtype=np.bool_
    )


def _add_words(
    table: FeatureTable, blocks: Blocks, counts: _Counts, beginnings: list[str], kinds: NDArray[np.int8]
) -> None:
    short = counts.length < _SHORT
    for number, name in enumerate(LINE_NAMES, 1):
        table.add(f"begins like {name}", (kinds == number) & short)
    title = " ".join(_title(blocks.columns).split())
    table.add("in title", np.array([len(text) > 3 and text in title for text in beginnings]))
    hashes = np.array([hash(text) for text in beginnings])
    _, inverse, times = np.unique(hashes, return_inverse=True, return_counts=True)
    table.add("repeated", np.log1p(times[inverse]))


def _title(columns: Columns) -> str:
    place = int(np.argmax(columns.tagged("title"))) if len(columns) else 0
    return columns.text(place)[:500] if columns.tagged("title").any() else ""


def _add_place(table: FeatureTable, blocks: Blocks, counts: _Counts) -> None:
    columns, number = blocks.columns, len(blocks)
    before = np.cumsum(counts.length) - counts.length
    total = max(1, int(counts.length.sum()))
    table.add("place", np.arange(number) / number)
    table.add("text before", before / total)
    table.add("depth", columns.depth[blocks.home])
    heading = columns.tagged("h1")[blocks.home]
    first = int(np.argmax(heading)) if heading.any() else 0
    table.add("text after h1", (before - before[first]) / total)
    table.add("blocks after h1", np.clip(np.arange(number) - first, -50, 200))
    prose = np.flatnonzero(counts.prose)
    first_prose, last_prose = (int(prose[0]), int(prose[-1])) if len(prose) else (0, 0)
    table.add("after first prose", np.arange(number) - first_prose)
    table.add("before last prose", last_prose - np.arange(number))
    table.add("prose before", (np.cumsum(counts.prose) - counts.prose) / max(1, int(counts.prose.sum())))


def _add_markup(table: FeatureTable, blocks: Blocks) -> None:
    columns, home, owner = blocks.columns, blocks.home, blocks.owner
    bits = _TAG_BITS[columns.tag] | group_bits(columns).astype(np.int64) << _GROUPS_FROM
    table.add_bits((f"home {name}" for name in _HOMES), bits[home], 0)
    near = bits[owner] | bits[home] | bits[np.maximum(columns.parent[home], 0)]
    table.add_bits((f"named {name}" for name in GROUP_NAMES), near, _GROUPS_FROM)
    around = columns.inherited(bits)[home]
    table.add_bits((f"inside {name}" for name in _AROUND), around, len(_HOMES))
    table.add_bits((f"inside named {name}" for name in GROUP_NAMES), around, _GROUPS_FROM)
    table.add("begins bold", columns.within(columns.tagged("b", "strong", "em", "i"))[owner])


def _add_containers(table: FeatureTable, blocks: Blocks, counts: _Counts) -> None:
    """Shares of the page's prose in the elements around a block, and whether it lies in the smallest that holds most."""
    columns, home = blocks.columns, blocks.home
    prose = below(blocks, counts.prose)
    total = max(1, int(prose[0]))
    number_below = below(blocks, np.ones(len(blocks), np.int64))
    decayed = decay_chunks(columns)
    table.add("in decay body", decayed[blocks.chunks[blocks.start]])
    decay_below = columns.subtree_chunks(columns.counts("visible") * decayed)
    table.add(
        "decay share",
        decay_below[columns.parent[home].clip(0)] / np.maximum(columns.text_length[columns.parent[home].clip(0)], 1),
    )
    for share in _SHARES:
        holder = int(np.flatnonzero(prose >= share * total)[-1]) if prose[0] else 0
        table.add(f"in holder of {share}", (home >= holder) & (home < columns.end[holder]))
        if share in (_SHARES[0], _SHARES[2]):
            table.add(f"depth below holder of {share}", columns.depth[home] - columns.depth[holder])
    text, linked = columns.text_length, columns.link_length
    element = home
    for level in range(1, 5):
        element = np.maximum(columns.parent[element], 0)
        table.add(f"prose share {level}", prose[element] / total)
        table.add(f"link density {level}", linked[element] / np.maximum(text[element], 1))
        table.add(f"blocks {level}", np.log1p(number_below[element]))
        table.add(f"prose of text {level}", prose[element] / np.maximum(text[element], 1))


def below(blocks: Blocks, values: NDArray[Any]) -> NDArray[Any]:
    """Per-block values summed over each element: an array of N."""
    per_chunk = np.zeros(len(blocks.columns.texts), values.dtype)
    per_chunk[blocks.chunks[blocks.start]] = values
    return blocks.columns.subtree_chunks(per_chunk)


def _add_repetition(table: FeatureTable, blocks: Blocks, counts: _Counts) -> None:
    """The largest group of like siblings (same tag and first class) among the elements around a block."""
    columns = blocks.columns
    group = columns.sibling_group
    size = np.bincount(group)
    prose = below(blocks, counts.prose)
    held = np.bincount(group, weights=prose)
    best_size, best_share = np.ones(len(blocks)), np.zeros(len(blocks))
    element = blocks.home
    total = max(1, int(prose[0]))
    for level in range(_LEVELS):
        sizes, shares = size[group[element]], held[group[element]] / total
        if level == 0:
            table.add("like homes", np.log1p(sizes))
        better = (sizes >= 3) & (shares > best_share)
        best_size, best_share = np.where(better, sizes, best_size), np.where(better, shares, best_share)
        element = np.maximum(columns.parent[element], 0)
    table.add("repeated around", np.log1p(best_size))
    table.add("prose in repeated", best_share)


def _add_neighbours(table: FeatureTable, counts: _Counts) -> None:
    words, number = np.log1p(counts.words), len(counts.length)
    for step in (-2, -1, 1, 2):
        for name, values in (("words", words), ("link density", counts.density), ("prose", np.log1p(counts.prose))):
            table.add(f"{name} {step:+d}", shifted(values, step))
    for window in _WINDOWS:
        for name, values in (("prose", counts.prose), ("linked", counts.linked), ("free", counts.free)):
            running = np.concatenate([[0], np.cumsum(values)])
            place = np.arange(number)
            behind = running[place] - running[np.maximum(place - window, 0)]
            ahead = running[np.minimum(place + 1 + window, number)] - running[place + 1]
            table.add(f"{name} in {window} behind", np.log1p(behind))
            table.add(f"{name} in {window} ahead", np.log1p(ahead))
    prose = counts.prose > 0
    table.add("since prose", distance(prose))
    table.add("until prose", distance(prose[::-1])[::-1])


def shifted(values: NDArray[Any], step: int) -> NDArray[Any]:
    """values[i + step], 0 outside."""
    shifted = np.zeros_like(values, dtype=np.float64)
    if step > 0:
        shifted[:-step] = values[step:]
    else:
        shifted[-step:] = values[:step]
    return shifted


def distance(marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many places back the last marked one is; at most 60."""
    place = np.arange(len(marked))
    last = np.maximum.accumulate(np.where(marked, place, -60))
    return np.minimum(place - last, 60)


def _add_page(table: FeatureTable, blocks: Blocks, counts: _Counts, kinds: NDArray[np.int8]) -> None:
    columns, number = blocks.columns, len(blocks)
    length = max(1, int(counts.length.sum()))
    has_prose = counts.prose > 0
    for name, value in (
        ("page blocks", np.log1p(number)),
        ("page text", np.log1p(length)),
        ("page link share", counts.linked.sum() / length),
        ("page prose", np.log1p(counts.prose.sum())),
        ("page prose share", counts.prose.sum() / length),
        ("page prose blocks", np.log1p(has_prose.sum())),
        ("page longest", np.log1p(counts.prose.max())),
        ("page cjk", counts.cjk.sum() / length),
        ("page dates", np.log1p((kinds == LINE_NAMES.index("date") + 1).sum())),
        ("page replies", np.log1p((kinds == LINE_NAMES.index("comment") + 1).sum())),
        ("page h1", columns.tagged("h1").sum()),
        ("page articles", np.log1p(columns.tagged("article").sum())),
        ("page code", np.log1p(columns.tagged("pre", "code").sum())),
        ("page images", np.log1p(columns.tagged("img").sum())),
    ):
        table.add(name, float(value))
