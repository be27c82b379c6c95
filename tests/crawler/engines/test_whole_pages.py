"""Whole pages of every engine, made around its sample: what is beside the results is no result, and an outage no layout."""

import re
from datetime import date

import pytest

from crawler.engines.catalog import built_in, sample
from crawler.engines.protocol.engine import Engine, Reply
from crawler.engines.protocol.reading import read_answer

ENGINES = built_in()
PAGES = {name: engine for name, engine in ENGINES.items() if engine.is_html}
HEAD = (
    "<header><form action='{host}/s' role=search><input type=text name=q value=water><input type=submit value=搜索></form>"
    "<nav class=tabs><ul><li><a href='{host}/'>All</a></li><li><a href='{host}/images?q=water'>Images</a></li>"
    "<li><a href='{host}/news?q=water'>News</a></li><li><a href='{host}/video?q=water'>视频</a></li></ul></nav>"
    "<div class=tools><a href='javascript:void(0);'>Any time</a><a href='{host}/preferences'>Settings</a></div></header>"
)
STRAYS = (
    "<div class='deep-links sitelinks'><ul><li><a href='https://river.example/report/maps'>Maps of the river</a></li>"
    "<li><a href='https://river.example/report/tables'>Tables of the river</a></li></ul></div>"
    "<div class='video-list carousel'><a href='https://films.example/w1'><img src=/a.jpg>Water in two minutes</a></div>"
    "<a class=cache href='javascript:void(0);'>更多同站结果</a>"
)
TAIL = (
    "<aside><h2>Related searches</h2><ul><li><a href='{host}/s?q=water+level'>water level</a></li>"
    "<li><a href='{host}/s?q=rain'>rain</a></li><li><a href='{host}/s?q=lake'>lake</a></li></ul></aside>"
    "<div class=pager><a href='{host}/s?q=water&page=2'>2</a><a href='{host}/s?q=water&page=3'>下一页</a></div>"
    "<footer><a href='{host}/privacy'>Privacy</a><a href='https://help.example/ads'>Advertise</a>"
    "<a href='https://beian.miit.gov.cn/'>京ICP证000001号</a></footer>"
)
OUTAGES = (
    "<title>Service Unavailable</title><body><h1>Service Unavailable</h1><p>HTTP Error 503.</p></body>",
    "<title>502 Bad Gateway</title><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body>",
    "<title>出错了</title><body><div class=box><h2>服务器开小差了</h2><p>请稍后再试</p><a href=/>返回首页</a></div></body>",
    "<title>Error</title><body><p>Something went wrong on our side.</p><form><input name=q></form></body>",
    "<title>Maintenance</title><body><h1>We are under maintenance</h1><p>Back at 06:00 UTC.</p><script src=/m.js></script></body>",
)


def whole(engine: Engine) -> Reply:
    """The engine's sample with all that a page has around its results, and strays within the first of them."""
    found, host = sample(engine), f"https://{engine.about.host}"
    text = found.body.decode()
    first = re.search(r"River report 2026(?:</\w+>)+", text)
    assert first is not None
    text = text[: first.end()] + STRAYS + text[first.end() :]
    text = text.replace("<body>", f"<body>{HEAD.format(host=host)}").replace(
        "</body>", f"{TAIL.format(host=host)}</body>"
    )
    return Reply(found.url, 200, text.encode(), found.headers)


@pytest.mark.parametrize("name", [name for name in PAGES if name != "quark"])
def test_a_whole_page_has_the_results_of_the_sample_alone(name: str) -> None:
    engine = ENGINES[name]
    plain, answer = read_answer(engine, sample(engine)), read_answer(engine, whole(engine))
    assert answer.kind == "results", answer.reason
    assert [(each.url, each.title) for each in answer.results] == [(each.url, each.title) for each in plain.results]
    assert all(not each.date or date.fromisoformat(each.date[:10]) for each in answer.results)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("page", OUTAGES)
def test_an_outage_of_any_engine_is_blocked(name: str, page: str) -> None:
    engine, body = ENGINES[name], f"<!doctype html><html>{page}{' ' * 300}</html>".encode()
    answer = read_answer(engine, Reply(f"https://{engine.about.host}/s", 200, body, {"content-type": "text/html"}))
    assert (answer.kind, answer.results) == ("blocked", ()), answer.reason
    assert read_answer(engine, Reply(f"https://{engine.about.host}/s", 503, body)).kind == "blocked"
