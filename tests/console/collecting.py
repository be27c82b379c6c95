"""Rows of how the collection fares: queries of meta-searches, runs."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipelines.stores.base import Store, Table
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES, RESULTS
from tests.console.filling import ATTACK, NOW, at

ENGINES = ("baidu", "bing", "sogou")


def query(number: int, engine: str, state: str = "results", **more: Any) -> dict[str, Any]:
    return {
        "key": f"{engine}{number}", "crawl": "metasearch-housing", "topic": "housing", "engine": engine, "words": f"词{number:03}",
        "site": "", "state": state, "reason": "", "asked_at": at(number), "page": 1, "place": number, "results": 10, "new": 4,
        "relevant": number % 5, "tries": 1,
    } | more  # fmt: skip


def query_rows() -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """60 terms at three engines, one of which has blocked, and one that is hostile."""
    states = ("results", "results", "none", "waiting")
    for number in range(59):
        yield QUERIES, query(number, "baidu", states[number % 4])
        yield QUERIES, query(number, "bing", "layout_changed" if number > 56 else "results")
        yield QUERIES, query(number, "sogou", "blocked", reason="HTTP 403", results=0, new=0, relevant=0)
    attacked = {"words": ATTACK, "reason": ATTACK, "site": ATTACK, "asked_at": ATTACK, "relevant": 9}
    yield QUERIES, query(59, "baidu", **attacked)
    yield QUERIES, query(60, ATTACK, ATTACK, crawl=ATTACK, key="x")
    result = {
        "query": "baidu59",
        "key": "r",
        "url": "javascript:window.ran=1",
        "title": ATTACK,
        "state": "new",
        "rank": 1,
    }
    yield RESULTS, result
    yield ENGINE_BACKOFFS, {"engine": "sogou", "blocks": 3, "until": NOW.timestamp() + 900}


def fill_collecting(store: Store) -> None:
    store.write([*query_rows()]).result()
