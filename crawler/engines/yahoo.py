"""Yahoo's web search."""

from crawler.engines.protocol.engine import About, Engine, EngineQuery, Keys, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("yahoo", "search.yahoo.com", delay=5.0, backoff=900.0, pages=10)
RULES = HtmlRules(
    block="//div[contains(concat(' ',@class,' '),' algo ') or contains(concat(' ',@class,' '),' algo-sr ')]",
    link=".//h3//a[@href] | .//a[@href][.//h3]",
    title=".//h3/span[last()] | .//h3",
    snippet=".compText p, .compText",
    date=".fc-2nd",
)


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    first = 7 * (query.page - 1) + 1
    age = query.age_code(("d", "w", "m", ""))
    ranged = {"fr2": "time", "age": f"1{age}", "btf": age} if age else {}
    return QueryRequest(
        query_url("https://search.yahoo.com/search", p=query.text, b=first if first > 1 else "", **ranged)
    )


ENGINE = Engine(ABOUT, request, RULES.read)
