"""What is known of each block, as numbers: what it is, where it stands, what stands around it.

Everything is an array operation over all blocks of the page. The order of the columns is the order of the calls below;
the model's file holds their names, and refuses to work with others.
"""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.decay import decay_chunks
from extractors.article.feature_table import FeatureTable
from extractors.article.marks import GROUP_NAMES, LINE_NAMES, group_bits, line_kinds, readable_bits
from extractors.article.signs import SIGN_NAMES, asked_bits, sign_bits
from extractors.article.votes import (
    ALIKE_NAMES,
    CANDIDATE_NAMES,
    RUN_NAMES,
    TITLE_NAMES,
    alike_votes,
    candidate_votes,
    paragraph_scores,
    run_votes,
    title_votes,
)
from extractors.characters import KINDS
from extractors.columns import Columns
from extractors.compiled import native
from extractors.tags import TAG, tag_set

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
_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5", "h6")
_WINDOWS = (2, 6, 15)
_WINDOW_SIZES = np.array(_WINDOWS, np.int64)
_SHARES = (0.55, 0.7, 0.85, 0.96)
_DEEP_SHARES = (0.55, 0.85)
_WITH_DEPTH = np.isin(_SHARES, _DEEP_SHARES).view(np.uint8)
_HOLDER_NAMES = [
    name
    for share in _SHARES
    for name in (f"in holder of {share}", f"depth below holder of {share}")[: 1 + (share in _DEEP_SHARES)]
]
_KINDS_OF_PAGES = ("content", "post", "comment", "side", "foot", "related", "form")
"""Names of parts whose share of a page's prose tells what kind of page it is."""
_LEVELS = 8
_LINE_NUMBERS = np.arange(1, len(LINE_NAMES) + 1)[:, None]
_DISTANCE_NAMES = [f"{side} {name}" for side in ("since", "until") for name in LINE_NAMES]
_CONTAINER_NAMES = [
    f"{name} {level}" for level in range(1, 5) for name in ("prose share", "link density", "blocks", "prose of text")
]
_REPETITION_NAMES = ("like homes", "repeated around", "prose in repeated")
_STEPS = (-2, -1, 1, 2)
_NEIGHBOUR_NAMES = (
    *(f"{name} {step:+d}" for step in _STEPS for name in ("words", "link density", "prose")),
    *(
        f"{name} in {window} {side}"
        for window in _WINDOWS
        for name in ("prose", "linked", "free")
        for side in ("behind", "ahead")
    ),
    "since prose",
    "until prose",
)
_TOLD_APART = tuple(KINDS.index(kind) for kind in ("cjk", "stop", "comma"))
_TEXT_NAMES = (
    *("words", "link density", "cjk", "digits", "punctuation", "upper"),
    *("stops", "stop rate", "commas", "chunks", "ends with stop"),
)
_DIVIDED = np.array([KINDS.index(kind) for kind in ("cjk", "digit", "punctuation", "upper")], np.int64)
_SAID_NAMES = ("in title", "repeated", "repeats", "in summary")
_VISIBLE = KINDS.index("visible")
_PLACE_NAMES = (
    "place",
    "text before",
    "depth",
    "text after h1",
    "blocks after h1",
    "after first prose",
    "before last prose",
    "prose before",
)
_DENSITY_NAMES = [f"text per element {level}" for level in range(4)]
_ENDS = '。！？.!?…”"」；;:：'
_AMOUNTS = (
    "blocks",
    "text",
    "link share",
    "prose",
    "prose share",
    "prose blocks",
    "longest",
    "cjk",
    "dates",
    "replies",
    "h1",
    "articles",
    "code",
    "images",
)
_PLAIN = ("link share", "prose share", "cjk", "h1")
"""What is known of a page as it is; its other amounts as logarithms."""
_COUNTED = [
    *(_VISIBLE, _TOLD_APART[0]),
    *(LINE_NAMES.index(kind) + 1 for kind in ("date", "comment")),
    *(TAG[name] for name in ("h1", "article", "pre", "code", "img")),
]
"""For `_AMOUNTS`: kinds of characters, kinds of lines, tags."""
_PAGE_NAMES = [f"page {name}" for name in _AMOUNTS]
_PAGE_IS_PLAIN = np.isin(_AMOUNTS, _PLAIN)


