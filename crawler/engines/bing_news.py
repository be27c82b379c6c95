"""Bing's news search."""

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("bing_news", "www.bing.com", delay=4.0, backoff=900.0, pages=10)
RULES = HtmlRules(
    block="div.newsitem, div.news-card",
    link="a.title[href]",
    snippet="div.snippet",
    date=".source span[aria-label]",
)

_MARKETS = {"zh": "en-hk", "en": "en-us", "de": "de-de", "fr": "fr-fr", "ja": "ja-jp", "ru": "ru-ru"}
"""Bing has no news market for mainland China."""


def request(query: Query, keys: Keys) -> QueryRequest:
    first = 10 * (query.page - 1) + 1
    age = query.age_code(("4", "7", "9", ""))
    return QueryRequest(
        query_url(
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


ENGINE = Engine(ABOUT, request, RULES.read)
