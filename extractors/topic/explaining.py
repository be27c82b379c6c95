"""A page's relevance told block by block."""

from dataclasses import dataclass

import numpy as np

from extractors.article.body import find_body
from extractors.html.document import Document
from extractors.topic.blocks import BlockType, TagBlocks
from extractors.topic.relevance import Relevance


@dataclass(frozen=True, slots=True)
class BlockFinding:
    """A block in which concepts stand: what it is for, its weight on the page, the concepts' words, how it begins."""

    kind: BlockType
    weight: float
    words: tuple[str, ...]
    beginning: str


def findings(page: Document, relevance: Relevance, most: int = 20) -> list[BlockFinding]:
    """The blocks in which the topic's concepts stand, those first in which weight and number of concepts are greatest."""
    blocks = TagBlocks(page.columns, page.once(find_body).blocks)
    texts = blocks.texts()
    place, concept = relevance.finder.find(texts)
    count = np.bincount(place, minlength=len(texts))
    order = np.argsort(-(count * blocks.weight), kind="stable")[:most]
    terms = relevance.finder.terms
    return [
        BlockFinding(
            BlockType(int(blocks.kind[block])),
            float(blocks.weight[block]),
            tuple(dict.fromkeys(terms[number].word for number in concept[place == block].tolist())),
            " ".join(texts[block][:200].split())[:80],
        )
        for block in order.tolist()
        if count[block]
    ]
