"""Times of the described cases: the interval of an expression, or the expressions of a sentence."""

from datetime import datetime

import pytest

from analysis.times import find_times, resolve_time
from tests.case_files import Case, cases


@pytest.mark.parametrize("case", cases("times", "text"))
def test_an_expression_names_an_interval(case: Case) -> None:
    """`expected` is its first and last day or time, or one that is both; an empty list if the text is no time."""
    found = resolve_time(case["text"], datetime.fromisoformat(case["now"]))
    expected = [case["expected"]] if isinstance(case["expected"], str) else case["expected"]
    if not expected:
        assert found is None
        return
    assert found
    ends = found.start.isoformat(), found.end.isoformat()
    assert tuple(end[: len(each)] for end, each in zip(ends, (expected[0], expected[-1]), strict=True)) == (
        expected[0],
        expected[-1],
    )


@pytest.mark.parametrize("case", cases("times", "sentence"))
def test_the_expressions_of_a_sentence(case: Case) -> None:
    found = find_times(case["sentence"], datetime.fromisoformat(case["now"]))
    assert [mention.text for mention in found] == case["expected"]
