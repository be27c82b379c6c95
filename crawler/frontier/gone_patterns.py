"""Kinds of addresses with many consecutive missing pages, as in an outdated sitemap: they are deferred to the end, and dropped
after as many further misses.

Addresses are of one kind if they have the same folders, ignoring numbers, or the same last part on one host. A page is missing
if the status is 404 or 410, or if its title says so ("soft 404").
"""

import re
from collections import OrderedDict
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

_MISSES, _FIRST_MISSES = 20, 8
"""Consecutive missing pages of a kind before its others are deferred; the same if no page of it was ever found."""
_LAST_MISSES = 2 * _MISSES
"""Consecutive missing pages before deferred ones are dropped."""
_MAX_KINDS, _CACHED = 20_000, 4_000
_DIGITS = re.compile(r"\d+")
_TITLE = re.compile(rb"<title[^>]{0,200}>([^<]{0,300})", re.I)
_MAX_TITLE_SEARCH_BYTES = 10_000
_MISSING = re.compile(
    r"(?<!\d)404(?!\d)|not found|no longer exists|does(?:n't| not) exist|页面不存在|頁面不存在|找不到(?:该|此|您)?(?:页|頁|网页)"
    r"|(?:页面|文章|内容|帖子|网页)(?:不存在|已删除|已被删除|找不到)|无法找到(?:该|此)?页",
    re.I,
)
_CHARSETS = ("utf-8", "gb18030")


class GonePatterns:
    """Counts consecutive missing pages by kind of address; the least recently used kinds are evicted."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Answers] = OrderedDict()

    def answered(self, url: str, *, missing: bool) -> None:
        """Count an answer for this address."""
        folder, last = kinds_of(url)
        self._count(folder, missing)
        if missing or last in self._known:
            self._count(last, missing)
        while len(self._known) > _MAX_KINDS:
            self._known.popitem(last=False)

    def _count(self, kind: str, missing: bool) -> None:
        misses, found = self._known.pop(kind, _UNKNOWN)
        self._known[kind] = _Answers(misses + 1, found) if missing else _FOUND

    def holds(self, url: str) -> bool:
        """Whether pages of this kind are deferred."""
        return any(known.misses >= (_MISSES if known.found else _FIRST_MISSES) for known in self._of(url))

    def drops(self, url: str) -> bool:
        """Whether even deferred pages of this kind are dropped."""
        return any(known.misses >= _LAST_MISSES for known in self._of(url))

    def _of(self, url: str) -> list["_Answers"]:
        return [known for kind in kinds_of(url) if (known := self._known.get(kind)) is not None]


class _Answers(NamedTuple):
    """Answers of one kind: missing pages since the last one found, and whether one was ever found."""

    misses: int
    found: bool


_UNKNOWN, _FOUND = _Answers(0, found=False), _Answers(0, found=True)


@lru_cache(maxsize=_CACHED)
def kinds_of(url: str) -> tuple[str, str]:
    """Two kinds of an address: host, folders without numbers and the form of the last part; host and last part."""
    parts = urlsplit(url)
    *folders, last = parts.path.removesuffix("/").split("/")
    ending = last.rpartition(".")[2] if "." in last else "/" if parts.path.endswith("/") else ""
    mark = "?" if parts.query else ""
    path = _DIGITS.sub("0", "/".join(folders))
    return f"{parts.netloc}{path}/*{ending}{mark}", f"{parts.netloc}/**/{last}{mark}"


def is_missing(status: int, body: bytes) -> bool:
    """Whether a page is missing, by status, else by its title."""
    if status in (404, 410):
        return True
    found = _TITLE.search(body[:_MAX_TITLE_SEARCH_BYTES]) if status == 200 else None
    return found is not None and any(_MISSING.search(found[1].decode(charset, "ignore")) for charset in _CHARSETS)
