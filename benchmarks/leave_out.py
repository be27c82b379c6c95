"""Judge and orders on many topics of a recorded web, by leave-one-topic-out and leave-hosts-out.

python -m benchmarks.leave_out                               15 Chinese topics, all orders, and the best order there can be
python -m benchmarks.leave_out --topics ml git --orders focused anchor_parent
python -m benchmarks.leave_out --recorded web.pickle    keeps what is read of the pages: the next run starts at once
python -m benchmarks.leave_out --folds 3                     each crawl also on each third of the hosts alone
python -m benchmarks.leave_out --part en

Topics: ml, finance and travel with the labels of the web, the others with their authors' tags (benchmarks/topics/tagged.yaml).
The judge's P, R and F are those of all pages that are no lists, crawled or not; "lists" is the share of lists among all that it
keeps. Articles without any tag are left out where tags make the topic.
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

import yaml

from benchmarks.author_tags import TAGGED, author_tags, tagged_topics
from benchmarks.focus_oracle import best_order, link_graph
from benchmarks.recorded_web import RecordedWeb, add_arguments, recorded_web
from benchmarks.simulated_crawl import simulate
from crawler.config.topics import read_topic
from extractors.topic.model import Topic
from extractors.topic.relevance import Relevance

ORDERS = ("breadth_first", "parent_cosine", "anchor_parent", "etfl", "focused")
PLAIN = ("parent_cosine", "anchor_parent")
TOPICS = Path(__file__).parent / "topics"
GIVEN = ("ml", "finance", "travel")
WEBKB = ("course", "faculty", "student", "project", "staff")
_MOST = 1_500
_AUC = 1_000


@dataclass(frozen=True, slots=True)
class Labels:
    """The pages of a topic, and those for which it is known whether they are of it (lists are not among them)."""

    relevant: frozenset[str]
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """Of one crawl: relevant pages among the first 100 and 500, share of all relevant ones within the first 500, area
    under the recall curve over the first 1,000, share of wasted requests."""

    harvest100: float
    harvest500: float
    recall500: float
    auc: float
    wasted: float = 0.0


@dataclass(frozen=True, slots=True)
class Decided:
    """Precision and recall of what a judge keeps, and the share of lists in it.

    scores: of each page that may count, with whether it is of the topic.
    """

    precision: float
    recall: float
    lists: float
    scores: tuple[tuple[float, bool], ...]

    @property
    def f(self) -> float:
        """Their harmonic mean."""
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)


def topic_names(part: str) -> tuple[str, ...]:
    """All topics of a part of the web."""
    return (*GIVEN, *yaml.safe_load(TAGGED.read_text(encoding="utf-8"))) if part == "zh" else WEBKB


def labels_of(web: RecordedWeb, names: Iterable[str]) -> dict[str, Labels]:
    """By topic: from the labels of the web, else from the authors' tags."""
    tagged, tags = tagged_topics(web), author_tags(web)
    articles = frozenset(url for url, page in web.pages.items() if not page.listing)
    untagged = frozenset(url for url in articles if web.pages[url].known and url not in tags)
    found = {}
    for name in names:
        if name in tagged:
            found[name] = Labels(tagged[name], articles - untagged)
        else:
            grey = {url for url, page in web.pages.items() if name in page.grey}
            found[name] = Labels(
                frozenset(url for url, page in web.pages.items() if name in page.labels), articles - grey
            )
    return found


def score(order: Sequence[str], labels: Labels, requests: int = 0) -> Score:
    """Of the pages fetched, in order."""
    found = list(accumulate(url in labels.relevant for url in order)) or [0]
    at = [found[min(place, len(found)) - 1] for place in (100, 500)]
    total, curve = max(1, len(labels.relevant)), found[:_AUC] + found[-1:] * (_AUC - len(found))
    wasted = 1 - len(order) / requests if requests else 0.0
    return Score(at[0] / 100, at[1] / 500, at[1] / total, sum(curve) / len(curve) / total, wasted)


def decided(topic: Topic, web: RecordedWeb, labels: Labels, hosts: frozenset[str] | None = None) -> Decided:
    """Of all articles of these hosts whose tags are known."""
    relevance = Relevance(topic)
    pages = [page for page in web.pages.values() if hosts is None or page.host in hosts]
    found = {page.url: relevance.judge(page.page(), 0) for page in pages}
    kept = {url for url, judgement in found.items() if judgement.relevant}
    lists = sum(web.pages[url].listing for url in kept) / max(1, len(kept))
    known = labels.known.intersection(found)
    kept, right = kept & known, len(kept & labels.relevant)
    scores = tuple(
        (found[url].score if found[url].may_be_article else 0.0, url in labels.relevant) for url in sorted(known)
    )
    return Decided(right / max(1, len(kept)), right / max(1, len(labels.relevant & known)), lists, scores)


def reliability(judges: Sequence[Decided], steps: int = 10) -> list[tuple[float, float, int]]:
    """Of pages with about the same probability, over all topics: mean probability, share that is of the topic, number."""
    scores = [pair for judge in judges for pair in judge.scores]
    table = []
    for step in range(steps):
        inside = [(score, right) for score, right in scores if step <= score * steps < step + 1]
        if inside:
            means = (statistics.mean(column) for column in zip(*inside, strict=True))
            table.append((*means, len(inside)))
    return [(said, true, count) for said, true, count in table]


