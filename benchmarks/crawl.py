"""A whole crawl of real sites: completeness, CPU a page beside stock Scrapy, memory over time.

python -m benchmarks.crawl              Chinese sites
python -m benchmarks.crawl --rounds 3   three crawls of each kind in turn; least CPU a page, median of the ratios
python -m benchmarks.crawl --together   ours and stock Scrapy at the same time, one core each: a busy machine slows both
python -m benchmarks.crawl --part all   all sites of the served web
"""

import argparse
import os
import sqlite3
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from testbed.served_web import (
    REPOSITORY,
    Measured,
    ServedWeb,
    add_arguments,
    crawl_command,
    run_measured,
    served,
    unpacked,
)

_PEER, _SPINE, _WHOLE = "stock Scrapy", "topicrawl", "with records, titles"
_WITHOUT: dict[str, object] = {"TITLES_ENABLED": False, "DISCUSSION_ENABLED": False}
"""What is compared with stock Scrapy first: fetch, parse, article, links, store."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--part", default="zh", choices=("zh", "en", "all"), help="whose home pages are the seeds")
    parser.add_argument("--work", type=Path, help="folder for data and logs (default: a temporary one)")
    parser.add_argument(
        "--rounds", type=int, default=1, help="crawls of each kind, in turn; least CPU a page, median of the ratios"
    )
    parser.add_argument("--together", action="store_true", help="ours and stock Scrapy at the same time, one core each")
    parser.add_argument("--without-whole", action="store_true", help="leave out the crawl with records and titles")
    parser.add_argument("--without-peer", action="store_true", help="only our crawl")
    options = parser.parse_args()
    if options.together and options.without_peer:
        parser.error("--together needs the peer; leave out --without-peer")
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        _measure(options, options.work)
    else:
        with tempfile.TemporaryDirectory() as work:
            _measure(options, Path(work))


def _measure(options: argparse.Namespace, work: Path) -> None:
    options.web = unpacked(options, work)
    runs, ratios = dict[str, list[_Run]](), dict[str, list[float]]()
    for number in range(options.rounds):
        made, beside = (_together if options.together else _in_turn)(options, work, number)
        for kind, run in made.items():
            runs.setdefault(kind, []).append(run)
        for kind, ratio in beside.items():
            ratios.setdefault(kind, []).append(ratio)
        parts = [
            f"{kind} {run.cpu:.2f} ms" + (f" ({beside[kind]:.2f})" if kind in beside else "")
            for kind, run in made.items()
        ]
        print(f"round {number + 1}:", ", ".join(parts), flush=True)
    _print_results({kind: min(each, key=lambda run: run.cpu) for kind, each in runs.items()}, ratios)


def _print_results(best: dict[str, "_Run"], ratios: dict[str, list[float]]) -> None:
    print(f"{'':24}{'fetches':>9}{'pages':>8}{'CPU ms/page':>13}{'beside':>8}{'wall s':>8}{'peak MB':>9}")
    for kind, run in best.items():
        _line(kind, run, f"{median(ratios[kind]):.2f}" if kind in ratios else "")
    if _PEER in best:
        _completeness(set(best[_PEER].fetched), set(best[_SPINE].fetched))
    _memory(best[_SPINE].measured)
    _stored(best[_SPINE])


def _ours_wanted(options: argparse.Namespace) -> list[str]:
    return [_SPINE] if options.without_whole else [_SPINE, _WHOLE]


def _in_turn(options: argparse.Namespace, work: Path, number: int) -> tuple[dict[str, "_Run"], dict[str, float]]:
    """One crawl of each kind, one after the other; of ours the ratio to the peer."""
    kinds = [*([] if options.without_peer else [_PEER]), *_ours_wanted(options)]
    made = {kind: _crawled(options, _folder(work, kind, number), kind) for kind in kinds}
    peer = made.get(_PEER)
    return made, {kind: made[kind].cpu / peer.cpu for kind in _ours_wanted(options)} if peer else {}


def _together(options: argparse.Namespace, work: Path, number: int) -> tuple[dict[str, "_Run"], dict[str, float]]:
    """Each kind of ours beside the peer at the same time, each with its server on one core; the cores change places by round."""
    made, ratios = dict[str, _Run](), dict[str, float]()
    cores = sorted(os.sched_getaffinity(0))[:2]
    first, second = cores if number % 2 else cores[::-1]
    for kind in _ours_wanted(options):
        folder = _folder(work, kind, number)
        with ThreadPoolExecutor(2) as threads:
            peer = threads.submit(_crawled, options, folder / "peer", _PEER, first)
            own = threads.submit(_crawled, options, folder / "own", kind, second)
        made |= {_PEER: peer.result(), kind: own.result()}
        ratios[kind] = own.result().cpu / peer.result().cpu
    return made, ratios


def _folder(work: Path, kind: str, number: int) -> Path:
    """A new one, also where `--work` holds those of an earlier run."""
    return work / f"{kind.split()[0]}-{number}-{os.getpid()}"


def _crawled(options: argparse.Namespace, folder: Path, kind: str, core: int | None = None) -> "_Run":
    if core is not None:
        os.sched_setaffinity(0, {core})  # of this thread, and of the processes that it starts
    folder.mkdir(parents=True, exist_ok=True)
    with served(options, folder) as web:
        if kind == _PEER:
            measured = _stock(web, folder, options.part)
        else:
            measured = _ours(web, folder, options.part, _WITHOUT if kind == _SPINE else {})
        return _Run(measured, web.fetched(), folder)


@dataclass(frozen=True, slots=True)
class _Run:
    """A crawl, what it fetched, and the folder of its data."""

    measured: Measured
    fetched: list[str]
    folder: Path

    @property
    def cpu(self) -> float:
        """Milliseconds a page."""
        return 1000 * self.measured.cpu / max(1, len(self.fetched))


def _stock(web: ServedWeb, folder: Path, part: str) -> Measured:
    folder.mkdir(parents=True, exist_ok=True)
    seeds = folder / "seeds.txt"
    seeds.write_text("\n".join(web.seeds(part)), encoding="utf-8")
    spider = Path(__file__).with_name("stock_spider.py")
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-a", f"seeds={seeds}"]
    command += ["-s", "ROBOTSTXT_OBEY=True", "-s", "LOG_LEVEL=WARNING"]
    return run_measured(command, folder, web.address, folder / "crawl.log", folder)


def _ours(web: ServedWeb, folder: Path, part: str, settings: dict[str, object]) -> Measured:
    command = crawl_command(folder, web.seeds(part), **settings)
    return run_measured(command, folder, web.address, folder / "crawl.log", REPOSITORY)


def _line(kind: str, run: _Run, ratio: str) -> None:
    print(
        f"{kind:24}{len(run.fetched):9}{len(set(run.fetched)):8}{run.cpu:13.2f}{ratio:>8}"
        f"{run.measured.wall:8.0f}{run.measured.peak / 1e6:9.0f}"
    )


def _completeness(reachable: set[str], found: set[str]) -> None:
    share = len(found & reachable) / max(1, len(reachable))
    print(f"completeness: {len(found & reachable)} of {len(reachable)} = {share:.2%}")
    print(f"found besides: {len(found - reachable)}")
    for url in sorted(reachable - found)[:20]:
        print(f"  not fetched: {url}")


def _memory(run: Measured) -> None:
    marks = [run.memory[int(share * (len(run.memory) - 1))] for share in (0.25, 0.5, 0.75, 1)]
    print("memory at 25, 50, 75, 100 % of the time (MB):", ", ".join(f"{resident / 1e6:.0f}" for _, resident in marks))


def _stored(run: _Run) -> None:
    database = sqlite3.connect(run.folder / "crawl.db")
    pages, keys = database.execute("select count(*), count(distinct key) from pages").fetchone()
    articles = database.execute("select count(*) from pages where confidence >= 0.5").fetchone()[0]
    states = dict(database.execute("select state, count(*) from urls group by state"))
    database.close()
    log = (run.folder / "crawl.log").read_text(encoding="utf-8", errors="replace")
    errors = sum(" ERROR: " in line or " CRITICAL: " in line or "Traceback" in line for line in log.splitlines())
    repeated = len(run.fetched) - len(set(run.fetched))
    print(f"stored: {pages} pages under {keys} keys, {articles} of them articles; states: {states}")
    print(f"fetched more than once: {repeated}; lines of error in the log: {errors}")


if __name__ == "__main__":
    main()
