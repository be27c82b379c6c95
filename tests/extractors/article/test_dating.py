"""The time of publication of a page from all that is known of it."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from extractors.article.dating import PageTime, Sighting, page_time
from extractors.article.published import PublishedTime
from extractors.text.instants import interval_of
from tests.case_files import Case, cases

CHINA = timezone(timedelta(hours=8))


@pytest.mark.parametrize("case", cases("dating", "pieces"))
def test_the_most_trusted_credible_evidence_dates_a_page(case: Case) -> None:
    """`pieces`: what the page says by where it says it; `said`, `after`, `by` and `new` of a list, as in `Sighting`."""
    pieces = case["pieces"]
    told = [PublishedTime(text, by) for by, text in pieces.items() if by in ("declared", "address", "head", "text")]
    after, by = (datetime.fromisoformat(pieces[name]) if name in pieces else None for name in ("after", "by"))
    seen = Sighting(pieces.get("said", ""), after, by, "new" in pieces)
    zone = timezone(timedelta(hours=float(case["zone"])))
    found = page_time(told[0] if told else PublishedTime(), datetime.fromisoformat(case["now"]), zone, seen)
    assert [found.text, found.precision, found.evidence] == case["expected"]


@pytest.mark.parametrize(
    ("text", "found", "counted"),
    [
        ("2026-03-02T09:05+08:00", "2026-03-05T10:00+08:00", "2026-03-02T09:05+08:00"),
        ("2026-03-02", "2026-03-02T10:00+08:00", "2026-03-02T10:00+08:00"),
        ("2026-03-02", "2026-03-05T10:00+08:00", "2026-03-02T12:00+08:00"),
        ("2026-03-02", "2026-03-01T10:00+08:00", "2026-03-02T00:00+08:00"),
        ("2026-03", "2026-03-05T10:00+08:00", "2026-03-05T10:00+08:00"),
        ("", "2026-03-05T10:00+08:00", "2026-03-05T10:00+08:00"),
    ],
)
def test_a_page_is_counted_within_its_interval(text: str, found: str, counted: str) -> None:
    time = PageTime(text, interval_of(text, CHINA), "declared")
    assert time.counted(datetime.fromisoformat(found)) == datetime.fromisoformat(counted)


def test_a_day_is_one_of_the_places_zone() -> None:
    found = page_time(PublishedTime("2026-03-02", "head"), datetime(2026, 3, 5, tzinfo=UTC), CHINA)
    assert found.interval is not None
    assert found.interval.begin == datetime(2026, 3, 2, tzinfo=CHINA)
