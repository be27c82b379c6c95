"""Concept substitution: finds a topic's concepts in a text, by any of their words.

All words of all concepts are searched for in one pass, so that 5,000 words cost little more than 50.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import numpy as np
from ahocorasick_rs import MATCHKIND_LEFTMOST_LONGEST, AhoCorasick
from numpy.typing import NDArray

from extractors.kernels import kernel
from extractors.topic.model import Term
from extractors.topic.words import folded_codes

MAX_TEXT = 200_000
"""Characters of one text that are searched."""
_MAX_WHOLE_CHARS = 1_000_000
_BREAK = "\n"


class ConceptFinder:
    """Finds the concepts of T terms.

    If words overlap, the longest counts. But a learned term does not hide the experts' terms inside it: if 卷积神经网络
    was learned, 神经网络 is found as well.

    Args:
        terms: the concepts in order; a shared word belongs to the first.
    """

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = tuple(terms)
        concept: dict[str, int] = {}
        for number, term in enumerate(self.terms):
            for word in (term.word, *term.synonyms):
                folded = _text(folded_codes(" ".join(word.split())))
                if folded:
                    concept.setdefault(folded, number)
        self._search = _search_for(concept) if concept else None

    def __len__(self) -> int:
        return len(self.terms)

    def count(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Occurrences of each concept in each text: float64[len(texts), T]."""
        place, concept = self.find(texts)
        cells = np.bincount(place * len(self) + concept, minlength=len(texts) * len(self))
        return cells.reshape(len(texts), len(self)).astype(np.float64)

    def find(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(text number, concept number) of each of the M occurrences of concepts, in order: two arrays int64[M].

        Words in Latin letters count only without an adjacent Latin letter or digit.
        """
        cut = [text[:MAX_TEXT] for text in texts]
        return self.find_joined(_BREAK.join(cut), np.cumsum([len(text) + 1 for text in cut]))

    def find_joined(self, whole: str, ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """`find` in joined texts; ends: where the next text begins. A line break of the source counts as a space."""
        if self._search is None or not whole:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        codes = np.maximum(folded_codes(f"{_BREAK}{whole[:_MAX_WHOLE_CHARS]}{_BREAK}"), ord(" "))
        return self._with_parts(*self._search.find(codes, ends))

    def _with_parts(
        self, place: NDArray[np.int64], concept: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Repeat each occurrence for every part of its concept."""
        start, parts = self._parts
        if len(parts) == len(self):
            return place, concept
        times = np.diff(start)[concept]
        own = np.repeat(np.arange(len(place)), times)
        nth = np.arange(len(own)) - np.repeat(np.cumsum(times) - times, times)
        return place[own], parts[start[concept[own]] + nth]

    @cached_property
    def _parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The parts of each concept: itself, and for a learned one the experts' concepts inside all its words. Returns where the
        parts of each concept begin, and all parts."""
        given = [number for number, term in enumerate(self.terms) if not term.dynamic]
        finder = ConceptFinder([self.terms[number] for number in given])
        parts = [
            [number, *(given[part] for part in finder._parts_of(term))] if term.dynamic else [number]
            for number, term in enumerate(self.terms)
        ]
        return np.cumsum([0, *map(len, parts)]), np.array(list(chain.from_iterable(parts)), np.int64)

    def _parts_of(self, term: Term) -> list[int]:
        words = (term.word, *term.synonyms)
        place, concept = self.find(words)
        stand = np.unique(np.stack([concept, place]), axis=1)[0]
        return np.flatnonzero(np.bincount(stand, minlength=len(self)) == len(words)).tolist()


@kernel
class WordSearch:
    """Searches texts for W words at once.

    Args:
        codes: uint32, the concatenated code points of all words. ends: int64[W], the end of each word.
        concept: int64[W], the number of each word's concept.
        closed: bool[W, 2], whether no Latin letter or digit may come before (after) the word.
        latin: bool, whether a code point is a Latin letter or digit; the last item is for all higher code points.
    """

    def __init__(
        self,
        codes: NDArray[np.uint32],
        ends: NDArray[np.int64],
        concept: NDArray[np.int64],
        closed: NDArray[np.bool_],
        latin: NDArray[np.bool_],
    ) -> None:
        words = [_text(word) for word in np.split(codes, ends[:-1])]
        self._automaton = AhoCorasick(words, matchkind=MATCHKIND_LEFTMOST_LONGEST)
        self._concept, self._closed, self._latin = concept, closed, latin

    def find(self, text: NDArray[np.uint32], ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(part, concept) of each occurrence of a word within one part of a text: two arrays int64[M].

        text: code points, with one extra before the first part and one after the last. ends: where the next part begins,
        not counting the first code point.
        """
        found = self._automaton.find_matches_as_indexes(_text(text))
        word, start, end = np.fromiter(chain.from_iterable(found), np.int64, 3 * len(found)).reshape(-1, 3).T
        last = len(self._latin) - 1
        before, after = (self._latin[np.minimum(text[place], last)] for place in (start - 1, end))
        first_part, last_part = (np.searchsorted(ends, place, side="right") for place in (start - 1, end - 2))
        closed = self._closed[word]
        kept = ~(closed[:, 0] & before) & ~(closed[:, 1] & after) & (first_part == last_part)
        return first_part[kept], self._concept[word[kept]]


def _search_for(concept: dict[str, int]) -> WordSearch:
    """The search for folded words, each with the number of its concept."""
    codes = np.frombuffer("".join(concept).encode("utf-32-le", "surrogatepass"), np.uint32)
    ends = np.cumsum([len(word) for word in concept], dtype=np.int64)
    closed = np.array([[_is_latin(word[0]), _is_latin(word[-1])] for word in concept], np.bool_)
    return WordSearch(codes, ends, np.fromiter(concept.values(), np.int64, len(concept)), closed, _LATIN)


def _text(codes: NDArray[np.uint32]) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _is_latin(character: str) -> bool:
    return character < "\u024f" and character.isalnum()


_LATIN = np.array([_is_latin(chr(code)) for code in range(0x24F)] + [False])
