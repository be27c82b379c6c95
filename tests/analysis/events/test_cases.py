"""Reports of the described cases: the elements of one, and whether two are of one happening."""

from datetime import datetime

import pytest

from analysis.events import Clusters, find_elements, read_report
from tests.case_files import Case, cases


@pytest.mark.parametrize("case", cases("events", "text"))
def test_the_elements_of_a_report(case: Case) -> None:
    """`expected` has any of: `time` and `place`, the surest one as it is written; `day`; all `people`."""
    found = find_elements(case["title"], case["text"], datetime.fromisoformat(case["now"]))
    surest = found.times[0] if found.times else None
    elements: Case = {
        "time": surest.text if surest else "",
        "day": surest.interval.start.date().isoformat() if surest and surest.interval else "",
        "place": found.places[0].text if found.places else "",
        "people": [each.text for each in found.people],
    }
    assert {name: elements[name] for name in case["expected"]} == case["expected"]


@pytest.mark.parametrize("case", cases("events", "pair"))
def test_two_reports_of_one_happening(case: Case) -> None:
    """`pair` has two reports: title, text and, if it is not that of the case, `now`; `expected` is same or other."""
    clusters = Clusters()
    first, second = (
        clusters.add(
            read_report(str(at), datetime.fromisoformat(one.get("now", case["now"])), one["title"], one.get("text", ""))
        )
        for at, one in enumerate(case["pair"])
    )
    assert ("same" if first.event == second.event else "other") == case["expected"]
