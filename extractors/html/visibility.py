"""Signs in style and role: whether elements are hidden, and which part of the page they are."""

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.tags import tag_set

SIGN_NAMES = ("hidden", "role main", "role around")
UNSEEN = re.compile(r"display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden", re.I)
"""Styles of hidden elements."""
_MAIN = ("main", "article")
_AROUND = (
    "navigation", "banner", "contentinfo", "complementary", "search", "dialog", "menu", "menubar", "tablist", "alert",
)  # fmt: skip
MAX_STYLE_CHARS = 300
ASKED = tag_set(*"article aside body dialog div footer form header main nav ol section table ul".split())


"""Elements that make up parts of pages, by tag code."""


def asked_bits(columns: Columns) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The distinct bits of `SIGN_NAMES` of the elements in `ASKED` with text; and the number of each element's bits."""
    said, which = columns.pairs("style", "role", ASKED[columns.tag] & (columns.text_length > 0))
    return np.array([_signs(style, role) for style, role in said], np.int64), which


@lru_cache(maxsize=5_000)
def _signs(style: str, role: str) -> int:
    hidden = bool(style and UNSEEN.search(style[:MAX_STYLE_CHARS]))
    return hidden | (role in _MAIN) << 1 | (role in _AROUND) << 2
