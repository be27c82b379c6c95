"""Trains the forest by which `extractors.records` chooses a page's records, and shows the choice held out by site.

python -m benchmarks.train_records --check     five parts by site: how well unseen sites are read
python -m benchmarks.train_records             trains on all and writes extractors/records/data/choosing.npz

Of each page the groups that look most like records are read; what the forest learns is the F1 of each reading. Articles of
the kinds that have no discussion are examples of pages without records. Needs catboost.
"""

import argparse
import gzip
import hashlib
import importlib.util
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from catboost import CatBoostRegressor, Pool
from numpy.typing import NDArray

from benchmarks.forests import forest_of
from extractors.article.forest import Forest
from extractors.page import Page
from extractors.records.candidates import Group, Signals, find_groups
from extractors.records.choosing import LEAST
from extractors.records.measures import Measures
from extractors.records.reading import Reader

SHARED = Path(__file__).resolve().parents[2] / "shared"
WRITTEN = Path(__file__).resolve().parents[1] / "extractors/records/data/choosing.npz"
_DEPTH = 5
_FIELDS = 0.6
"""How much of a group's worth hangs on its records' fields."""
_LIKELY = {
    "members": 1.5, "has time": 1.9, "share of text": 1.2, "share of free text": 1.9, "share of times": 0.6,
    "distinct": 1.0, "log text": 0.2, "short": -1.5, "named": 1.4, "silent": -1.1, "aside": -1.0,
}  # fmt: skip
"""Which groups are worth reading at all."""
_WITHOUT = {"zh-news": 40, "zh-gb": 21, "zh-cleaneval": 33, "aeb": 60, "wcxb": 120}
"""Sets of articles and how many pages of each are taken for pages without records."""


@dataclass(slots=True)
class Example:
    """A page's groups: measures[G, F], of each hits, records read, and records there are: int[G, 3], and the share of
    fields that are right on the hits: float[G]."""

    part: str
    site: str
    measures: NDArray[np.float32]
    counts: NDArray[np.int64]
    told: NDArray[np.float64]

    @property
    def worth(self) -> NDArray[np.float64]:
        """What a forest should expect of each group: its F1, lowered where its records do not hold their fields."""
        return np.asarray(self.f1 * (1 - _FIELDS + _FIELDS * self.told))

    @property
    def f1(self) -> NDArray[np.float64]:
        """Of each group."""
        return np.asarray(2 * self.counts[:, 0] / np.maximum(1, self.counts[:, 1] + self.counts[:, 2]))


def pages(folder: Path) -> Iterator[tuple[dict[str, Any], Page]]:
    """The gold and the page of each line of a set."""
    with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
            yield row, Page(body, row.get("url") or f"http://{row.get('site', 'site.example')}/")


def likely_groups(page: Page, most: int) -> tuple[Signals, list[Group], NDArray[np.float32], list[str]]:
    """The page's groups that look most like records, their measures[G, F] and the names."""
    signals = Signals(page.columns)
    groups = find_groups(signals)
    if not groups:
        return signals, [], np.zeros((0, 0), np.float32), []
    table, names = Measures(groups, signals).table()
    order = np.argsort(-sum(weight * table[names.index(name)] for name, weight in _LIKELY.items()))[:most]
    return signals, [groups[place] for place in order], table[:, order].T.copy(), names


def discussions(data: Path, scorer: ModuleType, most: int) -> tuple[list[Example], list[str]]:
    """Pages with gold records, and the measures' names."""
    found, known = [], []
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        for row, page in pages(folder):
            signals, groups, table, names = likely_groups(page, most)
            if not groups:
                continue
            known = names
            counts, told = [], []
            for group in groups:
                records = [asdict(record) for record in Reader(page, signals, group).records()]
                pairs = scorer.match(row["records"], records, row["page_type"])
                counts.append((len(pairs), len(records), len(row["records"])))
                told.append(fields_right(scorer, row["records"], records, pairs))
            found.append(Example(folder.name, row["site"], table, np.array(counts), np.array(told)))
    return found, known


def fields_right(
    scorer: ModuleType, gold: list[dict[str, Any]], read: list[dict[str, Any]], pairs: list[tuple[int, int]]
) -> float:
    """The share of fields that the gold has and that are right; 1 where it has none."""
    answers = [
        scorer.right(field, gold[there].get(field), read[here]["time_text" if field == "time" else field])
        for there, here in pairs
        for field in scorer.FIELDS
    ]
    known = [answer for answer in answers if answer is not None]
    return sum(known) / len(known) if known else 1.0


