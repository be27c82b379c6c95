"""Candidate terms for a topic, from its most relevant pages."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from extractors.topic.lexicon import WordTable, is_content_word
from extractors.topic.words import fold

_MIN_PAGES = 3
_MIN_WEIGHT, _MAX_WEIGHT = 0.02, 1.0
_FULL_WEIGHT_ODDS = 8.0
"""Log odds above which a word counts like an expert's; below, its weight falls steeply."""
_STEEPNESS = 2.2
_SENTENCE = re.compile(r"[^。！？!?\n]{1,200}")


@dataclass(frozen=True, slots=True)
class TermCandidate:
    """A proposed word.

    Attributes:
        score: the ranking score. weight: the suggested weight of the term.
        pages: the number of examined pages with it. example: a sentence with it.
        because: its origin.
    """

    word: str
    score: float
    weight: float
    pages: int
    example: str
    because: str = ""


class Ranking:
    """Ranks words by their relation to the topic, by its best pages.

    Args:
        pages: main texts of the topic's L most relevant pages, by which words are ranked.
        store: words of all pages of the store, including these.
        weighed: words of more relevant pages, including these, for the weights: a few pages are not enough for a weight.
            By default the L pages.
        published: rank by W(e) = (0.5 + 0.5 · f(e) / f_max) · idf(e), f the word's mean share of a page's words; else by
            √p · RSJ with p the share of top pages that hold the word and RSJ its relevance weight (S. Robertson and
            K. Sparck Jones, 1976).
    """

    def __init__(
        self, pages: Sequence[str], store: WordTable, weighed: WordTable | None = None, *, published: bool = False
    ) -> None:
        self._pages = pages
        self._store = store
        self.top = WordTable()
        self._own = [self.top.add(text) for text in pages]
        self._weighed = weighed if weighed is not None and weighed.documents else self.top
        self._score = self._augmented if published else self._telling
        self._share = _mean_shares(self._own) if published else {}
        self._highest = max(self._share.values(), default=1.0)

    def candidate(self, word: str, because: str = "") -> TermCandidate:
        """The word as a candidate."""
        return TermCandidate(
            word,
            self._score(word) if self._pages else 0.0,
            self._weight(word),
            self.top.document_count[word],
            self._example(word),
            because,
        )

    def best(self, words: Iterable[str], most: int) -> list[TermCandidate]:
        """The best content words among these that are on enough pages, best first."""
        least = min(_MIN_PAGES, max(1, len(self._pages) // 3))
        kept = [word for word in words if self.top.document_count[word] >= least and is_content_word(word)]
        return [self.candidate(word) for word in sorted(kept, key=lambda word: (-self._score(word), word))[:most]]

    def _augmented(self, word: str) -> float:
        idf = math.log((self._store.documents + 1) / (self._store.document_count[word] or 1))
        return (0.5 + 0.5 * self._share.get(word, 0.0) / self._highest) * idf

    def _telling(self, word: str) -> float:
        share = self.top.document_count[word] / len(self._pages)
        return math.sqrt(share) * relevance_weight(word, self.top, self._store)

    def _weight(self, word: str) -> float:
        odds = max(0.0, relevance_weight(word, self._weighed, self._store))
        return round(min(_MAX_WEIGHT, max(_MIN_WEIGHT, math.pow(odds / _FULL_WEIGHT_ODDS, _STEEPNESS))), 3)

    def _example(self, word: str) -> str:
        """A sentence with the word from the page with most occurrences; "" if the page has another form of it."""
        best = max(range(len(self._pages)), key=lambda page: self._own[page][word], default=-1)
        return sentence_with(word, self._pages[best]) if best >= 0 else ""


def _mean_shares(own: Sequence[Counter[str]]) -> dict[str, float]:
    mean: defaultdict[str, float] = defaultdict(float)
    for counts in own:
        size = max(1, counts.total())
        for word, count in counts.items():
            mean[word] += count / size
    return mean


def propose(
    pages: Sequence[str], store: WordTable, known: frozenset[str], *, most: int = 60, published: bool = False
) -> list[TermCandidate]:
    """The best candidates from the texts of the L top pages, best first; see `Ranking`.

    Args:
        known: folded words to leave out.
    """
    ranking = Ranking(pages, store, published=published)
    return ranking.best(ranking.top.document_count.keys() - known, most)


def relevance_weight(word: str, top: WordTable, store: WordTable) -> float:
    """RSJ: the log of the odds of the word on a top page over the odds on another page, each smoothed by one half."""
    found, wanted = top.document_count[word], top.documents
    others = max(0, store.document_count[word] - found)
    rest = max(1, store.documents - wanted)
    odds = (found + 0.5) / (wanted - found + 0.5)
    return math.log(odds * (max(0, rest - others) + 0.5) / (others + 0.5))


def sentence_with(word: str, text: str) -> str:
    """The first sentence with the folded word, cut to 120 characters around it; "" without one."""
    place = fold(text).find(word)
    if place < 0:
        return ""
    start = max(text.rfind(mark, max(0, place - 60), place) for mark in "。！？!?\n") + 1
    start = max(start, place - 60)
    found = _SENTENCE.match(text, start)
    return " ".join(found.group()[:120].split()) if found else ""
