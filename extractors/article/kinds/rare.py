"""Kinds of pages recognised by simple signs: errors, lists of threads, profiles, media."""

import re
from collections.abc import Mapping
from math import log1p
from typing import Any, Literal, Protocol

from extractors.article.title import headline_texts
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
Rare = Literal["thread_list", "profile", "media", "error"]


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
