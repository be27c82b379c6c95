"""A store from its address."""

from pathlib import Path
from urllib.parse import urlsplit

from pipelines.stores.base import Store, StoreError
from pipelines.stores.sqlite import SqliteStore
from pipelines.stores.tables import TABLES


def open_store(address: str, *, must_exist: bool = False) -> Store:
    """`sqlite:///relative/path.db`, `sqlite:////absolute/path.db`; StoreError for anything else or if it cannot be opened.

    `must_exist`: who only reads makes no empty database.
    """
    scheme = urlsplit(address).scheme
    if scheme == "sqlite":
        path = address.removeprefix("sqlite:").removeprefix("//").removeprefix("/")
        if not path:
            raise StoreError("A SQLite address needs a path: sqlite:///data/topicrawl.db")
        if must_exist and not Path(path).exists():
            raise StoreError(
                f"There is no database at {path}; crawl first, or name another with -s STORE=sqlite:///PATH"
            )
        return SqliteStore(Path(path), TABLES.values())
    raise StoreError(f"{scheme or address!r} is no kind of store that is known; use sqlite:///data/topicrawl.db")
