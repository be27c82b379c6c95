"""Constants of the focused order, chosen without the topic and the hosts on which the choice is measured.

python -m benchmarks.choose_order --recorded web.pickle                          each constant, its values, all topics
python -m benchmarks.choose_order --recorded web.pickle --constants start --folds 3

Each value is tried with all other constants as they are, in a crawl for each topic (on each group of hosts alone with --folds).
For a crawl, the value is chosen that is best on the crawls of other topics on other hosts; "left out" is what the crawls reach with the
values chosen so. Criterion: mean of harvest at 100, recall at 500 and area, each relative to the best possible order and at most 1.
"""

import argparse
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.focus_oracle import best_order, link_graph
from benchmarks.leave_out import TOPICS, Labels, Score, folds, labels_of, part_of, score, topic_names
from benchmarks.recorded_web import RecordedWeb, add_arguments, recorded_web
from benchmarks.simulated_crawl import RecordedRelevance, simulate
from crawler.config.topics import read_topic
from crawler.frontier import rescorer
from crawler.strategies import focused

MEASURES = ("harvest100", "recall500", "auc")


@dataclass(frozen=True, slots=True)
class Constant:
    """Where a constant is (an attribute, or a key of a dictionary) and the values to try."""

    owner: Any
    name: str
    values: tuple[float, ...]

    def get(self) -> Any:
        """Its value now."""
        return self.owner[self.name] if isinstance(self.owner, dict) else getattr(self.owner, self.name)

    def set(self, value: Any) -> None:
        """Crawls from now on have this value."""
        if isinstance(self.owner, dict):
            self.owner[self.name] = value
        else:
            setattr(self.owner, self.name, value)


CONSTANTS = {
    "start": Constant(focused.FocusedStrategy, "start_score", (0.3, 0.4, 0.5, 0.6, 2.0)),
    "rescored": Constant(rescorer, "_MAX_RESCORED", (0, 1, 3)),
    "promise": Constant(focused, "_PROMISE_FACTOR", (0.5, 0.65, 0.8)),
    "new_host": Constant(focused, "_NEW_HOST_BONUS", (0.0, 0.06, 0.15)),
    "anchor": Constant(focused._WEIGHTS, "anchor", (0.25, 0.35, 0.45)),
    "page": Constant(focused._WEIGHTS, "page", (0.25, 0.35, 0.45)),
    "grams": Constant(focused._WEIGHTS, "grams", (0.2, 0.3, 0.45)),
    "kind": Constant(focused._WEIGHTS, "kind", (0.03, 0.09, 0.2)),
}


@dataclass(frozen=True, slots=True)
class Place:
    """One crawl: a topic on a group of hosts, and what the best possible order reaches there."""

    topic: str
    group: int
    web: RecordedWeb
    labels: Labels
    best: Score


def places(web: RecordedWeb, names: Sequence[str], groups: int, least: int = 10) -> list[Place]:
    """Of all topics with enough pages on a group of hosts."""
    labels, found = labels_of(web, names), []
    for group, hosts in enumerate(folds(web, groups) if groups else [web.hosts]):
        part = part_of(web, hosts)
        graph = link_graph(part)
        for name, known in labels.items():
            own = Labels(known.relevant & part.pages.keys(), known.known & part.pages.keys())
            if len(own.relevant) >= least:
                best = score(best_order(graph, part.homes, own.relevant), own)
                found.append(Place(name, group, part, own, best))
    return found


def tried(
    where: Sequence[Place], constant: Constant, most: int, work: Path, judges: dict[str, RecordedRelevance]
) -> list[list[tuple[float, ...]]]:
    """For each value, for each place the measures relative to the best possible order."""
    rows, usual = [], constant.get()
    for value in constant.values:
        constant.set(value)
        rows.append([_reached(place, most, work, judges[place.topic]) for place in where])
    constant.set(usual)
    return rows


def _reached(place: Place, most: int, work: Path, judge: RecordedRelevance) -> tuple[float, ...]:
    crawl = simulate(place.web, judge.topic, "focused", work, most, relevance=judge)
    found = score(crawl.order, place.labels, crawl.requests)
    return tuple(getattr(found, name) / max(1e-9, getattr(place.best, name)) for name in MEASURES)


def left_out(where: Sequence[Place], rows: Sequence[Sequence[tuple[float, ...]]]) -> list[int]:
    """For each place the number of the value that is best on other topics and, if there are groups, other hosts."""
    several = len({place.group for place in where}) > 1
    chosen = []
    for own in where:
        others = [
            number
            for number, place in enumerate(where)
            if place.topic != own.topic and (not several or place.group != own.group)
        ]
        worth = [statistics.mean(sum(min(1.0, x) for x in row[number]) for number in others) for row in rows]
        chosen.append(worth.index(max(worth)))
    return chosen


def _print(name: str, constant: Constant, where: Sequence[Place], rows: Sequence[Sequence[tuple[float, ...]]]) -> None:
    chosen = left_out(where, rows)
    votes = Counter(chosen)
    for number, (value, row) in enumerate(zip(constant.values, rows, strict=True)):
        now = "now" if value == constant.get() else ""
        print(f"{name:10}{value:6}  {_means(row)}  chosen {votes[number]} times {now}")
    print(f"{name:10}  left out {_means([rows[value][number] for number, value in enumerate(chosen)])}", flush=True)


def _means(row: Sequence[tuple[float, ...]]) -> str:
    """Mean ± standard deviation, least of each measure."""
    columns = zip(*row, strict=True)
    return "  ".join(f"{statistics.mean(x):.3f} ± {statistics.pstdev(x):.3f}, {min(x):.2f}" for x in columns)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--topics", nargs="+", help="files in benchmarks/topics (default: all of the part)")
    parser.add_argument("--constants", nargs="+", default=list(CONSTANTS), choices=CONSTANTS)
    parser.add_argument("--most", type=int, default=500, help="pages of a crawl (default: 500)")
    parser.add_argument(
        "--folds", type=int, default=0, help="groups of hosts, each crawled alone (default: all together)"
    )
    options = parser.parse_args()
    names = options.topics or topic_names(options.part)
    with tempfile.TemporaryDirectory() as work:
        where = places(recorded_web(options, Path(work)), names, options.folds)
        judges = {name: RecordedRelevance(read_topic(TOPICS / f"{name}.yaml")) for name in names}
        print(
            f"{len(where)} crawls for each value; {', '.join(MEASURES)}: mean ± standard deviation, least", flush=True
        )
        for name in options.constants:
            constant = CONSTANTS[name]
            _print(name, constant, where, tried(where, constant, options.most, Path(work), judges))


if __name__ == "__main__":
    main()