def at_threshold(judges: Sequence[Decided], threshold: float) -> tuple[float, float, float]:
    """Means over topics of P, R and F of the pages with at least this probability."""
    rows = []
    for judge in judges:
        kept, relevant = [right for score, right in judge.scores if score >= threshold], sum(r for _, r in judge.scores)
        precision, recall = sum(kept) / max(1, len(kept)), sum(kept) / max(1, relevant)
        rows.append((precision, recall, 2 * precision * recall / max(1e-9, precision + recall)))
    precision, recall, f = (statistics.mean(column) for column in zip(*rows, strict=True))
    return precision, recall, f


def part_of(web: RecordedWeb, hosts: frozenset[str]) -> RecordedWeb:
    """The web with these hosts alone."""
    pages = {url: page for url, page in web.pages.items() if page.host in hosts}
    return replace(
        web, pages=pages, homes=tuple(home for home in web.homes if home.split("/")[2] in hosts), hosts=hosts
    )


def folds(web: RecordedWeb, count: int) -> list[frozenset[str]]:
    """The hosts in `count` groups with similar numbers of pages."""
    sizes = {host: sum(page.host == host for page in web.pages.values()) for host in web.hosts}
    groups: list[list[str]] = [[] for _ in range(count)]
    for host in sorted(sizes, key=lambda host: (-sizes[host], host)):
        min(groups, key=lambda group: sum(sizes[each] for each in group)).append(host)
    return [frozenset(group) for group in groups]


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--topics", nargs="+", help="files in benchmarks/topics (default: all of the part)")
    parser.add_argument("--orders", nargs="+", default=list(ORDERS), choices=ORDERS)
    parser.add_argument("--most", type=int, default=_MOST, help=f"pages of a crawl (default: {_MOST})")
    parser.add_argument("--folds", type=int, default=0, help="also crawl each of N groups of hosts alone")
    options = parser.parse_args()
    names = options.topics or topic_names(options.part)
    with tempfile.TemporaryDirectory() as work:
        web = recorded_web(options, Path(work))
        _measure(web, names, options, Path(work))
        for number, hosts in enumerate(folds(web, options.folds) if options.folds else [], 1):
            print(f"\nhosts of group {number}: {', '.join(sorted(hosts))}")
            _measure(part_of(web, hosts), names, options, Path(work))


def _measure(web: RecordedWeb, names: Sequence[str], options: argparse.Namespace, work: Path) -> None:
    labels = {name: each for name, each in labels_of(web, names).items() if each.relevant}
    print(f"{'topic':12}{'pages':>6}  {'order':15}{'h@100':>8}{'h@500':>8}{'r@500':>8}{'AUC':>7}{'waste':>7}{'ms':>6}"
          f"{'P':>7}{'R':>7}{'F':>7}", flush=True)  # fmt: skip
    graph = link_graph(web)
    results: dict[str, list[tuple[Score, Score]]] = {order: [] for order in options.orders}
    judges = []
    for name, known in labels.items():
        topic = read_topic(TOPICS / f"{name}.yaml")
        judges.append(decided(topic, web, known))
        best = score(best_order(graph, web.homes, known.relevant), known)
        _line(name, known, "best possible", best)
        for order in options.orders:
            crawl = simulate(web, topic, order, work, options.most)
            reached = score(crawl.order, known, crawl.requests)
            results[order].append((reached, best))
            cost = 1_000 * crawl.seconds / max(1, len(crawl.order))
            _line(name, known, order, reached, cost, judges[-1] if order == "focused" else None)
    _summary(results, judges)


def _line(name: str, labels: Labels, order: str, found: Score, cost: float = 0.0, judge: Decided | None = None) -> None:
    accepted = f"{judge.precision:7.3f}{judge.recall:7.3f}{judge.f:7.3f}" if judge else ""
    print(f"{name:12}{len(labels.relevant):6}  {order:15}{found.harvest100:8.1%}{found.harvest500:8.1%}"
          f"{found.recall500:8.0%}{found.auc:7.3f}{found.wasted:7.1%}{cost:6.2f}{accepted}", flush=True)  # fmt: skip


def _summary(results: dict[str, list[tuple[Score, Score]]], judges: Sequence[Decided]) -> None:
    """Means over topics, their spread, and the worst topic, relative to the best possible order."""
    print("\nrelative to the best possible order, over topics: mean ± standard deviation, least")
    print(f"{'order':15}{'h@100':>24}{'r@500':>24}{'AUC':>24}")
    for order, pairs in results.items():
        columns = (
            [getattr(found, name) / max(1e-9, getattr(best, name)) for found, best in pairs]
            for name in ("harvest100", "recall500", "auc")
        )
        print(f"{order:15}" + "".join(f"{_spread(values):>24}" for values in columns))
    for name in ("precision", "recall", "f", "lists"):
        print(f"judge, {name:12}{_spread([getattr(judge, name) for judge in judges])}")
    for threshold in (0.3, 0.5, 0.7, 0.9):
        precision, recall, f = at_threshold(judges, threshold)
        print(f"threshold {threshold}: P {precision:.3f} R {recall:.3f} F {f:.3f}")
    for said, true, count in reliability(judges):
        print(f"probability {said:.2f}: {true:.2f} of {count} are of the topic")


def _spread(values: Sequence[float]) -> str:
    return f"{statistics.mean(values):.3f} ± {statistics.pstdev(values):.3f}, {min(values):.3f}"


if __name__ == "__main__":
    main()
