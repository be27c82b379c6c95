"""Many short texts searched at once: only where a match may begin, or joined into one in a single pass."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native
from extractors.text.regex_prefixes import heads

APART = "\0"
"""Stands between texts; no tree holds it. A pattern must neither match it nor look for the ends of lines."""
_HEAD = 5
"""Characters by which beginnings of matches are told."""
_MOST_HEADS = 5_000


def holding(words: re.Pattern[str], texts: Sequence[str], sign: re.Pattern[str] | None = None) -> NDArray[np.bool_]:
    """bool[texts]: the pattern is found in the text. What it is found in has the sign, if one is given."""
    if native() and (begun := _beginnings(sign or words)):
        found = np.zeros(len(texts), dtype=np.bool_)
        search = words.search
        tried = begun.within(texts if isinstance(texts, list) else list(texts))
        found[[number for number, place in tried if search(texts[number], 0 if sign else place)]] = True
        return found
    return holding_by_one_pass(words, texts)


def matching(words: re.Pattern[str], texts: list[str]) -> NDArray[np.bool_]:
    """bool[texts]: the text begins with a match of the pattern."""
    begun = _beginnings(words) if native() else None
    places: Iterable[int] = begun.places(texts) if begun else range(len(texts))
    found = np.zeros(len(texts), dtype=np.bool_)
    match = words.match
    found[[place for place in places if match(texts[place])]] = True
    return found


_BEGUN: dict[int, tuple[re.Pattern[str], Any]] = {}
"""By a pattern's identity, since its hash is worked out anew each time: the pattern, and what `_beginnings` has found."""


def _beginnings(words: re.Pattern[str]) -> Any:
    """What machine code looks for; None where a match may begin with anything."""
    known = _BEGUN.get(id(words))
    if known is None:
        found = {head.lower() for head in heads(words.pattern, _HEAD)} if not words.flags & re.IGNORECASE else {""}
        told = native().Heads(sorted(found)) if "" not in found and len(found) < _MOST_HEADS else None
        known = _BEGUN[id(words)] = words, told
    return known[1]


def holding_by_one_pass(words: re.Pattern[str], texts: Sequence[str]) -> NDArray[np.bool_]:
    """See `holding`."""
    found = np.zeros(len(texts), dtype=np.bool_)
    places = [match.start() for match in words.finditer(APART.join(texts))]
    if places:
        behind = np.cumsum(np.fromiter(map(len, texts), dtype=np.intp, count=len(texts)) + 1)
        found[np.searchsorted(behind, places, side="right")] = True
    return found
