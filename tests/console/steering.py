"""Rows of what people steer: topics and terms, sites, runs, engines."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from extractors.links.urls import url_key
from pipelines.stores.base import Store, Table
from pipelines.stores.tables import SITES, TERMS, TOPICS
from pipelines.stores.watch_tables import WATCH_SOURCES
from tests.console.filling import ATTACK, at

TOPIC = """name: housing
description: 楼市
terms:
  professional: [首付, {word: 房贷, synonyms: [住房贷款]}]
"""


def settings_folder(folder: Path) -> str:
    """A settings folder with one topic, and one file that cannot be read."""
    topics = folder / "settings" / "topics"
    topics.mkdir(parents=True)
    (topics / "housing.yaml").write_text(TOPIC, encoding="utf-8")
    (topics / "broken.yaml").write_text("terms: 1", encoding="utf-8")
    return str(topics.parent)


def term(number: int, state: str = "candidate", **more: Any) -> dict[str, Any]:
    return {
        "topic": "housing", "word": f"词{number:03}", "shown": f"词{number:03}", "class": "professional", "state": state, "origin": "pages",
        "example": f"例句里有词{number:03}。", "weight": 0.5, "score": 1 - number / 200, "pages": number, "synonyms": [],
        "history": [{"at": at(90), "state": state, "by": "crawl" if state == "candidate" else "anna"}],
    } | more  # fmt: skip


def rows() -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """Of topics and terms: 120 candidates, one of them hostile."""
    yield from ((TERMS, term(number)) for number in range(119))
    yield TERMS, term(119, word="<script>", shown=ATTACK, origin=ATTACK, example=ATTACK, score=2.0)
    yield from ((TERMS, term(number, "accepted")) for number in range(200, 203))
    yield TERMS, term(300, "rejected", history=[{"at": ATTACK, "state": "rejected", "by": ATTACK}])
    yield TOPICS, {"topic": "housing", "version": 7, "changed_at": at(60)}
    yield TOPICS, {"topic": ATTACK, "version": 7, "changed_at": ATTACK}


def site(number: int, state: str = "proposed", **more: Any) -> dict[str, Any]:
    host = f"host{number}.example"
    return {
        "crawl": "housing", "host": host, "home": f"http://{host}/", "state": state, "pages": 40, "relevant": number % 40,
        "reason": f"{number % 40} of 40 pages are relevant", "sitemaps": [], "feeds": [],
    } | more  # fmt: skip


def source(number: int, state: str = "watched", **more: Any) -> dict[str, Any]:
    url = f"http://host{number % 3}.example/list{number}"
    return {
        "crawl": "watch", "key": url_key(url), "url": url, "site": "host.example", "host": f"host{number % 3}.example", "kind": "list",
        "state": state, "visited_at": at(5), "last_new_at": at(30), "per_day": 1.5 * number, "visits": number,
        "items_first_seen_here": number, "depth": 0, "failures": 0, "relevance": 0.5, "interval": 0.0, "asked": "", "memory": {},
    } | more  # fmt: skip


def site_rows() -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """60 proposed hosts and 60 sources, one of each hostile."""
    yield from ((SITES, site(number)) for number in range(59))
    evil = {"home": f"javascript:{ATTACK}", "reason": ATTACK, "crawl": ATTACK, "relevant": 40}
    yield SITES, site(59, host='evil.example"><b>', **evil)
    yield SITES, site(100, "let_in", host="host1.example", crawl="other", relevant=None, pages=None)
    yield SITES, site(101, "rejected")
    yield from ((WATCH_SOURCES, source(number)) for number in range(59))
    yield (
        WATCH_SOURCES,
        source(59, url=f"javascript:{ATTACK}", kind=ATTACK, crawl=ATTACK, last_new_at=ATTACK, asked=ATTACK),
    )
    yield WATCH_SOURCES, source(70, "dropped")


def fill_steering(store: Store) -> None:
    store.write([*rows(), *site_rows()]).result()
