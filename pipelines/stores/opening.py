"""Opens a store by its address."""

from pathlib import Path

from scrapy.settings import BaseSettings

from pipelines.stores.base import Store, StoreError, WriteBuffer
from pipelines.stores.people_tables import SECRET_TABLES
from pipelines.stores.sqlite.store import SqliteStore
from pipelines.stores.tables import TABLES

_ALL_TABLES = (*TABLES.values(), *SECRET_TABLES)


def store_address(settings: BaseSettings) -> str:
    """The address that STORE names; without one, that of the database in DATA_DIR."""
    return str(settings.get("STORE") or f"sqlite:///{Path(settings.get('DATA_DIR') or 'data') / 'topicrawl.db'}")


def open_store(address: str, *, must_exist: bool = False, waiting: WriteBuffer | None = None) -> Store:
    """The store of that address.

    `sqlite:///relative/path.db`, `sqlite:////absolute/path.db`, `mongodb://host/database`. With `must_exist`, for
    readers, no empty database is created. Raises StoreError for any other address, or if the store cannot be opened.
    """
    scheme = address.partition(":")[0].lower() if ":" in address else ""
    if scheme == "sqlite":
        path = address.removeprefix("sqlite:").removeprefix("//").removeprefix("/")
        if not path:
            raise StoreError("A SQLite address needs a path: sqlite:///data/topicrawl.db")
        if must_exist and not Path(path).exists():
            raise StoreError(
                f"There is no database at {path}; crawl first, or name another with -s STORE=sqlite:///PATH"
            )
        return SqliteStore(Path(path), _ALL_TABLES)
    if scheme in ("mongodb", "mongodb+srv"):
        from pipelines.stores.mongo.store import MongoStore  # takes half a second to import

        return MongoStore(address, _ALL_TABLES, waiting)
    raise StoreError(
        f"{scheme or address!r} is not a known kind of store; use sqlite:///data/topicrawl.db or mongodb://host/database"
    )
