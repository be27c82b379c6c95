"""The client identity of a request: one of its site's identities, and a browser."""

from functools import lru_cache
from hashlib import blake2b
from typing import Any, Self, cast

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers

from crawler.download.browsers import Platform, browser_of, check_impersonation, target_of
from crawler.meta import IDENTITY_KEY, IMPERSONATE_KEY, LOGIN_KEY, VISITOR_KEY, settings_host, visitor_of
from crawler.services import services_of
from extractors.links.urls import host_of


class IdentityMiddleware:
    """Distributes a site's addresses over its identities, each address always to the same one."""

    def __init__(self, crawler: Crawler) -> None:
        self._sites = services_of(crawler).sites

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        sites = services_of(crawler).sites
        if not any(site.identities for site in (sites.default, *sites.named.values())):
            raise NotConfigured
        return cls(crawler)

    def process_request(self, request: Request, spider: Any = None) -> None:
        """Set the identity and its cookie jar; requests of log-ins already have both."""
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
            if (name := request.meta.get(key)) in names:  # redirects keep their identity
                return str(name)
        number = int.from_bytes(blake2b(request.url.encode(), digest_size=4).digest(), "big")
        return names[number % len(names)]


_LANGUAGES = "zh-CN,zh;q=0.9,en;q=0.8"


class UserAgentMiddleware:
    """Sets agent, client hints and language by `user_agent`; a visitor of a host is always the same browser."""

    def __init__(self, crawler: Crawler) -> None:
        self._sites = services_of(crawler).sites

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        sites = services_of(crawler).sites
        if all(site.user_agent == "own" for site in (sites.default, *sites.named.values())):
            raise NotConfigured
        return cls(crawler)

    def process_request(self, request: Request, spider: Any = None) -> None:
        """Set the headers of a browser, or the operator's text; hints only for https, like browsers."""
        _, identity, proxy = visitor_of(request)
        host = settings_host(request)
        site = self._sites.of(host)
        policy = site.user_agent
        if policy == "own":
            return
        if policy not in ("desktop", "mobile", "any"):
            request.headers["User-Agent"] = policy
            return
        visitor, secure = identity or f"{host} {proxy}", request.url.startswith("https:")
        known = _headers(visitor, cast(Platform, policy), site.impersonate, secure)
        # bypass Scrapy's normalisation and encoding of headers; these are normalised
        dict.update(request.headers, {name: [*values] for name, values in known.items()})


@lru_cache(maxsize=20_000)
def _headers(visitor: str, platform: Platform, impersonate: str, secure: bool) -> dict[bytes, list[bytes]]:
    browser = browser_of(visitor, platform, impersonate)
    hints = browser.hints if secure else {}
    return dict(dict.items(Headers({"User-Agent": browser.agent, "Accept-Language": _LANGUAGES, **hints})))


class ImpersonateMiddleware:
    """Runs after the agent is chosen: https requests get the TLS of the browser in the agent; http is unchanged."""

    def __init__(self, crawler: Crawler) -> None:
        self._sites = services_of(crawler).sites

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not any(site.impersonate for site in services_of(crawler).sites.all()):
            raise NotConfigured
        check_impersonation(crawler.settings)
        return cls(crawler)

    def process_request(self, request: Request, spider: Any = None) -> None:
        """Set the browser; remove a name copied from another site by a redirect."""
        request.meta.pop(IMPERSONATE_KEY, None)
        if request.url.startswith("https:") and self._sites.of(settings_host(request)).impersonate:
            agent = (request.headers.get("User-Agent") or b"").decode("latin-1")
            if target := target_of(agent):
                request.meta[IMPERSONATE_KEY] = target
