"""The files of titles that every table reads, and an index of them."""

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from extractors.titles import Rules, TitleIndex, title_text
from extractors.titles.title_text import cosine

Pair = dict[str, Any]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a gzipped JSON lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def filled(titles: Iterable[str], rules: Rules | None = None) -> TitleIndex:
    """An index of these titles."""
    index = TitleIndex(rules=rules)
    for title in titles:
        index.add(title_text(title))
    return index


def similarity(index: TitleIndex, pair: tuple[str, str]) -> float:
    """Cosine of two titles with the index's idf."""
    one, other = (index.named(title_text(title)) for title in pair)
    numbers = {term: number for number, term in enumerate(one | other)}
    return cosine(*({numbers[term]: weight for term, weight in weights.items()} for weights in (one, other)))
