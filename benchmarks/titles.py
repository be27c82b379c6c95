"""Titles: the published pair, accuracy beside peers, people's judgement, speed, agreement with brute force, suffixes.

`python -m benchmarks.titles pair|accuracy|people|fit|bodies|speed|checks|suffixes
    [--data ../shared/data/titles] [--sizes 10000,100000,936000]`
"""

import argparse
import itertools
from pathlib import Path

from benchmarks.title_accuracy import accuracy_table
from benchmarks.title_bodies import body_table
from benchmarks.title_files import lines, similarity
from benchmarks.title_people import people_table
from benchmarks.title_speed import check_table, speed_table
from benchmarks.title_suffixes import suffix_table
from extractors.titles import PUBLISHED, SuffixLearner, TitleIndex, title_text

SAME = (
    "新华侨涌入:为韩国华社带来新希望-移民-滴答网",
    "新华侨涌入:为韩国华社带来新希望 - 无忧雅思网 无忧雅思网",
)
DIFFERENT = ("缅甸华侨华人为孔子课堂捐款组图-教育频道-新华网", "缅甸华侨华人为台湾灾区同胞捐款-华人-新华网")


def pair_table(data: Path, sizes: list[int]) -> None:
    """The paper's table: similarity of its pairs against the number of titles."""
    learner, index = SuffixLearner(), TitleIndex(rules=PUBLISHED)
    clean = [tuple(map(learner.without_suffix, pair)) for pair in (SAME, DIFFERENT)]
    for pair in (*clean, SAME, DIFFERENT):  # the titles are in the store, as in the paper
        for title in pair:
            index.add(title_text(title))
    print(f"{'titles':>9} {'same, raw':>10} {'different, raw':>15} {'same':>6} {'different':>10}")
    stream = (line["title"] for line in lines(data / "titles_zh.jsonl.gz"))
    for size in sorted({10, 100, 1_104, 10_000, 100_000, *sizes}):
        for title in itertools.islice(stream, max(0, size - len(index))):
            index.add(title_text(title))
        values = [similarity(index, (pair[0], pair[1])) for pair in (SAME, DIFFERENT, *clean)]
        print(f"{len(index):>9,} {values[0]:>10.3f} {values[1]:>15.3f} {values[2]:>6.3f} {values[3]:>10.3f}")


def main() -> None:
    """Print the table that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("pair", "accuracy", "people", "fit", "bodies", "speed", "checks", "suffixes"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data/titles"), help="folder of the title files")
    parser.add_argument("--sizes", default="10000,100000,936000", help="numbers of titles, ascending")
    parser.add_argument("--checks", type=int, default=40_000, help="titles compared with brute force at each size")
    opts = parser.parse_args()
    sizes = [int(size) for size in opts.sizes.split(",")]
    if opts.table == "checks":
        check_table(opts.data, sizes, opts.checks)
    elif opts.table == "bodies":
        body_table(opts.data)
    elif opts.table in ("people", "fit"):
        people_table(opts.data, fit=opts.table == "fit")
    elif opts.table == "suffixes":
        suffix_table(opts.data)
    else:
        {"pair": pair_table, "accuracy": accuracy_table, "speed": speed_table}[opts.table](opts.data, sizes)


if __name__ == "__main__":
    main()
