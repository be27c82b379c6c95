"""Lists that have led to pages of the topic: their further pages are worth following."""

import re
from collections import OrderedDict

from crawler.links.traps import pattern_of

_MAX_LISTS = 50_000
_PAGE_OF_LIST = re.compile(r"/?(?:page|p|index|list)?[-_/]?0(?:\.s?html?)?/?(?=\?)|/(?=\?)", re.I)


def list_of(url: str) -> str:
    """The list that a page of it belongs to: the URL's shape without the number of the page."""
    return _PAGE_OF_LIST.sub("", pattern_of(url))


class FruitfulLists:
    """Lists that have led to pages of the topic; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._lists: OrderedDict[str, None] = OrderedDict()

    def add(self, url: str) -> None:
        """A page of the topic was found on this page."""
        if url:
            self._lists[list_of(url)] = None
            if len(self._lists) > _MAX_LISTS:
                self._lists.popitem(last=False)

    def holds(self, url: str) -> bool:
        """Whether this is a page of such a list."""
        return bool(self._lists) and list_of(url) in self._lists
