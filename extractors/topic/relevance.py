"""The relevance of a page to a topic: the default method.

The words of the page and those of the topic are two distributions over concepts; their similarity is the Bhattacharyya
coefficient

    BC = Σ_c √(p_c · q_c),   p_c = (tf_c + τ · title_c) / (n + κ),   q_c = w_c² / Σ w²

with tf_c the count of concept c in the main text, title_c that in the title, n the visible characters of both and w_c the
term's weight (A. Bhattacharyya, 1943). Because of the root, one repeated word is not enough, and pages with many of the
topic's terms come first. The text around the main text characterises the site: the published relevance R of the
experts' terms over all tag blocks is added with a small weight.

    evidence e = (BC_all + c·R)^η · (BC_given + c·R)^(1−η),   lead = e / (e + b)

BC_given is the sum over the experts' concepts only: learned words raise the relevance of a page with experts' words, but
never make a page relevant by themselves. A page with a lead of at least 0.5 leads to the topic. Learned words give every
page more evidence, so b and c grow with their share s of Σ w²: b = b_0 (1 + √s), c = c_0 (1 + √s).

The probability that the page is of the topic is computed in `extractors.topic.probability`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.topic.concepts import MAX_TEXT, ConceptFinder
from extractors.topic.etfl import PARTS, EtflRelevance
from extractors.topic.example_model import ExampleModel, vector
from extractors.topic.model import Term, TermClass, Topic
from extractors.topic.page_text import PageText, page_text
from extractors.topic.probability import NO_SIGNS, RelevanceSigns, probability
from extractors.topic.tag_blocks import BlockType
from extractors.topic.words import has_han

_TITLE_WEIGHT = 8.0
"""τ: words in the text equivalent to one word in the title."""
_ADDED_CHARS = 300.0
"""κ: characters added to every page, so that one word does not make a short page relevant."""
_HALF_EVIDENCE = 0.0105
"""b_0: the evidence for a relevance of one half, without learned words."""
_LEARNED_WEIGHT = 0.95
"""η: the weight of learned words."""
_CONTEXT_WEIGHT = 0.005
"""c_0."""
_STRONG_SCORE = 0.75
"""Minimum relevance of a page from which new terms are learned: on held-out topics, nine of ten such pages are of the topic."""
_LINK_LENGTH = 20.0
_USUAL_TERMS = 10
"""Terms of a topic below which each found concept counts for more than one."""
_MIN_HAN_SHARE = 0.5
"""Share of the concepts with Chinese words only from which tags without Chinese characters are in other letters."""
_MIN_TITLE_CHARS = 4
"""Minimum length of a title in the share that words cover: one word alone is not a title."""


@dataclass(frozen=True, slots=True)
class TermHits:
    """A concept on a page: its word and class, its occurrences in title and text, and its share of the relevance."""

    word: str
    term_class: TermClass
    in_title: int
    in_text: int
    share: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a page is of the topic, and the most important concepts, by falling share.

    Attributes:
        score: the probability that it is; relevant: the page is kept; strong: new terms are learned from it.
        lead: the topical score of its text, 0 … 1, by which links are followed.
        signs: the components of the probability.
        may_be_article: False for lists and pages about a site, which are never kept.
    """

    score: float
    relevant: bool
    strong: bool
    found: tuple[TermHits, ...] = ()
    lead: float = 0.0
    signs: RelevanceSigns = NO_SIGNS
    may_be_article: bool = True

    def with_examples(self, logit: float) -> float:
        """The probability with this logit by examples."""
        return probability(self.signs.with_examples(logit))

    def reason(self, most: int = 5) -> str:
        """The most important concepts in one line."""
        concepts = [
            f"{concept.word}×{concept.in_title + concept.in_text}{'*' if concept.in_title else ''}"
            for concept in self.found[:most]
        ]
        said = f"{self.score:.2f}: {' '.join(concepts) or 'none of the terms'}"
        return said if self.may_be_article else f"{said}; a list or a page about its site"


