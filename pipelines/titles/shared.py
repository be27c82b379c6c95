"""The titles that all nodes of a crawl compare with: the log and a replica, opened as the settings ask for."""

import logging
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from scrapy.settings import BaseSettings

from extractors.titles import Rules
from extractors.topic.words import Segmenter
from pipelines.stores.base import StoreError
from pipelines.titles.log import Entry, FileLog, LogGapError, TitleLog
from pipelines.titles.replica import Decision, Replica, unpacked

logger = logging.getLogger(__name__)


class SharedTitles:
    """A log and this node's replica of the index; any thread may call, one at a time works.

    ValueError if other nodes of the log have another configuration.
    """

    def __init__(self, log: TitleLog, replica: Replica, snapshot_every: int = 20_000) -> None:
        self.log, self.replica, self._every = log, replica, snapshot_every
        self._lock = threading.Lock()
        log.check_config(replica.config)
        replica.start_from(log.snapshot())
        replica.catch_up(log)

    def decide(self, entries: Sequence[Entry]) -> list[Decision]:
        """Append these to the log, apply everything up to them; returns the decisions on them.

        The node that passes a multiple of `snapshot_every` entries keeps a snapshot; none does if it is 0. StoreAwayError
        while the log is away.
        """
        with self._lock:
            return self._decide(entries)

    def _decide(self, entries: Sequence[Entry]) -> list[Decision]:
        while True:
            before = self.replica.applied
            try:
                places = self.log.append(entries, self.replica.place)
            except LogGapError:
                self.replica.catch_up(self.log)
                continue
            decided = self.replica.catch_up(self.log)
            if self._every and before // self._every != self.replica.applied // self._every:
                self._keep_snapshot()
            if all(place in decided for place in places):
                return [decided[place] for place in places]
            # another node's snapshot covered them before they were read here; entered again, they match themselves

    def close(self) -> None:
        """Keep a snapshot, so that the next start is quick, and close the log."""
        with self._lock:
            if self.replica.applied:
                self._keep_snapshot()
            self.log.close()

    def _keep_snapshot(self) -> None:
        """The log has everything that a snapshot has, so that one may be left out."""
        try:
            self.log.keep(self.replica.snapshot())
        except StoreError as error:
            logger.warning("No snapshot of titles was kept: %s", error)


def open_titles(settings: BaseSettings) -> SharedTitles:
    return SharedTitles(open_log(settings), new_replica(settings), settings.getint("TITLES_SNAPSHOT_EVERY"))


def check_titles(settings: BaseSettings) -> None:
    """ValueError, SnapshotError or StoreAwayError, each with what to do, if a crawl cannot compare titles."""
    if not settings.getbool("TITLES_ENABLED", True):
        return
    with closing(open_log(settings)) as log:
        log.check_config(new_replica(settings).config)
        kept = log.snapshot()
        if kept is not None:
            unpacked(kept)


def open_log(settings: BaseSettings) -> TitleLog:
    """The log that TITLES_LOG names, a file or the Redis of the crawl; ValueError for any other."""
    kind = settings["TITLES_LOG"]
    if kind == "local":
        return FileLog(Path(settings["DATA_DIR"]) / "titles.db")
    if kind != "redis":
        raise ValueError(f"TITLES_LOG is local or redis, not {kind!r}")
    from pipelines.titles.stream import open_stream  # its client is large, and one node does not need it

    return open_stream(settings)


def new_replica(settings: BaseSettings) -> Replica:
    """An empty replica with threshold, rules and segmenter that the settings ask for; ValueError for what is no number."""
    rules = Rules(
        numbers=settings.getbool("TITLES_COMPARE_NUMBERS", True),
        window_days=int(_number(settings, "TITLES_WINDOW_DAYS", 0)),
        wording=settings.getbool("TITLES_COMPARE_LETTERS", True),
        reach=_number(settings, "TITLES_LOWER_THRESHOLD", 0.5),
    )
    segmenter = Segmenter(settings.get("SEGMENTER", "auto"))
    return Replica(_number(settings, "TITLES_THRESHOLD", 0.8), rules, segmenter)


def _number(settings: BaseSettings, name: str, default: float) -> float:
    try:
        return float(settings.getfloat(name, default))
    except (TypeError, ValueError):
        raise ValueError(f"{name} is a number, not {settings[name]!r}") from None
