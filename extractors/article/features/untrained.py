"""What methods without training say, and how much text stands in each element of the first levels."""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.features.around import Around
from extractors.article.features.counts import Counts
from extractors.article.features.table import FeatureTable
from extractors.article.votes import (
    ALIKE_NAMES,
    CANDIDATE_NAMES,
    RUN_NAMES,
    TITLE_NAMES,
    alike_votes,
    candidate_votes,
    paragraph_scores,
    run_votes,
    title_votes,
)
from extractors.kernels import native

_DENSITY_NAMES = [f"text per element {level}" for level in range(4)]


def add_votes(
    table: FeatureTable,
    blocks: Blocks,
    counts: Counts,
    around: Around,
    beginnings: list[str],
    heading: NDArray[np.bool_],
) -> None:
    """What methods without training say, and how much text stands in each element of the first levels."""
    columns, chain = blocks.columns, around.chain
    score = paragraph_scores(counts.words, counts.commas, counts.density)
    table.add_rows(CANDIDATE_NAMES, candidate_votes(columns, chain, score))
    table.add_rows(ALIKE_NAMES, alike_votes(columns, blocks.home, chain[1], counts.prose))
    in_title = table.row("in title") > 0
    compiled = native()
    start = compiled.lengths(beginnings) if compiled else np.array([len(text) for text in beginnings])
    table.add_rows(TITLE_NAMES, title_votes(in_title, heading, start, counts.length))
    table.add_rows(RUN_NAMES, run_votes(counts.prose))
    if compiled:
        raw = np.empty((len(_DENSITY_NAMES), len(blocks)))
        compiled.densities(columns.text_length, columns.link_length, columns.end, chain, raw)
        table.add_rows(_DENSITY_NAMES, np.log1p(raw))
        return
    near = chain[: len(_DENSITY_NAMES)]
    free = (columns.text_length - columns.link_length)[near]
    table.add_rows(_DENSITY_NAMES, np.log1p(free / (columns.end[near] - near)))
