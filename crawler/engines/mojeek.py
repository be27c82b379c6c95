"""Mojeek's web search."""

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("mojeek", "www.mojeek.com", delay=5.0, backoff=900.0, pages=10)
RULES = HtmlRules(
    block="ul.results-standard > li",
    link="h2 a[href], a.title[href], a.ob[href]",
    title="h2, a.title",
    snippet="p.s",
    date="p.i .date",
)


def request(query: Query, keys: Keys) -> QueryRequest:
    since = query.since.strftime("%Y%m%d") if query.since else ""
    place = 10 * (query.page - 1) or ""
    return QueryRequest(
        query_url("https://www.mojeek.com/search", q=query.text, safe=0, s=place, since=since),
        cookies={"lb": query.language},
    )


ENGINE = Engine(ABOUT, request, RULES.read)
