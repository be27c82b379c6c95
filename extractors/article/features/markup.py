"""Features of a block's markup: its element, the element's class and id, its ancestors."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.class_words import GROUP_NAMES, readable_bits
from extractors.article.features.feature_table import FeatureTable
from extractors.article.features.text import TextCounts
from extractors.html.columns import Columns
from extractors.html.tags import tag_set
from extractors.html.visibility import ASKED, SIGN_NAMES, asked_bits
from extractors.kernels import kernel

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
_PAGE_GROUPS = ("content", "post", "comment", "side", "foot", "related", "form")
"""Groups of class words whose share of a page's prose shows the kind of page."""


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
_BOLD = tag_set("b", "strong", "em", "i")
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
"""The features of each group of names: whose bits they are (see `markup_flags`), and the first bit."""
_MARKUP_NAMES = [*(name for _, _, names in _MARKUP for name in names), "begins bold"]
_MARKUP_BITS = np.array(
    [(which, first + place) for which, first, names in _MARKUP for place in range(len(names))], np.int64
)
_PAGE_NAMES = [f"page prose named {name}" for name in _PAGE_GROUPS]
_PAGE_BITS = np.array([_GROUPS_FROM + GROUP_NAMES.index(name) for name in _PAGE_GROUPS], np.int64)


def add_markup(table: FeatureTable, blocks: Blocks, counts: TextCounts) -> None:
    """The block's element, the class words around it, and the page's prose by the class words of its elements."""
    columns = blocks.columns
    tree = columns.tag, _BOLD, columns.parent, columns.end, blocks.home, blocks.owner
    flags, prose = markup_flags(_bits(columns), *tree, counts.prose, _MARKUP_BITS, _PAGE_BITS)
    table.add_rows(_MARKUP_NAMES, flags)
    table.add_rows(_PAGE_NAMES, (prose / max(1, int(counts.prose.sum())))[:, None])


def _bits(columns: Columns) -> NDArray[np.int64]:
    """int64[N]: bits of each element's tag, of its class and id, of its style and role."""
    groups, group = readable_bits(columns)
    signs, sign = asked_bits(columns)
    named, said = (groups << _GROUPS_FROM, group), (signs << _SIGNS_FROM, sign)
    return element_bits(columns.tag, _TAG_BITS, columns.text_length, *named, ASKED, *said)


@kernel
def element_bits(
    tag: NDArray[np.int16],
    tag_bits: NDArray[np.int64],
    text_length: NDArray[np.int64],
    groups: NDArray[np.int64],
    group: NDArray[np.int64],
    asked_tags: NDArray[np.bool_],
    signs: NDArray[np.int64],
    sign: NDArray[np.int64],
) -> NDArray[np.int64]:
    """int64[N]: tag_bits of each element's tag; for elements with text also groups[group], and signs[sign] if asked_tags has
    their tag. group, sign: one for each of these elements."""
    bits, readable = tag_bits[tag], text_length > 0
    bits[readable] |= groups[group]
    bits[readable & asked_tags[tag]] |= signs[sign]
    return bits


@kernel
def markup_flags(
    bits: NDArray[np.int64],
    tag: NDArray[np.int16],
    bold_tags: NDArray[np.bool_],
    parent: NDArray[np.int32],
    end: NDArray[np.int32],
    home: NDArray[np.int32],
    owner: NDArray[np.int32],
    prose: NDArray[np.int64],
    wanted: NDArray[np.int64],
    page_bits: NDArray[np.int64],
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Flags of blocks by bits[N] of elements, and the prose of the page inside elements with each of the `page_bits`.

    Flags are uint8[W + 1, B]: a row for each pair in wanted[W, 2], which names whose bits are meant (0: the home; 1: the home,
    its parent and the owner; 2: the home and all its ancestors) and the bit; in the last
    row, whether the owner lies inside an element with a bold tag.
    """
    inside = _inherited(bits, parent)[home]
    near = np.stack([bits[home], bits[owner] | bits[home] | bits[np.maximum(parent[home], 0)], inside])
    bold = bold_tags[tag]
    closed = np.bincount(end[bold], minlength=len(tag) + 1)[: len(tag)]
    flags = [*(near[wanted[:, 0]] >> wanted[:, 1:] & 1), (np.cumsum(bold - closed) > 0)[owner]]
    return np.array(flags, np.uint8), prose @ (inside[:, None] >> page_bits & 1)


def _inherited(bits: NDArray[np.int64], parent: NDArray[np.int32]) -> NDArray[np.int64]:
    """int64[N]: the bits[N] of each element and of all its ancestors together."""
    found, above = bits.copy(), np.maximum(parent, 0)
    while above.any():  # each round doubles the distance
        found |= found[above]
        above = above[above]
    found |= found[:1]
    return found
