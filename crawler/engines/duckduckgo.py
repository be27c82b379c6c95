"""DuckDuckGo's page without scripts."""

from collections.abc import Mapping
from urllib.parse import urlencode

from crawler.engines.base import About, Asking, Engine, Query, Reply, Result
from crawler.engines.html_rules import HtmlRules, read_html

ABOUT = About("duckduckgo", "html.duckduckgo.com", delay=5.0, rest=900.0, pages=1)
RULES = HtmlRules(
    block="#links .web-result, #links .result:not(.result--ad), .links_main, .results_links:not(.result--ad)",
    link=".//h2//a[@href] | .//a[contains(@class,'result__a')] | .//a[contains(concat(' ',@class,' '),' large ')]",
    snippet=".result__snippet, .snippet",
    date=".result__timestamp",
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    age = query.age_code(("d", "w", "m", "y"))
    region = {"zh": "cn-zh", "en": "us-en", "de": "de-de"}.get(query.language, "wt-wt")
    form = {"q": query.text[:499], "b": "", "kl": region, "df": age}
    return Asking(
        "https://html.duckduckgo.com/html/",
        method="POST",
        headers={"Content-Type": "application/x-www-form-urlencoded", "Referer": "https://html.duckduckgo.com/"},
        body=urlencode(form),
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
