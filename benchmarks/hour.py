"""A long crawl of made pages through `workers`: is any page lost, is any fetched twice, does memory stay as it is?

python -m benchmarks.hour --pages 1000000                  to the last page, however long it takes
python -m benchmarks.hour --pages 1000000 --minutes 50     stopped in order after that time, as by Ctrl-C
python -m benchmarks.hour --pages 20000                    the same, shorter
python -m benchmarks.hour --picture memory.png             memory and speed over time drawn into a file, too (needs matplotlib)

The server is a process of its own on loopback, and counts what it is asked for. A line a minute says how far it is. Ctrl-C ends it
early; what was fetched until then is judged in the same way. Lost are pages that were fetched and not stored, and pages that a stored
page leads to and that are neither stored nor in the queue.
"""

import argparse
import os
import re
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.made_web import Links, asked_for, served
from benchmarks.processes import use_of, use_of_family
from crawler.frontier.requests import stored_url
from testbed.served_web import REPOSITORY, crawl_command

_PAGE = re.compile(r"http://h\d+\.example/p/(\d+)\.html")
_QUEUED = """SELECT payload, h.name FROM (SELECT host, payload FROM requests UNION ALL SELECT host, payload FROM failed) r
JOIN hosts h ON h.id = r.host"""
_SECONDS = 2.0
_LINE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Sample:
    """Seconds since the start, pages that were asked for; CPU seconds and resident bytes of the crawl, its workers, the server."""

    when: float
    pages: int
    cpu: tuple[float, float, float]
    resident: tuple[int, int]


@dataclass(slots=True)
class Run:
    """The processes of one crawl and its web."""

    crawl: "subprocess.Popen[bytes]"
    server: int
    port: int

    def sample(self, began: float) -> Sample | None:
        """None once the crawl has ended."""
        family, server = use_of_family(self.crawl.pid), use_of(self.server)
        if self.crawl.poll() is not None or self.crawl.pid not in family or server is None:
            return None
        own = family.pop(self.crawl.pid)
        return Sample(
            time.monotonic() - began,
            asked_for(self.port)["asked"],
            (own.cpu, sum(use.cpu for use in family.values()), server.cpu),
            (own.resident, sum(use.resident for use in family.values())),
        )

    def samples(self, seconds: float) -> Iterator[Sample]:
        """Until the crawl ends; after `seconds`, or with Ctrl-C, it is stopped."""
        began, stopped = time.monotonic(), False
        while (sample := self.sample(began)) is not None:
            yield sample
            if sample.when > seconds and not stopped:
                stopped = True
                self.crawl.send_signal(signal.SIGINT)
            try:
                time.sleep(_SECONDS)
            except KeyboardInterrupt:
                seconds = 0.0
        self.crawl.wait()


def _spent(before: Sample, now: Sample) -> str:
    pages = max(1, now.pages - before.pages)
    crawl, workers, server = (1000 * (b - a) / pages for a, b in zip(before.cpu, now.cpu, strict=True))
    speed = (now.pages - before.pages) / max(now.when - before.when, 0.001)
    return (
        f"{speed:4.0f} pages a second; ms of CPU a page: {crawl:.1f} crawl, {workers:.1f} workers, {server:.2f} server; "
        f"MB: {now.resident[0] / 1e6:.0f} crawl, {now.resident[1] / 1e6:.0f} workers"
    )


def _watched(samples: Iterator[Sample]) -> list[Sample]:
    """All of them, a line a minute printed."""
    kept, shown = [], None
    for sample in samples:
        kept.append(sample)
        if shown is None:
            shown = sample
        elif sample.when - shown.when >= _LINE_SECONDS:
            print(f"{sample.when / 60:4.0f} min {sample.pages:9,} pages {_spent(shown, sample)}", flush=True)
            shown = sample
    return kept


def _numbers(urls: Iterator[str]) -> set[int]:
    return {int(found[1]) for url in urls if (found := _PAGE.fullmatch(url))}


def _judge(links: Links, asked: dict[str, int], work: Path) -> bool:
    """What became of the pages, printed; whether none is lost and none was fetched twice."""
    with closing(sqlite3.connect(work / "crawl.db")) as store:
        stored = _numbers(url for (url,) in store.execute("SELECT url FROM pages"))
    [path] = (work / "frontier").glob("*.db")
    with closing(sqlite3.connect(path)) as frontier:
        queued = _numbers(stored_url(*row) for row in frontier.execute(_QUEUED))
    known = set(range(links.hosts)).union(*map(links.children, stored))
    not_stored = asked["asked"] - len(stored)
    forgotten = len(known - stored - queued)
    print(f"fetched {asked['asked']:,}, stored {len(stored):,}, queued {len(queued):,}")
    print(f"lost: {max(0, not_stored):,} fetched and not stored, {forgotten:,} neither stored nor queued")
    print(f"fetched twice: {asked['twice']:,}")
    return not_stored <= 0 and not forgotten and not asked["twice"]


@contextmanager
def _crawling(command: list[str], port: int, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with log.open("wb") as output:
        crawl = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env=environment | {"http_proxy": f"http://127.0.0.1:{port}"},
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C is for this program, which passes it on once
        )
    try:
        yield crawl
    finally:
        crawl.kill()
        crawl.wait()


def _measure(options: argparse.Namespace, work: Path) -> bool:
    links, log = Links(options.pages, min(options.hosts, options.pages)), work / "crawl.log"
    command = [*crawl_command(work, links.homes()), "-a", f"workers={options.workers}"]
    with served(links) as (server, port), _crawling(command, port, log) as crawl:
        samples = _watched(Run(crawl, server, port).samples(60 * options.minutes or float("inf")))
        asked = asked_for(port)
    if crawl.returncode not in (0, 4):
        raise SystemExit(f"the crawl ended with {crawl.returncode}; see {log}")
    print(f"{samples[-1].when:,.0f} s, exit code {crawl.returncode}: {_spent(samples[0], samples[-1])}")
    for tenth in range(1, 11):
        sample = samples[int(tenth / 10 * (len(samples) - 1))]
        crawled, workers = (resident / 1e6 for resident in sample.resident)
        print(f"{tenth * 10:4} % of the time {sample.pages:9,} pages {crawled:6.0f} MB crawl {workers:6.0f} MB workers")
    if options.picture:
        _draw(samples, options.picture)
    return _judge(links, asked, work)


def _draw(samples: list[Sample], picture: Path) -> None:
    """Resident memory, and pages a second, over the minutes of the crawl."""
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    minutes = [sample.when / 60 for sample in samples]
    for at, name in enumerate(("crawl", "all workers")):
        left.plot(minutes, [sample.resident[at] / 1e6 for sample in samples], label=name)
    left.set(xlabel="minutes", ylabel="MB resident", ylim=(0, None))
    left.legend()
    right.plot(minutes, [sample.pages / 1000 for sample in samples])
    right.set(xlabel="minutes", ylabel="thousand pages", ylim=(0, None))
    for axes in (left, right):
        axes.grid(visible=True, alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


def main() -> None:
    """Crawl, and print what became of the pages, and memory over time; exit code 1 if a page was lost or fetched twice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=0, help="stop after so long (default: at the last page)")
    parser.add_argument("--workers", type=int, default=2, help="processes that read pages")
    parser.add_argument("--picture", type=Path, help="draw memory and pages over time into this file")
    parser.add_argument("--work", type=Path, help="folder for data and logs (default: a temporary one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        raise SystemExit(not _measure(options, options.work or Path(work)))


if __name__ == "__main__":
    main()
