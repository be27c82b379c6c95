"""Requests of commands, with every guard of a crawl but without frontier and database."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.exceptions import UsageError
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from crawler.addon import SILENT_EXTENSIONS

Task = Callable[[Crawler], Awaitable[None]]


class OneShotSpider(Spider):
    """Runs one task, which sends requests with `download`, and ends."""

    name = "one-shot"
    custom_settings = {
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "ITEM_PIPELINES": {},
        "EXTENSIONS": SILENT_EXTENSIONS,
    }

    def __init__(self, task: Task, **given: Any) -> None:
        super().__init__(**given)
        self._task = task

    async def start(self) -> AsyncIterator[Request]:
        """Run the task; yields no requests."""
        await self._task(self.crawler)
        no_requests: list[Request] = []
        for request in no_requests:
            yield request


def run_task(process: CrawlerProcessBase, task: Task, spider: type[OneShotSpider] = OneShotSpider) -> None:
    """Run the reactor until the task is done, which a process can do only once. Raises UsageError if the task cannot start."""
    begun = []

    async def noted(crawler: Crawler) -> None:
        begun.append(True)
        await task(crawler)

    process.crawl(spider, task=noted)
    process.start()
    if not begun:
        raise UsageError(
            "The requests could not be made: a part of the crawler did not start. The log says why.", print_help=False
        )


async def download(crawler: Crawler, request: Request) -> Response:
    """The answer, through all middlewares. Raises the errors of the download, and OSError once the crawl has ended."""
    if crawler.engine is None:
        raise OSError("the crawl has ended")
    return await crawler.engine.download_async(request.replace(callback=NO_CALLBACK, dont_filter=True))


@dataclass(slots=True)
class Fetched:
    """The outcome of a request; `error` is "" if there was an answer."""

    url: str
    body: bytes = b""
    content_type: str = ""
    status: int = 0
    error: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def fetch_page(process: CrawlerProcessBase, url: str) -> Fetched:
    return fetch_request(process, Request(url))


def fetch_request(process: CrawlerProcessBase, request: Request, before: Task | None = None) -> Fetched:
    """Fetch a request of any kind, after the task `before`."""
    fetched = Fetched(request.url)

    async def fetch(crawler: Crawler) -> None:
        if before is not None:
            await before(crawler)
        try:
            response = await download(crawler, request)
        except Exception as error:  # the command reports any error
            fetched.error = str(error) or type(error).__name__
        else:
            _fill(fetched, response)

    run_task(process, fetch)
    return fetched


def _fill(fetched: Fetched, response: Response) -> None:
    fetched.url, fetched.status, fetched.body, fetched.error = response.url, response.status, response.body, ""
    fetched.headers = {
        name.decode("latin-1").lower(): (response.headers[name] or b"").decode("latin-1") for name in response.headers
    }
    fetched.content_type = fetched.headers.get("content-type", "")
