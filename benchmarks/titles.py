"""Titles: the published pair, accuracy beside peers, speed and memory, agreement with brute force.

`python -m benchmarks.titles pair|accuracy|speed [--data ../shared/data/titles] [--sizes 10000,100000,936000]`
"""

import argparse
import gzip
import hashlib
import itertools
import json
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from extractors.titles import PUBLISHED, Rules, SuffixLearner, TitleIndex, TitleText, dump, load, title_text
from extractors.titles.rules import objection
from extractors.titles.vectors import cosine
from extractors.topic.words import fold

SAME = (
    "新华侨涌入:为韩国华社带来新希望-移民-滴答网",
    "新华侨涌入:为韩国华社带来新希望 - 无忧雅思网 无忧雅思网",
)
DIFFERENT = ("缅甸华侨华人为孔子课堂捐款组图-教育频道-新华网", "缅甸华侨华人为台湾灾区同胞捐款-华人-新华网")
Pair = dict[str, Any]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a gzipped JSON lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def filled(titles: Iterator[str], rules: Rules | None = None) -> TitleIndex:
    """An index of these titles."""
    index = TitleIndex(rules=rules)
    for title in titles:
        index.add(title_text(title))
    return index


def similarity(index: TitleIndex, pair: tuple[str, str]) -> float:
    """Cosine of two titles with the index's idf."""
    one, other = map(title_text, pair)
    return cosine(*_shared(index, (one, other)))


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
    """Cosine, or -1 where a rule objects."""
    scores = []
    for pair in pairs:
        texts = title_text(pair["one"]), title_text(pair["other"])
        value = cosine(*_shared(index, texts))
        named = [index.named(text) for text in texts]
        objects = value < 0.3 or objection(rules, named[0], named[1], None, value)
        scores.append((value if not objects or value < 0.3 else -1.0, pair))
    return scores


def _shared(index: TitleIndex, texts: tuple[TitleText, TitleText]) -> Any:
    """Both weighed, unknown terms numbered alike."""
    numbers: dict[str, int] = defaultdict(lambda: len(numbers))
    return [{numbers[term]: value for term, value in index.named(text).items()} for text in texts]


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
        "zh": filled(itertools.islice(chinese, min(sizes[-1], 200_000))),
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
    return {"MinHash": (0.4, 0.5, 0.6), "SimHash": (0.8, 0.85, 0.9)}.get(name, (0.5, 0.7, 0.8, 0.8165))


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
    yield "… + numbers", our_scores(clean, index, Rules(shortest=0, exchange=1.0))
    yield "… + numbers + short", our_scores(clean, index, Rules(exchange=1.0))
    yield "… + numbers + short + exchange", our_scores(clean, index, Rules())
    yield "MinHash", peer_scores(clean, minhash)
    yield "SimHash", peer_scores(clean, simhash)


def speed_table(data: Path, sizes: list[int], checks: int) -> None:
    """CPU a title at each size, memory, snapshot, restore, brute force and disagreements with it."""
    titles = [line["title"] for line in lines(data / "titles_zh.jsonl.gz")]
    random.Random(5).shuffle(titles)
    before, index, learner = resident(), TitleIndex(rules=PUBLISHED), SuffixLearner()
    title_text(titles[0])
    print(
        f"{'titles':>9} {'µs check+insert':>16} {'bytes/title':>12} {'snapshot B/title':>17} {'restore s':>10} "
        f"{'brute µs':>10} {'checks':>7} {'disagree':>9}"
    )
    for size in sizes:
        size = min(size, len(titles))
        for title in titles[len(index) : size - 5_000]:
            learner.learn(title)
            index.add(title_text(learner.without_suffix(title)))
        micro = timed(index, learner, titles[len(index) : size])
        memory = (resident() - before) / size
        started = time.process_time()
        data_out = dump(index)
        started = time.process_time()
        load(data_out)
        restore = time.process_time() - started
        brute, wrong = disagreements(index, titles, checks)
        print(
            f"{size:>9,} {micro:>16.1f} {memory:>12.0f} {len(data_out) / size:>17.1f} {restore:>10.2f} {brute:>10.0f} "
            f"{checks:>7} {wrong:>9}",
            flush=True,
        )


def timed(index: TitleIndex, learner: SuffixLearner, titles: list[str]) -> float:
    """CPU microseconds to learn, strip, segment, check and insert each of these."""
    started = time.process_time()
    for title in titles:
        learner.learn(title)
        text = title_text(learner.without_suffix(title))
        index.search(text)
        index.add(text)
    return (time.process_time() - started) / max(1, len(titles)) * 1e6


def disagreements(index: TitleIndex, titles: list[str], checks: int) -> tuple[float, int]:
    """Brute force over columns: CPU microseconds a query, and how many decisions differ from the index's."""
    terms = np.frombuffer(index.terms, np.uint32)
    starts = np.frombuffer(index.starts, np.uint32)[:-1].astype(np.int64)
    filled_rows = np.diff(np.frombuffer(index.starts, np.uint32)) > 0
    starts = starts[filled_rows]
    rows = np.flatnonzero(filled_rows)
    idf = np.log((len(index) + 1) / (np.frombuffer(index.frequencies, np.uint32) + 1.0)) + 1.0
    places = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(terms))))
    keys, counts = np.unique(places.astype(np.int64) << 32 | terms, return_counts=True)
    row, term = keys >> 32, keys & 0xFFFFFFFF
    weight = counts * idf[term]
    norms = np.sqrt(np.bincount(row, weight * weight, minlength=len(starts)))
    wrong, started = 0, time.process_time()
    for title in random.Random(11).sample(titles, checks):
        query = index.weigh(title_text(title))
        vector = np.zeros(len(index.names))
        for number, value in query.items():
            if number >= 0:
                vector[number] = value
        norm = sum(value * value for value in query.values()) ** 0.5
        if not norm:
            continue
        values = np.bincount(row, weight * vector[term], minlength=len(starts)) / norms / norm
        sure = set(rows[values >= index.threshold + 1e-9].tolist())
        possible = set(rows[values >= index.threshold - 1e-9].tolist())
        found = {place for _, place in index.similar(title_text(title))}
        wrong += not (sure <= found <= possible)
    return (time.process_time() - started) / max(1, checks) * 1e6, wrong


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Print the table that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("pair", "accuracy", "speed"))
    parser.add_argument("--data", type=Path, default=Path("../shared/data/titles"), help="folder of the title files")
    parser.add_argument("--sizes", default="10000,100000,936000", help="numbers of titles, ascending")
    parser.add_argument("--checks", type=int, default=200, help="titles compared with brute force at each size")
    opts = parser.parse_args()
    sizes = [int(size) for size in opts.sizes.split(",")]
    if opts.table == "speed":
        speed_table(opts.data, sizes, opts.checks)
    else:
        {"pair": pair_table, "accuracy": accuracy_table}[opts.table](opts.data, sizes)


if __name__ == "__main__":
    main()
