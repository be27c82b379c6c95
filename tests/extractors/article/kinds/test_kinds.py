"""What a page is."""

import pytest

from extractors.article.kinds import LEARNED, PageKind
from extractors.article.kinds.url_features import ADDRESS_NAMES, address_features
from extractors.page import Page

PROSE = "<p>The river had risen in the night, and nobody in the village, said the miller, had ever seen it so high.</p>"
ARTICLE = f"""<html><head><title>The river rises - Daily</title><meta property="og:type" content="article">
<meta property="article:published_time" content="2024-05-06T07:08:09+02:00"><meta name="author" content="Ann Bell"></head>
<body><nav><a href="/">Home</a> <a href="/tag/rivers">Rivers</a></nav>
<article><h1>The river rises</h1>{PROSE * 12}</article></body></html>"""
ENTRY = """<article class="post"><h2><a href="/{0}/a-story">Story number {0} of the year</a></h2>
<time datetime="2024-05-{0:02}">May {0}</time>
<p>A few words about story number {0}.</p><a href="/{0}/a-story">Read more</a></article>"""
LIST = f"""<html><head><title>Stories - Daily</title>
<meta property="og:type" content="website"><meta name="author" content="Daily"></head>
<body class="archive category"><nav><a href="/">Home</a></nav><h1>Stories</h1>{"".join(map(ENTRY.format, range(1, 20)))}
<a href="/category/stories/page/2/">Older posts</a></body></html>"""
PRODUCT = f"""<html><head><title>Red kettle | Shop</title><meta property="og:type" content="product">
<meta property="product:price:amount" content="39.00"><script type="application/ld+json">{{"@type": "Product", "name": "Red kettle",
"offers": {{"@type": "Offer"}}}}</script></head>
<body class="product-page"><h1>Red kettle</h1><span>$39.00</span><button>Add to cart</button><p>In stock</p>{PROSE}

<h2>Specifications</h2><table><tr><td>Weight</td><td>1 kg</td></tr></table>
<h2>Customer reviews</h2><h2>Related products</h2></body></html>"""


def kind(source: str, url: str = "https://daily.example/x") -> PageKind:
    return Page(source.encode(), url).kind


@pytest.mark.parametrize(
    ("source", "url", "expected"),
    [
        (ARTICLE, "https://daily.example/2024/05/06/the-river-rises.html", "article"),
        (ARTICLE, "", "article"),
        (LIST, "https://daily.example/category/stories/", "list"),
        (LIST, "https://daily.example/category/stories/page/3/", "list"),
        (PRODUCT, "https://shop.example/products/red-kettle", "product"),
    ],
)
def test_a_plain_page_of_its_kind_is_recognised(source: str, url: str, expected: str) -> None:
    found = kind(source, url)
    assert found.name == expected
    assert 0.5 < found.probability <= 1


@pytest.mark.parametrize(
    "source",
    [
        "",
        "<frameset cols=20%,80%><frame src=a.html><frame src=b.html></frameset>",
        "<title>404 Not Found</title><h1>Not Found</h1><p>The requested address was not found on this server.</p>",
        "<title>提示信息</title><h1>抱歉，页面不存在</h1><p>您访问的页面不存在或已删除，请返回首页。</p>",
        "<title>Just a moment...</title><p>Checking your browser before you can see the page. This takes a few seconds.</p>",
        "<title>Members</title><form>Your name <input name=u> Your password <input type=password name=p></form> Please enter.",
    ],
)
def test_a_page_that_says_nothing_or_only_an_error_is_an_error(source: str) -> None:
    assert kind(source).name == "error"


def test_an_article_about_errors_is_an_article() -> None:
    assert kind(ARTICLE.replace("The river rises", "Why 404 Not Found is shown")).name == "article"


def test_a_list_has_no_author_and_no_time_of_its_own() -> None:
    found = Page(LIST.encode(), "https://daily.example/category/stories/").article
    assert (found.author, found.published) == ("", "")


def test_an_article_keeps_its_author_and_its_time() -> None:
    found = Page(ARTICLE.encode(), "https://daily.example/2024/05/06/the-river-rises.html").article
    assert (found.author, found.published) == ("Ann Bell", "2024-05-06T07:08:09+02:00")


def test_a_kind_that_cannot_be_read_costs_no_other_field(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(page: Page) -> None:
        raise ValueError("broken")

    errors: list[str] = []
    monkeypatch.setattr("extractors.article.kinds.kind_features", fails)
    page = Page(ARTICLE.encode(), "", on_failure=lambda step, url, error: errors.append(step))
    assert page.article.title == "The river rises"
    assert errors == ["kind"]


@pytest.mark.parametrize("url", ["", "nonsense", "http://[broken", "mailto:a@b.example"])
def test_an_address_without_host_says_nothing(url: str) -> None:
    assert not any(address_features(url))


def test_words_of_an_address_count_by_their_place() -> None:
    found = dict(zip(ADDRESS_NAMES, address_features("https://forum.a.example/tag/rivers?page=2"), strict=True))
    assert found["address above tag"] == found["address host forum"] == found["address numbered page"] == 1
    assert found["address last tag"] == found["address home"] == found["address day"] == 0


def test_every_kind_has_a_probability_and_they_sum_to_one() -> None:
    from extractors.article.kinds import kind_features, probabilities

    found = probabilities(kind_features(Page(LIST.encode(), "")))
    assert len(found) == len(LEARNED)
    assert sum(found) == pytest.approx(1)


WHOLE = f"""<html><head><title>Notebook - rivers</title></head><body><header><h1><a href="/">Notebook</a></h1></header>
<section><article><h2><a href="{{0}}">The river rises</a></h2><p>Mon 6 May 2024 by <a href="/author/bell.html">Ann Bell</a></p>
{PROSE * 2}</article></section><p><a href="/index3.html">«</a> Page 4 / 9 <a href="/index5.html">»</a></p>
<footer>Proudly made with a generator. <a href="/archives.html">Archives</a></footer></body></html>"""
ALONE = "".join(f'<li><a href="/words/{each}.html">word {each}</a> (1)</li>' for each in range(12))


@pytest.mark.parametrize(
    ("target", "url", "expected"),
    [
        ("/2024/the-river-rises.html", "https://daily.example/index4.html", "list"),
        ("https://daily.example/2024/the-river-rises.html", "https://daily.example/tag/rivers.html", "list"),
        ("", "https://daily.example/2024/the-river-rises.html", "article"),
        ("/2024/the-river-rises.html", "https://daily.example/2024/the-river-rises.html", "article"),
        ("/2024/", "https://daily.example/2024/the-river-rises.html", "article"),
        ("https://other.example/a-source", "https://daily.example/2024/the-river-rises.html", "article"),
        ("#top", "https://daily.example/2024/the-river-rises.html", "article"),
        ("/2024/the-river-rises.html", "", "article"),
        ("http://[broken", "https://daily.example/2024/the-river-rises.html", "article"),
    ],
)
def test_a_page_whose_headline_leads_to_another_page_is_a_list_of_it(target: str, url: str, expected: str) -> None:
    assert kind(WHOLE.format(target), url).name == expected


def test_a_page_of_all_tags_is_a_list() -> None:
    source = f"<title>Notebook - Tags</title><h1>Tags for Notebook</h1><ul>{ALONE}</ul><footer>Proudly made with a generator.</footer>"
    assert kind(source, "https://daily.example/tags.html").name == "list"
