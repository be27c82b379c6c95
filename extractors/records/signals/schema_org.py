"""Posts, comments, answers and reviews described with schema.org terms: microdata, RDFa, or JSON-LD."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.jsonld import names_of
from extractors.html.tags import tag_set

_KIND = re.compile(r"(?:^|[/#: ])(?:User)?(?:Comments?|Answer|Review|DiscussionForumPosting)(?=$| )")
_POST_TYPES = ("Comment", "Answer", "Review", "DiscussionForumPosting", "\\u")
"""JSON that describes a post contains one of these; an escaped character may be part of such a word."""
_HOLDERS = tag_set(
    "div", "li", "article", "section", "tr", "tbody", "table", "td", "dd", "dl", "blockquote", "details", "ul", "span", "p",
)  # fmt: skip
_MAX_JSON_CHARS = 1_000_000
_MAX_NODES = 5_000
_PREFIX_CHARS = 16
"""Visible characters by which a text is found on the page."""
_TEXT_PROPERTIES = ("text", "articleBody", "reviewBody", "description")
_MARKUP = re.compile(r"<[^<>]{0,300}>|&[a-z#0-9]{1,8};")


@dataclass(frozen=True, slots=True)
class SchemaPost:
    """One post in JSON-LD."""

    text: str
    author: str
    time: str


@dataclass(frozen=True, slots=True)
class SchemaPosts:
    """The posts in a page's structured data.

    Attributes:
        items: bool[N], elements that microdata or RDFa type as a comment, an answer, a review or a post.
        by_chunk: by chunk, the post in JSON-LD whose text begins there; if others quote it, the first such chunk.
        count: the number of posts in microdata or in JSON-LD, whichever has more.
    """

    items: NDArray[np.bool_]
    by_chunk: dict[int, SchemaPost]
    count: int


def schema_posts(page: Document) -> SchemaPosts:
    """The posts in a page's structured data."""
    items, posts = _items(page.columns), _json_posts(page.columns)
    return SchemaPosts(items, _first_chunks(posts, page.columns.texts), max(int(items.sum()), len(posts)))


def _items(columns: Columns) -> NDArray[np.bool_]:
    kinds = columns.sparse("typeof") | columns.sparse("itemtype")
    found = np.zeros(len(columns), dtype=bool)
    found[[place for place, kind in kinds.items() if _KIND.search(kind)]] = True
    return found & _HOLDERS[columns.tag] & (columns.text_length > 0)


def _json_posts(columns: Columns) -> list[SchemaPost]:
    found: list[SchemaPost] = []
    for text in columns.linked_data:
        if len(text) < _MAX_JSON_CHARS and any(sign in text for sign in _POST_TYPES):
            try:
                found += _posts(json.loads(text, strict=False))
            except (ValueError, RecursionError):
                continue
    return found


def _first_chunks(posts: list[SchemaPost], texts: list[str]) -> dict[int, SchemaPost]:
    wanted = {_prefix(_MARKUP.sub(" ", post.text[:400])): post for post in posts}
    wanted.pop("", None)
    found: dict[int, SchemaPost] = {}
    if wanted:
        for number, text in enumerate(texts):
            if (post := wanted.pop(_prefix(text[:100]), None)) is not None:
                found[number] = post
    return found


def _prefix(text: str) -> str:
    return "".join(text.split())[:_PREFIX_CHARS]


def _posts(data: Any) -> Iterator[SchemaPost]:
    waiting = [data]
    for _ in range(_MAX_NODES):
        if not waiting:
            return
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node[:1000]))
        elif isinstance(node, dict):
            if _KIND.search(" ".join(map(str, kinds)) if isinstance(kinds := node.get("@type"), list) else str(kinds)):
                text = next((value for name in _TEXT_PROPERTIES if isinstance(value := node.get(name), str)), "")
                time = node.get("datePublished") or node.get("dateCreated") or ""
                yield SchemaPost(text, names_of(node.get("author", "")), time if isinstance(time, str) else "")
            waiting.extend(value for value in node.values() if isinstance(value, dict | list))
