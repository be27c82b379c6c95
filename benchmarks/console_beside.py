"""What a crawl loses while twenty people look at the console live: its CPU time a page, and its pages a second, alone and beside them.

Each of the twenty has a live stream open and loads a page every fifteen seconds, one page after the other. Crawls alone and crawls
beside the console take turns.

python -m benchmarks.console_beside [--web FOLDER] [--pages 1500] [--rounds 3]
"""

import argparse
import asyncio
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from console.pages import PAGES
from testbed.console_server import console_process
from testbed.served_web import REPOSITORY, add_arguments, crawl_command, run_measured, served, unpacked

_PEOPLE = 20
_READS_SECONDS = 15.0
_PATHS = [page.path for page in PAGES if "{" not in page.path]


@dataclass(slots=True)
class Lookers:
    """People with a browser each: `events` and `answers` count what they were shown."""

    port: int
    events: int = 0
    answers: int = 0
    slowest: float = 0.0
    _is_over: threading.Event = field(default_factory=threading.Event)

    def end(self) -> None:
        self._is_over.set()

    def run(self) -> None:
        asyncio.run(self._all())

    async def _all(self) -> None:
        tasks = [asyncio.create_task(each) for n in range(_PEOPLE) for each in (self._watch(), self._read(n))]
        while not self._is_over.is_set():
            await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self) -> None:
        reader, _ = await self._ask("/live")
        while line := await reader.readline():
            self.events += line.startswith(b"event:")

    async def _read(self, person: int) -> None:
        await asyncio.sleep(_READS_SECONDS * person / _PEOPLE)
        for number in range(person, sys.maxsize):
            began = time.monotonic()
            reader, writer = await self._ask(_PATHS[number % len(_PATHS)])
            answer = await reader.read()
            writer.close()
            if not answer.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"{_PATHS[number % len(_PATHS)]}: {answer[:100]!r}")
            self.answers, self.slowest = self.answers + 1, max(self.slowest, time.monotonic() - began)
            await asyncio.sleep(_READS_SECONDS)

    async def _ask(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n".encode())
        return reader, writer


@contextmanager
def looked_at(store: str, folder: Path) -> Iterator[Lookers]:
    """A console on this store with its twenty lookers."""
    with console_process(store, folder) as (port, _):
        lookers = Lookers(port)
        thread = threading.Thread(target=lookers.run)
        thread.start()
        yield lookers
        lookers.end()
        thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--pages", type=int, default=1_500, help="pages of each crawl (default: 1500)")
    parser.add_argument("--rounds", type=int, default=3, help="crawls of each kind (default: 3)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        options.web = unpacked(options, Path(work))
        found: dict[str, list[tuple[float, float]]] = {"alone": [], "beside": []}
        for number in range(options.rounds):
            for kind in ("alone", "beside") if number % 2 == 0 else ("beside", "alone"):
                found[kind].append(_crawled(options, Path(work) / f"{kind}{number}", kind == "beside"))
    for place, name in enumerate(("CPU time of the crawl a page", "pages a second")):
        alone, beside = (median(run[place] for run in found[kind]) for kind in ("alone", "beside"))
        print(f"{name}: beside twenty lookers {beside / alone:.3f} times what it is alone")


def _crawled(options: argparse.Namespace, folder: Path, is_looked_at: bool) -> tuple[float, float]:
    """Milliseconds of CPU a page, and pages a second, of one crawl."""
    folder.mkdir()
    with served(options, folder) as web:
        command = [*crawl_command(folder, web.seeds("all")), "-a", f"max_pages={options.pages}"]
        if is_looked_at:
            with looked_at(f"sqlite:///{folder / 'crawl.db'}", folder) as lookers:
                run = run_measured(command, folder, web.address, folder / "crawl.log", REPOSITORY)
            shown = (
                f"; {lookers.events} events and {lookers.answers} pages shown, the slowest in {lookers.slowest:.1f} s"
            )
        else:
            run, shown = run_measured(command, folder, web.address, folder / "crawl.log", REPOSITORY), ""
        pages = max(1, len(set(web.fetched())))
    own, rate = 1000 * run.cpu / pages, pages / run.wall
    print(f"{folder.name}: {pages} pages, {own:.2f} ms CPU a page, {rate:.1f} pages a second{shown}", flush=True)
    return own, rate


if __name__ == "__main__":
    main()
