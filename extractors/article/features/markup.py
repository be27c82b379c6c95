"""What the markup says of a block: its element, what that is named, what lies around it."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.counts import Counts
from extractors.article.features.table import FeatureTable
from extractors.article.marks import GROUP_NAMES, group_bits, readable_bits
from extractors.html.columns import Columns
from extractors.html.tags import tag_set
from extractors.html.visibility import SIGN_NAMES, asked_bits, sign_bits
from extractors.kernels import native

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
_KINDS_OF_PAGES = ("content", "post", "comment", "side", "foot", "related", "form")
"""Names of parts whose share of a page's prose tells what kind of page it is."""


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
_NAMES_OF_PAGES = [f"page prose named {name}" for name in _KINDS_OF_PAGES]
_BITS_OF_PAGES = np.array([_GROUPS_FROM + GROUP_NAMES.index(name) for name in _KINDS_OF_PAGES], np.int64)


def add_markup(table: FeatureTable, blocks: Blocks, counts: Counts) -> None:
    """Its element, the names of what it stands in, and the page's prose by the names of what holds it."""
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
