"""360's web search (so.com); it wants the cookies of its home page."""

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("so360", "www.so.com", delay=5.0, backoff=900.0, pages=10, languages=("zh",))
RULES = HtmlRules(
    block="li.res-list",
    link="h3 a[href]",
    snippet="p.res-desc, span.res-list-summary, .res-rich p",
    date=".gray",
    target=("data-mdurl",),
)


def request(query: Query, keys: Keys) -> QueryRequest:
    age = query.age_code(("d", "w", "m", "y"))
    return QueryRequest(query_url("https://www.so.com/s", q=query.text, pn=query.page, adv_t=age))


ENGINE = Engine(ABOUT, request, RULES.read, warm_up=QueryRequest("https://www.so.com/"))
