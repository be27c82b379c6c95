"""Pages from which the choice of records is learned: the features of their groups, and what reading each brings.

Three kinds: pages with known records; threads of which only the main text is known, where the records that hold it and tell
authors and times are taken for right; articles of the kinds that have no discussion, as examples of pages without records.
"""

import gzip
import hashlib
import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from benchmarks.record_articles import WITH_COMMENTS
from benchmarks.trainable import may_train_on_records
from extractors.html.columns import Columns
from extractors.page import Page
from extractors.records.choose import MAX_LIKELY_GROUPS, review_table, worth_reading
from extractors.records.choose.reading_features import Row, reading_features
from extractors.records.groups import Members, RecordGroup, find_groups, group_names
from extractors.records.groups.features import GroupFeatures, likely_groups
from extractors.records.groups.layout import layout_of
from extractors.records.read import read_group, records_of
from extractors.records.signals import page_signals

FOLDS = 5
_FIELDS = 0.6
"""How much of a group's worth hangs on its records' fields."""
WITHOUT = {"zh-news": 40, "zh-gb": 21, "magic-article": 79, "aeb": 97, "wcxb": 400}
"""Sets of articles and how many pages of each are taken for pages without records."""
THREADS = ("wcxb", "magic-forum")
"""Sets of articles with pages of forums."""
_HELD = 0.6
"""How alike the main text and that of the records must be."""
_TOLD = 0.9
_SURELY = ("with author", "with time", "keys differ", "kept")
_RECORDS = 3
_WEIGHT_WITHOUT, _WEIGHTTHREADS, _WEIGHT_LISTS = 0.3, 0.4, 2.0
"""There are few lists and many threads and articles, and what is right on the threads is not known for sure."""
_DISCUSSED = re.compile(r"comment|reply|评论")
"""Names of groups by which a page of the sets of articles has records after all."""


@dataclass(frozen=True, slots=True)
class Source:
    """A page to be read, and what is known of it."""

    body: bytes
    url: str
    records: list[dict[str, Any]]
    kind: str = ""
    language: str = ""


@dataclass
class Example:
    """A page's G groups: features[G, F], their outcomes and members, of each group hits, records read, and records there
    are: int[G, 3], and the share of fields that are right on the hits: float[G]; whether forests may learn from it."""

    part: str
    site: str
    source: Source
    columns: Columns
    features: NDArray[np.float32]
    names: list[str]
    groups: list[RecordGroup]
    outcomes: list[Row]
    members: list[Members]
    counts: NDArray[np.int64]
    told: NDArray[np.float64]
    may_train: bool = True

    @property
    def worth(self) -> NDArray[np.float64]:
        """What a forest should expect of each group: its F1, lowered where its records do not hold their fields."""
        return np.asarray(self.f1 * (1 - _FIELDS + _FIELDS * self.told))

    @property
    def weight(self) -> float:
        """How much each of its groups counts in training."""
        if self.part in WITHOUT:
            return _WEIGHT_WITHOUT
        return _WEIGHTTHREADS if self.part == "threads" else _WEIGHT_LISTS if self.source.kind == "forum_list" else 1.0

    @property
    def f1(self) -> NDArray[np.float64]:
        """Of each group."""
        return np.asarray(2 * self.counts[:, 0] / np.maximum(1, self.counts[:, 1] + self.counts[:, 2]))

    def fold(self, split: int) -> int:
        """Which of the parts its site belongs to, where sites are split in this way."""
        return hashlib.blake2b(f"{self.site}{split or ''}".encode(), digest_size=2).digest()[0] % FOLDS

    def reviewed(self, expected: NDArray[np.float32]) -> "Reviewed":
        """The groups that would be read, by what is expected of all."""
        places = worth_reading(expected, self.members, self.columns)
        table, names = review_table(
            [self.outcomes[place] for place in places],
            [self.members[place] for place in places],
            expected[places],
            GroupFeatures(self.features[places].T),
            self.columns,
        )
        return Reviewed(self, places, table.T.copy(), names)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The R groups of a page that were read, and what is known of them then: table[R, F] and the F names."""

    example: Example
    places: NDArray[np.intp]
    table: NDArray[np.float32]
    names: list[str]


def pages(folder: Path) -> Iterator[tuple[dict[str, Any], Page]]:
    """The gold and the page of each line of a set."""
    with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
            yield row, Page(body, row.get("url") or f"http://{row.get('site', 'site.example')}/")


def examined(part: str, site: str, source: Source, page: Page, scorer: ModuleType) -> Example | None:
    """The features of a page's likely groups, and how well each of them reads; None for a page without any."""
    groups = find_groups(page.once(page_signals))
    if not groups:
        return None
    likely, features = likely_groups(page, groups, MAX_LIKELY_GROUPS)
    table, names = np.stack(list(features.values())), list(features)
    rows, counts, told = [], [], []
    for row, records in readings(page, likely):
        pairs = scorer.match(source.records, records, source.kind)
        rows.append(row)
        counts.append((len(pairs), len(records), len(source.records)))
        told.append(fields_right(scorer, source.records, records, pairs))
    judged = rows, [group.members for group in likely], np.array(counts), np.array(told)
    return Example(part, site, source, page.columns, table.T.copy(), names, likely, *judged)


