"""A small crawl in a process of its own, for tests that kill it: settings as JSON in the first argument.

Each page is appended to the file PAGES_FILE before its item leaves the pipeline.
"""

import json
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import Response


class NumbersSpider(Spider):
    name = "numbers"

    async def start(self) -> AsyncIterator[Request]:
        if start := self.settings["START"]:
            yield Request(start, self.parse)

    def parse(self, response: Response) -> Iterator[Any]:
        if "poison" in response.url:
            raise ValueError("poison")
        yield {"url": response.url}
        for address in response.css("a::attr(href)").getall():
            yield response.follow(address, self.parse)


class AppendPipeline:
    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "AppendPipeline":
        pipeline = cls()
        pipeline.path = crawler.settings["PAGES_FILE"]
        return pipeline

    path = ""

    def process_item(self, item: dict[str, str]) -> dict[str, str]:
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(item["url"] + "\n")
        return item


if __name__ == "__main__":
    process = CrawlerProcess(
        {
            "SCHEDULER": "crawler.frontier.scheduler.FrontierScheduler",
            "ITEM_PIPELINES": {AppendPipeline: 1},
            "TELNETCONSOLE_ENABLED": False,
            "REMOTE_CONTROL_ENABLED": False,
            "RETRY_ENABLED": False,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 100,
            "DOWNLOAD_DELAY": 0,
            "FRONTIER_HOST_CONCURRENCY": 100,
            "FRONTIER_HOST_DELAY": 0,
            "SCHEDULER_QUEUE_KEY": "{%(spider)s}:requests",
            "SCHEDULER_DUPEFILTER_KEY": "{%(spider)s}:dupefilter",
            "REDIS_START_URLS_KEY": "%(name)s:start_urls",
            "EXTENSIONS": {"crawler.frontier.shared.start_urls.StartUrls": 1},
            **json.loads(sys.argv[1]),
        }
    )
    process.crawl(NumbersSpider)
    process.start()
