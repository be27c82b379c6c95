"""Tells the download handler as which browser a request goes out, where its site's settings say so."""

from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from crawler.download.browsers import check_impersonation, target_of
from crawler.meta import IMPERSONATE_KEY, settings_host
from crawler.services import services_of


class ImpersonateMiddleware:
    """After the agent is chosen: TLS is that of the browser which the agent names. http has none, and goes as always."""

    def __init__(self, crawler: Crawler) -> None:
        self._sites = services_of(crawler).sites

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured where no site asks for it; ImpersonationError where it cannot be kept."""
        if not any(site.impersonate for site in services_of(crawler).sites.all()):
            raise NotConfigured
        check_impersonation(crawler.settings)
        return cls(crawler)

    def process_request(self, request: Request, spider: Any = None) -> None:
        """Name the browser; take away the name that a redirect has copied from another site."""
        request.meta.pop(IMPERSONATE_KEY, None)
        if request.url.startswith("https:") and self._sites.of(settings_host(request)).impersonate:
            agent = (request.headers.get("User-Agent") or b"").decode("latin-1")
            if target := target_of(agent):
                request.meta[IMPERSONATE_KEY] = target
