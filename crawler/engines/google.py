"""Google's web search, in the layout for browsers without scripts."""

from collections.abc import Mapping
from datetime import date

from crawler.engines.answers.html_rules import HtmlRules, read_html
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("google", "www.google.com", delay=10.0, rest=3_600.0, pages=10)
RULES = HtmlRules(
    block="//*[self::div or self::li][contains(concat(' ',@class,' '),' g ') or contains(@class,'zMzFAb')][.//h3//a or .//a//h3"
    " or .//a[contains(@class,'fuLhoc')]] | //a[starts-with(@href,'/url?q=')][.//h3]/..",
    link=".//h3//a[@href] | .//a[@href][.//h3] | .//a[contains(@class,'fuLhoc')]",
    title=".//h3 | .//span[contains(@class,'CVA68e')]",
    snippet=".st, .VwiC3b, .FrIlee, .s3v9rd, .aCOpRe",
    date=".f",
)

_LANGUAGES = {"zh": "zh-CN"}


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    return Asking(
        address(
            "https://www.google.com/search",
            q=query.text,
            gbv=1,
            hl=query.language,
            start=10 * (query.page - 1) or "",
            tbs=time_range(query),
            lr=f"lang_{_LANGUAGES.get(query.language, query.language)}",
        ),
        cookies={"CONSENT": "YES+"},
    )


def time_range(query: Query) -> str:
    """Google's range from a day to today; "" without a day."""
    if query.since is None:
        return ""
    first, last = (f"{day.month}/{day.day}/{day.year}" for day in (query.since, date.today()))
    return f"cdr:1,cd_min:{first},cd_max:{last}"


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_html(RULES, reply)


ENGINE = Engine(ABOUT, request, results)
