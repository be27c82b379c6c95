"""Trains the forests by which `extractors.records` chooses a page's records, and shows the choice held out by site.

python -m benchmarks.train_records --check     five parts by site: how well unseen sites are read
python -m benchmarks.train_records             trains on all, shows the same, and writes extractors/records/data/*.npz

Of each page the groups that look most like records are read. The first forest learns from what is measured of a group how well
it reads; the second, from what came out of the groups that the first would have read, which one is right. What the second
learns from are the first one's judgements on sites that it has not seen. Articles of the kinds that have no discussion are
examples of pages without records. Needs catboost.
"""

import argparse
import gzip
import hashlib
import importlib.util
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from catboost import CatBoost, Pool
from numpy.typing import NDArray

from benchmarks.forests import forest_of, mean_of
from extractors.article.forest import Forest
from extractors.columns import Columns
from extractors.page import Page
from extractors.records.candidates import Group, Members, called, find_groups
from extractors.records.choosing import LEAST, MEASURED, best_of, review, worth_reading
from extractors.records.measures import Measures
from extractors.records.model import Record
from extractors.records.outcomes import Row, outcome
from extractors.records.reading import Reader
from extractors.records.signals import Signals

SHARED = Path(__file__).resolve().parents[2] / "shared"
WRITTEN = Path(__file__).resolve().parents[1] / "extractors/records/data"
_FOLDS = 5
_SEEDS = 3
"""Forests whose mean is taken: one alone hangs on its luck with so few pages."""
_FIELDS = 0.6
"""How much of a group's worth hangs on its records' fields."""
_WITHOUT = {"zh-news": 40, "zh-gb": 21, "zh-cleaneval": 33, "aeb": 60, "wcxb": 120}
"""Sets of articles and how many pages of each are taken for pages without records."""


_DISCUSSED = re.compile(r"comment|reply|评论")
"""Names of groups by which a page of the sets of articles has records after all."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a forest is grown."""

    trees: int
    depth: int
    leaf_penalty: float


CHOOSING = Shape(trees=400, depth=5, leaf_penalty=6)
REVIEWING = Shape(trees=300, depth=3, leaf_penalty=10)


@dataclass
class Example:
    """A page's G groups: measures[G, F], their outcomes and members, of each group hits, records read, and records there
    are: int[G, 3], and the share of fields that are right on the hits: float[G]."""

    part: str
    site: str
    columns: Columns
    measures: NDArray[np.float32]
    outcomes: list[Row]
    members: list[Members]
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

    @cached_property
    def fold(self) -> int:
        """Which of the parts its site belongs to."""
        return hashlib.blake2b(self.site.encode(), digest_size=2).digest()[0] % _FOLDS

    def reviewed(self, expected: NDArray[np.float32]) -> "Reviewed":
        """The groups that would be read, by what is expected of all."""
        places = worth_reading(expected, self.members, self.columns)
        table, names = review(
            [self.outcomes[place] for place in places],
            [self.members[place] for place in places],
            expected[places],
            self.columns,
        )
        return Reviewed(self, places, table.T.copy(), names)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The R groups of a page that were read, and what is known of them then: table[R, F] and the F names."""

    example: Example
    places: NDArray[np.intp]
    table: NDArray[np.float32]
    names: list[str]


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
    likely = [groups[place] for place in Measures(groups, signals).likely(most).tolist()]
    table, names = Measures(likely, signals).table()
    return signals, likely, table.T.copy(), names


def discussions(data: Path, scorer: ModuleType) -> tuple[list[Example], list[str]]:
    """Pages with gold records, and the measures' names."""
    found, known = [], []
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        for row, page in pages(folder):
            signals, groups, table, names = likely_groups(page, MEASURED)
            if not groups:
                continue
            known = names
            counts, told, rows = [], [], []
            for row_read, read in readings(page, signals, groups):
                records = [asdict(record) for record in read]
                pairs = scorer.match(row["records"], records, row["page_type"])
                counts.append((len(pairs), len(records), len(row["records"])))
                told.append(fields_right(scorer, row["records"], records, pairs))
                rows.append(row_read)
            members = [group.members for group in groups]
            judged = np.array(counts), np.array(told)
            found.append(Example(folder.name, row["site"], page.columns, table, rows, members, *judged))
    return found, known


def readings(page: Page, signals: Signals, groups: Sequence[Group]) -> Iterator[tuple[Row, list[Record]]]:
    """What comes out of reading each group, and the records."""
    for group in groups:
        reader = Reader(page, signals, group)
        yield outcome(reader, reader.read()), reader.records()


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


def silent_pages(data: Path) -> list[Example]:
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
            signals, groups, table, names = likely_groups(page, MEASURED)
            if groups and not is_discussed(groups, table[:, names.index("has time")], page.columns):
                rows = [row for row, _ in readings(page, signals, groups)]
                members = [group.members for group in groups]
                nothing = np.zeros((len(groups), 3), np.int64), np.zeros(len(groups))
                found.append(Example(name, str(row["id"]), page.columns, table, rows, members, *nothing))
    return found