def _tag_bits() -> NDArray[np.int64]:
    """int64, by tag code: a bit for each of `_HOMES` and then of `_AROUND` to which the tag belongs."""
    return np.asarray(
        sum(
            tag_set(*tags).astype(np.int64) << place for place, tags in enumerate((*_HOMES.values(), *_AROUND.values()))
        )
    )


_TAG_BITS = _tag_bits()
_GROUPS_FROM = len(_HOMES) + len(_AROUND)
_SIGNS_FROM = _GROUPS_FROM + len(GROUP_NAMES)
_IS_BOLD = tag_set("b", "strong", "em", "i")
_HOME_NAMES = [f"home {name}" for name in _HOMES]
_NAMED_NAMES = [f"named {name}" for name in GROUP_NAMES]
_INSIDE_NAMES = [f"inside {name}" for name in _AROUND]
_INSIDE_NAMED_NAMES = [f"inside named {name}" for name in GROUP_NAMES]
_INSIDE_SIGN_NAMES = [f"inside {name}" for name in SIGN_NAMES]
_MARKUP = (
    (0, 0, _HOME_NAMES),
    (1, _GROUPS_FROM, _NAMED_NAMES),
    (2, len(_HOMES), _INSIDE_NAMES),
    (2, _GROUPS_FROM, _INSIDE_NAMED_NAMES),
    (2, _SIGNS_FROM, _INSIDE_SIGN_NAMES),
)
"""Of which of `_near_bits` from which bit on the features of these names are."""
_MARKUP_NAMES = [name for _, _, names in _MARKUP for name in names]
_MARKUP_BITS = np.array(
    [(which, first + place) for which, first, names in _MARKUP for place in range(len(names))], np.int64
)
_DECAY_NAMES = ("in decay body", "decay share")
_NAMES_OF_PAGES = [f"page prose named {name}" for name in _KINDS_OF_PAGES]
_BITS_OF_PAGES = np.array([_GROUPS_FROM + GROUP_NAMES.index(name) for name in _KINDS_OF_PAGES], np.int64)


class _Counts:
    """Counts per block that several groups of features need."""

    def __init__(self, blocks: Blocks) -> None:
        columns = blocks.columns
        by_kind, linked = columns.characters.by_kind, columns.linked
        if compiled := native():
            chunks = by_kind, linked.view(np.uint8), blocks.chunks, blocks.start
            self.all, (self.words, self.density) = compiled.block_counts(*chunks, *_TOLD_APART)
            *sums, self.linked, self.free, self.prose = self.all
        else:
            sums = blocks.sums(by_kind)
            self.linked = blocks.sums(columns.counts("visible") * linked)
        self.of: dict[str, NDArray[np.int64]] = dict(zip(KINDS, sums, strict=True))
        self.length, self.cjk, self.stops, self.commas = (self.of[kind] for kind in ("visible", "cjk", "stop", "comma"))
        if not compiled:
            self._find_prose()

    def _find_prose(self) -> None:
        self.words = self.cjk + (self.length - self.cjk) / 4.5
        self.density = self.linked / np.maximum(self.length, 1)
        self.free = self.length - self.linked
        is_prose = (self.words >= 12) & (self.density < 0.4) & (self.stops + self.commas > 0)
        self.prose = np.where(is_prose, self.free, 0)


class _Around:
    """The elements around each block, and what lies in every element."""

    def __init__(self, blocks: Blocks, counts: _Counts) -> None:
        self.chain: NDArray[np.int32] = _chain(blocks)
        """int32[levels, B]: the home, its parent, and so on; the root above itself."""
        self.prose, self.blocks = _prose_below(blocks, counts)
        """int64[N] each: prose and blocks in every element."""
        self.total = max(1, int(self.prose[0]))


def _prose_below(blocks: Blocks, counts: _Counts) -> NDArray[np.int64]:
    """int64[2, N]: prose and blocks in every element."""
    if compiled := native():
        columns = blocks.columns
        tree = columns.chunk_start, columns.chunk_end, len(columns.texts)
        return np.asarray(compiled.prose_below(*tree, blocks.chunks, blocks.start, counts.prose))
    return below(blocks, np.stack([counts.prose, np.ones_like(counts.prose)]))


def _chain(blocks: Blocks) -> NDArray[np.int32]:
    """int32[levels, B]: see `_Around`."""
    if compiled := native():
        return np.asarray(compiled.chains(blocks.columns.parent, blocks.home, _LEVELS))
    above = np.maximum(blocks.columns.parent, 0)
    chain = [blocks.home]
    for _ in range(_LEVELS - 1):
        chain.append(above[chain[-1]])
    return np.stack(chain)


