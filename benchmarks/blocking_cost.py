"""CPU of the middlewares against blocking, all on, per request: `python -m benchmarks.blocking_cost`."""

import argparse
import asyncio
import logging
import tempfile
import time
from pathlib import Path
from typing import Any

from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from crawler.middlewares.bans import BanMiddleware, RefusingRedirects
from crawler.middlewares.client_identity import IdentityMiddleware, UserAgentMiddleware
from crawler.middlewares.logins import LoginMiddleware, LoginRedirects
from crawler.middlewares.scrapy_overrides import JarsMiddleware
from crawler.middlewares.site_proxies import ProxyMiddleware

_PARTS = (
    IdentityMiddleware, LoginMiddleware, ProxyMiddleware, UserAgentMiddleware, BanMiddleware, LoginRedirects,
    RefusingRedirects,
)  # fmt: skip


async def _cost(part: Any, requests: list[Request], body: bytes) -> float:
    begin = time.process_time()
    for request in requests:
        answer = part.process_request(request)
        if asyncio.iscoroutine(answer):
            await answer
        if hasattr(part, "process_response"):
            response = part.process_response(request, HtmlResponse(request.url, body=body))
            if asyncio.iscoroutine(response):
                await response
    return (time.process_time() - begin) / len(requests) * 1e3


async def _table(folder: Path, count: int, size: int) -> None:
    (folder / "sites").mkdir()
    (folder / "proxies.txt").write_text("\n".join(f"http://proxy{number}.example:80" for number in range(6)))
    text = "proxies: proxies.txt\nidentities: [a, b, c, d]\nuser_agent: any\nlogin: {}\n"
    (folder / "sites" / "example.yaml").write_text(text)
    given = {"TOPICRAWL_SETTINGS_DIR": folder, "DATA_DIR": folder, "BANS_ENABLED": True}
    crawler = get_crawler(settings_dict=given)
    crawler.stats = None
    JarsMiddleware.from_crawler(crawler)
    body = ("<html><title>A page</title><p>" + "文字 and words, " * 10_000).encode()[:size]
    requests = [Request(f"https://host{number % 200}.example/{number}") for number in range(count)]
    total = 0.0
    for part in _PARTS:
        cost = await _cost(part.from_crawler(crawler), requests, body)
        total += cost
        print(f"{part.__name__:22}{cost:8.4f} ms")
    print(f"{'all':22}{total:8.4f} ms a request, making the answers included (pages of {size:,} bytes)")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument(
        "--size", type=int, default=31_000, help="bytes of a page; from 32,000 on marks are not looked for"
    )
    given = parser.parse_args()
    logging.disable()
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(_table(Path(name), given.requests, given.size))


if __name__ == "__main__":
    main()
