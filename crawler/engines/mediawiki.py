"""The search of Wikipedia, or of any MediaWiki named by MEDIAWIKI_URL."""

from collections.abc import Mapping
from urllib.parse import quote, urljoin

from crawler.engines.answers.json_rules import parsed, text_at, value_at
from crawler.engines.asking import address
from crawler.engines.base import About, Asking, Engine, NoResultsError, Query, Reply, Result

ABOUT = About("mediawiki", "wikipedia.org", delay=2.0, rest=180.0, pages=10)
_SIZE = 20


def request(query: Query, keys: Mapping[str, str]) -> Asking:
    """The request of a query's page."""
    base = keys.get("MEDIAWIKI_URL") or f"https://{query.language}.wikipedia.org/w/api.php"
    return Asking(
        address(
            base,
            action="query",
            list="search",
            srsearch=query.words,
            sroffset=_SIZE * (query.page - 1),
            srlimit=_SIZE,
            format="json",
        )
    )


def results(reply: Reply) -> list[Result]:
    """Articles by their titles; the address is that of the wiki which answered."""
    found = value_at(parsed(reply), "query.search")
    titles = [(text_at(item, "title"), item) for item in found] if isinstance(found, list) else []
    if not titles:
        raise NoResultsError("an empty list")
    return [
        Result(
            urljoin(reply.url, f"/wiki/{quote(title.replace(' ', '_'))}"),
            title,
            text_at(item, "snippet"),
            text_at(item, "timestamp"),
            rank,
        )
        for rank, (title, item) in enumerate(titles, 1)
    ]


ENGINE = Engine(ABOUT, request, results, is_html=False)
