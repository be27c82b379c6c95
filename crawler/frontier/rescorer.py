"""Rescores requests when their turn comes; those whose score has fallen are requeued.

Links are scored when they are found. Later the crawl learns what their hosts bring, and which kinds of addresses are
gone. Only the request at the head of the queue is rescored ("lazy" best-first search), so that nothing else has
to be moved.
"""

from enum import Enum

from scrapy import Request
from scrapy.http import Response

from crawler.frontier.gone_patterns import GonePatterns, is_missing
from crawler.meta import DEPTH_KEY, PUT_OFF_KEY, RESCORED_KEY
from crawler.priorities import BAND, LAST_PRIORITY, priority_of
from crawler.strategies.base import LinkStrategy

_MAX_RESCORED = 3
"""A request is sent after it was requeued this often for its score."""


class When(Enum):
    """The decision on a request whose turn has come."""

    NOW = "it is sent"
    LATER = "it is requeued with the priority that it has now"
    NEVER = "it is dropped"


class Rescorer:
    """Decides whether the request at the head of the queue is sent, requeued, or dropped.

    Args:
        strategy: scores the links; None for crawls without links.
    """

    def __init__(self, strategy: LinkStrategy | None) -> None:
        self._gone_patterns = GonePatterns()
        self._strategy = strategy

    def answered(self, request: Request, response: Response) -> None:
        """Note an answer."""
        self.found(request.url, missing=is_missing(response.status, response.body))

    def found(self, url: str, *, missing: bool) -> None:
        """Note the outcome of a request for this address."""
        self._gone_patterns.answered(url, missing=missing)

    def at(self, request: Request) -> When:
        """Look at a request; it gets a lower priority if it is to be requeued."""
        if request.method != "GET":
            return When.NOW
        if PUT_OFF_KEY in request.meta:
            return When.NEVER if self._gone_patterns.drops(request.url) else When.NOW
        if self._gone_patterns.holds(request.url):
            request.priority = LAST_PRIORITY
            request.meta[PUT_OFF_KEY] = True
            return When.LATER
        return self._rescored(request)

    def _rescored(self, request: Request) -> When:
        times = request.meta.get(RESCORED_KEY, 0)
        if self._strategy is None or times >= _MAX_RESCORED or request.priority > self._strategy.scale:
            return When.NOW
        score = None if DEPTH_KEY not in request.meta else self._strategy.present_score(request.url)
        priority = None if score is None else priority_of(score, self._strategy.scale)
        if priority is None or priority >= request.priority - BAND:
            return When.NOW
        request.priority = priority
        request.meta[RESCORED_KEY] = times + 1
        return When.LATER
