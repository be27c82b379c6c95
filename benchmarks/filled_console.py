"""The console's application on a made store, asked without a server."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from starlette.testclient import TestClient

from benchmarks.console import fill, made_app_context
from console.app import make_app
from pipelines.stores.base import Store


@contextmanager
def filled_console(folder: Path, pages: int = 300) -> Iterator[tuple[TestClient, Store]]:
    """A browser of this machine, and the store, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    app_context = made_app_context(folder, "")
    with closing(app_context.store) as store:
        fill(store, pages)
        app = make_app(app_context)
        yield (
            TestClient(app, base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1), raise_server_exceptions=False),
            store,
        )
