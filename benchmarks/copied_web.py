"""Memory of a long crawl: the served web several times under other host names, so that it has hundreds or thousands of hosts.

python -m benchmarks.copied_web --copies 7 --pages 50000      over 600 hosts
python -m benchmarks.copied_web --copies 110 --pages 10000    10,000 hosts in the queue

Of the host `a.example`, copy 3 is `c3-a.example`. Addresses of hosts of the web are changed in pages, so that each copy
links to itself; the rest of a page stays, titles too: the index of titles finds each page in every copy.
"""

import argparse
import asyncio
import json
import re
import sqlite3
import tempfile
import time
from collections import Counter
from contextlib import suppress
from multiprocessing import Process
from pathlib import Path
from urllib.parse import urlsplit

from testbed.served_web import REPOSITORY, add_arguments, crawl_command, free_port, run_measured, unpacked

_COPY = re.compile(r"c(\d+)-(.+)")
_ADDRESS = re.compile(rb"\bhttps?://([\w.:-]+)(?=[/\"'<> ?#])", re.IGNORECASE)


class CopiedWeb:
    """Answers as an HTTP proxy: every page of the web under each copy's name of its host.

    Args:
        root: the folder of the unpacked web.
        split: which part of it.
    """

    def __init__(self, root: Path, split: str) -> None:
        lines = (root / f"pages-{split}.jsonl").read_text(encoding="utf-8").splitlines()
        self._root = root
        self._files = {page["url"]: page["file"] for page in map(json.loads, lines)}
        self.hosts = sorted({urlsplit(url).netloc for url in self._files})
        self._names = {host.encode() for host in self.hosts}
        self.served = Counter[str]()

    def answer(self, url: str) -> tuple[int, str, bytes]:
        """Status, address of a redirect, and body."""
        parts = urlsplit(url)
        found = _COPY.fullmatch(parts.netloc)
        if found is None:
            return 502, "", b""
        query = f"?{parts.query}" if parts.query else ""
        original = f"http://{found[2]}{parts.path or '/'}"
        file = self._files.get(original + query) or self._files.get(original)
        if file is None:
            redirect = f"{original}/" in self._files
            return (301, f"http://{parts.netloc}{parts.path}/", b"") if redirect else (404, "", b"")
        self.served[url] += 1
        prefix = f"http://c{found[1]}-".encode()
        return 200, "", _ADDRESS.sub(lambda host: self._renamed(prefix, host), (self._root / file).read_bytes())

    def _renamed(self, prefix: bytes, address: re.Match[bytes]) -> bytes:
        return prefix + address[1] if address[1].lower() in self._names else address[0]

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin1")
                url = head.split(" ", 2)[1]
                if url.endswith("/__served"):
                    answer = 200, "", json.dumps([self.served.total(), len(self.served)]).encode()
                else:
                    answer = self.answer(url)
                writer.write(_message(*answer))
                await writer.drain()
        writer.close()

    async def serve(self, port: int) -> None:
        """Until the process ends."""
        server = await asyncio.start_server(self.handle, "127.0.0.1", port, limit=1 << 20)
        await server.serve_forever()


def _message(status: int, location: str, body: bytes) -> bytes:
    where = f"Location: {location}\r\n" if location else ""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n{where}\r\n"
    return head.encode("latin1", "replace") + body


def _serve(root: Path, split: str, port: int) -> None:
    asyncio.run(CopiedWeb(root, split).serve(port))


def _counts(port: int) -> list[int]:
    """How many answers there were, and for how many addresses."""
    from urllib.request import urlopen

    with urlopen(f"http://127.0.0.1:{port}/__served", timeout=30) as answer:
        return list(json.load(answer))


def _seeds(root: Path, options: argparse.Namespace) -> list[str]:
    hosts = CopiedWeb(root, options.split).hosts
    return [f"http://c{copy}-{host}/" for copy in range(options.copies) for host in hosts]


def main() -> None:
    """Crawls and prints memory over the crawl."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--copies", type=int, default=7)
    parser.add_argument("--pages", type=int, default=50_000, help="end after N pages")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--work", type=Path, help="folder for data and logs (default: a temporary one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        _measure(options, options.work or Path(work))


def _measure(options: argparse.Namespace, work: Path) -> None:
    root, port = unpacked(options, work), free_port()
    server = Process(target=_serve, args=(root, options.split, port), daemon=True)
    server.start()
    time.sleep(2)
    seeds = _seeds(root, options)
    command = [*crawl_command(work, seeds), "-a", f"max_pages={options.pages}", "-a", f"workers={options.workers}"]
    run = run_measured(command, work, f"http://127.0.0.1:{port}", work / "crawl.log", REPOSITORY)
    answers, addresses = _counts(port)
    server.terminate()
    print(f"{len(seeds):,} hosts, {answers:,} answers with a page, {addresses:,} addresses, exit code {run.exit_code}")
    print(f"{1000 * run.cpu / max(1, answers):.1f} ms of CPU a page, {run.wall:.0f} s")
    alive = [(at, resident) for at, resident in run.memory if resident]
    for share in range(1, 11):
        at, resident = alive[int(share / 10 * (len(alive) - 1))]
        print(f"{share * 10:4} % of the time, {at:6.0f} s: {resident / 1e6:6.0f} MB")
    print(f"at most {run.peak / 1e6:.0f} MB")
    database = sqlite3.connect(work / "crawl.db")
    for table in ("pages", "records", "urls"):
        print(f"{database.execute(f'select count(*) from {table}').fetchone()[0]:10,} rows of {table}")
    database.close()


if __name__ == "__main__":
    main()
