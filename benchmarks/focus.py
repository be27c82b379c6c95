"""Focused crawls of real sites from their home pages: harvest, recall and AUC of each order, beside the best there can be.

python -m benchmarks.focus                                  three Chinese topics, all orders
python -m benchmarks.focus --topics finance --orders focused
python -m benchmarks.focus --topics course faculty --part en

Scored from the server's log by `evalcrawl.py`. With --picture FILE the harvest curves are drawn (needs matplotlib).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchmarks.focus_oracle import oracle_order, relevant_pages
from benchmarks.served_web import REPOSITORY, SHARED, ServedWeb, add_arguments, crawl_command, run_measured, served

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
    parser.add_argument("--picture", type=Path, help="draw the harvest curves into this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        curves, relevant = _measure(options, Path(work))
    if options.picture:
        _draw(curves, relevant, options.picture)


def _measure(options: argparse.Namespace, work: Path) -> tuple[dict[str, dict[str, list[str]]], dict[str, set[str]]]:
    print(f"{'topic':10}{'order':16}{'fetched':>8}" + "".join(f"{f'h@{mark}':>8}" for mark in _MARKS)
          + f"{'r@500':>8}{'AUC':>7}{'CPU ms':>8}", flush=True)  # fmt: skip
    curves: dict[str, dict[str, list[str]]] = {}
    relevant: dict[str, set[str]] = {}
    for topic in options.topics:
        curves[topic] = {}
        for order in options.orders:
            with served(options, work) as web:
                cpu = _crawl(web, work / f"{topic}-{order}", topic, order, options)
                curves[topic][order] = web.fetched()
                _line(topic, order, _scored(web, web.log, topic, options), cpu)
        with served(options, work) as web:
            curves[topic]["oracle"] = oracle_order(web, topic, options.part)
            relevant[topic] = relevant_pages(web, topic)
            log = work / f"oracle-{topic}.jsonl"
            log.write_text("".join(json.dumps([0, "GET", url, 200]) + "\n" for url in curves[topic]["oracle"]))
            _line(topic, "oracle", _scored(web, log, topic, options), 0)
    return curves, relevant


def _crawl(web: ServedWeb, folder: Path, topic: str, order: str, options: argparse.Namespace) -> float:
    settings = _SETTINGS | {"LINK_STRATEGY": order, "FRONTIER_HOST_CONCURRENCY": 64, "CONCURRENT_REQUESTS": 2}
    command = crawl_command(folder, web.seeds(options.part), **settings)
    command += ["-a", f"topic={REPOSITORY / 'benchmarks/topics' / topic}.yaml"]
    command += ["-a", f"max_pages={options.most}"] if options.most else []
    run = run_measured(command, folder, web.address, folder / "crawl.log", REPOSITORY)
    if run.exit_code:
        raise SystemExit(f"The crawl failed:\n{(folder / 'crawl.log').read_text(encoding='utf-8')[-2000:]}")
    return 1000 * run.cpu / max(1, len(web.fetched()))


def _scored(web: ServedWeb, log: Path, topic: str, options: argparse.Namespace) -> dict[str, Any]:
    pages = log.parent / "pages.jsonl"
    if not pages.exists():
        pages.write_text("".join(json.dumps(page) + "\n" for page in web.pages.values()), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, options.score, log, pages, topic], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def _line(topic: str, order: str, score: dict[str, Any], cpu: float) -> None:
    harvest, recall = score["harvest"], score["recall"]
    marks = "".join(f"{harvest.get(mark, float('nan')):8.1%}" for mark in _MARKS)
    print(f"{topic:10}{order:16}{score['fetched']:8}{marks}{recall.get('500', float('nan')):8.0%}{score['auc']:7.3f}"
          f"{cpu:8.1f}", flush=True)  # fmt: skip


def _draw(curves: dict[str, dict[str, list[str]]], relevant: dict[str, set[str]], picture: Path) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(curves), figsize=(5 * len(curves), 4), squeeze=False)
    for axis, (topic, orders) in zip(axes[0], curves.items(), strict=True):
        for order, urls in orders.items():
            axis.plot(_found(urls, relevant[topic]), label=order)
        axis.set_title(topic)
        axis.set_xlabel("pages fetched")
        axis.set_ylabel("relevant pages found")
    axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(picture)


def _found(urls: Sequence[str], relevant: set[str]) -> list[int]:
    return list(accumulate(url in relevant for url in dict.fromkeys(urls)))


if __name__ == "__main__":
    main()
