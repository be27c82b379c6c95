"""Titles against all titles: every page gets its place in a story, and nothing is dropped."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

from extractors.links.urls import host_of, url_key
from extractors.titles import Rules
from extractors.topic.words import Segmenter
from pipelines.discussion import count_of
from pipelines.propagation import told_in_order
from pipelines.storage import store_of
from pipelines.stores.base import Condition, Row
from pipelines.stores.tables import PROPAGATION
from pipelines.titles.log import Entry, FileLog, LogGapError, TitleLog
from pipelines.titles.replica import Decision, Replica, unpacked

_RECENT_STORIES = 1_000


class SharedTitles:
    """A log and this node's replica of the index; calls come from any thread, one at a time gets through.

    ValueError if other nodes of the log compare titles by other terms.
    """

    def __init__(self, log: TitleLog, replica: Replica, snapshot_every: int = 20_000) -> None:
        self.log, self.replica, self._every = log, replica, snapshot_every
        self._lock = threading.Lock()
        log.agree(replica.terms)
        replica.start_from(log.snapshot())
        replica.catch_up(log)

    def decide(self, entries: Sequence[Entry]) -> list[Decision]:
        """Append these to the log, apply what came before them and them; returns what they are.

        A snapshot is kept by whoever passes the next multiple of so many entries. StoreAwayError while the log is away.
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
            if before // self._every != self.replica.applied // self._every:
                self.log.keep(self.replica.snapshot())
            if all(place in decided for place in places):
                return [decided[place] for place in places]
            # another node's snapshot had covered them before they were read here: entered again, they meet themselves

    def close(self) -> None:
        """Keep a snapshot, so that the next start is quick, and let go."""
        with self._lock:
            if self.replica.applied:
                self.log.keep(self.replica.snapshot())
            self.log.close()


class TitlesPipeline:
    """Adds a propagation row to each page with content; when a page joins a story, the story's rows are made anew."""

    def __init__(self, crawler: Any = None) -> None:
        self._crawler = crawler
        self.titles: SharedTitles | None = None
        self._counting = True
        self._thread = ThreadPoolExecutor(1, "titles")  # one at a time gets through; more would only cost memory
        self._stories: OrderedDict[str, dict[str, Row]] = OrderedDict()

    @classmethod
    def from_crawler(cls, crawler: Any) -> "TitlesPipeline":
        """Scrapy's way of making it; reads DATA_DIR and the settings that begin with TITLES."""
        return cls(crawler)

    def open_spider(self) -> None:
        """Restore the index and catch up with the log."""
        self.titles = open_titles(self._crawler.settings)
        self._counting = self._crawler.settings.getbool("DISCUSSION_ENABLED", True)

    def close_spider(self) -> None:
        """Keep the index."""
        self._thread.shutdown()
        if self.titles is not None:
            self.titles.close()

    async def process_item(self, item: Any) -> Any:
        """Decide in a thread, for the log may be a server's."""
        page = getattr(item, "page", None)
        if self.titles is None or page is None or not item.relevant or item.part_of:
            return item
        if not page.article.title.strip():
            return item
        row = propagation_row(item, count_records=self._counting)
        entry = Entry(
            row["page"], row["title"][:1_000], host_of(item.url), page.article.source, day_of(row["published"])
        )
        loop = asyncio.get_running_loop()
        decision = (await loop.run_in_executor(self._thread, self.titles.decide, [entry]))[0]
        row |= described(decision)
        story = await loop.run_in_executor(self._thread, self._story, row)
        item.rows.extend((PROPAGATION, member) for member in story)
        return item

    def _story(self, row: dict[str, Any]) -> list[dict[str, Any]]:
        """The rows to be written: this one alone, or all of the story that it joins."""
        story = row["story"]
        known = self._stories.pop(story, {})
        if row["verdict"] == "repost":
            known = self._stored(story) | known
        known[row["page"]] = row
        self._stories[story] = known
        if len(self._stories) > _RECENT_STORIES:
            self._stories.popitem(last=False)
        return told_in_order(known.values()) if len(known) > 1 else [row]

    def _stored(self, story: str) -> dict[str, Row]:
        store = store_of(self._crawler)
        rows = store.select(PROPAGATION, [Condition("story", "=", story)]) if store is not None else ()
        return {row["page"]: row for row in rows}


