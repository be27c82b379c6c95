"""News pages of the data sets under their hosts, crawled and analysed: what events come out of real pages.

python -m benchmarks.news_web --store sqlite:///news.db; scrapy analysis events -s STORE=sqlite:///news.db
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from testbed.served_web import REPOSITORY, crawl_command, run_measured

SETS = ("zh-news", "zh-gb", "zh-daniel", "zh-cleaneval", "twnews", "fundus", "aeb")


def news_pages(shared: Path, sets: tuple[str, ...] = SETS) -> Iterator[tuple[str, bytes]]:
    """Each page's address, of its own host where that is known, and its bytes."""
    for name in sets:
        folder = shared / "data" / "articles" / name
        with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                page = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
                yield _address(row, name), page


def _address(row: dict[str, Any], name: str) -> str:
    """An http one, since the proxy reads what it is asked."""
    if row.get("url"):
        parts = urlsplit(row["url"])
        return f"http://{parts.netloc}{quote(parts.path or '/', safe='/%')}{f'?{parts.query}' if parts.query else ''}"
    return f"http://{row.get('site') or f'{name}.example'}/{quote(row['id'])}.html"


@contextmanager
def proxy(pages: dict[str, bytes]) -> Iterator[str]:
    """An HTTP proxy that knows these pages only, and whose robots.txt forbids all others, so that no link is followed."""
    rules = dict[str, list[str]]()
    for url in pages:
        parts = urlsplit(url)
        rules.setdefault(f"http://{parts.netloc}/robots.txt", []).append(f"Allow: {url.split(parts.netloc, 1)[1]}$")
    known = pages | {
        url: "\n".join(("User-agent: *", *allowed, "Disallow: /")).encode() for url, allowed in rules.items()
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = known.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html")  # no charset: old servers say none
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *values: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def main() -> None:
    """Crawl the pages, no links, and analyse them."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    ask.add_argument("--store", required=True, metavar="ADDRESS", help="of an empty store")
    given = ask.parse_args()
    pages = dict(news_pages(given.shared))
    with tempfile.TemporaryDirectory() as name, proxy(pages) as address:
        folder = Path(name)
        command = crawl_command(folder, list(pages), STORE=given.store, SITE_MAX_DEPTH=1)
        run = run_measured(command, folder, address, folder / "log", REPOSITORY)
        print(f"{len(pages)} pages: {run.cpu:.0f} s CPU, exit code {run.exit_code}", flush=True)
    analysed = [sys.executable, "-m", "scrapy", "analysis", "run", "-s", f"STORE={given.store}"]
    subprocess.run(analysed, cwd=REPOSITORY, check=True)


if __name__ == "__main__":
    main()
