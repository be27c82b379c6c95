"""The content of the log, and a log file of bounded size for long-running jobs."""

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.logformatter import LogFormatter
from twisted.python.failure import Failure

from crawler.meta import LOGIN_KEY
from pipelines.stores.base import StoreAwayError, StoreBrokenError

_MEGABYTE = 1 << 20


class PatientHandler(RotatingFileHandler):
    """Keeps lines while the disk is full, and writes them once there is space."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the standard library's name
        """Ignore a full disk, since the file's buffer keeps the line."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


class BoundedLog:
    """Rotates Scrapy's LOG_FILE at half of LOG_FILE_MAX_MB; LOG_FILE.1 is the previous part."""

    def __init__(self, path: str, megabytes: float) -> None:
        self._path, self._bytes = path, int(megabytes * _MEGABYTE / 2)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "BoundedLog":
        if not (path := crawler.settings["LOG_FILE"]):
            raise NotConfigured
        made = cls(path, crawler.settings.getfloat("LOG_FILE_MAX_MB"))
        # Scrapy installs its handler again after the extensions are created
        crawler.signals.connect(made.bound, signals.engine_started)
        return made

    def bound(self) -> None:
        """Replace Scrapy's handler by a bounded one."""
        for handler in [each for each in logging.root.handlers if self._writes_here(each)]:
            bounded = PatientHandler(self._path, "a", self._bytes, 1, encoding="utf-8", errors="replace")
            bounded.setFormatter(handler.formatter)
            bounded.setLevel(handler.level)
            for each in handler.filters:
                bounded.addFilter(each)
            logging.root.addHandler(bounded)
            logging.root.removeHandler(handler)
            handler.close()

    def _writes_here(self, handler: logging.Handler) -> bool:
        plain = isinstance(handler, logging.FileHandler) and not isinstance(handler, RotatingFileHandler)
        return plain and Path(getattr(handler, "baseFilename", "")) == Path(self._path).absolute()


class CrawlLogFormatter(LogFormatter):
    """Scrapy's log formatter for crawls with log-ins and a store."""

    def crawled(self, request: Request, response: Response, spider: Spider) -> Any:
        """The line for an answer; None for a log-in, whose address may contain a ticket equivalent to the password."""
        if LOGIN_KEY in request.meta or not _is_read(logging.DEBUG):
            return None
        return super().crawled(request, response, spider)

    def scraped(self, item: Any, response: Response | Failure | None, spider: Spider) -> Any:
        """The line for an item; None if it would not be logged."""
        return super().scraped(item, response, spider) if _is_read(logging.DEBUG) else None

    def item_error(
        self, item: Any, exception: BaseException, response: Response | Failure | None, spider: Spider
    ) -> Any:
        """The line, with a traceback, for a failed item; at level DEBUG if the store failed, which the crawl reports once."""
        return _quiet(super().item_error(item, exception, response, spider), exception)

    def spider_error(self, failure: Failure, request: Request, response: Response | Failure, spider: Spider) -> Any:
        """The line for a failed callback."""
        return _quiet(super().spider_error(failure, request, response, spider), failure.value)


def _is_read(level: int) -> bool:
    """Whether a line of Scrapy's core would be written; Scrapy creates a record of each, even if handlers drop it."""
    named: logging.Logger | None = logging.getLogger("scrapy.core")
    while named is not None:
        if any(handler.level <= level for handler in named.handlers):
            return True
        named = named.parent if named.propagate else None
    return False


def _quiet(line: Any, error: BaseException | None) -> Any:
    return line | {"level": logging.DEBUG} if isinstance(error, (StoreAwayError, StoreBrokenError)) else line
