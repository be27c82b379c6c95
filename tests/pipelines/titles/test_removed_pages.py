"""Rows of reposts that were pruned while a crawl runs do not come back from its memory."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from scrapy import Spider
from scrapy.utils.test import get_crawler

from pipelines.titles.pipeline import TitlesPipeline

NOW = datetime.now(UTC).isoformat(timespec="seconds")


def row(page: str, fetched_at: str = NOW, verdict: str = "repost") -> dict[str, Any]:
    return {"page": page, "story": "a", "verdict": verdict, "published": "2026-01-01", "fetched_at": fetched_at}


@pytest.fixture
def pipeline() -> Iterator[TitlesPipeline]:
    made = TitlesPipeline(get_crawler(Spider))
    yield made
    made.close_spider()


def test_a_row_that_is_gone_stays_away_and_one_that_is_on_its_way_counts(
    pipeline: TitlesPipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: dict[str, Any] = {}
    monkeypatch.setattr(pipeline, "_stored", lambda story: stored)
    pipeline._story(row("a", "2026-01-01T00:00:00+00:00", "original"))
    pipeline._story(row("on its way"))
    assert {each["page"] for each in pipeline._story(row("b"))[0]} == {"on its way", "b"}
    stored["a"] = row("a", "2026-01-01T00:00:00+00:00", "original")
    assert {each["page"] for each in pipeline._story(row("c"))[0]} == {"a", "on its way", "b", "c"}


def test_an_earlier_page_that_comes_late_turns_the_one_before_into_a_repost(pipeline: TitlesPipeline) -> None:
    pipeline._story(row("a", verdict="new") | {"published": "2026-01-02"})
    rows, turned = pipeline._story(row("late"))
    assert [(each["page"], each["verdict"]) for each in rows] == [("late", "original"), ("a", "repost")]
    assert turned == ["a"]
