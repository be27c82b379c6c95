"""Pages of known kind, as the forests of kinds learn from them."""

import gzip
import json
import random
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from benchmarks.trainable import ARTICLE_SETS, is_held_out, site_of
from extractors.article.kinds.all_features import kind_features
from extractors.page import Page

_KIND_OF_TYPE = {"forum": "thread", "listing": "list", "collection": "list"}
_WEIGHT = {"wcxb": 1.0, "snippets": 0.1, "magic-forum": 0.8, "generated": 1.0}
_OTHER_WEIGHT = 0.2
"""Of pages of sets that hold articles alone: there are enough of them."""
_RARER_WEIGHT = 2.0
"""Of WCXB's pages that are no articles."""
_MAX_PAGES = (25, 9)
"""Articles of one generated site; pages of one of its folders of lists."""


@dataclass(frozen=True, eq=False)
class Example:
    """One page: its set, its kind, its site's fold, its weight and its features."""

    name: str
    kind: str
    fold: int
    weight: float
    features: NDArray[np.float32]


def examples(shared: Path, held_out: bool = False) -> Iterator[Example]:
    """The pages of `ARTICLE_SETS` that may be learned from, or those that are held out."""
    for name in ARTICLE_SETS:
        folder = shared / "data" / "articles" / name
        with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if is_held_out(row) != held_out:
                    continue
                body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
                kind = "thread" if name == "magic-forum" else "article"
                if name == "wcxb":
                    kind = _KIND_OF_TYPE.get(row["page_type"], row["page_type"])
                url = row.get("url") or ""
                yield _example(name, kind, site_of(row), url, body)


def generated(folder: Path) -> Iterator[Example]:
    """Pages of generated sites: some of each kind of each site."""
    for file in sorted(folder.glob("*.json")):
        rows = json.loads(file.read_text())
        random.Random(1).shuffle(rows)
        seen: Counter[str] = Counter()
        for row in rows:
            part = f"{row['kind']} {urlsplit(row['url']).path.split('/')[1] if row['kind'] == 'list' else ''}"
            seen[part] += 1
            if seen[part] <= _MAX_PAGES[row["kind"] == "list"]:
                yield _example("generated", row["kind"], file.stem, row["url"], Path(row["file"]).read_bytes())


def _example(name: str, kind: str, site: str, url: str, body: bytes) -> Example:
    weight = _WEIGHT.get(name, _OTHER_WEIGHT) * (_RARER_WEIGHT if name == "wcxb" and kind != "article" else 1)
    features = kind_features(Page(body, url))
    return Example(name, kind, zlib.crc32(site.encode()) % 5, weight, features)
