"""Whether a page can be an article of a topic, by its kind: lists and profiles never are, nor are pages about their site.

The forests classify a page about its site as an article; its address and its title tell.
"""

import re
from urllib.parse import unquote, urlsplit

from extractors.article import extract
from extractors.article.kinds import LISTS, find_kind
from extractors.html.document import Document

_NEVER = LISTS | {"profile"}
_SITE_PATH = re.compile(
    r"/(?:about(?:[-_]?(?:me|us))?|links?|friends?|guest-?book|message-?board|contact|search|404|apps?|projects?|resume|cv"
    r"|privacy|terms|sitemap|donate|subscribe|login|register)(?:/(?:index|default))?(?:\.\w{3,5})?/?$",
    re.I,
)
_SITE_TITLE = re.compile(
    r"^\W*(?:关于(?:我|本站|博主|作者)?|關於(?:我|本站)?|友情?链接?|友鏈|留言板?|标签云?|標籤|分类|分類|归档|歸檔|存档|搜索|目录|应用|作品|项目"
    r"|about(?: me| us)?|links|friends|tags?|categories|archives?|search|projects|apps)\W*(?:[|–—_-].*)?$",
    re.I,
)
_MAX_TEXT_CHARS = 500
_MAX_TITLE_CHARS = 80


def may_be_article(page: Document) -> bool:
    """False for lists, profiles, and pages about a site or its author."""
    return page.once(find_kind).name not in _NEVER and not _is_about_site(page)


def _is_about_site(page: Document) -> bool:
    path = unquote(urlsplit(page.url).path, errors="replace")[:_MAX_TEXT_CHARS]
    title = page.once(extract).title[:_MAX_TITLE_CHARS]
    return _SITE_PATH.search(path) is not None or _SITE_TITLE.search(title) is not None
