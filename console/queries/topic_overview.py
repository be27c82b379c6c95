"""Topics: their files, and what the store holds of their terms and versions."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from crawler.config.topics import read_topic, topic_names
from crawler.config.yaml_file import DeclarationError, settings_folder
from extractors.topic.library import TermState
from extractors.topic.model import Topic
from pipelines.stores.base import Condition, Store
from pipelines.stores.tables import TERMS, TOPICS


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
