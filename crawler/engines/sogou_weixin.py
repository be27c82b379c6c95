"""Sogou's search in WeChat's public accounts."""

from collections.abc import Mapping

from crawler.engines.protocol.engine import About, Engine, Query, QueryRequest, query_url
from crawler.engines.protocol.html_rules import HtmlRules

ABOUT = About("sogou_weixin", "weixin.sogou.com", delay=8.0, backoff=1_800.0, pages=10, languages=("zh",))
RULES = HtmlRules(
    block="li[id^='sogou_vr_']",
    link="h3 a[href]",
    snippet="p.txt-info",
    date=".s2",
)


def request(query: Query, keys: Mapping[str, str]) -> QueryRequest:
    """The request of a query page."""
    return QueryRequest(query_url("https://weixin.sogou.com/weixin", query=query.text, page=query.page, type=2))


ENGINE = Engine(ABOUT, request, RULES.read)
