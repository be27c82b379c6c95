"""Commands of the crawler, one per file; Scrapy finds them through `console.commands`."""

__all__ = ["crawl"]
