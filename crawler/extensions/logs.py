"""What is written into the log, and a log file that stays within bounds however long the job runs, as jobs on a node do."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.logformatter import LogFormatter

from crawler.meta import LOGIN_KEY

_MEGABYTE = 1 << 20


class BoundedLog:
    """Where Scrapy writes into LOG_FILE: begins anew at half of LOG_FILE_MAX_MB; LOG_FILE.1 is what was just before."""

    def __init__(self, path: str, megabytes: float) -> None:
        self._path, self._bytes = path, int(megabytes * _MEGABYTE / 2)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "BoundedLog":
        path, megabytes = crawler.settings["LOG_FILE"], crawler.settings.getfloat("LOG_FILE_MAX_MB")
        if not path or megabytes <= 0:
            raise NotConfigured
        made = cls(path, megabytes)
        # Scrapy sets its handler up again after the extensions were made
        crawler.signals.connect(made.bound, signals.engine_started)
        return made

    def bound(self) -> None:
        """Put a bounded handler in the place of Scrapy's."""
        for handler in [each for each in logging.root.handlers if self._writes_here(each)]:
            bounded = RotatingFileHandler(self._path, "a", self._bytes, 1, encoding="utf-8", errors="replace")
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


class LoginLogFormatter(LogFormatter):
    """Scrapy's log formatter without requests of log-ins."""

    def crawled(self, request: Request, response: Response, spider: Spider) -> Any:
        return None if LOGIN_KEY in request.meta else super().crawled(request, response, spider)
