"""Scores of documents: BM25 with exact lengths, and higher for late pages."""

import numpy as np
from numpy.typing import NDArray

FRESH_SHARE, FRESH_SECONDS = 0.25, 30.0 * 86_400
"""The score of a page of this moment is raised by this share, and after this time by half of it."""
K1, B = 1.2, 0.6
_TANTIVY_B = 0.75
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def fresh(scores: Floats, seconds: Integers, now: float) -> Floats:
    """Scores at the time `now`, raised for late pages; seconds since 1970, -1 if unknown."""
    age = np.maximum(0.0, now - seconds)
    return scores * (1.0 + FRESH_SHARE * np.where(seconds < 0, 0.0, np.exp2(-age / FRESH_SECONDS)))


def with_exact_lengths(scores: Floats, lengths: Floats, kept: Floats, limit: float) -> Floats:
    """BM25 scores of tantivy, as with the exact lengths of documents and with `B`.

    tantivy fixes b, and keeps a length with four significant bits. How often a document has the terms is read off its score: of one
    term exactly, of several as if it had each as often.

    Args:
        lengths: by their mean; kept: what tantivy keeps, by its mean.
        limit: the score of a document that has all terms endlessly often.
    """
    there = K1 * (1.0 - _TANTIVY_B + _TANTIVY_B * kept)
    exact = K1 * (1.0 - B + B * lengths)
    share = np.minimum(scores / max(limit, 1e-9), 0.999)
    often = there * share / (1.0 - share)
    return np.asarray(scores * (often + there) / (often + exact))


def as_kept(lengths: Integers) -> Integers:
    """Lengths as tantivy keeps them: above 40, four significant bits of what they exceed 24 by."""
    over = np.maximum(lengths - 24, 1)
    bits = np.maximum(np.frexp(over)[1] - 4, 0)
    return np.where(lengths <= 40, lengths, ((over >> bits) << bits) + 24)
