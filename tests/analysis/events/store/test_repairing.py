"""A repair after late pages: what it costs in a growing store, how far it reaches, and that it equals a rebuild."""

import contextlib
import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from analysis import running
from analysis.events import Settings
from analysis.events.store import EventStep, repairing, restoring
from analysis.events.store.doubts import START, apart
from pipelines.stores.analysis_tables import MEMBERS, READINGS
from pipelines.stores.base import Store
from pipelines.stores.opening import open_store
from tests.analysis.events.store.test_step import FIRE, OTHER, QUAKE, put

SMALL = Settings(window_days=4, counted=5)
TEXTS = ("温州鞋厂发生火灾", FIRE), ("辽宁海城发生4.3级地震", QUAKE), ("云南瑞丽发生4.9级地震", OTHER)
Page = tuple[str, str, str, str, str]


def page(number: int, day: int, hour: int = 8, year: int = 2026) -> Page:
    title, text = TEXTS[number % len(TEXTS)]
    at = f"{year}-{1 + day // 28:02}-{1 + day % 28:02}T{hour:02}:00:00+00:00"
    return (f"p{number:04}", f"{title}{number // 9}", text, at, f"{number % 7}.example")


def analyse(store: Store, pages: Sequence[Page]) -> None:
    put(store, *pages)
    running.run(store)


class _Counted:
    """A store that counts the rows of readings that are read."""

    def __init__(self, store: Store) -> None:
        self._store, self.rows = store, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def get(self, table: Any, *key: str) -> Any:
        self.rows += table is READINGS
        return self._store.get(table, *key)

    def select(self, table: Any, *args: Any, **named: Any) -> Iterator[Any]:
        for row in self._store.select(table, *args, **named):
            self.rows += table is READINGS
            yield row


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with contextlib.closing(open_store(f"sqlite:///{tmp_path}/a.db")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "STEPS", {"events": partial(EventStep, settings=SMALL)})
    monkeypatch.setattr(repairing, "_MIN_REPORTS", 10)
    monkeypatch.setattr(restoring, "_BATCH_ROWS", 5)


def test_a_page_of_long_ago_costs_the_same_in_a_larger_store(store: Store) -> None:
    read = []
    for begin, end in ((0, 60), (60, 180)):
        analyse(store, [page(number, number) for number in range(begin, end - 1)])
        analyse(store, [page(end - 1, end - 1)])
        counted = _Counted(store)
        analyse(counted, [page(1_000 + end, 0, year=1990)])  # type: ignore[arg-type]
        read.append(counted.rows)
    assert read[1] <= read[0] + 5, "rows of readings that are read"


def test_a_page_in_the_middle_costs_what_stands_near_it(store: Store) -> None:
    analyse(store, [page(number, number) for number in range(200)])
    counted = _Counted(store)
    analyse(counted, [page(1_000, 60, 9)])  # type: ignore[arg-type]
    assert counted.rows < 80


def decided(store: Store) -> dict[str, tuple[str, str]]:
    return {row["page"]: (row["event"], row["story"]) for row in store.select(MEMBERS)}


@pytest.mark.parametrize("seed", range(1, 5))
def test_late_pages_in_any_order_give_the_same_as_a_rebuild(store: Store, seed: int) -> None:
    rng = random.Random(seed)
    pages = [page(number, rng.randrange(90), rng.randrange(24)) for number in range(110)]
    for start in range(0, len(pages), 10):
        analyse(store, pages[start : start + 10])
    incremental = decided(store)
    running.rebuild(store)
    assert decided(store) == incremental


def test_pages_of_one_instant_are_all_read_in_order(store: Store) -> None:
    analyse(store, [page(number, number // 13) for number in range(40)])
    keys = [position[1] for position, _, _ in restoring.members(store, START)]
    assert keys == [f"p{number:04}" for number in range(40)]
    middle = ("2026-01-02T08:00:00+00:00", "p0015")
    until = ("2026-01-03T08:00:00+00:00", "p0030")
    assert [position[1] for position, _, _ in restoring.members(store, middle, until)] == keys[15:30]


def test_an_old_page_is_alone_until_the_repair_has_found_its_event(store: Store) -> None:
    analyse(store, [page(0, 0), page(3, 0, 10), page(1, 80)])
    analyse(store, [page(6, 0, 9)])
    events = {row["page"]: row["event"] for row in store.select(MEMBERS)}
    assert (events["p0006"], events["p0003"], events["p0001"]) == ("p0000", "p0000", "p0001")


def test_a_doubt_within_the_window_of_another_is_part_of_it() -> None:
    doubts = [(f"2026-05-{day:02}T00:00:00+00:00", "a") for day in (9, 1, 5, 6, 10)]
    assert [at[8:10] for at, _ in apart(doubts, 4)] == ["01", "06"]
    assert apart([*doubts, START], 4) == [START]
