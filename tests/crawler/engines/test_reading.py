"""The four answers, by samples, by blocks and by layouts that no rule knows."""

import time
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.serp import hits, saved_pages, titled
from benchmarks.serp_changed import CHANGES, scores
from crawler.engines.answers.generic import generic_results
from crawler.engines.answers.reading import read
from crawler.engines.answers.redirects import needs_resolving, unwrap
from crawler.engines.base import KeyMissingError, Query, Reply
from crawler.engines.catalog import built_in
from crawler.engines.samples import sample

ENGINES = built_in()
SAVED = Path("../shared/data/serp")
KEYS = {
    "SEARXNG_URL": "https://searx.example",
    "BRAVE_API_KEY": "k",
    "GOOGLE_API_KEY": "k",
    "GOOGLE_CX": "c",
    "COMMONCRAWL_INDEX": "CC-MAIN-2026-30",
    "RSS_SEARCH_URL": "https://feeds.example/?q={query}&p={page}",
}


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_reads_its_sample(name: str) -> None:
    answer = read(ENGINES[name], sample(ENGINES[name]))
    assert answer.kind == "results", answer.reason
    assert [result.rank for result in answer.results] == [1, 2, 3]
    assert all(result.url.startswith("http") and result.title for result in answer.results)
    if name not in ("mediawiki",):
        assert answer.results[1].url == "https://lake.example/news/7"


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_asks_differently_for_the_next_page(name: str) -> None:
    engine = ENGINES[name]
    first, second = (engine.request(Query("水 质", page, "lake.example"), KEYS) for page in (1, 2))
    assert first.url.startswith("https://")
    assert engine.about.pages == 1 or first != second


UNABLE = ("baidu_news", "sogou_weixin", "yandex", "mediawiki", "rss")
"""Engines without a range of time: what is older is told by the results' dates."""


@pytest.mark.parametrize("name", ENGINES)
def test_since_is_asked_of_every_engine_that_knows_it(name: str) -> None:
    since = date.today() - timedelta(days=6)
    ranged, other, without = (
        ENGINES[name].request(Query("水", since=day), KEYS) for day in (since, since - timedelta(days=20), None)
    )
    assert (ranged != without) == (name not in UNABLE)
    assert (ranged != other) == (name not in UNABLE)
    assert ranged == ENGINES[name].request(Query("水", since=since), KEYS)  # the same when a run goes on


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("bing", f"ex1%3A%22ez5_20764_{(date.today() - date(1970, 1, 1)).days}%22"),
        ("baidu", "gpc=stf%3D1793980800%2C"),  # midnight in China
        ("google", "tbs=cdr%3A1%2Ccd_min%3A11%2F7%2F2026"),
        ("mojeek", "since=20261107"),
        ("brave_api", "freshness=2026-11-07to"),
        ("commoncrawl", "from=20261107"),
    ],
)
def test_the_day_as_engines_write_it(name: str, part: str) -> None:
    assert part in ENGINES[name].request(Query("水", since=date(2026, 11, 7)), KEYS).url


@pytest.mark.parametrize("name", [name for name in ENGINES if name not in ("rss", "commoncrawl", "yahoo")])
def test_engines_of_all_languages_are_asked_in_one(name: str) -> None:
    engine = ENGINES[name]
    chinese, german = (engine.request(Query("x", language=language), KEYS) for language in ("zh", "de"))
    assert (chinese == german) == (engine.about.languages == ("zh",))


NEXT = (
    "<form action='/html/'><input name='q' value='x'><input name='s' value='10'><input name='dc' value='11'>"
    "<input name='vqd' value='4-1'><input name='kl' value='{region}'></form>"
)


