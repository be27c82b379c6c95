"""Small pages of the described cases: every record with its fields."""

from datetime import datetime

import pytest

from extractors.page import Page
from extractors.records import Record, extract
from tests.case_files import Case, cases


def fields(record: Record, names: Case) -> Case:
    """Those fields of a record as a case writes them; of a time as much as the case has."""
    time = record.time[: len(names["time"])] if names.get("time") else record.time
    own = {"text": " ".join(record.own_text.split()), "time": time, "first": str(record.is_first).lower()}
    return {name: own[name] if name in own else str(getattr(record, name)) for name in names}


@pytest.mark.parametrize("case", cases("records", "html"))
def test_the_records_of_a_page(case: Case) -> None:
    """`expected` lists all records in the order of the page. `text` is what the author wrote, without quotes."""
    body = f"<html><head><meta charset=utf-8></head><body>{case['html']}</body></html>".encode()
    page = Page(body, case["url"], fetched_at=datetime.fromisoformat(case["now"]))
    records = extract(page).records
    shown = [fields(record, names) for record, names in zip(records, case["expected"], strict=False)]
    assert shown == case["expected"]
    assert len(records) == len(case["expected"])
