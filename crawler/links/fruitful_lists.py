"""Lists that have led to on-topic pages, whose further pages are therefore worth following."""

import re
from collections import OrderedDict

from crawler.links.traps import pattern_of

_MAX_LISTS = 50_000
_PAGE_OF_LIST = re.compile(r"/?(?:page|p|index|list)?[-_/]?0(?:\.s?html?)?/?(?=\?)|/(?=\?)", re.I)


def list_of(url: str) -> str:
    """The list of a page: the URL's shape without the page number."""
    return _PAGE_OF_LIST.sub("", pattern_of(url))


class FruitfulLists:
    """Lists that have led to on-topic pages; the oldest are evicted first."""

    def __init__(self) -> None:
        self._lists: OrderedDict[str, None] = OrderedDict()

    def add(self, url: str) -> None:
        """Note that this page links to an on-topic page."""
        if url:
            self._lists[list_of(url)] = None
            if len(self._lists) > _MAX_LISTS:
                self._lists.popitem(last=False)

    def holds(self, url: str) -> bool:
        """Whether the page belongs to such a list."""
        return bool(self._lists) and list_of(url) in self._lists
