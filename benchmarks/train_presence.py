"""Trains the forest that says whether a page may have records, and shows what it misses on sites that it has not seen.

    python -m benchmarks.train_presence --check [--splits 5] [--web FOLDER]    prints the folds; writes nothing
    python -m benchmarks.train_presence                                        trains, writes extractors/records/data/presence.npz

A page has records if its gold says so, or, where records are not in the gold, if `extractors.records.choose` finds some: a
likelihood near the limit counts less. It learns from pages that may be trained on (`benchmarks/trainable.py`) and are not held
out; all others are judged by forests that have not seen their site. `--web` also counts pages of a served web
(FOLDER/pages-*.jsonl with url, file, web, host), from which nothing is learned. Needs catboost.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from catboost import CatBoostClassifier, Pool
from numpy.typing import NDArray

from benchmarks.forests import forest_of, mean_of, provenance
from benchmarks.record_examples import FOLDS, pages
from benchmarks.trainable import ARTICLE_SETS, is_held_out, may_train_on_records, site_of
from extractors.kernels.forest import Forest
from extractors.page import Page
from extractors.records.choose import choose
from extractors.records.presence import (
    MIN_ALIKE_TIMES,
    MIN_ELEMENTS,
    MIN_ODDS,
    NAMES,
    TIME_NAMES,
    presence_features,
)

SHARED = Path(__file__).resolve().parents[2] / "shared"
RECORD_SETS = ("mixed", "sites", "webforum52")
FORESTS, TREES, DEPTH = 3, 250, 4
OUTPUT = Path(__file__).resolve().parent.parent / "extractors/records/data/presence.npz"
_GOLD_WEIGHT = 3.0
_MORE_IS_LIKELIER = frozenset(
    (*TIME_NAMES[: TIME_NAMES.index("holders") + 1], "structure says replying", "markup type thread")
)
"""Features that may only increase the odds of records."""
_UNSURE, _SURE = 0.3, 0.7
"""Likelihoods of found records from which they count a little, and in full."""
_LIKELY = 0.6
_MAX_OF_SITE = 20
"""Pages of a site from which it does not count more."""
_PROCESSES = 2


@dataclass(frozen=True, slots=True)
class Known:
    """A page as it stands on the disk: its set, site, address, source; whether gold has records (None: not in the gold), and
    whether it may be learned from."""

    part: str
    site: str
    url: str
    body: bytes
    gold: bool | None
    may_train: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A page's features, the likelihood of the records that are found (0 for none), whether it is asked about at all."""

    part: str
    site: str
    gold: bool | None
    may_train: bool
    features: NDArray[np.float32]
    likelihood: float
    asked: bool

    @property
    def has_records(self) -> bool:
        """By its gold, else by what is found."""
        return self.likelihood > 0 if self.gold is None else self.gold

    @property
    def weight(self) -> float:
        """How much it counts in training."""
        if self.gold:
            return _GOLD_WEIGHT
        sure = (self.likelihood - _UNSURE) / (_SURE - _UNSURE)
        return min(1.0, max(0.1, sure)) if self.has_records else 1.0

    def fold(self, split: int) -> int:
        """Which of the parts its site belongs to, where sites are split in this way."""
        return blake2b(f"{self.site}{split}".encode(), digest_size=2).digest()[0] % FOLDS


def known_pages(data: Path) -> Iterator[Known]:
    """The pages of all sets."""
    for name in RECORD_SETS:
        for row, page in pages(data / "records" / name):
            may = may_train_on_records(row) and not is_held_out(row)
            yield Known(name, row["site"], page.url, page.body, bool(row["records"]), may)
    for folder in sorted((data / "articles").iterdir()):
        if (folder / "gold.jsonl.gz").exists():
            for row, page in pages(folder):
                may = folder.name in ARTICLE_SETS and not is_held_out(row)
                yield Known(folder.name, site_of(row), page.url, page.body, None, may)


def web_pages(folder: Path) -> Iterator[Known]:
    """The pages of a served web."""
    for file in sorted(folder.glob("pages-*.jsonl")):
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            path = folder / row["file"]
            if path.exists():
                yield Known(f"web {row['web']}", row["host"], row["url"], path.read_bytes(), None, False)


def example_of(known: Known) -> Example:
    """The page is read."""
    page = Page(known.body, known.url)
    choice = choose(page)
    features = presence_features(page)
    asked = len(page.columns) >= MIN_ELEMENTS and np.expm1(features[NAMES.index("times alike")]) < MIN_ALIKE_TIMES - 0.5
    likelihood = choice.likelihood if choice else 0.0
    return Example(known.part, known.site, known.gold, known.may_train, features, likelihood, bool(asked))


def examples(pages_: Iterator[Known]) -> list[Example]:
    """Of all pages, in their order."""
    with ProcessPoolExecutor(_PROCESSES) as pool:
        return list(pool.map(example_of, pages_, chunksize=20))


