"""One process at a time, the holder of a lease in the store, has the title index and decides; the others are standbys.

The holder decides the titles of its own crawl, of other nodes (`pipelines.titles.redis_requests`), and of pages stored without a
verdict. It may be killed at any moment: decisions are rows of the store, from which the next holder rebuilds the index.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from scrapy.settings import BaseSettings

from pipelines.lease import Lease, LeaseLostError
from pipelines.stores.base import Condition, Store, StoreError
from pipelines.stores.tables import PROPAGATION
from pipelines.titles.decider import MAX_GROUP_TITLES, TitleDecider
from pipelines.titles.opening import JOB, begin_generation, generation_of, load, new_decider, snapshot_path
from pipelines.titles.redis_requests import TitleInbox, is_cluster, open_inbox
from pipelines.titles.snapshot_file import write_snapshot
from pipelines.titles.title_requests import UNDECIDED, TitleRequest

LEASE_SECONDS = 15.0
_POLL_SECONDS = 1.0
"""Interval of polls for pages without a verdict, and for the lease of another process."""
_SNAPSHOT_TITLES, _SNAPSHOT_SHARE = 50_000, 0.1
"""New titles, and their share of all titles, after which the snapshot is rewritten."""
_logger = logging.getLogger(__name__)


class TitleHolder:
    """Decides while this process has the lease; its own thread tries to take the lease.

    Args:
        store: stays open until `close` has returned.
        only_if_needed: take the lease only while pages without a verdict are stored.
    """

    def __init__(
        self,
        settings: BaseSettings,
        store: Store,
        *,
        lease_seconds: float = LEASE_SECONDS,
        only_if_needed: bool = False,
    ) -> None:
        self._settings, self._store, self._only_if_needed = settings, store, only_if_needed
        self._lease = Lease(store, JOB, lease_seconds)
        self._lock = threading.Lock()
        self._decider: TitleDecider | None = None
        self._generation, self._saved = "", 0
        self._settled, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="titles-holder", daemon=True)

    def start(self) -> None:
        """Start the thread that tries to take the lease."""
        self._thread.start()

    def decide(self, requests: Sequence[TitleRequest], seconds: float) -> dict[str, str]:
        """Verdicts by page, already stored; empty if this process has no lease, or cannot decide within `seconds`."""
        if not self._settled.wait(seconds) or not self._lock.acquire(timeout=seconds):
            return {}
        try:
            return self._decide(requests) if self._decider is not None else {}
        except (StoreError, LeaseLostError) as error:
            _logger.warning("Titles cannot be decided now: %s", error)
            return {}
        finally:
            self._lock.release()

    def decide_stored(self) -> None:
        """Decide all pages that were stored without a verdict, unless another process has the lease."""
        if self._is_wanted() and self._lease.gain():
            self._ended.set()
            self._hold()

    def close(self) -> None:
        """Decide the stored pages without a verdict, save the index, and release the lease."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                if self._is_wanted() and self._lease.gain():
                    self._hold()
            except (StoreError, LeaseLostError) as error:
                _logger.warning("Titles cannot be decided now: %s", error)
            except Exception:
                _logger.exception("Titles cannot be decided now")
            self._settled.set()
            self._ended.wait(_POLL_SECONDS)

    def _is_wanted(self) -> bool:
        where = [Condition("verdict", "=", UNDECIDED)]
        return not self._only_if_needed or bool(self._store.count(PROPAGATION, where, 1))

    def _hold(self) -> None:
        """Decide until the end, or until an error makes the index differ from the store."""
        try:
            with self._lock:
                decider = self._decider = self._load()
            self._settled.set()
            with open_inbox(self._settings, self._generation) as inbox:
                while self._decider is not None and not self._ended.is_set() and self._is_wanted():
                    self._serve(decider, inbox)
            with self._lock:
                if self._decider is not None:
                    self._decide_all_stored(decider)
                self._save(at_end=True)
        finally:
            with self._lock:
                self._decider = None
            self._lease.release()

    def _load(self) -> TitleDecider:
        self._generation = generation_of(self._lease) or begin_generation(self._lease)
        comparer, self._saved = load(self._settings, self._store, self._generation, self._lease.renew)
        return new_decider(self._settings, self._store, comparer, self._saved, self._lease.renew)

    def _serve(self, decider: TitleDecider, inbox: TitleInbox) -> None:
        """Pages without a verdict come first, since their requests are older."""
        waiting = inbox.take(MAX_GROUP_TITLES, _POLL_SECONDS, self._ended)
        verdicts: dict[str, str] = {}
        try:
            with self._lock:
                self._lease.renew()
                self._decide_all_stored(decider)
                verdicts = self._decide([asked.request for asked in waiting]) if waiting else {}
                self._save(at_end=False)
        except (StoreError, LeaseLostError):
            raise  # the requests stay for the next holder, in their order
        except Exception:
            inbox.answer(waiting, {})
            raise
        inbox.answer(waiting, verdicts)

    def _decide_all_stored(self, decider: TitleDecider) -> None:
        try:
            while decider.decide_stored():
                pass
        except BaseException:
            self._decider = None
            raise

    def _decide(self, requests: Sequence[TitleRequest]) -> dict[str, str]:
        if self._decider is None:
            return {}
        try:
            return self._decider.decide(requests)
        except BaseException:
            self._decider = None  # the index contains titles that the store lacks: load it again
            raise

    def _save(self, *, at_end: bool) -> None:
        decider = self._decider
        if decider is None or decider.place == self._saved:
            return
        new = decider.place - self._saved
        if at_end or new >= max(_SNAPSHOT_TITLES, _SNAPSHOT_SHARE * decider.place):
            write_snapshot(snapshot_path(self._settings), decider.comparer, decider.place, self._generation)
            self._saved = decider.place


@contextmanager
def titles_decided(settings: BaseSettings, store: Store, *, follow: bool) -> Iterator[None]:
    """For the analysis: decide pages stored without a verdict before it starts, or, with `follow`, while it runs. With `follow`, it decides
    for all nodes of a cluster; on one machine crawls decide, and it takes only the pages that they leave undecided."""
    if not settings.getbool("TITLES_ENABLED", True):
        yield
        return
    holder = TitleHolder(settings, store, only_if_needed=not (follow and is_cluster(settings)))
    if not follow:
        holder.decide_stored()
        yield
        return
    holder.start()
    try:
        yield
    finally:
        holder.close()
