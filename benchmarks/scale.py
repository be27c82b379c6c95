"""What a large crawl costs, a row a command; benchmarks/results/scale.md says which figures came out, and on which machine.

python -m benchmarks.scale titles                       the index of titles at 100,000, 1,000,000 and 10,000,000 (7 GB of memory)
python -m benchmarks.scale titles --sizes 100000,1000000 --picture titles.png
python -m benchmarks.scale titles --window 30           the same with titles of a year, and a window of thirty days
python -m benchmarks.scale frontier --size 1000000      the embedded frontier, with N addresses queued
python -m benchmarks.scale shared --size 1000000        Redis, with N addresses seen and queued
python -m benchmarks.scale peers --size 300000          both frontiers beside Scrapy's queues and scrapy-redis; what a kill takes
python -m benchmarks.scale overflow --size 2000000       Redis with long queues, 50,000 addresses a host (--depth)
python -m benchmarks.scale shards --size 20000          a crawl in sixteen shards beside one in one piece
python -m benchmarks.scale store --size 250000          SQLite with 4 N rows: insert, update, export, prune
python -m benchmarks.scale store --size 100000 --mongo  the same in MongoDB
python -m benchmarks.scale workers                      one process, and further ones that read pages
python -m benchmarks.scale lag                          the event loop while pages of five megabytes are read
python -m benchmarks.scale memory                       resident memory over a crawl of all sites of the served web
python -m benchmarks.scale hosts --size 50000           the same over 600 hosts: the served web under seven names of each host
python -m benchmarks.scale hosts --copies 110 --size 10000     the same with 10,010 hosts in the queue
python -m benchmarks.scale hour --size 1000000 --minutes 50    made pages through `workers`: none lost, none twice, memory

Every figure is CPU time or bytes unless its column says another thing.
"""

import argparse
import os
import sys
from pathlib import Path

from benchmarks.title_growth import Row, title_growth

_OTHERS = {
    "frontier": ("benchmarks.frontier", ["depth"], "--urls"),
    "shared": ("benchmarks.frontier", ["memory"], "--urls"),
    "peers": ("benchmarks.schedulers", [], "--urls"),
    "overflow": ("benchmarks.overflow", [], "--urls"),
    "shards": ("benchmarks.shards", [], "--urls"),
    "store": ("benchmarks.retention", [], "--pages"),
    "workers": ("benchmarks.workers", ["speed"], "--pages"),
    "lag": ("benchmarks.workers", ["lag"], "--large-pages"),
    "memory": ("benchmarks.crawl", ["--without-peer", "--part", "all"], ""),
    "hosts": ("benchmarks.copied_web", [], "--pages"),
    "hour": ("benchmarks.hour", [], "--pages"),
}
"""Rows that another benchmark measures: its module, its arguments, and the one that says how large."""


def main() -> None:
    """Measure what is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("row", choices=("titles", *_OTHERS))
    parser.add_argument(
        "--size", type=int, default=0, help="how many; the default is that of the benchmark that measures it"
    )
    parser.add_argument("--sizes", default="100000,1000000,10000000", help="numbers of titles, ascending")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/titles"), help="folder of the title files")
    parser.add_argument("--window", type=int, default=0, help="TITLES_WINDOW_DAYS of the index of titles")
    parser.add_argument("--picture", type=Path, help="draw the growth of titles into this file (needs matplotlib)")
    options, more = parser.parse_known_args()
    if options.row == "titles":
        rows = title_growth(options.data, [int(size) for size in options.sizes.split(",")], options.window)
        if options.picture:
            _draw(rows, options.picture)
        return
    module, arguments, how_large = _OTHERS[options.row]
    size = [how_large, str(options.size)] if options.size and how_large else []
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments, *size, *more])


def _draw(rows: list[Row], picture: Path) -> None:
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    sizes = [row.titles for row in rows]
    left.plot(sizes, [row.search for row in rows], marker="o", label="lower threshold 0.5")
    left.plot(sizes, [row.search_high for row in rows], marker="o", label="lower threshold 0.74")
    left.set(xscale="log", yscale="log", xlabel="titles", ylabel="µs of CPU a search")
    left.legend()
    right.plot(sizes, [row.start for row in rows], marker="o")
    right.set(xscale="log", yscale="log", xlabel="titles", ylabel="s of CPU to start")
    for axes in (left, right):
        axes.grid(visible=True, alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main()
