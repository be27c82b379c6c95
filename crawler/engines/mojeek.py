"""Mojeek's web search."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("mojeek", "www.mojeek.com", delay=5.0, rest=900.0, pages=10)
RULES = HtmlRules(
    block="ul.results-standard > li",
    link="h2 a[href], a.title[href], a.ob[href]",
    title="h2, a.title",
    snippet="p.s",
    date="p.i .date",
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    since = query.since.strftime("%Y%m%d") if query.since else ""
    place = 10 * (query.page - 1) or ""
    return Asking(
        address("https://www.mojeek.com/search", q=query.text, safe=0, s=place, since=since),
        cookies={"lb": query.language},
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
