"""Kinds of pages recognised by simple signs: errors, lists of threads, profiles, media, lists of few or whole articles."""

import re
from collections.abc import Mapping
from math import log1p
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

import numpy as np

from extractors.article.title import headline_texts
from extractors.html.addresses import resolve
from extractors.html.columns import Columns
from extractors.html.document import Document

_ERROR = re.compile(
    r"\b(?:404|403|50[0234])\b|not found|no longer (?:available|exists)|(?:doesn.t|does not|can.t be) (?:exist|found)"
    r"|access denied|forbidden|just a moment|attention required|are you (?:a )?(?:human|robot)|unusual traffic|captcha"
    r"|page (?:missing|unavailable)|bad gateway|service unavailable"
    r"|页面不存在|找不到|未找到|不存在|已被?删除|出错了|访问受限|访问过于频繁|安全验证|请先登录|无权访问|頁面不存在|找不到頁面",
    re.I,
)
_MAX_ERROR_CHARS = 700
"""Maximum visible characters outside links of an error page."""
_MIN_CHARS = 30
_MAX_LOGIN_CHARS = 400
_MAX_MEDIA_PROSE_CHARS = 400
_SIGN_PROBABILITY = 0.9
"""Probability assigned to a kind recognised by simple signs."""
_MIN_LIST_PROBABILITY, _MAX_OTHER_PROBABILITY = 0.15, 0.3
"""Probabilities of a learned kind: above the first, a page with the signs of a thread list is one; below the second, it is not of the
learned kind."""
_MIN_CHOSEN_PROBABILITY = 0.1
"""Minimum probability of a list for a page whose headline leads to another page."""
_CHOSEN = re.compile(
    r"/(?:tags?|labels?|categor(?:y|ies))/[^/]{1,80}/?$|/(?:tags|labels|categories|archives?|authors)(?:\.html?|/|/index\.html?)?$",
    re.I,
)
"""Paths of pages that list what has a tag or a category, or all that there is."""
_MAX_HEADINGS, _MAX_INSIDE = 20, 10
"""Headings that are read, and elements in one that may be its link."""
Rare = Literal["list", "thread_list", "profile", "media", "error"]


class RareKindSigns(Protocol):
    """The value of each feature by its name."""

    def __getitem__(self, name: str, /) -> float: ...


def rare_kind(page: Document, features: RareKindSigns, likely: Mapping[Any, float]) -> tuple[Rare, float] | None:
    """The kind and its probability, or None if no sign indicates one.

    Args:
        features: by the names of `extractors.article.kinds.all_features`.
        likely: the probability of each learned kind.
    """
    if _is_error(page):
        return "error", _SIGN_PROBABILITY
    if _lists_threads(features, likely):
        return "thread_list", likely["thread"] + likely["list"]
    if (
        _is_profile(features)
        and max(likely["thread"], likely["product"]) < _MAX_OTHER_PROBABILITY
        and likely["list"] < _SIGN_PROBABILITY
    ):
        return "profile", _SIGN_PROBABILITY
    if _is_media(features):
        return "media", _SIGN_PROBABILITY
    if max(likely, key=likely.__getitem__) == "article" and _is_chosen(page, likely["list"]):
        return "list", _SIGN_PROBABILITY
    return None


def _is_error(page: Document) -> bool:
    """Whether the page has little text, and that is an error, or asks for a password."""
    columns = page.columns
    if not columns.texts:
        return True
    free = int(columns.text_length[0] - columns.link_length[0])
    if free < _MIN_CHARS and len(columns.texts) < _MIN_CHARS:
        return True
    if free <= _MAX_ERROR_CHARS and any(_ERROR.search(text) for text in headline_texts(page)):
        return True
    return free <= _MAX_LOGIN_CHARS and any(kind.lower() == "password" for kind in columns.sparse("type").values())


def _lists_threads(features: RareKindSigns, likely: Mapping[Any, float]) -> bool:
    """Whether a page that may be a list mentions topics, and is a forum's or has several words of topic lists."""
    named = features["address last forum list"] + features["address above forum list"] + features["address host forum"]
    forum = named + features["markup engine forum"] + features["markup body forum"] > 0
    topics = features["structure says topics"]
    return (
        likely["list"] >= _MIN_LIST_PROBABILITY
        and topics > 0
        and (forum or topics > log1p(1))
        and likely["article"] < _MAX_OTHER_PROBABILITY
    )


def _is_profile(features: RareKindSigns) -> bool:
    return features["markup og profile"] + features["markup type profile"] + features["address last about"] > 0


def _is_media(features: RareKindSigns) -> bool:
    declared = features["markup og video"] + features["markup type video"] > 0 and not features["markup type article"]
    shown = (
        features["structure count video"] + features["structure count iframe"] > 0
        and features["address last media"] > 0
    )
    return (declared or shown) and features["page prose"] < log1p(_MAX_MEDIA_PROSE_CHARS)


def _is_chosen(page: Document, likely_list: float) -> bool:
    """Whether the page's address is that of a choice of articles, or its headline leads to another page of the site, as those of whole
    articles in a list do."""
    try:
        own = urlsplit(page.url)
        if _CHOSEN.search(own.path):
            return True
        if likely_list < _MIN_CHOSEN_PROBABILITY or not own.hostname:
            return False
        target = urlsplit(_first_target(page, own.path))
    except ValueError:
        return False
    return target.hostname == own.hostname and _folder(target.path) != _folder(own.path)


def _first_target(page: Document, path: str) -> str:
    """Where the page's first heading leads, without those that lead to the site's home or a folder above; "" for nowhere."""
    columns = page.columns
    is_full = columns.tagged("h1", "h2", "h3", "h4") & (columns.text_length > 0)
    for heading in np.flatnonzero(is_full)[:_MAX_HEADINGS].tolist():
        target = resolve(page.base_url, _reference(columns, heading))
        folder = _folder(urlsplit(target).path)
        if not target or folder == _folder(path) or not _folder(path).startswith(folder):
            return target
    return ""


def _reference(columns: Columns, heading: int) -> str:
    """The target of a link that holds the heading or most of its text; "" for none."""
    targets = columns.sparse("href")
    for place in (int(columns.parent[heading]), *range(heading, min(heading + _MAX_INSIDE, int(columns.end[heading])))):
        if place in targets and 2 * columns.text_length[place] > columns.text_length[heading]:
            return targets[place] if not targets[place].startswith("#") else ""
    return ""


def _folder(path: str) -> str:
    return path.removesuffix("index.html").rstrip("/") + "/"
