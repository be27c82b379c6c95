"""Relevance on pages of real sites: it may not become worse; floors lie just under what was reached."""

import subprocess
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.topic import TOPICS, Labelled, Quality, extended, judge_static, quality, read_web
from crawler.config.topics import read_topic
from crawler.terms.expansion import ExpansionLimits
from extractors.page import Page
from extractors.topic.model import Term, Topic
from extractors.topic.relevance import Relevance
from pipelines.stores.opening import open_store
from testbed.served_web import unpacked
from testbed.shared_data import SHARED

PACKED = SHARED / "data/web/web-dev.tar.zst"
pytestmark = pytest.mark.shared
NAMES = ("ml", "finance", "travel")
FLOORS = {"ml": (0.96, 0.96), "finance": (0.985, 0.985), "travel": (0.81, 0.85)}
"""Average precision with the experts' terms, and after an expansion whose review accepts the first 60 candidates."""


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return unpacked(Namespace(web=None, packed=PACKED), tmp_path_factory.mktemp("web"))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the web cannot be unpacked: {error}")


def some_pages(web: Path) -> Iterator[tuple[Labelled, Page]]:
    """All that bear a label of the three topics, and each tenth of the others; no lists."""
    for place, (known, page) in enumerate(read_web(web, "dev", "zh")):
        if not known.listing and (known.labels & set(NAMES) or place % 10 == 0):
            yield known, page


@pytest.mark.slow
def test_average_precision_before_and_after_expansion(web: Path, tmp_path: Path) -> None:
    topics = [read_topic(TOPICS / f"{name}.yaml") for name in NAMES]
    store = open_store(f"sqlite:///{tmp_path}/a.db")
    pages = [(known, page) for known, page in some_pages(web)]
    judge_static(pages, topics, store)
    gains = []
    for topic in topics:
        grown = Relevance(extended(topic, store, ["newwords", "pages"], ExpansionLimits(), 60).topic())
        kept = [(known, page) for known, page in pages if topic.name not in known.grey]
        labels = np.array([topic.name in known.labels for known, _ in kept])
        before = _quality(labels, [known.static[topic.name] for known, _ in kept])
        after = _quality(labels, [grown.judge(page, most=0).score for _, page in kept])
        least = FLOORS[topic.name]
        print(topic.name, before, after)
        assert (before.average >= least[0], after.average >= least[1]) == (True, True), (before, after)
        gains.append(after.f - before.f)
    assert sum(gains) > 0
    store.close()


def _quality(labels: np.ndarray, scores: list[float]) -> Quality:
    return quality(labels, np.array(scores), 0.5)


def test_many_terms_cost_what_few_do() -> None:
    paragraphs = "".join(
        f"<p>第{n}段说的是本市的税务和天气，企业的申报在进行，市民的生活没有变化。</p>" for n in range(80)
    )
    page = Page(f"<title>税务</title><article>{paragraphs}</article>".encode(), "http://site.example/")
    few = Topic("tax", (Term("税务"), Term("申报")))
    many = Topic("tax", (*few.terms, *(Term(f"无关术语{n}号") for n in range(5_000))))
    assert _seconds(Relevance(many), page) < 1.5 * _seconds(Relevance(few), page)


def _seconds(relevance: Relevance, page: Page) -> float:
    times = []
    for _ in range(30):
        begun = time.process_time()
        for _ in range(3):
            relevance.judge(page)
        times.append(time.process_time() - begun)
    return min(times)
