"""Google's web search, in the layout for browsers without scripts."""

from datetime import date

from crawler.engines.protocol.engine import About, Engine, Keys, Query, QueryRequest, query_url
from crawler.engines.protocol.rules import HtmlRules

ABOUT = About("google", "www.google.com", delay=10.0, backoff=3_600.0, pages=10)
RULES = HtmlRules(
    block="//*[self::div or self::li][contains(concat(' ',@class,' '),' g ') or contains(@class,'zMzFAb')][.//h3//a or .//a//h3"
    " or .//a[contains(@class,'fuLhoc')]] | //a[starts-with(@href,'/url?q=')][.//h3]/..",
    link=".//h3//a[@href] | .//a[@href][.//h3] | .//a[contains(@class,'fuLhoc')]",
    title=".//h3 | .//span[contains(@class,'CVA68e')]",
    snippet=".st, .VwiC3b, .FrIlee, .s3v9rd, .aCOpRe",
    date=".f",
)

_LANGUAGES = {"zh": "zh-CN"}


def request(query: Query, keys: Keys) -> QueryRequest:
    return QueryRequest(
        query_url(
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
    """Google's range from `since` to today; "" without `since`."""
    if query.since is None:
        return ""
    first, last = (f"{day.month}/{day.day}/{day.year}" for day in (query.since, date.today()))
    return f"cdr:1,cd_min:{first},cd_max:{last}"


ENGINE = Engine(ABOUT, request, RULES.read)
