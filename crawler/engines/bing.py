"""Bing's web search."""

from datetime import date

from crawler.engines.protocol.engine import About, Engine, EngineQuery, Keys, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("bing", "www.bing.com", delay=4.0, backoff=900.0, pages=20)
RULES = HtmlRules(
    block="//ol[@id='b_results']/li[contains(concat(' ',@class,' '),' b_algo ')]",
    link=".//h2/a[@href]",
    snippet=".b_caption p, p",
    date=".news_dt",
)
_EPOCH = date(1970, 1, 1).toordinal()
_MARKETS = {"zh": "zh-cn", "en": "en-us", "de": "de-de", "fr": "fr-fr", "ja": "ja-jp", "ru": "ru-ru"}


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    market = _MARKETS.get(query.language, "en-us")
    first = 10 * (query.page - 1) + 1
    place = first if first > 1 else ""
    base = "https://www.bing.com/search"
    return QueryRequest(
        query_url(base, q=query.text, adlt="off", mkt=market, first=place, filters=time_range(query)),
        headers={"Accept-Language": market},
    )


def time_range(query: EngineQuery) -> str:
    """Bing's filter from `since` to today, in days since 1970; "" without `since`."""
    if query.since is None:
        return ""
    first, last = (day.toordinal() - _EPOCH for day in (query.since, date.today()))
    return f'ex1:"ez5_{first}_{last}"'


ENGINE = Engine(ABOUT, request, RULES.read)
