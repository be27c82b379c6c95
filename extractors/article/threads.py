"""Pages that are threads: their main text is what stands before the first post, and the posts as they are read.

Blocks are judged one by one, but posts are alike: whoever reads one rightly reads all. So a page that looks like a thread by
what its blocks are judged to be (a small forest, `benchmarks/train_article.py`) is read as one, see `extractors.records`.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.cut import POSSIBLE, PageCuts
from extractors.html.document import Document
from extractors.kernels.forest import Forest
from extractors.records import extract as extract_records

_LIKELY = 0.3
"""Probability of being a thread from which a page is read as one."""
_CLEAR = 0.93
"""Expected F1 of the page's best cut from which its blocks tell what is text; reading posts would add little to that."""
_SURE = 0.7
"""Confidence in the posts from which they are the page's main text."""
_OF_ARTICLE, _ARTICLE = 0.9, 100
"""Probability of being main text from which a block is that of an article, and visible characters that make one."""


@dataclass(frozen=True, slots=True)
class Posts:
    """Blocks that are the words of posts, bool[B], the number of the first block that belongs to a post, and whether the
    page calls them comments or reviews."""

    spoken: NDArray[np.bool_]
    begin: int
    are_comments: bool = False

    def are_main_text(self, probability: NDArray[np.float32], length: NDArray[np.int64]) -> bool:
        """Comments are none below an article.

        probability: float32[B], of being main text; length: int64[B], visible characters.
        """
        before = length[: self.begin][probability[: self.begin] >= _OF_ARTICLE]
        return not self.are_comments or before.sum() < _ARTICLE


def looks_like_thread(cuts: PageCuts) -> bool:
    """Whether the page is likely a thread whose blocks do not tell by themselves which of them are posts, by what is known of
    its best expected cut."""
    forest = thread_forest()
    if cuts.names != forest.names:
        raise RuntimeError("the forest was trained on other features: run python -m benchmarks.train_article")
    return is_likely(forest, cuts.table[:, :1])


def is_likely(forest: Forest, known: NDArray[np.float32]) -> bool:
    """Whether the forest says so of what is known, float32[G, 1], of a page's best expected cut."""
    if known[forest.names.index("expected f1"), 0] >= _CLEAR:
        return False
    odds = float(forest.scores(np.ascontiguousarray(known))[0])
    return odds > log(_LIKELY / (1 - _LIKELY))


def posts_of(page: Document, blocks: Blocks) -> Posts | None:
    """The page's posts; None if it has no two of them, or if it is not sure that these are the posts."""
    records = page.once(extract_records)
    if records.kind == "thread_list" or len(records.records) < 2 or records.confidence < _SURE:
        return None
    visible = page.columns.counts("visible")
    spoken, belongs = np.zeros_like(visible), np.zeros_like(visible)
    spoken[records.spoken], belongs[records.around] = visible[records.spoken], visible[records.around]
    length = blocks.sums(visible)
    of_posts = np.flatnonzero(2 * blocks.sums(belongs) >= np.maximum(length, 1))
    if not len(of_posts):
        return None
    are_words = 2 * blocks.sums(spoken) >= np.maximum(length, 1)
    return Posts(are_words, int(of_posts[0]), records.kind in ("comments", "reviews"))


def with_posts(taken: NDArray[np.bool_], posts: Posts, probability: NDArray[np.float32]) -> NDArray[np.bool_]:
    """bool[B]: of the taken blocks those before the first post, and the words of posts but for what is certainly no text.

    probability: float32[B], of being main text.
    """
    before = np.arange(len(taken)) < posts.begin
    return np.asarray(posts.spoken & (probability >= POSSIBLE) | taken & before)


@cache
def thread_forest() -> Forest:
    """The forest that tells threads."""
    with (files("extractors.article") / "data" / "thread.npz").open("rb") as file:
        return Forest.load(file)
