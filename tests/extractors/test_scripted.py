"""Pages that lack text because scripts make it are told from pages that are whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.page import Page
from extractors.scripted import missing_text
from testbed.scripted_site import KINDS, scripted, served

_SCRIPT = '<script src="/static/app.js"></script>'
_PROSE = "".join(
    f"<p>昨天下午，市政府宣布新的地铁线路将于明年春天开工，沿途共有十二座车站。第{n}段。</p>" for n in range(9)
)
_MENU = "<ul>" + "".join(f'<li><a href="/{n}">栏目{n}</a></li>' for n in range(100)) + "</ul>"
_LEGAL = "<footer>版权所有 未经许可不得转载 京ICP备00000000号 违法和不良信息举报电话</footer>"


def missing(html: str) -> str:
    """What the page lacks."""
    return missing_text(Page(html.encode(), "http://some.example/a"))


@pytest.mark.parametrize(
    "body",
    [
        '<div id="app"></div>',
        '<div id="root"><div class="spinner">加载中…</div></div>',
        "<app-root></app-root>",
        '<noscript>You need to enable JavaScript to run this app.</noscript><div id="q7"></div>',
        '<div id="__next"></div><script type="application/json">{"text": "%s"}</script>' % ("内容" * 500),
    ],
)
def test_a_page_that_is_a_frame(body: str) -> None:
    assert missing(f"<title>新闻</title><body>{body}{_SCRIPT}") == "page"


@pytest.mark.parametrize("name", ["article-content", "main", "detail", "content-wrap"])
def test_a_frame_of_menus_around_an_empty_article(name: str) -> None:
    html = f'<title>新闻</title>{_MENU}<div class="x {name}"></div>{_LEGAL}{_SCRIPT}'
    assert missing(html) == "article"
    assert missing(html.replace(_SCRIPT, "")) == ""


@pytest.mark.parametrize("count", ["共 32 条评论", "评论(32)", "32 comments", "网友评论 <b>32</b>条评论"])
def test_comments_that_are_counted_but_not_there(count: str) -> None:
    html = f'<title>新闻</title>{_PROSE}<span>{count}</span><div id="comment-list"></div>{_SCRIPT}'
    assert missing(html) == "comments"
    assert missing(html.replace("32", "0")) == ""
    there = html.replace('"comment-list">', f'"comment-list">{_PROSE}')
    assert missing(there) == ""


@pytest.mark.parametrize(
    "html",
    [
        f'<title>新闻</title><div id="app">{_PROSE}</div>{_SCRIPT}',
        f'<title>新闻</title>{_PROSE}<div id="ad"></div><div class="content"></div>{_SCRIPT}',
        f'<title>新闻</title><div id="app"></div><noscript>{_PROSE}</noscript>{_SCRIPT}',
        f'<title>新闻</title>{_PROSE}<div id="comments"></div>{_SCRIPT}',
        f'<title>新闻</title>{_PROSE}<a>评论(3)</a><a>评论(5)</a><div id="comments"></div>{_SCRIPT}',
        f"<title>没有</title><p>找不到这个页面。</p>{_SCRIPT}",
        f'<title>栏目</title>{_MENU}<div class="r-list-sep"></div>{_LEGAL}{_SCRIPT}',
        '<title>新闻</title><div id="app"></div>',
        "",
    ],
)
def test_a_page_that_is_whole(html: str) -> None:
    assert missing(html) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_both_ways_of_making_the_same_page(kind: str) -> None:
    assert missing(served(kind, 3) + _SCRIPT) == ""
    assert missing(scripted(kind, 3)) == ("comments" if kind in ("comments", "scroll", "more", "shadow") else "page")


_PIECES = [
    "<div id=app>",
    "</div>",
    "<script>x</script>",
    "<noscript>",
    "评论(9)",
    "<comments>",
    "加载中",
    "<a href=x>",
    "文" * 99,
]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join))
def test_any_page_has_an_answer(html: str) -> None:
    assert missing(html) in ("", "page", "article", "comments")
