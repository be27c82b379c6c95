"""Baidu's news search."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("baidu_news", "www.baidu.com", delay=6.0, rest=300.0, pages=20, languages=("zh",))
RULES = HtmlRules(
    block="//div[contains(@class,'c-container') and (@mu or contains(@tpl,'news'))]",
    link=".//h3//a[@href]",
    snippet=".c-summary, .c-span-last, [class*='content']",
    date="[class*='c-color-gray2'], .c-author",
    target=("mu",),
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    return Asking(address("https://www.baidu.com/s", tn="news", rtt=1, word=query.text, pn=10 * (query.page - 1)))


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
