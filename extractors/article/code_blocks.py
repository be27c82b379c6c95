"""Code inside an article: removes line numbers, and adds code between chosen paragraphs."""

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks

_CODE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?no(?:s|number)?s?|line-?num(?:ber)?s?(?:-rows)?|lnt?d?|lntable|highlight(?:er)?|hljs|codehilite|rouge\S*|code\S*|syntax\S*|prism|blob)(?=$|[\s_-])",
    re.I,
)
_MIN_NUMBERS = 3
"""Minimum consecutive numbers that are line numbers."""
_MAX_BLOCKS_TO_TEXT = 4
"""Blocks before and after a piece of code that must contain chosen text."""


_MIN_CODE_PROBABILITY = 0.3
"""Probability of being main text above which code is added."""
_MAX_LINES, _MAX_DIGITS = 5_000, 6


def drop_line_numbers(blocks: Blocks, chosen: NDArray[np.bool_], length: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without line numbers of code. length: int64[B], visible characters."""
    digits = blocks.sums(blocks.columns.counts("digit"))
    candidates = np.flatnonzero(chosen & (digits == length) & (digits > 0))
    if not len(candidates):
        return chosen
    candidates = candidates[_in_code(blocks)[blocks.home[candidates]]]
    lines = [(number, *_range(blocks.text(number))) for number in candidates.tolist()]
    found, run = chosen.copy(), list[tuple[int, int, int]]()
    for line in (*lines, (-1, -1, -1)):
        if run and line[1] != run[-1][2] + 1:
            if run[-1][2] - run[0][1] >= _MIN_NUMBERS - 1:
                found[[number for number, _, _ in run]] = False
            run = []
        run += [line] if line[1] >= 0 else []
    return found


def _range(text: str) -> tuple[int, int]:
    """The first and the last of the consecutive numbers that make up a text; (-1, -1) for other texts."""
    words = text.split()
    if not words or len(words) > _MAX_LINES or max(map(len, words)) > _MAX_DIGITS:
        return -1, -1
    first = int(words[0])
    return (first, first + len(words) - 1) if words == [str(first + step) for step in range(len(words))] else (-1, -1)


def _in_code(blocks: Blocks) -> NDArray[np.bool_]:
    """bool[N]: inside code, an element named as code, or a table with code."""
    columns = blocks.columns
    code = columns.tagged("pre", "code")
    around = code | columns.tagged("table") & columns.has_below(code)
    around[columns.named(lambda classes, identity: _names_code(f"{classes[:200]} {identity[:60]}"))] = True
    return columns.within(around)


@lru_cache(20_000)
def _names_code(names: str) -> bool:
    """Cached, since the pages of a site share names."""
    return _CODE_NAMES.search(names) is not None


def with_code_between(blocks: Blocks, chosen: NDArray[np.bool_], probability: NDArray[np.float32]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks, and possible code that has chosen text shortly before and after it.

    probability: float32[B], of being main text.
    """
    columns = blocks.columns
    if not columns.places("pre"):
        return chosen
    inside = columns.within(columns.tagged("pre"))[blocks.home]
    text = np.flatnonzero(chosen & ~inside)
    missing = np.flatnonzero(inside & ~chosen & (probability >= _MIN_CODE_PROBABILITY))
    if not len(text) or not len(missing):
        return chosen
    others = np.cumsum(~inside)  # blocks of the same code are not counted
    before = np.searchsorted(text, missing)
    between = (before > 0) & (before < len(text))
    missing, before = missing[between], before[between]
    near = (others[missing] - others[text[before - 1]] <= _MAX_BLOCKS_TO_TEXT) & (
        others[text[before]] - others[missing] <= _MAX_BLOCKS_TO_TEXT
    )
    found = chosen.copy()
    found[missing[near]] = True
    return found
