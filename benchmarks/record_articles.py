"""Pages of articles: on how many records are found although they have none."""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from extractors.page import Page

_SETS = ("zh-news", "zh-gb", "zh-cleaneval", "aeb", "wcxb")
_WITH_RECORDS = ("forum", "listing", "collection")
"""Kinds of page in these sets that show records by their nature."""

WITH_COMMENTS = frozenset(
    (
        "zh-news/gne-163-7",
        "zh-news/gne-163-9",
        "zh-news/gne-guancha-3",
        "zh-news/gne-sina-4",
        "zh-news/gne-sina-5",
        "zh-news/gne-thepaper-5",
        "zh-cleaneval/zh-handcraft-5acac71b-e2db",
        "zh-cleaneval/zh-handcraft-9b1e5dcb-3a68",
        "zh-cleaneval/zh-handcraft-a6e8b739-734a",
        "magic-article/mh-bb5f5ce0c70bc623",
        "magic-article/mh-cb4a1e416d42539a",
        "aeb/3252222e61fe7898",
        "aeb/ec7fc408c5ce66c2",
        "aeb/8e3efab59f48fd29",
        "aeb/c582d3b772578e8f",
        "wcxb/0384",
        "wcxb/0396",
        "wcxb/0427",
        "wcxb/0628",
        "wcxb/2453",
        "wcxb/4050",
        "wcxb/4150",
        "wcxb/4267",
        "wcxb/4449",
        "wcxb/4704",
    )
)
"""Pages whose records are readers' comments and reviews indeed, as people have seen."""


def false_regions(shared: Path, most: int) -> None:
    """Prints the share of pages on which records are found, and each of these for people to look at."""
    sample = list(article_pages(shared, most))
    pages = [(name, page) for name, page in sample if name not in WITH_COMMENTS]
    found = [(name, page) for name, page in pages if page.records.records]
    share = len(found) / max(1, len(pages))
    left_out = f"{len(sample) - len(pages)} of {len(sample)} pages have comments and are left out"
    print(
        f"\nrecords are found on {len(found)} of {len(pages)} pages of articles without any ({share:.1%}); {left_out}:"
    )
    for name, page in found:
        first = page.records.records[0]
        shown = " ".join((first.title or first.text).split())[:60]
        print(
            f"  {name:40} {page.records.kind:12} {len(page.records.records):3}  {page.records.confidence:.2f}  {shown}"
        )


def article_pages(shared: Path, most: int) -> Iterator[tuple[str, Page]]:
    """A reproducible sample, an equal share of each set as far as it has enough."""
    kept: list[tuple[str, dict[str, Any]]] = []
    left = most
    for place, name in enumerate(_SETS):
        with gzip.open(shared / "data/articles" / name / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if row.get("page_type") not in _WITH_RECORDS]
        random.Random(1).shuffle(rows)
        taken = rows[: left // (len(_SETS) - place)]
        left -= len(taken)
        kept += [(name, row) for row in taken]
    for name, row in kept:
        body = gzip.decompress((shared / "data/articles" / name / "pages" / f"{row['id']}.html.gz").read_bytes())
        yield f"{name}/{row['id']}", Page(body, row.get("url") or "http://site.example/")
