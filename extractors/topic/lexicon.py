"""The content words of a corpus, ranked by keyness; general frequencies of words."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from extractors.topic.words import fold, segment, tag

_FUNCTION_WORDS = frozenset("dpcueoyrmqxfwkht")
"""First letters of parts of speech that cannot be terms: adverbs, prepositions, conjunctions, particles, interjections,
onomatopoeia, modals, pronouns, numbers, measures, signs, directions, affixes, times."""
_FOREIGN = "eng"
"""Words in non-Chinese letters, whose part of speech is unknown."""
_MAX_FOREIGN_SHARE = 5e-4
"""Share of all words of its language above which a foreign word is a function word: "and", "which", "will"."""
_MAX_WORD_CHARS = 30
_PRIOR = 1_000.0
"""Words of the background with which each corpus is smoothed (α₀)."""
_MIN_BACKGROUND_SHARE = 1e-8
"""Share of a word outside the lists: one in a hundred million."""
_HAN = ("\u3400", "\u9fff")


@dataclass(frozen=True, slots=True)
class LexiconWord:
    """A content word of a corpus: its occurrences, the documents with it, and its keyness: a z score of its frequency
    relative to general text."""

    word: str
    count: int
    documents: int
    keyness: float


@dataclass(slots=True)
class WordTable:
    """Counts of the words of documents added one by one; beyond `most` words the rare ones are dropped."""

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
        """Drop words in one document, then in two …, until a quarter of the table is free."""
        least = 1
        while len(self.document_count) > self.most * 3 / 4:
            least += 1
            rare = [word for word, documents in self.document_count.items() if documents < least]
            for word in rare:
                del self.document_count[word], self.count[word]

    def words(self, share: Callable[[str], float], *, least: int = 3) -> list[LexiconWord]:
        """The content words in at least `least` documents, by falling keyness against a background.

        Keyness is the log-odds of the word with an informative Dirichlet prior over its deviation (B. Monroe, M. Colaresi
        and K. Quinn, "Fightin' Words", 2008), the prior being the background's shares.
        """
        total = sum(self.count.values())
        return sorted(
            (
                LexiconWord(word, self.count[word], documents, _keyness(self.count[word], total, share(word)))
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
    """Whether a word has the form of a term: at least two characters, one of them a letter, and not too long."""
    return 1 < len(word) <= _MAX_WORD_CHARS and not word.isnumeric() and any(character.isalpha() for character in word)


@lru_cache(maxsize=200_000)
def is_content_word(word: str) -> bool:
    """Whether a word is a noun, a verb, an adjective, or a foreign word that is not a function word."""
    return all(
        background_share(whole) < _MAX_FOREIGN_SHARE if part == _FOREIGN else part[:1] not in _FUNCTION_WORDS
        for whole, part in tag(word)
    )


def build(texts: Iterable[str]) -> WordTable:
    """The table of these documents."""
    table = WordTable()
    for text in texts:
        table.add(text)
    return table


def background_share(word: str) -> float:
    """The share of a word among all words of its language, by the lists of the package wordfreq."""
    return max(_MIN_BACKGROUND_SHARE, word_share(word, "zh" if _is_han(fold(word)) else "en"))


def word_share(word: str, language: str) -> float:
    """The share of a word in texts of a language ("zh" or "en"), 0 if its list lacks the word."""
    return _frequencies(language).get(fold(word), 0.0)


def background_idf(word: str) -> float:
    """Inverse document frequency of a word by its share, for documents of a thousand words: log(1 / (1 − (1 − s)¹⁰⁰⁰))."""
    return -math.log(-math.expm1(1000 * math.log1p(-background_share(word))))


@cache
def _frequencies(language: str) -> dict[str, float]:
    from wordfreq import get_frequency_dict  # loading is slow and rarely needed

    return dict(get_frequency_dict(language))


def _is_han(word: str) -> bool:
    return any(_HAN[0] <= character <= _HAN[1] for character in word)
