"""What goes from a page of a host whose other pages are known, and what stays."""

import random

import pytest

from extractors.page import Page
from extractors.site_boilerplate import NOTHING_KNOWN, SiteMemory, mended, page_lines

WORDS = "河 水 山 路 城 市 人 民 学 校 天 气 春 秋 报 道 说 明 今 年 计 划 工 程 项 目 公 里 建 设 完 成 开 始 准 备 方 面 问 题".split()
SUBSCRIBE = "<p>欢迎订阅本报的每周电子简报，编辑部每周五为您精选要闻与评论。</p>"


def _prose(seed: int, sentences: int = 4) -> str:
    chance = random.Random(seed)
    return "".join(
        "".join(chance.choices(WORDS, k=24)) + "，" + "".join(chance.choices(WORDS, k=18)) + "。"
        for _ in range(sentences)
    )


def _page(
    number: int, *, before: str = "", after: str = SUBSCRIBE, inside: str = "", title: str = "", text: str = ""
) -> Page:
    title = title or f"{_prose(number, 1)[:14]} - 山城日报"
    own = text or f"<p>{_prose(number)}</p>{inside}<p>{_prose(number + 500)}</p><p>{_prose(number + 900)}</p>"
    head = f"<meta charset=utf-8><title>{title}</title>"
    body = f"<div class=content><h1>{title.split(' - ')[0]}</h1>{before}{own}{after}</div>"
    return Page(f"{head}<body>{body}".encode(), f"http://daily.example/2026/11/{number}.html")


def _remembered(pages: list[Page]) -> SiteMemory:
    memory = NOTHING_KNOWN
    for page in pages:
        memory = memory.with_page(page_lines(page).all_keys(), page.url)
    return memory


def _mended(page: Page, *others: Page) -> Page:
    return mended(page, page_lines(page), _remembered([page, *others]))


def test_a_line_of_three_pages_goes_and_the_text_of_the_page_stays() -> None:
    pages = [_page(number) for number in range(5)]
    assert all("欢迎订阅" in page.article.text for page in pages)
    for page in pages:
        found = _mended(page, *pages)
        assert "欢迎订阅" not in found.article.text + found.markdown
        assert found.article.text.splitlines()[-1] in page.article.text
        assert found.article.title == page.article.title
        assert "欢迎订阅" in page.article.text  # the page itself is left as it is


def test_two_pages_say_nothing() -> None:
    pages = [_page(number) for number in range(2)]
    assert _mended(pages[0], pages[1]) is pages[0]


def test_headings_between_own_lines_stay() -> None:
    pages = [_page(number, inside="<h2>背景介绍</h2>") for number in range(5)]
    text = _mended(pages[0], *pages).article.text
    assert "背景介绍" in text
    assert "欢迎订阅" not in text


def test_a_text_that_the_host_has_several_times_stays() -> None:
    text = f"<p>{_prose(1)}</p><p>{_prose(2)}</p><p>{_prose(3)}</p>"
    copies = [_page(number, text=text, title="同一篇文章 - 山城日报") for number in range(4)]
    found = _mended(copies[0], *copies, *(_page(number) for number in range(10, 20)))
    assert found.article.text == copies[0].article.text


def test_a_box_of_a_series_stays_on_a_larger_host() -> None:
    box = "<p>本文是《河流考察》系列报道之一，记者沿江走访了十二座城市。</p>"
    series = [_page(number, before=box) for number in range(4)]
    found = _mended(series[0], *series, *(_page(number) for number in range(10, 40)))
    assert "系列报道" in found.article.text
    assert "欢迎订阅" not in found.article.text


def test_the_name_of_the_site_leaves_the_title_and_is_the_source() -> None:
    pages = [_page(number, title=f"{_prose(number, 1)[:3]} - 山城日报社综合新闻网站") for number in range(4)]
    found = _mended(pages[1], *pages).article
    assert (found.title, found.source) == (_prose(1, 1)[:3], "山城日报社综合新闻网站")


def test_a_list_is_left_as_it_is() -> None:
    items = "".join(
        f"<li><h3><a href=/2026/11/{n}.html>{_prose(n, 1)[:16]}</a></h3><p>{_prose(n, 1)}</p></li>" for n in range(12)
    )
    lists = [
        Page(
            f"<meta charset=utf-8><title>要闻 - 日报</title><ul>{items}</ul>".encode(),
            f"http://daily.example/list/page/{n}/",
        )
        for n in range(1, 5)
    ]
    assert lists[0].kind.is_list
    assert _mended(lists[0], *lists) is lists[0]


def _with_comments(number: int, comments: str) -> Page:
    page = _page(number)
    return Page(page.body + f"<div class=comments>{comments}</div>".encode(), page.url)


def _comment(author: str, seed: int) -> str:
    head = f"<a class=author href=/u/{seed}>{author}</a><span class=date>2026-11-02 10:0{seed % 10}</span>"
    return f"<div class=comment>{head}<p class=text>{_prose(seed, 1)}</p></div>"


@pytest.fixture(scope="module")
def box() -> str:
    return "".join(_comment(f"读者{n}", 300 + n) for n in range(4))


def test_a_box_of_the_latest_comments_is_no_discussion(box: str) -> None:
    pages = [_with_comments(number, box) for number in range(5)]
    assert len(pages[0].records.records) == 4
    assert _mended(pages[0], *pages).records.records == ()


def test_comments_of_the_page_itself_stay(box: str) -> None:
    pages = [
        _with_comments(number, "".join(_comment(f"读者{n}", 50 * number + n) for n in range(4))) for number in range(5)
    ]
    assert _mended(pages[0], *pages).records == pages[0].records
