"""Rows of what people steer and have done, as the console shows them: terms, sites, sources of watches, decisions, audit."""

import random
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from extractors.links.urls import url_key
from pipelines.stores.base import Table
from pipelines.stores.people_tables import AUDIT, DECISIONS
from pipelines.stores.tables import SITES, TERMS, TOPICS
from pipelines.stores.watch_tables import WATCH_SOURCES

Rows = Iterator[tuple[Table, Mapping[str, Any]]]
_ACTIONS = ("terms.accept", "terms.reject", "urls.exclude", "event.rename", "urls.requeue")
_PEOPLE = ("anna", "bo", "chen")


def made_steering(now: datetime, rows: int, seed: int = 6) -> Rows:
    """The given number of rows of each kind."""
    chance = random.Random(seed)
    yield TOPICS, {"topic": "housing", "version": 7, "changed_at": now.isoformat(timespec="seconds")}
    for number in range(rows):
        at = (now - timedelta(minutes=7 * number)).isoformat(timespec="seconds")
        yield TERMS, _term(chance, number, at)
        yield SITES, _site(chance, number)
        yield WATCH_SOURCES, _source(chance, number, at)
        yield from _acts(chance, number, at)


def _term(chance: random.Random, number: int, at: str) -> Mapping[str, Any]:
    state = "candidate" if number % 3 else chance.choice(("accepted", "rejected"))
    return {
        "topic": "housing", "word": f"词{number}", "shown": f"词{number}", "class": "professional", "state": state, "origin": "pages",
        "example": f"业内人士认为，词{number} 与首付比例下调有关，短期内成交会回升。", "weight": 0.5, "score": chance.random(),
        "pages": chance.randint(2, 900), "synonyms": [], "history": [{"at": at, "state": state, "by": "crawl"}],
    }  # fmt: skip


def _site(chance: random.Random, number: int) -> Mapping[str, Any]:
    host, pages = f"www.site{number:03}.example", chance.randint(5, 90)
    return {
        "crawl": "metasearch-housing", "host": host, "home": f"https://{host}/", "state": "proposed" if number % 4 else "let_in",
        "reason": "", "pages": pages, "relevant": chance.randint(2, pages), "sitemaps": [], "feeds": [],
    }  # fmt: skip


def _source(chance: random.Random, number: int, at: str) -> Mapping[str, Any]:
    url = f"https://www.site{number % 300:03}.example/list/{number}"
    return {
        "crawl": "watch-housing", "key": url_key(url), "url": url, "site": "site.example", "host": f"www.site{number % 300:03}.example",
        "kind": chance.choice(("list", "feed", "map")), "state": "watched" if number % 5 else "new", "visited_at": at, "last_new_at": at,
        "per_day": chance.uniform(0, 90), "visits": chance.randint(1, 5_000), "items_first_seen_here": chance.randint(0, 900), "depth": 1,
        "failures": 0, "relevance": round(chance.random(), 2), "interval": 0.0, "asked": "", "memory": {},
    }  # fmt: skip


def _acts(chance: random.Random, number: int, at: str) -> Rows:
    key = f"{at}-{number:07}"
    act = {"key": key, "at": at, "by": chance.choice(_PEOPLE)}
    facts = {"event": "", "decisions": [], "name": f"名{number}", "topic": "housing", "n": 1}
    yield (
        DECISIONS,
        {**act, "action": chance.choice(_ACTIONS), "subject": f"词{number}", "facts": facts, "undone_at": ""},
    )
    yield AUDIT, {**act, "action": "saw_names", "subject": f"https://www.site.example/{number}", "facts": {}}
