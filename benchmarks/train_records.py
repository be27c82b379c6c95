"""Trains the forests by which `extractors.records` chooses a page's records, and shows the choice held out by site.

python -m benchmarks.train_records --check                five parts by site: how well unseen sites are read
python -m benchmarks.train_records --check --splits 3     the mean of three ways to split them: one differs by .02 from another
python -m benchmarks.train_records                        trains on all, shows the same, and writes extractors/records/data/*.npz

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
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from catboost import CatBoost, Pool
from numpy.typing import NDArray

from benchmarks.forests import forest_of, mean_of
from extractors.article.forest import Forest
from extractors.columns import Columns
from extractors.page import Page
from extractors.records.candidates import Group, Members, called, find_groups
from extractors.records.choosing import MEASURED, choose, review, worth_reading
from extractors.records.measures import Measures
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


_THREADS = ("wcxb", "magic-forum")
"""Sets of articles with pages of forums."""
_HELD = 0.6
"""How alike the main text and that of the records must be."""
_TOLD = 0.9
_SURELY = ("authors told", "times told", "keys differ", "kept")
_RECORDS = 3
_WEIGHT_WITHOUT, _WEIGHT_THREADS, _WEIGHT_LISTS = 0.5, 0.4, 2.0
"""There are few lists and many threads, and what is right on these is not known for sure."""
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


@dataclass(frozen=True, slots=True)
class Source:
    """A page as it is read anew, and what is known of it."""

    body: bytes
    url: str
    records: list[dict[str, Any]]
    kind: str = ""
    language: str = ""


@dataclass
class Example:
    """A page's G groups: measures[G, F], their outcomes and members, of each group hits, records read, and records there
    are: int[G, 3], and the share of fields that are right on the hits: float[G]."""

    part: str
    site: str
    source: Source
    columns: Columns
    measures: NDArray[np.float32]
    names: list[str]
    groups: list[Group]
    outcomes: list[Row]
    members: list[Members]
    counts: NDArray[np.int64]
    told: NDArray[np.float64]

    @property
    def worth(self) -> NDArray[np.float64]:
        """What a forest should expect of each group: its F1, lowered where its records do not hold their fields."""
        return np.asarray(self.f1 * (1 - _FIELDS + _FIELDS * self.told))

    @property
    def weight(self) -> float:
        """How much each of its groups counts in training."""
        if self.part in _WITHOUT:
            return _WEIGHT_WITHOUT
        return _WEIGHT_THREADS if self.part == "threads" else _WEIGHT_LISTS if self.source.kind == "forum_list" else 1.0

    @property
    def f1(self) -> NDArray[np.float64]:
        """Of each group."""
        return np.asarray(2 * self.counts[:, 0] / np.maximum(1, self.counts[:, 1] + self.counts[:, 2]))

    def fold(self, split: int) -> int:
        """Which of the parts its site belongs to, where sites are split in this way."""
        return hashlib.blake2b(f"{self.site}{split or ''}".encode(), digest_size=2).digest()[0] % _FOLDS

    def reviewed(self, expected: NDArray[np.float32]) -> "Reviewed":
        """The groups that would be read, by what is expected of all."""
        places = worth_reading(expected, self.members, self.columns)
        table, names = review(
            [self.outcomes[place] for place in places],
            [self.members[place] for place in places],
            expected[places],
            dict(zip(self.names, self.measures[places].T, strict=True)),
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


def examined(part: str, site: str, source: Source, page: Page, scorer: ModuleType) -> Example | None:
    """What is measured of a page's likely groups, and how well each of them reads; None for a page without any."""
    signals = Signals(page.columns)
    groups = find_groups(signals)
    if not groups:
        return None
    likely = [groups[place] for place in Measures(groups, signals).likely(MEASURED).tolist()]
    table, names = Measures(likely, signals).table()
    rows, counts, told = [], [], []
    for row, records in readings(page, signals, likely):
        pairs = scorer.match(source.records, records, source.kind)
        rows.append(row)
        counts.append((len(pairs), len(records), len(source.records)))
        told.append(fields_right(scorer, source.records, records, pairs))
    judged = rows, [group.members for group in likely], np.array(counts), np.array(told)
    return Example(part, site, source, page.columns, table.T.copy(), names, likely, *judged)