def block_features(blocks: Blocks) -> tuple[NDArray[np.float32], list[str]]:
    """float32[F, B] and the names of the F features; B must not be 0."""
    table, counts = FeatureTable(len(blocks)), _Counts(blocks)
    around = _Around(blocks, counts)
    beginnings = blocks.beginnings()
    kinds, heading = line_kinds(beginnings), _HEADINGS[blocks.columns.tag[blocks.home]]
    _add_text(table, blocks, counts)
    _add_words(table, blocks, counts, beginnings, kinds)
    table.add("since heading", distance(heading))
    _add_place(table, blocks, counts)
    _add_markup(table, blocks, counts)
    _add_containers(table, blocks, around)
    _add_repetition(table, blocks, around)
    _add_neighbours(table, counts)
    _add_votes(table, blocks, counts, around, beginnings, heading)
    _add_page(table, blocks, counts, kinds)
    return table.rows, table.names


def _add_text(table: FeatureTable, blocks: Blocks, counts: _Counts) -> None:
    if compiled := native():
        rows, raw = table.room(_TEXT_NAMES), np.empty((4, len(blocks)))
        amounts = counts.all, counts.words, counts.density, blocks.start, len(blocks.chunks)
        compiled.shares_of_text(*amounts, _DIVIDED, *_TOLD_APART[1:], rows, raw)
        rows[[0, 6, 8, 9]] = np.log1p(raw)
        rows[10] = _ends_with_stop(blocks)
        return
    length = np.maximum(counts.length, 1)
    known = (
        np.log1p(counts.words),
        counts.density,
        *(counts.of[KINDS[kind]] / length for kind in _DIVIDED.tolist()),
        np.log1p(counts.stops),
        counts.stops / length,
        np.log1p(counts.commas),
        np.log1p(blocks.stop - blocks.start),
        _ends_with_stop(blocks),
    )
    table.add_rows(_TEXT_NAMES, np.array(known, np.float64))


def _ends_with_stop(blocks: Blocks) -> NDArray[np.bool_]:
    texts = blocks.columns.texts
    if compiled := native():
        return np.asarray(compiled.end_with(texts, blocks.chunks, blocks.start, _ENDS))
    last = blocks.chunks[blocks.stop - 1]
    return np.array([texts[chunk].rstrip()[-1:] in _ENDS for chunk in last.tolist()], np.bool_)


def _add_words(
    table: FeatureTable, blocks: Blocks, counts: _Counts, beginnings: list[str], kinds: NDArray[np.int8]
) -> None:
    title, summary = (" ".join(said(blocks.columns).split()) for said in (_title, _summary))
    _add_said(table, beginnings, title, summary)
    _add_distances(table, counts, kinds)


def _add_said(table: FeatureTable, beginnings: list[str], title: str, summary: str) -> None:
    """What else of the page says the same."""
    if compiled := native():
        rows, raw = table.room(_SAID_NAMES), np.empty(len(beginnings))
        compiled.said(beginnings, title, summary, rows, raw)
        rows[1] = np.log1p(raw)
        return
    times = Counter(beginnings)
    known = (
        [len(text) > 3 and text in title for text in beginnings],
        np.log1p(np.array([times[text] for text in beginnings])),
        _repeats(beginnings),
        [len(text) > 8 and text in summary for text in beginnings],
    )
    table.add_rows(_SAID_NAMES, np.array(known, np.float64))


def _add_distances(table: FeatureTable, counts: _Counts, kinds: NDArray[np.int8]) -> None:
    """How far back the last short line of each kind is, and how far ahead the next."""
    if compiled := native():
        rows = table.room(_DISTANCE_NAMES)
        compiled.line_distances(kinds, counts.length, _SHORT, len(LINE_NAMES), rows)
        return
    lines = np.where(counts.length < _SHORT, kinds, 0) == _LINE_NUMBERS
    table.add_rows(_DISTANCE_NAMES, np.concatenate([distances(lines), distances(lines[:, ::-1])[:, ::-1]]))


def _repeats(beginnings: list[str]) -> NDArray[np.bool_]:
    """Whether an earlier block begins in the same way."""
    seen: dict[str, int] = {}
    return np.array([seen.setdefault(text, place) < place for place, text in enumerate(beginnings)], np.bool_)


