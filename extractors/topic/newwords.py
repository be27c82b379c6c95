"""New words: pieces that the segmenter separates although they usually occur together.

Two or three pieces x y (z) are a word if they occur together far more often than by chance, and if their neighbours on
both sides vary:

    MI = min over the cuts of log(p(xy) / (p(x) · p(y))),   H_left, H_right = −Σ p(n) · log p(n) over the neighbours n
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.topic.lexicon import is_content_word
from extractors.topic.words import fold, shared_segmenter

_MAX_WORD_CHARS = 8
_BREAK = 0
_FIELD = 21
"""Bits for the number of a piece, so that three fit into 63."""


@dataclass(frozen=True, slots=True)
class NewWord:
    """A string that behaves like a word: occurrences, mutual information, the smaller of its two entropies."""

    word: str
    count: int
    information: float
    entropy: float


def find_new_words(
    texts: Iterable[str], *, least: int = 5, information: float = 3.0, entropy: float = 1.0, most: int = 500
) -> list[NewWord]:
    """New words of these texts, by falling count · information.

    Args:
        least: minimum of occurrences.
        information, entropy: minima in nats.
    """
    pieces, names = _numbered(texts)
    if len(pieces) < 4:
        return []
    single = np.bincount(pieces, minlength=len(names))
    inside = np.array([name != "" and is_content_word(name) for name in names])
    found = [
        word
        for size in (2, 3)
        for word in _runs(pieces, names, inside, single, size, least)
        if word.information >= information and word.entropy >= entropy
    ]
    best = sorted(found, key=lambda word: (-word.count * word.information, word.word))[: 2 * most]
    return _longest_only(best)[:most]


def _numbered(texts: Iterable[str]) -> tuple[NDArray[np.int64], list[str]]:
    numbers: dict[str, int] = {"": _BREAK}
    pieces: list[int] = [_BREAK]
    segmenter = shared_segmenter()
    for text in texts:
        for piece in segmenter.pieces(fold(text)):
            usable = piece.isalpha() and not piece.isascii() and len(numbers) < 2**_FIELD - 1
            pieces.append(numbers.setdefault(piece, len(numbers)) if usable else _BREAK)
        pieces.append(_BREAK)
    return np.array(pieces, dtype=np.int64), list(numbers)


def _runs(
    pieces: NDArray[np.int64],
    names: Sequence[str],
    inside: NDArray[np.bool_],
    single: NDArray[np.int64],
    size: int,
    least: int,
) -> list[NewWord]:
    spans = [pieces[part : len(pieces) - size + part + 1] for part in range(size)]
    whole = np.all([inside[span] for span in spans], axis=0).nonzero()[0]
    code = np.zeros(len(whole), dtype=np.int64)
    for span in spans:
        code = code << _FIELD | span[whole]
    codes, first, member, count = np.unique(code, return_index=True, return_inverse=True, return_counts=True)
    frequent = np.flatnonzero(count >= least)
    if not len(frequent):
        return []
    information = _information(pieces, single, codes[frequent], count[frequent], size)
    left = _entropies(member, pieces[whole - 1], len(codes))[frequent]
    right = _entropies(member, np.append(pieces, _BREAK)[whole + size], len(codes))[frequent]
    words = [
        "".join(names[piece] for piece in pieces[start : start + size]) for start in whole[first[frequent]].tolist()
    ]
    rows = zip(words, count[frequent].tolist(), information.tolist(), np.minimum(left, right).tolist(), strict=True)
    return [NewWord(*row) for row in rows if len(row[0]) <= _MAX_WORD_CHARS]


def _information(
    pieces: NDArray[np.int64], single: NDArray[np.int64], codes: NDArray[np.int64], count: NDArray[np.int64], size: int
) -> NDArray[np.float64]:
    """The minimum information over the cuts; three pieces are cut into one and two."""
    total = float(len(pieces))
    parts = [(codes >> (_FIELD * (size - 1 - part))) & (2**_FIELD - 1) for part in range(size)]
    if size == 2:
        return np.asarray(np.log(count * total / (single[parts[0]] * single[parts[1]])))
    pairs, often = np.unique(pieces[:-1] << _FIELD | pieces[1:], return_counts=True)
    head = often[np.searchsorted(pairs, parts[0] << _FIELD | parts[1])]
    tail = often[np.searchsorted(pairs, parts[1] << _FIELD | parts[2])]
    return np.asarray(
        np.minimum(np.log(count * total / (head * single[parts[2]])), np.log(count * total / (single[parts[0]] * tail)))
    )


def _entropies(member: NDArray[np.intp], neighbour: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """The entropy of each run's neighbours on one side; each break counts as a different neighbour."""
    edges = neighbour == _BREAK
    kind = np.where(edges, -1 - np.arange(len(neighbour)), neighbour)
    order = np.lexsort((kind, member))
    run, beside = member[order], kind[order]
    starts = np.flatnonzero(np.append(True, (np.diff(run) != 0) | (np.diff(beside) != 0)))
    count = np.diff(np.append(starts, len(run))).astype(np.float64)
    owner = run[starts]
    total = np.bincount(owner, weights=count, minlength=size)
    share = count / total[owner]
    return np.asarray(np.bincount(owner, weights=-share * np.log(share), minlength=size), dtype=np.float64)


def _longest_only(words: Sequence[NewWord]) -> list[NewWord]:
    """The words without those that rarely occur outside a longer one."""
    kept: list[NewWord] = []
    for word in sorted(words, key=lambda word: -len(word.word)):
        if not any(word.word in longer.word and word.count < 1.5 * longer.count for longer in kept):
            kept.append(word)
    chosen = set(kept)
    return [word for word in words if word in chosen]
