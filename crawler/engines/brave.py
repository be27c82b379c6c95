"""Brave's web search."""

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("brave", "search.brave.com", delay=6.0, backoff=1_800.0, pages=10)
RULES = HtmlRules(
    block="div.snippet:not([data-type]), div.snippet[data-type='web'], div.snippet[data-type='news']",
    link="a[href^='http']",
    title="div.title, .snippet-title",
    snippet="div.content, .snippet-description",
    date=".t-secondary",
)


def request(query: Query, keys: Keys) -> QueryRequest:
    age = query.age_code(("pd", "pw", "pm", "py"))
    language = {"zh": "zh-cn", "en": "en-us"}.get(query.language, query.language)
    place = query.page - 1 or ""
    return QueryRequest(
        query_url("https://search.brave.com/search", q=query.text, source="web", offset=place, tf=age),
        cookies={"ui_lang": language},
    )


ENGINE = Engine(ABOUT, request, RULES.read)
