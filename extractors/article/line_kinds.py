"""Kinds of lines by how they begin: bylines, sources, related links, pagers, rights, dates."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from extractors.text.multi_search import starts_with_match

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
_EDGE = "\0"
"""Separates lines; no page's text has it."""
_LINES = re.compile(_EDGE + "(?:" + "|".join(f"({pattern})" for pattern in LINE_KINDS.values()) + "|)")
"""Matches once for each line, also for one of no kind. For text in lower case: alternatives then fail quickly."""


_ANY_KIND = re.compile("|".join(LINE_KINDS.values()))


def line_kinds(beginnings: Sequence[str]) -> NDArray[np.int8]:
    """int8: for each beginning of a line the number of its kind in `LINE_NAMES`, from 1; 0 for none. The first kind wins."""
    lowered = [beginning.lower() for beginning in beginnings]
    kinds = np.zeros(len(lowered), np.int8)
    of_a_kind = np.flatnonzero(starts_with_match(_ANY_KIND, lowered)).tolist()
    text = _EDGE.join(["", *(lowered[number] for number in of_a_kind)])
    kinds[of_a_kind] = [match.lastindex or 0 for match in _LINES.finditer(text)]
    return kinds
