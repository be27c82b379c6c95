"""Judges learned from example pages against the experts' terms, on the pages that are no examples.

python -m benchmarks.examples --recorded web.pickle             15 Chinese topics, 20 examples a side, three draws

"both" leaves the terms out where the examples alone clearly rank better. Examples are drawn at random;
of those that are not of the topic, half come from the 200 that its terms find most probable.
"""

import argparse
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.leave_out import TOPICS, Labels, labels_of, topic_names
from benchmarks.recorded_web import RecordedWeb, add_arguments, recorded_web
from crawler.config.topics import read_topic
from extractors.topic.example_model import Learned, Vectors, learn, ranks_better, vector
from extractors.topic.probability import RelevanceSigns, probability
from extractors.topic.relevance import Judgement, Relevance

_NEAR_MISSES = 200
_ALONE = RelevanceSigns(0.0, 0, 0.0, 0.0, False, terms=False)


@dataclass(frozen=True, slots=True)
class Pages:
    """N pages that are no lists: addresses, hosts, float32[N, FEATURES]."""

    urls: tuple[str, ...]
    hosts: tuple[str, ...]
    vectors: Vectors


def read_pages(web: RecordedWeb) -> Pages:
    """All of a web."""
    pages = [page for _, page in sorted(web.pages.items()) if not page.listing]
    vectors = np.stack([vector(page.read["text"]) for page in pages])
    return Pages(tuple(page.url for page in pages), tuple(page.host for page in pages), vectors)


def draw(
    judged: Sequence[Judgement], wanted: NDArray[np.bool_], known: NDArray[np.bool_], count: int, seed: int
) -> NDArray[np.int64]:
    """The numbers of the examples of one draw: at most half of the pages of the topic."""
    random = np.random.default_rng(seed)
    of_topic, others = np.flatnonzero(wanted & known), np.flatnonzero(~wanted & known)
    near = others[np.argsort([-judged[number].score for number in others.tolist()], kind="stable")[:_NEAR_MISSES]]
    half = count // 2
    like = random.choice(of_topic, min(count, len(of_topic) // 2), replace=False)
    unlike = np.union1d(random.choice(others, count - half, replace=False), random.choice(near, half, replace=False))
    return np.concatenate((like, unlike))


def measure(web: RecordedWeb, pages: Pages, name: str, labels: Labels, count: int, draws: int) -> list[list[float]]:
    """Means over draws of P, R and F: by terms, by examples, by both."""
    relevance = Relevance(read_topic(TOPICS / f"{name}.yaml"))
    judged = [relevance.judge(web.pages[url].page(), 0) for url in pages.urls]
    wanted = np.array([url in labels.relevant for url in pages.urls])
    known = np.array([url in labels.known for url in pages.urls])
    found: list[list[tuple[float, float, float]]] = [[], [], []]
    for seed in range(draws):
        examples = draw(judged, wanted, known, count, seed)
        hosts = [pages.hosts[number] for number in examples.tolist()]
        learned = learn(pages.vectors[examples], wanted[examples].tolist(), hosts)
        logits = pages.vectors @ learned.model.weights + learned.model.bias
        others = np.setdiff1d(np.flatnonzero(known), examples)
        kept = _kept(judged, logits)
        if _alone([judged[number] for number in examples.tolist()], learned, wanted[examples].tolist()):
            kept[2] = kept[1]
        for rows, own in zip(found, kept, strict=True):
            rows.append(_quality(own[others], wanted[others]))
    return [[statistics.mean(column) for column in zip(*rows, strict=True)] for rows in found]


def _alone(judged: Sequence[Judgement], learned: Learned, wanted: Sequence[bool]) -> bool:
    """Whether the terms are left out."""
    pairs = zip(judged, learned.logits.tolist(), strict=True)
    return ranks_better(learned.logits, np.array([page.with_examples(logit) for page, logit in pairs]), wanted)


def _kept(judged: Sequence[Judgement], logits: NDArray[np.float32]) -> list[NDArray[np.bool_]]:
    pairs = list(zip(judged, logits.tolist(), strict=True))
    terms = [judgement.relevant for judgement in judged]
    alone = [page.may_be_article and probability(_ALONE.with_examples(logit)) >= 0.5 for page, logit in pairs]
    both = [page.may_be_article and page.with_examples(logit) >= 0.5 for page, logit in pairs]
    return [np.array(column) for column in (terms, alone, both)]


def _quality(kept: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> tuple[float, float, float]:
    right = float((kept & wanted).sum())
    precision, recall = right / max(1, int(kept.sum())), right / max(1, int(wanted.sum()))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--topics", nargs="+", help="files in benchmarks/topics (default: all of the part)")
    parser.add_argument("--count", type=int, default=20, help="examples of each side (default: 20)")
    parser.add_argument("--draws", type=int, default=3, help="draws of examples (default: 3)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        web = recorded_web(options, Path(work))
    pages, names = read_pages(web), options.topics or topic_names(options.part)
    print(f"{'topic':12}" + "".join(f"{f'{judge}: P, R, F':>24}" for judge in ("terms", "examples", "both")))
    rows = []
    for name, labels in labels_of(web, names).items():
        rows.append(measure(web, pages, name, labels, options.count, options.draws))
        print(f"{name:12}" + "".join(f"{_values(values):>24}" for values in rows[-1]), flush=True)
    means = [[statistics.mean(row[judge][k] for row in rows) for k in range(3)] for judge in range(3)]
    spread = [statistics.pstdev([row[judge][2] for row in rows]) for judge in range(3)]
    print(f"{'mean':12}" + "".join(f"{_values(values):>24}" for values in means))
    print(f"{'± of F':12}" + "".join(f"{value:>24.3f}" for value in spread))


def _values(values: Sequence[float]) -> str:
    return "".join(f"{value:7.3f}" for value in values)


if __name__ == "__main__":
    main()
