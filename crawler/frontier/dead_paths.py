"""Kinds of addresses of which many in a row were not found, as in a sitemap of pages that are gone: they wait until the end.

A missing page is one answered 404 or 410, or with a page whose title says so ("soft 404").
"""

import re
from collections import OrderedDict
from urllib.parse import urlsplit

_MISSES = 20
"""Pages of a kind that are missing in a row before the others of it wait."""
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
        kind = kind_of(url)
        misses = self._misses.pop(kind, 0)
        if missing or misses:
            self._misses[kind] = misses + 1 if missing else 0
        if len(self._misses) > _MAX_KINDS:
            self._misses.popitem(last=False)

    def holds(self, url: str) -> bool:
        """Whether pages like this have not been found lately."""
        return bool(self._misses) and self._misses.get(kind_of(url), 0) >= _MISSES


def kind_of(url: str) -> str:
    """Host and folders of an address with their numbers replaced, and how its last part is written."""
    parts = urlsplit(url)
    *folders, last = parts.path.removesuffix("/").split("/")
    ending = last.rpartition(".")[2] if "." in last else "/" if parts.path.endswith("/") else ""
    return f"{parts.netloc}{_DIGITS.sub('0', '/'.join(folders))}/*{ending}{'?' if parts.query else ''}"


def is_missing(status: int, body: bytes) -> bool:
    """By status, else by the title."""
    if status in (404, 410):
        return True
    found = _TITLE.search(body[:_TITLE_WITHIN]) if status == 200 else None
    return found is not None and any(_MISSING.search(found[1].decode(charset, "ignore")) for charset in _CHARSETS)
