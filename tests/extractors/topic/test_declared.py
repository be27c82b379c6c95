"""The tags that an author gave to an article, told from menus and clouds of tags."""

from extractors.page import Page
from extractors.topic.declared import declared_tags

TEXT = "<p>那天下午我们去看了一部电影，出来时天已经黑了。</p>" * 9
OWN = '<footer class="post-footer"><a href="/tags/film/" rel="tag"># 电影</a> <a href="/tags/life/">生活 (12)</a></footer>'


def tags(around: str = "", own: str = OWN, body: str = "") -> tuple[str, ...]:
    """Of a page with these elements around an article."""
    html = f"<html><body class='{body}'>{around}<article><h1>一个下午</h1>{TEXT}{own}</article></body></html>"
    return declared_tags(Page(html.encode(), "http://a.example/1", content_type="text/html; charset=utf-8"))


def test_the_tags_under_an_article_are_its_own() -> None:
    assert tags() == ("电影", "生活")


def test_a_menu_or_side_bar_declares_nothing_even_with_few_links() -> None:
    links = '<a href="/categories/notes/">读书笔记</a><a href="/tags/film/">电影与更多的电影</a>'
    for frame in (f"<nav>{links}</nav>", f"<aside>{links}</aside>", f'<div class="widget tag-cloud">{links}</div>'):
        assert tags(frame) == ("电影", "生活")
        assert tags(frame, own="") == ()


def test_tags_beside_the_text_of_the_same_article_are_its_own_though_in_an_aside() -> None:
    aside = f"<aside><ul class='post-tags'>{OWN}</ul></aside>"
    assert tags(own=aside) == ("电影", "生活")
    assert tags(aside, own="") == ()


def test_the_tags_of_the_article_before_or_after_are_not_its_own() -> None:
    card = '<article class="col"><a href="/2.html">别的文章</a><a href="/tags/php/">PHP</a></article>'
    assert tags(f'<article class="prev-next articles">{card}{card}</article>') == ("电影", "生活")


def test_digits_that_end_a_name_stay() -> None:
    own = (
        '<p><a href="/tags/es6/">ES6</a> <a href="/tags/camera/"># RX100 (3)</a> <a href="/tags/life/">生活 12</a></p>'
    )
    assert tags(own=own) == ("ES6", "RX100", "生活")


def test_a_list_of_all_categories_far_from_the_text_declares_nothing() -> None:
    links = "".join(f'<li><a href="/categories/{n}/">栏目{n}</a></li>' for n in "甲乙丙丁戊己庚辛")
    assert tags(f'<div class="categorieslist"><ul>{links}</ul></div>') == ("电影", "生活")


def test_a_page_that_is_called_a_side_bar_as_a_whole_is_none() -> None:
    assert tags(body="nav sidebar") == ("电影", "生活")


def test_numbers_of_tags_are_no_tags() -> None:
    assert tags('<p><a href="/tags/all">78 标签</a> <a href="/categories/all">14 分类</a></p>') == ("电影", "生活")
