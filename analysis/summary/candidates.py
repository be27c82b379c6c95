"""Candidate summaries: an optional title, then one or two pieces of the text, up to a length."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.summary.sentences import Piece, unit_ends, units

_MAX_PIECES = 30
_FIRST_OF_TWO = 8
"""Number of first pieces that may be followed by a non-adjacent piece."""


@dataclass(frozen=True, slots=True)
class SummaryCandidate:
    """`pieces` are numbers of pieces in order; `text` is as long as it may be, cut at a word; `length` its units."""

    with_title: bool
    pieces: tuple[int, ...]
    text: str
    whole: bool


def candidates(title: str, pieces: Sequence[Piece], length: int) -> list[SummaryCandidate]:
    """All candidates of `length` units; `pieces` are sentences or clauses in the order of the text."""
    counts = [len(units(piece.text)) for piece in pieces]
    leads = [False, True] if title else [False]
    found = []
    for with_title in leads:
        left = length - (len(units(title)) if with_title else 0)
        if left <= 2:
            found.append(_candidate(title, pieces, True, (), length))
            continue
        found += [_candidate(title, pieces, with_title, run, length) for run in _runs(counts, left)]
    return found


def _runs(counts: Sequence[int], length: int) -> list[tuple[int, ...]]:
    """Neighbours from each piece until the length is full, and pairs of short pieces that are no neighbours."""
    found: list[tuple[int, ...]] = []
    for first in range(min(len(counts), _MAX_PIECES)):
        end, filled = first, 0
        while end < len(counts) and filled < length:
            filled += counts[end]
            end += 1
        found.append(tuple(range(first, end)))
        if first < _FIRST_OF_TWO and counts[first] < 0.8 * length:
            found += [(first, second) for second in range(first + 2, min(len(counts), _FIRST_OF_TWO))]
    return found


def _candidate(
    title: str, pieces: Sequence[Piece], with_title: bool, run: tuple[int, ...], length: int
) -> SummaryCandidate:
    parts = ([_ended(title)] if with_title else []) + [pieces[number].text for number in run]
    joined = "".join(parts) if any("\u4e00" <= letter <= "\u9fff" for letter in parts[0][:20]) else " ".join(parts)
    cut = cut_at(joined, length)
    return SummaryCandidate(with_title, run, cut, len(cut) == len(joined))


def _ended(title: str) -> str:
    stop = "。" if any("\u4e00" <= letter <= "\u9fff" for letter in title) else "."
    return title if title[-1:] in "。！？.!?…" else title + stop


def cut_at(text: str, length: int) -> str:
    """The first `length` units of a text."""
    ends = unit_ends(text)
    return text if len(ends) <= length else text[: ends[length - 1]]
