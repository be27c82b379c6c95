"""Kinds of addresses of which many in a row were not found, as in a sitemap of pages that are gone: they wait until the end, and
after as many more in vain the rest is not asked for.

Addresses are of one kind if they have the same folders, numbers aside, or on the same host the same last part. A missing page
is one answered 404 or 410, or with a page whose title says so ("soft 404").
"""

import re
from collections import OrderedDict
from urllib.parse import urlsplit

_MISSES = 20
"""Pages of a kind that are missing in a row before the others of it wait."""
_LAST_MISSES = 2 * _MISSES
"""The same before those that have waited are dropped."""
_MAX_KINDS = 20_000
_DIGITS = re.compile(r"\d+")
_TITLE = re.compile(rb"<title[^>]{0,200}>([^<]{0,300})", re.I)
_TITLE_WITHIN = 10_000
_MISSING = re.compile(
    r"(?<!\d)404(?!\d)|not found|no longer exists|does(?:n't| not) exist|页面不存在|頁面不存在|找不到(?:该|此|您)?(?:页|頁|网页)"
    r"|(?:页面|文章|内容|帖子|网页)(?:不存在|已删除|已被删除|找不到)|无法找到(?:该|此)?页",
    re.I,
)
_CHARSETS = ("utf-8", "gb18030")


class DeadPaths:
    """Counts of missing pages in a row by kind of address; memory is bounded by forgetting the kinds longest unused."""

    def __init__(self) -> None:
        self._misses: OrderedDict[str, int] = OrderedDict()

    def answered(self, url: str, *, missing: bool) -> None:
        """A page of this address was asked for."""
        for kind in kinds_of(url):
            misses = self._misses.pop(kind, 0)
            if missing or misses:
                self._misses[kind] = misses + 1 if missing else 0
        while len(self._misses) > _MAX_KINDS:
            self._misses.popitem(last=False)

    def holds(self, url: str) -> bool:
        """Whether pages like this have not been found lately."""
        return self._missed(url) >= _MISSES

    def drops(self, url: str) -> bool:
        """The same, also of those that were asked for at the end."""
        return self._missed(url) >= _LAST_MISSES

    def _missed(self, url: str) -> int:
        return max((self._misses.get(kind, 0) for kind in kinds_of(url)), default=0) if self._misses else 0


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
    found = _TITLE.search(body[:_TITLE_WITHIN]) if status == 200 else None
    return found is not None and any(_MISSING.search(found[1].decode(charset, "ignore")) for charset in _CHARSETS)
