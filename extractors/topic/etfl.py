"""The published relevance `etfl`: a page as tag blocks, weighted by the tags that stress text.

A block is a line of text, the smallest stretch between block elements, so that no word is in two of them. With the key
tags k_i of block i, the experience x_i of its type, and the impact of the element around it:

    impact_i = λ0 · k_i / Σ k + λ1 · x_i,   then impact_i + λ2 · (mean impact of the blocks in the element around it)
    weight_i = impact_i / Σ impact

So impact passes up, and comes down again to the blocks beside an important one. The relevance is

    R = α·R_title + β·R_content + γ·R_navigation + δ·R_anchor + ε·R_other

Each part is the cosine between the concepts of the page's blocks of that type and the topic; a concept's weight on the page
is Σ_i tf_i · weight_i over those blocks, times its idf, and in the topic its own weight times its idf.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.article import extract
from extractors.article.blocks import Blocks
from extractors.article.body import find_body
from extractors.html.document import Document
from extractors.html.tags import tag_set
from extractors.topic.concepts import ConceptFinder
from extractors.topic.model import Topic


class BlockType(IntEnum):
    """What a block is for."""

    TITLE = 0
    CONTENT = 1
    NAVIGATION = 2
    ANCHOR = 3
    OTHER = 4


KEY_TAGS = tag_set("strong", "b", "h1", "h2", "h3", "h4", "h5", "h6", "em", "i", "a")
_TITLES = tag_set("h1", "h2")
_NAVIGATION = tag_set("nav", "header", "footer", "aside", "menu")
_KEYS, _TYPE, _AROUND = 0.4, 0.6, 0.5
"""λ0, λ1, λ2."""
_EXPERIENCE = np.array([1.0, 0.6, 0.1, 0.2, 0.15])
"""x: what a block of each type is worth."""
_MAX_LINK_SHARE = 0.6
"""Share of a block's characters in links above which the block is navigation or an anchor."""
_MIN_CONTENT_CHARS = 20
"""Visible characters from which a line is content."""


@dataclass(frozen=True, slots=True)
class TagBlocks:
    """B blocks of a page in document order; made by `tag_blocks`.

    Attributes:
        lines: the blocks as lines of text.
        kind: int8[B], `BlockType`.
        impact, weight: float64[B]; the weights sum to 1.
    """

    lines: Blocks
    kind: NDArray[np.int8]
    impact: NDArray[np.float64]
    weight: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.lines)

    def joined(self) -> tuple[str, NDArray[np.int64]]:
        """The text of all blocks, with the white space of the source and a space before each block but the first; and
        where the next of each block begins: int64[B]."""
        lines = self.lines
        if not len(lines):
            return "", np.zeros(0, np.int64)
        texts = [lines.columns.texts[chunk] for chunk in lines.chunks.tolist()]
        spaced = lines.columns.space_before[lines.chunks].copy()
        spaced[lines.start] = True
        spaces = [" " if space else "" for space in spaced.tolist()]
        length = np.fromiter(map(len, texts), np.int64, len(texts)) + spaced
        whole = "".join(chain.from_iterable(zip(spaces, texts, strict=True)))
        return whole[1:], np.cumsum(length)[lines.stop - 1]

    def texts(self) -> list[str]:
        """The text of each block."""
        whole, ends = self.joined()
        starts = [0, *ends.tolist()]
        return [whole[start : stop - 1] for start, stop in pairwise(starts)]


def tag_blocks(lines: Blocks) -> TagBlocks:
    """The blocks of a page with their types and weights."""
    kind = _block_types(lines)
    impact = _impacts(lines, kind)
    total = float(impact.sum())
    return TagBlocks(lines, kind, impact, impact / total if total else impact)


def _block_types(lines: Blocks) -> NDArray[np.int8]:
    columns, owner = lines.columns, lines.owner
    visible = lines.sums(columns.counts("visible"))
    linked = lines.sums(columns.counts("visible") * columns.linked) if len(lines) else visible
    leads = linked > _MAX_LINK_SHARE * visible
    kind = np.full(len(lines), BlockType.OTHER, dtype=np.int8)
    kind[~leads & (visible >= _MIN_CONTENT_CHARS)] = BlockType.CONTENT
    kind[leads] = BlockType.ANCHOR
    kind[leads & columns.within(_NAVIGATION[columns.tag])[owner]] = BlockType.NAVIGATION
    kind[~leads & columns.within(_TITLES[columns.tag])[owner]] = BlockType.TITLE
    return kind


def _impacts(lines: Blocks, kind: NDArray[np.int8]) -> NDArray[np.float64]:
    columns = lines.columns
    if not len(lines):
        return np.zeros(0)
    keys = lines.sums(KEY_TAGS[columns.tag][columns.owner].astype(np.int32)).astype(np.float64)
    impact = _KEYS * keys / max(1.0, float(keys.sum())) + _TYPE * _EXPERIENCE[kind]
    around = columns.parent[lines.home].clip(0)
    blocks = np.bincount(around, minlength=len(columns))[around]
    total = np.bincount(around, weights=impact, minlength=len(columns))[around]
    return np.asarray(impact + _AROUND * total / blocks)


PARTS = np.array([0.35, 0.40, 0.05, 0.10, 0.10])
"""α … ε, in the order of `BlockType`; they sum to 1."""


def no_idf(word: str) -> float:
    """The idf of every word where word frequencies are unknown: 1."""
    return 1.0


class EtflRelevance:
    """The published relevance of pages.

    Args:
        idf: of a word, from the store or a background table; a concept has that of its first word.
    """

    def __init__(self, topic: Topic, idf: Callable[[str], float] = no_idf) -> None:
        self.topic = topic
        self.finder = ConceptFinder(topic.terms)
        self._idf = np.array([idf(term.word) for term in topic.terms], dtype=np.float64)
        self._topic = self._idf * [term.weight for term in topic.terms]
        self._norm = float(np.linalg.norm(self._topic))

    def score(self, page: Document) -> float:
        """R, 0 … 1."""
        return float(PARTS @ self.parts(page))

    def parts(self, page: Document) -> NDArray[np.float64]:
        """R of each type of block: array of 5, in the order of `BlockType`."""
        blocks = tag_blocks(page.once(find_body).blocks)
        return self.parts_of(blocks, *find_on(page, blocks, self.finder))

    def parts_of(self, blocks: TagBlocks, place: NDArray[np.int64], concept: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same with the occurrences of the concepts, see `find_on`."""
        kind = np.concatenate(([BlockType.TITLE], blocks.kind))
        weight = np.concatenate(([max(blocks.weight.max(initial=0.0), 1e-9)], blocks.weight))
        concepts, column = np.unique(concept, return_inverse=True)
        cells = kind[place] * len(concepts) + column
        found = np.bincount(cells, weights=weight[place], minlength=len(PARTS) * len(concepts))
        return self._cosines(found.reshape(len(PARTS), len(concepts)), concepts)

    def _cosines(self, found: NDArray[Any], concepts: NDArray[np.int64]) -> NDArray[np.float64]:
        vectors = found * self._idf[concepts]
        norms = np.linalg.norm(vectors, axis=1) * self._norm
        return np.asarray((vectors @ self._topic[concepts]) / np.maximum(norms, 1e-12))


def find_on(page: Document, blocks: TagBlocks, finder: ConceptFinder) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The occurrences of concepts on a page: where (0: the title, from 1 on the block's number), and which."""
    title = f"{page.once(extract).title}\n"
    text, ends = blocks.joined()
    return finder.find_joined(title + text, np.concatenate(([0], ends)) + len(title))
