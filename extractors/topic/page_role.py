"""Whether a page can be an article of a topic, by its address and title: lists and pages about the site itself never are."""

import re
from urllib.parse import unquote, urlsplit

from extractors.article import extract
from extractors.html.document import Document

_FOLDER_PAGE = re.compile(r"/(?:(?:index|default)\.\w{3,5})?$", re.I)
_LIST_PATH = re.compile(
    r"/(?:tags?|categor(?:y|ies)|authors?|labels?|series)(?:\.html?)?(?:/|$)(?!.*/[^/]*\d\d[^/]*\.s?html?$)"
    r"|/(?:archives?|all-archives|blog|posts?|articles?|news)(?:\.html?)?$"
    r"|/(?:archives?/)?(?:19|20)\d\d(?:/\d\d?){0,2}$"
    r"|/(?:page|p)[/-]?\d{1,4}(?:\.html?)?$",
    re.I,
)
"""Of a path without a slash at its end; an article in a category's folder has a number and an ending."""
_SITE_PATH = re.compile(
    r"/(?:about(?:[-_]?(?:me|us))?|links?|friends?|guest-?book|message-?board|contact|search|404|apps?|projects?|resume|cv"
    r"|privacy|terms|sitemap|donate|subscribe|login|register)(?:\.html?)?$",
    re.I,
)
_SITE_TITLE = re.compile(
    r"^\W*(?:关于(?:我|本站|博主|作者)?|關於(?:我|本站)?|友情?链接?|友鏈|留言板?|标签云?|標籤|分类|分類|归档|歸檔|存档|搜索|目录|应用|作品|项目"
    r"|about(?: me| us)?|links|friends|tags?|categories|archives?|search|projects|apps)\W*(?:[|–—_-].*)?$",
    re.I,
)
_LONGEST = 500
_LONGEST_TITLE = 80


def may_be_article(page: Document) -> bool:
    """False for home pages, lists of tags, categories, years or pages, and pages about a site or its author."""
    path = unquote(urlsplit(page.url).path, errors="replace")[:_LONGEST]
    plain = _FOLDER_PAGE.sub("", path)
    if page.url and (not plain or _LIST_PATH.search(plain) or _SITE_PATH.search(plain)):
        return False
    return not _SITE_TITLE.search(page.once(extract).title[:_LONGEST_TITLE])
