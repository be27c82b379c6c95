"""Features of a page's structure that show its kind: elements, repeated parts, short texts of buttons and labels."""

from math import log1p, sqrt

import numpy as np
from numpy.typing import NDArray

from extractors.html.columns import Columns
from extractors.html.document import Document
from extractors.html.tags import TAG, tag_set
from extractors.kernels import kernel

_COUNTED = (
    *("a", "h1", "h2", "h3", "article", "time", "form", "input", "textarea", "button", "select", "table", "tr", "pre", "code"),
    *("img", "video", "iframe", "li", "dl", "p", "nav", "section", "frameset", "blockquote", "svg", "label"),
)  # fmt: skip
_CODES = np.array([TAG[name] for name in _COUNTED])
_HEADINGS = tag_set("h1", "h2", "h3", "h4")
_REPEATED, _LINK, _PICTURE, _HEADING = 1, 2, 4, 8
_BITS = (
    _REPEATED * tag_set("article", "li", "div", "section", "tr", "dl", "a").astype(np.uint8)
    | _LINK * tag_set("a").astype(np.uint8)
    | _PICTURE * tag_set("img").astype(np.uint8)
    | _HEADING * _HEADINGS.astype(np.uint8)
)
"""uint8, by tag code."""
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
_PHRASE_KINDS = [(phrase, kind) for kind, phrases in enumerate(_PHRASES.values()) for phrase in phrases.split("|")]
_NUMBERS = {phrase: number for number, phrase in enumerate(dict.fromkeys(phrase for phrase, _ in _PHRASE_KINDS))}
_IS_OF_KIND = np.zeros((len(_PHRASES), len(_NUMBERS)), np.int64)
for _phrase, _kind in _PHRASE_KINDS:
    _IS_OF_KIND[_kind, _NUMBERS[_phrase]] = 1
_SIEVE = np.zeros(4_096, np.uint8)
"""Marked for each phrase by its ends and its length, for the compiled form of `phrases_among`."""
for _phrase in _NUMBERS:
    _SIEVE[(ord(_phrase[0]) * 61 + ord(_phrase[-1]) * 7 + len(_phrase)) % len(_SIEVE)] = 1
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


def structure_features(page: Document) -> list[float]:
    """A value for each of `STRUCTURE_NAMES`; amounts as logarithms."""
    columns = page.columns
    if not columns.texts:
        return [0.0] * len(STRUCTURE_NAMES)
    counts = np.bincount(columns.tag, minlength=len(TAG) + 1)[_CODES]
    links = int(counts[_COUNTED.index("a")])
    return [*np.log1p(counts).tolist(), *_headings(columns, links), *_repeated(columns), *_phrases(columns)]


def _headings(columns: Columns, links: int) -> tuple[float, ...]:
    number, linked, length = heading_amounts(columns.tag, _HEADINGS, columns.text_length, columns.link_length)
    text = max(1, int(columns.text_length[0]))
    return (
        *(log1p(len(columns)), log1p(text), int(columns.link_length[0]) / text),
        *(linked / number if number else -1.0, log1p(number), length / text, log1p(1000 * links / text)),
    )


@kernel
def heading_amounts(
    tag: NDArray[np.int16],
    heading_tags: NDArray[np.bool_],
    text_length: NDArray[np.int64],
    link_length: NDArray[np.int64],
) -> tuple[int, int, int]:
    """The number of elements with text and one of these tags, of those that are mostly links, and their characters."""
    full = np.flatnonzero(heading_tags[tag] & (text_length > 0))
    length = text_length[full]
    return len(full), int(np.count_nonzero(2 * link_length[full] > length)), int(length.sum())


def _repeated(columns: Columns) -> tuple[float, ...]:
    """The similar siblings with links to other pages that hold most of the page's text: their number, share of the text, mean
    length, share of links, numbers with pictures and headings, and variation of length."""
    length = columns.text_length
    tree = _BITS[columns.tag], columns.end, columns.sibling_group, length, columns.link_length
    number, total, squares, links, pictures, headings = repeated_siblings(
        *tree, _MIN_REPEATED_CHARS, _MIN_REPEATS
    ).tolist()
    if not number:
        return (0.0,) * 7
    spread = sqrt(max(0, number * squares - total * total)) / total
    shares = links / total, pictures / number, headings / number
    return log1p(number), total / max(1, int(length[0])), log1p(total / number), *shares, spread


@kernel
def repeated_siblings(
    bits: NDArray[np.uint8],
    end: NDArray[np.int32],
    group: NDArray[np.int64],
    text_length: NDArray[np.int64],
    link_length: NDArray[np.int64],
    least_chars: int,
    least_number: int,
) -> NDArray[np.int64]:
    """int64[6], for the group of like siblings with most text among groups of at least `least_number`, each with at least
    `least_chars` and a link: their number, characters, sum of the squares of these, characters in links, number with a
    picture, number with a heading. bits: uint8[N], of `_BITS`."""
    links, pictures, headings = (np.flatnonzero(bits & bit) for bit in (_LINK, _PICTURE, _HEADING))
    members = np.flatnonzero((bits & _REPEATED > 0) & (text_length >= least_chars))
    members = members[_holds(links, members, end)]
    amount = np.bincount(group[members], weights=text_length[members], minlength=1)
    amount[np.bincount(group[members], minlength=1) < least_number] = 0
    best = int(amount.argmax())
    if not amount[best]:
        return np.zeros(6, np.int64)
    chosen = members[group[members] == best]
    length = text_length[chosen]
    held = (np.count_nonzero(_holds(below, chosen, end)) for below in (pictures, headings))
    return np.array([len(chosen), length.sum(), (length * length).sum(), link_length[chosen].sum(), *held], np.int64)


def _holds(wanted: NDArray[np.intp], asked: NDArray[np.intp], end: NDArray[np.int32]) -> NDArray[np.bool_]:
    return np.asarray(wanted.searchsorted(asked) < wanted.searchsorted(end[asked]))


def _phrases(columns: Columns) -> list[float]:
    """The number of distinct phrases of each kind that are texts of the page; the number of prices; the shares of short texts
    and of numbers."""
    texts, visible = columns.texts[:_MAX_CHUNKS], columns.counts("visible")[:_MAX_CHUNKS]
    is_short = visible <= _MAX_PHRASE_CHARS
    numbers = int(np.count_nonzero(is_short & (columns.counts("digit")[:_MAX_CHUNKS] == visible)))
    phrases, prices = phrases_and_prices(texts, _NUMBERS, _SIEVE, _CURRENCIES, _MAX_PHRASE_CHARS)
    shares = int(np.count_nonzero(is_short)) / len(texts), numbers / len(texts)
    return [*map(log1p, (_IS_OF_KIND @ phrases).tolist()), log1p(prices), *shares]


@kernel
def phrases_and_prices(
    texts: list[str], phrases: dict[str, int], sieve: NDArray[np.uint8], currencies: tuple[str, ...], longest: int
) -> tuple[NDArray[np.bool_], int]:
    """bool[P]: which phrases (lower case, each with its number) are among the texts; the number of texts that begin with a currency.

    Ignores white space around the texts, their case, and texts of more than `longest` characters. sieve: see `_SIEVE`.
    """
    folded = [text for text in (text.strip().lower() for text in texts) if len(text) <= longest]
    found = np.zeros(len(phrases), np.bool_)
    found[[phrases[text] for text in phrases.keys() & set(folded)]] = True
    return found, sum(text.startswith(currencies) for text in folded)
