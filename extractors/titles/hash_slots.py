"""Hash tables with open addressing and linear probing: an entry is in its home slot, or in the next free one; 0 is a free slot."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

MIN_SLOTS = 1_024


def slots_for(entries: int) -> int:
    """The smallest power of two such that `entries` take at most two thirds of it."""
    slots = MIN_SLOTS
    while 3 * entries > 2 * slots:
        slots *= 2
    return slots


def placed(homes: NDArray[np.uint64], entries: NDArray[Any], slots: int) -> NDArray[Any]:
    """A hash table with `slots` slots, which must exceed the number of entries; homes: home slots of the entries, below `slots`."""
    table = np.zeros(slots, entries.dtype)
    order = np.argsort(homes, kind="stable")
    ranks = np.arange(len(order))
    wanted = np.maximum.accumulate(homes[order].astype(np.int64) - ranks) + ranks
    inside = int(np.searchsorted(wanted, slots))
    table[wanted[:inside]] = entries[order[:inside]]
    for entry in order[inside:].tolist():  # the few that would be past the end
        table[free_slot(table.data, int(homes[entry]))] = entries[entry]
    return table


def free_slot(slots: Any, home: int) -> int:
    """The first free slot at or after `home`; slots: a memoryview whose length is a power of two."""
    last = len(slots) - 1
    while slots[home]:
        home = home + 1 & last
    return home
