"""Requests of log-ins are not logged: their addresses may hold tickets that are as good as the password."""

from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.logformatter import LogFormatter

from crawler.meta import LOGIN_KEY


class LoginLogFormatter(LogFormatter):
    """Scrapy's log formatter without requests of log-ins."""

    def crawled(self, request: Request, response: Response, spider: Spider) -> Any:
        """The line for an answer; None for one of a log-in."""
        return None if LOGIN_KEY in request.meta else super().crawled(request, response, spider)
