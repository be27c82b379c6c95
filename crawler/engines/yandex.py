"""Yandex's search for sites."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("yandex", "yandex.com", delay=5.0, rest=1_800.0, pages=10)
RULES = HtmlRules(
    block="li.serp-item, .b-serp-item",
    link="a.b-serp-item__title-link, a.OrganicTitle-Link[href], h2 a[href], h3 a[href]",
    snippet=".b-serp-item__text, .OrganicTextContentSpan, .OrganicText, .text-container",
    date=".b-serp-item__date",
)

_LANGUAGES = ("ru", "en", "be", "fr", "de", "id", "kk", "tt", "tr", "uk")


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    return Asking(
        address(
            "https://yandex.com/search/site/",
            text=query.text,
            web=1,
            frame=1,
            searchid=3131712,
            lang=query.language if query.language in _LANGUAGES else "en",
            p=query.page - 1 or "",
        )
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
