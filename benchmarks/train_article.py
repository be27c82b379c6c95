"""Train the default article extractor from pages with gold text, and write its forest.

    python -m benchmarks.train_article [--data ../shared/data/articles] [--check]

Every page becomes blocks with features; a block's label is the share of it that stands in the gold text. `--check`
prints instead the accuracy on pages of sites that the forest has not seen (folds by domain) and writes nothing.
Needs catboost (extra `bench`); what ships needs numpy alone.
"""

import argparse
import gzip
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from catboost import CatBoostClassifier, Pool
from numpy.typing import NDArray

from benchmarks.article_labels import block_labels, tokens_of
from benchmarks.forests import forest_of
from extractors.article.blocks import Blocks
from extractors.article.body import best_threshold
from extractors.article.features import block_features
from extractors.article.forest import Forest
from extractors.page import Page

FOLDS = 5
SET_WEIGHT = {
    "zh-news": 4,
    "zh-blogs": 3,
    "zh-cleaneval": 3,
    "zh-gb": 5,
    "magic-article": 2,
    "magic-forum": 2,
    "aeb": 2,
    "snippets": 2,
}
KIND_WEIGHT = {"forum": 1.7, "service": 1.7, "documentation": 1.7}
OUTPUT = Path(__file__).resolve().parent.parent / "extractors" / "article" / "data"


@dataclass
class Example:
    """One page: its blocks' features, labels, weights and lengths, and the fold of its site."""

    name: str
    kind: str
    fold: int
    blocks: Blocks
    features: NDArray[np.float32]
    label: NDArray[np.float32]
    weight: NDArray[np.float32]
    length: NDArray[np.float32]
    gold_length: int


def examples(folder: Path) -> Iterator[Example]:
    """Every page of every set."""
    for part in sorted(path for path in folder.iterdir() if path.is_dir()):
        with gzip.open(part / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                body = gzip.decompress((part / "pages" / f"{row['id']}.html.gz").read_bytes())
                example = _example(part.name, row, Page(body, row.get("url") or ""))
                if example:
                    yield example


def _example(name: str, row: dict[str, Any], page: Page) -> Example | None:
    blocks = Blocks(page.columns)
    if not len(blocks):
        return None
    features = block_features(blocks)[0].T.copy()
    if row.get("text"):
        label, length = block_labels(blocks, row["text"])
        gold_length = len(tokens_of(row["text"]))
        weight = np.minimum(length / max(30, gold_length) + 0.3 / np.sqrt(len(blocks)), 1.0)
    else:
        label, length, weight = _snippet_labels(blocks, row)
        gold_length = 0
    weight = weight * SET_WEIGHT.get(name, 1) * KIND_WEIGHT.get(row.get("page_type", ""), 1)
    kind = f"{name}.{row.get('page_type')}" if name == "wcxb" else name
    return Example(
        name, kind, _fold(name, row), blocks, features, label, weight.astype(np.float32), length, gold_length
    )


def _snippet_labels(blocks: Blocks, row: dict[str, Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Only blocks that hold a snippet are known; the others get no weight."""
    texts = [_squeeze(blocks.text(number)) for number in range(len(blocks))]
    wanted = [_squeeze(text) for text in row.get("with") or [] if text.strip()]
    unwanted = [_squeeze(text) for text in row.get("without") or [] if text.strip()]
    good = np.array([any(text in block for text in wanted) for block in texts])
    bad = (
        np.array([any(text in block or (len(block) > 6 and block in text) for text in unwanted) for block in texts])
        & ~good
    )
    length = np.array([len(block) for block in texts], np.float32)
    return good.astype(np.float32), length, np.where(good | bad, np.minimum((length + 5) / 300, 1.0), 0.0)


def _squeeze(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _fold(name: str, row: dict[str, Any]) -> int:
    """Pages of one site share a fold; where the gold names none, those whose names begin alike."""
    host = urlsplit(row.get("url") or "").hostname or row.get("site") or f"{name}-{re.split('[-_.]', row['id'])[0]}"
    return zlib.crc32(".".join(host.split(".")[-2:]).encode()) % FOLDS


def train(data: list[Example], matrices: list[NDArray[np.float32]], names: list[str], chosen: list[int]) -> Forest:
    """A forest from the chosen pages."""
    rows = np.concatenate([matrices[place] for place in chosen])
    label = np.concatenate([data[place].label for place in chosen])
    weight = np.concatenate([data[place].weight for place in chosen])
    known = weight > 0
    model = CatBoostClassifier(
        iterations=ITERATIONS,
        depth=6,
        learning_rate=0.1,
        loss_function="CrossEntropy",
        l2_leaf_reg=6,
        bootstrap_type="Bernoulli",
        subsample=0.7,
        rsm=0.3,
        border_count=64,
        random_seed=1,
        thread_count=2,
        verbose=0,
        allow_writing_files=False,
    )
    model.fit(Pool(rows[known], label[known], weight=weight[known]))
    return forest_of(model, names, 6)


ITERATIONS = 340


def held_out(data: list[Example], matrices: list[NDArray[np.float32]], names: list[str]) -> list[NDArray[np.float32]]:
    """For each page the probabilities by a forest that saw no page of its site."""
    found: list[NDArray[np.float32]] = [np.zeros(0, np.float32)] * len(data)
    for fold in range(FOLDS):
        forest = train(data, matrices, names, [place for place, example in enumerate(data) if example.fold != fold])
        for place, example in enumerate(data):
            if example.fold == fold:
                found[place] = 1 / (1 + np.exp(-forest.scores(matrices[place].T)))
        print(f"fold {fold + 1} of {FOLDS}", flush=True)
    return found


def report(data: list[Example], probabilities: list[NDArray[np.float32]]) -> None:
    """F1 by label and length, and the share of pages with all of the text and at most 10 % extra, per set."""
    groups: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for example, probability in zip(data, probabilities, strict=True):
        if example.gold_length:
            visible = example.blocks.sums(example.blocks.columns.counts("visible"))
            taken = probability >= best_threshold(probability, visible)
            hit = float((taken * example.label * example.length).sum())
            precision = hit / max(1.0, float((taken * example.length).sum()))
            recall = min(1.0, hit / example.gold_length)
            f1 = 2 * precision * recall / (precision + recall) if hit else 0.0
            for group in {example.name, example.kind}:
                groups[group].append((f1, recall >= 0.98 and precision >= 1 / 1.1))
    for group in sorted(groups):
        rows = np.array(groups[group])
        print(f"{group:22}{len(rows):6}  F1 {rows[:, 0].mean():.3f}  right {rows[:, 1].mean():.3f}")


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", type=Path, default=Path("../shared/data/articles"))
    ask.add_argument("--check", action="store_true", help="print held-out accuracy and write nothing")
    args = ask.parse_args()
    OUTPUT.mkdir(exist_ok=True)
    data = list(examples(args.data))
    names = block_features(data[0].blocks)[1]
    matrices = [example.features for example in data]
    if args.check:
        report(data, held_out(data, matrices, names))
        return
    train(data, matrices, names, list(range(len(data)))).save(OUTPUT / "body.npz")
    print(f"written to {OUTPUT}")


if __name__ == "__main__":
    main()
