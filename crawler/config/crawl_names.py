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
    """The name of the crawl's files, different for each crawl, also where a file system ignores case.

    A short name of small letters, digits, dots, hyphens and underscores is its own stem. Any other has a readable part,
    "+", which occurs in no other stem, and a digest.
    """
    readable = _OTHER_CHARS.sub("_", normalize("NFC", name))[:_MAX_READABLE_CHARS].lstrip(".")
    if readable == name == name.casefold():
        return name
    return f"{readable}+{blake2b(name.encode('utf-8', 'surrogatepass'), digest_size=6).hexdigest()}"
