"""The latest keys that were pushed, so that most repeated links cost no call of the storage."""

from collections import OrderedDict

MAX_KEYS = 65_536


class RecentKeys:
    """So many of the latest keys."""

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self._max_keys = max_keys
        self._keys: OrderedDict[int, None] = OrderedDict()

    def knows(self, key: int) -> bool:
        if key not in self._keys:
            return False
        self._keys.move_to_end(key)
        return True

    def add(self, key: int) -> None:
        self._keys[key] = None
        if len(self._keys) > self._max_keys:
            self._keys.popitem(last=False)

    def clear(self) -> None:
        self._keys.clear()
