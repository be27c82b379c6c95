"""Numbers that grow at their end, as numpy sees them and as Python reads them one by one."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

_FIRST = 256
_GROWTH = 1.3


class Column:
    """A numpy array that grows. `data` and `view` are the same memory, `size` of it is filled, what lies behind is zero.

    A memoryview gives and takes single numbers three times as fast as numpy does. Both are new after each growth.
    """

    __slots__ = ("data", "size", "view")

    def __init__(self, kind: DTypeLike) -> None:
        self.size = 0
        self._own(np.zeros(_FIRST, kind))

    def _own(self, data: NDArray[Any]) -> None:
        self.data = data
        self.view: Any = memoryview(data)  # type: ignore[arg-type]  # numpy's stubs do not know of 3.12's Buffer

    def __len__(self) -> int:
        return self.size

    def reserve(self, more: int) -> int:
        """Make room for so many more at the end, which are zero now; returns where they begin."""
        start = self.size
        self.size = start + more
        if self.size > len(self.view):
            self._grow(start)
        return start

    def _grow(self, filled: int) -> None:
        grown = np.zeros(max(self.size, int(len(self.data) * _GROWTH)), self.data.dtype)  # pages are given when used
        grown[:filled] = self.data[:filled]
        self._own(grown)

    def append(self, value: float) -> None:
        """Add one."""
        start = self.size
        self.size = start + 1
        if start >= len(self.view):
            self._grow(start)
        self.view[start] = value

    def extend(self, values: ArrayLike) -> None:
        """Add several."""
        added = np.asarray(values, self.data.dtype)
        start = self.reserve(len(added))
        self.data[start : start + len(added)] = added

    def filled(self) -> NDArray[Any]:
        """What was added, without a copy."""
        return self.data[: self.size]
