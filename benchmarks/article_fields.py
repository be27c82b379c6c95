"""Title, author and date beside trafilatura, newspaper4k and (for dates) htmldate, on the pages whose gold has them.

    python -m benchmarks.article_fields [--limit 300] [--shared ../shared]

Right means: a title whose words agree with the gold's (F1 of words ≥ 0.8); an author who shares a name of two letters
or more with the gold's; a date of the same day. A page for which an extractor says nothing counts as wrong.
"""

import argparse
import gzip
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.article_labels import tokens_of
from extractors.article import extract
from extractors.page import Page
from extractors.text.dates import parse_time

Fields = dict[str, str]


def ours(body: bytes, url: str) -> Fields:
    """The default extractor."""
    article = extract(Page(body, url))
    return {"title": article.title, "author": article.author, "date": article.published[:10]}


def trafilatura(body: bytes, url: str) -> Fields:
    """trafilatura's metadata."""
    from trafilatura import extract_metadata

    found = extract_metadata(body, default_url=url or None)
    return {"title": found.title or "", "author": found.author or "", "date": found.date or ""} if found else {}


def newspaper4k(body: bytes, url: str) -> Fields:
    """newspaper4k's article."""
    from newspaper import Article

    article = Article(url or "http://example.org/", fetch_images=False)
    article.download(input_html=body.decode("utf-8", "replace"))
    article.parse()
    date = article.publish_date
    return {"title": article.title, "author": ", ".join(article.authors), "date": str(date)[:10] if date else ""}


def htmldate(body: bytes, url: str) -> Fields:
    """htmldate's original date."""
    from htmldate import find_date

    return {"date": find_date(body, url=url or None, original_date=True) or ""}


def same_title(gold: str, found: str) -> bool:
    """Word F1 of at least 0.8."""
    wanted, got = tokens_of(gold), tokens_of(found)
    common = len([word for word in set(wanted) if word in got])
    return bool(common) and 2 * common / (len(set(wanted)) + len(set(got))) >= 0.8


def same_author(gold: str, found: str) -> bool:
    """One of the gold's names, or one whole Chinese name, is among those found."""
    names = {name for name in tokens_of(re.sub(r"\b(?:by|and|von|van|de)\b", " ", gold, flags=re.I)) if name}
    got = set(tokens_of(found))
    latin = {name for name in names if len(name) > 2}
    return bool(latin & got) if latin else bool(names) and names <= got


def same_date(gold: str, found: str) -> bool:
    """The same day."""
    wanted = parse_time(gold, now=datetime.now(UTC))[:10]
    return bool(wanted) and parse_time(found, now=datetime.now(UTC))[:10] == wanted


RIGHT = {"title": same_title, "author": same_author, "date": same_date}
PEERS: dict[str, Callable[[bytes, str], Fields]] = {
    "ours": ours,
    "trafilatura": trafilatura,
    "newspaper4k": newspaper4k,
    "htmldate": htmldate,
}


def rows(shared: Path) -> Iterator[tuple[str, dict[str, Any], bytes]]:
    """(set, gold row, page) for every page whose gold has one of the fields."""
    for folder in sorted(path for path in (shared / "data" / "articles").iterdir() if path.is_dir()):
        with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if any(row.get(name) for name in RIGHT):
                    yield folder.name, row, gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--limit", type=int, default=0, help="pages per set")
    ask.add_argument("--peer", action="append", choices=list(PEERS), default=[])
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    args = ask.parse_args()
    right: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    cpu: dict[str, float] = defaultdict(float)
    seen: dict[str, int] = defaultdict(int)
    for name, row, body in rows(args.shared):
        seen[name] += 1
        if args.limit and seen[name] > args.limit:
            continue
        for peer in args.peer or PEERS:
            start = time.process_time()
            try:
                found = PEERS[peer](body, row.get("url") or "")
            except ImportError:
                continue
            except Exception as error:  # a crash of a peer is a wrong answer
                print(f"{peer} failed on {row['id']}: {error}"[:150], file=sys.stderr)
                found = {}
            cpu[peer] += time.process_time() - start
            for field, judge in RIGHT.items():
                if row.get(field) and (peer != "htmldate" or field == "date"):
                    right[name, field, peer].append(judge(str(row[field]), found.get(field) or ""))
    print(f"{'set':16}{'field':8}{'pages':>6}" + "".join(f"{peer:>14}" for peer in cpu))
    for name, field in dict.fromkeys((key[0], key[1]) for key in right):
        cells = [right.get((name, field, peer), []) for peer in cpu]
        shares = "".join(f"{sum(cell) / len(cell):14.3f}" if cell else f"{'–':>14}" for cell in cells)
        print(f"{name:16}{field:8}{max(map(len, cells)):6}{shares}")
    pages = max(1, sum(min(count, args.limit or count) for count in seen.values()))
    print(f"{'CPU ms a page':30}" + "".join(f"{1000 * seconds / pages:14.1f}" for seconds in cpu.values()))


if __name__ == "__main__":
    main()
