"""GDELT's list of news articles of the last three months."""

from collections.abc import Mapping

from crawler.engines.answers.json_rules import JsonRules, read_json
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, Query, Reply, Result

ABOUT = About("gdelt", "api.gdeltproject.org", delay=6.0, rest=60.0, pages=1)
RULES = JsonRules("articles", date="seendate")

_LANGUAGES = {
    code: f"sourcelang:{name}"
    for code, name in (("zh", "chinese"), ("en", "english"), ("de", "german"), ("fr", "french"), ("ru", "russian"))
}


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    span = f"{query.days()}d" if query.since else ""
    language = _LANGUAGES.get(query.language, "")
    words = " ".join(
        [query.words, *([f"domain:{query.site}"] if query.site else []), *([language] if language else [])]
    )
    base = "https://api.gdeltproject.org/api/v2/doc/doc"
    return Asking(address(base, query=words, mode="ArtList", format="json", maxrecords=250, timespan=span))


def results(reply: Reply) -> list[Result]:
    """The results of an answer."""
    return read_json(RULES, reply)


ENGINE = Engine(ABOUT, request, results, is_html=False)
