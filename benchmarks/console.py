"""What the pages of the console cost on a made store: CPU time of each answer, and its size before compression.

python -m benchmarks.console --pages 100000 [--store mongodb://host/database] [--search]
"""

import argparse
import gc
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from itertools import chain, islice
from math import ceil
from pathlib import Path
from typing import Any

from scrapy.settings import Settings
from starlette.testclient import TestClient

from analysis.jobs import work_once
from analysis.search import JOB, search_step
from benchmarks.console_bulk import insert_documents, write_bulk
from benchmarks.console_collecting import made_queries, made_runs
from benchmarks.console_happenings import made_alerts, made_counts, made_events
from benchmarks.console_pages import NOW, Rows, made_rows
from benchmarks.console_steering import made_steering
from console.app import make_app
from console.config import read_config
from console.frame.app_context import AppContext, make_app_context
from console.pages import PAGES
from pipelines.lease import Lease
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.analysis_tables import ANALYSIS_JOBS, EVENTS
from pipelines.stores.base import Order, Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES as PAGE_ROWS
from pipelines.stores.tables import RECORDS, URLS
from pipelines.waiting import waiting_rows

_BATCH = 2_000


def fill(store: Store, pages: int) -> None:
    """Write a made store with this number of pages."""
    rows = store_rows(pages)
    while batch := list(islice(rows, _BATCH)):
        store.write(batch).result()


def store_rows(pages: int) -> Rows:
    """Pages, and what the analysis would make of them: every page is in an event."""
    reported: list[Mapping[str, Any]] = []
    yield from _noted(made_rows(pages), reported)
    happened = chain(made_events(reported), made_counts(NOW, min(3_000, pages)), made_alerts(NOW, reported))
    yield from chain(made_queries(NOW), made_runs(NOW), happened, made_steering(NOW, min(20_000, pages)))


def _noted(rows: Rows, reported: list[Mapping[str, Any]]) -> Rows:
    """The same rows; headlines of the pages among them are added to `reported`."""
    for table, row in rows:
        if table is PAGE_ROWS:
            reported.append({name: row[name] for name in ("key", "url", "host", "title", "published_at")})
        yield table, row


def made_app_context(folder: Path, address: str) -> AppContext:
    settings = Settings()
    settings.setmodule("settings.base")
    given = {"DATA_DIR": str(folder), "STORE": address or f"sqlite:///{folder}/made.db"}
    settings.update(given, priority="cmdline")
    return make_app_context(open_store(settings["STORE"]), settings, read_config(settings), lambda: NOW)


def addresses(app_context: AppContext) -> list[str]:
    """Every page that needs no place, and typical others."""
    row = next(app_context.store.select(PAGE_ROWS, limit=1, columns=["key", "host"]))
    event = largest_event(app_context.store)
    alert = next(app_context.store.select(ALERTS, order=[Order("key", True)], limit=1, columns=["key"]))["key"]
    plain = [page.path for page in PAGES if "{" not in page.path and page.path != "/sites/source"]
    more = [
        "/articles?sort=published",
        f"/articles?host={row['host']}",
        "/articles?q=成都",
        "/articles?q=成都 首付",
        "/articles?relevance=0.99",
    ]
    more += [
        f"/sites/source?host={row['host']}",
        f"/articles/{row['key']}",
        f"/urls/why?url={row['url']}",
        "/titles?show=stories",
        f"/urls?host={row['host']}",
        "/urls?state=failed",
        "/urls?q=nothing",
        "/articles?topic=nothing",
        "/events?q=nothing",
        "/events?place=nothing&sort=sites",
        "/decisions?q=nothing",
        "/engines/queries?engine=bing",
        "/runs?show=all",
        "/runs/run3",
        f"/events/{event}",
        "/events?q=首付&state=growing",
        "/events?sort=sites",
        "/events?sort=growth&topic=housing",
        f"/events/{event}/halves?pages={event}",
        f"/articles?event={event}",
        "/today?sort=growth",
        "/today?to=2026-10-15",
        "/sites/watched?state=new",
        "/terms?topic=housing&state=rejected",
        "/decisions?by=anna",
        "/trend?of=首付、房贷、上海市",
        "/trend?as=share&by=week",
        f"/alerts?key={alert}",
        "/alerts?show=all",
        "/alerts?preview=城市放松首付",
    ]
    return [*plain, *more, *(f"/api{path}" for path in ("/articles", "/urls"))]


def index_texts(store: Store) -> None:
    """Make the index of full-text search, as `scrapy analysis run` does."""
    lease = Lease(store, JOB)
    lease.gain()
    index = search_step(store, lease)
    keys = iter([row["key"] for row in store.select(PAGE_ROWS, columns=["key"])])
    while batch := list(islice(keys, _BATCH)):
        store.write(waiting_rows(batch)).result()
        work_once(store, [index], len(batch), lease.renew)
    index.close()


def largest_event(store: Store) -> str:
    found = max(store.select(EVENTS, columns=["event", "pages"]), key=lambda each: each["pages"], default={"event": ""})
    return str(found["event"])


def measured(client: TestClient, path: str, rounds: int) -> tuple[float, float, int]:
    """CPU milliseconds of an answer, the middle one and the 95th of a hundred, and its bytes. A first answer, which compiles the
    page's template, does not count."""
    spent, size = [], len(client.get(path).content)
    for _ in range(rounds):
        began = time.process_time()
        answer = client.get(path)
        spent.append((time.process_time() - began) * 1000)
        size = len(answer.content)
        if answer.status_code != 200:
            raise SystemExit(f"{path}: {answer.status_code}")
    spent.sort()
    return spent[len(spent) // 2], spent[ceil(len(spent) * 0.95) - 1], size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--pages", type=int, default=20_000, help="pages in the made store; five times as many records (default: 20000)"
    )
    parser.add_argument("--rounds", type=int, default=20, help="answers of each page (default: 20)")
    parser.add_argument("--store", default="", help="an empty MongoDB database to fill (default: a SQLite file)")
    parser.add_argument("--file", type=Path, help="SQLite file that is made if it is not there, and kept")
    parser.add_argument("--only", default="", help="pages, with commas between (default: all)")
    parser.add_argument("--search", action="store_true", help="index the pages first: `q` searches texts, not titles")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "made.db"
        if options.store:
            insert_documents(options.store, store_rows(options.pages))
        elif not path.exists():
            write_bulk(path, store_rows(options.pages))
        app_context = made_app_context(Path(folder), options.store or f"sqlite:///{path}")
        with closing(app_context.store):
            if options.search and app_context.store.get(ANALYSIS_JOBS, JOB) is None:
                index_texts(app_context.store)
            measure(app_context, options.only.split(",") if options.only else addresses(app_context), options.rounds)


def measure(app_context: AppContext, paths: list[str], rounds: int) -> None:
    client = TestClient(make_app(app_context), base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1))
    gc.collect()
    gc.freeze()  # as the console does when it starts
    sizes = ", ".join(f"{app_context.store.count(table):,} {table.name}" for table in (PAGE_ROWS, RECORDS, URLS))
    print(f"{sizes} in {app_context.store.location}")
    print(f"{'page':44} {'CPU ms':>8} {'p95':>8} {'kB':>8}")
    for path in paths:
        middle, high, size = measured(client, path, rounds)
        print(f"{path[:44]:44} {middle:8.1f} {high:8.1f} {size / 1000:8.1f}", flush=True)


if __name__ == "__main__":
    main()
