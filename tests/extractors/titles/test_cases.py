"""Pairs of titles of the described cases: the same news, or other news."""

import pytest

from extractors.titles import SuffixLearner, TitleIndex, TitleMatch, title_text
from tests.case_files import Case, cases


def found(stored: str, asked: str) -> TitleMatch:
    """What an index that holds nothing else says."""
    index, learner = TitleIndex(), SuffixLearner()
    index.add(title_text(learner.without_suffix(stored)))
    return index.search(title_text(learner.without_suffix(asked)))


@pytest.mark.parametrize("case", cases("titles", "pair"))
def test_a_title_is_a_repost_of_the_other_whichever_comes_first(case: Case) -> None:
    """`expected` is same or other; `objection` the rule that objects."""
    one, other = case["pair"]
    matches = found(one, other), found(other, one)
    assert {"same" if match.verdict == "repost" else "other" for match in matches} == {case["expected"]}
    assert "objection" not in case or {match.rule for match in matches} == {case["objection"]}
