"""Pages with known main text, as the article extractor learns from them: blocks with features and labels.

A block's label is the share of it that is in the gold text. Only the sets of `benchmarks.trainable` are read.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.article_labels import block_labels, tokens_of
from benchmarks.article_scores import Bags
from benchmarks.trainable import ARTICLE_SETS, is_held_out, site_of
from extractors.article.blocks import Blocks, find_blocks
from extractors.article.features import block_features
from extractors.article.threads import Posts, find_posts
from extractors.page import Page

FOLDS = 5
KINDS_OF_THREAD = ("magic-forum", "wcxb.forum")
SET_WEIGHT = {
    "zh-news": 2,
    "zh-blogs": 1.7,
    "zh-gb": 2.2,
    "magic-article": 1.4,
    "magic-forum": 1.4,
    "aeb": 1.4,
    "snippets": 1.4,
}
KIND_WEIGHT = {"forum": 1.3, "service": 1.3, "documentation": 1.3}
GENERATED = "generated"
"""The name of pages that `benchmarks.made_pages` has made: learned from, and never scored."""
GENERATED_SHARE = 0.05
"""What all of them count together, beside all others."""


@dataclass
class Example:
    """One page: its number in its set, its site's fold, its blocks, their features, labels, weights and visible characters, the
    posts that are read on it, and the tokens of its blocks and of its gold text (None where only snippets are known)."""

    number: str
    name: str
    kind: str
    fold: int
    blocks: Blocks
    features: NDArray[np.float32]
    label: NDArray[np.float32]
    weight: NDArray[np.float32]
    visible: NDArray[np.int64]
    posts: Posts | None
    bags: Bags | None
    page_weight: float

    @property
    def is_thread(self) -> bool:
        """Whether the page's main text are posts."""
        return self.kind in KINDS_OF_THREAD


def sets_of(shared: Path) -> list[Path]:
    """The folders of all pages that are learned from."""
    return [shared / "data" / "articles" / name for name in ARTICLE_SETS]


def examples(shared: Path, held_out: bool = False) -> Iterator[Example]:
    """The pages of every set that may be learned from, or those that are held out."""
    for folder in sets_of(shared):
        with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if is_held_out(row) != held_out:
                    continue
                if example := _of_row(folder, folder.name, row):
                    yield example


def generated(folder: Path, beside: list[Example]) -> list[Example]:
    """The pages that `benchmarks.made_pages` has written; together they weigh `GENERATED_SHARE` of those beside them."""
    with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        pages = [(_of_row(folder, GENERATED, row), _fold(row["site"])) for row in map(json.loads, lines)]
    found = [replace(page, fold=fold) for page, fold in pages if page]
    blocks = GENERATED_SHARE * sum(each.weight.sum() for each in beside) / sum(each.weight.sum() for each in found)
    whole = GENERATED_SHARE * sum(each.page_weight for each in beside if each.bags) / len(found)
    return [replace(each, weight=each.weight * np.float32(blocks), page_weight=whole) for each in found]


def _fold(site: str) -> int:
    return zlib.crc32(site.encode()) % FOLDS


def _of_row(folder: Path, name: str, row: dict[str, Any]) -> Example | None:
    body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
    return _example(name, row, Page(body, row.get("url") or ""))


def _example(name: str, row: dict[str, Any], page: Page) -> Example | None:
    blocks = find_blocks(page.columns)
    if not len(blocks):
        return None
    features = block_features(blocks)[0].T.copy()
    gold = tokens_of(row.get("text") or "")
    bags = Bags([tokens_of(blocks.text(number)) for number in range(len(blocks))], gold) if gold else None
    if gold:
        label, length = block_labels(blocks, row["text"])
        weight = np.minimum(length / max(30, len(gold)) + 0.3 / np.sqrt(len(blocks)), 1.0)
    else:
        label, weight = _snippet_labels(blocks, row)
    weight = weight * SET_WEIGHT.get(name, 1) * KIND_WEIGHT.get(row.get("page_type", ""), 1)
    kind = f"{name}.{row.get('page_type')}" if name == "wcxb" else name
    number, visible = str(row["id"]), blocks.sums(page.columns.counts("visible"))
    known = (
        blocks,
        features,
        label,
        weight.astype(np.float32),
        visible,
        find_posts(page, blocks),
        bags,
        SET_WEIGHT.get(name, 1.0),
    )
    return Example(number, name, kind, _fold(site_of(row)), *known)


def _snippet_labels(blocks: Blocks, row: dict[str, Any]) -> tuple[NDArray[Any], NDArray[Any]]:
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
    return good.astype(np.float32), np.where(good | bad, np.minimum((length + 5) / 300, 1.0), 0.0)


def _squeeze(text: str) -> str:
    return re.sub(r"\s+", "", text)
