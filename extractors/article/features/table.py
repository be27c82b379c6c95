"""Features of blocks as they are gathered: rows by name, in one array."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 256
"""Room for so many features."""


class FeatureTable:
    """Named rows of float32, one value per block, in the order in which they are added."""

    def __init__(self, blocks: int) -> None:
        self.names: list[str] = []
        self._values = np.empty((_MOST, blocks), dtype=np.float32)

    def add(self, name: str, values: NDArray[Any] | float) -> None:
        """One feature; a single number is every block's."""
        self._values[len(self.names)] = values
        self.names.append(name)

    def add_rows(self, names: Sequence[str], rows: NDArray[Any]) -> None:
        """A feature for each name; rows[names, B], or one column that is every block's."""
        first = len(self.names)
        self._values[first : first + len(names)] = rows
        self.names += names

    def room(self, names: Sequence[str]) -> NDArray[np.float32]:
        """float32[names, B], to be filled: a feature for each name."""
        first = len(self.names)
        self.names += names
        return self._values[first : first + len(names)]

    def row(self, name: str) -> NDArray[np.float32]:
        """float32[B]: a feature that was added before."""
        row: NDArray[np.float32] = self._values[self.names.index(name)]
        return row

    @property
    def rows(self) -> NDArray[np.float32]:
        """float32[F, B]."""
        return self._values[: len(self.names)]
