"""Trains the forests by which `extractors.records` chooses a page's records, and shows the choice held out by site.

python -m benchmarks.train_records --check                five parts by site: how well unseen sites are read
python -m benchmarks.train_records --check --splits 3     the mean of three ways to split them: one differs by .02 from another
python -m benchmarks.train_records --check --keep DIR     keeps the forests of each split: the next check of the same examples, and
                                                          benchmarks.record_likelihood, need not grow them again
python -m benchmarks.train_records                        trains on all, shows the same, and writes extractors/records/data/*.npz

Of each page the groups that look most like records are read. The first forest learns from the features of a group how well it
reads; the second, from what came out of the groups that the first would have read, which one is right. It learns from the first
one's judgements on sites that the first has not seen. Articles of the kinds that have no discussion are
examples of pages without records. Pages whose licence forbids it (`benchmarks/trainable.py`) are scored and not learned from.
Needs catboost.
"""

import argparse
import hashlib
import importlib.util
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from catboost import CatBoost, Pool
from numpy.typing import NDArray

from benchmarks.forests import forest_of, mean_of, provenance
from benchmarks.record_examples import FOLDS, THREADS, WITHOUT, Example, Reviewed, discussions, silent_pages, threads
from benchmarks.record_scores import fields_of
from extractors.kernels.forest import Forest
from extractors.page import Page
from extractors.records.choose import choose

SHARED = Path(__file__).resolve().parents[2] / "shared"
_CHINESE = frozenset({"zh-news", "zh-gb", "magic-article"})
"""Sets of articles that are mostly Chinese."""
WRITTEN = Path(__file__).resolve().parents[1] / "extractors/records/data"


@dataclass(frozen=True, slots=True)
class Shape:
    """How a forest is grown: as the mean of several, for one alone hangs on its luck with so few pages.

    Attributes:
        unseen: a feature that half of them do not see.
    """

    forests: int
    trees: int
    depth: int
    leaf_penalty: float
    unseen: str = ""


CHOOSING = Shape(forests=3, trees=400, depth=5, leaf_penalty=6)
REVIEWING = Shape(forests=4, trees=300, depth=3, leaf_penalty=10, unseen="expected")
"""What the first forest expects is mostly right; where a site's make misleads it, forests that know nothing of it still see
authors, times and texts."""


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
    table = np.concatenate(tables)
    forests = []
    for seed in range(1, shape.forests + 1):
        if shape.unseen and seed == 1 + (shape.forests + 1) // 2:
            table[:, names.index(shape.unseen)] = 0
        pool = Pool(table, target, weight=np.concatenate(weight))
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
    """The forest that judges all likely groups by their features."""
    examples = [example for example in examples if example.may_train]
    worth, weights = [example.worth for example in examples], [example.weight for example in examples]
    return train([example.features for example in examples], worth, weights, examples[0].names, CHOOSING)


def train_reviewing(reviewed: Sequence[Reviewed]) -> Forest:
    """The forest that judges the groups that were read."""
    reviewed = [each for each in reviewed if each.example.may_train]
    worth = [each.example.worth[each.places] for each in reviewed]
    weights = [each.example.weight for each in reviewed]
    return train([each.table for each in reviewed], worth, weights, reviewed[0].names, REVIEWING)


def grown_apart(
    examples: Sequence[Example], split: int, keep: Path | None = None
) -> tuple[list[dict[str, Forest]], list[Reviewed]]:
    """For each part of the sites both forests that have not seen it, and all pages' groups as they are read by these.

    Args:
        keep: a folder in which forests of the same examples are looked for, and kept.
    """
    folds = [each.fold(split) for each in examples]
    choosing, reviewing = list[Forest](), list[Forest]()
    for fold in range(FOLDS):
        seen = [each for each, own in zip(examples, folds, strict=True) if own != fold]
        choosing.append(_kept(keep, f"choosing-{split}-{fold}", partial(train_choosing, seen), _tables(seen)))
    reviewed = [each.reviewed(choosing[own].scores(each.features.T)) for each, own in zip(examples, folds, strict=True)]
    for fold in range(FOLDS):
        known = [each for each, own in zip(reviewed, folds, strict=True) if own != fold]
        tables = [table for each in known for table in (each.table, each.example.worth[each.places])]
        reviewing.append(_kept(keep, f"reviewing-{split}-{fold}", partial(train_reviewing, known), tables))
    pairs = zip(choosing, reviewing, strict=True)
    return [{"choosing": one, "reviewing": other} for one, other in pairs], reviewed


def _tables(examples: Sequence[Example]) -> list[NDArray[Any]]:
    return [table for each in examples for table in (each.features, each.worth)]


def _kept(folder: Path | None, name: str, grow: Callable[[], Forest], tables: Iterable[NDArray[Any]]) -> Forest:
    """The forest of this name and these tables in the folder, else one that is grown now, and kept there."""
    print(f"{time.process_time():6.0f} s of CPU: {name}", file=sys.stderr, flush=True)
    if folder is None:
        return grow()
    digest = hashlib.blake2b(f"{CHOOSING} {REVIEWING}".encode(), digest_size=8)
    for table in tables:
        digest.update(table.tobytes())
    path = folder / f"{name}-{digest.hexdigest()}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        grow().save(path)
    with path.open("rb") as file:
        return Forest.load(file)