def readings(page: Page, signals: Signals, groups: Sequence[Group]) -> Iterator[tuple[Row, list[dict[str, Any]]]]:
    """What comes out of reading each group, and the records."""
    for group in groups:
        reader = Reader(page, signals, group)
        yield outcome(reader, reader.read()), [asdict(record) for record in reader.records()]


def discussions(data: Path, scorer: ModuleType) -> list[Example]:
    """Pages with gold records."""
    found = []
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        for row, page in pages(folder):
            source = Source(page.body, page.url, row["records"], row["page_type"], row["lang"])
            found.append(examined(folder.name, row["site"], source, page, scorer))
    return [example for example in found if example]


def threads(data: Path, scorer: ModuleType, known: Sequence[Example]) -> list[Example]:
    """Pages of forums of which the main text is known: the records that hold it, with author and time, are taken for right."""
    bodies, sites, found = {each.source.body for each in known}, {each.site for each in known}, []
    for name in _THREADS:
        for row, page in pages(data / name):
            if row.get("page_type") != "forum" or not row.get("text") or page.body in bodies:
                continue
            records = holding(page, row["text"], scorer)
            if not records:
                continue
            host = urlsplit(page.url).netloc
            bare = host.removeprefix("www.")
            source = Source(page.body, page.url, records, "forum_thread")
            found.append(examined("threads", bare if bare in sites else host, source, page, scorer))
    return [example for example in found if example]


def holding(page: Page, text: str, scorer: ModuleType) -> list[dict[str, Any]]:
    """The records of the group that best holds a text and tells authors and times; none where no group does so surely."""
    signals = Signals(page.columns)
    groups = find_groups(signals)
    likely = [groups[place] for place in Measures(groups, signals).likely(MEASURED).tolist()] if groups else []
    wanted, best, surest = scorer.tokens(text), 0.0, []
    for row, records in readings(page, signals, likely):
        said = ((record["title"] + " " if row["list"] else "") + record["text"] for record in records)
        held = float(scorer.f1(wanted, scorer.tokens(" ".join(said))))
        told = 0.4 + 0.3 * row["authors told"] + 0.3 * row["times told"]
        worth = held * told * row["keys differ"] * math.sqrt(row["kept"]) * (1 - row["text brief"])
        if worth > best:
            best = worth
            sure = held >= _HELD and min(row[name] for name in _SURELY) >= _TOLD and len(records) >= _RECORDS
            surest = [record | {"time": record["time_text"]} for record in records] if sure else []
    return surest


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


def silent_pages(data: Path, scorer: ModuleType) -> list[Example]:
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
            example = examined(name, str(row["id"]), Source(page.body, page.url, []), page, scorer)
            if example and not is_discussed(example):
                found.append(example)
    return found


def is_discussed(example: Example) -> bool:
    """Whether a page holds what it calls comments, with times."""
    timed = example.measures[:, example.names.index("has time")]
    return any(
        len(group.members) > 2 and share > 0.5 and _DISCUSSED.search(called(group, example.columns)) is not None
        for group, share in zip(example.groups, timed.tolist(), strict=True)
    )


def train(
    tables: Sequence[NDArray[np.float32]],
    worth: Sequence[NDArray[np.float64]],
    weights: Sequence[float],
    names: list[str],
    shape: Shape,
) -> Forest:
    """The forest that expects how well each group reads, as log odds."""
    weight = [np.full(len(each), own) for each, own in zip(worth, weights, strict=True)]
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


def train_choosing(examples: Sequence[Example]) -> Forest:
    """The forest that looks at what is measured of all groups."""
    worth, weights = [example.worth for example in examples], [example.weight for example in examples]
    return train([example.measures for example in examples], worth, weights, examples[0].names, CHOOSING)


def train_reviewing(reviewed: Sequence[Reviewed]) -> Forest:
    """The forest that looks at the groups that were read."""
    worth = [each.example.worth[each.places] for each in reviewed]
    weights = [each.example.weight for each in reviewed]
    return train([each.table for each in reviewed], worth, weights, reviewed[0].names, REVIEWING)