def _summary(columns: Columns) -> str:
    """What the page's meta elements give as its description."""
    for place in np.flatnonzero(columns.tagged("meta"))[:200].tolist():
        name = columns.value(place, "name") or columns.value(place, "property")
        if name.lower() in ("description", "og:description"):
            return columns.value(place, "content")[:1_000]
    return ""


def _title(columns: Columns) -> str:
    found = np.flatnonzero(columns.tagged("title"))
    return columns.text(int(found[0]))[:500] if len(found) else ""


def _add_place(table: FeatureTable, blocks: Blocks, counts: _Counts) -> None:
    depth, heading = blocks.columns.depth, blocks.columns.tagged("h1")
    if compiled := native():
        rows = table.room(_PLACE_NAMES)
        compiled.places(counts.length, counts.prose, depth, heading.view(np.uint8), blocks.home, rows)
        return
    place = np.arange(len(blocks))
    before = np.cumsum(counts.length) - counts.length
    total = max(1, int(counts.length.sum()))
    first = int(np.argmax(heading[blocks.home]))
    prose = np.flatnonzero(counts.prose)
    first_prose, last_prose = (int(prose[0]), int(prose[-1])) if len(prose) else (0, 0)
    known = (
        place / len(blocks),
        before / total,
        depth[blocks.home],
        (before - before[first]) / total,
        np.clip(place - first, -50, 200),
        place - first_prose,
        last_prose - place,
        (np.cumsum(counts.prose) - counts.prose) / max(1, int(counts.prose.sum())),
    )
    table.add_rows(_PLACE_NAMES, np.array(known, np.float64))


def _add_markup(table: FeatureTable, blocks: Blocks, counts: _Counts) -> None:
    columns, bits = blocks.columns, _element_bits(blocks.columns)
    if compiled := native():
        rows = table.room([*_MARKUP_NAMES, "begins bold"])
        tree = columns.tag, _IS_BOLD.view(np.uint8), columns.parent, columns.end, blocks.home, blocks.owner
        inside = compiled.markup(bits, *tree, counts.prose, _MARKUP_BITS, _BITS_OF_PAGES, rows)
    else:
        near = _near_bits(blocks, bits)
        table.add_rows(_MARKUP_NAMES, near[_MARKUP_BITS[:, 0]] >> _MARKUP_BITS[:, 1:] & 1)
        table.add("begins bold", columns.within(_IS_BOLD[columns.tag])[blocks.owner])
        inside = counts.prose @ (near[2][:, None] >> _BITS_OF_PAGES & 1)
    table.add_rows(_NAMES_OF_PAGES, (inside / max(1, int(counts.prose.sum())))[:, None])


def _element_bits(columns: Columns) -> NDArray[np.int64]:
    """int64[N]: bits of each element's tag, of its class and id, of its style and role."""
    if compiled := native():
        named, signs = (columns.readable, *readable_bits(columns)), asked_bits(columns)
        asked = signs[0].view(np.uint8), *signs[1:]
        return np.asarray(compiled.element_bits(columns.tag, _TAG_BITS, *named, _GROUPS_FROM, *asked, _SIGNS_FROM))
    named_bits = group_bits(columns).astype(np.int64) << _GROUPS_FROM
    return np.asarray(_TAG_BITS[columns.tag] | named_bits | sign_bits(columns) << _SIGNS_FROM)


