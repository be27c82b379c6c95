"""Pages that scripts make beside the same pages served whole, and what rendering costs: `python -m benchmarks.rendering`."""

import argparse
import gzip
import json
import os
import random
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from crawler.rendering.browser import descendants
from extractors.page import Page
from extractors.scripted import missing_text
from testbed.rendered_crawl import StoredPage, rendered_crawl, stored_pages
from testbed.scripted_site import KINDS, SCRIPTED, SERVED


def processor_seconds(pids: list[int]) -> float:
    """Seconds of processor time that these processes and their ended children have used."""
    return sum(map(_ticks, pids)) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))


class Meter:
    """Processor time of all processes below this one, from `with` to its end.

    A browser's processes that end with it are counted by nobody's parent, so they are looked at while they live.
    """

    seconds = 0.0

    def __enter__(self) -> Self:
        self._before = self._ended()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            self.seconds = max(self.seconds, processor_seconds(descendants()))

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.seconds = max(self.seconds, self._ended() - self._before)

    @staticmethod
    def _ended() -> float:
        times = os.times()
        return times.children_user + times.children_system


def plain(shared: Path, count: int) -> Iterator[str]:
    """Of a sample over all labelled articles, those that would be rendered."""
    known = [
        (gold.parent.name, found["id"], found.get("url") or "")
        for gold in sorted(shared.glob("data/articles/*/gold.jsonl.gz"))
        for found in map(json.loads, gzip.decompress(gold.read_bytes()).splitlines())
    ]
    for name, number, url in random.Random(9).sample(known, min(count, len(known))):
        body = gzip.decompress((shared / "data/articles" / name / "pages" / f"{number}.html.gz").read_bytes())
        if lacks := missing_text(Page(body, url)):
            yield f"{name}/{number}: {lacks}"


def main() -> None:
    """Prints two tables."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--pages", type=int, default=10, help="pages of each kind")
    ask.add_argument("--plain", type=int, default=300, help="ordinary pages that are looked at")
    ask.add_argument("--shared", type=Path, default=Path("../shared"), help="where labelled articles are")
    given = ask.parse_args()
    if given.shared.is_dir():
        rendered = list(plain(given.shared, given.plain))
        print(f"of {given.plain} articles as served {len(rendered)} would be rendered {rendered or ''}\n")
    numbers = range(given.pages)
    found: dict[str, dict[str, StoredPage]] = {}
    cost: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, host, render, wanted in (
            ("idle", SERVED, "never", range(0)),
            ("served", SERVED, "never", numbers),
            ("scripted", SCRIPTED, "auto", numbers),
            ("left", SCRIPTED, "never", numbers),
        ):
            with Meter() as meter:
                made = rendered_crawl(Path(folder) / name, (host,), render, wanted)
            cost[name] = meter.seconds
            found[name] = stored_pages(made)[host] if wanted else {}
            print(f"{name:10}{len(found[name]):5} pages, {made.seconds:6.1f} s, {made.errors or 'no errors'}")
            print("".join(f"{line}\n" for line in made.log.splitlines() if "'render/" in line), end="")
    same: dict[str, Counter[str]] = {name: Counter() for name in ("scripted", "left")}
    for name, counted in same.items():
        for path, page in found["served"].items():
            counted[path.split("/")[1]] += found[name].get(path) == page
    print(f"\n{'kind':10}{'pages':>7}{'rendered as served':>20}{'not rendered':>14}")
    for kind in KINDS:
        print(f"{kind:10}{len(numbers):7}{same['scripted'][kind]:20}{same['left'][kind]:14}")
    each = {name: (seconds - cost["idle"]) / (len(numbers) * len(KINDS)) for name, seconds in cost.items()}
    print(
        f"\nCPU a page, all processes, without starting: plain {each['served']:.3f} s, rendered {each['scripted']:.3f} s"
    )


if __name__ == "__main__":
    main()
