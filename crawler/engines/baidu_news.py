"""Baidu's news search."""

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("baidu_news", "www.baidu.com", delay=6.0, backoff=300.0, pages=20, languages=("zh",))
RULES = HtmlRules(
    block="//div[contains(@class,'c-container') and (@mu or contains(@tpl,'news'))]",
    link=".//h3//a[@href]",
    snippet=".c-summary, .c-span-last, [class*='content']",
    date="[class*='c-color-gray2'], .c-author",
    target=("mu",),
)


def request(query: Query, keys: Keys) -> QueryRequest:
    return QueryRequest(
        query_url("https://www.baidu.com/s", tn="news", rtt=1, word=query.text, pn=10 * (query.page - 1))
    )


ENGINE = Engine(ABOUT, request, RULES.read)
