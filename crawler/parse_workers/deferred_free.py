"""Frees large values step by step, since freeing ten thousand records at once blocks all threads for tens of milliseconds."""

import threading
import time
from collections.abc import Iterable
from typing import Any
from weakref import finalize

_ELEMENTS_PER_STEP = 100
"""Elements freed at a time."""


class DeferredFree:
    """Holds elements during its own lifetime; then a thread frees them, a few at a time."""

    __slots__ = ("__weakref__",)

    def __init__(self, elements: Iterable[Any]) -> None:
        finalize(self, _begin, list(elements)).atexit = False


def _begin(elements: list[Any]) -> None:
    threading.Thread(target=_free, args=(elements,), name="freeing", daemon=True).start()


def _free(elements: list[Any]) -> None:
    while elements:
        del elements[-_ELEMENTS_PER_STEP:]
        time.sleep(0)  # let other threads run
