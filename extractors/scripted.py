"""Detects text that scripts have yet to load: such a page must be rendered before it is read."""

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from extractors.html.jsonld import article_data
from extractors.html.tags import tag_set
from extractors.page import Page

Missing = Literal["", "page", "article", "comments"]

_MIN_ARTICLE_CHARS = 200
"""Visible characters of a page, or of its sentences, below which it has no article."""
_MIN_SENTENCE_CHARS = 20
"""Visible characters above which a text outside links is a sentence, not a label."""
_MAX_FRAME_CHARS = 400
"""Maximum visible characters outside links of a frame of menus, forms and legal lines."""
_MAX_LOADING_CHARS = 20
"""Maximum visible characters of a placeholder for loading content."""
_MIN_COMMENTS_CHARS = 200
"""Visible characters above which an element named after comments holds some."""
_CODE = re.compile(r"^$|javascript|ecmascript|^module$|babel|jsx", re.I)
_HOLDERS = tag_set("div", "main", "section", "article", "ul", "ol", "dl", "tbody")
_SOMETHING = tag_set(
    "img", "video", "audio", "iframe", "canvas", "object", "embed", "input", "textarea", "svg", "applet"
)
_PART = r"(?:app|root|main|content|contents|article|articles|detail|details|body|news|post|posts|entry|story|page|text|list|feed)"
_CONTENT = re.compile(
    rf"(?:__next|__nuxt|__layout|(?:{_PART}|js|the|my|react|vue)?[-_]?{_PART}(?:[-_](?:container|wrapper|wrap|box|area))?)",
    re.I,
)
_COMMENTS = re.compile(
    r"(?:[\w-]{0,40}[-_])?(?:comments?|pinglun|replies|replys|replylist|discussions?|commentlist|disqus_thread|fb-comments)"
    r"(?:[-_](?:list|lists|content|contents|container|thread|area|box|wrap|wrapper|section|root|app|slot|items|main|body|feed|con|cont))*",
    re.I,
)
_LOADING = re.compile(
    r"\W{0,9}(?:正在|努力|拼命|数据|评论|内容|页面){0,3}(?:加载|载入|读取|请稍|loading|please wait)", re.I
)
_COUNTED = re.compile(
    r"(\d{1,7})\s?(?:条|則|则|个|篇)?\s?(?:网友)?(?:评论|評論|跟帖|回复|留言|comments?\b|replies\b)"
    r"|(?:评论|評論|跟帖|回复|留言|comments|replies)\s?[(（:：\[]\s?(\d{1,7})\b",
    re.I,
)
_MENTIONS_COMMENTS = re.compile(r"评论|評論|跟帖|回复|留言|comment|replies", re.I)
_ASKS = re.compile(r"javascript|脚本", re.I)


@dataclass(frozen=True, slots=True)
class MissingTextSigns:
    """Signs of text that is yet to be loaded.

    Attributes:
        scripts: the page runs scripts.
        readable: visible characters of the body; unlinked: those outside links; prose: those of sentences outside links.
            Text in noscript elements counts: many sites serve their text there, and it is read.
        asks: a noscript element asks for JavaScript.
        hollow: an element named after content is empty, or has a loading message.
        comments: the number of comments that the page states, if the element for them is empty; else 0.
    """

    scripts: bool
    readable: int
    unlinked: int
    prose: int
    asks: bool
    hollow: bool
    comments: int


def missing_text(page: Page) -> Missing:
    """The text that scripts have yet to load; "" for a page that is complete as served."""
    signs = signs_of(page)
    if not signs.scripts:
        return ""
    if signs.readable < _MIN_ARTICLE_CHARS and (signs.hollow or signs.asks):
        return "page"
    if signs.prose < _MIN_ARTICLE_CHARS and signs.unlinked < _MAX_FRAME_CHARS and signs.hollow:
        return "article"
    return "comments" if signs.comments and signs.comments > len(page.records.records) else ""


def signs_of(page: Page) -> MissingTextSigns:
    """The signs, from the page's columns."""
    columns = page.columns
    visible = columns.counts("visible")
    head = columns.within(columns.tagged("head", "title"))[columns.owner]
    readable = columns.subtree_chunks(np.where(head, 0, visible))
    unlinked = ~head & ~columns.linked
    hollow = _hollow(page, readable)
    return MissingTextSigns(
        scripts=_runs_scripts(page),
        readable=int(readable[0]) if len(readable) else 0,
        unlinked=int(visible[unlinked].sum()),
        prose=int(visible[unlinked & (visible >= _MIN_SENTENCE_CHARS)].sum()),
        asks=_asks(page),
        hollow=any(_is_named(page, place, _CONTENT) for place in hollow.tolist()),
        comments=_comments(page, hollow, readable),
    )


def _runs_scripts(page: Page) -> bool:
    columns = page.columns
    return any(
        _CODE.search(columns.value(place, "type").strip())
        and (columns.value(place, "src") or columns.has_script(place))
        for place in np.flatnonzero(columns.tagged("script")).tolist()
    )


def _hollow(page: Page, readable: NDArray[np.int32]) -> NDArray[np.intp]:
    """Places of content elements that are empty, or have only a loading message."""
    columns = page.columns
    holders = (_HOLDERS[columns.tag] | (columns.tag == 0)) & ~columns.within(columns.tagged("head", "noscript", "svg"))
    empty = holders & (readable <= _MAX_LOADING_CHARS) & ~columns.has_below(_SOMETHING[columns.tag])
    places = np.flatnonzero(empty)
    return places[[readable[place] == 0 or bool(_LOADING.match(columns.text(place))) for place in places.tolist()]]


def _is_named(page: Page, place: int, name: re.Pattern[str]) -> bool:
    """Whether an element's id, one of its classes or its tag matches the name."""
    columns = page.columns
    words = f"{columns.value(place, 'id')} {columns.value(place, 'class')} {columns.tag_name(place)}"[:300].split()
    return any(name.fullmatch(word[:80]) for word in words)


def _asks(page: Page) -> bool:
    columns = page.columns
    return any(_ASKS.search(columns.text(place)) for place in np.flatnonzero(columns.tagged("noscript"))[:20].tolist())


def _comments(page: Page, hollow: NDArray[np.intp], readable: NDArray[np.int32]) -> int:
    """The stated number of comments, if there is an empty element for comments and none with comments."""
    if not any(_is_named(page, place, _COMMENTS) for place in hollow.tolist()):
        return 0
    columns = page.columns
    filled = np.flatnonzero((readable >= _MIN_COMMENTS_CHARS) & _HOLDERS[columns.tag]).tolist()
    if any(_is_named(page, place, _COMMENTS) for place in filled):
        return 0
    declared = str(article_data(page).get("commentCount", ""))
    if declared.isdecimal():
        return int(declared[:9])
    owners = {int(columns.owner[chunk]) for chunk, text in enumerate(columns.texts) if _MENTIONS_COMMENTS.search(text)}
    small = {
        place
        for owner in owners
        for place in (owner, int(columns.parent[owner]))
        if readable[place] <= _MAX_LOADING_CHARS
    }
    texts = (columns.text(place) for place in small if place >= 0)
    said = {int(found[1] or found[2]) for text in texts if (found := _COUNTED.search(text))}
    return said.pop() if len(said) == 1 else 0  # several numbers belong to several pages
