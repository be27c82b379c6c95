"""What of a record's text is another's words: elements inside its body that are quotes by their tag or are called so.

Templates call things so that may be quoted, too ("select to quote" around every post): a kind of element that mostly holds all of
a body is no quote.
"""

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from extractors.records.candidates import Members
from extractors.records.signals import Signals

if TYPE_CHECKING:
    from extractors.records.reading import Reader

_ALL = 0.9
"""The share of a body's letters that a quote hardly has."""


def called_quotes(signals: Signals, members: Members) -> NDArray[np.bool_]:
    """bool[N]: the element is a quote by its tag or its name, and no record or what holds them all."""
    marked = signals.quotes.copy()
    marked[: members[0]] = False
    marked[members] = False
    return marked


def quoted_chunks(reader: "Reader", bodies: NDArray[np.intp]) -> NDArray[np.bool_] | None:
    """bool[M]: the chunks of quotes inside the bodies of a reader's records; None where there are none."""
    columns = reader.columns
    marked = np.flatnonzero(reader.quotes)
    if not len(marked):
        return None
    starts = bodies[bodies >= 0]
    first, last = np.searchsorted(marked, starts + 1).tolist(), np.searchsorted(marked, columns.end[starts]).tolist()
    if first == last:
        return None
    classes = reader.signals.alike.classes
    letters = columns.subtree_chunks(reader.signals.length.astype(float))
    kinds: defaultdict[object, list[int]] = defaultdict(list)
    whole: defaultdict[object, int] = defaultdict(int)
    for body, start, end in zip(starts.tolist(), first, last, strict=True):
        for place in marked[start:end].tolist():
            kind = (int(columns.tag[place]), int(classes[place]))
            kinds[kind].append(place)
            whole[kind] += bool(letters[place] >= _ALL * letters[body])
    quotes = np.zeros(len(columns), dtype=bool)
    for name, places in kinds.items():
        quotes[places] = 2 * whole[name] <= len(places)
    return columns.within(quotes)[columns.owner]
