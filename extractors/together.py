"""Many short texts searched at once: joined into one, a pattern runs over them in a single pass."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

APART = "\0"
"""Stands between texts; no tree holds it. A pattern must neither match it nor look for the ends of lines."""


def holding(words: re.Pattern[str], texts: Sequence[str]) -> NDArray[np.bool_]:
    """bool[texts]: the pattern is found in the text."""
    found = np.zeros(len(texts), dtype=np.bool_)
    places = [match.start() for match in words.finditer(APART.join(texts))]
    if places:
        behind = np.cumsum(np.fromiter(map(len, texts), dtype=np.intp, count=len(texts)) + 1)
        found[np.searchsorted(behind, places, side="right")] = True
    return found
