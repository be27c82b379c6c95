"""Spiders, one per file; Scrapy finds them by name."""

__all__ = []
