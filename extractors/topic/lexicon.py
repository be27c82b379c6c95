"""A table of a corpus' content words, those that tell it from other texts on top."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from extractors.topic import background
from extractors.topic.words import fold, segment, tag

_FUNCTION_WORDS = frozenset("dpcueoyrmqxfwkht")
"""First letters of parts of speech that make no term: adverbs, prepositions, conjunctions, particles, interjections,
onomatopoeia, modals, pronouns, numbers, measures, signs, directions, affixes, times."""
_FOREIGN = "eng"
"""Words in other letters than Chinese ones, of which the part of speech is not known."""
_EVERYWHERE = 5e-4
"""Share of all words of its language from which a foreign word says nothing: "and", "which", "will"."""
_LONGEST = 30
_PRIOR = 1_000.0
"""Words of the background that each corpus is smoothed with (α₀)."""


@dataclass(frozen=True, slots=True)
class Word:
    """A content word of a corpus: how often it stands there, in how many documents, and how far it tells the corpus from
    general text (a z score)."""

    word: str
    count: int
    documents: int
    keyness: float


@dataclass(slots=True)
class WordTable:
    """Counts of the words of documents that are added one by one; of more than `most` words the rare are forgotten."""

    most: int = 1_000_000
    documents: int = 0
    count: Counter[str] = field(default_factory=Counter)
    document_count: Counter[str] = field(default_factory=Counter)

    def add(self, text: str) -> Counter[str]:
        """Count a document's content words; returns its own counts."""
        own = Counter(word for word in segment(fold(text)) if is_candidate(word))
        self.documents += 1
        self.count.update(own)
        self.document_count.update(own.keys())
        if len(self.document_count) > self.most:
            self._forget_rare()
        return own

    def _forget_rare(self) -> None:
        """The words of one document go, then those of two …, until a quarter of the room is free."""
        least = 1
        while len(self.document_count) > self.most * 3 / 4:
            least += 1
            rare = [word for word, documents in self.document_count.items() if documents < least]
            for word in rare:
                del self.document_count[word], self.count[word]

    def words(self, share: Callable[[str], float], *, least: int = 3) -> list[Word]:
        """The content words that stand in at least so many documents, by falling keyness against a background.

        Keyness is the log-odds of the word with an informative Dirichlet prior over its deviation (B. Monroe, M. Colaresi
        and K. Quinn, "Fightin' Words", 2008), the prior being the background's shares.
        """
        total = sum(self.count.values())
        return sorted(
            (
                Word(word, self.count[word], documents, _keyness(self.count[word], total, share(word)))
                for word, documents in self.document_count.items()
                if documents >= least and is_content_word(word)
            ),
            key=lambda row: (-row.keyness, row.word),
        )


def _keyness(count: int, total: int, share: float) -> float:
    prior = max(_PRIOR * share, 0.01)
    odds = math.log((count + prior) / (total + _PRIOR - count - prior))
    general = math.log(share / (1 - share))
    return (odds - general) / math.sqrt(1 / (count + prior) + 1 / prior)


@lru_cache(maxsize=200_000)
def is_candidate(word: str) -> bool:
    """Whether a word may be a term by its form: two characters or more, a letter among them, not too long."""
    return 1 < len(word) <= _LONGEST and not word.isnumeric() and any(character.isalpha() for character in word)


@lru_cache(maxsize=200_000)
def is_content_word(word: str) -> bool:
    """Whether a word's part of speech is that of content: nouns, verbs, adjectives, foreign words that are not everywhere."""
    return all(_is_told(whole) if part == _FOREIGN else part[:1] not in _FUNCTION_WORDS for whole, part in tag(word))


def _is_told(foreign: str) -> bool:
    return background.share(foreign) < _EVERYWHERE


def build(texts: Iterable[str]) -> WordTable:
    """The table of these documents."""
    table = WordTable()
    for text in texts:
        table.add(text)
    return table
