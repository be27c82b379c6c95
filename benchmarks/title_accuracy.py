"""How well titles' verdicts agree with labelled pairs, each rule and two peers beside ours."""

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.title_files import Pair, filled, lines, similarity
from extractors.titles import PUBLISHED, Rules, SuffixLearner, TitleIndex, title_text
from extractors.titles.repost_rules import objection
from extractors.topic.words import fold

_STORED = 200_000
_CERTAIN = 2.0
"""Score of a pair that is a repost at any threshold, because its wording agrees."""


def minhash(title: str) -> np.ndarray:
    """64 least hashes of character bigrams."""
    text = "".join(fold(title).split())
    grams = {text[at : at + 2] for at in range(max(1, len(text) - 1))}
    base = np.array(
        [int.from_bytes(hashlib.blake2b(gram.encode(), digest_size=8).digest()) for gram in grams], np.uint64
    )
    seeds = np.random.default_rng(7).integers(1, 2**63, (64, 1), np.uint64) | np.uint64(1)
    least: np.ndarray = (base * seeds >> np.uint64(11)).min(axis=1)
    return least


def simhash(title: str) -> np.ndarray:
    """Signs of 64 bits summed over character bigrams."""
    text = "".join(fold(title).split())
    grams = [text[at : at + 2] for at in range(max(1, len(text) - 1))]
    bits = np.unpackbits(
        np.frombuffer(
            b"".join(hashlib.blake2b(gram.encode(), digest_size=8).digest() for gram in grams), np.uint8
        ).reshape(len(grams), 8),
        axis=1,
    )
    signs: np.ndarray = bits.sum(axis=0) * 2 > len(grams)
    return signs


def peer_scores(pairs: list[Pair], sketch: Callable[[str], np.ndarray]) -> list[tuple[float, Pair]]:
    """Share of the sketch that two titles have in common."""
    return [(float((sketch(pair["one"]) == sketch(pair["other"])).mean()), pair) for pair in pairs]


def our_scores(pairs: list[Pair], index: TitleIndex, rules: Rules) -> list[tuple[float, Pair]]:
    """Cosine, -1 where a rule objects, and more than any threshold where cosine and wording both reach."""
    scores = []
    for pair in pairs:
        value = similarity(index, (pair["one"], pair["other"]))
        if value and objection(rules, title_text(pair["one"]), title_text(pair["other"]), None, value):
            value = -1.0
        elif rules.wording and value >= rules.lower_threshold:
            value = _CERTAIN
        scores.append((value, pair))
    return scores


def measures(scores: list[tuple[float, Pair]], threshold: float) -> tuple[float, float, float]:
    """Precision, recall and F1 of "the same" at or above the threshold."""
    hits = Counter((value >= threshold, pair["label"] == "dup") for value, pair in scores)
    right, wrong, missed = hits[True, True], hits[True, False], hits[False, True]
    return right / max(1, right + wrong), right / max(1, right + missed), 2 * right / max(1, 2 * right + wrong + missed)


def accuracy_table(data: Path, sizes: list[int]) -> None:
    """Precision, recall, F1 by language, kind of label, method and threshold; halves show whether rules carry over."""
    every = list(lines(data / "pairs.jsonl.gz"))
    learner = SuffixLearner()
    english = [(line["title"], line["source"]) for line in lines(data / "titles_en.jsonl.gz")]
    for title, source in english:
        learner.learn(title, source)
    for pair in every:
        learner.learn(pair["a"])
        learner.learn(pair["b"])
    chinese = (line["title"] for line in lines(data / "titles_zh.jsonl.gz"))
    indexes = {
        "zh": filled(itertools.islice(chinese, min(sizes[-1], _STORED))),
        "en": filled(learner.without_suffix(title) for title, _ in english),
    }
    print(f"{'lang':4} {'labels':6} {'method':34} {'at':>5} {'P':>6} {'R':>6} {'F1':>6} {'even':>6} {'odd':>6}")
    for language, by_hand in itertools.product(("zh", "en"), (False, True)):
        pairs = [p for p in every if p["lang"] == language and p["origin"].startswith("hand") == by_hand]
        for name, scores in methods(pairs, indexes[language], learner):
            for threshold in thresholds(name):
                halves = [measures(scores[half::2], threshold)[2] for half in (0, 1)]
                values = (*measures(scores, threshold), *halves)
                numbers = " ".join(f"{value:6.3f}" for value in values)
                print(
                    f"{language:4} {'hand' if by_hand else 'rule':6} {name:34} {threshold:5.2f} {numbers}", flush=True
                )


def thresholds(name: str) -> tuple[float, ...]:
    """What each method is read at."""
    return {"MinHash": (0.4, 0.5, 0.6), "SimHash": (0.8, 0.85, 0.9), "… + numbers + wording (default)": (0.8,)}.get(
        name, (0.5, 0.7, 0.8, 0.8165)
    )


def methods(
    pairs: list[Pair], index: TitleIndex, learner: SuffixLearner
) -> Iterator[tuple[str, list[tuple[float, Pair]]]]:
    """Every method with its scores."""
    raw = [pair | {"one": pair["a"], "other": pair["b"]} for pair in pairs]
    clean = [
        pair | {"one": learner.without_suffix(pair["a"]), "other": learner.without_suffix(pair["b"])} for pair in pairs
    ]
    yield "published (raw)", our_scores(raw, index, PUBLISHED)
    yield "suffixes stripped", our_scores(clean, index, PUBLISHED)
    yield "… + numbers", our_scores(clean, index, Rules(wording=False))
    yield "… + wording", our_scores(clean, index, Rules(numbers=False))
    yield "… + numbers + wording (default)", our_scores(clean, index, Rules())
    yield "MinHash", peer_scores(clean, minhash)
    yield "SimHash", peer_scores(clean, simhash)
