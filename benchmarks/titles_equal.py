"""Are the decisions on many real titles those of another version, and those of one process that nobody kills?

python -m benchmarks.titles_equal versions --against FOLDER        200,000 titles compared by `scrapy titles rebuild` of both checkouts
python -m benchmarks.titles_equal crawled --titles 200000          and as a crawl decides them, beside `scrapy titles rebuild`
python -m benchmarks.titles_equal kills --titles 20000 --kills 50  processes that decide are killed while a node asks them by Redis

Titles: English and Chinese ones in the order of their files, each with the name of its source, and every tenth once more, as another
site would write it. Each has a text of four real sentences, which a title shares with its copies and with two neighbours.
"""

import argparse
import itertools
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from scrapy.settings import Settings

from benchmarks.title_files import lines
from pipelines.lease import Lease
from pipelines.stores.base import Condition, Order, Row, Store
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, PROPAGATION
from pipelines.titles.holder import TitleHolder
from pipelines.titles.opening import JOB, generation_of
from pipelines.titles.redis_requests import RedisAsker, open_asker
from pipelines.titles.title_requests import UNDECIDED, TitleRequest, request_of_stored, undecided_row
from testbed.servers import mongo_server, redis_server

_COMPARED = (
    "verdict",
    "rule",
    "matched",
    "story",
    "original",
    "reposts",
    "delay_hours",
    "cosine",
    "by_title",
    "by_body",
)
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_ENGLISH = 60_000
_OTHER_SITES = (" - 新浪网", "_搜狐网", " | 大河论坛", "-中国新闻网", " - BBC News", "")
_GROUP = 50
_LEASE_SECONDS = 3.0
_PATIENCE = 3.0


