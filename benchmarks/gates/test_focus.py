"""Judge and orders of a focused crawl on topics that they were not tuned on: they may not become worse."""

import subprocess
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

import pytest

from benchmarks.focus_oracle import best_order, known_at_start, link_graph
from benchmarks.leave_out import PLAIN, TOPICS, Decided, Labels, at_threshold, decided, labels_of, score
from benchmarks.recorded_web import RecordedWeb, read_web
from benchmarks.simulated_crawl import RecordedRelevance, simulate
from crawler.config.topics import read_topic
from extractors.topic.relevance import Relevance
from testbed.served_web import unpacked
from testbed.shared_data import SHARED

PACKED = SHARED / "data/web/web-dev.tar.zst"
pytestmark = pytest.mark.shared
HOSTS = frozenset(
    (
        "010505.github.io beefyheisenberg.github.io cotide.github.io crazymanarmy.github.io gxshushu.github.io"
        " shartoo.github.io xn--27q973m.xn--6qq986b3xl zimpha.github.io zyha.cn"
    ).split()
)
"""One of three groups of hosts of like size."""
NAMES = ("ml", "finance", "travel", "java", "linux", "database", "psychology", "philosophy")
"""Topics with at least twenty pages there."""
UNIVERSITY = frozenset(("www.cs.cornell.edu",))
"""The smaller of the two universities of WebKB."""
ENGLISH = ("course", "faculty", "student")
"""Topics with at least thirty pages there."""
LOSES = {"student"}
"""Topics on which a plain order is better by .13: a known fault, that the gate shows until it is mended."""
PAGES = 500
SLACK = 0.04
"""Area, relative to that of the best known order, by which a plain order may be better: three or four pages of a small topic, found
a little earlier."""

LEAST_AREA, LEAST_OF_TOPIC = 0.96, 0.93
"""Area under the recall curve relative to that of the best known order, mean over topics and lowest topic; .972 and .945 were
reached."""
LEAST = (0.91, 0.82, 0.86)
"""Precision, recall and F of the judge, means over topics; .917, .829 and .866 were reached."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return unpacked(Namespace(web=None, packed=PACKED), tmp_path_factory.mktemp("web"))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the web cannot be unpacked: {error}")


@pytest.fixture(scope="module")
def web(folder: Path) -> RecordedWeb:
    return read_web(folder, "dev", "zh", HOSTS)


@pytest.fixture(scope="module")
def labels(web: RecordedWeb) -> dict[str, Labels]:
    return labels_of(web, NAMES)


def areas(web: RecordedWeb, names: Iterable[str], labels: dict[str, Labels], work: Path) -> dict[str, dict[str, float]]:
    """By topic and order: area under the recall curve relative to that of the best possible order."""
    graph, start, found = link_graph(web), known_at_start(web), {}
    for name in names:
        judge = RecordedRelevance(read_topic(TOPICS / f"{name}.yaml"))
        best = score(best_order(graph, start, labels[name].relevant)[:PAGES], labels[name]).auc
        crawls = (simulate(web, judge.topic, order, work, PAGES, relevance=judge) for order in ("focused", *PLAIN))
        reached = (score(crawl.order, labels[name]).auc / best for crawl in crawls)
        found[name] = dict(zip(("focused", *PLAIN), reached, strict=True))
    return found


def worse_than_plain(areas: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The topics on which a plain order is better."""
    return {name: row for name, row in areas.items() if row["focused"] < max(row[order] for order in PLAIN) - SLACK}


@pytest.mark.slow
def test_order_is_no_worse_than_plain_orders(web: RecordedWeb, labels: dict[str, Labels], tmp_path: Path) -> None:
    reached = areas(web, NAMES, labels, tmp_path)
    shares = [row["focused"] for row in reached.values()]
    assert not worse_than_plain(reached)
    assert sum(shares) / len(shares) >= LEAST_AREA
    assert min(shares) >= LEAST_OF_TOPIC


@pytest.mark.slow
def test_order_is_no_worse_than_plain_orders_where_the_judge_is_not_sure(folder: Path, tmp_path: Path) -> None:
    web = read_web(folder, "dev", "en", UNIVERSITY)
    assert set(worse_than_plain(areas(web, ENGLISH, labels_of(web, ENGLISH), tmp_path))) == LOSES


@pytest.mark.slow
def test_judge_on_topics_that_were_left_out(web: RecordedWeb, labels: dict[str, Labels]) -> None:
    judges: list[Decided] = [
        decided(Relevance(read_topic(TOPICS / f"{name}.yaml")), web, known) for name, known in labels.items()
    ]
    found = at_threshold(judges, 0.5)
    assert all(value >= least for value, least in zip(found, LEAST, strict=True)), found
    assert max(judge.lists for judge in judges) <= 0.05
