"""Dates and times of the described cases, as pages show and declare them."""

from datetime import datetime, timedelta, timezone

import pytest

from extractors.text.date_order import day_first
from extractors.text.dates import find_time, parse_time
from extractors.text.instants import instant_of
from tests.case_files import Case, cases

ORDERS = {"day first": True, "month first": False, "unknown": None}


@pytest.mark.parametrize("case", cases("dates", "text"))
def test_a_text_becomes_iso_8601(case: Case) -> None:
    """`expected` is "" without a time. `written` is the expression in a longer text; `zone` hours from UTC of the page."""
    zone = timezone(timedelta(hours=float(case["zone"]))) if "zone" in case else None
    order = ORDERS[case.get("day_first", "unknown")]
    now = datetime.fromisoformat(case["now"])
    assert parse_time(case["text"], now=now, zone=zone, day_first=order) == case["expected"]
    assert find_time(case["text"]) == case.get("written", find_time(case["text"]))


@pytest.mark.parametrize("case", cases("dates", "texts"))
def test_the_order_of_day_and_month_on_a_page(case: Case) -> None:
    assert day_first(case["texts"], datetime.fromisoformat(case["now"])) is ORDERS[case["expected"]]


@pytest.mark.parametrize("case", cases("dates", "stored"))
def test_a_stored_time_has_an_instant_and_a_precision(case: Case) -> None:
    """`expected` is the instant in UTC and its precision; an empty list if the text is no time."""
    found = instant_of(case["stored"], case.get("language", ""))
    assert ([found.utc, found.precision] if found else []) == case["expected"]
