"""What stands around the main text on most sites: menus, ways, filters, consent, newsletters, other stories, the foot."""

from collections.abc import Callable

from lxml import html
from lxml.html import HtmlElement

from benchmarks.page_words import Words

FRAME = "data-frame"
"""The attribute of elements that are no main text; taken off when the page is finished."""
_SENTENCES = {
    "consent": {
        "en": "We use cookies to improve your experience and to measure traffic. You can change your choice at any time.",
        "zh": "我们使用 Cookie 改善您的体验并统计访问。您可以随时更改选择。",
    },
    "newsletter": {
        "en": "Sign up for our newsletter and get news and offers before everyone else. No spam, leave whenever you like.",
        "zh": "订阅我们的邮件，第一时间获得新闻和优惠。随时可以退订。",
    },
    "others": {"en": "You may also like", "zh": "相关推荐"},
}
_SHARE = {"menu": 0.7, "way": 0.5, "filters": 0.4, "consent": 0.4, "newsletter": 0.4, "others": 0.35, "foot": 0.6}
"""Share of the pages that get each."""


def add_frames(root: HtmlElement, words: Words) -> None:
    """Put some of them before and after the page's content; what they say is filled in later like the rest."""
    body, draw = root.body, words.draw
    for name, share in _SHARE.items():
        if draw.random() < share:
            element = _MAKERS[name](words)
            element.set(FRAME, "")
            at_end = name in ("newsletter", "others", "foot") or (name == "consent" and draw.random() < 0.5)
            body.insert(len(body) if at_end else draw.randint(0, 1) if len(body) else 0, element)


def _made(markup: str) -> HtmlElement:
    return html.fragment_fromstring(markup)


def _links(count: int) -> str:
    return "".join("<li><a href='/x'>label</a></li>" for _ in range(count))


def _menu(words: Words) -> HtmlElement:
    outer = words.draw.choice(
        ("<div class='{}'>{}</div>", "<nav class='{}'>{}</nav>", "<header class='{}'><div>{}</div></header>")
    )
    name = words.draw.choice(("menu", "mega-menu", "site-header", "top-bar", "main-nav", "c-header", "hdr"))
    columns = "".join(f"<ul>{_links(words.draw.randint(3, 14))}</ul>" for _ in range(words.draw.randint(1, 7)))
    return _made(outer.format(name, columns))


def _way(words: Words) -> HtmlElement:
    name = words.draw.choice(("breadcrumb", "breadcrumbs", "crumbs", "path", "you-are-here"))
    steps = " / ".join(['<a href="/">label</a>'] * words.draw.randint(2, 4))
    return _made(f"<div class='{name}'>{steps}</div>")


def _filters(words: Words) -> HtmlElement:
    name = words.draw.choice(("filters", "facets", "sidebar", "refine", "side-nav", "collection-filters"))
    groups = "".join(
        f"<div><h4>label</h4><ul>{_links(words.draw.randint(3, 9))}</ul></div>" for _ in range(words.draw.randint(2, 6))
    )
    return _made(f"<div class='{name}'>{groups}</div>")


def _consent(words: Words) -> HtmlElement:
    name = words.draw.choice(("cookie-banner", "consent", "gdpr", "notice-bar", "cc-window"))
    return _made(f"<div class='{name}'><p>{_SENTENCES['consent'][words.language]}</p><button>OK</button></div>")


def _newsletter(words: Words) -> HtmlElement:
    name = words.draw.choice(("newsletter", "signup", "subscribe-box", "mc-embed", "cta"))
    return _made(
        f"<div class='{name}'><h3>{words.label()}</h3><p>{_SENTENCES['newsletter'][words.language]}</p><input></div>"
    )


def _others(words: Words) -> HtmlElement:
    name = words.draw.choice(("related", "recommendations", "also-like", "more", "recently-viewed", "up-sells"))
    cards = "".join(
        f"<div class='item'><a href='/y'><h4>{words.title()}</h4></a></div>" for _ in range(words.draw.randint(3, 8))
    )
    return _made(f"<section class='{name}'><h3>{_SENTENCES['others'][words.language]}</h3>{cards}</section>")


def _foot(words: Words) -> HtmlElement:
    tag, name = words.draw.choice((("footer", "footer"), ("div", "footer"), ("div", "site-foot"), ("div", "bottom")))
    columns = "".join(
        f"<div><h5>label</h5><ul>{_links(words.draw.randint(3, 10))}</ul></div>"
        for _ in range(words.draw.randint(2, 6))
    )
    return _made(f"<{tag} class='{name}'>{columns}<p>© 2024 {words.label()}</p></{tag}>")


_MAKERS: dict[str, Callable[[Words], HtmlElement]] = {
    "menu": _menu,
    "way": _way,
    "filters": _filters,
    "consent": _consent,
    "newsletter": _newsletter,
    "others": _others,
    "foot": _foot,
}
