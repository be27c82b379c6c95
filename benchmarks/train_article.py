"""Train the default article extractor from pages with gold text, and write its forests.

    python -m benchmarks.train_article [--shared ../shared] [--check [--errors 10] [--repeats 3]]
                                          [--generated FOLDER]

The first forest learns which blocks are main text (`benchmarks/article_examples.py`). From what it says of pages of sites that
it has not seen (folds by domain), a second learns where to cut, and a third which pages are threads. `--check` prints instead
the accuracy on pages of sites that none has seen and writes nothing; `--errors` names the worst pages of each set, to be read.
Posts are read by the forests of `extractors.records`, which have seen some forums of wcxb. Only the sets of
`benchmarks/trainable.py` are used.
Needs catboost (extra `bench`); what ships needs numpy alone.
"""

import argparse
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from catboost import CatBoostClassifier, CatBoostRegressor, Pool
from numpy.typing import NDArray

from benchmarks.article_examples import FOLDS, GENERATED, Example, examples, generated, sets_of
from benchmarks.article_scores import Bags
from benchmarks.forests import forest_of, provenance
from extractors.article.blocks import find_blocks
from extractors.article.cut import best_of, page_cuts
from extractors.article.features import block_features
from extractors.article.judged import text_blocks, thread_blocks
from extractors.article.repeats import drop_repeats
from extractors.article.threads import is_likely, leaves_doubt
from extractors.kernels.forest import Forest
from extractors.page import Page

ROWS_OF_A_PAGE = 40
"""Approximate number of blocks of a page to learn from, drawn by weight; more only cost time."""
TREES, DEPTH, CUT_DEPTH = 600, 6, 5
THREAD_TREES, THREAD_DEPTH = 150, 4
UNLEARNED = ("named apart", "inside named apart")
"""Features that are asked about by `extractors.article.boilerplate` alone: too few pages have them to learn from."""
ALIKE: dict[str, Any] = {
    "l2_leaf_reg": 20,
    "bootstrap_type": "Bernoulli",
    "subsample": 0.7,
    "border_count": 32,
    "thread_count": 1,
    "verbose": 0,
    "allow_writing_files": False,
}
"""What all forests are trained with."""
REPEATS = 3
"""Trainings with another seed: the second forest learns from what varies, and the check tells the mean."""
TAIL = 0.5
"""F1 below which a page counts as lost."""
RIGHT = 0.1
"""So much F1 a page is worth more if it is right."""
OUTPUT = Path(__file__).resolve().parent.parent / "extractors" / "article" / "data"


def train(data: list[Example], names: list[str], chosen: list[int], seed: int = 1) -> Forest:
    """A forest from the chosen pages, of each about `ROWS_OF_A_PAGE` blocks."""
    draw = np.random.default_rng(seed)
    parts = [_drawn(data[place], draw) for place in chosen]
    rows, label, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    model = CatBoostClassifier(
        iterations=TREES,
        depth=DEPTH,
        learning_rate=0.1,
        loss_function="CrossEntropy",
        rsm=0.2,
        random_seed=seed,
        ignored_features=[names.index(name) for name in UNLEARNED],
        **ALIKE,
    )
    model.fit(Pool(rows, label, weight=weight))
    return forest_of(model, names, DEPTH)


