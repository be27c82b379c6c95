"""The time columns of pages."""

from datetime import UTC, datetime

import pytest

from extractors.page import Page
from pipelines.content import ContentPipeline
from pipelines.dating import counted_at, listed
from pipelines.items import PageItem
from pipelines.stores.base import Row
from pipelines.stores.tables import PAGES

URL = "https://news.example/a/1.html"
READ_AT = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)
BODY = "<p>2013年5月4日，这座大桥开工建设，当时预计工期为四年。工程因为资金问题两次停工，直到去年才恢复施工。</p>" * 5
SEEN = listed(
    "", datetime(2026, 3, 2, 1, 10, tzinfo=UTC).timestamp(), datetime(2026, 3, 2, 1, 24, tzinfo=UTC).timestamp()
)


def row_of(head: str = "", **more: object) -> Row:
    source = f'<html lang="zh"><head>{head}</head><body><h1>大桥通车后的第一个早高峰</h1>{BODY}</body></html>'
    page = Page(source.encode(), URL, fetched_at=READ_AT, made_at=READ_AT)
    item = PageItem(URL, URL, 200, page, page.links, **more)  # type: ignore[arg-type]
    return dict(ContentPipeline().process_item(item).rows)[PAGES]


def times(row: Row) -> list[str]:
    return [row[name] for name in ("published", "published_at", "published_precision", "published_by", "counted_at")]


def test_a_day_begins_in_the_zone_of_its_place_and_is_counted_when_the_page_was_found() -> None:
    row = row_of('<meta property="article:published_time" content="2026-03-02">')
    assert times(row) == ["2026-03-02", "2026-03-01T16:00:00+00:00", "day", "declared", "2026-03-02T02:00:00+00:00"]


def test_the_first_sighting_dates_a_page_with_an_old_year_in_its_text() -> None:
    row = row_of(listed=SEEN)
    assert times(row) == [
        "2026-03-02T09+08:00",
        "2026-03-02T01:00:00+00:00",
        "hour",
        "seen",
        "2026-03-02T01:00:00+00:00",
    ]
    assert row["listed"] == SEEN


def test_a_feeds_time_is_that_of_the_page() -> None:
    row = row_of(listed=listed("Sun, 01 Mar 2026 10:00:00 GMT"))
    assert times(row)[:4] == ["2026-03-01T18:00:00+08:00", "2026-03-01T10:00:00+00:00", "second", "list"]


def test_a_page_without_a_time_is_counted_when_it_was_stored_first() -> None:
    row = row_of(listed={"by": "2026-03-01T00:00:00+00:00"}, first_seen="2026-03-01T01:00:00+00:00")
    assert times(row) == ["", "", "", "", "2026-03-01T01:00:00+00:00"]


@pytest.mark.parametrize(
    ("row", "counted"),
    [
        ({"counted_at": "2026-03-02T01:00:00+00:00"}, "2026-03-02T01:00:00+00:00"),
        ({"published_at": "2026-03-02T01:00:00+00:00", "first_seen": "2026-03-05"}, "2026-03-02T01:00:00+00:00"),
        ({"published_at": "2026-03-09T01:00:00+00:00", "first_seen": "2026-03-02"}, "2026-03-02T00:00:00+00:00"),
        ({"fetched_at": "2026-03-02"}, "2026-03-02T00:00:00+00:00"),
        ({"published_at": "no time"}, ""),
    ],
)
def test_rows_of_earlier_versions_are_counted_too(row: Row, counted: str) -> None:
    assert counted_at(row) == counted
