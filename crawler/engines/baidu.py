"""Baidu's web search."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result
from extractors.text.dates import CHINA

ABOUT = About("baidu", "www.baidu.com", delay=6.0, rest=300.0, pages=20, languages=("zh",))
RULES = HtmlRules(
    block="//div[@id='content_left']/div[contains(@class,'result') or contains(@class,'c-container')]"
    " | //div[@mu][@tpl='news-normal'][contains(@class,'c-container')]",
    link=".//h3//a[@href]",
    snippet=".c-abstract, [class*='content-right'], .c-span-last, .c-row",
    date=".newTimeFactor_before_abs, .c-color-gray2, .c-showurl + span",
    target=("mu",),
)


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    return Asking(address("https://www.baidu.com/s", wd=query.text, pn=10 * (query.page - 1), gpc=time_range(query)))


def time_range(query: Query) -> str:
    """Baidu's range from a day to the end of this one, in Unix seconds of China; "" without a day.

    The same all day long, so that a query that was under way when a run was stopped is the same query afterwards.
    """
    if query.since is None:
        return ""
    start, end = (datetime.combine(day, time(), CHINA) for day in (query.since, date.today() + timedelta(days=1)))
    return f"stf={int(start.timestamp())},{int(end.timestamp())}|stftype=1"


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
