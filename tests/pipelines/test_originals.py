"""The original of a story: who claims an earlier date does not take it from the page that was there first."""

from typing import Any

import pytest

from pipelines.originals import delay_hours
from pipelines.propagation import order_story
from pipelines.stores.base import Store
from pipelines.stores.tables import PROPAGATION
from pipelines.titles.comparer import TitleComparer
from pipelines.titles.opening import new_decider
from tests.extractors.titles.test_bodies import BRIDGE
from tests.pipelines.titles.rows import headline, request

FIRST = "2026-11-02T08:00:00+00:00"


def row(page: str, published: str, seen: str, place: int, **more: Any) -> dict[str, Any]:
    return {"page": page, "story": "a", "published": published, "published_at": published if "T" in published else "",
            "first_seen": seen, "fetched_at": seen, "place": place, **more}  # fmt: skip


def order(*rows: dict[str, Any]) -> list[tuple[str, str, float | None]]:
    return [(each["page"], each["verdict"], each["delay_hours"]) for each in order_story(rows)]


def test_another_text_with_an_earlier_date_is_not_the_original() -> None:
    there = row("a", FIRST, "2026-11-02T08:05:00+00:00", 1)
    for text in ({"by_body": "different"}, {"by_body": "", "body_likeness": 0.1}):
        for date in ("2026-11-02T07:59:59+00:00", "2026-11-01T08:00:00+00:00", "1990-05-01T00:00:00+00:00"):
            late = row("b", date, "2026-11-02T09:00:00+00:00", 2, **text)
            assert order(late, there) == [("a", "original", 0.0), ("b", "repost", None)]


@pytest.mark.parametrize(
    ("date", "seen"),
    [
        ("1990-05-01T00:00:00+00:00", "2026-11-02T09:00:00+00:00"),  # no original is found a lifetime later
        ("2026-10-20T00:00:00+00:00", "2026-11-12T00:00:00+00:00"),  # seen ten days after the first one
        ("2026-11-02", "2026-11-02T09:00:00+00:00"),  # its day is the same
        ("", "2026-11-02T09:00:00+00:00"),
    ],
)
def test_a_date_that_is_not_credible_does_not_overtake(date: str, seen: str) -> None:
    there = row("a", FIRST, "2026-11-02T08:05:00+00:00", 1)
    assert order(row("b", date, seen, 2, by_body="same"), there)[0] == ("a", "original", 0.0)


@pytest.mark.parametrize(
    ("date", "seen"),
    [
        ("2026-11-02T07:30:00+00:00", "2026-11-02T09:00:00+00:00"),
        ("2026-10-20T00:00:00+00:00", "2026-11-02T09:00:00+00:00"),  # both were there when the crawl began
        ("2026-11-01", "2026-11-02T09:00:00+00:00"),
    ],
)
def test_an_earlier_page_that_is_collected_later_is_the_original(date: str, seen: str) -> None:
    there = row("a", FIRST, "2026-11-02T08:05:00+00:00", 1)
    assert [each[:2] for each in order(there, row("b", date, seen, 2, by_body="same"))] == [
        ("b", "original"),
        ("a", "repost"),
    ]


def test_a_page_without_a_time_was_there_when_it_was_seen() -> None:
    undated = row("a", "", "2026-11-02T08:00:00+00:00", 1)
    after, before = (
        row("b", f"2026-11-02T{hour}:00:00+00:00", "2026-11-02T09:00:00+00:00", 2) for hour in ("09", "07")
    )
    assert [order(undated, late)[0][0] for late in (after, before)] == ["a", "b"]


def test_a_date_in_the_future_is_not_believed() -> None:
    there = row("a", "2027-11-02T08:00:00+00:00", "2026-11-02T08:00:00+00:00", 1)
    assert order(there, row("b", "2026-11-20T08:00:00+00:00", "2026-11-20T09:00:00+00:00", 2))[0][0] == "a"


@pytest.mark.parametrize(
    ("then", "hours"),
    [
        ("2026-11-02T09:30:00+00:00", 1.5),
        ("2027-01-01T08:00:00+00:00", 1440.0),
        ("2027-01-01T09:00:00+00:00", None),
        ("2026-11-02T07:00:00+00:00", None),
        ("", None),
        ("yesterday", None),
    ],
)
def test_a_delay_that_is_negative_or_over_sixty_days_is_unknown(then: str, hours: float | None) -> None:
    assert delay_hours(row("a", FIRST, FIRST, 1), row("b", then, FIRST, 2)) == hours


def test_an_impostor_does_not_hide_the_page_that_was_there_first(store: Store, tmp_path: Any) -> None:
    from scrapy.settings import Settings

    decider = new_decider(Settings({"DATA_DIR": str(tmp_path)}), store, TitleComparer(), 0, lambda: None)
    other = "本公司出售各种办公家具，价格优惠，欢迎来电咨询，送货上门，全国联保三年，另有大量库存清仓处理。" * 3
    decider.decide([request(headline(1), "0" * 20, text=BRIDGE, published="2026-11-02")])
    decider.decide([request(headline(1), "1" * 20, text=other, published="1990-05-01", host="b.example")])
    found = {each["page"][0]: (each["verdict"], each["delay_hours"]) for each in store.select(PROPAGATION)}
    assert found == {"0": ("original", 0.0), "1": ("repost", None)}


def test_a_page_of_which_the_hour_is_known_is_not_before_one_within_that_hour() -> None:
    there = row("a", "2026-11-02T08:30:00+00:00", "2026-11-02T08:35:00+00:00", 1)
    late = row("b", "2026-11-02T08+00:00", "2026-11-02T09:00:00+00:00", 2, by_body="same")
    assert order(late | {"published_at": "2026-11-02T08:00:00+00:00"}, there)[0] == ("a", "original", 0.0)
