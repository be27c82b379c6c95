"""Whether a page may have records at all: most pages have none, and need not be searched.

A small forest uses signs that are cheap to compute: times and the text between them, the page's markup and structure. It was
trained by `benchmarks/train_presence.py` to reject pages only with high certainty.
"""

from math import log1p

import numpy as np
from numpy.typing import NDArray

from extractors.html.document import Document
from extractors.html.markup import MARKUP_NAMES, markup_features
from extractors.html.structure import STRUCTURE_NAMES, structure_features
from extractors.html.tags import NAMES as TAG_NAMES
from extractors.kernels import kernel
from extractors.kernels.forest_stack import stack_for
from extractors.records.signals import time_chunks

MIN_ODDS = -4.0
"""Log odds below which a page is not searched; chosen on sites that the forest has not seen."""
MIN_ELEMENTS = 60
"""Pages with fewer elements are always searched, which costs little."""
MIN_ALIKE_TIMES = 12
"""Pages with at least this many times in elements of one kind are always searched."""
_MAX_SHORT_TIME_CHARS = 20
_SOME_TEXT_CHARS, _MUCH_TEXT_CHARS = 10, 40
"""Visible characters."""
_LEVELS = 4
TIME_NAMES = [
    *("times", "times outside links", "times alike", "short times", "some text between", "much text between"),
    *(f"holders {level}" for level in range(_LEVELS)),
    *("holders", "time share", "text between", "chunks between", "text among times"),
]
_MARKUP = [
    place
    for place, name in enumerate(MARKUP_NAMES)
    if name == "markup type thread" or name.startswith(("markup engine", "markup body"))
]
NAMES = [*(MARKUP_NAMES[place] for place in _MARKUP), *STRUCTURE_NAMES, *TIME_NAMES]
_FEATURES = tuple(NAMES)
_ALIKE = NAMES.index("times alike")
_MIN_ALIKE_LOG = log1p(MIN_ALIKE_TIMES)


def may_have_records(page: Document) -> bool:
    """False if the page certainly has none."""
    if len(page.columns) < MIN_ELEMENTS:
        return True
    features = presence_features(page)
    return bool(
        features[_ALIKE] >= _MIN_ALIKE_LOG
        or stack_for("records", ("presence",), _FEATURES).scores(features)[0] >= MIN_ODDS
    )


def presence_features(page: Document) -> NDArray[np.float32]:
    """float32[len(NAMES)]."""
    markup = page.once(markup_features)
    own = [markup[place] for place in _MARKUP]
    return np.array([*own, *page.once(structure_features), *_time_features(page)], np.float32)


def _time_features(page: Document) -> list[float]:
    """A value for each of `TIME_NAMES`; numbers and lengths as logarithms."""
    columns = page.columns
    times = np.flatnonzero(page.once(time_chunks)) if columns.texts else np.zeros(0, np.intp)
    if not len(times):
        return [0.0] * len(TIME_NAMES)
    visible, owner = columns.counts("visible"), columns.owner[times].astype(np.int64)
    kinds = columns.class_number[owner] * (len(TAG_NAMES) + 1) + columns.tag[owner]
    counted, between, total = time_rhythm(
        times, owner, kinds, visible, columns.linked.view(np.uint8), columns.sibling_group, columns.parent, _LEVELS
    )
    outside, alike, among, *holders = counted.tolist()
    between.sort()
    short = int(np.count_nonzero(visible[times] <= _MAX_SHORT_TIME_CHARS))
    longer = (len(between) - between.searchsorted((_SOME_TEXT_CHARS, _MUCH_TEXT_CHARS))).tolist()
    numbers = len(times), outside, alike, short, *longer, *holders, max(holders)
    share = len(times) / len(visible)
    if not len(between):
        return [*map(log1p, numbers), share, -1.0, -1.0, -1.0]
    chunks = np.sort(np.diff(times))[len(between) // 2]
    middle = log1p(int(between[len(between) // 2]))
    return [*map(log1p, numbers), share, middle, log1p(int(chunks)), among / max(1, total)]


@kernel
def time_rhythm(
    times: NDArray[np.int64],
    places: NDArray[np.int64],
    kinds: NDArray[np.int64],
    visible: NDArray[np.int32],
    linked: NDArray[np.uint8],
    group: NDArray[np.int64],
    parent: NDArray[np.int32],
    levels: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """For T > 0 times: int64[3 + levels], the number outside links, the largest number of one kind, the text outside links from
    the first to the last, and the largest number of siblings with times, for the times' elements, their parents, and so on;
    int64[T − 1], the text outside links between each time and the next; and the text outside links of the whole page.

    times: int64[T], the chunks. places, kinds: int64[T], their elements, and the kinds of these. visible, linked: of all chunks.
    group, parent: of all elements.
    """
    unlinked = np.cumsum(np.where(linked, 0, visible))
    holders = []
    at = places
    for _ in range(levels):
        at = np.unique(at)
        holders.append(int(np.bincount(group[at]).max()))
        at = np.maximum(parent[at], 0).astype(np.int64)
    alike = int(np.unique(kinds, return_counts=True)[1].max())
    among = int(unlinked[times[-1]] - unlinked[times[0]])
    counted = np.array([np.count_nonzero(linked[times] == 0), alike, among, *holders], np.int64)
    return counted, (unlinked[times[1:] - 1] - unlinked[times[:-1]]).astype(np.int64), int(unlinked[-1])
