"""One request of a watch, and the operator's options."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from scrapy import Request
from scrapy.settings import BaseSettings

from crawler.meta import FOUND_BY_KEY, LISTED_KEY, REFERRER_KEY, WATCH_KEY
from extractors.links.urls import host_of

PAGE_KINDS = ("page", "recheck", "backlog")
"""Kinds of visits of pages of content; others visit lists of pages."""
_KEPT = ("kind", "source", "level", "grows")
"""Attributes of a visit that its request holds as plain values."""


@dataclass(frozen=True, slots=True)
class WatchVisit:
    """One request.

    Attributes:
        kind: list, feed, map, robots, more (a further page of a list), page, recheck or backlog.
        source: address of the visited source, or of the one that announced the page.
        headers: validators to send.
        level: number of a further page of a list.
        listed: what lists showed of a page, see `pipelines.dating`.
    """

    kind: str
    url: str
    host: str
    source: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    level: int = 0
    grows: bool | None = None
    listed: dict[str, str] = field(default_factory=dict)

    def request(self, callback: Callable[..., Any], errback: Callable[..., Any]) -> Request:
        """The request of this visit."""
        meta: dict[str, Any] = {WATCH_KEY: {name: getattr(self, name) for name in _KEPT}, REFERRER_KEY: self.source}
        meta[FOUND_BY_KEY] = "watch" if self.kind in PAGE_KINDS else "start"
        if self.listed:
            meta[LISTED_KEY] = self.listed
        if self.kind == "recheck":
            meta["dont_redirect"] = True
        if self.kind == "robots":
            meta["dont_obey_robotstxt"] = True
        return Request(self.url, callback, headers=self.headers, errback=errback, meta=meta, dont_filter=True)

    @classmethod
    def of(cls, request: Request) -> Self:
        """The visit of a request, with its address before redirects."""
        url = str((request.meta.get("redirect_urls") or [request.url])[0])
        return cls(url=url, host=host_of(url), **request.meta[WATCH_KEY])


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """The operator's settings.

    Attributes:
        per_hour: total requests per hour. per_host: initially to one host. most_per_host: maximum to one host.
        gap: minimum seconds between two visits of one source.
        rechecks, backlog: shares of all requests.
        words: of the topic; the results of each site's search for them are sources.
    """

    per_hour: float = 1_000.0
    per_host: float = 78.0
    most_per_host: float = 600.0
    gap: float = 30.0
    rechecks: float = 0.2
    backlog: float = 0.05
    words: tuple[str, ...] = ()


@dataclass(slots=True)
class NewPageDelays:
    """Number of new pages fetched from a site, and the sum of seconds from announcement to fetch."""

    count: int = 0
    seconds: float = 0.0


def options_of(settings: BaseSettings, words: tuple[str, ...] = ()) -> WatchOptions:
    """The options from the WATCH_ settings and the words of the topic."""
    return WatchOptions(
        per_hour=settings.getfloat("WATCH_REQUESTS_PER_HOUR"),
        per_host=settings.getfloat("WATCH_HOST_REQUESTS_PER_HOUR"),
        most_per_host=settings.getfloat("WATCH_HOST_REQUESTS_MAX"),
        gap=settings.getfloat("WATCH_MIN_INTERVAL"),
        rechecks=settings.getfloat("WATCH_RECHECK_SHARE"),
        backlog=settings.getfloat("WATCH_BACKLOG_SHARE"),
        words=words,
    )
