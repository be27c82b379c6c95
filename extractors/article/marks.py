"""What the markup says in words: classes and ids of elements, and how lines begin."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.columns import Columns

CLASS_GROUPS: dict[str, str] = {
    "content": "content article entry story neirong zhengwen ^zw detail ^news rich markdown prose",
    "body": "body text txt para wysiwyg editor",
    "post": "post thread message reply answer question topic",
    "main": "^main primary center middle ^left",
    "title": "title headline heading subject biaoti",
    "comment": "comment pinglun disqus respond discuss guestbook reaction",
    "side": "side ^right widget column rail",
    "foot": "foot copyright bottom disclaimer legal",
    "navigation": "nav menu crumb position =page =pager =pages paginat paging ^toc =tab =tabs index",
    "head": "^head ^top banner logo masthead",
    "related": "relat recommend similar more also tuijian xiangguan ^hot rank popular trending latest list archive suggest",
    "share": "share social weibo wechat ^qrc =qr follow ^like favour favor digg ^vote",
    "advert": "=ad =ads advert sponsor promo guanggao commercial adsense taboola outbrain",
    "byline": "author byline date ^time ^meta source laiyuan publish ^info credit writer",
    "tags": "=tag =tags keyword categor label",
    "form": "login ^sign subscri newsletter search ^form popup modal cookie consent register paywall overlay dialog dropdown",
    "caption": "caption figure image photo picture gallery media video player thumb",
    "code": "^code highlight syntax snippet terminal",
    "user": "user avatar profile member signature badge medal",
    "hidden": "hidden =hide invisible =sr visually noprint skip",
}
"""Groups of words of which site builders make names: inside a word, at its beginning (^), or the whole word (=)."""
GROUP_NAMES = tuple(CLASS_GROUPS)
_WORD = re.compile(r"[A-Z]?[a-z]{1,40}|[A-Z]{1,40}|\n")


def _compiled(words: str) -> re.Pattern[str]:
    forms = {"^": r"^{}", "=": r"^{}$"}
    return re.compile("|".join(forms.get(word[0], "{}").format(word.lstrip("^=")) for word in words.split()))


_GROUPS = tuple(_compiled(words) for words in CLASS_GROUPS.values())
_BEGINNINGS = frozenset(word.lstrip("^=")[:3] for words in CLASS_GROUPS.values() for word in words.split())
_WORD = re.compile(r"[A-Z]?[a-z]{1,40}|[A-Z]{1,40}|\n")

LINE_KINDS: dict[str, str] = {
    "editor": r"[\[(（【]?\s?(?:责任编辑|責任編輯|责编|编辑|校对|审核|编审|值班|作者简介|本文作者|作者|文字|摄影|记者|by\b|written|posted|author|photo|image|credit)",
    "source": r"[\[(（【]?\s?(?:本文来源|文章来源|来源|來源|原标题|原文|转载|转自|稿源|出处|source|via\b|originally|this article)",
    "related": r"(?:相关|推荐|热门|更多|猜你|延伸|阅读|最新|精彩|排行|related|recommended|more\b|you may|read (?:more|next|also)|see also|popular|trending|latest|most read|also on|up next|top stories)",
    "pager": r"(?:上一|下一|前一|后一|首页|尾页|末页|返回|previous|next|prev\b|older|newer|back to|page \d|«|»|‹|›)",
    "share": r"(?:分享|扫一扫|扫码|关注|微信|微博|点赞|收藏|打赏|share|tweet|follow|like this|facebook|twitter|pin it|email|print)",
    "rights": r"(?:版权|声明|免责|著作权|备案|京icp|沪icp|粤icp|copyright|©|\(c\)|all rights|disclaimer|terms|privacy)",
    "comment": r"(?:评论|发表|回复|网友|留言|登录|注册|comments?|leave a|reply|log ?in|sign|register|\d+ (?:comments?|replies|responses))",
    "tags": r"(?:标签|关键词|关键字|tags?\b|filed|categor|topics?\b|labels?|keywords?)",
    "subscribe": r"(?:订阅|subscribe|newsletter|get (?:the|our)|join|download|advertisement|sponsored|广告|cookie|we use|accept)",
    "date": r"[(（\[]?(?:\d{4}\s?[-年/.]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d|\d{1,2}[:月/.]\d|updated|published|发布|时间|日期|\d+ (?:min|hour|day|week|month|year))",
}
LINE_NAMES = tuple(LINE_KINDS)
_LINES = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in LINE_KINDS.items()), re.I)


@lru_cache(maxsize=50_000)
def word_groups(word: str) -> int:
    """Bits of the groups to which one word belongs."""
    word = word.lower()
    if not any(word[place : place + 3] in _BEGINNINGS for place in range(max(1, len(word) - 2))):
        return 0
    return sum(1 << place for place, group in enumerate(_GROUPS) if group.search(word))


def group_bits(columns: Columns) -> NDArray[np.int32]:
    """int32[N]: bits of `GROUP_NAMES` for each element's class and id."""
    places, names = columns.named
    distinct = list(dict.fromkeys(names))
    lines = "\n".join([f"{classes[:200]} {identity[:60]}".replace("\n", " ") for classes, identity in distinct])
    known = dict(zip(distinct, _bits_of_lines(lines), strict=True))
    bits = np.zeros(len(columns), dtype=np.int32)
    bits[places] = [known[name] for name in names]
    return bits


def _bits_of_lines(lines: str) -> list[int]:
    """For each line the bits of all its words."""
    found, bits = [], 0
    for word in _WORD.findall(lines):
        if word == "\n":
            found.append(bits)
            bits = 0
        else:
            bits |= word_groups(word)
    return [*found, bits] if lines else []


def line_kinds(beginnings: Sequence[str]) -> NDArray[np.int8]:
    """int8: for each beginning of a line the number of the kind it says, from 1; 0 for none. The first kind wins."""
    places = {name: place for place, name in enumerate(LINE_NAMES, 1)}
    found = [_LINES.match(beginning) for beginning in beginnings]
    return np.array([places[match.lastgroup or ""] if match else 0 for match in found], dtype=np.int8)
