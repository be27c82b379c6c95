"""What a link's address tells about the page behind it: a list whose name says what it has, or an index of such lists."""

import re
from functools import lru_cache
from urllib.parse import urlsplit

_GROUPS = r"(?:tags?|categor(?:y|ies)|topics?|labels?|keywords?|series)"
_INDEX = re.compile(rf"/(?:{_GROUPS}|archives?)(?:/index)?(?:\.html?)?/?$", re.I)
_NAMED = re.compile(rf"/{_GROUPS}/[^/?]|[?&](?:tag|cat|category|label)=[^&]", re.I)
_PERIOD = re.compile(r"(?:/archives?)?/(?:19|20)\d\d(?:/\d\d?)?/?", re.I)
_CACHED = 50_000


@lru_cache(maxsize=_CACHED)
def is_index(url: str) -> bool:
    """An index of a site's tags, categories or archives."""
    return _INDEX.search(urlsplit(url).path) is not None


@lru_cache(maxsize=_CACHED)
def is_named(url: str) -> bool:
    """A list of a tag or category, or of a year or month."""
    parts = urlsplit(url)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return not is_index(url) and (_NAMED.search(path) is not None or _PERIOD.fullmatch(parts.path) is not None)
