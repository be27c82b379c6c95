"""Tests proxies with a judge, a page that shows the request it received. Proxies are used through a crawl's download handlers."""

import asyncio
import ipaddress
import json
import logging
import re
import socket
import time
from collections.abc import Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from scrapy import Request
from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.http import Response

from crawler.download.ip_addresses import PRIVATE_PROXIES
from crawler.download.one_shot import OneShotSpider, download, run_task
from crawler.proxies.proxy_pool import Proxy
from extractors.links.urls import host_of

_PROXY_HEADERS = (
    "via", "forwarded", "x-forwarded-for", "x-forwarded", "x-real-ip", "client-ip", "x-client-ip", "proxy-connection",
    "x-proxy-id", "true-client-ip", "cf-connecting-ip", "x-originating-ip",
)  # fmt: skip
"""Headers that only proxies add."""
_ADDRESS_KEYS = frozenset(("address", "origin", "ip", "remote_addr", "client_ip", "query"))
_IPV4 = r"\d{1,3}(?:\.\d{1,3}){3}"
_REMOTE = re.compile(rf"REMOTE_ADDR\W{{1,20}}({_IPV4}|[\da-f:]{{3,39}})", re.I)
_ANY_IPV4 = re.compile(rf"(?<![\d.])({_IPV4})(?!\.?\d)")
_MAX_ANSWER_CHARS = 100_000
Secrecy = Literal["anonymous", "reveals that it is a proxy", "leaks our address", "unknown"]


@dataclass(frozen=True, slots=True)
class ProxyVerdict:
    """The result of testing one proxy. `said`: why it does not work. `seconds`: the time of one answer."""

    label: str
    works: bool
    seconds: float = 0.0
    exit_address: str = ""
    secrecy: Secrecy = "unknown"
    said: str = ""


def exit_address(answer: str) -> str:
    """The address that the judge saw: from a field with a known name, else the first address in its answer."""
    text = answer[:_MAX_ANSWER_CHARS]
    found = (
        _json_address(text)
        or ((match := _REMOTE.search(text)) and match[1])
        or ((match := _ANY_IPV4.search(text)) and match[1])
    )
    return found or ""


def secrecy_of(answer: str, own: Iterable[str]) -> Secrecy:
    """How much a request through the proxy reveals to a site.

    Args:
        answer: the judge's JSON or text with the headers of the request.
        own: addresses of this machine, including the one that the judge sees without a proxy.
    """
    text = answer[:_MAX_ANSWER_CHARS].lower()
    if any(_has_address(text, address.lower()) for address in own if address):
        return "leaks our address"
    named = text.replace("http_", "").replace("_", "-")  # CGI variables, like HTTP_X_REAL_IP
    return "reveals that it is a proxy" if any(_has_field(name, named) for name in _PROXY_HEADERS) else "anonymous"


def own_addresses() -> set[str]:
    try:
        found = {str(entry[4][0]).partition("%")[0] for entry in socket.getaddrinfo(socket.gethostname(), None)}
    except OSError:
        return set()
    return {address for address in found if not ipaddress.ip_address(address).is_loopback}


def _has_address(text: str, address: str) -> bool:
    """Whether the text has the address, and not only as a part of a longer one."""
    before, after = (r"(?<![\da-f:])", r"(?![\da-f:])") if ":" in address else (r"(?<![\d.])", r"(?!\.?\d)")
    return re.search(f"{before}{re.escape(address)}{after}", text) is not None


def _has_field(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){name}[\"']?\s{{0,5}}[:=]", text) is not None


def _json_address(text: str) -> str:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    fields = value.items() if isinstance(value, dict) else ()
    found = next((field for name, field in fields if str(name).lower() in _ADDRESS_KEYS and isinstance(field, str)), "")
    return found.split(",")[-1].strip()


class _Handler(BaseHTTPRequestHandler):
    timeout = 10

    def do_GET(self) -> None:
        """Answer with the address and the headers of the visitor as JSON."""
        seen = {"address": self.client_address[0], "headers": dict(self.headers.items())}
        body = json.dumps(seen, indent=1).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class JudgeServer(ThreadingHTTPServer):
    """Listens on an address and a port (0: a free one). Raises OSError if that fails."""

    daemon_threads = True

    def __init__(self, address: str, port: int) -> None:
        super().__init__((address, port), _Handler)


