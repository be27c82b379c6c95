"""360's web search (so.com); it answers those who bring the cookies of its home page."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("so360", "www.so.com", delay=5.0, rest=900.0, pages=10, languages=("zh",))
RULES = HtmlRules(
    block="li.res-list",
    link="h3 a[href]",
    snippet="p.res-desc, span.res-list-summary, .res-rich p",
    date=".gray",
    target=("data-mdurl",),
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    age = query.age_code(("d", "w", "m", "y"))
    return Asking(address("https://www.so.com/s", q=query.text, pn=query.page, adv_t=age))


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results, warm_up=Asking("https://www.so.com/"))
