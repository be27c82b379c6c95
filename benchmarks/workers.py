"""What processes that read pages bring: `python -m benchmarks.workers [speed cores lag]`.

speed   a crawl of the served web without and with them, in turn: CPU of each process for a page, pages a second
cores   pages a second of one process on one simulated core, and with workers on --cores of them (see `simulated_cores`), in turn;
        the server is outside
lag     by how much the crawl's event loop is late while it crawls pages of five megabytes

The CPU of a process is its own account in /proc from the first quarter of the pages to the last, so that no start is
in it, and none of the server's. Speed on a machine of its own follows from it: the busiest process, or all of them
together over the cores, is what limits a crawl.
"""

import argparse
import asyncio
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from scrapy import signals
from scrapy.crawler import Crawler

from benchmarks.processes import use_of_family
from benchmarks.simulated_cores import SimulatedCores, first_served, simulated_cores
from testbed.served_web import REPOSITORY, ServedWeb, add_arguments, crawl_command, served

_TICK = 0.005
_LARGE = 5_000_000


@dataclass(slots=True)
class Sample:
    """Pages that were fetched so far, CPU seconds and resident bytes of the crawl and of its readers."""

    when: float
    pages: int
    cpu: dict[int, float] = field(default_factory=dict)
    resident: dict[int, int] = field(default_factory=dict)


def _look(pid: int, log: Path) -> Sample:
    with log.open("rb") as lines:
        sample = Sample(time.monotonic(), sum(1 for _ in lines))
    for number, use in use_of_family(pid).items():
        sample.cpu[0 if number == pid else number] = use.cpu
        sample.resident[0 if number == pid else number] = use.resident
    return sample


def _environment(proxy: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")} | {
        "http_proxy": proxy
    }


def _crawl(web: ServedWeb, folder: Path, workers: int, pages: int, cores: SimulatedCores | None = None) -> list[Sample]:
    command = [
        *crawl_command(folder, web.seeds("zh")),
        "-a",
        f"max_pages={pages}",
        "-a",
        f"workers={workers}",
    ]
    samples = []
    with (folder / "crawl.log").open("wb") as output:
        process = subprocess.Popen(command, cwd=REPOSITORY, env=_environment(web.address), stdout=output, stderr=output)
        while process.poll() is None:
            samples.append(sample := _look(process.pid, web.log))
            for pid in sample.cpu if cores else ():
                cores.add(pid or process.pid)
            time.sleep(0.2)
        if cores:
            print(
                f"limited in {cores.throttled(process.pid):.0%} of the periods, all together in {cores.all_throttled():.0%}"
            )
    return samples


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds of CPU a page in the crawl's process and in its readers, pages a second, resident megabytes of all."""

    crawl: float
    readers: float
    speed: float
    memory: float


def _spent(samples: list[Sample]) -> Spent:
    end = max(samples, key=lambda sample: (sample.pages, sum(sample.cpu.values())))
    begin = next(sample for sample in samples if sample.pages >= end.pages / 4)
    pages = max(1, end.pages - begin.pages)
    cpu = {number: seconds - begin.cpu.get(number, 0.0) for number, seconds in end.cpu.items()}
    own = cpu.pop(0)
    memory = max(sum(sample.resident.values()) for sample in samples)
    speed = pages / (end.when - begin.when)
    return Spent(1000 * own / pages, 1000 * sum(cpu.values()) / pages, speed, memory / 1e6)


def speed(options: argparse.Namespace, work: Path) -> None:
    """Medians of the rounds, and what follows for cores that do nothing else."""
    found: dict[int, list[Spent]] = {0: [], options.workers: []}
    for number in range(options.rounds):
        for workers, runs in found.items():
            with served(options, work) as web:
                runs.append(_spent(_crawl(web, work / f"crawl-{workers}-{number}", workers, options.pages)))
    middle = {
        workers: Spent(*np.median([[s.crawl, s.readers, s.speed, s.memory] for s in runs], axis=0).tolist())
        for workers, runs in found.items()
    }
    print(f"{'workers':>8}{'crawl ms/page':>15}{'readers ms/page':>17}{'pages/s':>9}{'MB':>6}")
    for workers, spent in middle.items():
        print(f"{workers:>8}{spent.crawl:>15.2f}{spent.readers:>17.2f}{spent.speed:>9.1f}{spent.memory:>6.0f}")
    alone, helped = middle[0], middle[options.workers]
    whole = helped.crawl + helped.readers
    print(f"more CPU in all: {whole / alone.crawl:.2f} times")
    for cores in (2, 4):
        limit = max(helped.crawl, whole / cores, helped.readers / min(options.workers, cores))
        print(f"pages a second on {cores} free cores: {alone.crawl / limit:.2f} times those of one process")
    print(f"pages a second here, where the server and others run too: {helped.speed / alone.speed:.2f} times")


