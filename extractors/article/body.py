"""The main text of a page: the blocks that the forest chooses, without comments beside an article.

Where comments of whole sentences look like text one by one, the page's records show that people wrote them.
"""

from dataclasses import replace

import numpy as np

from extractors.article.judged import Body, judge_blocks
from extractors.article.kinds import find_kind
from extractors.article.plain_text import to_text
from extractors.article.rows_captions import with_captions
from extractors.article.threads import Posts, find_posts
from extractors.html.document import Document

__all__ = ["Body", "body_text", "confidence_of", "find_body"]

_MIN_CONFIDENCE = 0.8
"""Confidence in the records above which they are comments. A false one costs more of the text than comments add."""
_MIN_PEOPLE = 0.5
"""Distinct authors per record, of records that the page does not call comments: entries of a live report or rows of a programme
have few."""
_MIN_TEXT_CHARS = 300
"""Visible characters of the text before the first comment."""
_ARTICLE_CHARS = 300
"""Visible characters above which the length of the main text alone shows that the page has an article."""


def find_body(page: Document) -> Body:
    """The blocks of the page that are main text, see `judge_blocks`, without comments after an article."""
    judged = page.once(judge_blocks)
    if judged.by_rule or not judged.chosen.any():
        return judged
    posts = find_posts(page, judged.blocks)
    if posts is None or not _are_comments(page, judged, posts):
        return judged
    return replace(judged, chosen=judged.chosen & ~posts.whole, posts=judged.posts & ~posts.whole)


def _are_comments(page: Document, judged: Body, posts: Posts) -> bool:
    """Whether the posts follow a text that is no thread, and are by several people or called comments."""
    if posts.confidence < _MIN_CONFIDENCE or not (posts.are_comments or posts.people >= _MIN_PEOPLE):
        return False
    before = judged.chosen & (np.arange(len(judged.chosen)) < posts.begin)
    length = judged.blocks.sums(page.columns.counts("visible"))
    return bool(length[before].sum() >= _MIN_TEXT_CHARS) and page.once(find_kind).name != "thread"


def body_text(page: Document, captions: bool | None = None) -> str:
    """The page's main text; "" if it has none. captions: see `extractors.article.extract`."""
    blocks, chosen = page.once(find_body).blocks, page.once(find_body).chosen
    return to_text(blocks, chosen if captions is None else with_captions(blocks, chosen, captions))


def confidence_of(page: Document, text: str) -> float:
    """The probability, 0 … 1, that the page is a single article: by the length of its main text, absolute and relative to its links;
    1 if a rule of the site names the text."""
    columns = page.columns
    if not len(columns) or not text:
        return 0.0
    if page.once(find_body).by_rule:
        return 1.0
    visible = len(text) - text.count("\n") - text.count(" ")
    links = int(columns.link_length[0])
    return float(min(1.0, visible / _ARTICLE_CHARS) * visible / max(1.0, visible + 0.35 * links))