def train(data: Sequence[Example], seed: int = 0) -> Forest:
    """The forest that gives the log odds that a page has records."""
    data = [each for each in data if each.may_train]
    rows, label = np.stack([each.features for each in data]), [int(each.has_records) for each in data]
    of_site = Counter(each.site for each in data)
    weight = [each.weight * min(1.0, _MAX_OF_SITE / of_site[each.site]) for each in data]
    pool = Pool(rows, label, weight=weight)
    forests = []
    for number in range(1, FORESTS + 1):
        model = CatBoostClassifier(
            iterations=TREES,
            depth=DEPTH,
            learning_rate=0.08,
            rsm=0.4,
            l2_leaf_reg=5,
            bootstrap_type="Bernoulli",
            subsample=0.8,
            border_count=64,
            monotone_constraints=[int(name in _MORE_IS_LIKELIER) for name in NAMES],
            thread_count=2,
            random_seed=10 * seed + number,
            verbose=0,
            allow_writing_files=False,
        )
        model.fit(pool)
        forests.append(forest_of(model, NAMES, DEPTH))
    return mean_of(forests)


def judged(data: Sequence[Example], split: int) -> NDArray[np.float64]:
    """float64[pages]: the log odds of each page by the forest that has not seen its part of the sites; inf for pages that are
    searched without asking."""
    rows, folds = np.stack([each.features for each in data], axis=1), np.array([each.fold(split) for each in data])
    found = np.zeros(len(data))
    for fold in range(FOLDS):
        forest = train([each for each, own in zip(data, folds.tolist(), strict=True) if own != fold], split)
        found[folds == fold] = forest.scores(rows[:, folds == fold])
    return np.where([each.asked for each in data], found, np.inf)


def figures(data: Sequence[Example], odds: NDArray[np.float64], limit: float) -> dict[str, float]:
    """By name shares of pages that are not searched, and numbers of pages with records among them."""
    spared, gold = odds < limit, np.array([each.gold is True for each in data])
    parts, has = np.array([each.part for each in data]), np.array([each.has_records for each in data])
    surely = has & np.array([each.likelihood > _LIKELY for each in data])
    groups = {"articles": ~gold & np.array([each.gold is None and not each.part.startswith("web ") for each in data])}
    groups |= {part: parts == part for part in sorted({*parts.tolist()}) if part.startswith("web ")}
    found = {"missed gold": float(np.sum(spared & gold)), "of gold": float(np.sum(gold))}
    for name, own in groups.items():
        found |= {
            f"spared {name}": float(spared[own].mean()),
            f"missed {name}": float(np.sum(spared & own & has)),
            f"likely missed {name}": float(np.sum(spared & own & surely)),
            f"of likely {name}": float(np.sum(own & surely)),
        }
    return found


def report(data: Sequence[Example], splits: Sequence[NDArray[np.float64]]) -> dict[str, float]:
    """Prints for some limits the means and the span over the splits; the means for the one in use."""
    gold = [np.array([each.gold is True for each in data])]
    print("worst pages with gold records:", *(np.round(np.sort(odds[gold[0]])[:3], 2).tolist() for odds in splits))
    for limit in (MIN_ODDS - 1, MIN_ODDS - 0.5, MIN_ODDS, MIN_ODDS + 0.5):
        every = [figures(data, odds, limit) for odds in splits]
        print(f"limit {limit}")
        for name in every[0]:
            values = [each[name] for each in every]
            print(f"  {name:28}{np.mean(values):9.3f}  ({min(values):.3f} … {max(values):.3f})")
    every = [figures(data, odds, MIN_ODDS) for odds in splits]
    shares = [name for name in every[0] if name.startswith("spared")]
    return {name: float(np.mean([each[name] for each in every])) for name in shares}


def main() -> None:
    """Trains or checks."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=SHARED)
    ask.add_argument("--web", type=Path, help="a folder with a served web, which is only judged")
    ask.add_argument("--splits", type=int, default=3, help="ways to split the sites into parts")
    ask.add_argument("--check", action="store_true", help="held out by site; writes nothing")
    options = ask.parse_args()
    data = examples(known_pages(options.shared / "data"))
    web = examples(web_pages(options.web)) if options.web else []
    scores = report([*data, *web], [judged([*data, *web], split) for split in range(options.splits)])
    if options.check:
        return
    sets = [options.shared / "data/records" / name for name in RECORD_SETS]
    sets += [options.shared / "data/articles" / name for name in ARTICLE_SETS]
    known: Any = provenance(Counter(each.part for each in data if each.may_train), sets, scores)
    replace(train(data), provenance=known).save(OUTPUT)
    print(f"written to {OUTPUT}")


if __name__ == "__main__":
    main()
