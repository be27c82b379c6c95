"""The table to which the groups of features add their rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAX_FEATURES = 256


class FeatureTable:
    """Named rows of float32, one value per block, in the order in which they are added."""

    def __init__(self, blocks: int) -> None:
        self.names: list[str] = []
        self._values = np.empty((_MAX_FEATURES, blocks), dtype=np.float32)

    def add(self, name: str, values: NDArray[Any]) -> None:
        """Add one feature; values[B]."""
        self._values[len(self.names)] = values
        self.names.append(name)

    def add_rows(self, names: Sequence[str], rows: NDArray[Any]) -> None:
        """Add a feature for each name; rows[names, B], or one column for all blocks."""
        first = len(self.names)
        self._values[first : first + len(names)] = rows
        self.names += names

    def row(self, name: str) -> NDArray[np.float32]:
        """float32[B]: a feature that was added before."""
        row: NDArray[np.float32] = self._values[self.names.index(name)]
        return row

    @property
    def rows(self) -> NDArray[np.float32]:
        """float32[F, B]."""
        return self._values[: len(self.names)]
