"""A thread that puts what a replica has sealed into the log as segments, and merges small ones; nobody waits for it."""

import logging
import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from extractors.titles import SnapshotError
from pipelines.stores.base import StoreError
from pipelines.titles.additions import merged_bytes
from pipelines.titles.chain import Segment, to_merge
from pipelines.titles.log import TitleLog
from pipelines.titles.replica import Sealed

logger = logging.getLogger(__name__)


class _Sealing(Protocol):
    sealed: list[Sealed]


class SegmentKeeper:
    """Keeps segments in order; what cannot be kept now is tried again with the next.

    Attributes:
        is_astray: the log has another chain than the replica's, since nodes seal at other places, or since somebody has rebuilt
            it: the replica has to start from the log again.
    """

    def __init__(self, log: TitleLog) -> None:
        self._log = log
        self._waiting = deque[Sealed]()
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, "titles-keeper")
        self._last: Future[None] | None = None
        self.is_astray = False

    def take(self, replica: _Sealing) -> None:
        """Take what was sealed."""
        if replica.sealed:
            with self._lock:
                self._waiting.extend(replica.sealed)
            replica.sealed.clear()
            self._last = self._thread.submit(self._keep_all)

    def begin_anew(self) -> None:
        """The replica has started from the log: what waits is not of its chain."""
        with self._lock:
            self._waiting.clear()
        self.is_astray = False

    def wait(self) -> None:
        """Until all that was taken is kept, or has failed."""
        if self._last is not None:
            self._last.result()

    def close(self) -> None:
        """Wait, and end the thread."""
        self._thread.shutdown()

    def _keep_all(self) -> None:
        try:
            while sealed := self._first():
                said = "covered" if self._is_covered(sealed) else self._log.keep(sealed.segments())
                if said == "astray":
                    self.is_astray = True
                    return
                self._done(sealed)
                if said == "kept":
                    self._merge()
        except StoreError as error:
            logger.warning("No snapshot of titles was kept: %s", error)
        except Exception:  # nobody reads the future's error; the log still has every title
            logger.exception("No snapshot of titles was kept")

    def _first(self) -> Sealed | None:
        with self._lock:
            return self._waiting[0] if self._waiting else None

    def _done(self, sealed: Sealed) -> None:
        with self._lock:
            if self._waiting and self._waiting[0] is sealed:
                self._waiting.popleft()

    def _is_covered(self, sealed: Sealed) -> bool:
        """Whether another node was quicker; then nothing need be packed."""
        return any(span.end == sealed.end for span in self._log.spans())

    def _merge(self) -> None:
        """Small segments at the end of the chain become one; the log has them until the new one is there."""
        while run := to_merge(self._log.spans()):
            parts = self._log.parts(run)
            if parts is None:
                return
            try:
                data = merged_bytes(parts)
            except SnapshotError as error:
                logger.warning("Segments of titles are not merged: %s", error)
                return
            if self._log.keep([Segment(run[0].begin, run[-1].end, data)]) != "kept":
                return
