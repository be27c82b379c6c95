"""How many comments below an article are taken for its text, on pages of engines for comments.

    python -m benchmarks.engines OUTPUT
    python -m benchmarks.comments_below OUTPUT [--paragraphs 6]

Paragraphs are put behind the heading of each page with comments or reviews. Printed by engine: comments of more than 90
characters, those that are part of the main text, and the paragraphs that are missing in it.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.engines.talk import topic
from extractors.article import main_text

_LONG_CHARS, _COMPARED_CHARS = 90, 150
_HEADING_END = re.compile(r"</h1>(?:\s*</header>)?")


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--paragraphs", type=int, default=6)
    options = parser.parse_args()
    print(f"{'engine':28} {'comments':>9} {'in the text':>12} {'paragraphs lost':>16}")
    totals = [0, 0, 0]
    for folder in sorted((options.output / "data" / "records").iterdir()):
        counts = [sum(each) for each in zip(*_pages(folder, options.paragraphs), strict=True)]
        if counts:
            print(f"{folder.name:28} {counts[0]:9} {counts[1]:12} {counts[2]:16}")
            totals = [total + count for total, count in zip(totals, counts, strict=True)]
    print(f"{'all':28} {totals[0]:9} {totals[1]:12} {totals[2]:16}")


def _pages(folder: Path, paragraphs: int) -> Iterator[tuple[int, int, int]]:
    """Long comments of each page, those that are part of its main text, and lost paragraphs."""
    for line in _read(folder / "gold.jsonl.gz").splitlines():
        known = json.loads(line)
        if known["page_type"] not in ("comments", "reviews"):
            continue
        article = [post.paragraphs[0] for post in topic(known["lang"], f"article {known['id']}", paragraphs).posts]
        page = _read(folder / "pages" / f"{known['id']}.html.gz")
        found = _HEADING_END.search(page)
        if found is None:
            continue
        put = "".join(f"<p>{each}</p>" for each in article)
        text = _squeezed(main_text(f"{page[: found.end()]}<div>{put}</div>{page[found.end() :]}".encode()))
        comments = _long([record["text"] for record in known["records"]])
        yield (
            len(comments),
            sum(each in text for each in comments),
            sum(_squeezed(each) not in text for each in article),
        )


def _read(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def _long(comments: Sequence[str]) -> list[str]:
    return [text[:_COMPARED_CHARS] for text in map(_squeezed, comments) if len(text) > _LONG_CHARS]


def _squeezed(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    main()
