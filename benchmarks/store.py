"""What it costs to store a page: our pipelines beside the usual ones, on the same real pages.

python -m benchmarks.store --pages FOLDER                    SQLite
python -m benchmarks.store --pages FOLDER --mongo            MongoDB too (a server as tests find it)

Reading the page (article, links) is done before the clock starts. CPU is that of this process, threads included; wall is
with 16 items under way at once, as in a crawl. Peers store less: neither source nor links nor the URL table.
"""

import argparse
import asyncio
import dataclasses
import json
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pymongo import MongoClient

from benchmarks.nodes import table
from extractors.page import Page
from pipelines.content import ContentPipeline
from pipelines.items import PageItem
from pipelines.storage import StoragePipeline
from testbed.servers import mongo_server

AT_ONCE = 16
Store = Callable[[PageItem], Awaitable[None]]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, required=True, help="folder of HTML files, at any depth")
    parser.add_argument("--count", type=int, default=1_000, help="pages that are stored (default: 1000)")
    parser.add_argument("--rounds", type=int, default=3, help="the median counts (default: 3)")
    parser.add_argument("--mongo", action="store_true", help="measure MongoDB too")
    options = parser.parse_args()
    items = _items(options.pages, options.count)
    print(f"{len(items)} pages, {sum(len(item.page.body) for item in items) / len(items) / 1e3:.1f} kB each\n")
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        rows = [_row(name, make, items, options.rounds, folder) for name, make in _SQLITE.items()]
        if options.mongo:
            server = mongo_server(folder / "mongo").start()
            try:
                address = server.address
                print(f"MongoDB is {server.origin}\n")
                rows += [
                    _row(name, lambda _, make=make: make(address), items, options.rounds, folder)
                    for name, make in _MONGO.items()
                ]
            finally:
                server.stop()
    table(["store", "CPU ms/page", "pages/s", "kB/page on disk"], rows)


def _items(folder: Path, count: int) -> list[PageItem]:
    paths = sorted(path for path in folder.rglob("*.html*") if path.is_file() and path.stat().st_size > 1_000)
    items = []
    for place, path in enumerate(paths[:: max(1, len(paths) // count)][:count]):
        url = f"https://site{place % 50}.example/{place}.html"
        page = Page(path.read_bytes(), url)
        items.append(PageItem(url=url, requested_url=url, status=200, page=page, links=page.links))
        _ = page.article, page.charset
    return items


def _row(name: str, make: Callable[[Path], "_Way"], items: list[PageItem], rounds: int, folder: Path) -> list[object]:
    found = sorted(_measured(make(folder / f"{name}-{turn}".replace(" ", "-")), items) for turn in range(rounds))
    cpu, wall, size = found[len(found) // 2]
    return [name, f"{cpu * 1e3:.2f}", f"{1 / wall:.0f}", f"{size / 1e3:.1f}" if size else "-"]


def _measured(way: "_Way", items: list[PageItem]) -> tuple[float, float, float]:
    """CPU and wall seconds, and bytes on disk, a page."""
    fresh = [dataclasses.replace(item, rows=[]) for item in items]
    cpu, wall = time.process_time(), time.perf_counter()
    asyncio.run(_all(way.store, fresh))
    way.close()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return cpu / len(items), wall / len(items), way.size() / len(items)


async def _all(store: Store, items: list[PageItem]) -> None:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(item: PageItem) -> None:
        async with gate:
            await store(item)

    await asyncio.gather(*map(one, items))


class _Way:
    """One way of storing an item."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    async def store(self, item: PageItem) -> None:
        """Return when it is stored."""
        raise NotImplementedError

    def close(self) -> None:
        """Write what is left."""

    def size(self) -> int:
        """Bytes on disk; 0 if unknown."""
        if self.path is None:
            return 0
        return sum(path.stat().st_size for path in self.path.parent.glob(f"{self.path.name}*"))


class _Ours(_Way):
    def __init__(self, address: str, path: Path | None = None) -> None:
        super().__init__(path)
        self._content, self._storage = ContentPipeline(), StoragePipeline(address)
        self._storage.open_spider()

    async def store(self, item: PageItem) -> None:
        await self._storage.process_item(self._content.process_item(item))

    def close(self) -> None:
        asyncio.run(self._storage.close_spider())


class _CommitEach(_Way):
    """The pipeline of most tutorials: one INSERT and one commit an item."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._database = sqlite3.connect(path)
        self._database.execute("CREATE TABLE pages (url TEXT PRIMARY KEY, title, author, published, body)")

    async def store(self, item: PageItem) -> None:
        self._database.execute("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)", tuple(_fields(item).values()))
        self._database.commit()

    def close(self) -> None:
        self._database.close()


class _JsonLines(_Way):
    """As Scrapy's feed export writes it; a kill loses what is in the buffer."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._file = path.open("w", encoding="utf-8")

    async def store(self, item: PageItem) -> None:
        self._file.write(json.dumps(_fields(item), ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


class _InsertEach(_Way):
    """The pipeline of Scrapy's documentation: one insert_one an item, in the reactor's thread."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._client: MongoClient[dict[str, Any]] = MongoClient(address)
        self._pages = self._client[f"peer{time.monotonic_ns()}"]["pages"]

    async def store(self, item: PageItem) -> None:
        self._pages.insert_one(_fields(item))

    def close(self) -> None:
        self._client.close()


def _fields(item: PageItem) -> dict[str, Any]:
    article = item.page.article
    return {
        "url": item.url,
        "title": article.title,
        "author": article.author,
        "published": article.published,
        "body": article.text,
    }


_SQLITE: dict[str, Callable[[Path], _Way]] = {
    "ours, SQLite": lambda path: _Ours(f"sqlite:///{path}", path),
    "SQLite, commit an item": _CommitEach,
    "JSON lines, not durable": _JsonLines,
}
_MONGO: dict[str, Callable[[str], _Way]] = {
    "ours, MongoDB": lambda address: _Ours(f"{address}ours{time.monotonic_ns()}"),
    "MongoDB, insert_one an item": _InsertEach,
}


if __name__ == "__main__":
    main()
