"""Rows of how the collection fares: queries of meta-searches, runs, alerts."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.base import Store, Table
from pipelines.stores.tables import ENGINE_BACKOFFS, QUERIES, RESULTS, RUNS
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
    attacked: dict[str, Any] = {"words": ATTACK, "reason": ATTACK, "site": ATTACK, "asked_at": ATTACK, "relevant": 9}
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


def run(number: int, age: float, state: str = "done", **more: Any) -> dict[str, Any]:
    """A run of five minutes that began the given number of minutes ago."""
    codes = {"done": 0, "left": 4, "failed": 1, "running": None}
    ended = "" if state == "running" else at(age - 5)
    return {
        "key": f"run{number:03}", "spider": "site", "job": f"site-{number}", "started": at(age), "finished": ended,
        "seen": ended or at(0), "state": state, "exit_code": codes[state], "reason": "finished", "sentence": "Finished",
        "pages": 300, "articles": 100, "errors": 2, "node": "crawl-1", "alike": "a",
        "arguments": {"urls": ["http://host1.example/"], "allow": [], "max_pages": 300, "depth": 0, "crawl": "site-x", "topic": "housing"},
    } | more  # fmt: skip


def run_rows() -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """Of one kind: six that have ended, one that runs, one that failed, one that was killed; one hostile, sixty of last month."""
    yield from ((RUNS, run(number, 60 * number, pages=300 + number)) for number in range(1, 7))
    yield RUNS, run(10, 5, "running", pages=75)
    yield (
        RUNS,
        run(11, 400, "failed", sentence="The store cannot be used: database or disk is full", exit_code=6, pages=30),
    )
    yield RUNS, run(12, 500, "running", seen=at(450), pages=9)
    attacked = dict.fromkeys(("spider", "job", "reason", "sentence", "node"), ATTACK)
    yield RUNS, run(13, 300, "failed", **attacked, arguments={"urls": [ATTACK], "crawl": ATTACK}, alike="b")
    yield from ((RUNS, run(100 + number, 40_000 + number, "failed" if number % 2 else "done")) for number in range(60))


def alert(number: int, **more: Any) -> dict[str, Any]:
    return {
        "key": f"a{number}", "rule": "many sites", "kind": "event", "subject": f"subject{number}", "title": f"第{number}件事",
        "text": "9 sites report it", "link": "http://host1.example/", "state": "open", "first_at": at(number), "acknowledged_at": "",
    } | more  # fmt: skip


def fill_collecting(store: Store) -> None:
    attacked: dict[str, Any] = dict.fromkeys(("rule", "subject", "title", "text", "link", "first_at"), ATTACK)
    evil = [(ALERTS, alert(1, **attacked)), (ALERTS, alert(2, **attacked, kind="term"))]
    store.write([*query_rows(), *run_rows(), *evil]).result()
