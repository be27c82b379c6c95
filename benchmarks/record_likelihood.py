"""Fits how likely it is that a page has records at all, and shows what each threshold finds and leaves out on unseen sites.

    python -m benchmarks.record_likelihood --splits 3

The forests are grown as by `benchmarks.train_records --check`: each page is judged by forests that have not seen its site, and
by weights that were fitted without its site as well. Only pages that may be trained on are fitted. Prints the weights of
`extractors/records/choose/likelihood.py`, by threshold the share of articles with false regions and the pages lost, and how
often readings of about one likelihood are right. Needs catboost.
"""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from benchmarks.record_examples import FOLDS, WITHOUT, Example, discussions, silent_pages, threads
from benchmarks.record_scores import load_scorer
from benchmarks.train_records import SHARED, grown_apart
from extractors.kernels.forest import Forest
from extractors.page import Page
from extractors.records.choose import choose
from extractors.records.choose.likelihood import signs_of

_THRESHOLDS = (0.2, 0.3, 0.35, 0.4, 0.45, 0.5)
_RIDGE = 1.0
_STEPS = 30
_MIN_HIT = 0.5
"""The share of the records found that must be right, for a region that should not be lost."""


@dataclass(frozen=True, slots=True)
class Judged:
    """N readings: float[N, S] their signs; whether they are right; whether of articles; the fold; whether they may be fitted."""

    signs: NDArray[np.float64]
    right: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    fold: NDArray[np.intp]
    may_train: NDArray[np.bool_]
    articles: int


def judged(examples: Sequence[Example], grown: Sequence[Sequence[dict[str, Forest]]], scorer: ModuleType) -> Judged:
    """The best readings of all pages in each split."""
    rows = []
    for split, forests in enumerate(grown):
        for example in examples:
            fold, source = example.fold(split), example.source
            own = forests[fold]
            choice = choose(Page(source.body, source.url), lambda name, _, own=own: own[name], 0.0)  # type: ignore[misc]
            if choice is None:
                continue
            found = [asdict(record) for record in choice.records]
            hits = len(scorer.match(source.records, found, source.kind)) if source.records else 0
            signs = signs_of(choice.odds, choice.reading)
            silent = example.part in WITHOUT
            rows.append((*signs, hits >= _MIN_HIT * len(found) and hits > 0, silent, fold, example.may_train))
    table = np.array(rows, dtype=np.float64)
    right, silent, fold, may = table[:, -4:].T
    articles = sum(example.part in WITHOUT for example in examples) * len(grown)
    return Judged(table[:, :-4], right > 0, silent > 0, fold.astype(np.intp), may > 0, articles)


def fitted(signs: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The weights of the signs and the bias: logistic regression with a ridge, by Newton's method."""
    mean, scale = signs.mean(0), signs.std(0) + 1e-9
    table = np.column_stack(((signs - mean) / scale, np.ones(len(signs))))
    ridge = np.diag([2 * _RIDGE] * signs.shape[1] + [0.0])
    found = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-table @ found))
        slope = table.T @ (chance - right) + ridge @ found
        found -= np.linalg.solve(table.T @ (table * (chance * (1 - chance))[:, None]) + ridge, slope)
    weights = found[:-1] / scale
    return np.append(weights, found[-1] - weights @ mean)


def held_out(known: Judged) -> NDArray[np.float64]:
    """The likelihood of each reading by weights that were fitted without its part of the sites."""
    found = np.zeros(len(known.right))
    for fold in range(FOLDS):
        own = known.fold == fold
        weights = fitted(known.signs[known.may_train & ~own], known.right[known.may_train & ~own])
        found[own] = 1 / (1 + np.exp(-(known.signs[own] @ weights[:-1] + weights[-1])))
    return found


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=SHARED)
    ask.add_argument("--splits", type=int, default=1, help="ways to split the sites into parts")
    ask.add_argument("--keep", type=Path, help="a folder for the forests of each split, as of benchmarks.train_records")
    options = ask.parse_args()
    scorer, data = load_scorer(options.shared), options.shared / "data"
    known = discussions(data / "records", scorer)
    examples = known + threads(data / "articles", scorer, known) + silent_pages(data / "articles", scorer)
    grown = [grown_apart(examples, split, options.keep)[0] for split in range(options.splits)]
    found = judged([each for each in examples if each.part != "threads"], grown, scorer)
    print("weights and bias", *np.round(fitted(found.signs[found.may_train], found.right[found.may_train]), 2))
    likely = held_out(found)
    for least in _THRESHOLDS:
        false = np.count_nonzero((likely >= least) & found.silent) / found.articles
        lost = np.count_nonzero((likely < least) & found.right)
        print(f"{least:.2f}: false regions {false:.4f}; lost {lost} of {np.count_nonzero(found.right)} right ones")
    for said in np.arange(0, 1, 0.2):
        inside = (likely >= said) & (likely < said + 0.2)
        print(f"likelihood {likely[inside].mean():.2f}: right {found.right[inside].mean():.2f} of {inside.sum()}")


if __name__ == "__main__":
    main()
