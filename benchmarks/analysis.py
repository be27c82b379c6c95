"""CPU milliseconds that the analysis takes for a page: python -m benchmarks.analysis [--shared ../shared] [--pages N] [--store ADDRESS]

Pages are the news of the sets stream_cec and stream_en, or with --store the pages of a store of one's own. They are written to a new
SQLite store, and each step of the analysis does all of them in batches of 200; reading and writing the store counts. Names and times are
part of the step "events", and are shown once more alone.
"""

import argparse
import gzip
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from itertools import islice
from pathlib import Path

from analysis import counts, running, search
from analysis.events import store as event_store
from analysis.events.store.readings import local_time
from analysis.jobs import StoredPage, read_pages
from analysis.names import find_names
from analysis.times import find_times
from pipelines.lease import Lease
from pipelines.stores.base import Row
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES

SETS = ("stream_cec", "stream_en")
BATCH = 200
READ = 2_000
"""Characters of a page in which names and times are looked for."""
LIMIT_MS = 4.0
_COPIED = (
    "key",
    "url",
    "host",
    "kind",
    "title",
    "body",
    "language",
    "topic",
    "published",
    "published_at",
    "first_seen",
    "fetched_at",
)


def news(shared: Path) -> Iterator[Row]:
    """Rows of pages, made of the streams of news."""
    for name in SETS:
        with gzip.open(shared / "data" / "analysis" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                at = datetime.fromisoformat(row["date"]).replace(tzinfo=None).isoformat(timespec="seconds") + "+00:00"
                yield {
                    "key": f"{name} {row['id']}", "url": f"https://{name}.example/{row['id']}", "host": f"{name}.example",
                    "kind": "article", "title": row["title"], "body": row["text"], "topic": "",
                    "language": "zh" if name == "stream_cec" else "en", "published": at, "published_at": at, "fetched_at": at,
                }  # fmt: skip


def stored(address: str) -> Iterator[Row]:
    """Rows of the pages of a store."""
    with closing(open_store(address, must_exist=True)) as store:
        yield from store.select(PAGES, columns=_COPIED)


def milliseconds(work: Callable[[], object], pages: int) -> float:
    """CPU of this process for a page."""
    begun = time.process_time()
    work()
    return 1_000 * (time.process_time() - begun) / pages


def measured(rows: list[Row], address: str) -> dict[str, float]:
    """CPU milliseconds for a page by part."""
    with closing(open_store(address)) as store:
        store.upsert(PAGES, rows).result()
        pages = read_pages(store, [row["key"] for row in rows])
        texts = [(f"{page.text('title')}\n{page.text('body')}"[:READ], local_time(page)) for page in pages]
        find_names("记者李晓梅从广东省公安厅获悉"), find_names("Police in London")  # loads dictionaries
        running.run(store)  # loads the rest; the steps are measured on an empty store again
        found = {
            "names alone": milliseconds(lambda: [find_names(text) for text, _ in texts], len(pages)),
            "times alone": milliseconds(lambda: [find_times(text, base) for text, base in texts], len(pages)),
        }
        for name in (search.JOB, event_store.JOB, counts.JOB):
            lease = Lease(store, name)
            lease.gain()
            step = running.STEPS[name](store, lease)
            step.clear()
            found[name] = milliseconds(lambda step=step: _in_batches(step.process, pages), len(pages))  # type: ignore[misc]
        return found


def _in_batches(process: Callable[[list[StoredPage]], None], pages: list[StoredPage]) -> None:
    for start in range(0, len(pages), BATCH):
        process(pages[start : start + BATCH])


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    ask.add_argument("--pages", type=int, default=400)
    ask.add_argument("--store", default="", metavar="ADDRESS", help="sqlite:///data/topicrawl.db: measure its pages")
    given = ask.parse_args()
    rows = list(islice(stored(given.store) if given.store else news(given.shared), given.pages))
    with tempfile.TemporaryDirectory() as folder:
        found = measured(rows, f"sqlite:///{folder}/a.db")
    length = sum(len(row["body"] or "") for row in rows) / len(rows)
    print(f"{len(rows)} pages of {length:,.0f} characters")
    for name, value in found.items():
        print(f"{name:<14}{value:6.2f} ms")
    total = found[search.JOB] + found[event_store.JOB]
    print(
        f"{'index, events':<14}{total:6.2f} ms   {'within' if total <= LIMIT_MS else 'over'} the limit of {LIMIT_MS} ms"
    )


if __name__ == "__main__":
    main()
