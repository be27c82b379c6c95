"""The titles that all nodes of a crawl compare with: the log and a replica, opened as the settings ask for."""

import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.settings import BaseSettings

from extractors.titles import Rules
from extractors.topic.words import Segmenter
from pipelines.titles.additions import check_segment
from pipelines.titles.keeping import SegmentKeeper
from pipelines.titles.log import Entry, FileLog, LogGapError, TitleLog
from pipelines.titles.replica import Replica
from pipelines.titles.stories import Decision

if TYPE_CHECKING:
    from pipelines.titles.divided import DividedTitles


class SharedTitles:
    """A log and this node's replica of the index; any thread may call, one at a time works.

    ValueError if other nodes of the log have another configuration.
    """

    def __init__(self, log: TitleLog, replica: Replica, snapshot_every: int = 20_000) -> None:
        self.log, self.replica = log, replica
        self._lock = threading.Lock()
        self._keeper = SegmentKeeper(log)
        log.check_config(replica.config)
        replica.start_from(log.snapshot())
        replica.seal_every = snapshot_every
        replica.catch_up(log)
        self._keeper.take(replica)

    def decide(self, entries: Sequence[Entry]) -> list[Decision]:
        """Append these to the log, apply everything up to them; returns the decisions on them.

        After each multiple of `snapshot_every` entries a segment is kept, by a thread; none is if it is 0. StoreAwayError
        while the log is away.
        """
        with self._lock:
            return self._decide(entries)

    def _decide(self, entries: Sequence[Entry]) -> list[Decision]:
        if self._keeper.is_astray:
            self.replica.start_from(self.log.snapshot())
            self._keeper.begin_anew()
        while True:
            try:
                places = self.log.append(entries, self.replica.place)
            except LogGapError:
                self.replica.catch_up(self.log)
                continue
            decided = self.replica.catch_up(self.log)
            self._keeper.take(self.replica)
            if all(place in decided for place in places):
                return [decided[place] for place in places]
            # another node's snapshot covered them before they were read here; entered again, they match themselves

    def wait_for_segments(self) -> None:
        """Until all segments that are due are in the log."""
        self._keeper.wait()

    def close(self) -> None:
        """Keep what is not yet in a segment, so that the next start is quick, and close the log."""
        with self._lock:
            self.replica.seal()
            self._keeper.take(self.replica)
            self._keeper.close()
            self.log.close()


def open_titles(settings: BaseSettings) -> "SharedTitles | DividedTitles":
    """To decide about titles; ValueError if this node and the others do not agree whether the search is divided."""
    every = settings.getint("TITLES_SNAPSHOT_EVERY")
    log = open_log(settings)
    try:
        _check_division(settings, log)
    except ValueError:
        log.close()
        raise
    if not settings.getbool("TITLES_DIVIDED"):
        return SharedTitles(log, new_replica(settings), every)
    log.close()
    return _open_divided(settings, every)


def _open_divided(settings: BaseSettings, every: int) -> "DividedTitles":
    from pipelines.titles.divided import DividedTitles
    from pipelines.titles.divided_replica import DividedReplica
    from pipelines.titles.stream import open_stream

    return DividedTitles(open_stream(settings), DividedReplica(*_comparison(settings)), every)


def _check_division(settings: BaseSettings, log: TitleLog) -> None:
    divided = settings.getbool("TITLES_DIVIDED")
    if settings["TITLES_LOG"] != "redis":
        if divided:
            raise ValueError("TITLES_DIVIDED needs a log that several nodes share: set TITLES_LOG to redis.")
        return
    from pipelines.titles.leases import dividing_nodes
    from pipelines.titles.stream import RedisLog

    if isinstance(log, RedisLog) and not divided and dividing_nodes(log):
        raise ValueError(
            "The other nodes divide the search among them. Set TITLES_DIVIDED here too, or stop them first."
        )


def read_titles(settings: BaseSettings) -> SharedTitles:
    """To look something up: nothing is written to the log."""
    return SharedTitles(open_log(settings), new_replica(settings), 0)


def check_titles(settings: BaseSettings) -> None:
    """ValueError, SnapshotError or StoreAwayError, each with what to do, if a crawl cannot compare titles."""
    if not settings.getbool("TITLES_ENABLED", True):
        return
    with closing(open_log(settings)) as log:
        _check_division(settings, log)
        log.check_config(new_replica(settings).config)
        for span in log.spans():
            for part in log.parts([span]) or ():
                check_segment(part)


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
    return Replica(*_comparison(settings))


def _comparison(settings: BaseSettings) -> tuple[float, Rules, Segmenter]:
    rules = Rules(
        numbers=settings.getbool("TITLES_COMPARE_NUMBERS", True),
        window_days=int(_number(settings, "TITLES_WINDOW_DAYS", 0)),
        wording=settings.getbool("TITLES_COMPARE_LETTERS", True),
        reach=_number(settings, "TITLES_LOWER_THRESHOLD", 0.5),
    )
    return _number(settings, "TITLES_THRESHOLD", 0.8), rules, Segmenter(settings.get("SEGMENTER", "auto"))


def _number(settings: BaseSettings, name: str, default: float) -> float:
    try:
        return float(settings.getfloat(name, default))
    except (TypeError, ValueError):
        raise ValueError(f"{name} is a number, not {settings[name]!r}") from None
