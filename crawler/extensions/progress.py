"""Progress of a crawl: a live line on a terminal, else a plain line every few seconds, and a summary at the end."""

import os
import shlex
import shutil
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings
from twisted.internet.task import LoopingCall

from crawler.command_line import printable, say_aside
from crawler.config import shown
from crawler.extensions.tally import Tally
from crawler.services import services_of
from crawler.terms.term_store import TermStore
from extractors.topic.model import Topic
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address

if TYPE_CHECKING:
    from crawler.extensions.live_line import LiveLine


class Progress:
    """Writes to standard error; PROGRESS_SECONDS is the interval of plain lines, 0 turns it off."""

    def __init__(self, crawler: Crawler, seconds: float) -> None:
        self._crawler = crawler
        self._seconds = seconds
        self._live: LiveLine | None = None
        self._timer = LoopingCall(self._show)
        self._started = time.monotonic()
        self._tally = Tally.of(crawler)
        self._shown: list[str] = []

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        seconds = crawler.settings.getfloat("PROGRESS_SECONDS")
        if not seconds:
            raise NotConfigured
        progress = cls(crawler, seconds)
        for handler, signal in (
            (progress._opened, signals.spider_opened),
            (progress._closed, signals.spider_closed),
        ):
            crawler.signals.connect(handler, signal=signal)
        return progress

    def _opened(self, spider: Spider) -> None:
        if sys.stderr.isatty():
            from crawler.extensions.live_line import LiveLine  # its library is needed only on a terminal

            self._live = LiveLine()
        self._timer.start(1.0 if self._live else self._seconds, now=False)

    def _line(self) -> str:
        stats = self._crawler.stats
        counts = {
            name: stats.get_value(f"frontier/{name}", 0) if stats else 0
            for name in ("queued", "dead", "failed_attempts")
        }
        seconds, tally = time.monotonic() - self._started, self._tally
        lost = "".join(
            f"{count} {name.replace('_', ' ')}  " for name, count in tally.counts().items() if count and name != "pages"
        )
        paused = stats.get_value("frontier/paused", "") if stats else ""
        harvest = f" ({tally.pages / max(1, tally.read):.0%} harvest)" if self._topic() else ""
        return (
            f"{tally.read} pages read  {tally.pages} kept{harvest}  {lost}{tally.articles} articles  "
            f"{tally.answers / max(seconds, 0.001):.1f} answers/s  "
            f"{counts['queued']} queued  {counts['failed_attempts']} retries  {tally.errors + counts['dead']} errors  "
            f"{seconds:.0f} s{paused and f'  paused: {paused}'}"
        )

    def _of_spider(self) -> list[str]:
        """The spider's own lines."""
        progress = getattr(self._crawler.spider, "progress", None)
        return [f"  {line}" for line in progress()] if progress else []

    def _of_workers(self) -> list[str]:
        """The number of worker processes, and why they were started; nothing if there were none."""
        stats = self._crawler.stats
        workers = stats.get_value("reading/workers", 0) if stats else 0
        return (
            [f"  {workers} worker processes parse pages, {stats.get_value('reading/reason')}"]
            if stats and workers
            else []
        )

    def _topic(self) -> Topic | None:
        topic = getattr(getattr(self._crawler.spider, "strategy", None), "topic", None)
        return topic if isinstance(topic, Topic) else None

    def _of_topic(self) -> list[str]:
        """Advice if the topic keeps few pages, or is unsure of many; the pipelines' store is closed by now."""
        topic = self._topic()
        if topic is None:
            return []
        try:
            with closing(open_store(store_address(self._crawler.settings))) as store:
                return [
                    f"  {line}" for line in self._tally.misses.lines(TermStore(store, topic).library().topic(), store)
                ]
        except StoreError as error:
            return [f"  What would help the topic is unknown: {error}"]

    def _show(self) -> None:
        lines = self._of_spider()
        if self._live:
            self._live.show("\n".join([shown(self._line()), *map(shown, lines)]))
            return
        changed = [line for line in lines if line not in self._shown]
        self._shown = lines
        print(printable("\n".join([shown(self._line()), *map(shown, changed)])), file=sys.stderr, flush=True)

    def _closed(self, spider: Spider, reason: str) -> None:
        if self._timer.running:
            self._timer.stop()
        if self._live:
            self._live.close()
        storage = services_of(self._crawler).storage
        where = storage.store.location if storage and storage.store else ""
        print(
            shown(services_of(self._crawler).end(reason).sentence.rstrip(".")) + shown(": ") + shown(self._line()),
            file=sys.stderr,
        )
        for line in (*self._of_spider(), *self._of_workers(), *self._of_topic()):
            say_aside(line)
        print(shown(f"Data: {where}   ({_export_command(self._crawler.settings)})"), file=sys.stderr, flush=True)


def _export_command(settings: BaseSettings) -> str:
    """The command that exports this crawl's data, for the same shell."""
    program = Path(sys.argv[0])
    if program.name != "scrapy":
        words = [sys.executable, "-m", "scrapy"] if program.name == "__main__.py" else ["scrapy"]
    else:
        found = shutil.which("scrapy")
        words = ["scrapy"] if found and Path(found).resolve() == program.resolve() else [sys.argv[0]]
    words.append("export")
    for name in ("STORE", "DATA_DIR"):
        if settings.getpriority(name) == SETTINGS_PRIORITIES["cmdline"] and "@" not in str(settings[name]):
            words += ["-s", f"{name}={settings[name]}"]  # an address with "@" contains a password
    project = os.environ.get("SCRAPY_PROJECT")
    return (f"SCRAPY_PROJECT={project} " if project else "") + f"{shlex.join(words)} > articles.csv"
