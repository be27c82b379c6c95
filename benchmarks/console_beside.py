"""What a crawl loses while twenty people look at the console live: its CPU time a page, and its pages a second, alone and beside them.

Each of the twenty has a live stream open and loads a page every fifteen seconds, one page after the other. Crawls alone and crawls
beside the console take turns.

python -m benchmarks.console_beside [--web FOLDER] [--pages 1500] [--rounds 3]
python -m benchmarks.console_beside --file made.db [--people 50] [--seconds 60] [--pause 5]

The second one lets people read a made store with its search index (`benchmarks.console --search --file made.db`) without a crawl: each asks
for a page, reads for some seconds and asks for the next one, every third time a search. It prints how long answers took.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, cycle
from pathlib import Path
from statistics import median
from urllib.parse import quote

from console.pages import PAGES
from testbed.console_server import console_process
from testbed.served_web import REPOSITORY, add_arguments, crawl_command, run_measured, served, unpacked

_PEOPLE = 20
_READS_SECONDS = 15.0
_PATHS = [page.path for page in PAGES if "{" not in page.path and page.path != "/sites/source"]
_SEARCHES = (
    "成都 首付",
    "房贷 -利率",
    "限购 OR 土地",
    "公积金 -site:www.site007.example",
    "二手房 language:zh",
    "没有的词语",
)


@dataclass(slots=True)
class Lookers:
    """People with a browser and an address each: `events` and `waits` are what they were shown, and the seconds that answers took."""

    port: int
    paths: Sequence[str] = tuple(_PATHS)
    people: int = _PEOPLE
    pause: float = _READS_SECONDS
    events: int = 0
    waits: list[tuple[float, str]] = field(default_factory=list)
    _is_over: threading.Event = field(default_factory=threading.Event)

    def end(self) -> None:
        self._is_over.set()

    def run(self) -> None:
        asyncio.run(self._all())

    async def _all(self) -> None:
        tasks = [asyncio.create_task(each) for n in range(self.people) for each in (self._watch(n), self._read(n))]
        while not self._is_over.is_set():
            await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self, person: int) -> None:
        reader, _ = await self._ask(person, "/live")
        while line := await reader.readline():
            self.events += line.startswith(b"event:")

    async def _read(self, person: int) -> None:
        await asyncio.sleep(self.pause * person / self.people)
        for number in range(person, sys.maxsize):
            began, path = time.monotonic(), self.paths[number % len(self.paths)]
            reader, writer = await self._ask(person, path)
            answer = await reader.read()
            writer.close()
            if not answer.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"{path}: {answer[:100]!r}")
            self.waits.append((time.monotonic() - began, path))
            await asyncio.sleep(self.pause)

    async def _ask(self, person: int, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        own = (f"127.0.0.{2 + person}", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=own)
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
    parser.add_argument("--file", type=Path, help="a made store that people read, without a crawl")
    parser.add_argument("--people", type=int, default=50, help="who read it (default: 50)")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--pause", type=float, default=5.0, help="seconds for which a page is read (default: 5)")
    options = parser.parse_args()
    if options.file:
        read_together(options)
        return
    with tempfile.TemporaryDirectory() as work:
        options.web = unpacked(options, Path(work))
        found: dict[str, list[tuple[float, float]]] = {"alone": [], "beside": []}
        for number in range(options.rounds):
            for kind in ("alone", "beside") if number % 2 == 0 else ("beside", "alone"):
                found[kind].append(_crawled(options, Path(work) / f"{kind}{number}", kind == "beside"))
    for place, name in enumerate(("CPU time of the crawl a page", "pages a second")):
        alone, beside = (median(run[place] for run in found[kind]) for kind in ("alone", "beside"))
        print(f"{name}: beside twenty lookers {beside / alone:.3f} times what it is alone")


def read_together(options: argparse.Namespace) -> None:
    """What people wait for answers from a store, and the CPU time of the console."""
    searches = [f"/articles?q={quote(query)}" for query in _SEARCHES]
    paths = list(chain.from_iterable(zip(_PATHS[::2], _PATHS[1::2], cycle(searches), strict=False)))
    with (
        tempfile.TemporaryDirectory() as work,
        console_process(f"sqlite:///{options.file}", Path(work)) as (port, process),
    ):
        lookers = Lookers(port, paths, options.people, options.pause)
        thread = threading.Thread(target=lookers.run)
        began = _cpu_seconds(process.pid)
        thread.start()
        time.sleep(options.seconds)
        lookers.end()
        thread.join()
        spent = _cpu_seconds(process.pid) - began
    for name, waits in (("pages", lookers.waits), ("searches", [each for each in lookers.waits if "?q=" in each[1]])):
        took = sorted(waits)
        at = [took[min(len(took) - 1, int(len(took) * share))][0] for share in (0.5, 0.95, 1.0)]
        print(
            f"{len(took)} {name}: middle {at[0]:.2f} s, 95 % below {at[1]:.2f} s, slowest {at[2]:.2f} s ({took[-1][1][:40]})"
        )
    print(f"{spent:.1f} s of CPU in {options.seconds:.0f} s for {options.people} people")


def _cpu_seconds(process: int) -> float:
    """Of a process under Linux."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _crawled(options: argparse.Namespace, folder: Path, is_looked_at: bool) -> tuple[float, float]:
    """Milliseconds of CPU a page, and pages a second, of one crawl."""
    folder.mkdir()
    with served(options, folder) as web:
        command = [*crawl_command(folder, web.seeds("all")), "-a", f"max_pages={options.pages}"]
        if is_looked_at:
            with looked_at(f"sqlite:///{folder / 'crawl.db'}", folder) as lookers:
                run = run_measured(command, folder, web.address, folder / "crawl.log", REPOSITORY)
            shown = f"; {lookers.events} events and {len(lookers.waits)} pages shown, the slowest in {max(lookers.waits)[0]:.1f} s"
        else:
            run, shown = run_measured(command, folder, web.address, folder / "crawl.log", REPOSITORY), ""
        pages = max(1, len(set(web.fetched())))
    own, rate = 1000 * run.cpu / pages, pages / run.wall
    print(f"{folder.name}: {pages} pages, {own:.2f} ms CPU a page, {rate:.1f} pages a second{shown}", flush=True)
    return own, rate


if __name__ == "__main__":
    main()