def read_apart(
    examples: Sequence[Example], forests: Sequence[dict[str, Forest]], split: int, scorer: ModuleType
) -> tuple[NDArray[np.int64], dict[str, list[bool]]]:
    """int[examples, 3]: of each page how many records are hit, read, and there are, by forests that have not seen its site;
    and by "set field" whether the field of each hit is right."""
    counts, fields = list[tuple[int, int, int]](), defaultdict[str, list[bool]](list)
    for each in examples:
        known, records = each.source, read_by(each, forests[each.fold(split)])
        pairs = scorer.match(known.records, records, known.kind)
        counts.append((len(pairs), len(records), len(known.records)))
        read = [record | {"time": record["time_text"]} for record in records]
        for name, right in fields_of(scorer, known.records, read, pairs).items():
            fields[f"{each.part} {name}"] += right
    return np.array(counts), fields


def report(examples: Sequence[Example], splits: Sequence[NDArray[np.int64]]) -> None:
    """Prints micro F1, macro F1 (of Chinese pages too) and regions of each set, and false regions: means over the splits."""
    parts = np.array([each.part for each in examples])
    chinese = np.array([each.source.language == "zh" for each in examples])
    for part in sorted({*parts.tolist()} - {"threads", *WITHOUT}):
        own = parts == part
        means = np.mean([_figures(counts[own], chinese[own]) for counts in splits], axis=0)
        best = np.mean([each.f1.max() for each in examples if each.part == part])
        micro, macro, of_chinese, region = means.tolist()
        print(
            f"{part:12} micro {micro:.3f}  macro {macro:.3f}  Chinese {of_chinese:.3f}  region {region:.3f}"
            f"  best group {best:.3f}"
        )
    for name, sets in (("all", set(WITHOUT)), ("Chinese", _CHINESE)):
        silent = np.isin(parts, list(sets))
        false = np.mean([counts[silent, 1] > 0 for counts in splits])
        print(f"false regions, {name}: {false:.4f} of {np.count_nonzero(silent)} articles")


def figures(examples: Sequence[Example], splits: Sequence[NDArray[np.int64]]) -> dict[str, float]:
    """By name micro F1 and regions of each set with known records: means over the splits."""
    parts, found = np.array([each.part for each in examples]), dict[str, float]()
    for part in sorted({*parts.tolist()} - {"threads", *WITHOUT}):
        own = parts == part
        rows = [_figures(counts[own], np.zeros(np.count_nonzero(own), np.bool_)) for counts in splits]
        micro, _, _, region = np.mean(rows, axis=0).tolist()
        found |= {f"F1 {part}": micro, f"region {part}": region}
    return found


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


def read_by(example: Example, forests: dict[str, Forest]) -> list[dict[str, Any]]:
    """The records of a page that is read by these forests."""
    choice = choose(Page(example.source.body, example.source.url), lambda name, _: forests[name])
    return [asdict(record) for record in choice.records] if choice else []


def report_fields(splits: Sequence[dict[str, list[bool]]]) -> None:
    """Prints by set the share of right fields on the records that are hit: means over the splits, and how many there are."""
    for name in sorted({name for split in splits for name in split if name.split()[0] != "threads"}):
        answers = [split[name] for split in splits if split.get(name)]
        if answers:
            share = np.mean([np.mean(each) for each in answers])
            print(f"{name:20} {share:.3f} of {np.mean([len(each) for each in answers]):.0f}")


def main() -> None:
    """Trains or checks."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=SHARED / "data")
    ask.add_argument("--scorer", type=Path, default=SHARED / "score/records.py")
    ask.add_argument("--check", action="store_true", help="held out by site; writes nothing")
    ask.add_argument(
        "--splits", type=int, default=1, help="ways to split the sites into parts, of which means are shown"
    )
    ask.add_argument("--keep", type=Path, help="a folder for the forests of each split")
    options = ask.parse_args()
    spec = importlib.util.spec_from_file_location("scorer", options.scorer)
    if spec is None or spec.loader is None:
        raise SystemExit(f"There is no scorer {options.scorer}.")
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    examples = discussions(options.data / "records", scorer)
    examples += threads(options.data / "articles", scorer, examples)
    examples += silent_pages(options.data / "articles", scorer)
    splits, fields, reviewed = [], list[dict[str, list[bool]]](), list[Reviewed]()
    for split in range(options.splits):
        forests, grown = grown_apart(examples, split, options.keep)
        counts, right = read_apart(examples, forests, split, scorer)
        splits.append(counts)
        fields.append(right)
        reviewed.extend(grown if split == 0 else ())
    report(examples, splits)
    report_fields(fields)
    if not options.check:
        WRITTEN.mkdir(exist_ok=True)
        sets = [options.data / "records" / name for name in ("mixed", "sites", "webforum52")]
        sets += [options.data / "articles" / name for name in sorted({*WITHOUT, *THREADS})]
        known = provenance(Counter(each.part for each in examples if each.may_train), sets, figures(examples, splits))
        replace(train_choosing(examples), provenance=known).save(WRITTEN / "choosing.npz")
        replace(train_reviewing(reviewed), provenance=known).save(WRITTEN / "reviewing.npz")


if __name__ == "__main__":
    main()
