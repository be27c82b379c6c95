"""Focused crawls of real sites from their home pages: harvest, recall and AUC of each order, beside the best there can be.

python -m benchmarks.focus                                  three Chinese topics, all orders
python -m benchmarks.focus --topics finance --orders focused
python -m benchmarks.focus --topics course faculty --part en
python -m benchmarks.focus --orders focused etfl --terms FOLDER --picture curves.png
                        the experts' terms against the library extended by the accepted ones in FOLDER/TOPIC.csv, which
                        `python -m benchmarks.topic --write FOLDER` makes

Scored from the server's log by `evalcrawl.py`; P, R and F are those of the pages that the crawl kept, lists left out. With
--picture FILE the harvest curves are drawn (needs matplotlib).
"""

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchmarks.focus_oracle import best_order, known_at_start, link_graph
from benchmarks.recorded_web import recorded_web
from crawler.exit_status import ExitCode
from testbed.served_web import REPOSITORY, SHARED, ServedWeb, add_arguments, crawl_command, run_measured, served

ORDERS = ("breadth_first", "parent_cosine", "anchor_parent", "etfl", "focused")
_SETTINGS = {"TITLES_ENABLED": False, "DISCUSSION_ENABLED": False, "KEEP_SOURCE": False, "TOPIC_LEARN_PAGES": 0}
_MARKS = ("100", "250", "500", "1000")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--topics", nargs="+", default=["ml", "finance", "travel"], help="files in benchmarks/topics")
    parser.add_argument("--orders", nargs="+", default=list(ORDERS), choices=ORDERS)
    parser.add_argument("--part", default="zh", choices=("zh", "en"), help="whose home pages are the seeds")
    parser.add_argument("--most", type=int, default=0, help="pages of each crawl (default: all that can be reached)")
    parser.add_argument("--score", type=Path, default=SHARED / "tools/evalcrawl.py", help="program that scores a log")
    parser.add_argument(
        "--terms", type=Path, help="folder with a file TOPIC.csv of accepted terms: adds a second run of each order"
    )
    parser.add_argument("--picture", type=Path, help="draw the harvest curves into this file")
    parser.set_defaults(recorded=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        curves, relevant = _measure(options, Path(work))
    if options.picture:
        _draw(curves, relevant, options.picture)


def _measure(options: argparse.Namespace, work: Path) -> tuple[dict[str, dict[str, list[str]]], dict[str, set[str]]]:
    print(f"{'topic':10}{'order':18}{'fetched':>8}" + "".join(f"{f'h@{mark}':>8}" for mark in _MARKS)
          + f"{'r@500':>8}{'AUC':>7}{'P':>7}{'R':>7}{'F':>7}{'CPU ms':>8}", flush=True)  # fmt: skip
    curves: dict[str, dict[str, list[str]]] = {}
    relevant: dict[str, set[str]] = {}
    recorded = recorded_web(options, work)
    graph, start = link_graph(recorded), known_at_start(recorded)
    for topic in options.topics:
        curves[topic] = {}
        for order, extended in _runs(options):
            name = f"{order}, extended" if extended else order
            folder = work / f"{topic}-{name.replace(', ', '-')}"
            with served(options, work) as web:
                cpu = _crawl(web, folder, topic, order, extended, options)
                curves[topic][name] = web.fetched()
                _line(topic, name, _scored(web, web.log, topic, options), _kept(web, folder, topic), cpu)
        with served(options, work) as web:
            curves[topic]["oracle"] = best_order(graph, start, relevant_pages(web, topic))
            relevant[topic] = relevant_pages(web, topic)
            log = work / f"oracle-{topic}.jsonl"
            log.write_text("".join(json.dumps([0, "GET", url, 200]) + "\n" for url in curves[topic]["oracle"]))
            _line(topic, "oracle", _scored(web, log, topic, options), None, 0)
    return curves, relevant


def _runs(options: argparse.Namespace) -> list[tuple[str, bool]]:
    return [
        (order, extended) for order in options.orders for extended in ((False, True) if options.terms else (False,))
    ]


def _crawl(web: ServedWeb, folder: Path, topic: str, order: str, extended: bool, options: argparse.Namespace) -> float:
    settings = _SETTINGS | {"LINK_STRATEGY": order, "FRONTIER_HOST_CONCURRENCY": 64, "CONCURRENT_REQUESTS": 2}
    command = crawl_command(folder, web.seeds(options.part), **settings)
    described = REPOSITORY / "benchmarks/topics" / f"{topic}.yaml"
    command += ["-a", f"topic={described}"]
    command += ["-a", f"max_pages={options.most}"] if options.most else []
    if extended:
        store = f"STORE=sqlite:///{folder / 'crawl.db'}"
        taken = ["scrapy", "topic", "import", described, options.terms / f"{topic}.csv", "-s", store]
        subprocess.run([sys.executable, "-m", *map(str, taken)], check=True, capture_output=True, cwd=REPOSITORY)
    run = run_measured(command, folder, web.address, folder / "crawl.log", REPOSITORY)
    if run.exit_code not in (ExitCode.DONE, ExitCode.LIMIT):
        raise SystemExit(f"The crawl failed:\n{(folder / 'crawl.log').read_text(encoding='utf-8')[-2000:]}")
    return 1000 * run.cpu / max(1, len(web.fetched()))


def _kept(web: ServedWeb, folder: Path, topic: str) -> tuple[float, float, float]:
    """Precision, recall and F of the pages that are in the store, among those that are neither lists nor left open."""
    with sqlite3.connect(folder / "crawl.db") as store:
        stored = {url for (url,) in store.execute("SELECT url FROM pages")}
    judged = {url for url, page in web.pages.items() if not page["listing"] and topic not in list(page["grey"])}  # type: ignore[call-overload]
    kept, relevant = stored & judged, relevant_pages(web, topic) & judged
    precision, recall = len(kept & relevant) / max(1, len(kept)), len(kept & relevant) / max(1, len(relevant))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def relevant_pages(web: ServedWeb, topic: str) -> set[str]:
    """The pages that are labelled with the topic."""
    return {url for url, page in web.pages.items() if topic in list(page["labels"])}  # type: ignore[call-overload]


def _scored(web: ServedWeb, log: Path, topic: str, options: argparse.Namespace) -> dict[str, Any]:
    pages = log.parent / "pages.jsonl"
    if not pages.exists():
        pages.write_text("".join(json.dumps(page) + "\n" for page in web.pages.values()), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, options.score, log, pages, topic], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def _line(topic: str, order: str, score: dict[str, Any], kept: tuple[float, float, float] | None, cpu: float) -> None:
    harvest, recall = score["harvest"], score["recall"]
    marks = "".join(f"{harvest.get(mark, float('nan')):8.1%}" for mark in _MARKS)
    accepted = "".join(f"{value:7.3f}" for value in kept) if kept else f"{'':21}"
    print(f"{topic:10}{order:18}{score['fetched']:8}{marks}{recall.get('500', float('nan')):8.0%}{score['auc']:7.3f}"
          f"{accepted}{cpu:8.1f}", flush=True)  # fmt: skip


def _draw(curves: dict[str, dict[str, list[str]]], relevant: dict[str, set[str]], picture: Path) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, len(curves), figsize=(5 * len(curves), 7), squeeze=False, sharex="col")
    for (above, below), (topic, orders) in zip(axes.T, curves.items(), strict=True):
        for order, urls in orders.items():
            found = _found(urls, relevant[topic])
            above.plot(found, label=order)
            below.plot([100 * count / place for place, count in enumerate(found, 1)])
        above.set_title(topic)
        below.set_xlabel("pages fetched")
    axes[0][0].set_ylabel("relevant pages found")
    axes[1][0].set_ylabel("harvest rate, %")
    axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(picture)


def _found(urls: Sequence[str], relevant: set[str]) -> list[int]:
    return list(accumulate(url in relevant for url in dict.fromkeys(urls)))


if __name__ == "__main__":
    main()
