"""What the markup says in words: classes and ids of elements, and how lines begin."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.kernels import native
from extractors.text.regex_prefixes import heads

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
    "form": "login ^sign subscri newsletter search ^form popup modal register paywall overlay dialog dropdown",
    "consent": "cookie consent gdpr onetrust privacy =cmp",
    "caption": "caption figure image photo picture gallery media video player thumb",
    "code": "^code highlight syntax snippet terminal",
    "user": "user avatar profile member signature badge medal",
    "hidden": "hidden =hide invisible =sr visually noprint skip",
    "apart": "signature consent onetrust gdpr ^modal =dialog =dialogs popup lightbox",
}
"""Groups of words of which site builders make names: inside a word, at its beginning (^), or the whole word (=)."""
GROUP_NAMES = tuple(CLASS_GROUPS)
_WORD = re.compile(r"[A-Z]?[a-z]{1,40}|[A-Z]{1,40}")
_LONGEST_CLASS = 200
_LONGEST_ID = 60


def _fragments() -> dict[str, list[tuple[str, str, int]]]:
    """Each word of `CLASS_GROUPS` by its first three characters: how it is bound ("", "^", "="), itself, its bit."""
    found: dict[str, list[tuple[str, str, int]]] = {}
    for place, words in enumerate(CLASS_GROUPS.values()):
        for word in words.split():
            fragment = word.lstrip("^=")
            found.setdefault(fragment[:3], []).append((word[: -len(fragment)], fragment, 1 << place))
    return found


_FRAGMENTS = _fragments()

LINE_KINDS: dict[str, str] = {
    "editor": r"[\[(（【]?\s?(?:责任编辑|責任編輯|责编|编辑|校对|审核|编审|值班|作者简介|本文作者|作者|文字|摄影|记者|by\b|written|posted|author|photo|image|credit|reviewed|edited|illustration|图片|图源|供图|来稿|撰文|制图)",
    "source": r"[\[(（【]?\s?(?:本文来源|文章来源|来源|來源|原标题|原文|转载|转自|稿源|出处|本文转|本文作者|本文标题|本文链接|文章链接|文章标题|source|via\b|originally|this article)",
    "related": r"(?:相关|推荐|热门|更多|猜你|延伸|阅读|最新|精彩|排行|看了又看|换一换|大家都在看|为您|您可能|往期|精选|related|recommended|more\b|you may|also read|explore|discover|view all|see all|(?:click|tap) here|read (?:more|next|also)|see also|popular|trending|latest|most read|also on|up next|top stories|você pode|leia (?:também|mais)|veja também|lire aussi|à lire|te puede|lee también|leggi anche|auch interessant|das könnte|mehr zum|lesen sie|weitere artikel|baca juga|artikel terkait|ilgili|читайте|похожие|関連|おすすめ|관련)",
    "pager": r"(?:上一|下一|前一|后一|首页|尾页|末页|返回|previous|next|prev\b|older|newer|back to|page \d|«|»|‹|›)",
    "share": r"(?:分享|扫一扫|扫码|关注|欢迎关注|长按|二维码|微信|微博|点赞|收藏|打赏|赞赏|举报|share|tweet|follow|like this|facebook|twitter|pin it|email|print)",
    "rights": r"(?:版权|特别声明|郑重声明|本站|凡本|声明|免责|著作权|备案|京icp|沪icp|粤icp|copyright|©|\(c\)|all rights|disclaimer|terms|privacy)",
    "comment": r"(?:评论|发表|回复|跟贴|楼主|网友|留言|登录|注册|comments?|leave a|reply|last edited|click to expand|posts:|joined|was this|likes?\b|log ?in|sign|register|\d+ (?:comments?|replies|responses))",
    "tags": r"(?:标签|关键词|关键字|文章关键词|分类|专栏|tags?\b|filed|categor|topics?\b|labels?|keywords?)",
    "subscribe": r"(?:订阅|subscribe|newsletter|get (?:the|our|your|a)\b|join|want (?:more|to)|ready to|book (?:a|now)|buy|check price|shop|add to|try |contact|call|click|download|advertisement|sponsored|广告|cookie|we use|accept)",
    "contents": r"(?:目录|文章目录|table of contents|contents|on this page|in this article|jump to|expand all|skip to|展开|收起|正在|您的浏览器|loading)",
    "affiliate": r"(?:as an |this (?:post|page|article|site) (?:may )?contains?|when you (?:buy|purchase)|if you (?:buy|click|make)|we (?:may |might )?(?:earn|receive|get)|our (?:team|editors|experts)|about (?:the author|us)|作者介绍)",
    "date": r"[(（\[]?(?:\d{4}\s?[-年/.]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d|\d{1,2}[:月/.]\d|updated|published|发布|时间|日期|\d+ (?:min|hour|day|week|month|year))",
}
LINE_NAMES = tuple(LINE_KINDS)
_HEAD = 6
"""Characters of a line's beginning that tell whether a pattern of `LINE_KINDS` need be tried."""
_EDGE = "\0"
"""Stands before each line; no page's text holds it."""
_LINES = re.compile(_EDGE + "(?:" + "|".join(f"({pattern})" for pattern in LINE_KINDS.values()) + "|)")
"""One match for each line, also for one of no kind; lower case, with which alternatives are passed by quickly."""


