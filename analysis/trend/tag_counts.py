"""The tag cloud: terms, places and people of a time, with their counts and how they changed against the time before."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from analysis.counts import read_totals
from extractors.topic.lexicon import background_idf
from pipelines.stores.base import Store

KINDS = ("term", "place", "person")
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Tag:
    """`count` pages have it in their title, `before` had it in the time before; `change` is the logarithm to base 2 of its share now by
    its share then. `weight` is what tags are ordered by."""

    text: str
    kind: str
    count: int
    before: int
    change: float
    weight: float


@dataclass(frozen=True, slots=True)
class TagCloud:
    """Tags in falling order of weight; `pages` were counted in the time, `pages_before` in the equally long time before."""

    tags: tuple[Tag, ...]
    pages: int
    pages_before: int


def read_tags(store: Store, since: datetime, until: datetime, *, topic: str = "", most: int = 60) -> TagCloud:
    """The tags of a topic in the whole hours of a time, against as long a time before."""
    start = since - (until - since)
    now = {kind: read_totals(store, since, until, kind, topic=topic) for kind in KINDS}
    then = {kind: read_totals(store, start, since, kind, topic=topic) for kind in KINDS}
    pages = sum(read_totals(store, since, until, "all", topic=topic).values())
    return tag_cloud(now, then, pages, sum(read_totals(store, start, since, "all", topic=topic).values()), most)


def tag_cloud(
    now: Mapping[str, Mapping[str, int]], then: Mapping[str, Mapping[str, int]], pages: int, before: int, most: int = 60
) -> TagCloud:
    """`now` and `then`: by kind the count of each value. A place or person is not listed again as a term."""
    named = {value for kind in ("place", "person") for value in now.get(kind, ())}
    tags = [
        _tag(value, kind, count, then.get(kind, {}).get(value, 0), pages, before)
        for kind in KINDS
        for value, count in now.get(kind, {}).items()
        if not (kind == "term" and value in named)
    ]
    tags.sort(key=lambda tag: (-tag.weight, tag.text))
    return TagCloud(tuple(tags[:most]), pages, before)


def _tag(value: str, kind: str, count: int, before: int, pages: int, pages_before: int) -> Tag:
    share = (count + _HALF) / (pages + 1)
    share_before = (before + _HALF) / (pages_before + 1)
    return Tag(value, kind, count, before, math.log2(share / share_before), count * _rarity(value))


@lru_cache(maxsize=20_000)
def _rarity(word: str) -> float:
    """Rarity of a word in general language, so that common words do not rank first."""
    return max(0.1, background_idf(word))
