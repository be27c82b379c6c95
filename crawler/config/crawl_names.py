"""Names of crawls, and the names of their files."""

import re
from hashlib import blake2b
from unicodedata import normalize

from scrapy.crawler import Crawler

_MAX_READABLE_CHARS = 60
_OTHER_CHARS = re.compile(r"[^\w.-]")


def crawl_name(crawler: Crawler) -> str:
    """The spider's `crawl_name` if it has one, else its name."""
    return str(getattr(crawler.spider, "crawl_name", "") or crawler.spidercls.name)


def file_stem(name: str) -> str:
    """The name of the crawl's files, unique per crawl even on case-insensitive file systems.

    A short name of lower-case letters, digits, dots, hyphens and underscores is its own stem. The stem of any other name
    is a readable part, "+" and a digest.
    """
    readable = _OTHER_CHARS.sub("_", normalize("NFC", name))[:_MAX_READABLE_CHARS].lstrip(".")
    if readable == name == name.casefold():
        return name
    return f"{readable}+{blake2b(name.encode('utf-8', 'surrogatepass'), digest_size=6).hexdigest()}"
