"""Which link continues a thread or a list."""

import pytest

from extractors.links.list_paging import continues, continuing, first_page, next_page, number_after
from extractors.page import Page


def found(own: str, markup: str) -> str:
    """The next page of a page with these links."""
    return next_page(Page(f"<meta charset=utf-8><body>{markup}".encode(), f"http://s.example{own}")).removeprefix(
        "http://s.example"
    )


@pytest.mark.parametrize(
    ("own", "markup", "there"),
    [
        ("/thread-12-1-1.html", '<a href="thread-12-2-1.html">2</a><a href="thread-12-3-1.html">3</a>', "/thread-12-2-1.html"),
        ("/thread-12-2-1.html", '<b>2</b><a href="thread-12-3-1.html" class="nxt">下一页</a>', "/thread-12-3-1.html"),
        ("/viewtopic.php?t=5", '<a href="?t=5&start=15">2</a><a rel="next" href="?t=5&start=15"></a>', "/viewtopic.php?start=15&t=5"),
        ("/viewtopic.php?t=5&start=15", '<a href="?t=5">1</a><a href="?t=5&start=30">3</a>', "/viewtopic.php?start=30&t=5"),
        ("/threads/tea.7/", '<a href="/threads/tea.7/page-2" class="pageNav-jump--next">Next</a>', "/threads/tea.7/page-2"),
        ("/threads/tea.7/page-2", '<a href="/threads/tea.7/page-3">›</a>', "/threads/tea.7/page-3"),
        ("/p/99?pn=2", '<a href="/p/99?pn=1">上一页</a><a href="/p/99?pn=3">下一页</a>', "/p/99?pn=3"),
        ("/post-free-61-1.shtml", '<a href="/post-free-61-2.shtml">下页</a>', "/post-free-61-2.shtml"),
        ("/12345.html", '<a href="/12345-2.html">下一页&gt;</a>', "/12345-2.html"),
        ("/news", '<a href="news?p=2" rel="next">More</a>', "/news?p=2"),
        ("/questions/4/why", '<a href="/questions/4/why?page=2&tab=votes" title="Go to page 2">2</a>', "/questions/4/why?page=2&tab=votes"),
        ("/t/1", '<a href="/t/1/page/2" aria-label="Next page"><svg></svg></a>', "/t/1/page/2"),
        ("/", '<a href="/index2.html">⟩</a><a href="/index3.html">⟫</a>', "/index2.html"),
        ("/tea/index2.html", '<a href="/tea/">1</a><a href="/tea/index3.html">下一页</a>', "/tea/index3.html"),
        ("/tea/index.html", '<a href="/tea/index2.html">Next</a>', "/tea/index2.html"),
        ("/page/2/", '<a href="/"><i></i></a><a href="/page/12/"><i></i></a><a href="/page/3/"><i></i></a>', "/page/3/"),
    ],
)  # fmt: skip
def test_the_next_page(own: str, markup: str, there: str) -> None:
    assert found(own, markup) == there


@pytest.mark.parametrize(
    ("own", "markup"),
    [
        ("/thread-12-1-1.html", '<a href="/thread-13-1-1.html">下一主题</a>'),
        ("/story/123.html", '<a href="/story/124.html">下一页</a>'),
        ("/2025/05/tea", '<a rel="next" href="/2025/05/coffee">Next</a>'),
        ("/forum-2-1.html", '<a href="/thread-7-2-1.html">2</a><a href="/thread-7-3-1.html">3</a>'),
        ("/t?id=1&page=3", '<a href="/t?id=1&page=1">1</a><a href="/t?id=1&page=2">2</a>'),
        ("/t?id=1", '<a href="http://other.example/t?id=1&page=2">下一页</a>'),
        ("/t?id=1", '<a href="javascript:next()">下一页</a><a href="http://[">2</a><a href="#c2">2</a>'),
        ("/t?id=1", '<a href="/t?id=1&page=1">1</a>'),
        ("/?p=4", '<link rel="next" href="/?p=5">'),
        ("/index3.html", '<link rel="canonical" href="/"><a href="/index2.html">2</a>'),
        (
            "/2025/05/tea",
            '<a href="/2025/05/tea2"><img src="a.png"></a><a href="/2025/05/tea.png"><img src="a.png"></a>',
        ),
    ],
)
def test_what_is_no_next_page(own: str, markup: str) -> None:
    assert found(own, markup) == ""


