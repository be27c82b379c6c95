"""Sogou's web search."""

from crawler.engines.protocol.engine import About, Engine, EngineQuery, Keys, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("sogou", "www.sogou.com", delay=6.0, backoff=1_800.0, pages=10, languages=("zh",))
RULES = HtmlRules(
    block="//div[contains(concat(' ',@class,' '),' rb ') or contains(concat(' ',@class,' '),' vrwrap ')]"
    "[not(starts-with(@id,'ad_'))]",
    link=".//h3[not(contains(@class,'biz'))]//a[@href]",
    snippet=".ft, .space-txt, .star-wiki, .str-text-info, .fz-mid",
    date=".cite-date, cite",
    target=("data-url",),
)


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    age = query.age_code(("day", "week", "month", "year"))
    return QueryRequest(
        query_url(
            "https://www.sogou.com/web",
            query=query.text,
            page=query.page,
            s_from=f"inttime_{age}" if age else "",
            tsn=1 if age else "",
        )
    )


ENGINE = Engine(ABOUT, request, RULES.read)
