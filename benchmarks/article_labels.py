"""Which blocks of a page are its main text, by the gold text: the labels from which the article model learns."""

import re

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks

_TOKEN = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]|[^\W_\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+"
)
_GRAM = 5
_COVERED = 0.6


def tokens_of(text: str) -> list[str]:
    """CJK characters and runs of other letters, in lower case."""
    return _TOKEN.findall(text.lower())


def block_labels(blocks: Blocks, gold: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(share of each block that is gold, number of its tokens), both float32[B].

    A block of five tokens and more is gold as far as its runs of five stand in the gold text; a shorter one if it
    stands in the gold between the places of its longer neighbours.
    """
    tokens = [tokens_of(blocks.text(number)) for number in range(len(blocks))]
    wanted = tokens_of(gold)
    places: dict[tuple[str, ...], list[int]] = {}
    for place in range(len(wanted) - _GRAM + 1):
        places.setdefault(tuple(wanted[place : place + _GRAM]), []).append(place)
    share = np.zeros(len(blocks), np.float32)
    found = np.full(len(blocks), -1)
    for number, block in enumerate(tokens):
        if len(block) >= _GRAM:
            share[number], found[number] = _long(block, places)
    joined = " " + " ".join(wanted) + " "
    offsets = np.cumsum([1, *(len(token) + 1 for token in wanted)])
    _label_short(tokens, share, found, joined, offsets)
    return share, np.array([len(block) for block in tokens], np.float32)


def _long(block: list[str], places: dict[tuple[str, ...], list[int]]) -> tuple[float, int]:
    grams = [tuple(block[place : place + _GRAM]) for place in range(len(block) - _GRAM + 1)]
    hits = [places[gram][0] for gram in grams if gram in places]
    covered = len(hits) / len(grams)
    return (covered, int(np.median(hits))) if covered >= _COVERED else (covered * 0.5, -1)


def _label_short(
    tokens: list[list[str]], share: NDArray[np.float32], found: NDArray[np.int_], joined: str, offsets: NDArray[np.int_]
) -> None:
    """A short block counts if it stands in the gold between its neighbours' places, in order."""
    anchors = np.flatnonzero(found >= 0)
    for number, block in enumerate(tokens):
        if not block or len(block) >= _GRAM:
            continue
        after = int(np.searchsorted(anchors, number))
        low = found[anchors[after - 1]] if after else 0
        high = found[anchors[after]] if after < len(anchors) else len(offsets) - 1
        far = min(number - anchors[after - 1] if after else 99, anchors[after] - number if after < len(anchors) else 99)
        if high < low or far > 8:
            continue
        window = joined[max(0, offsets[low] - 1) : offsets[min(high + _GRAM, len(offsets) - 1)]]
        share[number] = 1.0 if f" {' '.join(block)} " in window else 0.0
