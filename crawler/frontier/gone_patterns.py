"""Kinds of addresses of which many in a row were not found, as in a sitemap of pages that are gone: they wait until the end, and
after as many more in vain the rest is not asked for.

Addresses are of one kind if they have the same folders, numbers aside, or on the same host the same last part. A missing page
is one answered 404 or 410, or with a page whose title says so ("soft 404").
"""

import re
from collections import OrderedDict
from typing import NamedTuple
from urllib.parse import urlsplit

_MISSES, _FIRST_MISSES = 20, 8
"""Pages of a kind that are missing in a row before the others of it wait; the same where no page of it was ever found."""
_LAST_MISSES = 2 * _MISSES
"""The same before those that have waited are dropped."""
_MAX_KINDS = 20_000
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
    """Counts of missing pages in a row by kind of address; memory is bounded by forgetting the kinds longest unused."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Answers] = OrderedDict()

    def answered(self, url: str, *, missing: bool) -> None:
        """A page of this address was asked for."""
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
        """Whether pages like this have not been found lately."""
        return any(known.misses >= (_MISSES if known.found else _FIRST_MISSES) for known in self._of(url))

    def drops(self, url: str) -> bool:
        """The same, also of those that were asked for at the end."""
        return any(known.misses >= _LAST_MISSES for known in self._of(url))

    def _of(self, url: str) -> list["_Answers"]:
        return [known for kind in kinds_of(url) if (known := self._known.get(kind)) is not None]


class _Answers(NamedTuple):
    """To requests of a kind: pages that were missing since the last one that was found; whether one was ever found."""

    misses: int
    found: bool


_UNKNOWN, _FOUND = _Answers(0, found=False), _Answers(0, found=True)


def kinds_of(url: str) -> tuple[str, str]:
    """Host and folders of an address with their numbers replaced and how its last part is written; host and last part."""
    parts = urlsplit(url)
    *folders, last = parts.path.removesuffix("/").split("/")
    ending = last.rpartition(".")[2] if "." in last else "/" if parts.path.endswith("/") else ""
    mark = "?" if parts.query else ""
    path = _DIGITS.sub("0", "/".join(folders))
    return f"{parts.netloc}{path}/*{ending}{mark}", f"{parts.netloc}/**/{last}{mark}"


def is_missing(status: int, body: bytes) -> bool:
    """By status, else by the title."""
    if status in (404, 410):
        return True
    found = _TITLE.search(body[:_MAX_TITLE_SEARCH_BYTES]) if status == 200 else None
    return found is not None and any(_MISSING.search(found[1].decode(charset, "ignore")) for charset in _CHARSETS)