def _drawn(example: Example, draw: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """(features, labels, weights) of blocks drawn by their weight; what is drawn counts as much more as it is rarer."""
    weight = example.weight.astype(np.float64)
    chance = np.minimum(1.0, ROWS_OF_A_PAGE * weight / max(1e-9, weight.sum()))
    chosen = np.flatnonzero(draw.random(len(weight)) < chance)
    return example.features[chosen], example.label[chosen], weight[chosen] / chance[chosen]


def held_out(data: list[Example], names: list[str], seed: int) -> list[NDArray[np.float32]]:
    """For each page the probabilities by a forest that saw no page of its site."""
    found: list[NDArray[np.float32]] = [np.zeros(0, np.float32)] * len(data)
    for fold in range(FOLDS):
        forest = train(data, names, [place for place, example in enumerate(data) if example.fold != fold], seed)
        for place, example in enumerate(data):
            if example.fold == fold:
                found[place] = _probability(forest, example)
        print(f"repeat {seed}, fold {fold + 1} of {FOLDS}", flush=True)
    return found


def _probability(forest: Forest, example: Example) -> NDArray[np.float32]:
    scores = np.clip(forest.scores(example.features.T), -30, 30)
    return np.asarray(1 / (1 + np.exp(-scores)), np.float32)


@dataclass
class Cuts:
    """The cuts of one page that were tried: what is known of each, float32[C, G], its F1 and whether it is right, float[C],
    and the same where the page is read as a thread."""

    example: Example
    rows: NDArray[np.float32]
    f1: NDArray[np.float64]
    right: NDArray[np.bool_]
    thread_f1: NDArray[np.float64]
    thread_right: NDArray[np.bool_]


def tried(data: list[Example], names: list[str], probabilities: list[NDArray[np.float32]]) -> list[Cuts]:
    """The cuts of every page whose text is known."""
    return [
        _cuts(example, example.bags, names, probability)
        for example, probability in zip(data, probabilities, strict=True)
        if example.bags
    ]


def _cuts(example: Example, bags: Bags, names: list[str], probability: NDArray[np.float32]) -> Cuts:
    cuts = page_cuts(example.features.T, names, probability, example.visible)
    taken = [probability >= cut for cut in cuts.values]
    known = example.blocks, example.features.T, names, probability
    texts, posts = [text_blocks(*known, each, example.visible) for each in taken], example.posts
    if posts and leaves_doubt(cuts) and posts.are_main_text(probability, example.visible):
        threads = [thread_blocks(example.blocks, posts, probability, each, example.visible) for each in taken]
    else:
        threads = [drop_repeats(example.blocks, each) for each in texts]
    scores = (_columns([bags.score(each) for each in chosen]) for chosen in (texts, threads))
    (f1, right), (thread_f1, thread_right) = scores
    return Cuts(example, cuts.table.T, f1, right, thread_f1, thread_right)


def _columns(scores: list[tuple[float, bool]]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    f1, right = (np.array(column) for column in zip(*scores, strict=True))
    return f1, right


def train_cut(pages: list[Cuts], names: list[str]) -> Forest:
    """A forest that tells what each cut brings beside the first."""
    value = [page.f1 + RIGHT * page.right for page in pages]
    gain = np.concatenate([each - each[0] for each in value])
    weight = np.concatenate([np.full(len(page.f1), page.example.page_weight) for page in pages])
    model = CatBoostRegressor(iterations=TREES, depth=CUT_DEPTH, learning_rate=0.05, rsm=0.3, random_seed=1, **ALIKE)
    model.fit(Pool(np.concatenate([page.rows for page in pages]), gain, weight=weight))
    return forest_of(model, names, CUT_DEPTH)


def train_threads(pages: list[Cuts], names: list[str]) -> Forest:
    """A forest that tells threads by what is known of a page's best expected cut; no made page is a thread."""
    pages = [page for page in pages if page.example.name != GENERATED]
    rows, label = np.array([page.rows[0] for page in pages]), np.array([page.example.is_thread for page in pages])
    model = CatBoostClassifier(
        iterations=THREAD_TREES, depth=THREAD_DEPTH, learning_rate=0.08, rsm=0.5, random_seed=1, **ALIKE
    )
    model.fit(Pool(rows, label))
    return forest_of(model, names, THREAD_DEPTH)


@dataclass
class Score:
    """One page: F1 of bags of tokens, and whether all of the text is there with at most 10 % extra: 1 or 0, or the share of
    several trainings that get it so."""

    page: str
    f1: float
    right: float


def score(page: Cuts, cut: Forest, thread: Forest) -> Score:
    """What the best cut brings, and the posts where the page looks like a thread."""
    best = best_of(cut.scores(page.rows.T), page.rows[:, 0])
    if is_likely(thread, page.rows[:1].T):
        return Score(page.example.number, float(page.thread_f1[best]), float(page.thread_right[best]))
    return Score(page.example.number, float(page.f1[best]), float(page.right[best]))


def report(scores: list[tuple[Example, Score]], errors: int = 0) -> None:
    """Mean scores per set, and each set's `errors` worst pages."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for example, each in scores:
        for group in {example.name, example.kind, "all"}:
            groups[group].append(each)
    for group, found in sorted(groups.items()):
        f1, right, lost = np.mean([(each.f1, each.right, each.f1 < TAIL) for each in found], axis=0)
        print(f"{group:22}{len(found):6}  F1 {f1:.4f}  right {right:.3f}  lost {lost:.3f}")
        for each in sorted(found, key=lambda each: each.f1)[:errors]:
            print(f"    {each.f1:.3f}  {each.page}")


def means(scores: list[tuple[Example, Score]]) -> dict[str, float]:
    """By name mean F1 of each set and each kind of pages in it, and the share of its pages that are right."""
    found: dict[str, list[float]] = defaultdict(list)
    for example, each in scores:
        for group in {example.name, example.kind}:
            found[f"F1 {group}"].append(each.f1)
            found[f"right {group}"].append(each.right)
    return {name: float(np.mean(values)) for name, values in sorted(found.items())}


def check(repeats: list[list[Cuts]], names: list[str]) -> list[tuple[Example, Score]]:
    """Every page as the mean of its repeats, cut by a forest that saw no page of its site."""
    found = []
    for fold in range(FOLDS):
        seen = [page for pages in repeats for page in pages if page.example.fold != fold]
        forests = train_cut(seen, names), train_threads(seen, names)
        real = (pages for pages in zip(*repeats, strict=True) if pages[0].example.name != GENERATED)
        tested = [pages for pages in real if pages[0].example.fold == fold]
        found += [(pages[0].example, _mean([score(page, *forests) for page in pages])) for pages in tested]
    return found


def _mean(scores: list[Score]) -> Score:
    f1, right = np.mean([(each.f1, each.right) for each in scores], axis=0).tolist()
    return Score(scores[0].page, f1, right)


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    ask.add_argument("--check", action="store_true", help="print held-out accuracy and write nothing")
    ask.add_argument("--repeats", type=int, default=REPEATS, help="trainings with another seed")
    ask.add_argument("--errors", type=int, default=0, help="name the N worst pages of each set")
    ask.add_argument(
        "--generated", type=Path, help="also learn from the pages that benchmarks.made_pages has written here"
    )
    args = ask.parse_args()
    OUTPUT.mkdir(exist_ok=True)
    data = list(examples(args.shared))
    data += generated(args.generated, data) if args.generated else []
    names = feature_names()
    cut_names = page_cuts(data[0].features.T, names, data[0].label, data[0].visible).names
    repeats = [tried(data, names, held_out(data, names, seed)) for seed in range(1, args.repeats + 1)]
    checked = check(repeats, cut_names)
    report(checked, args.errors)
    if args.check:
        return
    known = provenance(Counter(each.name for each in data), sets_of(args.shared), means(checked))
    if args.generated:
        known = replace(known, note=f"`{GENERATED}` are made by benchmarks/made_pages.py; the digest is without them")
    forest = train(data, names, list(range(len(data))))
    unseen = [page for pages in repeats for page in pages]
    cut, thread = train_cut(unseen, cut_names), train_threads(unseen, cut_names)
    for name, each in (("body", forest), ("cut", cut), ("thread", thread)):
        replace(each, provenance=known).save(OUTPUT / f"{name}.npz")
    print("on the sites that are held out:")
    held = list(examples(args.shared, held_out=True))
    unseen = tried(held, names, [_probability(forest, example) for example in held])
    report([(page.example, score(page, cut, thread)) for page in unseen], args.errors)
    print(f"written to {OUTPUT}")


def feature_names() -> list[str]:
    """Of the features of blocks, in their order."""
    return block_features(find_blocks(Page(b"<p>text</p>").columns))[1]


if __name__ == "__main__":
    main()
