"""Damaged pages by the thousand: every extractor must answer, and no page may take long.

    python -m benchmarks.fuzz [--of articles|records|letters] [--pages 20000] [--seed 1] [--shared ../shared]

Pages are the shared ones with bytes cut out, doubled, swapped between pages and overwritten, and random markup. `--of letters`
leaves the markup as it is and changes letters and digits: to those that case folding takes for others, to other scripts' digits, to
digits by the thousand, with combining and bidirectional marks between them; and asks for all steps of a crawl, titles and relevance
too. Prints how many failed (0 is the only right answer) and the longest CPU time of one page.
"""

import argparse
import gzip
import random
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from crawler.commands.extract import views
from extractors.article import extract
from extractors.article.decay import decay_text
from extractors.article.density import density_text
from extractors.page import Page
from extractors.records import layout_records, leafpath_records
from extractors.scripted import missing_text
from extractors.text.dates import find_time, parse_time
from extractors.titles import TitleIndex, title_text
from extractors.topic.model import Term, Topic
from extractors.topic.relevance import Relevance
from pipelines.discussion import count_of, record_rows

_LONGEST = 60_000
_LONGEST_TEXT = 4_000
"""Characters of a page of which letters are changed: pages without much markup are read fast."""
_PIECES = [piece.encode() for piece in (
    "<div> </div> <p> </p> <li> <ul> </ul> <table> <tr> <td> </table> <a href='/x'> </a> <br> <pre> <script> </script> <style> <!-- --> "
    "<form> <body> </html> <![CDATA[ ]]> <svg> <title> <h1> &amp; &#x110000; 文字，。 text \x00 \ufeff ' \" = / <meta charset=gb2312> "
    "<noscript> <frameset> <template> <select><option> <base href='//['>"
).split(" ")]  # fmt: skip


_TWINS = {
    "s": "ſßẞ", "S": "ſ", "k": "K", "K": "K", "i": "İıⅰ", "I": "ıİ", "a": "å", "o": "ᲂ", "f": "ﬁﬀ", "t": "ﬅ",
    "в": "ᲀ", "д": "ᲁ", "о": "ᲂ", "с": "ᲃ", "ω": "Ω", "μ": "µ", "年": "年年", "月": "⽉月", "日": "⽇㈰",
}  # fmt: skip
_ZEROS = "０٠۰०০௦๐༠᠐𝟎𝟬"
_FIGURES = "²³¹①⑴⒈½Ⅳ㊀三百"
_MARKS = "\u0301\u0307\u0338\u20dd\u200b\u200d\u200e\u200f\u202a\u202e\u2066\u2069\ufeff\ufffe\U000e0041\x85\x1b"
_SPOT = re.compile(r"\d+|[sSkKiIaoftвдосωμ年月日]")
_TIMES = (
    " 3 dayſ ago ", " 5 mİn ago ", " geſtern 10:30 ", " ٣ days ago ", " 2026年１月２日 ", " 12 maİ 2026 ", " ſept 3, 2026 ", " 1 weeK ago ",
)  # fmt: skip


def with_odd_letters(page: str, chance: random.Random) -> bytes:
    """A part of a page in which letters and digits, and some marks between them, are others."""
    start = chance.randrange(max(1, len(page) - _LONGEST_TEXT))
    rate, long_number = chance.choice((0.02, 0.1, 0.5)), chance.random() < 0.1

    def other(match: re.Match[str]) -> str:
        found = match[0]
        if chance.random() > rate:
            return found
        if found[0].isdecimal():
            zero, kind = ord(chance.choice(_ZEROS)), chance.random()
            if long_number and kind < 0.2:
                return found * (4_400 // len(found) + 1)
            return chance.choice(_FIGURES) if kind < 0.4 else "".join(chr(zero + int(digit)) for digit in found)
        return chance.choice(_TWINS.get(found, found)) + (chance.choice(_MARKS) if chance.random() < 0.2 else "")

    changed = _SPOT.sub(other, page[start : start + _LONGEST_TEXT])
    place = chance.randrange(len(changed) + 1)
    changed = changed[:place] + chance.choice(_TIMES) + changed[place:]
    return b"\xef\xbb\xbf" + changed.encode("utf-8", "replace")


def letters(pages: list[bytes], chance: random.Random) -> Iterator[bytes]:
    """Endlessly pages with odd letters."""
    texts = [Page(body).text for body in pages]
    while True:
        yield with_odd_letters(chance.choice(texts), chance)


def steps() -> dict[str, Callable[[Page], object]]:
    """All steps of a crawl, and those that read what others have found."""
    index, now = TitleIndex(), datetime(2026, 11, 22, tzinfo=UTC)
    words = ("市政府", "计划", "KİTAP", "ſtraße", "news", "第３届")
    relevance = Relevance(Topic("letters", tuple(Term(word) for word in words)))

    def titles(page: Page) -> None:
        for title in (page.article.title, *(record.title for record in page.records.records[:20])):
            text = title_text(title)
            index.search(text)
            if len(index) < 2_000:
                index.add(text)

    def times(page: Page) -> list[str]:
        return [found for text in page.columns.texts if (found := parse_time(find_time(text) or text, now=now))]

    def counts(page: Page) -> object:
        return record_rows(page.records, "x", ""), list(map(count_of, page.columns.texts))

    read = extractors("articles") | {"records": lambda page: page.records, "missing": missing_text, "titles": titles}
    return read | {"times": times, "counts": counts, "relevance": relevance.judge}


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
    ask.add_argument("--of", choices=("articles", "records", "letters"), default="articles")
    ask.add_argument("--pages", type=int, default=20_000)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--shared", type=Path, default=Path("../shared"))
    args = ask.parse_args()
    sets = "records/*/pages/*.gz" if args.of == "records" else "*/*/pages/*.gz"
    files = sorted((args.shared / "data").glob(sets))[:: 1 if args.of == "records" else 5]
    pages = [gzip.decompress(file.read_bytes()) for file in files]
    failed, longest, asked = 0, 0.0, steps() if args.of == "letters" else extractors(args.of)
    made = (letters if args.of == "letters" else damaged)(pages, random.Random(args.seed))
    for number, body in zip(range(1, args.pages + 1), made, strict=False):
        start = time.process_time()
        page = Page(
            body, "http://example.org/thread-7-2.html" if args.of == "letters" else "http://example.org/a/b.html"
        )
        for name, function in asked.items():
            try:
                function(page)
            except Exception:
                failed += 1
                print(f"{name} failed on page {number} (seed {args.seed}):\n{traceback.format_exc()}", file=sys.stderr)
        longest = max(longest, time.process_time() - start)
        if number % 2_000 == 0:
            print(f"{number} pages, {failed} failures", file=sys.stderr, flush=True)
    kind = "pages with odd letters" if args.of == "letters" else "damaged pages"
    slowest = f"longest {longest * 1000:.0f} ms CPU for all of {', '.join(asked)}"
    print(f"{args.pages} {kind} of {len(pages)}: {failed} failures; {slowest}")


if __name__ == "__main__":
    main()
