"""Sogou's search in WeChat's public accounts."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("sogou_weixin", "weixin.sogou.com", delay=8.0, rest=1_800.0, pages=10, languages=("zh",))
RULES = HtmlRules(
    block="li[id^='sogou_vr_']",
    link="h3 a[href]",
    snippet="p.txt-info",
    date=".s2",
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    return Asking(address("https://weixin.sogou.com/weixin", query=query.text, page=query.page, type=2))


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