def test_duckduckgos_next_page_is_asked_with_its_form() -> None:
    engine = ENGINES["duckduckgo"]
    assert engine.carry
    reply = Reply("https://html.duckduckgo.com/html/", 200, f"<body>{NEXT.format(region='us-en')}".encode())
    carried = engine.carry(reply)
    assert carried == {"q": "x", "s": "10", "dc": "11", "vqd": "4-1", "kl": "us-en"}
    body = engine.request(Query("x", 2, language="en", carried=carried), {}).body
    assert body == "q=x&s=10&dc=11&vqd=4-1&kl=us-en"


@pytest.mark.parametrize(
    "body", ["", NEXT.replace("4-1", ""), NEXT.format(region="cn-zh"), "<form><input name=s></form>"]
)
def test_duckduckgo_has_no_next_page_without_its_token_or_in_chinese(body: str) -> None:
    engine = ENGINES["duckduckgo"]
    assert engine.carry
    assert engine.carry(Reply("https://html.duckduckgo.com/html/", 200, f"<body><p>x{body}".encode())) == {}


def test_titles_and_snippets_keep_every_word_beside_what_is_marked() -> None:
    body = (
        "<ol id=b_results><li class=b_algo><h2><a href='https://a.example/'>The <b>lake</b> and its water</a></h2>"
        "<p>Said of the <b>lake</b>, now.<style>p{}</style></p></li></ol>"
    )
    (result,) = read(ENGINES["bing"], Reply("https://www.bing.com/search", 200, body.encode())).results
    assert (result.title, result.snippet) == ("The lake and its water", "Said of the lake, now.")


def test_a_page_of_blocks_within_blocks_is_read_in_bounded_time() -> None:
    block = "<li class='res-list'><h3><a href='https://a.example/{n}'>A</a></h3>"
    body = "<ul>" + "".join(block.replace("{n}", str(n)) for n in range(20_000))
    begun = time.process_time()
    answer = read(ENGINES["so360"], Reply("https://www.so.com/s", 200, body.encode()))
    assert len(answer.results) == 500
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(
    ("name", "block"),
    [
        (
            "yandex",
            "<li class='serp-item serp-item_card'><div><a class='Link OrganicTitle-Link' href='{url}'><h2><span>A</span>"
            "</h2></a></div><span class=OrganicTextContentSpan>said of it</span></li>",
        ),
        (
            "brave",
            "<div class='snippet' data-type='web'><a href='{url}'><div class=title>A</div></a>"
            "<div class=snippet-description>said of it</div></div><div class='snippet' data-type='infobox'>"
            "<a href='https://b.example/'><div class=title>B</div></a></div>",
        ),
        (
            "mojeek",
            "<ul class=results-standard><li><a class=title href='{url}'>A</a><p class=s>said of it</p></li></ul>",
        ),
        (
            "so360",
            "<ul><li class=res-list><h3 class=res-title><a href='https://www.so.com/link?m=x' data-mdurl='{url}'><em>A</em>"
            "</a></h3><p class=res-desc>said of <em>it</em></p></li></ul>",
        ),
    ],
)
def test_layouts_of_which_no_page_is_saved(name: str, block: str) -> None:
    url = "https://a.example/p"
    body = f"<html><body>{block.replace('{url}', url)}</body></html>".encode()
    (result,) = read(ENGINES[name], Reply(f"https://{ENGINES[name].about.host}/s", 200, body)).results
    assert (result.url, result.title, result.snippet) == (url, "A", "said of it")


def test_a_missing_key_is_named() -> None:
    with pytest.raises(KeyMissingError, match="BRAVE_API_KEY"):
        ENGINES["brave_api"].request(Query("x"), {})