def grown_apart(examples: Sequence[Example], split: int) -> tuple[list[dict[str, Forest]], list[Reviewed]]:
    """For each part of the sites both forests that have not seen it, and all pages' groups as they are read by these."""
    folds = [each.fold(split) for each in examples]
    choosing = [
        train_choosing([each for each, own in zip(examples, folds, strict=True) if own != fold])
        for fold in range(_FOLDS)
    ]
    reviewed = [each.reviewed(choosing[own].scores(each.measures.T)) for each, own in zip(examples, folds, strict=True)]
    reviewing = [
        train_reviewing([each for each, own in zip(reviewed, folds, strict=True) if own != fold])
        for fold in range(_FOLDS)
    ]
    pairs = zip(choosing, reviewing, strict=True)
    return [{"choosing": one, "reviewing": other} for one, other in pairs], reviewed


def read_apart(
    examples: Sequence[Example], forests: Sequence[dict[str, Forest]], split: int, scorer: ModuleType
) -> NDArray[np.int64]:
    """int[examples, 3]: of each page how many records are hit, read, and there are, by forests that have not seen its site."""
    return np.array([counted(each, forests[each.fold(split)], scorer) for each in examples])


def report(examples: Sequence[Example], splits: Sequence[NDArray[np.int64]]) -> None:
    """Prints micro F1, macro F1 (of Chinese pages too) and regions of each set, and false regions: means over the splits."""
    parts = np.array([each.part for each in examples])
    chinese = np.array([each.source.language == "zh" for each in examples])
    for part in sorted({*parts.tolist()} - {"threads", *_WITHOUT}):
        own = parts == part
        means = np.mean([_figures(counts[own], chinese[own]) for counts in splits], axis=0)
        best = np.mean([each.f1.max() for each in examples if each.part == part])
        micro, macro, of_chinese, region = means.tolist()
        print(
            f"{part:12} micro {micro:.3f}  macro {macro:.3f}  Chinese {of_chinese:.3f}  region {region:.3f}"
            f"  best group {best:.3f}"
        )
    silent = np.isin(parts, list(_WITHOUT))
    false = np.mean([counts[silent, 1] > 0 for counts in splits])
    print(f"false regions {false:.3f} of {np.count_nonzero(silent)} articles")


def _figures(counts: NDArray[np.int64], chinese: NDArray[np.bool_]) -> tuple[float, float, float, float]:
    hits, read, there = counts.T
    f1 = 2 * hits / np.maximum(1, read + there)
    regions = (hits >= 0.8 * read) & (hits >= 0.8 * there) & (read > 0)
    micro = 2 * hits.sum() / (read.sum() + there.sum())
    return (
        float(micro),
        float(f1.mean()),
        float(f1[chinese].mean()) if chinese.any() else math.nan,
        float(regions.mean()),
    )


def counted(example: Example, forests: dict[str, Forest], scorer: ModuleType) -> tuple[int, int, int]:
    """How many records are hit, read, and there are, where a page is read by these forests."""
    page, source = Page(example.source.body, example.source.url), example.source
    choice = choose(page, Signals(page.columns), lambda name, _: forests[name])
    records = [asdict(record) for record in choice.records] if choice else []
    return len(scorer.match(source.records, records, source.kind)), len(records), len(source.records)


def main() -> None:
    """Trains or checks."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=SHARED / "data")
    ask.add_argument("--scorer", type=Path, default=SHARED / "score/records.py")
    ask.add_argument("--check", action="store_true", help="held out by site; writes nothing")
    ask.add_argument(
        "--splits", type=int, default=1, help="ways to split the sites into parts, of which means are shown"
    )
    options = ask.parse_args()
    spec = importlib.util.spec_from_file_location("scorer", options.scorer)
    if spec is None or spec.loader is None:
        raise SystemExit(f"There is no scorer {options.scorer}.")
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    examples = discussions(options.data / "records", scorer)
    examples += threads(options.data / "articles", scorer, examples)
    examples += silent_pages(options.data / "articles", scorer)
    splits, reviewed = [], list[Reviewed]()
    for split in range(options.splits):
        forests, grown = grown_apart(examples, split)
        splits.append(read_apart(examples, forests, split, scorer))
        reviewed.extend(grown if split == 0 else ())
    report(examples, splits)
    if not options.check:
        WRITTEN.mkdir(exist_ok=True)
        train_choosing(examples).save(WRITTEN / "choosing.npz")
        train_reviewing(reviewed).save(WRITTEN / "reviewing.npz")


if __name__ == "__main__":
    main()
