"""Titles at size: bytes of their snapshot, CPU of a start, of a search and of an insertion, as titles come to be many.

Made titles: the first part of one real Chinese title and the rest of another, so that terms are as frequent as in real ones. Each
has a page's key of its own. Queries are made in the same way and are not stored. With a window of days, titles come over a year in
order, each up to two days early or late; the day of one in twenty is unknown, and one in fifty is of any day. Queries are of the last
day.
"""

import itertools
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.title_speed import resident, shuffled
from extractors.titles import Rules, TitleIndex, TitleText, title_text
from extractors.titles.additions import IndexAddition, fill
from extractors.titles.snapshot import addition_of, columns_of, compressed, decompressed

_REAL = 100_000
_MAGIC = b"MADE"
_ASKED = 300
Titles = list[tuple[int, ...]]
_FIRST_DAY, _DAYS, _UNKNOWN, _ANY = 20_000, 365, 0.05, 0.02


@dataclass(frozen=True, slots=True)
class Row:
    """One size: titles, bytes of the snapshot a title, seconds of CPU to start, bytes in memory a title, and microseconds of CPU of
    a search at the default lower threshold and at 0.74."""

    titles: int
    stored: float
    start: float
    memory: float
    search: float
    search_high: float


def title_growth(data: Path, sizes: list[int], window: int = 0) -> list[Row]:
    """Prints and returns a row for each size, ascending; window: `TITLES_WINDOW_DAYS`."""
    names, real = real_titles(data)
    rows: list[Row] = []
    print(f"{'titles':>11} {'B stored':>9} {'start s':>8} {'B memory':>9} {'µs at .5':>9} {'µs at .74':>10}")
    for size in sizes:
        rows.append(_row(names, real, size, window))
        row = rows[-1]
        print(
            f"{row.titles:>11,} {row.stored:>9.1f} {row.start:>8.2f} {row.memory:>9.0f} {row.search:>9.1f} {row.search_high:>10.1f}",
            flush=True,
        )
    for one, other in itertools.pairwise(rows):
        steps = math.log(other.titles / one.titles)
        low, high = math.log(other.search / one.search) / steps, math.log(other.search_high / one.search_high) / steps
        print(f"growth exponent {one.titles:,} … {other.titles:,}: {low:.2f} at .5, {high:.2f} at .74")
    return rows


def real_titles(data: Path) -> tuple[list[str], Titles]:
    """Names of terms by number, and titles as numbers of terms."""
    index = TitleIndex()
    for title in shuffled(data)[:_REAL]:
        index.add(title_text(title))
    return list(index.vocabulary.names), [tuple(index.store.own_terms(place)) for place in range(len(index))]


def _row(names: list[str], real: Titles, size: int, window: int) -> Row:
    snapshot = made_snapshot(names, real, size)
    before, begun = resident(), time.process_time()
    added = addition_of(decompressed(_MAGIC, snapshot))
    index = fill(TitleIndex(0.8, Rules(window_days=window)), added)
    start = time.process_time() - begun
    memory = (resident() - before) / size
    asked = [_named(names, title) for title in made_titles(real, _ASKED, np.random.default_rng(7))]
    low = _micros(index, asked)
    index.rules, index.min_cosine = Rules(lower_threshold=0.74, window_days=window), 0.74
    return Row(size, len(snapshot) / size, start, memory, low, _micros(index, asked))


def _micros(index: TitleIndex, asked: list[TitleText]) -> float:
    """CPU of a search; the better of two passes."""
    spent = []
    for _ in range(2):
        begun = time.process_time()
        for title in asked:
            index.search(title, _FIRST_DAY + _DAYS - 1)
        spent.append((time.process_time() - begun) / len(asked) * 1e6)
    return min(spent)


def _named(names: list[str], title: tuple[int, ...]) -> TitleText:
    return TitleText(tuple([names[number] for number in title]))


def made_titles(real: Titles, count: int, chance: np.random.Generator) -> Titles:
    """Titles of the first part of a real one and the rest of another."""
    ones, others = chance.integers(0, len(real), count).tolist(), chance.integers(0, len(real), count).tolist()
    return [
        real[one][: (len(real[one]) + 1) // 2] + real[other][len(real[other]) // 2 :]
        for one, other in zip(ones, others, strict=True)
    ]


def made_snapshot(names: list[str], real: Titles, size: int) -> bytes:
    """Of the given number of made titles, each with a page's key."""
    chance = np.random.default_rng(size)
    titles = made_titles(real, size, chance)
    none: NDArray[np.uint64] = np.zeros(0, np.uint64)
    index = IndexAddition(
        names,
        np.fromiter(map(len, titles), np.uint16, size),
        np.fromiter((term for title in titles for term in title), np.uint32),
        made_days(size),
        none,
        none.astype(np.uint32),
    )
    return compressed(_MAGIC, columns_of(index) | {"keys": chance.bytes(10 * size)})


def made_days(size: int) -> NDArray[np.int32]:
    """Of the given number of titles."""
    chance = np.random.default_rng(size + 1)
    days = _FIRST_DAY + (np.arange(size) * _DAYS // size) + chance.integers(-2, 3, size)
    anywhere = chance.random(size) < _ANY
    days[anywhere] = chance.integers(_FIRST_DAY, _FIRST_DAY + _DAYS, int(anywhere.sum()))
    days[chance.random(size) < _UNKNOWN] = 0
    return days.astype(np.int32)
