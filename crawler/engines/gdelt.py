"""GDELT's list of news articles from the last three months."""

from crawler.engines.protocol.engine import About, Engine, EngineQuery, Keys, QueryRequest, query_url
from crawler.engines.protocol.rules import JsonRules

ABOUT = About("gdelt", "api.gdeltproject.org", delay=6.0, backoff=60.0, pages=1)
RULES = JsonRules(items="articles", date="seendate")

_LANGUAGES = {
    code: f"sourcelang:{name}"
    for code, name in (("zh", "chinese"), ("en", "english"), ("de", "german"), ("fr", "french"), ("ru", "russian"))
}


def request(query: EngineQuery, keys: Keys) -> QueryRequest:
    span = f"{query.days()}d" if query.since else ""
    language = _LANGUAGES.get(query.language, "")
    words = " ".join(
        [query.words, *([f"domain:{query.site}"] if query.site else []), *([language] if language else [])]
    )
    base = "https://api.gdeltproject.org/api/v2/doc/doc"
    return QueryRequest(query_url(base, query=words, mode="ArtList", format="json", maxrecords=250, timespan=span))


ENGINE = Engine(ABOUT, request, RULES.read, is_html=False)
