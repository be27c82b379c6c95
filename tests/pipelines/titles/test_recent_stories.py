"""Stories are remembered until the store has their rows, and no longer."""

import pytest

from pipelines.stores.base import Row
from pipelines.titles import recent_stories
from pipelines.titles.recent_stories import RecentStories


def _row(page: str) -> Row:
    return {"page": page, "story": "a"}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr(recent_stories.time, "monotonic", lambda: now[0])
    return now


def test_rows_that_wait_for_the_store_are_kept(clock: list[float]) -> None:
    stories = RecentStories()
    stories.put("a", [_row("a"), _row("b")])
    clock[0] += 500
    stories.forget_stored(lag=500)
    assert set(stories.take("a")) == {"a", "b"}


def test_rows_on_their_way_to_the_store_are_kept(clock: list[float]) -> None:
    stories = RecentStories()
    stories.put("a", [_row("a")])
    clock[0] += 5
    stories.forget_stored(lag=0)
    assert len(stories) == 1


def test_rows_that_are_stored_are_forgotten_and_later_ones_are_not(clock: list[float]) -> None:
    stories = RecentStories()
    stories.put("a", [_row("a")])
    stories.put("b", [_row("b")])
    clock[0] += 60
    stories.put("a", [*stories.take("a").values(), _row("c")])
    stories.forget_stored(lag=1)
    assert len(stories) == 1
    assert set(stories.take("a")) == {"a", "c"}
    assert stories.take("a") == {}


def test_no_more_than_a_thousand_are_kept_while_the_store_is_away() -> None:
    stories = RecentStories()
    for number in range(1_100):
        stories.put(str(number), [_row(str(number))])
    stories.forget_stored(lag=float("inf"))
    assert len(stories) == 1_000
    assert not stories.take("99")
    assert stories.take("100")
