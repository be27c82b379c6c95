"""DuckDuckGo's web search, in the version without scripts."""

from typing import Any
from urllib.parse import urlencode

from crawler.engines.protocol.engine import About, Engine, EngineQuery, Keys, QueryRequest, Reply
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("duckduckgo", "html.duckduckgo.com", delay=5.0, backoff=900.0, pages=10)
RULES = HtmlRules(
    block="#links .web-result, #links .result:not(.result--ad), .links_main, .results_links:not(.result--ad)",
    link=".//h2//a[@href] | .//a[contains(@class,'result__a')] | .//a[contains(concat(' ',@class,' '),' large ')]",
    snippet=".result__snippet, .snippet",
    date=".result__timestamp",
)


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    age = query.age_code(("d", "w", "m", "y"))
    region = {"zh": "cn-zh", "en": "us-en", "de": "de-de"}.get(query.language, "wt-wt")
    first = {"q": query.text[:499], "b": "", "kl": region, "df": age}
    form = dict(query.carried) if query.page > 1 else first
    return QueryRequest(
        "https://html.duckduckgo.com/html/",
        method="POST",
        headers={"Content-Type": "application/x-www-form-urlencoded", "Referer": "https://html.duckduckgo.com/"},
        body=urlencode(form),
    )


def carry(reply: Reply) -> dict[str, str]:
    """The form of the next page; empty without its token, and in Chinese regions, where further pages are refused."""
    forms: Any = reply.page.root.xpath("//form[.//input[@name='s'] and .//input[@name='dc']]")
    for form in reversed(forms):
        named = {str(field.get("name") or ""): str(field.get("value") or "") for field in form.iter("input")}
        is_next = named.get("vqd") and named.get("s", "").strip("0").isdecimal()
        if is_next and not named.get("kl", "").endswith(("-zh", "-tzh")):
            return {name: value for name, value in named.items() if name}
    return {}


ENGINE = Engine(ABOUT, request, RULES.read, carry=carry)
