"""Baidu's web search."""

from datetime import date, datetime, time, timedelta

from crawler.engines.protocol.engine import About, Engine, EngineQuery, Keys, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules
from extractors.text.dates import CHINA

ABOUT = About("baidu", "www.baidu.com", delay=6.0, backoff=300.0, pages=20, languages=("zh",))
RULES = HtmlRules(
    block="//div[@id='content_left']/div[contains(@class,'result') or contains(@class,'c-container')]"
    " | //div[@mu][@tpl='news-normal'][contains(@class,'c-container')]",
    link=".//h3//a[@href]",
    snippet=".c-abstract, [class*='content-right'], .c-span-last, .c-row",
    date=".newTimeFactor_before_abs, .c-color-gray2, .c-showurl + span",
    target=("mu",),
)


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    return QueryRequest(
        query_url("https://www.baidu.com/s", wd=query.text, pn=10 * (query.page - 1), gpc=time_range(query))
    )


def time_range(query: EngineQuery) -> str:
    """Baidu's range from `since` to the end of today in China, in Unix seconds; "" without `since`.

    It stays the same all day, so that an interrupted query is the same query when the crawl continues.
    """
    if query.since is None:
        return ""
    start, end = (datetime.combine(day, time(), CHINA) for day in (query.since, date.today() + timedelta(days=1)))
    return f"stf={int(start.timestamp())},{int(end.timestamp())}|stftype=1"


ENGINE = Engine(ABOUT, request, RULES.read)
