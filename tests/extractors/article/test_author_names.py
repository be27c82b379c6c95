"""Names of authors."""

import pytest

from extractors.article.author_names import is_house, is_junk, led_name, name_of, names_alone, reporters, without_post
from extractors.article.kinds import PageKind, find_kind
from extractors.page import Page

CHINESE = "<p>昨天晚上，河水上涨得很快，村里的老人说，他们从来没有见过这么大的水。</p>" * 12


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("本报北京5月4日电 记者 王建宏 张文攀", "王建宏 张文攀"),
        ("新华社拉萨5月4日电（记者 格桑边觉）昨天", "格桑边觉"),
        ("（本报记者 王建宏、张文攀 通讯员 李明）", "王建宏 张文攀"),
        ("本报记者罗科苏盈发自北京 23日下午", "罗科苏盈"),
        ("本报记者 张三 李四 发自上海", "张三 李四"),
        ("记者 了解到，昨天河水上涨。", ""),
        ("记者在现场看到，河水上涨。", ""),
        ("河水上涨。\nAutorin: Uta Berg, Leiterin des Hauses.", "Uta Berg"),
        ("Author:\nTitle\nAbstract\nSelect", ""),
        ("", ""),
    ],
)
def test_reporters_are_found_without_a_colon(text: str, expected: str) -> None:
    assert reporters(text) == expected


def test_the_reporter_at_the_end_of_a_text_is_its_author() -> None:
    source = f"<html><head><title>河水上涨</title></head><body><h1>河水上涨</h1>{CHINESE}<p>（记者 格桑边觉）</p></body></html>"
    assert Page(source.encode(), "https://a.example/2024/05/06/1.html").article.author == "格桑边觉"


@pytest.mark.parametrize(
    "text",
    [
        "[object Object]",
        "Sign In",
        "Kersti sagt:",
        "Publiziert am",
        "Alle Beiträge",
        "Name (erforderlich)",
        "Afficher mon profil complet",
        "View more posts",
        "Name *",
        "L_104485",
        "Theme PaperMod",
        "Hexo Theme",
        "登录",
        "undefined",
        "2 文章",
        "”这里本来应该是答案的“",
        "好好学习, 天天上网👨‍💻‍",
        "01:30 Min.",
        "2.8k posts",
        "LinkedIn",
        "GitHub E-Mail",
        "cpufreqd.conf",
        "2 文章 小河",
    ],
)
def test_menu_words_and_templates_are_no_names(text: str) -> None:
    assert is_junk(text)
    assert name_of(text) == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("By Ann Bell", "Ann Bell"),
        ("文章作者: 李明", "李明"),
        ("Posted by  Tom", "Tom"),
        ("May 4, 2024", ""),
        ("x", ""),
    ],
)
def test_a_label_is_no_part_of_a_name(text: str, name: str) -> None:
    assert name_of(text) == name


@pytest.mark.parametrize("text", ["Ann Bell", "Theodore Roosevelt", "李明", "Homer Simpson", "Guestavo Paz"])
def test_names_are_no_junk(text: str) -> None:
    assert not is_junk(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("51offer.com", True), ("中国新闻网", True), ("J. R. Smith", False), ("王建宏", False), ("", False)],
)
def test_names_of_publishers(name: str, expected: bool) -> None:
    assert is_house(name) == expected


def test_a_reporter_counts_before_a_publisher() -> None:
    source = f'<head><meta name="author" content="中国新闻网"></head><h1>河水上涨</h1>{CHINESE}<p>新京报记者 彭冲 山东报道</p>'
    assert Page(source.encode(), "https://a.example/1.html").article.author == "彭冲"


def test_the_author_of_the_article_counts_before_that_of_the_site() -> None:
    metas = '<meta name="author" content="Big House"><meta property="article:author" content="Ann Bell">'
    assert Page(f"<head>{metas}</head><h1>A title</h1>{CHINESE}".encode()).article.author == "Ann Bell"


