"""Titles whose search nodes divide among them: a thread takes part in every batch, whether or not this node has titles of its own."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence

from extractors.titles import SnapshotError
from pipelines.stores.base import StoreAwayError
from pipelines.titles.divided_replica import DividedReplica
from pipelines.titles.keeping import SegmentKeeper
from pipelines.titles.leases import LEASE_SECONDS, ShareLeases
from pipelines.titles.log import Entry, LogGapError
from pipelines.titles.stories import Decision
from pipelines.titles.stream import RedisLog

_WAIT_SECONDS = 0.5
"""For news of the log, and before what has failed is tried again."""
_logger = logging.getLogger(__name__)


class DividedTitles:
    """A log and this node's replica of the index; any thread may call.

    ValueError if other nodes of the log have another configuration.
    """

    def __init__(
        self, log: RedisLog, replica: DividedReplica, snapshot_every: int = 20_000, lease: float = LEASE_SECONDS
    ) -> None:
        self.log, self.replica = log, replica
        self._changed = threading.Condition()
        self._wanted: dict[str, Decision | None] = {}
        self._gone: set[str] = set()
        self._failure: Exception | None = None
        self._ended = False
        log.check_config(replica.config)
        replica.seal_every = snapshot_every
        self._keeper, self._leases = SegmentKeeper(log), ShareLeases(log, lease)
        self._begin()
        self._thread = threading.Thread(target=self._run, name="titles-shares", daemon=True)
        self._thread.start()

    def decide(self, entries: Sequence[Entry]) -> list[Decision]:
        """Append these to the log; returns the decisions on them. StoreAwayError while the log is away."""
        while True:
            places = self._append(entries)
            try:
                with self._changed:
                    self._failure = None
                    self._changed.wait_for(lambda: self._failure or self._are_known(places))  # noqa: B023
                    if self._failure:
                        raise self._failure
                    found = [self._wanted[place] for place in places]
            finally:
                self._forget(places)
            decided = [decision for decision in found if decision is not None]
            if len(decided) == len(places):
                return decided
            # a snapshot covered them before they were read here, or the server has lost them; entered again, they match themselves

    def _append(self, entries: Sequence[Entry]) -> list[str]:
        while True:
            try:
                with self._changed:
                    places = self.log.append(list(map(self.replica.prepared, entries)), self.replica.read_to)
                    self._wanted.update(dict.fromkeys(places))
                    return places
            except LogGapError:
                threading.Event().wait(_WAIT_SECONDS / 10)  # until the other thread has started from the log again

    def _are_known(self, places: Sequence[str]) -> bool:
        return all(self._wanted[place] is not None or place in self._gone for place in places)

    def _forget(self, places: Sequence[str]) -> None:
        with self._changed:
            self._gone.difference_update(places)
            for place in places:
                del self._wanted[place]

    def _run(self) -> None:
        while not self._ended:
            try:
                self._turn()
            except LogGapError:
                self._again(self._enter_lost)
            except StoreAwayError as error:
                self._fail(error)
            except Exception as error:
                _logger.exception("Titles cannot be compared")
                self._fail(error)
                self._again(self._begin)

    def _turn(self) -> None:
        """Take what is new in the log; say what is to be said; wait if there is nothing."""
        if self._keeper.is_astray:
            self._begin()
        self.replica.own = self._leases.own
        while messages := self.log.messages(self.replica.read_to):
            for place, message in messages:
                with self._changed:
                    self._tell(self.replica.take(place, message))
            self._keeper.take(self.replica)
        said = self.replica.next_message()
        if said is not None:
            self.log.send(said)
        else:
            self.log.wait(self.replica.read_to, _WAIT_SECONDS)

    def _tell(self, decided: Mapping[str, Decision]) -> None:
        known = {place: decision for place, decision in decided.items() if place in self._wanted}
        if known:
            self._wanted.update(known)
            self._changed.notify_all()

    def _fail(self, error: Exception) -> None:
        with self._changed:
            self._failure = error
            self._changed.notify_all()
        threading.Event().wait(_WAIT_SECONDS)

    def _again(self, start: Callable[[], None]) -> None:
        try:
            start()
        except (StoreAwayError, SnapshotError) as error:
            self._fail(error)

    def _enter_lost(self) -> None:
        """Entries that were decided here and lost by the server are entered again, before all else."""
        recent = list(self.replica.recent)
        lost = self.log.lost([place for place, _ in recent])
        if lost:
            _logger.warning("The log of titles has lost its end; %d titles are entered again.", len(lost))
            self.log.append([entry for place, entry in recent if place in lost])
        self._begin()

    def _begin(self) -> None:
        """Start from the log's snapshot."""
        with self._changed:
            self.replica.start_from(self.log.snapshot())
            self._keeper.begin_anew()
            waiting = [place for place, decision in self._wanted.items() if decision is None]
            self._gone.update(self.log.gone(waiting))
            self._changed.notify_all()

    def wait_for_segments(self) -> None:
        """Until all segments that are due are in the log."""
        self._keeper.wait()

    def close(self) -> None:
        """Give the shares to the other nodes, keep what is not yet in a segment, and close the log."""
        self._ended = True
        self._thread.join()
        self._leases.close()
        self.replica.seal()
        self._keeper.take(self.replica)
        self._keeper.close()
        self.log.close()
