"""Records of pages that are rewritten: python -m benchmarks.record_rewritten [--names] [--shared ../shared]

The times in the texts of a page take another form or language, one form for each page; times in attributes are removed. Pages with fewer
than three times in forms that are recognised here are left out. With --names all classes and ids take names that say nothing instead.
Prints the mean F1 of pages as they are, and rewritten.
"""

import argparse
import gzip
import importlib.util
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from extractors.records import find_records

SETS = ("mixed", "sites", "webforum52", "mixed-b", "sites-b", "webforum52-b")
MIN_TIMES = 3
FORMS: tuple[Callable[[int], str], ...] = (
    lambda n: f"{n % 27 + 2} gün önce",
    lambda n: f"{n % 27 + 1} 十一月",
    lambda n: f"{n % 20 + 2} д",
    lambda n: f"{n % 9 + 2}y",
    lambda n: f"{n % 27 + 1}. {n % 9 + 1:02d}. 20{n % 9 + 10}, 13:47",
    lambda n: f"{n % 27 + 1} juin 20{n % 9 + 10} @11h{n % 50 + 10}",
    lambda n: f"{n % 20 + 2}時",
    lambda n: f"Jul {n % 20 + 4}th 20{n % 9 + 10}",
    lambda n: f"{n % 20 + 2}시간 전",
)
TIME = re.compile(
    r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d(?:,? \d{1,2}:\d\d(?: ?[AaPp][Mm])?)?"
    r"|\d{1,3} (?:days?|hours?|minutes?|months?|years?|weeks?) ago|\d{1,3}\s?(?:天|小时|分钟)前"
)
ATTRIBUTE = re.compile(r' (?:datetime|title|data-time)="[^"]*\d{4}[^"]*"')
TAGS = re.compile(r"(<[^>]*>)")
NAMES = re.compile(rb"""(\s(?:class|id)\s*=\s*["']?)([^"'<>=]+)""", re.I)
NAME = re.compile(rb"([^\s\d]\S*?)(?=\d*(?:\s|$))")
START_TAGS = re.compile(rb"<[a-zA-Z][^<>]*>")


def rewritten(body: bytes, page: str) -> bytes | None:
    """The page with other times; None for pages in other charsets than UTF-8, and with few times."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    form, changed = FORMS[zlib.crc32(page.encode()) % len(FORMS)], 0

    def other(match: re.Match[str]) -> str:
        nonlocal changed
        changed += 1
        return form(zlib.crc32(match.group(0).encode()))

    parts = [part if part.startswith("<") else TIME.sub(other, part) for part in TAGS.split(text)]
    return ATTRIBUTE.sub("", "".join(parts)).encode() if changed >= MIN_TIMES else None


def renamed(body: bytes) -> bytes:
    """The page with other classes and ids: equal names stay equal, and numbers at their ends stay."""

    def other(name: re.Match[bytes]) -> bytes:
        code = zlib.crc32(re.sub(rb"\d+", b"#", name[1].lower()))
        return b"c" + f"{code:x}".translate(str.maketrans("0123456789", "ghijklmnop")).encode()

    def tag(start: re.Match[bytes]) -> bytes:
        return NAMES.sub(lambda found: found[1] + NAME.sub(other, found[2]), start[0])

    return START_TAGS.sub(tag, body)


def scorer_of(shared: Path) -> ModuleType:
    """The program that compares records."""
    spec = importlib.util.spec_from_file_location("record_scorer", shared / "score/records.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{shared} has no score/records.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def f1_of(scorer: ModuleType, row: Mapping[str, Any], body: bytes) -> float:
    """F1 of the records that are found on a page."""
    found = [scorer.as_dict(record) for record in find_records(body, url=row.get("url") or f"http://{row['site']}/")]
    return 2 * len(scorer.match(row["records"], found, row["page_type"])) / (len(found) + len(row["records"]))


def pairs(shared: Path, name: str, *, names: bool) -> Iterator[tuple[float, float]]:
    """F1 of each page of a set as it is, and with other times or names."""
    scorer, folder = scorer_of(shared), shared / "data/records" / name
    for line in gzip.decompress((folder / "gold.jsonl.gz").read_bytes()).splitlines():
        row = json.loads(line)
        body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
        other = renamed(body) if names else rewritten(body, row["id"])
        if other is not None:
            yield f1_of(scorer, row, body), f1_of(scorer, row, other)


def main() -> None:
    """Print a line for each set."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    ask.add_argument("--names", action="store_true", help="other classes and ids instead of other times")
    options = ask.parse_args()
    print(f"{'set':14} pages  as it is  rewritten")
    for name in SETS:
        found = list(pairs(options.shared, name, names=options.names))
        before, after = (sum(values) / max(1, len(found)) for values in zip(*found, strict=True))
        print(f"{name:14} {len(found):5}     {before:.3f}      {after:.3f}", flush=True)


if __name__ == "__main__":
    main()
