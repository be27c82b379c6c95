"""The four kinds of answers, on blocks, on notices and on layouts that no rule knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.engines.catalog import built_in
from crawler.engines.protocol.engine import Reply
from crawler.engines.protocol.reading import read_answer

ENGINES = built_in()


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
    assert read_answer(ENGINES["baidu"], Reply("https://www.baidu.com/s?wd=x", status, body, headers)).kind == "blocked"


OUTAGES = (
    "<title>Service unavailable</title><body><h1>Service unavailable</h1><form><input name=q></form>",
    "<title>x</title><body><p>The service is temporarily unavailable.</p><script src=/a.js></script>",
    "<title>提示</title><body><p>系统繁忙，请耐心等候</p><input name=wd>",
    "<title>Oops</title><body><p>Our engineers are on it. Error reference 18.4f.</p>",
)


@pytest.mark.parametrize("page", OUTAGES)
def test_an_outage_is_no_changed_layout(page: str) -> None:
    body = f"<html>{page}<div>{' ' * 300}</div>".encode()
    assert read_answer(ENGINES["yahoo"], Reply("https://search.yahoo.com/search?p=x", 200, body)).kind == "blocked"


def test_a_server_error_is_no_changed_layout() -> None:
    assert read_answer(ENGINES["bing"], Reply("https://www.bing.com/search", 502, b"<html>x</html>")).kind == "blocked"


def test_a_page_with_a_search_field_and_nothing_known_is_a_changed_layout() -> None:
    body = f"<title>x</title><body><form><input name=q value=x></form><div id=app></div>{' ' * 300}".encode()
    assert read_answer(ENGINES["bing"], Reply("https://www.bing.com/search", 200, body)).kind == "layout_changed"


def test_json_engine_that_answers_with_a_page_blocks() -> None:
    assert (
        read_answer(ENGINES["baidu_json"], Reply("https://www.baidu.com/s", 200, b"<html>hello</html>")).kind
        == "blocked"
    )


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
    assert read_answer(ENGINES["baidu"], Reply("https://www.baidu.com/s", 200, body)).kind == "none"


def test_results_of_another_reading_of_the_query_are_results() -> None:
    blocks = "".join(
        f"<section><h4><a href='https://h{n}.example/p'>A headline, number {n}</a></h4>"
        f"<p>Some words about what stands on the page with number {n}.</p></section>"
        for n in range(6)
    )
    body = f"<title>x</title><body><p>No results found for <b>&quot;x y&quot;</b>. Results without quotes:</p>{blocks}".encode()
    answer = read_answer(ENGINES["bing"], Reply("https://www.bing.com/search?q=x", 200, body))
    assert (answer.kind, len(answer.results)) == ("layout_changed", 6)


def test_a_changed_layout_still_gives_results() -> None:
    blocks = "".join(
        f"<section class='hit'><p class='top'><a href='https://h{n}.example/p'>A headline, number {n}</a></p>"
        f"<p>Some words about what stands on the page with number {n}.</p></section>"
        for n in range(5)
    )
    body = f"<html><title>x</title><body><a href='/about'>About us</a>{blocks}</body></html>".encode()
    answer = read_answer(ENGINES["bing"], Reply("https://www.bing.com/search?q=x", 200, body))
    assert answer.kind == "layout_changed"
    assert [result.url for result in answer.results] == [f"https://h{n}.example/p" for n in range(5)]
    assert answer.results[2].snippet == "Some words about what stands on the page with number 2."


@given(st.binary(max_size=300))
def test_reading_never_raises(body: bytes) -> None:
    for engine in ENGINES.values():
        assert read_answer(engine, Reply("https://x.example/", 200, body)).kind
