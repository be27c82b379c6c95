"""Rows of what people steer: topics and terms, sites, runs, engines."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipelines.stores.base import Store, Table
from pipelines.stores.tables import TERMS, TOPICS
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


def fill_steering(store: Store) -> None:
    store.write(list(rows())).result()
