"""Features of blocks: text, place on the page, surroundings.

Every step is an array operation over all blocks of the page. The columns come in the order of the calls below. The
model's file holds their names; a model trained on other features is refused.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.ancestors import add_containers, add_repetition, find_ancestors
from extractors.article.features.cards import add_cards
from extractors.article.features.feature_table import FeatureTable
from extractors.article.features.markup import add_markup
from extractors.article.features.places import add_neighbours, add_page, add_place, blocks_since
from extractors.article.features.text import add_text, count_characters
from extractors.article.features.votes import add_votes
from extractors.article.features.wording import add_wording
from extractors.article.line_kinds import line_kinds
from extractors.html.tags import tag_set

__all__ = ["block_features", "overview"]

_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5", "h6")


def block_features(blocks: Blocks) -> tuple[NDArray[np.float32], list[str]]:
    """float32[F, B] and the names of the F features; B must not be 0."""
    table, counts = FeatureTable(len(blocks)), count_characters(blocks)
    ancestors = find_ancestors(blocks, counts)
    beginnings = blocks.beginnings()
    kinds, heading = line_kinds(beginnings), _HEADINGS[blocks.columns.tag[blocks.home]]
    add_text(table, blocks, counts)
    add_wording(table, blocks, counts, beginnings, kinds)
    table.add("since heading", blocks_since(heading))
    add_place(table, blocks, counts)
    add_markup(table, blocks, counts)
    add_containers(table, blocks, ancestors)
    add_repetition(table, blocks, ancestors)
    add_cards(table, blocks, ancestors)
    add_neighbours(table, counts)
    add_votes(table, blocks, counts, ancestors, beginnings, heading)
    add_page(table, blocks, counts, kinds)
    return table.rows, table.names
