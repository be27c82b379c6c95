"""Returns freed memory of a long crawl to the system.

A page of some megabytes is freed after a second, but malloc keeps the memory for reuse, in a heap per thread.
"""

import ctypes
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from twisted.internet.task import LoopingCall

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""Parameters of mallopt, by the numbers of glibc's malloc.h."""
_MMAP_THRESHOLD_BYTES = 256 * 1024
"""Larger blocks are returned as soon as they are freed. Setting this disables its dynamic growth."""
_TRIM_SECONDS = 5.0


class MallocTrim:
    """One heap for all threads, whose free pages are returned every few seconds; only with glibc.

    See mallopt(3) and malloc_trim(3).
    """

    def __init__(self, library: Any) -> None:
        library.mallopt(_ARENA_MAX, 1)  # with the interpreter's lock threads hardly allocate in parallel
        library.mallopt(_MMAP_THRESHOLD, _MMAP_THRESHOLD_BYTES)
        self._library = library
        self._timer = LoopingCall(self.tidy)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        library = ctypes.CDLL(None)
        if not (hasattr(library, "mallopt") and hasattr(library, "malloc_trim")):
            raise NotConfigured("the C library is not glibc")
        heap = cls(library)
        crawler.signals.connect(heap._begin, signals.spider_opened)
        crawler.signals.connect(heap._end, signals.spider_closed)
        return heap

    def tidy(self) -> None:
        """Return free memory to the system."""
        self._library.malloc_trim(0)

    def _begin(self) -> None:
        self._timer.start(_TRIM_SECONDS, now=False)

    def _end(self) -> None:
        if self._timer.running:
            self._timer.stop()