def open_titles(settings: Any) -> SharedTitles:
    """Log and replica as the settings say."""
    return SharedTitles(open_log(settings), new_replica(settings), settings.getint("TITLES_SNAPSHOT_EVERY"))


def check_titles(settings: Any) -> None:
    """Whether a crawl with these settings can compare titles.

    ValueError, SnapshotError or StoreAwayError, each with what to do, if it cannot.
    """
    if not settings.getbool("TITLES_ENABLED", True):
        return
    log = open_log(settings)
    try:
        log.agree(new_replica(settings).terms)
        kept = log.snapshot()
        if kept is not None:
            unpacked(kept)
    finally:
        log.close()


def open_log(settings: Any) -> TitleLog:
    """The log that TITLES_LOG names, a file or the Redis of the crawl; ValueError for another."""
    kind = settings["TITLES_LOG"]
    if kind == "local":
        return FileLog(Path(settings["DATA_DIR"]) / "titles.db")
    if kind != "redis":
        raise ValueError(f"TITLES_LOG is local or redis, not {kind!r}")
    from pipelines.titles.stream import Server, open_stream  # its client is large, and one node has no use for it

    server = Server(
        settings.get("REDIS_URL", ""),
        settings.getlist("REDIS_SENTINELS"),
        settings.get("REDIS_SENTINEL_MASTER", "mymaster"),
        settings.getint("REDIS_DB", 0),
        settings.getdict("REDIS_PARAMS"),
        settings.getdict("REDIS_SENTINEL_PARAMS"),
    )
    return open_stream(server, settings["TITLES_KEY"] or "{titles}")


def new_replica(settings: Any) -> Replica:
    """An empty replica with threshold, rules and segmenter that the settings ask for; ValueError for what is no number."""
    rules = Rules(
        numbers=settings.getbool("TITLES_COMPARE_NUMBERS", True),
        window_days=int(_number(settings, "TITLES_WINDOW_DAYS", 0)),
        wording=settings.getbool("TITLES_COMPARE_LETTERS", True),
        reach=_number(settings, "TITLES_LOWER_THRESHOLD", 0.74),
    )
    segmenter = Segmenter(settings.get("SEGMENTER", "auto"))
    return Replica(_number(settings, "TITLES_THRESHOLD", 0.8), rules, segmenter)


def _number(settings: Any, name: str, default: float) -> float:
    try:
        return float(settings.getfloat(name, default))
    except (TypeError, ValueError):
        raise ValueError(f"{name} is a number, not {settings[name]!r}") from None


def day_of(published: str) -> int:
    """Days since 1970 of an ISO 8601 time; 0 if it is none."""
    try:
        return date.fromisoformat(published[:10]).toordinal() - date(1970, 1, 1).toordinal()
    except ValueError:
        return 0


def propagation_row(item: Any, *, count_records: bool = True) -> dict[str, Any]:
    """What is known of a page before its title was compared; its records only where they are wanted."""
    page, article = item.page, item.page.article
    records = page.records.records if count_records else ()
    first = next((record for record in records if record.is_first), None)
    return {
        "page": url_key(item.url),
        "title": article.title,
        "url": item.url,
        "site": article.source or host_of(item.url),
        "author": article.author,
        "published": article.published,
        "keywords": list(article.keywords),
        "replies": count_of(first.replies) if first else None,
        "views": count_of(first.views) if first else None,
        "comments": max(0, len(records) - (1 if first else 0)),
        "fetched_at": page.fetched_at.isoformat(timespec="seconds"),
    }


def described(decision: Decision) -> dict[str, Any]:
    """A decision as columns."""
    return {
        "story": decision.story,
        "original": decision.story,
        "verdict": decision.verdict,
        "rule": decision.rule,
        "matched": decision.matched,
        "cosine": round(decision.cosine, 4),
        "delay_hours": None,
        "reposts": 0,
    }