def cores(options: argparse.Namespace, work: Path) -> None:
    """Each round, and medians of the rounds."""
    found: dict[int, list[float]] = {0: [], options.workers: []}
    for number in range(options.rounds):
        for workers, runs in found.items():
            with (
                served(options, work) as web,
                first_served(web.process),
                simulated_cores(options.cores if workers else 1, options.share) as simulated,
            ):
                folder = work / f"cores-{workers}-{number}"
                spent = _spent(_crawl(web, folder, workers, options.pages, simulated))
                runs.append(spent.speed)
                print(f"{workers} workers: {spent}", flush=True)
    alone, helped = (float(np.median(runs)) for runs in found.values())
    print(f"pages a second: {alone:.1f} alone on one core, {helped:.1f} on {options.cores}: {helped / alone:.2f} times")


class LoopLag:
    """An extension of the measured crawl: how late the event loop comes to each of its ticks; written to the file that LAG_FILE of
    the environment names."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._late: list[float] = []
        self._at_last_page = 0
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """From the first page to the last, so that start and end are not in it."""
        lag = cls(os.environ["LAG_FILE"])
        crawler.signals.connect(lag._note_page, signals.item_scraped)
        crawler.signals.connect(lag._end, signals.spider_closed)
        return lag

    def _note_page(self) -> None:
        self._at_last_page = len(self._late)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._tick())

    async def _tick(self) -> None:
        """A tick that the loop slept through counts as late too, so that one long stop is many late ticks."""
        due = time.monotonic()
        while True:
            due += _TICK
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            now = time.monotonic()
            while due <= now:
                self._late.append(now - due)
                due += _TICK
            due -= _TICK

    def _end(self) -> None:
        if self._task is not None:
            self._task.cancel()
        Path(self._path).write_text("\n".join(map(str, self._late[: self._at_last_page])))


def large_page(number: int, size: int) -> bytes:
    """A thread with the given bytes of posts, which leads to the next two pages."""
    links = "".join(f'<a href="/thread-{2 * number + step}-1-1.html">帖子{2 * number + step}</a>' for step in (1, 2))
    post = (
        '<div class="post" id="p{0}"><b class="author">网友{0}</b><em>2026-11-{1:02} 10:2{2}</em>'
        '<div class="text">{3}</div></div>'
    )
    text = "今年的雨水比往年都多，田里的稻子却长得很好，大家都说是个好年成。" * 4
    one = len(post.format(10_000, 10, 1, text).encode())
    posts = "".join(post.format(at, at % 28 + 1, at % 10, text) for at in range(size // one))
    return f"<!doctype html><meta charset=utf-8><title>帖子{number}</title><h1>帖子{number}</h1>{links}{posts}".encode()


@contextmanager
def _large_web(pages: int) -> Iterator[str]:
    """A proxy that serves them, in a thread of this process."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := (await reader.readline()).split():
            while (await reader.readline()).strip():
                pass
            name = head[1].decode().rsplit("/", 1)[1]
            number = int(name.split("-")[1]) if name.startswith("thread-") else (0 if not name else pages)
            body = large_page(number, _LARGE) if number < pages else b""
            status = "200 OK" if body else "404 Not Found"
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            )
            writer.write(body)
            await writer.drain()
        writer.close()

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server: Any = asyncio.run_coroutine_threadsafe(asyncio.start_server(answer, "127.0.0.1", 0), loop).result()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def lag(options: argparse.Namespace, work: Path) -> None:
    """Percentiles of how late the event loop comes."""
    print(f"{'workers':>8}{'p50 ms':>9}{'p99 ms':>9}{'most ms':>9}")
    for workers in (0, options.workers):
        folder = work / f"lag-{workers}"
        with _large_web(options.large_pages) as proxy:
            command = crawl_command(
                folder,
                ["http://large.example/"],
                EXTENSIONS='{"benchmarks.workers.LoopLag": 1}',
            )
            command += ["-a", f"workers={workers}"]
            environment = _environment(proxy) | {"LAG_FILE": str(folder / "lag.txt")}
            with (folder / "crawl.log").open("wb") as output:
                subprocess.run(command, cwd=REPOSITORY, env=environment, stdout=output, stderr=output)
        late = 1000 * np.array((folder / "lag.txt").read_text().split(), dtype=np.float64)
        print(
            f"{workers:>8}{np.percentile(late, 50):>9.1f}{np.percentile(late, 99):>9.1f}{late.max():>9.0f}", flush=True
        )


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["speed", "lag"], help="speed, cores, lag")
    add_arguments(parser)
    parser.add_argument("--workers", type=int, default=2, help="processes that read pages")
    parser.add_argument("--pages", type=int, default=1_500, help="of each crawl of the served web")
    parser.add_argument("--rounds", type=int, default=3, help="crawls of each kind")
    parser.add_argument("--cores", type=int, default=2, help="simulated cores of a crawl with workers")
    parser.add_argument("--share", type=float, default=0.4, help="of a real core that a simulated one has")
    parser.add_argument("--large-pages", type=int, default=20, help="pages of five megabytes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        for name in options.what:
            {"speed": speed, "cores": cores, "lag": lag}[name](options, Path(work))


if __name__ == "__main__":
    main()