def silent_pages(data: Path, most: int) -> list[Example]:
    """Pages without records; a reproducible part of each set."""
    found = []
    for name, count in _WITHOUT.items():
        taken = [
            (row, page)
            for row, page in pages(data / name)
            if row.get("page_type") not in ("forum", "listing", "collection")
        ]
        random.Random(1).shuffle(taken)
        for row, page in taken[:count]:
            _, groups, table, _ = likely_groups(page, most)
            if groups:
                found.append(
                    Example(name, str(row["id"]), table, np.zeros((len(groups), 3), np.int64), np.zeros(len(groups)))
                )
    return found


def train(examples: Sequence[Example], names: list[str]) -> Forest:
    """The forest that expects each group's F1."""
    rows = np.concatenate([example.measures for example in examples])
    target = np.concatenate([example.worth for example in examples])
    weight = np.concatenate([np.full(len(each.f1), 0.5 if each.part in _WITHOUT else 1.0) for each in examples])
    model = CatBoostRegressor(
        iterations=400,
        depth=_DEPTH,
        learning_rate=0.05,
        l2_leaf_reg=6,
        bootstrap_type="Bernoulli",
        subsample=0.8,
        rsm=0.5,
        border_count=64,
        random_seed=1,
        thread_count=2,
        verbose=0,
        allow_writing_files=False,
    )
    model.fit(Pool(rows, target, weight=weight))
    return forest_of(model, names, _DEPTH)


def fold_of(site: str) -> int:
    """Which of five parts a site belongs to."""
    return hashlib.blake2b(site.encode(), digest_size=2).digest()[0] % 5


def held_out(examples: Sequence[Example], names: list[str]) -> list[NDArray[np.float32]]:
    """For each page what a forest that has not seen its site expects of its groups."""
    expected: dict[int, NDArray[np.float32]] = {}
    for fold in range(5):
        forest = train([example for example in examples if fold_of(example.site) != fold], names)
        for place, example in enumerate(examples):
            if fold_of(example.site) == fold:
                expected[place] = forest.scores(example.measures.T)
    return [expected[place] for place in range(len(examples))]


def report(examples: Sequence[Example], expected: Sequence[NDArray[np.float32]]) -> None:
    """Prints micro F1, macro F1 and regions of each set, and false regions."""
    for part in sorted({example.part for example in examples} - set(_WITHOUT)):
        chosen = [
            (example.counts[int(scores.argmax())] if scores.max() >= LEAST else np.array([0, 0, example.counts[0, 2]]))
            for example, scores in zip(examples, expected, strict=True)
            if example.part == part
        ]
        hits, read, there = np.array(chosen).T
        f1 = 2 * hits / np.maximum(1, read + there)
        right = (hits >= 0.8 * read) & (hits >= 0.8 * there) & (read > 0)
        best = np.mean([example.f1.max() for example in examples if example.part == part])
        print(
            f"{part:12} micro {2 * hits.sum() / (read.sum() + there.sum()):.3f}  macro {f1.mean():.3f}"
            f"  region {right.mean():.2f}  best group {best:.3f}"
        )
    false = [
        scores.max() >= LEAST for example, scores in zip(examples, expected, strict=True) if example.part in _WITHOUT
    ]
    print(f"false regions {np.mean(false):.3f} of {len(false)} articles")


def main() -> None:
    """Trains or checks."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=SHARED / "data")
    ask.add_argument("--scorer", type=Path, default=SHARED / "score/records.py")
    ask.add_argument("--most", type=int, default=40, help="groups of a page that are read")
    ask.add_argument("--check", action="store_true", help="held out by site; writes nothing")
    options = ask.parse_args()
    spec = importlib.util.spec_from_file_location("scorer", options.scorer)
    if spec is None or spec.loader is None:
        raise SystemExit(f"There is no scorer {options.scorer}.")
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    examples, names = discussions(options.data / "records", scorer, options.most)
    examples += silent_pages(options.data / "articles", options.most)
    if options.check:
        report(examples, held_out(examples, names))
        return
    forest = train(examples, names)
    WRITTEN.parent.mkdir(exist_ok=True)
    forest.save(WRITTEN)
    report(examples, [forest.scores(example.measures.T) for example in examples])


if __name__ == "__main__":
    main()
