"""Judge and orders of a focused crawl, by topics of recorded webs that they were not chosen on: one table.

python -m benchmarks.leave_out --webs A B                    packed webs; all topics with 25 pages, all orders
python -m benchmarks.leave_out --kept FOLDER            keeps what is read of the pages: the next run starts at once
python -m benchmarks.leave_out --topics ml git --orders focused
python -m benchmarks.leave_out --part en

Every value of an order is relative to that of the best known one (`benchmarks.focus_oracle`). Topics: ml, finance and travel with the
labels of the web, the others with their authors' tags (benchmarks/topics/tagged.yaml). The judge's P, R and F are those of all pages
that are no lists and whose labels or tags are known, crawled or not. With `--common .85` a tag that more than .85 of a site's
articles bear labels none of them.
"""

import argparse
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

import yaml

from benchmarks.author_tags import TAGGED, author_tags, tagged_topics
from benchmarks.focus_oracle import best_order, known_at_start, link_graph
from benchmarks.recorded_web import RecordedWeb, any_web
from benchmarks.simulated_crawl import RecordedRelevance, simulate
from crawler.config.topics import read_topic
from extractors.links.urls import host_of
from extractors.topic.relevance import Relevance
from testbed.shared_data import SHARED

RIVALS = ("benchmarks.rival_orders.KeywordShare", "benchmarks.rival_orders.LearnedLinks")
ORDERS = ("focused", "parent_cosine", "anchor_parent", "etfl", *RIVALS)
PLAIN = ("parent_cosine", "anchor_parent")
WEBS = [SHARED / "data/web/web-dev.tar.zst", SHARED / "data/web/web-b.tar.zst"]
MEASURES = ("harvest100", "recall500", "auc")
SLACK = 0.03
"""Area, relative to that of the best known order, by which a plain order may be better: noise."""
FRUITLESS = 30
"""Of the first 100 pages that one host may take without anything found."""
TOPICS = Path(__file__).parent / "topics"
GIVEN = ("ml", "finance", "travel")
WEBKB = ("course", "faculty", "student", "project", "staff")
_AUC = 1_000
_LEAST = 25


@dataclass(frozen=True, slots=True)
class Labels:
    """The pages of a topic, and those for which it is known whether they are of it (lists are not among them)."""

    relevant: frozenset[str]
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """Of one crawl: relevant pages among the first 100 and 500, share of all relevant ones within the first 500, area
    under the recall curve over the first 1,000, share of wasted requests, and the most pages among the first 100 of one
    host on which nothing was found there."""

    harvest100: float
    harvest500: float
    recall500: float
    auc: float
    wasted: float = 0.0
    fruitless: int = 0


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


def labels_of(web: RecordedWeb, names: Iterable[str], common: float = 1.0) -> dict[str, Labels]:
    """By topic: from the labels of the web, else from the authors' tags that no more than this share of a site's articles bear."""
    tags = author_tags(web, common)
    tagged = tagged_topics(tags)
    articles = frozenset(url for url, page in web.pages.items() if page.known and not page.listing)
    found = {}
    for name in names:
        if name in tagged:
            found[name] = Labels(tagged[name], frozenset(tags))
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
    return Score(
        at[0] / 100,
        at[1] / 500,
        at[1] / total,
        sum(curve) / len(curve) / total,
        wasted,
        _fruitless(order[:100], labels),
    )


def _fruitless(order: Sequence[str], labels: Labels) -> int:
    """The most pages of one host of which none is relevant."""
    fruitful = {host_of(url) for url in order if url in labels.relevant}
    return max(Counter(host for url in order if (host := host_of(url)) not in fruitful).values(), default=0)


def decided(relevance: Relevance, web: RecordedWeb, labels: Labels) -> Decided:
    """Of all articles whose tags are known."""
    found = {page.url: relevance.judge(page.page(), 0) for page in web.pages.values()}
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


