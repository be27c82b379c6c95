"""Speed, size and relevance of the search index over made pages; see docs/search.md.

python -m benchmarks.search --pages 10000
python -m benchmarks.search --store sqlite:///made.db --pages 1000000     # an index that is there already is only asked
"""

import argparse
import itertools
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from wordfreq import top_n_list, word_frequency

from analysis.jobs import Lease, work_once
from analysis.search import JOB, Searcher, SearchIndex, hits
from pipelines.stores.analysis_tables import SEARCH_CHUNKS, SEARCH_SEGMENTS
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from pipelines.waiting import waiting_rows

WORDS = 30_000
BODY, TITLE = 350, 10
QUERIES = 200
GROWTH = 100_000
"""Pages after which the time of a page is printed."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000, help="how many pages are made (10,000)")
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
                measure(store, options.pages)
            ask(store, options.pages)
        finally:
            store.close()


def measure(store: Store, pages: int) -> None:
    """Make pages, index them, ask; print figures."""
    lease = Lease(store, JOB)
    lease.gain()
    index = SearchIndex(store, lease)
    text, spent, said = 0, 0.0, (0, 0.0)
    for made in batches(pages):
        text += sum(len((row["title"] + row["body"]).encode()) for row in made)
        store.upsert(PAGES, made).result()
        store.write(waiting_rows([row["key"] for row in made])).result()
        begun = time.process_time()
        work_once(store, [index], len(made), lease.renew)
        spent += time.process_time() - begun
        done = int(made[-1]["key"][1:]) + 1
        if done - said[0] == GROWTH:
            print(f"{done:,} pages: {1000 * (spent - said[1]) / GROWTH:.2f} ms CPU a page", flush=True)
            said = (done, spent)
    size = sum(len(row["postings"]) for row in store.select(SEARCH_CHUNKS, columns=["postings"]))
    parts = list(store.select(SEARCH_SEGMENTS))
    size += sum(len(row["terms"]) + len(row["documents"]) for row in parts)
    print(
        f"{pages:,} pages: {1000 * spent / pages:.2f} ms CPU a page, {size / text:.2f} × the text's size, {len(parts)} parts",
        flush=True,
    )


def batches(pages: int) -> Iterator[list[dict[str, str]]]:
    """Rows of made pages, 500 at a time."""
    random.seed(1)
    words = top_n_list("zh", WORDS)
    weights = list(itertools.accumulate(word_frequency(word, "zh") for word in words))

    def texts(count: int) -> str:
        return "".join(random.choices(words, cum_weights=weights, k=count))

    def batch(first: int) -> list[dict[str, str]]:
        return [
            {"key": f"p{number}", "title": texts(TITLE), "body": texts(BODY), "host": f"h{number % 50}.example",
             "url": f"https://h{number % 50}.example/{number}", "kind": "article",
             "published_at": f"2026-11-{number % 28 + 1:02}T08:00:00+00:00"}
            for number in range(first, min(pages, first + 500))
        ]  # fmt: skip

    return (batch(first) for first in range(0, pages, 500))


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
