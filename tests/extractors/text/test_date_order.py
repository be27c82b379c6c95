"""The order of day and month on a page."""

from datetime import UTC, datetime

import pytest

from extractors.text.date_order import day_first


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["03/04/2020 10:15", "28/04/2020 09:00"], True),
        (["03/04/2020 10:15", "04/28/2020 09:00"], False),
        (["03-04-20", "25-04-20"], True),
        (["03/12/2026", "11/11/2026"], False),
        (["12/03/2026"], True),
        (["03/04/2020"], None),
        (["2020/03/04", "28.04.2020", "1/2"], None),
    ],
)
def test_a_page_tells_whether_days_come_first(texts: list[str], first: bool | None) -> None:
    assert day_first(texts, datetime(2026, 11, 21, 12, tzinfo=UTC)) is first
