"""Commands of the analysis, one per file; Scrapy finds them through `console.commands`."""

__all__ = []
