"""Removal of repetition in threads: posts quote posts, and sites show the beginning of a post before the whole post.

Unlike a duplicate (`extractors.article.duplicates`), a quote may be shortened, joined to other lines, or have other markup; so
runs of characters are compared, not blocks.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.duplicates import containers

_RUN_CHARS = 16
"""Characters of a run, without white space; a power of two, since hashes of runs are made by doubling."""
_MIN_SHARE = 0.95
"""Minimum share of a block's runs that occur in earlier blocks."""
_MULTIPLIER = 1_099_511_628_211
"""Odd, and large enough to spread a run over 64 bits."""


def drop_repeats(blocks: Blocks, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without those that repeat earlier chosen blocks in another element. Short blocks stay:
    several people may write the same few words."""
    numbers = np.flatnonzero(chosen)
    texts = ["".join(blocks.text(number).split()) for number in numbers.tolist()]
    block, runs = _runs(texts)
    if not len(runs):
        return chosen
    _, place, which = np.unique(runs, return_index=True, return_inverse=True)
    first, around = block[place[which]], containers(blocks)[numbers]
    repeated = np.bincount(block[around[first] != around[block]], minlength=len(texts))
    all_runs = np.bincount(block, minlength=len(texts))
    left = chosen.copy()
    left[numbers[(all_runs > 0) & (repeated >= _MIN_SHARE * all_runs)]] = False
    return left


def _runs(texts: list[str]) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """For each run of `_RUN_CHARS` characters inside one text: the number of the text, and the run's hash."""
    of_text = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    runs = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    if len(runs) < _RUN_CHARS:
        return of_text[:0], runs[:0]
    size = 1
    while size < _RUN_CHARS:
        runs = runs[:-size] * np.uint64(pow(_MULTIPLIER, size, 1 << 64)) + runs[size:]
        size *= 2
    inside = of_text[: len(runs)] == of_text[_RUN_CHARS - 1 :]
    return of_text[: len(runs)][inside], runs[inside]
