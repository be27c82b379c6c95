"""Damaged pages by the thousand: every extractor must answer, and no page may take long.

    python -m benchmarks.fuzz [--of articles|records] [--pages 20000] [--seed 1] [--shared ../shared]

Pages are the shared ones with bytes cut out, doubled, swapped between pages and overwritten, and random markup. Prints
how many failed (0 is the only right answer) and the longest CPU time of one page.
"""

import argparse
import gzip
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from crawler.commands.extract import views
from extractors.article import extract
from extractors.article.decay import decay_text
from extractors.article.density import density_text
from extractors.page import Page
from extractors.records import layout_records, leafpath_records

_LONGEST = 60_000
_PIECES = [piece.encode() for piece in (
    "<div> </div> <p> </p> <li> <ul> </ul> <table> <tr> <td> </table> <a href='/x'> </a> <br> <pre> <script> </script> <style> <!-- --> "
    "<form> <body> </html> <![CDATA[ ]]> <svg> <title> <h1> &amp; &#x110000; 文字，。 text \x00 \ufeff ' \" = / <meta charset=gb2312> "
    "<noscript> <frameset> <template> <select><option> <base href='//['>"
).split(" ")]  # fmt: skip


def damaged(pages: list[bytes], chance: random.Random) -> Iterator[bytes]:
    """Endlessly one broken page after another."""
    while True:
        kind = chance.randrange(5)
        if kind == 0 or not pages:
            yield b" ".join(chance.choices(_PIECES, k=chance.randrange(1, 400)))
            continue
        body = chance.choice(pages)[:_LONGEST]
        start, end = sorted(chance.randrange(len(body) + 1) for _ in range(2))
        if kind == 1:
            yield body[:start] + body[end:]
        elif kind == 2:
            yield body[:end] + body[start:]
        elif kind == 3:
            yield body[:start] + chance.choice(pages)[:_LONGEST][start:end]
        else:
            broken = bytearray(body)
            for _ in range(chance.randrange(1, 200)):
                if broken:
                    broken[chance.randrange(len(broken))] = chance.randrange(256)
            yield bytes(broken)


def extractors(matter: str) -> dict[str, Callable[[Page], object]]:
    """What is asked of every page, for articles or for records; an article's title, author and time do not depend on the
    method, so they are asked for once."""
    if matter == "records":
        own = {"records": lambda page: page.records, "lines": lambda page: list(views()["records"].lines(page))}
        published = {
            each.__name__: (lambda page, find=each: find(page.body)) for each in (layout_records, leafpath_records)
        }
        return own | published
    return {"article": extract, "density": density_text, "decay": decay_text, "links": lambda page: page.links}


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--of", choices=("articles", "records"), default="articles")
    ask.add_argument("--pages", type=int, default=20_000)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    args = ask.parse_args()
    sets = "records/*/pages/*.gz" if args.of == "records" else "*/*/pages/*.gz"
    files = sorted((args.shared / "data").glob(sets))[:: 1 if args.of == "records" else 5]
    pages = [gzip.decompress(file.read_bytes()) for file in files]
    failed, longest, asked = 0, 0.0, extractors(args.of)
    for number, body in zip(range(1, args.pages + 1), damaged(pages, random.Random(args.seed)), strict=False):
        start = time.process_time()
        page = Page(body, "http://example.org/a/b.html")
        for name, function in asked.items():
            try:
                function(page)
            except Exception:
                failed += 1
                print(f"{name} failed on page {number} (seed {args.seed}):\n{traceback.format_exc()}", file=sys.stderr)
        longest = max(longest, time.process_time() - start)
        if number % 2_000 == 0:
            print(f"{number} pages, {failed} failures", file=sys.stderr, flush=True)
    print(
        f"{args.pages} damaged pages of {len(pages)}: {failed} failures; longest {longest * 1000:.0f} ms CPU for all of {', '.join(asked)}"
    )


if __name__ == "__main__":
    main()
