"""A whole crawl of real sites: completeness, CPU a page beside stock Scrapy, memory over time.

python -m benchmarks.crawl            Chinese sites
python -m benchmarks.crawl --part all all sites of the served web
"""

import argparse
import sqlite3
import sys
import tempfile
from pathlib import Path

from benchmarks.served_web import (
    REPOSITORY,
    Measured,
    ServedWeb,
    add_arguments,
    crawl_command,
    run_measured,
    served,
)

_SPINE = {"TITLES_ENABLED": False, "DISCUSSION_ENABLED": False}
"""What is compared with stock Scrapy: fetch, parse, article, links, store."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--part", default="zh", choices=("zh", "en", "all"), help="whose home pages are the seeds")
    parser.add_argument("--work", type=Path, help="folder for data and logs (default: a temporary one)")
    parser.add_argument(
        "--rounds", type=int, default=1, help="crawls of each kind; the one with least CPU a page counts"
    )
    parser.add_argument("--without-whole", action="store_true", help="leave out the crawl with records and titles")
    parser.add_argument("--without-peer", action="store_true", help="only our crawl")
    options = parser.parse_args()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        _measure(options, options.work)
    else:
        with tempfile.TemporaryDirectory() as work:
            _measure(options, Path(work))


def _measure(options: argparse.Namespace, work: Path) -> None:
    ours, stock = [], []
    for number in range(options.rounds):
        if not options.without_peer:
            with served(options, work) as web:
                stock.append((_stock(web, work / f"stock-{number}", options.part), web.fetched()))
        with served(options, work) as web:
            folder = work / f"ours-{number}-{web.address.rsplit(':', 1)[1]}"
            ours.append((_ours(web, folder, options.part, **_SPINE), web.fetched()))
    whole = None
    if not options.without_whole:
        with served(options, work) as web:
            whole = (_ours(web, work / "whole", options.part), web.fetched())
    best = min(ours, key=lambda run: run[0].cpu / max(1, len(run[1])))
    peer = min(stock, key=lambda run: run[0].cpu / max(1, len(run[1]))) if stock else None
    print(f"{'':24}{'fetches':>9}{'pages':>8}{'CPU ms/page':>13}{'wall s':>8}{'peak MB':>9}")
    if peer:
        _line("stock Scrapy", *peer)
    _line("topicrawl", *best)
    if whole:
        _line("with records, titles", *whole)
    if peer:
        reachable, found = set(peer[1]), set(best[1])
        print(f"CPU ratio: {_per_page(*best) / _per_page(*peer):.2f}")
        print(
            f"completeness: {len(found & reachable)} of {len(reachable)} = {len(found & reachable) / len(reachable):.2%}"
        )
        print(f"found besides: {len(found - reachable)}")
        for url in sorted(reachable - found)[:20]:
            print(f"  not fetched: {url}")
    _memory(best[0])
    _stored(folder, best[1])


def _stock(web: ServedWeb, folder: Path, part: str) -> Measured:
    folder.mkdir(parents=True, exist_ok=True)
    seeds = folder / "seeds.txt"
    seeds.write_text("\n".join(web.seeds(part)), encoding="utf-8")
    spider = Path(__file__).with_name("stock_spider.py")
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-a", f"seeds={seeds}"]
    command += ["-s", "ROBOTSTXT_OBEY=True", "-s", "LOG_LEVEL=WARNING"]
    return run_measured(command, folder, web.address, folder / "crawl.log", folder)


def _ours(web: ServedWeb, folder: Path, part: str, **settings: object) -> Measured:
    command = crawl_command(folder, web.seeds(part), **settings)
    return run_measured(command, folder, web.address, folder / "crawl.log", REPOSITORY)


def _per_page(run: Measured, fetched: list[str]) -> float:
    return 1000 * run.cpu / max(1, len(fetched))


def _line(name: str, run: Measured, fetched: list[str]) -> None:
    print(
        f"{name:24}{len(fetched):9}{len(set(fetched)):8}{_per_page(run, fetched):13.2f}"
        f"{run.wall:8.0f}{run.peak / 1e6:9.0f}"
    )


def _memory(run: Measured) -> None:
    marks = [run.memory[int(share * (len(run.memory) - 1))] for share in (0.25, 0.5, 0.75, 1)]
    print("memory at 25, 50, 75, 100 % of the time (MB):", ", ".join(f"{resident / 1e6:.0f}" for _, resident in marks))


def _stored(folder: Path, fetched: list[str]) -> None:
    database = sqlite3.connect(folder / "crawl.db")
    pages, keys = database.execute("select count(*), count(distinct key) from pages").fetchone()
    articles = database.execute("select count(*) from pages where confidence >= 0.5").fetchone()[0]
    states = dict(database.execute("select state, count(*) from urls group by state"))
    database.close()
    log = (folder / "crawl.log").read_text(encoding="utf-8", errors="replace")
    errors = sum(" ERROR: " in line or " CRITICAL: " in line or "Traceback" in line for line in log.splitlines())
    repeated = len(fetched) - len(set(fetched))
    print(f"stored: {pages} pages under {keys} keys, {articles} of them articles; states: {states}")
    print(f"fetched more than once: {repeated}; lines of error in the log: {errors}")


if __name__ == "__main__":
    main()
