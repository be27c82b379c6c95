"""What judging, following and ordering a page costs by an order, against the plain order anchor_parent.

    python -m benchmarks.order_cost --webs A B [--crawls 6] [--most 300] [--orders focused]

Printed by topic: milliseconds of CPU a page, the fastest of several crawls in turn, and the ratio.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.leave_out import PLAIN, TOPICS, WEBS, enough_labels, spread_of, topic_names
from benchmarks.recorded_web import RecordedWeb, any_web
from benchmarks.simulated_crawl import simulate
from crawler.config.topics import read_topic

_PART = "zh"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webs", nargs="+", type=Path, default=WEBS, help="packed webs, or folders of unpacked ones")
    parser.add_argument("--kept", type=Path, help="folder for what is read of the pages (pickles of your own)")
    parser.add_argument("--topics", nargs="+", default=topic_names(_PART), help="files in benchmarks/topics")
    parser.add_argument("--orders", nargs="+", default=["focused"], help="names, or import paths of classes")
    parser.add_argument("--most", type=int, default=300, help="pages of a crawl (default: 300)")
    parser.add_argument("--crawls", type=int, default=6, help="of each topic by each order (default: 6)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        for packed in options.webs:
            _print_web(packed, options, Path(work))


def _print_web(packed: Path, options: argparse.Namespace, work: Path) -> None:
    orders = [*(order for order in options.orders if order != PLAIN[-1]), PLAIN[-1]]
    web, ratios = any_web(packed, _PART, options.kept, work), []
    for topic, _ in enough_labels(web, options.topics):
        rounds = [_seconds(web, topic, orders, options.most, work) for _ in range(options.crawls)]
        fastest = np.min(rounds, axis=0)
        ratios.append(fastest / fastest[-1])
        shown = (f"{o} {1000 * s:.2f} {r:.2f}" for o, s, r in zip(orders, fastest, ratios[-1], strict=True))
        print(f"{topic:13}", *shown, sep="  ", flush=True)
    for place, order in enumerate(orders[:-1]):
        column = [float(each[place]) for each in ratios]
        print(f"{packed.name.partition('.')[0]}, {len(ratios)} topics, {order}: {spread_of(column)}")


def _seconds(web: RecordedWeb, topic: str, orders: Sequence[str], most: int, work: Path) -> list[float]:
    """Seconds of a page by each order; every crawl judges its pages itself."""
    crawls = [simulate(web, read_topic(TOPICS / f"{topic}.yaml"), order, work, most) for order in orders]
    return [crawl.seconds / max(1, len(crawl.order)) for crawl in crawls]


if __name__ == "__main__":
    main()
