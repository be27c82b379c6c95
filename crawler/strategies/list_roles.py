"""The role of a page by the address of its link: a list named after its content, or an index of such lists."""

import re
from functools import lru_cache

from extractors.links.urls import path_and_query

_GROUPS = r"(?:tags?|categor(?:y|ies)|topics?|labels?|keywords?|series)"
_INDEX = re.compile(rf"/(?:{_GROUPS}|archives?)(?:/index)?(?:\.html?)?/?$", re.I)
_NAMED = re.compile(rf"/{_GROUPS}/[^/?]|[?&](?:tag|cat|category|label)=[^&]", re.I)
_PERIOD = re.compile(r"(?:/archives?)?/(?:19|20)\d\d(?:/\d\d?)?/?", re.I)
_INDEX_NAME = re.compile(
    r"(?:(?:文章|全部|所有|网站|博客)?(?:归档|歸檔|历史|歷史|存档|标签云?|標籤|分类|分類|目录|目錄|列表)|(?:全部|所有|历史)文章"
    r"|archives?|(?:all )?(?:tags?|posts|articles)|categor(?:y|ies)|topics?)",
    re.I,
)
_AROUND_NAME, _MAX_NAME_CHARS = re.compile(r"^[\W\d]+|[\W\d]+$"), 20
_CACHED = 50_000


@lru_cache(maxsize=_CACHED)
def is_index(url: str) -> bool:
    """An index of a site's tags, categories or archives."""
    return _INDEX.search(path_and_query(url)[0]) is not None


@lru_cache(maxsize=_CACHED)
def is_named(url: str) -> bool:
    """A list of a tag or category, or of a year or month."""
    path, query = path_and_query(url)
    is_list = _NAMED.search(f"{path}?{query}" if query else path) or _PERIOD.fullmatch(path)
    return is_list is not None and not is_index(url)


@lru_cache(maxsize=_CACHED)
def names_index(text: str) -> bool:
    """Whether a link of this text leads to an index of its site."""
    return len(text) <= _MAX_NAME_CHARS and _INDEX_NAME.fullmatch(_AROUND_NAME.sub("", text)) is not None
