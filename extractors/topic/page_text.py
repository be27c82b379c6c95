"""The input of a relevance judgement on a page: its title, the text of its blocks, and their types."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from extractors.article import extract
from extractors.article.body import find_body
from extractors.html.document import Document
from extractors.links.urls import address_words
from extractors.topic.concepts import MAX_TEXT, ConceptFinder
from extractors.topic.declared import declared_tags
from extractors.topic.tag_blocks import tag_blocks
from extractors.topic.wanted_kinds import may_be_article


@dataclass(frozen=True, slots=True)
class PageText:
    """The title and B blocks of a page in document order; read by `page_text`.

    Attributes:
        title: of its article.
        text: all blocks, separated by a space or the white space of the source; ends: int64[B], where the next block begins.
        kind: int8[B], `BlockType`; weight: float64[B], they sum to 1; main: bool[B], whether a block is main text.
        length: characters of title and main text.
        tags: declared by its author. address: the words of its path and query.
        may_be_article: it is neither a list nor a page about its site.
    """

    title: str
    text: str
    ends: NDArray[np.int64]
    kind: NDArray[np.int8]
    weight: NDArray[np.float64]
    main: NDArray[np.bool_]
    length: int
    tags: tuple[str, ...]
    address: str
    may_be_article: bool

    def find(self, finder: ConceptFinder) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The occurrences of concepts: their places (0: the title, else the block's number from 1), and the concepts."""
        title = f"{self.title}\n"
        return finder.find_joined(title + self.text, np.concatenate(([0], self.ends)) + len(title))

    def blocks(self) -> list[str]:
        """The text of each block."""
        return [self.text[start : stop - 1] for start, stop in pairwise((0, *self.ends.tolist()))]


def page_text(page: Document) -> PageText:
    """The text of a page; see `Document.once`."""
    body, article = page.once(find_body), page.once(extract)
    blocks = tag_blocks(body.blocks)
    text, ends = blocks.joined()
    length = len(article.title) + min(len(article.text), MAX_TEXT)
    return PageText(
        article.title,
        text,
        ends,
        blocks.kind,
        blocks.weight,
        body.chosen,
        length,
        page.once(declared_tags),
        address_words(page.url),
        may_be_article(page),
    )
