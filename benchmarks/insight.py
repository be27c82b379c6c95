"""What counts, moods and tags of a page cost, and a series of a year from the counts of many pages.

python -m benchmarks.insight                    sample pages for the first, 1,000,000 pages of counts for the second
python -m benchmarks.insight --pages 100000
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from analysis.counts import CountStep, read_series
from analysis.jobs import StoredPage
from analysis.mood import classify_mood
from analysis.trend.tag_counts import read_tags
from analysis.trend.trend import read_trend
from pipelines.stores.analysis_tables import COUNTS
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store

END = datetime(2026, 11, 1, tzinfo=UTC)
_WORDS = (
    "地震 救援 台风 洪水 学校 医院 房价 税收 火灾 事故 道路 居民 通报 "
    "调查 政策 市场 企业 工人 工资 食品 安全 环境 污染 列车 航班 停电"
).split()
_TOPICS = ("quake", "tax", "housing", "food", "rail")
_HOSTS = [f"site{number}.example" for number in range(60)]
_PLACES = ("辽宁省", "海城市", "云南省", "瑞丽市", "浙江省", "温州市", "北京", "上海", "广州", "成都")


def cpu(work: Callable[[], object], times: int = 5) -> float:
    """Milliseconds of CPU, the middle of several."""
    found = []
    for _ in range(times):
        begun = time.process_time()
        work()
        found.append((time.process_time() - begun) * 1_000)
    return statistics.median(found)


def made_page(number: int, rng: random.Random, *, in_order: bool) -> StoredPage:
    """A page with a title, six hundred letters of text and five posts: a page every half minute, or of any minute of a year."""
    minutes = 365 * 24 * 60 - number / 2 if in_order else rng.randrange(365 * 24 * 60)
    at = (END - timedelta(minutes=minutes)).isoformat(timespec="seconds")
    words = [rng.choice(_WORDS) for _ in range(200)]
    row: dict[str, Any] = {
        "key": f"p{number}", "host": rng.choice(_HOSTS), "kind": "article", "title": f"{rng.choice(_PLACES)}{''.join(words[:5])}{number}",
        "body": "，".join("".join(words[at : at + 4]) + "非常失望" for at in range(0, 160, 4)), "topic": rng.choice(_TOPICS), "url": "",
        "published_at": at, "published_precision": "second", "first_seen": at, "fetched_at": at,
    }  # fmt: skip
    posts = [
        {"key": str(each), "time_at": at, "first_seen": at, "text": "".join(words[each * 4 : each * 4 + 8])}
        for each in range(5)
    ]
    return StoredPage(row["key"], row, posts)


def measure_step(store: Store, pages: int, *, in_order: bool) -> float:
    """Milliseconds of CPU for a page: all that the step does, in batches of 200, with writing."""
    rng = random.Random(1)
    made = [made_page(number, rng, in_order=in_order) for number in range(pages)]
    step = CountStep(store)
    step.process(made[:200])
    begun = time.process_time()
    for start in range(200, pages, 200):
        step.process(made[start : start + 200])
    return (time.process_time() - begun) * 1_000 / (pages - 200)


def measure_mood(texts: int) -> float:
    """Milliseconds of CPU for the mood of a text."""
    rng = random.Random(3)
    made = (made_page(number, rng, in_order=True) for number in range(texts))
    given = [f"{page.text('title')}\n{page.text('body')[:600]}" for page in made]
    begun = time.process_time()
    for text in given:
        classify_mood(text)
    return (time.process_time() - begun) * 1_000 / texts


def count_rows(pages: int) -> Iterator[dict[str, Any]]:
    """Counts of a year as that many pages leave them: of five topics with 60 sites, 100 words, places, moods; and of all together."""
    rng = np.random.default_rng(2)
    values = [("all", "", 1.0), *(("mood", name, 0.3) for name in ("positive", "neutral", "negative", "unsure"))]
    values += [("host", host, 1 / len(_HOSTS)) for host in _HOSTS]
    values += [("term", f"词{number}", 0.02) for number in range(100)] + [("place", place, 0.05) for place in _PLACES]
    for topic in (*_TOPICS, ""):
        share = pages / (365 * 24) / (1 if not topic else len(_TOPICS))
        for dimension, value, part in values if topic else values[:1]:
            for day, hours in enumerate(rng.poisson(share * part, (365, 24)).tolist()):
                if any(hours):
                    date = (END - timedelta(days=365 - day)).date().isoformat()
                    yield {"topic": topic, "dimension": dimension, "value": value, "day": date, "pages": hours, "posts": hours,
                           "pages_total": sum(hours), "posts_total": sum(hours)}  # fmt: skip


def measure_series(store: Store, pages: int) -> dict[str, float]:
    """CPU of each question about a year, in ms; and how many rows there are."""
    rows: list[dict[str, Any]] = []
    for row in count_rows(pages):
        rows.append(row)
        if len(rows) == 5_000:
            store.upsert(COUNTS, rows).result()
            rows = []
    store.upsert(COUNTS, rows).result()
    year = END - timedelta(days=365)
    found = {"rows of counts": float(store.count(COUNTS))}
    for name, given in (
        ("topic", {"topic": "quake"}),
        ("term", {"topic": "quake", "dimension": "term", "value": "词7"}),
        ("site", {"topic": "quake", "dimension": "host", "value": "site7.example"}),
        ("everything", {}),
    ):
        found[f"series of a year: {name}"] = cpu(lambda given=given: read_series(store, year, END, **given))  # type: ignore[misc]
    found["trend with bursts and forecast, a year"] = cpu(lambda: read_trend(store, year, END, topic="quake"), 3)
    found["tags of a week"] = cpu(lambda: read_tags(store, END - timedelta(days=7), END, topic="quake"), 3)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--pages", type=int, default=1_000_000, help="pages behind the counts of the series (1,000,000)"
    )
    parser.add_argument("--counted", type=int, default=2_000, help="pages that are counted (2,000)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, in_order in (("as they come", True), ("of any day of a year", False)):
            with closing(open_store(f"sqlite:///{Path(folder)}/{in_order}.db")) as store:
                cost = measure_step(store, given.counted, in_order=in_order)
                print(f"counts, moods and tags of a page with 5 posts, pages {name}: {cost:.2f} ms CPU")
        print(f"mood of a text: {measure_mood(300):.3f} ms CPU")
        with closing(open_store(f"sqlite:///{Path(folder)}/series.db")) as store:
            for name, value in measure_series(store, given.pages).items():
                print(f"{name}: {value:,.2f}{'' if name.startswith('rows') else ' ms CPU'}")


if __name__ == "__main__":
    main()
