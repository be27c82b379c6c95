"""kill -9 of the database server at 35 % of a crawl: what is lost, what is fetched twice.

python -m benchmarks.store_kill                 pages wait for the server
python -m benchmarks.store_kill --wait 0.5      the store loses patience at once, and pages are given back

A site of its own on loopback, the `site` spider as users start it, the embedded frontier, a MongoDB server as tests find it.
"""

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.nodes import table
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES
from testbed.crawling import Crawl
from testbed.hostile.server import Connection, HostileWeb
from testbed.servers import mongo_server, wait_until

_TEXT = "<p>这是一篇关于城市交通的报道，记者走访了多个路口，了解早晚高峰的情况，并采访了市民。</p>" * 12


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--away", type=float, default=5.0, help="seconds until the server is back (default: 5)")
    parser.add_argument("--wait", type=float, default=120.0, help="STORE_MAX_WAIT of the crawl (default: 120)")
    options = parser.parse_args()
    rows = []
    for run in range(1, options.runs + 1):
        with tempfile.TemporaryDirectory() as work:
            rows.append([run, *_run(options, Path(work))])
    table(["run", "pages", "not stored", "rows twice", "fetched twice", "given up", "seconds"], rows)


def _run(options: argparse.Namespace, folder: Path) -> list[object]:
    server = mongo_server(folder / "mongo").start()
    address = f"{server.address}crawl?serverSelectionTimeoutMS=500&connectTimeoutMS=500"
    settings = {
        "STORE": address,
        "STORE_MAX_WAIT": options.wait,
        "ALLOW_PRIVATE_ADDRESSES": True,
        "FRONTIER_HOST_DELAY": 0.0,
        "FRONTIER_HOST_CONCURRENCY": 16,
    }
    try:
        with HostileWeb({"127.0.0.1": lambda connection: _answer(connection, options.pages)}) as web:
            crawl = Crawl(folder / "crawl", [f"http://127.0.0.1:{web.port}/"], settings=settings)
            process = crawl.start()
            store = open_store(address)
            wait_until(lambda: store.count(PAGES) > 0.35 * options.pages, "a third of the crawl", 300)
            server.kill()
            time.sleep(options.away)
            server.start()
            crawl.wait(process, 600)
            urls = [str(row["url"]) for row in store.select(PAGES, columns=["url"])]
            store.close()
            asked = Counter(seen.path for seen in web.asked("127.0.0.1"))
    finally:
        server.stop()
    twice = sum(times > 1 for path, times in asked.items() if path.endswith(".html"))
    lost, copies = options.pages - len(set(urls)), len(urls) - len(set(urls))
    return [options.pages, lost, copies, twice, crawl.log.count("Given up"), f"{crawl.seconds:.0f}"]


def _answer(connection: Connection, pages: int) -> None:
    """Page n links to five further ones, and to the home page."""
    name = connection.path.strip("/").removesuffix(".html") or "0"
    if not name.isdigit():
        connection.answer("not here", 404)
        return
    number = int(name)
    links = "".join(f'<a href="/{n}.html">第{n}篇</a>' for n in range(5 * number + 1, min(5 * number + 6, pages)))
    title = f"第{number}篇报道"
    page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{_TEXT}<a href='/'>首页</a>{links}</body></html>"
    connection.answer(page, Content_Type="text/html; charset=utf-8")


if __name__ == "__main__":
    main()
