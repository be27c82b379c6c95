"""Concept substitution: where in a text a topic's concepts stand, by whichever of their words.

All words of all concepts are looked for in one pass, of machine code where it was built and else of an automaton, so that
five thousand cost little more than fifty.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from ahocorasick_rs import MATCHKIND_LEFTMOST_LONGEST, AhoCorasick
from numpy.typing import NDArray

from extractors.kernels import native
from extractors.topic.model import Term
from extractors.topic.words import folded_codes

MAX_TEXT = 200_000
"""Characters of one text that are looked through."""
_MAX_WHOLE = 1_000_000
_BREAK = "\n"


class ConceptFinder:
    """Finds the concepts of T terms.

    Where words overlap, the longest counts; but where a learned term stands, the experts' terms that are a part of it stand
    as well: to learn 卷积神经网络 must not hide 神经网络.

    Args:
        terms: the concepts in order; of a word that several have, the first gets it.
    """

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = tuple(terms)
        concept: dict[str, int] = {}
        for number, term in enumerate(self.terms):
            for word in (term.word, *term.synonyms):
                folded = _text(folded_codes(" ".join(word.split())))
                if folded:
                    concept.setdefault(folded, number)
        self._words = list(concept)
        self._concept = np.fromiter(concept.values(), np.int64, len(concept))
        closed = [[_is_latin(word[0]), _is_latin(word[-1])] for word in self._words]
        self._closed = np.array(closed, np.bool_).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self.terms)

    def count(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """How often each concept stands in each text: array of shape (len(texts), T)."""
        place, concept = self.find(texts)
        cells = np.bincount(place * len(self) + concept, minlength=len(texts) * len(self))
        return cells.reshape(len(texts), len(self)).astype(np.float64)

    def find(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(text number, concept number) of each of the M places where a concept stands, in order: two arrays of M.

        Words in Latin letters count only where no such letter or digit stands beside them.
        """
        cut = [text[:MAX_TEXT] for text in texts]
        return self.find_joined(_BREAK.join(cut), np.cumsum([len(text) + 1 for text in cut]))

    def find_joined(self, whole: str, ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same in texts that stand in one already; `ends` tells where the next of each begins. A break of the source's
        lines is a space."""
        if not self._words or not whole:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        codes = np.maximum(folded_codes(f"{_BREAK}{whole[:_MAX_WHOLE]}{_BREAK}"), ord(" "))
        place, concept = self._compiled.find(codes, ends) if native() else self._find_by_automaton(codes, ends)
        return self._with_parts(place, concept)

    def _with_parts(
        self, place: NDArray[np.int64], concept: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Each place once more for every part of the concept that stands there."""
        start, parts = self._parts
        if len(parts) == len(self):
            return place, concept
        times = np.diff(start)[concept]
        own = np.repeat(np.arange(len(place)), times)
        nth = np.arange(len(own)) - np.repeat(np.cumsum(times) - times, times)
        return place[own], parts[start[concept[own]] + nth]

    @cached_property
    def _parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Of each concept itself, and of a learned one also the experts' concepts that are part of all its words: where
        those of each begin, and all of them."""
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

    def _find_by_automaton(
        self, codes: NDArray[np.uint32], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        found = self._automaton.find_matches_as_indexes(_text(codes))
        word, start, end = np.fromiter(chain.from_iterable(found), np.int64, 3 * len(found)).reshape(-1, 3).T
        before, after = _LATIN[np.minimum(codes[start - 1], 0x24F)], _LATIN[np.minimum(codes[end], 0x24F)]
        first, last = (np.searchsorted(ends, place, side="right") for place in (start - 1, end - 2))
        keep = ~(self._closed[word, 0] & before) & ~(self._closed[word, 1] & after) & (first == last)
        return first[keep], self._concept[word[keep]]

    @cached_property
    def _automaton(self) -> AhoCorasick:
        return AhoCorasick(self._words, matchkind=MATCHKIND_LEFTMOST_LONGEST)

    @cached_property
    def _compiled(self) -> Any:
        codes = np.frombuffer("".join(self._words).encode("utf-32-le", "surrogatepass"), np.uint32)
        ends = np.cumsum([len(word) for word in self._words], dtype=np.int64)
        return native().Words(codes, ends, self._concept, self._closed.view(np.uint8), _LATIN.view(np.uint8))


def _text(codes: NDArray[np.uint32]) -> str:
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _is_latin(character: str) -> bool:
    return character < "\u024f" and character.isalnum()


_LATIN = np.array([_is_latin(chr(code)) for code in range(0x24F)] + [False])
