"""The peer of `benchmarks.crawl`: Scrapy as it comes, following links and storing nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor


class StockSpider(Spider):
    """`scrapy runspider stock_spider.py -a seeds=FILE`."""

    name = "stock"

    def __init__(self, seeds: str, **given: Any) -> None:
        super().__init__(**given)
        self.start_urls = Path(seeds).read_text(encoding="utf-8").split()
        hosts = {urlsplit(url).hostname or "" for url in self.start_urls}
        self.allowed_domains = sorted(hosts)
        self._links = LinkExtractor(allow_domains=self.allowed_domains)

    def parse(self, response: Response) -> Iterator[Request]:
        """Follow every link."""
        if isinstance(response, HtmlResponse):
            for link in self._links.extract_links(response):
                yield Request(link.url)