def is_discussed(groups: Sequence[Group], timed: NDArray[np.float32], columns: Columns) -> bool:
    """Whether a page holds what it calls comments, with times."""
    return any(
        len(group.members) > 2 and share > 0.5 and _DISCUSSED.search(called(group, columns)) is not None
        for group, share in zip(groups, timed.tolist(), strict=True)
    )


def train(
    tables: Sequence[NDArray[np.float32]],
    worth: Sequence[NDArray[np.float64]],
    parts: Sequence[str],
    names: list[str],
    shape: Shape,
) -> Forest:
    """The forest that expects how well each group reads, as log odds."""
    weight = [np.full(len(each), 0.5 if part in _WITHOUT else 1.0) for each, part in zip(worth, parts, strict=True)]
    target = np.concatenate(worth).clip(0, 1)
    pool = Pool(np.concatenate(tables), target, weight=np.concatenate(weight))
    forests = []
    for seed in range(1, _SEEDS + 1):
        model = CatBoost(
            {
                "loss_function": "CrossEntropy",
                "iterations": shape.trees,
                "depth": shape.depth,
                "learning_rate": 0.05,
                "l2_leaf_reg": shape.leaf_penalty,
                "bootstrap_type": "Bernoulli",
                "subsample": 0.8,
                "rsm": 0.5,
                "border_count": 64,
                "random_seed": seed,
                "thread_count": 2,
                "verbose": 0,
                "allow_writing_files": False,
            }
        )
        model.fit(pool)
        forests.append(forest_of(model, names, shape.depth))
    return mean_of(forests)


def train_choosing(examples: Sequence[Example], names: list[str]) -> Forest:
    """The forest that looks at what is measured of all groups."""
    parts = [example.part for example in examples]
    return train(
        [example.measures for example in examples], [example.worth for example in examples], parts, names, CHOOSING
    )


def train_reviewing(reviewed: Sequence[Reviewed]) -> Forest:
    """The forest that looks at the groups that were read."""
    worth = [each.example.worth[each.places] for each in reviewed]
    parts = [each.example.part for each in reviewed]
    return train([each.table for each in reviewed], worth, parts, reviewed[0].names, REVIEWING)


def held_out(examples: Sequence[Example], names: list[str]) -> list[NDArray[np.float32]]:
    """For each page what a forest that has not seen its site expects of its groups."""
    forests = [train_choosing([each for each in examples if each.fold != fold], names) for fold in range(_FOLDS)]
    return [forests[example.fold].scores(example.measures.T) for example in examples]


def reviewed_held_out(reviewed: Sequence[Reviewed]) -> list[NDArray[np.float32]]:
    """For each page what a forest that has not seen its site expects of the groups that were read."""
    forests = [train_reviewing([each for each in reviewed if each.example.fold != fold]) for fold in range(_FOLDS)]
    return [forests[each.example.fold].scores(each.table.T) for each in reviewed]


def report(reviewed: Sequence[Reviewed], odds: Sequence[NDArray[np.float32]]) -> None:
    """Prints micro F1, macro F1 and regions of each set, and false regions."""
    for part in sorted({each.example.part for each in reviewed} - set(_WITHOUT)):
        chosen, best = [], []
        for each, own in zip(reviewed, odds, strict=True):
            if each.example.part == part:
                counts = each.example.counts
                choice = best_of(own, each.table[:, each.names.index("expected")])
                right = own[choice] >= LEAST
                chosen.append(counts[each.places[choice]] if right else np.array([0, 0, counts[0, 2]]))
                best.append((each.example.f1[each.places].max(), each.example.f1.max()))
        hits, read, there = np.array(chosen).T
        f1 = 2 * hits / np.maximum(1, read + there)
        regions = (hits >= 0.8 * read) & (hits >= 0.8 * there) & (read > 0)
        of_read, of_all = np.mean(best, axis=0)
        print(
            f"{part:12} micro {2 * hits.sum() / (read.sum() + there.sum()):.3f}  macro {f1.mean():.3f}"
            f"  region {regions.mean():.2f}  best group read {of_read:.3f}  of all {of_all:.3f}"
        )
    false = [own.max() >= LEAST for each, own in zip(reviewed, odds, strict=True) if each.example.part in _WITHOUT]
    print(f"false regions {np.mean(false):.3f} of {len(false)} articles")


def main() -> None:
    """Trains or checks."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=SHARED / "data")
    ask.add_argument("--scorer", type=Path, default=SHARED / "score/records.py")
    ask.add_argument("--check", action="store_true", help="held out by site; writes nothing")
    options = ask.parse_args()
    spec = importlib.util.spec_from_file_location("scorer", options.scorer)
    if spec is None or spec.loader is None:
        raise SystemExit(f"There is no scorer {options.scorer}.")
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    examples, names = discussions(options.data / "records", scorer)
    examples += silent_pages(options.data / "articles")
    expected = held_out(examples, names)
    reviewed = [example.reviewed(own) for example, own in zip(examples, expected, strict=True)]
    report(reviewed, reviewed_held_out(reviewed))
    if not options.check:
        WRITTEN.mkdir(exist_ok=True)
        train_choosing(examples, names).save(WRITTEN / "choosing.npz")
        train_reviewing(reviewed).save(WRITTEN / "reviewing.npz")


if __name__ == "__main__":
    main()
