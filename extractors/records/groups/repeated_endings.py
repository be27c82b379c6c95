"""Signatures where class names say nothing: texts that end records and that several records repeat."""

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.records.groups.ownership import Ownership
from extractors.records.signals import page_signals
from extractors.records.signals.class_names import element_classes

_MAX_CHARS = 400
_MIN_RECORDS = 3
_REPEATED_SHARE = 0.3
"""Minimum share of repeated texts among the last texts of one kind."""
_LONE_SHARE, _MIN_OTHER_CHARS = 0.2, 12
"""Maximum share of records that say nothing else, and the characters from which a record says more."""


def repeated_endings(page: Document, records: Ownership, template: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[N]: the element is of a kind that ends records which say more, and whose texts several of them repeat."""
    columns, signals = page.columns, page.once(page_signals)
    places, lone = _last_texts(page, records, template)
    kinds, start, end = page.once(element_classes).bodies[places], columns.chunk_start, columns.chunk_end
    seen: defaultdict[int, Counter[bytes]] = defaultdict(Counter)
    for kind, place in zip(kinds.tolist(), places.tolist(), strict=True):
        seen[kind][signals.texts.number[start[place] : end[place]].tobytes()] += 1
    whole = Counter(kinds[lone].tolist())
    again = [kind for kind, texts in seen.items() if _repeat(texts) and whole[kind] <= _LONE_SHARE * texts.total()]
    found = np.zeros(len(columns), dtype=np.bool_)
    found[places[np.isin(kinds, again)]] = True
    return found


def _repeat(texts: Counter[bytes]) -> bool:
    every, again = texts.total(), sum(count for count in texts.values() if count > 1)
    return every >= _MIN_RECORDS and again >= _REPEATED_SHARE * every


def _last_texts(
    page: Document, records: Ownership, template: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Named elements that end what a record says beside links, times and the template's texts; and which of them say all of it."""
    columns, signals, owner = page.columns, page.once(page_signals), records.owner
    start, end, places = columns.chunk_start, columns.chunk_end, columns.readable
    own = np.flatnonzero((owner >= 0) & ~template & ~signals.linked & ~signals.has_time)
    last, said = np.full(len(records.members), -1), np.bincount(owner[own], signals.visible[own], len(records.members))
    last[owner[own]] = own
    named = page.once(element_classes).bodies[places] % 2 == 0
    places = places[named & (columns.text_length[places] <= _MAX_CHARS) & (owner[start[places]] >= 0)]
    number = owner[start[places]]
    fit = (owner[end[places] - 1] == number) & ~template[start[places]] & (end[places] > last[number])
    places, number = places[fit], number[fit]
    return places, said[number] - columns.text_length[places] < _MIN_OTHER_CHARS
