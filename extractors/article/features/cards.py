"""Teaser cards: similar siblings with links to other pages, which make up lists of stories.

The text of a card reads like an article's; cards are recognised as several siblings with a link and a heading each.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.ancestors import Ancestors
from extractors.article.features.feature_table import FeatureTable
from extractors.html.tags import tag_set
from extractors.kernels import kernel

_LINK, _PICTURE, _HEADING = 1, 2, 4
_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5", "h6")
_BITS = (
    _LINK * tag_set("a").astype(np.uint8)
    | _PICTURE * tag_set("img", "picture").astype(np.uint8)
    | _HEADING * _HEADINGS.astype(np.uint8)
)
"""uint8, by tag code."""
_MIN_CHARS, _MIN_CARDS = 10, 3
_NAMES = (
    *("cards", "card share", "card link share", "cards led by links", "cards pictured", "card spread"),
    *("card length", "link share of card"),
)


def add_cards(table: FeatureTable, blocks: Blocks, around: Ancestors) -> None:
    """The cards with most text among those that hold a block: their number, share of the page's text, links, headings that
    are links, pictures, variation of length, mean length; and the link share of the card that holds the block."""
    columns = blocks.columns
    tree = columns.end, columns.sibling_group, columns.text_length, columns.link_length
    rows = card_groups(_BITS[columns.tag], *tree, around.chain, _MIN_CHARS, _MIN_CARDS)
    rows[[0, 6]] = np.log1p(rows[[0, 6]])
    table.add_rows(_NAMES, rows)


@kernel
def card_groups(
    bits: NDArray[np.uint8],
    end: NDArray[np.int32],
    group: NDArray[np.int64],
    text_length: NDArray[np.int64],
    link_length: NDArray[np.int64],
    chain: NDArray[np.int32],
    least_chars: int,
    least_number: int,
) -> NDArray[np.float64]:
    """float64[8, B]: rows of `_NAMES`, without logarithms; 0 for blocks outside cards.

    bits: uint8[N], of `_BITS`; chain: see `Ancestors`. Elements of at least `least_chars` are cards if they hold a link, as do
    three quarters of at least `least_number` like siblings.
    """
    below = [np.append(0, np.cumsum(each)) for each in _counted(bits, text_length, link_length)]
    links, pictures, led = (running[end] - running[:-1] for running in below)
    long = text_length >= least_chars
    is_card, many = long & (links > 0), int(group.max()) + 1
    cards = np.flatnonzero(is_card)
    of = group[cards]
    number = np.bincount(of, minlength=many)
    amount, squares, linked = (
        np.bincount(of, weights=values[cards], minlength=many)
        for values in (text_length, text_length * text_length, link_length)
    )
    with_led, with_pictures = (np.bincount(of, weights=each[cards] > 0, minlength=many) for each in (led, pictures))
    alike = (number >= least_number) & (4 * number >= 3 * np.bincount(group[long], minlength=many))
    held = np.where(alike, amount, 0.0)[group[chain]] * is_card[chain]
    best = held.argmax(axis=0), np.arange(chain.shape[1])
    card, has = chain[best], held[best] > 0
    which = group[card]
    size, total = np.maximum(number[which], 1), np.maximum(amount[which], 1.0)
    rows = (
        *(size, total / max(1, int(text_length[0])), linked[which] / total, with_led[which] / size),
        *(with_pictures[which] / size, np.sqrt(np.maximum(size * squares[which] - total * total, 0.0)) / total),
        *(total / size, link_length[card] / np.maximum(text_length[card], 1)),
    )
    return np.asarray(np.array(rows, np.float64) * has)


def _counted(
    bits: NDArray[np.uint8], text_length: NDArray[np.int64], link_length: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], ...]:
    """bool[N] each: links, pictures, headings that are links."""
    led = (bits & _HEADING > 0) & (text_length > 0) & (2 * link_length >= text_length)
    return bits & _LINK > 0, bits & _PICTURE > 0, led
