"""One page fetched for a command, with every guard of a crawl but without frontier and database."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcessBase
from scrapy.http import Response
from twisted.python.failure import Failure

from crawler.addon import SILENT_EXTENSIONS


@dataclass(slots=True)
class Fetched:
    """What became of the request; `error` is "" if there was an answer."""

    url: str
    body: bytes = b""
    content_type: str = ""
    status: int = 0
    error: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class OnePageSpider(Spider):
    """Asks for one URL and keeps the answer."""

    name = "one-page"
    custom_settings = {
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "ITEM_PIPELINES": {},
        "EXTENSIONS": SILENT_EXTENSIONS,
        "HTTPERROR_ALLOW_ALL": True,
    }

    def __init__(self, fetched: Fetched, request: Request | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._fetched = fetched
        self._request = request

    async def start(self) -> AsyncIterator[Request]:
        """The one request."""
        request = self._request or Request(self._fetched.url)
        yield request.replace(callback=self.parse, errback=self.on_failure, dont_filter=True)

    def parse(self, response: Response) -> None:
        """Keep the answer."""
        self._fetched.url, self._fetched.status, self._fetched.body = response.url, response.status, response.body
        self._fetched.headers = {
            name.decode("latin-1").lower(): (response.headers[name] or b"").decode("latin-1")
            for name in response.headers
        }
        self._fetched.content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")

    def on_failure(self, failure: Failure) -> None:
        """Keep why there is none."""
        self._fetched.error = str(failure.value) or type(failure.value).__name__


def fetch_page(process: CrawlerProcessBase, url: str) -> Fetched:
    """Runs the reactor until the answer is there; a process can do so once."""
    return fetch_request(process, Request(url))


def fetch_request(process: CrawlerProcessBase, request: Request) -> Fetched:
    """The same for a request of any kind."""
    fetched = Fetched(request.url)
    process.crawl(OnePageSpider, fetched=fetched, request=request)
    process.start()
    if not fetched.status and not fetched.error:
        fetched.error = "the crawler could not be started; its log says why (leave out --nolog)"
    return fetched
