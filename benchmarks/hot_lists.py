"""Hot lists over a year: bytes in the store, and the time of an answer.

    python -m benchmarks.hot_lists [--days 365] [--lists 20] [--items 50] [--minutes 10] [--made 12] [--store sqlite:////tmp/hot.db]

Each list has its own topics that rise, stay and fall, with heats that change at each visit. Days are written as the pipeline writes their
last visit. `--made` days of each list are made, and repeated with other items: a row is compressed by itself.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from statistics import median

from console.pages.hot_changes import list_now, stories
from extractors.feeds import FeedEntry
from pipelines.items import HotListItem
from pipelines.rankings import RankingDay, day_row, observations, read_lists, seen_row
from pipelines.stores.base import Condition, MutableRow, Store
from pipelines.stores.opening import open_store
from pipelines.stores.watch_tables import RANKINGS

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_WORDS = "中国经济市场天气地震救援比赛电影歌手学校高考医院疫苗手机汽车新能源房价股市春节旅游机场高铁台风暴雨法院判决明星婚礼官方回应通报"


class MadeList:
    """A list whose items come at a rate of a few an hour, rise, and cool down."""

    def __init__(self, number: int, items: int) -> None:
        self._chance, self._items, self._number, self._made = random.Random(number), items, number, 0
        self._heat: dict[FeedEntry, float] = {}

    def visit(self) -> tuple[FeedEntry, ...]:
        """The items at the next visit."""
        for entry in self._heat:
            self._heat[entry] *= self._chance.uniform(0.93, 1.045)
        while len(self._heat) < self._items or self._chance.random() < 0.5:
            self._made += 1
            title = "".join(self._chance.choices(_WORDS, k=self._chance.randint(8, 20)))
            entry = FeedEntry(f"https://hot{self._number}.example/topic/{self._made:08d}", title=title)
            self._heat[entry] = self._chance.uniform(1e5, 6e6)
        best = sorted(self._heat.items(), key=lambda item: -item[1])[: self._items]
        self._heat = dict(best)
        return tuple(entry._replace(rank=rank, heat=float(int(heat))) for rank, (entry, heat) in enumerate(best, 1))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("days", 365), ("lists", 20), ("items", 50), ("minutes", 10), ("made", 12)):
        ask.add_argument(f"--{name}", type=int, default=value)
    ask.add_argument("--store", default="")
    given = ask.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hot.db"
        with closing(open_store(given.store or f"sqlite:///{path}")) as store:
            seen = write(store, given.days, given.lists, given.items, given.minutes, given.made)
            store.give_back()
            packed = sum(len(row["series"]) for row in store.select(RANKINGS, columns=["series"]))
            size = sum(each.stat().st_size for each in Path(folder).iterdir())
            print(
                f"{seen:,} observations, {store.count(RANKINGS):,} rows; {size / 1e6:.0f} MB in files, ranks {packed / 1e6:.0f} MB"
            )
            answers(store, given.days)
            print(f"{'one visit':24}{timed(lambda: visit(store, given.items), 20):8.1f} ms")


def write(store: Store, days: int, lists: int, items: int, minutes: int, made: int) -> int:
    """Write the days; returns the number of observations."""
    seen = 0
    for number in range(lists):
        of_list = MadeList(number, items)
        known = [_day(of_list, BEGIN + timedelta(days=day), minutes) for day in range(min(made, days))]
        for day in range(days):
            moved = _moved(known[day % len(known)], day // len(known), len(known))
            url = f"https://hot{number}.example/list.json"
            store.upsert(RANKINGS, [day_row(f"list-{number:02d}", url, "watch", moved)]).result()
            seen += len(moved.entries)
    return seen


def _day(made: MadeList, begin: datetime, minutes: int) -> RankingDay:
    day = RankingDay()
    for minute in range(0, 24 * 60, minutes):
        day = day.seen(begin + timedelta(minutes=minute), made.visit())
    return day


def _moved(day: RankingDay, times: int, made: int) -> RankingDay:
    """The day by a number of periods later, with other items."""
    visits = day.visits.copy()
    visits["at"] += times * made * 24 * 3_600
    items = tuple(
        (blake2b(f"{key}{times}".encode(), digest_size=10).hexdigest(), title, url) for key, title, url in day.items
    )
    return replace(day, items=items, visits=visits)


def visit(store: Store, items: int) -> None:
    """What one more visit costs, with the row of its day full."""
    row = next(store.select(RANKINGS, [Condition("source", "=", "list-00")], limit=1))
    at = datetime.fromisoformat(row["last_at"])
    item = HotListItem(row["source"], row["list"], at, MadeList(0, items).visit())
    store.upsert(RANKINGS, [seen_row(item, "watch", store, {})]).result()


def answers(store: Store, days: int) -> None:
    """The time of each answer."""
    last = (BEGIN + timedelta(days=days - 1)).date().isoformat()
    week = (BEGIN + timedelta(days=days - 7)).date().isoformat()
    day = [Condition("at", ">=", last), Condition("source", "=", "list-00")]
    item = next(observations(store, day))["item"]
    asked: tuple[tuple[str, Callable[[], Iterator[MutableRow]]], ...] = (
        ("a list's last day", lambda: observations(store, day)),
        (
            "an item over a week",
            lambda: observations(
                store, [Condition("source", "=", "list-00"), Condition("at", ">=", week), Condition("item", "=", item)]
            ),
        ),
    )
    end = BEGIN + timedelta(days=days)
    read = read_lists(store, end - timedelta(hours=25), end)
    print(f"{'all lists, 25 hours':24}{timed(lambda: read_lists(store, end - timedelta(hours=25), end), 5):8.1f} ms")
    print(f"{'their changes':24}{timed(lambda: [list_now(series, 6) for series in read], 5):8.1f} ms")
    found = [list_now(series, 6) for series in read]
    print(f"{'stories over lists':24}{timed(lambda: stories(found), 5):8.1f} ms")
    for name, ask in asked:
        print(f"{name:24}{timed(lambda ask=ask: list(ask()), 10):8.1f} ms")


def timed(work: Callable[[], object], times: int) -> float:
    """Median CPU milliseconds of this process, its database engine among it."""
    each = []
    for _ in range(times):
        begun = time.process_time()
        work()
        each.append(1_000 * (time.process_time() - begun))
    return median(each)


if __name__ == "__main__":
    main()
