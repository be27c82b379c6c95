"""Topics: their files, and what the store holds of their terms and versions."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from crawler.config.topics import read_topic, topic_names
from crawler.config.yaml_file import DeclarationError, settings_folder
from crawler.terms.corpus import term_breadth
from crawler.terms.example_store import ExampleStore
from extractors.topic.library import TermState
from extractors.topic.model import Topic
from extractors.topic.relevance import Judgement, Relevance
from pipelines.stores.analysis_tables import COUNTS
from pipelines.stores.base import Condition, Order, Row, Store
from pipelines.stores.tables import PAGES, TERMS, TOPICS

_JUDGED_PAGES = 400
_TEXT_CHARS = 20_000
_SHOWN = 12
_COLUMNS = ("key", "url", "host", "title", "body", "language")


def topic_place(settings: BaseSettings, name: str) -> Path | None:
    """The file of a topic by its name, where the next one of this name would be; None if topics are not in a folder on disk."""
    folder = settings_folder(settings) / "topics"
    if not isinstance(folder, Path):
        return None
    for each in topic_names(folder):
        path = folder / f"{each}.yaml"
        try:
            if _read(path, path.stat().st_mtime_ns).name == name:
                return path
        except (DeclarationError, OSError):
            continue
    return folder / f"{name}.yaml"


def topic_files(settings: BaseSettings) -> tuple[dict[str, Topic], list[str]]:
    """The topics of the settings folder by name, and the problems of unreadable files."""
    folder = settings_folder(settings) / "topics"
    found, faults = {}, []
    for name in topic_names(folder):
        path = folder / f"{name}.yaml"
        try:
            topic = _read(path, path.stat().st_mtime_ns) if isinstance(path, Path) else read_topic(path)
        except (DeclarationError, OSError) as error:
            faults.append(str(error))
            continue
        found[topic.name] = topic
    return found, faults


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Topic:
    """Cached until the file changes."""
    return read_topic(path)


def known_topics(store: Store, files: Mapping[str, Topic]) -> list[str]:
    """Topics that have a file or decisions in the store, by name."""
    return sorted({*files, *(row["topic"] for row in store.select(TOPICS, columns=["topic"]))})


def is_known(store: Store, settings: BaseSettings, name: str) -> bool:
    """Whether the topic ("": all) has a file or counted pages: a misspelt name is no topic without pages."""
    if not name or name in topic_files(settings)[0]:
        return True
    return next(store.select(COUNTS, [Condition("topic", "=", name)], limit=1, columns=["topic"]), None) is not None


def overview(store: Store, name: str, topic: Topic | None) -> dict[str, Any]:
    """A topic in numbers. `version` is 0 before the first decision."""
    version = store.get(TOPICS, name) or {}
    return {
        "name": name,
        "description": topic.description if topic else "",
        "has_file": topic is not None,
        "given": len(topic.terms) if topic else 0,
        "counts": {str(state): _count(store, name, state) for state in TermState},
        "version": str(version.get("version") or 0),
        "changed_at": version.get("changed_at") or "",
    }


def _count(store: Store, name: str, state: TermState) -> int:
    return store.count(TERMS, [Condition("topic", "=", name), Condition("state", "=", str(state))])


def judged_pages(store: Store, topic: Topic) -> dict[str, Any]:
    """The topic's judgement of the pages stored last: counts, the nearest misses, and the least certain kept ones."""
    relevance = Relevance(topic, ExampleStore(store, topic.name).model())
    latest = store.select(PAGES, order=[Order("fetched_at", True)], limit=_JUDGED_PAGES, columns=_COLUMNS)
    judged = [_judged(relevance, row) for row in latest]
    kept = sorted((each for each in judged if each["is_kept"]), key=lambda each: each["score"])
    missed = sorted((each for each in judged if not each["is_kept"]), key=lambda each: -each["score"])
    return {
        "judged": len(judged), "kept": len(kept), "dropped": len(missed),
        "breadth": asdict(term_breadth(store, topic)),
        "misses": missed[:_SHOWN], "unsure": kept[:_SHOWN], "best": kept[_SHOWN:][-_SHOWN:][::-1],
    }  # fmt: skip


def _judged(relevance: Relevance, row: Row) -> dict[str, Any]:
    judgement = relevance.judge_text(row["title"] or "", (row["body"] or "")[:_TEXT_CHARS], 6)
    named = {name: row[name] for name in ("key", "url", "host", "title", "language")}
    return {**named, "score": judgement.score, "is_kept": judgement.relevant, "found": _hits(judgement)}


def _hits(judgement: Judgement) -> list[dict[str, Any]]:
    return [{"word": each.word, "title": each.in_title, "text": each.in_text} for each in judgement.found]
