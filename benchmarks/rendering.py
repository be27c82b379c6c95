"""Pages that scripts make beside the same pages served whole, and what rendering costs: `python -m benchmarks.rendering`."""

import argparse
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.scripted_site import KINDS, SCRIPTED, SERVED, answer
from pipelines.stores.tables import RECORDS
from tests.crawling import Crawl
from tests.hostile import HostileWeb

Told = tuple[str, str, list[tuple[str, str, str]]]
_SETTINGS = {"FRONTIER_HOST_DELAY": 0, "TITLES_ENABLED": False, "RETRY_DELAY": 1, "RENDER_SECONDS": 60}


def crawl(folder: Path, hosts: tuple[str, ...], render: str, numbers: range, **own: Any) -> Crawl:
    """The pages of these numbers, of every kind, from each of the hosts."""
    (folder / "settings" / "sites").mkdir(parents=True)
    (folder / "settings" / "sites" / "default.yaml").write_text(f"render: {render}\n")
    urls = [f"http://{host}/{kind}/{number}" for host in hosts for kind in KINDS for number in numbers]
    with HostileWeb({SERVED: answer, SCRIPTED: answer}) as web:
        settings = _SETTINGS | {"TOPICRAWL_SETTINGS_DIR": folder / "settings"} | own
        return Crawl(folder, urls, {"depth": "1"}, settings, {"http_proxy": web.address}).run(1800)


def told(made: Crawl) -> dict[str, dict[str, Told]]:
    """By host and path: title, text, and author, time and text of each record."""
    with made.store() as store:
        records = sorted(store.select(RECORDS), key=lambda row: row["place"] or 0)
    by_page: dict[int, list[tuple[str, str, str]]] = {}
    for row in records:
        by_page.setdefault(row["page"], []).append((row["author"], row["time"], row["text"]))
    found: dict[str, dict[str, Told]] = {SERVED: {}, SCRIPTED: {}}
    for url, row in made.pages().items():
        parts = urlsplit(url)
        found[parts.netloc][parts.path] = (row["title"], row["body"], by_page.get(row["key"], []))
    return found


def children_cpu() -> float:
    """Seconds of processor time of all processes that have ended below this one."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    """Prints two tables."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--pages", type=int, default=10, help="pages of each kind")
    numbers = range(ask.parse_args().pages)
    found, cost = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name, host, render in (
            ("served", SERVED, "never"),
            ("scripted", SCRIPTED, "auto"),
            ("left", SCRIPTED, "never"),
        ):
            before = children_cpu()
            made = crawl(Path(folder) / name, (host,), render, numbers)
            cost[name] = children_cpu() - before
            found[name] = told(made)[host]
            print(f"{name:10}{len(found[name]):5} pages, {made.seconds:6.1f} s, {made.errors or 'no errors'}")
            if name == "scripted":
                print("\n".join(line for line in made.log.splitlines() if "'render/" in line))
    same: dict[str, Counter[str]] = {name: Counter() for name in ("scripted", "left")}
    for name, counted in same.items():
        for path, page in found["served"].items():
            counted[path.split("/")[1]] += found[name].get(path) == page
    print(f"\n{'kind':10}{'pages':>7}{'rendered as served':>20}{'not rendered':>14}")
    for kind in KINDS:
        print(f"{kind:10}{len(numbers):7}{same['scripted'][kind]:20}{same['left'][kind]:14}")
    count = len(numbers) * len(KINDS)
    print(
        f"\nCPU a page, all processes: plain {cost['served'] / count:.3f} s, rendered {cost['scripted'] / count:.3f} s"
    )


if __name__ == "__main__":
    main()
