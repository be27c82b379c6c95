"""Hash tables with open addressing: each entry in the slot that is its home, or in the next free one after it; 0 is a free slot."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

MIN_SLOTS = 1_024


def slots_for(entries: int) -> int:
    """The least power of two of which so many entries take at most two thirds."""
    slots = MIN_SLOTS
    while 3 * entries > 2 * slots:
        slots *= 2
    return slots


def placed(homes: NDArray[np.uint64], entries: NDArray[Any], slots: int) -> NDArray[Any]:
    """A table of so many slots, which are more than the entries; homes: of each entry, below the number of slots."""
    table = np.zeros(slots, entries.dtype)
    order = np.argsort(homes, kind="stable")
    ranks = np.arange(len(order))
    wanted = np.maximum.accumulate(homes[order].astype(np.int64) - ranks) + ranks
    inside = int(np.searchsorted(wanted, slots))
    table[wanted[:inside]] = entries[order[:inside]]
    for entry in order[inside:].tolist():  # the few that would lie past the end
        table[free_slot(table.data, int(homes[entry]))] = entries[entry]
    return table


def free_slot(slots: Any, home: int) -> int:
    """The first free slot from this one on; slots: a memoryview of a power of two of them."""
    last = len(slots) - 1
    while slots[home]:
        home = home + 1 & last
    return home
