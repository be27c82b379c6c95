"""What a large database costs: inserts, updates, export by condition and `prune`, in SQLite or MongoDB.

python -m benchmarks.retention --pages 1000000               SQLite
python -m benchmarks.retention --pages 100000 --mongo        MongoDB (a server as tests find it)
python -m benchmarks.retention --filled 10000000 --pages 250000    the same on top of 10,000,000 smaller pages (30 GB)

Each page has a row of pages, its URL, its links and a source of 3 kB that does not compress. They are written in groups of
100, as a busy crawl does, in the order of their time; half of them are older than what `prune` removes. CPU is that of this
process, threads included; a server's own is not in it. Pages of `--filled` have a text of 100 characters, 5 links and a source of 300
bytes, and are new, so that `prune` looks for what it removes among them.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.nodes import table
from extractors.links.urls import url_key
from pipelines.exporting import JsonLinesWriter
from pipelines.pruning import prune, prune_target_of
from pipelines.stores.base import Condition, Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import LINKS, PAGES, SOURCES, URLS
from testbed.servers import mongo_server

_GROUP, _FILL_GROUP, _BEHIND = 100, 5_000, 20
_NOW = datetime(2026, 11, 1, tzinfo=UTC)
Rows = tuple[Any, dict[str, Any]]
"""A row and its table."""
_TEXT = "昨天下午，市政府在新闻发布会上宣布，新的地铁线路将于明年春天开工。" * 30


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000, help="default: 1000000")
    parser.add_argument("--filled", type=int, default=0, help="pages that are there before (default: none)")
    parser.add_argument("--mongo", action="store_true", help="MongoDB instead of SQLite")
    parser.add_argument(
        "--folder", type=Path, help="where the database is made (default: the folder for temporary files)"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as work:
        folder = Path(work)
        if not options.mongo:
            _measure(f"sqlite:///{folder}/a.db", options.pages, options.filled, folder)
            return
        server = mongo_server(folder / "mongo").start()
        try:
            _measure(f"{server.address}retention", options.pages, options.filled, folder)
        finally:
            server.stop()


def _measure(address: str, pages: int, filled: int, folder: Path) -> None:
    store, large = open_store(address), partial(_rows, pages=pages)
    try:
        rows = [_fill(store, pages + step * filled // 10, filled // 10, folder) for step in range(10 if filled else 0)]
        rows += [
            _timed("insert", pages, folder, lambda: _write(store, range(pages), large)),
            _timed("update of every tenth", pages // 10, folder, lambda: _write(store, range(0, pages, 10), large)),
            _timed("export by condition", pages + filled, folder, lambda: _export(store)),
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


def _fill(store: Store, first: int, pages: int, folder: Path) -> list[object]:
    numbers = range(first, first + pages)
    row = _timed("insert, smaller", pages, folder, lambda: _write(store, numbers, _small_rows, _FILL_GROUP))
    print(*row, sep="\t", flush=True)
    return row


def _write(store: Store, numbers: range, rows: Callable[[int], Iterator[Rows]], size: int = _GROUP) -> None:
    """In groups, of which some are under way at once."""
    under_way = []
    for start in range(0, len(numbers), size):
        group = numbers[start : start + size]
        under_way.append(store.write([row for number in group for row in rows(number)]))
        if len(under_way) * size > _BEHIND * _GROUP:
            under_way.pop(0).result()
    for done in under_way:
        done.result()


def _rows(number: int, pages: int) -> Iterator[Rows]:
    return _page(number, _NOW - timedelta(days=180) * (1 - number / pages), _TEXT, 3_000, 20)


def _small_rows(number: int) -> Iterator[Rows]:
    return _page(number, _NOW, _TEXT[:100], 300, 5)


def _page(number: int, fetched: datetime, text: str, source: int, links: int) -> Iterator[Rows]:
    url, at = f"https://site{number % 500}.example/{number}.html", fetched.isoformat(timespec="seconds")
    key, own = url_key(url), {"fetched_at": at}
    page = {
        "title": f"标题 {number}",
        "body": text,
        "published_at": at,
        "relevance": number % 10 / 10,
        "host": url[8:20],
    }
    yield PAGES, {"key": key, "url": url, "canonical": "", **page, **own}
    yield SOURCES, {"key": key, "body": random.Random(number).randbytes(source), "compression": "", **own}
    yield URLS, {"key": key, "url": url, "state": "fetched", "etag": f'"{number}"', **own}
    yield LINKS, {"page": key, "links": [[f"{url}?{place}", "text"] for place in range(links)]}


def _export(store: Store) -> None:
    columns = [PAGES.column(name) for name in ("url", "title", "relevance", "fetched_at")]
    wanted = [Condition("relevance", ">=", 0.5)]
    with open(os.devnull, "wb") as out:
        writer = JsonLinesWriter(out, columns)
        for row in store.select(PAGES, wanted, columns=[each.name for each in columns]):
            writer.write(row)
        writer.close()


def _prune(store: Store) -> None:
    prune(store, prune_target_of("pages", "90d", "", (), _NOW))


if __name__ == "__main__":
    main()