CHALLENGES = (
    "<title>搜狗搜索</title><body><p>此验证码用于确认这些请求是您的正常行为而不是自动程序发出的，需要您协助验证。</p>",
    "<title>360搜索_访问异常页面</title><body>系统检测到您操作过于频繁，请输入验证码",
    "<title>网络不给力，请稍后重试</title><body><div>返回首页</div>",
    "<title>x</title><body>为了保护您的账号安全，请完成下方验证",
    "<title>Ой!</title><body><form action='/checkcaptcha'>Подтвердите, что запросы отправляли вы, а не робот",
    "<title>DuckDuckGo</title><body><div>Unfortunately, bots use this engine too.</div>",
    "<title>Before you continue to Google Search</title><body><form action='https://consent.google.com/save'></form>",
    "<title>Yahoo</title><body>Will be right back... Thank you for your patience.",
    "<title>x</title><body>Please verify you are a human. Your network appears to be sending automated queries",
    "<title>x</title><body><div class=captcha>One last step</div>",
)


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (429, {}, b"<html>slow down</html>"),
        (302, {"location": "https://wappass.baidu.com/static/captcha/"}, b""),
        (200, {}, b""),
        (200, {}, "<html><title>百度安全验证</title><body>请完成验证</body></html>".encode()),
        (200, {}, b"<html><title>x</title><body><form id='challenge-form'></form>" + b" " * 300),
        *((200, {}, f"<html>{page}<div>{' ' * 300}</div>".encode()) for page in CHALLENGES),
    ],
)
def test_blocks(status: int, headers: dict[str, str], body: bytes) -> None:
    assert read(ENGINES["baidu"], Reply("https://www.baidu.com/s?wd=x", status, body, headers)).kind == "blocked"


def test_json_engine_that_answers_with_a_page_blocks() -> None:
    assert read(ENGINES["baidu_json"], Reply("https://www.baidu.com/s", 200, b"<html>hello</html>")).kind == "blocked"


NONE = (
    "抱歉，没有找到与“x”相关的网页。",
    "抱歉，未找到和“x”相关的网页",
    "很抱歉，没有找到结果",
    "没有搜索到相关内容",
    "您的搜索没有匹配到任何结果",
    "暂无相关结果",
    "抱歉，找不到相关内容",
    "Your search - x - did not match any documents.",
    "We did not find results for: x",
    "No pages found matching: x",
    "We couldn’t find any results",
    "Sorry, no results were found",
    "No results containing all your search terms were found.",
    "Not many great matches came back for your search",
    "No more results found",
    "По вашему запросу ничего не нашлось",
    "Es wurden keine mit deiner Suchanfrage - x - übereinstimmenden Dokumente gefunden.",
    "Nenhum resultado encontrado",
    "Aucun document ne correspond aux termes de recherche spécifiés (x).",
    "No se han encontrado resultados para tu búsqueda",
)


@pytest.mark.parametrize("words", NONE)
def test_truly_none(words: str) -> None:
    body = f"<html><title>x</title><body><div>{words}</div><p>检查输入是否有误</p></body></html>".encode()
    assert read(ENGINES["baidu"], Reply("https://www.baidu.com/s", 200, body)).kind == "none"


def test_results_of_another_reading_of_the_query_are_results() -> None:
    blocks = "".join(
        f"<section><h4><a href='https://h{n}.example/p'>A headline, number {n}</a></h4>"
        f"<p>Some words about what stands on the page with number {n}.</p></section>"
        for n in range(6)
    )
    body = f"<title>x</title><body><p>No results found for <b>&quot;x y&quot;</b>. Results without quotes:</p>{blocks}".encode()
    answer = read(ENGINES["bing"], Reply("https://www.bing.com/search?q=x", 200, body))
    assert (answer.kind, len(answer.results)) == ("layout_changed", 6)


