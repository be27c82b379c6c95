"""Results read from saved result pages: by the engines' own rules, and by the generic rule alone.

python -m benchmarks.serp --data ../shared/data/serp
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from crawler.engines.catalog import built_in
from crawler.engines.protocol.engine import Reply, Result
from crawler.engines.protocol.generic import generic_results
from crawler.engines.protocol.reading import read_answer
from crawler.engines.protocol.redirects import unwrap

_HOSTS = {
    "baidu": "https://www.baidu.com/s",
    "bing": "https://www.bing.com/search",
    "duckduckgo": "https://html.duckduckgo.com/html/",
    "google": "https://www.google.com/search",
    "searx": "https://searx.example/search",
    "sogou": "https://www.sogou.com/web",
    "yahoo": "https://search.yahoo.com/search",
}


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A saved answer and the addresses, each in all its forms, that it holds."""

    name: str
    engine: str
    kind: str
    reply: Reply
    expected: tuple[frozenset[str], ...]
    titles: tuple[str, ...]


def saved_pages(folder: Path) -> Iterator[SavedPage]:
    """Pages with their sidecars."""
    for sidecar in sorted(folder.glob("*.json")):
        sidecar_data = json.loads(sidecar.read_text(encoding="utf-8"))
        url = _HOSTS.get(sidecar_data["engine"], f"https://{sidecar_data['engine']}.example/search")
        reply = Reply(url, 200, sidecar.with_suffix(".html").read_bytes())
        expected = tuple(_forms(result, url) for result in sidecar_data["results"])
        titles = tuple("".join(result["title"].split()) for result in sidecar_data["results"])
        yield SavedPage(sidecar.stem, sidecar_data["engine"], sidecar_data["kind"], reply, expected, titles)


def _forms(result: dict[str, str], base: str) -> frozenset[str]:
    given = (result["url"], result.get("unwrapped"), result.get("mu"))
    return frozenset(form.rstrip("/") for value in given if value for form in (value, unwrap(value, base)))


def hits(expected: tuple[frozenset[str], ...], found: list[str]) -> tuple[int, int]:
    """How many of the expected results are found, and how many of the found ones are expected."""
    plain = {url.rstrip("/") for url in found}
    right = sum(any(url.rstrip("/") in forms for forms in expected) for url in found)
    return sum(bool(forms & plain) for forms in expected), right


def titled(page: SavedPage, found: Iterable[Result]) -> int:
    """How many of the expected results are found with their title, white space apart."""
    by_url = {result.url.rstrip("/"): "".join(result.title.split()) for result in found}
    return sum(
        any(by_url.get(form) == title for form in forms)
        for forms, title in zip(page.expected, page.titles, strict=True)
    )


def scores(folder: Path) -> dict[str, list[int]]:
    """For each page: expected, own found, right, all, with their title; the same four for the generic rule."""
    engines = built_in()
    table = {}
    for page in saved_pages(folder):
        answer = read_answer(engines[page.engine], page.reply) if page.engine in engines else None
        own = answer.results if answer and answer.kind == "results" else ()
        table[page.name] = [len(page.expected), *_four(page, own), *_four(page, generic_results(page.reply.page))]
    return table


def _four(page: SavedPage, found: Sequence[Result]) -> tuple[int, int, int, int]:
    return *hits(page.expected, [result.url for result in found]), len(found), titled(page, found)


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/serp"), help="folder of saved pages")
    folder: Path = parser.parse_args().data
    if not folder.is_dir():
        print(f"{folder} is no folder; --data names one", file=sys.stderr)
        return 2
    table = scores(folder)
    totals: dict[str, list[int]] = defaultdict(lambda: [0] * 9)
    for name, row in table.items():
        for group in (name.rsplit("-", 1)[0], "all"):
            totals[group] = [a + b for a, b in zip(totals[group], row, strict=True)]
    print(
        f"{'page':14} {'results':>7}  {'own found':>9} {'right':>6} {'titled':>6}  {'generic':>7} {'right':>6} {'titled':>6}"
    )
    for name, row in [*table.items(), *sorted(totals.items())]:
        if row[0]:
            _print_row(name, row)
    print("\nanswers without results:")
    engines = built_in()
    for page in saved_pages(folder):
        if not page.expected:
            answer = read_answer(engines.get(page.engine, engines["google"]), page.reply)
            print(f"{page.name:16} {answer.kind:15} {answer.reason}   (saved as: {page.kind})")
    return 0


def _print_row(name: str, row: list[int]) -> None:
    whole, own, generic = row[0], row[1:5], row[5:9]
    cells = [
        f"{100 * part / of if of else 0.0:.1f}%"
        for found, right, given, titles in (own, generic)
        for part, of in ((found, whole), (right, given), (titles, whole))
    ]
    print(f"{name:14} {whole:7}  {cells[0]:>9} {cells[1]:>6} {cells[2]:>6}  {cells[3]:>7} {cells[4]:>6} {cells[5]:>6}")


if __name__ == "__main__":
    sys.exit(main())
