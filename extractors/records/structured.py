"""What a page says of its posts, comments, answers and reviews in schema.org's words: as microdata, RDFa, or JSON-LD."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.jsonld import names_of
from extractors.html.tags import tag_set

if TYPE_CHECKING:
    from extractors.records.signals import Signals

_KIND = re.compile(r"(?:^|[/#: ])(?:User)?(?:Comments?|Answer|Review|DiscussionForumPosting)(?=$| )")
_HOLDERS = tag_set(
    "div",
    "li",
    "article",
    "section",
    "tr",
    "tbody",
    "table",
    "td",
    "dd",
    "dl",
    "blockquote",
    "details",
    "ul",
    "span",
    "p",
)
_LARGEST = 1_000_000
_MOST_NODES = 5_000
_PREFIX = 16
"""Visible characters by which a text is known again on the page."""
_TEXTS = ("text", "articleBody", "reviewBody", "description")
_MARKUP = re.compile(r"<[^<>]{0,300}>|&[a-z#0-9]{1,8};")


@dataclass(frozen=True, slots=True)
class Told:
    """One post as JSON-LD tells it."""

    text: str
    author: str
    time: str


class Structured:
    """The records that a page's structured data tells of."""

    def __init__(self, signals: "Signals") -> None:
        self._signals, self._columns = signals, signals.columns

    @cached_property
    def items(self) -> NDArray[np.bool_]:
        """bool[N]: elements that microdata or RDFa call a comment, an answer, a review or a post."""
        kinds = self._columns.sparse("typeof") | self._columns.sparse("itemtype")
        found = np.zeros(len(self._columns), dtype=bool)
        found[[place for place, kind in kinds.items() if _KIND.search(kind)]] = True
        return found & _HOLDERS[self._columns.tag] & (self._columns.text_length > 0)

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """Posts in the page's JSON-LD."""
        found: list[Told] = []
        for text in self._columns.linked_data:
            if len(text) < _LARGEST:
                try:
                    found += _posts(json.loads(text, strict=False))
                except (ValueError, RecursionError):
                    continue
        return tuple(found)

    @cached_property
    def chunks(self) -> dict[int, Told]:
        """By chunk the post whose text begins there; where others quote it as well, the first such chunk."""
        wanted = {_prefix(_MARKUP.sub(" ", told.text[:400])): told for told in self.told}
        wanted.pop("", None)
        found: dict[int, Told] = {}
        if wanted:
            for number, text in enumerate(self._columns.texts):
                if (told := wanted.pop(_prefix(text[:100]), None)) is not None:
                    found[number] = told
        return found

    @property
    def count(self) -> int:
        """How many posts are told of, by the way that tells of more."""
        return max(int(self.items.sum()), len(self.told))


def _prefix(text: str) -> str:
    return "".join(text.split())[:_PREFIX]


def _posts(data: Any) -> Iterator[Told]:
    waiting = [data]
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node[:1000]))
        elif isinstance(node, dict):
            if _KIND.search(" ".join(map(str, kinds)) if isinstance(kinds := node.get("@type"), list) else str(kinds)):
                text = next((value for name in _TEXTS if isinstance(value := node.get(name), str)), "")
                time = node.get("datePublished") or node.get("dateCreated") or ""
                yield Told(text, names_of(node.get("author", "")), time if isinstance(time, str) else "")
            waiting.extend(value for value in node.values() if isinstance(value, dict | list))
