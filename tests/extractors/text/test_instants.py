"""Times as stored become instants that compare."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.text.instants import instant_of


@pytest.mark.parametrize(
    ("text", "language", "utc", "precision"),
    [
        ("2026-05-10T09:30:15+08:00", "", "2026-05-10T01:30:15+00:00", "second"),
        ("2026-05-10T09:30Z", "zh", "2026-05-10T09:30:00+00:00", "minute"),
        ("2026-05-10T09:30", "zh", "2026-05-10T01:30:00+00:00", "minute"),
        ("2026-05-10T09:30", "en", "2026-05-10T09:30:00+00:00", "minute"),
        ("2026-05-10 09:30:00.123-0430", "", "2026-05-10T14:00:00+00:00", "second"),
        ("2026-05-10", "zh", "2026-05-10T00:00:00+00:00", "day"),
        ("2026-05", "", "2026-05-01T00:00:00+00:00", "month"),
        ("2026", "", "2026-01-01T00:00:00+00:00", "year"),
    ],
)
def test_a_time_has_an_instant_and_its_precision(text: str, language: str, utc: str, precision: str) -> None:
    found = instant_of(text, language)
    assert found
    assert (found.utc, found.precision) == (utc, precision)


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-13-01", "2026-02-30", "2026-05-10T25:00", "0000", "0001-01-01T00:00+14:00"]
)
def test_other_texts_have_none(text: str) -> None:
    assert instant_of(text) is None


@given(
    st.lists(
        st.tuples(
            st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(lambda each: each.replace(microsecond=0)),
            st.integers(-12, 14),
        )
    )
)
def test_instants_sort_as_the_moments_do(moments: list[tuple[datetime, int]]) -> None:
    aware = [moment.replace(tzinfo=timezone(timedelta(hours=hours))) for moment, hours in moments]
    instants = [found.utc for each in aware if (found := instant_of(each.isoformat()))]
    assert sorted(instants) == [each.astimezone(UTC).isoformat() for each in sorted(aware)]


@given(st.text(max_size=40))
def test_no_text_fails(text: str) -> None:
    instant_of(text)
