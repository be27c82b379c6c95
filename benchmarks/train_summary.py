"""Train the forests that choose summaries, and write them.

    python -m benchmarks.train_summary [--shared ../shared] [--check]

`description` learns from editors' descriptions of pages with a title, `headline` from the headlines of the beginnings of articles; only
from sets whose licence allows to ship weights. A candidate is worth the ROUGE-L F1 that it shares with what the editor wrote. `--check`
prints scores on sites that no forest has seen, beside title and beginning, and writes nothing. Needs catboost (extra `bench`).
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from catboost import CatBoost, Pool
from numpy.typing import NDArray

from analysis.summary.candidates import SummaryCandidate, candidates
from analysis.summary.choose import pieces_of
from analysis.summary.sentence_features import NAMES, feature_rows
from analysis.summary.sentences import units
from benchmarks.forests import forest_of, mean_of, provenance
from benchmarks.summary_pages import FOLDS, SummaryPage, summary_pages
from benchmarks.trainable import ARTICLE_SETS
from extractors.kernels.forest import Forest

DEPTH, TREES, SEEDS = 4, 220, (1, 2, 3)
BEGINNING, BEGINNING_OF_LETTERS = 140, 500
"""Characters of a text that its headline is learned from."""
CHINESE_WEIGHT = 3.0
OUTPUT = Path(__file__).resolve().parent.parent / "analysis" / "summary" / "data"


@dataclass(frozen=True, slots=True)
class Example:
    """A page's candidates, float32[C, F], and what each is worth, float64[C]; `beginning` is the number of the plain one."""

    page: SummaryPage
    rows: NDArray[np.float32]
    worth: NDArray[np.float64]
    beginning: int


def description_of(page: SummaryPage) -> Example | None:
    """What is learned from an editor's description."""
    return _example(page, page.title, page.text, page.description) if page.description else None


def headline_of(page: SummaryPage) -> Example | None:
    """What is learned from a headline; the site's name behind it does not belong to it."""
    letters = BEGINNING if _is_chinese(page.text) else BEGINNING_OF_LETTERS
    headline = page.title.split("_")[0].split(" - ")[0].split(" | ")[0]
    return _example(page, "", page.text[:letters], headline)


def _is_chinese(text: str) -> bool:
    return sum("\u4e00" <= letter <= "\u9fff" for letter in text[:200]) > 60


def _example(page: SummaryPage, title: str, text: str, wanted: str) -> Example | None:
    pieces, length = pieces_of(title, text), len(units(wanted))
    if not pieces or length < 4:
        return None
    found = candidates(title, pieces, length)
    worth = np.array([longest_common(units(wanted), units(each.text)) for each in found])
    return Example(page, feature_rows(title, pieces, found, length), worth, _beginning(found, bool(title)))


def _beginning(found: Sequence[SummaryCandidate], with_title: bool) -> int:
    places = (at for at, each in enumerate(found) if each.with_title == with_title and each.pieces[:1] == (0,))
    return next(places, 0)


def longest_common(wanted: list[str], given: list[str]) -> float:
    """ROUGE-L F1: of the longest common subsequence, found with the bits of one number."""
    where: dict[str, int] = {}
    for place, unit in enumerate(wanted):
        where[unit] = where.get(unit, 0) | 1 << place
    full = row = (1 << len(wanted)) - 1
    for unit in given[: len(wanted)]:
        both = row & where.get(unit, 0)
        row = ((row + both) | (row - both)) & full
    common = len(wanted) - row.bit_count()
    return 2 * common / (len(wanted) + min(len(given), len(wanted)))


def train(examples: Sequence[Example], seeds: Sequence[int] = SEEDS) -> Forest:
    """The mean of a forest for each seed."""
    group = np.concatenate([np.full(len(each.worth), number) for number, each in enumerate(examples)])
    weight = np.concatenate([np.full(len(each.worth), _weight(each.page)) for each in examples])
    rows, worth = np.concatenate([e.rows for e in examples]), np.concatenate([e.worth for e in examples])
    return mean_of([_one(Pool(rows, worth, group_id=group, group_weight=weight), seed) for seed in seeds])


def _weight(page: SummaryPage) -> float:
    return CHINESE_WEIGHT if _is_chinese(page.text) else 1.0


def _one(pool: Pool, seed: int) -> Forest:
    model = CatBoost(
        {
            "loss_function": "QuerySoftMax",
            "iterations": TREES,
            "depth": DEPTH,
            "learning_rate": 0.06,
            "rsm": 0.3,
            "l2_leaf_reg": 20,
            "bootstrap_type": "Bernoulli",
            "subsample": 0.7,
            "border_count": 32,
            "thread_count": 1,
            "random_seed": seed,
            "verbose": 0,
            "allow_writing_files": False,
        }
    )
    model.fit(pool)
    return forest_of(model, NAMES, DEPTH)


def check(examples: Sequence[Example]) -> dict[str, float]:
    """Mean ROUGE-L on unseen sites: of the choice, of title and beginning, of the best candidate."""
    chosen, plain, best = [], [], []
    for fold in range(FOLDS):
        forest = train([each for each in examples if each.page.fold != fold], SEEDS[:1])
        for each in (each for each in examples if each.page.fold == fold):
            chosen.append(each.worth[int(forest.scores(each.rows.T).argmax())])
            plain.append(each.worth[each.beginning])
            best.append(each.worth.max())
    return {"chosen": np.mean(chosen), "beginning": np.mean(plain), "best candidate": np.mean(best)}


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    ask.add_argument("--check", action="store_true", help="print scores on unseen sites and write nothing")
    args = ask.parse_args()
    pages = list(summary_pages(args.shared))
    sets = [args.shared / "data" / "articles" / name for name in ARTICLE_SETS]
    for name, read in (("description", description_of), ("headline", headline_of)):
        examples = [found for page in pages if (found := read(page)) is not None]
        scores = check(examples)
        print(
            name, len(examples), "pages:", ", ".join(f"{key} {value:.3f}" for key, value in scores.items()), flush=True
        )
        if not args.check:
            known = provenance(Counter(each.page.group for each in examples), sets, scores)
            replace(train(examples), provenance=known).save(OUTPUT / f"{name}.npz")


if __name__ == "__main__":
    main()
