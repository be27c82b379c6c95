"""A day is written as a day."""

import pytest

from analysis.spans import known_time


@pytest.mark.parametrize(
    ("written", "at", "expected"),
    [
        ("2026-05-10", "2026-05-10T03:00:00+00:00", "2026-05-10"),
        ("2026-05", "2026-05-10T03:00:00+00:00", "2026-05"),
        ("2026-05-10T11+08:00", "2026-05-10T03:00:00+00:00", "2026-05-10 11 h"),
        ("2026-05-10T11:20+08:00", "2026-05-10T03:20:00+00:00", "2026-05-10 11:20"),
        ("", "2026-05-10T03:20:00+00:00", "2026-05-10 11:20"),
        ("", "", ""),
    ],
)
def test_no_more_exactly_than_it_is_known(written: str, at: str, expected: str) -> None:
    assert known_time(written, at) == expected
