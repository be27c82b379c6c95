"""What the pages of the console cost on a made store: CPU time of each answer, and its size before compression.

python -m benchmarks.console --pages 100000 [--store mongodb://host/database]
"""

import argparse
import gc
import random
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from math import ceil
from pathlib import Path
from typing import Any

from scrapy.settings import Settings
from starlette.testclient import TestClient

from benchmarks.console_collecting import made_queries, made_runs
from benchmarks.console_happenings import made_alerts, made_counts, made_events
from console.app import make_app
from console.config import read_config
from console.frame.desk import Desk, make_desk
from console.pages import PAGES
from extractors.links.urls import url_key
from pipelines.stores.alert_tables import ALERTS
from pipelines.stores.analysis_tables import EVENTS
from pipelines.stores.base import Order, Store, Table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES as PAGE_ROWS
from pipelines.stores.tables import PROPAGATION, RECORDS, URLS

Rows = Iterator[tuple[Table, Mapping[str, Any]]]
NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
_PLACES = "北京 上海 广州 深圳 成都 武汉 杭州 南京 重庆 天津".split()
_MATTERS = "首套房首付比例下调 住房公积金贷款额度提高 二手房成交回升 土地拍卖结果公布 限购政策调整 房贷利率再降".split()
_SENTENCES = (
    "市住房和城乡建设局昨日发布通知 多家银行表示尚未收到细则 中介称周末看房的人多了三成 专家认为短期成交会回升".split()
)
_POSTS = "首付降了，月供还是高。 终于等到了，支持！ 骗人的吧，太失望了。 再等等看。 希望别的城市也跟上。".split()
_STATES = ["fetched"] * 16 + ["other", "failed", "refused", "dead"]
_BATCH = 2_000


def made_rows(pages: int, seed: int = 1) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """Pages of 300 hosts with five records each, one in ten a copy of the page before it; all URLs and as many without a page."""
    chance = random.Random(seed)
    before: dict[str, Any] = {}
    for number in range(pages):
        host = f"www.site{int(chance.expovariate(0.02)) % 300:03}.example"
        url, at = f"https://{host}/news/{number}.html", _ago(number * 20)
        title = f"{chance.choice(_PLACES)}{chance.choice(_MATTERS)}，{chance.randint(2, 90)} 个项目受影响"
        is_copy = number % 10 == 9
        row = {
            "key": url_key(url), "url": url, "host": host, "kind": "article", "title": before["title"] if is_copy else title,
            "author": "记者", "published": at, "published_at": at, "published_precision": "second", "source": host,
            "body": f"{title}。{chance.choice(_SENTENCES)}，首付比例不低于百分之十五。\n" * 20, "language": "zh", "topic": "housing",
            "relevance": round(chance.random(), 3), "relevance_reason": "0.93: 首付×3* 房贷×1", "keywords": ["首付"], "method": "forest",
            "confidence": 0.9, "status": 200, "depth": 2, "fetched_at": at, "first_seen": at, "canonical": "", "summary": "",
        }  # fmt: skip
        yield PAGE_ROWS, row
        yield from _around(chance, row, before if is_copy else {}, number)
        before = row


def _around(
    chance: random.Random, row: Mapping[str, Any], copied: Mapping[str, Any], number: int
) -> Iterator[tuple[Table, Mapping[str, Any]]]:
    """A page's rows in other tables."""
    verdict = "repost" if copied else "original" if number % 10 == 8 else "suspected" if number % 50 == 0 else "new"
    yield PROPAGATION, {
        "page": row["key"], "story": (copied or row)["key"], "original": (copied or row)["key"], "verdict": verdict, "rule": "",
        "matched": copied.get("key", ""), "title": row["title"], "url": row["url"], "site": row["host"], "published": row["published"],
        "cosine": 0.93 if copied else 0.0, "delay_hours": 0.3 if copied else None, "reposts": int(number % 10 > 7), "keywords": [],
        "fetched_at": row["fetched_at"],
    }  # fmt: skip
    for place in range(5):
        yield RECORDS, {
            "page": row["key"], "key": f"r{place}", "kind": "comment", "author": f"网友{chance.randint(1, 9999)}", "part": 1,
            "text": chance.choice(_POSTS), "place": place, "time": row["published"], "time_at": row["published"], "is_first": 0,
            "parent": f"r{place - 1}" if place % 2 else "", "likes": chance.randint(0, 99),
        }  # fmt: skip
    for url, state in ((row["url"], "fetched"), (f"{row['url']}?p=2", chance.choice(_STATES))):
        yield URLS, {
            "key": url_key(url), "url": url, "host": row["host"], "state": state, "status": 200, "depth": 2, "failures": 0,
            "reason": "HTTP 503" if state == "failed" else "", "found_by": "link", "fetched_at": row["fetched_at"],
            "first_seen": row["fetched_at"],
        }  # fmt: skip


