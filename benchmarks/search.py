"""Speed, size and relevance of the search index over made pages; see benchmarks/results/search.md.

python -m benchmarks.search --pages 10000
python -m benchmarks.search --pages 1000000 --bulk --store sqlite:///made.db     # commits of 16,000 pages
python -m benchmarks.search --store sqlite:///made.db --pages 1000000     # an index that is there already is only asked
python -m benchmarks.search --store sqlite:///made.db --pages 1000000 --against first.json     # {query: keys of its first ten pages}
"""

import argparse
import itertools
import json
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from analysis.jobs import StoredPage, work_once
from analysis.search import JOB, NoIndexError, Searcher, hits, search_step
from analysis.search.search_index import SearchIndex
from benchmarks.search_pages import batches
from pipelines.lease import Lease
from pipelines.stores.base import Condition, Order, Row, Store, StoreError
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows

QUERIES = 200
BATCH, BULK = 500, 16_000
"""Pages that are written at once, and between two commits."""
DELETED = 1_000
FREQUENT = ("中国", "的", "我们 OR 他们", "中国 -经济 since:2026-11-10")
_COLUMNS = ("key", "url", "host", "kind", "title", "body", "published_at")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000, help="how many pages are made (10,000)")
    parser.add_argument("--bulk", action="store_true", help="index the pages as they are stored, not through the queue")
    parser.add_argument("--store", default="", help="of these pages, or empty (default: in a temporary folder)")
    parser.add_argument("--against", type=Path, help="compare the first ten hits of the queries in this file")
    parser.add_argument("--delete", action="store_true", help=f"remove {DELETED:,} pages at last")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_store(options.store or f"sqlite:///{Path(folder) / 'a.db'}")) as store,
    ):
        try:
            Searcher(store).search("的")
        except (NoIndexError, StoreError):
            with writing(store) as index:
                (fill if options.bulk else measure)(store, index, options.pages)
        say_size(store, options.pages)
        ask(store, options.pages)
        if options.against:
            compare(store, json.loads(options.against.read_text()))
        if options.delete:
            delete(store, options.pages)


@contextmanager
def writing(store: Store) -> Iterator[SearchIndex]:
    """The step of the analysis, for an index that is not there yet or goes on."""
    lease = Lease(store, JOB, seconds=86_400.0)
    if not lease.gain():
        raise SystemExit("another process writes the index of this store")
    index = search_step(store, lease)
    try:
        yield index
    finally:
        index.close()
        lease.release()


def measure(store: Store, index: SearchIndex, pages: int) -> None:
    """Make pages and index them through the queue; print the CPU time of a page."""
    spent = list[float]()
    for rows in made(store, pages, BATCH):
        store.write(waiting_rows([row["key"] for row in rows])).result()
        with timed(spent):
            work_once(store, [index], len(rows))
    print(f"{pages:,} pages: {1000 * sum(spent) / pages:.2f} ms CPU a page", flush=True)


def fill(store: Store, index: SearchIndex, pages: int) -> None:
    """Index the pages that are stored, or else make them; print the CPU time of a page."""
    spent, done = list[float](), 0
    for rows in stored(store) if store.count(PAGES, limit=1) else made(store, pages, BULK):
        read = [StoredPage(row["key"], _whole(row), ()) for row in rows]
        with timed(spent):
            index.process(read)
        done += len(rows)
        print(f"{done:,} pages: {1000 * sum(spent) / done:.2f} ms CPU a page", flush=True)


def made(store: Store, pages: int, size: int) -> Iterator[Sequence[Row]]:
    """Made pages, once they are stored."""
    for rows in batches(pages, size):
        store.upsert(PAGES, rows).result()
        yield rows


def stored(store: Store) -> Iterator[Sequence[Row]]:
    last = ""
    while rows := list(store.select(PAGES, [Condition("key", ">", last)], [Order("key")], BULK, _COLUMNS)):
        yield rows
        last = rows[-1]["key"]


def _whole(row: Row) -> Mapping[str, object]:
    return {"author": None, "topic": None, "published_precision": None, "first_seen": None, "fetched_at": None, **row}


@contextmanager
def timed(spent: list[float]) -> Iterator[None]:
    """Adds the seconds of CPU of all threads."""
    begun = time.process_time()
    yield
    spent.append(time.process_time() - begun)


def say_size(store: Store, pages: int) -> None:
    """Print the size of tantivy's index beside that of the text."""
    folder = Path(f"{store.location}.search")
    sample = min(pages, 2_000)
    text = sum(len((row["title"] + row["body"]).encode()) for made in batches(sample, BATCH) for row in made)
    parts = {part["segment_id"].replace("-", "") for part in json.loads((folder / "meta.json").read_text())["segments"]}
    size = sum(file.stat().st_size for file in folder.iterdir() if file.name.split(".")[0] in parts)
    print(f"index: {size / (text * pages / sample):.2f} × the text's size, {len(parts)} parts", flush=True)


def ask(store: Store, pages: int) -> None:
    """Titles' words as queries, then frequent words: CPU until the first ten hits and the number of all are known."""
    random.seed(2)
    searcher, spent, found = Searcher(store), list[float](), 0
    for number in random.sample(range(pages), min(QUERIES, pages)):
        row = store.get(PAGES, f"p{number}") or {}
        with timed(spent):
            first = first_ten(store, searcher, row["title"])
        found += row["key"] in first
    print(f"titles' words: {found / len(spent):.3f} among the first ten; {percentiles(spent)}")
    for query in FREQUENT:
        spent = []
        for _ in range(5):
            with timed(spent):
                first_ten(store, searcher, query)
        print(f"{query}: {len(searcher.search(query)):,} hits, {percentiles(spent)}")


def first_ten(store: Store, searcher: Searcher, query: str) -> list[str]:
    matches = searcher.search(query)
    return [hit.page for hit in itertools.islice(hits(store, matches, query, exact=matches.exact), 10)]


def compare(store: Store, others: Mapping[str, Sequence[str]]) -> None:
    """Print how many of the first ten hits of another engine are among ours."""
    searcher = Searcher(store)
    shares = [len({*first_ten(store, searcher, query)} & {*keys}) / len(keys) for query, keys in others.items() if keys]
    print(f"{len(shares)} queries: {sum(shares) / len(shares):.3f} of the other engine's first ten")


def delete(store: Store, pages: int) -> None:
    """Remove pages from the store, and then from the index."""
    keys = [f"p{number}" for number in random.sample(range(pages), min(DELETED, pages))]
    store.remove(PAGES, [Condition("key", "in", keys)]).result()
    before = len(Searcher(store).search("的"))
    spent = list[float]()
    with writing(store) as index, timed(spent):
        index.process([StoredPage(key, None, ()) for key in keys])
    after = len(Searcher(store).search("的"))
    print(
        f"{len(keys):,} pages removed: {1000 * spent[0] / len(keys):.2f} ms CPU a page; 的: {before:,} hits, then {after:,}"
    )


def percentiles(spent: Sequence[float]) -> str:
    low, high = (1000 * sorted(spent)[int(len(spent) * part)] for part in (0.5, 0.95))
    return f"{low:.1f} ms median, {high:.1f} ms p95 CPU"


if __name__ == "__main__":
    main()