class Relevance:
    """The relevance of pages and links for one topic.

    Args:
        examples: the classifier learned from pages that people have marked.
    """

    def __init__(self, topic: Topic, examples: ExampleModel | None = None) -> None:
        self.topic = topic
        self.examples = examples
        self.finder = ConceptFinder(topic.terms)
        static = tuple(term for term in topic.terms if not term.dynamic)
        self._published = EtflRelevance(replace(topic, terms=static or topic.terms))
        counted = np.array([not term.dynamic or not static for term in topic.terms], dtype=np.bool_)
        self._place_in_published = np.where(counted, np.cumsum(counted) - 1, -1)
        weights = np.array([term.weight for term in self.finder.terms], dtype=np.float64)
        norm = float(np.sqrt(np.square(weights).sum()))
        self._weights = weights / norm if norm else weights
        self._given = np.array([not term.dynamic for term in self.finder.terms], dtype=np.bool_)
        words = list(dict.fromkeys(word for term in topic.terms for word in (term.word, *term.synonyms)))
        self._names = ConceptFinder([Term(word) for word in words])
        self._length = np.array([len(word) for word in words], dtype=np.float64)
        in_han = [all(map(has_han, (term.word, *term.synonyms))) for term in self.finder.terms]
        self._in_han = sum(in_han) >= _MIN_HAN_SHARE * len(in_han)
        self._breadth = max(1.0, _USUAL_TERMS / max(1, len(self.finder.terms)))
        learned = float(np.linalg.norm(self._weights[~self._given]))
        self._middle = _HALF_EVIDENCE * (1 + learned)
        self._context = _CONTEXT_WEIGHT * (1 + learned)

    def judge(self, page: Document, most: int = 10) -> Judgement:
        """Judge a page by title and main text, and with a small weight by its other text; names at most `most` concepts."""
        text = page.once(page_text)
        place, concept = text.find(self.finder)
        published = self._place_in_published[concept]
        parts = self._published.parts_of(text, place[published >= 0], published[published >= 0])
        part = np.concatenate(([0], np.where(text.main, 1, 2)))[place]
        main = part < 2
        counts = _BlockCounts(part[main], concept[main], text.length, self._context * float(PARTS @ parts))
        return self._judgement(counts, most, text.title, text.tags, text.may_be_article, self._by_examples(text))

    def _by_examples(self, text: PageText) -> float | None:
        return None if self.examples is None else self.examples.logit(vector(text))

    def judge_text(self, title: str, text: str, most: int = 10) -> Judgement:
        """Judge a title and a text only."""
        place, concept = self.finder.find([title, text])
        return self._judgement(_BlockCounts(place, concept, len(title) + min(len(text), MAX_TEXT), 0.0), most, title)

    def _judgement(
        self,
        counts: "_BlockCounts",
        most: int,
        title: str,
        tags: Sequence[str] = (),
        may_be_article: bool = True,
        examples: float | None = None,
    ) -> Judgement:
        """The judgement by occurrences of concepts in the title (0) and in the text (1)."""
        concepts, where = np.unique(counts.concept, return_inverse=True)
        in_title = np.bincount(where[counts.place == 0], minlength=len(concepts))
        in_text = np.bincount(where[counts.place == 1], minlength=len(concepts))
        parts = np.sqrt((in_text + _TITLE_WEIGHT * in_title) / (counts.length + _ADDED_CHARS)) * self._weights[concepts]
        coefficient = float(parts.sum())
        given = float(parts[self._given[concepts]].sum())
        evidence = (coefficient + counts.context) ** _LEARNED_WEIGHT * (given + counts.context) ** (1 - _LEARNED_WEIGHT)
        lead = evidence / (evidence + self._middle)
        signs = self._signs(lead, float(np.count_nonzero(in_text)) * self._breadth, title, tags)
        alone = self.examples is not None and self.examples.alone
        signs = replace(signs, examples=examples, terms=bool(self.topic.terms) and not alone)
        score = probability(signs)
        lead = lead if self.topic.terms else score
        first = np.argsort(-parts, kind="stable")[:most]
        first = first[parts[first] > 0]
        columns = (column[first].tolist() for column in (concepts, in_title, in_text, parts / (coefficient or 1)))
        found = tuple(starmap(self._found, zip(*columns, strict=True)))
        relevant = may_be_article and score >= self.topic.threshold
        strong = relevant and score >= _STRONG_SCORE
        return Judgement(score, relevant, strong, found, lead, signs, may_be_article)

    def _signs(self, lead: float, concepts: float, title: str, tags: Sequence[str]) -> RelevanceSigns:
        names = [title, *tags]
        place, word = self._names.find(names)
        covered = np.bincount(place, weights=self._length[word], minlength=len(names)).tolist()
        shares = [min(1.0, own / max(1, len(tag))) for own, tag in zip(covered[1:], tags, strict=True)]
        in_title = min(1.0, covered[0] / max(_MIN_TITLE_CHARS, len(title)))
        tag = max(shares, default=0.0)
        foreign = not tag and self._in_han and bool(tags) and not any(map(has_han, tags))
        return RelevanceSigns(lead, concepts, in_title, tag, bool(tags), foreign)

    def _found(self, concept: int, in_title: int, in_text: int, share: float) -> TermHits:
        term = self.finder.terms[concept]
        return TermHits(term.word, term.term_class, in_title, in_text, share)

    def score_texts(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The relevance, 0 … 1, of each short text (an anchor, words of a URL), in one pass over all of them."""
        place, concept = self.finder.find(texts)
        mass = np.bincount(place, weights=np.square(self._weights[concept]), minlength=len(texts))
        length = np.array([len(text) for text in texts], dtype=np.float64)
        coefficient = np.sqrt(mass) / np.sqrt(length + _LINK_LENGTH) if len(texts) else np.zeros(0)
        return np.asarray(coefficient / (coefficient + _HALF_EVIDENCE))


@dataclass(frozen=True, slots=True)
class _BlockCounts:
    """Occurrences of concepts in title (place 0) and main text (1), the characters of both, and the relevance of the context."""

    place: NDArray[np.int64]
    concept: NDArray[np.int64]
    length: int
    context: float


@dataclass(frozen=True, slots=True)
class BlockFinding:
    """A block with concepts: its type, its weight on the page, the concepts' words, its beginning."""

    kind: BlockType
    weight: float
    words: tuple[str, ...]
    beginning: str


def findings(page: Document, relevance: Relevance, most: int = 20) -> list[BlockFinding]:
    """The blocks with the topic's concepts, by falling product of weight and number of concepts."""
    blocks = page.once(page_text)
    texts = blocks.blocks()
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
