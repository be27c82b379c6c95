"""As which of its site's identities a request goes out: each has cookies of its own, and keeps its browser and proxy."""

from hashlib import blake2b
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from crawler.meta import IDENTITY_KEY, LOGIN_KEY, VISITOR_KEY
from crawler.services import services_of
from extractors.links.urls import host_of


class IdentityMiddleware:
    """Spreads a site's addresses over its identities, the same address always to the same one."""

    def __init__(self, crawler: Crawler) -> None:
        self._sites = services_of(crawler).sites

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Raises NotConfigured where no site has identities."""
        sites = services_of(crawler).sites
        if not any(site.identities for site in (sites.default, *sites.named.values())):
            raise NotConfigured
        return cls(crawler)

    def process_request(self, request: Request, spider: Any = None) -> None:
        """Name the identity and its cookie jar; a request of a log-in has both already."""
        host = host_of(request.url)
        if LOGIN_KEY in request.meta:
            request.meta[VISITOR_KEY] = (host, request.meta[IDENTITY_KEY], "")
            return
        names = self._sites.of(host).identities
        if not names:
            for key in ("cookiejar", IDENTITY_KEY, VISITOR_KEY):
                request.meta.pop(key, None)
            return
        name = self._name(request, names)
        request.meta["cookiejar"] = request.meta[IDENTITY_KEY] = name
        request.meta[VISITOR_KEY] = (host, name, "")

    @staticmethod
    def _name(request: Request, names: list[str]) -> str:
        for key in (IDENTITY_KEY, "cookiejar"):
            if (name := request.meta.get(key)) in names:  # a redirect stays with who began
                return str(name)
        number = int.from_bytes(blake2b(request.url.encode(), digest_size=4).digest(), "big")
        return names[number % len(names)]
