"""What the memory of a site is worth: F1 of the main text with and without it, on pages of hosts with three pages and more.

    python -m benchmarks.site_memory [--set daniel-ru --set zh-gb] [--errors 3] [--shared ../shared]

The memory of a host counts all its pages of a set before the first is mended, as after `scrapy reread`. Where a set does not
say the address of a page, its host is that of its canonical address or of most of its links. Nothing was chosen on these
figures but that a line must stand on three pages.
"""

import argparse
import gzip
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from benchmarks.article_labels import tokens_of
from extractors.html.metas import meta_values
from extractors.page import Page
from extractors.site_boilerplate import NOTHING_KNOWN, PageLines, mended, page_lines

_MIN_PAGES = 3
_RECALL, _PRECISION = 0.98, 1 / 1.1


@dataclass(frozen=True, slots=True)
class Known:
    """A page of a set with its known text."""

    name: str
    gold: str
    page: Page
    lines: PageLines


def host_of_page(page: Page) -> str:
    """The host of a page whose address may not be known, "" if nothing says it."""
    columns, links = page.columns, page.columns.sparse("href")
    canonical = [links[place] for place in links if columns.value(place, "rel").lower() == "canonical"]
    bases = [links[place] for place in np.flatnonzero(columns.tagged("base")).tolist() if place in links]
    for address in (page.url, *canonical, page.once(meta_values).get("og:url", ""), *bases):
        if host := _host(address):
            return host
    hosts = Counter(filter(None, map(_host, links.values())))
    return hosts.most_common(1)[0][0] if hosts else ""


def _host(address: str) -> str:
    try:
        return urlsplit(address.strip()).hostname or ""
    except ValueError:
        return ""


def hosts_of(folder: Path) -> Iterator[list[Known]]:
    """The pages of each host that has enough of them."""
    found: dict[str, list[Known]] = defaultdict(list)
    with gzip.open(folder / "gold.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row.get("text"):
                body = gzip.decompress((folder / "pages" / f"{row['id']}.html.gz").read_bytes())
                page = Page(body, row.get("url") or "")
                if host := host_of_page(page):
                    found[host].append(Known(row["id"], row["text"], page, page_lines(page)))
    yield from (pages for pages in found.values() if len(pages) >= _MIN_PAGES)


def score(text: str, gold: str) -> tuple[float, bool]:
    """F1 of bags of tokens, and whether all of the text is there with at most 10 % extra."""
    got, wanted = Counter(tokens_of(text)), Counter(tokens_of(gold))
    common = (got & wanted).total()
    right = common >= _RECALL * wanted.total() and common >= _PRECISION * got.total()
    return (2 * common / (got.total() + wanted.total()) if common else 0.0), right


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--set", action="append", dest="sets", default=[])
    ask.add_argument("--errors", type=int, default=0, help="list the pages of each set that lose most")
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    args = ask.parse_args()
    print(f"{'set':20}{'pages':>6}{'F1':>8}{'memory':>8}{'right':>8}{'memory':>8}{'better':>8}{'worse':>7}{'ms':>7}")
    for folder in sorted(path for path in (args.shared / "data" / "articles").iterdir() if path.is_dir()):
        if args.sets and folder.name not in args.sets:
            continue
        rows, seconds = [], 0.0
        for pages in hosts_of(folder):
            memory = NOTHING_KNOWN
            for known in pages:
                memory = memory.with_page(known.lines.all_keys(), known.page.url or known.name)
            for known in pages:
                before, start = known.page.article.text, time.process_time()
                after = mended(known.page, page_lines(known.page), memory).article.text
                seconds += time.process_time() - start
                rows.append((known.name, *score(before, known.gold), *score(after, known.gold)))
        if rows:
            table = np.array([row[1:] for row in rows], np.float64)
            f1, right, f1_after, right_after = table.mean(axis=0)
            change = table[:, 2] - table[:, 0]
            counts = f"{np.count_nonzero(change > 0):8}{np.count_nonzero(change < 0):7}"
            shares = f"{f1:8.4f}{f1_after:8.4f}{right:8.3f}{right_after:8.3f}"
            print(f"{folder.name:20}{len(rows):6}{shares}{counts}{1000 * seconds / len(rows):7.2f}")
            for number in np.argsort(change)[: args.errors].tolist():
                print(f"      {rows[number][0]:40} {rows[number][1]:.3f} -> {rows[number][3]:.3f}")


if __name__ == "__main__":
    main()
