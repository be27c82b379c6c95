"""Title and byline where a page's places for them disagree."""

import pytest

from extractors.article import Article, extract
from extractors.article.title import without_site_name
from extractors.page import Page

TEXT = "<p>The river rose by two metres during the night, and by morning the lower town stood under water.</p>" * 3


def article(body: str, head: str = "") -> Article:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return extract(Page(html.encode(), "http://paper.example/a.html"))


def test_a_heading_with_the_name_of_the_site_is_no_title() -> None:
    found = article(
        f"<h1>Harbour Post</h1><h2>River floods the lower town</h2>{TEXT}",
        "<title>River floods the lower town - Harbour Post</title>",
    )
    assert found.title == "River floods the lower town"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("标签: 旅行 | 扔下的笔记", "标签: 旅行"),
        ("扔下的笔记 | 去海边走了两天", "去海边走了两天"),
        ("首页 | 扔下的笔记", "扔下的笔记"),
        ("扔下的笔记", "扔下的笔记"),
    ],
)
def test_what_the_link_to_the_home_page_says_is_the_name_of_the_site(title: str, expected: str) -> None:
    head = f'<title>{title}</title><meta property="og:title" content="扔下的笔记">'
    found = article(f'<h1><a href="/">扔下的笔记</a></h1><a href="/tags/">标签</a>{TEXT}', head)
    assert found.title == expected


def test_a_word_of_the_title_in_a_heading_is_no_title() -> None:
    found = article(
        f"<h1>Floods</h1>{TEXT}", "<title>A long night of Floods in the lower town of the old harbour</title>"
    )
    assert found.title == "A long night of Floods in the lower town of the old harbour"


def test_a_short_heading_that_begins_the_title_stays() -> None:
    found = article(f"<h1>洪水夜袭</h1>{TEXT}", "<title>洪水夜袭_港口新闻_港口日报数字版综合新闻频道</title>")
    assert found.title == "洪水夜袭"


@pytest.mark.parametrize(
    ("headings", "head"),
    [
        ("<h1>News</h1><h1>{}</h1>", '<title>News - Harbour</title><meta property="og:title" content="{}">'),
        ("<h1>The river and its town</h1><h2>{}</h2>", "<title>{} - The river and its town</title>"),
        ("<h1>Harbour Post</h1>", "<title>Harbour Post » Blog Archive » {}</title>"),
        ("<h1>Hafenblog</h1>", "<title>Hafenblog » Blog-Archiv » {}</title>"),
    ],
)
def test_the_name_of_the_site_or_channel_in_the_first_heading_is_no_title(headings: str, head: str) -> None:
    title = "River floods the lower town"
    assert article(headings.replace("{}", title) + TEXT, head.replace("{}", title)).title == title


def test_a_channel_that_begins_the_title_element_is_no_title() -> None:
    found = article(
        f"<h1>River floods the lower town</h1><h2>Harbour</h2>{TEXT}",
        "<title>Harbour - River floods the lower town</title>",
    )
    assert found.title == "River floods the lower town"


def test_a_marked_author_goes_before_words_that_look_like_a_byline() -> None:
    found = article(
        f"<h1>River floods the town</h1><p>Built by Stone Brothers</p>{TEXT}<a rel='author' href='/m'>Mia Berg</a>"
    )
    assert found.author == "Mia Berg"


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("Written by Mia Berg", "Mia Berg"),
        ("作者：文森", "文森"),
        ("文森", "文森"),
        ("文/李港", "李港"),
        ("Byron Hale", "Byron Hale"),
    ],
)
def test_words_before_a_name_are_left_out(marked: str, name: str) -> None:
    assert article(f"<h1>River floods the town</h1><div class=article-author>{marked}</div>{TEXT}").author == name


def test_only_the_first_text_nodes_of_a_large_box_about_the_author_are_read() -> None:
    rank = "\n<b>\n</b>" * 8 + "\n<p>Senior member of this board since it was opened, 2,412 posts, gone fishing</p>"
    box = f"<div itemprop=author>\n<p>\n<b>Mia Berg</b>\n</p>{rank}</div>"
    assert article(f"<h1>River floods the town</h1>{TEXT}{box}").author == "Mia Berg"


