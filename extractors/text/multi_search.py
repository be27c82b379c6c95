"""Searches a pattern in many short texts at once."""

import re
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import kernel

APART = "\0"
"""Separates texts; no tree contains it. A pattern must not match it, nor use anchors of lines."""


@kernel
def contains_match(
    words: re.Pattern[str], texts: Sequence[str], sign: re.Pattern[str] | None = None
) -> NDArray[np.bool_]:
    """bool[texts]: the pattern matches in the text. `sign`, if given, matches in every text with a match; use it for
    patterns that may begin with any character."""
    found = np.zeros(len(texts), np.bool_)
    places = [match.start() for match in words.finditer(APART.join(texts))]
    if places:
        behind = np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)) + 1)
        found[np.searchsorted(behind, places, side="right")] = True
    return found


@kernel
def starts_with_match(words: re.Pattern[str], texts: Sequence[str], most_chars: int = sys.maxsize) -> NDArray[np.bool_]:
    """bool[texts]: the text begins with a match of the pattern, and is no longer than `most_chars`."""
    found = (len(text) <= most_chars and words.match(text) is not None for text in texts)
    return np.fromiter(found, np.bool_, len(texts))


@kernel
def matching_groups(words: re.Pattern[str], texts: Sequence[str]) -> NDArray[np.int8]:
    """int8[texts]: the number of the last group of the pattern's match at the beginning of the text, in lower case; 0 for no
    match."""
    matches = (words.match(text.lower()) for text in texts)
    return np.fromiter((match.lastindex or 0 if match else 0 for match in matches), np.int8, len(texts))