def test_a_changed_layout_still_gives_results() -> None:
    blocks = "".join(
        f"<section class='hit'><p class='top'><a href='https://h{n}.example/p'>A headline, number {n}</a></p>"
        f"<p>Some words about what stands on the page with number {n}.</p></section>"
        for n in range(5)
    )
    body = f"<html><title>x</title><body><a href='/about'>About us</a>{blocks}</body></html>".encode()
    answer = read(ENGINES["bing"], Reply("https://www.bing.com/search?q=x", 200, body))
    assert answer.kind == "layout_changed"
    assert [result.url for result in answer.results] == [f"https://h{n}.example/p" for n in range(5)]
    assert answer.results[2].snippet == "Some words about what stands on the page with number 2."


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9leGFtcGxlLmNvbS8_YT0x&ntb=1", "https://example.com/?a=1"),
        ("/url?q=https://example.com/%3Fv%3D1&sa=U", "https://example.com/?v=1"),
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2F&rut=1", "https://example.com/"),
        ("https://r.search.yahoo.com/_ylt=A/RV=2/RU=https%3a%2f%2fexample.com%2f/RK=2", "https://example.com/"),
        ("https://search.aol.com/click/_ylt=A/RV=2/RU=https%3a%2f%2fexample.com%2f/RK=0/RS=x-", "https://example.com/"),
        ("https://example.com/page?u=1", "https://example.com/page?u=1"),
    ],
)
def test_unwrapping(href: str, target: str) -> None:
    assert unwrap(href, "https://www.google.com/search") == target


def test_an_engines_own_jumps_are_unwrapped_and_other_sites_are_not() -> None:
    base, target = "https://so.example.com/search?keyword=x", "https%3A%2F%2Fa.example.org%2Fp"
    assert unwrap(f"/search/jump?aid=1&to={target}", base) == "https://a.example.org/p"
    assert unwrap(f"https://b.example.net/search/jump?to={target}", base).startswith("https://b.example.net/")
    assert unwrap("/account/go?back=https%3A%2F%2Fwww.example.com%2F", base).endswith("www.example.com%2F")


def test_opaque_redirects_need_a_request() -> None:
    assert needs_resolving("http://www.baidu.com/link?url=abc")
    assert not needs_resolving("https://example.com/link?url=abc")


@given(st.text(), st.text())
def test_unwrapping_never_raises(href: str, base: str) -> None:
    assert isinstance(unwrap(href, base), str)


@given(st.binary(max_size=300))
def test_reading_never_raises(body: bytes) -> None:
    for name in ("baidu", "quark", "gdelt", "rss", "commoncrawl"):
        assert read(ENGINES[name], Reply("https://x.example/", 200, body)).kind


def test_saved_pages_of_real_engines() -> None:
    if not SAVED.is_dir():
        pytest.skip("no saved pages here")
    for page in saved_pages(SAVED):
        answer = read(ENGINES.get(page.engine, ENGINES["google"]), page.reply)
        if not page.expected:
            assert answer.kind == ("none" if page.name == "bing-7" else "blocked"), page.name
            continue
        changed = read(replace(ENGINES[page.engine], results=lambda reply: []), page.reply)
        assert changed.kind == "layout_changed", page.name
        assert len(changed.results) >= 0.85 * len(page.expected)
        own, generic = ([r.url for r in found] for found in (answer.results, generic_results(page.reply.page)))
        assert hits(page.expected, own) == (len(page.expected), len(own)), page.name
        assert titled(page, answer.results) == len(page.expected), page.name
        found, right = hits(page.expected, generic)
        assert found >= 0.85 * len(page.expected), page.name
        assert right >= 0.9 * len(generic), page.name


@pytest.mark.parametrize(
    ("layout", "least_found", "least_right"),
    [("names hashed", 0.98, 0.97), ("no headings", 0.97, 0.93), ("bare divs", 0.97, 0.93)],
)
def test_the_generic_rule_bears_layouts_that_it_has_not_seen(
    layout: str, least_found: float, least_right: float
) -> None:
    if not SAVED.is_dir():
        pytest.skip("no saved pages here")
    rows = [row[1:] for row in scores(SAVED, CHANGES[layout])]
    expected, found, right, given_ = (sum(column) for column in zip(*rows, strict=True))
    assert found >= least_found * expected
    assert right >= least_right * given_