def test_a_label_alone_is_no_author() -> None:
    assert article(f"<h1>River floods the town</h1><div class=author>Author</div>{TEXT}").author == ""


def test_a_date_that_nothing_declares_is_guessed_from_the_whole_page() -> None:
    paragraph = "<p>The town has rebuilt the bridge, and the ferry is no longer needed by anyone.</p>"
    found = article(f"<h1>River floods the town</h1>{paragraph * 40}<div class='foot'>Posted on March 3, 2019</div>")
    assert found.published == "2019-03-03"


def test_a_page_that_reads_like_an_address_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("htmldate.utils.fetch_url", lambda _: pytest.fail("a page was loaded"))
    assert extract(Page(b"http://127.0.0.1/" + b"x" * 400, "http://paper.example/a.html")).published == ""


@pytest.mark.parametrize("address", ["/2025-12-15+a-title", "/20251215", "/2025/12/15/a"])
def test_the_day_in_an_address_ends_with_its_digits(address: str) -> None:
    page = Page(f"<h1>River floods the town</h1>{TEXT}".encode(), f"http://paper.example{address}")
    assert extract(page).published == "2025-12-15"


def test_a_byline_stands_at_the_first_place_of_the_title() -> None:
    rows = "<ul><li>River floods the town</li><li>2月14日 Another headline</li></ul>"
    found = article(
        f"<div>River floods the town</div><div>2022-02-13 23:37</div>{TEXT}{rows}",
        "<title>River floods the town</title>",
    )
    assert found.published[:16] == "2022-02-13T23:37"


def test_a_site_that_declares_itself_gives_way_to_who_stands_under_the_title() -> None:
    head = "<meta name=author content='Harbour Post'><meta property=og:site_name content='Harbour  post'>"
    assert article(f"<h1>River floods the town</h1><p>By Mia Berg</p>{TEXT}", head).author == "Mia Berg"
    assert article(f"<h1>River floods the town</h1>{TEXT}", head).author == "Harbour Post"


def test_a_number_is_no_author() -> None:
    head = "<meta name=author content='262588213'>"
    assert article(f"<h1>River floods the town</h1><p>By Mia Berg</p>{TEXT}", head).author == "Mia Berg"


def test_code_says_nothing_of_the_language() -> None:
    code = "\n".join(
        f"for number{n} in range(the_length_of_the_list): print(the_result_of_the_call[number{n}])" for n in range(40)
    )
    prose = "<p>下面的程序把列表里的每一个结果都打印出来，读者可以自己试一试，看看会发生什么。</p>"
    body = f"<article><h1>打印列表</h1><pre>{code}</pre>{prose * 4}</article>"
    source = f"<html><head><title>打印列表</title></head><body>{body}</body></html>"
    assert Page(source.encode(), "https://a.example/2024/05/06/1.html").article.language == "zh"


def test_the_property_name_of_an_item_is_the_author() -> None:
    item = '<span itemprop="author" itemscope><meta itemprop="name" content="Mia Berg"><p>Stay hungry, stay foolish.</p></span>'
    assert article(f"<h1>River floods the town</h1>{item}{TEXT}").author == "Mia Berg"


def test_the_author_next_to_the_title_goes_before_those_of_teasers() -> None:
    teasers = "<ul><li>Old news <a class=byline href='/author/carl'>Carl Teaser</a></li></ul>"
    byline = "<p>By <a href='/author/mia-berg/'>Mia Berg</a> Published in News</p>"
    found = article(f"{teasers}<h1>River floods the town</h1>{byline}{TEXT}", "<title>River floods the town</title>")
    assert found.author == "Mia Berg"


def test_a_reference_to_another_object_is_followed() -> None:
    graph = '{"@graph": [{"@type": "NewsArticle", "author": {"@id": "#mia"}}, {"@type": "Person", "@id": "#mia", "name": "Mia Berg"}]}'
    head = f'<script type="application/ld+json">{graph}</script>'
    assert article(f"<h1>River floods the town</h1>{TEXT}", head).author == "Mia Berg"


