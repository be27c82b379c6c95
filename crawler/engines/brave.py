"""Brave's web search."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("brave", "search.brave.com", delay=6.0, rest=1_800.0, pages=10)
RULES = HtmlRules(
    block="div.snippet:not([data-type]), div.snippet[data-type='web'], div.snippet[data-type='news']",
    link="a[href^='http']",
    title="div.title, .snippet-title",
    snippet="div.content, .snippet-description",
    date=".t-secondary",
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    age = query.age_code(("pd", "pw", "pm", "py"))
    language = {"zh": "zh-cn", "en": "en-us"}.get(query.language, query.language)
    place = query.page - 1 or ""
    return Asking(
        address("https://search.brave.com/search", q=query.text, source="web", offset=place, tf=age),
        cookies={"ui_lang": language},
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
