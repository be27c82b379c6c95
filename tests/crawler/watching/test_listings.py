"""Lists are read for their things and for further lists; feeds and sitemaps for the times of changes."""

from hypothesis import example, given
from hypothesis import strategies as st

from crawler.watching.listings import read_feed_listing, read_page
from extractors.page import Page

TITLES = [
    "市政府召开会议研究部署今年重点工作",
    "短讯",
    "全市中小学今天正式开学迎来新学期",
    "台风明天登陆沿海地区加强防范",
]
ROWS = "".join(f'<li><a href="/news/2026/{1000 + n}.html">{title}</a></li>' for n, title in enumerate(TITLES))
HOME = f"""<html><head><title>某网</title><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body>
<nav><a href="/">首页</a><a href="/guonei/">国内</a><a href="/caijing/">财经</a></nav><ul>{ROWS}</ul>
<div><a href="/guonei/index_2.html">2</a><a href="/guonei/index_2.html">下一页</a><a href="http://ads.example/x">更多好看的推广链接在这里</a>
<a href="/a.jpg">一张非常好看的图片在这里等你</a></div></body></html>"""


def page_of(text: str, url: str = "http://news.example.cn/") -> Page:
    return Page(text.encode(), url, content_type="text/html; charset=utf-8")


def test_things_have_titles_or_the_pattern_of_those_that_have() -> None:
    found = read_page(page_of(HOME))
    assert [item.url[-9:] for item in found.items] == ["1000.html", "1001.html", "1002.html", "1003.html"]
    assert found.candidates == (
        ("http://news.example.cn/feed.xml", "feed"),
        ("http://news.example.cn/guonei/", "list"),
        ("http://news.example.cn/caijing/", "list"),
    )
    assert found.next_page == "http://news.example.cn/guonei/index_2.html"


def test_a_changed_title_changes_the_stamp_and_nothing_else_does() -> None:
    before = read_page(page_of(HOME))
    noisy = read_page(page_of(HOME.replace("</body>", "<i>在线 17 人</i><!-- 4 ms --></body>")))
    after = read_page(page_of(HOME.replace(TITLES[0], "（更正）" + TITLES[0])))
    assert noisy.items == before.items
    assert [old.stamp == new.stamp for old, new in zip(before.items, after.items, strict=True)] == [
        False,
        True,
        True,
        True,
    ]


def board(replies: int, views: int) -> str:
    more = '<a href="/thread-101-2-1.html">2</a>'
    rows = "".join(
        f'<tbody id="normalthread_{n}"><tr><th><a class="xst" href="/thread-{n}-1-1.html">{TITLES[n % 4]}第{n}贴大家怎么看</a>'
        f'<span class="tps">{more if n == 101 else ""}</span></th>'
        f'<td class="by"><a href="/space-uid-{n}.html">网友{n}</a> 2026-02-2{n % 9}</td>'
        f'<td class="num"><a class="xi2">{replies if n == 103 else n}</a><em>{views + n}</em></td>'
        f'<td class="by">2026-03-01 10:{n % 60:02}</td></tr></tbody>'
        for n in range(101, 113)
    )
    return f'<html><body><table id="threadlisttableid">{rows}</table></body></html>'


def test_of_a_thread_replies_count_and_views_do_not_and_its_pages_are_known() -> None:
    url = "http://bbs.example.cn/forum-1-1.html"
    before, seen, answered = (read_page(page_of(text, url)) for text in (board(5, 100), board(5, 900), board(6, 900)))
    assert all(item.grows for item in before.items)
    assert [item.stamp for item in before.items] == [item.stamp for item in seen.items]
    changed = [new.url for old, new in zip(seen.items, answered.items, strict=True) if old.stamp != new.stamp]
    assert changed == ["http://bbs.example.cn/thread-103-1-1.html"]
    assert before.items[0].pages == {2: "http://bbs.example.cn/thread-101-2-1.html"}


def test_feeds_and_sitemaps_say_when_things_changed() -> None:
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/a/1.html"/><updated>2026-03-01</updated></entry></feed>'
    found = read_feed_listing(atom, "http://x.cn/atom.xml")
    assert found is not None
    assert [(item.url, item.stamp) for item in found.items] == [("http://x.cn/a/1.html", "m2026-03-01")]
    rss = b"<rss><channel><link>http://x.cn/</link><item><title>x</title><link>http://x.cn/a/2.html</link></item></channel></rss>"
    found = read_feed_listing(rss, "http://x.cn/rss.xml")
    assert found is not None
    assert [item.url for item in found.items] == ["http://x.cn/a/2.html"]
    index = b"<sitemapindex><sitemap><loc>http://x.cn/map-1.xml</loc></sitemap></sitemapindex>"
    found = read_feed_listing(index, "http://x.cn/sitemap.xml")
    assert found is not None
    assert found.is_index
    assert [item.url for item in found.items] == ["http://x.cn/map-1.xml"]
    assert read_feed_listing(b"<html><body><p>x</p></body></html>", "http://x.cn/") is None


def test_of_a_long_sitemap_the_last_changes_are_read() -> None:
    rows = "".join(
        f"<url><loc>/a/{n}</loc><lastmod>2026-01-{n % 28 + 1:02}T{n:05}</lastmod></url>" for n in range(3_000)
    )
    found = read_feed_listing(f"<urlset>{rows}</urlset>".encode(), "http://x.cn/sitemap.xml")
    assert found is not None
    assert len(found.items) == 1_000
    assert min(item.stamp for item in found.items) >= "m2026-01-18"


def test_a_feed_names_its_hub_and_itself() -> None:
    links = '<link rel="hub" href="https://hub.example/"/><link rel="self" href="/feed?x=1"/>'
    atom = f'<feed xmlns="http://www.w3.org/2005/Atom">{links}</feed>'
    rss = f'<rss xmlns:a="http://www.w3.org/2005/Atom"><channel>{links.replace("<link", "<a:link")}</channel></rss>'
    for text in (atom, rss):
        found = read_feed_listing(text.encode(), "http://x.cn/feed")
        assert found is not None
        assert (found.hub, found.topic) == ("https://hub.example/", "http://x.cn/feed?x=1")


def test_the_search_of_a_site_is_found() -> None:
    form = '<form action="/s.php" method="get"><input type="hidden" name="sort" value="date"><input name="q"><input type="submit"></form>'
    found = read_page(page_of(HOME.replace("<ul>", form + "<ul>")))
    assert found.search == "http://news.example.cn/s.php?q={query}&sort=date"
    for other in (
        form.replace("get", "post"),
        form.replace('name="q"', 'name="mail"'),
        form.replace('"/s.php"', '"http://else.example/s"'),
        '<form action="/login"><input name="username"><input type="password" name="q"></form>',
    ):
        assert not read_page(page_of(HOME.replace("<ul>", other + "<ul>"))).search


@given(st.binary(max_size=300))
@example(b"<:")
def test_no_bytes_raise(body: bytes) -> None:
    read_feed_listing(body, "http://x.cn/")
    read_feed_listing(b"<rss><item>" + body, "http://x.cn/")
