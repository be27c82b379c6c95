"""Cache of recently pushed keys, so that most repeated links need no call of the storage."""

from array import array

MAX_KEYS = 65_536


class RecentKeys:
    """A direct-mapped cache of at most `max_keys` keys of 8 bytes: a key replaces the one with the same low bits.

    Args:
        max_keys: rounded down to a power of two, at least 2.
    """

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self._mask = (1 << max(1, max_keys.bit_length() - 1)) - 1
        self.clear()

    def knows(self, key: int) -> bool:
        return self._keys[key & self._mask] == key

    def add(self, key: int) -> None:
        self._keys[key & self._mask] = key

    def clear(self) -> None:
        """Fill each slot with a number that belongs in another: the first with 1, all others with 0."""
        self._keys = array("q", bytes(8 * (self._mask + 1)))
        self._keys[0] = 1
