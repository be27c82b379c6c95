"""Yandex's search for sites."""

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("yandex", "yandex.com", delay=5.0, backoff=1_800.0, pages=10)
RULES = HtmlRules(
    block="li.serp-item, .b-serp-item",
    link="a.b-serp-item__title-link, a.OrganicTitle-Link[href], h2 a[href], h3 a[href]",
    snippet=".b-serp-item__text, .OrganicTextContentSpan, .OrganicText, .text-container",
    date=".b-serp-item__date",
)

_LANGUAGES = ("ru", "en", "be", "fr", "de", "id", "kk", "tt", "tr", "uk")


def request(query: Query, keys: Keys) -> QueryRequest:
    return QueryRequest(
        query_url(
            "https://yandex.com/search/site/",
            text=query.text,
            web=1,
            frame=1,
            searchid=3131712,
            lang=query.language if query.language in _LANGUAGES else "en",
            p=query.page - 1 or "",
        )
    )


ENGINE = Engine(ABOUT, request, RULES.read)