@pytest.mark.parametrize(
    ("first", "author"), [("<p><strong>Mia Berg</strong></p>", "Mia Berg"), ("<h2>Mia Berg</h2>", "Harbour D")]
)
def test_names_before_the_text_go_before_the_account_of_the_site(first: str, author: str) -> None:
    data = '{"@type": "NewsArticle", "author": {"@id": "http://paper.example/author/admin/", "name": "Harbour D"}}'
    found = article(
        f"<h1>River floods the town</h1>{first}{TEXT}", f'<script type="application/ld+json">{data}</script>'
    )
    assert found.author == author


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("By Mia Berg", "Mia Berg"),
        ("5 May 2024, by Mia Berg and Ann Bell | News", "Mia Berg and Ann Bell"),
        ("Written by Mia Berg in Valve on 1 June", "Mia Berg"),
        ("Read the book by Marshall Brain. This is a sentence.", ""),
        ("Comments powered by Disqus.", ""),
        ("by Outi Salminen and Einar Fridriksson.", ""),
        ("홍길동 기자", "홍길동"),
        ("著者：後藤大地", "後藤大地"),
    ],
)
def test_bylines_in_lines_near_the_title(line: str, author: str) -> None:
    assert article(f"<h1>River floods the town</h1><p>{line}</p>{TEXT}").author == author


def test_who_comments_is_no_author() -> None:
    comment = "<div class=comment-author>Carl Reader</div><p>Well said.</p>"
    assert article(f"<h1>River floods the town</h1>{TEXT}{comment}").author == ""


@pytest.mark.parametrize(
    "heading",
    [
        "<span>Harbour news</span> <span>River floods the lower town</span>",
        "River floods the lower town<br><small>2 March 2024 • Town, Weather</small>",
        "<time>Mar 2 2024</time> <a>River floods the lower town</a>",
        "River floods the lower town<a href='#flood'>¶</a>",
        "<span>Today in the lower and the upper town of the old harbour</span><span>River floods the lower town</span>",
    ],
)
def test_what_a_heading_holds_beside_the_title_is_no_title(heading: str) -> None:
    found = article(f"<h1>{heading}</h1>{TEXT}", "<title>River floods the lower town | Harbour Post</title>")
    assert found.title == "River floods the lower town"


def test_a_short_title_beside_a_kicker() -> None:
    found = article(f"<h1><span>要闻</span> <span>洪水夜袭</span></h1>{TEXT}", "<title>洪水夜袭_港口新闻</title>")
    assert found.title == "洪水夜袭"


def test_a_short_beginning_of_a_heading_is_no_title() -> None:
    heading = "<span>Question</span> <span>Why does the river flood the lower town?</span>"
    found = article(
        f"<h1>{heading}</h1>{TEXT}", "<title>Question - Why does the river flood the lower town? | Harbour</title>"
    )
    assert found.title == "Why does the river flood the lower town?"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (
            "Harbour Post - A test (asto – aso – as) of the water in the river",
            "A test (asto – aso – as) of the water in the river",
        ),
        ("今年的台风（上 - 下）来了没有_港口新闻", "今年的台风（上 - 下）来了没有"),
        ("今年的台风（上_港口新闻", "今年的台风（上"),
    ],
)
def test_a_separator_in_brackets_parts_nothing(title: str, expected: str) -> None:
    assert without_site_name(title) == expected


def test_soft_hyphens_are_not_read() -> None:
    body = TEXT.replace("<p>", "<p>Stein&shy;zeit\xadwerk&#173;zeug ", 1)
    found = article(
        f"<h1>Über&shy;flutung der Alt\xadstadt</h1>{body}", "<title>Über\xadflutung der Alt&shy;stadt</title>"
    )
    assert found.title == "Überflutung der Altstadt"
    assert "Steinzeitwerkzeug" in found.text


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("Lower town under water after flood of the river", "Lower town under water after flood of the river"),
        ("All news of the day from here", "River flood: what you need to know about the town"),
    ],
)
def test_the_only_heading_with_words_of_the_declared_title_is_the_title(heading: str, title: str) -> None:
    declared = "River flood: what you need to know about the town"
    assert article(f"<h1>{heading}</h1>{TEXT}", f"<title>{declared} | Harbour Post</title>").title == title
