"""Reads pages: bytes in, frozen dataclasses out. No Scrapy, database or network."""

__all__ = [
    "apart",
    "article",
    "documents",
    "feeds",
    "html",
    "kernels",
    "links",
    "page",
    "records",
    "scripted",
    "site_boilerplate",
    "text",
    "titles",
    "topic",
]
