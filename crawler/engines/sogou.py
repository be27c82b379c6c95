"""Sogou's web search."""

from collections.abc import Mapping

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("sogou", "www.sogou.com", delay=6.0, rest=1_800.0, pages=10, languages=("zh",))
RULES = HtmlRules(
    block="//div[contains(concat(' ',@class,' '),' rb ') or contains(concat(' ',@class,' '),' vrwrap ')]"
    "[not(starts-with(@id,'ad_'))]",
    link=".//h3[not(contains(@class,'biz'))]//a[@href]",
    snippet=".ft, .space-txt, .star-wiki, .str-text-info, .fz-mid",
    date=".cite-date, cite",
    target=("data-url",),
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    age = query.age_code(("day", "week", "month", "year"))
    return Asking(
        address(
            "https://www.sogou.com/web",
            query=query.text,
            page=query.page,
            s_from=f"inttime_{age}" if age else "",
            tsn=1 if age else "",
        )
    )


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
