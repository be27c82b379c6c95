"""The published relevance `etfl`: a page as tag blocks (see `extractors.topic.tag_blocks`), and

    R = α·R_title + β·R_content + γ·R_navigation + δ·R_anchor + ε·R_other

Each part is the cosine between the concepts of the page's blocks of that type and the topic; a concept's weight on the page
is Σ_i tf_i · weight_i over those blocks, times its idf, and in the topic its own weight times its idf.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.topic.concepts import ConceptFinder
from extractors.topic.model import Topic
from extractors.topic.page_text import PageText, page_text
from extractors.topic.tag_blocks import BlockType

PARTS = np.array([0.35, 0.40, 0.05, 0.10, 0.10])
"""α … ε, in the order of `BlockType`; they sum to 1."""


def no_idf(word: str) -> float:
    """The idf of every word without word frequencies: 1."""
    return 1.0


class EtflRelevance:
    """The published relevance of pages.

    Args:
        idf: of a word, from the store or a background table; a concept has the idf of its first word.
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
        text = page.once(page_text)
        return self.parts_of(text, *text.find(self.finder))

    def parts_of(self, text: PageText, place: NDArray[np.int64], concept: NDArray[np.int64]) -> NDArray[np.float64]:
        """`parts` by the occurrences of the concepts, see `PageText.find`."""
        kind = np.concatenate(([BlockType.TITLE], text.kind))
        weight = np.concatenate(([max(text.weight.max(initial=0.0), 1e-9)], text.weight))
        concepts, column = np.unique(concept, return_inverse=True)
        cells = kind[place] * len(concepts) + column
        found = np.bincount(cells, weights=weight[place], minlength=len(PARTS) * len(concepts))
        return self._cosines(found.reshape(len(PARTS), len(concepts)), concepts)

    def _cosines(self, found: NDArray[Any], concepts: NDArray[np.int64]) -> NDArray[np.float64]:
        vectors = found * self._idf[concepts]
        norms = np.linalg.norm(vectors, axis=1) * self._norm
        return np.asarray((vectors @ self._topic[concepts]) / np.maximum(norms, 1e-12))
