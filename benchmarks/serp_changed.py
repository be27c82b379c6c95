"""The generic rule on layouts that nobody has seen: the saved result pages with headings, names and lists taken away.

    python -m benchmarks.serp_changed --data ../shared/data/serp

Nothing in the rule is learned from the pages, so no engine need be held out; what an engine that is not here may lack is
taken from those that are here instead.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from lxml import html

from benchmarks.serp import SavedPage, hits, saved_pages
from crawler.engines.protocol.generic import generic_results
from extractors.page import Page

Change = Callable[[Any], None]
_LISTS = ("li", "ul", "ol", "nav", "header", "footer", "aside", "section", "article", "main")


def _without_headings(root: Any) -> None:
    for element in root.iter("h1", "h2", "h3", "h4", "h5"):
        element.tag = "div"
    for element in root.iter(html.etree.Element):
        element.attrib.pop("role", None)


def _with_hashed_names(root: Any) -> None:
    for element in root.iter(html.etree.Element):
        for name in ("class", "id"):
            words = (element.get(name) or "").split()
            if words:
                element.set(name, " ".join(f"c{blake2b(word.encode(), digest_size=4).hexdigest()}" for word in words))


def _without_names(root: Any) -> None:
    for element in root.iter(html.etree.Element):
        for name in ("class", "id"):
            element.attrib.pop(name, None)


def _without_lists(root: Any) -> None:
    for element in root.iter(*_LISTS):
        element.tag = "div"


CHANGES: dict[str, tuple[Change, ...]] = {
    "as saved": (),
    "names hashed": (_with_hashed_names,),
    "no names": (_without_names,),
    "no headings": (_without_headings,),
    "names hashed, no headings": (_with_hashed_names, _without_headings),
    "no names, no headings": (_without_names, _without_headings),
    "bare divs": (_without_names, _without_headings, _without_lists),
}
"""What is taken from every page, by the name of the table's row."""


def scores(folder: Path, changes: tuple[Change, ...]) -> Iterator[tuple[str, int, int, int, int]]:
    """For each saved page with results: its name, expected, found, right, all."""
    for page in saved_pages(folder):
        if page.expected:
            found = [result.url for result in generic_results(changed(page, changes))]
            yield page.name, len(page.expected), *hits(page.expected, found), len(found)


def changed(saved: SavedPage, changes: tuple[Change, ...]) -> Page:
    """The page in another layout."""
    root = html.fromstring(saved.reply.page.text.encode(), parser=html.HTMLParser(encoding="utf-8"))
    for change in changes:
        change(root)
    body = html.tostring(root, encoding="utf-8")
    return Page(body, saved.reply.url, content_type="text/html; charset=utf-8")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/serp"), help="folder of saved pages")
    folder: Path = parser.parse_args().data
    if not folder.is_dir():
        print(f"{folder} is no folder; --data names one", file=sys.stderr)
        return 2
    print(f"{'layout':28} {'found':>7} {'right':>7}   pages below 85 % found or 90 % right")
    for name, changes in CHANGES.items():
        rows = list(scores(folder, changes))
        expected, found, right, all_ = (sum(column) for column in zip(*(row[1:] for row in rows), strict=True))
        below = [row[0] for row in rows if row[2] < 0.85 * row[1] or row[3] < 0.9 * row[4]]
        print(f"{name:28} {100 * found / expected:6.1f}% {100 * right / all_:6.1f}%   {', '.join(below)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
