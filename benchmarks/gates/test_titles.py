"""Labelled pairs of titles: figures that must not fall. `python -m benchmarks.titles accuracy` prints the whole table."""

import itertools

import pytest

from benchmarks.title_accuracy import measures, our_scores
from benchmarks.title_files import Pair, filled, lines
from benchmarks.title_people import agreement, people_pairs
from extractors.titles import PUBLISHED, Rules, SuffixLearner
from testbed.shared_data import SHARED

DATA = SHARED / "data" / "titles"
STORED = 20_000


@pytest.mark.shared
@pytest.mark.parametrize(("language", "precision", "f1"), [("zh", 0.86, 0.862), ("en", 0.7, 0.769)])
def test_labelled_pairs_at_the_published_threshold(language: str, precision: float, f1: float) -> None:
    every: list[Pair] = list(lines(DATA / "pairs.jsonl.gz"))
    stored = list(itertools.islice(lines(DATA / f"titles_{language}.jsonl.gz"), STORED))
    learner = SuffixLearner()
    for line in stored:
        learner.learn(line["title"], line.get("source") or "")
    for pair in every:
        learner.learn(pair["a"])
        learner.learn(pair["b"])
    index = filled(learner.without_suffix(line["title"]) for line in stored)
    pairs = [
        pair | {"one": learner.without_suffix(pair["a"]), "other": learner.without_suffix(pair["b"])}
        for pair in every
        if pair["lang"] == language and not pair["origin"].startswith("hand")
    ]
    reached = measures(our_scores(pairs, index, Rules()), 0.8)
    assert reached[0] >= precision, reached
    assert reached[2] >= f1, reached


@pytest.mark.shared
@pytest.mark.parametrize(("language", "precision", "f1"), [("zh", 0.9, 0.8), ("en", 0.7, 0.752)])
def test_pairs_that_people_judged(language: str, precision: float, f1: float) -> None:
    """In Chinese those from which nothing was learned."""
    stored = list(itertools.islice(lines(DATA / f"titles_{language}.jsonl.gz"), STORED))
    learner = SuffixLearner()
    for line in stored:
        learner.learn(line["title"], line.get("source") or "")
    index = filled(learner.without_suffix(line["title"]) for line in stored)
    pairs = [
        pair | {"one": learner.without_suffix(pair["a"]), "other": learner.without_suffix(pair["b"])}
        for pair in (people_pairs(DATA) if language == "en" else lines(DATA / "pairs-b.jsonl.gz"))
        if pair["lang"] == language and pair["origin"].startswith(("people", "hand"))
    ]
    reached = measures(our_scores(pairs, index, Rules()), 0.8)
    assert reached[0] >= precision, reached
    assert reached[2] >= f1, reached
    assert reached[2] > measures(our_scores(pairs, index, PUBLISHED), 0.8)[2] + 0.2


@pytest.mark.parametrize(("language", "pairs"), [("zh", 600), ("en", 300)])
def test_enough_pairs_were_judged_twice_and_alike(language: str, pairs: int) -> None:
    judged, same, kappa = agreement(language)
    assert judged >= pairs
    assert same >= 0.95 * judged
    assert kappa >= 0.9
