"""Pages with known records, and how well a method finds them: by the shared scorer's rules."""

import gzip
import importlib.util
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

Method = Callable[[bytes, str], Sequence[object]]
_WHOLE = 0.8
"""Precision and recall from which on a region is right."""


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page's source and the records that people have marked in it."""

    part: str
    name: str
    kind: str
    language: str
    url: str
    body: bytes
    gold: list[dict[str, Any]]


@dataclass(slots=True)
class Score:
    """Sums over pages: hits, records found, records there are, F1 of each page, right regions, CPU, fields."""

    hits: int = 0
    found: int = 0
    there: int = 0
    pages: list[float] = field(default_factory=list)
    regions: int = 0
    milliseconds: list[float] = field(default_factory=list)
    fields: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    failed: int = 0

    def add(self, hits: int, found: int, there: int, milliseconds: float) -> None:
        """One page."""
        self.hits, self.found, self.there = self.hits + hits, self.found + found, self.there + there
        self.pages.append(2 * hits / max(1, found + there))
        self.regions += found > 0 and hits >= _WHOLE * found and hits >= _WHOLE * there
        self.milliseconds.append(milliseconds)

    @property
    def precision(self) -> float:
        """Of the records found."""
        return self.hits / max(1, self.found)

    @property
    def recall(self) -> float:
        """Of the records there are."""
        return self.hits / max(1, self.there)

    @property
    def f1(self) -> float:
        """Over all records."""
        return 2 * self.hits / max(1, self.found + self.there)

    @property
    def macro(self) -> float:
        """Mean F1 of pages."""
        return sum(self.pages) / max(1, len(self.pages))

    @property
    def region(self) -> float:
        """Share of pages whose region is right."""
        return self.regions / max(1, len(self.pages))

    @property
    def cpu(self) -> float:
        """Median milliseconds a page."""
        return sorted(self.milliseconds)[len(self.milliseconds) // 2] if self.milliseconds else 0.0


def load_scorer(shared: Path) -> ModuleType:
    """The shared scorer as a module; SystemExit where it is not."""
    path = shared / "score/records.py"
    spec = importlib.util.spec_from_file_location("record_scorer", path)
    if spec is None or spec.loader is None or not path.exists():
        raise SystemExit(f"There is no scorer {path}; say with --shared where the shared folder is.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def known_pages(shared: Path, parts: Sequence[str], every: int) -> Iterator[KnownPage]:
    """Each `every`th page of the sets named, of all sets if none is."""
    for folder in sorted(path for path in (shared / "data/records").iterdir() if path.is_dir()):
        if parts and folder.name not in parts:
            continue
        with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines][::every]
        for row in rows:
            body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
            url = row.get("url") or f"http://{row['site']}/"
            yield KnownPage(folder.name, row["id"], row["page_type"], row["lang"], url, body, row["records"])


def measure(method: Method, pages: Sequence[KnownPage], scorer: ModuleType) -> dict[str, Score]:
    """Scores by set, by "set kind" and by "set zh" or "set other"; "all" is the set of all pages."""
    scores: dict[str, Score] = defaultdict(Score)
    for page in pages:
        begun, failed = time.process_time(), False
        try:
            records: Sequence[object] = method(page.body, page.url)
        except Exception:  # a rival that fails has found nothing
            records, failed = [], True
        spent = (time.process_time() - begun) * 1000
        found = [scorer.as_dict(record) for record in records]
        pairs = scorer.match(page.gold, found, page.kind)
        judged = fields_of(scorer, page.gold, found, pairs)
        language = "zh" if page.language == "zh" else "other"
        for name in (f"{part}{kind}" for part in (page.part, "all") for kind in ("", f" {page.kind}", f" {language}")):
            score = scores[name]
            score.add(len(pairs), len(found), len(page.gold), spent)
            score.failed += failed
            for each, verdicts in judged.items():
                score.fields[each] += verdicts
    return dict(scores)


def fields_of(
    scorer: ModuleType, gold: list[dict[str, Any]], found: list[dict[str, Any]], pairs: list[tuple[int, int]]
) -> Mapping[str, list[bool]]:
    """Of each field whether it is right on the records that match; fields that the page does not show are left out."""
    verdicts = {
        name: [scorer.right(name, gold[there].get(name), found[here].get(name)) for there, here in pairs]
        for name in scorer.FIELDS
    }
    return {name: [each for each in answers if each is not None] for name, answers in verdicts.items()}
