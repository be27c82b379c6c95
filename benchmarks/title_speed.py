"""What a title costs: CPU, memory, snapshot and start at growing sizes; and whether the search misses anything."""

import gc
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.title_files import lines
from extractors.titles import Rules, SuffixLearner, TitleIndex, TitleText, dump, load, title_text
from extractors.titles.vocabulary import unsettled

_TIMED = 1_000
_REPEATS = 4
_REACH = 0.7
_ROUND = 1_000
_TOLERANCE = 1e-9


def speed_table(data: Path, sizes: list[int]) -> None:
    """CPU microseconds a title, bytes in memory and in a snapshot, seconds of CPU for a start.

    With TOPICRAWL_COMPILED=off the first column is that of the index without the compiled extension.
    """
    titles = shuffled(data)
    index, learner = TitleIndex(), SuffixLearner()
    index.add(title_text(titles[0]))
    index.search(title_text(titles[0]))  # loads the segmenter, which costs the same for one title and for all
    before = resident()
    print(f"{'titles':>9} {'µs/title':>9} {'bytes/title':>12} {'snapshot B/title':>17} {'start s CPU':>12}")
    for size in sizes:
        size = min(size, len(titles))
        for title in titles[len(index) : max(len(index), size - _REPEATS * _TIMED)]:
            learner.learn(title)
            index.add(title_text(learner.without_suffix(title)))
        micros = best_time(index, learner, titles)
        gc.collect()
        memory = (resident() - before) / len(index)
        snapshot = dump(index)
        started = time.process_time()
        load(snapshot)
        start = time.process_time() - started
        print(
            f"{len(index):>9,} {micros:>9.1f} {memory:>12.0f} {len(snapshot) / len(index):>17.1f} {start:>12.2f}",
            flush=True,
        )


def shuffled(data: Path) -> list[str]:
    """All Chinese titles, in an order that is the same each time."""
    titles: list[str] = [line["title"] for line in lines(data / "titles_zh.jsonl.gz")]
    random.Random(5).shuffle(titles)
    return titles


def best_time(index: TitleIndex, learner: SuffixLearner, titles: list[str]) -> float:
    """The best of some repeats, each over titles of its own: what else runs on the machine disturbs it least."""
    at = len(index)
    return min(
        timed(index, learner, titles[start : start + _TIMED]) for start in range(at, at + _REPEATS * _TIMED, _TIMED)
    )


def timed(index: TitleIndex, learner: SuffixLearner, titles: list[str]) -> float:
    """CPU microseconds to learn, strip, segment, check (all rules) and insert each of these."""
    started = time.process_time()
    for title in titles:
        learner.learn(title)
        text = title_text(learner.without_suffix(title))
        index.search(text)
        index.add(text)
    return (time.process_time() - started) / max(1, len(titles)) * 1e6


class BruteForce:
    """Cosine with every stored title that shares a term, from the titles' terms alone: no bound, no posting list of ours."""

    def __init__(self, index: TitleIndex) -> None:
        terms, starts = index.store.terms.filled(), index.store.starts.filled().astype(np.int64)
        titles = len(index)
        rows = np.repeat(np.arange(titles, dtype=np.int64), np.diff(starts))
        pairs = np.sort(terms.astype(np.int64) << 32 | rows)
        first = np.flatnonzero(np.concatenate([[True], pairs[1:] != pairs[:-1]]))
        counts = np.diff(np.append(first, len(pairs)))
        column, self._row = pairs[first] >> 32, pairs[first] & 0xFFFFFFFF
        words, counted = index.vocabulary, titles - unsettled(titles)
        frequency = np.bincount(column[self._row < counted], minlength=len(words))
        self._idf = np.log((counted + 1) / (frequency + 1)) + 1
        self._weight = counts * self._idf[column]
        self._begin = np.searchsorted(column, np.arange(len(words) + 1))
        norms = np.bincount(self._row, self._weight**2, minlength=titles)
        self._norm = np.sqrt(np.maximum(norms, 1e-300))
        self._unknown, self._titles = np.log(counted + 1) + 1, titles
        self._numbers = {name: number for number, name in enumerate(words.names)}

    def __call__(self, title: TitleText) -> NDArray[np.float64]:
        """The cosine with each stored title."""
        asked = {term: title.terms.count(term) for term in title.terms}
        known = [(self._numbers[term], times) for term, times in asked.items() if term in self._numbers]
        norm = sum((times * self._unknown) ** 2 for term, times in asked.items() if term not in self._numbers)
        rows, values = [], []
        for number, times in known:
            weight, own = times * self._idf[number], slice(self._begin[number], self._begin[number + 1])
            norm += weight**2
            rows.append(self._row[own])
            values.append(self._weight[own] * weight)
        if not rows:
            return np.zeros(self._titles)
        dots = np.bincount(np.concatenate(rows), np.concatenate(values), minlength=self._titles)
        cosines: NDArray[np.float64] = dots / self._norm / np.sqrt(norm)
        return cosines


def check_table(data: Path, sizes: list[int], checks: int) -> None:
    """Decisions that differ from brute force while titles come in and idf changes."""
    titles = shuffled(data)
    index = TitleIndex(_REACH, Rules(wording=False, numbers=False))
    print(f"{'titles':>9} {'checks':>7} {'found':>8} {'differ':>7} {'ms brute force':>15}")
    for size in sizes:
        size = min(size, len(titles))
        for title in titles[len(index) : max(len(index), size - checks // 10)]:
            index.add(title_text(title))
        found, differing, spent = 0, 0, 0.0
        for start in range(0, checks, _ROUND):
            brute, queries = BruteForce(index), list(asked(titles, len(index), min(_ROUND, checks - start), start))
            for query in queries:
                started = time.process_time()
                cosines = brute(query)
                spent += time.process_time() - started
                sure = set(np.flatnonzero(cosines >= _REACH + _TOLERANCE).tolist())
                possible = set(np.flatnonzero(cosines >= _REACH - _TOLERANCE).tolist())
                answer = {place for _, place in index.similar(query)}
                found += bool(sure)
                differing += not sure <= answer <= possible
            for title in titles[len(index) : min(size, len(index) + _ROUND // 10)]:
                index.add(title_text(title))
        print(
            f"{len(index):>9,} {checks:>7,} {found:>8,} {differing:>7} {spent / max(1, checks) * 1e3:>15.1f}",
            flush=True,
        )


def asked(titles: list[str], stored: int, count: int, seed: int) -> Iterator[TitleText]:
    """Titles that are stored, such with a word less or in another place, and such as are not stored."""
    chance = random.Random(seed)
    for number in range(count):
        if number % 3 == 2 and stored < len(titles):
            yield title_text(titles[chance.randrange(stored, len(titles))])
            continue
        terms = list(title_text(titles[chance.randrange(stored)]).terms)
        if number % 3 == 1 and terms:
            moved = terms.pop(chance.randrange(len(terms)))
            if chance.random() < 0.5:
                terms.insert(chance.randrange(len(terms) + 1), moved)
        yield TitleText(tuple(terms))


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
