"""Bing's news search."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("bing_news", "www.bing.com", delay=4.0, rest=900.0, pages=10)
RULES = HtmlRules(
    block="div.newsitem, div.news-card",
    link="a.title[href]",
    snippet="div.snippet",
    date=".source span[aria-label]",
)

_MARKETS = {"zh": "en-hk", "en": "en-us", "de": "de-de", "fr": "fr-fr", "ja": "ja-jp", "ru": "ru-ru"}
"""There is no market of news for China."""


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    first = 10 * (query.page - 1) + 1
    age = query.age_code(("4", "7", "9", ""))
    return Asking(
        address(
            "https://www.bing.com/news/infinitescrollajax",
            q=query.text,
            InfiniteScroll=1,
            first=first,
            SFX=query.page - 1,
            form="PTFTNR",
            mkt=_MARKETS.get(query.language, "en-us"),
            qft=f'interval="{age}"' if age else "",
        )
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
