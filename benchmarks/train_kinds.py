"""Train the forests that tell kinds of pages, and write them.

    python -m benchmarks.train_kinds --sites FOLDER [--shared ../shared] [--check]

They learn from pages of known kind (`benchmarks/kind_examples.py`): those of the article sets, and of blogs that
`benchmarks/kind_sites.py` has made in FOLDER. `--check` prints accuracy on pages of sites that no forest has seen and writes
nothing. Needs catboost (extra `bench`).
"""

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from catboost import CatBoostClassifier, Pool
from numpy.typing import NDArray

from benchmarks.forests import forest_of, provenance
from benchmarks.kind_examples import Example, examples, generated
from benchmarks.trainable import ARTICLE_SETS
from extractors.article.kinds import LEARNED
from extractors.article.kinds.all_features import NAMES
from extractors.kernels.forest import Forest

FOLDS = 5
TREES, DEPTH = 120, 4
BLIND_SHARE = 0.25
"""Share of the pages that are learned from without their address: some pages are read from files."""
OUTPUT = Path(__file__).resolve().parent.parent / "extractors" / "article" / "kinds" / "data"
ADDRESS = [place for place, name in enumerate(NAMES) if name.startswith("address ")]


def train(data: list[Example], seed: int = 1) -> list[Forest]:
    """A forest for each of `LEARNED`."""
    rows, weight = np.stack([each.features for each in data]), [each.weight for each in data]
    blind = np.random.default_rng(seed).random(len(data)) < BLIND_SHARE
    blind &= np.array([each.name != "generated" for each in data])
    rows[np.ix_(np.flatnonzero(blind), np.array(ADDRESS))] = 0
    return [_one(rows, np.array([each.kind == kind for each in data]), weight, seed) for kind in LEARNED]


def _one(rows: NDArray[np.float32], label: NDArray[np.bool_], weight: list[float], seed: int) -> Forest:
    model = CatBoostClassifier(
        iterations=TREES,
        depth=DEPTH,
        learning_rate=0.12,
        rsm=0.2,
        l2_leaf_reg=10,
        bootstrap_type="Bernoulli",
        subsample=0.7,
        border_count=32,
        thread_count=1,
        random_seed=seed,
        verbose=0,
        allow_writing_files=False,
    )
    model.fit(Pool(rows, label.astype(int), weight=weight))
    return forest_of(model, NAMES, DEPTH)


def likely(forests: list[Forest], data: list[Example]) -> NDArray[np.float64]:
    """float64[pages, kinds]: probabilities of `LEARNED`."""
    rows = np.stack([each.features for each in data], axis=1)
    each = 1 / (1 + np.exp(-np.clip([forest.scores(rows) for forest in forests], -30, 30)))
    return np.asarray((each / each.sum(axis=0)).T)


def check(data: list[Example]) -> tuple[NDArray[np.float64], dict[str, float]]:
    """The probabilities of every page by forests that saw no page of its site, and their scores by name."""
    found = np.zeros((len(data), len(LEARNED)))
    for fold in range(FOLDS):
        places = [place for place, each in enumerate(data) if each.fold == fold]
        forests = train([each for each in data if each.fold != fold])
        found[places] = likely(forests, [data[place] for place in places])
    right = np.array([LEARNED[place] == each.kind for place, each in zip(found.argmax(axis=1), data, strict=True)])
    is_article = np.array(
        [(place == 0) == (each.kind == "article") for place, each in zip(found.argmax(axis=1), data, strict=True)]
    )
    wcxb = np.array([each.name == "wcxb" for each in data])
    scores: dict[str, float] = {"kinds wcxb": right[wcxb].mean(), "article or other wcxb": is_article[wcxb].mean()}
    for kind in LEARNED:
        scores[f"{kind} wcxb"] = right[wcxb & np.array([each.kind == kind for each in data])].mean()
    for name in dict.fromkeys(each.name for each in data):
        scores[f"kinds {name}"] = right[np.array([each.name == name for each in data])].mean()
    scores["calibration error"] = _calibration_error(found.max(axis=1)[wcxb], right[wcxb])
    return found, scores


def _calibration_error(stated: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """The mean distance, over ten bins of stated probability, to the share of right pages."""
    which = np.minimum((stated * 10).astype(int), 9)
    gaps: list[Any] = [abs(stated[which == each].sum() - right[which == each].sum()) for each in range(10)]
    return float(sum(gaps) / len(stated))


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    ask.add_argument("--sites", type=Path, required=True, help="the folder that benchmarks.kind_sites has written")
    ask.add_argument("--check", action="store_true", help="print accuracy on unseen sites and write nothing")
    args = ask.parse_args()
    data = [each for each in (*examples(args.shared), *generated(args.sites)) if each.kind in LEARNED]
    scores = check(data)[1]
    for name, score in scores.items():
        print(f"{name:28}{score:.3f}")
    if args.check:
        return
    sets = [args.shared / "data" / "articles" / name for name in ARTICLE_SETS]
    known = provenance(Counter(each.name for each in data), sets, scores)
    known = replace(known, note="`generated` are blogs made by benchmarks/kind_sites.py; the digest is without them")
    for kind, forest in zip(LEARNED, train(data), strict=True):
        replace(forest, provenance=known).save(OUTPUT / f"{kind}.npz")
    print(f"written to {OUTPUT}")


if __name__ == "__main__":
    main()
