"""Main text of threads: the text before the first post, and the bodies of the posts.

Blocks are judged one by one, but posts are similar to each other and are found better together, by `extractors.records`. A small
forest (`benchmarks/train_article.py`) tells from the probabilities of its blocks whether a page looks like a thread.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.cut import PageCuts
from extractors.html.document import Document
from extractors.kernels.forest import Forest, forest_for
from extractors.records import extract as extract_records

_LIKELY_THREAD = 0.3
"""Probability of being a thread above which a page is read as one."""
_MAX_EXPECTED_F1 = 0.93
"""Expected F1 of the page's cut below which posts are searched for; above it they would add little."""
_MIN_CONFIDENCE = 0.7
"""Confidence in the posts above which they are the page's main text."""
_MIN_PROBABILITY = 0.05
"""Probability below which a block of a post is not main text. Posts are short: many of their lines look like menus."""
_MIN_PROBABILITY_BEFORE = 0.4
"""Probability below which a block before the first post is not main text, but the name of a board, a notice or rules."""
_ARTICLE_PROBABILITY, _ARTICLE_CHARS = 0.9, 100
"""Minimum probability of an article's blocks, and minimum visible characters of an article."""


@dataclass(frozen=True, slots=True)
class Posts:
    """Posts as blocks.

    Attributes:
        bodies: bool[B], the blocks of the posts' bodies.
        begin: the number of the first block that belongs to a post.
        are_comments: the page calls them comments or reviews.
        whole: bool[B], the blocks of the posts with their authors, times and buttons.
        people: distinct authors per post, 0 … 1.
        confidence: the probability that they are the page's records.
    """

    bodies: NDArray[np.bool_]
    begin: int
    are_comments: bool
    whole: NDArray[np.bool_]
    people: float
    confidence: float

    def are_main_text(self, probability: NDArray[np.float32], length: NDArray[np.int64]) -> bool:
        """Whether the posts are main text: comments below an article are not.

        probability: float32[B], of being main text; length: int64[B], visible characters.
        """
        before = length[: self.begin][probability[: self.begin] >= _ARTICLE_PROBABILITY]
        return not self.are_comments or before.sum() < _ARTICLE_CHARS


def looks_like_thread(cuts: PageCuts) -> bool:
    """Whether the page is likely a thread."""
    return is_likely(forest_for("article", "thread", cuts.names), cuts.table[:, :1])


def is_likely(forest: Forest, known: NDArray[np.float32]) -> bool:
    """Whether the forest considers the page a thread by the features of its expected cut, float32[G, 1]."""
    odds = float(forest.scores(np.ascontiguousarray(known))[0])
    return odds > log(_LIKELY_THREAD / (1 - _LIKELY_THREAD))


def leaves_doubt(cuts: PageCuts) -> bool:
    """Whether single blocks do not show a thread's main text well."""
    return bool(cuts.table[cuts.names.index("expected f1"), 0] < _MAX_EXPECTED_F1)


def find_posts(page: Document, blocks: Blocks) -> Posts | None:
    """The page's posts; None if there are fewer than two, or if they are uncertain."""
    records = page.once(extract_records)
    if records.kind == "thread_list" or len(records.records) < 2 or records.confidence < _MIN_CONFIDENCE:
        return None
    visible = page.columns.counts("visible")
    in_bodies, in_posts = np.zeros_like(visible), np.zeros_like(visible)
    in_bodies[records.text_chunks] = visible[records.text_chunks]
    in_posts[records.record_chunks] = visible[records.record_chunks]
    least = np.maximum(blocks.sums(visible), 1)
    whole = 2 * blocks.sums(in_posts) >= least
    if not whole.any():
        return None
    people = len({record.author for record in records.records} - {""}) / len(records.records)
    bodies, are_comments = 2 * blocks.sums(in_bodies) >= least, records.kind in ("comments", "reviews")
    return Posts(bodies, int(whole.argmax()), are_comments, whole, people, records.confidence)


def with_posts(chosen: NDArray[np.bool_], posts: Posts, probability: NDArray[np.float32]) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks before the first post that are not boilerplate, and the posts' bodies without blocks that are
    certainly not main text.

    probability: float32[B], of being main text.
    """
    before = (np.arange(len(chosen)) < posts.begin) & (probability >= _MIN_PROBABILITY_BEFORE)
    return np.asarray(posts.bodies & (probability >= _MIN_PROBABILITY) | chosen & before)