def readings(page: Page, groups: Sequence[RecordGroup]) -> Iterator[tuple[Row, list[dict[str, Any]]]]:
    """What comes out of reading each group, and the records."""
    for group in groups:
        reading = read_group(layout_of(page, group))
        yield reading_features(reading), [asdict(record) for record in records_of(reading)]


def discussions(data: Path, scorer: ModuleType) -> list[Example]:
    """Pages with gold records; those that may not be trained on are only scored."""
    found = list[Example]()
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        for row, page in pages(folder):
            source = Source(page.body, page.url, row["records"], row["page_type"], row["lang"])
            example = examined(folder.name, row["site"], source, page, scorer)
            if example:
                found.append(replace(example, may_train=may_train_on_records(row)))
    return found


def threads(data: Path, scorer: ModuleType, known: Sequence[Example]) -> list[Example]:
    """Pages of forums of which the main text is known: the records that hold it, with author and time, are taken for right."""
    bodies, sites, found = {each.source.body for each in known}, {each.site for each in known}, []
    for name in THREADS:
        for row, page in pages(data / name):
            if row.get("page_type") != "forum" or not row.get("text") or page.body in bodies:
                continue
            records = holding(page, row["text"], scorer)
            if not records:
                continue
            host = urlsplit(page.url).netloc
            bare = host.removeprefix("www.")
            source = Source(page.body, page.url, records, "forum_thread")
            found.append(examined("threads", bare if bare in sites else host, source, page, scorer))
    return [example for example in found if example]


def holding(page: Page, text: str, scorer: ModuleType) -> list[dict[str, Any]]:
    """The records of the group that best holds a text and tells authors and times; none where no group does so surely."""
    groups = find_groups(page.once(page_signals))
    likely = likely_groups(page, groups, MAX_LIKELY_GROUPS)[0] if groups else []
    wanted, best, surest = scorer.tokens(text), 0.0, []
    for row, records in readings(page, likely):
        said = ((record["title"] + " " if row["list"] else "") + record["text"] for record in records)
        held = float(scorer.f1(wanted, scorer.tokens(" ".join(said))))
        told = 0.4 + 0.3 * row["with author"] + 0.3 * row["with time"]
        worth = held * told * row["keys differ"] * math.sqrt(row["kept"]) * (1 - row["text brief"])
        if worth > best:
            best = worth
            sure = held >= _HELD and min(row[name] for name in _SURELY) >= _TOLD and len(records) >= _RECORDS
            surest = [record | {"time": record["time_text"]} for record in records] if sure else []
    return surest


def fields_right(
    scorer: ModuleType, gold: list[dict[str, Any]], read: list[dict[str, Any]], pairs: list[tuple[int, int]]
) -> float:
    """The share of fields that the gold has and that are right; 1 where it has none."""
    answers = [
        scorer.right(field, gold[there].get(field), read[here]["time_text" if field == "time" else field])
        for there, here in pairs
        for field in scorer.FIELDS
    ]
    known = [answer for answer in answers if answer is not None]
    return sum(known) / len(known) if known else 1.0


def silent_pages(data: Path, scorer: ModuleType) -> list[Example]:
    """Pages without records; a reproducible part of each set."""
    found = []
    for name, count in WITHOUT.items():
        taken = [
            (row, page)
            for row, page in pages(data / name)
            if row.get("page_type") not in ("forum", "listing", "collection")
        ]
        random.Random(1).shuffle(taken)
        for row, page in taken[:count]:
            if f"{name}/{row['id']}" in WITH_COMMENTS:
                continue
            example = examined(name, str(row["id"]), Source(page.body, page.url, []), page, scorer)
            if example and not is_discussed(example):
                found.append(example)
    return found


def is_discussed(example: Example) -> bool:
    """Whether a page holds what it calls comments, with times."""
    timed = example.features[:, example.names.index("has time")]
    return any(
        len(group.members) > 2 and share > 0.5 and _DISCUSSED.search(group_names(group, example.columns)) is not None
        for group, share in zip(example.groups, timed.tolist(), strict=True)
    )
