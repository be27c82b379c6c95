"""Whether anybody knows a topic: a misspelt name is no topic without pages."""

from scrapy.settings import BaseSettings

from crawler.config.topics import topic_names
from crawler.config.yaml_file import settings_folder
from pipelines.stores.base import Condition, Store, StoreError
from pipelines.stores.tables import PAGES


def check_topic(store: Store, settings: BaseSettings, topic: str) -> None:
    """Raises StoreError with the names of topics, for a topic that has neither a file nor a stored page."""
    there = topic_names(settings_folder(settings) / "topics")
    if topic in ("", *there) or store.count(PAGES, [Condition("topic", "=", topic)], limit=1):
        return
    raise StoreError(f"There is no topic {topic}: no file and no stored page has it. Topics there: {', '.join(there)}.")
