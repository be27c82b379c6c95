"""What is known of each block, as numbers: what it is, where it stands, what stands around it.

Everything is an array operation over all blocks of the page. The order of the columns is the order of the calls below;
the model's file holds their names, and refuses to work with others.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.around import Around
from extractors.article.features.containers import add_containers, add_repetition
from extractors.article.features.counts import Counts
from extractors.article.features.distances import distance
from extractors.article.features.markup import add_markup
from extractors.article.features.page import add_page
from extractors.article.features.places import add_neighbours, add_place
from extractors.article.features.table import FeatureTable
from extractors.article.features.text import add_text
from extractors.article.features.untrained import add_votes
from extractors.article.features.wording import add_words
from extractors.article.marks import line_kinds
from extractors.html.tags import tag_set

_HEADINGS = tag_set("h1", "h2", "h3", "h4", "h5", "h6")


def block_features(blocks: Blocks) -> tuple[NDArray[np.float32], list[str]]:
    """float32[F, B] and the names of the F features; B must not be 0."""
    table, counts = FeatureTable(len(blocks)), Counts(blocks)
    around = Around(blocks, counts)
    beginnings = blocks.beginnings()
    kinds, heading = line_kinds(beginnings), _HEADINGS[blocks.columns.tag[blocks.home]]
    add_text(table, blocks, counts)
    add_words(table, blocks, counts, beginnings, kinds)
    table.add("since heading", distance(heading))
    add_place(table, blocks, counts)
    add_markup(table, blocks, counts)
    add_containers(table, blocks, around)
    add_repetition(table, blocks, around)
    add_neighbours(table, counts)
    add_votes(table, blocks, counts, around, beginnings, heading)
    add_page(table, blocks, counts, kinds)
    return table.rows, table.names
