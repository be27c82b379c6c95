"""What a large database costs: inserts, updates, export by condition and `prune`, in SQLite or MongoDB.

python -m benchmarks.retention --pages 1000000               SQLite
python -m benchmarks.retention --pages 100000 --mongo        MongoDB (a server as tests find it)

Each page has a row of pages, its URL, its links and a source of 3 kB that does not compress. They are written in groups of
100, as a busy crawl does, in the order of their time; half of them are older than what `prune` removes. CPU is that of this
process, threads included; a server's own is not in it.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.nodes import table
from extractors.links.urls import url_key
from pipelines.exporting import JsonLinesWriter
from pipelines.pruning import aim_of, prune
from pipelines.stores.base import Condition, Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import LINKS, PAGES, SOURCES, URLS
from tests.servers import mongo_server

_GROUP, _BEHIND = 100, 20
_NOW = datetime(2026, 11, 1, tzinfo=UTC)
_TEXT = "昨天下午，市政府在新闻发布会上宣布，新的地铁线路将于明年春天开工。" * 30


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000, help="default: 1000000")
    parser.add_argument("--mongo", action="store_true", help="MongoDB instead of SQLite")
    parser.add_argument(
        "--folder", type=Path, help="where the database is made (default: the folder for temporary files)"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        folder = Path(work)
        if not options.mongo:
            _measure(f"sqlite:///{folder}/a.db", options.pages, folder)
            return
        server = mongo_server(folder / "mongo").start()
        try:
            _measure(f"{server.address}retention", options.pages, folder)
        finally:
            server.stop()


def _measure(address: str, pages: int, folder: Path) -> None:
    store = open_store(address)
    try:
        rows = [
            _timed("insert", pages, folder, lambda: _write(store, range(pages), pages)),
            _timed("update of every tenth", pages // 10, folder, lambda: _write(store, range(0, pages, 10), pages)),
            _timed("export by condition", pages, folder, lambda: _export(store)),
            _timed("prune of one half", pages // 2, folder, lambda: _prune(store)),
            _timed("room given back", pages // 2, folder, store.give_back),
        ]
    finally:
        store.close()
    table(["what", "pages", "pages/s", "CPU µs/page", "GB on disk after"], rows)


def _timed(what: str, pages: int, folder: Path, work: Callable[[], object]) -> list[object]:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return [what, f"{pages:,}", f"{pages / wall:,.0f}", f"{cpu / pages * 1e6:.0f}", f"{size / 1e9:.2f}"]


def _write(store: Store, numbers: range, pages: int) -> None:
    """In groups, of which some are under way at once."""
    under_way = []
    for start in range(0, len(numbers), _GROUP):
        group = numbers[start : start + _GROUP]
        under_way.append(store.write([row for number in group for row in _rows(number, pages)]))
        if len(under_way) > _BEHIND:
            under_way.pop(0).result()
    for done in under_way:
        done.result()


def _rows(number: int, pages: int) -> Iterator[tuple[Any, dict[str, Any]]]:
    url = f"https://site{number % 500}.example/{number}.html"
    key, at = url_key(url), (_NOW - timedelta(days=180) * (1 - number / pages)).isoformat(timespec="seconds")
    own = {"fetched_at": at}
    page = {
        "title": f"标题 {number}",
        "body": _TEXT,
        "published_at": at,
        "relevance": number % 10 / 10,
        "host": url[8:20],
    }
    yield PAGES, {"key": key, "url": url, "canonical": "", **page, **own}
    yield SOURCES, {"key": key, "body": random.Random(number).randbytes(3_000), "compression": "", **own}
    yield URLS, {"key": key, "url": url, "state": "fetched", "etag": f'"{number}"', **own}
    yield LINKS, {"page": key, "links": [[f"{url}?{place}", "text"] for place in range(20)]}


def _export(store: Store) -> None:
    columns = [PAGES.column(name) for name in ("url", "title", "relevance", "fetched_at")]
    wanted = [Condition("relevance", ">=", 0.5)]
    with open(os.devnull, "wb") as out:
        writer = JsonLinesWriter(out, columns)
        for row in store.select(PAGES, wanted, columns=[each.name for each in columns]):
            writer.write(row)
        writer.close()


def _prune(store: Store) -> None:
    prune(store, aim_of("pages", "90d", "", (), _NOW))


if __name__ == "__main__":
    main()