def _ago(seconds: float) -> str:
    return (NOW - timedelta(seconds=seconds)).isoformat(timespec="seconds")


def fill(store: Store, pages: int) -> None:
    """Pages, and what the analysis would make of them: every page is in an event."""
    reported: list[Mapping[str, Any]] = []
    _write(store, _noted(made_rows(pages), reported))
    happened = chain(made_events(reported), made_counts(NOW, min(3_000, pages)), made_alerts(NOW, reported))
    _write(store, chain(made_queries(NOW), made_runs(NOW), happened))


def _noted(rows: Rows, reported: list[Mapping[str, Any]]) -> Rows:
    """The same rows; headlines of the pages among them are added to `reported`."""
    for table, row in rows:
        if table is PAGE_ROWS:
            reported.append({name: row[name] for name in ("key", "url", "host", "title", "published_at")})
        yield table, row


def _write(store: Store, rows: Rows) -> None:
    while batch := list(islice(rows, _BATCH)):
        store.write(batch).result()


def made_desk(folder: Path, address: str) -> Desk:
    settings = Settings()
    settings.setmodule("settings.base")
    given = {"DATA_DIR": str(folder), "STORE": address or f"sqlite:///{folder}/made.db"}
    settings.update(given, priority="cmdline")
    return make_desk(open_store(settings["STORE"]), settings, read_config(settings), lambda: NOW)


def addresses(desk: Desk) -> list[str]:
    """Every page that needs no place, and typical others."""
    row = next(desk.store.select(PAGE_ROWS, limit=1, columns=["key", "host"]))
    event = largest_event(desk.store)
    alert = next(desk.store.select(ALERTS, order=[Order("key", True)], limit=1, columns=["key"]))["key"]
    plain = [page.path for page in PAGES if "{" not in page.path]
    more = ["/articles?sort=published", f"/articles?host={row['host']}", "/articles?q=成都", "/articles?relevance=0.99"]
    more += [
        f"/articles/{row['key']}",
        f"/articles/{row['key']}/why",
        "/titles?show=stories",
        f"/urls?host={row['host']}",
        "/urls?state=failed",
        "/engines/queries?engine=bing",
        "/runs?show=all",
        "/runs/run3",
        f"/events/{event}",
        "/events?q=首付&state=growing",
        f"/articles?event={event}",
        "/today?sort=growth",
        "/trend?of=首付、房贷、上海市",
        "/trend?as=share&by=week",
        f"/alerts?key={alert}",
        "/alerts?show=all",
        "/alerts?preview=城市放松首付",
    ]
    return [*plain, *more, *(f"/api{path}" for path in ("/articles", "/urls"))]


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
    parser.add_argument("--store", default="", help="an empty database to fill (default: a SQLite file)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        desk = made_desk(Path(folder), options.store)
        with closing(desk.store):
            fill(desk.store, options.pages)
            client = TestClient(make_app(desk), base_url="http://127.0.0.1:8765", client=("127.0.0.1", 1))
            gc.collect()
            gc.freeze()  # as the console does when it starts
            print(
                f"{options.pages:,} pages, {options.pages * 5:,} records, {options.pages * 2:,} URLs in {desk.store.location}"
            )
            print(f"{'page':44} {'CPU ms':>8} {'p95':>8} {'kB':>8}")
            for path in addresses(desk):
                middle, high, size = measured(client, path, options.rounds)
                print(f"{path[:44]:44} {middle:8.1f} {high:8.1f} {size / 1000:8.1f}", flush=True)


if __name__ == "__main__":
    main()
