"""Cookies by jar, as Scrapy keeps them; the crawl's other parts can reach the jars, and none is ever logged."""

from typing import Self

from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares import cookies
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware

from crawler.links.scope import SUFFIXES
from crawler.services import services_of

# Scrapy's own would fetch the list of public suffixes from the network, past proxies, delays and private addresses
cookies._split_domain = SUFFIXES


class JarsMiddleware(CookiesMiddleware):
    """Scrapy's own without COOKIES_DEBUG, which would write sessions into the log."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way of making it."""
        made = super().from_crawler(crawler)
        made.debug = False
        services_of(crawler).jars = made.jars
        return made
