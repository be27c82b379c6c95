"""Removal of text that a page's own `articleBody` in JSON-LD does not have: teasers of other stories, subscription boxes, scripts' text.

The declared text decides only what is dropped. It often lacks the lead and headings, which are kept, and is often cut short or
of another page; then it decides nothing.
"""

import html
import re

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.html.document import Document
from extractors.html.jsonld import nodes_of
from extractors.html.tags import tag_set

_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5", "h6")
_TAG, _GAP = re.compile(r"<[^<>]{1,2000}>"), re.compile(r"[\W_]+")
_MIN_LETTERS, _MAX_CHARS = 150, 200_000
"""Of a declared text: fewer letters are a summary; no more characters are read."""
_PIECE, _STEP = 8, 4
"""Letters of the pieces by which texts are compared, and from one to the next."""
_MIN_IN_PAGE = 0.8
"""Share of a declared text's pieces in the main text, below which it is of another page."""
_MIN_SHARE = 0.3
"""Of a block's pieces in the declared text, of the declared text's length in that of the main text: below it a block is no part
of the article, and a declared text is cut short."""
_SHORT_LETTERS = 20
"""Blocks with fewer, such as the cells of a table, stay between two blocks of the declared text."""


def drop_undeclared(page: Document, blocks: Blocks, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without those after the declared text's first that are no part of it."""
    declared = _letters(_declared_text(page))
    if len(declared) < _MIN_LETTERS:
        return chosen
    places = np.flatnonzero(chosen)
    texts = [_letters(blocks.text(place)) for place in places.tolist()]
    if not _is_of_this_text(declared, texts):
        return chosen
    pieces = set(_pieces(declared, 1))
    share = np.array([_share(text, declared, pieces) for text in texts])
    is_long = np.array([len(text) >= _SHORT_LETTERS for text in texts])
    matched = np.flatnonzero((share >= _MIN_SHARE) & is_long)
    if not len(matched):
        return chosen
    number = np.arange(len(places))
    headings = _HEADINGS[blocks.columns.tag[blocks.home[places]]]
    inside = (number < matched[-1]) & (headings | ~is_long)
    kept = chosen.copy()
    kept[places[(number > matched[0]) & (share < _MIN_SHARE) & ~inside]] = False
    return kept


def _declared_text(page: Document) -> str:
    """The longest `articleBody` of the page's JSON-LD, "" if there is none."""
    found = (node.get("articleBody") for node in page.once(nodes_of))
    longest = max((text for text in found if isinstance(text, str)), key=len, default="")
    return html.unescape(_TAG.sub(" ", html.unescape(longest[:_MAX_CHARS])))


def _letters(text: str) -> str:
    return _GAP.sub("", text).lower()


def _pieces(text: str, step: int) -> list[str]:
    return [text[place : place + _PIECE] for place in range(0, len(text) - _PIECE + 1, step)]


def _share(text: str, declared: str, known: set[str]) -> float:
    """The share of a text's pieces that the declared text has."""
    if len(text) < _PIECE or text in declared:
        return float(text in declared)
    pieces = _pieces(text, _STEP)
    return sum(piece in known for piece in pieces) / len(pieces)


def _is_of_this_text(declared: str, texts: list[str]) -> bool:
    """Whether the main text has nearly all of the declared text, and is not much longer."""
    if len(declared) < _MIN_SHARE * sum(map(len, texts)):
        return False
    known = {piece for text in texts for piece in _pieces(text, 1)}
    return _share(declared, "", known) >= _MIN_IN_PAGE
