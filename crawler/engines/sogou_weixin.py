"""Sogou's search in WeChat's public accounts."""

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("sogou_weixin", "weixin.sogou.com", delay=8.0, backoff=1_800.0, pages=10, languages=("zh",))
RULES = HtmlRules(
    block="li[id^='sogou_vr_']",
    link="h3 a[href]",
    snippet="p.txt-info",
    date=".s2",
)


def request(query: Query, keys: Keys) -> QueryRequest:
    return QueryRequest(query_url("https://weixin.sogou.com/weixin", query=query.text, page=query.page, type=2))


ENGINE = Engine(ABOUT, request, RULES.read)
