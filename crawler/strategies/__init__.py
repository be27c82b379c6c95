"""Crawl orders by name."""

import logging
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.misc import build_from_crawler, load_object

from crawler.config.topics import read_topic, topic_path
from crawler.config.yaml_file import settings_folder
from crawler.strategies.base import LinkStrategy
from crawler.terms.example_store import ExampleStore
from crawler.terms.review import breadth_lines, untranslated_lines
from crawler.terms.term_store import TermStore
from extractors.topic.model import Topic
from pipelines.stores.opening import open_store, store_address

__all__ = ["base", "check_topic", "make_strategy", "strategy_class", "topical"]

logger = logging.getLogger(__name__)

STRATEGIES = {
    "site": "crawler.strategies.base.SiteStrategy",
    "focused": "crawler.strategies.focused.FocusedStrategy",
    "breadth_first": "crawler.strategies.literature.BreadthFirst",
    "parent_cosine": "crawler.strategies.literature.ParentCosine",
    "anchor_parent": "crawler.strategies.literature.AnchorParent",
    "etfl": "crawler.strategies.literature.EtflOrder",
}


def strategy_class(name: str, default: str) -> Any:
    """The class of that name, or at that import path. Raises ValueError if there is none."""
    path = STRATEGIES.get(name or default, name)
    if "." not in path:
        raise ValueError(f"There is no LINK_STRATEGY {name!r}. There are: {', '.join(STRATEGIES)}.")
    try:
        return load_object(path)
    except (ImportError, NameError) as error:
        raise ValueError(f"The LINK_STRATEGY {name!r} cannot be loaded: {error}.") from error


def topic_and_strategy(name: str, settings: BaseSettings) -> tuple[Topic, Any]:
    """A topic by its name, and the class of its crawl order. Raises ValueError."""
    topic = read_topic(topic_path(settings_folder(settings), name))
    return topic, strategy_class(settings["LINK_STRATEGY"], "focused")


def make_strategy(crawler: Crawler, topic_name: str) -> tuple[LinkStrategy, Topic | None]:
    """The strategy that LINK_STRATEGY names, with the topic if the crawl has one. Raises ValueError."""
    if not topic_name:
        return build_from_crawler(strategy_class(crawler.settings["LINK_STRATEGY"], "site"), crawler), None
    topic, strategy = topic_and_strategy(topic_name, crawler.settings)
    for line in _notices(topic, crawler.settings):
        logger.warning("%s", line)
    return build_from_crawler(strategy, crawler, topic), topic


def _notices(topic: Topic, settings: BaseSettings) -> Iterator[str]:
    """Weaknesses of the topic's definition that a crawl may suffer from."""
    yield from untranslated_lines(topic)
    with closing(open_store(store_address(settings))) as store:
        yield from breadth_lines(store, TermStore(store, topic).library().topic())


def check_topic(arguments: Any, settings: BaseSettings) -> None:
    """Check the topic that a spider's arguments name, its seeds, and its order, before anything starts."""
    searched_by_file = getattr(arguments, "terms", None)
    if not arguments.topic or searched_by_file:
        return
    topic, _ = topic_and_strategy(arguments.topic, settings)
    if not topic.terms:
        _check_examples(topic, settings)
    if hasattr(arguments, "urls") and not (arguments.urls or arguments.sources or topic.seeds or topic.sources):
        raise ValueError(
            f"The topic {topic.name} has neither seeds nor sources: add some to its file, or give start pages with -a urls=FILE."
        )


def _check_examples(topic: Topic, settings: BaseSettings) -> None:
    """Raises ValueError for a topic without terms and without examples to judge by."""
    with closing(open_store(store_address(settings))) as store:
        if not TermStore(store, topic).library().topic().terms and ExampleStore(store, topic.name).model() is None:
            raise ValueError(
                f"The topic {topic.name} has neither terms nor examples: add `terms` to its file, or learn from pages: "
                f"scrapy topic learn {topic.name} --like URLS.txt --unlike URLS.txt"
            )
