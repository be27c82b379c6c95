"""What a page is made of, as far as it shows its kind: elements, repeated parts, short texts of buttons and labels."""

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG, tag_set

_COUNTED = (
    *("a", "h1", "h2", "h3", "article", "time", "form", "input", "textarea", "button", "select", "table", "tr", "pre", "code"),
    *("img", "video", "iframe", "li", "dl", "p", "nav", "section", "frameset", "blockquote", "svg", "label"),
)  # fmt: skip
_CODES = np.array([TAG[name] for name in _COUNTED])
_HEADINGS = tag_set("h1", "h2", "h3", "h4")
_LINK = tag_set("a")
_REPEATED = tag_set("article", "li", "div", "section", "tr", "dl", "a")
_MIN_REPEATED_CHARS = 10
_MIN_REPEATS = 3
_PHRASES = {
    "more": (
        "read more|continue reading|more|more »|read more »|learn more|阅读全文|阅读更多|继续阅读|查看更多|更多|"
        "read the full story|read more →"
    ),
    "pager": (
        "older posts|newer posts|next page|previous page|next|previous|prev|»|›|下一页|上一页|下页|尾页|末页|1|2|"
        "load more|show more|next »|next →"
    ),
    "sorting": (
        "filter|filters|sort by|sort|sort by:|price|brand|results|items|filter by|排序|筛选|综合|most popular|newest"
    ),
    "buying": (
        "add to cart|buy now|add to basket|in stock|out of stock|quantity|add to wishlist|sku|free shipping|"
        "加入购物车|立即购买|库存|数量|shipping|returns|add to bag|customer reviews|specifications|"
        "product details|details|related products|you may also like"
    ),
    "replying": (
        "reply|quote|like|report|share|posted|last edited|member|senior member|permalink|回复|举报|楼主|"
        "只看该作者|发表于|joined|posts|upvote|downvote|answer|solved|likes|replies|views|join date|message"
    ),
    "topics": (
        "topics|last post|threads|topic|new topic|started by|latest|主题|最后发表|作者|回复/查看|forum|activity|"
        "category"
    ),
    "docs": (
        "on this page|table of contents|contents|edit this page|edit on github|view page source|parameters|"
        "examples|example|usage|returns|installation|reference|api reference|see also|getting started|"
        "was this page helpful?|was this helpful?|copy|overview|note|warning"
    ),
    "service": (
        "get started|contact us|request a demo|book a demo|free trial|start free trial|get a quote|learn more|"
        "try for free|sign up free|our services|testimonials|pricing|faq|frequently asked questions|how it works|"
        "schedule a demo|why choose us|sign up|get in touch|features"
    ),
    "article": (
        "share|related|related articles|related posts|comments|leave a comment|leave a reply|tags|tags:|by|"
        "advertisement|most read|相关阅读|责任编辑|分享到|来源|打赏|本文作者|版权声明|上一篇|下一篇|"
        "post a comment|written by|published|updated"
    ),
    "account": "log in|login|sign in|password|username|forgot password?|登录|注册|密码|用户名|register|create account",
}
_KINDS_OF_PHRASE: dict[str, list[int]] = {}
for _number, _spoken in enumerate(_PHRASES.values()):
    for _phrase in _spoken.split("|"):
        _KINDS_OF_PHRASE.setdefault(_phrase, []).append(_number)
_MAX_CHUNKS = 2_000
_MAX_PHRASE_CHARS = 24
_CURRENCIES = (*"$€£¥￥₹", "us $", "usd", "rmb")
_NAMES = (
    *(f"count {name}" for name in _COUNTED),
    *("elements", "text", "link share", "linked headings", "headings", "heading text share", "links per text"),
    *(
        "repeats",
        "repeat share",
        "repeat length",
        "repeat link share",
        "repeat pictures",
        "repeat headings",
        "repeat spread",
    ),
    *(f"says {kind}" for kind in _PHRASES),
    *("prices", "short texts", "numbers"),
)
STRUCTURE_NAMES = [f"structure {name}" for name in _NAMES]


def structure_features(page: Document) -> NDArray[np.float32]:
    """float32[len(STRUCTURE_NAMES)]; amounts as logarithms."""
    columns = page.columns
    if not columns.texts:
        return np.zeros(len(STRUCTURE_NAMES), np.float32)
    counts = np.bincount(columns.tag, minlength=len(TAG) + 1)[_CODES]
    return np.array(
        [*np.log1p(counts), *_headings(columns), *_repeated(columns), *_phrases(columns.texts[:_MAX_CHUNKS])],
        np.float32,
    )


def _headings(columns: Columns) -> tuple[float, ...]:
    length, linked = columns.text_length, columns.link_length
    heading = np.flatnonzero(_HEADINGS[columns.tag] & (length > 0))
    text = max(1, int(length[0]))
    link = _LINK[columns.tag]
    is_linked = (2 * linked[heading] > length[heading]) if len(heading) else np.zeros(0, bool)
    return (
        *(np.log1p(len(columns)), np.log1p(text), linked[0] / text),
        float(is_linked.mean()) if len(heading) else -1.0,
        *(np.log1p(len(heading)), length[heading].sum() / text, np.log1p(1000 * np.count_nonzero(link) / text)),
    )


def _repeated(columns: Columns) -> tuple[float, ...]:
    """Of the siblings that hold most of the page's text, if they are alike and each leads elsewhere: how many there are, their
    share of the text, mean length and share of links, and how many have pictures and headings."""
    length = columns.text_length
    links = columns.subtree(_LINK[columns.tag].astype(np.int32))
    members = np.flatnonzero(_REPEATED[columns.tag] & (length >= _MIN_REPEATED_CHARS) & (links > 0))
    if not len(members):
        return (0.0,) * 7
    which = columns.sibling_group[members]
    number, amount = np.bincount(which), np.bincount(which, weights=length[members])
    amount[number < _MIN_REPEATS] = 0
    best = int(np.argmax(amount))
    if not amount[best]:
        return (0.0,) * 7
    chosen = members[which == best]
    pictures = columns.has_below(columns.tagged("img"))[chosen]
    headings = columns.has_below(_HEADINGS[columns.tag])[chosen]
    share = float(amount[best]) / max(1, int(length[0]))
    spread = float(length[chosen].std() / max(1.0, length[chosen].mean()))
    link_share = float(columns.link_length[chosen].sum() / amount[best])
    return (
        *(np.log1p(len(chosen)), share, np.log1p(amount[best] / len(chosen)), link_share),
        *(float(pictures.mean()), float(headings.mean()), spread),
    )


def _phrases(texts: list[str]) -> list[float]:
    """How many different phrases of each kind stand alone on the page; how many texts are prices; the share of short ones."""
    short = [text.strip().lower() for text in texts if len(text) <= _MAX_PHRASE_CHARS]
    found = [0] * len(_PHRASES)
    for phrase in _KINDS_OF_PHRASE.keys() & set(short):
        for kind in _KINDS_OF_PHRASE[phrase]:
            found[kind] += 1
    prices = sum(text.startswith(_CURRENCIES) for text in short)
    numbers = sum(text.isdigit() for text in short)
    return [*map(float, np.log1p(found)), float(np.log1p(prices)), len(short) / len(texts), numbers / len(texts)]