def test_an_earlier_page_is_no_continuation() -> None:
    assert continues("http://s.example/t-1-1.html", "http://s.example/t-1-2.html")
    assert not continues("http://s.example/t-1-2.html", "http://s.example/t-1-1.html")
    assert not continues("http://s.example/t-1-2.html", "http://[broken/t-1-3.html")


@pytest.mark.parametrize(
    ("own", "markup", "there"),
    [
        ("/thread-12-3-1.html", '<a href="thread-12-1-1.html">1</a><a href="thread-12-2-1.html">上一页</a>', "/thread-12-1-1.html"),
        ("/viewtopic.php?t=5&start=30", '<a href="?t=5">1</a><a href="?t=5&start=15">2</a>', "/viewtopic.php?t=5"),
        ("/threads/tea.7/page-2", '<a href="/threads/tea.7/" class="pageNav-jump--prev">Prev</a>', "/threads/tea.7/"),
        ("/p/99?pn=3", '<a href="/p/99?pn=1">首页</a>', "/p/99?pn=1"),
        ("/questions/4/why?page=2&tab=votes", '<a href="/questions/4/why" rel="prev">‹</a>', "/questions/4/why"),
        ("/2026/tea/comment-page-2", '<link rel="canonical" href="/2026/tea/">', "/2026/tea/"),
        ("/thread-12-1-1.html", '<a href="thread-12-1-1.html">1</a><a href="thread-12-2-1.html">2</a>', ""),
        ("/story/124.html", '<a href="/story/123.html">上一页</a>', ""),
        ("/thread-13-2-1.html", '<a href="/thread-12-1-1.html">上一主题</a><a href="/forum-2-1.html">1</a>', ""),
        ("/?p=5", '<a href="/?p=1">1</a>', ""),
        ("/t/9", '<a href="http://[">1</a>', ""),
    ],
)  # fmt: skip
def test_the_page_on_which_a_thread_begins(own: str, markup: str, there: str) -> None:
    page = Page(f"<meta charset=utf-8><body>{markup}".encode(), f"http://s.example{own}")
    assert first_page(page).removeprefix("http://s.example") == there


@pytest.mark.parametrize(
    ("first", "own", "number"),
    [
        ("/thread-12-1-1.html", "/thread-12-7-1.html", 7),
        ("/t?id=5", "/t?id=5&page=12", 12),
        ("/t?id=5", "/t?id=5&start=45", 45),
        ("/t/5", "/t/5/page/3", 3),
        ("/t?id=5", "/t?id=6&page=2", 0),
        ("/t?id=5&page=2", "/t?id=5&page=3", 0),
        ("/2026/05/01", "/2026/05/99999", 0),
        ("/t/5", "/t/5", 0),
    ],
)
def test_as_which_page_an_address_continues_another(first: str, own: str, number: int) -> None:
    assert number_after(f"http://s.example{first}", f"http://s.example{own}") == number


def test_numbers_of_any_length_are_read() -> None:
    digits = "1" * 4_400
    for own, other in (
        (f"/t-1-{digits}.html", f"/t-1-{digits[1:]}2.html"),
        (f"/t?page={digits}", f"/t?page={digits}1"),
    ):
        assert not continues(f"http://s.example{own}", f"http://s.example{other}")
        assert number_after(f"http://s.example{own}", f"http://s.example{other}") == 0


def test_broken_addresses_continue_nothing() -> None:
    assert number_after("http://[broken/t-1-1.html", "http://s.example/t-1-2.html") == 0
    assert number_after("http://s.example/t-1-1.html", "http://other.example/t-1-2.html") == 0


@pytest.mark.parametrize(
    ("own", "further"),
    [
        ("/", ["/page/2", "/2/", "/?page=2", "/index_2.html"]),
        ("/tags/tea/", ["/tags/tea/page/2/", "/tags/tea/2", "/tags/tea/?page=2", "/tags/tea_3.html"]),
        ("/tags/tea~x/", ["/tags/tea~x/page/2/"]),
        ("/list.html", ["/list_2.html", "/list/3.html", "/list.html?p=2"]),
        ("/page/2/", ["/page/3/"]),
        ("/t-1-1.html", ["/t-1-2.html"]),
    ],
)
def test_further_pages_among_all_links_of_a_list(own: str, further: list[str]) -> None:
    others = ["/2026/05/tea-2/", "/about", "/tags/milk/page/2/", "/story/123.html", "/2026/"]
    targets = [f"http://s.example{path}" for path in (*others, *further)]
    assert continuing(f"http://s.example{own}", targets) == list(range(len(others), len(targets)))
