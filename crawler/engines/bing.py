"""Bing's web search."""

from collections.abc import Mapping
from datetime import date

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("bing", "www.bing.com", delay=4.0, rest=900.0, pages=20)
RULES = HtmlRules(
    block="//ol[@id='b_results']/li[contains(concat(' ',@class,' '),' b_algo ')]",
    link=".//h2/a[@href]",
    snippet=".b_caption p, p",
    date=".news_dt",
)
_EPOCH = date(1970, 1, 1).toordinal()
_MARKETS = {"zh": "zh-cn", "en": "en-us", "de": "de-de", "fr": "fr-fr", "ja": "ja-jp", "ru": "ru-ru"}


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    market = _MARKETS.get(query.language, "en-us")
    first = 10 * (query.page - 1) + 1
    place = first if first > 1 else ""
    base = "https://www.bing.com/search"
    return Asking(
        address(base, q=query.text, adlt="off", mkt=market, first=place, filters=time_range(query)),
        headers={"Accept-Language": market},
    )


def time_range(query: Query) -> str:
    """Bing's filter from a day to today, in days since 1970; "" without a day."""
    if query.since is None:
        return ""
    first, last = (day.toordinal() - _EPOCH for day in (query.since, date.today()))
    return f'ex1:"ez5_{first}_{last}"'


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
