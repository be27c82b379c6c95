"""A crawl of a topic over pages that are at hand, without network: its own judge, order and link follower decide.

The frontier is that of a real crawl in memory: hosts by priority band, in turn within a band, within a host by priority.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request
from scrapy.settings import BaseSettings

from crawler.frontier.rescorer import Rescorer, When
from crawler.links.follower import LinkFollower
from crawler.links.scope import Scope
from crawler.links.traps import PatternYields, has_own_text
from crawler.meta import DEPTH_KEY, FOUND_BY_KEY, PROMOTE_KEY, REFERRER_KEY
from crawler.priorities import BAND
from crawler.strategies.base import PageVerdict
from crawler.strategies.topical import TopicalStrategy
from extractors.links.urls import host_of
from extractors.page import Page
from pipelines.items import PageItem


@dataclass(frozen=True, slots=True)
class Answer:
    """The content of an address: the page there, if it is at hand; `missing` if it is known that there is none."""

    url: str
    page: Page | None = None
    missing: bool = False


@dataclass(frozen=True, slots=True)
class DryStep:
    """A request that would be sent.

    Attributes:
        expected: its score, 0 … 1. why: as the order gives it, "" if it gives no reason.
        answer: what is there. verdict: of its page, None if that is not at hand or was read before.
    """

    request: Request
    expected: float
    why: str
    answer: Answer
    verdict: PageVerdict | None


class DryCrawl:
    """A crawl from start pages.

    Args:
        read: what is at an address.
        listed: what sitemaps list of a host.
    """

    def __init__(
        self,
        settings: BaseSettings,
        strategy: TopicalStrategy,
        starts: Sequence[str],
        read: Callable[[str], Answer],
        listed: Callable[[str], Iterable[str]] = lambda host: (),
    ) -> None:
        self._strategy, self._starts, self._answered, self._listed = strategy, starts, read, listed
        self._queue, self._rescorer = _Queue(), Rescorer(strategy)
        self._follower = LinkFollower(
            Scope(list(starts), []),
            strategy,
            PatternYields(),
            depth=settings.getint("SITE_MAX_DEPTH"),
            per_host=settings.getint("SITE_MAX_PAGES_PER_HOST"),
        )

    def steps(self) -> Iterator[DryStep]:
        """Each request in the order of sending, until none waits."""
        done: set[str] = set()
        for url in self._starts:
            self._queue.push(self._follower.start(url, _nothing, {FOUND_BY_KEY: "start"}))
            for request in self._follower.listed(self._listed(host_of(url)), _nothing, "sitemap"):
                self._queue.push(request)
        while waiting := self._queue.pop():
            turn = None if waiting.url in done else self._of_turn(waiting)
            if turn is not None:
                yield self._sent(turn, done)

    def _sent(self, request: Request, done: set[str]) -> DryStep:
        why, answer = self._strategy.why(request.url), self._answered(request.url)
        self._rescorer.found(request.url, missing=answer.missing)
        is_known = answer.url != request.url and answer.url in done
        done |= {request.url, answer.url}
        verdict = None if is_known or answer.page is None else self._read(answer.page, request, answer.url)
        return DryStep(request, request.priority / self._strategy.scale, why, answer, verdict)

    def _of_turn(self, request: Request) -> Request | None:
        """The request if it is sent now; else it is queued again, or dropped."""
        when = self._rescorer.at(request)
        if when is When.LATER:
            self._queue.push(request)
        return request if when is When.NOW else None

    def _read(self, page: Page, request: Request, url: str) -> PageVerdict:
        verdict, meta = self._strategy.judge(url, page), request.meta
        item = PageItem(
            url=url,
            requested_url=url,
            status=200,
            page=page,
            links=page.links,
            depth=meta.get(DEPTH_KEY, 0),
            topic=verdict.topic,
            relevance=verdict.relevance,
            relevant=verdict.relevant,
            lead=verdict.lead,
            referrer=meta.get(REFERRER_KEY, ""),
        )
        requests = list(self._follower.requests(item, _nothing))
        for found in self._follower.learn(item, has_own_text(page), requests):
            self._queue.push(found)
        return verdict


@dataclass(slots=True)
class _Queue:
    """Requests by host."""

    _hosts: dict[str, list[tuple[int, int, Request]]] = field(default_factory=dict)
    _served: dict[str, int] = field(default_factory=dict)
    _waiting: dict[str, Request] = field(default_factory=dict)
    _turn: int = 0

    def push(self, request: Request) -> None:
        """A new request, or a better place for one that waits."""
        self._turn += 1
        if PROMOTE_KEY in request.meta:
            request = self._waiting[request.url].replace(priority=request.priority)
        self._waiting[request.url] = request
        heapq.heappush(self._hosts.setdefault(host_of(request.url), []), (-request.priority, self._turn, request))

    def pop(self) -> Request | None:
        """The next one; None if there is none."""
        waiting = [host for host, heap in self._hosts.items() if heap]
        if not waiting:
            return None
        host = max(waiting, key=lambda host: (-self._hosts[host][0][0] // BAND, -self._served.get(host, 0)))
        self._turn += 1
        self._served[host] = self._turn
        return heapq.heappop(self._hosts[host])[2]


def _nothing(response: Any) -> Iterator[Any]:
    """The callback of requests that nobody answers."""
    yield from ()