logger = logging.getLogger(__name__)
_CONCURRENCY = 16
_OFF = (
    "crawler.middlewares.failures.FailureMiddleware",
    "crawler.middlewares.robots.RobotsMiddleware",
    "crawler.middlewares.client_identity.IdentityMiddleware",
    "crawler.middlewares.logins.LoginMiddleware",
    "crawler.middlewares.logins.LoginRedirects",
    "crawler.middlewares.site_proxies.ProxyMiddleware",
    "crawler.middlewares.bans.BanMiddleware",
    "crawler.middlewares.bans.RefusingRedirects",
    "crawler.middlewares.request_filters.HoursMiddleware",
    "crawler.middlewares.request_filters.RevisitMiddleware",
    "crawler.middlewares.scrapy_overrides.ScopedRedirectMiddleware",
)


class ProxySpider(OneShotSpider):
    """Without the middlewares for crawled sites: the operator has named the judge and the proxies."""

    name = "proxies"
    custom_settings = {
        **OneShotSpider.custom_settings,
        "ALLOW_PRIVATE_ADDRESSES": True,
        "DOWNLOADER_MIDDLEWARES": dict.fromkeys(_OFF),
    }


def try_proxies(process: CrawlerProcessBase, proxies: list[Proxy], judge: str, seconds: float) -> list[ProxyVerdict]:
    """Test each proxy. Runs the reactor, which a process can do only once."""
    verdicts: list[ProxyVerdict] = []
    PRIVATE_PROXIES.hosts.update({host_of(judge), *(host_of(proxy.url) for proxy in proxies)})

    async def try_all(crawler: Crawler) -> None:
        verdicts.extend(await _Judging(crawler, judge, seconds).verdicts(proxies))

    run_task(process, try_all, ProxySpider)
    return verdicts


@dataclass(frozen=True, slots=True)
class _Judging:
    """Requests the judge, with a timeout of `seconds`."""

    crawler: Crawler
    judge: str
    seconds: float

    async def verdicts(self, proxies: list[Proxy]) -> list[ProxyVerdict]:
        """The verdict on each proxy. The first request uses no proxy, to learn our own address."""
        own = own_addresses()
        try:
            own.add(exit_address((await self._answer(None)).body.decode("utf-8", "replace")))
        except Exception as error:  # the proxies are tested anyway
            logger.warning("The judge does not answer without a proxy (%s): leaks may be missed", type(error).__name__)
        own.discard(host_of(self.judge))  # it is in every request
        gate = asyncio.Semaphore(_CONCURRENCY)
        return await asyncio.gather(*(self._try(proxy, own, gate) for proxy in proxies))

    async def _try(self, proxy: Proxy, own: set[str], gate: asyncio.Semaphore) -> ProxyVerdict:
        async with gate:
            begun = time.monotonic()
            try:
                response = await self._answer(proxy.url)
            except Exception as error:  # any error means that it does not work
                return ProxyVerdict(proxy.label, False, said=_reason(error))
        seconds = round(time.monotonic() - begun, 3)
        if response.status != 200:
            return ProxyVerdict(proxy.label, False, seconds, said=f"HTTP {response.status}")
        text = response.body.decode("utf-8", "replace")
        return ProxyVerdict(proxy.label, True, seconds, exit_address(text), secrecy_of(text, own))

    async def _answer(self, proxy: str | None) -> Response:
        meta = {"proxy": proxy, "download_timeout": self.seconds, "dont_redirect": True}
        return await download(self.crawler, Request(self.judge, meta=meta))


def _reason(error: Exception) -> str:
    """A short text for an error, without its message, which may contain the proxy's address and password."""
    words = {
        "DownloadConnectionRefusedError": "refuses connections",
        "DownloadTimeoutError": "does not answer in time",
        "CannotResolveHostError": "its name cannot be resolved",
    }
    return words.get(type(error).__name__, type(error).__name__)
