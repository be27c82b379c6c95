"""Blocks of the page as a forest judges them: each has a probability of being main text, and those above the page's cut are chosen.

The forest of symmetric trees was trained on pages with known main text (`benchmarks/train_article.py`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks, find_blocks, split_blocks
from extractors.article.boilerplate import drop_boilerplate, drop_edges
from extractors.article.code_blocks import drop_line_numbers, with_code_between
from extractors.article.contents import drop_contents
from extractors.article.cut import page_cuts
from extractors.article.declared import drop_undeclared
from extractors.article.duplicates import drop_duplicates
from extractors.article.features import block_features
from extractors.article.features.overview import page_overview
from extractors.article.hidden import drop_hidden, hidden_blocks
from extractors.article.notices import drop_notices
from extractors.article.repeats import drop_repeats
from extractors.article.rows_captions import complete_rows
from extractors.article.threads import Posts, find_posts, leaves_doubt, looks_like_thread, with_posts
from extractors.html.document import Document, SiteRules
from extractors.kernels.forest import forest_for


@dataclass(frozen=True, slots=True)
class Body:
    """The main text of a page as blocks.

    Attributes:
        probability: float32[B], that each block is main text.
        chosen: bool[B], the blocks of the main text. posts: bool[B], those of them that are posts of a thread.
        overview: features of the whole page, see `page_overview`; empty for a page without blocks.
        by_rule: whether a rule of the site named the main text.
    """

    blocks: Blocks
    probability: NDArray[np.float32]
    chosen: NDArray[np.bool_]
    posts: NDArray[np.bool_]
    overview: NDArray[np.float32]
    by_rule: bool = False


def judge_blocks(page: Document) -> Body:
    """Choose the blocks of the page that are main text: those that a rule of the site names, if it finds any, else by the forest."""
    judged = _judged(page)
    return _ruled(page, judged, page.rules) if page.rules and page.rules.body and len(judged.blocks) else judged


def _ruled(page: Document, judged: Body, rules: SiteRules) -> Body:
    named = page.columns.within(rules.marked(rules.body, page.columns))[page.columns.owner]
    blocks, parts = split_blocks(judged.blocks, named)
    chosen = named[blocks.chunks[blocks.start]]
    if not chosen.any():
        return judged
    return Body(blocks, judged.probability[parts], chosen, np.zeros(len(blocks), np.bool_), judged.overview, True)


def _judged(page: Document) -> Body:
    blocks = find_blocks(page.columns)
    if not len(blocks):
        return Body(blocks, np.zeros(0, np.float32), *(np.zeros(0, np.bool_),) * 2, np.zeros(0, np.float32))
    features, names = block_features(blocks)
    forest = forest_for("article", "body", names)
    scores = np.maximum(np.minimum(forest.scores(features), np.float32(30)), np.float32(-30))
    probability = np.asarray(1 / (1 + np.exp(-scores)), dtype=np.float32)
    length = blocks.sums(page.columns.counts("visible"))
    cuts = page_cuts(features, names, probability, length)
    overview = page_overview(features, names, length)
    chosen = probability >= cuts.best()
    is_thread = looks_like_thread(cuts)
    posts = find_posts(page, blocks) if is_thread and leaves_doubt(cuts) else None
    if posts and posts.are_main_text(probability, length):
        chosen = thread_blocks(blocks, posts, probability, chosen, length)
        return Body(blocks, probability, chosen, chosen & posts.bodies, overview)
    chosen = text_blocks(blocks, features, names, probability, chosen, length)
    chosen = drop_repeats(blocks, chosen) if is_thread else drop_undeclared(page, blocks, chosen)
    return Body(blocks, probability, chosen, np.zeros(len(blocks), np.bool_), overview)


def thread_blocks(
    blocks: Blocks,
    posts: Posts,
    probability: NDArray[np.float32],
    chosen: NDArray[np.bool_],
    length: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """bool[B]: the blocks above the cut that are read in a thread. length: int64[B], visible characters."""
    return drop_repeats(blocks, drop_duplicates(blocks, with_posts(chosen, posts, probability), length))


def text_blocks(
    blocks: Blocks,
    features: NDArray[np.float32],
    names: list[str],
    probability: NDArray[np.float32],
    chosen: NDArray[np.bool_],
    length: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """bool[B]: the blocks above the cut that are read in a page that is not a thread, and blocks that belong between them.

    features: float32[F, B] with their names, as `block_features` gives them; length: int64[B], visible characters.
    """
    chosen = drop_boilerplate(features, names, probability, chosen, length)
    hidden = hidden_blocks(blocks, features[names.index("inside hidden")] > 0)
    chosen = drop_contents(blocks, drop_hidden(blocks, chosen, hidden, length), length)
    chosen = complete_rows(blocks, drop_duplicates(blocks, chosen, length))
    chosen = drop_line_numbers(blocks, with_code_between(blocks, chosen, probability), length)
    return drop_edges(features, names, drop_notices(blocks, chosen, length), length)
