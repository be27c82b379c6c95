"""Labels that sites write before and after a title: "快讯：", "[视频]", "（组图）", "WATCH:". They are not part of the news."""

import re

_WORDS = (
    "快讯|突发|速报|速递|最新|最新消息|独家|重磅|直播|视频|图文|图集|组图|多图|高清图|图|更新|提醒|关注|头条|转载|转|原创|推荐|置顶|热点|滚动"
    "|breaking|breaking news|just in|update|updated|watch|video|videos|photos|pics|in pics|exclusive|live|live updates"
)
_BEFORE = re.compile(rf"\s*(?:[【\[(（〔]\s*(?:{_WORDS})\s*[】\])）〕]|(?:{_WORDS})\s*[:：|丨｜])\s*", re.I)
_AFTER = re.compile(rf"\s*[【\[(（〔]\s*(?:{_WORDS})\s*[】\])）〕]\s*\Z", re.I)
_MIN_CHARS = 4
"""Minimum characters that remain of a title."""


def without_labels(title: str) -> str:
    """The title without labels; unchanged if almost nothing would remain."""
    before = _BEFORE.match(title)
    cut = title[before.end() :] if before else title
    after = _AFTER.search(cut, max(0, len(cut) - 40))
    cut = cut[: after.start()] if after else cut
    return cut if len(cut) >= _MIN_CHARS else title
