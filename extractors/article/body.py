"""The default method: every block of text is judged, and those above the page's own cut are the body.

The judge is a forest of symmetric trees learned from pages with known main text (`benchmarks/train_article.py`).
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from extractors.article.beside import without_beside
from extractors.article.blocks import Blocks
from extractors.article.copies import without_copies
from extractors.article.cut import page_cuts
from extractors.article.features import block_features
from extractors.article.rendering import render
from extractors.article.threads import looks_like_thread, posts_of, with_posts
from extractors.article.wholes import whole_rows, with_captions
from extractors.html.document import Document
from extractors.kernels.forest import Forest

_CLEAR = 300
"""Characters of main text from which a page is one of an article by length alone."""


@dataclass(frozen=True, slots=True)
class Body:
    """Blocks with their probability of being main text, float32[B], which are taken, bool[B], and which of these are posts
    of a thread, bool[B]."""

    blocks: Blocks
    probability: NDArray[np.float32]
    taken: NDArray[np.bool_]
    posts: NDArray[np.bool_]


def find_body(page: Document) -> Body:
    """Judge every block of the page."""
    blocks = Blocks(page.columns)
    if not len(blocks):
        return Body(blocks, np.zeros(0, np.float32), np.zeros(0, np.bool_), np.zeros(0, np.bool_))
    features, names = block_features(blocks)
    forest = article_forest()
    if names != forest.names:
        raise RuntimeError("the forest was trained on other features: run python -m benchmarks.train_article")
    scores = np.maximum(np.minimum(forest.scores(features), np.float32(30)), np.float32(-30))
    probability = np.asarray(1 / (1 + np.exp(-scores)), dtype=np.float32)
    length = blocks.sums(page.columns.counts("visible"))
    cuts = page_cuts(features, names, probability, length)
    taken = probability >= cuts.learned()
    posts, repeats = (posts_of(page, blocks) if looks_like_thread(cuts) else None), features[names.index("repeats")] > 0
    if posts and posts.are_main_text(probability, length):
        taken = without_copies(blocks, with_posts(taken, posts, probability), length, repeats)
        return Body(blocks, probability, taken, taken & posts.spoken)
    taken = without_copies(blocks, without_beside(features, names, probability, taken, length), length, repeats)
    return Body(blocks, probability, whole_rows(blocks, taken), np.zeros(len(blocks), np.bool_))


def body_text(page: Document, captions: bool | None = None) -> str:
    """The page's main text; "" where it has none. Captions of pictures as they are judged, or all of them, or none."""
    blocks, taken = page.once(find_body).blocks, page.once(find_body).taken
    return render(blocks, taken if captions is None else with_captions(blocks, taken, captions))


def confidence_of(page: Document, text: str) -> float:
    """0 … 1: how sure it is that the page is that of one article: by the length of its text beside that of its links."""
    columns = page.columns
    if not len(columns) or not text:
        return 0.0
    visible = len(text) - text.count("\n") - text.count(" ")
    links = int(columns.link_length[0])
    return float(min(1.0, visible / _CLEAR) * visible / max(1.0, visible + 0.35 * links))


@cache
def article_forest() -> Forest:
    """The judge, read from the package once."""
    with (files("extractors.article") / "data" / "body.npz").open("rb") as file:
        return Forest.load(file)
