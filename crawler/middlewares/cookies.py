"""Cookies by jar, as Scrapy keeps them; the crawl's other parts can reach the jars, and none is ever logged."""

from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares import cookies
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http.cookies import CookieJar

from crawler.links.scope import SUFFIXES

# Scrapy's own would fetch the list of public suffixes from the network, past proxies, delays and private addresses
cookies._split_domain = SUFFIXES


class JarsMiddleware(CookiesMiddleware):
    """Scrapy's own without COOKIES_DEBUG, which would write sessions into the log."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way of making it."""
        made = super().from_crawler(crawler)
        made.debug = False
        crawler.jars = made.jars  # type: ignore[attr-defined]  # shared by the middlewares, as Scrapy's own `stats` is
        return made


def jars_of(crawler: Crawler) -> dict[Any, CookieJar]:
    """The crawl's jars by name."""
    jars: dict[Any, CookieJar] = crawler.jars  # type: ignore[attr-defined]
    return jars
