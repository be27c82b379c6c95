"""Speed, size and relevance of the search index over made pages; see docs/search.md.

python -m benchmarks.search --pages 10000
python -m benchmarks.search --pages 1000000 --bulk --store sqlite:///made.db     # parts of 16,000 pages at once: 10 CPU minutes
python -m benchmarks.search --store sqlite:///made.db --pages 1000000     # an index that is there already is only asked
"""

import argparse
import itertools
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from analysis.jobs import work_once
from analysis.search import JOB, Searcher, SearchIndex, hits
from analysis.search.documents import Names
from benchmarks.search_pages import batches, part_of
from pipelines.lease import Lease
from pipelines.stores.analysis_tables import SEARCH_CHUNKS, SEARCH_SEGMENTS
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows

QUERIES = 200
PART = 16_000
"""Pages of a part that is made at once."""
GROWTH = 100_000
"""Pages after which the time of a page is printed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000, help="how many pages are made (10,000)")
    parser.add_argument("--bulk", action="store_true", help="do not index page by page, but large parts at once")
    parser.add_argument(
        "--store",
        default="",
        help="the address of a store of these pages, or an empty one (SQLite in a temporary folder)",
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(options.store or f"sqlite:///{Path(folder) / 'a.db'}")
        try:
            if not store.count(SEARCH_SEGMENTS):
                (fill if options.bulk else measure)(store, options.pages)
                say_size(store, options.pages)
            ask(store, options.pages)
        finally:
            store.close()


def measure(store: Store, pages: int) -> None:
    """Make pages, index them, ask; print figures."""
    lease = Lease(store, JOB)
    lease.gain()
    index = SearchIndex(store, lease)
    spent, said = 0.0, (0, 0.0)
    for made in batches(pages, 500):
        store.upsert(PAGES, made).result()
        store.write(waiting_rows([row["key"] for row in made])).result()
        begun = time.process_time()
        work_once(store, [index], len(made), lease.renew)
        spent += time.process_time() - begun
        done = int(made[-1]["key"][1:]) + 1
        if done - said[0] == GROWTH:
            print(f"{done:,} pages: {1000 * (spent - said[1]) / GROWTH:.2f} ms CPU a page", flush=True)
            said = (done, spent)
    print(f"{pages:,} pages: {1000 * spent / pages:.2f} ms CPU a page", flush=True)


def fill(store: Store, pages: int) -> None:
    """Make pages and parts of the index of them, without the work of single pages; the parts are merged as ever."""
    lease = Lease(store, JOB)
    lease.gain()
    index, names, following, begun = SearchIndex(store, lease), Names(), 1, time.process_time()
    for made in batches(pages, PART):
        stored = store.upsert(PAGES, made)
        part = part_of(made, following, names)
        stored.result()
        following += len(made)
        index.append(part.postings, part.columns, names, following, part.rows)
        print(f"{following - 1:,} pages: {time.process_time() - begun:,.0f} s CPU", flush=True)


def say_size(store: Store, pages: int) -> None:
    """Print the size of the index beside that of the text."""
    text = sum(len((row["title"] + row["body"]).encode()) for made in batches(min(pages, 2_000), 500) for row in made)
    text *= pages / min(pages, 2_000)
    size = sum(len(row["postings"]) for row in store.select(SEARCH_CHUNKS, columns=["postings"]))
    parts = list(store.select(SEARCH_SEGMENTS))
    size += sum(len(row["terms"]) + len(row["documents"]) for row in parts)
    print(f"index: {size / text:.2f} × the text's size, {len(parts)} parts", flush=True)


def ask(store: Store, pages: int) -> None:
    """Titles' words as queries, each to a searcher without terms in memory."""
    random.seed(2)
    searcher = Searcher(store)
    spent, found = list[float](), 0
    for number in random.sample(range(pages), min(QUERIES, pages)):
        row = store.get(PAGES, f"p{number}") or {}
        searcher.forget()
        begun = time.process_time()
        first = [hit.page for hit in itertools.islice(hits(store, searcher.search(row["title"]), row["title"]), 10)]
        spent.append(time.process_time() - begun)
        found += row["key"] in first
    print(
        f"titles' words: {found / len(spent):.3f} among the first ten; {share(spent, 0.5)} ms median, {share(spent, 0.95)} ms p95 CPU"
    )
    for query in ("中国", "的", "我们 OR 他们", "中国 -经济 since:2026-11-10"):
        searcher.forget()
        begun = time.process_time()
        ranked = searcher.search(query)
        list(itertools.islice(hits(store, ranked, query), 10))
        print(f"{query}: {len(ranked):,} hits, {1000 * (time.process_time() - begun):.0f} ms CPU")


def share(values: Sequence[float], part: float) -> str:
    """That quantile in milliseconds."""
    return f"{1000 * sorted(values)[int(len(values) * part)]:.0f}"


if __name__ == "__main__":
    main()
