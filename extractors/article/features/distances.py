"""How far back the last of something is."""

import numpy as np
from numpy.typing import NDArray

from extractors.kernels import native


def distance(marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many places back the last marked one is; at most 60."""
    if compiled := native():
        return np.asarray(compiled.distance(np.ascontiguousarray(marked).view(np.uint8)))
    place = np.arange(len(marked))
    last = np.maximum.accumulate(np.where(marked, place, -60))
    return np.minimum(place - last, 60)


def distances(marked: NDArray[np.bool_]) -> NDArray[np.int16]:
    """`distance` for each row; at most `MAX_BLOCKS` places fit into the small numbers."""
    place = np.arange(marked.shape[1], dtype=np.int16)
    return np.minimum(place - np.maximum.accumulate(np.where(marked, place, np.int16(-60)), axis=1), np.int16(60))
