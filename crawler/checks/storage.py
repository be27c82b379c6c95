"""The database and the frontier."""

from scrapy.settings import BaseSettings

from crawler.checks.finding import Finding
from crawler.frontier.base import FrontierError
from crawler.frontier.opening import is_shared, known_crawls
from pipelines.stores.base import StoreError
from pipelines.stores.opening import open_store, store_address
from pipelines.stores.tables import PAGES


def database(settings: BaseSettings) -> list[Finding]:
    """Whether the database opens, and how many pages it holds."""
    try:
        store = open_store(store_address(settings))
    except StoreError as error:
        advice = "Set STORE (or the environment's TOPICRAWL_STORE), for instance sqlite:///data/topicrawl.db."
        return [Finding("fault", "Database", str(error), advice)]
    try:
        return [Finding("ok", "Database", f"{store.location}, {store.count(PAGES)} pages")]
    except StoreError as error:
        return [Finding("fault", "Database", str(error), "Restore it from a copy, or move it away to start a new one.")]
    finally:
        store.close()


def frontier(settings: BaseSettings) -> list[Finding]:
    """Whether the frontier answers, and how many crawls it holds."""
    try:
        crawls = known_crawls(settings)
    except FrontierError as error:
        advice = "Start Redis, or set REDIS_URL; without SCRAPY_PROJECT=cluster no Redis is needed."
        return [Finding("fault", "Frontier", str(error), advice)]
    where = "shared, on Redis" if is_shared(settings) else f"in {settings['DATA_DIR']}/frontier"
    return [Finding("ok", "Frontier", f"{where}; {len(crawls)} crawls")]
