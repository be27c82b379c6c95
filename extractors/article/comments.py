"""Removal of comments beside an article. Where single blocks look like text, as comments of whole sentences do, the page's records show
that several people wrote them.
"""

import numpy as np
from numpy.typing import NDArray

from extractors.article.blocks import Blocks
from extractors.article.threads import find_posts
from extractors.html.document import Document

_MIN_CONFIDENCE = 0.8
"""Confidence in the records above which they are comments. A false one costs more of the text than comments add."""
_MIN_ARTICLE_CHARS = 300
"""Visible characters of the text before the first comment."""
_MIN_PEOPLE = 0.5
"""Distinct authors per record: entries of a live report or rows of a programme have few."""


def drop_comments(
    page: Document, blocks: Blocks, chosen: NDArray[np.bool_], length: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """bool[B]: the chosen blocks without those of comments by several people after an article. length: int64[B], visible characters."""
    posts = find_posts(page, blocks)
    if posts is None or posts.confidence < _MIN_CONFIDENCE or posts.people < _MIN_PEOPLE:
        return chosen
    before = chosen & (np.arange(len(chosen)) < posts.begin)
    return chosen & ~posts.whole if length[before].sum() >= _MIN_ARTICLE_CHARS else chosen