def _near_bits(blocks: Blocks, bits: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[3, B]: the bits[N] of the home; of it, its parent and the owner; of the home and all around it."""
    columns, home = blocks.columns, blocks.home
    at_home = bits[home]
    near = bits[blocks.owner] | at_home | bits[np.maximum(columns.parent[home], 0)]
    return np.stack([at_home, near, columns.inherited(bits)[home]])


def _add_containers(table: FeatureTable, blocks: Blocks, around: _Around) -> None:
    """Shares of the page's prose in the elements around a block, and whether it lies in the smallest that holds most."""
    _add_decay(table, blocks, around)
    _add_holders(table, blocks, around)
    _add_around(table, blocks, around)


def _add_decay(table: FeatureTable, blocks: Blocks, around: _Around) -> None:
    """What the published method takes: the block's beginning, and how much of what is around it."""
    columns, parent = blocks.columns, around.chain[1]
    decayed, visible = decay_chunks(columns), columns.counts("visible")
    if compiled := native():
        tree = columns.chunk_start, columns.chunk_end, columns.text_length
        texts = decayed.view(np.uint8), visible, blocks.chunks, blocks.start
        compiled.decay_shares(*tree, *texts, parent, table.room(_DECAY_NAMES))
        return
    below = columns.subtree_chunks(visible * decayed)
    share = below[parent] / np.maximum(columns.text_length[parent], 1)
    table.add_rows(_DECAY_NAMES, np.stack([decayed[blocks.chunks[blocks.start]], share]))


def _add_holders(table: FeatureTable, blocks: Blocks, around: _Around) -> None:
    """Whether a block lies in the smallest element with so much of the prose, and how deep."""
    columns, home, prose = blocks.columns, blocks.home, around.prose
    if compiled := native():
        rows, least = table.room(_HOLDER_NAMES), np.array(_SHARES) * around.total
        compiled.holders(prose, columns.end, columns.depth, home, least, _WITH_DEPTH, rows)
        return
    for share in _SHARES:
        holder = int(np.flatnonzero(prose >= share * around.total)[-1]) if prose[0] else 0
        table.add(f"in holder of {share}", (home >= holder) & (home < columns.end[holder]))
        if share in _DEEP_SHARES:
            table.add(f"depth below holder of {share}", columns.depth[home] - columns.depth[holder])


def _add_around(table: FeatureTable, blocks: Blocks, around: _Around) -> None:
    """What the four elements above each home hold."""
    prose, text, linked = around.prose, blocks.columns.text_length, blocks.columns.link_length
    if compiled := native():
        rows, raw = table.room(_CONTAINER_NAMES), np.empty((4, len(blocks)))
        compiled.containers(prose, around.blocks, text, linked, around.chain, around.total, rows, raw)
        rows[2::4] = np.log1p(raw)
        return
    inside, every = np.unique(around.chain[1:5], return_inverse=True)
    length = np.maximum(text[inside], 1)
    shares = (
        prose[inside] / around.total,
        linked[inside] / length,
        np.log1p(around.blocks[inside]),
        prose[inside] / length,
    )
    table.add_rows(_CONTAINER_NAMES, np.stack(shares)[:, every.reshape(4, -1)].swapaxes(0, 1).reshape(16, -1))


def below(blocks: Blocks, values: NDArray[Any]) -> NDArray[Any]:
    """Per-block values[…, B] summed over each element: an array […, N]."""
    per_chunk = np.zeros((*values.shape[:-1], len(blocks.columns.texts)), values.dtype)
    per_chunk[..., blocks.chunks[blocks.start]] = values
    return blocks.columns.subtree_chunks(per_chunk)


def _add_repetition(table: FeatureTable, blocks: Blocks, around: _Around) -> None:
    """The largest group of like siblings (same tag and first class) among the elements around a block."""
    group = blocks.columns.sibling_group
    if compiled := native():
        rows, raw = table.room(_REPETITION_NAMES), np.empty((2, len(blocks)))
        compiled.repetition(group, around.prose, around.chain, around.total, rows, raw)
        rows[:2] = np.log1p(raw)
        return
    size = np.bincount(group)
    held = np.bincount(group, weights=around.prose)
    groups = group[around.chain]
    sizes = size[groups]
    shares = np.where(sizes >= 3, held[groups] / around.total, 0.0)
    best = np.argmax(shares, axis=0), np.arange(len(blocks))
    share = shares[best]
    like = np.log1p(sizes[0]), np.log1p(np.where(share > 0, sizes[best], 1))
    table.add_rows(_REPETITION_NAMES, np.stack([*like, share]))


def _add_neighbours(table: FeatureTable, counts: _Counts) -> None:
    number = len(counts.length)
    near = np.empty((3, number))
    np.log1p(counts.words, out=near[0])
    near[1] = counts.density
    np.log1p(counts.prose, out=near[2])
    if compiled := native():
        rows, raw = table.room(_NEIGHBOUR_NAMES), np.empty((6 * len(_WINDOWS), number))
        compiled.neighbours(near, counts.all, _WINDOW_SIZES, rows, raw)
        rows[3 * len(_STEPS) : -2] = np.log1p(raw)
        return
    amounts = np.stack([counts.prose, counts.linked, counts.free])
    padded = np.pad(near, ((0, 0), (2, 2)))
    parts = [padded[:, 2 + step : 2 + step + number] for step in _STEPS]
    running = np.pad(np.cumsum(amounts, axis=1), ((0, 0), (1, 0)))
    place = np.arange(number)
    for window in _WINDOWS:
        behind = running[:, :-1] - running[:, np.maximum(place - window, 0)]
        ahead = running[:, np.minimum(place + 1 + window, number)] - running[:, 1:]
        parts.append(np.log1p(np.stack([behind, ahead], axis=1).reshape(6, -1)))
    prose = counts.prose > 0
    parts.append(np.stack([distance(prose), distance(prose[::-1])[::-1]]))
    table.add_rows(_NEIGHBOUR_NAMES, np.concatenate(parts))


def _add_votes(
    table: FeatureTable,
    blocks: Blocks,
    counts: _Counts,
    around: _Around,
    beginnings: list[str],
    heading: NDArray[np.bool_],
) -> None:
    """What methods without training say, and how much text stands in each element of the first levels."""
    columns, chain = blocks.columns, around.chain
    score = paragraph_scores(counts.words, counts.commas, counts.density)
    table.add_rows(CANDIDATE_NAMES, candidate_votes(columns, chain, score))
    table.add_rows(ALIKE_NAMES, alike_votes(columns, blocks.home, chain[1], counts.prose))
    in_title = table.row("in title") > 0
    compiled = native()
    start = compiled.lengths(beginnings) if compiled else np.array([len(text) for text in beginnings])
    table.add_rows(TITLE_NAMES, title_votes(in_title, heading, start, counts.length))
    table.add_rows(RUN_NAMES, run_votes(counts.prose))
    if compiled:
        raw = np.empty((len(_DENSITY_NAMES), len(blocks)))
        compiled.densities(columns.text_length, columns.link_length, columns.end, chain, raw)
        table.add_rows(_DENSITY_NAMES, np.log1p(raw))
        return
    near = chain[: len(_DENSITY_NAMES)]
    free = (columns.text_length - columns.link_length)[near]
    table.add_rows(_DENSITY_NAMES, np.log1p(free / (columns.end[near] - near)))


def distance(marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many places back the last marked one is; at most 60."""
    if compiled := native():
        return np.asarray(compiled.distance(np.ascontiguousarray(marked).view(np.uint8)))
    place = np.arange(len(marked))
    last = np.maximum.accumulate(np.where(marked, place, -60))
    return np.minimum(place - last, 60)


def distances(marked: NDArray[np.bool_]) -> NDArray[np.int16]:
    """`distance` for each row; at most `MAX_BLOCKS` places fit into the small numbers."""
    place = np.arange(marked.shape[1], dtype=np.int16)
    return np.minimum(place - np.maximum.accumulate(np.where(marked, place, np.int16(-60)), axis=1), np.int16(60))


def _add_page(table: FeatureTable, blocks: Blocks, counts: _Counts, kinds: NDArray[np.int8]) -> None:
    compiled = native()
    values = (
        compiled.page_amounts(counts.all, kinds, blocks.columns.tag, *_COUNTED)
        if compiled
        else _page_amounts(blocks, counts, kinds)
    )
    table.add_rows(_PAGE_NAMES, np.where(_PAGE_IS_PLAIN, values, np.log1p(values))[:, None])


def _page_amounts(blocks: Blocks, counts: _Counts, kinds: NDArray[np.int8]) -> NDArray[np.float64]:
    """float64: the page's `_AMOUNTS`."""
    sums = [part.sum() for part in (*counts.of.values(), counts.linked, counts.free, counts.prose)]
    tags = np.bincount(blocks.columns.tag, minlength=len(TAG) + 1)
    lines = np.bincount(kinds, minlength=len(LINE_NAMES) + 1)
    length, prose = max(1, int(sums[_VISIBLE])), int(sums[-1])
    amounts = (
        len(blocks),
        length,
        sums[-3] / length,
        prose,
        prose / length,
        np.count_nonzero(counts.prose),
        counts.prose.max(),
        sums[_TOLD_APART[0]] / length,
        *lines[_COUNTED[2:4]],
        *tags[_COUNTED[4:6]],
        tags[_COUNTED[6]] + tags[_COUNTED[7]],
        tags[_COUNTED[8]],
    )
    return np.array(amounts, np.float64)
