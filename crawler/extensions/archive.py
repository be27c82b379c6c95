"""An archive of the crawl: requests and answers in WARC files, written while the crawl runs."""

import asyncio
import os
import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, Response
from scrapy.settings import BaseSettings

from crawler.meta import LOGIN_KEY, READS_REFUSALS_KEY
from crawler.services import services_of
from pipelines.warc.exchange import Exchange
from pipelines.warc.exchange import Headers as Pairs
from pipelines.warc.writer import WarcOptions, WarcWriter

_MAX_QUEUE_BYTES = 32_000_000
"""Queued bytes of unwritten answers above which the crawl pauses."""
_SECRET_HEADER = re.compile(rb"cookie|auth|token|key|secret|session|password", re.IGNORECASE)
_PROXY_HEADER = b"proxy-authorization"


class WarcError(ValueError):
    """The archive cannot be written; the message has the reason and the remedy."""


def check_warc(settings: BaseSettings) -> None:
    """Raises WarcError if WARC_DIR is set but cannot be written."""
    if not (folder := settings["WARC_DIR"]):
        return
    if find_spec("warcio") is None:
        raise WarcError("WARC_DIR needs an extra package: python -m pip install 'topicrawl[warc]'")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WarcError(f"WARC_DIR={folder} cannot be created: {error.strerror}; name another folder") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise WarcError(f"WARC_DIR={folder} cannot be written; change its permissions, or name another folder")


def warc_options(settings: BaseSettings, spider: str) -> WarcOptions:
    obeys = "obey" if settings.getbool("ROBOTSTXT_OBEY") else "ignore"
    info = {"software": "topicrawl/0.1", "http-header-user-agent": str(settings["USER_AGENT"]), "robots": obeys}
    return WarcOptions(
        Path(settings["WARC_DIR"]).absolute(),
        settings.getint("WARC_FILE_BYTES"),
        _MAX_QUEUE_BYTES,
        info | {"description": f"spider {spider}"},
    )


class Archive:
    """Archives each answer before middlewares change it. Log-ins and queries to search engines are omitted, since their
    addresses and bodies contain passwords, tickets and keys."""

    def __init__(self, writer: WarcWriter, crawler: Crawler, keeps_secrets: bool) -> None:
        self._writer, self._crawler, self._keeps_secrets = writer, crawler, keeps_secrets

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        if not settings["WARC_DIR"]:
            raise NotConfigured
        check_warc(settings)
        spider = getattr(crawler.spider or crawler.spidercls, "name", "")
        writer = WarcWriter(warc_options(settings, spider))
        made = cls(writer, crawler, settings.getbool("WARC_SECRETS"))
        for handler, signal in (
            (made._opened, signals.spider_opened),
            (made._answered, signals.response_downloaded),
            (made._stopped, signals.engine_stopped),
        ):
            crawler.signals.connect(handler, signal=signal)
        return made

    def _opened(self, spider: Spider) -> None:
        self._writer.start()
        services_of(self._crawler).delays.append(self._writer.delay)

    def _answered(self, response: Response, request: Request) -> None:
        if LOGIN_KEY in request.meta or request.meta.get(READS_REFUSALS_KEY):
            return
        self._writer.put(exchange_of(request, response, self._keeps_secrets))

    async def _stopped(self) -> None:
        await asyncio.to_thread(self._writer.close)
        if self._crawler.stats:
            self._crawler.stats.set_value("warc/written", self._writer.written)
            self._crawler.stats.set_value("warc/lost", self._writer.lost)


def exchange_of(request: Request, response: Response, keeps_secrets: bool) -> Exchange:
    """The archived form of an answer from the download handler.

    Args:
        keeps_secrets: whether authentication headers are archived too; those for a proxy never are.
    """
    sent = time.time() - float(request.meta.get("download_latency") or 0.0)
    truncated = {"dataloss": "disconnect", "partial": "disconnect"}
    return Exchange(
        url=response.url,
        at=datetime.fromtimestamp(sent, UTC),
        method=request.method,
        request_headers=_pairs(request.headers, keeps_secrets),
        request_body=request.body,
        status=response.status,
        headers=_pairs(response.headers, keeps_secrets),
        body=response.body,
        protocol=response.protocol or "",
        ip=str(response.ip_address or ""),
        truncated=next((truncated[flag] for flag in response.flags if flag in truncated), ""),
    )


def _pairs(headers: Headers, keeps_secrets: bool) -> Pairs:
    found: Iterable[tuple[bytes, list[bytes]]] = headers.items()
    return tuple((name, value) for name, values in found if _is_kept(name, keeps_secrets) for value in values)


def _is_kept(name: bytes, keeps_secrets: bool) -> bool:
    return name.lower() != _PROXY_HEADER and (keeps_secrets or not _SECRET_HEADER.search(name))
