"""Large values are freed step by step: to free ten thousand records at once stops all threads for tens of milliseconds."""

import threading
import time
from collections.abc import Iterable
from typing import Any
from weakref import finalize

_ELEMENTS_PER_STEP = 100
"""Elements that are freed at once."""


class DeferredFree:
    """Holds elements as long as it is held itself; then a thread frees them, a few at a time."""

    __slots__ = ("__weakref__",)

    def __init__(self, elements: Iterable[Any]) -> None:
        finalize(self, _begin, list(elements)).atexit = False


def _begin(elements: list[Any]) -> None:
    threading.Thread(target=_free, args=(elements,), name="freeing", daemon=True).start()


def _free(elements: list[Any]) -> None:
    while elements:
        del elements[-_ELEMENTS_PER_STEP:]
        time.sleep(0)  # others get their turn
