"""Words that a topic might take in, from its own most relevant pages."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from extractors.topic.lexicon import WordTable, is_content_word

_LEAST_PAGES = 3
_WEIGHTS = (0.02, 1.0)
_SURE = 8.0
"""Log-odds at which a word counts like one that a person gave."""
_SENTENCE = re.compile(r"[^。！？!?\n]{1,200}")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that is proposed: its rank's score, how much it should count, on how many of the top pages it stands, and a
    sentence from one of them."""

    word: str
    score: float
    weight: float
    pages: int
    example: str


Scorer = Callable[[str, int, float], float]
"""(word, top pages with it, its mean share of a top page's words) → score."""


def propose(
    pages: Sequence[str], store: WordTable, known: frozenset[str], *, most: int = 60, published: bool = False
) -> list[Candidate]:
    """The best candidates from the texts of the L top pages, best first.

    Args:
        pages: main texts of the topic's most relevant pages.
        store: words of all pages of the store, these among them.
        known: folded words that the library has or has rejected.
        published: rank by W(e) = (0.5 + 0.5 · f(e) / f_max) · idf(e), else by √p · RSJ with p the share of top pages
            that hold the word and RSJ its relevance weight (S. Robertson and K. Sparck Jones, 1976).
    """
    top = WordTable()
    own = [top.add(text) for text in pages]
    mean: Counter[str] = Counter()
    for counts in own:
        size = max(1, counts.total())
        for word, count in counts.items():
            mean[word] += count / size  # type: ignore[assignment]  # a Counter holds any number
    highest = max(mean.values(), default=1.0)

    def rank(word: str) -> float:
        if published:
            return (0.5 + 0.5 * mean[word] / highest) * math.log(
                (store.documents + 1) / (store.document_count[word] or 1)
            )
        return math.sqrt(top.document_count[word] / len(pages)) * relevance_weight(word, top, store)

    least = min(_LEAST_PAGES, max(1, len(pages) // 3))
    words = [
        word
        for word, documents in top.document_count.items()
        if documents >= least and word not in known and is_content_word(word)
    ]
    best = sorted(words, key=lambda word: (-rank(word), word))[:most]
    return [
        Candidate(word, rank(word), _weight(word, top, store), top.document_count[word], example(word, own, pages))
        for word in best
    ]


def relevance_weight(word: str, top: WordTable, store: WordTable) -> float:
    """RSJ: log of the odds of the word on a top page over those on another page, each with a half added."""
    found, wanted = top.document_count[word], top.documents
    others = max(0, store.document_count[word] - found)
    rest = max(1, store.documents - wanted)
    odds = (found + 0.5) / (wanted - found + 0.5)
    return math.log(odds * (max(0, rest - others) + 0.5) / (others + 0.5))


def _weight(word: str, top: WordTable, store: WordTable) -> float:
    low, high = _WEIGHTS
    return round(min(high, max(low, max(0.0, relevance_weight(word, top, store) / _SURE) ** 3)), 3)


def example(word: str, counts: Sequence[Counter[str]], pages: Sequence[str]) -> str:
    """A sentence with the word from the page that has it most; "" where its form on the page is another."""
    best = max(range(len(pages)), key=lambda page: counts[page][word], default=-1)
    if best < 0:
        return ""
    text = pages[best]
    place = text.lower().find(word)
    if place < 0:
        return ""
    start = max(text.rfind(mark, max(0, place - 60), place) for mark in "。！？!?\n") + 1
    start = max(start, place - 60)
    found = _SENTENCE.match(text, start)
    return found.group()[:120].strip() if found else ""