def pages(data: Path, count: int) -> Iterator[dict[str, Any]]:
    """Rows of the table of pages, in the order in which they were collected."""
    sentences = [text for line in lines(data / "living-texts.jsonl.gz") for text in line["texts"]]
    english = itertools.islice(lines(data / "titles" / "titles_en.jsonl.gz"), min(_ENGLISH, count // 3))
    chinese = lines(data / "titles" / "titles_zh.jsonl.gz")
    real = itertools.chain.from_iterable(zip(english, chinese, chinese, strict=False))
    number = 0
    for order, line in enumerate(itertools.chain(real, chinese)):
        text = "".join(sentences[(order // 3 * 4 + each) % len(sentences)] for each in range(4))
        for copy in range(1 + (order % 10 == 0)):
            if number == count:
                return
            yield _page(number, line, text, _OTHER_SITES[order // 10 % len(_OTHER_SITES)] if copy else None)
            number += 1


def _page(number: int, line: dict[str, Any], text: str, ending: str | None) -> dict[str, Any]:
    source = line["source"].removeprefix("newsapi:") if ending is None else ""
    host = f"{'' if ending is None else 'copies-'}{abs(hash_of(line['source'])) % 400}.example"
    at, key = (_BEGIN + timedelta(seconds=number)).isoformat(), f"{hash_of(str(number)):020x}"
    return {
        "key": key, "title": line["title"] + (ending or ""), "url": f"https://{host}/{number}", "host": host, "source": source,
        "author": "", "published": line["date"], "published_at": f"{line['date']}T00:00:00+00:00", "keywords": [],
        "fetched_at": at, "first_seen": at, "body": text,
    }  # fmt: skip


def hash_of(text: str) -> int:
    """The same in every process."""
    return random.Random(text).getrandbits(79)


def filled(folder: Path, data: Path, count: int) -> str:
    """The address of a database with these pages."""
    address = f"sqlite:///{folder}/pages.db"
    store = open_store(address)
    rows = pages(data, count)
    while group := list(itertools.islice(rows, 2_000)):
        store.upsert(PAGES, group).result()
    store.close()
    return address


def rebuilt(checkout: Path, folder: Path, pages_at: Path) -> dict[str, Row]:
    """The rows that `scrapy titles rebuild` of a checkout makes."""
    folder.mkdir()
    shutil.copy(pages_at / "pages.db", folder)
    address, begun = f"sqlite:///{folder}/pages.db", time.monotonic()
    command = [checkout / ".venv/bin/scrapy", "titles", "rebuild", "-s", f"STORE={address}", "-s", f"DATA_DIR={folder}"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
    print(f"{checkout.name}: {done.stderr.strip().splitlines()[-1]} ({time.monotonic() - begun:.0f} s)", flush=True)
    return rows_of(address)


def rows_of(address: str) -> dict[str, Row]:
    """What is compared, by page."""
    store = open_store(address)
    rows = {row["page"]: row for row in store.select(PROPAGATION, columns=("page", *_COMPARED))}
    store.close()
    return rows


def compared(one: dict[str, Row], other: dict[str, Row], what: str) -> int:
    """Print how many rows differ, and the first ones."""
    differ = [page for page in one.keys() | other.keys() if one.get(page) != other.get(page)]
    verdicts = Counter(row["verdict"] for row in one.values())
    print(f"{what}: {len(one):,} and {len(other):,} rows, {len(differ)} differ; {dict(verdicts.most_common())}")
    for page in differ[:5]:
        print("  ", one.get(page), "\n  ", other.get(page))
    return len(differ)


def requests_of(data: Path, count: int) -> Iterator[tuple[dict[str, Any], TitleRequest]]:
    """Pages, and what a node asks of each."""
    return ((page, request_of_stored(page)) for page in pages(data, count))


def crawled(folder: Path, data: Path, count: int) -> dict[str, Row]:
    """The rows of one process, with pages written after their verdicts as in a crawl."""
    folder.mkdir()
    address = f"sqlite:///{folder}/crawled.db"
    settings, store = Settings({"DATA_DIR": str(folder), "STORE": address}), open_store(address)
    holder, begun = TitleHolder(settings, store), time.process_time()
    holder.start()
    waiting = requests_of(data, count)
    while group := list(itertools.islice(waiting, _GROUP)):
        verdicts = holder.decide([request for _, request in group], 60)
        if len(verdicts) != len(group):
            raise RuntimeError("a title has no verdict")
        store.upsert(PAGES, [page for page, _ in group])
    holder.close()
    store.close()
    print(
        f"one process: {(time.process_time() - begun) / count * 1e6:.0f} µs of CPU a page, with its store", flush=True
    )
    return rows_of(address)


def hold(values: dict[str, Any]) -> None:
    """A process that decides, or stands by, until it is killed."""
    store = open_store(values["STORE"])
    TitleHolder(Settings(values), store, lease_seconds=_LEASE_SECONDS).start()
    while True:
        time.sleep(60)


class Killing:
    """Two processes, of which the one that decides is killed again and again."""

    def __init__(self, values: dict[str, Any], store: Store) -> None:
        self._values, self._store = values, store
        self._processes = [self._started(number) for number in range(2)]
        self._chance = random.Random(11)
        self.kills = 0

    def _started(self, number: int) -> Any:
        values = self._values | {"DATA_DIR": f"{self._values['DATA_DIR']}/{number}"}
        process = get_context("spawn").Process(target=hold, args=(values,), daemon=True)
        process.start()
        return process

    def kill(self) -> None:
        """Wait until a process decides, and kill it a moment later; another one takes its place as standby."""
        while True:
            time.sleep(self._chance.random() * 0.08)
            holder = Lease(self._store, JOB).holder()
            for number, process in enumerate(self._processes):
                if holder.split()[1:2] == [str(process.pid)]:
                    process.kill()
                    process.join()
                    self._processes[number] = self._started(number)
                    self.kills += 1
                    return

    def close(self) -> None:
        """End both."""
        for process in self._processes:
            process.kill()


def killed(folder: Path, data: Path, count: int, kills: int, mongo: bool) -> dict[str, Row]:
    """The rows of a node that asks by Redis, while the processes that decide are killed `kills` times."""
    folder.mkdir()
    servers = [redis_server(folder / "redis"), *([mongo_server(folder / "mongo")] if mongo else [])]
    for server in servers:
        server.start()
    address = f"{servers[1].address}titles" if mongo else f"sqlite:///{folder}/killed.db"
    values = {"STORE": address, "DATA_DIR": str(folder), "FRONTIER": "shared", "REDIS_URL": servers[0].address}
    store = open_store(address)
    asker, killing = open_asker(Settings(values), store), Killing(values, store)
    try:
        if asker is None:
            raise RuntimeError("the node does not ask")
        undecided = _crawl(store, asker, killing, list(requests_of(data, count)), kills)
        print(f"{killing.kills} kills; {undecided:,} pages were stored as undecided", flush=True)
        return rows_of(address)
    finally:
        killing.close()
        store.close()
        for server in servers:
            server.stop()


def _crawl(
    store: Store, asker: RedisAsker, killing: Killing, waiting: list[tuple[dict[str, Any], TitleRequest]], kills: int
) -> int:
    """As `TitlesPipeline` does it for one node; returns how many pages had to be stored without a verdict."""
    while not generation_of(Lease(store, JOB)):
        time.sleep(0.1)
    undecided, every = 0, max(1, len(waiting) // _GROUP // kills)
    for number, start in enumerate(range(0, len(waiting), _GROUP)):
        group = waiting[start : start + _GROUP]
        killer = threading.Thread(target=killing.kill)
        if number % every == every // 2 and killing.kills < kills:
            killer.start()
        verdicts = asker.ask([request for _, request in group], _PATIENCE)
        rows = [undecided_row(store, request) for _, request in group if request.page not in verdicts]
        undecided += sum(row.get("verdict") == UNDECIDED for row in rows)
        store.write([*((PAGES, page) for page, _ in group), *((PROPAGATION, row) for row in rows)]).result()
        if killer.ident:
            killer.join()
    while store.count(PROPAGATION, [Condition("verdict", "=", UNDECIDED)], 1):
        time.sleep(0.2)
    places = [row["place"] for row in store.select(PROPAGATION, (), [Order("fetched_at")], columns=("place",))]
    print(f"decided in the order in which they were stored: {places == sorted(places)}")
    return undecided


def main() -> None:
    """Compare what is named; the exit code is 1 if a row differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("versions", "crawled", "kills"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of titles/ and living-texts")
    parser.add_argument("--titles", type=int, default=200_000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--mongo", action="store_true", help="kills: store in MongoDB instead of SQLite")
    parser.add_argument("--against", type=Path, help="versions: another checkout, with its own .venv")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, here = Path(name), Path(__file__).resolve().parent.parent
        if options.what == "kills":
            right = crawled(folder / "one", options.data, options.titles)
            found = killed(folder / "killed", options.data, options.titles, options.kills, options.mongo)
        else:
            filled(folder, options.data, options.titles)
            right = rebuilt(here, folder / "rebuilt", folder)
            if options.what == "crawled":
                found = crawled(folder / "crawled", options.data, options.titles)
            else:
                found = rebuilt(options.against, folder / "other", folder)
    sys.exit(min(1, compared(right, found, options.what)))


if __name__ == "__main__":
    main()