def enough_labels(
    web: RecordedWeb, topics: Sequence[str], least: int = _LEAST, common: float = 1.0
) -> Iterator[tuple[str, Labels]]:
    """The topics with at least this many pages on a web, and their labels."""
    return (
        (topic, labels) for topic, labels in labels_of(web, topics, common).items() if len(labels.relevant) >= least
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One topic of one web: its labels, what the best known order reaches, what each order reaches, and the judge's part."""

    web: str
    topic: str
    labels: Labels
    best: Score
    reached: dict[str, Score]
    judge: Decided

    def share(self, order: str, measure: str) -> float:
        """Of what the best known order reaches by this measure."""
        return float(getattr(self.reached[order], measure) / max(1e-9, getattr(self.best, measure)))

    def behind(self, order: str) -> float:
        """By how much the better plain order has more area, relative to that of the best known order."""
        return max(self.share(plain, "auc") for plain in PLAIN) - self.share(order, "auc")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webs", nargs="+", type=Path, default=WEBS, help="packed webs, or folders of unpacked ones")
    parser.add_argument("--kept", type=Path, help="folder for what is read of the pages (pickles of your own)")
    parser.add_argument("--part", default="zh", choices=("zh", "en"), help="pages in Chinese, or WebKB")
    parser.add_argument("--topics", nargs="+", help="files in benchmarks/topics (default: all of the part)")
    parser.add_argument("--orders", nargs="+", default=list(ORDERS), help="names, or import paths of classes")
    parser.add_argument("--most", type=int, default=_AUC, help=f"pages of a crawl (default: {_AUC})")
    parser.add_argument("--least", type=int, default=_LEAST, help=f"pages of a topic on a web (default: {_LEAST})")
    parser.add_argument(
        "--common", type=float, default=1.0, help="share of a site's articles above which a tag of theirs labels none"
    )
    options = parser.parse_args()
    orders = list(dict.fromkeys([*options.orders, *PLAIN]))
    with tempfile.TemporaryDirectory() as work:
        _heading(orders)
        rows = [row for packed in options.webs for row in _rows(packed, orders, options, Path(work))]
    _summary(rows, orders)


def _rows(packed: Path, orders: Sequence[str], options: argparse.Namespace, work: Path) -> Iterator[Row]:
    web, name = any_web(packed, options.part, options.kept, work), packed.name.partition(".")[0]
    graph, start, names = link_graph(web), known_at_start(web), options.topics or topic_names(options.part)
    articles = replace(web, pages={url: page for url, page in web.pages.items() if not page.listing})
    for topic, labels in enough_labels(web, names, options.least, options.common):
        judge = RecordedRelevance(read_topic(TOPICS / f"{topic}.yaml"))
        crawls = {order: simulate(web, judge.topic, order, work, options.most, relevance=judge) for order in orders}
        reached = {order: score(crawl.order, labels, crawl.requests) for order, crawl in crawls.items()}
        best = score(best_order(graph, start, labels.relevant), labels)
        row = Row(name, topic, labels, best, reached, decided(judge, articles, labels))
        _line(row)
        yield row


def _heading(orders: Sequence[str]) -> None:
    print(f"Of what the best known order reaches: {', '.join(MEASURES)}; precision and recall of the judge.")
    print(
        f"{'web':9}{'topic':13}{'pages':>5}" + "".join(f"{order[-14:]:>17}" for order in orders) + f"{'P':>6}{'R':>5}"
    )


def _line(row: Row) -> None:
    shares = "  ".join(" ".join(f"{row.share(order, each):4.2f}" for each in MEASURES) for order in row.reached)
    print(f"{row.web:9}{row.topic:13}{len(row.labels.relevant):5}  {shares}{row.judge.precision:7.2f}{row.judge.recall:5.2f}",
          flush=True)  # fmt: skip


def _summary(rows: Sequence[Row], orders: Sequence[str]) -> None:
    """Means over the topics of each web and of all, spread and least; topics on which a plain order is better; the judge."""
    groups = {web: [row for row in rows if row.web == web] for web in dict.fromkeys(row.web for row in rows)}
    for name, group in (groups | {"all": list(rows)}).items():
        print(f"\n{name}, {len(group)} topics: mean ± standard deviation, least of {', '.join(MEASURES)}")
        for order in orders:
            spread = (spread_of([row.share(order, measure) for row in group]) for measure in MEASURES)
            behind = [f"{row.topic} {row.behind(order):.2f}" for row in group if row.behind(order) > SLACK]
            swallowed = sum(row.reached[order].fruitless > FRUITLESS for row in group)
            beaten = sum(row.share(order, measure) > 1 for row in group for measure in MEASURES)
            print(f"{order[-14:]:15}" + "".join(f"{each:>22}" for each in spread)
                  + f"  above the best known: {beaten}; behind a plain order: {len(behind)} {', '.join(behind)}"
                  + f"; one host takes over {FRUITLESS} of the first 100 for nothing: {swallowed}")  # fmt: skip
        _judged([row.judge for row in group])


def _judged(judges: Sequence[Decided]) -> None:
    """What a judge keeps, and how often it is right by what it says."""
    for name in ("precision", "recall", "f"):
        print(f"judge, {name:12}{spread_of([getattr(judge, name) for judge in judges])}")
    for threshold in (0.3, 0.5, 0.7, 0.9):
        precision, recall, f = at_threshold(judges, threshold)
        print(f"threshold {threshold}: P {precision:.3f} R {recall:.3f} F {f:.3f}")
    curve = [at_threshold(judges, step / 100) for step in range(1, 100)]
    for least in (0.65, 0.7, 0.75, 0.8, 0.85):
        print(f"greatest P with R of {least}: {max((p for p, r, _ in curve if r >= least), default=0.0):.3f}")
    for said, true, count in reliability(judges):
        print(f"probability {said:.2f}: {true:.2f} of {count} are of the topic")


def spread_of(values: Sequence[float]) -> str:
    return f"{statistics.mean(values):.3f} ± {statistics.pstdev(values):.3f}, {min(values):.2f}"


if __name__ == "__main__":
    main()
