"""A whole watch (`scrapy crawl watch` and the analysis that follows it) of the living web: its dates and originals against the truth.

python -m benchmarks.living_crawl --seed 83 --hours 24 --speed 120

Found articles are those that the store has; times of pages as they were stored. A story is copied if the store has two or more of its
reports as one story; the truth is the earliest report of the simulated event among those that the store has.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import numpy as np

from benchmarks.living import simulator, world_of
from crawler.clock import clock_at_speed
from pipelines.stores.opening import open_store
from pipelines.stores.tables import PAGES, PROPAGATION
from testbed.served_web import SHARED, free_port

_SERVER = """
import sys
from datetime import datetime
sys.path.insert(0, sys.argv.pop(1))
import living_web
living_web.EPOCH = datetime.fromtimestamp(float(sys.argv.pop(1)), living_web.CST)
living_web.main()
"""
_CLIENT = (
    "import sys\nfrom crawler import clock\nclock.set_speed({speed})\nfrom scrapy.cmdline import execute\nexecute()"
)
_WRONG = timedelta(days=2)
"""From the truth."""
_SPANS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
Row = dict[str, Any]


@contextmanager
def served(seed: int, sites: int, hours: float, speed: float) -> Iterator[tuple[str, list[str], float]]:
    """The address of the web, its start pages, and its first second on the crawl's clock."""
    port, clock = free_port(), clock_at_speed(speed)
    begin = float(round(clock() + 8.0 * speed))
    texts = ("--texts", SHARED / "data/living-texts.jsonl.gz")
    given = ("--seed", seed, "--speed", speed, "--port", port, "--sites", sites, "--days", hours / 24 + 1, *texts)
    command = [sys.executable, "-c", _SERVER, str(SHARED / "tools"), str(begin), *map(str, given)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            if process.stdout is None or "sites at" not in process.stdout.readline():
                raise SystemExit("The simulator did not start")
            time.sleep(max(0.0, (begin - clock()) / speed))
            _control(port, "start")
            yield f"http://127.0.0.1:{port}", _control(port, "seeds").split(), begin
        finally:
            process.terminate()


def _control(port: int, order: str) -> str:
    with urlopen(f"http://127.0.0.1:{port}/__control/{order}") as answer:
        return str(answer.read().decode())


def watch(folder: Path, proxy: str, seeds: list[str], speed: float, seconds: float) -> None:
    """The watch and an analysis that follows it, for some real seconds; then the analysis of what is left."""
    (folder / "seeds.txt").write_text("\n".join(seeds), encoding="utf-8")
    watching = _scrapy(
        folder,
        speed,
        proxy,
        "crawl",
        "watch",
        "-a",
        f"sites={folder}/seeds.txt",
        "-s",
        f"FRONTIER_HOST_DELAY={1 / speed}",
    )
    following = _scrapy(folder, speed, "", "analysis", "run", "--follow")
    try:
        time.sleep(seconds)
    finally:
        watching.terminate()
        watching.wait(60)
        following.terminate()
        following.wait(60)
    _scrapy(folder, speed, "", "analysis", "run").wait()


def _scrapy(folder: Path, speed: float, proxy: str, *words: str) -> "subprocess.Popen[bytes]":
    given = (f"STORE=sqlite:///{folder}/crawl.db", f"DATA_DIR={folder}", "LOG_LEVEL=INFO")
    command = [
        sys.executable,
        "-c",
        _CLIENT.format(speed=speed),
        *words,
        *(part for each in given for part in ("-s", each)),
    ]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with (folder / f"{words[1]}.log").open("ab") as log:
        return subprocess.Popen(command, env=environment | {"http_proxy": proxy}, stdout=log, stderr=log)


def articles_of(world: Any) -> dict[str, tuple[float, int]]:
    """By address: virtual second of publication, and the number of the event that it reports, -1 for none."""
    found = {}
    for site in (each for each in world.sites if hasattr(each, "finance")):
        for i, at in enumerate(site.t):
            found[f"http://{site.host}{site.url(i)}"] = float(at), site.event[i].number if site.event[i] else -1
    return found


def date_lines(rows: list[Row], truth: dict[str, tuple[float, int]], begin: float) -> Iterator[str]:
    """By evidence and precision, and of all: pages, undated ones, wrong ones, median error, share without error."""
    groups: defaultdict[str, list[float | None]] = defaultdict(list)
    for row in rows:
        at = datetime.fromtimestamp(begin + truth[row["url"]][0], UTC)
        error, age = _error(row, at), "older" if truth[row["url"]][0] < 0 else "new"
        kind = f"{row['published_by']} {row['published_precision']}".strip()
        for name in ("all", f"all {age}", kind or f"no date, {age}"):
            groups[name].append(error)
    yield f"{'':<22}{'pages':>7}{'undated':>9}{'> 2 days':>9}{'median s':>10}{'in it':>8}"
    for name, errors in sorted(groups.items()):
        known = [each for each in errors if each is not None]
        middle, inside = (float(np.median(known)), np.mean(np.array(known) == 0)) if known else (0.0, 0.0)
        wrong = sum(each > _WRONG.total_seconds() for each in known)
        yield f"{name:<22}{len(errors):>7}{len(errors) - len(known):>9}{wrong:>9}{middle:>10.0f}{inside:>8.3f}"


def _error(row: Row, at: datetime) -> float | None:
    """Seconds from the interval of a stored time to the truth; None without a time."""
    if not row["published_at"]:
        return None
    start = datetime.fromisoformat(row["published_at"]).astimezone(UTC)
    end = start + _SPANS[row["published_precision"] or "second"]
    return max((start - at).total_seconds(), (at - end).total_seconds(), 0.0)


def original_lines(stories: list[Row], truth: dict[str, tuple[float, int]]) -> Iterator[str]:
    """Stories of several pages of one event, and those whose original is the earliest of their pages, to the minute."""
    members: defaultdict[str, list[Row]] = defaultdict(list)
    for row in stories:
        if row["url"] in truth and row["story"]:
            members[row["story"]].append(row)
    urls = {row["page"]: row["url"] for row in stories}
    found: Counter[tuple[str, bool]] = Counter()
    for rows in (each for each in members.values() if len(each) > 1):
        if len({truth[row["url"]][1] for row in rows} | {-1}) != 2:
            found["of several events", False] += 1
            continue
        first = min(truth[row["url"]][0] for row in rows)
        said = truth[urls.get(rows[0]["original"], rows[0]["url"])][0]
        found["new" if first >= 0 else "older", said - first < 60] += 1
    for age in ("new", "older"):
        right, count = found[age, True], found[age, True] + found[age, False]
        yield f"copied stories, {age + ' than the watch:' if age == 'older' else 'begun in the watch:'} {count}, original right in {right}"
    yield f"stories of several events, left out: {found['of several events', False]}"


def main() -> None:
    """See the module's text."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--seed", type=int, default=83)
    ask.add_argument("--sites", type=int, default=40)
    ask.add_argument("--hours", type=float, default=24.0, help="virtual hours")
    ask.add_argument("--speed", type=float, default=120.0, help="virtual seconds in a second")
    ask.add_argument("--folder", type=Path, help="kept afterwards (default: a new one that is removed)")
    asked = ask.parse_args()
    living_web = simulator("living_web")
    with tempfile.TemporaryDirectory() as made:
        folder: Path = asked.folder or Path(made)
        folder.mkdir(exist_ok=True)
        with served(asked.seed, asked.sites, asked.hours, asked.speed) as (proxy, seeds, begin):
            watch(folder, proxy, seeds, asked.speed, asked.hours * 3_600 / asked.speed)
        living_web.EPOCH = datetime.fromtimestamp(begin, living_web.CST)
        truth = articles_of(world_of(asked.seed, asked.hours + 24, asked.sites))
        with closing(open_store(f"sqlite:///{folder}/crawl.db")) as store:
            columns = ["url", "published_at", "published_precision", "published_by"]
            rows = [row for row in store.select(PAGES, columns=columns) if row["url"] in truth]
            stories = list(store.select(PROPAGATION, columns=["page", "url", "story", "original"]))
    print(f"seed {asked.seed}, {asked.hours:g} virtual hours: {len(rows)} articles found")
    print(*date_lines(rows, truth, begin), *original_lines(stories, truth), sep="\n")


if __name__ == "__main__":
    main()
