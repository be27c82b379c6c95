"""Blocks requests to private addresses, outside a host's hours, into URL traps, and for pages known to be gone."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured

from crawler.clock import crawl_now, wait_time
from crawler.config.sites import Sites
from crawler.download.ip_addresses import PRIVATE_PROXIES, is_local_name, is_public, numeric_address
from crawler.download.one_shot import OneShotSpider
from crawler.meta import FAILURE_KEY, GIVE_BACK_KEY, LOGIN_KEY, WATCH_KEY
from crawler.middlewares.failures import NoAnswerError
from crawler.services import services_of
from extractors.article.kinds import LISTS
from extractors.links.urls import host_of, url_key
from pipelines.stores.base import Row, Store
from pipelines.stores.tables import PAGES, URLS


class AddressMiddleware:
    """Off if ALLOW_PRIVATE_ADDRESSES. Names are checked when they are resolved (`crawler.download.ip_addresses`)."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if crawler.settings.getbool("ALLOW_PRIVATE_ADDRESSES"):
            raise NotConfigured
        return cls()

    async def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for schemes other than http and https, and for private targets."""
        parts = urlsplit(request.url)
        host = parts.hostname or ""
        address = numeric_address(host)
        if parts.scheme not in ("http", "https"):
            raise IgnoreRequest(f"{parts.scheme}: is not fetched")
        if not host or is_local_name(host) or (address and not is_public(address)):
            raise IgnoreRequest(f"{host or request.url} is a private address; see ALLOW_PRIVATE_ADDRESSES")
        if await PRIVATE_PROXIES.forbid(host):
            raise IgnoreRequest(f"{host} is a private address: only the port of the proxy there is used")


class HoursMiddleware:
    """The last check before a request is sent; the frontier holds back requests outside their host's hours."""

    def __init__(self, sites: Sites, clock: Callable[[], float] = wait_time) -> None:
        self._sites = sites
        self._clock = clock

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        sites = services_of(crawler).sites
        if not any(site.hours for site in sites.all()):
            raise NotConfigured
        return cls(sites)

    def process_request(self, request: Request, spider: Any = None) -> None:
        """Raises NoAnswerError outside the host's hours: a request of the host is requeued, a redirect fails until they begin."""
        host = host_of(request.url)
        hours = self._sites.of(host).opening_hours
        now = self._clock()
        if hours is None or (opens := hours.opens(now)) <= now:
            return
        if request.meta.get("redirect_urls"):
            request.meta[FAILURE_KEY] = (f"{host} is outside its hours", opens - now)
        else:
            request.meta[GIVE_BACK_KEY] = True
        raise NoAnswerError(f"{host} is outside its hours")


_OWN_RULES = {LOGIN_KEY, WATCH_KEY}
"""Log-ins and watches decide on their own requests."""


class TrapMiddleware:
    """Drops queued links whose pattern has turned out to be barren.

    Targets of useful pages are always fetched.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._yields = services_of(crawler).yields

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for a link into a URL trap."""
        if self._yields.is_trap(request.url):
            raise IgnoreRequest(f"{request.url} looks like a URL trap: many pages like it had nothing new")


_TRUST, _GROWING_TRUST = timedelta(days=30), timedelta(hours=1)
"""Maximum time of conditional requests after a complete answer. Some servers always answer "not modified", which for a list
would hide all new pages, so growing pages are soon requested unconditionally."""
_GROWING = LISTS | {"thread"}


class RevisitMiddleware:
    """Looks up each page in the URL table, unless the table was empty when the crawl began. Commands that read a page want it whole
    whatever a crawl has stored of it."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._known: bool | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if issubclass(crawler.spidercls, OneShotSpider):
            raise NotConfigured
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for a dead URL; makes the request for a known one conditional."""
        store = services_of(self._crawler).store
        if store is None or request.method != "GET" or request.meta.keys() & _OWN_RULES:
            return
        if self._known is None:
            self._known = next(store.select(URLS, limit=1), None) is not None
        row = store.get(URLS, url_key(request.url)) if self._known else None
        if row is None:
            return
        if row["state"] == "dead":
            raise IgnoreRequest(f"{request.url} was dead before ({row['status']})")
        if (row["etag"] or row["last_modified"]) and _is_trusted(store, row):
            for header, value in (("If-None-Match", row["etag"]), ("If-Modified-Since", row["last_modified"])):
                if value:
                    request.headers.setdefault(header, value)


def _is_trusted(store: Store, row: Row) -> bool:
    """Whether the last complete answer is recent enough; an answer "not modified" does not change the row of the page."""
    page = store.get(PAGES, row["key"])
    if page is not None:
        whole_at, trust = page["fetched_at"], _GROWING_TRUST if page["kind"] in _GROWING else _TRUST
    else:
        whole_at, trust = row["fetched_at"] if row["state"] != "unchanged" else "", _GROWING_TRUST
    return bool(whole_at) and crawl_now() - datetime.fromisoformat(whole_at) < trust