def test_parts_of_a_name_are_put_together() -> None:
    data = '{"@type": "NewsArticle", "author": [{"@type": "Person", "givenName": "Ann", "familyName": "Bell"}]}'
    source = f'<head><script type="application/ld+json">{data}</script></head><h1>A title</h1>{CHINESE}'
    assert Page(source.encode()).article.author == "Ann Bell"


@pytest.mark.parametrize("said", ["首先欢迎你来到我们这里接受采访。", "你通过什么渠道最快的获取这些信息？"])
def test_an_answer_in_an_interview_is_no_name(said: str) -> None:
    source = f"<h1>河水上涨</h1><p>记者：{said}</p>{CHINESE}"
    assert Page(source.encode()).article.author == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Von Moritz Gathmann am 21. April 2020", "Moritz Gathmann"),
        ("VON ANNA BERG | 12.3.2024", "ANNA BERG"),
        ("Par Matthieu Hy", "Matthieu Hy"),
        ("Por Ana de la Torre, Madrid", "Ana de la Torre"),
        ("Автор: Иван Петров", "Иван Петров"),
        ("Von München nach Berlin fährt der Zug", ""),
        ("Von Anfang An sagt er immer das", ""),
        ("Text Compression Using Words", ""),
        ("Text: Jane Miller", "Jane Miller"),
        ("von " + "Aa " * 200, ""),
    ],
)
def test_lines_that_begin_as_bylines_do(line: str, expected: str) -> None:
    assert led_name(line) == expected


def test_an_author_with_the_name_of_the_host_is_the_last_choice() -> None:
    text = "<p>The river was cleaned in the spring, and the banks were planted with trees by the town.</p>" * 8
    source = f"<html><head><title>River</title><meta name=author content='Town Post'></head><body><h1>River</h1>%s{text}</body></html>"
    for byline, author in (("<p>By Jane Miller</p>", "Jane Miller"), ("", "Town Post")):
        assert (
            Page((source % byline).encode(), "https://www.town-post.example/2024/05/06/1.html").article.author == author
        )


def test_who_begins_a_thread_is_its_author() -> None:
    posts = "".join(
        f'<div class="post"><a class="author" href="/u/{n}">{name}</a><span class="date">2026-11-0{n + 1} 10:00</span>'
        f'<div class="content"><p>{"今天的讨论很有意思，大家都来说说。" * 3}第{n}条。</p></div></div>'
        for n, name in enumerate(("小河", "大山", "老王", "小李", "阿明", "小芳"))
    )
    page = Page(
        f"<meta charset=utf-8><meta name=author content=王小平><title>讨论 - 论坛</title><h1>讨论</h1><div id=posts>{posts}</div>".encode(),
        "http://bbs.example/thread-1-1.html",
    )
    thread = page.having_read({find_kind: PageKind("thread", 1.0)})
    assert (thread.article.author, page.article.author) == ("小河", "王小平")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Povilas Alek, Mykolo Romerio universiteto profesorius, Lrt.lt", "Povilas Alek"),
        ("Ann Bell, Carl von Linde", "Ann Bell, Carl von Linde"),
        ("Ann Bell, Science Editor", "Ann Bell, Science Editor"),
        ("Ann Bell", "Ann Bell"),
    ],
)
def test_a_post_after_a_name_is_cut(name: str, expected: str) -> None:
    assert without_post(name) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Mohloai Mpesi", "Mohloai Mpesi"),
        ("Mathatisi Sebusi/Mohalenyane  Phakela", "Mathatisi Sebusi/Mohalenyane Phakela"),
        ("Budapest", ""),
        ("Ann Bell reports from the lower town", ""),
    ],
)
def test_a_line_of_names_alone(line: str, expected: str) -> None:
    assert names_alone(line) == expected


@pytest.mark.parametrize(("line", "expected"), [("怪核（英文：Weirdcore）是一种艺术。", ""), ("文：王建宏", "王建宏")])
def test_a_word_that_ends_like_a_label_is_none(line: str, expected: str) -> None:
    source = f"<title>河水上涨</title><h1>河水上涨</h1><p>{line}</p>{CHINESE}"
    assert Page(source.encode()).article.author == expected
