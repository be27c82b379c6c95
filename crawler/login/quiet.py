"""Requests of a log-in leave no line in the log: their addresses may hold tickets that stand for the password."""

from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.logformatter import LogFormatter

from crawler.meta import LOGIN_KEY


class QuietLogFormatter(LogFormatter):
    """Scrapy's own, without those."""

    def crawled(self, request: Request, response: Response, spider: Spider) -> Any:
        """None for a request of a log-in."""
        return None if LOGIN_KEY in request.meta else super().crawled(request, response, spider)