@lru_cache(maxsize=20_000)
def word_groups(word: str) -> int:
    """Bits of the groups to which one word belongs."""
    word = word.lower()
    bits = 0
    for place in range(max(1, len(word) - 2)):
        for bound, fragment, bit in _FRAGMENTS.get(word[place : place + 3], ()):
            if word == fragment if bound == "=" else word.startswith(fragment, place) and not (bound and place):
                bits |= bit
    return bits


def group_bits(columns: Columns) -> NDArray[np.int32]:
    """int32[N]: bits of `GROUP_NAMES` for each element's class and id."""
    known, which = readable_bits(columns)
    bits = np.zeros(len(columns), dtype=np.int32)
    bits[columns.readable] = known.astype(np.int32)[which]
    return bits


def readable_bits(columns: Columns) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The different bits of `GROUP_NAMES` on the page, and which of them each of the readable elements has."""
    if native() and (noted := columns.noted_names):
        return _groups().bits_of_noted(noted[0], _LONGEST_CLASS, _LONGEST_ID), noted[1]
    names, which = columns.names
    return pair_bits(names), which


def pair_bits(names: list[tuple[str, str]]) -> NDArray[np.int64]:
    """int64: for each class and id the bits of both; by machine code where it was built."""
    if native():
        found: NDArray[np.int64] = _groups().bits(names, _LONGEST_CLASS, _LONGEST_ID)
        return found
    return pair_bits_in_python(names)


def pair_bits_in_python(names: list[tuple[str, str]]) -> NDArray[np.int64]:
    """See `pair_bits`."""
    known = [name_bits(name[:_LONGEST_CLASS]) | name_bits(identity[:_LONGEST_ID]) for name, identity in names]
    return np.array(known, np.int64)


@cache
def _groups() -> Any:
    return native().Groups([one for several in _FRAGMENTS.values() for one in several])


@lru_cache(maxsize=20_000)
def name_bits(name: str) -> int:
    """Bits of all words of a class or an id."""
    bits = 0
    for word in _WORD.findall(name):
        bits |= word_groups(word)
    return bits


def line_kinds(beginnings: Sequence[str]) -> NDArray[np.int8]:
    """int8: for each beginning of a line the number of the kind it says, from 1; 0 for none. The first kind wins."""
    if not native():
        return _kinds(beginnings)
    kinds = np.zeros(len(beginnings), np.int8)
    tried = _line_heads().places(beginnings)
    kinds[tried] = _kinds([beginnings[place] for place in tried])
    return kinds


def _kinds(beginnings: Sequence[str]) -> NDArray[np.int8]:
    text = _EDGE.join(["", *beginnings]).lower()
    return np.array([match.lastindex or 0 for match in _LINES.finditer(text)], dtype=np.int8)


@cache
def _line_heads() -> Any:
    """By machine code most lines are told from those that may be of a kind by their first characters."""
    found = frozenset[str]().union(*(heads(pattern, _HEAD) for pattern in LINE_KINDS.values()))
    return native().Heads(sorted(found))
