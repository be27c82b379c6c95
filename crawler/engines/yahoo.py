"""Yahoo's web search."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("yahoo", "search.yahoo.com", delay=5.0, rest=900.0, pages=10)
RULES = HtmlRules(
    block="//div[contains(concat(' ',@class,' '),' algo ') or contains(concat(' ',@class,' '),' algo-sr ')]",
    link=".//h3//a[@href] | .//a[@href][.//h3]",
    title=".//h3/span[last()] | .//h3",
    snippet=".compText p, .compText",
    date=".fc-2nd",
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    first = 7 * (query.page - 1) + 1
    age = query.age_code(("d", "w", "m", ""))
    ranged = {"fr2": "time", "age": f"1{age}", "btf": age} if age else {}
    return Asking(address("https://search.yahoo.com/search", p=query.text, b=first if first > 1 else "", **ranged))


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
